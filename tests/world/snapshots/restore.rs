//! A restored world goes on as the one that was saved.

use carom::prelude::*;
use carom::{Lanes, Ring};

use testkit::chaos::Chaos;
use testkit::pyramid;
use testkit::random::Random;
use testkit::worlds::{DT, box_on, earth, ground, run, valid};

/// Two worlds are the same, and of what differs first.
#[track_caller]
fn same(a: &World, b: &World, when: &str) {
    if a.hash() != b.hash() {
        match a.first_difference(b) {
            Some(difference) => panic!("{when}: {difference}"),
            None => panic!("{when}: the hashes differ, and nothing else"),
        }
    }
}

/// At random moments of scenes in which everything happens, the world is saved, and read into a new
/// world: both then go on with the same calls, and are the same after every step.
#[test]
fn a_restored_world_goes_on_to_the_same_bits() {
    let (scenes, moments, steps) = if cfg!(debug_assertions) { (2, 3, 30) } else { (10, 4, 400) };
    restore_again_and_again(0..scenes, moments, steps);
}

/// The same at 1,000 moments: minutes.
#[test]
#[ignore = "minutes; cargo test --release -p carom-tests --test world thousand_times -- --ignored"]
fn a_restored_world_goes_on_to_the_same_bits_a_thousand_times() {
    restore_again_and_again(100..120, 50, 600);
}

fn restore_again_and_again(seeds: core::ops::Range<u64>, moments: usize, steps: usize) {
    for seed in seeds {
        let mut when = Random::new(seed);
        let mut chaos = Chaos::new(seed, 12 + 3 * (seed % 20) as usize);
        for moment in 0..moments {
            for _ in 0..when.below(40) {
                chaos.step(DT);
            }
            let mut bytes = Vec::new();
            chaos.world.save_whole_into(&mut bytes);
            let mut restored = chaos.clone();
            restored.world = World::default();
            if let Err(error) = restored.world.load(&bytes) {
                panic!("scene {seed}, moment {moment}: {error}, {:?}", chaos.world.validate());
            }
            same(&chaos.world, &restored.world, &format!("scene {seed}, moment {moment}, at once"));
            let mut future = chaos.clone();
            for step in 0..steps {
                future.step(DT);
                restored.step(DT);
                same(&future.world, &restored.world, &format!("scene {seed}, moment {moment}, step {step}"));
            }
            assert_eq!(restored.world.validate(), Ok(()));
        }
    }
}

/// Every instruction set writes the same bytes, and reads the same world from them.
#[test]
fn images_have_the_same_bytes_with_all_lanes() {
    for seed in 0..6 {
        let mut chaos = Chaos::new(seed, 20 + 15 * seed as usize);
        (0..50).for_each(|_| chaos.step(DT));
        let (mut first, mut bytes, mut ring) = (Vec::new(), Vec::new(), Ring::new(1));
        let hash = chaos.world.hash();
        chaos.world.save_into(&mut first);
        for lanes in Lanes::all() {
            chaos.world.set_lanes(lanes);
            chaos.world.save_into(&mut bytes);
            assert!(bytes == first, "scene {seed}, {lanes}");
            ring.save(&chaos.world);
            let mut other = chaos.world.clone();
            other.step(DT).expect("dt is in range");
            ring.load(chaos.world.step_count(), &mut other).expect("it was just saved");
            assert_eq!(other.hash(), hash, "scene {seed}, {lanes}");
        }
    }
}

/// A pyramid of 55 boxes at rest, kept awake, in which no contact begins or ends any more; and its
/// boxes, the lower ones first.
fn resting_pyramid() -> (World, Vec<BodyId>) {
    let mut world = earth();
    ground(&mut world);
    let boxes = pyramid::places(10, 1.0).map(|(row, at)| box_on(&mut world, row as f32, at.x, [1.0, 1.0]));
    let boxes: Vec<BodyId> = boxes.collect();
    for &id in &boxes {
        world.set_can_sleep(id, false).expect("it is there");
    }
    run(&mut world, 120);
    (world, boxes)
}

type Edit = fn(&mut World, &[BodyId]) -> Result<(), Error>;

/// What a game may do to a world between two steps; contacts, colours and awake bodies change.
const EDITS: [(&str, Edit); 18] = [
    ("nothing", |_, _| Ok(())),
    ("a body comes", |world, _| {
        world.add(BodyDef::dynamic().at([0.2, 10.5]).shape(Shape::rect(1.0, 1.0))).map(drop)
    }),
    ("a body goes", |world, boxes| world.remove(boxes[12])),
    ("the last body goes and another takes its place", |world, boxes| {
        world.remove(boxes[54])?;
        world.add(BodyDef::dynamic().at([0.0, 9.6]).shape(Shape::circle(0.5))).map(drop)
    }),
    ("all of a row go", |world, boxes| boxes[10..19].iter().try_for_each(|&id| world.remove(id))),
    ("away", |world, boxes| world.teleport(boxes[54], [9.0, 0.5], None)),
    ("into others", |world, boxes| world.teleport(boxes[54], [0.3, 4.2], Some(0.4))),
    ("a wall", |world, boxes| world.set_kind(boxes[20], BodyKind::Fixed)),
    ("a lift", |world, boxes| {
        world.set_kind(boxes[3], BodyKind::Kinematic)?;
        world.set_velocity(boxes[3], [0.0, 0.5])
    }),
    ("off", |world, boxes| world.set_enabled(boxes[30], false)),
    ("a push", |world, boxes| world.apply_impulse(boxes[40], [600.0, 100.0])),
    ("a joint", |world, boxes| world.add_joint(JointDef::weld(boxes[5], boxes[15])).map(drop)),
    ("asleep", |world, boxes| {
        boxes.iter().try_for_each(|&id| world.set_can_sleep(id, true))?;
        world.put_to_sleep(boxes[0])
    }),
    ("asleep and woken", |world, boxes| {
        boxes.iter().try_for_each(|&id| world.set_can_sleep(id, true))?;
        world.put_to_sleep(boxes[0])?;
        world.wake_up(boxes[54])
    }),
    ("through all", |world, boxes| {
        let shape = world.shapes_of(boxes[25]).next().map(|(id, _)| id).expect("it has one");
        world.set_filter(shape, Filter { mask: 0, ..Filter::default() })
    }),
    ("another shape", |world, boxes| {
        let shape = world.shapes_of(boxes[25]).next().map(|(id, _)| id).expect("it has one");
        world.set_shape(shape, Shape::circle(0.5))
    }),
    ("upwards", |world, _| world.set_gravity([0.0, 3.0])),
    ("no time", |world, _| world.step(0.0).map(drop)),
];

/// Contacts of a restored world get their colours, and what else steps work in, only by its first
/// step. Edits before that step come to the same bits as in the world that was saved, which has
/// kept all that from the step before.
#[test]
fn edits_before_the_first_step_of_a_restored_world_come_to_the_same_bits() {
    for (name, edit) in EDITS {
        let (mut world, boxes) = resting_pyramid();
        let (mut bytes, mut restored) = (Vec::new(), World::default());
        world.save_whole_into(&mut bytes);
        restored.load(&bytes).expect("nobody touched the bytes");
        for world in [&mut world, &mut restored] {
            edit(world, &boxes).expect("nothing is refused");
        }
        // Saved between edit and step, the image has the same bytes too.
        let mut again = Vec::new();
        world.save_whole_into(&mut bytes);
        restored.save_whole_into(&mut again);
        assert!(again == bytes, "{name}, at once");
        for step in 0..20 {
            same(&world, &restored, &format!("{name}, before step {step}"));
            run(&mut world, 1);
            run(&mut restored, 1);
        }
        valid(&restored);
    }
}
