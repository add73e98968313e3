//! Replays: the calls of a recording, made again.
//!
//! In: a recording. Out: the world at any of its steps; and the first step after which it diverged
//! from the recording.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::Recording;
use super::input::Input;
use crate::state::{LoadError, Parse};
use crate::world::World;

/// A recording that is being played.
///
/// Its world is between two steps. [`Replay::step`] goes on by one, [`Replay::seek`] to any, from
/// the last key frame before it.
#[derive(Debug)]
pub struct Replay {
    words: Vec<u32>,
    world: World,
    /// Where the next entry begins.
    at: usize,
    /// The key frames, in the order of the recording.
    keys: Vec<Key>,
    /// Decisions of hooks in the calls to come.
    decided: Arc<Mutex<VecDeque<u32>>>,
    diverged: Option<Divergence>,
}

/// The first step after which a replay diverged from the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Divergence {
    /// The number of steps at that time: [`World::step_count`].
    pub step: u64,
    /// The hash that was recorded.
    pub recorded: u64,
    /// The hash of the world that was played.
    pub played: u64,
}

/// A key frame.
#[derive(Clone, Debug)]
struct Key {
    /// Index of its entry; or of the next one, if the key frame is not in the recording.
    at: usize,
    /// The step of the key frame, and the last step that is played from it before the next key
    /// frame of the recording.
    first: u64,
    last: u64,
    /// The world of [`Replay::keep`].
    kept: Option<Box<Kept>>,
}

/// The world, and the hooks that decide in it.
#[derive(Clone, Debug)]
struct Kept {
    hooks: [bool; 2],
    image: Vec<u8>,
}

/// An entry of a recording.
struct Entry<'w> {
    code: u32,
    words: &'w [u32],
    decided: &'w [u32],
    end: usize,
}

/// The entry that begins at a word; `None` at the end, or if the words are invalid.
fn entry(words: &[u32], at: usize) -> Option<Entry<'_>> {
    let [code, length] = *words.get(at..)?.first_chunk()?;
    let begin = at + 2;
    let middle = begin.checked_add(length as usize)?;
    let decided = *words.get(middle)? as usize;
    let end = (middle + 1).checked_add(decided)?;
    Some(Entry { code, words: words.get(begin..middle)?, decided: words.get(middle + 1..end)?, end })
}

/// Codes of entries that are recognized before they are read.
const KEY: u32 = 0;
const STEPPED: u32 = 1;
const STEP: u32 = 10;

/// The word of a key frame that says whether it is a jump.
const JUMP: usize = 2;

impl Replay {
    pub(super) fn new(recording: Recording) -> Replay {
        let mut replay = Replay {
            words: recording.words,
            world: World::default(),
            at: 0,
            keys: Vec::new(),
            decided: Arc::default(),
            diverged: None,
        };
        replay.find_keys();
        // A recording without a beginning plays nothing.
        let _ = replay.rewind();
        replay
    }

    /// Counts steps from key frame to key frame. A refused step does not count.
    fn find_keys(&mut self) {
        let mut at = 0;
        while let Some(entry) = entry(&self.words, at) {
            if entry.code == KEY {
                let step = Parse::new(entry.words).long();
                self.keys.push(Key { at, first: step, last: step, kept: None });
            }
            let dt = entry.words.first().map_or(f32::NAN, |&dt| f32::from_bits(dt));
            let steps = u64::from(entry.code == STEP && (0.0..=1.0).contains(&dt));
            self.keys.last_mut().into_iter().for_each(|key| key.last = key.last.saturating_add(steps));
            at = entry.end;
        }
    }

    /// The present world. Changes to it are not in the recording: take a clone to try things.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The steps that were recorded, first and last.
    #[must_use]
    pub fn steps(&self) -> (u64, u64) {
        let first = self.keys.iter().map(|key| key.first).min();
        (first.unwrap_or(0), self.keys.iter().map(|key| key.last).max().unwrap_or(0))
    }

    /// Plays all calls up to and including the next step. Returns whether there was one.
    ///
    /// # Errors
    /// An entry of the recording that cannot be read: the bytes were damaged.
    pub fn step(&mut self) -> Result<bool, LoadError> {
        while let Some(next) = entry(&self.words, self.at) {
            let (steps, before) = (next.code == STEP, self.world.step_count());
            self.play_one(false)?;
            if steps && self.world.step_count() > before {
                self.play_rest()?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes to just after a step, from the last key frame before it. If the world went back during
    /// the recording and came to the step more than once, the last time counts.
    ///
    /// ```
    /// use carom::Recorder;
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.record(Recorder::default());
    /// let ball = world.add(BodyDef::dynamic().velocity([0.0, 9.81]).shape(Shape::circle(0.5)))?;
    /// for _ in 0..120 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let mut replay = world.stop_recording().expect("it was on").replay();
    /// replay.seek(60).expect("it was recorded"); // a second after the throw: the top
    /// assert!((replay.world()[ball].position().y - 4.9).abs() < 0.1);
    /// assert!(replay.seek(121).is_err());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A step that was not recorded, or an entry that cannot be read.
    pub fn seek(&mut self, step: u64) -> Result<(), LoadError> {
        let holds = |key: &&Key| (key.first..=key.last).contains(&step);
        let place = self.keys.iter().rposition(|key| holds(&key)).ok_or(LoadError::NoSuchStep)?;
        self.load_frame(place)?;
        while self.world.step_count() < step && self.step()? {}
        if self.world.step_count() == step { Ok(()) } else { Err(LoadError::NoSuchStep) }
    }

    /// Keeps the world as it is now, so that [`Replay::seek`] to this step or one after it begins
    /// here: a recording has few key frames, and a timeline that is dragged to and fro needs many.
    /// Returns how many bytes it took; 0 if it was kept already, or if nothing is being played.
    ///
    /// ```
    /// use carom::Recorder;
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.record(Recorder { key_every: 0, hashes: true });
    /// world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// (0..120).try_for_each(|_| world.step(1.0 / 60.0).map(drop))?;
    /// let mut replay = world.stop_recording().expect("it was on").replay();
    /// while replay.step().expect("the recording is whole") {
    ///     if replay.world().step_count() % 10 == 0 {
    ///         replay.keep();
    ///     }
    /// }
    /// replay.seek(119).expect("it was recorded"); // nine steps, not 119
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn keep(&mut self) -> usize {
        let (at, first) = (self.at, self.world.step_count());
        // The last key frame that was passed on the way here.
        let place = self.keys.partition_point(|key| key.at < at);
        let is_kept = self.keys.get(place).is_some_and(|key| key.at == at && key.kept.is_some());
        let Some(before) = place.checked_sub(1).and_then(|before| self.keys.get(before)) else { return 0 };
        let last = before.last;
        if is_kept || first > last {
            return 0;
        }
        let mut image = Vec::new();
        self.world.save_whole_into(&mut image);
        let bytes = image.len();
        let kept = Some(Box::new(Kept { hooks: self.world.hooks.are_set(), image }));
        self.keys.insert(place, Key { at, first, last, kept });
        bytes
    }

    /// Brings back a key frame.
    fn load_frame(&mut self, place: usize) -> Result<(), LoadError> {
        let key = self.keys.get(place).ok_or(LoadError::NoSuchStep)?;
        self.at = key.at;
        match key.kept.clone() {
            Some(kept) => self.load_key(kept.hooks, &kept.image),
            None => self.play_one(true).map(drop),
        }
    }

    /// The first step played so far after which the world differed from the recording.
    /// [`Replay::first_divergence`] plays the whole recording to find it.
    #[must_use]
    pub fn divergence(&self) -> Option<Divergence> {
        self.diverged
    }

    /// Plays everything from the beginning, and tells where it first diverged; `None` if it never
    /// did, or if no hashes were recorded.
    pub fn first_divergence(&mut self) -> Option<Divergence> {
        self.diverged = None;
        self.rewind().ok()?;
        while self.diverged.is_none() && self.step() == Ok(true) {}
        self.diverged
    }

    /// Goes to the beginning of the recording.
    fn rewind(&mut self) -> Result<(), LoadError> {
        self.at = self.keys.first().ok_or(LoadError::NoSuchStep)?.at;
        self.play_one(true).map(drop)
    }

    /// Plays entries between this step and the next call: its hash, and a key frame. A jump is a
    /// call.
    fn play_rest(&mut self) -> Result<(), LoadError> {
        let is_rest =
            |next: Entry| next.code == STEPPED || next.code == KEY && next.words.get(JUMP) == Some(&0);
        while entry(&self.words, self.at).is_some_and(is_rest) {
            self.play_one(false)?;
        }
        Ok(())
    }

    /// Plays an entry. Returns whether there was one. A key frame on the way is skipped: the calls
    /// should lead to its state.
    fn play_one(&mut self, seeks: bool) -> Result<bool, LoadError> {
        let Some(entry) = entry(&self.words, self.at) else { return Ok(false) };
        let input = Input::fetch(entry.code, &mut Parse::new(entry.words))?;
        let mut decided = self.decided.lock().unwrap_or_else(PoisonError::into_inner);
        decided.clear();
        decided.extend(entry.decided);
        drop(decided);
        self.at = entry.end;
        match input {
            Input::Key { jump, filter, modify, image, .. } if jump || seeks => {
                self.load_key([filter, modify], &image)?;
            }
            Input::Stepped { hash } => self.compare(hash),
            Input::SetFilterHook {} => self.play_filter(),
            Input::SetContactHook {} => self.play_modify(),
            // A refused call is refused again.
            call => _ = call.run(&mut self.world),
        }
        Ok(true)
    }

    fn load_key(&mut self, [filter, modify]: [bool; 2], image: &[u8]) -> Result<(), LoadError> {
        self.world.clear_hooks();
        if filter {
            self.play_filter();
        }
        if modify {
            self.play_modify();
        }
        self.world.load(image)
    }

    fn compare(&mut self, recorded: u64) {
        let (step, played) = (self.world.step_count(), self.world.hash());
        if played != recorded && self.diverged.is_none_or(|known| known.step > step) {
            self.diverged = Some(Divergence { step, recorded, played });
        }
    }

    /// A filter hook that decides as it did in the recording.
    fn play_filter(&mut self) {
        let decided = Arc::clone(&self.decided);
        self.world.set_filter_hook(move |_| {
            decided.lock().unwrap_or_else(PoisonError::into_inner).pop_front() != Some(0)
        });
    }

    /// A contact hook that decides as it did in the recording.
    fn play_modify(&mut self) {
        let decided = Arc::clone(&self.decided);
        self.world.set_contact_hook(move |_, edit| {
            let mut decided = decided.lock().unwrap_or_else(PoisonError::into_inner);
            let mut next = || decided.pop_front();
            let Some(solid) = next() else { return };
            edit.solid = solid != 0;
            for number in [
                &mut edit.static_friction,
                &mut edit.kinetic_friction,
                &mut edit.restitution,
                &mut edit.tangent_speed,
            ] {
                *number = next().map_or(*number, f32::from_bits);
            }
        });
    }
}
