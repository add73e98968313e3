//! Casts: the first touch of two moving shapes (time of impact).
//!
//! In: two shapes, each with a motion over one step (straight, and turning at a constant rate).
//! Out: time, point and normal of the first touch. The time is never too late, so no shape passes
//! through another at any speed.
//!
//! # How
//!
//! Conservative advancement of second order. At some time let n be the unit vector along which the
//! two pieces are s apart. Let it turn at a rate Ω from now on. A corner x of a piece that turns at
//! ω about its origin p, which moves at v, has the height n·x, and seen along n it moves at
//!
//! ```text
//!   e = n·(x' - Ω x⊥)  x' = v + ω (x - p)⊥,  ⊥ a quarter turn to the left
//!   |e'| <= K          K  = (ω - Ω)² ρ + Ω² |p| + 2 |Ω| |v|,  ρ the distance of the farthest corner from p
//! ```
//!
//! So the height of a corner of B over a corner of A stays above s + d τ - ½ K τ², where d is the
//! difference of their two e, and K the sum of their two K. While that is above the target for
//! every pair of corners, n separates the two pieces, and time may advance to the first root of all
//! these parabolas. Three rates Ω are tried: 0, and the turning rates of the two pieces, at which n
//! stays the normal of a face. The longest advance counts, as each is safe.
//!
//! Without rotation K is 0 and the advance is Newton's method on a convex function: exact after as
//! many rounds as faces are involved, usually two. With rotation it converges quadratically towards
//! a head-on hit, and its steps past a near miss grow with the root of the gap, where a bound on
//! speed alone would creep.

use glam::Vec2;
use std::cell::Cell;

use super::advance::{Moving, advance, advance_straight};
use super::convex::Convex;
use super::manifold::Distance;
use super::manifold::{CastHit, Ray};
use super::ray::ray_circle;
use super::{convex, order, piece_distance, round, sat, straight};
use crate::bounds::{Aabb, BoundingCircle};
use crate::math::{Motion, Rot, Transform, max, min, unit_or_zero};
use crate::shape::tiles::PartTree;
use crate::shape::{Circle, Piece, Shape};
use crate::tuning::{CAST_TOLERANCE, MAX_CAST_ROUNDS};

/// Returns the first touch of two moving shapes, if they touch within the step.
///
/// Shapes that touch from the start hit at time 0, with the normal of the shortest way out.
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
    if order::is_swapped(a, &motion_a.start, b, &motion_b.start) {
        let hit = cast_ordered(b, motion_b, a, motion_a)?;
        return Some(CastHit { normal: -hit.normal, ..hit });
    }
    cast_ordered(a, motion_a, b, motion_b)
}

fn cast_ordered(a: &Shape, motion_a: Motion, b: &Shape, motion_b: Motion) -> Option<CastHit> {
    let best: Cell<Option<CastHit>> = Cell::new(None);
    // The cast runs in the frame of A's moving origin; the motion of the origin is added to the
    // answer.
    let origin = |time: f32| motion_a.start.position + motion_a.translation * time;
    let sweep = Sweep::new(motion_a, motion_b);
    let take = |part_a: usize, part_b: usize| {
        let limit = best.get().map_or(1.0, |hit| hit.time);
        let (hit, _) = sweep.cast_pieces(a.piece(part_a), b.piece(part_b), limit);
        best.set(hit.filter(|hit| best.get().is_none_or(|best| hit.time < best.time)).or(best.get()));
    };
    let (whole_a, whole_b) = (a.bounding_circle(), b.bounding_circle());
    let near_b = |box_a: &Aabb| sweep.may_meet(&circle_around(box_a), &whole_b);
    let near_a = |box_b: &Aabb| sweep.may_meet(&whole_a, &circle_around(box_b));
    for_parts(a, a.tree(), near_b, |part_a| {
        for_parts(b, b.tree(), near_a, |part_b| take(part_a, part_b));
    });
    best.get().map(|hit| CastHit { point: origin(hit.time) + hit.point, ..hit })
}

/// Returns the first touch of two moving pieces: [`cast`] for one part of each shape.
pub(crate) fn cast_pieces(a: Piece, motion_a: Motion, b: Piece, motion_b: Motion) -> Option<CastHit> {
    let (hit, _) = Sweep::new(motion_a, motion_b).cast_pieces(a, b, 1.0);
    let origin = |time: f32| motion_a.start.position + motion_a.translation * time;
    hit.map(|hit| CastHit { point: origin(hit.time) + hit.point, ..hit })
}

/// [`cast`] for one part of each shape, up to `limit`: the first time at which they are within
/// `gap` of each other.
pub(crate) fn cast_parts(
    (a, part_a, motion_a): (&Shape, usize, Motion),
    (b, part_b, motion_b): (&Shape, usize, Motion),
    (gap, limit): (f32, f32),
) -> Option<CastHit> {
    let swapped = order::is_swapped(a, &motion_a.start, b, &motion_b.start);
    let pair = [(a.piece(part_a), motion_a), (b.piece(part_b), motion_b)];
    let ((a, motion_a), (b, motion_b)) = (pair[usize::from(swapped)], pair[usize::from(!swapped)]);
    let sweep = Sweep { gap, ..Sweep::new(motion_a, motion_b) };
    if !sweep.may_touch(a, b, limit) {
        return None;
    }
    let hit = sweep.cast_pieces(a, b, limit).0?;
    let point = motion_a.start.position + motion_a.translation * hit.time + hit.point;
    Some(CastHit { point, normal: if swapped { -hit.normal } else { hit.normal }, ..hit })
}

fn for_parts(
    shape: &Shape,
    tree: Option<PartTree<'_>>,
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

/// Radians of turn in a step from which on a piece whirls. Small bodies whirl for a step after a
/// blow at 100 m/s and more.
const WHIRL: f32 = 50.0;

/// The two motions in the frame of A's moving origin: A only turns, and B makes the relative
/// displacement. So fast pairs that fly side by side lose no digits to their common speed.
struct Sweep {
    a: Motion,
    b: Motion,
    /// The gap that counts as a touch, in metres; mostly 0.
    gap: f32,
}

impl Sweep {
    fn new(a: Motion, b: Motion) -> Sweep {
        let seen = |motion: Motion| Motion {
            start: Transform { position: motion.start.position - a.start.position, ..motion.start },
            translation: motion.translation - a.translation,
            turn: motion.turn,
        };
        Sweep { a: seen(a), b: seen(b), gap: 0.0 }
    }

    /// Whether two circles, each fixed to one of the shapes, can come together at all.
    fn may_meet(&self, a: &BoundingCircle, b: &BoundingCircle) -> bool {
        let between = self.a.start.apply(a.center).distance(self.b.start.apply(b.center));
        let arc = |motion: &Motion, circle: &BoundingCircle| {
            let arm = circle.center.length();
            min(motion.turn.abs() * arm, 2.0 * arm)
        };
        let path = self.b.translation.length() + arc(&self.a, a) + arc(&self.b, b);
        between - a.radius - b.radius <= path + CAST_TOLERANCE * (between + path)
    }

    /// Whether two pieces may touch before `limit`: a quick no for most pairs that miss each other.
    fn may_touch(&self, a: Piece, b: Piece, limit: f32) -> bool {
        let is_quick = matches!((a, b), (Piece::Circle(_), Piece::Circle(_)));
        if is_quick || !self.is_straight() {
            return true;
        }
        let moving = (b, self.b.start, self.b.translation);
        straight::may_touch((a, self.a.start.rotation), moving, (self.gap, limit))
    }

    /// Whether neither of the two turns.
    fn is_straight(&self) -> bool {
        self.a.turn == 0.0 && self.b.turn == 0.0
    }

    /// The first touch of two pieces before `limit`, and the number of rounds it took to find.
    fn cast_pieces(&self, a: Piece, b: Piece, limit: f32) -> (Option<CastHit>, usize) {
        if let (Piece::Circle(a), Piece::Circle(b)) = (a, b)
            && let Some(hit) = self.cast_circles(a, b)
        {
            return (hit.filter(|hit| hit.time <= limit), 1);
        }
        if self.gap == 0.0 && self.stays_beside(a, b) {
            return (None, 0);
        }
        let (core_a, core_b) = (self.core(a, b), self.core(b, a));
        let (rho_a, rho_b) = (core_a.reach(), core_b.reach());
        let size = min(rho_a + core_a.radius, rho_b + core_b.radius);
        // A half-plane's border is known exactly; the size of the square in its place does not
        // count.
        let own_grain = |piece: Piece, rho: f32| if matches!(piece, Piece::HalfPlane(_)) { 0.0 } else { rho };
        let grain = own_grain(a, rho_a) + own_grain(b, rho_b);
        let Some(mut time) = self.arrival(a, b, limit) else { return (None, 0) };
        for round in 1..=MAX_CAST_ROUNDS {
            let (xa, xb) = (place(&self.a, time), place(&self.b, time));
            let apart = distance((a, &core_a), (b, &core_b), xa.relative(xb)).transformed(xa);
            let hit = CastHit { time, point: apart.middle(), normal: apart.normal };
            let separation = apart.separation - self.gap;
            if separation <= 0.0 {
                return (Some(hit), round);
            }
            // A gap below the resolution of the positions at this time cannot be measured.
            let resolution = f32::EPSILON * (xb.position.length() + grain);
            let tolerance = max(CAST_TOLERANCE * size, resolution);
            // Along this normal the gap shrinks by no more than `closing` a step: most casts
            // without a touch end here, in the first round.
            let arcs = self.a.turn.abs() * rho_a + self.b.turn.abs() * rho_b;
            let closing = max(arcs - apart.normal.dot(self.b.translation), 0.0);
            if separation - closing * (limit - time) > tolerance {
                return (None, round);
            }
            let (target, tolerance) = (self.gap + 0.5 * min(tolerance, separation), self.gap + tolerance);
            let a_now = Moving { core: &core_a, reach: rho_a, motion: &self.a, place: xa };
            let b_now = Moving { core: &core_b, reach: rho_b, motion: &self.b, place: xb };
            let next = if self.is_straight() {
                time + advance_straight(&a_now, &b_now, apart.normal, (target, tolerance))
            } else {
                time + advance(&a_now, &b_now, apart.normal, (target, tolerance), (time, limit))
            };
            if next == time || round == MAX_CAST_ROUNDS {
                return (Some(hit), round);
            }
            if next > limit || next.is_nan() {
                return (None, round);
            }
            time = next;
        }
        (None, MAX_CAST_ROUNDS)
    }

    /// Whether one piece is a line that does not turn, and the other piece stays on one side of it.
    /// A body that slides along a wall is cast at each segment of the wall in every step; this test
    /// is a tenth of the work of a cast.
    fn stays_beside(&self, a: Piece, b: Piece) -> bool {
        match (a.line(), b.line()) {
            (Some(line), None) if self.a.turn == 0.0 => stays_beside(line, &self.a, b, &self.b),
            (None, Some(line)) if self.b.turn == 0.0 => stays_beside(line, &self.b, a, &self.a),
            _ => false,
        }
    }

    /// Casts circles whose centres move straight: a ray from one centre against a circle with the
    /// sum of the radii. No answer if a centre moves along an arc, or if the circles touch from the
    /// start.
    fn cast_circles(&self, a: &Circle, b: &Circle) -> Option<Option<CastHit>> {
        let straight = |motion: &Motion, circle: &Circle| motion.turn == 0.0 || circle.is_centered();
        let (center_a, center_b) = (self.a.start.apply(a.center), self.b.start.apply(b.center));
        let reach = a.radius + b.radius + self.gap;
        let apart = center_a.distance_squared(center_b) > reach * reach;
        if !apart || !straight(&self.a, a) || !straight(&self.b, b) {
            return None;
        }
        let target = Circle { center: center_a, radius: reach };
        let hit = ray_circle(&target, Ray { from: center_b, translation: self.b.translation });
        Some(hit.map(|hit| {
            let point = center_a + hit.normal * a.radius;
            CastHit { time: hit.fraction, point, normal: hit.normal }
        }))
    }

    /// Returns a time before which the two pieces do not touch, or none if they never touch; 0
    /// unless one of them turns by [`WHIRL`] or more. No normal separates such a piece from the
    /// other for long, and the rounds would run out far away. So the circle that holds the piece at
    /// every angle is cast first.
    fn arrival(&self, a: Piece, b: Piece, limit: f32) -> Option<f32> {
        if max(self.a.turn.abs(), self.b.turn.abs()) < WHIRL {
            return Some(0.0);
        }
        let around = |piece: Piece| {
            let (middle, radius) = piece.circle_around();
            Circle { center: Vec2::ZERO, radius: middle.length() + radius }
        };
        let (circle_a, circle_b) = (around(a), around(b));
        let stays = |motion: &Motion, circle: &Circle| motion.turn == 0.0 || circle.radius.is_finite();
        if !stays(&self.a, &circle_a) || !stays(&self.b, &circle_b) {
            return Some(0.0);
        }
        let a = if self.a.turn == 0.0 { a } else { Piece::Circle(&circle_a) };
        let b = if self.b.turn == 0.0 { b } else { Piece::Circle(&circle_b) };
        let straight = Sweep { a: self.a.turning(0.0), b: self.b.turning(0.0), gap: self.gap };
        straight.cast_pieces(a, b, limit).0.map(|hit| hit.time)
    }

    /// The corners whose paths bound the motion of a piece.
    ///
    /// A half-plane has no corners; a side of a square beyond the reach of the sweep stands in for
    /// them.
    fn core(&self, piece: Piece, other: Piece) -> Convex {
        let Piece::HalfPlane(plane) = piece else { return convex(piece) };
        let Piece::HalfPlane(_) = other else {
            let other = convex(other);
            let way = self.b.start.position.length() + self.b.translation.length();
            let reach = other.reach() + other.radius;
            return Convex::from_half_plane(plane, 8.0 * way + plane.offset.abs() + 2.0 * reach);
        };
        Convex::from_half_plane(plane, 1.0)
    }
}

/// Whether a piece that moves like `goes` stays on one side of a line that moves like `holds` and
/// does not turn.
///
/// A corner c leaves the chord of its arc by no more than |c| ω² / 8. So the piece stays above the
/// lower of its first and its last height, less that distance.
fn stays_beside([from, to]: [Vec2; 2], holds: &Motion, piece: Piece, goes: &Motion) -> bool {
    let n = holds.start.rotation * unit_or_zero(to - from).perp();
    let (between, way) =
        (goes.start.position - holds.start.apply(from), goes.translation - holds.translation);
    let n = if n.dot(between) < 0.0 { -n } else { n };
    let (start, end) = (n.dot(between), n.dot(between + way));
    let stays = |corners: &[Vec2], radius: f32| {
        let far = corners.iter().fold(0.0, |most, corner| max(most, corner.length_squared())).sqrt();
        // Twice the distance that a cast takes for a touch, and rounding.
        let size = from.length() + between.length() + way.length() + far;
        let room = radius + 2.0 * CAST_TOLERANCE * (far + radius) + 8.0 * f32::EPSILON * size;
        let lowest = |rotation: Rot| {
            let n = rotation.inverse_rotate(n);
            corners.iter().fold(f32::INFINITY, |least, corner| min(least, corner.dot(n)))
        };
        let first = lowest(goes.start.rotation);
        if start + first <= room || end + far <= room {
            return false;
        }
        if goes.turn == 0.0 {
            return end + first > room;
        }
        let last = lowest(goes.start.rotation * Rot::from_angle(goes.turn));
        min(start + first, end + last) - 0.125 * goes.turn * goes.turn * far > room
    };
    piece.corners(stays).unwrap_or(false)
}

/// [`Motion::at`] with the same bits; it computes no sine at time 0, where most casts begin and
/// end.
fn place(motion: &Motion, time: f32) -> Transform {
    if time > 0.0 {
        return motion.at(time);
    }
    let still = Rot { cos: 1.0, sin: time * motion.turn };
    let rotation = if motion.turn == 0.0 { motion.start.rotation } else { motion.start.rotation * still };
    Transform { position: motion.start.position + motion.translation * time, rotation }
}

/// [`piece_distance`] of pieces whose cores are at hand.
fn distance((a, core_a): (Piece, &Convex), (b, core_b): (Piece, &Convex), b_in_a: Transform) -> Distance {
    match (a, b) {
        (Piece::Circle(_), Piece::Circle(_)) | (Piece::HalfPlane(_), _) | (_, Piece::HalfPlane(_)) => {
            piece_distance(a, b, b_in_a)
        }
        (Piece::Circle(a), _) => round::circle_distance(a, &core_b.transformed(b_in_a)).0,
        (_, Piece::Circle(b)) => {
            let seen = round::circle_distance(b, &core_a.transformed(b_in_a.inverse())).0;
            seen.flipped().transformed(b_in_a)
        }
        _ => sat::distance(core_a, &core_b.transformed(b_in_a)),
    }
}

#[cfg(test)]
mod tests {
    //! The number of rounds, which `tuning.rs` promises; `tests/` has the tests of the answers.

    use super::*;

    /// Boxes, capsules and discs of all sizes thrown at each other, with `turn` radians of rotation
    /// at most.
    fn rounds(seed: u64, turn: f32) -> (usize, f32) {
        let mut state = seed;
        let mut between = |low: f32, high: f32| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            low + (high - low) * ((state >> 40) as f32 / 16_777_216.0)
        };
        let casts = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
        let (mut most, mut sum) = (0, 0);
        for _ in 0..casts {
            let mut shape = || match between(0.0, 4.0) as u32 {
                0 => Shape::circle(between(0.05, 1.0)),
                1 => Shape::capsule([0.0, -between(0.1, 1.0)], [0.0, 0.5], between(0.05, 0.5)),
                2 => Shape::regular(between(3.0, 8.9) as usize, between(0.1, 1.0)),
                _ => Shape::rect(between(0.05, 4.0), between(0.05, 1.0)),
            };
            let (a, b) = (shape(), shape());
            let mut motion = |from: f32| {
                let start =
                    Transform::new([from + between(-1.0, 1.0), between(-1.0, 1.0)], between(-3.0, 3.0));
                let way = Vec2::new(-2.0 * from + between(-2.0, 2.0), between(-2.0, 2.0));
                Motion::straight(start, way).turning(between(-turn, turn))
            };
            let sweep = Sweep::new(motion(-3.0), motion(3.0));
            let (_, count) = sweep.cast_pieces(a.piece(0), b.piece(0), 1.0);
            most = most.max(count);
            sum += count;
        }
        (most, sum as f32 / casts as f32)
    }

    /// Pairs that are refused before the cast are apart at each of 33 times.
    #[test]
    fn what_stays_beside_a_line_does_not_touch_it() {
        let (mut state, mut beside) = (3_u64, 0);
        let mut between = |low: f32, high: f32| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            low + (high - low) * ((state >> 40) as f32 / 16_777_216.0)
        };
        for round in 0..20_000 {
            let line = Shape::segment([between(-2.0, 0.0), between(-1.0, 1.0)], [0.5, between(-1.0, 1.0)]);
            let other = match round % 4 {
                0 => Shape::circle(between(0.05, 1.0)),
                1 => Shape::capsule([0.3, -between(0.1, 1.0)], [0.0, 0.5], between(0.05, 0.5)),
                2 => Shape::regular(5, between(0.1, 1.0)),
                _ => Shape::rect(between(0.05, 2.0), between(0.05, 1.0)).at([0.2, 0.0]),
            };
            let mut motion = |turn: f32| {
                let start = Transform::new([between(-2.0, 2.0), between(-2.0, 2.0)], between(-3.0, 3.0));
                Motion::straight(start, [between(-2.0, 2.0), between(-1.0, 1.0)])
                    .turning(between(-turn, turn))
            };
            let sweep = Sweep::new(motion(0.0), motion(if round % 8 < 4 { 0.0 } else { 2.0 }));
            let (a, b) = (line.piece(0), other.piece(0));
            if !sweep.stays_beside(a, b) {
                continue;
            }
            beside += 1;
            for time in 0..=32 {
                let [xa, xb] = [sweep.a, sweep.b].map(|motion| motion.at(time as f32 / 32.0));
                assert!(piece_distance(a, b, xa.relative(xb)).separation > 0.0, "round {round} at {time}/32");
            }
        }
        assert!(beside > 4_000, "{beside} of 20,000");
    }

    /// Pairs that a straight cast hits are not refused before it, at any limit; most pairs that it
    /// misses are. The straight advance has the same bits as the general advance.
    #[test]
    fn straight_casts_are_what_casts_are() {
        let (mut state, mut missed, mut away, mut hits) = (5_u64, 0, 0, 0);
        let mut between = |low: f32, high: f32| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            low + (high - low) * ((state >> 40) as f32 / 16_777_216.0)
        };
        for round in 0..if cfg!(debug_assertions) { 10_000 } else { 300_000 } {
            let mut shape = || match between(0.0, 5.0) as u32 {
                0 => Shape::circle(between(0.05, 1.0)),
                1 => Shape::capsule([0.0, -between(0.1, 1.0)], [0.3, 0.5], between(0.05, 0.5)),
                2 => Shape::regular(between(3.0, 8.9) as usize, between(0.1, 1.0)),
                _ => Shape::rect(between(0.05, 4.0), between(0.05, 1.0)).at([between(-0.3, 0.3), 0.1]),
            };
            let (a, b) = (shape(), shape());
            let scale = between(0.0, 1.0);
            let mut motion = |reach: f32| {
                let at = [between(-reach, reach), between(-reach, reach)];
                let way = [between(-2.0, 2.0) * reach, between(-2.0, 2.0) * reach * scale];
                Motion::straight(Transform::new(at, between(-3.0, 3.0)), way)
            };
            let (a, b) = (a.piece(0), b.piece(0));
            let gap = if round % 4 == 0 { 0.2 } else { 0.0 };
            let sweep = Sweep { gap, ..Sweep::new(motion(3.0), motion(3.0)) };
            let limit = between(0.0, 1.0);
            let (hit, may) = (sweep.cast_pieces(a, b, limit).0, sweep.may_touch(a, b, limit));
            assert!(may || hit.is_none(), "round {round}: {hit:?}");
            (missed, away, hits) = if hit.is_some() {
                (missed, away, hits + 1)
            } else {
                (missed + 1, away + usize::from(!may), hits)
            };

            let (core_a, core_b) = (sweep.core(a, b), sweep.core(b, a));
            let [a_now, b_now] = [(&core_a, &sweep.a), (&core_b, &sweep.b)].map(|(core, motion)| Moving {
                core,
                reach: core.reach(),
                motion,
                place: motion.at(limit),
            });
            let apart = piece_distance(a, b, a_now.place.relative(b_now.place)).transformed(a_now.place);
            for tolerance in [1.0e-5, 0.5] {
                let targets = (0.5 * tolerance, tolerance);
                let general = advance(&a_now, &b_now, apart.normal, targets, (limit, 1.0));
                let straight = advance_straight(&a_now, &b_now, apart.normal, targets);
                assert_eq!(general.to_bits(), straight.to_bits(), "round {round}: {general} {straight}");
            }
        }
        assert!(10 * away > 9 * missed && 5 * hits > missed, "{away} of {missed} turned away, {hits} hits");
    }

    #[test]
    fn straight_casts_take_few_rounds() {
        let (most, mean) = rounds(1, 0.0);
        println!("straight: {mean:.2} rounds, at most {most}");
        assert!(most <= 12 && mean < 4.0, "{mean} rounds, at most {most}");
    }

    #[test]
    fn turning_casts_take_a_bounded_number_of_rounds() {
        let (most, mean) = rounds(2, 6.0);
        println!("turning: {mean:.2} rounds, at most {most}");
        assert!(most < MAX_CAST_ROUNDS && mean < 12.0, "{mean} rounds, at most {most}");
    }
}
