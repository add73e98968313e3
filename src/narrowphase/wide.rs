//! Tests of many pairs at once: box against box and circle against circle in blocks of eight lanes.
//!
//! In: two slices, pair k being element k of both, all in one frame. Out: one answer a pair, with
//! the same bits as the one-pair functions give if both transforms are the identity. Called by
//! programs that have many pairs of one kind, such as a world.
//!
//! The kernels are in `obb.rs` and `round.rs`; this file only moves rows into lanes and back. The
//! last block is filled up with its own first pair. Where slices differ in length, the shortest
//! decides.

use super::manifold::{FeatureId, Manifold, ManifoldPoint};
use super::obb::{self, Boxes};
use super::round;
use crate::shape::{Circle, Obb};
use crate::simd::{
    Eight, LANES, Lane, Level, Vectors, bits, dispatch_wide, gather, scatter, scatter_whole, transpose,
};
use glam::Vec2;

/// Whether box `a[k]` and box `b[k]` touch, for every k.
///
/// ```
/// use carom::{Obb, batch};
///
/// let square = Obb::new(1.0, 1.0)?;
/// let mut touching = [false];
/// batch::overlap_boxes(&[square], &[square], &mut touching);
/// assert!(touching[0]);
/// # Ok::<(), carom::ShapeError>(())
/// ```
pub fn overlap_boxes(a: &[Obb], b: &[Obb], out: &mut [bool]) {
    overlap_boxes_at(Level::widest(), a, b, out);
}

/// The manifold of box `a[k]` and box `b[k]` if they are within `margin`, else [`Manifold::NONE`],
/// for every k.
pub fn contact_boxes(a: &[Obb], b: &[Obb], margin: f32, out: &mut [Manifold]) {
    contact_boxes_at(Level::widest(), a, b, margin, out);
}

/// Whether circle `a[k]` and circle `b[k]` touch, for every k.
pub fn overlap_circles(a: &[Circle], b: &[Circle], out: &mut [bool]) {
    overlap_circles_at(Level::widest(), a, b, out);
}

/// The manifold of circle `a[k]` and circle `b[k]` if they are within `margin`, else
/// [`Manifold::NONE`].
pub fn contact_circles(a: &[Circle], b: &[Circle], margin: f32, out: &mut [Manifold]) {
    contact_circles_at(Level::widest(), a, b, margin, out);
}

pub(crate) fn overlap_boxes_at(level: Level, a: &[Obb], b: &[Obb], out: &mut [bool]) {
    dispatch_wide!(level, simd => overlap_boxes_in(simd, a, b, out));
}

pub(crate) fn contact_boxes_at(level: Level, a: &[Obb], b: &[Obb], margin: f32, out: &mut [Manifold]) {
    dispatch_wide!(level, simd => contact_boxes_in(simd, a, b, margin, out));
}

pub(crate) fn overlap_circles_at(level: Level, a: &[Circle], b: &[Circle], out: &mut [bool]) {
    dispatch_wide!(level, simd => overlap_circles_in(simd, a, b, out));
}

pub(crate) fn contact_circles_at(
    level: Level,
    a: &[Circle],
    b: &[Circle],
    margin: f32,
    out: &mut [Manifold],
) {
    dispatch_wide!(level, simd => contact_circles_in(simd, a, b, margin, out));
}

/// Calls `block` with eight rows of each side and the answers they belong to.
#[inline(always)]
fn for_blocks<T, R>(
    a: &[T],
    b: &[T],
    out: &mut [R],
    mut block: impl FnMut([&T; LANES], [&T; LANES], &mut [R]),
) {
    let pairs = a.len().min(b.len()).min(out.len());
    let blocks = a[..pairs].chunks(LANES).zip(b[..pairs].chunks(LANES)).zip(out[..pairs].chunks_mut(LANES));
    for ((a, b), out) in blocks {
        let row = |k: usize| if k < a.len() { k } else { 0 };
        block(core::array::from_fn(|k| &a[row(k)]), core::array::from_fn(|k| &b[row(k)]), out);
    }
}

#[inline(always)]
fn boxes<S: Vectors>(simd: S, rows: [&Obb; LANES]) -> Boxes<Eight<S>> {
    let [x, y, cos, sin, half_x, half_y, radius, _] = transpose(simd, rows.map(Obb::as_row));
    Boxes { center: [x, y], half: [half_x, half_y], cos, sin, radius }
}

#[inline(always)]
fn overlap_boxes_in<S: Vectors>(simd: S, a: &[Obb], b: &[Obb], out: &mut [bool]) {
    for_blocks(a, b, out, |rows_a, rows_b, out| {
        let (a, b) = (boxes(simd, rows_a), boxes(simd, rows_b));
        let touching = bits(obb::touching(&a, &b));
        let zero = a.cos.splat(0.0);
        let sharp = bits((a.radius + b.radius).eq(zero));
        for (k, answer) in out.iter_mut().enumerate() {
            *answer = if sharp >> k & 1 == 1 {
                touching >> k & 1 == 1
            } else {
                obb::overlaps(rows_a[k], rows_b[k])
            };
        }
    });
}

#[inline(always)]
fn contact_boxes_in<S: Vectors>(simd: S, a: &[Obb], b: &[Obb], margin: f32, out: &mut [Manifold]) {
    for_blocks(a, b, out, |rows_a, rows_b, out| {
        let (a, b) = (boxes(simd, rows_a), boxes(simd, rows_b));
        let packed = obb::pack(&obb::contacts(&a, &b, a.cos.splat(margin)), a.cos.splat(margin));
        let normal = packed.normal.map(scatter);
        let points = packed.points.map(|p| (p.point.map(scatter), scatter(p.separation)));
        let (ids, count) = (packed.ids.map(scatter_whole), scatter_whole(packed.count));
        for (k, answer) in out.iter_mut().enumerate() {
            let point = |end: usize| {
                let ([x, y], separation) = &points[end];
                ManifoldPoint {
                    point: Vec2::new(x[k], y[k]),
                    separation: separation[k],
                    id: FeatureId::from_number(ids[end][k]),
                }
            };
            let normal = Vec2::new(normal[0][k], normal[1][k]);
            *answer = Manifold::from_points(normal, [point(0), point(1)], count[k]);
        }
        let (corners, reference_is_b) = (bits(packed.corners), bits(packed.reference_is_b));
        for (k, answer) in out.iter_mut().enumerate() {
            if corners >> k & 1 == 1 {
                let swapped = reference_is_b >> k & 1 == 1;
                *answer =
                    obb::collide_corners(rows_a[k], rows_b[k], swapped, margin).unwrap_or(Manifold::NONE);
            }
        }
    });
}

#[inline(always)]
fn circles<S: Vectors>(simd: S, rows: [&Circle; LANES]) -> round::Circles<Eight<S>> {
    round::Circles {
        center: [gather(simd, rows.map(|c| c.center.x)), gather(simd, rows.map(|c| c.center.y))],
        radius: gather(simd, rows.map(|c| c.radius)),
    }
}

#[inline(always)]
fn overlap_circles_in<S: Vectors>(simd: S, a: &[Circle], b: &[Circle], out: &mut [bool]) {
    for_blocks(a, b, out, |rows_a, rows_b, out| {
        let touching = bits(round::touching(&circles(simd, rows_a), &circles(simd, rows_b)));
        for (k, answer) in out.iter_mut().enumerate() {
            *answer = touching >> k & 1 == 1;
        }
    });
}

#[inline(always)]
fn contact_circles_in<S: Vectors>(simd: S, a: &[Circle], b: &[Circle], margin: f32, out: &mut [Manifold]) {
    for_blocks(a, b, out, |rows_a, rows_b, out| {
        let contacts = round::contacts(&circles(simd, rows_a), &circles(simd, rows_b));
        let (normal, point) = (contacts.normal.map(scatter), contacts.point.map(scatter));
        let separation = scatter(contacts.separation);
        for (k, answer) in out.iter_mut().enumerate() {
            *answer = Manifold::NONE;
            if separation[k] <= margin {
                *answer = Manifold::new(Vec2::new(normal[0][k], normal[1][k]));
                let point = Vec2::new(point[0][k], point[1][k]);
                answer.push(ManifoldPoint { point, separation: separation[k], id: FeatureId::ROUND });
            }
        }
    });
}

#[cfg(test)]
mod tests {
    //! Lanes against one pair at a time, bit for bit, at every level that this machine has.

    use super::*;
    use crate::math::Transform;
    use crate::narrowphase::{contact_within, overlaps};
    use crate::shape::Shape;
    use crate::util::Random;

    /// Splitmix64, as numbers between two bounds.
    impl Random {
        /// A box anywhere; every third on a coarse raster, where faces are parallel and ties are
        /// common.
        fn obb(&mut self, round: usize) -> Obb {
            let (mut x, mut y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let mut angle = self.between(-4.0, 4.0);
            let (mut width, mut height) = (self.between(0.2, 2.0), self.between(0.2, 2.0));
            if round.is_multiple_of(3) {
                (x, y) = ((4.0 * x).floor() * 0.25, (4.0 * y).floor() * 0.25);
                (width, height) = ((4.0 * width).ceil() * 0.25, (4.0 * height).ceil() * 0.25);
                angle = 0.0;
            }
            let obb = Obb::new(width, height).expect("a size");
            let rounding = if round % 5 == 4 { self.between(0.01, 0.2) } else { 0.0 };
            obb.rounded(rounding).expect("a radius").transformed(Transform::new([x, y], angle))
        }

        fn circle(&mut self, round: usize) -> Circle {
            let center = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            let center = if round.is_multiple_of(7) { [0.0; 2] } else { center };
            Circle::new(center, self.between(0.1, 0.9)).expect("a circle")
        }
    }

    /// Everything that a manifold says, as bits.
    fn bits_of(manifold: &Manifold) -> Vec<u32> {
        bytemuck::bytes_of(manifold)
            .chunks(4)
            .map(|word| word.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte)))
            .collect()
    }

    fn expected(a: &Shape, b: &Shape, margin: f32) -> Manifold {
        let home = Transform::IDENTITY;
        contact_within(a, home, b, home, margin).unwrap_or(Manifold::NONE)
    }

    const MARGINS: [f32; 2] = [0.0, 0.05];

    #[test]
    fn boxes_in_lanes_equal_boxes_one_by_one() {
        let mut random = Random(1);
        let rounds = if cfg!(debug_assertions) { 2_000 } else { 200_000 };
        let a: Vec<Obb> = (0..rounds).map(|round| random.obb(round)).collect();
        let b: Vec<Obb> = (0..rounds).map(|round| random.obb(round / 2)).collect();
        for level in Level::all() {
            let mut touching = vec![false; rounds];
            overlap_boxes_at(level, &a, &b, &mut touching);
            for margin in MARGINS {
                let mut manifolds = vec![Manifold::NONE; rounds];
                contact_boxes_at(level, &a, &b, margin, &mut manifolds);
                for k in 0..rounds {
                    let (one, two) = (Shape::Obb(a[k]), Shape::Obb(b[k]));
                    let expected = expected(&one, &two, margin);
                    assert_eq!(bits_of(&manifolds[k]), bits_of(&expected), "{level:?} {one:?} {two:?}");
                    let overlap = overlaps(&one, Transform::IDENTITY, &two, Transform::IDENTITY);
                    assert_eq!(touching[k], overlap, "{level:?} {one:?} {two:?}");
                    assert!(!overlap || !expected.is_empty(), "overlap without a manifold: {one:?} {two:?}");
                }
            }
        }
    }

    #[test]
    fn circles_in_lanes_equal_circles_one_by_one() {
        let mut random = Random(2);
        let rounds = if cfg!(debug_assertions) { 2_000 } else { 200_000 };
        let a: Vec<Circle> = (0..rounds).map(|round| random.circle(round)).collect();
        let b: Vec<Circle> = (0..rounds).map(|round| random.circle(round)).collect();
        for level in Level::all() {
            let mut touching = vec![false; rounds];
            let mut manifolds = vec![Manifold::NONE; rounds];
            overlap_circles_at(level, &a, &b, &mut touching);
            contact_circles_at(level, &a, &b, 0.05, &mut manifolds);
            for k in 0..rounds {
                let (one, two) = (Shape::Circle(a[k]), Shape::Circle(b[k]));
                assert_eq!(
                    bits_of(&manifolds[k]),
                    bits_of(&expected(&one, &two, 0.05)),
                    "{level:?} {one:?} {two:?}"
                );
                assert_eq!(touching[k], overlaps(&one, Transform::IDENTITY, &two, Transform::IDENTITY));
            }
        }
    }

    #[test]
    fn every_count_of_pairs_is_answered_whole() {
        let mut random = Random(3);
        for count in 0..=17 {
            let a: Vec<Obb> = (0..count).map(|round| random.obb(round)).collect();
            let b: Vec<Obb> = (0..count).map(|round| random.obb(round)).collect();
            let sentinel = Manifold::single(Vec2::ONE, Vec2::ONE, 9.0, FeatureId::default());
            let mut manifolds = vec![sentinel; count + 1];
            contact_boxes(&a, &b, 0.0, &mut manifolds);
            for k in 0..count {
                let expected = expected(&Shape::Obb(a[k]), &Shape::Obb(b[k]), 0.0);
                assert_eq!(bits_of(&manifolds[k]), bits_of(&expected));
            }
            assert_eq!(manifolds[count], sentinel, "nothing is written beyond the shortest slice");
        }
    }
}
