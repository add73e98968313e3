//! Gears, racks and pulleys: the ratios they keep, the forces they pass on, and the joints they
//! couple.

use super::{G, bob, change, greatest_gap, join, state, worst};
use carom::Anchor;
use carom::prelude::*;
use testkit::rounds;
use testkit::worlds::{add, check_range, earth, run, space, step, top_speed, valid};

/// Two cogs of radius 1 and 2 on hinges, geared 1 : 2, the small one driven by a motor against a
/// brake on the large one: after 60 s the angles still match to 1e-3 rad; the same for a rack (1e-3
/// m), and in a train of three gears.
#[test]
fn a_gear_keeps_its_ratio_under_load() {
    for rack in [false, true] {
        let mut world = earth();
        let small = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
        let small_hinge = join(&mut world, JointDef::revolute(None, small).at([0.0, 0.0]).motor(2.0, 400.0));
        let (other, guide, ratio) = if rack {
            let rack = add(&mut world, BodyDef::dynamic().at([3.0, 0.0]).shape(Shape::rect(0.5, 8.0)));
            let guide = JointDef::prismatic(None, rack, [0.0, 1.0]).at([3.0, 0.0]);
            (rack, join(&mut world, guide), 1.0)
        } else {
            let large = add(&mut world, BodyDef::dynamic().at([3.0, 0.0]).shape(Shape::circle(2.0)));
            let guide = JointDef::revolute(None, large).at([3.0, 0.0]).motor(0.0, 60.0);
            (large, join(&mut world, guide), 2.0)
        };
        let gear = join(&mut world, JointDef::gear(small_hinge, guide, ratio));
        let (mut off, mut last) = (0.0, 0.0);
        for number in 0..rounds(360, 3_600) {
            if number % 120 == 0 {
                // The motor turns back, with all it has.
                let sign = if number % 240 == 0 { 1.0 } else { -1.0 };
                change(&mut world, small_hinge, |def| *def = def.motor(2.0 * sign, 400.0));
            }
            world.apply_torque(other, if number % 70 < 35 { 30.0 } else { -30.0 }).expect("it is there");
            step(&mut world);
            let (p, q) = (state(&world, small_hinge), state(&world, guide));
            last = f64::from(p.angle + ratio * if rack { q.length } else { q.angle }).abs();
            off = worst([off, last, f64::from(state(&world, gear).gap)]);
        }
        check_range(&format!("rack: {rack}: sum of a gear in the end, off by"), last, ..=1.0e-3);
        check_range(&format!("rack: {rack}: and at any time, while it turns back"), off, ..=5.0e-3);
        let turned = state(&world, small_hinge).angular_speed.abs();
        check_range("speed in the end, rad/s", turned, 1.9..=2.1);
    }
}

/// Cogs in a row, each geared to the next 1 : 1, driven at 3 rad/s for 60 s while the last one is
/// braked: each has turned as far as the first to 1e-3 rad a pair, over 28 turns.
#[test]
fn a_train_of_gears_counts_its_turns() {
    let mut world = space();
    let hinges: Vec<JointId> = (0..4)
        .map(|k| {
            let cog = add(&mut world, BodyDef::dynamic().at([2.0 * k as f32, 0.0]).shape(Shape::circle(1.0)));
            let hinge = JointDef::revolute(None, cog).at([2.0 * k as f32, 0.0]);
            let hinge = match k {
                0 => hinge.motor(3.0, 500.0),
                3 => hinge.motor(0.0, 20.0),
                _ => hinge,
            };
            join(&mut world, hinge)
        })
        .collect();
    let gears: Vec<JointId> =
        hinges.windows(2).map(|pair| join(&mut world, JointDef::gear(pair[0], pair[1], 1.0))).collect();
    let steps = rounds(300, 3_600);
    run(&mut world, steps);
    let angles: Vec<f64> = hinges.iter().map(|&id| f64::from(state(&world, id).angle)).collect();
    for pair in angles.windows(2) {
        check_range("pair of cogs off, rad", (pair[0] + pair[1]).abs(), ..=1.0e-3);
    }
    for gear in gears {
        check_range("gap of a gear, rad", state(&world, gear).gap, ..=1.0e-3);
    }
    check_range("turned, of speed × time", angles[0] / (3.0 * steps as f64 / 60.0), 0.99..=1.01);
}

/// A gear driven by a kinematic wheel that turns ten times: the other follows, all ten times.
#[test]
fn a_gear_follows_a_kinematic_wheel() {
    let mut world = space();
    let driver = add(&mut world, BodyDef::kinematic().spin(3.0).shape(Shape::circle(1.0)));
    let disc = add(&mut world, BodyDef::dynamic().at([3.0, 0.0]).shape(Shape::circle(1.0)));
    let one = join(&mut world, JointDef::revolute(None, driver).at([0.0, 0.0]));
    let two = join(&mut world, JointDef::revolute(None, disc).at([3.0, 0.0]));
    let gear = join(&mut world, JointDef::gear(one, two, 1.0));
    let steps = rounds(400, 1_200);
    run(&mut world, steps);
    let turned = 3.0 * steps as f64 / 60.0;
    check_range("turned, rad", f64::from(state(&world, two).angle) + turned, -0.1..=0.1);
    check_range("angle of the driver, rad", f64::from(state(&world, one).angle) - turned, -0.1..=0.1);
    check_range("gap, rad", state(&world, gear).gap, ..=1.0e-3);
}

/// A gear goes with a joint it couples, and when that joint is given to another body; nothing hangs
/// on a joint that is gone.
#[test]
fn a_gear_does_not_outlive_its_joints() {
    for given_away in [false, true] {
        for by_body in [false, true] {
            let mut world = space();
            let discs: Vec<BodyId> = (0..3)
                .map(|k| {
                    add(&mut world, BodyDef::dynamic().at([3.0 * k as f32, 0.0]).shape(Shape::circle(1.0)))
                })
                .collect();
            let hinge = |k: usize| JointDef::revolute(None, discs[k]).at([3.0 * k as f32, 0.0]);
            let (one, two) = (join(&mut world, hinge(0)), join(&mut world, hinge(1)));
            let gear = join(&mut world, JointDef::gear(one, two, 1.0).user_data(5));
            run(&mut world, 5);
            if given_away {
                change(&mut world, two, |def| {
                    def.body_b = discs[2];
                    def.anchor_a = Anchor::World(WorldPoint::from([6.0, 0.0]));
                });
                assert!(world.get_joint(gear).is_none(), "the gear is lost");
            }
            if by_body {
                world.remove(if given_away { discs[2] } else { discs[1] }).expect("it is there");
            } else {
                world.remove_joint(two).expect("it is there");
            }
            assert!(
                world.get_joint(gear).is_none(),
                "the gear is gone, given away {given_away}, by body {by_body}"
            );
            let count = world.joint_count();
            step(&mut world);
            let lost: Vec<JointId> = world.events().lost().iter().map(|event| event.joint).collect();
            assert!(lost.contains(&gear), "and that is told: {lost:?}");
            assert_eq!(count, 1);
            // What takes the place of the joint is not geared.
            join(&mut world, hinge(if given_away { 1 } else { 2 }));
            world.set_angular_velocity(discs[0], 2.0).expect("it is there");
            run(&mut world, 30);
            check_range("the first disc turns on, rad/s", world[discs[0]].angular_velocity(), 1.999..=2.001);
            valid(&world);
        }
    }
}

/// A planet on an arm that a motor turns round a sun, geared to the arm's own turn: it turns in the
/// world twice as fast as the arm.
#[test]
fn a_planet_turns_with_its_carrier() {
    turn_a_planet(&[(0.0, 100.0), (0.0, 1.0e6)]);
}

/// The same under a load.
#[test]
#[ignore = "unmet: 1.3e-3 rad off after 60 s under load"]
fn a_loaded_planet_turns_with_its_carrier() {
    turn_a_planet(&[(2.0, 100.0), (2.0, f32::INFINITY)]);
}

fn turn_a_planet(cases: &[(f32, f32)]) {
    for &(load, strength) in cases {
        let mut world = space();
        let sun = add(&mut world, BodyDef::fixed());
        let arm = add(&mut world, BodyDef::dynamic().at([1.0, 0.0]).shape(Shape::rect(2.0, 0.2)));
        let planet = add(&mut world, BodyDef::dynamic().at([2.0, 0.0]).shape(Shape::circle(0.7)));
        let carrier = JointDef::revolute(sun, arm).at([0.0, 0.0]).motor(1.0, strength);
        let carrier = join(&mut world, carrier);
        let axle = join(&mut world, JointDef::revolute(arm, planet).at([2.0, 0.0]));
        let gear = join(&mut world, JointDef::gear(carrier, axle, -1.0));
        let mut off = 0.0;
        for _ in 0..rounds(300, 3_600) {
            world.apply_torque(planet, -load).expect("it is there");
            step(&mut world);
            off = worst([off, f64::from(state(&world, gear).gap)]);
        }
        let what = format!("{load} N m on the planet, motor {strength} N m");
        check_range(&format!("{what}: gear off at any time, rad"), off, ..=0.01);
        check_range(&format!("{what}: in the end, rad"), state(&world, gear).gap, ..=1.0e-3);
        check_range(&format!("{what}: spin of the arm, rad/s"), world[arm].angular_velocity(), 0.99..=1.01);
        check_range(
            &format!("{what}: spin of the planet, rad/s"),
            world[planet].angular_velocity(),
            1.98..=2.02,
        );
    }
}

/// A heavy rack that falls along its guide turns its pinion: a = m g / (m + I / r²), to 1 %.
#[test]
fn a_rack_turns_its_pinion() {
    let mut world = earth();
    let wheel = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.5)));
    let rack = ShapeDef::from(Shape::rect(0.2, 4.0)).density(1.0);
    let rack = add(&mut world, BodyDef::dynamic().at([1.0, 0.0]).shape(rack));
    let hinge = join(&mut world, JointDef::revolute(None, wheel).at([0.0, 0.0]));
    let guide = join(&mut world, JointDef::prismatic(None, rack, [0.0, 1.0]).at([1.0, 0.0]));
    let gear = join(&mut world, JointDef::gear(guide, hinge, -0.5));
    run(&mut world, 60);
    let (mass, inertia) = (f64::from(world[rack].mass()), f64::from(world[wheel].inertia()));
    let wanted = -G * mass / (mass + inertia / 0.25);
    check_range("speed after a second, of a t", f64::from(world[rack].velocity().y) / wanted, 0.99..=1.01);
    check_range(
        "spin of the pinion, of v / r",
        f64::from(world[wheel].angular_velocity()) / (2.0 * wanted),
        0.99..=1.01,
    );
    check_range(
        "torque on the pinion, N m",
        f64::from(state(&world, gear).torque) / (2.0 * wanted * inertia),
        0.98..=1.02,
    );
    check_range("gear off, m", state(&world, gear).gap, ..=1.0e-3);
}

/// Two loads over two pulleys: when one is lifted by hand the rope hangs slack, with no force in
/// it, and is never longer than it is; let go, it is taut again.
#[test]
fn a_pulley_goes_slack_when_pushed() {
    let mut world = earth();
    let (a, b) = (bob(&mut world, [-1.0, -20.0], 1.0), bob(&mut world, [1.0, -20.0], 1.0));
    let pulley = join(&mut world, JointDef::pulley(a, b, [-1.0, 0.0], [1.0, 0.0], 1.0));
    run(&mut world, 60);
    check_range("equal loads: speed, m/s", top_speed(&world), ..=0.001);
    check_range(
        "force in the rope, of a load's weight",
        f64::from(state(&world, pulley).force.length()) / G,
        0.99..=1.01,
    );
    let mut longer = 0.0;
    let mut slack = 0;
    for number in 0..60 {
        // Three times its weight, up: it rises faster than the other falls.
        world.apply_force(a, [0.0, 3.0 * G as f32]).expect("it is there");
        step(&mut world);
        longer = worst([longer, f64::from(state(&world, pulley).gap)]);
        slack += usize::from(number > 5 && state(&world, pulley).force.length() < 0.01);
    }
    check_range("steps without force, of 54", slack as f64, 54.0..);
    check_range("longer than the rope, m", longer, ..=0.002);
    let fallen = f64::from(-20.0 - world[b].position().y);
    check_range("the other falls freely, of g t²/2", fallen / (0.5 * G), 0.97..=1.01);
    for _ in 0..300 {
        step(&mut world);
        longer = worst([longer, f64::from(state(&world, pulley).gap)]);
    }
    check_range("longer than the rope, after it snapped tight, m", longer, ..=0.02);
}

/// Atwood's machine, ratio 1: a = g (m2 - m1) / (m1 + m2); ratio 2, the second load on a loose
/// pulley: the first accelerates with g (2 m2 ... ) by T and ratio × T. Both to 1 %.
#[test]
fn loads_on_pulleys_accelerate_as_they_should() {
    for (ratio, m_a, m_b) in
        [(1.0_f64, 1.0_f64, 2.0_f64), (1.0, 5.0, 1.0), (2.0, 1.0, 3.0), (2.0, 2.0, 1.0), (0.5, 1.0, 1.0)]
    {
        let mut world = earth();
        let (a, b) = (bob(&mut world, [-1.0, -20.0], m_a as f32), bob(&mut world, [1.0, -20.0], m_b as f32));
        let pulley = join(&mut world, JointDef::pulley(a, b, [-1.0, 0.0], [1.0, 0.0], ratio as f32));
        // Up: x_a'' + ratio x_b'' = 0, m_a x_a'' = T - m_a g, m_b x_b'' = ratio T - m_b g.
        let tension = G * (1.0 + ratio) / (1.0 / m_a + ratio * ratio / m_b);
        let up = tension / m_a - G;
        run(&mut world, 60);
        let name = format!("ratio {ratio}, {m_a} and {m_b} kg");
        check_range(
            &format!("{name}: speed after a second, of a t"),
            f64::from(world[a].velocity().y) / up,
            0.99..=1.01,
        );
        check_range(
            &format!("{name}: of the other"),
            f64::from(world[b].velocity().y) / (-up / ratio),
            0.99..=1.01,
        );
        check_range(
            "force on B, of ratio × T",
            f64::from(state(&world, pulley).force.length()) / (ratio * tension),
            0.99..=1.01,
        );
        check_range("off its length, m", greatest_gap(&world), ..=1.0e-3);
    }
}
