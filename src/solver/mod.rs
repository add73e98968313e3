//! The response: impulses that keep bodies apart, rub, bounce, and hold.
//!
//! In: touching contacts, sorted into colours, and a row of numbers a body. Out: velocities and ways in the columns,
//! impulses in the contacts. The solver knows arrays, and no world. Its stages, in the order of a step:
//!
//! ```text
//!   prepare.rs      contacts -> blocks of eight           once a step; `store` brings impulses back
//!   integrate.rs    velocities, positions                 every sub-step
//!   restitution.rs  impacts that bounce                   every sub-step, where there are any
//!   kernel.rs       warm_start, solve, relax              the first once a step, the others every sub-step
//!   joints/         joints, before and after bodies move  every sub-step, where there are any
//! ```
//!
//! A pass goes over the phases: colour by colour, pairs of dynamic bodies first. Within a colour no body comes twice, so
//! eight contacts are solved at once; contacts without a colour are solved one by one at the end.

pub(crate) mod block;
mod integrate;
pub(crate) mod joints;
mod kernel;
mod prepare;
mod restitution;

use block::Rare;
pub(crate) use block::{Block, Columns};
pub(crate) use integrate::{integrate_positions, integrate_velocities, lag_warm_start};
pub(crate) use joints::{Half, Turn};
pub(crate) use kernel::Law;
pub(crate) use prepare::Rows;
pub(crate) use restitution::BounceLaw;
use restitution::Look;

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::contact::Row;
use crate::contact::colour::{Colour, Coloured, Colouring};
use crate::math::max;
use crate::simd::{AllLanes, EIGHT, LANES, Lanes, Level, OneLane, dispatch};
use crate::threads::{Shared, Team};
use crate::tuning::HIT_SPEED;

/// Most rounds in which one bounce may cause others within a sub-step: a row of balls passes the blow on.
pub(crate) const BOUNCE_ROUNDS: u32 = 8;

/// Of these, how many look at landings without restitution: two, so that both feet of a body find their share. What is
/// left is the contact solver's. (All rounds: a heap that falls over itself took twice the time to solve.) Restitution has as
/// many of the others as it is large: the less is given back, the sooner a row of blows dies away.
pub(crate) const LANDING_ROUNDS: u32 = 2;

/// The contact slot that stands in for none.
const NO_CONTACT: u32 = 0;

/// Blocks that may be solved in any order, or one lane after the other.
#[derive(Clone, Debug)]
struct Phase {
    single: Range<usize>,
    double: Range<usize>,
    /// Bodies may come twice: one lane at a time.
    one_by_one: bool,
    /// Whether threads share its blocks of one point, and of two.
    shared: [bool; 2],
}

/// The laws of contacts and of bounces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laws {
    pub(crate) contact: Law,
    pub(crate) bounce: BounceLaw,
    pub(crate) joint: joints::Law,
}

/// All blocks of a step.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    level: Level,
    /// Solves everything one lane at a time: the reference, to the bit.
    one_by_one: bool,
    phases: Vec<Phase>,
    /// The same blocks for what no velocity passes through: by their phases, where threads share most of these, so that each has what it wrote
    /// before; else all at once.
    runs: Vec<Phase>,
    /// Whether threads share most blocks in a pass.
    is_shared: bool,
    single: Blocks<1>,
    double: Blocks<2>,
    /// Most rounds of impacts that any block takes part in; none where nothing bounces.
    rounds: u32,
    /// Velocities before impacts, by row.
    before: Vec<[f32; 4]>,
    /// What gravity and forces add to a speed at most in a sub-step, and to a spin: for both bodies of a pair, and a little more.
    most_push: [f32; 2],
    /// What gravity adds to all that have a mass, if it is the same for all of them, and nothing turns the bodies.
    even_push: Option<[f32; 2]>,
    pub(crate) joints: joints::Joints,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver {
            level: Level::new(),
            one_by_one: false,
            phases: Vec::new(),
            runs: Vec::new(),
            is_shared: true,
            single: Blocks::default(),
            double: Blocks::default(),
            rounds: 0,
            before: Vec::new(),
            most_push: [0.0; 2],
            even_push: None,
            joints: joints::Joints::default(),
        }
    }
}

/// Blocks of a chunk: a microsecond of work, or a little more.
const GRAIN: usize = 16;

/// Blocks of a phase from which on threads share them: fewer are done before they have told each other what they wrote. (With 16, a drum of
/// 2,000 boxes took 1.22 times as long on two threads as on one.) Debug builds share all, to see whether two chunks touch the same row.
const LEAST: usize = if cfg!(debug_assertions) { GRAIN } else { 64 };

/// Blocks and rows are in the same order if places in it differ by less than one over this of all, on average. By chance it is a third.
const ORDERED: u64 = 8;

/// Runs `$body` for every block of every phase, with `$w` the lanes and `$block`, `$rare`, `$at`, and the number of the phase at hand:
/// blocks of a phase in any order.
macro_rules! pass {
    ($self:ident, $team:expr, $w:ident, $block:ident, $rare:ident, $at:ident, $number:pat => $body:expr) => {
        pass!($self, $self.phases, $team, $w, $block, $rare, $at, $number => $body);
    };
    ($self:ident, $phases:expr, $team:expr, $w:ident, $block:ident, $rare:ident, $at:ident, $number:pat => $body:expr) => {
        for ($number, phase) in $phases.iter().enumerate() {
            let how = |points: usize| ($self.level, $team, (phase.shared[points], phase.one_by_one, $self.one_by_one));
            blocks!(how(1), $self.double, phase.double, $w, $block, $rare, $at => $body);
            blocks!(how(0), $self.single, phase.single, $w, $block, $rare, $at => $body);
        }
    };
}

/// The same for the blocks of a phase that have one number of points.
macro_rules! blocks {
    ($how:expr, $of:expr, $range:expr, $w:ident, $block:ident, $rare:ident, $at:ident => $body:expr) => {
        let (level, team, (shared, in_order, one_by_one)) = $how;
        let (size, one_by_one) = (if shared { team.part($range.len(), GRAIN) } else { usize::MAX }, in_order || one_by_one);
        let (of_blocks, range) = (&$of.contacts[$range.clone()], $range.clone());
        let both = (&mut $of.blocks[range.clone()], &mut $of.rares[range]);
        team.for_pairs(both, size, |start, (blocks, rares)| {
            dispatch!(level, simd => {
                for (($block, $rare), $at) in blocks.iter_mut().zip(rares).zip(&of_blocks[start..]) {
                    if !EIGHT || one_by_one {
                        for lane in 0..LANES {
                            let $w = OneLane(lane);
                            $body;
                        }
                    } else {
                        let $w = AllLanes(simd);
                        $body;
                    }
                }
            })
        });
    };
}

/// All blocks that have one number of points. The lists may be longer than that: what a step leaves is room for the next.
#[derive(Clone, Debug, Default)]
struct Blocks<const P: usize> {
    blocks: Vec<Block<P>>,
    /// Of each block, what few passes read.
    rares: Vec<Rare>,
    /// The contacts of each block: as many as there are blocks.
    contacts: Vec<[u32; LANES]>,
}

impl<const P: usize> Blocks<P> {
    fn count(&self) -> usize {
        self.contacts.len()
    }

    fn drop_spare(&mut self) {
        self.blocks.truncate(self.contacts.len());
        self.rares.truncate(self.contacts.len());
    }

    /// Blocks are taken as they are: `prepare` fills them, but for the rows. (A new one for each: 1.3 kB to write, for nothing.)
    fn add(&mut self, contacts: &[Coloured]) {
        for eight in contacts.chunks(LANES) {
            if self.blocks.len() == self.count() {
                self.blocks.push(Block::EMPTY);
                self.rares.push(Rare::EMPTY);
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
            block.gives = gives;
            self.contacts.push(at);
        }
    }

    /// Whether threads share a range of blocks: those of a phase, with bodies among so many `rows`. That pays where blocks and their rows come
    /// in much the same order, so that a thread finds in its cache what it wrote a phase before. (Shared without asking, a stirred heap of
    /// 15,000 contacts took 1.25 times as long to solve on two threads as on one: each row went to and fro.)
    fn is_shared(&self, range: &Range<usize>, rows: usize) -> bool {
        if range.len() < LEAST || cfg!(debug_assertions) {
            return range.len() >= LEAST;
        }
        let (count, rows, mut off, mut seen) = (range.len() as u64, rows as u64, 0, 0);
        for (at, block) in (0..).zip(&self.blocks[range.clone()]).step_by(LANES) {
            for (&row, gives) in [(&block.row_a[0], block.gives[0]), (&block.row_b[0], block.gives[1])] {
                if gives & 1 != 0 {
                    off += (u64::from(row) * count).abs_diff(at * rows);
                    seen += 1;
                }
            }
        }
        off * ORDERED < seen * count * rows
    }

    /// Calls `visit` for the hits of all blocks: of most, one flag is read.
    fn for_hits(&self, visit: &mut impl FnMut(u32, f32, f32)) {
        for ((block, rare), at) in self.blocks.iter().zip(&self.rares).zip(&self.contacts) {
            if block.cases.strikes {
                hits_of((block, rare), at, visit);
            }
        }
    }
}

impl Solver {
    /// Goes on with other lanes: the bits stay the same.
    pub(crate) fn set_lanes(&mut self, lanes: Lanes) {
        (self.level, self.one_by_one) = (lanes.level, lanes.one_by_one);
        self.joints.set_lanes(lanes);
    }

    /// The lanes of this machine; none where all is to be done one by one.
    pub(crate) fn lanes(&self) -> Option<Level> {
        (!self.one_by_one).then_some(self.level)
    }

    /// Lays out the blocks for a new colouring.
    pub(crate) fn lay_out(&mut self, colouring: &Colouring) {
        let rows = colouring.rows();
        self.phases.clear();
        self.single.contacts.clear();
        self.double.contacts.clear();
        for colour in colouring.inner.iter().chain(&colouring.outer) {
            self.add_phase(colour, rows, false);
        }
        self.add_phase(&colouring.rest, rows, true);
        self.single.drop_spare();
        self.double.drop_spare();
        self.note_runs();
    }

    fn note_runs(&mut self) {
        let all = [0..self.single.count(), 0..self.double.count()];
        let of = |phase: &Phase| [phase.single.len(), phase.double.len()];
        let shared = |phase: &Phase| {
            of(phase)
                .into_iter()
                .zip(phase.shared)
                .map(|(count, shared)| count * usize::from(shared))
                .sum::<usize>()
        };
        self.is_shared = 2 * self.phases.iter().map(shared).sum::<usize>() >= all[0].len() + all[1].len();
        self.runs.clear();
        if self.is_shared {
            self.runs.extend_from_slice(&self.phases);
        } else {
            let [single, double] = all;
            self.runs.push(Phase { single, double, one_by_one: false, shared: [true; 2] });
        }
    }

    fn add_phase(&mut self, colour: &Colour, rows: usize, one_by_one: bool) {
        let [singles, doubles] = &colour.with_points;
        let (single, double) = (self.single.count(), self.double.count());
        self.single.add(singles);
        self.double.add(doubles);
        let (single, double) = (single..self.single.count(), double..self.double.count());
        let shared = [self.single.is_shared(&single, rows), self.double.is_shared(&double, rows)];
        let shared = shared.map(|shared| shared && !one_by_one);
        let phase = Phase { single, double, one_by_one, shared };
        if !phase.single.is_empty() || !phase.double.is_empty() {
            self.phases.push(phase);
        }
    }

    /// How many rows of bodies are a chunk in sub-steps. Threads share them where they share most of what pushes them: rows that only one
    /// thread pushes stay with it. (Else a drum of 2,000 boxes took 1.3 times as long to solve on two threads.)
    pub(crate) fn grain(&self, team: &Team, columns: &Columns) -> usize {
        if self.joints.is_large() || self.is_shared {
            team.part(columns.velocity.len(), integrate::GRAIN)
        } else {
            usize::MAX
        }
    }

    /// Fills all blocks for this step.
    pub(crate) fn prepare(&mut self, team: &Team, rows: Rows, columns: &Columns, blow: f32) {
        let rounds = AtomicU32::new(0);
        pass!(self, self.runs, team, w, block, rare, at, _ => {
            prepare::prepare(w, (block, rare), at, rows, columns, blow);
            if block.cases.bounces && block.cases.rounds > rounds.load(Ordering::Relaxed) {
                rounds.fetch_max(block.cases.rounds, Ordering::Relaxed);
            }
        });
        self.rounds = rounds.into_inner();
        let most = |of: fn(&[f32; 4]) -> f32| columns.push.iter().map(of).fold(0.0, max);
        self.most_push =
            [2.01 * most(|push| push[0].abs() + push[1].abs()), 1.01 * most(|push| push[2].abs())];
        self.even_push = restitution::even_push(columns);
    }

    /// Adds the impulses of the step before.
    pub(crate) fn warm_start(&mut self, team: &Team, columns: &mut Columns) {
        let columns = columns.share();
        pass!(self, team, w, block, rare, _at, _ => kernel::warm_start(w, (block, rare), columns));
    }

    /// Keeps bodies from going into each other, and pushes apart those that did.
    pub(crate) fn solve(&mut self, team: &Team, columns: &mut Columns, laws: &Laws) {
        let columns = columns.share();
        pass!(self, team, w, block, rare, _at, _ => kernel::solve(w, (block, rare), columns, &laws.contact));
    }

    /// Pushes at what joints hold and drive, before the bodies move or after.
    pub(crate) fn push_joints(
        &mut self,
        team: &Team,
        columns: &mut Columns,
        law: &joints::Law,
        (half, turn): (Half, Turn),
    ) {
        if self.joints.is_empty() {
            return;
        }
        self.joints.push(team, columns, (half, turn), law);
    }

    /// Takes the push out of the velocities, and adds friction.
    pub(crate) fn relax(&mut self, team: &Team, columns: &mut Columns) {
        let columns = columns.share();
        pass!(self, team, w, block, rare, _at, _ => kernel::relax(w, (block, rare), columns));
    }

    /// Bounces what hits within this sub-step, until nothing does or the blow has gone far enough.
    pub(crate) fn bounce(&mut self, (team, grain): (&Team, usize), columns: &mut Columns, law: &BounceLaw) {
        if self.rounds == 0 {
            return;
        }
        self.before.clear();
        self.before.extend_from_slice(&columns.velocity);
        let (shares, phases, mut struck) = (columns.share(), self.phases.len(), false);
        for round in 0..self.rounds {
            let any = AtomicBool::new(false);
            let blow = if round < LANDING_ROUNDS { law.blow } else { f32::INFINITY };
            let law = &BounceLaw { blow, most_push: self.most_push, even_push: self.even_push, ..*law };
            pass!(self, team, w, block, rare, _at, number => {
                let look = Look { now: (1 + 2 * (round as usize * phases + number)) as f32, is_first: round == 0 };
                if block.cases.bounces
                    && round < block.cases.rounds
                    && restitution::bounce(w, (block, rare), shares, law, look)
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
            restitution::free_struck((team, grain), columns, &mut self.before);
        }
    }

    /// Brings the impulses back to the contacts.
    pub(crate) fn store(&mut self, team: &Team, impulses: &mut [Row], surfaces: &mut [Row]) {
        let (impulses, surfaces) = (Shared::new(impulses), Shared::new(surfaces));
        pass!(self, self.runs, team, w, block, rare, at, _ => prepare::store(w, (block, rare), at, impulses, surfaces));
    }

    /// Calls `visit` with contact, approach speed, and impulse of the step, for each contact whose surfaces came together faster than
    /// [`HIT_SPEED`] and touched.
    pub(crate) fn for_hits(&self, mut visit: impl FnMut(u32, f32, f32)) {
        self.double.for_hits(&mut visit);
        self.single.for_hits(&mut visit);
    }
}

fn hits_of<const P: usize>(
    (block, rare): (&Block<P>, &Rare),
    at: &[u32; LANES],
    visit: &mut impl FnMut(u32, f32, f32),
) {
    for (lane, &contact) in at.iter().enumerate() {
        if rare.approach[lane] < -HIT_SPEED {
            let impulse = block.points.iter().fold(0.0, |sum, point| sum + point.total[lane]);
            if impulse > 0.0 {
                visit(contact, -rare.approach[lane], impulse);
            }
        }
    }
}
