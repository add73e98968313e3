//! A heavy box flies into a wall of 9,600 small ones that sleep: waking, and many contacts at once.

use carom::{Vec2, vec2};

use super::plan::{BodyPlan, Part};
use super::{Play, Scene, Stage};

pub(super) const SCENE: Scene = Scene { name: "smash", steps: 300, gravity: Vec2::ZERO, sleep: true, build };

const COLUMNS: usize = 120;
const ROWS: usize = 80;
const APART: f32 = 0.4;

fn build(stage: &mut dyn Stage) -> Play {
    let ram = BodyPlan::dynamic(vec2(-20.0, 0.0)).part(Part::square(4.0).density(8.0));
    stage.add(BodyPlan { velocity: vec2(40.0, 0.0), ..ram });
    for column in 0..COLUMNS {
        for row in 0..ROWS {
            let y = APART * (row as f32 - 0.5 * (ROWS - 1) as f32);
            let small = BodyPlan::dynamic(vec2(30.0 + APART * column as f32, y)).part(Part::square(0.2));
            stage.add(BodyPlan { asleep: true, ..small });
        }
    }
    Play::still()
}
