//! What games do with a world: machines and sensors, things that sleep and are woken, questions and
//! characters.

use carom::prelude::*;
use carom::{Error, Filter, Locks, Manifold, MoverDef, Obb, batch};

use super::{Scene, any_shape, room};
use crate::random::Random;

/// A round trip: a belt to a lift, a lift to a shelf that lets through from below, a sensor that
/// blows, a clump of things that stick together and are shaken apart.
pub fn machines() -> Result<Scene, Error> {
    let mut world = World::default();
    room(&mut world, vec2(30.0, 30.0), Material::default())?;
    let belt = Material { surface_speed: 3.0, ..Material::default().friction(0.9) };
    world.add(BodyDef::fixed().at([-4.0, 1.0]).angle(0.05).shape(Shape::rect(20.0, 0.6)).material(belt))?;
    for k in 0..3 {
        let shelf = ShapeDef::from(Shape::rect(8.0, 0.2)).one_way([0.0, 1.0]);
        world.add(BodyDef::fixed().at([-6.0 + 5.0 * k as f32, 6.0 + 3.0 * k as f32]).shape(shelf))?;
    }
    let lift = world.add(BodyDef::kinematic().at([10.0, 1.0]).shape(Shape::rect(5.0, 0.4)))?;
    let paddle = world.add(BodyDef::kinematic().at([-8.0, 12.0]).shape(Shape::rect(6.0, 0.3)))?;
    let fan = ShapeDef::from(Shape::rect(4.0, 6.0)).sensor();
    world.add(BodyDef::fixed().at([12.0, 16.0]).shape(fan))?;
    let mut random = Random::new(9);
    let mut things = Vec::new();
    for k in 0..110_u32 {
        let at = vec2(-12.0 + 1.1 * (k % 22) as f32, 16.0 + 1.2 * (k / 22) as f32);
        let surface = Material::default().friction(0.5);
        let surface = if k % 9 == 0 { surface.welding() } else { surface };
        let body =
            BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0)).shape(any_shape(&mut random, 0.7));
        things.push(world.add(body.material(surface))?);
    }
    Ok(Scene::new(world, move |world, frame| {
        let time = frame as f32 / 60.0;
        let up = 0.5 - 0.5 * carom::math::cos(0.8 * time);
        world.move_to(lift, [11.0 - 1.5 * up, 0.6 + 14.0 * up], 0.15 * up)?;
        world.move_to(paddle, [-8.0, 12.0], 1.3 * carom::math::sin(1.7 * time))?;
        let entered: Vec<BodyId> = world.events().entered().iter().map(|event| event.visitor_body).collect();
        let left: Vec<BodyId> = world.events().left().iter().map(|event| event.visitor_body).collect();
        for id in entered {
            if world.get(id).is_some_and(|body| body.mass() > 0.0) {
                world.apply_impulse(id, vec2(-4.0, 6.0) * world[id].mass())?;
            }
        }
        for id in left {
            if world.get(id).is_some() {
                world.apply_angular_impulse(id, 0.2)?;
            }
        }
        let thing = random.one(&things);
        match frame % 40 {
            0 => world.break_welds(thing),
            20 => {
                world.teleport(thing, [random.range(-12.0, 6.0), random.range(20.0, 27.0)], 0.0)?;
                world.set_velocity(thing, random.square(6.0))
            }
            _ => Ok(()),
        }
    }))
}

/// Towers that fall asleep, and are woken by visitors, by hand, by what is taken away below them.
/// Filters and hooks decide who meets whom.
pub fn islands() -> Result<Scene, Error> {
    let mut world = World::default();
    room(&mut world, vec2(64.0, 30.0), Material::default())?;
    let mut random = Random::new(10);
    let mut stones = Vec::new();
    for k in 0..150_u32 {
        let (tower, storey) = (k / 6, k % 6);
        let at = vec2(-30.0 + 2.5 * tower as f32, 0.45 + 0.9 * storey as f32);
        let shape = if storey == 5 { Shape::regular(6, 0.5) } else { Shape::rect(0.9, 0.9) };
        let shape = ShapeDef::from(shape).user_data(u64::from(tower % 3)).contact_hook();
        stones.push(world.add(BodyDef::dynamic().at(at).shape(shape))?);
    }
    let visitor =
        BodyDef::dynamic().at([0.0, 20.0]).locks(Locks::ROTATION).shape(Shape::circle(0.8)).density(4.0);
    let visitor = world.add(visitor)?;
    // Two kinds of towers pass through each other, and one kind is slippery and drifts.
    world.set_filter_hook(|pair| {
        let kinds = (pair.shape_a.user_data(), pair.shape_b.user_data());
        kinds != (1, 2) && kinds != (2, 1)
    });
    world.set_contact_hook(|pair, edit| {
        if pair.shape_a.user_data() == 2 && pair.shape_b.user_data() == 2 {
            edit.kinetic_friction = 0.1;
            edit.restitution = 0.4;
        }
        if edit.separation < -0.2 {
            edit.solid = pair.shape_a.user_data() != 1;
        }
    });
    Ok(Scene::new(world, move |world, frame| {
        // Some that fell asleep are woken by a kick, others are put away for a while.
        let slept = world.events().slept().to_vec();
        for id in slept.into_iter().step_by(7) {
            push(world, id, random.square(2.5))?;
        }
        let stone = random.one(&stones);
        match frame % 60 {
            5 => world.set_enabled(stone, false),
            15 => stones.iter().try_for_each(|&stone| world.set_enabled(stone, true)),
            25 => world.put_to_sleep(stone),
            35 => world.wake_up(stone),
            45 => {
                let tower = stone_at(world, stone);
                world.teleport(visitor, [tower - 6.0, random.range(1.0, 12.0)], 0.0)?;
                world.set_velocity(visitor, [random.range(8.0, 30.0), random.range(-5.0, 5.0)])
            }
            55 => {
                let kinds = [BodyKind::Dynamic, BodyKind::Dynamic, BodyKind::Kinematic, BodyKind::Fixed];
                world.set_kind(stone, random.one(&kinds))?;
                world.set_can_sleep(stone, random.below(3) > 0)?;
                let shape = world.shapes_of(stone).next().map(|(id, _)| id);
                let filter = Filter { group: random.below(3) as i32 - 1, ..Filter::default() };
                shape.map_or(Ok(()), |shape| world.set_filter(shape, filter))
            }
            58 => {
                let at = vec2(random.range(-28.0, 28.0), random.range(8.0, 20.0));
                world.set_kind(stone, BodyKind::Dynamic)?;
                world.teleport(stone, at, random.range(-3.0, 3.0))
            }
            _ => Ok(()),
        }
    }))
}

fn stone_at(world: &World, stone: BodyId) -> f32 {
    world[stone].position().x
}

/// A heap that is asked everything, and pushed by the answers: rays, casts, overlaps, the nearest,
/// manifolds of many boxes at once. A character walks on it.
pub fn questions() -> Result<Scene, Error> {
    let mut world = World::default();
    room(&mut world, vec2(24.0, 20.0), Material::default())?;
    let mut random = Random::new(11);
    let mut heap = Vec::new();
    for k in 0..130_u32 {
        let at = vec2(-10.0 + 1.0 * (k % 20) as f32, 1.0 + 1.1 * (k / 20) as f32);
        let body =
            BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0)).shape(any_shape(&mut random, 0.8));
        heap.push(world.add(body)?);
    }
    let walker = Shape::capsule([0.0, -0.4], [0.0, 0.4], 0.3);
    let mut mover = Mover::new(MoverDef::new(walker.clone()))?;
    let hero = world.add(BodyDef::kinematic().at([0.0, 14.0]).shape(walker))?;
    let mut velocity = Vec2::ZERO;
    Ok(Scene::new(world, move |world, frame| {
        let run = if frame / 180 % 2 == 0 { 3.0 } else { -3.0 };
        velocity = vec2(run, velocity.y - 9.81 * super::DT);
        if frame % 120 == 60 {
            velocity.y = 7.0;
        }
        velocity = mover.move_body(world, hero, velocity, super::DT)?.velocity;
        match frame % 6 {
            0 => rays(world, &mut random),
            1 => casts(world, &mut random),
            2 => nearest(world, &mut random),
            3 => overlaps(world, &mut random),
            4 => boxes(world, &heap),
            _ => Ok(()),
        }
    }))
}

/// Pushes what can be pushed.
fn push(world: &mut World, body: BodyId, impulse: Vec2) -> Result<(), Error> {
    let weight = world.get(body).map_or(0.0, carom::Body::mass);
    if weight > 0.0 && impulse.is_finite() { world.apply_impulse(body, impulse * weight) } else { Ok(()) }
}

fn rays(world: &mut World, random: &mut Random) -> Result<(), Error> {
    let from = vec2(random.range(-11.0, 11.0), 15.0);
    let rays: Vec<WorldRay> =
        (0..8).map(|k| WorldRay::new(from, vec2(4.0 * k as f32 - 14.0, -16.0))).collect();
    let mut answers = Vec::new();
    world.rays(&rays, &QueryFilter::default(), &mut answers);
    answers.into_iter().flatten().try_for_each(|hit| push(world, hit.body, 4.0 * hit.fraction * hit.normal))
}

fn casts(world: &mut World, random: &mut Random) -> Result<(), Error> {
    let shape = any_shape(random, 0.9);
    let cast =
        ShapeCast::new(&shape, vec2(random.range(-10.0, 10.0), 16.0), random.square(3.0) - vec2(0.0, 15.0));
    let mut hits = Vec::new();
    world.cast_all(&cast.turning(random.range(-2.0, 2.0)), &QueryFilter::default(), &mut hits);
    hits.into_iter().try_for_each(|hit| push(world, hit.body, 2.0 * hit.time * hit.normal))
}

fn nearest(world: &mut World, random: &mut Random) -> Result<(), Error> {
    let mut answers = Vec::new();
    let from = vec2(random.range(-10.0, 10.0), random.range(1.0, 8.0));
    world.nearest_few(from, 3.0, 5, &QueryFilter::default(), &mut answers);
    answers.into_iter().try_for_each(|near| push(world, near.body, near.distance * near.normal))
}

fn overlaps(world: &mut World, random: &mut Random) -> Result<(), Error> {
    let (shape, mut answers) = (any_shape(random, 2.5), Vec::new());
    let at = PlacedShape {
        shape: &shape,
        position: vec2(random.range(-9.0, 9.0), 2.0).into(),
        rotation: Rot::IDENTITY,
    };
    world.overlap_shape(&at, &QueryFilter::default(), &mut answers);
    answers.into_iter().try_for_each(|found| push(world, found.body, vec2(0.5, 2.5)))
}

/// Boxes around bodies against their neighbours, many at once: they repel each other.
fn boxes(world: &mut World, heap: &[BodyId]) -> Result<(), Error> {
    let around = |&id: &BodyId| {
        Obb::new(1.0, 0.7)
            .map(|shape| shape.transformed(world[id].transform()))
            .map_err(|_| Error::BadNumber("a box"))
    };
    let all: Vec<Obb> = heap.iter().map(around).collect::<Result<_, _>>()?;
    let (a, b) = (&all[1..], &all[..all.len() - 1]);
    let mut found = vec![Manifold::NONE; a.len()];
    batch::contact_boxes(a, b, 0.1, &mut found);
    for (manifold, &id) in found.iter().zip(heap).filter(|(manifold, _)| !manifold.points().is_empty()) {
        push(world, id, manifold.normal * (0.1 + manifold.depth()))?;
    }
    Ok(())
}
