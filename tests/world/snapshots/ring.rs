//! The last steps of a world: going back to any of them, and forth again.

use std::collections::VecDeque;

use carom::prelude::*;
use carom::{LoadError, Ring};

use testkit::chaos::Chaos;
use testkit::random::Random;
use testkit::worlds::DT;

/// Back by up to 15 steps again and again, in scenes in which everything happens, and forth by the
/// same calls: the same bits, also on another number of threads.
#[test]
fn going_back_and_forth_comes_to_the_same_bits() {
    let (scenes, steps) = if cfg!(debug_assertions) { (1, 60) } else { (4, 800) };
    for seed in 0..scenes {
        let mut dice = Random::new(seed + 100);
        let mut chaos = Chaos::new(seed + 100, 80);
        let mut ring = Ring::new(16);
        // What happened, by step: the dice before it, and the hash.
        let mut past: VecDeque<(Chaos, u64)> = VecDeque::new();
        for step in 0..steps {
            if past.len() == 16 {
                past.pop_front();
            }
            ring.save(&chaos.world);
            past.push_back((chaos.without_world(), chaos.world.hash()));
            chaos.step(DT);
            if dice.below(5) > 0 {
                continue;
            }
            let now = (chaos.world.step_count(), chaos.world.hash());
            let back = dice.below(past.len());
            let (calls, hash) = past[back].clone();
            let mut world = core::mem::take(&mut chaos.world);
            let first = world.step_count() - (past.len() - back) as u64;
            ring.load(first, &mut world).expect("it is kept");
            assert_eq!(
                (world.step_count(), world.hash()),
                (first, hash),
                "scene {seed}, step {step}, back to {first}"
            );
            world.set_threads(1 + dice.below(3));
            chaos = calls.with_world(world);
            while chaos.world.step_count() < now.0 {
                if chaos.world.step_count() > first {
                    ring.save(&chaos.world);
                }
                chaos.step(DT);
            }
            assert_eq!(chaos.world.hash(), now.1, "scene {seed}, step {step}, from {first} on");
        }
        assert_eq!(chaos.world.validate(), Ok(()));
    }
}

/// Frames of a world at rest share all but a few pieces, and those of one in which one in fifty
/// moves, most.
#[test]
fn frames_share_what_does_not_change() {
    let mut world = World::default();
    world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(4000.0, 1.0))).expect("no rule is broken");
    for k in 0..1000 {
        let x = k as f32 * 1.5 - 750.0;
        world.add(BodyDef::dynamic().at([x, 0.5]).shape(Shape::rect(1.0, 1.0))).expect("no rule is broken");
    }
    while world.stats().awake > 0 || world.step_count() < 10 {
        world.step(DT).expect("dt is in range");
    }
    let mut one = Ring::new(1);
    one.save(&world);
    let mut ring = Ring::new(20);
    for _ in 0..20 {
        ring.save(&world);
        world.step(DT).expect("dt is in range");
    }
    let (frame, all) = (one.bytes(), ring.bytes());
    println!("a frame of 1,001 bodies at rest takes {frame} bytes, 20 frames {all}");
    assert!(all < frame + frame / 4, "{all} bytes for 20 frames of {frame}");
    assert!(frame < 160 * 1001, "{frame} bytes for 1,001 bodies");
}

/// A chain that was removed comes back from the ring, but not from bytes that only name it.
#[test]
fn the_ring_keeps_shapes_that_left_the_world() {
    let mut world = World::default();
    let points: Vec<Vec2> = (0..50).map(|k| vec2(25.0 - k as f32, (k % 3) as f32 * 0.1)).collect();
    let chain = world.add(BodyDef::fixed().shape(Shape::chain(&points))).expect("no rule is broken");
    world.add(BodyDef::dynamic().at([0.0, 2.0]).shape(Shape::circle(0.3))).expect("no rule is broken");
    let (mut ring, mut named, mut whole) = (Ring::new(4), Vec::new(), Vec::new());
    ring.save(&world);
    world.save_into(&mut named);
    world.save_whole_into(&mut whole);
    let hash = world.hash();
    world.clone().load(&named).expect("the chain is there");
    world.remove(chain).expect("it is there");
    let without = world.hash();
    assert_eq!(world.load(&named), Err(LoadError::MissingShape));
    assert_eq!(world.hash(), without);
    ring.load(0, &mut world).expect("it is kept");
    assert_eq!(world.hash(), hash);
    let mut other = World::default();
    assert_eq!(other.load(&named), Err(LoadError::MissingShape));
    other.load(&whole).expect("all is written out");
    assert_eq!(other.hash(), hash);
    assert_eq!(ring.load(7, &mut other), Err(LoadError::NoSuchStep));
}

/// A world that goes back to before its filter hook was set is as it was, has the hook all the
/// same, and can be saved again: bytes of it are read by a world that has no hook, though pairs are
/// without a contact.
#[test]
fn a_world_goes_back_to_before_its_filter_hook() {
    let mut world = World::default();
    world.add(BodyDef::fixed().shape(Shape::rect(9.0, 1.0))).expect("no rule is broken");
    let ball = BodyDef::dynamic().at([0.0, 2.0]).velocity([0.0, -9.0]).shape(Shape::circle(0.5));
    let ball = world.add(ball).expect("no rule is broken");
    let mut ring = Ring::new(4);
    ring.save(&world);
    let before = world.hash();
    world.set_filter_hook(|_| false);
    assert_eq!(world.hash(), before, "hooks do not count");
    ring.load(0, &mut world).expect("it is kept");
    assert_eq!(world.hash(), before);
    for _ in 0..9 {
        world.step(DT).expect("dt is in range");
    }
    assert!(world[ball].position().y < 0.9, "the ball is inside: nothing touches");
    for hooked in [true, false] {
        if !hooked {
            world.clear_hooks();
        }
        assert_eq!(world.validate(), Ok(()));
        let (mut image, mut other) = (Vec::new(), World::default());
        world.save_whole_into(&mut image);
        assert_eq!(other.load(&image), Ok(()), "hooked: {hooked}");
        assert_eq!(other.hash(), world.hash());
        assert_eq!(other.validate(), Ok(()));
        assert_eq!(world.clone().validate(), Ok(()));
    }
}
