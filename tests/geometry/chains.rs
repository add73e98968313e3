//! Chains are smooth on both sides: nothing that slides along one is pushed sideways by an inner corner.

use carom::math::sin_cos;
use carom::{Manifold, Shape, Transform, Vec2, contacts_within, overlaps, vec2};

use testkit::random::Random;

fn contacts(chain: &Shape, other: &Shape, at: Transform, margin: f32) -> Vec<Manifold> {
    let mut found = Vec::new();
    contacts_within(chain, Transform::IDENTITY, other, at, margin, |manifold| found.push(*manifold));
    found
}

fn travellers() -> [Shape; 6] {
    [
        Shape::rect(0.4, 0.4),
        Shape::rect(0.3, 0.3).rounded(0.05),
        Shape::circle(0.2),
        Shape::capsule([-0.1, 0.0], [0.1, 0.0], 0.2),
        Shape::polygon(&[vec2(-0.2, -0.2), vec2(0.2, -0.2), vec2(0.0, 0.3)]),
        Shape::capsule([0.0, 0.0], [0.0, 0.4], 0.2),
    ]
}

/// ```text
///        [box] ->
///   --+--+--+--+--+--    40 segments of 1 m in a line; a box 2 mm deep in it, on either face
/// ```
#[test]
fn a_straight_chain_pushes_straight_up() {
    let points: Vec<Vec2> = (0..=40).map(|k| vec2(k as f32, 0.0)).collect();
    let chain = Shape::chain(&points);
    for traveller in travellers() {
        for (side, turn) in [(1.0_f32, 0.0), (-1.0, std::f32::consts::PI)] {
            for step in 0..3_000 {
                let x = 1.0 + 0.0127 * step as f32;
                let at = Transform::new([x, side * 0.198], turn);
                let found = contacts(&chain, &traveller, at, 0.0);
                assert!(!found.is_empty(), "{traveller:?} at {x} touches nothing");
                for manifold in &found {
                    let up = manifold.normal.y * side;
                    assert!(up > 0.999_999, "{traveller:?} at {x}, side {side}: normal {}", manifold.normal);
                    assert!(manifold.depth() < 2.1e-3, "depth {}", manifold.depth());
                }
            }
        }
    }
}

/// A ground of gentle waves, given as a chain of chords: normals stay within the directions of the chords nearby.
#[test]
fn a_wavy_chain_never_pushes_against_the_way() {
    let height = |x: f32| 0.3 * sin_cos(x).0;
    let points: Vec<Vec2> = (0..=80).map(|k| vec2(k as f32 * 0.25, height(k as f32 * 0.25))).collect();
    let chain = Shape::chain(&points);
    for traveller in travellers() {
        for step in 0..4_000 {
            let x = 1.0 + 0.0043 * step as f32;
            let at = Transform::at([x, height(x) + 0.19]);
            for manifold in contacts(&chain, &traveller, at, 0.0) {
                // The waves rise by at most 0.3 m a metre: atan 0.3 is 16.7 degrees.
                assert!(manifold.normal.y > 0.95, "{traveller:?} at {x}: {}", manifold.normal);
            }
        }
    }
}

#[test]
fn an_outer_corner_keeps_its_round_normals_once() {
    // A roof: a ball over the ridge is pushed straight away from it, by one of the two segments.
    let roof = Shape::chain(&[vec2(-2.0, -1.0), vec2(0.0, 0.0), vec2(2.0, -1.0)]);
    let ball = Shape::circle(0.5);
    for k in -20..=20 {
        let (sin, cos) = sin_cos(0.02 * k as f32);
        let at = Transform::at(vec2(sin, cos) * 0.499);
        let found = contacts(&roof, &ball, at, 0.0);
        assert_eq!(found.len(), 1, "at angle {}", 0.02 * k as f32);
        assert!((found[0].normal - vec2(sin, cos)).length() < 1e-5);
    }
}

#[test]
fn the_free_end_of_a_chain_is_an_end() {
    let chain = Shape::chain(&[vec2(0.0, 0.0), vec2(1.0, 0.0), vec2(2.0, 0.0)]);
    let found = contacts(&chain, &Shape::circle(0.5), Transform::at([2.4, 0.0]), 0.0);
    assert_eq!(found.len(), 1);
    assert!((found[0].normal - Vec2::X).length() < 1e-6);
}

#[test]
fn overlap_with_a_chain_always_gives_a_contact() {
    let mut random = Random::new(9);
    let mut unit = || random.range(0.0_f32, 1.0);
    let closed: Vec<Vec2> = (0..12)
        .map(|k| {
            let (sin, cos) = sin_cos(k as f32 * std::f32::consts::TAU / 12.0);
            vec2(cos, sin) * if k % 2 == 0 { 2.0 } else { 1.0 }
        })
        .collect();
    let chain = Shape::closed_chain(&closed);
    let rounds = if cfg!(debug_assertions) { 5_000 } else { 200_000 };
    for _ in 0..rounds {
        let at = Transform::new([5.0 * unit() - 2.5, 5.0 * unit() - 2.5], 6.3 * unit());
        for traveller in travellers() {
            let found = contacts(&chain, &traveller, at, 0.0);
            let overlap = overlaps(&chain, Transform::IDENTITY, &traveller, at);
            assert_eq!(!found.is_empty(), overlap, "{traveller:?} at {at:?}");
        }
    }
}
