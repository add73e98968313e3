//! Joint frames: points, axes and angles at the present poses.

use glam::Vec2;

use super::super::World;
use super::revolutions::Turns;
use crate::body::{Body, NONE};
use crate::broadphase::Period;
use crate::joint::{Anchor, Joint};
use crate::math::{Rot, WorldPoint};

/// Attachment of a joint to one of its bodies.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) center: WorldPoint,
    /// Vector from there to the anchor.
    pub(super) arm: Vec2,
    pub(super) rotation: Rot,
}

/// Relative frame of a joint.
#[derive(Clone, Copy, Default)]
pub(super) struct JointFrame {
    pub(super) arm_a: Vec2,
    pub(super) arm_b: Vec2,
    pub(super) way: Vec2,
    pub(super) axis: Vec2,
}

impl JointFrame {
    pub(super) fn between(period: Period, a: &Spot, b: &Spot) -> JointFrame {
        let way = period.between(a.center, b.center);
        JointFrame { arm_a: a.arm, arm_b: b.arm, way, axis: a.rotation * Vec2::X }
    }
}

impl World {
    pub(super) fn spot(&self, body: u32, anchor: Anchor) -> Spot {
        match anchor {
            Anchor::World(center) => Spot { center, arm: Vec2::ZERO, rotation: Rot::IDENTITY },
            Anchor::Local(point) => {
                let body = &self.bodies.rows[body as usize];
                Spot { center: body.center_point(), arm: arm(body, point), rotation: body.rotation }
            }
        }
    }

    /// Relative frame of a joint, for the user.
    pub(super) fn stand(&self, slot: u32) -> JointFrame {
        let joint = &self.joints.rows[slot as usize];
        // In lists, a gear whose joints move one body has only a second body.
        let body_a = joint.def.body_a.map_or(NONE, |id| id.index() as u32);
        let a = self.spot(body_a, joint.def.anchor_a);
        let b = self.spot(joint.body_b, joint.def.anchor_b);
        let axis = a.rotation * joint.def.axis_modes().axis.normalize_or(Vec2::X);
        JointFrame { axis, ..JointFrame::between(self.def.period(), &a, &b) }
    }

    /// The present turns of B relative to A.
    pub(super) fn turns_of(&self, slot: u32) -> Turns {
        self.joints.turns[slot as usize].at(self.angle_between(&self.joints.rows[slot as usize]))
    }

    /// The angle of B against A, within a turn.
    pub(super) fn angle_between(&self, joint: &Joint) -> f32 {
        (self.rotation_of(joint.body_a).inverse() * self.rotation_of(joint.body_b)).angle()
    }

    /// Restarts the count of turns, with as few as possible.
    pub(crate) fn forget_turns(&mut self, slot: u32) {
        let joint = &self.joints.rows[slot as usize];
        let (zero, angle) = (joint.def.angle.unwrap_or(0.0), self.angle_between(joint));
        self.joints.turns[slot as usize] = Turns::near(angle, zero, zero);
    }

    /// The present coordinates of a joint: along, across, angle.
    pub(crate) fn numbers_of(&self, slot: u32) -> [f32; 3] {
        let (joint, stand) = (&self.joints.rows[slot as usize], self.stand(slot));
        let apart = stand.way + stand.arm_b - stand.arm_a;
        let line = joint.def.axis_modes().line && apart.length() > 0.0;
        let axis = if line { apart / apart.length() } else { stand.axis };
        [axis.dot(apart), axis.perp().dot(apart), self.turns_of(slot).angle() as f32]
    }

    /// Position of an anchor.
    pub(crate) fn anchor_point(&self, anchor: Anchor, body: u32) -> WorldPoint {
        match anchor {
            Anchor::World(point) => point,
            Anchor::Local(point) if body == NONE => WorldPoint::from(point),
            Anchor::Local(point) => self.bodies.rows[body as usize].point_at(point, self.def.span()),
        }
    }

    pub(crate) fn rotation_of(&self, body: u32) -> Rot {
        if body == NONE { Rot::IDENTITY } else { self.bodies.rows[body as usize].rotation }
    }
}

/// From a body's centre of mass to a point in its frame.
pub(super) fn arm(body: &Body, point: Vec2) -> Vec2 {
    body.rotation * (point - body.local_center)
}
