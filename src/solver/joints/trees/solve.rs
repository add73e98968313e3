//! Solve of a tree by L D Lᵀ: elimination from the leaves to the root, and back substitution.
//!
//! In: a factored tree, its velocities. Out: velocities that satisfy its joints; impulses in the
//! edges.
//!
//! A pass reads only nodes and edges, thirteen kilobytes for eight dolls; the number of rows of the
//! usual joints is a compile-time constant. The child of an edge counts as body B of its joint,
//! even if it is body A of the definition.

use super::kinds::{ALL_NUMBERS, EdgeKind, Numbers, POINT, by_kind, is_point};
use super::tree::{Tree, TreeEdge, TreeNode, family, keep_family};
use crate::body::NONE;
use crate::simd::{Lane, Width};
use crate::solver::columns::SharedColumns;
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{read, solved, two, write};
use crate::solver::joints::two_bodies::{Axes, Hold, Turned, Upright, foreseen};
use crate::solver::params::JointParams;

/// From the leaves to the root.
#[inline(always)]
pub(super) fn up<W: Width>(
    w: W,
    tree: &mut Tree,
    columns: &SharedColumns,
    (half, params): (Half, &JointParams),
) {
    for node in &mut tree.nodes {
        write(w, &mut node.force, [w.splat(0.0); 3]);
    }
    let Tree { nodes, edges, drive_rows, .. } = tree;
    for edge in edges {
        by_kind!(w, (edge, drive_rows), (numbers, axes) => {
            w.apart_in_debug(
                #[inline(always)]
                || up_edge(w, (edge, numbers, axes), nodes, columns, (half, params)),
            );
        });
    }
}

/// r' = r - J_c D_c⁻¹ f_c, and f_p += J_pᵀ S⁻¹ r'.
#[inline(always)]
fn up_edge<W: Width>(
    w: W,
    (edge, numbers, axes): (&mut TreeEdge, Numbers, impl Axes<W::L>),
    nodes: &mut [TreeNode],
    columns: &SharedColumns,
    (half, params): (Half, &JointParams),
) {
    let excess = excess(w, edge, &hold_of(w, (edge, axes), nodes, columns), (half, params));
    let rows = Rows::of(w, edge, axes);
    let mut rest = [-excess[0], -excess[1], -excess[2]];
    let child = &nodes[edge.child as usize];
    if !edge.extra && !child.is_leaf {
        let moved = rows.of_child(solved(read(w, &child.weight), read(w, &child.force), 3));
        for k in 0..3 {
            rest[k] = rest[k] - moved[k];
        }
    }
    let rest = some(w, numbers, rest);
    write(w, &mut edge.rest, rest);
    if edge.extra || edge.parent != NONE {
        let passed = solved(read(w, &edge.give), rest, numbers.1);
        let node = &mut nodes[if edge.extra { edge.child } else { edge.parent } as usize];
        let mut force = read(w, &node.force);
        rows.add(w, (numbers, edge.extra), passed, &mut force);
        write(w, &mut node.force, force);
    }
}

/// From the root to the leaves. Work of a kinematic ground, relative to `seen_from`, is not counted
/// as a gain.
#[inline(always)]
pub(super) fn down<W: Width>(w: W, tree: &mut Tree, (columns, seen_from): (&SharedColumns, [W::L; 2])) {
    let Tree { nodes, edges, drive_rows, gain, .. } = tree;
    for node in nodes.iter_mut().filter(|node| !node.has_parent) {
        let change = solved(read(w, &node.weight), read(w, &node.force), 3);
        write(w, &mut node.force, change);
    }
    for edge in edges.iter_mut().rev() {
        let seen = (columns, seen_from);
        let work = by_kind!(w, (edge, drive_rows), (numbers, axes) => {
            w.apart_in_debug(
                #[inline(always)]
                || down_edge(w, (&mut *edge, numbers, axes), nodes, seen),
            )
        });
        if edge.parent == NONE {
            let sum = w.read(gain) + work;
            w.write(gain, sum);
        }
    }
}

/// λ = S⁻¹ (r' - J_p x_p), and x_c = D_c⁻¹ (f_c + J_cᵀ λ). Returns the work of its ground.
#[inline(always)]
fn down_edge<W: Width>(
    w: W,
    (edge, numbers, axes): (&mut TreeEdge, Numbers, impl Axes<W::L>),
    nodes: &mut [TreeNode],
    (columns, seen_from): (&SharedColumns, [W::L; 2]),
) -> W::L {
    let rows = Rows::of(w, edge, axes);
    let mut rest = read(w, &edge.rest);
    if edge.extra || edge.parent != NONE {
        let above = if edge.extra { edge.child } else { edge.parent };
        let change = read(w, &nodes[above as usize].force);
        let done = if edge.extra { rows.of_child(change) } else { rows.of_parent(change) };
        let done = some(w, numbers, done);
        for k in 0..numbers.1 {
            rest[k] = if edge.extra { rest[k] - done[k] } else { rest[k] + done[k] };
        }
    }
    let found = solved(read(w, &edge.give), rest, numbers.1);
    let child = &mut nodes[edge.child as usize];
    if !edge.extra && !child.is_leaf {
        let mut force = read(w, &child.force);
        rows.add(w, (numbers, true), found, &mut force);
        let change = solved(read(w, &child.weight), force, 3);
        write(w, &mut child.force, change);
    }
    let mut hold = hold_of(w, (edge, axes), nodes, columns);
    let impulse = all_of(w, numbers, found);
    for (&number, found) in numbers.0.iter().zip(found).take(numbers.1) {
        let sum = &mut edge.sum[number];
        let added = w.read(sum) + found;
        w.write(sum, added);
    }
    if is_point(numbers) {
        hold.push_point([impulse[0], impulse[1]]);
    } else {
        hold.push(impulse);
    }
    keep_family(w, edge, nodes, (hold.v_b, hold.v_a));
    let mut work = w.splat(0.0);
    if edge.parent == NONE {
        let seen = rows.of_parent([hold.v_a[0] - seen_from[0], hold.v_a[1] - seen_from[1], hold.v_a[2]]);
        let seen = some(w, numbers, seen);
        for k in 0..numbers.1 {
            work = work - found[k] * seen[k];
        }
    }
    work
}

/// Selects the entries of the axes that an edge solves, in order.
#[inline(always)]
fn some<W: Width>(w: W, (numbers, size): Numbers, all: [W::L; 3]) -> [W::L; 3] {
    let mut some = [w.splat(0.0); 3];
    for k in 0..size {
        some[k] = all[numbers[k]];
    }
    some
}

/// Inverse of [`some`]: 0 along the other axes.
#[inline(always)]
fn all_of<W: Width>(w: W, (numbers, size): Numbers, some: [W::L; 3]) -> [W::L; 3] {
    let mut all = [w.splat(0.0); 3];
    for k in 0..size {
        all[numbers[k]] = some[k];
    }
    all
}

/// Both bodies of an edge, the child as body B. A ground has inverse mass 0.
#[inline(always)]
pub(super) fn hold_of<W: Width, A: Axes<W::L>>(
    w: W,
    (edge, axes): (&TreeEdge, A),
    nodes: &[TreeNode],
    columns: &SharedColumns,
) -> Hold<W::L, A> {
    let (child, parent) = family(w, edge, nodes, columns);
    let weighs = |node: &TreeNode| (two(w, &node.inv_mass), w.read(&node.inv_inertia));
    let zero = w.splat(0.0);
    let of_child = weighs(&nodes[edge.child as usize]);
    let of_parent =
        if edge.parent == NONE { ([zero; 2], zero) } else { weighs(&nodes[edge.parent as usize]) };
    let arms = (two(w, &edge.of_parent), two(w, &edge.of_child));
    Hold::between(axes, arms, (parent, child), (of_parent, of_child))
}

/// The speed error of an edge, with the bend term if bodies are still to move.
#[inline(always)]
fn excess<W: Width, A: Axes<W::L>>(
    w: W,
    edge: &TreeEdge,
    hold: &Hold<W::L, A>,
    (half, params): (Half, &JointParams),
) -> [W::L; 3] {
    let mut speed = hold.speeds();
    if half == Half::Before {
        let closing = read(w, &edge.closing);
        for k in 0..3 {
            speed[k] = speed[k] + closing[k];
        }
        let length = edge.form.line().then(|| w.read(&edge.length));
        // It matters which body carries the axis.
        let bend = if edge.child_is_b {
            hold.bend(w, length, params)
        } else {
            let [along, across] = hold.swapped().bend(w, length, params);
            [-along, -across]
        };
        let inv_h = w.splat(params.inv_h) * foreseen(w, (hold.v_a[2], hold.v_b[2]), params.h);
        speed[0] = speed[0] + inv_h * bend[0];
        speed[1] = speed[1] + inv_h * bend[1];
    }
    speed
}

/// J of an edge, by axis: `(n, -c_t)`, `(t, c_n)` and `(0, 1)` for the child, c its arm; minus the
/// same with its own arm for the parent. For a limited axis away from its limits S is 0, so its row
/// has no effect.
struct Rows<L, A> {
    axes: A,
    of_child: [L; 2],
    of_parent: [L; 2],
}

impl<L: Lane, A: Axes<L>> Rows<L, A> {
    #[inline(always)]
    fn of<W: Width<L = L>>(w: W, edge: &TreeEdge, axes: A) -> Rows<L, A> {
        Rows { axes, of_child: two(w, &edge.of_child), of_parent: two(w, &edge.of_parent) }
    }

    /// J_c v
    #[inline(always)]
    fn of_child(&self, v: [L; 3]) -> [L; 3] {
        along(self.axes, self.of_child, v)
    }

    /// -J_p v
    #[inline(always)]
    fn of_parent(&self, v: [L; 3]) -> [L; 3] {
        along(self.axes, self.of_parent, v)
    }

    /// force += Jᵀ λ
    #[inline(always)]
    fn add<W: Width<L = L>>(
        &self,
        w: W,
        (numbers, of_child): (Numbers, bool),
        found: [L; 3],
        force: &mut [L; 3],
    ) {
        let [along, across, turn] = all_of(w, numbers, found);
        let arm = if of_child { self.of_child } else { self.of_parent };
        let [x, y] = self.axes.unseen([along, across]);
        let spin = arm[0] * across - arm[1] * along;
        let spin = if is_point(numbers) { spin } else { spin + turn };
        for (force, row) in force.iter_mut().zip([x, y, spin]) {
            *force = if of_child { *force + row } else { *force - row };
        }
    }
}

/// Speeds of the axes by the motion of one body.
#[inline(always)]
fn along<L: Lane>(axes: impl Axes<L>, arm: [L; 2], v: [L; 3]) -> [L; 3] {
    let [along, across] = axes.seen([v[0], v[1]]);
    [along - arm[1] * v[2], across + arm[0] * v[2], v[2]]
}
