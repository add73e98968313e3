//! Lines, which have no inside that pushes out: nothing is pressed, stirred or struck through one.

use carom::math::sin_cos;
use carom::prelude::*;
use carom::{Drive, Mass, Motor, Vec2};

use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, check_range, earth, momentum, run, space, step};

/// A closed chain in a circle about the origin.
fn ring(world: &mut World, radius: f32, corners: usize, turn: f32) -> BodyId {
    let corner = |k: usize| {
        let (sin, cos) = sin_cos(turn * core::f32::consts::TAU * k as f32 / corners as f32);
        radius * vec2(cos, sin)
    };
    let points: Vec<Vec2> = (0..corners).map(corner).collect();
    add(world, BodyDef::fixed().shape(Shape::closed_chain(&points)))
}

/// A bar that fills half of a ring and whose tip goes 100 m/s all but touches the ring, among some
/// 700 circles, capsules, boxes and pentagons: for 5 s nobody gets out, whichever way round the
/// ring was made.
#[test]
fn a_stirred_ring_keeps_what_it_holds() {
    const RADIUS: f32 = 16.0;
    for turn in [1.0, -1.0] {
        let mut world = earth();
        let ground = ring(&mut world, RADIUS, 120, turn);
        let bar = Shape::rect(0.8, 16.0).rounded(0.2);
        let bar = add(&mut world, BodyDef::dynamic().at([0.0, -8.0]).shape(bar));
        let motor = Motor { speed: 12.5, max: f32::INFINITY };
        let hinge = JointDef::revolute(ground, bar).anchors([0.0, -8.0], Vec2::ZERO);
        world
            .add_joint(JointDef { drive: Drive { motor: Some(motor), ..hinge.drive }, ..hinge })
            .expect("a hinge");
        let mut small = Vec::new();
        for k in 0..rounds(120, 700) {
            let at = [0.6 * (k % 30) as f32 - 8.7, 0.5 * (k / 30) as f32 - 9.0];
            let shape = match k % 4 {
                0 => Shape::capsule([-0.25, 0.0], [0.25, 0.0], 0.25),
                1 => Shape::circle(0.35),
                2 => Shape::rect(0.7, 0.7),
                _ => Shape::regular(5, 0.35),
            };
            let body = BodyDef::dynamic().at(at).shape(ShapeDef::from(shape).density(0.25));
            small.push(add(&mut world, body));
        }
        for number in 0..rounds(100, 300) {
            step(&mut world);
            for &id in &small {
                let out = world[id].position().length();
                assert!(out < RADIUS, "step {number}: {out} m from the middle, {:?}", world[id]);
            }
        }
    }
}

/// A wall that nothing stops presses a heap of bodies against a line at 0.5 m/s until there is no
/// room left: those that it does not run over stay on their side of the line.
#[test]
fn a_pressed_heap_stays_on_its_side_of_a_line() {
    let line: Vec<Vec2> = (0..9).map(|k| vec2(0.0, k as f32 - 4.0)).collect();
    let targets = [Shape::segment([0.0, -4.0], [0.0, 4.0]), Shape::chain(&line)];
    for target in targets {
        let mut world = space();
        add(&mut world, BodyDef::fixed().shape(target));
        for y in [-2.5, 2.5] {
            add(&mut world, BodyDef::fixed().at([-3.0, y]).shape(Shape::rect(5.9, 1.0)));
        }
        let press = BodyDef::kinematic().at([-5.0, 0.0]).velocity([0.5, 0.0]).shape(Shape::rect(1.0, 3.9));
        let press = add(&mut world, press);
        let mut small = Vec::new();
        for k in 0..40 {
            let at = [-4.2 + 0.41 * (k % 10) as f32, 0.8 * (k / 10) as f32 - 1.3];
            let shape = match k % 3 {
                0 => Shape::circle(0.2),
                1 => Shape::rect(0.4, 0.4),
                _ => Shape::capsule([0.0, -0.15], [0.0, 0.15], 0.15),
            };
            small.push(add(&mut world, BodyDef::dynamic().at(at).shape(shape)));
        }
        for number in 0..rounds(540, 540) {
            step(&mut world);
            let front = world[press].position().x + 0.5;
            for &id in &small {
                let place = world[id].position();
                let inside = place.x < 0.0 || place.y.abs() > 4.0;
                assert!(inside || front > 0.0, "step {number}: one is at {place}, the press at {front}");
            }
        }
    }
}

/// A ball that rests near a wall is struck by a bullet at 600 m/s, and has to go 10 m in the step
/// in which it is struck: it did not look as if it would ever meet the wall, which stops it all the
/// same.
#[test]
fn what_is_struck_is_stopped_in_the_same_step() {
    let line: Vec<Vec2> = (0..9).map(|k| vec2(0.0, k as f32 - 4.0)).collect();
    let targets = [Shape::segment([0.0, -4.0], [0.0, 4.0]), Shape::chain(&line), Shape::rect(0.1, 8.0)];
    for target in targets {
        for phase in 0..10 {
            let mut world = space();
            add(&mut world, BodyDef::fixed().shape(target.clone()));
            let ball = add(&mut world, BodyDef::dynamic().at([-2.0, 0.0]).shape(Shape::circle(0.2)));
            // Stopped by the ball, so that it does not get to the wall itself.
            let bullet = BodyDef::dynamic().at([-3.0 - phase as f32, 0.0]).velocity([600.0, 0.0]);
            let bullet = bullet.shape(ShapeDef::from(Shape::circle(0.2)).density(1.0));
            add(&mut world, bullet);
            run(&mut world, 1);
            let x = world[ball].position().x;
            assert!(x > -2.0 + 0.1 && x < 0.0, "phase {phase}: the ball is at {x} after {DT} s");
            run(&mut world, 5);
            let x = world[ball].position().x;
            assert!(x < 0.0, "phase {phase}: the ball got to {x}");
        }
    }
}

fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

/// A stick without thickness, of 1 kg, with the inertia of a rod.
fn stick(def: BodyDef, half: f32) -> BodyDef {
    let mass = Mass { mass: 1.0, center: Vec2::ZERO, inertia: half * half / 3.0 };
    let def = BodyDef { mass: Some(mass), ..def };
    def.shape(Shape::segment([-half, 0.0], [half, 0.0]))
}

/// Sticks that fall flat or askew on a segment, segments end to end, a chain, a hilly chain, a
/// segment that could move, a half-plane and a box: none falls through, none hovers, all come to
/// rest. (All fell through lines, and one that fell flat on a half-plane stayed 8 cm above.)
#[test]
fn a_stick_comes_to_rest_on_whatever_it_falls() {
    const HILL: f32 = 0.3;
    let line = |a: f32, b: f32| Shape::segment([a, 0.0], [b, 0.0]);
    let chain = |hill: f32| {
        let points: Vec<Vec2> =
            (-10..=10).map(|k: i32| vec2(-k as f32, hill * (k.rem_euclid(2)) as f32)).collect();
        Shape::chain(&points)
    };
    let floors = [
        ("segment", vec![line(-10.0, 10.0)]),
        ("segments", (-10..10).map(|k| line(k as f32, k as f32 + 1.0)).collect()),
        ("chain", vec![chain(0.0)]),
        ("hilly chain", vec![chain(HILL)]),
        ("half-plane", vec![Shape::half_plane([0.0, 0.0], [0.0, 1.0])]),
        ("box", vec![Shape::rect(20.0, 2.0).at([0.0, -1.0])]),
    ];
    let mut random = Random::new(5);
    for (name, floor) in floors {
        let [mut fell, mut hovers, mut awake, mut kicked] = [0; 4];
        let count = rounds(40, 600);
        for round in 0..count {
            let mut world = World::default();
            for shape in &floor {
                let def = if round % 4 == 3 { BodyDef::kinematic() } else { BodyDef::fixed() };
                add(&mut world, def.shape(shape.clone()));
            }
            let half = random.range(0.1, 0.8);
            let at = [random.range(-2.0, 2.0), random.range(1.0, 3.0)];
            let def = BodyDef::dynamic().at(at).velocity([random.range(-3.0, 3.0), random.range(-20.0, 0.0)]);
            let def = match round % 3 {
                // One that has no mass of its own does not turn, and falls flat.
                0 => def.shape(Shape::segment([-half, 0.0], [half, 0.0])),
                1 => stick(def, half),
                _ => stick(def.angle(random.range(-3.1, 3.1)).spin(random.range(-6.0, 6.0)), half),
            };
            let id = add(&mut world, def);
            let energy = |world: &World| {
                let body = &world[id];
                let spin = body.angular_velocity();
                let spins = body.inertia() * spin * spin / body.mass();
                0.5 * (body.velocity().length_squared() + spins) + 9.81 * body.position().y
            };
            let (mut before, mut kick) = (energy(&world), 0.0_f32);
            for _ in 0..600 {
                step(&mut world);
                let now = energy(&world);
                (kick, before) = (higher(kick, now - before), now);
            }
            let body = &world[id];
            if body.position().x.abs() > 9.0 {
                continue;
            }
            let low = body.position().y - (half * body.rotation().sin).abs();
            fell += u32::from(low < -0.01);
            hovers += u32::from(low > 0.01 + if name == "hilly chain" { HILL } else { 0.0 });
            awake += u32::from(body.is_awake());
            kicked += u32::from(kick > 0.01);
        }
        println!("{name}: {kicked} of {count} kicked");
        check_range(&format!("{name}: fell through"), fell, ..=0.0);
        check_range(&format!("{name}: hovers"), hovers, ..=0.0);
        check_range(&format!("{name}: awake after 10 s"), awake, ..=0.0);
        check_range(&format!("{name}: share that gained energy"), f64::from(kicked) / count as f64, ..0.08);
    }
}

/// Two sticks in free space, of which one flies broadside at the other, askew by up to half a
/// radian and beside its middle by up to a quarter of its length: they hit, none goes through the
/// other, momentum stays.
#[test]
fn two_sticks_do_not_pass_through_each_other() {
    let mut random = Random::new(6);
    let [mut passed, mut missed] = [0; 2];
    let (mut lost, count) = (0.0_f64, rounds(300, 3000));
    for _ in 0..count {
        let mut world = space();
        let (half, speed) = (random.range(0.2, 1.0), random.log_range(0.5, 100.0) as f32);
        let upper = add(&mut world, stick(BodyDef::dynamic().at([0.0, 1.5]), 1.0));
        let def = BodyDef::dynamic().at([random.range(-0.5, 0.5), 0.0]).angle(random.range(-0.5, 0.5));
        let lower = add(&mut world, stick(def.velocity([0.0, speed]), half));
        let before = momentum(&world);
        let mut time = 0.0;
        while time < 1.5 / speed + 0.1 {
            step(&mut world);
            time += DT;
        }
        lost = f64::max(lost, (momentum(&world) - before).length() / f64::from(speed));
        missed += u32::from(world[upper].velocity().y < 0.1 * speed);
        // The middle of the one from below stays below the other.
        let seen = world[upper].transform().apply_inverse(world[lower].position());
        passed += u32::from(seen.y > 0.0 && seen.x.abs() < 1.0);
    }
    check_range("went through, of all", passed, ..=0.0);
    check_range("not hit, of all", missed, ..=0.0);
    check_range("momentum lost, of all there was", lost, ..1.0e-5);
}
