//! A rope that runs over two points from one body to another. Solved in
//! `solver/joints/couplings.rs`.
//!
//! # Derivation
//!
//! ```text
//!   d_1 = x_a + r_a - p_1,  n_1 = d_1 / |d_1|           p: where the rope runs; the same for B and p_2
//!   C   = |d_1| + ratio |d_2| - length <= 0
//!   J   = | n_1  r_a × n_1  ratio n_2  ratio (r_b × n_2) |
//!   K   = m_a + i_a (r_a × n_1)² + ratio² (m_b + i_b (r_b × n_2)²)
//! ```
//!
//! λ <= 0: it pulls, and hangs slack when pushed. Its ends are two ropes from the world, solved
//! like the ends of a gear.

use super::def::JointKind;

impl JointKind {
    /// Whether a coupling only pulls.
    pub(crate) fn slackens(&self) -> bool {
        matches!(self, JointKind::Pulley { .. })
    }
}
