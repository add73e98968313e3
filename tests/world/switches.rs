//! What single bodies and joints can be told apart from all others: joints off and on; gravity,
//! greatest speed, lasting force and dominance of a body.

use carom::prelude::*;
use carom::{Lanes, Recorder};
use testkit::random::Random;
use testkit::rounds;
use testkit::worlds::{DT, add, box_on, check_range, ground, run, space, valid};

type Place = (WorldPoint, Rot, Vec2, f32);

fn places(world: &World) -> Vec<Place> {
    let place = |body: &carom::Body| {
        (body.world_position(), body.rotation(), body.velocity(), body.angular_velocity())
    };
    world.bodies().map(|(_, body)| place(body)).collect()
}

/// The same world from its snapshot, and stepped on it stays the same.
fn comes_back(world: &World, steps: usize) {
    let (mut image, mut twin, mut world) = (Vec::new(), World::default(), world.clone());
    world.save_into(&mut image);
    twin.load(&image).expect("nobody touched the bytes");
    assert_eq!(twin.hash(), world.hash());
    run(&mut world, steps);
    run(&mut twin, steps);
    assert_eq!(twin.hash(), world.hash());
    valid(&twin);
}

/// Crates that fall on each other, with or without joints that are off, of six kinds.
fn fall(joints: bool) -> World {
    let mut world = World::default();
    let floor = ground(&mut world);
    let mut last = floor;
    for k in 0..12 {
        let at = [0.3 * (k % 4) as f32, 0.6 + 1.1 * k as f32];
        let crate_ = BodyDef::dynamic().at(at).shape(Shape::rect(1.0, 0.8));
        let crate_ = add(&mut world, crate_);
        let def = match k % 6 {
            0 => JointDef::revolute(last, crate_).motor(3.0, 100.0),
            1 => JointDef::weld(last, crate_),
            2 => JointDef::distance(last, crate_),
            3 => JointDef::prismatic(last, crate_, [0.0, 1.0]).servo(1.0, Spring::new(2.0, 0.5)),
            4 => JointDef::rope(last, crate_, 0.1),
            _ => JointDef::wheel(last, crate_, [0.0, 1.0], Spring::new(3.0, 0.7)),
        };
        if joints {
            world.add_joint(def.disabled()).expect("no rule is broken");
        }
        last = crate_;
    }
    world
}

/// 12 crates with joints of six kinds that are off fall, lie and sleep as without them, to the bit.
#[test]
fn joints_that_are_off_do_nothing() {
    let (mut off, mut without) = (fall(true), fall(false));
    for step in 0..400 {
        run(&mut off, 1);
        run(&mut without, 1);
        assert_eq!(places(&off), places(&without), "step {step}");
    }
    assert!(off.bodies().all(|(_, body)| !body.is_awake()));
    comes_back(&off, 60);
}

/// A swing is let go and caught again: it keeps its id and its definition, holds to 1 mm as ever,
/// and what passed through it is forgotten. Sleepers wake.
#[test]
fn a_joint_is_switched_off_and_on() {
    let mut world = World::default();
    ground(&mut world);
    let bob = add(&mut world, BodyDef::dynamic().at([0.0, 6.0]).shape(Shape::circle(0.2)));
    let rod = JointDef::distance(None, bob).between([0.0, 8.0], [0.0, 6.0]);
    let rod = world.add_joint(rod).expect("no rule is broken");
    run(&mut world, 120);
    assert!(!world[bob].is_awake() && world.is_joint_enabled(rod));
    let def = *world[rod].def();
    world.set_joint_enabled(rod, false).expect("it is there");
    assert!(world[bob].is_awake() && !world.is_joint_enabled(rod) && !world[rod].is_enabled());
    assert_eq!(world.joint_state(rod).map(|state| state.force), Some(Vec2::ZERO));
    run(&mut world, 30);
    check_range("fallen by, in m", 6.0 - world[bob].position().y, 1.15..1.30);
    comes_back(&world, 60);
    world.teleport(bob, [2.0, 8.0], None).expect("a place");
    world.set_velocity(bob, [0.0, 0.0]).expect("it is there");
    world.set_joint_enabled(rod, true).expect("it is there");
    assert_eq!(world[rod].def(), &def);
    for _ in 0..240 {
        run(&mut world, 1);
        let gap = world.joint_state(rod).expect("it is there").gap;
        assert!(gap < 1.0e-3, "{gap}");
    }
    comes_back(&world, 60);
}

/// Two joined crates do not collide; while the joint is off, they push each other apart.
#[test]
fn bodies_of_a_joint_that_is_off_collide() {
    let mut world = space();
    let crate_ = |x: f32| BodyDef::dynamic().at([x, 0.0]).shape(Shape::rect(1.0, 1.0));
    let (a, b) = (add(&mut world, crate_(0.0)), add(&mut world, crate_(0.6)));
    let weld = world.add_joint(JointDef::weld(a, b).at([0.3, 0.0])).expect("no rule is broken");
    run(&mut world, 60);
    assert_eq!(world.contacts().count(), 0);
    world.set_joint_enabled(weld, false).expect("it is there");
    run(&mut world, 120);
    assert!(world[b].position().x - world[a].position().x > 0.95);
    world.set_joint_enabled(weld, true).expect("it is there");
    assert_eq!(world.contacts().count(), 0);
    run(&mut world, 60);
    check_range("apart again, in m", world[b].position().x - world[a].position().x, 0.599..0.601);
}

/// A gear is off with either of its joints, and keeps what they say when both are on again.
#[test]
fn a_gear_is_off_with_its_joints() {
    let mut world = space();
    let wheel = |x: f32| BodyDef::dynamic().at([x, 0.0]).shape(Shape::circle(1.0));
    let wheels = [0.0, 3.0].map(|x| add(&mut world, wheel(x)));
    let axles = wheels.map(|wheel| {
        let at = world[wheel].position();
        world.add_joint(JointDef::revolute(None, wheel).at(at)).expect("no rule is broken")
    });
    world.add_joint(JointDef::gear(axles[0], axles[1], 1.0)).expect("no rule is broken");
    let sum =
        |world: &World| axles.iter().map(|&id| world.joint_state(id).expect("there").angle).sum::<f32>();
    world.set_angular_velocity(wheels[0], 2.0).expect("it is there");
    run(&mut world, 60);
    check_range("geared, in radians", sum(&world).abs(), ..1.0e-3);
    world.set_joint_enabled(axles[1], false).expect("it is there");
    world.set_angular_velocity(wheels[1], 5.0).expect("it is there");
    run(&mut world, 30);
    assert!((world[wheels[1]].angular_velocity() - 5.0).abs() < 1.0e-3);
    comes_back(&world, 30);
    world.set_joint_enabled(axles[1], true).expect("it is there");
    let before = sum(&world);
    run(&mut world, 60);
    check_range("geared anew, in radians", (sum(&world) - before).abs(), ..2.0e-2);
    comes_back(&world, 30);
}

/// A gravity of its own does to a body what it does as gravity of the world, to the bit; and none
/// at all leaves it where it is.
#[test]
fn own_gravity_is_gravity() {
    let own = vec2(3.0, 1.5);
    let mut earth = World::default();
    let mut other = World::new(WorldDef::default().gravity(own));
    let crate_ = BodyDef::dynamic().velocity([1.0, 2.0]).spin(1.0).shape(Shape::rect(1.0, 0.5));
    let floats = add(&mut earth, crate_.clone().gravity(own));
    let twin = add(&mut other, crate_);
    let hovers = BodyDef::dynamic().at([9.0, 0.0]).gravity([0.0, 0.0]).sleepless();
    let hovers = add(&mut earth, hovers.shape(Shape::circle(0.5)));
    for _ in 0..200 {
        run(&mut earth, 1);
        run(&mut other, 1);
        assert_eq!(earth[floats].world_position(), other[twin].world_position());
        assert_eq!(earth[floats].velocity(), other[twin].velocity());
    }
    assert_eq!((earth[hovers].position(), earth[hovers].velocity()), (vec2(9.0, 0.0), Vec2::ZERO));
    comes_back(&earth, 30);
    earth.set_gravity_of(hovers, None).expect("it is there");
    earth.set_gravity_of(floats, None).expect("it is there");
    assert_eq!(earth.gravity_of(hovers), None);
    run(&mut earth, 60);
    check_range("falls, in m/s", -earth[hovers].velocity().y, 9.80..9.82);
}

/// A crate on a ceiling: gravity upward, it rests and sleeps there.
#[test]
fn a_crate_rests_on_the_ceiling() {
    let mut world = World::default();
    add(&mut world, BodyDef::fixed().at([0.0, 5.0]).shape(Shape::rect(20.0, 1.0)));
    let up = BodyDef::dynamic().at([0.0, 3.0]).gravity([0.0, 9.81]).shape(Shape::rect(1.0, 1.0));
    let up = add(&mut world, up);
    run(&mut world, 240);
    check_range("its middle, in m", world[up].position().y, 3.998..4.002);
    assert!(!world[up].is_awake());
}

/// Falls no faster than it may, whatever pushes it, and is as fast as the world again afterwards.
#[test]
fn own_speed_is_kept_to() {
    let mut world = World::default();
    let leaf = add(&mut world, BodyDef::dynamic().max_speed(3.0).shape(Shape::circle(0.2)));
    for _ in 0..120 {
        world.apply_impulse(leaf, [1.0, 0.0]).expect("it is there");
        run(&mut world, 1);
        assert!(world[leaf].velocity().length() <= 3.0 + 1.0e-5);
    }
    comes_back(&world, 30);
    world.set_max_speed_of(leaf, f32::INFINITY).expect("it is there");
    run(&mut world, 120);
    assert!(world[leaf].velocity().length() > 15.0 && world.max_speed_of(leaf) == f32::INFINITY);
}

/// A force that lasts does what the same force does that is given before every step, to the bit.
#[test]
fn a_lasting_force_is_a_force_in_every_step() {
    let (mut lasts, mut again) = (World::default(), World::default());
    let crate_ = BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0));
    let ids = [&mut lasts, &mut again].map(|world| {
        ground(world);
        add(world, crate_.clone().sleepless())
    });
    lasts.set_lasting_force(ids[0], [8.0, 2.0], 0.5).expect("sound numbers");
    for _ in 0..120 {
        again.apply_force(ids[1], [8.0, 2.0]).expect("sound numbers");
        again.apply_torque(ids[1], 0.5).expect("sound numbers");
        run(&mut lasts, 1);
        run(&mut again, 1);
        assert_eq!(places(&lasts), places(&again));
    }
    assert!(lasts[ids[0]].velocity().x > 1.0);
    comes_back(&lasts, 30);
    lasts.set_lasting_force(ids[0], [0.0, 0.0], 0.0).expect("sound numbers");
    run(&mut lasts, 120);
    assert!(lasts[ids[0]].velocity().length() < 1.0e-3);
}

/// A dominant ball goes through twenty crates of ten times its weight without a change of a bit; of
/// equals and of lighter ones it feels each.
#[test]
fn who_dominates_feels_nothing() {
    for (dominance, of_crates, feels) in
        [(1, 0, false), (0, -1, false), (127, -128, false), (0, 0, true), (0, 1, true)]
    {
        let mut world = space();
        let ball = BodyDef::dynamic().velocity([5.0, 0.0]).dominance(dominance).shape(Shape::circle(0.5));
        let ball = add(&mut world, ball);
        for k in 0..20 {
            let at = [1.5 + 1.2 * k as f32, 0.2 * (k % 3) as f32];
            let crate_ = BodyDef::dynamic().at(at).dominance(of_crates).shape(Shape::rect(1.0, 1.0));
            add(&mut world, crate_.density(8.0));
        }
        run(&mut world, 200);
        let is_same = world[ball].velocity() == vec2(5.0, 0.0) && world[ball].angular_velocity() == 0.0;
        assert_eq!(is_same, !feels, "{dominance} against {of_crates}");
        comes_back(&world, 30);
    }
}

/// A heavy crate on a feather that dominates it stands as on a rock, and both sleep; under a
/// feather that it dominates, it does not.
#[test]
fn a_feather_bears_a_rock() {
    let mut world = World::default();
    ground(&mut world);
    let feather = BodyDef::dynamic().at([0.0, 0.5]).dominance(1).shape(Shape::rect(1.0, 1.0)).density(0.01);
    let feather = add(&mut world, feather);
    let rock = add(&mut world, BodyDef::dynamic().at([0.0, 1.5]).shape(Shape::rect(1.0, 1.0)).density(100.0));
    run(&mut world, 300);
    check_range("its middle, in m", world[feather].position().y, 0.499..0.501);
    check_range("of the rock, in m", world[rock].position().y, 1.498..1.502);
    assert!(!world[rock].is_awake() && !world[feather].is_awake());
    // The other way round, the rock does not feel what it lies on, and sinks through it.
    world.set_dominance(feather, -1).expect("it is there");
    run(&mut world, 200);
    check_range("sunk, in m", world[rock].position().y, ..1.0);
    assert_eq!(world.dominance_of(feather), -1);
}

/// Heaps in which some dominate: the same bits with every instruction set, from snapshots, and from
/// a recording. Those of the highest rank feel the ground alone, and stand on it; what they press
/// into it has two masters.
#[test]
fn dominance_has_the_same_bits_everywhere() {
    let heap = |lanes: Lanes| {
        let mut world = World::default();
        world.set_lanes(lanes);
        ground(&mut world);
        let mut random = Random::new(7);
        for k in 0..rounds(40, 120) {
            let at = [random.range(-3.0, 3.0), 1.0 + 0.5 * k as f32];
            let shape = if k % 2 == 0 { Shape::circle(0.4) } else { Shape::rect(0.8, 0.5) };
            let dominance = random.one(&[0, 0, 1, -1]);
            add(&mut world, BodyDef::dynamic().at(at).dominance(dominance).shape(shape));
        }
        world
    };
    let mut worlds: Vec<World> = Lanes::all().into_iter().map(heap).collect();
    worlds[0].record(Recorder::default());
    for _ in 0..rounds(60, 300) {
        worlds.iter_mut().for_each(|world| _ = world.step(DT).expect("dt is in range"));
        let hash = worlds[0].hash();
        assert!(worlds.iter().all(|world| world.hash() == hash));
    }
    comes_back(&worlds[0], 60);
    let highest = worlds[0].bodies().filter(|&(id, _)| worlds[0].dominance_of(id) == 1);
    assert!({ highest }.all(|(_, body)| body.position().y > 0.2));
    let recording = worlds[0].stop_recording().expect("it was on");
    assert_eq!(recording.replay().first_divergence(), None);
}

/// All of it in a recording, a piece and a definition: they come to the same world.
#[test]
fn what_was_told_is_recorded() {
    let mut world = World::default();
    world.record(Recorder::default());
    ground(&mut world);
    let a = box_on(&mut world, 0.0, 0.0, [1.0, 1.0]);
    let def = BodyDef::dynamic().at([2.0, 3.0]).gravity([1.0, -3.0]).max_speed(9.0).dominance(3);
    let b = add(&mut world, def.shape(Shape::circle(0.4)));
    let hinge = JointDef::revolute(a, b).at([1.0, 2.0]).disabled();
    let hinge = world.add_joint(hinge).expect("no rule is broken");
    run(&mut world, 20);
    world.set_joint_enabled(hinge, true).expect("it is there");
    world.set_gravity_of(a, Some(vec2(0.0, 4.0))).expect("sound");
    world.set_max_speed_of(a, 3.0).expect("sound");
    world.set_lasting_force(a, [1.0, 0.0], 0.1).expect("sound");
    world.set_dominance(a, -7).expect("sound");
    run(&mut world, 40);
    let recording = world.stop_recording().expect("it was on");
    let mut replay = recording.replay();
    assert_eq!(replay.first_divergence(), None);
    assert_eq!(replay.world().hash(), world.hash());
    let told = |world: &World, id: BodyId| {
        (world.gravity_of(id), world.max_speed_of(id), world.lasting_force(id), world.dominance_of(id))
    };
    let before = [told(&world, a), told(&world, b)];
    assert_eq!(before[1], (Some(vec2(1.0, -3.0)), 9.0, (Vec2::ZERO, 0.0), 3));
    let piece = world.extract(&[a, b]).expect("they are there");
    assert_eq!((world.gravity_of(a), world.dominance_of(b)), (None, 0));
    let back = world.paste(&piece, [0.0, 0.0]).expect("there is room").bodies;
    assert_eq!([told(&world, back[0]), told(&world, back[1])], before);
    comes_back(&world, 30);
}
