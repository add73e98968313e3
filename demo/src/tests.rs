//! The demo without a page: every scene is played, dragged in, drawn.

use std::collections::BTreeSet;

use crate::scenes::ALL;
use carom::{Pose, vec2};
use demo_shell::geometry::Fnv;
use demo_shell::{Demo, check};

fn begun(name: &str) -> Demo {
    check::begun(&ALL, name)
}

fn poses(demo: &Demo) -> &[Pose] {
    demo.poses()
}

use check::line;

#[test]
fn every_scene_goes_on_for_ten_seconds_and_stays_in_sight() {
    ALL.iter().for_each(|info| check::goes_on(&ALL, info, false));
}

#[test]
fn a_body_follows_the_hand_in_every_scene() {
    ALL.iter().for_each(|info| check::follows_the_hand(&ALL, info));
}

#[test]
fn every_layer_draws_something_that_can_be_read() {
    ALL.iter().for_each(|info| check::layers_draw(&ALL, info));
}

#[test]
fn towers_here_and_far_out_are_equal_even_when_dragged() {
    let mut demo = begun("unlimited");
    for step in 0..240 {
        if step == 60 {
            demo.frame(1.0);
            let at = poses(&demo)[4].position;
            assert!(demo.grab(at, 0.1));
        }
        if step >= 60 {
            demo.drag(vec2(-3.0 - 0.01 * step as f32, 6.0));
        }
        demo.step();
    }
    demo.frame(1.0);
    assert_eq!(line(&demo, "bits"), "bits\tequal\tgood");
}

#[test]
fn energy_of_billiards_stays() {
    let mut demo = begun("billiards");
    for _ in 0..240 * 10 {
        demo.step();
    }
    demo.frame(1.0);
    let words = line(&demo, "energy of the break").split(['\t', ' ']).nth(4).expect("a number");
    let share: f64 = words.parse().expect("a number");
    assert!((share - 100.0).abs() < 0.01, "{share} %");
}

/// Thrown up through two shelves, and back by four belts: half a minute later things still come to
/// lie on top.
#[test]
fn things_go_round_on_the_belts() {
    let mut demo = begun("conveyor");
    let mut arrived = BTreeSet::new();
    for step in 0..60 * 60 {
        demo.step();
        demo.frame(1.0);
        if step >= 60 * 30 {
            let high = poses(&demo).iter().enumerate().filter(|(_, pose)| pose.position.y > 9.1);
            arrived.extend(high.map(|(k, _)| k));
        }
    }
    assert!(arrived.len() >= 10, "{} of 30 things came up in the second half of a minute", arrived.len());
}

#[test]
fn outlines_are_told_again_only_when_they_change() {
    let mut demo = begun("pyramid");
    demo.frame(1.0);
    let first = demo.revision();
    (0..10).for_each(|_| assert!(demo.step()));
    demo.frame(1.0);
    assert_eq!(demo.revision(), first);
    let mut rain = begun("ragdolls");
    rain.frame(1.0);
    let first = rain.revision();
    (0..40).for_each(|_| assert!(rain.step()));
    rain.frame(1.0);
    assert_ne!(rain.revision(), first);
}

/// Half a minute: things float, drift into the shaft, and are blown up and back.
#[test]
fn things_go_round_through_water_and_wind() {
    let mut demo = begun("water");
    let mut arrived = BTreeSet::new();
    for step in 0..60 * 60 {
        demo.step();
        demo.frame(1.0);
        if step >= 60 * 20 {
            let high = poses(&demo).iter().enumerate().filter(|(_, pose)| pose.position.y > 9.1);
            arrived.extend(high.map(|(k, _)| k));
        }
    }
    let wet: u32 =
        line(&demo, "in the water").split('\t').nth(1).and_then(|it| it.parse().ok()).expect("a count");
    println!("{} came up, {wet} are in the water", arrived.len());
    assert!(arrived.len() >= 10 && wet >= 10, "{} came up, {wet} are in the water", arrived.len());
}

/// FNV-1a of one byte, by its definition: (offset basis xor byte) times the prime.
#[test]
fn the_hash_of_one_word_is_that_of_its_definition() {
    let mut hash = Fnv::default();
    hash.add(u64::from(b'a'));
    assert_eq!(hash.0, 0xAF63_DC4C_8601_EC8C);
}

/// The page compares with the same lines.
#[test]
fn every_scene_has_its_bits() {
    check::has_its_bits(&ALL, include_str!("../test/hashes.txt"));
}
