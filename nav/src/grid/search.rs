//! Searches on tiles.
//!
//! In: a map and a request. Out: a path, and the number of expanded cells. All arrays are kept from
//! call to call: once warm, a search allocates nothing, and clears nothing.

mod expand;

use expand::{Even, KEEP, Layered, ORDERED, Priced, RELAX, REPLACE, Steps, expand};

use super::ask::{Ask, Bad, Estimate, Found, Method, Unfit};
use super::jump::Jump;
use super::layer::{Bare, Layer};
use super::nodes::{CAME, CLOSED, GOAL, Node, Nodes};
use super::path::Path;
use super::rule::{Corners, DIRECTIONS, Rule};
use super::{Cell, Map, turning};
use crate::graph::GraphSearch;
use crate::length::{Length, Scale};
use crate::open::{Far, Heap, Open, Ring};

/// Searches: A*, jump points, Dijkstra, greedy, breadth-first, depth-first. Reuse it: it keeps its
/// arrays.
///
/// ```
/// use carom_nav::prelude::*;
///
/// let map = Map::parse("..........\n..####....\n......#...\n")?;
/// let (mut search, mut path) = (Search::default(), Path::default());
/// let found = search.path(&map, Ask::new([0, 2], [9, 0]), &mut path);
/// assert!((found.cells().expect("a way") - (7.0 + 2.0 * 2_f64.sqrt())).abs() < 1e-4);
/// assert_eq!(search.path(&map, Ask::new([0, 0], [6, 0]), &mut path), Found::Bad(Bad::Goal));
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Search {
    nodes: Nodes,
    narrow: Ring,
    wide: Ring,
    far: Far,
    heap: Heap,
    fifo: Fifo,
    stack: Stack,
    jump: Jump,
    turning: GraphSearch,
    turning_nodes: Vec<usize>,
    run: Run,
}

/// First in, first out.
#[derive(Clone, Debug, Default)]
struct Fifo {
    cells: Vec<u32>,
    taken: usize,
}

impl Open for Fifo {
    fn push(&mut self, _: u32, item: u32) {
        self.cells.push(item);
    }

    fn pop(&mut self) -> Option<u32> {
        let cell = self.cells.get(self.taken).copied();
        self.taken += usize::from(cell.is_some());
        cell
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.taken = 0;
    }
}

/// Last in, first out.
#[derive(Clone, Debug, Default)]
struct Stack {
    cells: Vec<u32>,
}

impl Open for Stack {
    fn push(&mut self, _: u32, item: u32) {
        self.cells.push(item);
    }

    fn pop(&mut self) -> Option<u32> {
        self.cells.pop()
    }

    fn clear(&mut self) {
        self.cells.clear();
    }
}

/// Numbers of buckets: enough where all costs are 1, and enough for most other maps.
const NARROW: usize = 1 << 12;
const WIDE: usize = 1 << 16;

/// The open list of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Heap,
    Narrow,
    Wide,
    /// For searches whose goal changes while they run.
    Far,
    Jump,
}

/// A search that has begun.
#[derive(Clone, Debug, Default)]
struct Run {
    kind: Kind,
    method: Method,
    rule: Rule,
    scale: Scale,
    /// From goal to start: a step then costs as much as the cell that it leaves.
    backward: bool,
    start: Cell,
    goal: Cell,
    estimate: Estimate,
    steps: [u32; 8],
    /// Offsets from a cell's number to its neighbours' numbers.
    offsets: [i32; 8],
    width: i32,
    stamp: u32,
    too_far: bool,
    /// A closed cell that was not expanded, because it was the goal.
    unexpanded: Option<Cell>,
    expansions: u64,
    /// Expansions left in this call.
    allowed: u64,
}

impl Run {
    /// Whether it is enough to follow, among paths of equal length, the path that goes diagonally
    /// first.
    fn is_ordered(&self) -> bool {
        let Scale { straight, diagonal } = self.scale;
        matches!(self.rule, Rule::Eight(_))
            && straight < diagonal
            && u32::from(diagonal) < 2 * u32::from(straight)
    }
}

/// Progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The allowed expansions are used up.
    Going,
    /// A goal is closed.
    At(Cell),
    /// The open list is empty.
    Exhausted,
}

/// A cell as one word, with both coordinates.
#[inline(always)]
pub(crate) fn pack(cell: Cell) -> u32 {
    (cell.y as u32) << 16 | cell.x as u32
}

#[inline(always)]
pub(crate) fn unpack(packed: u32) -> Cell {
    Cell::new((packed & 0xFFFF) as i32, (packed >> 16) as i32)
}

impl Search {
    /// A path from the start to the goal. If there is none, `path` is empty.
    pub fn path(&mut self, map: &Map, ask: Ask, path: &mut Path) -> Found {
        self.path_to(map, ask, &[ask.goal], &Bare, path)
    }

    /// A path over land with extra costs: `layer` has one per cell of the map; a unit of several
    /// cells pays for the dearest cell that it covers.
    pub fn path_over<L: Layer + ?Sized>(&mut self, map: &Map, ask: Ask, layer: &L, path: &mut Path) -> Found {
        path.begin(map, ask.size);
        if layer.cell_count().is_some_and(|count| count != map.cell_count()) {
            return Found::Bad(Bad::Layer);
        }
        if ask.method == Method::Jump {
            return Found::Bad(Bad::Method(Unfit::JumpCosts));
        }
        let ask = if ask.method == Method::Auto { ask.method(Method::AStar) } else { ask };
        self.path_to(map, ask, &[ask.goal], &Layered::new(layer, ask.size, map), path)
    }

    /// A path to the nearest of many goals, by Dijkstra's search (or breadth-first, if asked).
    /// `ask.goal` is ignored, and so are goals that are walls.
    ///
    /// ```
    /// use carom_nav::prelude::*;
    ///
    /// let map = Map::new(20, 20)?;
    /// let (mut search, mut path) = (Search::default(), Path::default());
    /// let found = search.nearest(&map, Ask::new([4, 4], [0, 0]), &[[19, 4].into(), [4, 9].into()], &mut path);
    /// assert_eq!(found.cells(), Some(5.0));
    /// assert_eq!(path.turns().last(), Some(&Cell::new(4, 9)));
    /// # Ok::<(), carom_nav::MapError>(())
    /// ```
    pub fn nearest(&mut self, map: &Map, ask: Ask, goals: &[Cell], path: &mut Path) -> Found {
        let method = match ask.method {
            Method::Auto | Method::Dijkstra => Method::Dijkstra,
            Method::Breadth => Method::Breadth,
            _ => {
                path.begin(map, ask.size);
                return Found::Bad(Bad::Method(Unfit::ManyGoals));
            }
        };
        let goal = map.view(ask.size).and_then(|view| goals.iter().find(|&&goal| view.is_free(goal)));
        let Some(&goal) = goal else {
            path.begin(map, ask.size);
            return Found::Bad(map.view(ask.size).map_or(Bad::Size, |_| Bad::Goal));
        };
        self.path_to(map, Ask { goal, method, ..ask }, goals, &Bare, path)
    }

    /// Number of cells that the last search expanded.
    #[inline]
    pub fn expansions(&self) -> u64 {
        self.run.expansions
    }

    /// Whether the last search closed the cell, so that its shortest length from the start is
    /// known.
    pub fn is_settled(&self, map: &Map, cell: impl Into<Cell>) -> bool {
        let Some(index) = map.index(cell) else { return false };
        if self.run.kind == Kind::Jump {
            return self.jump.is_settled(map.cell_at(index), map);
        }
        self.nodes.list.get(index).is_some_and(|node| {
            node.mark & CLOSED != 0 && Nodes::is_of(node.mark, self.run.stamp) && self.run.stamp != 0
        })
    }

    fn path_to<L: Steps>(
        &mut self,
        map: &Map,
        ask: Ask,
        goals: &[Cell],
        layer: &L,
        path: &mut Path,
    ) -> Found {
        path.begin(map, ask.size);
        self.run.expansions = 0;
        let view = match ask.check(map) {
            Ok(view) => view,
            Err(bad) => return Found::Bad(bad),
        };
        if goals.len() == 1 && view.connected_by(ask.rule, ask.start, ask.goal) == Some(false) {
            return Found::None;
        }
        if ask.turn > 0 {
            if !L::IS_PLAIN || goals.len() > 1 {
                return Found::Bad(Bad::Method(Unfit::Turns));
            }
            let found = turning::path(&mut self.turning, &mut self.turning_nodes, view, &ask, path);
            self.run.expansions = self.turning.expanded().len() as u64;
            path.seal(map);
            return found;
        }
        if let Err(bad) = self.begin(view, ask, goals, L::IS_PLAIN) {
            return Found::Bad(bad);
        }
        match self.advance_over(view, layer, u64::MAX) {
            Progress::At(goal) => {
                let found = self.way(view, goal, path);
                path.seal(map);
                found
            }
            _ => self.nothing(),
        }
    }

    /// Begins a search; both ends have to be free, and the map is the view for the unit's size.
    pub(crate) fn begin(&mut self, view: &Map, ask: Ask, goals: &[Cell], plain: bool) -> Result<(), Bad> {
        let jumps = plain && goals.len() == 1 && Search::unfit_for_jumps(view, &ask).is_none();
        let method = match ask.method {
            Method::Auto if jumps && ask.heuristic == super::Heuristic::Octile => Method::Jump,
            Method::Auto => Method::AStar,
            Method::Jump if !jumps => {
                return Err(Bad::Method(Search::unfit(view, &ask).unwrap_or(Unfit::JumpCosts)));
            }
            method => method,
        };
        self.prepare(view, ask, method, plain);
        if method == Method::Jump {
            self.jump.begin(view, ask.start, ask.goal, self.run.scale, self.run.estimate);
            self.run.kind = Kind::Jump;
            return Ok(());
        }
        for &goal in goals {
            if view.is_free(goal) {
                self.mark_goal(view.at(goal));
            }
        }
        self.seed(view, ask.start);
        Ok(())
    }

    /// Begins a search from the goal back; [`Search::aim_back`] then gives it one start after
    /// another.
    pub(crate) fn begin_back(&mut self, view: &Map, ask: Ask) {
        self.prepare(view, ask, Method::AStar, true);
        self.run.backward = true;
        self.run.kind = Kind::Far;
        self.run.estimate.aim(ask.start);
        self.seed(view, ask.goal);
        self.run.unexpanded = None;
    }

    /// Sets another start, and keeps the results so far. Returns whether the path from it is
    /// already known.
    pub(crate) fn aim_back(&mut self, view: &Map, start: Cell) -> bool {
        let stamp = self.run.stamp;
        let node = self.nodes.list[view.at(start)];
        if Nodes::is_of(node.mark, stamp) && node.mark & CLOSED != 0 {
            return true;
        }
        self.run.estimate.aim(start);
        self.mark_goal(view.at(start));
        if self.run.estimate.is_zero() {
            if let Some(cell) = self.run.unexpanded.take() {
                let node = &mut self.nodes.list[view.at(cell)];
                node.mark &= !(CLOSED | GOAL);
                self.far.push(node.g, pack(cell));
            }
            return false;
        }
        // Opens all open cells again, in the order of the new estimate.
        let mut cells = core::mem::take(&mut self.fifo.cells);
        cells.clear();
        if let Some(cell) = self.run.unexpanded.take() {
            self.nodes.list[view.at(cell)].mark &= !(CLOSED | GOAL);
            cells.push(pack(cell));
        }
        while let Some(packed) = self.far.pop() {
            if self.nodes.list[view.at(unpack(packed))].mark & CLOSED == 0 {
                cells.push(packed);
            }
        }
        let f = |search: &Search, packed: u32| {
            let cell = unpack(packed);
            search.nodes.list[view.at(cell)].g + search.run.estimate.at(cell.x, cell.y)
        };
        let least = cells.iter().map(|&packed| f(self, packed)).min().unwrap_or(0);
        self.far.prepare(least);
        for &packed in &cells {
            let key = f(self, packed);
            self.far.push(key, packed);
        }
        self.fifo.cells = cells;
        false
    }

    /// Whether a running search has read chunks that differ from these prints. Jump point search
    /// does not note this: any change counts.
    pub(crate) fn saw_change(&self, view: &Map, since: &[u64]) -> bool {
        if view.chunk_prints() == since {
            return false;
        }
        if self.run.kind == Kind::Jump || self.nodes.list.len() < view.cell_count() {
            return true;
        }
        let mut saw = false;
        view.each_change(since, |low, high| {
            // The chunk's cells, and the cells around it that have a neighbour in it.
            for y in low.y - 1..=high.y + 1 {
                for x in low.x - 1..=high.x + 1 {
                    let at = view.index([x, y]);
                    saw |= at.is_some_and(|at| Nodes::is_of(self.nodes.list[at].mark, self.run.stamp));
                }
            }
        });
        saw
    }

    fn prepare(&mut self, view: &Map, ask: Ask, method: Method, plain: bool) {
        let scale = ask.scale_on(view);
        let least = u32::from(view.least_cost());
        let heuristic = match method {
            Method::Dijkstra | Method::Breadth | Method::Depth => super::Heuristic::Zero,
            _ => ask.heuristic,
        };
        let ask = ask.heuristic(heuristic);
        let estimate = Estimate::new(&ask, view, scale, least);
        let steps = core::array::from_fn(|d| {
            u32::from(if ask.rule.is_diagonal(d) { scale.diagonal } else { scale.straight })
        });
        let longest = u64::from(scale.diagonal.max(scale.straight)) * u64::from(view.greatest_cost());
        // f grows by a step and by the rise of the estimate. The Euclidean estimate is rounded, so
        // it may rise by one more.
        let rise = longest + u64::from(estimate.greatest_rise(scale, least)) + 1;
        let steady = plain && Estimate::is_consistent(&ask) && method != Method::Greedy;
        let kind = match rise as usize {
            0..NARROW if steady => Kind::Narrow,
            0..WIDE if steady => Kind::Wide,
            _ => Kind::Heap,
        };
        let width = view.width();
        self.run = Run {
            kind,
            method,
            rule: ask.rule,
            scale,
            backward: false,
            start: ask.start,
            goal: ask.goal,
            estimate,
            steps,
            offsets: DIRECTIONS.map(|way| way.y * width + way.x),
            width,
            stamp: 0,
            too_far: false,
            unexpanded: None,
            expansions: 0,
            allowed: 0,
        };
        if method != Method::Jump {
            self.nodes.begin(view.cell_count());
            self.run.stamp = self.nodes.stamp();
        }
    }

    fn mark_goal(&mut self, at: usize) {
        let node = &mut self.nodes.list[at];
        if Nodes::is_of(node.mark, self.run.stamp) {
            node.mark |= GOAL;
        } else {
            *node = Node { mark: self.run.stamp | GOAL, g: u32::MAX };
        }
    }

    fn seed(&mut self, view: &Map, cell: Cell) {
        let at = view.at(cell);
        let node = &mut self.nodes.list[at];
        let goal = if Nodes::is_of(node.mark, self.run.stamp) { node.mark & GOAL } else { 0 };
        *node = Node { mark: self.run.stamp | goal, g: 0 };
        let f = self.run.estimate.at(cell.x, cell.y);
        match (self.run.method, self.run.kind) {
            (Method::Breadth, _) => {
                self.fifo.clear();
                self.fifo.push(0, pack(cell));
            }
            (Method::Depth, _) => {
                self.stack.clear();
                self.stack.push(0, pack(cell));
            }
            (_, Kind::Heap | Kind::Jump) => {
                self.heap.clear();
                self.heap.push(f, pack(cell));
            }
            (_, Kind::Narrow) => {
                self.narrow.prepare(NARROW, f);
                self.narrow.push(f, pack(cell));
            }
            (_, Kind::Far) => {
                self.far.prepare(f);
                self.far.push(f, pack(cell));
            }
            (_, Kind::Wide) => {
                self.wide.prepare(WIDE, f);
                self.wide.push(f, pack(cell));
            }
        }
    }

    /// Runs for at most `allowed` expansions, over the map without a layer.
    pub(crate) fn advance(&mut self, view: &Map, allowed: u64) -> Progress {
        self.advance_over(view, &Bare, allowed)
    }

    /// Whether the method supports the request on this map.
    pub(crate) fn can(view: &Map, ask: &Ask) -> bool {
        Search::unfit(view, ask).is_none()
    }

    /// The reason why the method does not support the request on this map.
    pub(crate) fn unfit(view: &Map, ask: &Ask) -> Option<Unfit> {
        if ask.method == Method::Jump { Search::unfit_for_jumps(view, ask) } else { None }
    }

    fn unfit_for_jumps(view: &Map, ask: &Ask) -> Option<Unfit> {
        if ask.rule != Rule::Eight(Corners::Never) {
            Some(Unfit::JumpRule)
        } else if !view.is_uniform() {
            Some(Unfit::JumpCosts)
        } else {
            (!Estimate::is_consistent(ask)).then_some(Unfit::JumpHeuristic)
        }
    }

    /// Runs for at most `allowed` expansions.
    fn advance_over<L: Steps>(&mut self, view: &Map, layer: &L, allowed: u64) -> Progress {
        self.run.allowed = allowed;
        if self.run.kind == Kind::Jump {
            let before = self.jump.expansions();
            let progress = self.jump.advance(view, allowed);
            self.run.expansions += self.jump.expansions() - before;
            return progress;
        }
        let Search { nodes, run, narrow, wide, far, heap, fifo, stack, .. } = self;
        let (nodes, costs) = (&mut nodes.list[..view.cell_count()], view.costs());
        let plain = L::IS_PLAIN && view.is_uniform();
        let ordered = L::IS_PLAIN && run.is_ordered();
        let priced = Priced(costs, layer);
        match (run.method, run.kind) {
            (Method::Breadth, _) => expand::<_, _, KEEP>(nodes, fifo, view, &Priced(costs, layer), run),
            (Method::Depth, _) => expand::<_, _, REPLACE>(nodes, stack, view, &Priced(costs, layer), run),
            (Method::Greedy, _) => expand::<_, _, KEEP>(nodes, heap, view, &Priced(costs, layer), run),
            (_, Kind::Narrow) if ordered && plain => expand::<_, _, ORDERED>(nodes, narrow, view, &Even, run),
            (_, Kind::Narrow) if ordered => expand::<_, _, ORDERED>(nodes, narrow, view, &priced, run),
            (_, Kind::Narrow) if plain => expand::<_, _, RELAX>(nodes, narrow, view, &Even, run),
            (_, Kind::Narrow) => expand::<_, _, RELAX>(nodes, narrow, view, &Priced(costs, layer), run),
            (_, Kind::Far) if ordered && plain => expand::<_, _, ORDERED>(nodes, far, view, &Even, run),
            (_, Kind::Far) if ordered => expand::<_, _, ORDERED>(nodes, far, view, &priced, run),
            (_, Kind::Far) => expand::<_, _, RELAX>(nodes, far, view, &Priced(costs, layer), run),
            (_, Kind::Wide) if ordered => expand::<_, _, ORDERED>(nodes, wide, view, &priced, run),
            (_, Kind::Wide) if plain => expand::<_, _, RELAX>(nodes, wide, view, &Even, run),
            (_, Kind::Wide) => expand::<_, _, RELAX>(nodes, wide, view, &Priced(costs, layer), run),
            (_, Kind::Heap | Kind::Jump) => {
                expand::<_, _, RELAX>(nodes, heap, view, &Priced(costs, layer), run)
            }
        }
    }

    /// The answer of a search that found no path.
    pub(crate) fn nothing(&self) -> Found {
        if self.run.too_far || self.run.kind == Kind::Jump && self.jump.is_too_far() {
            Found::TooFar
        } else {
            Found::None
        }
    }

    /// The path to a closed cell.
    pub(crate) fn way(&self, view: &Map, end: Cell, path: &mut Path) -> Found {
        let scale = self.run.scale;
        if self.run.kind == Kind::Jump {
            let units = self.jump.way(path);
            return Found::Way { cost: Length { units, scale } };
        }
        let units = self.nodes.list[view.at(end)].g;
        let from = if self.run.backward { self.run.goal } else { self.run.start };
        let mut cell = end;
        path.push(cell);
        while cell != from {
            // If two directions give the same length, either will do.
            let direction = (self.nodes.list[view.at(cell)].mark & CAME).trailing_zeros();
            cell -= DIRECTIONS[direction as usize & 7];
            path.push(cell);
        }
        if !self.run.backward {
            path.reverse();
        }
        Found::Way { cost: Length { units, scale } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When stamps wrap around, nodes of old searches do not count.
    #[test]
    fn stamps_wrap() {
        let map = Map::from_fn(30, 30, |cell| (cell.x * 7 + cell.y * 5) % 9 == 0).expect("a map");
        let (mut old, mut path) = (Search::default(), Path::default());
        let free: Vec<Cell> =
            (0..900).map(|index| map.cell_at(index)).filter(|&cell| map.is_free(cell)).collect();
        let ask =
            |k: usize| Ask::new(free[k * 37 % free.len()], free[k * 71 % free.len()]).method(Method::AStar);
        for k in 0..10 {
            _ = old.path(&map, ask(k), &mut path);
        }
        old.nodes.skip_to_last_stamps();
        let mut other = Path::default();
        for k in 0..10 {
            let mut new = Search::default();
            assert_eq!(old.path(&map, ask(k), &mut path), new.path(&map, ask(k), &mut other));
            assert_eq!((old.expansions(), &path), (new.expansions(), &other));
        }
    }
}
