//! Takes trees and their order over from another forest.
//!
//! In: a forest that has the same boxes under other ids. Out: the loose ids in trees as in that
//! forest, or sorted so. Called by `arrivals.rs` when a piece of a world comes in: sorting its
//! boxes takes longer than everything else that it needs.

use super::{Boxes, Forest, Home, IN_LIST, LONGEST_LOOSE, STALE};
use crate::broadphase::tree::Tree;
use crate::util::NumberTable;
use crate::util::sort;

/// The most trees of a forest that takes trees over: each costs every walk its root. Beyond it, the
/// loose ids are sorted into a tree of this forest.
const MOST_TREES: usize = 16;

/// If another forest takes over fewer than one in this many of the boxes in trees, their places are
/// sorted; else all trees are walked.
const SORT_SHARE: usize = 4;

impl Forest {
    /// Moves loose ids into trees like the trees of another forest, which has them under other ids.
    /// The order is taken over, and nothing is sorted.
    pub(in crate::broadphase) fn plant_like(
        &mut self,
        (other, names): (&Forest, &NumberTable),
        boxes: Boxes<'_>,
        homes: &mut [Home],
    ) {
        if self.trees.len() + other.trees.len() + 1 > MOST_TREES {
            return;
        }
        let before = self.trees.len();
        for theirs in other.trees.iter().filter(|tree| tree.entries.len() - tree.dead > LONGEST_LOOSE) {
            self.plant_run((theirs.live().map(|entry| entry.id), names), boxes, homes);
        }
        if other.in_order > LONGEST_LOOSE {
            self.plant_run((other.ordered(), names), boxes, homes);
        }
        if self.trees.len() == before {
            return;
        }
        self.loose.retain(|&id| homes[id as usize].tree == IN_LIST);
        for (slot, &id) in self.loose.iter().enumerate() {
            homes[id as usize].slot = slot as u32;
        }
        self.in_order = 0;
    }

    /// Makes a tree of loose ids in the order of another forest. The caller updates the list of
    /// loose ids.
    fn plant_run(
        &mut self,
        (theirs, names): (impl Iterator<Item = u32>, &NumberTable),
        boxes: Boxes<'_>,
        homes: &mut [Home],
    ) {
        let mut tree = self.spare.pop().unwrap_or_default();
        let named = theirs.map(|id| names.of(id));
        tree.build_in_order(named.filter(|&id| self.is_loose(id, homes)), boxes);
        for (slot, entry) in tree.entries.iter().enumerate() {
            homes[entry.id as usize] = Home { tree: self.trees.len() as u32, slot: slot as u32 };
        }
        self.trees.push(tree);
    }

    /// Returns the loose ids that stand in the order of a tree.
    pub(super) fn ordered(&self) -> impl Iterator<Item = u32> + '_ {
        self.loose[..self.in_order].iter().copied()
    }

    /// Returns the place of an id in the order of the trees and of the list behind them: a tree,
    /// and an index in it.
    fn place_in_order(&self, id: u32, homes: &[Home]) -> Option<[u32; 2]> {
        let home = *homes.get(id as usize)?;
        if home.tree == IN_LIST {
            let is_there = self.loose[..self.in_order].get(home.slot as usize) == Some(&id);
            return is_there.then_some([self.trees.len() as u32, home.slot]);
        }
        let tree = home.tree & !STALE;
        // The home of an id may be in another forest.
        let entry = self.trees.get(tree as usize)?.entries.get(home.slot as usize)?;
        (entry.id == id).then_some([tree, home.slot])
    }

    #[inline]
    fn is_loose(&self, id: u32, homes: &[Home]) -> bool {
        let home = homes.get(id as usize).copied().unwrap_or(Home::NOWHERE);
        home.tree == IN_LIST && self.loose.get(home.slot as usize) == Some(&id)
    }

    /// Sorts loose ids in the order of the trees of another forest, which has them under other ids.
    pub(in crate::broadphase) fn order_like(
        &mut self,
        (other, names): (&Forest, &NumberTable),
        (theirs, homes): (&[Home], &mut [Home]),
    ) {
        if self.loose.len() <= LONGEST_LOOSE {
            // So few ids make no tree.
            return;
        }
        let mut order = Vec::with_capacity(self.loose.len());
        let planted: usize = other.trees.iter().map(|tree| tree.entries.len()).sum();
        if self.loose.len() * SORT_SHARE < planted {
            let place = |&id: &u32| Some((other.place_in_order(id, theirs)?, names.of(id)));
            let mut places: Vec<([u32; 2], u32)> = names.keys().iter().filter_map(place).collect();
            sort::plain(&mut places);
            order.extend(places.into_iter().map(|(_, id)| id).filter(|&id| self.is_loose(id, homes)));
        } else {
            let in_trees = other.trees.iter().flat_map(Tree::live).map(|entry| entry.id);
            let named = in_trees.chain(other.ordered()).map(|id| names.of(id));
            order.extend(named.filter(|&id| self.is_loose(id, homes)));
        }
        for (slot, &id) in (0..).zip(&order) {
            homes[id as usize].slot = slot;
        }
        self.in_order = order.len();
        let rest = self.loose.iter().filter(|&&id| order.get(homes[id as usize].slot as usize) != Some(&id));
        let rest: Vec<u32> = rest.copied().collect();
        for &id in &rest {
            homes[id as usize].slot = order.len() as u32;
            order.push(id);
        }
        self.loose = order;
    }
}
