//! Cells that units are about to enter, and those where they stand.
//!
//! In: for each unit the next cells of its way, for so many ticks; or that it is parked. Out: a
//! layer for searches of other units near by, where claimed cells cost more and cells of parked
//! units are blocked; and whether a cell may be entered. Claims expire, and cells that a unit has
//! left behind are not claimed: no one goes around what is gone.

use super::layer::{BLOCKED, Layer};
use super::{Cell, Map};
use crate::state::{Hash, LoadError, Reader, Sink, Writer};

/// Ticks that a parked unit's claim lasts.
const EVER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Claim {
    unit: u32,
    /// The last tick that it counts in; 0 if the cell is not claimed.
    until: u32,
}

/// Claims of units on cells of a map.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let map = Map::parse(".....\n.....\n.....\n")?;
/// let mut claims = Claims::new(&map);
/// claims.park(7, [2, 1]);
/// let (mut search, mut path) = (Search::default(), Path::default());
/// let near = claims.near(8, [0, 1], 4, 2);
/// let found = search.path_over(&map, Ask::new([0, 1], [4, 1]), &near, &mut path);
/// assert!(found.is_way() && path.cells().all(|cell| cell != Cell::new(2, 1)));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    width: i32,
    height: i32,
    now: u32,
    cells: Vec<Claim>,
}

impl Claims {
    /// No claims on a map.
    pub fn new(map: &Map) -> Claims {
        let cells = vec![Claim::default(); map.cell_count()];
        Claims { width: map.width(), height: map.height(), now: 1, cells }
    }

    /// The next tick: claims that were for this one are gone.
    pub fn tick(&mut self) {
        self.now = self.now.saturating_add(1);
    }

    fn at(&self, cell: Cell) -> Option<usize> {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }

    fn put(&mut self, unit: u32, cell: Cell, until: u32) -> bool {
        let now = self.now;
        let Some(at) = self.at(cell) else { return false };
        let claim = &mut self.cells[at];
        if claim.until >= now && claim.unit != unit {
            return false;
        }
        *claim = Claim { unit, until };
        true
    }

    /// A unit claims the next cells of its way, two as a rule, for this tick and `ticks` more.
    /// Those up to the first that another unit holds are claimed: how many.
    pub fn walk(&mut self, unit: u32, cells: impl IntoIterator<Item = Cell>, ticks: u32) -> usize {
        let until = self.now.saturating_add(ticks).min(EVER - 1);
        cells.into_iter().take_while(|&cell| self.put(unit, cell, until)).count()
    }

    /// A unit stands, until it is [left](Claims::leave). Whether no other holds the cell.
    pub fn park(&mut self, unit: u32, cell: impl Into<Cell>) -> bool {
        self.put(unit, cell.into(), EVER)
    }

    /// A unit has left a cell. Whether it held it.
    pub fn leave(&mut self, unit: u32, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        let is_held = self.holder(cell) == Some(unit);
        if let Some(at) = self.at(cell).filter(|_| is_held) {
            self.cells[at] = Claim::default();
        }
        is_held
    }

    /// The unit that holds a cell now.
    pub fn holder(&self, cell: impl Into<Cell>) -> Option<u32> {
        let claim = self.cells[self.at(cell.into())?];
        (claim.until >= self.now).then_some(claim.unit)
    }

    /// What the cells that other units hold cost a unit more: `penalty`, or that they are blocked,
    /// if they are parked. Only those up to `radius` cells away count: what is farther is gone when
    /// the unit comes.
    pub fn near(&self, unit: u32, from: impl Into<Cell>, radius: i32, penalty: u16) -> Near<'_> {
        Near { claims: self, unit, from: from.into(), radius, penalty: u32::from(penalty) }
    }

    /// Writes all claims.
    pub fn save_into(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new(KIND, out);
        self.tell(&mut writer);
        writer.finish();
    }

    /// Brings claims back on a map of this size. What is refused changes nothing.
    pub fn load(&mut self, image: &[u8]) -> Result<(), LoadError> {
        let mut reader = Reader::new(KIND, image)?;
        let size = [reader.word()? as i32, reader.word()? as i32];
        if size != [self.width, self.height] {
            return Err(LoadError::Broken("the map has the size that it had"));
        }
        let now = reader.word()?;
        let mut cells = vec![Claim::default(); self.cells.len()];
        for _ in 0..reader.count(3)? {
            let (at, unit, until) = (reader.word()? as usize, reader.word()?, reader.word()?);
            let claim = cells.get_mut(at).ok_or(LoadError::Broken("claims are on cells of the map"))?;
            *claim = Claim { unit, until };
        }
        reader.finish()?;
        (self.now, self.cells) = (now, cells);
        Ok(())
    }

    /// All claims, as one number.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.tell(&mut hash);
        hash.finish()
    }

    /// Those that have expired are not told.
    fn tell(&self, sink: &mut impl Sink) {
        sink.word(self.width as u32);
        sink.word(self.height as u32);
        sink.word(self.now);
        let held = || self.cells.iter().enumerate().filter(|(_, claim)| claim.until >= self.now);
        sink.word(held().count() as u32);
        for (at, claim) in held() {
            sink.word(at as u32);
            sink.word(claim.unit);
            sink.word(claim.until);
        }
    }
}

/// Claims as one unit has to heed them.
#[derive(Clone, Copy, Debug)]
pub struct Near<'c> {
    claims: &'c Claims,
    unit: u32,
    from: Cell,
    radius: i32,
    penalty: u32,
}

impl Layer for Near<'_> {
    #[inline]
    fn extra(&self, index: usize) -> u32 {
        let claim = self.claims.cells[index];
        if claim.until < self.claims.now || claim.unit == self.unit {
            return 0;
        }
        let width = self.claims.width as u32;
        let cell = Cell::new((index as u32 % width) as i32, (index as u32 / width) as i32);
        let is_far = (cell - self.from).abs().max_element() > self.radius;
        match claim.until {
            _ if is_far => 0,
            EVER => BLOCKED,
            _ => self.penalty,
        }
    }

    fn cell_count(&self) -> Option<usize> {
        Some(self.claims.cells.len())
    }
}

const KIND: u8 = b'L';
