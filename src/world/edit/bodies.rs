//! Changes of bodies and of the whole world at run time: every setting of a definition can be
//! changed later, and acts in the next step. Shapes: `shapes.rs`.
//!
//! In: an id and a value. Out: a changed world; or an error, and a world as it was. A change wakes
//! the body and all bodies that touch it.

use glam::Vec2;

use super::check::{check, check_cells, check_dynamic, check_mass, check_place, check_size};
use crate::body::{Body, BodyId, BodyKind, Locks, NONE, flag};
use crate::error::Error;
use crate::math::{Rot, WorldPoint};
use crate::shape::Mass;
use crate::world::World;
use crate::world::record::Input;

/// Positions and velocities of bodies.
impl World {
    /// Puts a body's origin at `position`, turned to `angle`, or with its present angle for `None`.
    /// It does not pass through the space between, so it hits nothing there.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// world.teleport(ball, [100.0, 20.0], 0.5)?;
    /// assert_eq!(world[ball].position(), vec2(100.0, 20.0));
    /// world.teleport(ball, [0.0, 5.0], None)?; // turned as it is
    /// assert!((world[ball].angle() - 0.5).abs() < 1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a position that is not finite or too far out.
    pub fn teleport(
        &mut self,
        id: BodyId,
        position: impl Into<WorldPoint>,
        angle: impl Into<Option<f32>>,
    ) -> Result<(), Error> {
        let (position, angle) = (position.into(), angle.into());
        self.note(|| match angle {
            Some(angle) => Input::Teleport { id, position, angle },
            None => Input::TeleportUnturned { id, position },
        });
        let slot = self.slot_of(id)?;
        check(angle.as_slice(), "an angle must be finite, and at most 1e9")?;
        check_place(position)?;
        self.disturb(slot);
        let body = &mut self.bodies.rows[slot as usize];
        body.rotation = angle.map_or(body.rotation, Rot::from_angle);
        let arm = body.rotation * body.local_center;
        let center = self.def.offset(position.joined(self.def.span()), arm);
        self.dirty.regions |= body.region != center.region;
        (body.region, body.center) = (center.region, center.local);
        self.lay_out_joints_of(slot);
        self.update_boxes(slot);
        self.disturb(slot);
        self.dirty.boxes.push(slot);
        self.note_moved(slot);
        Ok(())
    }

    /// Sets the velocity of the centre of mass, in m/s. A fixed body has none. Beyond
    /// [`WorldDef::max_speed`](crate::WorldDef::max_speed), 1000 m/s by default, the next step
    /// slows the body down.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let hero = world.add(BodyDef::dynamic().velocity([2.0, 0.0]).shape(Shape::circle(0.5)))?;
    /// world.set_velocity(hero, [world[hero].velocity().x, 6.0])?; // a jump, as fast ahead as before
    /// for _ in 0..30 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world[hero].position() - vec2(1.0, 1.75)).length() < 0.05);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite or beyond 1e9.
    pub fn set_velocity(&mut self, id: BodyId, velocity: impl Into<Vec2>) -> Result<(), Error> {
        let velocity = velocity.into();
        self.note(|| Input::SetVelocity { id, velocity });
        check(&velocity.to_array(), "a velocity must be finite, and at most 1e9")?;
        self.change(id, |body| {
            let moves = body.kind() != BodyKind::Fixed;
            body.linear_velocity = if moves { velocity } else { Vec2::ZERO };
        })
    }

    /// Sets the angular velocity, in radians per second, counter-clockwise. A fixed body has none.
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite or beyond 1e9.
    pub fn set_angular_velocity(&mut self, id: BodyId, velocity: f32) -> Result<(), Error> {
        self.note(|| Input::SetAngularVelocity { id, velocity });
        check(&[velocity], "a velocity must be finite, and at most 1e9")?;
        self.change(id, |body| {
            let moves = body.kind() != BodyKind::Fixed;
            body.angular_velocity = if moves { velocity } else { 0.0 };
        })
    }

    /// Makes a kinematic body reach a position with the next step, turned to `angle`, or with its
    /// present angle for `None`. It pushes bodies in its way.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let lift = world.add(BodyDef::kinematic().shape(Shape::rect(2.0, 0.2)))?;
    /// world.move_to(lift, [0.0, 0.1], None)?;
    /// world.step(1.0 / 60.0)?;
    /// assert!((world[lift].position().y - 0.1).abs() < 1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone or not kinematic ([`Error::NotKinematic`]), or a position that
    /// is not finite or too far out.
    pub fn move_to(
        &mut self,
        id: BodyId,
        position: impl Into<WorldPoint>,
        angle: impl Into<Option<f32>>,
    ) -> Result<(), Error> {
        let (position, angle) = (position.into(), angle.into());
        self.note(|| match angle {
            Some(angle) => Input::MoveTo { id, position, angle },
            None => Input::MoveToUnturned { id, position },
        });
        let slot = self.slot_of(id)?;
        check(angle.as_slice(), "an angle must be finite, and at most 1e9")?;
        check_place(position)?;
        if self.bodies.rows[slot as usize].kind() != BodyKind::Kinematic {
            return Err(Error::NotKinematic(id));
        }
        let goal = angle.map_or(self.bodies.rows[slot as usize].rotation, Rot::from_angle);
        let (span, period) = (self.def.span(), self.def.period());
        self.change(id, |body| {
            let center = position.joined(span).offset_in(goal * body.local_center, span);
            // Kinematic bodies do not need the fields for forces: they hold the target.
            body.force = period.between(body.center_point(), center);
            body.torque = (body.rotation.inverse() * goal).angle();
            body.set(flag::HAS_TARGET, true);
        })
    }

    /// Pushes the centre of mass with `force` newtons during the next step; forces of several calls
    /// add up. Fixed and kinematic bodies do not feel forces.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// world.apply_force(ball, [60.0 * world[ball].mass(), 0.0])?;
    /// world.step(1.0 / 60.0)?;
    /// assert!((world[ball].velocity().x - 1.0).abs() < 1e-5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite.
    pub fn apply_force(&mut self, id: BodyId, force: impl Into<Vec2>) -> Result<(), Error> {
        let force = force.into();
        self.note(|| Input::ApplyForce { id, force });
        check(&force.to_array(), "a force must be finite, and at most 1e9")?;
        self.change_dynamic(id, |body| body.force += force)
    }

    /// Pushes with `force` newtons at a point of the world, during the next step: a force on the
    /// centre of mass, and a torque. Only dynamic bodies feel it.
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite or beyond 1e9.
    pub fn apply_force_at(
        &mut self,
        id: BodyId,
        force: impl Into<Vec2>,
        point: impl Into<WorldPoint>,
    ) -> Result<(), Error> {
        let (force, point) = (force.into(), point.into());
        self.note(|| Input::ApplyForceAt { id, force, point });
        let arm = self.arm(id, point)?;
        check(&force.to_array(), "a force must be finite, and at most 1e9")?;
        self.change_dynamic(id, |body| {
            body.force += force;
            body.torque += crate::math::cross(arm, force);
        })
    }

    /// Turns with `torque` newton metres, counter-clockwise, during the next step. Only dynamic
    /// bodies feel it.
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite or beyond 1e9.
    pub fn apply_torque(&mut self, id: BodyId, torque: f32) -> Result<(), Error> {
        self.note(|| Input::ApplyTorque { id, torque });
        check(&[torque], "a torque must be finite, and at most 1e9")?;
        self.change_dynamic(id, |body| body.torque += torque)
    }

    /// Changes the momentum at once, by `impulse` newton seconds through the centre of mass. Only
    /// dynamic bodies feel it.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// world.apply_impulse(ball, [2.0 * world[ball].mass(), 0.0])?;
    /// assert!((world[ball].velocity().x - 2.0).abs() < 1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite.
    pub fn apply_impulse(&mut self, id: BodyId, impulse: impl Into<Vec2>) -> Result<(), Error> {
        let impulse = impulse.into();
        self.note(|| Input::ApplyImpulse { id, impulse });
        check(&impulse.to_array(), "an impulse must be finite, and at most 1e9")?;
        self.change_dynamic(id, |body| body.push(impulse, Vec2::ZERO, 0.0))
    }

    /// Changes linear and angular velocity at once, by `impulse` newton seconds at a point of the
    /// world. Only dynamic bodies feel it.
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite or beyond 1e9.
    pub fn apply_impulse_at(
        &mut self,
        id: BodyId,
        impulse: impl Into<Vec2>,
        point: impl Into<WorldPoint>,
    ) -> Result<(), Error> {
        let (impulse, point) = (impulse.into(), point.into());
        self.note(|| Input::ApplyImpulseAt { id, impulse, point });
        let arm = self.arm(id, point)?;
        check(&impulse.to_array(), "an impulse must be finite, and at most 1e9")?;
        self.change_dynamic(id, |body| body.push(impulse, arm, 0.0))
    }

    /// Changes the angular velocity at once, by `impulse` newton metre seconds, counter-clockwise.
    /// Only dynamic bodies feel it.
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite or beyond 1e9.
    pub fn apply_angular_impulse(&mut self, id: BodyId, impulse: f32) -> Result<(), Error> {
        self.note(|| Input::ApplyAngularImpulse { id, impulse });
        check(&[impulse], "an impulse must be finite, and at most 1e9")?;
        self.change_dynamic(id, |body| body.push(Vec2::ZERO, Vec2::ZERO, impulse))
    }

    fn arm(&self, id: BodyId, point: impl Into<WorldPoint>) -> Result<Vec2, Error> {
        let slot = self.slot_of(id)?;
        let arm = self.way(self.bodies.rows[slot as usize].center_point(), point.into());
        check(&arm.to_array(), "a point must be finite, and within 1e9 of the body")?;
        Ok(arm)
    }

    /// Changes a body's row, awake.
    fn change(&mut self, id: BodyId, change: impl FnOnce(&mut Body)) -> Result<(), Error> {
        let slot = self.slot_of(id)?;
        self.disturb(slot);
        let body = &mut self.bodies.rows[slot as usize];
        change(body);
        body.sleep_time = 0.0;
        self.dirty.boxes.push(slot);
        Ok(())
    }

    /// [`World::change`] for forces and impulses, which act on dynamic bodies only; other bodies
    /// ignore it.
    pub(super) fn change_dynamic(&mut self, id: BodyId, change: impl FnOnce(&mut Body)) -> Result<(), Error> {
        let slot = self.slot_of(id)?;
        if !self.bodies.rows[slot as usize].has(flag::DYNAMIC) {
            return Ok(());
        }
        self.change(id, change)
    }
}

/// Kind, mass and other properties of bodies.
impl World {
    /// Makes a body fixed, kinematic or dynamic. A fixed one loses its velocity.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let ledge = world.add(BodyDef::fixed().at([0.0, 5.0]).shape(Shape::rect(3.0, 0.3)))?;
    /// world.set_kind(ledge, BodyKind::Dynamic)?; // it gives way
    /// for _ in 0..30 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(world[ledge].position().y < 4.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone; a solid chain or a solid shape of less than a millimetre on a body that
    /// becomes dynamic; a tile map of more than 65,535 cells on a body that becomes dynamic or
    /// kinematic; or a world that is full.
    pub fn set_kind(&mut self, id: BodyId, kind: BodyKind) -> Result<(), Error> {
        self.note(|| Input::SetKind { id, kind });
        let slot = self.slot_of(id)?;
        if self.bodies.rows[slot as usize].kind() != kind {
            for shape in self.shape_slots_from(self.bodies.rows[slot as usize].first_shape) {
                let collider = &self.shapes.colliders[shape as usize];
                check_cells(kind != BodyKind::Fixed, &collider.shape)?;
                let sensor = collider.traits.sensor;
                check_dynamic((kind == BodyKind::Dynamic, self.def.unit), &collider.shape, sensor)?;
            }
            self.check_room_for_parts_of(slot)?;
            self.become_kind(slot, kind);
        }
        Ok(())
    }

    pub(crate) fn become_kind(&mut self, slot: u32, kind: BodyKind) {
        self.rebuild(slot, |body| {
            body.set(flag::DYNAMIC, kind == BodyKind::Dynamic);
            body.set(flag::KINEMATIC, kind == BodyKind::Kinematic);
            body.set(flag::HAS_TARGET, false);
            (body.force, body.torque) = (Vec2::ZERO, 0.0);
            if kind == BodyKind::Fixed {
                (body.linear_velocity, body.angular_velocity) = (Vec2::ZERO, 0.0);
            }
        });
    }

    /// Takes a body out of the world, or puts it back, as it was. A disabled body keeps its id, its
    /// shapes and its velocity; it is not stepped, touches nothing, and no query finds it. A body
    /// that is put back is awake.
    ///
    /// # Errors
    /// A body that is gone, or a world that is full.
    pub fn set_enabled(&mut self, id: BodyId, enabled: bool) -> Result<(), Error> {
        self.note(|| Input::SetEnabled { id, enabled });
        let slot = self.slot_of(id)?;
        if self.bodies.rows[slot as usize].is_enabled() != enabled {
            if enabled {
                self.check_room_for_parts_of(slot)?;
            }
            self.rebuild(slot, |body| body.set(flag::ENABLED, enabled));
        }
        Ok(())
    }

    /// Takes the body out, changes it, computes its mass, and puts it back.
    fn rebuild(&mut self, slot: u32, change: impl FnOnce(&mut Body)) {
        // Leaving drops pending sleep and wake events.
        let wakes = self.bodies.rows[slot as usize].island != NONE || self.islands.woken.contains(&slot);
        self.disturb(slot);
        self.leave(slot);
        if wakes {
            self.islands.woken.push(slot);
        }
        change(&mut self.bodies.rows[slot as usize]);
        self.weigh(slot);
        if self.bodies.rows[slot as usize].is_enabled() {
            self.enter(slot, true);
        }
        self.rehang_gears(slot);
    }

    /// Locks axes of a body, or frees them.
    ///
    /// # Errors
    /// A body that is gone.
    pub fn set_locks(&mut self, id: BodyId, locks: Locks) -> Result<(), Error> {
        self.note(|| Input::SetLocks { id, locks });
        let all = [(flag::LOCK_X, locks.x), (flag::LOCK_Y, locks.y), (flag::LOCK_ROTATION, locks.rotation)];
        let mut is_other = false;
        self.change(id, |body| {
            is_other = all.iter().any(|&(lock, is_on)| body.has(lock) != is_on);
            all.iter().for_each(|&(lock, is_on)| body.set(lock, is_on));
            body.weigh();
        })?;
        if is_other {
            // How joints are solved depends on the masses they hold.
            self.refill_joints_of(id.index() as u32);
        }
        Ok(())
    }

    /// Sets mass in kg, centre of mass in the frame of the body and rotational inertia about it in
    /// kg m², whatever the shapes weigh; with `None` they follow from the shapes again.
    ///
    /// ```
    /// use carom::{Mass, prelude::*};
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(4.0, 1.0)))?; // a quay, up to x = 2
    /// let crane = world.add(BodyDef::dynamic().at([2.5, 0.1]).shape(Shape::rect(4.0, 0.2)))?;
    /// let with_ballast = Mass { mass: 50.0, center: vec2(-1.5, 0.0), inertia: 60.0 };
    /// world.set_mass(crane, Some(with_ballast))?; // over the quay, so that it does not tip
    /// for _ in 0..120 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world[crane].position().y - 0.1).abs() < 0.01);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone, or a number out of its range.
    pub fn set_mass(&mut self, id: BodyId, mass: Option<Mass>) -> Result<(), Error> {
        self.note(|| Input::SetMass { id, mass });
        let slot = self.slot_of(id)?;
        mass.iter().try_for_each(|mass| check_mass(mass, &self.def))?;
        self.disturb(slot);
        let body = &mut self.bodies.rows[slot as usize];
        body.set(flag::OWN_MASS, mass.is_some());
        if let Some(mass) = mass {
            let moved = body.rotation * (mass.center - body.local_center);
            let center = self.def.offset(body.center_point(), moved);
            self.dirty.regions |= body.region != center.region;
            (body.region, body.center) = (center.region, center.local);
            (body.mass, body.inertia, body.local_center) = (mass.mass, mass.inertia, mass.center);
        }
        self.weigh(slot);
        self.forget_impulses(slot);
        self.dirty.boxes.push(slot);
        Ok(())
    }

    /// Sets the gravity scale: the world's gravity acts on a body times this.
    ///
    /// # Errors
    /// A body that is gone, or a number that is not finite.
    pub fn set_gravity_scale(&mut self, id: BodyId, scale: f32) -> Result<(), Error> {
        self.note(|| Input::SetGravityScale { id, scale });
        check(&[scale], "a gravity scale must be finite, and at most 1e9")?;
        self.change(id, |body| body.gravity_scale = scale)
    }

    /// Sets linear and angular damping: see [`BodyDef::linear_damping`](crate::BodyDef).
    ///
    /// # Errors
    /// A body that is gone, or a number below 0 or not finite.
    pub fn set_damping(&mut self, id: BodyId, linear: f32, angular: f32) -> Result<(), Error> {
        self.note(|| Input::SetDamping { id, linear, angular });
        check_size(linear, "damping must be 0 or more, and at most 1e9")?;
        check_size(angular, "damping must be 0 or more, and at most 1e9")?;
        self.change(id, |body| (body.linear_damping, body.angular_damping) = (linear, angular))
    }

    /// Whether a body may fall asleep.
    ///
    /// # Errors
    /// A body that is gone.
    pub fn set_can_sleep(&mut self, id: BodyId, can: bool) -> Result<(), Error> {
        self.note(|| Input::SetCanSleep { id, can });
        self.change(id, |body| body.set(flag::CAN_SLEEP, can))
    }

    /// Wakes a body and its island.
    ///
    /// A fixed body is never asleep: wake the bodies that lie on it one by one.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let boulder = BodyDef::dynamic().at([0.0, 9.0]).shape(Shape::circle(1.0)).asleep();
    /// let boulder = world.add(boulder)?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world[boulder].position(), vec2(0.0, 9.0)); // in mid-air: nothing came near yet
    /// world.wake_up(boulder)?;
    /// world.step(1.0 / 60.0)?;
    /// assert!(world[boulder].velocity().y < -0.1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone.
    pub fn wake_up(&mut self, id: BodyId) -> Result<(), Error> {
        self.note(|| Input::WakeUp { id });
        let slot = self.slot_of(id)?;
        self.wake(slot);
        self.bodies.rows[slot as usize].sleep_time = 0.0;
        Ok(())
    }

    /// Makes a body, and bodies joined to it, fall asleep with the next step, whatever its speed.
    ///
    /// It does so even if it may not fall asleep by itself.
    ///
    /// ```
    /// use carom::prelude::*;
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().velocity([9.0, 0.0]).shape(Shape::circle(0.5)))?;
    /// world.put_to_sleep(ball)?; // it left the screen
    /// world.step(1.0 / 60.0)?;
    /// let place = world[ball].position();
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world[ball].position(), place);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone.
    pub fn put_to_sleep(&mut self, id: BodyId) -> Result<(), Error> {
        self.note(|| Input::PutToSleep { id });
        let slot = self.slot_of(id)?;
        if self.bodies.rows[slot as usize].is_awake() {
            self.islands.told_to_sleep.push(slot);
            let held = self.held_with(slot, usize::MAX);
            self.islands.told_to_sleep.extend(held);
        }
        Ok(())
    }

    /// Sets the user data of a body: a number that carom does not read.
    ///
    /// # Errors
    /// A body that is gone.
    pub fn set_user_data(&mut self, id: BodyId, user_data: u64) -> Result<(), Error> {
        self.note(|| Input::SetUserData { id, user_data });
        let slot = self.slot_of(id)?;
        self.bodies.rows[slot as usize].user_data = user_data;
        Ok(())
    }
}

/// Settings of the world.
impl World {
    /// Sets the acceleration of every body, in m/s²; wakes everything.
    ///
    /// # Errors
    /// A number that is not finite, or above 1e6.
    pub fn set_gravity(&mut self, gravity: impl Into<Vec2>) -> Result<(), Error> {
        let def = crate::world::WorldDef { gravity: gravity.into(), ..self.def };
        self.set_def(def)
    }

    /// Changes the settings of the world; wakes everything.
    ///
    /// # Errors
    /// A number out of its range, or another unit or period in a world that had bodies.
    pub fn set_def(&mut self, def: crate::world::WorldDef) -> Result<(), Error> {
        self.note(|| Input::SetDef { def });
        def.check()?;
        if def.unit != self.def.unit && !self.bodies.rows.is_empty() {
            return Err(Error::BadNumber("the unit of a world is chosen before its first body"));
        }
        if def.period != self.def.period && !self.bodies.rows.is_empty() {
            return Err(Error::BadNumber("the period of a world is chosen before its first body"));
        }
        self.put_def(def);
        for slot in 0..self.bodies.rows.len() as u32 {
            if self.bodies.slots.tenant(slot).is_some() {
                self.wake(slot);
                self.bodies.rows[slot as usize].sleep_time = 0.0;
            }
        }
        Ok(())
    }
}
