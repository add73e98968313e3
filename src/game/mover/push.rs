//! Pushing dynamic bodies.
//!
//! In: the parts that the last move ran into, and how fast. Out: impulses on their dynamic bodies.
//! Called by [`Mover::move_body`], or by a program that drives a mover without a body.
//!
//! The impulses come after the move, and the step of the world after both. So in the middle of a
//! move, a pushed body is placed ahead, as fast as it will be with its impulse. The mover stays a
//! skin behind it, and does not stop at a place that the body will have left when the step ends.

use glam::Vec2;

use super::field::Stop;
use super::walk::Walker;
use super::{Mover, MoverDef, MoverTouch};
use crate::body::{Body, BodyKind};
use crate::error::Error;
use crate::math::{cross, max, min};
use crate::world::{PlacedShape, QueryFilter, ShapeCast, World};

/// The least cosine between a way and the direction of a part that blocks it; others are only
/// brushed.
const LEAST_BLOCKING: f32 = 0.1;

impl Mover {
    /// Pushes the dynamic bodies that the last move ran into, as a body of
    /// [`MoverDef::mass`](super::MoverDef) would, with at most
    /// [`MoverDef::push_force`](super::MoverDef) newtons each during `dt` seconds.
    ///
    /// [`Mover::move_body`] calls this itself.
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
            let arm = world.way(body.center_point(), touch.point);
            let impulse = impulse(touch, (body, arm), &self.def, dt);
            // A body with infinite numbers is not pushed further.
            if impulse > 0.0 && impulse.is_finite() {
                world.apply_impulse_at(touch.body, -touch.normal * impulse, touch.point)?;
            }
        }
        Ok(())
    }
}

impl Walker<'_> {
    /// Moves a dynamic body that was just run into ahead of the mover, as fast as it will be once
    /// it is pushed and as far as nothing stops its shape. Returns whether it does; a body is moved
    /// ahead once in a move.
    pub(super) fn send_ahead(&mut self, stop: &Stop) -> bool {
        let (world, met) = (self.field.world, self.field.parts[stop.index]);
        if met.kind != BodyKind::Dynamic || met.goes_ahead || self.ground_body() == Some(met.body) {
            return false;
        }
        let body = &world.bodies.rows[met.body.index()];
        let is_it = |touch: &&MoverTouch| touch.shape == met.shape && touch.part == met.number;
        let pushed = self.touches.iter().find(is_it);
        let arm = |touch: &MoverTouch| self.field.world.way(body.center_point(), touch.point);
        let pushed = pushed.map_or(0.0, |touch| impulse(touch, (body, arm(touch)), self.def, self.dt));
        let velocity = body.linear_velocity - body.inv_mass * stop.normal * pushed;
        let length = -velocity.dot(stop.normal) * self.dt;
        // NaN: a body with infinite numbers.
        if length.is_nan() || length <= 0.0 {
            return false;
        }
        let way = -stop.normal * self.free_way(stop.index, length);
        for part in self.field.parts.iter_mut().filter(|part| part.body == met.body) {
            (part.way, part.goes_ahead) = (way, true);
            part.place(world, self.field.start, self.share);
        }
        true
    }

    /// Returns how far a pushed shape gets before something else stops it, up to `length`. An
    /// obstacle that moves the same way adds its own displacement.
    fn free_way(&mut self, index: usize, length: f32) -> f32 {
        let (world, met) = (self.field.world, self.field.parts[index]);
        let (body, shape) =
            (&world.bodies.rows[met.body.index()], &world.shapes.colliders[met.shape.index()].shape);
        let direction = -self.field.gap(index, Vec2::ZERO).normal;
        let start = PlacedShape { shape, position: body.world_position(), rotation: body.rotation };
        let cast = ShapeCast { start, translation: direction * length, turn: 0.0, distance: 0.0 };
        let others = |id| world.body_of(id).is_some_and(|other| self.filter.without != Some(other));
        let filter = QueryFilter { sensors: false, ..QueryFilter::default() }.without(met.body);
        world.cast_all(&cast, &filter.only(&others), self.hits);
        self.hits.iter().filter(|hit| hit.normal.dot(direction) < -LEAST_BLOCKING).fold(
            length,
            |free, hit| {
                let other = &world.bodies.rows[hit.body.index()];
                let leaves = max(other.linear_velocity.dot(direction), 0.0) * self.dt;
                min(free, hit.time * length + leaves)
            },
        )
    }
}

/// Returns the impulse that ends the approach, in N s, but at most the impulse of the mover's force
/// in `dt` seconds:
///
/// ```text
///   P = v / (1/m + n·M⁻¹n + (r × n)² / I)     v approach speed, n normal, r arm of the point,
///                                             m mass of the mover, M mass and I inertia of
///                                             the body
/// ```
fn impulse(touch: &MoverTouch, (body, arm): (&Body, Vec2), def: &MoverDef, dt: f32) -> f32 {
    if def.mass == 0.0 {
        return 0.0;
    }
    let turning = cross(arm, touch.normal);
    let yields = touch.normal.dot(body.inv_mass * touch.normal) + body.inv_inertia * turning * turning;
    min(touch.speed / (1.0 / def.mass + yields), def.push_force * dt)
}
