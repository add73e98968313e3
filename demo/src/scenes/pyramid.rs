//! A pyramid of boxes: contacts at rest.

use carom::Error;
use carom::prelude::*;

use demo_shell::{Info, PLAIN, Scene, Still, hue};

pub(super) static SCENE: Info = Info {
    name: "pyramid",
    title: "Pyramid",
    hint: "It stands still to the last bit, then falls asleep (paler). Pull a box out of the bottom row.",
    counted: "rows",
    count: [4, 20, 60],
    view: [vec2(-15.0, -1.5), vec2(15.0, 21.0)],
    build,
    ..PLAIN
};

fn build(rows: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    world.add(BodyDef::fixed().shape(Shape::rect(400.0, 10.0).at([0.0, -5.0])))?;
    for (row, at) in testkit::pyramid::places(rows as usize, 1.0) {
        let stone = BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0));
        world.add(hue(stone, row % 6))?;
    }
    Ok(Scene::new(world, Still))
}
