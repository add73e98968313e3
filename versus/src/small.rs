//! Small worlds: what a step costs when there is next to nothing in it.
//!
//! In: worlds of 1 to 20 bodies, engines. Out: a row a world: processor time of a step of one world
//! alone, and of a step of each of many equal worlds in turn, whose data no cache holds. Engines
//! take turns, and each number is the median of all rounds. (`cargo bench -p carom-benches --bench
//! batch` has worlds in a `Batch`, which rivals do not have.)

use testkit::scenes::plan::WorldPlan;
use testkit::scenes::small::{SMALL, Small};

use crate::Fallible;
use crate::engines::Rival;
use crate::stage::EngineStage;
use crate::wild::play::thread_time;
use crate::wild::summary::geometric_mean;

/// Steps before time is taken: contacts begin, and motors have turned what they turn.
const WARM: usize = 60;
/// Steps of a world alone in a round, and how many rounds there are.
const STEPS: usize = 300;
const ROUNDS: usize = 9;
/// Steps that each of many worlds makes in all rounds.
const STEPS_OF_MANY: usize = 10;

/// Most worlds of a row: Box2D has room for 128 in all.
pub(crate) const MOST: usize = 120;

/// What to play.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// All if empty.
    pub(crate) scenes: Vec<String>,
    /// All if empty.
    pub(crate) rivals: Vec<Rival>,
    /// How many equal worlds make a step in turn.
    pub(crate) count: usize,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice { scenes: Vec::new(), rivals: Vec::new(), count: 100 }
    }
}

/// Plays the worlds.
///
/// # Errors
/// An engine that cannot be had, or the name of a world that there is not.
pub(crate) fn run(choice: &Choice) -> Fallible<()> {
    let rivals = if choice.rivals.is_empty() { Rival::ALL.to_vec() } else { choice.rivals.clone() };
    let names: Vec<&str> = rivals.iter().map(|rival| rival.name()).collect();
    println!("nanoseconds of a step, of {}; and the quickest rival's over carom's", names.join(", "));
    println!(
        "{:<10}{:>36}{:>8}{:>36}{:>8}",
        "",
        "alone",
        "ratio",
        format!("among {}", choice.count),
        "ratio"
    );
    let mut ratios = [Vec::new(), Vec::new()];
    for small in chosen(choice)? {
        let alone = in_turns(small, &rivals, (1, STEPS, ROUNDS))?;
        let among = in_turns(small, &rivals, (choice.count, 1, STEPS_OF_MANY))?;
        let mut line = format!("{:<10}", small.name);
        for (times, ratios) in [alone, among].iter().zip(&mut ratios) {
            let words: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
            line += &format!("{:>36}", words.join(" / "));
            match ratio(&rivals, times) {
                Some(ratio) => {
                    ratios.push(ratio);
                    line += &format!("{ratio:>8.2}");
                }
                None => line += &format!("{:>8}", "-"),
            }
        }
        println!("{line}");
    }
    if !ratios[0].is_empty() {
        let [alone, among] = ratios.map(|ratios| geometric_mean(&ratios));
        println!("geometric mean: alone {alone:.2}, among {} {among:.2}", choice.count);
    }
    Ok(())
}

fn chosen(choice: &Choice) -> Fallible<Vec<&'static Small>> {
    if choice.scenes.is_empty() {
        return Ok(SMALL.iter().collect());
    }
    let named = |name: &String| {
        let names: Vec<&str> = SMALL.iter().map(|small| small.name).collect();
        let found = SMALL.iter().find(|small| small.name == name);
        found
            .ok_or_else(|| format!("there is no small world '{name}'; there are {}", names.join(", ")).into())
    };
    choice.scenes.iter().map(named).collect()
}

/// The quickest rival's time over carom's.
fn ratio(rivals: &[Rival], times: &[f64]) -> Option<f64> {
    let carom = rivals.iter().position(|&rival| rival == Rival::Carom)?;
    let others = (0..rivals.len()).filter(|&k| k != carom).map(|k| times[k]);
    others.min_by(f64::total_cmp).map(|least| least / times[carom])
}

/// Nanoseconds of a step of each engine: the median of rounds, in which so many worlds make so many
/// steps each.
fn in_turns(
    small: &Small,
    rivals: &[Rival],
    (count, steps, rounds): (usize, usize, usize),
) -> Fallible<Vec<f64>> {
    let mut worlds = Vec::new();
    for &rival in rivals {
        worlds.push((0..count).map(|_| begin(small, rival)).collect::<Fallible<Vec<EngineStage>>>()?);
    }
    let mut times = vec![Vec::new(); rivals.len()];
    for _ in 0..rounds {
        for (worlds, times) in worlds.iter_mut().zip(&mut times) {
            let start = thread_time();
            for world in &mut *worlds {
                (0..steps).for_each(|_| world.step());
            }
            times.push((thread_time() - start) as f64 / (count * steps) as f64);
        }
    }
    Ok(times.into_iter().map(median).collect())
}

fn begin(small: &Small, rival: Rival) -> Fallible<EngineStage> {
    let plan = WorldPlan { gravity: small.gravity, sleep: false, threads: 1 };
    let mut stage = EngineStage::new(rival.world(&plan)?);
    (small.build)(&mut stage);
    stage.stop_clock();
    (0..WARM).for_each(|_| stage.step());
    Ok(stage)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each engine has all bodies of each world, and after a second they are where they may be.
    #[test]
    fn every_engine_plays_every_small_world() {
        for small in &SMALL {
            for rival in Rival::ALL {
                let stage = begin(small, rival).expect("a world");
                assert_eq!(stage.body_count(), stage.bodies().count(), "{} {}", small.name, rival.name());
                for (body, _) in stage.bodies() {
                    let at = stage.state(body).place.position;
                    assert!(at.is_finite() && at.length() < 60.0, "{} {}: {at}", small.name, rival.name());
                }
            }
        }
    }

    #[test]
    fn a_world_that_there_is_not_is_named() {
        let choice = Choice { scenes: vec!["train".into()], ..Choice::default() };
        let error = run(&choice).expect_err("no such world").to_string();
        assert!(error.contains("'train'") && error.contains("walker"), "{error}");
    }
}
