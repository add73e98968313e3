//! Definitions of joints both ways, and their states.
//!
//! C has one struct for all kinds; members of other kinds do not count.

use carom::{
    Anchor, Drive, DriveState, JointDef, JointKind, JointState, Limits, Motor, RangeEnd, Servo,
    Spring,
};

use crate::failure::{Failure, Result};
use crate::types as c;
use crate::types::{joint_kind as kind, range_end, status};

impl From<c::Spring> for Spring {
    fn from(spring: c::Spring) -> Spring {
        Spring { hertz: spring.hertz, damping: spring.damping }
    }
}

impl From<Spring> for c::Spring {
    fn from(spring: Spring) -> c::Spring {
        c::Spring { hertz: spring.hertz, damping: spring.damping }
    }
}

impl From<c::Limits> for Limits {
    fn from(limits: c::Limits) -> Limits {
        Limits { lower: limits.lower, upper: limits.upper }
    }
}

impl From<Limits> for c::Limits {
    fn from(limits: Limits) -> c::Limits {
        c::Limits { lower: limits.lower, upper: limits.upper }
    }
}

impl From<c::Motor> for Motor {
    fn from(motor: c::Motor) -> Motor {
        Motor { speed: motor.speed, max: motor.max }
    }
}

impl From<c::Drive> for Drive {
    fn from(drive: c::Drive) -> Drive {
        let servo = || Servo {
            target: drive.servo.target,
            spring: drive.servo.spring.into(),
            force: drive.servo.force.into(),
        };
        Drive {
            limits: (drive.has_limits != 0).then(|| drive.limits.into()),
            motor: (drive.has_motor != 0).then(|| drive.motor.into()),
            servo: (drive.has_servo != 0).then(servo),
        }
    }
}

impl From<Drive> for c::Drive {
    fn from(drive: Drive) -> c::Drive {
        let motor = drive.motor.map(|motor| c::Motor { speed: motor.speed, max: motor.max });
        let servo = drive.servo.map(|servo| c::Servo {
            target: servo.target,
            spring: servo.spring.into(),
            force: servo.force.into(),
        });
        c::Drive {
            has_limits: drive.limits.is_some().into(),
            has_motor: drive.motor.is_some().into(),
            has_servo: drive.servo.is_some().into(),
            limits: drive.limits.unwrap_or(Limits::NONE).into(),
            motor: motor.unwrap_or_default(),
            servo: servo.unwrap_or_default(),
        }
    }
}

impl From<c::Anchor> for Anchor {
    fn from(anchor: c::Anchor) -> Anchor {
        if anchor.in_world != 0 {
            Anchor::World(anchor.world.into())
        } else {
            Anchor::Local(anchor.local.into())
        }
    }
}

impl From<Anchor> for c::Anchor {
    fn from(anchor: Anchor) -> c::Anchor {
        match anchor {
            Anchor::World(point) => {
                c::Anchor { in_world: 1, world: point.into(), ..c::Anchor::default() }
            }
            Anchor::Local(local) => c::Anchor { local: local.into(), ..c::Anchor::default() },
        }
    }
}

impl TryFrom<&c::JointDef> for JointDef {
    type Error = Failure;

    fn try_from(def: &c::JointDef) -> Result<JointDef> {
        let length = (def.has_length != 0).then_some(def.length);
        let kind = match def.kind {
            kind::REVOLUTE => JointKind::Revolute,
            kind::PRISMATIC => JointKind::Prismatic { axis: def.axis.into() },
            kind::DISTANCE => JointKind::Distance { length, force: def.force.into() },
            kind::ROPE => JointKind::Rope,
            kind::WELD => JointKind::Weld { bend: (def.has_bend != 0).then(|| def.bend.into()) },
            kind::WHEEL => {
                JointKind::Wheel { axis: def.axis.into(), suspension: def.suspension.into() }
            }
            kind::MOTOR => JointKind::Motor {
                offset: def.offset.into(),
                angle: def.turn,
                spring: def.pull.into(),
                max_force: def.max_force,
                max_torque: def.max_torque,
            },
            kind::FRICTION => {
                JointKind::Friction { max_force: def.max_force, max_torque: def.max_torque }
            }
            kind::GEAR => JointKind::Gear {
                first: def.first.id()?,
                second: def.second.id()?,
                ratio: def.ratio,
            },
            kind::PULLEY => JointKind::Pulley {
                ground_a: def.ground_a.into(),
                ground_b: def.ground_b.into(),
                ratio: def.ratio,
                length,
            },
            kind::FILTER => JointKind::Filter,
            other => return Err(Failure::Enum("joint_kind", other)),
        };
        // A gear takes its bodies from its joints: this member only has to be an id.
        let stand_in = || c::Body { slot: u32::MAX, generation: u32::MAX }.id();
        let is_gear = matches!(kind, JointKind::Gear { .. });
        let body_b =
            if is_gear { def.body_b.id().or_else(|_| stand_in())? } else { def.body_b.id()? };
        Ok(JointDef {
            kind,
            body_a: def.body_a.id().ok(),
            body_b,
            anchor_a: def.anchor_a.into(),
            anchor_b: def.anchor_b.into(),
            angle: (def.has_angle != 0).then_some(def.angle),
            drive: def.drive.into(),
            spring: (def.has_spring != 0).then(|| def.spring.into()),
            break_force: def.break_force,
            break_torque: def.break_torque,
            collide: def.collide != 0,
            enabled: def.enabled != 0,
            user_data: def.user_data,
            misfit: None,
        })
    }
}

impl From<&JointDef> for c::JointDef {
    fn from(def: &JointDef) -> c::JointDef {
        let mut own = c::JointDef {
            body_a: def.body_a.into(),
            body_b: def.body_b.into(),
            anchor_a: def.anchor_a.into(),
            anchor_b: def.anchor_b.into(),
            has_angle: def.angle.is_some().into(),
            angle: def.angle.unwrap_or_default(),
            drive: def.drive.into(),
            has_spring: def.spring.is_some().into(),
            spring: def.spring.map_or(c::Spring::default(), c::Spring::from),
            break_force: def.break_force,
            break_torque: def.break_torque,
            collide: def.collide.into(),
            enabled: def.enabled.into(),
            user_data: def.user_data,
            ..c::JointDef::default()
        };
        own.put_kind(&def.kind);
        own
    }
}

impl c::JointDef {
    /// Writes a kind and its members.
    fn put_kind(&mut self, of: &JointKind) {
        let mut put_length = |length: &Option<f32>| {
            self.has_length = length.is_some().into();
            self.length = length.unwrap_or_default();
        };
        self.kind = match of {
            JointKind::Revolute => kind::REVOLUTE,
            JointKind::Prismatic { axis } => {
                self.axis = (*axis).into();
                kind::PRISMATIC
            }
            JointKind::Distance { length, force } => {
                put_length(length);
                self.force = (*force).into();
                kind::DISTANCE
            }
            JointKind::Rope => kind::ROPE,
            JointKind::Weld { bend } => {
                self.has_bend = bend.is_some().into();
                self.bend = bend.map_or(c::Spring::default(), c::Spring::from);
                kind::WELD
            }
            JointKind::Wheel { axis, suspension } => {
                (self.axis, self.suspension) = ((*axis).into(), (*suspension).into());
                kind::WHEEL
            }
            JointKind::Motor { offset, angle, spring, max_force, max_torque } => {
                (self.offset, self.turn) = ((*offset).into(), *angle);
                (self.pull, self.max_force) = ((*spring).into(), *max_force);
                self.max_torque = *max_torque;
                kind::MOTOR
            }
            JointKind::Friction { max_force, max_torque } => {
                (self.max_force, self.max_torque) = (*max_force, *max_torque);
                kind::FRICTION
            }
            JointKind::Gear { first, second, ratio } => {
                (self.first, self.second) = ((*first).into(), (*second).into());
                self.ratio = *ratio;
                kind::GEAR
            }
            JointKind::Pulley { ground_a, ground_b, ratio, length } => {
                put_length(length);
                (self.ground_a, self.ground_b) = ((*ground_a).into(), (*ground_b).into());
                self.ratio = *ratio;
                kind::PULLEY
            }
            JointKind::Filter => kind::FILTER,
            // Kinds of later versions of carom: this header has no names for them.
            _ => u32::MAX,
        };
    }
}

/// A definition that a caller reads, if the header has its kind.
pub(crate) fn joint_def(def: &JointDef) -> Result<c::JointDef> {
    let own = c::JointDef::from(def);
    if own.kind > kind::FILTER {
        return Err(Failure::Rule(status::BAD_JOINT, "the header has no such kind of joint"));
    }
    Ok(own)
}

impl From<&DriveState> for c::DriveState {
    fn from(state: &DriveState) -> c::DriveState {
        let at_limit = match state.at_limit {
            None => range_end::NONE,
            Some(RangeEnd::Lower) => range_end::LOWER,
            Some(RangeEnd::Upper) => range_end::UPPER,
        };
        c::DriveState { at_limit, servo: state.servo, motor: state.motor, limits: state.limits }
    }
}

impl From<&JointState> for c::JointState {
    fn from(state: &JointState) -> c::JointState {
        c::JointState {
            anchor_a: state.anchor_a.into(),
            anchor_b: state.anchor_b.into(),
            gap: state.gap,
            twist: state.twist,
            angle: state.angle,
            angular_speed: state.angular_speed,
            length: state.length,
            speed: state.speed,
            force: state.force.into(),
            torque: state.torque,
            drive: (&state.drive).into(),
            suspension: (&state.suspension).into(),
            stored: state.stored,
        }
    }
}
