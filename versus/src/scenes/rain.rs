//! Dolls rain on five floors: columns of them appear one by one, and the oldest goes when all are there.

use carom::{Vec2, vec2};

use super::{GRAVITY, Play, Scene};
use crate::plan::{BodyPlan, Handle, HingePlan, Motor, Part, Spring, Touch};
use crate::stage::Stage;

pub(super) const SCENE: Scene = Scene { name: "rain", steps: 1_000, gravity: GRAVITY, sleep: true, build };

const FLOORS: usize = 5;
/// Boxes of half a metre, side by side.
const FLOOR_BOXES: usize = 501;
const FLOORS_APART: f32 = 45.0;
const COLUMNS: usize = 40;
const WIDTH: f32 = 250.0;
/// Dolls of a group.
const DOLLS: usize = 5;
/// Steps from one column to the next.
const PAUSE: usize = 8;

fn build(stage: &mut Stage) -> Play {
    for floor in 0..FLOORS {
        let mut boxes = BodyPlan::fixed(vec2(0.0, FLOORS_APART * floor as f32));
        for k in 0..FLOOR_BOXES {
            let x = 0.5 * (k as f32 - 0.5 * (FLOOR_BOXES - 1) as f32);
            boxes = boxes.part(Part::square(0.25).at(vec2(x, 0.0)));
        }
        stage.add(boxes);
    }
    let mut columns: [Vec<Handle>; COLUMNS] = std::array::from_fn(|_| Vec::new());
    let mut dolls = 0;
    let script = move |stage: &mut Stage, step: usize| {
        if !step.is_multiple_of(PAUSE) {
            return;
        }
        let column = (step / PAUSE) % COLUMNS;
        columns[column].drain(..).for_each(|bone| stage.remove(bone));
        for floor in 0..FLOORS {
            let x = WIDTH * ((column as f32 + 0.5) / COLUMNS as f32 - 0.5);
            let first = vec2(x, 40.0 + FLOORS_APART * floor as f32);
            for k in 0..DOLLS {
                // On one floor, dolls of one number are six columns apart or more.
                let touch = Touch::NotSame((dolls % usize::from(Touch::LAST)) as u8 + 1);
                columns[column].extend(doll(stage, first + vec2(0.5 * k as f32, 0.0), touch));
                dolls += 1;
            }
        }
    };
    Play { script: Box::new(script), container: None }
}

/// A bone: a capsule that hangs on one that comes before it. Heights above the sole of a doll that stands straight.
struct Bone {
    parent: usize,
    /// Of its lower and upper end.
    ends: [f32; 2],
    radius: f32,
    /// Of its hinge.
    pivot: f32,
    /// How far it turns against its parent, in radians: positive lifts what hangs, for a doll that looks to the right.
    limits: [f32; 2],
    /// Where its spring pulls it to: it is built straight. A doll that fell straight would bounce like a rod.
    pose: f32,
}

const TORSO: usize = 1;

/// The hip first; it has no parent.
#[rustfmt::skip] // One line a bone.
const BONES: [Bone; 11] = [
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

/// A doll that stands straight with its sole at `at`.
fn doll(stage: &mut Stage, at: Vec2, touch: Touch) -> [Handle; BONES.len()] {
    let middle = |bone: &Bone| 0.5 * (bone.ends[0] + bone.ends[1]);
    let mut bones = [Handle(0); BONES.len()];
    for (k, bone) in BONES.iter().enumerate() {
        let height = middle(bone);
        let [low, high] = bone.ends.map(|end| vec2(0.0, end - height));
        let plan = BodyPlan::dynamic(at + vec2(0.0, height));
        bones[k] = stage.add(plan.part(Part::capsule(low, high, bone.radius)).touch(touch));
        if k > 0 {
            let anchor_a = vec2(0.0, bone.pivot - middle(&BONES[bone.parent]));
            let hinge =
                HingePlan::new(bones[bone.parent], bones[k], anchor_a, vec2(0.0, bone.pivot - height));
            stage.join(HingePlan {
                limits: Some(bone.limits),
                motor: Some(Motor { speed: 0.0, max_torque: 0.05 }),
                spring: Some(Spring { target: bone.pose, hertz: 5.0, damping: 0.5 }),
                ..hinge
            });
        }
    }
    bones
}
