//! A rod: two points keep their distance. With limits a telescope, soft a spring. Solved in
//! `solver/joints/trees/factor.rs` and `solve.rs` (trees), `webs/` (loops), `loops/solve.rs` (large
//! nets, and soft rods by `drives.rs`).
//!
//! # Derivation
//!
//! ```text
//!   d  = x_b + r_b - x_a - r_a,  n = d / |d|
//!   C  = |d| - length = 0
//!   J  = | -n  -(r_a × n)  n  r_b × n |                 over (v_a, w_a, v_b, w_b)
//!   K  = m_a + m_b + i_a (r_a × n)² + i_b (r_b × n)²
//! ```
//!
//! n turns with d; since d is parallel to n, this adds no term to J. Points in one place define no
//! line: the axis of A is used instead.

use super::{AxisMode, AxisModes};
use crate::joint::def::{Drive, JointDef, Limits, Servo};

pub(super) fn axis_modes(def: &JointDef, length: f32, force: Limits) -> AxisModes {
    let mode = match def.spring {
        None if def.drive.limits.is_some() => AxisMode::Driven(def.drive),
        None => AxisMode::Locked(length),
        Some(spring) => {
            AxisMode::Driven(Drive { servo: Some(Servo { target: length, spring, force }), ..def.drive })
        }
    };
    AxisModes { line: true, modes: [mode, AxisMode::Free, AxisMode::Free], ..AxisModes::default() }
}
