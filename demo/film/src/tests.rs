//! Golden scenes and recordings, without a page.

use carom::prelude::*;
use carom::{Pose, Recorder};
use demo_shell::check::{self, count, line, number_of, steps};
use demo_shell::{DT, Demo};
use testkit::golden;

use crate::ALL;

fn begun(name: &str) -> Demo {
    check::begun(&ALL, name)
}

fn poses(demo: &Demo) -> &[Pose] {
    demo.poses()
}

/// The view of the endless map moves.
#[test]
fn every_scene_goes_on_for_ten_seconds() {
    ALL.iter().for_each(|info| check::goes_on(&ALL, info, info.name == "endless"));
}

#[test]
fn every_layer_draws_something_that_can_be_read() {
    ALL.iter().for_each(|info| check::layers_draw(&ALL, info));
}

/// But where presses mean something else.
#[test]
fn a_body_follows_the_hand_in_every_scene() {
    let held = ALL.iter().filter(|info| !["breaking", "recording"].contains(&info.name));
    held.for_each(|info| check::follows_the_hand(&ALL, info));
}

#[test]
fn the_golden_scenes_have_their_bits() {
    for (k, (name, _)) in golden::SCENES.iter().enumerate() {
        let mut demo = Demo::new(&ALL);
        assert!(demo.begin(number_of(&ALL, "determinism"), k as u32 + 1));
        for _ in 0..100 {
            assert!(demo.step(), "{name}");
        }
        demo.frame(1.0);
        assert!(line(&demo, "golden, step 100").ends_with("equal\tgood"), "{name}: {}", demo.report());
    }
}

#[test]
fn a_touched_golden_scene_has_other_bits() {
    let mut demo = begun("determinism");
    demo.set_gravity(vec2(0.0, -9.8));
    for _ in 0..100 {
        demo.step();
    }
    demo.frame(1.0);
    assert!(line(&demo, "golden, step 100").ends_with("differs\tbad"));
}

/// A game of half a minute, with balls that are thrown.
fn game(key_every: u64) -> (Vec<u8>, Vec<u64>) {
    let mut world = World::default();
    world.record(Recorder { key_every, hashes: true });
    world.add(BodyDef::fixed().shape(Shape::rect(30.0, 1.0))).expect("no rule is broken");
    let mut hashes = vec![world.hash()];
    for step in 0..900_u32 {
        if step % 20 == 0 && step < 600 {
            let at = vec2(0.3 * (step / 20 % 9) as f32 - 1.2, 12.0);
            world.add(BodyDef::dynamic().at(at).shape(Shape::rect(0.9, 0.7))).expect("no rule is broken");
        }
        world.step(DT).expect("dt is in range");
        hashes.push(world.hash());
    }
    (world.stop_recording().expect("it was on").to_bytes(), hashes)
}

fn hand(demo: &mut Demo, bytes: &[u8]) -> bool {
    demo.hand(bytes);
    demo.begin(number_of(&ALL, "recording"), 1)
}

/// A file is read while it is played, and then every step is at hand: with the bits that it had.
#[test]
fn a_recording_that_is_handed_in_is_played_and_gone_through() {
    let (bytes, hashes) = game(0);
    let mut demo = Demo::new(&ALL);
    assert!(hand(&mut demo, &bytes));
    (0..60).for_each(|_| demo.frame(1.0));
    assert_eq!(line(&demo, "equal"), "equal to what was recorded\tall 900 steps\tgood");
    for step in [450, 1, 899, 900, 455, 20, 454] {
        assert!(demo.seek(f64::from(step)));
        assert_eq!(demo.hash(), hashes[step as usize], "step {step}");
    }
    steps(&mut demo, 3);
    assert_eq!(demo.hash(), hashes[457]);
    demo.frame(1.0);
    assert_eq!([16, 17, 18].map(|k| demo.numbers()[k]), [0.0, 900.0, 457.0]);
    assert!(demo.numbers()[19].is_nan(), "no step is marked");
    assert!(demo.keep() && demo.about() == bytes);
    assert!(!hand(&mut demo, &bytes[1..]), "it is none");
    assert!(!demo.report().is_empty());
}

/// A press on a body tells its numbers; one beside it nothing.
#[test]
fn a_pressed_body_tells_its_numbers() {
    let mut demo = begun("recording");
    steps(&mut demo, 10);
    demo.frame(1.0);
    assert!(!demo.grab(vec2(-9.0, 8.0), 0.0));
    assert!(demo.grab(vec2(1.0, 0.4), 0.0));
    assert!((count(&mut demo, "body") - 0.64).abs() < 1e-3 && (count(&mut demo, "place") - 1.0).abs() < 0.05);
}

/// The last bit of one speed in step 151 makes that step another one, and it is marked.
#[test]
fn a_flipped_bit_is_marked_where_it_first_shows() {
    let mut demo = begun("recording");
    (0..40).for_each(|_| demo.frame(1.0));
    assert!(line(&demo, "equal").ends_with("good"));
    demo.set_naive(true);
    (0..40).for_each(|_| demo.frame(1.0));
    assert_eq!(
        (line(&demo, "went another way"), demo.numbers()[19]),
        ("went another way\tin step 151\tbad", 151.0)
    );
    demo.set_naive(false);
    (0..40).for_each(|_| demo.frame(1.0));
    assert!(line(&demo, "equal").ends_with("good") && demo.numbers()[19].is_nan());
}

/// The page compares with the same lines.
#[test]
fn every_scene_has_its_bits() {
    check::has_its_bits(&ALL, include_str!("../../test/hashes.txt"));
}

#[test]
fn the_character_runs_jumps_and_falls_back() {
    let mut demo = begun("platformer");
    let hero = |demo: &mut Demo| {
        demo.frame(1.0);
        vec2(demo.numbers()[10] as f32, demo.numbers()[11] as f32)
    };
    let start = hero(&mut demo);
    demo.set_keys(2);
    (0..30).for_each(|_| assert!(demo.step()));
    let ran = hero(&mut demo);
    assert!(ran.x > start.x + 1.5, "{start} to {ran}");
    demo.set_keys(16);
    (0..20).for_each(|_| assert!(demo.step()));
    let up = hero(&mut demo);
    assert!(up.y > ran.y + 1.0, "{ran} to {up}");
    demo.set_keys(0);
    (0..90).for_each(|_| assert!(demo.step()));
    assert!(hero(&mut demo).y < ran.y + 1.0);
}

/// One presses into the ground below a crate and draws down: cells go, outlines are told anew, and
/// the crate falls into the pit. Pressed into the air, a cell comes.
#[test]
fn one_digs_and_builds_in_the_tile_map() {
    let mut demo = begun("tiles");
    (0..120).for_each(|_| assert!(demo.step()));
    demo.frame(1.0);
    let first = demo.revision();
    let drawn = |demo: &mut Demo| -> u32 {
        demo.frame(1.0);
        line(demo, "cells drawn").split('\t').nth(1).and_then(|count| count.parse().ok()).expect("a count")
    };
    assert_eq!(drawn(&mut demo), 0);
    assert!(demo.grab(vec2(0.25, 1.25), 0.01), "there is ground");
    demo.drag(vec2(5.25, 1.25));
    demo.release();
    assert_eq!(drawn(&mut demo), 11);
    assert_ne!(demo.revision(), first);
    assert!(demo.grab(vec2(0.25, 15.25), 0.01), "there is air");
    demo.drag(vec2(0.25, 14.25));
    demo.release();
    demo.drag(vec2(9.0, 9.0));
    assert_eq!(drawn(&mut demo), 14);
    assert!(!demo.grab(vec2(0.0, 40.0), 0.01), "outside of the map one moves the view");
    (0..120).for_each(|_| assert!(demo.step(), "{}", demo.report()));
}

/// Balls bite, what is cut off falls, a press shatters, the ground gets a crater; in the naive way
/// what is cut off stays.
#[test]
fn walls_break_where_they_are_hit() {
    let mut demo = begun("breaking");
    steps(&mut demo, 400);
    assert!(count(&mut demo, "bites") >= 2.0 && count(&mut demo, "pieces") > 3.0, "{}", demo.report());
    let before = count(&mut demo, "pieces");
    let highest = poses(&demo).len();
    let at = (0..highest).find_map(|k| demo.poses()[k].is_somewhere().then_some(demo.poses()[k].position));
    assert!(at.is_some());
    let bites = count(&mut demo, "bites");
    assert!(demo.grab(vec2(13.0, -0.3), 0.0), "the ground");
    demo.release();
    assert_eq!(count(&mut demo, "bites"), bites + 1.0);
    let mut wall = begun("breaking");
    assert!(wall.grab(vec2(-5.2, 2.2), 0.0), "a wall");
    assert_eq!((count(&mut wall, "shattered"), count(&mut wall, "pieces") > 6.0), (1.0, true));
    let mut naive = begun("breaking");
    naive.set_naive(true);
    steps(&mut naive, 400);
    assert!(count(&mut naive, "pieces") == 3.0 && before > 3.0);
}

/// There and back: tiles come and go, what is in the world stays bounded; in the naive way it
/// grows.
#[test]
fn the_endless_map_holds_four_tiles() {
    let mut demo = begun("endless");
    steps(&mut demo, 60 * 20);
    assert!(count(&mut demo, "tiles as bytes") >= 6.0, "{}", demo.report());
    assert!(
        count(&mut demo, "tiles in the world") == 4.0 && count(&mut demo, "bodies in the world") < 160.0,
        "{}",
        demo.report()
    );
    let truck = poses(&demo).iter().filter(|pose| pose.is_somewhere() && pose.position == vec2(-5.0, 1.6));
    assert_eq!(truck.count(), 1, "the view goes with the truck");
    let mut naive = begun("endless");
    naive.set_naive(true);
    steps(&mut naive, 60 * 20);
    assert!(count(&mut naive, "tiles in the world") > 8.0);
}

/// Guards notice, chase and strike; a rewound game goes on as it did; one border makes them
/// flicker.
#[test]
fn a_patrol_is_rewound_to_the_bit() {
    let mut demo = begun("patrol");
    steps(&mut demo, 900);
    assert!(count(&mut demo, "changes of mind") >= 2.0, "{}", demo.report());
    let (hash, changes) = (demo.hash(), count(&mut demo, "changes of mind"));
    assert!(demo.seek(600.0));
    steps(&mut demo, 300);
    assert_eq!((demo.hash(), count(&mut demo, "changes of mind")), (hash, changes));
    let mut naive = begun("patrol");
    naive.set_naive(true);
    steps(&mut naive, 1800);
    let mut calm = begun("patrol");
    steps(&mut calm, 1800);
    let changes = [&mut naive, &mut calm].map(|demo| count(demo, "changes of mind"));
    assert!(changes[0] > changes[1], "{changes:?}");
}
