//! Memory that a world gives back once all of it sleeps, and a world that wakes after that.

use crate::{BodyDef, Shape, World, WorldDef};
use glam::vec2;

const DT: f32 = 1.0 / 60.0;

/// So many that a column of the solver is a large list.
const COUNT: usize = 66_000;

/// Boxes side by side on the ground, a gap between them, and some on top of them.
fn heap() -> World {
    let mut world = World::new(WorldDef::default());
    let ground = Shape::rect(3.0 * COUNT as f32, 2.0);
    world.add(BodyDef::fixed().at([COUNT as f32, -1.0]).shape(ground)).expect("no rule is broken");
    let place = |k: usize| match k % 64 {
        63 => vec2(1.5 * (k - 1) as f32, 1.5),
        _ => vec2(1.5 * k as f32, 0.5),
    };
    let boxes = (0..COUNT).map(|k| BodyDef::dynamic().at(place(k)).shape(Shape::rect(1.0, 1.0)));
    world.add_all(boxes).expect("no rule is broken");
    world
}

fn awake(world: &World) -> usize {
    world.bodies.awake.len()
}

/// Memory that only awake bodies need is given back. Bodies that wake go on as in a loaded world,
/// in which no body was ever awake.
#[test]
fn what_sleeps_gives_back_what_only_awake_bodies_need() {
    let mut world = heap();
    for _ in 0..100 {
        world.step(DT).expect("a step");
        if awake(&world) == 0 {
            break;
        }
    }
    assert_eq!(awake(&world), 0, "all sleep");
    (0..16).for_each(|_| _ = world.step(DT).expect("a step"));
    let columns = [&world.columns.velocity, &world.columns.moved, &world.columns.mass];
    assert!(columns.iter().all(|column| column.capacity() < 16), "columns are given back");
    assert!(world.solver.room() < 16, "and blocks: {}", world.solver.room());
    assert!(world.graph.colouring.room() < COUNT / 8, "and colours: {}", world.graph.colouring.room());
    let mut bytes = Vec::new();
    world.save_whole_into(&mut bytes);
    let mut other = World::default();
    other.load(&bytes).expect("nobody touched the bytes");
    assert_eq!(world.hash(), other.hash());
    let ids: Vec<_> = world.bodies().map(|(id, _)| id).skip(1).collect();
    for step in 0..24 {
        for world in [&mut world, &mut other] {
            let stirred = ids.iter().skip(step).step_by(24).take(if step < 12 { COUNT } else { 0 });
            stirred.for_each(|&id| world.apply_impulse(id, vec2(0.3, 1.0)).expect("it is there"));
            world.step(DT).expect("a step");
        }
        assert_eq!(world.hash(), other.hash(), "step {step}");
    }
    assert!(awake(&world) > COUNT / 3);
    world.validate().expect("valid");
}
