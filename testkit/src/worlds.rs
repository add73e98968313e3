//! Worlds for tests: grounds and walls, steps that check every invariant, sums over all bodies, and
//! numbers that are printed beside the range that was promised.
//!
//! In: a picture. Out: a world, stepped. `cargo test -- --show-output` prints every measured
//! number.

use carom::prelude::*;
use core::ops::RangeBounds;

pub use crate::build::{DT, add};

/// Worlds of up to so many bodies are checked after every step in release builds too.
const FEW: usize = 40;

/// A world without gravity, where nothing falls asleep.
pub fn space() -> World {
    World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless())
}

/// A world with gravity, where nothing falls asleep.
pub fn earth() -> World {
    World::new(WorldDef::default().sleepless())
}

/// A fixed ground 400 m wide, its top at y = 0.
pub fn ground(world: &mut World) -> BodyId {
    ground_of(world, Material::default())
}

/// [`ground`] with a surface.
pub fn ground_of(world: &mut World, material: Material) -> BodyId {
    add(world, BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(400.0, 2.0)).material(material))
}

/// A fixed box of full size `width` × `height` around `center`.
pub fn wall(world: &mut World, center: [f32; 2], width: f32, height: f32) -> BodyId {
    add(world, BodyDef::fixed().at(center).shape(Shape::rect(width, height)))
}

/// A dynamic box of full size `width` × `height` that stands on the level `floor`, its middle at
/// `x`.
pub fn box_on(world: &mut World, floor: f32, x: f32, [width, height]: [f32; 2]) -> BodyId {
    add(world, BodyDef::dynamic().at([x, floor + 0.5 * height]).shape(Shape::rect(width, height)))
}

/// One step of [`DT`], and every invariant.
#[track_caller]
pub fn step(world: &mut World) {
    step_by(world, DT);
}

/// One step, and every invariant: in debug builds always, in release builds where that is cheap.
#[track_caller]
pub fn step_by(world: &mut World, dt: f32) {
    world.step(dt).expect("dt is in range");
    if cfg!(debug_assertions) || world.body_count() <= FEW {
        valid(world);
    }
}

/// Every invariant of the world holds.
#[track_caller]
pub fn valid(world: &World) {
    if let Err(rule) = world.validate() {
        panic!("the world is broken: {rule}");
    }
}

/// So many steps.
#[track_caller]
pub fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        step(world);
    }
}

/// Prints what was measured, and refuses it outside of what was promised. NaN is outside of
/// everything.
#[track_caller]
pub fn check_range(what: &str, measured: impl Into<f64>, promised: impl RangeBounds<f64> + core::fmt::Debug) {
    let measured = measured.into();
    println!("{what}: {measured:.6}, promised {promised:?}");
    assert!(promised.contains(&measured), "{what}: {measured}, promised {promised:?}");
}

/// Kinetic energy of all bodies, in joules.
pub fn kinetic_energy(world: &World) -> f64 {
    world.bodies().map(|(_, body)| kinetic_energy_of(body)).sum()
}

/// Kinetic energy of a body, in joules.
pub fn kinetic_energy_of(body: &carom::Body) -> f64 {
    let (v, w) = (body.velocity().as_dvec2(), f64::from(body.angular_velocity()));
    0.5 * (f64::from(body.mass()) * v.length_squared() + f64::from(body.inertia()) * w * w)
}

/// Kinetic energy, and that of the height above y = 0.
pub fn energy(world: &World) -> f64 {
    let g = f64::from(-world.def().gravity.y);
    let of = |body: &carom::Body| {
        let height = f64::from(body.world_center().position().y);
        f64::from(body.mass()) * g * f64::from(body.gravity_scale()) * height
    };
    kinetic_energy(world) + world.bodies().map(|(_, body)| of(body)).sum::<f64>()
}

/// Momentum of all bodies.
pub fn momentum(world: &World) -> glam::DVec2 {
    let of = |body: &carom::Body| body.velocity().as_dvec2() * f64::from(body.mass());
    world.bodies().map(|(_, body)| of(body)).sum()
}

/// The state of all bodies to the bit, regions left out: id, local place, turn, velocity, spin,
/// sleep.
pub fn bits(world: &World) -> Vec<[u32; 9]> {
    let of = |(id, body): (BodyId, &carom::Body)| {
        let (place, v, r) = (body.world_center().local, body.velocity(), body.rotation());
        let numbers = [place.x, place.y, r.cos, r.sin, v.x, v.y, body.angular_velocity()];
        let mut row = [0; 9];
        (row[0], row[8]) = (id.index() as u32, u32::from(body.is_awake()));
        row[1..8].iter_mut().zip(numbers).for_each(|(to, x)| *to = x.to_bits());
        row
    };
    world.bodies().map(of).collect()
}

/// The first difference of two worlds that should be the same to the bit, in words.
pub fn difference(a: &World, b: &World) -> Option<String> {
    let (p, q) = (bits(a), bits(b));
    if p.len() != q.len() {
        return Some(format!("{} bodies and {}", p.len(), q.len()));
    }
    let unlike = p.iter().zip(&q).position(|(p, q)| p != q)?;
    let describe = |world: &World| world.bodies().nth(unlike).map(|(id, body)| format!("{id} {body:?}"));
    Some(format!("{:?}\nand\n{:?}", describe(a), describe(b)))
}

/// Fastest point of any body, in m/s.
pub fn top_speed(world: &World) -> f32 {
    let fastest = |top: f32, (_, body): (BodyId, &carom::Body)| {
        let v = body.velocity().length();
        if v > top || v.is_nan() { v } else { top }
    };
    world.bodies().fold(0.0, fastest)
}

/// Signed distance of two bodies' first shapes; below 0 is overlap.
pub fn gap(world: &World, a: BodyId, b: BodyId) -> f32 {
    let shape = |id: BodyId| world.shapes_of(id).next().map(|(_, collider)| collider.shape().clone());
    let (Some(p), Some(q)) = (shape(a), shape(b)) else { return f32::INFINITY };
    distance(&p, world[a].transform(), &q, world[b].transform()).separation
}

/// The deepest overlap of any two bodies of which one is dynamic, each by its first shape; 0 if
/// there is none.
pub fn deepest_overlap(world: &World) -> f32 {
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let gives = |id: BodyId| world[id].kind() == BodyKind::Dynamic;
    let mut least = 0.0;
    for (index, &a) in ids.iter().enumerate() {
        for &b in ids[index + 1..].iter().filter(|&&b| gives(a) || gives(b)) {
            let gap = gap(world, a, b);
            least = if gap < least { gap } else { least };
        }
    }
    -least
}
