//! A hinge: two points stay together.
//!
//! # Derivation
//!
//! ```text
//!   d  = x_b + r_b - x_a - r_a                          from A's anchor to B's
//!   C  = (n·d, t·d) = 0                                 n, t: two axes that turn with A; any will do
//!   J  = | -n  -(r_a + d) × n   n  r_b × n |            over (v_a, w_a, v_b, w_b)
//!        | -t  -(r_a + d) × t   t  r_b × t |
//!   K  = J M⁻¹ Jᵀ, two by two, solved at once
//!   q  = θ_b - θ_a - θ_0,  q' = w_b - w_a               what is free: limits, motor, servo
//!   1 / mass of q = i_a + i_b
//! ```
//!
//! x: centres of mass, r: from them to the anchors, θ_0: the angle that counts as none. q counts
//! turns.

use super::{AxisMode, AxisModes};
use crate::joint::def::JointDef;

pub(super) fn axis_modes(def: &JointDef) -> AxisModes {
    let held = AxisMode::locked(0.0, def.spring);
    AxisModes {
        round: def.spring.is_some(),
        modes: [held, held, AxisMode::Driven(def.drive)],
        ..AxisModes::default()
    }
}
