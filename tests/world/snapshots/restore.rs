//! A restored world goes on as the one that was saved.

use carom::World;

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
