//! The speed limit: the greatest velocity and angular velocity of a body.
//!
//! In: the velocities of a body, and the limits of the world. Out: velocities within the limits.
//! Bodies pass here twice in a step: in `begin/gather.rs`, with the velocities that the game gave
//! them, and in `finish/bodies.rs`, with the velocities that the solver left. Eight bodies at a
//! time come here only if one of them is near a limit (`gather_wide.rs`, `bodies_wide.rs`).
//!
//! The limit of a world is [`WorldDef::max_speed`](crate::WorldDef::max_speed), by default
//! [`MAX_SPEED`](crate::tuning::MAX_SPEED). The limit of a single body is in
//! `world/store/own_laws.rs`.

use crate::body::{Body, FASTEST};
use crate::math::{limited, max, min};
use crate::tuning::MAX_TURN;

/// Clamps the velocities of a body to the greatest that are allowed.
#[inline]
pub(crate) fn limit_speed(body: &mut Body, max_speed: f32, max_spin: f32) {
    body.linear_velocity = limited(body.linear_velocity, min(max_speed, FASTEST));
    body.angular_velocity = min(max(body.angular_velocity, -max_spin), max_spin);
}

/// The greatest angular velocity in sub-steps of `h` seconds: [`MAX_TURN`] in each.
pub(crate) fn max_spin(h: f32) -> f32 {
    if h > 0.0 { MAX_TURN / h } else { f32::MAX }
}
