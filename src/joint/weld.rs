//! Glue: B keeps its place and its turn against A, stiff or like a leaf spring.
//!
//! # Derivation
//!
//! ```text
//!   C = (n·d, t·d, θ_b - θ_a - θ_0) = 0,  d = x_b + r_b - x_a - r_a
//!   K = J M⁻¹ Jᵀ, three by three where trees are solved directly; else the angle first, then the point
//! ```
//!
//! The rows of J are those of the hinge and of the slider's angle.

use super::{Makeup, Rule};
use crate::joint::def::{JointDef, Spring};

pub(super) fn makeup(def: &JointDef, bend: Option<Spring>) -> Makeup {
    let held = Rule::held(0.0, def.spring);
    Makeup { round: def.spring.is_some(), rules: [held, held, Rule::held(0.0, bend)], ..Makeup::default() }
}
