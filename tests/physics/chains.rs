//! Convex bodies on chains: ledges, hills, saws and steps, from both ends, at rest, dropped,
//! bouncing, and in a drum.

use carom::math::sin_cos;
use carom::prelude::*;
use carom::{Vec2, contacts_within};

use testkit::random::Random;
use testkit::worlds::{DT, add, check_range, run, step};
use testkit::{long_rounds, rounds};

/// Gravity, in m/s².
const G: f64 = 9.81;

/// Points of a chain from -20 m to 20 m, its heights no greater than 0.5 m.
#[derive(Clone, Copy, Debug)]
enum Ground {
    /// A floor at 0 that ends at x = 0, and one 6 m lower.
    Ledge,
    /// The same, of two boxes.
    LedgeOfBoxes,
    /// Chords of a sine of half a metre.
    Hills,
    /// Teeth of 1 m, 0.7 m high.
    Saw,
    /// 1 m up and 1 m down every 2 m.
    Steps,
    /// A floor of 80 segments in a line.
    Level,
}

impl Ground {
    const CHAINS: [Ground; 5] = [Ground::Ledge, Ground::Hills, Ground::Saw, Ground::Steps, Ground::Level];

    fn points(self) -> Vec<Vec2> {
        let over = |height: fn(usize) -> f32| {
            (0..=80).map(|k| vec2(0.5 * k as f32 - 20.0, height(k))).collect::<Vec<_>>()
        };
        match self {
            Ground::Ledge | Ground::LedgeOfBoxes => {
                vec![vec2(-20.0, 0.0), vec2(0.0, 0.0), vec2(0.0, -6.0), vec2(20.0, -6.0)]
            }
            Ground::Hills => over(|k| 0.5 * sin_cos(0.6 * k as f32).0),
            Ground::Saw => over(|k| if k % 2 == 0 { 0.0 } else { -0.7 }),
            Ground::Steps => (0..40_usize)
                .map(|k| vec2(2.0 * k.div_ceil(2) as f32 - 20.0, if k / 2 % 2 == 0 { 0.0 } else { -1.0 }))
                .collect(),
            Ground::Level => over(|_| 0.0),
        }
    }

    fn shapes(self, is_reversed: bool) -> Vec<Shape> {
        if let Ground::LedgeOfBoxes = self {
            return vec![Shape::rect(20.0, 6.0).at([-10.0, -3.0]), Shape::rect(40.0, 2.0).at([0.0, -7.0])];
        }
        let mut points = self.points();
        if is_reversed {
            points.reverse();
        }
        vec![Shape::chain(&points)]
    }
}

/// Crates, planks, balls, capsules, polygons, rounded crates.
fn any_body(random: &mut Random, kind: usize) -> Shape {
    let mut size = |low: f32, high: f32| random.range(low, high);
    match kind {
        0 => Shape::rect(size(0.3, 1.2), size(0.3, 1.2)),
        1 => Shape::rect(size(1.5, 3.5), size(0.08, 0.3)),
        2 => Shape::circle(size(0.1, 0.5)),
        3 => {
            let half = size(0.1, 0.6);
            Shape::capsule([-half, 0.0], [half, 0.0], size(0.05, 0.3))
        }
        4 => Shape::regular(3 + random.below(5), random.range(0.2, 0.6)),
        _ => Shape::rect(size(0.3, 1.0), size(0.2, 0.6)).rounded(0.05),
    }
}

/// Energy of a body, in J/kg.
fn energy_of(body: &carom::Body) -> f64 {
    testkit::worlds::kinetic_energy_of(body) / f64::from(body.mass())
        + G * f64::from(body.world_center().position().y)
}

/// What came of many landings.
#[derive(Debug, Default)]
struct Landings {
    count: usize,
    /// Of how many the energy rose by more than 0.01 J/kg in a step, and the most by which any did.
    kicked: usize,
    worst_kick: f64,
    /// Deepest at the end, in metres.
    deepest: f32,
}

/// Bodies of all kinds at 0.1 to 10 m/s onto a ground, four seconds each.
fn landings(ground: Ground, kinds: impl Iterator<Item = usize>, each: usize, restitution: f32) -> Landings {
    let mut all = Landings::default();
    let surface = Material::default().restitution(restitution);
    for kind in kinds {
        let mut random = Random::new(7 + kind as u64);
        for round in 0..each {
            let mut world = World::default();
            let shapes = ground.shapes(round % 2 == 1);
            for shape in &shapes {
                add(&mut world, BodyDef::fixed().shape(shape.clone()).material(surface));
            }
            let shape = any_body(&mut random, kind);
            let height = 0.8 + shape.bounding_circle().radius;
            let body =
                BodyDef::dynamic().at([random.range(-2.5, 2.5), height]).angle(random.range(-3.1, 3.1));
            let down = -random.log_range(0.1, 10.0) as f32;
            let body = body.velocity([random.range(-3.0, 3.0), down]).spin(random.range(-3.0, 3.0));
            let id = add(&mut world, body.shape(shape.clone()).material(surface));
            let (mut last, mut kick) = (energy_of(&world[id]), 0.0);
            for _ in 0..240 {
                step(&mut world);
                let now = energy_of(&world[id]);
                kick = if now - last > kick { now - last } else { kick };
                last = now;
            }
            all.count += 1;
            all.kicked += usize::from(kick > 0.01);
            all.worst_kick = if kick > all.worst_kick { kick } else { all.worst_kick };
            for ground in &shapes {
                let gap = distance(ground, Transform::IDENTITY, &shape, world[id].transform()).separation;
                all.deepest = if -gap > all.deepest { -gap } else { all.deepest };
            }
        }
    }
    println!("{ground:?}, restitution {restitution}: {all:?}");
    all
}

/// A plank over the corner of a ledge, 2 cm deep in it: its middle is behind the wall below, which
/// it was pushed out of by half a metre. At rest, it gets no faster than by falling, and by being
/// pushed out of 2 cm.
#[test]
fn a_plank_over_the_corner_of_a_ledge_is_not_kicked() {
    for is_reversed in [false, true] {
        let mut world = World::default();
        let (ledge, plank) = (&Ground::Ledge.shapes(is_reversed)[0], Shape::rect(3.0, 0.2));
        let at = Transform::new([-0.756_328_9, 0.627_047_96], -0.611_221_43);
        contacts_within(ledge, Transform::IDENTITY, &plank, at, 0.0, |manifold| {
            check_range("depth", manifold.depth(), 0.020..0.021);
        });
        add(&mut world, BodyDef::fixed().shape(ledge.clone()));
        let body = BodyDef::dynamic().at(at.position).angle(at.rotation.angle()).shape(plank);
        let id = add(&mut world, body);
        for _ in 0..3 {
            step(&mut world);
            check_range("speed", world[id].velocity().length(), 0.0..0.5);
        }
    }
}

/// A ledge that is a chain kicks no more than the same ledge of boxes: crates, planks and all
/// others, dull and bouncing.
#[test]
fn landings_on_a_ledge_are_like_those_on_boxes() {
    for restitution in [0.0, 0.5] {
        let each = rounds(20, 200);
        let boxes = landings(Ground::LedgeOfBoxes, 0..6, each, restitution);
        let chain = landings(Ground::Ledge, 0..6, each, restitution);
        // Of 2,400 on boxes 66 and 31: a fifth more would be as many.
        let most = 1.2 * boxes.kicked as f64 + 2.0;
        check_range("kicked on the chain", chain.kicked as f64, 0.0..=most);
        check_range("worst kick on the chain, in J/kg", chain.worst_kick, 0.0..0.25);
    }
}

/// Nothing sinks into a chain, whatever its form, from whichever end it was made; what was kicked
/// is counted.
#[test]
fn nothing_sinks_into_a_chain() {
    for ground in Ground::CHAINS {
        let found = landings(ground, 0..6, long_rounds(15, 75, 300), 0.0);
        check_range("depth at the end", found.deepest, 0.0..0.02);
        check_range("share that was kicked", found.kicked as f64 / found.count as f64, 0.0..0.08);
        check_range("worst kick, in J/kg", found.worst_kick, 0.0..1.0);
    }
}

/// ```text
///           ___
///     ___---         a plank of 2 m falls on three peaks, 1 m apart, and comes to rest on them
///    /\  /\  /\
/// ```
///
/// It hung at a slope whose contact was missing, and its velocity grew to 65 m/s.
#[test]
fn a_plank_on_peaks_comes_to_rest() {
    let mut points =
        [(-1.5, -1.0), (-1.0, 0.0), (-0.5, -0.7), (0.0, 0.0), (0.5, -0.7), (1.0, 0.0), (1.5, -1.0)]
            .map(|(x, y)| vec2(x, y));
    for _ in 0..2 {
        let mut world = World::default();
        add(&mut world, BodyDef::fixed().shape(Shape::chain(&points)));
        let plank = BodyDef::dynamic().at([0.5, 1.2]).angle(0.5).shape(Shape::rect(2.0, 0.05));
        let id = add(&mut world, plank);
        run(&mut world, 900);
        check_range("speed at the end", world[id].velocity().length(), 0.0..1.0);
        assert!(!world[id].is_awake(), "{:?}", world[id]);
        points.reverse();
    }
}

/// A drum with three corners turns at 0.8 rad/s: its 20 planks of 5 to 20 cm stay inside, and none
/// gets fast. With walls of boxes the fastest of 20 drums has 18 m/s; when a plank that two walls
/// held was put back to where it stood in the world, the walls turned on over it, and 11 of 400
/// fell outside at up to 130 m/s.
#[test]
fn a_turning_drum_keeps_its_planks() {
    const RADIUS: f32 = 6.0;
    let corner = |angle: f32| vec2(sin_cos(angle).1, sin_cos(angle).0) * RADIUS;
    let third = core::f32::consts::TAU / 3.0;
    let (mut top, mut out, mut count) = (0.0_f32, 0, 0);
    for seed in 0..rounds(4, 20) {
        let mut random = Random::new(seed as u64 + 1);
        let mut world = World::default();
        let mut points = [0.0, third, 2.0 * third].map(corner);
        if seed % 2 == 0 {
            points.reverse();
        }
        let drum = add(&mut world, BodyDef::kinematic().spin(0.8).shape(Shape::closed_chain(&points)));
        let planks: Vec<BodyId> = (0..20)
            .map(|k| {
                let at = [0.8 * (k % 4) as f32 - 1.2, 0.5 * (k / 4) as f32 - 1.0];
                let angle = random.range(-0.3, 0.3);
                let shape = Shape::rect(random.range(0.6, 1.6), random.range(0.05, 0.2));
                add(&mut world, BodyDef::dynamic().at(at).angle(angle).shape(shape))
            })
            .collect();
        for _ in 0..1_200 {
            step(&mut world);
            let fastest = planks.iter().map(|&id| world[id].velocity().length());
            top = fastest.fold(top, |top, v| if v > top { v } else { top });
        }
        let is_out = |id: &&BodyId| {
            let place = world[drum].rotation().inverse_rotate(world[**id].position());
            (0..3).any(|k| {
                let (sin, cos) = sin_cos((k as f32 + 0.5) * third);
                place.dot(vec2(cos, sin)) > 0.5 * RADIUS
            })
        };
        out += planks.iter().filter(is_out).count();
        count += planks.len();
    }
    println!("{out} of {count} outside");
    assert_eq!(out, 0);
    check_range("fastest plank, in m/s", top, 0.0..30.0);
}

/// Elastic planks without friction bounce for 20 s on hills and on a level chain, between walls:
/// hardly any is off by more than 1 % of its energy at some time. (Of 100 it was 11, when two
/// points of an impact had speeds of two times, and bodies that were cut short kept the speed of
/// the end of the step.)
#[test]
fn elastic_planks_keep_their_energy() {
    let surface = Material::default().friction(0.0).restitution(1.0);
    for ground in [Ground::Hills, Ground::Level] {
        let mut random = Random::new(77);
        let count = rounds(10, 100);
        let (mut off, mut worst, mut sum) = (0, 0.0_f64, 0.0_f64);
        for round in 0..count {
            let mut world = World::new(WorldDef::default().sleepless());
            let chain = ground.shapes(round % 2 == 1).remove(0);
            add(&mut world, BodyDef::fixed().shape(chain).material(surface));
            for x in [-21.0, 21.0] {
                let wall = BodyDef::fixed().at([x, 30.0]).shape(Shape::rect(2.0, 80.0));
                add(&mut world, wall.material(surface));
            }
            let at = [random.range(-8.0_f32, 8.0), random.range(2.5, 5.0)];
            let angle = random.range(-3.0, 3.0);
            let plank = Shape::rect(random.range(1.0, 2.5), random.range(0.05, 0.3));
            let id = add(&mut world, BodyDef::dynamic().at(at).angle(angle).shape(plank).material(surface));
            // Over the lowest place of the ground.
            let energy = |world: &World| energy_of(&world[id]) + 0.5 * G;
            let (first, mut most) = (energy(&world), 0.0);
            for _ in 0..1_200 {
                step(&mut world);
                let by = (energy(&world) / first - 1.0).abs();
                most = if by > most { by } else { most };
            }
            off += usize::from(most > 0.01);
            worst = if most > worst { most } else { worst };
            sum += energy(&world) / first - 1.0;
        }
        check_range("off by more than 1 %, share", off as f64 / count as f64, 0.0..=0.01);
        check_range("off at the worst, share of the energy", worst, 0.0..0.015);
        check_range("off at the end, in the mean", sum / count as f64, -0.01..0.01);
    }
}

/// A box, a ball and a capsule slide 30 m over a level chain without friction, at 1 to 50 m/s: they
/// keep their height and do not turn.
#[test]
fn a_level_chain_has_no_bumps() {
    for shape in [Shape::rect(0.4, 0.4), Shape::circle(0.2), Shape::capsule([-0.2, 0.0], [0.2, 0.0], 0.2)] {
        for speed in [1.0_f32, 7.0, 50.0] {
            let mut world = World::new(WorldDef::default().sleepless());
            let surface = Material::default().friction(0.0);
            let ground = Ground::Level.shapes(false).remove(0);
            add(&mut world, BodyDef::fixed().shape(ground).material(surface));
            let body = BodyDef::dynamic().at([-15.0, 0.2]).velocity([speed, 0.0]);
            let id = add(&mut world, body.shape(shape.clone()).material(surface));
            let (mut low, mut high) = (0.2_f32, 0.2_f32);
            for _ in 0..(30.0 / (speed * DT)) as usize {
                step(&mut world);
                let y = world[id].position().y;
                (low, high) = (if y < low { y } else { low }, if y > high { y } else { high });
            }
            check_range("up and down, in mm", 1_000.0 * (high - low), 0.0..1.0);
            check_range("speed kept", world[id].velocity().x / speed, 0.999..1.001);
            check_range("turned", world[id].angular_velocity().abs(), 0.0..0.01);
        }
    }
}

/// Boxes of 20 m on a closed chain of a unit square, and boxes of all sizes on one that is as large
/// as they are: no contact is deeper than the distance says, and none is missing. (Each side of the
/// square chose its own side by the middle of the box: -9.95 m instead of +0.016.)
#[test]
fn contacts_with_a_closed_chain_are_as_deep_as_the_distance_says() {
    let mut random = Random::new(79);
    for (side, least, most) in
        [(1.0_f32, 20.0_f32, 20.0_f32), (1.0, 0.3, 2.0), (20.0, 6.0, 40.0), (20.0, 0.5, 2.0)]
    {
        let (mut looked, mut deeper, mut missing) = (0, 0.0_f32, 0.0_f32);
        let corners = [(0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)].map(|(x, y)| vec2(x, y) * side);
        for round in 0..rounds(2_000, 50_000) {
            let mut corners = corners;
            if round % 2 == 1 {
                corners.reverse();
            }
            let chain = Shape::closed_chain(&corners);
            let width = random.range(least, most);
            let body = Shape::rect(width, width * random.range(0.1_f32, 1.0));
            let reach = 0.5 * (side + width);
            let place = Transform::new(random.square(1.3 * reach), random.angle());
            let gap = distance(&body, place, &chain, Transform::IDENTITY).separation;
            // What lies deep in the other is no contact that a world would see.
            if !(-0.1 * side..0.05).contains(&gap) {
                continue;
            }
            looked += 1;
            let mut found = f32::INFINITY;
            contacts_within(&body, place, &chain, Transform::IDENTITY, 0.05, |manifold| {
                found = testkit::smaller(found, manifold.separation());
            });
            deeper = testkit::greater(deeper, gap - found);
            if gap < 0.0 {
                missing = testkit::greater(missing, testkit::smaller(found, 1.0e9) - gap);
            }
        }
        let name = format!("boxes of {least} to {most} m, square of {side} m, {looked} pairs");
        let slack = 1.0e-5 * f64::from(side + most);
        check_range(&format!("{name}: deeper than the distance, m"), deeper, ..=slack);
        check_range(&format!("{name}: less deep, m"), missing, ..=slack);
    }
}
