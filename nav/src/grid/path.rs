//! Ways over cells.

use super::{Cell, Map};
use crate::state::{LoadError, Reader, Sink};

/// A way from cell to cell, kept as the cells where it turns.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    turns: Vec<Cell>,
    /// The map's revision when this was found.
    revision: u64,
}

impl Path {
    /// The first cell, those where the direction changes, and the last; empty if there is no way.
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

    /// How often it turns.
    pub fn turn_count(&self) -> usize {
        self.turns.len().saturating_sub(2)
    }

    /// Whether there is no way in it.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Whether the map changed where this goes since it was found: in a chunk that it crosses, or
    /// right beside one.
    ///
    /// It may be still walkable and even the shortest. What changed elsewhere is not looked at, so
    /// that an edit at the other end of the map does not make every unit ask again.
    pub fn is_stale(&self, map: &Map) -> bool {
        map.revision() != self.revision
            && self.cells().any(|cell| {
                [-1, 1].into_iter().flat_map(|x| [-1, 1].map(|y| Cell::new(x, y))).any(|beside| {
                    map.contains(cell + beside)
                        && map.chunk_revisions()[map.chunk_of(cell + beside)] > self.revision
                })
            })
    }

    pub(crate) fn tell(&self, sink: &mut impl Sink) {
        sink.long(self.revision);
        sink.word(self.turns.len() as u32);
        self.turns.iter().for_each(|&cell| sink.cell(cell));
    }

    pub(crate) fn hear(reader: &mut Reader) -> Result<Path, LoadError> {
        let mut path = Path { turns: Vec::new(), revision: reader.long()? };
        for _ in 0..reader.count(2)? {
            path.turns.push(reader.cell()?);
        }
        let limit = Map::MAX_SIDE as i32;
        let is_sound =
            path.turns.iter().all(|cell| (0..limit).contains(&cell.x) && (0..limit).contains(&cell.y));
        if is_sound { Ok(path) } else { Err(LoadError::Broken("a way lies on a map")) }
    }

    /// Drops the way, and keeps the memory.
    pub(crate) fn clear(&mut self, revision: u64) {
        self.turns.clear();
        self.revision = revision;
    }

    /// Goes on to the next cell; in the same direction as before, this only moves the end.
    pub(crate) fn push(&mut self, cell: Cell) {
        if let [.., a, b] = self.turns[..] {
            let (before, now) = (b - a, cell - b);
            // Along a row, a column or a diagonal two legs of equal signs have one direction.
            if before.signum() == now.signum() && is_line(before) && is_line(now) {
                self.turns.pop();
            }
        }
        self.turns.push(cell);
    }

    /// From the end to the start becomes from the start to the end.
    pub(crate) fn reverse(&mut self) {
        self.turns.reverse();
    }
}

/// Whether a difference of cells lies along one of the eight directions.
fn is_line(way: Cell) -> bool {
    way.x == 0 || way.y == 0 || way.x.abs() == way.y.abs()
}
