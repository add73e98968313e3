//! Where joints stand: points, axes and angles, as the bodies are now.

use core::f32::consts::TAU;
use glam::Vec2;

use super::super::World;
use crate::body::{Body, NONE};
use crate::joint::{Anchor, Joint};
use crate::math::{Rot, WorldPoint};
use crate::simd::LANES;

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

    /// The angle of B against A, with the turns that were counted.
    pub(super) fn counted_angle(&self, slot: u32) -> f32 {
        let (joint, joints) = (&self.joints[slot as usize], &self.solver.joints);
        let (block, lane) = (joint.place as usize / LANES, joint.place as usize % LANES);
        let here = joints.of_blocks.get(block).is_some_and(|of| of[lane] == slot);
        let zero = joint.def.angle.unwrap_or(0.0);
        if here { joints.blocks[block].start.angle[lane] + zero } else { joint.angle }
    }

    /// The angle of B against A, with as many turns as bring it next to `near`.
    pub(crate) fn angle_near(&self, joint: &Joint, near: f32) -> f32 {
        let raw = (self.rotation_of(joint.body_a).inverse() * self.rotation_of(joint.body_b)).angle();
        nearest_turn(raw, near)
    }

    /// Where an anchor is.
    pub(crate) fn anchor_point(&self, anchor: Anchor, body: u32) -> WorldPoint {
        match anchor {
            Anchor::World(point) => point,
            Anchor::Local(point) if body == NONE => WorldPoint::from(point),
            Anchor::Local(point) => self.bodies[body as usize].to_world(point),
        }
    }

    pub(crate) fn rotation_of(&self, body: u32) -> Rot {
        if body == NONE { Rot::IDENTITY } else { self.bodies[body as usize].rotation }
    }
}

/// An angle with as many turns as bring it next to `near`.
pub(super) fn nearest_turn(angle: f32, near: f32) -> f32 {
    angle + TAU * ((near - angle) / TAU).round()
}

/// From a body's centre of mass to a point in its frame.
pub(super) fn arm(body: &Body, point: Vec2) -> Vec2 {
    body.rotation * (point - body.local_center)
}
