//! Trials: a push that is taken back, for what can be known beforehand only by pushing.
//!
//! In: a tree as a sub-step finds it. Out: the inertias that follow from the pulls, the limits that hold.

use super::limits::{find_limits, forget_limits};
use super::{Tree, down, factor, up};
use crate::simd::Width;
use crate::solver::joints::block::{Block, Drives};
use crate::solver::joints::matrix::{read, write};
use crate::solver::joints::push::{Half, Law};

/// How often the pulls of a heavy tree are tried out, and the solves of each.
pub(super) const TRIALS: usize = 2;

const ROUNDS_OF_TRIAL: usize = 2;

/// Holds everything together, and takes it back: only the pulls are kept, and the inertias that follow from them.
///
/// A heavy ball that draws its chain tight pulls a thousand times harder than in the sub-step before. Links that are found too
/// light for that beforehand are not thrown past the straight line.
#[inline(always)]
pub(super) fn try_pull<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    velocity: &[[f32; 4]],
    (mass, law): (&[[f32; 4]], &Law),
) {
    let gain = w.read(&tree.gain);
    for node in &mut tree.nodes {
        let v = read(w, &node.velocity);
        write(w, &mut node.kept, v);
    }
    for edge in &mut tree.edges {
        let held = read(w, &blocks[edge.block as usize].held[0]);
        write(w, &mut edge.kept, held);
    }
    for _ in 0..ROUNDS_OF_TRIAL {
        up(w, tree, (blocks, drives), velocity, (Half::Before, law));
        down(w, tree, (blocks, drives), (velocity, [w.splat(0.0); 2]), Half::Before);
    }
    find_limits(w, tree, (blocks, drives), velocity, law);
    forget_limits(w, tree, blocks, drives, Half::Before);
    for edge in &tree.edges {
        // The half after will pull as hard.
        let [before, after] = &mut blocks[edge.block as usize].held;
        let held = read(w, before);
        write(w, after, held);
    }
    factor(w, tree, (blocks, drives), mass, (law.h, law.h * law.max_speed));
    for node in &mut tree.nodes {
        let v = read(w, &node.kept);
        write(w, &mut node.velocity, v);
    }
    for edge in &tree.edges {
        write(w, &mut blocks[edge.block as usize].held[0], read(w, &edge.kept));
    }
    w.write(&mut tree.gain, gain);
}
