//! The oracle, held against a definition that shares nothing with it.
//!
//! For convex shapes, overlapping or not, the separation is the greatest gap between their
//! projections over all directions. Here the directions are tried one by one, 4096 around and then
//! ever finer around the best.

use core::f64::consts::TAU;
use glam::DVec2;

use testkit::convex::{Kind, poses};
use testkit::oracle::{Convex, separation};
use testkit::random::Random;
use testkit::rounds;

fn greatest_gap(a: &Convex, b: &Convex) -> f64 {
    const STEPS: usize = 4096;
    let gap = |angle: f64| a.gap(b, DVec2::new(angle.cos(), angle.sin()));
    let mut best = (f64::NEG_INFINITY, 0.0);
    for i in 0..STEPS {
        let angle = TAU * i as f64 / STEPS as f64;
        best = if gap(angle) > best.0 { (gap(angle), angle) } else { best };
    }
    let mut width = TAU / STEPS as f64;
    while width > 1.0e-9 {
        width *= 0.7;
        for angle in [best.1 - width, best.1 + width] {
            best = if gap(angle) > best.0 { (gap(angle), angle) } else { best };
        }
    }
    best.0
}

#[test]
fn separation_is_the_greatest_gap_over_all_directions() {
    let mut random = Random::new(7);
    for round in 0..rounds(300, 10_000) {
        let kinds = [Kind::ALL[round % 8], Kind::ALL[random.below(8)]];
        let [(_, a), (_, b)] = kinds.map(|kind| kind.sample(&mut random));
        let [at_a, at_b] = poses(&mut random, &a, &b);
        let (a, b) = (a.placed(at_a), b.placed(at_b));
        let (found, tried) = (separation(&a, &b), greatest_gap(&a, &b));
        let size = a.extent().max(b.extent());
        // Sampling can miss the best direction between two samples where two hills are equally
        // high.
        assert!(tried - found.value < 1.0e-9 * size, "{kinds:?}: {found:?} but a gap of {tried}");
        assert!(found.value - tried < 2.0e-3 * size, "{kinds:?}: {found:?} but no gap above {tried}");
        let along = a.gap(&b, found.normal);
        // The direction between two points that nearly coincide is known no better than their
        // coordinates.
        let slack = size * (1.0e-9 + 1.0e-14 * size / (found.value + a.radius + b.radius).abs());
        assert!((along - found.value).abs() < slack, "{kinds:?}: {found:?} but {along} along the normal");
    }
}

#[test]
fn separations_known_by_hand() {
    let point = |x: f64, y: f64| DVec2::new(x, y);
    let flat = |x1: f64, x2: f64| Convex::new(&[point(x1, 0.0), point(x2, 0.0)], 0.0);
    let square = Convex::new(&[point(0.0, 0.0), point(1.0, 0.0), point(1.0, 1.0), point(0.0, 1.0)], 0.0);
    let cases = [
        ("collinear segments, apart", flat(0.0, 1.0), flat(3.0, 5.0), 2.0),
        ("collinear segments, end to end", flat(0.0, 1.0), flat(1.0, 5.0), 0.0),
        ("collinear segments, one in the other", flat(0.0, 5.0), flat(1.0, 2.0), 0.0),
        ("a point beyond the end of a segment", flat(0.0, 1.0), Convex::point(point(4.0, 0.0)), 3.0),
        ("a point on a segment", flat(0.0, 1.0), Convex::point(point(0.5, 0.0)), 0.0),
        ("a point in a square", square, Convex::point(point(0.5, 0.7)), -0.3),
        ("two points", Convex::point(point(0.0, 0.0)), Convex::point(point(3.0, 4.0)), 5.0),
        ("the same point", Convex::point(point(2.0, 3.0)), Convex::point(point(2.0, 3.0)), 0.0),
        (
            "a segment through a square",
            square,
            Convex::new(&[point(-1.0, 0.25), point(2.0, 0.25)], 0.0),
            -0.25,
        ),
        ("crossed segments", flat(-1.0, 1.0), Convex::new(&[point(0.0, -2.0), point(0.0, 0.5)], 0.0), -0.5),
        ("corner to corner", square, square.moved(point(4.0, 5.0)), 5.0),
        ("the same square", square, square, -1.0),
    ];
    for (what, a, b, expected) in cases {
        for (a, b) in [(&a, &b), (&b, &a)] {
            let found = separation(a, b).value;
            assert!((found - expected).abs() < 1.0e-12, "{what}: {found}, not {expected}");
        }
    }
}
