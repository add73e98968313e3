//! Recordings: the same calls come to the same bits, from any key frame, and a replay tells where
//! it did not.

use std::collections::BTreeMap;

use carom::prelude::*;
use carom::{LoadError, Recorder, Recording, Ring};

use testkit::chaos::Chaos;
use testkit::worlds::DT;

/// A recording of scenes in which everything happens, hooks included, and the hash after each step.
fn recorded(seed: u64, steps: usize, recorder: Recorder) -> (Recording, Vec<u64>) {
    let mut chaos = Chaos::new(seed, 60);
    chaos.world.set_filter_hook(|pair| (pair.a.index() + pair.b.index()) % 7 != 0);
    chaos.world.record(recorder);
    let mut hashes = vec![chaos.world.hash()];
    for step in 0..steps {
        match step % 90 {
            20 => chaos.world.set_contact_hook(|pair, edit| {
                edit.solid = pair.a.index() % 3 > 0;
                edit.kinetic_friction = 0.1;
                edit.tangent_speed = 1.0;
            }),
            70 => chaos.world.clear_hooks(),
            80 => chaos.world.set_filter_hook(|pair| pair.a.index() % 5 != 0),
            _ => {}
        }
        chaos.step(DT);
        hashes.push(chaos.world.hash());
    }
    (chaos.world.stop_recording().expect("it was on"), hashes)
}

#[test]
fn a_replay_comes_to_the_same_bits() {
    let (seeds, steps) = if cfg!(debug_assertions) { (1, 100) } else { (20, 800) };
    for seed in 0..seeds {
        let (recording, hashes) = recorded(seed, steps, Recorder { key_every: 40, hashes: true });
        let bytes = recording.to_bytes();
        println!("scene {seed}: {steps} steps in {} kB", bytes.len() / 1000);
        let mut replay = Recording::from_bytes(&bytes).expect("nobody touched the bytes").replay();
        assert_eq!(replay.steps(), (0, steps as u64));
        assert_eq!(replay.first_divergence(), None, "scene {seed}");
        assert_eq!(replay.world().hash(), hashes[steps]);
        // To and fro.
        for k in 0..20 {
            let step = (k * 37 + 11) % (steps + 1);
            replay.seek(step as u64).expect("it was recorded");
            assert_eq!(
                (replay.world().step_count(), replay.world().hash()),
                (step as u64, hashes[step]),
                "step {step}"
            );
        }
        assert_eq!(replay.seek(steps as u64 + 1), Err(LoadError::NoSuchStep));
    }
}

/// A recording whose calls were changed goes another way, and the step is named.
#[test]
fn a_replay_tells_where_it_went_another_way() {
    let mut world = World::default();
    let ball =
        world.add(BodyDef::dynamic().at([0.0, 9.0]).shape(Shape::circle(0.5))).expect("no rule is broken");
    world.record(Recorder { key_every: 0, hashes: true });
    for step in 0..200 {
        if step == 120 {
            world.set_velocity(ball, [1.25, 0.0]).expect("it is there");
        }
        world.step(DT).expect("dt is in range");
    }
    let bytes = world.stop_recording().expect("it was on").to_bytes();
    // The velocity of that one call: 1.25 becomes 1.5.
    let at = bytes.windows(4).position(|four| four == 1.25_f32.to_le_bytes()).expect("it was recorded");
    let mut changed = bytes.clone();
    changed[at..at + 4].copy_from_slice(&1.5_f32.to_le_bytes());
    assert_eq!(Recording::from_bytes(&changed), Err(LoadError::Damaged));
    carom::restamp_recording(&mut changed);
    let mut replay = Recording::from_bytes(&changed).expect("it says so").replay();
    let divergence = replay.first_divergence().expect("it went another way");
    assert_eq!(divergence.step, 121);
    assert_ne!(divergence.recorded, divergence.played);
    let mut whole = Recording::from_bytes(&bytes).expect("nobody touched the bytes").replay();
    assert_eq!(whole.first_divergence(), None);
}

/// Going back to a snapshot while recording is part of the recording.
#[test]
fn a_world_that_is_loaded_while_it_is_recorded_is_recorded() {
    let mut chaos = Chaos::new(77, 30);
    let mut bytes = Vec::new();
    chaos.world.record(Recorder::default());
    (0..20).for_each(|_| chaos.step(DT));
    chaos.world.save_whole_into(&mut bytes);
    (0..20).for_each(|_| chaos.step(DT));
    chaos.world.load(&bytes).expect("nobody touched the bytes");
    assert!(chaos.world.is_recording());
    (0..30).for_each(|_| chaos.step(DT));
    let mut replay = chaos.world.stop_recording().expect("it was on").replay();
    assert_eq!(replay.first_divergence(), None);
    while replay.step() == Ok(true) {}
    assert_eq!(replay.world().hash(), chaos.world.hash());
}

/// A world that is recorded and goes back, even to before the recording began, comes to a step more
/// than once: all of it is played, and looked for, a step is where the world was the last time.
#[test]
fn seek_finds_the_last_run_of_a_step_made_twice() {
    let mut chaos = Chaos::new(78, 20);
    let mut ring = Ring::new(64);
    (0..6).for_each(|_| {
        ring.save(&chaos.world);
        chaos.step(DT);
    });
    chaos.world.record(Recorder { key_every: 7, hashes: true });
    let mut hashes = BTreeMap::from([(6, chaos.world.hash())]);
    for (back, steps) in [(6, 20), (15, 3), (4, 8), (11, 0), (5, 9)] {
        if back != chaos.world.step_count() {
            ring.load(back, &mut chaos.world).expect("it is kept");
            hashes.insert(back, chaos.world.hash());
        }
        for _ in 0..steps {
            ring.save(&chaos.world);
            chaos.step(DT);
            hashes.insert(chaos.world.step_count(), chaos.world.hash());
        }
    }
    let mut replay = chaos.world.stop_recording().expect("it was on").replay();
    assert_eq!((replay.world().step_count(), replay.steps()), (6, (4, 26)));
    assert_eq!(replay.first_divergence(), None);
    assert_eq!(replay.world().hash(), chaos.world.hash());
    for keeps in [false, true] {
        for (&step, &hash) in hashes.iter().rev().chain(&hashes) {
            assert_eq!(replay.seek(step), Ok(()), "{step}");
            assert_eq!((replay.world().step_count(), replay.world().hash()), (step, hash));
            if keeps && step % 3 == 0 {
                replay.keep();
                assert_eq!(replay.keep(), 0, "it is kept already");
            }
        }
        assert_eq!(replay.seek(3), Err(LoadError::NoSuchStep));
        assert_eq!(replay.seek(27), Err(LoadError::NoSuchStep));
    }
    assert_eq!(replay.divergence(), None);
}

/// What is kept while a recording is played is where seeking begins: with hooks that decide, and
/// after the step that went another way too.
#[test]
fn a_replay_begins_where_it_was_told_to_keep() {
    let mut world = World::default();
    world.record(Recorder { key_every: 0, hashes: true });
    world.set_filter_hook(|_| true);
    let mut balls = Vec::new();
    for k in 0..8 {
        let ball = BodyDef::dynamic().at([0.3 * k as f32, 1.1 * k as f32]).shape(Shape::circle(0.5));
        balls.push(world.add(ball).expect("no rule is broken"));
    }
    world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(30.0, 1.0))).expect("no rule is broken");
    for step in 0..200 {
        if step == 120 {
            world.set_velocity(balls[3], [1.25, 0.0]).expect("it is there");
        }
        world.step(DT).expect("dt is in range");
    }
    let mut bytes = world.stop_recording().expect("it was on").to_bytes();
    let mut replay = Recording::from_bytes(&bytes).expect("nobody touched the bytes").replay();
    let (mut hashes, mut kept) = (vec![replay.world().hash()], 0);
    while replay.step() == Ok(true) {
        hashes.push(replay.world().hash());
        if replay.world().step_count().is_multiple_of(10) {
            kept += usize::from(replay.keep() > 0);
        }
    }
    assert_eq!((hashes.len(), kept, replay.divergence()), (201, 20, None));
    for step in [199, 3, 120, 121, 10, 9, 200, 0] {
        assert_eq!(replay.seek(step), Ok(()));
        assert_eq!(replay.world().hash(), hashes[step as usize], "{step}");
    }
    let at = bytes.windows(4).position(|four| four == 1.25_f32.to_le_bytes()).expect("it was recorded");
    bytes[at..at + 4].copy_from_slice(&1.5_f32.to_le_bytes());
    carom::restamp_recording(&mut bytes);
    let mut replay = Recording::from_bytes(&bytes).expect("it says so").replay();
    let mut first = None;
    while replay.step() == Ok(true) {
        first = first.or(replay.divergence().map(|_| replay.world().step_count()));
        replay.keep();
    }
    assert_eq!((first, replay.divergence().map(|it| it.step)), (Some(121), Some(121)));
}

/// A recording of another version is refused before anything of it is played, whatever its hash:
/// its key frames are snapshots of another format. The error names the version. (Recordings of
/// version 1 were let in, and failed at the first key frame.)
#[test]
fn recordings_of_other_versions_are_refused_at_once() {
    let (recording, _) = recorded(3, 5, Recorder::default());
    let bytes = recording.to_bytes();
    assert_eq!(bytes[4..8], Recording::VERSION.to_le_bytes());
    for version in [0, 1, Recording::VERSION + 1, u32::MAX] {
        let mut other = bytes.clone();
        other[4..8].copy_from_slice(&version.to_le_bytes());
        carom::restamp_recording(&mut other);
        let error = Recording::from_bytes(&other).expect_err("another version");
        assert_eq!(error, LoadError::OtherVersion(version));
        assert!(error.to_string().contains(&format!("version {version} ")), "{error}");
    }
    assert!(Recording::from_bytes(&bytes).is_ok());
}

/// Cut, changed or made up: a recording is refused, or plays what can be played; nothing panics.
#[test]
fn damaged_recordings_are_refused_or_play() {
    let (recording, _) = recorded(5, 30, Recorder::default());
    let bytes = recording.to_bytes();
    let mut random = testkit::random::Random::new(9);
    let count = if cfg!(debug_assertions) { 20 } else { 3000 };
    for _ in 0..count {
        let mut changed = bytes.clone();
        for _ in 0..1 + random.below(4) {
            let at = 4 * (4 + random.below(bytes.len() / 4 - 4));
            let word = [0, 1, u32::MAX, 0x7FC0_0000, random.bits() as u32][random.below(5)];
            changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        changed.truncate(4 * (5 + random.below(changed.len() / 4 - 5)).max(changed.len() / 8));
        assert!(Recording::from_bytes(&changed).is_err());
        carom::restamp_recording(&mut changed);
        let Ok(recording) = Recording::from_bytes(&changed) else { continue };
        let mut replay = recording.replay();
        for _ in 0..40 {
            if replay.step() != Ok(true) {
                break;
            }
        }
        assert_eq!(replay.world().validate(), Ok(()));
    }
}
