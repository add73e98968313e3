//! Eight rows at a time, as columns.
//!
//! In: rows by slot. Out: the same words, column by column.

use crate::simd::{Eight, LANES, Vector, Vectors, transpose};
use crate::state::GROUP;

/// Slots, eight at a time, and how many they are; behind the last one is slot 0. The last group is
/// empty.
#[inline(always)]
pub(super) fn next_slots(rest: &mut impl Iterator<Item = u32>) -> ([u32; GROUP], usize) {
    let (mut slots, mut count) = ([0; GROUP], 0);
    while count < GROUP
        && let Some(slot) = rest.next()
    {
        slots[count] = slot;
        count += 1;
    }
    (slots, count)
}

/// Eight of some rows, as columns.
#[inline(always)]
pub(super) fn columns_of<S: Vectors>(
    simd: S,
    rows: &[[f32; LANES]],
    slots: &[u32; GROUP],
) -> [[u32; GROUP]; GROUP] {
    turned(
        simd,
        slots.map(
            #[inline(always)]
            |slot| &rows[slot as usize],
        ),
    )
}

/// Eight rows of eight words as columns, or columns as rows.
#[inline(always)]
pub(in crate::world::snapshot) fn turned<S: Vectors>(
    simd: S,
    rows: [&[f32; LANES]; LANES],
) -> [[u32; GROUP]; GROUP] {
    let columns: [Eight<S>; LANES] = transpose(simd, rows);
    columns.map(
        #[inline(always)]
        |column| {
            let mut numbers = [0.0; LANES];
            column.store(&mut numbers);
            bytemuck::cast(numbers)
        },
    )
}
