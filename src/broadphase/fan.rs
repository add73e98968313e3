//! Fans: queries to eight boxes at a time. A fan is a node of a wide bounding volume hierarchy
//! (BVH8).
//!
//! In: a query that computes a promise for a box (a lower bound of its answer there), and the trees
//! of a forest. Out: the ids whose boxes may contain an answer. The step has its own searches,
//! which need exact overlaps; here a box may be a little too large, and the exact test after it
//! decides.
//!
//! ```text
//!   a fan     left   l0 l1 l2 l3 l4 l5 l6 l7        the sides of eight boxes, each side in a register:
//!             below  b0 b1 …                        one fan is asked in the time of three boxes
//!             right  r0 r1 …
//!             above  a0 a1 …
//!   of a tree: fans over entries first, then those over fans, row by row, the root last
//! ```
//!
//! A fan is two cache lines and nothing else: its children are looked up only if one of its boxes
//! may contain an answer, and regions only where a tree lies in several.
//!
//! Walks that visit the most promising entries first are in `best_first.rs`.

use glam::IVec2;

use super::WorldAabb;
use crate::simd::{LANES, Lane, Level, OneLane, Width, Widths, dispatch};

/// The id of a lane without an entry.
pub(super) const NO_ID: u32 = u32::MAX;

/// The sides of a lane without a box: nothing begins at infinity.
const NO_SIDES: [f32; 4] = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

/// A query, as the trees see it.
pub(crate) trait Question: Copy {
    /// Whether the query promises nothing for a lane without a box, which begins and ends at
    /// infinity.
    const KNOWS_EMPTY: bool = false;

    /// Returns the greatest promise that matters.
    #[inline]
    fn most(&self) -> f32 {
        f32::INFINITY
    }

    /// Returns the query in metres from the centre of another region, rounded outward: it accepts
    /// every box in the other region that it accepts here.
    fn seen_from(&self, region: IVec2) -> Self;

    /// Returns a lower bound of the answer in boxes, given by their left, lower, right and upper
    /// sides; infinite if there is none. A box inside another one has no lower bound than that one.
    fn promise<W: Width>(&self, w: W, sides: [W::L; 4]) -> W::L;

    /// Returns the [`promise`](Question::promise) of one box.
    #[inline]
    fn promise_of(&self, aabb: &WorldAabb) -> f32 {
        let (low, high) = (aabb.aabb.min, aabb.aabb.max);
        self.seen_from(aabb.region).promise(OneLane(0), [low.x, low.y, high.x, high.y])
    }
}

/// The sides of eight boxes of a tree: left, lower, right, upper.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Fan([[f32; LANES]; 4]);

impl Fan {
    const NONE: Fan =
        Fan([[NO_SIDES[0]; LANES], [NO_SIDES[1]; LANES], [NO_SIDES[2]; LANES], [NO_SIDES[3]; LANES]]);

    /// Returns the left, lower, right and upper sides.
    #[inline(always)]
    pub(super) fn sides(&self) -> &[[f32; LANES]; 4] {
        &self.0
    }
}

/// The ids of eight entries.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
struct Ids([u32; LANES]);

/// A tree in lanes.
#[derive(Debug, Default)]
pub(super) struct Fans {
    /// A fan for each node: first the fans over entries, then the rows above, up to the root.
    fans: Vec<Fan>,
    /// The ids of each fan over entries.
    ids: Vec<Ids>,
    /// For a fan over entries its own index, for each other fan the index of its first child.
    below: Vec<u32>,
    /// The region from whose centre the sides of each fan are measured.
    regions: Vec<IVec2>,
    /// The region of all fans that have a box, unless they are in several (`is_mixed`).
    region: IVec2,
    is_mixed: bool,
}

crate::state::clone_by_field! { Fans { fans, ids, below, regions, region, is_mixed } }

impl Fans {
    /// Becomes fans without boxes over these ids; the first fans are in `region`.
    pub(super) fn lay(&mut self, ids: impl ExactSizeIterator<Item = u32>, region: IVec2) {
        let leaves = ids.len().div_ceil(LANES);
        self.ids.clear();
        self.ids.resize(leaves, Ids([NO_ID; LANES]));
        ids.enumerate().for_each(|(k, id)| self.ids[k / LANES].0[k % LANES] = id);
        self.below.clear();
        self.below.extend(0..leaves as u32);
        let (mut start, mut row) = (0, leaves);
        while row > 1 {
            self.below.extend((0..row).step_by(LANES).map(|index| (start + index) as u32));
            (start, row) = (start + row, row.div_ceil(LANES));
        }
        let count = self.below.len();
        self.fans.clear();
        self.fans.resize(count, Fan::NONE);
        self.regions.clear();
        self.regions.resize(count, region);
        (self.region, self.is_mixed) = (region, false);
    }

    /// Gives a fan its boxes, relative to a region.
    pub(super) fn set<'a>(
        &mut self,
        index: usize,
        region: IVec2,
        boxes: impl Iterator<Item = &'a WorldAabb>,
    ) {
        let mut lanes = [NO_SIDES; LANES];
        let mut any = false;
        for (lane, aabb) in lanes.iter_mut().zip(boxes) {
            let seen = aabb.relative_to(region);
            any |= seen.min.x < f32::INFINITY;
            *lane = [seen.min.x, seen.min.y, seen.max.x, seen.max.y];
        }
        self.fans[index] = Fan(core::array::from_fn(|side| lanes.map(|lane| lane[side])));
        self.regions[index] = region;
        self.is_mixed |= any && region != self.region;
    }

    /// Removes the box of an entry.
    pub(super) fn clear(&mut self, slot: usize) {
        let (index, lane) = (slot / LANES, slot % LANES);
        for (side, empty) in self.fans[index].0.iter_mut().zip(NO_SIDES) {
            side[lane] = empty;
        }
        self.ids[index].0[lane] = NO_ID;
    }

    #[inline(always)]
    pub(super) fn region_of(&self, index: usize) -> IVec2 {
        if self.is_mixed { self.regions[index] } else { self.region }
    }

    /// Returns the index of the root.
    pub(super) fn root(&self) -> Option<usize> {
        self.fans.len().checked_sub(1)
    }

    /// Returns a fan; the index of its first child, or its own if it is over entries; and whether
    /// it is over entries.
    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> (&Fan, u32, bool) {
        (&self.fans[index], self.below[index], index < self.ids.len())
    }

    /// Returns the id of a lane of a fan over entries.
    #[inline]
    pub(super) fn id_at(&self, index: usize, lane: usize) -> u32 {
        self.ids[index].0[lane]
    }

    /// Prefetches a fan: when it is opened, its two cache lines are near.
    #[inline(always)]
    pub(super) fn fetch(&self, index: usize) {
        if let Some(Fan([left, _, right, _])) = self.fans.get(index) {
            core::hint::black_box((left[0], right[0]));
        }
    }

    /// Prefetches the ids below a fan over entries.
    #[inline(always)]
    pub(super) fn fetch_ids(&self, index: usize) {
        if let Some(Ids([first, ..])) = self.ids.get(index) {
            core::hint::black_box(*first);
        }
    }
}

/// Rows of a tree over 2^32 entries.
pub(super) const TREE_ROWS: usize = 11;

/// The number of ids that are handed on together.
const BATCH: usize = 32;

/// Room for fans that wait; a power of two. A walk needs `TREE_ROWS * LANES`.
const WAITING_FANS: usize = (TREE_ROWS * LANES + LANES).next_power_of_two();

/// A walk over all entries that promise an answer, in the order of the trees.
pub(super) struct Sieve<'t, Q, T> {
    /// The trees to come.
    trees: T,
    tree: Option<&'t Fans>,
    /// Fans of the tree that wait.
    waiting: [u32; WAITING_FANS],
    depth: usize,
    /// The fan that is opened next.
    at: usize,
    found: [(u32, f32); BATCH],
    count: usize,
    pub(super) question: Q,
    here: (IVec2, Q),
}

impl<'t, Q: Question, T: Iterator<Item = &'t Fans>> Sieve<'t, Q, T> {
    /// Makes a sieve at the beginning of a walk.
    pub(super) fn new(question: Q, trees: T) -> Sieve<'t, Q, T> {
        Sieve {
            trees,
            tree: None,
            waiting: [0; WAITING_FANS],
            depth: 0,
            at: 0,
            found: [(0, 0.0); BATCH],
            count: 0,
            question,
            here: (IVec2::ZERO, question.seen_from(IVec2::ZERO)),
        }
    }

    /// Begins with another query.
    #[inline]
    pub(super) fn restart(&mut self, question: Q, trees: T) {
        let region = self.here.0;
        (self.question, self.here) = (question, (region, question.seen_from(region)));
        (self.trees, self.tree, self.depth, self.count) = (trees, None, 0, 0);
    }

    /// Returns the ids that were found last, with their promises.
    #[inline]
    pub(super) fn found(&self) -> &[(u32, f32)] {
        &self.found[..self.count]
    }

    /// Looks for the next ids. Returns whether there are any.
    pub(super) fn next(&mut self, level: Level) -> bool {
        self.count = 0;
        dispatch!(level, lanes => while self.pick() {
            self.open(lanes);
        });
        self.count > 0
    }

    /// Takes the next fan, if there is one, and room for its entries.
    #[inline(always)]
    pub(super) fn pick(&mut self) -> bool {
        if self.count + LANES > BATCH {
            return false;
        }
        if self.depth > 0 {
            self.depth -= 1;
            self.at = self.waiting[self.depth % WAITING_FANS] as usize;
            return true;
        }
        for tree in self.trees.by_ref() {
            if let Some(root) = tree.root() {
                (self.tree, self.at) = (Some(tree), root);
                return true;
            }
        }
        false
    }

    /// Prefetches the fan that is opened next.
    #[inline(always)]
    pub(super) fn fetch(&self) {
        self.tree.into_iter().for_each(|tree| tree.fetch(self.at));
    }

    /// Opens the fan: its children wait, or its entries are found.
    #[inline(always)]
    pub(super) fn open(&mut self, lanes: impl Widths) {
        let (Some(tree), index) = (self.tree, self.at) else { return };
        let region = tree.region_of(index);
        if self.here.0 != region {
            self.here = (region, self.question.seen_from(region));
        }
        let mut promises = [0.0; LANES];
        let mut lanes = ask(lanes, &tree.fans[index], &self.here.1, &mut promises);
        if lanes == 0 {
            return;
        }
        if let Some(ids) = tree.ids.get(index) {
            let mut count = self.count;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                lanes &= lanes - 1;
                self.found[count % BATCH] = (ids.0[lane], promises[lane]);
                count += 1;
            }
            self.count = count;
        } else {
            // (Tried: all eight written, and the depth increased by the number of wanted ones,
            // without a branch: 1.3 times the instructions, and among 1,000 shapes 1.1 times as
            // long.)
            let (first, mut depth) = (tree.below[index], self.depth);
            while lanes != 0 {
                self.waiting[depth % WAITING_FANS] = first + lanes.trailing_zeros();
                lanes &= lanes - 1;
                depth += 1;
            }
            self.depth = depth;
        }
    }
}

/// Returns a bit for each lane that promises an answer, and writes the promises.
#[inline(always)]
fn ask(lanes: impl Widths, fan: &Fan, question: &impl Question, promises: &mut [f32; LANES]) -> u8 {
    let mut all_wanted = 0;
    for w in lanes.each() {
        let (promise, wanted) = promise_within(w, fan, question, f32::MAX);
        w.write(promises, promise);
        all_wanted |= w.bits(wanted);
    }
    all_wanted
}

/// Returns the promises of the boxes of a fan, and which of them are within a finite bound.
#[inline(always)]
pub(super) fn promise_within<W: Width, Q: Question>(
    w: W,
    fan: &Fan,
    question: &Q,
    bound: f32,
) -> (W::L, <W::L as Lane>::Mask) {
    let [left, below, right, above] = &fan.0;
    let promise = question.promise(w, [w.read(left), w.read(below), w.read(right), w.read(above)]);
    let wanted = promise.le(w.splat(bound));
    if Q::KNOWS_EMPTY {
        return (promise, wanted);
    }
    // A lane without a box would promise as much as any other to an infinite query.
    (promise, wanted & w.read(left).lt(w.splat(f32::INFINITY)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::broadphase::{Activity, Grid};
    use crate::math::min;
    use crate::simd::Lanes;
    use glam::Vec2;

    /// The distance of boxes along x, at most `reach`.
    #[derive(Clone, Copy)]
    struct Along {
        here: WorldAabb,
        reach: f32,
    }

    impl Question for Along {
        fn seen_from(&self, region: IVec2) -> Along {
            Along { here: WorldAabb { region, aabb: self.here.relative_to(region) }, ..*self }
        }

        #[inline(always)]
        fn promise<W: Width>(&self, w: W, [left, _, right, _]: [W::L; 4]) -> W::L {
            let Aabb { min, max } = self.here.aabb;
            let gap = (left - w.splat(max.x)).larger(w.splat(min.x) - right).larger(w.splat(0.0));
            Lane::select(gap.le(w.splat(self.reach)), gap, w.splat(f32::INFINITY))
        }
    }

    /// A third of the boxes stays, a third moves, a third is removed, in four regions and several
    /// trees; one box reaches to infinity.
    fn grid(lanes: Lanes) -> Grid {
        let mut grid = Grid::new();
        grid.set_lanes(lanes);
        let aabb = |id: u32, by: f32| {
            let low = Vec2::new((id * 37 % 1_500) as f32 - 250.0 + by, (id * 53 % 900) as f32);
            let region = IVec2::new((id % 2) as i32, (id / 2 % 2) as i32);
            WorldAabb { region, aabb: Aabb { min: low, max: low + Vec2::splat(1.5) } }
        };
        let mut next = 0;
        for count in [2_000, 300, 45, 7] {
            for id in next..next + count {
                grid.insert(id, aabb(id, 0.0), [Activity::Active, Activity::Resting][id as usize / 3 % 2]);
            }
            next += count;
            grid.find_pairs();
        }
        grid.refresh();
        for id in (0..next).filter(|id| id % 3 > 0) {
            if id % 3 == 1 { grid.update(id, aabb(id, 90.0)) } else { _ = grid.remove(id) }
        }
        let wall = Aabb { min: Vec2::new(2_900.0, f32::NEG_INFINITY), max: Vec2::INFINITY };
        grid.insert(next, wall, Activity::Resting);
        grid
    }

    #[test]
    fn walks_find_what_one_by_one_is_found_in_all_lanes() {
        let mut all_grids: Vec<Grid> = Lanes::all().into_iter().map(grid).collect();
        for is_fresh in [false, true] {
            all_grids.iter_mut().filter(|_| is_fresh).for_each(Grid::refresh);
            for (k, reach) in [0.0, 3.0, 40.0, 3_000.0].into_iter().enumerate() {
                let region = IVec2::new(k as i32 % 2, 0);
                let at = Vec2::new(200.0 * k as f32 - 100.0, 0.0);
                let question = Along { here: WorldAabb { region, aabb: Aabb::around_point(at) }, reach };
                for grid in &all_grids {
                    let promise =
                        |id: u32| grid.aabb(id).map_or(f32::INFINITY, |it| question.promise_of(&it));
                    let mut found = Vec::new();
                    grid.ask(&question, |id, _| found.push(id));
                    found.sort_unstable();
                    let wanted = |&id: &u32| promise(id) < f32::INFINITY;
                    let expected: Vec<u32> = (0..2_353).filter(wanted).collect();
                    assert_eq!(found, expected, "{} {reach}", grid.lanes());
                    // Without a bound, more lanes wait than there is room for.
                    found.clear();
                    grid.ask_any(&question, |id| {
                        found.push(id);
                        true
                    });
                    found.sort_unstable();
                    assert_eq!(found, expected, "{} {reach}", grid.lanes());
                    let mut nearest = f32::INFINITY;
                    grid.ask_nearest(&question, |id| {
                        nearest = min(nearest, promise(id));
                        nearest
                    });
                    let best = expected.iter().map(|&id| promise(id)).fold(f32::INFINITY, min);
                    assert_eq!(nearest, best, "{} {reach}", grid.lanes());
                }
            }
        }
    }

    /// Walks over many boxes: all answers of several queries, alone and together, among so many
    /// boxes that several walk at a time.
    #[test]
    fn many_questions_find_what_each_finds_alone() {
        for mut grid in Lanes::all().into_iter().map(grid) {
            let base = 2_353;
            for k in 0..15_000 {
                let low = Vec2::new((k % 150) as f32 * 9.0 - 300.0, (k / 150) as f32 * 9.0);
                let aabb = Aabb { min: low, max: low + Vec2::splat(1.0) };
                grid.insert(base + k, aabb, [Activity::Active, Activity::Resting][k as usize % 2]);
            }
            grid.refresh();
            (0..40).for_each(|k| grid.update(base + 31 * k, Aabb::around_point(Vec2::splat(k as f32))));
            for count in [0, 1, 8, 9, 30] {
                let question = |k: usize| {
                    let at = Vec2::new((k * 97 % 1_200) as f32 - 300.0, 0.0);
                    let here =
                        WorldAabb { region: IVec2::new(k as i32 % 2, 0), aabb: Aabb::around_point(at) };
                    Along { here, reach: [0.5, 3.0, 60.0][k % 3] }
                };
                let mut asked = 0;
                let fetched = core::cell::Cell::new(0);
                let fetch = |found: &[(u32, f32)]| fetched.set(fetched.get() + found.len());
                // A clone starts without counts of queries, and makes no copies of its trees.
                grid.clone().ask_each((0..count).map(question), fetch, |k, found| {
                    assert_eq!(k, asked, "answers come in order");
                    asked += 1;
                    let (mut alone, mut together) = (Vec::new(), Vec::new());
                    grid.clone().ask(&question(k), |id, promise| alone.push((id, promise)));
                    found.each(|id, promise| together.push((id, promise)));
                    assert_eq!(alone, together, "{} {count}", grid.lanes());
                    assert!(!alone.is_empty() || k % 3 == 0);
                });
                assert_eq!(asked, count);
                assert!(count < 8 || fetched.get() > 0, "they walk together");
            }
        }
    }

    /// The visits of some queries, in order: alone, and several queries at a time.
    #[test]
    fn many_questions_visit_what_each_visits_alone() {
        for grid in Lanes::all().into_iter().map(grid) {
            for count in [0, 1, 7, 8, 9, 40] {
                let question = |k: usize| {
                    let at = Vec2::new((k * 97 % 1_200) as f32 - 300.0, 0.0);
                    let region = IVec2::new(k as i32 % 2, 0);
                    let here = WorldAabb { region, aabb: Aabb::around_point(at) };
                    Along { here, reach: [2.0, 60.0, 4_000.0][k % 3] }
                };
                // Some queries keep their bound: then more lanes wait than a walk has rows for.
                let bound = |k: usize, id: u32, bound: f32| {
                    let promise = grid.aabb(id).map_or(f32::INFINITY, |aabb| question(k).promise_of(&aabb));
                    if k % 4 == 3 { bound } else { min(bound, promise + 0.5) }
                };
                let (mut alone, mut together) = (vec![Vec::new(); count], vec![Vec::new(); count]);
                for (k, visited) in alone.iter_mut().enumerate() {
                    let mut least = f32::INFINITY;
                    // A clone starts without counts of queries, and makes no copies of its trees.
                    grid.clone().ask_nearest(&question(k), |id| {
                        visited.push(id);
                        least = bound(k, id, least);
                        least
                    });
                }
                let mut least = vec![f32::INFINITY; count];
                grid.clone().ask_nearest_each((0..count).map(|k| (k, question(k))), |waiting, bounds| {
                    for (&(k, id), to) in waiting.iter().zip(bounds) {
                        together[k].push(id);
                        least[k] = bound(k, id, least[k]);
                        *to = least[k];
                    }
                });
                assert_eq!(alone, together, "{} {count}", grid.lanes());
                assert!(count < 4 || alone[3].len() > 4, "the questions find nothing");
            }
        }
    }
}
