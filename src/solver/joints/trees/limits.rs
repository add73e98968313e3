//! Active limits, which are solved with the locked axes of a tree, and the speeds they ask for.
//!
//! In: velocities found by a trial, limits in the drive rows. Out: the side on which each limit
//! holds.

pub(super) use super::kinds::{EdgeKind, by_axes};
use super::solve::hold_of;
pub(super) use super::tree::{DriveRow, Tree, TreeEdge};
use crate::simd::{Lane, Width};
use crate::solver::columns::SharedColumns;
use crate::solver::joints::block::LIMITS;
use crate::solver::joints::small_matrix::{read, two};
use crate::solver::joints::two_bodies::{Turned, Upright};
use crate::solver::params::JointParams;

/// Sets the speeds to the active limits, before bodies move. Afterwards the target speed is 0.
#[inline(always)]
pub(super) fn aim_limits<W: Width>(w: W, tree: &mut Tree, params: &JointParams) {
    let Tree { edges, drive_rows, .. } = tree;
    for edge in edges.iter_mut().filter(|_| tree.limited) {
        for muscle in &drive_rows[edge.drive_rows()] {
            let number = muscle.number as usize;
            if edge.form.drives(number, LIMITS) {
                let seen = edge.seen(-wanted_at_limit(w, muscle, params));
                w.write(&mut edge.closing[number], seen);
            }
        }
    }
}

/// Target speed of an axis at a limit: it ends at the limit.
#[inline(always)]
fn wanted_at_limit<W: Width>(w: W, muscle: &DriveRow, params: &JointParams) -> W::L {
    let zero = w.splat(0.0);
    let side = w.read(&muscle.at_limit);
    let [lower, upper] = read(w, &muscle.limits);
    let limit = W::L::select(zero.lt(side), lower, upper);
    let most = w.splat(params.most_push(muscle.number as usize));
    let back = (limit - w.read(&muscle.value)) * w.splat(params.inv_h);
    W::L::select(side.eq(zero), zero, back.smaller(most).larger(-most))
}

/// Finds the active limits: limits that push, and limits that would be passed. Returns whether any
/// changed.
#[inline(always)]
pub(super) fn find_limits<W: Width>(
    w: W,
    tree: &mut Tree,
    columns: &SharedColumns,
    params: &JointParams,
) -> bool {
    let (zero, one, inv_h) = (w.splat(0.0), w.splat(1.0), w.splat(params.inv_h));
    let mut changed = zero;
    let Tree { nodes, edges, drive_rows, .. } = tree;
    for edge in edges.iter().filter(|edge| tree.limited && edge.form.is_limited()) {
        let speeds = by_axes!(w, edge, axes => hold_of(w, (edge, axes), nodes, columns).speeds());
        for muscle in &mut drive_rows[edge.drive_rows()] {
            let number = muscle.number as usize;
            if !edge.form.drives(number, LIMITS) {
                continue;
            }
            let (value, speed) = (w.read(&muscle.value), edge.seen(speeds[number]));
            let [lower, upper] = read(w, &muscle.limits);
            let below = speed.lt((lower - value) * inv_h);
            let above = ((upper - value) * inv_h).lt(speed);
            let fresh = W::L::select(below, one, W::L::select(above, -one, zero));
            let side = w.read(&muscle.at_limit);
            let pushes = zero.lt(side * edge.seen(w.read(&edge.sum[number])));
            let kept = W::L::select(pushes, side, zero);
            let found = W::L::select(side.eq(zero), fresh, kept);
            changed = W::L::select(found.eq(side), changed, one);
            w.write(&mut muscle.at_limit, found);
        }
    }
    w.any(zero.lt(changed))
}

/// Keeps the limits of an edge that still push: the start for the half after.
#[inline(always)]
pub(super) fn keep_limits<W: Width>(w: W, edge: &TreeEdge, drive_rows: &mut [DriveRow]) {
    let zero = w.splat(0.0);
    for muscle in drive_rows.iter_mut().filter(|muscle| edge.form.drives(muscle.number as usize, LIMITS)) {
        let impulse = w.read(&edge.held[0][muscle.number as usize]);
        let side =
            W::L::select(zero.lt(impulse), w.splat(1.0), W::L::select(impulse.lt(zero), w.splat(-1.0), zero));
        w.write(&mut muscle.at_limit, side);
    }
}
