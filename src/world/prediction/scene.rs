//! The small world of a prediction: the predicted bodies, and the bodies that they come near.
//!
//! In: a large world, and its bodies. Out: a world with these bodies as they are. Other bodies are
//! copied into it when the predicted ones come near them; they sleep there and never wake.
//!
//! Every order must be as in the large world, or the last bits would differ: parts have the same
//! indices there, and contacts, free contact slots, joints and awake bodies the same order.

use super::contacts::ORDERED_PLACES;
use super::{PathPoint, Start, flight::reach_of};
use crate::body::collider::{OfMap, Proxy};
use crate::body::{Body, BodyId, Collider, NONE, ShapeId, flag as body_flag};
use crate::bounds::Aabb;
use crate::broadphase::{Activity, Pair, WorldAabb};
use crate::error::Error;
use crate::joint::Joint;
use crate::math::max;
use crate::shape::tiles::TileMap;
use crate::util::sort;
use crate::world::World;
use crate::world::piece::graft::{Names, Shift};

/// Number of steps for which nearby bodies are looked up at once.
const STEPS_AHEAD: f32 = 16.0;

/// With more bodies than this, steps without the stages are not worth it: all pairs would have to
/// be tested for nearness.
const FEW_WITHOUT_CONTACTS: u32 = 8;

/// See the head of this file.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) world: World,
    /// Mapping from indices of the large world.
    pub(super) names: Names,
    /// Per slot of the small world: the id in the large one. Predicted bodies come first.
    pub(super) bodies: Vec<BodyId>,
    shapes: Vec<ShapeId>,
    pub(super) asked: u32,
    /// Per part: whether it is in the small world.
    pub(super) is_here: Vec<bool>,
    pub(super) taken: Vec<u32>,
    /// Sensors among these parts, of bodies that are not predicted.
    pub(super) sensors: Vec<u32>,
    /// How far cells of tile maps reach beyond the boxes under which they become parts: cells that
    /// are parts already, and sensors that see them, are copied.
    cell_reach: f32,
    /// Per predicted body.
    near: Vec<Near>,
    /// Number of touches between other bodies, which never change.
    pub(super) background: usize,
    /// Whether the first step is made.
    has_begun: bool,
    /// Number of free contact slots that keep their order.
    pub(super) kept_free: usize,
    /// Contact slots of the scene at first.
    pub(super) place_count: usize,
    /// Scratch lists, kept for their memory.
    slots: Vec<u32>,
    pub(super) contacts: Vec<u32>,
    pub(super) places: Vec<u32>,
    parts: Vec<u32>,
    pub(super) pairs: Vec<Pair>,
}

/// Surroundings that a body may reach in the next steps.
#[derive(Debug, Default)]
struct Near {
    /// The box that was searched.
    seen: Option<WorldAabb>,
    parts: Vec<(u32, WorldAabb)>,
}

/// Building the scene.
impl Scene {
    /// Copies the bodies in these slots into the scene.
    pub(super) fn begin(&mut self, from: &World, slots: impl Iterator<Item = u32>) {
        self.clear();
        self.has_begun = false;
        self.kept_free = self.kept_free.max(ORDERED_PLACES);
        let mut list = core::mem::take(&mut self.slots);
        list.clear();
        list.extend(slots);
        list.sort_unstable();
        list.dedup();
        self.world.become_empty(from);
        self.names.bodies.reach(from.bodies.rows.len());
        grow(&mut self.is_here, from.shapes.proxies.rows.len(), false);
        self.asked = list.len() as u32;
        let side =
            |&shape: &u32| from.shapes.colliders[shape as usize].shape.tile_map().map_or(0.0, TileMap::side);
        self.cell_reach = 2.0 * from.tiles.maps().iter().map(side).fold(0.0, max);
        self.near.resize_with(list.len().max(self.near.len()), Near::default);
        for &slot in &list {
            self.take_body(from, slot, false);
        }
        for &slot in &list {
            self.take_parts(from, slot);
        }
        self.wake_as_there(from, &mut list);
        self.take_joints(from);
        self.take_contacts(from);
        self.take_idle_cells(from);
        self.slots = list;
        self.world.begin_as_there(from);
    }

    /// Removes everything.
    pub(super) fn clear(&mut self) {
        let world = &mut self.world;
        for shape in 0..self.shapes.len() as u32 {
            let mut part = world.shapes.links[shape as usize].first_proxy;
            while part != NONE {
                world.grid.remove(part);
                part = core::mem::replace(&mut world.shapes.proxies.rows[part as usize], Proxy::NOTHING).next;
            }
        }
        if !self.shapes.is_empty() {
            // The next prediction must see nothing of the last one.
            world.grid.find_pairs();
            world.shapes.links.clear();
            world.shapes.colliders.clear();
        }
        // Cells that were taken in may have left since.
        self.taken.drain(..).for_each(|part| self.is_here[part as usize] = false);
        self.bodies.clear();
        self.names.clear();
        self.sensors.clear();
        self.shapes.clear();
        for near in &mut self.near {
            near.seen = None;
            near.parts.clear();
        }
    }

    pub(super) fn is_asked(&self, body: u32) -> bool {
        body < self.asked
    }

    /// Copies a body, without its shapes; without velocity and forces if `held`.
    fn take_body(&mut self, from: &World, slot: u32, held: bool) -> u32 {
        let known = self.names.bodies.of(slot);
        if known != NONE {
            return known;
        }
        let mut row = from.bodies.rows[slot as usize];
        (row.first_shape, row.awake_index, row.island) = (NONE, NONE, NONE);
        if held {
            hold(&mut row);
        }
        let body = self.world.take_body(row).index() as u32;
        if !held {
            self.world.bodies.own_laws.set(body, from.bodies.own_laws.get(slot));
        }
        self.names.bodies.set(slot, body);
        self.bodies.push(from.body_id(slot));
        body
    }

    /// Copies all parts of a body, in the order of their lists.
    fn take_parts(&mut self, from: &World, slot: u32) {
        let body = self.names.bodies.of(slot);
        let mut parts = core::mem::take(&mut self.parts);
        for shape in from.shape_slots_from(from.bodies.rows[slot as usize].first_shape) {
            self.take_shape(from, shape, body);
            parts.clear();
            parts.extend(from.proxies_of(shape));
            // Each is inserted before its successors.
            for &part in parts.iter().rev() {
                self.take_part(from, part);
            }
        }
        self.parts = parts;
    }

    /// Copies a shape, without its parts.
    fn take_shape(&mut self, from: &World, slot: u32, body: u32) -> u32 {
        let collider = Collider { body, ..from.shapes.colliders[slot as usize].clone() };
        let shape = self.world.attach_collider(body, collider);
        self.shapes.push(from.shape_id(slot));
        let areas = &from.areas.list;
        if let Ok(place) = areas.binary_search_by_key(&(slot as usize), |(id, _)| id.index()) {
            self.world.areas.list.push((self.world.shape_id(shape), areas[place].1));
        }
        shape
    }

    /// Copies a part under the same index, with its body and its shape if they are missing.
    pub(super) fn take_part(&mut self, from: &World, part: u32) {
        if core::mem::replace(&mut self.is_here[part as usize], true) {
            return;
        }
        self.taken.push(part);
        let row = &from.shapes.proxies.rows[part as usize];
        let body = self.take_body(from, row.body, true);
        let new_boxes = self.world.tiles.moved.len();
        let known = {
            let mut shapes = self.world.shape_slots_from(self.world.bodies.rows[body as usize].first_shape);
            shapes.find(|&shape| self.shapes[shape as usize].index() as u32 == row.shape)
        };
        let shape = known.unwrap_or_else(|| self.take_shape(from, row.shape, body));
        let is_map = row.of_map != OfMap::No;
        if row.of_map == OfMap::Cell {
            let whole = from.shapes.links[row.shape as usize].first_proxy;
            self.take_part(from, whole);
            if self.world.shows(shape, row.part) {
                // The cell became a part here, under a body, before its box was near.
                return;
            }
            self.world.show_as(shape, row.part, part);
            self.world.keep_shown(from, part);
        } else {
            let next = self.world.shapes.links[shape as usize].first_proxy;
            self.world.enter_part((body, shape, row.part), (part, next));
            self.world.shapes.links[shape as usize].first_proxy = part;
            if row.of_map == OfMap::Whole {
                self.world.list_excerpt(shape, row.shape);
                self.look_at_cells(from, (row.shape, shape));
            }
        }
        if let Some(aabb) = from.grid.aabb(part) {
            self.world.grid.update(part, aabb);
        }
        if !self.is_asked(body) {
            self.put_to_rest(from, part);
            // Its box is not new: cells under it are parts already.
            let is_pending = !self.has_begun && from.tiles.moved.contains(&part);
            if !is_pending && !is_map {
                self.world.tiles.moved.truncate(new_boxes);
            }
        }
        // Filters are tested for every pair.
        self.world.grid.set_group(part, body + 1);
        self.world.note_sole_part(body);
    }

    /// Copies cells that the next step takes out of the large world, as their last contact ended
    /// when a body fell asleep: their parts become free, and are the next to be used.
    fn take_idle_cells(&mut self, from: &World) {
        for part in from.idle_cells() {
            self.take_part(from, part);
        }
    }

    /// A tile map was copied: the cells under new boxes are still to be shown. They were not noted
    /// while the map was not here; but no box was over it. Cells that were filled are still to be
    /// looked at in the first step.
    fn look_at_cells(&mut self, from: &World, (there, here): (u32, u32)) {
        if !self.has_begun {
            let filled = from.tiles.filled.iter().filter(|&&(shape, _)| shape == there);
            self.world.tiles.filled.extend(filled.map(|&(_, cell)| (here, cell)));
        }
        for body in 0..self.asked {
            let parts = self.world.parts_of_body(body);
            let is_new = |part: &u32| self.has_begun || from.tiles.moved.contains(part);
            let new: Vec<u32> = parts.filter(is_new).collect();
            self.world.tiles.moved.extend(new);
        }
    }

    /// The awake bodies, in the order of the large world; the others sleep.
    fn wake_as_there(&mut self, from: &World, slots: &mut [u32]) {
        sort::by_key(slots, |&slot| from.bodies.rows[slot as usize].awake_index);
        for &slot in &*slots {
            let (old, body) = (&from.bodies.rows[slot as usize], self.names.bodies.of(slot));
            if old.is_awake() {
                self.world.push_awake(body);
            } else if old.island != NONE {
                self.lay_down(from, body, old.island);
            }
        }
        let (names, world) = (&self.names.bodies, &mut self.world);
        let here = |slots: &[u32], list: &mut Vec<u32>| {
            let asked = slots.iter().map(|&slot| names.of(slot));
            list.clear();
            list.extend(asked.filter(|&body| body != NONE));
        };
        here(&from.islands.told_to_sleep, &mut world.islands.told_to_sleep);
        here(&from.dirty.boxes, &mut world.dirty.boxes);
    }

    /// Puts a body into the island of the bodies that slept with it.
    fn lay_down(&mut self, from: &World, body: u32, island: u32) {
        let slept = |&other: &u32| {
            let there = &from.bodies.rows[self.bodies[other as usize].index()];
            there.island == island && self.world.bodies.rows[other as usize].island != NONE
        };
        let known = (0..self.asked).find(slept).map(|other| self.world.bodies.rows[other as usize].island);
        let island = known.unwrap_or_else(|| self.world.islands.new_island());
        self.world.bodies.rows[body as usize].island = island;
        self.world.islands.push_body(island, body);
        self.world.set_activity(body, Activity::Resting);
    }

    /// Copies the joints of the bodies, in the order they were made.
    fn take_joints(&mut self, from: &World) {
        if from.joints.slots.is_empty() {
            return;
        }
        let mut joints = core::mem::take(&mut self.places);
        joints.clear();
        for body in 0..self.asked {
            joints.extend(from.joint_slots_of(self.bodies[body as usize].index() as u32));
        }
        sort::by_key(&mut joints, |&joint| from.joints.rows[joint as usize].serial);
        joints.dedup();
        let all = joints.clone();
        for &joint in &joints {
            let Joint { body_a, body_b, def, .. } = &from.joints.rows[joint as usize];
            let is_there = |id: crate::JointId| all.contains(&(id.index() as u32));
            if def.kind.gears().is_some_and(|ids| !ids.into_iter().all(is_there)) {
                continue;
            }
            for &slot in [body_a, body_b].into_iter().filter(|&&slot| slot != NONE) {
                self.take_body(from, slot, true);
            }
            self.world.graft_joint(from, joint, &Shift::NONE, &mut self.names);
        }
        self.places = joints;
    }
}

/// Stepping the scene.
impl Scene {
    /// Sets the initial velocity of a predicted body.
    pub(super) fn set_out(&mut self, start: Start) -> Result<(), Error> {
        let body = self.world.body_id(self.names.bodies.of(start.body.index() as u32));
        if let Some(velocity) = start.velocity {
            self.world.set_velocity(body, velocity)?;
        }
        start.angular_velocity.map_or(Ok(()), |spin| self.world.set_angular_velocity(body, spin))
    }

    /// Steps the small world.
    pub(super) fn step(&mut self, from: &World, dt: f32) -> Result<(), Error> {
        let may_coast = self.has_begun && self.asked <= FEW_WITHOUT_CONTACTS && self.world.may_coast(dt);
        let is_clear = self.look_around(from, dt);
        if may_coast && is_clear {
            self.world.coast(dt);
        } else {
            self.world.step(dt)?;
        }
        self.has_begun = true;
        self.world.step.contacts_before += self.background;
        Ok(())
    }

    /// Copies surroundings that the bodies come near to. Returns whether no two boxes overlap.
    fn look_around(&mut self, from: &World, dt: f32) -> bool {
        let mut is_clear = true;
        for body in 0..self.asked {
            if !self.world.bodies.rows[body as usize].is_awake() {
                continue;
            }
            let mut parts = core::mem::take(&mut self.parts);
            parts.clear();
            parts.extend(self.world.parts_of_body(body));
            for &part in &parts {
                if let Some(aabb) = self.world.grid.aabb(part) {
                    is_clear &= self.look_around_part(from, (body, part), aabb, dt);
                }
            }
            self.parts = parts;
        }
        is_clear
    }

    fn look_around_part(&mut self, from: &World, (body, part): (u32, u32), aabb: WorldAabb, dt: f32) -> bool {
        let row = &self.world.bodies.rows[body as usize];
        let (unit, period) = (self.world.def.unit, self.world.def.period());
        let margin =
            reach_of(row.linear_velocity.length() + row.angular_velocity.abs() * row.max_extent, dt, unit);
        let wide = WorldAabb { aabb: aabb.aabb.grown(margin), ..aabb };
        let wider = WorldAabb { aabb: wide.aabb.grown(self.cell_reach), ..wide };
        let seen = &self.near[body as usize].seen;
        if !seen.is_some_and(|seen| seen.region == wide.region && seen.aabb.contains(&wider.aabb)) {
            self.look_ahead(from, body, dt);
        }
        let near = core::mem::take(&mut self.near[body as usize].parts);
        let mut is_clear = true;
        for &(other, at) in &near {
            // A cell may become a part here even if its box is smaller than the cell: then it needs
            // the index that it has in the large world.
            let is_wide = |row: &Proxy| row.sensor || row.of_map == OfMap::Cell;
            let is_near = period.overlap(&wide, &at)
                || period.overlap(&wider, &at) && is_wide(&from.shapes.proxies.rows[other as usize]);
            if is_near {
                self.take_part(from, other);
                is_clear &= !period.overlap(&aabb, &at);
            }
        }
        self.near[body as usize].parts = near;
        let others = (0..self.asked).filter(|&other| other != body && self.asked <= FEW_WITHOUT_CONTACTS);
        let mut others = others.flat_map(|other| self.world.parts_of_body(other));
        is_clear && !others.any(|other| self.world.boxes_overlap(part, other))
    }

    /// Looks up the surroundings that a body may reach in the next steps.
    fn look_ahead(&mut self, from: &World, body: u32, dt: f32) {
        let row = &self.world.bodies.rows[body as usize];
        let speed = row.linear_velocity.length() + row.angular_velocity.abs() * row.max_extent;
        let time = STEPS_AHEAD * dt;
        let fall = self.world.gravity_at(body) * row.gravity_scale * (0.5 * time * time);
        let mut all = Aabb::EMPTY;
        for part in self.world.parts_of_body(body) {
            if let Some(aabb) = self.world.grid.aabb(part) {
                all = all.union(self.world.box_beside(aabb, row));
            }
        }
        let way = row.linear_velocity * time + fall;
        let ahead = Aabb { min: all.min + way, max: all.max + way };
        let reach = 2.0 * reach_of(speed + fall.length() / time, dt, self.world.def.unit);
        let aabb = all.union(ahead).grown(reach + self.cell_reach);
        let seen = WorldAabb { region: row.region, aabb };
        let near = &mut self.near[body as usize];
        near.parts.clear();
        near.seen = Some(seen);
        let (names, asked) = (&self.names.bodies, self.asked);
        from.grid.query(&seen, |part| {
            let owner = from.shapes.proxies.rows[part as usize].body;
            let is_asked = owner == NONE || names.of(owner) < asked;
            if let Some(aabb) = from.grid.aabb(part).filter(|_| !is_asked) {
                near.parts.push((part, aabb));
            }
            true
        });
        // Queries of trees come in any order.
        sort::by_key(&mut near.parts, |&(part, _)| part);
    }
}

/// Reading the scene.
impl Scene {
    /// Number of predicted bodies.
    pub(super) fn asked(&self) -> u32 {
        self.asked
    }

    pub(super) fn name_of(&self, body: u32) -> BodyId {
        self.bodies[body as usize]
    }

    pub(super) fn place_of(&self, body: u32) -> PathPoint {
        let body = &self.world.bodies.rows[body as usize];
        PathPoint {
            position: body.world_position(),
            rotation: body.rotation,
            velocity: body.linear_velocity,
            angular_velocity: body.angular_velocity,
        }
    }

    /// Reports touches that began in the last step: a predicted body, the other one and its shape.
    pub(super) fn tell_meetings(&self, mut tell: impl FnMut(BodyId, BodyId, ShapeId)) {
        for touch in self.world.events.now.begun() {
            let [a, b] = [touch.body_a, touch.body_b].map(|id| id.index());
            let (body, other, shape) =
                if self.is_asked(a as u32) { (a, b, touch.b) } else { (b, a, touch.a) };
            tell(self.bodies[body], self.bodies[other], self.shapes[shape.index()]);
        }
    }
}

/// Grows a column to at least `count` entries.
fn grow<T: Clone>(column: &mut Vec<T>, count: usize, value: T) {
    column.resize(count.max(column.len()), value);
}

/// Makes a body stand still: it is not awake, and in no island that could wake.
fn hold(row: &mut Body) {
    row.set(body_flag::HAS_TARGET, false);
    (row.linear_velocity, row.angular_velocity) = (glam::Vec2::ZERO, 0.0);
    (row.force, row.torque) = (glam::Vec2::ZERO, 0.0);
}
