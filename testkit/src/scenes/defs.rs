//! Plans as carom's definitions.
//!
//! In: bodies and hinges of a scene. Out: what a user of the crate would write for them.

use carom::prelude::*;
use carom::{Drive, Filter, Limits, Motor, Servo};

use super::plan::{BodyPlan, HingePlan, Kind, Touch};

/// What carom's category, mask and group make of it.
fn filter(touch: Touch) -> Filter {
    match touch {
        Touch::All => Filter::default(),
        Touch::NotSame(number) => Filter { group: -i32::from(number), ..Filter::default() },
        Touch::Nothing => Filter { category: 2, mask: !2, group: 0 },
    }
}

/// The definition of a body with all of its shapes.
pub fn body_def(plan: &BodyPlan) -> BodyDef {
    let kind = match plan.kind {
        Kind::Fixed => BodyKind::Fixed,
        Kind::Kinematic => BodyKind::Kinematic,
        Kind::Dynamic => BodyKind::Dynamic,
    };
    let mut def = BodyDef {
        kind,
        linear_velocity: plan.velocity,
        angular_velocity: plan.spin,
        can_sleep: plan.can_sleep,
        awake: !plan.asleep,
        ..BodyDef::dynamic()
    };
    for part in &plan.parts {
        let material = Material::default().friction(part.friction).restitution(part.restitution);
        let shape = ShapeDef::from(part.shape()).density(part.density).material(material);
        def = def.shape(shape.filter(filter(plan.touch)));
    }
    def.at(plan.at).angle(plan.angle)
}

/// The definition of a hinge between two bodies.
pub fn hinge_def(plan: &HingePlan, [a, b]: [BodyId; 2]) -> JointDef {
    let drive = Drive {
        limits: plan.limits.map(|[lower, upper]| Limits::new(lower, upper)),
        motor: plan.motor.map(|motor| Motor { speed: motor.speed, max: motor.max_torque }),
        servo: plan.spring.map(|it| Servo::new(it.target, Spring::new(it.hertz, it.damping))),
    };
    let hinge = JointDef::revolute(a, b).anchors(plan.anchors[0], plan.anchors[1]);
    JointDef { drive, angle: Some(0.0), ..hinge }
}
