//! Many pairs at once: box against box and circle against circle in blocks of eight lanes.
//!
//! In: two slices, pair k being element k of both, all in one frame. Out: one answer a pair, bit for bit
//! the one that the one-pair functions give. Called by whoever has many pairs of one kind, such as a world.
//!
//! The kernels are those of `obb.rs` and `round.rs`; this file only moves rows into lanes and back. The last
//! block is filled up with its own first pair. Where slices differ in length, the shortest decides.

use super::manifold::{FeatureId, Manifold, ManifoldPoint};
use super::obb::{self, Boxes};
use super::round;
use crate::shape::{Circle, Obb};
use crate::simd::{Eight, LANES, Lane, Level, Simd, bits, dispatch, gather, scatter};
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
    overlap_boxes_at(Level::new(), a, b, out);
}

/// The manifold of box `a[k]` and box `b[k]` if they are within `margin`, else [`Manifold::NONE`], for every k.
pub fn contact_boxes(a: &[Obb], b: &[Obb], margin: f32, out: &mut [Manifold]) {
    contact_boxes_at(Level::new(), a, b, margin, out);
}

/// Whether circle `a[k]` and circle `b[k]` touch, for every k.
pub fn overlap_circles(a: &[Circle], b: &[Circle], out: &mut [bool]) {
    overlap_circles_at(Level::new(), a, b, out);
}

/// The manifold of circle `a[k]` and circle `b[k]` if they are within `margin`, else [`Manifold::NONE`].
pub fn contact_circles(a: &[Circle], b: &[Circle], margin: f32, out: &mut [Manifold]) {
    contact_circles_at(Level::new(), a, b, margin, out);
}

pub(crate) fn overlap_boxes_at(level: Level, a: &[Obb], b: &[Obb], out: &mut [bool]) {
    dispatch!(level, simd => overlap_boxes_in(simd, a, b, out));
}

pub(crate) fn contact_boxes_at(level: Level, a: &[Obb], b: &[Obb], margin: f32, out: &mut [Manifold]) {
    dispatch!(level, simd => contact_boxes_in(simd, a, b, margin, out));
}

pub(crate) fn overlap_circles_at(level: Level, a: &[Circle], b: &[Circle], out: &mut [bool]) {
    dispatch!(level, simd => overlap_circles_in(simd, a, b, out));
}

pub(crate) fn contact_circles_at(
    level: Level,
    a: &[Circle],
    b: &[Circle],
    margin: f32,
    out: &mut [Manifold],
) {
    dispatch!(level, simd => contact_circles_in(simd, a, b, margin, out));
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
fn boxes<S: Simd>(simd: S, rows: [&Obb; LANES]) -> Boxes<Eight<S>> {
    Boxes {
        center: [gather(simd, |k| rows[k].place.position.x), gather(simd, |k| rows[k].place.position.y)],
        half: [gather(simd, |k| rows[k].half.x), gather(simd, |k| rows[k].half.y)],
        cos: gather(simd, |k| rows[k].place.rotation.cos),
        sin: gather(simd, |k| rows[k].place.rotation.sin),
        radius: gather(simd, |k| rows[k].radius),
    }
}

#[inline(always)]
fn overlap_boxes_in<S: Simd>(simd: S, a: &[Obb], b: &[Obb], out: &mut [bool]) {
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
fn contact_boxes_in<S: Simd>(simd: S, a: &[Obb], b: &[Obb], margin: f32, out: &mut [Manifold]) {
    for_blocks(a, b, out, |rows_a, rows_b, out| {
        let (a, b) = (boxes(simd, rows_a), boxes(simd, rows_b));
        let contacts = obb::contacts(&a, &b, a.cos.splat(margin));
        let (near, beside) = (bits(contacts.near), bits(contacts.beside));
        let reference_is_b = bits(contacts.reference_is_b);
        let normal = contacts.normal.map(scatter);
        let points = contacts.points.map(|p| (p.point.map(scatter), scatter(p.separation)));
        let (face_a, face_b) = (scatter(contacts.face_a), scatter(contacts.face_b));
        for (k, answer) in out.iter_mut().enumerate() {
            *answer = Manifold::NONE;
            if near >> k & 1 == 0 {
                continue;
            }
            let point = |(p, separation): &([[f32; LANES]; 2], [f32; LANES])| {
                (Vec2::new(p[0][k], p[1][k]), separation[k])
            };
            let ends = [point(&points[0]), point(&points[1])];
            let by_faces = if beside >> k & 1 == 0 {
                let normal = Vec2::new(normal[0][k], normal[1][k]);
                obb::finish(normal, ends, (face_a[k], face_b[k]), margin)
            } else {
                None
            };
            let by_corners =
                || obb::collide_corners(rows_a[k], rows_b[k], reference_is_b >> k & 1 == 1, margin);
            *answer = by_faces.or_else(by_corners).unwrap_or(Manifold::NONE);
        }
    });
}

#[inline(always)]
fn circles<S: Simd>(simd: S, rows: [&Circle; LANES]) -> round::Circles<Eight<S>> {
    round::Circles {
        center: [gather(simd, |k| rows[k].center.x), gather(simd, |k| rows[k].center.y)],
        radius: gather(simd, |k| rows[k].radius),
    }
}

#[inline(always)]
fn overlap_circles_in<S: Simd>(simd: S, a: &[Circle], b: &[Circle], out: &mut [bool]) {
    for_blocks(a, b, out, |rows_a, rows_b, out| {
        let touching = bits(round::touching(&circles(simd, rows_a), &circles(simd, rows_b)));
        for (k, answer) in out.iter_mut().enumerate() {
            *answer = touching >> k & 1 == 1;
        }
    });
}

#[inline(always)]
fn contact_circles_in<S: Simd>(simd: S, a: &[Circle], b: &[Circle], margin: f32, out: &mut [Manifold]) {
    for_blocks(a, b, out, |rows_a, rows_b, out| {
        let contacts = round::contacts(&circles(simd, rows_a), &circles(simd, rows_b));
        let (normal, point) = (contacts.normal.map(scatter), contacts.point.map(scatter));
        let separation = scatter(contacts.separation);
        for (k, answer) in out.iter_mut().enumerate() {
            *answer = Manifold::NONE;
            if separation[k] <= margin {
                *answer = Manifold::new(Vec2::new(normal[0][k], normal[1][k]));
                let point = Vec2::new(point[0][k], point[1][k]);
                answer.push(ManifoldPoint { point, separation: separation[k], id: FeatureId::default() });
            }
        }
    });
}
