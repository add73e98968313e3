//! 400 pyramids of 10 rows: contacts at rest in small groups.

use carom::{Vec2, vec2};

use super::large_pyramid::pyramid;
use super::plan::{BodyPlan, Outline, Part};
use super::{GRAVITY, Play, Scene, Stage};

pub(super) const SCENE: Scene =
    Scene { name: "many_pyramids", steps: 200, gravity: GRAVITY, sleep: false, build };

const SIDE: usize = 20;
/// Between the middles of two pyramids, and two floors.
const APART: f32 = 11.0;

fn build(stage: &mut dyn Stage) -> Play {
    let reach = 0.5 * APART * SIDE as f32;
    let mut floors = BodyPlan::fixed(Vec2::ZERO);
    for floor in 0..SIDE {
        let y = APART * floor as f32;
        floors = floors.part(Part::new(Outline::Segment { a: vec2(-reach, y), b: vec2(reach, y) }));
    }
    stage.add(floors);
    for floor in 0..SIDE {
        for k in 0..SIDE {
            let x = APART * (k as f32 + 0.5) - reach;
            pyramid(stage, 10, vec2(x, APART * floor as f32));
        }
    }
    Play::still()
}
