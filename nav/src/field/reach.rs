//! Reach: where a unit of a turn-based game can go, and which cells it can strike from there.
//!
//! In: a map, a start, movement points, and other units with their effects on movement. Out: every
//! cell that can be entered, with the points left there and a cheapest path; then the cells that
//! the unit can attack from them.
//!
//! This is Dijkstra's search by points spent. Marking a cell when it is first *seen* is wrong: on
//! `1 3 1 / 1 1 1` the corner behind the 3 is first seen over the 3, with fewer points left than by
//! the path around. A unit pays for a cell when it *enters* it. The points left never grow, under
//! any rules, so a cell that was taken from the open list is final.

use core::ops::RangeInclusive;

use super::sight::sees;
use super::wave::{Columns, Entry, Wave};
use crate::grid::{Cell, DIRECTIONS, Map, Rule};
use crate::length::{LIMIT, Scale};

/// Effect of another unit's cell on movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passing {
    /// The unit cannot enter the cell.
    #[default]
    Block,
    /// The unit can pass the cell, but not stop there.
    PassOnly,
    /// The cell is like a free one.
    Free,
}

/// Effect of entering a cell next to an enemy (zone of control). A cell is next to an enemy if the
/// enemy could step there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// Nothing.
    #[default]
    Ignored,
    /// The unit has no points left: its move ends there.
    Stops,
    /// Entering costs so many points more.
    Costs(u16),
}

/// Other units, and their effects on the moving unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupied<'u> {
    /// Cells of enemies.
    pub enemies: &'u [Cell],
    /// Cells of allies. The moving unit may be among them.
    pub allies: &'u [Cell],
    /// Effect of an enemy's cell.
    pub enemy: Passing,
    /// Effect of an ally's cell.
    pub ally: Passing,
    /// Effect of enemies on cells around them.
    pub zones: Zone,
}

impl Default for Occupied<'_> {
    /// No units; enemies block, allies can be passed, zones are ignored.
    fn default() -> Self {
        let (enemy, ally) = (Passing::Block, Passing::PassOnly);
        Occupied { enemies: &[], allies: &[], enemy, ally, zones: Zone::Ignored }
    }
}

/// Whether an attacker has to see its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// Distance alone counts.
    #[default]
    Ignored,
    /// The attacker's cell [sees](super::sees) the target's.
    Needed,
}

/// A unit that may strike, for [`Reach::threat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Striker {
    /// Its cell.
    pub cell: Cell,
    /// Its movement points.
    pub points: u32,
    /// Least and greatest distance of its attacks.
    pub range: RangeInclusive<u32>,
}

/// Cells that a unit can reach. Keep one and fill it again: its memory is reused, and no call
/// touches the whole map.
///
/// ```
/// use carom_nav::prelude::*;
/// use carom_nav::field::{Occupied, Reach, Sight, Zone};
///
/// let map = Map::new(20, 20)?;
/// let mut reach = Reach::default().rule(Rule::Four);
/// reach.fill(&map, [10, 10], 2, &Occupied::default());
/// assert_eq!(reach.cells().len(), 13); // 2 r^2 + 2 r + 1
///
/// let enemies = [Cell::new(12, 10)];
/// let occupied = Occupied { enemies: &enemies, zones: Zone::Stops, ..Occupied::default() };
/// reach.fill(&map, [10, 10], 4, &occupied);
/// assert_eq!(reach.left([11, 10]), Some(0)); // next to the enemy
/// let mut way = Vec::new();
/// assert!(reach.way([11, 10], &mut way) && way == [Cell::new(10, 10), Cell::new(11, 10)]);
/// let mut targets = Vec::new();
/// reach.attack(&map, 1..=1, Sight::Ignored, &mut targets);
/// assert!(targets.contains(&enemies[0]));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
///
/// By default a unit steps to eight neighbours without cutting corners, and a diagonal step takes
/// as many points as a straight one: the cost of the entered cell. With another
/// [`scale`](Reach::scale), points are in units of the scale.
#[derive(Clone, Debug)]
pub struct Reach {
    rule: Rule,
    scale: Scale,
    width: i32,
    points: u32,
    /// Per cell of the map; valid if the stamp of the node is the current one.
    nodes: Vec<Node>,
    stamp: u32,
    /// Reached cells, in the order of becoming final.
    cells: Vec<Cell>,
    /// Reached cells in which a zone ended the move.
    halted: Vec<Cell>,
    wave: Wave,
    bucket: Vec<Entry>,
    /// Work space of attacks: a bit per cell, in rows.
    bits: Vec<u64>,
    targets: Vec<Cell>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    stamp: u32,
    spent: u32,
    /// The direction of the last step of a cheapest path; 8 at the start.
    came: u8,
    /// Marks of other units (the constants below); cleared when a call ends.
    marks: u8,
    /// Whether the unit may stop here.
    stop: bool,
}

/// Data of one call: the map, and the units on it.
struct Land<'m> {
    columns: Columns,
    offsets: [u32; 8],
    steps: [u32; 8],
    costs: &'m [u8],
    /// Marks that keep the unit out, and marks of cells where it cannot stop.
    blocked: u8,
    taken: u8,
    stops: bool,
    extra: u32,
}

impl<'m> Land<'m> {
    fn new(reach: &Reach, map: &'m Map, occupied: &Occupied) -> Land<'m> {
        let Reach { rule, scale, .. } = *reach;
        let bit = |passing: Passing, which: Passing, mark: u8| if passing == which { mark } else { 0 };
        let both = |which| bit(occupied.enemy, which, ENEMY) | bit(occupied.ally, which, ALLY);
        Land {
            columns: Columns::of(map.width()),
            offsets: DIRECTIONS.map(|way| (way.y * map.width() + way.x) as u32),
            steps: core::array::from_fn(|d| {
                u32::from(if rule.is_diagonal(d) { scale.diagonal } else { scale.straight })
            }),
            costs: map.costs(),
            blocked: both(Passing::Block),
            taken: both(Passing::Block) | both(Passing::PassOnly),
            stops: occupied.zones == Zone::Stops,
            extra: if let Zone::Costs(extra) = occupied.zones { u32::from(extra) } else { 0 },
        }
    }
}

const START: u8 = 8;
const ENEMY: u8 = 1;
const ALLY: u8 = 2;
const ZONE: u8 = 4;

impl Default for Reach {
    fn default() -> Reach {
        Reach {
            rule: Rule::default(),
            scale: Scale::STEPS,
            width: 1,
            points: 0,
            nodes: Vec::new(),
            stamp: 0,
            cells: Vec::new(),
            halted: Vec::new(),
            wave: Wave::default(),
            bucket: Vec::new(),
            bits: Vec::new(),
            targets: Vec::new(),
        }
    }
}

impl Reach {
    /// Sets the rule for steps.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Reach {
        Reach { rule, ..self }
    }

    /// Sets the lengths of steps; movement points are then in units of this scale. Ignored if it is
    /// not [valid](Scale::is_valid).
    #[must_use]
    pub fn scale(self, scale: Scale) -> Reach {
        Reach { scale: if scale.is_valid() { scale } else { self.scale }, ..self }
    }

    /// Finds the cells that a unit can reach from a cell with so many points. From a wall, or from
    /// outside, it reaches no cell.
    pub fn fill(&mut self, map: &Map, from: impl Into<Cell>, points: u32, occupied: &Occupied) {
        let from = from.into();
        self.begin(map, points.min(LIMIT), occupied.zones);
        if !map.is_free(from) {
            return;
        }
        self.mark(map, occupied, true);
        let land = Land::new(self, map, occupied);
        self.enter(&land, map.at(from) as u32, 0, START);
        let mut bucket = core::mem::take(&mut self.bucket);
        let mut now = 0;
        while let Some(next) = self.wave.next(now) {
            now = next;
            self.wave.take(now, &mut bucket);
            for &entry in &bucket {
                self.spread(map, &land, entry);
            }
        }
        self.bucket = bucket;
        let (nodes, points) = (&self.nodes, self.points);
        self.cells.extend(self.halted.iter().filter(|cell| nodes[map.at(**cell)].spent == points));
        self.mark(map, occupied, false);
    }

    fn begin(&mut self, map: &Map, points: u32, zones: Zone) {
        let same_rows = self.width == map.width() && self.nodes.len() >= map.cell_count();
        if !same_rows || self.stamp == u32::MAX {
            self.nodes.clear();
            self.nodes.resize(map.cell_count(), Node::default());
            self.stamp = 0;
        }
        (self.width, self.points) = (map.width(), points);
        self.stamp += 1;
        self.cells.clear();
        let straight = u32::from(self.scale.straight);
        let dearest = u32::from(self.scale.diagonal) * u32::from(map.greatest_cost());
        let extra = if let Zone::Costs(extra) = zones { u32::from(extra) } else { 0 };
        // Steps that cost more than all points are never put in.
        self.wave.prepare(straight, (dearest + extra).min(points.max(straight)));
        self.halted.clear();
    }

    /// Marks the cells of other units, or clears the marks.
    fn mark(&mut self, map: &Map, occupied: &Occupied, set: bool) {
        let mut put = |cell: Cell, bit: u8| {
            let marks = &mut self.nodes[map.at(cell)].marks;
            *marks = if set { *marks | bit } else { 0 };
        };
        for &enemy in occupied.enemies.iter().filter(|cell| map.contains(**cell)) {
            put(enemy, ENEMY);
            let holds = occupied.zones != Zone::Ignored && map.is_free(enemy);
            let steps = if holds { map.moves(self.rule, enemy) } else { 0 };
            (0..8).filter(|d| steps >> d & 1 != 0).for_each(|d| put(enemy + DIRECTIONS[d], ZONE));
        }
        for &ally in occupied.allies.iter().filter(|cell| map.contains(**cell)) {
            put(ally, ALLY);
        }
    }

    /// Enters a cell with its points spent, if they are fewer than before.
    #[inline(always)]
    fn enter(&mut self, land: &Land, at: u32, spent: u32, came: u8) {
        let stamp = self.stamp;
        let node = &mut self.nodes[at as usize];
        let is_new = node.stamp != stamp;
        if !is_new && node.spent <= spent {
            return;
        }
        let stop = came == START || node.marks & land.taken == 0;
        *node = Node { stamp, spent, came, stop, ..*node };
        if spent < self.points || came == START {
            self.wave.push(Entry { length: spent, cell: at });
        } else if is_new {
            // No points are left, so the unit goes no further from this cell. It is final unless a
            // cheaper path comes, and then it is put into the open list.
            let (x, y) = land.columns.split(at);
            self.halted.push(Cell::new(x, y));
        }
    }

    /// Makes a cell final and enters its neighbours.
    #[inline(always)]
    fn spread(&mut self, map: &Map, land: &Land, entry: Entry) {
        let at = entry.cell;
        let node = self.nodes[at as usize];
        if node.spent != entry.length {
            return;
        }
        let (x, y) = land.columns.split(at);
        self.cells.push(Cell::new(x, y));
        let left = self.points - node.spent;
        let mut open = if left == 0 { 0 } else { self.rule.legal()[map.rows().nine(x, y) & 511] };
        while open != 0 {
            let d = open.trailing_zeros() as usize & 7;
            open &= open - 1;
            let to = at.wrapping_add(land.offsets[d]);
            let marks = self.nodes[to as usize].marks;
            let entering = if land.costs.is_empty() { 1 } else { u32::from(land.costs[to as usize]) };
            let extra = if marks & ZONE != 0 { land.extra } else { 0 };
            let cost = land.steps[d] * entering + extra;
            if marks & land.blocked != 0 || cost > left {
                continue;
            }
            let stops = marks & ZONE != 0 && land.stops;
            self.enter(land, to, if stops { self.points } else { node.spent + cost }, d as u8);
        }
    }

    // Answers.

    /// Every cell that can be entered, the start first, then by points spent (with
    /// [`Scale::STEPS`]; with other scales, cells whose points differ by less than a straight step
    /// may be in any order). In some cells the unit may not stop.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cells where the unit can end its move, in the order of [`cells`](Reach::cells). The
    /// start is one of them.
    pub fn stops(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells.iter().copied().filter(|&cell| self.can_stop(cell))
    }

    fn node(&self, cell: Cell) -> Option<&Node> {
        let is_in = cell.x >= 0 && cell.y >= 0 && cell.x < self.width;
        let at = cell.y as usize * self.width as usize + cell.x as usize;
        self.nodes
            .get(if is_in { at } else { usize::MAX })
            .filter(|node| node.stamp == self.stamp && self.stamp > 0)
    }

    /// The points left in a cell; `None` if the unit cannot enter it.
    #[must_use]
    pub fn left(&self, cell: impl Into<Cell>) -> Option<u32> {
        self.node(cell.into()).map(|node| self.points - node.spent)
    }

    /// Whether the unit can end its move in a cell.
    #[must_use]
    pub fn can_stop(&self, cell: impl Into<Cell>) -> bool {
        self.node(cell.into()).is_some_and(|node| node.stop)
    }

    /// Writes a cheapest path from the start to a cell, both included, into `out`. Returns whether
    /// the unit can enter the cell.
    pub fn way(&self, cell: impl Into<Cell>, out: &mut Vec<Cell>) -> bool {
        out.clear();
        let mut at = cell.into();
        while let Some(node) = self.node(at) {
            out.push(at);
            if node.came == START {
                break;
            }
            at -= DIRECTIONS[usize::from(node.came)];
        }
        out.reverse();
        !out.is_empty()
    }

    /// Writes the free cells whose distance from any cell where the unit can stop lies in `range`
    /// into `out`, row by row. The distance is in steps as over free land: a diamond with four
    /// neighbours, a square with eight, a hexagon with six.
    pub fn attack(&mut self, map: &Map, range: RangeInclusive<u32>, sight: Sight, out: &mut Vec<Cell>) {
        out.clear();
        if self.stamp == 0 || self.width != map.width() || self.nodes.len() < map.cell_count() {
            return;
        }
        let stride = (self.width as usize).div_ceil(64);
        self.bits.resize(stride * map.height() as usize, 0);
        let reach = i32::try_from(*range.end()).unwrap_or(i32::MAX).min(map.width() + map.height());
        let near = i32::try_from(*range.start()).unwrap_or(i32::MAX);
        if near > reach {
            return;
        }
        let (mut lowest, mut highest) = (map.height(), -1);
        for k in 0..self.cells.len() {
            let from = self.cells[k];
            if !self.can_stop(from) {
                continue;
            }
            for dy in (-reach).max(-from.y)..=reach.min(map.height() - 1 - from.y) {
                let y = from.y + dy;
                (lowest, highest) = (lowest.min(y), highest.max(y));
                let row = &mut self.bits[y as usize * stride..(y as usize + 1) * stride];
                for [low, high] in spans(self.rule, near, reach, dy) {
                    let (low, high) = ((from.x + low).max(0), (from.x + high).min(self.width - 1));
                    if sight == Sight::Ignored {
                        set(row, low, high);
                    } else {
                        for x in low..=high {
                            let is_new = row[x as usize / 64] >> (x % 64) & 1 == 0;
                            if is_new && map.is_free([x, y]) && sees(map, from, Cell::new(x, y)) {
                                set(row, x, x);
                            }
                        }
                    }
                }
            }
        }
        for y in lowest..=highest {
            let row = &mut self.bits[y as usize * stride..(y as usize + 1) * stride];
            for (k, (word, walls)) in row.iter_mut().zip(map.row(y)).enumerate() {
                let mut free = core::mem::take(word) & !walls;
                while free != 0 {
                    out.push(Cell::new(k as i32 * 64 + free.trailing_zeros() as i32, y));
                    free &= free - 1;
                }
            }
        }
    }

    /// Writes into `out`, by the cell's number, how many of the strikers can strike each cell in
    /// their next turn: they move as `occupied` says, seen from their side, and attack from the
    /// cells where they stop.
    pub fn threat(
        &mut self,
        map: &Map,
        strikers: &[Striker],
        occupied: &Occupied,
        sight: Sight,
        out: &mut Vec<u16>,
    ) {
        out.clear();
        out.resize(map.cell_count(), 0);
        let mut targets = core::mem::take(&mut self.targets);
        for striker in strikers {
            self.fill(map, striker.cell, striker.points, occupied);
            self.attack(map, striker.range.clone(), sight, &mut targets);
            for &target in &targets {
                let count = &mut out[map.at(target)];
                *count = count.saturating_add(1);
            }
        }
        self.targets = targets;
    }
}

/// Columns, relative to the first cell's, of the cells `dy` rows away at a distance of `near` to
/// `far`: up to two spans.
fn spans(rule: Rule, near: i32, far: i32, dy: i32) -> impl Iterator<Item = [i32; 2]> {
    let within = |distance: i32| {
        let side = distance - dy.abs();
        (side >= 0).then_some(match rule {
            Rule::Four => [-side, side],
            Rule::Eight(_) => [-distance, distance],
            Rule::Six if dy >= 0 => [-distance, side],
            Rule::Six => [-side, distance],
        })
    };
    let outer = within(far);
    let [left, right] = match (outer, within(near - 1)) {
        (Some([low, high]), Some([from, to])) => [Some([low, from - 1]), Some([to + 1, high])],
        (outer, _) => [outer, None],
    };
    left.into_iter().chain(right).filter(|[low, high]| low <= high)
}

/// Sets the bits of a row from `low` to `high`, both included; none if `low` > `high`.
fn set(row: &mut [u64], low: i32, high: i32) {
    if low > high {
        return;
    }
    let (low, high) = (low as usize, high as usize);
    let (first, last) = (low / 64, high / 64);
    for (k, word) in row[first..=last].iter_mut().enumerate() {
        let from = if k == 0 { !0 << (low % 64) } else { !0 };
        let to = if first + k == last { !0 >> (63 - high % 64) } else { !0 };
        *word |= from & to;
    }
}
