//! Gears and pulleys: which numbers they couple.
//!
//! In: a coupling joint. Out: its two ends, each as if it were a joint of its own: a geared joint as it is, or a rope from a
//! pulley to an anchor.

use super::super::World;
use super::stand::{Spot, Stand};
use crate::body::NONE;
use crate::joint::{Anchor, Joint, JointKind};
use crate::math::{Rot, WorldPoint};
use glam::Vec2;

/// One end of a coupling.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    /// Which number counts.
    pub(super) number: usize,
    pub(super) line: bool,
}

/// What an end of a coupling holds on to.
#[derive(Clone, Copy)]
pub(super) struct Spots {
    pub(super) ends: [(u32, Anchor); 2],
    /// In the frame of the first body.
    pub(super) axis: Vec2,
    pub(super) angle: f32,
}

impl World {
    /// The two ends of a coupling; `None` for other joints.
    pub(super) fn ends_of(&self, joint: &Joint) -> Option<[End; 2]> {
        match joint.def.kind {
            JointKind::Gear { first, second, .. } => Some([first, second].map(|id| {
                let joint = &self.joints[id.index()];
                let number = if matches!(joint.def.kind, JointKind::Revolute) { 2 } else { 0 };
                End { body_a: joint.body_a, body_b: joint.body_b, number, line: false }
            })),
            JointKind::Pulley { .. } => Some([joint.body_a, joint.body_b].map(|body| End {
                body_a: NONE,
                body_b: body,
                number: 0,
                line: true,
            })),
            _ => None,
        }
    }

    /// Where an end of a coupling stands.
    pub(super) fn stand_of_end(&self, joint: &Joint, end: usize) -> Stand {
        match joint.def.kind {
            JointKind::Gear { first, second, .. } => self.stand([first, second][end].index() as u32),
            JointKind::Pulley { ground_a, ground_b, .. } => {
                let (body, anchor) = if end == 0 {
                    (joint.body_a, joint.def.anchor_a)
                } else {
                    (joint.body_b, joint.def.anchor_b)
                };
                Stand::between(&of_ground([ground_a, ground_b][end]), &self.spot(body, anchor))
            }
            _ => Stand::default(),
        }
    }

    /// Where the ends of a coupling hold on, as `seat.rs` wants it.
    pub(super) fn spots_of_ends(&self, joint: &Joint) -> [Spots; 2] {
        let ground = |point: WorldPoint| (NONE, Anchor::World(point));
        match joint.def.kind {
            JointKind::Gear { first, second, .. } => [first, second].map(|id| {
                let geared = &self.joints[id.index()];
                let ends = [(geared.body_a, geared.def.anchor_a), (geared.body_b, geared.def.anchor_b)];
                let axis = geared.def.makeup().axis.normalize_or(Vec2::X);
                let angle = self.counted_angle(id.index() as u32) - geared.def.angle.unwrap_or(0.0);
                Spots { ends, axis, angle }
            }),
            JointKind::Pulley { ground_a, ground_b, .. } => {
                let sides = [
                    [ground(ground_a), (joint.body_a, joint.def.anchor_a)],
                    [ground(ground_b), (joint.body_b, joint.def.anchor_b)],
                ];
                sides.map(|ends| Spots { ends, axis: Vec2::X, angle: 0.0 })
            }
            _ => [Spots { ends: [ground(WorldPoint::ORIGIN); 2], axis: Vec2::X, angle: 0.0 }; 2],
        }
    }

    /// What a coupling keeps its sum at, from now on.
    pub(super) fn sum_of(&self, slot: u32) -> f32 {
        let joint = &self.joints[slot as usize];
        match joint.def.kind {
            JointKind::Pulley { length, .. } => length.unwrap_or(0.0),
            JointKind::Gear { .. } => self.sum_now(joint),
            _ => 0.0,
        }
    }

    /// The sum of a coupling as its bodies stand.
    pub(super) fn sum_now(&self, joint: &Joint) -> f32 {
        let Some(ends) = self.ends_of(joint) else { return 0.0 };
        let value = |k: usize| {
            let stand = self.stand_of_end(joint, k);
            let apart = stand.way + stand.arm_b - stand.arm_a;
            match ends[k] {
                End { line: true, .. } => apart.length(),
                End { number: 2, .. } => stand.angle,
                _ => stand.axis.dot(apart),
            }
        };
        value(0) + joint.def.kind.ratio().unwrap_or(0.0) * value(1)
    }
}

/// A point of the world that nothing moves.
fn of_ground(point: WorldPoint) -> Spot {
    Spot { center: point, arm: Vec2::ZERO, rotation: Rot::IDENTITY }
}
