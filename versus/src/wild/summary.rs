//! How carom does over all wild scenes.
//!
//! In: rounds. Out: means of the ratio, the scenes where it is worst, overlaps and bodies lost of
//! each engine, and where carom's time goes.

use std::fmt::Write as _;

use super::round::Round;
use crate::engines::Rival;

/// Scenes that are named as the worst.
const WORST: usize = 10;

/// All of it, as text.
pub(crate) fn of(rounds: &[Round]) -> String {
    let mut text = String::new();
    let mut ranked: Vec<(f64, &Round)> =
        rounds.iter().filter_map(|round| Some((round.ratio()?, round))).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ratios: Vec<f64> = ranked.iter().map(|&(ratio, _)| ratio).collect();
    if !ratios.is_empty() {
        let tenth = &ratios[..ratios.len().div_ceil(10)];
        let (mean, worst) = (geometric_mean(&ratios), geometric_mean(tenth));
        let (median, least) = (ratios[ratios.len() / 2], ratios[0]);
        let slower = ratios.iter().filter(|&&ratio| ratio < 1.0).count();
        let _ = writeln!(text, "quicker rival / carom, over {} scenes:", ratios.len());
        let _ = writeln!(text, "  geometric mean {mean:.2}, median {median:.2}, worst tenth {worst:.2},");
        let _ = writeln!(text, "  least {least:.2}; a rival is quicker in {slower}");
        for (ratio, round) in ranked.iter().take(WORST) {
            let _ = write!(text, "  {ratio:.2}  seed {}: {}", round.scene.seed, round.scene.words());
            let _ = writeln!(text, " [{}]", longest_stages(&round.parts));
        }
    }
    text + &overlaps(rounds) + &stages(rounds)
}

/// `continuous 62 %, solve 20 %`: the two longest.
fn longest_stages(parts: &[(&str, f64)]) -> String {
    let all: f64 = parts.iter().map(|&(_, ms)| ms).sum();
    let mut ranked = parts.to_vec();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let tell = |(name, ms): &(&str, f64)| format!("{name} {:.0} %", 100.0 * ms / all);
    ranked.iter().take(2).map(tell).collect::<Vec<_>>().join(", ")
}

pub(crate) fn geometric_mean(numbers: &[f64]) -> f64 {
    (numbers.iter().map(|number| number.ln()).sum::<f64>() / numbers.len() as f64).exp()
}

/// Of each engine: time, overlap and bodies lost over all scenes.
fn overlaps(rounds: &[Round]) -> String {
    let mut text = String::new();
    for rival in Rival::ALL {
        let entries = rounds.iter().flat_map(|round| &round.entries).filter(|entry| entry.rival == rival);
        let results: Vec<_> = entries.clone().filter_map(|entry| entry.result).collect();
        let failed = entries.count() - results.len();
        if results.is_empty() {
            continue;
        }
        let mut deepest: Vec<f32> = results.iter().map(|(_, verdict)| verdict.deepest * 1.0e3).collect();
        deepest.sort_by(f32::total_cmp);
        let mean = results.iter().map(|(_, verdict)| verdict.mean_depth * 1.0e3).sum::<f32>();
        let lost: usize = results.iter().map(|(_, verdict)| verdict.lost).sum();
        let leaky = results.iter().filter(|(_, verdict)| verdict.lost > 0).count();
        let total: f64 = results.iter().map(|(times, _)| times.total).sum();
        let _ = write!(text, "{:<13}{:>9.0} ms in all; ", rival.name(), total);
        let _ = write!(text, "deepest overlap {:.1} mm (median of scenes), ", deepest[deepest.len() / 2]);
        let _ = write!(text, "mean {:.2} mm; ", mean / results.len() as f32);
        let _ = writeln!(text, "{lost} bodies lost in {leaky} scenes; {failed} panics");
    }
    text
}

/// carom's time by stage: of all scenes together, and with each scene counting alike.
fn stages(rounds: &[Round]) -> String {
    let told = || rounds.iter().map(|round| &round.parts).filter(|parts| !parts.is_empty());
    let Some(first) = told().next() else { return String::new() };
    let sum = |parts: &[(&str, f64)]| parts.iter().map(|&(_, ms)| ms).sum::<f64>();
    let all: f64 = told().map(|parts| sum(parts)).sum();
    let mut text = "carom by stage, of all time (and with each scene counting alike):\n ".to_string();
    for (k, (name, _)) in first.iter().enumerate() {
        let ms: f64 = told().map(|parts| parts[k].1).sum();
        let shares: f64 = told().map(|parts| parts[k].1 / sum(parts)).sum();
        let alike = 100.0 * shares / told().count() as f64;
        let _ = write!(text, " {name} {:.1} % ({alike:.1})", 100.0 * ms / all);
    }
    text + "\n"
}
