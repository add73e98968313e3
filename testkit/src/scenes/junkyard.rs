//! 8,000 pentagons fall into a pit, and a wide box shoves them to and fro.

use carom::math::sin;
use carom::vec2;

use super::plan::{BodyPlan, DT, Part};
use super::{GRAVITY, Play, Scene, Stage, inside_pit, pit};

pub(super) const SCENE: Scene = Scene { name: "junkyard", steps: 800, gravity: GRAVITY, sleep: true, build };

const COLUMNS: usize = 200;
const ROWS: usize = 40;
const HALF_WIDTH: u32 = 80;

/// Where the box is to be before a step.
fn way(step: usize) -> f32 {
    60.0 * sin(0.2 * step as f32 * DT)
}

fn build(stage: &mut dyn Stage) -> Play {
    let ground = pit(stage, HALF_WIDTH, 50);
    let pusher = stage.add(BodyPlan::kinematic(vec2(0.0, 4.5)).part(Part::rect(2.0, 4.0)));
    let corner = |k: usize| {
        let (sin, cos) = carom::math::sin_cos(core::f32::consts::TAU * k as f32 / 5.0);
        0.25 * vec2(cos, sin)
    };
    let pentagon: Vec<_> = (0..5).map(corner).collect();
    for column in 0..COLUMNS {
        for row in 0..ROWS {
            let aside = if row % 2 == 0 { 0.1 } else { -0.1 };
            let x = 0.375 * (2.0 * column as f32 - COLUMNS as f32) + aside;
            let at = vec2(x, 15.0 + row as f32);
            stage.add(BodyPlan::dynamic(at).part(Part::polygon(pentagon.as_slice())));
        }
    }
    let script = move |stage: &mut dyn Stage, step: usize| {
        stage.drive(pusher, vec2((way(step + 1) - way(step)) / DT, 0.0));
    };
    Play { script: Box::new(script), container: Some(inside_pit(ground, HALF_WIDTH)) }
}
