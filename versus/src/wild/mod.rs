//! Scenes drawn from seeds: a measure that cannot be tuned to.
//!
//! In: seeds, engines. Out: a row a scene, and how carom does over all of them. README.md beside
//! the crate says what is drawn; the scenes are in `testkit/src/scenes/wild/`.
//!
//! ```text
//!   play.rs    a scene played by an engine: processor time, overlap, bodies lost
//!   round.rs   a scene played by all engines in turns
//!   table.rs   rows as text and as markdown          summary.rs   means over all rows
//! ```

pub(crate) mod play;
mod round;
pub(crate) mod summary;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::{Path, PathBuf};
use testkit::scenes::wild::WildScene;

use crate::Fallible;
use crate::engines::Rival;
use round::Round;

/// What to play.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Choice {
    pub(crate) seeds: Range<u64>,
    /// All if empty.
    pub(crate) rivals: Vec<Rival>,
    /// Instead of what a scene says.
    pub(crate) steps: Option<usize>,
    /// How often each engine plays a scene, instead of as often as is worth it.
    pub(crate) repeat: Option<usize>,
    /// Plays and measures nothing, for a profiler.
    pub(crate) profile: bool,
    /// Where to leave pictures of the last step; nothing is measured then.
    pub(crate) pictures: Option<PathBuf>,
    /// Where to leave the table as markdown.
    pub(crate) out: Option<PathBuf>,
}

/// Plays the scenes of all seeds.
///
/// # Errors
/// A file that cannot be written, or an engine that has fewer bodies than it was given.
pub(crate) fn run(choice: &Choice) -> Fallible<()> {
    if choice.profile {
        return profile(choice);
    }
    if let Some(folder) = &choice.pictures {
        return draw(choice, folder);
    }
    let rivals = choice.rivals();
    println!("{}", table::head(&rivals));
    let mut rounds: Vec<Round> = Vec::new();
    for seed in choice.seeds.clone() {
        let round = Round::play(choice.scene(seed), &rivals, choice.repeat)?;
        println!("{}", table::line(&round));
        rounds.push(round);
    }
    let summary = summary::of(&rounds);
    println!("\n{summary}");
    if let Some(path) = &choice.out {
        let head = crate::machine::head(&rivals);
        crate::write(path, &table::markdown(&head, &rounds, &summary))?;
    }
    Ok(())
}

/// Plays and measures nothing.
fn profile(choice: &Choice) -> Fallible<()> {
    for seed in choice.seeds.clone() {
        let scene = choice.scene(seed);
        println!("{seed}: {} steps of {}", scene.steps, scene.words());
        for rival in choice.rivals() {
            for _ in 0..choice.repeat.unwrap_or(10) {
                play::plain(&scene, rival)?;
            }
        }
    }
    Ok(())
}

/// Plays and draws the last step.
fn draw(choice: &Choice, folder: &Path) -> Fallible<()> {
    for seed in choice.seeds.clone() {
        for rival in choice.rivals() {
            let stage = play::plain(&choice.scene(seed), rival)?;
            let name = format!("wild_{seed}_{}.svg", rival.name());
            crate::write(&folder.join(name), &crate::picture::draw(&stage))?;
        }
    }
    Ok(())
}

impl Choice {
    fn rivals(&self) -> Vec<Rival> {
        if self.rivals.is_empty() { Rival::ALL.to_vec() } else { self.rivals.clone() }
    }

    fn scene(&self, seed: u64) -> WildScene {
        let scene = WildScene::new(seed);
        WildScene { steps: self.steps.unwrap_or(scene.steps), ..scene }
    }
}
