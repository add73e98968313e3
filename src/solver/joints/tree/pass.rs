//! A solve of a tree: from the leaves to the root, and back.
//!
//! In: a tree that was aimed and factored, its velocities. Out: the same velocities, held together; impulses in the edges.
//!
//! A pass reads nothing but nodes and edges, thirteen kilobytes for eight dolls, and knows of the usual joints when it is compiled
//! how many rows they have. The child of an edge counts as body B of its joint, whichever it is.

use super::{ALL, Edge, Node, Numbers, POINT, Tree, family, keep_family, with_numbers};
use crate::body::NONE;
use crate::simd::{Lane, Width};
use crate::solver::joints::hold::{Hold, foreseen};
use crate::solver::joints::matrix::{read, solved, two, write};
use crate::solver::joints::push::{Half, Law};

/// From the leaves to the root.
#[inline(always)]
pub(super) fn up<W: Width>(w: W, tree: &mut Tree, velocity: &[[f32; 4]], (half, law): (Half, &Law)) {
    for node in &mut tree.nodes {
        write(w, &mut node.force, [w.splat(0.0); 3]);
    }
    let Tree { nodes, edges, .. } = tree;
    for edge in edges {
        with_numbers!(edge, numbers => up_edge(w, (edge, numbers), nodes, velocity, (half, law)));
    }
}

/// r' = r - J_c D_c⁻¹ f_c, and f_p += J_pᵀ S⁻¹ r'.
#[inline(always)]
fn up_edge<W: Width>(
    w: W,
    (edge, (numbers, size)): (&mut Edge, Numbers),
    nodes: &mut [Node],
    velocity: &[[f32; 4]],
    (half, law): (Half, &Law),
) {
    let excess = excess(w, edge, &hold_of(w, edge, nodes, velocity), (half, law));
    let rows = Rows::of(w, edge);
    let mut rest = [w.splat(0.0); 3];
    for k in 0..size {
        rest[k] = -excess[numbers[k]];
    }
    let child = &nodes[edge.child as usize];
    if !edge.extra && !child.is_leaf {
        let moved = solved(read(w, &child.weight), read(w, &child.force), 3);
        for k in 0..size {
            rest[k] = rest[k] - rows.of_child(numbers[k], moved);
        }
    }
    write(w, &mut edge.rest, rest);
    if edge.extra || edge.parent != NONE {
        let passed = solved(read(w, &edge.give), rest, size);
        let node = &mut nodes[if edge.extra { edge.child } else { edge.parent } as usize];
        let mut force = read(w, &node.force);
        for k in 0..size {
            rows.add((numbers[k], edge.extra), passed[k], &mut force);
        }
        write(w, &mut node.force, force);
    }
}

/// From the root to the leaves. What a moving ground does, seen from `seen_from`, is no gain.
#[inline(always)]
pub(super) fn down<W: Width>(w: W, tree: &mut Tree, (velocity, seen_from): (&[[f32; 4]], [W::L; 2])) {
    let Tree { nodes, edges, gain, .. } = tree;
    for node in nodes.iter_mut().filter(|node| !node.has_parent) {
        let change = solved(read(w, &node.weight), read(w, &node.force), 3);
        write(w, &mut node.force, change);
    }
    for edge in edges.iter_mut().rev() {
        let seen = (velocity, seen_from);
        let work = with_numbers!(edge, numbers => down_edge(w, (&mut *edge, numbers), nodes, seen));
        if edge.parent == NONE {
            let sum = w.read(gain) + work;
            w.write(gain, sum);
        }
    }
}

/// λ = S⁻¹ (r' - J_p x_p), and x_c = D_c⁻¹ (f_c + J_cᵀ λ). Answers what its ground did.
#[inline(always)]
fn down_edge<W: Width>(
    w: W,
    (edge, (numbers, size)): (&mut Edge, Numbers),
    nodes: &mut [Node],
    (velocity, seen_from): (&[[f32; 4]], [W::L; 2]),
) -> W::L {
    let rows = Rows::of(w, edge);
    let mut rest = read(w, &edge.rest);
    if edge.extra || edge.parent != NONE {
        let above = if edge.extra { edge.child } else { edge.parent };
        let change = read(w, &nodes[above as usize].force);
        for k in 0..size {
            let done = if edge.extra {
                rows.of_child(numbers[k], change)
            } else {
                -rows.of_parent(numbers[k], change)
            };
            rest[k] = rest[k] - done;
        }
    }
    let found = solved(read(w, &edge.give), rest, size);
    let child = &mut nodes[edge.child as usize];
    if !edge.extra && !child.is_leaf {
        let mut force = read(w, &child.force);
        for k in 0..size {
            rows.add((numbers[k], true), found[k], &mut force);
        }
        let change = solved(read(w, &child.weight), force, 3);
        write(w, &mut child.force, change);
    }
    let mut impulse = [w.splat(0.0); 3];
    for k in 0..size {
        impulse[numbers[k]] = found[k];
        let sum = w.read(&edge.sum[numbers[k]]) + found[k];
        w.write(&mut edge.sum[numbers[k]], sum);
    }
    let mut hold = hold_of(w, edge, nodes, velocity);
    hold.push(impulse);
    keep_family(w, edge, nodes, (hold.v_b, hold.v_a));
    let mut work = w.splat(0.0);
    if edge.parent == NONE {
        let seen = [hold.v_a[0] - seen_from[0], hold.v_a[1] - seen_from[1], hold.v_a[2]];
        for k in 0..size {
            work = work - found[k] * rows.of_parent(numbers[k], seen);
        }
    }
    work
}

/// Both bodies of an edge, the child as body B. A ground does not give way.
#[inline(always)]
pub(super) fn hold_of<W: Width>(w: W, edge: &Edge, nodes: &[Node], velocity: &[[f32; 4]]) -> Hold<W::L> {
    let (child, parent) = family(w, edge, nodes, velocity);
    let weighs = |node: &Node| (two(w, &node.inv_mass), w.read(&node.inv_inertia));
    let zero = w.splat(0.0);
    let of_child = weighs(&nodes[edge.child as usize]);
    let of_parent =
        if edge.parent == NONE { ([zero; 2], zero) } else { weighs(&nodes[edge.parent as usize]) };
    let arms = (two(w, &edge.of_parent), two(w, &edge.of_child));
    Hold::between(two(w, &edge.axis), arms, (parent, child), (of_parent, of_child))
}

/// The speeds that an edge has too much, foreseeing where the anchors will be if bodies are still to move.
#[inline(always)]
fn excess<W: Width>(w: W, edge: &Edge, hold: &Hold<W::L>, (half, law): (Half, &Law)) -> [W::L; 3] {
    let mut speed = hold.speeds();
    if half == Half::Before {
        let closing = read(w, &edge.closing);
        for k in 0..3 {
            speed[k] = speed[k] + closing[k];
        }
        // It matters which body carries the axis.
        let length = edge.form.line().then(|| w.read(&edge.length));
        let bend = if edge.child_is_b {
            hold.bend(w, length, law.h)
        } else {
            let [along, across] = hold.swapped().bend(w, length, law.h);
            [-along, -across]
        };
        let inv_h = w.splat(law.inv_h) * foreseen(w, (hold.v_a[2], hold.v_b[2]), law.h);
        speed[0] = speed[0] + inv_h * bend[0];
        speed[1] = speed[1] + inv_h * bend[1];
    }
    speed
}

/// The rows of J of an edge, by number: `(n, -c_t)`, `(t, c_n)` and `(0, 1)` for the child, c its arm; minus the same with its own arm
/// for the parent. Where a number is limited and not at its limit, S is nothing there, and what a row says is not heard.
struct Rows<L> {
    n: [L; 2],
    of_child: [L; 2],
    of_parent: [L; 2],
}

impl<L: Lane> Rows<L> {
    #[inline(always)]
    fn of<W: Width<L = L>>(w: W, edge: &Edge) -> Rows<L> {
        Rows { n: two(w, &edge.axis), of_child: two(w, &edge.of_child), of_parent: two(w, &edge.of_parent) }
    }

    /// J_c v
    #[inline(always)]
    fn of_child(&self, number: usize, v: [L; 3]) -> L {
        along(number, self.n, self.of_child, v)
    }

    /// -J_p v
    #[inline(always)]
    fn of_parent(&self, number: usize, v: [L; 3]) -> L {
        along(number, self.n, self.of_parent, v)
    }

    /// force += Jᵀ λ
    #[inline(always)]
    fn add(&self, (number, of_child): (usize, bool), impulse: L, force: &mut [L; 3]) {
        let (n, arm) = (self.n, if of_child { self.of_child } else { self.of_parent });
        let row = match number {
            0 => [n[0] * impulse, n[1] * impulse, -(arm[1] * impulse)],
            1 => [-(n[1] * impulse), n[0] * impulse, arm[0] * impulse],
            _ => {
                force[2] = if of_child { force[2] + impulse } else { force[2] - impulse };
                return;
            }
        };
        for (force, row) in force.iter_mut().zip(row) {
            *force = if of_child { *force + row } else { *force - row };
        }
    }
}

/// The speed of a number for a body that moves by itself.
#[inline(always)]
fn along<L: Lane>(number: usize, n: [L; 2], arm: [L; 2], v: [L; 3]) -> L {
    match number {
        0 => n[0] * v[0] + n[1] * v[1] - arm[1] * v[2],
        1 => n[0] * v[1] - n[1] * v[0] + arm[0] * v[2],
        _ => v[2],
    }
}
