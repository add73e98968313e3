//! Scenes around the corner of four regions, (512, 512), with keys from 0 on.

use carom::IVec2;
use carom::broadphase::Regions;
use carom::prelude::*;
use carom_shard::Layout;
use testkit::random::Random;
use testkit::worlds::add;

/// Where four regions meet.
pub(crate) const CORNER: Vec2 = Vec2::splat(512.0);

/// Four shards of one region each.
pub(crate) fn four() -> Layout {
    let one = |x: i32, y: i32| Regions::new(IVec2::new(x, y), IVec2::new(x, y));
    Layout::new(vec![one(0, 0), one(1, 0), one(0, 1), one(1, 1)]).expect("they are apart")
}

/// Two shards side by side.
pub(crate) fn two() -> Layout {
    let one = |x: i32| Regions::new(IVec2::new(x, -1), IVec2::new(x, 1));
    Layout::new(vec![one(0), one(1)]).expect("they are apart")
}

/// Balls of several masses without gravity, in a box of walls around the corner if wanted, else on
/// their way to the corner.
pub(crate) fn gas(seed: u64, count: u64, speed: f32, walls: Option<f32>) -> World {
    let def = WorldDef { max_speed: 2.5 * speed, ..WorldDef::default().gravity([0.0, 0.0]).sleepless() };
    let mut world = World::new(def);
    let bouncy = Material::elastic();
    if let Some(half) = walls {
        for (at, size) in [
            ([-half, 0.0], [1.0, 2.0 * half + 1.0]),
            ([half, 0.0], [1.0, 2.0 * half + 1.0]),
            ([0.0, -half], [2.0 * half + 1.0, 1.0]),
            ([0.0, half], [2.0 * half + 1.0, 1.0]),
        ] {
            let wall = BodyDef::fixed().at(CORNER + Vec2::from(at)).shape(Shape::rect(size[0], size[1]));
            add(&mut world, wall.material(bouncy));
        }
    }
    let (mut random, mut places) = (Random::new(seed), Vec::<Vec2>::new());
    let reach = walls.unwrap_or(120.0) - 2.0;
    while (places.len() as u64) < count {
        let at = CORNER + random.vec2(f64::from(reach));
        let is_free = places.iter().all(|other| other.distance(at) > 6.0);
        if !is_free || (walls.is_none() && at.distance(CORNER) < 25.0) {
            continue;
        }
        let towards = (CORNER + random.vec2(8.0) - at).normalize_or_zero();
        let velocity = if walls.is_none() { towards * speed } else { random.vec2(f64::from(speed * 0.7)) };
        let radius = [0.3, 0.5, 0.8][places.len() % 3];
        let ball = BodyDef::dynamic().at(at).velocity(velocity).shape(Shape::circle(radius));
        add(&mut world, ball.material(bouncy).user_data(places.len() as u64));
        places.push(at);
    }
    world
}

/// Heaps and chains under gravity on a floor over the border at x = 512, and balls that strike
/// them.
pub(crate) fn heaps(seed: u64) -> (World, u64) {
    let mut world = World::new(WorldDef { max_speed: 40.0, ..WorldDef::default() });
    for k in 0..10 {
        add(&mut world, BodyDef::fixed().at([462.0 + 10.0 * k as f32, -1.0]).shape(Shape::rect(10.0, 2.0)));
    }
    let (mut random, mut key) = (Random::new(seed), 0);
    let mut put = |world: &mut World, def: BodyDef| {
        key += 1;
        add(world, def.user_data(key - 1))
    };
    for x in [492.0, 505.0, 516.0, 532.0] {
        for k in 0..8 {
            let at = [x + 0.1 * random.range(-1.0, 1.0) as f32, 0.5 + k as f32];
            put(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 1.0)));
        }
    }
    let mut before = None;
    for k in 0..6 {
        let at = [509.5 + k as f32, 14.0];
        let link = put(&mut world, BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 0.2)));
        let joint = JointDef::revolute(before, link).at([at[0] - 0.5, at[1]]);
        world.add_joint(joint).expect("no rule is broken");
        before = Some(link);
    }
    for (x, way) in [(470.0, 22.0), (548.0, -24.0), (480.0, 15.0)] {
        let at = [x, 3.0 + random.range(0.0, 3.0) as f32];
        let ball = BodyDef::dynamic().at(at).velocity([way, 3.0]).shape(Shape::circle(0.6));
        put(&mut world, ball.density(3000.0));
    }
    (world, key)
}
