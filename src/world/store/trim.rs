//! Frees memory that a world no longer needs, as after it came to rest.
//!
//! In: a world after a step. Out: the world with less unused memory. Every few steps, and for large
//! lists alone: see `util/trim.rs`.

use crate::util::trim::trim;
use crate::world::World;

/// Steps between checks.
const EVERY: u64 = 16;

impl World {
    /// Frees memory that the last steps did not use, every [`EVERY`] steps.
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
        self.scratch.ccd.trim();
        // Needed only when a scene is new.
        self.scratch.settle.release();
        self.scratch.dealing.release();
        trim(&mut self.graph.touching);
        self.graph.colouring.trim();
        self.islands.trim();
        trim(&mut self.bodies.awake);
        trim(&mut self.dirty.boxes);
        trim(&mut self.joints.held);
        trim(&mut self.events.candidates);
        trim(&mut self.scratch.left);
        trim(&mut self.scratch.boxes);
        trim(&mut self.scratch.pressures);
        self.scratch.blows.trim();
    }
}
