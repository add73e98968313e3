//! Steps of all worlds, of some, and with memory of the program.
//!
//! In: actions of each world. Out: worlds a step later, their observations, and how they ended.

use super::columns::BatchLayout;
use super::{Batch, Core};
use crate::error::Error;
use crate::threads::unwatched;
use crate::world::World;

/// Worlds that a call is about.
#[derive(Clone, Copy)]
pub(super) enum Which<'m> {
    All,
    Marked(&'m [bool]),
}

impl Which<'_> {
    #[inline]
    pub(super) fn has(self, number: usize) -> bool {
        match self {
            Which::All => true,
            Which::Marked(marks) => marks[number],
        }
    }

    /// How many worlds these are, of `worlds`.
    pub(super) fn count(self, worlds: usize) -> usize {
        match self {
            Which::All => worlds,
            Which::Marked(marks) => marks.iter().filter(|&&mark| mark).count(),
        }
    }
}

impl Core {
    /// Steps worlds with their actions.
    fn step(&mut self, dt: f32, which: Which, (layout, actions): (BatchLayout, &[f32])) -> Result<(), Error> {
        World::check_dt(dt)?;
        if !actions.iter().all(|action| action.is_finite()) {
            return Err(Error::BadNumber("actions must be finite"));
        }
        let worlds = self.rows.len();
        let Core { rows, starts, workspaces, threads, rules, .. } = self;
        threads.for_chunks(rows, which.count(worlds), |first, rows| {
            unwatched();
            let mut workspace = workspaces.take();
            for index in 0..rows.len() {
                if let Some(next) = rows.get(index + 1).filter(|_| which.has(first + index + 1)) {
                    next.world.prefetch_head();
                }
                let (number, row) = (first + index, &mut rows[index]);
                row.refused = None;
                if which.has(number) {
                    layout.take(actions, (number, worlds), &mut row.actions);
                    row.step(dt, number, (rules, starts), &mut workspace);
                }
            }
            workspaces.give(workspace);
        });
        Ok(())
    }

    /// The first error, by the order of the worlds, of the last call.
    pub(super) fn first_refusal(&self) -> Result<(), Error> {
        self.rows.iter().find_map(|row| row.refused).map_or(Ok(()), Err)
    }

    /// Refuses a mask of another length than there are worlds.
    pub(super) fn check_mask(&self, mask: &[bool]) -> Result<(), Error> {
        if mask.len() == self.rows.len() {
            return Ok(());
        }
        Err(Error::BadNumber("a mask has a place for each world of the batch"))
    }
}

impl Batch {
    /// Steps every world by `dt` seconds, after its actions, and reads its observations.
    /// [`Batch::repeat`] turns it into several such steps.
    ///
    /// # Errors
    /// A `dt` that [`World::step`] refuses, or an action that is not finite: then nothing changes.
    /// Or the first error, by the order of the worlds, of the functions that act on a world, and
    /// vary it if it is reset. In that case every world is stepped all the same, with the changes
    /// that the function made before.
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        self.step_some(dt, Which::All)
    }

    /// Steps the worlds whose place in `mask` is true: see [`Batch::step`]. The others stay as they
    /// are, with their observations and ends.
    ///
    /// # Errors
    /// A mask of another length than the number of worlds: then nothing changes. And the errors of
    /// [`Batch::step`].
    pub fn step_mask(&mut self, mask: &[bool], dt: f32) -> Result<(), Error> {
        self.core.check_mask(mask)?;
        self.step_some(dt, Which::Marked(mask))
    }

    /// Steps the worlds of a list, each once: see [`Batch::step_mask`].
    ///
    /// ```
    /// use carom::Batch;
    /// use carom::prelude::*;
    ///
    /// let mut batch = Batch::new(&World::default(), 4)?;
    /// batch.step_list(&[3, 1], 1.0 / 60.0)?;
    /// let steps = [0, 1, 2, 3].map(|k| batch.world(k).map(World::step_count));
    /// assert_eq!(steps, [Some(0), Some(1), Some(0), Some(1)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A world that the batch does not have: then nothing changes. And the errors of
    /// [`Batch::step`].
    pub fn step_list(&mut self, worlds: &[usize], dt: f32) -> Result<(), Error> {
        self.with_list(worlds, |batch, which| batch.step_some(dt, which))
    }

    /// Steps every world with actions and observations in memory of the program, in the order of
    /// [`Batch::layout`]; the matrices of [`Batch::columns`] are neither read nor written.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Action, Batch, BatchLayout, Observation, Spec};
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let puck = ShapeDef::from(Shape::circle(0.1)).mass(1.0);
    /// let puck = world.add(BodyDef::dynamic().shape(puck))?;
    /// let spec = Spec::new()
    ///     .action(Action::force(puck, [1.0, 0.0]))
    ///     .observation(Observation::velocity(puck));
    /// let mut batch = Batch::new(&world, 2)?.spec(&spec)?.layout(BatchLayout::Rows);
    /// let mut seen = [0.0; 4]; // two worlds of two numbers
    /// batch.step_into(&[60.0, -60.0], &mut seen, 1.0 / 60.0)?;
    /// assert_eq!(seen.map(|x| x.round()), [1.0, 0.0, -1.0, 0.0]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// Memory of another length than there are numbers: then nothing changes. And the errors of
    /// [`Batch::step`].
    pub fn step_into(&mut self, actions: &[f32], observations: &mut [f32], dt: f32) -> Result<(), Error> {
        if actions.len() != self.memory.actions.len() {
            return Err(Error::BadNumber("actions have a place for each column of each world"));
        }
        self.check_observations(observations.len())?;
        self.core.step(dt, Which::All, (self.memory.layout, actions))?;
        self.hand_out(observations);
        self.core.first_refusal()
    }

    fn step_some(&mut self, dt: f32, which: Which) -> Result<(), Error> {
        self.core.step(dt, which, (self.memory.layout, &self.memory.actions))?;
        self.memory.gather(&self.core.rows);
        self.core.first_refusal()
    }

    /// Calls `work` with the worlds of a list marked.
    pub(super) fn with_list(
        &mut self,
        worlds: &[usize],
        work: impl FnOnce(&mut Batch, Which) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let count = self.core.rows.len();
        if worlds.iter().any(|&number| number >= count) {
            return Err(Error::BadNumber("a list has only worlds of the batch"));
        }
        let mut marks = core::mem::take(&mut self.core.marks);
        marks.clear();
        marks.resize(count, false);
        worlds.iter().for_each(|&number| marks[number] = true);
        let done = work(self, Which::Marked(&marks));
        self.core.marks = marks;
        done
    }
}
