//! Tests of lengths of ways against all tangents, and of each way against all walls.

use carom_nav::mesh::{NoWay, Way};

use crate::common::{Random, UNIT, is_valid, mesh, narrow, rect, star, tile};
use crate::tangents::Scene;

/// Counts of requests and results.
#[derive(Default, Debug)]
struct Tally {
    ways: usize,
    none: usize,
    worst: f64,
    long: usize,
    short: usize,
    invalid: usize,
    missing: usize,
    impossible: usize,
}

impl Tally {
    fn is_right(&self) -> bool {
        let wrong = self.long + self.short + self.invalid + self.missing + self.impossible;
        self.ways as u64 > 5 * ROUNDS && wrong == 0
    }
}

fn compare(scene: &Scene, seed: u64, random: &mut Random, radii: &[f64], tally: &mut Tally) {
    let mut mesh = mesh(scene, 2.0);
    mesh.audit().expect("sound");
    let mut way = Way::default();
    for &r in radii {
        for _ in 0..4 {
            let (from, to) = (random.place(scene.half), random.place(scene.half));
            let room = scene.room(from).min(scene.room(to));
            if room < r + 4.0 * UNIT {
                continue;
            }
            let answer = mesh.way(narrow(from), narrow(to), r as f32, &mut way);
            // The ways of a slightly thinner disc, and of a slightly thicker one.
            let thin = scene.shortest(from, to, (r - 3.0 * UNIT).max(0.0));
            let thick = scene.shortest(from, to, r + 4.0 * UNIT);
            let kind = std::thread::current().name().map(str::to_owned);
            let what = || {
                format!(
                    "seed {seed}, {kind:?} radius {r}, from {from} to {to}, thin {thin:?}, thick {thick:?}"
                )
            };
            match answer {
                Ok(()) => {
                    tally.ways += 1;
                    if let Err(rule) = is_valid(scene, &way) {
                        tally.invalid += 1;
                        println!("{}: {rule}", what());
                    }
                    let Some(thin) = thin else {
                        tally.impossible += 1;
                        println!("{}: a way where none is", what());
                        continue;
                    };
                    if way.length() < thin * (1.0 - 1e-5) - 1e-4 {
                        tally.short += 1;
                        println!("{}: only {} m", what(), way.length());
                    }
                    if let Some(thick) = thick {
                        let excess = way.length() / thick;
                        tally.worst = tally.worst.max(excess);
                        if excess > 1.0001 {
                            tally.long += 1;
                            println!("{}: {excess} x", what());
                        }
                    }
                }
                Err(NoWay::Apart) => {
                    tally.none += 1;
                    if thick.is_some() {
                        tally.missing += 1;
                        println!("{}: no way", what());
                    }
                }
                Err(error) => panic!("{}: {error}", what()),
            }
        }
    }
}

fn run(make: impl Fn(&mut Random, f64) -> Vec<glam::DVec2>, rounds: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..rounds {
        let mut random = Random(seed);
        let half = 5.0;
        let count = 2 + random.below(9);
        let outlines = (0..count).map(|_| make(&mut random, half - 1.0)).collect();
        let scene = Scene { outlines, half };
        compare(&scene, seed, &mut random, &[0.0, 0.1, 0.3, 0.5, 0.8], &mut tally);
    }
    println!("{tally:?}");
    tally
}

const ROUNDS: u64 = if cfg!(debug_assertions) { 6 } else { 30 };

#[test]
fn ways_among_boxes_are_shortest() {
    let tally = run(rect, ROUNDS);
    assert!(tally.is_right(), "{tally:?}");
}

#[test]
fn ways_among_stars_are_shortest() {
    let tally = run(star, ROUNDS);
    assert!(tally.is_right(), "{tally:?}");
}

#[test]
fn ways_among_tiles_are_shortest() {
    let tally = run(tile, ROUNDS);
    assert!(tally.is_right(), "{tally:?}");
}
