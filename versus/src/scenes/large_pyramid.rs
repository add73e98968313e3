//! One pyramid of 100 rows: contacts at rest, and nothing else.

use carom::{Vec2, vec2};

use super::{GRAVITY, Play, Scene};
use crate::plan::{BodyPlan, Part};
use crate::stage::Stage;

pub(super) const SCENE: Scene =
    Scene { name: "large_pyramid", steps: 500, gravity: GRAVITY, sleep: false, build };

fn build(stage: &mut Stage) -> Play {
    stage.add(BodyPlan::fixed(vec2(0.0, -1.0)).part(Part::rect(100.0, 1.0)));
    pyramid(stage, 100, Vec2::ZERO);
    Play::still()
}

/// Boxes of 1 m, side by side, half a box further in with every row; `middle` is that of the ground below.
pub(super) fn pyramid(stage: &mut Stage, base: usize, middle: Vec2) {
    for row in 0..base {
        for k in 0..base - row {
            let x = 0.5 * (row + 1) as f32 + k as f32 - 0.5 * base as f32;
            let at = middle + vec2(x, row as f32 + 0.5);
            stage.add(BodyPlan::dynamic(at).part(Part::square(0.5)));
        }
    }
}
