//! Springs of joints: their coefficients, from the masses that they are tuned for.
//!
//! In: the springs of definitions, masses of bodies, the length of a sub-step. Out: drives whose
//! servos pull as strongly as a sub-step can follow.

use glam::Vec2;

use super::fill::ends_of;
use crate::body::{NONE, flag};
use crate::joint::spring::Kick;
use crate::joint::{AxisMode, AxisModes, Drive, Joint, JointKind, Spring};
use crate::math::{Rot, min, sin_cos};
use crate::simd::LANES;
use crate::solver::joints::block::{Driven, JointBlock};
use crate::solver::joints::masses_at_rest;
use crate::world::World;
use crate::world::edit::joints::lanes_of;

impl World {
    /// Springs depend on the length of a sub-step.
    pub(super) fn fill_kicks(&mut self) {
        let mut joints = core::mem::take(&mut self.solver.joints);
        joints.filled.break_open();
        joints.kicks_for = self.step.h;
        joints.note_drives();
        let mut kicks = Kicks::new(self.step.h);
        for (block, of_block) in joints.blocks.iter().zip(&joints.of_blocks) {
            let Some(drives) = joints.drives.get_mut(block.drives as usize) else { continue };
            for (lane, slot) in lanes_of(of_block) {
                let axis_modes = self.joints.rows[slot as usize].def.axis_modes();
                let masses = self.masses_at_rest(slot, (block, lane), &axis_modes);
                fill_kick(drives, lane, (&axis_modes, masses), &mut kicks);
            }
        }
        self.solver.joints = joints;
    }

    /// Inverse masses and inertias of both bodies of a joint.
    fn weights_of(&self, joint: &Joint) -> [(f32, f32); 2] {
        [joint.body_a, joint.body_b].map(|body| {
            if body == NONE || !self.bodies.rows[body as usize].has(flag::DYNAMIC) {
                return (0.0, 0.0);
            }
            let body = &self.bodies.rows[body as usize];
            (body.inv_mass.max_element(), body.inv_inertia)
        })
    }

    /// Effective masses of a joint's axes at the present poses.
    fn masses_now(&self, slot: u32, axis_modes: &AxisModes) -> [f32; 3] {
        let (joint, stand) = (&self.joints.rows[slot as usize], self.stand(slot));
        let arm_a = stand.way + stand.arm_b;
        let apart = arm_a - stand.arm_a;
        let axis = if axis_modes.line { apart.normalize_or(stand.axis) } else { stand.axis };
        let seen = |arm: Vec2| {
            if joint.form.upright() { [arm.x, arm.y] } else { [axis.dot(arm), axis.perp_dot(arm)] }
        };
        masses_at_rest(joint.form, (seen(arm_a), seen(stand.arm_b)), self.weights_of(joint))
    }

    /// Effective masses of a joint's axes at rest, for which its springs are tuned. For a joint
    /// that acts along a line, both bodies are taken as in line with it.
    pub(super) fn masses_at_rest(
        &self,
        slot: u32,
        (block, lane): (&JointBlock, usize),
        axis_modes: &AxisModes,
    ) -> AtRest {
        let is_sprung = |mode: &AxisMode| matches!(mode, AxisMode::Driven(Drive { servo: Some(_), .. }));
        let is_strong = |mode: &AxisMode| match mode {
            AxisMode::Driven(Drive { servo: Some(servo), .. }) => {
                servo.force.lower < 0.0 && servo.force.upper > 0.0
            }
            _ => false,
        };
        if !axis_modes.modes.iter().any(is_sprung) {
            return AtRest::default();
        }
        let joint = &self.joints.rows[slot as usize];
        let weights = self.weights_of(joint);
        let local = |columns: &[[f32; LANES]; 2]| Vec2::new(columns[0][lane], columns[1][lane]);
        let (anchor_a, anchor_b) = (local(&block.seat.anchor_a), local(&block.seat.anchor_b));
        let gives_most = |arm_a: Vec2| {
            let [(m_a, i_a), (m_b, i_b)] = weights;
            m_a + m_b + i_a * arm_a.length_squared() + i_b * anchor_b.length_squared()
        };
        if axis_modes.line {
            let masses = masses_at_rest(block.form, ([0.0; 2], [0.0; 2]), weights);
            return AtRest { masses, gives_most: Some(gives_most(anchor_a)) };
        }
        let [along, across, turn] = axis_modes.modes.map(|mode| match mode {
            AxisMode::Locked(goal) => goal,
            AxisMode::Driven(Drive { servo: Some(servo), .. }) => servo.target,
            AxisMode::Driven(_) | AxisMode::Free => 0.0,
        });
        let axis = axis_modes.axis.normalize_or(Vec2::X);
        let (sin, cos) = sin_cos(joint.def.angle.unwrap_or(0.0) + turn);
        let arm_a = anchor_a + axis * along + axis.perp() * across;
        let arm_b = Rot { cos, sin } * anchor_b;
        let seen = |arm: Vec2| {
            if block.form.upright() { [arm.x, arm.y] } else { [axis.dot(arm), axis.perp_dot(arm)] }
        };
        // A motor that holds place and turn would be many times too soft if each spring were tuned
        // for bodies that are free to turn away under it. (For all joints, chains of soft sliders
        // gain a quarter of their energy: other joints hold the bodies there.)
        let mut form = block.form;
        if matches!(joint.def.kind, JointKind::Motor { .. }) {
            let modes = axis_modes.modes.iter().enumerate();
            modes.filter(|(_, mode)| is_strong(mode)).for_each(|(number, _)| form.hold(number));
        }
        let masses = masses_at_rest(form, (seen(arm_a), seen(arm_b)), weights);
        AtRest { masses, gives_most: axis_modes.round.then(|| gives_most(arm_a)) }
    }

    /// Returns the stiffness of the springs of a joint, in N/m, and N m per radian, with the
    /// sub-steps of the last step: two kicks a sub-step, each of `pull` per unit of error. Bodies
    /// may move to where a spring is too stiff for a sub-step (a slider far out on its rail, held
    /// across by a spring). There the stiffness is the most that a sub-step can follow.
    pub(super) fn stiffness_of(&self, slot: u32) -> [f32; 3] {
        let usual = 1.0 / (60.0 * self.def.sub_steps as f32);
        let h = if self.step.h > 0.0 { self.step.h } else { usual };
        let joint = &self.joints.rows[slot as usize];
        let axis_modes = joint.def.axis_modes();
        let (mut block, mut drives) =
            (JointBlock { form: joint.form, ..JointBlock::EMPTY }, [Driven::NOTHING; 3]);
        self.seat_lane(&mut block, 0, ends_of(joint));
        let masses = self.masses_at_rest(slot, (&block, 0), &axis_modes);
        fill_kick(&mut drives, 0, (&axis_modes, masses), &mut Kicks::new(h));
        let now = if axis_modes.round { [f32::INFINITY; 3] } else { self.masses_now(slot, &axis_modes) };
        core::array::from_fn(|k| {
            let most = if now[k] > 0.0 { drives[k].most_pull[0] * now[k] } else { f32::INFINITY };
            2.0 * min(drives[k].pull[0], most) / h
        })
    }
}

/// Data for tuning the springs of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AtRest {
    /// Effective masses of its axes.
    masses: [f32; 3],
    /// For a joint whose line of pull turns: inverse of the least effective mass of any direction,
    /// with both arms perpendicular to it.
    gives_most: Option<f32>,
}

/// Fills the coefficients of the springs of a joint.
///
/// A spring along and across has one stiffness in all directions, by the mean inverse mass of both:
/// with a stiffness per present direction it would do work whenever its bodies turn. For the same
/// reason a spring whose line turns is limited to the stiffness that a sub-step can follow at the
/// least effective mass, not only at the present one.
pub(super) fn fill_kick(
    drives: &mut [Driven; 3],
    lane: usize,
    (axis_modes, AtRest { mut masses, gives_most }): (&AxisModes, AtRest),
    kicks: &mut Kicks,
) {
    if axis_modes.round {
        let gives = |mass: f32| if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let mean = 0.5 * (gives(masses[0]) + gives(masses[1]));
        (masses[0], masses[1]) = (gives(mean), gives(mean));
    }
    for (number, (driven, mode)) in drives.iter_mut().zip(&axis_modes.modes).enumerate() {
        let AxisMode::Driven(Drive { servo: Some(servo), .. }) = mode else { continue };
        let Kick { share, pull, most_pull } = kicks.of(servo.spring);
        (driven.share[lane], driven.most_pull[lane]) = (share, most_pull);
        driven.pull[lane] = match gives_most {
            Some(most) if number < 2 && most > 0.0 => min(pull * masses[number], most_pull / most),
            _ => pull * masses[number],
        };
    }
}

/// Kicks of springs in sub-steps of one length. The last one is kept: most joints of a world have
/// the same spring as the one before, and a kick takes an exponential.
pub(super) struct Kicks {
    h: f32,
    last: (Spring, Kick),
}

impl Kicks {
    pub(super) fn new(h: f32) -> Kicks {
        let none = Spring { hertz: 0.0, damping: 0.0 };
        Kicks { h, last: (none, none.kick(h)) }
    }

    fn of(&mut self, spring: Spring) -> Kick {
        if spring != self.last.0 {
            self.last = (spring, spring.kick(self.h));
        }
        self.last.1
    }
}
