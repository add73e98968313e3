//! Bodies that nothing holds: a pyramid, a pile that changes, a heap that is stirred, bullets, and
//! a pile at the end of the map.

use carom::prelude::*;
use carom::{Error, Filter, IVec2};

use super::{Scene, any_shape, room};
use crate::pyramid;
use crate::random::Random;

/// A pyramid of 20 rows that a heavy ball breaks, and that is built anew in turn.
pub fn pyramid() -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().sleepless());
    room(&mut world, vec2(60.0, 40.0), Material::default())?;
    let stones: Vec<Vec2> = pyramid::places(20, 1.05).map(|(_, at)| at).collect();
    let stone = |at: &Vec2| BodyDef::dynamic().at(*at).shape(Shape::rect(1.0, 1.0));
    let bodies: Vec<BodyId> = stones.iter().map(|at| world.add(stone(at))).collect::<Result<_, _>>()?;
    let ball = world.add(BodyDef::dynamic().at([-25.0, 2.0]).shape(Shape::circle(1.5)).density(8.0))?;
    let mut random = Random::new(1);
    Ok(Scene::new(world, move |world, frame| {
        if frame % 250 == 120 {
            world.teleport(ball, [-25.0, random.range(2.0, 16.0)], 0.0)?;
            world.set_velocity(ball, [random.range(15.0, 35.0), 2.0])?;
        }
        if frame % 1_000 == 700 {
            for (&body, &at) in bodies.iter().zip(&stones) {
                world.teleport(body, at, 0.0)?;
                world.set_velocity(body, [0.0, 0.0])?;
                world.set_angular_velocity(body, 0.0)?;
            }
        }
        Ok(())
    }))
}

/// One thing of any kind, thrown into the pile.
fn thrown(random: &mut Random) -> BodyDef {
    let size = random.range(0.4, 1.2);
    let material = Material {
        restitution: random.one(&[0.0, 0.0, 0.3, 0.8]),
        rolling_resistance: random.one(&[0.0, 0.0, 0.03]),
        ..Material::default().friction(random.one(&[0.0, 0.3, 0.6, 1.0]))
    };
    let at = vec2(random.range(-9.0, 9.0), random.range(8.0, 20.0));
    let body = BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0)).velocity(random.square(6.0));
    body.spin(random.range(-6.0, 6.0)).shape(any_shape(random, size)).material(material)
}

/// A pile in which everything is added, removed, moved, reshaped and pushed.
pub fn churn() -> Result<Scene, Error> {
    let mut world = World::default();
    room(&mut world, vec2(22.0, 26.0), Material::default())?;
    let mut random = Random::new(2);
    let mut pile = Vec::new();
    for _ in 0..160 {
        pile.push(world.add(thrown(&mut random))?);
    }
    Ok(Scene::new(world, move |world, frame| {
        if frame % 3 == 0 {
            let k = random.below(pile.len());
            world.remove(pile[k])?;
            pile[k] = world.add(thrown(&mut random))?;
        }
        change(world, &mut random, &pile, frame)
    }))
}

/// One change out of many, as the frame says.
fn change(world: &mut World, random: &mut Random, pile: &[BodyId], frame: u32) -> Result<(), Error> {
    let body = random.one(pile);
    let shape = world.shapes_of(body).next().map(|(id, _)| id);
    let Some(shape) = shape else { return Ok(()) };
    match frame % 29 {
        1 => world.teleport(body, [random.range(-9.0, 9.0), 18.0], random.range(-3.0, 3.0)),
        4 => world.set_shape(shape, any_shape(random, 0.8)),
        7 => world.apply_impulse_at(
            body,
            random.square(4.0),
            world[body].world_center().offset(vec2(0.2, 0.1)),
        ),
        10 => world.set_velocity(body, random.square(40.0)),
        13 => world.set_material(shape, Material::default().restitution(random.range(0.0, 1.0))),
        16 => world.attach(body, Shape::circle(0.2).at([0.4, 0.0])).map(drop),
        18 => world.set_gravity_scale(body, random.range(-0.2, 1.5)),
        20 => world.set_damping(body, random.range(0.0, 0.5), random.range(0.0, 0.5)),
        22 => world.set_filter(shape, Filter { category: 2, mask: random.one(&[!0, !2, 1]), group: 0 }),
        24 => world.apply_angular_impulse(body, random.range(-2.0, 2.0)),
        26 if world.shapes_of(body).count() > 1 => world.detach(shape),
        28 => world.set_gravity([random.range(-3.0, 3.0), random.range(-12.0, -8.0)]),
        _ => Ok(()),
    }
}

/// So many things, stirred, that contacts fill several zones: see `src/contact/colour.rs`. They
/// come in no order, so that rows are dealt out anew.
pub fn heap() -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().sleepless());
    room(&mut world, vec2(44.0, 70.0), Material::default())?;
    let stirrer = BodyDef::kinematic().at([0.0, 9.0]).spin(1.0);
    world.add(stirrer.shape(Shape::rect(16.0, 0.8)).shape(Shape::rect(0.8, 16.0)))?;
    let mut random = Random::new(12);
    for k in 0..1_400_u32 {
        let place = k * 519 % 1_400;
        let at = vec2(-20.6 + (place % 40) as f32 * 1.05, 1.0 + (place / 40) as f32);
        let size = random.range(0.5, 1.0);
        let def = BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0)).velocity(random.square(3.0));
        world.add(def.shape(any_shape(&mut random, size)))?;
    }
    Ok(Scene::new(world, |_, _| Ok(())))
}

/// Two hundred bullets in a closed box, from 20 to 300 m/s, with a few things in their way.
pub fn bullets() -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let corners = [vec2(8.0, 6.0), vec2(-8.0, 6.0), vec2(-8.0, -6.0), vec2(8.0, -6.0)];
    world.add(BodyDef::fixed().shape(Shape::closed_chain(&corners)).material(Material::elastic()))?;
    let mut random = Random::new(3);
    for k in 0..8 {
        let at = vec2(-6.0 + 4.0 * (k % 4) as f32, if k < 4 { -3.0 } else { 3.0 });
        let block = Shape::rect(0.6, 1.2);
        let material = Material::default().restitution(0.9).friction(0.1);
        let def = if k % 3 == 0 { BodyDef::fixed() } else { BodyDef::dynamic().density(30.0) };
        world.add(def.at(at).angle(k as f32).shape(block).material(material))?;
    }
    for k in 0..200 {
        let shape = if k % 4 == 3 { Shape::rect(0.12, 0.08) } else { Shape::circle(0.05) };
        let at = vec2(-7.6 + 0.8 * (k % 20) as f32, -4.5 + (k / 20) as f32);
        let speed = random.one(&[20.0, 60.0, 150.0, 300.0]);
        let velocity = Rot::from_angle(random.range(-3.1, 3.1)) * vec2(speed, 0.0);
        let material = Material::elastic().restitution(random.one(&[1.0, 1.0, 0.95]));
        world.add(BodyDef::dynamic().at(at).velocity(velocity).shape(shape).material(material))?;
    }
    Ok(Scene::new(world, move |world, frame| {
        // What has become slow is shot again.
        let slow = |(id, body): (BodyId, &carom::Body)| {
            (body.mass() > 0.0 && body.velocity().length() < 10.0).then_some(id)
        };
        let slow: Vec<BodyId> =
            if frame % 50 == 49 { world.bodies().filter_map(slow).collect() } else { Vec::new() };
        for id in slow {
            let aim = Rot::from_angle(random.range(-3.1, 3.1)) * vec2(120.0, 0.0);
            world.apply_impulse(id, aim * world[id].mass().clamp(0.0, 0.02))?;
        }
        Ok(())
    }))
}

/// A pile over a corner where four regions meet, stirred and shaken.
pub fn far(region: IVec2) -> Result<Scene, Error> {
    let mut world = World::new(WorldDef::default().sleepless());
    let place = move |at: Vec2| WorldPoint::new(region, vec2(512.0, 512.0)).offset(at);
    let bowl: Vec<Vec2> =
        [[-12.0, 12.0], [-8.0, -4.0], [0.0, -6.0], [8.0, -4.0], [12.0, 12.0]].map(Vec2::from).to_vec();
    world.add(BodyDef::fixed().at(place(Vec2::ZERO)).shape(Shape::chain(&bowl)))?;
    let arm = Shape::compound([Shape::rect(9.0, 0.4), Shape::rect(0.4, 9.0)]);
    let stirrer = world.add(BodyDef::kinematic().at(place(vec2(0.0, 0.5))).shape(arm).spin(1.5))?;
    let mut random = Random::new(4);
    let mut pile = Vec::new();
    for k in 0..150 {
        let at = vec2((k % 15) as f32 - 7.0, 5.0 + (k / 15) as f32);
        let def = BodyDef::dynamic().at(place(at)).angle(random.range(-3.0, 3.0));
        pile.push(world.add(def.shape(any_shape(&mut random, 0.8)))?);
    }
    Ok(Scene::new(world, move |world, frame| {
        if frame % 400 == 399 {
            world.set_angular_velocity(stirrer, random.range(-3.0, 3.0))?;
        }
        let lost = pile.iter().filter(|&&id| place(Vec2::ZERO).to(world[id].world_position()).y < -10.0);
        for id in lost.copied().collect::<Vec<_>>() {
            world.teleport(id, place(vec2(random.range(-6.0, 6.0), 10.0)), 0.0)?;
            world.set_velocity(id, random.square(5.0))?;
        }
        Ok(())
    }))
}
