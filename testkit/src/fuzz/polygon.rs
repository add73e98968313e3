//! Shapes from raw floats: either a rule that they break, or every invariant of a shape; also after
//! they are rounded and moved.

use carom::{Aabb, BoundingCircle, Polygon, Ray, Shape, Transform, Vec2, closest_point, contains, ray};

use super::input::Input;
use super::shapes::{points, shape};

/// Allowed error of places, as a share of how far a shape reaches from its origin: that of
/// `crate::pair_rules`.
const TOLERANCE: f32 = 1.0e-5;

/// Share of its reach by which a corner of a hull has to stand out: `MIN_POLYGON_THINNESS`.
const SLOP: f32 = 1.0e-5;

/// Builds a shape, looks at it, changes it, and looks again.
pub fn run(data: &[u8]) {
    let input = &mut Input::new(data);
    let mut shape = build(input);
    // The largest coordinates so far: what was rounded there stays so.
    let mut coarse = 0.0_f64;
    for _ in 0..3 {
        let Ok(there) = shape.clone().checked() else { return };
        coarse = coarse.max(reach(&there).unwrap_or(0.0).into());
        look_at(&there, coarse);
        if input.is_over() {
            return;
        }
        shape = change(there, input);
    }
}

/// One of the constructors that take points, which then belong to the shape; or any other one.
fn build(input: &mut Input) -> Shape {
    let how = input.below(8);
    if how >= 6 {
        return shape(input);
    }
    let corners = points(input, 12);
    let make: fn(&[Vec2]) -> Shape = match how {
        0 => Shape::polygon,
        1 | 2 => Shape::hull,
        3 => Shape::polar,
        4 => Shape::chain,
        _ => Shape::closed_chain,
    };
    let shape = make(&corners);
    let finite = corners.iter().all(|corner| corner.is_finite());
    if shape.check().is_ok() {
        assert!(finite, "{corners:?} became {shape:?}");
        // Corners of a hull that hardly stand out are dropped, one after the other.
        let slop = if how <= 2 { 4.0 * SLOP * reach(&shape).unwrap_or(0.0) + 4.0e-6 } else { 0.0 };
        corners.iter().for_each(|&corner| expect_within(&shape, corner, slop));
    }
    shape
}

/// Another shape, or an error; nothing that is moved and kept whole weighs less.
fn change(shape: Shape, input: &mut Input) -> Shape {
    if input.once_in(3) {
        return shape.rounded(input.size());
    }
    let by = input.transform();
    let moved = shape.clone().transformed(by);
    if let (Ok(there), Some(size)) = (moved.clone().checked(), reach(&shape)) {
        let (before, after) = (shape.mass(1.0).mass, there.mass(1.0).mass);
        // What is thin beside its distance from the origin is only known as well as that.
        let error = TOLERANCE * reach(&there).unwrap_or(size);
        let most = 4.0 * error * (2.0 * size + error);
        assert!((before - after).abs() <= most + TOLERANCE * before, "{shape:?} by {by:?} is {there:?}");
    }
    moved
}

/// How far a shape reaches from its origin, if it ends anywhere.
fn reach(shape: &Shape) -> Option<f32> {
    let BoundingCircle { center, radius } = shape.bounding_circle();
    Some(center.length() + radius).filter(|reach| reach.is_finite())
}

/// A point that the shape was made of belongs to it.
fn expect_within(shape: &Shape, point: Vec2, slop: f32) {
    let Some(size) = reach(shape) else { return };
    let found = closest_point(shape, Transform::IDENTITY, point);
    assert!(found.distance <= TOLERANCE * size + slop, "{point} of {shape:?}: {found:?}");
    let at = Transform::new([0.5 * size, -0.25 * size], 1.0);
    if at.is_valid() {
        let aabb = shape.aabb(at).grown(TOLERANCE * size + slop);
        assert!(aabb.contains_point(at.apply(point)), "{point} of {shape:?}: {aabb:?}");
    }
}

/// Every invariant of a shape.
fn look_at(shape: &Shape, coarse: f64) {
    let mass = shape.mass(1.0);
    assert!(mass.mass >= 0.0 && mass.mass.is_finite(), "{shape:?}: {mass:?}");
    assert!(
        mass.inertia >= 0.0 && mass.inertia.is_finite() && mass.center.is_finite(),
        "{shape:?}: {mass:?}"
    );
    let aabb = shape.aabb(Transform::IDENTITY);
    assert!(aabb.is_valid(), "{shape:?}: {aabb:?}");
    let Some(size) = reach(shape) else {
        assert!(matches!(shape, Shape::HalfPlane(_)), "{shape:?} has no end");
        return;
    };
    assert!(aabb.min.is_finite() && aabb.max.is_finite(), "{shape:?}: {aabb:?}");
    let circle = shape.bounding_circle();
    // 0 only where a size is lost beside the distance from the origin.
    assert!(circle.radius >= 0.0 && circle.center.is_finite(), "{shape:?}: {circle:?}");
    let margin = TOLERANCE * size;
    let corners = corners_of(shape);
    for &(corner, radius) in &corners {
        assert!(corner.is_finite() && radius >= 0.0, "{shape:?}: {corner}");
        let box_of = Aabb::around_point(corner).grown(radius - margin);
        assert!(!box_of.is_valid() || aabb.contains(&box_of), "{shape:?}: {aabb:?} without {corner}");
        let far = (corner - circle.center).length() + radius;
        assert!(far <= circle.radius + margin, "{shape:?}: {circle:?} without {corner}");
        let found = closest_point(shape, Transform::IDENTITY, corner);
        assert!(found.distance <= margin - radius, "{shape:?}: {found:?} from {corner}");
        assert!(found.point.is_finite() && found.normal.is_normalized(), "{shape:?}: {found:?}");
        assert_eq!(
            contains(shape, Transform::IDENTITY, corner),
            found.distance <= 0.0,
            "{shape:?}: {corner}"
        );
        let inward = Ray::between(corner + (corner - mass.center), mass.center);
        let hit = ray(shape, Transform::IDENTITY, inward);
        assert!(
            hit.is_none_or(|hit| hit.point.is_finite() && hit.fraction.is_finite()),
            "{shape:?}: {hit:?}"
        );
    }
    // Where the mass is: between the corners.
    assert!(mass.mass == 0.0 || aabb.grown(margin).contains_point(mass.center), "{shape:?}: {mass:?}");
    expect_kind(shape, size, coarse.max(size.into()));
}

/// The points of a shape, each with what lies around it.
fn corners_of(shape: &Shape) -> Vec<(Vec2, f32)> {
    let sharp = |points: &[Vec2]| points.iter().map(|&point| (point, 0.0)).collect::<Vec<_>>();
    match shape {
        Shape::Circle(circle) => vec![(circle.center(), circle.radius())],
        Shape::Capsule(capsule) => capsule.ends().map(|end| (end, capsule.radius())).to_vec(),
        Shape::Segment(segment) => sharp(&segment.ends()),
        Shape::Obb(obb) => obb.corners().map(|corner| (corner, obb.radius())).to_vec(),
        Shape::Polygon(polygon) => polygon.vertices().iter().map(|&v| (v, polygon.radius())).collect(),
        Shape::Polar(polar) => sharp(polar.vertices()),
        Shape::Chain(chain) => sharp(&chain.points()),
        Shape::Compound(compound) => compound.parts().iter().flat_map(corners_of).collect(),
        _ => Vec::new(),
    }
}

/// What is true of one kind alone.
fn expect_kind(shape: &Shape, size: f32, coarse: f64) {
    match shape {
        Shape::Polygon(polygon) => expect_convex(polygon, coarse),
        Shape::Polar(polar) => {
            polar.pieces().iter().for_each(|piece| expect_convex(piece, coarse));
            let least = polar.vertices().iter().fold(f32::INFINITY, |least, v| {
                let far = v.distance(polar.center());
                if far < least { far } else { least }
            });
            for angle in [0.0, 1.0, 2.5, -2.0] {
                let rho = polar.rho_at(angle);
                assert!(rho > 0.0 && rho <= 2.0 * size, "{shape:?}: {rho} at {angle}, least {least}");
            }
        }
        Shape::Compound(compound) => {
            assert!(!compound.parts().is_empty());
            for part in compound.parts() {
                assert!(part.check().is_ok(), "{part:?}");
                expect_kind(part, size, coarse);
            }
        }
        Shape::Chain(chain) => {
            let (segments, closed) = (chain.segments(), chain.is_closed());
            assert!(segments.iter().skip(1).all(|segment| segment.before().is_some()), "{shape:?}");
            assert_eq!(segments.first().is_some_and(|first| first.before().is_some()), closed, "{shape:?}");
        }
        _ => {}
    }
}

/// Strictly convex and counter-clockwise, in arithmetic that is exact enough to tell; normals that
/// are.
fn expect_convex(polygon: &Polygon, coarse: f64) {
    let corners = polygon.vertices();
    let count = corners.len();
    assert!((3..=8).contains(&count) && polygon.normals().len() == count, "{polygon:?}");
    for k in 0..count {
        let [a, b, c] = [0, 1, 2].map(|step| corners[(k + step) % count].as_dvec2());
        assert!((b - a).perp_dot(c - b) > 0.0, "{polygon:?} at {k}");
        let normal = polygon.normals()[k];
        assert!(normal.is_normalized(), "{polygon:?} at {k}");
        // Corners that were moved are known as well as their coordinates on the way, and normals
        // were only turned.
        let off = normal.as_dvec2().dot(b - a).abs();
        assert!(off < 1.0e-6 * coarse + 1.0e-5 * (b - a).length(), "{polygon:?} at {k}: {off}");
    }
}
