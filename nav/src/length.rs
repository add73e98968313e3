//! Integers for lengths.
//!
//! A straight step and a diagonal one are two integers whose ratio is close to √2, so that sums are
//! exact, ties are ties, and every machine agrees. A length beyond [`LIMIT`] counts as too far to
//! go.
//!
//! ```
//! use carom_nav::length::Scale;
//!
//! let error = f64::from(Scale::FINE.diagonal) / f64::from(Scale::FINE.straight) / 2_f64.sqrt() - 1.0;
//! assert!(error.abs() < 3e-7);
//! ```

use core::fmt;

/// The greatest length of a path; the sum of two lengths up to it still fits 32 bits.
pub const LIMIT: u32 = u32::MAX / 2;

/// Lengths of a straight and a diagonal step over a cell of cost 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// A step along a row or a column, and every step on hexes; 1 at least.
    pub straight: u16,
    /// A step to a diagonal neighbour; from once to twice a straight one.
    pub diagonal: u16,
}

impl Default for Scale {
    fn default() -> Scale {
        Scale::FINE
    }
}

impl Scale {
    /// 985 : 1393, a relative error of -2.6e-7. For maps where every cell costs 1: [`LIMIT`] is 1.5
    /// million diagonal steps.
    pub const FINE: Scale = Scale { straight: 985, diagonal: 1393 };
    /// 70 : 99, a relative error of 5.1e-5. For maps with costs: [`LIMIT`] is 21 million diagonal
    /// steps over cost 1.
    pub const COARSE: Scale = Scale { straight: 70, diagonal: 99 };
    /// 10 : 14, the pair of the classic tutorials, 1 % short of √2.
    pub const CLASSIC: Scale = Scale { straight: 10, diagonal: 14 };
    /// 1 : 1, where a diagonal step is as long as a straight one.
    pub const STEPS: Scale = Scale { straight: 1, diagonal: 1 };

    /// Whether searches accept this scale: no step is free, and a diagonal step is worth one to two
    /// straight ones.
    ///
    /// Searches would walk around a diagonal step that is longer than two straight ones, and
    /// estimates that count on it would be wrong.
    #[inline]
    pub const fn is_valid(self) -> bool {
        self.straight > 0
            && self.diagonal >= self.straight
            && self.diagonal as u32 <= 2 * self.straight as u32
    }

    /// The length of `straight` steps along rows and columns and `diagonal` diagonal ones.
    /// Saturates.
    #[inline]
    pub const fn sum(self, straight: u32, diagonal: u32) -> u32 {
        (self.straight as u32)
            .saturating_mul(straight)
            .saturating_add((self.diagonal as u32).saturating_mul(diagonal))
    }
}

/// A length, with its units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// The sum, in units of `scale`.
    pub units: u32,
    /// The scale of the units.
    pub scale: Scale,
}

impl Length {
    /// The length in cells: a straight step over cost 1 is 1.
    #[inline]
    pub fn cells(self) -> f64 {
        f64::from(self.units) / f64::from(self.scale.straight)
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.cells(), f)
    }
}
