//! Pairs whose answer can be computed on paper, exact touching first of all.
//!
//! Coordinates are small multiples of powers of two where "exactly" is meant, so that no rounding
//! takes part.

use carom::{Shape, Transform, Vec2, contact, contains, distance, overlaps, vec2};
use core::f32::consts::PI;

use testkit::oracle::{Convex, least_separation};

fn at(x: f32, y: f32) -> Transform {
    Transform::at([x, y])
}

/// A pair, and its exact separation.
struct Case {
    what: &'static str,
    a: Shape,
    at_a: Transform,
    b: Shape,
    at_b: Transform,
    separation: f32,
}

fn case(what: &'static str, a: &Shape, at_a: Transform, b: &Shape, at_b: Transform, separation: f32) -> Case {
    Case { what, a: a.clone(), at_a, b: b.clone(), at_b, separation }
}

fn table() -> Vec<Case> {
    let origin = Transform::IDENTITY;
    let unit = Shape::rect(1.0, 1.0);
    let square = Shape::polygon(&[vec2(-0.5, -0.5), vec2(0.5, -0.5), vec2(0.5, 0.5), vec2(-0.5, 0.5)]);
    let (disc, small) = (Shape::circle(1.0), Shape::circle(0.25));
    let flat = Shape::segment([-1.0, 0.0], [1.0, 0.0]);
    let upright = Shape::segment([0.0, -1.0], [0.0, 1.0]);
    let pill = Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.25);
    let upright_pill = Shape::capsule([0.0, -1.0], [0.0, 1.0], 0.25);
    let pad = unit.clone().rounded(0.25);
    let needle = Shape::triangle([0.0, 0.0], [4.0, -0.0009765625], [4.0, 0.0009765625]);
    let diamond = Shape::polygon(&[vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(-1.0, 0.0), vec2(0.0, -1.0)]);
    vec![
        case("boxes that share an edge", &unit, origin, &unit, at(1.0, 0.0), 0.0),
        case("boxes that share half an edge", &unit, origin, &unit, at(0.5, 1.0), 0.0),
        case("boxes corner to corner", &unit, origin, &unit, at(1.0, 1.0), 0.0),
        case("boxes apart along x", &unit, origin, &unit, at(3.0, 0.25), 2.0),
        case("boxes apart by a 3-4-5 triangle", &unit, origin, &unit, at(4.0, 5.0), 5.0),
        case("boxes that overlap by an eighth", &unit, origin, &unit, at(0.0, -0.875), -0.125),
        case("the same box in the same place", &unit, origin, &unit, origin, -1.0),
        case("a box in the middle of another", &Shape::rect(4.0, 6.0), origin, &unit, origin, -2.5),
        case("a box in a corner of another", &Shape::rect(4.0, 4.0), origin, &unit, at(1.25, 0.5), -1.25),
        case("squares that share an edge", &square, origin, &square, at(1.0, 0.0), 0.0),
        case("squares corner to corner", &square, origin, &square, at(-1.0, 1.0), 0.0),
        case("a square and a box that share an edge", &square, origin, &unit, at(0.0, 1.0), 0.0),
        case("a square and a box in the same place", &square, origin, &unit, origin, -1.0),
        case("a diamond on a box, corner to face", &unit, origin, &diamond, at(0.25, 1.5), 0.0),
        case("circles that touch", &disc, origin, &small, at(1.25, 0.0), 0.0),
        case(
            "circles that touch along a 3-4-5 triangle",
            &disc,
            origin,
            &Shape::circle(4.0),
            at(3.0, -4.0),
            0.0,
        ),
        case("circles apart", &disc, origin, &small, at(0.0, 2.0), 0.75),
        case("concentric circles", &disc, origin, &small, origin, -1.25),
        case("the same circle in the same place", &disc, origin, &disc, origin, -2.0),
        case("a circle on a face", &disc, origin, &unit, at(1.5, 0.25), 0.0),
        case("a circle at a corner, 3-4-5", &Shape::circle(5.0), origin, &unit, at(3.5, 4.5), 0.0),
        case("a circle in the middle of a box", &small, origin, &Shape::rect(4.0, 2.0), origin, -1.25),
        case("a circle on a segment", &disc, origin, &flat, at(0.5, 1.0), 0.0),
        case("a circle at the end of a segment", &disc, origin, &flat, at(2.0, 0.0), 0.0),
        case("a circle centred on a segment", &small, origin, &flat, at(0.5, 0.0), -0.25),
        case("a circle centred on the end of a segment", &small, origin, &flat, at(1.0, 0.0), -0.25),
        case("crossed segments", &flat, origin, &upright, at(0.25, 0.5), -0.5),
        case("segments in a T", &flat, origin, &upright, at(0.25, 1.0), 0.0),
        case("segments in an L", &flat, origin, &upright, at(1.0, 1.0), 0.0),
        case("parallel segments", &flat, origin, &flat, at(0.5, 2.0), 2.0),
        case("collinear segments with a gap", &flat, origin, &flat, at(3.5, 0.0), 1.5),
        case("collinear segments, end to end", &flat, origin, &flat, at(2.0, 0.0), 0.0),
        case("collinear segments that overlap", &flat, origin, &flat, at(1.5, 0.0), 0.0),
        case("the same segment in the same place", &flat, origin, &flat, origin, 0.0),
        case("a segment along the face of a box", &unit, origin, &flat, at(0.25, 0.5), 0.0),
        case("a segment through a box", &unit, origin, &flat, at(0.0, 0.25), -0.25),
        case("a segment pointing at the face of a box", &unit, origin, &flat, at(2.0, 0.25), 0.5),
        case("a segment in line with the face of a box", &unit, origin, &flat, at(2.0, 0.5), 0.5),
        case("crossed capsules", &pill, origin, &upright_pill, at(0.5, 0.25), -1.0),
        case("parallel capsules that touch", &pill, origin, &pill, at(0.5, 0.5), 0.0),
        case("parallel capsules that overlap", &pill, origin, &pill, at(0.5, 0.375), -0.125),
        case("collinear capsules that touch", &pill, origin, &pill, at(2.5, 0.0), 0.0),
        case("collinear capsules with a gap", &pill, origin, &pill, at(3.0, 0.0), 0.5),
        case("capsules one along the other", &pill, origin, &pill, at(0.5, 0.0), -0.5),
        case("the same capsule in the same place", &pill, origin, &pill, origin, -0.5),
        case("a capsule on a box", &unit, origin, &pill, at(0.25, 0.75), 0.0),
        case("a capsule in line with a segment", &flat, origin, &pill, at(2.25, 0.0), 0.0),
        case("rounded boxes that share a face", &pad, origin, &pad, at(1.5, 0.0), 0.0),
        case("rounded boxes apart by a 3-4-5 triangle", &pad, origin, &pad, at(4.0, 5.0), 4.5),
        case("a rounded box and a box, face to face", &pad, origin, &unit, at(0.25, -1.25), 0.0),
        case("a needle's point on a box", &unit, at(-0.5, 0.0), &needle, origin, 0.0),
        case("a needle's point before a box", &unit, at(-1.0, 0.25), &needle, origin, 0.5),
        case("a needle's point in line with a segment", &flat, at(-1.5, 0.0), &needle, origin, 0.5),
        case(
            "needles point to point, apart",
            &needle,
            Transform::new([-0.25, 0.0], PI),
            &needle,
            origin,
            0.25,
        ),
    ]
}

#[test]
fn separations_known_by_hand() {
    for Case { what, a, at_a, b, at_b, separation } in table() {
        let (convex_a, convex_b) = (Convex::of(&a).placed(at_a), Convex::of(&b).placed(at_b));
        let oracle = least_separation(&[convex_a], &[convex_b]).value;
        assert!(
            (oracle - f64::from(separation)).abs() < 1.0e-6,
            "{what}: the table is wrong, oracle {oracle}"
        );
        let found = distance(&a, at_a, &b, at_b);
        let error = f64::from(found.separation - separation).abs();
        assert!(error < 1.0e-6, "{what}: {found:?}, not {separation}");
        assert!((found.normal.length() - 1.0).abs() < 1.0e-6, "{what}: {found:?}");
    }
}

#[test]
fn touching_counts_as_overlap() {
    for Case { what, a, at_a, b, at_b, separation } in table() {
        let expected = separation <= 0.0;
        assert_eq!(overlaps(&a, at_a, &b, at_b), expected, "{what}");
        assert_eq!(overlaps(&b, at_b, &a, at_a), expected, "{what}, swapped");
        let manifold = contact(&a, at_a, &b, at_b);
        assert_eq!(manifold.is_some(), expected, "{what}: {manifold:?}");
        if let Some(manifold) = manifold {
            assert!((manifold.separation() - separation).abs() < 1.0e-6, "{what}: {manifold:?}");
        }
    }
}

#[test]
fn faces_that_meet_have_two_points() {
    // Where two faces touch, the manifold spans what they share; where a corner does, it has one
    // point.
    let table = table();
    let expected = [
        ("boxes that share an edge", 2),
        ("boxes that share half an edge", 2),
        ("boxes that overlap by an eighth", 2),
        ("squares that share an edge", 2),
        ("a square and a box that share an edge", 2),
        ("circles that touch", 1),
        ("concentric circles", 1),
        ("a circle on a face", 1),
        ("a segment along the face of a box", 2),
        ("parallel capsules that touch", 2),
        ("parallel capsules that overlap", 2),
        ("collinear capsules that touch", 1),
        ("a capsule on a box", 2),
        ("rounded boxes that share a face", 2),
    ];
    for (what, count) in expected {
        let case = table.iter().find(|case| case.what == what).expect("the table has the case");
        let manifold = contact(&case.a, case.at_a, &case.b, case.at_b).expect("they touch");
        assert_eq!(manifold.points().len(), count, "{what}: {manifold:?}");
    }
}

#[test]
fn the_manifold_of_two_boxes() {
    // A unit box on a wide one, sunk by 1/8, half of it beyond the edge: the common stretch is x in
    // 0.5..1.
    let (wide, unit) = (Shape::rect(2.0, 1.0), Shape::rect(1.0, 1.0));
    let manifold = contact(&wide, Transform::IDENTITY, &unit, at(1.0, 0.875)).expect("they overlap");
    assert_eq!(manifold.normal, Vec2::Y);
    assert_eq!(manifold.depth(), 0.125);
    let mut points: Vec<_> = manifold.points().iter().map(|p| (p.point.to_array(), p.separation)).collect();
    points.sort_by(|p, q| p.0[0].total_cmp(&q.0[0]));
    assert_eq!(points, [([0.5, 0.4375], -0.125), ([1.0, 0.4375], -0.125)]);
}

#[test]
fn triangles_crossed_like_a_star_overlap_without_a_corner_inside() {
    // An upright and an inverted triangle around one centre. No corner of either lies in the other,
    // so a test of corners alone would see nothing.
    //
    //        /\
    //    \--/--\--/
    //     \/    \/
    //     /\    /\
    //    /--\--/--\
    //        \/
    let upright = [vec2(0.0, 2.0), vec2(-1.75, -1.0), vec2(1.75, -1.0)];
    let inverted = upright.map(|v| -v);
    let (a, b) = (Shape::polygon(&upright), Shape::polygon(&inverted));
    let origin = Transform::IDENTITY;
    assert!(upright.iter().all(|&corner| !contains(&b, origin, corner)));
    assert!(inverted.iter().all(|&corner| !contains(&a, origin, corner)));
    assert!(overlaps(&a, origin, &b, origin));
    let manifold = contact(&a, origin, &b, origin).expect("they overlap");
    assert!((1..=2).contains(&manifold.points().len()), "{manifold:?}");
    assert!((manifold.depth() - 2.0).abs() < 1.0e-6, "the faces y = -1 and y = 1 are 2 apart: {manifold:?}");
}

#[test]
fn looking_for_corners_alone_loses_a_quarter_of_the_hits() {
    use testkit::random::Random;
    // Equal triangles, one upright, one inverted, at random offsets: count the overlaps that no
    // corner shows.
    let upright = [vec2(0.0, 2.0), vec2(-1.732_050_8, -1.0), vec2(1.732_050_8, -1.0)];
    let (a, b) = (Shape::polygon(&upright), Shape::polygon(&upright.map(|v| -v)));
    let mut random = Random::new(9);
    let (mut hits, mut missed) = (0, 0);
    for _ in 0..20_000 {
        let offset = random.vec2(4.0);
        let at_b = Transform::at(offset);
        if overlaps(&a, Transform::IDENTITY, &b, at_b) {
            hits += 1;
            let a_in_b = upright.iter().any(|&corner| contains(&b, at_b, corner));
            let b_in_a = upright.iter().any(|&corner| contains(&a, Transform::IDENTITY, offset - corner));
            missed += usize::from(!a_in_b && !b_in_a);
        }
    }
    let share = missed as f64 / hits as f64;
    assert!((0.15..0.35).contains(&share), "{missed} of {hits} overlaps have no corner inside: {share}");
}

#[test]
fn circles_agree_with_the_squared_distance() {
    // Every offset on a grid of eighths: centre distance against the sum of the radii, both squared
    // and exact.
    let (a, b) = (Shape::circle(0.625), Shape::circle(1.25));
    for x in -20..=20 {
        for y in -20..=20 {
            let (dx, dy) = (x as f32 * 0.125, y as f32 * 0.125);
            let expected = x * x + y * y <= 15 * 15;
            assert_eq!(overlaps(&a, Transform::IDENTITY, &b, at(dx, dy)), expected, "({dx}, {dy})");
            assert_eq!(contact(&a, Transform::IDENTITY, &b, at(dx, dy)).is_some(), expected, "({dx}, {dy})");
        }
    }
}

#[test]
fn boxes_agree_with_interval_overlap() {
    // The same on upright boxes of 1 x 2 and 2.5 x 0.5, where an overlap is one on both axes.
    let (a, b) = (Shape::rect(1.0, 2.0), Shape::rect(2.5, 0.5));
    for x in -20..=20 {
        for y in -20..=20 {
            let (dx, dy) = (x as f32 * 0.125, y as f32 * 0.125);
            let expected = dx.abs() <= 1.75 && dy.abs() <= 1.25;
            assert_eq!(overlaps(&a, Transform::IDENTITY, &b, at(dx, dy)), expected, "({dx}, {dy})");
        }
    }
}

#[test]
fn an_invalid_shape_touches_nothing() {
    let (invalid, disc) = (Shape::circle(-1.0), Shape::circle(1.0));
    let origin = Transform::IDENTITY;
    assert!(!overlaps(&invalid, origin, &disc, origin) && !overlaps(&disc, origin, &invalid, origin));
    assert!(!overlaps(&invalid, origin, &invalid, origin));
    assert!(contact(&invalid, origin, &disc, origin).is_none());
    assert_eq!(distance(&disc, origin, &invalid, origin).separation, f32::INFINITY);
    assert!(!contains(&invalid, origin, Vec2::ZERO));
}

#[test]
fn answers_far_from_the_origin_are_as_exact_as_near_it() {
    // The same pairs, both moved by 8192 m and 2^20 m: offsets that these coordinates keep exactly.
    for case in table() {
        for far in [vec2(8192.0, -8192.0), vec2(1_048_576.0, 524_288.0)] {
            let shift = |x: Transform| Transform { position: x.position + far, ..x };
            let near = distance(&case.a, case.at_a, &case.b, case.at_b);
            let there = distance(&case.a, shift(case.at_a), &case.b, shift(case.at_b));
            assert_eq!(near.separation.to_bits(), there.separation.to_bits(), "{} at {far}", case.what);
            assert_eq!(near.normal, there.normal, "{} at {far}", case.what);
        }
    }
}
