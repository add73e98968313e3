//! Eight numbers side by side, in the registers of an instruction set: one of eight, or two of
//! four.
//!
//! In: arrays, rows. Out: [`Lane`]s of eight, and the way back. Two registers of four are written
//! out here, although `fearless_simd` has eight lanes for every instruction set. It splits and
//! joins them in each operation; the optimizer removes all of that, but takes twice as long as for
//! AVX2.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x8, f64x2, i32x4, i32x8, mask32x4, mask32x8, u32x4, u32x8};

use super::double::Doubles;
use super::{LANES, Lane, inlined};

/// Instruction sets that kernels are compiled for.
pub(crate) trait Vectors: Simd {
    /// Eight numbers.
    type Eight: Vector<Set = Self>;
}

/// Eight numbers side by side.
pub(crate) type Eight<S> = <S as Vectors>::Eight;

/// Operations of eight lanes beyond the operations of one number.
pub(crate) trait Vector: Lane<Mask: Bits> {
    /// The instruction set.
    type Set: Simd;

    /// Returns `value` in every lane.
    fn all(simd: Self::Set, value: f32) -> Self;
    /// Loads an array.
    fn load(simd: Self::Set, array: &[f32; LANES]) -> Self;
    /// Stores into an array.
    fn store(self, array: &mut [f32; LANES]);
    /// Returns lanes that hold small whole numbers as integers.
    fn whole(self) -> [u32; LANES];
    /// Returns the least lane, if no lane is NaN or zero.
    fn least(self) -> f32;
    /// Joins lanes 0 to 3 and lanes 4 to 7.
    fn join(low: f32x4<Self::Set>, high: f32x4<Self::Set>) -> Self;
    /// Returns eight rows of four numbers as four columns.
    fn columns_of(rows: [f32x4<Self::Set>; LANES]) -> [Self; 4];
    /// Returns four columns as eight rows.
    fn rows_of(columns: [Self; 4]) -> [f32x4<Self::Set>; LANES];
}

/// A truth value for each lane.
pub(crate) trait Bits {
    /// Returns a bit for each lane, lane 0 lowest.
    fn bits(self) -> u32;
}

impl<S: Simd> Bits for mask32x8<S> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bitmask() as u32
    }
}

/// Chooses registers of eight or of four numbers for each instruction set.
macro_rules! vectors {
    ($($(#[$cfg:meta])* $set:ident: $eight:ty;)*) => {$(
        $(#[$cfg])*
        impl Vectors for fearless_simd::$set {
            type Eight = $eight;
        }
    )*};
}

vectors! {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Avx2: f32x8<Self>;
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Avx512: f32x8<Self>;
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    Sse2: Halves<Self>;
    #[cfg(target_arch = "aarch64")]
    Neon: Halves<Self>;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    WasmSimd128: Halves<Self>;
    #[cfg(not(any(
        all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    Fallback: Halves<Self>;
}

/// Returns the least of four lanes. No lane may be NaN or zero: so `min` has no ties that CPUs
/// break in different ways.
#[inline(always)]
#[allow(clippy::disallowed_methods, reason = "no NaN, no zeros")]
fn least_of_four<S: Simd>(four: f32x4<S>) -> f32 {
    let two = four.min(four.slide::<2>(four));
    two.min(two.slide::<1>(two)).to_array()[0]
}

impl<S: Simd> Lane for f32x8<S> {
    type Double = Doubles<S>;
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
    #[inline(always)]
    fn has(self, flags: u32) -> Self::Mask {
        !(self.bitcast::<u32x8<S>>() & flags).simd_eq(0)
    }
    #[inline(always)]
    fn is_same(self, other: Self) -> Self::Mask {
        self.bitcast::<u32x8<S>>().simd_eq(other.bitcast::<u32x8<S>>())
    }
    #[inline(always)]
    fn and_bits(self, mask: u32) -> Self {
        (self.bitcast::<u32x8<S>>() & mask).bitcast()
    }
    #[inline(always)]
    fn or_bits(self, other: Self) -> Self {
        (self.bitcast::<u32x8<S>>() | other.bitcast::<u32x8<S>>()).bitcast()
    }
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "for bounds alone")]
    fn larger_bound(self, other: Self) -> Self {
        self.max(other)
    }
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "for bounds alone")]
    fn smaller_bound(self, other: Self) -> Self {
        self.min(other)
    }
    #[inline(always)]
    fn is_whole_within(self, most: i32) -> Self::Mask {
        let whole = self.bitcast::<i32x8<S>>();
        whole.simd_le(most) & whole.simd_ge(-most)
    }
    #[inline(always)]
    fn widen(self) -> Doubles<S> {
        let (low, high) = SimdWiden::widen(self);
        Doubles(low, high)
    }
    #[inline(always)]
    fn narrow(wide: Doubles<S>) -> Self {
        SimdNarrow::narrow(wide.0, wide.1)
    }
}

impl<S: Simd> Vector for f32x8<S> {
    type Set = S;

    #[inline(always)]
    fn all(simd: S, value: f32) -> Self {
        SimdBase::splat(simd, value)
    }
    #[inline(always)]
    fn load(simd: S, array: &[f32; LANES]) -> Self {
        SimdBase::load_array_ref(simd, array)
    }
    #[inline(always)]
    fn store(self, array: &mut [f32; LANES]) {
        self.store_slice(array);
    }
    #[inline(always)]
    fn whole(self) -> [u32; LANES] {
        self.to_int::<u32x8<S>>().to_array()
    }
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "no NaN, no zeros")]
    fn least(self) -> f32 {
        let (low, high) = self.split();
        least_of_four(low.min(high))
    }
    #[inline(always)]
    fn join(low: f32x4<S>, high: f32x4<S>) -> Self {
        low.combine(high)
    }
    /// Transposes with row k in the lower half of a register and row k + 4 in the upper half, so
    /// that each half is transposed by itself and the result is in order.
    ///
    /// No number crosses halves: on Intel machines that uses a single port, three cycles, and a
    /// register of indices. Three rounds of `interleave`, which crosses in each round, are 1.7
    /// times as slow to gather on AVX2 and 1.2 times on AVX-512.
    #[inline(always)]
    fn columns_of([a, b, c, d, e, f, g, h]: [f32x4<S>; LANES]) -> [Self; 4] {
        let (a, b, c, d) = (a.combine(e), b.combine(f), c.combine(g), d.combine(h));
        let ((ac, ac_end), (bd, bd_end)) = (by_twos(a, c), by_twos(b, d));
        let ((x, y), (z, w)) = (by_ones(ac, bd), by_ones(ac_end, bd_end));
        [x, y, z, w]
    }
    #[inline(always)]
    fn rows_of([x, y, z, w]: [Self; 4]) -> [f32x4<S>; LANES] {
        let ((xy_even, xy_odd), (zw_even, zw_odd)) = (by_ones(x, y), by_ones(z, w));
        if S::f32s::LEN > LANES {
            // AVX-512: the compiler splits the registers before the last round anyhow, and less
            // well.
            let ((a, c, e, g), (b, d, f, h)) = (by_doubles(xy_even, zw_even), by_doubles(xy_odd, zw_odd));
            return [a, b, c, d, e, f, g, h];
        }
        let ((ae, cg), (bf, dh)) = (by_twos(xy_even, zw_even), by_twos(xy_odd, zw_odd));
        let ((a, e), (b, f), (c, g), (d, h)) = (ae.split(), bf.split(), cg.split(), dh.split());
        [a, b, c, d, e, f, g, h]
    }
}

/// Returns `[p0 p1 q0 q1]` and `[p2 p3 q2 q3]`, in each half.
#[inline(always)]
fn by_twos<S: Simd>(p: f32x8<S>, q: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    let first = mask32x8::from_bitmask(p.simd, 0b0011_0011);
    let middle = p.slide_within_blocks::<2>(q);
    (first.select(p, middle), first.select(middle, q))
}

/// Returns `[p0 q0 p2 q2]` and `[p1 q1 p3 q3]`, in each half.
#[inline(always)]
fn by_ones<S: Simd>(p: f32x8<S>, q: f32x8<S>) -> (f32x8<S>, f32x8<S>) {
    let even = mask32x8::from_bitmask(p.simd, 0b0101_0101);
    let (q_up, p_down) = (q.slide_within_blocks::<3>(q), p.slide_within_blocks::<1>(p));
    (even.select(p, q_up), even.select(p_down, q))
}

/// Does [`by_twos`] with each half in its own register: the lower halves, then the upper ones.
#[inline(always)]
fn by_doubles<S: Simd>(p: f32x8<S>, q: f32x8<S>) -> (f32x4<S>, f32x4<S>, f32x4<S>, f32x4<S>) {
    let ((p_low, p_high), (q_low, q_high)) = (p.split(), q.split());
    let ((a, b), (c, d)) = (doubles(p_low, q_low), doubles(p_high, q_high));
    (a, b, c, d)
}

/// Returns `[p0 p1 q0 q1]` and `[p2 p3 q2 q3]`.
#[inline(always)]
fn doubles<S: Simd>(p: f32x4<S>, q: f32x4<S>) -> (f32x4<S>, f32x4<S>) {
    let (low, high) = p.bitcast::<f64x2<S>>().interleave(q.bitcast::<f64x2<S>>());
    (low.bitcast(), high.bitcast())
}

/// Eight numbers in two registers: lanes 0 to 3, and 4 to 7.
#[derive(Clone, Copy)]
pub(crate) struct Halves<S: Simd>(f32x4<S>, f32x4<S>);

/// Eight truth values in two registers.
#[derive(Clone, Copy)]
pub(crate) struct HalfMasks<S: Simd>(mask32x4<S>, mask32x4<S>);

/// Implements operators that both halves do alike.
macro_rules! halves {
    ($($trait:ident $name:ident $type:ident ($($other:ident)?);)*) => {$(
        impl<S: Simd> $trait for $type<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self $(, $other: Self)?) -> Self {
                $type($trait::$name(self.0 $(, $other.0)?), $trait::$name(self.1 $(, $other.1)?))
            }
        }
    )*};
}

halves! {
    Add add Halves (other);
    Sub sub Halves (other);
    Mul mul Halves (other);
    Div div Halves (other);
    Neg neg Halves ();
    BitAnd bitand HalfMasks (other);
    BitOr bitor HalfMasks (other);
    Not not HalfMasks ();
}

impl<S: Simd> Bits for HalfMasks<S> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.to_bitmask() as u32 | (self.1.to_bitmask() as u32) << 4
    }
}

impl<S: Simd> Lane for Halves<S> {
    type Double = Doubles<S>;
    type Mask = HalfMasks<S>;

    #[inline(always)]
    fn splat(self, value: f32) -> Self {
        Halves::all(self.0.simd, value)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Halves(SimdBase::abs(self.0), SimdBase::abs(self.1))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Halves(SimdFloat::sqrt(self.0), SimdFloat::sqrt(self.1))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        HalfMasks(self.0.simd_lt(other.0), self.1.simd_lt(other.1))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        HalfMasks(self.0.simd_le(other.0), self.1.simd_le(other.1))
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Self::Mask {
        HalfMasks(self.0.simd_eq(other.0), self.1.simd_eq(other.1))
    }
    #[inline(always)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        Halves(mask.0.select(a.0, b.0), mask.1.select(a.1, b.1))
    }
    #[inline(always)]
    fn has(self, flags: u32) -> Self::Mask {
        let (low, high) = (self.0.bitcast::<u32x4<S>>(), self.1.bitcast::<u32x4<S>>());
        HalfMasks(!(low & flags).simd_eq(0), !(high & flags).simd_eq(0))
    }
    #[inline(always)]
    fn is_same(self, other: Self) -> Self::Mask {
        let (low, high) = (self.0.bitcast::<u32x4<S>>(), self.1.bitcast::<u32x4<S>>());
        HalfMasks(low.simd_eq(other.0.bitcast::<u32x4<S>>()), high.simd_eq(other.1.bitcast::<u32x4<S>>()))
    }
    #[inline(always)]
    fn and_bits(self, mask: u32) -> Self {
        let of = inlined(
            #[inline(always)]
            |half: f32x4<S>| (half.bitcast::<u32x4<S>>() & mask).bitcast(),
        );
        Halves(of(self.0), of(self.1))
    }
    #[inline(always)]
    fn or_bits(self, other: Self) -> Self {
        let of = inlined(
            #[inline(always)]
            |a: f32x4<S>, b: f32x4<S>| (a.bitcast::<u32x4<S>>() | b.bitcast::<u32x4<S>>()).bitcast(),
        );
        Halves(of(self.0, other.0), of(self.1, other.1))
    }
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "for bounds alone")]
    fn larger_bound(self, other: Self) -> Self {
        Halves(self.0.max(other.0), self.1.max(other.1))
    }
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "for bounds alone")]
    fn smaller_bound(self, other: Self) -> Self {
        Halves(self.0.min(other.0), self.1.min(other.1))
    }
    #[inline(always)]
    fn is_whole_within(self, most: i32) -> Self::Mask {
        let (low, high) = (self.0.bitcast::<i32x4<S>>(), self.1.bitcast::<i32x4<S>>());
        HalfMasks(low.simd_le(most) & low.simd_ge(-most), high.simd_le(most) & high.simd_ge(-most))
    }
    #[inline(always)]
    fn widen(self) -> Doubles<S> {
        let (low, high) = SimdWiden::widen(self.0.combine(self.1));
        Doubles(low, high)
    }
    #[inline(always)]
    fn narrow(wide: Doubles<S>) -> Self {
        let both: f32x8<S> = SimdNarrow::narrow(wide.0, wide.1);
        let (low, high) = both.split();
        Halves(low, high)
    }
}

impl<S: Simd> Vector for Halves<S> {
    type Set = S;

    #[inline(always)]
    fn all(simd: S, value: f32) -> Self {
        let four = SimdBase::splat(simd, value);
        Halves(four, four)
    }
    #[inline(always)]
    fn load(simd: S, array: &[f32; LANES]) -> Self {
        let [low, high] = *fours(array);
        Halves(f32x4::load_array(simd, low), f32x4::load_array(simd, high))
    }
    #[inline(always)]
    fn store(self, array: &mut [f32; LANES]) {
        let [low, high] = bytemuck::cast_mut::<[f32; LANES], [[f32; 4]; 2]>(array);
        (*low, *high) = (self.0.to_array(), self.1.to_array());
    }
    #[inline(always)]
    fn whole(self) -> [u32; LANES] {
        bytemuck::cast([self.0.to_int::<u32x4<S>>().to_array(), self.1.to_int::<u32x4<S>>().to_array()])
    }
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "no NaN, no zeros")]
    fn least(self) -> f32 {
        least_of_four(self.0.min(self.1))
    }
    #[inline(always)]
    fn join(low: f32x4<S>, high: f32x4<S>) -> Self {
        Halves(low, high)
    }
    #[inline(always)]
    fn columns_of([a, b, c, d, e, f, g, h]: [f32x4<S>; LANES]) -> [Self; 4] {
        let ([x, y, z, w], [p, q, r, s]) = (turned([a, b, c, d]), turned([e, f, g, h]));
        [Halves(x, p), Halves(y, q), Halves(z, r), Halves(w, s)]
    }
    #[inline(always)]
    fn rows_of([x, y, z, w]: [Self; 4]) -> [f32x4<S>; LANES] {
        let ([a, b, c, d], [e, f, g, h]) = (turned([x.0, y.0, z.0, w.0]), turned([x.1, y.1, z.1, w.1]));
        [a, b, c, d, e, f, g, h]
    }
}

/// Returns an array as its two halves.
#[inline(always)]
pub(super) fn fours(array: &[f32; LANES]) -> &[[f32; 4]; 2] {
    bytemuck::cast_ref(array)
}

/// Transposes four rows of four numbers.
#[inline(always)]
fn turned<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let ((ab, ab_end), (cd, cd_end)) = (a.interleave(b), c.interleave(d));
    let ((x, y), (z, w)) = (doubles(ab, cd), doubles(ab_end, cd_end));
    [x, y, z, w]
}
