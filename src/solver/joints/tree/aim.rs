//! Where the joints of a tree stand now, and how fast they are to close their gaps.
//!
//! In: how far the bodies have come. Out: the blocks, as `joints/aim.rs` fills them; edges, with what a pass reads of them; how numbers
//! that are driven answer.

use super::limits::{aim_limits, keep_limits};
use super::{Kind, Tree};
use crate::body::NONE;
use crate::simd::Width;
use crate::solver::joints::aim::{aim_after, way};
use crate::solver::joints::block::{Block, Drives};
use crate::solver::joints::drive::{Reply, answer, others};
use crate::solver::joints::hold::closing;
use crate::solver::joints::matrix::{read, two, write};
use crate::solver::joints::push::Law;

/// Where the bodies of a tree are and how far they turned: a body has several joints.
#[inline(always)]
pub(crate) fn note_ways<W: Width>(w: W, tree: &mut Tree, moved: &[[f32; 4]]) {
    for node in &mut tree.nodes {
        let way = way(w, moved, &node.rows);
        write(w, &mut node.aside, way);
    }
}

/// Aims the blocks and edges of a tree whose ways were noted; `moved` is for the ground.
#[inline(always)]
pub(crate) fn aim<W: Width>(w: W, tree: &mut Tree, blocks: &mut [Block], moved: &[[f32; 4]], law: &Law) {
    for edge in &mut tree.edges {
        let block = &mut blocks[edge.block as usize];
        let child = read(w, &tree.nodes[edge.child as usize].aside);
        let parent = match edge.parent {
            NONE => way(w, moved, &edge.ground),
            node => read(w, &tree.nodes[node as usize].aside),
        };
        aim_after(w, block, if edge.child_is_b { (parent, child) } else { (child, parent) });
        let muscles = &mut tree.muscles[edge.muscles()];
        keep_limits(w, edge, muscles);
        for muscle in muscles {
            w.write(&mut muscle.value, w.read(&block.now.value[muscle.number as usize]));
        }
        let (a, b) = (two(w, &block.now.a), two(w, &block.now.b));
        let (of_child, of_parent) = if edge.child_is_b { (b, a) } else { (a, b) };
        if edge.kind == Kind::Other {
            write(w, &mut edge.axis, two(w, &block.now.axis));
            w.write(&mut edge.length, w.read(&block.now.value[0]));
        } else {
            write(w, &mut edge.gap, [w.read(&block.now.value[0]), w.read(&block.now.value[1])]);
        }
        write(w, &mut edge.of_child, of_child);
        write(w, &mut edge.of_parent, of_parent);
        let [along, across, turn] = closing(w, block, law, 1.0);
        let closing = [edge.seen(along), edge.seen(across), edge.seen(turn)];
        write(w, &mut edge.closing, closing);
    }
    aim_limits(w, tree, law);
}

/// How what is driven answers, for the masses that the joints meet: asked for four times until the bodies move again.
#[inline(always)]
pub(crate) fn note_answers<W: Width>(w: W, tree: &mut Tree, (blocks, drives): (&[Block], &[Drives])) {
    for edge in &tree.edges {
        let block = &blocks[edge.block as usize];
        let Some(drives) = drives.get(block.drives as usize) else { continue };
        for muscle in &mut tree.muscles[edge.muscles()] {
            let number = muscle.number as usize;
            let driven = &drives[number];
            let off = w.read(&block.now.value[number]) - w.read(&driven.target);
            let answer = answer(w, (edge.form, &block.now), number);
            let Reply { answer, mass, toward } = Reply::with(w, answer, w.read(&driven.pull) * off);
            w.write(&mut muscle.mass, mass);
            w.write(&mut muscle.toward, toward);
            for (passed, other) in muscle.passed.iter_mut().zip(others(number)) {
                w.write(passed, answer.push[other]);
            }
        }
    }
}
