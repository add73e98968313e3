//! Orders: ways, places for a group, flocks, fields, wandering; and refused calls.

use carom::IVec2;
use carom::prelude::*;
use carom_nav::crowd::{Agent, Crowd, CrowdDef, CrowdError, CrowdEvent, FlowOn, Wander};
use carom_nav::field::Flow;
use carom_nav::grid::{Map, Tiling};

use crate::common::{Scene, circle};

fn agent() -> Agent {
    Agent { radius: 0.3, ..Agent::default() }
}

/// A group sent to one place: each agent has a spot of its own, all arrive, and all fall asleep.
#[test]
fn a_group_arrives_and_sleeps() {
    let mut scene = Scene::new(CrowdDef::default());
    scene.wall([11.0, 0.0], [1.0, 6.0]);
    for k in 0..40 {
        scene.add(agent(), [(k % 8) as f32 * 0.8, (k / 8) as f32 * 0.8 - 1.6]);
    }
    let ids = scene.ids.clone();
    scene.crowd.gather(&scene.world, &ids, [9.0, 0.0]).expect("a place");
    while !scene.arrived.iter().all(|arrived| *arrived) {
        scene.tick();
        assert!(scene.seconds() < 40.0, "{} arrived", scene.arrived.iter().filter(|a| **a).count());
        // Repeating the order changes nothing.
        let before = scene.crowd.hash();
        scene.crowd.gather(&scene.world, &[], [9.0, 0.0]).expect("a place");
        assert_eq!(scene.crowd.hash(), before);
    }
    println!("a group of 40 arrived after {} s", scene.seconds());
    (0..600).for_each(|_| scene.tick());
    assert!(scene.bodies.iter().all(|body| !scene.world[*body].is_awake()));
    let farthest = (0..40).map(|k| scene.place(k).distance(vec2(9.0, 0.0))).fold(0.0, f32::max);
    assert!(farthest < 4.5, "{farthest}");
    assert!(scene.least_separation() > 0.99);
}

/// Two agents with one goal do not fight for it.
#[test]
fn who_touches_one_that_arrived_has_arrived() {
    let mut scene = Scene::new(CrowdDef::default());
    for k in 0..6 {
        let id = scene.add(agent(), [-(k as f32), 0.1 * k as f32]);
        scene.crowd.go(id, [5.0, 0.0]).expect("a place");
    }
    while !scene.arrived.iter().all(|arrived| *arrived) {
        scene.tick();
        assert!(scene.seconds() < 20.0);
    }
}

/// A niche that holds four has no room for twelve: agents without a spot arrive beside the others,
/// and no spot lies beyond the wall.
#[test]
fn a_group_larger_than_its_place_arrives() {
    let mut scene = Scene::new(CrowdDef::default());
    // Open on its left side.
    for (at, size) in [([6.0, 0.9], [3.0, 0.4]), ([6.0, -0.9], [3.0, 0.4]), ([7.7, 0.0], [0.4, 2.2])] {
        scene.wall(at, size);
    }
    for k in 0..12 {
        scene.add(agent(), [-1.0 - (k / 4) as f32 * 0.8, (k % 4) as f32 * 0.8 - 1.2]);
    }
    let ids = scene.ids.clone();
    scene.crowd.gather(&scene.world, &ids, [7.0, 0.0]).expect("a place");
    while !scene.arrived.iter().all(|arrived| *arrived) {
        scene.tick();
        assert!(scene.seconds() < 40.0, "{} arrived", scene.arrived.iter().filter(|a| **a).count());
    }
    (0..600).for_each(|_| scene.tick());
    assert!(scene.bodies.iter().all(|body| !scene.world[*body].is_awake()));
    for k in 0..12 {
        let at = scene.place(k);
        assert!(at.x < 7.5 && (at.x < 4.5 || at.y.abs() < 0.7), "{k} stands at {at}");
        assert!(at.distance(vec2(7.0, 0.0)) < 6.0, "{k} stands at {at}");
    }
}

/// Repeating an order changes nothing, even in each tick.
#[test]
fn equal_orders_change_nothing() {
    let def = CrowdDef::default();
    let mut once = circle(12, 6.0, agent(), def);
    let mut again = circle(12, 6.0, agent(), def);
    for _ in 0..240 {
        for k in 0..12 {
            let goal = -(Rot::from_angle(k as f32 * core::f32::consts::TAU / 12.0).x_axis() * 6.0);
            again.crowd.go(again.ids[k], goal).expect("a place");
        }
        once.tick();
        again.tick();
        assert_eq!(once.crowd.hash(), again.crowd.hash());
    }
}

/// A flock keeps to its leader's trail around a wall, and stays together; if the leader is removed,
/// the next member leads.
#[test]
fn a_flock_follows_its_leader_around_a_wall() {
    let mut scene = Scene::new(CrowdDef::default());
    scene.wall([5.0, 0.0], [0.5, 10.0]);
    let leader = scene.add(agent(), [0.0, 0.0]);
    let members: Vec<_> =
        (0..12).map(|k| scene.add(agent(), [-1.0 - (k / 4) as f32, -1.5 + (k % 4) as f32])).collect();
    scene.crowd.flock(leader, &members).expect("agents");
    let way = [[4.0, 6.0].into(), [6.0, 6.0].into(), [14.0, 0.0].into()];
    scene.crowd.follow(leader, &way).expect("a way");
    let mut order = 0.0_f32;
    for _ in 0..60 * 25 {
        scene.tick();
        let mean = (0..13).map(|k| scene.velocity(k).normalize_or_zero()).sum::<Vec2>() / 13.0;
        order = order.max(mean.length());
    }
    let farthest = (1..13).map(|k| scene.place(k).distance(vec2(14.0, 0.0))).fold(0.0, f32::max);
    println!("flock: order {order:.3}, farthest {farthest:.2}");
    assert!(order > 0.95, "aligned at some time: {order}");
    assert!(farthest < 0.3 * 4.0 * 13.0_f32.sqrt(), "{farthest}");
    // The leader's body is removed; the next leader leads them back.
    scene.world.remove(scene.bodies[0]).expect("a body");
    scene.crowd.steer(&mut scene.world, 1.0 / 60.0).expect("a tick");
    assert_eq!(scene.crowd.events(), [CrowdEvent::Gone(leader)]);
    scene.crowd.go(members[0], [14.0, 8.0]).expect("a place");
    for _ in 0..60 * 12 {
        scene.crowd.steer(&mut scene.world, 1.0 / 60.0).expect("a tick");
        scene.world.step(1.0 / 60.0).expect("a step");
    }
    assert!((2..13).all(|k| scene.place(k).distance(vec2(14.0, 8.0)) < 5.0));
}

/// Wanderers stay in a yard, use all of it, and one seed walks one track.
#[test]
fn wanderers_use_the_whole_yard() {
    let build = || {
        let mut scene = Scene::new(CrowdDef::default());
        for (at, size) in [
            ([0.0, 10.2], [21.0, 0.4]),
            ([0.0, -10.2], [21.0, 0.4]),
            ([10.2, 0.0], [0.4, 21.0]),
            ([-10.2, 0.0], [0.4, 21.0]),
        ] {
            scene.wall(at, size);
        }
        for k in 0..8 {
            let id = scene.add(agent(), [-7.0 + 2.0 * k as f32, 0.0]);
            scene.crowd.wander(id, Wander { seed: 7, ..Wander::default() }).expect("an agent");
        }
        scene
    };
    let (mut scene, mut twin) = (build(), build());
    let mut visits = [0_usize; 16];
    let minutes = if cfg!(debug_assertions) { 8 } else { 20 };
    for tick in 0..minutes * 3_600 {
        scene.tick();
        if tick < 600 {
            twin.tick();
            assert_eq!(scene.world.hash(), twin.world.hash());
        }
        for k in 0..8 {
            let at = scene.place(k);
            assert!(at.abs().max_element() < 10.0);
            let cell = ((at + 10.0) / 5.0).floor().as_ivec2().clamp(IVec2::ZERO, IVec2::splat(3));
            visits[(cell.x + 4 * cell.y) as usize] += 1;
        }
    }
    let even = minutes * 3_600 * 8 / 16;
    println!("visits of 16 parts, {even} would be even: {visits:?}");
    assert!(visits.iter().all(|visits| *visits > even / 4 && *visits < even * 4));
    assert!(scene.stuck < 4 * minutes, "{}", scene.stuck);
}

/// A wanderer on a leash comes back.
#[test]
fn a_leash_holds() {
    let mut scene = Scene::new(CrowdDef::default());
    let id = scene.add(agent(), [0.0, 0.0]);
    let wander = Wander { seed: 3, turn: 2.0, leash: Some(([0.0, 0.0].into(), 4.0)) };
    scene.crowd.wander(id, wander).expect("an agent");
    for _ in 0..60 * 60 {
        scene.tick();
        // The circle on which it turns home is as wide as 1.4 m/s over 2 rad/s, twice.
        assert!(scene.place(0).length() < 4.0 + 2.0 * 1.4);
    }
}

/// A flow field over a raster of the world leads around walls to its goal.
#[test]
fn a_field_leads_around_walls() {
    let mut scene = Scene::new(CrowdDef::default());
    scene.wall([5.0, 4.0], [0.5, 8.0]);
    let tiling = Tiling { corner: [0.0, 0.0].into(), cell: 0.5, size: [24, 24] };
    let map = Map::raster(&scene.world, &tiling, &QueryFilter::default()).expect("a map");
    let goal = tiling.cell_at([10.0, 1.0]);
    let mut flow = Flow::to(&[goal]);
    flow.fill(&map);
    for k in 0..10 {
        let id = scene.add(agent(), [1.0 + 0.7 * (k % 5) as f32, 1.0 + (k / 5) as f32]);
        scene.crowd.stream(id, 0).expect("an agent");
    }
    let fields = [FlowOn { flow: &flow, map: &map, tiling: &tiling }];
    while scene.arrived.iter().filter(|arrived| **arrived).count() == 0 {
        scene.tick_by(&fields);
        assert!(scene.seconds() < 30.0);
    }
}

/// An agent that walls hold fast reports it once.
#[test]
fn who_cannot_go_on_is_stuck_once() {
    let mut scene = Scene::new(CrowdDef::default());
    scene.wall([2.0, 0.0], [0.4, 9.0]);
    let id = scene.add(agent(), [1.0, 0.0]);
    scene.crowd.go(id, [4.0, 0.0]).expect("a place");
    (0..60 * 5).for_each(|_| scene.tick());
    assert!((1..=2).contains(&scene.stuck), "{}", scene.stuck);
}

#[test]
fn what_breaks_a_rule_is_refused() {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let fixed = world.add(BodyDef::fixed().shape(Shape::circle(0.5))).expect("a body");
    let body = world.add(agent().body([3.0, 0.0])).expect("a body");
    let mut crowd = Crowd::default();
    assert_eq!(crowd.add(&world, fixed, agent()), Err(CrowdError::NotDynamic));
    let bad = Agent { radius: f32::NAN, ..agent() };
    assert!(matches!(crowd.add(&world, body, bad), Err(CrowdError::BadNumber(_))));
    let id = crowd.add(&world, body, agent()).expect("an agent");
    assert_eq!(crowd.add(&world, body, agent()), Err(CrowdError::TakenBody));
    assert!(crowd.follow(id, &[]).is_err());
    assert!(crowd.go(id, [f32::NAN, 0.0]).is_err());
    assert!(crowd.steer(&mut world, 0.0).is_err() && crowd.steer(&mut world, f32::NAN).is_err());
    assert!(Crowd::new(CrowdDef { neighbours: 0, ..CrowdDef::default() }).is_err());
    assert!(crowd.remove(id) && !crowd.remove(id));
    assert_eq!(crowd.go(id, [0.0, 0.0]), Err(CrowdError::NoSuchAgent));
    world.remove(body).expect("a body");
    assert_eq!(crowd.add(&world, body, agent()), Err(CrowdError::NoSuchBody));
    crowd.steer(&mut world, 0.1).expect("nobody to steer");
}
