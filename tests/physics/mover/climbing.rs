//! Slopes and steps: up to the limits and no further, down without leaving the ground, and jumps
//! that do leave it.

use super::{DT, GRAVITY, Hero, ROOM, SKIN, grow, lowest, shapes};
use carom::prelude::*;
use carom::{MoverDef, SteepRule};
use testkit::worlds::{add, check_range, earth, ground, wall};

/// A slope of so many degrees that begins at x = 0, on a level floor.
fn slope(degrees: f32) -> World {
    let mut world = earth();
    wall(&mut world, [-10.0, -0.5], 60.0, 1.0);
    let turn = Rot::from_angle(degrees.to_radians());
    let at = turn * vec2(10.0, -0.5);
    add(&mut world, BodyDef::fixed().at(at).angle(degrees.to_radians()).shape(Shape::rect(20.0, 1.0)));
    world
}

#[test]
fn the_steepest_slope_is_kept_to_two_degrees() {
    for limit in [20.0_f32, 35.0, 50.0, 60.0] {
        for (name, shape) in shapes() {
            for (degrees, climbs) in [(limit - 2.0, true), (limit + 2.0, false)] {
                let world = slope(degrees);
                let def = MoverDef::new(shape.clone()).max_slope(limit.to_radians());
                let mut hero = Hero::new(def, [-2.0, 0.95]);
                (0..180).for_each(|_| {
                    hero.run(&world, 3.0);
                });
                let height = hero.at().y + lowest(&shape);
                println!("{name}, {degrees} degrees, up to {limit}: {height:.3} m high");
                assert!(if climbs { height > 1.0 } else { height < 0.1 }, "{name} at {degrees}: {height}");
            }
        }
    }
}

#[test]
fn on_steep_ground_the_mover_slides_or_stands_as_told() {
    let world = slope(60.0);
    let mut slider = Hero::new(MoverDef::default(), [2.0, 6.0]);
    let mut stander = Hero::new(MoverDef::default().steep(SteepRule::Stand), [2.0, 6.0]);
    for _ in 0..60 {
        slider.run(&world, 0.0);
        stander.run(&world, 0.0);
    }
    let stood = stander.at();
    for _ in 0..120 {
        slider.run(&world, 1.0);
        assert!(stander.run(&world, 1.0).grounded());
    }
    check_range("slid down to", slider.at().y, 0.9..0.95);
    check_range("stood, and climbed", stander.at().y - stood.y, -1.0e-3..1.0e-3);
    assert!(stood.y > 2.0 && (0..30).all(|_| stander.run(&world, 0.0).grounded()));
}

#[test]
fn steps_up_to_the_height_are_climbed() {
    for (name, shape) in shapes() {
        for (height, climbs) in [(0.05, true), (0.15, true), (0.29, true), (0.31, false), (0.4, false)] {
            for speed in [1.0, 4.0, 9.0] {
                let mut world = earth();
                ground(&mut world);
                wall(&mut world, [5.0, 0.5 * height], 4.0, height);
                let mut hero = Hero::new(MoverDef::new(shape.clone()), [1.0, SKIN - lowest(&shape)]);
                let (mut steps, mut stepped) = (0, false);
                while hero.at().x < 5.0 && steps < 400 {
                    let outcome = hero.run(&world, speed);
                    stepped |= outcome.stepped;
                    steps += 1;
                    assert!(outcome.grounded(), "{name} over {height} m: in the air at {}", hero.place);
                    assert!(hero.gap(&world) > SKIN - ROOM);
                }
                let on_top = hero.at().y + lowest(&shape) > height;
                assert_eq!(on_top, climbs, "{name} at {speed} m/s, {height} m, at {}", hero.place);
                assert!(stepped || !climbs || name != "box", "a box has to be lifted");
            }
        }
    }
}

/// A ledge of 5 cm before a high wall is no step; one of 20 cm is.
#[test]
fn a_step_needs_room_on_top() {
    for (depth, climbs) in [(0.05, false), (0.2, true)] {
        let mut world = earth();
        ground(&mut world);
        wall(&mut world, [3.0, 0.1], 2.0, 0.2);
        wall(&mut world, [3.0 + depth, 2.0], 2.0, 4.0);
        let mut hero = Hero::new(MoverDef::new(Shape::rect(0.6, 1.8)), [1.0, 0.95]);
        (0..120).for_each(|_| {
            hero.run(&world, 3.0);
        });
        assert_eq!(hero.at().y > 1.05, climbs, "{depth} m deep: {}", hero.place);
    }
}

#[test]
fn a_low_ceiling_stops_a_step() {
    let mut world = earth();
    ground(&mut world);
    wall(&mut world, [4.0, 0.1], 4.0, 0.2);
    wall(&mut world, [4.0, 2.45], 8.0, 1.0); // 1.95 m above the floor, 1.75 above the step
    let mut hero = Hero::new(MoverDef::default(), [-1.0, 0.95]);
    (0..180).for_each(|_| {
        hero.run(&world, 3.0);
        assert!(hero.gap(&world) > SKIN - ROOM);
    });
    check_range("stopped at", hero.at().x, 1.6..1.8);
}

#[test]
fn stairs_and_slopes_are_followed_down_without_airtime() {
    let mut stairs = earth();
    for k in 0..60 {
        wall(&mut stairs, [0.3 * k as f32 + 0.15, -0.2 * k as f32 - 5.0], 0.3, 10.0);
    }
    wall(&mut stairs, [-5.0, -5.0], 10.0, 10.0);
    let mut slopes = earth();
    let points = [[-10.0, 0.0], [0.0, 0.0], [8.0, -6.7], [12.0, -6.7], [20.0, -10.0], [30.0, -10.0]];
    add(&mut slopes, BodyDef::fixed().shape(Shape::chain(&points.map(Vec2::from))));
    for (level, world) in [("stairs", &stairs), ("slopes", &slopes)] {
        for (name, shape) in shapes() {
            for speed in [0.7, 2.0, 4.0, 8.0] {
                let mut hero = Hero::new(MoverDef::new(shape.clone()).snap(0.25), [-1.0, 0.95]);
                (0..30).for_each(|_| {
                    hero.run(world, 0.0);
                });
                let mut air = 0;
                for _ in 0..3000 {
                    let outcome = hero.run(world, speed);
                    air += usize::from(!outcome.grounded());
                    if hero.at().x > 17.0 {
                        break;
                    }
                }
                assert!(hero.at().x > 17.0, "{name} got to {}", hero.place);
                assert_eq!(air, 0, "{name} on {level} at {speed} m/s: steps in the air");
            }
        }
    }
}

/// And up again, at a steady pace.
#[test]
fn stairs_are_climbed_without_a_stop() {
    let mut world = earth();
    for k in 0..60 {
        wall(&mut world, [0.3 * k as f32 + 0.15, 0.2 * k as f32 - 4.8], 0.3, 10.0);
    }
    wall(&mut world, [-5.0, -5.0], 10.0, 10.0);
    for (name, shape) in shapes() {
        for speed in [1.0, 4.0, 8.0] {
            let mut hero = Hero::new(MoverDef::new(shape.clone()), [-1.0, 0.95]);
            (0..30).for_each(|_| {
                hero.run(&world, 0.0);
            });
            let (mut least, mut steps) = (f32::INFINITY, 0);
            while hero.at().x < 15.0 && steps < 2000 {
                let before = hero.at();
                assert!(hero.run(&world, speed).grounded(), "{name} at {speed} m/s at {}", hero.place);
                let way = hero.at().distance(before);
                least = if way < least { way } else { least };
                steps += 1;
            }
            check_range(&format!("{name} at {speed}: slowest step, as a share"), least / (speed * DT), 0.5..);
        }
    }
}

#[test]
fn a_jump_leaves_the_ground() {
    let mut world = earth();
    ground(&mut world);
    for speed in [0.5_f32, 2.0, 5.0] {
        let mut hero = Hero::new(MoverDef::default(), [0.0, 0.92]);
        (0..10).for_each(|_| {
            hero.run(&world, 0.0);
        });
        let floor = hero.at().y;
        let mut top = 0.0;
        assert!(!hero.go(&world, vec2(3.0, speed)).grounded());
        let mut steps = 1;
        loop {
            grow(&mut top, hero.at().y - floor);
            let outcome = hero.run(&world, 3.0);
            steps += 1;
            if outcome.grounded() {
                break;
            }
        }
        // v + (v - g dt) + (v - 2 g dt) + … while it rises.
        let rises = (speed / (GRAVITY * DT)).floor();
        let expected = DT * (speed * (rises + 1.0) - 0.5 * GRAVITY * DT * rises * (rises + 1.0));
        assert!((top - expected).abs() < 1.0e-3, "{speed} m/s: {top} m high, not {expected}");
        assert!((steps as f32 * DT - 2.0 * speed / GRAVITY).abs() < 2.5 * DT);
    }
}
