//! A pile of mixed bodies, and what every bench of a world needs: a body, a step, a look whether all is valid.
//!
//! In: how many. Out: a world whose pile has come to rest in its box; `check_pile` asserts that it is still there.

use carom::prelude::*;

const DT: f32 = 1.0 / 60.0;
/// Steps in which a scene finds its way before a clock runs.
pub(crate) const SETTLE: usize = 120;

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn range(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * ((z ^ (z >> 31)) >> 40) as f32 / (1_u32 << 24) as f32
    }
}

pub(crate) fn add(world: &mut World, def: BodyDef) -> BodyId {
    world.add(def).expect("a body that keeps all rules")
}

pub(crate) fn step(world: &mut World) {
    world.step(DT).expect("a step of 1/60 s");
}

pub(crate) fn check(world: &World, name: &str) {
    world.validate().unwrap_or_else(|broken| panic!("{name}: {broken}"));
}

/// Bodies of six kinds in a box, on top of each other, at rest and kept awake.
pub(crate) fn pile(count: usize) -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    let half = 0.35 * (count as f32).sqrt();
    for (x, y, width, height) in [
        (0.0, -1.0, 2.0 * half + 4.0, 2.0),
        (-half - 1.0, 2.0 * half, 2.0, 8.0 * half),
        (half + 1.0, 2.0 * half, 2.0, 8.0 * half),
    ] {
        add(&mut world, BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height)));
    }
    let mut random = Random(1);
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
    for _ in 0..4 * SETTLE {
        step(&mut world);
    }
    world
}

pub(crate) fn check_pile(world: &World, count: usize) {
    check(world, "pile");
    let half = 0.35 * (count as f32).sqrt();
    let is_out = |at: Vec2| at.x.abs() > half || at.y < 0.0;
    let out = world.bodies().filter(|(_, body)| body.mass() > 0.0 && is_out(body.position())).count();
    assert_eq!(out, 0, "bodies outside of their box");
}
