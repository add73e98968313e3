//! Couplings: gears, racks and pulleys tie the numbers of two joints together.
//!
//! # Derivation
//!
//! ```text
//!   gear     C = q_1 + ratio q_2 - c = 0                q: the angle of a hinge, or the way of a slider
//!   pulley   C = q_1 + ratio q_2 - length <= 0          q: distances from the points over which the rope runs
//!   J = J_1 + ratio J_2                                 over the bodies of both
//!   1 / mass = J M⁻¹ Jᵀ                                 with what a body in both of them adds twice
//! ```
//!
//! J_1 and J_2 are the rows of those numbers in the hinge, the slider and the rod. A gear's constant c is set when it is
//! added, and when its ratio or its joints are changed; a pulley only pulls, and hangs slack when pushed.

use super::def::JointKind;
use crate::body::JointId;

impl JointKind {
    /// How much the second number of a coupling counts; `None` for other joints.
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

    /// Whether a coupling only pulls.
    pub(crate) fn slackens(&self) -> bool {
        matches!(self, JointKind::Pulley { .. })
    }
}
