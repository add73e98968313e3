//! State of a joint for the user, computed on demand.

use glam::Vec2;

use super::super::World;
use crate::body::{JointId, NONE};
use crate::joint::{AxisMode, Drive, Joint, JointKind, Limits};
use crate::math::{WorldPoint, max};
use crate::solver::joints::block::{LIMITS, MOTOR, SERVO};

/// An end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeEnd {
    /// The least value.
    Lower,
    /// The greatest value.
    Upper,
}

/// Forces of a [`Drive`], in N, or N m for an angle. Positive ones work towards greater values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DriveState {
    /// The limit that it has reached, to 1 mm or 1 mrad.
    pub at_limit: Option<RangeEnd>,
    /// By the servo, or the spring of a soft rod or rope.
    pub servo: f32,
    /// By the motor.
    pub motor: f32,
    /// By the limits.
    pub limits: f32,
}

/// Pose, gaps and loads of a joint.
///
/// A gear has no anchors, angle and length of its own: its state has the bodies' origins and 0 in
/// their place; ask the joints that it couples. For a pulley, length and speed are of the rope on
/// both sides together, B's side counted `ratio` times.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct JointState {
    /// The anchor on A.
    pub anchor_a: WorldPoint,
    /// The anchor on B.
    pub anchor_b: WorldPoint,
    /// Error of the locked axes, in m: the distance of the anchors for hinges and welds, the
    /// distance from the axis for sliders and wheels, the error of the length for rods, of the sum
    /// for gears and pulleys.
    pub gap: f32,
    /// Error of a locked angle, in radians.
    pub twist: f32,
    /// The angle of B against A, turns included, less the angle that counts as 0.
    pub angle: f32,
    /// How fast it changes, in radians a second.
    pub angular_speed: f32,
    /// From A's anchor to B's: along the axis of a slider or wheel, else the distance, in m.
    pub length: f32,
    /// How fast it changes, in m/s.
    pub speed: f32,
    /// The whole force on B, in N, averaged over the last step. Its direction is that of the
    /// joint's axes at the end of the step, which matters for a joint that turns fast. For
    /// couplings: on B of the second end.
    pub force: Vec2,
    /// The whole torque on B, in N m, averaged over the last step. For couplings: on B of the
    /// second end.
    pub torque: f32,
    /// Forces of [`JointDef::drive`](crate::JointDef::drive) in the last sub-step.
    pub drive: DriveState,
    /// Forces of the suspension of a wheel in the last sub-step.
    pub suspension: DriveState,
    /// Energy of its springs (of servos and of soft joints), in J: the work that they do on the way
    /// to their targets. Damping takes some of it. A spring that is too stiff for the length of a
    /// sub-step is counted as it works.
    pub stored: f32,
}

impl World {
    /// The present pose of a joint, and its load in the last step; `None` if it is gone.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// let rod = world.add_joint(JointDef::distance(None, ball).between([0.0, 2.0], [0.0, 0.0]))?;
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// let held = world.joint_state(rod).expect("nobody removed it").force.length();
    /// assert!((held - 9.81 * world[ball].mass()).abs() < 0.1); // its weight
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn joint_state(&self, id: JointId) -> Option<JointState> {
        let joint = self.get_joint(id)?;
        let slot = id.index() as u32;
        let (a, b) = (joint.body_a, joint.body_b);
        let (anchor_a, anchor_b) = (
            self.anchor_point(joint.def.anchor_a, a).split(),
            self.anchor_point(joint.def.anchor_b, b).split(),
        );
        let anchor_b = self.def.period().image(anchor_b, anchor_a);
        let numbers = self.numbers_of(slot);
        let (gap, twist) = self.off(joint, numbers);
        let (force, torque) = self.load_of(slot);
        let [drive, suspension] = self.drives_of(slot, numbers);
        let (length, speed) = self.length_of(joint, (anchor_a, anchor_b));
        let gear = joint.def.kind.gears().is_some();
        let turning = |x: f32| if gear { 0.0 } else { x };
        Some(JointState {
            anchor_a,
            anchor_b,
            gap,
            twist,
            angle: turning(numbers[2]),
            angular_speed: turning(self.spin_of(b) - self.spin_of(a)),
            length,
            speed,
            force,
            torque,
            drive,
            suspension,
            stored: self.stored_in(slot, numbers),
        })
    }

    /// Energy of the springs of a joint. A spring of limited strength F that is stretched farther
    /// pulls with F: its energy is F q - F² / 2 k in place of k q² / 2.
    fn stored_in(&self, slot: u32, numbers: [f32; 3]) -> f32 {
        let modes = self.joints.rows[slot as usize].def.axis_modes();
        let is_sprung = |mode: &AxisMode| matches!(mode, AxisMode::Driven(Drive { servo: Some(_), .. }));
        if !modes.modes.iter().any(is_sprung) {
            return 0.0;
        }
        let stiffness = self.stiffness_of(slot);
        let servo = |k: usize| match modes.modes[k] {
            AxisMode::Driven(Drive { servo: Some(servo), .. }) => Some((numbers[k] - servo.target, servo)),
            _ => None,
        };
        let held = |off: f32, force: Limits, k: usize| {
            let most = if off > 0.0 { -force.lower } else { force.upper };
            let (far, most) = (off.abs(), max(most, 0.0));
            if stiffness[k] <= 0.0 {
                return 0.0;
            }
            let reach = most / stiffness[k];
            if far <= reach { 0.5 * stiffness[k] * far * far } else { most * (far - 0.5 * reach) }
        };
        let one = |k: usize| servo(k).map_or(0.0, |(off, servo)| held(off, servo.force, k));
        match (servo(0), servo(1)) {
            (Some((along, along_servo)), Some((across, _))) if modes.round => {
                let off = Vec2::new(along, across).length();
                one(2) + held(-off, along_servo.force, 0)
            }
            _ => one(0) + one(1) + one(2),
        }
    }

    /// Length of a joint, and how fast it changes.
    fn length_of(&self, joint: &Joint, (anchor_a, anchor_b): (WorldPoint, WorldPoint)) -> (f32, f32) {
        let way = |from: WorldPoint, to: WorldPoint, speed: Vec2| {
            let apart = self.way(from, to);
            let length = apart.length();
            (length, if length > 0.0 { apart.dot(speed) / length } else { speed.length() })
        };
        let speed_b = self.speed_of_point(joint.body_b, anchor_b);
        match joint.def.kind {
            JointKind::Gear { .. } => (0.0, 0.0),
            JointKind::Pulley { ground_a, ground_b, ratio, .. } => {
                let of_a = way(ground_a, anchor_a, self.speed_of_point(joint.body_a, anchor_a));
                let of_b = way(ground_b, anchor_b, speed_b);
                (of_a.0 + ratio * of_b.0, of_a.1 + ratio * of_b.1)
            }
            JointKind::Prismatic { axis } | JointKind::Wheel { axis, .. } => {
                // The axis turns with A: speeds are relative to A.
                let axis = self.rotation_of(joint.body_a) * axis.normalize_or(Vec2::X);
                let parting = speed_b - self.speed_of_point(joint.body_a, anchor_b);
                (axis.dot(anchor_a.to(anchor_b)), axis.dot(parting))
            }
            _ => way(anchor_a, anchor_b, speed_b - self.speed_of_point(joint.body_a, anchor_a)),
        }
    }

    /// Forces of a joint's drive, and of its suspension.
    fn drives_of(&self, slot: u32, numbers: [f32; 3]) -> [DriveState; 2] {
        let joint = &self.joints.rows[slot as usize];
        let there = |body: u32| body == NONE || self.bodies.rows[body as usize].is_enabled();
        let h = self.solver.joints.dt / self.def.sub_steps as f32;
        let works = there(joint.body_a) && there(joint.body_b) && h > 0.0;
        let modes = joint.def.axis_modes().modes;
        let impulses = self.impulses_of(slot);
        let state = |number: usize| {
            let AxisMode::Driven(drive) = modes[number] else { return DriveState::default() };
            let load = |by: usize| {
                let impulse = impulses.driven[0][number][by] + impulses.driven[1][number][by];
                if works { impulse / h } else { 0.0 }
            };
            let at_limit = drive
                .limits
                .and_then(|limits| end_of(limits, numbers[number], self.tuning.sleep.joint_gap[number]));
            DriveState { at_limit, servo: load(SERVO), motor: load(MOTOR), limits: load(LIMITS) }
        };
        match joint.def.kind {
            JointKind::Revolute => [state(2), DriveState::default()],
            JointKind::Wheel { .. } => [state(2), state(0)],
            JointKind::Prismatic { .. } | JointKind::Distance { .. } | JointKind::Rope => {
                [state(0), DriveState::default()]
            }
            _ => [DriveState::default(); 2],
        }
    }

    /// Errors of the locked axes: length, and angle.
    fn off(&self, joint: &Joint, numbers: [f32; 3]) -> (f32, f32) {
        let modes = joint.def.axis_modes().modes;
        if joint.def.kind.ratio().is_some() {
            let off = (self.sum_now(joint) - joint.sum) as f32;
            return (if joint.def.kind.slackens() { max(off, 0.0) } else { off.abs() }, 0.0);
        }
        let held = |k: usize| match modes[k] {
            AxisMode::Locked(goal) => numbers[k] - goal,
            // A soft axis of a hinge or weld counts as locked.
            AxisMode::Driven(Drive { servo: Some(servo), .. }) if self.is_soft(joint, k) => {
                numbers[k] - servo.target
            }
            AxisMode::Driven(_) | AxisMode::Free => 0.0,
        };
        (Vec2::new(held(0), held(1)).length(), held(2).abs())
    }

    /// Whether an axis would be locked if the joint were not soft.
    fn is_soft(&self, joint: &Joint, number: usize) -> bool {
        let stiff = crate::joint::JointDef {
            spring: None,
            kind: match joint.def.kind {
                JointKind::Weld { .. } => JointKind::Weld { bend: None },
                kind => kind,
            },
            ..joint.def
        };
        matches!(stiff.axis_modes().modes[number], AxisMode::Locked(_))
    }

    fn spin_of(&self, body: u32) -> f32 {
        if body == NONE { 0.0 } else { self.bodies.rows[body as usize].angular_velocity }
    }

    fn speed_of_point(&self, body: u32, point: WorldPoint) -> Vec2 {
        if body == NONE {
            return Vec2::ZERO;
        }
        let body = &self.bodies.rows[body as usize];
        body.velocity_at(self.def.period().image(point, body.center_point()))
    }
}

/// The end of a range that a value has reached or passed.
fn end_of(limits: Limits, value: f32, open: f32) -> Option<RangeEnd> {
    if value > limits.upper - open {
        Some(RangeEnd::Upper)
    } else if value < limits.lower + open {
        Some(RangeEnd::Lower)
    } else {
        None
    }
}
