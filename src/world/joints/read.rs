//! What a joint does now: for the user's eyes, computed when asked.

use glam::Vec2;

use super::super::World;
use crate::body::{JointId, NONE};
use crate::joint::{Anchor, Joint, JointKind, Rule};
use crate::math::{WorldPoint, max};

/// Where a joint stands and what it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointState {
    /// The anchor on A.
    pub anchor_a: WorldPoint,
    /// The anchor on B.
    pub anchor_b: WorldPoint,
    /// How far what is to be held is from its place, in m: for hinges and welds between the anchors, for sliders and wheels off
    /// the axis, for rods off their length, for gears and pulleys off their sum.
    pub gap: f32,
    /// How far a held angle is off, in radians.
    pub twist: f32,
    /// The angle of B against A, turns included, less the one that counts as 0.
    pub angle: f32,
    /// How fast it changes, in radians a second.
    pub angular_speed: f32,
    /// From A's anchor to B's: along the axis of a slider or wheel, else the distance, in m.
    pub length: f32,
    /// How fast it changes, in m/s.
    pub speed: f32,
    /// On B, in N, as an average over the last step.
    pub force: Vec2,
    /// On B, in N m, as an average over the last step.
    pub torque: f32,
}

impl World {
    /// Where a joint stands now, and what it held in the last step; `None` if it is gone.
    #[must_use]
    pub fn joint_state(&self, id: JointId) -> Option<JointState> {
        let joint = self.get_joint(id)?;
        let (a, b) = (joint.body_a, joint.body_b);
        let (anchor_a, anchor_b) =
            (self.anchor_point(joint.def.anchor_a, a), self.anchor_point(joint.def.anchor_b, b));
        let apart = anchor_a.to(anchor_b);
        let makeup = joint.def.makeup();
        let axis = match makeup.line {
            true if apart.length() > 0.0 => apart / apart.length(),
            _ => self.rotation_of(a) * makeup.axis.normalize_or(Vec2::X),
        };
        let slides = matches!(joint.def.kind, JointKind::Prismatic { .. } | JointKind::Wheel { .. });
        let length = if slides { axis.dot(apart) } else { apart.length() };
        let spin_a = self.spin_of(a);
        // The axis of a slider turns with A: speeds are those seen from it.
        let parting = self.speed_at(joint.def.anchor_b, b) - self.speed_of_point(a, anchor_b);
        let along = if slides || apart == Vec2::ZERO { axis } else { apart / apart.length() };
        let slot = id.index() as u32;
        let angle = self.turns_of(slot).angle() as f32;
        let (force, torque) = self.load_of(slot);
        let numbers = [axis.dot(apart), axis.perp().dot(apart), angle];
        let (gap, twist) = self.off(joint, &makeup.rules, numbers);
        Some(JointState {
            anchor_a,
            anchor_b,
            gap,
            twist,
            angle,
            angular_speed: self.spin_of(b) - spin_a,
            length,
            speed: along.dot(parting),
            force,
            torque,
        })
    }

    /// How far what is held is from its place, and its angle.
    fn off(&self, joint: &Joint, rules: &[Rule; 3], numbers: [f32; 3]) -> (f32, f32) {
        if joint.def.kind.ratio().is_some() {
            let off = (self.sum_now(joint) - joint.sum) as f32;
            return (if joint.def.kind.slackens() { max(off, 0.0) } else { off.abs() }, 0.0);
        }
        let held = |k: usize| match rules[k] {
            Rule::Held(goal) => numbers[k] - goal,
            Rule::Driven(drive) => match (drive.servo, drive.limits) {
                // A hinge or weld that gives way is held all the same.
                (Some(servo), _) if self.is_soft(joint, k) => numbers[k] - servo.target,
                _ => 0.0,
            },
            Rule::Free => 0.0,
        };
        (Vec2::new(held(0), held(1)).length(), held(2).abs())
    }

    /// Whether a number would be held if the joint did not give way.
    fn is_soft(&self, joint: &Joint, number: usize) -> bool {
        let stiff = crate::joint::JointDef {
            spring: None,
            kind: match joint.def.kind {
                JointKind::Weld { .. } => JointKind::Weld { bend: None },
                kind => kind,
            },
            ..joint.def
        };
        matches!(stiff.makeup().rules[number], Rule::Held(_))
    }

    fn spin_of(&self, body: u32) -> f32 {
        if body == NONE { 0.0 } else { self.bodies[body as usize].angular_velocity }
    }

    fn speed_of_point(&self, body: u32, point: WorldPoint) -> Vec2 {
        if body == NONE { Vec2::ZERO } else { self.bodies[body as usize].velocity_at(point) }
    }

    fn speed_at(&self, anchor: Anchor, body: u32) -> Vec2 {
        self.speed_of_point(body, self.anchor_point(anchor, body))
    }
}
