//! The walk of one query: straight down first, then always to the most promising fan (best-first
//! search).
//!
//! In: a query, and the trees of a forest in lanes. Out: the ids whose boxes may contain an answer,
//! the most promising first. Called one query at a time by `Grid`, and several at a time by
//! `flight.rs`.
//!
//! ```text
//!   fall   in all trees at once: of each opened fan the most promising child is opened next, down
//!          to the entries; the other children wait
//!   pick   the most promising of all that wait: an entry is visited, a fan is opened
//! ```
//!
//! A best-first search would open nearly all fans that a fall opens, too. But a fall has no branch
//! that cannot be predicted, no search for the best waiting lane, and the trees do not wait for
//! each other.
//!
//! A walk leaves the SIMD code only where it comes to entries, and comes back with the result of
//! the exact tests. So the narrowphase is compiled once, and not for each instruction set.

use glam::IVec2;

use super::fan::{Fan, Fans, Question, promise_within};
use crate::math::min;
use crate::simd::{LANES, Lane, Level, Serial, Width, Widths, dispatch};

/// The most trees of one walk. There are seldom more than two.
pub(super) const TREES: usize = LANES;

/// The most opened fans whose boxes wait at a time.
const OPENED_FANS: usize = 16;

/// The bits of a key that hold its slot, in place of the last bits of the promise.
const SLOT: u32 = (OPENED_FANS * LANES - 1) as u32;

/// The least key, as bits. A key of 0 and a slot would be a subnormal number, which threads of some
/// games and sound engines read as 0.
const LEAST_KEY: f32 = f32::MIN_POSITIVE;

/// The key of an empty lane.
const NO_KEY: Key = f32::INFINITY;

/// A waiting lane as one number: its promise, with the last bits replaced by its slot, so that the
/// least key is the most promising lane. (Floats of at least 0 have the same order as their bits.)
type Key = f32;

/// The slots of all rows, as bits.
static SLOTS: [[f32; LANES]; OPENED_FANS] = {
    let mut slots = [[0.0; LANES]; OPENED_FANS];
    let mut slot = 0;
    while slot < OPENED_FANS * LANES {
        slots[slot / LANES][slot % LANES] = f32::from_bits(slot as u32);
        slot += 1;
    }
    slots
};

/// Returns a lower bound of the promise of a key.
#[inline(always)]
fn promise_of(key: Key) -> f32 {
    let promise = f32::from_bits(key.to_bits() & !SLOT);
    if promise > LEAST_KEY { promise } else { 0.0 }
}

#[inline(always)]
fn slot_of(key: Key) -> usize {
    (key.to_bits() & SLOT) as usize
}

/// Tests a fan and writes the keys of its lanes into a row. Returns a bit for each lane whose
/// promise is within a finite bound.
#[inline(always)]
fn ask_row(
    lanes: impl Widths,
    (fan, question): (&Fan, &impl Question),
    bound: f32,
    (row, keys): (usize, &mut [Key; LANES]),
) -> u8 {
    let mut all_wanted = 0;
    for w in lanes.each() {
        let (promise, wanted) = promise_within(w, fan, question, bound);
        let key = promise
            .larger_bound(w.splat(LEAST_KEY))
            .and_bits(!SLOT)
            .or_bits(w.read(&SLOTS[row % OPENED_FANS]));
        w.write(keys, Lane::select(wanted, key, w.splat(NO_KEY)));
        all_wanted |= w.bits(wanted);
    }
    all_wanted
}

/// Returns the least key of some rows.
#[inline(always)]
fn least_of(lanes: impl Widths, rows: &[[Key; LANES]]) -> Key {
    let mut least = NO_KEY;
    for w in lanes.each() {
        let mut of_all = w.splat(NO_KEY);
        for row in rows {
            of_all = of_all.smaller_bound(w.read(row));
        }
        least = min(least, w.least(of_all));
    }
    least
}

/// Returns the least key of a row.
#[inline(always)]
fn least_in(lanes: impl Widths, row: &[Key; LANES]) -> Key {
    let mut least = NO_KEY;
    for w in lanes.each() {
        least = min(w.least(w.read(row)), least);
    }
    least
}

/// Takes a key out of its row. Returns whether others wait there. It writes all eight lanes: after
/// a write of one lane, the next read of all eight would wait until that is in the cache.
#[inline(always)]
fn take_out(lanes: impl Widths, row: &mut [Key; LANES], key: Key) -> bool {
    let mut others = 0;
    for w in lanes.each() {
        let keys = w.read(row);
        let rest = Lane::select(keys.eq(w.splat(key)), w.splat(NO_KEY), keys);
        w.write(row, rest);
        others |= w.bits(rest.lt(w.splat(NO_KEY)));
    }
    others != 0
}

/// The fan behind a row of lanes, packed into one number, since a walk begins by clearing many
/// rows: the index of the fan over entries, or of the first fan below; which of the two it is; and
/// the number of the tree.
#[derive(Clone, Copy, Debug)]
struct Opened(u32);

impl Opened {
    /// Bits of the index of a fan: two billion boxes have fewer.
    const INDEX: u32 = 28;

    #[inline(always)]
    fn new(index: u32, tree: usize, has_entries: bool) -> Opened {
        Opened(u32::from(has_entries) << 31 | (tree as u32) << Opened::INDEX | index)
    }

    #[inline(always)]
    fn index(self) -> usize {
        (self.0 & ((1 << Opened::INDEX) - 1)) as usize
    }

    #[inline(always)]
    fn tree(self) -> usize {
        (self.0 >> Opened::INDEX) as usize % TREES
    }

    #[inline(always)]
    fn has_entries(self) -> bool {
        self.0 >> 31 != 0
    }
}

/// The lane that a walk continues with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    opened: Opened,
    lane: u32,
    /// The row in which it waited; `OPENED_FANS` for the stack.
    row: u32,
    /// Whether nothing else waits in that row.
    is_last: bool,
    /// There is no such lane: the walk is over.
    pub(super) is_over: bool,
}

impl Pick {
    pub(super) const NONE: Pick = Pick { opened: Opened(0), lane: 0, row: 0, is_last: false, is_over: true };

    /// Whether it is an entry.
    #[inline(always)]
    pub(super) fn is_entry(self) -> bool {
        self.opened.has_entries()
    }

    /// Returns the index of the fan to open; for an entry, of the fan that contains it.
    #[inline(always)]
    fn index(self) -> usize {
        self.opened.index() + if self.is_entry() { 0 } else { self.lane as usize }
    }
}

/// State of a walk (best-first search, branch and bound). It continues with the most promising lane
/// of all trees, so it opens no fan and tests no entry whose promise is above the answer. (Tried:
/// depth first, the best child before the others: rays and casts tested twice as many entries.)
///
/// The lanes of opened fans wait where they were written. The walk looks for the least of all keys
/// each time, eight at a time and without a branch. (Tried: in a binary heap each comparison is a
/// branch that cannot be predicted: nearest shapes took 1.4 to 1.5 times as long, and needed a
/// descent to a first bound beforehand. Searching four rows at a time, so that the loop nearly
/// always has the same length: the same time among 1,000 shapes, and no gain above noise among
/// 100,000.)
pub(super) struct Walk<'t, Q> {
    trees: [Option<&'t Fans>; TREES],
    keys: [[Key; LANES]; OPENED_FANS],
    rows: [Opened; OPENED_FANS],
    /// Rows in use.
    count: usize,
    /// Lanes for which there was no row: depth first, all of them before the rows are used again.
    /// It is seldom needed, and clearing an array would take as long as testing two fans.
    stack: Vec<(Key, Opened)>,
    /// For each tree the next fan of its fall; and a bit for each tree that is still falling.
    next: [u32; TREES],
    falling: u8,
    question: Q,
    /// The query relative to the region of the last fan.
    here: (IVec2, Q),
}

impl<'t, Q: Question> Walk<'t, Q> {
    pub(super) fn new(question: Q) -> Walk<'t, Q> {
        Walk {
            trees: [None; TREES],
            keys: [[NO_KEY; LANES]; OPENED_FANS],
            rows: [Opened(0); OPENED_FANS],
            count: 0,
            stack: Vec::new(),
            next: [0; TREES],
            falling: 0,
            question,
            here: (IVec2::ZERO, question.seen_from(IVec2::ZERO)),
        }
    }

    /// Begins with a query and all trees.
    #[inline]
    pub(super) fn restart(&mut self, question: Q, trees: &[Option<&'t Fans>; TREES]) {
        let region = self.here.0;
        (self.question, self.here) = (question, (region, question.seen_from(region)));
        (self.trees, self.count, self.falling) = (*trees, 0, 0);
        self.stack.clear();
        for (tree, fans) in self.trees.iter().flatten().enumerate() {
            self.next[tree] = fans.root().unwrap_or(0) as u32;
            self.falling |= 1 << tree;
        }
    }

    /// Begins with the next trees, as many as there is room for. Returns whether no tree is left
    /// after them.
    #[inline]
    pub(super) fn begin(&mut self, trees: &mut impl Iterator<Item = &'t Fans>) -> bool {
        (self.trees, self.count, self.falling) = ([None; TREES], 0, 0);
        self.stack.clear();
        let mut tree = 0;
        while tree < TREES {
            let Some(fans) = trees.next() else { return true };
            if let Some(root) = fans.root() {
                (self.trees[tree], self.next[tree]) = (Some(fans), root as u32);
                self.falling |= 1 << tree;
                tree += 1;
            }
        }
        false
    }

    /// Returns the id of the next entry, the most promising first, while its promise is within
    /// `bound`. A promise is a lower bound of the answer, so the least is the best.
    pub(super) fn next(&mut self, level: Level, bound: f32) -> Option<u32> {
        dispatch!(level, lanes => self.descend(lanes, bound))
    }

    #[inline(always)]
    fn descend(&mut self, lanes: impl Widths, bound: f32) -> Option<u32> {
        while self.fall(lanes, bound) {}
        loop {
            match self.pick(lanes, bound) {
                pick if pick.is_over => return None,
                pick if pick.is_entry() => return self.id_of(pick),
                pick => self.open(lanes, pick, bound),
            }
        }
    }

    /// Prefetches the fans that a fall opens next.
    #[inline(always)]
    pub(super) fn fetch_next(&self) {
        let mut rest = self.falling;
        while rest != 0 {
            let tree = rest.trailing_zeros() as usize % TREES;
            rest &= rest - 1;
            self.trees[tree].into_iter().for_each(|fans| fans.fetch(self.next[tree] as usize));
        }
    }

    /// Opens the next fan of each tree on the way down. Returns whether a tree is still falling.
    #[inline(always)]
    pub(super) fn fall(&mut self, lanes: impl Widths, bound: f32) -> bool {
        let mut rest = core::mem::take(&mut self.falling);
        // Each tree takes a row at most, now and the next time.
        let is_room = self.count + 2 * rest.count_ones() as usize <= OPENED_FANS;
        while rest != 0 {
            let tree = rest.trailing_zeros() as usize % TREES;
            rest &= rest - 1;
            let Some(fans) = self.trees[tree] else { continue };
            let row = self.count % OPENED_FANS;
            let at = (self.next[tree] as usize, tree);
            let (opened, mut keys, mut others) = self.ask(lanes, row, fans, at, bound);
            if is_room && others && !opened.has_entries() {
                let least = least_in(lanes, &keys);
                others = take_out(lanes, &mut keys, least);
                self.next[tree] = (opened.index() + slot_of(least) % LANES) as u32;
                self.falling |= 1 << tree;
            }
            if opened.has_entries() {
                fans.fetch_ids(opened.index());
            }
            (self.keys[row], self.rows[row]) = (keys, opened);
            self.count = row + usize::from(others);
        }
        self.falling != 0
    }

    /// Takes out the most promising lane; `is_over` if no promise is within the bound.
    #[inline(always)]
    pub(super) fn pick(&mut self, lanes: impl Widths, bound: f32) -> Pick {
        if !self.stack.is_empty()
            && let Some(pick) = self.pop(bound)
        {
            return pick;
        }
        let best = least_of(lanes, &self.keys[..self.count.min(OPENED_FANS)]);
        let slot = slot_of(best);
        let (row, lane) = (slot / LANES, slot % LANES);
        let is_last = !take_out(lanes, &mut self.keys[row], best);
        let is_over = best == NO_KEY || promise_of(best) > bound;
        Pick { opened: self.rows[row], lane: lane as u32, row: row as u32, is_last, is_over }
    }

    /// Takes the next lane from the stack whose promise is within the bound.
    #[cold]
    fn pop(&mut self, bound: f32) -> Option<Pick> {
        while let Some((key, opened)) = self.stack.pop() {
            if key != NO_KEY && promise_of(key) <= bound {
                let lane = (slot_of(key) % LANES) as u32;
                return Some(Pick { opened, lane, row: OPENED_FANS as u32, is_last: false, is_over: false });
            }
        }
        None
    }

    /// Returns the id of an entry.
    #[inline]
    pub(super) fn id_of(&self, pick: Pick) -> Option<u32> {
        let fans = self.trees[pick.opened.tree()]?;
        Some(fans.id_at(pick.opened.index(), pick.lane as usize))
    }

    /// Prefetches the fan that a pick opens.
    #[inline(always)]
    pub(super) fn fetch(&self, pick: Pick) {
        if let Some(fans) = self.trees[pick.opened.tree()] {
            fans.fetch(pick.index());
        }
    }

    /// Opens the fan of a lane.
    #[inline(always)]
    pub(super) fn open(&mut self, lanes: impl Widths, pick: Pick, bound: f32) {
        let tree = pick.opened.tree();
        let Some(fans) = self.trees[tree] else { return };
        let to = match () {
            () if pick.row as usize >= OPENED_FANS => OPENED_FANS,
            () if pick.is_last => pick.row as usize,
            () if self.count < OPENED_FANS => self.count,
            () => self.row_to_spare(bound),
        };
        if to >= OPENED_FANS {
            return self.open_onto_stack(fans, (pick.index(), tree), bound);
        }
        let (opened, keys, others) = self.ask(lanes, to, fans, (pick.index(), tree), bound);
        (self.keys[to], self.rows[to]) = (keys, opened);
        self.count += usize::from(to == self.count && others);
    }

    /// Tests a fan. Returns the fan behind its lanes, their keys in a row, and whether any waits.
    #[inline(always)]
    fn ask(
        &mut self,
        lanes: impl Widths,
        row: usize,
        fans: &Fans,
        (index, tree): (usize, usize),
        bound: f32,
    ) -> (Opened, [Key; LANES], bool) {
        let region = fans.region_of(index);
        if self.here.0 != region {
            self.here = (region, self.question.seen_from(region));
        }
        let (fan, below, has_entries) = fans.at(index);
        let mut keys = [NO_KEY; LANES];
        let wanted = ask_row(lanes, (fan, &self.here.1), min(bound, f32::MAX), (row, &mut keys));
        (Opened::new(below, tree, has_entries), keys, wanted != 0)
    }

    /// Opens a fan for which there is no row.
    #[cold]
    fn open_onto_stack(&mut self, fans: &Fans, (index, tree): (usize, usize), bound: f32) {
        let seen = self.question.seen_from(fans.region_of(index));
        let (fan, below, has_entries) = fans.at(index);
        let mut keys = [NO_KEY; LANES];
        let wanted = ask_row(Serial, (fan, &seen), min(bound, f32::MAX), (0, &mut keys));
        for key in (0..LANES).filter(|lane| wanted >> lane & 1 != 0).map(|lane| keys[lane]) {
            self.stack.push((key, Opened::new(below, tree, has_entries)));
        }
    }

    /// Returns a row in which no lane is within a bound, or `OPENED_FANS`.
    #[cold]
    fn row_to_spare(&self, bound: f32) -> usize {
        let is_spare = |row: &[Key; LANES]| {
            let least = least_in(Serial, row);
            least == NO_KEY || promise_of(least) > bound
        };
        (0..OPENED_FANS).find(|&row| is_spare(&self.keys[row])).unwrap_or(OPENED_FANS)
    }
}
