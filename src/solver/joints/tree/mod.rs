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
//!   aim.rs      where the joints stand now       each time the bodies have moved
//!   drive.rs    servos and motors                each first push
//!   factor.rs   D and S                          each time joints were aimed, and where a trial found something new
//!   pass.rs     r' and f, then λ and x           once or more a push
//!   limits.rs   which limits hold                tried out before bodies move
//!   trial.rs    a push that may be taken back    the same
//!   energy.rs   what joints gave, taken away     each push
//!   home.rs     from blocks and drives           as a step begins; and back for those who ask
//! ```
//!
//! A tree has its blocks and drives to itself, one after the other in the order of the trees.

mod aim;
mod drive;
mod energy;
mod factor;
mod home;
mod limits;
mod pass;
mod trial;

pub(crate) use aim::{aim, note_answers};
pub(crate) use drive::{count, warm_start};
pub(crate) use factor::{factor, feel_pulls, share_inertias};
pub(crate) use home::{Fresh, begin, bring_in};

use super::Turn;
use super::block::{Block, Drives, Form, LIMITS, Now};
use super::matrix::{read, two, write};
use super::push::{Half, Law};
use crate::body::NONE;
use crate::simd::{LANES, Lane, Width};
use crate::solver::block::Column;
use drive::drive;
use energy::{ground_of, keep_energy, motion};
use pass::{down, up};
use trial::{ROUNDS_OF_TRIAL, TRIALS, try_pull};

/// The numbers that a joint solves, in order, and how many.
type Numbers = ([usize; 3], usize);

/// Points held together; and the angle as well, or its limits.
const POINT: Numbers = ([0, 1, 0], 2);
const ALL: Numbers = ([0, 1, 2], 3);

/// Runs `$body` with `$numbers` those of an edge: constants for the usual joints.
macro_rules! with_numbers {
    ($edge:expr, $numbers:ident => $body:expr) => {
        match $edge.form.rows() {
            POINT => {
                let $numbers = POINT;
                $body
            }
            ALL => {
                let $numbers = ALL;
                $body
            }
            $numbers => $body,
        }
    };
}

use with_numbers;

/// Up to eight trees of one shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// Children before their parents, the root's last.
    pub(crate) edges: Vec<Edge>,
    /// What drives or limits its edges, in their order.
    muscles: Vec<Muscle>,
    /// Energy that its joints gave to its bodies in this step.
    gain: Column,
    /// Some body is much heavier than another.
    pub(crate) heavy: bool,
    /// Some joint has limits.
    pub(crate) limited: bool,
}

impl Tree {
    pub(crate) fn new(nodes: usize) -> Tree {
        Tree { nodes: vec![Node::new(); nodes], ..Tree::default() }
    }

    /// Adds the next joint.
    pub(crate) fn add(&mut self, mut edge: Edge) {
        edge.first_muscle = self.muscles.len() as u32;
        if !edge.form.round() {
            let driven = [2, 1, 0].into_iter().filter(|&number| edge.form.is_driven_along(number));
            self.muscles.extend(driven.map(Muscle::new));
        }
        edge.muscles = self.muscles.len() as u32 - edge.first_muscle;
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

    /// Whether one solve after bodies moved leaves nothing for another: not where masses differ by so much that rounding counts, nor where
    /// a joint to the ground gives way.
    fn settles(&self) -> bool {
        !self.heavy && !self.edges.iter().any(|edge| edge.extra)
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

/// A body of each tree: what a push reads comes first, then what a pass reads of those that others hang on.
///
/// A push of a world of trees goes through all of them, and they are more than fits near the processor: order and size matter.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node {
    pub(crate) rows: [u32; LANES],
    velocity: [Column; 3],
    /// Mass along x and y, and inertia; 0 for what does not give way.
    mass: [Column; 3],
    /// One over the masses along x and y, and over the inertia that joints meet.
    inv_mass: [Column; 2],
    inv_inertia: Column,
    weight: [Column; 6],
    /// f on the way up, x on the way down.
    force: [Column; 3],
    /// One over the inertia of its own.
    inv_spin: Column,
    /// What its joints pull at it: h² F r.
    pull: Column,
    /// What is put aside: ways while joints are aimed, velocities while a push may be taken back.
    aside: [Column; 5],
    /// Whether any joint leads up from it.
    has_parent: bool,
    /// Whether nothing hangs on it.
    is_leaf: bool,
}

/// A joint of each tree: all that pushes read of it, filled from its block as a step begins.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Edge {
    pub(crate) block: u32,
    child: u32,
    /// [`NONE`] for the ground.
    parent: u32,
    form: Form,
    /// What drives or limits it: greater numbers first.
    first_muscle: u32,
    muscles: u32,
    /// The child is body B of the joint. If it is body A, all numbers below count the other way round.
    child_is_b: bool,
    /// A further joint to the ground.
    extra: bool,
    /// Rows of what is no node: the ground.
    ground: [u32; LANES],
    /// The axis of the joint, and the arms of both bodies to B's anchor in its axes.
    axis: [Column; 2],
    of_child: [Column; 2],
    of_parent: [Column; 2],
    give: [Column; 6],
    rest: [Column; 3],
    /// Impulses of the push so far.
    sum: [Column; 3],
    /// What to take the speeds of the numbers down by, before bodies move: it closes gaps, and brings numbers to their limits.
    closing: [Column; 3],
    /// Of a joint whose axis is the line between its anchors: how far they are apart.
    length: Column,
    /// Impulses of the last sub-step by what is held or limited, before the bodies moved and after, as the joint counts them.
    held: [[Column; 3]; 2],
    /// Sum of all impulses of the step, drives included.
    total: [Column; 3],
}

/// What drives or limits a number of an edge, as the joint counts it.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Muscle {
    number: u32,
    /// How the number answers a push from where the joints stand now: see `joints/drive.rs`. One over what gives way, what passes along
    /// the other two numbers, and how hard a servo pulls.
    mass: Column,
    passed: [Column; 2],
    toward: Column,
    /// Impulses of servo and motor, before the bodies moved and after.
    impulse: [[Column; 2]; 2],
    /// Share of a kick, least and greatest force of a servo.
    share: Column,
    bounds: [Column; 2],
    /// Speed of the motor, and its greatest force.
    speed: Column,
    max: Column,
    /// Where it stands now.
    value: Column,
    /// Lower and upper limit; and 1 at the lower one, -1 at the upper one, 0 between them.
    limits: [Column; 2],
    at_limit: Column,
}

const ZERO: Column = [0.0; LANES];

impl Node {
    fn new() -> Node {
        Node {
            rows: [0; LANES],
            velocity: [ZERO; 3],
            mass: [ZERO; 3],
            inv_mass: [ZERO; 2],
            inv_inertia: ZERO,
            weight: [ZERO; 6],
            force: [ZERO; 3],
            inv_spin: ZERO,
            pull: ZERO,
            aside: [ZERO; 5],
            has_parent: false,
            is_leaf: true,
        }
    }
}

impl Muscle {
    fn new(number: usize) -> Muscle {
        Muscle {
            number: number as u32,
            mass: ZERO,
            passed: [ZERO; 2],
            toward: ZERO,
            impulse: [[ZERO; 2]; 2],
            share: ZERO,
            bounds: [ZERO; 2],
            speed: ZERO,
            max: ZERO,
            value: ZERO,
            limits: [ZERO; 2],
            at_limit: ZERO,
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
            form: Form::default(),
            first_muscle: 0,
            muscles: 0,
            child_is_b,
            extra,
            ground: [0; LANES],
            axis: [ZERO; 2],
            of_child: [ZERO; 2],
            of_parent: [ZERO; 2],
            give: [ZERO; 6],
            rest: [ZERO; 3],
            sum: [ZERO; 3],
            closing: [ZERO; 3],
            length: ZERO,
            held: [[ZERO; 3]; 2],
            total: [ZERO; 3],
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

    /// Where its muscles are.
    #[inline(always)]
    fn muscles(&self) -> core::ops::Range<usize> {
        self.first_muscle as usize..(self.first_muscle + self.muscles) as usize
    }

    /// 1 where a number is held or at a limit, else 0.
    #[inline(always)]
    fn is_on<W: Width>(&self, w: W, muscles: &[Muscle], number: usize) -> W::L {
        let one = w.splat(1.0);
        if !self.form.drives(number, LIMITS) {
            return one;
        }
        for muscle in &muscles[self.muscles()] {
            if muscle.number as usize == number {
                return w.read(&muscle.at_limit).abs();
            }
        }
        one
    }

    /// The row of J of a number for the child, or for the parent; nothing where it is not `on`.
    #[inline(always)]
    fn row<W: Width>(&self, w: W, (number, of_child): (usize, bool), on: W::L) -> [W::L; 3] {
        let (n, arm) = (two(w, &self.axis), two(w, if of_child { &self.of_child } else { &self.of_parent }));
        let (zero, one) = (w.splat(0.0), w.splat(1.0));
        let row = match (number, of_child) {
            (0, true) => [n[0], n[1], -arm[1]],
            (0, false) => [-n[0], -n[1], arm[1]],
            (1, true) => [-n[1], n[0], arm[0]],
            (1, false) => [n[1], -n[0], -arm[0]],
            (_, true) => [zero, zero, one],
            (_, false) => [zero, zero, -one],
        };
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
///
/// The last push of a sub-step is for trees that something has touched since the first one after the bodies moved: where [`Tree::settles`],
/// others are held together already. Each lane goes by itself there, whatever else is in its block. (Before bodies move a push foresees
/// how they turn, and each comes nearer: left out there, a chain with a thousand times its links' weight at its end opens by 0.1 m.)
#[inline(always)]
pub(crate) fn solve<W: Width>(
    w: W,
    tree: &mut Tree,
    (blocks, drives): (&mut [Block], &mut [Drives]),
    velocity: &mut [[f32; 4]],
    (half, turn, law): (Half, Turn, &Law),
    warm: bool,
) {
    let touched = take(w, tree, velocity);
    let is_touched = w.splat(0.0).lt(touched);
    let is_last = (half, turn) == (Half::After, Turn::Last);
    let untouched = is_last && tree.settles() && w.any(!is_touched);
    if untouched {
        if !w.any(is_touched) {
            return;
        }
        put_aside(w, tree);
    }
    let gain = w.read(&tree.gain);
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
                || try_pull(w, tree, blocks, (velocity, ground), law),
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
    if untouched {
        take_back(w, tree, touched, gain);
    }
    for node in &tree.nodes {
        let [x, y, spin] = read(w, &node.velocity);
        w.scatter(velocity, &node.rows, [x, y, spin, w.splat(0.0)]);
    }
    for edge in &mut tree.edges {
        for k in 0..3 {
            let sum = w.read(&edge.held[half as usize][k]) + edge.seen(w.read(&edge.sum[k]));
            w.write(&mut edge.held[half as usize][k], sum);
        }
    }
}

/// The velocities of a tree from their rows. Answers 1 where they are not those that its joints left last, else 0.
#[inline(always)]
fn take<W: Width>(w: W, tree: &mut Tree, velocity: &[[f32; 4]]) -> W::L {
    let mut touched = w.splat(0.0);
    for node in &mut tree.nodes {
        let [x, y, spin, _] = w.gather(velocity, &node.rows);
        for (now, left) in [x, y, spin].into_iter().zip(read(w, &node.velocity)) {
            touched = W::L::select(now.eq(left), touched, w.splat(1.0));
        }
        write(w, &mut node.velocity, [x, y, spin]);
    }
    touched
}

/// Puts the velocities of a tree aside.
#[inline(always)]
fn put_aside<W: Width>(w: W, tree: &mut Tree) {
    for node in &mut tree.nodes {
        let [x, y, spin] = read(w, &node.velocity);
        write(w, &mut node.aside, [x, y, spin, w.splat(0.0), w.splat(0.0)]);
    }
}

/// Trees that nothing has touched are as they were: what was put aside, and nothing is added to it.
#[inline(always)]
fn take_back<W: Width>(w: W, tree: &mut Tree, touched: W::L, gain: W::L) {
    let is_touched = w.splat(0.0).lt(touched);
    let gain = W::L::select(is_touched, w.read(&tree.gain), gain);
    w.write(&mut tree.gain, gain);
    for node in &mut tree.nodes {
        let (v, before) = (read(w, &node.velocity), read(w, &node.aside));
        for k in 0..3 {
            w.write(&mut node.velocity[k], W::L::select(is_touched, v[k], before[k]));
        }
    }
    for edge in &mut tree.edges {
        // Adding -0 changes no bit.
        let nothing = edge.seen(w.splat(-0.0));
        for k in 0..3 {
            let sum = W::L::select(is_touched, w.read(&edge.sum[k]), nothing);
            w.write(&mut edge.sum[k], sum);
        }
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

/// Velocities of the child of a joint and of its parent.
#[inline(always)]
fn family<W: Width>(w: W, edge: &Edge, nodes: &[Node], velocity: &[[f32; 4]]) -> ([W::L; 4], [W::L; 4]) {
    let of_node = |node: u32| {
        let [x, y, spin] = read(w, &nodes[node as usize].velocity);
        [x, y, spin, w.splat(0.0)]
    };
    let parent = if edge.parent == NONE { w.gather(velocity, &edge.ground) } else { of_node(edge.parent) };
    (of_node(edge.child), parent)
}

/// Notes the velocities of the child of a joint and of its parent.
#[inline(always)]
fn keep_family<W: Width>(w: W, edge: &Edge, nodes: &mut [Node], (child, parent): ([W::L; 4], [W::L; 4])) {
    let [x, y, spin, _] = child;
    write(w, &mut nodes[edge.child as usize].velocity, [x, y, spin]);
    if edge.parent != NONE {
        let [x, y, spin, _] = parent;
        write(w, &mut nodes[edge.parent as usize].velocity, [x, y, spin]);
    }
}
