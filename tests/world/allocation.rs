//! A step of what is at rest allocates nothing, one of what moves hardly anything.
//!
//! Counted by `testkit::memory`, on the thread of the test alone.

use carom::prelude::*;

use testkit::memory;
use testkit::worlds::{DT, add, box_on, earth, ground};

/// Allocations of `steps` steps after `warm_up` steps.
fn allocations(world: &mut World, warm_up: usize, steps: usize) -> u64 {
    let step = |world: &mut World| world.step(DT).map(|_| ()).expect("dt is in range");
    (0..warm_up).for_each(|_| step(world));
    memory::asked_by(|| (0..steps).for_each(|_| step(world))).pieces
}

/// A pyramid of 210 boxes at rest, awake: 600 steps without an allocation.
#[test]
fn a_resting_pyramid_allocates_nothing() {
    let mut world = earth();
    ground(&mut world);
    for row in 0..20 {
        for column in 0..20 - row {
            box_on(&mut world, row as f32, 1.05 * column as f32 + 0.525 * row as f32, [1.0, 1.0]);
        }
    }
    assert_eq!(allocations(&mut world, 300, 600), 0);
}

/// A heap of 1,500 crates that is stirred: contacts for two zones, into which rows are dealt, and
/// other colours in every step: fewer allocations than steps.
#[test]
fn a_stirred_heap_hardly_allocates() {
    let mut world = earth();
    ground(&mut world);
    for x in [-22.5, 22.5] {
        add(&mut world, BodyDef::fixed().at([x, 50.0]).shape(Shape::rect(1.0, 100.0)));
    }
    let stirrer = BodyDef::kinematic().at([0.0, 9.0]).spin(1.0);
    add(&mut world, stirrer.shape(Shape::rect(16.0, 0.8)).shape(Shape::rect(0.8, 16.0)));
    for k in 0..1_500 {
        let (row, column) = (k * 947 % 1_500 / 40, k * 947 % 1_500 % 40);
        box_on(&mut world, row as f32 + 0.25, 1.05 * column as f32 - 20.6, [1.0, 0.7]);
    }
    // Lists of colours still reach sizes that they never had; but what is done in every step
    // allocates nothing.
    let steps = 60;
    assert!(allocations(&mut world, 150, steps) < steps as u64);
    assert!(world.stats().contacts > 2_500, "enough for zones");
}

/// 225 elastic discs in a closed room, where contacts come and go in every step: at most one
/// allocation in a hundred steps, after 600 in which the lists found their sizes.
#[test]
fn a_gas_hardly_allocates() {
    let mut world = earth();
    for (x, y, width, height) in
        [(-11.0, 0.0, 1.0, 22.0), (11.0, 0.0, 1.0, 22.0), (0.0, -11.0, 22.0, 1.0), (0.0, 11.0, 22.0, 1.0)]
    {
        let block = BodyDef::fixed().at([x, y]).shape(Shape::rect(width, height));
        add(&mut world, block.material(Material::elastic()));
    }
    for k in 0..225 {
        let at = [1.3 * (k % 15) as f32 - 9.1, 1.3 * (k / 15) as f32 - 9.1];
        let disc = BodyDef::dynamic().at(at).velocity([(k % 7) as f32 - 3.0, (k % 5) as f32 - 2.0]);
        add(&mut world, disc.shape(Shape::circle(0.25)).material(Material::elastic()));
    }
    // A list may still reach a size that it never had: one growth a hundred steps.
    assert!(allocations(&mut world, 600, 600) <= 6);
}

/// Joints of every kind on crates that rest while a slow motor keeps them awake, in a world that
/// looks for what may sleep: 600 steps without an allocation.
#[test]
fn steady_joints_allocate_nothing() {
    let mut world = World::default();
    ground(&mut world);
    let join =
        |world: &mut World, def: JointDef| world.add_joint(def).expect("the definition breaks no rule");
    let wheel = add(&mut world, BodyDef::dynamic().at([0.0, 9.0]).shape(Shape::circle(0.5)));
    let slow = JointDef::revolute(None, wheel).at([0.0, 9.0]).motor(0.02, 100.0);
    let axle = join(&mut world, slow);
    let spring = Spring::new(4.0, 1.0);
    for k in 0..40 {
        let x = 4.0 * k as f32;
        let (a, b) = (box_on(&mut world, 0.0, x, [1.0, 1.0]), box_on(&mut world, 0.0, x + 1.5, [1.0, 1.0]));
        let def = match k % 11 {
            0 => JointDef::revolute(a, b).limits(-1.0, 1.0),
            1 => JointDef::prismatic(a, b, [1.0, 0.0]).servo(0.0, spring),
            2 => JointDef::distance(a, b).anchors([0.0, 0.0], [0.0, 0.0]),
            3 => JointDef::rope(a, b, 9.0),
            4 => JointDef::weld(a, b),
            5 => JointDef::wheel(a, b, [0.0, 1.0], spring),
            6 => JointDef::motor_to(a, b, spring),
            7 => JointDef::friction(a, b, 1.0, 1.0),
            8 => JointDef::pulley(a, b, [x, 5.0], [x + 1.5, 5.0], 1.0),
            9 => JointDef::revolute(a, b).soft(spring),
            _ => JointDef::filter(a, b),
        };
        let middle = [x + 0.75, 0.5];
        let joint = join(&mut world, if matches!(k % 11, 2 | 8) { def } else { def.at(middle) });
        if k % 11 == 0 {
            join(&mut world, JointDef::gear(axle, joint, 1.0e3).collide());
        }
        // It holds on to the wheel that turns, and keeps its island awake.
        join(&mut world, JointDef::rope(wheel, a, 1.0e3));
    }
    assert_eq!(allocations(&mut world, 300, 600), 0);
    assert_eq!(world.bodies().filter(|(_, body)| body.is_awake()).count(), 81);
}

/// A sleeping world steps without an allocation, and asking it for poses, after the first time,
/// takes none.
#[test]
fn sleep_and_poses_allocate_nothing() {
    let mut world = World::default();
    ground(&mut world);
    (0..50).for_each(|k| {
        box_on(&mut world, 0.0, 1.5 * k as f32, [1.0, 1.0]);
    });
    (0..300).for_each(|_| world.step(DT).map(|_| ()).expect("dt is in range"));
    let _ = world.poses_at(0.5);
    let asked = memory::asked_by(|| {
        for _ in 0..100 {
            world.step(DT).map(|_| ()).expect("dt is in range");
            let _ = world.poses_at(0.5);
        }
    });
    assert_eq!(asked.pieces, 0);
}

/// A world of boxes, dolls of joints, asleep and awake, polar shapes, compounds and a chain; a
/// sensor that is visited.
fn mixed() -> World {
    let mut world = World::default();
    ground(&mut world);
    let hills: Vec<Vec2> = (0..40).map(|k| vec2(-60.0 + 3.0 * k as f32, (k % 3) as f32)).collect();
    add(&mut world, BodyDef::fixed().at([0.0, -30.0]).shape(Shape::chain(&hills)));
    add(&mut world, BodyDef::fixed().at([0.0, 2.0]).shape(ShapeDef::from(Shape::circle(3.0)).sensor()));
    let ship = Shape::polar(&[vec2(1.0, 0.0), vec2(-0.6, 0.6), vec2(-0.2, 0.0), vec2(-0.6, -0.6)]);
    let barbell = Shape::compound([Shape::circle(0.3).at([-0.6, 0.0]), Shape::rect(0.4, 0.9).at([0.6, 0.0])]);
    for k in 0..60 {
        let at = [1.5 * (k % 12) as f32 - 9.0, 1.0 + 1.3 * (k / 12) as f32];
        let shape = [Shape::rect(0.9, 0.9), ship.clone(), barbell.clone()][k % 3].clone();
        let body = add(&mut world, BodyDef::dynamic().at(at).shape(shape));
        let arm = BodyDef::dynamic().at([at[0] + 0.7, at[1]]).shape(Shape::circle(0.2));
        let arm = add(&mut world, arm);
        world.add_joint(JointDef::revolute(body, arm).at(at)).expect("the definition breaks no rule");
    }
    world
}

/// Loading and copying take no memory once lists have found their sizes; saving no more than a list
/// of the outlines that move.
#[test]
fn snapshots_allocate_nothing_once_warm() {
    let mut world = mixed();
    let mut copy = world.clone();
    let mut bytes = Vec::new();
    let mut round = |world: &mut World, steps: usize| {
        let [mut saved, mut loaded, mut copied] = [0; 3];
        for _ in 0..steps {
            world.step(DT).map(drop).expect("dt is in range");
            saved += memory::asked_by(|| world.save_into(&mut bytes)).pieces;
            loaded += memory::asked_by(|| world.load(&bytes).expect("its own image")).pieces;
            copied += memory::asked_by(|| copy.clone_from(world)).pieces;
        }
        [saved, loaded, copied]
    };
    // The heap is at rest by then.
    let (warm_up, steps) = if cfg!(debug_assertions) { (160, 10) } else { (400, 50) };
    round(&mut world, warm_up);
    let [saved, loaded, copied] = round(&mut world, steps);
    assert_eq!([loaded, copied], [0, 0]);
    // Outlines that move are told once each: a short list of them, and one of their words.
    assert!(saved <= 6 * steps as u64, "{saved}");
}
