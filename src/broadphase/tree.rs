//! A static order of boxes in space with a tree of bounds over it (bounding volume hierarchy, BVH).
//!
//! In: boxes with ids. Out: the boxes that a query accepts, at a cost in proportion to their
//! number. Forests consist of such trees.
//!
//! ```text
//!   entries   neighbours together when built                           e e e e e e e e | e e e ...
//!   rows[0]   one box around eight entries                                 n          n
//!   rows[1]   one box around eight of those, and so on up to one                  n
//! ```
//!
//! The boxes of the rows also stand in SIMD lanes: see `fan.rs`. Pair searches use the rows, and
//! queries the lanes.
//!
//! The tree has no pointers: node k of a row is over 8k to 8k + 7 of the row below. Entries may
//! move or die in their place. Bounds follow, but the order stays, so a forest removes entries that
//! have moved away from their neighbours.

use glam::IVec2;

use super::fan::{Fans, NO_ID};
use super::forest::Boxes;
use super::{WorldAabb, cell};
use crate::bounds::Aabb;
use crate::util::trim::release;

/// Children of a node.
pub(super) const FAN: usize = 8;

/// Rows over 2^32 entries, and the entries.
const MAX_HEIGHT: usize = 12;

/// The id of a removed entry.
const DEAD: u32 = NO_ID;

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) aabb: WorldAabb,
    pub(super) id: u32,
}

/// The centre of a box, in 2^32 parts of the box around all centres.
#[derive(Clone, Copy, Debug)]
struct Centre {
    at: [u32; 2],
    id: u32,
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) entries: Vec<Entry>,
    rows: Vec<Vec<WorldAabb>>,
    height: usize,
    /// The rows in lanes, one after the other; `starts` has the index of the first fan of each row.
    fans: Fans,
    starts: [u32; MAX_HEIGHT],
    /// Width plus height of each node of the first row when it was built.
    built_sizes: Vec<f32>,
    pub(super) dead: usize,
    order: Vec<Centre>,
}

impl Clone for Tree {
    fn clone(&self) -> Tree {
        let mut tree = Tree::default();
        tree.clone_from(self);
        tree
    }

    /// Surplus rows are kept for their memory, and so is the order, which only building needs.
    fn clone_from(&mut self, source: &Tree) {
        self.entries.clone_from(&source.entries);
        let missing = source.height.saturating_sub(self.rows.len());
        self.rows.extend((0..missing).map(|_| Vec::new()));
        let rows = self.rows.iter_mut().zip(&source.rows).take(source.height);
        rows.for_each(|(row, source)| row.clone_from(source));
        self.fans.clone_from(&source.fans);
        self.built_sizes.clone_from(&source.built_sizes);
        (self.height, self.starts, self.dead) = (source.height, source.starts, source.dead);
    }
}

/// A node, or an entry if `row` is 0: rows\[row - 1\]\[index\].
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) row: u32,
    pub(super) index: u32,
}

impl Tree {
    /// Builds the tree anew over `ids`, which must be bounded boxes.
    pub(super) fn build(&mut self, ids: &[u32], boxes: Boxes<'_>) {
        self.sort(ids, boxes);
        let order = core::mem::take(&mut self.order);
        self.build_in_order(order.iter().map(|centre| centre.id), boxes);
        self.order = order;
        // 12 bytes an entry, which only building needs.
        release(&mut self.order);
    }

    /// Builds the tree over ids that are sorted already.
    pub(super) fn build_in_order(&mut self, ids: impl Iterator<Item = u32>, boxes: Boxes<'_>) {
        self.entries.clear();
        self.entries.extend(ids.map(|id| Entry { aabb: boxes.aabb(id), id }));
        self.dead = 0;
        self.lay_rows();
        self.refit();
        self.built_sizes.clear();
        if let Some(row) = self.rows.first() {
            self.built_sizes.extend(row.iter().map(size_of));
        }
    }

    /// Orders ids so that the eight below each node are close together. It cuts all ids in two at a
    /// place between two nodes, across the longer side of the box around their centres, and then
    /// each half, until a node is alone. (Tried: along a Hilbert curve, eight of 8^k in a row may
    /// lie on both sides of a jump: queries opened a fifth more nodes of 100,000 boxes.)
    fn sort(&mut self, ids: &[u32], boxes: Boxes<'_>) {
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for &id in ids {
            let centre = cell::centre(&boxes.aabb(id));
            for axis in 0..2 {
                low[axis] = low[axis].min(centre[axis]);
                high[axis] = high[axis].max(centre[axis]);
            }
        }
        let extent = (high[0].wrapping_sub(low[0]) as u64).max(high[1].wrapping_sub(low[1]) as u64);
        let shift = 32_u32.saturating_sub(extent.leading_zeros());
        self.order.clear();
        self.order.extend(ids.iter().map(|&id| {
            let centre = cell::centre(&boxes.aabb(id));
            let part = |axis: usize| (centre[axis].wrapping_sub(low[axis]) as u64 >> shift) as u32;
            Centre { at: [part(0), part(1)], id }
        }));
        cut(&mut self.order);
    }

    fn lay_rows(&mut self) {
        let (mut len, mut count) = (self.entries.len(), 0);
        self.height = 0;
        while len > 0 && (self.height == 0 || len > 1) {
            len = len.div_ceil(FAN);
            if self.rows.len() == self.height {
                self.rows.push(Vec::new());
            }
            self.rows[self.height].clear();
            self.rows[self.height].resize(len, WorldAabb::EMPTY);
            self.starts[self.height] = count as u32;
            count += len;
            self.height += 1;
        }
        let region = self.entries.first().map_or(IVec2::ZERO, |entry| entry.aabb.region);
        self.fans.lay(self.entries.iter().map(|entry| entry.id), region);
    }

    /// Returns the boxes in lanes.
    pub(super) fn fans(&self) -> &Fans {
        &self.fans
    }

    /// Refits the bounds of all nodes.
    pub(super) fn refit(&mut self) {
        for row in 0..self.height {
            for index in 0..self.rows[row].len() {
                self.refit_node(row, index);
            }
        }
    }

    /// Refits the node of the first row over an entry.
    pub(super) fn refit_block(&mut self, slot: usize) {
        self.refit_node(0, slot / FAN);
    }

    /// Refits every node over an entry above the first row.
    pub(super) fn refit_above(&mut self, slot: usize) {
        let mut index = slot / FAN;
        for row in 1..self.height {
            index /= FAN;
            self.refit_node(row, index);
        }
    }

    #[inline]
    fn refit_node(&mut self, row: usize, index: usize) {
        let begin = index * FAN;
        let fan = self.starts[row] as usize + index;
        let union = if row == 0 {
            let end = (begin + FAN).min(self.entries.len());
            let boxes = self.entries[begin..end].iter().map(|entry| &entry.aabb);
            let union = union_of(boxes.clone());
            self.fans.set(fan, union.region, boxes);
            union
        } else {
            let below = &self.rows[row - 1];
            let boxes = below[begin..(begin + FAN).min(below.len())].iter();
            let union = union_of(boxes.clone());
            self.fans.set(fan, union.region, boxes);
            union
        };
        self.rows[row][index] = union;
    }

    /// Whether the boxes around an entry have moved apart since the tree was built.
    pub(super) fn is_loosened(&self, slot: usize) -> bool {
        size_of(&self.rows[0][slot / FAN]) > 2.0 * self.built_sizes[slot / FAN]
    }

    /// Removes an entry. Bounds stay until they are refitted.
    pub(super) fn kill(&mut self, slot: usize) {
        let entry = &mut self.entries[slot];
        debug_assert_ne!(entry.id, DEAD, "killed twice");
        *entry = Entry { aabb: WorldAabb::EMPTY, id: DEAD };
        self.fans.clear(slot);
        self.dead += 1;
    }

    /// Returns the entries that were not removed.
    pub(super) fn live(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.id != DEAD)
    }

    /// Returns the node over all entries.
    pub(super) fn root(&self) -> Option<Place> {
        (self.height > 0).then_some(Place { row: self.height as u32, index: 0 })
    }

    /// Returns the box at a place.
    #[inline]
    pub(super) fn bounds(&self, place: Place) -> &WorldAabb {
        let index = place.index as usize;
        match place.row {
            0 => &self.entries[index].aabb,
            row => &self.rows[row as usize - 1][index],
        }
    }

    /// Returns the children of a node.
    #[inline]
    pub(super) fn children(&self, place: Place) -> impl DoubleEndedIterator<Item = Place> + use<> {
        let row = place.row - 1;
        let len = match row {
            0 => self.entries.len(),
            row => self.rows[row as usize - 1].len(),
        };
        let begin = place.index as usize * FAN;
        (begin..(begin + FAN).min(len)).map(move |index| Place { row, index: index as u32 })
    }

    /// Returns the boxes of the first row.
    #[cfg(feature = "draw")]
    pub(super) fn groups(&self) -> &[WorldAabb] {
        if self.height > 0 { &self.rows[0] } else { &[] }
    }

    /// Returns the entries of a node of the first row.
    #[inline]
    pub(super) fn block(&self, index: u32) -> &[Entry] {
        let begin = index as usize * FAN;
        &self.entries[begin..(begin + FAN).min(self.entries.len())]
    }

    /// Calls `visit` with the live entries for which `wanted` holds, and holds for every node above
    /// them, until `visit` returns false. Returns whether the walk was not stopped.
    pub(super) fn visit(
        &self,
        mut wanted: impl FnMut(&WorldAabb) -> bool,
        mut visit: impl FnMut(&Entry) -> bool,
    ) -> bool {
        let mut stack = [Place::default(); MAX_HEIGHT * FAN];
        let mut depth = 0;
        if let Some(root) = self.root() {
            stack[0] = root;
            depth = 1;
        }
        while depth > 0 {
            depth -= 1;
            let place = stack[depth];
            if !wanted(self.bounds(place)) {
                continue;
            }
            if place.row > 1 {
                for child in self.children(place).rev() {
                    stack[depth] = child;
                    depth += 1;
                }
                continue;
            }
            for entry in self.block(place.index) {
                if entry.id != DEAD && wanted(&entry.aabb) && !visit(entry) {
                    return false;
                }
            }
        }
        true
    }

    /// Calls `visit` with live entries, nearest first by `key` as far as the tree knows, and with
    /// the bound beyond which an entry does not matter; `visit` returns the new bound. Takes and
    /// returns that bound.
    pub(super) fn visit_nearest(
        &self,
        mut bound: f32,
        mut key: impl FnMut(&WorldAabb) -> f32,
        mut visit: impl FnMut(&Entry, f32) -> f32,
    ) -> f32 {
        let mut stack = [(0.0_f32, Place::default()); MAX_HEIGHT * FAN];
        let mut depth = 0;
        if let Some(root) = self.root() {
            stack[0] = (key(self.bounds(root)), root);
            depth = 1;
        }
        while depth > 0 {
            depth -= 1;
            let (promise, place) = stack[depth];
            if !is_wanted(promise, bound) {
                continue;
            }
            if place.row == 0 {
                bound = visit(&self.entries[place.index as usize], bound);
                continue;
            }
            let first = depth;
            for child in self.children(place) {
                if child.row == 0 && self.entries[child.index as usize].id == DEAD {
                    continue;
                }
                let promise = key(self.bounds(child));
                if is_wanted(promise, bound) {
                    insert_descending(&mut stack, first, depth, (promise, child));
                    depth += 1;
                }
            }
        }
        bound
    }
}

/// Whether a lower bound is finite and within the bound.
#[inline]
pub(super) fn is_wanted(promise: f32, bound: f32) -> bool {
    promise < f32::INFINITY && promise <= bound
}

/// Inserts `item` into the descending `stack[first..end]`, before its equals, so that the first of
/// them comes off first.
fn insert_descending(stack: &mut [(f32, Place)], first: usize, end: usize, item: (f32, Place)) {
    let mut hole = end;
    while hole > first && stack[hole - 1].0 <= item.0 {
        stack[hole] = stack[hole - 1];
        hole -= 1;
    }
    stack[hole] = item;
}

/// Returns the box around boxes, relative to the region of the first that is not empty.
#[inline]
fn union_of<'a>(mut boxes: impl Iterator<Item = &'a WorldAabb>) -> WorldAabb {
    let is_there = |aabb: &WorldAabb| aabb.aabb.min.x < f32::INFINITY;
    let Some(first) = boxes.by_ref().find(|&aabb| is_there(aabb)) else { return WorldAabb::EMPTY };
    let region = first.region;
    let aabb = boxes.fold(first.aabb, |all, aabb| all.union(aabb.relative_to(region)));
    WorldAabb { region, aabb }
}

/// Returns width plus height, 0 for an empty box.
fn size_of(aabb: &WorldAabb) -> f32 {
    let Aabb { min, max } = aabb.aabb;
    let size = (max.x - min.x) + (max.y - min.y);
    if size > 0.0 { size } else { 0.0 }
}

/// Sorts centres into the order of [`Tree::sort`].
fn cut(centres: &mut [Centre]) {
    if centres.len() <= FAN {
        return;
    }
    // The number of entries below each child of the least node over all, except the last child.
    let mut block = FAN;
    while block.saturating_mul(FAN) < centres.len() {
        block *= FAN;
    }
    let (mut low, mut high) = ([u32::MAX; 2], [0; 2]);
    for centre in &*centres {
        for axis in 0..2 {
            low[axis] = low[axis].min(centre.at[axis]);
            high[axis] = high[axis].max(centre.at[axis]);
        }
    }
    let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
    let middle = centres.len().div_ceil(block) / 2 * block;
    // With its id, each centre has a key of its own, so the halves do not depend on the selection
    // algorithm.
    centres.select_nth_unstable_by_key(middle, |centre| (centre.at[axis], centre.id));
    let (before, after) = centres.split_at_mut(middle);
    cut(before);
    cut(after);
}
