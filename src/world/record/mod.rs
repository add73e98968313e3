//! Recordings (replays): every call that changes a world, to be made again.
//!
//! In: calls, and decisions of hooks. Out: words, from which `replay.rs` makes the same calls
//! again. A call that was refused is refused again, so all of them are noted, before any check.
//!
//! ```text
//!   recording   header (16 bytes), then entries
//!   entry       code, how many words, the words; how many words hooks decided in it, and those
//!   after each step    its hash            every so many steps    the whole world
//! ```
//!
//! ```text
//!   input.rs    the calls, with their codes
//!   store.rs    arguments of calls, as words and back
//!   replay.rs   the same calls again
//!   off.rs      in place of all this where carom has no feature `record`
//! ```

mod input;
mod replay;
mod store;

pub use replay::{Divergence, Replay};

use std::sync::{Mutex, PoisonError};

use super::World;
use crate::state::{Hash, LoadError};
pub(crate) use input::Input;

/// First in every recording.
const RECORDING_MAGIC: u32 = u32::from_le_bytes(*b"crmR");

/// Key frames are snapshots: another format of snapshots is another format of recordings. If this
/// fails to compile, raise [`Recording::VERSION`] and write the new version of snapshots here.
const _: () = assert!(LoadError::VERSION == 4, "recordings hold snapshots of version 4");

/// Words before the first entry: magic, version, and the hash of the entries.
const RECORDING_HEADER: usize = 4;

/// How a world is recorded: see [`World::record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorder {
    /// A key frame, the whole world, is kept every so many steps. A replay can go there without
    /// playing everything before. 0: only at the beginning.
    pub key_every: u64,
    /// Whether the hash of the world is kept after each step, so that a replay can tell where it
    /// diverged.
    pub hashes: bool,
}

impl Default for Recorder {
    /// A key frame every 600 steps, and hashes.
    fn default() -> Recorder {
        Recorder { key_every: 600, hashes: true }
    }
}

/// The recording of a world: bytes that can be kept in a file.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Recorder, Recording};
///
/// let mut world = World::default();
/// world.record(Recorder::default());
/// let ball = world.add(BodyDef::dynamic().at([0.0, 3.0]).shape(Shape::circle(0.5)))?;
/// for step in 0..100 {
///     if step == 50 {
///         world.apply_impulse(ball, [2.0, 0.0])?;
///     }
///     world.step(1.0 / 60.0)?;
/// }
/// let bytes = world.stop_recording().expect("it was on").to_bytes();
///
/// let mut replay = Recording::from_bytes(&bytes).expect("the bytes are whole").replay();
/// assert_eq!(replay.first_divergence(), None); // the same bits, on any machine
/// replay.seek(100).expect("it was recorded");
/// assert_eq!(replay.world().hash(), world.hash());
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    words: Vec<u32>,
}

impl Recording {
    /// The version of the format that is written and read. It rises with the version of snapshots,
    /// which are its key frames: a recording of another version is refused before anything is
    /// played.
    pub const VERSION: u32 = 4;

    /// The recording as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut hash = Hash::default();
        hash.words(&self.words);
        let hash = hash.finish();
        let header = [RECORDING_MAGIC, Recording::VERSION, hash as u32, (hash >> 32) as u32];
        header.iter().chain(&self.words).flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Reads the bytes of a recording.
    ///
    /// # Errors
    /// Bytes that are no recording, of another version than [`Recording::VERSION`], or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Recording, LoadError> {
        let (words, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let Some((&[magic, version, low, high], entries)) = words.split_first_chunk::<RECORDING_HEADER>()
        else {
            return Err(LoadError::NotASnapshot);
        };
        if magic != RECORDING_MAGIC {
            return Err(LoadError::NotASnapshot);
        }
        if version != Recording::VERSION {
            return Err(LoadError::OtherVersion(version));
        }
        let mut hash = Hash::default();
        hash.words(entries);
        if hash.finish() != u64::from(low) | u64::from(high) << 32 || !rest.is_empty() {
            return Err(LoadError::Damaged);
        }
        Ok(Recording { words: entries.to_vec() })
    }

    /// A replay at the beginning of the recording.
    #[must_use]
    pub fn replay(self) -> Replay {
        Replay::new(self)
    }
}

/// Writes the right hash of a changed recording into its header, so that tests get past the check.
#[doc(hidden)]
pub fn restamp_recording(bytes: &mut [u8]) {
    let mut hash = Hash::default();
    let words = bytes.as_chunks::<4>().0.iter().skip(RECORDING_HEADER).map(|word| u32::from_le_bytes(*word));
    hash.words(&words.collect::<Vec<u32>>());
    if let Some(place) = bytes.get_mut(8..16) {
        place.copy_from_slice(&hash.finish().to_le_bytes());
    }
}

/// State of a running recording.
#[derive(Debug)]
pub(crate) struct Log {
    recorder: Recorder,
    words: Vec<u32>,
    /// Decisions of hooks since the last entry began. Hooks are called through shared references.
    decided: Mutex<Vec<u32>>,
    /// Steps at which the last key frame was kept.
    key: u64,
    /// [`World::write_key`] and [`Log::write`], by their addresses: so a program that never records
    /// does not link the functions that only they call.
    write_key: fn(&mut World, bool),
    write: fn(&mut Log, &Input),
}

impl Log {
    /// Ends the last entry with the decisions of hooks in it.
    fn end_entry(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let decided = self.decided.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.words.push(decided.len() as u32);
        self.words.append(decided);
    }

    fn write(&mut self, input: &Input) {
        self.end_entry();
        self.words.extend([input.code(), 0]);
        let begin = self.words.len();
        input.store(&mut self.words);
        self.words[begin - 1] = (self.words.len() - begin) as u32;
    }
}

/// Recording.
impl World {
    /// Notes every call that changes the world from now on, decisions of hooks, and key frames:
    /// until [`World::stop_recording`]. Begins anew if it was on already.
    ///
    /// Not noted are calls that only read, clocks and threads. A step of a large world takes longer
    /// by the time of [`World::hash`], unless that is turned off.
    pub fn record(&mut self, recorder: Recorder) {
        let log = Log {
            recorder,
            words: Vec::new(),
            decided: Mutex::default(),
            key: self.step.number,
            write_key: World::write_key,
            write: Log::write,
        };
        self.log = Some(Box::new(log));
        self.note_key(true);
    }

    /// Ends recording; nothing if it was not on.
    pub fn stop_recording(&mut self) -> Option<Recording> {
        let mut log = self.log.take()?;
        log.end_entry();
        Some(Recording { words: log.words })
    }

    /// Whether calls are being noted.
    #[must_use]
    pub fn is_recording(&self) -> bool {
        self.log.is_some()
    }

    /// Notes a call, if recording is on.
    #[inline]
    pub(crate) fn note(&mut self, input: impl FnOnce() -> Input) {
        if let Some(log) = &mut self.log {
            (log.write)(log, &input());
        }
    }

    /// Notes a decision of a hook.
    pub(crate) fn note_decision(&self, words: &[u32]) {
        if let Some(log) = &self.log {
            log.decided.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(words);
        }
    }

    /// Notes the end of a step.
    pub(crate) fn note_step(&mut self) {
        let Some(log) = &self.log else { return };
        let (Recorder { key_every, hashes }, key) = (log.recorder, log.key);
        if hashes {
            let hash = self.hash();
            self.note(|| Input::Stepped { hash });
        }
        if key_every > 0 && self.step.number >= key.saturating_add(key_every) {
            self.note_key(false);
        }
    }

    /// Notes the whole world: at the beginning, at intervals, or after a jump to a state that no
    /// call leads to.
    pub(crate) fn note_key(&mut self, jump: bool) {
        if let Some(write) = self.log.as_ref().map(|log| log.write_key) {
            write(self, jump);
        }
    }

    fn write_key(&mut self, jump: bool) {
        let mut image = Vec::new();
        self.save_whole_into(&mut image);
        let [filter, modify] = self.hooks.are_set();
        let step = self.step.number;
        self.note(|| Input::Key { step, jump, filter, modify, image });
        self.log.iter_mut().for_each(|log| log.key = step);
    }
}
