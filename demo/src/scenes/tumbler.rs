//! A drum that turns, with things in it.

use carom::Error;
use carom::prelude::*;

use demo_shell::{Info, PLAIN, Scene, Still};

pub(super) static SCENE: Info = Info {
    name: "tumbler",
    title: "Tumbler",
    hint: "A drum turns for ever; nothing comes to rest, and nothing gets out. Take more bodies, and watch the graph.",
    counted: "bodies",
    count: [50, 900, 4000],
    view: [vec2(-15.0, -15.0), vec2(15.0, 15.0)],
    build,
    ..PLAIN
};

/// Half of the drum's inner side, and the thickness of its walls.
const HALF: f32 = 10.0;
const WALL: f32 = 0.8;
/// Radians a second.
const SPIN: f32 = 0.5;

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    let mut drum = BodyDef::kinematic().spin(SPIN);
    let reach = HALF + 0.5 * WALL;
    for (at, size) in [
        (vec2(0.0, reach), vec2(2.0 * (HALF + WALL), WALL)),
        (vec2(0.0, -reach), vec2(2.0 * (HALF + WALL), WALL)),
        (vec2(reach, 0.0), vec2(WALL, 2.0 * HALF)),
        (vec2(-reach, 0.0), vec2(WALL, 2.0 * HALF)),
    ] {
        drum = drum.shape(Shape::rect(size.x, size.y).at(at));
    }
    world.add(drum)?;
    let side = (count as f32).sqrt().ceil() as u32;
    let pitch = 1.8 * HALF / side as f32;
    let size = 0.72 * pitch;
    for k in 0..count {
        let at = vec2((k % side) as f32, (k / side) as f32) * pitch - Vec2::splat(0.9 * HALF - 0.5 * pitch);
        let shape = match k % 3 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::rect(size, size),
            _ => Shape::rect(size, 0.6 * size).rounded(0.1 * size),
        };
        world.add(BodyDef::dynamic().at(at).shape(shape))?;
    }
    Ok(Scene::new(world, Still))
}
