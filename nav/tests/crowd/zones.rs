//! Zones: borders that do not flicker, sight, and many guards.

use carom::prelude::*;
use carom_nav::crowd::{Agent, CrowdDef, Wander};
use carom_nav::mind::{Machine, Zone, ZoneEvent, Zones};

use crate::common::{DT, Scene};

const WALLS: u64 = 1 << 7;

fn yard(zone: Zone) -> (World, Zones, BodyId, BodyId) {
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let guard = world.add(BodyDef::fixed().shape(Shape::circle(0.3))).expect("a body");
    let thief = BodyDef::kinematic().at([20.0, 0.0]).shape(Shape::circle(0.3));
    let thief = world.add(thief).expect("a body");
    let mut zones = Zones::default();
    zones.attach(&mut world, guard, zone).expect("a zone");
    (world, zones, guard, thief)
}

/// An hour along each border, to and fro across it by 10 cm: at most one event for each crossing of
/// the whole band, so here at most one for each border.
#[test]
fn an_hour_at_a_border_is_one_event() {
    let minutes = if cfg!(debug_assertions) { 2 } else { 60 };
    let zone = Zone::default();
    for (border, events) in [(zone.notice, 1), (zone.lose + 0.3, 0), (zone.reach, 2)] {
        let (mut world, mut zones, _, thief) = yard(zone);
        let mut heard = 0;
        for tick in 0..minutes * 3_600 {
            let (sin, cos) = carom::math::sin_cos(tick as f32 * 0.01 % core::f32::consts::TAU);
            let far = border + 0.1 * carom::math::sin(tick as f32 * 0.5 % core::f32::consts::TAU);
            world.teleport(thief, vec2(cos, sin) * far, 0.0).expect("a body");
            world.step(DT).expect("a step");
            zones.read(&world);
            heard += zones.events().len();
        }
        assert_eq!(heard, events, "at {border}");
    }
}

/// Walls hide: a target behind a wall is not noticed, and a target that runs behind one is lost,
/// but not at once.
#[test]
fn walls_hide() {
    let zone = Zone { hides: WALLS, patience: 30, ..Zone::default() };
    let (mut world, mut zones, _, thief) = yard(zone);
    let filter = Filter { category: WALLS, ..Filter::default() };
    world.add(BodyDef::fixed().at([2.5, -5.0]).shape(Shape::rect(0.4, 10.0)).filter(filter)).expect("a wall");
    let mut at = |place: [f32; 2], ticks: usize| {
        let mut heard = Vec::new();
        for tick in 0..ticks {
            world.teleport(thief, place, 0.0).expect("a body");
            world.step(DT).expect("a step");
            zones.read(&world);
            heard.extend(zones.events().iter().map(|(_, event, _)| (tick, *event)));
        }
        heard
    };
    assert_eq!(at([5.0, -1.0], 60), []);
    assert_eq!(at([5.0, 2.0], 60), [(0, ZoneEvent::Noticed)]);
    assert_eq!(at([5.0, -1.0], 60), [(30, ZoneEvent::Lost)]);
    assert_eq!(at([1.0, 0.0], 5), [(0, ZoneEvent::Noticed), (0, ZoneEvent::InReach)]);
    assert_eq!(at([30.0, 0.0], 5), [(0, ZoneEvent::OutOfReach), (0, ZoneEvent::Lost)]);
}

/// A removed target is lost.
#[test]
fn who_is_gone_is_lost() {
    let (mut world, mut zones, _, thief) = yard(Zone::default());
    world.teleport(thief, [3.0, 0.0], 0.0).expect("a body");
    (0..3).for_each(|_| {
        world.step(DT).expect("a step");
        zones.read(&world);
    });
    world.remove(thief).expect("a body");
    world.step(DT).expect("a step");
    zones.read(&world);
    assert_eq!(zones.events().iter().map(|event| event.1).collect::<Vec<_>>(), [ZoneEvent::Lost]);
}

/// A guard wanders about his post, chases a thief who walks by, strikes him, loses him, and is back
/// at his post in the end: each state once, in this order.
#[test]
fn a_guard_wanders_chases_attacks_and_returns() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum State {
        Patrol,
        Chase,
        Attack,
    }
    use State::{Attack, Chase, Patrol};
    let table = Machine::new(Patrol)
        .on(Patrol, ZoneEvent::Noticed, Chase)
        .on(Chase, ZoneEvent::InReach, Attack)
        .on(Attack, ZoneEvent::OutOfReach, Chase)
        .on(Chase, ZoneEvent::Lost, Patrol)
        .others_stay()
        .check()
        .expect("nothing is wrong");
    let mut scene = Scene::new(CrowdDef::default());
    let leash = Wander { seed: 5, turn: 2.5, leash: Some(([0.0, 0.0].into(), 2.0)) };
    let guard = scene.add(Agent { radius: 0.3, speed: 1.2, ..Agent::default() }, [0.0, 0.0]);
    scene.crowd.wander(guard, leash).expect("an agent");
    let thief = scene.world.add(BodyDef::kinematic().at([-20.0, 1.0]).shape(Shape::circle(0.3)));
    let thief = thief.expect("a body");
    let mut zones = Zones::default();
    let zone = Zone { notice: 5.0, lose: 7.0, ..Zone::default() };
    zones.attach(&mut scene.world, scene.bodies[0], zone).expect("a zone");
    let (mut mind, mut states) = (table.start(), vec![Patrol]);
    for tick in 0..60 * 60 {
        // He walks up to the guard, waits for him, and runs.
        let x = match tick as f32 * DT {
            t if t < 18.0 => -20.0 + t,
            t if t < 25.0 => -2.0,
            t => -2.0 + 3.0 * (t - 25.0),
        };
        scene.world.move_to(thief, [x, 1.0], 0.0).expect("a body");
        for (watcher, event, whom) in zones.events().to_vec() {
            assert_eq!((watcher.index(), whom), (0, thief));
            match table.step(&mut mind, event).expect("known").entered() {
                Some(Patrol) => scene.crowd.wander(guard, leash).expect("an agent"),
                Some(Attack) => scene.crowd.stand(&scene.world, guard).expect("an agent"),
                _ => {}
            }
            let state = table.state(mind).expect("known");
            if states.last() != Some(&state) {
                states.push(state);
            }
        }
        if table.state(mind) == Ok(Chase) && tick % 15 == 0 {
            let place = scene.world[thief].world_position();
            scene.crowd.go(guard, place).expect("a place");
        }
        if table.state(mind) == Ok(Patrol) && tick < 600 {
            assert!(scene.place(0).length() < 4.5, "on his leash");
        }
        scene.tick();
        zones.read(&scene.world);
    }
    assert_eq!(states, [Patrol, Chase, Attack, Chase, Patrol]);
    assert!(scene.place(0).length() < 4.5, "back at his post, not at {}", scene.place(0));
}

/// Ten thousand machines with one event each take at most 50 µs; printed, and at most ten times
/// that, because other programs may run on the machine.
#[test]
#[ignore = "a time: for a quiet machine"]
fn ten_thousand_machines_are_quick() {
    let table = Machine::new(0_u8)
        .on(0, ZoneEvent::Noticed, 1)
        .on(1, ZoneEvent::InReach, 2)
        .on(2, ZoneEvent::OutOfReach, 1)
        .on(1, ZoneEvent::Lost, 0)
        .others_stay()
        .check()
        .expect("nothing is wrong");
    let mut minds = vec![table.start(); 10_000];
    let all = [ZoneEvent::Noticed, ZoneEvent::InReach, ZoneEvent::OutOfReach, ZoneEvent::Lost];
    let mut best = f64::MAX;
    for round in 0..400 {
        let begin = std::time::Instant::now();
        for (k, mind) in minds.iter_mut().enumerate() {
            table.step(mind, all[(k * 7 + round) % 4]).expect("known");
        }
        best = best.min(begin.elapsed().as_secs_f64() * 1e6);
    }
    println!("10,000 machines: {best:.1} µs");
    assert!(best < 500.0);
}
