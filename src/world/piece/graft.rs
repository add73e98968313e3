//! Copies bodies from one world into another, with their state.
//!
//! In: a world, some of its bodies with the contacts and joints between them, and the displacement.
//! Out: rows of bodies, shapes, parts, joints and contacts in the other world. Rows are copied: no
//! pair is tested and no mass computed again.
//!
//! The two parts of a contact are in the order of their numbers. So parts keep the order of their
//! numbers in the other world, and contacts are the same rows.

use core::num::NonZeroU32;

use super::exact::{ExactPlaces, Key, Kind};
use super::outside::{ContactState, Outside};
use super::{Pasted, World};
use crate::body::collider::{Proxy, ShapeLinks};
use crate::body::{BodyId, JointId, NONE, ShapeId, flag as body_flag};
use crate::broadphase::{Pair, Period};
use crate::contact::flag;
use crate::error::Error;
use crate::joint::{Anchor, Joint, JointDef, JointKind};
use crate::math::WorldPoint;
use crate::step::finish::quarantine::is_home;
use crate::util::NumberTable;
use crate::util::sort;
use crate::world::WorldDef;
use crate::world::edit::check::{check_extent, check_reach};
use crate::world::edit::joints::check_joint;

/// Displacement of the copied bodies.
pub(in crate::world) struct Shift<'a> {
    pub(super) from: WorldPoint,
    pub(super) to: WorldPoint,
    /// Period of the source world: the images nearest to a place are copied.
    pub(super) period: Period,
    pub(super) near: WorldPoint,
    /// Exact places of the source, where its own are rounded.
    pub(super) exact: Option<&'a ExactPlaces>,
}

impl Shift<'_> {
    /// No displacement.
    pub(in crate::world) const NONE: Shift<'static> = Shift::new(WorldPoint::ORIGIN, WorldPoint::ORIGIN);

    pub(super) const fn new(from: WorldPoint, to: WorldPoint) -> Shift<'static> {
        Shift { from, to, period: Period::NONE, near: WorldPoint::ORIGIN, exact: None }
    }

    #[inline]
    fn of(&self, key: Key, point: WorldPoint) -> WorldPoint {
        let exact = self.exact.and_then(|exact| exact.carried(key, self.to));
        exact.unwrap_or_else(|| self.image(point).carried(self.from, self.to))
    }

    /// A point that is no place of a body or joint of the piece.
    pub(super) fn carried(&self, point: WorldPoint) -> WorldPoint {
        self.image(point).carried(self.from, self.to)
    }

    fn image(&self, point: WorldPoint) -> WorldPoint {
        self.period.image(point, self.near)
    }
}

/// Treatment of the trees in which the copied boxes stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trees {
    /// Such trees stand here too.
    Planted,
    /// Their order is kept, for another world that plants them.
    InOrder,
}

/// Bodies with the contacts and joints that have both ends among them.
pub(super) struct Bond<'w> {
    pub(super) world: &'w World,
    /// Slots of the bodies, sorted.
    slots: &'w [u32],
    /// Slots of the contacts, in order.
    pub(super) contacts: Vec<u32>,
    /// Slots of their contacts with immovable bodies that are not among them, in order.
    pub(super) outside: Vec<u32>,
    /// Slots of the joints, in the order they were made.
    pub(super) joints: Vec<u32>,
}

impl<'w> Bond<'w> {
    /// Whether connected bodies stay connected: in a world that wraps round, two bodies may touch,
    /// or be joined, although their images nearest to the middle of a piece are far apart.
    pub(super) fn is_whole(&self, shift: &Shift) -> bool {
        if shift.period.is_none() {
            return true;
        }
        let center = |slot: u32| self.world.bodies.rows[slot as usize].center_point();
        let is_near = |a: WorldPoint, b: WorldPoint| {
            let (a, b) = (shift.image(a), shift.image(b));
            shift.period.image(b, a) == b
        };
        // A gear of two joints that move one body has no first body, and no place.
        let end = |joint: &Joint| match joint.def.anchor_a {
            Anchor::World(point) if joint.body_a == NONE => point,
            _ if joint.body_a == NONE => center(joint.body_b),
            Anchor::World(_) | Anchor::Local(_) => center(joint.body_a),
        };
        let mut links = self.contacts.iter().map(|&contact| &self.world.contacts.link[contact as usize]);
        let mut joints = self.joints.iter().map(|&joint| &self.world.joints.rows[joint as usize]);
        links.all(|link| is_near(center(link.body_a), center(link.body_b)))
            && joints.all(|joint| match joint.def.kind {
                JointKind::Pulley { ground_a, ground_b, .. } => {
                    is_near(ground_a, end(joint)) && is_near(ground_b, center(joint.body_b))
                }
                _ => is_near(end(joint), center(joint.body_b)),
            })
    }

    /// Refuses bodies that would reach too far in a world that wraps round.
    fn check_extents(&self, def: &WorldDef) -> Result<(), Error> {
        if def.period().is_none() {
            return Ok(());
        }
        for &slot in self.slots {
            let body = &self.world.bodies.rows[slot as usize];
            check_reach(body.local_center.length(), def)?;
            for shape in self.world.shape_slots_from(body.first_shape) {
                check_extent(&self.world.shapes.colliders[shape as usize].shape, def)?;
            }
        }
        let joints = self.joints.iter().map(|&joint| &self.world.joints.rows[joint as usize].def);
        joints.into_iter().try_for_each(|joint| check_joint(joint, def))
    }

    pub(super) fn new(world: &'w World, slots: &'w [u32]) -> Bond<'w> {
        let is_in = |slot: u32| slots.binary_search(&slot).is_ok();
        let (mut contacts, mut outside, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        let has_any =
            |slot: &&u32| world.contacts.edges().has(**slot) || world.joints.first_of(**slot) != NONE;
        for &slot in slots.iter().filter(has_any) {
            for contact in world.contacts.edges().of(slot) {
                let link = &world.contacts.link[contact as usize];
                let other = if link.body_a == slot { link.body_b } else { link.body_a };
                if is_in(other) {
                    contacts.extend(Some(contact).filter(|_| link.body_a == slot));
                } else if !world.bodies.rows[other as usize].has(body_flag::DYNAMIC) {
                    outside.push(contact);
                }
            }
            joints.extend(world.joint_slots_of(slot).filter(|&joint| {
                let joint = &world.joints.rows[joint as usize];
                joint.body_b == slot && (joint.body_a == NONE || is_in(joint.body_a))
            }));
        }
        contacts.sort_unstable();
        outside.sort_unstable();
        sort::by_key(&mut joints, |&joint| world.joints.rows[joint as usize].serial);
        // A gear goes along with both joints that it couples.
        let coupled = |&joint: &u32| {
            let gears = world.joints.rows[joint as usize].def.kind.gears();
            let is_there = |id: &JointId| joints.contains(&(id.index() as u32));
            gears.is_none_or(|ids| ids.iter().all(is_there))
        };
        let joints = joints.iter().copied().filter(coupled).collect();
        Bond { world, slots, contacts, outside, joints }
    }

    /// Number of shapes, and all of their parts.
    fn parts(&self) -> (usize, Vec<u32>) {
        let (world, mut shapes, mut parts) = (self.world, 0, Vec::with_capacity(self.slots.len()));
        for &slot in self.slots {
            let mut shape = world.bodies.rows[slot as usize].first_shape;
            while shape != NONE {
                shapes += 1;
                let ShapeLinks { next, first_proxy } = world.shapes.links[shape as usize];
                let mut part = first_proxy;
                while part != NONE {
                    parts.push(part);
                    part = world.shapes.proxies.rows[part as usize].next;
                }
                shape = next;
            }
        }
        (shapes, parts)
    }
}

/// Maps indices of one world to indices of the other; [`NONE`] if not copied. Kept for its memory:
/// its tables have a row for each index of a whole world.
#[derive(Debug, Default)]
pub(in crate::world) struct Names {
    pub(in crate::world) bodies: NumberTable,
    parts: NumberTable,
    pub(in crate::world) joints: Vec<(u32, JointId)>,
    islands: NumberTable,
    forms: NumberTable,
    /// Bodies of the source whose boxes may be too small, ascending.
    changed: Vec<u32>,
    /// Places that the other world rounds, if they are wanted.
    pub(in crate::world) exact: ExactPlaces,
    keeps_exact: bool,
}

impl Names {
    /// Notes a place in the source and in this world.
    #[inline]
    fn note_place(&mut self, key: Key, (was, now): (WorldPoint, WorldPoint), shift: &Shift) {
        if self.keeps_exact {
            self.exact.note(key, (shift.image(was), now), shift.from);
        }
    }

    /// The part of the other world that a part became.
    pub(super) fn part(&self, old: u32) -> u32 {
        self.parts.of(old)
    }

    /// Makes room for all indices of a world.
    fn begin(&mut self, from: &World, exact: Option<ExactPlaces>) {
        self.bodies.reach(from.bodies.rows.len());
        self.parts.reach(from.shapes.proxies.rows.len());
        self.islands.reach(from.islands.count());
        self.forms.reach(from.shapes.proxies.forms.count_all());
        self.changed.clear();
        self.changed.extend_from_slice(&from.dirty.boxes);
        self.changed.sort_unstable();
        self.keeps_exact = exact.is_some();
        self.exact = exact.unwrap_or_default();
    }

    /// Removes everything.
    pub(in crate::world) fn clear(&mut self) {
        for table in [&mut self.bodies, &mut self.parts, &mut self.islands, &mut self.forms] {
            table.clear();
        }
        self.joints.clear();
    }
}

impl World {
    /// Copies bodies of another world into this one, and ties their contacts with immovable bodies.
    /// Fills the mapping of indices, which the caller clears.
    pub(super) fn graft(
        &mut self,
        (bond, outside): (&Bond, &Outside),
        shift: &Shift,
        trees: Trees,
        names: &mut Names,
    ) -> Result<Pasted, Error> {
        let from = bond.world;
        let (shapes, parts) = bond.parts();
        self.check_room_for_piece([bond.slots.len(), shapes, parts.len(), bond.joints.len()])?;
        bond.check_extents(&self.def)?;
        let center_of =
            |&slot: &u32| shift.of((Kind::Center, slot), from.bodies.rows[slot as usize].center_point());
        let centers: Vec<WorldPoint> = bond.slots.iter().map(center_of).collect();
        if !centers.iter().all(|&center| is_home(center)) {
            return Err(Error::BadNumber("a piece must not reach out of the world"));
        }
        self.reserve_for_piece([bond.slots.len(), shapes, parts.len()]);
        names.begin(from, (trees == Trees::InOrder).then(|| ExactPlaces::around(shift.from)));
        let known = self.name_parts(parts, names);
        let places = self.take_bodies(bond.slots.len());
        let mut shapes = self.shapes.slots.take_many(shapes).into_iter();
        let mut bodies = Vec::with_capacity(bond.slots.len());
        for ((&slot, &center), &(new, generation)) in bond.slots.iter().zip(&centers).zip(&places) {
            self.graft_body((from, slot), (new, center), &mut shapes, names);
            names.note_place(
                (Kind::Center, new),
                (from.bodies.rows[slot as usize].center_point(), center),
                shift,
            );
            bodies.push(BodyId::new(new, generation));
        }
        self.wake_in_order(bond, names);
        match trees {
            Trees::Planted => self.grid.plant_like(&from.grid, &names.parts),
            Trees::InOrder => self.grid.order_like(&from.grid, &names.parts),
        }
        self.tell_to_sleep(bond, names);
        for &joint in &bond.joints {
            self.graft_joint(from, joint, shift, names);
        }
        for inner in 0..=bond.contacts.len() {
            for index in outside.behind(inner) {
                self.tie(outside, index, shift, names);
            }
            if let Some(&contact) = bond.contacts.get(inner) {
                self.graft_contact(from, contact, names);
            }
        }
        self.begin_old_pairs(&known);
        names.exact.sort();
        let joints = names.joints.iter().map(|&(_, id)| id).collect();
        Ok(Pasted { bodies, joints })
    }

    /// Assigns indices to parts, in their old order. Returns the indices that had another part since
    /// the grid last looked for pairs, ascending: a piece that returns at once gets its indices again,
    /// and its contacts the same order.
    fn name_parts(&mut self, mut old: Vec<u32>, names: &mut Names) -> Vec<u32> {
        let proxies = &mut self.shapes.proxies;
        let again = proxies.retired.len().min(old.len());
        let mut known = proxies.retired.split_off(proxies.retired.len() - again);
        let mut new = proxies.take_many(old.len() - known.len());
        new.extend(&known);
        old.sort_unstable();
        new.sort_unstable();
        known.sort_unstable();
        for (old, new) in old.into_iter().zip(new) {
            names.parts.set(old, new);
        }
        known
    }

    /// Begins contacts for pairs that the grid found for other parts of the same indices: the next
    /// search does not report them as new. It ends contacts of boxes that are apart.
    fn begin_old_pairs(&mut self, known: &[u32]) {
        if known.is_empty() {
            return;
        }
        let range = known[0]..=known[known.len() - 1];
        let is_known = |part: u32| range.contains(&part) && known.binary_search(&part).is_ok();
        let is_lost = |pair: &&Pair| {
            (is_known(pair.a) || is_known(pair.b))
                && self.grid.contains(pair.a)
                && self.grid.contains(pair.b)
                && self.contacts.find(**pair).is_none()
        };
        let old = self.grid.pairs().iter().filter(is_lost).copied();
        let waits =
            |pair: &Pair| self.contacts.apart.pairs().binary_search(pair).is_ok() && self.may_wait(*pair);
        let (mut wait, begin): (Vec<Pair>, Vec<Pair>) = old.partition(waits);
        self.begin_waiting(&begin);
        // A contact that left had been a candidate perhaps, and the next update would remove that.
        wait.retain(|pair| self.boxes_overlap(pair.a, pair.b));
        self.contacts.apart.keep(&wait);
    }

    /// Lists the bodies that came awake, in the order in which the other world lists them: the
    /// solver has their rows in this order.
    fn wake_in_order(&mut self, bond: &Bond, names: &Names) {
        let index = |slot: u32| bond.world.bodies.rows[slot as usize].awake_index;
        let mut awake: Vec<u32> = bond
            .slots
            .iter()
            .copied()
            .filter(|&slot| bond.world.bodies.rows[slot as usize].is_awake())
            .collect();
        awake.sort_unstable_by_key(|&slot| index(slot));
        awake.into_iter().for_each(|slot| self.push_awake(names.bodies.of(slot)));
    }

    fn graft_body(
        &mut self,
        (from, slot): (&World, u32),
        (new, center): (u32, WorldPoint),
        shapes: &mut impl Iterator<Item = (u32, NonZeroU32)>,
        names: &mut Names,
    ) {
        let mut row = from.bodies.rows[slot as usize];
        let center = self.def.period().wrapped(center.joined(self.def.span()));
        (row.region, row.center) = (center.region, center.local);
        let first_shape = row.first_shape;
        let island = self.graft_island(row.island, names);
        (row.first_shape, row.awake_index, row.island) = (NONE, NONE, island);
        self.put_body(new, row);
        if island != NONE {
            self.islands.push_body(island, new);
        }
        if !from.bodies.own_laws.is_empty() {
            self.bodies.own_laws.set(new, from.bodies.own_laws.get(slot));
        }
        names.bodies.set(slot, new);
        let group = self.group_like(new, (from, slot));
        let is_fixed = row.flags & (body_flag::DYNAMIC | body_flag::KINEMATIC) == 0;
        let (mut old, mut last, mut has_map) = (first_shape, NONE, false);
        while old != NONE
            && let Some(place) = shapes.next()
        {
            let source = &from.shapes.colliders[old as usize];
            self.attach_copy(last, new, place.0, source);
            last = place.0;
            self.graft_area((from, old), last);
            if source.shape.tile_map().is_some() {
                has_map = true;
                self.graft_tiles((from, old), last, names);
            } else if self.graft_parts((from, old), (last, group), names) && is_fixed {
                self.note_arrival(ShapeId::new(place.0, place.1));
            }
            old = from.shapes.links[old as usize].next;
        }
        if has_map {
            self.regroup(new);
            self.note_sole_part(new);
        } else {
            let sole = from.bodies.sole_parts[slot as usize];
            self.bodies.sole_parts[new as usize] = if sole == NONE { NONE } else { names.parts.of(sole) };
            debug_assert_eq!(self.bodies.sole_parts[new as usize], self.sole_part(new));
            // The same parts in the same order, and the same unit.
            if from.bodies.off_center.contains(slot) {
                self.bodies.off_center.insert(new);
            }
            debug_assert_eq!(self.bodies.off_center.contains(new), self.is_off_center(new));
        }
    }

    /// A sleeping island, whole or the part of it that came along.
    fn graft_island(&mut self, old: u32, names: &mut Names) -> u32 {
        if old == NONE {
            return NONE;
        }
        if names.islands.of(old) == NONE {
            names.islands.set(old, self.islands.new_island());
        }
        names.islands.of(old)
    }

    fn graft_area(&mut self, (from, old): (&World, u32), shape: u32) {
        if !from.areas.list.is_empty()
            && let Some(&area) = from.areas.of(from.shape_id(old))
        {
            self.areas.put(self.shape_id(shape), area);
        }
    }

    /// Copies the parts of a shape that is no tile map, if they are in the grid. Returns whether
    /// they are.
    fn graft_parts(
        &mut self,
        (from, old): (&World, u32),
        (shape, group): (u32, u32),
        names: &mut Names,
    ) -> bool {
        let mut part = from.shapes.links[old as usize].first_proxy;
        if part == NONE {
            return false;
        }
        let (body, mut is_kept) = (self.shapes.colliders[shape as usize].body, true);
        let owner = from.shapes.colliders[old as usize].body;
        // Boxes move by whole regions, or are made anew.
        let before = from.bodies.rows[owner as usize].center_point();
        let now = self.bodies.rows[body as usize].center_point();
        let is_whole = before.local == now.local;
        self.shapes.links[shape as usize].first_proxy = names.parts.of(part);
        while part != NONE {
            let row = &from.shapes.proxies.rows[part as usize];
            let next = if row.next == NONE { NONE } else { names.parts.of(row.next) };
            let form = self.graft_form((from, part), names);
            let known = Proxy { shape, body, next, ..*row };
            let local = from.shapes.proxies.local_of(part);
            let kept = from.grid.aabb(part).filter(|_| is_whole);
            let kept = kept.map(|aabb| from.def.period().box_image(aabb, before).beside(before, now));
            is_kept &= kept.is_some();
            self.enter_known_part((names.parts.of(part), known), local, form, (group, kept));
            part = row.next;
        }
        let moves = self.bodies.rows[body as usize].flags & (body_flag::DYNAMIC | body_flag::KINEMATIC) != 0;
        let is_boxed =
            is_kept && from.step.dt >= self.step.dt && names.changed.binary_search(&owner).is_err();
        if moves && !is_boxed {
            self.dirty.boxes.push(body);
        }
        true
    }

    /// The number of the form of a part: looked up once for all that share it.
    fn graft_form(&mut self, (from, part): (&World, u32), names: &mut Names) -> u32 {
        let (here, there) = (&mut self.shapes.proxies.forms, &from.shapes.proxies);
        let old = there.form[part as usize];
        let known = names.forms.of(old);
        if known != NONE {
            return here.take_again(known);
        }
        let new = here.take_of(&there.forms, old);
        names.forms.set(old, new);
        new
    }

    /// Copies a tile map, if it is in the grid: the whole of it, and the cells with something near.
    fn graft_tiles(&mut self, (from, old): (&World, u32), shape: u32, names: &Names) {
        if from.shapes.links[old as usize].first_proxy == NONE {
            return;
        }
        let body = self.shapes.colliders[shape as usize].body;
        let parts: Vec<u32> = from.proxies_of(old).map(|part| names.parts.of(part)).collect();
        self.enter_grid_as(body, shape, Some(&parts));
        if self.is_map(shape) {
            let cells: Vec<u32> =
                from.proxies_of(old).map(|part| from.shapes.proxies.rows[part as usize].part).collect();
            // Each is inserted before its successors.
            for (&cell, &part) in cells.iter().zip(&parts).skip(1).rev() {
                self.show_as(shape, cell, part);
            }
        }
    }

    /// Bodies that were told to sleep after the next step do so here, too.
    fn tell_to_sleep(&mut self, bond: &Bond, names: &Names) {
        let mut told = bond.world.islands.told_to_sleep.clone();
        told.sort_unstable();
        told.dedup();
        let here = told.into_iter().map(|slot| names.bodies.of(slot));
        self.islands.told_to_sleep.extend(here.filter(|&slot| slot != NONE));
    }

    pub(in crate::world) fn graft_joint(
        &mut self,
        from: &World,
        slot: u32,
        shift: &Shift,
        names: &mut Names,
    ) {
        let old = &from.joints.rows[slot as usize];
        let body = |slot: u32| if slot == NONE { NONE } else { names.bodies.of(slot) };
        let (body_a, body_b) = (body(old.body_a), body(old.body_b));
        let mut def = JointDef { body_b: self.body_id(body_b), ..old.def };
        // A gear of two joints that move one body names the body twice, but is in its list once.
        def.body_a = old.def.body_a.map(|_| self.body_id(if body_a == NONE { body_b } else { body_a }));
        let mut places: Vec<(Kind, [WorldPoint; 2])> = Vec::new();
        let mut carry = |kind: Kind, point: &mut WorldPoint| {
            let was = *point;
            *point = shift.of((kind, slot), was);
            places.push((kind, [was, *point]));
        };
        for (kind, anchor) in [(Kind::AnchorA, &mut def.anchor_a), (Kind::AnchorB, &mut def.anchor_b)] {
            if let Anchor::World(point) = anchor {
                carry(kind, point);
            }
        }
        let joint = |id: JointId| {
            let found = names.joints.iter().find(|&&(old, _)| old == id.index() as u32);
            found.map_or(id, |&(_, id)| id)
        };
        match &mut def.kind {
            JointKind::Gear { first, second, .. } => (*first, *second) = (joint(*first), joint(*second)),
            JointKind::Pulley { ground_a, ground_b, .. } => {
                carry(Kind::GroundA, ground_a);
                carry(Kind::GroundB, ground_b);
            }
            _ => {}
        }
        let (impulses, (force, torque)) = from.passed_by(slot);
        let by_touch = old.by_touch;
        let new =
            Joint { impulses, force, torque, by_touch, sum: old.sum, ..Joint::new(def, body_a, body_b) };
        let id = self.take_in_joint(new, from.joints.turns[slot as usize]);
        for (kind, [was, now]) in places {
            names.note_place((kind, id.index() as u32), (was, now), shift);
        }
        names.joints.push((slot, id));
    }

    /// Copies a contact.
    fn graft_contact(&mut self, from: &World, contact: u32, names: &Names) {
        let Pair { a, b } = from.contacts.pair[contact as usize];
        let pair = Pair { a: names.parts.of(a), b: names.parts.of(b) };
        self.add_with(pair, ContactState::of(from, contact));
    }

    /// Adds a contact in the state in which it was elsewhere. It may end in the next step, as its
    /// boxes are apart by now.
    pub(super) fn add_with(&mut self, pair: Pair, state: ContactState) {
        if self.contacts.len() >= self.room.contacts {
            return;
        }
        let kept = flag::TOUCHING | flag::WAS_TOUCHING | flag::PASSING | flag::PREDICTED | flag::MET;
        let (surface, mut link) = (self.surface_of(pair), self.link_of(pair));
        link.flags |= state.flags & kept;
        link.count = state.count;
        let slot = self.contacts.add(pair, link, &surface);
        self.count_cells(pair, true);
        let new = slot as usize;
        self.contacts.surface[new] = state.surface;
        self.contacts.set_softness(slot, state.surface.softness);
        self.contacts.manifold[new] = state.manifold;
        self.contacts.impulse[new] = state.impulse;
        self.contacts.ids[new] = state.ids;
        if link.flags & flag::WAS_TOUCHING != 0 {
            self.count_touch(slot, true);
        }
        self.dirty.colouring |= link.count > 0;
        let bodies = [link.body_a, link.body_b].map(|body| &self.bodies.rows[body as usize]);
        if bodies.iter().any(|body| body.is_awake()) {
            // If its boxes are apart, the grid does not know the pair, and does not end it.
            self.islands.woken_contacts.push(slot);
            return;
        }
        let islands = bodies.map(|body| body.island);
        self.contacts.deactivate(slot);
        for &island in if islands[0] == islands[1] { &islands[..1] } else { &islands[..] } {
            if island != NONE {
                self.islands.push_contact(island, slot);
            }
        }
    }
}
