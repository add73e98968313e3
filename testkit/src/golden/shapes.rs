//! Shapes of several parts: polar ships, compounds and chains.

use carom::prelude::*;
use carom::{Error, Filter};

use super::{Scene, room, star};
use crate::random::Random;

/// Ships and rocks of polar shape in space. Ships steer by thrust, and sparks fly from hard hits.
pub fn ships() -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let corners = [vec2(18.0, 14.0), vec2(-18.0, 14.0), vec2(-18.0, -14.0), vec2(18.0, -14.0)];
    world.add(BodyDef::fixed().shape(Shape::closed_chain(&corners)))?;
    let mut random = Random::new(7);
    let mut ships = Vec::new();
    for k in 0..90_u32 {
        let at =
            vec2(-16.0 + 3.2 * (k % 10) as f32 + 0.7 * (k / 10 % 2) as f32, -12.0 + 3.0 * (k / 10) as f32);
        let shape = match k % 3 {
            0 => hull(),
            1 => star(4 + k % 4, 0.8, 0.55),
            _ => rock(&mut random),
        };
        let material = Material::default().restitution(random.range(0.2, 0.9)).friction(0.3);
        let body = BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0)).velocity(random.square(3.0));
        let body = world.add(body.shape(shape).material(material))?;
        if k % 3 == 0 {
            ships.push(body);
        }
    }
    Ok(Scene::new(world, move |world, frame| {
        let hits: Vec<_> =
            world.events().hits().iter().map(|hit| (hit.body_a, hit.normal * hit.impulse)).collect();
        for (body, push) in hits {
            if world.get(body).is_some_and(|body| body.mass() > 0.0) {
                world.apply_force(body, -2.0 * push)?;
            }
        }
        for (k, &ship) in ships.iter().enumerate() {
            let (nose, phase) = (world[ship].rotation().x_axis(), (frame as usize + 17 * k) / 40);
            if phase % 3 != 0 && world[ship].velocity().length() < 9.0 {
                world.apply_impulse(ship, 0.25 * nose)?;
            }
            world.apply_torque(
                ship,
                [1.5, -1.5, 0.0, 0.6][phase % 4] - 0.4 * world[ship].angular_velocity(),
            )?;
        }
        Ok(())
    }))
}

/// A ship, its nose along x: round its middle by angle.
fn hull() -> Shape {
    Shape::polar(&[
        vec2(1.0, 0.0),
        vec2(0.2, 0.35),
        vec2(-0.7, 0.7),
        vec2(-0.4, 0.0),
        vec2(-0.7, -0.7),
        vec2(0.2, -0.35),
    ])
}

fn rock(random: &mut Random) -> Shape {
    let corner = |k: i32| Rot::from_angle(0.785 * k as f32) * vec2(random.range(0.4, 0.9), 0.0);
    Shape::polar(&(0..8).map(corner).collect::<Vec<_>>())
}

/// Crosses, hammers and forks on a hilly chain, with a mill in the middle; what has come to the
/// bottom falls again.
pub fn compounds() -> Result<Scene, Error> {
    let mut world = World::default();
    room(&mut world, vec2(36.0, 40.0), Material::default())?;
    let hills: Vec<Vec2> =
        (0..36).map(|k| vec2(k as f32 - 17.5, 3.0 + 0.9 * (k * 7 % 5) as f32 * 0.5)).collect();
    world.add(BodyDef::fixed().shape(Shape::chain(&hills)).material(Material::default().friction(0.2)))?;
    let island = [vec2(-4.0, 12.0), vec2(-3.0, 13.5), vec2(0.0, 14.5), vec2(3.0, 13.5), vec2(4.0, 12.0)];
    let island: Vec<Vec2> = island.into_iter().rev().collect();
    world.add(BodyDef::fixed().shape(Shape::closed_chain(&island)))?;
    let arm = Shape::compound([Shape::rect(10.0, 0.5), Shape::rect(0.5, 10.0)]);
    let mill = world.add(BodyDef::kinematic().at([9.0, 10.0]).shape(arm).spin(-1.2))?;
    let mut random = Random::new(8);
    let mut things = Vec::new();
    for k in 0..210_u32 {
        let at = vec2(-15.0 + 1.5 * (k % 21) as f32, 17.0 + 1.8 * (k / 21) as f32);
        let filter = Filter { category: 1 << (k % 3), mask: !(u64::from(k % 5 == 0) << 2), group: 0 };
        let def = BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0)).shape(tool(k));
        things.push(world.add(def.filter(filter).density(1.0))?);
    }
    Ok(Scene::new(world, move |world, frame| {
        if frame % 300 == 299 {
            world.set_angular_velocity(mill, random.range(-2.5, 2.5))?;
        }
        if frame % 5 == 0 {
            let thing = random.one(&things);
            if world[thing].position().y < 8.0 {
                world.teleport(
                    thing,
                    [random.range(-14.0, 14.0), random.range(24.0, 36.0)],
                    random.range(-3.0, 3.0),
                )?;
                world.set_velocity(thing, random.square(4.0))?;
            }
        }
        Ok(())
    }))
}

/// Several convex parts as one shape, or as several shapes' worth of one.
fn tool(k: u32) -> Shape {
    match k % 4 {
        0 => Shape::compound([Shape::rect(1.2, 0.25), Shape::rect(0.25, 1.2)]),
        1 => Shape::compound([Shape::rect(0.2, 1.0), Shape::rect(0.7, 0.3).at([0.0, 0.55])]),
        2 => Shape::compound([
            Shape::capsule([-0.5, 0.0], [0.5, 0.0], 0.1),
            Shape::capsule([-0.5, 0.0], [-0.5, 0.6], 0.1),
            Shape::capsule([0.5, 0.0], [0.5, 0.6], 0.1),
        ]),
        _ => Shape::compound([
            Shape::triangle([-0.5, 0.0], [0.25, 0.5], [0.0, 1.0]),
            Shape::triangle([0.5, 0.0], [0.0, 1.0], [-0.25, 0.5]),
            Shape::circle(0.2),
        ]),
    }
}
