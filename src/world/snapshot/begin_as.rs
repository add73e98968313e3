//! A world becomes another one, row by row, in the memory that it has.
//!
//! In: a world as loading makes one, from which no step was made. Out: the same world again. A
//! clone goes by way of an image, which checks and works out what is left out; that takes ten times
//! as long, for a small world. Thousands of them that begin anew are why this is here: see
//! [`Batch`](crate::Batch).

use crate::world::World;

/// What is copied as it is.
macro_rules! copy_all {
    ($to:ident, $($field:ident),* $(,)?) => { $($to.$field.clone_from($field);)* };
}

impl World {
    /// Becomes `start`, which was cloned or loaded and not changed since. Threads and recording
    /// stay.
    pub(crate) fn begin_as(&mut self, start: &World) {
        // Every field, so that a new one has to be looked at: does loading restore it?
        let World {
            def,
            room,
            body_slots,
            bodies,
            shape_slots,
            colliders,
            shape_links,
            proxies,
            awake,
            solver_rows,
            contact_counts,
            sole_parts,
            grid,
            contacts,
            recolour,
            row_cut,
            contacts_before,
            begun,
            sleep,
            joint_slots,
            joints,
            joint_turns,
            first_joint,
            last_joint,
            joint_serial,
            relink,
            events,
            next_events,
            late,
            touch_counts,
            visit_counts,
            hooks,
            areas,
            own_laws,
            tiles,
            filtered,
            regions_changed,
            changed,
            last_dt,
            last_h,
            steps,
            clock,
            stats,
            named_filters,
            // Memory of the stages, or worked out below.
            colouring: _,
            touching: _,
            unsure: _,
            solver: _,
            columns: _,
            finds: _,
            left: _,
            boxes: _,
            lost: _,
            collide: _,
            settle: _,
            dealing: _,
            unlaid: _,
            unseated: _,
            held: _,
            welded_now: _,
            sorter: _,
            any_far: _,
            crew: _,
            poses: _,
            log: _,
            loading: _,
            journal: _,
        } = start;
        copy_all!(
            self,
            def,
            room,
            body_slots,
            bodies,
            shape_slots,
            colliders,
            shape_links,
            proxies,
            awake,
            solver_rows,
            contact_counts,
            sole_parts,
            grid,
            contacts,
            recolour,
            row_cut,
            contacts_before,
            begun,
            sleep,
            joint_slots,
            joints,
            joint_turns,
            first_joint,
            last_joint,
            joint_serial,
            relink,
            events,
            next_events,
            late,
            touch_counts,
            visit_counts,
            hooks,
            areas,
            own_laws,
            tiles,
            filtered,
            regions_changed,
            changed,
            last_dt,
            last_h,
            steps,
            clock,
            stats
        );
        if self.named_filters != *named_filters {
            self.named_filters.clone_from(named_filters);
        }
        self.restore_rest(self.recolour);
        self.journal.begin_anew();
        self.note_key(true);
    }
}
