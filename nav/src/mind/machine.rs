//! State machines: transitions, defined once and checked once.
//!
//! In: transitions, one by one, as a [`Machine`]. Out: a [`Table`] that answers every pair of a
//! state and an event; or the first [`Fault`], with its state and event. A unit keeps a [`Mind`],
//! one byte in a column of yours: a snapshot copies it. Restoring a mind runs no entry actions:
//! your code runs them for each [`Step`], and a load makes no step.
//!
//! The tests `every_pair_has_one_answer`, `each_fault_is_named` and
//! `replays_are_equal_and_loading_enters_nothing` check row D1 of the classic texts.
//!
//! ```text
//!   Wander --Noticed--> Chase --InReach--> Attack      rows are states, columns events, in the
//!     ^                 |   ^                 |        order of their first mention: the byte of
//!     +------Lost-------+   +---OutOfReach----+        a mind is its row, an event's priority its
//!                                                      column
//! ```

use core::fmt;

use crate::state::{self, Kind, LoadError, Sink};

/// A cell of the table that means "stay".
const STAY: u8 = u8::MAX;

/// Definition of a [`Table`].
///
/// ```
/// use carom_nav::mind::Machine;
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Guard { Wander, Chase, Attack }
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Event { Noticed, Lost, InReach, OutOfReach }
/// use {Event::*, Guard::*};
///
/// let guards = Machine::new(Wander)
///     .on(Wander, Noticed, Chase)
///     .on(Chase, InReach, Attack)
///     .on(Attack, OutOfReach, Chase)
///     .on(Chase, Lost, Wander)
///     .others_stay()
///     .check()
///     .expect("no gaps, no dead ends");
/// let mut mind = guards.start();
/// let step = guards.step(&mut mind, Noticed)?;
/// assert_eq!((step.left(), step.entered()), (Some(Wander), Some(Chase)));
/// assert_eq!(guards.step(&mut mind, Noticed)?.entered(), None); // stays
/// assert_eq!(guards.state(mind)?, Chase);
/// # Ok::<(), carom_nav::mind::MindError<Event>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Machine<S, E> {
    states: Vec<S>,
    events: Vec<E>,
    /// Triples of state, event and target, where a target of `None` stays, in the order of
    /// definition.
    transitions: Vec<(S, E, Option<S>)>,
    ends: Vec<S>,
    others_stay: bool,
}

/// Faults of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault<S, E> {
    /// This state has no transition for this event, and [`others_stay`](Machine::others_stay) was
    /// not called.
    Gap {
        /// The state.
        state: S,
        /// The event that it does not answer.
        event: E,
    },
    /// Two different answers of one state to one event.
    Contradiction {
        /// The state.
        state: S,
        /// The event.
        event: E,
    },
    /// No event leads away from this state, and it is not declared as a state in which the machine
    /// [`ends`](Machine::ends).
    Dead(S),
    /// An event leads away from a state that was declared as an end.
    NoEnd {
        /// The state.
        state: S,
        /// The event that leads away.
        event: E,
    },
    /// No events lead from the first state to this one.
    Unreachable(S),
    /// No reachable state reacts to this event.
    Unused(E),
    /// More than 255 states or events; the greater number of the two.
    TooMany(usize),
}

impl<S: fmt::Debug, E: fmt::Debug> fmt::Display for Fault<S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Gap { state, event } => write!(f, "in state {state:?} nothing is said of event {event:?}"),
            Fault::Contradiction { state, event } => {
                write!(f, "in state {state:?} there are two answers to event {event:?}")
            }
            Fault::Dead(state) => write!(f, "nothing leads away from state {state:?}"),
            Fault::NoEnd { state, event } => {
                write!(f, "it ends in state {state:?}, and event {event:?} leads away")
            }
            Fault::Unreachable(state) => write!(f, "nothing leads to state {state:?}"),
            Fault::Unused(event) => write!(f, "nothing happens on event {event:?} in any state"),
            Fault::TooMany(count) => {
                write!(f, "a machine has at most 255 states and 255 events, not {count}")
            }
        }
    }
}

impl<S: fmt::Debug, E: fmt::Debug> core::error::Error for Fault<S, E> {}

impl<S: Copy + PartialEq, E: Copy + PartialEq> Machine<S, E> {
    /// A machine that begins in this state.
    #[must_use]
    pub fn new(start: S) -> Machine<S, E> {
        Machine {
            states: vec![start],
            events: Vec::new(),
            transitions: Vec::new(),
            ends: Vec::new(),
            others_stay: false,
        }
    }

    /// Declares states, so that `check` finds a state without transitions; and fixes the order of
    /// their bytes.
    #[must_use]
    pub fn states(mut self, states: &[S]) -> Machine<S, E> {
        states.iter().for_each(|&state| mention(&mut self.states, state));
        self
    }

    /// Declares events, so that `check` finds an event without transitions; and fixes their
    /// priority, highest first.
    #[must_use]
    pub fn events(mut self, events: &[E]) -> Machine<S, E> {
        events.iter().for_each(|&event| mention(&mut self.events, event));
        self
    }

    /// In state `from`, `event` leads to state `to`. If `from` and `to` are the same state, the
    /// mind leaves it and enters it again.
    #[must_use]
    pub fn on(self, from: S, event: E, to: S) -> Machine<S, E> {
        self.define(from, event, Some(to))
    }

    /// In this state nothing happens on this event.
    #[must_use]
    pub fn stay(self, state: S, event: E) -> Machine<S, E> {
        self.define(state, event, None)
    }

    /// All pairs without a transition stay. Without this call, every pair needs a transition.
    #[must_use]
    pub fn others_stay(self) -> Machine<S, E> {
        Machine { others_stay: true, ..self }
    }

    /// Declares that no event leads away from this state.
    #[must_use]
    pub fn ends(mut self, state: S) -> Machine<S, E> {
        mention(&mut self.states, state);
        mention(&mut self.ends, state);
        self
    }

    fn define(mut self, from: S, event: E, to: Option<S>) -> Machine<S, E> {
        mention(&mut self.states, from);
        mention(&mut self.events, event);
        to.iter().for_each(|&to| mention(&mut self.states, to));
        self.transitions.push((from, event, to));
        self
    }

    /// The table, if the machine has no faults.
    ///
    /// # Errors
    ///
    /// The first of the [`faults`](Machine::faults).
    pub fn check(&self) -> Result<Table<S, E>, Fault<S, E>> {
        let mut faults = Vec::new();
        self.faults(&mut faults);
        match faults.first() {
            Some(&fault) => Err(fault),
            None => {
                let cells = self.cells().into_iter().map(|cell| cell.unwrap_or(STAY)).collect();
                Ok(Table { states: self.states.clone(), events: self.events.clone(), cells })
            }
        }
    }

    /// Writes all faults into `out`: contradictions, then gaps, then states (dead, unreachable),
    /// then events.
    pub fn faults(&self, out: &mut Vec<Fault<S, E>>) {
        out.clear();
        let most = self.states.len().max(self.events.len());
        if most > usize::from(STAY) {
            out.push(Fault::TooMany(most));
            return;
        }
        let cells = self.cells();
        self.contradictions(out);
        let pairs =
            || self.states.iter().flat_map(|&state| self.events.iter().map(move |&event| (state, event)));
        let gaps = pairs().zip(&cells).filter(|(_, cell)| cell.is_none() && !self.others_stay);
        // A final state stays on every event.
        let gaps = gaps.filter(|((state, _), _)| !self.ends.contains(state));
        out.extend(gaps.map(|((state, event), _)| Fault::Gap { state, event }));
        let reached = self.reached(&cells);
        for (&state, (row, reached)) in self.states.iter().zip(self.rows(&cells).zip(&reached)) {
            let leads_away = |cell: &Option<u8>| {
                cell.is_some_and(|to| to != STAY && self.states[usize::from(to)] != state)
            };
            let away = row.iter().position(leads_away);
            match (away, self.ends.contains(&state)) {
                (None, false) => out.push(Fault::Dead(state)),
                (Some(event), true) => out.push(Fault::NoEnd { state, event: self.events[event] }),
                _ => {}
            }
            if !reached {
                out.push(Fault::Unreachable(state));
            }
        }
        for (column, &event) in self.events.iter().enumerate() {
            let moves = |row: &[Option<u8>]| row[column].is_some_and(|to| to != STAY);
            if !self.rows(&cells).zip(&reached).any(|(row, reached)| *reached && moves(row)) {
                out.push(Fault::Unused(event));
            }
        }
    }

    fn contradictions(&self, out: &mut Vec<Fault<S, E>>) {
        for (k, &(state, event, to)) in self.transitions.iter().enumerate() {
            let first = self.transitions[..k].iter().find(|other| (other.0, other.1) == (state, event));
            let fault = Fault::Contradiction { state, event };
            if first.is_some_and(|first| first.2 != to) {
                out.push(fault);
            }
        }
    }

    /// Rows of cells, one for each state; rows are empty if the machine has no events.
    fn rows<'c>(&self, cells: &'c [Option<u8>]) -> impl Iterator<Item = &'c [Option<u8>]> + use<'c, S, E> {
        let width = self.events.len();
        (0..self.states.len()).map(move |row| &cells[row * width..(row + 1) * width])
    }

    /// Targets of events, row by row; `None` where undefined.
    fn cells(&self) -> Vec<Option<u8>> {
        let mut cells = vec![None; self.states.len() * self.events.len()];
        for (from, event, to) in &self.transitions {
            let index = |state: &S| index_of(&self.states, state);
            let (Some(row), Some(column)) = (index(from), index_of(&self.events, event)) else { continue };
            let to = to.as_ref().and_then(index).map_or(STAY, |to| to as u8);
            let cell = &mut cells[row * self.events.len() + column];
            // The first answer counts; a second one is a fault.
            *cell = cell.or(Some(to));
        }
        cells
    }

    /// For each state, whether events lead to it from the first state.
    fn reached(&self, cells: &[Option<u8>]) -> Vec<bool> {
        let mut reached = vec![false; self.states.len()];
        reached[0] = true;
        let mut open = vec![0];
        while let Some(state) = open.pop() {
            let row = &cells[state * self.events.len()..(state + 1) * self.events.len()];
            for to in row.iter().flatten().filter(|to| **to != STAY).map(|to| usize::from(*to)) {
                if !reached[to] {
                    reached[to] = true;
                    open.push(to);
                }
            }
        }
        reached
    }
}

fn mention<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn index_of<T: PartialEq>(list: &[T], item: &T) -> Option<usize> {
    list.iter().position(|its| its == item)
}

/// A checked machine: the target for each state and event. Shared by all units with this machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<S, E> {
    states: Vec<S>,
    events: Vec<E>,
    /// Row by row: the target's index, below 255, or 255 for [`STAY`].
    cells: Vec<u8>,
}

/// The state of one unit, as one byte. Keep a column of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mind(pub(super) u8);

impl Mind {
    /// The byte: the state's index in the order of the machine.
    #[must_use]
    pub fn byte(self) -> u8 {
        self.0
    }
}

/// Effect of an event on a mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<S> {
    /// The state before.
    pub from: S,
    /// The state now.
    pub to: S,
    /// Whether the mind left `from` and entered `to`; they may be the same state.
    pub moved: bool,
}

impl<S: Copy> Step<S> {
    /// The state that the mind left, if it moved: run its exit actions now.
    #[must_use]
    pub fn left(&self) -> Option<S> {
        self.moved.then_some(self.from)
    }

    /// The state that the mind entered, if it moved: run its entry actions now.
    #[must_use]
    pub fn entered(&self) -> Option<S> {
        self.moved.then_some(self.to)
    }
}

/// Reason why a mind was not moved. The mind is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MindError<E> {
    /// The mind belongs to another table: this one has no state with this byte.
    NoSuchState(u8),
    /// The table has no such event.
    NoSuchEvent(E),
}

impl<E: fmt::Debug> fmt::Display for MindError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MindError::NoSuchState(byte) => {
                write!(f, "the table has no state {byte}: the mind is of another one")
            }
            MindError::NoSuchEvent(event) => write!(f, "the table was never told of event {event:?}"),
        }
    }
}

impl<E: fmt::Debug> core::error::Error for MindError<E> {}

impl<S: Copy + PartialEq, E: Copy + PartialEq> Table<S, E> {
    /// A mind in the first state. This runs no entry actions.
    #[must_use]
    pub fn start(&self) -> Mind {
        Mind(0)
    }

    /// A mind in a state, if the table has it. This runs no entry actions.
    #[must_use]
    pub fn mind(&self, state: S) -> Option<Mind> {
        index_of(&self.states, &state).map(|row| Mind(row as u8))
    }

    /// A mind from its byte. This runs no entry actions.
    ///
    /// # Errors
    ///
    /// The table has no state with this byte.
    pub fn restore(&self, byte: u8) -> Result<Mind, MindError<E>> {
        self.state(Mind(byte)).map(|_| Mind(byte))
    }

    /// The state of a mind.
    ///
    /// # Errors
    ///
    /// The mind belongs to another table, which has more states.
    #[inline]
    pub fn state(&self, mind: Mind) -> Result<S, MindError<E>> {
        self.states.get(usize::from(mind.0)).copied().ok_or(MindError::NoSuchState(mind.0))
    }

    /// Sends an event to a mind.
    ///
    /// # Errors
    ///
    /// The table has no such event, or no state for this mind; the mind is unchanged.
    #[inline]
    pub fn step(&self, mind: &mut Mind, event: E) -> Result<Step<S>, MindError<E>> {
        let from = self.state(*mind)?;
        let column = index_of(&self.events, &event).ok_or(MindError::NoSuchEvent(event))?;
        Ok(self.go(mind, from, column))
    }

    /// Sends simultaneous events to a mind. The event of highest priority that moves the mind
    /// counts, and the others are dropped. Their order in `events` does not matter.
    ///
    /// # Errors
    ///
    /// The table has no such event, or no state for this mind; the mind is unchanged.
    pub fn step_first(&self, mind: &mut Mind, events: &[E]) -> Result<Step<S>, MindError<E>> {
        let from = self.state(*mind)?;
        let mut first = usize::MAX;
        for event in events {
            let column = index_of(&self.events, event).ok_or(MindError::NoSuchEvent(*event))?;
            if self.cells[self.cell(*mind, column)] != STAY {
                first = first.min(column);
            }
        }
        Ok(if first == usize::MAX {
            Step { from, to: from, moved: false }
        } else {
            self.go(mind, from, first)
        })
    }

    #[inline]
    fn cell(&self, mind: Mind, column: usize) -> usize {
        usize::from(mind.0) * self.events.len() + column
    }

    #[inline]
    fn go(&self, mind: &mut Mind, from: S, column: usize) -> Step<S> {
        let to = self.cells[self.cell(*mind, column)];
        if to == STAY {
            return Step { from, to: from, moved: false };
        }
        *mind = Mind(to);
        Step { from, to: self.states[usize::from(to)], moved: true }
    }

    /// The states, in the order of their bytes.
    #[must_use]
    pub fn states(&self) -> &[S] {
        &self.states
    }

    /// The events, in the order of their priority.
    #[must_use]
    pub fn events(&self) -> &[E] {
        &self.events
    }

    /// A hash of the table: of its transitions, not of the names of states and events.
    #[must_use]
    pub fn hash(&self) -> u64 {
        state::sum(|hash| {
            hash.word(self.states.len() as u32);
            hash.bytes(&self.cells);
        })
    }

    /// Writes minds of this table as an image; `out` is overwritten, its memory is reused.
    pub fn save_into(&self, minds: &[Mind], out: &mut Vec<u8>) {
        state::write(Kind::Minds, out, |to| {
            to.long(self.hash());
            to.word(minds.len() as u32);
            for four in minds.chunks(4) {
                let byte = |k: usize| four.get(k).map_or(0, |mind| mind.0);
                to.word(u32::from_le_bytes(core::array::from_fn(byte)));
            }
        });
    }

    /// Reads minds of this table from an image; `minds` is overwritten. This runs no entry or exit
    /// actions.
    ///
    /// # Errors
    ///
    /// The bytes are damaged, or hold minds of another table. `minds` is unchanged then.
    pub fn load(&self, image: &[u8], minds: &mut Vec<Mind>) -> Result<(), LoadError> {
        let bytes = state::read(Kind::Minds, image, |from| {
            if from.long()? != self.hash() {
                return Err(LoadError::Broken("minds are of the table that they are loaded for"));
            }
            Ok(from.bytes()?.to_vec())
        })?;
        if bytes.iter().any(|byte| usize::from(*byte) >= self.states.len()) {
            return Err(LoadError::Broken("a mind is in a state of its table"));
        }
        minds.clear();
        minds.extend(bytes.iter().map(|&byte| Mind(byte)));
        Ok(())
    }
}
