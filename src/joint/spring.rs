//! Springs (soft constraints) in a sub-step: coefficients from frequency and damping ratio.
//!
//! In: frequency, damping ratio, the length of a sub-step. Out: two coefficients with which a
//! kernel gives the spring its frequency and damping at any sub-step.
//!
//! # Derivation
//!
//! A value c with speed v on a spring of ω = 2π hertz and damping ratio ζ: c'' = -ω² c - 2 ζ ω c'.
//! A sub-step damps and kicks, moves, and damps and kicks again:
//!
//! ```text
//!   v -= s v    v -= b c        c += h v        v -= s v    v -= b c
//! ```
//!
//! As a matrix from (c, v) to (c, v) this has determinant (1 - s)², and that of the true motion is
//! e^(-2ζωh): s = 1 - e^(-ζωh). A constant load a adds h a / 2 to v at each kick, so c comes to
//! rest where b c = h a / 2; in the true motion, where ω² c = a. So
//!
//! ```text
//!   s = 1 - e^(-ζωh)        b = ω² h / 2
//! ```
//!
//! The damping is right for any h, the sag under a load too; the frequency to (ωh)² / 24 without
//! damping. No energy is gained: kicks have a potential, ω² c² / 2, and damping takes from the
//! speed at which bodies came. (Damping after the kick, as in v += -s v - b c with b = (1 - s) ω² h
//! / 2, is as exact for a single value. But then the damper also brakes a speed that gravity has
//! just added, and that another joint or a limit will cancel: it holds the body up like a spring
//! whose energy is not counted. One scene of soft sliders in loops gained half of its energy in
//! motion.) Where joints are iterated, both act at once, after the kick of gravity.
//!
//! A spring that is too fast for a sub-step is slowed to the fastest frequency that the sub-step
//! can follow. So is a spring that became too fast because its bodies turned to a pose of less
//! effective mass.

use super::def::Spring;

/// Coefficients of a kick: see the head.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Kick {
    /// Share of the speed that one kick takes.
    pub(crate) share: f32,
    /// Speed that one kick adds per unit of error.
    pub(crate) pull: f32,
    /// `pull` of the stiffest spring that a sub-step can follow.
    pub(crate) most_pull: f32,
}

/// Greatest ω h of a spring. A sub-step resolves 2; up to three springs of a joint act on the same
/// body in the same direction.
const FASTEST_SPRING: f64 = 1.0;

impl Spring {
    /// The coefficients of each of the two kicks of a sub-step of `h` seconds.
    pub(crate) fn kick(&self, h: f32) -> Kick {
        let h = f64::from(h);
        let turn = smaller(core::f64::consts::TAU * f64::from(self.hertz) * h, FASTEST_SPRING);
        let damping = smaller(f64::from(self.damping), 1.0e3);
        if h <= 0.0 || turn <= 0.0 {
            return Kick::default();
        }
        let keeps = exp_of_minus(damping * turn);
        let (share, most_pull) = (1.0 - keeps, FASTEST_SPRING * FASTEST_SPRING / (2.0 * h));
        let pull = turn * turn / (2.0 * h);
        Kick { share: share as f32, pull: pull as f32, most_pull: most_pull as f32 }
    }
}

fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// e^(-x) for x >= 0, from sums and products alone: the same bits everywhere. e^(-x) = 1 / (e^(x /
/// 64))^64.
fn exp_of_minus(x: f64) -> f64 {
    if x > 700.0 {
        return 0.0;
    }
    let small = x / 64.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 1..=24 {
        term *= small / f64::from(k);
        sum += term;
    }
    for _ in 0..6 {
        sum *= sum;
    }
    1.0 / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value on a spring after `seconds`, in sub-steps of `h`.
    fn swing(spring: Spring, h: f64, seconds: f64) -> (f64, f64) {
        let kick = spring.kick(h as f32);
        let (share, pull) = (f64::from(kick.share), f64::from(kick.pull));
        let (mut c, mut v) = (1.0, 0.0);
        for _ in 0..(seconds / h).round() as usize {
            v += -share * v - pull * c;
            c += h * v;
            v += -share * v - pull * c;
        }
        (c, v)
    }

    #[test]
    fn a_spring_keeps_its_frequency_and_its_damping() {
        for hertz in [0.5, 2.0, 5.0] {
            for damping in [0.0_f64, 0.1, 0.7] {
                let omega = core::f64::consts::TAU * hertz;
                let turns = omega * (1.0 - damping * damping).sqrt();
                // Two full swings: back where it began, smaller by the damping.
                let seconds = 2.0 * core::f64::consts::TAU / turns;
                let left = (-damping * omega * seconds).exp();
                let (c, _) = swing(Spring::new(hertz as f32, damping as f32), seconds / 200.0, seconds);
                assert!((c - left).abs() < 2.0e-3, "{hertz} Hz, {damping}: {c} instead of {left}");
            }
        }
    }

    #[test]
    fn a_spring_sags_under_a_load_as_far_as_it_should() {
        for (hertz, damping) in [(1.0, 1.0), (5.0, 0.5), (20.0, 1.0), (40.0, 2.0)] {
            let (h, spring) = (1.0 / 240.0, Spring::new(hertz, damping));
            let kick = spring.kick(h as f32);
            let (share, pull) = (f64::from(kick.share), f64::from(kick.pull));
            let (mut c, mut v) = (0.0, 0.0);
            for _ in 0..10_000 {
                for moves in [h, 0.0] {
                    v -= share * v;
                    v += 0.5 * h - pull * c;
                    c += moves * v;
                }
            }
            let omega = core::f64::consts::TAU * f64::from(hertz);
            let turn = (omega * h).min(FASTEST_SPRING);
            let sag = (h / turn) * (h / turn);
            assert!((c / sag - 1.0).abs() < 1.0e-3, "{hertz} Hz, {damping}: {c} instead of {sag}");
        }
    }

    #[test]
    fn a_stiff_or_overdamped_spring_does_not_swing() {
        for (hertz, damping) in [(240.0, 1.0), (1.0e6, 0.5), (60.0, 2.0)] {
            let (c, v) = swing(Spring::new(hertz, damping), 1.0 / 240.0, 20.0);
            assert!(c.abs() < 0.05 && v.abs() < 0.1, "{hertz} Hz, {damping}: {c} at {v}");
        }
        assert_eq!(Spring::new(0.0, 1.0).kick(0.004), Kick::default());
    }
}
