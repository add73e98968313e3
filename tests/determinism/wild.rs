//! Scenes drawn from seeds, against `tests/golden/wild.txt`: bodies of all forms on all grounds,
//! with joints and what stirs them, in combinations that no golden scene has.
//!
//! `cargo test --release -p carom-tests --test determinism write_golden -- --ignored` writes the
//! file anew, with those of `golden.rs`.

use carom::prelude::*;
use carom::{Lanes, World};
use testkit::scenes::wild::WildScene;
use testkit::scenes::{CaromStage, Play};

/// Seeds of scenes with few shapes: dolls, walkers and nets; boxes, polygons and thin boxes in
/// rooms, bowls and drums, without gravity, among paddles.
const SEEDS: [u64; 10] = [9, 17, 20, 21, 44, 48, 64, 66, 81, 94];

/// After so many steps a hash is written down; the first is for debug builds.
const FRAMES: [usize; 3] = [20, 100, 300];

/// A scene of a seed, as far as it was played.
struct Played {
    stage: CaromStage,
    play: Play,
    steps: usize,
}

impl Played {
    fn begin(seed: u64) -> Played {
        let scene = WildScene::new(seed);
        let plan = scene.world_plan();
        let def = WorldDef { gravity: plan.gravity, sleep: plan.sleep, ..WorldDef::default() };
        let mut stage = CaromStage::new(World::new(def));
        let play = scene.build(&mut stage);
        Played { stage, play, steps: 0 }
    }

    fn hash_at(&mut self, steps: usize) -> u64 {
        while self.steps < steps {
            (self.play.script)(&mut self.stage, self.steps);
            self.stage.world.step(1.0 / 60.0).expect("a step");
            self.steps += 1;
        }
        self.stage.world.hash()
    }
}

/// Seed, steps and hash of each line of the file.
fn golden() -> impl Iterator<Item = (u64, usize, u64)> {
    let lines = include_str!("../golden/wild.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let hash = u64::from_str_radix(words[2], 16).expect("a hash");
        (words[0].parse().expect("a seed"), words[1].parse().expect("a number of steps"), hash)
    })
}

#[track_caller]
fn check_all(most: usize, what: &str, prepare: impl Fn(&mut World)) {
    let mut wrong = Vec::new();
    for seed in SEEDS {
        let mut played = Played::begin(seed);
        prepare(&mut played.stage.world);
        let mut compared = 0;
        for (_, steps, golden) in golden().filter(|&(known, steps, _)| known == seed && steps <= most) {
            let hash = played.hash_at(steps);
            if hash != golden {
                wrong.push(format!("seed {seed} after {steps} steps: {hash:016x}, not {golden:016x}"));
                break;
            }
            compared += 1;
        }
        assert!(compared > 0 || !wrong.is_empty(), "nothing is written down of seed {seed}");
    }
    assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
}

#[test]
fn wild_hashes_hold_with_all_lanes() {
    let most = if cfg!(debug_assertions) { FRAMES[0] } else { FRAMES[2] };
    for lanes in Lanes::all() {
        check_all(most, lanes.name(), |world| world.set_lanes(lanes));
        if cfg!(debug_assertions) {
            break;
        }
    }
}

#[test]
fn wild_hashes_hold_on_three_threads() {
    let most = if cfg!(debug_assertions) { FRAMES[0] } else { FRAMES[1] };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    pool.install(|| check_all(most, "three threads", |world| world.set_threads(3)));
}

#[test]
#[ignore = "writes the golden hashes anew"]
fn write_golden_wild() {
    let mut text =
        String::from("# seed, steps, hash: see tests/determinism/wild.rs for how to write it anew\n");
    for seed in SEEDS {
        let mut played = Played::begin(seed);
        for steps in FRAMES {
            text += &format!("{seed:>3} {steps:>4} {:016x}\n", played.hash_at(steps));
        }
    }
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/wild.txt"), text).expect("a file");
}
