//! All trees of a step, one after the other; and what they did, for those who ask.
//!
//! In: bodies that have moved, velocities. Out: trees aimed and pushed, velocities; blocks with the impulses that trees keep to themselves.

use std::borrow::Cow;

use super::block::{Block, Drives};
use super::push::{Half, Law};
use super::tree::{Flight, Fresh, Home};
use super::{Columns, Joints, Turn, lanes, tree};
use crate::simd::{AllLanes, EIGHT, LANES, OneLane, Width, dispatch};

/// Aims a tree whose ways were noted; what all trees share is in `$joints` and `$home`.
macro_rules! aim_tree {
    ($joints:ident, $home:ident, $simd:ident, $tree:ident, $columns:expr, $law:expr) => {
        let mut stiff = false;
        lanes!($joints.one_by_one, $simd, w => {
            stiff |= tree::aim_and_factor(w, $tree, &mut $home, $columns, $law);
        });
        if stiff {
            $joints.pulled.extend($tree.nodes.iter().flat_map(|node| node.rows).filter(|&row| row != 0));
            lanes!($joints.one_by_one, $simd, w => {
                w.apart(#[inline(always)] || tree::weigh_stiff(w, $tree, &mut $home, &mut $joints.masses));
            });
        }
        lanes!($joints.one_by_one, $simd, w => tree::note_answers(w, $tree, &$home));
    };
}

impl Joints {
    /// Aims trees, or pushes them, or one after the other while a tree is at hand. Those in flight go by themselves.
    pub(super) fn go_through_trees(
        &mut self,
        columns: &mut Columns,
        (aims, pushes): (bool, Option<(Half, Turn)>),
        law: &Law,
    ) {
        let mut home = Home { blocks: &mut self.blocks, drives: &mut self.drives };
        dispatch!(self.level, simd => {
            for tree in self.trees.iter_mut().filter(|tree| !tree.flies) {
                if aims {
                    lanes!(self.one_by_one, simd, w => w.apart(#[inline(always)] || tree::note_ways(w, tree, columns)));
                    aim_tree!(self, home, simd, tree, columns, law);
                }
                if let Some((half, turn)) = pushes {
                    lanes!(self.one_by_one, simd, w => tree::solve(w, tree, &mut home, columns, (half, turn, law)));
                }
                if pushes == Some((Half::After, Turn::Last)) {
                    lanes!(self.one_by_one, simd, w => {
                        w.apart(#[inline(always)] || tree::count(w, tree, &mut home));
                        w.apart(#[inline(always)] || tree::give_free(w, tree, columns));
                    });
                }
            }
        });
    }

    /// All sub-steps of the trees that nothing touches, before those of the rest.
    pub(crate) fn fly(&mut self, columns: &Columns, law: &Law, sub_steps: u32) {
        let mut flights = core::mem::take(&mut self.flights);
        let mut home = Home { blocks: &mut self.blocks, drives: &mut self.drives };
        dispatch!(self.level, simd => {
            for tree in self.trees.iter_mut().filter(|tree| tree.flies) {
                flights.resize(tree.nodes.len(), Flight::EMPTY);
                lanes!(self.one_by_one, simd, w => {
                    w.apart(#[inline(always)] || tree::note_ways(w, tree, columns));
                    w.apart(#[inline(always)] || tree::take_off(w, tree, &mut flights, columns));
                });
                aim_tree!(self, home, simd, tree, columns, law);
                for sub_step in 0..sub_steps {
                    lanes!(self.one_by_one, simd, w => {
                        tree::begin_flight(w, tree, &mut home, &mut flights, (sub_step == 0, columns, law));
                        w.apart(#[inline(always)] || tree::go_on(w, tree, &mut flights, law));
                    });
                    aim_tree!(self, home, simd, tree, columns, law);
                    lanes!(self.one_by_one, simd, w => {
                        tree::end_flight(w, tree, &mut home, (columns, law));
                        w.apart(#[inline(always)] || tree::count(w, tree, &mut home));
                    });
                }
                lanes!(self.one_by_one, simd, w => w.apart(#[inline(always)] || tree::keep_ways(w, tree, &flights)));
            }
        });
        self.flights = flights;
    }

    /// Brings those trees to where they got.
    pub(crate) fn land(&mut self, columns: &mut Columns) {
        dispatch!(self.level, simd => {
            for tree in self.trees.iter().filter(|tree| tree.flies) {
                lanes!(self.one_by_one, simd, w => w.apart(#[inline(always)] || tree::land(w, tree, columns)));
            }
        });
    }

    /// The block of a joint and what drives it, with all that the joint in a lane did.
    pub(crate) fn block_of(&self, index: usize, lane: usize) -> (Cow<'_, Block>, Option<Cow<'_, Drives>>) {
        let block = &self.blocks[index];
        let drives = self.drives.get(block.drives as usize);
        let next = self.trees.partition_point(|tree| tree.edges[0].block as usize <= index);
        let tree = self.trees[..next].last().filter(|tree| !tree.fresh.impulses);
        let Some(tree) = tree else {
            return (Cow::Borrowed(block), drives.map(Cow::Borrowed));
        };
        let edge = &tree.edges[index - tree.edges[0].block as usize];
        let (mut block, mut drives) = (*block, drives.copied());
        tree::bring_in(OneLane(lane), (tree, edge), &mut block, &mut drives.as_mut());
        (Cow::Owned(block), drives.map(Cow::Owned))
    }

    /// The same for all: brings what trees did into their blocks.
    pub(crate) fn bring_in(&mut self) {
        for index in 0..self.trees.len() {
            self.bring_in_tree(index);
        }
    }

    /// The same for one tree, which fetches everything from its blocks then as the next step begins.
    pub(super) fn bring_in_tree(&mut self, index: usize) {
        let tree = &mut self.trees[index];
        let fresh = core::mem::replace(&mut tree.fresh, Fresh::ALL);
        if fresh.impulses {
            return;
        }
        dispatch!(self.level, simd => {
            for edge in &tree.edges {
                let block = &mut self.blocks[edge.block as usize];
                let mut drives = self.drives.get_mut(block.drives as usize);
                lanes!(self.one_by_one, simd, w => tree::bring_in(w, (tree, edge), block, &mut drives));
            }
        });
    }
}
