//! What gives way, and how far; what cannot, and is refused; and what each part of a joint is told
//! to do and does.

use carom::prelude::*;
use carom::{Drive, Error, RangeEnd};
use core::f64::consts::TAU;

use super::{G, bob, change, join, rod, state, worst};
use testkit::worlds::{add, bits, check_range, earth, run, space, step};

/// A ball on a rubber band of 1 m hangs lower by g / (2π f)², to 1 %; let go at its nail it falls
/// freely for 1 m.
#[test]
fn a_soft_rope_is_a_rubber_band() {
    for hertz in [1.0_f64, 2.0, 5.0] {
        let mut world = earth();
        let ball = bob(&mut world, [0.0, 0.0], 3.0);
        let band = JointDef::rope(None, ball, 1.0).anchors([0.0, 0.0], [0.0, 0.0]);
        let band = join(&mut world, band.soft(Spring::new(hertz as f32, 0.2)));
        run(&mut world, 20);
        let fallen = f64::from(state(&world, band).length);
        check_range("way while slack, of g t²/2", fallen / (0.5 * G / 9.0), 0.99..=1.01);
        check_range("force while slack, N", state(&world, band).force.length(), ..=0.0);
        run(&mut world, 1_200);
        let sag = f64::from(state(&world, band).length) - 1.0;
        check_range(
            &format!("{hertz} Hz: sag, of g / (2π f)²"),
            sag / (G / (TAU * hertz).powi(2)),
            0.99..=1.01,
        );
        check_range(
            "its spring, of the weight",
            f64::from(state(&world, band).drive.servo) / (-3.0 * G),
            0.99..=1.01,
        );
    }
}

/// A rod with limits is a telescope: free between them, and as hard as any rod at either end.
#[test]
fn a_rod_with_limits_is_a_telescope() {
    let mut world = earth();
    let ball = bob(&mut world, [0.0, -0.8], 2.0);
    let rod = JointDef::distance(None, ball).limits(0.5, 1.0).between([0.0, 0.0], [0.0, -0.8]);
    let rod = join(&mut world, rod);
    run(&mut world, 60);
    check_range("hangs at, m", state(&world, rod).length, 0.999..=1.001);
    assert_eq!(state(&world, rod).drive.at_limit, Some(RangeEnd::Upper));
    check_range(
        "its limit bears, of the weight",
        f64::from(state(&world, rod).drive.limits) / (-2.0 * G),
        0.99..=1.01,
    );
    world.set_velocity(ball, [0.0, 9.0]).expect("it is there");
    let (mut least, mut most) = (1.0_f64, 0.0);
    for _ in 0..120 {
        step(&mut world);
        let length = f64::from(state(&world, rod).length);
        (least, most) = (least.min(length), worst([most, length]));
    }
    check_range("shortest, m", least, 0.495..=0.51);
    check_range("longest, m", most, 0.99..=1.005);
}

/// A soft rod pulls with no more than it may: 1 kg on a spring of at most 5 N falls with g - 5;
/// pushed together it does not push. Within its limits it stops.
#[test]
fn a_soft_rod_has_a_range_of_forces() {
    let mut world = earth();
    let ball = bob(&mut world, [0.0, -1.0], 1.0);
    let spring =
        JointDef::distance(None, ball).length(0.1).soft(Spring::new(5.0, 1.0)).force_range(-5.0, 0.0);
    let spring = join(&mut world, spring.between([0.0, 0.0], [0.0, -1.0]).limits(0.0, 3.0));
    run(&mut world, 30);
    check_range(
        "speed after 0.5 s, of (g - 5) t",
        -f64::from(world[ball].velocity().y) / (0.5 * (G - 5.0)),
        0.99..=1.01,
    );
    run(&mut world, 120);
    let now = state(&world, spring);
    check_range("it ends at, m", now.length, 2.995..=3.005);
    check_range("spring, N", now.drive.servo, -5.01..=-4.99);
    check_range("limits, N", f64::from(now.drive.limits), -G + 4.9..=-G + 5.1);
    change(&mut world, spring, |def| *def = def.length(5.0));
    run(&mut world, 30);
    check_range("it does not push, N", state(&world, spring).drive.servo, 0.0..=0.0);
}

/// What a kind does not have is refused, by name, when it is added and when it is changed, and
/// nothing in the world is another.
#[test]
fn what_a_kind_does_not_have_is_refused() {
    let spring = Spring::new(2.0, 0.5);
    let mut world = earth();
    let (a, b) = (rod(&mut world, [0.0, 0.0], 1.0), rod(&mut world, [2.0, 0.0], 1.0));
    let hinges = [a, b].map(|body| join(&mut world, JointDef::revolute(None, body)));
    let gear = JointDef::gear(hinges[0], hinges[1], 1.0);
    let pulley = JointDef::pulley(a, b, [0.0, 5.0], [2.0, 5.0], 1.0);
    let (rope, glue, rod) = (JointDef::rope(a, b, 3.0), JointDef::weld(a, b), JointDef::distance(a, b));
    let (arm, rub) = (JointDef::motor_to(a, b, spring), JointDef::friction(a, b, 1.0, 1.0));
    let hinge = JointDef::revolute(a, b);
    let refused = [
        gear.soft(spring),
        pulley.soft(spring),
        JointDef::filter(a, b).soft(spring),
        arm.soft(spring),
        rub.soft(spring),
        gear.limits(0.0, 1.0),
        pulley.motor(1.0, 1.0),
        arm.servo(0.0, spring),
        rub.motor(1.0, 1.0),
        glue.limits(0.0, 1.0),
        rod.motor(1.0, 1.0),
        rod.servo(1.0, spring),
        rod.soft(spring).servo(1.0, spring),
        rod.force_range(-1.0, 1.0),
        rope.soft(spring).servo(1.0, spring),
        rope.limits(0.0, f32::INFINITY).soft(spring),
        hinge.length(1.0),
        hinge.bend(spring),
        hinge.axis([1.0, 0.0]),
        hinge.to([0.0, 0.0], 0.0),
        hinge.strength(1.0, 1.0),
        hinge.ratio(1.0),
        hinge.drag_to([0.0, 0.0]),
        hinge.force_range(-1.0, 1.0),
        rope.suspension(Drive::default()),
    ];
    let kept = join(&mut world, glue.bend(spring).soft(spring));
    let before = (bits(&world), world.joint_count(), *world[kept].def());
    for def in refused {
        let answers = [world.add_joint(def).map(|_| ()), world.change_joint(kept, |old| *old = def)];
        for answer in answers {
            assert!(matches!(answer, Err(Error::WrongKind(_))), "{answer:?}: {def:?}");
        }
        assert_eq!((bits(&world), world.joint_count(), *world[kept].def()), before);
    }
}

/// A lift that its motor presses against its upper stop, on the way there and when it is braked:
/// the motor, the stop and the spring of its car are told apart, and add up to what it bears.
#[test]
fn motor_servo_and_limits_are_told_apart() {
    let mut world = earth();
    let car = bob(&mut world, [0.0, 0.0], 2.0);
    let lift = JointDef::prismatic(None, car, [0.0, 1.0]).limits(-1.0, 1.0).motor(1.0, 100.0);
    let lift = join(&mut world, lift.servo(1.0, Spring::new(0.5, 0.0)));
    run(&mut world, 30);
    let now = state(&world, lift);
    assert_eq!(now.drive.at_limit, None);
    check_range("limits on its way, N", now.drive.limits, 0.0..=0.0);
    check_range("speed, m/s", now.speed, 0.99..=1.01);
    let spring = 2.0 * (TAU * 0.5).powi(2) * (1.0 - f64::from(now.length));
    check_range("spring, of m (2π f)² x", f64::from(now.drive.servo) / spring, 0.97..=1.03);
    check_range("all of it, N", f64::from(now.drive.servo + now.drive.motor), 2.0 * G - 0.5..=2.0 * G + 0.5);
    run(&mut world, 90);
    let now = state(&world, lift);
    assert_eq!(now.drive.at_limit, Some(RangeEnd::Upper));
    check_range("motor at its stop, N", now.drive.motor, 99.9..=100.1);
    check_range("stop, N", f64::from(now.drive.limits), 2.0 * G - 100.5..=2.0 * G - 99.5);
    check_range("on the car, N", f64::from(now.force.y), 2.0 * G - 0.1..=2.0 * G + 0.1);
    change(&mut world, lift, |def| *def = def.motor(-2.0, 100.0));
    run(&mut world, 120);
    assert_eq!(state(&world, lift).drive.at_limit, Some(RangeEnd::Lower));
    // A wheel has two: its turning, and its suspension.
    let mut world = space();
    let base = add(&mut world, BodyDef::fixed());
    let wheel = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.5)));
    let axle = JointDef::wheel(base, wheel, [0.0, 1.0], Spring::new(2.0, 1.0)).motor(1.0e3, 3.0);
    let axle = join(&mut world, axle);
    for _ in 0..60 {
        world.apply_force(wheel, [0.0, -5.0]).expect("it is there");
        step(&mut world);
    }
    let now = state(&world, axle);
    check_range("torque of the motor, N m", now.drive.motor, 2.99..=3.01);
    check_range("force of the suspension, N", now.suspension.servo, 4.95..=5.05);
}

/// A pulley's length is that of its rope on both sides, and its speed how fast that changes; a gear
/// has neither, nor an angle.
#[test]
fn couplings_say_what_they_have() {
    let mut world = space();
    let (a, b) = (bob(&mut world, [-1.0, -2.0], 1.0), bob(&mut world, [1.0, -3.0], 1.0));
    let pulley = join(&mut world, JointDef::pulley(a, b, [-1.0, 0.0], [1.0, 0.0], 2.0));
    world.set_velocity(a, [0.0, 1.0]).expect("it is there");
    let now = state(&world, pulley);
    check_range("length, m", now.length, 7.999..=8.001);
    check_range("speed, m/s", now.speed, -1.001..=-0.999);
    let hinges = [a, b].map(|body| join(&mut world, JointDef::revolute(None, body)));
    let gear = join(&mut world, JointDef::gear(hinges[0], hinges[1], 1.0));
    world.set_angular_velocity(a, 1.0).expect("it is there");
    let now = state(&world, gear);
    assert_eq!((now.angle, now.angular_speed, now.length, now.speed), (0.0, 0.0, 0.0, 0.0));
}
