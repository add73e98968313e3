//! Trigonometry, rotations, transforms and points of the unlimited world.
//!
//! The oracle is `f64`: the standard library's functions for trigonometry, whole numbers for
//! points.

use carom::math::{Rot, Transform, atan2, cos, sin, sin_cos};
use carom::{Vec2, WorldPoint};
use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
use glam::IVec2;

use testkit::random::Random;

const SIZE: f32 = carom::tuning::REGION_SIZE;
const HALF: f32 = SIZE / 2.0;

/// 2^40, for whole numbers as an oracle.
const UNIT: f64 = 1_099_511_627_776.0;

/// Any region.
fn region(random: &mut Random) -> IVec2 {
    let bits = random.bits();
    IVec2::new(bits as i32, (bits >> 32) as i32)
}

/// The error of `got` in units in the last place of the true value.
fn ulps(got: f32, truth: f64) -> f64 {
    let exponent = (truth.abs().max(f64::from(f32::MIN_POSITIVE)).to_bits() >> 52) as i32 - 1023;
    let unit = f64::from_bits(((exponent - 23 + 1023) as u64) << 52);
    (f64::from(got) - truth).abs() / unit
}

/// Same bits, where `==` would let zeros of both signs pass.
#[track_caller]
fn assert_same(a: f32, b: f32) {
    assert_eq!(a.to_bits(), b.to_bits(), "{a} against {b}");
}

#[track_caller]
fn assert_near(a: Vec2, b: Vec2, tolerance: f32) {
    assert!((a - b).length() <= tolerance, "{a} against {b}, tolerance {tolerance}");
}

// ---- sine and cosine ----

fn check_sin_cos(angle: f32) {
    let (s, c) = sin_cos(angle);
    let (true_s, true_c) = f64::from(angle).sin_cos();
    assert!(ulps(s, true_s) < 0.50001, "sin {angle:e} = {s:e}, not {true_s:e}");
    assert!(ulps(c, true_c) < 0.50001, "cos {angle:e} = {c:e}, not {true_c:e}");
    assert!(s.abs() <= 1.0 && c.abs() <= 1.0, "sin and cos of {angle:e}");

    let (s_back, c_back) = sin_cos(-angle);
    assert_same(s_back, -s);
    assert_same(c_back, c);
}

#[test]
fn sine_and_cosine_are_the_nearest_f32() {
    let mut random = Random::new(1);
    for _ in 0..200_000 {
        check_sin_cos(random.finite());
        check_sin_cos(random.range(-TAU, TAU));
        check_sin_cos(random.range(-2.0e6, 2.0e6));
    }
}

/// Where the quarter changes, at odd multiples of π/4, where results are zero, and where the
/// reduction changes.
#[test]
fn sine_and_cosine_hold_at_the_seams() {
    let seams = (-4000..=4000).map(|k| k as f32 * FRAC_PI_4).chain([1_048_576.0, -1_048_576.0, 16_777_216.0]);
    for seam in seams {
        let (mut below, mut above) = (seam, seam);
        for _ in 0..4 {
            check_sin_cos(below);
            check_sin_cos(above);
            (below, above) = (below.next_down(), above.next_up());
        }
    }
    for extreme in [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), 1.0e-30] {
        check_sin_cos(extreme);
    }
}

#[test]
fn sine_and_cosine_of_special_angles() {
    assert_same(sin(0.0), 0.0);
    assert_same(sin(-0.0), -0.0);
    assert_same(cos(0.0), 1.0);
    assert_same(cos(-0.0), 1.0);
    assert_eq!(sin_cos(FRAC_PI_2), (1.0, -4.371_139e-8));
    assert_eq!(sin_cos(PI), (-8.742_278e-8, -1.0));
    assert_eq!(sin_cos(FRAC_PI_4).0, core::f32::consts::FRAC_1_SQRT_2);
    // Of all f32 from 1 upwards the one closest to a multiple of a right angle.
    assert_eq!(sin_cos(f32::from_bits(0x6f79_be45)), (1.0, -1.614_769_8e-9));
    for nonsense in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_same(sin(nonsense), f32::NAN);
        assert_same(cos(nonsense), f32::NAN);
    }
}

/// The bits themselves, so that a platform that computes differently fails here and not in a
/// replay.
#[test]
fn trigonometry_has_the_same_bits_on_every_platform() {
    let mut random = Random::new(2);
    let mut hash = 0_u64;
    let mut mix = |value: f32| hash = (hash ^ u64::from(value.to_bits())).wrapping_mul(0x0000_0100_0000_01b3);
    for _ in 0..100_000 {
        let (a, b) = (random.finite(), random.finite());
        for angle in [a, random.range(-10.0, 10.0)] {
            let (s, c) = sin_cos(angle);
            mix(s);
            mix(c);
        }
        mix(atan2(a, b));
        mix(atan2(random.range(-1.0, 1.0), random.range(-1.0, 1.0)));
    }
    assert_eq!(hash, 0xc1f2_7c9d_7acc_7346, "got {hash:#018x}");
}

// ---- atan2 ----

fn check_atan2(y: f32, x: f32) {
    let angle = atan2(y, x);
    let truth = f64::from(y).atan2(f64::from(x));
    assert!(ulps(angle, truth) < 0.50001, "atan2({y:e}, {x:e}) = {angle:e}, not {truth:e}");
    assert!(angle.abs() <= PI);
    assert_same(atan2(-y, x), -angle);
}

#[test]
fn the_angle_of_a_vector_is_the_nearest_f32() {
    let mut random = Random::new(3);
    for _ in 0..200_000 {
        let x = random.finite();
        check_atan2(random.finite(), x);
        check_atan2(x * random.range(-3.0, 3.0), x);
        check_atan2(random.range(-1.0, 1.0), random.range(-1.0, 1.0));
    }
}

/// Axes, diagonals, and the eighths at which the polynomial changes sides.
#[test]
fn the_angle_of_a_vector_holds_at_the_seams() {
    let slopes = [0.0, core::f32::consts::SQRT_2 - 1.0, 1.0, core::f32::consts::SQRT_2 + 1.0];
    for slope in slopes {
        for x in [1.0, 3.7e-20, 1.1e30] {
            for y in [slope * x, (slope * x).next_up(), (slope * x).next_down()] {
                for (x, y) in [(x, y), (-x, y), (y, x), (y, -x)] {
                    check_atan2(y, x);
                }
            }
        }
    }
}

#[test]
fn the_angle_of_zeros_and_infinities_is_that_of_ieee_754() {
    let values = [0.0, -0.0, 1.0, -1.0, f32::MAX, f32::from_bits(1), f32::INFINITY, f32::NEG_INFINITY];
    for y in values {
        for x in values {
            assert_same(atan2(y, x), f64::from(y).atan2(f64::from(x)) as f32);
        }
        for nan in [f32::NAN, -f32::NAN] {
            assert_same(atan2(y, nan), f32::NAN);
            assert_same(atan2(nan, y), f32::NAN);
        }
    }
    assert_same(atan2(0.0, 0.0), 0.0);
    assert_same(atan2(-0.0, -0.0), -PI);
    assert_same(atan2(1.0, 0.0), FRAC_PI_2);
    assert_same(atan2(-2.0, 2.0), -FRAC_PI_4);
}

// ---- rotations ----

#[test]
fn a_rotation_turns_counter_clockwise() {
    let quarter = Rot::from_angle(FRAC_PI_2);
    assert_near(quarter * Vec2::X, Vec2::Y, 1.0e-7);
    assert_near(quarter * Vec2::Y, -Vec2::X, 1.0e-7);
    assert_near(quarter.inverse_rotate(Vec2::Y), Vec2::X, 1.0e-7);
    assert_eq!(Rot::from_angle(0.0), Rot::IDENTITY);
    assert_eq!(Rot::IDENTITY * Vec2::new(3.0, -4.0), Vec2::new(3.0, -4.0));
    assert_eq!(Rot::IDENTITY.angle(), 0.0);
}

#[test]
fn rotations_compose_and_come_back() {
    let mut random = Random::new(4);
    for _ in 0..50_000 {
        let (angle_a, angle_b) = (random.range(-3.0, 3.0), random.range(-100.0, 100.0));
        let (a, b) = (Rot::from_angle(angle_a), Rot::from_angle(angle_b));
        let v = random.square(10.0);

        assert!((a.angle() - angle_a).abs() < 5.0e-7, "{angle_a} came back as {}", a.angle());
        assert!(((a * v).length() - v.length()).abs() < 5.0e-6);
        assert_near(a.inverse_rotate(a * v), v, 5.0e-6);
        assert_near(a.inverse() * v, a.inverse_rotate(v), 5.0e-6);
        assert_near((a * b) * v, a * (b * v), 1.0e-5);

        let (s, c) = (f64::from(angle_a) + f64::from(angle_b)).sin_cos();
        assert_near(Vec2::new((a * b).cos, (a * b).sin), Vec2::new(c as f32, s as f32), 5.0e-7);
    }
}

// ---- transforms ----

#[test]
fn a_transform_turns_and_then_moves() {
    let xf = Transform::new([10.0, 5.0], FRAC_PI_2);
    assert_near(xf.apply(Vec2::X), Vec2::new(10.0, 6.0), 1.0e-6);
    assert_near(xf.apply_inverse(Vec2::new(10.0, 6.0)), Vec2::X, 1.0e-6);
    assert_eq!(Transform::at([1.0, 2.0]).apply(Vec2::X), Vec2::new(2.0, 2.0));
    assert_eq!(Transform::new(Vec2::ZERO, 0.0), Transform::IDENTITY);
}

#[test]
fn transforms_compose_and_come_back() {
    let mut random = Random::new(5);
    for _ in 0..50_000 {
        let a = Transform::new(random.square(10.0), random.range(-7.0, 7.0));
        let b = Transform::new(random.square(10.0), random.range(-7.0, 7.0));
        let point = random.square(10.0);

        assert_near((a * b).apply(point), a.apply(b.apply(point)), 2.0e-5);
        assert_near(a.apply_inverse(a.apply(point)), point, 2.0e-5);
        assert_near(a.inverse().apply(point), a.apply_inverse(point), 2.0e-5);
        assert_near((a * a.inverse()).apply(point), point, 2.0e-5);
        assert_eq!(a * Transform::IDENTITY, a);
    }
}

// ---- points of the world ----

/// The coordinate of a point as a whole number of 2^-40 m. Exact for locals of 2^-17 m and more.
fn exact_axis(region: i32, local: f32) -> i128 {
    i128::from(region) * (f64::from(SIZE) * UNIT) as i128 + (f64::from(local) * UNIT) as i128
}

#[track_caller]
fn assert_same_point(a: WorldPoint, b: WorldPoint) {
    assert_eq!(a.region, b.region);
    assert_same(a.local.x, b.local.x);
    assert_same(a.local.y, b.local.y);
}

/// On the x axis only.
fn point(region: i32, local: f32) -> WorldPoint {
    WorldPoint::new(IVec2::new(region, 0), Vec2::new(local, 0.0))
}

#[test]
fn normalising_is_exact() {
    let mut random = Random::new(6);
    for _ in 0..200_000 {
        let (region, local) = (region(&mut random).x / 2, random.finite());
        let p = point(region, local);
        if local.abs() > 1.0e12 {
            continue;
        }
        assert!(p.is_valid());
        if local.abs() < HALF {
            assert_eq!(p.region.x, region);
            assert_same(p.local.x, local);
        } else {
            assert_eq!(exact_axis(p.region.x, p.local.x), exact_axis(region, local), "{region} {local:e}");
        }
        assert_same_point(WorldPoint::new(p.region, p.local), p);
    }
}

#[test]
fn a_region_begins_at_its_lower_border() {
    let cases = [
        (HALF.next_down(), 0, HALF.next_down()),
        (HALF, 1, -HALF),
        (HALF.next_up(), 1, HALF.next_up() - SIZE),
        (-HALF, 0, -HALF),
        ((-HALF).next_up(), 0, (-HALF).next_up()),
        ((-HALF).next_down(), -1, (-HALF).next_down() + SIZE),
        (-3.0 * HALF, -1, -HALF),
        (3.0 * HALF, 2, -HALF),
        (SIZE, 1, 0.0),
        (-SIZE, -1, 0.0),
        (0.0, 0, 0.0),
        (-0.0, 0, -0.0),
        (-f32::from_bits(1), 0, -f32::from_bits(1)),
        (f32::MIN_POSITIVE, 0, f32::MIN_POSITIVE),
    ];
    for (local, region, rest) in cases {
        let p = point(7, local);
        assert_eq!(p.region, IVec2::new(7 + region, 0), "{local}");
        assert_same(p.local.x, rest);
        assert!(p.is_valid());
        let upwards = WorldPoint::new(IVec2::new(0, 7), Vec2::new(0.0, local));
        assert_eq!((upwards.region.y, upwards.local.y), (p.region.x, p.local.x));
    }
}

#[test]
fn an_offset_that_rounds_up_to_the_border_is_in_the_next_region() {
    // The sum lies below 512, but 512 is the f32 nearest to it.
    assert_same_point(point(0, HALF.next_down()).offset(Vec2::new(2.0e-5, 0.0)), point(1, -HALF));
    // The same after 2000 regions have been taken off.
    assert_same_point(point(0, -1.0e-6).offset(Vec2::new(2000.0 * SIZE + HALF, 0.0)), point(2001, -HALF));
    // Below the lower border the nearest f32 is the border.
    assert_same_point(point(0, -HALF).offset(Vec2::new(-1.0e-6, 0.0)), point(0, -HALF));
}

#[test]
fn an_offset_within_a_region_is_a_plain_addition() {
    let mut random = Random::new(7);
    for _ in 0..100_000 {
        let p = WorldPoint::new(region(&mut random) / 2, random.square(HALF));
        let by = random.square(HALF) * random.range(0.0, 1.0e-3);
        let q = p.offset(by);
        assert!(q.is_valid());
        if q.region == p.region {
            assert_eq!(q.local, p.local + by);
        }
    }
}

#[test]
fn an_offset_comes_out_where_it_should() {
    let mut random = Random::new(8);
    for _ in 0..100_000 {
        let p = WorldPoint::new(region(&mut random) / 2, random.square(HALF));
        let by = random.square(1.0) * random.finite().abs().clamp(0.0, 1.0e10);
        let q = p.offset(by);
        assert!(q.is_valid());
        let error =
            exact_axis(q.region.x, q.local.x) - exact_axis(p.region.x, p.local.x) - exact_axis(0, by.x);
        // 2^-15 m is half the last place beyond -512, where a sum may stand before it rounds to the
        // border.
        assert!(error.abs() <= (1 << 25) + 2, "{p} + {by} = {q}: off by {error} / 2^40");
    }
}

#[test]
fn the_way_to_a_point_is_the_nearest_f32() {
    let mut random = Random::new(9);
    for _ in 0..200_000 {
        let region = region(&mut random) / 2;
        let step = IVec2::new((random.bits() % 5) as i32 - 2, (random.bits() % 5) as i32 - 2);
        let (a, b) = (
            WorldPoint::new(region, random.square(HALF)),
            WorldPoint::new(region + step, random.square(HALF)),
        );
        let way = a.to(b);
        let exact = exact_axis(b.region.x, b.local.x) - exact_axis(a.region.x, a.local.x);
        assert_eq!(way.x, exact as f32 / UNIT as f32, "{a} to {b}");
        assert_eq!(b.to(a), -way);
        if a.region == b.region {
            assert_eq!(way, b.local - a.local);
        }
    }
}

/// Steps of 2^-15 m across a border, which an `f32` difference of the two locals, close to 1024,
/// would blur.
#[test]
fn the_way_across_a_border_loses_nothing() {
    let (a, b) = (point(0, HALF.next_down()), point(1, (-HALF).next_up()));
    assert_eq!(a.to(b).x, 2.0 * (HALF - HALF.next_down()));
    assert_eq!(a.to(point(1, -HALF)).x, HALF - HALF.next_down());
}

#[test]
fn moving_all_by_whole_regions_changes_no_bit() {
    let mut random = Random::new(10);
    for shift in [IVec2::new(1_000_000, -1_000_000), IVec2::new(-2_147_000_000, 2_147_000_000)] {
        let mut near = WorldPoint::from([100.0, -40.0]);
        let mut far = WorldPoint { region: near.region + shift, local: near.local };
        for _ in 0..20_000 {
            let by = random.square(300.0);
            let (next_near, next_far) = (near.offset(by), far.offset(by));
            let (way_near, way_far) = (near.to(next_near), far.to(next_far));
            assert_same(way_near.x, way_far.x);
            assert_same(way_near.y, way_far.y);
            (near, far) = (next_near, next_far);
            assert_same_point(far, WorldPoint { region: near.region + shift, local: near.local });
        }
    }
}

#[test]
fn the_whole_width_of_the_world_overflows_nothing() {
    let (first, last) = (point(i32::MIN, -HALF), point(i32::MAX, HALF.next_down()));
    assert!(first.is_valid() && last.is_valid());
    assert_eq!(first.to(last), Vec2::new(4_398_046_511_104.0, 0.0));
    assert_eq!(last.to(first), Vec2::new(-4_398_046_511_104.0, 0.0));
    assert_eq!(last.position(), Vec2::new(2_199_023_255_552.0, 0.0));
    assert_eq!(first.offset(first.to(point(i32::MIN + 3, 5.0))), point(i32::MIN + 3, 5.0));
    // Across in one go: 2^42 - 2^18 m, the longest way that both fits and is an f32, is 2^32 - 2^8
    // regions.
    let across = 4_398_046_248_960.0;
    assert_eq!(point(i32::MIN, across).region.x, i32::MAX - 255);
    assert_eq!(point(i32::MAX, -across).region.x, i32::MIN + 255);
    assert!(!point(i32::MIN, across.next_up()).is_valid());
}

#[test]
fn what_is_no_place_is_invalid_and_stays_so() {
    let nowhere = [
        point(0, f32::NAN),
        point(0, f32::INFINITY),
        point(0, f32::NEG_INFINITY),
        point(0, f32::MAX),
        point(0, -f32::MAX),
        point(i32::MAX, f32::MAX),
        point(i32::MIN, f32::MIN),
        point(i32::MAX, HALF),
        point(i32::MIN, (-HALF).next_down()),
        WorldPoint::new(IVec2::ZERO, Vec2::new(0.0, f32::NAN)),
        point(i32::MAX, 500.0).offset(Vec2::new(12.0, 0.0)),
        WorldPoint::ORIGIN.offset(Vec2::splat(f32::INFINITY)),
        WorldPoint { region: IVec2::ZERO, local: Vec2::splat(f32::MAX) }.offset(Vec2::splat(f32::MAX)),
        WorldPoint::from([f32::NAN, 0.0]),
    ];
    for p in nowhere {
        assert!(!p.is_valid(), "{p}");
        assert_eq!(p.region, IVec2::ZERO);
        assert!(p.local.x.is_nan() && p.local.y.is_nan());
        assert!(!p.offset(Vec2::X).is_valid());
        assert!(p.to(WorldPoint::ORIGIN).is_nan() && p.position().is_nan());
    }
    assert!(!WorldPoint { region: IVec2::ZERO, local: Vec2::new(HALF, 0.0) }.is_valid());
    assert!(WorldPoint { region: IVec2::MAX, local: Vec2::splat(-HALF) }.is_valid());
}

#[test]
fn positions_convert_both_ways() {
    assert_eq!(WorldPoint::default(), WorldPoint::ORIGIN);
    assert_eq!(
        WorldPoint::from([1.5, -2.0]),
        WorldPoint { region: IVec2::ZERO, local: Vec2::new(1.5, -2.0) }
    );
    assert_eq!(WorldPoint::from((1.5, -2.0)), WorldPoint::from(Vec2::new(1.5, -2.0)));
    let mut random = Random::new(11);
    for _ in 0..100_000 {
        let position = Vec2::new(random.finite(), random.range(-1.0e6, 1.0e6));
        if position.x.abs() < 1.0e12 {
            assert_eq!(WorldPoint::from(position).position(), position);
        }
    }
}

#[test]
fn a_point_prints_its_region_only_when_it_is_another() {
    assert_eq!(WorldPoint::from([1.5, -2.0]).to_string(), "[1.5, -2]");
    assert_eq!(format!("{:.2}", point(3, 1.5)), "[1.50, 0.00] in region [3, 0]");
}

#[test]
fn a_point_is_sixteen_plain_bytes() {
    let p = WorldPoint::new(IVec2::new(1, -2), Vec2::new(3.0, 4.0));
    assert_eq!(
        bytemuck::cast::<WorldPoint, [u32; 4]>(p),
        [1, u32::MAX - 1, 3.0_f32.to_bits(), 4.0_f32.to_bits()]
    );
}
