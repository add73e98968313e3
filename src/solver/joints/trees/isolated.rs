//! Flights (isolated sub-stepping, cache blocking): all sub-steps of a step in one go, for trees
//! without contacts.
//!
//! In: a tree without contacts, its bodies before the first sub-step. Out: velocities and
//! displacements after the last one, bit for bit as from the separate stages. The separate stages
//! go through all trees sixteen times per step, and a thousand dolls exceed the cache; here a tree
//! is loaded once.
//!
//! While trees fly, the rows of their bodies are stale: [`land`] fills them when the other bodies
//! are done.

use super::gather::kept;
use super::tree::{Tree, TreeBlocks, hold_together, note_held};
use crate::simd::{LANES, Lane, Width};
use crate::solver::columns::{Column, SharedColumns};
use crate::solver::joints::JointPass;
use crate::solver::joints::jacobian::turn;
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{read, write};
use crate::solver::params::JointParams;
use crate::tuning::ContactTuning;

/// A body of eight trees in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    /// Velocity change by gravity and forces in a sub-step, and the share that damping leaves.
    push: [Column; 3],
    keeps: [Column; 3],
    /// Displacement.
    moved: [Column; 3],
}

impl Flight {
    pub(crate) const EMPTY: Flight =
        Flight { push: [[0.0; LANES]; 3], keeps: [[0.0; LANES]; 3], moved: [[0.0; LANES]; 3] };
}

/// Loads the bodies of a tree.
#[inline(always)]
pub(crate) fn remove_lag<W: Width>(w: W, tree: &mut Tree, flights: &mut [Flight], columns: &SharedColumns) {
    for (node, flight) in tree.nodes.iter_mut().zip(flights) {
        let [x, y, spin, _] = w.gather(&columns.velocity, &node.rows);
        write(w, &mut node.velocity, [x, y, spin]);
        let [x, y, spin, _] = w.gather(&columns.unconstrained, &node.rows);
        write(w, &mut node.unconstrained, [x, y, spin]);
        let [x, y, spin, _] = w.gather(&columns.moved, &node.rows);
        write(w, &mut flight.moved, [x, y, spin]);
        let [x, y, spin, turns] = w.gather(columns.force_delta, &node.rows);
        write(w, &mut flight.push, [x, y, spin]);
        let [.., keeps] = w.gather(columns.mass, &node.rows);
        write(w, &mut flight.keeps, [keeps, keeps, turns]);
    }
}

/// Gravity and forces, as `solver/integrate.rs` adds them; and the first pass of a sub-step.
#[inline(always)]
pub(crate) fn begin<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    flights: &mut [Flight],
    (is_first, columns, params): (bool, &SharedColumns, &JointParams),
) {
    w.apart(
        #[inline(always)]
        || fall(w, tree, flights, (is_first, params)),
    );
    push(w, tree, home, (columns, Half::Before, params));
}

/// Adds gravity and forces, and subtracts the half kick that joints do not see.
#[inline(always)]
fn fall<W: Width>(w: W, tree: &mut Tree, flights: &mut [Flight], (is_first, params): (bool, &JointParams)) {
    let h = w.splat(params.h);
    for (node, flight) in tree.nodes.iter_mut().zip(flights) {
        let (v, free) = (read(w, &node.velocity), read(w, &node.unconstrained));
        let (push, keeps) = (read(w, &flight.push), read(w, &flight.keeps));
        let (mut even, mut after) = ([h; 3], v);
        for k in 0..3 {
            if is_first {
                even[k] = v[k] - (free[k] / keeps[k] - push[k]);
            } else {
                let now = (v[k] + push[k]) * keeps[k];
                w.write(&mut node.unconstrained[k], now);
                after[k] = now + (v[k] - free[k]);
                even[k] = after[k] - v[k];
            }
        }
        let [even_squared, push_squared] =
            [even[0] * even[0] + even[1] * even[1], push[0] * push[0] + push[1] * push[1]];
        let is_even = even_squared.le(w.splat(ContactTuning::EVEN_CHANGE) * push_squared);
        let share = W::L::select(is_even, w.splat(0.5), w.splat(0.0));
        for k in 0..3 {
            let half = share * even[k];
            w.write(&mut node.lag[k], half);
            let moved = w.read(&flight.moved[k]) - h * half;
            w.write(&mut flight.moved[k], moved);
            let v = (after[k] - half) + w.splat(0.0);
            w.write(&mut node.before[k], v);
            w.write(&mut node.velocity[k], v);
        }
    }
}

/// Moves the bodies.
#[inline(always)]
pub(crate) fn go_on<W: Width>(w: W, tree: &mut Tree, flights: &mut [Flight], params: &JointParams) {
    let h = w.splat(params.h);
    for (node, flight) in tree.nodes.iter_mut().zip(flights) {
        let v = read(w, &node.velocity);
        for k in 0..3 {
            let moved = w.read(&flight.moved[k]) + h * v[k];
            w.write(&mut flight.moved[k], moved);
            let v = v[k] + w.splat(0.0);
            w.write(&mut node.before[k], v);
            w.write(&mut node.velocity[k], v);
        }
        let [x, y, angle] = read(w, &flight.moved);
        let (sin, cos) = turn(w, angle);
        write(w, &mut node.aside, [x, y, angle, sin, cos]);
    }
}

/// The pass after that, the last one of a sub-step: a tree without contacts settles in it.
#[inline(always)]
pub(crate) fn end<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    (columns, params): (&SharedColumns, &JointParams),
) {
    push(w, tree, home, (columns, Half::After, params));
}

#[inline(always)]
fn push<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    (columns, half, params): (&SharedColumns, Half, &JointParams),
) {
    let all = w.splat(0.0).eq(w.splat(0.0));
    let gain = w.read(&tree.gain);
    hold_together(w, tree, home, columns, (JointPass::first_of(half), params));
    w.apart(
        #[inline(always)]
        || {
            for node in &mut tree.nodes {
                let v = kept(w, (node, true), (half, params), all);
                write(w, &mut node.velocity, v);
            }
            note_held(w, tree, half, (all, gain));
        },
    );
}

/// Keeps the displacements of a tree until it lands.
#[inline(always)]
pub(crate) fn keep_ways<W: Width>(w: W, tree: &mut Tree, flights: &[Flight]) {
    for (node, flight) in tree.nodes.iter_mut().zip(flights) {
        write(w, &mut node.before, read(w, &flight.moved));
    }
}

/// Writes velocities and displacements to their rows.
#[inline(always)]
pub(crate) fn land<W: Width>(w: W, tree: &Tree, columns: &SharedColumns) {
    let (zero, mut velocity, mut moved) = (w.splat(0.0), columns.velocity, columns.moved);
    for node in &tree.nodes {
        let [x, y, spin] = read(w, &node.velocity);
        w.scatter_some(&mut velocity, &node.rows, tree.used, [x, y, spin, zero]);
        let [x, y, spin] = read(w, &node.before);
        w.scatter_some(&mut moved, &node.rows, tree.used, [x, y, spin, zero]);
    }
}
