//! Scenes of navigation without a page.

use carom::vec2;
use demo_shell::check::{self, count, line, steps};
use demo_shell::{Demo, Info};

use crate::ALL;

fn begun(name: &str) -> Demo {
    check::begun(&ALL, name)
}

/// Whether presses mean something else than taking hold of a body.
fn is_board(info: &Info) -> bool {
    ["tactics", "fog"].contains(&info.name)
}

#[test]
fn every_scene_goes_on_for_ten_seconds_and_stays_in_sight() {
    ALL.iter().for_each(|info| check::goes_on(&ALL, info, false));
}

#[test]
fn a_body_follows_the_hand_in_every_scene() {
    ALL.iter().filter(|info| !is_board(info)).for_each(|info| check::follows_the_hand(&ALL, info));
}

#[test]
fn every_layer_draws_something_that_can_be_read() {
    ALL.iter().for_each(|info| check::layers_draw(&ALL, info));
}

/// A crowd passes the door as people do; everyone straight ahead does not.
#[test]
fn people_pass_the_door() {
    let mut through = [0.0; 2];
    for (naive, through) in [false, true].into_iter().zip(&mut through) {
        let mut demo = begun("door");
        demo.set_naive(naive);
        steps(&mut demo, 60 * 40);
        *through = count(&mut demo, "came through");
        println!("naive {naive}: {}", demo.report());
    }
    assert!(through[0] > 50.0 && through[0] > 1.2 * through[1], "{through:?}");
}

/// Nobody before the charge goes off; all of them after it; nobody if the mesh is not told.
#[test]
fn soldiers_go_through_the_breach() {
    let mut demo = begun("breach");
    steps(&mut demo, 290);
    assert_eq!(count(&mut demo, "came through"), 0.0);
    let walls = count(&mut demo, "walls in the mesh");
    steps(&mut demo, 60 * 30);
    demo.frame(1.0);
    assert!(line(&demo, "came through").ends_with("good"), "{}", demo.report());
    assert!(count(&mut demo, "walls in the mesh") > 0.6 * walls, "rubble is wall again");
    let mut naive = begun("breach");
    steps(&mut naive, 10);
    naive.set_naive(true);
    steps(&mut naive, 60 * 15);
    assert_eq!(count(&mut naive, "came through"), 0.0);
}

/// The hen goes through gaps that are too narrow for the cow: its way is shorter, but in the naive
/// way. A greater cow finds no way at all.
#[test]
fn the_hen_has_ways_of_its_own() {
    let mut demo = begun("cow-and-hen");
    steps(&mut demo, 5);
    assert!(demo.grab(vec2(3.0, 1.5), 0.0), "a goal");
    demo.release();
    steps(&mut demo, 2);
    let (cow, hen) = (count(&mut demo, "the cow's way"), count(&mut demo, "a hen's way"));
    demo.set_naive(true);
    steps(&mut demo, 2);
    let as_cow = count(&mut demo, "a hen's way");
    println!("cow {cow}, hen {hen}, by the cow's radius {as_cow}");
    assert!(hen + 1.0 < as_cow, "{hen} {as_cow} {cow}");
}

/// A unit is taken by a press, the way to a cell shows, and a press on it goes there. Without zones
/// of control it gets farther.
#[test]
fn one_plays_a_turn_of_tactics() {
    let mut demo = begun("tactics");
    assert!(demo.grab(vec2(3.5, 2.5), 0.0), "a cell in range");
    demo.release();
    steps(&mut demo, 60);
    assert_eq!(count(&mut demo, "turns"), 1.0, "{}", demo.report());
    let mut alone = begun("tactics");
    steps(&mut alone, 60 * 60);
    assert!(count(&mut alone, "turns") > 20.0, "{}", alone.report());
    println!("{}", alone.report());
    let stops = |naive: bool| {
        let mut demo = begun("tactics");
        demo.set_naive(naive);
        steps(&mut demo, 60 * 6);
        demo.set_naive(false);
        let few = count(&mut demo, "cells it can stop on");
        demo.set_naive(true);
        (few, count(&mut demo, "cells it can stop on"))
    };
    let (few, many) = stops(true);
    assert!(many >= few, "{few} {many}");
}

/// With what earlier searches taught, a tenth of the cells are looked at, and far fewer searches.
#[test]
fn scouts_search_only_on_news() {
    let mut figures = Vec::new();
    for naive in [false, true] {
        let mut demo = begun("fog");
        demo.set_naive(naive);
        steps(&mut demo, 60 * 20);
        println!("naive {naive}: {}", demo.report());
        figures.push((count(&mut demo, "searches"), count(&mut demo, "cells looked at")));
    }
    assert!(figures[0].0 < 0.6 * figures[1].0 && figures[0].1 < 0.5 * figures[1].1, "{figures:?}");
}

/// The page compares with the same lines.
#[test]
fn every_scene_has_its_bits() {
    check::has_its_bits(&ALL, include_str!("../../test/hashes.txt"));
}
