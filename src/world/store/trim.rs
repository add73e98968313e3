//! What a world gives back once it has come to rest: room for what happened once.
//!
//! In: a world after a step. Out: the same, with less memory that nothing is in. Every so many
//! steps, and of large lists alone: see `util/trim.rs`.

use crate::util::trim::trim;
use crate::world::World;

/// Steps from one look to the next.
const EVERY: u64 = 16;

impl World {
    /// Gives back what the last steps did not use, now and then.
    pub(crate) fn trim(&mut self) {
        if !self.step.number.is_multiple_of(EVERY) {
            return;
        }
        self.events.now.trim();
        self.events.next.trim();
        self.events.sorter.trim();
        self.grid.trim();
        self.contacts.trim();
        self.columns.trim();
        self.solver.trim();
        self.scratch.collide.trim();
        // Made when a scene is new.
        self.scratch.settle.release();
        trim(&mut self.graph.touching);
        trim(&mut self.scratch.left);
        trim(&mut self.scratch.boxes);
        trim(&mut self.scratch.pressures);
    }
}
