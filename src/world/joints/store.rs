//! What joints did, back from their lanes.
//!
//! In: blocks after the sub-steps. Out: what broke; and, when the layout is about to change, impulses, forces and angles in the joints.

use glam::Vec2;

use super::super::World;
use super::lanes_of;
use crate::body::NONE;
use crate::event::JointBreak;
use crate::joint::{Impulses, Joint, JointDef};
use crate::simd::LANES;
use crate::solver::joints::block::{Block, Driven, LIMITS, MOTOR, SERVO};
use crate::solver::joints::{Coupled, NO_JOINT};

impl World {
    /// Counts angles on, and breaks what had to hold too much.
    pub(crate) fn store_joints(&mut self, dt: f32) {
        if self.solver.joints.is_empty() {
            return;
        }
        let mut broken = Vec::new();
        let joints = &mut self.solver.joints;
        for (block, of_block) in joints.blocks.iter_mut().zip(&joints.of_blocks) {
            block.start.angle = block.now.value[2];
            for (lane, slot) in lanes_of(of_block).filter(|_| block.breaks) {
                let (force, torque) = load_on(block, lane, dt);
                if breaks(&self.joints[slot as usize].def, force, torque) {
                    broken.push((slot, force, torque));
                }
            }
        }
        for (coupled, of) in joints.coupled.iter_mut().zip(&joints.of_coupled) {
            for end in &mut coupled.ends {
                end.start.angle = end.now.value[2];
            }
            for (lane, slot) in lanes_of(of) {
                let (force, torque) = load_on_second(coupled, lane, dt);
                if breaks(&self.joints[slot as usize].def, force, torque) {
                    broken.push((slot, force, torque));
                }
            }
        }
        joints.dt = dt;
        for (slot, force, torque) in broken {
            self.break_joint(slot, (force, torque), dt);
        }
    }

    fn break_joint(&mut self, slot: u32, (force, torque): (Vec2, f32), dt: f32) {
        let JointDef { body_a, body_b, user_data, .. } = self.joints[slot as usize].def;
        self.next_events.broken.push(JointBreak {
            joint: self.joint_id(slot),
            body_a,
            body_b,
            force: force.length(),
            torque: torque.abs(),
            impulse: force * dt,
            user_data,
        });
        self.drop_joint(slot);
    }

    /// Brings impulses, forces and angles back to the joints, before they are laid out anew.
    pub(super) fn bring_home(&mut self) {
        let solver = core::mem::take(&mut self.solver.joints);
        for (block, of_block) in solver.blocks.iter().zip(&solver.of_blocks) {
            let drives = solver.drives.get(block.drives as usize);
            for (lane, slot) in lanes_of(of_block) {
                // It may have been changed or removed since.
                let joint = &mut self.joints[slot as usize];
                if core::mem::replace(&mut joint.place, NO_JOINT) == NO_JOINT {
                    continue;
                }
                joint.angle = block.start.angle[lane] + joint.def.angle.unwrap_or(0.0);
                take_impulses(joint, block, drives, lane);
                (joint.force, joint.torque) = load_on(block, lane, solver.dt);
            }
        }
        for (coupled, of) in solver.coupled.iter().zip(&solver.of_coupled) {
            for (lane, slot) in lanes_of(of) {
                let joint = &mut self.joints[slot as usize];
                for half in 0..2 {
                    joint.impulses.held[half][0] = coupled.impulse[half][lane];
                }
                (joint.force, joint.torque) = load_on_second(coupled, lane, solver.dt);
            }
        }
        self.solver.joints = solver;
        self.solver.joints.clear();
    }

    /// The joints of a body that takes no part in steps any more hold nothing.
    pub(crate) fn unload_joints(&mut self, body: u32) {
        if self.first_joint[body as usize] == NONE {
            return;
        }
        self.bring_home();
        self.relink = true;
        let joints: Vec<u32> = self.joint_slots_of(body).collect();
        for slot in joints {
            let joint = &mut self.joints[slot as usize];
            (joint.force, joint.torque) = (Vec2::ZERO, 0.0);
        }
    }

    /// What passed through the joints of a body is forgotten.
    pub(crate) fn forget_joint_impulses(&mut self, body: u32) {
        self.bring_home();
        self.relink = true;
        let joints: Vec<u32> = self.joint_slots_of(body).collect();
        for slot in joints {
            let joint = &mut self.joints[slot as usize];
            joint.impulses = Impulses::default();
            (joint.force, joint.torque) = (Vec2::ZERO, 0.0);
            let angle = self.angle_near(&self.joints[slot as usize], 0.0);
            self.joints[slot as usize].angle = angle;
        }
    }

    /// Force and torque on B in the last step, as an average.
    pub(super) fn load_of(&self, slot: u32) -> (Vec2, f32) {
        let (joint, joints) = (&self.joints[slot as usize], &self.solver.joints);
        let (block, lane) = (joint.place as usize / LANES, joint.place as usize % LANES);
        if joints.of_blocks.get(block).is_some_and(|of| of[lane] == slot) {
            return load_on(&joints.blocks[block], lane, joints.dt);
        }
        let find = |of: &[u32; LANES]| of.iter().position(|&other| other == slot);
        let coupled = joints.of_coupled.iter().zip(&joints.coupled);
        let found = coupled.filter_map(|(of, coupled)| find(of).map(|lane| (coupled, lane))).next();
        found.map_or((joint.force, joint.torque), |(coupled, lane)| load_on_second(coupled, lane, joints.dt))
    }
}

fn take_impulses(joint: &mut Joint, block: &Block, drives: Option<&[Driven; 3]>, lane: usize) {
    for half in 0..2 {
        for k in 0..3 {
            joint.impulses.held[half][k] = block.held[half][k][lane];
            for by in [SERVO, MOTOR, LIMITS] {
                let impulse = drives.map_or(0.0, |drives| drives[k].impulse[half][by][lane]);
                joint.impulses.driven[half][k][by] = impulse;
            }
        }
    }
}

/// Force and torque on B that a lane of a block held in a step of `dt` seconds.
fn load_on(block: &Block, lane: usize, dt: f32) -> (Vec2, f32) {
    let [along, across, turn] = block.total.map(|column| column[lane]);
    let n = Vec2::new(block.now.axis[0][lane], block.now.axis[1][lane]);
    if dt > 0.0 { ((n * along + n.perp() * across) / dt, turn / dt) } else { (Vec2::ZERO, 0.0) }
}

/// The same of a coupling, at its second end.
fn load_on_second(coupled: &Coupled, lane: usize, dt: f32) -> (Vec2, f32) {
    let mut block = coupled.ends[1];
    block.total = [[0.0; LANES]; 3];
    block.total[coupled.numbers[1]][lane] = coupled.total[lane] * coupled.shares[1][lane];
    load_on(&block, lane, dt)
}

fn breaks(def: &JointDef, force: Vec2, torque: f32) -> bool {
    force.length() > def.break_force || torque.abs() > def.break_torque
}
