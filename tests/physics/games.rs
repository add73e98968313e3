//! Games: a loop whose frames and steps do not coincide.

use carom::prelude::*;

use testkit::random::Random;
use testkit::worlds::{add, check_range, earth, space, step};

/// 1,440 frames of 1/144 s are 600 steps of 1/60 s, give or take one; alpha is always in [0, 1).
#[test]
fn ten_seconds_of_frames_are_ten_seconds_of_steps() {
    for (frames, rate) in [(1_440, 144.0_f32), (600, 60.0), (300, 30.0), (2_400, 240.0), (599, 59.94)] {
        let mut clock = FixedStep::hz(60.0);
        let mut steps = 0;
        for frame in 0..frames {
            steps += clock.advance(1.0 / rate);
            let alpha = clock.alpha();
            assert!((0.0..1.0).contains(&alpha), "frame {frame} at {rate}: alpha {alpha}");
        }
        let wanted = f64::from(frames) / f64::from(rate) * 60.0;
        check_range(&format!("steps of {frames} frames at {rate} Hz"), steps, wanted - 1.0..=wanted + 1.0);
    }
}

/// Random frames of 0 to 40 ms: the steps made and the time that waits add up to the time that
/// went, after an hour.
#[test]
fn no_time_is_lost_over_an_hour() {
    let mut random = Random::new(71);
    let mut clock = FixedStep::hz(60.0);
    let (mut time, mut steps) = (0.0_f64, 0_u64);
    while time < 3_600.0 {
        let frame = random.range(0.0, 0.04) as f32;
        time += f64::from(frame);
        steps += u64::from(clock.advance(frame));
        assert_eq!(clock.dropped(), 0);
    }
    let counted = steps as f64 + f64::from(clock.alpha());
    check_range("steps off the time", counted - time * 60.0, -0.001..=0.001);
}

/// A hitch of 10 s makes at most eight steps, tells how many it dropped, and the next frame is a
/// normal one; frame times that are none (NaN, infinite, negative) count as nothing.
#[test]
fn a_hitch_and_a_broken_clock_are_survived() {
    let mut clock = FixedStep::hz(60.0);
    assert_eq!(clock.advance(0.01), 0);
    assert_eq!(clock.advance(10.0), 8, "at most eight");
    check_range("steps dropped", clock.dropped() as f64, 591.0..=593.0);
    assert!((0.0..1.0).contains(&clock.alpha()));
    assert!(clock.advance(1.0 / 60.0) <= 2, "no debt is left");
    assert_eq!(clock.dropped(), 0);
    let alpha = clock.alpha();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, -0.0] {
        assert_eq!(clock.advance(bad), 0, "{bad}");
        assert_eq!(clock.alpha().to_bits(), alpha.to_bits(), "{bad}");
    }
    let steps: u32 = (0..60).map(|_| clock.advance(1.0 / 60.0)).sum();
    check_range("steps of the second after", steps, 59.0..=61.0);
}

/// A ball at 6 m/s, drawn at 47 Hz while steps go at 60 Hz, so that some frames make two steps and
/// some one: it is drawn between the places of the last two steps, to 1e-5 m, and from frame to
/// frame it goes 6 m/s, to 1e-4 m.
#[test]
fn frames_with_two_steps_are_drawn_evenly() {
    let mut world = space();
    let ball = BodyDef::dynamic().velocity([6.0, 0.0]).spin(1.0).shape(Shape::circle(0.5));
    let ball = add(&mut world, ball);
    let mut clock = FixedStep::hz(60.0);
    let mut ends = [world[ball].transform(); 2];
    let (mut drawn, mut most) = (Vec::new(), 0);
    let higher = |a: f32, b: f32| if b > a { b } else { a };
    let (mut off, mut turned) = (0.0, 0.0);
    for _ in 0..470 {
        let steps = clock.advance(1.0 / 47.0);
        most = if steps > most { steps } else { most };
        for _ in 0..steps {
            step(&mut world);
            ends = [ends[1], world[ball].transform()];
        }
        let pose = world.poses_at(clock.alpha())[ball.index()];
        let between = ends[0].position + (ends[1].position - ends[0].position) * clock.alpha();
        off = higher(off, (pose.position - between).length());
        let turn = (ends[0].rotation.inverse() * ends[1].rotation).angle() * clock.alpha();
        let wanted = ends[0].rotation * Rot::from_angle(turn);
        turned = higher(turned, (wanted.inverse() * pose.rotation).sin.abs());
        drawn.push(pose.position.x);
    }
    assert_eq!(most, 2, "some frames make two steps");
    check_range("off the line between two steps, m", off, ..=1.0e-5);
    check_range("off the turn between two steps, rad", turned, ..=1.0e-5);
    // The first frames are before the first step.
    let uneven = drawn[2..].windows(2).map(|pair| (pair[1] - pair[0] - 6.0 / 47.0).abs()).fold(0.0, higher);
    check_range("off the even way from frame to frame, m", uneven, ..=1.0e-4);
}

/// A ball that is teleported between two steps is never drawn between the old place and the new
/// one, at any alpha, before or after the next step; nor is one that was added, or one that took
/// the place of a removed body.
#[test]
fn a_teleport_does_not_smear() {
    let alphas = [0.0, 0.25, 0.5, 0.75, 0.99, 1.0];
    let mut world = earth();
    let ball = BodyDef::dynamic().velocity([6.0, 0.0]).shape(Shape::circle(0.5));
    let ball = add(&mut world, ball);
    for _ in 0..10 {
        step(&mut world);
        let _ = world.poses_at(0.5);
    }
    world.teleport(ball, [100.0, 50.0], 1.0).expect("it is there");
    for stage in ["before the step", "after it"] {
        for alpha in alphas {
            let pose = world.poses_at(alpha)[ball.index()];
            let off = (pose.position - vec2(100.0, 50.0)).length();
            // In a step it goes 0.1 m sideways and 3 cm down.
            assert!(off < 0.2, "{stage}, alpha {alpha}: drawn at {}", pose.position);
        }
        step(&mut world);
    }
    world.remove(ball).expect("it is there");
    let other = add(&mut world, BodyDef::fixed().at([-70.0, 0.0]).shape(Shape::circle(0.5)));
    assert_eq!(other.index(), ball.index(), "it takes the place");
    for _ in 0..2 {
        for alpha in alphas {
            assert_eq!(world.poses_at(alpha)[other.index()].position, vec2(-70.0, 0.0), "alpha {alpha}");
        }
        step(&mut world);
    }
}

/// A teleport within a frame that then makes its step: the way drawn afterwards starts at the new
/// place.
#[test]
fn after_a_teleport_the_next_way_starts_at_the_new_place() {
    let mut world = space();
    let ball = add(&mut world, BodyDef::dynamic().velocity([6.0, 0.0]).shape(Shape::circle(0.5)));
    step(&mut world);
    let _ = world.poses_at(0.5);
    world.teleport(ball, [20.0, 0.0], 0.0).expect("it is there");
    step(&mut world);
    for (alpha, x) in [(0.0, 20.0), (0.5, 20.05), (1.0, 20.1)] {
        let drawn = world.poses_at(alpha)[ball.index()].position.x;
        check_range(&format!("drawn at alpha {alpha}, m"), drawn, x - 1.0e-4..=x + 1.0e-4);
    }
}

/// What does not move is drawn where it stands; a body in flight that falls asleep, is disabled or
/// removed leaves no ghost.
#[test]
fn resting_and_missing_bodies_leave_no_ghost() {
    let mut world = earth();
    let block = add(&mut world, BodyDef::fixed().at([3.0, 4.0]).angle(0.5).shape(Shape::rect(1.0, 1.0)));
    let flier = add(&mut world, BodyDef::dynamic().velocity([50.0, 0.0]).shape(Shape::circle(0.5)));
    let asleep =
        add(&mut world, BodyDef::dynamic().at([0.0, 90.0]).velocity([50.0, 0.0]).shape(Shape::circle(0.5)));
    step(&mut world);
    let _ = world.poses_at(0.5);
    world.put_to_sleep(asleep).expect("it is there");
    step(&mut world);
    step(&mut world);
    let resting = world[asleep].position();
    world.set_enabled(flier, false).expect("it is there");
    for alpha in [0.0, 0.5, 1.0] {
        let poses = world.poses_at(alpha);
        assert_eq!(
            (poses[block.index()].position, poses[asleep.index()].position),
            (vec2(3.0, 4.0), resting)
        );
        assert!(!poses[flier.index()].is_somewhere(), "a disabled body is not drawn");
    }
    world.remove(flier).expect("it is there");
    step(&mut world);
    assert!(!world.poses()[flier.index()].is_somewhere());
}
