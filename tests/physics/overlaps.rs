//! Bodies that were created inside each other.

use carom::distance;
use carom::prelude::*;

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, deepest_overlap, step};

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

/// So do outlines of twelve corners, which are made of several convex parts.
#[test]
fn outlines_of_many_corners_that_overlap_part() {
    let corner = |k: usize| 1.2 * Rot::from_angle(core::f32::consts::TAU * k as f32 / 12.0).x_axis();
    let shape = Shape::polar(&(0..12).map(corner).collect::<Vec<_>>());
    let mut random = Random::new(712);
    for round in 0..rounds(6, 100) {
        for restitution in [0.0, 0.5, 0.9] {
            let (fastest, deep) = parted(&shape, restitution, &mut random);
            check_range(&format!("{round}, {restitution}: fastest, m/s"), fastest, ..=3.0);
            check_range(&format!("{round}, {restitution}: deep in the end, m"), deep, ..0.01);
        }
    }
}

/// A letter L, a cross, two balls on a bar, a letter U: in this order, about `size` across.
fn compound(kind: usize, size: f32) -> Shape {
    let bar = |width: f32, height: f32, x: f32, y: f32| {
        Shape::rect(size * width, size * height).at([size * x, size * y])
    };
    let ball = |radius: f32, x: f32| Shape::circle(size * radius).at([size * x, 0.0]);
    match kind {
        0 => Shape::compound([bar(2.0, 0.5, 0.0, 0.0), bar(0.5, 1.4, -0.75, 0.7)]),
        1 => Shape::compound([bar(2.0, 0.5, 0.0, 0.0), bar(0.5, 2.0, 0.0, 0.0)]),
        2 => Shape::compound([ball(0.6, -0.6), ball(0.5, 0.7), bar(1.2, 0.2, 0.0, 0.0)]),
        _ => Shape::compound([bar(2.0, 0.3, 0.0, 0.0), bar(0.3, 1.4, -0.85, 0.7), bar(0.3, 1.4, 0.85, 0.7)]),
    }
}

/// A shape with arms, hooks or notches, in which others hang.
fn branched(random: &mut Random) -> Shape {
    let size = random.range(0.5_f32, 1.2);
    let tip = |k: usize| {
        let radius = size * if k.is_multiple_of(2) { 1.0 } else { 0.45 };
        radius * Rot::from_angle(core::f32::consts::TAU * k as f32 / 10.0).x_axis()
    };
    match random.below(5) {
        4 => Shape::polar(&(0..10).map(tip).collect::<Vec<_>>()),
        kind => compound(kind, size),
    }
}

/// Two to six branched bodies in one place, at rest in free space, part without a bang, whatever
/// their restitution.
#[test]
fn branched_bodies_in_one_place_part() {
    let mut random = Random::new(713);
    let (count, mut fast, mut deep) = (rounds(12, 200), 0, 0);
    for round in 0..count {
        let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
        let material = Material::default().restitution([0.0, 0.5, 0.9][round % 3]);
        for _ in 0..2 + round % 5 {
            let at = vec2(random.range(-0.5_f32, 0.5), random.range(-0.5_f32, 0.5));
            let def = BodyDef::dynamic().at(at).angle(random.angle()).material(material);
            add(&mut world, def.shape(branched(&mut random)));
        }
        let mut fastest = 0.0;
        for _ in 0..600 {
            step(&mut world);
            for (_, body) in world.bodies() {
                let speed = body.velocity().length();
                fastest = if speed > fastest { speed } else { fastest };
            }
        }
        fast += usize::from(fastest > 4.0);
        deep += usize::from(deepest_overlap(&world) > 0.02);
        check_range(&format!("{round}: fastest, m/s"), fastest, ..=8.0);
    }
    check_range("share faster than 4 m/s", fast as f64 / count as f64, ..=0.01);
    check_range("share deep in the end", deep as f64 / count as f64, ..=0.02);
}

/// And so do compounds in a room, under gravity, where they fall into each other: none sleeps in
/// another.
#[test]
fn compounds_made_inside_each_other_in_a_room_part() {
    let mut random = Random::new(714);
    let (count, mut deep, mut awake) = (rounds(3, 40), 0, 0);
    for round in 0..count {
        let mut world = World::default();
        let half = random.range(4.0_f32, 8.0);
        let top = 2.0 * half;
        let room = [vec2(-half, 0.0), vec2(-half, top), vec2(half, top), vec2(half, 0.0)];
        add(&mut world, BodyDef::fixed().shape(Shape::closed_chain(&room)));
        let material = Material::default().restitution([0.0, 0.5][round % 2]);
        for _ in 0..20 + random.below(60) {
            let at = half * vec2(random.range(-0.3_f32, 0.3), random.range(0.7_f32, 1.3));
            let shape = compound(random.below(3), random.range(0.2_f32, 0.55));
            add(&mut world, BodyDef::dynamic().at(at).angle(random.angle()).shape(shape).material(material));
        }
        for _ in 0..1500 {
            step(&mut world);
            if world.stats().awake == 0 {
                break;
            }
        }
        awake += usize::from(world.stats().awake > 0);
        deep += usize::from(deepest_overlap(&world) > 0.05);
    }
    check_range("share awake after 25 s", awake as f64 / count as f64, ..=0.03);
    check_range("share deeper than 5 cm in the end", deep as f64 / count as f64, ..=0.0);
}

/// Many equal boxes in one point, without gravity, part: none is thrown, and after 6 s none is in
/// another. (400 of them; 1,000 take half a minute, reach 5.6 m/s, and are 0.7 mm deep then.)
#[test]
fn many_boxes_in_one_point_part() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let count = testkit::long_rounds(60, 400, 1_000);
    for _ in 0..count {
        add(&mut world, BodyDef::dynamic().shape(Shape::rect(0.2, 0.2)));
    }
    let mut fastest = 0.0;
    for _ in 0..360 {
        step(&mut world);
        fastest = testkit::greater(fastest, testkit::worlds::top_speed(&world));
    }
    check_range(&format!("{count} boxes: fastest, m/s"), fastest, ..=10.0);
    check_range(&format!("{count} boxes: deepest overlap in the end, m"), deepest_overlap(&world), ..=0.01);
}
