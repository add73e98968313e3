//! Belts that carry things round, and one-way shelves that they are thrown up through.
//!
//! ```text
//!                   <<<<<<<<<<  one-way belts, to fly up through
//!        <<<<<<<<<<         <<
//!     >>>>>>>>>>>>>>
//!     >>>>>>>>>>>>>>>>>>>>>  ^  the launcher
//! ```

use carom::prelude::*;
use carom::{Error, Material};
use testkit::golden::any_shape;
use testkit::random::Random;

use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene};

pub(super) static SCENE: Info = Info {
    name: "conveyor",
    title: "Conveyors",
    hint: "Surfaces that move carry what lies on them. Green shelves are solid from above only: things fly up \
           through them, and come to rest on top.",
    counted: "bodies",
    count: [5, 30, 100],
    view: [vec2(-11.0, -1.2), vec2(11.0, 13.5)],
    build,
    ..PLAIN
};

/// Where things are thrown up: from here to the wall on the right.
const LAUNCHER: f32 = 8.0;
const WALL: f32 = 10.0;
/// Up to this height things lie on the launcher, on others perhaps; what is higher flies.
const HEAP: f32 = 2.6;
/// Steps from one throw to the next.
const PAUSE: u64 = 36;
/// Of what is thrown, in m/s.
const THROW: f32 = 14.5;

fn build(count: u32) -> Result<Scene, Error> {
    let mut world = World::default();
    let flat = |from: f32, to: f32, height: f32, speed: f32| {
        let shape = Shape::rect(to - from, 0.3).at([0.5 * (from + to), height - 0.15]);
        let surface = Material { surface_speed: speed, ..Material::default().friction(0.8) };
        ShapeDef::from(shape).material(surface)
    };
    world.add(BodyDef::fixed().shape(flat(-WALL, LAUNCHER, 0.0, 2.5)))?;
    world.add(BodyDef::fixed().shape(flat(LAUNCHER, WALL, 0.0, 0.0)))?;
    world.add(BodyDef::fixed().shape(flat(-WALL, 5.0, 2.8, 2.0)))?;
    world.add(BodyDef::fixed().shape(flat(-7.6, 3.4, 5.8, -2.0)))?;
    world.add(BodyDef::fixed().shape(flat(2.2, WALL, 9.0, -3.0).one_way([0.0, 1.0])))?;
    world.add(BodyDef::fixed().shape(flat(7.4, WALL, 5.8, -3.0).one_way([0.0, 1.0])))?;
    for side in [-1.0, 1.0] {
        let wall = Shape::rect(0.6, 40.0).at([side * (WALL + 0.3), 19.7]);
        world.add(BodyDef::fixed().shape(wall))?;
    }
    let mut random = Random::new(11);
    let mut things = Vec::new();
    for k in 0..count {
        let at = vec2(-9.0 + 0.9 * (k % 14) as f32, 3.6 + 0.9 * (k / 14) as f32);
        let shape = any_shape(&mut random, 0.6);
        things.push(world.add(BodyDef::dynamic().at(at).shape(shape).sleepless())?);
    }
    Ok(Scene::new(world, Belts { things }))
}

struct Belts {
    things: Vec<BodyId>,
}

impl Belts {
    /// The highest thing on the launcher: no other lies on it.
    fn next(&self, world: &World) -> Option<(BodyId, Vec2)> {
        let places = self.things.iter().filter_map(|&thing| Some((thing, world.get(thing)?.position())));
        let there = places.filter(|(_, at)| at.x > LAUNCHER + 0.2 && at.y < HEAP);
        there.max_by(|(_, a), (_, b)| a.y.total_cmp(&b.y))
    }
}

impl Play for Belts {
    fn step(&mut self, places: &mut [Place], _input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        if world.step_count().is_multiple_of(PAUSE)
            && let Some((thing, at)) = self.next(world)
        {
            let across = 0.4 * (0.5 * (LAUNCHER + WALL) - at.x);
            world.set_velocity(thing, [across, THROW])?;
        }
        world.step(DT).map(drop)
    }

    fn overlay(&self, _places: &[Place], out: &mut Commands) {
        for x in [LAUNCHER + 0.6, WALL - 0.6] {
            let (low, high) = (vec2(x, 0.15), vec2(x, 0.9));
            out.put_line(Ink::Orange, low, high);
            out.put_line(Ink::Orange, high, high + vec2(-0.2, -0.25));
            out.put_line(Ink::Orange, high, high + vec2(0.2, -0.25));
        }
    }
}
