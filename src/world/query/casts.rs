//! Shape casts through the world.
//!
//! In: a shape, its motion, a filter. Out: the first shape that it touches, or all of them in order
//! of time.

use core::cell::Cell;
use glam::Vec2;

use super::answer::{CastAnswer, keep_first, settle};
use super::sweep::Sweep;
use super::{Candidate, PlacedShape, QueryFilter, ShapeCast, World};
use crate::body::Collider;
use crate::bounds::Aabb;
use crate::math::{Motion, Transform, WorldPoint};
use crate::narrowphase::{cast_parts, distance};
use crate::shape::Shape;
use crate::tuning::CAST_TOLERANCE;

impl World {
    /// The first shape that a moving shape touches; if it touches several at the same time, the
    /// shape with the lowest id.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default());
    /// world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0)))?;
    /// let player = Shape::capsule([0.0, 0.0], [0.0, 1.0], 0.5);
    /// let fall = ShapeCast::new(&player, [3.0, 2.0], [0.0, -10.0]);
    /// let ground = world.cast(&fall, &QueryFilter::default()).expect("ground below");
    /// assert!((ground.time - 0.15).abs() < 1e-5 && ground.normal == Vec2::Y);
    /// assert!((fall.at(ground.time).position.position() - vec2(3.0, 0.5)).length() < 1e-4);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn cast(&self, cast: &ShapeCast, filter: &QueryFilter) -> Option<CastAnswer> {
        let mut best = None;
        if self.def.period().is_none() {
            self.first_touch::<false>(cast, filter, &mut best);
        } else {
            self.first_touch_of_images(cast, filter, &mut best);
        }
        best
    }

    #[inline(always)]
    fn first_touch<const WRAPS: bool>(
        &self,
        cast: &ShapeCast,
        filter: &QueryFilter,
        best: &mut Option<CastAnswer>,
    ) {
        let Some(sweep) = sweep(cast) else { return };
        self.grid.ask_nearest::<_, WRAPS>(&sweep, |proxy| {
            let candidate = self.candidate(proxy, cast.start.position, filter);
            candidate.iter().for_each(|candidate| self.keep_touch(candidate, cast, filter, best));
            bound_of(best)
        });
    }

    /// [`World::cast`] for each of many casts, in a world that does not wrap round.
    pub(super) fn first_touches(
        &self,
        casts: &[ShapeCast],
        filter: &QueryFilter,
        out: &mut [Option<CastAnswer>],
    ) {
        let sweeps = casts.iter().enumerate().filter_map(|(number, cast)| Some((number, sweep(cast)?)));
        let from = |number: usize| casts[number].start.position;
        self.answer_each(sweeps, filter, (from, out), bound_of, |candidate, number, best| {
            self.keep_touch(candidate, &casts[number], filter, best)
        });
    }

    /// Keeps the touch with a candidate if it is the first.
    fn keep_touch(
        &self,
        candidate: &Candidate,
        cast: &ShapeCast,
        filter: &QueryFilter,
        best: &mut Option<CastAnswer>,
    ) {
        let limit = best.as_ref().map_or(1.0, |best| best.time);
        let found = self.cast_at_part(candidate, cast, filter, limit);
        found.into_iter().for_each(|found| keep_first(best, found));
    }

    #[cold]
    #[inline(never)]
    fn first_touch_of_images(&self, cast: &ShapeCast, filter: &QueryFilter, best: &mut Option<CastAnswer>) {
        self.each_cast(cast, |seen| {
            let before = *best;
            self.first_touch::<true>(seen, filter, best);
            if *best != before {
                *best = best.map(|found| found.from(cast, seen));
            }
        });
    }

    /// All shapes that a moving shape touches, as if none stopped it; each once, in the order of
    /// their times. `out` is overwritten.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let [second, first] = [6.0, 3.0].map(|x| BodyDef::fixed().at([x, 0.0]).shape(Shape::rect(1.0, 1.0)));
    /// let [second, first] = [world.add(second)?, world.add(first)?];
    /// let ghost = Shape::circle(0.5);
    /// let mut passed = Vec::new();
    /// world.cast_all(&ShapeCast::new(&ghost, [0.0, 0.0], [10.0, 0.0]), &QueryFilter::default(), &mut passed);
    /// assert_eq!(passed.iter().map(|touch| touch.body).collect::<Vec<_>>(), [first, second]);
    /// assert!((passed[1].time - 0.5).abs() < 1e-4);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn cast_all(&self, cast: &ShapeCast, filter: &QueryFilter, out: &mut Vec<CastAnswer>) {
        out.clear();
        self.append_cast_all(cast, filter, out);
    }

    pub(super) fn append_cast_all(&self, cast: &ShapeCast, filter: &QueryFilter, out: &mut Vec<CastAnswer>) {
        let start = out.len();
        self.each_cast(cast, |seen| {
            let Some(sweep) = sweep(seen) else { return };
            let first = out.len();
            self.grid.ask::<_, true>(&sweep, |proxy, _| {
                let candidate = self.candidate(proxy, seen.start.position, filter);
                out.extend(candidate.and_then(|candidate| self.cast_at_part(&candidate, seen, filter, 1.0)));
            });
            if seen.start.position != cast.start.position {
                out[first..].iter_mut().for_each(|found| *found = found.from(cast, seen));
            }
        });
        settle(out, start);
    }

    /// A cast and its images, as far as they may touch anything.
    #[inline]
    fn each_cast<'s>(&self, cast: &ShapeCast<'s>, mut ask: impl FnMut(&ShapeCast<'s>)) {
        if self.def.period().is_none() {
            return ask(cast);
        }
        let Some(sweep) = sweep(cast) else { return };
        let reach = cast.translation.abs() + sweep.reach(cast.start.position);
        self.each_image(cast.start.position, reach, |position| {
            ask(&ShapeCast { start: PlacedShape { position, ..cast.start }, ..*cast });
            true
        });
    }

    /// The first touch with one part, up to `limit`.
    fn cast_at_part(
        &self,
        candidate: &Candidate,
        cast: &ShapeCast,
        filter: &QueryFilter,
        limit: f32,
    ) -> Option<CastAnswer> {
        let Some(map) = candidate.map() else { return self.cast_at(candidate, cast, filter, limit) };
        let way = sweep(cast)?;
        let from = cast.start.position.local;
        let at = Transform { position: candidate.at.position + from, rotation: candidate.at.rotation };
        let mut best: Option<CastAnswer> = None;
        map.visit_nearest(
            limit,
            |aabb| way.entry(&aabb.transformed(at)),
            |cell| {
                let limit = best.map_or(limit, |best| best.time);
                let cell = candidate.cell(cell, filter);
                let found = cell.and_then(|cell| self.cast_at(&cell, cast, filter, limit));
                found.into_iter().for_each(|found| keep_first(&mut best, found));
                best.map_or(limit, |best| best.time)
            },
        );
        best
    }

    /// The first touch with a candidate part, up to `limit`.
    fn cast_at(
        &self,
        candidate: &Candidate,
        cast: &ShapeCast,
        filter: &QueryFilter,
        limit: f32,
    ) -> Option<CastAnswer> {
        let &Candidate { collider, at, .. } = candidate;
        let (moving, still) = (cast.motion(), Motion::still(at));
        let best: Cell<Option<(crate::CastHit, u32)>> = Cell::new(None);
        let limit = || best.get().map_or(limit, |(hit, _)| hit.time);
        let take = |own: u32| {
            let other = (collider.shape(), candidate.part(), still);
            let hit = cast_parts((cast.start.shape, own as usize, moving), other, (cast.distance, limit()));
            let rank = |(hit, own): (crate::CastHit, u32)| (hit.time, own);
            let is_first = |hit| best.get().is_none_or(|best| rank((hit, own)) < rank(best));
            hit.filter(|&hit| is_first(hit)).into_iter().for_each(|hit| best.set(Some((hit, own))));
        };
        match cast.start.shape.tree() {
            None => take(0),
            Some(tree) => {
                let target = collider.shape.piece(candidate.part()).aabb(at);
                let wanted = |own: &Aabb| own_sweep(own, cast).entry(&target) <= limit();
                tree.visit(wanted, |own| {
                    take(own);
                    true
                });
            }
        }
        let (hit, own_part) = best.get()?;
        if filter.hollow && (hit.time <= 0.0 || starts_near(cast, collider, at)) {
            return None;
        }
        let (shape, body, part) = self.owner(candidate);
        let point = cast.start.position.offset_within(hit.point);
        Some(CastAnswer { shape, body, part, own_part, time: hit.time, point, normal: -hit.normal })
    }
}

impl CastAnswer {
    /// Converts the answer of an image of a cast to the original cast.
    fn from(self, cast: &ShapeCast, image: &ShapeCast) -> CastAnswer {
        let (place, image) = (cast.start.position, image.start.position);
        CastAnswer { point: self.point.seen_from_image(place, image), ..self }
    }
}

/// Returns the share of its way that a cast goes on after a touch.
#[inline]
fn bound_of(best: &Option<CastAnswer>) -> f32 {
    best.as_ref().map_or(f32::INFINITY, |best| best.time)
}

/// Whether a cast touches any part of a shape of several parts from the start.
fn starts_near(cast: &ShapeCast, collider: &Collider, at: Transform) -> bool {
    let (own, other) = (cast.start.shape, &collider.shape);
    if other.piece_count() == 1 {
        return false;
    }
    let touches = |hit: crate::CastHit| hit.time <= 0.0;
    crate::narrowphase::cast(own, cast.motion(), other, Motion::still(at)).is_some_and(touches)
        || cast.distance > 0.0 && distance(own, cast.start.turned(), other, at).separation <= cast.distance
}

fn sweep(cast: &ShapeCast) -> Option<Sweep> {
    let is_valid = cast.is_valid() && !matches!(cast.start.shape, Shape::Invalid(_));
    is_valid.then(|| {
        let extent = if cast.turn == 0.0 {
            cast.start.shape.aabb(cast.start.turned())
        } else {
            let circle = cast.start.shape.bounding_circle();
            box_of_reach(circle.center.length() + circle.radius)
        };
        Sweep::of_box(with_tolerance(extent).grown(cast.distance), cast.start.position, cast.translation)
    })
}

/// The sweep of a box in the frame of the moving shape, relative to its start.
fn own_sweep(own: &Aabb, cast: &ShapeCast) -> Sweep {
    let turned = own.transformed(Transform { position: Vec2::ZERO, rotation: cast.start.rotation });
    let extent = if cast.turn == 0.0 {
        turned
    } else {
        let farthest = turned.min.abs().max(turned.max.abs());
        box_of_reach(farthest.length())
    };
    Sweep::of_box(with_tolerance(extent).grown(cast.distance), WorldPoint::from(Vec2::ZERO), cast.translation)
}

/// The box around a circle of radius `reach` about the origin.
fn box_of_reach(reach: f32) -> Aabb {
    Aabb { min: Vec2::splat(-reach), max: Vec2::splat(reach) }
}

/// Casts count as touching a little early: by a share of the size of the smaller of the two shapes.
fn with_tolerance(extent: Aabb) -> Aabb {
    let size = extent.size().length();
    if size.is_finite() { extent.grown(CAST_TOLERANCE * size) } else { extent }
}
