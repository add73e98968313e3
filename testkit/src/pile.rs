//! A pile of mixed bodies, for benches.
//!
//! In: how many. Out: a world whose pile has come to rest in its box; `check_pile` asserts that it
//! is still there.

use carom::prelude::*;

use crate::build::{add, check, steps};
use crate::random::Random;

/// Steps in which a scene finds its way before a clock runs.
pub const SETTLE: usize = 120;

/// Bodies of six kinds in a box, on top of each other, at rest and kept awake.
pub fn pile(count: usize) -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    let half = 0.35 * (count as f32).sqrt();
    for (x, y, width, height) in [
        (0.0, -1.0, 2.0 * half + 4.0, 2.0),
        (-half - 1.0, 2.0 * half, 2.0, 8.0 * half),
        (half + 1.0, 2.0 * half, 2.0, 8.0 * half),
    ] {
        add(&mut world, BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height)));
    }
    let mut random = Random::new(1);
    let columns = (2.0 * half - 1.0) as usize;
    for k in 0..count {
        let at = vec2(0.75 - half + (k % columns) as f32, 0.75 + (k / columns) as f32);
        let size = random.range(0.4, 0.9);
        let shape = match k % 6 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::capsule([-0.25 * size, 0.0], [0.25 * size, 0.0], 0.25 * size),
            2 => Shape::rect(size, 0.6 * size),
            3 => Shape::regular(6, 0.5 * size),
            4 => Shape::rect(0.6 * size, 0.6 * size).rounded(0.1 * size),
            _ => Shape::compound([
                Shape::rect(size, 0.3 * size),
                Shape::rect(0.3 * size, size).at([0.0, 0.3 * size]),
            ]),
        };
        let body = BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0));
        add(&mut world, body.shape(shape));
    }
    steps(&mut world, 4 * SETTLE);
    world
}

/// Asserts that all of a pile is valid and in its box.
pub fn check_pile(world: &World, count: usize) {
    check(world, "pile");
    let half = 0.35 * (count as f32).sqrt();
    let is_out = |at: Vec2| at.x.abs() > half || at.y < 0.0;
    let out = world.bodies().filter(|(_, body)| body.mass() > 0.0 && is_out(body.position())).count();
    assert_eq!(out, 0, "bodies outside of their box");
}
