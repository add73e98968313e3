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

pub(crate) use block::{Block, Columns};
pub(crate) use integrate::{integrate_positions, integrate_velocities, lag_warm_start};
pub(crate) use joints::{Half, Turn};
pub(crate) use kernel::Law;
pub(crate) use prepare::Rows;
pub(crate) use restitution::BounceLaw;
use restitution::Struck;

use core::ops::Range;

use crate::contact::Row;
use crate::contact::colour::{Colour, Coloured, Colouring};
use crate::math::max;
use crate::simd::{AllLanes, LANES, Level, OneLane, dispatch};

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
    pub(crate) one_by_one: bool,
    phases: Vec<Phase>,
    single: Vec<Block<1>>,
    double: Vec<Block<2>>,
    /// The contacts of each block.
    of_single: Vec<[u32; LANES]>,
    of_double: Vec<[u32; LANES]>,
    bounces: bool,
    struck: Struck,
    /// What gravity and forces add to a speed at most in a sub-step, and to a spin: for both bodies of a pair, and a little more.
    most_push: [f32; 2],
    pub(crate) joints: joints::Joints,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver {
            level: Level::new(),
            one_by_one: false,
            phases: Vec::new(),
            single: Vec::new(),
            double: Vec::new(),
            of_single: Vec::new(),
            of_double: Vec::new(),
            bounces: false,
            struck: Struck::default(),
            most_push: [0.0; 2],
            joints: joints::Joints::default(),
        }
    }
}

/// Runs `$body` for every block of every phase, with `$w` the lanes and `$block`, `$law` at hand.
macro_rules! pass {
    ($self:ident, $w:ident, $block:ident, $at:ident, $phase:ident => $body:expr) => {
        dispatch!($self.level, simd => {
            for $phase in &$self.phases {
                let doubles = $self.double[$phase.double.clone()].iter_mut();
                for ($block, $at) in doubles.zip(&$self.of_double[$phase.double.clone()]) {
                    if $phase.one_by_one || $self.one_by_one {
                        for lane in 0..LANES {
                            let $w = OneLane(lane);
                            $body;
                        }
                    } else {
                        let $w = AllLanes(simd);
                        $body;
                    }
                }
                let singles = $self.single[$phase.single.clone()].iter_mut();
                for ($block, $at) in singles.zip(&$self.of_single[$phase.single.clone()]) {
                    if $phase.one_by_one || $self.one_by_one {
                        for lane in 0..LANES {
                            let $w = OneLane(lane);
                            $body;
                        }
                    } else {
                        let $w = AllLanes(simd);
                        $body;
                    }
                }
            }
        })
    };
}

impl Solver {
    /// Goes on with other lanes: the bits stay the same.
    #[cfg(test)]
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
        self.joints.set_level(level);
    }

    /// The lanes of this machine.
    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// Lays out the blocks for a new colouring.
    pub(crate) fn lay_out(&mut self, colouring: &Colouring) {
        self.phases.clear();
        self.of_single.clear();
        self.of_double.clear();
        for colour in colouring.inner.iter().chain(&colouring.outer) {
            self.add_phase(colour, false);
        }
        self.add_phase(&colouring.rest, true);
        self.single.truncate(self.of_single.len());
        self.double.truncate(self.of_double.len());
    }

    fn add_phase(&mut self, colour: &Colour, one_by_one: bool) {
        let [singles, doubles] = &colour.with_points;
        let (single, double) = (self.of_single.len(), self.of_double.len());
        add_blocks(singles, &mut self.single, &mut self.of_single);
        add_blocks(doubles, &mut self.double, &mut self.of_double);
        let phase =
            Phase { single: single..self.of_single.len(), double: double..self.of_double.len(), one_by_one };
        if !phase.single.is_empty() || !phase.double.is_empty() {
            self.phases.push(phase);
        }
    }

    /// Fills all blocks for this step.
    pub(crate) fn prepare(&mut self, rows: Rows, columns: &Columns, blow: f32) {
        self.single.iter_mut().for_each(|block| block.forget_cases());
        self.double.iter_mut().for_each(|block| block.forget_cases());
        pass!(self, w, block, at, _phase => prepare::prepare(w, block, at, rows, columns, blow));
        self.bounces =
            self.single.iter().any(|block| block.bounces) || self.double.iter().any(|block| block.bounces);
        let most = |of: fn(&[f32; 4]) -> f32| columns.push.iter().map(of).fold(0.0, max);
        self.most_push =
            [2.01 * most(|push| push[0].abs() + push[1].abs()), 1.01 * most(|push| push[2].abs())];
    }

    /// Adds the impulses of the step before.
    pub(crate) fn warm_start(&mut self, columns: &mut Columns) {
        pass!(self, w, block, _at, _phase => kernel::warm_start(w, block, columns));
    }

    /// Keeps bodies from going into each other, and pushes apart those that did.
    pub(crate) fn solve(&mut self, columns: &mut Columns, laws: &Laws) {
        pass!(self, w, block, _at, _phase => kernel::solve(w, block, columns, &laws.contact));
    }

    /// Pushes at what joints hold and drive, before the bodies move or after.
    pub(crate) fn push_joints(
        &mut self,
        columns: &mut Columns,
        law: &joints::Law,
        (half, turn): (Half, Turn),
    ) {
        if self.joints.is_empty() {
            return;
        }
        self.joints.push(columns, (half, turn), law);
    }

    /// Takes the push out of the velocities, and adds friction.
    pub(crate) fn relax(&mut self, columns: &mut Columns) {
        pass!(self, w, block, _at, _phase => kernel::relax(w, block, columns));
    }

    /// Bounces what hits within this sub-step, until nothing does or the blow has gone far enough.
    pub(crate) fn bounce(&mut self, columns: &mut Columns, law: &BounceLaw) {
        if !self.bounces {
            return;
        }
        self.struck.clear(&columns.velocity);
        for round in 0..BOUNCE_ROUNDS {
            let mut any = false;
            let blow = if round < LANDING_ROUNDS { law.blow } else { f32::INFINITY };
            let law = &BounceLaw { blow, most_push: self.most_push, ..*law };
            let struck = &mut self.struck;
            pass!(self, w, block, _at, _phase => {
                if block.bounces && round < block.rounds {
                    any |= restitution::bounce(w, block, columns, law, (struck, round == 0));
                }
            });
            if !any {
                break;
            }
        }
        self.struck.free(columns);
    }

    /// Brings the impulses back to the contacts.
    pub(crate) fn store(&mut self, impulses: &mut [Row], surfaces: &mut [Row]) {
        pass!(self, w, block, at, _phase => prepare::store(w, block, at, impulses, surfaces));
    }

    /// Calls `visit` with contact, approach speed, and impulse of the step, for each contact whose surfaces came together faster than `speed`
    /// and touched.
    pub(crate) fn for_hits(&self, speed: f32, mut visit: impl FnMut(u32, f32, f32)) {
        for (block, at) in self.double.iter().zip(&self.of_double) {
            hits_of(block, at, speed, &mut visit);
        }
        for (block, at) in self.single.iter().zip(&self.of_single) {
            hits_of(block, at, speed, &mut visit);
        }
    }
}

/// Blocks are taken as they are: `prepare` fills them, but for the rows. (A new one for each: 1.2 kB to write, for nothing.)
fn add_blocks<const P: usize>(
    contacts: &[Coloured],
    blocks: &mut Vec<Block<P>>,
    of_blocks: &mut Vec<[u32; LANES]>,
) {
    for eight in contacts.chunks(LANES) {
        if blocks.len() == of_blocks.len() {
            blocks.push(Block::EMPTY);
        }
        let block = &mut blocks[of_blocks.len()];
        let (mut at, mut rows) = ([NO_CONTACT; LANES], [[0; LANES]; 2]);
        for (lane, coloured) in eight.iter().enumerate() {
            at[lane] = coloured.contact;
            (rows[0][lane], rows[1][lane]) = (coloured.rows[0], coloured.rows[1]);
        }
        [block.row_a, block.row_b] = rows;
        of_blocks.push(at);
    }
}

fn hits_of<const P: usize>(
    block: &Block<P>,
    at: &[u32; LANES],
    speed: f32,
    visit: &mut impl FnMut(u32, f32, f32),
) {
    for (lane, &contact) in at.iter().enumerate() {
        let impulse = block.points.iter().fold(0.0, |sum, point| sum + point.total[lane]);
        if block.approach[lane] < -speed && impulse > 0.0 {
            visit(contact, -block.approach[lane], impulse);
        }
    }
}
