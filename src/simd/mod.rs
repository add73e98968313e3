//! SIMD lanes: one source for a kernel, run on one number or on eight at a time.
//!
//! In: kernels written over [`Lane`]. Out: the same bits from `f32` and from eight lanes, at every
//! instruction set, because every operation here is exact or correctly rounded, and no operation is
//! fused or sums across lanes. `f32` is the readable reference; [`Eight`] is the fast version.
//!
//! Only this folder uses `fearless_simd`. [`Level::widest`] asks the CPU once, when the program
//! first needs it. Blocks always have eight lanes, so layouts and results do not depend on the CPU.
//! Every function below a dispatch is `#[inline(always)]`: a call inside it would lose the wide
//! registers.
//!
//! There is no fused multiply-add, no approximate reciprocal, and no `min`/`max` instruction (their
//! ties of +0 and -0 differ between CPUs): a select replaces it.

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

/// The number of lanes of a block.
pub(crate) const LANES: usize = 8;

/// A mask of all lanes, one bit each.
pub(crate) const ALL_LANES: u32 = (1 << LANES) - 1;

/// The index of each lane.
pub(crate) const LANES_IN_ORDER: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Numbers that a kernel computes with: one, or eight side by side.
pub(crate) trait Lane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The same lanes in double precision.
    type Double: Double;
    /// A truth value for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// Returns `value` in every lane, in as many lanes as `self` has.
    fn splat(self, value: f32) -> Self;
    /// Returns the absolute value.
    fn abs(self) -> Self;
    /// Returns the correctly rounded square root.
    fn sqrt(self) -> Self;
    /// Whether `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Whether `self <= other`.
    fn le(self, other: Self) -> Self::Mask;
    /// Whether `self == other`.
    fn eq(self, other: Self) -> Self::Mask;
    /// Returns `a` where the mask holds, else `b`.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// Whether any of the `flags` is set; the lane holds a word, not a float.
    fn has(self, flags: u32) -> Self::Mask;
    /// Whether the bits are equal.
    fn is_same(self, other: Self) -> Self::Mask;
    /// Returns the bitwise AND with `mask`.
    fn and_bits(self, mask: u32) -> Self;
    /// Returns the bitwise OR.
    fn or_bits(self, other: Self) -> Self;
    /// Whether an integer is within `most` of 0; the lane holds an integer, not a float.
    fn is_whole_within(self, most: i32) -> Self::Mask;
    /// Converts to double precision: exact.
    fn widen(self) -> Self::Double;
    /// Rounds from double precision.
    fn narrow(wide: Self::Double) -> Self;

    /// Returns the larger number; in a tie `self`.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(self.lt(other), other, self)
    }

    /// Returns the smaller number; in a tie `self`.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self::select(other.lt(self), other, self)
    }

    /// Returns the larger number, in one instruction. For two zeros, or a number and NaN, the
    /// result depends on the CPU: use it only for bounds that prune a search, never for a result.
    #[inline(always)]
    fn larger_bound(self, other: Self) -> Self {
        self.larger(other)
    }

    /// Returns the smaller number, with the limits of [`Lane::larger_bound`].
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

/// Marks a closure over lanes as always inlined, which needs a closure that is an argument: `let f
/// = inlined(#[inline(always)] |x| …)`.
///
/// The compiler may compile a closure that is called twice, or given to `map` of an array, as a
/// function of its own: without the lanes of the kernel around it, ten times as slow. Kernels mark
/// such closures by this function, or write a loop. (One such `map` in `impacts.rs` made scenes of
/// bouncing heaps 5 % slower. `.ci/run` looks for such functions.)
#[inline(always)]
pub(crate) fn inlined<F>(closure: F) -> F {
    closure
}

/// Rows of four numbers that kernels read.
pub(crate) trait Table {
    /// Returns the number of rows.
    fn count(&self) -> usize;
    /// Returns row `at`.
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

/// The number of constraints that a kernel works on at a time: one lane of a block, or all eight.
///
/// A kernel that is written over this trait is its own scalar reference: [`OneLane`] and
/// [`AllLanes`] run the same lines in the same order, so their bits agree.
pub(crate) trait Width: Copy {
    /// The numbers of this width.
    type L: Lane;

    /// Returns `value` in every lane.
    fn splat(self, value: f32) -> Self::L;
    /// Reads a column of a block.
    fn read(self, column: &[f32; LANES]) -> Self::L;
    /// Writes a column of a block.
    fn write(self, column: &mut [f32; LANES], value: Self::L);
    /// Reads four columns from the rows that a block names.
    fn gather(self, rows: &(impl Table + ?Sized), at: &[u32; LANES]) -> [Self::L; 4];
    /// Writes four columns to the rows that a block names.
    fn scatter(self, rows: &mut (impl TableMut + ?Sized), at: &[u32; LANES], columns: [Self::L; 4]);
    /// Writes four columns to the rows of the lanes whose bit is set.
    fn scatter_some(
        self,
        rows: &mut (impl TableMut + ?Sized),
        at: &[u32; LANES],
        lanes: u8,
        columns: [Self::L; 4],
    );
    /// Reads eight columns from the rows that a block names.
    fn gather_eight(self, rows: &[[f32; LANES]], at: &[u32; LANES]) -> [Self::L; LANES];
    /// Writes eight columns to the rows of the lanes whose bit is set.
    fn scatter_eight(
        self,
        rows: Shared<[f32; LANES]>,
        at: &[u32; LANES],
        lanes: u8,
        columns: [Self::L; LANES],
    );
    /// Reads eight columns from the rows that a block names, while other threads write other rows.
    fn gather_shared(self, rows: Shared<[f32; LANES]>, at: &[u32; LANES]) -> [Self::L; LANES];
    /// Whether the mask holds in any lane.
    fn any(self, mask: <Self::L as Lane>::Mask) -> bool;
    /// Returns a bit for each lane where the mask holds.
    fn bits(self, mask: <Self::L as Lane>::Mask) -> u8;
    /// Returns the least lane. No lane may be NaN or zero: so there are no ties that differ.
    fn least(self, value: Self::L) -> f32;
    /// Runs a part of a long kernel as a function of its own, with the same lanes. In one piece, a
    /// debug build gives each number its own place on the stack, which takes megabytes.
    /// `w.apart(#[inline(always)] || …)`.
    fn apart<R>(self, part: impl FnOnce() -> R) -> R;
    /// Does [`apart`](Width::apart) in debug builds, and runs `part` in place in others: for parts
    /// so small that a call would be slow.
    #[inline(always)]
    fn apart_in_debug<R>(self, part: impl FnOnce() -> R) -> R {
        if cfg!(debug_assertions) { self.apart(part) } else { part() }
    }
    /// Whether this is the first lane: then the data that a block has only once is reset.
    fn begins(self) -> bool;
    /// Whether this is one lane, which does not know the needs of the other lanes of its block.
    fn is_one(self) -> bool;
}

/// The lanes of a block as [`Width`]s to iterate: eight of one lane, or one of all eight.
pub(crate) trait Widths: Copy {
    type W: Width;

    /// Returns each width, in the order of the lanes.
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

/// Runs `part` without inlining: it is compiled once, and not for each instruction set.
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

/// Checks once for all eight rows that the column has them: the compiler then drops its bounds
/// checks, and merges the eight comparisons into one.
#[inline(always)]
fn all_inside(count: usize, at: &[u32; LANES]) {
    let mut inside = true;
    for &row in at {
        inside &= (row as usize) < count;
    }
    assert!(inside, "a block names rows that are there");
}

/// Reads the eight lanes from an array.
#[inline(always)]
pub(crate) fn gather<V: Vector>(simd: V::Set, column: [f32; LANES]) -> V {
    Vector::load(simd, &column)
}

/// Returns the eight lanes as an array.
#[inline(always)]
pub(crate) fn scatter<V: Vector>(lanes: V) -> [f32; LANES] {
    let mut array = [0.0; LANES];
    Vector::store(lanes, &mut array);
    array
}

/// Returns the eight lanes, which hold small whole numbers, as integers.
#[inline(always)]
pub(crate) fn scatter_whole<V: Vector>(lanes: V) -> [u32; LANES] {
    Vector::whole(lanes)
}

/// Returns a bit for each lane, lane 0 lowest.
#[inline(always)]
pub(crate) fn bits(mask: impl Bits) -> u32 {
    mask.bits()
}
