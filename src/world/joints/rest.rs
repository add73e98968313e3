//! What joints have to say about sleep: who wakes with whom, who may not rest.

use glam::Vec2;

use super::super::World;
use crate::body::{NONE, flag};
use crate::joint::{Joint, Rule};
use crate::simd::LANES;

/// Gap, in metres or radians, at which bodies do not rest.
const OPEN: f32 = 1.0e-3;

/// Most bodies that are held up because one of them is. More would stop a whole net for one of its knots.
const MOST_HELD: usize = 64;

impl World {
    /// Wakes what hangs on a body by joints.
    pub(crate) fn wake_jointed(&mut self, body: u32) {
        let mut slot = self.first_joint[body as usize];
        while slot != NONE {
            let Joint { body_a, body_b, .. } = self.joints[slot as usize];
            for other in [body_a, body_b].into_iter().filter(|&other| other != NONE && other != body) {
                self.wake(other);
            }
            slot = self.next_joint(slot, body);
        }
    }

    /// The awake dynamic bodies that joints hold together with one, directly or through others, up to [`MOST_HELD`]; itself left
    /// out.
    pub(crate) fn held_with(&self, body: u32) -> Vec<u32> {
        let mut found = vec![body];
        let mut next = 0;
        while let Some(&body) = found.get(next) {
            next += 1;
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints[slot as usize];
                let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
                let gives = |slot: u32| {
                    let body = &self.bodies[slot as usize];
                    body.is_awake() && body.has(flag::DYNAMIC)
                };
                let holds = || joint.def.makeup().rules.iter().any(|rule| matches!(rule, Rule::Held(_)));
                let room = found.len() < MOST_HELD;
                if room && other != NONE && gives(other) && !found.contains(&other) && holds() {
                    found.push(other);
                }
            }
        }
        found.remove(0);
        found
    }

    /// Pairs of solver rows that joints keep in one island, and rows that may not sleep: what a moving kinematic body or a
    /// running motor holds.
    pub(crate) fn jointed_rows(&self) -> (Vec<(u32, u32)>, Vec<u32>) {
        let (mut pairs, mut restless) = (Vec::new(), Vec::new());
        if self.joint_slots.is_empty() {
            return (pairs, restless);
        }
        for &body in &self.awake {
            let row = self.solver_rows[body as usize];
            let kinematic = !self.bodies[body as usize].has(flag::DYNAMIC);
            let moves = self.bodies[body as usize].linear_velocity != Vec2::ZERO
                || self.bodies[body as usize].angular_velocity != 0.0;
            if kinematic && moves && self.first_joint[body as usize] != NONE {
                restless.push(row);
            }
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints[slot as usize];
                let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
                let runs = |rule: &Rule| {
                    let Rule::Driven(drive) = rule else { return false };
                    drive.motor.is_some_and(|motor| motor.speed != 0.0)
                };
                let running = joint.def.makeup().rules.iter().any(runs);
                if running {
                    restless.push(row);
                }
                if other == NONE || self.solver_rows[other as usize] == 0 {
                    continue;
                }
                let other_row = self.solver_rows[other as usize];
                let other_dynamic = self.bodies[other as usize].has(flag::DYNAMIC);
                if !kinematic && other_dynamic && joint.body_a == body {
                    pairs.push((row, other_row));
                }
                if kinematic && moves && other_dynamic {
                    restless.push(other_row);
                }
            }
        }
        self.note_gaps(&mut restless);
        (pairs, restless)
    }

    /// Rows of bodies that joints are still bringing to their places.
    fn note_gaps(&self, restless: &mut Vec<u32>) {
        for block in &self.solver.joints.blocks {
            for lane in 0..LANES {
                let off = |k: usize| (block.now.value[k][lane] - block.seat.goal[k][lane]).abs();
                let open = (0..3).any(|k| block.form.holds(k) && off(k) > OPEN);
                let rows = [block.row_a[lane], block.row_b[lane]];
                restless.extend(rows.into_iter().filter(|&row| open && row != 0));
            }
        }
    }
}
