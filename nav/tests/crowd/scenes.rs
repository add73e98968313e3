//! Scenes in which crowds jam, with measurements of how they do not.

use carom::prelude::*;
use carom_nav::crowd::{Agent, CrowdDef};
use testkit::random::Random;

use crate::common::{DT, Scene, circle, person};

const LONG: bool = !cfg!(debug_assertions);

/// Lets agents on a circle change sides. Returns the time as a multiple of the straight time, and
/// the least separation as a share of the width.
fn change_sides(count: usize, radius: f32, bias: f32) -> (f32, f32) {
    let agent = Agent { radius: 0.5, speed: 1.5, ..Agent::default() };
    let mut scene = circle(count, radius, agent, CrowdDef { bias, ..CrowdDef::default() });
    let (mut least, straight) = (f32::INFINITY, 2.0 * radius / agent.speed);
    while !scene.arrived.iter().all(|arrived| *arrived) && scene.seconds() < 3.0 * straight {
        scene.tick();
        least = least.min(scene.least_separation());
    }
    let times = scene.seconds() / straight;
    println!("{count} at {radius} m: {times:.2} times the straight time, least separation {least}");
    (times, least)
}

/// A hundred agents on a circle change sides in 1.3 times the straight time, and none sinks into
/// another by more than a thousandth of its width.
#[test]
fn a_circle_of_agents_changes_sides() {
    let (times, least) = change_sides(100, 40.0, 0.25);
    assert!(times < 1.3 && least > 0.999);
}

/// Smaller circles are denser: 24 agents on a circle of 12 m fill a third of its rim. Not reached:
/// 1.3 times the straight time on all of them.
#[test]
fn circles_of_any_size_change_sides() {
    for (count, radius) in [(6, 6.0), (12, 10.0), (24, 20.0), (24, 15.0), (24, 12.0), (36, 20.0), (50, 25.0)]
    {
        let (times, least) = change_sides(count, radius, 0.2);
        assert!(times < 1.5 && least > 0.999, "{count} at {radius} m");
    }
}

/// Pairs meet head-on, exactly or nearly: no agent waits for three seconds, and none overlaps.
#[test]
fn pairs_pass_each_other() {
    let mut random = Random::new(3);
    for round in 0..if LONG { 1_000 } else { 60 } {
        let mut scene = Scene::new(CrowdDef::default());
        let offset = if round % 3 == 0 { 0.0 } else { random.range(-0.5_f32, 0.5) };
        let gap = random.range(1.0_f32, 8.0);
        let turn = Rot::from_angle(random.range(0.0_f32, core::f32::consts::TAU));
        let agent = Agent::default();
        let ids = [scene.add(agent, turn * vec2(-gap, 0.0)), scene.add(agent, turn * vec2(gap, offset))];
        scene.crowd.go(ids[0], turn * vec2(gap, 0.0)).expect("a place");
        scene.crowd.go(ids[1], turn * vec2(-gap, offset)).expect("a place");
        while !scene.arrived.iter().all(|arrived| *arrived) {
            scene.tick();
            assert!(scene.least_separation() > 0.999, "round {round}");
            assert!(scene.seconds() < 2.0 * gap / agent.speed + 1.5, "round {round}");
        }
        assert_eq!(scene.stuck, 0, "round {round}");
    }
}

/// Two streams in a corridor form lanes: agents side by side along the corridor go the same way.
#[test]
fn opposite_streams_form_lanes() {
    let mut scene = Scene::new(CrowdDef::default());
    let mut random = Random::new(5);
    scene.wall([0.0, 3.2], [400.0, 0.4]);
    scene.wall([0.0, -3.2], [400.0, 0.4]);
    let count: usize = if LONG { 400 } else { 120 };
    for k in 0..count {
        let (line, column) = (k / 2 % 8, k / 2 / 8);
        let side = if k % 2 == 0 { -1.0 } else { 1.0 };
        let x = side * (2.0 + 2.0 * column as f32 + random.range(-0.1_f32, 0.1));
        let y = -2.6 + 0.74 * line as f32 + random.range(-0.1_f32, 0.1);
        let id = scene.add(person(), [x, y]);
        scene.crowd.go(id, [-side * 150.0, y]).expect("a place");
    }
    for _ in 0..20 * 60 {
        scene.tick();
    }
    let (mut order, mut speed) = (0.0, 0.0);
    for k in 0..count {
        let at = scene.place(k);
        let beside = (0..count).filter(|&j| {
            let to = scene.place(j) - at;
            to.y.abs() < 0.4 && to.x.abs() < 10.0
        });
        let (alike, all) =
            beside.fold((0, 0), |(alike, all), j| (alike + usize::from(j % 2 == k % 2), all + 1));
        order += (2.0 * alike as f32 / all as f32 - 1.0).powi(2) / count as f32;
        speed += scene.velocity(k).x * if k % 2 == 0 { 1.0 } else { -1.0 } / count as f32;
    }
    println!("lanes: order {order:.2}, speed {speed:.2}");
    assert!(order > 0.8);
    assert!(speed > 0.8 * 1.34, "against one-way traffic, which is as fast as it walks");
}

/// Four streams cross: no agent stands for three seconds, and an agent that is carried into a side
/// street comes out again.
#[test]
fn four_streams_cross() {
    let mut scene = Scene::new(CrowdDef::default());
    let mut random = Random::new(4);
    for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        scene.wall([x * 43.0, y * 43.0], [80.0, 80.0]);
    }
    let count = if LONG { 200 } else { 60 };
    let turn = |k: usize| Rot::from_angle((k % 4) as f32 * core::f32::consts::FRAC_PI_2);
    for k in 0..count {
        let (row, line) = (k / 4 / 5, k / 4 % 5);
        let at = vec2(-4.0 - 1.6 * row as f32, -1.8 + 0.9 * line as f32 + random.range(-0.1_f32, 0.1));
        let id = scene.add(person(), turn(k) * at);
        scene.crowd.go(id, turn(k) * vec2(40.0, at.y)).expect("a place");
    }
    let (mut stands, mut worst, mut left) = (vec![0; count], 0, count);
    while left > 0 && scene.seconds() < 90.0 {
        scene.tick();
        for k in 0..count {
            if scene.world.get(scene.bodies[k]).is_none() {
                continue;
            }
            stands[k] = if scene.velocity(k).length() < 0.1 { stands[k] + 1 } else { 0 };
            worst = worst.max(stands[k]);
            if (turn(k).inverse() * scene.place(k)).x > 15.0 {
                assert!(scene.crowd.remove(scene.ids[k]));
                scene.world.remove(scene.bodies[k]).expect("it was there");
                left -= 1;
            }
        }
    }
    println!("crossing: {} s, {left} left, longest stand {:.2} s", scene.seconds(), worst as f32 * DT);
    assert_eq!(left, 0);
    assert!((worst as f32) * DT < 3.0);
}

/// An agent walks through a standing crowd: the others make way, come back, and sleep again.
#[test]
fn those_who_stand_make_way_and_come_back() {
    let mut scene = Scene::new(CrowdDef::default());
    for k in 0..100 {
        scene.add(person(), [(k % 10) as f32 * 0.7, (k / 10) as f32 * 0.7]);
    }
    let asleep = |scene: &Scene| scene.bodies.iter().filter(|body| !scene.world[**body].is_awake()).count();
    (0..60).for_each(|_| scene.tick());
    assert_eq!(asleep(&scene), 100);
    let homes: Vec<Vec2> = (0..100).map(|k| scene.place(k)).collect();
    let walker = scene.add(person(), [-3.0, 3.3]);
    scene.crowd.go(walker, [10.0, 3.3]).expect("a place");
    while !scene.arrived[100] {
        scene.tick();
        assert!(scene.seconds() < 40.0, "he is at {}", scene.place(100));
    }
    (0..120).for_each(|_| scene.tick());
    let farthest = (0..100).map(|k| scene.place(k).distance(homes[k])).fold(0.0, f32::max);
    println!("through at {} s, farthest from home {farthest}", scene.seconds());
    assert!(farthest < 0.5 * 0.25 + 0.01);
    (0..180).for_each(|_| scene.tick());
    assert_eq!(asleep(&scene), 101);
}

/// Without a favoured side, a mirrored scene stays mirrored, bit for bit: bodies, contacts and all.
#[test]
fn mirrored_crowds_stay_mirrored() {
    let build = |side: f32| {
        let mut scene = Scene::new(CrowdDef { bias: 0.0, ..CrowdDef::default() });
        let mut random = Random::new(21);
        for k in 0..40 {
            let (x, y) = ((k % 8) as f32 + random.range(-0.2_f32, 0.2), (k / 8) as f32 + 0.3);
            let goal = [x + random.range(-6.0_f32, 6.0), 8.0 - y];
            let id = scene.add(person(), [x, side * y]);
            scene.crowd.go(id, [goal[0], side * goal[1]]).expect("a place");
        }
        scene
    };
    let (mut one, mut other) = (build(1.0), build(-1.0));
    let mut nearest = f32::INFINITY;
    for tick in 0..300 {
        one.tick();
        other.tick();
        for k in 0..40 {
            // Zeros have two signs.
            let bits = |v: Vec2| (v + 0.0).to_array().map(f32::to_bits);
            let (a, b) = (one.place(k), other.place(k));
            assert_eq!(bits(a), bits(vec2(b.x, -b.y)), "tick {tick}, agent {k}: {a} and {b}");
        }
        nearest = nearest.min(one.least_separation());
    }
    assert!(nearest < 1.05, "they met: {nearest}");
}

/// Velocities are read, never written: agents can be knocked back, carried and pushed.
#[test]
fn what_pushes_a_body_pushes_an_agent() {
    let mut scene = Scene::new(CrowdDef::default());
    let agent = Agent { acceleration: 5.0, ..Agent::default() };
    let id = scene.add(agent, [0.0, 0.0]);
    scene.crowd.go(id, [20.0, 0.0]).expect("a place");
    (0..60).for_each(|_| scene.tick());
    let mass = scene.world[scene.bodies[0]].mass();
    scene.world.apply_impulse(scene.bodies[0], [-6.0 * mass, 0.0]).expect("a body");
    scene.tick();
    assert!(scene.velocity(0).x < -4.0, "one blow is not taken back in one tick");
    while !scene.arrived[0] {
        scene.tick();
        assert!(scene.seconds() < 30.0);
    }
}

/// Microseconds of this thread on a processor, if the system reports them; otherwise of a clock.
fn on_processor() -> f64 {
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next().and_then(|word| word.parse::<f64>().ok()));
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    told.unwrap_or_else(|| clock().map_or(0.0, |since| since.as_secs_f64() * 1e9)) / 1e3
}

/// The time of steering per agent with ten neighbours: printed, and at most ten times the expected
/// time, because other programs may run on the machine.
#[test]
#[ignore = "a time: for a quiet machine"]
fn ten_thousand_agents_are_steered() {
    let mut scene = Scene::new(CrowdDef::default());
    let mut random = Random::new(8);
    for k in 0..10_000 {
        let at = vec2((k % 100) as f32, (k / 100) as f32) * 1.5;
        let at = at + vec2(random.range(-0.3_f32, 0.3), random.range(-0.3_f32, 0.3));
        let id = scene.add(person(), at);
        scene.crowd.go(id, at + vec2(random.range(-90.0_f32, 90.0), 90.0)).expect("a place");
    }
    let mut times = Vec::new();
    for _ in 0..120 {
        let begin = on_processor();
        scene.crowd.steer(&mut scene.world, DT).expect("a tick");
        times.push((on_processor() - begin) / 1e4);
        scene.world.step(DT).expect("a step");
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    println!("{:.2} µs an agent, {mean:.2} in the mean, {:.2} at most", times[0], times[119]);
    assert!(mean < 12.0);
}
