//! Jacobians of a tree at the present poses, and the speeds that close its gaps.
//!
//! In: displacements of the bodies. Out: blocks, filled by `joints/jacobian.rs`; edges, with the
//! data of a pass; responses of driven axes.

use super::drives::with_number;
use super::factor::{factor, feel_pulls, share_inertias};
pub(super) use super::kinds::{EdgeKind, by_axes};
use super::limits::{aim_limits, keep_limits};
pub(super) use super::tree::{DriveRow, Tree, TreeBlocks, TreeEdge};
use crate::body::NONE;
use crate::simd::Width;
use crate::solver::columns::SharedColumns;
use crate::solver::joints::block::Now;
use crate::solver::joints::drives::{Reply, answer, others};
use crate::solver::joints::jacobian::{aim_after, way, weigh};
use crate::solver::joints::small_matrix::{read, two, write};
use crate::solver::joints::two_bodies::{Axes, Turned, Upright, closing};
use crate::solver::params::JointParams;
use crate::threads::Shared;

/// Notes displacements and rotations once per body, as a body has several joints.
#[inline(always)]
pub(crate) fn note_ways<W: Width>(w: W, tree: &mut Tree, columns: &SharedColumns) {
    for node in &mut tree.nodes {
        let way = way(w, &columns.moved, &node.rows);
        write(w, &mut node.aside, way);
    }
}

/// Updates the Jacobians of a tree whose displacements were noted, and factors its masses;
/// `columns` are for the ground. Returns whether any body has extra inertia.
#[inline(always)]
pub(crate) fn aim_and_factor<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    params: &JointParams,
) -> bool {
    w.apart(
        #[inline(always)]
        || aim(w, tree, home, columns, params),
    );
    let stiff = w.apart_in_debug(
        #[inline(always)]
        || feel_pulls(w, tree, params, false),
    );
    w.apart(
        #[inline(always)]
        || factor(w, tree, home, params),
    );
    stiff
}

/// Recomputes blocks for the inertias that bodies have in other solvers.
#[inline(always)]
pub(crate) fn weigh_stiff<W: Width>(w: W, tree: &Tree, home: &mut TreeBlocks, masses: Shared<[f32; 4]>) {
    share_inertias(w, tree, masses);
    for edge in tree.edges.iter().filter(|edge| edge.form.is_driven()) {
        weigh(w, home.change(edge).0, &masses);
    }
}

/// Updates blocks and edges.
#[inline(always)]
fn aim<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    params: &JointParams,
) {
    let no_line = params.tuning.no_line;
    for edge in &mut tree.edges {
        let block = home.change(edge).0;
        let child = read(w, &tree.nodes[edge.child as usize].aside);
        let parent = match edge.parent {
            NONE => way(w, &columns.moved, &edge.ground),
            node => read(w, &tree.nodes[node as usize].aside),
        };
        aim_after(w, block, if edge.child_is_b { (parent, child) } else { (child, parent) }, no_line);
        let drive_rows = &mut tree.drive_rows[edge.drive_rows()];
        keep_limits(w, edge, drive_rows);
        for muscle in drive_rows {
            w.write(&mut muscle.value, w.read(&block.now.value[muscle.number as usize]));
        }
        let now = &block.now;
        let (of_child, of_parent) = if edge.child_is_b { (&now.b, &now.a) } else { (&now.a, &now.b) };
        if edge.kind == EdgeKind::Other {
            write(w, &mut edge.axis, two(w, &block.now.axis));
            w.write(&mut edge.length, w.read(&block.now.value[0]));
        }
        write(w, &mut edge.of_child, two(w, of_child));
        write(w, &mut edge.of_parent, two(w, of_parent));
        let [along, across, turn] = closing(w, block, params, 1.0);
        let closing = [edge.seen(along), edge.seen(across), edge.seen(turn)];
        write(w, &mut edge.closing, closing);
    }
    aim_limits(w, tree, params);
}

/// Notes the responses of driven axes: they are used four times until the bodies move again.
#[inline(always)]
pub(crate) fn note_answers<W: Width>(w: W, tree: &mut Tree, home: &TreeBlocks) {
    w.apart(
        #[inline(always)]
        || note_all_answers(w, tree, home),
    );
}

#[inline(always)]
fn note_all_answers<W: Width>(w: W, tree: &mut Tree, home: &TreeBlocks) {
    for edge in &tree.edges {
        let block = home.read(edge).0;
        let drive_rows = &mut tree.drive_rows[edge.drive_rows()];
        by_axes!(w, edge, axes => note_answers_of(w, (edge, axes), drive_rows, &block.now));
    }
}

#[inline(always)]
fn note_answers_of<W: Width, A: Axes<W::L>>(
    w: W,
    (edge, _): (&TreeEdge, A),
    drive_rows: &mut [DriveRow],
    now: &Now,
) {
    for muscle in drive_rows {
        with_number::<W::L, A>(
            muscle.number,
            #[inline(always)]
            |number| {
                w.apart_in_debug(
                    #[inline(always)]
                    || note_answer(w, edge, muscle, (now, number)),
                );
            },
        );
    }
}

#[inline(always)]
fn note_answer<W: Width>(w: W, edge: &TreeEdge, muscle: &mut DriveRow, (now, number): (&Now, usize)) {
    let off = w.read(&now.value[number]) - w.read(&muscle.target);
    let answer = answer(w, (edge.form, now), number);
    let Reply { answer, mass, toward } =
        Reply::with(w, answer, (off, [w.read(&muscle.pull), w.read(&muscle.most_pull)]));
    w.write(&mut muscle.mass, mass);
    w.write(&mut muscle.toward, toward);
    for (passed, other) in muscle.passed.iter_mut().zip(others(number)) {
        w.write(passed, answer.push[other]);
    }
}
