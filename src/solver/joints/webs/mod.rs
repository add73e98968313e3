//! All webs of a step, one after the other.
//!
//! In: bodies that have moved, velocities. Out: webs aimed and pushed, velocities; blocks with what
//! they did.
//!
//! What a web is, and what the other files of this folder do, stands in the head of `web.rs`.

mod edge;
mod elimination;
mod factor;
mod solve;
pub(super) mod web;

use super::{Columns, JointPass, Joints};
use crate::simd::dispatch;
use crate::solver::joints::loops;
use crate::solver::joints::pass::Half;
use crate::solver::params::JointParams;
use web::aim_block;

/// How often bodies are moved to close gaps, at most.
const MOVES: usize = 4;

impl Joints {
    /// Where they stand now. Gaps that opened although all was held, because a contact struck
    /// between the push and the move, or a body turned too far to be foreseen, are closed by moving
    /// the bodies: a push would leave them the speed of it.
    pub(super) fn aim_webs(&mut self, columns: &mut Columns, have_moved: bool, params: &JointParams) {
        let moves = if have_moved { MOVES } else { 0 };
        for index in 0..self.webs.len() {
            self.aim_web(index, &mut columns.moved, (moves, params));
        }
    }

    /// Aims a web, and moves its bodies up to so many times.
    fn aim_web(&mut self, index: usize, moved: &mut [[f32; 4]], (moves, params): (usize, &JointParams)) {
        let Joints { webs, blocks, drives, masses, pulled, level, .. } = self;
        let web = &mut webs[index];
        for round in 0..=moves {
            dispatch!(*level, lanes => {
                for block in &mut blocks[web.blocks.clone()] {
                    for w in lanes.each() {
                        aim_block(w, block, moved, params.unit);
                    }
                }
            });
            web.aim((blocks, drives), (masses, pulled), params);
            if round == moves || !web.is_open(params) {
                break;
            }
            web.close_by_moving((blocks, drives), moved, params);
        }
    }

    /// As a step ends: closes the gaps that open where the ways of bodies are cut short, for bodies
    /// that turn are not together at a share of their ways. Answers the rows of all bodies that
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

    /// What drives did in the sub-step before.
    pub(super) fn start_webs(&mut self, columns: &mut Columns, half: Half) {
        for web in &mut self.webs {
            web.warm_start((&mut self.blocks, &mut self.drives), &mut columns.velocity, half);
        }
    }

    pub(super) fn push_webs(&mut self, columns: &mut Columns, pass: JointPass, params: &JointParams) {
        let Joints { webs, blocks, drives, level, .. } = self;
        for web in webs {
            web.push((blocks, drives), &mut columns.velocity, (pass, params));
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
