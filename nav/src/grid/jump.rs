//! Jump points, by words.
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
//! 64 cells are looked at together: with walls as set bits, those cells where the row above turns
//! from wall to free are `!above & (above << 1)`; the first of these, of those below, and of walls
//! in the row itself ends the scan. Columns are rows of the map turned about. A diagonal walks cell
//! by cell and scans to both sides; what it finds there becomes a node at once, and the cells of
//! the diagonal do not ("Improving jump point search", ICAPS 2014).

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

/// The search. Nodes lie in a list; a cell's slot holds where, and counts only if that node is of
/// this cell.
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
        (self.end, self.expansions, self.too_far) = (0, 0, false);
        self.list.push(Node { cell: pack(start), g: 0, parent: 0, came: 0, done: 0 });
        self.slots[view.at(start)] = 0;
        self.open.push(estimate.at(start.x, start.y), 0);
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
            Scan { view, legal, from: cell, g: node.g, parent: slot, jump: self }.all(directions);
        }
        Progress::Going
    }

    /// A way of length `g` to a cell was found, that came in a direction.
    fn reach(&mut self, view: &Map, cell: Cell, g: u32, parent: u32, direction: usize) {
        if g > LIMIT {
            self.too_far = true;
            return;
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
                    // Two ways of one length: both are followed, for each may be the one that goes
                    // diagonally first.
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
        self.open.push(g + self.estimate.at(cell.x, cell.y), node);
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
    legal: &'static Legal,
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

    /// Scans from a cell; what is found becomes a node.
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

    /// Walks a diagonal, and scans to both sides of it.
    fn diagonal<const D: usize, const FIRST: usize, const SECOND: usize>(&mut self) {
        let (mut cell, mut g) = (self.from, self.g);
        let step = u32::from(self.jump.scale.diagonal);
        for walked in 1.. {
            let open = self.legal[self.view.rows().nine(cell.x, cell.y) & 511];
            if open >> D & 1 == 0 {
                return;
            }
            cell += DIRECTIONS[D];
            g = g.saturating_add(step);
            if cell == self.jump.goal || walked == LONGEST_WALK {
                self.jump.reach(self.view, cell, g, self.parent, D);
                return;
            }
            self.straight::<FIRST>(cell, g);
            self.straight::<SECOND>(cell, g);
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

/// The same towards lesser ones.
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
