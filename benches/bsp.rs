//! What a ray at a fixed level costs by `Bsp`, with the same level in a world beside it.
//!
//! ```text
//!   tiles    128 × 128 tiles of a metre, two in five solid: outlines to the tree, a tile map to the world
//!   rocks    1,600 convex rocks of 3 to 8 corners, 2.5 m apart: outlines, and a fixed body each
//! ```
//!
//! Rays of 20 m and of 200 m from open places; the world is asked in batches, which is its quickest
//! way. Both must answer alike before a clock runs. The time is of 1,000 questions.

use carom::{Bsp, Ray, TileCell, WorldRay, prelude::*};
use carom_benches::settings;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use testkit::random::Random;

const QUESTIONS: usize = 1_000;

/// A level both ways, and its half side.
type Level = (Bsp, World, f32);

fn tiles() -> Level {
    const SIDE: u32 = 128;
    let (mut random, half) = (Random::new(1), 0.5 * SIDE as f32);
    let mut cells = vec![TileCell::EMPTY; (SIDE * SIDE) as usize];
    let mut outlines = Vec::new();
    for (k, cell) in (0..).zip(&mut cells) {
        if random.unit() < 0.4 {
            *cell = TileCell::SOLID;
            let (x, y) = ((k % SIDE) as f32 - half, (k / SIDE) as f32 - half);
            outlines.push([[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]]);
        }
    }
    let mut world = World::default();
    let map = Shape::tiles(1.0, SIDE, &cells).at([-half, -half]);
    world.add(BodyDef::fixed().shape(map)).expect("a map");
    (Bsp::from_outlines(&outlines).expect("outlines"), world, half)
}

fn rocks() -> Level {
    const SIDE: usize = 40;
    let (mut random, half) = (Random::new(2), 1.25 * SIDE as f32);
    let (mut world, mut outlines) = (World::default(), Vec::new());
    for k in 0..SIDE * SIDE {
        let center = vec2((k % SIDE) as f32, (k / SIDE) as f32) * 2.5 + Vec2::splat(1.25 - half);
        let corners = 3 + random.below(6);
        let (begin, radius) = (random.range(0.0_f32, 6.0), random.range(0.4_f32, 1.2));
        let corner = |k: usize| {
            let turn = begin + core::f32::consts::TAU * k as f32 / corners as f32;
            center + Rot::from_angle(turn).x_axis() * radius
        };
        let points: Vec<Vec2> = (0..corners).map(corner).collect();
        world.add(BodyDef::fixed().shape(Shape::polygon(&points))).expect("a rock");
        outlines.push(points);
    }
    (Bsp::from_outlines(&outlines).expect("outlines"), world, half)
}

/// Rays from open places.
fn rays(bsp: &Bsp, half: f32, length: f32) -> Vec<Ray> {
    let mut random = Random::new(3);
    let mut rays = Vec::new();
    while rays.len() < QUESTIONS {
        let from = random.square(half);
        let way = Rot::from_angle(random.range(0.0, core::f32::consts::TAU)).x_axis() * length;
        if !bsp.is_solid(from) {
            rays.push(Ray { from, translation: way });
        }
    }
    rays
}

fn bsp(c: &mut Criterion) {
    let mut group = c.benchmark_group("bsp");
    group.throughput(Throughput::Elements(QUESTIONS as u64));
    for (name, (bsp, mut world, half)) in [("tiles", tiles()), ("rocks", rocks())] {
        world.step(1.0 / 60.0).expect("a step");
        world.prepare_queries();
        println!("{name}: {} lines, {} deep", bsp.node_count(), bsp.depth());
        for (length, metres) in [("20m", 20.0), ("200m", 200.0)] {
            let rays = rays(&bsp, half, metres);
            let asked: Vec<WorldRay> =
                rays.iter().map(|ray| WorldRay::new(ray.from, ray.translation)).collect();
            let (filter, mut hits) = (QueryFilter::default(), Vec::new());
            world.rays(&asked, &filter, &mut hits);
            for (ray, hit) in rays.iter().zip(&hits) {
                let fraction = |fraction: Option<f32>| fraction.unwrap_or(2.0) * metres;
                let apart = fraction(bsp.ray(*ray).map(|hit| hit.fraction))
                    - fraction(hit.as_ref().map(|hit| hit.fraction));
                assert!(apart.abs() < 1.0e-3, "{ray:?}: {apart} m apart");
            }
            group.bench_function(format!("{name}_{length}/bsp"), |b| {
                b.iter(|| black_box(rays.iter().filter_map(|ray| bsp.ray(*ray)).count()))
            });
            group.bench_function(format!("{name}_{length}/world"), |b| {
                b.iter(|| {
                    world.rays(&asked, &filter, &mut hits);
                    black_box(hits.iter().flatten().count())
                })
            });
        }
        let points: Vec<Vec2> = rays(&bsp, half, 1.0).iter().map(|ray| ray.from).collect();
        group.bench_function(format!("{name}/is_solid"), |b| {
            b.iter(|| black_box(points.iter().filter(|&&point| bsp.is_solid(point)).count()))
        });
    }
    group.bench_function("tiles/build", |b| b.iter(|| black_box(tiles().0.node_count())));
}

criterion_group! {
    name = benches;
    config = settings(0.3, 1.0);
    targets = bsp
}
criterion_main!(benches);
