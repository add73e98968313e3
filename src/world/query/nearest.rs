//! Nearest shapes to a point.
//!
//! In: a point, how far to look, a filter. Out: the nearest shape and its closest point, or the
//! nearest few in order. Inside a shape distances are negative, and the deepest is the nearest.

use super::answer::{NearestAnswer, Ranked, keep_first};
use super::{Candidate, QueryFilter, World};
use crate::bounds::Aabb;
use crate::broadphase::{Question, WorldAabb};
use crate::math::{WorldPoint, max, min};
use crate::narrowphase::closest_point_of_piece;
use crate::simd::{Lane, Width};
use glam::{IVec2, Vec2};

/// Query region: everything within a distance of a point. It promises squares of distances, since a
/// root takes as long as the rest of the test of a box.
#[derive(Clone, Copy)]
struct Near {
    /// The point.
    here: WorldAabb,
    most_squared: f32,
}

impl Near {
    fn of(point: WorldPoint, max_distance: f32) -> Near {
        let here = WorldAabb { region: point.region, aabb: Aabb::around_point(point.local) };
        Near { here, most_squared: square_of_bound(max_distance) }
    }
}

impl Question for Near {
    const KNOWS_EMPTY: bool = true;

    #[inline]
    fn most(&self) -> f32 {
        self.most_squared
    }

    #[inline]
    fn seen_from(&self, region: IVec2) -> Near {
        Near { here: WorldAabb { region, aabb: self.here.relative_to(region) }, ..*self }
    }

    /// A lower bound of the square of the distance: a little less, as the exact test rounds
    /// differently.
    #[inline(always)]
    fn promise<W: Width>(&self, w: W, [left, below, right, above]: [W::L; 4]) -> W::L {
        let Aabb { min, max } = self.here.aabb;
        let none = w.splat(0.0);
        let x = (left - w.splat(max.x)).larger_bound(w.splat(min.x) - right).larger_bound(none);
        let y = (below - w.splat(max.y)).larger_bound(w.splat(min.y) - above).larger_bound(none);
        (x * x + y * y) * w.splat(1.0 - 8.0 * f32::EPSILON)
    }
}

/// Returns the square of the greatest distance that matters, for the promise of [`Near`]: a little
/// more, so that rounding leaves out no shape at just that distance. It is never so small that
/// squares lose digits.
#[inline]
fn square_of_bound(distance: f32) -> f32 {
    let distance = max(distance, LEAST_DISTANCE);
    distance * distance * (1.0 + 4.0 * f32::EPSILON)
}

/// Its square is well above the least normal number.
const LEAST_DISTANCE: f32 = 1.0e-15;

impl World {
    /// The shape nearest to a point, if there is one within `max_distance` metres; if several are
    /// equally near, the shape with the lowest id. `max_distance` may be infinite; below 0 it asks
    /// how deep the point must be inside.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default());
    /// let ball = world.add(BodyDef::fixed().at([4.0, 0.0]).shape(Shape::circle(1.0)))?;
    /// let found = world.nearest([0.0, 0.0], 5.0, &QueryFilter::default()).expect("a ball");
    /// assert_eq!((found.body, found.distance, found.point.position()), (ball, 3.0, vec2(3.0, 0.0)));
    /// assert!(world.nearest([0.0, 0.0], 2.0, &QueryFilter::default()).is_none());
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn nearest(
        &self,
        point: impl Into<WorldPoint>,
        max_distance: f32,
        filter: &QueryFilter,
    ) -> Option<NearestAnswer> {
        let mut best = None;
        self.visit_near(point.into(), max_distance, filter, |found| {
            keep_first(&mut best, found);
            best.map_or(f32::INFINITY, |best: NearestAnswer| best.distance)
        });
        best
    }

    /// The `count` shapes nearest to a point within `max_distance` metres, each once; the nearest
    /// first. `out` is overwritten.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let post = |x: f32| BodyDef::fixed().at([x, 0.0]).shape(Shape::circle(0.5));
    /// let [_far, near, next] = [world.add(post(9.0))?, world.add(post(2.0))?, world.add(post(-4.0))?];
    /// let mut found = Vec::new();
    /// world.nearest_few([0.0, 0.0], 20.0, 2, &QueryFilter::default(), &mut found);
    /// assert_eq!(found.iter().map(|one| one.body).collect::<Vec<_>>(), [near, next]);
    /// assert_eq!(found[1].distance, 3.5);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn nearest_few(
        &self,
        point: impl Into<WorldPoint>,
        max_distance: f32,
        count: usize,
        filter: &QueryFilter,
        out: &mut Vec<NearestAnswer>,
    ) {
        out.clear();
        self.append_nearest_few(point.into(), max_distance, count, filter, out);
    }

    pub(super) fn append_nearest_few(
        &self,
        point: WorldPoint,
        max_distance: f32,
        count: usize,
        filter: &QueryFilter,
        out: &mut Vec<NearestAnswer>,
    ) {
        let start = out.len();
        if count == 0 {
            return;
        }
        self.visit_near(point, max_distance, filter, |found| {
            insert(out, start, count, found);
            let last = out[start..].get(count - 1);
            last.map_or(f32::INFINITY, |last| last.distance)
        });
    }

    /// Calls `take` with the parts around a point; it returns the distance beyond which it needs no
    /// more.
    fn visit_near(
        &self,
        point: WorldPoint,
        max_distance: f32,
        filter: &QueryFilter,
        mut take: impl FnMut(NearestAnswer) -> f32,
    ) {
        if !point.is_valid() || max_distance.is_nan() {
            return;
        }
        if self.def.period().is_none() {
            self.visit_near_from::<false>(point, max_distance, filter, (&mut { f32::INFINITY }, take));
        } else {
            self.visit_near_images(point, max_distance, filter, &mut take);
        }
    }

    /// `visit_near` in a world that wraps round.
    #[cold]
    #[inline(never)]
    fn visit_near_images(
        &self,
        point: WorldPoint,
        max_distance: f32,
        filter: &QueryFilter,
        take: &mut dyn FnMut(NearestAnswer) -> f32,
    ) {
        let mut bound = f32::INFINITY;
        // No point is farther than half a period from the nearest image of a shape.
        self.each_image(point, Vec2::ZERO, |seen| {
            let take = |found: NearestAnswer| {
                take(NearestAnswer { point: found.point.seen_from_image(point, seen), ..found })
            };
            self.visit_near_from::<true>(seen, max_distance, filter, (&mut bound, take));
            true
        });
    }

    /// `visit_near` for one image of a point, within the bound.
    #[inline(always)]
    fn visit_near_from<const WRAPS: bool>(
        &self,
        point: WorldPoint,
        max_distance: f32,
        filter: &QueryFilter,
        (bound, mut take): (&mut f32, impl FnMut(NearestAnswer) -> f32),
    ) {
        self.grid.ask_nearest::<_, WRAPS>(&Near::of(point, max_distance), |proxy| {
            let candidate = self.candidate(proxy, point, filter);
            let most = min(*bound, max_distance);
            let found = candidate.and_then(|candidate| self.near_part(&candidate, point, filter, most));
            if let Some(found) = found.filter(|found| found.distance <= max_distance) {
                // Inside one shape, another one may be deeper: both boxes are at distance 0.
                *bound = max(take(found), 0.0);
            }
            square_of_bound(min(*bound, max_distance))
        });
    }

    /// [`World::nearest`] for each of many points, in a world that does not wrap round.
    pub(super) fn nearest_of_each(
        &self,
        points: &[WorldPoint],
        max_distance: f32,
        filter: &QueryFilter,
        out: &mut [Option<NearestAnswer>],
    ) {
        if max_distance.is_nan() {
            return;
        }
        let valid = points.iter().enumerate().filter(|(_, point)| point.is_valid());
        let questions = valid.map(|(number, &point)| (number, Near::of(point, max_distance)));
        let from = |number: usize| points[number];
        let bound = |best: &Option<NearestAnswer>| square_of_bound(min(bound_of(best), max_distance));
        self.answer_each(questions, filter, (from, out), bound, |candidate, number, best| {
            let most = min(bound_of(best), max_distance);
            let found = self.near_part(candidate, points[number], filter, most);
            let found = found.filter(|found| found.distance <= max_distance);
            found.into_iter().for_each(|found| keep_first(best, found));
        });
    }

    fn near_part(
        &self,
        candidate: &Candidate,
        point: WorldPoint,
        filter: &QueryFilter,
        bound: f32,
    ) -> Option<NearestAnswer> {
        let Some(map) = candidate.map() else { return self.near(candidate, point, bound) };
        let here = Aabb::around_point(Vec2::ZERO);
        let mut best: Option<NearestAnswer> = None;
        map.visit_nearest(
            max(bound, 0.0),
            |aabb| aabb.transformed(candidate.at).distance_squared(&here).sqrt() * (1.0 - 8.0 * f32::EPSILON),
            |cell| {
                let cell = candidate.cell(cell, filter);
                let found = cell.and_then(|cell| self.near(&cell, point, f32::INFINITY));
                found.into_iter().for_each(|found| keep_first(&mut best, found));
                max(min(bound, best.map_or(f32::INFINITY, |best| best.distance)), 0.0)
            },
        );
        best
    }

    /// The closest point of a part, unless that is surely farther than `bound`.
    fn near(&self, candidate: &Candidate, point: WorldPoint, bound: f32) -> Option<NearestAnswer> {
        let at = candidate.at;
        let piece = candidate.collider.shape.piece(candidate.part());
        let here = at.apply_inverse(Vec2::ZERO);
        let found = closest_point_of_piece(piece, here);
        if found.distance > bound {
            return None;
        }
        let (shape, body, part) = self.owner(candidate);
        // Deep in a half-plane the border may be farther away than the end of the world.
        let on_border = Some(point.offset(at.apply(found.point))).filter(|point| point.is_valid())?;
        let normal = at.rotation * found.normal;
        Some(NearestAnswer { shape, body, part, distance: found.distance, point: on_border, normal })
    }
}

/// Returns the distance beyond which no shape is nearer. Inside one shape, another one may be
/// deeper: both boxes are at distance 0.
#[inline]
fn bound_of(best: &Option<NearestAnswer>) -> f32 {
    best.as_ref().map_or(f32::INFINITY, |best| max(best.distance, 0.0))
}

/// Inserts an answer into the best `count` from `start` on, one per shape.
fn insert(out: &mut Vec<NearestAnswer>, start: usize, count: usize, found: NearestAnswer) {
    if let Some(same) = out[start..].iter().position(|other| other.shape() == found.shape()) {
        if !found.is_before(&out[start + same]) {
            return;
        }
        out.remove(start + same);
    }
    let place = start + out[start..].partition_point(|other| other.is_before(&found));
    // Any count is allowed, even beyond the length of any list.
    if place - start < count {
        if out.len() - start == count {
            out.pop();
        }
        out.insert(place, found);
    }
}
