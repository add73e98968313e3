//! One pyramid of 100 rows: contacts at rest, and nothing else.

use carom::{Vec2, vec2};

use super::plan::{BodyPlan, Part};
use super::{GRAVITY, Play, Scene, Stage};
use crate::pyramid::places;

pub(super) const SCENE: Scene =
    Scene { name: "large_pyramid", steps: 500, gravity: GRAVITY, sleep: false, build };

fn build(stage: &mut dyn Stage) -> Play {
    stage.add(BodyPlan::fixed(vec2(0.0, -1.0)).part(Part::rect(100.0, 1.0)));
    pyramid(stage, 100, Vec2::ZERO);
    Play::still()
}

/// Boxes of 1 m, side by side, half a box further in with every row; `middle` is that of the ground
/// below.
pub(super) fn pyramid(stage: &mut dyn Stage, base: usize, middle: Vec2) {
    for (_, at) in places(base, 1.0) {
        stage.add(BodyPlan::dynamic(middle + at).part(Part::square(0.5)));
    }
}
