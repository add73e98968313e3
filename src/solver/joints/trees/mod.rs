//! All trees of a step, one after the other or in chunks on threads; and their results on demand.
//!
//! In: displacements and velocities. Out: trees with updated Jacobians and impulses, velocities;
//! blocks with the impulses that trees keep in edges.
//!
//! The head of `tree.rs` defines trees, and lists the other files of this folder with their work.

mod drive_rows;
mod drives;
mod energy;
mod factor;
mod gather;
mod isolated;
mod jacobian;
mod kinds;
mod limits;
mod predictor;
mod slots;
mod solve;
mod sparse;
pub(super) mod tree;
mod working_copy;

use std::borrow::Cow;

use super::block::{Drives, JointBlock};
use super::{Columns, JointPass, Joints};
use crate::simd::{OneLane, Width, dispatch};
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use crate::threads::{Shared, Team};
use crate::tuning::MOST_JOINTS;
use tree::{Flight, Fresh, TreeBlocks};

/// Results of a chunk of trees.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeOutput {
    /// The rows of bodies with extra inertia.
    pulled: Vec<u32>,
    /// Scratch memory: the bodies of the tree in flight.
    flights: Vec<Flight>,
}

/// Edges (of eight lanes each) per chunk of trees.
const TREE_GRAIN: usize = 16;

/// Least number of edges that are shared between threads. Debug builds share all, to check that no
/// two chunks touch the same row.
const LEAST_SHARED_EDGES: usize = if cfg!(debug_assertions) { 1 } else { 64 };

/// Runs `$body` for chunks of trees, with the SIMD width, `$trees`, their `$home`, and the results
/// of the chunk.
macro_rules! for_trees {
    ($joints:ident, $team:ident, ($lanes:ident, $trees:ident, $home:ident, $finds:pat) => $body:expr) => {
        let chunks = ($joints.trees.as_mut_slice(), $joints.homes.as_slice(), size_of_chunks(&$joints.homes));
        let lists = ($joints.blocks.as_mut_slice(), $joints.drives.as_mut_slice());
        let level = $joints.level;
        $team.for_groups(chunks, lists, &mut $joints.finds, |$trees, (blocks, drives), before, $finds| {
            let $home = &mut TreeBlocks { blocks, drives, before };
            dispatch!(level, $lanes => $body);
        });
    };
}

/// Trees per chunk.
fn size_of_chunks(homes: &[[u32; 2]]) -> usize {
    let [first, .., end] = homes else { return usize::MAX };
    let (trees, edges) = (homes.len() - 1, (end[0] - first[0]) as usize);
    if edges < LEAST_SHARED_EDGES { usize::MAX } else { (TREE_GRAIN * trees).div_ceil(edges.max(1)).max(1) }
}

/// Updates a tree whose displacements were noted; `$columns` and `$masses` are shared by all trees,
/// `$home` and `$pulled` by the trees of its chunk.
macro_rules! aim_tree {
    ($lanes:ident, ($home:ident, $pulled:ident), $tree:ident, ($columns:expr, $masses:expr), $params:expr) => {
        let mut stiff = false;
        for w in $lanes.each() {
            stiff |= tree::aim_and_factor(w, $tree, $home, $columns, $params);
        }
        if stiff {
            $pulled.extend($tree.nodes.iter().flat_map(|node| node.rows).filter(|&row| row != 0));
            for w in $lanes.each() {
                w.apart(
                    #[inline(always)]
                    || tree::weigh_stiff(w, $tree, $home, $masses),
                );
            }
        }
        for w in $lanes.each() {
            tree::note_answers(w, $tree, $home);
        }
    };
}

impl Joints {
    /// Lists the first block and drives of each tree of a new layout.
    pub(super) fn note_homes(&mut self) {
        let mut home = [self.blocks.len() as u32, self.drives.len() as u32];
        self.homes.clear();
        self.homes.push(home);
        for tree in self.trees.iter().rev() {
            for edge in tree.edges.iter().rev() {
                home[0] = edge.block;
                home[1] = home[1].min(self.blocks[edge.block as usize].drives);
            }
            self.homes.push(home);
        }
        self.homes.reverse();
    }

    /// Loads masses and changed data into all trees as a step begins.
    pub(super) fn begin_trees(&mut self, team: &Team, mass: &[[f32; 4]]) {
        for_trees!(self, team, (lanes, trees, home, _) => {
            for tree in trees {
                for w in lanes.each() {
                    tree::begin(w, tree, home, mass);
                }
                tree.fresh = Fresh::default();
            }
        });
    }

    /// Warm starts the drives of trees that share bodies with other joints; other trees do so in
    /// their pass.
    pub(super) fn start_trees(&mut self, team: &Team, columns: &mut Columns, half: Half) {
        let columns = &columns.share_all();
        for_trees!(self, team, (lanes, trees, home, _) => {
            for tree in trees.iter_mut().filter(|tree| !tree.own) {
                for w in lanes.each() {
                    tree::warm_start(w, tree, home, columns, half);
                }
            }
        });
    }

    /// Updates Jacobians of trees, or solves them, or both while a tree is in the cache. Trees in
    /// flight are skipped.
    pub(super) fn go_through_trees(
        &mut self,
        team: &Team,
        columns: &mut Columns,
        (aims, pushes): (bool, Option<JointPass>),
        params: &JointParams,
    ) {
        let (columns, masses) = (&columns.share_all(), Shared::new(&mut self.masses));
        for_trees!(self, team, (lanes, trees, home, TreeOutput { pulled, .. }) => {
            for tree in trees.iter_mut().filter(|tree| !tree.flies) {
                if aims {
                    for w in lanes.each() {
                        w.apart(#[inline(always)] || tree::note_ways(w, tree, columns));
                    }
                    aim_tree!(lanes, (home, pulled), tree, (columns, masses), params);
                }
                if let Some(pass) = pushes {
                    for w in lanes.each() {
                        tree::solve(w, tree, home, columns, (pass, params));
                    }
                }
                if pushes == Some(JointPass::AfterLast) {
                    for w in lanes.each() {
                        w.apart(#[inline(always)] || tree::count(w, tree, home));
                        w.apart(#[inline(always)] || tree::give_free(w, tree, columns));
                    }
                }
            }
        });
        self.take_finds();
    }

    /// Runs all sub-steps of trees in flight, before the sub-steps of the other bodies.
    pub(crate) fn fly(&mut self, team: &Team, columns: &mut Columns, params: &JointParams, sub_steps: u32) {
        if MOST_JOINTS == 0 {
            return;
        }
        let (columns, masses) = (&columns.share_all(), Shared::new(&mut self.masses));
        for_trees!(self, team, (lanes, trees, home, TreeOutput { pulled, flights }) => {
            for tree in trees.iter_mut().filter(|tree| tree.flies) {
                flights.resize(tree.nodes.len(), Flight::EMPTY);
                for w in lanes.each() {
                    w.apart(#[inline(always)] || tree::note_ways(w, tree, columns));
                    w.apart(#[inline(always)] || tree::remove_lag(w, tree, flights, columns));
                }
                aim_tree!(lanes, (home, pulled), tree, (columns, masses), params);
                for sub_step in 0..sub_steps {
                    for w in lanes.each() {
                        tree::begin_flight(w, tree, home, flights, (sub_step == 0, columns, params));
                        w.apart(#[inline(always)] || tree::go_on(w, tree, flights, params));
                    }
                    aim_tree!(lanes, (home, pulled), tree, (columns, masses), params);
                    for w in lanes.each() {
                        tree::end_flight(w, tree, home, (columns, params));
                        w.apart(#[inline(always)] || tree::count(w, tree, home));
                    }
                }
                for w in lanes.each() {
                    w.apart(#[inline(always)] || tree::keep_ways(w, tree, flights));
                }
            }
        });
        self.take_finds();
    }

    /// Merges the results of chunks, in order.
    fn take_finds(&mut self) {
        self.pulled.extend(self.finds.iter_mut().flat_map(|finds| finds.pulled.drain(..)));
    }

    /// Writes the results of trees in flight to the rows of their bodies.
    pub(crate) fn land(&mut self, team: &Team, columns: &mut Columns) {
        if MOST_JOINTS == 0 {
            return;
        }
        let (columns, level) = (&columns.share_all(), self.level);
        team.for_chunks(&mut self.trees, size_of_chunks(&self.homes), |_, trees| {
            dispatch!(level, lanes => {
                for tree in trees.iter().filter(|tree| tree.flies) {
                    for w in lanes.each() {
                        w.apart(#[inline(always)] || tree::land(w, tree, columns));
                    }
                }
            });
        });
    }

    /// The block and drives of a joint, with the impulses of a lane brought up to date.
    pub(crate) fn block_of(
        &self,
        index: usize,
        lane: usize,
    ) -> (Cow<'_, JointBlock>, Option<Cow<'_, Drives>>) {
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

    /// Brings the blocks of all trees up to date with their impulses.
    pub(crate) fn bring_in(&mut self) {
        for index in 0..self.trees.len() {
            self.bring_in_tree(index);
        }
    }

    /// Brings the blocks of one tree up to date; the tree loads everything from its blocks as the
    /// next step begins.
    pub(super) fn bring_in_tree(&mut self, index: usize) {
        let tree = &mut self.trees[index];
        let fresh = core::mem::replace(&mut tree.fresh, Fresh::ALL);
        if fresh.impulses {
            return;
        }
        dispatch!(self.level, lanes => {
            for edge in &tree.edges {
                let block = &mut self.blocks[edge.block as usize];
                let mut drives = self.drives.get_mut(block.drives as usize);
                for w in lanes.each() {
                    tree::bring_in(w, (tree, edge), block, &mut drives);
                }
            }
        });
    }
}
