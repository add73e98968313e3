//! Dynamic bodies: pushed with a bounded force, and weighed upon.

use super::{DT, GRAVITY, grow};
use carom::prelude::*;
use carom::{Material, MoverDef};
use testkit::worlds::{self, add, check_range, earth, ground, step};

/// A character with a body, which runs against a crate. How fast the crate gets, and its largest
/// change of momentum in a step.
fn shove(mass: f32, def: MoverDef, steps: usize) -> (f32, f32) {
    let mut world = earth();
    ground(&mut world);
    let crate_ = BodyDef::dynamic().at([2.0, 0.5]).shape(Shape::rect(1.0, 1.0)).density(mass);
    let crate_ = add(&mut world, crate_.material(Material::default().friction(0.3)));
    let mut mover = Mover::new(def).expect("a definition");
    let body = add(&mut world, BodyDef::kinematic().at([0.0, 0.91]).shape(mover.def().shape.clone()));
    let (mut velocity, mut most) = (Vec2::ZERO, 0.0);
    for k in 0..steps {
        let before = world[crate_].momentum().x;
        velocity = vec2(3.0, velocity.y - GRAVITY * DT);
        velocity = mover.move_body(&mut world, body, velocity, DT).expect("in range").velocity;
        let pushed = world[crate_].momentum().x - before;
        grow(&mut most, pushed);
        step(&mut world);
        let place = world[body].world_position();
        let apart = worlds::gap(&world, body, crate_);
        assert!(apart > -1.0e-3, "step {k}: {apart} m into the crate");
        assert!((place.position().y - 0.91).abs() < 1.0e-3, "thrown to {place}");
    }
    (world[crate_].velocity().x, most)
}

#[test]
fn crates_are_pushed_with_a_bounded_force() {
    let (speed, impulse) = shove(20.0, MoverDef::default(), 240);
    check_range("a crate of 20 kg gets, in m/s", speed, 2.4..3.1);
    check_range("most force on it", impulse / DT, 100.0..801.0);
    let (speed, impulse) = shove(500.0, MoverDef::default(), 240);
    check_range("one of 500 kg, whose friction is stronger", speed, -0.01..0.02);
    check_range("most force on it", impulse / DT, 100.0..801.0);
    let (speed, impulse) = shove(20.0, MoverDef::default().push(0.0, 800.0), 240);
    check_range("one of 20 kg, by a mover without mass", speed, -0.01..0.01);
    assert_eq!(impulse, 0.0);
}

/// Once the crate goes, the mover is a skin behind it, both go evenly, and the mover says how fast
/// it goes.
#[test]
fn who_pushes_stays_close_and_goes_evenly() {
    for (mass, row, round) in
        [(20.0, 1, false), (2.0, 1, false), (60.0, 1, false), (20.0, 2, false), (20.0, 1, true)]
    {
        let what = format!("{row} of {mass} kg, round: {round}");
        let mut world = earth();
        ground(&mut world);
        let crates: Vec<_> = (0..row)
            .map(|k| {
                let shape = if round { Shape::circle(0.5) } else { Shape::rect(1.0, 1.0) };
                let place = [2.0 + 1.02 * k as f32, 0.5];
                let density = if round { mass / core::f32::consts::FRAC_PI_4 } else { mass };
                let def = BodyDef::dynamic().at(place).shape(shape).density(density);
                add(&mut world, def.material(Material::default().friction(0.3)))
            })
            .collect();
        let mut mover = Mover::default();
        let body = add(&mut world, BodyDef::kinematic().at([0.0, 0.91]).shape(mover.def().shape.clone()));
        let (mut velocity, mut told) = (Vec2::ZERO, 0.0);
        let (mut farthest, mut slowest, mut fastest, mut wrong) = (0.0, f32::INFINITY, 0.0, 0.0);
        for k in 0..240 {
            velocity = vec2(3.0, velocity.y - GRAVITY * DT);
            let before = world[body].position().x;
            velocity = mover.move_body(&mut world, body, velocity, DT).expect("in range").velocity;
            step(&mut world);
            if k >= 120 {
                grow(&mut farthest, worlds::gap(&world, body, crates[0]));
                let speed = (world[body].position().x - before) / DT;
                slowest = testkit::smaller(slowest, speed);
                grow(&mut fastest, speed);
                grow(&mut wrong, (velocity.x - speed).abs());
            }
            told = velocity.x;
        }
        check_range(&format!("{what}: farthest behind the crate"), farthest, 0.0..0.014);
        // Crates in a row bump into each other.
        let most = if row > 1 { 0.15 } else { 0.06 };
        check_range(&format!("{what}: trembling"), fastest - slowest, 0.0..most);
        check_range(&format!("{what}: told wrong by"), wrong, 0.0..0.06);
        check_range(&format!("{what}: speed"), told, 2.0..3.01);
    }
}

/// A crate that is pushed against a wall is not run into, whatever its speed was before.
#[test]
fn a_crate_that_meets_a_wall_stops_who_pushes_it() {
    let mut world = earth();
    ground(&mut world);
    let wall = BodyDef::fixed().at([6.0, 1.0]).shape(Shape::rect(1.0, 2.0));
    add(&mut world, wall);
    let crate_ = add(&mut world, BodyDef::dynamic().at([2.0, 0.5]).shape(Shape::rect(1.0, 1.0)).density(5.0));
    let mut mover = Mover::default();
    let body = add(&mut world, BodyDef::kinematic().at([0.0, 0.91]).shape(mover.def().shape.clone()));
    let (mut velocity, mut deepest) = (Vec2::ZERO, 0.0);
    for _ in 0..240 {
        velocity = vec2(4.0, velocity.y - GRAVITY * DT);
        velocity = mover.move_body(&mut world, body, velocity, DT).expect("in range").velocity;
        step(&mut world);
        grow(&mut deepest, -worlds::gap(&world, body, crate_));
    }
    check_range("deepest in the crate", deepest, -0.1..0.002);
    check_range("the crate came to the wall", world[crate_].position().x, 4.99..5.01);
    check_range("and the mover to the crate", world[body].position().x, 4.17..4.2);
    check_range("where it stands", velocity.x, -0.02..0.02);
}

/// Standing on one end of a see-saw tips it.
#[test]
fn the_mover_weighs_on_what_it_stands_on() {
    let mut world = earth();
    ground(&mut world);
    add(&mut world, BodyDef::fixed().at([0.0, 0.25]).shape(Shape::rect(0.1, 0.5)));
    let plank = add(&mut world, BodyDef::dynamic().at([0.0, 0.6]).shape(Shape::rect(4.0, 0.2)).density(25.0));
    let mut mover = Mover::default();
    let body = add(&mut world, BodyDef::kinematic().at([1.2, 1.62]).shape(mover.def().shape.clone()));
    let mut velocity = Vec2::ZERO;
    for _ in 0..120 {
        velocity = vec2(0.0, velocity.y - GRAVITY * DT);
        velocity = mover.move_body(&mut world, body, velocity, DT).expect("in range").velocity;
        step(&mut world);
    }
    check_range("the plank turned to", world[plank].angle(), -0.4..-0.15);
}
