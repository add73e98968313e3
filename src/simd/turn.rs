//! Transposition: rows to columns, and back.
//!
//! In: rows of eight numbers, or columns of eight lanes. Out: columns, or rows.

use fearless_simd::f32x4;
use fearless_simd::prelude::*;

use super::eight::{Vector, fours};
use super::{LANES, inlined};

/// Transposes eight rows of eight numbers: lane k of column c is number c of row k.
///
/// Picking the numbers one by one and storing them as columns is twice as slow: the wide load waits
/// until eight narrow stores have left the store buffer.
#[inline(always)]
pub(crate) fn transpose<V: Vector>(simd: V::Set, rows: [&[f32; LANES]; LANES]) -> [V; LANES] {
    let of_four = inlined(
        #[inline(always)]
        |half: usize| {
            let [a, b, c, d, e, f, g, h] = rows;
            let part = inlined(
                #[inline(always)]
                |row: &[f32; LANES]| f32x4::load_array(simd, fours(row)[half]),
            );
            V::columns_of([part(a), part(b), part(c), part(d), part(e), part(f), part(g), part(h)])
        },
    );
    let ([a, b, c, d], [e, f, g, h]) = (of_four(0), of_four(1));
    [a, b, c, d, e, f, g, h]
}

/// Transposes eight columns into rows.
#[inline(always)]
pub(crate) fn transpose_lanes<V: Vector>([a, b, c, d, e, f, g, h]: [V; LANES]) -> [V; LANES] {
    let [a0, b0, c0, d0, e0, f0, g0, h0] = V::rows_of([a, b, c, d]);
    let [a1, b1, c1, d1, e1, f1, g1, h1] = V::rows_of([e, f, g, h]);
    [
        V::join(a0, a1),
        V::join(b0, b1),
        V::join(c0, c1),
        V::join(d0, d1),
        V::join(e0, e1),
        V::join(f0, f1),
        V::join(g0, g1),
        V::join(h0, h1),
    ]
}
