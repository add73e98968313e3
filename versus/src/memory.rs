//! What a body with its shape takes in memory, and what a touching contact takes beside that: awake,
//! and asleep.
//!
//! In: how many bodies. Out: a table of bytes. The same boxes are counted twice after some steps:
//! apart, and stacked in columns of ten that rest on a floor. The difference, over the contacts, is
//! a contact's. All of an engine counts, room that it keeps for later included; the ids that the
//! adapter keeps are in it (4 to 8 bytes a body). For the rows of what sleeps, a world is stepped
//! until nothing is awake, or for so long; how many sleep is told of both scenes.

use carom::{Vec2, vec2};
use testkit::scenes::plan::{BodyPlan, Kind, Part, WorldPlan};

use crate::Fallible;
use crate::engines::{Engine, Rival, box2d_bytes};
use crate::heap::used_bytes;
use crate::spawn::boxes;

/// Until what was needed once is given back: after that all rests.
const STEPS: usize = 36;
/// Longest that an engine gets to put all to sleep.
const PATIENCE: usize = 240;
/// Bytes that are set aside, and taken only where they are used.
const STACK: usize = 1 << 30;
/// Boxes of a column.
const HIGH: usize = 10;

/// Bytes of a world, and how many of its bodies sleep.
struct Measured {
    bytes: usize,
    asleep: usize,
}

pub(crate) fn run(count: usize) -> Fallible<()> {
    println!(
        "{:<14}{:>8}{:>14}{:>17}   asleep of {count}: apart, stacked",
        "", "", "bytes a body", "bytes a contact"
    );
    for rival in Rival::ALL {
        for sleep in [false, true] {
            let apart = with_room(|| measure(rival, (Vec2::ZERO, sleep), &boxes(count)))?;
            let stacked = with_room(|| measure(rival, (vec2(0.0, -10.0), sleep), &columns(count)))?;
            let contact = (stacked.bytes as f64 - apart.bytes as f64) / count as f64;
            let body = apart.bytes as f64 / count as f64;
            println!(
                "{:<14}{:>8}{body:>14.0}{contact:>17.0}   {}, {}",
                rival.name(),
                if sleep { "asleep" } else { "awake" },
                apart.asleep,
                stacked.asleep
            );
        }
    }
    Ok(())
}

/// On a thread with a deep stack: rapier2d goes down its tree by recursion, and the tree of a
/// million bodies that were added in rows is too deep for the usual 8 MiB.
fn with_room(work: impl FnOnce() -> Result<Measured, String> + Send) -> Fallible<Measured> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        Ok(thread.join().map_err(|_| "an engine panicked")??)
    })
}

/// What a world of these bodies takes after some steps, on the heaps of Rust and of C.
fn measure(rival: Rival, (gravity, sleep): (Vec2, bool), plans: &[BodyPlan]) -> Result<Measured, String> {
    let used = || used_bytes() + box2d_bytes();
    let before = used();
    let mut world = rival.world(&WorldPlan { gravity, sleep, threads: 1 })?;
    plans.iter().for_each(|plan| world.add(plan));
    let moving = plans.iter().filter(|plan| matches!(plan.kind, Kind::Dynamic)).count();
    let asleep = |world: &dyn Engine| moving.saturating_sub(world.awake_count());
    let mut steps = 0;
    while sleep && steps < PATIENCE && world.awake_count() > 0 {
        world.step();
        steps += 1;
    }
    (0..STEPS).for_each(|_| world.step());
    Ok(Measured { bytes: used().saturating_sub(before), asleep: asleep(&*world) })
}

/// As many boxes in columns a metre and a half apart: each box has one contact, with what is below
/// it.
fn columns(count: usize) -> Vec<BodyPlan> {
    let width = 1.5 * (count / HIGH) as f32;
    let floor = BodyPlan::fixed(vec2(0.5 * width, -1.0)).part(Part::rect(0.5 * width + 5.0, 1.0));
    let place = |k: usize| vec2(1.5 * (k / HIGH) as f32, 0.5 + (k % HIGH) as f32);
    let stacked = (0..count).map(|k| BodyPlan::dynamic(place(k)).part(Part::square(0.5)));
    std::iter::once(floor).chain(stacked).collect()
}
