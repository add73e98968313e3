//! Parameters of a step: softness of contacts and joints, thresholds of restitution, limits.
//!
//! In: settings of the world and the length of a sub-step, once a step (`World::step_params`). Out:
//! the same for all passes.

/// Parameters of the sub-steps of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepParams {
    /// Length of the step.
    pub(crate) dt: f32,
    pub(crate) contact: ContactParams,
    /// The shorter of this sub-step and the one before: for so long, friction is carried over.
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

/// What decides whether a touch is a bounce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactParams {
    /// Length of the sub-step.
    pub(crate) h: f32,
    pub(crate) inv_h: f32,
    /// Slowest speed, in m/s, at which anything leaves again.
    pub(crate) threshold: f32,
    /// Slowest approach that counts as an impact however little is given back.
    pub(crate) blow: f32,
    /// What is deeper keeps what it held through an impact.
    pub(crate) deepest: f32,
    /// What gravity and forces add to a speed at most in a sub-step, and to a spin.
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
    /// Share of what it bears that an iterated joint yields in a sub-step.
    pub(crate) softness: f32,
    /// Fastest that a gap is closed, in m/s.
    pub(crate) max_push: f32,
    /// The same of an angle, in radians a second.
    pub(crate) max_turn: f32,
    /// How many units of length a metre has: see [`WorldDef::unit`](crate::WorldDef::unit).
    pub(crate) unit: f32,
    /// Fastest a body may go, in m/s.
    pub(crate) max_speed: f32,
}

impl JointParams {
    /// Fastest that a number of a joint is brought to its place: along and across in m/s, the angle
    /// in radians a second.
    #[inline(always)]
    pub(crate) fn most_push(&self, number: usize) -> f32 {
        if number == 2 { self.max_turn } else { self.max_push }
    }
}
