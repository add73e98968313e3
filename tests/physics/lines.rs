//! Lines, which have no inside that pushes out: nothing is pressed, stirred or struck through one.

use carom::math::sin_cos;
use carom::prelude::*;
use carom::{Drive, Motor, Vec2};

use testkit::rounds;
use testkit::worlds::{DT, add, earth, run, space, step};

/// A closed chain in a circle about the origin.
fn ring(world: &mut World, radius: f32, corners: usize, turn: f32) -> BodyId {
    let corner = |k: usize| {
        let (sin, cos) = sin_cos(turn * core::f32::consts::TAU * k as f32 / corners as f32);
        radius * vec2(cos, sin)
    };
    let points: Vec<Vec2> = (0..corners).map(corner).collect();
    add(world, BodyDef::fixed().shape(Shape::closed_chain(&points)))
}

/// A bar that fills half of a ring and whose tip goes 100 m/s all but touches the ring, among some 700 circles, capsules, boxes and
/// pentagons: for 5 s nobody gets out, whichever way round the ring was made.
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

/// A wall that nothing stops presses a heap of bodies against a line at 0.5 m/s until there is no room left: those that it does
/// not run over stay on their side of the line.
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

/// A ball that rests near a wall is struck by a bullet at 600 m/s, and has to go 10 m in the step in which it is struck: it
/// did not look as if it would ever meet the wall, which stops it all the same.
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
