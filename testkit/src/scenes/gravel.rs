//! 4,000 small things fall on a level of 60,000 fixed boxes, each a body: hardly anything moves
//! among very much that does not.

use carom::math::sin;
use carom::{Vec2, vec2};

use super::plan::{BodyPlan, Part};
use super::{GRAVITY, Play, Scene, Stage};

pub(super) const SCENE: Scene = Scene { name: "gravel", steps: 600, gravity: GRAVITY, sleep: false, build };

const WIDTH: usize = 600;
/// Boxes of a column, from the lowest to the surface.
const DEEP: usize = 100;
const COLUMNS: usize = 400;
const ROWS: usize = 10;

/// How high the surface of a column is, in boxes: hills with steps.
fn surface(column: usize) -> f32 {
    (8.0 * sin(0.05 * column as f32) + 3.0 * sin(0.31 * column as f32)).round()
}

/// A disc, a box, a triangle and a capsule in turn, 10 to 20 cm large.
fn pebble(number: usize) -> Part {
    let size = 0.05 + 0.0125 * (number % 5) as f32;
    match number % 4 {
        0 => Part::circle(size),
        1 => Part::square(size),
        2 => Part::polygon([vec2(-size, -size), vec2(size, -size), vec2(0.0, size)]),
        _ => Part::capsule(Vec2::ZERO, vec2(2.0 * size, 0.0), size),
    }
}

fn build(stage: &mut dyn Stage) -> Play {
    for column in 0..WIDTH {
        for depth in 0..DEEP {
            let at = vec2(column as f32, surface(column) - depth as f32);
            stage.add(BodyPlan::fixed(at).part(Part::square(0.5)));
        }
    }
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let number = COLUMNS * row + column;
            let x = 100.0 + column as f32 + 0.03 * (number % 13) as f32;
            let at = vec2(x, 14.0 + 0.5 * row as f32);
            stage.add(BodyPlan::dynamic(at).part(pebble(number)));
        }
    }
    Play::still()
}
