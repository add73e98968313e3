//! The bits of golden scenes: what must be the same on every machine.
//!
//! Without a scene it checks all of them against `tests/golden/hashes.txt`, for 500 steps or
//! `--steps`. With one it prints the hash of that scene every so many steps, to find where two
//! machines part.
//!
//! ```text
//! cargo run --release -p carom-examples --example hash
//! cargo run --release -p carom-examples --example hash -- --scene pyramid --steps 2000 --every 100 --simd sse2
//! cargo run --release -p carom-examples --features parallel --example hash -- --steps 2000 --threads 3
//! cargo run --release -p carom-examples --example hash -- --list
//! ```

use carom::Lanes;
use carom::prelude::*;
use std::error::Error;
use testkit::golden::{SCENES, STEPS, Scene, check};

/// Steps of a check, and from one printed hash to the next, unless others are asked for.
const SOME: u32 = 500;

/// What is asked.
struct Args {
    scene: Option<String>,
    steps: Option<u32>,
    every: u32,
    lanes: Lanes,
    threads: usize,
    list: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = args()?;
    if args.list {
        SCENES.iter().for_each(|(name, _)| println!("--scene {name}"));
        Lanes::all().iter().for_each(|lanes| println!("--simd {lanes}"));
        return Ok(());
    }
    match &args.scene {
        Some(name) => print_hashes(name, &args),
        None => check_all(&args),
    }
}

fn print_hashes(name: &str, args: &Args) -> Result<(), Box<dyn Error>> {
    let mut scene = Scene::named(name)?;
    prepare(&mut scene.world, args);
    let steps = args.steps.unwrap_or(STEPS);
    for frame in (1..=steps).filter(|frame| frame % args.every == 0 || *frame == steps) {
        println!("{name:<10} {frame:>5} {:016x}", scene.hash_at(frame)?);
    }
    Ok(())
}

fn check_all(args: &Args) -> Result<(), Box<dyn Error>> {
    let steps = args.steps.unwrap_or(SOME);
    let wrong = SCENES.iter().filter_map(|(name, _)| check(name, steps, |world| prepare(world, args)).err());
    let wrong: Vec<String> = wrong.collect();
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    println!("{} scenes have their golden bits after {steps} steps ({})", SCENES.len(), args.lanes);
    Ok(())
}

fn prepare(world: &mut World, args: &Args) {
    world.set_lanes(args.lanes);
    set_threads(world, args.threads);
}

#[cfg(feature = "parallel")]
fn set_threads(world: &mut World, threads: usize) {
    world.set_threads(threads);
}

/// Without the feature, `--threads` is refused as the arguments are read.
#[cfg(not(feature = "parallel"))]
fn set_threads(_: &mut World, _: usize) {}

fn args() -> Result<Args, Box<dyn Error>> {
    let mut args =
        Args { scene: None, steps: None, every: SOME, lanes: Lanes::default(), threads: 1, list: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} has a value"));
        match word.as_str() {
            "--list" => args.list = true,
            "--scene" => args.scene = Some(value()?),
            "--steps" => args.steps = Some(value()?.parse()?),
            "--every" => args.every = value()?.parse::<core::num::NonZeroU32>()?.get(),
            "--simd" => args.lanes = lanes(&value()?)?,
            "--threads" if cfg!(feature = "parallel") => args.threads = value()?.parse()?,
            "--threads" => return Err("--threads wants --features parallel".into()),
            _ => {
                return Err(
                    format!("{word}: known are --list --scene --steps --every --simd --threads").into()
                );
            }
        }
    }
    Ok(args)
}

fn lanes(name: &str) -> Result<Lanes, String> {
    let found = Lanes::all().into_iter().find(|lanes| lanes.name() == name);
    found.ok_or(format!("{name}: no such lanes on this machine; --list names them"))
}
