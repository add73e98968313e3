//! Copies bodies from one world into another, as they are.
//!
//! In: a world, some of its bodies with the contacts and joints between them, and by how much they
//! are moved. Out: rows of bodies, shapes, parts, joints and contacts in the other world. Rows are
//! copied: no pair is tested and no mass computed again.
//!
//! The two parts of a contact are in the order of their numbers. So parts keep the order of their
//! numbers in the other world, and contacts are the same rows.

use super::{Pasted, World};
use crate::body::{BodyId, Collider, JointId, NONE};
use crate::broadphase::{Activity, Pair};
use crate::contact::flag;
use crate::error::Error;
use crate::joint::{Anchor, Joint, JointDef, JointKind};
use crate::math::WorldPoint;
use crate::world::finish::quarantine::is_home;

/// By how much bodies are moved.
pub(in crate::world) struct Shift {
    pub(super) from: WorldPoint,
    pub(super) to: WorldPoint,
}

impl Shift {
    /// To where they are.
    pub(in crate::world) const NONE: Shift = Shift { from: WorldPoint::ORIGIN, to: WorldPoint::ORIGIN };

    fn of(&self, point: WorldPoint) -> WorldPoint {
        point.carried(self.from, self.to)
    }
}

/// Bodies with the contacts and joints that have both ends among them.
pub(super) struct Bond<'w> {
    world: &'w World,
    /// Slots of the bodies, sorted.
    slots: &'w [u32],
    /// Slots of the contacts, in order.
    pub(super) contacts: Vec<u32>,
    /// Slots of the joints, in the order they were made.
    pub(super) joints: Vec<u32>,
}

impl<'w> Bond<'w> {
    pub(super) fn new(world: &'w World, slots: &'w [u32]) -> Bond<'w> {
        let is_in = |slot: u32| slots.binary_search(&slot).is_ok();
        let mut contacts = Vec::new();
        let mut joints = Vec::new();
        for &slot in slots {
            contacts.extend(world.contacts.by_body.of(slot).filter(|&contact| {
                let link = &world.contacts.link[contact as usize];
                link.body_a == slot && is_in(link.body_b)
            }));
            joints.extend(world.joint_slots_of(slot).filter(|&joint| {
                let joint = &world.joints.rows[joint as usize];
                joint.body_b == slot && (joint.body_a == NONE || is_in(joint.body_a))
            }));
        }
        contacts.sort_unstable();
        joints.sort_unstable_by_key(|&joint| world.joints.rows[joint as usize].serial);
        // A gear goes along with both joints that it couples.
        let coupled = |&joint: &u32| {
            let gears = world.joints.rows[joint as usize].def.kind.gears();
            let is_there = |id: &JointId| joints.contains(&(id.index() as u32));
            gears.is_none_or(|ids| ids.iter().all(is_there))
        };
        let joints = joints.iter().copied().filter(coupled).collect();
        Bond { world, slots, contacts, joints }
    }
}

/// From indices of one world to those of the other; [`NONE`] for what does not come along.
#[derive(Debug, Default)]
pub(in crate::world) struct Names {
    pub(in crate::world) bodies: Vec<u32>,
    parts: Vec<u32>,
    pub(in crate::world) joints: Vec<(u32, JointId)>,
}

impl World {
    /// Takes in bodies of another world.
    pub(super) fn graft(&mut self, bond: &Bond, shift: &Shift) -> Result<Pasted, Error> {
        let from = bond.world;
        let shapes = |slot: &u32| from.shape_slots_from(from.bodies.rows[*slot as usize].first_shape);
        let parts = |shape: u32| from.proxies_of(shape).count();
        let shape_count = bond.slots.iter().map(|slot| shapes(slot).count()).sum();
        let part_count = bond.slots.iter().flat_map(shapes).map(parts).sum();
        self.check_room_for_piece([bond.slots.len(), shape_count, part_count, bond.joints.len()])?;
        let arrives = |&slot: &u32| is_home(shift.of(from.bodies.rows[slot as usize].center_point()));
        if !bond.slots.iter().all(arrives) {
            return Err(Error::BadNumber("a piece must not reach out of the world"));
        }
        let mut names = Names {
            bodies: vec![NONE; from.bodies.rows.len()],
            parts: vec![NONE; from.shapes.proxies.rows.len()],
            joints: Vec::new(),
        };
        self.name_parts(bond, part_count, &mut names);
        let bodies: Vec<BodyId> =
            bond.slots.iter().map(|&slot| self.graft_body(from, slot, shift, &mut names)).collect();
        self.graft_sleep(bond, &names);
        for &joint in &bond.joints {
            self.graft_joint(from, joint, shift, &mut names);
        }
        for &contact in &bond.contacts {
            self.graft_contact(from, contact, &names);
        }
        let joints = names.joints.iter().map(|&(_, id)| id).collect();
        Ok(Pasted { bodies, joints })
    }

    /// Numbers for parts, in the order of those they had.
    fn name_parts(&mut self, bond: &Bond, count: usize, names: &mut Names) {
        let from = bond.world;
        let mut old = Vec::with_capacity(count);
        for &slot in bond.slots {
            let shapes = from.shape_slots_from(from.bodies.rows[slot as usize].first_shape);
            old.extend(shapes.flat_map(|shape| from.proxies_of(shape)));
        }
        let mut new: Vec<u32> = old.iter().map(|_| self.shapes.proxies.take()).collect();
        old.sort_unstable();
        new.sort_unstable();
        for (old, new) in old.into_iter().zip(new) {
            names.parts[old as usize] = new;
        }
    }

    fn graft_body(&mut self, from: &World, slot: u32, shift: &Shift, names: &mut Names) -> BodyId {
        let mut row = from.bodies.rows[slot as usize];
        let center = shift.of(row.center_point()).joined(self.def.span());
        (row.region, row.center) = (center.region, center.local);
        let (first_shape, is_awake) = (row.first_shape, row.is_awake());
        (row.first_shape, row.awake_index, row.island) = (NONE, NONE, NONE);
        let id = self.take_body(row);
        let new = id.index() as u32;
        self.bodies.own_laws.set(new, from.bodies.own_laws.get(slot));
        names.bodies[slot as usize] = new;
        for shape in from.shape_slots_from(first_shape) {
            let collider = Collider { body: new, ..from.shapes.colliders[shape as usize].clone() };
            let (old, area) = (from.proxies_of(shape), from.areas.of(from.shape_id(shape)).copied());
            let parts: Vec<u32> = from.proxies_of(shape).map(|part| names.parts[part as usize]).collect();
            let shape = self.attach_collider(new, collider);
            if let Some(area) = area {
                self.areas.put(self.shape_id(shape), area);
            }
            if !parts.is_empty() {
                self.enter_grid_as(new, shape, Some(&parts));
                if self.is_map(shape) {
                    let cells: Vec<u32> =
                        old.map(|part| from.shapes.proxies.rows[part as usize].part).collect();
                    // Each is put in before those that follow.
                    for (&cell, &part) in cells.iter().zip(&parts).skip(1).rev() {
                        self.show_as(shape, cell, part);
                    }
                }
            }
        }
        self.regroup(new);
        self.note_sole_part(new);
        if is_awake {
            self.push_awake(new);
        }
        if from.islands.told_to_sleep.contains(&slot) {
            self.islands.told_to_sleep.push(new);
        }
        id
    }

    /// Sleeping islands, whole or the part of them that came along.
    fn graft_sleep(&mut self, bond: &Bond, names: &Names) {
        let mut islands: Vec<(u32, u32)> = Vec::new();
        for &slot in bond.slots {
            let old = bond.world.bodies.rows[slot as usize].island;
            if old == NONE {
                continue;
            }
            let known = islands.iter().rev().find(|&&(island, _)| island == old);
            let island = known.map(|&(_, island)| island).unwrap_or_else(|| {
                let island = self.islands.new_island();
                islands.push((old, island));
                island
            });
            let new = names.bodies[slot as usize];
            self.bodies.rows[new as usize].island = island;
            self.islands.list[island as usize].bodies.push(new);
            self.set_activity(new, Activity::Resting);
        }
    }

    pub(in crate::world) fn graft_joint(
        &mut self,
        from: &World,
        slot: u32,
        shift: &Shift,
        names: &mut Names,
    ) {
        let old = &from.joints.rows[slot as usize];
        let body = |slot: u32| if slot == NONE { NONE } else { names.bodies[slot as usize] };
        let (body_a, body_b) = (body(old.body_a), body(old.body_b));
        let mut def = JointDef { body_b: self.body_id(body_b), ..old.def };
        def.body_a = old.def.body_a.map(|_| self.body_id(body_a));
        for anchor in [&mut def.anchor_a, &mut def.anchor_b] {
            if let Anchor::World(point) = anchor {
                *point = shift.of(*point);
            }
        }
        let joint = |id: JointId| {
            let found = names.joints.iter().find(|&&(old, _)| old == id.index() as u32);
            found.map_or(id, |&(_, id)| id)
        };
        match &mut def.kind {
            JointKind::Gear { first, second, .. } => (*first, *second) = (joint(*first), joint(*second)),
            JointKind::Pulley { ground_a, ground_b, .. } => {
                (*ground_a, *ground_b) = (shift.of(*ground_a), shift.of(*ground_b));
            }
            _ => {}
        }
        let (impulses, (force, torque)) = from.passed_by(slot);
        let by_touch = old.by_touch;
        let new =
            Joint { impulses, force, torque, by_touch, sum: old.sum, ..Joint::new(def, body_a, body_b) };
        let id = self.take_in_joint(new, from.joints.turns[slot as usize]);
        names.joints.push((slot, id));
    }

    /// Copies a contact that touches, or that a one-way part lets through. Others are found again
    /// by the next step.
    fn graft_contact(&mut self, from: &World, contact: u32, names: &Names) {
        let (old, place) = (&from.contacts, contact as usize);
        if !old.has(contact, flag::TOUCHING | flag::WAS_TOUCHING | flag::PASSING) {
            return;
        }
        let Pair { a, b } = old.pair[place];
        let pair = Pair { a: names.parts[a as usize], b: names.parts[b as usize] };
        if self.contacts.len() >= self.room.contacts || !self.boxes_overlap(pair.a, pair.b) {
            return;
        }
        let kept = flag::TOUCHING | flag::WAS_TOUCHING | flag::PASSING | flag::PREDICTED | flag::MET;
        let mut link = self.link_of(pair);
        link.flags |= old.link[place].flags & kept;
        link.count = old.link[place].count;
        let slot = self.contacts.add(pair, link, &self.surface_of(pair));
        self.count_cells(pair, true);
        self.bodies.contact_counts[link.body_a as usize] += 1;
        self.bodies.contact_counts[link.body_b as usize] += 1;
        let new = slot as usize;
        self.contacts.surface[new] = old.surface[place];
        self.contacts.set_leak(slot, old.surface[place].leak);
        self.contacts.manifold[new] = old.manifold[place];
        self.contacts.impulse[new] = old.impulse[place];
        self.contacts.ids[new] = old.ids[place];
        if link.flags & flag::WAS_TOUCHING != 0 {
            self.count_touch(slot, true);
        }
        self.dirty.colouring |= link.count > 0;
        if !old.is_active(contact) {
            self.contacts.deactivate(slot);
        }
        let islands = [link.body_a, link.body_b].map(|body| self.bodies.rows[body as usize].island);
        for &island in if islands[0] == islands[1] { &islands[..1] } else { &islands[..] } {
            if island != NONE && !old.is_active(contact) {
                self.islands.list[island as usize].contacts.push(slot);
            }
        }
    }
}
