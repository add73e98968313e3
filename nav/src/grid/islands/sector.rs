//! Cells of a sector as bits, and connected components within it.
//!
//! In: the walls of a map. Out: the free cells of a sector of 32 x 32, and the cells among them
//! that are joined to a cell inside the sector. A row is a word; its runs are filled at once.

use super::Links;
use crate::grid::bits::Bits;
use crate::grid::{Cell, Map};

/// Cells along a side of a sector: a row is one word.
pub(super) const SIDE: i32 = 32;

/// The cells of a set along each side: below, right, above, left; the lowest bit is the lower or
/// left end.
pub(super) type Borders = [u32; 4];

/// Rows of a sector, from the lowest up.
pub(super) type Rows = [u32; SIDE as usize];

/// The lower left cell of the sector that contains a cell.
#[inline]
pub(super) fn corner_of(cell: Cell) -> Cell {
    Cell::new(cell.x & !(SIDE - 1), cell.y & !(SIDE - 1))
}

/// The free cells among 32 cells of a line of bits; none if the line is beyond the map.
#[inline]
fn free_of(bits: &Bits, x: i32, y: i32) -> u32 {
    !(bits.words()[bits.start(y) + (x >> 6) as usize] >> (x & 32)) as u32
}

/// The free cells of the sector with this corner.
pub(super) fn free_rows(map: &Map, corner: Cell) -> Rows {
    let mut rows = [0; SIDE as usize];
    for (y, row) in (corner.y..map.height()).zip(&mut rows) {
        *row = free_of(map.rows(), corner.x, y);
    }
    rows
}

/// The free cells just beyond a side of a sector, along it.
#[inline]
pub(super) fn free_beyond(map: &Map, corner: Cell, side: usize) -> u32 {
    let Cell { x, y } = corner;
    match side {
        0 => free_of(map.rows(), x, y - 1),
        1 if x + SIDE < map.width() => free_of(map.columns(), y, x + SIDE),
        2 if y + SIDE < map.height() => free_of(map.rows(), x, y + SIDE),
        3 => free_of(map.columns(), y, x - 1),
        _ => 0,
    }
}

/// The cell just beyond a side of a sector, `along` cells along it.
#[inline]
pub(super) fn beyond(corner: Cell, side: usize, along: i32) -> Cell {
    corner
        + match side {
            0 => Cell::new(along, -1),
            1 => Cell::new(SIDE, along),
            2 => Cell::new(along, SIDE),
            _ => Cell::new(-1, along),
        }
}

/// The free cells that are joined to `cell` inside the sector.
pub(super) fn joined_to(free: &Rows, cell: Cell, links: Links) -> Rows {
    let mut joined = [0; SIDE as usize];
    let (x, y) = ((cell.x & (SIDE - 1)) as u32, (cell.y & (SIDE - 1)) as usize);
    joined[y] = fill(free[y], 1 << x);
    // Rows whose neighbouring rows are still to be filled.
    let mut open = 1_u32 << y;
    while open != 0 {
        let y = open.trailing_zeros() as usize;
        open &= open - 1;
        let [below, above] = links.touched(joined[y]);
        let mut reach = |row: usize, touched: u32| {
            let new = touched & free[row] & !joined[row];
            if new != 0 {
                joined[row] |= fill(free[row], new);
                open |= 1 << row;
            }
        };
        if y > 0 {
            reach(y - 1, below);
        }
        if y + 1 < SIDE as usize {
            reach(y + 1, above);
        }
    }
    joined
}

/// All runs of free cells that contain a set bit.
#[inline]
fn fill(free: u32, set: u32) -> u32 {
    // Upwards, a carry runs from each set cell to the end of its run.
    let mut filled = set | free & !free.wrapping_add(set);
    // Downwards, by steps of double length (Kogge and Stone).
    let mut through = free;
    for step in [1, 2, 4, 8, 16] {
        filled |= through & (filled >> step);
        through &= through >> step;
    }
    filled
}

/// The cells of a set along each side of its sector.
pub(super) fn borders_of(rows: &Rows) -> Borders {
    let mut borders = [rows[0], 0, rows[SIDE as usize - 1], 0];
    for (y, row) in rows.iter().enumerate() {
        borders[1] |= (row >> 31) << y;
        borders[3] |= (row & 1) << y;
    }
    borders
}

/// The bits of one cell along the sides of its sector.
#[inline]
pub(super) fn borders_at(cell: Cell) -> Borders {
    let (x, y) = (cell.x & (SIDE - 1), cell.y & (SIDE - 1));
    let bit = |is_there: bool, along: i32| u32::from(is_there) << along;
    [bit(y == 0, x), bit(x == SIDE - 1, y), bit(y == SIDE - 1, x), bit(x == 0, y)]
}

/// The directions, as bits, in which a cell's neighbour lies in the same sector.
#[inline]
pub(super) fn directions_inside(cell: Cell) -> u8 {
    let (x, y) = (cell.x & (SIDE - 1), cell.y & (SIDE - 1));
    let mut inside = 0xff;
    if y == 0 {
        inside &= !0b1110_0000;
    }
    if x == SIDE - 1 {
        inside &= !0b1000_0011;
    }
    if y == SIDE - 1 {
        inside &= !0b0000_1110;
    }
    if x == 0 {
        inside &= !0b0011_1000;
    }
    inside
}

/// Calls `call` for each run of set bits of a word, with the first bit and the bit after the last.
#[inline]
pub(super) fn each_run(mut bits: u32, mut call: impl FnMut(u32, u32)) {
    while bits != 0 {
        let start = bits.trailing_zeros();
        let end = start + (!(bits >> start)).trailing_zeros();
        call(start, end);
        // Clears all bits below the end; in 64 bits, because the shift may be 32.
        bits &= ((!0_u64) << end) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn runs_are_filled_whole() {
        let mut random = Random(7);
        for _ in 0..20_000 {
            let seed = random.bits();
            let free = (seed >> 32) as u32 | (seed >> 40) as u32;
            let set = free & (seed >> 20) as u32 & (seed >> 9) as u32;
            let mut expected = 0;
            each_run(free, |start, end| {
                let run = (((1_u64 << end) - (1_u64 << start)) & 0xffff_ffff) as u32;
                if run & set != 0 {
                    expected |= run;
                }
            });
            assert_eq!(fill(free, set), expected, "{free:b} {set:b}");
        }
    }
}
