//! Area fire: exact while only fire counts, integrated otherwise.
//!
//! ```text
//!   alone   D = d x - c y is constant,  x(t) = x0 e^(D t) / (1 + d x0 (e^(D t) - 1) / D)
//!           (D = 0: x0 / (1 + d x0 t))
//!   else    Runge and Kutta's fourth order, with two half steps beside each whole one: their
//!           difference is the error
//! ```

use super::series::{exp, grown, ln_1p};
use super::{End, War, bisect};

/// Error allowed in a step, relative to the largest strength so far: a battle of a thousand steps
/// stays within 10^-9.
const TOLERANCE: f64 = 1e-13;

/// Steps after which an unfinished battle counts as endless.
const MOST_STEPS: usize = 1 << 18;

/// A battle that would need this many times the elapsed time counts as endless.
const NEVER: f64 = 1e9;

#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    war: War,
}

/// A state of the integration.
#[derive(Clone, Copy, Debug)]
struct Moment {
    time: f64,
    at: [f64; 2],
    /// Length of the next step.
    step: f64,
    /// The largest strength so far.
    scale: f64,
}

impl Area {
    pub(super) fn new(war: &War) -> Area {
        Area { war: *war }
    }

    fn is_alone(&self) -> bool {
        [self.war.attrition, self.war.reinforcement] == [[0.0; 2]; 2]
    }

    /// Strengths by the equations, without an end of the battle.
    pub(super) fn at(&self, time: f64) -> [f64; 2] {
        if self.is_alone() {
            return [self.alone(0, time), self.alone(1, time)];
        }
        let mut moment = self.first();
        while moment.time < time {
            let left = time - moment.time;
            if moment.step >= left {
                // A shorter step than the allowed one is within its error.
                return self.two_halves(moment.at, left);
            }
            moment = self.next(moment);
        }
        moment.at
    }

    /// A side's strength when only fire counts.
    fn alone(&self, side: usize, time: f64) -> f64 {
        let (own, enemy) = (self.war.start[side], self.war.start[1 - side]);
        let (hurts, is_hurt) = (self.war.fire[1 - side], self.war.fire[side]);
        let ahead = hurts * own - is_hurt * enemy;
        if ahead > 0.0 {
            // Divided by e^(D t), which may overflow.
            own / (exp(-ahead * time) + hurts * own * grown(-ahead, time))
        } else {
            own * exp(ahead * time) / (1.0 + hurts * own * grown(ahead, time))
        }
    }

    pub(super) fn end(&self) -> Option<End> {
        if let Some(end) = self.war.beaten_at_once() {
            return Some(end);
        }
        // Fire and attrition take shares: no side ever loses its last part.
        if self.war.breaks == [0.0; 2] {
            return None;
        }
        if self.is_alone() {
            let times = [0, 1].map(|side| self.falls_alone(side));
            return self.war.end_of(times, |time| self.at(time));
        }
        self.integrated_end()
    }

    /// The time at which a side falls to its level when only fire counts.
    ///
    /// With l that level, y this side under fire d, x the enemy under fire c and D = d x0 - c y0: x
    /// / y grows by e^(D t), and x is (D + c l) / d when y is l, so D t = ln(1 + D (y0 - l) / (d l
    /// x0)).
    fn falls_alone(&self, side: usize) -> Option<f64> {
        let (own, enemy) = (self.war.start[side], self.war.start[1 - side]);
        let (hurts, is_hurt) = (self.war.fire[1 - side], self.war.fire[side]);
        let level = self.war.breaks[side];
        let ahead = is_hurt * enemy - hurts * own;
        // `ahead + hurts * level`: the enemy's strength at that time, times its fire on this side.
        if !(level > 0.0 && is_hurt * enemy > 0.0 && ahead + hurts * level > 0.0) {
            return None;
        }
        let q = (own - level) / (is_hurt * enemy * level);
        let z = ahead * q;
        let time = if z.abs() < 1e-300 { q } else { q * (ln_1p(z) / z) };
        time.is_finite().then_some(time)
    }

    fn first(&self) -> Moment {
        let War { fire, attrition, start: at, .. } = self.war;
        let scale = if at[0] > at[1] { at[0] } else { at[1] };
        let velocity = self.war.velocity(at);
        let rate = fire[0] * at[1] + fire[1] * at[0] + attrition[0] + attrition[1];
        let gain = velocity[0].abs() + velocity[1].abs();
        let scale = if scale > 0.0 { scale } else { 1e-3 };
        let size = rate + gain / scale;
        Moment { time: 0.0, at, step: if size > 0.0 { 1e-3 / size } else { f64::INFINITY }, scale }
    }

    /// One step of Runge and Kutta.
    fn stride(&self, at: [f64; 2], step: f64) -> [f64; 2] {
        let along = |k: [f64; 2], s: f64| [at[0] + k[0] * s, at[1] + k[1] * s];
        let k1 = self.war.velocity(at);
        let k2 = self.war.velocity(along(k1, 0.5 * step));
        let k3 = self.war.velocity(along(k2, 0.5 * step));
        let k4 = self.war.velocity(along(k3, step));
        core::array::from_fn(|i| at[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
    }

    fn two_halves(&self, at: [f64; 2], step: f64) -> [f64; 2] {
        self.stride(self.stride(at, 0.5 * step), 0.5 * step)
    }

    /// The next state, by a step whose error is small enough.
    fn next(&self, now: Moment) -> Moment {
        let mut step = now.step;
        loop {
            let at = self.two_halves(now.at, step);
            let whole = self.stride(now.at, step);
            // Two half steps have a sixteenth of the error, so the difference is fifteen times
            // their error.
            let off = (whole[0] - at[0]).abs() + (whole[1] - at[1]).abs();
            let error = off / (15.0 * TOLERANCE * now.scale);
            if error <= 1.0 {
                // The error grows with the fifth power of the step, so the step at most doubles.
                let longer = if error < 1.0 / 64.0 { 2.0 } else { 1.0 };
                let larger = if at[0] > at[1] { at[0] } else { at[1] };
                let scale = if larger > now.scale { larger } else { now.scale };
                return Moment { time: now.time + step, at, step: step * longer, scale };
            }
            step *= 0.5;
            // A shorter step would not help.
            if step < 1e-300 {
                return Moment { time: f64::INFINITY, ..now };
            }
        }
    }

    fn integrated_end(&self) -> Option<End> {
        let is_over = |at: [f64; 2]| {
            [0, 1].map(|side| at[side] <= self.war.breaks[side] && self.war.breaks[side] > 0.0)
        };
        let mut now = self.first();
        for _ in 0..MOST_STEPS {
            let next = self.next(now);
            if !next.time.is_finite() || self.is_settled(&now) {
                return None;
            }
            if is_over(next.at).contains(&true) && !is_over(now.at).contains(&true) {
                let span = next.time - now.time;
                let into = bisect(0.0, span, |into| is_over(self.two_halves(now.at, into)).contains(&true));
                let beaten = is_over(self.two_halves(now.at, into));
                let times = beaten.map(|its| its.then_some(now.time + into));
                return self.war.end_of(times, |_| self.two_halves(now.at, into));
            }
            now = next;
        }
        None
    }

    /// Whether neither side will be beaten, or only after a very long time, if the battle goes on
    /// like this.
    ///
    /// Each side's loss grows with the other's strength, so if one side grows and the other does
    /// not, that stays so: such a pair of velocities never changes signs. If both grow, one may
    /// turn later; a side that no fire hits moves in one direction for ever.
    fn is_settled(&self, now: &Moment) -> bool {
        let velocity = self.war.velocity(now.at);
        // Velocities themselves are rounded.
        let is_slow = |speed: f64, room: f64| {
            speed <= room / (NEVER * now.time) || speed <= 1e-14 * now.scale / now.time
        };
        now.time > 0.0
            && [0, 1].iter().all(|&side| {
                let (level, other) = (self.war.breaks[side], 1 - side);
                // A side that fights to the last unit is never beaten.
                level == 0.0
                    || is_slow(-velocity[side], now.at[side] - level)
                        && (self.war.fire[side] == 0.0 || is_slow(velocity[other], now.at[other]))
            })
    }
}
