//! What slides fast over a ring or a floor of many pieces comes as far as its speed says.

use carom::Vec2;
use carom::prelude::*;

use testkit::worlds::{DT, add, check_range, space, step};

/// Two rows of balls, the inner pressing the outer on a ring of 360 lines, run round at 60 m/s
/// without friction: they come as far as their speeds say. (Stopped at each line that they came to,
/// they fell behind by a third.)
#[test]
fn what_is_pressed_on_a_ring_runs_round_at_its_speed() {
    const RADIUS: f32 = 40.0;
    let mut world = space();
    let along = |angle: f32| Rot::from_angle(angle) * Vec2::X;
    let ring: Vec<Vec2> =
        (0..360).map(|k| RADIUS * along(-core::f32::consts::TAU * k as f32 / 360.0)).collect();
    let ice = Material::default().friction(0.0);
    add(&mut world, BodyDef::fixed().shape(Shape::closed_chain(&ring)).material(ice));
    let mut balls = Vec::new();
    for (row, from_ring) in [0.34, 1.0].into_iter().enumerate() {
        for k in 0..100 {
            let way = along(0.062 * (k as f32 + 0.5 * row as f32));
            let ball = BodyDef::dynamic().at((RADIUS - from_ring) * way).velocity(60.0 * way.perp());
            balls.push((add(&mut world, ball.shape(Shape::circle(0.35)).material(ice)), way));
        }
    }
    let (mut went, mut wanted) = (0.0_f64, 0.0_f64);
    for _ in 0..120 {
        step(&mut world);
        for (ball, last) in &mut balls {
            let (at, velocity) = (world[*ball].position(), world[*ball].velocity());
            went += f64::from(last.perp_dot(at));
            wanted += f64::from(velocity.length() * DT);
            *last = at.normalize();
        }
    }
    check_range("way round, of what their speeds make", went / wanted, 0.97..=1.01);
}

/// A pile of three boxes that slides over tiles of a metre at 60 m/s, without friction, comes as
/// far as its speed says. (Stopped at tiles, it came less than half of the way.) A kerb as thin as
/// a finger stops it, if it is higher than its middle: over a lower one it trips.
#[test]
fn what_lies_on_tiles_slides_over_their_ends() {
    let ice = Material::default().friction(0.0);
    for kerb in [false, true] {
        let mut world = World::new(WorldDef::default().sleepless());
        for k in 0..300 {
            let tile = BodyDef::fixed().at([k as f32, -0.5]).shape(Shape::rect(1.0, 1.0));
            add(&mut world, tile.material(ice));
        }
        if kerb {
            add(&mut world, BodyDef::fixed().at([150.0, 0.3]).shape(Shape::rect(0.02, 0.6)));
        }
        let boxes = [0.345, 1.045, 1.745].map(|y| {
            let one = BodyDef::dynamic().at([2.0, y]).velocity([60.0, 0.0]).shape(Shape::rect(0.7, 0.7));
            add(&mut world, one.material(ice))
        });
        (0..240).for_each(|_| step(&mut world));
        let [lowest, ..] = boxes.map(|one| f64::from(world[one].position().x));
        if kerb {
            check_range("in front of the kerb, m", lowest, ..=150.0 - 0.35);
        } else {
            check_range("way over tiles, m", lowest - 2.0, 236.0..=244.0);
        }
    }
}
