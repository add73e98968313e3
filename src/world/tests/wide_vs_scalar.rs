//! Lanes against the scalar reference, through whole steps, bit for bit.

use crate::body::{BodyDef, BodyId, BodyKind, Locks, Material};
use crate::joint::{JointDef, Spring};
use crate::math::Rot;
use crate::shape::Shape;
use crate::simd::Lanes;
use crate::util::Random;
use crate::world::{World, WorldDef};
use glam::{Vec2, vec2};

/// A pit with a pile of `count` bodies of all kinds and materials.
pub(super) fn pile(count: usize, seed: u64) -> World {
    let mut random = Random(seed);
    let mut world = World::new(WorldDef::default());
    let floor = [vec2(-9.0, 6.0), vec2(-8.0, 0.0), vec2(0.0, -0.5), vec2(8.0, 0.0), vec2(9.0, 6.0)];
    let pit = BodyDef::fixed().shape(Shape::chain(&floor)).shape(Shape::rect(30.0, 1.0).at([0.0, -2.0]));
    world.add(pit).expect("a pit");
    for k in 0..count {
        let size = random.between(0.3, 0.9);
        let shape = match k % 7 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::capsule([-0.3, 0.0], [0.3, 0.1], 0.3 * size),
            2 => Shape::regular(5, 0.6 * size),
            3 => Shape::compound([Shape::rect(size, 0.2), Shape::rect(0.2, size).at([0.3, 0.1])]),
            _ => Shape::rect(size, random.between(0.3, 0.9)),
        };
        let material = Material {
            restitution: if k % 5 == 0 { 0.6 } else { 0.0 },
            rolling_resistance: if k % 6 == 0 { 0.02 } else { 0.0 },
            ..Material::default()
        };
        let place = [random.between(-6.0, 6.0), random.between(1.0, 12.0)];
        let body = BodyDef::dynamic().at(place).angle(random.between(-3.0, 3.0)).shape(shape);
        let fast = if k % 11 == 0 { 60.0 } else { 3.0 };
        let velocity = Vec2::new(random.between(-fast, fast), random.between(-fast, fast));
        world
            .add(body.velocity(velocity).spin(random.between(-5.0, 5.0)).material(material))
            .expect("a body");
    }
    world
}

/// A pile with joints of every kind between its bodies: chains, loops, stars, ropes, gears.
pub(super) fn jointed(count: usize, seed: u64) -> World {
    let mut world = pile(count, seed);
    let mut random = Random(seed + 1000);
    let ids: Vec<BodyId> = world.bodies().skip(1).map(|(id, _)| id).collect();
    let mut hinges = Vec::new();
    for (k, pair) in ids.windows(2).enumerate().filter(|(k, _)| k % 6 != 5) {
        let (a, b) = (pair[0], pair[1]);
        let spring = Spring::new(random.between(0.5, 20.0), random.between(0.0, 1.5));
        let anchor = |random: &mut Random| vec2(random.between(-0.5, 0.5), random.between(-0.5, 0.5));
        let def = match k % 11 {
            0 | 1 => JointDef::revolute(a, b).limits(-0.5, 0.8),
            2 => JointDef::revolute(a, b).motor(2.0, 5.0).servo(0.3, spring),
            3 => JointDef::prismatic(a, b, [0.6, 0.8]).limits(-0.3, 0.5).motor(0.5, 3.0),
            4 => JointDef::distance(a, b),
            5 => JointDef::rope(a, b, 1.5),
            6 => JointDef::weld(a, b),
            7 => JointDef::weld(a, b).soft(spring),
            8 => JointDef::wheel(a, b, [0.0, 1.0], spring).motor(3.0, 1.0),
            9 => JointDef::friction(a, b, 3.0, 0.5),
            _ => JointDef::motor_to(a, b, spring),
        };
        let (p, q) = (anchor(&mut random), anchor(&mut random));
        world.add_joint(def.anchors(p, q)).expect("a joint");
        if k % 7 == 3 && k > 2 {
            world.add_joint(JointDef::revolute(ids[k - 2], b).anchors(p, q)).expect("a loop");
        }
        if k % 9 == 1 {
            let point = world[b].center_point();
            hinges.push(world.add_joint(JointDef::revolute(None, b).at(point)).expect("a hinge"));
        }
    }
    for pair in hinges.windows(2) {
        world.add_joint(JointDef::gear(pair[0], pair[1], 1.5)).expect("a gear");
    }
    if let [a, .., b] = ids[..] {
        world.add_joint(JointDef::pulley(a, b, [-3.0, 14.0], [3.0, 14.0], 1.0)).expect("a pulley");
    }
    world
}

fn bits(world: &World) -> Vec<u32> {
    let numbers = |(_, body): (_, &crate::body::Body)| {
        let (c, r, v) = (body.center, body.rotation, body.linear_velocity);
        [c.x, c.y, r.cos, r.sin, v.x, v.y, body.angular_velocity].map(f32::to_bits)
    };
    world.bodies().flat_map(numbers).collect()
}

fn run(count: usize, seed: u64, lanes: Lanes, steps: usize) -> Vec<u32> {
    run_world(pile(count, seed), lanes, steps)
}

fn run_world(mut world: World, lanes: Lanes, steps: usize) -> Vec<u32> {
    world.set_lanes(lanes);
    for _ in 0..steps {
        world.step(1.0 / 60.0).expect("a step");
    }
    world.validate().expect("valid");
    bits(&world)
}

#[test]
fn lanes_step_like_the_scalar_reference_at_every_level() {
    let (count, steps) = if cfg!(debug_assertions) { (60, 90) } else { (250, 400) };
    let reference = run(count, 1, Lanes::scalar(), steps);
    for lanes in Lanes::all() {
        assert!(run(count, 1, lanes, steps) == reference, "{lanes}");
    }
}

#[test]
fn every_number_of_contacts_fills_its_blocks() {
    for count in 0..=17 {
        let reference = run(count, 50 + count as u64, Lanes::scalar(), 120);
        assert!(run(count, 50 + count as u64, Lanes::default(), 120) == reference, "{count} bodies");
    }
}

#[test]
fn lanes_hold_joints_like_the_scalar_reference_at_every_level() {
    let (count, steps) = if cfg!(debug_assertions) { (40, 60) } else { (160, 300) };
    let reference = run_world(jointed(count, 5), Lanes::scalar(), steps);
    assert!(jointed(count, 5).joints().count() > count / 2, "there are joints");
    for lanes in Lanes::all() {
        assert_eq!(run_world(jointed(count, 5), lanes, steps), reference, "{lanes}");
    }
}

#[test]
fn every_number_of_joints_fills_its_blocks() {
    for count in 2..=17 {
        let reference = run_world(jointed(count, 200 + count as u64), Lanes::scalar(), 100);
        let lanes = run_world(jointed(count, 200 + count as u64), Lanes::default(), 100);
        assert_eq!(lanes, reference, "{count} bodies");
    }
}

/// Bodies that fall back to scalar code, among bodies that do not: across a border of regions, too
/// fast, spinning, locked, kinematic, pushed, without parts or with several, overlapping, and with
/// parts of all classes.
fn odd(count: usize, seed: u64) -> World {
    let mut random = Random(seed);
    let mut world = World::new(WorldDef { max_speed: 40.0, ..WorldDef::default() });
    world.add(BodyDef::fixed().at([512.0, -3.0]).shape(Shape::rect(60.0, 1.0))).expect("ground");
    for k in 0..count {
        let size = random.between(0.3, 0.9);
        let shape = match k % 5 {
            0 => Shape::circle(0.5 * size),
            1 => Shape::regular(3 + k % 6, size).rounded(0.05),
            2 => Shape::capsule([-0.3, 0.0], [0.3, 0.1], 0.3 * size),
            _ => Shape::rect(size, 0.5),
        };
        let place = [512.0 + random.between(-4.0, 4.0), random.between(-2.0, 6.0)];
        let mut body = BodyDef::dynamic().at(place).angle(random.between(-3.0, 3.0));
        let fast = if k % 9 == 4 { 70.0 } else { 6.0 };
        body = body.velocity([random.between(-fast, fast), random.between(-fast, fast)]);
        body = body.spin(if k % 10 == 7 { 500.0 } else { random.between(-5.0, 5.0) });
        body = match k % 8 {
            2 => body.locks(Locks { rotation: true, ..Locks::default() }),
            3 => BodyDef { kind: BodyKind::Kinematic, ..body }.shape(Shape::chain(&[
                vec2(-1.0, 0.0),
                vec2(0.0, 0.3),
                vec2(1.0, 0.0),
            ])),
            5 => body.locks(Locks { x: true, ..Locks::default() }),
            6 => body.shape(Shape::rect(0.2, 1.2)),
            _ => body,
        };
        world.add(if k % 12 == 9 { body } else { body.shape(shape) }).expect("a body");
    }
    world
}

/// Changes before each step.
fn lead(world: &mut World, step: usize) {
    let ids: Vec<(BodyId, BodyKind)> = world.bodies().map(|(id, body)| (id, body.kind())).collect();
    for (k, &(id, kind)) in ids.iter().enumerate() {
        let turn = 0.1 * (step + k) as f32;
        match kind {
            BodyKind::Kinematic if k % 3 != step % 3 => {
                let way = Rot::from_angle(turn).x_axis() * 0.2;
                let goal = world[id].world_position().offset(way);
                world.move_to(id, goal, turn).expect("a target");
            }
            BodyKind::Dynamic if (k + step).is_multiple_of(7) => {
                world.apply_force(id, Rot::from_angle(turn).y_axis() * 30.0).expect("a force");
            }
            _ => {}
        }
    }
}

#[test]
fn what_lanes_leave_to_others_is_put_back_like_the_reference() {
    let (worlds, steps) = if cfg!(debug_assertions) { (6, 40) } else { (40, 200) };
    for number in 0..worlds {
        let mut reference = odd(3 + 5 * (number % 8), 900 + number as u64);
        reference.set_lanes(Lanes::scalar());
        let mut others: Vec<(Lanes, World)> =
            Lanes::all().into_iter().skip(1).map(|lanes| (lanes, reference.clone())).collect();
        others.iter_mut().for_each(|(lanes, world)| world.set_lanes(*lanes));
        for step in 0..steps {
            lead(&mut reference, step);
            reference.step(1.0 / 60.0).expect("a step");
            for (lanes, world) in &mut others {
                lead(world, step);
                world.step(1.0 / 60.0).expect("a step");
                assert!(
                    world.hash() == reference.hash(),
                    "{lanes}, world {number}, step {step}: {:?}",
                    reference.first_difference(world)
                );
                assert_eq!(bits(world), bits(&reference));
            }
        }
        reference.validate().expect("valid");
    }
}

/// Anchors metres off the bodies, limits that contradict loops, anchors that are metres apart: each
/// joint is closed at 10 m/s, over levers of ten bodies. Nothing holds, and next to nothing bursts:
/// at most three of 300 scenes have a body that is ever faster than 500 m/s.
#[test]
fn contradicting_joints_do_not_burst() {
    let seeds = if cfg!(debug_assertions) { 0..12 } else { 0..300 };
    let burst: Vec<u64> = seeds
        .filter(|&seed| {
            let mut world = jointed(if seed % 3 == 0 { 30 } else { 12 }, seed);
            (0..100).any(|_| {
                world.step(1.0 / 60.0).expect("a step");
                let speeds = world.bodies().map(|(_, body)| body.linear_velocity.length());
                speeds.fold(0.0, crate::math::max) > 500.0
            })
        })
        .collect();
    assert!(burst.len() <= 3, "seeds {burst:?}");
}
