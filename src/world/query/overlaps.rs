//! Overlap queries with a shape, a box, or a point.
//!
//! In: a region, and a filter. Out: the shapes that have a point in common with it, by id; touching
//! counts. Shapes are tested, not only their boxes.

use glam::{IVec2, Vec2};

use super::answer::{OverlapAnswer, settle};
use super::{Candidate, PlacedShape, QueryFilter, World};
use crate::body::collider::OfMap;
use crate::bounds::Aabb;
use crate::broadphase::{Question, WorldAabb};
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
        if !point.is_valid() {
            return;
        }
        let here = WorldAabb { region: point.region, aabb: Aabb::around_point(point.local) };
        self.append_overlaps((&here, &Aabb::EMPTY), (point, &|| Vec2::ZERO), filter, out, |part| {
            let piece = part.collider.shape.piece(part.part());
            piece_contains(piece, part.at.apply_inverse(Vec2::ZERO))
        });
    }

    pub(super) fn append_overlap_shape(
        &self,
        shape: &PlacedShape,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
    ) {
        if !shape.is_valid() || matches!(shape.shape, Shape::Invalid(_)) {
            return;
        }
        let position = shape.position;
        let around = shape.shape.aabb(Transform { position: position.local, rotation: shape.rotation });
        let here = WorldAabb { region: position.region, aabb: around };
        let reach = || reach_of(&around, position.local);
        self.append_overlaps((&here, &within(shape)), (position, &reach), filter, out, |part| {
            touches(shape, part)
        });
    }

    pub(super) fn append_overlap_aabb(
        &self,
        here: &WorldAabb,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
    ) {
        if !here.is_valid() {
            return;
        }
        let Aabb { min, max } = finite(&here.aabb);
        let middle = (min + max) * 0.5;
        let position = WorldPoint::new(here.region, middle);
        if !position.is_valid() {
            return;
        }
        let size = max - min;
        if size.max_element() < MIN_SIZE {
            return self.append_overlap_point(position, filter, out);
        }
        let shape = box_of(size);
        let shape = PlacedShape { shape: &shape, position, rotation: Rot::IDENTITY };
        let whole = Aabb { min: here.aabb.min - middle, max: here.aabb.max - middle };
        // A box as wide as a world that wraps round contains the nearest image of everything.
        let reach = || self.def.period().less(reach_of(&here.aabb, position.local));
        self.append_overlaps((here, &shrunk(&here.aabb)), (position, &reach), filter, out, |part| {
            // Parts inside the box need no exact test, and may be farther out than a shape can
            // reach.
            whole.contains(&part.collider.shape.piece(part.part()).aabb(part.at)) || touches(&shape, part)
        });
    }

    /// Appends the candidates in a box for which `touches` holds. It holds for all parts whose
    /// boxes are within the second box, relative to the same region: their shapes and bodies are
    /// not read.
    fn append_overlaps(
        &self,
        (here, within): (&WorldAabb, &Aabb),
        (from, reach): (WorldPoint, &dyn Fn() -> Vec2),
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
        touches: impl Fn(&Candidate) -> bool,
    ) {
        let start = out.len();
        if self.def.period().is_none() {
            self.overlaps_from::<false>((here, within), from, filter, out, touches);
        } else {
            self.overlaps_of_images((here, within), (from, reach()), filter, out, &touches);
        }
        settle(out, start);
    }

    /// `append_overlaps` in a world that wraps round.
    #[cold]
    #[inline(never)]
    fn overlaps_of_images(
        &self,
        (here, within): (&WorldAabb, &Aabb),
        (from, reach): (WorldPoint, Vec2),
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
        touches: &dyn Fn(&Candidate) -> bool,
    ) {
        self.each_image(from, reach, |seen| {
            self.overlaps_from::<true>((&here.beside(from, seen), within), seen, filter, out, touches);
            true
        });
    }

    #[inline(always)]
    fn overlaps_from<const WRAPS: bool>(
        &self,
        (here, within): (&WorldAabb, &Aabb),
        from: WorldPoint,
        filter: &QueryFilter,
        out: &mut Vec<OverlapAnswer>,
        touches: impl Fn(&Candidate) -> bool,
    ) {
        self.grid.ask::<_, WRAPS>(&Meets { here: *here, within: *within }, |proxy, promise| {
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
            let near = Aabb { min: here.aabb.min - from.local, max: here.aabb.max - from.local };
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
        });
    }
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

/// A box of this size around the origin; a segment where it is too thin for one.
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
