//! Flow fields: one search for all units that go to the same place.
//!
//! In: a map, goals, and cells to reach. Out: for every cell, the length to the nearest goal and
//! the direction of the next step; found by one Dijkstra search from all goals at once, backwards,
//! as far as the caller needs. Results are kept and extended later; after edits only the changed
//! parts are found anew.
//!
//! ```text
//!   final            | tentative     | unknown
//!   . . . . . . . . .|. . . . . . . .|
//!   0 ............ reached .......... + a step        lengths; below `reached` they are final
//! ```
//!
//! Repair (after Ramalingam and Reps, 1996, "An incremental algorithm for a generalization of the
//! shortest-path problem"): a length is *supported* if some step to a neighbour accounts for it.
//! Steps have positive lengths, so support never goes around in a circle. Cells in changed chunks
//! that lost their support become unknown, then cells that depended on them, and so on; the
//! remaining lengths belong to existing ways, from which the search goes on into the hole. The cost
//! is in proportion to the change, not to the map.

mod image;
mod repair;
mod straight;

use glam::Vec2;

use super::wave::{Columns, Entry, Wave};
use crate::grid::order::{NOWHERE, Order, order};
use crate::grid::{Cell, DIRECTIONS, Map, Rule};
use crate::length::{LIMIT, Scale};
use straight::Straight;

/// The length of a cell that was not reached.
const UNKNOWN: u32 = u32::MAX;

/// `reached` when there is nothing left to find.
const ALL: u32 = u32::MAX;

/// A flow field: from every cell, the direction to the nearest of some goals, and its length.
///
/// ```
/// use carom_nav::prelude::*;
/// use carom_nav::field::Flow;
///
/// let mut map = Map::new(40, 30)?;
/// let gates = [Cell::new(2, 2), Cell::new(37, 2)];
/// let mut flow = Flow::to(&gates);
/// let soldiers = [Cell::new(10, 20), Cell::new(30, 25)];
/// flow.until(&map, &soldiers); // only as far as needed
/// let mut at = soldiers[0];
/// while let Some(next) = flow.next(&map, at) {
///     at = next;
/// }
/// assert_eq!(at, gates[0]);
///
/// for y in 0..20 {
///     map.set_wall([5, y], true);
/// }
/// flow.until(&map, &soldiers); // repaired, not found anew
/// assert_eq!(flow.distance(soldiers[0]).map(|length| length.cells() > 20.0), Some(true));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
///
/// A map of another size, or with other lengths of steps, starts the field anew; on any other map
/// the field is repaired where the map differs. A step costs as much as the *entered* cell, as in
/// every search here.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    goals: Vec<Cell>,
    rule: Rule,
    asked: Option<Scale>,
    scale: Scale,
    /// Lengths of steps in the eight directions, and the offsets from a cell's number to its
    /// neighbours' numbers, modulo 2^32.
    steps: [u32; 8],
    offsets: [u32; 8],
    /// Cells along x and y; 0 before the first search.
    size: [i32; 2],
    uniform: bool,
    /// Hashes of the map's chunks, and of the whole map, at the last update.
    prints: Vec<u64>,
    print: u64,
    /// Numbers of the goals' cells, sorted.
    ends: Vec<u32>,
    /// The length to the nearest goal, by cell.
    lengths: Vec<u32>,
    /// Per cell, a bit for each direction of a last step that gives its length.
    came: Vec<u8>,
    /// Per cell, the noted [`direction`](Flow::direction), as a byte of [`noted`].
    noted: Vec<u8>,
    /// Lengths below this are final.
    reached: u32,
    /// Open cells with lengths of `reached` or more.
    open: Wave,
    /// Open cells of a repair, with lengths below `reached`.
    repair: Wave,
    /// Work space: a bucket; the cells where a repair begins; cells that lost their support, with
    /// their old lengths.
    bucket: Vec<Entry>,
    seeds: Vec<Entry>,
    cut: Vec<(u32, u32)>,
    /// Cells with a goal in sight.
    straight: Straight,
}

impl Flow {
    /// A field that leads to the nearest goal. A goal counts only while it is a free cell of the
    /// map.
    #[must_use]
    pub fn to(goals: &[Cell]) -> Flow {
        Flow { goals: goals.to_vec(), ..Flow::default() }
    }

    /// With these steps, instead of to eight neighbours without cutting corners.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Flow {
        Flow { rule, size: [0; 2], ..self }
    }

    /// With these lengths of steps, instead of [`Scale::FINE`] where all costs are 1 and
    /// [`Scale::COARSE`] elsewhere. Ignored if it is not [valid](Scale::is_valid).
    #[must_use]
    pub fn scale(self, scale: Scale) -> Flow {
        Flow { asked: Some(scale).filter(|scale| scale.is_valid()), size: [0; 2], ..self }
    }

    /// Sets other goals, reusing memory. Setting the same goals again changes nothing.
    pub fn aim(&mut self, goals: &[Cell]) {
        if self.goals != goals {
            self.goals.clear();
            self.goals.extend_from_slice(goals);
            self.size = [0; 2];
        }
    }

    /// The goals.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Extends the field until the path from each cell of `cells` is known, or known not to exist.
    /// Repairs the field after edits first.
    ///
    /// Notes the directions of all `cells` and of their neighbours, so that
    /// [`heading`](Flow::heading) is quick there.
    pub fn until(&mut self, map: &Map, cells: &[Cell]) {
        self.settle(map, cells);
        cells.iter().for_each(|&cell| self.note(map, cell));
    }

    /// Notes the directions of a cell and of the cells around it.
    fn note(&mut self, map: &Map, cell: Cell) {
        let all = Cells { size: self.size };
        if !all.contains(cell) || self.noted[all.index(cell)] & noted::AROUND != 0 {
            return;
        }
        let mut whole = true;
        for k in 0..9 {
            let beside = cell + Cell::new(k % 3 - 1, k / 3 - 1);
            if all.contains(beside) && self.noted[all.index(beside)] & noted::KNOWN == 0 {
                let known = self.reached == ALL || self.final_length(beside).is_some();
                whole &= known || !map.is_free(beside);
                if known {
                    let way = self.find_direction(map, beside).map_or(noted::NONE, |d| d as u8 + 1);
                    self.noted[all.index(beside)] |= way;
                }
            }
        }
        self.noted[all.index(cell)] |= if whole { noted::AROUND } else { 0 };
    }

    fn settle(&mut self, map: &Map, cells: &[Cell]) {
        self.update(map);
        let (lengths, mut left) = (Cells { size: self.size }, cells);
        while self.reached != ALL {
            let is_settled = |cell: Cell| {
                lengths.contains(cell) && self.lengths[lengths.index(cell)] < self.reached
                    || !map.is_free(cell)
            };
            while left.first().is_some_and(|&cell| is_settled(cell)) {
                left = &left[1..];
            }
            if left.is_empty() {
                return;
            }
            self.advance(map);
        }
    }

    /// Finds the lengths of all cells from which a goal can be reached.
    pub fn fill(&mut self, map: &Map) {
        self.update(map);
        while self.reached != ALL {
            self.advance(map);
        }
    }

    /// Repairs the field where the map changed since the last call, without extending it;
    /// [`until`](Flow::until) and [`fill`](Flow::fill) do this first.
    pub fn update(&mut self, map: &Map) {
        let is_same = self.size == [map.width(), map.height()]
            && (self.asked.is_some() || self.uniform == map.is_uniform());
        if !is_same {
            self.start(map);
        } else if self.uniform && !map.is_uniform() {
            let reached = self.reached;
            self.start(map);
            self.go_to(map, reached);
        } else if self.print != map.print() {
            self.repair_edits(map);
        } else {
            return;
        }
        self.look(map);
        self.noted.clear();
        self.noted.resize(map.cell_count(), 0);
        self.print = map.print();
        self.prints.clear();
        self.prints.extend_from_slice(map.chunk_prints());
    }

    /// Extends the field up to this length.
    fn go_to(&mut self, map: &Map, reached: u32) {
        while self.reached < reached && self.opens_below(reached) {
            self.advance(map);
        }
        self.reached = reached;
    }

    /// Whether a bucket below this length is not final yet.
    fn opens_below(&self, length: u32) -> bool {
        let from = self.open.bucket(self.reached);
        self.open.next(from).is_some_and(|next| self.open.begins(next) < length)
    }

    fn start(&mut self, map: &Map) {
        self.size = [map.width(), map.height()];
        self.uniform = map.is_uniform();
        self.scale = scale_on(map, self.asked);
        let Flow { rule, scale, size, .. } = *self;
        self.steps = core::array::from_fn(|d| {
            u32::from(if rule.is_diagonal(d) { scale.diagonal } else { scale.straight })
        });
        self.offsets = DIRECTIONS.map(|way| (way.y * size[0] + way.x) as u32);
        self.lengths.clear();
        self.lengths.resize(map.cell_count(), UNKNOWN);
        let longest = u32::from(self.scale.diagonal) * if self.uniform { 1 } else { 255 };
        self.open.prepare(u32::from(self.scale.straight), longest);
        self.repair.prepare(u32::from(self.scale.straight), longest);
        self.reached = 0;
        self.came.clear();
        if self.scope() == Scope::Pruned {
            self.came.resize(map.cell_count(), 0);
        }
        self.ends.clear();
        self.ends.extend(self.goals.iter().filter_map(|&goal| map.index(goal)).map(|at| at as u32));
        self.ends.sort_unstable();
        self.ends.dedup();
        for &goal in &self.goals {
            if map.is_free(goal) && self.lengths[map.at(goal)] != 0 {
                self.lengths[map.at(goal)] = 0;
                self.open.push(Entry { length: 0, cell: map.at(goal) as u32 });
                all_around(&mut self.came, map.at(goal));
            }
        }
    }

    /// Makes the next bucket final.
    fn advance(&mut self, map: &Map) {
        let Some(now) = self.open.next(self.open.bucket(self.reached)) else {
            self.reached = ALL;
            return;
        };
        let mut bucket = core::mem::take(&mut self.bucket);
        self.open.take(now, &mut bucket);
        self.reached = self.open.begins(now + 1);
        self.spread(map, &bucket, self.scope());
        self.bucket = bucket;
    }

    /// Offers the neighbours of each entry the path through it. With `Scope::Pruned` it skips
    /// neighbours that another path reaches with the same length.
    fn spread(&mut self, map: &Map, entries: &[Entry], scope: Scope) {
        match (scope, self.uniform) {
            (Scope::Pruned, _) => self.spread_as::<true, true>(map, entries),
            (Scope::All, true) => self.spread_as::<false, true>(map, entries),
            (Scope::All, false) => self.spread_as::<false, false>(map, entries),
        }
    }

    fn spread_as<const PRUNED: bool, const UNIFORM: bool>(&mut self, map: &Map, entries: &[Entry]) {
        let order = order(self.rule);
        let (steps, offsets) = (self.steps, self.offsets);
        let columns = Columns::of(self.size[0]);
        let walls = map.rows();
        for &entry in entries {
            let Entry { length, cell } = entry;
            if self.lengths[cell as usize] != length {
                continue;
            }
            let (x, y) = columns.split(cell);
            let cost =
                if UNIFORM { 1 } else { map.costs().get(cell as usize).map_or(1, |&cost| u32::from(cost)) };
            let around = walls.nine(x, y) & 511;
            let mut open =
                if PRUNED { onward(order, self.came[cell as usize], around) } else { order[NOWHERE][around] };
            while open != 0 {
                let d = open.trailing_zeros() as usize & 7;
                open &= open - 1;
                let to = cell.wrapping_add(offsets[d]);
                let way = length + steps[d] * cost;
                let old = self.lengths[to as usize];
                if PRUNED && way == old {
                    // Paths of equal length meet here: the search goes on in both directions. The
                    // cell lies in a later bucket, so this direction is not too late.
                    self.came[to as usize] |= 1 << d;
                }
                if way >= old || way > LIMIT {
                    continue;
                }
                self.lengths[to as usize] = way;
                if PRUNED {
                    self.came[to as usize] = 1 << d;
                } else {
                    all_around(&mut self.came, to as usize);
                }
                let list = if way >= self.reached { &mut self.open } else { &mut self.repair };
                list.push(Entry { length: way, cell: to });
            }
        }
    }

    /// The neighbours to visit: pruning needs uniform costs, eight neighbours and a diagonal step
    /// between one and two straight ones.
    fn scope(&self) -> Scope {
        let Scale { straight, diagonal } = self.scale;
        let is_ordered = self.uniform && straight < diagonal && u32::from(diagonal) < 2 * u32::from(straight);
        if is_ordered && matches!(self.rule, Rule::Eight(_)) { Scope::Pruned } else { Scope::All }
    }

    /// Whether the search for this field has begun.
    pub(crate) fn is_begun(&self) -> bool {
        self.size != [0; 2]
    }

    /// Whether the field has these rules and lengths of steps.
    pub(crate) fn is_for(&self, rule: Rule, scale: Scale) -> bool {
        (self.rule, self.asked) == (rule, Some(scale))
    }

    // Answers.

    /// The length from a cell to the nearest goal; `None` if it is not known, or there is no path.
    #[must_use]
    pub fn distance(&self, cell: impl Into<Cell>) -> Option<crate::length::Length> {
        let units = self.final_length(cell.into())?;
        Some(crate::length::Length { units, scale: self.scale })
    }

    /// Whether the length from the cell to the nearest goal is known, or that there is no path.
    #[must_use]
    pub fn is_known(&self, cell: impl Into<Cell>) -> bool {
        let cell = cell.into();
        Cells { size: self.size }.contains(cell) && (self.reached == ALL || self.final_length(cell).is_some())
    }

    #[inline]
    pub(crate) fn length_at(&self, index: u32) -> u32 {
        let length = self.lengths[index as usize];
        if length < self.reached { length } else { UNKNOWN }
    }

    #[inline]
    pub(crate) fn final_length(&self, cell: Cell) -> Option<u32> {
        let cells = Cells { size: self.size };
        cells.contains(cell).then(|| self.lengths[cells.index(cell)]).filter(|&length| length < self.reached)
    }

    /// The index in [`DIRECTIONS`] of the step from a cell towards the nearest goal, the first of
    /// equally good ones; `None` at a goal, in cells that are not known, and where there is no
    /// path.
    #[inline]
    #[must_use]
    pub fn direction(&self, map: &Map, cell: impl Into<Cell>) -> Option<usize> {
        let (cell, all) = (cell.into(), Cells { size: self.size });
        if self.print == map.print() && all.contains(cell) {
            match self.noted[all.index(cell)] & noted::KNOWN {
                0 => {}
                noted::NONE => return None,
                way => return Some(usize::from(way) - 1),
            }
        }
        self.find_direction(map, cell)
    }

    fn find_direction(&self, map: &Map, cell: Cell) -> Option<usize> {
        let own = self.final_length(cell).filter(|&length| length > 0)?;
        if self.size != [map.width(), map.height()] {
            return None;
        }
        let (steps, offsets, here) = (self.steps, self.offsets, map.at(cell) as u32);
        let (mut least, mut best) = (UNKNOWN, None);
        let mut open = self.rule.legal()[map.rows().nine(cell.x, cell.y)];
        while open != 0 {
            let d = open.trailing_zeros() as usize;
            open &= open - 1;
            let to = here.wrapping_add(offsets[d]) as usize;
            let length = self.lengths[to];
            // Between an edit and the next update the lengths are old; even so, each step leads to
            // a smaller length.
            if length < own {
                let cost = map.costs().get(to).map_or(1, |&cost| u32::from(cost));
                let way = length + steps[d] * cost;
                if way == own {
                    return Some(d);
                }
                if way < least {
                    (least, best) = (way, Some(d));
                }
            }
        }
        best
    }

    /// The next cell towards the nearest goal; `None` where [`direction`](Flow::direction) is.
    #[inline]
    #[must_use]
    pub fn next(&self, map: &Map, cell: impl Into<Cell>) -> Option<Cell> {
        let cell = cell.into();
        self.direction(map, cell).map(|d| cell + DIRECTIONS[d])
    }

    /// The direction at a position between cells, as a vector of length 1; zero outside of the map
    /// and where no direction is known. Cell `[x, y]` has its centre at `[x + 0.5, y + 0.5]`.
    ///
    /// Blends the directions of the four cells around, weighted by nearness, so that the result
    /// does not jump from cell to cell. A wall beside the position has no direction; a body with a
    /// radius leans on the wall and slides. A cell that sees a goal uses the straight line to it,
    /// if [`straight`](Flow::straight) turned that on. was asked for by
    /// [`straight`](Flow::straight).
    #[must_use]
    pub fn heading(&self, map: &Map, position: Vec2) -> Vec2 {
        let size = Vec2::new(self.size[0] as f32, self.size[1] as f32);
        if !(position.cmpge(Vec2::ZERO).all() && position.cmple(size).all()) {
            return Vec2::ZERO;
        }
        let corner = (position - 0.5).floor();
        let (share, low) = (position - 0.5 - corner, Cell::new(corner.x as i32, corner.y as i32));
        let mut sum = Vec2::ZERO;
        for (dx, x) in [1.0 - share.x, share.x].into_iter().enumerate() {
            for (dy, y) in [1.0 - share.y, share.y].into_iter().enumerate() {
                let cell = low + Cell::new(dx as i32, dy as i32);
                let way = self.beeline(cell, position);
                if let Some(way) = way.or_else(|| self.direction(map, cell).map(|d| HEADINGS[d])) {
                    sum += way * (x * y);
                }
            }
        }
        let square = sum.x * sum.x + sum.y * sum.y;
        if square > 0.0 { sum / square.sqrt() } else { Vec2::ZERO }
    }

    /// Writes the cells from `cell` to the nearest goal, both included, into `out`. Returns whether
    /// there is such a path and it is known; if not, `out` holds the known part.
    pub fn way(&self, map: &Map, cell: impl Into<Cell>, out: &mut Vec<Cell>) -> bool {
        out.clear();
        let cell = cell.into();
        if self.final_length(cell).is_none() {
            return false;
        }
        out.push(cell);
        let mut at = cell;
        while let Some(next) = self.next(map, at) {
            out.push(next);
            at = next;
        }
        self.final_length(at) == Some(0)
    }
}

fn scale_on(map: &Map, asked: Option<Scale>) -> Scale {
    asked.unwrap_or(if map.is_uniform() { Scale::FINE } else { Scale::COARSE })
}

/// The eight directions as vectors of length 1.
const HEADINGS: [Vec2; 8] = {
    const D: f32 = core::f32::consts::FRAC_1_SQRT_2;
    [
        Vec2::new(1.0, 0.0),
        Vec2::new(D, D),
        Vec2::new(0.0, 1.0),
        Vec2::new(-D, D),
        Vec2::new(-1.0, 0.0),
        Vec2::new(-D, -D),
        Vec2::new(0.0, -1.0),
        Vec2::new(D, -D),
    ]
};

/// Noted directions: 1 + the direction, or a mark for none; 0 if unknown.
mod noted {
    pub(super) const KNOWN: u8 = 15;
    pub(super) const NONE: u8 = 15;
    /// Flag: the directions of all cells around are noted, too.
    pub(super) const AROUND: u8 = 128;
}

/// Marks a cell so that all its neighbours are visited, from any direction of arrival.
#[inline(always)]
fn all_around(came: &mut [u8], at: usize) {
    if let Some(came) = came.get_mut(at) {
        *came = u8::MAX;
    }
}

/// The directions in which to go on from a cell that was reached in the directions `came`, by the
/// walls around it.
#[inline(always)]
fn onward(order: &Order, came: u8, around: usize) -> u8 {
    if came == u8::MAX {
        return order[NOWHERE][around];
    }
    let (mut left, mut open) = (came, 0);
    while left != 0 {
        open |= order[left.trailing_zeros() as usize & 7][around];
        left &= left - 1;
    }
    open
}

/// Neighbours that a step of the search visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    All,
    /// Only neighbours that no other path reaches with the same length.
    Pruned,
}

/// Numbers of cells, without a map.
#[derive(Clone, Copy)]
struct Cells {
    size: [i32; 2],
}

impl Cells {
    #[inline]
    fn contains(self, Cell { x, y }: Cell) -> bool {
        (x as u32) < self.size[0] as u32 && (y as u32) < self.size[1] as u32
    }

    #[inline]
    fn index(self, Cell { x, y }: Cell) -> usize {
        y as usize * self.size[0] as usize + x as usize
    }
}
