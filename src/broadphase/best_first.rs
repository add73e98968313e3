//! The walk of one question: straight down first, then always to the most promising fan (best-first
//! search).
//!
//! In: a question, and the trees of a forest in lanes. Out: the ids in whose boxes there may be an
//! answer, the most promising first. Called one question at a time by `Grid`, and several at a time
//! by `flight.rs`.
//!
//! ```text
//!   fall   in all trees at once: of each opened fan the most promising child is opened next, down
//!          to the entries; the other children wait
//!   pick   the most promising of all that wait: an entry is visited, a fan is opened
//! ```
//!
//! Nearly all fans that a fall opens are opened by a best-first search, too. But it has no branch
//! that cannot be predicted, no search among what waits, and the trees do not wait for each other.
//!
//! A walk leaves the lanes only where it comes to entries, and comes back with what the exact tests
//! found. So the narrowphase is compiled once, and not for each instruction set.

use glam::IVec2;

use super::fan::{Fan, Fans, Question, promise_within};
use crate::math::min;
use crate::simd::{LANES, Lane, Level, Serial, Width, Widths, dispatch};

/// Trees of one walk. There are seldom more than two.
pub(super) const TREES: usize = LANES;

/// Opened fans whose boxes wait at a time.
const OPENED_FANS: usize = 16;

/// The bits of a key that are its slot, instead of the last ones of what it promises.
const SLOT: u32 = (OPENED_FANS * LANES - 1) as u32;

/// The least key, as bits: a key of 0 and a slot would be a subnormal number, which threads of some
/// games and sound engines read as 0.
const LEAST_KEY: f32 = f32::MIN_POSITIVE;

/// The key of nothing.
const NO_KEY: Key = f32::INFINITY;

/// A waiting lane as one number: its promise, with the last bits replaced by its slot, so that the
/// least key is the most promising lane. (Numbers that are not below 0 have the same order as their
/// bits.)
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

/// A lower bound for the promise of a key.
#[inline(always)]
fn promise_of(key: Key) -> f32 {
    let promise = f32::from_bits(key.to_bits() & !SLOT);
    if promise > LEAST_KEY { promise } else { 0.0 }
}

#[inline(always)]
fn slot_of(key: Key) -> usize {
    (key.to_bits() & SLOT) as usize
}

/// Asks a fan, and writes the keys of its lanes into a row. Returns the lanes that promise
/// something within a finite bound, a bit each.
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

/// The least key of some rows.
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

/// The least key of a row.
#[inline(always)]
fn least_in(lanes: impl Widths, row: &[Key; LANES]) -> Key {
    let mut least = NO_KEY;
    for w in lanes.each() {
        least = min(w.least(w.read(row)), least);
    }
    least
}

/// Takes a key out of its row. Returns whether others wait there. (Of a lane that is written alone,
/// the next read of all eight waits until it is in the cache.)
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

/// What the lanes of a row stand for, packed into one number, as a walk begins by clearing many of
/// them: the index of the fan over entries, or of the first of the fans below; which of the two it
/// is; and the number of the tree.
#[derive(Clone, Copy, Debug)]
struct Opened(u32);

impl Opened {
    /// Bits of the number of a fan: of two billion boxes there are fewer.
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

/// A lane that a walk goes on with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    opened: Opened,
    lane: u32,
    /// Where it waited; `OPENED_FANS` if that was on the stack.
    row: u32,
    /// Whether nothing else waits there.
    is_last: bool,
    /// There is none.
    pub(super) is_over: bool,
}

impl Pick {
    pub(super) const NONE: Pick = Pick { opened: Opened(0), lane: 0, row: 0, is_last: false, is_over: true };

    /// Whether it stands for an entry.
    #[inline(always)]
    pub(super) fn is_entry(self) -> bool {
        self.opened.has_entries()
    }

    /// The fan that it opens; of an entry the one that it is in.
    #[inline(always)]
    fn index(self) -> usize {
        self.opened.index() + if self.is_entry() { 0 } else { self.lane as usize }
    }
}

/// State of a walk (best-first search, branch and bound). It goes on with the most promising lane
/// of all trees, so no fan is opened and no entry tested that promises less than the answer. (Depth
/// first, the best child before the others: rays and casts tested twice as many entries.)
///
/// The lanes of opened fans wait where they were written, and the least of all keys is looked for
/// anew each time, eight at a time and without a branch. (In a binary heap each comparison is a
/// branch that cannot be predicted: nearest shapes took 1.4 to 1.5 times as long, and needed a
/// descent to a first bound beforehand. Searched four rows at a time, so that the loop is nearly
/// always as long as before: as long among 1,000 shapes, and no gain that can be told from noise
/// among 100,000.)
pub(super) struct Walk<'t, Q> {
    trees: [Option<&'t Fans>; TREES],
    keys: [[Key; LANES]; OPENED_FANS],
    rows: [Opened; OPENED_FANS],
    /// Rows in use.
    count: usize,
    /// Lanes for which there was no row: depth first, all of them before the rows go on.
    /// It is seldom needed, and an array is as long to clear as two fans to ask.
    stack: Vec<(Key, Opened)>,
    /// Of each tree the fan that a fall comes to next, and the trees in which it goes on, a bit
    /// each.
    next: [u32; TREES],
    falling: u8,
    question: Q,
    /// As seen from the region of the last fan.
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

    /// Begins with a question, and all trees.
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

    /// Begins with the next trees, as many as there is room for. Returns whether these were all
    /// that are left.
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

    /// The id of the next entry, the most promising first, as long as it promises no more than
    /// `bound`.
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

    /// Has fetched what a fall is about to open.
    #[inline(always)]
    pub(super) fn fetch_next(&self) {
        let mut rest = self.falling;
        while rest != 0 {
            let tree = rest.trailing_zeros() as usize % TREES;
            rest &= rest - 1;
            self.trees[tree].into_iter().for_each(|fans| fans.fetch(self.next[tree] as usize));
        }
    }

    /// Opens the next fan of each tree on the way down. Returns whether that goes on.
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

    /// Takes the most promising lane out; `is_over` where nothing promises enough.
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

    /// The next lane from the stack that promises enough.
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

    /// The id that an entry's lane stands for.
    #[inline]
    pub(super) fn id_of(&self, pick: Pick) -> Option<u32> {
        let fans = self.trees[pick.opened.tree()]?;
        Some(fans.id_at(pick.opened.index(), pick.lane as usize))
    }

    /// Has fetched what a pick is about to open.
    #[inline(always)]
    pub(super) fn fetch(&self, pick: Pick) {
        if let Some(fans) = self.trees[pick.opened.tree()] {
            fans.fetch(pick.index());
        }
    }

    /// Opens the fan that a lane stands for.
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

    /// Asks a fan. Returns what its lanes stand for, their keys in a row, and whether any waits.
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

    /// A row in which nothing within a bound waits, or `OPENED_FANS`.
    #[cold]
    fn row_to_spare(&self, bound: f32) -> usize {
        let is_spare = |row: &[Key; LANES]| {
            let least = least_in(Serial, row);
            least == NO_KEY || promise_of(least) > bound
        };
        (0..OPENED_FANS).find(|&row| is_spare(&self.keys[row])).unwrap_or(OPENED_FANS)
    }
}
