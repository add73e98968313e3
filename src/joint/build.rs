//! Definitions in one line: a function per kind, and builder methods for its options.
//!
//! In: ids and numbers. Out: a [`JointDef`]. An option that does not fit the kind is noted, and
//! refused by the world.
//!
//! ```text
//!   limits                  revolute, prismatic, rope, distance
//!   angle_limits            revolute, wheel             travel_limits   prismatic, wheel
//!   motor, servo            revolute, prismatic, rope, wheel; distance if it has limits or is soft
//!   soft                    revolute, prismatic, distance, rope, weld, wheel
//!   angle                   all but gears
//!   axis                    prismatic, wheel                suspension      wheel
//!   length                  distance, pulley                bend            weld
//!   force_range             servos; distance if it is soft  to              motor
//!   strength                motor, friction                 drag_to         motor
//!   ratio                   gear, pulley
//! ```

use glam::Vec2;

use super::def::{Anchor, Drive, JointDef, JointKind, Limits, Servo, Spring};
use crate::body::{BodyId, JointId};
use crate::math::WorldPoint;

/// One function per kind.
impl JointDef {
    fn new(kind: JointKind, body_a: Option<BodyId>, body_b: BodyId) -> JointDef {
        JointDef {
            kind,
            body_a,
            body_b,
            anchor_a: Anchor::default(),
            anchor_b: Anchor::default(),
            angle: None,
            drive: Drive::default(),
            spring: None,
            break_force: f32::INFINITY,
            break_torque: f32::INFINITY,
            collide: false,
            enabled: true,
            user_data: 0,
            misfit: None,
        }
    }

    /// A hinge (pin): a point of each body stays with that of the other, and B turns about it.
    ///
    /// As with every kind, the anchors are the origins of the bodies unless [`JointDef::at`],
    /// [`JointDef::between`] or [`JointDef::anchors`] says otherwise, and `None` for A is the
    /// world.
    #[must_use]
    pub fn revolute(a: impl Into<Option<BodyId>>, b: BodyId) -> JointDef {
        JointDef::new(JointKind::Revolute, a.into(), b)
    }

    /// A slider: B moves along `axis`, given in the frame of A (of any length), and does not turn
    /// against A.
    #[must_use]
    pub fn prismatic(a: impl Into<Option<BodyId>>, b: BodyId, axis: impl Into<Vec2>) -> JointDef {
        JointDef::new(JointKind::Prismatic { axis: axis.into() }, a.into(), b)
    }

    /// A rod: it keeps the distance that the anchors have when it is added, or
    /// [`JointDef::length`].
    #[must_use]
    pub fn distance(a: impl Into<Option<BodyId>>, b: BodyId) -> JointDef {
        JointDef::new(JointKind::Distance { length: None, force: Limits::NONE }, a.into(), b)
    }

    /// A rope between the anchors: they are at most `max` metres apart.
    #[must_use]
    pub fn rope(a: impl Into<Option<BodyId>>, b: BodyId, max: f32) -> JointDef {
        JointDef::new(JointKind::Rope, a.into(), b).limits(0.0, max)
    }

    /// A weld: B keeps its place and angle against A.
    #[must_use]
    pub fn weld(a: impl Into<Option<BodyId>>, b: BodyId) -> JointDef {
        JointDef::new(JointKind::Weld { bend: None }, a.into(), b)
    }

    /// A wheel B under a car A, sprung along `axis`, given in the frame of A.
    #[must_use]
    pub fn wheel(a: impl Into<Option<BodyId>>, b: BodyId, axis: impl Into<Vec2>, spring: Spring) -> JointDef {
        let suspension = Drive { servo: Some(Servo::new(0.0, spring)), ..Drive::default() };
        JointDef::new(JointKind::Wheel { axis: axis.into(), suspension }, a.into(), b)
    }

    /// Moves B to A's place and turn by a spring, of any strength: [`JointDef::to`] and
    /// [`JointDef::strength`] change that.
    #[must_use]
    pub fn motor_to(a: impl Into<Option<BodyId>>, b: BodyId, spring: Spring) -> JointDef {
        let (max_force, max_torque) = (f32::INFINITY, f32::INFINITY);
        let kind = JointKind::Motor { offset: Vec2::ZERO, angle: 0.0, spring, max_force, max_torque };
        JointDef { angle: Some(0.0), ..JointDef::new(kind, a.into(), b) }
    }

    /// Drags a body by the point of it that is at `point` now, as a mouse does; `max_force` in N.
    /// [`JointDef::drag_to`] drags it elsewhere.
    #[must_use]
    pub fn drag(body: BodyId, point: impl Into<WorldPoint>, max_force: f32) -> JointDef {
        let spring = Spring::new(5.0, 1.0);
        let kind = JointKind::Motor { offset: Vec2::ZERO, angle: 0.0, spring, max_force, max_torque: 0.0 };
        JointDef::new(kind, None, body).at(point).collide()
    }

    /// Friction between B and A wherever they are: forces up to `max_force` N and torques up to
    /// `max_torque` N m against their relative motion. For things seen from above on a floor.
    #[must_use]
    pub fn friction(a: impl Into<Option<BodyId>>, b: BodyId, max_force: f32, max_torque: f32) -> JointDef {
        JointDef::new(JointKind::Friction { max_force, max_torque }, a.into(), b).collide()
    }

    /// A gear: couples the free axes of two joints, revolute or prismatic, so that q of the first +
    /// `ratio` × q of the second keeps its value at the time when the gear is added. It acts on the
    /// bodies of the two joints, and ignores the bodies of the definition.
    #[must_use]
    pub fn gear(first: JointId, second: JointId, ratio: f32) -> JointDef {
        let kind = JointKind::Gear { first, second, ratio };
        let nobody = BodyId::new(u32::MAX, core::num::NonZeroU32::MAX);
        JointDef::new(kind, None, nobody).collide()
    }

    /// A pulley: a rope from A over two points of the world to B. The distance of A's anchor from
    /// `ground_a` plus `ratio` × that of B's anchor from `ground_b` does not grow; `ratio` is above
    /// 0.
    #[must_use]
    pub fn pulley(
        a: BodyId,
        b: BodyId,
        ground_a: impl Into<WorldPoint>,
        ground_b: impl Into<WorldPoint>,
        ratio: f32,
    ) -> JointDef {
        let (ground_a, ground_b) = (ground_a.into(), ground_b.into());
        JointDef::new(JointKind::Pulley { ground_a, ground_b, ratio, length: None }, Some(a), b).collide()
    }

    /// Keeps two bodies from touching each other.
    #[must_use]
    pub fn filter(a: BodyId, b: BodyId) -> JointDef {
        JointDef::new(JointKind::Filter, Some(a), b)
    }
}

/// Options of all kinds.
impl JointDef {
    /// With both anchors at a point of the world.
    #[must_use]
    pub fn at(self, point: impl Into<WorldPoint>) -> JointDef {
        let point = Anchor::World(point.into());
        JointDef { anchor_a: point, anchor_b: point, ..self }
    }

    /// With an anchor in the frame of each body.
    #[must_use]
    pub fn anchors(self, a: impl Into<Vec2>, b: impl Into<Vec2>) -> JointDef {
        JointDef { anchor_a: Anchor::Local(a.into()), anchor_b: Anchor::Local(b.into()), ..self }
    }

    /// With an anchor on each body, given as points of the world.
    #[must_use]
    pub fn between(self, a: impl Into<WorldPoint>, b: impl Into<WorldPoint>) -> JointDef {
        JointDef { anchor_a: Anchor::World(a.into()), anchor_b: Anchor::World(b.into()), ..self }
    }

    /// With the angle from A to B that counts as 0, in radians, within 1e4.
    #[must_use]
    pub fn angle(self, angle: f32) -> JointDef {
        JointDef { angle: Some(angle), ..self }
    }

    /// Breaking when it has to hold more than `force` N or `torque` N m in a step, which
    /// [`Events::broken`](crate::Events::broken) tells. 0 or more; infinite for never, the default.
    #[must_use]
    pub fn breaks_at(self, force: f32, torque: f32) -> JointDef {
        JointDef { break_force: force, break_torque: torque, ..self }
    }

    /// Its two bodies may touch each other. Without it they pass through each other, except for
    /// gears, pulleys, friction and drags.
    #[must_use]
    pub fn collide(self) -> JointDef {
        JointDef { collide: true, ..self }
    }

    /// Off, until [`World::set_joint_enabled`](crate::World::set_joint_enabled) says otherwise.
    #[must_use]
    pub fn disabled(self) -> JointDef {
        JointDef { enabled: false, ..self }
    }

    /// With a number of the program's own.
    #[must_use]
    pub fn user_data(self, user_data: u64) -> JointDef {
        JointDef { user_data, ..self }
    }
}

/// Limits and drives of free axes, and softness.
impl JointDef {
    /// With limits of the free axis: the angle of a hinge in radians, the travel of a slider or the
    /// length of a rope in metres; infinite for none on that side. `lower` above `upper` is refused
    /// by [`World::add_joint`](crate::World::add_joint). A rod with limits is a telescope. A wheel
    /// has two free axes, so it is refused here: see [`JointDef::travel_limits`] and
    /// [`JointDef::angle_limits`]. Other kinds have none.
    #[must_use]
    pub fn limits(self, lower: f32, upper: f32) -> JointDef {
        match self.kind {
            JointKind::Wheel { .. } => self.not("a wheel has `travel_limits` (its spring) or `angle_limits`"),
            _ => JointDef { drive: self.drive.limits(lower, upper), ..self },
        }
    }

    /// With limits of the angle of a hinge or a wheel, in radians. A wheel with these does not roll
    /// on beyond them.
    #[must_use]
    pub fn angle_limits(self, lower: f32, upper: f32) -> JointDef {
        match self.kind {
            JointKind::Revolute | JointKind::Wheel { .. } => {
                JointDef { drive: self.drive.limits(lower, upper), ..self }
            }
            _ => self.not("limits of an angle are for hinges and wheels"),
        }
    }

    /// With limits of the travel along the axis, in metres: for a slider, or for the suspension of
    /// a wheel.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
    /// let car = world.add(BodyDef::dynamic().at([0.0, 0.9]).shape(Shape::rect(3.0, 0.5)))?;
    /// for x in [-1.0, 1.0] {
    ///     let tyre = Shape::circle(0.4);
    ///     let tyre = world.add(BodyDef::dynamic().at([x, 0.4]).shape(tyre))?;
    ///     let wheel = JointDef::wheel(car, tyre, [0.0, 1.0], Spring::new(4.0, 0.7)).at([x, 0.4]);
    ///     world.add_joint(wheel.travel_limits(-0.2, 0.2).motor(-10.0, 20.0))?; // clockwise: to the right
    /// }
    /// for _ in 0..120 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(world[car].position().x > 2.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn travel_limits(mut self, lower: f32, upper: f32) -> JointDef {
        match &mut self.kind {
            JointKind::Prismatic { .. } => self.drive = self.drive.limits(lower, upper),
            JointKind::Wheel { suspension, .. } => *suspension = suspension.limits(lower, upper),
            _ => return self.not("limits of a way are for sliders and wheels"),
        }
        self
    }

    /// With a motor for the free axis, see [`JointDef::limits`]; on a wheel, for its rotation. It
    /// goes at `speed` radians a second with a torque of at most `max` N m, or at `speed` m/s with
    /// a force of at most `max` N; infinite for any. At speed 0 it is friction, or a brake.
    #[must_use]
    pub fn motor(self, speed: f32, max: f32) -> JointDef {
        JointDef { drive: self.drive.motor(speed, max), ..self }
    }

    /// With a spring that pulls the free axis to `target`, in radians or metres, see
    /// [`JointDef::limits`]. A soft rod or
    /// rope has its spring already.
    #[must_use]
    pub fn servo(self, target: f32, spring: Spring) -> JointDef {
        JointDef { drive: self.drive.servo(target, spring), ..self }
    }

    /// With a least and a greatest force in N (torque in N m) of its servo, or of its spring if it
    /// is a soft rod: positive ones work towards greater values, so 0 and more only pushes, 0 and
    /// less only pulls.
    #[must_use]
    pub fn force_range(mut self, least: f32, most: f32) -> JointDef {
        match &mut self.kind {
            JointKind::Distance { force, .. } if self.drive.servo.is_none() => {
                *force = Limits::new(least, most)
            }
            _ if self.drive.servo.is_none() => {
                return self.not("a range of forces is for servos and soft rods");
            }
            _ => self.drive = self.drive.force_range(least, most),
        }
        self
    }

    /// Soft: locked axes of hinges, sliders, welds and wheels become springs, and so does the
    /// length of a rod, or of a rope beyond its limit. Motors and friction are limited by their
    /// strength; gears, pulleys and filters cannot be soft.
    ///
    /// A spring swings at its frequency where it pulls through both centres of mass; a hinge, weld
    /// or drag off the centre swings a little slower in one direction and faster in the other, as
    /// its stiffness is the same in all directions. A spring too fast for a sub-step is made
    /// softer.
    #[must_use]
    pub fn soft(self, spring: Spring) -> JointDef {
        JointDef { spring: Some(spring), ..self }
    }
}

/// Options of some kinds.
impl JointDef {
    /// With an axis in the frame of A, for sliders and wheels.
    #[must_use]
    pub fn axis(mut self, to: impl Into<Vec2>) -> JointDef {
        match &mut self.kind {
            JointKind::Prismatic { axis } | JointKind::Wheel { axis, .. } => *axis = to.into(),
            _ => return self.not("an axis is for sliders and wheels"),
        }
        self
    }

    /// With a length in metres, for rods and pulleys.
    #[must_use]
    pub fn length(mut self, metres: f32) -> JointDef {
        match &mut self.kind {
            JointKind::Distance { length, .. } | JointKind::Pulley { length, .. } => *length = Some(metres),
            _ => return self.not("a length is for rods and pulleys; a rope has limits"),
        }
        self
    }

    /// Bending like a leaf spring, for welds: the angle is held by `spring`, the place as it was.
    #[must_use]
    pub fn bend(mut self, spring: Spring) -> JointDef {
        match &mut self.kind {
            JointKind::Weld { bend } => *bend = Some(spring),
            _ => return self.not("bending is for welds"),
        }
        self
    }

    /// With another suspension, for wheels: spring, limits and motor along its axis, in metres, m/s
    /// and N. It replaces the spring that [`JointDef::wheel`] was given.
    #[must_use]
    pub fn suspension(mut self, drive: Drive) -> JointDef {
        match &mut self.kind {
            JointKind::Wheel { suspension, .. } => *suspension = drive,
            _ => return self.not("a suspension is for wheels"),
        }
        self
    }

    /// With a place for B's anchor in the frame of A, from A's anchor, and an angle to turn to, for
    /// motors.
    #[must_use]
    pub fn to(mut self, place: impl Into<Vec2>, turn: f32) -> JointDef {
        match &mut self.kind {
            JointKind::Motor { offset, angle, .. } => (*offset, *angle) = (place.into(), turn),
            _ => return self.not("a place to go to is for motors"),
        }
        self
    }

    /// With a greatest force in N and a greatest torque in N m, for motors and friction.
    #[must_use]
    pub fn strength(mut self, force: f32, torque: f32) -> JointDef {
        match &mut self.kind {
            JointKind::Motor { max_force, max_torque, .. }
            | JointKind::Friction { max_force, max_torque } => {
                (*max_force, *max_torque) = (force, torque);
            }
            _ => return self.not("a strength is for motors and friction"),
        }
        self
    }

    /// Dragging to another point of the world, for motors on the world such as [`JointDef::drag`].
    #[must_use]
    pub fn drag_to(self, point: impl Into<WorldPoint>) -> JointDef {
        match self.kind {
            JointKind::Motor { .. } => JointDef { anchor_a: Anchor::World(point.into()), ..self },
            _ => self.not("dragging is for motors"),
        }
    }

    /// With another ratio, for gears and pulleys.
    #[must_use]
    pub fn ratio(mut self, to: f32) -> JointDef {
        match &mut self.kind {
            JointKind::Gear { ratio, .. } | JointKind::Pulley { ratio, .. } => *ratio = to,
            _ => return self.not("a ratio is for gears and pulleys"),
        }
        self
    }

    fn not(self, rule: &'static str) -> JointDef {
        JointDef { misfit: Some(rule), ..self }
    }
}
