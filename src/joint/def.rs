//! Definitions of joints, from which a world makes them.
//!
//! In: numbers from the user, in plain structs with public fields. Out: definitions, checked by
//! `check.rs` when a world takes them. A joint has two bodies, a point on each, a kind, and a drive
//! for the axis that the kind leaves free. `build.rs` has short ways to write them.

use glam::Vec2;

use crate::body::{BodyId, JointId};
use crate::math::WorldPoint;

/// Point at which a joint is attached to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Anchor {
    /// A point of the world; it is fixed to the body as the body stands when the joint is added or
    /// changed.
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

/// A spring by its frequency, so that it does not depend on the masses it is attached to.
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
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::below"))]
    pub lower: f32,
    /// The greatest value.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub upper: f32,
}

impl Limits {
    /// No limits at all.
    pub const NONE: Limits = Limits { lower: f32::NEG_INFINITY, upper: f32::INFINITY };

    /// From `lower` to `upper`, not checked here: [`World::add_joint`](crate::World::add_joint)
    /// refuses a NaN and a lower end above the upper one.
    #[must_use]
    pub fn new(lower: f32, upper: f32) -> Limits {
        Limits { lower, upper }
    }
}

/// A motor: turns or moves at a speed, with limited strength. At speed 0 it is friction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motor {
    /// In radians a second, or m/s.
    pub speed: f32,
    /// Greatest torque in N m, or force in N; infinite for any.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub max: f32,
}

impl Motor {
    /// At `speed`, with a strength of at most `max`.
    #[must_use]
    pub fn new(speed: f32, max: f32) -> Motor {
        Motor { speed, max }
    }
}

/// A servo: a spring that pulls to a target, with limited strength.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Servo {
    /// The target, in radians or metres.
    pub target: f32,
    /// Frequency and damping of the pull.
    pub spring: Spring,
    /// Least and greatest torque or force: positive ones work towards greater values. A lower end
    /// of 0 only pushes, an upper end of 0 only pulls.
    pub force: Limits,
}

impl Servo {
    /// A spring to `target` of any strength.
    #[must_use]
    pub fn new(target: f32, spring: Spring) -> Servo {
        Servo { target, spring, force: Limits::NONE }
    }

    /// With a force of at most `max` N, or a torque of at most `max` N m, in both directions.
    #[must_use]
    pub fn max(self, max: f32) -> Servo {
        Servo { force: Limits::new(-max, max), ..self }
    }
}

/// Limits, motor and servo of the axis that a joint leaves free: an angle, a travel or a length.
/// All are optional.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Drive {
    /// The range that it may not leave.
    pub limits: Option<Limits>,
    /// Moves it at a speed.
    pub motor: Option<Motor>,
    /// Pulls it to a target by a spring.
    pub servo: Option<Servo>,
}

impl Drive {
    /// With limits, in radians or metres.
    #[must_use]
    pub fn limits(self, lower: f32, upper: f32) -> Drive {
        Drive { limits: Some(Limits { lower, upper }), ..self }
    }

    /// With a motor: `speed` in radians a second or m/s, `max` in N m or N. At speed 0 it is
    /// friction.
    #[must_use]
    pub fn motor(self, speed: f32, max: f32) -> Drive {
        Drive { motor: Some(Motor { speed, max }), ..self }
    }

    /// With a spring that pulls to `target`, in radians or metres.
    #[must_use]
    pub fn servo(self, target: f32, spring: Spring) -> Drive {
        Drive { servo: Some(Servo::new(target, spring)), ..self }
    }

    /// With a least and a greatest force or torque of its servo. Does nothing without a servo.
    #[must_use]
    pub fn force_range(mut self, least: f32, most: f32) -> Drive {
        if let Some(servo) = &mut self.servo {
            servo.force = Limits::new(least, most);
        }
        self
    }
}

/// Kinds of joints: their locked axes and their free axes.
///
/// `A` and `B` are the two bodies, the anchors a point on each. [`JointDef::drive`] acts on the
/// free axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum JointKind {
    /// A hinge: the anchors stay together. Free: the angle of B against A, over any number of
    /// turns.
    Revolute,
    /// A slider: B moves along an axis of A and does not turn against it. Free: the travel along
    /// the axis.
    Prismatic {
        /// In the frame of A.
        axis: Vec2,
    },
    /// A rod: the anchors keep their distance. With limits it is a telescope: their distance is
    /// free between them. Soft, it is a spring of that length, within its limits if it has any.
    Distance {
        /// In metres; `None` for the distance of the anchors when the joint is added.
        length: Option<f32>,
        /// Least and greatest force of a soft one: positive ones push the anchors apart.
        force: Limits,
    },
    /// A rope, a winch; soft: a rubber band. Free: the distance of the anchors, up to its limit.
    Rope,
    /// Glue: B keeps its place and angle against A.
    Weld {
        /// Softness of the angle; `None` if it is rigid. [`JointDef::spring`] is the softness of
        /// the place.
        bend: Option<Spring>,
    },
    /// A wheel B under a car A. Free: its rotation; along an axis of A it is sprung.
    Wheel {
        /// In the frame of A.
        axis: Vec2,
        /// Along the axis.
        suspension: Drive,
    },
    /// Moves B to a place and angle against A, with limited strength: a character's arm, or a mouse
    /// that drags.
    Motor {
        /// Where B's anchor is to be, from A's anchor, in the frame of A.
        offset: Vec2,
        /// The angle to turn B to against A.
        angle: f32,
        /// Frequency and damping of the motion.
        spring: Spring,
        /// Greatest force, in N.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
        max_force: f32,
        /// Greatest torque, in N m.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
        max_torque: f32,
    },
    /// Friction between B and A wherever they are: things seen from above on a floor.
    Friction {
        /// In N.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
        max_force: f32,
        /// In N m.
        #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
        max_torque: f32,
    },
    /// Couples the free axes of two joints: q of the first + `ratio` × q of the second stays
    /// constant. Both are revolute or prismatic; one of each makes a rack and pinion. It acts on
    /// the bodies of the two joints.
    Gear {
        /// The first joint.
        first: JointId,
        /// The second joint.
        second: JointId,
        /// How far the first goes back when the second goes on by one.
        ratio: f32,
    },
    /// A rope over two pulleys: the distance of A's anchor from the first plus `ratio` times that
    /// of B's anchor from the second does not grow. It goes slack when pushed.
    Pulley {
        /// Where the rope leaves towards A.
        ground_a: WorldPoint,
        /// Where the rope leaves towards B.
        ground_b: WorldPoint,
        /// Number of strands of rope on B's side.
        ratio: f32,
        /// Its length; `None` for its length when the joint is added.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointDef {
    /// Its kind: the locked axes and the free axes.
    pub kind: JointKind,
    /// The first body; `None` for the world itself, whose points never move.
    pub body_a: Option<BodyId>,
    /// The second body.
    pub body_b: BodyId,
    /// Where it holds the first body.
    pub anchor_a: Anchor,
    /// Where it holds the second body.
    pub anchor_b: Anchor,
    /// The angle from A to B that counts as 0; `None` for the angle when the joint is added.
    pub angle: Option<f32>,
    /// Limits, motor and servo of the free axis; see [`JointDef::limits`] for the kinds that have
    /// one. The free axis of a wheel is its rotation.
    pub drive: Drive,
    /// Softness of its locked axes; `None` if they are rigid. See [`JointDef::soft`] for the kinds
    /// that can be soft.
    pub spring: Option<Spring>,
    /// The force in N above which it breaks; infinite for never.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub break_force: f32,
    /// The torque in N m above which it breaks; infinite for never.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::infinite::above"))]
    pub break_torque: f32,
    /// Whether the two bodies touch each other. If two bodies have several joints, a single `false`
    /// keeps them from touching.
    pub collide: bool,
    /// Whether it is on: a joint that is off has no effect. See
    /// [`World::set_joint_enabled`](crate::World::set_joint_enabled).
    #[cfg_attr(feature = "serde", serde(default = "is_on"))]
    pub enabled: bool,
    /// A number of the program's own, which the engine keeps and does not read.
    pub user_data: u64,
    /// Name of an option, such as [`JointDef::length`], that its kind does not have: a world
    /// refuses such a definition. It is not serialized.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub misfit: Option<&'static str>,
}

/// Default of `enabled`.
#[cfg(feature = "serde")]
fn is_on() -> bool {
    true
}
