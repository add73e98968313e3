//! Adaptive A*: repeated searches for one goal, on land that turns out worse than known.
//!
//! In: land on which walls appear and costs rise; a unit that walks. Out: shortest paths, with
//! fewer expansions each time. Each search improves the estimates for the next: for a settled cell,
//! the length of the whole path minus the length from the start to the cell is a lower bound. And a
//! search ends as soon as it settles a cell from which a path of an earlier search still leads to
//! the goal at its old length (Hernández, Asín and Baier, "Reusing previously found A* paths for
//! fast goal-directed navigation in dynamic terrain", AAAI 2015). Both hold only while no cell
//! opens and no cost falls: otherwise all results are dropped.

use super::ask::{Ask, Estimate, Found};
use super::bits::Bits;
use super::path::Path;
use super::rule::{DIRECTIONS, Rule};
use super::search::{pack, unpack};
use super::{Bad, Cell, Map};
use crate::length::{LIMIT, Length, Scale};
use crate::open::{Far, Open};
use crate::state::{self, Kind, LoadError, Reader, Sink, saved};

/// No direction.
const NONE: u8 = 8;

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    stamp: u32,
    g: u32,
    came: u8,
    closed: bool,
}

/// Results of earlier searches in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CellResult {
    /// Lower bound of the length to the goal.
    estimate: u32,
    /// The direction of the next step on a known path to the goal.
    next: u8,
}

const UNKNOWN: CellResult = CellResult { estimate: 0, next: NONE };

/// Repeated searches for one goal.
///
/// ```
/// use carom_nav::grid::Adaptive;
/// use carom_nav::prelude::*;
///
/// let map = Map::parse("......\n.####.\n....#.\n......\n")?;
/// let mut known = Known::new(&map);
/// let mut adaptive = Adaptive::new(Rule::default(), [5, 1]);
/// let (mut unit, mut path) = (Cell::new(0, 1), Path::default());
/// while unit != Cell::new(5, 1) {
///     known.see(&map, unit, 2);
///     assert!(adaptive.path(known.land(), unit, &mut path).is_way());
///     unit = path.cells().nth(1).expect("a step");
/// }
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Adaptive {
    rule: Rule,
    goal: Cell,
    scale: Scale,
    /// The land's least cost.
    least: u32,
    last_land: LastLand,
    results: Vec<CellResult>,
    nodes: Vec<Node>,
    stamp: u32,
    open: Far,
    closed: Vec<u32>,
    expansions: u64,
}

saved!(Adaptive as Adaptive);

/// The land at the last search.
#[derive(Clone, Debug, Default)]
struct LastLand {
    /// Cells along x and y; 0 before the first search.
    size: [i32; 2],
    prints: Vec<u64>,
    walls: Bits,
    costs: Vec<u8>,
}

impl LastLand {
    fn fits(&self, land: &Map) -> bool {
        self.size == [land.width(), land.height()]
    }

    fn store(&mut self, land: &Map) {
        self.size = [land.width(), land.height()];
        self.prints.clear();
        self.prints.extend_from_slice(land.chunk_prints());
        self.walls.clone_from(land.rows());
        self.costs.clear();
        self.costs.extend_from_slice(land.costs());
    }

    /// Notes changes on land of the same size. Returns whether the land got better: a wall was
    /// removed, or a cost lowered.
    fn note_changes(&mut self, land: &Map) -> bool {
        let mut opened = false;
        if self.costs.len() != land.costs().len() {
            // All costs were 1 before, or are 1 now.
            opened |= land.costs().is_empty();
            self.costs.clear();
            self.costs.resize(land.costs().len(), 1);
        }
        land.each_change(&self.prints, |low, high| {
            let (word, shift) = (low.x as usize / 64, low.x % 64);
            for y in low.y..=high.y {
                let (old, now) = (&mut self.walls.row_mut(y)[word], land.row(y)[word]);
                opened |= (*old & !now) >> shift & 0xFFFF != 0;
                *old = *old & !(0xFFFF << shift) | now & 0xFFFF << shift;
                let row = land.at(Cell::new(low.x, y))..land.at(Cell::new(high.x, y)) + 1;
                if let (Some(old), Some(now)) = (self.costs.get_mut(row.clone()), land.costs().get(row)) {
                    opened |= old.iter().zip(now).any(|(old, now)| now < old);
                    old.copy_from_slice(now);
                }
            }
        });
        self.prints.copy_from_slice(land.chunk_prints());
        opened
    }
}

impl Adaptive {
    /// Makes a search for paths to a goal.
    pub fn new(rule: Rule, goal: impl Into<Cell>) -> Adaptive {
        Adaptive {
            rule,
            goal: goal.into(),
            scale: Scale::FINE,
            least: 0,
            last_land: LastLand::default(),
            results: Vec::new(),
            nodes: Vec::new(),
            stamp: 0,
            open: Far::default(),
            closed: Vec::new(),
            expansions: 0,
        }
    }

    /// The goal.
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// Sets another goal, and drops earlier results.
    pub fn set_goal(&mut self, goal: impl Into<Cell>) {
        self.goal = goal.into();
        self.results.clear();
    }

    /// Number of cells that the last search expanded.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// A shortest path from the start to the goal over the present land.
    pub fn path(&mut self, land: &Map, start: impl Into<Cell>, path: &mut Path) -> Found {
        let start = start.into();
        path.begin(land, 1);
        self.expansions = 0;
        let ask = Ask::new(start, self.goal).rule(self.rule);
        if let Err(bad) = ask.check(land) {
            return Found::Bad(bad);
        }
        if land.cell_count() as u64 >= 1 << 31 {
            return Found::Bad(Bad::Size);
        }
        self.prepare(land, &ask);
        let estimate = Estimate::new(&ask, land, self.scale, self.least);
        let found = match self.search(land, start, &estimate) {
            Ok(Some(end)) => self.learn(land, start, end, path),
            Ok(None) => Found::None,
            Err(()) => Found::TooFar,
        };
        path.seal(land);
        found
    }

    /// Drops results that are no longer valid.
    fn prepare(&mut self, land: &Map, ask: &Ask) {
        let (scale, least) = (ask.scale_on(land), u32::from(land.least_cost()));
        let count = land.cell_count();
        let opened = if self.last_land.fits(land) {
            self.last_land.note_changes(land)
        } else {
            self.last_land.store(land);
            true
        };
        let holds = self.scale == scale && self.least == least && self.results.len() == count && !opened;
        if !holds {
            self.results.clear();
            self.results.resize(count, UNKNOWN);
            (self.scale, self.least) = (scale, least);
        }
        if self.nodes.len() < count {
            self.nodes.resize(count, Node::default());
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.nodes.fill(Node::default());
            self.stamp = 1;
        }
        self.closed.clear();
    }

    fn estimate_at(&self, at: usize, cell: Cell, estimate: &Estimate) -> u32 {
        self.results[at].estimate.max(estimate.at(cell.x, cell.y))
    }

    fn step(&self, land: &Map, direction: usize, to: usize) -> u32 {
        let step = if self.rule.is_diagonal(direction) { self.scale.diagonal } else { self.scale.straight };
        u32::from(step) * land.costs().get(to).map_or(1, |&cost| u32::from(cost))
    }

    /// Searches for the first settled cell from which the rest of the path is known: the goal, or a
    /// cell of an earlier path. `Err` if all paths are too long.
    fn search(&mut self, land: &Map, start: Cell, estimate: &Estimate) -> Result<Option<Cell>, ()> {
        let at = land.at(start);
        let mut too_far = false;
        self.nodes[at] = Node { stamp: self.stamp, g: 0, came: NONE, closed: false };
        let f = self.estimate_at(at, start, estimate);
        self.open.prepare(f);
        self.open.push(f, pack(start));
        while let Some(packed) = self.open.pop() {
            let cell = unpack(packed);
            let at = land.at(cell);
            let Node { g, closed, .. } = self.nodes[at];
            if closed {
                continue;
            }
            self.nodes[at].closed = true;
            self.closed.push(at as u32);
            self.expansions += 1;
            if self.is_way_known(land, cell, estimate) {
                return Ok(Some(cell));
            }
            let mut moves = land.moves(self.rule, cell);
            while moves != 0 {
                let d = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let next = cell + DIRECTIONS[d & 7];
                let to = land.at(next);
                let length = g.saturating_add(self.step(land, d, to));
                let node = self.nodes[to];
                if node.stamp == self.stamp && (node.closed || length >= node.g) {
                    continue;
                }
                if length > LIMIT {
                    too_far = true;
                    continue;
                }
                self.nodes[to] = Node { stamp: self.stamp, g: length, came: d as u8, closed: false };
                let f = length + self.estimate_at(to, next, estimate).min(LIMIT);
                self.open.push(f, pack(next));
            }
        }
        if too_far { Err(()) } else { Ok(None) }
    }

    /// Whether an earlier path leads from a cell to the goal, still walkable and as long as the
    /// estimate. Cuts the path where it is broken.
    fn is_way_known(&mut self, land: &Map, cell: Cell, estimate: &Estimate) -> bool {
        let mut now = cell;
        while now != self.goal {
            let at = land.at(now);
            let next = self.results[at].next as usize;
            if next >= 8 {
                return false;
            }
            let to = now + DIRECTIONS[next];
            let is_open = land.moves(self.rule, now) >> next & 1 != 0;
            let is_exact = is_open && {
                let index = land.at(to);
                let left = self.estimate_at(index, to, estimate) + self.step(land, next, index);
                self.estimate_at(at, now, estimate) == left
            };
            if !is_exact {
                self.results[at].next = NONE;
                return false;
            }
            now = to;
        }
        true
    }

    /// Keeps the results of the search, and writes the path.
    fn learn(&mut self, land: &Map, start: Cell, end: Cell, path: &mut Path) -> Found {
        let ask = Ask::new(start, self.goal).rule(self.rule);
        let estimate = Estimate::new(&ask, land, self.scale, self.least);
        let at = land.at(end);
        let whole = self.nodes[at].g + self.estimate_at(at, end, &estimate);
        for &at in &self.closed {
            let rest = whole.saturating_sub(self.nodes[at as usize].g);
            let result = &mut self.results[at as usize];
            result.estimate = result.estimate.max(rest);
        }
        // The path back to the start, which is known from now on, and then on to the goal.
        let mut cell = end;
        path.push(cell);
        while cell != start {
            let came = self.nodes[land.at(cell)].came;
            cell -= DIRECTIONS[came as usize & 7];
            self.results[land.at(cell)].next = came;
            path.push(cell);
        }
        path.reverse();
        cell = end;
        while cell != self.goal {
            cell += DIRECTIONS[self.results[land.at(cell)].next as usize & 7];
            path.push(cell);
        }
        Found::Way { cost: Length { units: whole, scale: self.scale } }
    }

    /// Loads an image, for land of the same size. A refused image changes nothing.
    ///
    /// # Errors
    /// A [`LoadError`] for bytes that are damaged, of another kind or version, inconsistent, or
    /// written for land of another size.
    pub fn load(&mut self, land: &Map, image: &[u8]) -> Result<(), LoadError> {
        let mut loaded = state::read(Kind::Adaptive, image, |from| Adaptive::decode(from, land))?;
        if loaded.leads_off(land) {
            return Err(LoadError::Broken("ways stay on the land"));
        }
        core::mem::swap(&mut loaded.nodes, &mut self.nodes);
        loaded.stamp = self.stamp;
        *self = loaded;
        Ok(())
    }

    fn decode(from: &mut Reader, land: &Map) -> Result<Adaptive, LoadError> {
        let mut loaded = Adaptive::new(from.rule()?, from.cell()?);
        loaded.scale = from.scale()?.ok_or(LoadError::Broken("a scale is a valid one"))?;
        loaded.least = from.word()?;
        if !from.flag()? {
            return Ok(loaded);
        }
        from.size(land.width(), land.height())?;
        // The image holds the land of the last search; derived data follows from it.
        let words = (land.width() as usize).div_ceil(64);
        let walls =
            (0..words * land.height() as usize).map(|_| from.long()).collect::<Result<Vec<_>, _>>()?;
        let row = |y: i32| &walls[y as usize * words..][..words];
        let mut last_land = Map::from_rows(land.width() as usize, land.height() as usize, row)
            .map_err(|_| LoadError::Broken("a map has cells, and not too many"))?;
        let costs = from.bytes()?;
        if !costs.is_empty() && costs.len() != land.cell_count() || costs.contains(&0) {
            return Err(LoadError::Broken("each cell has a cost, or none has"));
        }
        costs.iter().enumerate().for_each(|(at, &cost)| _ = last_land.put_cost(last_land.cell_at(at), cost));
        loaded.last_land.store(&last_land);
        loaded.results.resize(land.cell_count(), UNKNOWN);
        for _ in 0..from.count(3)? {
            let (at, estimate, next) = (from.word()? as usize, from.word()?, from.word()?);
            if at >= land.cell_count() || next > u32::from(NONE) || estimate > LIMIT {
                return Err(LoadError::Broken("what is known is of cells of the land"));
            }
            loaded.results[at] = CellResult { estimate, next: next as u8 };
        }
        Ok(loaded)
    }

    /// Whether a direction leads off the land. (Directions cannot lead around for ever: each step
    /// must lower the estimate by its length.)
    fn leads_off(&self, land: &Map) -> bool {
        (0..self.results.len()).any(|at| {
            let next = self.results[at].next as usize;
            next < 8 && land.index(land.cell_at(at) + DIRECTIONS[next]).is_none()
        })
    }

    fn encode(&self, to: &mut impl Sink) {
        to.rule(self.rule);
        to.cell(self.goal);
        to.scale(Some(self.scale));
        to.word(self.least);
        // After `set_goal` there are no results yet.
        let last_land = &self.last_land;
        to.flag(!self.results.is_empty());
        if self.results.is_empty() {
            return;
        }
        to.cell(Cell::from(last_land.size));
        (0..last_land.size[1]).for_each(|y| last_land.walls.row(y).iter().for_each(|&word| to.long(word)));
        let is_dear = last_land.costs.iter().any(|cost| *cost != 1);
        to.bytes(if is_dear { &last_land.costs } else { &[] });
        let known = self.results.iter().enumerate().filter(|(_, result)| **result != UNKNOWN);
        to.list(known, |to, (at, result)| {
            to.word(at as u32);
            to.word(result.estimate);
            to.word(u32::from(result.next));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Claims, Known};
    use crate::state::refuses_damage;

    /// Damaged images are refused, or give a search that works.
    #[test]
    fn images_are_refused_when_damaged() {
        let map = Map::from_fn(12, 9, |cell| (cell.x * 5 + cell.y * 3) % 7 == 0).expect("a map");
        let (mut known, mut claims) = (Known::new(&map), Claims::new(&map));
        let mut adaptive = Adaptive::new(Rule::default(), [11, 8]);
        let (mut path, mut image) = (Path::default(), Vec::new());
        known.see(&map, [1, 1], 5);
        claims.walk(3, [Cell::new(1, 1), Cell::new(2, 2)], 5);
        claims.park(4, [5, 5]);
        _ = adaptive.path(known.land(), [1, 1], &mut path);
        known.save_into(&mut image);
        refuses_damage(&image, |bytes| known.clone().load(bytes));
        claims.save_into(&mut image);
        refuses_damage(&image, |bytes| claims.clone().load(bytes));
        adaptive.save_into(&mut image);
        refuses_damage(&image, |bytes| {
            let mut loaded = adaptive.clone();
            loaded.load(known.land(), bytes)?;
            _ = loaded.path(known.land(), [1, 2], &mut path);
            Ok(())
        });
    }
}
