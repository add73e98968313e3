//! Circles by the thousand: how fast it is.

use carom::Error;
use carom::prelude::*;

use demo_shell::{Info, PLAIN, Scene, Still};

pub(super) static SCENE: Info = Info {
    name: "circles",
    title: "10,000 circles",
    hint: "One thread of WebAssembly, eight lanes at a time. Dig into them, or turn gravity round.",
    counted: "circles",
    count: [500, 10_000, 30_000],
    view: [vec2(-34.0, -2.0), vec2(34.0, 46.0)],
    build,
    ..PLAIN
};

const RADIUS: f32 = 0.22;
const COLUMNS: u32 = 125;
const WIDTH: f32 = 64.0;

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    let half = 0.5 * WIDTH;
    let corners = [
        vec2(-half, 400.0),
        vec2(-half, 6.0),
        vec2(-0.4 * half, 0.0),
        vec2(0.4 * half, 0.0),
        vec2(half, 6.0),
        vec2(half, 400.0),
    ];
    world.add(BodyDef::fixed().shape(Shape::chain(&corners)))?;
    for x in [-16.0, 0.0, 16.0] {
        world.add(BodyDef::fixed().at([x, 12.0]).shape(Shape::regular(6, 2.4)))?;
    }
    for x in [-8.0, 8.0] {
        let paddle = BodyDef::kinematic().at([x, 6.0]).spin(if x < 0.0 { 0.8 } else { -0.8 });
        world.add(paddle.shape(Shape::rect(9.0, 0.6)).shape(Shape::rect(0.6, 9.0)))?;
    }
    for k in 0..count {
        let (column, row) = (k % COLUMNS, k / COLUMNS);
        let odd = 0.04 * (row % 2) as f32;
        let at = vec2(0.5 * (column as f32 - 0.5 * (COLUMNS - 1) as f32) + odd, 16.0 + 0.5 * row as f32);
        world.add(BodyDef::dynamic().at(at).shape(Shape::circle(RADIUS)))?;
    }
    Ok(Scene::new(world, Still))
}
