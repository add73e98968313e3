//! Batches of queries.
//!
//! In: slices of queries. Out: answers in the order of the queries, the same as one by one. Batches
//! bring the grid up to date first, and allocate nothing once their output has been as full before.
//!
//! First hits and nearest shapes are searched for eight questions at a time. (One by one, rays,
//! casts and nearest shapes among 100,000 shapes took about 1.5 times as long.)
//!
//! Tried: a thousand queries sorted along a Z-curve, so that neighbours walk the same nodes: no
//! faster (bench `query`, 100,000 shapes).

use super::answer::{Answers, CastAnswer, NearestAnswer, OverlapAnswer, RayAnswer};
use super::{PlacedShape, QueryFilter, ShapeCast, World, WorldRay};
use crate::broadphase::WorldAabb;
use crate::math::WorldPoint;

/// Among fewer parts nearest shapes are searched one by one: all memory is near, and several
/// searches at a time take a third more instructions. (Rays and casts take as long either way.)
const FEW_PARTS: usize = 1 << 12;

impl World {
    /// [`World::ray`] for many rays: one answer each, in their order. `out` is overwritten.
    pub fn rays(&mut self, rays: &[WorldRay], filter: &QueryFilter, out: &mut Vec<Option<RayAnswer>>) {
        if self.def.period().is_none() {
            self.all(rays, out, |world, out| world.first_on_rays(rays, filter, out));
        } else {
            self.each(rays, out, |world, ray| world.ray(*ray, filter));
        }
    }

    /// [`World::ray_any`] for many rays: one answer each, in their order. `out` is overwritten.
    pub fn rays_any(&mut self, rays: &[WorldRay], filter: &QueryFilter, out: &mut Vec<bool>) {
        self.each(rays, out, |world, ray| world.ray_any(*ray, filter));
    }

    /// [`World::ray_all`] for many rays: a list of answers each, in their order. `out` is
    /// overwritten.
    pub fn rays_all(&mut self, rays: &[WorldRay], filter: &QueryFilter, out: &mut Answers<RayAnswer>) {
        self.each_many(rays, out, |world, ray, out| world.append_ray_all(ray, filter, out));
    }

    /// [`World::cast`] for many casts: one answer each, in their order. `out` is overwritten.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let pillar = world.add(BodyDef::fixed().at([5.0, 2.0]).shape(Shape::rect(1.0, 1.0)))?;
    /// let robot = Shape::circle(0.4);
    /// let lanes = [0.0, 1.0, 2.0].map(|y| ShapeCast::new(&robot, [0.0, y], [10.0, 0.0]));
    /// let mut blocked = Vec::new();
    /// world.casts(&lanes, &QueryFilter::default(), &mut blocked);
    /// let by = |lane: usize| blocked[lane].map(|touch| touch.body);
    /// assert_eq!([by(0), by(1), by(2)], [None, None, Some(pillar)]);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn casts(&mut self, casts: &[ShapeCast], filter: &QueryFilter, out: &mut Vec<Option<CastAnswer>>) {
        if self.def.period().is_none() {
            self.all(casts, out, |world, out| world.first_touches(casts, filter, out));
        } else {
            self.each(casts, out, |world, cast| world.cast(cast, filter));
        }
    }

    /// [`World::cast_all`] for many casts: a list of answers each, in their order. `out` is
    /// overwritten.
    pub fn casts_all(&mut self, casts: &[ShapeCast], filter: &QueryFilter, out: &mut Answers<CastAnswer>) {
        self.each_many(casts, out, |world, cast, out| world.append_cast_all(cast, filter, out));
    }

    /// [`World::overlap_aabb`] for many boxes: a list of answers each, in their order. `out` is
    /// overwritten.
    pub fn overlap_aabbs(
        &mut self,
        boxes: &[WorldAabb],
        filter: &QueryFilter,
        out: &mut Answers<OverlapAnswer>,
    ) {
        if self.def.period().is_none() {
            self.all_many(out, |world, out| world.overlaps_in_boxes(boxes, filter, out));
        } else {
            self.each_many(boxes, out, |world, aabb, out| world.append_overlap_aabb(aabb, filter, out));
        }
    }

    /// [`World::overlap_shape`] for many shapes: a list of answers each, in their order. `out` is
    /// overwritten.
    pub fn overlap_shapes(
        &mut self,
        shapes: &[PlacedShape],
        filter: &QueryFilter,
        out: &mut Answers<OverlapAnswer>,
    ) {
        if self.def.period().is_none() {
            self.all_many(out, |world, out| world.overlaps_in_shapes(shapes, filter, out));
        } else {
            self.each_many(shapes, out, |world, shape, out| world.append_overlap_shape(shape, filter, out));
        }
    }

    /// [`World::overlap_point`] for many points: a list of answers each, in their order. `out` is
    /// overwritten.
    pub fn overlap_points(
        &mut self,
        points: &[WorldPoint],
        filter: &QueryFilter,
        out: &mut Answers<OverlapAnswer>,
    ) {
        if self.def.period().is_none() {
            self.all_many(out, |world, out| world.overlaps_at_points(points, filter, out));
        } else {
            self.each_many(points, out, |world, point, out| world.append_overlap_point(*point, filter, out));
        }
    }

    /// [`World::nearest`] for many points: one answer each, in their order. `out` is overwritten.
    pub fn nearest_to_points(
        &mut self,
        points: &[WorldPoint],
        max_distance: f32,
        filter: &QueryFilter,
        out: &mut Vec<Option<NearestAnswer>>,
    ) {
        if self.def.period().is_none() && self.grid.plain().len() >= FEW_PARTS {
            self.all(points, out, |world, out| world.nearest_of_each(points, max_distance, filter, out));
        } else {
            self.each(points, out, |world, point| world.nearest(*point, max_distance, filter));
        }
    }

    /// [`World::nearest_few`] for many points: a list of answers each, in their order. `out` is
    /// overwritten.
    pub fn nearest_few_to_points(
        &mut self,
        points: &[WorldPoint],
        max_distance: f32,
        count: usize,
        filter: &QueryFilter,
        out: &mut Answers<NearestAnswer>,
    ) {
        self.each_many(points, out, |world, point, out| {
            world.append_nearest_few(*point, max_distance, count, filter, out);
        });
    }

    /// Answers questions several at a time; `out` has one place for each.
    fn all<Q, T: Clone>(
        &mut self,
        questions: &[Q],
        out: &mut Vec<Option<T>>,
        answer: impl Fn(&World, &mut [Option<T>]),
    ) {
        self.prepare_queries();
        out.clear();
        out.resize(questions.len(), None);
        answer(self, out);
    }

    fn all_many<T>(&mut self, out: &mut Answers<T>, answer: impl Fn(&World, &mut Answers<T>)) {
        self.prepare_queries();
        out.clear();
        answer(self, out);
    }

    fn each<Q, T>(&mut self, questions: &[Q], out: &mut Vec<T>, answer: impl Fn(&World, &Q) -> T) {
        self.prepare_queries();
        out.clear();
        out.extend(questions.iter().map(|question| answer(self, question)));
    }

    fn each_many<Q, T>(
        &mut self,
        questions: &[Q],
        out: &mut Answers<T>,
        answer: impl Fn(&World, &Q, &mut Vec<T>),
    ) {
        self.prepare_queries();
        out.clear();
        for question in questions {
            out.push(|all| answer(self, question, all));
        }
    }
}
