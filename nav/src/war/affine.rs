//! Aimed fire: two linear equations, solved exactly.
//!
//! The strength of side k with its own attrition h, the other side's attrition w, the fire a on
//! side k and the fire b on the other side:
//!
//! ```text
//!   f'' + (h + w) f' + (h w - a b) f = const,  so
//!   f'(t) = e^(m t) (f'(0) cosh(d t) + r sinh(d t) / d)
//!
//!   m = -(h + w) / 2     d = sqrt(((h - w) / 2)^2 + a b)
//!   r = (w - h) / 2 f'(0) - a g'(0),  with g the other side
//! ```
//!
//! The modes' rates m + d and m - d are real, so f' changes its sign at most once, at tanh(d t) =
//! -d f'(0) / r. Before and after that f is monotone, so bisection finds the time at which it meets
//! a level. Its limit, which is exact too, tells whether it ever does.
//!
//! Strengths are f(0) + F(t) f'(0) with F the integral of the matrix exponential. In (x, -y) the
//! matrix has no negative number off its diagonal, so none of the sums in its powers cancels.

use super::series::{atanh, grown};
use super::{End, ROUNDING, War, bisect};

type Matrix = [[f64; 2]; 2];

#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    war: War,
    /// Initial velocities of the strengths.
    velocity: [f64; 2],
    /// m and d above, and m + d.
    mean: f64,
    spread: f64,
    fast: f64,
    /// h w - a b.
    det: f64,
    /// Whether the growing mode is absent up to rounding: both sides melt to an equilibrium.
    balanced: bool,
}

/// The strength of one side over time.
#[derive(Clone, Copy, Debug)]
struct Curve {
    side: usize,
    start: f64,
    velocity: f64,
    /// r above, and the sizes of the terms whose sums are `velocity` and `turn`.
    turn: f64,
    velocity_size: f64,
    turn_size: f64,
}

impl Affine {
    pub(super) fn new(war: &War) -> Affine {
        let ([a, b], [h, w]) = (war.fire, war.attrition);
        let spread = (0.25 * (h - w) * (h - w) + a * b).sqrt();
        let det = without_rounding(h * w - a * b, h * w + a * b);
        let half = 0.5 * (h + w);
        // m + d as a quotient: the sum would be mere rounding where a b is nearly h w.
        let fast = if half + spread > 0.0 { -det / (half + spread) } else { 0.0 };
        let velocity = war.velocity(war.start);
        let mut affine = Affine { war: *war, velocity, mean: -half, spread, fast, det, balanced: false };
        affine.balanced = fast > 0.0 && [0, 1].iter().all(|&side| affine.growth(&affine.curve(side)) == 0.0);
        affine
    }

    fn curve(&self, side: usize) -> Curve {
        let War { fire, attrition, reinforcement, start, .. } = self.war;
        let other = 1 - side;
        let size = |k: usize| reinforcement[k] + fire[k] * start[1 - k] + attrition[k] * start[k];
        let own = 0.5 * (attrition[other] - attrition[side]);
        Curve {
            side,
            start: start[side],
            velocity: self.velocity[side],
            turn: own * self.velocity[side] - fire[side] * self.velocity[other],
            velocity_size: size(side),
            turn_size: own.abs() * size(side) + fire[side] * size(other),
        }
    }

    /// Twice the share of the mode m + d in f', for d > 0; 0 where it is at most rounding.
    fn growth(&self, curve: &Curve) -> f64 {
        without_rounding(
            curve.velocity + curve.turn / self.spread,
            curve.velocity_size + curve.turn_size / self.spread,
        )
    }

    /// Strengths by the equations, without an end of the battle.
    pub(super) fn at(&self, time: f64) -> [f64; 2] {
        let ([x, y], [dx, dy]) = (self.war.start, self.velocity);
        if self.balanced {
            // f' = f'(0) e^((m - d) t).
            let moved = grown(self.mean - self.spread, time);
            return [x + moved * dx, y + moved * dy];
        }
        let f = self.integral(time);
        [x + (f[0][0] * dx - f[0][1] * dy), y + (f[1][1] * dy - f[1][0] * dx)]
    }

    /// F(t): for a short time by its Taylor series t (1 + N t / 2! + (N t)^2 / 3! + ...), then
    /// doubled, F(2t) = F(t) + e^(N t) F(t).
    fn integral(&self, time: f64) -> Matrix {
        let ([a, b], [h, w]) = (self.war.fire, self.war.attrition);
        let size = if a + h > b + w { a + h } else { b + w };
        let (mut short, mut doublings) = (time, 0);
        while short * size > 0.25 {
            short *= 0.5;
            doublings += 1;
        }
        let n = [[-h * short, a * short], [b * short, -w * short]];
        let mut sum = IDENTITY;
        for k in (2..=14).rev() {
            sum = add(IDENTITY, times(n, sum), 1.0 / f64::from(k));
        }
        let mut exponential = add(IDENTITY, times(n, sum), 1.0);
        let mut integral = sum.map(|row| row.map(|entry| entry * short));
        for _ in 0..doublings {
            integral = add(integral, times(exponential, integral), 1.0);
            exponential = times(exponential, exponential);
        }
        integral
    }

    pub(super) fn end(&self) -> Option<End> {
        if let Some(end) = self.war.beaten_at_once() {
            return Some(end);
        }
        if let Some(end) = self.square_law() {
            return end;
        }
        let times = [0, 1].map(|side| self.falls(&self.curve(side)));
        self.war.end_of(times, |time| self.at(time))
    }

    /// Lanchester's own case, fire alone and to the last unit: b x^2 - a y^2 is constant, and its
    /// sign decides the winner.
    fn square_law(&self) -> Option<Option<End>> {
        let War { fire: [a, b], start, .. } = self.war;
        let zero = [0.0; 2];
        let alone = [self.war.attrition, self.war.reinforcement, self.war.breaks] == [zero; 3];
        if !(alone && a * b > 0.0) {
            return None;
        }
        let [x, y] = start;
        // Strengths in a common measure: equal values make the sides equal.
        let [p, q] = [x * b.sqrt(), y * a.sqrt()];
        let ahead = without_rounding(p - q, p + q);
        if ahead == 0.0 {
            return Some(None);
        }
        let left = (ahead.abs() * (p + q)).sqrt();
        let end = |ratio: f64, left, beaten| End { time: atanh(ratio) / (a * b).sqrt(), left, beaten };
        Some(Some(if ahead > 0.0 {
            end(q / p, [left / b.sqrt(), 0.0], [false, true])
        } else {
            end(p / q, [0.0, left / a.sqrt()], [true, false])
        }))
    }

    /// The time at which a side that is not beaten in the beginning falls to its level.
    fn falls(&self, curve: &Curve) -> Option<f64> {
        let turn = self.turns(curve);
        let is_falling = curve.velocity < 0.0 || curve.velocity == 0.0 && curve.turn < 0.0;
        let level = self.war.breaks[curve.side];
        let is_over = |time: f64| {
            let is_above = self.at(time)[curve.side] > level;
            !is_above
        };
        match (is_falling, turn) {
            // The strength falls, then grows again.
            (true, Some(turn)) => is_over(turn).then(|| bisect(0.0, turn, is_over)),
            (true, None) => self.falls_after(0.0, curve, is_over),
            (false, Some(turn)) => self.falls_after(turn, curve, is_over),
            (false, None) => None,
        }
    }

    /// The time at which f' changes its sign, if it does.
    fn turns(&self, curve: &Curve) -> Option<f64> {
        let Curve { velocity, turn, .. } = *curve;
        let turn = without_rounding(turn, curve.turn_size);
        if velocity * turn >= 0.0 {
            return None;
        }
        let when = -velocity / turn;
        let tanh = self.spread * when;
        let time = if tanh == 0.0 { when } else { when * (atanh(tanh) / tanh) };
        // Without the growing mode, f' keeps its sign.
        (tanh < 1.0 && !self.balanced && time.is_finite()).then_some(time)
    }

    /// The time at which a strength that falls for ever from `early` on is over, if it ever is.
    fn falls_after(&self, early: f64, curve: &Curve, is_over: impl Fn(f64) -> bool) -> Option<f64> {
        if !self.sinks_below(curve) {
            return None;
        }
        let ([a, b], [h, w]) = (self.war.fire, self.war.attrition);
        let size = a + b + h + w;
        let mut span = if size > 0.0 { 1.0 / size } else { curve.start / -curve.velocity };
        while !is_over(early + span) {
            span *= 2.0;
            if !span.is_finite() {
                return None;
            }
        }
        Some(bisect(early, early + span, is_over))
    }

    /// Whether a strength that falls for ever has a limit below the level at which its side is
    /// beaten.
    fn sinks_below(&self, curve: &Curve) -> bool {
        let Curve { start, velocity, turn, .. } = *curve;
        let level = self.war.breaks[curve.side];
        let slow = self.mean - self.spread;
        if self.fast >= 0.0 {
            if slow == 0.0 {
                // No mode decays: the strength falls at a constant rate at least.
                return true;
            }
            if !self.balanced && self.growth(curve) < 0.0 {
                return true;
            }
            let fall = curve.velocity / slow;
            return without_rounding(start - level - fall, start + level + curve.velocity_size / -slow) < 0.0;
        }
        // The integral of f' over all times: (r - m f'(0)) / (h w - a b).
        let rest = start - level + (turn - self.mean * velocity) / self.det;
        let size = (curve.turn_size - self.mean * curve.velocity_size) / self.det;
        without_rounding(rest, start + level + size) < 0.0
    }
}

/// A sum, or 0 if it is at most the rounding of terms of these sizes.
fn without_rounding(sum: f64, sizes: f64) -> f64 {
    if sum.abs() <= ROUNDING * sizes { 0.0 } else { sum }
}

const IDENTITY: Matrix = [[1.0, 0.0], [0.0, 1.0]];

fn times(a: Matrix, b: Matrix) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
}

/// a + s b.
fn add(a: Matrix, b: Matrix, s: f64) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| a[i][j] + b[i][j] * s))
}
