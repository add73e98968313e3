//! A motor that brings B to a place and angle against A, with limited strength; a mouse that drags.
//! Solved in `solver/joints/drives.rs`, called by `loops/solve.rs`.
//!
//! # Derivation
//!
//! ```text
//!   q = (n·d, t·d, θ_b - θ_a - θ_0),  d = x_b + r_b - x_a - r_a    n, t the axes of A
//!   each q goes to its target by a spring               |(λ_1, λ_2)| <= h max_force, |λ_3| <= h max_torque
//!   J, K: the rows of the hinge and of its angle
//! ```
//!
//! The first two share one strength: a force has no preferred direction.

use glam::Vec2;

use super::{AxisMode, AxisModes};
use crate::joint::def::{Drive, Limits, Servo, Spring};

/// Target pose and strength of a motor.
pub(super) struct Goal {
    pub(super) offset: Vec2,
    pub(super) angle: f32,
    pub(super) spring: Spring,
    pub(super) max_force: f32,
    pub(super) max_torque: f32,
}

pub(super) fn axis_modes(goal: &Goal) -> AxisModes {
    let servo = |target: f32, max: f32| {
        let force = Limits::new(-max, max);
        let servo = Servo { target, spring: goal.spring, force };
        AxisMode::Driven(Drive { servo: Some(servo), ..Drive::default() })
    };
    let (x, y) = (servo(goal.offset.x, goal.max_force), servo(goal.offset.y, goal.max_force));
    // Without torque the angle is free.
    let turn = if goal.max_torque > 0.0 { servo(goal.angle, goal.max_torque) } else { AxisMode::Free };
    AxisModes { round: true, modes: [x, y, turn], ..AxisModes::default() }
}
