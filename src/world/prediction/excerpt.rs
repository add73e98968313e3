//! The small world of a prediction as a world: emptied, and filled from another one.
//!
//! In: a large world. Out: rows, counters and contacts under the indices of the large world.

use crate::body::NONE;
use crate::body::collider::Proxy;
use crate::body::core_table::Forms;
use crate::body::local_table::LocalRows;
use crate::contact::flag;
use crate::world::World;

impl World {
    /// Empties the world, and makes it ready for parts with the indices of another world.
    pub(super) fn become_empty(&mut self, like: &World) {
        self.put_def(like.def);
        for slots in [&mut self.bodies.slots, &mut self.shapes.slots, &mut self.joints.slots] {
            slots.reset(0);
        }
        self.bodies.rows.clear();
        for column in [
            &mut self.bodies.awake,
            &mut self.bodies.solver_rows,
            &mut self.bodies.sole_parts,
            &mut self.events.candidates,
            &mut self.dirty.boxes,
        ] {
            column.clear();
        }
        self.joints.clear_ends();
        self.joints.rows.clear();
        self.joints.turns.clear();
        for events in [&mut self.events.now, &mut self.events.next, &mut self.events.late] {
            events.clear();
        }
        self.events.touch_counts.clear();
        self.events.visit_counts.clear();
        self.areas.list.clear();
        self.bodies.off_center.clear();
        self.bodies.own_laws.clear();
        self.tiles.clear();
        self.scratch.lost.clear();
        self.islands.begin_anew();
        self.contacts.apart.lists_mut().into_iter().for_each(Vec::clear);
        let parts = like.shapes.proxies.rows.len();
        self.shapes.proxies.forms.clear();
        self.shapes.proxies.rows.resize(parts, Proxy::NOTHING);
        self.shapes.proxies.placed.resize(parts);
        self.shapes.proxies.locals.clear();
        self.shapes.proxies.local.resize(parts, LocalRows::NONE);
        self.shapes.proxies.form.resize(parts, Forms::BOX);
        self.shapes.proxies.free.clear();
        self.shapes.proxies.retired.clear();
        if like.tiles.is_there() {
            // Cells of tile maps take free indices as bodies come near.
            self.shapes.proxies.free.extend_from_slice(&like.shapes.proxies.free);
            self.shapes.proxies.retired.extend_from_slice(&like.shapes.proxies.retired);
        }
    }

    /// Copies counters, and derives everything that follows from the copied rows.
    pub(super) fn begin_as_there(&mut self, from: &World) {
        self.joints.serial = from.joints.serial;
        (self.step.contacts_before, self.step.new_touches) =
            (from.step.contacts_before, from.step.new_touches);
        (self.step.dt, self.step.h, self.step.number) = (from.step.dt, from.step.h, from.step.number);
        self.step.stats = crate::step::StepStats { islands: from.step.stats.islands, ..Default::default() };
        self.note_held();
        self.restore_rest(from.dirty.colouring);
        let has_joints = !self.joints.slots.is_empty();
        (self.dirty.joint_layout, self.dirty.joint_lanes) =
            (from.dirty.joint_layout && has_joints, has_joints);
        self.dirty.regions = from.dirty.regions;
        self.set_lanes(from.lanes());
    }

    /// Copies a contact of another world, whose parts have the same indices here.
    pub(super) fn take_contact(&mut self, from: &World, contact: u32, slot: u32) {
        const BY_BODIES: u16 = flag::ONE_SIDED | flag::A_STANDS;
        let (old, new) = (contact as usize, slot as usize);
        let pair = from.contacts.pair[old];
        let mut link = self.link_of(pair);
        link.flags = link.flags & BY_BODIES | from.contacts.link[old].flags & !BY_BODIES;
        link.count = from.contacts.link[old].count;
        let is_active = from.contacts.is_active(contact);
        let contacts = &mut self.contacts;
        contacts.put(slot, pair, link, is_active);
        contacts.surface[new] = from.contacts.surface[old];
        contacts.set_softness(slot, from.contacts.surface[old].softness);
        contacts.manifold[new] = from.contacts.manifold[old];
        contacts.impulse[new] = from.contacts.impulse[old];
        contacts.ids[new] = from.contacts.ids[old];
        if link.flags & flag::WAS_TOUCHING != 0 {
            self.count_touch(slot, true);
        }
        if !is_active {
            let islands = [link.body_a, link.body_b].map(|body| self.bodies.rows[body as usize].island);
            for &island in if islands[0] == islands[1] { &islands[..1] } else { &islands[..] } {
                if island != NONE {
                    self.islands.push_contact(island, slot);
                }
            }
        }
    }
}
