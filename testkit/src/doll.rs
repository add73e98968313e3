//! A doll of eleven bones: in benches, examples, the demo, and the scene `rain` of
//! [`scenes`](crate::scenes).
//!
//! In: a world, a place, how strong its muscles are. Out: its bones. `rain` takes [`BONES`] alone
//! and builds its dolls straight, because it speaks to other engines too.

use carom::prelude::*;
use carom::{Filter, Servo};

use crate::build::{add, join};

/// A bone: a capsule that hangs on one that comes before it. Heights above the sole of a doll 1.7 m
/// tall that stands straight.
pub struct Bone {
    /// Index of the bone it hangs on.
    pub parent: usize,
    /// Of its lower and upper end.
    pub ends: [f32; 2],
    /// Of the capsule.
    pub radius: f32,
    /// Of its hinge.
    pub pivot: f32,
    /// How far it turns against its parent, in radians: positive lifts what hangs, for a doll that
    /// looks to the right.
    pub limits: [f32; 2],
    /// Where its muscle or its spring pulls it to against its parent. A doll that fell straight
    /// would bounce like a rod.
    pub pose: f32,
}

const TORSO: usize = 1;

/// The hip first; it has no parent. A doll on the run: of two limbs, one ahead and one behind.
#[rustfmt::skip] // One line a bone.
pub const BONES: [Bone; 11] = [
    Bone { parent: 0,     ends: [0.93, 0.97], radius: 0.095, pivot: 0.95, limits: [ 0.0, 0.0], pose:  0.0 }, // hip
    Bone { parent: 0,     ends: [1.07, 1.33], radius: 0.090, pivot: 1.00, limits: [-0.8, 0.2], pose: -0.1 }, // torso
    Bone { parent: TORSO, ends: [1.49, 1.56], radius: 0.095, pivot: 1.40, limits: [-0.9, 0.4], pose:  0.0 }, // head
    Bone { parent: 0,     ends: [0.65, 0.90], radius: 0.060, pivot: 0.90, limits: [-0.4, 1.7], pose:  0.8 }, // thighs
    Bone { parent: 0,     ends: [0.65, 0.90], radius: 0.060, pivot: 0.90, limits: [-0.4, 1.7], pose: -0.1 },
    Bone { parent: 3,     ends: [0.12, 0.62], radius: 0.045, pivot: 0.62, limits: [-2.0, 0.0], pose: -0.6 }, // shanks
    Bone { parent: 4,     ends: [0.12, 0.62], radius: 0.045, pivot: 0.62, limits: [-2.0, 0.0], pose: -0.7 },
    Bone { parent: TORSO, ends: [1.10, 1.35], radius: 0.040, pivot: 1.35, limits: [-0.8, 2.5], pose:  1.0 }, // upper arms
    Bone { parent: TORSO, ends: [1.10, 1.35], radius: 0.040, pivot: 1.35, limits: [-0.8, 2.5], pose: -0.5 },
    Bone { parent: 7,     ends: [0.82, 1.10], radius: 0.035, pivot: 1.10, limits: [ 0.0, 2.2], pose:  0.7 }, // forearms
    Bone { parent: 8,     ends: [0.82, 1.10], radius: 0.035, pivot: 1.10, limits: [ 0.0, 2.2], pose:  0.9 },
];

/// What a doll is to be.
#[derive(Clone, Copy, Debug)]
pub struct DollDef {
    /// Where its hip is.
    pub at: Vec2,
    /// How it is turned, in radians; at 0 it is upright.
    pub angle: f32,
    /// Of its own, below 0: bones of the same group do not touch each other.
    pub group: i32,
    /// In kg/m².
    pub density: f32,
    /// Torque of the rub in each hinge, in N m.
    pub friction: f32,
    /// How each hinge goes back to its pose,
    pub muscle: Spring,
    /// and with what torque at most, in N m.
    pub strength: f32,
}

/// A doll of eleven bones that looks to the right: hip, torso, head, two thighs, shanks, upper arms
/// and forearms. It is built in its pose. Returns its bones, the hip first.
pub fn doll(world: &mut World, def: &DollDef) -> [BodyId; BONES.len()] {
    let filter = Filter { group: def.group, ..Filter::default() };
    let mut bones = Vec::new();
    // Of each bone, where the sole is if all of the doll were as stiff and turned as that bone.
    let mut frames = vec![Transform::new(def.at, def.angle)];
    frames[0].position = frames[0].apply(vec2(0.0, -BONES[0].pivot));
    for (k, bone) in BONES.iter().enumerate() {
        let parent = frames[bone.parent];
        let pivot = parent.apply(vec2(0.0, bone.pivot));
        let turned = parent.rotation * Rot::from_angle(bone.pose);
        let frame = Transform { position: pivot + turned * vec2(0.0, -bone.pivot), rotation: turned };
        let [low, high] = bone.ends.map(|end| vec2(0.0, end));
        let middle = 0.5 * (low + high);
        let shape = Shape::capsule(low - middle, high - middle, bone.radius);
        let body = BodyDef::dynamic().at(frame.apply(middle)).angle(turned.angle()).shape(shape);
        let body = add(world, body.density(def.density).filter(filter));
        if k > 0 {
            let [lower, upper] = bone.limits;
            let hinge = JointDef::revolute(bones[bone.parent], body).at(pivot).limits(lower, upper);
            let mut hinge = JointDef { angle: Some(0.0), ..hinge.motor(0.0, def.friction) };
            hinge.drive.servo = Some(Servo::new(bone.pose, def.muscle).max(def.strength));
            join(world, hinge);
            frames.push(frame);
        }
        bones.push(body);
    }
    std::array::from_fn(|k| bones[k])
}
