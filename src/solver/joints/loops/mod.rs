//! Iterated joints (projected Gauss–Seidel), phase by phase.
//!
//! In: pins and blocks of the phases, velocities. Out: updated Jacobians, impulses, velocities. No
//! body that impulses move comes twice in a phase, so its blocks run side by side, on several
//! threads if there are many; a phase that runs one by one keeps its order. Pulls on bodies are
//! noted per chunk, and merged into shared lists afterwards.
//!
//! ```text
//!   here                 passes over phases                         every pass
//!   solve.rs             locked axes, block by block                every pass
//!   point.rs             hinges without drives: pins                every pass
//!   gather.rs            velocities handed over to loops and back   around each pass
//!   energy.rs            energy clamp of loops that are not closed  every pass
//!   tension.rs           pulls of joints on their bodies            each time bodies have moved
//!   contact_coupling.rs  loops with contacts, and loops without     once a step
//! ```

mod contact_coupling;
pub(super) mod energy;
pub(super) mod gather;
pub(super) mod point;
pub(super) mod solve;
pub(super) mod tension;

use super::block::Drives;
use super::layout::LayoutPhase;
use super::{Columns, Joints, couplings, jacobian};
use crate::ablate::Rule;
use crate::simd::dispatch;
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use crate::threads::{Places, Shared, Team};
use tension::Strain;

/// Blocks per chunk.
const LOOP_GRAIN: usize = 16;

/// Least number of blocks of a phase that are shared between threads. Debug builds share all, to
/// check that no two chunks touch the same row.
pub(super) const LEAST_SHARED_BLOCKS: usize = if cfg!(debug_assertions) { LOOP_GRAIN } else { 128 };

/// Rows per chunk, and the least number that is shared between threads.
const ROW_GRAIN: usize = if cfg!(debug_assertions) { 16 } else { 1024 };

/// Blocks per chunk of a phase.
pub(super) fn size_of(phase: &LayoutPhase) -> usize {
    if phase.one_by_one || phase.blocks.len() < LEAST_SHARED_BLOCKS { usize::MAX } else { LOOP_GRAIN }
}

/// Index of the results of the chunk that begins with block `start` of a phase: each chunk has its
/// own.
fn place_of(phase: &LayoutPhase, number: usize, start: usize) -> usize {
    phase.blocks.start / LOOP_GRAIN + number + start / LOOP_GRAIN
}

/// Number of such results.
pub(super) fn places(phases: &[LayoutPhase]) -> usize {
    phases.last().map_or(0, |phase| phase.blocks.end / LOOP_GRAIN + phases.len())
}

/// Runs `$body` for each `$pin` of a phase with its `$block`, whose index is `$at`; `$found` is the
/// result of the chunk.
macro_rules! pins {
    (
        $joints:ident,
        $team:expr,
        $phase:ident,
        $([$found:ident in $places:ident, $number:ident],)?
        ($lanes:ident, $pin:ident, $block:ident, $at:ident) => $body:expr
    ) => {
        if !$phase.pins.is_empty() {
            let (level, first) = ($phase.at($joints.level), $phase.blocks.start);
            let both = (&mut $joints.pins[$phase.pins.clone()], &mut $joints.blocks[$phase.blocks.clone()]);
            $team.for_pairs(both, size_of($phase), |start, (pins, blocks)| {
                $(
                    let place = place_of($phase, $number, start);
                    let mut $found = $places.change(place, core::mem::take);
                )?
                dispatch!(in_phases level, $lanes => {
                    for (($pin, $block), $at) in pins.iter_mut().zip(blocks).zip(first + start..) {
                        $body;
                    }
                });
                $($places.change(place, |felt| *felt = $found);)?
            });
        }
    };
}

/// Runs `$body` for each `$block` of a phase that is not a pin, with its `$drives`: one or none.
macro_rules! others {
    (
        $joints:ident,
        $team:expr,
        $phase:ident,
        $([$found:ident in $places:ident, $number:ident],)?
        ($lanes:ident, $block:ident, $drives:ident, $at:ident) => $body:expr
    ) => {
        let range = $phase.others();
        let (level, first, size) = ($phase.at($joints.level), range.start, size_of($phase));
        let blocks = &mut $joints.blocks[range];
        match blocks.first().map(|block| block.drives as usize) {
            None => {}
            Some(place) if place < $joints.drives.len() => {
                let drives = &mut $joints.drives[place..place + blocks.len()];
                $team.for_pairs((blocks, drives), size, |start, (blocks, drives)| {
                    $(
                        let place = place_of($phase, $number, start);
                        let mut $found = $places.change(place, core::mem::take);
                    )?
                    dispatch!(in_phases level, $lanes => {
                        for (($block, drives), $at) in blocks.iter_mut().zip(drives).zip(first + start..) {
                            let $drives = core::slice::from_mut(drives);
                            $body;
                        }
                    });
                    $($places.change(place, |felt| *felt = $found);)?
                });
            }
            Some(_) => $team.for_chunks(blocks, size, |start, blocks| {
                $(
                    let place = place_of($phase, $number, start);
                    let mut $found = $places.change(place, core::mem::take);
                )?
                dispatch!(in_phases level, $lanes => {
                    for ($block, $at) in blocks.iter_mut().zip(first + start..) {
                        let $drives: &mut [Drives] = &mut [];
                        $body;
                    }
                });
                $($places.change(place, |felt| *felt = $found);)?
            }),
        }
    };
}

pub(super) use {others, pins};

impl Joints {
    /// Fills `start` of all blocks, of trees too, as a step begins.
    pub(super) fn seat_blocks(&mut self, team: &Team, (pose, mass): (&[[f32; 4]], &[[f32; 4]])) {
        for phase in &self.phases {
            let hangs = &self.hangs[..];
            pins!(self, team, phase, (lanes, pin, block, at) => {
                pin.hangs = hangs[at];
                for w in lanes.each() {
                    jacobian::seat(w, block, pose, mass);
                    point::fill(w, pin, block);
                }
            });
            others!(self, team, phase, (lanes, block, _drives, _at) => {
                for w in lanes.each() {
                    jacobian::seat(w, block, pose, mass);
                }
            });
        }
        let (level, first) = (self.level, self.iterated());
        team.for_chunks(&mut self.blocks[first..], LOOP_GRAIN, |_, blocks| {
            dispatch!(level, lanes => {
                for block in blocks {
                    for w in lanes.each() {
                        jacobian::seat(w, block, pose, mass);
                    }
                }
            });
        });
    }

    /// After the sub-steps of a step: stores impulses in the blocks.
    pub(crate) fn finish(&mut self, team: &Team) {
        for phase in &self.phases {
            pins!(self, team, phase, (lanes, pin, block, _at) => {
                for w in lanes.each() {
                    point::finish(w, pin, block);
                }
            });
        }
    }

    /// Recomputes effective masses of joints at bodies with extra inertia, and warm starts from the
    /// same half of the sub-step before, while the blocks are in the cache.
    pub(super) fn start_iterated(&mut self, team: &Team, velocity: Shared<[f32; 4]>, half: Half) {
        let (masses, stiff, is_strained) = (&self.masses[..], &self.stiff[..], self.is_strained);
        for phase in &self.phases {
            pins!(self, team, phase, (lanes, pin, block, _at) => {
                if is_strained && pin.is_stiff(stiff) {
                    for w in lanes.each() {
                        point::weigh(w, (pin, block), masses);
                    }
                }
                for w in lanes.each() {
                    point::warm_start(w, (pin, block), velocity, half);
                }
            });
            others!(self, team, phase, (lanes, block, drives, _at) => {
                if is_strained {
                    for w in lanes.each() {
                        jacobian::weigh(w, block, masses);
                    }
                }
                // A body may come twice in a block of a phase that goes one by one: adding one lane
                // at a time is right there.
                for w in lanes.each() {
                    solve::warm_start(w, block, drives.first(), velocity, (half, false));
                }
            });
        }
    }

    pub(super) fn aim_iterated(&mut self, team: &Team, columns: &Columns, params: &JointParams) {
        let moved = &columns.moved[..];
        let (masses, places) = (Shared::new(&mut self.masses), Places::new(&mut self.felt));
        for (number, phase) in self.phases.iter().enumerate() {
            pins!(self, team, phase, [felt in places, number], (lanes, pin, block, at) => {
                let mut strain = Strain::default();
                for w in lanes.each() {
                    point::aim(w, (pin, block), &mut strain, moved, params);
                }
                strain.note((block, at), masses, &mut felt);
            });
        }
        for (number, phase) in self.phases.iter().enumerate() {
            others!(self, team, phase, [felt in places, number], (lanes, block, _drives, at) => {
                let mut strain = Strain::default();
                for w in lanes.each() {
                    strain.aim(w, block, moved, params);
                }
                strain.note((block, at), masses, &mut felt);
            });
        }
        self.note_felt(&params.tuning.open);
    }

    /// Merges the results of chunks.
    fn note_felt(&mut self, open: &[f32; 3]) {
        for felt in &mut self.felt {
            for at in felt.open.drain(..) {
                self.loops.note_gaps(&self.blocks[at as usize], open);
            }
            self.is_strained |= !felt.pulled.is_empty();
            self.pulled.append(&mut felt.pulled);
        }
    }

    /// Gives extra inertia to bodies that would swing too fast.
    pub(super) fn stiffen(&mut self) {
        for &row in &self.pulled {
            let mass = &mut self.masses[row as usize];
            if Rule::NetInertia.acts(mass[3] * mass[2] > 1.0) {
                mass[2] = 1.0 / mass[3];
                self.stiff[row as usize] = true;
                self.loops.watch(row);
            }
        }
    }

    pub(super) fn clear_start(&mut self, team: &Team) {
        if self.is_apart() {
            return;
        }
        let (rows, start) = (self.rows.as_deref().unwrap_or_default(), Shared::new(&mut self.start));
        team.for_ranges(rows.len(), ROW_GRAIN, |range| {
            rows[range].iter().for_each(|&row| start.set(row as usize, [0.0; 4]));
        });
    }

    pub(super) fn iterate(&mut self, team: &Team, columns: &mut Columns, half: Half, params: &JointParams) {
        let velocity = Shared::new(&mut columns.velocity);
        for phase in &self.phases {
            pins!(self, team, phase, (lanes, pin, block, _at) => {
                for w in lanes.each() {
                    point::push(w, (pin, block), velocity, (half, params));
                }
            });
            others!(self, team, phase, (lanes, block, drives, _at) => {
                for w in lanes.each() {
                    solve::push(w, block, drives.first_mut(), velocity, (half, params));
                }
            });
        }
        self.push_coupled(columns, half, params);
    }

    /// After bodies have moved: updates Jacobians, and warm starts from the sub-step before while
    /// the blocks are in the cache.
    ///
    /// If some joints pulled harder than bodies can follow, all Jacobians are updated first, as
    /// each needs the pulls of the others; extra inertia is set before that of trees, which add to
    /// the same masses.
    pub(super) fn aim_and_iterate(&mut self, team: &Team, columns: &mut Columns, params: &JointParams) {
        let half = Half::After;
        let was_strained = self.is_strained;
        self.begin_aim(columns);
        if was_strained {
            self.aim_iterated(team, columns, params);
            self.stiffen();
            self.start_iterated(team, Shared::new(&mut columns.velocity), half);
        }
        if !self.is_apart() {
            self.aim_others(team, columns, (true, params));
        }
        if !was_strained {
            self.aim_and_start_iterated(team, columns, (half, params));
        }
        self.warm_start(team, columns, half);
        self.iterate(team, columns, half, params);
    }

    fn aim_and_start_iterated(
        &mut self,
        team: &Team,
        columns: &mut Columns,
        (half, params): (Half, &JointParams),
    ) {
        let (velocity, moved) = (Shared::new(&mut columns.velocity), &columns.moved[..]);
        let (masses, places) = (Shared::new(&mut self.masses), Places::new(&mut self.felt));
        for (number, phase) in self.phases.iter().enumerate() {
            pins!(self, team, phase, [felt in places, number], (lanes, pin, block, at) => {
                let mut strain = Strain::default();
                for w in lanes.each() {
                    point::aim(w, (pin, block), &mut strain, moved, params);
                }
                strain.note((block, at), masses, &mut felt);
                for w in lanes.each() {
                    point::warm_start(w, (pin, block), velocity, half);
                }
            });
            others!(self, team, phase, [felt in places, number], (lanes, block, drives, at) => {
                let mut strain = Strain::default();
                for w in lanes.each() {
                    strain.aim(w, block, moved, params);
                }
                strain.note((block, at), masses, &mut felt);
                for w in lanes.each() {
                    solve::warm_start(w, block, drives.first(), velocity, (half, false));
                }
            });
        }
        self.note_felt(&params.tuning.open);
    }

    /// The last pass of a sub-step. While the blocks are in the cache it adds up their impulses,
    /// and the start of the next sub-step: bodies do not move until then.
    pub(super) fn iterate_and_count(&mut self, team: &Team, columns: &mut Columns, params: &JointParams) {
        self.clear_start(team);
        let (velocity, start) = (Shared::new(&mut columns.velocity), Shared::new(&mut self.start));
        let half = Half::After;
        for phase in &self.phases {
            pins!(self, team, phase, (lanes, pin, block, _at) => {
                for w in lanes.each() {
                    point::push(w, (pin, block), velocity, (half, params));
                    point::count(w, pin, block);
                    point::warm_start(w, (pin, block), start, Half::Before);
                }
            });
            others!(self, team, phase, (lanes, block, drives, _at) => {
                for w in lanes.each() {
                    solve::push(w, block, drives.first_mut(), velocity, (half, params));
                    solve::count(w, block, drives.first());
                    solve::warm_start(w, block, drives.first(), start, (Half::Before, false));
                }
            });
        }
        self.push_coupled(columns, half, params);
        self.coupled.iter_mut().for_each(couplings::count);
    }
}
