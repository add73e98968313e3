//! Kinematic platforms: they carry it without slip, push it out of their way, and lend it their
//! velocity.

use super::{DT, GRAVITY, Hero, ROOM, SKIN, grow, lowest};
use carom::prelude::*;
use carom::{Material, MoverDef};
use testkit::worlds::{add, check_range, earth, ground, space, step};

/// A press comes down on it: it gives way to the side it can, and says so where it cannot.
#[test]
fn platforms_push_the_mover_out() {
    for speed in [0.5, 4.0, 20.0] {
        let mut world = space();
        let press = BodyDef::kinematic().at([-6.0, 1.0]).velocity([speed, 0.0]).shape(Shape::rect(1.0, 1.0));
        add(&mut world, press);
        let mut hero = Hero::new(MoverDef::default(), [0.0, 1.0]);
        let mut least = f32::INFINITY;
        for _ in 0..(10.0 / (speed * DT)) as usize {
            let outcome = hero.go(&world, Vec2::ZERO);
            step(&mut world);
            let gap = hero.gap(&world);
            least = if gap < least { gap } else { least };
            assert!(outcome.crushed < ROOM);
        }
        assert!(hero.at().x > 3.0, "pushed to {}", hero.place);
        check_range(&format!("at {speed} m/s: least distance"), least, f64::from(SKIN - ROOM)..);
    }
    let mut world = earth();
    ground(&mut world);
    add(&mut world, BodyDef::kinematic().at([0.0, 4.0]).velocity([0.0, -1.0]).shape(Shape::rect(4.0, 1.0)));
    let mut hero = Hero::new(MoverDef::default(), [0.0, 0.91]);
    let mut crushed = 0.0;
    for _ in 0..120 {
        crushed = hero.run(&world, 0.0).crushed;
        step(&mut world);
        assert!(hero.at().y > 0.9 + SKIN - ROOM, "pressed into the ground: {}", hero.place);
    }
    assert!(crushed > 0.1, "the press is down to 1.5 m: {crushed}");
    assert!(hero.at().x.abs() < 1.0e-3, "and does not throw it out: {}", hero.place);
}

/// Rides a platform whose pose at a time is given; where the mover's feet are in the platform's
/// frame must not change.
fn ride(what: &str, pose: impl Fn(f32) -> (Vec2, f32), shape: &Shape, as_body: bool) {
    let mut world = earth();
    let (start, angle) = pose(0.0);
    let platform = add(&mut world, BodyDef::kinematic().at(start).angle(angle).shape(Shape::rect(6.0, 0.4)));
    let mut hero = Hero::new(MoverDef::new(shape.clone()), start + vec2(0.7, 0.25 - lowest(shape)));
    let body = BodyDef::kinematic().at(hero.place).shape(shape.clone());
    let body = as_body.then(|| add(&mut world, body));
    // The middle of the capsule's lower end keeps its place.
    let foot = vec2(0.0, lowest(shape) + 0.3);
    let (mut home, mut drift, mut off) = (None, 0.0, 0.0);
    for k in 0..630 {
        let (position, angle) = pose((k + 1) as f32 * DT);
        world.move_to(platform, position, angle).expect("a place");
        let wanted = vec2(0.0, hero.velocity.y - GRAVITY * DT);
        let outcome = match body {
            None => hero.go(&world, wanted),
            Some(body) => {
                let outcome = hero.mover.move_body(&mut world, body, wanted, DT).expect("in range");
                hero.velocity = outcome.velocity;
                outcome
            }
        };
        step(&mut world);
        hero.place = body.map_or(hero.place, |body| world[body].world_position());
        if k >= 30 {
            assert!(outcome.grounded(), "{what}: in the air at step {k}");
            let place = world[platform].to_local(hero.place.offset(foot));
            let home = *home.get_or_insert(place);
            grow(&mut drift, (place.x - home.x).abs());
            grow(&mut off, (place.y - home.y).abs());
        }
    }
    check_range(&format!("{what}: drift in 600 steps"), drift, ..1.0e-3);
    check_range(&format!("{what}: height off by"), off, ..4.0e-4);
}

#[test]
fn platforms_carry_the_mover_without_slip() {
    let wave = |t: f32| carom::math::sin(t);
    let capsule = Shape::capsule([0.0, -0.6], [0.0, 0.6], 0.3);
    for as_body in [false, true] {
        ride("sideways", |t| (vec2(3.0 * wave(1.3 * t), 1.0), 0.0), &capsule, as_body);
        ride("steadily", |t| (vec2(5.0 * t, 1.0), 0.0), &capsule, as_body);
        ride("up and down", |t| (vec2(0.0, 2.0 * wave(2.0 * t)), 0.0), &capsule, as_body);
        ride("fast lift", |t| (vec2(0.0, 20.0 * t), 0.0), &capsule, as_body);
        ride("rocking", |t| (vec2(0.0, 1.0), 0.5 * wave(1.1 * t)), &capsule, as_body);
        ride(
            "all at once",
            |t| (vec2(2.0 * wave(t), 1.5 * wave(1.7 * t)), 0.4 * wave(0.9 * t)),
            &capsule,
            as_body,
        );
        let boxed = Shape::rect(0.6, 1.8);
        ride("a box sideways", |t| (vec2(3.0 * wave(1.3 * t), wave(t)), 0.0), &boxed, as_body);
    }
}

#[test]
fn a_jump_off_a_platform_keeps_its_velocity() {
    let mut world = earth();
    add(&mut world, BodyDef::kinematic().velocity([3.0, 2.0]).shape(Shape::rect(4.0, 1.0)));
    let mut hero = Hero::new(MoverDef::default(), [0.0, 1.41]);
    for _ in 0..30 {
        let outcome = hero.run(&world, 0.0);
        step(&mut world);
        let ground = outcome.ground.expect("it stands");
        assert!((ground.velocity - vec2(3.0, 2.0)).length() < 1.0e-4 && outcome.inherited == Vec2::ZERO);
    }
    let before = hero.at();
    let outcome = hero.go(&world, vec2(1.0, 5.0));
    assert_eq!((outcome.grounded(), outcome.inherited), (false, vec2(3.0, 2.0)));
    assert!((outcome.velocity - vec2(4.0, 7.0)).length() < 1.0e-4);
    assert!((hero.at() - before - vec2(4.0, 7.0) * DT).length() < 1.0e-4);
    let outcome = hero.go(&world, outcome.velocity);
    assert_eq!(outcome.inherited, Vec2::ZERO, "once");
    assert!((outcome.velocity.x - 4.0).abs() < 1.0e-4);
}

#[test]
fn conveyors_carry_the_mover() {
    let mut world = earth();
    let belt = Material { surface_speed: 2.0, ..Material::default() };
    add(&mut world, BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)).material(belt));
    let mut hero = Hero::new(MoverDef::default(), [0.0, 0.91]);
    hero.run(&world, 0.0);
    let start = hero.at().x;
    (0..60).for_each(|_| {
        hero.run(&world, 0.0);
    });
    check_range("carried in a second", hero.at().x - start, 1.99..2.01);
}
