//! Joints in islands: bodies that they wake together (island edges), and bodies that they keep
//! awake.

use glam::Vec2;

use crate::body::{NONE, flag};
use crate::joint::{AxisMode, Drive, Joint, JointKind, Limits, Motor};
use crate::world::World;
use crate::world::edit::joints::lanes_of;

impl World {
    /// Wakes bodies that are joined to a body.
    pub(crate) fn wake_jointed(&mut self, body: u32) {
        let mut slot = self.joints.first_of(body);
        while slot != NONE {
            let Joint { body_a, body_b, is_on, .. } = self.joints.rows[slot as usize];
            for other in [body_a, body_b].into_iter().filter(|&other| is_on && other != NONE && other != body)
            {
                self.wake(other);
            }
            slot = self.next_joint(slot, body);
        }
    }

    /// Whether a joint carries the weight of bodies that hang on it, by a locked axis or a spring
    /// along or across.
    pub(crate) fn bears(&self, slot: u32) -> bool {
        let Joint { body_a, body_b, firm, is_on, def, .. } = &self.joints.rows[slot as usize];
        let is_spring = |mode: &AxisMode| match mode {
            AxisMode::Driven(drive) => drive.servo.is_some_and(|servo| servo.spring.hertz > 0.0),
            AxisMode::Locked(_) | AxisMode::Free => false,
        };
        let there = *is_on && self.takes_part(*body_a) && self.takes_part(*body_b);
        there && (*firm || def.axis_modes().modes[..2].iter().any(is_spring))
    }

    /// Whether a joint passes on forces between an awake body and a sleeping one.
    pub(crate) fn pulls_sleeper(&self, slot: u32) -> bool {
        let joint = &self.joints.rows[slot as usize];
        let asleep = |body: u32| body != NONE && self.bodies.rows[body as usize].island != NONE;
        let filter = matches!(joint.def.kind, JointKind::Filter);
        joint.is_on && !filter && asleep(joint.body_a) != asleep(joint.body_b)
    }

    /// Wakes bodies that sleep at one end of a joint when the other end moves, as contacts do.
    pub(crate) fn wake_pulled(&mut self) {
        let pulled = core::mem::take(&mut self.islands.pulled);
        for &slot in &pulled {
            // The joint may have been removed or replaced since.
            if self.joints.slots.tenant(slot).is_none() || !self.pulls_sleeper(slot) {
                continue;
            }
            let Joint { body_a, body_b, .. } = self.joints.rows[slot as usize];
            let stirs = |body: u32| {
                let body = &self.bodies.rows[body as usize];
                let moves = body.linear_velocity != Vec2::ZERO || body.angular_velocity != 0.0;
                body.is_awake() && if body.has(flag::DYNAMIC) { body.sleep_time == 0.0 } else { moves }
            };
            if [body_a, body_b].into_iter().any(|body| body != NONE && stirs(body)) {
                [body_a, body_b].into_iter().filter(|&body| body != NONE).for_each(|body| self.wake(body));
            }
        }
        self.islands.pulled = pulled;
    }

    /// Finds pairs of solver rows that joints keep in one island, and rows that may not sleep:
    /// bodies at a moving kinematic body or a running motor, and bodies whose joints still close a
    /// gap.
    pub(crate) fn find_jointed(&self, pairs: &mut Vec<(u32, u32)>, restless: &mut Vec<u32>) {
        pairs.clear();
        restless.clear();
        if self.joints.slots.is_empty() {
            return;
        }
        for &body in &self.bodies.awake {
            let row = self.bodies.solver_rows[body as usize];
            let kinematic = !self.bodies.rows[body as usize].has(flag::DYNAMIC);
            let moves = self.bodies.rows[body as usize].linear_velocity != Vec2::ZERO
                || self.bodies.rows[body as usize].angular_velocity != 0.0;
            if kinematic && moves && self.is_jointed(body) {
                restless.push(row);
            }
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints.rows[slot as usize];
                if !joint.is_on {
                    continue;
                }
                let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
                if self.runs(slot, joint) {
                    restless.push(row);
                }
                if other == NONE || self.bodies.solver_rows[other as usize] == 0 {
                    continue;
                }
                let other_row = self.bodies.solver_rows[other as usize];
                let other_dynamic = self.bodies.rows[other as usize].has(flag::DYNAMIC);
                if !kinematic && other_dynamic && joint.body_a == body {
                    pairs.push((row, other_row));
                }
                if kinematic && moves && other_dynamic {
                    restless.push(other_row);
                }
            }
        }
        self.note_gaps(restless);
    }

    /// Whether a motor moves a joint, or is about to: not without strength, without a body to turn,
    /// or at its limit.
    fn runs(&self, slot: u32, joint: &Joint) -> bool {
        // Most joints are hinges without a running motor: their axes need not be computed for that.
        let stands = joint.def.drive.motor.is_none_or(|motor| motor.speed == 0.0);
        if stands && matches!(joint.def.kind, JointKind::Revolute) {
            return false;
        }
        let modes = joint.def.axis_modes().modes;
        let motor = |mode: &AxisMode| match mode {
            AxisMode::Driven(Drive { motor: Some(motor), .. }) => motor.speed != 0.0 && motor.max > 0.0,
            _ => false,
        };
        let there = |body: u32| body == NONE || self.bodies.rows[body as usize].is_enabled();
        if !modes.iter().any(motor) || !there(joint.body_a) || !there(joint.body_b) {
            return false;
        }
        let numbers = self.numbers_of(slot);
        modes.iter().zip(numbers).enumerate().any(|(k, (mode, number))| {
            let open = self.tuning.sleep.joint_gap[k];
            let AxisMode::Driven(Drive { motor: Some(Motor { speed, .. }), limits, .. }) = mode else {
                return false;
            };
            let stopped = |Limits { lower, upper }: Limits| {
                if *speed > 0.0 { number > upper - open } else { number < lower + open }
            };
            motor(mode) && !limits.is_some_and(stopped)
        })
    }

    /// Adds rows of bodies whose joints still close a gap. These are the present rows: some bodies
    /// may have fallen asleep since the step was solved.
    fn note_gaps(&self, restless: &mut Vec<u32>) {
        for (block, of_block) in self.solver.joints.blocks.iter().zip(&self.solver.joints.of_blocks) {
            for (lane, slot) in lanes_of(of_block) {
                let off = |k: usize| (block.now.value[k][lane] - block.seat.goal[k][lane]).abs();
                if (0..3).any(|k| block.form.holds(k) && off(k) > self.tuning.sleep.joint_gap[k]) {
                    let Joint { body_a, body_b, .. } = self.joints.rows[slot as usize];
                    let bodies = [body_a, body_b].into_iter().filter(|&body| body != NONE);
                    let rows = bodies.map(|body| self.bodies.solver_rows[body as usize]);
                    restless.extend(rows.filter(|&row| row != 0));
                }
            }
        }
    }
}
