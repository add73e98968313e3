//! Lengths and counts of the last step.

use crate::step::StepStats;

/// Lengths and counts of the last step.
#[derive(Clone, Debug)]
pub(crate) struct StepState {
    /// Length of the last step, in seconds.
    pub(crate) dt: f32,
    /// Length of the sub-steps of this step.
    pub(crate) h: f32,
    /// Number of steps so far.
    pub(crate) number: u64,
    /// Number of touching contacts in the step before.
    pub(crate) contacts_before: usize,
    /// Number of contacts that began to touch in this step.
    pub(crate) new_touches: usize,
    /// Whether a body moved farther in this step than its thickness.
    pub(crate) any_far: bool,
    pub(crate) stats: StepStats,
}

impl Default for StepState {
    fn default() -> StepState {
        StepState {
            dt: 1.0 / 60.0,
            h: 0.0,
            number: 0,
            contacts_before: 0,
            new_touches: 0,
            any_far: false,
            stats: StepStats::default(),
        }
    }
}
