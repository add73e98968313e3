//! Angles over many turns.
//!
//! In: the angle of B against A within a turn, and how far it turned in a step. Out: an angle that
//! counts turns, for as long as a world runs. Whole turns and the rest are kept apart: after an
//! hour at 20 rad/s a single `f32` would know the angle to 8e-3 rad only.

use core::f32::consts::{PI, TAU};

/// How far B is turned against A: whole turns and what is left; and which angle counts as none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turns {
    whole: i32,
    /// In radians, half a turn either way.
    pub(super) part: f32,
    /// In radians.
    pub(crate) zero: f32,
}

impl Turns {
    /// B is turned by `angle` against A, with as many turns as bring it next to `near`.
    pub(super) fn near(angle: f32, near: f32, zero: f32) -> Turns {
        let start = Turns { whole: 0, part: near, zero };
        start.at(angle)
    }

    /// The same turns where B stands at `angle` now, give or take whole ones: the nearest place to
    /// where it was.
    pub(super) fn at(self, angle: f32) -> Turns {
        let turns = (self.part - angle) / TAU;
        if turns.abs() < 0.5 {
            return Turns { part: angle, ..self };
        }
        let more = turns.round() as i32;
        Turns { whole: self.whole.saturating_add(more), part: angle, zero: self.zero }
    }

    /// As words of a snapshot.
    pub(crate) fn words(self) -> [u32; 3] {
        [self.whole as u32, self.part.to_bits(), self.zero.to_bits()]
    }

    /// Of such words, if they are numbers.
    pub(crate) fn of_words([whole, part, zero]: [u32; 3]) -> Option<Turns> {
        let turns = Turns { whole: whole as i32, part: f32::from_bits(part), zero: f32::from_bits(zero) };
        (turns.part.is_finite() && turns.zero.is_finite()).then_some(turns)
    }

    /// After B turned on by so many radians against A.
    pub(super) fn after(self, turned: f32) -> Turns {
        let part = self.part + turned;
        if part.abs() <= PI {
            return Turns { part, ..self };
        }
        let more = (part / TAU).round();
        let left = f64::from(part) - f64::from(more) * core::f64::consts::TAU;
        Turns { whole: self.whole.saturating_add(more as i32), part: left as f32, zero: self.zero }
    }

    /// Of the counted angle, everything but the part.
    pub(super) fn base(self) -> f64 {
        f64::from(self.whole) * core::f64::consts::TAU - f64::from(self.zero)
    }

    /// The counted angle, less the one that counts as none.
    pub(super) fn angle(self) -> f64 {
        self.base() + f64::from(self.part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wheel that turns by 3.1 rad a step, seen within a turn: counted to 1e-6 rad after a
    /// million turns, either way.
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

    /// Without a look at where B stands, as for a hinge that nothing drives, an hour is counted to
    /// a hundredth of a radian.
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
