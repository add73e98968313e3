//! What areas add to a step.
//!
//! 5,000 boxes and balls hover in 20 areas, 250 in each: five that pull along a line, five that
//! pull to a point, five that blow and slow down, and five fluids at whose surface everything bobs.
//!
//! ```text
//!   areas/with      a step of that world
//!   areas/without   the same with sensors that are no areas, whose contacts cost the same
//! ```
//!
//! What areas cost is the difference, which is printed first: the shortest and the median of steps
//! in turns, so that both see the same machine. Pulls and densities are so small that everything
//! stays where it is: both worlds have the same contacts. On a busy machine the shortest steps tell
//! more than medians.

use carom::Area;
use carom::prelude::*;
use carom_benches::settings;
use criterion::{Criterion, criterion_group, criterion_main};
use std::time::{Duration, Instant};
use testkit::build::{add, check, step, steps};

const AREAS: usize = 20;
const GUESTS: usize = 250;

/// The area of a number: four kinds take turns.
fn area(k: usize) -> Area {
    match k % 4 {
        0 => Area::gravity([0.0, 1.0e-4]),
        1 => Area::planet(1.0e-4, 5.0),
        2 => Area::wind([1.0e-4, 0.0], 0.5),
        _ => Area::fluid(1.0e-3, 0.0),
    }
}

/// All bodies in their places; `acts`: the sensors are areas.
fn scene(acts: bool) -> World {
    let mut world = World::new(WorldDef::default().gravity([0.0, -1.0e-4]).sleepless());
    for k in 0..AREAS {
        let middle = vec2(60.0 * (k % 5) as f32, 60.0 * (k / 5) as f32);
        let sensor = ShapeDef::from(Shape::rect(50.0, 50.0)).sensor();
        let sensor = add(&mut world, BodyDef::fixed().at(middle).shape(sensor));
        let (shape, _) = world.shapes_of(sensor).next().expect("it has one");
        world.set_area(shape, acts.then(|| area(k))).expect("it keeps all rules");
        for guest in 0..GUESTS {
            let at = middle + vec2(2.8 * (guest % 16) as f32 - 21.0, 2.8 * (guest / 16) as f32 - 21.0);
            let shape = if guest % 2 == 0 { Shape::circle(0.5) } else { Shape::rect(1.0, 0.8) };
            add(&mut world, BodyDef::dynamic().at(at).angle(0.1 * guest as f32).shape(shape));
        }
    }
    steps(&mut world, 4);
    assert_eq!(world.stats().awake, AREAS * GUESTS);
    world
}

/// The shortest and the median.
fn sorted(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort_unstable();
    [times[0], times[times.len() / 2]]
}

fn areas(criterion: &mut Criterion) {
    let mut worlds = [scene(true), scene(false)];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..300 {
        for (world, times) in worlds.iter_mut().zip(&mut times) {
            let start = Instant::now();
            step(world);
            times.push(start.elapsed());
        }
    }
    let [with, without] = times.map(sorted);
    let [least, median] = [0, 1].map(|k| with[k].saturating_sub(without[k]));
    println!(
        "areas: a step takes {with:?} with them and {without:?} without: they add {least:?}, in the median {median:?}"
    );
    let mut group = criterion.benchmark_group("areas");
    for (name, world) in ["with", "without"].into_iter().zip(&mut worlds) {
        group.bench_function(name, |b| b.iter(|| step(world)));
        check(world, name);
        let visitors = world.stats().contacts;
        assert!(visitors < 100, "{name}: nothing touches, {visitors} do");
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = settings(0.3, 2.0);
    targets = areas
}
criterion_main!(benches);
