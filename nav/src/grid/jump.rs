//! Jump point search, by words of 64 cells.
//!
//! In: a map where every step costs the same and no corner is cut. Out: a shortest way, of far
//! fewer nodes than cells.
//!
//! Of all shortest ways between two cells only the one that goes diagonally first is followed
//! (Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011, and for
//! ways that cut no corner, "The JPS pathfinding system", SoCS 2012). Going straight, such a way
//! bends only where a wall beside it ends:
//!
//! ```text
//!   ██.        the wall above ends: from x the way may turn up, and up ahead, which is not reached sooner by another
//!   ->x
//! ```
//!
//! 64 cells are tested together: with walls as set bits, those cells where the row above turns from
//! wall to free are `!above & (above << 1)`; the first of these, of those below, and of walls in
//! the row itself ends the scan. Columns are rows of the transposed map. A diagonal walks cell by
//! cell and scans to both sides; jump points found there become nodes at once, and the cells of the
//! diagonal do not ("Improving jump point search", ICAPS 2014).

use super::ask::Estimate;
use super::bits::Bits;
use super::path::Path;
use super::rule::{Corners, DIRECTIONS, Legal, Rule};
use super::search::{Progress, pack, unpack};
use super::{Cell, Map};
use crate::length::{LIMIT, Scale};
use crate::open::{Far, Open};

/// A diagonal walk of so many cells ends in a node, so that open land is not scanned far from where
/// the way goes.
const LONGEST_WALK: u32 = 256;

/// Directions that a way may go on in, after it came straight in a direction, for each
/// neighbourhood of walls.
type Turns = [[u8; 512]; 4];

static TURNS: Turns = turns();

const fn turns() -> Turns {
    let mut turns = [[0; 512]; 4];
    let mut k = 0;
    while k < 4 {
        let came = 2 * k;
        let mut walls = 0;
        while walls < 512 {
            let mut open = 1 << came;
            // To the left and to the right: did a wall end there?
            let mut side = 0;
            while side < 2 {
                let (across, ahead) = if side == 0 { (came + 2, came + 1) } else { (came + 6, came + 7) };
                let (across, ahead) = (across % 8, ahead % 8);
                let back = if side == 0 { (came + 3) % 8 } else { (came + 5) % 8 };
                if wall(walls, back) && !wall(walls, across) {
                    open |= 1 << across | 1 << ahead;
                }
                side += 1;
            }
            turns[k][walls] = open;
            walls += 1;
        }
        k += 1;
    }
    turns
}

/// Whether there is a wall in a direction.
const fn wall(walls: usize, direction: usize) -> bool {
    let Cell { x, y } = DIRECTIONS[direction];
    walls >> ((y + 1) * 3 + x + 1) & 1 != 0
}

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: u32,
    g: u32,
    parent: u32,
    /// Directions that ways of this length came from.
    came: u8,
    /// Directions that were followed.
    done: u8,
}

/// The search. Nodes are in a list; a cell's slot holds an index, and counts only if that node is
/// of this cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jump {
    slots: Vec<u32>,
    list: Vec<Node>,
    open: Far,
    start: Cell,
    goal: Cell,
    scale: Scale,
    estimate: Estimate,
    end: u32,
    /// The length of the shortest way to the goal so far: nodes that exceed it with their estimates
    /// are never taken out before the goal.
    bound: u32,
    /// Whether the goal lies in one jump from the start.
    direct: bool,
    expansions: u64,
    too_far: bool,
}

impl Jump {
    pub(crate) fn begin(&mut self, view: &Map, start: Cell, goal: Cell, scale: Scale, estimate: Estimate) {
        if self.slots.len() < view.cell_count() {
            self.slots.resize(view.cell_count(), 0);
        }
        self.list.clear();
        self.open.prepare(estimate.at(start.x, start.y));
        (self.start, self.goal, self.scale, self.estimate) = (start, goal, scale, estimate);
        (self.end, self.bound, self.expansions, self.too_far) = (0, u32::MAX, 0, false);
        self.list.push(Node { cell: pack(start), g: 0, parent: 0, came: 0, done: 0 });
        self.slots[view.at(start)] = 0;
        self.direct = false;
        if let Some((g, came)) = self.direct(view) {
            self.direct = true;
            self.list[0].done = came;
            self.end = self.list.len() as u32;
            self.slots[view.at(goal)] = self.end;
            self.list.push(Node { cell: pack(goal), g, parent: 0, came, done: 0 });
            return;
        }
        self.open.push(estimate.at(start.x, start.y), 0);
    }

    /// The length of the way that goes to the goal diagonally first, and the directions of it, if
    /// that is one jump: no way is shorter, and of equally short ones the search takes this one.
    fn direct(&self, view: &Map) -> Option<(u32, u8)> {
        let (start, goal) = (self.start, self.goal);
        let way = goal - start;
        let diagonal = way.x.abs().min(way.y.abs());
        if way == Cell::ZERO || diagonal >= LONGEST_WALK as i32 {
            return None;
        }
        let straight = way.x.abs().max(way.y.abs()) - diagonal;
        let is_there = if straight == 0 {
            true
        } else {
            let Cell { x, y } = start + way.signum() * diagonal;
            let (rows, columns) = (view.rows(), view.columns());
            match (way.x.abs() > way.y.abs(), way.x > 0, way.y > 0) {
                (true, true, _) => ahead(rows, x, y, goal.x, goal.y) == Some(goal.x),
                (true, false, _) => behind(rows, x, y, goal.x, goal.y) == Some(goal.x),
                (false, _, true) => ahead(columns, y, x, goal.y, goal.x) == Some(goal.y),
                (false, _, false) => behind(columns, y, x, goal.y, goal.x) == Some(goal.y),
            }
        };
        let is_free = |k: i32| {
            let Cell { x, y } = start + way.signum() * k;
            let beside =
                [Cell::new(x, y - way.y.signum()), Cell::new(x - way.x.signum(), y), Cell::new(x, y)];
            beside.iter().all(|cell| !view.rows().get(cell.x, cell.y))
        };
        let is_way = is_there && (1..=diagonal).all(is_free);
        is_way.then(|| (self.scale.sum(straight as u32, diagonal as u32), u8::MAX))
    }

    pub(crate) fn expansions(&self) -> u64 {
        self.expansions
    }

    pub(crate) fn is_too_far(&self) -> bool {
        self.too_far
    }

    pub(crate) fn is_settled(&self, cell: Cell, map: &Map) -> bool {
        let slot = self.slots.get(map.at(cell)).map_or(0, |&slot| slot as usize);
        self.list.get(slot).is_some_and(|node| node.cell == pack(cell) && node.done != 0)
    }

    /// Goes on for so many expansions.
    pub(crate) fn advance(&mut self, view: &Map, allowed: u64) -> Progress {
        let legal = Rule::Eight(Corners::Never).legal();
        let mut left = allowed;
        if self.direct && left > 0 {
            self.expansions = 2;
            return Progress::At(self.goal);
        }
        while left > 0 {
            let Some(slot) = self.open.pop() else { return Progress::Exhausted };
            let node = self.list[slot as usize];
            let cell = unpack(node.cell);
            if cell == self.goal {
                self.end = slot;
                self.expansions += 1;
                return Progress::At(cell);
            }
            let directions = ways_on(legal, view.rows().nine(cell.x, cell.y), node.came) & !node.done;
            if directions == 0 {
                continue; // settled before
            }
            left -= 1;
            self.expansions += 1;
            self.list[slot as usize].done |= directions;
            Scan { view, from: cell, g: node.g, parent: slot, jump: self }.all(directions);
        }
        Progress::Going
    }

    /// A way of length `g` to a cell was found, that came in a direction.
    fn reach(&mut self, view: &Map, cell: Cell, g: u32, parent: u32, direction: usize) {
        if g > LIMIT {
            self.too_far = true;
            return;
        }
        let key = g + self.estimate.at(cell.x, cell.y);
        if key > self.bound {
            return;
        }
        if cell == self.goal {
            self.bound = g;
        }
        let (packed, came) = (pack(cell), 1 << direction);
        let slot = &mut self.slots[view.at(cell)];
        let node = match self.list.get_mut(*slot as usize) {
            Some(node) if node.cell == packed => {
                if g > node.g || g == node.g && node.came & came != 0 {
                    return;
                }
                if g < node.g {
                    (node.g, node.parent, node.came, node.done) = (g, parent, came, 0);
                } else if node.came == 0 {
                    return; // the start, to which every way leads back
                } else {
                    // Two ways of equal length: both are followed, as either may be the one that
                    // goes diagonally first.
                    node.came |= came;
                }
                *slot
            }
            _ => {
                *slot = self.list.len() as u32;
                self.list.push(Node { cell: packed, g, parent, came, done: 0 });
                *slot
            }
        };
        self.open.push(key, node);
    }

    /// The way to the goal, and its length.
    pub(crate) fn way(&self, path: &mut Path) -> u32 {
        let mut slot = self.end;
        loop {
            let node = self.list[slot as usize];
            let cell = unpack(node.cell);
            path.push(cell);
            if cell == self.start {
                break;
            }
            // From the parent diagonally first, then straight.
            let from = unpack(self.list[node.parent as usize].cell);
            let way = cell - from;
            let diagonal = way.x.abs().min(way.y.abs());
            if diagonal > 0 && way.x.abs() != way.y.abs() {
                path.push(from + way.signum() * diagonal);
            }
            slot = node.parent;
        }
        path.reverse();
        self.list[self.end as usize].g
    }
}

/// Directions to follow from a cell that was reached in some others; all of them from the start.
#[inline]
fn ways_on(legal: &Legal, walls: usize, came: u8) -> u8 {
    if came == 0 {
        return legal[walls];
    }
    let mut ways = 0;
    let mut left = came;
    while left != 0 {
        let d = left.trailing_zeros() as usize;
        left &= left - 1;
        ways |= if d.is_multiple_of(2) { TURNS[d / 2][walls] } else { diagonal_and_sides(d) };
    }
    ways & legal[walls]
}

/// A diagonal direction and the two straight ones that it is made of.
#[inline]
fn diagonal_and_sides(d: usize) -> u8 {
    1 << d | 1 << (d - 1) | 1 << ((d + 1) % 8)
}

/// All jumps from a node.
struct Scan<'s> {
    view: &'s Map,
    from: Cell,
    g: u32,
    parent: u32,
    jump: &'s mut Jump,
}

impl Scan<'_> {
    fn all(&mut self, directions: u8) {
        let (from, g) = (self.from, self.g);
        let is_set = |d: u8| directions >> d & 1 != 0;
        if is_set(0) {
            self.straight::<0>(from, g);
        }
        if is_set(2) {
            self.straight::<2>(from, g);
        }
        if is_set(4) {
            self.straight::<4>(from, g);
        }
        if is_set(6) {
            self.straight::<6>(from, g);
        }
        if is_set(1) {
            self.diagonal::<1, 0, 2>();
        }
        if is_set(3) {
            self.diagonal::<3, 2, 4>();
        }
        if is_set(5) {
            self.diagonal::<5, 4, 6>();
        }
        if is_set(7) {
            self.diagonal::<7, 6, 0>();
        }
    }

    /// Scans from a cell; a jump point becomes a node.
    #[inline(always)]
    fn straight<const D: usize>(&mut self, from: Cell, g: u32) {
        let goal = self.jump.goal;
        let (rows, columns) = (self.view.rows(), self.view.columns());
        let found = match D {
            0 => ahead(rows, from.x, from.y, goal.x, goal.y).map(|x| Cell::new(x, from.y)),
            2 => ahead(columns, from.y, from.x, goal.y, goal.x).map(|y| Cell::new(from.x, y)),
            4 => behind(rows, from.x, from.y, goal.x, goal.y).map(|x| Cell::new(x, from.y)),
            _ => behind(columns, from.y, from.x, goal.y, goal.x).map(|y| Cell::new(from.x, y)),
        };
        if let Some(to) = found {
            let steps = to.x.abs_diff(from.x) + to.y.abs_diff(from.y);
            let g = g.saturating_add(self.jump.scale.sum(steps, 0));
            self.jump.reach(self.view, to, g, self.parent, D);
        }
    }

    /// Walks a diagonal, and scans to both sides of it. Tried: kept out of line, so that four of
    /// them do not share registers: no faster.
    fn diagonal<const D: usize, const FIRST: usize, const SECOND: usize>(&mut self) {
        let (way, step) = (DIRECTIONS[D], u32::from(self.jump.scale.diagonal));
        let (view, goal) = (self.view, self.jump.goal);
        let mut cell = self.from;
        let mut rows = Window::at(view.rows(), cell.x, cell.y);
        let mut columns = Window::at(view.columns(), cell.y, cell.x);
        for walked in 1..=LONGEST_WALK {
            let next = cell + way;
            if !rows.is_open(cell.x, way, view.rows(), next) {
                return;
            }
            rows.go_on(next.x, way.x, way.y);
            columns.go_on(next.y, way.y, way.x);
            cell = next;
            // No diagonal is longer than a side: this is far from 2^32.
            let g = self.g + walked * step;
            if cell == goal || walked == LONGEST_WALK {
                self.jump.reach(view, cell, g, self.parent, D);
                return;
            }
            let is_worth = (
                rows.meets_something(cell.x, way.x) || cell.y == goal.y,
                columns.meets_something(cell.y, way.y) || cell.x == goal.x,
            );
            // In the pairs east and north, west and south, the first direction goes along the row.
            let (first, second) = if D % 4 == 1 { is_worth } else { (is_worth.1, is_worth.0) };
            if first {
                self.straight::<FIRST>(cell, g);
            }
            if second {
                self.straight::<SECOND>(cell, g);
            }
        }
    }
}

/// The words of a line of cells, and of the two beside it, where a walk is: as it goes on, each
/// line but one is known already.
struct Window<'b> {
    words: &'b [u64],
    stride: usize,
    at: usize,
    /// Words of the line before, of its own, and of the line behind.
    lines: [u64; 3],
}

impl<'b> Window<'b> {
    /// The word of the cell `along` in a line. A row is a line of [`Map::rows`], a column one of
    /// [`Map::columns`].
    #[inline(always)]
    fn at(bits: &'b Bits, along: i32, line: i32) -> Self {
        let (words, stride) = (bits.words(), bits.stride());
        let at = bits.start(line) + (along >> 6) as usize;
        Window { words, stride, at, lines: [words[at - stride], words[at], words[at + stride]] }
    }

    /// Whether a diagonal step is open, from the cell `x` of the line.
    #[inline(always)]
    fn is_open(&self, x: i32, way: Cell, bits: &Bits, next: Cell) -> bool {
        let [own, ahead] = [self.lines[1], self.lines[(1 + way.y) as usize]];
        if (x ^ next.x) >> 6 == 0 {
            // The next bit of its own line, both bits of the other.
            let (shift, beside) = if way.x > 0 { (x & 63, 2) } else { (next.x & 63, 1) };
            return (own >> shift) & beside | (ahead >> shift) & 3 == 0;
        }
        let is_free = |x: i32, y: i32| {
            bits.words()[bits.start(y).wrapping_add_signed((x >> 6) as isize)] >> (x & 63) & 1 == 0
        };
        ahead >> (x & 63) & 1 == 0 && is_free(next.x, next.y - way.y) && is_free(next.x, next.y)
    }

    /// To the cell `along` of the next line, one further on.
    #[inline(always)]
    fn go_on(&mut self, along: i32, step: i32, across: i32) {
        self.at = self.at.wrapping_add_signed(self.stride as isize * across as isize);
        let turns = if step > 0 { along & 63 == 0 } else { along & 63 == 63 };
        if turns {
            self.at = self.at.wrapping_add_signed(step as isize);
            self.lines =
                [self.words[self.at - self.stride], self.words[self.at], self.words[self.at + self.stride]];
        } else if across > 0 {
            self.lines = [self.lines[1], self.lines[2], self.words[self.at + self.stride]];
        } else {
            self.lines = [self.words[self.at - self.stride], self.lines[0], self.lines[1]];
        }
    }

    /// Whether a scan from the cell `along` may find anything before a wall of the line itself, in
    /// the same word.
    #[inline(always)]
    fn meets_something(&self, along: i32, step: i32) -> bool {
        let [before, own, behind] = self.lines;
        if step > 0 {
            let ends = !before & before << 1 | !behind & behind << 1;
            let stops = (own | ends) & (!1 << (along & 63));
            own & stops & stops.wrapping_neg() == 0
        } else {
            let ends = !before & before >> 1 | !behind & behind >> 1;
            let stops = (own | ends) & ((1 << (along & 63)) - 1);
            // The highest of them is one of its own if what is left of the others is lower.
            own & stops <= stops & !own
        }
    }
}

/// Scans row `y` from `x` towards greater ones: the first cell where a wall above or below ends, or
/// the goal, if no wall of the row itself comes before it.
#[inline]
fn ahead(bits: &Bits, x: i32, y: i32, goal_x: i32, goal_y: i32) -> Option<i32> {
    let (words, stride, start) = (bits.words(), bits.stride(), bits.start(y));
    let mut at = start + (x >> 6) as usize;
    let (mut above, mut below) = (words[at + stride], words[at - stride]);
    let mut ends = (!above & above << 1) | (!below & below << 1);
    let mut stops = (words[at] | ends) & (!1 << (x & 63));
    while stops == 0 {
        at += 1;
        let (carry_above, carry_below) = (above >> 63, below >> 63);
        (above, below) = (words[at + stride], words[at - stride]);
        ends = (!above & (above << 1 | carry_above)) | (!below & (below << 1 | carry_below));
        stops = words[at] | ends;
    }
    let bit = stops.trailing_zeros();
    let found = ((at - start) as i32) << 6 | bit as i32;
    if goal_y == y && goal_x > x && goal_x <= found {
        return (goal_x < found || words[at] >> bit & 1 == 0).then_some(goal_x);
    }
    (words[at] >> bit & 1 == 0).then_some(found)
}

/// Scans row `y` from `x` towards smaller ones.
#[inline]
fn behind(bits: &Bits, x: i32, y: i32, goal_x: i32, goal_y: i32) -> Option<i32> {
    let (words, stride, start) = (bits.words(), bits.stride(), bits.start(y));
    let mut at = start + (x >> 6) as usize;
    let (mut above, mut below) = (words[at + stride], words[at - stride]);
    let mut ends = (!above & above >> 1) | (!below & below >> 1);
    let mut stops = (words[at] | ends) & ((1 << (x & 63)) - 1);
    while stops == 0 {
        at -= 1;
        let (carry_above, carry_below) = (above << 63, below << 63);
        (above, below) = (words[at + stride], words[at - stride]);
        ends = (!above & (above >> 1 | carry_above)) | (!below & (below >> 1 | carry_below));
        stops = words[at] | ends;
    }
    let bit = 63 - stops.leading_zeros();
    // The word before a row is all wall: its last bit is the cell -1.
    let found = (at as i32 - start as i32) * 64 + bit as i32;
    if goal_y == y && goal_x < x && goal_x >= found {
        return (goal_x > found || words[at] >> bit & 1 == 0).then_some(goal_x);
    }
    (words[at] >> bit & 1 == 0).then_some(found)
}
