//! Dead ends: parts of the land with a single exit.
//!
//! In: a map. Out: its dead ends: parts that hang on one cell, so that a path into them comes out
//! by the same cell. A search between two cells outside need not enter them. Where streets are one
//! cell wide this saves much; open land has none.
//!
//! Free cells, joined along rows and columns, make a graph. Its articulation points cut it into
//! blocks, and blocks and articulation points make a tree (Hopcroft and Tarjan 1973). A path from
//! one block to another passes only the blocks between them. A diagonal step that cuts no corner
//! stays in one block, because its four cells are a circle; where corners may be cut this does not
//! hold, and the request is refused.
//!
//! ```text
//!   a a a +         the square a is a block; + is an articulation point,
//!   a a a b b b     at which the street b hangs: a dead end, if nothing more does
//! ```

use super::ask::{Ask, Bad, Found, Unfit};
use super::layer::{BLOCKED, By};
use super::path::Path;
use super::rule::{Corners, DIRECTIONS, Rule};
use super::search::Search;
use super::{Cell, Map};

const NONE: u32 = u32::MAX;

/// The blocks of a map at the time of the call.
///
/// ```
/// use carom_nav::grid::DeadEnds;
/// use carom_nav::prelude::*;
///
/// let map = Map::parse("...#......\n...#.#####\n...#......\n..........\n")?;
/// let mut dead_ends = DeadEnds::new(&map);
/// let (mut search, mut path) = (Search::default(), Path::default());
/// let found = dead_ends.path(&map, &mut search, Ask::new([0, 0], [9, 1]), &mut path);
/// assert!(found.is_way());
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeadEnds {
    print: u64,
    width: i32,
    height: i32,
    /// A block of each free cell: for an articulation point the one nearest the root, for a root
    /// its first one.
    block_of: Vec<u32>,
    /// Whether a cell belongs to several blocks.
    is_cut: Vec<bool>,
    /// For each block, the articulation point towards the root, and the number of blocks up to the
    /// root.
    tops: Vec<u32>,
    depths: Vec<u32>,
    /// A block's mark is equal to `mark` if the current search may enter it.
    marks: Vec<u32>,
    mark: u32,
}

/// A cell on the stack of the depth-first search that finds blocks.
struct Frame {
    cell: u32,
    parent: u32,
    next: usize,
}

impl DeadEnds {
    /// Finds the blocks of a map; takes about as long as a search of the whole map.
    pub fn new(map: &Map) -> DeadEnds {
        let count = map.cell_count();
        let mut found = DeadEnds {
            print: map.print(),
            width: map.width(),
            height: map.height(),
            block_of: vec![NONE; count],
            is_cut: vec![false; count],
            tops: Vec::new(),
            depths: Vec::new(),
            marks: Vec::new(),
            mark: 0,
        };
        // By cell: the time of its discovery, and the earliest discovery time that its subtree
        // reaches other than through its parent.
        let (mut times, mut lows) = (vec![0; count], vec![0; count]);
        let mut time = 0;
        for root in 0..count {
            if times[root] == 0 && map.is_free(map.cell_at(root)) {
                found.explore(map, root as u32, &mut times, &mut lows, &mut time);
            }
        }
        found.measure();
        found
    }

    fn explore(&mut self, map: &Map, root: u32, times: &mut [u32], lows: &mut [u32], time: &mut u32) {
        let mut frames = vec![Frame { cell: root, parent: NONE, next: 0 }];
        // Cells whose block is not known yet.
        let mut open = vec![root];
        let mut enter = |cell: u32, times: &mut [u32], lows: &mut [u32]| {
            *time += 1;
            (times[cell as usize], lows[cell as usize]) = (*time, *time);
        };
        enter(root, times, lows);
        while let Some(frame) = frames.last_mut() {
            let (cell, parent, next) = (frame.cell, frame.parent, frame.next);
            frame.next += 1;
            if next < 4 {
                let beside = map.cell_at(cell as usize) + DIRECTIONS[next * 2];
                let Some(to) = map.index(beside).filter(|_| map.is_free(beside)) else { continue };
                if times[to] == 0 {
                    enter(to as u32, times, lows);
                    open.push(to as u32);
                    frames.push(Frame { cell: to as u32, parent: cell, next: 0 });
                } else if to as u32 != parent {
                    lows[cell as usize] = lows[cell as usize].min(times[to]);
                }
                continue;
            }
            frames.pop();
            if parent == NONE {
                continue;
            }
            let low = lows[cell as usize];
            lows[parent as usize] = lows[parent as usize].min(low);
            if low >= times[parent as usize] {
                // No cell below reaches past the parent: these cells are a block, and the parent is
                // its top.
                let block = self.tops.len() as u32;
                self.tops.push(parent);
                while let Some(member) = open.pop() {
                    self.block_of[member as usize] = block;
                    if member == cell {
                        break;
                    }
                }
            }
        }
        // The root gets its first block, or a block of its own if it has no neighbours.
        if self.tops.last() != Some(&root) {
            self.tops.push(root);
        }
        self.block_of[root as usize] = self.tops.len() as u32 - 1;
    }

    /// Finds the tops of blocks, which are articulation points, and the depths of blocks.
    fn measure(&mut self) {
        let count = self.tops.len();
        (self.depths, self.marks) = (vec![0; count], vec![0; count]);
        // A block is found before the blocks above it, so this loop goes backwards.
        for block in (0..count).rev() {
            let top = self.tops[block] as usize;
            let above = self.block_of[top] as usize;
            if above != block {
                self.is_cut[top] = true;
                // Blocks that share a root count one more than the root's own block.
                self.depths[block] = self.depths[above] + 1;
            }
        }
    }

    /// Whether the map is unchanged.
    fn fits(&self, view: &Map) -> bool {
        self.print == view.print() && self.width == view.width() && self.height == view.height()
    }

    /// A shortest path, without searching dead ends. Finds the blocks anew if the map has changed.
    /// For four neighbours, or eight without cut corners; for other rules the answer is
    /// [`Bad::Method`].
    pub fn path(&mut self, map: &Map, search: &mut Search, ask: Ask, path: &mut Path) -> Found {
        path.begin(map, ask.size);
        if !matches!(ask.rule, Rule::Four | Rule::Eight(Corners::Never)) || ask.size != 1 || ask.turn > 0 {
            return Found::Bad(Bad::Method(Unfit::DeadEnds));
        }
        if let Err(bad) = ask.check(map) {
            return Found::Bad(bad);
        }
        if !self.fits(map) {
            *self = DeadEnds::new(map);
        }
        if map.connected_by(Rule::Four, ask.start, ask.goal) == Some(false) {
            return Found::None;
        }
        self.mark_between(map.at(ask.start), map.at(ask.goal));
        let layer = By(|index: usize| if self.is_allowed(index) { 0 } else { BLOCKED });
        search.path_over(map, ask, &layer, path)
    }

    /// Whether the current search may enter a cell: an articulation point, or a cell of a marked
    /// block.
    fn is_allowed(&self, index: usize) -> bool {
        self.is_cut[index] || self.marks.get(self.block_of[index] as usize) == Some(&self.mark)
    }

    /// Marks the blocks between two cells of one island.
    fn mark_between(&mut self, a: usize, b: usize) {
        self.mark = self.mark.wrapping_add(1);
        if self.mark == 0 {
            self.marks.fill(0);
            self.mark = 1;
        }
        let (mut a, mut b) = (self.block_of[a] as usize, self.block_of[b] as usize);
        if a.max(b) >= self.marks.len() {
            return; // a wall
        }
        self.marks[a] = self.mark;
        self.marks[b] = self.mark;
        while a != b {
            if self.depths[a] < self.depths[b] {
                core::mem::swap(&mut a, &mut b);
            }
            // The deeper block goes up.
            let above = self.block_of[self.tops[a] as usize] as usize;
            if above == a {
                return; // two islands, which `path` has excluded
            }
            a = above;
            self.marks[a] = self.mark;
        }
    }

    /// Whether a cell lies in a dead end for paths between two other cells that are connected.
    pub fn is_dead_end(
        &mut self,
        map: &Map,
        cell: impl Into<Cell>,
        from: impl Into<Cell>,
        to: impl Into<Cell>,
    ) -> bool {
        if !self.fits(map) {
            *self = DeadEnds::new(map);
        }
        let (cell, from, to) = (cell.into(), from.into(), to.into());
        if !map.is_free(cell) || !map.connected(from, to) {
            return false;
        }
        self.mark_between(map.at(from), map.at(to));
        !self.is_allowed(map.at(cell))
    }
}
