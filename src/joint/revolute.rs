//! A hinge: two points stay together. Solved in `solver/joints/trees/factor.rs` and `solve.rs`
//! (trees), `webs/` (loops), `loops/solve.rs` (large nets; without drives `loops/point.rs`).
//!
//! # Derivation
//!
//! ```text
//!   d  = x_b + r_b - x_a - r_a                        from A's anchor to B's
//!   C  = (n·d, t·d) = 0                               n, t: two axes that turn with A; any will do
//!   J  = | -n  -(r_a + d) × n   n  r_b × n |          over (v_a, w_a, v_b, w_b)
//!        | -t  -(r_a + d) × t   t  r_b × t |
//!   K  = J M⁻¹ Jᵀ, two by two, solved at once
//!   q  = θ_b - θ_a - θ_0,  q' = w_b - w_a             the free axis: limits, motor, servo
//!   1 / mass of q = i_a + i_b
//! ```
//!
//! x: centres of mass, r: from them to the anchors, θ_0: the reference angle. q counts turns.

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
