//! The parameters of a step: softness of contacts from hertz and damping ratio, thresholds, limits.
//!
//! In: the definition of the world, the lengths of the step, of its sub-steps, and of the sub-steps
//! before. Out: the parameters of the solver's kernels (`solver/params.rs`).

use crate::ablate::Rule;
use crate::math::{max, min};
use crate::solver::{ContactParams, ImpactParams, JointParams, StepParams};
use crate::tuning::{self, Tuning};
use crate::world::World;

impl World {
    /// The parameters of a step of `dt` seconds in sub-steps of `h` seconds, which were of `before`
    /// seconds.
    ///
    /// A spring of ω = 2π hertz with damping ratio ζ, integrated implicitly, closes per second a
    /// share ω / (2ζ + h ω) of the gap, and yields to 1 / (1 + h ω (2ζ + h ω)) of its load (Catto,
    /// Soft Constraints, GDC 2011). Overlaps stem from the longer sub-step, and grow with its
    /// square, so ω of the longer one is used: in heaps whose steps were of 1/240 and 1/30 s in
    /// turn, short steps pushed out at 0.2 m/s the overlaps of long ones, and 19 of 20 never slept.
    pub(super) fn step_params(&self, dt: f32, h: f32, before: f32) -> StepParams {
        let before = if Rule::LongerStep.acts(before != h) { before } else { h };
        let inv_h = if h > 0.0 { 1.0 / h } else { 0.0 };
        let Tuning { margins, overlaps, contacts, joints, webs, .. } = self.tuning;
        let turn = core::f32::consts::TAU * tuning::CONTACT_HERTZ;
        let damping = 2.0 * tuning::CONTACT_DAMPING + turn;
        let contact = ContactParams {
            inv_h,
            push_rate: if h > 0.0 { turn / (max(h, before) * damping) } else { 0.0 },
            max_push: overlaps.max_push,
            slip_speed: contacts.slip_speed,
            softness: 1.0 / (1.0 + turn * damping),
        };
        let threshold = self.most_gravity() * h * self.def.sub_steps as f32;
        StepParams {
            dt,
            contact,
            carried: min(h, before),
            before,
            bounce: ImpactParams {
                h,
                inv_h,
                threshold,
                blow: max(threshold, contacts.landing_speed),
                deepest: margins.speculative,
                most_push: [0.0; 2],
                even_push: None,
            },
            joint: JointParams {
                h,
                inv_h,
                rate: tuning::JOINT_RATE,
                softness: tuning::JOINT_SOFTNESS,
                max_push: joints.max_push[0],
                max_turn: joints.max_push[2],
                tuning: joints,
                webs,
                max_speed: self.def.max_speed_in(dt),
            },
        }
    }
}
