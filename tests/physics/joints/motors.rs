//! Motors and brakes: their speed, their strength, what they say of it.

use super::{G, bob, change, greatest_gap, join, rod, state, worst};
use carom::prelude::*;
use core::f64::consts::PI;
use testkit::worlds::{DT, add, check_range, earth, run, space, step, top_speed};

/// A motor of so many N m on a wheel about its centre, a rod about its end, a slider, a wheel
/// joint: acceleration is torque / inertia, to 1 %, up to its speed, and then it keeps that to 0.1
/// %.
#[test]
fn a_motor_gets_to_its_speed_with_all_it_has() {
    for case in ["disc", "rod about its end", "slider", "wheel", "pair"] {
        let mut world = space();
        let base = add(&mut world, BodyDef::fixed());
        let (def, inertia, speed, strength) = match case {
            "disc" => {
                let disc = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
                (JointDef::revolute(base, disc).at([0.0, 0.0]), PI / 2.0, 10.0, 5.0)
            }
            "rod about its end" => {
                let rod = rod(&mut world, [0.5, 0.0], 10.0);
                (JointDef::revolute(base, rod).at([0.0, 0.0]), 1.01 / 12.0 + 0.25, 10.0, 1.0)
            }
            "slider" => {
                let body = bob(&mut world, [0.0, 0.0], 3.0);
                (JointDef::prismatic(base, body, [0.0, 1.0]).at([0.0, 0.0]), 3.0, 10.0, 9.0)
            }
            "pair" => {
                let one = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
                let two = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
                (JointDef::revolute(one, two).at([0.0, 0.0]), PI / 4.0, 10.0, 2.5)
            }
            _ => {
                let disc = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
                let wheel = JointDef::wheel(base, disc, [0.0, 1.0], Spring::new(4.0, 0.7));
                (wheel.at([0.0, 0.0]), PI / 2.0, 10.0, 5.0)
            }
        };
        let joint = join(&mut world, def.motor(speed, strength as f32));
        let now = |world: &World| {
            let state = state(world, joint);
            f64::from(if case == "slider" { state.speed } else { state.angular_speed })
        };
        let time = 0.5 * f64::from(speed) * inertia / strength;
        let steps = (time * 60.0).round();
        run(&mut world, steps as usize);
        check_range(
            &format!("{case}: speed, of torque / inertia × time"),
            now(&world) / (strength / inertia * steps / 60.0),
            0.99..=1.01,
        );
        run(&mut world, steps as usize + 60);
        check_range(
            &format!("{case}: speed it keeps, of the one it is told"),
            now(&world) / f64::from(speed),
            0.999..=1.001,
        );
    }
}

/// A motor at the end of an arm that bears a load: stalled it says what it holds, to 0.5 %;
/// stronger than the load it lifts it.
#[test]
fn a_stalled_motor_says_what_it_holds() {
    let mut world = earth();
    let arm = rod(&mut world, [0.5, 0.0], 100.0);
    let joint = join(&mut world, JointDef::revolute(None, arm).at([0.0, 0.0]).motor(0.0, 1000.0));
    run(&mut world, 120);
    let weight = 10.0 * G * 0.5;
    check_range("torque, of m g l / 2", f64::from(state(&world, joint).torque) / weight, 0.995..=1.005);
    check_range("sunk, rad", state(&world, joint).angle, -0.001..=0.001);
    check_range("force, of its weight", f64::from(state(&world, joint).force.y) / (10.0 * G), 0.995..=1.005);
    change(&mut world, joint, |def| *def = def.motor(0.0, 30.0));
    step(&mut world);
    check_range("torque where it is too weak, N m", state(&world, joint).torque, 29.8..=30.2);
    change(&mut world, joint, |def| *def = def.motor(1.0, 100.0));
    run(&mut world, 30);
    check_range("lifts, rad/s", state(&world, joint).angular_speed, 0.999..=1.001);
    // A wall in its way: it pushes with all it has.
    change(&mut world, joint, |def| def.drive.limits = Some(carom::Limits::new(-1.0, 0.6)));
    run(&mut world, 120);
    check_range("at its limit, rad", state(&world, joint).angle, 0.599..=0.601);
}

/// A motor faster than most turns as fast as bodies may; and turns are counted, at 24 a second.
#[test]
fn a_motor_turns_as_fast_as_bodies_may() {
    let mut world = space();
    let disc = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.5)));
    let motor = join(&mut world, JointDef::revolute(None, disc).motor(150.0, f32::INFINITY));
    run(&mut world, 60);
    check_range("speed, rad/s", state(&world, motor).angular_speed, 149.0..=151.0);
    check_range("turned, rad", state(&world, motor).angle, 149.0..=150.5);
}

/// A wheel under a kinematic platform, a slider on a kinematic wall, driven by motors: their speeds
/// are those against the platform.
#[test]
fn motors_on_a_moving_platform() {
    let mut world = space();
    let platform = add(&mut world, BodyDef::kinematic().velocity([3.0, 1.0]).spin(0.5));
    let disc = add(&mut world, BodyDef::dynamic().at([2.0, 0.0]).shape(Shape::circle(0.5)));
    let hinge = join(&mut world, JointDef::revolute(platform, disc).at([2.0, 0.0]).motor(4.0, 100.0));
    let sledge = bob(&mut world, [0.0, 1.0], 2.0);
    let slider = JointDef::prismatic(platform, sledge, [1.0, 0.0]).at([0.0, 1.0]);
    let slider = join(&mut world, slider.motor(0.5, f32::INFINITY));
    run(&mut world, 120);
    check_range("speed of the hinge, rad/s", state(&world, hinge).angular_speed, 3.996..=4.004);
    check_range("spin of the disc, rad/s", world[disc].angular_velocity(), 4.496..=4.504);
    check_range("way of the slider, m", state(&world, slider).length, 0.99..=1.01);
    check_range("speed of the slider, m/s", state(&world, slider).speed, 0.498..=0.502);
    check_range("gaps, m", greatest_gap(&world), ..=1.0e-3);
}

/// A car of a chassis and two sprung, driven wheels drives over a ground: it reaches the speed of
/// its wheels, its wheels stay under it.
#[test]
fn a_car_drives() {
    let mut world = earth();
    let grip = Material::default().friction(1.0);
    testkit::worlds::ground_of(&mut world, grip);
    for k in 0..10 {
        let bump = BodyDef::fixed().at([10.0 + 3.0 * k as f32, 0.0]).shape(Shape::regular(8, 0.15));
        add(&mut world, bump.material(grip));
    }
    let chassis = add(&mut world, BodyDef::dynamic().at([0.0, 1.2]).shape(Shape::rect(3.0, 0.6)));
    let axles: Vec<JointId> = [-1.0, 1.0]
        .map(|x| {
            let wheel = BodyDef::dynamic().at([x, 0.5]).shape(Shape::circle(0.5)).material(grip);
            let wheel = add(&mut world, wheel);
            let axle = JointDef::wheel(chassis, wheel, [0.0, 1.0], Spring::new(4.0, 0.7)).at([x, 0.5]);
            join(&mut world, axle.motor(-20.0, 15.0))
        })
        .to_vec();
    let (mut gap, mut way) = (0.0, 0.0);
    for _ in 0..480 {
        step(&mut world);
        gap = worst([gap, greatest_gap(&world)]);
        way = worst([way, worst(axles.iter().map(|&id| f64::from(state(&world, id).length.abs())))]);
    }
    check_range("wheels off their axes, m", gap, ..=0.02);
    check_range("greatest way of a spring, m", way, ..=0.5);
    check_range("it has come, m", world[chassis].position().x, 30.0..=90.0);
    check_range("its tilt, rad", world[chassis].angle().abs(), ..=0.5);
}

/// Friction between a puck and the floor seen from above: it slides v² / (2 a) and stops, spins w²
/// / (2 α) and stops, and stays.
#[test]
fn friction_stops_a_puck_where_it_should() {
    let mut world = space();
    let floor = add(&mut world, BodyDef::fixed());
    let puck = BodyDef::dynamic().velocity([3.0, 4.0]).spin(6.0).shape(Shape::circle(0.5));
    let puck = add(&mut world, puck);
    let (mass, inertia) = (f64::from(world[puck].mass()), f64::from(world[puck].inertia()));
    let joint = join(&mut world, JointDef::friction(floor, puck, 4.0, 0.5));
    let mut turned = 0.0;
    for _ in 0..240 {
        turned += f64::from(world[puck].angular_velocity()) * f64::from(DT);
        step(&mut world);
    }
    let way = f64::from(world[puck].position().length());
    check_range("way, of v² / 2a", way / (25.0 * mass / 8.0), 0.99..=1.01);
    check_range("turn, of w² / 2α", turned / (36.0 * inertia), 0.97..=1.03);
    let side = f64::from(world[puck].position().perp_dot(vec2(0.6, 0.8))).abs();
    check_range("off the straight line, m", side, ..=0.005);
    check_range("speed in the end", top_speed(&world), ..=1.0e-4);
    // Less than its strength does not move it; more does.
    for (force, moves) in [(3.9, false), (4.3, true)] {
        let start = world[puck].position();
        for _ in 0..60 {
            world.apply_force(puck, [force, 0.0]).expect("it is there");
            step(&mut world);
        }
        let wanted = if moves { 0.5 * (f64::from(force) - 4.0) / mass } else { 0.0 };
        let way = f64::from((world[puck].position() - start).length());
        check_range(&format!("pushed by {force} N: way against {wanted} m"), way - wanted, -0.01..=0.01);
    }
    assert!(world.get_joint(joint).is_some());
}
