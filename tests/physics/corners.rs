//! Inner corners and seams of fixed parts: bodies do not sink into the one, and do not catch at the
//! other (ghost collisions).

use carom::Vec2;
use carom::prelude::*;
use core::f32::consts::TAU;

use testkit::build::step;
use testkit::random::Random;
use testkit::worlds::{DT, add, check_range, earth, valid};
use testkit::{long_rounds, rounds};

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
    /// The most that went into motion: what is pushed out of an overlap is lifted, but not thrown.
    greatest_throw: f32,
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
        let energies = |world: &World| {
            let body = &world[id];
            let spins = body.inertia() / body.mass() * (body.angular_velocity() * body.angular_velocity());
            let kinetic = 0.5 * (body.velocity().length_squared() + spins);
            [kinetic, kinetic - gravity.dot(body.world_center().position())]
        };
        let (mut run, mut longest, mut deepest) = (0, 0, 0.0);
        let (mut kick, mut thrown, mut before) = (0.0, 0.0, energies(&world));
        for _ in 0..300 {
            step(&mut world);
            if world[id].position().length() > 7.0 {
                break;
            }
            let (deep, now) = (depth(throw, &world[id]), energies(&world));
            run = if deep > SUNK { run + 1 } else { 0 };
            (longest, deepest) = (longest.max(run), higher(deepest, deep));
            let [kinetic, total] = [0, 1].map(|k| now[k] - before[k]);
            (kick, before) = (higher(kick, total), now);
            thrown = higher(thrown, if kinetic < total { kinetic } else { total });
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
        self.greatest_throw = higher(self.greatest_throw, thrown);
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
                for round in 0..long_rounds(2, 30, 60) {
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
        all.greatest_kick = higher(all.greatest_kick, tally.greatest_kick);
        all.greatest_throw = higher(all.greatest_throw, tally.greatest_throw);
    }
    let share = |count: u32| f64::from(count) / f64::from(all.thrown);
    // One wedge in ten thousand is jammed in a corner that is narrower than it, and stays.
    check_range("deep at the end", all.at_the_end, ..=f64::from(all.thrown / 5_000));
    check_range("share that was deep at any time", share(all.ever), ..0.06);
    check_range("share that was deep for more than three steps", share(all.long), ..0.025);
    if all.at_the_end == 0 {
        check_range("most steps in a row", all.longest, ..=30.0);
    }
    // Not reached: no energy is to be gained. What lands a centimetre deep is pushed out, and so
    // lifted.
    check_range("share that was kicked", share(all.kicked), ..0.05);
    check_range("greatest kick, J/kg", all.greatest_kick, ..0.3);
    check_range("greatest gain of motion, J/kg", all.greatest_throw, ..0.2);
    let most = if cfg!(debug_assertions) { 0.06 } else { 0.015 };
    let floor = f64::from(on_floor.ever) / f64::from(on_floor.thrown);
    check_range("share that was deep at any time, less that on a floor", share(all.ever) - floor, ..most);
}

/// A flat ramp slides along a floor into a wall, which is built in three ways: it stays in front of
/// it. (It ended 0.75 m inside.) Not reached at 40 m/s: its tail dips 2.8 cm into the floor, for
/// one step, as the wall spins it.
#[test]
fn a_ramp_does_not_slide_into_a_wall() {
    let outline = [vec2(-0.5, 0.0), vec2(0.5, 0.0), vec2(0.0, 0.2)];
    let [mut deepest, mut deepest_of_fast] = [0.0_f32; 2];
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
                    let most = if speed > 20.0 { &mut deepest_of_fast } else { &mut deepest };
                    *most = outline.iter().map(deep).fold(*most, higher);
                }
            }
        }
    }
    check_range("deepest up to 20 m/s, m", deepest, ..0.01);
    check_range("deepest at 40 m/s, m", deepest_of_fast, ..0.05);
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

/// Ball, capsule, box, plank, hexagon and rounded polygon over flush tiles, also slanted ones and
/// triangles, planks, and segments without friction, level and on a slope of 2 degrees, at 0.1 to
/// 50 m/s: up and down less than 0.2 mm, and less than 0.01 % of the speed is lost. (A ball rose by
/// 1.9 mm. At 30 m/s boxes ran into the ends of segments and triangles, once in some 20 km.)
#[test]
fn flush_seams_are_not_felt() {
    type Floor = (f32, fn(f32, f32) -> Shape);
    let floors: [Floor; 6] = [
        (1.0, |x, w| Shape::rect(w, 1.0).at([x + 0.5 * w, -0.5])),
        (0.3, |x, w| Shape::rect(w, 1.0).at([x + 0.5 * w, -0.5])),
        (1.0, |x, w| Shape::rect(w, 0.1).at([x + 0.5 * w, -0.05])),
        (1.0, |x, w| Shape::segment([x, 0.0], [x + w, 0.0])),
        (1.0, |x, w| {
            let foot = x - 1.0;
            Shape::polygon(&[vec2(x, 0.0), vec2(foot, -1.0), vec2(foot + w, -1.0), vec2(x + w, 0.0)])
        }),
        (1.0, |x, w| Shape::polygon(&[vec2(x, 0.0), vec2(x + 0.5 * w, -1.0), vec2(x + w, 0.0)])),
    ];
    let round = [vec2(-0.3, -0.2), vec2(0.3, -0.2), vec2(0.2, 0.2), vec2(-0.2, 0.2)];
    let hexagon = [(0.2, -0.2), (0.35, 0.0), (0.2, 0.2), (-0.2, 0.2), (-0.35, 0.0), (-0.2, -0.2)];
    let sliders = [
        (Shape::circle(0.4), 0.4),
        (Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2), 0.2),
        (Shape::rect(0.4, 0.4), 0.2),
        (Shape::polygon(&round).rounded(0.05), 0.25),
        (Shape::rect(2.4, 0.1), 0.05),
        (Shape::polygon(&hexagon.map(Vec2::from)), 0.2),
    ];
    let ice = Material::default().friction(0.0);
    let mut random = Random::new(17);
    let (mut hop, mut lost, mut spin, mut ball_spin) = (0.0_f32, [0.0_f32; 2], 0.0_f32, 0.0_f32);
    for (slope, rounds) in [(0.0_f32, 1), (2.0, rounds(1, 4))] {
        let (angle, turn) = (slope.to_radians(), Rot::from_angle(slope.to_radians()));
        for ((width, tile), (shape, height)) in
            floors.iter().flat_map(|f| sliders.iter().map(move |s| (f, s)))
        {
            for speed in [0.1, 0.5, 2.0, 10.0, 30.0, 50.0].repeat(rounds) {
                let def = WorldDef::default().gravity(turn * vec2(0.0, -9.81));
                let mut world = World::new(def.sleepless());
                let (way, steps) = (speed * 4.0 + 4.0, 240);
                for k in 0..(way / width) as usize {
                    let def = BodyDef::fixed().angle(angle).shape(tile(k as f32 * width, *width));
                    add(&mut world, def.material(ice));
                }
                let start = random.range(1.5, 2.0);
                let def = BodyDef::dynamic().at(turn * vec2(start, *height)).angle(angle);
                let def = def.velocity(turn * vec2(speed, 0.0)).shape(shape.clone());
                let slider = add(&mut world, def.material(ice));
                for _ in 0..steps {
                    step(&mut world);
                    let place = turn.inverse() * world[slider].position();
                    hop = higher(hop, (place.y - height).abs());
                    spin = higher(spin, world[slider].angular_velocity().abs());
                    if matches!(shape, Shape::Circle(_)) {
                        ball_spin = higher(ball_spin, world[slider].angular_velocity().abs());
                    }
                }
                let left = turn.inverse() * world[slider].velocity();
                let lost = &mut lost[usize::from(slope > 0.0)];
                *lost = higher(*lost, (1.0 - left.x / speed).abs());
                let went = (turn.inverse() * world[slider].position()).x - start;
                assert!(went > speed * DT * 0.99 * steps as f32);
            }
        }
    }
    check_range("up or down, m", hop, ..2.0e-4);
    check_range("share of the speed lost on the level", lost[0], ..1.0e-4);
    // A normal that is turned is rounded: of 50 m/s along it, some millionths go into the floor in
    // each step.
    check_range("share of the speed lost on the slope", lost[1], ..1.2e-4);
    check_range("spin of a ball, rad/s", ball_spin, ..0.01);
    // What has corners trembles by less than the 0.2 mm that they may go up and down.
    check_range("spin, rad/s", spin, ..0.02);
}

/// A ball slides without friction from a level floor onto a slope of 0.5 to 5 degrees, both of
/// tiles that have their corners in common, at 0.5 to 50 m/s: it is at no time deeper than 0.2 mm,
/// and goes on with the speed that the bend leaves it, v cos of the angle, less what the height
/// takes. So it is in a bowl of five such bends. (Where tiles met at an angle, a ball at 50 m/s was
/// 25 mm deep in a slope of 2 degrees, and small ones were thrown 26 m high.)
#[test]
fn tiles_that_meet_at_an_angle_let_a_ball_pass() {
    let ice = Material::default().friction(0.0);
    let mut random = Random::new(5);
    let (mut deepest, mut highest, mut lost, mut gained) = (0.0_f32, 0.0_f32, [0.0_f32; 2], 0.0_f32);
    for kind in 0..4 {
        for (radius, width, bends) in [(0.4, 1.0, 1), (0.05, 1.0, 1), (0.4, 0.3, 1), (0.4, 1.0, 5)] {
            for degrees in [0.5_f32, 2.0, 5.0] {
                for speed in [0.5, 2.0, 10.0, 30.0, 50.0].repeat(rounds(1, 4)) {
                    let mut world = earth();
                    let (steps, level) = (120, (4.0 / width) as usize);
                    let mut line = vec![Vec2::ZERO];
                    for k in 0..((speed * 2.0 + 8.0) / width) as usize {
                        let bent = k.saturating_sub(level - 1).min(bends) as f32;
                        let along = Rot::from_angle(bent * degrees.to_radians()) * vec2(width, 0.0);
                        line.push(line[k] + along);
                    }
                    let tile = |p: Vec2, q: Vec2| {
                        let below = vec2(0.0, -1.0);
                        Shape::polygon(&[p, p + below, q + below, q])
                    };
                    let tiles = line.windows(2).map(|ends| tile(ends[0], ends[1]));
                    let fixed = || BodyDef::fixed().material(ice);
                    match kind {
                        0 => tiles.for_each(|tile| _ = add(&mut world, fixed().shape(tile))),
                        1 => _ = add(&mut world, fixed().shape(Shape::compound(tiles))),
                        2 => line.windows(2).for_each(|ends| {
                            add(&mut world, fixed().shape(Shape::segment(ends[0], ends[1])));
                        }),
                        _ => {
                            let chain: Vec<Vec2> = line.iter().rev().copied().collect();
                            add(&mut world, fixed().shape(Shape::chain(&chain)));
                        }
                    }
                    let def = BodyDef::dynamic().at([random.range(2.0, 3.0), radius]);
                    let def = def.velocity([speed, 0.0]).shape(Shape::circle(radius)).material(ice);
                    let ball = add(&mut world, def);
                    let energy = |world: &World| {
                        0.5 * world[ball].velocity().length_squared() + 9.81 * world[ball].position().y
                    };
                    let start = energy(&world);
                    let mut before = start;
                    for _ in 0..steps {
                        step(&mut world);
                        let at = world[ball].position();
                        let gap = |ends: &[Vec2]| {
                            let way = ends[1] - ends[0];
                            let t = higher((at - ends[0]).dot(way) / way.length_squared(), 0.0);
                            let t = if t < 1.0 { t } else { 1.0 };
                            (at - ends[0] - way * t).length() - radius
                        };
                        let gap = line
                            .windows(2)
                            .map(gap)
                            .fold(f32::INFINITY, |least, gap| if gap < least { gap } else { least });
                        deepest = higher(deepest, -gap);
                        highest = higher(highest, gap);
                        let now = energy(&world);
                        gained = higher(gained, now - before);
                        before = now;
                    }
                    // Each bend takes what comes at right angles to the next tile.
                    let passed = line.iter().filter(|p| p.x < world[ball].position().x).count();
                    let passed = passed.saturating_sub(level + 1).min(bends) as i32;
                    let cos2 = f64::from(degrees.to_radians()).cos().powi(2);
                    let left = 0.5 * speed * speed * cos2.powi(passed) as f32;
                    // And at rest in the tiles it is some 0.1 mm lower.
                    let missing = left + 9.81 * (radius - 2.0e-4) - before;
                    lost[usize::from(speed < 10.0)] =
                        higher(lost[usize::from(speed < 10.0)], missing / (0.5 * speed * speed));
                }
            }
        }
    }
    check_range("deepest, m", deepest, ..2.0e-4);
    check_range("highest above the tiles, m", highest, ..1.0e-3);
    check_range("share of the energy lost beyond the bends, from 10 m/s on", lost[0], ..1.0e-3);
    // Not reached: while a slow ball lies on two tiles both take a little, 1.4 mJ/kg of 125 at 0.5
    // m/s.
    check_range("share of the energy lost beyond the bends, below", lost[1], ..0.02);
    check_range("energy gained in a step, J/kg", gained, ..0.01);
}

/// A triangle thrown into a corner whose floor and wall do not quite meet, or whose wall ends above
/// the floor: however small the gap, no corner of it stays deeper than 3 cm. (What fits into 20 mm
/// is 17 mm deep.)
#[test]
fn a_gap_in_a_corner_lets_no_body_sink() {
    let outline = &outlines()[0];
    let mut random = Random::new(11);
    for gap in [0.006_f32, 0.02] {
        let (count, mut sunk, mut ever, mut at_the_end) = (rounds(8, 50), 0, 0.0, 0.0);
        for round in 0..count {
            let (mut world, material) = (World::default(), Material::default().friction(0.2));
            let aside = if round % 2 == 0 { vec2(gap, 0.0) } else { vec2(0.0, -gap) };
            let floor = BodyDef::fixed().at(vec2(5.0, -1.0) + aside).shape(Shape::rect(10.0, 2.0));
            add(&mut world, floor.material(material));
            let wall = BodyDef::fixed().at([-1.0, 5.0]).shape(Shape::rect(2.0, 10.0));
            add(&mut world, wall.material(material));
            let def =
                BodyDef::dynamic().at(vec2(1.4, 1.2) + random.square(0.4)).angle(random.range(-3.1, 3.1));
            let def = def.velocity([random.range(-10.0, -1.0), random.range(-8.0, 2.0)]);
            let def = def.spin(random.range(-5.0, 5.0)).shape(Shape::polygon(outline));
            let id = add(&mut world, def.material(material));
            let mut deep = 0.0;
            for _ in 0..300 {
                step(&mut world);
                let place = world[id].transform();
                let behind = |&corner: &Vec2| {
                    let p = place.apply(corner);
                    higher(-p.x, aside.y - p.y)
                };
                deep = outline.iter().map(behind).fold(0.0, higher);
                ever = higher(ever, deep);
            }
            sunk += u32::from(deep > SUNK);
            at_the_end = higher(at_the_end, deep);
        }
        println!("gap of {gap} m: {ever} m at any time");
        check_range(&format!("gap of {gap} m: deepest in the end, m"), at_the_end, ..=0.03);
        check_range(&format!("gap of {gap} m: throws that sank, of {count}"), sunk, ..=0.0);
    }
}
