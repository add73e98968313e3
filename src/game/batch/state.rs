//! Single worlds of a batch: to look at, to change, out as bytes and in again.
//!
//! ```text
//!   image of the world | mark | start | steps | ended | waits | resets (8 bytes) | check
//! ```

use super::Batch;
use super::seed::mix;
use crate::state::LoadError;
use crate::world::World;

/// The first word behind the image of a world.
const MARK: u32 = u32::from_le_bytes(*b"crmB");

/// Bytes behind the image of a world.
const TRAILER: usize = 32;

impl Batch {
    /// Returns one of the worlds, to look at or to draw.
    #[must_use]
    pub fn world(&self, number: usize) -> Option<&World> {
        self.core.rows.get(number).map(|row| &row.world)
    }

    /// Returns one of the worlds, to change it. [`Batch::observe`] reads its observations again.
    pub fn world_mut(&mut self, number: usize) -> Option<&mut World> {
        let row = self.core.rows.get_mut(number)?;
        row.is_lent = true;
        Some(&mut row.world)
    }

    /// Reads the observations of a world again, after it was changed; nothing if there is no such
    /// world.
    pub fn observe(&mut self, number: usize) {
        if let Some(row) = self.core.rows.get_mut(number) {
            row.observe(&self.core.rules);
            self.memory.gather(&self.core.rows);
        }
    }

    /// Writes the state of a world, with the counts of its episode; [`Batch::load`] continues from
    /// it to the bit, also as another world of the batch, or in another batch with the same start
    /// worlds and rules. Returns whether there is such a world.
    ///
    /// `bytes` is overwritten, and its memory used again.
    ///
    /// ```
    /// use carom::Batch;
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let mut batch = Batch::new(&world, 3)?;
    /// batch.step_list(&[0], 1.0 / 60.0)?;
    /// let mut bytes = Vec::new();
    /// assert!(batch.save(0, &mut bytes));
    /// batch.load(2, &bytes).expect("its own bytes");
    /// let [first, _, third] = [0, 1, 2].map(|k| batch.world(k).map(World::hash));
    /// assert_eq!(first, third);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn save(&self, number: usize, bytes: &mut Vec<u8>) -> bool {
        let Some(row) = self.core.rows.get(number) else { return false };
        row.world.save_whole_into(bytes);
        let (low, high) = (row.resets as u32, (row.resets >> 32) as u32);
        let words = [MARK, row.start, row.steps, row.ended as u32, u32::from(row.waits), low, high];
        for word in words.into_iter().chain([check_of(&words)]) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        true
    }

    /// Loads the state of a world: see [`Batch::save`]. Reads its observations.
    ///
    /// # Errors
    /// Bytes that [`Batch::save`] did not write, such as a plain image of a world, or damaged
    /// bytes; or a world, or start world, that the batch does not have. Nothing changes then.
    pub fn load(&mut self, number: usize, bytes: &[u8]) -> Result<(), LoadError> {
        let row = self.core.rows.get_mut(number).ok_or(LoadError::Broken(super::reset::NO_SUCH_WORLD))?;
        let (image, trailer) = bytes.split_last_chunk::<TRAILER>().ok_or(LoadError::NotASnapshot)?;
        let word = |at: usize| trailer[4 * at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let words @ [mark, start, steps, ended, waits, low, high] = [0, 1, 2, 3, 4, 5, 6].map(word);
        let ended = ended as i32;
        if mark != MARK {
            return Err(LoadError::Broken("the state of a world of a batch ends with its counts"));
        }
        if check_of(&words) != word(7) {
            return Err(LoadError::Damaged);
        }
        let is_known = (start as usize) < self.core.starts.len();
        if !is_known || waits > 1 || ended < Batch::RUNS {
            return Err(LoadError::Broken("the counts of a world of a batch are in range"));
        }
        row.world.load(image)?;
        (row.start, row.next_start, row.steps, row.ended, row.waits) =
            (start, start, steps, ended, waits == 1);
        row.resets = u64::from(high) << 32 | u64::from(low);
        row.observe(&self.core.rules);
        self.memory.gather(&self.core.rows);
        Ok(())
    }
}

/// A check of the counts: the image has its own.
fn check_of(words: &[u32]) -> u32 {
    words.iter().fold(0, |sum, &word| mix(sum ^ u64::from(word))) as u32
}
