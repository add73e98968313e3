//! Parts in the frames of their bodies, interned: equal ones share a row, as they share a form (see
//! `core_table.rs`).
//!
//! In: rows of parts that come and go. Out: the number of each part's row, and the rows as lanes
//! read them. A part keeps four bytes in place of 32, and rows that many share stay in the cache.
//!
//! A row is looked for among recent ones alone: in a heap of equal boxes each finds its row, and
//! where all are different a table of all would take more memory than it saves.

use bytemuck::Zeroable;

use super::collider::LocalRow;
use crate::simd::AlignedRows;
use crate::util::Common;

/// Recent rows that are remembered, each in the place that its bits say; a power of two.
const RECENT: usize = 64;

/// Rows by number, with how many parts have each. Number 0 is of parts that are not in use.
#[derive(Debug)]
pub(crate) struct LocalRows {
    /// The same for all clones in which none was added.
    rows: Common<AlignedRows<LocalRow>>,
    users: Vec<u32>,
    free: Vec<u32>,
    /// Numbers of recent rows, which may be others' by now.
    recent: [u32; RECENT],
}

crate::state::clone_by_field! { LocalRows { rows, users, free, recent } }

impl Default for LocalRows {
    fn default() -> LocalRows {
        let mut rows = AlignedRows::default();
        rows.push(LocalRow::zeroed());
        LocalRows { rows: rows.into(), users: vec![1], free: Vec::new(), recent: [LocalRows::NONE; RECENT] }
    }
}

impl LocalRows {
    /// The number of no part.
    pub(crate) const NONE: u32 = 0;

    /// Removes all rows.
    pub(crate) fn clear(&mut self) {
        self.rows.own().resize(1);
        self.users.truncate(1);
        self.free.clear();
        self.recent = [LocalRows::NONE; RECENT];
    }

    /// The number of a row. To be given back by [`LocalRows::release`].
    pub(crate) fn take(&mut self, row: &LocalRow) -> u32 {
        let bits: [u32; 8] = bytemuck::cast(*row);
        let mixed =
            bits.iter().fold(0_u32, |mixed, word| (mixed ^ word).wrapping_mul(0x9E37_79B1).rotate_left(15));
        let place = mixed as usize % RECENT;
        let known = self.recent[place];
        if known != LocalRows::NONE
            && self.users[known as usize] > 0
            && bytemuck::cast::<LocalRow, [u32; 8]>(self.rows[known as usize]) == bits
        {
            self.users[known as usize] += 1;
            return known;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.rows.own().push(LocalRow::zeroed());
            self.users.push(0);
            self.users.len() as u32 - 1
        });
        (self.rows.own()[number as usize], self.users[number as usize]) = (*row, 1);
        self.recent[place] = number;
        number
    }

    /// Counts one more part of a row, and returns its number.
    #[inline(always)]
    pub(crate) fn take_again(&mut self, number: u32) -> u32 {
        self.users[number as usize] += 1;
        number
    }

    /// Counts one part of a row less.
    pub(crate) fn release(&mut self, number: u32) {
        if number == LocalRows::NONE {
            return;
        }
        let users = &mut self.users[number as usize];
        *users -= 1;
        if *users == 0 {
            self.free.push(number);
        }
    }

    /// A row.
    #[inline(always)]
    pub(crate) fn row(&self, number: u32) -> &LocalRow {
        &self.rows[number as usize]
    }

    /// All rows as numbers.
    #[inline(always)]
    pub(crate) fn lanes(&self) -> &[[f32; 8]] {
        self.rows.lanes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f32) -> LocalRow {
        let mut row = LocalRow::zeroed();
        row.middle.x = x;
        row
    }

    #[test]
    fn equal_parts_share_a_row_until_the_last_is_gone() {
        let mut rows = LocalRows::default();
        let (a, b, c) = (rows.take(&row(1.0)), rows.take(&row(2.0)), rows.take(&row(1.0)));
        assert!(a == c && a != b && a != LocalRows::NONE);
        assert_ne!(rows.take(&row(0.0)), rows.take(&row(-0.0)), "bits count, not numbers");
        rows.release(a);
        assert_eq!(rows.take(&row(1.0)), a);
        (0..2).for_each(|_| rows.release(a));
        let other = rows.take(&row(3.0));
        assert_eq!((other, rows.row(other).middle.x), (a, 3.0), "its place is taken again");
        let again = rows.take(&row(1.0));
        assert_eq!((again != other, rows.row(again).middle.x), (true, 1.0));
    }

    #[test]
    fn many_different_rows_are_all_kept() {
        let mut rows = LocalRows::default();
        let numbers: Vec<u32> = (0..1000).map(|k| rows.take(&row(k as f32))).collect();
        assert!(numbers.iter().enumerate().all(|(k, &number)| rows.row(number).middle.x == k as f32));
        rows.clear();
        assert_eq!((rows.lanes().len(), rows.take(&row(7.0))), (1, 1));
    }
}
