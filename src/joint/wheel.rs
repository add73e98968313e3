//! A wheel: B turns freely, is sprung along an axis of A, and does not move across it. Solved in
//! `solver/joints/trees/factor.rs` and `solve.rs` (trees), `webs/` (loops), `loops/solve.rs` (large
//! nets); suspension and engine in `drives.rs`.
//!
//! # Derivation
//!
//! ```text
//!   d  = x_b + r_b - x_a - r_a,  n the axis, t to the left of it; both turn with A
//!   C  = t·d = 0
//!   J  = | -t  -(r_a + d) × t   t  r_b × t |            over (v_a, w_a, v_b, w_b)
//!   K  = m_a + m_b + i_a ((r_a + d) × t)² + i_b (r_b × t)²
//!   q1 = n·d                                            the suspension: servo, limits; mass as in the slider
//!   q2 = θ_b - θ_a - θ_0,  1 / mass = i_a + i_b         the engine
//! ```
//!
//! x: centres of mass, r: from them to the anchors, m and i: inverse masses and inertias.

use glam::Vec2;

use super::{AxisMode, AxisModes};
use crate::joint::def::{Drive, JointDef};

pub(super) fn axis_modes(def: &JointDef, axis: Vec2, suspension: Drive) -> AxisModes {
    let across = AxisMode::locked(0.0, def.spring);
    AxisModes {
        axis,
        modes: [AxisMode::Driven(suspension), across, AxisMode::Driven(def.drive)],
        ..AxisModes::default()
    }
}
