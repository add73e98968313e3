//! Overwrites a world with another one, row by row, reusing its memory.
//!
//! In: a loaded or cloned world without steps. Out: an equal world. A clone goes through an image,
//! which checks rows and recomputes derived data; for a small world that takes ten times as long.
//! Columns that steps do not change are sealed, and copied only if a call changed them. Batches
//! restart thousands of worlds this way: see [`Batch`](crate::Batch).

use crate::util::Seal;
use crate::world::World;

impl World {
    /// Seals the columns that steps do not change, so that [`World::begin_as`] need not copy them
    /// to a clone in which nothing changed them. Makes the tables that each clone would make.
    pub(crate) fn seal(&mut self) {
        self.bodies.slots.seal();
        self.joints.slots.seal();
        self.joints.seal = Seal::new();
        self.shapes.seal();
        self.contacts.make_tables();
    }

    /// Shares the tables of shapes with `start`; this world is a clone of it.
    pub(crate) fn share_tables(&mut self, start: &World) {
        self.shapes.proxies.forms = start.shapes.proxies.forms.clone();
        self.shapes.proxies.locals = start.shapes.proxies.locals.clone();
    }

    /// Becomes `start`, which was cloned or loaded and not changed since. Threads and recording
    /// stay.
    pub(crate) fn begin_as(&mut self, start: &World) {
        // Every field is named, so that a new field fails to compile until loading restores it.
        let World { def, room, bodies, shapes, tiles, joints, areas, hooks, filtered, .. } = start;
        let World { grid, contacts, graph, islands, events, dirty, step, clock, .. } = start;
        // Memory of the stages, data recomputed below, and fields that are no part of the state.
        let World {
            solver: _,
            columns: _,
            scratch: _,
            crew: _,
            poses: _,
            log: _,
            loading: _,
            journal: _,
            ..
        } = start;
        (self.def, self.room, self.filtered, self.clock) = (*def, *room, *filtered, *clock);
        self.bodies.clone_from(bodies);
        self.shapes.begin_as(shapes);
        self.tiles.clone_from(tiles);
        self.joints.clone_from(joints);
        // Found when `start` was read, from joints and bodies that are the same here. (Found anew, it
        // was a ninth of the instructions of a reset.)
        self.joints.held.clone_from(&joints.held);
        self.areas.clone_from(areas);
        self.hooks.clone_from(hooks);
        self.grid.clone_from(grid);
        self.contacts.clone_from(contacts);
        self.graph.row_cut.clone_from(&graph.row_cut);
        self.islands.clone_from(islands);
        self.events.clone_from(events);
        self.dirty.begin_as(dirty);
        self.step.clone_from(step);
        self.restore_rest(self.dirty.colouring);
        self.journal.begin_anew();
        self.note_key(true);
    }
}
