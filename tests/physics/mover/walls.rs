//! Walls and wedges: they take their part of the velocity, and nothing trembles between them.

use super::{Hero, ROOM, SKIN, grow, shapes};
use carom::MoverDef;
use carom::prelude::*;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, space, wall};

#[test]
fn walls_are_slid_along() {
    let mut world = earth();
    wall(&mut world, [1.0, 0.0], 1.0, 200.0);
    for (name, shape) in shapes() {
        let half = shape.aabb(Transform::IDENTITY).max.x;
        let mut hero = Hero::new(MoverDef::new(shape.clone()), [-0.5, 80.0]);
        let (mut free, mut off, mut lag) = (Hero::new(MoverDef::new(shape), [-30.0, 80.0]), 0.0, 0.0);
        for k in 0..150 {
            let outcome = hero.run(&world, 5.0);
            free.run(&world, 0.0);
            grow(&mut lag, (hero.at().y - free.at().y).abs());
            if k > 30 {
                assert!(outcome.hit_wall && !outcome.grounded() && outcome.velocity.x.abs() < 1.0e-3);
                grow(&mut off, (hero.at().x - (0.5 - half - SKIN)).abs());
            }
        }
        check_range(&format!("{name}: falls slower by, in m after 2.5 s"), lag, ..1.0e-3);
        check_range(&format!("{name}: distance off by"), off, ..3.0e-4);
    }
}

/// Seen from above nothing is ground: walls at any angle take their part of the velocity, and no
/// more.
#[test]
fn seen_from_above_walls_take_only_their_part() {
    for k in 0..36 {
        let angle = k as f32 * 10.0_f32.to_radians();
        let turn = Rot::from_angle(angle);
        let mut world = space();
        add(
            &mut world,
            BodyDef::fixed().at(turn * vec2(0.0, -1.0)).angle(angle).shape(Shape::rect(60.0, 1.0)),
        );
        let def = MoverDef::new(Shape::circle(0.4)).up([0.0, 0.0]);
        let mut hero = Hero::new(def, Vec2::ZERO);
        let velocity = turn * vec2(3.0, -4.0);
        for _ in 0..120 {
            let outcome = hero.go(&world, velocity);
            assert!(!outcome.grounded());
        }
        let along = turn.inverse_rotate(hero.at());
        assert!((along.x - 6.0).abs() < 2.0e-3, "slid {} of 6 m along a wall at {k}0 degrees", along.x);
        assert!((along.y - (0.4 + SKIN - 0.5)).abs() < ROOM, "{}", along.y);
    }
}

/// Two planks that meet at the origin under `opening` degrees, leaning by `lean`.
fn wedge(opening: f32, lean: f32) -> World {
    let mut world = earth();
    for side in [-1.0, 1.0] {
        let angle = (90.0 + lean + side * 0.5 * opening).to_radians();
        let turn = Rot::from_angle(angle);
        // The inner side of the plank runs through the origin.
        let at = turn * vec2(10.0, side * 0.5);
        add(&mut world, BodyDef::fixed().at(at).angle(angle).shape(Shape::rect(20.0, 1.0)));
    }
    world
}

#[test]
fn wedges_hold_still() {
    let mut most = 0.0;
    let mut least = f32::INFINITY;
    for (name, shape) in shapes() {
        for opening in [4.0_f32, 10.0, 20.0, 35.0, 50.0, 70.0, 90.0, 110.0, 130.0, 150.0, 170.0] {
            for lean in [7.0, -20.0, 0.0, 31.0].into_iter().take(rounds(1, 4)) {
                let world = wedge(opening, lean);
                let start = Rot::from_angle(lean.to_radians()) * vec2(0.0, 14.0);
                for push in [0.0, 2.0, -5.0] {
                    let mut hero = Hero::new(MoverDef::new(shape.clone()), start);
                    // What can be walked up is walked up, and at the end it falls.
                    let steepest = 90.0 - (lean.abs() + 0.5 * opening);
                    if hero.gap(&world) < SKIN || (push != 0.0 && steepest < 52.0) {
                        continue;
                    }
                    for k in 0..600 {
                        let before = hero.place;
                        let outcome = hero.run(&world, push);
                        let gap = hero.gap(&world);
                        least = if gap < least { gap } else { least };
                        if k >= 500 {
                            let way = before.to(hero.place).length();
                            assert!(way < 1.0e-4, "{name}, {opening} at {lean}, {push} m/s: {way} m a step");
                            assert!(outcome.grounded(), "{name}, {opening} at {lean}, {push} m/s: falls on");
                            grow(&mut most, way);
                        }
                    }
                }
            }
        }
    }
    check_range("way made in a step at rest", most, ..1.0e-4);
    check_range("least distance", least, f64::from(SKIN - ROOM)..);
}
