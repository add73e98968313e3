//! Paths over cells.

use super::map::CHUNK;
use super::{Cell, Map, sizes};
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

/// A path from cell to cell, kept as the cells where it turns.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let map = Map::new(8, 8)?;
/// let mut path = Path::default();
/// Search::default().path(&map, Ask::new([0, 0], [5, 2]), &mut path);
/// assert_eq!(path.cells().count(), 6);
/// assert_eq!(path.turns().first(), Some(&Cell::new(0, 0)));
/// assert_eq!(path.turns().last(), Some(&Cell::new(5, 2)));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    turns: Vec<Cell>,
    /// Size of the unit, in cells.
    size: u8,
    /// The map's revision when the path was found, and a hash of the chunks along it.
    revision: u64,
    print: u64,
}

saved!(Path as Path);

impl Path {
    /// The first cell, the cells where the direction changes, and the last cell; empty if there is
    /// no path.
    #[inline]
    pub fn turns(&self) -> &[Cell] {
        &self.turns
    }

    /// Every cell from the first to the last, each a neighbour of the one before.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let legs = self.turns.windows(2).flat_map(|leg| {
            let way = leg[1] - leg[0];
            let step = way.signum();
            (1..=way.x.abs().max(way.y.abs())).map(move |k| leg[0] + step * k)
        });
        self.turns.first().copied().into_iter().chain(legs)
    }

    /// Number of turns.
    pub fn turn_count(&self) -> usize {
        self.turns.len().saturating_sub(2)
    }

    /// Whether it holds no path.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Whether the map changed along this path since it was found: in a chunk that the unit
    /// crosses, or right beside one. `map` is the searched map (also for a unit of several cells,
    /// not its view), or any other map.
    ///
    /// A stale path may still be walkable and even the shortest. Changes elsewhere do not count, so
    /// that an edit at the other end of the map does not make every unit search again, and neither
    /// does a change that was undone.
    pub fn is_stale(&self, map: &Map) -> bool {
        !self.turns.is_empty() && self.print_on(map) != self.print
    }

    /// The revision of the map when the path was found.
    #[inline]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Size of the unit, in cells.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Notes the hash of the land along the path, once the path is complete.
    pub(crate) fn seal(&mut self, map: &Map) {
        self.print = if self.turns.is_empty() { 0 } else { self.print_on(map) };
    }

    /// A hash of all chunks that the unit crosses or passes.
    fn print_on(&self, map: &Map) -> u64 {
        let last = Cell::new(map.width() - 1, map.height() - 1);
        let (prints, across) = (map.chunk_prints(), map.chunk_counts()[0]);
        let mut near = [Cell::NEG_ONE; 2];
        state::sum(|sum| {
            sum.cell(last);
            self.each_near(|cell, high| {
                // Cells of a path are on the map, so their coordinates are not negative.
                let chunks =
                    [(cell - 1).max(Cell::ZERO), high].map(|cell| cell.min(last) >> CHUNK.trailing_zeros());
                if core::mem::replace(&mut near, chunks) == chunks {
                    return;
                }
                let [low, high] = chunks;
                for y in low.y..=high.y {
                    for x in low.x..=high.x {
                        sum.long(prints[y as usize * across + x as usize]);
                    }
                }
            });
        })
    }

    /// Calls `call` for cells of the path, each with the cell at the far corner of the unit: for
    /// the first cell, and at least for each cell whose neighbouring chunks differ from those of
    /// the cell before.
    fn each_near(&self, mut call: impl FnMut(Cell, Cell)) {
        let size = i32::from(self.size);
        let mut leg = |from: Cell, way: Cell| {
            let (step, length) = (way.signum(), way.abs().max_element());
            let mut k = 0;
            while k <= length {
                let cell = from + step * k;
                call(cell, cell + size);
                // Number of steps until one of the unit's sides enters another chunk.
                let until = |x: i32, step: i32| match step {
                    0 => i32::MAX,
                    1 => CHUNK - ((x - 1) & (CHUNK - 1)).max((x + size) & (CHUNK - 1)),
                    _ => 1 + ((x - 1) & (CHUNK - 1)).min((x + size) & (CHUNK - 1)),
                };
                k = k.saturating_add(until(cell.x, step.x).min(until(cell.y, step.y)));
            }
        };
        if let [only] = self.turns[..] {
            leg(only, Cell::ZERO);
        }
        self.turns.windows(2).for_each(|ends| leg(ends[0], ends[1] - ends[0]));
    }

    /// Loads the path of an image. A refused image changes nothing.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let map = Map::new(8, 8)?;
    /// let (mut path, mut loaded, mut image) = (Path::default(), Path::default(), Vec::new());
    /// _ = Search::default().path(&map, Ask::new([0, 0], [5, 2]), &mut path);
    /// path.save_into(&mut image);
    /// loaded.load(&image)?;
    /// assert!(loaded == path && !loaded.is_stale(&map));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A [`LoadError`] for bytes that are damaged, of another kind or version, or inconsistent.
    pub fn load(&mut self, image: &[u8]) -> Result<(), LoadError> {
        *self = state::read(Kind::Path, image, Path::decode)?;
        Ok(())
    }

    pub(crate) fn encode(&self, to: &mut impl Sink) {
        to.word(u32::from(self.size));
        to.long(self.revision);
        to.long(self.print);
        to.list(self.turns.iter(), |to, &cell| to.cell(cell));
    }

    pub(crate) fn decode(from: &mut Reader) -> Result<Path, LoadError> {
        let size = from.word()?;
        let (revision, print, turns) = (from.counter()?, from.long()?, from.list(2, Reader::cell)?);
        let limit = Map::MAX_SIDE as i32;
        let is_on_map = |cell: &Cell| (0..limit).contains(&cell.x) && (0..limit).contains(&cell.y);
        if !(1..=u32::from(sizes::LARGEST)).contains(&size) || !turns.iter().all(is_on_map) {
            return Err(LoadError::Broken("a way lies on a map"));
        }
        // No path visits a cell twice.
        let legs = || turns.windows(2).map(|leg| leg[1] - leg[0]);
        let steps: u64 = legs().map(|way| way.abs().max_element() as u64).sum();
        if steps > Map::MAX_CELLS as u64 || !legs().all(is_line) {
            return Err(LoadError::Broken("a way goes along rows, columns and diagonals"));
        }
        Ok(Path { turns, size: size as u8, revision, print })
    }

    /// Empties the path, keeping its memory, for a unit of a size on a map.
    pub(crate) fn begin(&mut self, map: &Map, size: u8) {
        self.turns.clear();
        (self.size, self.revision, self.print) = (size.clamp(1, sizes::LARGEST), map.revision(), 0);
    }

    /// Extends the path to the next cell; in an unchanged direction this only moves its end.
    pub(crate) fn push(&mut self, cell: Cell) {
        if let [.., a, b] = self.turns[..] {
            let (before, now) = (b - a, cell - b);
            // Two legs along rows, columns or diagonals have one direction if their signs are
            // equal.
            if before.signum() == now.signum() && is_line(before) && is_line(now) {
                self.turns.pop();
            }
        }
        self.turns.push(cell);
    }

    /// Reverses the path.
    pub(crate) fn reverse(&mut self) {
        self.turns.reverse();
    }
}

impl Default for Path {
    /// An empty path.
    fn default() -> Path {
        Path { turns: Vec::new(), size: 1, revision: 0, print: 0 }
    }
}

/// Whether a difference of cells lies along one of the eight directions.
fn is_line(way: Cell) -> bool {
    way.x == 0 || way.y == 0 || way.x.abs() == way.y.abs()
}
