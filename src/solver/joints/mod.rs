//! Joints in the solver: what holds bodies together, before they move and after.
//!
//! In: joints with the rows of their bodies, filled in once a step. Out: velocities in the columns,
//! impulses in the blocks.
//!
//! ```text
//!   layout.rs         joints -> trees and colours, in blocks of eight         when joints or awake bodies change
//!   relayout.rs       trees that nothing happened to                          the same
//!   block.rs          what a block is
//!   pass.rs           the four passes of a sub-step
//!   jacobian.rs       where the joints stand now: axes, effective masses      every time the bodies have moved
//!   trees/            what holds in trees, directly: L D Lᵀ of a tree         before the bodies move, and after
//!   webs/             loops and ropes, directly: sparse L D Lᵀ                the same
//!   loops/            what holds in large nets, by iteration                  the same
//!   couplings.rs      gears and pulleys                                       the same
//!   drives.rs         what drives: servos, motors, limits                     the same
//!   two_bodies.rs, small_matrix.rs    what all of these are written in
//! ```
//!
//! Joints see the velocities of the middle of a sub-step: without the half of the kick of gravity
//! that is still to come when the bodies move. What they do is left out of what the contacts carry
//! on from one sub-step to the next: they push along other axes by then.

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
use crate::joint::Anchor;
use crate::simd::{LANES, Lanes, Level, dispatch};
use crate::solver::params::JointParams;
use crate::threads::{Shared, Team};
use block::{Drives, JointBlock, RowMask};
use layout::{Group, Layout, LayoutPhase};
use loops::energy::WatchedLoops;
use loops::point::Pin;
use loops::tension::TensionOutput;
use pass::Half;
pub(crate) use pass::JointPass;
use trees::TreeOutput;
use trees::tree::Tree;
use webs::web::Web;

/// The joint that stands in for none.
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
    /// Of the phases that have some: what a push reads of their blocks.
    pins: Vec<Pin>,
    trees: Vec<Tree>,
    /// Where the blocks of each tree begin, and its drives; and where those of the last one end.
    homes: Vec<[u32; 2]>,
    /// What chunks of trees found.
    finds: Vec<TreeOutput>,
    pub(crate) coupled: Vec<Coupled>,
    pub(crate) of_coupled: Vec<[u32; LANES]>,
    /// There are couplings, also where none is in a block because one of its bodies is disabled.
    pub(crate) couples: bool,
    /// Bodies and points that joints hold and steps do not move: their places come before those of
    /// the others.
    pub(crate) placed: Vec<(u32, Anchor)>,
    /// Length of the last step, and of the sub-steps that the springs are made for.
    pub(crate) dt: f32,
    pub(crate) kicks_for: f32,
    /// The solver rows of the bodies that joints push, in order, but for those of trees that have
    /// them to themselves; `None` until they are asked for.
    rows: Option<Vec<u32>>,
    /// Whether impulses move a row: by its body, for one that is about to sleep has no mass in its
    /// last step.
    moves: Vec<bool>,
    /// So many of the first `rows` may be pushed by contacts between two pushes; the rest are loops
    /// that no contact pushes.
    met_rows: usize,
    /// The lanes that hold such as may, of each block that is iterated; and those of parts that
    /// hang by themselves.
    met: Vec<u8>,
    hangs: Vec<u8>,
    /// What joints meet, by solver row: one over the masses and the inertia, and what pulls at it
    /// ([`jacobian::pull`]).
    masses: Vec<[f32; 4]>,
    /// Velocities before joints pushed, of `rows`.
    before: Vec<[f32; 4]>,
    /// Some joint pulls harder than its bodies can follow: see `jacobian.rs`.
    is_strained: bool,
    /// What chunks of blocks that are iterated found as they were aimed: nothing but then.
    felt: Vec<TensionOutput>,
    /// The rows that are pulled at, and of all rows those that weigh more for it.
    pulled: Vec<u32>,
    stiff: Vec<bool>,
    /// By solver row: what the impulses of loops in the half before bodies move did last.
    start: Vec<[f32; 4]>,
    loops: WatchedLoops,
    /// The bodies for which trees were laid out, by solver row but for row 0.
    laid: Vec<u32>,
    /// The rows that joints name, in order.
    seated: Vec<u32>,
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
        }
    }
}

impl Joints {
    /// Goes on with other lanes: the bits stay the same.
    pub(crate) fn set_lanes(&mut self, lanes: Lanes) {
        self.level = lanes.level;
    }

    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.coupled.is_empty()
    }

    /// Whether there are so many that threads may as well share the rows of bodies.
    pub(super) fn is_large(&self) -> bool {
        self.blocks.len() >= loops::LEAST
    }

    /// Forgets all blocks.
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
    }

    /// Makes the blocks of a new layout; what they hold is up to the caller.
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

    /// Where the blocks of webs and trees begin: those before are iterated.
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

    /// Where the joints stand as a step begins.
    pub(crate) fn seat(&mut self, team: &Team, columns: &Columns, unit: f32) {
        // Of rows without joints nothing is read: a world of thousands may have one joint.
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
        self.webs.iter_mut().for_each(|web| web.begin(&self.blocks, columns, unit));
        self.begin_trees(team, &columns.mass);
    }

    /// Where the joints stand as a step begins, and what they did last in the half before bodies
    /// move.
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

    /// Webs, trees and couplings.
    fn aim_others(&mut self, team: &Team, columns: &mut Columns, (have_moved, params): (bool, &JointParams)) {
        self.aim_webs(columns, have_moved, params);
        self.go_through_trees(team, columns, (true, None), params);
        let moved = &columns.moved;
        dispatch!(self.level, lanes => {
            for coupled in &mut self.coupled {
                for w in lanes.each() {
                    couplings::aim_both(w, coupled, (moved, &self.masses), params.unit);
                }
            }
        });
    }

    /// One of the two pushes of a sub-step: first before contacts, which then see what joints do;
    /// and once more after them, for joints have the last word. Aims the joints first if the bodies
    /// have moved.
    pub(crate) fn push(&mut self, team: &Team, columns: &mut Columns, pass: JointPass, params: &JointParams) {
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
        // Whatever happens to a joint, the ground stays where it is.
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
        // A slack chain that snaps tight would have its links turn faster than can be foreseen.
        let (fastest, most_spin) = (params.max_speed, crate::tuning::MAX_TURN * params.inv_h);
        let limits = [fastest, fastest, most_spin, fastest];
        loops::gather::put_back(team, given_back, columns, (is_kicked, limits), &self.before);
    }

    /// What hangs together and is touched moves at one speed, that of the end of a sub-step. (Where
    /// some bodies had half of their weight still to come and others, which bear it, nothing,
    /// joints evened that out, and a tower crept over the ground.)
    fn level_kicks(&self, columns: &mut Columns, h: f32) {
        let of_trees = self.trees.iter().flat_map(Tree::touched_rows);
        let of_webs = self.webs.iter().flat_map(Web::touched_rows);
        let of_loops = self.loops.touched(self.rows.as_deref().unwrap_or_default());
        for row in of_trees.chain(of_webs).chain(of_loops).map(|row| row as usize) {
            let kick = core::mem::replace(&mut columns.lag[row], [0.0; 4]);
            let moved = &mut columns.moved[row];
            (0..4).for_each(|k| moved[k] += h * kick[k]);
        }
    }

    /// Couplings, and what drives trees: what loops start with is added where their blocks are at
    /// hand.
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

    /// Whether there are trees and nothing else: then no push comes between their start and their
    /// solve, and `start` stays nothing.
    fn is_apart(&self) -> bool {
        self.phases.is_empty() && self.webs.is_empty() && self.coupled.is_empty()
    }
}
