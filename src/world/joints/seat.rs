//! Joints into their lanes.
//!
//! In: a layout, and where the bodies stand. Out: filled blocks. Anchors, goals and drives once a layout; places, angles and turns
//! once a step.

use glam::Vec2;

use super::super::World;
use super::lanes_of;
use super::stand::nearest_turn;
use crate::joint::{Anchor, Drive, Joint, JointKind, Limits, Motor, Rule, Servo};
use crate::math::Rot;
use crate::simd::LANES;
use crate::solver::joints::Coupled;
use crate::solver::joints::block::{Block, Driven, LIMITS, MOTOR, SERVO};
use crate::tuning::REGION_SIZE;

impl World {
    /// Brings the joints of awake bodies to the solver.
    pub(crate) fn prepare_joints(&mut self) {
        if core::mem::take(&mut self.relink) {
            self.bring_home();
            self.lay_out_joints();
            self.seat_joints();
        }
        if self.solver.joints.is_empty() {
            return;
        }
        if self.last_h != self.solver.joints.kicks_for {
            self.fill_kicks();
        }
        self.fill_poses();
        self.count_turns();
        let joints = &mut self.solver.joints;
        joints.seat(&self.columns);
        joints.aim(&self.columns, self.last_h);
    }

    /// What stays the same until a joint changes: anchors, goals, drives; and the impulses that joints bring along.
    fn seat_joints(&mut self) {
        let mut joints = core::mem::take(&mut self.solver.joints);
        joints.placed.clear();
        let mut poses = Poses { placed: &mut joints.placed };
        for (index, (block, of_block)) in joints.blocks.iter_mut().zip(&joints.of_blocks).enumerate() {
            let mut drives = joints.drives.get_mut(block.drives as usize);
            for (lane, slot) in lanes_of(of_block) {
                let joint = &self.joints[slot as usize];
                let ends = [(joint.body_a, joint.def.anchor_a), (joint.body_b, joint.def.anchor_b)];
                self.seat_lane((block, lane), ends, &mut poses);
                fill_lane(block, lane, joint);
                if let Some(drives) = &mut drives {
                    fill_drives(drives, lane, joint);
                }
                self.joints[slot as usize].place = (index * LANES + lane) as u32;
            }
        }
        for (coupled, of) in joints.coupled.iter_mut().zip(&joints.of_coupled) {
            for (lane, slot) in lanes_of(of) {
                self.seat_coupled(coupled, lane, slot, &mut poses);
            }
        }
        // Now that they are counted: places of bodies that move come after those.
        let count = joints.placed.len() as u32;
        let ends = joints.coupled.iter_mut().flat_map(|coupled| &mut coupled.ends);
        for block in joints.blocks.iter_mut().chain(ends) {
            for (pose, row) in
                [(&mut block.seat.pose_a, &block.row_a), (&mut block.seat.pose_b, &block.row_b)]
            {
                for (pose, &row) in pose.iter_mut().zip(row).filter(|&(_, &row)| row != 0) {
                    *pose = count + row;
                }
            }
        }
        joints.kicks_for = f32::NAN;
        self.solver.joints = joints;
    }

    /// Where a lane of a block holds its bodies.
    fn seat_lane(&self, (block, lane): (&mut Block, usize), ends: [(u32, Anchor); 2], poses: &mut Poses) {
        let mut regions = [glam::IVec2::ZERO; 2];
        for (end, (body, anchor)) in ends.into_iter().enumerate() {
            let local = match anchor {
                Anchor::Local(point) => point - self.bodies[body as usize].local_center,
                Anchor::World(_) => Vec2::ZERO,
            };
            regions[end] = self.region_of(body, anchor);
            let row = if end == 0 { block.row_a[lane] } else { block.row_b[lane] };
            let pose = if row != 0 { 0 } else { poses.add(body, anchor) };
            let (seat, anchors) = if end == 0 {
                (&mut block.seat.pose_a, &mut block.seat.anchor_a)
            } else {
                (&mut block.seat.pose_b, &mut block.seat.anchor_b)
            };
            seat[lane] = pose;
            (anchors[0][lane], anchors[1][lane]) = (local.x, local.y);
        }
        let way = (regions[1] - regions[0]).as_vec2() * REGION_SIZE;
        (block.seat.regions[0][lane], block.seat.regions[1][lane]) = (way.x, way.y);
    }

    fn region_of(&self, body: u32, anchor: Anchor) -> glam::IVec2 {
        match anchor {
            Anchor::World(point) => point.region,
            Anchor::Local(_) => self.bodies[body as usize].region,
        }
    }

    fn seat_coupled(&self, coupled: &mut Coupled, lane: usize, slot: u32, poses: &mut Poses) {
        let joint = &self.joints[slot as usize];
        for (end, spots) in self.spots_of_ends(joint).into_iter().enumerate() {
            let block = &mut coupled.ends[end];
            self.seat_lane((block, lane), spots.ends, poses);
            (block.seat.axis[0][lane], block.seat.axis[1][lane]) = (spots.axis.x, spots.axis.y);
            block.start.angle[lane] = spots.angle;
        }
        coupled.shares[0][lane] = 1.0;
        coupled.shares[1][lane] = joint.def.kind.ratio().unwrap_or(0.0);
        coupled.sum[lane] = joint.sum;
        for half in 0..2 {
            coupled.impulse[half][lane] = joint.impulses.held[half][0];
        }
    }

    /// Springs depend on the length of a sub-step.
    fn fill_kicks(&mut self) {
        let h = self.last_h;
        let joints = &mut self.solver.joints;
        joints.kicks_for = h;
        for (block, of_block) in joints.blocks.iter().zip(&joints.of_blocks) {
            let Some(drives) = joints.drives.get_mut(block.drives as usize) else { continue };
            for (lane, slot) in lanes_of(of_block) {
                let rules = self.joints[slot as usize].def.makeup().rules;
                for (driven, rule) in drives.iter_mut().zip(rules) {
                    let Rule::Driven(Drive { servo: Some(servo), .. }) = rule else { continue };
                    let kick = servo.spring.kick(h);
                    (driven.share[lane], driven.pull[lane]) = (kick.share, kick.pull);
                }
            }
        }
    }

    /// Where the bodies stand: first those that joints hold and steps do not move, then the others in their order.
    fn fill_poses(&mut self) {
        let pose = &mut self.columns.pose;
        pose.clear();
        pose.push([0.0, 0.0, 1.0, 0.0]);
        let row = |center: Vec2, rotation: Rot| [center.x, center.y, rotation.cos, rotation.sin];
        for &(slot, anchor) in &self.solver.joints.placed {
            pose.push(match anchor {
                Anchor::World(point) => row(point.local, Rot::IDENTITY),
                Anchor::Local(_) => {
                    let body = &self.bodies[slot as usize];
                    row(body.center, body.rotation)
                }
            });
        }
        for &slot in &self.awake {
            let body = &self.bodies[slot as usize];
            pose.push(row(body.center, body.rotation));
        }
    }

    /// Angles that matter are taken from the rotations in each step; turns are counted on.
    fn count_turns(&mut self) {
        let pose = &self.columns.pose;
        let between = |a: u32, b: u32| {
            let rot = |row: u32| Rot { cos: pose[row as usize][2], sin: pose[row as usize][3] };
            (rot(a).inverse() * rot(b)).angle()
        };
        let joints = &mut self.solver.joints;
        for (block, of_block) in joints.blocks.iter_mut().zip(&joints.of_blocks) {
            if !block.form.turns() {
                continue;
            }
            for (lane, slot) in lanes_of(of_block) {
                let raw = between(block.seat.pose_a[lane], block.seat.pose_b[lane]);
                let zero = self.joints[slot as usize].def.angle.unwrap_or(0.0);
                block.start.angle[lane] = nearest_turn(raw - zero, block.start.angle[lane]);
            }
        }
        for (coupled, of) in joints.coupled.iter_mut().zip(&joints.of_coupled) {
            for (end, _) in coupled.numbers.into_iter().enumerate().filter(|&(_, number)| number == 2) {
                let block = &mut coupled.ends[end];
                for (lane, slot) in lanes_of(of) {
                    let raw = between(block.seat.pose_a[lane], block.seat.pose_b[lane]);
                    let JointKind::Gear { first, second, .. } = self.joints[slot as usize].def.kind else {
                        continue;
                    };
                    let geared = &self.joints[[first, second][end].index()];
                    let zero = geared.def.angle.unwrap_or(0.0);
                    block.start.angle[lane] = nearest_turn(raw - zero, block.start.angle[lane]);
                }
            }
        }
    }
}

/// What of a joint goes into a lane, its ends left out.
fn fill_lane(block: &mut Block, lane: usize, joint: &Joint) {
    let makeup = joint.def.makeup();
    let axis = makeup.axis.normalize_or(Vec2::X);
    (block.seat.axis[0][lane], block.seat.axis[1][lane]) = (axis.x, axis.y);
    block.start.angle[lane] = joint.angle - joint.def.angle.unwrap_or(0.0);
    block.breaks |= joint.def.break_force < f32::INFINITY || joint.def.break_torque < f32::INFINITY;
    for (number, rule) in makeup.rules.iter().enumerate() {
        if let Rule::Held(goal) = rule {
            block.seat.goal[number][lane] = *goal;
        }
        for half in 0..2 {
            block.held[half][number][lane] = joint.impulses.held[half][number];
        }
    }
}

fn fill_drives(drives: &mut [Driven; 3], lane: usize, joint: &Joint) {
    for (number, rule) in joint.def.makeup().rules.iter().enumerate() {
        let driven = &mut drives[number];
        for half in 0..2 {
            for by in [SERVO, MOTOR, LIMITS] {
                driven.impulse[half][by][lane] = joint.impulses.driven[half][number][by];
            }
        }
        let Rule::Driven(Drive { limits, motor, servo }) = rule else { continue };
        if let Some(Servo { target, force, .. }) = servo {
            driven.target[lane] = *target;
            (driven.least[lane], driven.most[lane]) = (force.lower, force.upper);
        }
        if let Some(Motor { speed, max }) = motor {
            (driven.speed[lane], driven.max[lane]) = (*speed, *max);
        }
        if let Some(Limits { lower, upper }) = limits {
            (driven.lower[lane], driven.upper[lane]) = (*lower, *upper);
        }
    }
}

/// Places of what no step moves, after one for nothing.
struct Poses<'j> {
    placed: &'j mut Vec<(u32, Anchor)>,
}

impl Poses<'_> {
    fn add(&mut self, body: u32, anchor: Anchor) -> u32 {
        self.placed.push((body, anchor));
        self.placed.len() as u32
    }
}
