//! One-way platforms: open from below and from the sides, solid from above.

use super::{DT, GRAVITY, Hero, ROOM, SKIN, grow, lowest, shapes};
use carom::MoverDef;
use carom::prelude::*;
use testkit::worlds::{add, check_range, earth, ground};

fn thin_platform() -> World {
    let mut world = earth();
    ground(&mut world);
    let platform = ShapeDef::from(Shape::rect(4.0, 0.2)).one_way([0.0, 1.0]);
    add(&mut world, BodyDef::fixed().at([0.0, 2.9]).shape(platform));
    world
}

#[test]
fn one_way_platforms_let_pass_from_below_and_hold_from_above() {
    let world = thin_platform();
    for (name, shape) in shapes() {
        let low = lowest(&shape);
        let mut hero = Hero::new(MoverDef::new(shape.clone()), [0.0, SKIN - low]);
        hero.run(&world, 0.0);
        // Up through it at a jump, whatever part of it the mover is in.
        let outcome = hero.go(&world, vec2(0.0, 9.0));
        assert!(!outcome.grounded());
        let (mut top, mut jolt) = (0.0, 0.0);
        for _ in 0..180 {
            let (before, fell) = (hero.at().y, hero.velocity.y);
            let outcome = hero.run(&world, 0.0);
            grow(&mut top, hero.at().y);
            if fell > 1.0 {
                grow(&mut jolt, (hero.at().y - before - (fell - GRAVITY * DT) * DT).abs());
                assert!(!outcome.hit_ceiling);
            }
        }
        assert!(top + low > 3.1, "{name} jumped to {top}");
        check_range(&format!("{name}: jolt on the way up"), jolt, ..1.0e-4);
        check_range(&format!("{name}: stands at"), hero.at().y + low, 3.0..3.0 + f64::from(SKIN + ROOM));
        // Down through it.
        let def = MoverDef { one_way: false, ..hero.mover.def().clone() };
        hero.mover.set_def(def.clone()).expect("a definition");
        (0..12).for_each(|_| assert!(!hero.run(&world, 0.0).grounded()));
        hero.mover.set_def(MoverDef { one_way: true, ..def }).expect("a definition");
        (0..120).for_each(|_| {
            hero.run(&world, 0.0);
        });
        check_range(&format!("{name}: fell to"), hero.at().y + low, 0.0..f64::from(SKIN + ROOM));
    }
}

/// From the side it passes, at any height; and a fall of any speed ends on top.
#[test]
fn one_way_platforms_stop_any_fall_and_no_walk() {
    let world = thin_platform();
    for height in [1.0, 2.0, 2.5, 3.0, 3.3] {
        let mut hero = Hero::new(MoverDef::default(), [-4.0, height]);
        (0..120).for_each(|_| {
            assert!(!hero.go(&world, vec2(4.0, 0.0)).hit_wall);
        });
        assert!(hero.at().x > 3.9, "held at {}", hero.place);
    }
    for speed in [0.1, 3.0, 40.0, 900.0, 1.0e5] {
        let mut hero = Hero::new(MoverDef::default(), [0.0, 6.0]);
        let mut steps = 0;
        while !hero.go(&world, vec2(0.0, -speed)).grounded() {
            steps += 1;
            assert!(steps < 3000 && hero.at().y > 3.0, "{speed} m/s: fell to {}", hero.place);
        }
        assert!((hero.at().y - 3.91).abs() < ROOM);
    }
}

/// A one-way lift that rises into a fall catches it and carries it on.
#[test]
fn one_way_lifts_catch_and_carry() {
    for speed in [0.5, 3.0, 12.0] {
        let mut world = earth();
        let lift = ShapeDef::from(Shape::rect(4.0, 0.2)).one_way([0.0, 1.0]);
        let lift = add(&mut world, BodyDef::kinematic().at([0.0, 0.0]).velocity([0.0, speed]).shape(lift));
        let mut hero = Hero::new(MoverDef::default(), [0.0, 6.0]);
        let mut rode = 0;
        for _ in 0..90 {
            rode += i32::from(hero.run(&world, 0.0).grounded());
            world.step(DT).expect("dt is in range");
        }
        let above = hero.at().y - world[lift].position().y;
        assert!(rode > 25 && (above - (0.1 + 0.9 + SKIN)).abs() < ROOM, "{speed} m/s: {above} above, {rode}");
    }
}
