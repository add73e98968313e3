//! Parameters of a step: softness of contacts and joints, thresholds of restitution, limits.
//!
//! In: settings of the world and the length of a sub-step, once a step (`World::step_params`). Out:
//! one set of parameters for all passes.

use crate::tuning::{JointTuning, WebTuning};

/// Parameters of the sub-steps of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepParams {
    /// Length of the step.
    pub(crate) dt: f32,
    pub(crate) contact: ContactParams,
    /// The shorter of this sub-step and the one before: friction is warm started for this time.
    pub(crate) carried: f32,
    /// Length of a sub-step of the step before.
    pub(crate) before: f32,
    pub(crate) bounce: ImpactParams,
    pub(crate) joint: JointParams,
}

/// How stiff contacts are within a sub-step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactParams {
    /// One over the length of the sub-step.
    pub(crate) inv_h: f32,
    /// Share of an overlap that is pushed out in a second.
    pub(crate) push_rate: f32,
    /// Fastest push, in m/s.
    pub(crate) max_push: f32,
    /// Sliding speed above which friction is kinetic, in m/s.
    pub(crate) slip_speed: f32,
    /// Share of its load that a contact yields to in a pass.
    pub(crate) softness: f32,
}

/// Parameters of impacts: thresholds for bounces and hard landings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactParams {
    /// Length of the sub-step.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Slowest speed, in m/s, with which a body leaves again.
    pub(crate) threshold: f32,
    /// Slowest approach that counts as an impact even with restitution 0.
    pub(crate) blow: f32,
    /// Contacts deeper than this keep their warm-start impulse through an impact.
    pub(crate) deepest: f32,
    /// Upper bound of the change by gravity and forces in a sub-step, of a relative speed and of a
    /// spin.
    pub(crate) most_push: [f32; 2],
    /// See [`even_push`](super::contacts::impacts::even_push).
    pub(crate) even_push: Option<[f32; 2]>,
}

/// Parameters of joints in a sub-step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointParams {
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Share of a gap that is closed in a sub-step by iteration.
    pub(crate) rate: f32,
    /// Share of its load by which an iterated joint yields in a sub-step.
    pub(crate) softness: f32,
    /// Fastest that a gap is closed, in m/s.
    pub(crate) max_push: f32,
    /// Fastest that a gap of an angle is closed, in radians per second.
    pub(crate) max_turn: f32,
    pub(crate) tuning: JointTuning,
    pub(crate) webs: WebTuning,
    /// Fastest a body may go, in m/s.
    pub(crate) max_speed: f32,
}

impl JointParams {
    /// Fastest closing speed of an axis of a joint: along and across in m/s, the angle in radians
    /// per second.
    #[inline(always)]
    pub(crate) fn most_push(&self, number: usize) -> f32 {
        if number == 2 { self.max_turn } else { self.max_push }
    }
}
