//! Resets: worlds begin anew, each with its next seed.

use super::seed::seed_of;
use super::step::Which;
use super::{Batch, Core};
use crate::error::Error;
use crate::threads::unwatched;

impl Batch {
    /// Resets the worlds whose place in `mask` is true to the beginning, varied by their next seed.
    /// Reads their observations; the other worlds continue undisturbed.
    ///
    /// # Errors
    /// A mask of another length than the number of worlds: then nothing changes. Or the first
    /// error, by the order of the worlds, of the function that varies them.
    pub fn reset(&mut self, mask: &[bool]) -> Result<(), Error> {
        self.core.check_mask(mask)?;
        self.reset_some(Which::Marked(mask))
    }

    /// Resets the worlds of a list, each once: see [`Batch::reset`].
    ///
    /// # Errors
    /// A world that the batch does not have: then nothing changes. Or the first error, by the order
    /// of the worlds, of the function that varies them.
    pub fn reset_list(&mut self, worlds: &[usize]) -> Result<(), Error> {
        self.with_list(worlds, |batch, which| batch.reset_some(which))
    }

    /// Resets all worlds: see [`Batch::reset`].
    ///
    /// # Errors
    /// The first error, by the order of the worlds, of the function that varies them.
    pub fn reset_all(&mut self) -> Result<(), Error> {
        self.reset_some(Which::All)
    }

    fn reset_some(&mut self, which: Which) -> Result<(), Error> {
        let Core { rows, starts, threads, rules, .. } = &mut self.core;
        let count = which.count(rows.len());
        threads.for_chunks(rows, count, |first, rows| {
            unwatched();
            for (number, row) in (first..).zip(rows) {
                row.refused = None;
                if which.has(number) {
                    row.begin(number, rules, starts);
                }
            }
        });
        self.memory.gather(&self.core.rows);
        self.core.first_refusal()
    }

    /// Sets the seed of a batch that is in use, and counts resets from 0 again: after the next
    /// [`Batch::reset_all`] it is equal to a new batch with this seed after its first one.
    pub fn set_seed(&mut self, seed: u64) {
        self.core.rules.seed = seed;
        self.core.rows.iter_mut().for_each(|row| row.resets = 0);
    }

    /// Returns the seed by which a world was varied last: 64 bits that depend on the seed of the
    /// batch, the number of the world, and how often it was reset.
    #[must_use]
    pub fn seed_of(&self, number: usize) -> Option<u64> {
        self.core.rows.get(number).map(|row| seed_of(self.core.rules.seed, number, row.resets))
    }

    /// Chooses the start world that a world is reset to from now on: see [`Batch::from_starts`].
    ///
    /// # Errors
    /// A world or a start world that the batch does not have.
    pub fn set_start(&mut self, number: usize, start: usize) -> Result<(), Error> {
        if start >= self.core.starts.len() {
            return Err(Error::BadNumber("a start is the number of a start world of the batch"));
        }
        let row = self.core.rows.get_mut(number).ok_or(Error::BadNumber(NO_SUCH_WORLD))?;
        row.next_start = start as u32;
        Ok(())
    }

    /// Returns the number of the start world that a world began as.
    #[must_use]
    pub fn start_of(&self, number: usize) -> Option<usize> {
        self.core.rows.get(number).map(|row| row.start as usize)
    }
}

/// The rule that a number of a world breaks.
pub(super) const NO_SUCH_WORLD: &str = "a number of a world is one of the batch";
