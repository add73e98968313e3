//! What is held stays held, in random scenes and under loads; what is free is free.

use super::{G, bob, greatest_gap, greatest_twist, join, rod, state, worst};
use carom::prelude::*;
use carom::{Drive, JointKind, Mass};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, run, space, step, top_speed};

/// Three random bodies in a row, 1 to 100 in mass, anywhere against each other, random anchors,
/// random spins, in space; joints of each kind that holds something: it stays held to 2 mm and 1
/// mrad for 2 s, and momentum is kept.
#[test]
fn what_a_joint_holds_stays_held() {
    let mut random = Random::new(501);
    let (mut gap, mut twist, mut drift) = ([0.0_f64; 5], [0.0_f64; 5], 0.0_f64);
    for number in 0..rounds(5, 600) {
        let mut world = space();
        let bodies: Vec<BodyId> = (0..3)
            .map(|_| {
                let size = random.range(0.3, 2.0) as f32;
                let shape = Shape::rect(size, size * random.range(0.1, 1.0) as f32);
                let (mass, spread) = (random.log_range(1.0, 100.0), random.range(0.02, 0.3));
                let inertia = mass * f64::from(size * size) * spread;
                let body = BodyDef::dynamic().at(random.vec2(2.0)).angle(random.angle());
                let body = body.velocity(random.vec2(2.0)).spin(random.range(-5.0, 5.0) as f32).shape(shape);
                let body = body.filter(Filter { mask: 0, ..Default::default() });
                let mass = Mass { mass: mass as f32, center: random.vec2(0.3), inertia: inertia as f32 };
                add(&mut world, BodyDef { mass: Some(mass), ..body })
            })
            .collect();
        let kind = number % 5;
        for pair in bodies.windows(2) {
            let axis = random.direction().as_vec2();
            let def = match kind {
                0 => JointDef::revolute(pair[0], pair[1]).at(random.vec2(2.0)),
                1 => JointDef::prismatic(pair[0], pair[1], axis).at(random.vec2(2.0)).limits(-1.0, 1.0),
                2 => JointDef::weld(pair[0], pair[1]).at(random.vec2(2.0)),
                3 => JointDef::distance(pair[0], pair[1]).anchors(random.vec2(0.5), random.vec2(0.5)),
                _ => JointDef::wheel(pair[0], pair[1], axis, Spring::new(2.0, 0.5)).at(random.vec2(2.0)),
            };
            // A rod of no length has no direction.
            let short = kind == 3 && {
                let apart = world[pair[0]].world_position().to(world[pair[1]].world_position());
                apart.length() < 1.5
            };
            if !short {
                join(&mut world, def);
            }
        }
        // The first steps bring the speeds together.
        let before = testkit::worlds::momentum(&world);
        run(&mut world, 2);
        for _ in 0..rounds(60, 120) {
            step(&mut world);
            gap[kind] = worst([gap[kind], greatest_gap(&world)]);
            twist[kind] = worst([twist[kind], greatest_twist(&world)]);
        }
        let mass: f64 = bodies.iter().map(|&id| f64::from(world[id].mass())).sum();
        drift = worst([drift, (testkit::worlds::momentum(&world) - before).length() / mass]);
    }
    for (kind, name) in ["hinge", "slider", "glue", "rod", "wheel"].into_iter().enumerate() {
        check_range(&format!("{name}: gap, m"), gap[kind], ..=2.0e-3);
        check_range(&format!("{name}: twist, rad"), twist[kind], ..=1.0e-3);
    }
    check_range("drift of the centre of mass, m/s", drift, ..=1.0e-3);
}

/// Two discs that spin on one hinge, on a slider, welded: the spin of all together stays as it is;
/// nothing is gained by a joint.
#[test]
fn a_joint_keeps_momenta_and_gains_no_energy() {
    let mut random = Random::new(502);
    let (mut spin, mut gained) = (0.0_f64, 0.0_f64);
    for number in 0..rounds(3, 200) {
        let mut world = space();
        let bodies: Vec<BodyId> = (0..4)
            .map(|k| {
                let body = BodyDef::dynamic().at([k as f32, 0.0]).spin(random.range(-3.0, 3.0) as f32);
                let body = body.velocity(random.vec2(1.0)).shape(Shape::rect(0.8, 0.4));
                add(&mut world, body.filter(Filter { mask: 0, ..Default::default() }))
            })
            .collect();
        for pair in bodies.windows(2) {
            let between = (world[pair[0]].position() + world[pair[1]].position()) * 0.5;
            let def = match number % 3 {
                0 => JointDef::revolute(pair[0], pair[1]),
                1 => JointDef::weld(pair[0], pair[1]),
                _ => JointDef::prismatic(pair[0], pair[1], random.direction().as_vec2()).limits(-0.5, 0.5),
            };
            join(&mut world, def.at(between));
        }
        let angular = |world: &World| -> f64 {
            let of = |body: &carom::Body| {
                let (x, v) = (body.world_center().position().as_dvec2(), body.velocity().as_dvec2());
                f64::from(body.mass()) * x.perp_dot(v)
                    + f64::from(body.inertia()) * f64::from(body.angular_velocity())
            };
            world.bodies().map(|(_, body)| of(body)).sum()
        };
        let start = angular(&world);
        step(&mut world);
        let energy = testkit::worlds::kinetic_energy(&world);
        for _ in 0..rounds(30, 300) {
            step(&mut world);
            gained = worst([gained, testkit::worlds::kinetic_energy(&world) / energy - 1.0]);
        }
        spin = worst([spin, (angular(&world) - start).abs() / (1.0 + start.abs())]);
    }
    check_range("change of angular momentum, of 1 + L", spin, ..=2.0e-3);
    check_range("energy gained, of what there was", gained, ..=1.0e-3);
}

/// Five links whose hinges may turn by 0.1 rad bear a load at their end, as heavy as ten of them,
/// or a hundred: no limit is exceeded by more than 2 degrees while it falls into them, nor in the
/// end, when all hangs still.
#[test]
fn limits_bear_a_load() {
    for load in [1.0, 10.0, 0.1].into_iter().take(rounds(1, 3)) {
        let mut world = earth();
        let mut before = None;
        for k in 0..5 {
            let link = rod(&mut world, [k as f32 + 0.5, 0.0], 1.0);
            join(&mut world, JointDef::revolute(before, link).at([k as f32, 0.0]).limits(-0.1, 0.1));
            before = Some(link);
        }
        let end = bob(&mut world, [5.0, 0.0], load);
        join(&mut world, JointDef::weld(before, end).at([5.0, 0.0]));
        let beyond = |world: &World| {
            worst(world.joints().map(|(id, joint)| match joint.def().kind {
                JointKind::Revolute => f64::from(state(world, id).angle.abs()) - 0.1,
                _ => 0.0,
            }))
        };
        let mut most = 0.0;
        for _ in 0..rounds(300, 600) {
            step(&mut world);
            most = worst([most, beyond(&world)]);
        }
        check_range(&format!("{load} kg on links of 0.1 kg: beyond a limit, rad"), most, ..=0.035);
        check_range("in the end, rad", beyond(&world), ..=0.01);
        check_range("speed in the end, m/s", top_speed(&world), ..=0.05);
    }
}

/// A load that falls 5 m into the limit of its slider, or onto the stop of its suspension, stops
/// there to 5 mm, and does not bounce.
#[test]
fn a_fall_into_a_limit_ends_there() {
    for mass in [0.1, 1.0, 100.0] {
        let mut world = earth();
        let load = bob(&mut world, [0.0, 0.0], mass);
        let slider = join(&mut world, JointDef::prismatic(None, load, [0.0, 1.0]).limits(-5.0, 5.0));
        let (mut lowest, mut up) = (0.0, 0.0);
        for number in 0..300 {
            step(&mut world);
            lowest = worst([lowest, -f64::from(state(&world, slider).length)]);
            up = worst([up, if number > 70 { f64::from(world[load].velocity().y) } else { 0.0 }]);
        }
        check_range("deepest, m", lowest, ..=5.005);
        check_range("fastest up, m/s", up, ..=0.05);
        check_range(
            "force at its limit, of the weight",
            f64::from(state(&world, slider).force.y) / (f64::from(mass) * G),
            0.995..=1.005,
        );
    }
    let mut world = earth();
    let base = add(&mut world, BodyDef::fixed());
    let car = bob(&mut world, [0.0, 0.0], 50.0);
    let spring = Drive::default().servo(0.0, Spring::new(0.5, 0.1)).limits(-0.2, 0.2);
    let strut = JointDef::wheel(base, car, [0.0, 1.0], Spring::new(0.5, 0.1)).suspension(spring);
    let strut = join(&mut world, strut);
    let lowest = worst((0..300).map(|_| {
        step(&mut world);
        -f64::from(state(&world, strut).length)
    }));
    check_range("deepest that a suspension goes, m", lowest, ..=0.205);
}

/// What every kind leaves free is free: a push along it meets no more than the mass.
#[test]
fn what_a_joint_leaves_free_is_free() {
    type Make = fn(BodyId, BodyId) -> JointDef;
    let loose = |a, b| JointDef::wheel(a, b, [1.0, 0.0], Spring::new(1.0, 1.0)).suspension(Drive::default());
    let cases: [(&str, Make, [f64; 3]); 7] = [
        ("hinge", |a, b| JointDef::revolute(a, b), [0.0, 0.0, 1.0]),
        ("slider", |a, b| JointDef::prismatic(a, b, [1.0, 0.0]), [1.0, 0.0, 0.0]),
        ("wheel", loose, [1.0, 0.0, 1.0]),
        ("glue", |a, b| JointDef::weld(a, b), [0.0, 0.0, 0.0]),
        ("rope", |a, b| JointDef::rope(a, b, 9.0), [1.0, 1.0, 1.0]),
        ("friction of none", |a, b| JointDef::friction(a, b, 0.0, 0.0), [1.0, 1.0, 1.0]),
        ("filter", |a, b| JointDef::filter(a, b), [1.0, 1.0, 1.0]),
    ];
    for (name, make, free) in cases {
        let mut world = space();
        let base = add(&mut world, BodyDef::fixed());
        let body = add(&mut world, BodyDef::dynamic().shape(Shape::rect(1.0, 1.0)));
        join(&mut world, make(base, body));
        world.set_velocity(body, [1.0, 0.5]).expect("it is there");
        world.set_angular_velocity(body, 0.7).expect("it is there");
        run(&mut world, 60);
        let (v, w) = (world[body].velocity(), world[body].angular_velocity());
        for (what, now, start, free) in
            [("x", v.x, 1.0, free[0]), ("y", v.y, 0.5, free[1]), ("turn", w, 0.7, free[2])]
        {
            check_range(
                &format!("{name}: speed {what} kept"),
                f64::from(now / start) - free,
                -1.0e-3..=1.0e-3,
            );
        }
    }
}
