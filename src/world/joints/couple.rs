//! Gears and pulleys: which numbers they couple.
//!
//! In: a coupling joint. Out: its two ends, each as if it were a joint of its own: a geared joint as it is, or a rope from a
//! pulley to an anchor.

use super::super::World;
use super::hold::{Spot, Stand};
use crate::body::NONE;
use crate::joint::{Joint, JointKind};
use crate::math::{Rot, WorldPoint};

/// One end of a coupling.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    /// Which number counts.
    pub(super) number: usize,
    pub(super) line: bool,
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
            JointKind::Gear { first, second, .. } => {
                let geared = &self.joints[[first, second][end].index()];
                self.stand(geared, true)
            }
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
    Spot { center: point, arm: glam::Vec2::ZERO, rotation: Rot::IDENTITY }
}
