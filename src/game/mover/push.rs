//! Pushing dynamic bodies.
//!
//! In: what the last move ran into, and how fast. Out: impulses on the dynamic bodies among it. Called by
//! [`Mover::move_body`], or by a program that drives a mover without a body.

use super::{Mover, MoverTouch};
use crate::body::{Body, BodyKind};
use crate::error::Error;
use crate::math::{cross, min};
use crate::world::World;

impl Mover {
    /// Pushes the dynamic bodies that the last move ran into, as a body of [`MoverDef::mass`](super::MoverDef) would, with
    /// no more than [`MoverDef::push_force`](super::MoverDef) newtons each during `dt` seconds.
    ///
    /// [`Mover::move_body`] has done so already.
    ///
    /// # Errors
    /// A `dt` that is negative, not finite, or longer than a second.
    pub fn push(&self, world: &mut World, dt: f32) -> Result<(), Error> {
        if !(0.0..=1.0).contains(&dt) {
            return Err(Error::BadNumber("a step takes 0 to 1 s: give seconds, as in 1.0 / 60.0"));
        }
        for touch in &self.touches {
            let Some(body) = world.get(touch.body).filter(|body| body.kind() == BodyKind::Dynamic) else {
                continue;
            };
            let impulse = min(impulse(touch, body, self.def.mass), self.def.push_force * dt);
            // A body that went beyond the numbers is not pushed further.
            if impulse > 0.0 && impulse.is_finite() {
                world.apply_impulse_at(touch.body, -touch.normal * impulse, touch.point)?;
            }
        }
        Ok(())
    }
}

/// What ends the approach, in N s:
///
/// ```text
///   P = v / (1/m + n·M⁻¹n + (r × n)² / I)     v approach speed, n normal, r arm of the point,
///                                             m mass of the mover, M and I mass and inertia of the body
/// ```
fn impulse(touch: &MoverTouch, body: &Body, mass: f32) -> f32 {
    if mass == 0.0 {
        return 0.0;
    }
    let turning = cross(body.world_center().to(touch.point), touch.normal);
    let yields = touch.normal.dot(body.inv_mass * touch.normal) + body.inv_inertia * turning * turning;
    touch.speed / (1.0 / mass + yields)
}
