//! The race: scenes, engine by engine.
//!
//! In: scenes, engines, steps, repeats. Out: a [`Row`] for each scene and engine. For each repeat
//! every engine plays the scene once, one after the other, so that all of them see the same
//! machine; a step's time holds its script.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Instant;
use testkit::scenes::plan::WorldPlan;
use testkit::scenes::{self, Play, Scene};

use crate::Fallible;
use crate::engines::{Engine, Parts, Rival};
use crate::quality::{self, Quality};
use crate::row::Row;
use crate::stage::EngineStage;

/// What to race.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Race {
    pub(crate) scenes: Vec<&'static str>,
    pub(crate) rivals: Vec<Rival>,
    pub(crate) threads: usize,
    pub(crate) repeat: usize,
    /// Instead of what the scene says.
    pub(crate) steps: Option<usize>,
    /// So many threads are imagined, each in a column of `imagined.rs`.
    pub(crate) imagined: Vec<usize>,
}

/// One engine's way through one scene.
pub(crate) struct Run {
    /// Milliseconds of each step but the first.
    pub(crate) times: Vec<f64>,
    /// The parts of each of these steps.
    pub(crate) parts: Vec<Parts>,
    quality: Quality,
    stage: EngineStage,
}

/// Called with each scene and engine at the last step.
pub(crate) type Look<'l> = &'l mut dyn FnMut(&Scene, Rival, &EngineStage) -> Fallible<()>;

impl Race {
    /// Races, and gives each scene's rows to `tell` as they come.
    pub(crate) fn run(&self, look: Look, tell: &mut dyn FnMut(&[Row])) -> Fallible<Vec<Row>> {
        let (rivals, refused) = self.able();
        refused.iter().for_each(|reason| eprintln!("left out: {reason}"));
        // Draws nothing unless the standard error is a terminal.
        let bar = ProgressBar::new((self.scenes.len() * self.repeat * rivals.len()) as u64);
        bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?);
        let mut rows = Vec::new();
        for name in &self.scenes {
            let scene = scenes::find(name)?;
            let raced = self.race(&scene, &rivals, look, &bar)?;
            bar.suspend(|| tell(&raced));
            rows.extend(raced);
        }
        bar.finish_and_clear();
        Ok(rows)
    }

    /// The engines that can be given so many threads, and why the others cannot.
    fn able(&self) -> (Vec<Rival>, Vec<String>) {
        let plan = WorldPlan { gravity: carom::Vec2::ZERO, sleep: true, threads: self.threads };
        let (mut able, mut refused) = (Vec::new(), Vec::new());
        for &rival in &self.rivals {
            match rival.world(&plan) {
                Ok(_) => able.push(rival),
                Err(reason) => refused.push(reason),
            }
        }
        (able, refused)
    }

    fn race(&self, scene: &Scene, rivals: &[Rival], look: Look, bar: &ProgressBar) -> Fallible<Vec<Row>> {
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); rivals.len()];
        let mut last: Vec<Option<Quality>> = vec![None; rivals.len()];
        for repeat in 0..self.repeat {
            for (k, &rival) in rivals.iter().enumerate() {
                bar.set_message(format!("{} {}", scene.name, rival.name()));
                let run = self.play(scene, rival)?;
                times[k].extend(run.times);
                last[k] = Some(run.quality);
                if repeat + 1 == self.repeat {
                    look(scene, rival, &run.stage)?;
                }
                bar.inc(1);
            }
        }
        let raced = rivals.iter().zip(times).zip(last);
        let row = |((rival, times), quality): ((&Rival, Vec<f64>), Option<Quality>)| {
            Some(Row::new(scene.name, rival.name(), self.threads, self.repeat, times, quality?))
        };
        Ok(raced.filter_map(row).collect())
    }

    /// Plays each scene once an engine, and tells where the time of a step went, on average.
    pub(crate) fn run_parts(&self) -> Fallible<()> {
        for name in &self.scenes {
            let scene = scenes::find(name)?;
            for &rival in &self.able().0 {
                let run = self.play(&scene, rival)?;
                let steps = run.times.len() as f64;
                let sum: f64 = run.times.iter().sum();
                print!("{name:14} {:9} {:8.3} ms", rival.name(), sum / steps);
                for (k, (part, _)) in run.parts[0].iter().enumerate() {
                    let sum: f64 = run.parts.iter().map(|parts| parts[k].1).sum();
                    print!("   {part} {:.3}", sum / steps);
                }
                println!();
            }
        }
        Ok(())
    }

    fn play(&self, scene: &Scene, rival: Rival) -> Fallible<Run> {
        self.play_in(scene, rival.world(&self.plan(scene, self.threads))?)
    }

    /// The world that a scene asks for.
    pub(crate) fn plan(&self, scene: &Scene, threads: usize) -> WorldPlan {
        WorldPlan { gravity: scene.gravity, sleep: scene.sleep, threads }
    }

    /// Plays a scene in an empty world.
    pub(crate) fn play_in(&self, scene: &Scene, world: Box<dyn Engine>) -> Fallible<Run> {
        let mut stage = EngineStage::new(world);
        let Play { mut script, container } = (scene.build)(&mut stage);
        let (mut times, mut parts) = (Vec::new(), Vec::new());
        for step in 0..self.steps.unwrap_or(scene.steps) {
            let start = Instant::now();
            script(&mut stage, step);
            stage.step();
            // The first step builds trees and grids, and makes all contacts at once.
            if step > 0 {
                times.push(start.elapsed().as_secs_f64() * 1.0e3);
                parts.push(stage.parts());
            }
        }
        let planned = stage.bodies().count();
        if stage.body_count() != planned {
            let (name, is) = (scene.name, stage.body_count());
            return Err(format!("{name}: {is} bodies, where {planned} were planned").into());
        }
        Ok(Run { times, parts, quality: quality::measure(&stage, container), stage })
    }
}
