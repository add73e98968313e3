//! Small matrices in lanes: up to three rows, decomposed and solved.
//!
//! In: symmetric matrices of joints and bodies, columns of blocks. Out: L D Lᵀ factors, solutions.

use crate::simd::{Lane, Width};
use crate::solver::columns::Column;

/// A symmetric matrix of three rows: `[00, 01, 02, 11, 12, 22]`; or its L D Lᵀ: `[1 / d0, l10, l20,
/// 1 / d1, l21, 1 / d2]`.
pub(super) type Symmetric<L> = [L; 6];

/// One over a pivot, 0 where too little is left of `whole`.
#[inline(always)]
pub(super) fn pivot<W: Width>(w: W, left: W::L, whole: W::L) -> W::L {
    let inverse = inverse(w, left);
    W::L::select((whole * w.splat(NO_PIVOT)).lt(left), inverse, w.splat(0.0))
}

/// A pivot smaller than this share of its former value means a redundant constraint.
const NO_PIVOT: f32 = 1.0e-6;

/// L D Lᵀ of the first `size` rows.
#[inline(always)]
pub(super) fn decompose<W: Width>(w: W, m: Symmetric<W::L>, size: usize) -> Symmetric<W::L> {
    let zero = w.splat(0.0);
    let [m00, m01, m02, m11, m12, m22] = m;
    let d0 = pivot(w, m00, m00);
    if size == 1 {
        return [d0, zero, zero, zero, zero, zero];
    }
    let l10 = m01 * d0;
    let d1 = pivot(w, m11 - l10 * m01, m11);
    if size == 2 {
        return [d0, l10, zero, d1, zero, zero];
    }
    let l20 = m02 * d0;
    let rest = m12 - l10 * m02;
    let l21 = rest * d1;
    let d2 = pivot(w, m22 - l20 * m02 - l21 * rest, m22);
    [d0, l10, l20, d1, l21, d2]
}

/// The x that the decomposed matrix maps to `y`.
#[inline(always)]
pub(super) fn solved<L: Lane>(ldl: Symmetric<L>, y: [L; 3], size: usize) -> [L; 3] {
    let [d0, l10, l20, d1, l21, d2] = ldl;
    let mut x = y;
    if size > 1 {
        x[1] = x[1] - l10 * x[0];
    }
    if size > 2 {
        x[2] = x[2] - l20 * x[0] - l21 * x[1];
        x[2] = x[2] * d2;
    }
    if size > 1 {
        x[1] = x[1] * d1;
        if size > 2 {
            x[1] = x[1] - l21 * x[2];
        }
    }
    x[0] = x[0] * d0;
    if size > 1 {
        x[0] = x[0] - l10 * x[1];
    }
    if size > 2 {
        x[0] = x[0] - l20 * x[2];
    }
    x
}

/// x with K x = y for two rows, K = [00 01; 01 11], by L D Lᵀ: products of two of its numbers may
/// be beyond all floats. A row that only repeats the other one adds nothing.
#[inline(always)]
pub(super) fn solve_two<W: Width>(w: W, [k_00, k_01, k_11]: [W::L; 3], [y_0, y_1]: [W::L; 2]) -> [W::L; 2] {
    let d_0 = inverse(w, k_00);
    let l = k_01 * d_0;
    let d_1 = second_pivot(w, k_11, k_11 - l * k_01);
    let x_1 = (y_1 - l * y_0) * d_1;
    [y_0 * d_0 - l * x_1, x_1]
}

/// One over the pivot of the second row; 0 if the row only repeats the first.
#[inline(always)]
pub(super) fn second_pivot<W: Width>(w: W, k_11: W::L, left: W::L) -> W::L {
    W::L::select((k_11 * w.splat(NO_PIVOT)).lt(left), inverse(w, left), w.splat(0.0))
}

/// One over `x`, or 0 where `x` is 0 or the quotient would overflow.
#[inline(always)]
pub(super) fn inverse<W: Width>(w: W, x: W::L) -> W::L {
    let zero = w.splat(0.0);
    W::L::select(w.splat(LEAST_INVERTED).lt(x), w.splat(1.0) / x, zero)
}

/// See [`inverse`]: a product of two inverse inertias of the heaviest bodies is more than that.
const LEAST_INVERTED: f32 = 1.0e-37;

/// An impulse along one axis.
#[inline(always)]
pub(super) fn only<W: Width>(w: W, number: usize, impulse: W::L) -> [W::L; 3] {
    let mut row = [w.splat(0.0); 3];
    row[number] = impulse;
    row
}

#[inline(always)]
pub(super) fn two<W: Width>(w: W, columns: &[Column; 2]) -> [W::L; 2] {
    [w.read(&columns[0]), w.read(&columns[1])]
}

#[inline(always)]
pub(super) fn read<W: Width, const N: usize>(w: W, columns: &[Column; N]) -> [W::L; N] {
    let mut lanes = [w.splat(0.0); N];
    for k in 0..N {
        lanes[k] = w.read(&columns[k]);
    }
    lanes
}

#[inline(always)]
pub(super) fn write<W: Width, const N: usize>(w: W, columns: &mut [Column; N], lanes: [W::L; N]) {
    for k in 0..N {
        w.write(&mut columns[k], lanes[k]);
    }
}
