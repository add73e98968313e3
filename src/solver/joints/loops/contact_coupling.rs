//! Loops with contacts in this step, and loops without.
//!
//! In: which bodies have contacts. Out: which joints get a second pass before bodies move.
//!
//! Joints have two passes in each half of a sub-step, with contacts between them. Loops without
//! contacts have one pass before the bodies move, and two in a row after, with nothing in between.
//! (A second one before is an iteration that is not needed: a net of 10,000 links that hangs has
//! gaps of 137 mm with it, and of 138 without. One after is too few: see
//! [`JointPass`](crate::solver::joints::JointPass).) A connected part is met (has contacts) or not
//! as a whole, so the result of a joint does not depend on the other lanes of its block. A contact
//! that does not touch counts too: heavy boxes that shake on balls hung by springs sink in deeper
//! if each hop changes the number of passes. Trees use the contacts that push them in this step:
//! without any, one pass in each half leaves nothing to do.
//!
//! Without the second pass `passive_joints_add_no_energy` fails in `tests/physics/joint_audit.rs`.

use super::point;
use super::point::Pin;
use super::solve;
use super::{others, pins, size_of};
use crate::ablate::Rule;
use crate::simd::{LANES, OneLane, dispatch};
use crate::solver::joints::block::Drives;
use crate::solver::joints::block::JointBlock;
use crate::solver::joints::pass::Half;
use crate::solver::joints::{Columns, Joints, NO_JOINT};
use crate::solver::params::JointParams;
use crate::threads::{Shared, Team};
use crate::util::sort;

/// Iterates over the lanes of a bit set.
fn lanes_of(set: u8) -> impl Iterator<Item = OneLane> {
    (0..LANES).filter(move |lane| set & (1 << lane) != 0).map(OneLane)
}

/// Solves some lanes of a block of pins one by one: compiled once, not per instruction set.
#[inline(never)]
fn push_pins_of(
    some: u8,
    (pin, block): (&mut Pin, &mut JointBlock),
    velocity: Shared<[f32; 4]>,
    (half, params): (Half, &JointParams),
) {
    for w in lanes_of(some) {
        point::push(w, (pin, block), velocity, (half, params));
    }
}

/// Solves some lanes of a block that is not a pin one by one.
#[inline(never)]
fn push_others_of(
    some: u8,
    (block, drives): (&mut JointBlock, Option<&mut Drives>),
    velocity: Shared<[f32; 4]>,
    (half, params): (Half, &JointParams),
) {
    let mut drives = drives;
    for w in lanes_of(some) {
        solve::push(w, block, drives.as_deref_mut(), velocity, (half, params));
    }
}

impl Joints {
    /// Before [`Joints::seat`]: finds the loops that contacts may push, from which rows have
    /// contacts, and the trees that contacts do push in this step.
    pub(crate) fn meet(&mut self, has_contacts: impl Fn(u32) -> bool, is_pushed: impl Fn(u32) -> bool) {
        if self.rows.is_none() {
            self.note_rows();
        }
        self.trees.iter_mut().for_each(|tree| tree.meet(&is_pushed));
        self.webs.iter_mut().for_each(|web| web.meet(&is_pushed));
        let rows = self.rows.as_deref().unwrap_or_default();
        if self.loops.is_empty() || !self.loops.meet(rows, has_contacts) {
            return;
        }
        let (loops, mut rows) = (&mut self.loops, self.rows.take().unwrap_or_default());
        sort::by_key(&mut rows, |&row| (!loops.is_met(row, row), row));
        self.met_rows = rows.partition_point(|&row| loops.is_met(row, row));
        loops.list(&rows, self.met_rows);
        let of_blocks = self.blocks.iter().zip(&self.of_blocks);
        for ((met, hangs), (block, joints)) in self.met.iter_mut().zip(&mut self.hangs).zip(of_blocks) {
            let lanes = |is_so: &dyn Fn(usize) -> bool| {
                (0..LANES).filter(|&lane| is_so(lane)).fold(0, |lanes, lane| lanes | 1 << lane)
            };
            let used = lanes(&|lane| joints[lane] != NO_JOINT);
            *met = used & lanes(&|lane| loops.is_met(block.row_a[lane], block.row_b[lane]));
            *hangs = used
                & lanes(&|lane| Rule::OverRelaxation.acts(loops.hangs(block.row_a[lane], block.row_b[lane])));
            for of_all in [met, hangs] {
                if *of_all == used {
                    *of_all = u8::MAX;
                }
            }
        }
        self.rows = Some(rows);
    }

    /// The last pass before bodies move, over loops that contacts may have pushed. Lanes are
    /// selected one by one, whatever else is in their block.
    pub(crate) fn iterate_met(&mut self, team: &Team, columns: &mut Columns, params: &JointParams) {
        let (velocity, half) = (Shared::new(&mut columns.velocity), Half::Before);
        let met = &self.met[..];
        for phase in &self.phases {
            pins!(self, team, phase, (lanes, pin, block, at) => {
                if met[at] == u8::MAX {
                    for w in lanes.each() {
                        point::push(w, (pin, block), velocity, (half, params));
                    }
                } else {
                    push_pins_of(met[at], (pin, block), velocity, (half, params));
                }
            });
            others!(self, team, phase, (lanes, block, drives, at) => {
                if met[at] == u8::MAX {
                    for w in lanes.each() {
                        solve::push(w, block, drives.first_mut(), velocity, (half, params));
                    }
                } else {
                    push_others_of(met[at], (block, drives.first_mut()), velocity, (half, params));
                }
            });
        }
        self.push_coupled(columns, half, params);
    }
}
