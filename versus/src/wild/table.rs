//! Rounds as lines of text and as markdown.
//!
//! In: rounds. Out: for each one a row with the same cells in both: times, ratio, overlaps, bodies
//! lost, and the scene in words. Of three numbers each is of one engine, in the order of the head.

use super::play::{Times, Verdict};
use super::round::{Entry, Round};
use crate::engines::Rival;

/// Columns, and their widths as text.
const COLUMNS: [(&str, usize); 10] = [
    ("seed", 5),
    ("bodies", 6),
    ("steps", 5),
    ("total ms", 26),
    ("ratio", 6),
    ("p99 ms", 23),
    ("deepest mm", 23),
    ("mean mm", 20),
    ("awake", 18),
    ("lost", 11),
];

/// What stands above the lines.
pub(crate) fn head(rivals: &[Rival]) -> String {
    let names: Vec<&str> = rivals.iter().map(|rival| rival.name()).collect();
    let columns: Vec<String> =
        COLUMNS.iter().map(|&(name, width)| format!("{name:>width$}", width = width)).collect();
    format!("of three numbers: {}\n{}  scene", names.join(", "), columns.join(" "))
}

/// A round as a line.
pub(crate) fn line(round: &Round) -> String {
    let cells = cells(round);
    let aligned = cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!("{cell:>width$}"));
    format!("{}  {}", aligned.collect::<Vec<_>>().join(" "), round.scene.words())
}

/// All rounds, below what they were measured on.
pub(crate) fn markdown(head: &str, rounds: &[Round], summary: &str) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|&(name, _)| name).collect();
    let mut text = format!("```text\n{head}\n{summary}```\n\n| {} | scene |\n", names.join(" | "));
    text += &"|---:".repeat(COLUMNS.len());
    text += "|---|\n";
    for round in rounds {
        text += &format!("| {} | {} |\n", cells(round).join(" | "), round.scene.words());
    }
    text
}

fn cells(round: &Round) -> [String; COLUMNS.len()] {
    let bodies = round.entries.iter().find_map(|entry| entry.result.map(|(_, verdict)| verdict.bodies));
    [
        round.scene.seed.to_string(),
        bodies.unwrap_or(0).to_string(),
        round.scene.steps.to_string(),
        each(&round.entries, |times, _| format!("{:.1}", times.total)),
        round.ratio().map_or("-".into(), |ratio| format!("{ratio:.2}")),
        each(&round.entries, |times, _| format!("{:.3}", times.p99)),
        each(&round.entries, |_, verdict| format!("{:.1}", verdict.deepest * 1.0e3)),
        each(&round.entries, |_, verdict| format!("{:.2}", verdict.mean_depth * 1.0e3)),
        each(&round.entries, |_, verdict| verdict.awake.to_string()),
        each(&round.entries, |_, verdict| verdict.lost.to_string()),
    ]
}

/// The same of each engine; a dash for an engine that panicked.
fn each(entries: &[Entry], tell: impl Fn(&Times, &Verdict) -> String) -> String {
    let cell = |entry: &Entry| entry.result.map_or("-".into(), |(times, verdict)| tell(&times, &verdict));
    entries.iter().map(cell).collect::<Vec<_>>().join(" / ")
}
