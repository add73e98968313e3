//! Joints of a world: adding, changing, removing, reading back.
//!
//! In: definitions from the user, checked before anything changes. Out: joints in the lists of their bodies; or an error, and a
//! world as it was. `hold.rs` brings them to the solver and back, `touch.rs` makes welds of touches.
//!
//! Every body has a list of its joints, in the order they were added: `first_joint` by slot, then `next_a` or `next_b`,
//! whichever side of the joint the body is.

mod couple;
mod hold;
mod read;
mod touch;

pub use read::JointState;

use core::ops::Index;
use glam::Vec2;

use super::World;
use crate::body::{Body, BodyId, JointId, NONE};
use crate::broadphase::Pair;
use crate::error::Error;
use crate::event::JointLoss;
use crate::joint::{Anchor, Impulses, Joint, JointDef, JointKind, Rule};
use crate::math::{Rot, WorldPoint};

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
    /// A body or a joint that is gone, a joint from a body to itself, or the first number that breaks a rule; the world is
    /// unchanged then.
    pub fn add_joint(&mut self, def: JointDef) -> Result<JointId, Error> {
        let (def, slots) = self.resolve(def)?;
        let (slot, generation) = self.joint_slots.take();
        let mut joint = Joint::new(def, slots.0, slots.1, self.joint_serial);
        self.joint_serial += 1;
        joint.angle = self.angle_near(&joint, def.angle.unwrap_or(0.0));
        if slot as usize == self.joints.len() {
            self.joints.push(joint);
        } else {
            self.joints[slot as usize] = joint;
        }
        self.enlist(slot);
        self.tie(slot);
        Ok(JointId::new(slot, generation))
    }

    /// Changes a joint: `change` edits its definition, and the joint goes on with what it says then. Its bodies wake. Gears that couple
    /// it are lost when it gets another kind or other bodies.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let wheel = world.add(BodyDef::dynamic().shape(Shape::circle(1.0)))?;
    /// let axle = world.add_joint(JointDef::revolute(None, wheel).motor(2.0, 100.0))?;
    /// world.change_joint(axle, |def| def.drive.motor = None)?;
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A joint that is gone, or what [`World::add_joint`] would refuse; the joint stays as it was then.
    pub fn change_joint(&mut self, id: JointId, change: impl FnOnce(&mut JointDef)) -> Result<(), Error> {
        let slot = self.joint_slot_of(id)?;
        let mut def = self.joints[slot as usize].def;
        change(&mut def);
        let (def, slots) = self.resolve(def)?;
        if let JointKind::Gear { first, second, .. } = def.kind
            && (first == id || second == id)
        {
            return Err(Error::NotGearable(id));
        }
        self.loosen(slot);
        self.bring_home();
        let old = self.joints[slot as usize].clone();
        let joint = &old;
        let same = joint.body_a == slots.0 && joint.body_b == slots.1;
        let like = core::mem::discriminant(&joint.def.kind) == core::mem::discriminant(&def.kind);
        if !same || !like {
            self.lose_gears_of(id);
        }
        if !same {
            self.delist(slot);
        }
        let joint = &mut self.joints[slot as usize];
        joint.def = def;
        (joint.body_a, joint.body_b) = slots;
        if !same || !like {
            joint.impulses = Impulses::default();
        }
        if !same {
            self.enlist(slot);
        }
        let near = if same { self.joints[slot as usize].angle } else { def.angle.unwrap_or(0.0) };
        self.joints[slot as usize].angle = self.angle_near(&self.joints[slot as usize], near);
        self.tie(slot);
        if !same && !old.def.collide && old.body_a != NONE {
            self.contacts_between_anew(old.body_a, old.body_b);
        }
        Ok(())
    }

    /// Removes a joint, and gears that couple it. Its bodies wake.
    ///
    /// # Errors
    /// A joint that is gone already.
    pub fn remove_joint(&mut self, id: JointId) -> Result<(), Error> {
        let slot = self.joint_slot_of(id)?;
        self.drop_joint(slot);
        Ok(())
    }

    /// Takes a joint out, and says of the gears it was in that they are lost.
    pub(crate) fn drop_joint(&mut self, slot: u32) {
        let id = self.joint_id(slot);
        self.lose_gears_of(id);
        self.bring_home();
        self.loosen(slot);
        self.delist(slot);
        self.joint_slots.release(slot);
        self.joints[slot as usize].place = NONE;
        // The two may touch each other again.
        let Joint { body_a, body_b, def, .. } = self.joints[slot as usize];
        if !def.collide && body_a != NONE {
            self.contacts_between_anew(body_a, body_b);
        }
    }

    /// Takes out all joints of a body that leaves the world.
    pub(crate) fn lose_joints_of(&mut self, body: u32) {
        while self.first_joint[body as usize] != NONE {
            self.lose(self.first_joint[body as usize]);
        }
    }

    fn lose_gears_of(&mut self, id: JointId) {
        if !self.joint_slots.holds(id.index(), id.generation()) {
            return;
        }
        let joint = &self.joints[id.index()];
        let couples = |slot: &u32| {
            let kind = self.joints[*slot as usize].def.kind;
            matches!(kind, JointKind::Gear { first, second, .. } if first == id || second == id)
        };
        let mut gears: Vec<u32> = [joint.body_a, joint.body_b]
            .into_iter()
            .filter(|&body| body != NONE)
            .flat_map(|body| self.joint_slots_of(body))
            .filter(couples)
            .collect();
        gears.sort_unstable();
        gears.dedup();
        gears.into_iter().for_each(|gear| self.lose(gear));
    }

    fn lose(&mut self, slot: u32) {
        let loss = self.loss_of(slot);
        self.next_events.lost.push(loss);
        self.drop_joint(slot);
    }

    fn loss_of(&self, slot: u32) -> JointLoss {
        let def = &self.joints[slot as usize].def;
        let JointDef { body_a, body_b, user_data, .. } = *def;
        JointLoss { joint: self.joint_id(slot), body_a, body_b, user_data }
    }
}

/// Filling in what a definition leaves open.
impl World {
    /// A definition that can be kept, and the slots it names.
    fn resolve(&self, mut def: JointDef) -> Result<(JointDef, Slots), Error> {
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
        let apart = self.anchor_point(def.anchor_a, body_a).to(self.anchor_point(def.anchor_b, body_b));
        if let JointKind::Distance { length } = &mut def.kind {
            *length = Some(length.unwrap_or(apart.length()));
        }
        if let JointKind::Pulley { ground_a, ground_b, ratio, length } = &mut def.kind {
            let to_a = ground_a.to(self.anchor_point(def.anchor_a, body_a)).length();
            let to_b = ground_b.to(self.anchor_point(def.anchor_b, body_b)).length();
            *length = Some(length.unwrap_or(to_a + *ratio * to_b));
        }
        let turned = (self.rotation_of(body_a).inverse() * self.rotation_of(body_b)).angle();
        def.angle = Some(def.angle.unwrap_or(turned));
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

    /// The body that a geared joint moves: its second one, unless only the first one gives way.
    fn mover_of(&self, id: JointId) -> Result<u32, Error> {
        let joint = &self.joints[self.joint_slot_of(id)? as usize];
        if !matches!(joint.def.kind, JointKind::Revolute | JointKind::Prismatic { .. }) {
            return Err(Error::NotGearable(id));
        }
        let dynamic = |slot: u32| self.bodies[slot as usize].has(crate::body::flag::DYNAMIC);
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
        let local = self.bodies[body as usize].to_local(point);
        super::build::check(&local.to_array(), "an anchor must be finite, and within 1e9 of its body")?;
        Ok(Anchor::Local(local))
    }

    /// Where an anchor is.
    pub(crate) fn anchor_point(&self, anchor: Anchor, body: u32) -> WorldPoint {
        match anchor {
            Anchor::World(point) => point,
            Anchor::Local(point) if body == NONE => WorldPoint::from(point),
            Anchor::Local(point) => self.bodies[body as usize].to_world(point),
        }
    }

    pub(crate) fn rotation_of(&self, body: u32) -> Rot {
        if body == NONE { Rot::IDENTITY } else { self.bodies[body as usize].rotation }
    }

    /// The angle of B against A, with as many turns as bring it next to `near`.
    pub(crate) fn angle_near(&self, joint: &Joint, near: f32) -> f32 {
        let raw = (self.rotation_of(joint.body_a).inverse() * self.rotation_of(joint.body_b)).angle();
        raw + core::f32::consts::TAU * ((near - raw) / core::f32::consts::TAU).round()
    }
}

/// Lists.
impl World {
    /// The joints of a body, in the order they were added.
    pub(crate) fn joint_slots_of(&self, body: u32) -> impl Iterator<Item = u32> + '_ {
        let first = Some(self.first_joint[body as usize]).filter(|&slot| slot != NONE);
        core::iter::successors(first, move |&slot| {
            Some(self.next_joint(slot, body)).filter(|&slot| slot != NONE)
        })
    }

    fn next_joint(&self, slot: u32, body: u32) -> u32 {
        let joint = &self.joints[slot as usize];
        if joint.body_a == body { joint.next_a } else { joint.next_b }
    }

    fn set_next(&mut self, slot: u32, body: u32, next: u32) {
        let joint = &mut self.joints[slot as usize];
        if joint.body_a == body {
            joint.next_a = next;
        } else {
            joint.next_b = next;
        }
    }

    /// Puts a joint at the end of the lists of its bodies.
    fn enlist(&mut self, slot: u32) {
        let Joint { body_a, body_b, .. } = self.joints[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            self.set_next(slot, body, NONE);
            match self.joint_slots_of(body).last() {
                Some(last) => self.set_next(last, body, slot),
                None => self.first_joint[body as usize] = slot,
            }
        }
        self.relink = true;
    }

    fn delist(&mut self, slot: u32) {
        let Joint { body_a, body_b, .. } = self.joints[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            let next = self.next_joint(slot, body);
            let before = self.joint_slots_of(body).find(|&other| self.next_joint(other, body) == slot);
            match before {
                Some(before) => self.set_next(before, body, next),
                None => self.first_joint[body as usize] = next,
            }
        }
        self.relink = true;
    }

    /// After a joint was made or changed: its bodies wake, and may not touch each other unless it says so.
    fn tie(&mut self, slot: u32) {
        let Joint { body_a, body_b, def, .. } = self.joints[slot as usize];
        self.wake_ends(slot);
        self.relink = true;
        self.joints[slot as usize].sum = self.sum_of(slot);
        if body_a == NONE {
            return;
        }
        if def.collide {
            self.contacts_between_anew(body_a, body_b);
        } else {
            self.end_contacts_between(body_a, body_b);
        }
    }

    /// Before a joint is changed or removed.
    fn loosen(&mut self, slot: u32) {
        self.wake_ends(slot);
        self.relink = true;
    }

    fn wake_ends(&mut self, slot: u32) {
        let Joint { body_a, body_b, .. } = self.joints[slot as usize];
        for body in [body_a, body_b].into_iter().filter(|&body| body != NONE) {
            self.wake(body);
            self.bodies[body as usize].sleep_time = 0.0;
        }
    }

    /// Wakes what hangs on a body by joints.
    pub(crate) fn wake_jointed(&mut self, body: u32) {
        let mut slot = self.first_joint[body as usize];
        while slot != NONE {
            let Joint { body_a, body_b, .. } = self.joints[slot as usize];
            for other in [body_a, body_b].into_iter().filter(|&other| other != NONE && other != body) {
                self.wake(other);
            }
            slot = self.next_joint(slot, body);
        }
    }

    /// The awake dynamic bodies that joints hold together with one, directly or through others, up to [`MOST_HELD`]; itself left
    /// out.
    pub(crate) fn held_with(&self, body: u32) -> Vec<u32> {
        let mut found = vec![body];
        let mut next = 0;
        while let Some(&body) = found.get(next) {
            next += 1;
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints[slot as usize];
                let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
                let gives = |slot: u32| {
                    let body = &self.bodies[slot as usize];
                    body.is_awake() && body.has(crate::body::flag::DYNAMIC)
                };
                let holds = || joint.def.makeup().rules.iter().any(|rule| matches!(rule, Rule::Held(_)));
                let room = found.len() < MOST_HELD;
                if room && other != NONE && gives(other) && !found.contains(&other) && holds() {
                    found.push(other);
                }
            }
        }
        found.remove(0);
        found
    }

    /// Whether joints let two bodies touch each other.
    pub(crate) fn joints_allow(&self, a: u32, b: u32) -> bool {
        if self.first_joint[a as usize] == NONE || self.first_joint[b as usize] == NONE {
            return true;
        }
        self.joint_slots_of(a).all(|slot| {
            let joint = &self.joints[slot as usize];
            joint.def.collide || (joint.body_a != b && joint.body_b != b)
        })
    }

    /// The pairs of parts of two bodies that are near each other.
    fn pairs_between(&self, a: u32, b: u32) -> Vec<Pair> {
        let shapes = self.shape_slots_from(self.bodies[a as usize].first_shape);
        let is_other = |proxy: u32| self.proxies.rows[proxy as usize].body == b;
        shapes
            .flat_map(|shape| self.pairs_of(shape))
            .filter(|pair| is_other(pair.a) || is_other(pair.b))
            .collect()
    }

    fn end_contacts_between(&mut self, a: u32, b: u32) {
        if self.contact_counts[a as usize] == 0 || self.contact_counts[b as usize] == 0 {
            return;
        }
        for pair in self.pairs_between(a, b) {
            if let Some(contact) = self.contacts.find(pair) {
                self.end_contact(contact);
            }
        }
    }

    /// Pairs of parts of two bodies may make contacts again.
    pub(crate) fn contacts_between_anew(&mut self, a: u32, b: u32) {
        for pair in self.pairs_between(a, b) {
            if self.grid.pairs().binary_search(&pair).is_ok() {
                self.begin_contact(pair);
            }
        }
    }
}

/// Reading.
impl World {
    /// A joint, if it is still there.
    #[must_use]
    pub fn get_joint(&self, id: JointId) -> Option<&Joint> {
        self.joint_slots.holds(id.index(), id.generation()).then(|| &self.joints[id.index()])
    }

    /// All joints, in the order of their places.
    pub fn joints(&self) -> impl Iterator<Item = (JointId, &Joint)> {
        self.joint_slots.iter().map(|slot| (self.joint_id(slot), &self.joints[slot as usize]))
    }

    /// The joints of a body, in the order they were added; none if the body is gone.
    pub fn joints_of(&self, id: BodyId) -> impl Iterator<Item = (JointId, &Joint)> {
        let body = self.slot_of(id).ok();
        let slots = body.into_iter().flat_map(|body| self.joint_slots_of(body));
        slots.map(|slot| (self.joint_id(slot), &self.joints[slot as usize]))
    }

    /// How many joints there are.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joint_slots.len()
    }

    pub(crate) fn joint_slot_of(&self, id: JointId) -> Result<u32, Error> {
        self.get_joint(id).map(|_| id.index() as u32).ok_or(Error::NoSuchJoint(id))
    }

    pub(crate) fn joint_id(&self, slot: u32) -> JointId {
        let generation = self.joint_slots.tenant(slot).unwrap_or(core::num::NonZeroU32::MIN);
        JointId::new(slot, generation)
    }
}

impl Index<JointId> for World {
    type Output = Joint;

    /// # Panics
    /// When the joint is gone; [`World::get_joint`] does not.
    #[track_caller]
    fn index(&self, id: JointId) -> &Joint {
        match self.get_joint(id) {
            Some(joint) => joint,
            None => panic!("{}", Error::NoSuchJoint(id)),
        }
    }
}

/// Most bodies that are held up because one of them is. More would stop a whole net for one of its knots.
const MOST_HELD: usize = 64;

/// From a body's centre of mass to a point in its frame.
pub(super) fn arm(body: &Body, point: Vec2) -> Vec2 {
    body.rotation * (point - body.local_center)
}
