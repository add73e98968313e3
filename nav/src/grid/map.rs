//! The map.
//!
//! In: walls, and what entering a cell costs. Out: both, by cell and by word of 64 cells; which parts changed since when.
//! A change of one cell takes the same short time on a map of any size.

use super::Cell;
use super::bits::Bits;
use super::rule::Rule;
use crate::error::MapError;

/// Cells along a side of a chunk, the unit in which changes are told.
pub const CHUNK: i32 = 16;

/// Cells in rows and columns, free or wall, each with what it costs to enter.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let mut map = Map::new(64, 48)?;
/// map.set_wall([3, 4], true);
/// map.set_cost([5, 4], 3); // a swamp
/// assert!(!map.is_free([3, 4]) && map.is_free([5, 4]) && !map.is_free([64, 0]));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Map {
    width: i32,
    height: i32,
    rows: Bits,
    /// The same turned, so that a column is scanned by words too.
    columns: Bits,
    /// What entering costs, by cell; empty as long as all cost 1.
    costs: Vec<u8>,
    /// How many cells have each cost, so that the least is known.
    of_cost: Vec<u32>,
    revision: u64,
    chunks: Vec<u64>,
}

impl Map {
    /// A map has no more cells than this.
    pub const MAX_CELLS: usize = 1 << 26;
    /// No side is longer.
    pub const MAX_SIDE: usize = 1 << 15;

    /// All free, every cell at cost 1.
    pub fn new(width: usize, height: usize) -> Result<Map, MapError> {
        Map::check(width, height)?;
        Ok(Map::of(width, height, Bits::new(width, height)))
    }

    /// As a function says: walls where it is true.
    pub fn from_fn(width: usize, height: usize, mut wall: impl FnMut(Cell) -> bool) -> Result<Map, MapError> {
        Map::check(width, height)?;
        let mut rows = Bits::new(width, height);
        for y in 0..height as i32 {
            for (k, word) in rows.row_mut(y).iter_mut().enumerate() {
                for bit in 0..(width - k * 64).min(64) {
                    *word |= u64::from(wall(Cell::new((k * 64 + bit) as i32, y))) << bit;
                }
            }
        }
        Ok(Map::of(width, height, rows))
    }

    fn check(width: usize, height: usize) -> Result<(), MapError> {
        if width == 0 || height == 0 {
            return Err(MapError::Empty);
        }
        let fits = width <= Map::MAX_SIDE && height <= Map::MAX_SIDE && width * height <= Map::MAX_CELLS;
        if fits { Ok(()) } else { Err(MapError::TooLarge) }
    }

    fn of(width: usize, height: usize, rows: Bits) -> Map {
        let columns = rows.transposed(width, height);
        let chunks = width.div_ceil(CHUNK as usize) * height.div_ceil(CHUNK as usize);
        Map {
            width: width as i32,
            height: height as i32,
            rows,
            columns,
            costs: Vec::new(),
            of_cost: Vec::new(),
            revision: 0,
            chunks: vec![0; chunks],
        }
    }

    /// Cells along x.
    #[inline]
    pub fn width(&self) -> i32 {
        self.width
    }

    /// Cells along y.
    #[inline]
    pub fn height(&self) -> i32 {
        self.height
    }

    /// Width times height.
    #[inline]
    pub fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the cell is on the map.
    #[inline]
    pub fn contains(&self, cell: impl Into<Cell>) -> bool {
        let Cell { x, y } = cell.into();
        (x as u32) < self.width as u32 && (y as u32) < self.height as u32
    }

    /// The cell's number, row by row from `[0, 0]`; `None` outside.
    #[inline]
    pub fn index(&self, cell: impl Into<Cell>) -> Option<usize> {
        let cell = cell.into();
        self.contains(cell).then(|| self.at(cell))
    }

    /// The number of a cell that is on the map.
    #[inline]
    pub(crate) fn at(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// The cell of a number below [`cell_count`](Map::cell_count).
    #[inline]
    pub fn cell_at(&self, index: usize) -> Cell {
        let width = self.width as u32;
        Cell::new((index as u32 % width) as i32, (index as u32 / width) as i32)
    }

    /// Whether the cell is on the map and no wall.
    #[inline]
    pub fn is_free(&self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        self.contains(cell) && !self.rows.get(cell.x, cell.y)
    }

    /// What entering the cell costs; 1 outside.
    #[inline]
    pub fn cost(&self, cell: impl Into<Cell>) -> u8 {
        let cell = cell.into();
        if self.costs.is_empty() || !self.contains(cell) { 1 } else { self.costs[self.at(cell)] }
    }

    /// The costs of all cells by number, or nothing if all are 1.
    #[inline]
    pub fn costs(&self) -> &[u8] {
        &self.costs
    }

    /// Whether every cell costs the same 1.
    #[inline]
    pub fn is_uniform(&self) -> bool {
        self.of_cost.get(1).is_none_or(|&ones| ones as usize == self.cell_count())
    }

    /// The least cost of any cell, wall or not: estimates are scaled by it.
    #[inline]
    pub fn least_cost(&self) -> u8 {
        self.of_cost.iter().position(|&count| count > 0).unwrap_or(1) as u8
    }

    /// The greatest cost of any cell.
    #[inline]
    pub fn greatest_cost(&self) -> u8 {
        self.of_cost.iter().rposition(|&count| count > 0).unwrap_or(1) as u8
    }

    /// Which of the eight [`DIRECTIONS`](super::DIRECTIONS) a rule opens from a cell on the map, as bits.
    #[inline]
    pub fn moves(&self, rule: Rule, cell: impl Into<Cell>) -> u8 {
        let cell = cell.into();
        if self.contains(cell) { rule.legal()[self.rows.nine(cell.x, cell.y)] } else { 0 }
    }

    /// Makes a wall, or takes it away. Says whether anything changed; outside the map nothing does.
    pub fn set_wall(&mut self, cell: impl Into<Cell>, wall: bool) -> bool {
        let cell = cell.into();
        if !self.contains(cell) || self.rows.get(cell.x, cell.y) == wall {
            return false;
        }
        self.rows.set(cell.x, cell.y, wall);
        self.columns.set(cell.y, cell.x, wall);
        self.touch(cell);
        true
    }

    /// Says what entering the cell costs. Whether anything changed; a cost of 0 and a cell outside change nothing.
    pub fn set_cost(&mut self, cell: impl Into<Cell>, cost: u8) -> bool {
        let cell = cell.into();
        if cost == 0 || !self.contains(cell) || self.cost(cell) == cost {
            return false;
        }
        if self.costs.is_empty() {
            self.costs = vec![1; self.cell_count()];
            self.of_cost = vec![0; 256];
            self.of_cost[1] = self.cell_count() as u32;
        }
        let at = self.at(cell);
        self.of_cost[self.costs[at] as usize] -= 1;
        self.of_cost[cost as usize] += 1;
        self.costs[at] = cost;
        self.touch(cell);
        true
    }

    fn touch(&mut self, cell: Cell) {
        self.revision += 1;
        let chunk = self.chunk_of(cell);
        self.chunks[chunk] = self.revision;
    }

    /// How many changes there were so far.
    #[inline]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Chunks along x and y.
    #[inline]
    pub fn chunk_counts(&self) -> [usize; 2] {
        [self.width, self.height].map(|side| (side as usize).div_ceil(CHUNK as usize))
    }

    /// The chunk that a cell on the map lies in, row by row.
    #[inline]
    pub fn chunk_of(&self, cell: impl Into<Cell>) -> usize {
        let cell = cell.into();
        (cell.y / CHUNK) as usize * self.chunk_counts()[0] + (cell.x / CHUNK) as usize
    }

    /// For each chunk, the revision of its last change.
    #[inline]
    pub fn chunk_revisions(&self) -> &[u64] {
        &self.chunks
    }

    /// Words of 64 cells of row `y`, which is on the map: a set bit is a wall, and so is what lies beyond the width.
    #[inline]
    pub fn row(&self, y: i32) -> &[u64] {
        self.rows.row(y)
    }

    /// The same for column `x`.
    #[inline]
    pub fn column(&self, x: i32) -> &[u64] {
        self.columns.row(x)
    }

    #[inline]
    pub(crate) fn rows(&self) -> &Bits {
        &self.rows
    }

    #[inline]
    pub(crate) fn columns(&self) -> &Bits {
        &self.columns
    }
}
