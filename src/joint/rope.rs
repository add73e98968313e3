//! A rope: two points are at most so far apart; a winch with a motor, a rubber band if it is soft.
//! Solved in `solver/joints/webs/`; in large nets, and if it is soft, in `loops/solve.rs` with
//! `drives.rs`.
//!
//! # Derivation
//!
//! ```text
//!   q  = |d|,  d as in the rod, J and K too
//!   C  = q - upper <= 0,  lower - q <= 0                limits; λ has the sign that pulls back
//!   soft: a spring to upper that only pulls, instead of the upper limit
//! ```

use super::{AxisMode, AxisModes};
use crate::joint::def::{Drive, JointDef, Limits, Servo};

pub(super) fn axis_modes(def: &JointDef) -> AxisModes {
    let drive = match (def.spring, def.drive.limits) {
        (Some(spring), Some(Limits { lower, upper })) => Drive {
            limits: (lower > 0.0).then_some(Limits { lower, upper: f32::INFINITY }),
            servo: Some(Servo { target: upper, spring, force: Limits::new(f32::NEG_INFINITY, 0.0) }),
            motor: def.drive.motor,
        },
        _ => def.drive,
    };
    AxisModes {
        line: true,
        modes: [AxisMode::Driven(drive), AxisMode::Free, AxisMode::Free],
        ..AxisModes::default()
    }
}
