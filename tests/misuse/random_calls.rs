//! Random worlds on which every public call that edits is made, at random, on every kind of shape
//! and body, awake and asleep: nothing panics, every invariant holds after each step, and the world
//! is the same saved and loaded, on three threads, and replayed.
//!
//! `RANDOM_CALLS=0..10000 cargo test -p carom-tests --test misuse random_calls` plays other seeds.

use carom::{Recorder, Recording, World};
use testkit::calls::RandomCalls;

const STEPS: usize = 60;

/// Seeds from the environment, or a few.
fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("RANDOM_CALLS").ok();
    let range = given.as_deref().and_then(|text| {
        let (first, last) = text.split_once("..")?;
        Some(first.parse().ok()?..last.parse().ok()?)
    });
    range.unwrap_or(0..testkit::long_rounds(60, 300, 3000) as u64)
}

/// The world by way of its bytes.
fn reloaded(world: &World) -> World {
    let mut image = Vec::new();
    world.save_whole_into(&mut image);
    let mut other = World::default();
    assert_eq!(other.load(&image), Ok(()), "a saved world can be loaded");
    assert_eq!(other.first_difference(world), None, "loaded");
    other
}

fn play(seed: u64, calls: &mut RandomCalls) {
    calls.world.record(Recorder { key_every: 20, hashes: true });
    let mut twin = RandomCalls::new(seed);
    twin.world.set_threads(3);
    let reload_at = seed as usize * 7 % STEPS;
    for step in 0..STEPS {
        calls.step();
        twin.step();
        assert_eq!(calls.world.validate(), Ok(()), "step {step}");
        assert_eq!(twin.world.first_difference(&calls.world), None, "twin, step {step}");
        let finite = calls.world.bodies().all(|(_, body)| {
            body.position().is_finite() && body.velocity().is_finite() && body.angular_velocity().is_finite()
        });
        assert!(finite, "numbers, step {step}");
        if step == reload_at {
            let world = reloaded(&twin.world);
            twin = twin.with_world(world);
            twin.world.set_threads(3);
        }
    }
    let recording = calls.world.stop_recording().expect("it is on");
    let mut replay = Recording::from_bytes(&recording.to_bytes()).expect("it was written").replay();
    assert_eq!(replay.first_divergence(), None, "replayed");
    assert_eq!(replay.world().first_difference(&calls.world), None, "replayed to the end");
}

#[test]
fn random_calls_break_nothing() {
    let mut failed = Vec::new();
    for seed in seeds() {
        let mut calls = RandomCalls::new(seed);
        let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| play(seed, &mut calls)));
        if played.is_err() {
            let last = calls.log.len().saturating_sub(12);
            println!("seed {seed}: the last calls were {:?}", &calls.log[last..]);
            failed.push(seed);
        }
    }
    assert!(failed.is_empty(), "{} seeds fail: {failed:?}", failed.len());
}
