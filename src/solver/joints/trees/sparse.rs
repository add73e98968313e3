//! Jacobian entries known to be 0 or 1 at compile time: most entries of a joint that holds a point
//! along x and y.
//!
//! In: terms. Out: terms; after inlining only the needed arithmetic is left. It stays because the
//! scene `dolls` of the bench `instructions` takes 1.0 % more without it, and because 0 times
//! infinity would be NaN.

use crate::simd::{Lane, Width};
use crate::solver::joints::two_bodies::{Turned, Upright};

/// An entry in lanes, or a constant.
#[derive(Clone, Copy)]
pub(super) enum Term<L> {
    Zero,
    One,
    Is(L),
}

use Term::{Is, One, Zero};

impl<L: Lane> Term<L> {
    #[inline(always)]
    pub(super) fn times(self, factor: L) -> Term<L> {
        match self {
            Zero => Zero,
            One => Is(factor),
            Is(x) => Is(x * factor),
        }
    }

    #[inline(always)]
    pub(super) fn by(self, other: Term<L>) -> Term<L> {
        match other {
            Zero => Zero,
            One => self,
            Is(y) => self.times(y),
        }
    }

    /// This term minus `factor` times another.
    #[inline(always)]
    pub(super) fn less(self, other: Term<L>, factor: L) -> Term<L> {
        match (self, other.times(factor)) {
            (_, Zero | One) => self,
            (Zero, Is(y)) => Is(-y),
            (One, Is(y)) => Is(y.splat(1.0) - y),
            (Is(x), Is(y)) => Is(x - y),
        }
    }

    /// `sum` plus this term.
    #[inline(always)]
    pub(super) fn onto(self, sum: L) -> L {
        match self {
            Zero => sum,
            One => sum + sum.splat(1.0),
            Is(x) => sum + x,
        }
    }
}

/// The rows of J.
pub(super) trait JointRows<L> {
    /// The row of an axis, for the child: `(n, -c_t)`, `(t, c_n)` or `(0, 1)`, c its arm. For the
    /// parent it is minus the same with its own arm.
    fn row<W: Width<L = L>>(self, w: W, number: usize, arm: [L; 2]) -> [Term<L>; 3];
}

impl<L: Lane> JointRows<L> for Turned<L> {
    #[inline(always)]
    fn row<W: Width<L = L>>(self, _: W, number: usize, arm: [L; 2]) -> [Term<L>; 3] {
        let Turned(n) = self;
        match number {
            0 => [Is(n[0]), Is(n[1]), Is(-arm[1])],
            1 => [Is(-n[1]), Is(n[0]), Is(arm[0])],
            _ => [Zero, Zero, One],
        }
    }
}

impl<L: Lane> JointRows<L> for Upright {
    #[inline(always)]
    fn row<W: Width<L = L>>(self, _: W, number: usize, arm: [L; 2]) -> [Term<L>; 3] {
        match number {
            0 => [One, Zero, Is(-arm[1])],
            1 => [Zero, One, Is(arm[0])],
            _ => [Zero, Zero, One],
        }
    }
}
