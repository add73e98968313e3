//! Joints between names, as they are written down.
//!
//! In: a joint of a level. Out: the same with names in place of ids; and back. Every kind has a
//! line in both directions, so that a new kind fails to compile until it has.

use core::num::NonZeroU32;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::LevelJoint;
use super::format::Place;
use crate::body::{BodyId, JointId};
use crate::joint::{Anchor, Drive, JointDef, JointKind, Limits, Spring};
use crate::math::infinite::above;

/// In place of the bodies of a joint of a level.
pub(super) fn stand_in() -> BodyId {
    BodyId::new(u32::MAX, NonZeroU32::MAX)
}

/// In place of the joints of a gear.
pub(super) fn joint_stand_in() -> JointId {
    JointId::new(u32::MAX, NonZeroU32::MAX)
}

/// A joint as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Joint")]
pub(super) struct JointData {
    kind: KindData,
    #[serde(default)]
    body_a: Option<String>,
    #[serde(default)]
    body_b: Option<String>,
    #[serde(default)]
    anchor_a: AnchorData,
    #[serde(default)]
    anchor_b: AnchorData,
    #[serde(default)]
    angle: Option<f32>,
    #[serde(default)]
    drive: Drive,
    #[serde(default)]
    spring: Option<Spring>,
    #[serde(default = "unbreakable", with = "above")]
    break_force: f32,
    #[serde(default = "unbreakable", with = "above")]
    break_torque: f32,
    #[serde(default)]
    collide: bool,
    #[serde(default = "is_on")]
    enabled: bool,
    #[serde(default)]
    user_data: u64,
}

fn unbreakable() -> f32 {
    f32::INFINITY
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Anchor")]
enum AnchorData {
    World(Place),
    Local(Vec2),
}

impl Default for AnchorData {
    fn default() -> AnchorData {
        AnchorData::of(Anchor::default())
    }
}

impl AnchorData {
    fn of(anchor: Anchor) -> AnchorData {
        match anchor {
            Anchor::World(point) => AnchorData::World(Place(point)),
            Anchor::Local(point) => AnchorData::Local(point),
        }
    }

    fn anchor(self) -> Anchor {
        match self {
            AnchorData::World(Place(point)) => Anchor::World(point),
            AnchorData::Local(point) => Anchor::Local(point),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "JointKind")]
enum KindData {
    Revolute,
    Prismatic {
        axis: Vec2,
    },
    Distance {
        #[serde(default)]
        length: Option<f32>,
        #[serde(default = "no_limits")]
        force: Limits,
    },
    Rope,
    Weld {
        #[serde(default)]
        bend: Option<Spring>,
    },
    Wheel {
        axis: Vec2,
        #[serde(default)]
        suspension: Drive,
    },
    Motor {
        #[serde(default)]
        offset: Vec2,
        #[serde(default)]
        angle: f32,
        spring: Spring,
        #[serde(default = "unbreakable", with = "above")]
        max_force: f32,
        #[serde(default = "unbreakable", with = "above")]
        max_torque: f32,
    },
    Friction {
        #[serde(with = "above")]
        max_force: f32,
        #[serde(with = "above")]
        max_torque: f32,
    },
    Gear {
        first: String,
        second: String,
        ratio: f32,
    },
    Pulley {
        ground_a: Place,
        ground_b: Place,
        #[serde(default = "one")]
        ratio: f32,
        #[serde(default)]
        length: Option<f32>,
    },
    Filter,
}

fn no_limits() -> Limits {
    Limits::NONE
}

fn one() -> f32 {
    1.0
}

impl From<&LevelJoint> for JointData {
    fn from(joint: &LevelJoint) -> JointData {
        let def = &joint.def;
        let geared = joint.geared.clone().unwrap_or_default();
        let [body_a, body_b] = match def.kind {
            JointKind::Gear { .. } => [None, None],
            _ => joint.bodies.clone(),
        };
        JointData {
            kind: KindData::of(&def.kind, geared),
            body_a,
            body_b,
            anchor_a: AnchorData::of(def.anchor_a),
            anchor_b: AnchorData::of(def.anchor_b),
            angle: def.angle,
            drive: def.drive,
            spring: def.spring,
            break_force: def.break_force,
            break_torque: def.break_torque,
            collide: def.collide,
            enabled: def.enabled,
            user_data: def.user_data,
        }
    }
}

impl JointData {
    pub(super) fn named(self, name: String) -> LevelJoint {
        let (kind, geared) = self.kind.kind();
        let def = JointDef {
            kind,
            body_a: self.body_a.is_some().then(stand_in),
            body_b: stand_in(),
            anchor_a: self.anchor_a.anchor(),
            anchor_b: self.anchor_b.anchor(),
            angle: self.angle,
            drive: self.drive,
            spring: self.spring,
            break_force: self.break_force,
            break_torque: self.break_torque,
            collide: self.collide,
            enabled: self.enabled,
            user_data: self.user_data,
            misfit: None,
        };
        LevelJoint { name, bodies: [self.body_a, self.body_b], geared, def }
    }
}

impl KindData {
    fn of(kind: &JointKind, [first, second]: [String; 2]) -> KindData {
        match *kind {
            JointKind::Revolute => KindData::Revolute,
            JointKind::Prismatic { axis } => KindData::Prismatic { axis },
            JointKind::Distance { length, force } => KindData::Distance { length, force },
            JointKind::Rope => KindData::Rope,
            JointKind::Weld { bend } => KindData::Weld { bend },
            JointKind::Wheel { axis, suspension } => KindData::Wheel { axis, suspension },
            JointKind::Motor { offset, angle, spring, max_force, max_torque } => {
                KindData::Motor { offset, angle, spring, max_force, max_torque }
            }
            JointKind::Friction { max_force, max_torque } => KindData::Friction { max_force, max_torque },
            JointKind::Gear { ratio, .. } => KindData::Gear { first, second, ratio },
            JointKind::Pulley { ground_a, ground_b, ratio, length } => {
                KindData::Pulley { ground_a: Place(ground_a), ground_b: Place(ground_b), ratio, length }
            }
            JointKind::Filter => KindData::Filter,
        }
    }

    fn kind(self) -> (JointKind, Option<[String; 2]>) {
        let kind = match self {
            KindData::Revolute => JointKind::Revolute,
            KindData::Prismatic { axis } => JointKind::Prismatic { axis },
            KindData::Distance { length, force } => JointKind::Distance { length, force },
            KindData::Rope => JointKind::Rope,
            KindData::Weld { bend } => JointKind::Weld { bend },
            KindData::Wheel { axis, suspension } => JointKind::Wheel { axis, suspension },
            KindData::Motor { offset, angle, spring, max_force, max_torque } => {
                JointKind::Motor { offset, angle, spring, max_force, max_torque }
            }
            KindData::Friction { max_force, max_torque } => JointKind::Friction { max_force, max_torque },
            KindData::Gear { first, second, ratio } => {
                let gear = JointKind::Gear { first: joint_stand_in(), second: joint_stand_in(), ratio };
                return (gear, Some([first, second]));
            }
            KindData::Pulley { ground_a, ground_b, ratio, length } => {
                JointKind::Pulley { ground_a: ground_a.0, ground_b: ground_b.0, ratio, length }
            }
            KindData::Filter => JointKind::Filter,
        };
        (kind, None)
    }
}

/// The default of everything that a joint leaves out.
fn is_on() -> bool {
    true
}
