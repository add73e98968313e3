//! A body that was cut short gets the impulse of that impact, in the same step or in the next one,
//! or else moves on: a body that leaves, though it was cut short inside another one, needs none.

use glam::Vec2;

use crate::body::{Body, BodyDef, flag};
use crate::math::WorldPoint;
use crate::shape::Shape;
use crate::util::Random;
use crate::world::{World, WorldDef};

const DT: f32 = 1.0 / 60.0;

/// Steps until bodies that were created inside each other are apart.
const APART: usize = 30;

/// Sticks, angles, boxes and balls, thrown and spinning, in a room 6 m wide.
fn thrown(seed: u64) -> World {
    let mut random = Random(seed);
    let mut world = World::new(WorldDef::default());
    for (at, size) in [
        ([0.0, -0.5], [8.0, 1.0]),
        ([0.0, 6.5], [8.0, 1.0]),
        ([-3.5, 3.0], [1.0, 6.0]),
        ([3.5, 3.0], [1.0, 6.0]),
    ] {
        let wall = BodyDef::fixed().at(at).shape(Shape::rect(size[0], size[1]));
        world.add(wall).expect("a wall");
    }
    for k in 0..80 {
        let s = random.between(0.2, 0.55);
        let shape = match k % 5 {
            0 => Shape::circle(0.5 * s),
            1 => Shape::rect(s, random.between(0.3, 1.0) * s),
            2 | 3 => Shape::rect(s, 0.05 * s),
            _ => Shape::compound([
                Shape::rect(s, 0.3 * s),
                Shape::rect(0.3 * s, 0.8 * s).at([-0.35 * s, 0.25 * s]),
            ]),
        };
        let at = [random.between(-2.5, 2.5), random.between(0.5, 5.5)];
        let velocity = [random.between(-6.0, 6.0), random.between(-6.0, 6.0)];
        let def = BodyDef::dynamic().at(at).angle(random.between(-3.0, 3.0)).velocity(velocity);
        world.add(def.spin(random.between(-40.0, 40.0)).shape(shape)).expect("a body");
    }
    world
}

/// The motion of each body: its velocity, and the speed of its farthest point around the centre.
fn motions(world: &World) -> Vec<(Vec2, f32)> {
    world
        .bodies
        .rows
        .iter()
        .map(|body| (body.linear_velocity, body.angular_velocity * body.max_extent))
        .collect()
}

/// How much more than by its weight a body's motion changed.
fn change(world: &World, slot: usize, then: &[(Vec2, f32)]) -> f32 {
    let now = motions(world)[slot];
    let fall = world.def.gravity * DT;
    (now.0 - then[slot].0 - fall).length() + (now.1 - then[slot].1).abs()
}

/// Whether it moves less than half the displacement of its velocity.
fn hangs(world: &World, slot: usize, then: &[WorldPoint]) -> bool {
    let body = &world.bodies.rows[slot];
    let way = then[slot].to(body.center_point()).length();
    way < 0.5 * DT * body.linear_velocity.length() && body.has(flag::CUT_SHORT)
}

#[test]
fn who_is_cut_short_has_its_impulse_a_step_later_at_the_latest() {
    let rounds = if cfg!(debug_assertions) { 4 } else { 60 };
    let (mut cuts, mut waiting, mut hanging) = (0, 0, 0);
    for seed in 0..rounds {
        let mut world = thrown(seed);
        // A body that was cut short in the step before, without any impulse in that step.
        let mut late: Vec<usize> = Vec::new();
        for number in 0..240 {
            let then = motions(&world);
            let places: Vec<WorldPoint> = world.bodies.rows.iter().map(Body::world_center).collect();
            world.step(DT).expect("a step");
            for slot in late.drain(..) {
                let changed = change(&world, slot, &then);
                if changed < 1.0e-3 && hangs(&world, slot, &places) {
                    println!("seed {seed}, step {number}, body {slot}: {changed} m/s, and hangs");
                    hanging += 1;
                }
            }
            for (slot, _) in then.iter().enumerate() {
                if number < APART || !world.bodies.rows[slot].has(flag::CUT_SHORT) {
                    continue;
                }
                cuts += 1;
                if change(&world, slot, &then) <= 1.0e-3 {
                    waiting += 1;
                    late.push(slot);
                }
            }
        }
    }
    println!(
        "{cuts} cut short, {waiting} of them without an impulse in that step, {hanging} still hung in the next"
    );
    assert!(cuts > 20 * rounds, "{cuts} cut short");
    // There is one in 8,420, which goes on in the step after.
    assert!(hanging * 5_000 <= cuts, "{hanging} of {cuts}");
}
