//! What a body with its shape takes in memory, and what a touching contact takes beside that.
//!
//! In: how many bodies. Out: a table of bytes. The same boxes are counted twice after some steps: apart, and stacked in
//! columns of ten that rest on a floor. The difference, over the contacts, is a contact's. All of an engine counts, room that
//! it keeps for later included; the ids that the adapter keeps are in it (4 to 8 bytes a body).

use carom::{Vec2, vec2};

use crate::Fallible;
use crate::engines::{Rival, box2d_bytes};
use crate::heap::used_bytes;
use crate::plan::{BodyPlan, Part, WorldPlan};
use crate::spawn::boxes;

const STEPS: usize = 4;
/// Boxes of a column.
const HIGH: usize = 10;

pub(crate) fn run(count: usize) -> Fallible<()> {
    println!("{:<14}{:>14}{:>17}   {count} bodies", "", "bytes a body", "bytes a contact");
    for rival in Rival::ALL {
        let apart = bytes(rival, Vec2::ZERO, &boxes(count))?;
        let stacked = bytes(rival, vec2(0.0, -10.0), &columns(count))?;
        let contact = (stacked as f64 - apart as f64) / count as f64;
        println!("{:<14}{:>14.0}{contact:>17.0}", rival.name(), apart as f64 / count as f64);
    }
    Ok(())
}

/// What a world of these bodies takes after some steps, on the heaps of Rust and of C.
fn bytes(rival: Rival, gravity: Vec2, plans: &[BodyPlan]) -> Fallible<usize> {
    let used = || used_bytes() + box2d_bytes();
    let before = used();
    let mut world = rival.world(&WorldPlan { gravity, sleep: false, threads: 1 })?;
    plans.iter().for_each(|plan| world.add(plan));
    (0..STEPS).for_each(|_| world.step());
    Ok(used().saturating_sub(before))
}

/// As many boxes in columns a metre and a half apart: each box has one contact, with what is below it.
fn columns(count: usize) -> Vec<BodyPlan> {
    let width = 1.5 * (count / HIGH) as f32;
    let floor = BodyPlan::fixed(vec2(0.5 * width, -1.0)).part(Part::rect(0.5 * width + 5.0, 1.0));
    let place = |k: usize| vec2(1.5 * (k / HIGH) as f32, 0.5 + (k % HIGH) as f32);
    let stacked = (0..count).map(|k| BodyPlan::dynamic(place(k)).part(Part::square(0.5)));
    std::iter::once(floor).chain(stacked).collect()
}
