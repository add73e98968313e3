//! carom beside Box2D and rapier2d: the same scenes, the same measures, one run.
//!
//! ```text
//!   args.rs      words -> what to do              machine.rs   what it was measured on
//!   stage.rs     a scene played by an engine      engines/     the engines, behind one trait
//!   quality.rs   how well a scene stands          race.rs      the race; row.rs, chart.rs, picture.rs: what it leaves
//!   wild/        scenes drawn from seeds             small.rs     worlds of 1 to 20 bodies
//!   ablate/      carom without one of its guards
//!   imagined.rs  the parts of a step on more threads than there are
//!   broadphase.rs queries.rs spawn.rs memory.rs snapshot.rs tiles.rs explode.rs outline.rs
//!                parts of an engine on their own; heap.rs counts bytes
//! ```
//!
//! The ten scenes, and what they are made of, are in `testkit/src/scenes/`. README.md beside this
//! folder says how to run it, and how fairness is kept.

#[cfg(feature = "ablate")]
mod ablate;
mod args;
mod broadphase;
mod chart;
mod engines;
mod explode;
mod heap;
mod imagined;
mod machine;
mod memory;
mod outline;
mod picture;
mod quality;
mod queries;
mod race;
mod row;
mod small;
mod snapshot;
mod spawn;
mod stage;
#[cfg(test)]
mod tests;
mod tiles;
mod wild;

use args::{Command, Files};
use engines::Rival;
use race::Race;
use stage::EngineStage;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};
use testkit::scenes::Scene;

/// What went wrong, to be told and nothing else.
pub(crate) type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let done = args::parse(&words).map_err(Into::into).and_then(run);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Fallible<()> {
    if let Command::Scenes { race, files } = &command {
        return run_scenes(race, files);
    }
    println!("{}", machine::head(&Rival::ALL));
    match command {
        Command::Scenes { .. } => Ok(()),
        Command::Parts(race) if race.imagined.is_empty() => race.run_parts(),
        Command::Parts(race) => imagined::run(&race),
        Command::Broadphase { max } => broadphase::run(max),
        Command::Queries(choice) => queries::run(&choice),
        Command::Spawn { count } => spawn::run(count),
        Command::Memory { count } => memory::run(count),
        Command::Snapshot { count } => snapshot::run(count),
        Command::Tiles { count } => tiles::run(count),
        Command::Explode { count } => explode::run(count),
        Command::Outline { count } => outline::run(count),
        Command::Small(choice) => small::run(&choice),
        Command::Wild(choice) => wild::run(&choice),
        #[cfg(feature = "ablate")]
        Command::Ablate(choice) => ablate::run(&choice),
    }
}

fn run_scenes(race: &Race, files: &Files) -> Fallible<()> {
    println!("{}\n{}", machine::head(&race.rivals), row::head());
    let mut look = |scene: &Scene, rival: Rival, stage: &EngineStage| {
        let Some(folder) = &files.pictures else { return Ok(()) };
        let name = format!("{}_{}.svg", scene.name, rival.name());
        write(&folder.join(name), &picture::draw(stage))
    };
    let rows = race.run(&mut look, &mut |rows| print!("{}", row::lines(rows)))?;
    if let Some(ratio) = row::mean_ratio(&rows, "carom") {
        println!("carom: {ratio:.2} times as quick as its quickest rival, in the geometric mean over scenes");
    }
    if let Some(path) = &files.json {
        write(path, &serde_json::to_string_pretty(&rows)?)?;
    }
    if let Some(path) = &files.svg {
        write(path, &chart::draw(&rows)?)?;
    }
    Ok(())
}

/// Writes a file, and makes its folder if need be.
fn write(path: &Path, text: &str) -> Fallible<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("left in {}", path.display());
    Ok(())
}
