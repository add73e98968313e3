//! The land as known to a player (fog of war).
//!
//! In: positions from which units look. Out: a map on which unseen cells count as free, and the
//! news: cells that differ from this map. A unit searches again on that map only if news lies on
//! its path; each time a new wall is known, so this ends.
//!
//! A cell is seen if the line between both centres crosses free cells only, so seeing is symmetric
//! between free cells. A wall is seen if a free cell beside it is.

use super::rule::{Corners, DIRECTIONS, Rule};
use super::{Cell, Map, Path};
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

/// The land as one player knows it: three bits a cell, a byte where costs were seen, and the labels
/// of islands and the views for larger units that the map keeps.
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
    /// A bit per cell: whether it was seen.
    seen: Vec<u64>,
    /// News that is kept, each with the land's revision at that time, in ascending order.
    news: Vec<(u64, Cell)>,
    /// The news of the last call of `see`.
    latest: Vec<Cell>,
}

saved!(Known as Known);

impl Known {
    /// Makes the land of a player who has seen nothing of a map yet.
    pub fn new(map: &Map) -> Known {
        let seen = vec![0; map.cell_count().div_ceil(64)];
        Known { land: map.blank(), seen, news: Vec::new(), latest: Vec::new() }
    }

    /// The known land; unseen cells are free and cost 1.
    pub fn land(&self) -> &Map {
        &self.land
    }

    /// Whether the cell was seen.
    pub fn is_seen(&self, cell: impl Into<Cell>) -> bool {
        self.land.index(cell).is_some_and(|at| self.seen[at / 64] >> (at % 64) & 1 != 0)
    }

    /// Lets a unit look around: up to `radius` cells in a straight line, at most 64. Returns the
    /// cells that differ from the known (or assumed) land. Does nothing if the map has another size
    /// than the known land.
    ///
    /// News counts for all units of the player: see [`is_news_on`](Known::is_news_on).
    pub fn see(&mut self, map: &Map, from: impl Into<Cell>, radius: i32) -> &[Cell] {
        self.latest.clear();
        let from = from.into();
        let same = map.width() == self.land.width() && map.height() == self.land.height();
        if !same || !map.is_free(from) {
            return &self.latest;
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
        &self.latest
    }

    /// Notes a seen cell.
    fn learn(&mut self, map: &Map, cell: Cell) {
        let Some(at) = map.index(cell) else { return };
        self.seen[at / 64] |= 1 << (at % 64);
        let walled = self.land.set_wall(cell, !map.is_free(cell));
        if self.land.set_cost(cell, map.cost(cell)) || walled {
            self.latest.push(cell);
            self.news.push((self.land.revision(), cell));
            if self.news.len() > 2 * self.land.cell_count() {
                self.thin_out();
            }
        }
    }

    /// Keeps only the last news of each cell.
    fn thin_out(&mut self) {
        let (land, mut is_listed) = (&self.land, vec![false; self.land.cell_count()]);
        self.news.reverse();
        self.news.retain(|(_, cell)| !core::mem::replace(&mut is_listed[land.at(*cell)], true));
        self.news.reverse();
    }

    /// Whether there is news on a path over this land, or beside it, since the path was found. A
    /// new search then gives a path without news.
    pub fn is_news_on(&self, path: &Path) -> bool {
        let since = self.news.partition_point(|(revision, _)| *revision <= path.revision());
        let news = &self.news[since..];
        let span = i32::from(path.size());
        let is_near = |cell: Cell| {
            news.iter().any(|(_, news)| {
                let way = *news - cell;
                way.min_element() >= -1 && way.max_element() <= span
            })
        };
        !news.is_empty() && path.cells().any(is_near)
    }

    /// Drops the news, once it was tested for every unit. (Calling this is optional: only the last
    /// news of each cell is kept.)
    pub fn forget_news(&mut self) {
        self.news.clear();
    }

    /// Loads the knowledge of an image, of a map of the same size. A refused image changes nothing.
    ///
    /// # Errors
    /// A [`LoadError`] for bytes that are damaged, of another kind or version, inconsistent, or
    /// written for a map of another size or with other kept sizes.
    pub fn load(&mut self, image: &[u8]) -> Result<(), LoadError> {
        let loaded = state::read(Kind::Known, image, |from| self.decode(from))?;
        *self = loaded;
        Ok(())
    }

    fn decode(&self, from: &mut Reader) -> Result<Known, LoadError> {
        let (width, height) = (self.land.width(), self.land.height());
        from.size(width, height)?;
        let mut revisions = vec![from.counter()?];
        if from.word()? as usize != self.land.each_view().count() {
            return Err(LoadError::Broken("the map keeps the sizes that it kept"));
        }
        for _ in self.land.each_view() {
            revisions.push(from.counter()?);
        }
        let seen = (0..self.seen.len()).map(|_| from.long()).collect::<Result<Vec<_>, _>>()?;
        let words = (width as usize).div_ceil(64);
        let walls = (0..words * height as usize).map(|_| from.long()).collect::<Result<Vec<_>, _>>()?;
        let mut land =
            Map::from_rows(width as usize, height as usize, |y| &walls[y as usize * words..][..words])
                .map_err(|_| LoadError::Broken("a map has cells, and not too many"))?;
        for _ in 0..from.count(2)? {
            let (at, cost) = (from.word()? as usize, from.word()?);
            if at >= land.cell_count() || !(2..=255).contains(&cost) {
                return Err(LoadError::Broken("a cost is that of a cell"));
            }
            land.put_cost(land.cell_at(at), cost as u8);
        }
        land.keep_as(&self.land);
        land.restore_revisions(&revisions);
        let news = from.list(3, |from| Ok((from.counter()?, from.word()? as usize)))?;
        let is_sound = news.iter().all(|&(revision, at)| revision <= revisions[0] && at < land.cell_count());
        if !is_sound || !news.is_sorted_by_key(|(revision, _)| *revision) {
            return Err(LoadError::Broken("news are of cells, and older ones come first"));
        }
        let news = news.into_iter().map(|(revision, at)| (revision, land.cell_at(at))).collect();
        Ok(Known { land, seen, news, latest: Vec::new() })
    }

    fn encode(&self, to: &mut impl Sink) {
        let land = &self.land;
        to.cell(Cell::new(land.width(), land.height()));
        to.long(land.revision());
        to.list(land.each_view(), |to, (_, view)| to.long(view.revision()));
        self.seen.iter().for_each(|&word| to.long(word));
        (0..land.height()).for_each(|y| land.row(y).iter().for_each(|&word| to.long(word)));
        let dear = land.costs().iter().enumerate().filter(|(_, cost)| **cost > 1);
        to.list(dear, |to, (at, &cost)| {
            to.word(at as u32);
            to.word(u32::from(cost));
        });
        to.list(self.news.iter(), |to, &(revision, cell)| {
            to.long(revision);
            to.word(land.at(cell) as u32);
        });
    }
}

/// Light passes the corner of one wall, and not the gap between two walls.
const LIGHT: Rule = Rule::Eight(Corners::OneFree);
