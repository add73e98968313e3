//! One map for units of many sizes.
//!
//! In: a map, and the width and height of a unit in cells. Out: a map of the cells where its lower
//! left cell may be, so that all cells that it covers are free. Entering costs as much as the
//! dearest cell that it covers.

use super::bits::Bits;
use super::{Cell, Map};

/// Greatest size of a unit.
pub(crate) const LARGEST: u8 = 16;

/// The walls for a unit of this size.
pub(crate) fn eroded(map: &Map, size: i32) -> Bits {
    let mut walls = map.rows().clone();
    for y in 0..map.height() {
        // Adds to each cell the walls of the cells to its right.
        let row = walls.row_mut(y);
        for _ in 1..size {
            for k in 0..row.len() {
                row[k] |= row[k] >> 1 | row.get(k + 1).copied().unwrap_or(!0) << 63;
            }
        }
    }
    for y in 0..map.height() {
        // Goes from the bottom up, so that the rows above still hold their own walls.
        for above in 1..size {
            if y + above >= map.height() {
                walls.row_mut(y).fill(!0);
                break;
            }
            for k in 0..walls.row(y).len() {
                let word = walls.row(y + above)[k];
                walls.row_mut(y)[k] |= word;
            }
        }
    }
    walls
}

/// Whether a unit at a cell covers free cells only.
pub(crate) fn stands(map: &Map, cell: Cell, size: i32) -> bool {
    (0..size).all(|y| (0..size).all(|x| map.is_free(cell + Cell::new(x, y))))
}

/// The cost of the dearest cell that a unit covers; cells beyond the map cost 1.
pub(crate) fn dearest(map: &Map, cell: Cell, size: i32) -> u8 {
    (0..size).flat_map(|y| (0..size).map(move |x| map.cost(cell + Cell::new(x, y)))).max().unwrap_or(1)
}

/// Positions of a unit in which it covers a cell.
pub(crate) fn covering(cell: Cell, size: i32) -> impl Iterator<Item = Cell> {
    (0..size).flat_map(move |y| (0..size).map(move |x| cell - Cell::new(x, y)))
}

/// The cells that a unit covers; a size outside of the kept sizes is clamped. A cell at the end of
/// the integers covers itself again.
pub(crate) fn covered(cell: Cell, size: u8) -> impl Iterator<Item = Cell> + Clone {
    let size = i32::from(size.clamp(1, LARGEST));
    let along = move |from: i32| (0..size).map(move |by| from.saturating_add(by));
    along(cell.y).flat_map(move |y| along(cell.x).map(move |x| Cell::new(x, y)))
}
