//! The bodies that several joints push, before a push and after it: row by row, four numbers at a time. (Trees that have theirs to
//! themselves: `tree/bodies.rs`.)
//!
//! In: velocities as contacts left them. Out: those that joints see; and afterwards what joints did, added to what contacts
//! leave out.

use crate::math::{max, min};
use crate::solver::Columns;

/// A row of a column: x, y, spin, and a fourth number that is 0 in all that comes here.
type Row = [f32; 4];

/// Takes the half of the kick that is still to come off the velocities, which `before` then holds, and adds `start`, if there is any.
pub(super) fn take_off(
    rows: &[u32],
    columns: &mut Columns,
    (is_kicked, start): (bool, Option<&[Row]>),
    before: &mut [Row],
) {
    let (velocity, kick) = (&mut columns.velocity[..], &columns.kick[..]);
    let rows = rows.iter().zip(before);
    match (is_kicked, start) {
        (false, _) => rows.for_each(|(&row, before)| *before = velocity[row as usize]),
        (true, None) => rows.for_each(|(&row, before)| {
            let v = &mut velocity[row as usize];
            *v = less(*v, kick[row as usize]);
            *before = *v;
        }),
        (true, Some(start)) => rows.for_each(|(&row, before)| {
            let v = &mut velocity[row as usize];
            *before = less(*v, kick[row as usize]);
            *v = sum(*before, start[row as usize]);
        }),
    }
}

/// Notes what joints did, and gives back what [`take_off`] took. No velocity is left beyond `limits`.
pub(super) fn put_back(
    rows: &[u32],
    columns: &mut Columns,
    (is_kicked, limits): (bool, Row),
    before: &[Row],
) {
    let Columns { velocity, free, kick, .. } = columns;
    for (&row, &before) in rows.iter().zip(before) {
        let (v, free) = (&mut velocity[row as usize], &mut free[row as usize]);
        let kept = within(*v, limits);
        *free = sum(*free, less(kept, before));
        *v = if is_kicked { sum(kept, kick[row as usize]) } else { kept };
    }
}

#[inline(always)]
fn sum(a: Row, b: Row) -> Row {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

#[inline(always)]
fn less(a: Row, b: Row) -> Row {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline(always)]
fn within(v: Row, most: Row) -> Row {
    let one = |k: usize| min(max(v[k], -most[k]), most[k]);
    [one(0), one(1), one(2), one(3)]
}
