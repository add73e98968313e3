//! Fills joint blocks (constraints) from definitions and poses.
//!
//! In: a layout, and the poses of bodies. Out: filled blocks: anchors, locked values and drives
//! once per layout; poses, angles and turns once per step.

use glam::Vec2;

use super::springs::{Kicks, fill_kick};
use crate::joint::{Anchor, AxisMode, AxisModes, Drive, Joint, Limits, Motor, Servo};
use crate::math::{Rot, atan2_straight, max, min};
use crate::simd::LANES;
use crate::solver::JointParams;
use crate::solver::joints::block::{Driven, JointBlock, LIMITS, MOTOR, SERVO};
use crate::solver::joints::{Coupled, Joints};
use crate::threads::Team;
use crate::tuning::{MOST_JOINTS, REGION_SIZE};
use crate::world::World;
use crate::world::edit::joints::lanes_of;

impl World {
    /// Lays out joints if they or the awake bodies changed, and notes the constrained bodies.
    pub(crate) fn link_joints(&mut self) {
        if MOST_JOINTS == 0 {
            (self.dirty.joint_layout, self.dirty.joint_lanes) = (false, false);
            return;
        }
        // A step of no length solves nothing: results of the last one can still be read back.
        if self.step.h == 0.0 {
            if self.dirty.joint_layout {
                self.note_held();
            }
            return;
        }
        let moved = core::mem::take(&mut self.dirty.joint_layout);
        let restored = core::mem::take(&mut self.dirty.joint_lanes);
        if moved {
            self.joints.layout = None;
            self.joints.at_rest.clear();
        }
        if moved | restored {
            if restored || !self.lay_out_changed() {
                self.flush_impulses();
                let is_own = !moved && self.take_own_layout();
                if !is_own {
                    self.lay_out_joints();
                }
                if is_own && self.are_lanes_filled() { self.bring_back() } else { self.seat_joints(moved) }
            }
            self.dirty.joints_of.clear();
        }
    }

    /// Fills the solver's blocks with the joints of awake bodies.
    pub(crate) fn prepare_joints(&mut self, team: &Team, params: &JointParams) {
        if MOST_JOINTS == 0 || self.step.h == 0.0 || self.solver.joints.is_empty() {
            return;
        }
        if self.step.h != self.solver.joints.kicks_for {
            self.fill_kicks();
        }
        if !self.def.period().is_none() {
            self.seat_images();
        }
        self.fill_poses();
        self.count_turns();
        let joints = &mut self.solver.joints;
        let has_contacts = |row: u32| self.contacts.edges().has(self.bodies.awake[row as usize - 1]);
        joints.meet(has_contacts, |row| self.graph.colouring.pushes(row));
        joints.seat(team, &self.columns, &params.webs);
        joints.aim(team, &mut self.columns, params);
    }

    /// Whether the lanes hold what [`World::seat_joints`] would write, but for impulses and the
    /// regions of bodies.
    fn are_lanes_filled(&self) -> bool {
        let joints = &self.solver.joints;
        self.joints.seal.is_that_of(joints.filled) && self.step.h == joints.kicks_for
    }

    /// Refreshes filled lanes: the values that steps change (impulses, regions). The layout is that
    /// of this world's last step, so [`Joint::place`](crate::joint::Joint) still holds.
    fn bring_back(&mut self) {
        let mut joints = core::mem::take(&mut self.solver.joints);
        debug_assert!(joints.coupled.is_empty(), "a layout of trees alone");
        let Joints { blocks, drives, of_blocks, placed, .. } = &mut joints;
        for (index, (block, of_block)) in blocks.iter_mut().zip(&*of_blocks).enumerate() {
            let mut drives = drives.get_mut(block.drives as usize);
            for (lane, slot) in lanes_of(of_block) {
                let place = self.joints.rows[slot as usize].place as usize;
                debug_assert_eq!(place, index * LANES + lane, "joint {slot} is where it was");
                bring_impulses(block, drives.as_deref_mut(), lane, &self.joints.rows[slot as usize]);
                let end = |row: u32, pose: u32| match row.checked_sub(1) {
                    Some(index) => (self.bodies.awake[index as usize], Anchor::Local(Vec2::ZERO)),
                    None => placed[pose as usize - 1],
                };
                let ends = [
                    end(block.row_a[lane], block.seat.pose_a[lane]),
                    end(block.row_b[lane], block.seat.pose_b[lane]),
                ];
                self.seat_regions(block, lane, ends);
            }
        }
        self.solver.joints = joints;
    }

    /// Fills data that stays the same until a joint changes: anchors, locked values, drives; and
    /// stored impulses. If bodies may have been moved from outside, turns are counted from their
    /// present angles.
    fn seat_joints(&mut self, moved: bool) {
        let mut joints = core::mem::take(&mut self.solver.joints);
        joints.placed.clear();
        joints.blocks.iter_mut().for_each(|block| block.breaks = false);
        let mut kicks = Kicks::new(self.step.h);
        for index in 0..joints.blocks.len() {
            for (lane, _) in lanes_of(&joints.of_blocks[index].clone()) {
                self.seat_joint(&mut joints, (index, lane), &mut kicks);
            }
        }
        if moved {
            self.begin_turns(&joints);
        }
        for (index, (coupled, of)) in joints.coupled.iter_mut().zip(&joints.of_coupled).enumerate() {
            for (lane, slot) in lanes_of(of) {
                self.joints.rows[slot as usize].place = (index * LANES + lane) as u32;
                self.seat_coupled(coupled, lane, slot, &mut joints.placed);
            }
        }
        joints.note_places();
        (joints.kicks_for, joints.filled) = (self.step.h, self.joints.seal);
        self.solver.joints = joints;
    }

    /// Fills a lane from its joint.
    pub(super) fn seat_joint(
        &mut self,
        joints: &mut Joints,
        (index, lane): (usize, usize),
        kicks: &mut Kicks,
    ) {
        let slot = joints.of_blocks[index][lane];
        let block = &mut joints.blocks[index];
        let mut drives = joints.drives.get_mut(block.drives as usize);
        let joint = &mut self.joints.rows[slot as usize];
        joint.place = (index * LANES + lane) as u32;
        bring_impulses(block, drives.as_deref_mut(), lane, joint);
        let joint = &self.joints.rows[slot as usize];
        place_lane(block, lane, ends_of(joint), &mut joints.placed);
        self.seat_lane(block, lane, ends_of(joint));
        let axis_modes = fill_lane(block, drives.as_deref_mut(), lane, joint);
        if let Some(drives) = drives {
            let masses = match self.joints.at_rest.get(slot as usize) {
                Some(Some(known)) => *known,
                _ => self.masses_at_rest(slot, (block, lane), &axis_modes),
            };
            if let Some(place) = self.joints.at_rest.get_mut(slot as usize) {
                *place = Some(masses);
            }
            fill_kick(drives, lane, (&axis_modes, masses), kicks);
        }
    }

    /// Counts turns from the present angles. Joints whose angle matters do so in each step anyway.
    pub(super) fn begin_turns(&mut self, joints: &Joints) {
        let all = joints.blocks.iter().zip(&joints.of_blocks).filter(|(block, _)| !block.form.turns());
        for (_, slot) in all.flat_map(|(_, of_block)| lanes_of(of_block)) {
            self.joints.turns[slot as usize] = self.turns_of(slot);
        }
    }

    /// Refills the lane of a joint from a definition of the same form; impulses stay. False if a
    /// new layout is needed.
    pub(crate) fn reseat(&mut self, slot: u32) -> bool {
        let joint = &self.joints.rows[slot as usize];
        if self.dirty.joint_layout || joint.def.kind.ratio().is_some() {
            return false;
        }
        if let Some(known) = self.joints.at_rest.get_mut(slot as usize) {
            *known = None;
        }
        let Some((index, lane)) = self.lane_of(slot) else { return true };
        let mut joints = core::mem::take(&mut self.solver.joints);
        joints.filled.break_open();
        let block = &mut joints.blocks[index];
        let ends = ends_of(joint);
        for (end, row, pose) in [
            (ends[0], block.row_a[lane], block.seat.pose_a[lane]),
            (ends[1], block.row_b[lane], block.seat.pose_b[lane]),
        ] {
            if row == 0 {
                joints.placed[pose as usize - 1] = end;
            }
        }
        self.seat_lane(block, lane, ends);
        let mut drives = joints.drives.get_mut(block.drives as usize);
        let axis_modes = fill_lane(block, drives.as_deref_mut(), lane, joint);
        if let Some(drives) = drives {
            let masses = self.masses_at_rest(slot, (block, lane), &axis_modes);
            fill_kick(drives, lane, (&axis_modes, masses), &mut Kicks::new(joints.kicks_for));
        }
        joints.note_drives();
        self.solver.joints = joints;
        true
    }

    /// Returns the block of a joint and its lane there, if it is in one; for a coupling, among the
    /// blocks of couplings.
    pub(super) fn lane_of(&self, slot: u32) -> Option<(usize, usize)> {
        let (joint, joints) = (&self.joints.rows[slot as usize], &self.solver.joints);
        let of = if joint.def.kind.ratio().is_some() { &joints.of_coupled } else { &joints.of_blocks };
        let (index, lane) = (joint.place as usize / LANES, joint.place as usize % LANES);
        of.get(index).is_some_and(|of| of[lane] == slot).then_some((index, lane))
    }

    /// Fills the anchors of a lane.
    pub(super) fn seat_lane(&self, block: &mut JointBlock, lane: usize, ends: Ends) {
        // An anchor at the centre of mass up to rounding is moved to it: the rounding would be the
        // only arm of a body that can only turn.
        let local = |(body, anchor): (u32, Anchor)| match anchor {
            Anchor::Local(point) => {
                let body = &self.bodies.rows[body as usize];
                let arm = point - body.local_center;
                if arm.length() < NO_ARM * body.max_extent { Vec2::ZERO } else { arm }
            }
            Anchor::World(_) => Vec2::ZERO,
        };
        for (anchors, point) in
            [(&mut block.seat.anchor_a, local(ends[0])), (&mut block.seat.anchor_b, local(ends[1]))]
        {
            (anchors[0][lane], anchors[1][lane]) = (point.x, point.y);
        }
        self.seat_regions(block, lane, ends);
    }

    /// From the centre of the region of one end to that of the other.
    fn seat_regions(&self, block: &mut JointBlock, lane: usize, ends: Ends) {
        let [from, to] = self.regions_of(ends);
        let way = |from: i32, to: i32| (i64::from(to) - i64::from(from)) as f32 * REGION_SIZE;
        block.seat.regions[0][lane] = way(from.x, to.x);
        block.seat.regions[1][lane] = way(from.y, to.y);
    }

    /// Updates the regions of all joints in a world that wraps round: within its region, a body may
    /// get nearer to another image of its partner.
    fn seat_images(&mut self) {
        let mut joints = core::mem::take(&mut self.solver.joints);
        for (block, of) in joints.blocks.iter_mut().zip(&joints.of_blocks) {
            for (lane, slot) in lanes_of(of) {
                self.seat_regions(block, lane, ends_of(&self.joints.rows[slot as usize]));
            }
        }
        for (coupled, of) in joints.coupled.iter_mut().zip(&joints.of_coupled) {
            for (lane, slot) in lanes_of(of) {
                let spots = self.spots_of_ends(&self.joints.rows[slot as usize]);
                for (block, spots) in coupled.ends.iter_mut().zip(spots) {
                    self.seat_regions(block, lane, spots.ends);
                }
            }
        }
        self.solver.joints = joints;
    }

    /// The regions of both ends; in a world that wraps round, that of the nearest image of the
    /// second end.
    pub(super) fn regions_of(&self, ends: Ends) -> [glam::IVec2; 2] {
        let [from, to] = ends.map(|(body, anchor)| match anchor {
            Anchor::World(point) => point.joined(self.def.span()),
            Anchor::Local(_) => self.bodies.rows[body as usize].center_point(),
        });
        [from.region, self.def.period().image(to, from).region]
    }

    fn seat_coupled(&self, coupled: &mut Coupled, lane: usize, slot: u32, placed: &mut Vec<(u32, Anchor)>) {
        let joint = &self.joints.rows[slot as usize];
        for (block, spots) in coupled.ends.iter_mut().zip(self.spots_of_ends(joint)) {
            place_lane(block, lane, spots.ends, placed);
            self.seat_lane(block, lane, spots.ends);
            (block.seat.axis[0][lane], block.seat.axis[1][lane]) = (spots.axis.x, spots.axis.y);
        }
        coupled.shares[0][lane] = 1.0;
        coupled.shares[1][lane] = joint.def.kind.ratio().unwrap_or(0.0);
        coupled.sum[lane] = joint.sum as f32;
        for half in 0..2 {
            coupled.impulse[half][lane] = joint.impulses.held[half][0];
        }
    }

    /// Fills poses of jointed bodies: first bodies and points that steps do not move, then the
    /// other bodies by row.
    fn fill_poses(&mut self) {
        let (pose, joints) = (&mut self.columns.pose, &self.solver.joints);
        let count = joints.placed.len();
        pose.resize(count + 1 + self.bodies.awake.len(), [0.0; 4]);
        let row = |center: Vec2, rotation: Rot| [center.x, center.y, rotation.cos, rotation.sin];
        let of_body = |slot: u32| {
            let body = &self.bodies.rows[slot as usize];
            row(body.center, body.rotation)
        };
        pose[0] = row(Vec2::ZERO, Rot::IDENTITY);
        for (pose, &(slot, anchor)) in pose[1..].iter_mut().zip(&joints.placed) {
            *pose = match anchor {
                Anchor::World(point) => row(point.joined(self.def.span()).local, Rot::IDENTITY),
                Anchor::Local(_) => of_body(slot),
            };
        }
        for &row in joints.seated() {
            pose[count + row as usize] = of_body(self.bodies.awake[row as usize - 1]);
        }
    }

    /// Updates angles that matter from the rotations in each step, and their turns.
    fn count_turns(&mut self) {
        let pose = &self.columns.pose;
        let joints = &mut self.solver.joints;
        for (block, of_block) in joints.blocks.iter_mut().zip(&joints.of_blocks) {
            if !block.form.turns() {
                continue;
            }
            let angles = angles_between(block, pose);
            for (lane, slot) in lanes_of(of_block) {
                let turns = &mut self.joints.turns[slot as usize];
                *turns = turns.at(angles[lane]);
                block.start.angle[lane] = turns.angle() as f32;
            }
        }
        // Whole turns of a gear's joints go into its constant sum: the rest is small, and exact.
        for (coupled, of) in joints.coupled.iter_mut().zip(&joints.of_coupled) {
            if !coupled.numbers.contains(&2) {
                continue;
            }
            for (lane, slot) in lanes_of(of) {
                let joint = &self.joints.rows[slot as usize];
                let Some(geared) = joint.def.kind.gears() else { continue };
                let mut sum = joint.sum;
                for (end, id) in geared.into_iter().enumerate().filter(|&(end, _)| coupled.numbers[end] == 2)
                {
                    let block = &mut coupled.ends[end];
                    let turns = &mut self.joints.turns[id.index()];
                    *turns = turns.at(angles_between(block, pose)[lane]);
                    block.start.angle[lane] = turns.part;
                    sum -= f64::from(coupled.shares[end][lane]) * turns.base();
                }
                coupled.sum[lane] = sum as f32;
            }
        }
    }
}

/// The angles of B relative to A within a turn, of all lanes: compiled for the SIMD level of its
/// caller.
#[inline(always)]
fn angles_between(block: &JointBlock, pose: &[[f32; 4]]) -> [f32; LANES] {
    let (mut turns, mut angles) = ([Rot::IDENTITY; LANES], [0.0; LANES]);
    let rot = |row: u32| Rot { cos: pose[row as usize][2], sin: pose[row as usize][3] };
    for (k, turn) in turns.iter_mut().enumerate() {
        *turn = rot(block.seat.pose_a[k]).inverse() * rot(block.seat.pose_b[k]);
    }
    for (angle, turn) in angles.iter_mut().zip(&turns) {
        *angle = atan2_straight(turn.sin, turn.cos);
    }
    angles
}

/// An arm below this share of its body's reach is rounding.
const NO_ARM: f32 = 1.0e-6;

/// Greatest force or torque of a drive, in N or N m, for infinite strength: its square is still
/// finite.
const STRONGEST: f32 = 1.0e20;

/// Bodies of a joint, and its anchors on them.
pub(super) type Ends = [(u32, Anchor); 2];

pub(super) fn ends_of(joint: &Joint) -> Ends {
    [(joint.body_a, joint.def.anchor_a), (joint.body_b, joint.def.anchor_b)]
}

/// Lists the poses of bodies that steps do not move; pose 0 is unused.
fn place_lane(block: &mut JointBlock, lane: usize, ends: Ends, placed: &mut Vec<(u32, Anchor)>) {
    let mut place = |row: u32, end: (u32, Anchor)| {
        if row != 0 {
            return 0;
        }
        placed.push(end);
        placed.len() as u32
    };
    block.seat.pose_a[lane] = place(block.row_a[lane], ends[0]);
    block.seat.pose_b[lane] = place(block.row_b[lane], ends[1]);
}

/// Fills a lane from a definition, without its ends. Returns the axes and rules of the joint.
fn fill_lane(
    block: &mut JointBlock,
    mut drives: Option<&mut [Driven; 3]>,
    lane: usize,
    joint: &Joint,
) -> AxisModes {
    let axis_modes = joint.def.axis_modes();
    let axis = axis_modes.axis.normalize_or(Vec2::X);
    (block.seat.axis[0][lane], block.seat.axis[1][lane]) = (axis.x, axis.y);
    block.breaks |= joint.def.break_force < f32::INFINITY || joint.def.break_torque < f32::INFINITY;
    for (number, mode) in axis_modes.modes.iter().enumerate() {
        match (mode, &mut drives) {
            (AxisMode::Locked(goal), _) => block.seat.goal[number][lane] = *goal,
            (AxisMode::Driven(drive), Some(drives)) => fill_drive(&mut drives[number], lane, drive),
            _ => {}
        }
    }
    axis_modes
}

fn fill_drive(driven: &mut Driven, lane: usize, drive: &Drive) {
    if let Some(Servo { target, force, .. }) = drive.servo {
        driven.target[lane] = target;
        (driven.least[lane], driven.most[lane]) = (max(force.lower, -STRONGEST), min(force.upper, STRONGEST));
    }
    if let Some(Motor { speed, max: most }) = drive.motor {
        (driven.speed[lane], driven.max[lane]) = (speed, min(most, STRONGEST));
    }
    if let Some(Limits { lower, upper }) = drive.limits {
        (driven.lower[lane], driven.upper[lane]) = (lower, upper);
    }
}

/// Fills the stored impulses of a joint.
fn bring_impulses(block: &mut JointBlock, drives: Option<&mut [Driven; 3]>, lane: usize, joint: &Joint) {
    for half in 0..2 {
        for number in 0..3 {
            block.held[half][number][lane] = joint.impulses.held[half][number];
        }
    }
    for (number, driven) in drives.into_iter().flatten().enumerate() {
        for half in 0..2 {
            for by in [SERVO, MOTOR, LIMITS] {
                driven.impulse[half][by][lane] = joint.impulses.driven[half][number][by];
            }
        }
    }
}
