//! Where joints stand: points, axes and angles, as the bodies are now.

use glam::Vec2;

use super::super::World;
use super::revolutions::Turns;
use crate::body::{Body, NONE};
use crate::broadphase::Period;
use crate::joint::{Anchor, Joint};
use crate::math::{Rot, WorldPoint};

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
pub(super) struct JointFrame {
    pub(super) arm_a: Vec2,
    pub(super) arm_b: Vec2,
    pub(super) way: Vec2,
    pub(super) axis: Vec2,
}

impl JointFrame {
    pub(super) fn between(period: Period, a: &Spot, b: &Spot) -> JointFrame {
        let way = period.way(a.center, b.center);
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

    /// Where a joint stands, for the user's eyes.
    pub(super) fn stand(&self, slot: u32) -> JointFrame {
        let joint = &self.joints.rows[slot as usize];
        // In lists, a gear whose joints move one body has that body as its second one alone.
        let body_a = joint.def.body_a.map_or(NONE, |id| id.index() as u32);
        let a = self.spot(body_a, joint.def.anchor_a);
        let b = self.spot(joint.body_b, joint.def.anchor_b);
        let axis = a.rotation * joint.def.axis_modes().axis.normalize_or(Vec2::X);
        JointFrame { axis, ..JointFrame::between(self.def.period(), &a, &b) }
    }

    /// The turns of B against A as they stand now.
    pub(super) fn turns_of(&self, slot: u32) -> Turns {
        self.joints.turns[slot as usize].at(self.angle_between(&self.joints.rows[slot as usize]))
    }

    /// The angle of B against A, within a turn.
    pub(super) fn angle_between(&self, joint: &Joint) -> f32 {
        (self.rotation_of(joint.body_a).inverse() * self.rotation_of(joint.body_b)).angle()
    }

    /// Turns are counted anew: as few as can be.
    pub(crate) fn forget_turns(&mut self, slot: u32) {
        let joint = &self.joints.rows[slot as usize];
        let (zero, angle) = (joint.def.angle.unwrap_or(0.0), self.angle_between(joint));
        self.joints.turns[slot as usize] = Turns::near(angle, zero, zero);
    }

    /// The three numbers of a joint as it stands now: along, across, angle.
    pub(crate) fn numbers_of(&self, slot: u32) -> [f32; 3] {
        let (joint, stand) = (&self.joints.rows[slot as usize], self.stand(slot));
        let apart = stand.way + stand.arm_b - stand.arm_a;
        let line = joint.def.axis_modes().line && apart.length() > 0.0;
        let axis = if line { apart / apart.length() } else { stand.axis };
        [axis.dot(apart), axis.perp().dot(apart), self.turns_of(slot).angle() as f32]
    }

    /// Where an anchor is.
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
