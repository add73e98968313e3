//! Joints and contacts together in random worlds: what stands in a pit, joined by joints of every
//! kind in trees and in loops, comes to rest, keeps its joints closed, and gains nothing.

use carom::prelude::*;
use carom::{Anchor, JointKind};

use testkit::build::join;
use testkit::long_rounds;
use testkit::random::Random;
use testkit::worlds::{add, check_range, energy, ground, kinetic_energy, step, top_speed, valid, wall};

use super::joint_audit::{ALL, By, joint, point};

/// Of what a world is made.
#[derive(Clone, Copy, Debug)]
struct Plan {
    is_loop: bool,
    is_limited: bool,
    /// A third of the joints do not fit: their anchors are up to half a metre apart.
    contradicts: bool,
    /// Half of the hinges have motors.
    is_driven: bool,
}

/// Three to eight bodies in a pit, damped, each hung on one of those before it; in loops on up to
/// three more. Half of the joints let their bodies touch each other.
fn pit(random: &mut Random, plan: Plan) -> World {
    let mut world = World::default();
    ground(&mut world);
    [-6.0, 6.0].into_iter().for_each(|x| _ = wall(&mut world, [x, 10.0], 1.0, 40.0));
    let count = 3 + random.below(6);
    let ids: Vec<BodyId> = (0..count)
        .map(|k| {
            let at = vec2((k % 3) as f32 * 1.3 - 1.3, 1.0 + (k / 3) as f32 * 1.3) + random.square(0.1);
            let def = BodyDef::dynamic().at(at).angle(random.range(-3.0, 3.0)).shape(shape(random));
            add(&mut world, def.density(random.range(0.5, 4.0)).damping(1.0, 1.0))
        })
        .collect();
    // Every second world hangs on nothing.
    let first = random.below(2);
    let more = if plan.is_loop { 1 + random.below(3) } else { 0 };
    for k in first..count + more {
        let b = if k < count { k } else { random.below(count) };
        let a = random.below(if k < count { k.max(1) } else { count });
        if a == b && k > 0 {
            continue;
        }
        let at = world[ids[b]].position() + 0.6 * point(random);
        let by = random.one(&ALL);
        let mut def = joint(random, ((a != b).then(|| ids[a]), ids[b]), at, by, plan.is_limited);
        if plan.is_driven && by == By::Hinge && random.below(2) == 0 {
            def = def.motor(random.range(-3.0, 3.0), random.range(0.1, 5.0));
        }
        if plan.contradicts && random.below(3) == 0 {
            def.anchor_b = Anchor::Local(0.5 * point(random));
        }
        join(&mut world, if random.below(2) == 0 { def.collide() } else { def });
    }
    world
}

fn shape(random: &mut Random) -> Shape {
    match random.below(3) {
        0 => Shape::circle(random.range(0.15, 0.5)),
        1 => Shape::rect(random.range(0.2, 0.8), random.range(0.2, 0.8)),
        _ => {
            let half: f32 = random.range(0.1, 0.3);
            Shape::capsule([-half, 0.0], [half, 0.0], random.range(0.1, 0.25))
        }
    }
}

/// The widest gap of any joint that is to have none.
fn widest(world: &World) -> f32 {
    let holds = |joint: &carom::Joint| {
        let gives = matches!(joint.def().kind, JointKind::Wheel { .. } | JointKind::Friction { .. });
        joint.def().spring.is_none() && !gives
    };
    let held = world.joints().filter(|(_, joint)| holds(joint));
    let gaps = held.filter_map(|(id, _)| world.joint_state(id)).map(|state| state.gap);
    gaps.fold(0.0, testkit::greater)
}

/// What ten seconds show of many worlds.
#[derive(Debug, Default)]
struct Counts {
    worlds: usize,
    /// Energy above that of the start by more than 0.1 % of what was in motion.
    gained: usize,
    /// Faster than 0.2 m/s in the end, and awake.
    fast: usize,
    awake: usize,
    /// Gaps above 5 mm in the end.
    open: usize,
}

fn audit(seed: u64, plan: Plan) -> Counts {
    let mut random = Random::new(seed);
    let mut counts = Counts::default();
    for _ in 0..long_rounds(4, 60, 100) {
        let mut world = pit(&mut random, plan);
        let (start, mut above, mut most) = (energy(&world), 0.0, 0.1);
        for number in 0..600 {
            step(&mut world);
            assert_eq!(world.events().frozen(), [], "{plan:?}, {number}");
            above = f64::max(above, energy(&world) - start);
            most = f64::max(most, kinetic_energy(&world));
        }
        valid(&world);
        let is_up = |body: &carom::Body| body.kind() == BodyKind::Dynamic && body.is_awake();
        counts.worlds += 1;
        counts.gained += usize::from(above > 1.0e-3 * most);
        counts.fast += usize::from(top_speed(&world) > 0.2);
        counts.awake += usize::from(world.bodies().any(|(_, body)| is_up(body)));
        counts.open += usize::from(widest(&world) > 0.005);
    }
    println!("{plan:?}: {counts:?}");
    counts
}

fn share(count: usize, of: &Counts) -> f64 {
    count as f64 / of.worlds as f64
}

/// Joints that fit: no world gains energy or keeps a joint open; after ten seconds all but one in
/// twenty rest, and two of three sleep. (Undamped springs swing on, damped as the bodies are.)
#[test]
fn joints_that_fit_rest_on_the_ground() {
    for (is_loop, is_limited) in [(false, false), (false, true), (true, false), (true, true)] {
        let plan = Plan { is_loop, is_limited, contradicts: false, is_driven: false };
        let counts = audit(5, plan);
        check_range("worlds that gained energy", counts.gained as f64, ..=0.0);
        check_range("worlds with open joints", counts.open as f64, ..=0.0);
        if !cfg!(debug_assertions) {
            check_range("faster than 0.2 m/s, share", share(counts.fast, &counts), ..=0.05);
            check_range("awake, share", share(counts.awake, &counts), ..=0.34);
        }
    }
}

/// Motors that are not strong do not tear joints open; joints that contradict each other come to
/// rest as well, but for one in twenty, and stay open where they must, in one world of ten.
#[test]
fn motors_and_contradictions_rest_on_the_ground() {
    for (is_driven, is_loop) in [(true, true), (false, true), (false, false)] {
        let plan = Plan { is_loop, is_limited: true, contradicts: !is_driven, is_driven };
        let counts = audit(6, plan);
        if !cfg!(debug_assertions) {
            check_range("faster than 0.2 m/s, share", share(counts.fast, &counts), ..=0.1);
            check_range("with open joints, share", share(counts.open, &counts), ..=0.15);
        }
        if is_driven {
            check_range("worlds with open joints", counts.open as f64, ..=0.0);
        }
    }
}
