//! Connected components of cells (islands, union-find).
//!
//! In: walls, and each change of a wall. Out: whether two cells are connected by any path, without
//! a search. Labels have two levels, so that a change visits few of them:
//!
//! ```text
//!   cell  -> piece     a component inside a sector of 32 x 32 cells; knows its cells along
//!                      the four sides, and so the pieces that it touches beyond them
//!   piece -> label     labels of one island lead to one root (union-find)
//! ```
//!
//! Where a wall is removed, pieces become one, and islands are joined by a union of labels. Where a
//! wall is added, a piece may fall apart: only if its free neighbours in the sector are not joined
//! around the wall. Then the part joined to one of them is found by rows of bits. An island may
//! fall apart too: only if no ring around the wall joins all free neighbours. Then all sides are
//! flooded in step, piece by piece, until all but one are known to be closed; so the smaller parts
//! get new labels, and never the greatest. (Flooded cell by cell, one change of a hundred took 0.4
//! ms in a maze of long loops.)
//!
//! A path with diagonal steps under `Corners::Never` or `Corners::OneFree` can go by rows and
//! columns as well. So four neighbours, and eight without `Corners::Always`, share one labelling.

mod sector;

use super::rule::{Corners, DIRECTIONS, Rule};
use super::{Cell, Map};
use sector::{Borders, Rows, SIDE};

/// Neighbours that are linked.
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

    /// The directions to linked neighbours, in a circle, as bits.
    fn directions(self) -> u8 {
        match self {
            Links::Four => 0b0101_0101,
            Links::Eight => 0b1111_1111,
            Links::Six => 0b1101_1101,
        }
    }

    /// The free neighbours of a cell (`free`, as bits of directions) form runs that are joined
    /// around the cell; returns one neighbour of each run.
    fn one_of_each_run(self, free: u8) -> u8 {
        let joined = match self {
            // A diagonal neighbour counts only as a bridge between its two straight neighbours.
            Links::Four => free & (0b0101_0101 | free.rotate_left(1) & free.rotate_right(1)),
            // Two straight neighbours touch each other across the corner.
            Links::Eight => free | (free.rotate_left(1) & free.rotate_right(1) & 0b1010_1010),
            // On hexes two of the eight directions are no neighbours; the neighbours beside such a
            // direction touch each other.
            Links::Six => {
                let free = free & 0b1101_1101;
                free | (free.rotate_left(1) & free.rotate_right(1) & 0b0010_0010)
            }
        };
        let first = joined & !joined.rotate_left(1);
        if joined != 0 && first == 0 { joined & joined.wrapping_neg() & free } else { first }
    }

    /// The cells of the row below, and of the row above, that are linked to cells of a row.
    #[inline]
    fn touched(self, row: u32) -> [u32; 2] {
        match self {
            Links::Four => [row; 2],
            Links::Eight => [row | row << 1 | row >> 1; 2],
            Links::Six => [row | row << 1, row | row >> 1],
        }
    }

    /// The cells beyond a side that are linked to cells along it, except for cells around a corner.
    #[inline]
    fn touched_beyond(self, side: usize, cells: u32) -> u32 {
        // Right and left of a hex, the links are those below and above, mirrored at the diagonal.
        let [down, up] = self.touched(cells);
        match (self, side) {
            (Links::Six, 1) => up,
            (Links::Six, 3) => down,
            (_, 0) => down,
            _ => up,
        }
    }
}

/// A component within a sector.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Its cells along each side of the sector.
    borders: Borders,
    /// The lower left cell of the sector.
    corner: Cell,
    /// [`NONE`] if the piece is not in use.
    label: u32,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Islands {
    links: Links,
    /// The piece of each cell; undefined for walls.
    cells: Vec<u32>,
    pieces: Vec<Piece>,
    unused: Vec<u32>,
    /// The parent of each label; the parent of a root is the root itself.
    parents: Vec<u32>,
    ranks: Vec<u8>,
    /// When there are more labels than this, all labels are assigned anew.
    limit: usize,
    queues: [Vec<u32>; 4],
    beside: Vec<u32>,
    runs: Vec<RunOfRow>,
}

/// A run of free cells in a row of a sector: its first cell, the cell after its last, and a run
/// that it is joined to, or itself.
#[derive(Clone, Copy, Debug)]
struct RunOfRow {
    y: u32,
    start: u32,
    end: u32,
    joined: u32,
    piece: u32,
}

impl RunOfRow {
    fn bits(&self) -> u32 {
        ((1_u64 << self.end) - (1_u64 << self.start)) as u32
    }
}

impl Islands {
    pub(crate) fn new(map: &Map, links: Links) -> Islands {
        let mut islands = Islands {
            links,
            cells: vec![0; map.cell_count()],
            pieces: Vec::new(),
            unused: Vec::new(),
            parents: Vec::new(),
            ranks: Vec::new(),
            limit: 0,
            queues: Default::default(),
            beside: Vec::new(),
            runs: Vec::new(),
        };
        for y in (0..map.height()).step_by(SIDE as usize) {
            for x in (0..map.width()).step_by(SIDE as usize) {
                islands.divide(map, Cell::new(x, y));
            }
        }
        islands.join_all(map);
        islands.relabel_all();
        let more = 256 + map.cell_count() / 64;
        islands.pieces.reserve(more);
        islands.unused.reserve(more);
        islands
    }

    pub(crate) fn links(&self) -> Links {
        self.links
    }

    /// Makes the pieces of a sector, run by run.
    fn divide(&mut self, map: &Map, corner: Cell) {
        let free = sector::free_rows(map, corner);
        let mut runs = core::mem::take(&mut self.runs);
        find_runs(&free, self.links, &mut runs);
        for at in 0..runs.len() {
            // A run is joined to earlier runs, which already have their root and their piece.
            let root = runs[runs[at].joined as usize].joined;
            let run = runs[at];
            let piece = if root == at as u32 {
                let label = self.new_label();
                self.new_piece(corner, [0; 4], label)
            } else {
                runs[root as usize].piece
            };
            (runs[at].joined, runs[at].piece) = (root, piece);
            let row = map.at(corner + Cell::new(0, run.y as i32));
            self.cells[row + run.start as usize..row + run.end as usize].fill(piece);
            let borders = &mut self.pieces[piece as usize].borders;
            let (last, bit) = (SIDE as u32 - 1, 1 << run.y);
            if run.y == 0 {
                borders[0] |= run.bits();
            }
            if run.y == last {
                borders[2] |= run.bits();
            }
            borders[1] |= if run.end > last { bit } else { 0 };
            borders[3] |= if run.start == 0 { bit } else { 0 };
        }
        self.runs = runs;
    }

    /// Joins the labels of all pieces that touch.
    fn join_all(&mut self, map: &Map) {
        let mut beside = core::mem::take(&mut self.beside);
        for piece in 0..self.pieces.len() {
            self.find_beside(map, piece as u32, &mut beside);
            for &other in &beside {
                self.join(self.pieces[piece].label, self.pieces[other as usize].label);
            }
        }
        self.beside = beside;
    }

    /// Assigns new labels to pieces, from 0 on.
    fn relabel_all(&mut self) {
        let mut new = core::mem::take(&mut self.queues[0]);
        new.clear();
        new.resize(self.parents.len(), NONE);
        let mut count = 0;
        for at in 0..self.pieces.len() {
            if self.pieces[at].label == NONE {
                continue;
            }
            let label = &mut new[self.find(self.pieces[at].label) as usize];
            if *label == NONE {
                (*label, count) = (count, count + 1);
            }
            self.pieces[at].label = *label;
        }
        self.parents.clear();
        self.parents.extend(0..count);
        self.ranks.clear();
        self.ranks.resize(count as usize, 0);
        let more = 1024 + self.cells.len() / 64;
        self.limit = self.parents.len() + more;
        // A change takes four labels at most, and `tidy` runs after it.
        self.parents.reserve(more + 8);
        self.ranks.reserve(more + 8);
        new.reserve(self.limit + 8);
        self.queues[0] = new;
    }

    fn new_piece(&mut self, corner: Cell, borders: Borders, label: u32) -> u32 {
        let piece = Piece { borders, corner, label };
        if let Some(at) = self.unused.pop() {
            self.pieces[at as usize] = piece;
            return at;
        }
        self.pieces.push(piece);
        self.pieces.len() as u32 - 1
    }

    fn drop_piece(&mut self, piece: u32) {
        self.pieces[piece as usize].label = NONE;
        self.unused.push(piece);
    }

    /// Assigns cells of a sector to a piece.
    fn assign(&mut self, map: &Map, corner: Cell, rows: &Rows, piece: u32) {
        for (y, &row) in (0..).zip(rows).filter(|(_, row)| **row != 0) {
            let begin = map.at(corner + Cell::new(0, y));
            sector::each_run(row, |start, end| {
                self.cells[begin + start as usize..begin + end as usize].fill(piece);
            });
        }
    }

    fn new_label(&mut self) -> u32 {
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

    /// Joins two labels into one island. Returns its root.
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
        self.find(self.pieces[self.cells[index] as usize].label)
    }

    /// Updates the labels after a wall was removed at a cell.
    pub(crate) fn opened(&mut self, map: &Map, cell: Cell) {
        let corner = sector::corner_of(cell);
        let around = self.links.directions() & free_around(map, cell);
        let inside = around & sector::directions_inside(cell);
        let (mut piece, mut is_one) = (NONE, true);
        for beside in neighbours(cell, inside) {
            let other = self.cells[map.at(beside)];
            if piece == NONE {
                piece = other;
            } else if other != piece && self.pieces[other as usize].label != NONE {
                let Piece { borders, label, .. } = self.pieces[other as usize];
                let root = self.join(self.pieces[piece as usize].label, label);
                self.add_borders(piece, borders, root);
                self.drop_piece(other);
                is_one = false;
            }
        }
        if piece == NONE {
            let label = self.new_label();
            piece = self.new_piece(corner, [0; 4], label);
        }
        if is_one {
            self.cells[map.at(cell)] = piece;
        } else {
            let joined = sector::joined_to(&sector::free_rows(map, corner), cell, self.links);
            self.assign(map, corner, &joined, piece);
        }
        let mut label = self.pieces[piece as usize].label;
        for beside in neighbours(cell, around & !inside) {
            label = self.join(label, self.pieces[self.cells[map.at(beside)] as usize].label);
        }
        self.add_borders(piece, sector::borders_at(cell), label);
        self.relabel_if_full();
    }

    /// Adds cells along the sides to a piece, and sets its label.
    fn add_borders(&mut self, piece: u32, borders: Borders, label: u32) {
        let piece = &mut self.pieces[piece as usize];
        piece.label = label;
        piece.borders.iter_mut().zip(borders).for_each(|(own, new)| *own |= new);
    }

    /// Removes cells along the sides from a piece.
    fn remove_borders(&mut self, piece: u32, borders: Borders) {
        let own = &mut self.pieces[piece as usize].borders;
        own.iter_mut().zip(borders).for_each(|(own, gone)| *own &= !gone);
    }

    /// Updates the labels after a wall was added at a cell.
    pub(crate) fn closed(&mut self, map: &Map, cell: Cell) {
        let piece = self.cells[map.at(cell)];
        self.remove_borders(piece, sector::borders_at(cell));
        let around = free_around(map, cell);
        let parts = self.links.one_of_each_run(around & sector::directions_inside(cell));
        match parts.count_ones() {
            0 => self.drop_piece(piece),
            1 => {}
            _ => self.divide_piece(map, cell, piece, parts),
        }
        let ends = self.links.one_of_each_run(around);
        if ends.count_ones() >= 2 {
            self.flood(map, cell, ends);
            self.relabel_if_full();
        }
    }

    /// Makes new pieces of the parts that lie in these directions of a cell, except for the last
    /// part.
    fn divide_piece(&mut self, map: &Map, cell: Cell, piece: u32, mut parts: u8) {
        let corner = sector::corner_of(cell);
        let free = sector::free_rows(map, corner);
        loop {
            let from = cell + DIRECTIONS[parts.trailing_zeros() as usize & 7];
            parts &= parts - 1;
            if parts == 0 {
                return;
            }
            let joined = sector::joined_to(&free, from, self.links);
            for (d, way) in DIRECTIONS.into_iter().enumerate() {
                let at = cell + way - corner;
                if parts >> d & 1 != 0 && joined[at.y as usize] >> at.x & 1 != 0 {
                    parts &= !(1 << d);
                }
            }
            if parts == 0 {
                return;
            }
            let borders = sector::borders_of(&joined);
            self.remove_borders(piece, borders);
            let new = self.new_piece(corner, borders, self.pieces[piece as usize].label);
            self.assign(map, corner, &joined, new);
        }
    }

    /// Floods from the neighbours in these directions, two to four, until all parts but one are
    /// known to be complete.
    fn flood(&mut self, map: &Map, cell: Cell, ends: u8) {
        let (mut starts, mut sides) = ([NONE; 4], 0);
        for beside in neighbours(cell, ends) {
            // A bridge lies between two other neighbours, so no run begins with a bridge.
            let piece = self.cells[map.at(beside)];
            if !starts[..sides].contains(&piece) {
                starts[sides] = piece;
                sides += 1;
            }
        }
        if sides < 2 {
            return;
        }
        let old = self.find(self.pieces[starts[0] as usize].label);
        let first = self.parents.len() as u32;
        let mut queues = core::mem::take(&mut self.queues);
        for (queue, &start) in queues.iter_mut().zip(&starts[..sides]) {
            queue.clear();
            queue.push(start);
            self.pieces[start as usize].label = self.new_label();
        }
        let mut taken = [0; 4];
        'all: loop {
            for side in 0..sides {
                let Some(&piece) = queues[side].get(taken[side]) else { continue };
                taken[side] += 1;
                let joined = self.spread(map, piece, first, first + side as u32, &mut queues[side]);
                if !joined && taken[side] < queues[side].len() {
                    continue; // as many parts are open as before
                }
                // Counts the parts that can still spread; joined parts count once.
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

    /// Labels the pieces that touch a piece. Returns whether it met the label of another side.
    fn spread(&mut self, map: &Map, piece: u32, first: u32, label: u32, queue: &mut Vec<u32>) -> bool {
        let mut beside = core::mem::take(&mut self.beside);
        self.find_beside(map, piece, &mut beside);
        let mut joined = false;
        for &other in &beside {
            let its = self.pieces[other as usize].label;
            if its < first {
                self.pieces[other as usize].label = label;
                queue.push(other);
            } else if its != label {
                self.join(its, label);
                joined = true;
            }
        }
        self.beside = beside;
        joined
    }

    /// The pieces of other sectors that touch a piece; some may be listed twice.
    fn find_beside(&self, map: &Map, piece: u32, beside: &mut Vec<u32>) {
        beside.clear();
        let Piece { borders, corner, .. } = self.pieces[piece as usize];
        for (side, &own) in borders.iter().enumerate().filter(|(_, own)| **own != 0) {
            let mut left = self.links.touched_beyond(side, own) & sector::free_beyond(map, corner, side);
            while left != 0 {
                let other = self.cells[map.at(sector::beyond(corner, side, left.trailing_zeros() as i32))];
                beside.push(other);
                // The other piece's cells along that side are done.
                left &= (left - 1) & !self.pieces[other as usize].borders[side ^ 2];
            }
        }
        let [below, _, above, _] = borders;
        let last = SIDE - 1;
        let corners = [
            (1, above >> last, last, last),
            (3, above, 0, last),
            (5, below, 0, 0),
            (7, below >> last, last, 0),
        ];
        for (d, is_own, x, y) in corners {
            let to = corner + Cell::new(x, y) + DIRECTIONS[d];
            if is_own & 1 != 0 && self.links.directions() >> d & 1 != 0 && map.is_free(to) {
                beside.push(self.cells[map.at(to)]);
            }
        }
    }

    /// Assigns all labels anew when too many are used up.
    fn relabel_if_full(&mut self) {
        if self.parents.len() > self.limit {
            self.relabel_all();
        }
    }
}

/// The runs of free cells of a sector, each joined to a run that it touches.
fn find_runs(free: &Rows, links: Links, runs: &mut Vec<RunOfRow>) {
    runs.clear();
    let (mut below, mut row_below) = (0..0, 0);
    for (y, &row) in (0..).zip(free) {
        let first = runs.len();
        if row == row_below {
            // Equal rows: each run lies on its copy, and touches no other run.
            for lower in below {
                runs.push(RunOfRow { y, ..runs[lower] });
            }
        } else {
            let mut from = below.start;
            sector::each_run(row, |start, end| {
                let at = runs.len() as u32;
                let run = RunOfRow { y, start, end, joined: at, piece: NONE };
                runs.push(run);
                let [down, _] = links.touched(run.bits());
                while from < below.end && runs[from].end < start {
                    from += 1;
                }
                for lower in from..below.end {
                    if runs[lower].start > end {
                        break;
                    }
                    if runs[lower].bits() & down != 0 {
                        unite(runs, lower as u32, at);
                    }
                }
            });
        }
        (below, row_below) = (first..runs.len(), row);
    }
}

/// Joins two runs of a sector: the earlier root becomes the root of both.
fn unite(runs: &mut [RunOfRow], a: u32, b: u32) {
    let root = |mut at: u32| {
        while runs[at as usize].joined != at {
            at = runs[at as usize].joined;
        }
        at
    };
    let (a, b) = (root(a), root(b));
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    runs[high as usize].joined = low;
}

/// The neighbours of a cell in these directions, given as bits.
fn neighbours(cell: Cell, directions: u8) -> impl Iterator<Item = Cell> {
    (0..8).filter(move |d| directions >> d & 1 != 0).map(move |d| cell + DIRECTIONS[d])
}

/// The free ones among the eight neighbours of a cell on the map, as bits of directions.
#[inline]
fn free_around(map: &Map, cell: Cell) -> u8 {
    // Under `Corners::Always` every free neighbour can be entered.
    Rule::Eight(Corners::Always).legal()[map.rows().nine(cell.x, cell.y)]
}
