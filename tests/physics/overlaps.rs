//! Bodies that were created inside each other.

use carom::distance;
use carom::prelude::*;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, step};

/// How fast two equal bodies get that overlap at rest in free space, and how deep they are in each
/// other after 10 s.
fn parted(shape: &Shape, restitution: f32, random: &mut Random) -> (f64, f64) {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let material = Material::default().restitution(restitution);
    let mut ids = Vec::new();
    for at in [vec2(0.0, 0.0), vec2(random.range(0.0_f32, 1.0), random.range(-0.5_f32, 0.5))] {
        let def = BodyDef::dynamic().at(at).angle(random.angle()).shape(shape.clone()).material(material);
        ids.push(add(&mut world, def));
    }
    let mut fastest = 0.0;
    for _ in 0..600 {
        step(&mut world);
        for &id in &ids {
            let speed = f64::from(world[id].velocity().length());
            fastest = if speed > fastest { speed } else { fastest };
        }
    }
    let (a, b) = (&world[ids[0]], &world[ids[1]]);
    let separation = distance(shape, a.transform(), shape, b.transform()).separation;
    (fastest, -f64::from(separation))
}

/// Two boxes that overlap part, and neither bounces nor sleeps in the other.
#[test]
fn boxes_that_overlap_part() {
    let mut random = Random::new(711);
    for round in 0..rounds(6, 100) {
        for restitution in [0.0, 0.9] {
            let (fastest, deep) = parted(&Shape::rect(2.0, 1.5), restitution, &mut random);
            check_range(&format!("{round}, {restitution}: fastest, m/s"), fastest, ..=3.0);
            check_range(&format!("{round}, {restitution}: deep in the end, m"), deep, ..0.01);
        }
    }
}

/// So do outlines of twelve corners, which are made of several convex parts. One in twenty is
/// faster than 3 m/s, at up to 8.
#[test]
fn outlines_of_many_corners_that_overlap_part() {
    let corner = |k: usize| 1.2 * Rot::from_angle(core::f32::consts::TAU * k as f32 / 12.0).x_axis();
    let shape = Shape::polar(&(0..12).map(corner).collect::<Vec<_>>());
    let (mut random, mut fast) = (Random::new(712), 0);
    for round in 0..rounds(6, 100) {
        for restitution in [0.0, 0.5, 0.9] {
            let (fastest, deep) = parted(&shape, restitution, &mut random);
            fast += usize::from(fastest > 3.0);
            check_range(&format!("{round}, {restitution}: fastest, m/s"), fastest, ..=10.0);
            check_range(&format!("{round}, {restitution}: deep in the end, m"), deep, ..0.01);
        }
    }
    check_range("faster than 3 m/s", fast as f64, ..=(rounds(6, 100) * 3 / 10) as f64);
}
