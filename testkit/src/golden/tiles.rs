//! Tile maps: cells that come and go under bodies.

use carom::Error;
use carom::prelude::*;

use super::Scene;
use crate::random::Random;

const WIDTH: u32 = 48;
const HEIGHT: u32 = 24;

/// All kinds but the empty one and sensors.
const SOLID: &[TileKind] = TileKind::ALL.split_at(15).0.split_at(1).1;

/// Hills of cells of all kinds between walls, in which 90 bodies fall about, among them small maps;
/// cells go and come under them, sensors throw up what enters them, and a lift of cells goes up and
/// down.
pub fn tiles() -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default());
    let mut random = Random::new(29);
    let cell = |k: u32, random: &mut Random| {
        let [x, y] = [k % WIDTH, k / WIDTH];
        let is_wall = x < 1 || x + 1 >= WIDTH || y < 3;
        match random.below(6) {
            _ if is_wall => TileCell::new(TileKind::Solid, (x % 3) as u8),
            0 if y < 7 => TileCell::new(random.one(SOLID), random.below(3) as u8),
            1 if y == 7 => TileKind::Sensor.into(),
            _ => TileCell::EMPTY,
        }
    };
    let cells: Vec<TileCell> = (0..WIDTH * HEIGHT).map(|k| cell(k, &mut random)).collect();
    let mut ground = ShapeDef::from(Shape::tiles(1.0, WIDTH, &cells));
    let surface = |friction: f32| Material::default().friction(friction);
    ground.part_materials = vec![surface(0.6), surface(0.1), surface(0.9).restitution(0.4)];
    let ground = world.add(BodyDef::fixed().at([-24.0, -2.0]).shape(ground))?;
    for k in 0..90_u32 {
        let at = vec2(-22.0 + 0.49 * k as f32, random.range(8.0, 18.0));
        let shape = match k % 5 {
            0 => Shape::circle(random.range(0.2, 0.4)),
            1 => Shape::rect(random.range(0.4, 1.2), random.range(0.3, 0.7)),
            2 => Shape::regular(3 + random.below(5), 0.4),
            3 => Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2),
            _ => Shape::tiles(0.3, 2, &[SOLID[k as usize % 13].into(), TileCell::SOLID, TileCell::SOLID]),
        };
        let shape = if shape.check().is_ok() { shape } else { Shape::tiles(0.3, 3, &[TileCell::SOLID; 6]) };
        world.add(BodyDef::dynamic().at(at).angle(random.angle()).shape(shape))?;
    }
    let lift = BodyDef::kinematic().at([0.0, 6.0]).shape(Shape::tiles(0.5, 8, &[TileCell::SOLID; 8]));
    let lift = world.add(lift)?;
    let map = world.shapes_of(ground).next().map(|(map, _)| map).ok_or(Error::NoSuchBody(ground))?;
    Ok(Scene::new(world, move |world, frame| {
        let entered: Vec<BodyId> = world.events().entered().iter().map(|visit| visit.visitor_body).collect();
        for body in entered {
            if world.get(body).is_some_and(|body| body.kind() == BodyKind::Dynamic) {
                world.apply_impulse(body, world[body].mass() * vec2(random.range(-2.0, 2.0), 7.0))?;
            }
        }
        world.set_velocity(lift, [0.0, if frame / 100 % 2 == 0 { 2.0 } else { -2.0 }])?;
        for _ in 0..if frame % 20 == 0 { 12 } else { 0 } {
            let place = [1 + random.below(WIDTH as usize - 2) as u32, 1 + random.below(8) as u32];
            let cell = match random.below(3) {
                0 => TileCell::EMPTY,
                1 if place[1] > 5 => TileKind::Sensor.into(),
                _ => TileCell::new(random.one(SOLID), random.below(4) as u8),
            };
            world.set_tile(map, place, cell)?;
        }
        // What fell through comes again.
        let lost: Vec<BodyId> =
            world.bodies().filter(|(_, body)| body.position().y < -20.0).map(|(id, _)| id).collect();
        for body in lost {
            world.teleport(body, [random.range(-20.0, 20.0), 18.0], 0.5)?;
            world.set_velocity(body, [0.0, 0.0])?;
        }
        Ok(())
    }))
}
