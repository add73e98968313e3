//! Explosions: a radial impulse on everything that is in line of sight of a point.
//!
//! In: a centre, a reach and a strength. Out: new velocities of bodies. Sight lines leave the
//! centre towards each nearby shape, and each pushes the first body that it meets:
//!
//! ```text
//!              .-- shape --.        sight lines k, evenly over the angle 2 α under which the
//!                                   circle
//!      --d_k-->|           |        around the shape is seen; Δθ = 2 α / lines
//!   o  ------->|           |
//!      ---> || '-----------'        a wall in between takes the push that was meant for it
//!
//!   J_k = impulse · d_k Δθ · s(d_k) · direction      along the line, at the point that it meets
//!   s(d) = 1 up to the radius, then falls off evenly to 0 at radius + falloff
//! ```
//!
//! `d Δθ` is the width of the front that a sight line stands for, so a distant face of w metres
//! gets `impulse` · w, however the shape is split into others.

use glam::Vec2;

use super::add_remove::{check, check_place, check_size};
use crate::body::{BodyId, ShapeId, flag};
use crate::error::Error;
use crate::math::{Rot, WorldPoint, atan2, max};
use crate::shape::Shape;
use crate::tuning::MIN_SIZE;
use crate::world::World;
use crate::world::query::{PlacedShape, QueryFilter, WorldRay};
use crate::world::record::Input;

/// Sight lines per shape: enough for impulse and angular impulse on a box to be right to 5 %.
const LINES: usize = 16;

/// A push at a point.
struct Push {
    body: BodyId,
    impulse: Vec2,
    arm: Vec2,
}

impl World {
    /// A blast: pushes all dynamic bodies in line of sight of `center`, and wakes them.
    ///
    /// `impulse` is in N s per metre of the face towards the centre. It has full strength up to
    /// `radius`, and falls off evenly over `falloff` metres more. Bodies behind others or behind
    /// walls get nothing; a body that contains the centre gets nothing and shelters nothing, so a
    /// bomb may still be there. A negative impulse pulls.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let crate_ = world.add(BodyDef::dynamic().at([5.0, 0.0]).shape(Shape::rect(1.0, 1.0)))?; // 1 kg
    /// let behind = world.add(BodyDef::dynamic().at([7.0, 0.0]).shape(Shape::circle(0.2)))?;
    /// world.explode([0.0, 0.0], 6.0, 10.0, 4.0)?;
    /// assert!((world[crate_].velocity().x - 10.0).abs() < 0.5); // 1 m of face, 1 kg
    /// assert_eq!(world[behind].velocity(), vec2(0.0, 0.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A number that is not finite or above 1e9, a radius or fall-off below 0, or a centre that is
    /// no place. In a world that [wraps round](crate::WorldDef::periodic), a reach of more than a
    /// quarter of it.
    pub fn explode(
        &mut self,
        center: impl Into<WorldPoint>,
        radius: f32,
        impulse: f32,
        falloff: f32,
    ) -> Result<(), Error> {
        let center = center.into();
        self.note(|| Input::Explode { center, radius, impulse, falloff });
        check_place(center)?;
        check(&[impulse], "an impulse must be finite, and at most 1e9")?;
        check_size(radius, "a radius must be 0 or more, and at most 1e9")?;
        check_size(falloff, "a fall-off must be 0 or more, and at most 1e9")?;
        if !self.def.period().is_none() && radius + falloff > self.def.period().least() / 4.0 {
            return Err(Error::BadNumber(
                "where a world wraps round, an explosion reaches at most a quarter of the period",
            ));
        }
        for Push { body, impulse, arm } in self.blast(center, radius, impulse, falloff) {
            self.change_dynamic(body, |row| row.push(impulse, arm, 0.0))?;
        }
        Ok(())
    }

    /// The pushes of a blast, body by body.
    fn blast(&self, center: WorldPoint, radius: f32, impulse: f32, falloff: f32) -> Vec<Push> {
        let reach = radius + falloff;
        if reach < MIN_SIZE || impulse == 0.0 {
            return Vec::new();
        }
        let (mut near, mut around) = (Vec::new(), Vec::new());
        let disc = Shape::circle(reach);
        self.overlap_shape(&PlacedShape::at(&disc, center), &QueryFilter::default(), &mut near);
        self.overlap_point(center, &QueryFilter::default(), &mut around);
        let around: Vec<BodyId> = around.iter().map(|it| it.body).collect();
        let filter = QueryFilter::default().without_all(&around);
        let share = |distance: f32| {
            if distance <= radius { 1.0 } else { max(1.0 - (distance - radius) / falloff, 0.0) }
        };
        let mut pushes = Vec::new();
        let gives = |id: BodyId| self.get(id).is_some_and(|body| body.has(flag::DYNAMIC));
        for target in near.iter().filter(|it| gives(it.body) && !around.contains(&it.body)) {
            let Some((ahead, half)) = self.seen_under(target.shape, center) else { continue };
            let step = 2.0 * half / LINES as f32;
            for k in 0..LINES {
                let direction = Rot::from_angle((k as f32 + 0.5) * step - half) * ahead;
                let ray = WorldRay::new(center, direction * reach);
                let Some(hit) = self.ray(ray, &filter).filter(|hit| hit.shape == target.shape) else {
                    continue;
                };
                let distance = hit.fraction * reach;
                let size = impulse * distance * step * share(distance);
                let arm = self.way(self[target.body].center_point(), hit.point);
                pushes.push(Push { body: target.body, impulse: direction * size, arm });
            }
        }
        pushes
    }

    /// The direction from a point to the circle around a shape, and half the angle under which it
    /// is seen.
    fn seen_under(&self, id: ShapeId, from: WorldPoint) -> Option<(Vec2, f32)> {
        let collider = self.get_shape(id)?;
        let circle = collider.shape.bounding_circle();
        let way = self.way(from, self.bodies.rows[collider.body as usize].to_world(circle.center));
        let distance = way.length();
        if distance <= circle.radius || distance == 0.0 {
            return Some((Vec2::X, core::f32::consts::PI));
        }
        let tangent = ((distance - circle.radius) * (distance + circle.radius)).sqrt();
        Some((way / distance, atan2(circle.radius, tangent)))
    }
}
