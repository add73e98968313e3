//! The numbers of all worlds as matrices: columns × worlds, or worlds × columns.
//!
//! In: the rows of the worlds. Out: one slice of actions, one of observations, and columns that
//! tell how episodes ended.

use super::row::Row;
use super::{Batch, Core};
use crate::error::Error;

/// How the numbers of all worlds lie in memory, for actions and for observations.
///
/// ```text
///   Columns   column 0: world 0, world 1, …   column 1: world 0, world 1, …
///   Rows      world 0: column 0, column 1, …  world 1: column 0, column 1, …
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BatchLayout {
    /// A matrix of columns × worlds in C order: a column is a slice.
    #[default]
    Columns,
    /// A matrix of worlds × columns in C order, which most libraries for learning want: the numbers
    /// of a world are a slice.
    Rows,
}

impl BatchLayout {
    /// Copies the numbers of a world out of a matrix with `worlds` worlds.
    #[inline]
    pub(super) fn take(self, matrix: &[f32], (world, worlds): (usize, usize), row: &mut [f32]) {
        match self {
            BatchLayout::Columns => {
                let column = matrix.iter().skip(world).step_by(worlds);
                row.iter_mut().zip(column).for_each(|(number, &given)| *number = given);
            }
            BatchLayout::Rows => {
                let from = world * row.len();
                row.copy_from_slice(&matrix[from..from + row.len()]);
            }
        }
    }

    /// Copies the numbers of a world into a matrix with `worlds` worlds.
    #[inline]
    pub(super) fn put(self, matrix: &mut [f32], (world, worlds): (usize, usize), row: &[f32]) {
        match self {
            BatchLayout::Columns => {
                let column = matrix.iter_mut().skip(world).step_by(worlds);
                column.zip(row).for_each(|(place, &number)| *place = number);
            }
            BatchLayout::Rows => {
                let from = world * row.len();
                matrix[from..from + row.len()].copy_from_slice(row);
            }
        }
    }
}

/// The matrices of a batch.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) layout: BatchLayout,
    pub(super) actions: Vec<f32>,
    pub(super) observations: Vec<f32>,
    /// Observations at the last end of each world; empty without automatic resets.
    pub(super) last: Vec<f32>,
    pub(super) ended: Vec<i32>,
    pub(super) terminated: Vec<bool>,
    pub(super) truncated: Vec<bool>,
}

impl Memory {
    /// Copies how the last step of each world ended, and the final observations of the worlds that
    /// did.
    fn gather_ends(&mut self, rows: &[Row]) {
        let count = rows.len();
        for (number, row) in rows.iter().enumerate() {
            self.ended[number] = row.ended;
            self.terminated[number] = row.ended != Batch::RUNS && row.ended != Batch::STEP_LIMIT;
            self.truncated[number] = row.ended == Batch::STEP_LIMIT;
            if row.ended != Batch::RUNS && !self.last.is_empty() {
                self.layout.put(&mut self.last, (number, count), &row.last);
            }
        }
    }

    /// Copies the observations of all worlds, and how they ended.
    pub(super) fn gather(&mut self, rows: &[Row]) {
        gather(self.layout, rows, &mut self.observations);
        self.gather_ends(rows);
    }
}

/// Copies the observations of all worlds.
fn gather(layout: BatchLayout, rows: &[Row], matrix: &mut [f32]) {
    for (number, row) in rows.iter().enumerate() {
        layout.put(matrix, (number, rows.len()), &row.observations);
    }
}

impl Core {
    /// Numbers of columns of actions and observations.
    pub(super) fn widths(&self) -> (usize, usize) {
        self.rows.first().map_or((0, 0), |row| (row.actions.len(), row.observations.len()))
    }
}

impl Batch {
    /// Gives the matrices the sizes of the rows, with actions that are 0.
    pub(super) fn fit(&mut self) {
        let (count, (actions, observations)) = (self.core.rows.len(), self.core.widths());
        let has_last = self.core.rules.auto_reset != super::AutoReset::Never;
        let last = if has_last { observations } else { 0 };
        for row in &mut self.core.rows {
            row.last.clear();
            row.last.resize(last, 0.0);
        }
        let memory = &mut self.memory;
        memory.actions = vec![0.0; actions.saturating_mul(count)];
        memory.observations = vec![0.0; observations.saturating_mul(count)];
        memory.last = vec![0.0; last.saturating_mul(count)];
        memory.ended = vec![Batch::RUNS; count];
        (memory.terminated, memory.truncated) = (vec![false; count], vec![false; count]);
        memory.gather(&self.core.rows);
    }

    /// Returns all actions, to be written, and all observations, as two matrices in the order of
    /// [`Batch::layout`]: by default a column behind the other, as in the picture above, each with
    /// a number for each world.
    pub fn columns(&mut self) -> (&mut [f32], &[f32]) {
        (&mut self.memory.actions, &self.memory.observations)
    }

    /// Returns a column of actions, one number a world; empty if there is no such column, or if the
    /// layout is [`BatchLayout::Rows`].
    pub fn action_mut(&mut self, column: usize) -> &mut [f32] {
        let count = self.core.rows.len();
        match self.memory.layout {
            BatchLayout::Columns => {
                self.memory.actions.chunks_exact_mut(count).nth(column).unwrap_or_default()
            }
            BatchLayout::Rows => &mut [],
        }
    }

    /// Returns a column of observations, one number a world; empty if there is no such column, or
    /// if the layout is [`BatchLayout::Rows`].
    #[must_use]
    pub fn observation(&self, column: usize) -> &[f32] {
        let count = self.core.rows.len();
        match self.memory.layout {
            BatchLayout::Columns => {
                self.memory.observations.chunks_exact(count).nth(column).unwrap_or_default()
            }
            BatchLayout::Rows => &[],
        }
    }

    /// Returns the actions of a world, one number a column; empty if there is no such world, or if
    /// the layout is [`BatchLayout::Columns`].
    pub fn action_row_mut(&mut self, number: usize) -> &mut [f32] {
        let (width, _) = self.core.widths();
        match self.memory.layout {
            BatchLayout::Rows if width > 0 => {
                self.memory.actions.chunks_exact_mut(width).nth(number).unwrap_or_default()
            }
            _ => &mut [],
        }
    }

    /// Returns the observations of a world, one number a column, in any layout; empty if there is
    /// no such world.
    #[must_use]
    pub fn observation_row(&self, number: usize) -> &[f32] {
        self.core.rows.get(number).map_or(&[], |row| &row.observations)
    }

    /// Copies all observations into memory of the program, in the order of [`Batch::layout`].
    ///
    /// # Errors
    /// Memory of another length than there are observations; nothing is written then.
    pub fn observations_into(&self, observations: &mut [f32]) -> Result<(), Error> {
        self.check_observations(observations.len())?;
        gather(self.memory.layout, &self.core.rows, observations);
        Ok(())
    }

    /// Writes observations of a step into memory of the program.
    pub(super) fn hand_out(&mut self, observations: &mut [f32]) {
        gather(self.memory.layout, &self.core.rows, observations);
        self.memory.gather_ends(&self.core.rows);
    }

    /// Refuses memory of another length than there are observations.
    pub(super) fn check_observations(&self, length: usize) -> Result<(), Error> {
        if length == self.memory.observations.len() {
            return Ok(());
        }
        Err(Error::BadNumber("observations have a place for each column of each world"))
    }

    /// Returns the observations of the worlds that ended, as they were when they ended last: where
    /// [`Batch::auto_reset`] resets worlds, [`Batch::columns`] has the observations of the next
    /// episode. A matrix in the order of [`Batch::layout`], which has 0 for worlds that never
    /// ended; empty without automatic resets.
    #[must_use]
    pub fn final_observations(&self) -> &[f32] {
        &self.memory.last
    }

    /// Returns for each world how its last step ended: [`Batch::RUNS`], or the number of the
    /// [end](crate::End) that was reached, or [`Batch::STEP_LIMIT`].
    #[must_use]
    pub fn ended(&self) -> &[i32] {
        &self.memory.ended
    }

    /// Returns for each world whether its last step reached an end: whatever comes later is worth
    /// nothing.
    #[must_use]
    pub fn terminated(&self) -> &[bool] {
        &self.memory.terminated
    }

    /// Returns for each world whether its last step reached the limit of steps alone.
    #[must_use]
    pub fn truncated(&self) -> &[bool] {
        &self.memory.truncated
    }
}
