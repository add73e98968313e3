//! The grid: the table of proxies, and the choice between looking at everything and at a few.
//!
//! In: boxes under the caller's ids, and what changes about them. Out: the pair list. The files
//! beside this one search for pairs and answer queries; this one keeps the table of boxes, and what
//! changed since the last search.

use super::cell;
use super::cell_order::Order;
use super::forest::{Boxes, Forest, Home};
use super::near::{self, World};
use super::pair_list::{Merging, PairList};
use super::plan::Plan;
use super::proxy::{
    ACTIVE, BOUNDED, EPOCH_SHIFT, FLAGS, IN_CELL, LAST_EPOCH, PRESENT, Proxy, RESET, UNBOUNDED,
};
use super::sweep::{self, Changes};
use super::upkeep::Upkeep;
use super::{Activity, Pair, WorldAabb};
use crate::simd::Lanes;
use crate::threads::Team;
use crate::util::trim::{release, trim};

/// If more than one in this many active boxes changed, a search of all of them is quicker than one
/// for the changed ones.
const FEW_SHARE: usize = 24;

/// A broadphase: axis-aligned boxes under small numbers, and the list of pairs that overlap.
///
/// ```
/// use carom::broadphase::{Activity, Grid, Pair};
/// use carom::Aabb;
///
/// let mut grid = Grid::new();
/// grid.insert(0, Aabb::new([0.0, 0.0], [10.0, 1.0]), Activity::Resting);
/// grid.insert(1, Aabb::new([2.0, 3.0], [3.0, 4.0]), Activity::Active);
/// grid.find_pairs();
/// assert!(grid.pairs().is_empty());
///
/// grid.update(1, Aabb::new([2.0, 1.0], [3.0, 2.0])); // touching is overlap
/// grid.find_pairs();
/// assert_eq!(grid.pairs(), [Pair { a: 0, b: 1 }]);
/// assert_eq!(grid.added(), grid.pairs());
/// ```
///
/// # Ids
///
/// Ids are the caller's, small and dense: memory follows the largest one. A call for an id without
/// a box does nothing; `u32::MAX` never has one.
///
/// # Boxes
///
/// Boxes may be of any size, also infinite on any side. Those with NaN, with `min` beyond `max` or
/// wholly at infinity are kept, but overlap nothing. No rounding decides whether two boxes overlap,
/// and moving all of them by whole regions changes nothing. Boxes larger than
/// 2^30 m and infinite ones are compared one by one with everything that moves: meant for the
/// ground and a few walls.
///
/// # Cost
///
/// [`find_pairs`](Grid::find_pairs) costs nothing when nothing changed, looks at what changed when
/// that is a few, and otherwise at all active boxes; two resting boxes are never a pair. Queries
/// ([`visit`](Grid::visit), [`query`](Grid::query)) are right at any time, but look at changed
/// boxes one by one until [`refresh`](Grid::refresh).
///
/// A search of all boxes costs most where they jump: of boxes that moved by less than their size,
/// only the pairs that came or went are written.
///
/// Boxes of one cell are compared with each other, eight at a time: a thousand parallel needles
/// within the length of one cost 60,000 such compares, although they do not touch.
///
/// The pair list depends on the boxes alone. The order in which queries meet boxes depends on what
/// happened before.
#[derive(Debug)]
pub struct Grid {
    pub(super) proxies: Vec<Proxy>,
    pub(super) homes: Vec<Home>,
    /// Valid boxes that are too large for a cell.
    pub(super) unbounded: Vec<u32>,
    pub(super) active_forest: Forest,
    pub(super) resting_forest: Forest,
    pub(super) order: Order,
    pub(super) changes: Changes,
    /// Moved since the last search, as long as they are few; and how many there are in all.
    pub(super) moved: Vec<Moved>,
    pub(super) moved_count: usize,
    few: usize,
    /// What marks boxes that have moved: counts searches and refreshes. The last search ended at
    /// `searched`.
    pub(super) epoch: u32,
    searched: u32,
    count: usize,
    /// What asks for pairs beside the boxes that moved, and whether many boxes at rest leave that
    /// to others: see `arrivals.rs`.
    pub(super) askers: Vec<u32>,
    pub(super) resting_do_not_search: bool,
    /// Active and bounded.
    pub(super) active_count: usize,
    grouped: usize,
    pub(super) list: PairList,
    /// Whether all boxes were looked at since memory was last given back.
    is_busy: bool,
    /// Whether a step should refresh trees for queries.
    pub(super) upkeep: Upkeep,
}

crate::state::clone_by_field! {
    Grid {
        proxies, homes, unbounded, active_forest, resting_forest, order, changes, moved, moved_count, few,
        epoch, searched, count, askers, resting_do_not_search, active_count, grouped, list, is_busy, upkeep,
    }
}

/// An active box that moved, and what it was at the last search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    id: u32,
    before: WorldAabb,
}

/// Whether two boxes have the same bits. (Compared as bytes they would be written first, to be read
/// back wider: 5 ns.)
#[inline(always)]
fn is_same(a: &WorldAabb, b: &WorldAabb) -> bool {
    let differ = |a: f32, b: f32| a.to_bits() ^ b.to_bits();
    let (p, q) = (&a.aabb, &b.aabb);
    let sides = differ(p.min.x, q.min.x)
        | differ(p.min.y, q.min.y)
        | differ(p.max.x, q.max.x)
        | differ(p.max.y, q.max.y);
    sides as i32 | (a.region.x ^ b.region.x) | (a.region.y ^ b.region.y) == 0
}

/// The flag that says where a box can be looked for: in a cell, everywhere, or nowhere.
#[inline]
fn kind_of(aabb: &WorldAabb) -> u32 {
    if cell::is_bounded(aabb) {
        BOUNDED
    } else if aabb.is_valid() {
        UNBOUNDED
    } else {
        0
    }
}

impl Default for Grid {
    /// An empty grid.
    fn default() -> Grid {
        Grid::new()
    }
}

/// The table of boxes.
impl Grid {
    /// An empty grid.
    #[must_use]
    pub fn new() -> Grid {
        Grid {
            proxies: Vec::new(),
            homes: Vec::new(),
            unbounded: Vec::new(),
            active_forest: Forest::default(),
            resting_forest: Forest::default(),
            order: Order::default(),
            changes: Changes::default(),
            moved: Vec::new(),
            moved_count: 0,
            few: 0,
            epoch: 1,
            searched: 1,
            count: 0,
            askers: Vec::new(),
            resting_do_not_search: false,
            active_count: 0,
            grouped: 0,
            list: PairList::default(),
            is_busy: false,
            upkeep: Upkeep::default(),
        }
    }

    /// The lanes that it searches with.
    pub(crate) fn lanes(&self) -> Lanes {
        self.order.lanes
    }

    /// The levels of the last search that sorted all moving boxes.
    pub(super) fn plan(&self) -> &Plan {
        &self.order.plan
    }

    /// Goes on with other lanes: the bits stay the same.
    pub(crate) fn set_lanes(&mut self, lanes: Lanes) {
        self.order.lanes = lanes;
    }

    /// Puts a box in, in no group. If the id is taken, the box takes the place of the old one.
    ///
    /// There is a row for every id up to the largest, some 50 bytes each, so ids are to be small
    /// numbers. `u32::MAX` is none, and is ignored.
    pub fn insert(&mut self, id: u32, aabb: impl Into<WorldAabb>, activity: Activity) {
        let index = id as usize;
        if id == u32::MAX {
            return;
        }
        if self.contains(id) {
            self.update(id, aabb);
            self.set_activity(id, activity);
            self.set_group(id, 0);
            return;
        }
        if index >= self.proxies.len() {
            self.proxies.resize(index + 1, Proxy::ABSENT);
            self.homes.resize(index + 1, Home::NOWHERE);
        }
        self.put(id, aabb.into(), activity, 0);
    }

    /// Puts a box in a group in under an id that has a row and no box.
    #[inline]
    pub(super) fn put(&mut self, id: u32, aabb: WorldAabb, activity: Activity, group: u32) {
        let proxy = &mut self.proxies[id as usize];
        debug_assert!(!proxy.is(PRESENT) && proxy.group == 0, "a new box");
        let active = if activity == Activity::Active { ACTIVE } else { 0 };
        (proxy.aabb, proxy.group) = (aabb, group);
        proxy.state |= PRESENT | kind_of(&aabb) | active;
        self.grouped += usize::from(group != 0);
        self.count += 1;
        self.enter(id);
    }

    /// Gives the box of an id a new place and size; without a box under that id, does nothing.
    #[inline]
    pub fn update(&mut self, id: u32, aabb: impl Into<WorldAabb>) {
        let aabb = aabb.into();
        let Some(proxy) = self.proxies.get_mut(id as usize) else { return };
        if is_same(&aabb, &proxy.aabb) {
            return;
        }
        self.upkeep.forget_copies();
        if !proxy.is(IN_CELL) || !cell::is_bounded(&aabb) {
            self.update_other(id, aabb);
            return;
        }
        let before = core::mem::replace(&mut proxy.aabb, aabb);
        let marked = proxy.state >> EPOCH_SHIFT;
        if marked != self.epoch {
            proxy.state = proxy.state & FLAGS | self.epoch << EPOCH_SHIFT;
            self.note_moved(id, before, marked);
        }
    }

    /// Notes that a box moved for the first time since it was `marked`.
    #[inline(always)]
    fn note_moved(&mut self, id: u32, before: WorldAabb, marked: u32) {
        let is_few = self.moved.len() < self.few;
        if marked < self.searched {
            self.moved_count += 1;
            if is_few {
                self.moved.push(Moved { id, before });
            }
        }
        if is_few {
            self.active_forest.moved(id, &mut self.homes);
        } else {
            self.active_forest.outdate();
        }
    }

    /// [`Grid::update`] of boxes that rest, or are unbounded or invalid, or become so.
    #[inline(never)]
    fn update_other(&mut self, id: u32, aabb: WorldAabb) {
        let kind = kind_of(&aabb);
        let proxy = &mut self.proxies[id as usize];
        if !proxy.is(PRESENT) {
            return;
        }
        if proxy.is(BOUNDED) && kind == BOUNDED {
            proxy.aabb = aabb;
            self.changes.reset(id, proxy);
            self.resting_forest.moved(id, &mut self.homes);
        } else {
            self.leave(id);
            let proxy = &mut self.proxies[id as usize];
            proxy.aabb = aabb;
            proxy.state = proxy.state & !(BOUNDED | UNBOUNDED) | kind;
            self.enter(id);
        }
    }

    /// Says whether a box is active, or rests: two resting boxes are never a pair.
    pub fn set_activity(&mut self, id: u32, activity: Activity) {
        let is_active = activity == Activity::Active;
        if self.contains(id) && self.proxies[id as usize].is(ACTIVE) != is_active {
            self.leave(id);
            self.proxies[id as usize].state ^= ACTIVE;
            self.enter(id);
        }
    }

    /// Puts a box into a group: boxes of the same group are never a pair. Group 0 is none.
    pub fn set_group(&mut self, id: u32, group: u32) {
        if self.contains(id) && self.proxies[id as usize].group != group {
            let proxy = &mut self.proxies[id as usize];
            let old = core::mem::replace(&mut proxy.group, group);
            self.grouped = self.grouped + usize::from(group != 0) - usize::from(old != 0);
            self.changes.reset(id, proxy);
        }
    }

    /// Takes a box out. Answers whether it was there.
    pub fn remove(&mut self, id: u32) -> bool {
        let Some(proxy) = self.proxies.get_mut(id as usize).filter(|proxy| proxy.is(PRESENT)) else {
            return false;
        };
        self.grouped -= usize::from(proxy.group != 0);
        proxy.group = 0;
        self.leave(id);
        self.proxies[id as usize].state &= !(IN_CELL | UNBOUNDED);
        self.count -= 1;
        true
    }

    /// Takes every box out. The pairs go the next time they are looked for.
    pub fn clear(&mut self) {
        for id in 0..self.proxies.len() as u32 {
            self.remove(id);
        }
    }

    /// Whether there is a box under an id.
    #[inline]
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        self.proxies.get(id as usize).is_some_and(|proxy| proxy.is(PRESENT))
    }

    /// The box under an id.
    #[must_use]
    pub fn aabb(&self, id: u32) -> Option<WorldAabb> {
        self.contains(id).then(|| self.proxies[id as usize].aabb)
    }

    /// All boxes by id, as lanes read them: `[region x, region y, min x, min y, max x, max y,
    /// group, state]`, of which four are numbers.
    pub(crate) fn rows(&self) -> &[[f32; 8]] {
        bytemuck::cast_slice(&self.proxies)
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Puts an id where its state says it belongs. Its pairs are to be found from nothing.
    fn enter(&mut self, id: u32) {
        self.upkeep.forget_copies();
        let proxy = &mut self.proxies[id as usize];
        self.changes.reset(id, proxy);
        if proxy.is(IN_CELL) {
            self.order.arrive(id, proxy);
            self.active_forest.insert(id, &mut self.homes);
            self.active_count += 1;
        } else if proxy.is(BOUNDED) {
            self.resting_forest.insert(id, &mut self.homes);
        } else if proxy.is(UNBOUNDED) {
            self.unbounded.push(id);
        }
    }

    /// Takes an id from where its state says it is. Its pairs are to be found from nothing.
    fn leave(&mut self, id: u32) {
        self.upkeep.forget_copies();
        let proxy = &mut self.proxies[id as usize];
        self.changes.reset(id, proxy);
        if proxy.is(IN_CELL) {
            self.active_forest.remove(id, &mut self.homes);
            self.active_count -= 1;
        } else if proxy.is(BOUNDED) {
            self.resting_forest.remove(id, &mut self.homes);
        } else if proxy.is(UNBOUNDED) {
            self.unbounded.retain(|&other| other != id);
        }
    }
}

/// Pairs.
impl Grid {
    /// Brings [`pairs`](Grid::pairs), and what was added and removed, up to date.
    pub fn find_pairs(&mut self) {
        self.find_changes(&Team::ALONE);
        self.merging().finish();
    }

    /// Finds what was added and removed, and leaves the list of pairs to [`Grid::merging`], which is
    /// to follow once.
    pub(super) fn find_changes(&mut self, team: &Team) {
        let changed = self.moved_count + self.changes.resets.len();
        if changed == 0 {
            self.list.keep();
            return;
        }
        self.changes.clear();
        if self.moved.len() == self.moved_count
            && let Some(new) = self.find_askers(changed <= self.few)
        {
            self.find_few(new);
        } else {
            self.find_all(team);
        }
        self.list.compare(&mut self.changes, self.proxies.len());
        for id in self.changes.resets.drain(..) {
            self.proxies[id as usize].state &= !RESET;
        }
        self.moved.clear();
        self.moved_count = 0;
        self.few = self.active_count / FEW_SHARE;
        self.begin_epoch();
    }

    /// Brings the list of pairs up to date with what was added and removed.
    pub(super) fn merging(&mut self) -> Merging<'_> {
        self.list.merging()
    }

    /// Takes these sorted pairs for those that the last search found: the next one tells which of
    /// them came and went since, if all of their boxes are new here.
    pub(crate) fn recall(&mut self, pairs: &[Pair]) {
        self.list.restore(pairs);
    }

    /// Becomes a grid that holds what `of` says of each id below `count` (its box, whether it is
    /// active, its group), and whose last search left `pairs`. The next search finds the same as it
    /// would there: what came and went since. Boxes that are at rest here and there alike cost
    /// nothing.
    pub(crate) fn restore(
        &mut self,
        count: usize,
        of: impl Fn(u32) -> Option<(WorldAabb, Activity, u32)>,
        pairs: &[Pair],
    ) {
        if self.proxies.len() < count {
            self.proxies.resize(count, Proxy::ABSENT);
            self.homes.resize(count, Home::NOWHERE);
        }
        for id in 0..self.proxies.len() as u32 {
            match if (id as usize) < count { of(id) } else { None } {
                Some((aabb, activity, group)) => {
                    if self.contains(id) {
                        self.update(id, aabb);
                        self.set_activity(id, activity);
                    } else {
                        self.insert(id, aabb, activity);
                    }
                    self.set_group(id, group);
                    let proxy = &mut self.proxies[id as usize];
                    if proxy.is(ACTIVE) {
                        // What the list says of its pairs is not what was found here.
                        self.changes.reset(id, proxy);
                    }
                }
                None => _ = self.remove(id),
            }
        }
        // Pairs without an active box: both rest by now, or are gone.
        for &Pair { a, b } in pairs {
            if !self.proxies[a as usize].is(PRESENT | ACTIVE)
                && !self.proxies[b as usize].is(PRESENT | ACTIVE)
            {
                [a, b].into_iter().for_each(|id| self.changes.reset(id, &mut self.proxies[id as usize]));
            }
        }
        self.list.restore(pairs);
    }

    fn begin_epoch(&mut self) {
        self.epoch += 1;
        if self.epoch >= LAST_EPOCH {
            self.epoch = 1;
            self.proxies.iter_mut().for_each(|proxy| proxy.state &= FLAGS);
        }
        self.searched = self.epoch;
    }

    /// Every overlapping pair of two boxes of which one at least is active, and which are not of
    /// the same group; sorted.
    #[inline]
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.list.pairs
    }

    /// The pairs that the last [`find_pairs`](Grid::find_pairs) found new; sorted.
    #[inline]
    #[must_use]
    pub fn added(&self) -> &[Pair] {
        &self.list.added
    }

    /// The pairs that the last [`find_pairs`](Grid::find_pairs) found no longer; sorted.
    #[inline]
    #[must_use]
    pub fn removed(&self) -> &[Pair] {
        &self.list.removed
    }

    /// Gives back what only looking at all boxes needs, if that was not done since the last time.
    pub(crate) fn trim(&mut self) {
        if !core::mem::take(&mut self.is_busy) {
            self.order.release();
            self.changes.release();
            self.list.release();
        }
        [&mut self.active_forest, &mut self.resting_forest].into_iter().for_each(Forest::trim);
        trim(&mut self.moved);
        release(&mut self.askers);
    }

    /// What changed, among all active boxes and between them and the rest.
    fn find_all(&mut self, team: &Team) {
        self.is_busy = true;
        let Grid { proxies, homes, unbounded, resting_forest, order, changes, .. } = self;
        resting_forest.refresh(Boxes { proxies, before: None }, homes);
        order.sort(proxies, changes);
        sweep::find(order, (proxies, self.grouped > 0), team, changes);
        let world = World { boxes: Boxes { proxies, before: None }, homes, searched: self.searched };
        if !resting_forest.is_empty() {
            near::ask_resting(order, resting_forest, world, changes);
        }
        near::ask_unbounded(order, resting_forest, unbounded, world, changes);
    }

    /// What changed about boxes that moved, and about those that ask besides, of which the first
    /// `new` are to be found from nothing.
    fn find_few(&mut self, new: usize) {
        let Grid { proxies, homes, unbounded, active_forest, resting_forest, order, .. } = self;
        // In the order of the trees, so that neighbours ask one after the other.
        self.moved.sort_unstable_by_key(|moved| (homes[moved.id as usize].slot(), moved.id));
        for &Moved { id, before } in &self.moved {
            order.touch(id, &mut proxies[id as usize], before);
            // A query since then may have brought the tree up to date: it no longer has the box
            // from before.
            active_forest.moved(id, homes);
        }
        let boxes = Boxes { proxies, before: Some((&order.before, self.searched)) };
        active_forest.refresh(boxes, homes);
        resting_forest.refresh(boxes, homes);
        let world = World { boxes, homes, searched: self.searched };
        let ids = self.moved.iter().map(|moved| moved.id).chain(self.askers.iter().copied());
        for id in ids.clone() {
            near::ask_one(id, [active_forest, resting_forest], unbounded, world, &mut self.changes);
        }
        if self.resting_do_not_search && !unbounded.is_empty() {
            let resets = core::mem::take(&mut self.changes.resets);
            for &id in &resets {
                near::ask_unbounded_alone(id, unbounded, world, &mut self.changes);
            }
            self.changes.resets = resets;
        }
        let ids = ids.take(self.moved.len() + new);
        for id in ids {
            let proxy = &mut proxies[id as usize];
            if proxy.is(IN_CELL) {
                active_forest.narrow(id, &proxy.aabb, homes);
                order.touch(id, proxy, proxy.aabb);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use glam::vec2;

    /// Once everything has been where it goes, no column grows any more.
    #[test]
    fn nothing_is_allocated_once_warm() {
        let mut grid = Grid::new();
        let at = |id: u32, frame: u32| {
            let angle = (id * 7 + frame * (1 + id % 3)) % 40;
            let at = vec2((id % 30) as f32, (id / 30) as f32)
                + vec2(angle as f32, (angle * angle % 40) as f32) * 0.02;
            Aabb { min: at, max: at + 0.9 }
        };
        for id in 0..900 {
            let activity = if id % 9 == 0 { Activity::Resting } else { Activity::Active };
            grid.insert(id, at(id, 0), activity);
        }
        let mut sizes = [0; 2];
        for (round, size) in sizes.iter_mut().enumerate() {
            for frame in 0..120 {
                let step = if frame % 10 > 7 { 60 } else { 1 };
                for id in (0..900).step_by(step) {
                    grid.update(id, at(id, frame));
                }
                grid.find_pairs();
            }
            assert!(grid.pairs().len() > 200, "{} pairs in round {round}", grid.pairs().len());
            *size = grid.capacity();
        }
        assert_eq!(sizes[0], sizes[1]);
    }

    /// When all boxes grow at once no cell is wide enough for them; they get new ones before they
    /// are compared, and not only the next time. (22,000 boxes took 235 ms that once.)
    #[test]
    fn cells_follow_boxes_at_once() {
        let mut grid = Grid::new();
        let at = |id: u32, size: f32| {
            let at = vec2((id % 50) as f32, (id / 50) as f32) * 4.0;
            Aabb { min: at, max: at + size }
        };
        for size in [1.0, 1.5, 3.0, 0.5] {
            for id in 0..2_500 {
                grid.insert(id, at(id, size), Activity::Active);
            }
            grid.find_pairs();
            let misfits = grid.order.plan.levels.last().map(|level| level.count);
            assert_eq!(misfits, Some(0), "of size {size}");
        }
    }

    impl Grid {
        fn capacity(&self) -> usize {
            self.order.capacity()
                + self.list.capacity()
                + self.changes.added.capacity()
                + self.changes.removed.capacity()
                + self.changes.resets.capacity()
                + self.changes.near.capacity()
                + self.moved.capacity()
                + self.proxies.capacity()
        }
    }
}
