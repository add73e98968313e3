//! Jump point search, by words of 64 cells.
//!
//! In: a map where every step costs the same and no corner is cut. Out: a shortest path, from far
//! fewer nodes than cells.
//!
//! Among all shortest paths between two cells the search follows only the one that goes diagonally
//! first (Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011, and
//! for paths that cut no corner, "The JPS pathfinding system", SoCS 2012). On a straight leg, such
//! a path turns only where a wall beside it ends:
//!
//! ```text
//!   ██.        the wall above ends: from x the path may turn up, or up ahead,
//!   ->x        as no other path gets there sooner
//! ```
//!
//! 64 cells are tested together: with walls as set bits, the cells where the row above turns from
//! wall to free are `!above & (above << 1)`. The scan ends at the first such cell, above or below,
//! or at a wall of the row itself. Columns are rows of the transposed map. A diagonal walks cell by
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

/// A diagonal walk ends in a node after this many cells, so that open land far from the path is not
/// scanned. Tried: to end the walk where its estimate has grown by 4 to 64 cells: up to 1.2 times
/// as long, because the extra nodes cost more than the scans they save.
const LONGEST_WALK: i32 = 256;

/// Directions in which a path may go on after it came straight in a direction, for each
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
    /// Directions from which paths of this length came.
    came: u8,
    /// Directions that were scanned.
    done: u8,
}

/// The search. Nodes lie in a list; a cell's slot holds an index in the list, and counts only if
/// the node there belongs to this cell. Tried: a hash table, so that slots lie closer: 3 % quicker
/// on the largest map, up to 10 % slower on others.
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
    /// The length of the shortest path to the goal so far: a node with a greater f can never be
    /// popped before the goal.
    bound: u32,
    /// Whether the goal lies one jump from the start.
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

    /// The length and the directions of the path that goes to the goal diagonally first, if that is
    /// one jump: no path is shorter, and among equally short ones the search takes this one.
    fn direct(&self, view: &Map) -> Option<(u32, u8)> {
        let (start, goal) = (self.start, self.goal);
        let way = goal - start;
        let diagonal = way.x.abs().min(way.y.abs());
        if way == Cell::ZERO || diagonal >= LONGEST_WALK {
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

    /// Runs for at most `allowed` expansions.
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
                continue; // expanded before
            }
            left -= 1;
            self.expansions += 1;
            self.list[slot as usize].done |= directions;
            Scan { view, from: cell, g: node.g, parent: slot, jump: self }.all(directions);
        }
        Progress::Going
    }

    /// Notes a path of length `g` to a cell, with the direction in which it arrived.
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
                    return; // the start, to which every path leads back
                } else {
                    // Two paths of equal length: the search follows both, as either may be the one
                    // that goes diagonally first.
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

    /// The path to the goal, and its length.
    pub(crate) fn way(&self, path: &mut Path) -> u32 {
        let mut slot = self.end;
        loop {
            let node = self.list[slot as usize];
            let cell = unpack(node.cell);
            path.push(cell);
            if cell == self.start {
                break;
            }
            // A jump goes from the parent diagonally first, then straight.
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

/// Directions to scan from a cell, by the directions in which it was reached; all directions from
/// the start.
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

/// A diagonal direction and its two straight components.
#[inline]
fn diagonal_and_sides(d: usize) -> u8 {
    1 << d | 1 << (d - 1) | 1 << ((d + 1) % 8)
}

/// A node whose jumps are being scanned.
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

    /// Scans straight from a cell; a jump point becomes a node.
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

    /// Walks a diagonal, and scans to both sides of it. Tried: not inlined, so that the four
    /// directions do not share registers: no faster.
    fn diagonal<const D: usize, const FIRST: usize, const SECOND: usize>(&mut self) {
        let (way, view, from) = (DIRECTIONS[D], self.view, self.from);
        // The number of steps after which the walk is in the goal's column, and in its row.
        let Cell { x: goal_x, y: goal_y } = (self.jump.goal - from) * way;
        let is_on_goal = goal_x == goal_y && (1..LONGEST_WALK).contains(&goal_x);
        let last = if is_on_goal { goal_x } else { LONGEST_WALK };
        // The caller knows that the first step is open.
        let cell = from + way;
        let mut rows = Window::at(view.rows(), cell.x, cell.y, way.x, way.y);
        let mut columns = Window::at(view.columns(), cell.y, cell.x, way.y, way.x);
        for walked in 1..last {
            // Among the sides east and north, and west and south, the first goes along the row.
            // Tried: one branch for both sides, as most scans find nothing: 1.03 times as long.
            if D % 4 == 1 {
                self.beside::<D, FIRST>(&rows, walked, walked == goal_y);
                self.beside::<D, SECOND>(&columns, walked, walked == goal_x);
            } else {
                self.beside::<D, FIRST>(&columns, walked, walked == goal_x);
                self.beside::<D, SECOND>(&rows, walked, walked == goal_y);
            }
            if !rows.is_open(way.x) {
                return;
            }
            rows.go_on(way.x);
            columns.go_on(way.y);
        }
        self.jump.reach(view, from + way * last, self.length(last, 0), self.parent, D);
    }

    /// Scans to one side of a diagonal, `walked` steps from its start.
    #[inline(always)]
    fn beside<const D: usize, const SIDE: usize>(&mut self, line: &Window, walked: i32, is_goals: bool) {
        let along = DIRECTIONS[SIDE];
        let (stops, is_wall) = line.stops(along.x + along.y);
        if !is_wall | is_goals {
            self.find::<D, SIDE>(if is_goals { 0 } else { stops }, walked);
        }
    }

    /// Reaches the jump point at the nearest of the cells `stops`; if there is none, scans from the
    /// beginning.
    #[inline(never)]
    fn find<const D: usize, const SIDE: usize>(&mut self, stops: u64, walked: i32) {
        let (from, along) = (self.from + DIRECTIONS[D] * walked, DIRECTIONS[SIDE]);
        if stops == 0 {
            self.straight::<SIDE>(from, self.length(walked, 0));
            return;
        }
        let steps = if along.x + along.y > 0 { stops.trailing_zeros() } else { stops.leading_zeros() } as i32;
        self.jump.reach(self.view, from + along * steps, self.length(walked, steps), self.parent, SIDE);
    }

    /// The length after so many steps from the node. No diagonal is longer than a side of the map,
    /// so the product is far below 2^32.
    #[inline(always)]
    fn length(&self, diagonal: i32, straight: i32) -> u32 {
        let scale = self.jump.scale;
        let g = self.g + diagonal as u32 * u32::from(scale.diagonal);
        g.saturating_add(straight as u32 * u32::from(scale.straight))
    }
}

/// A window of 64 cells of a line, from the cell of a walk on in its direction, and of the two
/// lines beside it. As the walk goes on, two of the three lines are already loaded, and only shift
/// by a cell.
struct Window<'b> {
    words: &'b [u64],
    /// Words from a line to the next; negative (wrapping) if the walk goes backwards.
    stride: u32,
    /// Start of the next line, and the position of the walk along it.
    next: u32,
    along: u32,
    /// Cells of the last line, of the walk's own line, and of the next one.
    lines: [u64; 3],
}

/// The valid cells of a window, without the cell of the walk: the oldest line has shifted by two
/// cells, and no cells came in at its end.
const SEEN: u64 = !0 >> 2 & !1;

impl<'b> Window<'b> {
    /// A window at cell `along` of a line. A row is a line of [`Map::rows`], a column a line of
    /// [`Map::columns`].
    #[inline(always)]
    fn at(bits: &'b Bits, along: i32, line: i32, step: i32, across: i32) -> Self {
        let stride = (bits.stride() as u32).wrapping_mul(across as u32);
        let (own, along) = (bits.start(line) as u32, along as u32);
        let (last, next) = (own.wrapping_sub(stride), own.wrapping_add(stride));
        let words = bits.words();
        let last = cells(words, last, along, step);
        let lines = [last, cells(words, own, along, step), cells(words, next, along, step)];
        Window { words, stride, next, along, lines }
    }

    /// Whether a diagonal step is open.
    #[inline(always)]
    fn is_open(&self, step: i32) -> bool {
        let [_, own, next] = self.lines;
        let walls = if step > 0 { own >> 1 | next | next >> 1 } else { (own << 1 | next | next << 1) >> 63 };
        walls & 1 == 0
    }

    /// Moves to the next line, one cell further along.
    #[inline(always)]
    fn go_on(&mut self, step: i32) {
        self.next = self.next.wrapping_add(self.stride);
        self.along = self.along.wrapping_add(step as u32);
        let [_, own, next] = self.lines;
        let new = cells(self.words, self.next, self.along, step);
        self.lines = if step > 0 { [own >> 1, next >> 1, new] } else { [own << 1, next << 1, new] };
    }

    /// The cells where a scan along the line may stop, at a wall or where a wall beside it ends;
    /// and whether the first of them is a wall.
    #[inline(always)]
    fn stops(&self, step: i32) -> (u64, bool) {
        let [last, own, next] = self.lines;
        if step > 0 {
            let stops = (own | !last & last << 1 | !next & next << 1) & SEEN;
            (stops, own & stops & stops.wrapping_neg() != 0)
        } else {
            let stops = (own | !last & last >> 1 | !next & next >> 1) & SEEN.reverse_bits();
            // The highest stop is a wall if the walls among the stops, as a number, are greater
            // than the other stops.
            (stops, own & stops > stops & !own)
        }
    }
}

/// 64 cells of a line, from cell `along` on: this cell is the lowest bit, or, if `step` is
/// backwards, the highest.
#[inline(always)]
fn cells(words: &[u64], start: u32, along: u32, step: i32) -> u64 {
    // No map has 2^32 words, so the additions do not overflow, and both words are loaded together.
    let at = start.wrapping_add(along >> 6).wrapping_sub(u32::from(step < 0)) as usize;
    let (next, own) = (words[at + 1], words[at]);
    if step > 0 {
        own >> (along & 63) | next << 1 << (!along & 63)
    } else {
        next << (!along & 63) | own >> 1 >> (along & 63)
    }
}

/// Scans row `y` from `x` towards greater columns. Returns the first cell where a wall above or
/// below ends, or the goal, if no wall of the row itself comes before it.
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

/// Scans row `y` from `x` towards smaller columns.
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
    // The word before a row is all wall, so the search stops at column -1 at the latest.
    let found = (at as i32 - start as i32) * 64 + bit as i32;
    if goal_y == y && goal_x < x && goal_x >= found {
        return (goal_x > found || words[at] >> bit & 1 == 0).then_some(goal_x);
    }
    (words[at] >> bit & 1 == 0).then_some(found)
}
