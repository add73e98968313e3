//! Lanchester's laws of battle: the strengths of two sides at a time, the time when one is beaten,
//! and the remaining strengths.
//!
//! In: rates, reinforcements and strengths, as a [`War`]. Out: strengths at a time, and the end.
//! Times are in the unit of the rates. There is no state: a war is its numbers, and each query
//! computes from the beginning.
//!
//! ```text
//!   aimed   x' = -a y - h x + u      every shot is aimed, so each enemy costs the same
//!           y' = -b x - w y + v      (first law: h = w = 0; second: attrition h and w)
//!   area    x' = -c x y - h x + u    shots fall on an area, so they hit more
//!           y' = -d x y - w y + v    where more targets stand (third law)
//! ```
//!
//! All letters are rates of loss or gain of the side on whose line they stand, and 0 or more. A
//! battle stops as soon as one side is beaten: the equations alone would go on below zero. Source:
//! F. W. Lanchester, "Aircraft in Warfare", 1916; it has the end under the first law in closed
//! form. The ends under the others are found here by bisection of monotone curves.
//!
//! The tests of the texts' promises: L1 `the_square_law_keeps_its_constant`, L2
//! `aimed_fire_is_what_integration_says` and `the_second_law_contains_the_first`, L3
//! `area_fire_keeps_its_constant`, `area_fire_is_what_integration_says` and
//! `area_fire_with_reinforcements_ends`, L4 `coefficients_are_rate_times_probability_times_areas`.
//!
//! ```text
//!   here       the definition, its checks, the queries
//!   affine.rs  aimed fire: exact, by a matrix exponential
//!   area.rs    area fire: exact alone, else integrated
//!   series.rs  exp and ln with the same bits everywhere
//! ```

mod affine;
mod area;
mod series;

use core::fmt;

use affine::Affine;
use area::Area;

/// Law of losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// Aimed fire: losses are proportional to the enemy's strength. Twice as many units are four
    /// times as strong.
    #[default]
    Aimed,
    /// Unaimed fire into an area: losses are proportional to both strengths. Twice as many units
    /// are twice as strong.
    Area,
}

/// A battle of two sides, 0 and 1 in every pair of numbers.
///
/// ```
/// use carom_nav::war::War;
///
/// // A hundred against seventy, who shoot better: 0.03 a minute each against 0.02.
/// let battle = War::aimed(0.03, 0.02).from(100.0, 70.0);
/// let end = battle.end()?.expect("the second side is beaten");
/// assert_eq!(end.winner(), Some(0));
/// assert!((end.time - 52.384).abs() < 1e-3);
/// assert!((end.left[0] - 51.478).abs() < 1e-3);
///
/// // Reinforcements turn it.
/// let battle = battle.reinforced(0.0, 1.5);
/// assert_eq!(battle.end()?.and_then(|end| end.winner()), Some(1));
/// # Ok::<(), carom_nav::war::WarError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct War {
    /// The law of losses.
    pub law: Law,
    /// Loss of this side per unit of the *other* side in a unit of time: a and b; under
    /// [`Law::Area`], also per unit of this side: c and d.
    pub fire: [f64; 2],
    /// Share of its strength that a side loses in a unit of time without any enemy: h and w.
    pub attrition: [f64; 2],
    /// Gain of a side in a unit of time: u and v.
    pub reinforcement: [f64; 2],
    /// Strengths in the beginning.
    pub start: [f64; 2],
    /// Strengths at which a side gives up; 0 to fight to the last unit. Under [`Law::Area`] the
    /// last unit is never hit, so a battle ends only if this is more than 0.
    pub breaks: [f64; 2],
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// The time of the end, counted from the beginning.
    pub time: f64,
    /// Strengths at that time. A beaten side has exactly [`War::breaks`], or its initial strength
    /// if that was less.
    pub left: [f64; 2],
    /// Which sides are beaten; both, if they fall at the same time.
    pub beaten: [bool; 2],
}

impl End {
    /// The side that is not beaten, if there is one.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        match self.beaten {
            [false, true] => Some(0),
            [true, false] => Some(1),
            _ => None,
        }
    }
}

/// Reason why a war or its fire was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarError {
    /// A number is NaN, or outside of its range; the text names the number and the range.
    BadNumber(&'static str),
    /// A time is NaN, infinite or negative.
    BadTime,
}

impl fmt::Display for WarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WarError::BadNumber(rule) => f.write_str(rule),
            WarError::BadTime => f.write_str("a time is finite, and 0 or later"),
        }
    }
}

impl core::error::Error for WarError {}

/// Largest rate or strength: products of three such numbers stay far below the greatest `f64`.
const LARGEST: f64 = 1e12;

/// Sums are equal if they differ by less than this times the sizes of their terms: the effect of
/// rounding the input.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl War {
    /// Aimed fire: each enemy takes `a` from the first side in a unit of time, `b` from the second.
    #[must_use]
    pub fn aimed(a: f64, b: f64) -> War {
        War { law: Law::Aimed, fire: [a, b], ..War::default() }
    }

    /// Area fire: each enemy takes the share `c` of the first side in a unit of time, `d` of the
    /// second. [`Fire::area`] makes them.
    #[must_use]
    pub fn area(c: f64, d: f64) -> War {
        War { law: Law::Area, fire: [c, d], ..War::default() }
    }

    /// Sets the reinforcements in a unit of time.
    #[must_use]
    pub fn reinforced(self, u: f64, v: f64) -> War {
        War { reinforcement: [u, v], ..self }
    }

    /// Sets the losses without an enemy, as shares in a unit of time.
    #[must_use]
    pub fn attrition(self, h: f64, w: f64) -> War {
        War { attrition: [h, w], ..self }
    }

    /// Sets the initial strengths.
    #[must_use]
    pub fn from(self, x: f64, y: f64) -> War {
        War { start: [x, y], ..self }
    }

    /// Sets the strengths at which the sides give up.
    #[must_use]
    pub fn breaking(self, x: f64, y: f64) -> War {
        War { breaks: [x, y], ..self }
    }

    /// Whether every number is in its range, 0 to 10^12.
    ///
    /// # Errors
    ///
    /// The first number that is out of its range.
    pub fn check(&self) -> Result<(), WarError> {
        let columns = [
            (self.fire, "fire is 0 to 10^12 for each side"),
            (self.attrition, "attrition is 0 to 10^12 for each side"),
            (self.reinforcement, "reinforcement is 0 to 10^12 for each side"),
            (self.start, "a strength is 0 to 10^12 for each side"),
            (self.breaks, "a side gives up at a strength of 0 to 10^12"),
        ];
        match columns.iter().find(|(pair, _)| !pair.iter().all(|number| (0.0..=LARGEST).contains(number))) {
            Some((_, rule)) => Err(WarError::BadNumber(rule)),
            None => Ok(()),
        }
    }

    /// The time when a side is beaten, the side, and the remaining strengths. `None` if that never
    /// happens: both melt away together, an equilibrium is reached, or no side shoots.
    ///
    /// A side is beaten when its strength is at [`breaks`](War::breaks) or below and does not grow
    /// from there. Aimed fire and pure area fire are decided exactly. Area fire with attrition or
    /// reinforcements is integrated until the end, or until both sides have turned away from it for
    /// good, or until the end would take a billion times the elapsed time; these battles count as
    /// endless.
    ///
    /// # Errors
    ///
    /// See [`check`](War::check).
    pub fn end(&self) -> Result<Option<End>, WarError> {
        self.check()?;
        Ok(self.first_beaten())
    }

    /// Strengths after `time`. From the end of the battle on they stay constant.
    ///
    /// # Errors
    ///
    /// See [`check`](War::check); a time is negative or NaN.
    pub fn at(&self, time: f64) -> Result<[f64; 2], WarError> {
        let mut at = [[0.0; 2]; 1];
        self.at_each(&[time], &mut at)?;
        Ok(at[0])
    }

    /// Strengths at each of several times, into `out`, whose memory is reused: the curves of a
    /// battle.
    ///
    /// # Errors
    ///
    /// As for [`at`](War::at); `out` is unchanged then.
    pub fn sample(&self, times: &[f64], out: &mut Vec<[f64; 2]>) -> Result<(), WarError> {
        self.check()?;
        if !are_times(times) {
            return Err(WarError::BadTime);
        }
        out.clear();
        out.resize(times.len(), [0.0; 2]);
        self.at_each(times, out)
    }

    fn at_each(&self, times: &[f64], out: &mut [[f64; 2]]) -> Result<(), WarError> {
        self.check()?;
        if !are_times(times) {
            return Err(WarError::BadTime);
        }
        let end = self.first_beaten();
        let open = |time: f64| end.is_none_or(|end| time < end.time);
        for (&time, at) in times.iter().zip(out) {
            *at = match end {
                Some(end) if !open(time) => end.left,
                // Rounding may leave a strength a hair below its side's level, or below zero.
                _ => self.open_at(time).map(|strength| if strength > 0.0 { strength } else { 0.0 }),
            };
        }
        Ok(())
    }

    /// Strengths by the equations, without an end of the battle.
    fn open_at(&self, time: f64) -> [f64; 2] {
        match self.law {
            Law::Aimed => Affine::new(self).at(time),
            Law::Area => Area::new(self).at(time),
        }
    }

    fn first_beaten(&self) -> Option<End> {
        match self.law {
            Law::Aimed => Affine::new(self).end(),
            Law::Area => Area::new(self).end(),
        }
    }

    /// The rates of change of the strengths when they are `at`.
    fn velocity(&self, at: [f64; 2]) -> [f64; 2] {
        let [x, y] = at;
        let hit = match self.law {
            Law::Aimed => [y, x],
            Law::Area => [x * y, x * y],
        };
        core::array::from_fn(|k| self.reinforcement[k] - self.fire[k] * hit[k] - self.attrition[k] * at[k])
    }

    /// Whether a side with the strengths `at` is beaten.
    fn is_beaten(&self, side: usize, at: [f64; 2]) -> bool {
        let (strength, level) = (at[side], self.breaks[side]);
        strength < level || strength == level && self.velocity(at)[side] <= 0.0
    }

    /// The sides that are beaten in the beginning.
    fn beaten_at_once(&self) -> Option<End> {
        let beaten = [0, 1].map(|side| self.is_beaten(side, self.start));
        beaten.contains(&true).then_some(End { time: 0.0, left: self.start, beaten })
    }

    /// The end of the battle, from the times at which each side would be beaten.
    fn end_of(&self, times: [Option<f64>; 2], at: impl FnOnce(f64) -> [f64; 2]) -> Option<End> {
        let time = match times {
            [Some(x), Some(y)] => {
                if x < y {
                    x
                } else {
                    y
                }
            }
            [x, y] => x.or(y)?,
        };
        let beaten = times.map(|its| its == Some(time));
        let there = at(time);
        let left = core::array::from_fn(|k| {
            if !beaten[k] && there[k] > self.breaks[k] { there[k] } else { self.breaks[k] }
        });
        Some(End { time, left, beaten })
    }
}

fn are_times(times: &[f64]) -> bool {
    times.iter().all(|time| *time >= 0.0 && time.is_finite())
}

/// The first time at which `is_over` holds, to the last bit. It holds at `late`, and is monotone
/// from `early` on.
fn bisect(mut early: f64, mut late: f64, is_over: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = early + (late - early) * 0.5;
        if !(early < middle && middle < late) {
            return late;
        }
        if is_over(middle) {
            late = middle;
        } else {
            early = middle;
        }
    }
}

/// A unit's weapon, from which the rates of a [`War`] follow.
///
/// ```
/// use carom_nav::war::{Fire, War};
///
/// let rifle = Fire { rate: 12.0, hit: 0.05, ..Fire::default() };
/// let mortar = Fire { rate: 4.0, hit: 0.8, lethal_area: 30.0, target_area: 10_000.0 };
/// let skirmish = War::aimed(rifle.aimed()?, rifle.aimed()?).from(30.0, 25.0);
/// let shelling = War::area(mortar.area()?, mortar.area()?).from(30.0, 25.0).breaking(15.0, 15.0);
/// assert_eq!(skirmish.end()?.and_then(|end| end.winner()), Some(0));
/// assert_eq!(shelling.end()?.and_then(|end| end.winner()), Some(0));
/// # Ok::<(), carom_nav::war::WarError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fire {
    /// Shots in a unit of time, 0 or more.
    pub rate: f64,
    /// Probability that a shot takes effect, 0 to 1: that an aimed shot hits; that a shot into an
    /// area falls into it.
    pub hit: f64,
    /// Area in which one shot into an area kills, more than 0.
    pub lethal_area: f64,
    /// Area over which the enemy is spread, at least `lethal_area`.
    pub target_area: f64,
}

impl Default for Fire {
    /// One sure shot in a unit of time, with both areas 1.
    fn default() -> Fire {
        Fire { rate: 1.0, hit: 1.0, lethal_area: 1.0, target_area: 1.0 }
    }
}

impl Fire {
    /// Loss that one unit causes in a unit of time with aimed fire: rate times probability.
    ///
    /// # Errors
    ///
    /// A number outside of its range.
    pub fn aimed(&self) -> Result<f64, WarError> {
        if !(0.0..=LARGEST).contains(&self.rate) {
            return Err(WarError::BadNumber("a rate of fire is 0 to 10^12"));
        }
        if !(0.0..=1.0).contains(&self.hit) {
            return Err(WarError::BadNumber("a probability is 0 to 1"));
        }
        Ok(self.rate * self.hit)
    }

    /// Share of the enemy that one unit takes in a unit of time when it shoots into an area: rate
    /// times probability times the share of the area in which a shot kills.
    ///
    /// # Errors
    ///
    /// A number outside of its range.
    pub fn area(&self) -> Result<f64, WarError> {
        let aimed = self.aimed()?;
        if !(self.lethal_area > 0.0 && self.target_area.is_finite()) {
            return Err(WarError::BadNumber("areas are more than 0 and finite"));
        }
        if self.lethal_area > self.target_area {
            return Err(WarError::BadNumber(
                "a shot kills in no larger area than that over which the enemy is spread",
            ));
        }
        Ok(aimed * (self.lethal_area / self.target_area))
    }
}

#[cfg(test)]
mod tests;
