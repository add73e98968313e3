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
//!
//! In a crowd most shapes are behind others. Nearest shapes come first, and shapes that are surely
//! hidden by them ([`Shadow`](super::shadow::Shadow)) get no sight lines.

use glam::Vec2;

use super::check::{check, check_place, check_size};
use super::shadow::{Arc, Shadow};
use crate::body::{BodyId, ShapeId, flag};
use crate::error::Error;
use crate::math::{Rot, WorldPoint, atan2, max, min};
use crate::shape::Shape;
use crate::tuning::MIN_SIZE;
use crate::util::sort;
use crate::world::World;
use crate::world::query::{PlacedShape, QueryFilter, WorldRay};
use crate::world::record::Input;

/// Sight lines per shape: enough for impulse and angular impulse on a box to be right to 5 %.
const LINES: usize = 16;

/// A shape that may be seen from the centre.
struct Target {
    body: BodyId,
    shape: ShapeId,
    /// Direction of the middle of the circle around it, and half the angle under which it is seen.
    ahead: Vec2,
    half: f32,
    /// Nearest and farthest distance of that circle.
    nearest: f32,
    farthest: f32,
}

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
        self.prepare_queries();
        for Push { body, impulse, arm } in self.blast(center, [radius, impulse, falloff], Shadow::hides) {
            self.change_dynamic(body, |row| row.push(impulse, arm, 0.0))?;
        }
        Ok(())
    }

    /// Returns the pushes of an explosion, body by body. `hides` tells which shapes need no sight
    /// lines.
    fn blast(
        &self,
        center: WorldPoint,
        [radius, impulse, falloff]: [f32; 3],
        hides: impl Fn(&Shadow, &Arc, f32) -> bool,
    ) -> Vec<Push> {
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
        let gives = |id: BodyId| self.get(id).is_some_and(|body| body.has(flag::DYNAMIC));
        let targets: Vec<Target> = near
            .iter()
            .filter(|it| gives(it.body) && !around.contains(&it.body))
            .filter_map(|it| self.target(it.body, it.shape, center))
            .collect();
        let mut order: Vec<usize> = (0..targets.len()).collect();
        sort::by(&mut order, |&a, &b| targets[a].nearest.total_cmp(&targets[b].nearest).then(a.cmp(&b)));
        let (mut shadow, mut pushes) = (Shadow::default(), Vec::new());
        for number in order {
            let target = &targets[number];
            let whole = Arc::about(target.ahead, -target.half, target.half);
            if hides(&shadow, &whole, target.nearest) {
                continue;
            }
            let step = 2.0 * target.half / LINES as f32;
            let turn = |k: usize| (k as f32 + 0.5) * step - target.half;
            // The sight line ends at the far side of the target.
            let far = min(reach, target.farthest * 1.001);
            let mut seen: Option<[usize; 2]> = None;
            for k in 0..LINES {
                let direction = Rot::from_angle(turn(k)) * target.ahead;
                let ray = WorldRay::new(center, direction * far);
                let Some(hit) = self.ray(ray, &filter).filter(|hit| hit.shape == target.shape) else {
                    continue;
                };
                seen = Some([seen.map_or(k, |[first, _]| first), k]);
                let distance = hit.fraction * far;
                let size = impulse * distance * step * share(distance);
                let arm = self.way(self[target.body].center_point(), hit.point);
                pushes.push((number, Push { body: target.body, impulse: direction * size, arm }));
            }
            // Between two sight lines that meet a convex shape all others meet it, too.
            // (Not if the centre is in the circle: then they may be on both sides of it.)
            let is_clear = target.nearest > 0.0 && self.is_convex(target.shape);
            if let Some([first, last]) = seen.filter(|_| is_clear) {
                shadow.add(&Arc::about(target.ahead, turn(first), turn(last)), target.farthest);
            }
        }
        // Pushes are in the order in which bodies were found, not by distance.
        sort::by_key(&mut pushes, |&(number, _)| number);
        pushes.into_iter().map(|(_, push)| push).collect()
    }

    fn is_convex(&self, id: ShapeId) -> bool {
        self.get_shape(id).is_some_and(|collider| {
            use Shape::{Capsule, Circle, Obb, Polygon, Segment};
            matches!(*collider.shape, Circle(_) | Capsule(_) | Segment(_) | Obb(_) | Polygon(_))
        })
    }

    /// A shape as it is seen from a point, by the circle around it.
    fn target(&self, body: BodyId, shape: ShapeId, from: WorldPoint) -> Option<Target> {
        let collider = self.get_shape(shape)?;
        let circle = collider.shape.bounding_circle();
        let way = self.way(from, self.bodies.rows[collider.body as usize].to_world(circle.center));
        let distance = way.length();
        let (nearest, farthest) = (distance - circle.radius, distance + circle.radius);
        if nearest <= 0.0 || distance == 0.0 {
            let (ahead, half) = (Vec2::X, core::f32::consts::PI);
            return Some(Target { body, shape, ahead, half, nearest: 0.0, farthest });
        }
        let half = atan2(circle.radius, (nearest * farthest).sqrt());
        Some(Target { body, shape, ahead: way / distance, half, nearest, farthest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, WorldDef};
    use glam::vec2;

    /// A crowd of shapes of all kinds, some fixed, some without gaps, some around the centre.
    fn crowd(seed: u64) -> World {
        let mut state = seed;
        let mut below = |count: u64| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            ((state >> 33) % count) as f32
        };
        let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
        for k in 0..400 {
            let at = [0.05 * below(800) - 20.0, 0.05 * below(800) - 20.0];
            let (a, b) = (0.2 + 0.02 * below(60), 0.2 + 0.02 * below(60));
            let shape = match k % 6 {
                0 => Shape::circle(a),
                1 => Shape::capsule([-a, 0.0], [a, b], 0.2),
                2 => Shape::rect(2.0 * a, b).rounded(0.05),
                3 => Shape::polygon(&[vec2(-a, 0.0), vec2(b, 0.0), vec2(0.0, a)]),
                4 => Shape::compound([Shape::rect(a, 0.2), Shape::rect(0.2, b).at([0.0, 0.3])]),
                _ => Shape::segment([-a, 0.0], [b, 0.5]),
            };
            let def = if k % 7 == 0 { BodyDef::fixed() } else { BodyDef::dynamic() };
            _ = world.add(def.at(at).angle(0.1 * below(60)).shape(shape));
        }
        world
    }

    /// No sight line would have met the shapes that are skipped as hidden.
    #[test]
    fn shadows_change_nothing() {
        let (mut pushed, mut skipped) = (0, 0);
        for seed in 0..20 {
            let world = crowd(seed);
            let asks = |blind: bool| {
                let hidden = core::cell::Cell::new(0);
                let pushes =
                    world.blast(WorldPoint::from([0.0, 0.0]), [8.0, 3.0, 9.0], |shadow, arc, nearest| {
                        let hides = !blind && shadow.hides(arc, nearest);
                        hidden.set(hidden.get() + usize::from(hides));
                        hides
                    });
                let bits = |push: &Push| {
                    (push.body, [push.impulse, push.arm].map(|it| it.to_array().map(f32::to_bits)))
                };
                (pushes.iter().map(bits).collect::<Vec<_>>(), hidden.get())
            };
            let ((all, none), (some, hidden)) = (asks(true), asks(false));
            assert!(all == some, "seed {seed}");
            assert_eq!(none, 0);
            pushed += all.len();
            skipped += hidden;
        }
        assert!(pushed > 1_000 && skipped > 1_000, "{pushed} pushes, {skipped} shapes hidden");
    }
}
