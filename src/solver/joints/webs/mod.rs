//! All webs of a step, one after the other.
//!
//! In: displacements and velocities. Out: webs with updated Jacobians, velocities; impulses in
//! blocks.
//!
//! The head of `web.rs` defines webs, and lists the other files of this folder with their work.
//!
//! An edge takes 0.6 kB, so the passes of many nets wait for memory: without the third row of
//! hinges, a third of the arithmetic, 79 nets of 8 × 8 took no less.

mod edge;
mod elimination;
mod energy;
mod factor;
mod solve;
pub(super) mod web;

use super::{Columns, JointPass, Joints};
use crate::ablate::Rule;
use crate::simd::dispatch;
use crate::solver::joints::loops;
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use web::aim_block;

/// How often bodies are moved to close gaps, at most.
const MOVES: usize = 4;

impl Joints {
    /// Updates the Jacobians of webs. Gaps that opened all the same, because a contact struck
    /// between the pass and the move, or a body turned too far for the bend term, are closed by
    /// moving the bodies: an impulse would leave them a speed.
    pub(super) fn aim_webs(&mut self, columns: &mut Columns, have_moved: bool, params: &JointParams) {
        let moves = if have_moved { MOVES } else { 0 };
        for index in 0..self.webs.len() {
            self.aim_web(index, &mut columns.moved, (moves, params));
        }
    }

    /// Updates a web, and moves its bodies up to `moves` times.
    fn aim_web(&mut self, index: usize, moved: &mut [[f32; 4]], (moves, params): (usize, &JointParams)) {
        let Joints { webs, blocks, drives, masses, pulled, level, .. } = self;
        let web = &mut webs[index];
        web.set_level(*level);
        for round in 0..=moves {
            dispatch!(*level, lanes => {
                for block in &mut blocks[web.blocks.clone()] {
                    for w in lanes.each() {
                        aim_block(w, block, moved, params.tuning.no_line);
                    }
                }
            });
            web.aim((blocks, drives), (masses, pulled), params);
            if round == moves || !Rule::WebMoves.acts(web.is_open(params)) {
                break;
            }
            web.close_by_moving((blocks, drives), moved, params);
        }
    }

    /// Ends a step: closes the gaps that open where displacements are cut short (turning bodies do
    /// not fit together at a share of their displacements). Returns the rows of all bodies that
    /// were moved, and how far.
    pub(crate) fn mend_webs(
        &mut self,
        moved: &mut [[f32; 4]],
        is_cut: impl Fn(u32) -> bool,
        params: &JointParams,
    ) -> Vec<(u32, [f32; 3])> {
        let mut all = Vec::new();
        for index in 0..self.webs.len() {
            if self.webs[index].rows().any(&is_cut) {
                let rows: Vec<u32> = self.webs[index].rows().collect();
                let before: Vec<[f32; 4]> = rows.iter().map(|&row| moved[row as usize]).collect();
                self.aim_web(index, moved, (MOVES, params));
                for (row, [x, y, spin, _]) in rows.into_iter().zip(before) {
                    let now = moved[row as usize];
                    let by = [now[0] - x, now[1] - y, now[2] - spin];
                    if by != [0.0; 3] {
                        all.push((row, by));
                    }
                }
            }
        }
        all
    }

    /// Warm starts the drives of webs.
    pub(super) fn start_webs(&mut self, columns: &mut Columns, half: Half) {
        for web in &mut self.webs {
            web.warm_start((&mut self.blocks, &mut self.drives), &mut columns.velocity, half);
        }
    }

    pub(super) fn push_webs(&mut self, columns: &mut Columns, pass: JointPass, params: &JointParams) {
        let Joints { webs, blocks, drives, level, .. } = self;
        for web in webs {
            web.push((blocks, drives), (&mut columns.velocity, &columns.lag), (pass, params));
            if pass == JointPass::AfterLast {
                dispatch!(*level, lanes => {
                    for block in &mut blocks[web.blocks.clone()] {
                        for w in lanes.each() {
                            loops::solve::count(w, block, drives.get(block.drives as usize));
                        }
                    }
                });
            }
        }
    }
}
