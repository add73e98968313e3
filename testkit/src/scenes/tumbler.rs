//! A drum that a motor turns, with 2,025 small boxes in it.

use carom::{Vec2, vec2};

use super::plan::{BodyPlan, HingePlan, Part};
use super::{Container, GRAVITY, Play, Scene, Stage};

pub(super) const SCENE: Scene = Scene { name: "tumbler", steps: 750, gravity: GRAVITY, sleep: true, build };

const SIDE: usize = 45;
const MIDDLE: Vec2 = Vec2::new(0.0, 10.0);

fn build(stage: &mut dyn Stage) -> Play {
    let ground = stage.add(BodyPlan::fixed(Vec2::ZERO));
    let mut drum = BodyPlan::dynamic(MIDDLE);
    for side in [-1.0, 1.0] {
        let upright = Part::rect(0.5, 10.0).at(vec2(10.0 * side, 0.0));
        let level = Part::rect(10.0, 0.5).at(vec2(0.0, 10.0 * side));
        drum = drum.part(upright.density(50.0)).part(level.density(50.0));
    }
    let drum = stage.add(drum);
    let hinge = HingePlan::new(ground, drum, MIDDLE, Vec2::ZERO);
    stage.join(hinge.motor(25.0_f32.to_radians(), 1.0e8));
    for row in 0..SIDE {
        for column in 0..SIDE {
            let at = vec2(-9.0 + 0.4 * column as f32, 1.0 + 0.4 * row as f32);
            stage.add(BodyPlan::dynamic(at).part(Part::square(0.125)));
        }
    }
    Play::within(Container::Square { of: drum, half: 10.5 })
}
