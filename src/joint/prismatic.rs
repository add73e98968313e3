//! A slider: B moves along an axis of A, and does not turn against it. Solved in
//! `solver/joints/trees/factor.rs` and `solve.rs` (trees), `webs/` (loops), `loops/solve.rs` (large
//! nets).
//!
//! # Derivation
//!
//! ```text
//!   d  = x_b + r_b - x_a - r_a,  n the axis, t to the left of it; both turn with A
//!   C  = (t·d, θ_b - θ_a - θ_0) = 0
//!   J  = | -t  -(r_a + d) × t   t  r_b × t |            the arm of A ends at B's anchor, for t turns with A
//!        |  0  -1               0  1       |
//!   K  = J M⁻¹ Jᵀ; the angle first, then the way across
//!   q  = n·d,  q' = n·(v_b - v_a) + w_b (r_b × n) - w_a ((r_a + d) × n)
//!   1 / mass of q = m_a + m_b + i_a ((r_a + d) × n)² + i_b (r_b × n)²
//! ```

use glam::Vec2;

use super::{AxisMode, AxisModes};
use crate::joint::def::JointDef;

pub(super) fn axis_modes(def: &JointDef, axis: Vec2) -> AxisModes {
    let held = AxisMode::locked(0.0, def.spring);
    AxisModes { axis, modes: [AxisMode::Driven(def.drive), held, held], ..AxisModes::default() }
}
