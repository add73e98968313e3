//! What was measured of one engine in one scene, as a line of the table and of the JSON file.

use serde::Serialize;
use std::fmt::Write as _;

use crate::quality::Quality;

/// Times are in milliseconds, lengths in metres. What is unknown or no number is `null` in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Row {
    pub(crate) scene: &'static str,
    pub(crate) engine: &'static str,
    pub(crate) threads: usize,
    pub(crate) ms_per_step_median: f64,
    pub(crate) ms_per_step_p99: f64,
    /// Of one play of the scene, the first step left out: the mean where it was repeated.
    pub(crate) total_ms: f64,
    pub(crate) bodies: usize,
    pub(crate) contacts: usize,
    pub(crate) max_penetration: f32,
    pub(crate) max_joint_gap: Option<f32>,
    pub(crate) kinetic_energy: f64,
    pub(crate) escaped: Option<usize>,
}

impl Row {
    /// `times` are those of all `repeat` plays.
    pub(crate) fn new(
        scene: &'static str,
        engine: &'static str,
        threads: usize,
        repeat: usize,
        mut times: Vec<f64>,
        quality: Quality,
    ) -> Row {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).ceil() as usize];
        Row {
            scene,
            engine,
            threads,
            ms_per_step_median: at(0.5),
            ms_per_step_p99: at(0.99),
            total_ms: times.iter().sum::<f64>() / repeat as f64,
            bodies: quality.bodies,
            contacts: quality.contacts,
            max_penetration: quality.max_penetration,
            max_joint_gap: quality.max_joint_gap,
            kinetic_energy: quality.kinetic_energy,
            escaped: quality.escaped,
        }
    }
}

/// What stands above the rows.
pub(crate) fn head() -> String {
    format!(
        "{:<15}{:<13}{:>10}{:>9}{:>10}{:>7}{:>8}{:>10}{:>9}{:>8}{:>11}{:>8}",
        "scene",
        "engine",
        "median ms",
        "p99 ms",
        "total ms",
        "ratio",
        "bodies",
        "contacts",
        "sunk mm",
        "gap mm",
        "energy J",
        "escaped"
    )
}

/// One line a row of a scene. The ratio is that of all steps: how many times as long the quickest
/// other engine took.
pub(crate) fn lines(rows: &[Row]) -> String {
    let mut text = String::new();
    for (k, row) in rows.iter().enumerate() {
        let scene = if k == 0 { row.scene } else { "" };
        let others = rows.iter().filter(|other| other.engine != row.engine);
        let best = others.map(|other| other.total_ms).min_by(f64::total_cmp);
        let ratio = best.map_or("-".into(), |best| format!("{:.2}", best / row.total_ms));
        let gap = row.max_joint_gap.map_or("-".into(), |gap| format!("{:.2}", gap * 1.0e3));
        let escaped = row.escaped.map_or("-".into(), |count| count.to_string());
        let _ = write!(text, "{scene:<15}{:<13}{:>10.3}", row.engine, row.ms_per_step_median);
        let _ = write!(text, "{:>9.3}{:>10.1}{ratio:>7}", row.ms_per_step_p99, row.total_ms);
        let _ = write!(text, "{:>8}{:>10}", row.bodies, row.contacts);
        let _ = write!(text, "{:>9.2}{gap:>8}", row.max_penetration * 1.0e3);
        let _ = writeln!(text, "{:>11.3e}{escaped:>8}", row.kinetic_energy);
    }
    text
}

/// How much quicker than its quickest rival an engine is in the geometric mean over scenes.
pub(crate) fn mean_ratio(rows: &[Row], engine: &str) -> Option<f64> {
    let mut logs = Vec::new();
    for row in rows.iter().filter(|row| row.engine == engine) {
        let others = rows.iter().filter(|other| other.scene == row.scene && other.engine != engine);
        let best = others.map(|other| other.total_ms).min_by(f64::total_cmp)?;
        logs.push((best / row.total_ms).ln());
    }
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(engine: &'static str, times: &[f64]) -> Row {
        let quality = Quality {
            bodies: 2,
            contacts: 1,
            max_penetration: 0.25,
            mean_penetration: 0.125,
            max_joint_gap: None,
            kinetic_energy: 0.5,
            escaped: Some(0),
        };
        Row::new("smash", engine, 1, 1, times.to_vec(), quality)
    }

    #[test]
    fn json_has_these_fields_in_this_order() {
        let json = serde_json::to_string(&[row("carom", &[2.0, 1.0, 4.0])]).expect("plain data");
        let expected = r#"[{"scene":"smash","engine":"carom","threads":1,"ms_per_step_median":2.0,"#
            .to_string()
            + r#""ms_per_step_p99":4.0,"total_ms":7.0,"bodies":2,"contacts":1,"max_penetration":0.25,"#
            + r#""max_joint_gap":null,"kinetic_energy":0.5,"escaped":0}]"#;
        assert_eq!(json, expected);
    }

    #[test]
    fn a_row_fits_into_120_columns_below_its_head() {
        let rows = [row("carom", &[1.0]), row("rapier-simd8", &[2.0])];
        assert!(head().len() <= 120, "{}", head().len());
        assert!(lines(&rows).lines().all(|line| line.len() == head().len()));
    }

    #[test]
    fn a_ratio_is_against_the_quickest_other_engine() {
        let rows = [row("carom", &[1.0]), row("box2d", &[2.0]), row("rapier2d", &[4.0])];
        let ratio = |engine| mean_ratio(&rows, engine).expect("there are rivals");
        assert!((ratio("carom") - 2.0).abs() < 1.0e-9);
        assert!((ratio("rapier2d") - 0.25).abs() < 1.0e-9);
        assert_eq!(mean_ratio(&rows[..1], "carom"), None);
    }
}
