//! Overlap queries with a shape, a box, or a point.
//!
//! In: a region, and a filter. Out: the shapes that have a point in common with it, by id; touching
//! counts. Shapes are tested, not only their boxes.

use core::hint::black_box;
use glam::{IVec2, Vec2};

use super::answer::{Answers, OverlapAnswer, settle};
use super::{Candidate, PlacedShape, QueryFilter, World};
use crate::body::collider::OfMap;
use crate::bounds::Aabb;
use crate::broadphase::{Found, Question, WorldAabb};
use crate::math::{Rot, Transform, WorldPoint, max};
use crate::narrowphase::{overlaps, parts_overlap, piece_contains};
use crate::shape::Shape;
use crate::simd::{Lane, Width};
use crate::tuning::{MAX_SIZE, MIN_SIZE};

impl World {
    /// All shapes that overlap a box (the shapes themselves, not their boxes), each once, in the
    /// order of their ids. The box may be infinite. `out` is overwritten.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default());
    /// let ball = world.add(BodyDef::fixed().shape(Shape::circle(1.0)))?;
    /// let mut found = Vec::new();
    /// world.overlap_aabb(Aabb::new([0.5, 0.5], [2.0, 2.0]), &QueryFilter::default(), &mut found);
    /// assert_eq!(found[0].body, ball);
    /// world.overlap_aabb(Aabb::new([0.9, 0.9], [2.0, 2.0]), &QueryFilter::default(), &mut found);
    /// assert!(found.is_empty(), "the boxes overlap, but not the ball");
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn overlap_aabb(
        &self,
        aabb: impl Into<WorldAabb>,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
    ) {
        out.clear();
        self.append_overlap_aabb(&aabb.into(), filter, out);
    }

    /// All shapes that overlap a shape, each once, in the order of their ids. `out` is overwritten.
    pub fn overlap_shape(&self, shape: &PlacedShape, filter: &QueryFilter, out: &mut Vec<OverlapAnswer>) {
        out.clear();
        self.append_overlap_shape(shape, filter, out);
    }

    /// All shapes that contain a point, border included; each once, in the order of their ids.
    /// `out` is overwritten.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let mut there = Vec::new();
    /// world.overlap_point([0.2, 0.2], &QueryFilter::default(), &mut there);
    /// assert_eq!(there[0].body, ball);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn overlap_point(
        &self,
        point: impl Into<WorldPoint>,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
    ) {
        out.clear();
        self.append_overlap_point(point.into(), filter, out);
    }

    pub(super) fn append_overlap_point(
        &self,
        point: WorldPoint,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
    ) {
        let start = out.len();
        let meets = Meets::of_point(point);
        if self.def.period().is_none() {
            self.grid.ask_alone(&meets, |found| self.keep_at_point(point, filter, found, out));
        } else if point.is_valid() {
            self.overlaps_of_images(&meets, (point, Vec2::ZERO), filter, out, &holds_center);
        }
        settle(out, start);
    }

    pub(super) fn append_overlap_shape(
        &self,
        shape: &PlacedShape,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
    ) {
        let start = out.len();
        let meets = Meets::of_shape(shape);
        if self.def.period().is_none() {
            self.grid.ask_alone(&meets, |found| self.keep_in_shape(shape, filter, found, out));
        } else if meets.is_anything() {
            let position = shape.position;
            let reach = reach_of(&meets.here.aabb, position.local);
            self.overlaps_of_images(&meets, (position, reach), filter, out, &|part| touches(shape, part));
        }
        settle(out, start);
    }

    pub(super) fn append_overlap_aabb(
        &self,
        here: &WorldAabb,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
    ) {
        let start = out.len();
        let meets = Meets::of_box(here);
        if self.def.period().is_none() {
            self.grid.ask_alone(&meets, |found| self.keep_in_box(here, filter, found, out));
        } else if meets.is_anything() {
            let (position, size) = middle_of(here);
            if size.max_element() < MIN_SIZE {
                return self.append_overlap_point(position, filter, out);
            }
            let shape = box_of(size);
            let shape = PlacedShape { shape: &shape, position, rotation: Rot::IDENTITY };
            // A box as wide as a world that wraps round contains the nearest image of everything.
            let reach = self.def.period().less(reach_of(&here.aabb, position.local));
            let whole = relative(here, position);
            self.overlaps_of_images(&meets, (position, reach), filter, out, &|part| {
                is_inside(&whole, part) || touches(&shape, part)
            });
        }
        settle(out, start);
    }

    /// [`World::overlap_point`] for each of many points, in a world that does not wrap round.
    pub(super) fn overlaps_at_points(
        &self,
        points: &[WorldPoint],
        filter: &QueryFilter,
        out: &mut Answers<OverlapAnswer>,
    ) {
        let regions = points.iter().map(|&point| Meets::of_point(point));
        self.overlaps_of_each(regions, out, |number, found, out| {
            self.keep_at_point(points[number], filter, found, out);
        });
    }

    /// [`World::overlap_shape`] for each of many shapes, in a world that does not wrap round.
    pub(super) fn overlaps_in_shapes(
        &self,
        shapes: &[PlacedShape],
        filter: &QueryFilter,
        out: &mut Answers<OverlapAnswer>,
    ) {
        let regions = shapes.iter().map(Meets::of_shape);
        self.overlaps_of_each(regions, out, |number, found, out| {
            self.keep_in_shape(&shapes[number], filter, found, out);
        });
    }

    /// [`World::overlap_aabb`] for each of many boxes, in a world that does not wrap round.
    pub(super) fn overlaps_in_boxes(
        &self,
        boxes: &[WorldAabb],
        filter: &QueryFilter,
        out: &mut Answers<OverlapAnswer>,
    ) {
        let regions = boxes.iter().map(Meets::of_box);
        self.overlaps_of_each(regions, out, |number, found, out| {
            self.keep_in_box(&boxes[number], filter, found, out);
        });
    }

    #[inline(always)]
    fn overlaps_of_each(
        &self,
        regions: impl Iterator<Item = Meets>,
        out: &mut Answers<OverlapAnswer>,
        keep: impl Fn(usize, Found<'_, '_, Meets>, &mut Vec<OverlapAnswer>),
    ) {
        let fetch = |found: &[(u32, f32)]| self.fetch_overlaps(found);
        self.grid.ask_each(regions, fetch, |number, found| {
            out.push(|out| {
                let start = out.len();
                keep(number, found, out);
                settle(out, start);
            });
        });
    }

    fn keep_at_point(
        &self,
        point: WorldPoint,
        filter: &QueryFilter,
        found: Found<'_, '_, Meets>,
        out: &mut Vec<OverlapAnswer>,
    ) {
        let meets = found.question();
        found.each(self.keep_overlaps((&meets, point), filter, out, holds_center));
    }

    fn keep_in_shape(
        &self,
        shape: &PlacedShape,
        filter: &QueryFilter,
        found: Found<'_, '_, Meets>,
        out: &mut Vec<OverlapAnswer>,
    ) {
        let meets = found.question();
        let test = |part: &Candidate| touches(shape, part);
        found.each(self.keep_overlaps((&meets, shape.position), filter, out, test));
    }

    fn keep_in_box(
        &self,
        here: &WorldAabb,
        filter: &QueryFilter,
        found: Found<'_, '_, Meets>,
        out: &mut Vec<OverlapAnswer>,
    ) {
        let meets = found.question();
        if !meets.is_anything() {
            return;
        }
        let (position, size) = middle_of(here);
        if size.max_element() < MIN_SIZE {
            return self.keep_at_point(position, filter, found, out);
        }
        let shape = box_of(size);
        let shape = PlacedShape { shape: &shape, position, rotation: Rot::IDENTITY };
        let whole = relative(here, position);
        let test = |part: &Candidate| is_inside(&whole, part) || touches(&shape, part);
        found.each(self.keep_overlaps((&meets, position), filter, out, test));
    }

    /// Overlaps in a world that wraps round.
    #[cold]
    #[inline(never)]
    fn overlaps_of_images(
        &self,
        meets: &Meets,
        (from, reach): (WorldPoint, Vec2),
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
        touches: &dyn Fn(&Candidate) -> bool,
    ) {
        self.each_image(from, reach, |seen| {
            let meets = Meets { here: meets.here.beside(from, seen), ..*meets };
            self.grid.ask::<_, true>(&meets, self.keep_overlaps((&meets, seen), filter, out, touches));
            true
        });
    }

    /// Returns a function that appends each candidate in a region around a place if `touches`
    /// holds. Parts whose boxes are within the inner box touch in any case: their shapes and bodies
    /// are not read.
    #[inline(always)]
    fn keep_overlaps(
        &self,
        (meets, from): (&Meets, WorldPoint),
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
        touches: impl Fn(&Candidate) -> bool,
    ) -> impl FnMut(u32, f32) {
        move |proxy, promise| {
            let Some(proxy) = self.admitted(proxy, filter) else { return };
            if promise == Meets::WITHIN && proxy.of_map == OfMap::No {
                let (shape, body) = self.ids_of(proxy);
                return out.push(OverlapAnswer { shape, body, part: proxy.part });
            }
            let candidate = self.seen(proxy, from);
            let Some(map) = candidate.map() else {
                if touches(&candidate) {
                    let (shape, body, part) = self.owner(&candidate);
                    out.push(OverlapAnswer { shape, body, part });
                }
                return;
            };
            // For a map, the first of its cells by index.
            let near = relative(&meets.here, from);
            let mut first = u32::MAX;
            map.visit(
                |aabb| aabb.transformed(candidate.at).overlaps(&near.grown(slack_of(&near))),
                |cell| {
                    let is_met =
                        cell < first && candidate.cell(cell, filter).is_some_and(|cell| touches(&cell));
                    first = if is_met { cell } else { first };
                    true
                },
            );
            if first < u32::MAX {
                let (shape, body, _) = self.owner(&candidate);
                out.push(OverlapAnswer { shape, body, part: first });
            }
        }
    }

    /// Prefetches the data that tests and answers of candidates read: the loads of several are in
    /// flight together.
    #[inline]
    fn fetch_overlaps(&self, found: &[(u32, f32)]) {
        for &(id, promise) in found {
            let proxy = &self.shapes.proxies.rows[id as usize];
            // For parts within the inner box only generations are read. The first rows, which are
            // in the cache, stand in for their rows, without a branch.
            let is_within = promise == Meets::WITHIN;
            let [body, shape] = [proxy.body, proxy.shape].map(|row| if is_within { 0 } else { row });
            let form = core::mem::discriminant(self.shapes.colliders[shape as usize].shape());
            black_box((self.ids_of(proxy), self.bodies.rows[body as usize].center.x, form));
        }
    }
}

/// Whether a part contains the place of the query.
fn holds_center(part: &Candidate) -> bool {
    piece_contains(part.collider.shape.piece(part.part()), part.at.apply_inverse(Vec2::ZERO))
}

/// Whether the box of a part is inside a box: then it needs no exact test, and may be farther out
/// than a shape can reach.
fn is_inside(whole: &Aabb, part: &Candidate) -> bool {
    whole.contains(&part.collider.shape.piece(part.part()).aabb(part.at))
}

/// A box relative to a place in its region.
fn relative(here: &WorldAabb, from: WorldPoint) -> Aabb {
    Aabb { min: here.aabb.min - from.local, max: here.aabb.max - from.local }
}

/// Cuts a box to the reach of shapes; returns the middle and the size of the rest.
fn middle_of(here: &WorldAabb) -> (WorldPoint, Vec2) {
    let Aabb { min, max } = finite(&here.aabb);
    (WorldPoint::new(here.region, (min + max) * 0.5), max - min)
}

/// How far a box reaches from a point.
fn reach_of(aabb: &Aabb, from: Vec2) -> Vec2 {
    (aabb.max - from).abs().max((aabb.min - from).abs())
}

/// Margin for the rounding of a box relative to another place.
fn slack_of(aabb: &Aabb) -> f32 {
    let far = aabb.min.abs().max(aabb.max.abs()).max_element();
    if far.is_finite() { 1.0e-6 + 8.0 * f32::EPSILON * far } else { 0.0 }
}

/// Query region: boxes that meet a box, and those within another one.
#[derive(Clone, Copy)]
struct Meets {
    here: WorldAabb,
    within: Aabb,
}

impl Meets {
    const WITHIN: f32 = 0.0;
    const AT_THE_BORDER: f32 = 1.0;

    /// The region of a query that has no answer: a box of NaN meets nothing.
    const NOTHING: Meets = Meets {
        here: WorldAabb { region: IVec2::ZERO, aabb: Aabb { min: Vec2::NAN, max: Vec2::NAN } },
        within: Aabb::EMPTY,
    };

    fn is_anything(&self) -> bool {
        !self.here.aabb.min.is_nan()
    }

    #[inline]
    fn of_point(point: WorldPoint) -> Meets {
        if !point.is_valid() {
            return Meets::NOTHING;
        }
        let here = WorldAabb { region: point.region, aabb: Aabb::around_point(point.local) };
        Meets { here, within: Aabb::EMPTY }
    }

    #[inline]
    fn of_shape(shape: &PlacedShape) -> Meets {
        if !shape.is_valid() || matches!(shape.shape, Shape::Invalid(_)) {
            return Meets::NOTHING;
        }
        let at = Transform { position: shape.position.local, rotation: shape.rotation };
        let here = WorldAabb { region: shape.position.region, aabb: shape.shape.aabb(at) };
        Meets { here, within: within(shape) }
    }

    #[inline]
    fn of_box(here: &WorldAabb) -> Meets {
        if !here.is_valid() {
            return Meets::NOTHING;
        }
        let (position, size) = middle_of(here);
        match position.is_valid() {
            true if size.max_element() < MIN_SIZE => Meets::of_point(position),
            true => Meets { here: *here, within: shrunk(&here.aabb) },
            false => Meets::NOTHING,
        }
    }
}

impl Question for Meets {
    /// Relative to another region, boxes are rounded outward, and none counts as within.
    #[inline]
    fn seen_from(&self, region: IVec2) -> Meets {
        let within = if region == self.here.region { self.within } else { Aabb::EMPTY };
        Meets { here: WorldAabb { region, aabb: self.here.relative_to(region) }, within }
    }

    #[inline(always)]
    fn promise<W: Width>(&self, w: W, [left, below, right, above]: [W::L; 4]) -> W::L {
        let Aabb { min, max } = self.here.aabb;
        let x = w.splat(min.x).le(right) & left.le(w.splat(max.x));
        let y = w.splat(min.y).le(above) & below.le(w.splat(max.y));
        let Aabb { min, max } = self.within;
        let within_x = w.splat(min.x).le(left) & right.le(w.splat(max.x));
        let within_y = w.splat(min.y).le(below) & above.le(w.splat(max.y));
        let (within, border) = (w.splat(Meets::WITHIN), w.splat(Meets::AT_THE_BORDER));
        let met = Lane::select(within_x & within_y, within, border);
        Lane::select(x & y, met, w.splat(f32::INFINITY))
    }
}

/// A box inside a shape, if there is a simple one: parts whose boxes are within it overlap the
/// shape.
fn within(shape: &PlacedShape) -> Aabb {
    let at = Transform { position: shape.position.local, rotation: shape.rotation };
    match shape.shape {
        Shape::Circle(circle) => {
            let half = circle.radius * core::f32::consts::FRAC_1_SQRT_2;
            shrunk(&Aabb::around_point(at.apply(circle.center)).grown(half))
        }
        Shape::Obb(obb) => {
            let axes = at.rotation * obb.rotation();
            let (cos, sin) = (axes.cos.abs(), axes.sin.abs());
            let half = obb.half_size();
            // For a rotated box, the largest axis-aligned square.
            let half = if sin == 0.0 { half } else { Vec2::splat(half.min_element() / (cos + sin)) };
            let middle = at.apply(obb.center());
            shrunk(&Aabb { min: middle - half, max: middle + half })
        }
        _ => Aabb::EMPTY,
    }
}

/// A box shrunk by the rounding of the exact tests; infinite sides stay.
fn shrunk(aabb: &Aabb) -> Aabb {
    let sides = [aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y];
    let far = sides.into_iter().filter(|side| side.is_finite()).fold(0.0, |far, side| max(far, side.abs()));
    let slack = 1.0e-6 + 16.0 * f32::EPSILON * far;
    Aabb { min: aabb.min + slack, max: aabb.max - slack }
}

/// Whether a part touches a shape at the place of the query.
fn touches(shape: &PlacedShape, part: &Candidate) -> bool {
    let (own, other, at) = (shape.shape, &part.collider.shape, shape.turned());
    let Some(tree) = own.tree() else {
        return if other.tree().is_none() {
            overlaps(own, at, other, part.at)
        } else {
            parts_overlap((own, 0, at), (other, part.part(), part.at))
        };
    };
    let near = other.piece(part.part()).aabb(at.relative(part.at));
    let mut touching = false;
    tree.visit(
        |node| node.overlaps(&near),
        |own_part| {
            touching = parts_overlap((own, own_part as usize, at), (other, part.part(), part.at));
            !touching
        },
    );
    touching
}

/// The box with infinite sides cut to the reach of shapes.
fn finite(aabb: &Aabb) -> Aabb {
    let most = Vec2::splat(0.25 * MAX_SIZE);
    Aabb { min: aabb.min.clamp(-most, most), max: aabb.max.clamp(-most, most) }
}

/// Returns a box of the given size around the origin; a segment if it is too thin for a box.
fn box_of(size: Vec2) -> Shape {
    let half = size * 0.5;
    if size.min_element() >= MIN_SIZE {
        Shape::rect(size.x, size.y)
    } else if size.x > size.y {
        Shape::segment([-half.x, 0.0], [half.x, 0.0])
    } else {
        Shape::segment([0.0, -half.y], [0.0, half.y])
    }
}
