//! All webs of a step, one after the other.
//!
//! In: bodies that have moved, velocities. Out: webs aimed and pushed, velocities; blocks with what
//! they did.
//!
//! What a web is, and what the other files of this folder do, stands in the head of `web.rs`.

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

impl Joints {
    /// Where they stand now.
    pub(super) fn aim_webs(&mut self, columns: &Columns, params: &JointParams) {
        let Joints { webs, blocks, drives, masses, pulled, level, .. } = self;
        for web in webs {
            dispatch!(*level, lanes => {
                for block in &mut blocks[web.blocks.clone()] {
                    for w in lanes.each() {
                        aim_block(w, block, &columns.moved, params.unit);
                    }
                }
            });
            web.aim((blocks, drives), (masses, pulled), params);
        }
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
