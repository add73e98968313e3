//! Joint definitions for tests: one of every kind, and access to every number in them.
//!
//! In: two bodies. Out: definitions with everything switched on. Used by the tests of bad numbers
//! and of read-back, and by the fuzz targets.

use carom::prelude::*;
use carom::{Anchor, Drive, JointKind, Servo};

/// Every kind of joint between two bodies, with everything switched on that it has.
pub fn every_kind(a: BodyId, b: BodyId, hinges: [JointId; 2]) -> Vec<JointDef> {
    let spring = Spring::new(3.0, 0.5);
    let all = |def: JointDef| def.limits(-1.0, 2.0).motor(1.0, 10.0).servo(0.5, spring);
    let suspension = Drive::default().servo(0.0, spring).limits(-0.5, 0.5).motor(0.5, 10.0);
    vec![
        all(JointDef::revolute(a, b)).breaks_at(1.0e6, 1.0e6),
        all(JointDef::prismatic(a, b, [1.0, 1.0])).soft(spring),
        JointDef::distance(a, b)
            .length(1.0)
            .soft(spring)
            .limits(0.5, 2.0)
            .motor(1.0, 10.0)
            .force_range(-9.0, 9.0),
        all(JointDef::distance(a, b)),
        all(JointDef::rope(a, b, 2.0)).limits(0.5, 2.0),
        JointDef::rope(a, b, 2.0).limits(0.5, 2.0).motor(1.0, 10.0).soft(spring),
        JointDef::weld(a, b).soft(spring).bend(spring),
        JointDef::wheel(a, b, [0.0, 1.0], spring)
            .angle_limits(-1.0, 2.0)
            .motor(1.0, 10.0)
            .servo(0.5, spring)
            .suspension(suspension),
        JointDef::motor_to(a, b, spring).strength(20.0, 5.0),
        JointDef::friction(a, b, 5.0, 5.0),
        JointDef::gear(hinges[0], hinges[1], 2.0),
        JointDef::pulley(a, b, [0.0, 5.0], [2.0, 5.0], 2.0),
        JointDef::filter(a, b),
        JointDef::drag(b, [1.0, 0.5], 100.0),
    ]
}

/// Every number of a definition, to be set one at a time.
pub fn numbers(def: &mut JointDef) -> Vec<&mut f32> {
    let mut all: Vec<&mut f32> = Vec::new();
    fn point(anchor: &mut Anchor) -> [&mut f32; 2] {
        match anchor {
            Anchor::World(point) => [&mut point.local.x, &mut point.local.y],
            Anchor::Local(point) => [&mut point.x, &mut point.y],
        }
    }
    fn drive(drive: &mut Drive) -> Vec<&mut f32> {
        let mut all: Vec<&mut f32> = Vec::new();
        if let Some(limits) = &mut drive.limits {
            all.extend([&mut limits.lower, &mut limits.upper]);
        }
        if let Some(motor) = &mut drive.motor {
            all.extend([&mut motor.speed, &mut motor.max]);
        }
        if let Some(Servo { target, spring, force }) = &mut drive.servo {
            all.extend([target, &mut spring.hertz, &mut spring.damping, &mut force.lower, &mut force.upper]);
        }
        all
    }
    all.extend(point(&mut def.anchor_a));
    all.extend(point(&mut def.anchor_b));
    all.extend(drive(&mut def.drive));
    all.extend(def.angle.iter_mut());
    all.extend(def.spring.iter_mut().flat_map(|spring| [&mut spring.hertz, &mut spring.damping]));
    all.extend([&mut def.break_force, &mut def.break_torque]);
    match &mut def.kind {
        JointKind::Revolute | JointKind::Rope | JointKind::Filter => {}
        JointKind::Prismatic { axis } => all.extend([&mut axis.x, &mut axis.y]),
        JointKind::Distance { length, force } => {
            all.extend(length.iter_mut());
            all.extend([&mut force.lower, &mut force.upper]);
        }
        JointKind::Weld { bend } => {
            all.extend(bend.iter_mut().flat_map(|spring| [&mut spring.hertz, &mut spring.damping]));
        }
        JointKind::Wheel { axis, suspension } => {
            all.extend([&mut axis.x, &mut axis.y]);
            all.extend(drive(suspension));
        }
        JointKind::Motor { offset, angle, spring, max_force, max_torque } => all.extend([
            &mut offset.x,
            &mut offset.y,
            angle,
            &mut spring.hertz,
            &mut spring.damping,
            max_force,
            max_torque,
        ]),
        JointKind::Friction { max_force, max_torque } => all.extend([max_force, max_torque]),
        JointKind::Gear { ratio, .. } => all.push(ratio),
        JointKind::Pulley { ground_a, ground_b, ratio, length } => {
            all.extend([&mut ground_a.local.x, &mut ground_a.local.y]);
            all.extend([&mut ground_b.local.x, &mut ground_b.local.y, ratio]);
            all.extend(length.iter_mut());
        }
        kind => panic!("the numbers of {kind:?} stand here"),
    }
    all
}
