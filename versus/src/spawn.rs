//! Adding many bodies, the first step with them, and removing them again.
//!
//! In: how many. Out: a table, milliseconds. Boxes stand in a square a metre and a half apart,
//! without gravity, so that only bookkeeping is measured; they are removed in the order in which
//! they were added. `add` adds them one by one, `add all` at once, where the engine has a call for
//! that.

use carom::{Vec2, vec2};
use std::time::Instant;
use testkit::scenes::plan::{BodyPlan, Handle, Part, WorldPlan};

use crate::Fallible;
use crate::engines::Rival;

pub(crate) fn run(count: usize) -> Fallible<()> {
    println!(
        "{:<14}{:>10}{:>10}{:>12}{:>10}{:>12}   ms, {count} bodies",
        "", "add", "add all", "first step", "remove", "step after"
    );
    let plans = boxes(count);
    for rival in Rival::ALL {
        let empty = || rival.world(&WorldPlan { gravity: Vec2::ZERO, sleep: true, threads: 1 });
        let (mut other, mut world) = (empty()?, empty()?);
        let all = time(|| other.add_all(&plans));
        if other.body_count() != count {
            return Err(format!("{}: {} bodies were added", rival.name(), other.body_count()).into());
        }
        drop(other);
        let add = time(|| plans.iter().for_each(|plan| world.add(plan)));
        let first = time(|| world.step());
        let remove = time(|| (0..count as u32).for_each(|body| world.remove(Handle(body))));
        let after = time(|| world.step());
        println!("{:<14}{add:>10.1}{all:>10.1}{first:>12.1}{remove:>10.1}{after:>12.1}", rival.name());
        if world.body_count() != 0 {
            return Err(format!("{}: bodies are left", rival.name()).into());
        }
    }
    Ok(())
}

/// A square of boxes of 1 m.
pub(crate) fn boxes(count: usize) -> Vec<BodyPlan> {
    let side = (count as f32).sqrt().ceil() as usize;
    let place = |k: usize| 1.5 * vec2((k % side) as f32, (k / side) as f32);
    (0..count).map(|k| BodyPlan::dynamic(place(k)).part(Part::square(0.5))).collect()
}

/// In milliseconds.
pub(crate) fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1.0e3
}
