//! Gather and scatter of velocities of bodies that several joints push, around a pass: row by row,
//! four numbers at a time. (Trees with bodies of their own use `trees/gather.rs`.)
//!
//! In: velocities as contacts left them. Out: the velocities for joints; and afterwards the change
//! by joints, added to the unconstrained velocity.

use crate::math::{max, min};
use crate::solver::Columns;
use crate::threads::{Shared, Team};

/// A row of a column: x, y, spin, and a fourth number that is always 0 here.
type Row = [f32; 4];

/// Rows per chunk.
const GATHER_ROW_GRAIN: usize = if cfg!(debug_assertions) { 16 } else { 1024 };

/// Subtracts `lag` from the velocities, stores them in `before`, and adds `start`, if there is
/// any.
pub(crate) fn remove_lag(
    team: &Team,
    rows: &[u32],
    columns: &mut Columns,
    (is_kicked, start): (bool, Option<&[Row]>),
    before: &mut [Row],
) {
    let (velocity, kick) = (Shared::new(&mut columns.velocity), &columns.lag[..]);
    team.for_chunks(&mut before[..rows.len()], GATHER_ROW_GRAIN, |first, before| {
        let rows = rows[first..].iter().map(|&row| row as usize).zip(before);
        match (is_kicked, start) {
            (false, _) => rows.for_each(|(row, before)| *before = velocity.get(row)),
            (true, None) => rows.for_each(|(row, before)| {
                let kick = kick[row];
                velocity.change(row, |v| {
                    *before = less(v, kick);
                    *before
                });
            }),
            (true, Some(start)) => rows.for_each(|(row, before)| {
                let (kick, start) = (kick[row], start[row]);
                velocity.change(row, |v| {
                    *before = less(v, kick);
                    sum(*before, start)
                });
            }),
        }
    });
}

/// Notes the change by joints, and adds back what [`remove_lag`] subtracted. Velocities are clamped
/// to `limits`.
pub(crate) fn put_back(
    team: &Team,
    rows: &[u32],
    columns: &mut Columns,
    (is_kicked, limits): (bool, Row),
    before: &[Row],
) {
    let (velocity, free) = (Shared::new(&mut columns.velocity), Shared::new(&mut columns.unconstrained));
    let kick = &columns.lag[..];
    team.for_ranges(rows.len(), GATHER_ROW_GRAIN, |range| {
        for (&row, &before) in rows[range.clone()].iter().zip(&before[range]) {
            let row = row as usize;
            velocity.change(row, |v| {
                let kept = within(v, limits);
                free.change(row, |free| sum(free, less(kept, before)));
                if is_kicked { sum(kept, kick[row]) } else { kept }
            });
        }
    });
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
