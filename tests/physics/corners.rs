//! Inner corners and seams of fixed parts: nothing sinks into the one, nothing feels the other.

use carom::Vec2;
use carom::prelude::*;
use core::f32::consts::TAU;

use testkit::build::step;
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, check_range, earth, valid};

/// What a corner is made of: floor and wall meet at the origin, the wall `angle` above the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Corner {
    /// Two boxes that have one point in common, a wall on a floor, and one that goes on below the
    /// floor.
    Boxes,
    Stands,
    Beside,
    Planes,
    BoxOnPlane,
    Segments,
    Compound,
    Chain,
    /// No wall at all, for comparison.
    Floor,
}

const CORNERS: [Corner; 8] = [
    Corner::Boxes,
    Corner::Stands,
    Corner::Beside,
    Corner::Planes,
    Corner::BoxOnPlane,
    Corner::Segments,
    Corner::Compound,
    Corner::Chain,
];

impl Corner {
    fn build(self, world: &mut World, (angle, turn): (f32, f32), material: Material) {
        let along = Rot::from_angle(angle) * Vec2::X;
        let behind = along.perp();
        let mut fix = |shape: Shape, at: Vec2, angle: f32| {
            let def = BodyDef::fixed().at(Rot::from_angle(turn) * at).angle(angle + turn);
            add(world, def.shape(shape).material(material));
        };
        let plane = || Shape::half_plane([0.0, 0.0], [0.0, 1.0]);
        let line = || Shape::segment([0.0, 0.0], [10.0, 0.0]);
        let wall = |from: f32| (Shape::rect(10.0 - from, 2.0), along * (0.5 * (10.0 + from)) + behind, angle);
        let (floor, level) = ((Shape::rect(10.0, 2.0), vec2(5.0, -1.0)), Vec2::ZERO);
        let parts = match self {
            Corner::Boxes => vec![(floor.0, floor.1, 0.0), wall(0.0)],
            Corner::Stands => vec![(Shape::rect(20.0, 2.0), vec2(0.0, -1.0), 0.0), wall(0.0)],
            Corner::Beside => vec![(floor.0, floor.1, 0.0), wall(-2.0)],
            Corner::Planes => {
                vec![(plane(), level, 0.0), (Shape::half_plane([0.0, 0.0], [0.0, -1.0]), level, angle)]
            }
            Corner::BoxOnPlane => vec![(plane(), level, 0.0), wall(0.0)],
            Corner::Segments => vec![(line(), level, 0.0), (line(), level, angle)],
            Corner::Compound => {
                let corners = [Vec2::ZERO, along * 10.0, along * 10.0 + behind * 2.0, behind * 2.0];
                let both = [floor.0.at(floor.1), Shape::polygon(&corners)];
                vec![(Shape::compound(both), level, 0.0)]
            }
            Corner::Chain => {
                vec![(Shape::chain(&[vec2(10.0, 0.0), Vec2::ZERO, along * 10.0]), level, 0.0)]
            }
            Corner::Floor => vec![(Shape::rect(40.0, 2.0), vec2(0.0, -1.0), 0.0)],
        };
        parts.into_iter().for_each(|(shape, at, angle)| fix(shape, at, angle));
    }
}

/// The corners of what is thrown: triangle, wedge of 45 degrees, box, thin bar, pentagon, ramp.
fn outlines() -> [Vec<Vec2>; 6] {
    let regular = |count: usize| {
        (0..count).map(|k| 0.5 * (Rot::from_angle(TAU * k as f32 / count as f32) * Vec2::X)).collect()
    };
    let rect = |w: f32, h: f32| {
        [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| vec2(w * x, h * y))
    };
    [
        regular(3),
        vec![vec2(-0.4, -0.2), vec2(0.6, -0.2), vec2(-0.4, 0.8)],
        rect(0.3, 0.3).to_vec(),
        rect(0.5, 0.05).to_vec(),
        regular(5),
        vec![vec2(-0.5, 0.0), vec2(0.5, 0.0), vec2(0.0, 0.2)],
    ]
}

/// A throw into a corner, as seen from it.
struct Throw {
    corner: Corner,
    angle: f32,
    /// By how much the whole scene is turned, gravity included.
    turn: f32,
    outline: Vec<Vec2>,
    body: BodyDef,
    at: Vec2,
    velocity: Vec2,
    friction: f32,
}

/// What became of throws.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    thrown: u32,
    /// Deeper than [`SUNK`] at the end; at any time; for more than three steps in a row.
    at_the_end: u32,
    ever: u32,
    long: u32,
    /// Most steps in a row.
    longest: u32,
    deepest: f32,
    /// Whose energy rose by more than [`KICK`] in a step, and the most that it did.
    kicked: u32,
    greatest_kick: f32,
}

/// Metres, and joules a kilogram.
const SUNK: f32 = 0.03;
const KICK: f32 = 0.01;

fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// How deep a body is behind the floor or the wall.
fn depth(throw: &Throw, body: &carom::Body) -> f32 {
    let wall = -(Rot::from_angle(throw.angle) * Vec2::Y);
    let behind = |&corner: &Vec2| {
        let p = Rot::from_angle(-throw.turn) * body.transform().apply(corner);
        let beyond = if throw.corner == Corner::Floor { f32::NEG_INFINITY } else { -p.dot(wall) };
        higher(-p.y, beyond)
    };
    throw.outline.iter().map(behind).fold(0.0, higher)
}

impl Tally {
    /// Throws, and looks at each of 300 steps. One that begins inside of something is none.
    fn add(&mut self, throw: &Throw) {
        let turn = Rot::from_angle(throw.turn);
        let gravity = turn * vec2(0.0, -9.81);
        let mut world = World::new(WorldDef::default().gravity(gravity));
        let material = Material::default().friction(throw.friction);
        throw.corner.build(&mut world, (throw.angle, throw.turn), material);
        let def = throw.body.clone().at(turn * throw.at).velocity(turn * throw.velocity);
        let id = add(&mut world, def.shape(Shape::polygon(&throw.outline)).material(material));
        if depth(throw, &world[id]) > 0.0 {
            return;
        }
        let energy = |world: &World| {
            let body = &world[id];
            let spins = body.inertia() / body.mass() * (body.angular_velocity() * body.angular_velocity());
            0.5 * (body.velocity().length_squared() + spins) - gravity.dot(body.world_center().position())
        };
        let (mut run, mut longest, mut deepest, mut kick, mut before) = (0, 0, 0.0, 0.0, energy(&world));
        for _ in 0..300 {
            step(&mut world);
            if world[id].position().length() > 7.0 {
                break;
            }
            let (deep, now) = (depth(throw, &world[id]), energy(&world));
            run = if deep > SUNK { run + 1 } else { 0 };
            (longest, deepest) = (longest.max(run), higher(deepest, deep));
            (kick, before) = (higher(kick, now - before), now);
        }
        valid(&world);
        self.thrown += 1;
        self.at_the_end += u32::from(run > 0);
        self.ever += u32::from(longest > 0);
        self.long += u32::from(longest > 3);
        self.longest = self.longest.max(longest);
        self.deepest = higher(self.deepest, deepest);
        self.kicked += u32::from(kick > KICK);
        self.greatest_kick = higher(self.greatest_kick, kick);
    }
}

/// A triangle that slides along the wall comes down on the floor. (Its corner went 43 cm under it.)
#[test]
fn a_triangle_comes_to_rest_in_a_corner() {
    let mut tally = Tally::default();
    tally.add(&Throw {
        corner: Corner::Boxes,
        angle: TAU / 4.0,
        turn: 0.0,
        outline: outlines()[0].clone(),
        body: BodyDef::dynamic().angle(6.0),
        at: vec2(1.4, 1.2),
        velocity: vec2(-3.0, 0.0),
        friction: 0.2,
    });
    check_range("deepest, m", tally.deepest, ..0.03);
    check_range("thrown", tally.thrown, 1.0..=1.0);
}

/// Sharp bodies thrown into corners of all kinds, of 60 to 120 degrees, turned or not, at up to 10
/// m/s: nothing stays deeper than 3 cm. What dips on landing does so no more often than on a floor
/// without a wall.
///
/// Of 768 throws, 35 stayed deep and 107 were so for more than three steps while contacts that a
/// neighbour covered were dropped.
#[test]
fn nothing_sinks_into_corners() {
    let mut random = Random::new(7);
    let (mut all, mut on_floor) = (Tally::default(), Tally::default());
    for corner in CORNERS.into_iter().chain([Corner::Floor]) {
        let mut tally = Tally::default();
        for outline in outlines() {
            for angle in [60.0_f32, 90.0, 90.0, 120.0] {
                for round in 0..rounds(2, 60) {
                    let angle = angle.to_radians();
                    let way = 0.5 * (Rot::from_angle(angle) * Vec2::X + Vec2::X);
                    let (beside, astray) = (random.square(0.2), random.square(0.7));
                    let body = BodyDef::dynamic().angle(random.range(-3.1, 3.1));
                    tally.add(&Throw {
                        corner,
                        angle,
                        turn: [0.0, 0.7, 0.0, -2.3][round % 4],
                        outline: outline.clone(),
                        body: body.spin(random.range(-5.0, 5.0)),
                        at: way * random.range(1.3, 3.2) + beside,
                        velocity: (astray - way.normalize()) * random.range(0.5, 10.0),
                        friction: [0.2, 0.6, 0.0][round % 3],
                    });
                }
            }
        }
        println!("{corner:?}: {tally:?}");
        if corner == Corner::Floor {
            on_floor = tally;
            continue;
        }
        all.thrown += tally.thrown;
        all.at_the_end += tally.at_the_end;
        all.ever += tally.ever;
        all.long += tally.long;
        all.longest = all.longest.max(tally.longest);
        all.kicked += tally.kicked;
    }
    let share = |count: u32| f64::from(count) / f64::from(all.thrown);
    // One wedge in ten thousand is jammed in a corner that is narrower than it, and stays.
    check_range("deep at the end", all.at_the_end, ..=f64::from(all.thrown / 5_000));
    check_range("share that was deep at any time", share(all.ever), ..0.06);
    check_range("share that was deep for more than three steps", share(all.long), ..0.025);
    if all.at_the_end == 0 {
        check_range("most steps in a row", all.longest, ..=30.0);
    }
    check_range("share that was kicked", share(all.kicked), ..0.12);
    let most = if cfg!(debug_assertions) { 0.06 } else { 0.015 };
    let floor = f64::from(on_floor.ever) / f64::from(on_floor.thrown);
    check_range("share that was deep at any time, less that on a floor", share(all.ever) - floor, ..most);
}

/// A flat ramp slides along a floor into a wall, which is built in three ways: it stays in front of
/// it. (It ended 0.75 m inside.)
#[test]
fn a_ramp_does_not_slide_into_a_wall() {
    let outline = [vec2(-0.5, 0.0), vec2(0.5, 0.0), vec2(0.0, 0.2)];
    let mut deepest = 0.0_f32;
    for (floor, wall) in [(5.0, 5.0), (0.0, 5.0), (0.0, 3.0)] {
        for speed in [1.0, 3.0, 10.0, 20.0, 40.0] {
            for friction in [0.0, 0.2, 0.6] {
                let (mut world, material) = (earth(), Material::default().friction(friction));
                let width = if floor > 0.0 { 10.0 } else { 20.0 };
                for (at, shape) in
                    [([floor, -1.0], Shape::rect(width, 2.0)), ([-1.0, wall], Shape::rect(2.0, 10.0))]
                {
                    add(&mut world, BodyDef::fixed().at(at).shape(shape).material(material));
                }
                let def = BodyDef::dynamic().at([5.0, 0.0]).velocity([-speed, 0.0]);
                let ramp = add(&mut world, def.shape(Shape::polygon(&outline)).material(material));
                for _ in 0..300 {
                    step(&mut world);
                    let place = world[ramp].transform();
                    let deep = |&p: &Vec2| higher(-place.apply(p).x, -place.apply(p).y);
                    deepest = outline.iter().map(deep).fold(deepest, higher);
                }
            }
        }
    }
    check_range("deepest, m", deepest, ..0.02);
}

/// Triangles that fall on a row of spikes are not kicked: their energy rises by no more than
/// rounding makes. (It rose by 14 J/kg.)
#[test]
fn spikes_kick_nothing() {
    let mut random = Random::new(3);
    let (mut kicked, mut greatest) = (0, 0.0);
    let count = rounds(100, 1000);
    for _ in 0..count {
        let mut world = World::default();
        let spike = Shape::polygon(&[vec2(0.0, 0.0), vec2(0.5, 0.0), vec2(0.25, 0.5)]);
        for k in -10..10 {
            add(&mut world, BodyDef::fixed().at([0.5 * k as f32, 0.0]).shape(spike.clone()));
        }
        let def = BodyDef::dynamic().at([random.range(-1.0, 1.0), 1.5]).angle(random.range(0.0, 6.0));
        let def = def.velocity([random.range(-3.0, 3.0), random.range(-5.0, 0.0)]);
        let def = def.spin(random.range(-3.0, 3.0)).shape(Shape::regular(3, random.range(0.3, 0.6)));
        let id = add(&mut world, def);
        let energy = |world: &World| {
            let body = &world[id];
            let spins = body.inertia() / body.mass() * (body.angular_velocity() * body.angular_velocity());
            0.5 * (body.velocity().length_squared() + spins) + 9.81 * body.world_center().position().y
        };
        let (mut before, mut kick) = (energy(&world), 0.0);
        for _ in 0..300 {
            step(&mut world);
            let now = energy(&world);
            (kick, before) = (higher(kick, now - before), now);
        }
        kicked += usize::from(kick > KICK);
        greatest = higher(greatest, kick);
        assert!(world[id].position().y > 0.1, "it stays above the spikes: {:?}", world[id]);
    }
    check_range("share that was kicked", kicked as f64 / count as f64, ..0.05);
    check_range("greatest kick, J/kg", greatest, ..0.1);
}

/// Ball, capsule, box and rounded polygon over flush tiles, planks, segments and a chain without
/// friction, at 0.1 to 50 m/s: up and down less than 0.2 mm, and less than 0.01 % of the speed is
/// lost. (A ball rose by 1.9 mm.)
#[test]
fn flush_seams_are_not_felt() {
    type Floor = (f32, fn(f32, f32) -> Shape);
    let floors: [Floor; 4] = [
        (1.0, |x, w| Shape::rect(w, 1.0).at([x + 0.5 * w, -0.5])),
        (0.3, |x, w| Shape::rect(w, 1.0).at([x + 0.5 * w, -0.5])),
        (1.0, |x, w| Shape::rect(w, 0.1).at([x + 0.5 * w, -0.05])),
        (1.0, |x, w| Shape::segment([x, 0.0], [x + w, 0.0])),
    ];
    let round = [vec2(-0.3, -0.2), vec2(0.3, -0.2), vec2(0.2, 0.2), vec2(-0.2, 0.2)];
    let sliders = [
        (Shape::circle(0.4), 0.4),
        (Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2), 0.2),
        (Shape::rect(0.4, 0.4), 0.2),
        (Shape::polygon(&round).rounded(0.05), 0.25),
    ];
    let ice = Material::default().friction(0.0);
    let (mut hop, mut lost, mut spin) = (0.0_f32, 0.0_f32, 0.0_f32);
    for (width, tile) in floors {
        for (shape, height) in &sliders {
            for speed in [0.1, 0.5, 2.0, 10.0, 30.0, 50.0] {
                let mut world = earth();
                let (way, steps) = (speed * 4.0 + 4.0, 240);
                for k in 0..(way / width) as usize {
                    add(&mut world, BodyDef::fixed().shape(tile(k as f32 * width, width)).material(ice));
                }
                let def = BodyDef::dynamic().at([1.53, *height]).velocity([speed, 0.0]);
                let slider = add(&mut world, def.shape(shape.clone()).material(ice));
                for _ in 0..steps {
                    step(&mut world);
                    hop = higher(hop, (world[slider].position().y - height).abs());
                    spin = higher(spin, world[slider].angular_velocity().abs());
                }
                lost = higher(lost, (1.0 - world[slider].velocity().x / speed).abs());
                assert!(world[slider].position().x > 1.5 + speed * DT * 0.99 * steps as f32);
            }
        }
    }
    check_range("up or down, m", hop, ..2.0e-4);
    check_range("share of the speed lost", lost, ..1.0e-4);
    check_range("spin, rad/s", spin, ..0.01);
}
