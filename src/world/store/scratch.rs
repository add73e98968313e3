//! Scratch lists of a step, kept for their memory; no part of the state.

use crate::step::{begin, ccd, collide, finish, prepare};
use crate::world::{piece, prediction};

/// Memory of the stages.
#[derive(Debug, Default)]
pub(crate) struct StageMemory {
    /// Outputs of narrowphase tests.
    pub(crate) output: collide::write::ChunkOutput,
    /// Outputs of finalizing bodies, for one thread.
    pub(crate) left: Vec<finish::bodies::Deferred>,
    pub(crate) boxes: Vec<finish::bodies::NewBox>,
    /// Bodies that freeze at the end of the step.
    pub(crate) lost: Vec<finish::quarantine::Lost>,
    pub(crate) collide: collide::CollideScratch,
    pub(crate) ccd: ccd::scratch::CcdScratch,
    pub(crate) settle: prepare::initial_load::LoadScratch,
    pub(crate) pressures: Vec<prepare::mass_scaling::Pressure>,
    pub(crate) blows: prepare::blows::Blows,
    pub(crate) dealing: begin::partition::Dealing,
    /// Memory for pieces that are cut out and pasted.
    pub(in crate::world) names: piece::graft::Names,
    pub(in crate::world) scenes: prediction::Scenes,
}
