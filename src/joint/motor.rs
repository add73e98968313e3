//! Limited strength: a motor that brings B to a place and turn against A, and friction that keeps B from moving against it.
//!
//! # Derivation
//!
//! ```text
//!   q = (n·d, t·d, θ_b - θ_a - θ_0)                     n, t the axes of A
//!   motor:     each q goes to its target by a spring    |(λ_1, λ_2)| <= h max_force, |λ_3| <= h max_torque
//!   friction:  each q' goes to 0                        the same
//! ```
//!
//! The first two share one strength: a force has no preferred direction.

use glam::Vec2;

use super::{Makeup, Rule};
use crate::joint::def::{Drive, Limits, Motor, Servo, Spring};

/// Where a motor brings B, and how strong it is.
pub(super) struct Goal {
    pub(super) offset: Vec2,
    pub(super) angle: f32,
    pub(super) spring: Spring,
    pub(super) max_force: f32,
    pub(super) max_torque: f32,
}

pub(super) fn motor(goal: &Goal) -> Makeup {
    let servo = |target: f32, max: f32| {
        let force = Limits::new(-max, max);
        let servo = Servo { target, spring: goal.spring, force };
        Rule::Driven(Drive { servo: Some(servo), ..Drive::default() })
    };
    let (x, y) = (servo(goal.offset.x, goal.max_force), servo(goal.offset.y, goal.max_force));
    // Without torque the angle is left alone.
    let turn = if goal.max_torque > 0.0 { servo(goal.angle, goal.max_torque) } else { Rule::Free };
    Makeup { round: true, rules: [x, y, turn], ..Makeup::default() }
}

pub(super) fn friction(max_force: f32, max_torque: f32) -> Makeup {
    let rub = |max: f32| Rule::Driven(Drive { motor: Some(Motor { speed: 0.0, max }), ..Drive::default() });
    Makeup { round: true, rules: [rub(max_force), rub(max_force), rub(max_torque)], ..Makeup::default() }
}
