//! Tests of the linear program and the half-planes against slow and plain computations.

use carom::{Vec2, vec2};
use carom_nav::crowd::avoid::{Encounter, wall};
use carom_nav::crowd::program::{HalfPlane, Program, Solution};
use testkit::random::Random;

type Plane = ([f64; 2], f64);

fn depth(planes: &[Plane], v: [f64; 2]) -> f64 {
    planes.iter().map(|(n, d)| d - n[0] * v[0] - n[1] * v[1]).fold(f64::NEG_INFINITY, f64::max)
}

/// Candidates for the best velocity: the wish, its foot on a border, crossings of two borders, and
/// crossings of a border and the circle.
fn candidates(planes: &[Plane], wish: [f64; 2], speed: f64) -> Vec<[f64; 2]> {
    let size = wish[0].hypot(wish[1]);
    let short = if size > speed { speed / size } else { 1.0 };
    let mut all = vec![[wish[0] * short, wish[1] * short]];
    for (k, (n, d)) in planes.iter().enumerate() {
        let e = [-n[1], n[0]];
        let at = |t: f64| [n[0] * d + e[0] * t, n[1] * d + e[1] * t];
        all.push(at(wish[0] * e[0] + wish[1] * e[1]));
        if d.abs() <= speed {
            let t = (speed * speed - d * d).sqrt();
            all.extend([at(t), at(-t)]);
        }
        for (m, c) in &planes[..k] {
            let slope = m[0] * e[0] + m[1] * e[1];
            if slope.abs() > 1e-12 {
                all.push(at((c - d * (m[0] * n[0] + m[1] * n[1])) / slope));
            }
        }
    }
    all.retain(|v| v[0].hypot(v[1]) <= speed * (1.0 + 1e-9));
    all
}

/// The least possible violation of the soft planes: bisects for the amount by which relaxed planes
/// have a velocity in common.
fn least_violation(planes: &[Plane], hard: usize, speed: f64) -> f64 {
    let (mut low, mut high) = (0.0, 4.0 * speed + 10.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        let relaxed: Vec<Plane> =
            (0..).zip(planes).map(|(k, (n, d))| (*n, if k < hard { *d } else { d - middle })).collect();
        let is_met = candidates(&relaxed, [0.0; 2], speed).iter().any(|v| depth(&relaxed, *v) < 1e-9);
        if is_met { high = middle } else { low = middle }
    }
    high
}

fn random_program(random: &mut Random) -> (Vec<HalfPlane>, usize, Vec2, f32) {
    let count = (random.bits() % 9) as usize;
    let planes = (0..count).map(|_| {
        let angle = random.range(0.0_f32, core::f32::consts::TAU);
        let (sin, cos) = carom::math::sin_cos(angle);
        HalfPlane { normal: vec2(cos, sin), offset: random.range(-1.5_f32, 0.7) }
    });
    let mut planes: Vec<HalfPlane> = planes.collect();
    let hard = (random.bits() % 3) as usize;
    // Walls permit standing.
    planes.iter_mut().take(hard).for_each(|plane| plane.offset = -plane.offset.abs());
    let wish = vec2(random.range(-2.0_f32, 2.0), random.range(-2.0_f32, 2.0));
    (planes, hard.min(count), wish, random.range(0.5_f32, 2.0))
}

/// The solution is permitted, and no permitted candidate is nearer; or its violation is the least
/// possible.
#[test]
fn the_program_is_as_good_as_brute_force() {
    let mut random = Random::new(11);
    let mut program = Program::default();
    let rounds = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };
    let (mut least, mut worst) = (0, 0.0_f64);
    for round in 0..rounds {
        let (planes, hard, wish, speed) = random_program(&mut random);
        let solution = program.solve(&planes, hard, wish, speed);
        let v = solution.velocity().to_array().map(f64::from);
        let exact: Vec<Plane> =
            planes.iter().map(|p| (p.normal.to_array().map(f64::from), f64::from(p.offset))).collect();
        let (w, s) = (wish.to_array().map(f64::from), f64::from(speed));
        assert!(v[0].hypot(v[1]) < s + 1e-4, "round {round}: {solution:?} is too fast");
        assert!(depth(&exact[..hard], v) < 1e-4, "round {round}: {solution:?} is in a wall");
        let far = |v: [f64; 2]| (v[0] - w[0]).hypot(v[1] - w[1]);
        match solution {
            Solution::Permitted(_) => {
                assert!(depth(&exact, v) < 1e-4, "round {round}: {solution:?}");
                let all = candidates(&exact, w, s);
                let best = all.iter().filter(|v| depth(&exact, **v) < -1e-5).map(|v| far(*v));
                let best = best.fold(f64::INFINITY, f64::min);
                worst = worst.max(far(v) - best);
                assert!(far(v) < best + 2e-3, "round {round}: {solution:?}, {} against {best}", far(v));
            }
            // Bisection is slow, so only some are compared.
            Solution::Least(_) => {
                least += 1;
                if least % 20 == 0 {
                    let best = least_violation(&exact, hard, s);
                    let found = depth(&exact[hard..], v);
                    assert!(found < best + 2e-3, "round {round}: {found} against {best}");
                }
            }
            Solution::Stop => panic!("round {round}: walls permit to stand"),
        }
    }
    println!("{least} of {rounds} had no permitted velocity; farthest from the best {worst:e}");
    assert!(least > rounds / 50);
}

#[test]
fn walls_that_leave_nothing_say_stop() {
    let planes = [
        HalfPlane { normal: Vec2::X, offset: 0.5 },
        HalfPlane { normal: -Vec2::X, offset: 0.5 },
        HalfPlane { normal: Vec2::Y, offset: -1.0 },
    ];
    let mut program = Program::default();
    assert_eq!(program.solve(&planes, 2, Vec2::Y, 1.0), Solution::Stop);
    let Solution::Least(v) = program.solve(&planes, 0, Vec2::Y, 1.0) else { panic!("neither can be met") };
    assert!(v.x.abs() < 1e-6);
}

fn mirror(v: Vec2) -> Vec2 {
    vec2(v.x, -v.y)
}

/// Mirrored input gives mirrored half-planes and velocities, bit for bit.
#[test]
fn mirrored_scenes_give_mirrored_bits() {
    let mut random = Random::new(12);
    let mut program = Program::default();
    let mut place = |most: f32| vec2(random.range(-most, most), random.range(-most, most));
    for round in 0..if cfg!(debug_assertions) { 20_000 } else { 300_000 } {
        let mine = place(2.0);
        let mut planes = [Vec::new(), Vec::new()];
        for k in 0..round % 8 {
            let (to, theirs) = (place(4.0), place(2.0));
            // Some are exactly ahead, some touch.
            let to = if k == 3 { mine * 2.0 } else { to };
            let normal = mirror(to) / to.length();
            for (side, planes) in planes.iter_mut().enumerate() {
                let turn = |v: Vec2| if side == 0 { v } else { mirror(v) };
                let encounter = Encounter {
                    to: turn(to),
                    mine: turn(mine),
                    theirs: turn(theirs),
                    radius: 0.8,
                    horizon: 2.0,
                    share: 0.25 * (k % 4) as f32,
                };
                planes.push(if k < 2 {
                    wall(turn(normal), to.length() - 1.0, Vec2::ZERO, 0.4)
                } else {
                    encounter.half_plane()
                });
            }
        }
        let (wish, hard) = (place(2.0), planes[0].len().min(2));
        let v = program.solve(&planes[0], hard, wish, 1.4).velocity();
        let w = program.solve(&planes[1], hard, mirror(wish), 1.4).velocity();
        // Zeros have two signs; adding zero removes the difference.
        let bits = |v: Vec2| (v + 0.0).to_array().map(f32::to_bits);
        assert_eq!(bits(mirror(v)), bits(w), "round {round}: {v} and {w}");
    }
}
