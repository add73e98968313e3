//! Concave outlines: the parts cover the outline, no more and no less, and bad outlines are
//! refused.

use carom::math::sin_cos;
use carom::{Shape, ShapeError, Transform, Vec2, contains, vec2};

use testkit::random::Random;

/// A star-shaped outline with random radii: concave nearly everywhere.
fn star(random: &mut Random, count: usize) -> Vec<Vec2> {
    (0..count)
        .map(|k| {
            let (sin, cos) = sin_cos(k as f32 * std::f32::consts::TAU / count as f32);
            vec2(cos, sin) * (0.3 + 2.0 * random.range(0.0_f32, 1.0))
        })
        .collect()
}

fn area(points: &[Vec2]) -> f64 {
    let wide = |p: Vec2| (f64::from(p.x), f64::from(p.y));
    let cross = |i: usize| {
        let ((px, py), (qx, qy)) = (wide(points[i]), wide(points[(i + 1) % points.len()]));
        px * qy - py * qx
    };
    (0..points.len()).map(cross).sum::<f64>() * 0.5
}

/// Even-odd rule, in f64.
fn inside(points: &[Vec2], p: Vec2) -> bool {
    let mut inside = false;
    for i in 0..points.len() {
        let (a, b) = (points[i].as_dvec2(), points[(i + 1) % points.len()].as_dvec2());
        let p = p.as_dvec2();
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}

#[test]
fn parts_cover_the_outline_and_nothing_else() {
    let mut random = Random::new(11);
    for round in 0..200 {
        let points = star(&mut random, 3 + round % 60);
        let shape = Shape::outline(&points).checked().expect("a star is simple");
        let expected = area(&points) as f32;
        let got = shape.mass(1.0).mass;
        assert!((got - expected).abs() < 1e-3 * expected, "{} corners: {got} for {expected}", points.len());
        for _ in 0..100 {
            let p = vec2(5.0 * random.range(0.0_f32, 1.0) - 2.5, 5.0 * random.range(0.0_f32, 1.0) - 2.5);
            let border = carom::closest_point(&shape, Transform::IDENTITY, p).distance.abs() < 1e-3;
            assert!(border || contains(&shape, Transform::IDENTITY, p) == inside(&points, p), "{p}");
        }
    }
}

#[test]
fn either_winding_gives_the_same_area() {
    let mut random = Random::new(5);
    let mut points = star(&mut random, 40);
    let forth = Shape::outline(&points).mass(1.0).mass;
    points.reverse();
    let back = Shape::outline(&points).mass(1.0).mass;
    assert!((forth - back).abs() < 1e-4);
}

#[test]
fn every_part_has_at_most_eight_corners() {
    // A regular 100-gon is convex, but far too large for one polygon.
    let corner = |k: usize| {
        let (sin, cos) = sin_cos(k as f32 * std::f32::consts::TAU / 100.0);
        vec2(cos, sin)
    };
    let points: Vec<Vec2> = (0..100).map(corner).collect();
    let Shape::Compound(compound) = Shape::outline(&points) else { panic!("a compound") };
    assert!(compound.parts().len() >= 100 / 6 && compound.parts().len() < 40, "{}", compound.parts().len());
    let area = Shape::Compound(compound).mass(1.0).mass;
    assert!((area - 3.1395).abs() < 1e-3, "{area}");
}

#[test]
fn a_small_convex_outline_is_a_polygon() {
    let square = [vec2(0.0, 0.0), vec2(0.5, 0.0), vec2(1.0, 0.0), vec2(1.0, 1.0), vec2(0.0, 1.0)];
    let Shape::Polygon(polygon) = Shape::outline(&square) else { panic!("a polygon") };
    assert_eq!(polygon.vertices().len(), 4, "the corner on a straight edge is dropped");
}

#[test]
fn bad_outlines_name_their_rule() {
    let eight = [vec2(0.0, 0.0), vec2(1.0, 1.0), vec2(1.0, 0.0), vec2(0.0, 1.0)];
    assert_eq!(Shape::outline(&eight), Shape::Invalid(ShapeError::SelfCrossing));
    let touching = [vec2(0.0, 0.0), vec2(2.0, 0.0), vec2(2.0, 2.0), vec2(1.0, 0.0), vec2(0.0, 2.0)];
    assert_eq!(Shape::outline(&touching), Shape::Invalid(ShapeError::SelfCrossing));
    let line = [vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 0.0), vec2(3.0, 0.0)];
    assert_eq!(Shape::outline(&line), Shape::Invalid(ShapeError::Degenerate));
    assert_eq!(Shape::outline::<Vec2>(&[]), Shape::Invalid(ShapeError::Degenerate));
    let infinite = [vec2(0.0, 0.0), vec2(f32::NAN, 0.0), vec2(1.0, 1.0)];
    assert_eq!(Shape::outline(&infinite), Shape::Invalid(ShapeError::OutOfRange));
}

#[test]
fn random_scribbles_never_panic() {
    let mut random = Random::new(77);
    for round in 0..3_000 {
        let count = 3 + round % 12;
        let coarse = |x: f32| if round % 2 == 0 { (x * 4.0).floor() } else { x };
        let points: Vec<Vec2> = (0..count)
            .map(|_| vec2(coarse(random.range(0.0_f32, 1.0)), coarse(random.range(0.0_f32, 1.0))))
            .collect();
        let mass = Shape::outline(&points).mass(1.0);
        assert!(mass.mass >= 0.0 && mass.inertia >= 0.0 && mass.center.is_finite());
    }
}
