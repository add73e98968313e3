use crate::common::*;
use carom::prelude::*;
use carom_nav::crowd::*;

#[test]
fn circle_of_100() {
    let speed = 1.5;
    let agent = Agent { radius: 0.5, speed, ..Agent::default() };
    let mut scene = circle(100, 40.0, agent, CrowdDef::default());
    let mut least = f32::INFINITY;
    while !scene.arrived.iter().all(|a| *a) && scene.seconds() < 120.0 {
        scene.tick();
        least = least.min(scene.least_separation());
        if scene.ticks % 1200 == 0 { println!("> {} arrived {} least {least} stuck {}", scene.seconds(), scene.arrived.iter().filter(|a| **a).count(), scene.stuck); }
    }
    println!("> circle: {} s ratio {} least {least} stuck {}", scene.seconds(), scene.seconds() / (80.0 / speed), scene.stuck);
}

#[test]
fn door() {
    for count in [200] {
    let mut scene = Scene::new(CrowdDef::default());
    scene.wall([0.0, 20.6], [0.4, 40.0]);
    scene.wall([0.0, -20.6], [0.4, 40.0]);
    let agent = Agent { radius: 0.25, speed: 1.34, ..Agent::default() };
    let side = (count as f32 / 2.0).sqrt().ceil() as i32;
    for k in 0..count {
        let (x, y) = (k as i32 / (2 * side), k as i32 % (2 * side));
        let id = scene.add(agent, [-1.5 - 0.62 * x as f32, 0.62 * (y - side) as f32 + 0.3 + 0.05 * (x % 3) as f32]);
        scene.crowd.follow(id, &[[-0.2, 0.0].into(), [0.3, 0.0].into(), [12.0, 0.0].into()]).unwrap();
    }
    let mut through = vec![false; count];
    let mut last = 0.0; let mut pause: f32 = 0.0; let mut first = 0.0;
    let mut n = 0;
    let start = std::time::Instant::now();
    while n < count && scene.seconds() < 60.0 + count as f32 {
        scene.tick();
        for k in 0..count {
            if !through[k] && scene.place(k).x > 0.3 { through[k] = true; n += 1;
                if n == 1 { first = scene.seconds(); } else { pause = pause.max(scene.seconds() - last); } last = scene.seconds(); 
            }
            if through[k] && scene.place(k).x > 8.0 && scene.crowd.remove(scene.ids[k]) { scene.world.remove(scene.bodies[k]).unwrap(); scene.bodies[k] = scene.world.add(BodyDef::fixed().at([100.0, 100.0])).unwrap(); }
        }
        if n > 20 && scene.seconds() - last > 1.9 && scene.seconds() - last < 1.9 + DT * 1.5 { for k in 0..count { let p = scene.place(k); if p.x > -1.0 && p.x < 0.5 && p.y.abs() < 1.0 { println!("> SNAP {k} p {p:.2} v {:.2}", scene.velocity(k)); } } }
        if scene.ticks % 1200 == 0 { println!("> {} through {n} stuck {}", scene.seconds(), scene.stuck); }
    }
    println!("> door {count}: {n} through in {} s; flow {} /(m s); pause {pause}; stuck {}; took {:?}", last, (n as f32 - 1.0) / (last - first) / 1.2, scene.stuck, start.elapsed());
    }
}

#[test]
fn hallway() {
    let mut scene = Scene::new(CrowdDef::default());
    let mut random = testkit::random::Random::new(5);
    scene.wall([0.0, 3.2], [300.0, 0.4]);
    scene.wall([0.0, -3.2], [300.0, 0.4]);
    let agent = Agent { radius: 0.25, speed: 1.34, ..Agent::default() };
    for k in 0..400 {
        let (row, col) = ((k / 2) % 8, (k / 2) / 8);
        let s = if k % 2 == 0 { -1.0 } else { 1.0 };
        let x = s * (2.0 + col as f32 * 2.0 + 0.1 * random.range(-1.0, 1.0));
        let y = -2.6 + row as f32 * 0.74 + 0.1 * random.range(-1.0, 1.0);
        let id = scene.add(agent, [x, y]);
        scene.crowd.go(id, [-s * 110.0, y]).unwrap();
    }
    for t in 0..60 {
        for _ in 0..60 { scene.tick(); }
        // Lane order: per lane of 0.5 m in y & window of x
        let mut phi = 0.0; let mut nphi = 0.0; let mut v = 0.0;
        for k in 0..400 {
            let p = scene.place(k); let s = if k % 2 == 0 { 1.0 } else { -1.0 };
            v += scene.velocity(k).x * s;
            let (mut same, mut opp) = (0.0, 0.0);
            for j in 0..400 { let q = scene.place(j); if (q.y - p.y).abs() < 0.4 && (q.x - p.x).abs() < 20.0 { if j % 2 == k % 2 { same += 1.0 } else { opp += 1.0 } } }
            let o: f32 = (same - opp) / (same + opp); phi += o * o; nphi += 1.0;
        }
        if t % 10 == 9 { println!("> t {} phi {} speed {} stuck {}", t + 1, phi / nphi, v / 400.0, scene.stuck); }
    }
}

#[test]
fn head_on() {
    let mut random = testkit::random::Random::new(3);
    let (mut worst, mut sep, mut stuck) = (0.0_f32, f32::INFINITY, 0);
    for round in 0..200 {
        let mut scene = Scene::new(CrowdDef::default());
        let agent = Agent { radius: 0.4, ..Agent::default() };
        let off = if round % 3 == 0 { 0.0 } else { random.range(-0.5_f32, 0.5) };
        let gap = random.range(2.0_f32, 10.0);
        let a = scene.add(agent, [-gap, 0.0]);
        let b = scene.add(agent, [gap, off]);
        scene.crowd.go(a, [gap, 0.0]).unwrap();
        scene.crowd.go(b, [-gap, off]).unwrap();
        while !scene.arrived.iter().all(|a| *a) && scene.seconds() < 60.0 { scene.tick(); sep = sep.min(scene.least_separation()); }
        worst = worst.max(scene.seconds() - 2.0 * gap / 1.4);
        stuck += scene.stuck; if scene.stuck > 0 { println!("> round {round} off {off} gap {gap} t {}", scene.seconds()); }
    }
    println!("> head on: worst delay {worst} sep {sep} stuck {stuck}");
}

#[test]
fn crossing() {
    let mut scene = Scene::new(CrowdDef::default());
    let mut random = testkit::random::Random::new(4);
    for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        scene.wall([x * 22.5, y * 22.5], [40.0, 40.0]);
    }
    let agent = Agent { radius: 0.25, speed: 1.34, ..Agent::default() };
    for k in 0..200 {
        let (arm, i) = (k % 4, k / 4);
        let p = vec2(-4.0 - 0.8 * (i / 5) as f32, -1.8 + 0.9 * (i % 5) as f32 + 0.1 * random.range(-1.0_f32, 1.0));
        let r = Rot::from_angle(arm as f32 * core::f32::consts::FRAC_PI_2);
        let id = scene.add(agent, r * p);
        scene.crowd.go(id, r * vec2(28.0 - 0.8 * (i / 5) as f32, p.y)).unwrap();
    }
    let mut slow = vec![0.0_f32; 200]; let mut worst = 0.0_f32; let mut sep = f32::INFINITY;
    while !scene.arrived.iter().all(|a| *a) && scene.seconds() < 120.0 {
        scene.tick();
        for k in 0..200 { if !scene.arrived[k] && scene.velocity(k).length() < 0.1 { slow[k] += DT; worst = worst.max(slow[k]); } else { slow[k] = 0.0; } }
        if scene.ticks % 10 == 0 { sep = sep.min(scene.least_separation()); }
    }
    println!("> crossing: {} s arrived {} worst standstill {worst} sep {sep} stuck {}", scene.seconds(), scene.arrived.iter().filter(|a| **a).count(), scene.stuck);
}

#[test]
fn idle() {
    let mut scene = Scene::new(CrowdDef::default());
    let agent = Agent { radius: 0.25, speed: 1.34, ..Agent::default() };
    for k in 0..100 { scene.add(agent, [(k % 10) as f32 * 0.7, (k / 10) as f32 * 0.7]); }
    for _ in 0..120 { scene.tick(); }
    let homes: Vec<Vec2> = (0..100).map(|k| scene.place(k)).collect();
    println!("> asleep {}", scene.bodies.iter().filter(|b| !scene.world[**b].is_awake()).count());
    let w = scene.add(agent, [-3.0, 3.3]);
    scene.crowd.go(w, [12.0, 3.3]).unwrap();
    while !scene.arrived[100] && scene.seconds() < 60.0 { scene.tick(); }
    println!("> through at {}", scene.seconds());
    for t in 0..12 {
        for _ in 0..30 { scene.tick(); }
        let far = (0..100).map(|k| scene.place(k).distance(homes[k])).fold(0.0, f32::max);
        println!("> {} s after: worst {far}, asleep {}", 0.5 * (t + 1) as f32, scene.bodies.iter().filter(|b| !scene.world[**b].is_awake()).count());
    }
}

#[test]
fn trace() {
    for round in 0..1 {
    let mut scene = Scene::new(CrowdDef::default());
    let agent = Agent { radius: 0.4, ..Agent::default() };
    let a = scene.add(agent, [-2.5, 0.0]);
    let b = scene.add(agent, [2.5, 0.0*round as f32 + 0.0]);
    scene.crowd.go(a, [2.5, 0.0]).unwrap();
    scene.crowd.go(b, [-2.5, 0.0]).unwrap();
    while !scene.arrived.iter().all(|a| *a) && scene.seconds() < 15.0 { scene.tick();
      if scene.ticks % 15 == 0 { println!("> {:.2} a {:.2} v {:.2} b {:.2} v {:.2} {:?}", scene.seconds(), scene.place(0), scene.velocity(0), scene.place(1), scene.velocity(1), scene.crowd.events()); } }
    }
}
