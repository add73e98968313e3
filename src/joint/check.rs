//! Checks of joint definitions.
//!
//! In: a definition. Out: nothing, or the first rule that it breaks: numbers first, then options
//! that its kind does not have.

use glam::Vec2;

use super::def::{Anchor, Drive, JointDef, JointKind, Limits, Motor, Servo, Spring};
use crate::error::Error;
use crate::tuning::MAX_SIZE;

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
        self.kind.check()?;
        self.check_fit()
    }

    /// Whether a definition is complete, like all definitions that a world keeps.
    pub(crate) fn is_resolved(&self) -> bool {
        let of_world = |anchor: Anchor| matches!(anchor, Anchor::World(_));
        let whole = match self.kind {
            JointKind::Gear { first, second, .. } => {
                return first != second
                    && self.body_a.is_some()
                    && self.anchor_a == self.anchor_b
                    && !of_world(self.anchor_a);
            }
            JointKind::Distance { length, .. } | JointKind::Pulley { length, .. } => length.is_some(),
            _ => true,
        };
        let two = self.body_a != Some(self.body_b);
        two && whole
            && self.angle.is_some()
            && of_world(self.anchor_a) == self.body_a.is_none()
            && !of_world(self.anchor_b)
    }

    /// Checks that its options fit its kind.
    fn check_fit(&self) -> Result<(), Error> {
        let fits = |fits: bool, rule: &'static str| if fits { Ok(()) } else { Err(Error::WrongKind(rule)) };
        fits(self.misfit.is_none(), self.misfit.unwrap_or_default())?;
        let (driven, soft) = (self.drive != Drive::default(), self.spring.is_some());
        match self.kind {
            JointKind::Revolute | JointKind::Prismatic { .. } | JointKind::Wheel { .. } => Ok(()),
            JointKind::Distance { force, .. } => {
                let may = soft || self.drive.limits.is_some();
                fits(
                    may || !driven,
                    "a rod that keeps its length has nothing to drive; it takes limits, or is soft",
                )?;
                fits(!soft || self.drive.servo.is_none(), "a soft rod has its spring already")?;
                fits(soft || force == Limits::NONE, "only a soft rod has a range of forces")
            }
            JointKind::Rope => {
                let end = self.drive.limits.is_some_and(|limits| limits.upper <= MAX_SIZE);
                fits(!soft || end, "a soft rope needs a greatest length, to give way beyond it")?;
                fits(!soft || self.drive.servo.is_none(), "a soft rope has its spring already")
            }
            JointKind::Weld { .. } => fits(!driven, "glue leaves nothing free to be driven"),
            JointKind::Motor { .. } | JointKind::Friction { .. } => {
                fits(!driven, "a motor or friction of all ways has no drive for one of them")?;
                fits(!soft, "a motor or friction gives way by its strength, and is not soft")
            }
            JointKind::Gear { .. } | JointKind::Pulley { .. } | JointKind::Filter => {
                fits(
                    !driven,
                    "gears, pulleys and filters have no drive; the joints that a gear couples may",
                )?;
                fits(!soft, "gears, pulleys and filters are not soft")
            }
        }
    }
}

impl JointKind {
    fn check(&self) -> Result<(), Error> {
        match *self {
            JointKind::Revolute | JointKind::Rope | JointKind::Filter => Ok(()),
            JointKind::Prismatic { axis } => check_axis(axis),
            JointKind::Distance { length, force } => {
                check_length(length)?;
                check_range(force, "the force of a soft rod must range from 0 or less to 0 or more")
            }
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
            check_range(force, "a servo's force must range from 0 or less to 0 or more")?;
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

/// Greatest reference angle, in radians: beyond, an angle is not exact to a thousandth any more.
const MAX_ANGLE: f32 = 1.0e4;

fn finite(values: &[f32], rule: &'static str) -> Result<(), Error> {
    let ok = values.iter().all(|x| x.is_finite() && x.abs() <= MAX_SIZE);
    if ok { Ok(()) } else { Err(Error::BadNumber(rule)) }
}

fn strength(value: f32, rule: &'static str) -> Result<(), Error> {
    if value >= 0.0 { Ok(()) } else { Err(Error::BadNumber(rule)) }
}

fn check_range(force: Limits, rule: &'static str) -> Result<(), Error> {
    if force.lower <= 0.0 && force.upper >= 0.0 { Ok(()) } else { Err(Error::BadNumber(rule)) }
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
