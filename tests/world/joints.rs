//! Joints as an interface: what is refused, what is read back, which ids live, what is told; and
//! that equal worlds stay equal.

use carom::prelude::*;
use carom::{Error, IVec2, JointKind};

use testkit::joint_defs::{every_kind, numbers};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, bits, check_range, difference, earth, run, space, step, step_by, valid};

/// Two crates a metre apart, each on a hinge of its own.
fn pair() -> (World, [BodyId; 2], [JointId; 2]) {
    let mut world = earth();
    let bodies =
        [0.0, 1.0].map(|x| add(&mut world, BodyDef::dynamic().at([x, 0.0]).shape(Shape::rect(0.5, 0.5))));
    let hinges = bodies.map(|body| {
        let hinge = JointDef::revolute(None, body).anchors([0.5, 1.0], [0.0, 0.5]);
        world.add_joint(hinge).expect("it breaks no rule")
    });
    (world, bodies, hinges)
}

const BAD: [f32; 11] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, -1.0, 1.0e30, -1.0e30, 1.0e-40, f32::MAX, 1.0e9];

/// Nothing in the world is NaN or infinite.
#[track_caller]
fn finite(world: &World, what: &str) {
    for (id, body) in world.bodies() {
        let place = body.world_position();
        let numbers = [body.velocity().x, body.velocity().y, body.angular_velocity(), body.angle()];
        assert!(place.is_valid() && numbers.iter().all(|x| x.is_finite()), "{what}: {id} {body:?}");
    }
    for (id, _) in world.joints() {
        let state = world.joint_state(id).expect("it is there");
        let numbers =
            [state.gap, state.twist, state.angle, state.length, state.torque, state.force.x, state.force.y];
        assert!(numbers.iter().all(|x| x.is_finite()), "{what}: {state:?}");
    }
}

/// A bad number in each place of each kind, added and changed to: refused, with the world as it was
/// to the bit; or taken, and then nothing is NaN after 100 steps.
#[test]
fn bad_numbers_are_refused_or_mean_something() {
    let (mut refused, mut taken) = (0_usize, 0_usize);
    let kinds = {
        let (_, [a, b], hinges) = pair();
        every_kind(a, b, hinges)
    };
    for good in kinds {
        let count = numbers(&mut good.clone()).len();
        for place in 0..count {
            for (index, bad) in BAD.into_iter().enumerate() {
                // A seventh of them in debug builds.
                if cfg!(debug_assertions) && (place + index) % 7 != 0 {
                    continue;
                }
                let mut def = good;
                *numbers(&mut def)[place] = bad;
                for change in [false, true] {
                    let (mut world, ..) = pair();
                    let what = format!("place {place} of {:?} is {bad}, change {change}", good.kind);
                    let joint = change.then(|| world.add_joint(good).expect("it breaks no rule"));
                    step(&mut world);
                    let before = (bits(&world), joint.map(|id| *world[id].def()), world.joint_count());
                    let answer = match joint {
                        Some(id) => world.change_joint(id, |old| *old = def).map(|()| id),
                        None => world.add_joint(def),
                    };
                    match answer {
                        Err(error) => {
                            assert!(!error.to_string().is_empty());
                            let now = (bits(&world), joint.map(|id| *world[id].def()), world.joint_count());
                            assert_eq!(before, now, "{what}");
                            refused += 1;
                        }
                        Ok(_) => {
                            assert!(!bad.is_nan(), "{what}: taken");
                            for _ in 0..rounds(4, 100) {
                                world.step(DT).expect("dt is in range");
                                finite(&world, &what);
                            }
                            valid(&world);
                            taken += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{refused} refused, {taken} taken");
    let wanted = rounds(90, 500);
    assert!(refused > wanted && taken > wanted);
}

/// Steps of bad length are refused; one of no length with every kind of joint keeps all bits.
#[test]
fn steps_of_no_length_move_nothing() {
    let (mut world, [a, b], hinges) = pair();
    for def in every_kind(a, b, hinges) {
        world.add_joint(def).expect("it breaks no rule");
    }
    for _ in 0..30 {
        let before = bits(&world);
        for _ in 0..3 {
            step_by(&mut world, 0.0);
        }
        assert_eq!(before, bits(&world));
        step(&mut world);
        finite(&world, "all kinds at once");
    }
}

/// Read-back: a chain of three, a motor that has turned ten times, a slider, a rod that was pulled
/// apart.
#[test]
fn joint_states_match_the_scene() {
    let mut world = earth();
    let ball = |world: &mut World, y: f32| {
        let shape = ShapeDef { weight: carom::Weight::Mass(2.0), ..Shape::circle(0.1).into() };
        add(world, BodyDef::dynamic().at([0.0, y]).shape(shape))
    };
    let mut before = None;
    let chain: Vec<JointId> = (0..3)
        .map(|k| {
            let body = ball(&mut world, -(k as f32) - 1.0);
            let joint = JointDef::revolute(before, body).at([0.0, -(k as f32) - 0.5]);
            before = Some(body);
            world.add_joint(joint).expect("it breaks no rule")
        })
        .collect();
    run(&mut world, 60);
    for (k, &joint) in chain.iter().enumerate() {
        let state = world.joint_state(joint).expect("it is there");
        let weight = (3 - k) as f64 * 2.0 * 9.81;
        check_range("force on B, of what hangs on it", f64::from(state.force.y) / weight, 0.995..=1.005);
        check_range("torque of a free hinge, N m", state.torque.abs(), ..=1.0e-4);
        let at = WorldPoint::from([0.0, -(k as f32) - 0.5]);
        assert!(state.anchor_a.to(at).length() < 1e-5 && state.anchor_b.to(at).length() < 1e-5);
    }
    let mut world = space();
    let disc = add(&mut world, BodyDef::dynamic().shape(Shape::circle(1.0)));
    let motor = JointDef::revolute(None, disc).motor(4.0, f32::INFINITY);
    let motor = world.add_joint(motor).expect("it breaks no rule");
    for sign in [1.0, -1.0] {
        world
            .change_joint(motor, |def| *def = def.motor(4.0 * sign as f32, f32::INFINITY))
            .expect("it is there");
        let start = f64::from(world.joint_state(motor).expect("it is there").angle);
        run(&mut world, 943);
        let state = world.joint_state(motor).expect("it is there");
        check_range("ten turns, rad", sign * (f64::from(state.angle) - start), 62.8..=62.9);
        check_range("speed with its sign, rad/s", sign * f64::from(state.angular_speed), 3.999..=4.001);
    }
    // With a zero of its own.
    let zero = world.add_joint(JointDef::revolute(None, disc).angle(1.0)).expect("it breaks no rule");
    let angle = world.joint_state(zero).expect("it is there").angle;
    assert!((f64::from(angle) - f64::from(world[disc].angle()) + 1.0).abs() < 1.0e-5, "{angle}");
    // A slider that goes back.
    let sledge =
        add(&mut world, BodyDef::dynamic().at([5.0, 0.0]).velocity([-3.0, -4.0]).shape(Shape::circle(0.2)));
    let axis = JointDef::prismatic(None, sledge, [6.0, 8.0]).at([5.0, 0.0]);
    let axis = world.add_joint(axis).expect("it breaks no rule");
    run(&mut world, 60);
    let state = world.joint_state(axis).expect("it is there");
    check_range("way of a slider, m", state.length, -5.001..=-4.999);
    check_range("speed of a slider, m/s", state.speed, -5.001..=-4.999);
    // A rod whose ball was put elsewhere.
    let bob = add(&mut world, BodyDef::dynamic().at([0.0, 9.0]).shape(Shape::circle(0.2)));
    let rod = world
        .add_joint(JointDef::distance(None, bob).between([0.0, 10.0], [0.0, 9.0]))
        .expect("no rule broken");
    world.teleport(bob, [0.0, 6.0], 0.0).expect("it is there");
    let gap = |world: &World| f64::from(world.joint_state(rod).expect("it is there").gap);
    check_range("gap of a rod pulled apart, m", gap(&world), 2.999..=3.001);
    let mut fastest = 0.0;
    for _ in 0..60 {
        let before = gap(&world);
        step(&mut world);
        let speed = (before - gap(&world)) * 60.0;
        fastest = if speed > fastest { speed } else { fastest };
    }
    check_range("fastest that it closes, m/s", fastest, 1.0..=10.5);
    check_range("gap after a second, m", gap(&world), ..=0.001);
}

/// The definition can be read back with everything filled in, and adding that again makes the same
/// joint.
#[test]
fn a_definition_is_read_back_filled_in() {
    let (mut world, [a, b], hinges) = pair();
    for def in every_kind(a, b, hinges) {
        let def = def.user_data(9);
        let id = world.add_joint(def).expect("it breaks no rule");
        let kept = *world[id].def();
        assert_eq!((kept.user_data, world[id].user_data(), kept.drive), (9, 9, def.drive));
        assert!(kept.angle.is_some(), "{:?}", kept.kind);
        match kept.kind {
            JointKind::Distance { length, .. } | JointKind::Pulley { length, .. } => {
                assert!(length.is_some())
            }
            _ => {}
        }
        let again = world.add_joint(kept).expect("what was kept is taken");
        assert_eq!(*world[again].def(), kept);
        // A change that changes nothing.
        world.change_joint(id, |_| {}).expect("it breaks no rule");
        assert_eq!(*world[id].def(), kept);
        let of_b: Vec<JointId> = world.joints_of(kept.body_b).map(|(id, _)| id).collect();
        assert!(of_b.contains(&id) && of_b.contains(&again));
        world.remove_joint(id).expect("it is there");
        world.remove_joint(again).expect("it is there");
    }
    assert_eq!(world.joint_count(), 2);
    assert_eq!(world.joints().map(|(id, _)| id).collect::<Vec<_>>(), hinges);
}

/// Ids that are gone, of bodies and joints, joints to themselves, gears of what cannot be geared:
/// refused by name, and nothing changes.
#[test]
fn dead_ids_are_refused() {
    let (mut world, [a, b], [one, two]) = pair();
    let ghost = add(&mut world, BodyDef::dynamic());
    world.remove(ghost).expect("it is there");
    let gone = world.add_joint(JointDef::weld(a, b)).expect("it breaks no rule");
    let rod = world.add_joint(JointDef::distance(a, b)).expect("it breaks no rule");
    world.remove_joint(gone).expect("it is there");
    // Its place is taken by another.
    let tenant = world.add_joint(JointDef::weld(a, b)).expect("it breaks no rule");
    assert_ne!(gone, tenant);
    let gear = world.add_joint(JointDef::gear(one, two, 1.0)).expect("it breaks no rule");
    let before = (bits(&world), world.joint_count());
    let refused = [
        (world.add_joint(JointDef::revolute(ghost, b)), Error::NoSuchBody(ghost)),
        (world.add_joint(JointDef::revolute(a, ghost)), Error::NoSuchBody(ghost)),
        (world.add_joint(JointDef::revolute(None, ghost)), Error::NoSuchBody(ghost)),
        (world.add_joint(JointDef::pulley(a, ghost, [0.0, 1.0], [1.0, 1.0], 1.0)), Error::NoSuchBody(ghost)),
        (world.add_joint(JointDef::weld(a, a)), Error::JointToItself(a)),
        (world.add_joint(JointDef::filter(b, b)), Error::JointToItself(b)),
        (world.add_joint(JointDef::gear(one, one, 1.0)), Error::NotGearable(one)),
        (world.add_joint(JointDef::gear(one, rod, 1.0)), Error::NotGearable(rod)),
        (world.add_joint(JointDef::gear(gear, two, 1.0)), Error::NotGearable(gear)),
        (world.add_joint(JointDef::gear(one, gone, 1.0)), Error::NoSuchJoint(gone)),
        (world.change_joint(gone, |_| {}).map(|()| gone), Error::NoSuchJoint(gone)),
        (world.change_joint(rod, |def| def.body_b = a).map(|()| rod), Error::JointToItself(a)),
        (world.change_joint(rod, |def| def.body_a = Some(ghost)).map(|()| rod), Error::NoSuchBody(ghost)),
        (
            world
                .change_joint(one, |def| def.kind = JointKind::Gear { first: one, second: two, ratio: 1.0 })
                .map(|()| one),
            Error::NotGearable(one),
        ),
        (world.remove_joint(gone).map(|()| gone), Error::NoSuchJoint(gone)),
    ];
    for (answer, error) in refused {
        assert_eq!(answer, Err(error));
    }
    assert_eq!((bits(&world), world.joint_count()), before);
    assert!(world.get_joint(gone).is_none() && world.joint_state(gone).is_none());
    assert_eq!(world.joints_of(ghost).count(), 0);
    // Ids of another world.
    let mut other = space();
    assert!(other.remove_joint(one).is_err() && other.add_joint(JointDef::gear(one, two, 1.0)).is_err());
    run(&mut world, 10);
}

/// Indexing by a joint that is gone panics; that is what it says.
#[test]
#[should_panic(expected = "is not in this world")]
fn indexing_a_joint_that_is_gone_panics() {
    let (mut world, _, [one, _]) = pair();
    world.remove_joint(one).expect("it is there");
    let _ = &world[one];
}

/// A body that is removed takes its joints along, gears of them too: each is told once as lost, in
/// order, in the next step, with what it held; joints removed by hand are not told.
#[test]
fn what_goes_with_a_body_is_told() {
    let mut world = space();
    let hub = add(&mut world, BodyDef::dynamic().shape(Shape::circle(0.2)));
    let others: Vec<BodyId> = (0..5)
        .map(|k| add(&mut world, BodyDef::dynamic().at([2.0 + k as f32, 0.0]).shape(Shape::circle(0.2))))
        .collect();
    let mut wanted = Vec::new();
    let mut hinges = Vec::new();
    for (k, &other) in others.iter().enumerate() {
        let def = if k % 2 == 0 { JointDef::revolute(hub, other) } else { JointDef::revolute(other, hub) };
        let id = world.add_joint(def.user_data(k as u64)).expect("it breaks no rule");
        hinges.push(id);
        wanted.push((id, def.body_a, def.body_b, k as u64));
    }
    let apart = world.add_joint(JointDef::revolute(None, others[0])).expect("it breaks no rule");
    let gear =
        world.add_joint(JointDef::gear(apart, hinges[2], 1.0).user_data(50)).expect("it breaks no rule");
    let stays = world.add_joint(JointDef::rope(others[0], others[1], 9.0)).expect("it breaks no rule");
    let by_hand = world.add_joint(JointDef::rope(hub, others[1], 9.0)).expect("it breaks no rule");
    run(&mut world, 3);
    world.remove_joint(by_hand).expect("it is there");
    world.remove(hub).expect("it is there");
    assert_eq!(world.joint_count(), 2, "at once");
    assert!(world.get_joint(gear).is_none() && world.get_joint(stays).is_some());
    step(&mut world);
    let lost = world.events().lost();
    assert!(lost.is_sorted_by_key(|event| event.joint), "in order");
    assert_eq!(lost.len(), 6, "each once: {lost:?}");
    for (id, a, b, data) in wanted {
        let event = lost.iter().find(|event| event.joint == id).expect("it is told");
        assert_eq!((event.body_a, event.body_b, event.user_data), (a, b, data));
    }
    assert!(lost.iter().any(|event| event.joint == gear && event.user_data == 50));
    step(&mut world);
    assert!(world.events().lost().is_empty() && world.events().broken().is_empty());
    valid(&world);
}

/// A gear is lost with one of its joints: removed, broken, or made another kind.
#[test]
fn a_gear_is_lost_with_its_joint() {
    for how in ["removed", "broken", "another kind", "still a hinge"] {
        let (mut world, [_, b], [one, two]) = pair();
        let gear = world.add_joint(JointDef::gear(one, two, 1.0)).expect("it breaks no rule");
        step(&mut world);
        match how {
            "removed" => world.remove_joint(two),
            "broken" => world.change_joint(two, |def| def.break_force = 0.0),
            "another kind" => world.change_joint(two, |def| def.kind = JointKind::Rope),
            _ => world.change_joint(two, |def| *def = def.motor(1.0, 1.0)),
        }
        .expect("it is there");
        let mut lost = 0;
        for _ in 0..3 {
            step(&mut world);
            lost += world.events().lost().iter().filter(|event| event.joint == gear).count();
        }
        let stays = how == "still a hinge";
        assert_eq!((world.get_joint(gear).is_some(), lost), (stays, usize::from(!stays)), "{how}");
        assert_eq!(
            world.joints_of(b).count(),
            if stays { 2 } else { usize::from(how == "another kind") },
            "{how}"
        );
    }
}

/// A scene with every kind of joint, at a region.
fn every_joint(region: IVec2) -> World {
    let mut world = World::default();
    let at = |x: f32, y: f32| WorldPoint::new(region, vec2(x, y));
    let ground = BodyDef::fixed().at(at(0.0, -6.0)).shape(Shape::rect(100.0, 2.0));
    add(&mut world, ground);
    let hand = add(&mut world, BodyDef::kinematic().at(at(-5.0, 3.0)).velocity([0.3, 0.1]).spin(0.7));
    let mut before = Some(hand);
    let mut random = Random::new(77);
    let mut hinges = Vec::new();
    for k in 0..12 {
        let x = k as f32 - 5.0;
        let body = BodyDef::dynamic().at(at(x + 0.5, 3.0)).angle(random.range(-0.2, 0.2) as f32);
        let body = add(&mut world, body.shape(Shape::rect(0.8, 0.3)));
        let spring = Spring::new(4.0, 0.4);
        let def = match k {
            0 | 5 => JointDef::revolute(before, body).motor(1.0, 3.0),
            1 => JointDef::prismatic(before, body, [1.0, 0.3]).limits(-0.2, 0.2),
            2 => JointDef::weld(before, body),
            3 => JointDef::wheel(before, body, [0.0, 1.0], spring),
            4 => JointDef::distance(before, body).soft(spring),
            6 => JointDef::rope(before, body, 1.0),
            7 => JointDef::friction(before, body, 3.0, 1.0),
            8 => JointDef::motor_to(before, body, spring),
            _ => JointDef::revolute(before, body).limits(-0.5, 0.5),
        };
        let joint = world.add_joint(def.at(at(x, 3.0))).expect("it breaks no rule");
        if matches!(def.kind, JointKind::Revolute) {
            hinges.push(joint);
        }
        if k == 11 {
            let first = before.expect("there is one");
            let (left, right) = (at(x, 7.0), at(x + 1.0, 7.0));
            world.add_joint(JointDef::pulley(first, body, left, right, 1.5)).expect("it breaks no rule");
            world.add_joint(JointDef::drag(body, at(x + 0.5, 3.1), 30.0)).expect("it breaks no rule");
            world
                .add_joint(JointDef::distance(None, body).between(at(x, 9.0), at(x, 3.0)))
                .expect("no rule broken");
        }
        before = Some(body);
    }
    world.add_joint(JointDef::gear(hinges[0], hinges[1], -1.5)).expect("it breaks no rule");
    world
}

/// The same scene a billion metres out has the same bits; built twice, or cloned in motion, as
/// well.
#[test]
fn joints_have_the_same_bits_everywhere() {
    let (mut here, mut there) = (every_joint(IVec2::ZERO), every_joint(IVec2::new(1_000_000, -1_000_000)));
    let mut again = every_joint(IVec2::ZERO);
    let mut copy = None;
    for number in 0..rounds(40, 600) {
        if number == 17 {
            copy = Some(here.clone());
        }
        step(&mut here);
        for (name, other) in
            [("far", Some(&mut there)), ("again", Some(&mut again)), ("clone", copy.as_mut())]
        {
            let Some(other) = other else { continue };
            step(other);
            if let Some(unlike) = difference(&here, other) {
                panic!("step {number}, {name}: {unlike}");
            }
            for ((id, _), (other_id, _)) in here.joints().zip(other.joints()) {
                let (p, q) = (here.joint_state(id), other.joint_state(other_id));
                let force =
                    |state: Option<carom::JointState>| state.map(|s| (s.force, s.torque, s.angle, s.gap));
                assert_eq!(force(p), force(q), "step {number}, {name}");
            }
        }
    }
    finite(&here, "every joint");
}

/// A joint whose ends lie either side of a border of regions holds as elsewhere.
#[test]
fn a_border_of_regions_is_no_border_to_joints() {
    for base in [[0.0_f32, 0.0], [512.0, 0.0], [511.5, 512.2], [-512.0, -512.0]] {
        let origin = WorldPoint::from(base);
        let mut world = earth();
        let mut before = None;
        for k in 0..6 {
            let body = BodyDef::dynamic().at(origin.offset(vec2(k as f32 + 0.5, 0.0)));
            let body = add(&mut world, body.shape(Shape::rect(1.0, 0.2)));
            let joint = JointDef::revolute(before, body).at(origin.offset(vec2(k as f32, 0.0)));
            world.add_joint(joint).expect("it breaks no rule");
            before = Some(body);
        }
        let mut gap = 0.0;
        for _ in 0..rounds(60, 300) {
            step(&mut world);
            for (id, _) in world.joints() {
                let now = world.joint_state(id).expect("it is there").gap;
                gap = if now > gap { now } else { gap };
            }
        }
        check_range(&format!("gap at {base:?}, m"), gap, ..=1.0e-3);
    }
}

/// Two combs of twenty teeth, one on the other: joined they do not touch, and when the joint goes
/// they meet again in every tooth that is near. (Few parts are paired all with all; these are
/// looked up.)
#[test]
fn bodies_of_many_parts_part_and_meet() {
    let mut world = earth();
    let teeth: Vec<Shape> = (0..20).map(|k| Shape::rect(0.4, 0.5).at([0.5 * k as f32, 0.0])).collect();
    let below = add(&mut world, BodyDef::fixed().shape(Shape::compound(teeth.clone())));
    let above = add(&mut world, BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::compound(teeth)));
    let touching = |world: &World| world.contacts_of_body(above).count();
    run(&mut world, 30);
    assert_eq!(touching(&world), 20);
    let joint = world.add_joint(JointDef::prismatic(below, above, [0.0, 1.0])).expect("it breaks no rule");
    assert_eq!(touching(&world), 0);
    run(&mut world, 30);
    assert!(touching(&world) == 0 && world[above].position().y < 0.4, "it falls along its axis");
    world.teleport(above, [0.0, 0.5], 0.0).expect("it is there");
    world.set_velocity(above, [0.0, 0.0]).expect("it is there");
    world.remove_joint(joint).expect("it is there");
    run(&mut world, 30);
    assert_eq!(touching(&world), 20);
    assert!((world[above].position().y - 0.5).abs() < 0.01);
}

/// Four links in a square that hangs on one of its corners.
fn square(world: &mut World, x: f32) -> [BodyId; 4] {
    let at = [[0.5, 0.0], [1.0, -0.5], [0.5, -1.0], [0.0, -0.5]];
    let links = core::array::from_fn(|k| {
        let size = if k % 2 == 0 { (0.9, 0.1) } else { (0.1, 0.9) };
        add(world, BodyDef::dynamic().at([x + at[k][0], at[k][1]]).shape(Shape::rect(size.0, size.1)))
    });
    let corners = [[1.0, 0.0], [1.0, -1.0], [0.0, -1.0], [0.0, 0.0]];
    for k in 0..4 {
        let corner = [x + corners[k][0], corners[k][1]];
        let hinge = JointDef::revolute(links[k], links[(k + 1) % 4]).at(corner);
        world.add_joint(hinge).expect("it breaks no rule");
    }
    world.add_joint(JointDef::revolute(None, links[0]).at([x, 0.0])).expect("it breaks no rule");
    links
}

/// Joints of both squares stand side by side in blocks. Where a ball lies on one of them, it is
/// pushed once more in each sub-step; the other one does not feel it, to the bit.
#[test]
fn a_loop_does_not_feel_what_another_one_bears() {
    let (mut alone, mut both) = (earth(), earth());
    let first = square(&mut alone, 0.0);
    assert_eq!(first, square(&mut both, 0.0));
    let second = square(&mut both, 50.0);
    add(&mut both, BodyDef::dynamic().at([50.7, 1.5]).shape(Shape::circle(0.3)));
    let mut parted = false;
    for number in 0..200 {
        step(&mut alone);
        step(&mut both);
        let places =
            |world: &World, ids: [BodyId; 4]| ids.map(|id| (world[id].position(), world[id].angle()));
        assert_eq!(places(&alone, first), places(&both, first), "after {number} steps");
        let off = places(&both, second)[2].1 - places(&both, first)[2].1;
        parted |= off.abs() > 0.1;
    }
    assert!(parted, "the ball moves the square that it falls on");
}

/// Four limbs, one below the other, on hinges with springs, friction and narrow limits; the first
/// one spins.
fn limbs(world: &mut World, x: f32, spin: f32) -> [BodyId; 4] {
    let ids: [BodyId; 4] = core::array::from_fn(|k| {
        let at = BodyDef::dynamic().at([x, -(k as f32)]);
        add(world, at.shape(Shape::capsule([0.0, -0.4], [0.0, 0.4], 0.1)))
    });
    for k in 0..3 {
        let hinge = JointDef::revolute(ids[k], ids[k + 1]).at([x, -0.5 - k as f32]);
        let hinge = hinge.limits(-0.2, 0.1).motor(0.0, 0.05).servo(0.0, Spring::new(2.0, 0.5));
        world.add_joint(hinge).expect("it breaks no rule");
    }
    world.set_angular_velocity(ids[0], spin).expect("it is there");
    ids
}

/// Trees of one shape stand side by side in blocks. What nothing touches takes all sub-steps at
/// once if that is so of all in its block, and an angle is left out where none of them is at a
/// limit: none feels how it is with the others, to the bit.
#[test]
fn a_tree_does_not_feel_what_another_one_meets() {
    let (mut alone, mut both) = (earth(), earth());
    let first = limbs(&mut alone, 0.0, 3.0);
    assert_eq!(first, limbs(&mut both, 0.0, 3.0));
    let second = limbs(&mut both, 50.0, 0.0);
    let ball = add(&mut both, BodyDef::dynamic().at([50.1, 9.0]).shape(Shape::circle(0.3)));
    both.set_velocity(ball, [0.0, -20.0]).expect("it is there");
    let (mut met, mut parted) = (0, false);
    for number in 0..200 {
        step(&mut alone);
        step(&mut both);
        let places =
            |world: &World, ids: [BodyId; 4]| ids.map(|id| (world[id].position(), world[id].angle()));
        assert_eq!(places(&alone, first), places(&both, first), "after {number} steps");
        met += both.stats().contacts;
        parted |= (places(&both, second)[3].1 - places(&both, second)[0].1).abs() > 0.1;
    }
    assert!(met > 0 && met < 150 && parted, "the ball meets the limbs, and leaves them: {met}, {parted}");
}
