//! Replays, images, places far away, damaged bytes.

use carom::prelude::*;
use carom::{IVec2, WorldPoint};
use carom_nav::LoadError;
use carom_nav::crowd::{Agent, Crowd, CrowdDef, Wander};

use crate::common::{DT, Scene, circle};

/// All kinds of orders at once.
fn mixed() -> Scene {
    let agent = Agent { radius: 0.3, ..Agent::default() };
    let mut scene = circle(20, 5.0, agent, CrowdDef::default());
    scene.wall([0.0, 0.0], [1.0, 1.0]);
    for k in 0..12 {
        scene.add(agent, [-4.0 + k as f32, 8.0]);
    }
    let ids = scene.ids.clone();
    scene.crowd.flock(ids[20], &ids[21..26]).expect("agents");
    scene.crowd.follow(ids[20], &[[6.0, 9.0].into(), [6.0, -9.0].into()]).expect("a way");
    for &id in &ids[26..30] {
        let wander = Wander { seed: 1, turn: 2.0, leash: Some(([0.0, 6.0].into(), 3.0)) };
        scene.crowd.wander(id, wander).expect("an agent");
    }
    scene.crowd.gather(&scene.world, &ids[30..], [-6.0, 0.0]).expect("a place");
    // Two streams through one door.
    scene.wall([30.0, 3.5], [0.4, 6.0]);
    scene.wall([30.0, -3.5], [0.4, 6.0]);
    for k in 0..24 {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let (row, line) = ((k / 8) as f32, (k / 2 % 4) as f32);
        let id = scene.add(agent, [30.0 - side * (1.0 + 0.7 * row), 0.7 * line - 1.0]);
        let way = [[30.0 - side * 0.2, 0.0], [30.0 + side * 0.3, 0.0], [30.0 + side * 8.0, line]];
        scene.crowd.follow(id, &way.map(Into::into)).expect("a way");
    }
    scene
}

/// A crowd saved in the middle and loaded elsewhere goes on like the original, tick by tick.
#[test]
fn a_loaded_crowd_goes_on_as_it_would_have() {
    let mut scene = mixed();
    (0..150).for_each(|_| scene.tick());
    assert!(scene.crowd.remove(scene.ids[3]));
    scene.tick();
    let (mut bodies, mut image) = (Vec::new(), Vec::new());
    scene.world.save_into(&mut bodies);
    scene.crowd.save_into(&mut image);
    let mut other = mixed();
    other.world.load(&bodies).expect("its own image");
    other.crowd.load(&other.world, &image).expect("its own image");
    assert_eq!(other.crowd.hash(), scene.crowd.hash());
    for tick in 0..300 {
        scene.tick();
        other.crowd.steer(&mut other.world, DT).expect("a tick");
        other.world.step(DT).expect("a step");
        assert_eq!(other.crowd.hash(), scene.crowd.hash(), "tick {tick}");
        assert_eq!(other.world.hash(), scene.world.hash(), "tick {tick}");
        assert_eq!(other.crowd.events(), scene.crowd.events());
    }
}

/// A million regions out, everything happens as at the origin, to the bit.
#[test]
fn far_away_is_as_here() {
    let build = |region: IVec2| {
        let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
        let mut crowd = Crowd::default();
        let place = |x: f32, y: f32| WorldPoint::new(region, vec2(x, y));
        world.add(BodyDef::fixed().at(place(0.0, 0.0)).shape(Shape::rect(2.0, 2.0))).expect("a wall");
        for k in 0..12 {
            let agent = Agent::default();
            let (x, y) = (-6.0 + (k / 6) as f32, -3.0 + (k % 6) as f32);
            let body = world.add(agent.body(place(x, y))).expect("a body");
            let id = crowd.add(&world, body, agent).expect("an agent");
            crowd.follow(id, &[place(0.0, 2.0), place(8.0, y)]).expect("a way");
        }
        (world, crowd)
    };
    let (mut here, mut far) = (build(IVec2::ZERO), build(IVec2::new(1_000_000, -1_000_000)));
    for _ in 0..400 {
        for (world, crowd) in [&mut here, &mut far] {
            crowd.steer(world, DT).expect("a tick");
            world.step(DT).expect("a step");
        }
        for ((_, a), (_, b)) in here.0.bodies().zip(far.0.bodies()) {
            let bits = |v: Vec2| v.to_array().map(f32::to_bits);
            assert_eq!(bits(a.world_position().local), bits(b.world_position().local));
        }
    }
}

#[test]
fn damaged_images_are_refused() {
    let mut scene = mixed();
    (0..40).for_each(|_| scene.tick());
    let mut image = Vec::new();
    scene.crowd.save_into(&mut image);
    let hash = scene.crowd.hash();
    let mut into = Crowd::default();
    for at in (0..image.len()).step_by(7) {
        let mut bytes = image.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(into.load(&scene.world, &bytes).is_err(), "byte {at}");
        // With a valid header the image may load or not; a loaded crowd can be steered.
        carom_nav::restamp(&mut bytes);
        if into.load(&scene.world, &bytes).is_ok() && at % 5 == 0 {
            let mut world = scene.world.clone();
            for _ in 0..3 {
                into.steer(&mut world, DT).expect("a tick");
                world.step(DT).expect("a step");
            }
        }
    }
    for len in (0..image.len()).step_by(13) {
        assert!(into.load(&scene.world, &image[..len]).is_err());
    }
    assert_eq!(into.load(&World::default(), &image), Err(LoadError::Broken("the world has an agent's body")));
    into.load(&scene.world, &image).expect("the image itself");
    assert_eq!(into.hash(), hash);
}

/// Threads share the work and change no bit.
#[test]
#[cfg(feature = "parallel")]
fn threads_change_nothing() {
    let (mut one, mut four) = (mixed(), mixed());
    four.crowd.set_threads(4);
    for _ in 0..200 {
        one.tick();
        four.tick();
        assert_eq!((one.crowd.hash(), one.world.hash()), (four.crowd.hash(), four.world.hash()));
    }
}
