//! Adding and removing bodies and shapes; and the mass of a body, summed over its shapes (`weigh`).
//!
//! In: definitions from the user, checked (`check.rs`) before anything changes. Out: rows and ids;
//! or an error, and a world as it was.

use core::num::NonZeroU32;

use glam::Vec2;

use super::check::{check_body, check_cells, check_dynamic, check_extent, check_shape};
use crate::body::collider::ShapeLinks;
use crate::body::{Body, BodyDef, BodyId, BodyKind, Collider, LIGHTEST, NONE, ShapeDef, ShapeId, flag};
use crate::bounds::BoundingCircle;
use crate::error::Error;
use crate::math::{Rot, max, min};
use crate::shape::Mass;
use crate::tuning::MAX_SIZE;
use crate::world::record::Input;
use crate::world::store::own_laws::OwnLaw;
use crate::world::{World, WorldDef};

/// Warns once if the first dynamic body of a world in metres is larger than 100 m: its size is
/// probably meant in pixels.
#[expect(clippy::print_stderr, reason = "for the eyes of the programmer, in debug builds alone")]
fn warn_of_pixels(reach: f32) {
    use core::sync::atomic::{AtomicBool, Ordering};
    static IS_FIRST: AtomicBool = AtomicBool::new(true);
    if IS_FIRST.swap(false, Ordering::Relaxed) && reach > 50.0 {
        eprintln!(
            "carom: the first dynamic body is {:.0} m across. If lengths are pixels, say how many make a metre: \
             WorldDef::default().unit(64.0). See carom::guide::pixels.",
            2.0 * reach
        );
    }
}

fn flags_of(def: &BodyDef) -> u32 {
    let kind = match def.kind {
        BodyKind::Fixed => 0,
        BodyKind::Kinematic => flag::KINEMATIC,
        BodyKind::Dynamic => flag::DYNAMIC,
    };
    let bits = [
        (def.locks.x, flag::LOCK_X),
        (def.locks.y, flag::LOCK_Y),
        (def.locks.rotation, flag::LOCK_ROTATION),
        (def.can_sleep, flag::CAN_SLEEP),
        (def.enabled, flag::ENABLED),
        (def.mass.is_some(), flag::OWN_MASS),
    ];
    bits.iter().filter(|(on, _)| *on).fold(kind, |flags, (_, bit)| flags | bit)
}

pub(super) fn body_row(def: &BodyDef, world: &WorldDef) -> Body {
    let span = world.span();
    let mut body: Body = bytemuck::Zeroable::zeroed();
    let mut center = def.position.joined(span);
    body.rotation = Rot::from_angle(def.angle);
    body.flags = flags_of(def);
    if def.kind != BodyKind::Fixed {
        (body.linear_velocity, body.angular_velocity) = (def.linear_velocity, def.angular_velocity);
    }
    body.gravity_scale = def.gravity_scale;
    (body.linear_damping, body.angular_damping) = (def.linear_damping, def.angular_damping);
    (body.first_shape, body.awake_index, body.island) = (NONE, NONE, NONE);
    body.user_data = def.user_data;
    if let Some(mass) = def.mass {
        (body.mass, body.inertia) = (mass.mass, mass.inertia);
        center = center.offset_in(body.rotation * mass.center, span);
        body.local_center = mass.center;
    }
    let center = world.period().wrapped(center);
    (body.region, body.center) = (center.region, center.local);
    body
}

impl World {
    /// Adds a body with its shapes.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().shape(Shape::rect(20.0, 1.0)))?;
    /// assert_eq!(world.body_count(), 1);
    /// assert!(world.add(BodyDef::dynamic().shape(Shape::circle(-0.5))).is_err());
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first rule that the definition breaks, or a world that is full; the world is unchanged
    /// then.
    pub fn add(&mut self, def: BodyDef) -> Result<BodyId, Error> {
        self.note(|| Input::Add { def: def.clone() });
        check_body(&def, &self.def)?;
        self.check_room_for_body(&def.shapes)?;
        Ok(self.insert(&def))
    }

    /// Adds a body whose definition and capacity were checked.
    pub(super) fn insert(&mut self, def: &BodyDef) -> BodyId {
        let id = self.take_body(body_row(def, &self.def));
        let slot = id.index() as u32;
        self.bodies.own_laws.set(slot, OwnLaw::of(def));
        for shape in &def.shapes {
            self.attach_to(slot, shape);
        }
        let velocity = (def.kind != BodyKind::Fixed).then_some(def.linear_velocity);
        self.complete(slot, velocity, def.enabled.then_some(def.awake));
        id
    }

    /// Weighs a new body that has its shapes, and puts it into the grid unless it is disabled;
    /// `enters` says whether it is awake then.
    pub(super) fn complete(&mut self, slot: u32, velocity: Option<Vec2>, enters: Option<bool>) {
        // It has no joints yet, and no boxes.
        self.weigh_alone(slot);
        let body = &mut self.bodies.rows[slot as usize];
        if cfg!(debug_assertions) && body.has(flag::DYNAMIC) && self.def.unit == 1.0 {
            warn_of_pixels(body.max_extent);
        }
        if let Some(velocity) = velocity {
            // The velocity was given for the centre of mass, wherever that turned out to be.
            body.linear_velocity = velocity;
        }
        let has_shape = body.first_shape != NONE;
        if let Some(awake) = enters {
            self.enter(slot, awake);
        }
        // Otherwise its parts noted the body when they entered the grid.
        if enters.is_none() || !has_shape {
            self.bodies.off_center.insert(slot);
        }
    }

    /// Takes a slot and a row for a body that is not in the grid and has no shapes yet.
    pub(crate) fn take_body(&mut self, row: Body) -> BodyId {
        let (slot, generation) = self.bodies.slots.take();
        if slot as usize == self.bodies.rows.len() {
            self.bodies.rows.push(row);
            self.bodies.solver_rows.push(0);
            self.bodies.sole_parts.push(NONE);
        } else {
            self.bodies.rows[slot as usize] = row;
        }
        BodyId::new(slot, generation)
    }

    /// Slots for bodies, whose rows are put there with [`World::put_body`] in this order.
    pub(crate) fn take_bodies(&mut self, count: usize) -> Vec<(u32, NonZeroU32)> {
        let taken = self.bodies.slots.take_many(count);
        let places = self.bodies.slots.places();
        self.bodies.solver_rows.resize(places, 0);
        self.bodies.sole_parts.resize(places, NONE);
        taken
    }

    /// The row of a body in a slot of [`World::take_bodies`].
    #[inline]
    pub(crate) fn put_body(&mut self, slot: u32, row: Body) {
        match self.bodies.rows.get_mut(slot as usize) {
            Some(place) => *place = row,
            None => self.bodies.rows.push(row),
        }
    }

    /// Attaches one more shape to a body; a dynamic one gets heavier by it.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let light = world[ball].mass();
    /// let handle = world.attach(ball, Shape::rect(0.2, 1.0).at([0.0, 1.0]))?;
    /// assert!(world[ball].mass() > light);
    /// world.detach(handle)?;
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, the rule that the definition breaks, a shape too large for a world that
    /// [wraps round](crate::WorldDef::periodic), or a world that is full.
    pub fn attach(&mut self, id: BodyId, def: impl Into<ShapeDef>) -> Result<ShapeId, Error> {
        let def = def.into();
        self.note(|| Input::Attach { id, def: def.clone() });
        let slot = self.slot_of(id)?;
        check_shape(&def)?;
        check_extent(&def.shape, &self.def)?;
        check_cells(self.bodies.rows[slot as usize].kind() != BodyKind::Fixed, &def.shape)?;
        let is_dynamic = self.bodies.rows[slot as usize].has(flag::DYNAMIC);
        check_dynamic((is_dynamic, self.def.unit), &def.shape, def.sensor)?;
        self.check_room_for_shapes(core::slice::from_ref(&def))?;
        self.disturb(slot);
        let group = self.group_of(slot);
        let shape = self.attach_to(slot, &def);
        self.weigh(slot);
        if self.bodies.rows[slot as usize].is_enabled() {
            self.enter_grid(slot, shape);
            self.name_filter(slot);
            if self.group_of(slot) == group { self.regroup_shape(shape) } else { self.regroup(slot) }
        }
        self.dirty.boxes.push(slot);
        Ok(self.shape_id(shape))
    }

    /// Takes a shape off its body; a dynamic body gets lighter. Bodies that touched the body wake.
    ///
    /// # Errors
    /// A shape that is gone already.
    pub fn detach(&mut self, id: ShapeId) -> Result<(), Error> {
        self.note(|| Input::Detach { id });
        let shape = self.shape_slot_of(id)?;
        let slot = self.shapes.colliders[shape as usize].body;
        self.disturb(slot);
        self.drop_shape(shape);
        self.forget_impulses(slot);
        Ok(())
    }

    /// Takes a shape off its body, and nothing else.
    pub(crate) fn drop_shape(&mut self, shape: u32) {
        let slot = self.shapes.colliders[shape as usize].body;
        self.remove_proxies(shape);
        self.unlink_shape(shape);
        self.shapes.slots.release(shape);
        self.regroup(slot);
        self.weigh(slot);
    }

    /// Takes a shape out of the list of its body.
    pub(crate) fn unlink_shape(&mut self, shape: u32) {
        let slot = self.shapes.colliders[shape as usize].body;
        let next = self.shapes.links[shape as usize].next;
        let first = self.bodies.rows[slot as usize].first_shape;
        if first == shape {
            self.bodies.rows[slot as usize].first_shape = next;
        } else {
            let before =
                self.shape_slots_from(first).find(|&other| self.shapes.links[other as usize].next == shape);
            before.into_iter().for_each(|before| self.shapes.links[before as usize].next = next);
        }
    }

    /// Removes a body with its shapes and joints. Bodies that rested on it or hung on it wake.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// world.remove(ball)?;
    /// assert!(world.remove(ball).is_err()); // gone already
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone already.
    pub fn remove(&mut self, id: BodyId) -> Result<(), Error> {
        self.note(|| Input::Remove { id });
        let slot = self.slot_of(id)?;
        self.take_out(slot);
        Ok(())
    }

    /// Removes the body in a slot.
    pub(crate) fn take_out(&mut self, slot: u32) {
        self.take_out_untold(slot);
        self.islands.forget(slot);
    }

    /// Removes the body in a slot, except from lists of bodies that woke or are to sleep.
    pub(crate) fn take_out_untold(&mut self, slot: u32) {
        let touches = self.contacts.edges().has(slot);
        if touches || self.joints.first_of(slot) != NONE {
            self.disturb(slot);
            self.lose_joints_of(slot);
        } else {
            self.wake(slot);
        }
        self.leave_untold(slot);
        let mut shape = self.bodies.rows[slot as usize].first_shape;
        while shape != NONE {
            self.shapes.slots.release(shape);
            shape = self.shapes.links[shape as usize].next;
        }
        self.bodies.off_center.remove(slot);
        self.bodies.own_laws.unset(slot);
        self.bodies.slots.release(slot);
    }

    /// The slot of an existing body.
    pub(crate) fn slot_of(&self, id: BodyId) -> Result<u32, Error> {
        self.get(id).map(|_| id.index() as u32).ok_or(Error::NoSuchBody(id))
    }

    /// The slot of an existing shape.
    pub(crate) fn shape_slot_of(&self, id: ShapeId) -> Result<u32, Error> {
        self.get_shape(id).map(|_| id.index() as u32).ok_or(Error::NoSuchShape(id))
    }

    /// A new shape at the end of the body's list, not in the grid yet.
    pub(crate) fn attach_to(&mut self, body: u32, def: &ShapeDef) -> u32 {
        let collider = Collider::sharing(def, body, &mut self.shapes.recent);
        self.attach_collider(body, collider)
    }

    pub(crate) fn attach_collider(&mut self, body: u32, collider: Collider) -> u32 {
        let last = self.shape_slots_from(self.bodies.rows[body as usize].first_shape).last();
        self.attach_behind(last.unwrap_or(NONE), body, collider)
    }

    /// Attaches a shape behind the last shape of the body, if it has any.
    pub(crate) fn attach_behind(&mut self, last: u32, body: u32, collider: Collider) -> u32 {
        let (slot, _) = self.shapes.slots.take();
        if slot as usize == self.shapes.colliders.len() {
            self.shapes.colliders.push(collider);
            self.shapes.links.push(ShapeLinks::NONE);
        } else {
            self.shapes.colliders[slot as usize] = collider;
            self.shapes.links[slot as usize] = ShapeLinks::NONE;
        }
        if last == NONE {
            self.bodies.rows[body as usize].first_shape = slot;
        } else {
            self.shapes.links[last as usize].next = slot;
        }
        slot
    }

    /// Attaches a copy of a shape, in a slot that was taken for it: slots beyond the last one in
    /// their order. An old row in the slot is written over, which costs no counting of references
    /// if it was an equal shape.
    pub(crate) fn attach_copy(&mut self, last: u32, body: u32, slot: u32, source: &Collider) {
        if let Some(collider) = self.shapes.colliders.get_mut(slot as usize) {
            collider.clone_from(source);
            collider.body = body;
            self.shapes.links[slot as usize] = ShapeLinks::NONE;
        } else {
            self.shapes.colliders.push(Collider { body, ..source.clone() });
            self.shapes.links.push(ShapeLinks::NONE);
        }
        if last == NONE {
            self.bodies.rows[body as usize].first_shape = slot;
        } else {
            self.shapes.links[last as usize].next = slot;
        }
    }

    /// Mass, centre and reach from the shapes; the centre of mass moves, the body does not.
    pub(crate) fn weigh(&mut self, slot: u32) {
        let has_moved = self.weigh_alone(slot);
        self.note_off_center(slot);
        self.refill_joints_of(slot);
        // Relative to another centre of mass, the places of its parts change by a last bit.
        if self.bodies.rows[slot as usize].kind() != BodyKind::Fixed || has_moved {
            self.update_boxes(slot);
        }
    }

    /// Weighs a body without joints that is not in the grid; returns whether its centre moved.
    fn weigh_alone(&mut self, slot: u32) -> bool {
        let body = self.bodies.rows[slot as usize];
        let first = body.first_shape;
        // Most bodies have one shape, and often that of the body before.
        let has_one = first != NONE && self.shapes.links[first as usize].next == NONE;
        let only = if has_one && body.has(flag::DYNAMIC) {
            self.shapes.recent.measure(&self.shapes.colliders[first as usize])
        } else {
            None
        };
        let shapes =
            || self.shape_slots_from(body.first_shape).map(|shape| &self.shapes.colliders[shape as usize]);
        let mass = if body.has(flag::OWN_MASS) {
            Mass { mass: body.mass, center: body.local_center, inertia: body.inertia }
        } else if !body.has(flag::DYNAMIC) {
            // An immovable body needs no mass, and may have thousands of parts.
            Mass::default()
        } else if let Some(only) = only {
            only.mass
        } else {
            let solid = shapes().filter(|collider| !collider.traits.sensor).map(Collider::mass);
            Mass::sum(&solid.collect::<Vec<Mass>>())
        };
        let dynamic = body.has(flag::DYNAMIC);
        let center = if dynamic || body.has(flag::OWN_MASS) { mass.center } else { Vec2::ZERO };
        let (mut reach, mut core) = (0.0_f32, f32::INFINITY);
        let mut reach_to = |circle: BoundingCircle, half_thickness: f32| {
            reach = max(reach, circle.center.distance(center) + circle.radius);
            core = min(core, half_thickness);
        };
        match only {
            Some(only) => reach_to(only.circle, only.half_thickness),
            None => shapes().for_each(|collider| {
                reach_to(collider.shape.bounding_circle(), collider.shape.half_thickness());
            }),
        }
        let body = &mut self.bodies.rows[slot as usize];
        let moved = self.def.offset(body.center_point(), body.rotation * (center - body.local_center));
        self.dirty.regions |= body.region != moved.region;
        let has_moved = (body.region, body.center) != (moved.region, moved.local);
        (body.region, body.center) = (moved.region, moved.local);
        let carried = (body.rotation * (center - body.local_center)).perp() * body.angular_velocity;
        // With a shape a million kilometres out, a spin without limit overflows.
        if (body.linear_velocity + carried).is_finite() {
            body.linear_velocity += carried;
        }
        body.local_center = center;
        // A dynamic body without weight would not move: it counts as one kilogram.
        let weight = if dynamic && mass.mass <= LIGHTEST { 1.0 } else { mass.mass };
        // The inertia of the largest and densest shapes overflows.
        let finite = |x: f32| min(max(x, 0.0), f32::MAX);
        (body.mass, body.inertia) = (finite(weight), finite(mass.inertia));
        if !dynamic && !body.has(flag::OWN_MASS) {
            (body.mass, body.inertia) = (0.0, 0.0);
        }
        (body.max_extent, body.min_extent) = (if reach.is_finite() { reach } else { MAX_SIZE }, core);
        body.weigh();
        has_moved
    }

    /// Puts a body into the grid and, if steps may move it, into the list of awake bodies.
    pub(crate) fn enter(&mut self, slot: u32, awake: bool) {
        let moves = self.bodies.rows[slot as usize].flags & (flag::DYNAMIC | flag::KINEMATIC) != 0;
        let mut shape = self.bodies.rows[slot as usize].first_shape;
        while shape != NONE {
            self.enter_grid(slot, shape);
            shape = self.shapes.links[shape as usize].next;
        }
        self.regroup(slot);
        if moves {
            // Asleep bodies start awake for one step: their contacts are found, then they rest.
            self.push_awake(slot);
            if !awake {
                self.islands.told_to_sleep.push(slot);
            }
        }
    }

    /// Takes a body out of the grid and out of steps; its contacts end.
    pub(crate) fn leave(&mut self, slot: u32) {
        self.leave_untold(slot);
        self.islands.forget(slot);
    }

    fn leave_untold(&mut self, slot: u32) {
        self.pop_awake(slot);
        self.unload_joints(slot);
        if self.contacts.edges().has(slot) {
            let mut contacts: Vec<u32> = self.contacts.edges().of(slot).collect();
            // In a fixed order, as it decides the order in which their slots are reused.
            contacts.sort_unstable();
            contacts.into_iter().for_each(|contact| self.end_contact(contact));
        }
        let mut shape = self.bodies.rows[slot as usize].first_shape;
        while shape != NONE {
            self.remove_untouched_proxies(shape);
            shape = self.shapes.links[shape as usize].next;
        }
        self.bodies.sole_parts[slot as usize] = NONE;
    }

    pub(crate) fn push_awake(&mut self, slot: u32) {
        let body = &mut self.bodies.rows[slot as usize];
        if body.awake_index == NONE {
            body.awake_index = self.bodies.awake.len() as u32;
            self.bodies.awake.push(slot);
            self.bodies.solver_rows[slot as usize] = self.bodies.awake.len() as u32;
            self.dirty.colouring = true;
            self.lay_out_joints_of(slot);
        }
    }

    pub(crate) fn pop_awake(&mut self, slot: u32) {
        let body = &mut self.bodies.rows[slot as usize];
        let index = body.awake_index;
        if index == NONE {
            return;
        }
        (body.awake_index, body.sleep_time) = (NONE, 0.0);
        self.bodies.solver_rows[slot as usize] = 0;
        self.bodies.awake.swap_remove(index as usize);
        if let Some(&moved) = self.bodies.awake.get(index as usize) {
            self.bodies.rows[moved as usize].awake_index = index;
            self.bodies.solver_rows[moved as usize] = index + 1;
            self.dirty.joint_layout |= self.joints.first_of(moved) != NONE;
        }
        self.lay_out_joints_of(slot);
        self.dirty.colouring = true;
    }
}
