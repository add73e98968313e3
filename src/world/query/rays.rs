//! Ray casts through the world.
//!
//! In: a ray and a filter. Out: the first shape it meets, whether it meets any, or all of them in
//! order.
//!
//! Limit cases are as in [`ray`](crate::ray) against a single shape. A start inside or on the
//! border: fraction 0 and no normal. No length: the shapes that contain its start. An end exactly
//! on a face, a grazed corner, or a ray along a face: a hit. A ray along a segment: a hit at its
//! near end.

use super::answer::{RayAnswer, keep_first, settle};
use super::sweep::Sweep;
use super::{Candidate, QueryFilter, World, WorldRay};
use crate::math::{Transform, WorldPoint};
use crate::narrowphase::{Ray, contains, ray_piece};
use crate::shape::Shape;
use glam::Vec2;

impl World {
    /// The first shape that a ray meets; if it meets several at the same fraction, the shape with
    /// the lowest id.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default());
    /// let wall = world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(1.0, 10.0)))?;
    /// let hit = world.ray(WorldRay::between([0.0, 0.0], [9.0, 0.0]), &QueryFilter::default()).expect("a wall");
    /// assert_eq!((hit.body, hit.point.position(), hit.normal), (wall, vec2(4.5, 0.0), Vec2::NEG_X));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn ray(&self, ray: WorldRay, filter: &QueryFilter) -> Option<RayAnswer> {
        let mut best = None;
        if self.def.period().is_none() {
            self.first_on_ray::<false>(&ray, filter, &mut best);
        } else {
            self.first_on_images(&ray, filter, &mut best);
        }
        best
    }

    #[inline(always)]
    fn first_on_ray<const WRAPS: bool>(
        &self,
        ray: &WorldRay,
        filter: &QueryFilter,
        best: &mut Option<RayAnswer>,
    ) {
        let Some(sweep) = sweep(ray) else { return };
        // Nearest first: a plain walk with a shrinking bound is as fast over 20 m, and takes 1.4
        // times as long over 200 m.
        self.grid.ask_nearest::<_, WRAPS>(&sweep, |proxy| {
            let candidate = self.candidate(proxy, ray.from, filter);
            candidate.iter().for_each(|candidate| self.keep_hit(candidate, ray, filter, best));
            bound_of(best)
        });
    }

    /// [`World::ray`] for each of many rays, in a world that does not wrap round.
    pub(super) fn first_on_rays(
        &self,
        rays: &[WorldRay],
        filter: &QueryFilter,
        out: &mut [Option<RayAnswer>],
    ) {
        let sweeps = rays.iter().enumerate().filter_map(|(number, ray)| Some((number, sweep(ray)?)));
        self.answer_each(
            sweeps,
            filter,
            (|number| rays[number].from, out),
            bound_of,
            |candidate, number, best| self.keep_hit(candidate, &rays[number], filter, best),
        );
    }

    /// Keeps the hit of a ray on a candidate if it is the first.
    fn keep_hit(
        &self,
        candidate: &Candidate,
        ray: &WorldRay,
        filter: &QueryFilter,
        best: &mut Option<RayAnswer>,
    ) {
        let found = self.ray_part(candidate, ray, filter);
        found.into_iter().for_each(|found| keep_first(best, found));
    }

    #[cold]
    #[inline(never)]
    fn first_on_images(&self, ray: &WorldRay, filter: &QueryFilter, best: &mut Option<RayAnswer>) {
        self.each_ray(ray, |seen| {
            let before = *best;
            self.first_on_ray::<true>(seen, filter, best);
            if *best != before {
                *best = best.map(|found| found.from(ray, seen));
            }
            true
        });
    }

    /// Whether a ray meets anything. Faster than finding the first hit.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let sight = WorldRay::between([-5.0, 0.0], [5.0, 0.0]);
    /// assert!(world.ray_any(sight, &QueryFilter::default()));
    /// assert!(!world.ray_any(sight, &QueryFilter::default().without(ball)));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn ray_any(&self, ray: WorldRay, filter: &QueryFilter) -> bool {
        let mut any = false;
        self.each_ray(&ray, |seen| {
            let Some(sweep) = sweep(seen) else { return false };
            self.grid.ask_any(&sweep, |proxy| {
                let candidate = self.candidate(proxy, seen.from, filter);
                any = candidate.is_some_and(|candidate| self.ray_part(&candidate, seen, filter).is_some());
                !any
            });
            !any
        });
        any
    }

    /// All shapes that a ray meets, each once, where it is met first; nearest first. `out` is
    /// overwritten.
    pub fn ray_all(&self, ray: WorldRay, filter: &QueryFilter, out: &mut Vec<RayAnswer>) {
        out.clear();
        self.append_ray_all(&ray, filter, out);
    }

    pub(super) fn append_ray_all(&self, ray: &WorldRay, filter: &QueryFilter, out: &mut Vec<RayAnswer>) {
        let start = out.len();
        self.each_ray(ray, |seen| {
            let Some(sweep) = sweep(seen) else { return false };
            let first = out.len();
            self.grid.ask::<_, true>(&sweep, |proxy, _| {
                let candidate = self.candidate(proxy, seen.from, filter);
                out.extend(candidate.and_then(|candidate| self.ray_part(&candidate, seen, filter)));
            });
            if seen.from != ray.from {
                out[first..].iter_mut().for_each(|found| *found = found.from(ray, seen));
            }
            true
        });
        settle(out, start);
    }

    /// A ray and its images, as far as they may meet anything.
    #[inline]
    fn each_ray(&self, ray: &WorldRay, mut ask: impl FnMut(&WorldRay) -> bool) {
        if self.def.period().is_none() {
            ask(ray);
        } else {
            self.each_image(ray.from, ray.translation.abs(), |from| ask(&WorldRay { from, ..*ray }));
        }
    }

    fn ray_part(&self, candidate: &Candidate, ray: &WorldRay, filter: &QueryFilter) -> Option<RayAnswer> {
        let Some(map) = candidate.map() else { return self.ray_candidate(candidate, ray, filter) };
        let way = sweep(ray)?;
        let at =
            Transform { position: candidate.at.position + ray.from.local, rotation: candidate.at.rotation };
        let mut best: Option<RayAnswer> = None;
        map.visit_nearest(
            f32::INFINITY,
            |aabb| way.entry(&aabb.transformed(at)),
            |cell| {
                let cell = candidate.cell(cell, filter);
                let found = cell.and_then(|cell| self.ray_candidate(&cell, ray, filter));
                found.into_iter().for_each(|found| keep_first(&mut best, found));
                best.map_or(f32::INFINITY, |best| best.fraction)
            },
        );
        best
    }

    fn ray_candidate(
        &self,
        candidate: &Candidate,
        ray: &WorldRay,
        filter: &QueryFilter,
    ) -> Option<RayAnswer> {
        let &Candidate { collider, at, .. } = candidate;
        let Transform { position, rotation } = at;
        let local = Ray {
            from: rotation.inverse_rotate(Vec2::ZERO - position),
            translation: rotation.inverse_rotate(ray.translation),
        };
        let hit = ray_piece(collider.shape.piece(candidate.part()), local)?;
        // A ray that starts inside or on the border has no normal. Parts are tested with the ray
        // itself, too: other tests round differently for a point on the border of a sliver.
        let starts_in =
            |part| ray_piece(collider.shape.piece(part), local).is_some_and(|hit| hit.normal == Vec2::ZERO);
        let starts_within = || match collider.shape() {
            Shape::Tiles(_) => contains(&collider.shape, at, Vec2::ZERO),
            shape => shape.piece_count() > 1 && (0..shape.piece_count()).any(starts_in),
        };
        if filter.hollow && (hit.normal == Vec2::ZERO || starts_within()) {
            return None;
        }
        let (shape, body, part) = self.owner(candidate);
        let point: WorldPoint = ray.at(hit.fraction);
        Some(RayAnswer { shape, body, part, fraction: hit.fraction, point, normal: rotation * hit.normal })
    }
}

impl RayAnswer {
    /// Converts the answer of an image of a ray to the original ray.
    #[inline]
    fn from(self, ray: &WorldRay, image: &WorldRay) -> RayAnswer {
        RayAnswer { point: self.point.seen_from_image(ray.from, image.from), ..self }
    }
}

/// Returns the share of its way that a ray goes on after a hit.
#[inline]
fn bound_of(best: &Option<RayAnswer>) -> f32 {
    best.as_ref().map_or(f32::INFINITY, |best| best.fraction)
}

fn sweep(ray: &WorldRay) -> Option<Sweep> {
    ray.is_valid().then(|| Sweep::of_point(ray.from, ray.translation))
}
