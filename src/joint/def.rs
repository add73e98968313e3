//! Definitions: what a joint is made from.
//!
//! In: numbers from the user, in plain structs with public fields. Out: the same, checked by [`JointDef::check`] when a
//! world takes them. A joint has two bodies, a point on each, a kind, and a drive for what the kind leaves free.

use glam::Vec2;

use crate::body::{BodyId, JointId};
use crate::error::Error;
use crate::math::WorldPoint;
use crate::tuning::MAX_SIZE;

/// Where a joint holds a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Anchor {
    /// A point of the world; it is fixed to the body as the body stands when the joint is added or changed.
    World(WorldPoint),
    /// A point in the frame of the body.
    Local(Vec2),
}

impl Default for Anchor {
    /// The origin of the body.
    fn default() -> Anchor {
        Anchor::Local(Vec2::ZERO)
    }
}

/// A spring by how it swings, so that it does not depend on the masses it is fixed to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    /// Oscillations a second.
    pub hertz: f32,
    /// Damping ratio: 0 swings for ever, 1 comes to rest without swinging.
    pub damping: f32,
}

impl Spring {
    /// A spring of `hertz` oscillations a second and a damping ratio.
    #[must_use]
    pub fn new(hertz: f32, damping: f32) -> Spring {
        Spring { hertz, damping }
    }
}

/// A range, ends included. Angles may run over many turns.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// The least value.
    pub lower: f32,
    /// The greatest value.
    pub upper: f32,
}

impl Limits {
    /// From `lower` to `upper`.
    #[must_use]
    pub fn new(lower: f32, upper: f32) -> Limits {
        Limits { lower, upper }
    }
}

/// What turns or shifts at a speed, with limited strength. At speed 0 it is friction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motor {
    /// In radians a second, or m/s.
    pub speed: f32,
    /// Greatest torque in N m, or force in N; infinite for any.
    pub max: f32,
}

/// What pulls to a place by a spring, with limited strength.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Servo {
    /// Where to: radians, or metres.
    pub target: f32,
    /// How.
    pub spring: Spring,
    /// Least and greatest torque or force: positive ones work towards greater values. A lower end of 0 only pushes, an upper
    /// end of 0 only pulls.
    pub force: Limits,
}

impl Servo {
    /// A spring to `target` of any strength.
    #[must_use]
    pub fn new(target: f32, spring: Spring) -> Servo {
        Servo { target, spring, force: Limits::new(f32::NEG_INFINITY, f32::INFINITY) }
    }

    /// With a greatest strength both ways.
    #[must_use]
    pub fn max(self, max: f32) -> Servo {
        Servo { force: Limits::new(-max, max), ..self }
    }
}

/// What is done with a number that a joint leaves free: an angle, a way, a length. Nothing, unless it says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drive {
    /// Where it has to stay.
    pub limits: Option<Limits>,
    /// What moves it at a speed.
    pub motor: Option<Motor>,
    /// What pulls it to a place.
    pub servo: Option<Servo>,
}

/// What a joint holds, and what it leaves free.
///
/// `A` and `B` are the two bodies, the anchors a point on each. What is free is what [`JointDef::drive`] works on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointKind {
    /// A hinge: the anchors stay together. Free: the angle of B against A, over any number of turns.
    Revolute,
    /// A slider: B moves along an axis of A and does not turn against it. Free: the way along the axis.
    Prismatic {
        /// In the frame of A.
        axis: Vec2,
    },
    /// A rod: the anchors keep their distance.
    Distance {
        /// In metres; `None` for what it is when the joint is added.
        length: Option<f32>,
    },
    /// A rope, a rubber band, a winch. Free: the distance of the anchors.
    Rope,
    /// Glue: B keeps its place and turn against A.
    Weld {
        /// How the angle gives way; `None`: not at all. [`JointDef::spring`] says the same of the place.
        bend: Option<Spring>,
    },
    /// A wheel B under a car A. Free: its turning; along an axis of A it is sprung.
    Wheel {
        /// In the frame of A.
        axis: Vec2,
        /// Along the axis.
        suspension: Drive,
    },
    /// Moves B to a place and turn against A, with limited strength: a character's arm, or a mouse that drags.
    Motor {
        /// Where B's anchor is to be, from A's anchor, in the frame of A.
        offset: Vec2,
        /// The angle to turn B to against A.
        angle: f32,
        /// How it gets there.
        spring: Spring,
        /// Greatest force, in N.
        max_force: f32,
        /// Greatest torque, in N m.
        max_torque: f32,
    },
    /// Friction between B and A wherever they are: things seen from above on a floor.
    Friction {
        /// In N.
        max_force: f32,
        /// In N m.
        max_torque: f32,
    },
    /// Couples what two joints leave free: q of the first + `ratio` × q of the second stays as it is. Both are revolute
    /// or prismatic; one of each makes a rack and pinion. Its bodies are theirs.
    Gear {
        /// The first joint.
        first: JointId,
        /// The second joint.
        second: JointId,
        /// How far the first goes back when the second goes on by one.
        ratio: f32,
    },
    /// A rope over two pulleys: the distance of A's anchor from the first plus `ratio` times that of B's anchor from the second
    /// does not grow. It goes slack when pushed.
    Pulley {
        /// Where the rope leaves towards A.
        ground_a: WorldPoint,
        /// Where the rope leaves towards B.
        ground_b: WorldPoint,
        /// How often the rope goes round B's side.
        ratio: f32,
        /// Its length; `None` for what it is when the joint is added.
        length: Option<f32>,
    },
    /// Holds nothing, and keeps two bodies from touching each other.
    Filter,
}

/// A joint to be added to a world.
///
/// ```
/// use carom::prelude::*;
///
/// let mut world = World::default();
/// let frame = world.add(BodyDef::fixed().shape(Shape::rect(1.0, 1.0)))?;
/// let door = world.add(BodyDef::dynamic().at([1.5, 0.0]).shape(Shape::rect(2.0, 0.2)))?;
/// let hinge = JointDef::revolute(frame, door).at([0.5, 0.0]).limits(-1.5, 0.2).motor(0.0, 5.0);
/// let hinge = world.add_joint(hinge)?;
/// for _ in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// let state = world.joint_state(hinge).expect("it is there");
/// assert!(state.angle > -1.51 && state.gap < 1e-3);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDef {
    /// What it holds, and what it leaves free.
    pub kind: JointKind,
    /// The first body; `None` for the world itself, whose points never move.
    pub body_a: Option<BodyId>,
    /// The second body.
    pub body_b: BodyId,
    /// Where it holds the first body.
    pub anchor_a: Anchor,
    /// Where it holds the second body.
    pub anchor_b: Anchor,
    /// The angle from A to B that counts as 0; `None` for what it is when the joint is added.
    pub angle: Option<f32>,
    /// What is done with what the kind leaves free.
    pub drive: Drive,
    /// How what it holds gives way; `None`: not at all.
    pub spring: Option<Spring>,
    /// It breaks when it has to hold more than this, in N.
    pub break_force: f32,
    /// It breaks when it has to hold more than this, in N m.
    pub break_torque: f32,
    /// Whether the two bodies touch each other. Of several joints between two bodies, one that says no suffices.
    pub collide: bool,
    /// Yours.
    pub user_data: u64,
}

/// By kind.
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
            user_data: 0,
        }
    }

    /// A hinge.
    #[must_use]
    pub fn revolute(a: impl Into<Option<BodyId>>, b: BodyId) -> JointDef {
        JointDef::new(JointKind::Revolute, a.into(), b)
    }

    /// A slider along `axis`, given in the frame of A.
    #[must_use]
    pub fn prismatic(a: impl Into<Option<BodyId>>, b: BodyId, axis: impl Into<Vec2>) -> JointDef {
        JointDef::new(JointKind::Prismatic { axis: axis.into() }, a.into(), b)
    }

    /// A rod as long as the anchors are apart.
    #[must_use]
    pub fn distance(a: impl Into<Option<BodyId>>, b: BodyId) -> JointDef {
        JointDef::new(JointKind::Distance { length: None }, a.into(), b)
    }

    /// A rope of at most `max` metres.
    #[must_use]
    pub fn rope(a: impl Into<Option<BodyId>>, b: BodyId, max: f32) -> JointDef {
        JointDef::new(JointKind::Rope, a.into(), b).limits(0.0, max)
    }

    /// Glue.
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

    /// Moves B to A's place and turn by a spring, of any strength as long as the kind says no other.
    #[must_use]
    pub fn motor_to(a: impl Into<Option<BodyId>>, b: BodyId, spring: Spring) -> JointDef {
        let (max_force, max_torque) = (f32::INFINITY, f32::INFINITY);
        let kind = JointKind::Motor { offset: Vec2::ZERO, angle: 0.0, spring, max_force, max_torque };
        JointDef { angle: Some(0.0), ..JointDef::new(kind, a.into(), b) }
    }

    /// Drags a body by the point of it that is at `point` now, as a mouse does; `max_force` in N. Change `anchor_a` to
    /// drag it elsewhere.
    #[must_use]
    pub fn drag(body: BodyId, point: impl Into<WorldPoint>, max_force: f32) -> JointDef {
        let spring = Spring::new(5.0, 1.0);
        let kind = JointKind::Motor { offset: Vec2::ZERO, angle: 0.0, spring, max_force, max_torque: 0.0 };
        JointDef::new(kind, None, body).at(point).collide()
    }

    /// Friction between B and A wherever they are, in N and N m.
    #[must_use]
    pub fn friction(a: impl Into<Option<BodyId>>, b: BodyId, max_force: f32, max_torque: f32) -> JointDef {
        JointDef::new(JointKind::Friction { max_force, max_torque }, a.into(), b).collide()
    }

    /// Couples two joints; see [`JointKind::Gear`]. The bodies are those of the joints, whatever is written here.
    #[must_use]
    pub fn gear(first: JointId, second: JointId, ratio: f32) -> JointDef {
        let kind = JointKind::Gear { first, second, ratio };
        let nobody = BodyId::new(u32::MAX, core::num::NonZeroU32::MAX);
        JointDef::new(kind, None, nobody).collide()
    }

    /// A rope from A over two points to B.
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

/// What else can be said.
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

    /// With limits of what is free: radians, or metres.
    #[must_use]
    pub fn limits(mut self, lower: f32, upper: f32) -> JointDef {
        self.drive.limits = Some(Limits { lower, upper });
        self
    }

    /// With a motor for what is free. At speed 0 it is friction.
    #[must_use]
    pub fn motor(mut self, speed: f32, max: f32) -> JointDef {
        self.drive.motor = Some(Motor { speed, max });
        self
    }

    /// With a spring that pulls what is free to `target`.
    #[must_use]
    pub fn servo(mut self, target: f32, spring: Spring) -> JointDef {
        self.drive.servo = Some(Servo::new(target, spring));
        self
    }

    /// Giving way like a spring where it would hold.
    #[must_use]
    pub fn soft(self, spring: Spring) -> JointDef {
        JointDef { spring: Some(spring), ..self }
    }

    /// Breaking at a force in N and a torque in N m.
    #[must_use]
    pub fn breaks_at(self, force: f32, torque: f32) -> JointDef {
        JointDef { break_force: force, break_torque: torque, ..self }
    }

    /// Its bodies touch each other.
    #[must_use]
    pub fn collide(self) -> JointDef {
        JointDef { collide: true, ..self }
    }

    /// With a number of yours.
    #[must_use]
    pub fn user_data(self, user_data: u64) -> JointDef {
        JointDef { user_data, ..self }
    }
}

/// Refuses what no joint can be made of.
impl JointDef {
    /// The first rule that a number breaks.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.anchor_a.check()?;
        self.anchor_b.check()?;
        if self.angle.is_some_and(|angle| angle.is_nan() || angle.abs() > MAX_ANGLE) {
            return Err(Error::BadNumber("the angle of a joint that counts as none is at most 1e4"));
        }
        self.drive.check()?;
        self.spring.iter().try_for_each(Spring::check)?;
        strength(self.break_force, "a force at which a joint breaks must be 0 or more; infinite for never")?;
        strength(
            self.break_torque,
            "a torque at which a joint breaks must be 0 or more; infinite for never",
        )?;
        self.kind.check()
    }
}

impl JointKind {
    fn check(&self) -> Result<(), Error> {
        match *self {
            JointKind::Revolute | JointKind::Rope | JointKind::Filter => Ok(()),
            JointKind::Prismatic { axis } => check_axis(axis),
            JointKind::Distance { length } => check_length(length),
            JointKind::Weld { bend } => bend.iter().try_for_each(Spring::check),
            JointKind::Wheel { axis, suspension } => check_axis(axis).and_then(|()| suspension.check()),
            JointKind::Motor { offset, angle, spring, max_force, max_torque } => {
                finite(
                    &[offset.x, offset.y, angle],
                    "a motor's place and angle must be finite, and at most 1e9",
                )?;
                spring.check()?;
                check_strengths(max_force, max_torque)
            }
            JointKind::Friction { max_force, max_torque } => check_strengths(max_force, max_torque),
            JointKind::Gear { ratio, .. } => check_ratio(ratio),
            JointKind::Pulley { ground_a, ground_b, ratio, length } => {
                if !(ground_a.is_valid() && ground_b.is_valid()) {
                    return Err(Error::BadNumber("a pulley's points must be finite"));
                }
                check_length(length)?;
                if ratio <= 0.0 {
                    return Err(Error::BadNumber("a pulley's ratio must be above 0"));
                }
                check_ratio(ratio)
            }
        }
    }
}

impl Anchor {
    fn check(&self) -> Result<(), Error> {
        match *self {
            Anchor::World(point) if !point.is_valid() => Err(Error::BadNumber("an anchor must be finite")),
            Anchor::World(_) => Ok(()),
            Anchor::Local(point) => finite(&point.to_array(), "an anchor must be finite, and within 1e9"),
        }
    }
}

impl Drive {
    fn check(&self) -> Result<(), Error> {
        if let Some(Limits { lower, upper }) = self.limits {
            if lower.is_nan() || upper.is_nan() || lower > upper {
                return Err(Error::BadNumber("a lower limit must not be above the upper one"));
            }
            if lower == f32::INFINITY || upper == f32::NEG_INFINITY {
                return Err(Error::BadNumber("limits must leave something between them"));
            }
        }
        if let Some(Motor { speed, max }) = self.motor {
            finite(&[speed], "a motor's speed must be finite, and at most 1e9")?;
            strength(max, "a motor's strength must be 0 or more; infinite for any")?;
        }
        if let Some(Servo { target, spring, force }) = self.servo {
            finite(&[target], "a servo's target must be finite, and at most 1e9")?;
            spring.check()?;
            let ordered = force.lower <= 0.0 && force.upper >= 0.0;
            if !ordered {
                return Err(Error::BadNumber("a servo's force must range from 0 or less to 0 or more"));
            }
        }
        Ok(())
    }
}

impl Spring {
    fn check(&self) -> Result<(), Error> {
        finite(&[self.hertz, self.damping], "a spring's numbers must be finite, and at most 1e9")?;
        if self.hertz < 0.0 || self.damping < 0.0 {
            return Err(Error::BadNumber("a spring's frequency and damping must be 0 or more"));
        }
        Ok(())
    }
}

/// Greatest angle that counts as none, in radians: beyond, an angle is not known to a thousandth any more.
const MAX_ANGLE: f32 = 1.0e4;

fn finite(values: &[f32], rule: &'static str) -> Result<(), Error> {
    let ok = values.iter().all(|x| x.is_finite() && x.abs() <= MAX_SIZE);
    if ok { Ok(()) } else { Err(Error::BadNumber(rule)) }
}

fn strength(value: f32, rule: &'static str) -> Result<(), Error> {
    if value >= 0.0 { Ok(()) } else { Err(Error::BadNumber(rule)) }
}

fn check_strengths(max_force: f32, max_torque: f32) -> Result<(), Error> {
    strength(max_force, "a greatest force must be 0 or more; infinite for any")?;
    strength(max_torque, "a greatest torque must be 0 or more; infinite for any")
}

fn check_axis(axis: Vec2) -> Result<(), Error> {
    finite(&axis.to_array(), "an axis must be finite")?;
    if axis.length() < 1.0e-6 {
        return Err(Error::BadNumber("an axis must have a length"));
    }
    Ok(())
}

fn check_length(length: Option<f32>) -> Result<(), Error> {
    let length = length.unwrap_or(0.0);
    finite(&[length], "a length must be finite, and at most 1e9")?;
    if length >= 0.0 { Ok(()) } else { Err(Error::BadNumber("a length must be 0 or more")) }
}

fn check_ratio(ratio: f32) -> Result<(), Error> {
    finite(&[ratio], "a ratio must be finite, and at most 1e9")?;
    if ratio.abs() >= 1.0e-6 { Ok(()) } else { Err(Error::BadNumber("a ratio must not be 0")) }
}
