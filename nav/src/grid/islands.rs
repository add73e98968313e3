//! Which cells are connected.
//!
//! In: walls, and each change of one. Out: whether two cells are joined by any way, without a
//! search. Each free cell has a label; labels of one island lead to one root. Where a wall goes,
//! islands are joined, which is a union of labels. Where a wall comes, an island may fall apart:
//! only if the free neighbours of the new wall are not joined around it. Then all sides are flooded
//! in step, a cell each, until all but one are known to be closed; so the smaller parts are
//! labelled anew, and never the greatest.
//!
//! A way that cuts no corner, or is let past one, can go around by rows and columns as well. So
//! four neighbours, and eight but for `Corners::Always`, share one labelling.

use super::bits::Bits;
use super::rule::{Corners, DIRECTIONS, Rule};
use super::search::{pack, unpack};
use super::{Cell, Map};

/// Which neighbours are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Four,
    Eight,
    Six,
}

impl Links {
    pub(crate) fn of(rule: Rule) -> Links {
        match rule {
            Rule::Eight(Corners::Always) => Links::Eight,
            Rule::Six => Links::Six,
            Rule::Four | Rule::Eight(_) => Links::Four,
        }
    }

    /// The directions to neighbours, in a circle, as bits.
    fn directions(self) -> u8 {
        match self {
            Links::Four => 0b0101_0101,
            Links::Eight => 0b1111_1111,
            Links::Six => 0b1101_1101,
        }
    }

    /// Of free neighbours all around (as bits of directions), one of each run that is joined beside
    /// the cell in the middle.
    fn one_of_each_run(self, free: u8) -> u8 {
        let joined = match self {
            // A diagonal neighbour counts only as a bridge between the two beside it.
            Links::Four => free & (0b0101_0101 | free.rotate_left(1) & free.rotate_right(1)),
            // Two straight neighbours touch each other across the corner.
            Links::Eight => free | (free.rotate_left(1) & free.rotate_right(1) & 0b1010_1010),
            // Without those that are none, the neighbours before and after them touch.
            Links::Six => {
                let free = free & 0b1101_1101;
                free | (free.rotate_left(1) & free.rotate_right(1) & 0b0010_0010)
            }
        };
        let first = joined & !joined.rotate_left(1);
        if joined != 0 && first == 0 { joined & joined.wrapping_neg() & free } else { first }
    }

    /// Whether a run of a row touches one of the row below.
    fn touch(self, upper: &RunOfRow, lower: &RunOfRow) -> bool {
        let (before, after) = match self {
            Links::Four => (0, 0),
            Links::Eight => (1, 1),
            Links::Six => (0, 1),
        };
        lower.start < upper.end + after && upper.start < lower.end + before
    }
}

#[derive(Clone, Copy, Debug)]
struct RunOfRow {
    start: i32,
    end: i32,
    label: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Islands {
    links: Links,
    /// By cell; those of walls mean nothing.
    labels: Vec<u32>,
    /// A label's parent; a root is its own.
    parents: Vec<u32>,
    ranks: Vec<u8>,
    /// From so many labels on, all are dealt anew.
    limit: usize,
    queues: [Vec<u32>; 4],
    runs: [Vec<RunOfRow>; 2],
}

impl Islands {
    pub(crate) fn new(map: &Map, links: Links) -> Islands {
        let mut islands = Islands {
            links,
            labels: vec![0; map.cell_count()],
            parents: Vec::new(),
            ranks: Vec::new(),
            limit: 0,
            queues: Default::default(),
            runs: Default::default(),
        };
        islands.rebuild(map);
        islands
    }

    pub(crate) fn links(&self) -> Links {
        self.links
    }

    /// Labels all cells, run by run.
    fn rebuild(&mut self, map: &Map) {
        self.parents.clear();
        self.ranks.clear();
        let [mut below, mut now] = core::mem::take(&mut self.runs);
        below.clear();
        let width = map.width() as usize;
        for y in 0..map.height() {
            now.clear();
            let mut from = 0;
            each_run(map.rows(), y, map.width(), |start, end| {
                let mut run = RunOfRow { start, end, label: u32::MAX };
                while below.get(from).is_some_and(|lower| lower.end < start) {
                    from += 1;
                }
                for lower in below[from..].iter().take_while(|lower| lower.start <= end) {
                    if self.links.touch(&run, lower) {
                        let root = self.find_and_halve(lower.label);
                        run.label = if run.label == u32::MAX { root } else { self.join(run.label, root) };
                    }
                }
                if run.label == u32::MAX {
                    run.label = self.fresh();
                }
                now.push(run);
                let row = y as usize * width;
                self.labels[row + start as usize..row + end as usize].fill(run.label);
            });
            core::mem::swap(&mut below, &mut now);
        }
        for label in 0..self.parents.len() as u32 {
            self.parents[label as usize] = self.find(label);
        }
        self.runs = [below, now];
        let more = 1024 + map.cell_count() / 8;
        self.limit = self.parents.len() + more;
        // A change takes four at most, and is looked at when it is done.
        self.parents.reserve(more + 8);
        self.ranks.reserve(more + 8);
    }

    fn fresh(&mut self) -> u32 {
        let label = self.parents.len() as u32;
        self.parents.push(label);
        self.ranks.push(0);
        label
    }

    #[inline]
    fn find(&self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            label = self.parents[label as usize];
        }
        label
    }

    fn find_and_halve(&mut self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            let next = self.parents[self.parents[label as usize] as usize];
            self.parents[label as usize] = next;
            label = next;
        }
        label
    }

    /// Two labels become one island's. Its root.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.find_and_halve(a), self.find_and_halve(b));
        if a == b {
            return a;
        }
        let (low, high) = if self.ranks[a as usize] < self.ranks[b as usize] { (a, b) } else { (b, a) };
        self.parents[low as usize] = high;
        self.ranks[high as usize] += u8::from(self.ranks[low as usize] == self.ranks[high as usize]);
        high
    }

    /// The root of a free cell's island, by the cell's number.
    #[inline]
    pub(crate) fn root(&self, index: usize) -> u32 {
        self.find(self.labels[index])
    }

    /// The wall at a cell is gone.
    pub(crate) fn opened(&mut self, map: &Map, cell: Cell) {
        let at = map.at(cell);
        let mut label = u32::MAX;
        for (d, way) in DIRECTIONS.into_iter().enumerate() {
            let beside = cell + way;
            if self.links.directions() >> d & 1 != 0 && map.is_free(beside) {
                let other = self.labels[map.at(beside)];
                label = if label == u32::MAX { other } else { self.join(label, other) };
            }
        }
        self.labels[at] = if label == u32::MAX { self.fresh() } else { label };
        self.tidy(map);
    }

    /// A wall is now at a cell.
    pub(crate) fn closed(&mut self, map: &Map, cell: Cell) {
        let ends = self.links.one_of_each_run(free_around(map, cell));
        if ends.count_ones() >= 2 {
            self.flood(map, cell, ends);
            self.tidy(map);
        }
    }

    /// Floods from the neighbours in these directions, two to four, until all parts but one are
    /// known whole.
    fn flood(&mut self, map: &Map, cell: Cell, ends: u8) {
        let old = self.labels[map.at(cell)];
        let first = self.parents.len() as u32;
        let mut queues = core::mem::take(&mut self.queues);
        let sides = ends.count_ones() as usize;
        for (side, d) in (0..8).filter(|d| ends >> d & 1 != 0).enumerate() {
            // A bridge lies between two others: no run begins with one.
            let beside = cell + DIRECTIONS[d];
            let label = self.fresh();
            queues[side].clear();
            queues[side].push(pack(beside));
            self.labels[map.at(beside)] = label;
        }
        let mut taken = [0; 4];
        'all: loop {
            for side in 0..sides {
                let Some(&packed) = queues[side].get(taken[side]) else { continue };
                taken[side] += 1;
                let label = first + side as u32;
                let joined = self.spread(map, unpack(packed), first, label, &mut queues[side]);
                if !joined && taken[side] < queues[side].len() {
                    continue; // as many parts are open as before
                }
                // Parts with something left to spread; those of joined sides count once.
                let mut open = 0_u32;
                let mut roots = [0; 4];
                for other in (0..sides).filter(|&other| taken[other] < queues[other].len()) {
                    let root = self.find(first + other as u32);
                    let known = roots[..open as usize].contains(&root);
                    roots[open as usize] = root;
                    open += u32::from(!known);
                }
                if open <= 1 {
                    if open == 1 {
                        self.join(roots[0], old);
                    }
                    break 'all;
                }
            }
        }
        self.queues = queues;
    }

    /// Labels the neighbours of a cell. Whether another label was met.
    fn spread(&mut self, map: &Map, cell: Cell, first: u32, label: u32, queue: &mut Vec<u32>) -> bool {
        let (mut joined, mut left) = (false, self.links.directions() & free_around(map, cell));
        while left != 0 {
            let beside = cell + DIRECTIONS[left.trailing_zeros() as usize & 7];
            left &= left - 1;
            let at = map.at(beside);
            if self.labels[at] < first {
                self.labels[at] = label;
                queue.push(pack(beside));
            } else if self.labels[at] != label {
                self.join(self.labels[at], label);
                joined = true;
            }
        }
        joined
    }

    /// Deals labels anew when many are used up.
    fn tidy(&mut self, map: &Map) {
        if self.parents.len() > self.limit {
            self.rebuild(map);
        }
    }
}

/// Which of the eight neighbours of a cell on the map are free, as bits of directions.
#[inline]
fn free_around(map: &Map, cell: Cell) -> u8 {
    // Where every corner may be cut, what is free is open.
    Rule::Eight(Corners::Always).legal()[map.rows().nine(cell.x, cell.y)]
}

/// Calls for each run of free cells of a row: its first cell, and the one after its last.
pub(crate) fn each_run(bits: &Bits, y: i32, width: i32, mut take: impl FnMut(i32, i32)) {
    let mut start = None;
    for (k, &walls) in bits.row(y).iter().enumerate() {
        let mut x = k as i32 * 64;
        // What differs from the state that the run so far has.
        let mut rest = if start.is_some() { walls } else { !walls };
        let mut left = 64;
        loop {
            let same = rest.trailing_zeros().min(left);
            x += same as i32;
            left -= same;
            if left == 0 {
                break;
            }
            match start.take() {
                Some(first) => take(first, x),
                None => start = Some(x),
            }
            rest = !(rest >> same);
        }
    }
    if let Some(first) = start {
        take(first, width);
    }
}
