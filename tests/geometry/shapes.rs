//! What shapes say about themselves: mass, hulls, changes of place, chains, bytes; and which are
//! refused.

use bytemuck::Pod;
use carom::{Capsule, Chain, Circle, Compound, HalfPlane, Mass, Obb, PolarShape, Polygon, Segment};
use carom::{Rot, Shape, ShapeError, Transform, Vec2, closest_point, contains, vec2};
use core::f32::consts::FRAC_PI_2;
use core::f64::consts::PI;
use glam::DVec2;

use testkit::convex::Kind;
use testkit::oracle::{Convex, Pose, point_distance, wide};
use testkit::random::Random;
use testkit::rounds;

#[track_caller]
fn assert_near(got: f32, truth: f64, share: f64) {
    assert!((f64::from(got) - truth).abs() <= share * truth.abs(), "{got} for {truth}");
}

/// The rule that a definition breaks.
#[track_caller]
fn broken_rule(shape: Shape) -> ShapeError {
    shape.clone().checked().expect_err(&format!("{shape:?}"))
}

/// Points from pairs of coordinates.
fn points(coordinates: &[[f32; 2]]) -> Vec<Vec2> {
    coordinates.iter().map(|&p| Vec2::from(p)).collect()
}

// Mass.

/// Area, centroid, and inertia about it.
#[derive(Clone, Copy, Debug)]
struct Moments {
    area: f64,
    center: DVec2,
    inertia: f64,
}

/// Of the inside of an outline, counter-clockwise: sums over the triangles of its edges and its
/// first point.
fn moments(outline: &[DVec2]) -> Moments {
    let origin = outline[0];
    let (mut area, mut first, mut second) = (0.0, DVec2::ZERO, 0.0);
    for edge in outline.windows(2) {
        let (p, q) = (edge[0] - origin, edge[1] - origin);
        let m = 0.5 * p.perp_dot(q);
        area += m;
        first += (p + q) * (m / 3.0);
        second += m * (p.dot(p) + p.dot(q) + q.dot(q)) / 6.0;
    }
    let center = first / area;
    Moments { area, center: origin + center, inertia: second - area * center.length_squared() }
}

/// The border of all that is within the radius of a core, its arcs as 10,000 points. They lie a
/// little outside, so that the area is right: n corners on a circle of radius r enclose ½ n r²
/// sin(2π/n).
fn outline(shape: &Convex) -> Vec<DVec2> {
    let corners = shape.corners();
    let at = |k: usize| corners[k % corners.len()];
    let outward = |k: usize| -(at(k + 1) - at(k)).perp();
    let mut border = Vec::new();
    for k in 0..corners.len() {
        let (from, to) = (outward(k + corners.len() - 1), outward(k));
        let (start, turn) = match corners.len() {
            1 => (0.0, 2.0 * PI),
            _ => (from.y.atan2(from.x), from.perp_dot(to).atan2(from.dot(to)).abs()),
        };
        let count = (10_000.0 * turn / (2.0 * PI)).ceil().max(1.0);
        let step = turn / count;
        let radius = shape.radius * (step / step.sin()).sqrt();
        for i in 0..=count as usize {
            let (sin, cos) = (start + step * i as f64).sin_cos();
            border.push(at(k) + DVec2::new(cos, sin) * radius);
        }
    }
    border
}

#[track_caller]
fn assert_mass(got: Mass, truth: Moments, share: f64) {
    assert_near(got.mass, truth.area, share);
    assert_near(got.inertia, truth.inertia, share);
    let size = (truth.inertia / truth.area).sqrt() + truth.center.length();
    let off = wide(got.center).distance(truth.center);
    assert!(off <= share * size, "centre {} off by {off} of {size}", got.center);
}

#[test]
fn masses_of_simple_shapes_are_the_textbook_ones() {
    let exact = |area: f64, inertia: f64| Moments { area, center: DVec2::ZERO, inertia };
    let box_inertia = |w: f64, h: f64| w * h * (w * w + h * h) / 12.0;
    let disc_inertia = |r: f64| 0.5 * PI * r.powi(4);
    assert_mass(Shape::circle(1.5).mass(1.0), exact(PI * 2.25, disc_inertia(1.5)), 1.0e-6);
    assert_mass(Shape::rect(3.0, 2.0).mass(1.0), exact(6.0, box_inertia(3.0, 2.0)), 1.0e-6);

    // Two half discs (centroid 4 r / 3π from the flat side) and a box of length 2.
    let (r, half) = (0.5_f64, 1.0_f64);
    let reach = 4.0 * r / (3.0 * PI);
    let end = disc_inertia(r) + PI * r * r * ((half + reach).powi(2) - reach * reach);
    let capsule = Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.5);
    assert_mass(capsule.mass(1.0), exact(2.0 + PI * 0.25, box_inertia(2.0, 1.0) + end), 1.0e-6);

    // A box, two borders on each axis, and four quarter discs, whose centroids are `reach` from
    // their tips along both axes.
    let (w, h, r) = (3.0_f64, 2.0_f64, 0.25_f64);
    let reach = 4.0 * r / (3.0 * PI);
    let border = |along: f64, out: f64| 2.0 * (box_inertia(along, r) + along * r * (out + 0.5 * r).powi(2));
    let corner = (0.5 * w + reach).powi(2) + (0.5 * h + reach).powi(2) - 2.0 * reach * reach;
    let inertia =
        box_inertia(w, h) + border(w, 0.5 * h) + border(h, 0.5 * w) + disc_inertia(r) + PI * r * r * corner;
    let area = w * h + 2.0 * r * (w + h) + PI * r * r;
    assert_mass(Shape::rect(3.0, 2.0).rounded(0.25).mass(1.0), exact(area, inertia), 1.0e-6);

    // Right angle, legs 3 and 4: area 6, centroid at a third of the legs, inertia m (a² + b² + c²)
    // / 36.
    let triangle = Moments { area: 6.0, center: DVec2::new(1.0, 4.0 / 3.0), inertia: 6.0 * 50.0 / 36.0 };
    assert_mass(Shape::triangle([0.0, 0.0], [3.0, 0.0], [0.0, 4.0]).mass(1.0), triangle, 1.0e-6);
    assert_mass(Shape::triangle([0.0, 4.0], [3.0, 0.0], [0.0, 0.0]).mass(1.0), triangle, 1.0e-6);
}

#[test]
fn masses_agree_with_the_shoelace_formula_over_fine_outlines() {
    let mut random = Random::new(1);
    for round in 0..rounds(64, 4_000) {
        let kind = Kind::ALL[round % Kind::ALL.len()];
        let (shape, convex) = kind.sample(&mut random);
        let mass = shape.mass(1.0);
        if kind == Kind::Segment {
            assert_eq!(mass, Mass::default());
            continue;
        }
        // A box is stored as its half sizes, and its corners are rounded; coarsely where it is thin
        // and far out.
        let share = match (&shape, kind) {
            (Shape::Obb(_), Kind::Needle) => 1.0e-2,
            (Shape::Obb(_), _) => 1.0e-5,
            _ => 1.0e-6,
        };
        assert_mass(mass, moments(&outline(&convex)), share);
    }
}

#[test]
fn a_density_multiplies_mass_and_inertia_alone() {
    let unit = Shape::rect(2.0, 1.0).at([3.0, 4.0]).mass(1.0);
    let heavy = Shape::rect(2.0, 1.0).at([3.0, 4.0]).mass(8.0);
    assert_eq!((heavy.mass, heavy.center, heavy.inertia), (8.0 * unit.mass, unit.center, 8.0 * unit.inertia));
    for massless in [
        Shape::segment([0.0, 0.0], [1.0, 0.0]),
        Shape::chain(&points(&[[0.0, 0.0], [1.0, 0.0]])),
        Shape::half_plane([0.0, 0.0], [0.0, 1.0]),
        Shape::circle(-1.0),
    ] {
        assert_eq!(massless.mass(1.0), Mass::default());
    }
}

#[test]
fn parts_of_a_compound_add_up() {
    let left = Shape::rect(1.0, 2.0).at([-0.5, 0.0]);
    let right = Shape::rect(1.0, 2.0).at([0.5, 0.0]);
    let whole = Shape::rect(2.0, 2.0).mass(3.0);
    let parts = Shape::compound([left, right]).mass(3.0);
    assert_near(parts.mass, f64::from(whole.mass), 1.0e-6);
    assert_near(parts.inertia, f64::from(whole.inertia), 1.0e-6);
    assert!((parts.center - whole.center).length() < 1.0e-6);

    let star = points(&[[2.0, 0.0], [0.5, 0.5], [0.0, 2.0], [-0.5, 0.5], [-2.0, 0.0], [0.0, -1.0]]);
    let corners: Vec<DVec2> = star.iter().map(|&p| wide(p)).collect();
    assert_mass(Shape::polar(&star).mass(1.0), moments(&corners), 1.0e-6);
    assert_mass(Shape::compound([Shape::polar(&star)]).mass(1.0), moments(&corners), 1.0e-6);
}

#[test]
fn a_small_triangle_far_from_its_origin_keeps_its_mass() {
    let mut random = Random::new(2);
    for _ in 0..rounds(1_000, 100_000) {
        let far = random.vec2(1.0e4);
        let size = f64::from(far.length()) * random.log_range(1.0e-4, 1.0e-1);
        let corners: [Vec2; 3] = core::array::from_fn(|_| far + random.vec2(size));
        let Ok(polygon) = Polygon::new(&corners) else { continue };
        let truth: Vec<DVec2> = polygon.vertices().iter().map(|&p| wide(p)).collect();
        let truth = moments(&truth);
        let mass = Shape::Polygon(polygon).mass(1.0);
        assert_near(mass.mass, truth.area, 1.0e-6);
        assert_near(mass.inertia, truth.inertia, 1.0e-6);
        assert!(wide(mass.center).distance(truth.center) < 1.0e-7 * f64::from(far.length()) + 1.0e-7);
    }
}

/// The sides of this triangle are 1/2000 of its distance from the origin: in `f32` its area keeps
/// three digits, and its inertia may come out negative.
#[test]
fn a_sliver_far_out_has_positive_inertia_or_is_refused() {
    let sliver = [vec2(48.76, -60.57), vec2(48.74, -60.54), vec2(48.68, -60.56)];
    let mut random = Random::new(3);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..rounds(5_000, 100_000) {
        let reach = if round == 0 { 0.0 } else { random.log_range(1.0e-5, 0.1) };
        let corners = sliver.map(|p| p + random.vec2(reach));
        match Shape::polygon(&corners).checked() {
            Ok(shape) => {
                let mass = shape.mass(1.0);
                assert!(mass.mass > 0.0 && mass.inertia > 0.0, "{corners:?}: {mass:?}");
                assert!(closest_point(&shape, Transform::IDENTITY, mass.center).distance < 1.0e-5);
                taken += 1;
            }
            Err(error) => {
                assert!(matches!(error, ShapeError::Degenerate | ShapeError::NotConvex), "{error:?}");
                refused += 1;
            }
        }
    }
    assert!(taken > 100 && refused > 0, "{taken} taken, {refused} refused");
}

// Polygons and hulls.

/// Twice the area of p, q, r: positive when they turn left.
fn turn(p: Vec2, q: Vec2, r: Vec2) -> f64 {
    (wide(q) - wide(p)).perp_dot(wide(r) - wide(p))
}

/// How far `point` lies outside the edge that it is farthest outside of; negative inside.
fn outside(corners: &[Vec2], point: Vec2) -> f64 {
    let heights = (0..corners.len()).map(|k| {
        let (p, q) = (corners[k], corners[(k + 1) % corners.len()]);
        -turn(p, q, point) / wide(p).distance(wide(q))
    });
    heights.fold(f64::NEG_INFINITY, f64::max)
}

#[track_caller]
fn assert_strictly_convex(corners: &[Vec2]) {
    let count = corners.len();
    assert!((3..=8).contains(&count), "{count} corners");
    for i in 0..count {
        let (p, q) = (corners[i], corners[(i + 1) % count]);
        for k in 2..count {
            assert!(turn(p, q, corners[(i + k) % count]) > 0.0, "{corners:?}");
        }
    }
}

fn reach(points: &[Vec2]) -> f64 {
    points.iter().fold(0.0, |most: f64, p| most.max(f64::from(p.abs().max_element())))
}

/// Clouds of 3 to 1000 points, mostly with few corners: up to eight places, points between them,
/// copies, points along edges, points close together.
fn cloud(random: &mut Random) -> Vec<Vec2> {
    let size = random.log_range(1.0e-5, 1.0e8);
    let distance = size * random.log_range(1.0e-3, 1.0e2);
    let center = random.vec2(distance).as_dvec2();
    let corners: Vec<DVec2> = (0..1 + random.below(8)).map(|_| random.vec2(size).as_dvec2()).collect();
    let count = 3.max(random.log_range(1.0, 1_000.0) as usize);
    let spread = random.log_range(1.0e-9, 1.0);
    let mut cloud: Vec<Vec2> = Vec::with_capacity(count);
    for _ in 0..count {
        let (p, q) = (corners[random.below(corners.len())], corners[random.below(corners.len())]);
        let r = corners[random.below(corners.len())];
        let point = match random.below(8) {
            0 | 1 => p,
            2 | 3 => p.lerp(q, random.unit()),
            4 | 5 => p.lerp(q, random.unit()).lerp(r, random.unit()),
            6 => p + random.vec2(size * spread * 1.0e-3).as_dvec2(),
            _ => cloud.last().map_or(p, |&last| wide(last) - center),
        };
        cloud.push((center + point).as_vec2());
    }
    cloud
}

#[test]
fn hulls_are_strictly_convex_and_contain_the_cloud() {
    let mut random = Random::new(4);
    let (mut hulls, mut refused) = (0, 0);
    for _ in 0..rounds(2_000, 60_000) {
        let cloud = cloud(&mut random);
        match Polygon::hull(&cloud) {
            Ok(hull) => {
                assert_strictly_convex(hull.vertices());
                assert!(hull.vertices().iter().all(|v| cloud.contains(v)), "a corner that was not given");
                // Corners that stand out less than 1e-5 of the greatest coordinate, or 1e-6 m, are
                // dropped, one after the other, so that the sum of several may be a little more.
                let slop = (1.0e-5 * reach(&cloud)).max(1.0e-6);
                for &point in &cloud {
                    let out = outside(hull.vertices(), point);
                    assert!(out <= 2.0 * slop, "{} slops outside: {cloud:?}", out / slop);
                }
                hulls += 1;
            }
            Err(error) => {
                let too_far = error == ShapeError::OutOfRange && reach(&cloud) > 1.0e9;
                let refusal = matches!(error, ShapeError::Degenerate | ShapeError::TooManyVertices);
                assert!(refusal || too_far, "{error:?}");
                refused += 1;
            }
        }
    }
    assert!(hulls > 200 && refused > 200, "{hulls} hulls, {refused} refused");
}

#[test]
fn hulls_of_hulls_and_shuffled_clouds_are_the_same() {
    let mut random = Random::new(5);
    for _ in 0..rounds(500, 20_000) {
        let mut cloud = cloud(&mut random);
        let Ok(hull) = Polygon::hull(&cloud) else { continue };
        assert_eq!(Polygon::new(hull.vertices()), Ok(hull));
        let again = Polygon::hull(hull.vertices()).expect("a hull of the corners of a hull");
        let from_first = again.vertices().iter().cycle().skip_while(|&v| *v != hull.vertices()[0]);
        assert!(from_first.take(again.vertices().len()).eq(hull.vertices()), "{cloud:?}");
        for i in (1..cloud.len()).rev() {
            cloud.swap(i, random.below(i + 1));
        }
        assert_eq!(Polygon::hull(&cloud), Ok(hull));
    }
}

#[test]
fn normals_are_outward_unit_vectors() {
    let mut random = Random::new(6);
    for _ in 0..rounds(1_000, 50_000) {
        let (Shape::Polygon(polygon), _) = Kind::Polygon.sample(&mut random) else { panic!("a polygon") };
        let corners = polygon.vertices();
        for (k, normal) in polygon.normals().iter().enumerate() {
            let edge = wide(corners[(k + 1) % corners.len()]) - wide(corners[k]);
            assert!((wide(*normal).length() - 1.0).abs() < 1.0e-6);
            // Corners of a polygon that was moved are rounded once more than its normals.
            let slack = 1.0e-6 * (reach(corners) + edge.length());
            assert!(wide(*normal).dot(edge).abs() <= slack && wide(*normal).perp_dot(edge) > 0.0);
        }
    }
}

#[test]
fn polygons_may_be_given_either_way_round_from_any_corner() {
    let square = points(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
    for start in 0..4 {
        let mut turned = square.clone();
        turned.rotate_left(start);
        let forward = Polygon::new(&turned).expect("a square");
        turned.reverse();
        let backward = Polygon::new(&turned).expect("a square");
        for polygon in [forward, backward] {
            assert_strictly_convex(polygon.vertices());
            assert!(polygon.vertices().iter().all(|v| square.contains(v)));
            assert_eq!(polygon.center(), Vec2::ZERO);
        }
    }
}

#[test]
fn polygons_that_are_none_are_refused() {
    let refused = |corners: &[[f32; 2]]| broken_rule(Shape::polygon(&points(corners)));
    let arrow = [[0.0, 0.0], [2.0, -1.0], [1.0, 0.0], [2.0, 1.0]];
    assert_eq!(refused(&arrow), ShapeError::NotConvex);
    let mut backward = arrow;
    backward.reverse();
    assert_eq!(refused(&backward), ShapeError::NotConvex);
    // Left turns at every corner, twice around.
    let star: Vec<Vec2> =
        (0..5).map(|k| Rot::from_angle(k as f32 * 0.8 * core::f32::consts::PI).x_axis()).collect();
    assert_eq!(broken_rule(Shape::polygon(&star)), ShapeError::NotConvex);
    // A bow tie: half of it runs the wrong way round.
    assert_eq!(refused(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 1.0]]), ShapeError::NotConvex);
    assert_eq!(refused(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]), ShapeError::FlatCorner);
    assert_eq!(refused(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), ShapeError::Degenerate);
    assert_eq!(refused(&[[1.0, 1.0]; 4]), ShapeError::Degenerate);
    assert_eq!(refused(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), ShapeError::FlatCorner);
    assert_eq!(refused(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0e-6]]), ShapeError::Degenerate);
    assert_eq!(refused(&[[0.0, 0.0], [1.0, 0.0]]), ShapeError::Degenerate);
    assert_eq!(refused(&[]), ShapeError::Degenerate);
    let nine: Vec<Vec2> = (0..9).map(|k| Rot::from_angle(k as f32 * 0.69).x_axis()).collect();
    assert_eq!(broken_rule(Shape::polygon(&nine)), ShapeError::TooManyVertices);
    assert!(Shape::polygon(&nine[..8]).checked().is_ok());
}

#[test]
fn regular_polygons_start_on_the_x_axis() {
    for count in 3..=8 {
        let polygon = Polygon::regular(count, 2.0).expect("a regular polygon");
        assert_eq!((polygon.vertices().len(), polygon.vertices()[0]), (count, vec2(2.0, 0.0)));
        assert_strictly_convex(polygon.vertices());
        let (n, angle) = (count as f64, 2.0 * PI / count as f64);
        assert_near(Shape::Polygon(polygon).mass(1.0).mass, 2.0 * n * angle.sin(), 1.0e-6);
        assert!(polygon.center().length() < 1.0e-6);
    }
    assert_eq!(broken_rule(Shape::regular(2, 1.0)), ShapeError::Degenerate);
    assert_eq!(broken_rule(Shape::regular(9, 1.0)), ShapeError::TooManyVertices);
}

// Errors.

/// Definitions, the rule that each breaks, and a word that the message must have.
fn broken_definitions() -> Vec<(Shape, ShapeError, &'static str)> {
    let circle = || Shape::circle(1.0);
    let chain = || Shape::chain(&points(&[[0.0, 0.0], [1.0, 0.0]]));
    let plane = || Shape::half_plane([0.0, 0.0], [0.0, 1.0]);
    let spiral = points(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [2.0, 0.5], [0.0, -1.0]]);
    let arrow = points(&[[0.0, 0.0], [2.0, -1.0], [1.0, 0.0], [2.0, 1.0]]);
    let mut rules = vec![
        (Shape::circle(f32::NAN), ShapeError::OutOfRange, "finite"),
        (Shape::rect(2.0e9, 1.0), ShapeError::OutOfRange, "1e9"),
        (circle().at([f32::INFINITY, 0.0]), ShapeError::OutOfRange, "finite"),
        (circle().at([1.1e9, 0.0]), ShapeError::OutOfRange, "1e9"),
        (circle().turned(f32::NAN), ShapeError::OutOfRange, "finite"),
        (Shape::circle(0.0), ShapeError::NotPositive, "above 0"),
        (Shape::circle(-3.0), ShapeError::NotPositive, "radius"),
        (Shape::circle(1.0e-7), ShapeError::TooSmall, "1e-6"),
        (Shape::rect(1.0, -1.0), ShapeError::NotPositive, "height"),
        (Shape::capsule([0.0, 0.0], [1.0, 0.0], 1.0e-7), ShapeError::TooSmall, "radius"),
        (Shape::regular(5, -1.0), ShapeError::NotPositive, "radius"),
        (Shape::rect(1.0, 1.0).rounded(-0.1), ShapeError::BadRounding, "rounding"),
        (circle().rounded(1.0e-7), ShapeError::BadRounding, "0 or at least"),
        (Shape::segment([1.0, 1.0], [1.0, 1.0]), ShapeError::ZeroLength, "ends"),
        (Shape::segment([1.0e6, 0.0], [1.0e6 + 1.0, 0.0]), ShapeError::ZeroLength, "apart"),
        (Shape::capsule([0.0, 0.0], [0.0, 0.0], 1.0), ShapeError::ZeroLength, "ends"),
        (Shape::closed_chain(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), ShapeError::ZeroLength, "ends"),
        (
            Shape::closed_chain(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]),
            ShapeError::RepeatsFirstPoint,
            "closes itself",
        ),
        (Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]), ShapeError::FlatCorner, "`hull`"),
        (Shape::triangle([0.0, 0.0], [1.0, 0.0], [2.0, 0.0]), ShapeError::Degenerate, "line"),
        (Shape::hull(&[Vec2::ONE; 9]), ShapeError::Degenerate, "area"),
        (Shape::polygon(&arrow), ShapeError::NotConvex, "convex"),
        (Shape::regular(9, 1.0), ShapeError::TooManyVertices, "8 corners"),
        (Shape::polar(&spiral), ShapeError::NotStarShaped, "centre"),
        (Shape::compound([]), ShapeError::Empty, "at least one part"),
        (Shape::chain::<Vec2>(&[]), ShapeError::Empty, "chain"),
        (Shape::compound([circle(), chain()]), ShapeError::BadPart(1), "part 1"),
        (Shape::compound([plane()]), ShapeError::BadPart(0), "half-planes"),
        (Shape::compound((0..65_536).map(|_| circle())), ShapeError::TooManyParts, "65,535"),
        (Shape::half_plane([0.0, 0.0], [0.0, 0.0]), ShapeError::NoDirection, "direction"),
        (chain().rounded(0.1), ShapeError::NotApplicable, "rounded"),
        (plane().rounded(0.1), ShapeError::NotApplicable, "kind of shape"),
    ];
    // The first mistake is the one that is reported, whatever is done to the shape after it.
    let part = Shape::compound([circle(), Shape::circle(0.0)]);
    let Shape::Invalid(error @ ShapeError::InPart(1, rule)) = part.clone() else { panic!("{part:?}") };
    assert_eq!(rule.rule(), ShapeError::NotPositive);
    rules.push((part, error, "part 1 of a compound: a radius"));
    rules.push((Shape::circle(0.0).rounded(0.1).at([f32::NAN, 0.0]), ShapeError::OutOfRange, "finite"));
    rules.push((
        Shape::circle(0.0).rounded(0.1).at([1.0, 0.0]).turned(1.0),
        ShapeError::NotPositive,
        "radius",
    ));
    rules.push((
        Shape::outline(&points(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [-1.0, 1.0]])),
        ShapeError::SelfCrossing,
        "cross",
    ));
    rules
}

#[test]
fn every_broken_rule_is_named() {
    let mut seen = Vec::new();
    for (shape, error, word) in broken_definitions() {
        assert_eq!(broken_rule(shape), error);
        let text = error.to_string();
        assert!(text.contains(word), "{error:?} says: {text}");
        assert!(text.len() > 20 && text.starts_with(char::is_lowercase) && !text.ends_with('.'));
        if !seen.contains(&error) {
            seen.push(error);
        }
    }
    let crossing = 1;
    assert_eq!(seen.len(), 18 + crossing, "{seen:?}");
}

#[test]
fn numbers_at_the_borders_of_the_range_are_accepted() {
    assert!(Shape::circle(1.0e-6).checked().is_ok());
    assert!(Shape::rect(1.0e9, 1.0e-6).checked().is_ok());
    assert!(Shape::circle(1.0).rounded(0.0).checked().is_ok());
    assert!(Shape::segment([-1.0e9, 0.0], [1.0e9, 0.0]).checked().is_ok());
    assert!(Shape::half_plane([0.0, 0.0], [1.0e-30, 0.0]).checked().is_ok());
    let parts =
        Compound::new((0..65_535).map(|_| Shape::circle(1.0))).expect("as many parts as there may be");
    assert_eq!(parts.parts().len(), 65_535);
}

// Changes of a definition.

#[test]
fn rounding_grows_the_shape_all_around() {
    let (origin, corner) = (Vec2::ZERO, vec2(1.0, 0.5));
    let rect = Shape::rect(2.0, 1.0).rounded(0.25);
    assert!(contains(&rect, Transform::IDENTITY, vec2(1.25, 0.5)));
    assert!(!contains(&rect, Transform::IDENTITY, corner + vec2(0.2, 0.2)), "the corner is round");
    assert!(contains(&rect, Transform::IDENTITY, corner + vec2(0.17, 0.17)));
    let Shape::Circle(circle) = Shape::circle(1.0).rounded(0.5) else { panic!("still a circle") };
    assert_eq!((circle.center(), circle.radius()), (origin, 1.5));
    let Shape::Capsule(capsule) = Shape::segment(origin, [1.0, 0.0]).rounded(0.5) else {
        panic!("a capsule")
    };
    assert_eq!((capsule.ends(), capsule.radius()), ([origin, Vec2::X], 0.5));
    let Shape::Capsule(capsule) = Shape::capsule(origin, [1.0, 0.0], 0.5).rounded(0.5) else { panic!("one") };
    assert_eq!(capsule.radius(), 1.0);
    assert!(matches!(Shape::segment(origin, [1.0, 0.0]).rounded(0.0), Shape::Segment(_)));
    let both = Shape::compound([Shape::circle(1.0), Shape::rect(2.0, 1.0).at([5.0, 0.0])]).rounded(0.25);
    assert_eq!(both.aabb(Transform::IDENTITY).max.x, 6.25);
    assert_eq!(both.aabb(Transform::IDENTITY).min.x, -1.25);
}

#[test]
fn rounded_shapes_are_the_points_within_the_radius() {
    let mut random = Random::new(7);
    for round in 0..rounds(2_000, 100_000) {
        let kind = [Kind::Circle, Kind::Capsule, Kind::Segment, Kind::Rect, Kind::Polygon][round % 5];
        let (shape, convex) = kind.sample(&mut random);
        let size = convex.reach();
        let radius = (size * random.log_range(0.01, 1.0)) as f32;
        let rounded = shape.rounded(radius);
        let point = random.vec2(2.0 * size);
        let truth = point_distance(&convex, wide(point)) - f64::from(radius);
        let found = closest_point(&rounded, Transform::IDENTITY, point).distance;
        // Inside a sharp corner the nearest border of the rounded shape is not the radius beyond
        // the nearest edge: only the sign, and the distance outside, are the same.
        assert!(found > 0.0 || truth < 1.0e-5 * size, "{found} {truth}");
        assert!(truth < 0.0 || (f64::from(found) - truth).abs() < 1.0e-5 * size, "{found} {truth}");
    }
}

#[test]
fn a_shape_is_moved_and_turned_about_the_origin_of_its_frame() {
    // 2 wide, 1 high, 3 to the right; a quarter turn brings it up to (0, 3), 1 wide and 2 high.
    let rect = Shape::rect(2.0, 1.0).at([3.0, 0.0]).turned(FRAC_PI_2);
    let Shape::Obb(obb) = &rect else { panic!("still a box") };
    assert!((obb.center() - vec2(0.0, 3.0)).length() < 1.0e-6);
    assert_eq!(obb.half_size(), vec2(1.0, 0.5));
    let aabb = rect.aabb(Transform::IDENTITY);
    assert!((aabb.min - vec2(-0.5, 2.0)).length() < 1.0e-6 && (aabb.max - vec2(0.5, 4.0)).length() < 1.0e-6);
    // The other way round: turned about its middle, then moved.
    let rect = Shape::rect(2.0, 1.0).turned(FRAC_PI_2).at([3.0, 0.0]);
    let aabb = rect.aabb(Transform::IDENTITY);
    assert!((aabb.min - vec2(2.5, -1.0)).length() < 1.0e-6 && (aabb.max - vec2(3.5, 1.0)).length() < 1.0e-6);

    let Shape::HalfPlane(wall) = Shape::half_plane([0.0, 2.0], [0.0, 3.0]).turned(FRAC_PI_2).at([1.0, 0.0])
    else {
        panic!("still a half-plane")
    };
    assert!((wall.normal() - Vec2::NEG_X).length() < 1.0e-6);
    assert!((wall.offset() - 1.0).abs() < 1.0e-6, "2 along -x, then 1 to the right");
    assert!((wall.height(vec2(-3.0, 9.0)) - 2.0).abs() < 1.0e-6);
    assert_eq!(HalfPlane::new([0.0, 1.0], [0.0, 5.0]).expect("a half-plane").offset(), 1.0);
}

/// Moving the definition, moving the shape, and moving the point the other way are the same.
#[test]
fn a_moved_definition_is_the_shape_moved() {
    let mut random = Random::new(8);
    for round in 0..rounds(2_000, 100_000) {
        let (shape, convex) = Kind::ALL[round % Kind::ALL.len()].sample(&mut random);
        let size = convex.reach();
        let (first, then) = (random.transform(size), random.transform(size));
        let point = random.vec2(3.0 * size);
        let at_once =
            closest_point(&shape.clone().transformed(then * first), Transform::IDENTITY, point).distance;
        let in_steps = shape.clone().transformed(first).transformed(then);
        let in_steps = closest_point(&in_steps, Transform::IDENTITY, point).distance;
        let placed = closest_point(&shape.clone().transformed(first), then, point).distance;
        let truth = point_distance(&convex.placed(Pose::from(then * first)), wide(point));
        for found in [at_once, in_steps, placed] {
            assert!((f64::from(found) - truth).abs() < 1.0e-5 * size, "{found} for {truth}: {shape:?}");
        }
        let offset = Shape::at(shape.clone(), first.position);
        assert_eq!(offset, shape.transformed(Transform::at(first.position)));
    }
}

#[test]
fn composite_shapes_move_as_a_whole() {
    let star = points(&[[2.0, 0.0], [0.5, 0.5], [0.0, 2.0], [-0.5, 0.5], [-2.0, 0.0], [0.0, -1.0]]);
    let shapes = [
        Shape::polar(&star),
        Shape::compound([Shape::circle(0.5), Shape::rect(1.0, 2.0).at([2.0, 0.0]), Shape::polar(&star)]),
        Shape::chain(&star),
        Shape::closed_chain(&star),
    ];
    let mut random = Random::new(9);
    for round in 0..rounds(1_000, 50_000) {
        let shape = &shapes[round % shapes.len()];
        let (by, point) = (random.transform(4.0), random.vec2(6.0));
        let moved = closest_point(&shape.clone().transformed(by), Transform::IDENTITY, point).distance;
        let placed = closest_point(shape, by, point).distance;
        assert!((moved - placed).abs() < 1.0e-5, "{moved} {placed}: {shape:?}");
    }
    let polar = PolarShape::new(&star).expect("a star").transformed(Transform::new([1.0, 2.0], FRAC_PI_2));
    assert!((polar.center() - vec2(1.0, 2.0)).length() < 1.0e-6);
    assert!((polar.vertices()[0] - vec2(1.0, 4.0)).length() < 1.0e-6);
}

// Compounds and chains.

#[test]
fn compounds_are_flat() {
    let star = points(&[[2.0, 0.0], [0.5, 0.5], [0.0, 2.0], [-0.5, 0.5], [-2.0, 0.0], [0.0, -1.0]]);
    let polar = PolarShape::new(&star).expect("a star");
    let inner = Shape::compound([Shape::circle(1.0), Shape::segment([0.0, 0.0], [1.0, 0.0])]).at([5.0, 0.0]);
    let parts =
        [Shape::rect(1.0, 1.0), inner, Shape::polar(&star), Shape::capsule([0.0, 0.0], [0.0, 1.0], 0.5)];
    let compound = Compound::new(parts).expect("valid parts");
    assert_eq!(compound.parts().len(), 1 + 2 + polar.pieces().len() + 1);
    for part in compound.parts() {
        assert!(!matches!(part, Shape::Compound(_) | Shape::Polar(_)), "{part:?}");
    }
    let Shape::Circle(circle) = &compound.parts()[1] else { panic!("in the order given") };
    assert_eq!(circle.center(), vec2(5.0, 0.0));
    let Shape::Compound(one) = Shape::compound([Shape::circle(1.0)]) else { panic!("a compound of one") };
    assert_eq!(one.parts(), [Shape::circle(1.0)]);
}

#[test]
fn segments_of_a_chain_know_their_neighbours() {
    let corners = points(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 1.0]]);
    let open = Chain::open(&corners).expect("a chain");
    assert!(!open.is_closed());
    assert_eq!((open.segments().len(), open.points()), (3, corners.clone()));
    for (i, segment) in open.segments().iter().enumerate() {
        assert_eq!(segment.segment().ends(), [corners[i], corners[i + 1]]);
        assert_eq!(segment.before(), i.checked_sub(1).map(|before| corners[before]));
        assert_eq!(segment.after(), corners.get(i + 2).copied());
    }
    let closed = Chain::closed(&corners).expect("a chain");
    assert!(closed.is_closed());
    assert_eq!((closed.segments().len(), closed.points()), (4, corners.clone()));
    for (i, segment) in closed.segments().iter().enumerate() {
        assert_eq!(segment.segment().ends(), [corners[i], corners[(i + 1) % 4]]);
        assert_eq!(segment.before(), Some(corners[(i + 3) % 4]));
        assert_eq!(segment.after(), Some(corners[(i + 2) % 4]));
    }
    // Ends stay ends, wherever the chain is moved.
    let moved = open.transformed(Transform::new([3.0, 1.0], 0.7));
    assert_eq!((moved.segments()[0].before(), moved.segments()[2].after()), (None, None));
    assert!(moved.segments()[1].before().is_some() && moved.segments()[1].after().is_some());
}

#[test]
fn chains_without_a_segment_are_refused() {
    let refused = |points: &[Vec2]| [Chain::open(points).err(), Chain::closed(points).err()];
    assert_eq!(refused(&[]), [Some(ShapeError::Empty); 2]);
    assert_eq!(refused(&[Vec2::ONE]), [Some(ShapeError::Empty); 2]);
    assert_eq!(refused(&[Vec2::ZERO, Vec2::ONE]), [None, Some(ShapeError::Empty)]);
    assert_eq!(refused(&[Vec2::ZERO, Vec2::ONE, Vec2::X]), [None, None]);
    // The first point once more at the end closes an open chain; in a closed one it is a segment
    // too many.
    let repeats = [None, Some(ShapeError::RepeatsFirstPoint)];
    assert_eq!(refused(&[Vec2::ZERO, Vec2::ONE, Vec2::X, Vec2::ZERO]), repeats);
    assert_eq!(refused(&[Vec2::ZERO, Vec2::NAN, Vec2::X]), [Some(ShapeError::OutOfRange); 2]);
}

// Layout.

#[track_caller]
fn assert_round_trip<T: Pod + PartialEq + core::fmt::Debug>(value: T) {
    let bytes = bytemuck::bytes_of(&value).to_vec();
    assert_eq!(bytemuck::pod_read_unaligned::<T>(&bytes), value);
}

#[test]
fn simple_shapes_are_plain_bytes() {
    assert_round_trip(Circle::new([1.0, 2.0], 3.0).expect("valid"));
    assert_round_trip(Capsule::new([1.0, 2.0], [3.0, 4.0], 5.0).expect("valid"));
    assert_round_trip(Segment::new([1.0, 2.0], [3.0, 4.0]).expect("valid"));
    assert_round_trip(Obb::new(1.0, 2.0).and_then(|obb| obb.rounded(0.5)).expect("valid"));
    assert_round_trip(Polygon::regular(7, 2.0).and_then(|polygon| polygon.rounded(0.5)).expect("valid"));
    assert_round_trip(HalfPlane::new([1.0, 2.0], [3.0, 4.0]).expect("valid"));
    assert_round_trip(Chain::open(&[Vec2::ZERO, Vec2::ONE]).expect("valid").segments()[0]);
    assert_round_trip(Shape::rect(1.0, 2.0).mass(3.0));
    assert_eq!(size_of::<Obb>(), 32, "eight of them are read as a block of rows");
}

#[test]
fn shapes_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<Shape>();
    shared::<ShapeError>();
    shared::<carom::CircleTree>();
    let shape = Shape::compound([Shape::circle(1.0)]);
    let (left, right) = (shape.clone(), shape.clone());
    let found = std::thread::spawn(move || contains(&left, Transform::IDENTITY, Vec2::ZERO)).join();
    assert!(found.is_ok_and(|inside| inside) && contains(&right, Transform::IDENTITY, Vec2::ZERO));
}
