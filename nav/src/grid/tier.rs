//! Long paths by two tiers (hierarchical search).
//!
//! In: a map and a request. Out: a path over cells, as a rule at most about 1 % longer than the
//! shortest, for a small part of the expansions. The upper tier is a heuristic and not a route: it
//! only gives the search over cells the length from each cell to the goal.
//!
//! ```text
//!   +-------+-------+      chunks of 16 x 16 cells; where cells on both sides of a border are
//!   |   g   o       |      free side by side, ends of a run and one of five are portals, o. In a chunk, the
//!   |       o   . o |      exact length from each cell to each portal is kept (`Chunk`).
//!   +--o----+-o-----+
//!   |  o    | o     |      1. from the goal back, portal by portal, up to the start's chunk
//!   |   s           |      2. from the start, cell by cell; the estimate is the least length
//!   +-------+-------+         through a portal of the cell's chunk
//! ```
//!
//! The estimate is then the length of an existing path, so the second search goes to the goal
//! nearly without a side-step, and leaves that path where it finds a shorter one between portals.
//! Reached portals are kept for the next search to that goal, and chunks as long as they are
//! unchanged. The idea of portals comes from HPA* (Botea, Müller and Schaeffer, "Near optimal
//! hierarchical path-finding", 2004).

use super::ask::{Ask, Bad, Estimate, Found, Method, Unfit};
use super::map::CHUNK;
use super::path::Path;
use super::rule::{Corners, DIRECTIONS, Rule};
use super::search::{Search, pack, unpack};
use super::{Cell, Map};
use crate::field::wave::{Entry, Wave};
use crate::length::{LIMIT, Length, Scale};
use crate::open::{Far, Heap, Open};

/// The length of an unknown path.
const UNKNOWN: u32 = u32::MAX;

/// Greatest number of portals of a chunk: eleven on each side, where every third cell is a wall.
const MOST: usize = 44;

/// Greatest distance from one portal of a run along a border to the next. Ends of runs are portals,
/// because paths bend at walls; with portals only in the middle, paths in mazes were 1 % longer.
const STRIDE: i32 = 5;

/// Goals at most this far, in columns and rows, are searched with A* alone.
const NEAR: i32 = 2 * CHUNK;

/// The same distance where jump point search applies. Jump points are few: only beyond this
/// distance are there at least as many of them as cells of a path and portals around it.
const NEAR_BY_JUMPS: i32 = 4 * CHUNK;

/// Cells of a chunk.
const CELLS: usize = (CHUNK * CHUNK) as usize;

/// Sides of a chunk: east, north, west, south. The opposite of `side` is `side ^ 2`.
const SIDES: [Cell; 4] = [Cell::X, Cell::Y, Cell::NEG_X, Cell::NEG_Y];

/// Kept data of a chunk.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// Print of the chunk, and the walls just outside its borders: sixteen bits per side.
    print: u64,
    rim: u64,
    is_made: bool,
    /// Index of the first portal of each side, and at the end the number of portals.
    starts: [u8; 5],
    /// The place of each portal in the chunk, as a cell's index.
    places: Vec<u8>,
    /// For each cell of the chunk, the length from it to each portal without leaving the chunk.
    lengths: Vec<u32>,
    /// For each portal, the length to it from each other portal.
    between: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Portal {
    stamp: u32,
    /// The length from the portal to the goal.
    left: u32,
    closed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    stamp: u32,
    g: u32,
    came: u8,
    closed: bool,
}

/// Searches by two tiers. Keep one for each size of units and each rule: it computes data of chunks
/// when first needed, and anew where the map changed.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let map = Map::from_fn(200, 200, |cell| cell.x % 20 == 10 && cell.y % 40 != 3)?;
/// let (mut tier, mut search, mut path) = (Tier::default(), Search::default(), Path::default());
/// let ask = Ask::new([0, 0], [199, 190]);
/// let shortest = search.path(&map, ask.method(Method::AStar), &mut path).cells().expect("a way");
/// let plain = search.expansions();
/// let length = tier.path(&map, &mut search, ask, &mut path).cells().expect("a way");
/// assert!(length <= 1.02 * shortest && tier.expansions() * 10 < plain);
/// # Ok::<(), carom_nav::MapError>(())
/// ```
///
/// For four neighbours, and eight that do not always cut corners. Memory: for each cell, a length
/// to each portal of its chunk; a chunk has about ten.
#[derive(Clone, Debug, Default)]
pub struct Tier {
    rule: Rule,
    scale: Scale,
    size: [i32; 2],
    chunks: Vec<Chunk>,
    /// Portal `k` of chunk `c` is number `c * MOST + k`.
    portals: Vec<Portal>,
    /// The search from the goal: its goal, its land, and its open list.
    goal: Cell,
    print: u64,
    stamp: u32,
    open: Far,
    again: Vec<u32>,
    /// For each cell of the goal's chunk, the length to the goal within the chunk.
    at_goal: Vec<u32>,
    /// The search from the start.
    nodes: Vec<Node>,
    round: u32,
    heap: Heap,
    wave: Wave,
    bucket: Vec<Entry>,
    lengths: Vec<u32>,
    expansions: u64,
}

impl Tier {
    /// Finds a shortest path, or one that is little longer. The method of [`Ask`] has to be
    /// [`Method::Auto`] or [`Method::AStar`]; the rule four neighbours, or eight that do not always
    /// cut corners; and turns must cost nothing: otherwise the answer is [`Bad::Method`]. The
    /// heuristic is ignored.
    pub fn path(&mut self, map: &Map, search: &mut Search, ask: Ask, path: &mut Path) -> Found {
        path.begin(map, ask.size);
        self.expansions = 0;
        let is_joined_straight =
            matches!(ask.rule, Rule::Four | Rule::Eight(Corners::Never | Corners::OneFree));
        if !is_joined_straight || !matches!(ask.method, Method::Auto | Method::AStar) || ask.turn > 0 {
            return Found::Bad(Bad::Method(Unfit::Tiers));
        }
        let view = match ask.check(map) {
            Ok(view) => view,
            Err(bad) => return Found::Bad(bad),
        };
        if view.connected_by(ask.rule, ask.start, ask.goal) == Some(false) {
            return Found::None;
        }
        let jumps = Search::can(view, &ask.method(Method::Jump));
        if (ask.goal - ask.start).abs().max_element() <= if jumps { NEAR_BY_JUMPS } else { NEAR } {
            // The heuristic of the request is ignored.
            let method = if jumps { Method::Jump } else { Method::AStar };
            let found = search.path(map, ask.method(method), path);
            self.expansions = search.expansions();
            return found;
        }
        self.prepare(view, &ask);
        let mut estimate = Estimate::new(&ask, view, self.scale, u32::from(view.least_cost()));
        estimate.aim(ask.start);
        if !self.reach_back(view, &ask, &estimate) {
            // Both ends are connected, so an unreached end is too far.
            return Found::TooFar;
        }
        let found = self.go(view, &ask, path);
        path.seal(map);
        found
    }

    /// Number of cells and portals that the last search expanded.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Keeps the data that is still valid.
    fn prepare(&mut self, view: &Map, ask: &Ask) {
        let scale = ask.scale_on(view);
        let size = [view.width(), view.height()];
        let count = view.chunk_prints().len();
        if (self.rule, self.scale, self.size) != (ask.rule, scale, size) {
            self.chunks.iter_mut().for_each(|chunk| chunk.is_made = false);
            self.chunks.resize(count, Chunk::default());
            self.portals.resize(count * MOST, Portal::default());
            self.nodes.resize(view.cell_count(), Node::default());
            (self.rule, self.scale, self.size) = (ask.rule, scale, size);
            self.at_goal.clear();
        }
        let dearest = u32::from(scale.diagonal) * u32::from(view.greatest_cost());
        self.wave.prepare(u32::from(scale.straight), dearest);
    }

    // Chunks.

    /// Computes the data of a chunk, unless it is unchanged.
    fn make(&mut self, view: &Map, chunk: usize) {
        let (low, high) = span(view, chunk);
        let (print, rim) = (view.chunk_prints()[chunk], rim(view, low, high));
        let kept = &self.chunks[chunk];
        if kept.is_made && (kept.print, kept.rim) == (print, rim) {
            return;
        }
        let mut made = core::mem::take(&mut self.chunks[chunk]);
        (made.print, made.rim, made.is_made) = (print, rim, true);
        made.places.clear();
        for (side, &way) in SIDES.iter().enumerate() {
            made.starts[side] = made.places.len() as u8;
            portals(view, low, high, way, |cell| made.places.push(place(cell)));
        }
        made.starts[4] = made.places.len() as u8;
        let count = made.places.len();
        made.lengths.clear();
        made.lengths.resize(count * CELLS, UNKNOWN);
        made.between.clear();
        let mut lengths = core::mem::take(&mut self.lengths);
        for (k, &at) in made.places.iter().enumerate() {
            lengths.clear();
            lengths.resize(CELLS, UNKNOWN);
            self.flood(view, low, high, at, &mut lengths);
            made.between.extend(made.places.iter().map(|&other| lengths[other as usize]));
            made.lengths
                .iter_mut()
                .skip(k)
                .step_by(count)
                .zip(&lengths)
                .for_each(|(to, &length)| *to = length);
        }
        self.lengths = lengths;
        self.chunks[chunk] = made;
    }

    /// The length from each cell of a chunk to one of its cells.
    fn flood(&mut self, view: &Map, low: Cell, high: Cell, to: u8, lengths: &mut [u32]) {
        let steps: [u32; 8] = core::array::from_fn(|d| {
            u32::from(if self.rule.is_diagonal(d) { self.scale.diagonal } else { self.scale.straight })
        });
        let mut bucket = core::mem::take(&mut self.bucket);
        lengths[to as usize] = 0;
        self.wave.push(Entry { length: 0, cell: u32::from(to) });
        let mut now = 0;
        while let Some(next) = self.wave.next(now) {
            now = next;
            self.wave.take(now, &mut bucket);
            for &Entry { length, cell } in &bucket {
                if lengths[cell as usize] != length {
                    continue;
                }
                // The search goes backwards: a step from a neighbour enters this cell.
                let at = low + Cell::new(cell as i32 % CHUNK, cell as i32 / CHUNK);
                let cost = u32::from(view.cost(at));
                let mut open = view.moves(self.rule, at);
                while open != 0 {
                    let d = open.trailing_zeros() as usize & 7;
                    open &= open - 1;
                    let from = at + DIRECTIONS[d];
                    let way = length.saturating_add(steps[d] * cost);
                    let is_in = from.cmpge(low).all() && from.cmple(high).all();
                    if is_in && way <= LIMIT && way < lengths[place(from) as usize] {
                        lengths[place(from) as usize] = way;
                        self.wave.push(Entry { length: way, cell: u32::from(place(from)) });
                    }
                }
            }
        }
        self.bucket = bucket;
    }

    // From the goal back.

    /// Finds lengths from portals to the goal, until no portal can lead to a shorter path from the
    /// start. Returns whether it found any path.
    fn reach_back(&mut self, view: &Map, ask: &Ask, estimate: &Estimate) -> bool {
        if self.at_goal.is_empty() || self.goal != ask.goal || self.print != view.print() {
            self.begin_back(view, ask, estimate);
        } else {
            self.aim_again(view, estimate);
        }
        let home = view.chunk_of(ask.start).unwrap_or(0);
        self.make(view, home);
        let from = place(ask.start) as usize;
        let total = |tier: &Tier| {
            let Chunk { places, lengths, .. } = &tier.chunks[home];
            let lengths = &lengths[from * places.len()..][..places.len()];
            let ways = lengths.iter().enumerate();
            ways.map(|(k, &length)| tier.left(home * MOST + k).saturating_add(length))
                .min()
                .unwrap_or(UNKNOWN)
        };
        let mut best = total(self);
        while let Some(number) = self.open.pop() {
            let (chunk, k) = (number as usize / MOST, number as usize % MOST);
            if self.portals[number as usize].closed {
                continue;
            }
            let cell = self.cell(view, chunk, k);
            let left = self.portals[number as usize].left;
            let f = left + estimate.at(cell.x, cell.y);
            if f >= best {
                // The portal stays open.
                self.open.push(f, number);
                break;
            }
            self.portals[number as usize].closed = true;
            if let Some(beyond) = self.cross(view, chunk, k, left, estimate) {
                self.expansions += 1;
                best = if beyond == home { total(self) } else { best };
            }
        }
        best <= LIMIT
    }

    fn begin_back(&mut self, view: &Map, ask: &Ask, estimate: &Estimate) {
        (self.goal, self.print) = (ask.goal, view.print());
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.portals.fill(Portal::default());
            self.stamp = 1;
        }
        let chunk = view.chunk_of(ask.goal).unwrap_or(0);
        self.make(view, chunk);
        let (low, high) = span(view, chunk);
        let mut lengths = core::mem::take(&mut self.at_goal);
        lengths.clear();
        lengths.resize(CELLS, UNKNOWN);
        self.flood(view, low, high, place(ask.goal), &mut lengths);
        // A path shortens the distance to the start at most by its length.
        self.open.prepare(0);
        for k in 0..self.chunks[chunk].places.len() {
            let length = lengths[self.chunks[chunk].places[k] as usize];
            self.offer(view, chunk, k, length, estimate);
        }
        self.at_goal = lengths;
    }

    /// Reorders open portals by the estimate for another start.
    fn aim_again(&mut self, view: &Map, estimate: &Estimate) {
        let mut again = core::mem::take(&mut self.again);
        again.clear();
        while let Some(number) = self.open.pop() {
            if !self.portals[number as usize].closed {
                again.push(number);
            }
        }
        self.open.prepare(0);
        for &number in &again {
            let cell = self.cell(view, number as usize / MOST, number as usize % MOST);
            self.open.push(self.portals[number as usize].left + estimate.at(cell.x, cell.y), number);
        }
        self.again = again;
    }

    /// Crosses the border at a portal, and offers the path through it to all portals of the chunk
    /// beyond, unless the twin has a shorter one. The portals of its own chunk already have paths
    /// as short. Returns the chunk beyond.
    ///
    /// So a portal and its twin are one node. When they were two nodes, each offering its path to
    /// its own chunk, a search took 1.7 to 2.6 times as many expansions.
    fn cross(&mut self, view: &Map, chunk: usize, k: usize, left: u32, estimate: &Estimate) -> Option<usize> {
        let side = (0..4).rfind(|&side| usize::from(self.chunks[chunk].starts[side]) <= k).unwrap_or(0);
        let cell = self.cell(view, chunk, k);
        let beside = view.chunk_of(cell + SIDES[side])?;
        self.make(view, beside);
        // Both sides of a border list its portals in the same order.
        let nth = k - usize::from(self.chunks[chunk].starts[side]);
        let twin = usize::from(self.chunks[beside].starts[side ^ 2]) + nth;
        let step = u32::from(self.scale.straight) * u32::from(view.cost(cell));
        let left = left.saturating_add(step);
        let portal = &mut self.portals[beside * MOST + twin];
        if left > LIMIT || portal.stamp == self.stamp && portal.left <= left {
            return None;
        }
        *portal = Portal { stamp: self.stamp, left, closed: true };
        let count = self.chunks[beside].places.len();
        for other in (0..count).filter(|&other| other != twin) {
            let length = self.chunks[beside].between[twin * count + other];
            self.offer(view, beside, other, left.saturating_add(length), estimate);
        }
        Some(beside)
    }

    fn offer(&mut self, view: &Map, chunk: usize, k: usize, left: u32, estimate: &Estimate) {
        let portal = &mut self.portals[chunk * MOST + k];
        if left > LIMIT || portal.stamp == self.stamp && portal.left <= left {
            return;
        }
        *portal = Portal { stamp: self.stamp, left, closed: false };
        let cell = self.cell(view, chunk, k);
        self.open.push(left + estimate.at(cell.x, cell.y), (chunk * MOST + k) as u32);
    }

    /// The known length from a portal to the goal.
    #[inline]
    fn left(&self, number: usize) -> u32 {
        let Portal { stamp, left, .. } = self.portals[number];
        if stamp == self.stamp { left } else { UNKNOWN }
    }

    fn cell(&self, view: &Map, chunk: usize, k: usize) -> Cell {
        let at = i32::from(self.chunks[chunk].places[k]);
        span(view, chunk).0 + Cell::new(at % CHUNK, at / CHUNK)
    }

    // From the start.

    /// The length of a known path from a cell to the goal.
    #[inline]
    fn estimate_at(&self, view: &Map, home: usize, cell: Cell) -> u32 {
        let chunk = (cell.y / CHUNK) as usize * view.chunk_counts()[0] + (cell.x / CHUNK) as usize;
        let at = place(cell) as usize;
        let mut least = if chunk == home { self.at_goal[at] } else { UNKNOWN };
        let Chunk { places, lengths, .. } = &self.chunks[chunk];
        let lengths = lengths.get(at * places.len()..(at + 1) * places.len()).unwrap_or(&[]);
        for (portal, &length) in self.portals[chunk * MOST..].iter().zip(lengths) {
            if portal.stamp == self.stamp {
                least = least.min(portal.left.saturating_add(length));
            }
        }
        least
    }

    fn go(&mut self, view: &Map, ask: &Ask, path: &mut Path) -> Found {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.nodes.fill(Node::default());
            self.round = 1;
        }
        let home = view.chunk_of(ask.goal).unwrap_or(0);
        let Scale { straight, diagonal } = self.scale;
        self.heap.clear();
        self.nodes[view.at(ask.start)] = Node { stamp: self.round, g: 0, came: 8, closed: false };
        self.heap.push(self.estimate_at(view, home, ask.start), pack(ask.start));
        while let Some(packed) = self.heap.pop() {
            let cell = unpack(packed);
            let node = &mut self.nodes[view.at(cell)];
            if node.closed {
                continue;
            }
            node.closed = true;
            let g = node.g;
            self.expansions += 1;
            if cell == ask.goal {
                return self.way(view, ask, g, path);
            }
            let mut open = view.moves(self.rule, cell);
            while open != 0 {
                let d = open.trailing_zeros() as usize & 7;
                open &= open - 1;
                let next = cell + DIRECTIONS[d];
                let step = u32::from(if self.rule.is_diagonal(d) { diagonal } else { straight });
                let length = g.saturating_add(step * u32::from(view.cost(next)));
                let node = &mut self.nodes[view.at(next)];
                if node.stamp == self.round && node.g <= length {
                    continue;
                }
                let known = node.stamp == self.round;
                *node = Node { stamp: self.round, g: length, came: d as u8, closed: false };
                let left = self.estimate_at(view, home, next);
                // Leaves out chunks from which no path to the goal is known.
                if left <= LIMIT && length <= LIMIT {
                    self.heap.push(length + left, pack(next));
                } else if !known {
                    self.nodes[view.at(next)].closed = true;
                }
            }
        }
        Found::TooFar
    }

    fn way(&self, view: &Map, ask: &Ask, g: u32, path: &mut Path) -> Found {
        let mut cell = ask.goal;
        path.push(cell);
        while cell != ask.start {
            cell -= DIRECTIONS[self.nodes[view.at(cell)].came as usize & 7];
            path.push(cell);
        }
        path.reverse();
        Found::Way { cost: Length { units: g, scale: self.scale } }
    }
}

/// The index of a cell in its chunk.
#[inline]
fn place(cell: Cell) -> u8 {
    ((cell.y % CHUNK) * CHUNK + cell.x % CHUNK) as u8
}

/// The lowest and the highest cell of a chunk.
#[inline]
fn span(view: &Map, chunk: usize) -> (Cell, Cell) {
    let across = view.chunk_counts()[0];
    let low = Cell::new((chunk % across) as i32, (chunk / across) as i32) * CHUNK;
    (low, (low + CHUNK - 1).min(Cell::new(view.width() - 1, view.height() - 1)))
}

/// The walls just outside the borders of a chunk.
fn rim(view: &Map, low: Cell, high: Cell) -> u64 {
    let sixteen = |words: &[u64], from: i32| words[from as usize / 64] >> (from % 64) & 0xFFFF;
    let east = if high.x + 1 < view.width() { sixteen(view.column(high.x + 1), low.y) } else { 0xFFFF };
    let west = if low.x > 0 { sixteen(view.column(low.x - 1), low.y) } else { 0xFFFF };
    let north = if high.y + 1 < view.height() { sixteen(view.row(high.y + 1), low.x) } else { 0xFFFF };
    let south = if low.y > 0 { sixteen(view.row(low.y - 1), low.x) } else { 0xFFFF };
    east | west << 16 | north << 32 | south << 48
}

/// Calls `take` for the portals of a side of a chunk: the ends of each run of cells that are free
/// on both sides of the border, and some cells between them.
fn portals(view: &Map, low: Cell, high: Cell, way: Cell, mut take: impl FnMut(Cell)) {
    let along = Cell::new(way.y.abs(), way.x.abs());
    let first = if way.min_element() < 0 { low } else { low + (high - low) * way };
    let length = ((high - low) * along).max_element() + 1;
    let is_open = |at: i32| {
        let cell = first + along * at;
        at < length && view.is_free(cell) && view.is_free(cell + way)
    };
    let mut start = 0;
    while start < length {
        let end = (start..).find(|&at| !is_open(at)).unwrap_or(length);
        let last = end - start - 1;
        if last == 0 {
            take(first + along * start);
        }
        let parts = (last + STRIDE - 1) / STRIDE;
        for part in 0..if parts > 0 { parts + 1 } else { 0 } {
            take(first + along * (start + part * last / parts));
        }
        start = end + 1;
    }
}
