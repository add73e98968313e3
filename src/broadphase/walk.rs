//! Walks over all boxes, for queries.
//!
//! In: what a caller wants of a box. Out: ids. Trees answer, and lists of what has moved since they
//! were refreshed.

use glam::IVec2;

use super::forest::Boxes;
use super::proxy::LAST_EPOCH;
use super::{Grid, WorldAabb};
use crate::bounds::Aabb;
use crate::simd::inlined;

/// Walks over all boxes, active and resting.
impl Grid {
    /// Makes walks quick again after changes.
    pub fn refresh(&mut self) {
        let boxes = Boxes { proxies: &self.proxies, before: None };
        self.active_forest.refresh(boxes, &mut self.homes);
        self.resting_forest.refresh(boxes, &mut self.homes);
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
            if super::tree::is_wanted(key(&self.proxies[id as usize].aabb), bound) {
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
