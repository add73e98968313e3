//! What a pair of shapes costs, one question at a time, with parry2d beside it in the same run.
//!
//! ```text
//!   overlaps/<a>_<b>     yes or no                                          pairs: mixed
//!   contact/<a>_<b>      normal and points                                  pairs: touching
//!   lanes/...            boxes and circles, eight at a time                 pairs: mixed, touching
//!   world/<a>_<b>        the exact tests of a step, from bodies to contacts  pairs: touching
//!   stages/...           what stands before the separating axis test        pairs: mixed, near
//!   polar/...            outlines at a fixed relative rotation: table against parts
//!   distance, cast, ray  a few kinds                                        pairs: apart
//!
//!   mixed     any angle and direction, distances even up to the one at which half of the pairs overlap
//!   near      the boxes around the two overlap, else anything: what a broadphase passes on
//!   touching  1 to 20 mm into each other, bodies of about 1 m; every other pair lies face on face
//!   apart     0.05 to 2 m apart
//! ```
//!
//! Every timed call goes through 1,024 pairs: the time of one pair is the printed time over 1,024,
//! or one over the printed rate. Both libraries must find the same number of hits before a clock
//! runs. parry2d's time holds, as carom's does, the pose of the second shape in the frame of the
//! first; its manifold starts empty for each pair, so nothing is remembered from the last one.
//!
//! A part of it: `cargo bench -p carom-benches --bench narrowphase -- contact/rect`.

mod pairs;
mod stages;

use carom::polar::Table;
use carom::{
    BodyDef, Circle, Manifold, Motion, Obb, PolarShape, Ray, Rot, Shape, Transform, Vec2, World, WorldDef,
    batch, vec2,
};
use carom_benches::settings;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pairs::{Batch, CaromPair, Kind, Lie, PAIRS, ParryPair, direction};
use parry2d::query::{
    ContactManifold, DefaultQueryDispatcher, NonlinearRigidMotion, PersistentQueryDispatcher, ShapeCastHit,
    ShapeCastOptions, cast_shapes, cast_shapes_nonlinear, intersection_test,
};
use stages::{Outline, Two};
use std::f32::consts::PI;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use testkit::random::Random;

type Group<'a> = BenchmarkGroup<'a, WallTime>;
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

/// One way over a batch of 1,024 pairs, which answers how many of them hit.
fn time(group: &mut Group, name: &str, mut all_pairs: impl FnMut() -> usize) {
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(&mut all_pairs));
}

/// How many of `items` a test says yes to.
fn hits<T>(items: &[T], mut test: impl FnMut(&T) -> bool) -> usize {
    items.iter().map(|item| usize::from(test(item))).sum()
}

fn assert_same(what: &str, carom: usize, parry: usize) {
    assert!(carom.abs_diff(parry) <= BORDER_CASES, "{what}: {carom} hits against {parry}");
}

fn carom_overlaps(pair: &CaromPair) -> bool {
    carom::overlaps(pair.a, pair.xa, pair.b, pair.xb)
}

fn parry_overlaps(pair: &ParryPair) -> bool {
    intersection_test(&pair.xa, pair.a, &pair.xb, pair.b).expect(SUPPORTED).intersecting
}

fn overlaps(c: &mut Criterion) {
    for_pairs_of_kinds(|a, b| {
        let name = format!("narrowphase/overlaps/{}_{}", a.name, b.name);
        time_overlaps(&mut c.benchmark_group(&name), &Batch::new(a, b, Lie::Mixed));
    });
}

fn time_overlaps(group: &mut Group, batch: &Batch) {
    let carom = || hits(&batch.carom, carom_overlaps);
    let parry = || hits(&batch.parry, parry_overlaps);
    assert_same("overlaps", carom(), parry());
    time(group, "carom", carom);
    time(group, "parry", parry);
}

fn carom_contact(pair: &CaromPair) -> Option<Manifold> {
    carom::contact(pair.a, pair.xa, pair.b, pair.xb)
}

/// The manifold of the last pair is used again, without its points and without the normal, from
/// which the search for the next one would start. (Making a new one would cost parry2d some
/// nanoseconds more.)
fn parry_contact(pair: &ParryPair, manifolds: &mut Vec<ParryManifold>) {
    manifolds[0].clear();
    manifolds[0].local_n1 = Vec2::ZERO;
    let b_in_a = pair.xa.inv_mul(&pair.xb);
    DefaultQueryDispatcher
        .contact_manifolds(&b_in_a, pair.a, pair.b, 0.0, manifolds, &mut None)
        .expect(SUPPORTED);
}

fn contact(c: &mut Criterion) {
    for_pairs_of_kinds(|a, b| {
        let name = format!("narrowphase/contact/{}_{}", a.name, b.name);
        time_contacts(&mut c.benchmark_group(&name), &Batch::new(a, b, Lie::Touching));
    });
}

fn time_contacts(group: &mut Group, batch: &Batch) {
    let carom = || hits(&batch.carom, |pair| black_box(&carom_contact(pair)).is_some());
    let mut manifolds = vec![ParryManifold::new()];
    let mut parry = || {
        hits(&batch.parry, |pair| {
            parry_contact(pair, &mut manifolds);
            black_box(&manifolds)[0].points.iter().any(|point| point.dist <= 0.0)
        })
    };
    assert_same("contacts", carom(), parry());
    time(group, "carom", carom);
    time(group, "parry", parry);
}

/// `lanes` starts from rows of shapes in one frame, `placed` fills the rows first; then one pair at
/// a time.
fn lanes(c: &mut Criterion) {
    let (rect, circle) = (Kind::rect(), Kind::circle());
    let batch = Batch::new(&rect, &rect, Lie::Mixed);
    time_overlap_lanes(lane_group(c, "overlap_boxes"), &batch, obb, batch::overlap_boxes);
    let batch = Batch::new(&circle, &circle, Lie::Mixed);
    time_overlap_lanes(lane_group(c, "overlap_circles"), &batch, disc, batch::overlap_circles);
    let batch = Batch::new(&rect, &rect, Lie::Touching);
    time_contact_lanes(lane_group(c, "contact_boxes"), &batch, obb, batch::contact_boxes);
    let batch = Batch::new(&circle, &circle, Lie::Touching);
    time_contact_lanes(lane_group(c, "contact_circles"), &batch, disc, batch::contact_circles);
}

fn lane_group<'a>(c: &'a mut Criterion, name: &str) -> Group<'a> {
    c.benchmark_group(format!("narrowphase/lanes/{name}"))
}

fn obb(shape: &Shape, at: Transform) -> Obb {
    let Shape::Obb(obb) = shape else { panic!("{shape:?} is not a box") };
    obb.transformed(at)
}

fn disc(shape: &Shape, at: Transform) -> Circle {
    let Shape::Circle(circle) = shape else { panic!("{shape:?} is not a circle") };
    circle.transformed(at)
}

/// Both sides of a batch as rows.
fn fill<T>(rows: &mut [Vec<T>; 2], batch: &Batch, row: impl Fn(&Shape, Transform) -> T) {
    rows.iter_mut().for_each(Vec::clear);
    rows[0].extend(batch.carom.iter().map(|pair| row(pair.a, pair.xa)));
    rows[1].extend(batch.carom.iter().map(|pair| row(pair.b, pair.xb)));
}

fn time_overlap_lanes<T>(
    mut group: Group,
    batch: &Batch,
    row: impl Fn(&Shape, Transform) -> T,
    lanes: impl Fn(&[T], &[T], &mut [bool]),
) {
    let (mut rows, mut answers) = ([Vec::new(), Vec::new()], vec![false; PAIRS]);
    fill(&mut rows, batch, &row);
    let mut all = |[a, b]: &[Vec<T>; 2]| {
        lanes(a, b, &mut answers);
        black_box(&answers).iter().filter(|&&hit| hit).count()
    };
    assert_eq!(all(&rows), batch.hits());
    time(&mut group, "lanes", || all(&rows));
    time(&mut group, "placed", || {
        fill(&mut rows, batch, &row);
        all(&rows)
    });
    time_overlaps(&mut group, batch);
}

fn time_contact_lanes<T>(
    mut group: Group,
    batch: &Batch,
    row: impl Fn(&Shape, Transform) -> T,
    lanes: impl Fn(&[T], &[T], f32, &mut [Manifold]),
) {
    let (mut rows, mut answers) = ([Vec::new(), Vec::new()], vec![Manifold::NONE; PAIRS]);
    fill(&mut rows, batch, &row);
    let mut all = |[a, b]: &[Vec<T>; 2]| {
        lanes(a, b, 0.0, &mut answers);
        black_box(&answers).iter().filter(|manifold| !manifold.is_empty()).count()
    };
    assert_eq!(all(&rows), batch.carom.iter().filter_map(carom_contact).count());
    time(&mut group, "lanes", || all(&rows));
    time(&mut group, "placed", || {
        fill(&mut rows, batch, &row);
        all(&rows)
    });
    time_contacts(&mut group, batch);
}

/// What a step's exact tests take: eight pairs of a kind at a time, found near by their circles,
/// tested, and the manifolds written into their contacts. One pair at a time for parry2d, whose
/// manifolds go nowhere.
fn world(c: &mut Criterion) {
    for_pairs_of_kinds(|a, b| {
        // Lines have no mass, so no body of their own.
        if [a.name, b.name].contains(&"segment") {
            return;
        }
        let batch = Batch::new(a, b, Lie::Touching);
        let mut group = c.benchmark_group(format!("narrowphase/world/{}_{}", a.name, b.name));
        let mut world = world_of(&batch);
        let found = world.step(0.0).expect("a step").contacts;
        assert!(found.abs_diff(PAIRS) <= BORDER_CASES, "{found} of {PAIRS} pairs touch");
        group.throughput(Throughput::Elements(PAIRS as u64));
        group.bench_function(BenchmarkId::from_parameter("carom"), |bencher| {
            bencher.iter_custom(|rounds| {
                let step = |_| world.step(0.0).expect("a step").collide;
                Duration::from_nanos((0..rounds).map(step).sum())
            });
        });
        let mut manifolds = vec![ParryManifold::new()];
        time(&mut group, "parry", || {
            hits(&batch.parry, |pair| {
                parry_contact(pair, &mut manifolds);
                black_box(&manifolds)[0].points.iter().any(|point| point.dist <= 0.0)
            })
        });
    });
}

/// Each pair of a batch in a place of its own. Nothing moves in a step of no length.
fn world_of(batch: &Batch) -> World {
    static START: OnceLock<Instant> = OnceLock::new();
    let mut world = World::new(WorldDef::default());
    world.set_clock(Some(|| START.get_or_init(Instant::now).elapsed().as_nanos() as u64));
    for (k, pair) in batch.carom.iter().enumerate() {
        let place = vec2((k % 32) as f32, (k / 32) as f32) * 6.0 - 96.0;
        for (shape, at) in [(pair.a, pair.xa), (pair.b, pair.xb)] {
            let def = BodyDef::dynamic().at(place + (at.position - pair.xa.position));
            world.add(def.angle(at.rotation.angle()).shape(shape.clone())).expect("a body");
        }
    }
    world
}

/// The separating axis test with nothing before it, then one more stage at a time; and what carom
/// makes of it.
fn stages(c: &mut Criterion) {
    for lie in [Lie::Mixed, Lie::Near] {
        time_stages::<4>(c, &Kind::triangle(), lie);
        time_stages::<8>(c, &Kind::hexagon(), lie);
    }
}

fn time_stages<const N: usize>(c: &mut Criterion, kind: &Kind, lie: Lie) {
    let batch = Batch::new(kind, kind, lie);
    let outlines: Vec<Outline<N>> = Outline::all(kind);
    let pairs = Two::all(kind, &outlines, &batch);
    let name = format!("{}s_{}", kind.name, format!("{lie:?}").to_lowercase());
    print_shares(&name, &pairs);
    let mut group = c.benchmark_group(format!("narrowphase/stages/{name}"));
    assert_same("sat", batch.hits(), hits(&pairs, |pair| pair.by_axes()));
    time(&mut group, "sat", || hits(&pairs, |pair| pair.by_axes()));
    assert_same("circles", batch.hits(), hits(&pairs, |pair| pair.by_circles()));
    time(&mut group, "circles", || hits(&pairs, |pair| pair.by_circles()));
    assert_same("inner_circles", batch.hits(), hits(&pairs, |pair| pair.by_inner_circles()));
    time(&mut group, "inner_circles", || hits(&pairs, |pair| pair.by_inner_circles()));
    assert_same("centre_line", batch.hits(), hits(&pairs, |pair| pair.by_centre_line()));
    time(&mut group, "centre_line", || hits(&pairs, |pair| pair.by_centre_line()));
    time(&mut group, "carom", || hits(&batch.carom, carom_overlaps));
    assert!(hits(&batch.carom, accept_convex) <= batch.hits(), "a yes of the centre line is never wrong");
    time(&mut group, "accept_convex", || hits(&batch.carom, accept_convex));
}

/// The crate's own test of the centre line, alone: it leaves the rest of the pairs open.
fn accept_convex(pair: &CaromPair) -> bool {
    match (pair.a, pair.b) {
        (Shape::Polygon(a), Shape::Polygon(b)) => carom::polar::accept_convex(a, pair.xa, b, pair.xb),
        (a, b) => panic!("{a:?} and {b:?} are not both polygons"),
    }
}

/// Which stage settles how many pairs, once.
fn print_shares<const N: usize>(name: &str, pairs: &[Two<N>]) {
    let share = |count: usize| 100.0 * count as f64 / pairs.len() as f64;
    let overlap = share(hits(pairs, |pair| pair.by_axes()));
    let no = share(hits(pairs, |pair| pair.circles_apart()));
    let inside = share(hits(pairs, |pair| pair.inner_circles_meet()));
    let line = share(hits(pairs, |pair| !pair.inner_circles_meet() && pair.centre_line_meets()));
    let rest = 100.0 - no - inside - line;
    eprintln!(
        "{name}: {overlap:.1} % overlap; circles around say no to {no:.1} %, circles inside yes to {inside:.1} %, \
         then the centre line yes to {line:.1} %; {rest:.1} % are left to the axes"
    );
}

/// Two times the same outline, the second one always turned by the same angle as seen from the
/// first, distances even up to 1.5 m: the exact table, the quick yes that misses some, and the
/// separating axis test of the parts.
fn polar(c: &mut Criterion) {
    let triangle = [vec2(0.6, 0.0), vec2(-0.4, 0.35), vec2(-0.4, -0.35)];
    let ship = [vec2(0.75, 0.0), vec2(-0.5, 0.55), vec2(-0.1, 0.0), vec2(-0.5, -0.55)];
    let spike = |k: usize| Rot::from_angle(k as f32 * PI / 8.0).x_axis() * [0.7, 0.4][k % 2];
    let star: [Vec2; 16] = std::array::from_fn(spike);
    for (name, corners) in [("triangle", &triangle[..]), ("ship", &ship), ("star", &star)] {
        let outline = PolarShape::new(corners).expect("seen whole from its centre");
        let (shape, turn) = (Shape::polar(corners), Rot::from_angle(2.0));
        let places = places_around(turn);
        let table = Table::new(&outline, &outline, turn);
        let by_table = || hits(&places, |&(xa, xb)| table.overlaps(xa.relative(xb).position));
        let by_line = || hits(&places, |&(xa, xb)| carom::polar::accept(&outline, xa, &outline, xb));
        let by_parts = || hits(&places, |&(xa, xb)| carom::overlaps(&shape, xa, &shape, xb));
        assert_same(name, by_parts(), by_table());
        let mut group = c.benchmark_group(format!("narrowphase/polar/{name}"));
        time(&mut group, "table", by_table);
        time(&mut group, "accept", by_line);
        time(&mut group, "parts", by_parts);
        group.throughput(Throughput::Elements(1));
        group.bench_function("build", |bencher| {
            bencher.iter(|| Table::new(&outline, &outline, black_box(turn)));
        });
    }
}

fn places_around(turn: Rot) -> Vec<(Transform, Transform)> {
    let mut random = Random::new(11);
    let mut place = || {
        let xa =
            Transform::new(vec2(random.range(-50.0, 50.0), random.range(-50.0, 50.0)), random.range(-PI, PI));
        let offset = direction(&mut random) * (random.range(0.0, 1.5));
        (xa, Transform { position: xa.position + offset, rotation: xa.rotation * turn })
    };
    (0..PAIRS).map(|_| place()).collect()
}

fn distance(c: &mut Criterion) {
    let (circle, rect, hexagon) = (Kind::circle(), Kind::rect(), Kind::hexagon());
    for (a, b) in [(&circle, &rect), (&rect, &rect), (&hexagon, &hexagon), (&rect, &hexagon)] {
        let batch = Batch::new(a, b, Lie::Apart);
        let carom = |p: &CaromPair| carom::distance(p.a, p.xa, p.b, p.xb);
        let parry = |p: &ParryPair| parry2d::query::distance(&p.xa, p.a, &p.xb, p.b).expect(SUPPORTED);
        // parry2d stops its search up to 1.3 mm too far here.
        let same = |(ours, theirs): (&CaromPair, &ParryPair)| {
            (carom(ours).distance() - parry(theirs).distance).abs() < 2.0e-3
        };
        assert!(batch.carom.iter().zip(&batch.parry).all(same));
        let mut group = c.benchmark_group(format!("narrowphase/distance/{}_{}", a.name, b.name));
        time(&mut group, "carom", || hits(&batch.carom, |pair| black_box(&carom(pair)).separation > 0.0));
        time(&mut group, "parry", || hits(&batch.parry, |pair| black_box(&parry(pair)).distance > 0.0));
    }
}

/// A is thrown past a random point within 1 m of B, twice as far as that lies; in the last group
/// with half a turn on the way.
fn cast(c: &mut Criterion) {
    let (circle, rect, hexagon) = (Kind::circle(), Kind::rect(), Kind::hexagon());
    for (a, b) in [(&circle, &circle), (&circle, &rect), (&rect, &rect), (&hexagon, &hexagon)] {
        time_casts(c, &format!("{}_{}", a.name, b.name), &Batch::new(a, b, Lie::Apart), 0.0);
    }
    time_casts(c, "rect_rect_turning", &Batch::new(&rect, &rect, Lie::Apart), PI);
}

fn time_casts(c: &mut Criterion, name: &str, batch: &Batch, turn: f32) {
    let throws = throws(batch);
    let pairs: Vec<(&CaromPair, Vec2)> = batch.carom.iter().zip(throws.iter().copied()).collect();
    let parry_pairs: Vec<(&ParryPair, Vec2)> = batch.parry.iter().zip(throws).collect();
    let carom = || hits(&pairs, |&(pair, throw)| black_box(&carom_cast(pair, throw, turn)).is_some());
    let parry = || hits(&parry_pairs, |&(pair, throw)| black_box(&parry_cast(pair, throw, turn)).is_some());
    assert_same(name, carom(), parry());
    let mut group = c.benchmark_group(format!("narrowphase/cast/{name}"));
    time(&mut group, "carom", carom);
    time(&mut group, "parry", parry);
}

/// How far each A travels.
fn throws(batch: &Batch) -> Vec<Vec2> {
    let mut random = Random::new(7);
    let throw = |pair: &CaromPair| {
        let past = pair.xb.position + direction(&mut random) * random.range(0.0, 1.0);
        2.0 * (past - pair.xa.position)
    };
    batch.carom.iter().map(throw).collect()
}

fn carom_cast(pair: &CaromPair, throw: Vec2, turn: f32) -> Option<carom::CastHit> {
    carom::cast(pair.a, Motion::straight(pair.xa, throw).turning(turn), pair.b, Motion::still(pair.xb))
}

fn parry_cast(pair: &ParryPair, throw: Vec2, turn: f32) -> Option<ShapeCastHit> {
    if turn == 0.0 {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        return cast_shapes(&pair.xa, throw, pair.a, &pair.xb, Vec2::ZERO, pair.b, options).expect(SUPPORTED);
    }
    let motion = NonlinearRigidMotion::new(pair.xa, Vec2::ZERO, throw, turn);
    let still = NonlinearRigidMotion::new(pair.xb, Vec2::ZERO, Vec2::ZERO, 0.0);
    cast_shapes_nonlinear(&motion, pair.a, &still, pair.b, 0.0, 1.0, true).expect(SUPPORTED)
}

/// Rays along the same throws, from where A stands against B.
fn ray(c: &mut Criterion) {
    for kind in [Kind::circle(), Kind::rect(), Kind::hexagon()] {
        let batch = Batch::new(&kind, &kind, Lie::Apart);
        let rays: Vec<(&CaromPair, Vec2)> = batch.carom.iter().zip(throws(&batch)).collect();
        let parry_rays: Vec<(&ParryPair, Vec2)> = batch.parry.iter().zip(throws(&batch)).collect();
        let carom = || {
            hits(&rays, |&(pair, translation)| {
                let ray = Ray { from: pair.xa.position, translation };
                black_box(&carom::ray(pair.b, pair.xb, ray)).is_some()
            })
        };
        let parry = || {
            hits(&parry_rays, |&(pair, translation)| {
                let ray = parry2d::query::Ray::new(pair.xa.translation, translation);
                black_box(&pair.b.cast_ray_and_get_normal(&pair.xb, &ray, 1.0, true)).is_some()
            })
        };
        assert_same("ray", carom(), parry());
        let mut group = c.benchmark_group(format!("narrowphase/ray/{}", kind.name));
        time(&mut group, "carom", carom);
        time(&mut group, "parry", parry);
    }
}

criterion_group! {
    name = narrowphase;
    config = settings(0.1, 0.3);
    targets = overlaps, contact, lanes, world, stages, polar, distance, cast, ray
}
criterion_main!(narrowphase);
