//! Thin things on half-planes, and balls on surfaces without friction.

use carom::prelude::*;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, run, step};

/// Sticks of 10 cm to 1 m, a hundredth to a tenth as thick, that fall onto a half-plane or begin up
/// to 3 cm deep in it, lie still on it after 10 s, and none flips from end to end.
#[test]
fn a_thin_stick_lies_still_on_a_half_plane() {
    let mut random = Random::new(721);
    for number in 0..rounds(60, 1_000) {
        let mut world = World::new(WorldDef::default());
        add(&mut world, BodyDef::fixed().shape(Shape::half_plane([0.0, 0.0], [0.0, 1.0])));
        let length = random.range(0.1_f32, 1.0);
        let shape = Shape::rect(length, length * random.range(0.01_f32, 0.1));
        let def = BodyDef::dynamic().at([0.0, random.range(-0.03_f32, 1.0)]).angle(random.angle());
        let def = def.velocity([random.range(-3.0_f32, 3.0), random.range(-10.0_f32, 0.0)]);
        let stick = add(&mut world, def.spin(random.range(-15.0_f32, 15.0)).shape(shape));
        run(&mut world, 600);
        let (mut flips, mut last, mut deepest) = (0, 0.0, 0.0);
        for _ in 0..60 {
            step(&mut world);
            let body = &world[stick];
            flips += usize::from(body.angular_velocity() * last < -0.01);
            last = body.angular_velocity();
            deepest = if -body.position().y > deepest { -body.position().y } else { deepest };
        }
        check_range(&format!("stick {number}: flips in a second"), flips as f64, ..=2.0);
        check_range(&format!("stick {number}: deepest, m"), deepest, ..0.005);
    }
}

/// A ball without friction over 300 flush tiles, or a level chain, at 0.1 to 50 m/s: up or down by
/// less than 0.2 mm, no spin, no loss of speed.
#[test]
fn a_ball_without_friction_does_not_begin_to_spin() {
    let smooth = Material::default().friction(0.0);
    for is_chain in [false, true] {
        for speed in [0.1_f32, 1.0, 10.0, 50.0] {
            let mut world = earth();
            if is_chain {
                let points: Vec<Vec2> = (0..301).map(|k| vec2(300.0 - k as f32, 0.0)).collect();
                add(&mut world, BodyDef::fixed().shape(Shape::chain(&points)).material(smooth));
            } else {
                for k in 0..300 {
                    let tile = BodyDef::fixed().at([k as f32 + 0.5, -0.5]).shape(Shape::rect(1.0, 1.0));
                    add(&mut world, tile.material(smooth));
                }
            }
            let ball = BodyDef::dynamic().at([2.0, 0.4]).velocity([speed, 0.0]).shape(Shape::circle(0.4));
            let ball = add(&mut world, ball.material(smooth));
            run(&mut world, 60);
            let height = world[ball].position().y;
            let (mut off, mut spin) = (0.0, 0.0);
            for _ in 0..rounds(200, 1_500) {
                step(&mut world);
                let body = &world[ball];
                if body.position().x > 295.0 {
                    break;
                }
                let (up, w) = ((body.position().y - height).abs(), body.angular_velocity().abs());
                (off, spin) = (if up > off { up } else { off }, if w > spin { w } else { spin });
            }
            let name = format!("{} at {speed} m/s", if is_chain { "chain" } else { "tiles" });
            check_range(&format!("{name}: up or down, m"), off, ..0.0002);
            check_range(&format!("{name}: spin, rad/s"), spin, ..1.0e-5);
            check_range(&format!("{name}: speed kept"), world[ball].velocity().x / speed, 0.9999..=1.0001);
        }
    }
}
