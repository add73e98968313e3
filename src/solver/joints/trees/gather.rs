//! Gather and scatter of the bodies of trees, before and after a pass.
//!
//! In: velocities as contacts left them, or as the pass before did where nothing comes between.
//! Out: the velocities for joints, in the nodes; and afterwards the change by joints, added to the
//! unconstrained velocity. `loops/gather.rs` does the same row by row for bodies that several
//! solvers share; a tree that owns its bodies keeps them in its nodes.

use super::tree::{Tree, TreeNode};
use crate::simd::{LANES, Lane, Table, Width};
use crate::solver::columns::SharedColumns;
use crate::solver::joints::JointPass;
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{read, write};
use crate::solver::params::JointParams;
use crate::tuning::MAX_TURN;

/// Gathers the velocities of a tree, without the half kick that is still to come. Returns the lanes
/// in which they differ from the velocities that its joints left.
#[inline(always)]
pub(super) fn take<W: Width>(
    w: W,
    tree: &mut Tree,
    columns: &SharedColumns,
    pass: JointPass,
) -> <W::L as Lane>::Mask {
    let (own, zero) = (tree.own, w.splat(0.0));
    let mut touched = zero.lt(zero);
    // Between the last pass before bodies move and the first one after, nothing else changes bodies
    // that a tree owns.
    let at_hand = own && pass == JointPass::AfterFirst && tree.pushes_all;
    for node in &mut tree.nodes {
        let mut v = if at_hand { read(w, &node.velocity) } else { three(w, &columns.velocity, &node.rows) };
        if own {
            if pass.half() == Half::Before {
                if pass.is_first() {
                    write(w, &mut node.lag, three(w, columns.lag, &node.rows));
                }
                let [x, y, spin] = read(w, &node.lag);
                v = [v[0] - x, v[1] - y, v[2] - spin];
            }
            if pass.is_first() {
                // As if the warm start of other joints had been added: 0.
                v = [v[0] + zero, v[1] + zero, v[2] + zero];
            }
            if pass == JointPass::BeforeFirst {
                write(w, &mut node.unconstrained, three(w, &columns.unconstrained, &node.rows));
            }
            write(w, &mut node.before, v);
        }
        if pass == JointPass::AfterLast {
            let left = read(w, &node.velocity);
            touched = touched | !v[0].eq(left[0]) | !v[1].eq(left[1]) | !v[2].eq(left[2]);
        }
        write(w, &mut node.velocity, v);
    }
    touched
}

/// The first three numbers of each row.
#[inline(always)]
fn three<W: Width>(w: W, column: &(impl Table + ?Sized), rows: &[u32; LANES]) -> [W::L; 3] {
    let [x, y, spin, _] = w.gather(column, rows);
    [x, y, spin]
}

/// Scatters the velocities of `wanted` lanes: notes the change by joints, and adds back what
/// [`take`] subtracted. Velocities are clamped to the range in which the bend term is valid: a
/// slack chain that snaps taut would turn its links faster.
#[inline(always)]
pub(super) fn give<W: Width>(
    w: W,
    tree: &mut Tree,
    columns: &SharedColumns,
    (half, params): (Half, &JointParams),
    wanted: <W::L as Lane>::Mask,
) {
    let (own, lanes, zero) = (tree.own, w.bits(wanted) & tree.used, w.splat(0.0));
    let mut velocity = columns.velocity;
    for node in &mut tree.nodes {
        let [x, y, spin] = kept(w, (node, own), (half, params), wanted);
        if half == Half::Before {
            // For the first pass after the bodies have moved.
            write(w, &mut node.velocity, [x, y, spin]);
        }
        if lanes == u8::MAX {
            w.scatter(&mut velocity, &node.rows, [x, y, spin, zero]);
        } else {
            w.scatter_some(&mut velocity, &node.rows, lanes, [x, y, spin, zero]);
        }
    }
}

/// The velocity of a body at the end of a pass.
#[inline(always)]
pub(super) fn kept<W: Width>(
    w: W,
    (node, own): (&mut TreeNode, bool),
    (half, params): (Half, &JointParams),
    wanted: <W::L as Lane>::Mask,
) -> [W::L; 3] {
    let most = [w.splat(params.max_speed), w.splat(params.max_speed), w.splat(MAX_TURN * params.inv_h)];
    let mut v = read(w, &node.velocity);
    for k in 0..3 {
        // No -0: the rows that a joint solves depend on its neighbouring lanes, so a 0 could get
        // either sign.
        v[k] = v[k] + w.splat(0.0);
        if own {
            v[k] = v[k].larger(-most[k]).smaller(most[k]);
            let free = w.read(&node.unconstrained[k]);
            let did = free + (v[k] - w.read(&node.before[k]));
            w.write(&mut node.unconstrained[k], W::L::select(wanted, did, free));
            if half == Half::Before {
                v[k] = v[k] + w.read(&node.lag[k]);
            }
        }
    }
    v
}

/// Ends a sub-step: adds the change by joints to the unconstrained velocities.
#[inline(always)]
pub(crate) fn give_free<W: Width>(w: W, tree: &Tree, columns: &SharedColumns) {
    let mut free = columns.unconstrained;
    for node in tree.nodes.iter().filter(|_| tree.own) {
        let [x, y, spin] = read(w, &node.unconstrained);
        w.scatter_some(&mut free, &node.rows, tree.used, [x, y, spin, w.splat(0.0)]);
    }
}
