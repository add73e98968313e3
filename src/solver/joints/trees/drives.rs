//! Servos and motors of a tree, solved before its locked axes. Limits are solved with the locked
//! axes.
//!
//! In: a tree with up-to-date Jacobians and responses, its velocities. Out: driven velocities;
//! impulses in the drive rows, and the impulses of the locked axes' response in the edges.

pub(super) use super::kinds::{EdgeKind, by_axes};
use super::solve::hold_of;
pub(super) use super::tree::{DriveRow, Tree, TreeBlocks, TreeEdge, TreeNode, keep_family};
use crate::simd::Width;
use crate::solver::columns::{Column, SharedColumns};
use crate::solver::joints::block::{Drives, JointBlock, MOTOR, RowMask, SERVO};
use crate::solver::joints::drives::{DriveResponse, DriveStage, Reply, others, push_along};
use crate::solver::joints::loops;
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{only, read, two, write};
use crate::solver::joints::two_bodies::{Axes, Hold, Turned, Upright};
use crate::solver::params::JointParams;

/// Solves the drives. `warm`: warm starts them first.
#[inline(always)]
pub(super) fn drive<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    (half, params, warm): (Half, &JointParams, bool),
) {
    if warm {
        w.apart(
            #[inline(always)]
            || start(w, tree, home, columns, half),
        );
    }
    if tree.sprung {
        w.apart(
            #[inline(always)]
            || damp(w, tree, home, columns, (half, params)),
        );
    }
    drive_edges(w, tree, home, columns, (half, params, DriveStage::Pull));
}

/// Damps the speeds at which the bodies came, without the half kick of this half.
#[inline(always)]
fn damp<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    (half, params): (Half, &JointParams),
) {
    for node in &mut tree.nodes {
        if !tree.own {
            let [x, y, spin, _] = w.gather(columns.lag, &node.rows);
            write(w, &mut node.lag, [x, y, spin]);
        }
        for k in 0..3 {
            let came = w.read(&node.velocity[k]) - w.read(&node.lag[k]);
            w.write(&mut node.velocity[k], came);
        }
    }
    drive_edges(w, tree, home, columns, (half, params, DriveStage::Damp));
    for node in &mut tree.nodes {
        for k in 0..3 {
            let goes = w.read(&node.velocity[k]) + w.read(&node.lag[k]);
            w.write(&mut node.velocity[k], goes);
        }
    }
}

#[inline(always)]
fn drive_edges<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    (half, params, stage): (Half, &JointParams, DriveStage),
) {
    let Tree { nodes, edges, drive_rows, .. } = tree;
    for edge in edges.iter_mut().filter(|edge| edge.form.is_driven()) {
        if edge.form.round() {
            let mut hold = hold_between(w, (edge, Turned(two(w, &edge.axis))), nodes, columns);
            let (block, drives) = lend(w, edge, home, half);
            hold = w.apart(
                #[inline(always)]
                || {
                    loops::solve::push_on(w, &mut *block, drives, &mut hold, (half, params, stage));
                    hold
                },
            );
            give_back(w, edge, block, half);
            keep_between(w, edge, nodes, &hold);
            continue;
        }
        by_axes!(w, edge, axes => drive_edge(w, (edge, axes), (nodes, drive_rows), columns, (half, params, stage)));
    }
}

#[inline(always)]
fn drive_edge<W: Width, A: Axes<W::L>>(
    w: W,
    (edge, axes): (&mut TreeEdge, A),
    (nodes, drive_rows): (&mut [TreeNode], &mut [DriveRow]),
    columns: &SharedColumns,
    (half, params, stage): (Half, &JointParams, DriveStage),
) {
    let mut hold = hold_between(w, (edge, axes), nodes, columns);
    let form = edge.form;
    for muscle in &mut drive_rows[edge.drive_rows()] {
        with_number::<W::L, A>(
            muscle.number,
            #[inline(always)]
            |number| {
                let own = (&mut *muscle, &mut edge.held[half as usize]);
                push_drive_row(w, (form, number), own, &mut hold, (half, params, stage));
            },
        );
    }
    keep_between(w, edge, nodes, &hold);
}

/// Warm starts drives if something else comes between that and the pass: gathers and scatters
/// velocities.
#[inline(always)]
pub(crate) fn warm_start<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    half: Half,
) {
    for node in &mut tree.nodes {
        let [x, y, spin, _] = w.gather(&columns.velocity, &node.rows);
        write(w, &mut node.velocity, [x, y, spin]);
    }
    start(w, tree, home, columns, half);
    let mut velocity = columns.velocity;
    for node in &tree.nodes {
        let [x, y, spin] = read(w, &node.velocity);
        w.scatter_some(&mut velocity, &node.rows, tree.used, [x, y, spin, w.splat(0.0)]);
    }
}

/// Warm starts drives, with the response of the locked axes.
#[inline(always)]
fn start<W: Width>(w: W, tree: &mut Tree, home: &mut TreeBlocks, columns: &SharedColumns, half: Half) {
    let Tree { nodes, edges, drive_rows, .. } = tree;
    for edge in edges.iter_mut() {
        write(w, &mut edge.held[half as usize], [w.splat(0.0); 3]);
        if !edge.form.is_driven() {
            continue;
        }
        if edge.form.round() {
            let mut hold = hold_between(w, (edge, Turned(two(w, &edge.axis))), nodes, columns);
            let (block, drives) = lend(w, edge, home, half);
            hold = w.apart(
                #[inline(always)]
                || {
                    loops::solve::warm_start_on(w, &mut *block, drives.as_deref(), &mut hold, (half, true));
                    hold
                },
            );
            give_back(w, edge, block, half);
            keep_between(w, edge, nodes, &hold);
            continue;
        }
        by_axes!(w, edge, axes => start_edge(w, (edge, axes), (nodes, drive_rows), columns, half));
    }
}

#[inline(always)]
fn start_edge<W: Width, A: Axes<W::L>>(
    w: W,
    (edge, axes): (&mut TreeEdge, A),
    (nodes, drive_rows): (&mut [TreeNode], &[DriveRow]),
    columns: &SharedColumns,
    half: Half,
) {
    let mut hold = hold_between(w, (edge, axes), nodes, columns);
    let form = edge.form;
    for muscle in drive_rows[edge.drive_rows()].iter().rev() {
        with_number::<W::L, A>(
            muscle.number,
            #[inline(always)]
            |number| {
                start_muscle(w, (form, number), (muscle, &mut edge.held[half as usize]), &mut hold, half);
            },
        );
    }
    keep_between(w, edge, nodes, &hold);
}

/// Adds this sub-step's impulses of a tree to the totals of the step.
#[inline(always)]
pub(crate) fn count<W: Width>(w: W, tree: &mut Tree, home: &mut TreeBlocks) {
    let Tree { edges, drive_rows, .. } = tree;
    for edge in edges {
        if edge.form.round() {
            lend(w, edge, home, Half::Before);
            let (block, drives) = lend(w, edge, home, Half::After);
            write(w, &mut block.total, read(w, &edge.total));
            loops::solve::count(w, block, drives.as_deref());
            write(w, &mut edge.total, read(w, &block.total));
            continue;
        }
        for muscle in &drive_rows[edge.drive_rows()] {
            let total = &mut edge.total[muscle.number as usize];
            let (mut sum, [before, after]) = (w.read(total), &muscle.impulse);
            if edge.form.drives(muscle.number as usize, SERVO) {
                sum = sum + (w.read(&before[SERVO]) + w.read(&after[SERVO]));
            }
            if edge.form.drives(muscle.number as usize, MOTOR) {
                sum = sum + (w.read(&before[MOTOR]) + w.read(&after[MOTOR]));
            }
            w.write(total, sum);
        }
        for k in 0..3 {
            let sum = w.read(&edge.total[k]) + (w.read(&edge.held[0][k]) + w.read(&edge.held[1][k]));
            w.write(&mut edge.total[k], sum);
        }
    }
}

/// Calls `run` with a constant axis: where a point is held only the angle may be driven.
#[inline(always)]
pub(super) fn with_number<L, A: Axes<L>>(number: u32, mut run: impl FnMut(usize)) {
    match number {
        _ if A::UPRIGHT => run(2),
        0 => run(0),
        1 => run(1),
        _ => run(2),
    }
}

#[inline(always)]
fn start_muscle<W: Width>(
    w: W,
    (form, number): (RowMask, usize),
    (muscle, held): (&DriveRow, &mut [Column; 3]),
    hold: &mut Hold<W::L, impl Axes<W::L>>,
    half: Half,
) {
    if form.drives(number, MOTOR) {
        let (reply, driving) = (reply(w, number, muscle), w.read(&muscle.impulse[half as usize][MOTOR]));
        push_along(w, (form, held), hold, (number, &reply.answer), driving);
    }
}

#[inline(always)]
fn push_drive_row<W: Width>(
    w: W,
    (form, number): (RowMask, usize),
    (muscle, held): (&mut DriveRow, &mut [Column; 3]),
    hold: &mut Hold<W::L, impl Axes<W::L>>,
    (half, params, stage): (Half, &JointParams, DriveStage),
) {
    let half_h = w.splat(0.5 * params.h);
    let reply = reply(w, number, muscle);
    let impulse = &mut muscle.impulse[half as usize];
    if form.drives(number, SERVO) {
        let [least, most] = read(w, &muscle.bounds);
        let (share, before) = (w.read(&muscle.share), w.read(&impulse[SERVO]));
        let (after, push) = reply.servo_at(stage, hold, (share, before, [least * half_h, most * half_h]));
        w.write(&mut impulse[SERVO], after);
        push_along(w, (form, &mut *held), hold, (number, &reply.answer), push);
    }
    if form.drives(number, MOTOR) && stage != DriveStage::Damp {
        let before = w.read(&impulse[MOTOR]);
        let after = reply.motor(hold, w.read(&muscle.speed), before, w.read(&muscle.max) * half_h);
        w.write(&mut impulse[MOTOR], after);
        push_along(w, (form, held), hold, (number, &reply.answer), after - before);
    }
}

/// The stored response, without the parts that only limits need.
#[inline(always)]
fn reply<W: Width>(w: W, number: usize, muscle: &DriveRow) -> Reply<W::L> {
    let mut push = only(w, number, w.splat(1.0));
    for (passed, other) in muscle.passed.iter().zip(others(number)) {
        push[other] = w.read(passed);
    }
    let answer = DriveResponse { k: w.splat(0.0), push };
    Reply { answer, mass: w.read(&muscle.mass), toward: w.read(&muscle.toward) }
}

/// The block of an edge, with the impulses of a half, and its drives.
#[inline(always)]
fn lend<'j, W: Width>(
    w: W,
    edge: &TreeEdge,
    home: &'j mut TreeBlocks,
    half: Half,
) -> (&'j mut JointBlock, Option<&'j mut Drives>) {
    let (block, drives) = home.change(edge);
    write(w, &mut block.held[half as usize], read(w, &edge.held[half as usize]));
    (block, drives)
}

#[inline(always)]
fn give_back<W: Width>(w: W, edge: &mut TreeEdge, block: &JointBlock, half: Half) {
    write(w, &mut edge.held[half as usize], read(w, &block.held[half as usize]));
}

/// Both bodies of an edge, A and B as in its joint.
#[inline(always)]
fn hold_between<W: Width, A: Axes<W::L>>(
    w: W,
    (edge, axes): (&TreeEdge, A),
    nodes: &[TreeNode],
    columns: &SharedColumns,
) -> Hold<W::L, A> {
    let hold = hold_of(w, (edge, axes), nodes, columns);
    if edge.child_is_b { hold } else { hold.swapped() }
}

/// Writes both velocities back to the nodes.
#[inline(always)]
fn keep_between<W: Width>(w: W, edge: &TreeEdge, nodes: &mut [TreeNode], hold: &Hold<W::L, impl Axes<W::L>>) {
    keep_family(w, edge, nodes, if edge.child_is_b { (hold.v_b, hold.v_a) } else { (hold.v_a, hold.v_b) });
}
