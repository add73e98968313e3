//! The advance of a cast: how long two moving pieces surely stay apart, see the head of `cast.rs`.
//!
//! In: two pieces at one moment of their motions, and a normal that separates them. Out: a time for
//! which that normal, turning at the best of three rates, is sure to keep them apart.
//!
//! The three rates are side by side in a row of four numbers, and a loop goes over the corners: it
//! keeps a running minimum for each rate, and nothing is summed up across the row. (Tried: one rate
//! after the other: casts that miss took 1.13 times as long. Four corners at a time, even if there
//! are fewer: 1.25 times. The widest instructions of the machine: no quicker.)

use glam::Vec2;

use super::convex::{BLOCK, CORE_BLOCKS, Convex, Row};
use crate::math::{Motion, Transform, max, min};

/// A time, in lengths of the motion, beyond the end of every cast.
const NEVER: f32 = 1.0e10;

/// A number for each rate: 0, the rate of A, the rate of B, and 0 again.
type Rates = [f32; 4];

/// A piece at one moment of its motion.
pub(super) struct Moving<'m> {
    pub(super) core: &'m Convex,
    pub(super) reach: f32,
    pub(super) motion: &'m Motion,
    pub(super) place: Transform,
}

impl Moving<'_> {
    /// Returns the heights of the corners along `n`.
    #[inline(always)]
    fn heights(&self, n: Vec2) -> Heights {
        let mut heights = Heights { count: self.core.count(), rows: [[[0.0; BLOCK]; 3]; CORE_BLOCKS] };
        let (p, v, turn) = (self.place.position, self.motion.translation, self.motion.turn);
        let (up, aside, goes) = (n.dot(p), n.dot(p.perp()), n.dot(v));
        for (block, [height, speed, across]) in heights.rows.iter_mut().enumerate().take(self.core.blocks()) {
            for i in 0..BLOCK {
                let arm = self.place.rotation * self.core.vertex(BLOCK * block + i);
                let round = n.dot(arm.perp());
                (height[i], speed[i], across[i]) = (up + n.dot(arm), goes + round * turn, aside + round);
            }
        }
        heights
    }

    /// Returns K (see the head of `cast.rs`), valid while the origin of the piece is within
    /// `distance`; `speed` is the speed of that origin.
    #[inline(always)]
    fn bend(&self, rate: f32, distance: f32, speed: f32) -> f32 {
        let turn = self.motion.turn - rate;
        turn * turn * self.reach + rate * rate * distance + 2.0 * rate.abs() * speed
    }
}

/// The corners of a piece along a normal n, block by block: the height n·x, and n·x' and n·x⊥,
/// which give e = n·x' - Ω n·x⊥ for any rate Ω.
struct Heights {
    count: usize,
    rows: [[Row; 3]; CORE_BLOCKS],
}

impl Heights {
    /// Height and e of corner `i` along a normal that turns at `rate`.
    #[inline(always)]
    fn corner(&self, i: usize, rate: f32) -> (f32, f32) {
        let [height, speed, across] = &self.rows[i / BLOCK];
        (height[i % BLOCK], speed[i % BLOCK] - rate * across[i % BLOCK])
    }

    /// Returns, for each rate, height and e of the corner that is lowest after a time of straight
    /// flight, or highest with `sign` -1.
    #[inline(always)]
    fn lowest(&self, rates: &Rates, times: &Rates, sign: f32) -> [Rates; 2] {
        let (mut lowest, mut height, mut speed) = ([f32::INFINITY; 4], [0.0; 4], [0.0; 4]);
        for i in 0..self.count {
            for k in 0..4 {
                let (up, goes) = self.corner(i, rates[k]);
                let then = sign * (up + goes * times[k]);
                let lower = then < lowest[k];
                lowest[k] = select(lower, then, lowest[k]);
                height[k] = select(lower, up, height[k]);
                speed[k] = select(lower, goes, speed[k]);
            }
        }
        [height, speed]
    }
}

/// Returns for how long n, turning at the best of three rates, surely keeps the two pieces more
/// than `target` apart. Zero when they are within `tolerance` and come closer. An advance need not
/// be the longest if `time` plus the advance, as rounded, is beyond `limit`. Every other advance
/// is, because hits before the limit may not depend on the limit.
pub(super) fn advance(
    a: &Moving,
    b: &Moving,
    n: Vec2,
    (target, tolerance): (f32, f32),
    (time, limit): (f32, f32),
) -> f32 {
    // A point has no face that n could go along with.
    let along = |piece: &Moving| if piece.core.count() > 1 { piece.motion.turn } else { 0.0 };
    let rates = [0.0, along(a), along(b), 0.0];
    let [still, with_a, with_b, _] = at_rates((a, b), n, &rates, (target, tolerance));
    if time + still > limit { still } else { max(still, max(with_a, with_b)) }
}

/// [`advance`] of two pieces that do not turn, to the bit: all corners of a piece move equally, so
/// the lowest corner stays the lowest, and its root is the first. (Inlined, a cast takes 1.8 % more
/// instructions.)
#[inline(never)]
pub(super) fn advance_straight(a: &Moving, b: &Moving, n: Vec2, (target, tolerance): (f32, f32)) -> f32 {
    let height = |piece: &Moving, i: usize| {
        n.dot(piece.place.position) + n.dot(piece.place.rotation * piece.core.vertex(i))
    };
    let highest = (0..a.core.count()).fold(f32::NEG_INFINITY, |most, i| max(most, height(a, i)));
    let lowest = (0..b.core.count()).fold(f32::INFINITY, |least, i| min(least, height(b, i)));
    let gap = lowest - highest - (a.core.radius + b.core.radius);
    let d = n.dot(b.motion.translation) - n.dot(a.motion.translation);
    if gap <= tolerance && d < 0.0 {
        return 0.0;
    }
    min(NEVER, first_root(gap - min(target, gap), d, 0.0))
}

fn at_rates((a, b): (&Moving, &Moving), n: Vec2, rates: &Rates, (target, tolerance): (f32, f32)) -> Rates {
    let (of_a, of_b) = (a.heights(n), b.heights(n));
    // Only B's origin moves. The bound on its distance holds for as long as it takes to double it.
    let (distance, speed) = (b.place.position.length(), b.motion.translation.length());
    let horizon = (distance + b.reach) / speed;
    let radii = a.core.radius + b.core.radius;
    // All pairs of corners have one K, so the pair of B's lowest and A's highest corner has the
    // least gap at any time. If that gap is still above the target, so are all gaps, and were so
    // before; else its root comes sooner than the first so far. (Four corners of B at a time with
    // every one of A, and roots only where they may come sooner: slower.)
    let [s, d] = lowest_pair((&of_a, &of_b), radii, rates, &[0.0; 4]);
    // If the gap is below the target already, by rounding, the present gap is the target. So no
    // pair starts below it.
    let target = min(target, s[0]);
    let (mut first, mut bend) = ([0.0; 4], [0.0; 4]);
    for k in 0..4 {
        bend[k] = a.bend(rates[k], 0.0, 0.0) + b.bend(rates[k], 2.0 * distance + b.reach, speed);
        let horizon = select((rates[k] == 0.0) | (speed == 0.0), f32::INFINITY, horizon);
        first[k] = min(min(horizon, NEVER), first_root(s[0] - target, d[k], bend[k]));
    }
    for _ in 0..a.core.count() + b.core.count() {
        let [s, d] = lowest_pair((&of_a, &of_b), radii, rates, &first);
        let mut sooner = first;
        for k in 0..4 {
            let gap = s[k] - target;
            let clear = gap + first[k] * (d[k] - 0.5 * bend[k] * first[k]) > 0.0;
            let root = first_root(gap, d[k], bend[k]);
            sooner[k] = select(clear | (root >= first[k]), first[k], root);
        }
        // The loop ends when no rate has a sooner root; until then, a rate without one gives the
        // same again.
        if sooner == first {
            break;
        }
        first = sooner;
    }
    if s[0] > tolerance {
        return first;
    }
    // No advance at a rate at which corners within the tolerance come closer.
    let closing = |rate: f32| closes((&of_a, &of_b), rate, radii, tolerance);
    [0, 1, 2, 3].map(|k| if closing(rates[k]) { 0.0 } else { first[k] })
}

/// s and d of the lowest corner of B over the highest of A after a time of straight flight, for
/// each rate.
#[inline(always)]
fn lowest_pair((of_a, of_b): (&Heights, &Heights), radii: f32, rates: &Rates, times: &Rates) -> [Rates; 2] {
    let [height_a, speed_a] = of_a.lowest(rates, times, -1.0);
    let [height_b, speed_b] = of_b.lowest(rates, times, 1.0);
    let (mut s, mut d) = ([0.0; 4], [0.0; 4]);
    for k in 0..4 {
        (s[k], d[k]) = (height_b[k] - height_a[k] - radii, speed_b[k] - speed_a[k]);
    }
    [s, d]
}

/// Whether a corner of B and one of A that are within the tolerance come closer.
fn closes((of_a, of_b): (&Heights, &Heights), rate: f32, radii: f32, tolerance: f32) -> bool {
    (0..of_a.count).any(|i| {
        let (height_a, speed_a) = of_a.corner(i, rate);
        (0..of_b.count).any(|j| {
            let (height_b, speed_b) = of_b.corner(j, rate);
            height_b - height_a - radii <= tolerance && speed_b - speed_a < 0.0
        })
    })
}

/// The first τ >= 0 with gap + d τ - ½ K τ² = 0: τ = 2 gap / (sqrt(d² + 2 K gap) - d), which loses
/// no digits. Never, if K is 0 and d is not below 0.
#[inline(always)]
fn first_root(gap: f32, d: f32, bend: f32) -> f32 {
    let root = (d * d + 2.0 * bend * gap).sqrt();
    let closes = d < 0.0;
    let above = select(closes, 2.0 * gap, root + d);
    let below = select(closes, root - d, bend);
    select(!closes & (bend == 0.0), f32::INFINITY, above / below)
}

/// Returns `a` if the condition holds, else `b`. It works on bits, since a row of comparisons would
/// be four branches otherwise.
#[inline(always)]
fn select(condition: bool, a: f32, b: f32) -> f32 {
    let mask = 0_u32.wrapping_sub(u32::from(condition));
    f32::from_bits((a.to_bits() & mask) | (b.to_bits() & !mask))
}
