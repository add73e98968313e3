//! Casts: when do two moving shapes first touch?
//!
//! In: two shapes, each with a motion over one step (straight, and turning at a constant rate). Out: time,
//! point and normal of the first touch. Never too late, so nothing passes through anything at any speed.
//!
//! # How
//!
//! Conservative advancement of second order. At time t let n be the unit vector along which the two pieces are
//! s apart. A corner of one seen from a corner of the other moves along n by
//!
//! ```text
//!   s_ij(t + τ) >= s_ij + d_ij τ - ½ K τ²         d_ij: its speed along n now
//!                                                  K = ω_a² ρ_a + ω_b² ρ_b: no corner's path bends more
//! ```
//!
//! where ω is the rate of turning and ρ the distance of the farthest corner from the point it turns about.
//! While the right side stays above the target for every pair of corners, n separates the two; so time may
//! advance to the first root of all these parabolas. Without rotation K is 0 and the advance is Newton's
//! method on a convex function: the exact answer after as many rounds as faces are involved, usually two.
//! With rotation the error of a round is the K term, so convergence is quadratic towards a head-on hit, and
//! steps past a near miss grow with the root of the gap, where a bound on speed alone would creep.

use std::cell::Cell;

use super::convex::Convex;
use super::manifold::{CastHit, Distance};
use super::{convex, order, piece_distance};
use crate::bounds::{Aabb, BoundingCircle, BoxTree};
use crate::math::{Motion, Transform, max, min};
use crate::shape::{Piece, Shape};
use crate::tuning::{CAST_TOLERANCE, MAX_CAST_ROUNDS};

/// When two moving shapes first touch, if they do within the step.
///
/// Shapes that touch from the start hit at time 0, with the normal that parts them soonest.
///
/// ```
/// use carom::{Motion, Shape, Transform, cast};
///
/// let bullet = Shape::circle(0.1);
/// let wall = Shape::rect(0.01, 10.0);
/// let flight = Motion::straight(Transform::at([-3.0, 0.0]), [100.0, 0.0]);
/// let hit = cast(&bullet, flight, &wall, Motion::still(Transform::IDENTITY)).expect("it cannot pass");
/// assert!((hit.time - 0.02895).abs() < 1e-5);
/// ```
#[must_use]
pub fn cast(a: &Shape, motion_a: Motion, b: &Shape, motion_b: Motion) -> Option<CastHit> {
    if order::is_swapped(a, motion_a.start, b, motion_b.start) {
        let hit = cast_ordered(b, motion_b, a, motion_a)?;
        return Some(CastHit { normal: -hit.normal, ..hit });
    }
    cast_ordered(a, motion_a, b, motion_b)
}

fn cast_ordered(a: &Shape, motion_a: Motion, b: &Shape, motion_b: Motion) -> Option<CastHit> {
    let best: Cell<Option<CastHit>> = Cell::new(None);
    // Everything is seen from where A starts; its position is added to the answer.
    let origin = motion_a.start.position;
    let sweep = Sweep::new(motion_a, motion_b);
    let take = |part_a: usize, part_b: usize| {
        let limit = best.get().map_or(1.0, |hit| hit.time);
        let hit = sweep.cast_pieces(a.piece(part_a), b.piece(part_b), limit);
        best.set(hit.filter(|hit| best.get().is_none_or(|best| hit.time < best.time)).or(best.get()));
    };
    let (whole_a, whole_b) = (a.bounding_circle(), b.bounding_circle());
    let near_b = |box_a: &Aabb| sweep.may_meet(&circle_around(box_a), &whole_b);
    let near_a = |box_b: &Aabb| sweep.may_meet(&whole_a, &circle_around(box_b));
    for_parts(a, a.tree(), near_b, |part_a| {
        for_parts(b, b.tree(), near_a, |part_b| take(part_a, part_b));
    });
    best.get().map(|hit| CastHit { point: origin + hit.point, ..hit })
}

fn for_parts(
    shape: &Shape,
    tree: Option<&BoxTree>,
    near: impl Fn(&Aabb) -> bool,
    mut visit: impl FnMut(usize),
) {
    match tree {
        None => (0..shape.piece_count()).for_each(visit),
        Some(tree) => tree.visit(near, |part| {
            visit(part as usize);
            true
        }),
    }
}

fn circle_around(aabb: &Aabb) -> BoundingCircle {
    BoundingCircle { center: aabb.center(), radius: 0.5 * aabb.size().length() }
}

/// The two motions, seen from where A starts, with B's translation relative to A's.
struct Sweep {
    a: Motion,
    b: Motion,
}

impl Sweep {
    fn new(a: Motion, b: Motion) -> Sweep {
        let from = |motion: Motion| Motion {
            start: Transform { position: motion.start.position - a.start.position, ..motion.start },
            ..motion
        };
        Sweep { a: from(a), b: from(b) }
    }

    /// Whether two circles, each fixed to one of the shapes, can come together at all.
    fn may_meet(&self, a: &BoundingCircle, b: &BoundingCircle) -> bool {
        let between = self.a.start.apply(a.center).distance(self.b.start.apply(b.center));
        let arc = |motion: &Motion, circle: &BoundingCircle| {
            let arm = circle.center.length();
            min(motion.turn.abs() * arm, 2.0 * arm)
        };
        let path = (self.b.translation - self.a.translation).length() + arc(&self.a, a) + arc(&self.b, b);
        between - a.radius - b.radius <= path + CAST_TOLERANCE * (between + path)
    }

    fn cast_pieces(&self, a: Piece, b: Piece, limit: f32) -> Option<CastHit> {
        let (moving_a, moving_b) = (self.moving(a, self.a), self.moving(b, self.b));
        let (rho_a, rho_b) = (moving_a.reach(), moving_b.reach());
        let bend = self.a.turn * self.a.turn * rho_a + self.b.turn * self.b.turn * rho_b;
        let tolerance =
            CAST_TOLERANCE * max(min(rho_a + moving_a.radius, rho_b + moving_b.radius), f32::MIN_POSITIVE);

        let mut time = 0.0;
        for _ in 0..MAX_CAST_ROUNDS {
            let (xa, xb) = (self.a.at(time), self.b.at(time));
            let apart = piece_distance(a, b, xa.relative(xb)).transformed(xa);
            let approach = Approach::new(&apart, (&moving_a, self.a, xa), (&moving_b, self.b, xb));
            let touching =
                apart.separation <= 0.0 || (apart.separation <= tolerance && approach.is_closing());
            if touching {
                return Some(CastHit { time, point: apart.middle(), normal: apart.normal });
            }
            let target = 0.5 * min(tolerance, apart.separation);
            time += approach.first_below(target, bend);
            if time > limit || time.is_nan() {
                return None;
            }
        }
        let (xa, xb) = (self.a.at(time), self.b.at(time));
        let apart = piece_distance(a, b, xa.relative(xb)).transformed(xa);
        Some(CastHit { time, point: apart.middle(), normal: apart.normal })
    }

    /// The corners whose paths bound the motion of a piece.
    ///
    /// A half-plane has none; the side of a square that is larger than everything the sweep can reach stands in.
    fn moving(&self, piece: Piece, own: Motion) -> Convex {
        let Piece::HalfPlane(plane) = piece else { return convex(piece) };
        let reach = |motion: &Motion| motion.start.position.length() + motion.translation.length();
        Convex::from_half_plane(
            plane,
            4.0 * (reach(&self.a) + reach(&self.b) + reach(&own)) + plane.offset.abs(),
        )
    }
}

/// How the corners of two pieces come closer along the normal of the moment.
struct Approach {
    /// Separation and speed along the normal of every pair of corners; only the first `count` are set.
    pairs: [(f32, f32); PAIRS],
    count: usize,
}

const PAIRS: usize = crate::tuning::MAX_POLYGON_VERTICES * crate::tuning::MAX_POLYGON_VERTICES;

impl Approach {
    fn new(apart: &Distance, a: (&Convex, Motion, Transform), b: (&Convex, Motion, Transform)) -> Approach {
        let n = apart.normal;
        // Position and speed along n of a corner r: n·(p + R r), n·(v + ω (R r) turned left).
        let along = |(convex, motion, x): (&Convex, Motion, Transform), i: usize| {
            let arm = x.rotation * convex.vertex(i);
            (n.dot(x.position + arm), n.dot(motion.translation + arm.perp() * motion.turn))
        };
        let radii = a.0.radius + b.0.radius;
        let mut approach = Approach { pairs: [(0.0, 0.0); PAIRS], count: 0 };
        for i in 0..a.0.count() {
            let (at_a, speed_a) = along(a, i);
            for j in 0..b.0.count() {
                let (at_b, speed_b) = along(b, j);
                approach.pairs[approach.count] = (at_b - at_a - radii, speed_b - speed_a);
                approach.count += 1;
            }
        }
        approach
    }

    /// Whether the pair of corners that is closest comes closer still.
    fn is_closing(&self) -> bool {
        let pairs = &self.pairs[..self.count];
        let least = pairs.iter().fold(f32::INFINITY, |least, pair| min(least, pair.0));
        let slack = least.abs() * 1.0e-3;
        pairs.iter().any(|&(s, d)| s <= least + slack && d < 0.0)
    }

    /// The least τ at which s + d τ - ½ K τ² falls to `target` for some pair of corners.
    fn first_below(&self, target: f32, bend: f32) -> f32 {
        let roots = self.pairs[..self.count].iter().map(|&(s, d)| first_root(max(s - target, 0.0), d, bend));
        roots.fold(f32::INFINITY, min)
    }
}

/// The first τ >= 0 with gap + d τ - ½ K τ² = 0: τ = 2 gap / (sqrt(d² + 2 K gap) - d), which loses no digits.
fn first_root(gap: f32, d: f32, bend: f32) -> f32 {
    if bend == 0.0 {
        return if d < 0.0 { gap / -d } else { f32::INFINITY };
    }
    let root = (d * d + 2.0 * bend * gap).sqrt();
    if d < 0.0 { 2.0 * gap / (root - d) } else { (root + d) / bend }
}
