//! What the parts of a step would take on more threads than there are.
//!
//! In: scenes, and numbers of threads. Out: a table for each scene: the median of each part on one
//! thread, on as many as `--threads` says if that is more, and as carom's model of its scheduler
//! (`src/threads/model.rs`) has it. For each repeat the columns are played one after the other, so
//! that all of them see the same machine. carom does the same work in each repeat, so of each part
//! of each step the shortest time counts: `--repeat 5` leaves little of what else the machine did.
//!
//! "rest" is what no part holds: the scene's script, and what ends a step. It is on one thread, so
//! a modelled step has that of the column of one thread.

use std::fmt::Write as _;
use testkit::scenes::{self, Scene};

use crate::Fallible;
use crate::engines::{self, Engine, Rival};
use crate::race::{Race, Run};

/// How a column came about.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// On so many threads.
    Measured(usize),
    Imagined(usize),
}

impl Way {
    fn head(self) -> String {
        match self {
            Way::Measured(1) => "one".into(),
            Way::Measured(count) => format!("{count} measured"),
            Way::Imagined(count) => format!("{count} modelled"),
        }
    }
}

/// A way to play a scene, and the times of its steps in milliseconds: the shortest of all repeats.
struct Column {
    way: Way,
    names: Vec<&'static str>,
    /// Each part, step by step.
    parts: Vec<Vec<f64>>,
    rests: Vec<f64>,
}

impl Column {
    fn new(way: Way) -> Column {
        Column { way, names: Vec::new(), parts: Vec::new(), rests: Vec::new() }
    }

    fn world(&self, race: &Race, scene: &Scene) -> Result<Box<dyn Engine>, String> {
        match self.way {
            Way::Measured(count) => Rival::Carom.world(&race.plan(scene, count)),
            Way::Imagined(count) => engines::imagined(&race.plan(scene, 1), count),
        }
    }

    fn add(&mut self, run: &Run) {
        for (step, (parts, time)) in run.parts.iter().zip(&run.times).enumerate() {
            self.names = parts.iter().map(|&(name, _)| name).collect();
            self.parts.resize_with(parts.len(), Vec::new);
            for (times, &(_, ms)) in self.parts.iter_mut().zip(parts) {
                shorten(times, step, ms);
            }
            shorten(&mut self.rests, step, time - parts.iter().map(|&(_, ms)| ms).sum::<f64>());
        }
    }

    /// Medians of the parts, of the rest and of the step.
    fn medians(&self, rests: &[f64]) -> Vec<f64> {
        let rests = if let Way::Measured(_) = self.way { &self.rests } else { rests };
        let step =
            |(step, &rest): (usize, &f64)| self.parts.iter().map(|times| times[step]).sum::<f64>() + rest;
        let steps: Vec<f64> = rests.iter().enumerate().map(step).collect();
        self.parts.iter().map(|times| median(times)).chain([median(rests), median(&steps)]).collect()
    }
}

fn shorten(times: &mut Vec<f64>, step: usize, ms: f64) {
    match times.get_mut(step) {
        Some(least) => *least = least.min(ms),
        None => times.push(ms),
    }
}

pub(crate) fn run(race: &Race) -> Fallible<()> {
    for name in &race.scenes {
        let scene = scenes::find(name)?;
        let measured = [1, race.threads].into_iter().take(race.threads.min(2)).map(Way::Measured);
        let imagined = race.imagined.iter().copied().map(Way::Imagined);
        let mut columns: Vec<Column> = measured.chain(imagined).map(Column::new).collect();
        for _ in 0..race.repeat {
            for column in &mut columns {
                let world = column.world(race, &scene)?;
                column.add(&race.play_in(&scene, world)?);
            }
        }
        println!("{}", table(name, &columns));
    }
    Ok(())
}

/// Milliseconds, and how many times as long one thread took.
fn table(scene: &str, columns: &[Column]) -> String {
    let [one, ..] = columns else { return String::new() };
    let medians: Vec<Vec<f64>> = columns.iter().map(|column| column.medians(&one.rests)).collect();
    let mut text = format!("{scene:<14}");
    columns.iter().for_each(|column| _ = write!(text, "{:>17}", column.way.head()));
    for (k, name) in one.names.iter().chain(&["rest", "step"]).enumerate() {
        let _ = write!(text, "\n  {name:<12}");
        for (column, ms) in columns.iter().zip(&medians) {
            let gain = if column.way == one.way { String::new() } else { gain(medians[0][k], ms[k]) };
            let _ = write!(text, "{:>10.3}{gain:>7}", ms[k]);
        }
    }
    text
}

/// How many times as long one thread takes, where there is anything to tell.
fn gain(one: f64, many: f64) -> String {
    if one < 0.001 { "-".into() } else { format!("{:.2}", one / many) }
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(way: Way, steps: &[[f64; 3]]) -> Column {
        let mut column = Column::new(way);
        column.names = vec!["collide", "solve"];
        column.parts =
            vec![steps.iter().map(|step| step[0]).collect(), steps.iter().map(|step| step[1]).collect()];
        column.rests = steps.iter().map(|step| step[2]).collect();
        column
    }

    #[test]
    fn a_modelled_step_has_the_rest_of_one_thread() {
        let one = column(Way::Measured(1), &[[1.0, 2.0, 0.5], [3.0, 2.0, 0.5], [3.0, 2.0, 0.5]]);
        let many = column(Way::Imagined(8), &[[0.5, 0.5, 9.0]; 3]);
        let text = table("smash", &[one, many]);
        let step = text.lines().last().expect("a line a part");
        assert_eq!(step.split_whitespace().collect::<Vec<_>>(), ["step", "5.500", "1.500", "3.67"]);
        let collide: Vec<&str> = text.lines().nth(1).expect("the first part").split_whitespace().collect();
        assert_eq!(collide, ["collide", "3.000", "0.500", "6.00"]);
    }
}
