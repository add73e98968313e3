//! Keywords of a joint: read one by one into its definition.
//!
//! In: a definition with its kind and bodies, and keywords. Out: the definition, with an option
//! that the kind does not have noted in it, so that the world refuses it with the rule.

use carom::{Anchor, Drive, JointDef, JointKind, Limits, Motor, Servo, Spring};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::Pair;

/// A spring: frequency in Hz and damping ratio.
pub(crate) fn spring((hertz, damping): (f64, f64)) -> Spring {
    Spring::new(hertz as f32, damping as f32)
}

fn limits((lower, upper): (f64, f64)) -> Limits {
    Limits::new(lower as f32, upper as f32)
}

fn pair(value: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    let Pair(first, second) = value.extract()?;
    Ok((first, second))
}

fn servo(value: &Bound<'_, PyAny>) -> PyResult<Servo> {
    let (target, hertz, damping) = value.extract::<(f64, f64, f64)>()?;
    Ok(Servo::new(target as f32, spring((hertz, damping))))
}

fn motor(value: &Bound<'_, PyAny>) -> PyResult<Motor> {
    let (speed, max) = pair(value)?;
    Ok(Motor::new(speed as f32, max as f32))
}

/// A drive out of a dictionary: limits, motor, servo, force_range.
fn drive(value: &Bound<'_, PyAny>, mut drive: Drive) -> PyResult<Drive> {
    let parts = value.cast::<PyDict>().map_err(|_| {
        PyTypeError::new_err("a suspension is a dictionary of limits, motor, servo, force_range")
    })?;
    for (key, value) in parts {
        match key.extract::<String>()?.as_str() {
            "limits" => drive.limits = Some(limits(pair(&value)?)),
            "motor" => drive.motor = Some(motor(&value)?),
            "servo" => drive.servo = Some(servo(&value)?),
            "force_range" => {
                let range = limits(pair(&value)?);
                drive = drive.force_range(range.lower, range.upper);
            }
            other => return Err(PyTypeError::new_err(format!("a suspension has no '{other}'"))),
        }
    }
    Ok(drive)
}

/// The definition with the keywords, and the joint's name.
pub(crate) fn apply(
    mut def: JointDef,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<(JointDef, Option<String>)> {
    let mut name = None;
    // The range of forces belongs to a servo, in either order of the two.
    let mut force_range = None;
    for (key, value) in given.into_iter().flatten() {
        let key: String = key.extract()?;
        if value.is_none() {
            continue;
        }
        def = match key.as_str() {
            "at" => def.at(value.extract::<Pair>()?.point()),
            "anchors" => {
                let (a, b) = value.extract::<(Pair, Pair)>()?;
                def.anchors(a.vector(), b.vector())
            }
            "between" => {
                let (a, b) = value.extract::<(Pair, Pair)>()?;
                let (anchor_a, anchor_b) = (Anchor::World(a.point()), Anchor::World(b.point()));
                JointDef { anchor_a, anchor_b, ..def }
            }
            "angle" => def.angle(value.extract::<f64>()? as f32),
            "limits" => {
                let range = limits(pair(&value)?);
                def.limits(range.lower, range.upper)
            }
            "angle_limits" => {
                let range = limits(pair(&value)?);
                def.angle_limits(range.lower, range.upper)
            }
            "travel_limits" => {
                let range = limits(pair(&value)?);
                def.travel_limits(range.lower, range.upper)
            }
            "motor" => {
                let motor = motor(&value)?;
                def.motor(motor.speed, motor.max)
            }
            "servo" => {
                let servo = servo(&value)?;
                def.servo(servo.target, servo.spring)
            }
            "force_range" => {
                force_range = Some(limits(pair(&value)?));
                def
            }
            "soft" => def.soft(spring(pair(&value)?)),
            "breaks_at" => {
                let (force, torque) = pair(&value)?;
                def.breaks_at(force as f32, torque as f32)
            }
            "collide" => JointDef { collide: value.extract()?, ..def },
            "enabled" => JointDef { enabled: value.extract()?, ..def },
            "user_data" => def.user_data(value.extract()?),
            "length" => def.length(value.extract::<f64>()? as f32),
            "bend" => def.bend(spring(pair(&value)?)),
            "suspension" => {
                let base = match &def.kind {
                    JointKind::Wheel { suspension, .. } => *suspension,
                    _ => Drive::default(),
                };
                def.suspension(drive(&value, base)?)
            }
            "to" => {
                let (place, turn) = value.extract::<(Pair, f64)>()?;
                def.to(place.vector(), turn as f32)
            }
            "strength" => {
                let (force, torque) = pair(&value)?;
                def.strength(force as f32, torque as f32)
            }
            "name" => {
                name = Some(value.extract()?);
                def
            }
            _ => return Err(PyTypeError::new_err(format!("a joint has no option '{key}'"))),
        };
    }
    if let Some(range) = force_range {
        def = def.force_range(range.lower, range.upper);
    }
    Ok((def, name))
}
