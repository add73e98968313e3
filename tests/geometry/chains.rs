//! Chains are smooth on both sides: nothing that slides along one is pushed sideways by an inner
//! corner, and nothing at all by what is not there.

use carom::math::sin_cos;
use carom::{Manifold, Shape, Transform, Vec2, contacts_within, distance, overlaps, vec2};

use testkit::long_rounds;
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

/// A ground of gentle waves, given as a chain of chords: normals stay within the directions of the
/// chords nearby.
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

/// A chain by its points, and whether the last is joined to the first.
struct Line {
    points: Vec<Vec2>,
    closed: bool,
}

impl Line {
    /// Hills, a saw, a ledge, a square, a star, a row of steps; from either end.
    fn any(random: &mut Random) -> Line {
        let in_row = |height: &mut dyn FnMut(usize) -> f32| {
            (0..=10).map(|k| vec2(0.6 * k as f32 - 3.0, height(k))).collect::<Vec<_>>()
        };
        let kind = random.below(6);
        let size = random.range(0.2_f32, 1.0);
        let mut points = match kind {
            0 => in_row(&mut |_| random.range(-0.5, 0.5)),
            1 => in_row(&mut |k| if k % 2 == 0 { 0.0 } else { -size }),
            2 => [(-3.0, 0.0), (0.0, 0.0), (0.0, -2.0), (3.0, -2.0)].map(|(x, y)| vec2(x, y)).to_vec(),
            3 => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| vec2(x, y) * 2.0 * size)
                .to_vec(),
            4 => (0..12)
                .map(|k| {
                    let (sin, cos) = sin_cos(k as f32 * std::f32::consts::TAU / 12.0);
                    vec2(cos, sin) * if k % 2 == 0 { 2.0 } else { 1.0 + 0.8 * size }
                })
                .collect(),
            _ => (0..10_usize)
                .map(|k| {
                    vec2(0.6 * k.div_ceil(2) as f32 - 1.5, if k / 2 % 2 == 0 { 0.0 } else { -0.5 * size })
                })
                .collect(),
        };
        if random.below(2) == 0 {
            points.reverse();
        }
        Line { points, closed: kind == 3 || kind == 4 }
    }

    fn shape(&self) -> Shape {
        if self.closed { Shape::closed_chain(&self.points) } else { Shape::chain(&self.points) }
    }

    fn point(&self, index: usize) -> Vec2 {
        self.points[index % self.points.len()]
    }

    fn segment_count(&self) -> usize {
        if self.closed { self.points.len() } else { self.points.len() - 1 }
    }

    /// Whether a segment, together with its neighbours, has a normal: its own on either side, or
    /// one that leans over an end, and away from the neighbour if there is one.
    fn has_normal(&self, segment: usize, normal: Vec2) -> bool {
        const NOISE: f32 = 3.0e-3;
        let (a, b) = (self.point(segment), self.point(segment + 1));
        let lean = normal.dot((b - a).normalize());
        let last = self.segment_count() - 1;
        let onward = if lean > 0.0 {
            (self.closed || segment < last).then(|| self.point(segment + 2) - b)
        } else {
            (self.closed || segment > 0).then(|| self.point(segment + self.points.len() - 1) - a)
        };
        lean.abs() <= NOISE || onward.is_none_or(|onward| normal.dot(onward.normalize()) <= NOISE)
    }
}

/// Balls, crates, thin bars, capsules, polygons, and rounded ones.
fn any_convex(random: &mut Random) -> Shape {
    let kind = random.below(7);
    let mut size = |low: f32, high: f32| random.range(low, high);
    match kind {
        0 => Shape::circle(size(0.1, 0.5)),
        1 => Shape::rect(size(0.3, 1.2), size(0.3, 1.2)),
        2 => Shape::rect(size(1.5, 3.5), size(0.02, 0.3)),
        3 => {
            let half = size(0.1, 0.6);
            Shape::capsule([-half, 0.0], [half, 0.0], size(0.05, 0.3))
        }
        4 => Shape::regular(3 + random.below(6), random.range(0.2, 0.6)),
        5 => Shape::rect(size(0.3, 1.0), size(0.2, 0.6)).rounded(size(0.01, 0.1)),
        _ => Shape::regular(3 + random.below(4), random.range(0.2, 0.6)).rounded(random.range(0.01, 0.1)),
    }
}

/// Anywhere about a chain, half of all as deep in it as a landing leaves them: each contact is one
/// that the chain has, none is deeper than the two are, and what is in the chain has one that is as
/// deep as that. (With the side of a segment taken from the middle of the other shape, one contact
/// of seven was too deep, by up to 1.7 m.)
#[test]
fn contacts_are_as_deep_as_the_two_shapes_are() {
    let mut random = Random::new(5);
    let [mut count, mut overlapping] = [0; 2];
    for round in 0..long_rounds(20_000, 300_000, 1_000_000) {
        let line = Line::any(&mut random);
        let (chain, shape) = (line.shape(), any_convex(&mut random));
        let size = shape.bounding_circle().radius;
        let segment = random.below(line.segment_count());
        let near = line.point(segment).lerp(line.point(segment + 1), random.range(0.0, 1.0));
        let beside = random.direction().as_vec2() * size * random.range(0.0, 1.1);
        let mut at = Transform::new(near + beside, random.angle());
        if round % 2 == 0 {
            let depth = random.log_range(1.0e-3, 0.1) as f32;
            for _ in 0..10 {
                let found = distance(&chain, Transform::IDENTITY, &shape, at);
                at.position -= found.normal * (found.separation + depth);
            }
        }
        let margin = if random.below(2) == 0 { 0.0 } else { 0.05 };
        let gap = distance(&chain, Transform::IDENTITY, &shape, at).separation;
        let found = contacts(&chain, &shape, at, margin);
        let deepest =
            found.iter().map(Manifold::separation).fold(f32::INFINITY, |p, q| if q < p { q } else { p });
        let pair = || format!("{:?}, closed: {}, {shape:?} at {at:?}", line.points, line.closed);
        assert!(deepest >= gap - 1.0e-3 * size, "{deepest} m, but {gap} m apart: {}", pair());
        if gap < -1.0e-3 {
            overlapping += 1;
            assert!(deepest <= 0.5 * gap, "{deepest} m, but {gap} m apart: {}", pair());
        }
        for manifold in &found {
            let normal = manifold.normal;
            assert!(line.has_normal(manifold.part_a as usize, normal), "normal {normal}: {}", pair());
        }
        count += found.len();
    }
    println!("{count} contacts, {overlapping} overlapping pairs");
    assert!(overlapping > 0);
}
