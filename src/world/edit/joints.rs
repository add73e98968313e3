//! Joints of a world: adding, changing, removing, reading back.
//!
//! In: definitions from the user, checked before anything changes. Out: joints in the lists of
//! their bodies; or an error, and a world as it was.
//!
//! How joints get into the solver and back: `world/joints/`. Lists: `store/joint_lists.rs`.

use core::ops::Index;
use glam::Vec2;

use crate::body::{BodyId, JointId, NONE};
use crate::error::Error;
use crate::event::JointLoss;
use crate::joint::{Anchor, Drive, Impulses, Joint, JointDef, JointKind, Motor};
use crate::math::WorldPoint;
use crate::simd::LANES;
use crate::solver::joints::NO_JOINT;
use crate::world::joints::revolutions::Turns;
use crate::world::record::Input;
use crate::world::{World, WorldDef};

/// The slots of a joint's two bodies; [`NONE`] for the world.
type Slots = (u32, u32);

/// Adding and changing.
impl World {
    /// Adds a joint. Its bodies wake.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let bob = world.add(BodyDef::dynamic().at([2.0, 0.0]).shape(Shape::circle(0.2)))?;
    /// world.add_joint(JointDef::distance(None, bob).between([0.0, 0.0], [2.0, 0.0]))?;
    /// for _ in 0..300 {
    ///     world.step(1.0 / 60.0)?;
    ///     assert!((world[bob].position().length() - 2.0).abs() < 1e-3);
    /// }
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body or a joint that is gone, a joint from a body to itself, the first number that breaks
    /// a rule, an option that the kind does not have ([`Error::WrongKind`]), a gear of joints that
    /// cannot be geared, a joint too long for a world that [wraps
    /// round](crate::WorldDef::periodic), or a world that is full; the world is unchanged then.
    pub fn add_joint(&mut self, def: JointDef) -> Result<JointId, Error> {
        self.note(|| Input::AddJoint { def });
        self.insert_joint(def)
    }

    pub(crate) fn insert_joint(&mut self, def: JointDef) -> Result<JointId, Error> {
        let (def, slots) = self.resolve(def)?;
        self.check_room_for_joint()?;
        let id = self.take_joint(Joint::new(def, slots.0, slots.1));
        let slot = id.index() as u32;
        self.forget_turns(slot);
        self.joints.rows[slot as usize].sum = self.sum_of(&self.joints.rows[slot as usize]);
        self.count_gear(slot, true);
        self.link_joint(slot);
        self.wake_ends(slot);
        self.refilter_pair(slot);
        Ok(id)
    }

    /// Takes a slot for a joint that is in no list yet.
    fn take_joint(&mut self, joint: Joint) -> JointId {
        let (slot, generation) = self.joints.slots.take();
        if slot as usize == self.joints.rows.len() {
            self.joints.rows.push(joint);
            self.joints.turns.push(Turns::default());
        } else {
            self.joints.rows[slot as usize] = joint;
        }
        JointId::new(slot, generation)
    }

    /// Adds a joint of another world, between bodies in the same relative pose.
    pub(crate) fn take_in_joint(&mut self, joint: Joint, turns: Turns) -> JointId {
        let id = self.take_joint(joint);
        self.joints.turns[id.index()] = turns;
        self.count_gear(id.index() as u32, true);
        self.link_joint(id.index() as u32);
        id
    }

    /// Removes a joint together with its bodies.
    pub(crate) fn take_out_joint(&mut self, slot: u32) {
        self.bring_home_one(slot);
        self.count_gear(slot, false);
        self.unlink_joint(slot);
        self.joints.slots.release(slot);
        self.joints.rows[slot as usize].place = NONE;
    }

    /// Changes a joint: `change` edits its definition, and the joint continues with the new one and
    /// its old impulses. Its bodies wake. With another kind or other bodies it begins anew, and
    /// gears that couple it are lost; local anchors are then points of the new bodies, or of the
    /// world.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let wheel = world.add(BodyDef::dynamic().shape(Shape::circle(1.0)))?;
    /// let axle = world.add_joint(JointDef::revolute(None, wheel).motor(2.0, 100.0))?;
    /// world.change_joint(axle, |def| *def = def.motor(-2.0, 100.0))?;
    /// world.change_joint(axle, |def| def.drive.motor = None)?;
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A joint that is gone, or a definition that [`World::add_joint`] would refuse; the joint
    /// stays as it was then.
    pub fn change_joint(&mut self, id: JointId, change: impl FnOnce(&mut JointDef)) -> Result<(), Error> {
        let slot = self.joint_slot_of(id)?;
        let mut def = self.joints.rows[slot as usize].def;
        change(&mut def);
        self.note(|| Input::ChangeJoint { id, def });
        let (def, slots) = self.resolve(def)?;
        if def.kind.gears().is_some_and(|ids| ids.contains(&id)) {
            return Err(Error::NotGearable(id));
        }
        let joint = &self.joints.rows[slot as usize];
        let like = core::mem::discriminant(&joint.def.kind) == core::mem::discriminant(&def.kind);
        let same = like && (joint.body_a, joint.body_b) == slots;
        self.wake_ends(slot);
        if same {
            self.redefine(slot, def);
        } else {
            self.rebind(slot, def, slots);
        }
        self.wake_ends(slot);
        self.refilter_pair(slot);
        Ok(())
    }

    /// Drags a body on to another point of the world, for joints made by [`JointDef::drag`] and
    /// other motors on the world.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().gravity_scale(0.0).shape(Shape::circle(0.5)))?;
    /// let mouse = world.add_joint(JointDef::drag(ball, [0.0, 0.0], 100.0))?;
    /// for frame in 0..120 {
    ///     world.drag_to(mouse, [0.02 * frame as f32, 1.0])?; // where the pointer is
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world[ball].position() - vec2(2.3, 1.0)).length() < 0.3);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A joint that is gone or is no motor ([`Error::WrongKind`]), or a point that is not finite or
    /// too far out; the joint stays as it was.
    pub fn drag_to(&mut self, id: JointId, point: impl Into<WorldPoint>) -> Result<(), Error> {
        let point = point.into();
        self.change_joint(id, |def| *def = def.drag_to(point))
    }

    /// Sets or removes the motor of the free axis of a joint: see [`JointDef::motor`].
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let wheel = world.add(BodyDef::dynamic().shape(Shape::circle(1.0)))?;
    /// let axle = world.add_joint(JointDef::revolute(None, wheel))?;
    /// world.set_motor(axle, Motor::new(2.0, 1000.0))?; // 2 rad/s with at most 1000 N m
    /// world.step(1.0 / 60.0)?;
    /// assert!((world[wheel].angular_velocity() - 2.0).abs() < 1e-3);
    /// world.set_motor(axle, None)?; // it runs freely
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A joint that is gone or has nothing to drive, or a number that is out of range; the joint
    /// stays as it was.
    pub fn set_motor(&mut self, id: JointId, motor: impl Into<Option<Motor>>) -> Result<(), Error> {
        let motor = motor.into();
        self.change_joint(id, |def| def.drive.motor = motor)
    }

    /// Sets the target of a joint's servo, in radians or metres. See [`JointDef::servo`].
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let lid = world.add(BodyDef::dynamic().shape(Shape::rect(2.0, 0.1)))?;
    /// let hinge = JointDef::revolute(None, lid).at([-1.0, 0.0]).servo(0.0, Spring::new(4.0, 1.0));
    /// let hinge = world.add_joint(hinge)?;
    /// world.set_target(hinge, 1.2)?; // open
    /// for _ in 0..120 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world[lid].angle() - 1.2).abs() < 0.01);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A joint that is gone or has no servo, or a number that is not finite; the joint stays as it
    /// was.
    pub fn set_target(&mut self, id: JointId, target: f32) -> Result<(), Error> {
        self.change_joint(id, |def| match &mut def.drive.servo {
            Some(servo) => servo.target = target,
            None => def.misfit = Some("a target is for a joint with a servo: see `JointDef::servo`"),
        })
    }

    /// Switches a joint off, or on again. A joint that is off has no effect, as if it were removed,
    /// but it keeps its id and its definition. Its bodies wake.
    ///
    /// Its impulses are set to 0. A hinge that is switched on continues with the angle nearest to
    /// the one it had. A gear keeps the sum that its joints have at that moment, and is off while
    /// one of them is.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let bob = world.add(BodyDef::dynamic().at([2.0, 0.0]).shape(Shape::circle(0.2)))?;
    /// let rod = world.add_joint(JointDef::distance(None, bob).between([0.0, 0.0], [2.0, 0.0]))?;
    /// world.set_joint_enabled(rod, false)?; // let go
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(!world.is_joint_enabled(rod) && (world[bob].position().x - 2.0).abs() < 1e-6);
    /// assert!(world[bob].position().y < -4.0); // it fell
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A joint that is gone.
    pub fn set_joint_enabled(&mut self, id: JointId, enabled: bool) -> Result<(), Error> {
        if self.get_joint(id).is_some_and(|joint| joint.is_on == enabled) {
            return Ok(());
        }
        self.change_joint(id, |def| def.enabled = enabled)
    }

    /// Whether a joint exists and is on: see [`World::set_joint_enabled`].
    #[must_use]
    pub fn is_joint_enabled(&self, id: JointId) -> bool {
        self.get_joint(id).is_some_and(Joint::is_enabled)
    }

    /// After a joint was switched off or on: sets its impulses to 0, and couplings begin anew.
    fn switched(&mut self, slot: u32, gears: &[u32]) {
        self.dirty.colouring = true;
        let joint = &mut self.joints.rows[slot as usize];
        (joint.impulses, joint.force, joint.torque) = (Impulses::default(), Vec2::ZERO, 0.0);
        if joint.is_on {
            for &coupling in gears.iter().chain(core::iter::once(&slot)) {
                self.joints.rows[coupling as usize].sum = self.sum_of(&self.joints.rows[coupling as usize]);
            }
        }
        self.lay_out_joint(slot);
    }

    /// Changes the definition of a joint with the same kind and bodies.
    fn redefine(&mut self, slot: u32, def: JointDef) {
        if self.joints.rows[slot as usize].is_on != def.enabled {
            self.bring_home_one(slot);
        }
        let Joint { def: old, form: old_form, .. } = self.joints.rows[slot as usize];
        let gears = self.gears_of(slot);
        let sums: Vec<f64> =
            gears.iter().map(|&gear| self.sum_now(&self.joints.rows[gear as usize])).collect();
        self.count_gear(slot, false);
        self.joints.seal.break_open();
        self.joints.rows[slot as usize].redefine(def);
        self.count_gear(slot, true);
        self.joints.turns[slot as usize].zero = def.angle.unwrap_or(0.0);
        // A gear keeps its position, even if its joints have a new zero.
        for (&gear, before) in gears.iter().zip(sums) {
            let now = self.sum_now(&self.joints.rows[gear as usize]);
            self.joints.rows[gear as usize].sum += now - before;
            self.dirty.joint_layout = true;
        }
        if !couples_alike(&old.kind, &def.kind) {
            self.joints.rows[slot as usize].sum = self.sum_of(&self.joints.rows[slot as usize]);
        }
        if old.enabled != def.enabled {
            return self.switched(slot, &gears);
        }
        let is_other = old_form != self.joints.rows[slot as usize].form;
        self.dirty.colouring |= is_other;
        if is_other || !self.reseat(slot) {
            self.lay_out_joint(slot);
        }
    }

    /// Changes kind or bodies of a joint: its impulses are set to 0, and gears that couple it are
    /// lost.
    fn rebind(&mut self, slot: u32, def: JointDef, (body_a, body_b): Slots) {
        self.gears_of(slot).into_iter().for_each(|gear| self.lose(gear));
        self.bring_home_one(slot);
        self.count_gear(slot, false);
        self.unlink_joint(slot);
        let joint = &mut self.joints.rows[slot as usize];
        let old = (joint.body_a, joint.body_b, joint.def.collide || !joint.def.enabled);
        let moved = (joint.body_a, joint.body_b) != (body_a, body_b);
        joint.redefine(def);
        (joint.body_a, joint.body_b, joint.impulses) = (body_a, body_b, Impulses::default());
        (joint.force, joint.torque) = (Vec2::ZERO, 0.0);
        self.count_gear(slot, true);
        self.link_joint(slot);
        if moved {
            self.forget_turns(slot);
        } else {
            self.joints.turns[slot as usize].zero = def.angle.unwrap_or(0.0);
        }
        self.joints.rows[slot as usize].sum = self.sum_of(&self.joints.rows[slot as usize]);
        if moved && !old.2 && old.0 != NONE {
            self.contacts_between_anew(old.0, old.1);
        }
    }

    /// Removes a joint, and gears that couple it. Its bodies wake.
    ///
    /// # Errors
    /// A joint that is gone already.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), Error> {
        self.note(|| Input::RemoveJoint { id });
        let slot = self.joint_slot_of(id)?;
        self.drop_joint(slot);
        Ok(())
    }

    /// Removes a joint, and reports the gears that are lost with it.
    pub(crate) fn drop_joint(&mut self, slot: u32) {
        self.gears_of(slot).into_iter().for_each(|gear| self.lose(gear));
        self.bring_home_one(slot);
        self.wake_ends(slot);
        self.count_gear(slot, false);
        self.unlink_joint(slot);
        self.joints.slots.release(slot);
        self.joints.rows[slot as usize].place = NONE;
        // The two bodies may touch each other again.
        let Joint { body_a, body_b, def, .. } = self.joints.rows[slot as usize];
        if def.enabled && !def.collide && body_a != NONE {
            self.contacts_between_anew(body_a, body_b);
        }
    }

    /// Removes all joints of a body that leaves the world.
    pub(crate) fn lose_joints_of(&mut self, body: u32) {
        while self.joints.first_of(body) != NONE {
            self.lose(self.joints.first_of(body));
        }
    }

    fn lose(&mut self, slot: u32) {
        let loss = self.loss_of(slot);
        self.events.next.lost.push(loss);
        self.drop_joint(slot);
    }

    fn loss_of(&self, slot: u32) -> JointLoss {
        let def = &self.joints.rows[slot as usize].def;
        let JointDef { body_a, body_b, user_data, .. } = *def;
        JointLoss { joint: self.joint_id(slot), body_a, body_b, user_data }
    }
}

/// Filling in optional values of definitions.
impl World {
    /// The checked and completed definition, and the slots of its bodies.
    pub(crate) fn resolve(&self, mut def: JointDef) -> Result<(JointDef, Slots), Error> {
        def.check()?;
        if let JointKind::Gear { first, second, .. } = def.kind {
            return self.resolve_gear(def, first, second);
        }
        let body_b = self.slot_of(def.body_b)?;
        let body_a = match def.body_a {
            Some(id) if id == def.body_b => return Err(Error::JointToItself(id)),
            Some(id) => self.slot_of(id)?,
            None => NONE,
        };
        def.anchor_a = self.resolve_anchor(def.anchor_a, body_a)?;
        def.anchor_b = self.resolve_anchor(def.anchor_b, body_b)?;
        let apart =
            self.way(self.anchor_point(def.anchor_a, body_a), self.anchor_point(def.anchor_b, body_b));
        if let JointKind::Distance { length, .. } = &mut def.kind {
            *length = Some(length.unwrap_or(apart.length()));
        }
        if let JointKind::Pulley { ground_a, ground_b, ratio, length } = &mut def.kind {
            let to_a = self.way(*ground_a, self.anchor_point(def.anchor_a, body_a)).length();
            let to_b = self.way(*ground_b, self.anchor_point(def.anchor_b, body_b)).length();
            *length = Some(length.unwrap_or(to_a + *ratio * to_b));
        }
        let turned = (self.rotation_of(body_a).inverse() * self.rotation_of(body_b)).angle();
        def.angle = Some(def.angle.unwrap_or(turned));
        // The values filled in are checked too: two bodies may be farther apart than the greatest
        // length of a rod.
        def.check()?;
        check_joint(&def, &self.def)?;
        Ok((def, (body_a, body_b)))
    }

    fn resolve_gear(
        &self,
        mut def: JointDef,
        first: JointId,
        second: JointId,
    ) -> Result<(JointDef, Slots), Error> {
        if first == second {
            return Err(Error::NotGearable(first));
        }
        let [one, other] = [self.mover_of(first)?, self.mover_of(second)?];
        def.angle = Some(def.angle.unwrap_or(0.0));
        def.body_a = Some(self.body_id(one));
        def.body_b = self.body_id(other);
        (def.anchor_a, def.anchor_b) = (Anchor::default(), Anchor::default());
        // Both may move the same body: then the list of that body has the gear once.
        Ok((def, (if one == other { NONE } else { one }, other)))
    }

    /// The body that a geared joint moves: its second one, unless impulses move only the first.
    pub(crate) fn mover_of(&self, id: JointId) -> Result<u32, Error> {
        let joint = &self.joints.rows[self.joint_slot_of(id)? as usize];
        if !matches!(joint.def.kind, JointKind::Revolute | JointKind::Prismatic { .. }) {
            return Err(Error::NotGearable(id));
        }
        let dynamic = |slot: u32| self.bodies.rows[slot as usize].has(crate::body::flag::DYNAMIC);
        let a_alone = joint.body_a != NONE && dynamic(joint.body_a) && !dynamic(joint.body_b);
        Ok(if a_alone { joint.body_a } else { joint.body_b })
    }

    fn resolve_anchor(&self, anchor: Anchor, body: u32) -> Result<Anchor, Error> {
        if body == NONE {
            return Ok(Anchor::World(match anchor {
                Anchor::World(point) => point,
                Anchor::Local(point) => WorldPoint::from(point),
            }));
        }
        let Anchor::World(point) = anchor else { return Ok(anchor) };
        let local = self.to_local(&self.bodies.rows[body as usize], point);
        super::check::check(&local.to_array(), "an anchor must be finite, and within 1e9 of its body")?;
        Ok(Anchor::Local(local))
    }
}

/// Refuses a joint that could not hold in a world that wraps round, where two bodies are never
/// farther apart than half a period.
pub(crate) fn check_joint(def: &JointDef, world: &WorldDef) -> Result<(), Error> {
    if world.period().is_none() {
        return Ok(());
    }
    let arm = |anchor: Anchor| if let Anchor::Local(point) = anchor { point.length() } else { 0.0 };
    let of_kind = match def.kind {
        JointKind::Distance { length, .. } | JointKind::Pulley { length, .. } => length.unwrap_or(0.0),
        JointKind::Motor { offset, .. } => offset.length(),
        _ => 0.0,
    };
    let along = |drive: &Drive| {
        let limits = drive.limits.map_or([0.0; 2], |limits| [limits.lower, limits.upper]);
        let target = drive.servo.map_or(0.0, |servo| servo.target);
        let ends = limits.into_iter().chain([target]).filter(|end| end.is_finite());
        ends.fold(0.0, |most, end| crate::math::max(most, end.abs()))
    };
    let driven = match &def.kind {
        JointKind::Prismatic { .. } | JointKind::Distance { .. } | JointKind::Rope => along(&def.drive),
        JointKind::Wheel { suspension, .. } => along(suspension),
        _ => 0.0,
    };
    let (arm_a, arm_b, length) = (arm(def.anchor_a), arm(def.anchor_b), crate::math::max(of_kind, driven));
    let (longest, quarter) =
        ([arm_a, arm_b, length].into_iter().fold(0.0, crate::math::max), world.period().least() / 4.0);
    // Centres of mass lie a sixteenth beside the origins of their bodies: half a period in all.
    if longest <= quarter && arm_a + arm_b + length <= 1.5 * quarter {
        return Ok(());
    }
    Err(Error::BadNumber(
        "where a world wraps round, a joint may be a quarter of the period long, and three eighths with its arms",
    ))
}

/// Lists.
impl World {
    /// The bodies of a joint may touch each other from now on, or may not.
    fn refilter_pair(&mut self, slot: u32) {
        let Joint { body_a, body_b, def, .. } = self.joints.rows[slot as usize];
        if body_a == NONE {
            return;
        }
        if def.collide || !def.enabled {
            self.contacts_between_anew(body_a, body_b);
        } else {
            self.end_contacts_between(body_a, body_b);
        }
    }

    /// Wakes the bodies of a joint, also bodies that were about to fall asleep.
    fn wake_ends(&mut self, slot: u32) {
        let Joint { body_a, body_b, .. } = self.joints.rows[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            self.wake(body);
            self.bodies.rows[body as usize].sleep_time = 0.0;
            self.islands.told_to_sleep.retain(|&other| other != body);
        }
    }
}

/// Reading.
impl World {
    /// A joint, if it is still there.
    #[must_use]
    pub fn get_joint(&self, id: JointId) -> Option<&Joint> {
        self.joints.slots.holds(id.index(), id.generation()).then(|| &self.joints.rows[id.index()])
    }

    /// All joints, in the order of their places.
    pub fn joints(&self) -> impl Iterator<Item = (JointId, &Joint)> {
        self.joints.slots.iter().map(|slot| (self.joint_id(slot), &self.joints.rows[slot as usize]))
    }

    /// The joints of a body, in the order they were added; none if the body is gone.
    pub fn joints_of(&self, id: BodyId) -> impl Iterator<Item = (JointId, &Joint)> {
        let body = self.slot_of(id).ok();
        let slots = body.into_iter().flat_map(|body| self.joint_slots_of(body));
        slots.map(|slot| (self.joint_id(slot), &self.joints.rows[slot as usize]))
    }

    /// How many joints there are.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints.slots.len()
    }

    pub(crate) fn joint_slot_of(&self, id: JointId) -> Result<u32, Error> {
        self.get_joint(id).map(|_| id.index() as u32).ok_or(Error::NoSuchJoint(id))
    }

    pub(crate) fn joint_id(&self, slot: u32) -> JointId {
        let generation = self.joints.slots.tenant(slot).unwrap_or(core::num::NonZeroU32::MIN);
        JointId::new(slot, generation)
    }
}

impl Index<JointId> for World {
    type Output = Joint;

    /// # Panics
    /// When the joint is gone; [`World::get_joint`] returns `None` instead.
    #[track_caller]
    #[expect(clippy::panic, reason = "what indexing does; there is a function that does not")]
    fn index(&self, id: JointId) -> &Joint {
        match self.get_joint(id) {
            Some(joint) => joint,
            None => panic!("{}", Error::NoSuchJoint(id)),
        }
    }
}

/// The lanes of a block that are in use, and the joints in them.
pub(crate) fn lanes_of(of_block: &[u32; LANES]) -> impl Iterator<Item = (usize, u32)> {
    of_block.iter().copied().enumerate().filter(|&(_, slot)| slot != NO_JOINT)
}

/// Whether two couplings keep the same sum of the same axes.
fn couples_alike(a: &JointKind, b: &JointKind) -> bool {
    (a.gears(), a.ratio()) == (b.gears(), b.ratio()) && a.gears().is_some()
}
