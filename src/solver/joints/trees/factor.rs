//! Articulated masses D of bodies and inverse effective masses S of joints, with everything that
//! hangs on them.
//!
//! In: joints with up-to-date Jacobians, masses. Out: both, as L D Lᵀ.

pub(super) use super::kinds::{ALL_NUMBERS, EdgeKind, Numbers, POINT, by_kind};
use super::sparse::{JointRows, Term};
pub(super) use super::tree::{DriveRow, Tree, TreeBlocks, TreeEdge, TreeNode};
use crate::ablate::Rule;
use crate::body::NONE;
use crate::simd::{LANES, Lane, Width, inlined};
use crate::solver::columns::Column;
use crate::solver::joints::block::LIMITS;
use crate::solver::joints::jacobian::{force, length};
use crate::solver::joints::small_matrix::{Symmetric, decompose, read, two, write};
use crate::solver::joints::two_bodies::{Turned, Upright};
use crate::solver::params::JointParams;
use crate::threads::Shared;
use crate::tuning::{JointTuning, MAX_TURN};

/// Compliance of a second joint to the ground without `Rule::GroundGives`, as a share of the inverse
/// mass of its body: the least at which the matrix is not singular by rounding.
const ROUNDING_GIVES: f32 = 1.0e-6;

/// Factor of a body's mass along a locked axis, relative to its mass along the others.
const LOCKED: f32 = 1.0e6;

/// Computes the pulls of joints on their bodies, from a trial (`tried`) or from the sub-step
/// before. Returns whether any body needs extra inertia, or had some before: if not, all use their
/// own.
#[inline(always)]
pub(super) fn feel_pulls<W: Width>(w: W, tree: &mut Tree, params: &JointParams, tried: bool) -> bool {
    let Tree { nodes, edges, .. } = tree;
    let mut whole = [w.splat(0.0); 2];
    let mut stiff = false;
    for node in nodes.iter_mut() {
        stiff |= is_stiff(w, node);
        w.write(&mut node.pull, w.splat(0.0));
        let [x, y, spin] = read(w, &node.mass);
        whole = [whole[0] + x.larger(y), whole[1] + spin];
    }
    let most = [whole[0] * w.splat(params.h * params.max_speed), whole[1] * w.splat(MAX_TURN)];
    for edge in edges.iter() {
        let [before, after] = &edge.held;
        let before = if tried { after } else { before };
        let force = force(w, [held_by(edge, before), held_by(edge, after)], params.h);
        add_pull(w, edge, nodes, (force, most));
    }
    if !Rule::TreeInertia.is_on() {
        nodes.iter_mut().for_each(|node| w.write(&mut node.pull, w.splat(0.0)));
    }
    for node in nodes.iter() {
        stiff |= Rule::TreeInertia.acts(is_stiff(w, node));
    }
    stiff
}

/// The impulses of the locked linear axes of an edge.
#[inline(always)]
fn held_by<'j>(edge: &TreeEdge, impulses: &'j [Column; 3]) -> [&'j Column; 2] {
    [0, 1].map(
        #[inline(always)]
        |k| if edge.form.holds(k) { &impulses[k] } else { &[0.0; LANES] },
    )
}

/// Computes D of all nodes and S of all edges, for the present poses and pulls.
#[inline(always)]
pub(super) fn factor<W: Width>(w: W, tree: &mut Tree, home: &TreeBlocks, params: &JointParams) {
    let Tree { nodes, edges, drive_rows, .. } = tree;
    for node in nodes.iter_mut() {
        weigh(w, node, params.tuning.inertia_arm);
    }
    for edge in edges.iter_mut() {
        let k = &home.read(edge).0.now.k;
        by_kind!(w, (edge, drive_rows), (numbers, axes) => {
            w.apart_in_debug(
                #[inline(always)]
                || factor_edge(w, (edge, numbers, axes), nodes, (drive_rows, k)),
            );
        });
    }
    for node in nodes.iter_mut().filter(|node| !node.has_parent) {
        let weight = decompose(w, read(w, &node.weight), 3);
        write(w, &mut node.weight, weight);
    }
}

/// Shares the inertias used here with other joints of the same bodies.
#[inline(always)]
pub(super) fn share_inertias<W: Width>(w: W, tree: &Tree, mut masses: Shared<[f32; 4]>) {
    for node in &tree.nodes {
        let [x, y, _, rest] = w.gather(&masses, &node.rows);
        w.scatter_some(&mut masses, &node.rows, tree.used, [x, y, w.read(&node.inv_inertia), rest]);
    }
}

/// Adds h² F r of a joint to both its bodies.
///
/// F is clamped to the force that would stop the whole tree at its fastest in one sub-step; `most`
/// holds that impulse and angular impulse, times h. Without the clamp the inertia of a body that
/// can only turn, and hardly turns its joint, would grow without bound: it takes an impulse in
/// proportion to its inertia.
#[inline(always)]
fn add_pull<W: Width>(w: W, edge: &TreeEdge, nodes: &mut [TreeNode], (force, most): (W::L, [W::L; 2])) {
    let pull = inlined(
        #[inline(always)]
        |arm: W::L| (force * arm).smaller(most[0] * arm + most[1]),
    );
    let of_child = pull(length(two(w, &edge.of_child)));
    let of_parent = pull(length(two(w, &edge.of_parent)));
    for (node, pull) in [(edge.child, of_child), (edge.parent, of_parent)] {
        if node != NONE {
            let sum = &mut nodes[node as usize].pull;
            let added = w.read(sum) + pull;
            w.write(sum, added);
        }
    }
}

/// Whether the pull of its joints needs more inertia than the body has.
#[inline(always)]
fn is_stiff<W: Width>(w: W, node: &TreeNode) -> bool {
    let (pull, spin, inertia) = (w.read(&node.pull), w.read(&node.inv_spin), w.read(&node.mass[2]));
    let gives = w.splat(0.0).lt(spin);
    w.any(gives & (inertia.lt(pull) | w.splat(1.0).lt(pull * spin)))
}

/// M of a single body, with the inertia that the pull of its joints needs.
#[inline(always)]
fn weigh<W: Width>(w: W, node: &mut TreeNode, arm: f32) {
    let ([x, y], spin) = (read(w, &node.inv_mass), w.read(&node.inv_spin));
    let mass = read(w, &node.mass);
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    // A body that cannot turn gets the inertia of its mass at `arm`, and a body that cannot move
    // the mass of its inertia.
    let square = w.splat(arm * arm);
    let lightest = x.larger(y);
    let lightest = W::L::select(zero.lt(lightest), lightest, spin * square);
    let whole = W::L::select(zero.lt(lightest), one / lightest, one);
    let locked = whole * w.splat(LOCKED);
    let mut of = [zero; 3];
    for (k, inverse) in [x, y, spin].into_iter().enumerate() {
        let locked = if k == 2 { locked * square } else { locked };
        of[k] = W::L::select(zero.lt(inverse), mass[k], locked);
    }
    let pull = w.read(&node.pull);
    of[2] = W::L::select(zero.lt(spin), of[2].larger(pull), of[2]);
    write(w, &mut node.weight, [of[0], zero, zero, of[1], zero, of[2]]);
    w.write(&mut node.inv_inertia, W::L::select(one.lt(pull * spin), one / pull, spin));
}

#[inline(always)]
fn factor_edge<W: Width>(
    w: W,
    (edge, (numbers, size), axes): (&mut TreeEdge, Numbers, impl JointRows<W::L> + Copy),
    nodes: &mut [TreeNode],
    (drive_rows, k_now): (&[DriveRow], &[Column; 3]),
) {
    let mut give = [w.splat(0.0); 6];
    let on_row = inlined(
        #[inline(always)]
        |[x, y, spin]: [Term<W::L>; 3], on: Term<W::L>| [x.by(on), y.by(on), spin.by(on)],
    );
    // A second joint to the ground: its compliance, added to the mass of its body.
    if edge.extra {
        let gives = if Rule::GroundGives.acts(true) { JointTuning::GROUND_GIVES } else { ROUNDING_GIVES };
        let mut rows = [[Term::Zero; 3]; 3];
        for k in 0..size {
            let on = is_on(w, edge, drive_rows, numbers[k]);
            let own = on.times(w.read(&k_now[numbers[k]]) * w.splat(gives));
            give[PLACE[k][k]] = own.onto(w.splat(0.0));
            rows[k] = on_row(axes.row(w, numbers[k], two(w, &edge.of_child)), on);
        }
        let give = decompose(w, give, size);
        write(w, &mut edge.give, give);
        add_weight(w, &mut nodes[edge.child as usize], give, (rows, size));
        return;
    }
    // D of the child, which has all of its own children by now.
    let child = &mut nodes[edge.child as usize];
    let weight = decompose(w, read(w, &child.weight), 3);
    write(w, &mut child.weight, weight);
    // S = J D⁻¹ Jᵀ, with L⁻¹ Jᵀ column by column: the diagonal is a sum of squares.
    let [d0, l10, l20, d1, l21, d2] = weight;
    let (mut of_parent, mut columns) = ([[Term::Zero; 3]; 3], [[Term::Zero; 3]; 3]);
    for k in 0..size {
        let on = is_on(w, edge, drive_rows, numbers[k]);
        of_parent[k] = on_row(axes.row(w, numbers[k], two(w, &edge.of_parent)), on);
        let [x, y, spin] = on_row(axes.row(w, numbers[k], two(w, &edge.of_child)), on);
        let y = y.less(x, l10);
        columns[k] = [x, y, spin.less(x, l20).less(y, l21)];
    }
    for k in 0..size {
        let [x, y, spin] = columns[k];
        let scaled = [x.times(d0), y.times(d1), spin.times(d2)];
        for l in k..size {
            let mut sum = w.splat(0.0);
            for (scaled, other) in scaled.into_iter().zip(columns[l]) {
                sum = scaled.by(other).onto(sum);
            }
            give[PLACE[k][l]] = sum;
        }
        // Without inverse mass no impulse has an effect: bodies that are locked, or about to sleep.
        let (own, whole) = (w.read(&k_now[numbers[k]]), &mut give[PLACE[k][k]]);
        *whole = W::L::select(w.splat(0.0).lt(own), *whole, w.splat(0.0));
    }
    let give = decompose(w, give, size);
    write(w, &mut edge.give, give);
    // D of the parent += J_pᵀ S⁻¹ J_p.
    if edge.parent != NONE {
        add_weight(w, &mut nodes[edge.parent as usize], give, (of_parent, size));
    }
}

/// Index of an entry of a symmetric matrix.
const PLACE: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

/// 1 where an axis is locked or at a limit, else 0.
#[inline(always)]
fn is_on<W: Width>(w: W, edge: &TreeEdge, drive_rows: &[DriveRow], number: usize) -> Term<W::L> {
    if !edge.form.drives(number, LIMITS) {
        return Term::One;
    }
    let muscle = drive_rows[edge.drive_rows()].iter().find(|muscle| muscle.number as usize == number);
    match muscle {
        Some(muscle) => Term::Is(w.read(&muscle.at_limit).abs()),
        None => Term::One,
    }
}

/// D += Jᵀ S⁻¹ J
#[inline(always)]
fn add_weight<W: Width>(
    w: W,
    node: &mut TreeNode,
    [d0, l10, l20, d1, l21, d2]: Symmetric<W::L>,
    (rows, size): ([[Term<W::L>; 3]; 3], usize),
) {
    let mut weight = read(w, &node.weight);
    // Rows of L⁻¹ J, so that each adds its own square over its pivot.
    let mut y = rows;
    let [y_0, y_1, y_2] = &mut y;
    for ((y_0, y_1), y_2) in y_0.iter().zip(y_1).zip(y_2) {
        if size > 1 {
            *y_1 = y_1.less(*y_0, l10);
        }
        if size > 2 {
            *y_2 = y_2.less(*y_0, l20).less(*y_1, l21);
        }
    }
    for (row, pivot) in y.into_iter().zip([d0, d1, d2]).take(size) {
        for i in 0..3 {
            let scaled = row[i].times(pivot);
            for j in i..3 {
                let place = &mut weight[PLACE[i][j]];
                *place = scaled.by(row[j]).onto(*place);
            }
        }
    }
    write(w, &mut node.weight, weight);
}
