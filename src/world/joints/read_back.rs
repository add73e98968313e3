//! Reads impulses and loads back from joint blocks.
//!
//! In: blocks after the sub-steps. Out: broken joints; and, when the layout is about to change,
//! impulses and forces in the joints.

use glam::Vec2;

use super::super::World;
use crate::body::{JointId, NONE, at_most};
use crate::event::JointBreak;
use crate::joint::{Impulses, Joint, JointDef};
use crate::math::min;
use crate::solver::joints::block::{Driven, JointBlock, LIMITS, MOTOR, SERVO};
use crate::solver::joints::{Coupled, Joints, NO_JOINT};
use crate::threads::Team;
use crate::tuning::MOST_JOINTS;
use crate::world::edit::joints::lanes_of;

impl World {
    /// Updates counted angles, and breaks overloaded joints.
    pub(crate) fn store_joints(&mut self, team: &Team, dt: f32) {
        if MOST_JOINTS == 0 || self.solver.joints.is_empty() {
            return;
        }
        let mut broken = Vec::new();
        let joints = &mut self.solver.joints;
        joints.finish(team);
        joints.dt = dt;
        let turned = |row: u32| self.columns.moved[row as usize][2];
        for (block, of_block) in joints.blocks.iter().zip(&joints.of_blocks) {
            for (lane, slot) in lanes_of(of_block) {
                let turns = &mut self.joints.turns[slot as usize];
                *turns = turns.after(turned(block.row_b[lane]) - turned(block.row_a[lane]));
            }
        }
        for (index, of_block) in
            joints.of_blocks.iter().enumerate().filter(|&(index, _)| joints.blocks[index].breaks)
        {
            for (lane, slot) in lanes_of(of_block) {
                let load = load_on(&joints.block_of(index, lane).0, lane, dt);
                if breaks(&self.joints.rows[slot as usize].def, load) {
                    broken.push((slot, load));
                }
            }
        }
        for (coupled, of) in joints.coupled.iter().zip(&joints.of_coupled) {
            for (lane, slot) in lanes_of(of) {
                let loads = [1, 0].map(|end| load_on_end(coupled, lane, end, dt));
                let def = &self.joints.rows[slot as usize].def;
                broken.extend(loads.into_iter().find(|&load| breaks(def, load)).map(|load| (slot, load)));
            }
        }
        // A gear may be removed with a hinge that breaks: then it did not break itself.
        let broken: Vec<_> = broken.into_iter().map(|(slot, load)| (self.joint_id(slot), load)).collect();
        for (id, load) in broken {
            if self.get_joint(id).is_some() {
                self.break_joint(id, load, dt);
            }
        }
    }

    fn break_joint(&mut self, id: JointId, (force, torque): Load, dt: f32) {
        let JointDef { body_a, body_b, user_data, .. } = *self[id].def();
        self.events.next.broken.push(JointBreak {
            joint: id,
            body_a,
            body_b,
            force: strength(force),
            torque: torque.abs(),
            impulse: force * dt,
            user_data,
        });
        self.drop_joint(id.index() as u32);
    }

    /// Brings impulses and forces back to the joints, before they are laid out anew.
    pub(super) fn flush_impulses(&mut self) {
        let mut solver = core::mem::take(&mut self.solver.joints);
        if !solver.is_empty() {
            self.bring_home(&mut solver);
            self.joints.layout = None;
            self.forget_places(&solver);
        }
        solver.clear();
        self.solver.joints = solver;
    }

    /// Brings impulses and forces back to the joints, and sets their layout aside: for a world that
    /// leaves a workspace. Where the layout may be taken over again, joints keep their places.
    pub(crate) fn park_joints(&mut self) {
        let mut solver = core::mem::take(&mut self.solver.joints);
        if !solver.is_empty() {
            self.bring_home(&mut solver);
            if solver.layout.is_none() {
                self.joints.layout = None;
                self.forget_places(&solver);
            }
            self.solver.parked = solver;
        }
    }

    /// Joints that were in lanes are now in none.
    fn forget_places(&mut self, solver: &Joints) {
        let places = solver.of_blocks.iter().chain(&solver.of_coupled).flat_map(lanes_of);
        places.for_each(|(_, slot)| self.joints.rows[slot as usize].place = NONE);
    }

    fn bring_home(&mut self, solver: &mut Joints) {
        solver.bring_in();
        for (block, of_block) in solver.blocks.iter().zip(&solver.of_blocks) {
            let drives = solver.drives.get(block.drives as usize);
            for (lane, slot) in lanes_of(of_block) {
                let joint = &mut self.joints.rows[slot as usize];
                take_impulses(joint, block, drives, lane);
                (joint.force, joint.torque) = load_on(block, lane, solver.dt);
            }
        }
        for (coupled, of) in solver.coupled.iter().zip(&solver.of_coupled) {
            for (lane, slot) in lanes_of(of) {
                let joint = &mut self.joints.rows[slot as usize];
                for half in 0..2 {
                    joint.impulses.held[half][0] = coupled.impulse[half][lane];
                }
                (joint.force, joint.torque) = load_on_end(coupled, lane, 1, solver.dt);
            }
        }
    }

    /// Flushes and empties the lane of one joint if all joints are in trees; else flushes all.
    pub(crate) fn bring_home_one(&mut self, slot: u32) {
        if !self.solver.joints.has_only_trees() {
            self.flush_impulses();
        } else if let Some((index, lane)) = self.lane_of(slot) {
            let joints = &mut self.solver.joints;
            let (block, drives) = joints.block_of(index, lane);
            let joint = &mut self.joints.rows[slot as usize];
            joint.place = NONE;
            take_impulses(joint, &block, drives.as_deref(), lane);
            (joint.force, joint.torque) = load_on(&block, lane, joints.dt);
            joints.of_blocks[index][lane] = NO_JOINT;
            joints.layout = None;
        }
    }

    /// Impulses of a joint in the last sub-step, and its load averaged over the last step.
    pub(crate) fn passed_by(&self, slot: u32) -> (Impulses, Load) {
        let mut impulses = self.impulses_of(slot);
        if let (Some(_), Some((index, lane))) =
            (self.joints.rows[slot as usize].def.kind.ratio(), self.lane_of(slot))
        {
            for half in 0..2 {
                impulses.held[half][0] = self.solver.joints.coupled[index].impulse[half][lane];
            }
        }
        (impulses, self.load_of(slot))
    }

    /// Impulses of a joint in the last sub-step.
    pub(super) fn impulses_of(&self, slot: u32) -> Impulses {
        let mut joint = self.joints.rows[slot as usize].clone();
        if let (None, Some((index, lane))) = (joint.def.kind.ratio(), self.lane_of(slot)) {
            let (block, drives) = self.solver.joints.block_of(index, lane);
            take_impulses(&mut joint, &block, drives.as_deref(), lane);
        }
        joint.impulses
    }

    /// Sets the loads of a body's joints to 0: the body no longer takes part in steps.
    pub(crate) fn unload_joints(&mut self, body: u32) {
        if self.joints.first_of(body) == NONE {
            return;
        }
        self.lay_out_joints_of(body);
        let joints: Vec<u32> = self.joint_slots_of(body).collect();
        for slot in joints {
            self.bring_home_one(slot);
            let joint = &mut self.joints.rows[slot as usize];
            (joint.force, joint.torque) = (Vec2::ZERO, 0.0);
        }
    }

    /// Sets the impulses of a body's joints to 0.
    pub(crate) fn forget_joint_impulses(&mut self, body: u32) {
        self.lay_out_joints_of(body);
        let joints: Vec<u32> = self.joint_slots_of(body).collect();
        for slot in joints {
            self.bring_home_one(slot);
            let joint = &mut self.joints.rows[slot as usize];
            joint.impulses = Impulses::default();
            (joint.force, joint.torque) = (Vec2::ZERO, 0.0);
            self.forget_turns(slot);
        }
    }

    /// Force and torque on B in the last step, as an average.
    pub(super) fn load_of(&self, slot: u32) -> Load {
        let (joint, joints) = (&self.joints.rows[slot as usize], &self.solver.joints);
        match self.lane_of(slot) {
            Some((index, lane)) if joint.def.kind.ratio().is_some() => {
                load_on_end(&joints.coupled[index], lane, 1, joints.dt)
            }
            Some((index, lane)) => load_on(&joints.block_of(index, lane).0, lane, joints.dt),
            None => (joint.force, joint.torque),
        }
    }
}

/// Force and torque on B.
pub(crate) type Load = (Vec2, f32);

pub(super) fn take_impulses(
    joint: &mut Joint,
    block: &JointBlock,
    drives: Option<&[Driven; 3]>,
    lane: usize,
) {
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

/// Force and torque on B by a lane of a block in a step of `dt` seconds. Impulses in axes that turn
/// with A are rotated by the axes at the end of the step.
pub(super) fn load_on(block: &JointBlock, lane: usize, dt: f32) -> Load {
    load_along(block, lane, block.total.map(|column| column[lane]), dt)
}

/// Force and torque of a coupling at one of its ends.
fn load_on_end(coupled: &Coupled, lane: usize, end: usize, dt: f32) -> Load {
    let mut total = [0.0; 3];
    total[coupled.numbers[end]] = coupled.total[lane] * coupled.shares[end][lane];
    load_along(&coupled.ends[end], lane, total, dt)
}

fn load_along(block: &JointBlock, lane: usize, [along, across, turn]: [f32; 3], dt: f32) -> Load {
    let n = Vec2::new(block.now.axis[0][lane], block.now.axis[1][lane]);
    if dt <= 0.0 {
        return (Vec2::ZERO, 0.0);
    }
    let force = (n * along + n.perp() * across) / dt;
    (Vec2::new(at_most(force.x, f32::MAX), at_most(force.y, f32::MAX)), at_most(turn / dt, f32::MAX))
}

fn breaks(def: &JointDef, (force, torque): Load) -> bool {
    strength(force) > def.break_force || torque.abs() > def.break_torque
}

/// The length of a force, even if its square would overflow.
fn strength(force: Vec2) -> f32 {
    let long = f64::from(force.x) * f64::from(force.x) + f64::from(force.y) * f64::from(force.y);
    min(long.sqrt() as f32, f32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_whose_square_is_no_number_has_a_strength() {
        assert_eq!(strength(Vec2::new(3.0e25, -4.0e25)), 4.9999997e25);
        assert_eq!(strength(Vec2::splat(f32::MAX)), f32::MAX);
        let def = JointDef::revolute(None, crate::BodyId::new(0, core::num::NonZeroU32::MIN))
            .breaks_at(1.0e26, 1.0);
        assert!(!breaks(&def, (Vec2::new(3.0e25, -4.0e25), 0.5)));
    }
}
