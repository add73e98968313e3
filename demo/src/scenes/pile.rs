//! Things of every shape, poured into a box.

use carom::prelude::*;
use carom::{Error, Material};
use testkit::golden::{any_shape, room};
use testkit::random::Random;

use demo_shell::{Info, PLAIN, Scene, Still};

pub(super) static SCENE: Info = Info {
    name: "pile",
    title: "Pile",
    hint: "Every kind of shape against every other: circles, capsules, boxes, polygons, rounded ones, stars, \
           compounds.",
    counted: "bodies",
    count: [20, 300, 3000],
    view: [vec2(-12.5, -1.0), vec2(12.5, 19.0)],
    build,
    ..PLAIN
};

/// Of the box.
const SIZE: Vec2 = vec2(22.0, 200.0);
const COLUMNS: u32 = 16;

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    room(&mut world, SIZE, Material::default())?;
    let mut random = Random::new(7);
    for k in 0..count {
        let (column, row) = (k % COLUMNS, k / COLUMNS);
        let at = vec2(1.3 * (column as f32 - 0.5 * (COLUMNS - 1) as f32), 1.0 + 1.0 * row as f32);
        let size = random.range(0.5, 1.1);
        let thing = BodyDef::dynamic().at(at + random.square(0.1)).angle(random.range(-3.0, 3.0));
        world.add(thing.shape(any_shape(&mut random, size)))?;
    }
    Ok(Scene::new(world, Still))
}
