//! Half-planes against every kind: the separation is the height of the lowest corner, less the
//! rounding.
//!
//! ```text
//!        __                 n ^
//!       /  \  ---- height     |
//!   ____\__/________________..|......  border: all p with n . p = offset
//!   //////////////////////////////////
//! ```
//!
//! Bounds are relative to the distances that take part: the size of the other shape, the offset of
//! the border from the origin of its frame, and the distance of the two origins.

use carom::{Shape, Transform, contact, distance, overlaps, vec2};

use testkit::convex::Kind;
use testkit::long_rounds;
use testkit::oracle::{Convex, Half, point_distance, wide};
use testkit::pair_rules::TOLERANCE;
use testkit::random::Random;

struct Scene {
    plane: Shape,
    at_plane: Transform,
    other: Shape,
    at_other: Transform,
    half: Half,
    convex: Convex,
    scale: f64,
}

/// A half-plane near the origin with a normal of any length, and a shape near its border.
fn scene(random: &mut Random, kind: Kind) -> Scene {
    let (other, convex) = kind.sample(random);
    let size = convex.extent();
    let normal = random.direction() * random.log_range(1.0e-3, 1.0e3);
    let plane = Shape::half_plane(random.vec2(size), normal.as_vec2());
    let at_plane = random.transform(size);
    let mut at_other = random.transform(3.0 * size);
    let half = Half::of(&plane, at_plane);
    if random.below(2) == 0 {
        // Onto the border, or a little above or below it.
        let gap = random.sign() * size * random.log_range(1.0e-7, 0.1);
        let apart = half.separation(&convex.placed(at_other));
        at_other.position += (half.normal() * (gap - apart)).as_vec2();
    }
    let Shape::HalfPlane(inner) = &plane else { panic!("not a half-plane: {plane:?}") };
    let scale = size + f64::from(inner.offset()).abs() + wide(at_other.position - at_plane.position).length();
    Scene { convex: convex.placed(at_other), plane, at_plane, other, at_other, half, scale }
}

#[test]
fn half_planes_agree_with_the_formula() {
    for kind in Kind::ALL {
        let mut random = Random::new(400 + kind as u64);
        for _ in 0..long_rounds(2_000, 100_000, 500_000) {
            let Scene { plane, at_plane, other, at_other, half, convex, scale } = scene(&mut random, kind);
            let tolerance = TOLERANCE * scale;
            let expected = half.separation(&convex);
            let what =
                || format!("{plane:?} at {at_plane:?}, {other:?} at {at_other:?}: expected {expected}");

            let found = distance(&plane, at_plane, &other, at_other);
            assert!((f64::from(found.separation) - expected).abs() <= tolerance, "{found:?} {}", what());
            assert!((wide(found.normal) - half.normal()).length() <= 1.0e-6, "{found:?} {}", what());
            assert!(point_distance(&convex, wide(found.point_b)).abs() <= tolerance, "{found:?} {}", what());
            let on_border = half.separation(&Convex::point(wide(found.point_a)));
            assert!(on_border.abs() <= tolerance, "{found:?} {}", what());

            let touches = overlaps(&plane, at_plane, &other, at_other);
            assert!(
                touches == (expected <= 0.0) || expected.abs() <= tolerance,
                "overlaps {touches} {}",
                what()
            );

            let manifold = contact(&plane, at_plane, &other, at_other);
            let missing = manifold.is_none() == (expected > 0.0) || expected.abs() <= tolerance;
            assert!(missing, "{manifold:?} {}", what());
            if let Some(manifold) = manifold {
                let found = f64::from(manifold.separation());
                assert!((found - expected).abs() <= tolerance, "{manifold:?} {}", what());
                assert!(
                    (wide(manifold.normal) - half.normal()).length() <= 1.0e-6,
                    "{manifold:?} {}",
                    what()
                );
                assert!(matches!(manifold.points().len(), 1 | 2), "{manifold:?} {}", what());
            }

            let back = distance(&other, at_other, &plane, at_plane);
            assert_eq!(back.separation.to_bits(), found.separation.to_bits(), "swapped: {}", what());
            assert_eq!(back.normal, -found.normal, "swapped: {}", what());
            assert_eq!((back.point_a, back.point_b), (found.point_b, found.point_a), "swapped: {}", what());
        }
    }
}

#[test]
fn a_box_that_lies_flat_has_two_points() {
    // A unit box sunk by 1/8 into the ground.
    let ground = Shape::half_plane([0.0, 0.0], [0.0, 2.0]);
    let manifold = contact(&ground, Transform::IDENTITY, &Shape::rect(1.0, 1.0), Transform::at([3.0, 0.375]));
    let manifold = manifold.expect("the box stands in the ground");
    assert_eq!(manifold.normal, vec2(0.0, 1.0));
    let mut points = manifold.points().to_vec();
    points.sort_by(|p, q| p.point.x.total_cmp(&q.point.x));
    let found: Vec<_> = points.iter().map(|p| (p.point.to_array(), p.separation)).collect();
    assert_eq!(found, [([2.5, -0.0625], -0.125), ([3.5, -0.0625], -0.125)]);
}

#[test]
fn half_planes_that_face_each_other() {
    // x <= 0 and x >= 3: a gap of 3. x <= 5 instead: they share a strip 2 wide.
    let left = Shape::half_plane([0.0, 0.0], [1.0, 0.0]);
    let right = Shape::half_plane([3.0, 0.0], [-1.0, 0.0]);
    let at = Transform::IDENTITY;
    assert!(!overlaps(&left, at, &right, at));
    assert_eq!(distance(&left, at, &right, at).separation, 3.0);
    assert!(overlaps(&left, Transform::at([5.0, 0.0]), &right, at));
    assert_eq!(distance(&left, Transform::at([5.0, 0.0]), &right, at).separation, -2.0);
    // Borders that cross: they always share a wedge.
    let tilted = Shape::half_plane([3.0, 0.0], [-1.0, 0.1]);
    assert!(overlaps(&left, at, &tilted, at));
}
