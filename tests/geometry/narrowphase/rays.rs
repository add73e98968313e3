//! Rays at the edges of their definition, on every kind of shape.
//!
//! ```text
//!   inside:  o->      no length:  o      end on face:  ----->|      on border:  =====>
//!   fraction 0,       the same as        fraction 1           a hit at the first corner
//!   no normal         `contains`
//! ```

use carom::{Ray, Shape, Transform, Vec2, contains, ray, vec2};

/// Shapes that fill the square from (-1, -1) to (1, 1), at least around the axes: the x axis enters
/// at (-1, 0).
fn solids() -> Vec<(&'static str, Shape)> {
    let square = [vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0)];
    vec![
        ("circle", Shape::circle(1.0)),
        ("capsule", Shape::capsule([0.0, -1.0], [0.0, 1.0], 1.0)),
        ("box", Shape::rect(2.0, 2.0)),
        ("rounded box", Shape::rect(1.5, 1.5).rounded(0.25)),
        ("polygon", Shape::polygon(&square)),
        ("rounded polygon", Shape::polygon(&square.map(|v| v * 0.75)).rounded(0.25)),
        ("polar", Shape::polar(&square)),
        ("compound", Shape::compound([Shape::rect(2.0, 1.0), Shape::rect(1.0, 2.0)])),
        ("half-plane", Shape::half_plane([-1.0, 0.0], [-1.0, 0.0])),
    ]
}

const HERE: Transform = Transform::IDENTITY;

fn between(from: [f32; 2], to: [f32; 2]) -> Ray {
    Ray::between(from, to)
}

#[test]
fn a_ray_that_starts_inside_hits_at_once_without_a_normal() {
    for (what, shape) in solids() {
        let hit = ray(&shape, HERE, between([0.25, 0.25], [9.0, 0.5])).expect(what);
        assert_eq!((hit.fraction, hit.point, hit.normal), (0.0, vec2(0.25, 0.25), Vec2::ZERO), "{what}");
    }
}

#[test]
fn a_ray_that_starts_on_the_border_starts_inside() {
    for (what, shape) in solids() {
        for to in [[9.0, 0.0], [-9.0, 0.0], [-1.0, 9.0]] {
            let hit = ray(&shape, HERE, between([-1.0, 0.0], to)).expect(what);
            assert_eq!((hit.fraction, hit.normal), (0.0, Vec2::ZERO), "{what} to {to:?}");
        }
    }
}

#[test]
fn a_ray_without_length_is_a_point() {
    for (what, shape) in solids() {
        for point in [[0.25, 0.25], [-1.0, 0.0], [-1.5, 0.0], [-1.0000002, 0.0]] {
            let hit = ray(&shape, HERE, between(point, point));
            assert_eq!(hit.is_some(), contains(&shape, HERE, point.into()), "{what} at {point:?}");
            if let Some(hit) = hit {
                assert_eq!((hit.fraction, hit.point, hit.normal), (0.0, point.into(), Vec2::ZERO), "{what}");
            }
        }
    }
}

#[test]
fn a_ray_that_ends_exactly_on_a_face_hits() {
    for (what, shape) in solids() {
        let hit = ray(&shape, HERE, between([-3.0, 0.0], [-1.0, 0.0])).expect(what);
        assert_eq!((hit.fraction, hit.point), (1.0, vec2(-1.0, 0.0)), "{what}");
        assert_eq!(hit.normal, Vec2::NEG_X, "{what}");
        let before = between([-3.0, 0.0], [-1.0000002, 0.0]);
        assert!(ray(&shape, HERE, before).is_none(), "{what}: one unit in the last place before the face");
    }
}

#[test]
fn a_ray_meets_the_near_face_first() {
    for (what, shape) in solids() {
        let hit = ray(&shape, HERE, between([-3.0, 0.0], [5.0, 0.0])).expect(what);
        assert!((hit.fraction - 0.25).abs() < 1.0e-6, "{what}: {hit:?}");
        assert!((hit.point - vec2(-1.0, 0.0)).length() < 1.0e-6, "{what}: {hit:?}");
        assert!((hit.normal - Vec2::NEG_X).length() < 1.0e-6, "{what}: {hit:?}");
        assert!(ray(&shape, HERE, between([-3.0, 0.0], [-5.0, 0.0])).is_none(), "{what}: it points away");
        assert!(ray(&shape, HERE, between([-3.0, 0.0], [-2.0, 0.0])).is_none(), "{what}: it is too short");
    }
}

#[test]
fn a_ray_parallel_to_a_face_hits_on_the_border_and_not_beside_it() {
    // Along y = 1, the top of the square: touching counts.
    let tops = ["box", "polygon", "rounded box", "rounded polygon", "circle", "polar", "compound"];
    for (what, shape) in solids().into_iter().filter(|(what, _)| tops.contains(what)) {
        let hit = ray(&shape, HERE, between([-3.0, 1.0], [5.0, 1.0])).expect(what);
        assert!((0.25..=0.375).contains(&hit.fraction), "{what}: {hit:?}");
        assert!((hit.normal.length() - 1.0).abs() < 1.0e-6 && hit.normal.x <= 0.0, "{what}: {hit:?}");
        assert!(
            ray(&shape, HERE, between([-3.0, 1.0000002], [5.0, 1.0000002])).is_none(),
            "{what}: beside it"
        );
    }
    // Along the border of a half-plane, from a point on it: touching again. Above it: never.
    let ground = Shape::half_plane([0.0, 0.0], [0.0, 1.0]);
    assert_eq!(ray(&ground, HERE, between([-3.0, 0.0], [5.0, 0.0])).map(|hit| hit.fraction), Some(0.0));
    assert!(ray(&ground, HERE, between([-3.0, 0.25], [5.0, 0.25])).is_none());
}

#[test]
fn a_ray_through_a_corner_hits_it() {
    // The diagonal x + y = 2 touches the square at (1, 1) alone.
    for (what, shape) in solids().into_iter().filter(|(what, _)| ["box", "polygon", "polar"].contains(what)) {
        let hit = ray(&shape, HERE, between([0.0, 2.0], [2.0, 0.0])).expect(what);
        assert_eq!((hit.fraction, hit.point), (0.5, vec2(1.0, 1.0)), "{what}");
        assert!(ray(&shape, HERE, between([0.0, 2.0000005], [2.0000005, 0.0])).is_none(), "{what}");
    }
}

#[test]
fn a_ray_across_a_segment_hits_either_side() {
    let bar = Shape::segment([0.0, -1.0], [0.0, 1.0]);
    let from_left = ray(&bar, HERE, between([-1.0, 0.5], [3.0, 0.5])).expect("it crosses");
    assert_eq!((from_left.fraction, from_left.point, from_left.normal), (0.25, vec2(0.0, 0.5), Vec2::NEG_X));
    let from_right = ray(&bar, HERE, between([3.0, 0.5], [-1.0, 0.5])).expect("it crosses");
    assert_eq!((from_right.fraction, from_right.point, from_right.normal), (0.75, vec2(0.0, 0.5), Vec2::X));
    // Its ends belong to it; what passes beyond them does not hit.
    assert!(ray(&bar, HERE, between([-1.0, 1.0], [1.0, 1.0])).is_some());
    assert!(ray(&bar, HERE, between([-1.0, 1.0000002], [1.0, 1.0000002])).is_none());
    // Ending on it, starting on it.
    let to = ray(&bar, HERE, between([-1.0, 0.5], [0.0, 0.5])).expect("it ends on the segment");
    assert_eq!((to.fraction, to.normal), (1.0, Vec2::NEG_X));
    let from = ray(&bar, HERE, between([0.0, 0.5], [1.0, 0.5])).expect("it starts on the segment");
    assert_eq!((from.fraction, from.normal), (0.0, Vec2::ZERO));
}

#[test]
fn a_ray_along_a_segment_hits_its_near_end_head_on() {
    let bar = Shape::segment([-1.0, 0.0], [1.0, 0.0]);
    let hit = ray(&bar, HERE, between([-3.0, 0.0], [5.0, 0.0])).expect("it runs into the near end");
    assert_eq!((hit.fraction, hit.point, hit.normal), (0.25, vec2(-1.0, 0.0), Vec2::NEG_X));
    let hit = ray(&bar, HERE, between([5.0, 0.0], [-3.0, 0.0])).expect("it runs into the near end");
    assert_eq!((hit.fraction, hit.point, hit.normal), (0.5, vec2(1.0, 0.0), Vec2::X));
    assert!(ray(&bar, HERE, between([-3.0, 0.0], [-2.0, 0.0])).is_none(), "too short");
    assert!(ray(&bar, HERE, between([2.0, 0.0], [5.0, 0.0])).is_none(), "points away");
    assert!(ray(&bar, HERE, between([-3.0, 0.25], [5.0, 0.25])).is_none(), "parallel, beside it");
    // A chain is hit at the near end of the segment it meets first.
    let chain = Shape::chain(&[vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 0.0)]);
    let hit = ray(&chain, HERE, between([6.0, 0.0], [-2.0, 0.0])).expect("it runs into the last point");
    assert_eq!((hit.fraction, hit.point, hit.normal), (0.5, vec2(2.0, 0.0), Vec2::X));
}

#[test]
fn rays_are_seen_from_the_frame_of_the_shape() {
    // The box of 4 x 2 stands on end at (10, 5): its left face is at x = 9, from y = 3 to y = 7.
    let at = Transform::new([10.0, 5.0], core::f32::consts::FRAC_PI_2);
    let hit =
        ray(&Shape::rect(4.0, 2.0), at, between([1.0, 6.5], [17.0, 6.5])).expect("it hits the left face");
    assert!((hit.fraction - 0.5).abs() < 1.0e-6, "{hit:?}");
    assert!((hit.normal - Vec2::NEG_X).length() < 1.0e-6, "{hit:?}");
    assert!(ray(&Shape::rect(4.0, 2.0), at, between([1.0, 7.5], [17.0, 7.5])).is_none());
}

#[test]
fn an_invalid_shape_is_hit_by_nothing() {
    assert!(ray(&Shape::circle(-1.0), HERE, between([0.0, 0.0], [1.0, 0.0])).is_none());
}
