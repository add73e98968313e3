//! Lanes: one source for a kernel, run on one pair or on eight at a time.
//!
//! In: kernels written over [`Lane`]. Out: the same bits from `f32` and from eight lanes, at every
//! instruction set, because every operation here is exact or correctly rounded and nothing is ever
//! fused or summed across lanes. `f32` is the readable reference; [`Eight`] is the fast twin.
//!
//! This is the only folder that knows `fearless_simd`. [`Level::widest`] asks the CPU once when the
//! program first needs it; blocks hold eight whatever the answer, so layouts and results do not
//! depend on it. Everything below a dispatch is `#[inline(always)]`: a call inside it would lose
//! the wide registers.
//!
//! No fused multiply-add, no approximate reciprocal, no `min`/`max` instruction (their ties of +0
//! and -0 differ between CPUs): a select does it.

mod double;
mod eight;
mod lanes;
mod level;
mod rows;
mod turn;
mod words;

pub use lanes::Lanes;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
pub(crate) use level::hot_vectors;
pub(crate) use level::{Level, Serial, Wide, at_level, dispatch, dispatch_wide};
#[cfg(any(
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use level::{with_features, with_vectors};
pub(crate) use rows::AlignedRows;
pub(crate) use turn::{transpose, transpose_lanes};
pub(crate) use words::Words;

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use fearless_simd::f32x4;
use fearless_simd::prelude::*;

pub(crate) use eight::{Bits, Eight, Vector, Vectors};

use crate::math::Double;
use crate::threads::Shared;

/// Lanes of one block.
pub(crate) const LANES: usize = 8;

/// One bit for each lane.
pub(crate) const ALL_LANES: u32 = (1 << LANES) - 1;

/// The lanes' own places.
pub(crate) const LANES_IN_ORDER: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Numbers that a kernel computes with: one, or eight side by side.
pub(crate) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// As many numbers of double precision.
    type Double: Double;
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
    /// Where any of the `flags` is set in what is no number, but a word.
    fn has(self, flags: u32) -> Self::Mask;
    /// Where the bits are the same.
    fn is_same(self, other: Self) -> Self::Mask;
    /// With those bits alone that are set in `mask`.
    fn and_bits(self, mask: u32) -> Self;
    /// With the bits of both.
    fn or_bits(self, other: Self) -> Self;
    /// Where what is no number, but an integer, is within `most` of 0.
    fn is_whole_within(self, most: i32) -> Self::Mask;
    /// In double precision: exact.
    fn widen(self) -> Self::Double;
    /// Rounded from double precision.
    fn narrow(wide: Self::Double) -> Self;

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

    /// The larger one, in one instruction. Of two zeros, and of a number and NaN, it is either, and
    /// not on every CPU the same: for bounds alone, which decide what is looked at, and no result.
    #[inline(always)]
    fn larger_bound(self, other: Self) -> Self {
        self.larger(other)
    }

    /// The smaller one; as above.
    #[inline(always)]
    fn smaller_bound(self, other: Self) -> Self {
        self.smaller(other)
    }
}

impl Lane for f32 {
    type Double = f64;
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
    #[inline(always)]
    fn has(self, flags: u32) -> bool {
        self.to_bits() & flags != 0
    }
    #[inline(always)]
    fn is_same(self, other: f32) -> bool {
        self.to_bits() == other.to_bits()
    }
    #[inline(always)]
    fn and_bits(self, mask: u32) -> f32 {
        f32::from_bits(self.to_bits() & mask)
    }
    #[inline(always)]
    fn or_bits(self, other: f32) -> f32 {
        f32::from_bits(self.to_bits() | other.to_bits())
    }
    #[inline(always)]
    fn is_whole_within(self, most: i32) -> bool {
        (-most..=most).contains(&(self.to_bits() as i32))
    }
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn narrow(wide: f64) -> f32 {
        wide as f32
    }
}

/// Lets a closure over lanes say that it is always inlined, which only one that is an argument can:
/// `let f = inlined(#[inline(always)] |x| …)`.
///
/// A closure that is called twice, or given to `map` of an array, may be compiled for itself:
/// without the lanes of the kernel around it, ten times as slow. Kernels name such closures by
/// this, or write the array out.
#[inline(always)]
pub(crate) fn inlined<F>(closure: F) -> F {
    closure
}

/// Rows of four numbers that kernels read.
pub(crate) trait Table {
    /// How many there are.
    fn count(&self) -> usize;
    /// Row `at`.
    fn row(&self, at: u32) -> [f32; 4];
}

/// Rows of four numbers that kernels read and write.
pub(crate) trait TableMut: Table {
    /// Writes row `at`.
    fn set_row(&mut self, at: u32, row: [f32; 4]);
}

impl Table for [[f32; 4]] {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn row(&self, at: u32) -> [f32; 4] {
        self[at as usize]
    }
}

impl TableMut for [[f32; 4]] {
    #[inline(always)]
    fn set_row(&mut self, at: u32, row: [f32; 4]) {
        self[at as usize] = row;
    }
}

impl Table for Shared<'_, [f32; 4]> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn row(&self, at: u32) -> [f32; 4] {
        self.get(at as usize)
    }
}

impl TableMut for Shared<'_, [f32; 4]> {
    #[inline(always)]
    fn set_row(&mut self, at: u32, row: [f32; 4]) {
        self.set(at as usize, row);
    }
}

/// How many constraints a kernel works on at a time: one lane of a block, or all eight.
///
/// A kernel that is written over this trait is its own scalar reference: [`OneLane`] and
/// [`AllLanes`] run the same lines in the same order, so their bits agree.
pub(crate) trait Width: Copy {
    /// Its numbers.
    type L: Lane;

    /// The same number everywhere.
    fn splat(self, value: f32) -> Self::L;
    /// From a column of a block.
    fn read(self, column: &[f32; LANES]) -> Self::L;
    /// Into a column of a block.
    fn write(self, column: &mut [f32; LANES], value: Self::L);
    /// Four columns from the rows that a block names.
    fn gather(self, rows: &(impl Table + ?Sized), at: &[u32; LANES]) -> [Self::L; 4];
    /// Four columns into the rows that a block names.
    fn scatter(self, rows: &mut (impl TableMut + ?Sized), at: &[u32; LANES], columns: [Self::L; 4]);
    /// The same, for those lanes whose bit is set.
    fn scatter_some(
        self,
        rows: &mut (impl TableMut + ?Sized),
        at: &[u32; LANES],
        lanes: u8,
        columns: [Self::L; 4],
    );
    /// Eight columns from the rows that a block names.
    fn gather_eight(self, rows: &[[f32; LANES]], at: &[u32; LANES]) -> [Self::L; LANES];
    /// Eight columns into the rows that a block names, for those lanes whose bit is set.
    fn scatter_eight(
        self,
        rows: Shared<[f32; LANES]>,
        at: &[u32; LANES],
        lanes: u8,
        columns: [Self::L; LANES],
    );
    /// Eight columns from the rows that a block names, which others write elsewhere.
    fn gather_shared(self, rows: Shared<[f32; LANES]>, at: &[u32; LANES]) -> [Self::L; LANES];
    /// Whether the mask holds anywhere.
    fn any(self, mask: <Self::L as Lane>::Mask) -> bool;
    /// The lanes where it does, a bit each.
    fn bits(self, mask: <Self::L as Lane>::Mask) -> u8;
    /// The least of its numbers, of which none is NaN or zero: so there are no ties that differ.
    fn least(self, value: Self::L) -> f32;
    /// Runs a part of a long kernel as a function of its own, with the same lanes: in one piece, a
    /// debug build gives each number a place of its own on the stack, and it takes megabytes.
    /// `w.apart(#[inline(always)] || …)`.
    fn apart<R>(self, part: impl FnOnce() -> R) -> R;
    /// As [`apart`](Width::apart) in debug builds, and in place elsewhere: for parts so small that
    /// a call would cost.
    #[inline(always)]
    fn apart_in_debug<R>(self, part: impl FnOnce() -> R) -> R {
        if cfg!(debug_assertions) { self.apart(part) } else { part() }
    }
    /// Whether it works on the first lane: what a block has once is then begun anew.
    fn begins(self) -> bool;
    /// Whether it works on one lane, and cannot tell what the others of its block will ask for.
    fn is_one(self) -> bool;
}

/// The lanes of a block as [`Width`]s to go through: eight of one lane, or one of all eight.
pub(crate) trait Widths: Copy {
    type W: Width;

    /// Each of them, in the order of the lanes.
    fn each(self) -> impl Iterator<Item = Self::W>;
}

impl Widths for Serial {
    type W = OneLane;

    #[inline(always)]
    fn each(self) -> impl Iterator<Item = OneLane> {
        Serial::each(self)
    }
}

impl<S: Vectors> Widths for Wide<S> {
    type W = AllLanes<S>;

    #[inline(always)]
    fn each(self) -> impl Iterator<Item = AllLanes<S>> {
        Wide::each(self)
    }
}

/// Lane `self.0` of every block: the scalar reference.
#[derive(Clone, Copy)]
pub(crate) struct OneLane(pub(crate) usize);

impl Width for OneLane {
    type L = f32;

    #[inline(always)]
    fn splat(self, value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn read(self, column: &[f32; LANES]) -> f32 {
        column[self.0]
    }
    #[inline(always)]
    fn write(self, column: &mut [f32; LANES], value: f32) {
        column[self.0] = value;
    }
    #[inline(always)]
    fn gather(self, rows: &(impl Table + ?Sized), at: &[u32; LANES]) -> [f32; 4] {
        rows.row(at[self.0])
    }
    #[inline(always)]
    fn scatter(self, rows: &mut (impl TableMut + ?Sized), at: &[u32; LANES], columns: [f32; 4]) {
        rows.set_row(at[self.0], columns);
    }
    #[inline(always)]
    fn scatter_some(
        self,
        rows: &mut (impl TableMut + ?Sized),
        at: &[u32; LANES],
        lanes: u8,
        columns: [f32; 4],
    ) {
        if lanes >> self.0 & 1 == 1 {
            rows.set_row(at[self.0], columns);
        }
    }
    #[inline(always)]
    fn gather_eight(self, rows: &[[f32; LANES]], at: &[u32; LANES]) -> [f32; LANES] {
        rows[at[self.0] as usize]
    }
    #[inline(always)]
    fn scatter_eight(self, rows: Shared<[f32; LANES]>, at: &[u32; LANES], lanes: u8, columns: [f32; LANES]) {
        if lanes >> self.0 & 1 == 1 {
            rows.set(at[self.0] as usize, columns);
        }
    }
    #[inline(always)]
    fn gather_shared(self, rows: Shared<[f32; LANES]>, at: &[u32; LANES]) -> [f32; LANES] {
        rows.get(at[self.0] as usize)
    }
    #[inline(always)]
    fn any(self, mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn bits(self, mask: bool) -> u8 {
        u8::from(mask) << self.0
    }
    #[inline(always)]
    fn least(self, value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn apart<R>(self, part: impl FnOnce() -> R) -> R {
        by_itself(part)
    }
    #[inline(always)]
    fn begins(self) -> bool {
        self.0 == 0
    }
    #[inline(always)]
    fn is_one(self) -> bool {
        true
    }
}

/// Not inlined: compiled once, and not for each instruction set.
#[inline(never)]
fn by_itself<R>(part: impl FnOnce() -> R) -> R {
    part()
}

/// All lanes of a block side by side.
#[derive(Clone, Copy)]
pub(crate) struct AllLanes<S>(pub(crate) S);

impl<S: Vectors> Width for AllLanes<S> {
    type L = Eight<S>;

    #[inline(always)]
    fn splat(self, value: f32) -> Eight<S> {
        Vector::all(self.0, value)
    }
    #[inline(always)]
    fn read(self, column: &[f32; LANES]) -> Eight<S> {
        Vector::load(self.0, column)
    }
    #[inline(always)]
    fn write(self, column: &mut [f32; LANES], value: Eight<S>) {
        Vector::store(value, column);
    }
    #[inline(always)]
    fn gather(self, rows: &(impl Table + ?Sized), at: &[u32; LANES]) -> [Eight<S>; 4] {
        all_inside(rows.count(), at);
        let row = inlined(
            #[inline(always)]
            |k: usize| f32x4::load_array(self.0, rows.row(at[k])),
        );
        Vector::columns_of([row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)])
    }
    #[inline(always)]
    fn scatter(self, rows: &mut (impl TableMut + ?Sized), at: &[u32; LANES], columns: [Eight<S>; 4]) {
        let out = Eight::<S>::rows_of(columns);
        all_inside(rows.count(), at);
        for k in 0..LANES {
            rows.set_row(at[k], out[k].to_array());
        }
    }
    #[inline(always)]
    fn scatter_some(
        self,
        rows: &mut (impl TableMut + ?Sized),
        at: &[u32; LANES],
        lanes: u8,
        columns: [Eight<S>; 4],
    ) {
        let out = Eight::<S>::rows_of(columns);
        for k in 0..LANES {
            if lanes >> k & 1 == 1 {
                rows.set_row(at[k], out[k].to_array());
            }
        }
    }
    #[inline(always)]
    fn gather_eight(self, rows: &[[f32; LANES]], at: &[u32; LANES]) -> [Eight<S>; LANES] {
        all_inside(rows.len(), at);
        let [a, b, c, d, e, f, g, h] = *at;
        let [a, b, c, d] = [&rows[a as usize], &rows[b as usize], &rows[c as usize], &rows[d as usize]];
        let [e, f, g, h] = [&rows[e as usize], &rows[f as usize], &rows[g as usize], &rows[h as usize]];
        transpose(self.0, [a, b, c, d, e, f, g, h])
    }
    #[inline(always)]
    fn scatter_eight(
        self,
        rows: Shared<[f32; LANES]>,
        at: &[u32; LANES],
        lanes: u8,
        columns: [Eight<S>; LANES],
    ) {
        let out = transpose_lanes(columns);
        for k in 0..LANES {
            if lanes >> k & 1 == 1 {
                rows.set(at[k] as usize, scatter(out[k]));
            }
        }
    }
    #[inline(always)]
    fn gather_shared(self, rows: Shared<[f32; LANES]>, at: &[u32; LANES]) -> [Eight<S>; LANES] {
        all_inside(rows.len(), at);
        let row = inlined(
            #[inline(always)]
            |k: usize| rows.get(at[k] as usize),
        );
        transpose(self.0, [&row(0), &row(1), &row(2), &row(3), &row(4), &row(5), &row(6), &row(7)])
    }
    #[inline(always)]
    fn any(self, mask: <Eight<S> as Lane>::Mask) -> bool {
        bits(mask) != 0
    }
    #[inline(always)]
    fn bits(self, mask: <Eight<S> as Lane>::Mask) -> u8 {
        bits(mask) as u8
    }
    #[inline(always)]
    fn least(self, value: Eight<S>) -> f32 {
        Vector::least(value)
    }
    #[inline(always)]
    fn apart<R>(self, part: impl FnOnce() -> R) -> R {
        self.0.vectorize(part)
    }
    #[inline(always)]
    fn begins(self) -> bool {
        true
    }
    #[inline(always)]
    fn is_one(self) -> bool {
        false
    }
}

/// Asks once for all eight whether a column has the rows: the compiler then asks no more, and eight
/// comparisons are one.
#[inline(always)]
fn all_inside(count: usize, at: &[u32; LANES]) {
    let mut inside = true;
    for &row in at {
        inside &= (row as usize) < count;
    }
    assert!(inside, "a block names rows that are there");
}

/// A block read one number at a time.
#[inline(always)]
pub(crate) fn gather<V: Vector>(simd: V::Set, column: [f32; LANES]) -> V {
    Vector::load(simd, &column)
}

/// The eight lanes as an array.
#[inline(always)]
pub(crate) fn scatter<V: Vector>(lanes: V) -> [f32; LANES] {
    let mut array = [0.0; LANES];
    Vector::store(lanes, &mut array);
    array
}

/// The eight lanes, which hold small whole numbers, as integers.
#[inline(always)]
pub(crate) fn scatter_whole<V: Vector>(lanes: V) -> [u32; LANES] {
    Vector::whole(lanes)
}

/// One bit a lane, lane 0 lowest.
#[inline(always)]
pub(crate) fn bits(mask: impl Bits) -> u32 {
    mask.bits()
}
