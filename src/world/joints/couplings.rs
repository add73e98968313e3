//! Gears and pulleys: the axes that they couple.
//!
//! In: a coupling joint. Out: its two ends, each like a joint of its own: a geared joint, or a rope
//! from a pulley to an anchor.

use super::super::World;
use super::frames::{JointFrame, Spot};
use crate::body::NONE;
use crate::joint::{Anchor, Joint, JointKind};
use crate::math::{Rot, WorldPoint};
use glam::Vec2;

/// One end of a coupling.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) body_a: u32,
    pub(super) body_b: u32,
    /// The coupled axis.
    pub(super) number: usize,
    pub(super) line: bool,
}

/// Attachments of an end of a coupling.
#[derive(Clone, Copy)]
pub(super) struct Spots {
    pub(super) ends: [(u32, Anchor); 2],
    /// In the frame of the first body.
    pub(super) axis: Vec2,
}

impl World {
    /// The two ends of a coupling; `None` for other joints.
    pub(super) fn ends_of(&self, joint: &Joint) -> Option<[End; 2]> {
        match joint.def.kind {
            JointKind::Gear { first, second, .. } => Some([first, second].map(|id| {
                let joint = &self.joints.rows[id.index()];
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

    /// Frame of an end of a coupling.
    pub(super) fn stand_of_end(&self, joint: &Joint, end: usize) -> JointFrame {
        match joint.def.kind {
            JointKind::Gear { first, second, .. } => self.stand([first, second][end].index() as u32),
            JointKind::Pulley { ground_a, ground_b, .. } => {
                let (body, anchor) = if end == 0 {
                    (joint.body_a, joint.def.anchor_a)
                } else {
                    (joint.body_b, joint.def.anchor_b)
                };
                let ground = of_ground([ground_a, ground_b][end]);
                JointFrame::between(self.def.period(), &ground, &self.spot(body, anchor))
            }
            _ => JointFrame::default(),
        }
    }

    /// Attachments of both ends of a coupling, for `fill.rs`.
    pub(super) fn spots_of_ends(&self, joint: &Joint) -> [Spots; 2] {
        let ground = |point: WorldPoint| (NONE, Anchor::World(point));
        match joint.def.kind {
            JointKind::Gear { first, second, .. } => [first, second].map(|id| {
                let geared = &self.joints.rows[id.index()];
                let ends = [(geared.body_a, geared.def.anchor_a), (geared.body_b, geared.def.anchor_b)];
                let axis = geared.def.axis_modes().axis.normalize_or(Vec2::X);
                Spots { ends, axis }
            }),
            JointKind::Pulley { ground_a, ground_b, .. } => {
                let sides = [
                    [ground(ground_a), (joint.body_a, joint.def.anchor_a)],
                    [ground(ground_b), (joint.body_b, joint.def.anchor_b)],
                ];
                sides.map(|ends| Spots { ends, axis: Vec2::X })
            }
            _ => [Spots { ends: [ground(WorldPoint::ORIGIN); 2], axis: Vec2::X }; 2],
        }
    }

    /// The sum that a coupling keeps from now on.
    pub(crate) fn sum_of(&self, joint: &Joint) -> f64 {
        match joint.def.kind {
            JointKind::Pulley { length, .. } => f64::from(length.unwrap_or(0.0)),
            _ => self.sum_now(joint),
        }
    }

    /// The present sum of a coupling; 0 for other joints.
    pub(crate) fn sum_now(&self, joint: &Joint) -> f64 {
        let Some(ends) = self.ends_of(joint) else { return 0.0 };
        let value = |k: usize| {
            if let (JointKind::Gear { first, second, .. }, 2) = (joint.def.kind, ends[k].number) {
                return self.turns_of([first, second][k].index() as u32).angle();
            }
            let stand = self.stand_of_end(joint, k);
            let apart = stand.way + stand.arm_b - stand.arm_a;
            f64::from(if ends[k].line { apart.length() } else { stand.axis.dot(apart) })
        };
        value(0) + f64::from(joint.def.kind.ratio().unwrap_or(0.0)) * value(1)
    }

    /// The gears that couple a joint.
    pub(crate) fn gears_of(&self, slot: u32) -> Vec<u32> {
        let joint = &self.joints.rows[slot as usize];
        if joint.gears == 0 {
            return Vec::new();
        }
        let id = self.joint_id(slot);
        let couples = |gear: &u32| {
            self.joints.rows[*gear as usize].def.kind.gears().is_some_and(|ids| ids.contains(&id))
        };
        let bodies = [joint.body_a, joint.body_b].into_iter().filter(|&body| body != NONE);
        let mut gears: Vec<u32> = bodies.flat_map(|body| self.joint_slots_of(body)).filter(couples).collect();
        gears.sort_unstable();
        gears.dedup();
        gears
    }

    /// Adds or removes a gear in the counts of the joints that it couples.
    pub(crate) fn count_gear(&mut self, slot: u32, more: bool) {
        for id in self.joints.rows[slot as usize].def.kind.gears().into_iter().flatten() {
            let gears = &mut self.joints.rows[id.index()].gears;
            *gears = if more { *gears + 1 } else { gears.saturating_sub(1) };
        }
    }

    /// Updates the bodies that gears of a body's joints move, after the body was made fixed or
    /// movable.
    pub(crate) fn rehang_gears(&mut self, body: u32) {
        let joints: Vec<u32> =
            self.joint_slots_of(body).filter(|&slot| self.joints.rows[slot as usize].gears > 0).collect();
        let gears: Vec<u32> = joints.into_iter().flat_map(|slot| self.gears_of(slot)).collect();
        for gear in gears {
            let def = self.joints.rows[gear as usize].def;
            let Ok((def, slots)) = self.resolve(def) else { continue };
            let joint = &self.joints.rows[gear as usize];
            if (joint.body_a, joint.body_b) != slots {
                self.flush_impulses();
                self.unlink_joint(gear);
                let joint = &mut self.joints.rows[gear as usize];
                (joint.body_a, joint.body_b) = slots;
                (joint.def.body_a, joint.def.body_b) = (def.body_a, def.body_b);
                self.link_joint(gear);
            }
        }
    }
}

/// A fixed point of the world.
fn of_ground(point: WorldPoint) -> Spot {
    Spot { center: point, arm: Vec2::ZERO, rotation: Rot::IDENTITY }
}
