//! Lanes: one source for a kernel, run on one pair or on eight at a time.
//!
//! In: kernels written over [`Lane`]. Out: the same bits from `f32` and from eight lanes, at every
//! instruction set, because every operation here is exact or correctly rounded and nothing is ever fused or
//! summed across lanes. `f32` is the readable reference; [`Eight`] is the fast twin.
//!
//! This is the only file that knows `fearless_simd`. [`Level::new`] asks the CPU once when the program
//! first needs it; blocks hold eight whatever the answer, so layouts and results do not depend on it.
//! Everything below a dispatch is `#[inline(always)]`: a call inside it would lose the wide registers.
//!
//! No fused multiply-add, no approximate reciprocal, no `min`/`max` instruction (their ties of +0 and -0
//! differ between CPUs): a select does it.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8, u32x8};

pub(crate) use fearless_simd::{Level, Simd, dispatch};

/// Lanes of one block.
pub(crate) const LANES: usize = 8;

/// Numbers that a kernel computes with: one, or eight side by side.
pub(crate) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// One truth value a lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// The same number in every lane, in as many lanes as `self` has.
    fn splat(self, value: f32) -> Self;
    /// Without the sign.
    fn abs(self) -> Self;
    /// Correctly rounded square root.
    fn sqrt(self) -> Self;
    /// Where `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Where `self <= other`.
    fn le(self, other: Self) -> Self::Mask;
    /// Where `self == other`.
    fn eq(self, other: Self) -> Self::Mask;
    /// `a` where the mask holds, else `b`.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;

    /// The larger one; the first of a tie.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(self.lt(other), other, self)
    }

    /// The smaller one; the first of a tie.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self::select(other.lt(self), other, self)
    }
}

impl Lane for f32 {
    type Mask = bool;

    #[inline(always)]
    fn splat(self, value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn abs(self) -> f32 {
        f32::abs(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f32 {
        f32::sqrt(self)
    }
    #[inline(always)]
    fn lt(self, other: f32) -> bool {
        self < other
    }
    #[inline(always)]
    fn le(self, other: f32) -> bool {
        self <= other
    }
    #[inline(always)]
    fn eq(self, other: f32) -> bool {
        self == other
    }
    #[inline(always)]
    fn select(mask: bool, a: f32, b: f32) -> f32 {
        if mask { a } else { b }
    }
}

/// Eight numbers side by side.
pub(crate) type Eight<S> = f32x8<S>;

impl<S: Simd> Lane for Eight<S> {
    type Mask = mask32x8<S>;

    #[inline(always)]
    fn splat(self, value: f32) -> Self {
        SimdBase::splat(self.simd, value)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        SimdBase::abs(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        SimdFloat::sqrt(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        self.simd_lt(other)
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        self.simd_le(other)
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Self::Mask {
        self.simd_eq(other)
    }
    #[inline(always)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        mask.select(a, b)
    }
}

/// Eight rows of eight numbers as eight columns: lane k of column c is number c of row k.
///
/// Three rounds of perfect shuffles. Picking the numbers one by one and storing them as columns is twice as slow:
/// the wide load waits until eight narrow stores have left the store buffer.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(simd: S, rows: [&[f32; LANES]; LANES]) -> [Eight<S>; LANES] {
    let mut columns: [Eight<S>; LANES] = rows.map(
        #[inline(always)]
        |row| Eight::load_array_ref(simd, row),
    );
    for _ in 0..3 {
        let [a, b, c, d, e, f, g, h] = columns;
        let ((a0, a1), (b0, b1)) = (a.interleave(e), b.interleave(f));
        let ((c0, c1), (d0, d1)) = (c.interleave(g), d.interleave(h));
        columns = [a0, a1, b0, b1, c0, c1, d0, d1];
    }
    columns
}

/// A block read one number at a time.
#[inline(always)]
pub(crate) fn gather<S: Simd>(simd: S, column: [f32; LANES]) -> Eight<S> {
    Eight::load_array(simd, column)
}

/// The eight lanes as an array.
#[inline(always)]
pub(crate) fn scatter<S: Simd>(lanes: Eight<S>) -> [f32; LANES] {
    lanes.to_array()
}

/// The eight lanes, which hold small whole numbers, as integers.
#[inline(always)]
pub(crate) fn scatter_whole<S: Simd>(lanes: Eight<S>) -> [u32; LANES] {
    lanes.to_int::<u32x8<S>>().to_array()
}

/// One bit a lane, lane 0 lowest.
#[inline(always)]
pub(crate) fn bits<S: Simd>(mask: mask32x8<S>) -> u32 {
    mask.to_bitmask() as u32
}

/// Every level that this machine can run, the scalar fallback first: what the parity tests go through.
#[cfg(test)]
pub(crate) fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![Level::baseline()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_avx512().map(Level::Avx512));
    }
    levels.push(best);
    levels
}
