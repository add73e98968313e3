//! The walk of one question (best-first search): the next fan is always the most promising one.
//!
//! In: a question, and the trees of a forest in lanes. Out: the ids in whose boxes there may be an
//! answer, the most promising first. Called one question at a time by `Grid`, and several at a time
//! by `flight.rs`.
//!
//! A walk leaves the lanes only where it comes to entries, and comes back with what the exact tests
//! found. So the narrowphase is compiled once, and not for each instruction set.

use glam::IVec2;

use super::fan::{Fan, Fans, Question, ROWS};
use crate::math::min;
use crate::simd::{LANES, Lane, Level, Width, dispatch};

/// Trees of one walk. There are seldom more than two.
pub(super) const TREES: usize = LANES;

/// Opened fans whose boxes wait at a time.
const OPEN: usize = 16;

/// The bits of a key that are its slot, instead of the last ones of what it promises.
const SLOT: u32 = (OPEN * LANES - 1) as u32;

/// The bits of a key that are a promise: without a sign, for zero has two.
const PROMISE: u32 = !SLOT & (u32::MAX >> 1);

/// What keys are higher than promises, as bits: a key of 0 and a slot would be a subnormal number,
/// which threads of some games and sound engines read as 0.
const NORMAL: u32 = f32::MIN_POSITIVE.to_bits();

/// A greater promise counts as this one: no world is so large.
const FARTHEST: f32 = f32::MAX / 4.0;

/// The key of nothing.
pub(super) const NOTHING: Key = f32::INFINITY;

/// A waiting lane as one number: its promise, with the last bits replaced by its slot, so that the
/// least key is the most promising lane. The key is less than the promise at most by these bits.
/// (Numbers that are not below 0 have the same order as their bits.)
pub(super) type Key = f32;

/// The key of a lane.
#[inline(always)]
fn key(promise: f32, slot: usize) -> Key {
    let least = min(promise, FARTHEST);
    let key = f32::from_bits((least.to_bits() & PROMISE | slot as u32) + NORMAL);
    if promise < f32::INFINITY { key } else { NOTHING }
}

/// A lower bound for the promise of a key.
#[inline(always)]
fn promise_of(key: Key) -> f32 {
    f32::from_bits(key.to_bits().saturating_sub(NORMAL) & PROMISE)
}

#[inline(always)]
fn slot_of(key: Key) -> usize {
    (key.to_bits() & SLOT) as usize
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
    /// Where it waited; `OPEN` if that was on the stack.
    row: u32,
    /// There is none.
    pub(super) is_over: bool,
}

impl Pick {
    pub(super) const NONE: Pick = Pick { opened: Opened(0), lane: 0, row: 0, is_over: true };

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

/// Calls a walk's kernel with its two parts in lanes: one that asks a fan, and one that looks for
/// the least key of some rows. They are handed on by value: a call through a reference to a closure
/// is a function of its own, without the lanes (nearest shapes took 1.6 times as long).
macro_rules! in_lanes {
    ($lanes:ident, |$ask:ident, $least:ident| $body:expr) => {{
        let $ask = $crate::simd::inlined(
            #[inline(always)]
            |fan: &_, question: &_, bound: f32, promises: &mut [f32; LANES]| {
                let mut wanted = 0;
                for w in $lanes.each() {
                    wanted |= $crate::broadphase::fan::ask(w, fan, question, bound, promises);
                }
                wanted
            },
        );
        let $least = $crate::simd::inlined(
            #[inline(always)]
            |rows: &[[Key; LANES]]| {
                let mut least = [NOTHING; LANES];
                for w in $lanes.each() {
                    let of_all = rows.iter().fold(w.splat(NOTHING), |least, row| least.smaller(w.read(row)));
                    w.write(&mut least, of_all);
                }
                $crate::broadphase::best_first::least_of(&least)
            },
        );
        $body
    }};
}
pub(super) use in_lanes;

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
    keys: [[Key; LANES]; OPEN],
    rows: [Opened; OPEN],
    /// Rows in use.
    count: usize,
    /// Lanes for which there was no row: depth first, all of them before the rows go on.
    stack: [(Key, Opened); ROWS * LANES],
    depth: usize,
    question: Q,
    /// As seen from the region of the last fan.
    here: (IVec2, Q),
}

impl<'t, Q: Question> Walk<'t, Q> {
    pub(super) fn new(question: Q) -> Walk<'t, Q> {
        Walk {
            trees: [None; TREES],
            keys: [[NOTHING; LANES]; OPEN],
            rows: [Opened(0); OPEN],
            count: 0,
            stack: [(NOTHING, Opened(0)); ROWS * LANES],
            depth: 0,
            question,
            here: (IVec2::ZERO, question.seen_from(IVec2::ZERO)),
        }
    }

    /// Begins with a question, and all trees.
    #[inline]
    pub(super) fn restart(&mut self, question: Q, trees: &[Option<&'t Fans>; TREES]) {
        let region = self.here.0;
        (self.question, self.here) = (question, (region, question.seen_from(region)));
        (self.trees, self.count, self.depth) = (*trees, 0, 0);
    }

    /// Begins with the next trees, as many as there is room for. Returns whether these were all
    /// that are left.
    pub(super) fn begin(&mut self, trees: &mut impl Iterator<Item = &'t Fans>) -> bool {
        (self.trees, self.count, self.depth) = ([None; TREES], 0, 0);
        let mut tree = 0;
        while tree < TREES {
            let Some(fans) = trees.next() else { return true };
            if fans.root().is_some() {
                self.trees[tree] = Some(fans);
                tree += 1;
            }
        }
        false
    }

    /// The id of the next entry, the most promising first, as long as it promises no more than
    /// `bound`.
    pub(super) fn next(&mut self, level: Level, bound: f32) -> Option<u32> {
        dispatch!(level, lanes => in_lanes!(lanes, |ask, least| self.descend(bound, ask, least)))
    }

    #[inline(always)]
    fn descend(
        &mut self,
        bound: f32,
        ask: impl Fn(&Fan, &Q, f32, &mut [f32; LANES]) -> u8 + Copy,
        least: impl Fn(&[[Key; LANES]]) -> Key + Copy,
    ) -> Option<u32> {
        if self.count == 0 {
            self.open_roots(bound, ask);
        }
        loop {
            match self.pick(bound, least) {
                pick if pick.is_over => return None,
                pick if pick.opened.has_entries() => return self.id_of(pick),
                pick => self.open(pick, bound, ask),
            }
        }
    }

    /// Opens the roots of all trees, which no answer can spare: the first step of a walk.
    #[inline(always)]
    pub(super) fn open_roots(
        &mut self,
        bound: f32,
        ask: impl Fn(&Fan, &Q, f32, &mut [f32; LANES]) -> u8 + Copy,
    ) {
        self.keys[0] = [NOTHING; LANES];
        for tree in 0..TREES {
            let Some(fans) = self.trees[tree] else { break };
            let (row, root) = (self.count, fans.root().unwrap_or(0));
            _ = self.open_in(row, fans, (root, tree), bound, ask);
        }
        // A walk with nothing in it has begun, too.
        self.count = self.count.max(1);
    }

    /// Takes the most promising lane out; `is_over` where nothing promises enough.
    #[inline(always)]
    pub(super) fn pick(&mut self, bound: f32, least: impl Fn(&[[Key; LANES]]) -> Key + Copy) -> Pick {
        if self.depth > 0
            && let Some(pick) = self.pop(bound)
        {
            return pick;
        }
        let best = least(&self.keys[..self.count]);
        let slot = slot_of(best);
        let (row, lane) = (slot / LANES, slot % LANES);
        self.keys[row][lane] = NOTHING;
        let is_over = best == NOTHING || promise_of(best) > bound;
        Pick { opened: self.rows[row], lane: lane as u32, row: row as u32, is_over }
    }

    /// The next lane from the stack that promises enough.
    #[cold]
    fn pop(&mut self, bound: f32) -> Option<Pick> {
        while self.depth > 0 {
            self.depth -= 1;
            let (key, opened) = self.stack[self.depth];
            if key != NOTHING && promise_of(key) <= bound {
                return Some(Pick {
                    opened,
                    lane: (slot_of(key) % LANES) as u32,
                    row: OPEN as u32,
                    is_over: false,
                });
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
    pub(super) fn open(
        &mut self,
        pick: Pick,
        bound: f32,
        ask: impl Fn(&Fan, &Q, f32, &mut [f32; LANES]) -> u8 + Copy,
    ) {
        let tree = pick.opened.tree();
        let Some(fans) = self.trees[tree] else { return };
        let row = pick.row as usize;
        let is_free = self.keys.get(row).is_some_and(|keys| least_of(keys) == NOTHING);
        let to = match () {
            () if row >= OPEN => OPEN,
            () if is_free => row,
            () if self.count < OPEN => self.count,
            () => self.row_to_spare(bound),
        };
        let (opened, lanes, promises) = self.open_in(to, fans, (pick.index(), tree), bound, ask);
        if to >= OPEN {
            self.push(opened, lanes, &promises);
        }
    }

    /// Opens a fan into a row, or into none.
    #[inline(always)]
    fn open_in(
        &mut self,
        to: usize,
        fans: &Fans,
        (index, tree): (usize, usize),
        bound: f32,
        ask: impl Fn(&Fan, &Q, f32, &mut [f32; LANES]) -> u8 + Copy,
    ) -> (Opened, u8, [f32; LANES]) {
        let region = fans.region_of(index);
        if self.here.0 != region {
            self.here = (region, self.question.seen_from(region));
        }
        let mut promises = [0.0; LANES];
        let (fan, below, has_entries) = fans.at(index);
        let lanes = ask(fan, &self.here.1, bound, &mut promises);
        let opened = Opened::new(below, tree, has_entries);
        if to < OPEN {
            self.keys[to] = core::array::from_fn(|lane| key(promises[lane], to * LANES + lane));
            self.rows[to] = opened;
            self.count += usize::from(to == self.count && lanes != 0);
        }
        (opened, lanes, promises)
    }

    /// Puts lanes on the stack.
    #[cold]
    fn push(&mut self, opened: Opened, lanes: u8, promises: &[f32; LANES]) {
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 != 0) {
            self.stack[self.depth] = (key(promises[lane], lane), opened);
            self.depth += 1;
        }
    }

    /// A row in which nothing within a bound waits, or `OPEN`.
    #[cold]
    fn row_to_spare(&self, bound: f32) -> usize {
        let is_spare = |row: &[Key; LANES]| {
            let least = least_of(row);
            least == NOTHING || promise_of(least) > bound
        };
        (0..OPEN).find(|&row| is_spare(&self.keys[row])).unwrap_or(OPEN)
    }
}

#[inline(always)]
pub(super) fn least_of(row: &[Key; LANES]) -> Key {
    f32::from_bits(row.iter().fold(NOTHING.to_bits(), |least, key| least.min(key.to_bits())))
}
