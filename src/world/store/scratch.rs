//! Lists that every step makes anew, kept for their memory; no part of the state.

use crate::world::{begin, collide, finish, prepare};

/// Memory of the stages.
#[derive(Debug, Default)]
pub(crate) struct StageMemory {
    /// What narrowphase tests found.
    pub(crate) finds: collide::write::ChunkOutput,
    /// What is left for one thread after bodies are put back.
    pub(crate) left: Vec<finish::bodies::Deferred>,
    pub(crate) boxes: Vec<finish::bodies::NewBox>,
    /// Bodies that freeze at the end of the step.
    pub(crate) lost: Vec<finish::quarantine::Lost>,
    pub(crate) collide: collide::CollideScratch,
    pub(crate) settle: prepare::initial_load::LoadScratch,
    pub(crate) pressures: Vec<prepare::mass_scaling::Pressure>,
    pub(crate) dealing: begin::partition::Dealing,
}
