//! Single worlds of a batch: to look at, to change, out as bytes and in again.
//!
//! ```text
//!   image of the world | final observations | mark | start | next start | steps | ended | waits
//!     | resets (8 bytes) | count of final observations | check
//! ```

use super::Batch;
use super::seed::mix;
use crate::state::LoadError;
use crate::world::World;

/// The first word behind the image of a world.
const MARK: u32 = u32::from_le_bytes(*b"crmB");

/// Bytes behind the final observations.
const TRAILER: usize = 40;

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
        let (ended, waits, count) = (row.ended as u32, u32::from(row.waits), row.last.len() as u32);
        let counts = [MARK, row.start, row.next_start, row.steps, ended, waits, low, high, count];
        let words = row.last.iter().map(|number| number.to_bits()).chain(counts);
        for word in words.clone().chain([check_of(words)]) {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        true
    }

    /// Loads the state of a world: see [`Batch::save`]. Reads its observations.
    ///
    /// # Errors
    /// Bytes that [`Batch::save`] did not write, such as a plain image of a world, or damaged
    /// bytes; or a world, start world or final observations that the batch does not have. Nothing
    /// changes then.
    pub fn load(&mut self, number: usize, bytes: &[u8]) -> Result<(), LoadError> {
        let row = self.core.rows.get_mut(number).ok_or(LoadError::Broken(super::reset::NO_SUCH_WORLD))?;
        let (image, trailer) = bytes.split_last_chunk::<TRAILER>().ok_or(LoadError::NotASnapshot)?;
        let word_at = |bytes: &[u8]| bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let counts = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|at: usize| word_at(&trailer[4 * at..]));
        let [mark, start, next_start, steps, ended, waits, low, high, count] = counts;
        let ended = ended as i32;
        if mark != MARK {
            return Err(LoadError::Broken("the state of a world of a batch ends with its counts"));
        }
        let behind_image = image.len().checked_sub(4 * row.last.len());
        let Some(behind_image) = behind_image.filter(|_| count as usize == row.last.len()) else {
            return Err(LoadError::Broken("a batch keeps as many final observations as it was made for"));
        };
        let (image, last) = image.split_at(behind_image);
        let last = last.chunks_exact(4).map(word_at);
        if check_of(last.clone().chain(counts)) != word_at(&trailer[TRAILER - 4..]) {
            return Err(LoadError::Damaged);
        }
        let is_known = [start, next_start].iter().all(|&start| (start as usize) < self.core.starts.len());
        if !is_known || waits > 1 || ended < Batch::RUNS {
            return Err(LoadError::Broken("the counts of a world of a batch are in range"));
        }
        row.world.load(image)?;
        (row.start, row.next_start, row.steps, row.ended, row.waits) =
            (start, next_start, steps, ended, waits == 1);
        row.last.iter_mut().zip(last).for_each(|(number, bits)| *number = f32::from_bits(bits));
        row.resets = u64::from(high) << 32 | u64::from(low);
        row.observe(&self.core.rules);
        self.memory.gather(&self.core.rows);
        Ok(())
    }
}

/// A check of the bytes behind the image, which has a check of its own.
fn check_of(words: impl Iterator<Item = u32>) -> u32 {
    words.fold(0, |sum, word| mix(sum ^ u64::from(word))) as u32
}
