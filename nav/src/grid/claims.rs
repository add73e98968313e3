//! Claims (reservations): cells that units are about to enter, and cells where units stand.
//!
//! In: for each unit the next cells of its path, for so many ticks; or its cell, when it is parked.
//! Out: a layer for searches of other units near by, where claimed cells cost more and cells of
//! parked units are blocked; and whether a unit may enter a cell. Claims expire, and a unit's claim
//! ends when it leaves a cell, so no unit avoids another that is gone.

use super::layer::{BLOCKED, Layer};
use super::{Cell, Map, sizes};
use crate::state::{self, Kind, LoadError, Sink, saved};

saved!(Claims as Claims);

/// End of a parked unit's claim: no tick reaches it.
const FOREVER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Claim {
    unit: u32,
    /// The last tick of the claim; 0 if the cell is not claimed.
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
    /// Makes an empty set of claims for a map.
    pub fn new(map: &Map) -> Claims {
        let cells = vec![Claim::default(); map.cell_count()];
        Claims { width: map.width(), height: map.height(), now: 1, cells }
    }

    /// Goes to the next tick, and ends the claims whose last tick is over.
    pub fn tick(&mut self) {
        self.now = self.now.saturating_add(1);
    }

    fn at(&self, cell: Cell) -> Option<usize> {
        let inside = (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y);
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }

    /// Claims all cells that a unit covers; no cell if one of them is outside or claimed by another
    /// unit.
    fn put(&mut self, unit: u32, size: u8, cell: Cell, until: u32) -> bool {
        let now = self.now;
        let is_ours = |claim: &Claim| claim.until < now || claim.unit == unit;
        let mut places = sizes::covered(cell, size).map(|cell| self.at(cell));
        if !places.all(|at| at.is_some_and(|at| is_ours(&self.cells[at]))) {
            return false;
        }
        for cell in sizes::covered(cell, size) {
            if let Some(at) = self.at(cell) {
                self.cells[at] = Claim { unit, until };
            }
        }
        true
    }

    /// Claims the next cells of a unit's path, usually two, for this tick and `ticks` more. Stops
    /// before the first cell that another unit holds; returns the number of claimed cells.
    pub fn walk(&mut self, unit: u32, cells: impl IntoIterator<Item = Cell>, ticks: u32) -> usize {
        self.walk_as(unit, 1, cells, ticks)
    }

    /// Claims for a walking unit of `size` cells a side, up to 16: at each cell of the path, all
    /// cells that it covers.
    pub fn walk_as(
        &mut self,
        unit: u32,
        size: u8,
        cells: impl IntoIterator<Item = Cell>,
        ticks: u32,
    ) -> usize {
        let until = self.now.saturating_add(ticks).min(FOREVER - 1);
        cells.into_iter().take_while(|&cell| self.put(unit, size, cell, until)).count()
    }

    /// Parks a unit on a cell until it [leaves](Claims::leave). Returns whether no other unit holds
    /// the cell.
    pub fn park(&mut self, unit: u32, cell: impl Into<Cell>) -> bool {
        self.park_as(unit, 1, cell)
    }

    /// Parks a unit of `size` cells a side: claims all cells that it covers, or none.
    pub fn park_as(&mut self, unit: u32, size: u8, cell: impl Into<Cell>) -> bool {
        self.put(unit, size, cell.into(), FOREVER)
    }

    /// Ends a unit's claim of a cell. Returns whether the unit held the cell.
    pub fn leave(&mut self, unit: u32, cell: impl Into<Cell>) -> bool {
        self.leave_as(unit, 1, cell)
    }

    /// Ends the claims of a unit of `size` cells a side. Returns whether it held any of the cells.
    pub fn leave_as(&mut self, unit: u32, size: u8, cell: impl Into<Cell>) -> bool {
        let mut was_held = false;
        for cell in sizes::covered(cell.into(), size) {
            if let Some(at) = self.at(cell).filter(|_| self.holder(cell) == Some(unit)) {
                self.cells[at] = Claim::default();
                was_held = true;
            }
        }
        was_held
    }

    /// The unit that holds a cell now.
    pub fn holder(&self, cell: impl Into<Cell>) -> Option<u32> {
        let claim = self.cells[self.at(cell.into())?];
        (claim.until >= self.now).then_some(claim.unit)
    }

    /// A layer with the extra cost of cells that other units hold: `penalty`, or blocked for parked
    /// units. Only cells up to `radius` away count: farther units will be gone when the unit comes.
    pub fn near(&self, unit: u32, from: impl Into<Cell>, radius: i32, penalty: u16) -> Near<'_> {
        Near { claims: self, unit, from: from.into(), radius, penalty: u32::from(penalty) }
    }

    /// Loads the claims of an image, for a map of the same size. A refused image changes nothing.
    ///
    /// # Errors
    /// A [`LoadError`] for bytes that are damaged, of another kind or version, inconsistent, or
    /// written for a map of another size.
    pub fn load(&mut self, image: &[u8]) -> Result<(), LoadError> {
        let (now, cells) = state::read(Kind::Claims, image, |from| {
            from.size(self.width, self.height)?;
            let now = from.word()?;
            let mut cells = vec![Claim::default(); self.cells.len()];
            for _ in 0..from.count(3)? {
                let (at, unit, until) = (from.word()? as usize, from.word()?, from.word()?);
                let claim = cells.get_mut(at).filter(|claim| claim.until == 0 && until >= now);
                *claim.ok_or(LoadError::Broken("claims are on cells of the map, one each"))? =
                    Claim { unit, until };
            }
            // Ticks begin at 1, because a claim until 0 means that the cell is not claimed.
            if now > 0 { Ok((now, cells)) } else { Err(LoadError::Broken("ticks are counted from 1")) }
        })?;
        (self.now, self.cells) = (now, cells);
        Ok(())
    }

    /// Writes all claims that have not expired.
    fn encode(&self, to: &mut impl Sink) {
        to.cell(Cell::new(self.width, self.height));
        to.word(self.now);
        let held = self.cells.iter().enumerate().filter(|(_, claim)| claim.until >= self.now);
        to.list(held, |to, (at, claim)| {
            to.word(at as u32);
            to.word(claim.unit);
            to.word(claim.until);
        });
    }
}

/// A layer of the claims of other units, for one unit.
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
        let away = cell.x.abs_diff(self.from.x).max(cell.y.abs_diff(self.from.y));
        let is_far = i64::from(away) > i64::from(self.radius);
        match claim.until {
            _ if is_far => 0,
            FOREVER => BLOCKED,
            _ => self.penalty,
        }
    }

    fn cell_count(&self) -> Option<usize> {
        Some(self.claims.cells.len())
    }
}
