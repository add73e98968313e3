//! A changing set of boxes, as a few static trees and a short list.
//!
//! In: ids that come, go and move. Out: walks over the boxes, right at any time and fast after
//! [`Forest::refresh`]; and the overlapping pairs of two forests. The grid keeps a forest of moving
//! boxes and a forest of resting boxes.
//!
//! New ids wait on the loose list. When it is long, it becomes a tree together with the smaller
//! trees. So a box is sorted again a logarithmic number of times, and one new box among a million
//! costs no rebuild (Bentley and Saxe, Decomposable searching problems, 1980). Moved boxes keep
//! their place, and the bounds of the nodes are refitted. A moved box that has left its neighbours
//! goes to the loose list too.

mod transplant;

use super::WorldAabb;
use super::cell_order::union_of;
use super::fan::{Fans, Question};
use super::proxy::{EPOCH_SHIFT, Proxy, RESET};
use super::tree::{Entry, Tree, is_wanted};
use crate::simd::inlined;
use crate::util::Prefetch;
use crate::util::trim::{release, trim};

/// The longest list that waits without a tree.
const LONGEST_LOOSE: usize = 32;

/// The most entries of an unused tree that is kept for its memory.
const MOST_SPARE: usize = 1 << 14;

/// The longest such list for queries: each loose box takes a query a quarter of the time of a fan.
const LOOSE_FOR_QUESTIONS: usize = 4;

/// If more than one in this many entries moved, refitting all nodes is quicker than refitting path
/// by path.
const REFIT_SHARE: usize = 16;

/// The place of an id in its forest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Home {
    tree: u32,
    slot: u32,
}

const IN_LIST: u32 = u32::MAX;
const STALE: u32 = 1 << 31;

impl Home {
    pub(super) const NOWHERE: Home = Home { tree: u32::MAX - 1, slot: u32::MAX };

    /// Returns the place in its tree.
    #[inline]
    pub(super) fn slot(self) -> u32 {
        self.slot
    }

    /// Whether the tree's copy of the box is out of date.
    #[inline]
    pub(super) fn is_stale(self) -> bool {
        self.tree & STALE != 0
    }
}

#[derive(Debug, Default)]
pub(super) struct Forest {
    trees: Vec<Tree>,
    /// Unused trees, kept for their memory.
    spare: Vec<Tree>,
    loose: Vec<u32>,
    /// How many of the first loose ids stand in the order of a tree.
    in_order: usize,
    /// Ids of boxes that moved since the last refresh; some may be gone.
    stale: Vec<u32>,
    dirty: Vec<Home>,
    /// Whether more boxes may have moved than `stale` lists.
    is_outdated: bool,
}

impl Clone for Forest {
    fn clone(&self) -> Forest {
        let mut forest = Forest::default();
        forest.clone_from(self);
        forest
    }

    /// Surplus trees are kept for their memory.
    fn clone_from(&mut self, source: &Forest) {
        while self.trees.len() > source.trees.len()
            && let Some(tree) = self.trees.pop()
        {
            self.spare.push(tree);
        }
        while self.trees.len() < source.trees.len() {
            self.trees.push(self.spare.pop().unwrap_or_default());
        }
        self.trees.iter_mut().zip(&source.trees).for_each(|(tree, source)| tree.clone_from(source));
        self.loose.clone_from(&source.loose);
        self.in_order = source.in_order;
        self.stale.clone_from(&source.stale);
        self.dirty.clone_from(&source.dirty);
        self.is_outdated = source.is_outdated;
    }
}

impl Forest {
    /// Prefetches the struct itself.
    pub(super) fn prefetch_head(&self, fetch: &mut Prefetch) {
        let Forest { trees, loose, stale, dirty, .. } = self;
        fetch.lengths([trees.len(), loose.len(), stale.len(), dirty.len()]);
    }
}

/// The rows of the grid that a forest reads: the boxes, now and at the last search.
#[derive(Clone, Copy)]
pub(super) struct Boxes<'a> {
    pub(super) proxies: &'a [Proxy],
    /// By id, the bounds at the last search of boxes that moved since an epoch. If given, the box
    /// of an id encloses its present and its last bounds.
    pub(super) before: Option<(&'a [WorldAabb], u32)>,
}

impl Boxes<'_> {
    #[inline]
    pub(super) fn aabb(&self, id: u32) -> WorldAabb {
        let proxy = &self.proxies[id as usize];
        match self.before {
            Some((before, searched)) if proxy.state >> EPOCH_SHIFT >= searched && !proxy.is(RESET) => {
                union_of(&proxy.aabb, &before[id as usize])
            }
            _ => proxy.aabb,
        }
    }
}

/// The trees of a forest in lanes.
#[derive(Clone)]
pub(super) struct AllFans<'t>(core::slice::Iter<'t, Tree>);

impl<'t> Iterator for AllFans<'t> {
    type Item = &'t Fans;

    #[inline]
    fn next(&mut self) -> Option<&'t Fans> {
        self.0.next().map(Tree::fans)
    }
}

impl Forest {
    pub(super) fn insert(&mut self, id: u32, homes: &mut [Home]) {
        homes[id as usize] = Home { tree: IN_LIST, slot: self.loose.len() as u32 };
        self.loose.push(id);
    }

    /// Makes room for `count` more ids.
    pub(super) fn reserve(&mut self, count: usize) {
        self.loose.reserve(count);
    }

    pub(super) fn remove(&mut self, id: u32, homes: &mut [Home]) {
        let home = core::mem::replace(&mut homes[id as usize], Home::NOWHERE);
        if home.tree == IN_LIST {
            self.in_order = self.in_order.min(home.slot as usize);
            self.loose.swap_remove(home.slot as usize);
            if let Some(&moved) = self.loose.get(home.slot as usize) {
                homes[moved as usize].slot = home.slot;
            }
        } else {
            self.trees[(home.tree & !STALE) as usize].kill(home.slot as usize);
        }
    }

    /// Notes that a box changed.
    #[inline]
    pub(super) fn moved(&mut self, id: u32, homes: &mut [Home]) {
        let home = &mut homes[id as usize];
        if !home.is_stale() {
            home.tree |= STALE;
            self.stale.push(id);
        }
    }

    /// Notes that a box changed, as [`Forest::moved`] does. If `most` boxes are listed already, all
    /// boxes count as changed. (A box that changes right after a refresh, in a step in which most
    /// boxes moved, is one of few.)
    #[inline]
    pub(super) fn moved_or_outdated(&mut self, id: u32, homes: &mut [Home], most: usize) {
        if self.is_outdated {
            return;
        }
        if self.stale.len() < most {
            self.moved(id, homes);
        } else {
            self.outdate();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.loose.is_empty() && self.trees.iter().all(|tree| tree.dead == tree.entries.len())
    }

    /// Frees memory of lists and of unused trees.
    pub(super) fn trim(&mut self) {
        self.spare.retain(|tree| tree.entries.capacity() <= MOST_SPARE);
        [&mut self.loose, &mut self.stale].into_iter().for_each(trim);
        release(&mut self.dirty);
    }

    /// Notes that any number of boxes changed.
    #[inline]
    pub(super) fn outdate(&mut self) {
        self.is_outdated = true;
    }

    /// Brings trees and bounds up to date.
    pub(super) fn refresh(&mut self, boxes: Boxes<'_>, homes: &mut [Home]) {
        if core::mem::take(&mut self.is_outdated) {
            self.stale.clear();
            for tree in &self.trees {
                for entry in tree.live() {
                    homes[entry.id as usize].tree |= STALE;
                    self.stale.push(entry.id);
                }
            }
        }
        if !self.stale.is_empty() {
            self.write_moved(boxes, homes);
            let planted: usize = self.trees.iter().map(|tree| tree.entries.len()).sum();
            if self.dirty.len() * REFIT_SHARE > planted {
                self.refit_all(homes);
            } else {
                self.refit_some(homes);
            }
        }
        self.plant(boxes, homes);
    }

    /// Copies moved boxes into their entries and lists these entries. Refits the nodes above them.
    fn write_moved(&mut self, boxes: Boxes<'_>, homes: &mut [Home]) {
        self.dirty.clear();
        for id in self.stale.drain(..) {
            let home = &mut homes[id as usize];
            let (tree, slot) = ((home.tree & !STALE) as usize, home.slot as usize);
            // The id may be gone, or have come again and have another home.
            let Some(entry) = self.trees.get_mut(tree).and_then(|tree| tree.entries.get_mut(slot)) else {
                continue;
            };
            if !home.is_stale() || home.tree == IN_LIST || entry.id != id {
                continue;
            }
            home.tree &= !STALE;
            entry.aabb = boxes.aabb(id);
            self.dirty.push(*home);
        }
    }

    /// Refits all nodes after many boxes moved.
    fn refit_all(&mut self, homes: &mut [Home]) {
        self.trees.iter_mut().for_each(Tree::refit);
        let loose = self.loose.len();
        self.let_go(homes);
        if self.loose.len() > loose {
            self.trees.iter_mut().for_each(Tree::refit);
        }
    }

    /// Refits the nodes on the way from each moved box to the root, after a few boxes moved.
    fn refit_some(&mut self, homes: &mut [Home]) {
        for home in &self.dirty {
            self.trees[home.tree as usize].refit_block(home.slot as usize);
        }
        self.let_go(homes);
        for home in &self.dirty {
            let tree = &mut self.trees[home.tree as usize];
            tree.refit_block(home.slot as usize);
            tree.refit_above(home.slot as usize);
        }
    }

    /// Moves boxes that have left their neighbours to the loose list. Bounds stay as they are.
    fn let_go(&mut self, homes: &mut [Home]) {
        for &Home { tree, slot } in &self.dirty {
            let tree = &mut self.trees[tree as usize];
            if tree.is_loosened(slot as usize) {
                let id = tree.entries[slot as usize].id;
                tree.kill(slot as usize);
                homes[id as usize] = Home { tree: IN_LIST, slot: self.loose.len() as u32 };
                self.loose.push(id);
            }
        }
    }

    /// Removes trees without a live entry.
    fn fell_dead(&mut self, homes: &mut [Home]) {
        let is_dead = |tree: &Tree| tree.dead == tree.entries.len();
        let Some(first) = self.trees.iter().position(is_dead) else { return };
        for index in (first..self.trees.len()).rev() {
            if is_dead(&self.trees[index]) {
                self.spare.push(self.trees.remove(index));
            }
        }
        for (index, tree) in self.trees.iter().enumerate().skip(first) {
            for entry in tree.live() {
                let home = &mut homes[entry.id as usize];
                home.tree = home.tree & STALE | index as u32;
            }
        }
    }

    /// Makes a tree of the loose list and of the trees that are not much larger. If a tree is
    /// mostly dead, the new tree includes it and all trees behind it.
    fn plant(&mut self, boxes: Boxes<'_>, homes: &mut [Home]) {
        self.fell_dead(homes);
        let mut keep = self.trees.iter().position(|tree| 2 * tree.dead > tree.entries.len());
        if self.loose.len() > LONGEST_LOOSE {
            let first = self.first_like(self.loose.len());
            keep = Some(keep.map_or(first, |keep| keep.min(first)));
        }
        keep.into_iter().for_each(|keep| self.plant_from(keep, boxes, homes));
    }

    /// Makes one tree of all boxes if the smaller trees have many of them: each tree costs a walk
    /// some more fans. One new box among a million still costs no rebuild: the next rebuild comes
    /// when an eighth of the boxes is new.
    pub(super) fn gather(&mut self, boxes: Boxes<'_>, homes: &mut [Home]) {
        if self.loose.len() > LOOSE_FOR_QUESTIONS {
            let keep = self.first_like(self.loose.len());
            self.plant_from(keep, boxes, homes);
        }
        let count = |trees: &[Tree]| trees.iter().map(|tree| tree.entries.len()).sum::<usize>();
        if self.trees.len() > 1 && 8 * count(&self.trees[1..]) > count(&self.trees) {
            self.plant_from(0, boxes, homes);
        }
    }

    /// Returns the first of the last trees that are not much larger than `count` boxes and all
    /// trees behind them together.
    fn first_like(&self, mut count: usize) -> usize {
        let mut first = self.trees.len();
        while first > 0 && self.trees[first - 1].entries.len() <= 4 * count {
            first -= 1;
            count += self.trees[first].entries.len();
        }
        first
    }

    /// Makes a tree of the loose list and of all trees from `keep` on.
    fn plant_from(&mut self, keep: usize, boxes: Boxes<'_>, homes: &mut [Home]) {
        while self.trees.len() > keep
            && let Some(tree) = self.trees.pop()
        {
            self.loose.extend(tree.live().map(|entry| entry.id));
            self.spare.push(tree);
        }
        let Some(mut tree) = (!self.loose.is_empty()).then(|| self.spare.pop().unwrap_or_default()) else {
            return;
        };
        tree.build(&self.loose, boxes);
        self.loose.clear();
        self.in_order = 0;
        for (slot, entry) in tree.entries.iter().enumerate() {
            homes[entry.id as usize] = Home { tree: keep as u32, slot: slot as u32 };
        }
        self.trees.push(tree);
    }

    /// Writes the present box of an id into its entry, which may be larger. Bounds stay as they
    /// are.
    pub(super) fn narrow(&mut self, id: u32, aabb: &WorldAabb, homes: &[Home]) {
        let home = homes[id as usize];
        let entry = self
            .trees
            .get_mut((home.tree & !STALE) as usize)
            .and_then(|tree| tree.entries.get_mut(home.slot as usize));
        if let Some(entry) = entry.filter(|entry| entry.id == id && home.tree != IN_LIST) {
            entry.aabb = *aabb;
        }
    }

    /// Whether a box may overlap a box of the forest, which must be fresh.
    pub(super) fn is_near(&self, aabb: &WorldAabb) -> bool {
        !self.loose.is_empty()
            || self.trees.iter().any(|tree| tree.root().is_some_and(|root| tree.bounds(root).overlaps(aabb)))
    }

    /// Returns the boxes around groups of neighbours, as of the last refit.
    #[cfg(feature = "draw")]
    pub(super) fn groups(&self) -> impl Iterator<Item = &WorldAabb> {
        self.trees.iter().flat_map(Tree::groups)
    }

    /// Walks all boxes; see [`Tree::visit`]. Returns whether the walk was not stopped.
    pub(super) fn visit(
        &self,
        (boxes, homes): (Boxes<'_>, &[Home]),
        mut wanted: impl FnMut(&WorldAabb) -> bool,
        mut visit: impl FnMut(u32) -> bool,
    ) -> bool {
        for id in self.loose.iter().copied().chain(self.moved_ids(homes)) {
            if wanted(&boxes.aabb(id)) && !visit(id) {
                return false;
            }
        }
        if self.is_outdated {
            let mut entries = self.trees.iter().flat_map(Tree::live);
            return entries.all(|entry| !wanted(&boxes.aabb(entry.id)) || visit(entry.id));
        }
        let is_current = |entry: &Entry| !homes[entry.id as usize].is_stale();
        self.trees.iter().all(|tree| {
            tree.visit(&mut wanted, |entry| if is_current(entry) { visit(entry.id) } else { true })
        })
    }

    /// Returns ids whose boxes have moved away from their entries; none if that may be all boxes.
    fn moved_ids(&self, homes: &[Home]) -> impl Iterator<Item = u32> {
        let stale = if self.is_outdated { &[] } else { self.stale.as_slice() };
        stale.iter().copied().filter(move |&id| {
            let home = homes[id as usize];
            let entry = self
                .trees
                .get((home.tree & !STALE) as usize)
                .and_then(|tree| tree.entries.get(home.slot as usize));
            home.tree != IN_LIST && home.is_stale() && entry.is_some_and(|entry| entry.id == id)
        })
    }

    /// Walks boxes nearest first; see [`Tree::visit_nearest`].
    pub(super) fn visit_nearest(
        &self,
        (boxes, homes): (Boxes<'_>, &[Home]),
        mut bound: f32,
        mut key: impl FnMut(&WorldAabb) -> f32,
        mut visit: impl FnMut(u32) -> f32,
    ) -> f32 {
        let outdated = if self.is_outdated { self.trees.as_slice() } else { &[] };
        let outdated = outdated.iter().flat_map(Tree::live).map(|entry| entry.id);
        for id in self.loose.iter().copied().chain(self.moved_ids(homes)).chain(outdated) {
            if is_wanted(key(&boxes.aabb(id)), bound) {
                bound = visit(id);
            }
        }
        let current = if self.is_outdated { &[] } else { self.trees.as_slice() };
        for tree in current {
            let key = inlined(
                #[inline(always)]
                |aabb: &WorldAabb| key(aabb),
            );
            bound = tree.visit_nearest(bound, key, |entry, bound| {
                if homes[entry.id as usize].is_stale() { bound } else { visit(entry.id) }
            });
        }
        bound
    }

    /// Tests all boxes outside of the trees: new and moved ones. Takes and returns the bound.
    #[inline]
    pub(super) fn ask_loose(
        &self,
        boxes: (Boxes<'_>, &[Home]),
        question: &impl Question,
        bound: f32,
        visit: &mut dyn FnMut(u32) -> f32,
    ) -> f32 {
        let all_planted = self.loose.is_empty() && self.stale.is_empty() && !self.is_outdated;
        if all_planted { bound } else { self.ask_one_by_one(boxes, question, bound, visit) }
    }

    /// Returns how many boxes a query tests one by one.
    #[inline]
    pub(super) fn waiting(&self) -> usize {
        let outdated = if self.is_outdated { self.trees.as_slice() } else { &[] };
        self.loose.len() + self.stale.len() + outdated.iter().map(|tree| tree.entries.len()).sum::<usize>()
    }

    /// Returns how many boxes wait for a refresh that puts them into trees.
    #[inline]
    pub(super) fn unplanted(&self) -> usize {
        let kept = if self.loose.len() > LOOSE_FOR_QUESTIONS { 0 } else { self.loose.len() };
        self.waiting() - kept
    }

    /// Returns how many boxes there are in trees.
    pub(super) fn planted(&self) -> usize {
        self.trees.iter().map(|tree| tree.entries.len() - tree.dead).sum()
    }

    #[inline(never)]
    fn ask_one_by_one(
        &self,
        (boxes, homes): (Boxes<'_>, &[Home]),
        question: &impl Question,
        mut bound: f32,
        visit: &mut dyn FnMut(u32) -> f32,
    ) -> f32 {
        let outdated = if self.is_outdated { self.trees.as_slice() } else { &[] };
        let outdated = outdated.iter().flat_map(Tree::live).map(|entry| entry.id);
        for id in self.loose.iter().copied().chain(self.moved_ids(homes)).chain(outdated) {
            if is_wanted(question.promise_of(&boxes.aabb(id)), bound) {
                bound = visit(id);
            }
        }
        bound
    }

    /// Returns the loose ids.
    pub(super) fn loose(&self) -> impl Iterator<Item = u32> {
        self.loose.iter().copied()
    }

    /// Returns the number of loose ids.
    pub(super) fn loose_count(&self) -> usize {
        self.loose.len()
    }

    /// Returns the ids in the order in which another forest takes them over.
    #[cfg(test)]
    pub(super) fn all_in_order(&self) -> Vec<u32> {
        self.trees.iter().flat_map(Tree::live).map(|entry| entry.id).chain(self.ordered()).collect()
    }

    #[cfg(test)]
    pub(super) fn tree_count(&self) -> usize {
        self.trees.len()
    }

    /// Returns the trees in lanes; none if all boxes may have moved.
    pub(super) fn fans(&self) -> AllFans<'_> {
        let current = if self.is_outdated { &[] } else { self.trees.as_slice() };
        AllFans(current.iter())
    }

    /// Whether boxes may have moved away from their entries: boxes with stale homes, which
    /// [`Forest::ask_loose`] tests. Usually no box has, and no home needs a check.
    pub(super) fn any_moved(&self) -> bool {
        !self.stale.is_empty()
    }

    /// Calls `found` with every box that overlaps `aabb`.
    pub(super) fn ask(&self, aabb: &WorldAabb, boxes: (Boxes<'_>, &[Home]), mut found: impl FnMut(u32)) {
        self.visit(
            boxes,
            |other| aabb.overlaps(other),
            |id| {
                found(id);
                true
            },
        );
    }
}
