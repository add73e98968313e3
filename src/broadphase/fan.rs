//! Questions to eight boxes at a time: what queries walk.
//!
//! In: a question that says of a box how much it promises, and the trees of a forest. Out: the ids
//! in whose boxes there may be an answer, the most promising first. The step has its own searches,
//! which want exact overlaps; here a box may be a little too large, and the exact test behind it
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
//! A walk leaves the lanes only where it comes to a fan of entries, and comes back with what the
//! exact tests found. So the narrowphase is compiled once, and not for each instruction set.

use glam::IVec2;

use super::WorldAabb;
use crate::simd::{LANES, Lane, Level, OneLane, Width, dispatch, inlined};

/// The id of no entry.
pub(super) const NO_ID: u32 = u32::MAX;

/// Sides of no box: nothing begins at infinity.
const EMPTY: [f32; 4] = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

/// What a query asks of boxes.
pub(crate) trait Question: Copy {
    /// The same question in metres from the centre of another region, rounded so that it wants all
    /// that it wanted.
    fn seen_from(&self, region: IVec2) -> Self;

    /// A lower bound for what is sought in boxes, given by their left, lower, right and upper
    /// sides; infinite where there is nothing. A box inside another one has no lower bound.
    fn promise<W: Width>(&self, w: W, sides: [W::L; 4]) -> W::L;

    /// The same of one box.
    #[inline]
    fn promise_of(&self, aabb: &WorldAabb) -> f32 {
        let (low, high) = (aabb.aabb.min, aabb.aabb.max);
        self.seen_from(aabb.region).promise(OneLane(0), [low.x, low.y, high.x, high.y])
    }
}

/// Eight boxes of a tree, side by side.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Fan {
    sides: [[f32; LANES]; 4],
    /// Of entries, their ids; of fans, the first one below.
    below: [u32; LANES],
    /// From whose centre the sides are measured.
    region: IVec2,
}

impl Fan {
    pub(super) const NONE: Fan = Fan {
        sides: [[EMPTY[0]; LANES], [EMPTY[1]; LANES], [EMPTY[2]; LANES], [EMPTY[3]; LANES]],
        below: [NO_ID; LANES],
        region: IVec2::ZERO,
    };

    /// Of some boxes, seen from a region.
    pub(super) fn set<'a>(&mut self, region: IVec2, boxes: impl Iterator<Item = &'a WorldAabb>) {
        let mut lanes = [EMPTY; LANES];
        for (lane, aabb) in lanes.iter_mut().zip(boxes) {
            let seen = aabb.relative_to(region);
            *lane = [seen.min.x, seen.min.y, seen.max.x, seen.max.y];
        }
        self.region = region;
        self.sides = core::array::from_fn(|side| lanes.map(|lane| lane[side]));
    }

    /// Names what is below.
    pub(super) fn name(&mut self, below: [u32; LANES]) {
        self.below = below;
    }

    /// Leaves a lane without a box.
    pub(super) fn clear(&mut self, lane: usize) {
        for (side, empty) in self.sides.iter_mut().zip(EMPTY) {
            side[lane] = empty;
        }
        self.below[lane] = NO_ID;
    }
}

/// A tree in lanes: all its fans, and how many of them are over entries.
pub(super) type Fans<'t> = (&'t [Fan], usize);

/// Trees of one walk. There are seldom more than two.
const TREES: usize = 8;

/// Rows over 2^32 entries, times the lanes that wait in each; and the roots.
const DEPTH: usize = 11 * LANES + TREES;

/// A fan that waits: what it promises, and its place in its tree, with the number of the tree in
/// the lowest bits. (As three numbers, a third more to clear before every question.)
type Waiting = (f32, u32);

/// Bits for the number of a tree. A tree may have 2^29 fans then: four billion boxes.
const TREE_BITS: u32 = TREES.trailing_zeros();

/// Where a walk stands: fans that were promising, the most promising last.
pub(super) struct Walk<'t> {
    trees: [Fans<'t>; TREES],
    waiting: [Waiting; DEPTH],
    depth: usize,
}

/// Entries that promise something: a bit a lane, what they promise, their ids.
struct Block {
    lanes: u8,
    promises: [f32; LANES],
    ids: [u32; LANES],
}

impl<'t> Walk<'t> {
    pub(super) fn new() -> Walk<'t> {
        Walk { trees: [(&[], 0); TREES], waiting: [(0.0, 0); DEPTH], depth: 0 }
    }

    /// Begins at the roots of some trees: of as many as there is room for. Answers whether that was
    /// all of them.
    pub(super) fn begin(&mut self, trees: &mut impl Iterator<Item = Fans<'t>>) -> bool {
        self.depth = 0;
        while self.depth < TREES {
            let Some((fans, leaves)) = trees.next() else { return true };
            if let Some(root) = fans.len().checked_sub(1) {
                self.trees[self.depth] = (fans, leaves);
                self.waiting[self.depth] = (f32::NEG_INFINITY, (root << TREE_BITS | self.depth) as u32);
                self.depth += 1;
            }
        }
        false
    }

    /// What the next fan promises; infinite where there is none.
    pub(super) fn promise(&self) -> f32 {
        self.depth.checked_sub(1).map_or(f32::INFINITY, |top| self.waiting[top].0)
    }

    /// Goes on to the next fan of entries, and calls `visit` with the ids of those that promise no
    /// more than `bound`, the most promising first; `visit` answers the new one. Takes and answers
    /// that bound.
    pub(super) fn advance(
        &mut self,
        level: Level,
        question: &impl Question,
        mut bound: f32,
        mut visit: impl FnMut(u32) -> f32,
    ) -> f32 {
        if let Some(mut block) = self.next(level, question, bound) {
            while let Some(lane) = block.take_best() {
                if block.promises[lane] > bound {
                    break;
                }
                bound = visit(block.ids[lane]);
            }
        }
        bound
    }

    /// The next entries within the bound.
    fn next(&mut self, level: Level, question: &impl Question, bound: f32) -> Option<Block> {
        dispatch!(level, lanes => self.descend(
            question,
            bound,
            inlined(
                #[inline(always)]
                |fan: &Fan, question: &_, promises: &mut [f32; LANES]| {
                    let mut wanted = 0;
                    for w in lanes.each() {
                        wanted |= ask(w, fan, question, bound, promises);
                    }
                    wanted
                },
            ),
        ))
    }

    #[inline(always)]
    fn descend<Q: Question>(
        &mut self,
        question: &Q,
        bound: f32,
        ask: impl Fn(&Fan, &Q, &mut [f32; LANES]) -> u8,
    ) -> Option<Block> {
        let mut promises = [0.0; LANES];
        let mut seen: Option<(IVec2, Q)> = None;
        while self.depth > 0 {
            self.depth -= 1;
            let (promise, place) = self.waiting[self.depth];
            if promise > bound {
                continue;
            }
            let (tree, index) = (place as usize % TREES, place >> TREE_BITS);
            let (fans, leaves) = self.trees[tree];
            let fan = &fans[index as usize];
            let here = match seen {
                Some((region, here)) if region == fan.region => here,
                _ => question.seen_from(fan.region),
            };
            seen = Some((fan.region, here));
            let mut lanes = ask(fan, &here, &mut promises);
            if (index as usize) < leaves {
                if lanes != 0 {
                    return Some(Block { lanes, promises, ids: fan.below });
                }
                continue;
            }
            let first = self.depth;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let below = fan.below[0] + lane as u32;
                self.insert(first, (promises[lane], below << TREE_BITS | tree as u32));
            }
        }
        None
    }

    /// Puts a fan among those that wait since `first`, before its equals: of those, the first comes
    /// off first.
    #[inline(always)]
    fn insert(&mut self, first: usize, fan: Waiting) {
        let mut hole = self.depth;
        while hole > first && self.waiting[hole - 1].0 <= fan.0 {
            self.waiting[hole] = self.waiting[hole - 1];
            hole -= 1;
        }
        self.waiting[hole] = fan;
        self.depth += 1;
    }
}

/// The lanes that promise something within the bound, a bit each, and what they promise.
#[inline(always)]
fn ask<W: Width>(w: W, fan: &Fan, question: &impl Question, bound: f32, promises: &mut [f32; LANES]) -> u8 {
    let [left, below, right, above] = &fan.sides;
    let promise = question.promise(w, [w.read(left), w.read(below), w.read(right), w.read(above)]);
    w.write(promises, promise);
    // Seen from an infinite question, a lane without a box is as good as any.
    let is_there = w.read(left).lt(w.splat(f32::INFINITY));
    w.bits(is_there & promise.le(w.splat(bound)) & promise.lt(w.splat(f32::INFINITY)))
}

impl Block {
    /// Takes the lane that promises most, the first of several.
    #[inline(always)]
    fn take_best(&mut self) -> Option<usize> {
        let mut lanes = self.lanes;
        let mut best = (lanes != 0).then_some(lanes.trailing_zeros() as usize)?;
        lanes &= lanes - 1;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            if self.promises[lane] < self.promises[best] {
                best = lane;
            }
        }
        self.lanes &= !(1 << best);
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::broadphase::{Activity, Grid};
    use crate::simd::Lanes;
    use glam::Vec2;

    /// How far boxes are along x, at most `reach`.
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

    /// A third of them stays, a third moves, a third is removed, in four regions and several trees;
    /// one reaches to infinity.
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
                    grid.ask(&question, |id| {
                        found.push(id);
                        true
                    });
                    found.sort_unstable();
                    let wanted = |&id: &u32| promise(id) < f32::INFINITY;
                    let expected: Vec<u32> = (0..2_353).filter(wanted).collect();
                    assert_eq!(found, expected, "{} {reach}", grid.lanes());
                    let mut nearest = f32::INFINITY;
                    grid.ask_nearest(&question, |id| {
                        nearest = crate::math::min(nearest, promise(id));
                        nearest
                    });
                    let best = expected.iter().map(|&id| promise(id)).fold(f32::INFINITY, crate::math::min);
                    assert_eq!(nearest, best, "{} {reach}", grid.lanes());
                }
            }
        }
    }
}
