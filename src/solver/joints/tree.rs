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

use super::Turn;
use super::aim::pull;
use super::block::{Block, Drives, LIMITS, Now};
use super::push::{Half, Hold, Law};
use crate::body::NONE;
use crate::simd::{LANES, Lane, Width};
use crate::solver::block::Column;

/// What a further joint to the ground gives way, as a share of what its body does.
const GROUND_GIVES: f32 = 1.0e-3;

/// A body that cannot move along an axis weighs so many times as much as it does along others.
const LOCKED: f32 = 1.0e6;

/// A pivot smaller than this share of what it was says that a joint repeats what others hold.
const NO_PIVOT: f32 = 1.0e-6;

/// How often the pulls of a heavy tree are tried out, and the solves of each.
const TRIALS: usize = 2;
const ROUNDS_OF_TRIAL: usize = 2;

/// A tree is heavy if some body in it weighs so many times as much as another.
const HEAVY: f32 = 10.0;

/// A symmetric matrix of three rows: `[00, 01, 02, 11, 12, 22]`; or its L D Lᵀ: `[1 / d0, l10, l20, 1 / d1, l21, 1 / d2]`.
type Symmetric<L> = [L; 6];

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

    /// The row of J of a number; nothing where it is neither held nor at a limit.
    #[inline(always)]
    fn row<W: Width>(&self, w: W, number: usize, of_b: bool) -> [W::L; 3] {
        let row = row(w, &self.block.now, number, of_b);
        match self.drives {
            Some(drives) if !self.block.form.holds(number) => {
                let on = w.read(&drives[number].at_limit).abs();
                [row[0] * on, row[1] * on, row[2] * on]
            }
            _ => row,
        }
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

#[inline(always)]
fn dot<L: Lane>(a: [L; 3], b: [L; 3]) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// One over a pivot, nothing where too little is left of `whole`.
#[inline(always)]
fn pivot<W: Width>(w: W, left: W::L, whole: W::L) -> W::L {
    let inverse = super::push::inverse(w, left);
    W::L::select((whole * w.splat(NO_PIVOT)).lt(left), inverse, w.splat(0.0))
}

/// L D Lᵀ of the first `size` rows.
#[inline(always)]
fn decompose<W: Width>(w: W, m: Symmetric<W::L>, size: usize) -> Symmetric<W::L> {
    let zero = w.splat(0.0);
    let [m00, m01, m02, m11, m12, m22] = m;
    let d0 = pivot(w, m00, m00);
    if size == 1 {
        return [d0, zero, zero, zero, zero, zero];
    }
    let l10 = m01 * d0;
    let d1 = pivot(w, m11 - l10 * m01, m11);
    if size == 2 {
        return [d0, l10, zero, d1, zero, zero];
    }
    let l20 = m02 * d0;
    let rest = m12 - l10 * m02;
    let l21 = rest * d1;
    let d2 = pivot(w, m22 - l20 * m02 - l21 * rest, m22);
    [d0, l10, l20, d1, l21, d2]
}

/// What a matrix that was decomposed maps to `y`.
#[inline(always)]
fn solved<L: Lane>(ldl: Symmetric<L>, y: [L; 3], size: usize) -> [L; 3] {
    let [d0, l10, l20, d1, l21, d2] = ldl;
    let mut x = y;
    if size > 1 {
        x[1] = x[1] - l10 * x[0];
    }
    if size > 2 {
        x[2] = x[2] - l20 * x[0] - l21 * x[1];
        x[2] = x[2] * d2;
    }
    if size > 1 {
        x[1] = x[1] * d1;
        if size > 2 {
            x[1] = x[1] - l21 * x[2];
        }
    }
    x[0] = x[0] * d0;
    if size > 1 {
        x[0] = x[0] - l10 * x[1];
    }
    if size > 2 {
        x[0] = x[0] - l20 * x[2];
    }
    x
}

#[inline(always)]
fn read<W: Width, const N: usize>(w: W, columns: &[Column; N]) -> [W::L; N] {
    let mut lanes = [w.splat(0.0); N];
    for k in 0..N {
        lanes[k] = w.read(&columns[k]);
    }
    lanes
}

#[inline(always)]
fn write<W: Width, const N: usize>(w: W, columns: &mut [Column; N], lanes: [W::L; N]) {
    for k in 0..N {
        w.write(&mut columns[k], lanes[k]);
    }
}

/// D of all nodes and S of all edges, for where the joints stand now.
#[inline(always)]
pub(crate) fn factor<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&[Block], &[Drives]),
    mass: &[[f32; 4]],
    h: f32,
) {
    let Tree { nodes, edges, .. } = tree;
    for node in nodes.iter_mut() {
        w.write(&mut node.inv_inertia, w.splat(0.0));
    }
    for edge in edges.iter() {
        add_pull(w, edge, nodes, &blocks[edge.block as usize], h);
    }
    for node in nodes.iter_mut() {
        weigh(w, node, mass);
    }
    for edge in edges.iter_mut() {
        factor_edge(w, edge, nodes, Joint::of(edge, blocks, drives));
    }
    for node in nodes.iter_mut().filter(|node| !node.has_parent) {
        let weight = decompose(w, read(w, &node.weight), 3);
        write(w, &mut node.weight, weight);
    }
}

/// Adds h² F r of a joint to both its bodies.
#[inline(always)]
fn add_pull<W: Width>(w: W, edge: &Edge, nodes: &mut [Node], block: &Block, h: f32) {
    let [of_a, of_b] = pull(w, block, h);
    let (of_child, of_parent) = if edge.child_is_b { (of_b, of_a) } else { (of_a, of_b) };
    for (node, pull) in [(edge.child, of_child), (edge.parent, of_parent)] {
        if node != NONE {
            let sum = &mut nodes[node as usize].inv_inertia;
            let added = w.read(sum) + pull;
            w.write(sum, added);
        }
    }
}

/// M of a body on its own.
#[inline(always)]
fn weigh<W: Width>(w: W, node: &mut Node, mass: &[[f32; 4]]) {
    let [x, y, spin, _] = w.gather(mass, &node.rows);
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let lightest = x.larger(y);
    let whole = W::L::select(zero.lt(lightest), one / lightest, one);
    let locked = whole * w.splat(LOCKED);
    let of = [x, y, spin].map(
        #[inline(always)]
        |inverse| W::L::select(zero.lt(inverse), one / inverse, locked),
    );
    for (k, inverse) in [x, y, spin].into_iter().enumerate() {
        w.write(&mut node.mass[k], W::L::select(zero.lt(inverse), of[k], zero));
    }
    let inertia = of[2].larger(w.read(&node.inv_inertia));
    w.write(&mut node.inv_inertia, W::L::select(zero.lt(spin), one / inertia, zero));
    write(w, &mut node.weight, [of[0], zero, zero, of[1], zero, inertia]);
}

#[inline(always)]
fn factor_edge<W: Width>(w: W, edge: &mut Edge, nodes: &mut [Node], joint: Joint) {
    let (numbers, size) = joint.block.form.rows();
    let now = &joint.block.now;
    let mut give = [w.splat(0.0); 6];
    let place = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
    if edge.extra {
        for k in 0..size {
            give[place[k][k]] = w.read(&now.k[numbers[k]]) * w.splat(GROUND_GIVES);
        }
        let give = decompose(w, give, size);
        write(w, &mut edge.give, give);
        add_weight(w, &mut nodes[edge.child as usize], (joint, edge.child_is_b), (numbers, size), give);
        return;
    }
    let child = &mut nodes[edge.child as usize];
    let weight = decompose(w, read(w, &child.weight), 3);
    write(w, &mut child.weight, weight);
    for k in 0..size {
        let moved = solved(weight, joint.row(w, numbers[k], edge.child_is_b), 3);
        for l in k..size {
            give[place[k][l]] = dot(joint.row(w, numbers[l], edge.child_is_b), moved);
        }
    }
    let give = decompose(w, give, size);
    write(w, &mut edge.give, give);
    if edge.parent != NONE {
        add_weight(w, &mut nodes[edge.parent as usize], (joint, !edge.child_is_b), (numbers, size), give);
    }
}

/// D += Jᵀ S⁻¹ J
#[inline(always)]
fn add_weight<W: Width>(
    w: W,
    node: &mut Node,
    (joint, of_b): (Joint, bool),
    (numbers, size): ([usize; 3], usize),
    give: Symmetric<W::L>,
) {
    let mut weight = read(w, &node.weight);
    // Rows of L⁻¹ J, so that each adds its own square over its pivot.
    let mut y = [[w.splat(0.0); 3]; 3];
    for k in 0..size {
        y[k] = joint.row(w, numbers[k], of_b);
    }
    let [d0, l10, l20, d1, l21, d2] = give;
    let [y_0, y_1, y_2] = &mut y;
    for ((y_0, y_1), y_2) in y_0.iter().zip(y_1).zip(y_2) {
        if size > 1 {
            *y_1 = *y_1 - l10 * *y_0;
        }
        if size > 2 {
            *y_2 = *y_2 - l20 * *y_0 - l21 * *y_1;
        }
    }
    for (k, pivot) in [d0, d1, d2].into_iter().enumerate().take(size) {
        let scaled = [y[k][0] * pivot, y[k][1] * pivot, y[k][2] * pivot];
        weight[0] = weight[0] + y[k][0] * scaled[0];
        weight[1] = weight[1] + y[k][0] * scaled[1];
        weight[2] = weight[2] + y[k][0] * scaled[2];
        weight[3] = weight[3] + y[k][1] * scaled[1];
        weight[4] = weight[4] + y[k][1] * scaled[2];
        weight[5] = weight[5] + y[k][2] * scaled[2];
    }
    write(w, &mut node.weight, weight);
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
    let energy = motion(w, tree);
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
        down(w, tree, (blocks, drives), velocity, half);
    }
    keep_energy(w, tree, energy, half);
    for node in &tree.nodes {
        w.scatter(velocity, &node.rows, read(w, &node.velocity));
    }
}

/// Holds everything together, and takes it back: only the pulls are kept, and the inertias that follow from them.
///
/// A heavy ball that draws its chain tight pulls a thousand times harder than in the sub-step before. Links that are found too
/// light for that beforehand are not thrown past the straight line.
#[inline(always)]
fn try_pull<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    velocity: &[[f32; 4]],
    (mass, law): (&[[f32; 4]], &Law),
) {
    let gain = w.read(&tree.gain);
    for node in &mut tree.nodes {
        let v = read(w, &node.velocity);
        write(w, &mut node.kept, v);
    }
    for edge in &mut tree.edges {
        let held = read(w, &blocks[edge.block as usize].held[0]);
        write(w, &mut edge.kept, held);
    }
    for _ in 0..ROUNDS_OF_TRIAL {
        up(w, tree, (blocks, drives), velocity, (Half::Before, law));
        down(w, tree, (blocks, drives), velocity, Half::Before);
    }
    find_limits(w, tree, (blocks, drives), velocity, law);
    forget_limits(w, tree, blocks, drives, Half::Before);
    for edge in &tree.edges {
        // The half after will pull as hard.
        let [before, after] = &mut blocks[edge.block as usize].held;
        let held = read(w, before);
        write(w, after, held);
    }
    factor(w, tree, (blocks, drives), mass, law.h);
    for node in &mut tree.nodes {
        let v = read(w, &node.kept);
        write(w, &mut node.velocity, v);
    }
    for edge in &tree.edges {
        write(w, &mut blocks[edge.block as usize].held[0], read(w, &edge.kept));
    }
    w.write(&mut tree.gain, gain);
}

/// Kinetic energy, momentum and mass of a tree.
struct Motion<L> {
    energy: L,
    momentum: [L; 2],
    mass: [L; 2],
}

#[inline(always)]
fn motion<W: Width>(w: W, tree: &Tree) -> Motion<W::L> {
    let (zero, half) = (w.splat(0.0), w.splat(0.5));
    let mut motion = Motion { energy: zero, momentum: [zero; 2], mass: [zero; 2] };
    for node in &tree.nodes {
        let (v, m) = (read(w, &node.velocity), read(w, &node.mass));
        let twice = v[0] * v[0] * m[0] + v[1] * v[1] * m[1] + v[2] * v[2] * m[2];
        motion.energy = motion.energy + half * twice;
        for k in 0..2 {
            motion.momentum[k] = motion.momentum[k] + m[k] * v[k];
            motion.mass[k] = motion.mass[k] + m[k];
        }
    }
    motion
}

/// Joints do no work. Where they did all the same, because a chain snapped tight or was jammed, the bodies are slowed down: all
/// by the same share, seen from their common centre where the tree hangs on nothing.
#[inline(always)]
fn keep_energy<W: Width>(w: W, tree: &mut Tree, before: Motion<W::L>, half: Half) {
    let after = motion(w, tree);
    let gain = w.read(&tree.gain) + (after.energy - before.energy);
    w.write(&mut tree.gain, gain);
    if half == Half::Before {
        return;
    }
    let (zero, one) = (w.splat(0.0), w.splat(1.0));
    let free = if tree.edges.last().is_some_and(|edge| edge.parent == NONE) { zero } else { one };
    let mut common = [zero; 2];
    let mut inner = after.energy;
    for ((common, momentum), mass) in common.iter_mut().zip(after.momentum).zip(after.mass) {
        *common = free * momentum * super::push::inverse(w, mass);
        inner = inner - w.splat(0.5) * *common * momentum;
    }
    let allowed = (inner * w.splat(MOST_GAIN)).larger(zero);
    let excess = (gain - allowed).larger(zero);
    if !w.any(zero.lt(excess)) {
        return;
    }
    let left = (inner - excess).larger(zero) * super::push::inverse(w, inner);
    let scale = W::L::select(zero.lt(excess), left.sqrt(), one);
    for node in &mut tree.nodes {
        let [x, y, spin, rest] = read(w, &node.velocity);
        // Lanes that kept their energy keep their bits.
        let slow = |v: W::L, common: W::L| W::L::select(zero.lt(excess), common + (v - common) * scale, v);
        let slowed = [slow(x, common[0]), slow(y, common[1]), slow(spin, zero), rest];
        write(w, &mut node.velocity, slowed);
    }
    w.write(&mut tree.gain, gain.smaller(allowed));
}

/// Share of its energy that the joints of a tree may seem to have given it in a step: what the order of the sub-steps leaves open.
const MOST_GAIN: f32 = 1.0e-3;

/// Forgets what was given in the step before.
#[inline(always)]
pub(crate) fn begin<W: Width>(w: W, tree: &mut Tree) {
    w.write(&mut tree.gain, w.splat(0.0));
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
    velocity: &[[f32; 4]],
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
                work = work + found[k] * dot(j, [ground[0], ground[1], ground[2]]);
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

/// The speed that a number at a limit is to have: before bodies move one that brings it to the limit, then none.
#[inline(always)]
fn wanted_at_limit<W: Width>(w: W, joint: Joint, number: usize, (half, law): (Half, &Law)) -> W::L {
    let zero = w.splat(0.0);
    let Some(drives) = joint.drives.filter(|_| half == Half::Before && !joint.block.form.holds(number))
    else {
        return zero;
    };
    let driven = &drives[number];
    let side = w.read(&driven.at_limit);
    let limit = W::L::select(zero.lt(side), w.read(&driven.lower), w.read(&driven.upper));
    let most = w.splat(law.max_push);
    let back = (limit - w.read(&joint.block.now.value[number])) * w.splat(law.inv_h);
    W::L::select(side.eq(zero), zero, back.smaller(most).larger(-most))
}

/// Impulses of limits are found anew in each push.
#[inline(always)]
fn forget_limits<W: Width>(w: W, tree: &Tree, blocks: &[Block], drives: &mut [Drives], half: Half) {
    for edge in tree.edges.iter().filter(|_| tree.limited) {
        let block = &blocks[edge.block as usize];
        let Some(drives) = drives.get_mut(block.drives as usize) else { continue };
        for driven in drives {
            w.write(&mut driven.impulse[half as usize][LIMITS], w.splat(0.0));
        }
    }
}

/// Which limits hold: those that push, and those that would be passed.
#[inline(always)]
fn find_limits<W: Width>(
    w: W,
    tree: &Tree,
    (blocks, drives): (&[Block], &mut [Drives]),
    velocity: &[[f32; 4]],
    law: &Law,
) {
    let (zero, one, inv_h) = (w.splat(0.0), w.splat(1.0), w.splat(law.inv_h));
    for edge in tree.edges.iter().filter(|_| tree.limited) {
        let block = &blocks[edge.block as usize];
        let Some(drives) = drives.get_mut(block.drives as usize) else { continue };
        let speeds = hold_of(w, edge, &tree.nodes, block, velocity).speeds();
        for number in (0..3).filter(|&number| block.form.drives(number, LIMITS)) {
            let driven = &mut drives[number];
            let value = w.read(&block.now.value[number]);
            let below = speeds[number].lt((w.read(&driven.lower) - value) * inv_h);
            let above = ((w.read(&driven.upper) - value) * inv_h).lt(speeds[number]);
            let fresh = W::L::select(below, one, W::L::select(above, -one, zero));
            let side = w.read(&driven.at_limit);
            let pushes = zero.lt(side * w.read(&driven.impulse[0][LIMITS]));
            let kept = W::L::select(pushes, side, zero);
            w.write(&mut driven.at_limit, W::L::select(side.eq(zero), fresh, kept));
        }
    }
}

/// The limits that still push go on doing so: what the half after starts from.
#[inline(always)]
pub(crate) fn keep_limits<W: Width>(w: W, drives: &mut Drives) {
    let zero = w.splat(0.0);
    for driven in drives {
        let impulse = w.read(&driven.impulse[0][LIMITS]);
        let side =
            W::L::select(zero.lt(impulse), w.splat(1.0), W::L::select(impulse.lt(zero), w.splat(-1.0), zero));
        w.write(&mut driven.at_limit, side);
    }
}
