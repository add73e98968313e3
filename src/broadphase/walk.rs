//! Walks over all boxes, for queries.
//!
//! In: what a caller wants of a box. Out: ids. Trees answer, and lists of what has moved since they
//! were refreshed.

use glam::IVec2;

use super::fan::{Question, Walk};
use super::forest::Boxes;
use super::proxy::LAST_EPOCH;
use super::tree::is_wanted;
use super::{Grid, WorldAabb};
use crate::bounds::Aabb;
use crate::simd::inlined;

/// Walks over all boxes, active and resting.
impl Grid {
    /// Makes walks quick again after changes.
    pub fn refresh(&mut self) {
        let boxes = Boxes { proxies: &self.proxies, before: None };
        for forest in [&mut self.active_forest, &mut self.resting_forest] {
            forest.refresh(boxes, &mut self.homes);
            forest.gather(boxes, &mut self.homes);
        }
        // From here on every move is news to the trees once more.
        if self.epoch + 1 < LAST_EPOCH {
            self.epoch += 1;
        } else {
            self.active_forest.outdate();
        }
    }

    /// Calls `visit` with every id whose box satisfies `wanted`, until it answers false.
    ///
    /// `wanted` is asked about boxes around groups of boxes too: it must hold for a box whenever it
    /// holds for a box inside. It may change its mind as the walk goes on, as a search for the
    /// nearest does. It is given metres from the centre of region `origin`, rounded outward.
    pub fn visit(
        &self,
        origin: IVec2,
        mut wanted: impl FnMut(&Aabb) -> bool,
        visit: impl FnMut(u32) -> bool,
    ) {
        self.walk(|aabb| wanted(&aabb.relative_to(origin)), visit);
    }

    /// Calls `visit` with every id whose box overlaps `aabb`, touching included, until it answers
    /// false.
    pub fn query(&self, aabb: &WorldAabb, visit: impl FnMut(u32) -> bool) {
        if aabb.is_valid() {
            self.walk(|other| aabb.overlaps(other), visit);
        }
    }

    /// Calls `visit` with ids, the most promising first, as long as `key` of their box is within a
    /// bound.
    ///
    /// `key` gives a lower bound for what is sought in a box, a distance say, or infinity where
    /// there is nothing; a box inside must not have a lower one. `visit` answers the new bound:
    /// what the best is so far. The bound begins at infinity. Boxes are given in metres from the
    /// centre of region `origin`, rounded outward.
    pub fn visit_nearest(
        &self,
        origin: IVec2,
        mut key: impl FnMut(&Aabb) -> f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        // Inlined at each level of the walk: calls for each box are a fifth of the instructions of
        // a ray.
        let mut key = inlined(
            #[inline(always)]
            |aabb: &WorldAabb| key(&aabb.relative_to(origin)),
        );
        let mut bound = f32::INFINITY;
        for &id in &self.unbounded {
            if is_wanted(key(&self.proxies[id as usize].aabb), bound) {
                bound = visit(id);
            }
        }
        let boxes = (Boxes { proxies: &self.proxies, before: None }, self.homes.as_slice());
        for forest in [&self.active_forest, &self.resting_forest] {
            let key = inlined(
                #[inline(always)]
                |aabb: &WorldAabb| key(aabb),
            );
            bound = forest.visit_nearest(boxes, bound, key, &mut visit);
        }
    }

    /// [`Grid::visit_nearest`] for a question that is asked of eight boxes at a time.
    pub(crate) fn ask_nearest(&self, question: &impl Question, mut visit: impl FnMut(u32) -> f32) {
        let mut bound = f32::INFINITY;
        for &id in &self.unbounded {
            if is_wanted(question.promise_of(&self.proxies[id as usize].aabb), bound) {
                bound = visit(id);
            }
        }
        let boxes = (Boxes { proxies: &self.proxies, before: None }, self.homes.as_slice());
        let forests = [&self.active_forest, &self.resting_forest];
        for forest in forests {
            bound = forest.ask_loose(boxes, question, bound, &mut visit);
        }
        let level = self.lanes().level;
        let mut trees = forests.map(|forest| forest.fans());
        let mut walks = [Walk::new(), Walk::new()];
        loop {
            let mut all_added = true;
            for (walk, trees) in walks.iter_mut().zip(&mut trees) {
                all_added &= walk.begin(trees);
            }
            // Both at a time, wherever there is more to be hoped for: what the one finds near
            // spares the other one what is farther.
            loop {
                let promises = [walks[0].promise(), walks[1].promise()];
                let next = usize::from(promises[1] < promises[0]);
                if promises[next] == f32::INFINITY {
                    break;
                }
                let (forest, homes) = (forests[next], boxes.1);
                let mut last = bound;
                bound = walks[next].advance(level, question, bound, |id| {
                    if !forest.has_moved(id, homes) {
                        last = visit(id);
                    }
                    last
                });
            }
            if all_added {
                break;
            }
        }
    }

    /// Calls `visit` with all ids in whose boxes a question may have an answer, until it answers
    /// false.
    pub(crate) fn ask(&self, question: &impl Question, mut visit: impl FnMut(u32) -> bool) {
        let mut goes_on = true;
        self.ask_nearest(question, |id| {
            goes_on = goes_on && visit(id);
            if goes_on { f32::INFINITY } else { f32::NEG_INFINITY }
        });
    }

    fn walk(&self, mut wanted: impl FnMut(&WorldAabb) -> bool, mut visit: impl FnMut(u32) -> bool) {
        for &id in &self.unbounded {
            if wanted(&self.proxies[id as usize].aabb) && !visit(id) {
                return;
            }
        }
        let boxes = (Boxes { proxies: &self.proxies, before: None }, self.homes.as_slice());
        if self.active_forest.visit(boxes, &mut wanted, &mut visit) {
            self.resting_forest.visit(boxes, &mut wanted, &mut visit);
        }
    }
}
