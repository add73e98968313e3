//! Jointed bodies sleep and wake as one, and not while something moves them.

use super::{bob, change, join, state};
use carom::Drive;
use carom::prelude::*;
use testkit::rounds;
use testkit::worlds::{add, bits, box_on, check_range, ground, run, step};

/// A hanging chain with a little damping comes to rest and sleeps as one within 30 s; a touch of
/// its last link wakes all.
#[test]
fn a_hanging_chain_sleeps_and_wakes_as_one() {
    let mut world = World::default();
    let mut links = Vec::new();
    let count = rounds(4, 10);
    for k in 0..count {
        let at = [0.5 + k as f32, 0.0];
        let link = BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 0.2));
        let link = add(&mut world, BodyDef { linear_damping: 1.0, angular_damping: 1.0, ..link });
        join(&mut world, JointDef::revolute(links.last().copied(), link).at([k as f32, 0.0]));
        links.push(link);
    }
    let steps = (0..1_800)
        .find(|_| {
            step(&mut world);
            let awake = links.iter().filter(|&&id| world[id].is_awake()).count();
            assert!(awake == 0 || awake == count, "all or none: {awake}");
            awake == 0
        })
        .map_or(1_800, |number| number + 1);
    check_range("steps until it sleeps", f64::from(steps), ..=1_799.0);
    let before = bits(&world);
    run(&mut world, 60);
    assert_eq!(before, bits(&world), "a sleeping world keeps its bits");
    world.apply_impulse(links[count - 1], [0.1, 0.0]).expect("it is there");
    step(&mut world);
    assert!(links.iter().all(|&id| world[id].is_awake()), "all wake");
    run(&mut world, rounds(200, 600));
    let last = links[count - 1];
    let ball =
        BodyDef::dynamic().at(world[last].world_position().offset(vec2(-2.0, 0.0))).velocity([8.0, 2.0]);
    add(&mut world, ball.shape(Shape::circle(0.2)));
    for _ in 0..60 {
        step(&mut world);
        let struck = world.events().begun().iter().any(|touch| [touch.body_a, touch.body_b].contains(&last));
        if struck {
            step(&mut world);
            assert!(links.iter().all(|&id| world[id].is_awake()), "all wake by a touch");
            return;
        }
    }
    panic!("the ball struck nothing");
}

/// Two crates side by side, joined by each kind, fall asleep in the same step; removing the joint,
/// changing it, pushing one or putting one elsewhere wakes both.
#[test]
fn jointed_bodies_sleep_and_wake_together() {
    type Make = fn(BodyId, BodyId) -> JointDef;
    let kinds: [(&str, Make); 8] = [
        ("hinge", |a, b| JointDef::revolute(a, b)),
        ("slider", |a, b| JointDef::prismatic(a, b, [1.0, 0.0])),
        ("rod", |a, b| JointDef::distance(a, b)),
        ("rope", |a, b| JointDef::rope(a, b, 9.0)),
        ("glue", |a, b| JointDef::weld(a, b)),
        ("wheel", |a, b| JointDef::wheel(a, b, [1.0, 0.0], Spring::new(2.0, 1.0)).at([1.0, 0.5])),
        ("friction", |a, b| JointDef::friction(a, b, 5.0, 5.0)),
        ("pulley", |a, b| JointDef::pulley(a, b, [0.0, 3.0], [2.0, 3.0], 1.0)),
    ];
    for (row, (name, make)) in kinds.into_iter().enumerate() {
        for (column, how) in ["remove", "change", "push", "teleport", "wake"].into_iter().enumerate() {
            // A fifth of it in debug builds.
            if cfg!(debug_assertions) && row % 5 != column {
                continue;
            }
            let mut world = World::default();
            ground(&mut world);
            let (a, b) = (box_on(&mut world, 0.0, 0.0, [1.0, 1.0]), box_on(&mut world, 0.0, 2.0, [1.0, 1.0]));
            let joint = join(&mut world, make(a, b).at([1.0, 0.5]));
            if name == "rod" || name == "rope" {
                change(&mut world, joint, |def| *def = def.anchors([0.0, 0.0], [0.0, 0.0]));
            }
            let mut slept = Vec::new();
            for number in 0..240 {
                step(&mut world);
                slept.extend(world.events().slept().iter().map(|_| number));
            }
            assert_eq!(slept.len(), 2, "{name}: both sleep, once: {slept:?}");
            assert_eq!(slept[0], slept[1], "{name}: in the same step");
            match how {
                "remove" => world.remove_joint(joint),
                "change" => world.change_joint(joint, |def| def.user_data = 3),
                "push" => world.apply_impulse(b, [0.0, 0.01]),
                "teleport" => world.teleport(a, [0.0, 0.6], 0.0),
                _ => world.wake_up(a),
            }
            .expect("it is there");
            assert!(world[a].is_awake() && world[b].is_awake(), "{name}: {how} wakes both");
        }
    }
}

/// What hangs on a kinematic body, or by a motor that runs, does not sleep while that moves; it
/// does when it stops, and wakes when it starts.
#[test]
fn nothing_sleeps_that_is_being_moved() {
    for slow in [0.5_f32, 0.01] {
        let mut world = World::default();
        let hand = add(&mut world, BodyDef::kinematic().velocity([slow, 0.0]));
        let load = bob(&mut world, [0.0, -1.0], 1.0);
        world.set_velocity(load, [slow, 0.0]).expect("it is there");
        let rod = join(&mut world, JointDef::distance(hand, load).between([0.0, 0.0], [0.0, -1.0]));
        for number in 0..300 {
            step(&mut world);
            assert!(world[load].is_awake(), "asleep on a hand at {slow} m/s after {number} steps");
        }
        check_range("gap, m", state(&world, rod).gap, ..=1.0e-3);
        world.set_velocity(hand, [0.0, 0.0]).expect("it is there");
        world.set_velocity(load, [0.0, 0.0]).expect("it is there");
        run(&mut world, 240);
        assert!(!world[load].is_awake(), "asleep on a hand that stands still");
        let place = world[hand].position();
        world.move_to(hand, place + vec2(0.0, 0.1), 0.0).expect("it is kinematic");
        step(&mut world);
        assert!(world[load].is_awake(), "a hand that starts wakes its load");
        check_range("gap, m", state(&world, rod).gap, ..=0.002);
    }
    // A motor so slow that its wheel counts as resting.
    let mut world = World::default();
    let wheel = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
    let axle = join(&mut world, JointDef::revolute(None, wheel).motor(0.02, 100.0));
    run(&mut world, 600);
    assert!(world[wheel].is_awake(), "a motor runs");
    check_range("turned by a slow motor, rad", state(&world, axle).angle, 0.198..=0.202);
    change(&mut world, axle, |def| *def = def.motor(0.0, 100.0));
    run(&mut world, 120);
    assert!(!world[wheel].is_awake(), "a brake does not keep it awake");
    change(&mut world, axle, |def| *def = def.motor(2.0, 100.0));
    run(&mut world, 60);
    check_range("speed after it is switched on, rad/s", state(&world, axle).angular_speed, 1.99..=2.01);
    // A suspension that is driven is a motor, too.
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let base = add(&mut world, BodyDef::fixed());
    let lift = bob(&mut world, [0.0, 0.0], 1.0);
    let driven = JointDef::wheel(base, lift, [0.0, 1.0], Spring::new(2.0, 1.0));
    let lift_joint = join(&mut world, driven.suspension(Drive::default().motor(0.02, 100.0)));
    run(&mut world, 600);
    check_range("way of a slow lift, m", state(&world, lift_joint).length, 0.198..=0.202);
}

/// One of two crates glued together is told to sleep; the other is struck: both move, within 2
/// steps.
#[test]
fn a_sleeper_wakes_when_it_is_pulled() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let (a, b) = (bob(&mut world, [0.0, 0.0], 1.0), bob(&mut world, [1.0, 0.0], 1.0));
    join(&mut world, JointDef::weld(a, b).at([0.5, 0.0]));
    world.put_to_sleep(a).expect("it is there");
    step(&mut world);
    let ball = BodyDef::dynamic().at([1.0, -1.0]).velocity([0.0, 10.0]).shape(Shape::circle(0.1));
    add(&mut world, ball);
    for _ in 0..60 {
        step(&mut world);
        if !world.events().begun().is_empty() {
            run(&mut world, 2);
            assert!(world[a].is_awake() && world[b].is_awake(), "both are awake");
            run(&mut world, 30);
            check_range("the struck one has come, m", world[b].position().y, 0.1..);
            return;
        }
    }
    panic!("the ball struck nothing");
}

/// 400 sleeping chains of five links: no body is awake, nothing is told, and no bit changes.
#[test]
fn sleeping_joints_rest() {
    let mut world = World::default();
    for k in 0..rounds(20, 400) {
        let mut before = None;
        for link in 0..5 {
            let at = [3.0 * k as f32, -0.5 * link as f32];
            let body = bob(&mut world, at, 1.0);
            join(&mut world, JointDef::revolute(before, body).at([at[0], at[1] + 0.25]));
            before = Some(body);
        }
    }
    run(&mut world, 120);
    let stats = world.step(1.0 / 60.0).expect("dt is in range");
    assert_eq!((stats.awake, stats.contacts), (0, 0), "all sleep");
    let before = bits(&world);
    run(&mut world, 30);
    assert_eq!(before, bits(&world));
    assert!(world.events().slept().is_empty() && world.events().woken().is_empty());
}
