//! Eight rows at a time, as columns.
//!
//! In: rows by slot. Out: the same words, column by column.

use crate::simd::{AllLanes, Eight, LANES, Vector, Vectors, Width, inlined, transpose};
use crate::state::GROUP;

/// Eight of some rows, as columns.
#[inline(always)]
pub(in crate::world::snapshot) fn columns_of<S: Vectors>(
    simd: S,
    rows: &[[f32; LANES]],
    slots: &[u32; GROUP],
) -> [[u32; GROUP]; GROUP] {
    words_of(AllLanes(simd).gather_eight(rows, slots))
}

/// Eight rows of eight words as columns, or columns as rows.
#[inline(always)]
pub(in crate::world::snapshot) fn turned<S: Vectors>(
    simd: S,
    rows: [&[f32; LANES]; LANES],
) -> [[u32; GROUP]; GROUP] {
    words_of(transpose::<Eight<S>>(simd, rows))
}

/// Written out: mapped, the numbers would leave their registers for a function of its own.
#[inline(always)]
fn words_of<V: Vector>([a, b, c, d, e, f, g, h]: [V; LANES]) -> [[u32; GROUP]; GROUP] {
    let words = inlined(
        #[inline(always)]
        |column: V| {
            let mut numbers = [0.0; LANES];
            column.store(&mut numbers);
            bytemuck::cast(numbers)
        },
    );
    [words(a), words(b), words(c), words(d), words(e), words(f), words(g), words(h)]
}
