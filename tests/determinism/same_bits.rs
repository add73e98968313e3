//! The same bits twice in one process, far from the origin, and in a clone.

use carom::IVec2;
use carom::prelude::*;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, difference, run, step, valid};

/// 1 m boxes stacked 100 km and 1,000 km away have the same bits as at the origin, for 10 s.
#[test]
fn a_stack_far_away_has_the_same_bits() {
    let stack = |region: IVec2| {
        let mut world = World::default();
        let at = |x: f32, y: f32| WorldPoint::new(region, vec2(x, y));
        add(&mut world, BodyDef::fixed().at(at(0.0, -1.0)).shape(Shape::rect(40.0, 2.0)));
        for row in 0..10 {
            let x = 0.01 * (row % 3) as f32;
            add(&mut world, BodyDef::dynamic().at(at(x, row as f32 + 0.6)).shape(Shape::rect(1.0, 1.0)));
        }
        world
    };
    // A region is 1,024 m wide.
    for region in [IVec2::new(98, 0), IVec2::new(-98, 98), IVec2::new(977, 0), IVec2::new(0, -977)] {
        let (mut here, mut there) = (stack(IVec2::ZERO), stack(region));
        for number in 0..600 {
            step(&mut here);
            step(&mut there);
            if let Some(unlike) = difference(&here, &there) {
                panic!("step {number}, region {region}: {unlike}");
            }
        }
    }
}

/// A random scene: a room, a chain, moving and resting bodies of every kind.
fn random_scene(seed: u64, region: IVec2) -> World {
    let mut random = Random::new(seed);
    let mut world = World::default();
    let at = |random: &mut Random, reach: f64| WorldPoint::new(region, random.vec2(reach));
    for (x, y, width, height) in [(0.0, -11.0, 24.0, 2.0), (-11.0, 0.0, 2.0, 24.0), (11.0, 0.0, 2.0, 24.0)] {
        let place = WorldPoint::new(region, vec2(x, y));
        add(&mut world, BodyDef::fixed().at(place).shape(Shape::rect(width, height)));
    }
    let hills: Vec<Vec2> =
        (0..12).map(|k| vec2(2.0 * k as f32 - 11.0, random.range(-9.5, -7.5) as f32)).collect();
    add(&mut world, BodyDef::fixed().at(WorldPoint::new(region, Vec2::ZERO)).shape(Shape::chain(&hills)));
    let paddle = BodyDef::kinematic().at(WorldPoint::new(region, vec2(0.0, -3.0))).spin(2.0);
    add(&mut world, paddle.shape(Shape::rect(6.0, 0.4)));
    for _ in 0..40 {
        let size = random.range(0.2, 0.8) as f32;
        let shape = match random.below(6) {
            0 => Shape::circle(0.5 * size),
            1 => Shape::rect(size, size * random.range(0.3, 1.0) as f32),
            2 => Shape::regular(3 + random.below(6), 0.6 * size),
            3 => Shape::capsule([-0.4 * size, 0.0], [0.4 * size, 0.0], 0.3 * size),
            4 => Shape::compound([
                Shape::rect(size, 0.3 * size),
                Shape::rect(0.3 * size, size).at([0.3 * size, 0.4 * size]),
                Shape::circle(0.3 * size).at([-0.5 * size, 0.1 * size]),
            ]),
            _ => Shape::polygon(&[
                vec2(0.0, 0.0),
                vec2(size, 0.1 * size),
                vec2(0.8 * size, 0.7 * size),
                vec2(0.1 * size, 0.5 * size),
            ])
            .rounded(0.05 * size),
        };
        let material = Material::default()
            .friction(random.range(0.0, 1.0) as f32)
            .restitution(if random.below(3) == 0 { random.unit() as f32 } else { 0.0 });
        let speed = if random.below(8) == 0 { 200.0 } else { 5.0 };
        let body =
            BodyDef::dynamic().at(at(&mut random, 8.0)).angle(random.angle()).velocity(random.vec2(speed));
        add(&mut world, body.spin(random.range(-5.0, 5.0) as f32).shape(shape).material(material));
    }
    world
}

/// Whole random scenes (boxes, circles, polygons, capsules, compounds, a chain, a kinematic paddle,
/// some bodies fast) built at region (1,000,000, -1,000,000) have the same bits as at (0, 0), for
/// 300 steps.
#[test]
fn scenes_a_billion_metres_out_have_the_same_bits() {
    for seed in 0..rounds(2, 12) as u64 {
        let mut here = random_scene(seed, IVec2::ZERO);
        let mut there = random_scene(seed, IVec2::new(1_000_000, -1_000_000));
        for number in 0..300 {
            step(&mut here);
            step(&mut there);
            if let Some(unlike) = difference(&here, &there) {
                panic!("seed {seed}, step {number}: {unlike}");
            }
        }
        valid(&there);
    }
}

/// The same 12 random scenes twice in one process: the same bits, after every one of 300 steps.
#[test]
fn the_same_scene_twice_has_the_same_bits() {
    for seed in 100..100 + rounds(3, 12) as u64 {
        let (mut one, mut two) = (random_scene(seed, IVec2::ZERO), random_scene(seed, IVec2::ZERO));
        for number in 0..300 {
            step(&mut one);
            step(&mut two);
            if let Some(unlike) = difference(&one, &two) {
                panic!("seed {seed}, step {number}: {unlike}");
            }
        }
    }
}

/// A clone goes on as the original does, to the bit; and time asked for drawing changes nothing.
#[test]
fn a_clone_goes_on_alike() {
    for seed in 200..200 + rounds(2, 6) as u64 {
        let mut one = random_scene(seed, IVec2::ZERO);
        run(&mut one, 97);
        let mut two = one.clone();
        for number in 0..200 {
            step(&mut one);
            step(&mut two);
            let _ = two.poses_at(0.3);
            if let Some(unlike) = difference(&one, &two) {
                panic!("seed {seed}, step {number}: {unlike}");
            }
        }
    }
}
