//! The grid: the table of proxies.
//!
//! In: boxes under the caller's ids, and changes of them. Out: the table, and the changes since the
//! last search, from which `pairs.rs` finds pairs. The files beside this one answer queries.

mod pairs;

use super::cell;
use super::cell_order::Order;
use super::forest::{Forest, Home};
use super::pair_list::PairList;
#[cfg(feature = "draw")]
use super::plan::Plan;
use super::proxy::{ACTIVE, BOUNDED, EPOCH_SHIFT, FLAGS, IN_CELL, PRESENT, Proxy, UNBOUNDED};
use super::sweep::Changes;
use super::upkeep::Upkeep;
use super::{Activity, WorldAabb};
use crate::simd::Lanes;

/// If more than one in this many active boxes changed, a search of all boxes is quicker than a
/// search of the changed boxes.
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
/// Ids are chosen by the caller and should be small and dense: memory grows with the largest id. A
/// call for an id without a box does nothing; `u32::MAX` never has a box.
///
/// # Boxes
///
/// Boxes may be of any size, also infinite on any side. Boxes with NaN, with `min` beyond `max` or
/// wholly at infinity are kept, but overlap nothing. No rounding decides whether two boxes overlap,
/// and moving all boxes by whole regions changes no pair. Boxes larger than 2^30 m and infinite
/// boxes are compared one by one with everything that moves: use them for the ground and a few
/// walls.
///
/// # Cost
///
/// [`find_pairs`](Grid::find_pairs) costs nothing when nothing changed. It looks at the changed
/// boxes when they are few, and otherwise at all active boxes; two resting boxes are never a pair.
/// Queries ([`visit`](Grid::visit), [`query`](Grid::query)) are right at any time, but test changed
/// boxes one by one until [`refresh`](Grid::refresh).
///
/// A search of all boxes costs most where boxes jump. If boxes moved by less than their size, the
/// search writes only the pairs that began or ended.
///
/// Boxes of one cell are compared with each other, eight at a time: a thousand parallel needles
/// within the length of one needle cost 60,000 such comparisons, although they do not touch.
///
/// The pair list depends on the boxes alone. The order in which queries visit boxes depends on
/// earlier calls.
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
    /// Boxes that moved since the last search, as long as they are few; and how many moved in all.
    pub(super) moved: Vec<Moved>,
    pub(super) moved_count: usize,
    few: usize,
    /// Counts searches and refreshes; a box that moves is marked with it. The last search ended at
    /// `searched`.
    pub(super) epoch: u32,
    searched: u32,
    count: usize,
    /// Boxes that search for pairs beside the moved boxes; and whether many resting boxes leave the
    /// search to the active boxes near them: see `arrivals.rs`.
    pub(super) askers: Vec<u32>,
    pub(super) resting_do_not_search: bool,
    /// How many boxes are active and bounded.
    pub(super) active_count: usize,
    grouped: usize,
    pub(super) list: PairList,
    /// Whether all boxes were searched since memory was last given back.
    is_busy: bool,
    /// Decides whether a step refreshes trees for queries.
    pub(super) upkeep: Upkeep,
}

crate::state::clone_by_field! {
    Grid {
        proxies, homes, unbounded, active_forest, resting_forest, order, changes, moved, moved_count, few,
        epoch, searched, count, askers, resting_do_not_search, active_count, grouped, list, is_busy, upkeep,
    }
}

/// An active box that moved, and its bounds at the last search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    id: u32,
    before: WorldAabb,
}

/// Whether two boxes have the same bits. (Compared as bytes, they would be written first and then
/// read back in wider words: 5 ns.)
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

/// Returns the flag of a box: bounded (it has a cell), unbounded, or 0 for an invalid box.
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
    /// Makes an empty grid.
    fn default() -> Grid {
        Grid::new()
    }
}

/// The table of boxes.
impl Grid {
    /// Makes an empty grid.
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

    /// Returns the SIMD lanes that the grid searches with.
    pub(crate) fn lanes(&self) -> Lanes {
        self.order.lanes
    }

    /// Returns the levels of the last search that sorted all moving boxes.
    #[cfg(feature = "draw")]
    pub(super) fn plan(&self) -> &Plan {
        &self.order.plan
    }

    /// Changes the SIMD lanes; results keep their bits.
    pub(crate) fn set_lanes(&mut self, lanes: Lanes) {
        self.order.lanes = lanes;
    }

    /// Inserts a box without a group. If the id is taken, the box replaces the old one.
    ///
    /// The grid has a row of some 50 bytes for every id up to the largest, so ids should be small
    /// numbers. `u32::MAX` is no id, and is ignored.
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

    /// Inserts a box in a group under an id that has a row and no box.
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

    /// Gives the box of an id new bounds; without a box under that id, does nothing.
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

    /// Notes the first move of a box since the epoch `marked`.
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
            self.active_forest.moved_or_outdated(id, &mut self.homes, self.few);
        }
    }

    /// Does [`Grid::update`] for boxes that rest, or are unbounded or invalid, or become so.
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

    /// Makes a box active or resting: two resting boxes are never a pair.
    pub fn set_activity(&mut self, id: u32, activity: Activity) {
        let is_active = activity == Activity::Active;
        if self.contains(id) && self.proxies[id as usize].is(ACTIVE) != is_active {
            self.leave(id);
            self.proxies[id as usize].state ^= ACTIVE;
            self.enter(id);
        }
    }

    /// Puts a box into a group: boxes of the same group are never a pair. Group 0 means no group.
    pub fn set_group(&mut self, id: u32, group: u32) {
        if self.contains(id) && self.proxies[id as usize].group != group {
            let proxy = &mut self.proxies[id as usize];
            let old = core::mem::replace(&mut proxy.group, group);
            self.grouped = self.grouped + usize::from(group != 0) - usize::from(old != 0);
            self.changes.reset(id, proxy);
        }
    }

    /// Removes a box. Returns whether there was one.
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

    /// Removes every box. The next search reports the end of their pairs.
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

    /// Returns the box of an id.
    #[must_use]
    pub fn aabb(&self, id: u32) -> Option<WorldAabb> {
        self.contains(id).then(|| self.proxies[id as usize].aabb)
    }

    /// Returns all boxes by id, in the layout of SIMD code: `[region x, region y, min x, min y, max
    /// x, max y, group, state]`. Only the four sides are floats; the rest are integers.
    pub(crate) fn rows(&self) -> &[[f32; 8]] {
        bytemuck::cast_slice(&self.proxies)
    }

    /// Returns how many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds an id to the lists that its state requires. The next search finds all its pairs anew.
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

    /// Removes an id from the lists that its state requires. The next search finds all its pairs
    /// anew.
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
