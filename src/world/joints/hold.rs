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
use crate::joint::{Anchor, Drive, Impulses, Joint, JointDef, JointKind, Limits, Makeup, Motor, Rule, Servo};
use crate::math::{Rot, WorldPoint};
use crate::simd::LANES;
use crate::solver::joints::block::{Block, Driven, Form, LIMITS, MOTOR, SERVO};
use crate::solver::joints::layout::{Layout, Spec};
use crate::solver::joints::{Coupled, NO_JOINT};
use crate::tuning::REGION_SIZE;

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

    /// Where a joint stands, for the user's eyes.
    pub(super) fn stand(&self, slot: u32) -> Stand {
        let joint = &self.joints[slot as usize];
        let a = self.spot(joint.body_a, joint.def.anchor_a);
        let b = self.spot(joint.body_b, joint.def.anchor_b);
        let axis = a.rotation * joint.def.makeup().axis.normalize_or(Vec2::X);
        let raw = (a.rotation.inverse() * b.rotation).angle();
        let angle = nearest_turn(raw, self.counted_angle(slot)) - joint.def.angle.unwrap_or(0.0);
        Stand { axis, angle, ..Stand::between(&a, &b) }
    }

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
            for (lane, &slot) in of_block.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
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
            for (lane, &slot) in of.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
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
            for (lane, &slot) in of_block.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
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
            for (lane, &slot) in of_block.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
                let raw = between(block.seat.pose_a[lane], block.seat.pose_b[lane]);
                let zero = self.joints[slot as usize].def.angle.unwrap_or(0.0);
                block.start.angle[lane] = nearest_turn(raw - zero, block.start.angle[lane]);
            }
        }
        for (coupled, of) in joints.coupled.iter_mut().zip(&joints.of_coupled) {
            for (end, _) in coupled.numbers.into_iter().enumerate().filter(|&(_, number)| number == 2) {
                let block = &mut coupled.ends[end];
                for (lane, &slot) in of.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
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
        // One between a kinematic body and the world holds nothing, but its angle counts.
        let works = (row_a != 0 || row_b != 0) && form != Form::default();
        let inv_mass = |body: u32, gives: bool| {
            if gives { self.bodies[body as usize].inv_mass.max_element() } else { 0.0 }
        };
        let inv_masses = [inv_mass(joint.body_a, gives_a), inv_mass(joint.body_b, gives_b)];
        let serial = joint.serial;
        works.then_some(Spec { joint: slot, row_a, row_b, gives_a, gives_b, form, inv_masses, serial })
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
                for (block, end) in coupled.ends.iter_mut().zip(&ends) {
                    if end.line {
                        block.form.set_line();
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

    /// Counts angles on, and breaks what had to hold too much.
    pub(crate) fn store_joints(&mut self, dt: f32) {
        if self.solver.joints.is_empty() {
            return;
        }
        let mut broken = Vec::new();
        let joints = &mut self.solver.joints;
        for (block, of_block) in joints.blocks.iter_mut().zip(&joints.of_blocks) {
            block.start.angle = block.now.value[2];
            for (lane, &slot) in
                of_block.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT && block.breaks)
            {
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
            for (lane, &slot) in of.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
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

    /// The angle of B against A, with the turns that were counted.
    pub(super) fn counted_angle(&self, slot: u32) -> f32 {
        let (joint, joints) = (&self.joints[slot as usize], &self.solver.joints);
        let (block, lane) = (joint.place as usize / LANES, joint.place as usize % LANES);
        let here = joints.of_blocks.get(block).is_some_and(|of| of[lane] == slot);
        let zero = joint.def.angle.unwrap_or(0.0);
        if here { joints.blocks[block].start.angle[lane] + zero } else { joint.angle }
    }

    /// Brings impulses, forces and angles back to the joints, before they are laid out anew.
    pub(super) fn bring_home(&mut self) {
        let solver = core::mem::take(&mut self.solver.joints);
        for (block, of_block) in solver.blocks.iter().zip(&solver.of_blocks) {
            let drives = solver.drives.get(block.drives as usize);
            for (lane, &slot) in of_block.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
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
            for (lane, &slot) in of.iter().enumerate().filter(|&(_, &slot)| slot != NO_JOINT) {
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

/// Gap, in metres or radians, at which bodies do not rest.
const OPEN: f32 = 1.0e-3;

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

/// An angle with as many turns as bring it next to `near`.
fn nearest_turn(angle: f32, near: f32) -> f32 {
    angle + TAU * ((near - angle) / TAU).round()
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
