//! What must be true of all shapes: symmetries, casts against sampling, rays and points against
//! brute force.
//!
//! Cases come from proptest with a fixed seed; a failure names the values that it shrank to. Shapes
//! shrink to another seed, motions and rays towards zero.

use carom::{
    Motion, Ray, Shape, Transform, Vec2, cast, closest_point, contact_within, contains, distance, overlaps,
    ray, vec2,
};
use core::f32::consts::PI;
use glam::DVec2;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult};

use testkit::convex::Kind;
use testkit::oracle::{Convex, Half, Moving, Pose, Profile, point_distance, wide};
use testkit::random::Random;
use testkit::rounds;

/// Allowed error of separations and points, as a share of the size.
const TOLERANCE: f64 = 1.0e-5;

/// A touch that is not deeper than this share of the size is a graze: a cast may report it or not.
const GRAZE: f64 = 1.0e-4;

/// Allowed error of a time of impact, as a share of the step.
const TIME: f64 = 1.0e-4;

fn config(few: usize, many: usize) -> ProptestConfig {
    ProptestConfig {
        cases: rounds(few, many) as u32,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    }
}

type Sample = (Shape, Convex);

/// A convex shape of any kind.
fn any_shape() -> impl Strategy<Value = Sample> {
    (0..Kind::ALL.len(), any::<u64>()).prop_map(|(kind, seed)| Kind::ALL[kind].sample(&mut Random::new(seed)))
}

fn vector(reach: f32) -> impl Strategy<Value = Vec2> {
    (-reach..reach, -reach..reach).prop_map(|(x, y)| vec2(x, y))
}

fn pose(reach: f32) -> impl Strategy<Value = Transform> {
    (vector(reach), -PI..PI).prop_map(|(position, angle)| Transform::new(position, angle))
}

/// Positions are drawn for a pair of size 1 and take the size of the pair they are used with.
fn scaled(at: Transform, size: f64) -> Transform {
    Transform { position: at.position * size as f32, ..at }
}

fn size_of(a: &Sample, b: &Sample) -> f64 {
    a.1.extent().max(b.1.extent())
}

proptest! {
    #![proptest_config(config(500, 50_000))]

    #[test]
    fn moving_and_turning_both_changes_nothing(
        a in any_shape(), b in any_shape(), at_a in pose(1.0), at_b in pose(1.0), by in pose(10.0),
    ) {
        let size = size_of(&a, &b);
        let (at_a, at_b, by) = (scaled(at_a, size), scaled(at_b, size), scaled(by, size));
        let here = distance(&a.0, at_a, &b.0, at_b);
        let there = distance(&a.0, by * at_a, &b.0, by * at_b);
        let error = f64::from(here.separation - there.separation).abs();
        prop_assert!(error <= TOLERANCE * size, "{here:?} {there:?}");
        if f64::from(here.separation).abs() > TOLERANCE * size {
            prop_assert_eq!(overlaps(&a.0, at_a, &b.0, at_b), overlaps(&a.0, by * at_a, &b.0, by * at_b));
        }
    }

    /// Only the difference of the two positions counts: an answer far from the origin is as exact
    /// as at it.
    #[test]
    fn moving_both_by_whole_numbers_changes_nothing(
        a in any_shape(), b in any_shape(), at_a in pose(1.0), at_b in pose(1.0),
        x in -500_i16..500, y in -500_i16..500,
    ) {
        // Positions on a grid of 1/16384 and shifts up to 500: both sums are exact.
        let size = size_of(&a, &b);
        let on_grid = |at: Transform| {
            let position = (at.position * (size as f32 * 16384.0)).round() / 16384.0;
            Transform { position, ..at }
        };
        let shift = |at: Transform| Transform { position: at.position + vec2(x.into(), y.into()), ..at };
        let (at_a, at_b) = (on_grid(at_a), on_grid(at_b));
        let (far_a, far_b) = (shift(at_a), shift(at_b));
        prop_assume!(far_a.position - at_a.position == far_b.position - at_b.position);
        prop_assume!(far_b.position - far_a.position == at_b.position - at_a.position);

        let (here, there) = (distance(&a.0, at_a, &b.0, at_b), distance(&a.0, far_a, &b.0, far_b));
        let change = f64::from(here.separation - there.separation).abs();
        prop_assert!(change <= TOLERANCE * size, "{here:?} {there:?}");
        if f64::from(here.separation).abs() > TOLERANCE * size {
            prop_assert_eq!(overlaps(&a.0, at_a, &b.0, at_b), overlaps(&a.0, far_a, &b.0, far_b));
        }
        let margin = (0.1 * size) as f32;
        let (here, there) = (
            contact_within(&a.0, at_a, &b.0, at_b, margin),
            contact_within(&a.0, far_a, &b.0, far_b, margin),
        );
        if let Some((here, there)) = here.zip(there) {
            let change = f64::from(here.separation() - there.separation()).abs();
            prop_assert!(change <= TOLERANCE * size, "{here:?} {there:?}");
        }
    }

    #[test]
    fn distance_is_symmetric(a in any_shape(), b in any_shape(), at_a in pose(1.0), at_b in pose(1.0)) {
        let size = size_of(&a, &b);
        let (at_a, at_b) = (scaled(at_a, size), scaled(at_b, size));
        let (there, back) = (distance(&a.0, at_a, &b.0, at_b), distance(&b.0, at_b, &a.0, at_a));
        prop_assert_eq!(there.separation.to_bits(), back.separation.to_bits());
        prop_assert_eq!(there.normal, -back.normal);
        prop_assert_eq!((there.point_a, there.point_b), (back.point_b, back.point_a));
    }

    /// The distance to a shape changes by no more than one moves.
    #[test]
    fn point_distances_keep_the_triangle_inequality(
        a in any_shape(), at in pose(1.0), p in vector(2.0), q in vector(2.0),
    ) {
        let size = a.1.extent();
        let (at, p, q) = (scaled(at, size), p * size as f32, q * size as f32);
        let (from_p, from_q) = (closest_point(&a.0, at, p).distance, closest_point(&a.0, at, q).distance);
        let change = f64::from(from_p - from_q).abs();
        prop_assert!(change <= wide(p - q).length() + TOLERANCE * size, "{from_p} at {p}, {from_q} at {q}");
    }

    /// Two shapes are no farther apart than each is from any point, together.
    #[test]
    fn distances_keep_the_triangle_inequality(
        a in any_shape(), b in any_shape(), at_a in pose(1.0), at_b in pose(1.0), p in vector(2.0),
    ) {
        let size = size_of(&a, &b);
        let (at_a, at_b, p) = (scaled(at_a, size), scaled(at_b, size), p * size as f32);
        let direct = f64::from(distance(&a.0, at_a, &b.0, at_b).distance());
        let to_a = f64::from(closest_point(&a.0, at_a, p).distance).max(0.0);
        let to_b = f64::from(closest_point(&b.0, at_b, p).distance).max(0.0);
        prop_assert!(direct <= to_a + to_b + TOLERANCE * size, "{direct} > {to_a} + {to_b}");
    }

    #[test]
    fn closest_points_agree_with_brute_force(a in any_shape(), at in pose(1.0), p in vector(1.0)) {
        let size = a.1.extent();
        let (at, p) = (scaled(at, size), p * size as f32);
        let shape = a.1.placed(at);
        let truth = point_distance(&shape, wide(p));
        let found = closest_point(&a.0, at, p);
        let away = f64::from(found.distance);
        prop_assert!((away - truth).abs() <= TOLERANCE * size, "{found:?}, oracle {truth}");
        let off_border = point_distance(&shape, wide(found.point)).abs();
        prop_assert!(off_border <= TOLERANCE * size, "{off_border} off the border: {found:?}");
        let way = wide(p - found.point);
        prop_assert!((way.length() - away.abs()).abs() <= TOLERANCE * size, "{found:?}");
        prop_assert!((wide(found.normal).length() - 1.0).abs() <= 1.0e-6, "{found:?}");
        prop_assert!((way.dot(wide(found.normal)) - away).abs() <= TOLERANCE * size, "{found:?}");

        prop_assert_eq!(contains(&a.0, at, p), found.distance <= 0.0);
        if truth.abs() > TOLERANCE * size {
            prop_assert_eq!(contains(&a.0, at, p), truth < 0.0);
        }
    }
}

/// A ray answers correctly when its signed distance profile says so; see `Profile`.
fn check_ray(shape: &Shape, convex: &Convex, at: Transform, line: Ray) -> TestCaseResult {
    let placed = convex.placed(at);
    let from = wide(line.from);
    let profile = Profile::new(&placed, from, from + wide(line.translation));
    let (size, length) =
        (convex.extent().max(wide(line.translation).length()), wide(line.translation).length());
    let tolerance = TOLERANCE * size;
    let nearest = profile.nearest();
    let Some(hit) = ray(shape, at, line) else {
        // A sharp segment is crossed without being entered.
        let deepest =
            if placed.is_flat() { placed.crossing(from, profile.point(1.0)) } else { profile.at(nearest) };
        prop_assert!(deepest > -tolerance, "missed by {deepest:e}");
        return Ok(());
    };
    let fraction = f64::from(hit.fraction);
    prop_assert!((0.0..=1.0).contains(&fraction), "{hit:?}");
    let point = wide(hit.point);
    prop_assert!((point - profile.point(fraction)).length() <= tolerance, "not on the ray: {hit:?}");
    let apart = point_distance(&placed, point);
    if hit.normal == Vec2::ZERO {
        prop_assert!(fraction == 0.0 && apart <= tolerance, "starts inside: {hit:?}, {apart:e}");
        return Ok(());
    }
    prop_assert!(profile.at(0.0) >= -tolerance, "starts inside, but has a normal: {hit:?}");
    prop_assert!(apart.abs() <= tolerance, "not on the border: {hit:?}, {apart:e}");
    if let Some(deep) = profile.first_below(-tolerance, nearest) {
        prop_assert!(fraction <= deep + tolerance / length, "{hit:?}, but inside from {deep}");
    }
    let normal = wide(hit.normal);
    prop_assert!((normal.length() - 1.0).abs() <= 1.0e-6, "{hit:?}");
    prop_assert!(normal.dot(wide(line.translation)) <= 1.0e-5 * length, "along the ray: {hit:?}");
    if !placed.is_flat() || length == 0.0 {
        // One step outward along the normal is one step away; at a corner any normal between its
        // edges will do.
        let step = 0.1 * size;
        let outside = point_distance(&placed, point + normal * step);
        prop_assert!(outside >= step - 1.0e-3 * size, "{hit:?} is no outward normal: {outside} after {step}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(500, 20_000))]

    #[test]
    fn rays_agree_with_brute_force(a in any_shape(), at in pose(1.0), from in vector(2.0), to in vector(2.0)) {
        let size = a.1.extent() as f32;
        let at = scaled(at, size.into());
        check_ray(&a.0, &a.1, at, Ray::between(from * size, to * size))?;
        // From the same place through the shape, and far beyond it.
        let middle = Pose::from(at).apply(a.1.corners()[0]).as_vec2();
        check_ray(&a.0, &a.1, at, Ray::between(from * size, from * size + (middle - from * size) * 3.0))?;
    }

    #[test]
    fn rays_against_parts_hit_the_nearest(
        parts in vec((any_shape(), pose(5.0)), 1..5), from in vector(10.0), to in vector(10.0),
    ) {
        let shapes: Vec<Shape> = parts.into_iter().map(|((shape, _), at)| shape.transformed(at)).collect();
        let line = Ray::between(from, to);
        let hits = shapes.iter().filter_map(|shape| ray(shape, Transform::IDENTITY, line));
        let nearest = hits.map(|hit| hit.fraction).min_by(f32::total_cmp);
        let found = ray(&Shape::compound(shapes), Transform::IDENTITY, line);
        prop_assert_eq!(found.map(|hit| hit.fraction), nearest);
    }
}

/// The rules for a cast, given the first times at which the oracle sees the pair within a graze of
/// touching, touching, and deeper than a graze.
///
/// ```text
///   separation
///    + |\
///      | \.          loose: at most +GRAZE       a hit is reported between loose and deep, give
///    0 |---\--------  touch: at most 0           or take TIME; a steep approach, which passes
///      |    \.       deep:  at most -GRAZE       the band within 10 TIME, is reported within TIME
///    - |      \                                  of the touch
///    - |      \
/// ```
fn check_cast(a: &Shape, b: &Shape, moving: &Moving, size: f64) -> TestCaseResult {
    let (graze, grain) = (GRAZE * size, 0.2 * GRAZE * size);
    let hit = cast(a, moving.motion_a, b, moving.motion_b);
    let at_start = moving.separation(0.0);
    if at_start < -TOLERANCE * size {
        prop_assert_eq!(hit.map(|hit| hit.time), Some(0.0), "they overlap from the start");
        return Ok(());
    }
    let loose = moving.first_below(graze, 0.0, grain);
    let touch = loose.and_then(|from| moving.first_below(0.0, from, grain));
    let deep = touch.and_then(|from| moving.first_below(-graze, from, grain));
    let Some(hit) = hit else {
        prop_assert!(deep.is_none(), "a hit at {touch:?}, deep at {deep:?}, is lost");
        return Ok(());
    };
    let time = f64::from(hit.time);
    prop_assert!((0.0..=1.0).contains(&time), "{hit:?}");
    prop_assert!(loose.is_some_and(|loose| time >= loose - TIME), "{hit:?}, but near only from {loose:?}");
    if let Some(deep) = deep {
        prop_assert!(time <= deep + TIME, "{hit:?} is too late: deep at {deep}");
    }
    if let (Some(loose), Some(touch), Some(deep)) = (loose, touch, deep)
        && deep - loose <= 10.0 * TIME
    {
        prop_assert!((time - touch).abs() <= TIME, "{hit:?}, but they touch at {touch}");
    }
    // At the time of the hit they touch, up to what a step of the time in f32 moves them.
    let slack = graze + 1.0e-6 * moving.top_speed();
    let apart = moving.separation(time);
    prop_assert!(apart.abs() <= slack, "{hit:?}: {apart:e} apart");
    prop_assert!((wide(hit.normal).length() - 1.0).abs() <= 1.0e-6, "{hit:?}");
    for (parts, motion) in [(moving.a, moving.motion_a), (moving.b, moving.motion_b)] {
        let here = Pose::along(motion, time);
        let away = parts.iter().map(|part| point_distance(&part.placed(here), wide(hit.point)));
        let away = away.fold(f64::INFINITY, f64::min);
        prop_assert!(away <= slack, "{hit:?}: the point is {away:e} off a shape");
    }
    Ok(())
}

/// How a pair moves: from a distance of a few sizes towards each other, more or less.
#[derive(Clone, Debug)]
struct Flight {
    at_a: Transform,
    at_b: Transform,
    /// Translation of A and, on top of it, of B; 1 brings B's origin to A's.
    drift: Vec2,
    approach: f32,
    aside: Vec2,
    turns: [f32; 2],
}

fn flight(most_turns: f32) -> impl Strategy<Value = Flight> {
    let turn = move || prop_oneof![Just(0.0_f32), -0.5_f32..0.5, -most_turns..most_turns];
    let parts = (pose(1.0), pose(3.0), vector(2.0), -1.0_f32..4.0, vector(1.0), turn(), turn());
    parts.prop_map(|(at_a, at_b, drift, approach, aside, turn_a, turn_b)| Flight {
        at_a,
        at_b,
        drift,
        approach,
        aside,
        turns: [turn_a, turn_b],
    })
}

impl Flight {
    fn motions(&self, size: f64) -> [Motion; 2] {
        let (at_a, at_b) = (scaled(self.at_a, size), scaled(self.at_b, size));
        let drift = self.drift * size as f32;
        let towards = (at_a.position - at_b.position) * self.approach + self.aside * size as f32;
        [
            Motion::straight(at_a, drift).turning(self.turns[0]),
            Motion::straight(at_b, drift + towards).turning(self.turns[1]),
        ]
    }
}

proptest! {
    #![proptest_config(config(200, 10_000))]

    #[test]
    fn straight_casts_agree_with_sampling(a in any_shape(), b in any_shape(), flight in flight(PI)) {
        let size = size_of(&a, &b);
        let [motion_a, motion_b] = Flight { turns: [0.0; 2], ..flight }.motions(size);
        let moving = Moving { a: &[a.1], motion_a, b: &[b.1], motion_b };
        check_cast(&a.0, &b.0, &moving, size)?;
    }

    #[test]
    fn turning_casts_agree_with_sampling(a in any_shape(), b in any_shape(), flight in flight(PI)) {
        let size = size_of(&a, &b);
        let [motion_a, motion_b] = flight.motions(size);
        let moving = Moving { a: &[a.1], motion_a, b: &[b.1], motion_b };
        check_cast(&a.0, &b.0, &moving, size)?;
    }

    #[test]
    fn casts_are_symmetric(a in any_shape(), b in any_shape(), flight in flight(PI)) {
        let [motion_a, motion_b] = flight.motions(size_of(&a, &b));
        let (there, back) = (cast(&a.0, motion_a, &b.0, motion_b), cast(&b.0, motion_b, &a.0, motion_a));
        prop_assert_eq!(there.is_some(), back.is_some());
        if let Some((there, back)) = there.zip(back) {
            prop_assert_eq!(there.time.to_bits(), back.time.to_bits());
            prop_assert_eq!(there.normal, -back.normal);
        }
    }
}

proptest! {
    #![proptest_config(config(50, 2_000))]

    #[test]
    fn whirling_casts_agree_with_sampling(a in any_shape(), b in any_shape(), flight in flight(20.0)) {
        let size = size_of(&a, &b);
        let [motion_a, motion_b] = flight.motions(size);
        let moving = Moving { a: &[a.1], motion_a, b: &[b.1], motion_b };
        check_cast(&a.0, &b.0, &moving, size)?;
    }

    #[test]
    fn casts_of_compounds_agree_with_sampling(
        parts in vec((any_shape(), pose(3.0)), 2..5), b in any_shape(), flight in flight(PI),
    ) {
        let parts: Vec<Shape> = parts.into_iter().map(|((shape, _), at)| shape.transformed(at)).collect();
        let a = Shape::compound(parts);
        let parts_a = Convex::parts_of(&a);
        let size = parts_a.iter().fold(b.1.extent(), |most, part| most.max(2.0 * part.reach()));
        let [motion_a, motion_b] = flight.motions(size);
        let moving = Moving { a: &parts_a, motion_a, b: &[b.1], motion_b };
        check_cast(&a, &b.0, &moving, size)?;
    }

    /// Against a half-plane the separation is the height of the lowest corner: sampled at 5,000
    /// times.
    #[test]
    fn casts_onto_half_planes_agree_with_sampling(
        a in any_shape(), at in pose(1.0), normal in -PI..PI, fall in vector(3.0), turn in -PI..PI,
    ) {
        let size = a.1.extent();
        let up = Transform::new(Vec2::ZERO, normal).apply(Vec2::Y);
        let ground = Shape::half_plane(up * (-2.0 * size as f32), up);
        let motion = Motion::straight(scaled(at, size), fall * size as f32).turning(turn);
        let height = |time: f64| {
            Half::of(&ground, Transform::IDENTITY).separation(&a.1.placed(Pose::along(motion, time)))
        };
        let times = || (0..=5_000).map(|i| f64::from(i) / 5_000.0);
        let first = times().find(|&time| height(time) <= 0.0);
        let hit = cast(&ground, Motion::still(Transform::IDENTITY), &a.0, motion);
        let lowest = times().fold(f64::INFINITY, |low, time| low.min(height(time)));
        if lowest.abs() > GRAZE * size {
            prop_assert_eq!(hit.is_some(), first.is_some(), "{:?}, lowest {}", hit, lowest);
        }
        if height(0.0) < -TOLERANCE * size {
            prop_assert_eq!(hit.map(|hit| hit.time), Some(0.0), "they overlap from the start");
        } else if let Some((hit, first)) = hit.zip(first) {
            let apart = height(hit.time.into());
            prop_assert!(apart.abs() <= GRAZE * size, "{hit:?}: {apart:e} apart, first {first}");
            prop_assert!(f64::from(hit.time) <= first + TIME, "{hit:?}, too late: {first}");
            prop_assert!((wide(hit.normal) - wide(up)).length() < 1.0e-5, "{hit:?}");
        }
    }
}

/// A disc of radius 0.1 towards walls without or with little thickness, at up to 10^6 m a step.
#[test]
fn bullets_pass_no_wall_at_any_speed() {
    let bullet = Shape::circle(0.1);
    let walls = [
        Shape::segment([0.0, -5.0], [0.0, 5.0]),
        Shape::rect(0.01, 10.0),
        Shape::chain(&[vec2(0.0, -5.0), vec2(0.0, 1.0), vec2(0.0, 5.0)]),
        Shape::half_plane([0.0, 0.0], [-1.0, 0.0]),
    ];
    for wall in &walls {
        for exponent in 1..=6 {
            let speed = 10.0_f64.powi(exponent);
            let flight = Motion::straight(Transform::at([-3.0, 0.25]), [speed as f32, 0.0]);
            let hit =
                cast(&bullet, flight, wall, Motion::still(Transform::IDENTITY)).expect("it cannot pass");
            let stopped = -3.0 + f64::from(hit.time) * speed;
            let face = if matches!(wall, Shape::Obb(_)) { -0.005 } else { 0.0 };
            let error = stopped - (face - 0.1);
            assert!(error.abs() < 1.0e-4 + 1.0e-6 * speed, "{wall:?} at {speed}: off by {error}");
            assert!((hit.normal - Vec2::X).length() < 1.0e-5, "{wall:?} at {speed}: {hit:?}");
        }
    }
}

/// A bar of 2 that turns half around in one step, above a post that its end sweeps over.
#[test]
fn a_turning_bar_hits_what_its_end_sweeps_over() {
    // The tip at (1, 0) moves on the unit circle; the post's top left corner (0.5, 0.75) has the
    // polar angle atan(0.75 / 0.5) and lies within reach: it is struck by the upper side of the
    // thin bar.
    let bar = Shape::segment([-1.0, 0.0], [1.0, 0.0]);
    let post = Shape::rect(0.25, 0.25).at([0.625, 0.625]);
    let motion = Motion::still(Transform::IDENTITY).turning(PI);
    let hit = cast(&bar, motion, &post, Motion::still(Transform::IDENTITY)).expect("the bar sweeps over it");
    // The first corner on its way is the lower right one, (0.75, 0.5).
    let expected = 0.5_f64.atan2(0.75) / f64::from(PI);
    assert!((f64::from(hit.time) - expected).abs() < TIME, "{hit:?}, expected {expected}");
    assert!((hit.point - vec2(0.75, 0.5)).length() < 1.0e-4, "{hit:?}");
    let across = DVec2::new(-0.5, 0.75).normalize();
    assert!((wide(hit.normal) - across).length() < 1.0e-3, "{hit:?}");
}
