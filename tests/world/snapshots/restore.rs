//! A restored world goes on as the one that was saved.

use carom::{Lanes, Ring, World};

use testkit::chaos::Chaos;
use testkit::random::Random;
use testkit::worlds::DT;

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
