//! What a player knows of the land.
//!
//! In: where units look from. Out: a map on which what was never seen counts as free, and what is
//! news. Searches on that map are tried again only when news lies on the way; each time a wall is
//! known that was not, so this ends.
//!
//! A cell is seen if the line between both centres crosses free cells only, so two free cells see
//! each other or neither does. A wall is seen beside any free cell that is.

use super::rule::{Corners, DIRECTIONS, Rule};
use super::{Cell, Map};
use crate::state::{Hash, LoadError, Reader, Sink, Writer};

/// The land as one player knows it: three bits a cell, and a byte where costs were seen.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let map = Map::parse("...#.\n...#.\n.....\n")?;
/// let mut known = Known::new(&map);
/// assert!(known.land().is_free([3, 2]) && !known.is_seen([3, 2]));
/// known.see(&map, [1, 2], 2);
/// assert!(!known.land().is_free([3, 2]));
/// assert!(!known.is_seen([4, 2])); // behind the wall
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Known {
    land: Map,
    /// A bit a cell, row by row.
    seen: Vec<u64>,
    news: Vec<Cell>,
}

impl Known {
    /// Nothing is seen of a map yet.
    pub fn new(map: &Map) -> Known {
        Known { land: map.blank(), seen: vec![0; map.cell_count().div_ceil(64)], news: Vec::new() }
    }

    /// The land, as far as it is known; what was not seen is free and costs 1.
    pub fn land(&self) -> &Map {
        &self.land
    }

    /// Whether the cell was seen.
    pub fn is_seen(&self, cell: impl Into<Cell>) -> bool {
        self.land.index(cell).is_some_and(|at| self.seen[at / 64] >> (at % 64) & 1 != 0)
    }

    /// A unit looks around: up to `radius` cells in a straight line, at most 64. Gives the cells
    /// that are not as they were known (or supposed) to be. Nothing happens if the map has another
    /// size than that which this was made for.
    pub fn see(&mut self, map: &Map, from: impl Into<Cell>, radius: i32) -> &[Cell] {
        self.news.clear();
        let from = from.into();
        let same = map.width() == self.land.width() && map.height() == self.land.height();
        if !same || !map.is_free(from) {
            return &self.news;
        }
        let radius = radius.clamp(0, 64);
        for y in -radius..=radius {
            for x in -radius..=radius {
                let cell = from + Cell::new(x, y);
                if x * x + y * y <= radius * radius && map.look(LIGHT, from, cell).is_some() {
                    self.learn(map, cell);
                    DIRECTIONS
                        .iter()
                        .filter(|way| !map.is_free(cell + **way))
                        .for_each(|way| self.learn(map, cell + *way));
                }
            }
        }
        &self.news
    }

    /// A cell is seen as it is.
    fn learn(&mut self, map: &Map, cell: Cell) {
        let Some(at) = map.index(cell) else { return };
        self.seen[at / 64] |= 1 << (at % 64);
        let walled = self.land.set_wall(cell, !map.is_free(cell));
        if self.land.set_cost(cell, map.cost(cell)) || walled {
            self.news.push(cell);
        }
    }

    /// Whether the last look showed anything new on a way, or beside it.
    pub fn is_news_on(&self, path: &super::Path) -> bool {
        let near = |cell: Cell| self.news.iter().any(|news| (*news - cell).abs().max_element() <= 1);
        !self.news.is_empty() && path.cells().any(near)
    }

    /// Writes what is known.
    pub fn save_into(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new(KIND, out);
        self.tell(&mut writer);
        writer.finish();
    }

    /// Brings back what was known of a map of this size. What is refused changes nothing.
    pub fn load(&mut self, image: &[u8]) -> Result<(), LoadError> {
        let mut reader = Reader::new(KIND, image)?;
        let size = [reader.word()? as i32, reader.word()? as i32];
        if size != [self.land.width(), self.land.height()] {
            return Err(LoadError::Broken("the map has the size that it had"));
        }
        let mut loaded = self.land.blank();
        let revisions = [reader.long()?, reader.long()?];
        let mut seen = Vec::with_capacity(self.seen.len());
        for _ in 0..self.seen.len() {
            seen.push(reader.long()?);
        }
        for _ in 0..reader.count(2)? {
            let (at, land) = (reader.word()? as usize, reader.word()?);
            if at >= loaded.cell_count() || land > 0x1FF || land & 0xFF == 0 {
                return Err(LoadError::Broken("land is a cell of the map, a wall or not, and its cost"));
            }
            let cell = loaded.cell_at(at);
            loaded.set_cost(cell, land as u8);
            loaded.set_wall(cell, land >> 8 != 0);
        }
        let mut chunks = Vec::with_capacity(loaded.chunk_revisions().len());
        for _ in 0..loaded.chunk_revisions().len() {
            chunks.push(reader.long()?);
        }
        reader.finish()?;
        loaded.restore_revisions(revisions, &chunks);
        self.news.clear();
        (self.land, self.seen) = (loaded, seen);
        Ok(())
    }

    /// What is known, as one number.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.tell(&mut hash);
        hash.finish()
    }

    fn tell(&self, sink: &mut impl Sink) {
        sink.word(self.land.width() as u32);
        sink.word(self.land.height() as u32);
        sink.long(self.land.revision());
        sink.long(self.land.last_opened());
        self.seen.iter().for_each(|&word| sink.long(word));
        let land = |at: usize| {
            let cell = self.land.cell_at(at);
            u32::from(self.land.cost(cell)) | u32::from(!self.land.is_free(cell)) << 8
        };
        let count = (0..self.land.cell_count()).filter(|&at| land(at) != 1).count();
        sink.word(count as u32);
        for at in (0..self.land.cell_count()).filter(|&at| land(at) != 1) {
            sink.word(at as u32);
            sink.word(land(at));
        }
        self.land.chunk_revisions().iter().for_each(|&revision| sink.long(revision));
    }
}

/// Light passes a corner of one wall, and not the gap between two.
const LIGHT: Rule = Rule::Eight(Corners::OneFree);

const KIND: u8 = b'K';
