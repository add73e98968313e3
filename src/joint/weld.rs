//! Glue: B keeps its place and its angle against A, stiff or like a leaf spring. Solved in
//! `solver/joints/trees/factor.rs` and `solve.rs` (trees), `webs/` (loops), `loops/solve.rs` (large
//! nets).
//!
//! # Derivation
//!
//! ```text
//!   d = x_b + r_b - x_a - r_a                           n, t: two axes that turn with A; any will do
//!   C = (n·d, t·d, θ_b - θ_a - θ_0) = 0
//!   J = | -n  -(r_a + d) × n   n  r_b × n |             over (v_a, w_a, v_b, w_b)
//!       | -t  -(r_a + d) × t   t  r_b × t |
//!       |  0  -1               0  1       |
//!   K = J M⁻¹ Jᵀ, three by three where trees are solved directly; else the angle first, then the point
//!   1 / mass of a bending angle = i_a + i_b             a spring: see `spring.rs`
//! ```
//!
//! x: centres of mass, r: from them to the anchors, m and i: inverse masses and inertias, θ_0: the
//! reference angle.

use super::{AxisMode, AxisModes};
use crate::joint::def::{JointDef, Spring};

pub(super) fn axis_modes(def: &JointDef, bend: Option<Spring>) -> AxisModes {
    let held = AxisMode::locked(0.0, def.spring);
    AxisModes {
        round: def.spring.is_some(),
        modes: [held, held, AxisMode::locked(0.0, bend)],
        ..AxisModes::default()
    }
}
