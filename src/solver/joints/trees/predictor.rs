//! Trials (predictor step): a solve that is taken back, to find extra inertias and active limits.
//!
//! In: a tree as a sub-step finds it. Out: the inertias that follow from the pulls, the limits that
//! hold.
//!
//! Without it these fail: `a_chain_bears_a_thousand_times_its_links`, `limits_bear_a_load`, and
//! twelve more in the folder `tests/physics/joints/`.

use super::factor::{factor, feel_pulls};
use super::limits::{aim_limits, find_limits};

use super::tree::up_and_down;
use super::tree::{Tree, TreeBlocks, TreeEdge};
use crate::simd::Width;
use crate::solver::columns::SharedColumns;
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{read, write};
use crate::solver::params::JointParams;

/// Trials of the pulls of a heavy tree.
pub(super) const PULL_TRIALS: usize = 2;

/// Most trials for the active limits.
///
/// Two limits that take turns, each released because of the other, are both passed: with a single
/// trial, a chain of four wheels went 0.64 m beyond a limit, and the impulses that brought it back
/// lifted it by 1.8 times the energy that was ever in motion. (A lane that has all its limits right
/// finds the same in each further trial, so its result does not depend on the others.)
///
/// All limits that are wrong change at once. (Changing only the first of them from the fifth trial
/// on, as Murty has it, 1974: no limit of 360 thrown trees was held better.)
pub(super) const MOST_TRIALS: usize = 12;

/// Solves of a trial.
pub(super) const ROUNDS_OF_TRIAL: usize = 2;

/// Solves the tree and rolls back: only the active limits are kept and, if the trial `feels` them,
/// the pulls and the inertias that follow from them.
///
/// A heavy ball that draws its chain taut pulls a thousand times harder than in the sub-step
/// before. Finding such links first keeps them from being thrown past the straight line.
///
/// If no inertia changes, the solve is not taken back and `true` is returned: solving again would
/// give the same.
#[inline(always)]
pub(super) fn try_pull<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &TreeBlocks,
    (columns, ground): (&SharedColumns, [W::L; 2]),
    (feels, params): (bool, &JointParams),
) -> bool {
    let gain = w.read(&tree.gain);
    for node in &mut tree.nodes {
        let [x, y, spin] = read(w, &node.velocity);
        write(w, &mut node.aside, [x, y, spin, w.splat(0.0), w.splat(0.0)]);
    }
    for _ in 0..ROUNDS_OF_TRIAL {
        up_and_down(w, tree, (columns, ground), (Half::Before, params));
    }
    let changed = w.apart(
        #[inline(always)]
        || find_limits(w, tree, columns, params),
    );
    let mut stiff = false;
    if feels {
        for edge in &mut tree.edges {
            pull_after(w, edge);
        }
        stiff = feel_pulls(w, tree, params, true);
    }
    if !stiff && !changed {
        return true;
    }
    w.apart(
        #[inline(always)]
        || factor(w, tree, home, params),
    );
    aim_limits(w, tree, params);
    for node in &mut tree.nodes {
        let [x, y, spin, ..] = read(w, &node.aside);
        write(w, &mut node.velocity, [x, y, spin]);
    }
    for edge in &mut tree.edges {
        write(w, &mut edge.sum, [w.splat(0.0); 3]);
    }
    w.write(&mut tree.gain, gain);
    false
}

/// Assumes the same pull for the half after.
#[inline(always)]
fn pull_after<W: Width>(w: W, edge: &mut TreeEdge) {
    for k in 0..3 {
        let mut held = w.read(&edge.held[0][k]);
        if edge.form.holds(k) {
            held = held + edge.seen(w.read(&edge.sum[k]));
        }
        w.write(&mut edge.held[1][k], held);
    }
}
