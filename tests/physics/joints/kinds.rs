//! Each kind against the closed form of what it leaves free, and random scenes in which what it
//! holds stays held.

use carom::prelude::*;
use core::f64::consts::TAU;

use super::{G, bob, change, gap_over, greatest_gap, greatest_twist, join, rod, state, worst};
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, run, space, step};

/// When a number changes its sign, upwards, in seconds: between the two steps, by their values.
pub(super) fn crossings(world: &mut World, steps: usize, number: impl Fn(&World) -> f64) -> Vec<f64> {
    let mut times = Vec::new();
    let mut before = number(world);
    for count in 0..steps {
        step(world);
        let now = number(world);
        if before < 0.0 && now >= 0.0 {
            times.push((count as f64 + before / (before - now)) / 60.0);
        }
        before = now;
    }
    times
}

/// The mean time from crossing to crossing.
pub(super) fn period(times: &[f64]) -> f64 {
    (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64
}

/// The least and the greatest of some numbers.
fn extremes(numbers: impl IntoIterator<Item = f64>) -> (f64, f64) {
    numbers.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// A rod hinged at its end swings by 0.05 rad: T = 2π √(I / (m g d)), to 0.5 %; and after a minute
/// as far as in the beginning.
#[test]
fn a_rod_swings_with_its_period() {
    let mut world = earth();
    let angle = 0.05_f64;
    let at = [(0.5 * angle.sin()) as f32, (-0.5 * angle.cos()) as f32];
    let def = BodyDef::dynamic().at(at).angle(angle as f32).shape(Shape::rect(0.1, 1.0));
    let rod = add(&mut world, def);
    let hinge = join(&mut world, JointDef::revolute(None, rod).at([0.0, 0.0]).angle(0.0));
    check_range("angle at first, rad", state(&world, hinge).angle, 0.0499..=0.0501);
    let about_pivot = (1.0 + 0.01) / 12.0 + 0.25;
    let wanted = TAU * (about_pivot / (G * 0.5)).sqrt();
    let times = crossings(&mut world, rounds(600, 3_600), |world| f64::from(state(world, hinge).angle));
    check_range("period, of 2π √(I / m g d)", period(&times) / wanted, 0.995..=1.005);
    let last = extremes((0..240).map(|_| {
        step(&mut world);
        f64::from(state(&world, hinge).angle)
    }));
    check_range("swings after a minute as far as at first", (last.1 - last.0) / (2.0 * angle), 0.99..=1.001);
    check_range("gap, m", greatest_gap(&world), ..=1.0e-5);
}

/// A ball on a rod without mass, let go from the horizontal: at the bottom it has v² = 2 g l and
/// pulls with 3 m g.
#[test]
fn a_ball_on_a_rod_is_three_times_as_heavy_at_the_bottom() {
    let mut world = earth();
    let ball = bob(&mut world, [2.0, 0.0], 3.0);
    let rod = join(&mut world, JointDef::distance(None, ball).between([0.0, 0.0], [2.0, 0.0]));
    let (mut fastest, mut pull, mut off) = (0.0, 0.0, 0.0);
    for _ in 0..600 {
        step(&mut world);
        fastest = worst([fastest, f64::from(world[ball].velocity().length())]);
        pull = worst([pull, f64::from(state(&world, rod).force.length())]);
        off = worst([off, f64::from(state(&world, rod).gap)]);
    }
    check_range("speed at the bottom, of √(2 g l)", fastest / (2.0 * G * 2.0).sqrt(), 0.995..=1.002);
    check_range("pull at the bottom, of 3 m g", pull / (3.0 * 3.0 * G), 0.98..=1.005);
    check_range("off its length, m", off, ..=1.0e-3);
}

/// A spring between a wall and a ball, or between two balls, of 0.5 to 8 Hz and a damping ratio of
/// 0 to 0.1: it swings with f √(1 - ζ²), to 1 %, and each swing is smaller by e^(-2π ζ / √(1 -
/// ζ²)), to 1.5 %.
#[test]
fn a_spring_swings_as_it_is_told() {
    for pair in [false, true] {
        for hertz in [2.0_f32, 8.0, 0.5, 5.0].into_iter().take(rounds(2, 4)) {
            for damping in [0.0_f32, 0.02, 0.1] {
                let mut world = space();
                let ball = bob(&mut world, [2.2, 0.0], 3.0);
                let other = pair.then(|| bob(&mut world, [0.0, 0.0], 7.0));
                let spring = JointDef::distance(other, ball).soft(Spring::new(hertz, damping)).length(2.0);
                let spring = join(&mut world, spring.between([0.0, 0.0], [2.2, 0.0]));
                let off = |world: &World| f64::from(state(world, spring).length) - 2.0;
                let name = format!("{hertz} Hz, damping {damping}, pair {pair}");
                let shrink = (1.0 - f64::from(damping).powi(2)).sqrt();
                let swing = 1.0 / (f64::from(hertz) * shrink);
                let steps = (6.2 * swing * 60.0) as usize;
                let mut peaks = Vec::new();
                let (mut before, mut speed) = (off(&world), 0.0_f64);
                let mut times = Vec::new();
                for count in 0..steps {
                    step(&mut world);
                    let now = off(&world);
                    if before < 0.0 && now >= 0.0 {
                        times.push((count as f64 + before / (before - now)) / 60.0);
                        // Energy of the swing as an amplitude: v / ω where the spring is at rest.
                        speed = f64::from(state(&world, spring).speed);
                        let omega = TAU / swing;
                        peaks.push(((speed / omega).powi(2) + now * now).sqrt());
                    }
                    before = now;
                }
                assert!(speed.is_finite());
                check_range(&format!("{name}: period"), period(&times) / swing, 0.99..=1.01);
                let kept = (peaks[peaks.len() - 1] / peaks[0]).powf(1.0 / (peaks.len() - 1) as f64);
                let wanted = (-TAU * f64::from(damping) / shrink).exp();
                check_range(&format!("{name}: kept from swing to swing"), kept / wanted, 0.985..=1.015);
            }
        }
    }
}

/// A servo on a slider or a hinge, up to 2 Hz: overdamped, critical and swinging, it takes the path
/// of c'' = -ω² c - 2 ζ ω c' to 1 % of its way.
#[test]
fn a_servo_takes_its_path() {
    follow_a_servo(&[(1.0, 0.3), (1.0, 1.0), (2.0, 0.7), (0.5, 2.0)]);
}

/// The same at 4 Hz.
#[test]
#[ignore = "unmet: 2.4 % off its path at 4 Hz, damping ratio 1"]
fn a_stiff_servo_takes_its_path() {
    follow_a_servo(&[(4.0, 1.0)]);
}

fn follow_a_servo(springs: &[(f64, f64)]) {
    for turning in [false, true] {
        for &(hertz, damping) in springs {
            let mut world = space();
            let body = rod(&mut world, [0.0, 0.0], 3.0);
            let spring = Spring::new(hertz as f32, damping as f32);
            let def = if turning {
                JointDef::revolute(None, body).at([0.0, 0.0])
            } else {
                JointDef::prismatic(None, body, [3.0, 4.0]).at([0.0, 0.0])
            };
            let joint = join(&mut world, def.servo(1.0, spring));
            // The truth in small steps.
            let (mut c, mut v) = (-1.0_f64, 0.0_f64);
            let omega = TAU * hertz;
            let mut off = 0.0;
            for _ in 0..rounds(60, 180) {
                for _ in 0..1_000 {
                    let dt = 1.0 / 60_000.0;
                    v += (-omega * omega * c - 2.0 * damping * omega * v) * dt;
                    c += v * dt;
                }
                step(&mut world);
                let now = state(&world, joint);
                let way = f64::from(if turning { now.angle } else { now.length });
                off = worst([off, (way - (1.0 + c)).abs()]);
            }
            check_range(
                &format!("turning {turning}, {hertz} Hz, ζ {damping}: off its path, of the way"),
                off,
                ..=0.01,
            );
        }
    }
}

/// A servo with too little force for its load pulls with all it has: the acceleration is what is
/// left.
#[test]
fn a_servo_pulls_with_its_greatest_force() {
    let mut world = earth();
    let body = bob(&mut world, [0.0, 0.0], 2.0);
    let lift = JointDef::prismatic(None, body, [0.0, 1.0]).at([0.0, 0.0]);
    let lift = join(&mut world, lift.servo(50.0, Spring::new(4.0, 1.0)).force_range(-30.0, 30.0));
    run(&mut world, 60);
    check_range("speed after a second, m/s", f64::from(world[body].velocity().y) / (15.0 - G), 0.99..=1.01);
    // Of the ends, only the lower one: it never pushes down.
    change(&mut world, lift, |def| {
        *def = def.servo(-50.0, Spring::new(4.0, 1.0)).force_range(0.0, 1000.0);
    });
    let speed = f64::from(world[body].velocity().y);
    run(&mut world, 60);
    check_range(
        "falls freely where it may only push up, m/s",
        f64::from(world[body].velocity().y) - speed,
        -9.83..=-9.79,
    );
}

/// A plank glued to a wall by glue that gives way swings with the frequency of the glue; stiff glue
/// holds it level.
#[test]
fn soft_glue_swings_as_it_is_told() {
    for hertz in [1.0_f32, 3.0] {
        let mut world = space();
        let plank = rod(&mut world, [0.0, 0.0], 1.0);
        let glue = JointDef::weld(None, plank).at([0.0, 0.0]).bend(Spring::new(hertz, 0.0));
        let glue = join(&mut world, glue);
        world.set_angular_velocity(plank, 1.0).expect("it is there");
        let times = crossings(&mut world, rounds(240, 600), |world| f64::from(state(world, glue).angle));
        check_range(&format!("{hertz} Hz: period"), period(&times) * f64::from(hertz), 0.99..=1.01);
        check_range("gap, m", greatest_gap(&world), ..=1.0e-4);
    }
    // Ten planks as a cantilever: stiff.
    let mut world = earth();
    let mut before = None;
    for k in 0..10 {
        let plank = rod(&mut world, [k as f32 + 0.5, 0.0], 1.0);
        join(&mut world, JointDef::weld(before, plank).at([k as f32, 0.0]));
        before = Some(plank);
    }
    let gap = gap_over(&mut world, rounds(100, 300));
    let last = before.expect("there are ten");
    check_range("sag of a stiff cantilever of ten, m", -world[last].position().y, -0.001..=0.01);
    check_range("gap, m", gap, ..=1.0e-3);
    check_range("twist, rad", greatest_twist(&world), ..=1.0e-3);
}

/// A ball on a rope of 2 m, let go 1 m below its nail: it falls freely for 1 m, then hangs 2 m
/// below, never lower by more than 1 cm, and does not bounce back up.
#[test]
fn a_rope_is_slack_and_then_taut() {
    let mut world = earth();
    let ball = bob(&mut world, [0.0, -1.0], 5.0);
    let rope = join(&mut world, JointDef::rope(None, ball, 2.0).between([0.0, 0.0], [0.0, -1.0]));
    run(&mut world, 20);
    let fallen = -1.0 - f64::from(world[ball].position().y);
    check_range("way while slack, of g t²/2", fallen / (0.5 * G / 9.0), 0.99..=1.01);
    check_range("force while slack, N", state(&world, rope).force.length(), ..=1.0e-3);
    let mut lowest = 0.0;
    for _ in 0..300 {
        step(&mut world);
        lowest = worst([lowest, f64::from(state(&world, rope).length) - 2.0]);
    }
    check_range("longer than it is, m", lowest, ..=0.01);
    check_range("hangs at, m", state(&world, rope).length, 1.999..=2.001);
    check_range("pull, of its weight", f64::from(state(&world, rope).force.y) / (5.0 * G), 0.995..=1.005);
    check_range("speed, m/s", world[ball].velocity().length(), ..=1.0e-3);
}

/// A car's wheel on the ground under a load: the suspension sags by g / (2π f)², to 2 %, of what it
/// bears; across its axis it does not move.
#[test]
fn a_suspension_sags_as_it_should() {
    for hertz in [4.0_f64, 2.0, 1.0].into_iter().take(rounds(1, 3)) {
        for damping in [1.0_f32, 0.7, 0.2].into_iter().take(rounds(1, 3)) {
            let mut world = earth();
            let wheel = add(&mut world, BodyDef::fixed());
            let car = bob(&mut world, [0.0, 1.0], 8.0);
            // The wheel is body A here, for it is the car that gives way.
            let spring = Spring::new(hertz as f32, damping);
            let def = JointDef::wheel(wheel, car, [0.0, 1.0], spring).at([0.0, 1.0]);
            let strut = join(&mut world, def);
            run(&mut world, rounds(600, 1_200));
            let sag = -f64::from(state(&world, strut).length);
            let wanted = G / (TAU * hertz).powi(2);
            check_range(&format!("{hertz} Hz, ζ {damping}: sag, of g / (2π f)²"), sag / wanted, 0.98..=1.02);
            check_range("off its axis, m", state(&world, strut).gap, ..=1.0e-4);
        }
    }
}

/// One number moved, others held: a slider keeps its turn and its axis on a turning disc, seen from
/// the disc; the load creeps outwards as the centrifugal force says.
#[test]
fn a_slider_on_a_turning_disc_flies_outwards() {
    let mut world = space();
    let disc = add(&mut world, BodyDef::kinematic().spin(2.0).shape(Shape::circle(0.1)));
    let bead = bob(&mut world, [1.0, 0.0], 1.0);
    world.set_velocity(bead, [0.0, 2.0]).expect("it is there");
    world.set_angular_velocity(bead, 2.0).expect("it is there");
    let axis = join(&mut world, JointDef::prismatic(disc, bead, [1.0, 0.0]).at([1.0, 0.0]));
    change(&mut world, axis, |def| def.anchor_a = carom::Anchor::Local(Vec2::ZERO));
    run(&mut world, 60);
    // r'' = ω² r
    let wanted = 2.0_f64.cosh();
    check_range("way out, of cosh ω t", f64::from(state(&world, axis).length) / wanted, 0.99..=1.01);
    check_range("off the axis, m", state(&world, axis).gap, ..=1.0e-3);
    check_range("off its turn, rad", state(&world, axis).twist, ..=1.0e-3);
    let speed = 2.0 * 2.0_f64.sinh();
    check_range(
        "speed along the axis, of ω sinh ω t",
        f64::from(state(&world, axis).speed) / speed,
        0.98..=1.02,
    );
}

/// A pendulum on a pivot that goes to and fro at the pendulum's own frequency swings up; at rest
/// with the pivot moving evenly it hangs straight.
#[test]
fn a_pendulum_follows_its_moving_pivot() {
    let mut world = earth();
    let pivot = add(&mut world, BodyDef::kinematic());
    let ball = bob(&mut world, [0.0, -1.0], 1.0);
    let rod = join(&mut world, JointDef::distance(pivot, ball).between([0.0, 0.0], [0.0, -1.0]));
    let (mut off, mut aside) = (0.0, 0.0);
    let omega = G.sqrt();
    for number in 0..600 {
        let time = f64::from(number + 1) / 60.0;
        world.move_to(pivot, [(0.1 * (omega * time).sin()) as f32, 0.0], 0.0).expect("it is kinematic");
        step(&mut world);
        off = worst([off, f64::from(state(&world, rod).gap)]);
        aside = worst([aside, f64::from((world[ball].position() - world[pivot].position()).x.abs())]);
    }
    check_range("resonance swings it up, m aside", aside, 0.8..=1.001);
    check_range("off its length, m", off, ..=1.0e-3);
    // Evenly: in the frame of the pivot nothing happens.
    world.teleport(ball, [world[pivot].position().x, -1.0], 0.0).expect("it is there");
    world.set_velocity(pivot, [4.0, 0.0]).expect("it is there");
    world.set_velocity(ball, [4.0, 0.0]).expect("it is there");
    world.set_angular_velocity(ball, 0.0).expect("it is there");
    run(&mut world, 300);
    let aside = f64::from((world[ball].position() - world[pivot].position()).x).abs();
    check_range("aside on an evenly moving pivot, m", aside, ..=0.001);
}

/// A rope with a least length keeps its ball between both, a rope of no length holds it at its
/// nail, a winch lifts it with its speed, and a pulley whose one end is fixed is a rope.
#[test]
fn ropes_of_all_lengths() {
    let mut world = earth();
    let ball = bob(&mut world, [0.0, 0.6], 1.0);
    let rope = JointDef::rope(None, ball, 2.0).limits(0.5, 2.0).anchors([0.0, 0.0], [0.0, 0.0]);
    let rope = join(&mut world, rope);
    world.apply_impulse(ball, [0.3, 0.0]).expect("it is there");
    let lengths = extremes((0..600).map(|_| {
        step(&mut world);
        f64::from(state(&world, rope).length)
    }));
    check_range("least length, m", lengths.0, 0.495..);
    check_range("greatest length, m", lengths.1, ..=2.01);
    let mut world = earth();
    let ball = bob(&mut world, [0.0, 0.0], 1.0);
    join(&mut world, JointDef::rope(None, ball, 0.0));
    let rod = bob(&mut world, [3.0, 0.0], 1.0);
    let rod_joint = join(&mut world, JointDef::distance(None, rod).at([3.0, 0.0]));
    run(&mut world, 300);
    check_range("a rope of no length holds, m", world[ball].position().length(), ..=0.001);
    check_range("a rod of no length holds, m", state(&world, rod_joint).gap, ..=0.001);
    let mut world = earth();
    let load = bob(&mut world, [0.0, -5.0], 2.0);
    let winch = JointDef::rope(None, load, 100.0).motor(-0.5, 50.0).anchors([0.0, 0.0], [0.0, 0.0]);
    let winch = join(&mut world, winch);
    run(&mut world, 240);
    check_range("a winch lifts to, m", world[load].position().y, -3.03..=-2.99);
    check_range("with, m/s", state(&world, winch).speed, -0.501..=-0.499);
    check_range(
        "and bears, of the weight",
        f64::from(state(&world, winch).force.y) / (2.0 * G),
        0.995..=1.005,
    );
    let mut world = earth();
    let (post, load) = (add(&mut world, BodyDef::fixed().at([0.0, -1.0])), bob(&mut world, [2.0, -1.0], 3.0));
    join(&mut world, JointDef::pulley(post, load, [0.0, 0.0], [2.0, 0.0], 2.0));
    run(&mut world, 120);
    check_range("hangs by a pulley on a post, m", world[load].position().y, -1.001..=-0.999);
}
