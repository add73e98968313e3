//! Incremental layout: keeps unchanged trees from one layout to the next.
//!
//! In: trees whose bodies have new rows now, and a layout of the new joints. Out: the trees, with
//! lanes emptied and filled.
//!
//! Lanes are independent, so results do not depend on which trees share a block. (Where dolls come
//! and go by the dozen among a thousand, a full layout took as long as a third of a step; the bench
//! line that gets dearer without this file is `rain` of `versus scenes`, 0.94 times as long with
//! it. The test `incremental_joint_layout_equals_full_layout` in `src/world/joints/relayout.rs`
//! checks that the bits equal the bits of a full layout.)

use super::layout::{Group, Layout};
use super::trees::tree::{Tree, is_heavy};
use super::{Joints, NO_JOINT};
use crate::simd::LANES;

impl Joints {
    /// Whether all joints are in trees.
    pub(crate) fn has_only_trees(&self) -> bool {
        self.is_apart() && !self.couples && !self.trees.is_empty()
    }

    /// Notes of each tree whether it is heavy now, by the inverse masses of rows. Returns `false`,
    /// and changes nothing, if a block has trees of both kinds.
    pub(crate) fn weigh_trees(&mut self, inv_mass: impl Fn(u32) -> f32) -> bool {
        let is_heavy =
            |tree: &Tree, lane: usize| is_heavy(tree.nodes.iter().map(|node| inv_mass(node.rows[lane])));
        let is_even = |tree: &Tree| {
            let mut lanes = lanes_in_use(tree).map(|lane| is_heavy(tree, lane));
            let first = lanes.next();
            lanes.all(|heavy| Some(heavy) == first)
        };
        if !self.trees.iter().all(is_even) {
            return false;
        }
        for tree in &mut self.trees {
            let heavy = lanes_in_use(tree).next().is_some_and(|lane| is_heavy(tree, lane));
            tree.heavy = heavy;
        }
        true
    }

    /// Whether a full layout would need clearly fewer trees or pose rows.
    pub(crate) fn is_sparse(&self) -> bool {
        // Empty lanes of each shape.
        let mut shapes: Vec<(&Tree, usize)> = Vec::new();
        for tree in &self.trees {
            let empty = LANES - lanes_in_use(tree).count();
            if empty == 0 {
                continue;
            }
            match shapes.iter_mut().find(|(other, _)| other.is_like(tree)) {
                Some((_, count)) => *count += empty,
                None => shapes.push((tree, empty)),
            }
        }
        let spare: usize = shapes.iter().map(|(_, empty)| empty / LANES).sum();
        8 * spare > self.trees.len() || self.placed.len() > 2 * LANES * self.blocks.len()
    }

    /// Notes the bodies of the layout, by row, and which of them impulses move.
    pub(crate) fn note_laid(&mut self, bodies: &[u32], moves: Vec<bool>) {
        self.laid.clear();
        self.laid.extend_from_slice(bodies);
        self.moves = moves;
        self.rows = None;
        let ends = self.coupled.iter().flat_map(|coupled| &coupled.ends);
        let mut is_seated = vec![false; bodies.len() + 1];
        for block in self.blocks.iter().chain(ends) {
            block.row_a.iter().chain(&block.row_b).for_each(|&row| is_seated[row as usize] = true);
        }
        self.seated.clear();
        self.seated.extend((1..=bodies.len() as u32).filter(|&row| is_seated[row as usize]));
    }

    /// The rows that joints name, in order.
    pub(crate) fn seated(&self) -> &[u32] {
        &self.seated
    }

    /// Notes, per row, the bodies of joints that lock or limit an axis.
    pub(crate) fn note_held(&self, held: &mut [bool]) {
        for block in self.blocks.iter().filter(|block| block.form.is_firm()) {
            block.row_a.iter().chain(&block.row_b).for_each(|&row| held[row as usize] = true);
        }
        held[0] = false;
    }

    /// For each of `bodies` slots, whether it had a row when joints were laid out.
    pub(crate) fn had_rows(&self, bodies: usize) -> Vec<bool> {
        let mut had_row = vec![false; bodies];
        self.laid.iter().for_each(|&slot| had_row[slot as usize] = true);
        had_row
    }

    /// The lanes (tree, lane) with a stale body; kinematic grounds count.
    pub(crate) fn stale_lanes(&self, is_stale: &[bool]) -> Vec<(usize, usize)> {
        let is_stale = |row: u32| is_stale[self.laid[row as usize - 1] as usize];
        let all = self.trees.iter().enumerate();
        all.flat_map(|(index, tree)| {
            (0..LANES).filter(move |&lane| tree.rows_in(lane).any(is_stale)).map(move |lane| (index, lane))
        })
        .collect()
    }

    /// The bodies in a lane of a tree, kinematic grounds included.
    pub(crate) fn bodies_in(&self, (tree, lane): (usize, usize)) -> impl Iterator<Item = u32> + '_ {
        self.trees[tree].rows_in(lane).map(|row| self.laid[row as usize - 1])
    }

    /// The blocks of a tree, brought up to date with its impulses.
    pub(crate) fn blocks_of(&mut self, tree: usize) -> core::ops::Range<usize> {
        self.bring_in_tree(tree);
        let edges = &self.trees[tree].edges;
        let first = edges[0].block as usize;
        first..first + edges.len()
    }

    /// Empties a lane of a tree.
    pub(crate) fn clear_lane(&mut self, (tree, lane): (usize, usize)) {
        self.layout = None;
        for index in self.blocks_of(tree) {
            let block = &mut self.blocks[index];
            block.clear_lane(lane);
            if let Some(drives) = self.drives.get_mut(block.drives as usize) {
                drives.iter_mut().for_each(|driven| driven.clear_lane(lane));
            }
            self.of_blocks[index][lane] = NO_JOINT;
        }
        self.trees[tree].clear_lane(lane);
    }

    /// Changes the rows of bodies: `rows`, by slot.
    pub(crate) fn rename(&mut self, rows: &[u32]) {
        self.layout = None;
        let by_row: Vec<u32> =
            core::iter::once(0).chain(self.laid.iter().map(|&slot| rows[slot as usize])).collect();
        self.trees.iter_mut().for_each(|tree| tree.rename(&by_row));
        for row in self.blocks.iter_mut().flat_map(|block| block.row_a.iter_mut().chain(&mut block.row_b)) {
            *row = by_row[*row as usize];
        }
    }

    /// Adds trees: into empty lanes as far as there are any, else as new trees. Returns block and
    /// lane of their joints.
    pub(crate) fn take_in(&mut self, layout: Layout) -> Vec<(usize, usize)> {
        self.layout = None;
        let Layout { trees, groups, .. } = layout;
        let is_free = |tree: &Tree| lanes_in_use(tree).count() < LANES;
        let free: Vec<usize> = (0..self.trees.len()).filter(|&index| is_free(&self.trees[index])).collect();
        let mut filled = Vec::new();
        for mut tree in trees {
            for &index in &free {
                if self.trees[index].is_like(&tree) {
                    self.fill_from(index, &mut tree, (&groups, &mut filled));
                }
            }
            self.append(tree, (&groups, &mut filled));
        }
        filled
    }

    /// Moves as many lanes of a new tree as fit into the empty lanes of one of the same shape.
    fn fill_from(&mut self, index: usize, tree: &mut Tree, (groups, filled): (&[Group], &mut Filled)) {
        for lane in (0..LANES).filter(|&lane| !self.trees[index].uses(lane)).collect::<Vec<_>>() {
            let Some(its) = lanes_in_use(tree).next() else { return };
            for (block, edge) in self.blocks_of(index).zip(&tree.edges) {
                let group = &groups[edge.block as usize];
                self.fill_block((block, lane), (group, its));
                filled.push((block, lane));
            }
            self.trees[index].fill_lane(lane, (tree, its));
            tree.clear_lane(its);
        }
    }

    /// Appends the remaining lanes of a new tree as a tree of their own.
    fn append(&mut self, mut tree: Tree, (groups, filled): (&[Group], &mut Filled)) {
        let lanes: Vec<usize> = lanes_in_use(&tree).collect();
        if lanes.is_empty() {
            return;
        }
        for edge in &mut tree.edges {
            let group = &groups[edge.block as usize];
            edge.block = self.blocks.len() as u32;
            self.add_block(group.form);
            for &lane in &lanes {
                self.fill_block((edge.block as usize, lane), (group, lane));
                filled.push((edge.block as usize, lane));
            }
        }
        self.trees.push(tree);
    }

    /// Sets the rows and the joint of a lane.
    fn fill_block(&mut self, (index, lane): (usize, usize), (group, its): (&Group, usize)) {
        let block = &mut self.blocks[index];
        (block.row_a[lane], block.row_b[lane]) = (group.row_a[its], group.row_b[its]);
        self.of_blocks[index][lane] = group.joints[its];
    }

    /// Sets pose rows once their number is known: bodies that move come after bodies that do not.
    pub(crate) fn note_places(&mut self) {
        let count = self.placed.len() as u32;
        let ends = self.coupled.iter_mut().flat_map(|coupled| &mut coupled.ends);
        for block in self.blocks.iter_mut().chain(ends) {
            for (pose, row) in
                [(&mut block.seat.pose_a, &block.row_a), (&mut block.seat.pose_b, &block.row_b)]
            {
                for (pose, &row) in pose.iter_mut().zip(row).filter(|&(_, &row)| row != 0) {
                    *pose = count + row;
                }
            }
        }
    }

    /// Marks the drives as changed.
    pub(crate) fn note_drives(&mut self) {
        self.trees.iter_mut().for_each(|tree| tree.fresh.drives = true);
    }
}

/// Lanes that were filled: (block, lane).
type Filled = Vec<(usize, usize)>;

fn lanes_in_use(tree: &Tree) -> impl Iterator<Item = usize> + '_ {
    (0..LANES).filter(|&lane| tree.uses(lane))
}
