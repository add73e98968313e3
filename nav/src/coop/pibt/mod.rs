//! PIBT (multi-agent path finding): many units step from tile to tile at the same time, and give
//! way to each other.
//!
//! In: a map, units on tiles of their own, a goal for each. Out: a step for each unit, every tick:
//! to a neighbour tile or none, so that no two units end on one tile and no two exchange their
//! tiles. The cost is a few look-ups per unit; nothing is planned ahead.
//!
//! Priority inheritance with backtracking (Okumura, Machida, Défago and Tamura, "Priority
//! inheritance with backtracking for iterative multi-agent path finding", AIJ 2022): units choose
//! in the order of their time under way. A unit that wants the tile of another one hands its turn
//! to that unit; if the other finds no way out, the first tries the next best tile. The unit with
//! the longest wait always gets its best tile, so on a map where every two neighbours lie on a loop
//! each unit gets to its goal.
//!
//! The swap rule (Okumura, "Improving LaCAM for scalable eventually optimal multi-agent
//! pathfinding", IJCAI 2023): two units that must pass each other in a street that is one tile wide
//! back out to the next fork first.
//!
//! ```text
//!   ████████       a wants east, b west. With the rule, if the street forks behind a and
//!   . a b .        not behind b, a backs west and pulls b along, up to the fork.
//!   ████████
//! ```
//!
//! Where dead-end streets are full, units may still wait for ever.
//!
//! The tests `there_are_no_conflicts` and `everyone_arrives_on_loops` check rows A15 and B11 of the
//! classic texts (no dodging of units that are gone; many units).

mod image;
mod swap;

use core::fmt;

use crate::field::Flow;
use crate::grid::{Cell, DIRECTIONS, Map, Rule};
use crate::length::Scale;

const NONE: u32 = u32::MAX;

/// A unit of a [`Squad`]. The id of a removed unit is reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(u32);

impl UnitId {
    /// Its index, for columns of your own.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A goal of a [`Squad`]; equal cells have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(u32);

/// Reason why a squad refused a call. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SquadError {
    /// Diagonal steps cross each other; units step to four neighbours or to six.
    Diagonals,
    /// The map has another size than the squad's map.
    OtherMap,
    /// The cell is a wall, or outside of the map.
    NotFree(Cell),
    /// There is another unit on the cell.
    Taken(Cell),
    /// The unit was removed, or never belonged to this squad.
    NoSuchUnit(UnitId),
    /// The goal belongs to another squad.
    NoSuchGoal(GoalId),
}

impl fmt::Display for SquadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SquadError::Diagonals => write!(f, "units step to four neighbours or to six, not diagonally"),
            SquadError::OtherMap => write!(f, "the map has another size than the one the units stand on"),
            SquadError::NotFree(cell) => write!(f, "{cell} is a wall or outside of the map"),
            SquadError::Taken(cell) => write!(f, "there is another unit on {cell}"),
            SquadError::NoSuchUnit(unit) => write!(f, "unit {} is not in this squad", unit.0),
            SquadError::NoSuchGoal(goal) => write!(f, "goal {} is not one of this squad", goal.0),
        }
    }
}

impl core::error::Error for SquadError {}

/// Units that step from tile to tile at the same time, by PIBT (priority inheritance with
/// backtracking) with the swap rule.
///
/// Every tick each unit makes one step or none: no two units end on one tile, and no two exchange
/// their tiles. The unit that is longest under way chooses first, and units in its way make room.
/// On maps where every two neighbours lie on a loop each unit gets to its goal at some time; in
/// full dead-end streets, units may wait for ever. A unit at its goal still makes room for others.
/// Units with one goal share its field: memory is four bytes per cell and goal.
///
/// ```
/// use carom_nav::prelude::*;
/// use carom_nav::coop::Squad;
///
/// let map = Map::parse("........\n.######.\n........\n")?;
/// let mut squad = Squad::new(&map, Rule::Four)?;
/// let (east, west) = (squad.goal([7, 0]), squad.goal([0, 0]));
/// let a = squad.add([0, 0], east)?;
/// let b = squad.add([7, 0], west)?;
/// let mut arrived = [false; 2];
/// for _ in 0..40 {
///     squad.step(&map)?;
///     assert_ne!(squad.cell(a), squad.cell(b));
///     arrived[0] |= squad.is_home(a);
///     arrived[1] |= squad.is_home(b);
/// }
/// assert_eq!(arrived, [true; 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Squad {
    rule: Rule,
    size: [i32; 2],
    tick: u64,
    /// A field for each goal, shared by all units with this goal.
    fields: Vec<Flow>,
    units: Vec<Unit>,
    free: Vec<u32>,
    /// Per cell: the unit there now, and the unit there after the step.
    now: Vec<u32>,
    next: Vec<u32>,
    /// Scratch memory: the order of choice, and the stack of turns.
    order: Vec<u64>,
    turns: Vec<Turn>,
}

#[derive(Clone, Copy, Debug)]
struct Unit {
    /// Index of its tile; `NONE` for a removed unit.
    at: u32,
    /// The tile that the unit steps to in this tick, once known.
    to: u32,
    goal: u32,
    /// Ticks since the unit was last at its goal.
    waits: u32,
}

/// One unit's turn to choose.
#[derive(Clone, Copy, Debug)]
struct Turn {
    unit: u32,
    /// Tiles, the best first; the unit's own tile is among them.
    tiles: [u32; 7],
    count: u8,
    tried: u8,
    /// The unit that this unit pulls along behind itself, or `NONE`.
    pulls: u32,
}

impl Squad {
    /// A squad without units, on a map.
    ///
    /// # Errors
    ///
    /// The rule has diagonal steps.
    pub fn new(map: &Map, rule: Rule) -> Result<Squad, SquadError> {
        if matches!(rule, Rule::Eight(_)) {
            return Err(SquadError::Diagonals);
        }
        Ok(Squad {
            rule,
            size: [map.width(), map.height()],
            tick: 0,
            fields: Vec::new(),
            units: Vec::new(),
            free: Vec::new(),
            now: vec![NONE; map.cell_count()],
            next: vec![NONE; map.cell_count()],
            order: Vec::new(),
            turns: Vec::new(),
        })
    }

    fn index(&self, Cell { x, y }: Cell) -> Option<u32> {
        let is_in = (x as u32) < self.size[0] as u32 && (y as u32) < self.size[1] as u32;
        is_in.then(|| y as u32 * self.size[0] as u32 + x as u32)
    }

    fn cell_at(&self, index: u32) -> Cell {
        let width = self.size[0] as u32;
        Cell::new((index % width) as i32, (index / width) as i32)
    }

    /// A goal; equal cells give equal ids. Its field extends as far as its units need. A goal that
    /// is a wall, or outside, is never reached: its units move only to let others pass.
    pub fn goal(&mut self, cell: impl Into<Cell>) -> GoalId {
        let cell = cell.into();
        let known = self.fields.iter().position(|field| field.goals() == [cell]);
        GoalId(known.unwrap_or_else(|| {
            self.fields.push(Flow::to(&[cell]).rule(self.rule).scale(Scale::STEPS));
            self.fields.len() - 1
        }) as u32)
    }

    /// Puts a unit on a cell. Walls are checked only when it steps: a unit on a wall can leave it,
    /// and not come back.
    ///
    /// # Errors
    ///
    /// The cell is outside of the map, or taken; there is no such goal.
    pub fn add(&mut self, cell: impl Into<Cell>, goal: GoalId) -> Result<UnitId, SquadError> {
        let cell = cell.into();
        let at = self.index(cell).ok_or(SquadError::NotFree(cell))?;
        if goal.0 as usize >= self.fields.len() {
            return Err(SquadError::NoSuchGoal(goal));
        }
        if self.now[at as usize] != NONE {
            return Err(SquadError::Taken(cell));
        }
        let unit = Unit { at, to: NONE, goal: goal.0, waits: 0 };
        let id = match self.free.pop() {
            Some(id) => {
                self.units[id as usize] = unit;
                id
            }
            None => {
                self.units.push(unit);
                self.units.len() as u32 - 1
            }
        };
        self.now[at as usize] = id;
        Ok(UnitId(id))
    }

    fn unit(&self, unit: UnitId) -> Option<&Unit> {
        self.units.get(unit.0 as usize).filter(|unit| unit.at != NONE)
    }

    /// Takes a unit off the map.
    ///
    /// # Errors
    ///
    /// There is no such unit.
    pub fn remove(&mut self, unit: UnitId) -> Result<(), SquadError> {
        let at = self.unit(unit).ok_or(SquadError::NoSuchUnit(unit))?.at;
        self.now[at as usize] = NONE;
        self.units[unit.0 as usize].at = NONE;
        self.free.push(unit.0);
        Ok(())
    }

    /// Sends a unit to another goal. Setting its present goal again changes nothing.
    ///
    /// # Errors
    ///
    /// There is no such unit, or no such goal.
    pub fn aim(&mut self, unit: UnitId, goal: GoalId) -> Result<(), SquadError> {
        self.unit(unit).ok_or(SquadError::NoSuchUnit(unit))?;
        if goal.0 as usize >= self.fields.len() {
            return Err(SquadError::NoSuchGoal(goal));
        }
        self.units[unit.0 as usize].goal = goal.0;
        Ok(())
    }

    /// The cell of a unit; `None` if the unit does not exist.
    #[must_use]
    pub fn cell(&self, unit: UnitId) -> Option<Cell> {
        self.unit(unit).map(|unit| self.cell_at(unit.at))
    }

    /// Whether a unit stands on its goal.
    #[must_use]
    pub fn is_home(&self, unit: UnitId) -> bool {
        self.unit(unit).is_some_and(|unit| self.is_goal(unit.goal, unit.at))
    }

    fn is_goal(&self, goal: u32, at: u32) -> bool {
        self.fields[goal as usize].goals() == [self.cell_at(at)]
    }

    /// The unit on a cell.
    #[must_use]
    pub fn unit_at(&self, cell: impl Into<Cell>) -> Option<UnitId> {
        self.index(cell.into()).map(|at| self.now[at as usize]).filter(|unit| *unit != NONE).map(UnitId)
    }

    /// All units, in the order of their ids, with their cells.
    pub fn units(&self) -> impl Iterator<Item = (UnitId, Cell)> + '_ {
        let there = self.units.iter().enumerate().filter(|(_, unit)| unit.at != NONE);
        there.map(|(id, unit)| (UnitId(id as u32), self.cell_at(unit.at)))
    }

    /// Lets every unit make one step, or none. Returns the number of units that moved.
    ///
    /// # Errors
    ///
    /// The map has another size than the map of [`new`](Squad::new).
    pub fn step(&mut self, map: &Map) -> Result<usize, SquadError> {
        if self.size != [map.width(), map.height()] {
            return Err(SquadError::OtherMap);
        }
        self.find_ways(map);
        self.sort();
        let order = core::mem::take(&mut self.order);
        for &key in &order {
            let unit = key as u32;
            if self.units[unit as usize].to == NONE {
                self.choose(map, unit);
            }
        }
        self.order = order;
        Ok(self.go())
    }

    /// Extends the fields so that every unit knows its direction.
    fn find_ways(&mut self, map: &Map) {
        // Updates only begun fields: a goal that never had a unit has no begun field.
        self.fields.iter_mut().filter(|field| field.is_begun()).for_each(|field| field.update(map));
        for unit in self.units.iter().filter(|unit| unit.at != NONE) {
            let field = &mut self.fields[unit.goal as usize];
            if !field.is_begun() {
                field.update(map);
            }
            if field.length_at(unit.at) == NONE && !field.is_known(map.cell_at(unit.at as usize)) {
                field.until(map, &[map.cell_at(unit.at as usize)]);
            }
        }
    }

    /// Sorts units for the choice: longest under way first, then by id.
    fn sort(&mut self) {
        self.order.clear();
        for (id, unit) in self.units.iter().enumerate().filter(|(_, unit)| unit.at != NONE) {
            self.order.push(u64::from(!unit.waits) << 32 | id as u64);
        }
        self.order.sort_unstable();
    }

    /// Lets a unit choose, and the units to which it hands its turn, depth first.
    fn choose(&mut self, map: &Map, unit: u32) {
        let mut turns = core::mem::take(&mut self.turns);
        turns.clear();
        turns.push(self.turn(map, unit));
        // Whether the unit that was last asked to make room did so.
        let mut made_room = None;
        while let Some(turn) = turns.last_mut() {
            let at = self.units[turn.unit as usize].at;
            let mut done = made_room == Some(true);
            if made_room == Some(false) {
                turn.tried += 1;
            }
            made_room = None;
            let mut asked = NONE;
            while !done && asked == NONE && turn.tried < turn.count {
                let tile = turn.tiles[usize::from(turn.tried)];
                let there = self.now[tile as usize];
                // Skips a tile that is taken, or whose unit steps onto this unit's tile.
                let other = if there == NONE { NONE } else { self.units[there as usize].to };
                if self.next[tile as usize] != NONE || there != NONE && there != turn.unit && other == at {
                    turn.tried += 1;
                    continue;
                }
                self.next[tile as usize] = turn.unit;
                self.units[turn.unit as usize].to = tile;
                if there == NONE || there == turn.unit || other != NONE {
                    done = true;
                } else {
                    asked = there;
                }
            }
            if asked != NONE {
                let asked = self.turn(map, asked);
                turns.push(asked);
                continue;
            }
            if done {
                self.pull(*turn, at);
            } else {
                self.next[at as usize] = turn.unit;
                self.units[turn.unit as usize].to = at;
            }
            made_room = Some(done);
            turns.pop();
        }
        self.turns = turns;
    }

    /// Moves the pulled unit onto the tile of the unit that backs out of a street.
    fn pull(&mut self, turn: Turn, at: u32) {
        let is_first = turn.tried == 0 && turn.pulls != NONE;
        if is_first && self.units[turn.pulls as usize].to == NONE && self.next[at as usize] == NONE {
            self.next[at as usize] = turn.pulls;
            self.units[turn.pulls as usize].to = at;
        }
    }

    /// Moves all units.
    fn go(&mut self) -> usize {
        self.tick += 1;
        let mut moved = 0;
        for id in 0..self.units.len() {
            let Unit { at, to, .. } = self.units[id];
            if at == NONE {
                continue;
            }
            moved += usize::from(at != to);
            // Another unit may already stand on this unit's old tile.
            if self.now[at as usize] == id as u32 {
                self.now[at as usize] = NONE;
            }
            self.next[to as usize] = NONE;
            self.now[to as usize] = id as u32;
            let is_home = self.is_goal(self.units[id].goal, to);
            let unit = &mut self.units[id];
            let waits = if is_home { 0 } else { unit.waits.saturating_add(1) };
            *unit = Unit { at: to, to: NONE, waits, ..*unit };
        }
        moved
    }

    /// A turn: the tiles in order of preference.
    fn turn(&self, map: &Map, unit: u32) -> Turn {
        let Unit { at, goal, .. } = self.units[unit as usize];
        let field = &self.fields[goal as usize];
        // Nearer tiles first; a hash breaks ties, so that no direction is preferred.
        let key = |tile: u32| u64::from(field.length_at(tile)) << 32 | u64::from(self.draw(unit, tile));
        let (mut keys, mut tiles, mut count) = ([0; 7], [at; 7], 0);
        let mut put = |tile: u32| {
            let key = key(tile);
            let mut place = count;
            while place > 0 && keys[place - 1] > key {
                (keys[place], tiles[place]) = (keys[place - 1], tiles[place - 1]);
                place -= 1;
            }
            (keys[place], tiles[place]) = (key, tile);
            count += 1;
        };
        put(at);
        self.neighbours(map, at).for_each(&mut put);
        let mut turn = Turn { unit, tiles, count: count as u8, tried: 0, pulls: NONE };
        turn.pulls = self.to_pull(map, &turn);
        if turn.pulls != NONE {
            turn.tiles[..count].reverse();
        }
        turn
    }

    /// A random number that depends on tick, unit and tile alone.
    fn draw(&self, unit: u32, tile: u32) -> u32 {
        let mut z = self.tick ^ u64::from(unit) << 40 ^ u64::from(tile) << 16;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 32) as u32
    }

    fn neighbours(&self, map: &Map, at: u32) -> impl Iterator<Item = u32> + use<> {
        let width = self.size[0];
        let mut open = map.moves(self.rule, self.cell_at(at));
        core::iter::from_fn(move || {
            let d = (open != 0).then(|| open.trailing_zeros() as usize)?;
            open &= open - 1;
            Some(at.wrapping_add((DIRECTIONS[d].y * width + DIRECTIONS[d].x) as u32))
        })
    }
}
