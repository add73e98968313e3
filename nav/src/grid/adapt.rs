//! Searches again and again for one goal, on land that turns out worse than thought.
//!
//! In: land on which walls appear and costs rise; a unit that walks. Out: shortest ways, with fewer
//! expansions each time. What a search finds out makes better estimates for the next (adaptive A*):
//! of a settled cell, the length of the whole way less that from the start to the cell is never too
//! much. And a search ends as soon as it settles a cell from which a way of an earlier search still
//! goes to the goal at its old length (Hernández, Asín and Baier, "Reusing previously found A*
//! paths for fast goal-directed navigation in dynamic terrain", AAAI 2015). Both hold only while
//! nothing opens: when something does, all of it is forgotten.

use super::ask::{Ask, Estimate, Found};
use super::path::Path;
use super::rule::{DIRECTIONS, Rule};
use super::search::{pack, unpack};
use super::{Bad, Cell, Map};
use crate::length::{LIMIT, Length, Scale};
use crate::open::{Far, Open};
use crate::state::{Hash, LoadError, Reader, Sink, Writer};

/// No direction.
const NONE: u8 = 8;

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    stamp: u32,
    g: u32,
    came: u8,
    closed: bool,
}

/// What earlier searches found out of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lesson {
    /// What is left to go at least.
    estimate: u32,
    /// The direction of a way to the goal.
    next: u8,
}

const UNKNOWN: Lesson = Lesson { estimate: 0, next: NONE };

/// Repeated searches for one goal.
///
/// ```
/// use carom_nav::grid::Adaptive;
/// use carom_nav::prelude::*;
///
/// let map = Map::parse("......\n.####.\n....#.\n......\n")?;
/// let mut known = Known::new(&map);
/// let mut adaptive = Adaptive::new(Rule::default(), [5, 1]);
/// let (mut unit, mut path) = (Cell::new(0, 1), Path::default());
/// while unit != Cell::new(5, 1) {
///     known.see(&map, unit, 2);
///     assert!(adaptive.path(known.land(), unit, &mut path).is_way());
///     unit = path.cells().nth(1).expect("a step");
/// }
/// # Ok::<(), carom_nav::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Adaptive {
    rule: Rule,
    goal: Cell,
    scale: Scale,
    width: i32,
    /// The land's last opening that was heeded, and its least cost.
    opened: u64,
    least: u32,
    lessons: Vec<Lesson>,
    nodes: Vec<Node>,
    stamp: u32,
    open: Far,
    closed: Vec<u32>,
    expansions: u64,
}

impl Adaptive {
    /// For ways to a goal.
    pub fn new(rule: Rule, goal: impl Into<Cell>) -> Adaptive {
        Adaptive {
            rule,
            goal: goal.into(),
            scale: Scale::FINE,
            width: 0,
            opened: 0,
            least: 0,
            lessons: Vec::new(),
            nodes: Vec::new(),
            stamp: 0,
            open: Far::default(),
            closed: Vec::new(),
            expansions: 0,
        }
    }

    /// The goal.
    pub fn goal(&self) -> Cell {
        self.goal
    }

    /// Goes for another goal from now on; what was found out is forgotten.
    pub fn set_goal(&mut self, goal: impl Into<Cell>) {
        self.goal = goal.into();
        self.lessons.clear();
    }

    /// How many cells the last search expanded.
    pub fn expansions(&self) -> u64 {
        self.expansions
    }

    /// A shortest way from the start to the goal over the land as it is now.
    pub fn path(&mut self, land: &Map, start: impl Into<Cell>, path: &mut Path) -> Found {
        let start = start.into();
        path.clear(land.revision());
        self.expansions = 0;
        let ask = Ask::new(start, self.goal).rule(self.rule);
        if let Err(bad) = ask.check(land) {
            return Found::Bad(bad);
        }
        if land.cell_count() as u64 >= 1 << 31 {
            return Found::Bad(Bad::Size);
        }
        self.prepare(land, &ask);
        let estimate = Estimate::new(&ask, land, self.scale, self.least);
        match self.search(land, start, &estimate) {
            Ok(Some(end)) => self.learn(land, start, end, path),
            Ok(None) => Found::None,
            Err(()) => Found::TooFar,
        }
    }

    /// Forgets what does not hold any more.
    fn prepare(&mut self, land: &Map, ask: &Ask) {
        let (scale, least) = (ask.scale_on(land), u32::from(land.least_cost()));
        let count = land.cell_count();
        let holds = self.scale == scale
            && self.least == least
            && self.width == land.width()
            && self.lessons.len() == count
            && self.opened == land.last_opened();
        if !holds {
            self.lessons.clear();
            self.lessons.resize(count, UNKNOWN);
            (self.scale, self.least, self.width) = (scale, least, land.width());
            self.opened = land.last_opened();
        }
        if self.nodes.len() < count {
            self.nodes.resize(count, Node::default());
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.nodes.fill(Node::default());
            self.stamp = 1;
        }
        self.closed.clear();
    }

    fn guess(&self, at: usize, cell: Cell, estimate: &Estimate) -> u32 {
        self.lessons[at].estimate.max(estimate.at(cell.x, cell.y))
    }

    fn step(&self, land: &Map, direction: usize, to: usize) -> u32 {
        let step = if self.rule.is_diagonal(direction) { self.scale.diagonal } else { self.scale.straight };
        u32::from(step) * land.costs().get(to).map_or(1, |&cost| u32::from(cost))
    }

    /// The cell from which the rest of the way is known: the goal, or one of an earlier way. `Err`
    /// if all ways are too long.
    fn search(&mut self, land: &Map, start: Cell, estimate: &Estimate) -> Result<Option<Cell>, ()> {
        let at = land.at(start);
        let mut too_far = false;
        self.nodes[at] = Node { stamp: self.stamp, g: 0, came: NONE, closed: false };
        let f = self.guess(at, start, estimate);
        self.open.prepare(f);
        self.open.push(f, pack(start));
        while let Some(packed) = self.open.pop() {
            let cell = unpack(packed);
            let at = land.at(cell);
            let Node { g, closed, .. } = self.nodes[at];
            if closed {
                continue;
            }
            self.nodes[at].closed = true;
            self.closed.push(at as u32);
            self.expansions += 1;
            if self.is_way_known(land, cell, estimate) {
                return Ok(Some(cell));
            }
            let mut moves = land.moves(self.rule, cell);
            while moves != 0 {
                let d = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let next = cell + DIRECTIONS[d & 7];
                let to = land.at(next);
                let length = g.saturating_add(self.step(land, d, to));
                let node = self.nodes[to];
                if node.stamp == self.stamp && (node.closed || length >= node.g) {
                    continue;
                }
                if length > LIMIT {
                    too_far = true;
                    continue;
                }
                self.nodes[to] = Node { stamp: self.stamp, g: length, came: d as u8, closed: false };
                let f = length + self.guess(to, next, estimate).min(LIMIT);
                self.open.push(f, pack(next));
            }
        }
        if too_far { Err(()) } else { Ok(None) }
    }

    /// Whether an earlier way leads from a cell to the goal, still walkable and as long as is
    /// estimated. Where it is broken, it is cut.
    fn is_way_known(&mut self, land: &Map, cell: Cell, estimate: &Estimate) -> bool {
        let mut now = cell;
        while now != self.goal {
            let at = land.at(now);
            let next = self.lessons[at].next as usize;
            if next >= 8 {
                return false;
            }
            let to = now + DIRECTIONS[next];
            let is_open = land.moves(self.rule, now) >> next & 1 != 0;
            let is_exact = is_open && {
                let index = land.at(to);
                let left = self.guess(index, to, estimate) + self.step(land, next, index);
                self.guess(at, now, estimate) == left
            };
            if !is_exact {
                self.lessons[at].next = NONE;
                return false;
            }
            now = to;
        }
        true
    }

    /// Keeps what the search found out, and writes the way.
    fn learn(&mut self, land: &Map, start: Cell, end: Cell, path: &mut Path) -> Found {
        let ask = Ask::new(start, self.goal).rule(self.rule);
        let estimate = Estimate::new(&ask, land, self.scale, self.least);
        let at = land.at(end);
        let whole = self.nodes[at].g + self.guess(at, end, &estimate);
        for &at in &self.closed {
            let rest = whole.saturating_sub(self.nodes[at as usize].g);
            let lesson = &mut self.lessons[at as usize];
            lesson.estimate = lesson.estimate.max(rest);
        }
        // The way back to the start, which from now on is known, and then on to the goal.
        let mut cell = end;
        path.push(cell);
        while cell != start {
            let came = self.nodes[land.at(cell)].came;
            cell -= DIRECTIONS[came as usize & 7];
            self.lessons[land.at(cell)].next = came;
            path.push(cell);
        }
        path.reverse();
        cell = end;
        while cell != self.goal {
            cell += DIRECTIONS[self.lessons[land.at(cell)].next as usize & 7];
            path.push(cell);
        }
        Found::Way { cost: Length { units: whole, scale: self.scale } }
    }

    /// Writes what was found out.
    pub fn save_into(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new(KIND, out);
        self.tell(&mut writer);
        writer.finish();
    }

    /// Brings back what was found out on a land. What is refused changes nothing.
    pub fn load(&mut self, image: &[u8], land: &Map) -> Result<(), LoadError> {
        let mut reader = Reader::new(KIND, image)?;
        let mut loaded = Adaptive::new(reader.rule()?, reader.cell()?);
        let (scale, width) = (reader.word()?, reader.word()?);
        loaded.scale = Scale { straight: scale as u16, diagonal: (scale >> 16) as u16 };
        (loaded.width, loaded.opened, loaded.least) = (width as i32, reader.long()?, reader.word()?);
        let count = reader.word()? as usize;
        if !loaded.scale.is_valid()
            || count != 0 && (count != land.cell_count() || width as i32 != land.width())
        {
            return Err(LoadError::Broken("the land has the size that it had"));
        }
        loaded.lessons.resize(count, UNKNOWN);
        for _ in 0..reader.count(3)? {
            let (at, estimate, next) = (reader.word()? as usize, reader.word()?, reader.word()?);
            if at >= count || next > u32::from(NONE) || estimate > LIMIT {
                return Err(LoadError::Broken("what is known is of cells of the land"));
            }
            loaded.lessons[at] = Lesson { estimate, next: next as u8 };
        }
        reader.finish()?;
        if loaded.leads_off(land) {
            return Err(LoadError::Broken("ways stay on the land"));
        }
        core::mem::swap(&mut loaded.nodes, &mut self.nodes);
        loaded.stamp = self.stamp;
        *self = loaded;
        Ok(())
    }

    /// Whether a direction leads off the land. (None leads around for ever: each step must lower
    /// the estimate by its length.)
    fn leads_off(&self, land: &Map) -> bool {
        (0..self.lessons.len()).any(|at| {
            let next = self.lessons[at].next as usize;
            next < 8 && land.index(land.cell_at(at) + DIRECTIONS[next]).is_none()
        })
    }

    /// What was found out, as one number.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.tell(&mut hash);
        hash.finish()
    }

    fn tell(&self, sink: &mut impl Sink) {
        sink.rule(self.rule);
        sink.cell(self.goal);
        sink.word(u32::from(self.scale.straight) | u32::from(self.scale.diagonal) << 16);
        sink.word(self.width as u32);
        sink.long(self.opened);
        sink.word(self.least);
        sink.word(self.lessons.len() as u32);
        let known = || self.lessons.iter().enumerate().filter(|(_, lesson)| **lesson != UNKNOWN);
        sink.word(known().count() as u32);
        for (at, lesson) in known() {
            sink.word(at as u32);
            sink.word(lesson.estimate);
            sink.word(u32::from(lesson.next));
        }
    }
}

const KIND: u8 = b'A';

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Claims, Known};
    use crate::state::refuses_damage;

    /// Whatever damaged images say, they are refused, or searched with.
    #[test]
    fn images_are_refused_when_damaged() {
        let map = Map::from_fn(12, 9, |cell| (cell.x * 5 + cell.y * 3) % 7 == 0).expect("a map");
        let (mut known, mut claims) = (Known::new(&map), Claims::new(&map));
        let mut adaptive = Adaptive::new(Rule::default(), [11, 8]);
        let (mut path, mut image) = (Path::default(), Vec::new());
        known.see(&map, [1, 1], 5);
        claims.walk(3, [Cell::new(1, 1), Cell::new(2, 2)], 5);
        claims.park(4, [5, 5]);
        _ = adaptive.path(known.land(), [1, 1], &mut path);
        known.save_into(&mut image);
        refuses_damage(&image, |bytes| known.clone().load(bytes));
        claims.save_into(&mut image);
        refuses_damage(&image, |bytes| claims.clone().load(bytes));
        adaptive.save_into(&mut image);
        refuses_damage(&image, |bytes| {
            let mut loaded = adaptive.clone();
            loaded.load(bytes, known.land())?;
            _ = loaded.path(known.land(), [1, 2], &mut path);
            Ok(())
        });
    }
}
