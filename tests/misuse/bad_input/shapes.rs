//! Shapes, and every question that they can be asked without a world.
//!
//! ```text
//!   shapes:      a definition is either refused (Shape::Invalid) or usable for every question
//!   the rest:    any number is answered with something; what it is for a NaN is not promised
//! ```

use carom::{
    Circle, Manifold, Motion, Obb, Ray, Rot, Shape, TileCell, TileKind, Transform, Vec2, batch, cast,
    closest_point, contact, contact_within, contains, distance, overlaps, ray, vec2,
};

use super::{BAD, spoilt};

/// A constructor as a function of all its numbers, and numbers with which it succeeds.
struct Recipe {
    what: &'static str,
    good: &'static [f32],
    build: fn(&[f32]) -> Shape,
}

fn points(p: &[f32]) -> Vec<Vec2> {
    p.chunks_exact(2).map(|xy| vec2(xy[0], xy[1])).collect()
}

const SQUARE: [f32; 8] = [-1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0];

const TILES: [TileCell; 4] =
    [TileCell::SOLID, TileCell::EMPTY, TileCell::new(TileKind::HalfUpLow, 3), TileCell::SOLID];

fn square() -> Shape {
    Shape::polygon(&points(&SQUARE))
}

fn recipes() -> Vec<Recipe> {
    let recipe = |what, good, build| Recipe { what, good, build };
    vec![
        recipe("circle", &[1.0], |p| Shape::circle(p[0])),
        recipe("capsule", &[0.0, 0.0, 1.0, 0.0, 0.5], |p| Shape::capsule([p[0], p[1]], [p[2], p[3]], p[4])),
        recipe("segment", &[0.0, 0.0, 1.0, 0.0], |p| Shape::segment([p[0], p[1]], [p[2], p[3]])),
        recipe("rect", &[1.0, 2.0], |p| Shape::rect(p[0], p[1])),
        recipe("polygon", &SQUARE, |p| Shape::polygon(&points(p))),
        recipe("hull", &SQUARE, |p| Shape::hull(&points(p))),
        recipe("triangle", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], |p| {
            Shape::triangle([p[0], p[1]], [p[2], p[3]], [p[4], p[5]])
        }),
        recipe("regular", &[1.0], |p| Shape::regular(5, p[0])),
        recipe("outline", &SQUARE, |p| Shape::outline(&points(p))),
        recipe("outline with holes", &[0.1, 0.1, 0.5, 0.1, 0.1, 0.5], |p| {
            Shape::outline_with_holes(&points(&SQUARE), &[points(p)])
        }),
        recipe("mask", &[1.0, 0.5], |p| Shape::from_mask(p[0], 2, &[true, false, true, true], p[1])),
        recipe("polar", &SQUARE, |p| Shape::polar(&points(p))),
        recipe("chain", &SQUARE, |p| Shape::chain(&points(p))),
        recipe("closed chain", &SQUARE, |p| Shape::closed_chain(&points(p))),
        recipe("half-plane", &[0.0, 0.0, 0.0, 1.0], |p| Shape::half_plane([p[0], p[1]], [p[2], p[3]])),
        recipe("compound", &[1.0, 0.5, 2.0, 0.0], |p| {
            Shape::compound([Shape::rect(p[0], 1.0), Shape::circle(p[1]).at([p[2], p[3]])])
        }),
        recipe("tiles", &[0.5], |p| Shape::tiles(p[0], 2, &TILES)),
        recipe("tiles at", &[1.0, 2.0], |p| Shape::tiles(0.5, 2, &TILES).at([p[0], p[1]])),
        recipe("tiles turned", &[0.5], |p| Shape::tiles(0.5, 2, &TILES).turned(p[0])),
        recipe("tiles scaled", &[2.0], |p| Shape::tiles(0.5, 2, &TILES).scaled(p[0])),
        recipe("rounded circle", &[0.5], |p| Shape::circle(1.0).rounded(p[0])),
        recipe("rounded capsule", &[0.5], |p| Shape::capsule([0.0, 0.0], [1.0, 0.0], 0.5).rounded(p[0])),
        recipe("rounded segment", &[0.5], |p| Shape::segment([0.0, 0.0], [1.0, 0.0]).rounded(p[0])),
        recipe("rounded rect", &[0.5], |p| Shape::rect(1.0, 1.0).rounded(p[0])),
        recipe("rounded polygon", &[0.5], |p| square().rounded(p[0])),
        recipe("rounded compound", &[0.5], |p| Shape::compound([square(), Shape::circle(1.0)]).rounded(p[0])),
        recipe("circle at", &[1.0, 2.0], |p| Shape::circle(1.0).at([p[0], p[1]])),
        recipe("rect at", &[1.0, 2.0], |p| Shape::rect(1.0, 1.0).at([p[0], p[1]])),
        recipe("polygon at", &[1.0, 2.0], |p| square().at([p[0], p[1]])),
        recipe("half-plane at", &[1.0, 2.0], |p| Shape::half_plane([0.0, 0.0], [0.0, 1.0]).at([p[0], p[1]])),
        recipe("compound at", &[1.0, 2.0], |p| Shape::compound([square()]).at([p[0], p[1]])),
        recipe("chain at", &[1.0, 2.0], |p| Shape::chain(&points(&SQUARE)).at([p[0], p[1]])),
        recipe("polar at", &[1.0, 2.0], |p| Shape::polar(&points(&SQUARE)).at([p[0], p[1]])),
        recipe("rect turned", &[1.0], |p| Shape::rect(1.0, 1.0).turned(p[0])),
        recipe("polygon turned", &[1.0], |p| square().turned(p[0])),
        recipe("scaled", &[2.0], |p| Shape::compound([square(), Shape::circle(1.0)]).scaled(p[0])),
        recipe("scaled capsule", &[2.0], |p| Shape::capsule([0.0, 0.0], [1.0, 0.0], 0.5).scaled(p[0])),
        recipe("polygon transformed", &[1.0, 2.0, 0.0, 1.0], |p| square().transformed(transform(p))),
        recipe("rect transformed", &[1.0, 2.0, 0.0, 1.0], |p| {
            Shape::rect(1.0, 1.0).transformed(transform(p))
        }),
    ]
}

fn transform(p: &[f32]) -> Transform {
    Transform { position: vec2(p[0], p[1]), rotation: Rot { cos: p[2], sin: p[3] } }
}

/// One of each kind, the refused one included.
fn every_kind() -> Vec<Shape> {
    vec![
        Shape::circle(1.0),
        Shape::capsule([-1.0, 0.0], [1.0, 0.0], 0.5),
        Shape::segment([-1.0, 0.0], [1.0, 0.0]),
        Shape::rect(2.0, 1.0),
        Shape::rect(2.0, 1.0).rounded(0.25),
        square(),
        square().rounded(0.25),
        Shape::polar(&points(&SQUARE)),
        Shape::compound([square(), Shape::circle(1.0).at([2.0, 0.0])]),
        Shape::chain(&points(&SQUARE)),
        Shape::half_plane([0.0, 0.0], [0.0, 1.0]),
        Shape::circle(f32::NAN),
    ]
}

/// Asks every question about a pair and throws the answers away.
fn ask_everything(a: &Shape, at_a: Transform, b: &Shape, at_b: Transform) {
    let _ = (overlaps(a, at_a, b, at_b), overlaps(b, at_b, a, at_a));
    let _ = (contact(a, at_a, b, at_b), contact(b, at_b, a, at_a));
    let _ = contact_within(a, at_a, b, at_b, 0.5);
    let _ = (distance(a, at_a, b, at_b), distance(b, at_b, a, at_a));
    let motion = Motion::straight(at_b, [3.0, 1.0]).turning(1.0);
    let _ = cast(a, Motion::still(at_a), b, motion);
    let _ = cast(b, motion, a, Motion::still(at_a));
    ask_alone(a, at_a);
}

fn ask_alone(shape: &Shape, at: Transform) {
    let _ = ray(shape, at, Ray::between([-3.0, 0.1], [3.0, 0.2]));
    let _ = contains(shape, at, vec2(0.5, 0.5));
    let _ = closest_point(shape, at, vec2(0.5, 0.5));
    let _ = (shape.aabb(at), shape.bounding_circle(), shape.mass(1.0));
}

#[test]
fn valid_definitions_are_usable() {
    for Recipe { what, good, build } in recipes() {
        assert!(build(good).checked().is_ok(), "{what} of {good:?}");
    }
}

#[test]
fn a_shape_of_bad_numbers_is_refused_or_usable() {
    for Recipe { what, good, build } in recipes() {
        for numbers in spoilt(good) {
            let shape = build(&numbers);
            let what = format!("{what} of {numbers:?}");
            match shape.clone().checked() {
                Ok(shape) => expect_usable(&shape, &what),
                Err(error) => assert_eq!(shape, Shape::Invalid(error), "{what}"),
            }
            for other in every_kind() {
                ask_everything(&shape, Transform::IDENTITY, &other, Transform::new([0.5, 0.25], 0.5));
            }
        }
    }
}

/// What is not finite must never come in.
#[test]
fn numbers_that_are_not_finite_are_refused() {
    for Recipe { what, good, build } in recipes() {
        for numbers in spoilt(good).into_iter().filter(|numbers| numbers.iter().any(|x| !x.is_finite())) {
            assert!(build(&numbers).checked().is_err(), "{what} of {numbers:?} is taken");
        }
    }
}

/// Finite answers to every question, beside a normal shape.
fn expect_usable(shape: &Shape, what: &str) {
    let (at, other) = (Transform::IDENTITY, Shape::circle(1.0));
    let is_bounded = !matches!(shape, Shape::HalfPlane(_));
    let aabb = shape.aabb(at);
    assert!(aabb.is_valid(), "{what}: {aabb:?}");
    assert!(!is_bounded || (aabb.min.is_finite() && aabb.max.is_finite()), "{what}: {aabb:?}");
    let circle = shape.bounding_circle();
    assert!(circle.radius > 0.0 && circle.center.is_finite(), "{what}: {circle:?}");
    assert!(!is_bounded || circle.radius.is_finite(), "{what}: {circle:?}");
    let mass = shape.mass(1.0);
    assert!(mass.mass >= 0.0 && mass.mass.is_finite(), "{what}: {mass:?}");
    assert!(mass.inertia >= 0.0 && mass.inertia.is_finite() && mass.center.is_finite(), "{what}: {mass:?}");

    for at_other in [Transform::IDENTITY, Transform::new([0.5, 0.25], 0.5), Transform::at([100.0, -50.0])] {
        let found = distance(shape, at, &other, at_other);
        assert!(found.separation.is_finite() && found.normal.is_normalized(), "{what}: {found:?}");
        assert!(found.point_a.is_finite() && found.point_b.is_finite(), "{what}: {found:?}");
        let manifold = contact(shape, at, &other, at_other);
        assert_eq!(manifold.is_some(), overlaps(shape, at, &other, at_other), "{what}: {manifold:?}");
        if let Some(manifold) = manifold {
            assert!(manifold.normal.is_normalized() && !manifold.is_empty(), "{what}: {manifold:?}");
            assert!(manifold.points().iter().all(|p| p.point.is_finite()), "{what}: {manifold:?}");
        }
        let closest = closest_point(shape, at, at_other.position);
        assert!(closest.point.is_finite() && closest.distance.is_finite(), "{what}: {closest:?}");
        assert!(closest.normal.is_normalized(), "{what}: {closest:?}");
        assert_eq!(contains(shape, at, at_other.position), closest.distance <= 0.0, "{what}");
        let hit = ray(shape, at, Ray::between(at_other.position, [0.0, 0.0]));
        assert!(hit.is_none_or(|hit| hit.point.is_finite() && hit.fraction.is_finite()), "{what}: {hit:?}");
    }
}

#[test]
fn bad_transforms_never_panic() {
    let kinds = every_kind();
    for numbers in spoilt(&[0.5, 0.25, 1.0, 0.0]) {
        let bad = transform(&numbers);
        for a in &kinds {
            for b in &kinds {
                ask_everything(a, bad, b, Transform::IDENTITY);
                ask_everything(a, bad, b, bad);
            }
            let _ = a.clone().transformed(bad).checked();
        }
    }
}

#[test]
fn bad_margins_never_panic() {
    let kinds = every_kind();
    for margin in BAD {
        for a in &kinds {
            for b in &kinds {
                for x in [0.5, 3.0] {
                    let _ = contact_within(a, Transform::IDENTITY, b, Transform::at([x, 0.5]), margin);
                }
            }
        }
    }
}

#[test]
fn bad_motions_never_panic() {
    let kinds = every_kind();
    for numbers in spoilt(&[-3.0, 0.25, 1.0, 0.0, 5.0, 0.5, 1.0]) {
        let bad = Motion {
            start: transform(&numbers),
            translation: vec2(numbers[4], numbers[5]),
            turn: numbers[6],
        };
        for a in &kinds {
            for b in &kinds {
                let good = Motion::straight(Transform::at([3.0, 0.0]), [-5.0, 0.0]).turning(0.5);
                for hit in
                    [cast(a, bad, b, good), cast(b, good, a, bad), cast(a, bad, b, bad)].into_iter().flatten()
                {
                    assert!((0.0..=1.0).contains(&hit.time), "{hit:?} for {bad:?}, {a:?} and {b:?}");
                }
            }
        }
        for time in BAD {
            let _ = bad.at(time);
        }
    }
}

#[test]
fn bad_rays_and_points_never_panic() {
    for numbers in spoilt(&[-3.0, 0.25, 6.0, 0.5]) {
        let (from, translation) = (vec2(numbers[0], numbers[1]), vec2(numbers[2], numbers[3]));
        for shape in every_kind() {
            for at in [Transform::IDENTITY, Transform::new([1.0, 2.0], 3.0)] {
                for line in [Ray { from, translation }, Ray::between(from, translation)] {
                    if let Some(hit) = ray(&shape, at, line) {
                        assert!((0.0..=1.0).contains(&hit.fraction), "{hit:?} for {line:?} and {shape:?}");
                    }
                }
                let _ = ray(&shape, at, Ray::toward(from, translation, numbers[0]));
                let _ = (contains(&shape, at, from), closest_point(&shape, at, from));
            }
        }
    }
}

#[test]
fn bad_densities_never_panic() {
    for density in BAD {
        for shape in every_kind() {
            let _ = shape.mass(density);
        }
    }
}

/// Margins, places and lengths of slices that make no sense: an answer a pair, and no panic.
#[test]
fn bad_batches_never_panic() {
    let square = Obb::new(1.0, 1.0).expect("a size");
    let disc = Circle::new([0.0, 0.0], 1.0).expect("a size");
    for bad in BAD {
        let place = Transform { position: Vec2::new(bad, bad), ..Transform::IDENTITY };
        for count in 0..10 {
            let boxes = vec![square.transformed(place); count];
            let discs = vec![disc.transformed(place); count + 3];
            let mut manifolds = vec![Manifold::NONE; 7];
            let mut answers = vec![false; 7];
            batch::contact_boxes(&boxes, &[square; 9], bad, &mut manifolds);
            batch::overlap_boxes(&boxes, &[square; 9], &mut answers);
            batch::contact_circles(&discs, &[disc; 9], bad, &mut manifolds);
            batch::overlap_circles(&discs, &[disc; 9], &mut answers);
            assert!(manifolds.iter().all(|manifold| manifold.points().len() <= 2));
        }
    }
}
