//! Prefetches the memory that a step of a small world reads: for worlds of a batch, which come from
//! memory one after the other. See `util/prefetch.rs`.
//!
//! In: a world that is about to be stepped or begun anew. Out: nothing; its lists are in the cache.

use super::super::World;
use crate::util::Prefetch;
use crate::world::Proxies;

impl World {
    /// Prefetches the world itself, without the contents of its lists: the addresses of the lists
    /// must be in the cache before their contents can be prefetched.
    pub(crate) fn prefetch_head(&self) {
        let mut fetch = Prefetch::default();
        let World { bodies, shapes, joints, graph, islands, events, dirty, step, .. } = self;
        fetch.lengths([
            bodies.rows.len(),
            bodies.awake.len(),
            bodies.solver_rows.len(),
            bodies.sole_parts.len(),
        ]);
        let Proxies { rows, placed, local, form, free, retired, .. } = &shapes.proxies;
        fetch.lengths([rows.len(), placed.len(), local.len(), form.len(), free.len(), retired.len()]);
        fetch.lengths([joints.rows.len(), joints.turns.len(), joints.held.len(), joints.slots.len()]);
        fetch.lengths([graph.touching.len(), dirty.boxes.len(), dirty.joints_of.len()]);
        fetch.lengths([islands.told_to_sleep.len(), islands.parked.len(), islands.pulled.len()]);
        fetch.lengths([islands.woken.len(), islands.woken_contacts.len(), step.contacts_before]);
        fetch.lengths([step.stats.awake, self.def.sub_steps as usize, events.candidates.len()]);
        [&events.now, &events.next, &events.late].into_iter().for_each(|list| list.prefetch_head(&mut fetch));
        self.grid.prefetch_head(&mut fetch);
        self.contacts.prefetch_head(&mut fetch);
    }

    /// Asks for the lists that nearly every step reads.
    pub(crate) fn prefetch(&self) {
        let mut fetch = Prefetch::default();
        self.prefetch_bodies(&mut fetch);
        self.grid.prefetch(&mut fetch);
        self.contacts.prefetch(&mut fetch);
        self.prefetch_joints(&mut fetch);
    }

    fn prefetch_bodies(&self, fetch: &mut Prefetch) {
        let (bodies, proxies) = (&self.bodies, &self.shapes.proxies);
        fetch.list(&bodies.rows);
        [&bodies.awake, &bodies.solver_rows, &bodies.sole_parts]
            .into_iter()
            .for_each(|list| fetch.list(list));
        fetch.list(proxies.placed.lanes());
        fetch.rows(&proxies.rows, |proxy| proxy.body);
        [&*proxies.local, &*proxies.form].into_iter().for_each(|list| fetch.list(list));
    }

    /// Prefetches the first cache line of each joint, and the lines with its impulses.
    fn prefetch_joints(&self, fetch: &mut Prefetch) {
        fetch.rows(&self.joints.rows, |joint| {
            joint.body_a ^ joint.impulses.held[0][0].to_bits() ^ joint.torque.to_bits()
        });
        fetch.rows(&self.joints.turns, |turns| turns.zero.to_bits());
    }
}
