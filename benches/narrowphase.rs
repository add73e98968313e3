//! What a pair of shapes costs, one question at a time, with parry2d beside it in the same run.
//!
//! ```text
//!   overlaps/<a>_<b>   yes or no                             pairs: mixed
//!   contact/<a>_<b>    normal and points                     pairs: touching
//!   lanes/...          boxes and circles, eight at a time    pairs: mixed, touching
//!   stages/...         what stands before the separating axis test of two polygons      mixed, near
//!   distance, cast, ray                                      pairs: apart, a throw, a ray each
//!
//!   mixed     any angle and direction, distances even up to the one at which half of the pairs overlap
//!   near      the boxes around the two overlap, else anything: what a broadphase passes on
//!   touching  1 to 20 mm into each other, bodies of about 1 m; every other pair lies face on face
//!   apart     0.05 to 2 m apart
//! ```
//!
//! Every timed call goes through 1,024 pairs: the time of one pair is the printed time over 1,024, or one over
//! the printed rate. Both libraries must find the same number of hits before a clock runs. parry2d's time
//! holds, as carom's does, the pose of the second shape in the frame of the first; its manifold starts empty for
//! each pair, so nothing is remembered from the last one.
//!
//! A part of it: `cargo bench --bench narrowphase -- contact/rect`.

#[path = "support/pairs.rs"]
mod pairs;
#[path = "support/stages.rs"]
mod stages;

use carom::{Circle, Manifold, Motion, Obb, Ray, Shape, Vec2, batch};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pairs::{Batch, CaromPair, Kind, Lie, PAIRS, ParryPair, Random};
use parry2d::query::{
    ContactManifold, DefaultQueryDispatcher, NonlinearRigidMotion, PersistentQueryDispatcher,
    ShapeCastOptions, cast_shapes, cast_shapes_nonlinear, intersection_test,
};
use stages::Two;
use std::hint::black_box;
use std::time::Duration;

type ParryManifold = ContactManifold<(), ()>;

const SUPPORTED: &str = "parry2d answers for these kinds";

/// Answers that may differ between the two: pairs on the border of a hit.
const BORDER_CASES: usize = PAIRS / 200;

fn kinds() -> [Kind; 7] {
    [
        Kind::circle(),
        Kind::capsule(),
        Kind::segment(),
        Kind::rect(),
        Kind::triangle(),
        Kind::hexagon(),
        Kind::rounded(),
    ]
}

/// Every pair of kinds once.
fn for_pairs_of_kinds(mut visit: impl FnMut(&Kind, &Kind)) {
    let kinds = kinds();
    for (k, a) in kinds.iter().enumerate() {
        for b in &kinds[k..] {
            visit(a, b);
        }
    }
}

fn carom_overlaps(pair: &CaromPair) -> bool {
    carom::overlaps(pair.a, pair.xa, pair.b, pair.xb)
}

fn carom_contact(pair: &CaromPair) -> Option<Manifold> {
    carom::contact(pair.a, pair.xa, pair.b, pair.xb)
}

fn parry_overlaps(pair: &ParryPair) -> bool {
    intersection_test(&pair.xa, pair.a, &pair.xb, pair.b).expect(SUPPORTED).intersecting
}

/// The manifold of the last pair is used again, without its points and without the normal, from which the search
/// for the next one would start. (Making a new one costs parry2d about ten nanoseconds more.)
fn parry_contact(pair: &ParryPair, manifolds: &mut Vec<ParryManifold>) {
    manifolds[0].clear();
    manifolds[0].local_n1 = Vec2::ZERO;
    let b_in_a = pair.xa.inv_mul(&pair.xb);
    DefaultQueryDispatcher
        .contact_manifolds(&b_in_a, pair.a, pair.b, 0.0, manifolds, &mut None)
        .expect(SUPPORTED);
}

fn assert_same(what: &str, carom: usize, parry: usize) {
    assert!(carom.abs_diff(parry) <= BORDER_CASES, "{what}: carom finds {carom} hits, parry2d {parry}");
}

/// Both libraries over one batch; each function answers how many pairs hit.
fn time(group: &mut BenchmarkGroup<WallTime>, name: &str, mut all_pairs: impl FnMut() -> usize) {
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(&mut all_pairs));
}

/// One more hit where the answer says so; the whole answer has to be formed.
fn counted<T>(answer: T, hit: impl Fn(&T) -> bool) -> usize {
    usize::from(hit(black_box(&answer)))
}

fn overlaps(c: &mut Criterion) {
    for_pairs_of_kinds(|a, b| {
        let name = format!("narrowphase/overlaps/{}_{}", a.name, b.name);
        let batch = Batch::new(a, b, Lie::Mixed);
        let carom = || batch.carom.iter().map(|pair| counted(carom_overlaps(pair), |&hit| hit)).sum();
        let parry = || batch.parry.iter().map(|pair| counted(parry_overlaps(pair), |&hit| hit)).sum();
        assert_same(&name, carom(), parry());
        let mut group = c.benchmark_group(&name);
        time(&mut group, "carom", carom);
        time(&mut group, "parry", parry);
    });
}

fn contact(c: &mut Criterion) {
    for_pairs_of_kinds(|a, b| {
        let name = format!("narrowphase/contact/{}_{}", a.name, b.name);
        let batch = Batch::new(a, b, Lie::Touching);
        let mut group = c.benchmark_group(&name);
        time_contacts(&mut group, &name, &batch);
    });
}

fn time_contacts(group: &mut BenchmarkGroup<WallTime>, name: &str, batch: &Batch) {
    let carom = || batch.carom.iter().map(|pair| counted(carom_contact(pair), Option::is_some)).sum();
    let mut manifolds = vec![ParryManifold::new()];
    let mut parry = || {
        let contact = |pair: &ParryPair| {
            parry_contact(pair, &mut manifolds);
            counted(&manifolds, |found| found[0].points.iter().any(|point| point.dist <= 0.0))
        };
        batch.parry.iter().map(contact).sum()
    };
    assert_same(name, carom(), parry());
    time(group, "carom", carom);
    time(group, "parry", parry);
}

/// `lanes` starts from rows of shapes in one frame, `placed` fills the rows first.
fn lanes(c: &mut Criterion) {
    let (rect, circle) = (Kind::rect(), Kind::circle());
    let mut group = c.benchmark_group("narrowphase/lanes/overlap_boxes");
    time_overlap_lanes(&mut group, &Batch::new(&rect, &rect, Lie::Mixed), obb, batch::overlap_boxes);
    group.finish();
    let mut group = c.benchmark_group("narrowphase/lanes/overlap_circles");
    time_overlap_lanes(&mut group, &Batch::new(&circle, &circle, Lie::Mixed), disc, batch::overlap_circles);
    group.finish();
    let mut group = c.benchmark_group("narrowphase/lanes/contact_boxes");
    time_contact_lanes(&mut group, &Batch::new(&rect, &rect, Lie::Touching), obb, batch::contact_boxes);
    group.finish();
    let mut group = c.benchmark_group("narrowphase/lanes/contact_circles");
    time_contact_lanes(
        &mut group,
        &Batch::new(&circle, &circle, Lie::Touching),
        disc,
        batch::contact_circles,
    );
}

fn obb(shape: &Shape, at: carom::Transform) -> Obb {
    let Shape::Obb(obb) = shape else { panic!("{shape:?} is not a box") };
    obb.transformed(at)
}

fn disc(shape: &Shape, at: carom::Transform) -> Circle {
    let Shape::Circle(circle) = shape else { panic!("{shape:?} is not a circle") };
    circle.transformed(at)
}

fn fill<T>((a, b): (&mut Vec<T>, &mut Vec<T>), batch: &Batch, row: impl Fn(&Shape, carom::Transform) -> T) {
    a.clear();
    b.clear();
    a.extend(batch.carom.iter().map(|pair| row(pair.a, pair.xa)));
    b.extend(batch.carom.iter().map(|pair| row(pair.b, pair.xb)));
}

fn time_overlap_lanes<T>(
    group: &mut BenchmarkGroup<WallTime>,
    batch: &Batch,
    row: impl Fn(&Shape, carom::Transform) -> T,
    lanes: impl Fn(&[T], &[T], &mut [bool]),
) {
    let (mut a, mut b, mut hits) = (Vec::new(), Vec::new(), vec![false; PAIRS]);
    fill((&mut a, &mut b), batch, &row);
    let mut all = |a: &[T], b: &[T]| {
        lanes(a, b, &mut hits);
        black_box(&hits).iter().filter(|&&hit| hit).count()
    };
    let one = || batch.carom.iter().map(|pair| counted(carom_overlaps(pair), |&hit| hit)).sum();
    assert_eq!(all(&a, &b), one());
    time(group, "lanes", || all(&a, &b));
    time(group, "placed", || {
        fill((&mut a, &mut b), batch, &row);
        all(&a, &b)
    });
    time(group, "carom", one);
    time(group, "parry", || batch.parry.iter().map(|pair| counted(parry_overlaps(pair), |&hit| hit)).sum());
}

fn time_contact_lanes<T>(
    group: &mut BenchmarkGroup<WallTime>,
    batch: &Batch,
    row: impl Fn(&Shape, carom::Transform) -> T,
    lanes: impl Fn(&[T], &[T], f32, &mut [Manifold]),
) {
    let (mut a, mut b, mut found) = (Vec::new(), Vec::new(), vec![Manifold::NONE; PAIRS]);
    fill((&mut a, &mut b), batch, &row);
    let mut all = |a: &[T], b: &[T]| {
        lanes(a, b, 0.0, &mut found);
        black_box(&found).iter().filter(|manifold| !manifold.is_empty()).count()
    };
    assert_eq!(all(&a, &b), batch.carom.iter().filter_map(carom_contact).count());
    time(group, "lanes", || all(&a, &b));
    time(group, "placed", || {
        fill((&mut a, &mut b), batch, &row);
        all(&a, &b)
    });
    time_contacts(group, "lanes", batch);
}

/// The separating axis test with nothing before it, then one more stage at a time; and what carom makes of it.
fn stages(c: &mut Criterion) {
    for lie in [Lie::Mixed, Lie::Near] {
        time_stages::<4>(c, &Kind::triangle(), lie);
        time_stages::<8>(c, &Kind::hexagon(), lie);
    }
}

fn time_stages<const N: usize>(c: &mut Criterion, kind: &Kind, lie: Lie) {
    let batch = Batch::new(kind, kind, lie);
    let pairs: Vec<Two<N>> = Two::all(&batch);
    let name = format!("{}s_{}", kind.name, format!("{lie:?}").to_lowercase());
    print_shares(&name, &pairs);
    let mut group = c.benchmark_group(format!("narrowphase/stages/{name}"));
    let hits = batch.hits();
    time_stage(&mut group, "sat", &pairs, hits, Two::no_axis_separates);
    time_stage(&mut group, "circles", &pairs, hits, |pair| !pair.circles_apart() && pair.no_axis_separates());
    time_stage(&mut group, "inner_circles", &pairs, hits, |pair| {
        !pair.circles_apart() && (pair.inner_circles_meet() || pair.no_axis_separates())
    });
    time_stage(&mut group, "polar", &pairs, hits, |pair| {
        !pair.circles_apart()
            && (pair.inner_circles_meet() || pair.centre_line_meets() || pair.no_axis_separates())
    });
    time(&mut group, "carom", || {
        batch.carom.iter().map(|pair| counted(carom_overlaps(pair), |&hit| hit)).sum()
    });
}

fn time_stage<const N: usize>(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    pairs: &[Two<N>],
    hits: usize,
    test: impl Fn(&Two<N>) -> bool,
) {
    assert_same(name, hits, pairs.iter().filter(|&pair| test(pair)).count());
    time(group, name, || pairs.iter().map(|pair| counted(test(pair), |&hit| hit)).sum());
}

/// Which stage settles how many pairs, once.
fn print_shares<const N: usize>(name: &str, pairs: &[Two<N>]) {
    let share = |settled: &dyn Fn(&Two<N>) -> bool| {
        100.0 * pairs.iter().filter(|&pair| settled(pair)).count() as f64 / pairs.len() as f64
    };
    let no = share(&Two::circles_apart);
    let inside = share(&Two::inner_circles_meet);
    let line = share(&|pair| !pair.inner_circles_meet() && pair.centre_line_meets());
    let hits = share(&Two::no_axis_separates);
    let rest = 100.0 - no - inside - line;
    eprintln!(
        "{name}: {hits:.1} % overlap; circles around say no to {no:.1} %, circles inside yes to {inside:.1} %, \
         then the centre line yes to {line:.1} %; {rest:.1} % are left to the axes"
    );
}

fn distance(c: &mut Criterion) {
    let (circle, rect, hexagon) = (Kind::circle(), Kind::rect(), Kind::hexagon());
    for (a, b) in [(&circle, &rect), (&rect, &rect), (&hexagon, &hexagon), (&rect, &hexagon)] {
        let batch = Batch::new(a, b, Lie::Apart);
        let carom = || batch.carom.iter().map(|p| carom::distance(p.a, p.xa, p.b, p.xb).distance());
        let parry = || {
            batch
                .parry
                .iter()
                .map(|p| parry2d::query::distance(&p.xa, p.a, &p.xb, p.b).expect(SUPPORTED).distance)
        };
        // parry2d stops its search up to 1.3 mm too far here.
        assert!(carom().zip(parry()).all(|(ours, theirs)| (ours - theirs).abs() < 2.0e-3));
        let mut group = c.benchmark_group(format!("narrowphase/distance/{}_{}", a.name, b.name));
        time(&mut group, "carom", || carom().map(|gap| counted(gap, |&gap| gap > 0.0)).sum());
        time(&mut group, "parry", || parry().map(|gap| counted(gap, |&gap| gap > 0.0)).sum());
    }
}

/// A is thrown at B past a random point within 1 m of it, twice as far as B lies; half a turn on the way in
/// the last group.
fn cast(c: &mut Criterion) {
    let (circle, rect, hexagon) = (Kind::circle(), Kind::rect(), Kind::hexagon());
    for (a, b, turn) in [
        (&circle, &circle, 0.0),
        (&circle, &rect, 0.0),
        (&rect, &rect, 0.0),
        (&hexagon, &hexagon, 0.0),
        (&rect, &rect, 3.0),
    ] {
        let batch = Batch::new(a, b, Lie::Apart);
        let throws = throws(&batch);
        let carom =
            || batch.carom.iter().zip(&throws).map(|(p, &throw)| carom_cast(p, throw, turn).is_some());
        let parry = || batch.parry.iter().zip(&throws).map(|(p, &throw)| parry_cast(p, throw, turn));
        let turning = if turn == 0.0 { "" } else { "_turning" };
        let name = format!("narrowphase/cast/{}_{}{turning}", a.name, b.name);
        assert_same(&name, carom().filter(|&hit| hit).count(), parry().filter(|&hit| hit).count());
        let mut group = c.benchmark_group(&name);
        time(&mut group, "carom", || carom().map(|hit| counted(hit, |&hit| hit)).sum());
        time(&mut group, "parry", || parry().map(|hit| counted(hit, |&hit| hit)).sum());
    }
}

fn throws(batch: &Batch) -> Vec<Vec2> {
    let mut random = Random(7);
    let throw = |pair: &CaromPair| {
        let past = pair.xb.position + random.direction() * random.unit();
        2.0 * (past - pair.xa.position)
    };
    batch.carom.iter().map(throw).collect()
}

fn carom_cast(pair: &CaromPair, throw: Vec2, turn: f32) -> Option<carom::CastHit> {
    carom::cast(pair.a, Motion::straight(pair.xa, throw).turning(turn), pair.b, Motion::still(pair.xb))
}

fn parry_cast(pair: &ParryPair, throw: Vec2, turn: f32) -> bool {
    if turn == 0.0 {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let hit = cast_shapes(&pair.xa, throw, pair.a, &pair.xb, Vec2::ZERO, pair.b, options);
        return hit.expect(SUPPORTED).is_some();
    }
    let motion = NonlinearRigidMotion::new(pair.xa, Vec2::ZERO, throw, turn);
    let still = NonlinearRigidMotion::new(pair.xb, Vec2::ZERO, Vec2::ZERO, 0.0);
    cast_shapes_nonlinear(&motion, pair.a, &still, pair.b, 0.0, 1.0, true).expect(SUPPORTED).is_some()
}

/// From where A stands towards a point within 1 m of B, twice as far.
fn ray(c: &mut Criterion) {
    for kind in [Kind::circle(), Kind::rect(), Kind::hexagon()] {
        let batch = Batch::new(&kind, &kind, Lie::Apart);
        let throws = throws(&batch);
        let carom = || {
            let along = |(p, &translation): (&CaromPair, &Vec2)| {
                carom::ray(p.b, p.xb, Ray { from: p.xa.position, translation })
            };
            batch.carom.iter().zip(&throws).map(along)
        };
        let parry = || {
            let along = |(p, &translation): (&ParryPair, &Vec2)| {
                let ray = parry2d::query::Ray::new(p.xa.translation, translation);
                p.b.cast_ray_and_get_normal(&p.xb, &ray, 1.0, true)
            };
            batch.parry.iter().zip(&throws).map(along)
        };
        assert_same("ray", carom().flatten().count(), parry().flatten().count());
        let mut group = c.benchmark_group(format!("narrowphase/ray/{}", kind.name));
        time(&mut group, "carom", || carom().map(|hit| counted(hit, Option::is_some)).sum());
        time(&mut group, "parry", || parry().map(|hit| counted(hit, Option::is_some)).sum());
    }
}

fn settings() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(300))
}

criterion_group! {
    name = narrowphase;
    config = settings();
    targets = overlaps, contact, lanes, stages, distance, cast, ray
}
criterion_main!(narrowphase);
