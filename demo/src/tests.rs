//! The demo without a page: every scene is played, dragged in, drawn.

use crate::demo::Demo;
use crate::geometry::Fnv;
use crate::layers::Layers;
use crate::scenes::ALL;
use carom::{DrawOptions, Pose, vec2};
use testkit::golden;

fn number_of(name: &str) -> u32 {
    ALL.iter().position(|info| info.name == name).expect("a scene of that name") as u32
}

/// A scene with as many things as it begins with, but few where thousands would take long.
fn begun(name: &str) -> Demo {
    let (mut demo, number) = (Demo::default(), number_of(name));
    let count = ALL[number as usize].count[1].min(200);
    assert!(demo.begin(number, count), "{name}");
    demo
}

fn poses(demo: &Demo) -> &[Pose] {
    demo.poses()
}

/// What the page reads of a report: the line that begins with a name.
fn line<'d>(demo: &'d Demo, name: &str) -> &'d str {
    demo.report()
        .lines()
        .find(|line| line.starts_with(name))
        .unwrap_or_else(|| panic!("no line {name}: {}", demo.report()))
}

#[test]
fn every_scene_goes_on_for_five_seconds_and_stays_in_sight() {
    for (number, info) in ALL.iter().enumerate() {
        let mut demo = begun(info.name);
        assert!(demo.describe(number as u32));
        for _ in 0..(5.0 * info.hertz) as u32 {
            assert!(demo.step(), "{}: {}", info.name, demo.report());
        }
        demo.frame(0.5);
        let [left, bottom, right, top] = [12, 13, 14, 15].map(|k| demo.numbers()[k] as f32);
        let (low, high) = (vec2(left, bottom), vec2(right, top));
        let size = high - low;
        let somewhere: Vec<&Pose> = poses(&demo).iter().filter(|pose| pose.is_somewhere()).collect();
        assert!(somewhere.iter().all(|pose| pose.position.is_finite()), "{}", info.name);
        let seen = somewhere.iter().filter(|pose| {
            let at = pose.position;
            at.cmpge(low - 0.1 * size).all() && at.cmple(high + 0.1 * size).all()
        });
        assert!(seen.count() * 10 >= somewhere.len() * 8, "{}: most of it is out of sight", info.name);
    }
}

#[test]
fn a_body_follows_the_hand_in_every_scene() {
    for info in ALL {
        let mut demo = begun(info.name);
        for _ in 0..30 {
            demo.step();
        }
        demo.frame(1.0);
        // The last body that can be taken hold of: no weight lies on it. In towers the first half
        // is of the world at the origin.
        let places: Vec<_> = poses(&demo).iter().map(|pose| pose.position).collect();
        let is_held = |demo: &mut Demo, k: usize| demo.grab(places[k], 0.01) && demo.held() == Some(k);
        let held = (0..places.len()).rev().find(|&k| is_held(&mut demo, k)).expect("a body to drag");
        let far = 0.25 * (info.view[1] - info.view[0]).min_element();
        let target = places[held] + vec2(0.0, far);
        for _ in 0..(1.5 * info.hertz) as u32 {
            demo.drag(target);
            demo.step();
        }
        demo.frame(1.0);
        demo.release();
        let moved = poses(&demo)[held].position.distance(places[held]);
        assert!(moved > 0.2 * far, "{}: {moved} of {far} m", info.name);
    }
}

#[test]
fn the_golden_scenes_have_their_bits() {
    for (k, (name, _)) in golden::SCENES.iter().enumerate() {
        let mut demo = Demo::default();
        assert!(demo.begin(number_of("determinism"), k as u32 + 1));
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

/// Thrown up through two shelves, and back by four belts: half a minute later things still come to
/// lie on top.
#[test]
fn things_go_round_on_the_belts() {
    let mut demo = begun("conveyor");
    let mut arrived = std::collections::BTreeSet::new();
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
fn every_layer_draws_something_that_can_be_read() {
    for info in ALL {
        let mut demo = begun(info.name);
        (0..20).for_each(|_| assert!(demo.step()));
        for (bit, name) in DrawOptions::LAYERS.iter().enumerate() {
            let view = [info.view[0], info.view[1]];
            demo.set_layers(Layers { bits: 1 << bit, scale: 20.0, view });
            demo.frame(1.0);
            let count = read(demo.commands());
            if ["shapes", "boxes", "circles", "centers", "ids"].contains(name) {
                assert!(count > 0, "{}, layer {name}", info.name);
            }
        }
    }
}

/// How many commands there are; panics where they make no sense.
fn read(numbers: &[f32]) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < numbers.len() {
        let opacity = numbers[at + 2];
        assert!((0.0..=1.0).contains(&opacity));
        let length = match numbers[at] as u32 {
            0 => 4,
            1 => 3 + 2 * numbers[at + 5] as usize,
            2 | 3 => 6,
            4 => 3,
            5 => 4,
            other => panic!("no command {other}"),
        };
        at += 3 + length;
        count += 1;
    }
    assert_eq!(at, numbers.len());
    count
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

/// Half a minute: things float, drift into the shaft, and are blown up and back.
#[test]
fn things_go_round_through_water_and_wind() {
    let mut demo = begun("water");
    let mut arrived = std::collections::BTreeSet::new();
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
