//! Thousands of small worlds: how near a batch comes to as many worlds alone, and what a reset
//! costs.
//!
//! The world is a doll on the ground, 12 bodies and 10 joints, which falls. Alone, it has the cache
//! to itself; a batch streams through memory. Times are of a world and a step. Other threads are
//! those of the global pool of rayon.
//!
//! ```text
//! cargo bench -p carom-benches --bench batch
//! ```

use carom::Batch;
use carom::prelude::*;
use std::time::Instant;
use testkit::build::{DT, add, steps};
use testkit::doll::{DollDef, doll};

/// The best of so many rounds counts.
const ROUNDS: usize = 5;

/// Steps of a round, from the start of the world: the doll falls on its feet and over.
const STEPS: usize = 40;

fn main() {
    let is_trial = std::env::args().any(|arg| arg == "--test");
    let worlds = if is_trial { 64 } else { 4096 };
    let world = scene();
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    println!("{} bodies, {} joints, {worlds} worlds", world.body_count(), world.joint_count());

    let mut one = world.clone();
    let rounds = 50 * ROUNDS;
    let alone = best(rounds, STEPS, &mut one, |one| one.clone_from(&world), |one| steps(one, STEPS));
    println!("alone                {alone:>9.0} ns a step");
    for count in [1, threads] {
        let mut batch = Batch::new(&world, worlds).expect("not too many").threads(count);
        let mask = vec![true; worlds];
        let reset = |batch: &mut Batch| batch.reset(&mask).expect("a mask for all");
        let run = |batch: &mut Batch| (0..STEPS).for_each(|_| batch.step(DT).expect("a step of 1/60 s"));
        let together = best(ROUNDS, worlds * STEPS, &mut batch, reset, run);
        let share = 100.0 * alone / (together * count as f64);
        println!("batch, {count:>2} threads    {together:>9.0} ns a step, {share:.0} % of {count} x alone");
        assert_eq!(batch.world(worlds - 1).map(World::hash), Some(one.hash()), "the same bits");
        let reset = best(ROUNDS, worlds, &mut batch, run, reset);
        println!("reset, {count:>2} threads    {reset:>9.0} ns a world");
    }
}

/// Nanoseconds of one of `count` pieces of work, without what is to be done before.
fn best<T>(rounds: usize, count: usize, on: &mut T, before: impl Fn(&mut T), work: impl Fn(&mut T)) -> f64 {
    let round = |_| {
        before(on);
        let start = Instant::now();
        work(on);
        start.elapsed().as_secs_f64() * 1.0e9 / count as f64
    };
    (0..rounds).map(round).fold(f64::INFINITY, |least, time| if time < least { time } else { least })
}

fn scene() -> World {
    let mut world = World::new(WorldDef::default().sleepless());
    add(&mut world, BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)));
    let muscle = Spring::new(3.0, 0.7);
    let def = DollDef {
        at: vec2(0.0, 1.0),
        angle: 0.0,
        group: -1,
        density: 1000.0,
        friction: 1.0,
        muscle,
        strength: 40.0,
    };
    doll(&mut world, &def);
    world
}
