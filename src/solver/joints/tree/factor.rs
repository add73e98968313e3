//! What the bodies and joints of a tree weigh with everything that hangs on them: D and S.
//!
//! In: joints aimed at this moment, masses. Out: both, as L D Lᵀ.

use super::{Edge, Joint, Node, Tree};
use crate::body::NONE;
use crate::simd::{Lane, Width, inlined};
use crate::solver::joints::aim::{arms, force};
use crate::solver::joints::block::{Block, Drives};
use crate::solver::joints::matrix::{Symmetric, decompose, dot, read, solved, write};
use crate::solver::joints::push::Law;
use crate::tuning::MAX_TURN;

/// What a further joint to the ground gives way, as a share of what its body does.
const GROUND_GIVES: f32 = 1.0e-3;

/// A body that cannot move along an axis weighs so many times as much as it does along others.
const LOCKED: f32 = 1.0e6;

/// What the joints pull at their bodies, as far as `tried` or as in the sub-step before. Answers whether any body needs more inertia
/// for it, or did so before: if not, all meet their own.
#[inline(always)]
pub(crate) fn feel_pulls<W: Width>(w: W, tree: &mut Tree, blocks: &[Block], law: &Law, tried: bool) -> bool {
    let Tree { nodes, edges, .. } = tree;
    let mut whole = [w.splat(0.0); 2];
    let mut stiff = false;
    for node in nodes.iter_mut() {
        stiff |= is_stiff(w, node);
        w.write(&mut node.pull, w.splat(0.0));
        let [x, y, spin] = read(w, &node.mass);
        whole = [whole[0] + x.larger(y), whole[1] + spin];
    }
    let most = [whole[0] * w.splat(law.h * law.max_speed), whole[1] * w.splat(MAX_TURN)];
    for edge in edges.iter() {
        let block = &blocks[edge.block as usize];
        let [before, after] = &block.held;
        let force = force(w, [if tried { after } else { before }, after], law.h);
        add_pull(w, edge, nodes, arms(w, block), (force, most));
    }
    for node in nodes.iter() {
        stiff |= is_stiff(w, node);
    }
    stiff
}

/// D of all nodes and S of all edges, for where the joints stand now and what they pull.
#[inline(always)]
pub(crate) fn factor<W: Width>(w: W, tree: &mut Tree, (blocks, drives): (&[Block], &[Drives])) {
    let Tree { nodes, edges, .. } = tree;
    for node in nodes.iter_mut() {
        weigh(w, node);
    }
    for edge in edges.iter_mut() {
        let joint = Joint::of(edge, blocks, drives);
        factor_edge(w, edge, nodes, joint);
    }
    for node in nodes.iter_mut().filter(|node| !node.has_parent) {
        let weight = decompose(w, read(w, &node.weight), 3);
        write(w, &mut node.weight, weight);
    }
}

/// Tells what else joins these bodies which inertias they have here.
#[inline(always)]
pub(crate) fn share_inertias<W: Width>(w: W, tree: &Tree, masses: &mut [[f32; 4]]) {
    for node in &tree.nodes {
        let [x, y, _, rest] = w.gather(masses, &node.rows);
        w.scatter(masses, &node.rows, [x, y, w.read(&node.inv_inertia), rest]);
    }
}

/// Adds h² F r of a joint to both its bodies.
///
/// F is no more than what stops the whole tree at its fastest in one sub-step, `most` its impulse times h and its turn times h: a body
/// that can only turn, and hardly turns its joint, takes an impulse in proportion to its inertia, and an inertia in proportion to
/// that would grow beyond all numbers.
#[inline(always)]
fn add_pull<W: Width>(
    w: W,
    edge: &Edge,
    nodes: &mut [Node],
    arms: [W::L; 2],
    (force, most): (W::L, [W::L; 2]),
) {
    let pull = inlined(
        #[inline(always)]
        |arm: W::L| (force * arm).smaller(most[0] * arm + most[1]),
    );
    let (of_a, of_b) = (pull(arms[0]), pull(arms[1]));
    let (of_child, of_parent) = if edge.child_is_b { (of_b, of_a) } else { (of_a, of_b) };
    for (node, pull) in [(edge.child, of_child), (edge.parent, of_parent)] {
        if node != NONE {
            let sum = &mut nodes[node as usize].pull;
            let added = w.read(sum) + pull;
            w.write(sum, added);
        }
    }
}

/// Whether the pull of its joints asks for more inertia than a body has.
#[inline(always)]
fn is_stiff<W: Width>(w: W, node: &Node) -> bool {
    let (pull, spin, inertia) = (w.read(&node.pull), w.read(&node.inv_spin), w.read(&node.mass[2]));
    let gives = w.splat(0.0).lt(spin);
    w.any(gives & (inertia.lt(pull) | w.splat(1.0).lt(pull * spin)))
}

/// M of a body on its own, with the inertia that the pull of its joints asks for.
#[inline(always)]
fn weigh<W: Width>(w: W, node: &mut Node) {
    let ([x, y], spin) = (read(w, &node.inv_mass), w.read(&node.inv_spin));
    let mass = read(w, &node.mass);
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let lightest = x.larger(y);
    let lightest = W::L::select(zero.lt(lightest), lightest, spin);
    let whole = W::L::select(zero.lt(lightest), one / lightest, one);
    let locked = whole * w.splat(LOCKED);
    let mut of = [zero; 3];
    for (k, inverse) in [x, y, spin].into_iter().enumerate() {
        of[k] = W::L::select(zero.lt(inverse), mass[k], locked);
    }
    let pull = w.read(&node.pull);
    of[2] = W::L::select(zero.lt(spin), of[2].larger(pull), of[2]);
    write(w, &mut node.weight, [of[0], zero, zero, of[1], zero, of[2]]);
    w.write(&mut node.inv_inertia, W::L::select(one.lt(pull * spin), one / pull, spin));
}

#[inline(always)]
fn factor_edge<W: Width>(w: W, edge: &mut Edge, nodes: &mut [Node], joint: Joint) {
    let (numbers, size) = joint.block.form.rows();
    let mut give = [w.splat(0.0); 6];
    let place = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
    if edge.extra {
        for k in 0..size {
            let on = joint.is_on(w, numbers[k]);
            give[place[k][k]] = on * w.read(&joint.block.now.k[numbers[k]]) * w.splat(GROUND_GIVES);
        }
        let give = decompose(w, give, size);
        write(w, &mut edge.give, give);
        add_weight(w, &mut nodes[edge.child as usize], (joint, edge.child_is_b), (numbers, size), give);
        return;
    }
    let child = &mut nodes[edge.child as usize];
    let weight = decompose(w, read(w, &child.weight), 3);
    write(w, &mut child.weight, weight);
    for k in 0..size {
        let moved = solved(weight, joint.row(w, numbers[k], edge.child_is_b), 3);
        for l in k..size {
            give[place[k][l]] = dot(joint.row(w, numbers[l], edge.child_is_b), moved);
        }
        // Where nothing gives way, no impulse would do anything: bodies that are locked, or about to sleep.
        let (own, whole) = (w.read(&joint.block.now.k[numbers[k]]), &mut give[place[k][k]]);
        *whole = W::L::select(w.splat(0.0).lt(own), *whole, w.splat(0.0));
    }
    let give = decompose(w, give, size);
    write(w, &mut edge.give, give);
    if edge.parent != NONE {
        add_weight(w, &mut nodes[edge.parent as usize], (joint, !edge.child_is_b), (numbers, size), give);
    }
}

/// D += Jᵀ S⁻¹ J
#[inline(always)]
fn add_weight<W: Width>(
    w: W,
    node: &mut Node,
    (joint, of_b): (Joint, bool),
    (numbers, size): ([usize; 3], usize),
    give: Symmetric<W::L>,
) {
    let mut weight = read(w, &node.weight);
    // Rows of L⁻¹ J, so that each adds its own square over its pivot.
    let mut y = [[w.splat(0.0); 3]; 3];
    for k in 0..size {
        y[k] = joint.row(w, numbers[k], of_b);
    }
    let [d0, l10, l20, d1, l21, d2] = give;
    let [y_0, y_1, y_2] = &mut y;
    for ((y_0, y_1), y_2) in y_0.iter().zip(y_1).zip(y_2) {
        if size > 1 {
            *y_1 = *y_1 - l10 * *y_0;
        }
        if size > 2 {
            *y_2 = *y_2 - l20 * *y_0 - l21 * *y_1;
        }
    }
    for (k, pivot) in [d0, d1, d2].into_iter().enumerate().take(size) {
        let scaled = [y[k][0] * pivot, y[k][1] * pivot, y[k][2] * pivot];
        weight[0] = weight[0] + y[k][0] * scaled[0];
        weight[1] = weight[1] + y[k][0] * scaled[1];
        weight[2] = weight[2] + y[k][0] * scaled[2];
        weight[3] = weight[3] + y[k][1] * scaled[1];
        weight[4] = weight[4] + y[k][1] * scaled[2];
        weight[5] = weight[5] + y[k][2] * scaled[2];
    }
    write(w, &mut node.weight, weight);
}
