//! Trees of joints (articulated bodies), solved directly: exact to rounding for any masses.
//!
//! In: blocks of joints that form a tree of bodies, eight trees of one shape side by side. Out: the
//! impulses that satisfy all joints, to rounding. Takes time in proportion to the joints. Fixed and
//! kinematic bodies belong to no tree: a tree ends at them.
//!
//! # Derivation
//!
//! Bodies are nodes, joints edges; every edge has a child and a parent, and the root is last.
//! Unknown are the changes of velocity x of each body and the impulse λ of each joint (Baraff,
//! Linear-Time Dynamics using Lagrange Multipliers, 1996; here for velocities):
//!
//! ```text
//!   M_c x_c = Σ Jᵀ λ  over the joints of c     J_c x_c + J_p x_p = r      r: minus the speed error
//! ```
//!
//! From the leaves to the root, with D_c = M_c and f_c = 0 before its children add to them:
//!
//! ```text
//!   S = J_c D_c⁻¹ J_cᵀ     D_p += J_pᵀ S⁻¹ J_p     r' = r - J_c D_c⁻¹ f_c     f_p += J_pᵀ S⁻¹ r'
//! ```
//!
//! and back from the root (x = D⁻¹ f there, or its own joint to the ground with x_p = 0):
//!
//! ```text
//!   λ = S⁻¹ (r' - J_p x_p)        x_c = D_c⁻¹ (f_c + J_cᵀ λ)
//! ```
//!
//! D is the articulated mass of a body, with everything that hangs on it. It is a sum of positive
//! terms, so large mass ratios cost no digits. D and S are kept as L D Lᵀ. A second joint to the
//! ground in one tree has no child of its own: it has a compliance, a thousandth of the inverse
//! mass of its body, and repeated solves close the rest.
//!
//! ```text
//!   gather.rs      velocities from rows, and back   each pass
//!   jacobian.rs    Jacobians                        each time the bodies have moved
//!   drives.rs      servos and motors                each first pass
//!   factor.rs      D and S                          with new Jacobians, inertias or active limits
//!   solve.rs       r' and f, then λ and x           once or more per pass
//!   kinds.rs       which axes a joint solves
//!   sparse.rs      Jacobian entries known to be 0 or 1
//!   drive_rows.rs  drives and limits of joints      kept with the tree
//!   limits.rs      active limits                    found by trials before bodies move
//!   predictor.rs   a solve that may be taken back   before bodies move
//!   isolated.rs    whole steps of trees without contacts
//!   energy.rs      energy clamp                     each pass
//!   working_copy.rs  data of blocks and drives      copied as a step begins; back on demand
//!   slots.rs       filling and emptying lanes       while the other lanes stay
//! ```
//!
//! Blocks and drives belong to one tree each, and lie in the order of the trees.

pub(crate) use super::drives::{count, warm_start};
pub(crate) use super::gather::give_free;
pub(crate) use super::isolated::{
    Flight, begin as begin_flight, end as end_flight, go_on, keep_ways, land, remove_lag,
};
pub(crate) use super::jacobian::{aim_and_factor, note_answers, note_ways, weigh_stiff};
pub(crate) use super::working_copy::{Fresh, begin, bring_in};

pub(super) use super::drive_rows::DriveRow;
use super::drives::drive;
use super::energy::{energy, ground_of, keep_energy, lent};
use super::gather::{give, take};
use super::kinds::EdgeKind;
use super::predictor::{MOST_TRIALS, PULL_TRIALS, ROUNDS_OF_TRIAL, try_pull};
use super::solve::{down, up};
use crate::ablate::Rule;
use crate::body::NONE;
use crate::simd::{LANES, Lane, Width};
use crate::solver::columns::{Column, SharedColumns, ZERO};
use crate::solver::joints::JointPass;
use crate::solver::joints::block::{Drives, JointBlock, LIMITS, RowMask, SERVO};
use crate::solver::joints::pass::Half;
use crate::solver::joints::small_matrix::{read, write};
use crate::solver::params::JointParams;
use crate::tuning::JointTuning;

/// The blocks of some trees and their drives. Drives along and across at once, which are rare, keep
/// their impulses there: they are copied for a pass and back.
pub(crate) struct TreeBlocks<'j> {
    pub(crate) blocks: &'j mut [JointBlock],
    pub(crate) drives: &'j mut [Drives],
    /// Number of blocks before these, and of drives.
    pub(crate) before: [usize; 2],
}

impl TreeBlocks<'_> {
    /// The block of an edge, and its drives.
    #[inline(always)]
    pub(super) fn read(&self, edge: &TreeEdge) -> (&JointBlock, Option<&Drives>) {
        let block = &self.blocks[edge.block as usize - self.before[0]];
        (block, self.drives.get((block.drives as usize).wrapping_sub(self.before[1])))
    }

    /// The block of an edge and its drives, mutable.
    #[inline(always)]
    pub(super) fn change(&mut self, edge: &TreeEdge) -> (&mut JointBlock, Option<&mut Drives>) {
        let block = &mut self.blocks[edge.block as usize - self.before[0]];
        let drives = self.drives.get_mut((block.drives as usize).wrapping_sub(self.before[1]));
        (block, drives)
    }
}

/// Up to eight trees of one shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<TreeNode>,
    /// Children before their parents, the root's last.
    pub(crate) edges: Vec<TreeEdge>,
    /// Drives and limits of its edges, in their order.
    pub(super) drive_rows: Vec<DriveRow>,
    /// Energy that its joints gave to its bodies in this step.
    pub(super) gain: Column,
    /// Some body is much heavier than another.
    pub(crate) heavy: bool,
    /// Some joint has limits.
    pub(crate) limited: bool,
    /// Some joint has a servo or a spring.
    pub(super) sprung: bool,
    /// Some joint to the ground has a compliance.
    gives: bool,
    /// Some joint hangs on a kinematic body.
    pub(super) is_carried: bool,
    /// No joint outside the tree joins its bodies: see `gather.rs`.
    pub(crate) own: bool,
    /// The lanes in use. Only their rows are written: rows of immovable bodies are shared by all
    /// trees.
    pub(super) used: u8,
    /// 1 for trees with a body that contacts or other joints push in this step, else 0.
    met: Column,
    /// The lanes of trees that contacts push.
    touched: u8,
    /// The last pass before bodies move is for all of them.
    pub(super) pushes_all: bool,
    /// All of them are in flight: see `isolated.rs`.
    pub(crate) flies: bool,
    /// Data that changed in its blocks and is not loaded yet.
    pub(crate) fresh: Fresh,
}

impl Tree {
    pub(crate) fn new(nodes: usize, own: bool) -> Tree {
        Tree { nodes: vec![TreeNode::new(); nodes], own, fresh: Fresh::ALL, ..Tree::default() }
    }

    /// Notes which bodies contacts push in this step. Bodies with joints outside the tree count as
    /// pushed.
    pub(crate) fn meet(&mut self, is_pushed: impl Fn(u32) -> bool) {
        self.touched = 0;
        for (lane, met) in self.met.iter_mut().enumerate() {
            let mut rows = self.nodes.iter().map(|node| node.rows[lane]).filter(|&row| row != 0);
            let is_used = self.own || rows.clone().next().is_some();
            let is_touched = rows.any(&is_pushed);
            self.touched |= u8::from(is_touched) << lane;
            *met = if is_touched || (!self.own && is_used) { 1.0 } else { 0.0 };
        }
        let is_used = |&lane: &usize| self.nodes.iter().any(|node| node.rows[lane] != 0);
        self.used = (0..LANES).filter(is_used).fold(0, |lanes, lane| lanes | 1 << lane);
        self.pushes_all = !self.settles() || (0..LANES).filter(is_used).all(|lane| self.met[lane] != 0.0);
        self.flies = self.own && self.settles() && !self.is_carried && self.met == ZERO;
    }

    /// The rows of trees that contacts push.
    pub(crate) fn touched_rows(&self) -> impl Iterator<Item = u32> + '_ {
        let lanes = (0..LANES).filter(|lane| self.touched >> lane & 1 == 1);
        lanes.flat_map(|lane| self.nodes.iter().map(move |node| node.rows[lane]))
    }

    /// Adds the next joint.
    pub(crate) fn add(&mut self, mut edge: TreeEdge) {
        edge.first_drive_row = self.drive_rows.len() as u32;
        if !edge.form.round() {
            let driven = [2, 1, 0].into_iter().filter(|&number| edge.form.is_driven_along(number));
            self.drive_rows.extend(driven.map(DriveRow::new));
        }
        edge.drive_rows = self.drive_rows.len() as u32 - edge.first_drive_row;
        self.sprung |= (0..3).any(|number| edge.form.drives(number, SERVO));
        self.gives |= edge.extra;
        self.is_carried |= edge.parent == NONE && edge.ground != [0; LANES];
        self.nodes[edge.child as usize].has_parent |= !edge.extra;
        let above = if edge.extra { edge.child } else { edge.parent };
        if above != NONE {
            self.nodes[above as usize].is_leaf = false;
        }
        self.edges.push(edge);
    }

    /// Number of solves in the pass before bodies move: each removes the speed errors that rotation
    /// and rounding left over.
    fn rounds(&self) -> usize {
        if self.is_heavy() { 3 } else { 2 }
    }

    /// Whether one pass is enough as long as nothing else pushes its bodies. It is not if mass
    /// ratios make rounding count, or if a joint to the ground has a compliance.
    fn settles(&self) -> bool {
        !self.is_heavy() && !self.gives
    }

    /// Number of trials before the pass that compute pulls. More follow while limits change.
    fn trials(&self) -> usize {
        if self.is_heavy() { PULL_TRIALS } else { usize::from(self.limited) }
    }

    fn is_heavy(&self) -> bool {
        Rule::HeavyTrees.acts(self.heavy)
    }
}

/// Whether bodies with such inverse masses make a heavy tree.
pub(crate) fn is_heavy(inverse_masses: impl Iterator<Item = f32>) -> bool {
    let (mut least, mut most) = (f32::INFINITY, 0.0);
    for x in inverse_masses.filter(|&x| x > 0.0) {
        least = crate::math::min(least, x);
        most = crate::math::max(most, x);
    }
    most > JointTuning::HEAVY_TREE * least
}

/// A body of each tree: data of every pass comes first, then data of bodies with children.
///
/// A pass over many trees is bound by memory bandwidth, so order and size matter.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct TreeNode {
    pub(crate) rows: [u32; LANES],
    pub(super) velocity: [Column; 3],
    /// Mass along x and y, and inertia; 0 where impulses do not move it.
    pub(super) mass: [Column; 3],
    /// Inverse masses along x and y, and inverse inertia as joints see it.
    pub(super) inv_mass: [Column; 2],
    pub(super) inv_inertia: Column,
    pub(super) weight: [Column; 6],
    /// f on the way up, x on the way down.
    pub(super) force: [Column; 3],
    /// Velocity before the pass; the half kick subtracted meanwhile; and the unconstrained
    /// velocity.
    pub(super) before: [Column; 3],
    pub(super) lag: [Column; 3],
    pub(super) unconstrained: [Column; 3],
    /// Inverse of its own inertia.
    pub(super) inv_spin: Column,
    /// Pull of its joints: h² F r.
    pub(super) pull: Column,
    /// Scratch: displacements while Jacobians are updated, velocities while a trial may be taken
    /// back.
    pub(super) aside: [Column; 5],
    /// Whether it has a joint to a parent.
    pub(super) has_parent: bool,
    /// Whether it has no children.
    pub(super) is_leaf: bool,
}

/// A joint of each tree: all data of a pass, filled from its block as a step begins.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct TreeEdge {
    pub(crate) block: u32,
    pub(super) child: u32,
    /// [`NONE`] for the ground.
    pub(super) parent: u32,
    pub(super) form: RowMask,
    pub(super) kind: EdgeKind,
    /// First of its drive rows; greater axes come first.
    first_drive_row: u32,
    drive_rows: u32,
    /// The child is body B of the joint. If it is body A, all values below have the opposite sign.
    pub(super) child_is_b: bool,
    /// A second joint to the ground.
    pub(super) extra: bool,
    /// Rows of the ground, which is no node.
    pub(super) ground: [u32; LANES],
    /// The axis of the joint, unless it is upright, and the arms of both bodies to B's anchor in
    /// its axes.
    pub(super) axis: [Column; 2],
    pub(super) of_child: [Column; 2],
    pub(super) of_parent: [Column; 2],
    pub(super) give: [Column; 6],
    pub(super) rest: [Column; 3],
    /// Impulses of the pass so far.
    pub(super) sum: [Column; 3],
    /// Speeds to subtract before bodies move: they close gaps, and bring axes to their limits.
    pub(super) closing: [Column; 3],
    /// For a joint whose axis is the line between its anchors: their distance.
    pub(super) length: Column,
    /// Impulses of locked and limited axes in the last sub-step, before the bodies moved and after,
    /// with the signs of the joint.
    pub(super) held: [[Column; 3]; 2],
    /// Sum of all impulses of the step, drives included.
    pub(super) total: [Column; 3],
}

impl TreeNode {
    fn new() -> TreeNode {
        TreeNode {
            rows: [0; LANES],
            velocity: [ZERO; 3],
            mass: [ZERO; 3],
            inv_mass: [ZERO; 2],
            inv_inertia: ZERO,
            weight: [ZERO; 6],
            force: [ZERO; 3],
            before: [ZERO; 3],
            lag: [ZERO; 3],
            unconstrained: [ZERO; 3],
            inv_spin: ZERO,
            pull: ZERO,
            aside: [ZERO; 5],
            has_parent: false,
            is_leaf: true,
        }
    }
}

impl TreeEdge {
    /// The joint of a block between a child and its parent.
    pub(crate) fn new(
        block: u32,
        (child, parent): (u32, u32),
        (child_is_b, extra): (bool, bool),
    ) -> TreeEdge {
        TreeEdge {
            block,
            child,
            parent,
            form: RowMask::default(),
            kind: EdgeKind::Other,
            first_drive_row: 0,
            drive_rows: 0,
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

    /// Sets its form, and the rows of its ground if the parent is no node.
    pub(crate) fn with(self, form: RowMask, ground: [u32; LANES]) -> TreeEdge {
        TreeEdge { form, kind: EdgeKind::of(form), ground, ..self }
    }

    /// Converts a value between the sign of the joint and that of the child.
    #[inline(always)]
    pub(super) fn seen<L: Lane>(&self, number: L) -> L {
        if self.child_is_b { number } else { -number }
    }

    /// The range of its drive rows.
    #[inline(always)]
    pub(super) fn drive_rows(&self) -> core::ops::Range<usize> {
        self.first_drive_row as usize..(self.first_drive_row + self.drive_rows) as usize
    }

    /// The axes it solves. An angle that is at no limit in any lane is left out.
    #[inline(always)]
    pub(super) fn solves<W: Width>(&self, w: W, drive_rows: &[DriveRow]) -> EdgeKind {
        if self.kind == EdgeKind::All && self.form.drives(2, LIMITS) {
            // Greater numbers come first.
            let at_limit = w.read(&drive_rows[self.first_drive_row as usize].at_limit);
            if !w.any(!at_limit.eq(w.splat(0.0))) {
                return EdgeKind::Point;
            }
        }
        self.kind
    }
}

/// One pass: drives, then locked axes and limits.
///
/// Trees without contacts are already solved after the first pass of each half if
/// [`Tree::settles`], so the second pass runs only on lanes whose tree may have been pushed by
/// contacts (before bodies move) or was changed by them (after). Lanes are selected one by one,
/// whatever else is in their block. (Before bodies move, unchanged velocities are no reason to
/// skip: the bend term makes each pass come nearer.)
#[inline(always)]
pub(crate) fn solve<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    (pass, params): (JointPass, &JointParams),
) {
    let all = w.splat(0.0).eq(w.splat(0.0));
    let may_rest = !pass.is_first() && tree.settles();
    let mut wanted = if may_rest { w.splat(0.0).lt(w.read(&tree.met)) } else { all };
    if !w.any(wanted) {
        return;
    }
    let touched = w.apart_in_debug(
        #[inline(always)]
        || take(w, tree, columns, pass),
    );
    if may_rest && pass.half() == Half::After {
        wanted = wanted & touched;
        if !w.any(wanted) {
            return;
        }
    }
    let (half, gain) = (pass.half(), w.read(&tree.gain));
    hold_together(w, tree, home, columns, (pass, params));
    w.apart_in_debug(
        #[inline(always)]
        || {
            give(w, tree, columns, (half, params), wanted);
            note_held(w, tree, half, (wanted, gain));
        },
    );
}

/// The pass itself, on the velocities in the nodes; `columns` are for the ground.
#[inline(always)]
pub(super) fn hold_together<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &mut TreeBlocks,
    columns: &SharedColumns,
    (pass, params): (JointPass, &JointParams),
) {
    if pass.is_first() {
        let warm = tree.own;
        let before = lent(w, tree);
        w.apart(
            #[inline(always)]
            || drive(w, tree, home, columns, (pass.half(), params, warm)),
        );
        let gain = w.read(&tree.gain) + (lent(w, tree) - before);
        w.write(&mut tree.gain, gain);
    }
    w.apart_in_debug(
        #[inline(always)]
        || solve_all(w, tree, home, columns, (pass, params)),
    );
}

/// Solves locked axes and limits, after a trial if one is needed.
#[inline(always)]
fn solve_all<W: Width>(
    w: W,
    tree: &mut Tree,
    home: &TreeBlocks,
    columns: &SharedColumns,
    (pass, params): (JointPass, &JointParams),
) {
    for edge in &mut tree.edges {
        write(w, &mut edge.sum, [w.splat(0.0); 3]);
    }
    let (half, ground) = (pass.half(), ground_of(w, tree, columns));
    let before = energy(w, tree, ground);
    let mut solved = 0;
    if pass == JointPass::BeforeFirst {
        let most = if tree.trials() == 0 { 0 } else { MOST_TRIALS };
        for number in 0..most {
            let feels = number < tree.trials();
            if !feels && !Rule::TreeTrials.acts(true) {
                break;
            }
            let is_done = w.apart(
                #[inline(always)]
                || try_pull(w, tree, home, (columns, ground), (feels, params)),
            );
            if is_done {
                // Solving again would only give the same.
                solved = ROUNDS_OF_TRIAL;
                break;
            }
        }
    }
    let rounds = if half == Half::After || !pass.is_first() { 1 } else { tree.rounds() };
    for _ in solved..rounds {
        up_and_down(w, tree, (columns, ground), (half, params));
    }
    w.apart(
        #[inline(always)]
        || keep_energy(w, tree, (ground, before), half),
    );
}

/// Stores the impulses of a pass for `wanted` lanes; the others keep their old `gain`.
#[inline(always)]
pub(super) fn note_held<W: Width>(
    w: W,
    tree: &mut Tree,
    half: Half,
    (wanted, gain): (<W::L as Lane>::Mask, W::L),
) {
    let gain = W::L::select(wanted, w.read(&tree.gain), gain);
    w.write(&mut tree.gain, gain);
    for edge in &mut tree.edges {
        // Adding -0 changes no bit.
        let nothing = edge.seen(w.splat(-0.0));
        for k in 0..3 {
            let sum = W::L::select(wanted, w.read(&edge.sum[k]), nothing);
            let sum = w.read(&edge.held[half as usize][k]) + edge.seen(sum);
            w.write(&mut edge.held[half as usize][k], sum);
        }
    }
}

/// One solve: up and down are functions of their own.
#[inline(always)]
pub(super) fn up_and_down<W: Width>(
    w: W,
    tree: &mut Tree,
    (columns, ground): (&SharedColumns, [W::L; 2]),
    (half, params): (Half, &JointParams),
) {
    w.apart(
        #[inline(always)]
        || up(w, tree, columns, (half, params)),
    );
    w.apart(
        #[inline(always)]
        || down(w, tree, (columns, ground)),
    );
}

/// Reads the velocities of the child and the parent of a joint.
#[inline(always)]
pub(super) fn family<W: Width>(
    w: W,
    edge: &TreeEdge,
    nodes: &[TreeNode],
    columns: &SharedColumns,
) -> ([W::L; 4], [W::L; 4]) {
    let of_node = |node: u32| {
        let [x, y, spin] = read(w, &nodes[node as usize].velocity);
        [x, y, spin, w.splat(0.0)]
    };
    let parent =
        if edge.parent == NONE { w.gather(&columns.velocity, &edge.ground) } else { of_node(edge.parent) };
    (of_node(edge.child), parent)
}

/// Writes the velocities of the child and the parent of a joint.
#[inline(always)]
pub(super) fn keep_family<W: Width>(
    w: W,
    edge: &TreeEdge,
    nodes: &mut [TreeNode],
    (child, parent): ([W::L; 4], [W::L; 4]),
) {
    let [x, y, spin, _] = child;
    write(w, &mut nodes[edge.child as usize].velocity, [x, y, spin]);
    if edge.parent != NONE {
        let [x, y, spin, _] = parent;
        write(w, &mut nodes[edge.parent as usize].velocity, [x, y, spin]);
    }
}
