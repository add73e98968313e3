//! Free flight: what bodies do between contacts, against the textbook.

use carom::prelude::*;

use testkit::worlds::{add, check_range, earth, ground, run, space, step};

const G: f64 = 9.81;

/// A body without forces goes 7 m/s × 10 s, and turns 2 rad/s × 10 s, whatever its shape.
#[test]
fn a_body_without_forces_keeps_its_velocity_and_spin() {
    let shapes = [
        Shape::circle(0.5),
        Shape::rect(1.0, 0.2),
        Shape::regular(5, 0.5),
        Shape::compound([Shape::rect(1.0, 0.2), Shape::circle(0.3).at([1.0, 0.4])]),
    ];
    for shape in shapes {
        let mut world = space();
        let flier = add(&mut world, BodyDef::dynamic().velocity([7.0, -3.0]).spin(2.0).shape(shape));
        let start = world[flier].world_center().position();
        run(&mut world, 600);
        let off = world[flier].world_center().position() - start - vec2(70.0, -30.0);
        check_range("off its way after 10 s, m", off.length(), ..=0.002);
        let turn = Rot::from_angle(-20.0) * world[flier].rotation();
        check_range("off its turn after 10 s, rad", turn.angle().abs(), ..=0.002);
    }
}

/// A shot at 20 m/s and 45 degrees lands v²/g away; at half gravity twice as far; at none never.
#[test]
fn the_range_of_a_shot_is_v_squared_over_g() {
    for (scale, range) in [(1.0_f64, 400.0 / G), (0.5, 800.0 / G)] {
        let mut world = earth();
        ground(&mut world);
        let v = (20.0 / f64::sqrt(2.0)) as f32;
        let shot = BodyDef::dynamic().at([0.0, 0.1]).velocity([v, v]).shape(Shape::circle(0.1));
        let shot = add(&mut world, shot.gravity_scale(scale as f32));
        let mut last = world[shot].position();
        for _ in 0..600 {
            step(&mut world);
            if world[shot].velocity().y.abs() < 0.01 && world[shot].position().y < 0.2 {
                break;
            }
            last = world[shot].position();
        }
        check_range(&format!("range at {scale} g, of v²/g"), f64::from(last.x) / range, 0.98..=1.02);
    }
    let mut world = space();
    let shot = add(&mut world, BodyDef::dynamic().velocity([1.0, 1.0]).shape(Shape::circle(0.1)));
    run(&mut world, 600);
    check_range("height after 10 s without gravity, m", world[shot].position().y, 9.999..=10.001);
}
