//! The grid map: walls and costs of cells.
//!
//! In: walls, and costs of entering cells. Out: both, by cell and by word of 64 cells; and the
//! chunks that changed. A change of one cell takes the same short time on a map of any size.

use super::Cell;
use super::bits::Bits;
use super::islands::{Islands, Links};
use super::prints::Prints;
use super::rule::Rule;
use super::sizes;
use crate::error::MapError;

/// Cells along a side of a chunk, the unit of changes.
pub const CHUNK: i32 = 16;

/// Cells in rows and columns, free or wall, each with the cost of entering it.
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
    /// The transposed walls, so that a column is scanned by words, too.
    columns: Bits,
    /// The cost of entering each cell; empty while all costs are 1.
    costs: Vec<u8>,
    /// Number of cells of each cost, for finding the least cost.
    of_cost: Vec<u32>,
    revision: u64,
    prints: Prints,
    /// Labels of connected components, first the labels for four neighbours.
    islands: Vec<Islands>,
    /// Maps for larger units, each with the unit's size.
    views: Vec<(u8, Map)>,
}

impl Map {
    /// Greatest number of cells of a map.
    pub const MAX_CELLS: usize = 1 << 26;
    /// Greatest side of a map, in cells.
    pub const MAX_SIDE: usize = 1 << 15;

    /// A map with all cells free, at cost 1.
    ///
    /// # Errors
    /// [`MapError::Empty`] for a side of 0, [`MapError::TooLarge`] for a side above
    /// [`Map::MAX_SIDE`] or more than [`Map::MAX_CELLS`] cells.
    pub fn new(width: usize, height: usize) -> Result<Map, MapError> {
        Map::check(width, height)?;
        Ok(Map::of(width, height, Bits::new(width, height)))
    }

    /// A map with walls where a function is true. The function is called once for each cell.
    ///
    /// # Errors
    /// As [`Map::new`].
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

    /// A map from words of 64 cells, as [`row`](Map::row) gives them: a set bit is a wall. Missing
    /// words of a row are free land; bits beyond the width do not count.
    ///
    /// # Errors
    /// As [`Map::new`].
    pub fn from_rows<'r>(
        width: usize,
        height: usize,
        row: impl Fn(i32) -> &'r [u64],
    ) -> Result<Map, MapError> {
        Map::check(width, height)?;
        let mut rows = Bits::new(width, height);
        for y in 0..height as i32 {
            // Bits beyond the width stay set.
            for (word, &walls) in rows.row_mut(y).iter_mut().zip(row(y)) {
                *word |= walls;
            }
        }
        Ok(Map::of(width, height, rows))
    }

    pub(crate) fn check(width: usize, height: usize) -> Result<(), MapError> {
        if width == 0 || height == 0 {
            return Err(MapError::Empty);
        }
        let fits = width <= Map::MAX_SIDE && height <= Map::MAX_SIDE && width * height <= Map::MAX_CELLS;
        if fits { Ok(()) } else { Err(MapError::TooLarge) }
    }

    fn of(width: usize, height: usize, rows: Bits) -> Map {
        let columns = rows.transposed(width, height);
        let prints = Prints::new(width, height, &rows);
        let mut map = Map {
            width: width as i32,
            height: height as i32,
            rows,
            columns,
            costs: Vec::new(),
            of_cost: Vec::new(),
            revision: 0,
            prints,
            islands: Vec::new(),
            views: Vec::new(),
        };
        map.islands.push(Islands::new(&map, Links::Four));
        map
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

    /// The cell's index, row by row from `[0, 0]`; `None` outside of the map.
    #[inline]
    pub fn index(&self, cell: impl Into<Cell>) -> Option<usize> {
        let cell = cell.into();
        self.contains(cell).then(|| self.at(cell))
    }

    /// The index of a cell on the map.
    #[inline]
    pub(crate) fn at(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// The cell with an index below [`cell_count`](Map::cell_count).
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

    /// The cost of entering the cell; 1 outside of the map.
    #[inline]
    pub fn cost(&self, cell: impl Into<Cell>) -> u8 {
        let cell = cell.into();
        if self.costs.is_empty() || !self.contains(cell) { 1 } else { self.costs[self.at(cell)] }
    }

    /// The costs of all cells by index; empty if all are 1.
    #[inline]
    pub fn costs(&self) -> &[u8] {
        &self.costs
    }

    /// Whether every cell costs 1.
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

    /// The [`DIRECTIONS`](super::DIRECTIONS) that a rule opens from a cell on the map, as bits.
    #[inline]
    pub fn moves(&self, rule: Rule, cell: impl Into<Cell>) -> u8 {
        let cell = cell.into();
        if self.contains(cell) { rule.legal()[self.rows.nine(cell.x, cell.y)] } else { 0 }
    }

    /// Makes or removes a wall. Returns whether the map changed; a cell outside changes nothing.
    pub fn set_wall(&mut self, cell: impl Into<Cell>, wall: bool) -> bool {
        let cell = cell.into();
        if !self.contains(cell) || self.rows.get(cell.x, cell.y) == wall {
            return false;
        }
        self.rows.set(cell.x, cell.y, wall);
        self.columns.set(cell.y, cell.x, wall);
        self.prints.toggled(&self.rows, cell);
        self.revision += 1;
        self.with_islands(|map, islands| {
            for islands in islands {
                if wall { islands.closed(map, cell) } else { islands.opened(map, cell) }
            }
        });
        self.with_views(|map, size, view| {
            for at in sizes::covering(cell, size) {
                let blocked = wall || !sizes::stands(map, at, size);
                view.set_wall(at, blocked);
            }
        });
        true
    }

    fn with_islands(&mut self, change: impl FnOnce(&Map, &mut [Islands])) {
        let mut islands = core::mem::take(&mut self.islands);
        change(self, &mut islands);
        self.islands = islands;
    }

    fn with_views(&mut self, change: impl Fn(&Map, i32, &mut Map)) {
        let mut views = core::mem::take(&mut self.views);
        for (size, view) in &mut views {
            change(self, i32::from(*size), view);
        }
        self.views = views;
    }

    /// Sets the cost of entering the cell. Returns whether the map changed; a cost of 0 and a cell
    /// outside change nothing.
    pub fn set_cost(&mut self, cell: impl Into<Cell>, cost: u8) -> bool {
        let cell = cell.into();
        if !self.put_cost(cell, cost) {
            return false;
        }
        self.revision += 1;
        self.with_views(|map, size, view| {
            for at in sizes::covering(cell, size) {
                view.set_cost(at, sizes::dearest(map, at, size));
            }
        });
        true
    }

    /// Sets a cost without a new revision, while the map is being built.
    pub(crate) fn put_cost(&mut self, cell: Cell, cost: u8) -> bool {
        if cost == 0 || !self.contains(cell) || self.cost(cell) == cost {
            return false;
        }
        if self.costs.is_empty() {
            self.costs = vec![1; self.cell_count()];
            self.of_cost = vec![0; 256];
            self.of_cost[1] = self.cell_count() as u32;
        }
        let at = self.at(cell);
        self.prints.repriced(cell, self.costs[at], cost);
        self.of_cost[self.costs[at] as usize] -= 1;
        self.of_cost[cost as usize] += 1;
        self.costs[at] = cost;
        true
    }

    /// Keeps, through all changes, a map for units of `size` x `size` cells (clearance), 1 to 16:
    /// [`view`](Map::view). Each kept size takes the memory of one more map, and time in each
    /// change.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let mut map = Map::parse("....\n....\n..#.\n")?;
    /// map.keep_size(2)?;
    /// let wide = map.view(2).expect("it is kept");
    /// assert!(wide.is_free([0, 0]) && !wide.is_free([1, 0]) && wide.is_free([2, 1]) && !wide.is_free([3, 1]));
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::BadSize`] for a size that is not 1 to 16.
    pub fn keep_size(&mut self, size: u8) -> Result<(), MapError> {
        if size == 0 || size > sizes::LARGEST {
            return Err(MapError::BadSize);
        }
        if self.view(size).is_some() {
            return Ok(());
        }
        let span = i32::from(size);
        let mut view = Map::of(self.width as usize, self.height as usize, sizes::eroded(self, span));
        for index in 0..if self.costs.is_empty() { 0 } else { self.cell_count() } {
            let cell = self.cell_at(index);
            view.put_cost(cell, sizes::dearest(self, cell, span));
        }
        for islands in self.islands.iter().skip(1) {
            view.islands.push(Islands::new(&view, islands.links()));
        }
        self.views.push((size, view));
        Ok(())
    }

    /// The map for units of this size: a cell is a wall if the unit's lower left cell cannot be
    /// there. `None` if that size is not kept.
    #[inline]
    pub fn view(&self, size: u8) -> Option<&Map> {
        if size == 1 {
            return Some(self);
        }
        self.views.iter().find(|(kept, _)| *kept == size).map(|(_, view)| view)
    }

    /// Keeps labels of connected cells under a rule, through all changes. Labels for four
    /// neighbours, and for eight unless all corners may be cut, are kept from the start.
    pub fn keep_islands(&mut self, rule: Rule) {
        let links = Links::of(rule);
        if self.keeps(links) {
            return;
        }
        let islands = Islands::new(self, links);
        self.islands.push(islands);
        for (_, view) in &mut self.views {
            view.keep_islands(rule);
        }
    }

    pub(crate) fn keeps(&self, links: Links) -> bool {
        self.islands.iter().any(|islands| islands.links() == links)
    }

    /// Whether there is a path between two cells, by four neighbours or by eight that do not always
    /// cut corners, without a search. A wall is connected to nothing. Without labels, on the land
    /// of a [`Known`](crate::grid::Known), only a search can tell: free cells count as connected.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let mut map = Map::parse("..#.\n..#.\n")?;
    /// assert!(!map.connected([0, 0], [3, 0]));
    /// map.set_wall([2, 1], false);
    /// assert!(map.connected([0, 0], [3, 0]));
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    #[inline]
    pub fn connected(&self, a: impl Into<Cell>, b: impl Into<Cell>) -> bool {
        let (a, b) = (a.into(), b.into());
        self.connected_by(Rule::Four, a, b).unwrap_or_else(|| self.is_free(a) && self.is_free(b))
    }

    /// Whether there is a path under a rule; `None` if the map keeps no labels for the rule:
    /// [`keep_islands`](Map::keep_islands).
    #[inline]
    pub fn connected_by(&self, rule: Rule, a: impl Into<Cell>, b: impl Into<Cell>) -> Option<bool> {
        let links = Links::of(rule);
        let islands = self.islands.iter().find(|islands| islands.links() == links)?;
        let (a, b) = (a.into(), b.into());
        Some(self.is_free(a) && self.is_free(b) && islands.root(self.at(a)) == islands.root(self.at(b)))
    }

    /// A number that two free cells share if and only if they are connected under a rule. Any
    /// change of a wall may change it. `None` for a wall, outside of the map, or if the map keeps
    /// no labels for the rule.
    #[inline]
    pub fn island(&self, rule: Rule, cell: impl Into<Cell>) -> Option<u32> {
        let links = Links::of(rule);
        let islands = self.islands.iter().find(|islands| islands.links() == links)?;
        let cell = cell.into();
        self.is_free(cell).then(|| islands.root(self.at(cell)))
    }

    /// Number of changes so far.
    #[inline]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// A hash of all walls and costs: equal maps of one size have equal prints, and different ones
    /// have different prints, except for 1 in 2^64. A map that was changed and changed back has its
    /// old print.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let mut map = Map::new(64, 48)?;
    /// let before = map.print();
    /// map.set_wall([3, 4], true);
    /// assert_ne!(map.print(), before);
    /// map.set_wall([3, 4], false);
    /// assert_eq!(map.print(), before);
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    #[inline]
    pub fn print(&self) -> u64 {
        self.prints.whole()
    }

    /// A map of the same size with all cells free, and the same kept labels and sizes.
    pub(crate) fn blank(&self) -> Map {
        let (width, height) = (self.width as usize, self.height as usize);
        let mut blank = Map::of(width, height, Bits::new(width, height));
        blank.keep_as(self);
        blank
    }

    /// Keeps the same labels and sizes as another map.
    pub(crate) fn keep_as(&mut self, other: &Map) {
        for islands in &other.islands {
            let links = islands.links();
            if !self.keeps(links) {
                self.islands.push(Islands::new(self, links));
            }
        }
        for &(size, _) in &other.views {
            // The other map has this size, so it is valid.
            _ = self.keep_size(size);
        }
    }

    /// Restores revisions of the map and of its views, in the order of their sizes.
    pub(crate) fn restore_revisions(&mut self, revisions: &[u64]) {
        let [of_map, of_views @ ..] = revisions else { return };
        self.revision = *of_map;
        self.views.sort_unstable_by_key(|(size, _)| *size);
        for ((_, view), &revision) in self.views.iter_mut().zip(of_views) {
            view.revision = revision;
        }
    }

    /// The kept sizes beyond 1, in order, with the map of each.
    pub(crate) fn each_view(&self) -> impl Iterator<Item = (u8, &Map)> + Clone {
        (2..=sizes::LARGEST).filter_map(|size| self.view(size).map(|view| (size, view)))
    }

    /// Chunks along x and y.
    #[inline]
    pub fn chunk_counts(&self) -> [usize; 2] {
        [self.width, self.height].map(|side| (side as usize).div_ceil(CHUNK as usize))
    }

    /// The index of the chunk that contains a cell, row by row; `None` outside of the map.
    #[inline]
    pub fn chunk_of(&self, cell: impl Into<Cell>) -> Option<usize> {
        let cell = cell.into();
        self.contains(cell).then(|| self.prints.chunk_of(cell))
    }

    /// The hashes of all chunks, as [`print`](Map::print) is the hash of the whole map. A different
    /// hash means a change in the chunk.
    #[inline]
    pub fn chunk_prints(&self) -> &[u64] {
        self.prints.chunks()
    }

    /// Calls `call` for each chunk that differs from these [`chunk_prints`], with its lowest and
    /// its highest cell.
    ///
    /// [`chunk_prints`]: Map::chunk_prints
    pub(crate) fn each_change(&self, since: &[u64], mut call: impl FnMut(Cell, Cell)) {
        let across = self.prints.across();
        let last = Cell::new(self.width - 1, self.height - 1);
        for (k, (now, before)) in self.prints.chunks().iter().zip(since).enumerate() {
            if now != before {
                let low = Cell::new((k % across) as i32, (k / across) as i32) * CHUNK;
                call(low, (low + CHUNK - 1).min(last));
            }
        }
    }

    /// The walls of row `y`, a word for 64 cells: a set bit is a wall. Bits beyond the width are
    /// set too.
    ///
    /// # Panics
    /// If the row is not on the map.
    #[inline]
    pub fn row(&self, y: i32) -> &[u64] {
        self.rows.row(y)
    }

    /// The walls of column `x`, in the same way.
    ///
    /// # Panics
    /// If the column is not on the map.
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
