//! Trees of joints, solved at once: whatever the masses, nothing is left over.
//!
//! In: blocks of joints that form a tree of bodies, eight trees of one shape side by side. Out: the impulses that hold all of
//! them together, to rounding. Takes time in proportion to the joints. Fixed and kinematic bodies belong to no tree: where they
//! are met, a tree ends.
//!
//! # Derivation
//!
//! Bodies are nodes, joints edges; every edge has a child and a parent, and the root is last. Unknown are the changes of velocity
//! x of each body and the impulse λ of each joint (Baraff, Linear-Time Dynamics using Lagrange Multipliers, 1996; here for
//! velocities):
//!
//! ```text
//!   M_c x_c = Σ Jᵀ λ  over the joints of c         J_c x_c + J_p x_p = r        r: minus the speed that the joint has too much
//! ```
//!
//! From the leaves to the root, with D_c = M_c and f_c = 0 before its children add to them:
//!
//! ```text
//!   S = J_c D_c⁻¹ J_cᵀ        D_p += J_pᵀ S⁻¹ J_p        r' = r - J_c D_c⁻¹ f_c        f_p += J_pᵀ S⁻¹ r'
//! ```
//!
//! and back from the root (x = D⁻¹ f there, or its own joint to the ground with x_p = 0):
//!
//! ```text
//!   λ = S⁻¹ (r' - J_p x_p)        x_c = D_c⁻¹ (f_c + J_cᵀ λ)
//! ```
//!
//! D is what a body weighs with everything that hangs on it. It only grows by adding, so large ratios of masses cost no digits.
//! D and S are kept as L D Lᵀ. A second joint to the ground in one tree has no child that could give way to it: it gives way
//! itself, by a thousandth of what its body would, and repeated pushes close that.

mod energy;
mod factor;
mod limits;
mod trial;

pub(crate) use energy::begin;
pub(crate) use factor::{factor, share_inertias};
pub(crate) use limits::keep_limits;

use super::Turn;
use super::block::{Block, Drives, LIMITS, Now};
use super::hold::Hold;
use super::matrix::{dot, read, solved, write};
use super::push::{Half, Law};
use crate::body::NONE;
use crate::simd::{LANES, Lane, Width};
use crate::solver::block::Column;
use energy::{ground_of, keep_energy, motion};
use limits::{forget_limits, wanted_at_limit};
use trial::{TRIALS, try_pull};

/// Up to eight trees of one shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Children before their parents, the root's last.
    pub(crate) edges: Vec<Edge>,
    /// Energy that its joints gave to its bodies in this step.
    gain: Column,
    /// Some body is much heavier than another.
    pub(crate) heavy: bool,
    /// Some joint has limits.
    pub(crate) limited: bool,
}

impl Tree {
    pub(crate) fn new(nodes: usize) -> Tree {
        Tree { nodes: vec![Node::new(); nodes], edges: Vec::new(), gain: ZERO, heavy: false, limited: false }
    }
}

impl Tree {
    /// Solves of the push before bodies move: each takes what turning and rounding left of the one before.
    fn rounds(&self) -> usize {
        if self.heavy { 3 } else { 2 }
    }

    /// How often a push is tried out first.
    fn trials(&self) -> usize {
        if self.heavy { TRIALS } else { usize::from(self.limited) }
    }
}

/// Whether bodies of these inverse masses make a heavy tree.
pub(super) fn is_heavy(inverse_masses: impl Iterator<Item = f32>) -> bool {
    let (mut least, mut most) = (f32::INFINITY, 0.0);
    for x in inverse_masses.filter(|&x| x > 0.0) {
        least = crate::math::min(least, x);
        most = crate::math::max(most, x);
    }
    most > HEAVY * least
}

/// A tree is heavy if some body in it weighs so many times as much as another.
const HEAVY: f32 = 10.0;

/// A body of each tree.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) rows: [u32; LANES],
    /// Whether any joint leads up from it.
    pub(crate) has_parent: bool,
    velocity: [Column; 4],
    /// Mass along x and y, and inertia; 0 for what does not give way.
    mass: [Column; 3],
    /// One over the inertia that joints meet.
    inv_inertia: Column,
    weight: [Column; 6],
    force: [Column; 3],
    change: [Column; 3],
    kept: [Column; 4],
}

/// A joint of each tree.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) block: u32,
    pub(crate) child: u32,
    /// [`NONE`] for the ground.
    pub(crate) parent: u32,
    /// The child is body B of the joint.
    pub(crate) child_is_b: bool,
    /// A further joint to the ground.
    pub(crate) extra: bool,
    give: [Column; 6],
    rest: [Column; 3],
    kept: [Column; 3],
}

const ZERO: Column = [0.0; LANES];

impl Node {
    pub(crate) fn new() -> Node {
        Node {
            rows: [0; LANES],
            has_parent: false,
            velocity: [ZERO; 4],
            mass: [ZERO; 3],
            inv_inertia: ZERO,
            weight: [ZERO; 6],
            force: [ZERO; 3],
            change: [ZERO; 3],
            kept: [ZERO; 4],
        }
    }
}

impl Edge {
    pub(crate) fn new(block: u32, child: u32, parent: u32, (child_is_b, extra): (bool, bool)) -> Edge {
        Edge { block, child, parent, child_is_b, extra, give: [ZERO; 6], rest: [ZERO; 3], kept: [ZERO; 3] }
    }
}

/// A block and what drives it.
#[derive(Clone, Copy)]
struct Joint<'j> {
    block: &'j Block,
    drives: Option<&'j Drives>,
}

impl<'j> Joint<'j> {
    #[inline(always)]
    fn of(edge: &Edge, blocks: &'j [Block], drives: &'j [Drives]) -> Joint<'j> {
        let block = &blocks[edge.block as usize];
        Joint { block, drives: drives.get(block.drives as usize) }
    }

    /// 1 where a number is held or at a limit, else 0.
    #[inline(always)]
    fn is_on<W: Width>(&self, w: W, number: usize) -> W::L {
        match self.drives {
            Some(drives) if !self.block.form.holds(number) => w.read(&drives[number].at_limit).abs(),
            _ => w.splat(1.0),
        }
    }

    /// The row of J of a number; nothing where it is neither held nor at a limit.
    #[inline(always)]
    fn row<W: Width>(&self, w: W, number: usize, of_b: bool) -> [W::L; 3] {
        let row = row(w, &self.block.now, number, of_b);
        if self.drives.is_none() || self.block.form.holds(number) {
            return row;
        }
        let on = self.is_on(w, number);
        [row[0] * on, row[1] * on, row[2] * on]
    }
}

/// The row of J of one number, for one body: x, y, spin.
#[inline(always)]
pub(super) fn row<W: Width>(w: W, now: &Now, number: usize, of_b: bool) -> [W::L; 3] {
    let (n_x, n_y) = (w.read(&now.axis[0]), w.read(&now.axis[1]));
    let one = w.splat(1.0);
    match (number, of_b) {
        (0, true) => [n_x, n_y, -w.read(&now.b[1])],
        (0, false) => [-n_x, -n_y, w.read(&now.a[1])],
        (1, true) => [-n_y, n_x, w.read(&now.b[0])],
        (1, false) => [n_y, -n_x, -w.read(&now.a[0])],
        (_, true) => [w.splat(0.0), w.splat(0.0), one],
        (_, false) => [w.splat(0.0), w.splat(0.0), -one],
    }
}

/// Holds everything together in one push.
#[inline(always)]
pub(crate) fn solve<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    (velocity, mass): (&mut [[f32; 4]], &[[f32; 4]]),
    (half, turn, law): (Half, Turn, &Law),
) {
    for node in &mut tree.nodes {
        let v = w.gather(velocity, &node.rows);
        write(w, &mut node.velocity, v);
    }
    for edge in &tree.edges {
        let block = &mut blocks[edge.block as usize];
        if turn == Turn::First && !block.form.is_driven() {
            write(w, &mut block.held[half as usize], [w.splat(0.0); 3]);
        }
    }
    let ground = ground_of(w, tree, blocks, velocity);
    let before = motion(w, tree, ground);
    if turn == Turn::First {
        forget_limits(w, tree, blocks, drives, half);
    }
    if (half, turn) == (Half::Before, Turn::First) {
        for _ in 0..tree.trials() {
            try_pull(w, tree, (blocks, drives), velocity, (mass, law));
        }
    }
    let rounds = if half == Half::After || turn == Turn::Last { 1 } else { tree.rounds() };
    for _ in 0..rounds {
        up(w, tree, (blocks, drives), velocity, (half, law));
        down(w, tree, (blocks, drives), (velocity, ground), half);
    }
    keep_energy(w, tree, before, half);
    for node in &tree.nodes {
        w.scatter(velocity, &node.rows, read(w, &node.velocity));
    }
}

/// Both bodies of a joint: nodes, or the ground.
#[inline(always)]
fn hold_of<W: Width>(w: W, edge: &Edge, nodes: &[Node], block: &Block, velocity: &[[f32; 4]]) -> Hold<W::L> {
    let child = read(w, &nodes[edge.child as usize].velocity);
    let parent = if edge.parent != NONE {
        read(w, &nodes[edge.parent as usize].velocity)
    } else {
        w.gather(velocity, if edge.child_is_b { &block.row_a } else { &block.row_b })
    };
    let inertia =
        |node: u32| if node == NONE { w.splat(0.0) } else { w.read(&nodes[node as usize].inv_inertia) };
    let (of_child, of_parent) = (inertia(edge.child), inertia(edge.parent));
    let (pair, inertias) = if edge.child_is_b {
        ((parent, child), (of_parent, of_child))
    } else {
        ((child, parent), (of_child, of_parent))
    };
    Hold::of(w, block, pair).with_inertias(inertias)
}

/// From the leaves to the root.
#[inline(always)]
fn up<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&[Block], &[Drives]),
    velocity: &[[f32; 4]],
    (half, law): (Half, &Law),
) {
    let zero = w.splat(0.0);
    for node in &mut tree.nodes {
        write(w, &mut node.force, [zero; 3]);
    }
    let Tree { nodes, edges, .. } = tree;
    for edge in edges.iter_mut() {
        let joint = Joint::of(edge, blocks, drives);
        let block = joint.block;
        let (numbers, size) = block.form.rows();
        let excess = hold_of(w, edge, nodes, block, velocity).excess_foreseen(w, block, half, law);
        let mut rest = [zero; 3];
        for k in 0..size {
            rest[k] = wanted_at_limit(w, joint, numbers[k], (half, law)) - excess[numbers[k]];
        }
        if !edge.extra {
            let child = &nodes[edge.child as usize];
            let moved = solved(read(w, &child.weight), read(w, &child.force), 3);
            for k in 0..size {
                rest[k] = rest[k] - dot(joint.row(w, numbers[k], edge.child_is_b), moved);
            }
        }
        write(w, &mut edge.rest, rest);
        let (to, of_b) =
            if edge.extra { (edge.child, edge.child_is_b) } else { (edge.parent, !edge.child_is_b) };
        if to != NONE {
            let passed = solved(read(w, &edge.give), rest, size);
            let node = &mut nodes[to as usize];
            let mut force = read(w, &node.force);
            for k in 0..size {
                let j = joint.row(w, numbers[k], of_b);
                for x in 0..3 {
                    force[x] = force[x] + j[x] * passed[k];
                }
            }
            write(w, &mut node.force, force);
        }
    }
}

/// From the root to the leaves.
#[inline(always)]
fn down<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    (velocity, seen_from): (&[[f32; 4]], [W::L; 2]),
    half: Half,
) {
    let zero = w.splat(0.0);
    let Tree { nodes, edges, gain, .. } = tree;
    for node in nodes.iter_mut().filter(|node| !node.has_parent) {
        let change = solved(read(w, &node.weight), read(w, &node.force), 3);
        write(w, &mut node.change, change);
    }
    for edge in edges.iter().rev() {
        let joint = Joint::of(edge, blocks, drives);
        let (numbers, size) = joint.block.form.rows();
        let mut rest = read(w, &edge.rest);
        let (above, of_b) =
            if edge.extra { (edge.child, edge.child_is_b) } else { (edge.parent, !edge.child_is_b) };
        if above != NONE {
            let change = read(w, &nodes[above as usize].change);
            for k in 0..size {
                rest[k] = rest[k] - dot(joint.row(w, numbers[k], of_b), change);
            }
        }
        let found = solved(read(w, &edge.give), rest, size);
        let mut impulse = [w.splat(0.0); 3];
        for k in 0..size {
            impulse[numbers[k]] = found[k];
        }
        if !edge.extra {
            let child = &mut nodes[edge.child as usize];
            let mut force = read(w, &child.force);
            for k in 0..size {
                let j = joint.row(w, numbers[k], edge.child_is_b);
                for x in 0..3 {
                    force[x] = force[x] + j[x] * found[k];
                }
            }
            let change = solved(read(w, &child.weight), force, 3);
            write(w, &mut child.change, change);
        }
        let mut hold = hold_of(w, edge, nodes, joint.block, velocity);
        hold.push(impulse);
        if edge.parent == NONE {
            // What a moving ground does is no gain.
            let ground = if edge.child_is_b { hold.v_a } else { hold.v_b };
            let mut work = zero;
            for k in 0..size {
                let j = joint.row(w, numbers[k], !edge.child_is_b);
                let seen = [ground[0] - seen_from[0], ground[1] - seen_from[1], ground[2]];
                work = work + found[k] * dot(j, seen);
            }
            let sum = w.read(gain) + work;
            w.write(gain, sum);
        }
        add_up(w, &mut blocks[edge.block as usize], drives, impulse, half);
        let (of_child, of_parent) = if edge.child_is_b { (hold.v_b, hold.v_a) } else { (hold.v_a, hold.v_b) };
        write(w, &mut nodes[edge.child as usize].velocity, of_child);
        if edge.parent != NONE {
            write(w, &mut nodes[edge.parent as usize].velocity, of_parent);
        }
    }
}

/// Adds impulses to those of what is held and of limits.
#[inline(always)]
fn add_up<W: Width>(w: W, block: &mut Block, drives: &mut [Drives], impulse: [W::L; 3], half: Half) {
    let place = block.drives as usize;
    for k in 0..3 {
        let column = match drives.get_mut(place) {
            Some(drives) if !block.form.holds(k) => &mut drives[k].impulse[half as usize][LIMITS],
            _ => &mut block.held[half as usize][k],
        };
        let sum = w.read(column) + impulse[k];
        w.write(column, sum);
    }
}
