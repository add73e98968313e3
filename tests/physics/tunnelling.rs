//! Small fast bodies pass neither thin walls nor each other.

use carom::prelude::*;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, run, space, step};

/// 200 pairs of balls r 0.05 that meet at 100 to 400 m/s each: none pass.
#[test]
fn ball_pairs_do_not_pass() {
    let mut random = Random::new(22);
    let mut passed = 0;
    for _ in 0..200 {
        let mut world = space();
        let (v, w) = (random.range(100.0, 400.0) as f32, random.range(100.0, 400.0) as f32);
        let ball =
            |x: f32, v: f32| BodyDef::dynamic().at([x, 0.0]).velocity([v, 0.0]).shape(Shape::circle(0.05));
        let left = add(&mut world, ball(-random.range(0.1, 10.0) as f32, v));
        let right = add(&mut world, ball(random.range(0.1, 10.0) as f32, -w));
        run(&mut world, 12);
        passed += usize::from(world[left].position().x > world[right].position().x);
    }
    check_range("pairs that passed, of 200", passed as f64, ..=0.0);
}

/// 200 small bodies of every kind at 150 to 950 m/s into a wall of 1 cm: none pass.
#[test]
fn small_bodies_do_not_pass_a_thin_wall() {
    let mut random = Random::new(23);
    let mut passed = Vec::new();
    for number in 0..200 {
        let mut world = earth();
        add(&mut world, BodyDef::fixed().shape(Shape::rect(0.01, 40.0)));
        let size = random.range(0.02, 0.2) as f32;
        let shape = match number % 5 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::rect(size, size * random.range(0.2, 1.0) as f32),
            2 => Shape::capsule([-0.3 * size, 0.0], [0.3 * size, 0.0], 0.2 * size),
            3 => Shape::regular(3 + random.below(5), 0.5 * size),
            _ => Shape::rect(size, 0.3 * size).rounded(0.1 * size),
        };
        let at = [random.range(-16.0, -0.3) as f32, random.range(-5.0, 15.0) as f32];
        let v = [random.range(150.0, 950.0) as f32, random.range(-100.0, 100.0) as f32];
        let body = BodyDef::dynamic()
            .at(at)
            .angle(random.angle())
            .velocity(v)
            .spin(random.range(-50.0, 50.0) as f32);
        let body = add(&mut world, body.shape(shape));
        for step_number in 0..30 {
            step(&mut world);
            let place = world[body].position();
            if place.x > 0.0 && place.y.abs() < 19.0 {
                passed.push(format!("body {number} at {v:?} from {at:?}, step {step_number}: {place}"));
                break;
            }
        }
    }
    println!("{passed:#?}");
    check_range("bodies that passed, of 200", passed.len() as f64, ..=0.0);
}

/// Twelve balls and boxes at 150 m/s in a room of walls of 1 cm, with bounces off pegs, where four
/// regions of the world meet: what is struck out of its way passes no wall of another region.
#[test]
fn nothing_leaves_a_thin_room_across_regions() {
    let mut outside = 0;
    for seed in 0..rounds(20, 60) {
        let mut random = Random::new(seed as u64);
        let mut world = space();
        // Where the border runs through the room differs.
        let middle = vec2(512.0 + random.range(-1.5_f32, 1.5), 512.0 + random.range(-1.5_f32, 1.5));
        let material = Material::default().restitution(0.9);
        let mut fixed = |shape: Shape, at: Vec2| {
            add(&mut world, BodyDef::fixed().at(middle + at).shape(shape).material(material));
        };
        for side in [-2.0, 2.0] {
            fixed(Shape::rect(0.01, 4.0), vec2(side, 0.0));
            fixed(Shape::rect(4.0, 0.01), vec2(0.0, side));
        }
        for peg in [vec2(-0.9, 0.4), vec2(0.8, 0.9), vec2(0.3, -1.0), vec2(1.1, -0.4)] {
            fixed(Shape::regular(5, 0.2), peg);
        }
        let bodies: Vec<BodyId> = (0..12)
            .map(|k| {
                let at = middle + vec2(-1.6 + 0.28 * k as f32, -1.7);
                let shape = if k % 2 == 0 { Shape::circle(0.06) } else { Shape::rect(0.12, 0.08) };
                let velocity = Rot::from_angle(random.angle()).x_axis() * 150.0;
                let body = BodyDef::dynamic().at(at).velocity(velocity).shape(shape).material(material);
                add(&mut world, body)
            })
            .collect();
        run(&mut world, 150);
        let is_out = |&&body: &&BodyId| {
            let from = WorldPoint::from(middle).to(world[body].world_center());
            from.x.abs() > 2.0 || from.y.abs() > 2.0
        };
        outside += bodies.iter().filter(is_out).count();
    }
    check_range("bodies outside", outside as f64, ..=0.0);
}
