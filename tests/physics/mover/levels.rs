//! Random levels: nothing is entered, left, or passed through, at any speed and whatever presses;
//! and at rest it rests.

use super::{DT, GRAVITY, Hero, ROOM, SKIN, gap, grow, shapes};
use carom::prelude::*;
use carom::{IVec2, MoverDef, SteepRule};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, space, wall};

/// Anything convex, anywhere in a room of 20 m with walls 2 cm thin.
pub(super) fn room(random: &mut Random, region: IVec2) -> World {
    let mut world = earth();
    let place = |local: Vec2| WorldPoint::new(region, vec2(500.0, -3.0)).offset(local);
    for (x, y, width, height) in [
        (-10.0, 0.0, 0.02, 20.0),
        (10.0, 0.0, 0.02, 20.0),
        (0.0, -10.0, 20.02, 0.02),
        (0.0, 10.0, 20.02, 0.02),
    ] {
        add(&mut world, BodyDef::fixed().at(place(vec2(x, y))).shape(Shape::rect(width, height)));
    }
    for _ in 0..6 + random.below(30) {
        let size = random.log_range(0.2, 6.0) as f32;
        let shape = match random.below(7) {
            0 => Shape::circle(0.5 * size),
            1 => Shape::capsule([-0.5 * size, 0.0], [0.5 * size, 0.0], 0.1 * size),
            2 => Shape::regular(3 + random.below(6), 0.5 * size),
            3 => Shape::rect(size, 0.3 * size).rounded(0.05 * size),
            4 => Shape::segment([-0.5 * size, 0.0], [0.5 * size, 0.1]),
            5 => Shape::chain(&[-1.0, -0.5, 0.0, 0.5, 1.0].map(|x: f32| vec2(x, 0.3 * x * x - 0.1) * size)),
            _ => Shape::rect(size, random.range(0.02, 1.0) as f32 * size),
        };
        let angle = if random.below(3) == 0 { 0.0 } else { random.angle() };
        add(&mut world, BodyDef::fixed().at(place(random.vec2(10.0))).angle(angle).shape(shape));
    }
    world
}

#[test]
fn random_levels_are_never_entered_or_left() {
    let (mut least, mut worst_crush, mut steps) = (f32::INFINITY, 0.0, 0_u64);
    for seed in 0..rounds(60, 3000) as u64 {
        let mut random = Random::new(seed);
        let world = room(&mut random, IVec2::ZERO);
        let all = shapes();
        let def = MoverDef::new(all[random.below(all.len())].1.clone());
        let def = if random.below(5) == 0 { def.up([0.0, 0.0]) } else { def };
        let center = WorldPoint::from([500.0, -3.0]);
        let start = (0..50).map(|_| center.offset(random.vec2(9.0)));
        let mut hero = Hero::new(def, center);
        let Some(free) = { start }.find(|&at| gap(&world, &hero.mover, at) > SKIN) else { continue };
        hero.place = free;
        let (mut run, mut fast) = (0.0, 0.0);
        for k in 0..60 {
            if k % 15 == 0 {
                run = random.range(-8.0, 8.0) as f32;
                fast = random.log_range(1.0, 3000.0) as f32;
            }
            let outcome = match random.below(8) {
                0 => hero.go(&world, (random.direction() * f64::from(fast)).as_vec2()),
                1 => hero.go(&world, vec2(run, 6.0)),
                _ => hero.run(&world, run),
            };
            let middle = hero.mover.def().shape.aabb(Transform::IDENTITY).center();
            let from_center = center.to(hero.place) + middle;
            assert!(from_center.abs().max_element() < 10.0, "seed {seed}, step {k}: out at {from_center}");
            let gap = hero.gap(&world);
            assert!(gap > SKIN - ROOM, "seed {seed}, step {k}: {gap} m from something, {outcome:?}");
            least = if gap < least { gap } else { least };
            grow(&mut worst_crush, outcome.crushed);
            steps += 1;
        }
    }
    println!("{steps} steps");
    check_range("least distance to anything", least, f64::from(SKIN - ROOM)..);
    check_range("most skin missing", worst_crush, ..f64::from(ROOM));
}

/// Platforms that fly through a room in all directions press it against anything, and never through
/// a wall.
#[test]
fn moving_platforms_press_the_mover_through_no_wall() {
    let (mut least, mut crushed, mut steps) = (f32::INFINITY, 0_u32, 0_u32);
    for seed in 0..rounds(20, 600) as u64 {
        let mut random = Random::new(seed ^ 0xcafe);
        let world = room(&mut random, IVec2::ZERO);
        let center = WorldPoint::from([500.0, -3.0]);
        let all = shapes();
        let mut hero = Hero::new(MoverDef::new(all[random.below(all.len())].1.clone()), center);
        let start = (0..50).map(|_| center.offset(random.vec2(9.0)));
        let Some(free) = { start }.find(|&at| gap(&world, &hero.mover, at) > SKIN) else { continue };
        hero.place = free;
        // The walls alone are measured; what moves is in the other world.
        let mut moving = world.clone();
        for _ in 0..12 {
            let (way, turn) = (random.vec2(8.0), random.range(-3.0, 3.0) as f32);
            let body = BodyDef::kinematic().at(center.offset(random.vec2(9.0))).velocity(way).spin(turn);
            let size = [random.range(0.1, 4.0), random.range(0.1, 1.0)].map(|x| x as f32);
            add(&mut moving, body.shape(Shape::rect(size[0], size[1])));
        }
        for k in 0..90 {
            let run = if k % 30 < 15 { 4.0 } else { -4.0 };
            let outcome = hero.run(&moving, run);
            moving.step(DT).expect("dt is in range");
            let gap = hero.gap(&world);
            assert!(gap > SKIN - ROOM, "seed {seed}, step {k}: {gap} m from a wall, {outcome:?}");
            let middle = center.to(hero.place) + hero.mover.def().shape.aabb(Transform::IDENTITY).center();
            assert!(middle.abs().max_element() < 10.0, "seed {seed}, step {k}: out at {middle}");
            least = if gap < least { gap } else { least };
            (crushed, steps) = (crushed + u32::from(outcome.crushed > ROOM), steps + 1);
        }
    }
    println!("crushed in {crushed} of {steps} steps");
    check_range("least distance to a wall", least, f64::from(SKIN - ROOM)..);
    assert!(crushed > 0, "some are");
}

/// Left alone in random levels, it comes to rest and stays, to the bit as a rule.
#[test]
fn random_levels_hold_still() {
    let (mut most, mut moved) = (0.0, 0);
    for seed in 0..rounds(30, 1000) as u64 {
        let mut random = Random::new(seed ^ 0x5eed);
        let world = room(&mut random, IVec2::ZERO);
        let all = shapes();
        let mut hero = Hero::new(MoverDef::new(all[random.below(all.len())].1.clone()), [500.0, -3.0]);
        let start = (0..50).map(|_| WorldPoint::from([500.0, -3.0]).offset(random.vec2(9.0)));
        let Some(free) = { start }.find(|&at| gap(&world, &hero.mover, at) > SKIN) else { continue };
        hero.place = free;
        let mut air = 0;
        for k in 0..900 {
            let before = hero.place;
            air += usize::from(!hero.run(&world, 0.0).grounded() && k >= 800);
            if k >= 800 {
                let way = before.to(hero.place).length();
                assert!(way < 1.0e-4, "seed {seed}: {way} m in a step");
                grow(&mut most, way);
                moved += usize::from(way > 0.0);
            }
        }
        assert_eq!(air, 0, "seed {seed}: rests on nothing");
    }
    println!("{moved} steps moved at all");
    check_range("way made in a step at rest", most, ..1.0e-4);
}

#[test]
fn the_mover_gets_out_of_what_it_was_put_into() {
    for (name, shape) in shapes() {
        let mut world = space();
        for k in 0..20 {
            wall(&mut world, [k as f32 - 9.5, -0.5], 1.0, 1.0);
        }
        wall(&mut world, [6.0, 2.0], 2.0, 6.0);
        for (x, y) in [(0.3, 0.0), (0.0, 0.2), (0.5, -0.4), (4.9, 1.5), (6.2, 2.0), (5.5, 0.1), (0.0, 0.905)]
        {
            let mut hero = Hero::new(MoverDef::new(shape.clone()), [x, y]);
            let mut steps = 0;
            while hero.gap(&world) < SKIN - ROOM {
                hero.go(&world, Vec2::ZERO);
                steps += 1;
                assert!(steps <= 3, "{name} put at {x}, {y} is still inside at {}", hero.place);
            }
            let way = hero.at().distance(vec2(x, y));
            assert!(way < 4.0, "{name} put at {x}, {y} got out {way} m away");
            let place = hero.place;
            hero.go(&world, Vec2::ZERO);
            assert!(place.to(hero.place).length() < ROOM, "and stays there");
        }
    }
}
/// Movers of other sizes and skins, with other limits and rules.
#[test]
fn movers_of_all_kinds_keep_their_distance() {
    for (skin, scale) in [(0.001, 1.0), (0.05, 1.0), (0.2, 1.0), (0.01, 0.1), (0.002, 0.05)] {
        let mut least = f32::INFINITY;
        for seed in 0..rounds(20, 800) as u64 {
            let mut random = Random::new(seed ^ 0xabc);
            let world = room(&mut random, IVec2::ZERO);
            let shape = match random.below(4) {
                0 => Shape::circle(0.4 * scale),
                1 => Shape::rect(0.6 * scale, 1.8 * scale),
                2 => Shape::capsule([0.0, -0.6 * scale], [0.0, 0.6 * scale], 0.3 * scale),
                _ => Shape::regular(6, 0.5 * scale),
            };
            let def = MoverDef {
                skin,
                max_slope: random.range(0.0, 1.4) as f32,
                steep: if random.below(2) == 0 { SteepRule::Slide } else { SteepRule::Stand },
                step_height: random.range(0.0, 0.6) as f32,
                snap: random.range(0.0, 0.5) as f32,
                ..MoverDef::new(shape)
            };
            let center = WorldPoint::from([500.0, -3.0]);
            let mut hero = Hero::new(def, center);
            let start = (0..50).map(|_| center.offset(random.vec2(9.0)));
            let Some(free) = { start }.find(|&at| gap(&world, &hero.mover, at) > skin) else { continue };
            hero.place = free;
            for k in 0..120 {
                let run = if k % 40 < 20 { 5.0 } else { -5.0 };
                let up = if k % 30 == 29 { 6.0 } else { hero.velocity.y - GRAVITY * DT };
                hero.go(&world, vec2(run, up));
                let apart = hero.gap(&world) - skin;
                least = if apart < least { apart } else { least };
            }
        }
        check_range(
            &format!("skin {skin}, scale {scale}: least distance beyond it"),
            least,
            f64::from(-ROOM)..,
        );
    }
}
