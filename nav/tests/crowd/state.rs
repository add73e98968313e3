//! Replays, images, places far away, damaged bytes.

use carom::prelude::*;
use carom::{IVec2, WorldPoint};
use carom_nav::LoadError;
use carom_nav::crowd::{Agent, Crowd, CrowdDef, Doing, Wander};
use carom_nav::grid::{Ask, Map, Path, Search, Tiling};
use carom_nav::mesh::{Ground, Mesh, MeshDef, Way};

use crate::common::{DT, Scene, circle, person};

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

/// The state of an agent, from its first order on, and after loading.
#[test]
fn an_agent_says_what_it_does() {
    let mut scene = Scene::new(CrowdDef::default());
    let id = scene.add(person(), [0.0, 0.0]);
    let state = |scene: &Scene| scene.crowd.state(id).expect("an agent");
    assert_eq!((state(&scene).doing, state(&scene).left), (Doing::Unsent, None));
    scene.tick();
    assert_eq!(state(&scene).doing, Doing::Unsent);
    let corners = [[3.0, 0.0].into(), [3.0, 4.0].into()];
    scene.crowd.follow(id, &corners).expect("a way");
    assert_eq!((state(&scene).doing, state(&scene).left), (Doing::Walking, None));
    scene.tick();
    assert_eq!((state(&scene).left, state(&scene).next), (Some(7.0), Some(corners[0])));
    assert!(state(&scene).wish.distance(vec2(1.34, 0.0)) < 1e-5);
    let mut before = 7.0;
    while !scene.arrived[0] {
        scene.tick();
        let now = state(&scene);
        let place = scene.place(0);
        match now.left.filter(|_| now.doing == Doing::Walking) {
            Some(left) => {
                let at_corner = now.next == Some(corners[0]);
                let rest = if at_corner {
                    place.distance(vec2(3.0, 0.0)) + 4.0
                } else {
                    place.distance(vec2(3.0, 4.0))
                };
                // The place is the one after the tick's step.
                assert!((left - rest).abs() < 0.03 && left <= before + 1e-3, "{left} m left, {rest} m to go");
                before = left;
            }
            None => assert_eq!((now.doing, now.next, scene.arrived[0]), (Doing::Arrived, None, true)),
        }
        assert!(!now.is_stuck && scene.ticks < 600);
    }
    let mut image = Vec::new();
    scene.crowd.save_into(&mut image);
    let mut loaded = Crowd::default();
    loaded.load(&scene.world, &image).expect("its own image");
    assert_eq!(loaded.state(id).expect("an agent").doing, Doing::Arrived);
    for (k, place) in [[3.0, 9.0], [0.0, 0.0]].into_iter().enumerate() {
        scene.crowd.go(id, place).expect("a place");
        scene.tick();
        assert_eq!(state(&scene).doing, Doing::Walking);
        scene.crowd.stand(&scene.world, id).expect("an agent");
        assert_eq!(state(&scene).doing, Doing::Stopped, "{k}");
    }
    scene.crowd.wander(id, Wander::default()).expect("an agent");
    assert_eq!(state(&scene).doing, Doing::Wandering);
    scene.crowd.stream(id, 0).expect("an agent");
    assert_eq!((state(&scene).doing, state(&scene).left), (Doing::Streaming, None));
    scene.crowd.remove(id);
    assert_eq!(scene.crowd.state(id), None);
}

/// Ways of a mesh and paths over tiles lead agents in one line, in a world whose middle is far away.
#[test]
fn ways_and_paths_lead_agents_in_one_line() {
    let origin = WorldPoint { region: IVec2::new(5, -7), local: vec2(100.0, 50.0) };
    let at = |x: f32, y: f32| origin.offset(vec2(x, y));
    for by_tiles in [false, true] {
        let mut scene = Scene::new(CrowdDef::default());
        scene.world.add(BodyDef::fixed().at(at(0.0, 0.0)).shape(Shape::rect(1.0, 8.0))).expect("a wall");
        let id = scene.add(person(), at(-3.5, 0.5));
        let goal = at(3.5, 0.5);
        if by_tiles {
            let tiling = Tiling { corner: at(-8.0, -8.0), cell: 1.0, size: [16, 16] };
            let map = Map::raster(
                &scene.world,
                &tiling,
                &QueryFilter::default().only(&|shape| {
                    // Walls alone: the agent is no wall.
                    scene.world.body_of(shape).is_some_and(|body| scene.world[body].kind() == BodyKind::Fixed)
                }),
            );
            let (map, mut path) = (map.expect("a map"), Path::default());
            let start = tiling.cell_at(at(-3.5, 0.5));
            let found = Search::default().path(&map, Ask::new(start, tiling.cell_at(goal)), &mut path);
            assert!(found.is_way());
            scene.crowd.follow_path(id, &tiling, &path).expect("a path");
            assert!(scene.crowd.follow_path(id, &tiling, &Path::default()).is_err());
        } else {
            let mut mesh = Mesh::new(MeshDef { half: 10.0, max_radius: 1.0 }).expect("a mesh");
            let mut ground = Ground::new(origin);
            mesh.sync(&scene.world, &mut ground);
            let mut way = Way::default();
            assert!(scene.crowd.follow_way(id, ground.origin, &way).is_err(), "no way yet");
            let radius = person().radius;
            mesh.way([-3.5, 0.5], [3.5, 0.5], radius, &mut way).expect("a way");
            scene.crowd.follow_way(id, ground.origin, &way).expect("a way");
            let mut points = Vec::new();
            way.world_points(ground.origin, 0.01, &mut points);
            assert!(points.first() == Some(&at(-3.5, 0.5)) && points.last() == Some(&goal));
        }
        let ticks = 60 * 20;
        while !scene.arrived[0] && scene.ticks < ticks {
            scene.tick();
        }
        let place = scene.world[scene.bodies[0]].world_position();
        assert!(scene.arrived[0] && place.to(goal).length() < 0.2, "by tiles: {by_tiles}");
        assert_eq!(scene.stuck, 0);
    }
}
