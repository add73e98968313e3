//! What it costs to keep a world, and to go back.
//!
//! ```text
//!   hash     64 bits of the state               load      from bytes that may come from anywhere
//!   save     into bytes that are used again     ring      a frame that shares what did not change; and back
//!   clone_from   into a world of the same size
//! ```
//!
//! Of 10,000 boxes: `resting` lie side by side, asleep; `pyramids` stand on each other, asleep;
//! `awake` are the same pyramids kept awake. Bytes a body are printed before the clock runs.

use carom::Ring;
use carom::prelude::*;
use carom_benches::settings;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use testkit::build::{add, steps};

/// Steps after which everything rests.
const SETTLE: usize = 200;

/// 10,000 boxes in heaps of `rows`.
fn scene(rows: usize, sleep: bool) -> World {
    let mut world = World::new(if sleep { WorldDef::default() } else { WorldDef::default().sleepless() });
    let heaps = 10_000 / (rows * (rows + 1) / 2);
    let width = (rows as f32 + 1.0) * 1.1;
    let length = width * heaps as f32 + 10.0;
    add(&mut world, BodyDef::fixed().at([0.5 * length, -0.5]).shape(Shape::rect(length + 20.0, 1.0)));
    for heap in 0..heaps {
        for row in 0..rows {
            for place in 0..rows - row {
                let x = width * heap as f32 + 1.1 * (place as f32 + 0.5 * row as f32);
                let def = BodyDef::dynamic().at([x, row as f32 + 0.5]).shape(Shape::rect(1.0, 1.0));
                add(&mut world, def);
            }
        }
    }
    steps(&mut world, SETTLE);
    assert_eq!(world.stats().awake > 0, !sleep, "what may sleep does");
    world
}

fn snapshot(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("snapshot");
    for (name, rows, sleep) in [("resting", 1, true), ("pyramids", 10, true), ("awake", 10, false)] {
        let mut world = scene(rows, sleep);
        let mut bytes = Vec::new();
        world.save_into(&mut bytes);
        let per_body = bytes.len() as f64 / world.body_count() as f64;
        println!(
            "{name}: {} bodies, {} touches, {per_body:.1} bytes a body",
            world.body_count(),
            world.contacts().count()
        );
        let hash = world.hash();
        group.bench_function(BenchmarkId::new("hash", name), |b| b.iter(|| black_box(&world).hash()));
        group.bench_function(BenchmarkId::new("save", name), |b| {
            b.iter(|| world.save_into(black_box(&mut bytes)))
        });
        group.bench_function(BenchmarkId::new("load", name), |b| {
            b.iter(|| world.load(black_box(&bytes)).expect("nobody touched the bytes"));
        });
        let mut other = world.clone();
        group.bench_function(BenchmarkId::new("clone_from", name), |b| {
            b.iter(|| other.clone_from(black_box(&world)))
        });
        let mut ring = Ring::new(8);
        group
            .bench_function(BenchmarkId::new("ring save", name), |b| b.iter(|| ring.save(black_box(&world))));
        let step = world.step_count();
        group.bench_function(BenchmarkId::new("ring load", name), |b| {
            b.iter(|| ring.load(step, &mut world).expect("it is kept"));
        });
        assert_eq!((world.hash(), other.hash()), (hash, hash), "{name} is what it was");
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = settings(0.3, 2.0);
    targets = snapshot
}
criterion_main!(benches);
