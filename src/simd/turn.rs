//! Rows to columns, and back.
//!
//! In: rows of four or eight numbers, or as many columns of eight lanes. Out: the others. `Width::gather` and `Width::scatter` are made of
//! these.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f64x2, mask32x8};

use super::{Eight, LANES, Simd, inlined};

/// Eight rows of eight numbers as eight columns: lane k of column c is number c of row k.
///
/// Picking the numbers one by one and storing them as columns is twice as slow: the wide load waits until eight narrow stores have
/// left the store buffer.
#[inline(always)]
pub(crate) fn transpose<S: Simd>(simd: S, rows: [&[f32; LANES]; LANES]) -> [Eight<S>; LANES] {
    let of_four = inlined(
        #[inline(always)]
        |half: usize| {
            let [a, b, c, d, e, f, g, h] = rows;
            let part = inlined(
                #[inline(always)]
                |row: &[f32; LANES]| f32x4::load_array(simd, row.as_chunks().0[half]),
            );
            columns_of([
                part(a).combine(part(e)),
                part(b).combine(part(f)),
                part(c).combine(part(g)),
                part(d).combine(part(h)),
            ])
        },
    );
    let ([a, b, c, d], [e, f, g, h]) = (of_four(0), of_four(1));
    [a, b, c, d, e, f, g, h]
}

/// Eight columns as rows.
#[inline(always)]
pub(crate) fn transpose_lanes<S: Simd>([a, b, c, d, e, f, g, h]: [Eight<S>; LANES]) -> [Eight<S>; LANES] {
    let [a0, b0, c0, d0, e0, f0, g0, h0] = rows_of([a, b, c, d]);
    let [a1, b1, c1, d1, e1, f1, g1, h1] = rows_of([e, f, g, h]);
    let (abcd, efgh) = (
        [a0.combine(a1), b0.combine(b1), c0.combine(c1), d0.combine(d1)],
        [e0.combine(e1), f0.combine(f1), g0.combine(g1), h0.combine(h1)],
    );
    let ([a, b, c, d], [e, f, g, h]) = (abcd, efgh);
    [a, b, c, d, e, f, g, h]
}

/// Rows of four to columns: a register has row k in its lower half and row k + 4 in its upper one, so that each half is turned by
/// itself and what comes out is in order.
///
/// Nothing crosses from half to half: that takes one port alone on Intel machines, three cycles, and an order of numbers in a register.
/// Three rounds of `interleave`, which crosses in each, are 1.7 times as slow to gather on AVX2 and 1.2 times on AVX-512.
#[inline(always)]
pub(super) fn columns_of<S: Simd>([a, b, c, d]: [Eight<S>; 4]) -> [Eight<S>; 4] {
    let ((ac, ac_end), (bd, bd_end)) = (by_twos(a, c), by_twos(b, d));
    let ((x, y), (z, w)) = (by_ones(ac, bd), by_ones(ac_end, bd_end));
    [x, y, z, w]
}

/// The way back.
#[inline(always)]
pub(super) fn rows_of<S: Simd>([x, y, z, w]: [Eight<S>; 4]) -> [f32x4<S>; LANES] {
    let ((xy_even, xy_odd), (zw_even, zw_odd)) = (by_ones(x, y), by_ones(z, w));
    if S::f32s::LEN > LANES {
        // AVX-512: the compiler cuts registers before the last round anyhow, and then not as well.
        let ((a, c, e, g), (b, d, f, h)) = (by_doubles(xy_even, zw_even), by_doubles(xy_odd, zw_odd));
        return [a, b, c, d, e, f, g, h];
    }
    let ((ae, cg), (bf, dh)) = (by_twos(xy_even, zw_even), by_twos(xy_odd, zw_odd));
    let ((a, e), (b, f), (c, g), (d, h)) = (ae.split(), bf.split(), cg.split(), dh.split());
    [a, b, c, d, e, f, g, h]
}

/// `[p0 p1 q0 q1]` and `[p2 p3 q2 q3]`, in each half.
#[inline(always)]
fn by_twos<S: Simd>(p: Eight<S>, q: Eight<S>) -> (Eight<S>, Eight<S>) {
    let first = mask32x8::from_bitmask(p.simd, 0b0011_0011);
    let middle = p.slide_within_blocks::<2>(q);
    (first.select(p, middle), first.select(middle, q))
}

/// `[p0 q0 p2 q2]` and `[p1 q1 p3 q3]`, in each half.
#[inline(always)]
fn by_ones<S: Simd>(p: Eight<S>, q: Eight<S>) -> (Eight<S>, Eight<S>) {
    let even = mask32x8::from_bitmask(p.simd, 0b0101_0101);
    let (q_up, p_down) = (q.slide_within_blocks::<3>(q), p.slide_within_blocks::<1>(p));
    (even.select(p, q_up), even.select(p_down, q))
}

/// `by_twos`, each half in a register of its own: the lower ones, then the upper ones.
#[inline(always)]
fn by_doubles<S: Simd>(p: Eight<S>, q: Eight<S>) -> (f32x4<S>, f32x4<S>, f32x4<S>, f32x4<S>) {
    let zip = inlined(
        #[inline(always)]
        |p: f32x4<S>, q: f32x4<S>| p.bitcast::<f64x2<S>>().interleave(q.bitcast::<f64x2<S>>()),
    );
    let ((p_low, p_high), (q_low, q_high)) = (p.split(), q.split());
    let ((a, b), (c, d)) = (zip(p_low, q_low), zip(p_high, q_high));
    (a.bitcast(), b.bitcast(), c.bitcast(), d.bitcast())
}
