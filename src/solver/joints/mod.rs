//! Joints in the solver: constraints between bodies, solved before the bodies move and after.
//!
//! In: joints with the rows of their bodies, filled in once a step. Out: velocities in the columns,
//! impulses in the blocks.
//!
//! ```text
//!   layout.rs      joints -> trees, webs, colours: blocks of eight  if joints or bodies change
//!   relayout.rs    unchanged trees, kept from layout to layout      if joints or bodies change
//!   block.rs       blocks of joints
//!   pass.rs        the four passes of a sub-step
//!   jacobian.rs    Jacobians and effective masses                   each time bodies have moved
//!   trees/         trees, solved directly: L D Lᵀ                   before bodies move, and after
//!   webs/          loops and ropes, solved directly: sparse L D Lᵀ  before bodies move, and after
//!   loops/         large nets, iterated                             before bodies move, and after
//!   couplings.rs   gears and pulleys                                before bodies move, and after
//!   drives.rs      servos, motors, limits                           before bodies move, and after
//!   two_bodies.rs, small_matrix.rs    shared by all of them
//! ```
//!
//! Joints see the velocities of the middle of a sub-step: without the half kick of gravity that is
//! still to come when the bodies move. Their impulses are added to the unconstrained velocity, so
//! that contacts do not carry them over to the next sub-step: joints have other axes by then.

pub(crate) mod block;
mod couplings;
mod drives;
mod jacobian;
pub(crate) mod layout;
mod loops;
mod pass;
mod relayout;
mod small_matrix;
mod trees;
mod two_bodies;
mod webs;

pub(crate) use couplings::Coupled;
pub(crate) use drives::masses_at_rest;
pub(crate) use jacobian::turn;

use super::Columns;
use crate::ablate::Rule;
use crate::joint::Anchor;
use crate::simd::{LANES, Lanes, Level, dispatch};
use crate::solver::params::JointParams;
use crate::threads::{Shared, Team};
use crate::tuning::WebTuning;
use crate::util::Seal;
use block::{Drives, JointBlock, RowMask};
use layout::{Group, Layout, LayoutPhase, SharedLayout};
use loops::energy::WatchedLoops;
use loops::point::Pin;
use loops::tension::TensionOutput;
use pass::Half;
pub(crate) use pass::JointPass;
use trees::TreeOutput;
use trees::tree::Tree;
use webs::web::Web;

/// Index that means "no joint".
pub(crate) const NO_JOINT: u32 = u32::MAX;

/// All blocks of a step.
#[derive(Clone, Debug)]
pub(crate) struct Joints {
    level: Level,
    pub(crate) blocks: Vec<JointBlock>,
    pub(crate) drives: Vec<Drives>,
    /// The joints of each block; [`NO_JOINT`] where a lane is not used.
    pub(crate) of_blocks: Vec<[u32; LANES]>,
    phases: Vec<LayoutPhase>,
    webs: Vec<Web>,
    /// Hot data of the blocks of phases that consist of pins.
    pins: Vec<Pin>,
    trees: Vec<Tree>,
    /// First block and first drives of each tree, and the end of the last one.
    homes: Vec<[u32; 2]>,
    /// Results of chunks of trees.
    finds: Vec<TreeOutput>,
    pub(crate) coupled: Vec<Coupled>,
    pub(crate) of_coupled: Vec<[u32; LANES]>,
    /// Whether there are couplings, counting those without a block because one of their bodies is
    /// disabled.
    pub(crate) couples: bool,
    /// Bodies and points that joints hold and steps do not move: their poses come before the poses
    /// of other bodies.
    pub(crate) placed: Vec<(u32, Anchor)>,
    /// Length of the last step, and of the sub-steps for which springs are computed.
    pub(crate) dt: f32,
    pub(crate) kicks_for: f32,
    /// The solver rows of the bodies that joints push, in order, without the rows that trees own;
    /// `None` until they are computed.
    rows: Option<Vec<u32>>,
    /// Whether impulses move a row, by the kind of its body: a body that is about to sleep has no
    /// mass in its last step.
    moves: Vec<bool>,
    /// Contacts may push this many of the first `rows` between two passes; the rest are loops
    /// without contacts.
    met_rows: usize,
    /// Per iterated block, the lanes whose parts contacts may push; and the lanes of parts without
    /// contacts and drives.
    met: Vec<u8>,
    hangs: Vec<u8>,
    /// Inverse masses and inertia as joints see them, by solver row, and the pull of the joints.
    masses: Vec<[f32; 4]>,
    /// Velocities of `rows` before a joint pass.
    before: Vec<[f32; 4]>,
    /// Whether some joint pulls harder than its bodies can follow: see `jacobian.rs`.
    is_strained: bool,
    /// Results of chunks of iterated blocks, filled while Jacobians are updated, else empty.
    felt: Vec<TensionOutput>,
    /// The rows with a pull, and a flag for each row with extra inertia.
    pulled: Vec<u32>,
    stiff: Vec<bool>,
    /// Per solver row: the last velocity change by impulses of loops in the half before bodies
    /// move.
    start: Vec<[f32; 4]>,
    loops: WatchedLoops,
    /// The bodies for which trees were laid out, by solver row, without row 0.
    laid: Vec<u32>,
    /// The rows that joints name, in order.
    seated: Vec<u32>,
    /// The inputs for which this was laid out, as long as nothing is changed.
    pub(crate) layout: Option<SharedLayout>,
    /// Seal of the data with which its lanes were filled.
    pub(crate) filled: Seal,
}

impl Default for Joints {
    fn default() -> Joints {
        Joints {
            level: Level::widest(),
            blocks: Vec::new(),
            drives: Vec::new(),
            of_blocks: Vec::new(),
            phases: Vec::new(),
            webs: Vec::new(),
            pins: Vec::new(),
            trees: Vec::new(),
            homes: Vec::new(),
            finds: Vec::new(),
            coupled: Vec::new(),
            of_coupled: Vec::new(),
            couples: false,
            placed: Vec::new(),
            dt: 0.0,
            kicks_for: f32::NAN,
            rows: None,
            moves: Vec::new(),
            met_rows: 0,
            met: Vec::new(),
            hangs: Vec::new(),
            masses: Vec::new(),
            before: Vec::new(),
            is_strained: false,
            felt: Vec::new(),
            pulled: Vec::new(),
            stiff: Vec::new(),
            start: Vec::new(),
            loops: WatchedLoops::default(),
            laid: Vec::new(),
            seated: Vec::new(),
            layout: None,
            filled: Seal::default(),
        }
    }
}

impl Joints {
    /// Sets the SIMD level; results do not depend on it.
    pub(crate) fn set_lanes(&mut self, lanes: Lanes) {
        self.level = lanes.level;
    }

    /// Has the SIMD level of another one.
    pub(crate) fn take_lanes(&mut self, other: &Joints) {
        self.level = other.level;
    }

    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.coupled.is_empty()
    }

    /// Whether there are enough joints for threads to share the rows of bodies.
    pub(super) fn is_large(&self) -> bool {
        self.blocks.len() >= loops::LEAST_SHARED_BLOCKS
    }

    /// Removes all blocks.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.drives.clear();
        self.of_blocks.clear();
        self.phases.clear();
        self.webs.clear();
        self.pins.clear();
        self.trees.clear();
        self.homes.clear();
        self.coupled.clear();
        self.of_coupled.clear();
        self.rows = None;
        self.layout = None;
    }

    /// Makes the blocks of a new layout; the caller fills them.
    pub(crate) fn lay_out(&mut self, layout: Layout) {
        self.blocks.clear();
        self.drives.clear();
        self.of_blocks.clear();
        for &Group { form, joints, row_a, row_b } in &layout.groups {
            let block = self.add_block(form);
            (block.row_a, block.row_b) = (row_a, row_b);
            self.of_blocks[self.blocks.len() - 1] = joints;
        }
        let pinned = layout.phases.iter().filter(|phase| !phase.pins.is_empty());
        self.pins.clear();
        self.pins.extend(pinned.flat_map(|phase| &self.blocks[phase.blocks.clone()]).map(Pin::new));
        self.phases = layout.phases;
        self.webs = layout.webs;
        self.trees = layout.trees;
    }

    /// A layout of trees alone is taken over by a world that would have the same one: its lanes are
    /// about to be filled, or at least the impulses. Joints of one form fill the same numbers, so
    /// there is nothing to empty.
    pub(crate) fn renew(&mut self) {
        self.trees.iter_mut().for_each(Tree::renew);
        if self.rows.as_ref().is_some_and(|rows| !rows.is_empty()) {
            self.rows = None;
        }
    }

    /// An empty block, with drives if its form has any.
    fn add_block(&mut self, form: RowMask) -> &mut JointBlock {
        let mut block = JointBlock { form, ..JointBlock::EMPTY };
        if form.is_driven() {
            block.drives = self.drives.len() as u32;
            self.drives.push([block::Driven::NOTHING; 3]);
        }
        self.of_blocks.push([NO_JOINT; LANES]);
        self.blocks.push(block);
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }

    /// Index of the first block of webs and trees: blocks before it are iterated.
    fn iterated(&self) -> usize {
        self.phases.last().map_or(0, |phase| phase.blocks.end)
    }

    /// Lists the bodies of a new layout.
    fn note_rows(&mut self) {
        let ends = self.coupled.iter().flat_map(|coupled| &coupled.ends);
        let mut is_pushed = vec![false; self.moves.len()];
        let iterated = &self.blocks[..self.iterated()];
        let shared = self.trees.iter().filter(|tree| !tree.own).flat_map(|tree| &tree.edges);
        let of_webs = self.webs.iter().flat_map(|web| &self.blocks[web.blocks.clone()]);
        let shared: Vec<&JointBlock> =
            shared.map(|edge| &self.blocks[edge.block as usize]).chain(of_webs).collect();
        for block in iterated.iter().chain(shared.iter().copied()).chain(ends) {
            block.row_a.into_iter().chain(block.row_b).for_each(|row| is_pushed[row as usize] = true);
        }
        let rows: Vec<u32> = (1..is_pushed.len() as u32).filter(|&row| is_pushed[row as usize]).collect();
        self.loops = WatchedLoops::new((&rows, &self.moves), (iterated, &shared), &self.coupled);
        self.note_homes();
        self.met_rows = rows.len();
        self.met.clear();
        self.met.resize(self.iterated(), u8::MAX);
        self.hangs.clear();
        self.hangs.resize(self.iterated(), 0);
        self.felt.resize_with(loops::places(&self.phases), TensionOutput::default);
        self.loops.list(&rows, rows.len());
        self.before.clear();
        self.before.resize(rows.len(), [0.0; 4]);
        self.rows = Some(rows);
    }

    /// Begins a step: anchors, axes and masses of joints.
    pub(crate) fn seat(&mut self, team: &Team, columns: &Columns, webs: &WebTuning) {
        // Rows without joints are not read: a world of thousands of bodies may have one joint.
        self.masses.resize(columns.mass.len(), [0.0; 4]);
        self.start.resize(columns.mass.len(), [0.0; 4]);
        self.stiff.resize(columns.mass.len(), false);
        for row in core::iter::once(0).chain(self.seated.iter().map(|&row| row as usize)) {
            (self.masses[row], self.start[row], self.stiff[row]) = ([0.0; 4], [0.0; 4], false);
        }
        self.pulled.clear();
        self.loops.begin(self.rows.as_deref().unwrap_or_default(), &columns.mass);
        let (pose, mass) = (&columns.pose, &columns.mass);
        self.seat_blocks(team, (pose, mass));
        dispatch!(self.level, lanes => {
            self.coupled.iter_mut().for_each(|coupled| coupled.total = [0.0; LANES]);
            for end in self.coupled.iter_mut().flat_map(|coupled| &mut coupled.ends) {
                for w in lanes.each() {
                    jacobian::seat(w, end, pose, mass);
                }
            }
        });
        self.webs.iter_mut().for_each(|web| web.begin(&self.blocks, columns, webs));
        self.begin_trees(team, &columns.mass);
    }

    /// Updates Jacobians as a step begins, and warm starts from the last impulses of the half
    /// before bodies move.
    pub(crate) fn aim(&mut self, team: &Team, columns: &mut Columns, params: &JointParams) {
        self.fill_masses(columns);
        self.begin_aim(columns);
        self.aim_iterated(team, columns, params);
        self.stiffen();
        self.clear_start(team);
        let mut start = core::mem::take(&mut self.start);
        self.start_iterated(team, Shared::new(&mut start), Half::Before);
        self.start = start;
        self.aim_others(team, columns, (false, params));
    }

    fn begin_aim(&mut self, columns: &Columns) {
        for row in self.pulled.drain(..) {
            let [x, y, spin, _] = columns.mass[row as usize];
            self.masses[row as usize] = [x, y, spin, 0.0];
            self.stiff[row as usize] = false;
        }
        self.is_strained = false;
        self.loops.close();
    }

    fn fill_masses(&mut self, columns: &Columns) {
        let of_trees = self.trees.iter().filter(|tree| tree.own).flat_map(|tree| &tree.nodes);
        for &row in self.rows.iter().flatten().chain(of_trees.flat_map(|node| &node.rows)) {
            let [x, y, spin, _] = columns.mass[row as usize];
            self.masses[row as usize] = [x, y, spin, 0.0];
        }
        self.pulled.drain(..).for_each(|row| self.stiff[row as usize] = false);
    }

    /// Updates Jacobians of webs, trees and couplings.
    fn aim_others(&mut self, team: &Team, columns: &mut Columns, (have_moved, params): (bool, &JointParams)) {
        self.aim_webs(columns, have_moved, params);
        self.go_through_trees(team, columns, (true, None), params);
        let moved = &columns.moved;
        dispatch!(self.level, lanes => {
            for coupled in &mut self.coupled {
                for w in lanes.each() {
                    couplings::aim_both(w, coupled, (moved, &self.masses), params.tuning.no_line);
                }
            }
        });
    }

    /// One joint pass of a sub-step: first before contacts, which then see its result; and once
    /// more after them, so that joints come last. Updates Jacobians first if the bodies have moved.
    pub(crate) fn push(&mut self, team: &Team, columns: &mut Columns, pass: JointPass, params: &JointParams) {
        if pass == JointPass::BeforeLast && !Rule::SecondPass.acts(true) {
            return;
        }
        let half = pass.half();
        let is_kicked = half == Half::Before;
        if pass == JointPass::BeforeFirst {
            self.level_kicks(columns, params.h);
        }
        let start = (pass.is_first() && !self.is_apart()).then_some(&self.start[..]);
        let rows = self.rows.as_deref().unwrap_or_default();
        let taken = if pass.is_first() { rows } else { &rows[..self.met_rows] };
        loops::gather::remove_lag(team, taken, columns, (is_kicked, start), &mut self.before);
        match pass {
            JointPass::BeforeFirst => {
                self.warm_start(team, columns, half);
                self.iterate(team, columns, half, params);
            }
            JointPass::BeforeLast => self.iterate_met(team, columns, params),
            JointPass::AfterFirst => self.aim_and_iterate(team, columns, params),
            JointPass::AfterLast => self.iterate_and_count(team, columns, params),
        }
        self.push_webs(columns, pass, params);
        let aims = self.is_apart() && pass == JointPass::AfterFirst;
        self.go_through_trees(team, columns, (aims, Some(pass)), params);
        // Keeps the immovable row at rest.
        columns.velocity[0] = [0.0; 4];
        let rows = self.rows.as_deref().unwrap_or_default();
        let stay = pass == JointPass::AfterFirst || pass == JointPass::BeforeLast;
        let given_back = if stay { &rows[..self.met_rows] } else { rows };
        if self.loops.any_watched() {
            self.loops.note_work((rows, !stay, half), columns, &self.before);
            if pass == JointPass::AfterLast {
                self.loops.keep_energy(rows, columns);
            }
        }
        // A slack chain that snaps taut would turn its links faster than the bend term is valid
        // for.
        let (fastest, most_spin) = (params.max_speed, crate::tuning::MAX_TURN * params.inv_h);
        let limits = [fastest, fastest, most_spin, fastest];
        loops::gather::put_back(team, given_back, columns, (is_kicked, limits), &self.before);
    }

    /// Clears `lag` in connected parts with contacts: all their bodies move with the velocity at
    /// the end of a sub-step. (With the half kick for some bodies and not for the bodies that carry
    /// them, joints evened out the difference, and a tower crept over the ground.)
    fn level_kicks(&self, columns: &mut Columns, h: f32) {
        let of_trees = self.trees.iter().flat_map(Tree::touched_rows);
        let of_webs = self.webs.iter().flat_map(Web::touched_rows);
        let of_loops = self.loops.touched(self.rows.as_deref().unwrap_or_default());
        let of_all = of_trees.chain(of_webs).chain(of_loops).map(|row| row as usize);
        for row in of_all.filter(|_| Rule::LevelKicks.acts(true)) {
            let kick = core::mem::replace(&mut columns.lag[row], [0.0; 4]);
            let moved = &mut columns.moved[row];
            (0..4).for_each(|k| moved[k] += h * kick[k]);
        }
    }

    /// Warm starts couplings and the drives of trees; loops are warm started where their blocks are
    /// in the cache.
    fn warm_start(&mut self, team: &Team, columns: &mut Columns, half: Half) {
        if self.is_apart() {
            return;
        }
        self.start_trees(team, columns, half);
        self.start_webs(columns, half);
        dispatch!(self.level, lanes => {
            let velocity = Shared::new(&mut columns.velocity);
            for coupled in &self.coupled {
                for w in lanes.each() {
                    couplings::warm_start(w, coupled, velocity, half);
                }
            }
        });
    }

    fn push_coupled(&mut self, columns: &mut Columns, half: Half, params: &JointParams) {
        let velocity = Shared::new(&mut columns.velocity);
        dispatch!(self.level, lanes => {
            for coupled in &mut self.coupled {
                for w in lanes.each() {
                    couplings::push(w, coupled, velocity, half, params);
                }
            }
        });
    }

    /// Whether there are only trees: then nothing comes between their warm start and their solve,
    /// and `start` stays empty.
    fn is_apart(&self) -> bool {
        self.phases.is_empty() && self.webs.is_empty() && self.coupled.is_empty()
    }
}
