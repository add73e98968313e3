//! Small fast bodies pass neither thin walls nor each other.

use carom::prelude::*;

use testkit::random::Random;
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
