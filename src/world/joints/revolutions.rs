//! Angles over many turns.
//!
//! In: the angle of B relative to A within a turn, and its change in a step. Out: an angle that
//! counts turns, for as long as a world runs. Whole turns and the rest are kept apart: after an
//! hour at 20 rad/s a single `f32` would have an error of 8e-3 rad.

use core::f32::consts::{PI, TAU};

/// Angle of B relative to A: whole turns and the rest; and the reference angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turns {
    whole: i32,
    /// The rest, in radians, from -π to π.
    pub(super) part: f32,
    /// In radians.
    pub(crate) zero: f32,
}

impl Turns {
    /// Turns for the angle `angle`, with the number of whole turns that brings it next to `near`.
    pub(super) fn near(angle: f32, near: f32, zero: f32) -> Turns {
        let start = Turns { whole: 0, part: near, zero };
        start.at(angle)
    }

    /// The turns with `angle` as the new rest, nearest to the old value.
    pub(super) fn at(self, angle: f32) -> Turns {
        let turns = (self.part - angle) / TAU;
        if turns.abs() < 0.5 {
            return Turns { part: angle, ..self };
        }
        let more = turns.round() as i32;
        Turns { whole: self.whole.saturating_add(more), part: angle, zero: self.zero }
    }

    /// The turns as words of a snapshot.
    pub(crate) fn words(self) -> [u32; 3] {
        [self.whole as u32, self.part.to_bits(), self.zero.to_bits()]
    }

    /// The turns from words of a snapshot, if they are finite.
    pub(crate) fn of_words([whole, part, zero]: [u32; 3]) -> Option<Turns> {
        let turns = Turns { whole: whole as i32, part: f32::from_bits(part), zero: f32::from_bits(zero) };
        (turns.part.is_finite() && turns.zero.is_finite()).then_some(turns)
    }

    /// The turns after B turned by `turned` radians more.
    pub(super) fn after(self, turned: f32) -> Turns {
        let part = self.part + turned;
        if part.abs() <= PI {
            return Turns { part, ..self };
        }
        let more = (part / TAU).round();
        let left = f64::from(part) - f64::from(more) * core::f64::consts::TAU;
        Turns { whole: self.whole.saturating_add(more as i32), part: left as f32, zero: self.zero }
    }

    /// The counted angle without `part`.
    pub(super) fn base(self) -> f64 {
        f64::from(self.whole) * core::f64::consts::TAU - f64::from(self.zero)
    }

    /// The counted angle, less the reference angle.
    pub(super) fn angle(self) -> f64 {
        self.base() + f64::from(self.part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The angle of a wheel that turns by 3.1 rad a step, given within a turn, is counted to 1e-6
    /// rad after a million turns, in both directions.
    #[test]
    fn turns_are_counted_to_the_last() {
        for sign in [1.0, -1.0] {
            let mut turns = Turns::default();
            let mut angle = 0.0_f64;
            for _ in 0..2_000_000 {
                angle += f64::from(3.1_f32) * sign;
                let within = angle - (angle / core::f64::consts::TAU).round() * core::f64::consts::TAU;
                turns = turns.after(3.1 * sign as f32).at(within as f32);
            }
            assert!((turns.angle() - angle).abs() < 1.0e-6, "{} instead of {angle}", turns.angle());
        }
    }

    /// Without the present angle, as for a hinge that nothing drives, the turns of an hour are
    /// counted to a hundredth of a radian.
    #[test]
    fn turns_are_counted_blindly() {
        let mut turns = Turns::near(1.0, 1.0, 1.0);
        (0..216_000).for_each(|_| turns = turns.after(1.0 / 3.0));
        assert!((turns.angle() - 72_000.0).abs() < 0.01, "{}", turns.angle());
    }

    #[test]
    fn an_angle_is_brought_next_to_another() {
        assert!((Turns::near(0.5, 12.6, 0.0).angle() - (0.5 + 4.0 * f64::from(PI))).abs() < 1.0e-5);
        assert!((Turns::near(-3.0, 3.0, 1.0).angle() - 2.283_185).abs() < 1.0e-5);
        assert_eq!(Turns::near(0.25, f32::NAN, 0.0).angle(), 0.25);
    }
}
