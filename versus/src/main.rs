//! carom beside Box2D and rapier2d: the same scenes, the same measures, one run.
//!
//! ```text
//!   args.rs      words -> what to do              machine.rs   what it was measured on
//!   plan.rs      what scenes are made of          scenes/      the ten scenes
//!   stage.rs     a scene played by an engine      engines/     the engines, behind one trait
//!   quality.rs   how well a scene stands          race.rs      the race; row.rs, chart.rs, picture.rs: what it leaves
//!   broadphase.rs queries.rs spawn.rs memory.rs snapshot.rs   parts of an engine on their own
//! ```
//!
//! README.md beside this folder says how to run it, and how fairness is kept.

mod args;
mod engines;
mod machine;
mod plan;
mod quality;
mod race;
mod row;
mod scenes;
mod stage;

use args::{Command, Files};
use race::Race;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

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
    match command {
        Command::Scenes { race, files } => run_scenes(&race, &files),
        _ => Err("not yet".into()),
    }
}

fn run_scenes(race: &Race, files: &Files) -> Fallible<()> {
    println!("{}\n{}", machine::head(&race.rivals), row::head());
    let mut look = |_: &scenes::Scene, _, _: &stage::Stage| Ok(());
    let rows = race.run(&mut look, &mut |rows| print!("{}", row::lines(rows)))?;
    if let Some(ratio) = row::mean_ratio(&rows, "carom") {
        println!("carom: {ratio:.2} times as quick as its quickest rival, in the geometric mean over scenes");
    }
    if let Some(path) = &files.json {
        write(path, &serde_json::to_string_pretty(&rows)?)?;
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
