//! Joints into the solver, and back.
//!
//! In: joints whose bodies are awake. Out: filled blocks before the sub-steps; impulses, forces, angles and breaks after them. The
//! layout is made anew when joints or awake bodies are others than before.

use core::f32::consts::TAU;
use glam::Vec2;

use super::super::World;
use super::arm;
use crate::body::{NONE, flag};
use crate::event::JointBreak;
use crate::joint::{Anchor, Drive, Joint, JointDef, JointKind, Limits, Makeup, Motor, Rule, Servo};
use crate::math::{Rot, WorldPoint};
use crate::simd::LANES;
use crate::solver::joints::block::{Block, Driven, Form, LIMITS, MOTOR, SERVO};
use crate::solver::joints::layout::{Layout, Spec};
use crate::solver::joints::{Coupled, NO_JOINT};

/// Where a joint holds one of its bodies.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) center: WorldPoint,
    /// From there to the anchor.
    pub(super) arm: Vec2,
    pub(super) rotation: Rot,
}

/// Where a joint stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Stand {
    pub(super) arm_a: Vec2,
    pub(super) arm_b: Vec2,
    pub(super) way: Vec2,
    pub(super) axis: Vec2,
    /// Of B against A, less the one that counts as 0.
    pub(super) angle: f32,
}

impl Stand {
    pub(super) fn between(a: &Spot, b: &Spot) -> Stand {
        let way = a.center.to(b.center);
        Stand { arm_a: a.arm, arm_b: b.arm, way, axis: a.rotation * Vec2::X, angle: 0.0 }
    }
}

impl World {
    pub(super) fn spot(&self, body: u32, anchor: Anchor) -> Spot {
        match anchor {
            Anchor::World(center) => Spot { center, arm: Vec2::ZERO, rotation: Rot::IDENTITY },
            Anchor::Local(point) => {
                let body = &self.bodies[body as usize];
                Spot { center: body.world_center(), arm: arm(body, point), rotation: body.rotation }
            }
        }
    }

    /// Where a joint stands; its angle only if it is asked for.
    pub(super) fn stand(&self, joint: &Joint, with_angle: bool) -> Stand {
        let a = self.spot(joint.body_a, joint.def.anchor_a);
        let b = self.spot(joint.body_b, joint.def.anchor_b);
        let mut stand = Stand::between(&a, &b);
        if let JointKind::Prismatic { axis } | JointKind::Wheel { axis, .. } = joint.def.kind {
            stand.axis = a.rotation * axis.normalize_or(Vec2::X);
        }
        if with_angle {
            let raw = (a.rotation.inverse() * b.rotation).angle();
            let turned = raw + TAU * ((joint.angle - raw) / TAU).round();
            stand.angle = turned - joint.def.angle.unwrap_or(0.0);
        }
        stand
    }

    /// Brings the joints of awake bodies to the solver.
    pub(crate) fn prepare_joints(&mut self) {
        if core::mem::take(&mut self.relink) {
            self.lay_out_joints();
        }
        if self.solver.joints.is_empty() {
            return;
        }
        let mut joints = core::mem::take(&mut self.solver.joints);
        let h = self.last_h;
        for index in 0..joints.blocks.len() {
            let of_block = joints.of_blocks[index];
            let block = &mut joints.blocks[index];
            let mut drives = joints.drives.get_mut(block.drives as usize);
            for (lane, &slot) in of_block.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
                let joint = &self.joints[slot as usize];
                self.fill_lane(block, lane, &self.stand(joint, block.form.turns()));
                block.total.iter_mut().for_each(|column| column[lane] = 0.0);
                for (half, held) in block.held.iter_mut().enumerate() {
                    (0..3).for_each(|k| held[k][lane] = joint.impulses.held[half][k]);
                }
                fill_goals(block, lane, joint);
                if let Some(drives) = &mut drives {
                    fill_drives(drives, lane, joint, h);
                }
            }
        }
        for (coupled, of) in joints.coupled.iter_mut().zip(&joints.of_coupled) {
            for (lane, &slot) in of.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
                self.fill_coupled(coupled, lane, slot);
            }
        }
        joints.aim(&self.columns, h);
        self.solver.joints = joints;
    }

    /// Where a lane of a block stands, and how heavy its bodies are.
    fn fill_lane(&self, block: &mut Block, lane: usize, stand: &Stand) {
        let mass_a = self.columns.mass[block.row_a[lane] as usize];
        let mass_b = self.columns.mass[block.row_b[lane] as usize];
        for k in 0..2 {
            block.inv_mass_a[k][lane] = mass_a[k];
            block.inv_mass_b[k][lane] = mass_b[k];
            block.anchor_a[k][lane] = stand.arm_a[k];
            block.anchor_b[k][lane] = stand.arm_b[k];
            block.way[k][lane] = stand.way[k];
            block.axis[k][lane] = stand.axis[k];
        }
        block.inv_inertia_a[lane] = mass_a[2];
        block.inv_inertia_b[lane] = mass_b[2];
        block.angle[lane] = stand.angle;
    }

    fn fill_coupled(&self, coupled: &mut Coupled, lane: usize, slot: u32) {
        let joint = &self.joints[slot as usize];
        for end in 0..2 {
            let stand = self.stand_of_end(joint, end);
            self.fill_lane(&mut coupled.ends[end], lane, &stand);
        }
        coupled.shares[0][lane] = 1.0;
        coupled.shares[1][lane] = joint.def.kind.ratio().unwrap_or(0.0);
        coupled.sum[lane] = joint.sum;
        coupled.total[lane] = 0.0;
        for half in 0..2 {
            coupled.impulse[half][lane] = joint.impulses.held[half][0];
        }
    }

    /// Which joints are solved, and in which blocks.
    fn lay_out_joints(&mut self) {
        let mut specs = Vec::new();
        let mut couplings = Vec::new();
        for &body in &self.awake {
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints[slot as usize];
                let row_a = if joint.body_a == NONE { 0 } else { self.solver_rows[joint.body_a as usize] };
                // Each joint once: by its body A, if that is awake.
                if joint.body_a != body && row_a != 0 {
                    continue;
                }
                if self.ends_of(joint).is_some() {
                    couplings.push(slot);
                } else if let Some(spec) = self.spec_of(slot) {
                    specs.push(spec);
                }
            }
        }
        let layout = Layout::new(&specs, self.awake.len() + 1);
        self.solver.joints.lay_out(layout);
        self.lay_out_couplings(&couplings);
    }

    /// What the layout has to know of a joint; `None` if it holds nothing now.
    fn spec_of(&self, slot: u32) -> Option<Spec> {
        let joint = &self.joints[slot as usize];
        let (row_a, gives_a) = self.side(joint.body_a)?;
        let (row_b, gives_b) = self.side(joint.body_b)?;
        let form = form_of(&joint.def.makeup());
        let works = (gives_a || gives_b) && form != Form::default();
        works.then_some(Spec { joint: slot, row_a, row_b, gives_a, gives_b, form, serial: joint.serial })
    }

    /// The solver row of a body, and whether impulses move it; `None` if it takes no part in the world.
    fn side(&self, body: u32) -> Option<(u32, bool)> {
        if body == NONE {
            return Some((0, false));
        }
        let row = &self.bodies[body as usize];
        let enabled = row.is_enabled();
        enabled.then(|| (self.solver_rows[body as usize], row.is_awake() && row.has(flag::DYNAMIC)))
    }

    /// Couplings go into blocks of one kind, no body twice in a block. One that finds no room has a block of its own.
    fn lay_out_couplings(&mut self, couplings: &[u32]) {
        let mut joints = core::mem::take(&mut self.solver.joints);
        joints.coupled.clear();
        joints.of_coupled.clear();
        joints.coupled_alone.clear();
        for &slot in couplings {
            let joint = &self.joints[slot as usize];
            let Some(ends) = self.ends_of(joint) else { continue };
            let sides = ends.map(|end| (self.side(end.body_a), self.side(end.body_b)));
            let [(Some(a), Some(b)), (Some(c), Some(d))] = sides else { continue };
            let slack = joint.def.kind.slackens();
            let numbers = ends.map(|end| end.number);
            let rows = [a, b, c, d];
            let fits = |coupled: &Coupled| {
                let taken = |row: u32| {
                    coupled.ends.iter().any(|end| end.row_a.contains(&row) || end.row_b.contains(&row))
                };
                coupled.numbers == numbers
                    && coupled.slack == slack
                    && !rows.iter().any(|&(row, _)| row != 0 && taken(row))
            };
            // Looking only at the last few keeps this short.
            let recent = joints.coupled.len().saturating_sub(8);
            let found = (recent..joints.coupled.len())
                .find(|&k| joints.of_coupled[k].contains(&NO_JOINT) && fits(&joints.coupled[k]));
            let place = found.unwrap_or_else(|| {
                let mut coupled = Coupled::new(numbers, slack);
                for end in 0..2 {
                    if ends[end].line {
                        coupled.ends[end].form.set_line();
                    }
                }
                joints.coupled.push(coupled);
                joints.of_coupled.push([NO_JOINT; LANES]);
                joints.coupled_alone.push(false);
                joints.coupled.len() - 1
            });
            let Some(lane) = joints.of_coupled[place].iter().position(|&slot| slot == NO_JOINT) else {
                continue;
            };
            joints.of_coupled[place][lane] = slot;
            let coupled = &mut joints.coupled[place];
            (coupled.ends[0].row_a[lane], coupled.ends[0].row_b[lane]) = (a.0, b.0);
            (coupled.ends[1].row_a[lane], coupled.ends[1].row_b[lane]) = (c.0, d.0);
            for (x, first) in [a, b].into_iter().enumerate() {
                for (y, second) in [c, d].into_iter().enumerate() {
                    let shared = first.0 != 0 && first.0 == second.0 && first.1;
                    coupled.shared[x][y][lane] = if shared { 1.0 } else { 0.0 };
                }
            }
        }
        self.solver.joints = joints;
    }

    /// Brings impulses, forces and angles back to the joints, and breaks what had to hold too much.
    pub(crate) fn store_joints(&mut self, dt: f32) {
        if self.solver.joints.is_empty() {
            return;
        }
        let solver = core::mem::take(&mut self.solver.joints);
        let mut broken = Vec::new();
        for (block, of_block) in solver.blocks.iter().zip(&solver.of_blocks) {
            let drives = solver.drives.get(block.drives as usize);
            for (lane, &slot) in of_block.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
                let turned = self.columns.moved[block.row_b[lane] as usize][2]
                    - self.columns.moved[block.row_a[lane] as usize][2];
                let joint = &mut self.joints[slot as usize];
                joint.angle = if block.form.turns() {
                    block.angle[lane] + joint.def.angle.unwrap_or(0.0) + turned
                } else {
                    joint.angle + turned
                };
                take_impulses(joint, block, drives, lane);
                let [along, across, turn] = block.total.map(|column| column[lane]);
                let n = Vec2::new(block.now.axis[0][lane], block.now.axis[1][lane]);
                joint.force = (n * along + n.perp() * across) / dt;
                joint.torque = turn / dt;
                if breaks(joint) {
                    broken.push(slot);
                }
            }
        }
        for (coupled, of) in solver.coupled.iter().zip(&solver.of_coupled) {
            for (lane, &slot) in of.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
                let joint = &mut self.joints[slot as usize];
                for half in 0..2 {
                    joint.impulses.held[half][0] = coupled.impulse[half][lane];
                }
                let sum = coupled.total[lane] / dt * coupled.shares[1][lane];
                let end = &coupled.ends[1];
                let n = Vec2::new(end.now.axis[0][lane], end.now.axis[1][lane]);
                let turns = coupled.numbers[1] == 2;
                (joint.force, joint.torque) = if turns { (Vec2::ZERO, sum) } else { (n * sum, 0.0) };
                if breaks(joint) {
                    broken.push(slot);
                }
            }
        }
        self.solver.joints = solver;
        broken.into_iter().for_each(|slot| self.break_joint(slot, dt));
    }

    fn break_joint(&mut self, slot: u32, dt: f32) {
        let joint = &self.joints[slot as usize];
        let JointDef { body_a, body_b, user_data, .. } = joint.def;
        self.next_events.broken.push(JointBreak {
            joint: self.joint_id(slot),
            body_a,
            body_b,
            force: joint.force.length(),
            torque: joint.torque.abs(),
            impulse: joint.force * dt,
            user_data,
        });
        self.drop_joint(slot);
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
            for slot in self.joint_slots_of(body) {
                let joint = &self.joints[slot as usize];
                let other = if joint.body_a == body { joint.body_b } else { joint.body_a };
                let running = joint.def.drive.motor.is_some_and(|motor| motor.speed != 0.0);
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
        (pairs, restless)
    }
}

/// The form of the blocks that a joint goes into.
fn form_of(makeup: &Makeup) -> Form {
    let mut form = Form::default();
    for (number, rule) in makeup.rules.iter().enumerate() {
        match rule {
            Rule::Free => {}
            Rule::Held(_) => form.hold(number),
            Rule::Driven(Drive { limits, motor, servo }) => {
                for (by, is) in
                    [(SERVO, servo.is_some()), (MOTOR, motor.is_some()), (LIMITS, limits.is_some())]
                {
                    if is {
                        form.drive(number, by);
                    }
                }
            }
        }
    }
    if form != Form::default() {
        if makeup.line {
            form.set_line();
        }
        if makeup.round {
            form.set_round();
        }
    }
    form
}

fn fill_goals(block: &mut Block, lane: usize, joint: &Joint) {
    // Only a rod is held at anything but 0.
    if let JointKind::Distance { length: Some(length) } = joint.def.kind {
        block.goal[0][lane] = length;
    }
}

fn fill_drives(drives: &mut [Driven; 3], lane: usize, joint: &Joint, h: f32) {
    for (number, rule) in joint.def.makeup().rules.iter().enumerate() {
        let driven = &mut drives[number];
        for half in 0..2 {
            for by in [SERVO, MOTOR, LIMITS] {
                driven.impulse[half][by][lane] = joint.impulses.driven[half][number][by];
            }
        }
        let Rule::Driven(Drive { limits, motor, servo }) = rule else { continue };
        if let Some(Servo { target, spring, force }) = servo {
            let kick = spring.kick(h);
            (driven.share[lane], driven.pull[lane]) = (kick.share, kick.pull);
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

fn breaks(joint: &Joint) -> bool {
    joint.force.length() > joint.def.break_force || joint.torque.abs() > joint.def.break_torque
}
