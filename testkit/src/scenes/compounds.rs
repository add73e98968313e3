//! 3,000 bodies of two triangles each fall into a pit.

use carom::vec2;

use super::plan::{BodyPlan, Part};
use super::{GRAVITY, Play, Scene, Stage, inside_pit, pit};

pub(super) const SCENE: Scene = Scene { name: "compounds", steps: 500, gravity: GRAVITY, sleep: true, build };

const COLUMNS: usize = 20;
const ROWS: usize = 150;
const HALF_WIDTH: u32 = 40;

fn build(stage: &mut dyn Stage) -> Play {
    let ground = pit(stage, HALF_WIDTH, 100);
    // Both counter-clockwise; they overlap in the middle.
    let left = [vec2(-1.0, 0.0), vec2(0.5, 1.0), vec2(0.0, 2.0)];
    let right = [vec2(1.0, 0.0), vec2(0.0, 2.0), vec2(-0.5, 1.0)];
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let aside = if row % 2 == 0 { 0.25 } else { -0.25 };
            let x = 2.0 * column as f32 - 19.0 + aside;
            let body = BodyPlan::dynamic(vec2(x, 5.575 + 2.25 * row as f32));
            let [left, right] = [left, right].map(|corners| Part::polygon(corners).friction(0.5));
            stage.add(body.part(left).part(right));
        }
    }
    Play::within(inside_pit(ground, HALF_WIDTH))
}
