//! A wild scene played by one engine.
//!
//! In: a scene, an engine. Out: processor time of each step but the first, and how well the scene
//! stood meanwhile. The time is that of the thread alone (`CLOCK_THREAD_CPUTIME_ID`): what else the
//! machine does does not count. Reading that clock takes as long as a step of a single pendulum, so
//! what it takes is found out once and left out.

use rustix::time::{ClockId, clock_gettime};
use std::sync::LazyLock;
use testkit::scenes::Play;
use testkit::scenes::wild::WildScene;

use crate::Fallible;
use crate::engines::{Parts, Rival};
use crate::quality::{self, Quality};
use crate::stage::EngineStage;

/// How often a scene is judged, at even times; the last is the last step.
const JUDGED: usize = 4;

/// How well a scene stood, over all times at which it was judged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) bodies: usize,
    /// In m.
    pub(crate) deepest: f32,
    /// Over all pairs that touch, in m.
    pub(crate) mean_depth: f32,
    /// Out of bounds at the last step, or nowhere.
    pub(crate) lost: usize,
    /// At the last step, as the engine says.
    pub(crate) awake: usize,
}

/// Milliseconds of the steps of one play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) total: f64,
    /// 99 in 100 steps are no longer.
    pub(crate) p99: f64,
}

impl Times {
    /// Of steps in their order. The first is left out: it builds trees and grids, and makes all
    /// contacts at once.
    fn new(mut steps: Vec<f64>) -> Times {
        let times = &mut steps[1..];
        times.sort_by(f64::total_cmp);
        let p99 = times[((times.len() - 1) as f64 * 0.99).ceil() as usize];
        Times { total: times.iter().sum(), p99 }
    }
}

/// What a play tells that was judged.
pub(crate) struct Judged {
    pub(crate) times: Times,
    pub(crate) verdict: Verdict,
    /// In ms over all steps, where the engine tells them.
    pub(crate) parts: Parts,
    /// Awake bodies, summed over steps.
    pub(crate) body_steps: u64,
}

/// Nanoseconds that this thread has computed.
pub(crate) fn thread_time() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// What it takes to read that clock.
fn clock_cost() -> u64 {
    static COST: LazyLock<u64> = LazyLock::new(|| {
        let cost = |_| {
            let start = thread_time();
            thread_time() - start
        };
        (0..10_000).map(cost).min().unwrap_or(0)
    });
    *COST
}

fn begin(scene: &WildScene, rival: Rival) -> Fallible<(EngineStage, Play)> {
    let mut stage = EngineStage::new(rival.world(&scene.world_plan())?);
    let play = scene.build(&mut stage);
    Ok((stage, play))
}

/// Plays a scene and measures nothing; returns how it ended.
///
/// # Errors
/// An engine that cannot be had.
pub(crate) fn plain(scene: &WildScene, rival: Rival) -> Fallible<EngineStage> {
    let (mut stage, mut play) = begin(scene, rival)?;
    stage.stop_clock();
    for step in 0..scene.steps {
        (play.script)(&mut stage, step);
        stage.step();
    }
    Ok(stage)
}

/// Plays a scene and tells how long it took.
///
/// # Errors
/// An engine that cannot be had.
pub(crate) fn timed(scene: &WildScene, rival: Rival) -> Fallible<Times> {
    let (mut stage, mut play) = begin(scene, rival)?;
    stage.stop_clock();
    let step = |step| timed_step(&mut stage, &mut play, step);
    Ok(Times::new((0..scene.steps).map(step).collect()))
}

/// Plays a scene, judges it, and tells how long it and the parts of its steps took. A little longer
/// than [`timed`] has it: carom looks at a clock between the parts.
///
/// # Errors
/// An engine that cannot be had, or has not as many bodies as it was given.
pub(crate) fn judged(scene: &WildScene, rival: Rival) -> Fallible<Judged> {
    let (mut stage, mut play) = begin(scene, rival)?;
    let (mut parts, mut times, mut moments) = (Parts::new(), Vec::new(), Vec::new());
    let mut body_steps = 0;
    for step in 0..scene.steps {
        times.push(timed_step(&mut stage, &mut play, step));
        add_parts(&mut parts, stage.parts());
        body_steps += stage.awake_count() as u64;
        if (step + 1) * JUDGED / scene.steps > step * JUDGED / scene.steps {
            moments.push(quality::measure(&stage, play.container));
        }
    }
    let planned = stage.bodies().count();
    if stage.body_count() != planned {
        let (seed, is, name) = (scene.seed, stage.body_count(), rival.name());
        return Err(format!("seed {seed}: {name} has {is} bodies, where {planned} were planned").into());
    }
    let verdict = Verdict { awake: stage.awake_count(), ..verdict(&moments) };
    Ok(Judged { times: Times::new(times), verdict, parts, body_steps })
}

/// Milliseconds of a step and its script.
fn timed_step(stage: &mut EngineStage, play: &mut Play, step: usize) -> f64 {
    let start = thread_time();
    (play.script)(stage, step);
    stage.step();
    (thread_time() - start).saturating_sub(clock_cost()) as f64 * 1.0e-6
}

fn add_parts(sums: &mut Parts, parts: Parts) {
    for (k, (name, ms)) in parts.into_iter().enumerate() {
        if k == sums.len() {
            sums.push((name, 0.0));
        }
        sums[k].1 += ms;
    }
}

fn verdict(moments: &[Quality]) -> Verdict {
    let mut verdict = Verdict::default();
    let (mut depths, mut contacts) = (0.0, 0);
    for moment in moments {
        let deepest = moment.max_penetration;
        verdict.deepest = if deepest > verdict.deepest { deepest } else { verdict.deepest };
        depths += moment.mean_penetration * moment.contacts as f32;
        contacts += moment.contacts;
        verdict.bodies = moment.bodies;
        verdict.lost = moment.escaped.unwrap_or(0);
    }
    Verdict { mean_depth: depths / contacts.max(1) as f32, ..verdict }
}
