//! What finding all pairs of overlapping boxes costs, with parry2d's `Bvh` beside it in the same
//! run.
//!
//! ```text
//!   packed       boxes of 0.5 to 1 m, evenly spread, about 3 pairs a box
//!   fast         the same, each frame up to a third of the size further instead of a thirtieth
//!   sparse       the same with room: one pair in ten boxes
//!   clustered    heaps, dense in the middle, far apart
//!   mixed        sides 1 : 100, evenly on a logarithmic scale
//!   far          packed, around a border of regions a billion metres out       (carom alone)
//!   few          packed, one box in a hundred moves                            (carom alone)
//!   mostly_fixed 1,000 moving boxes on that many resting ones                  (carom alone)
//!   beside       1,000 moving boxes beside that many resting ones              (carom alone)
//! ```
//!
//! A step gives every moving box a new place, some centimetres on, and finds all pairs, sorted,
//! with what came and went. parry2d is given the same places as its documentation has it for what
//! moves: each leaf updated in place, bounds refitted, the tree optimized every eighth frame, all
//! pairs traversed. `parry` ends with pairs in no order, `parry_sorted` with a sorted list, both
//! without a difference. Ids are in random order in space. Both must find as many pairs before a
//! clock runs. The time of one box is the printed time over the count, or one over the printed
//! rate.
//!
//! A part of it: `cargo bench -p carom-benches --bench broadphase -- packed`. With
//! CAROM_BENCH_LARGE set, also a million boxes.

use carom::broadphase::{Activity, Grid, WorldAabb};
use carom::{Aabb, IVec2, Vec2, vec2};
use carom_benches::settings;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use testkit::boxes::Spread;

type Group<'a> = BenchmarkGroup<'a, WallTime>;

/// Places that the boxes go through, over and over.
///
/// Many, or the processor would learn all branches by heart: with 4 frames, a thousand boxes take a
/// third of the time.
const FRAMES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Scene {
    Packed,
    Fast,
    Sparse,
    Clustered,
    Mixed,
}

impl Scene {
    fn name(self) -> &'static str {
        match self {
            Scene::Packed => "packed",
            Scene::Fast => "fast",
            Scene::Sparse => "sparse",
            Scene::Clustered => "clustered",
            Scene::Mixed => "mixed",
        }
    }

    /// The boxes of each frame.
    fn frames(self, count: usize) -> Vec<Vec<Aabb>> {
        let (spread, speed) = match self {
            Scene::Packed => (Spread::Packed, 0.02),
            Scene::Fast => (Spread::Packed, 0.2),
            Scene::Sparse => (Spread::Sparse, 0.02),
            Scene::Clustered => (Spread::Clustered, 0.02),
            Scene::Mixed => (Spread::Mixed, 0.02),
        };
        let boxes = spread.boxes(count, speed);
        let way = |frame: usize| (frame as f32 - FRAMES as f32 / 2.0).abs();
        (0..FRAMES).map(|frame| boxes.iter().map(|one| one.at(way(frame))).collect()).collect()
    }
}

fn sizes() -> Vec<usize> {
    let mut sizes = vec![1_000, 10_000, 100_000];
    if std::env::var_os("CAROM_BENCH_LARGE").is_some() {
        sizes.push(1_000_000);
    }
    sizes
}

fn grid_of(boxes: &[Aabb]) -> Grid {
    let mut grid = Grid::new();
    for (id, &aabb) in boxes.iter().enumerate() {
        grid.insert(id as u32, aabb, Activity::Active);
    }
    grid.find_pairs();
    grid
}

fn parry_box(aabb: &Aabb) -> parry2d::bounding_volume::Aabb {
    parry2d::bounding_volume::Aabb::new(aabb.min, aabb.max)
}

/// parry2d's tree and what it needs.
struct Parry {
    bvh: Bvh,
    workspace: BvhWorkspace,
    found: Vec<(u32, u32)>,
    frames: usize,
}

impl Parry {
    fn new(boxes: &[Aabb]) -> Parry {
        let leaves: Vec<_> = boxes.iter().map(parry_box).collect();
        let bvh = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Parry { bvh, workspace: BvhWorkspace::default(), found: Vec::new(), frames: 0 }
    }

    /// The way through one frame.
    fn step(&mut self, boxes: &[Aabb]) -> usize {
        let Parry { bvh, workspace, found, frames } = self;
        for (id, aabb) in boxes.iter().enumerate() {
            bvh.insert_or_update_partially(parry_box(aabb), id as u32, 0.0);
        }
        bvh.refit(workspace);
        *frames += 1;
        if frames.is_multiple_of(8) {
            bvh.optimize_incremental(workspace);
        }
        found.clear();
        bvh.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| found.push((a.min(b), a.max(b))));
        found.len()
    }

    fn sorted_step(&mut self, boxes: &[Aabb]) -> usize {
        self.step(boxes);
        self.found.sort_unstable();
        self.found.len()
    }
}

fn carom_step(grid: &mut Grid, boxes: &[Aabb]) -> usize {
    for (id, &aabb) in boxes.iter().enumerate() {
        grid.update(id as u32, aabb);
    }
    grid.find_pairs();
    grid.pairs().len()
}

fn time(group: &mut Group, name: &str, count: usize, mut step: impl FnMut(usize) -> usize) {
    group.throughput(Throughput::Elements(count as u64));
    let mut frame = 0;
    group.bench_function(BenchmarkId::new(name, count), |bencher| {
        bencher.iter(|| {
            frame = (frame + 1) % FRAMES;
            step(frame)
        });
    });
}

fn all_pairs(c: &mut Criterion) {
    for scene in [Scene::Packed, Scene::Fast, Scene::Sparse, Scene::Clustered, Scene::Mixed] {
        let mut group = c.benchmark_group(format!("broadphase/{}", scene.name()));
        for count in sizes() {
            let frames = scene.frames(count);
            let mut grid = grid_of(&frames[0]);
            let mut parry = Parry::new(&frames[0]);
            for boxes in &frames {
                let (ours, theirs) = (carom_step(&mut grid, boxes), parry.step(boxes));
                assert_eq!(ours, theirs, "{scene:?} {count}: pairs");
            }
            if std::env::var_os("CAROM_BENCH_PAIRS").is_some() {
                println!("{scene:?} {count}: {} pairs", grid.pairs().len());
            }
            time(&mut group, "carom", count, |frame| carom_step(&mut grid, &frames[frame]));
            time(&mut group, "parry", count, |frame| parry.step(&frames[frame]));
            time(&mut group, "parry_sorted", count, |frame| parry.sorted_step(&frames[frame]));
        }
    }
}

/// The packed boxes around the corner of four regions, a billion metres out.
fn far(c: &mut Criterion) {
    let mut group = c.benchmark_group("broadphase/far");
    for count in sizes() {
        let frames: Vec<Vec<WorldAabb>> =
            Scene::Packed.frames(count).iter().map(|frame| far_frame(frame)).collect();
        let mut grid = Grid::new();
        for (id, &aabb) in frames[0].iter().enumerate() {
            grid.insert(id as u32, aabb, Activity::Active);
        }
        time(&mut group, "carom", count, |frame| {
            for (id, &aabb) in frames[frame].iter().enumerate() {
                grid.update(id as u32, aabb);
            }
            grid.find_pairs();
            grid.pairs().len()
        });
    }
}

fn far_frame(boxes: &[Aabb]) -> Vec<WorldAabb> {
    let to_world = |aabb: &Aabb| {
        let side = aabb.min.cmpge(Vec2::ZERO);
        let step = vec2(f32::from(u8::from(side.x)), f32::from(u8::from(side.y)));
        let shift = Vec2::splat(512.0) - step * 1024.0;
        let region = IVec2::new(1_000_000, -1_000_000) + step.as_ivec2();
        WorldAabb { region, aabb: Aabb { min: aabb.min + shift, max: aabb.max + shift } }
    };
    boxes.iter().map(to_world).collect()
}

/// One box in a hundred moves.
fn few(c: &mut Criterion) {
    let mut group = c.benchmark_group("broadphase/few");
    for count in sizes() {
        let frames = Scene::Packed.frames(count);
        let mut grid = grid_of(&frames[0]);
        time(&mut group, "carom", count / 100, |frame| {
            for id in (0..count).step_by(100) {
                grid.update(id as u32, frames[frame][id]);
            }
            grid.find_pairs();
            grid.pairs().len()
        });
    }
}

/// A thousand moving boxes on a field of resting ones; the time of one moving box.
fn mostly_fixed(c: &mut Criterion) {
    const MOVING: usize = 1_000;
    let mut group = c.benchmark_group("broadphase/mostly_fixed");
    for count in [0].into_iter().chain(sizes()) {
        let frames = Scene::Packed.frames(MOVING);
        let mut grid = grid_of(&frames[0]);
        for (id, &aabb) in Scene::Packed.frames(count.max(1))[0].iter().enumerate().take(count) {
            grid.insert((MOVING + id) as u32, aabb, Activity::Resting);
        }
        let name = format!("carom_on_{count}");
        time(&mut group, &name, MOVING, |frame| carom_step(&mut grid, &frames[frame]));
    }
}

/// A thousand moving boxes in a gap of a field of resting ones.
fn beside(c: &mut Criterion) {
    const MOVING: usize = 1_000;
    let mut group = c.benchmark_group("broadphase/beside");
    for count in [0].into_iter().chain(sizes()) {
        let frames = Scene::Packed.frames(MOVING);
        let mut grid = grid_of(&frames[0]);
        for (id, &aabb) in Scene::Packed.frames(count.max(1))[0].iter().enumerate().take(count) {
            let gap = vec2(if aabb.min.x < 0.0 { -25.0 } else { 25.0 }, 0.0);
            let aabb = Aabb { min: aabb.min + gap, max: aabb.max + gap };
            grid.insert((MOVING + id) as u32, aabb, Activity::Resting);
        }
        let name = format!("carom_beside_{count}");
        time(&mut group, &name, MOVING, |frame| carom_step(&mut grid, &frames[frame]));
    }
}

criterion_group! {
    name = benches;
    config = settings(0.3, 1.0).sample_size(10);
    targets = all_pairs, far, few, mostly_fixed, beside
}
criterion_main!(benches);
