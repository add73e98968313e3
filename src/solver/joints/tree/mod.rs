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
//!
//! ```text
//!   factor.rs   D and S                          each time joints were aimed, and where a trial found something new
//!   pass.rs     r' and f, then λ and x           once or more a push
//!   limits.rs   which limits hold                tried out before bodies move
//!   trial.rs    a push that may be taken back    the same
//!   energy.rs   what joints gave, taken away     each push
//! ```
//!
//! A tree has its blocks and drives to itself, one after the other in the order of the trees.

mod energy;
mod factor;
mod limits;
mod pass;
mod trial;

pub(crate) use energy::begin;
pub(crate) use factor::{factor, feel_pulls, share_inertias};
pub(crate) use limits::keep_limits;
pub(crate) use pass::aim;

use super::Turn;
use super::block::{Block, Drives, Form, LIMITS, Now};
use super::hold::Hold;
use super::matrix::{read, write};
use super::push::{self, Half, Law};
use crate::body::NONE;
use crate::simd::{LANES, Lane, Width};
use crate::solver::block::Column;
use energy::{ground_of, keep_energy, motion};
use pass::{down, up};
use trial::{ROUNDS_OF_TRIAL, TRIALS, try_pull};

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

    /// Adds the next joint.
    pub(crate) fn add(&mut self, edge: Edge) {
        self.nodes[edge.child as usize].has_parent |= !edge.extra;
        let above = if edge.extra { edge.child } else { edge.parent };
        if above != NONE {
            self.nodes[above as usize].is_leaf = false;
        }
        self.edges.push(edge);
    }

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

/// A body of each tree: what a pass reads of it comes first.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub(crate) struct Node {
    pub(crate) rows: [u32; LANES],
    /// Whether any joint leads up from it.
    has_parent: bool,
    /// Whether nothing hangs on it.
    is_leaf: bool,
    velocity: [Column; 4],
    /// One over the masses along x and y, and over the inertia that joints meet.
    inv_mass: [Column; 2],
    inv_inertia: Column,
    weight: [Column; 6],
    force: [Column; 3],
    change: [Column; 3],
    /// Mass along x and y, and inertia; 0 for what does not give way.
    mass: [Column; 3],
    /// One over the inertia of its own.
    inv_spin: Column,
    /// What its joints pull at it: h² F r.
    pull: Column,
    kept: [Column; 4],
}

/// A joint of each tree. A pass reads nothing else of it: a block and its drives have three times the room.
#[derive(Clone, Debug)]
#[repr(align(32))]
pub(crate) struct Edge {
    pub(crate) block: u32,
    child: u32,
    /// [`NONE`] for the ground.
    parent: u32,
    /// The child is body B of the joint. If it is body A, all numbers below count the other way round.
    child_is_b: bool,
    /// A further joint to the ground.
    extra: bool,
    form: Form,
    /// Rows of what is no node: the ground.
    ground: [u32; LANES],
    /// The axis of the joint, and the arms of both bodies to B's anchor in its axes.
    axis: [Column; 2],
    of_child: [Column; 2],
    of_parent: [Column; 2],
    /// Of a joint whose axis is the line between its anchors: how far they are apart.
    length: Column,
    /// What to take the speeds of the numbers down by, before bodies move: it closes gaps, and brings numbers to their limits.
    closing: [Column; 3],
    give: [Column; 6],
    rest: [Column; 3],
    /// Impulses of the push so far.
    sum: [Column; 3],
}

const ZERO: Column = [0.0; LANES];

impl Node {
    fn new() -> Node {
        Node {
            rows: [0; LANES],
            has_parent: false,
            is_leaf: true,
            velocity: [ZERO; 4],
            inv_mass: [ZERO; 2],
            inv_inertia: ZERO,
            weight: [ZERO; 6],
            force: [ZERO; 3],
            change: [ZERO; 3],
            mass: [ZERO; 3],
            inv_spin: ZERO,
            pull: ZERO,
            kept: [ZERO; 4],
        }
    }
}

impl Edge {
    /// The joint of a block between a child and its parent.
    pub(crate) fn new(block: u32, (child, parent): (u32, u32), (child_is_b, extra): (bool, bool)) -> Edge {
        Edge {
            block,
            child,
            parent,
            child_is_b,
            extra,
            form: Form::default(),
            ground: [0; LANES],
            axis: [ZERO; 2],
            of_child: [ZERO; 2],
            of_parent: [ZERO; 2],
            length: ZERO,
            closing: [ZERO; 3],
            give: [ZERO; 6],
            rest: [ZERO; 3],
            sum: [ZERO; 3],
        }
    }

    /// With what its joints do, and the rows of what it hangs on if that is no node.
    pub(crate) fn with(self, form: Form, ground: [u32; LANES]) -> Edge {
        Edge { form, ground, ..self }
    }

    /// A number of the joint as the child counts it, or the other way round.
    #[inline(always)]
    fn seen<L: Lane>(&self, number: L) -> L {
        if self.child_is_b { number } else { -number }
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

    /// Whether a number is limited, and not held.
    #[inline(always)]
    fn is_limited(&self, number: usize) -> bool {
        self.drives.is_some() && self.block.form.drives(number, LIMITS) && !self.block.form.holds(number)
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

/// Drives, then holds everything together, in one push. `warm`: what drives starts with what it did in the sub-step before.
#[inline(always)]
pub(crate) fn solve<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    velocity: &mut [[f32; 4]],
    (half, turn, law): (Half, Turn, &Law),
    warm: bool,
) {
    for node in &mut tree.nodes {
        let v = w.gather(velocity, &node.rows);
        write(w, &mut node.velocity, v);
    }
    if turn == Turn::First {
        w.apart(
            #[inline(always)]
            || drive(w, tree, (blocks, drives), velocity, (half, law, warm)),
        );
    }
    for edge in &mut tree.edges {
        write(w, &mut edge.sum, [w.splat(0.0); 3]);
    }
    let ground = ground_of(w, tree, velocity);
    let before = motion(w, tree, ground);
    let mut solved = 0;
    if (half, turn) == (Half::Before, Turn::First) {
        for _ in 0..tree.trials() {
            let is_done = w.apart(
                #[inline(always)]
                || try_pull(w, tree, (blocks, drives), (velocity, ground), law),
            );
            if is_done {
                // The push itself would only do the same once more.
                solved = ROUNDS_OF_TRIAL;
                break;
            }
        }
    }
    let rounds = if half == Half::After || turn == Turn::Last { 1 } else { tree.rounds() };
    for _ in solved..rounds {
        up_and_down(w, tree, (velocity, ground), (half, law));
    }
    w.apart(
        #[inline(always)]
        || keep_energy(w, tree, before, half),
    );
    for node in &tree.nodes {
        w.scatter(velocity, &node.rows, read(w, &node.velocity));
    }
    for edge in &tree.edges {
        add_up(w, edge, (blocks, drives), (half, turn));
    }
}

/// One solve: each way a function of its own.
#[inline(always)]
fn up_and_down<W: Width>(
    w: W,
    tree: &mut Tree,
    (velocity, ground): (&[[f32; 4]], [W::L; 2]),
    (half, law): (Half, &Law),
) {
    w.apart(
        #[inline(always)]
        || up(w, tree, velocity, (half, law)),
    );
    w.apart(
        #[inline(always)]
        || down(w, tree, (velocity, ground)),
    );
}

/// What drives the joints of a tree; what they hold begins with nothing.
#[inline(always)]
fn drive<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    velocity: &[[f32; 4]],
    (half, law, warm): (Half, &Law, bool),
) {
    let Tree { nodes, edges, .. } = tree;
    for edge in edges.iter() {
        let block = &mut blocks[edge.block as usize];
        if !edge.form.is_driven() {
            write(w, &mut block.held[half as usize], [w.splat(0.0); 3]);
        } else if let (true, Some(drives)) = (warm, drives.get(block.drives as usize)) {
            let mut hold = Hold::of(w, block, both(w, edge, nodes, velocity));
            push::warm_start_on(w, block, Some(drives), &mut hold, (half, true));
            keep_both(w, edge, nodes, &hold);
        }
    }
    for edge in edges.iter().filter(|edge| edge.form.is_driven()) {
        let block = &mut blocks[edge.block as usize];
        let Some(drives) = drives.get_mut(block.drives as usize) else { continue };
        let mut hold = Hold::of(w, block, both(w, edge, nodes, velocity));
        push::push_on(w, block, Some(drives), &mut hold, (half, law, true));
        keep_both(w, edge, nodes, &hold);
    }
}

/// Velocities of bodies A and B of a joint.
#[inline(always)]
fn both<W: Width>(w: W, edge: &Edge, nodes: &[Node], velocity: &[[f32; 4]]) -> ([W::L; 4], [W::L; 4]) {
    let (child, parent) = family(w, edge, nodes, velocity);
    if edge.child_is_b { (parent, child) } else { (child, parent) }
}

/// Velocities of the child of a joint and of its parent.
#[inline(always)]
fn family<W: Width>(w: W, edge: &Edge, nodes: &[Node], velocity: &[[f32; 4]]) -> ([W::L; 4], [W::L; 4]) {
    let child = read(w, &nodes[edge.child as usize].velocity);
    if edge.parent == NONE {
        return (child, w.gather(velocity, &edge.ground));
    }
    (child, read(w, &nodes[edge.parent as usize].velocity))
}

/// Notes the velocities of both bodies of a joint.
#[inline(always)]
fn keep_both<W: Width>(w: W, edge: &Edge, nodes: &mut [Node], hold: &Hold<W::L>) {
    let (child, parent) = if edge.child_is_b { (hold.v_b, hold.v_a) } else { (hold.v_a, hold.v_b) };
    write(w, &mut nodes[edge.child as usize].velocity, child);
    if edge.parent != NONE {
        write(w, &mut nodes[edge.parent as usize].velocity, parent);
    }
}

/// Adds the impulses of a push to those of what is held and of limits: limits begin with nothing.
#[inline(always)]
fn add_up<W: Width>(
    w: W,
    edge: &Edge,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    (half, turn): (Half, Turn),
) {
    let block = &mut blocks[edge.block as usize];
    let mut drives = drives.get_mut(block.drives as usize);
    for k in 0..3 {
        let added = edge.seen(w.read(&edge.sum[k]));
        match drives.as_deref_mut() {
            Some(drives) if edge.form.drives(k, LIMITS) && !edge.form.holds(k) => {
                let column = &mut drives[k].impulse[half as usize][LIMITS];
                let before = if turn == Turn::First { w.splat(0.0) } else { w.read(column) };
                w.write(column, before + added);
            }
            _ => {
                let column = &mut block.held[half as usize][k];
                let sum = w.read(column) + added;
                w.write(column, sum);
            }
        }
    }
}
