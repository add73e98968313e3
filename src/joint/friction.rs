//! Friction that keeps B from moving against A wherever they are: for objects on a floor, seen from
//! above. Solved in `solver/joints/drives.rs`, called by `loops/solve.rs`.
//!
//! # Derivation
//!
//! ```text
//!   q' = (n·d', t·d', w_b - w_a) -> 0,  d = x_b + r_b - x_a - r_a  n, t the axes of A
//!   |(λ_1, λ_2)| <= h max_force, |λ_3| <= h max_torque  the first two share one strength, as in Coulomb's law
//!   J, K: the rows of the hinge and of its angle
//! ```

use super::{AxisMode, AxisModes};
use crate::joint::def::{Drive, Motor};

pub(super) fn axis_modes(max_force: f32, max_torque: f32) -> AxisModes {
    let rub =
        |max: f32| AxisMode::Driven(Drive { motor: Some(Motor { speed: 0.0, max }), ..Drive::default() });
    AxisModes {
        round: true,
        modes: [rub(max_force), rub(max_force), rub(max_torque)],
        ..AxisModes::default()
    }
}
