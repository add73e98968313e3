//! The grid: the table of proxies, and the choice between looking at everything and at a few.
//!
//! In: boxes under the caller's ids, and what changes about them. Out: the pair list, and walks. What finds pairs and
//! walks are the files below this one; here is who stands where, and what changed since the last time.

use glam::IVec2;

use super::cell_pairs::CellPairs;
use super::forest::{Boxes, Forest, Home};
use super::pair_list::PairList;
use super::{Activity, Pair, WorldAabb, cell};
use crate::bounds::Aabb;

/// Of how many active boxes one must have changed before looking at all of them is quicker than asking for the
/// changed ones.
const FEW_SHARE: usize = 8;

/// Boxes under small numbers, and the list of those that overlap.
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
/// Ids are the caller's, small and dense: memory follows the largest one. What is asked of an id that is not there
/// does nothing.
///
/// # Boxes
///
/// Boxes may be of any size, also infinite on any side. Those with NaN, with `min` beyond `max` or wholly at infinity
/// are kept but stand nowhere and have no pairs. Two boxes overlap exactly when their real numbers do;
/// moving everything by whole regions changes nothing. Boxes larger than 2^30 m and infinite ones are compared one by
/// one with everything that moves: meant for the ground and a few walls.
///
/// # Cost
///
/// [`find_pairs`](Grid::find_pairs) costs nothing when nothing changed, looks at what changed when that is a few, and
/// otherwise at all active boxes. Resting ones answer only. Walks ([`visit`](Grid::visit),
/// [`query`](Grid::query)) are right at any time, but look at changed boxes one by one until
/// [`refresh`](Grid::refresh).
///
/// Boxes of one cell are compared with each other: a thousand parallel needles within the length of one cost a
/// million compares, although they do not touch.
///
/// The pair list depends on the boxes alone. The order in which walks meet boxes depends on what happened before.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    aabbs: Vec<WorldAabb>,
    states: Vec<State>,
    groups: Vec<u32>,
    homes: Vec<Home>,
    /// Place in `active`.
    active_slots: Vec<u32>,
    /// Bounded and active, in no order that shows.
    active: Vec<u32>,
    /// Valid boxes that are too large for a cell.
    unbounded: Vec<u32>,
    active_forest: Forest,
    resting_forest: Forest,
    changed: Vec<u32>,
    count: usize,
    grouped: usize,
    cell_pairs: CellPairs,
    found: Vec<Pair>,
    list: PairList,
}

/// What the grid knows of an id besides its box.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    is_present: bool,
    is_active: bool,
    /// Since the last time pairs were found.
    is_changed: bool,
    kind: Kind,
}

/// Where a box can be looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Kind {
    /// Nowhere.
    #[default]
    Invalid,
    /// In a cell.
    Bounded,
    /// Everywhere.
    Unbounded,
}

impl Kind {
    #[inline]
    fn of(aabb: &WorldAabb) -> Kind {
        if !aabb.is_valid() {
            Kind::Invalid
        } else if cell::level(aabb) < cell::LEVELS {
            Kind::Bounded
        } else {
            Kind::Unbounded
        }
    }
}

/// Who stands where.
impl Grid {
    /// An empty grid.
    #[must_use]
    pub fn new() -> Grid {
        Grid::default()
    }

    /// Puts a box in, in no group. If the id is taken, the box takes the place of the old one.
    pub fn insert(&mut self, id: u32, aabb: impl Into<WorldAabb>, activity: Activity) {
        let index = id as usize;
        if self.contains(id) {
            self.update(id, aabb);
            self.set_activity(id, activity);
            self.set_group(id, 0);
            return;
        }
        if index >= self.states.len() {
            self.aabbs.resize(index + 1, WorldAabb::EMPTY);
            self.states.resize(index + 1, State::default());
            self.groups.resize(index + 1, 0);
            self.homes.resize(index + 1, Home::NOWHERE);
            self.active_slots.resize(index + 1, 0);
        }
        self.aabbs[index] = aabb.into();
        let state = &mut self.states[index];
        state.is_present = true;
        state.is_active = activity == Activity::Active;
        state.kind = Kind::of(&self.aabbs[index]);
        self.count += 1;
        self.enter(id);
        self.mark(id);
    }

    /// Gives a box a new place and size.
    #[inline]
    pub fn update(&mut self, id: u32, aabb: impl Into<WorldAabb>) {
        let (index, aabb) = (id as usize, aabb.into());
        if !self.contains(id) || bytemuck::bytes_of(&aabb) == bytemuck::bytes_of(&self.aabbs[index]) {
            return;
        }
        let kind = Kind::of(&aabb);
        let state = self.states[index];
        if kind == Kind::Bounded && state.kind == Kind::Bounded {
            self.aabbs[index] = aabb;
            self.forest(state.is_active).moved(id);
        } else {
            self.leave(id);
            self.aabbs[index] = aabb;
            self.states[index].kind = kind;
            self.enter(id);
        }
        self.mark(id);
    }

    /// Says whether a box asks for pairs, or only answers.
    pub fn set_activity(&mut self, id: u32, activity: Activity) {
        let is_active = activity == Activity::Active;
        if self.contains(id) && self.states[id as usize].is_active != is_active {
            self.leave(id);
            self.states[id as usize].is_active = is_active;
            self.enter(id);
            self.mark(id);
        }
    }

    /// Puts a box into a group. Boxes of the same group are no pairs; group 0 is none.
    pub fn set_group(&mut self, id: u32, group: u32) {
        if self.contains(id) && self.groups[id as usize] != group {
            let old = core::mem::replace(&mut self.groups[id as usize], group);
            self.grouped = self.grouped + usize::from(group != 0) - usize::from(old != 0);
            self.mark(id);
        }
    }

    /// Takes a box out. Answers whether it was there.
    pub fn remove(&mut self, id: u32) -> bool {
        if !self.contains(id) {
            return false;
        }
        self.leave(id);
        self.set_group(id, 0);
        self.mark(id);
        self.states[id as usize].is_present = false;
        self.count -= 1;
        true
    }

    /// Takes every box out. The pairs go the next time they are looked for.
    pub fn clear(&mut self) {
        for id in 0..self.states.len() as u32 {
            self.remove(id);
        }
    }

    /// Whether there is a box under an id.
    #[inline]
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        self.states.get(id as usize).is_some_and(|state| state.is_present)
    }

    /// The box under an id.
    #[must_use]
    pub fn aabb(&self, id: u32) -> Option<WorldAabb> {
        self.contains(id).then(|| self.aabbs[id as usize])
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

    /// Notes that an id's pairs may have changed.
    #[inline]
    fn mark(&mut self, id: u32) {
        let state = &mut self.states[id as usize];
        if !state.is_changed {
            state.is_changed = true;
            self.changed.push(id);
        }
    }

    #[inline]
    fn forest(&mut self, is_active: bool) -> InForest<'_> {
        let forest = if is_active { &mut self.active_forest } else { &mut self.resting_forest };
        InForest { forest, homes: &mut self.homes }
    }

    /// Puts an id where its state says it belongs.
    fn enter(&mut self, id: u32) {
        let state = self.states[id as usize];
        match state.kind {
            Kind::Invalid => {}
            Kind::Unbounded => self.unbounded.push(id),
            Kind::Bounded => {
                self.forest(state.is_active).insert(id);
                if state.is_active {
                    self.active_slots[id as usize] = self.active.len() as u32;
                    self.active.push(id);
                }
            }
        }
    }

    /// Takes an id from where its state says it is.
    fn leave(&mut self, id: u32) {
        let state = self.states[id as usize];
        match state.kind {
            Kind::Invalid => {}
            Kind::Unbounded => self.unbounded.retain(|&other| other != id),
            Kind::Bounded => {
                self.forest(state.is_active).remove(id);
                if state.is_active {
                    let slot = self.active_slots[id as usize];
                    self.active.swap_remove(slot as usize);
                    if let Some(&moved) = self.active.get(slot as usize) {
                        self.active_slots[moved as usize] = slot;
                    }
                }
            }
        }
    }
}

/// A forest and the homes it writes.
struct InForest<'a> {
    forest: &'a mut Forest,
    homes: &'a mut [Home],
}

impl InForest<'_> {
    fn insert(self, id: u32) {
        self.forest.insert(id, self.homes);
    }

    #[inline]
    fn moved(self, id: u32) {
        self.forest.moved(id, self.homes);
    }

    fn remove(self, id: u32) {
        self.forest.remove(id, self.homes);
    }
}

/// Pairs.
impl Grid {
    /// Brings the list of pairs up to date.
    pub fn find_pairs(&mut self) {
        if self.changed.is_empty() {
            self.list.keep();
            return;
        }
        self.found.clear();
        if self.changed.len() * FEW_SHARE <= self.active.len() {
            self.find_changed();
            let states = &self.states;
            self.list.merge(&mut self.found, |id| states[id as usize].is_changed);
        } else {
            self.find_all();
            self.list.replace(&self.found, self.states.len());
        }
        for id in self.changed.drain(..) {
            self.states[id as usize].is_changed = false;
        }
    }

    /// Every overlapping pair of two boxes of which one at least is active, and which are not of the same group; sorted.
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

    /// All pairs, from nothing, into `found`.
    fn find_all(&mut self) {
        if !self.resting_forest.is_empty() {
            self.refresh();
        }
        self.cell_pairs.find(&self.active, &self.aabbs, &mut self.found);
        let Grid { aabbs, states, groups, homes, active, unbounded, found, .. } = self;
        let boxes = Boxes { aabbs, homes };
        let allowed = |a: u32, b: u32| groups[a as usize] == 0 || groups[a as usize] != groups[b as usize];
        if self.grouped > 0 {
            found.retain(|pair| allowed(pair.a, pair.b));
        }
        let mut take = |a: u32, b: u32| {
            if allowed(a, b) {
                found.push(Pair::new(a, b));
            }
        };
        if !self.resting_forest.is_empty() {
            self.active_forest.ask_all(&self.resting_forest, boxes, &mut take);
        }
        for (k, &id) in unbounded.iter().enumerate() {
            let (aabb, is_active) = (&aabbs[id as usize], states[id as usize].is_active);
            let others =
                unbounded[k + 1..].iter().filter(|&&other| is_active || states[other as usize].is_active);
            for &other in active.iter().chain(others) {
                if aabb.overlaps(&aabbs[other as usize]) {
                    take(id, other);
                }
            }
            if is_active {
                self.resting_forest.ask(aabb, boxes, |other| take(id, other));
            }
        }
    }

    /// The pairs of changed ids into `found`, some of them twice.
    fn find_changed(&mut self) {
        self.refresh();
        let Grid { aabbs, states, groups, homes, changed, unbounded, found, .. } = self;
        let boxes = Boxes { aabbs, homes };
        for &id in changed.iter() {
            let State { is_present, is_active, kind, .. } = states[id as usize];
            if !is_present || kind == Kind::Invalid {
                continue;
            }
            let (aabb, group) = (&aabbs[id as usize], groups[id as usize]);
            let mut take = |other: u32| {
                if other != id && (group == 0 || group != groups[other as usize]) {
                    found.push(Pair::new(id, other));
                }
            };
            self.active_forest.ask(aabb, boxes, &mut take);
            if is_active {
                self.resting_forest.ask(aabb, boxes, &mut take);
            }
            for &other in unbounded.iter() {
                if (is_active || states[other as usize].is_active) && aabb.overlaps(&aabbs[other as usize]) {
                    take(other);
                }
            }
        }
    }
}

/// Walks over all boxes, active and resting.
impl Grid {
    /// Makes walks quick again after changes.
    pub fn refresh(&mut self) {
        self.active_forest.refresh(&self.aabbs, &mut self.homes);
        self.resting_forest.refresh(&self.aabbs, &mut self.homes);
    }

    /// Calls `visit` with every id whose box satisfies `wanted`, until it answers false.
    ///
    /// `wanted` is asked about boxes around groups of boxes too: it must hold for a box whenever it holds for a box
    /// inside. It may change its mind as the walk goes on, as a search for the nearest does. It is given metres
    /// from the centre of region `origin`, rounded outward.
    pub fn visit(
        &self,
        origin: IVec2,
        mut wanted: impl FnMut(&Aabb) -> bool,
        visit: impl FnMut(u32) -> bool,
    ) {
        self.walk(|aabb| wanted(&aabb.relative_to(origin)), visit);
    }

    /// Calls `visit` with every id whose box overlaps `aabb`, touching included, until it answers false.
    pub fn query(&self, aabb: &WorldAabb, visit: impl FnMut(u32) -> bool) {
        if aabb.is_valid() {
            self.walk(|other| aabb.overlaps(other), visit);
        }
    }

    /// Calls `visit` with ids, the most promising first, as long as `key` of their box is within a bound.
    ///
    /// `key` gives a lower bound for what is sought in a box, a distance say, or infinity where there is nothing;
    /// a box inside must not have a lower one. `visit` answers the new bound: what the best is so far. The bound
    /// begins at infinity. Boxes are given in metres from the centre of region `origin`, rounded outward.
    pub fn visit_nearest(
        &self,
        origin: IVec2,
        mut key: impl FnMut(&Aabb) -> f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        let mut key = |aabb: &WorldAabb| key(&aabb.relative_to(origin));
        let mut bound = f32::INFINITY;
        for &id in &self.unbounded {
            if super::tree::is_wanted(key(&self.aabbs[id as usize]), bound) {
                bound = visit(id);
            }
        }
        let boxes = Boxes { aabbs: &self.aabbs, homes: &self.homes };
        bound = self.active_forest.visit_nearest(boxes, bound, &mut key, &mut visit);
        self.resting_forest.visit_nearest(boxes, bound, &mut key, &mut visit);
    }

    fn walk(&self, mut wanted: impl FnMut(&WorldAabb) -> bool, mut visit: impl FnMut(u32) -> bool) {
        for &id in &self.unbounded {
            if wanted(&self.aabbs[id as usize]) && !visit(id) {
                return;
            }
        }
        let boxes = Boxes { aabbs: &self.aabbs, homes: &self.homes };
        if self.active_forest.visit(boxes, &mut wanted, &mut visit) {
            self.resting_forest.visit(boxes, &mut wanted, &mut visit);
        }
    }
}
