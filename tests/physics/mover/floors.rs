//! Floors, level and sloping, of one piece or of hundreds: the distance is kept, and edges between
//! flush pieces are not felt.

use super::{DT, Hero, SKIN, grow, lowest, shapes};
use carom::MoverDef;
use carom::prelude::*;
use testkit::random::Random;
use testkit::worlds::{add, check_range, earth, ground, wall};

#[test]
fn flat_ground_keeps_its_distance_for_ten_thousand_steps() {
    let mut world = earth();
    ground(&mut world);
    for (name, shape) in shapes() {
        let mut hero = Hero::new(MoverDef::new(shape.clone()), [-150.0, 2.0]);
        let mut off = 0.0;
        for k in 0..10_000 {
            let speed = if k % 700 < 350 { 6.0 } else { -5.0 };
            let outcome = hero.run(&world, speed);
            if k >= 120 {
                assert!(outcome.grounded() && outcome.crushed == 0.0);
                grow(&mut off, (hero.at().y + lowest(&shape) - SKIN).abs());
            }
        }
        check_range(&format!("{name}: height off by"), off, 0.0..2.0e-4);
    }
}

/// Crosses a floor at many speeds. The largest loss of way in a step as a share, and the largest
/// change of height.
fn cross(world: &World, shape: &Shape, (from, to): (f32, f32)) -> (f32, f32) {
    let (mut loss, mut bob) = (0.0, 0.0);
    for speed in [0.05, 0.3, 1.0, 2.7, 4.0, 7.5, 13.0, 29.0, 60.0] {
        let mut hero = Hero::new(MoverDef::new(shape.clone()), [from, SKIN - lowest(shape)]);
        let settled = hero.run(world, 0.0);
        assert!(settled.grounded());
        let level = hero.at().y;
        for _ in 0..3000 {
            let before = hero.at().x;
            let outcome = hero.run(world, speed);
            assert!(outcome.grounded() && !outcome.hit_wall, "at {}", hero.place);
            // Positions resolve 8e-6 m at 100 m.
            let way = hero.at().x - before;
            grow(&mut loss, ((speed * DT - way).abs() - 1.6e-5) / (speed * DT));
            grow(&mut loss, (outcome.velocity.x - speed).abs() / speed);
            grow(&mut bob, (hero.at().y - level).abs());
            if hero.at().x + 2.0 * way > to {
                break;
            }
        }
    }
    (loss, bob)
}

#[test]
fn flush_tiles_are_one_floor() {
    let mut world = earth();
    for k in 0..200 {
        wall(&mut world, [k as f32 - 99.5, -0.5], 1.0, 1.0);
    }
    for (name, shape) in shapes() {
        let (loss, bob) = cross(&world, &shape, (-99.0, 99.0));
        check_range(&format!("{name}: share of the speed lost"), loss, ..1.0e-3);
        check_range(&format!("{name}: height changed by"), bob, ..2.0e-4);
    }
}

/// Tiles of odd sizes, whose edges coincide only as far as `f32` can tell.
#[test]
fn tiles_of_odd_sizes_are_one_floor() {
    let (mut world, mut random, mut x) = (earth(), Random::new(5), -99.0);
    for _ in 0..200 {
        let (width, height) = (random.range(0.13, 1.7) as f32, random.range(0.1, 3.0) as f32);
        wall(&mut world, [x + 0.5 * width, -0.5 * height], width, height);
        x += width;
    }
    for (name, shape) in shapes() {
        let (loss, bob) = cross(&world, &shape, (-98.0, x - 1.0));
        check_range(&format!("{name}: share of the speed lost"), loss, ..1.0e-3);
        check_range(&format!("{name}: height changed by"), bob, ..2.0e-4);
    }
}

#[test]
fn a_chain_is_one_floor() {
    let mut world = earth();
    let points: Vec<Vec2> = (0..=200).map(|k| vec2(k as f32 - 100.0, 0.0)).collect();
    add(&mut world, BodyDef::fixed().shape(Shape::chain(&points)));
    for (name, shape) in shapes() {
        let (loss, bob) = cross(&world, &shape, (-99.0, 99.0));
        check_range(&format!("{name}: share of the speed lost"), loss, ..1.0e-3);
        check_range(&format!("{name}: height changed by"), bob, ..2.0e-4);
    }
}

/// A slope of flush tiles, walked up and down: along it as fast as on level ground, a skin above
/// it.
#[test]
fn a_slope_of_tiles_is_one_slope() {
    for degrees in [10.0_f32, 30.0, 45.0] {
        let (mut world, turn) = (earth(), Rot::from_angle(degrees.to_radians()));
        for k in 0..100 {
            let at = turn * vec2(k as f32 - 50.0, -0.5);
            add(&mut world, BodyDef::fixed().at(at).angle(degrees.to_radians()).shape(Shape::rect(1.0, 1.0)));
        }
        for (name, shape) in shapes() {
            let reach = -shape.aabb(Transform { position: Vec2::ZERO, rotation: turn.inverse() }).min.y;
            let mut hero = Hero::new(MoverDef::new(shape), turn * vec2(-40.0, SKIN + reach));
            let (mut off, mut loss, mut way) = (0.0, 0.0, 0.0);
            for k in 0..1200 {
                let speed = if k < 600 { 4.0 } else { -4.0 };
                let before = hero.at();
                let outcome = hero.run(&world, speed);
                assert!(outcome.grounded(), "{name} at {degrees} degrees, step {k}");
                way += hero.at().distance(before);
                // An edge of tiles that do not quite meet is passed in a step.
                grow(&mut loss, (hero.at().distance(before) / (4.0 * DT) - 1.0).abs());
                grow(&mut off, (turn.inverse_rotate(hero.at()).y - SKIN - reach).abs());
            }
            check_range(&format!("{name} at {degrees}: distance off by"), off, ..3.0e-4);
            check_range(&format!("{name} at {degrees}: a step off by a share of"), loss, ..1.0e-2);
            check_range(&format!("{name} at {degrees}: m walked of 80"), way, 79.92..80.08);
        }
    }
}
