//! The solver: impulses of contacts, friction, restitution and joints (velocity constraints).
//!
//! In: touching contacts, sorted into colours of the constraint graph, and a row of numbers per
//! body. Out: velocities and displacements in the columns, impulses in the contacts. The solver
//! knows arrays, and no world. Its stages, in the order of a step:
//!
//! ```text
//!   columns.rs            a row per body, shared by all stages
//!   params.rs             stiffness, limits, length of a sub-step
//!   contacts/prepare.rs   contacts -> blocks of eight           once a step
//!   integrate.rs          velocities, positions                 every sub-step
//!   contacts/impacts.rs   impacts that bounce (restitution)     every sub-step, if there are any
//!   contacts/solve.rs     warm_start, solve, relax              warm_start once, the rest always
//!   contacts/lone.rs      bodies touching only immovable ones   every sub-step, if there are any
//!   joints/               joints, before and after bodies move  every sub-step, if there are any
//!   contacts/store.rs     blocks -> impulses of contacts        once a step
//! ```
//!
//! A pass goes over the phases: colour by colour, pairs of dynamic bodies first. Within a colour no
//! body comes twice, so eight contacts are solved at once; contacts without a colour are solved one
//! by one at the end. Where contacts are many, rows are cut into zones (`contact/colour.rs`), and a
//! thread goes over all phases of a zone. Sharing the blocks of each phase instead was faster only
//! where rows come in the order of the blocks, as in a pyramid. In a stirred heap each row went
//! back and forth between caches, and two threads took 1.25 times as long as one.

pub(crate) mod columns;
pub(crate) mod contacts;
mod integrate;
pub(crate) mod joints;
pub(crate) mod params;

pub(crate) use columns::Columns;
use contacts::block::ColdBlock;
pub(crate) use contacts::block::ContactBlock;
use contacts::impacts::{Look, StrikableRows};
use contacts::lone::{Filled, LoneBodies};
pub(crate) use contacts::prepare::ContactColumns;
use contacts::schedule::{OUTER, Part, Phase, REST, Schedule};
pub(crate) use contacts::store::StoreParams;
use contacts::{impacts, prepare, solve, store};
pub(crate) use integrate::{
    RowPass, SubStep, integrate_alone, integrate_positions, integrate_velocities, lag_warm_start,
};
pub(crate) use joints::JointPass;
pub(crate) use params::{ContactParams, ImpactParams, JointParams, StepParams};

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::contact::Row;
use crate::contact::colour::{Colour, Coloured, Colouring, Zone};
use crate::math::max;
use crate::simd::{AllLanes, LANES, Lanes, Level, OneLane, dispatch};
use crate::threads::{Shared, Team};
use crate::tuning::MOST_JOINTS;
use crate::util::trim::trim;

/// Most rounds in which one bounce may cause others within a sub-step: a row of balls passes an
/// impact on.
pub(crate) const BOUNCE_ROUNDS: u32 = 8;

/// Rounds that treat landings without restitution: two, so that both feet of a body take their
/// share. The contact solver does the rest. (With all rounds, a collapsing heap took twice the time
/// to solve.) The number of further rounds grows with restitution: with less of it, a row of
/// impacts dies away sooner.
pub(crate) const LANDING_ROUNDS: u32 = 2;

/// Contact slot that means "no contact".
const NO_CONTACT: u32 = 0;

/// All blocks of a step.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    level: Level,
    schedule: Schedule,
    /// Whether the blocks are those of the present colouring.
    is_laid_out: bool,
    /// Whether several worlds work here, one after the other.
    pub(crate) is_shared: bool,
    /// More than the turn of any phase.
    turns: usize,
    single: Blocks<1>,
    double: Blocks<2>,
    /// Most rounds of impacts of any block; 0 without impacts.
    rounds: u32,
    strikable: StrikableRows,
    /// How many iterations a sub-step makes over the contacts that blocks mark as repeated: see
    /// `step/prepare/blows.rs`.
    iterations: u32,
    /// Upper bound of the change by gravity and forces in a sub-step, of a relative speed and of a
    /// spin: for both bodies of a pair, with a margin.
    most_push: [f32; 2],
    /// The velocity change by gravity, if it is the same for all dynamic bodies and there are no
    /// torques.
    even_push: Option<[f32; 2]>,
    lone: LoneBodies,
    pub(crate) joints: joints::Joints,
    /// Joints as they were laid out for the last world that worked here: see
    /// `world/store/workspace.rs`.
    pub(crate) parked: joints::Joints,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver {
            level: Level::widest(),
            schedule: Schedule::default(),
            is_laid_out: false,
            is_shared: false,
            turns: 0,
            single: Blocks::default(),
            double: Blocks::default(),
            rounds: 0,
            strikable: StrikableRows::default(),
            iterations: 1,
            most_push: [0.0; 2],
            even_push: None,
            lone: LoneBodies::default(),
            joints: joints::Joints::default(),
            parked: joints::Joints::default(),
        }
    }
}

/// Blocks per chunk in passes of any order: a microsecond of work, or a little more.
const BLOCK_GRAIN: usize = 16;

/// Runs `$body` for every block of some jobs, phase by phase, with `$w` the lanes and `$block`,
/// `$rare`, `$at`, and the turn of the phase at hand; `hot` or `in_phases`, see `dispatch!`.
macro_rules! pass {
    ($heat:ident $self:ident, $jobs:expr, $team:expr, $w:ident, $block:ident, $rare:ident, $at:ident, $turn:pat => $body:expr) => {
        for parts in $jobs {
            let (phases, of) = (&$self.schedule.phases, [&$self.single.contacts, &$self.double.contacts]);
            let level = $self.level;
            let single = (&mut $self.single.blocks[..], &mut $self.single.rares[..]);
            let double = (&mut $self.double.blocks[..], &mut $self.double.rares[..]);
            $team.for_parts(parts, |part| part.blocks.clone(), (single, double), |part, mut single, mut double| {
                for phase in &phases[part.phases.clone()] {
                    let $turn = phase.turn;
                    let doubles = cut_off(&mut double, phase.double.len());
                    let singles = cut_off(&mut single, phase.single.len());
                    let (of_doubles, of_singles) =
                        (&of[1][phase.double.clone()], &of[0][phase.single.clone()]);
                    let level = if phase.one_by_one { Level::Scalar } else { level };
                    dispatch!(@$heat, level, serial => {
                        blocks!(one by one, doubles, of_doubles, $w, $block, $rare, $at => $body);
                        blocks!(one by one, singles, of_singles, $w, $block, $rare, $at => $body);
                    }, simd => {
                        blocks!(all of simd, doubles, of_doubles, $w, $block, $rare, $at => $body);
                        blocks!(all of simd, singles, of_singles, $w, $block, $rare, $at => $body);
                    });
                }
            });
        }
    };
}

/// Runs `$body` for every block in any order, on several threads.
macro_rules! every {
    ($self:ident, $team:expr, $w:ident, $block:ident, $rare:ident, $at:ident => $body:expr) => {
        every!($self, $self.double, $team, $w, $block, $rare, $at => $body);
        every!($self, $self.single, $team, $w, $block, $rare, $at => $body);
    };
    ($self:ident, $blocks:expr, $team:expr, $w:ident, $block:ident, $rare:ident, $at:ident => $body:expr) => {
        let (level, of, count) = ($self.level, &$blocks.contacts, $blocks.count());
        let both = (&mut $blocks.blocks[..count], &mut $blocks.rares[..count]);
        $team.for_pairs(both, $team.part(count, BLOCK_GRAIN), |start, some| {
            let of = &of[start..];
            dispatch!(level, serial => {
                blocks!(one by one, some, of, $w, $block, $rare, $at => $body);
            }, simd => {
                blocks!(all of simd, some, of, $w, $block, $rare, $at => $body);
            })
        });
    };
}

/// Runs `$body` for a range of blocks with one number of points.
macro_rules! blocks {
    (one by one, $both:expr, $of:expr, $w:ident, $block:ident, $rare:ident, $at:ident => $body:expr) => {
        let (blocks, rares) = $both;
        for (($block, $rare), $at) in blocks.iter_mut().zip(rares).zip($of) {
            for lane in 0..LANES {
                let $w = OneLane(lane);
                $body;
            }
        }
    };
    (all of $simd:ident, $both:expr, $of:expr, $w:ident, $block:ident, $rare:ident, $at:ident => $body:expr) => {
        let $w = AllLanes($simd);
        let (blocks, rares) = $both;
        for (($block, $rare), $at) in blocks.iter_mut().zip(rares).zip($of) {
            $body;
        }
    };
}

/// Splits off the first elements of two lists.
#[inline(always)]
fn cut_off<'l, A, B>(
    (items, others): &mut (&'l mut [A], &'l mut [B]),
    count: usize,
) -> (&'l mut [A], &'l mut [B]) {
    let ((first, rest), (other, others_left)) =
        (core::mem::take(items).split_at_mut(count), core::mem::take(others).split_at_mut(count));
    (*items, *others) = (rest, others_left);
    (first, other)
}

/// All blocks that have one number of points. The lists may be longer than that: a step leaves them
/// as room for the next one.
#[derive(Clone, Debug, Default)]
struct Blocks<const P: usize> {
    blocks: Vec<ContactBlock<P>>,
    /// Cold data of each block.
    rares: Vec<ColdBlock>,
    /// The contacts of each block: as many as there are blocks.
    contacts: Vec<[u32; LANES]>,
    /// The blocks in which one body of a contact may be immovable.
    one_sided: Vec<Range<usize>>,
}

impl<const P: usize> Blocks<P> {
    fn count(&self) -> usize {
        self.contacts.len()
    }

    fn filled(&mut self) -> Filled<'_, P> {
        let Blocks { blocks, rares, contacts, one_sided } = self;
        Filled { blocks, colds: rares, contacts, one_sided }
    }

    fn drop_spare(&mut self) {
        self.blocks.truncate(self.contacts.len());
        self.rares.truncate(self.contacts.len());
    }

    fn trim(&mut self) {
        trim(&mut self.blocks);
        trim(&mut self.rares);
        trim(&mut self.contacts);
        trim(&mut self.one_sided);
    }

    /// Old blocks are reused: `prepare` fills all but the rows. (A new block each would write 1.3
    /// kB for nothing.)
    fn add(&mut self, contacts: &[Coloured]) {
        for eight in contacts.chunks(LANES) {
            if self.blocks.len() == self.count() {
                self.blocks.push(ContactBlock::EMPTY);
                self.rares.push(ColdBlock::EMPTY);
            }
            let block = &mut self.blocks[self.contacts.len()];
            let (mut at, mut rows, mut gives) = ([NO_CONTACT; LANES], [[0; LANES]; 2], [0; 2]);
            for (lane, coloured) in eight.iter().enumerate() {
                at[lane] = coloured.contact;
                for side in 0..2 {
                    rows[side][lane] = coloured.rows[side];
                    gives[side] |= u8::from(coloured.gives[side]) << lane;
                }
            }
            [block.row_a, block.row_b] = rows;
            block.dynamic = gives;
            self.contacts.push(at);
        }
    }

    /// Looks at every fourth block of a range. Returns how many it looked at, and how many of them
    /// have a lower row than the block before.
    fn descents(&self, blocks: Range<usize>) -> (usize, usize) {
        let row = |block: &ContactBlock<P>| block.row_a[0].max(block.row_b[0]);
        let rows = self.blocks[blocks].iter().step_by(4).map(row);
        let pairs = rows.clone().zip(rows.skip(1));
        pairs.fold((0, 0), |(all, down), (row, next)| (all + 1, down + usize::from(next < row)))
    }

    /// Calls `visit` for the hits of all blocks: for most, only one flag is read.
    fn for_hits(&self, hit_speed: f32, visit: &mut impl FnMut(u32, f32, f32)) {
        for ((block, rare), at) in self.blocks.iter().zip(&self.rares).zip(&self.contacts) {
            if block.flags.strikes {
                hits_of((block, rare), (at, hit_speed), visit);
            }
        }
    }
}

impl Solver {
    /// Sets the SIMD level; results do not depend on it.
    pub(crate) fn set_lanes(&mut self, lanes: Lanes) {
        self.level = lanes.level;
        self.joints.set_lanes(lanes);
    }

    /// Frees the memory of blocks that are no longer used.
    pub(crate) fn trim(&mut self) {
        self.single.trim();
        self.double.trim();
        self.lone.trim();
        self.strikable.trim();
    }

    /// The SIMD level of kernels.
    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// Whether the blocks are those of the present colouring.
    pub(crate) fn is_laid_out(&self) -> bool {
        self.is_laid_out
    }

    /// Marks the blocks as out of date, because contacts were coloured anew or belong to another
    /// world.
    pub(crate) fn forget_blocks(&mut self) {
        self.is_laid_out = false;
    }

    /// Lays out the blocks for a new colouring: all of a zone side by side, so that a thread which
    /// fills them finds them in its cache when it solves them.
    pub(crate) fn lay_out(&mut self, colouring: &Colouring) {
        self.is_laid_out = true;
        self.schedule.clear();
        self.single.contacts.clear();
        self.double.contacts.clear();
        self.single.one_sided.clear();
        self.double.one_sided.clear();
        let zones = colouring.zones();
        let most =
            |colours: fn(&Zone) -> &[Colour]| zones.iter().map(|zone| colours(zone).len()).max().unwrap_or(0);
        let across = most(|zone| &zone.inner);
        let outer = across + colouring.across.len();
        let rest = outer + most(|zone| &zone.outer);
        self.turns = rest + 1;
        for zone in zones {
            self.add_part(0, &zone.inner, 0);
            self.add_part(OUTER, &zone.outer, outer);
        }
        self.add_part(1, &colouring.across, across);
        self.add_part(REST, core::slice::from_ref(&colouring.rest), rest);
        self.single.drop_spare();
        self.double.drop_spare();
        if zones.len() == 1 {
            self.schedule.join([0..self.single.count(), 0..self.double.count()]);
        }
    }

    /// Adds phases to a stage, as one part of it.
    fn add_part(&mut self, stage: usize, colours: &[Colour], first_turn: usize) {
        let (phases, single, double) = (self.schedule.phases.len(), self.single.count(), self.double.count());
        for (turn, colour) in (first_turn..).zip(colours) {
            let [singles, doubles] = &colour.with_points;
            let (single, double) = (self.single.count(), self.double.count());
            self.single.add(singles);
            self.double.add(doubles);
            let (single, double) = (single..self.single.count(), double..self.double.count());
            if !single.is_empty() || !double.is_empty() {
                self.schedule.phases.push(Phase { single, double, one_by_one: stage == REST, turn });
            }
        }
        if phases < self.schedule.phases.len() {
            let blocks = [single..self.single.count(), double..self.double.count()];
            if stage == OUTER || stage == REST {
                self.single.one_sided.push(blocks[0].clone());
                self.double.one_sided.push(blocks[1].clone());
            }
            self.schedule.stages[stage].push(Part { phases: phases..self.schedule.phases.len(), blocks });
        }
    }

    /// Rows of bodies per chunk in sub-steps. Threads share rows only where they share the contacts
    /// that push them. (Otherwise a drum of 2,000 boxes took 1.3 times as long to solve on two
    /// threads.)
    pub(crate) fn grain(&self, team: &Team, columns: &Columns) -> usize {
        if self.joints.is_large() || self.schedule.stages.iter().any(|parts| parts.len() > 1) {
            team.part(columns.velocity.len(), integrate::INTEGRATE_GRAIN)
        } else {
            usize::MAX
        }
    }

    /// Fills all blocks for this step.
    pub(crate) fn prepare(&mut self, team: &Team, rows: ContactColumns, columns: &Columns, blow: f32) {
        let rounds = AtomicU32::new(0);
        every!(self, team, w, block, rare, at => {
            prepare::prepare(w, (block, rare), at, rows, columns, blow);
            if block.flags.bounces && block.flags.rounds > rounds.load(Ordering::Relaxed) {
                rounds.fetch_max(block.flags.rounds, Ordering::Relaxed);
            }
        });
        self.rounds = rounds.into_inner();
        if self.rounds > 0 {
            let (single, double) = (&self.single, &self.double);
            let blocks = (&single.blocks[..single.count()], &double.blocks[..double.count()]);
            self.strikable.list(blocks.0, blocks.1, columns.velocity.len());
        }
        let (single, double) = (&self.single, &self.double);
        self.schedule.deal(team.threads(), |phases| is_in_order(phases, single, double));
        let most = |of: fn(&[f32; 4]) -> f32| columns.force_delta.iter().map(of).fold(0.0, max);
        self.most_push =
            [2.01 * most(|push| push[0].abs() + push[1].abs()), 1.01 * most(|push| push[2].abs())];
        self.even_push = impacts::even_push(columns);
    }

    /// Whether sub-steps of this step read [`Columns::lag`].
    pub(crate) fn needs_lag(&self) -> bool {
        self.rounds > 0 || !self.joints.is_empty()
    }

    /// Lists the lone bodies that need extra passes; `is_lone` tells by a row whether a body
    /// touches immovable bodies only.
    pub(crate) fn list_lone(&mut self, is_lone: impl Fn(u32) -> bool) {
        self.lone.list(&self.single.filled(), &self.double.filled(), is_lone);
    }

    /// Drops the warm starts of lone bodies that add energy.
    pub(crate) fn drop_blows(&mut self, columns: &mut Columns) {
        self.lone.drop_blows(&mut self.single.filled(), &mut self.double.filled(), columns);
    }

    /// Adds the impulses of the step before.
    pub(crate) fn warm_start(&mut self, team: &Team, columns: &mut Columns) {
        let columns = columns.share();
        pass!(hot self, self.schedule.jobs(), team, w, block, rare, _at, _ => solve::warm_start(w, (block, rare), columns));
    }

    /// The biased pass: prevents penetration, and pushes overlapping bodies apart.
    pub(crate) fn solve(&mut self, team: &Team, columns: &mut Columns, params: &StepParams) {
        let shares = columns.share();
        pass!(hot self, self.schedule.jobs(), team, w, block, rare, _at, _ => solve::solve(w, (block, rare), shares, &params.contact));
        for _ in 1..self.iterations {
            pass!(hot self, self.schedule.jobs(), team, w, block, rare, _at, _ => {
                if block.flags.repeated != 0 {
                    solve::solve_some(w, (block, rare), shares, &params.contact);
                }
            });
        }
    }

    /// No contact is solved more often than others.
    pub(crate) fn iterate_once(&mut self) {
        self.iterations = 1;
    }

    /// Contacts with a body for whose row `is_near` holds are solved so often in this step. Call it
    /// after [`Solver::prepare`].
    pub(crate) fn iterate_some(&mut self, iterations: u32, is_near: impl Fn(u32) -> bool) {
        self.iterations = iterations;
        let [single, double] = [self.single.count(), self.double.count()];
        for block in &mut self.single.blocks[..single] {
            block.flags.repeated = block.lanes_with(&is_near);
        }
        for block in &mut self.double.blocks[..double] {
            block.flags.repeated = block.lanes_with(&is_near);
        }
    }

    /// Solves joints, before the bodies move or after.
    pub(crate) fn push_joints(
        &mut self,
        team: &Team,
        columns: &mut Columns,
        params: &JointParams,
        pass: JointPass,
    ) {
        if MOST_JOINTS == 0 || self.joints.is_empty() {
            return;
        }
        self.joints.push(team, columns, pass, params);
    }

    /// Takes the push out of the velocities, and adds friction.
    pub(crate) fn relax(&mut self, team: &Team, columns: &mut Columns, params: &StepParams) {
        let shares = columns.share();
        pass!(hot self, self.schedule.jobs(), team, w, block, rare, _at, _ => solve::relax(w, (block, rare), shares, &params.contact));
        self.lone.relax(&mut self.single.filled(), &mut self.double.filled(), columns, &params.contact);
    }

    /// Solves impacts within this sub-step, until there are no more or all rounds are used.
    pub(crate) fn bounce(&mut self, rows: RowPass, columns: &mut Columns, params: &ImpactParams) {
        if self.rounds == 0 {
            return;
        }
        let team = rows.team;
        let strikable = core::mem::take(&mut self.strikable);
        let bodies = strikable.of(rows);
        impacts::reach_out(bodies, columns, params);
        let (shares, turns, mut struck) = (columns.share(), self.turns, false);
        for round in 0..self.rounds {
            let any = AtomicBool::new(false);
            let blow = if round < LANDING_ROUNDS { params.blow } else { f32::INFINITY };
            let params =
                &ImpactParams { blow, most_push: self.most_push, even_push: self.even_push, ..*params };
            pass!(in_phases self, &self.schedule.stages, team, w, block, rare, _at, turn => {
                let look = Look { now: (1 + 2 * (round as usize * turns + turn)) as f32, is_first: round == 0 };
                if block.flags.bounces
                    && round < block.flags.rounds
                    && impacts::bounce(w, (block, rare), shares, params, look)
                {
                    any.store(true, Ordering::Relaxed);
                }
            });
            if !any.into_inner() {
                break;
            }
            struck = true;
        }
        if struck {
            impacts::free_struck(bodies, columns, params);
        } else {
            impacts::take_back(bodies, columns);
        }
        self.strikable = strikable;
    }

    /// Brings the impulses back to the contacts.
    pub(crate) fn store(
        &mut self,
        team: &Team,
        impulses: &mut [Row],
        surfaces: &mut [Row],
        params: StoreParams,
    ) {
        let rows = (Shared::new(impulses), Shared::new(surfaces));
        every!(self, team, w, block, rare, at => store::store(w, (block, rare), at, rows, params));
    }

    /// Calls `visit` with contact, approach speed, and impulse of the step, for each contact whose
    /// surfaces came together faster than `hit_speed` and touched.
    pub(crate) fn for_hits(&self, hit_speed: f32, mut visit: impl FnMut(u32, f32, f32)) {
        self.double.for_hits(hit_speed, &mut visit);
        self.single.for_hits(hit_speed, &mut visit);
    }
}

/// Whether contacts come in the order of their rows, but for one in four that are looked at.
fn is_in_order(phases: &[Phase], single: &Blocks<1>, double: &Blocks<2>) -> bool {
    let (mut looks, mut descents) = (0, 0);
    for phase in phases {
        let sides = [single.descents(phase.single.clone()), double.descents(phase.double.clone())];
        for (all, down) in sides {
            (looks, descents) = (looks + all, descents + down);
        }
    }
    4 * descents <= looks
}

fn hits_of<const P: usize>(
    (block, rare): (&ContactBlock<P>, &ColdBlock),
    (at, hit_speed): (&[u32; LANES], f32),
    visit: &mut impl FnMut(u32, f32, f32),
) {
    for (lane, &contact) in at.iter().enumerate() {
        if rare.approach[lane] < -hit_speed {
            let impulse = block.points.iter().fold(0.0, |sum, point| sum + point.total[lane]);
            if impulse > 0.0 {
                visit(contact, -rare.approach[lane], impulse);
            }
        }
    }
}

#[cfg(test)]
impl Solver {
    /// Blocks for which there is memory.
    pub(crate) fn room(&self) -> usize {
        self.single.blocks.capacity() + self.double.blocks.capacity()
    }
}
