//! The pairs of the grid: a search of all active boxes, or of the few that changed.
//!
//! In: the table of boxes, and the changes since the last search. Out: the sorted list of pairs,
//! and the added and removed pairs. Called by the world once a step.

use super::{FEW_SHARE, Grid, Moved, is_same};
use crate::broadphase::forest::{Boxes, Forest, Home};
use crate::broadphase::near::{self, World};
use crate::broadphase::pair_list::Merging;
use crate::broadphase::proxy::{ACTIVE, FLAGS, IN_CELL, LAST_EPOCH, PRESENT, Proxy, RESET};
use crate::broadphase::sweep;
use crate::broadphase::{Activity, Pair, WorldAabb};
use crate::threads::Team;
use crate::util::trim::{release, trim};

impl Grid {
    /// Brings [`pairs`](Grid::pairs), [`added`](Grid::added) and [`removed`](Grid::removed) up to
    /// date.
    pub fn find_pairs(&mut self) {
        self.find_changes(&Team::ALONE);
        self.merging().finish();
    }

    /// Finds the added and removed pairs, and leaves the list of pairs to [`Grid::merging`], which
    /// the caller must call once after it.
    pub(in crate::broadphase) fn find_changes(&mut self, team: &Team) {
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

    /// Brings the list of pairs up to date with the added and removed pairs.
    pub(in crate::broadphase) fn merging(&mut self) -> Merging<'_> {
        self.list.merging()
    }

    /// Takes over these sorted pairs as the result of the last search. If all of their boxes are
    /// new here, the next search reports which of them began and ended since.
    pub(crate) fn recall(&mut self, pairs: &[Pair]) {
        self.list.restore(pairs);
    }

    /// Becomes a grid that contains what `of` returns for each id below `count` (its box, whether
    /// it is active, its group), and whose last search left `pairs`. The next search finds the same
    /// changes as in that grid. Boxes that rest both here and there cost nothing.
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
        let mut all_active = true;
        for id in 0..self.proxies.len() as u32 {
            match if (id as usize) < count { of(id) } else { None } {
                Some((aabb, activity, group)) => {
                    all_active &= activity == Activity::Active;
                    // Mostly the box here equals the box there.
                    let proxy = &mut self.proxies[id as usize];
                    if activity == Activity::Active
                        && proxy.is(PRESENT | ACTIVE)
                        && proxy.group == group
                        && is_same(&aabb, &proxy.aabb)
                    {
                        self.changes.reset(id, proxy);
                        continue;
                    }
                    if self.contains(id) {
                        self.update(id, aabb);
                        self.set_activity(id, activity);
                    } else {
                        self.insert(id, aabb, activity);
                    }
                    self.set_group(id, group);
                    let proxy = &mut self.proxies[id as usize];
                    if proxy.is(ACTIVE) {
                        // The list has pairs of this box that this grid did not find.
                        self.changes.reset(id, proxy);
                    }
                }
                None => {
                    all_active = false;
                    self.remove(id);
                }
            }
        }
        // Pairs without an active box: both boxes rest by now, or are gone.
        for &Pair { a, b } in if all_active { &[] } else { pairs } {
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

    /// Returns every overlapping pair of two boxes that share no group, at least one of them
    /// active; sorted.
    #[inline]
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.list.pairs
    }

    /// Returns the pairs that began by the last [`find_pairs`](Grid::find_pairs); sorted.
    #[inline]
    #[must_use]
    pub fn added(&self) -> &[Pair] {
        &self.list.added
    }

    /// Returns the pairs that ended by the last [`find_pairs`](Grid::find_pairs); sorted.
    #[inline]
    #[must_use]
    pub fn removed(&self) -> &[Pair] {
        &self.list.removed
    }

    /// Gives back the memory of searches of all boxes, if there was none since the last call.
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

    /// Finds the changed pairs of all active boxes with each other and with the rest.
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

    /// Finds the changed pairs of moved boxes and of `askers`; the pairs of the first `new` askers
    /// are found anew.
    fn find_few(&mut self, new: usize) {
        let Grid { proxies, homes, unbounded, active_forest, resting_forest, order, .. } = self;
        // In the order of the trees, so that neighbours search one after the other.
        self.moved.sort_unstable_by_key(|moved| (homes[moved.id as usize].slot(), moved.id));
        for &Moved { id, before } in &self.moved {
            order.touch(id, &mut proxies[id as usize], before);
            // A query since the move may have refreshed the tree, which then lacks the old bounds.
            // (A box that came to rest since it moved may stand in a tree of the resting boxes by
            // now; marked here, that tree would miss its next move.)
            if proxies[id as usize].is(IN_CELL) {
                active_forest.moved(id, homes);
            }
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

    /// Once every box has been at all its places, no column grows any more.
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

    /// When all boxes grow at once, no cell is wide enough for them; they get new cells before they
    /// are compared, and not only the next time. (Without that, 22,000 boxes took 235 ms once.)
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
