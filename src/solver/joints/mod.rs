//! Joints in the solver: what holds bodies together, before they move and after.
//!
//! In: joints with the rows of their bodies, filled in once a step. Out: velocities in the columns, impulses in the blocks.
//!
//! ```text
//!   layout.rs    joints -> trees and colours, in blocks of eight          when joints or awake bodies change
//!   block.rs     what a block is
//!   aim.rs       where the joints stand now                               every time the bodies have moved
//!   push.rs      what holds in loops, by iteration                        before the bodies move, and after
//!   drive.rs     what drives: servos, motors, limits                      the same
//!   tree/        what holds in trees, directly                            the same
//!   coupled.rs   gears and pulleys                                        the same
//!   loops.rs     energy of loops that iteration has not closed            the same
//!   hold.rs, matrix.rs    what all of these are written in
//! ```
//!
//! Joints see the velocities of the middle of a sub-step: without the half of the kick of gravity that is still to come
//! when the bodies move. What they do is left out of what the contacts carry on from one sub-step to the next: they push
//! along other axes by then.

mod aim;
pub(crate) mod block;
mod coupled;
mod drive;
mod hold;
pub(crate) mod layout;
mod loops;
mod matrix;
mod push;
mod tree;

pub(crate) use coupled::Coupled;
pub(crate) use push::{Half, Law};

use super::Columns;
use crate::joint::Anchor;
use crate::math::{max, min};
use crate::simd::{AllLanes, LANES, Level, OneLane, dispatch};
use block::{Block, Drives};
use layout::{Layout, Phase};
use loops::Loops;
use tree::Tree;

/// The two turns of a push. (With one turn after the bodies moved, a net of 10 × 10 that hangs still begins to swing by itself: what
/// closes its gaps stays in the velocities. With contacts last, a chain that is jammed bursts; with joints only after contacts, dolls
/// sink into the ground.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    First,
    Last,
}

/// The joint that stands in for none.
pub(crate) const NO_JOINT: u32 = u32::MAX;

/// All blocks of a step.
#[derive(Clone, Debug)]
pub(crate) struct Joints {
    level: Level,
    /// Solves everything one lane at a time: the reference, to the bit.
    pub(crate) one_by_one: bool,
    pub(crate) blocks: Vec<Block>,
    pub(crate) drives: Vec<Drives>,
    /// The joints of each block; [`NO_JOINT`] where a lane is not used.
    pub(crate) of_blocks: Vec<[u32; LANES]>,
    phases: Vec<Phase>,
    trees: Vec<Tree>,
    pub(crate) coupled: Vec<Coupled>,
    pub(crate) of_coupled: Vec<[u32; LANES]>,
    /// Bodies and points that joints hold and steps do not move: their places stand behind those of the others.
    pub(crate) placed: Vec<(u32, Anchor)>,
    /// Length of the last step, and of the sub-steps that the springs are made for.
    pub(crate) dt: f32,
    pub(crate) kicks_for: f32,
    /// The solver rows of the bodies that joints push, in order; `None` until they are asked for.
    rows: Option<Vec<u32>>,
    /// What joints meet, by solver row: one over the masses and the inertia, and what pulls at it ([`aim::pull`]).
    masses: Vec<[f32; 4]>,
    /// Velocities before joints pushed, of `rows`.
    before: Vec<[f32; 4]>,
    loops: Loops,
}

impl Default for Joints {
    fn default() -> Joints {
        Joints {
            level: Level::new(),
            one_by_one: false,
            blocks: Vec::new(),
            drives: Vec::new(),
            of_blocks: Vec::new(),
            phases: Vec::new(),
            trees: Vec::new(),
            coupled: Vec::new(),
            of_coupled: Vec::new(),
            placed: Vec::new(),
            dt: 0.0,
            kicks_for: f32::NAN,
            rows: None,
            masses: Vec::new(),
            before: Vec::new(),
            loops: Loops::default(),
        }
    }
}

/// Runs `$body` with `$w` all lanes, or each lane in turn.
macro_rules! lanes {
    ($one_by_one:expr, $simd:ident, $w:ident => $body:expr) => {
        if $one_by_one {
            for lane in 0..LANES {
                let $w = OneLane(lane);
                $body;
            }
        } else {
            let $w = AllLanes($simd);
            $body;
        }
    };
}

impl Joints {
    /// Goes on with other lanes: the bits stay the same.
    #[cfg(test)]
    pub(crate) fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.coupled.is_empty()
    }

    /// Forgets all blocks.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.drives.clear();
        self.of_blocks.clear();
        self.phases.clear();
        self.trees.clear();
        self.coupled.clear();
        self.of_coupled.clear();
        self.rows = None;
    }

    /// Makes the blocks of a new layout; what they hold is up to the caller.
    pub(crate) fn lay_out(&mut self, layout: Layout) {
        self.blocks.clear();
        self.drives.clear();
        self.of_blocks.clear();
        for group in &layout.groups {
            let mut block = Block { form: group.form, ..Block::EMPTY };
            let mut of_block = [NO_JOINT; LANES];
            for (lane, spec) in group.specs.iter().enumerate() {
                of_block[lane] = spec.joint;
                (block.row_a[lane], block.row_b[lane]) = (spec.row_a, spec.row_b);
            }
            if group.form.is_driven() {
                block.drives = self.drives.len() as u32;
                self.drives.push([block::Driven::NOTHING; 3]);
            }
            self.blocks.push(block);
            self.of_blocks.push(of_block);
        }
        self.phases = layout.phases;
        self.trees = layout.trees;
        self.rows = None;
    }

    /// Where the blocks of trees begin: those before are iterated.
    fn iterated(&self) -> usize {
        self.phases.last().map_or(0, |phase| phase.blocks.end)
    }

    /// Lists the bodies of a new layout.
    fn note_rows(&mut self, mass: &[[f32; 4]]) {
        let mut rows: Vec<u32> = self
            .blocks
            .iter()
            .chain(self.coupled.iter().flat_map(|coupled| &coupled.ends))
            .flat_map(|block| block.row_a.into_iter().chain(block.row_b))
            .filter(|&row| row != 0)
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let (iterated, trees) = self.blocks.split_at(self.iterated());
        self.loops = Loops::new((&rows, mass), (iterated, trees), &self.coupled);
        self.rows = Some(rows);
    }

    /// Where the joints stand as a step begins.
    pub(crate) fn seat(&mut self, columns: &Columns) {
        if self.rows.is_none() {
            self.note_rows(&columns.mass);
        }
        self.masses.clear();
        self.masses.resize(columns.mass.len(), [0.0; 4]);
        self.loops.begin(self.rows.as_deref().unwrap_or_default(), &columns.mass);
        let (pose, mass) = (&columns.pose, &columns.mass);
        dispatch!(self.level, simd => {
            for block in &mut self.blocks {
                lanes!(self.one_by_one, simd, w => aim::seat(w, block, pose, mass));
            }
            self.coupled.iter_mut().for_each(|coupled| coupled.total = [0.0; LANES]);
            for end in self.coupled.iter_mut().flat_map(|coupled| &mut coupled.ends) {
                lanes!(self.one_by_one, simd, w => aim::seat(w, end, pose, mass));
            }
            for tree in &mut self.trees {
                lanes!(self.one_by_one, simd, w => tree::begin(w, tree));
            }
        });
    }

    /// Where the joints stand now.
    pub(crate) fn aim(&mut self, columns: &Columns, h: f32) {
        let (moved, mass) = (&columns.moved, &columns.mass);
        let iterated = self.iterated();
        for &row in self.rows.iter().flatten() {
            let [x, y, spin, _] = mass[row as usize];
            self.masses[row as usize] = [x, y, spin, 0.0];
        }
        let mut strained = false;
        self.loops.close();
        dispatch!(self.level, simd => {
            for block in &mut self.blocks {
                lanes!(self.one_by_one, simd, w => aim::aim(w, block, moved));
            }
            for block in &self.blocks[..iterated] {
                let mut pulls = [[0.0; LANES]; 2];
                let (mut is_taut, mut is_open) = (false, false);
                lanes!(self.one_by_one, simd, w => {
                    is_taut |= aim::note_pull(w, block, h, &mut pulls);
                    is_open |= aim::is_open(w, block);
                });
                if is_taut {
                    strained |= add_pulls(block, &pulls, &mut self.masses);
                }
                if is_open {
                    self.loops.note_gaps(block);
                }
            }
            if strained {
                self.stiffen();
                for block in &mut self.blocks[..iterated] {
                    lanes!(self.one_by_one, simd, w => aim::weigh(w, block, &self.masses));
                }
            }
            for block in self.blocks[iterated..].iter().filter(|block| block.form.is_limited()) {
                let Some(drives) = self.drives.get_mut(block.drives as usize) else { continue };
                lanes!(self.one_by_one, simd, w => tree::keep_limits(w, drives));
            }
            for tree in &mut self.trees {
                lanes!(self.one_by_one, simd, w => {
                    tree::factor(w, tree, (&self.blocks, &self.drives), mass, h);
                    tree::share_inertias(w, tree, &mut self.masses);
                });
                for edge in &tree.edges {
                    let block = &mut self.blocks[edge.block as usize];
                    if block.form.is_driven() {
                        lanes!(self.one_by_one, simd, w => aim::weigh(w, block, &self.masses));
                    }
                }
            }
            for coupled in &mut self.coupled {
                lanes!(self.one_by_one, simd, w => coupled::aim_both(w, coupled, moved, &self.masses));
            }
        });
    }

    /// One of the two pushes of a sub-step: first before contacts, which then see what joints do; and once more after them, for joints
    /// have the last word.
    pub(crate) fn push(&mut self, columns: &mut Columns, (half, turn): (Half, Turn), law: &Law) {
        let rows = self.rows.take().unwrap_or_default();
        if half == Half::Before {
            add_kick(columns, &rows, -1.0);
        }
        self.before.clear();
        self.before.extend(rows.iter().map(|&row| columns.velocity[row as usize]));
        if turn == Turn::First {
            self.warm_start(columns, half);
        }
        self.iterate(columns, half, law);
        self.solve_trees(columns, (half, turn), law);
        if (half, turn) == (Half::After, Turn::Last) {
            self.count();
        }
        // Whatever happens to a joint, the ground stays where it is.
        columns.velocity[0] = [0.0; 4];
        if self.loops.any_watched() {
            self.loops.note_work(&rows, columns, &self.before);
            if (half, turn) == (Half::After, Turn::Last) {
                self.loops.keep_energy(&rows, columns);
            }
        }
        // A slack chain that snaps tight would have its links turn faster than can be foreseen.
        let (fastest, most_spin) = (law.max_speed, crate::tuning::MAX_TURN * law.inv_h);
        let limits = [fastest, fastest, most_spin];
        for (&row, before) in rows.iter().zip(&self.before) {
            let (v, free) = (&mut columns.velocity[row as usize], &mut columns.free[row as usize]);
            for k in 0..3 {
                v[k] = min(max(v[k], -limits[k]), limits[k]);
                free[k] += v[k] - before[k];
            }
        }
        if half == Half::Before {
            add_kick(columns, &rows, 1.0);
        }
        self.rows = Some(rows);
    }

    /// The inertias of bodies that would swing too fast.
    fn stiffen(&mut self) {
        for &row in self.rows.iter().flatten() {
            let mass = &mut self.masses[row as usize];
            if mass[3] * mass[2] > 1.0 {
                mass[2] = 1.0 / mass[3];
                self.loops.watch(row);
            }
        }
    }

    fn warm_start(&mut self, columns: &mut Columns, half: Half) {
        let velocity = &mut columns.velocity;
        let iterated = self.phases.last().map_or(0, |phase| phase.blocks.end);
        dispatch!(self.level, simd => {
            for (index, block) in self.blocks.iter_mut().enumerate() {
                let drives = self.drives.get(block.drives as usize);
                let direct = index >= iterated;
                if direct && drives.is_none() {
                    continue;
                }
                // A body may come twice in a block only where a phase goes one by one: adding one lane at a time is right there.
                let alone = self.one_by_one || self.phases.last().is_some_and(|last| last.one_by_one && last.blocks.contains(&index));
                lanes!(alone, simd, w => push::warm_start(w, block, drives, velocity, (half, direct)));
            }
            for coupled in &self.coupled {
                lanes!(self.one_by_one, simd, w => coupled::warm_start(w, coupled, velocity, half));
            }
        });
    }

    fn iterate(&mut self, columns: &mut Columns, half: Half, law: &Law) {
        let velocity = &mut columns.velocity;
        dispatch!(self.level, simd => {
            for phase in &self.phases {
                for block in &mut self.blocks[phase.blocks.clone()] {
                    let place = block.drives as usize;
                    lanes!(self.one_by_one || phase.one_by_one, simd, w => {
                        push::push(w, block, self.drives.get_mut(place), velocity, (half, law, false));
                    });
                }
            }
            for coupled in &mut self.coupled {
                lanes!(self.one_by_one, simd, w => coupled::push(w, coupled, velocity, half, law));
            }
        });
    }

    fn solve_trees(&mut self, columns: &mut Columns, (half, turn): (Half, Turn), law: &Law) {
        let (velocity, mass) = (&mut columns.velocity, &columns.mass);
        dispatch!(self.level, simd => {
            for tree in &mut self.trees {
                let driven = tree.edges.iter().filter(|_| turn == Turn::First);
                for edge in driven {
                    let block = &mut self.blocks[edge.block as usize];
                    let Some(drives) = self.drives.get_mut(block.drives as usize) else { continue };
                    lanes!(self.one_by_one, simd, w => {
                        push::push(w, block, Some(drives), velocity, (half, law, true));
                    });
                }
                lanes!(self.one_by_one, simd, w => {
                    tree::solve(w, tree, (&mut self.blocks, &mut self.drives), (velocity, mass), (half, turn, law));
                });
            }
        });
    }

    fn count(&mut self) {
        dispatch!(self.level, simd => {
            for block in &mut self.blocks {
                let drives = self.drives.get(block.drives as usize);
                lanes!(false, simd, w => push::count(w, block, drives));
            }
            for coupled in &mut self.coupled {
                lanes!(false, simd, w => coupled::count(w, coupled));
            }
        });
    }
}

/// Takes the half of the kick that is still to come out of the velocities, or puts it back.
fn add_kick(columns: &mut Columns, rows: &[u32], share: f32) {
    for &row in rows {
        let (v, kick) = (&mut columns.velocity[row as usize], &columns.kick[row as usize]);
        for k in 0..3 {
            v[k] += share * kick[k];
        }
    }
}

/// Adds what the joints of a block pull to their bodies; `false` if no body feels it.
fn add_pulls(block: &Block, pulls: &[[f32; LANES]; 2], masses: &mut [[f32; 4]]) -> bool {
    let mut strained = false;
    for (rows, pulls) in [&block.row_a, &block.row_b].into_iter().zip(pulls) {
        for (&row, &pull) in rows.iter().zip(pulls) {
            let mass = &mut masses[row as usize];
            if pull * mass[2] > aim::TAUT {
                mass[3] += pull;
                strained = true;
            }
        }
    }
    strained
}
