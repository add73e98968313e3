//! What questions to a world of 100,000 shapes cost, with parry2d's `Bvh` and shapes beside it in
//! the same run.
//!
//! ```text
//!   rays_20m, rays_200m   the first hit of a ray of that length                     mostly a hit at 200 m
//!   any_200m              whether there is a hit
//!   casts_20m             the first touch of a box that flies 20 m
//!   overlaps              which shapes a box of 4 m overlaps
//!   nearest               the nearest shape to a point, its closest point
//!   predict               120 steps of a ball that is thrown over or among 10,000 resting boxes
//! ```
//!
//! Discs and boxes of 0.5 to 1 m on a square of 800 m, half of them fixed, in random order; the
//! world has made a step, so moving ones have room in their boxes, and parry2d gets tight ones.
//! Questions come in random order. carom is asked in batches, and filters by category; parry2d has
//! no filters to ask. Both must answer alike before a clock runs.
//!
//! The time is of 1,000 questions; the rate is of questions.

use carom::prelude::*;
use carom::{Answers, PlacedShape, Prediction, Start, broadphase::WorldAabb};
use carom_benches::settings;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use parry2d::math::{Pose, Rot2};
use parry2d::partitioning::{Bvh, BvhBuildStrategy};
use parry2d::query::{Ray as ParryRay, ShapeCastOptions, cast_shapes, intersection_test};
use parry2d::shape::SharedShape;
use std::hint::black_box;
use testkit::random::Random;

const SHAPES: usize = 100_000;
const REACH: f32 = 400.0;
const QUESTIONS: usize = 1_000;

fn direction(random: &mut Random) -> Vec2 {
    Rot::from_angle(random.range(0.0, core::f32::consts::TAU)).x_axis()
}

/// The same shapes for parry2d.
struct Parry {
    bvh: Bvh,
    shapes: Vec<(SharedShape, Pose)>,
}

fn scene() -> (World, Parry) {
    let mut random = Random::new(1);
    let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    let mut shapes = Vec::new();
    for k in 0..SHAPES {
        let def = if k % 2 == 0 { BodyDef::fixed() } else { BodyDef::dynamic() };
        let (size, side) = (random.range(0.5, 1.0), random.range(0.5, 1.0));
        let (shape, parry) = if k % 4 < 2 {
            (Shape::circle(0.5 * size), SharedShape::ball(0.5 * size))
        } else {
            (Shape::rect(size, side), SharedShape::cuboid(0.5 * size, 0.5 * side))
        };
        let def = def.at(random.square(REACH)).angle(random.range(0.0, 6.0)).shape(shape);
        world.add(def).expect("a valid body");
        shapes.push((parry, Pose::IDENTITY));
    }
    world.step(1.0 / 60.0).expect("a step");
    for (id, body) in world.bodies() {
        let Transform { position, rotation } = body.transform();
        let turn = Rot2::from_cos_sin_unchecked(rotation.cos, rotation.sin);
        shapes[id.index()].1 = Pose::from_parts(position, turn);
    }
    let leaves: Vec<_> = shapes.iter().map(|(shape, at)| shape.compute_aabb(at)).collect();
    (world, Parry { bvh: Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves), shapes })
}

fn rays(length: f32) -> Vec<WorldRay> {
    let mut random = Random::new(2);
    (0..QUESTIONS).map(|_| WorldRay::new(random.square(REACH), direction(&mut random) * length)).collect()
}

impl Parry {
    fn ray(&self, ray: &WorldRay) -> Option<(u32, f32)> {
        let ray = ParryRay::new(ray.from.position(), ray.translation);
        self.bvh.cast_ray(&ray, 1.0, |leaf, limit| {
            let (shape, at) = &self.shapes[leaf as usize];
            shape.cast_ray(at, &ray, limit, true)
        })
    }

    fn cast(&self, cast: &ShapeCast, moving: &SharedShape) -> Option<(u32, f32)> {
        let start = Pose::from_translation(cast.start.position.position());
        let half = moving.compute_local_aabb().half_extents();
        let ray = ParryRay::new(start.translation, cast.translation);
        let around = |node: &parry2d::partitioning::BvhNode, limit: f32| {
            let aabb = parry2d::bounding_volume::Aabb::new(node.mins() - half, node.maxs() + half);
            let entry = parry2d::query::RayCast::cast_local_ray(&aabb, &ray, limit, true);
            entry.unwrap_or(f32::MAX)
        };
        self.bvh.find_best(1.0, around, |leaf, limit| {
            let (shape, at) = &self.shapes[leaf as usize];
            let options = ShapeCastOptions { max_time_of_impact: limit, ..Default::default() };
            let hit = cast_shapes(&start, cast.translation, &**moving, at, Vec2::ZERO, &**shape, options);
            hit.expect("parry2d knows both shapes").map(|hit| hit.time_of_impact)
        })
    }

    fn overlaps(&self, at: Vec2, shape: &SharedShape) -> usize {
        let at = Pose::from_translation(at);
        let aabb = shape.compute_aabb(&at);
        let touches = |leaf: &u32| {
            let (other, place) = &self.shapes[*leaf as usize];
            let found = intersection_test(&at, &**shape, place, &**other);
            found.expect("parry2d knows both shapes").intersecting
        };
        self.bvh.intersect_aabb(&aabb).filter(touches).count()
    }

    fn nearest(&self, point: Vec2) -> Option<(u32, f32)> {
        self.bvh.find_best(
            f32::MAX,
            |node, _| {
                let out = (node.mins() - point).max(point - node.maxs()).max(Vec2::ZERO);
                out.length()
            },
            |leaf, _| {
                let (shape, at) = &self.shapes[leaf as usize];
                let found = shape.project_point(at, point, true);
                Some((found.point - point).length())
            },
        )
    }
}

/// Times both, which must answer alike: `carom` and `parry` give a number that both agree on.
fn compare(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut carom: impl FnMut() -> usize,
    mut parry: impl FnMut() -> usize,
) {
    let (a, b) = (carom(), parry());
    assert!(a.abs_diff(b) <= 1 + a / 1_000, "{name}: {a} answers against {b}");
    group.bench_function(format!("{name}/carom"), |b| b.iter(|| black_box(carom())));
    group.bench_function(format!("{name}/parry"), |b| b.iter(|| black_box(parry())));
}

fn queries(c: &mut Criterion) {
    let (mut world, parry) = scene();
    let filter = QueryFilter::default();
    let mut group = c.benchmark_group("query");
    group.throughput(Throughput::Elements(QUESTIONS as u64));

    let mut hits = Vec::new();
    for (name, length) in [("rays_20m", 20.0), ("rays_200m", 200.0)] {
        let rays = rays(length);
        world.rays(&rays, &filter, &mut hits);
        for (ray, hit) in rays.iter().zip(&hits) {
            let fraction = |hit: Option<f32>| hit.unwrap_or(2.0);
            let (ours, theirs) =
                (fraction(hit.map(|hit| hit.fraction)), fraction(parry.ray(ray).map(|hit| hit.1)));
            assert!((ours - theirs).abs() < 1.0e-3, "{ray:?}: {ours} against {theirs}");
        }
        let carom = || {
            world.rays(&rays, &filter, &mut hits);
            hits.iter().flatten().count()
        };
        compare(&mut group, name, carom, || rays.iter().filter_map(|ray| parry.ray(ray)).count());
    }

    let (long, mut any) = (rays(200.0), Vec::new());
    let carom = || {
        world.rays_any(&long, &filter, &mut any);
        any.iter().filter(|&&any| any).count()
    };
    // parry2d has no such question.
    compare(&mut group, "any_200m", carom, || long.iter().filter_map(|ray| parry.ray(ray)).count());

    let (square, parry_square) = (Shape::rect(1.0, 1.0), SharedShape::cuboid(0.5, 0.5));
    let casts: Vec<_> =
        rays(20.0).iter().map(|ray| ShapeCast::new(&square, ray.from, ray.translation)).collect();
    let mut touched = Vec::new();
    let carom = || {
        world.casts(&casts, &filter, &mut touched);
        touched.iter().flatten().count()
    };
    compare(&mut group, "casts_20m", carom, || {
        casts.iter().filter_map(|cast| parry.cast(cast, &parry_square)).count()
    });

    let (wide, parry_wide) = (Shape::rect(4.0, 4.0), SharedShape::cuboid(2.0, 2.0));
    let points: Vec<WorldPoint> = long.iter().map(|ray| ray.from).collect();
    let placed: Vec<_> = points.iter().map(|&at| PlacedShape::at(&wide, at)).collect();
    let mut inside = Answers::default();
    let carom = || {
        world.overlap_shapes(&placed, &filter, &mut inside);
        inside.all().len()
    };
    compare(&mut group, "overlaps", carom, || {
        points.iter().map(|at| parry.overlaps(at.position(), &parry_wide)).sum()
    });
    let boxes: Vec<WorldAabb> =
        points.iter().map(|at| Aabb::around_point(at.position()).grown(2.0).into()).collect();
    let mut inside = Answers::default();
    let carom = || {
        world.overlap_aabbs(&boxes, &filter, &mut inside);
        inside.all().len()
    };
    compare(&mut group, "overlap_aabbs", carom, || {
        points.iter().map(|at| parry.overlaps(at.position(), &parry_wide)).sum()
    });

    let mut near = Vec::new();
    let carom = || {
        world.nearest_to_points(&points, f32::INFINITY, &filter, &mut near);
        near.iter().flatten().count()
    };
    compare(&mut group, "nearest", carom, || {
        points.iter().filter_map(|at| parry.nearest(at.position())).count()
    });
}

/// What 120 steps of a ball will be that is thrown over and among 10,000 resting boxes.
fn predictions(criterion: &mut Criterion) {
    let mut world = World::default();
    world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(4000.0, 2.0))).expect("a valid body");
    for k in 0..10_000_u32 {
        let at = [1.5 * (k / 4) as f32 - 1875.0, 0.5 + (k % 4) as f32];
        world.add(BodyDef::dynamic().at(at).asleep().shape(Shape::rect(1.0, 1.0))).expect("a valid body");
    }
    let ball = BodyDef::dynamic().at([0.0, 8.0]).shape(Shape::circle(0.25));
    let ball = world.add(ball.material(Material::default().restitution(0.6))).expect("a valid body");
    (0..16).for_each(|_| _ = world.step(1.0 / 60.0).expect("dt is in range"));
    let (mut group, mut aim) = (criterion.benchmark_group("predict"), Prediction::new());
    for (name, velocity) in [("over", [10.0, 14.0]), ("among", [10.0, 6.0]), ("onto", [3.0, 0.0])] {
        let start = [Start::from(ball).velocity(velocity)];
        group.bench_function(name, |bencher| {
            bencher.iter(|| world.predict(&start, 120, 1.0 / 60.0, &mut aim).expect("sound"));
        });
    }
}

criterion_group! {
    name = benches;
    config = settings(0.3, 1.0);
    targets = queries, predictions
}
criterion_main!(benches);
