//! All trees of a step, one after the other; and what they did, for those who ask.
//!
//! In: bodies that have moved, velocities. Out: trees aimed and pushed, velocities; blocks with the impulses that trees keep to themselves.

use std::borrow::Cow;

use super::aim;
use super::block::{Block, Drives};
use super::push::{Half, Law};
use super::{Columns, Joints, Turn, lanes, tree};
use crate::simd::{AllLanes, EIGHT, LANES, OneLane, Width, dispatch};

impl Joints {
    /// Aims trees, or pushes them, or one after the other while a tree is at hand.
    pub(super) fn go_through_trees(
        &mut self,
        columns: &mut Columns,
        (aims, pushes): (bool, Option<(Half, Turn)>),
        law: &Law,
    ) {
        let warm = self.is_apart();
        let Columns { velocity, moved, .. } = columns;
        dispatch!(self.level, simd => {
            for tree in &mut self.trees {
                if aims {
                    let mut stiff = false;
                    lanes!(self.one_by_one, simd, w => {
                        w.apart(#[inline(always)] || tree::aim(w, tree, &mut self.blocks, moved, law));
                        stiff |= tree::feel_pulls(w, tree, law, false);
                        w.apart(#[inline(always)] || tree::factor(w, tree, &self.blocks));
                    });
                    if stiff {
                        self.pulled.extend(tree.nodes.iter().flat_map(|node| node.rows).filter(|&row| row != 0));
                        lanes!(self.one_by_one, simd, w => tree::share_inertias(w, tree, &mut self.masses));
                    }
                    for edge in tree.edges.iter().filter(|_| stiff) {
                        let block = &mut self.blocks[edge.block as usize];
                        if block.form.is_driven() {
                            lanes!(self.one_by_one, simd, w => aim::weigh(w, block, &self.masses));
                        }
                    }
                    lanes!(self.one_by_one, simd, w => tree::note_answers(w, tree, (&self.blocks, &self.drives)));
                }
                if let Some((half, turn)) = pushes {
                    let home = (&mut self.blocks[..], &mut self.drives[..]);
                    lanes!(self.one_by_one, simd, w => {
                        tree::solve(w, tree, (&mut *home.0, &mut *home.1), velocity, (half, turn, law), warm);
                    });
                }
                if pushes == Some((Half::After, Turn::Last)) {
                    lanes!(self.one_by_one, simd, w => tree::count(w, tree, (&mut self.blocks, &mut self.drives)));
                }
            }
        });
    }

    /// The block of a joint and what drives it, with all that the joint in a lane did.
    pub(crate) fn block_of(&self, index: usize, lane: usize) -> (Cow<'_, Block>, Option<Cow<'_, Drives>>) {
        let block = &self.blocks[index];
        let drives = self.drives.get(block.drives as usize);
        let next = self.trees.partition_point(|tree| tree.edges[0].block as usize <= index);
        if index < self.iterated() || self.fresh.impulses || next == 0 {
            return (Cow::Borrowed(block), drives.map(Cow::Borrowed));
        }
        let tree = &self.trees[next - 1];
        let edge = &tree.edges[index - tree.edges[0].block as usize];
        let (mut block, mut drives) = (*block, drives.copied());
        tree::bring_in(OneLane(lane), (tree, edge), &mut block, &mut drives.as_mut());
        (Cow::Owned(block), drives.map(Cow::Owned))
    }

    /// The same for all: brings what trees did into their blocks.
    pub(crate) fn bring_in(&mut self) {
        if self.fresh.impulses {
            return;
        }
        dispatch!(self.level, simd => {
            for (tree, edge) in self.trees.iter().flat_map(|tree| tree.edges.iter().map(move |edge| (tree, edge))) {
                let block = &mut self.blocks[edge.block as usize];
                let mut drives = self.drives.get_mut(block.drives as usize);
                lanes!(self.one_by_one, simd, w => tree::bring_in(w, (tree, edge), block, &mut drives));
            }
        });
    }
}
