//! Saving a world and going back to it.
//!
//! In: how many bodies. Out: a table: bytes a body, milliseconds, and whether the world goes on
//! from what was restored as it did from there the first time. Pyramids of 10 rows have come to
//! rest, kept awake; what each engine offers is its own: rapier2d serializes its world through
//! serde (here with bincode), Box2D writes an image of its memory, carom tells what differs from
//! row to row, and checks all of it when it reads it back.

use carom::{Vec2, vec2};
use testkit::scenes::plan::{BodyPlan, Handle, Part, WorldPlan};

use crate::Fallible;
use crate::engines::{Engine, Rival};
use crate::spawn::time;

/// Steps until all rests.
const SETTLE: usize = 120;
/// Steps after which two worlds are compared.
const GO_ON: usize = 20;
/// The best of so many counts.
const ROUNDS: usize = 5;

pub(crate) fn run(count: usize) -> Fallible<()> {
    println!(
        "{:<14}{:>12}{:>10}{:>10}{:>12}   {count} resting bodies",
        "", "bytes/body", "save ms", "load ms", "goes on as"
    );
    let plans = pyramids(count);
    for rival in Rival::ALL {
        let mut world = rival.world(&WorldPlan { gravity: vec2(0.0, -10.0), sleep: false, threads: 1 })?;
        plans.iter().for_each(|plan| world.add(plan));
        (0..SETTLE).for_each(|_| world.step());
        println!("{:<14}{}", rival.name(), row(&mut *world, plans.len()));
    }
    Ok(())
}

fn row(world: &mut dyn Engine, count: usize) -> String {
    let mut image = None;
    let save = best(|| image = world.save());
    let Some(image) = image else { return "   not yet".into() };
    let before = go_on(world, count);
    let mut well = true;
    let load = best(|| well &= world.restore(&image));
    if !well {
        return "   saved, but not restored".into();
    }
    let same = if go_on(world, count) == before { "the same" } else { "another" };
    format!("{:>12.1}{save:>10.2}{load:>10.2}{same:>12}", image.len() as f64 / count as f64)
}

fn best(mut work: impl FnMut()) -> f64 {
    (0..ROUNDS).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

/// The bits of all places after some more steps.
fn go_on(world: &mut dyn Engine, count: usize) -> Vec<[u32; 2]> {
    (0..GO_ON).for_each(|_| world.step());
    let place = |body| world.state(Handle(body)).place.position.to_array().map(f32::to_bits);
    (0..count as u32).map(place).collect()
}

/// Pyramids of 55 boxes on one floor: at least so many bodies.
fn pyramids(count: usize) -> Vec<BodyPlan> {
    let pyramids = count.div_ceil(55);
    let width = 11.0 * pyramids as f32;
    let mut plans = vec![BodyPlan::fixed(vec2(0.5 * width, -1.0)).part(Part::rect(0.5 * width + 5.0, 1.0))];
    for pyramid in 0..pyramids {
        for row in 0..10 {
            for k in 0..10 - row {
                let x = 11.0 * pyramid as f32 + 0.5 * row as f32 + k as f32;
                let at: Vec2 = vec2(x, row as f32 + 0.5);
                plans.push(BodyPlan::dynamic(at).part(Part::square(0.5)));
            }
        }
    }
    plans
}
