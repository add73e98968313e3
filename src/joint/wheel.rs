//! A wheel: B turns freely, is sprung along an axis of A, and does not move across it.
//!
//! # Derivation
//!
//! ```text
//!   C  = t·d = 0,  d = x_b + r_b - x_a - r_a            t across the axis n, turning with A
//!   q1 = n·d                                            the suspension: servo, limits
//!   q2 = θ_b - θ_a                                      the engine
//! ```
//!
//! The rows of J are those of the slider.

use glam::Vec2;

use super::{Makeup, Rule};
use crate::joint::def::{Drive, JointDef};

pub(super) fn makeup(def: &JointDef, axis: Vec2, suspension: Drive) -> Makeup {
    let across = Rule::held(0.0, def.spring);
    Makeup { axis, rules: [Rule::Driven(suspension), across, Rule::Driven(def.drive)], ..Makeup::default() }
}
