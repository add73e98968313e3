//! Plans as Box2D's definitions.
//!
//! In: plans. Out: plain C structs, made from Box2D's own defaults. Box2D mixes friction by the
//! root of the product and restitution by the larger one, as the other adapters are set to.

use boxdd_sys::ffi;
use carom::Vec2;
use carom::math::sin_cos;
use testkit::scenes::plan::{BodyPlan, HingePlan, Outline, Part, Touch};

pub(super) fn to_c(v: Vec2) -> ffi::b2Vec2 {
    ffi::b2Vec2 { x: v.x, y: v.y }
}

pub(super) fn to_vec(v: ffi::b2Vec2) -> Vec2 {
    Vec2::new(v.x, v.y)
}

/// By an angle in radians: the cosine and sine that the other engines get.
pub(super) fn rotation(angle: f32) -> ffi::b2Rot {
    let (s, c) = sin_cos(angle);
    ffi::b2Rot { c, s }
}

const UPRIGHT: ffi::b2Rot = ffi::b2Rot { c: 1.0, s: 0.0 };

/// What Box2D's category, mask and group make of it.
fn filter(touch: Touch) -> ffi::b2Filter {
    let filter = ffi::b2Filter { categoryBits: 1, maskBits: u64::MAX, groupIndex: 0 };
    match touch {
        Touch::All => filter,
        Touch::NotSame(number) => ffi::b2Filter { groupIndex: -i32::from(number), ..filter },
        Touch::Nothing => ffi::b2Filter { categoryBits: 2, maskBits: !2, groupIndex: 0 },
    }
}

pub(super) fn shape(plan: &BodyPlan, part: &Part) -> ffi::b2ShapeDef {
    // SAFETY: takes nothing and gives plain data.
    let mut def = unsafe { ffi::b2DefaultShapeDef() };
    def.material.friction = part.friction;
    def.material.restitution = part.restitution;
    def.density = part.density;
    def.filter = filter(plan.touch);
    def.enableHitEvents = plan.tells_hits;
    def
}

/// A box or polygon in the frame of its body.
pub(super) fn polygon(part: &Part) -> ffi::b2Polygon {
    // SAFETY: all of these take plain data; the corners are valid for reads, and as many as are
    // said, at most the eight that a hull has room for, or the hull is empty.
    unsafe {
        match &part.outline {
            Outline::Box { half, radius } => {
                ffi::b2MakeOffsetRoundedBox(half.x, half.y, to_c(part.at), UPRIGHT, *radius)
            }
            Outline::Polygon(corners) => {
                let corners: Vec<ffi::b2Vec2> = corners.iter().map(|&corner| to_c(corner)).collect();
                let hull = ffi::b2ComputeHull(corners.as_ptr(), corners.len() as i32);
                ffi::b2MakeOffsetPolygon(&hull, to_c(part.at), UPRIGHT)
            }
            other => panic!("Box2D has no polygon for {other:?}"),
        }
    }
}

/// A square to ask with.
pub(super) fn square_proxy(half: f32) -> ffi::b2ShapeProxy {
    let corners =
        [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| ffi::b2Vec2 { x, y });
    // SAFETY: four corners, valid for reads, which the call copies.
    unsafe { ffi::b2MakeProxy(corners.as_ptr(), 4, 0.0) }
}

pub(super) fn hinge(plan: &HingePlan, a: ffi::b2BodyId, b: ffi::b2BodyId) -> ffi::b2RevoluteJointDef {
    // SAFETY: takes nothing and gives plain data.
    let mut def = unsafe { ffi::b2DefaultRevoluteJointDef() };
    def.base.bodyIdA = a;
    def.base.bodyIdB = b;
    def.base.localFrameA = ffi::b2Transform { p: to_c(plan.anchors[0]), q: UPRIGHT };
    def.base.localFrameB = ffi::b2Transform { p: to_c(plan.anchors[1]), q: UPRIGHT };
    if let Some([lower, upper]) = plan.limits {
        def.enableLimit = true;
        (def.lowerAngle, def.upperAngle) = (lower, upper);
    }
    if let Some(motor) = plan.motor {
        def.enableMotor = true;
        def.motorSpeed = motor.speed;
        // An infinite torque would make NaN of an impulse.
        def.maxMotorTorque = if motor.max_torque.is_finite() { motor.max_torque } else { f32::MAX };
    }
    if let Some(spring) = plan.spring {
        def.enableSpring = true;
        (def.targetAngle, def.hertz, def.dampingRatio) = (spring.target, spring.hertz, spring.damping);
    }
    def
}
