//! Dolls rain on five floors: columns of them appear one by one, and the oldest goes when all are
//! there.

use carom::{Vec2, vec2};

use super::plan::{BodyPlan, Handle, HingePlan, Motor, Part, Spring, Touch};
use super::{GRAVITY, Play, Scene, Stage};
use crate::doll::{BONES, Bone};

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

fn build(stage: &mut dyn Stage) -> Play {
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
    let script = move |stage: &mut dyn Stage, step: usize| {
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

/// A doll that stands straight with its sole at `at`.
pub(super) fn doll(stage: &mut dyn Stage, at: Vec2, touch: Touch) -> [Handle; BONES.len()] {
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
