//! A quick test before the rounds of casts that do not turn: whether two pieces can touch at all in
//! time.
//!
//! In: two pieces, their poses at the start, the displacement of the second. Out: no, where a miss
//! is certain. This test refuses most pieces that a query casts at, in a tenth of the time of the
//! rounds of `cast.rs`. The rounds decide the rest, so answers have the same bits with and without
//! this test.
//!
//! The Minkowski sum of two boxes is where the strips along their four axes meet, and a way crosses
//! each strip from one time to another. Other pieces count as the circle around them, a box with a
//! radius and without sides: the corners of that sum are round, and the strip along the way cuts
//! them off. (Bergen, Ray casting against general convex objects, 2004, has the same for supports.)

use glam::Vec2;

use crate::math::{Rot, Transform, cross, max, min};
use crate::shape::Piece;
use crate::tuning::CAST_TOLERANCE;

/// Displacements shorter than this along an axis count as this long, so that there is a quotient.
const LEAST_WAY: f32 = 1.0e-30;

/// A box with a radius.
struct Around {
    middle: Vec2,
    axes: Rot,
    half: Vec2,
    radius: f32,
}

impl Around {
    /// The rounded box around a piece; none for a half-plane.
    #[inline(always)]
    fn new(piece: Piece) -> Option<Around> {
        let round = |(middle, radius)| Around { middle, axes: Rot::IDENTITY, half: Vec2::ZERO, radius };
        match piece {
            Piece::HalfPlane(_) => None,
            Piece::Obb(obb) => Some(Around {
                middle: obb.center(),
                axes: obb.rotation(),
                half: obb.half_size(),
                radius: obb.radius(),
            }),
            _ => Some(round(piece.circle_around())),
        }
    }

    /// Returns an upper bound of the distance of the box's points from the origin.
    #[inline(always)]
    fn reach(&self) -> f32 {
        self.middle.length() + self.half.length() + self.radius
    }
}

/// Whether two pieces may come within `gap` of each other up to the share `limit` of the way: A
/// stands at the origin, turned to `turn`, and B goes from `at` along `way`.
#[inline]
pub(super) fn may_touch(
    (a, turn): (Piece, Rot),
    (b, at, way): (Piece, Transform, Vec2),
    (gap, limit): (f32, f32),
) -> bool {
    let (Some(a), Some(b)) = (Around::new(a), Around::new(b)) else { return true };
    let (ra, rb) = (turn * a.axes, at.rotation * b.axes);
    let between = at.apply(b.middle) - turn * a.middle;
    let (size_a, size_b, length) = (a.reach(), b.reach(), way.length());
    // Twice the distance that a cast takes for a touch, and the rounding of this test and of the
    // cast.
    let rounding = 64.0 * f32::EPSILON * (at.position.length() + length + size_a + size_b);
    let reach = a.radius + b.radius + gap + 2.0 * CAST_TOLERANCE * min(size_a, size_b) + rounding;

    // Axes: x and y of A, x and y of B.
    let (cos, sin) = ([ra.cos, ra.cos, rb.cos, rb.cos], [ra.sin, ra.sin, rb.sin, rb.sin]);
    let along_axes = |v: Vec2| {
        let (first, second) = ([v.x, v.y, v.x, v.y], [v.y, -v.x, v.y, -v.x]);
        let mut along = [0.0; 4];
        for k in 0..4 {
            along[k] = first[k] * cos[k] + second[k] * sin[k];
        }
        along
    };
    let (from, goes) = (along_axes(between), along_axes(way));
    let (c, s) = ((ra.cos * rb.cos + ra.sin * rb.sin).abs(), (ra.cos * rb.sin - ra.sin * rb.cos).abs());
    let (ha, hb) = (a.half, b.half);
    let own = [ha.x, ha.y, hb.x, hb.y];
    let (flat, steep) = ([hb.x, hb.y, ha.x, ha.y], [hb.y, hb.x, ha.y, ha.x]);
    let (mut enter, mut leave) = ([0.0; 4], [0.0; 4]);
    for k in 0..4 {
        let extent = own[k] + (c * flat[k] + s * steep[k]) + reach;
        let goes = if goes[k].abs() > LEAST_WAY { goes[k] } else { LEAST_WAY };
        let (t0, t1) = ((-extent - from[k]) / goes, (extent - from[k]) / goes);
        (enter[k], leave[k]) = (min(t0, t1), max(t0, t1));
    }
    let enter = max(max(max(enter[0], enter[1]), max(enter[2], enter[3])), 0.0);
    let leave = min(min(min(leave[0], leave[1]), min(leave[2], leave[3])), limit);
    // Half of the strip along the way, times the length of the way.
    let aside = reach * length
        + (ha.x * goes[1].abs() + ha.y * goes[0].abs())
        + (hb.x * goes[3].abs() + hb.y * goes[2].abs());
    !(enter > leave || cross(between, way).abs() > aside)
}
