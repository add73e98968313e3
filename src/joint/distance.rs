//! Two points at a distance: a rod that keeps it, or a rope that has limits, a servo and a motor.
//!
//! # Derivation
//!
//! ```text
//!   d  = x_b + r_b - x_a - r_a,  n = d / |d|
//!   q  = |d|                                            what is free in a rope; a rod has C = q - length = 0
//!   q' = n·(v_b - v_a) + w_b (r_b × n) - w_a (r_a × n)
//!   1 / mass = m_a + m_b + i_a (r_a × n)² + i_b (r_b × n)²
//! ```
//!
//! Points in one place have no line: the axis of A stands in for it.

use super::{Makeup, Rule};
use crate::joint::def::{Drive, JointDef, Servo};

pub(super) fn rod(def: &JointDef, length: f32) -> Makeup {
    let rule = match def.spring {
        None => Rule::Held(length),
        // A rod that gives way has room for limits and a motor as well.
        Some(spring) => Rule::Driven(Drive { servo: Some(Servo::new(length, spring)), ..def.drive }),
    };
    Makeup { line: true, rules: [rule, Rule::Free, Rule::Free], ..Makeup::default() }
}

pub(super) fn rope(def: &JointDef) -> Makeup {
    Makeup { line: true, rules: [Rule::Driven(def.drive), Rule::Free, Rule::Free], ..Makeup::default() }
}
