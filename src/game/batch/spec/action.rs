//! Actions as data: effects of a column of numbers on a world, before a step.
//!
//! In: an item of a spec, and the number of its column. Out: a push on a body, or another speed or
//! target of a joint. `step.rs` of the batch calls it once for each step of a world.

use core::fmt::Display;

use glam::Vec2;

use super::error::{Fault, Field, Rule, finite, fits};
use super::title;
use crate::body::{BodyId, BodyKind, JointId};
use crate::error::Error;
use crate::joint::Motor;
use crate::math::WorldPoint;
use crate::world::World;

/// The effect of one column of actions on a world, before each step.
///
/// The number x of the column becomes a value, `offset + scale * x`, in the unit of the action: in
/// N, N m or N s, in rad/s or m/s, in radians or metres. A body or joint that is gone, because it
/// was removed or broke, is passed over. A push of 0, and a speed or target that the joint has
/// already, are passed over, too: they would wake bodies that may sleep.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Action, Batch, Spec};
///
/// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless());
/// let ship = ShapeDef::from(Shape::rect(1.0, 2.0)).mass(1.0);
/// let ship = world.add(BodyDef::dynamic().shape(ship))?;
/// // Thrust along the ship, from nothing to 60 N, and a torque either way.
/// let spec = Spec::new()
///     .action(Action::force(ship, [0.0, 1.0]).in_body_frame().range(0.0, 1.0).scale(60.0))
///     .action(Action::torque(ship).range(-1.0, 1.0).scale(5.0));
/// let mut batch = Batch::new(&world, 8)?.spec(&spec)?;
/// batch.action_mut(0).fill(2.0); // counts as 1
/// batch.step(1.0 / 60.0)?;
/// assert!((batch.world(3).expect("the fourth")[ship].velocity().y - 1.0).abs() < 1e-5);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    name: Option<String>,
    misfit: Option<Field>,
    pub(super) run: ActionRun,
}

/// An action as a batch runs it, without its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ActionRun {
    effect: Effect,
    range: [f32; 2],
    scale: f32,
    offset: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Effect {
    Force { body: BodyId, push: Push },
    Impulse { body: BodyId, push: Push },
    Torque { body: BodyId },
    MotorSpeed { joint: JointId },
    MotorEffort { joint: JointId, speed: f32 },
    ServoTarget { joint: JointId },
}

/// Direction and point of a force or an impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Push {
    axis: Vec2,
    /// Whether the axis is one of the body's frame.
    turns: bool,
    /// The point, in the body's frame; the centre of mass for `None`.
    at: Option<Vec2>,
}

impl Push {
    fn along(axis: Vec2) -> Push {
        Push { axis, turns: false, at: None }
    }

    /// The vector of the push in the world, and its point; `None` if the body is gone.
    #[inline]
    fn of(self, world: &World, body: BodyId, value: f32) -> Option<(Vec2, Option<WorldPoint>)> {
        let body = world.get(body)?;
        let axis = if self.turns { body.rotation() * self.axis } else { self.axis };
        Some((value * axis, self.at.map(|at| body.to_world(at))))
    }

    fn check(self) -> Result<(), Fault> {
        finite(Field::Axis, &self.axis.to_array())?;
        finite(Field::At, &self.at.unwrap_or_default().to_array())?;
        if self.axis.length() > 0.0 { Ok(()) } else { Err((Field::Axis, Rule::NoLength)) }
    }
}

impl Action {
    fn new(effect: Effect) -> Action {
        let run = ActionRun { effect, range: [f32::NEG_INFINITY, f32::INFINITY], scale: 1.0, offset: 0.0 };
        Action { name: None, misfit: None, run }
    }

    /// Pushes a dynamic body along an axis of the world, in N times the length of the axis, at its
    /// centre of mass: see [`World::apply_force`].
    #[must_use]
    pub fn force(body: BodyId, axis: impl Into<Vec2>) -> Action {
        Action::new(Effect::Force { body, push: Push::along(axis.into()) })
    }

    /// Changes the momentum of a dynamic body before each step, along an axis of the world, in N s
    /// times the length of the axis, at its centre of mass: see [`World::apply_impulse`].
    #[must_use]
    pub fn impulse(body: BodyId, axis: impl Into<Vec2>) -> Action {
        Action::new(Effect::Impulse { body, push: Push::along(axis.into()) })
    }

    /// Turns a dynamic body, in N m, counter-clockwise: see [`World::apply_torque`].
    #[must_use]
    pub fn torque(body: BodyId) -> Action {
        Action::new(Effect::Torque { body })
    }

    /// Sets the speed of a joint's motor, in rad/s or m/s; its strength stays. See
    /// [`World::set_motor`].
    #[must_use]
    pub fn motor_speed(joint: JointId) -> Action {
        Action::new(Effect::MotorSpeed { joint })
    }

    /// Sets the strength of a joint's motor, in N m or N, which runs at `speed` rad/s or m/s towards
    /// greater values for numbers above 0, and towards lower ones below. 0 lets the joint move
    /// freely. See [`World::set_motor`].
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Action, Batch, Spec};
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless());
    /// let wheel = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let axle = world.add_joint(JointDef::revolute(None, wheel).motor(0.0, 0.0))?;
    /// let spec = Spec::new().action(Action::motor_effort(axle, 3.0).range(-1.0, 1.0).scale(50.0));
    /// let mut batch = Batch::new(&world, 3)?.spec(&spec)?;
    /// batch.action_mut(0).copy_from_slice(&[1.0, -1.0, 0.0]);
    /// batch.step(1.0 / 60.0)?;
    /// let spins = [0, 1, 2].map(|number| batch.world(number).expect("it")[wheel].angular_velocity());
    /// assert!((spins[0] - 3.0).abs() < 1e-3 && (spins[1] + 3.0).abs() < 1e-3 && spins[2] == 0.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn motor_effort(joint: JointId, speed: f32) -> Action {
        Action::new(Effect::MotorEffort { joint, speed })
    }

    /// Sets the target of a joint's servo, in radians or metres: see [`World::set_target`].
    #[must_use]
    pub fn servo_target(joint: JointId) -> Action {
        Action::new(Effect::ServoTarget { joint })
    }

    /// Takes the axis of a force or an impulse as one of the body's frame, which turns with it.
    #[must_use]
    pub fn in_body_frame(mut self) -> Action {
        match &mut self.run.effect {
            Effect::Force { push, .. } | Effect::Impulse { push, .. } => push.turns = true,
            _ => self.misfit = Some(Field::Frame),
        }
        self
    }

    /// Applies a force or an impulse at a point of the body, given in its frame.
    #[must_use]
    pub fn at(mut self, point: impl Into<Vec2>) -> Action {
        match &mut self.run.effect {
            Effect::Force { push, .. } | Effect::Impulse { push, .. } => push.at = Some(point.into()),
            _ => self.misfit = Some(Field::At),
        }
        self
    }

    /// Takes numbers below `low` as `low`, and above `high` as `high`, before they are scaled. Both
    /// may be infinite, as they are by default.
    #[must_use]
    pub fn range(mut self, low: f32, high: f32) -> Action {
        self.run.range = [low, high];
        self
    }

    /// Multiplies the number of the column by `scale`; 1 by default.
    #[must_use]
    pub fn scale(mut self, scale: f32) -> Action {
        self.run.scale = scale;
        self
    }

    /// Adds `offset` to the scaled number; 0 by default.
    #[must_use]
    pub fn offset(mut self, offset: f32) -> Action {
        self.run.offset = offset;
        self
    }

    /// Names the column.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Action {
        self.name = Some(name.into());
        self
    }

    /// The name of the column.
    pub(super) fn title(&self) -> String {
        let of = |target: &dyn Display, what: &str| title(self.name.as_deref(), target, what);
        match self.run.effect {
            Effect::Force { body, .. } => of(&body, "force"),
            Effect::Impulse { body, .. } => of(&body, "impulse"),
            Effect::Torque { body } => of(&body, "torque"),
            Effect::MotorSpeed { joint } => of(&joint, "motor_speed"),
            Effect::MotorEffort { joint, .. } => of(&joint, "motor_effort"),
            Effect::ServoTarget { joint } => of(&joint, "servo_target"),
        }
    }

    /// The least and the greatest number that makes a difference.
    pub(super) fn bounds(&self) -> [f32; 2] {
        self.run.range
    }

    /// Checks that a world has the body or joint, and that all numbers are in range.
    pub(super) fn check(&self, world: &World) -> Result<(), Fault> {
        fits(self.misfit)?;
        let ActionRun { effect, range: [low, high], scale, offset } = self.run;
        match effect {
            Effect::Force { body, push } | Effect::Impulse { body, push } => {
                dynamic(world, Field::Body, body)?;
                push.check()?;
            }
            Effect::Torque { body } => dynamic(world, Field::Body, body)?,
            Effect::MotorSpeed { joint } => has_motor(world, joint)?,
            Effect::MotorEffort { joint, speed } => {
                has_motor(world, joint)?;
                finite(Field::Speed, &[speed])?;
            }
            Effect::ServoTarget { joint } => has_servo(world, joint)?,
        }
        finite(Field::Scale, &[scale])?;
        finite(Field::Offset, &[offset])?;
        if low <= high { Ok(()) } else { Err((Field::Range, Rule::LowAboveHigh)) }
    }
}

/// Refuses a body that is gone, or that forces do not move.
pub(super) fn dynamic(world: &World, field: Field, body: BodyId) -> Result<(), Fault> {
    let body = world.get(body).ok_or((field, Rule::NoSuchBody))?;
    if body.kind() == BodyKind::Dynamic { Ok(()) } else { Err((field, Rule::NotDynamic)) }
}

/// Refuses a joint that is gone, or that has no motor.
pub(super) fn has_motor(world: &World, joint: JointId) -> Result<(), Fault> {
    let joint = world.get_joint(joint).ok_or((Field::Joint, Rule::NoSuchJoint))?;
    joint.def().drive.motor.map(drop).ok_or((Field::Joint, Rule::NoMotor))
}

/// Refuses a joint that is gone, or that has no servo.
pub(super) fn has_servo(world: &World, joint: JointId) -> Result<(), Fault> {
    let joint = world.get_joint(joint).ok_or((Field::Joint, Rule::NoSuchJoint))?;
    joint.def().drive.servo.map(drop).ok_or((Field::Joint, Rule::NoServo))
}

/// Sets the speed of a motor, if the joint still exists and has one of another speed.
pub(super) fn set_motor_speed(world: &mut World, joint: JointId, speed: f32) -> Result<(), Error> {
    let motor = world.get_joint(joint).and_then(|joint| joint.def().drive.motor);
    match motor.filter(|motor| motor.speed != speed) {
        Some(motor) => world.set_motor(joint, Motor { speed, ..motor }),
        None => Ok(()),
    }
}

/// Sets speed and strength of a motor, if the joint still exists and has another one: `speed` with
/// the sign of the effort, and a torque or force of its size.
fn set_motor_effort(world: &mut World, joint: JointId, speed: f32, effort: f32) -> Result<(), Error> {
    let wanted = Motor::new(if effort == 0.0 { 0.0 } else { speed * effort.signum() }, effort.abs());
    let motor = world.get_joint(joint).and_then(|joint| joint.def().drive.motor);
    match motor.filter(|motor| *motor != wanted) {
        Some(_) => world.set_motor(joint, wanted),
        None => Ok(()),
    }
}

/// Sets the target of a servo, if the joint still exists and has one of another target.
pub(super) fn set_servo_target(world: &mut World, joint: JointId, target: f32) -> Result<(), Error> {
    let servo = world.get_joint(joint).and_then(|joint| joint.def().drive.servo);
    match servo.filter(|servo| servo.target != target) {
        Some(_) => world.set_target(joint, target),
        None => Ok(()),
    }
}

impl ActionRun {
    /// Acts on a world with the number of the column.
    #[inline]
    pub(super) fn act(&self, world: &mut World, number: f32) -> Result<(), Error> {
        let value = self.offset + self.scale * number.clamp(self.range[0], self.range[1]);
        let is_push =
            matches!(self.effect, Effect::Force { .. } | Effect::Impulse { .. } | Effect::Torque { .. });
        if value == 0.0 && is_push {
            return Ok(());
        }
        match self.effect {
            Effect::Force { body, push } => match push.of(world, body, value) {
                None => Ok(()),
                Some((force, None)) => world.apply_force(body, force),
                Some((force, Some(point))) => world.apply_force_at(body, force, point),
            },
            Effect::Impulse { body, push } => match push.of(world, body, value) {
                None => Ok(()),
                Some((impulse, None)) => world.apply_impulse(body, impulse),
                Some((impulse, Some(point))) => world.apply_impulse_at(body, impulse, point),
            },
            Effect::Torque { body } => {
                if world.get(body).is_some() {
                    world.apply_torque(body, value)
                } else {
                    Ok(())
                }
            }
            Effect::MotorSpeed { joint } => set_motor_speed(world, joint, value),
            Effect::MotorEffort { joint, speed } => set_motor_effort(world, joint, speed, value),
            Effect::ServoTarget { joint } => set_servo_target(world, joint, value),
        }
    }
}
