//! 3,000 thin sticks, level and upright in turn, fall into a pit and lie across each other: long
//! boxes overlap many others without touching them.

use carom::vec2;

use super::plan::{BodyPlan, Part};
use super::{GRAVITY, Play, Scene, Stage, inside_pit, pit};

pub(super) const SCENE: Scene = Scene { name: "sticks", steps: 600, gravity: GRAVITY, sleep: false, build };

const COLUMNS: usize = 30;
const ROWS: usize = 100;
const HALF_WIDTH: u32 = 40;
/// Half the length of a stick, and half its width.
const HALF: [f32; 2] = [1.0, 0.05];

fn build(stage: &mut dyn Stage) -> Play {
    let ground = pit(stage, HALF_WIDTH, 60);
    let [long, thin] = HALF;
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let part = if (row + column) % 2 == 0 { Part::rect(long, thin) } else { Part::rect(thin, long) };
            let x = 2.5 * (column as f32 + 0.5) - 1.25 * COLUMNS as f32;
            let at = vec2(x, 3.0 + 2.2 * row as f32);
            // Each turns at another rate, so that no two fall alike.
            let spin = 0.2 * ((7 * row + 3 * column) % 11) as f32 - 1.0;
            stage.add(BodyPlan { spin, ..BodyPlan::dynamic(at).part(part) });
        }
    }
    Play { container: Some(inside_pit(ground, HALF_WIDTH)), ..Play::still() }
}
