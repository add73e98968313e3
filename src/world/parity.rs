//! Lanes against the scalar reference, through whole steps, bit for bit.

use super::{World, WorldDef};
use crate::body::{BodyDef, Material};
use crate::shape::Shape;
use crate::simd::{Level, levels};
use glam::{Vec2, vec2};

/// Splitmix64, as numbers between two bounds.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (high - low) * (((z ^ (z >> 31)) >> 40) as f32 / 16_777_216.0)
    }
}

/// A pit with a pile of `count` bodies of all kinds and materials.
fn pile(count: usize, seed: u64) -> World {
    let mut random = Random(seed);
    let mut world = World::new(WorldDef::default());
    let floor = [vec2(-9.0, 6.0), vec2(-8.0, 0.0), vec2(0.0, -0.5), vec2(8.0, 0.0), vec2(9.0, 6.0)];
    let pit = BodyDef::fixed().shape(Shape::chain(&floor)).shape(Shape::rect(30.0, 1.0).at([0.0, -2.0]));
    world.add(pit).expect("a pit");
    for k in 0..count {
        let size = random.between(0.3, 0.9);
        let shape = match k % 7 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::capsule([-0.3, 0.0], [0.3, 0.1], 0.3 * size),
            2 => Shape::regular(5, 0.6 * size),
            3 => Shape::compound([Shape::rect(size, 0.2), Shape::rect(0.2, size).at([0.3, 0.1])]),
            _ => Shape::rect(size, random.between(0.3, 0.9)),
        };
        let material = Material {
            restitution: if k % 5 == 0 { 0.6 } else { 0.0 },
            rolling_resistance: if k % 6 == 0 { 0.02 } else { 0.0 },
            ..Material::default()
        };
        let place = [random.between(-6.0, 6.0), random.between(1.0, 12.0)];
        let body = BodyDef::dynamic().at(place).angle(random.between(-3.0, 3.0)).shape(shape);
        let fast = if k % 11 == 0 { 60.0 } else { 3.0 };
        let velocity = Vec2::new(random.between(-fast, fast), random.between(-fast, fast));
        world
            .add(body.velocity(velocity).spin(random.between(-5.0, 5.0)).material(material))
            .expect("a body");
    }
    world
}

fn bits(world: &World) -> Vec<u32> {
    let numbers = |(_, body): (_, &crate::body::Body)| {
        let (c, r, v) = (body.center, body.rotation, body.linear_velocity);
        [c.x, c.y, r.cos, r.sin, v.x, v.y, body.angular_velocity].map(f32::to_bits)
    };
    world.bodies().flat_map(numbers).collect()
}

fn run(count: usize, seed: u64, level: Option<Level>, steps: usize) -> Vec<u32> {
    let mut world = pile(count, seed);
    match level {
        Some(level) => world.solver.set_level(level),
        None => world.solver.one_by_one = true,
    }
    for _ in 0..steps {
        world.step(1.0 / 60.0).expect("a step");
    }
    world.validate().expect("valid");
    bits(&world)
}

#[test]
fn lanes_step_like_the_scalar_reference_at_every_level() {
    let (count, steps) = if cfg!(debug_assertions) { (60, 90) } else { (250, 400) };
    let reference = run(count, 1, None, steps);
    for level in levels() {
        assert_eq!(run(count, 1, Some(level), steps), reference, "{level:?}");
    }
}

#[test]
fn every_number_of_contacts_fills_its_blocks() {
    for count in 0..=17 {
        let reference = run(count, 50 + count as u64, None, 120);
        assert_eq!(run(count, 50 + count as u64, Some(Level::new()), 120), reference, "{count} bodies");
    }
}
