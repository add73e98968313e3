//! Gears, and a rack with its pinion: the free axes of two joints are coupled. Solved in
//! `solver/joints/couplings.rs`.
//!
//! # Derivation
//!
//! ```text
//!   C  = q_1 + ratio q_2 - c = 0                       q: the angle of a hinge, or the way of a slider
//!   J  = J_1 + ratio J_2                               over the bodies of both; J_1, J_2 as in their own files
//!   K  = J M⁻¹ Jᵀ = K_11 + 2 ratio K_12 + ratio² K_22  K_12 over bodies that are in both
//! ```
//!
//! The constant c is the value of the sum when the gear is added, or when its ratio or its joints
//! are changed. Whole turns of an angle are counted apart from the rest
//! (`world/joints/revolutions.rs`): the solver therefore sees a small C, however long the gear has
//! turned.

use super::def::JointKind;
use crate::body::JointId;

impl JointKind {
    /// Weight of the second coordinate of a gear or pulley; `None` for other joints.
    pub(crate) fn ratio(&self) -> Option<f32> {
        match *self {
            JointKind::Gear { ratio, .. } | JointKind::Pulley { ratio, .. } => Some(ratio),
            _ => None,
        }
    }

    /// The joints that a gear couples.
    pub(crate) fn gears(&self) -> Option<[JointId; 2]> {
        match *self {
            JointKind::Gear { first, second, .. } => Some([first, second]),
            _ => None,
        }
    }
}
