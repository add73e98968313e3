//! carom-nav beside its rivals: the same questions, times, and how many answers are wrong.
//!
//! ```text
//!   tiles.rs    published maps: A*, jump points and two tiers, beside pathfinding and grid_pathfinding;
//!               and with four neighbours, beside condor
//!   oracle.rs   random maps under all rules: every length against pathfinding's
//!   mesh.rs     polyanya on the same land: no way over cells is shorter, nor one that is pulled taut
//!   race.rs     the mesh among turned boxes, beside polyanya's: built, changed, asked
//!   avoid.rs    velocities that avoid others, beside dodgy_2d's
//!   fields.rs   what no rival does: fields, orders to one goal, squads, ranges
//! ```
//!
//! `cargo run --release -p nav-versus [-- tiles|four|oracle|mesh|race|avoid|fields]`; README.md says more.
//! Tables in Markdown.

mod avoid;
mod fields;
mod mesh;
mod oracle;
mod race;
mod tiles;

use std::path::{Path as File, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use carom_nav::prelude::*;

/// Published maps, by how large they are.
const MAPS: [&str; 8] =
    ["arena", "den312d", "arena2", "brc202d", "Aurora", "random512-40-0", "16room_000", "maze512-8-0"];

/// Maps of carom-nav's own tests.
const OWN_MAPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../nav/tests/maps");

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |k: usize| words.get(k).map(String::as_str);
    println!("{}\n", head());
    match word(0) {
        None => {
            tiles::run(&folder(None), 10);
            tiles::run_four(&folder(None), 100);
            oracle::run(20_000);
            mesh::run(&folder(None));
            race::run();
            avoid::run(100_000);
            fields::run();
        }
        Some("tiles") => {
            tiles::run(&folder(word(1)), word(2).and_then(|word| word.parse().ok()).unwrap_or(10))
        }
        Some("four") => {
            tiles::run_four(&folder(word(1)), word(2).and_then(|word| word.parse().ok()).unwrap_or(100))
        }
        Some("avoid") => avoid::run(word(1).and_then(|word| word.parse().ok()).unwrap_or(1_000_000)),
        Some("oracle") => oracle::run(word(1).and_then(|word| word.parse().ok()).unwrap_or(1_000_000)),
        Some("mesh") => mesh::run(&folder(word(1))),
        Some("race") => race::run(),
        Some("fields") => fields::run(),
        Some(other) => {
            eprintln!(
                "there is no table of {other}: tiles or four [FOLDER [EVERY]], oracle [MAPS], mesh [FOLDER], race, avoid [AGENTS], fields"
            );
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The folder of published maps: as told, or `movingai/` in the folder that CAROM_DATA names; else
/// that of carom-nav's own map.
fn folder(told: Option<&str>) -> PathBuf {
    let data = || std::env::var_os("CAROM_DATA").map(|data| PathBuf::from(data).join("movingai"));
    told.map(PathBuf::from).or_else(data).unwrap_or_else(|| File::new(OWN_MAPS).to_path_buf())
}

/// The maps of a folder.
fn names(folder: &File) -> &'static [&'static str] {
    if folder == File::new(OWN_MAPS) { &["thicket"] } else { &MAPS }
}

/// A map and its scenarios; `None`, and a line about it, if they are not there.
fn read(folder: &File, name: &str) -> Option<(Map, Vec<Scenario>)> {
    let read = |end: &str| std::fs::read_to_string(folder.join(format!("{name}.map{end}")));
    let (Ok(text), Ok(scenarios)) = (read(""), read(".scen")) else {
        println!("| {name} | not in {} |", folder.display());
        return None;
    };
    Some((Map::parse_moving_ai(&text).ok()?, Scenario::parse(&scenarios).ok()?))
}

/// The least time of some rounds, in microseconds: others are at work on the machine too.
fn least<T>(rounds: usize, mut act: impl FnMut() -> T) -> (f64, T) {
    let (mut time, mut value) = timed(&mut act);
    for _ in 1..rounds {
        let (now, again) = timed(&mut act);
        if now < time {
            time = now;
        }
        value = again;
    }
    (time, value)
}

fn timed<T>(act: &mut impl FnMut() -> T) -> (f64, T) {
    let begin = Instant::now();
    let value = act();
    (begin.elapsed().as_secs_f64() * 1e6, value)
}

/// The mean time on the processor of some rounds, in microseconds, for what takes milliseconds: a
/// busy machine interrupts each of them.
fn mean<T>(rounds: usize, mut act: impl FnMut() -> T) -> (f64, T) {
    let before = on_processor();
    let (wall, mut value) = timed(&mut act);
    let mut walls = wall;
    for _ in 1..rounds {
        let (wall, again) = timed(&mut act);
        (walls, value) = (walls + wall, again);
    }
    let spent = before.zip(on_processor()).map_or(walls, |(before, now)| now - before);
    (spent / rounds as f64, value)
}

/// Microseconds that this program has been on a processor, where the system says so.
fn on_processor() -> Option<f64> {
    // The system's count is up to date when it gives another turn.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e3)
}

/// What it was measured on.
fn head() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!(
        "{}, {} cores, load {}; pathfinding 4.16.0, grid_pathfinding 0.3.0, condor 0.4.0, polyanya 0.18.0, dodgy_2d 0.5.5{}",
        model.map_or("an unknown processor", |(_, name)| name),
        std::thread::available_parallelism().map_or(0, usize::from),
        load.split(' ').next().unwrap_or("unknown"),
        if cfg!(debug_assertions) { "; A DEBUG BUILD: the times mean nothing" } else { "" }
    )
}
