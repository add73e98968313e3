//! Two shapes, two poses: what is asked in several ways gets one answer, and the same when the two
//! are exchanged.
//!
//! ```text
//!   any bits:            no panic, finite answers to finite questions, the same to the bit when
//!                        exchanged
//!   sizes of a game:     overlaps, contact, distance, cast and ray agree; convex pairs also with
//!                        the oracle
//! ```
//!
//! Tolerances are those of `crate::pair_rules`, as a share of the size: what the pair spans with
//! its distance from the origin.

use carom::{
    Manifold, Motion, Ray, Shape, Transform, Vec2, cast, closest_point, contact, contact_within, contains,
    distance, overlaps, ray,
};

use super::input::Input;
use super::shapes::shape;
use crate::oracle::Convex;
use crate::pair_rules::{Scene, TOLERANCE, Truth, check};

/// Rules about where exactly the closest points lie, which hang on the last bits between corners of
/// nearly half a turn: see `Tally::report_of_many`.
const ABOUT_PLACES: [&str; 4] = [
    "distance: point_a on the border",
    "distance: point_b on the border",
    "distance: from point_a to point_b",
    "distance: the gap along the normal",
];

/// Sizes for which answers have to agree.
const SANE: core::ops::Range<f32> = 0.05..2_000.0;

/// Allowed error at the time of a cast's hit, as a share of the size, beside the distance at which
/// a cast stops.
const CAST: f32 = 1.0e-3;

/// Asks everything about two shapes.
pub fn run(data: &[u8]) {
    let input = &mut Input::new(data);
    let (a, b) = (shape(input), shape(input));
    let (at_a, at_b) = (input.transform(), input.transform());
    let pair = Pair { scene: Scene { a: &a, at_a, b: &b, at_b } };
    pair.expect_symmetric();
    let (way, turn) = (input.vector(), input.angle());
    pair.ask_motion(way, turn);
    let line = Ray { from: input.vector(), translation: input.vector() };
    let _ = (ray(&a, at_a, line), contains(&b, at_b, line.from), closest_point(&b, at_b, line.from));
    let is_plain = |shape: &Shape| shape.check().is_ok();
    // Answers are as good as the rotations they are given.
    let unit = |at: Transform| (at.rotation.x_axis().length_squared() - 1.0).abs() < 1.0e-5;
    let near = at_a.position.length() + at_b.position.length() < 2.0e9;
    let poses = at_a.is_valid() && at_b.is_valid() && near && unit(at_a) && unit(at_b);
    if !(is_plain(&a) && is_plain(&b) && poses) {
        return;
    }
    let both_endless = matches!((&a, &b), (Shape::HalfPlane(_), Shape::HalfPlane(_)));
    if !both_endless {
        pair.expect_finite();
    }
    let Some(size) = pair.size().filter(|size| SANE.contains(size)) else { return };
    let share = TOLERANCE as f32 * size;
    pair.expect_agreement(share);
    pair.expect_truth(size);
    if way.length() < SANE.end {
        pair.expect_cast(way, size + way.length());
    }
    if line.from.length() + line.translation.length() < SANE.end {
        expect_ray(
            &a,
            at_a,
            line,
            share + TOLERANCE as f32 * (line.from.length() + line.translation.length()),
        );
    }
}

/// A pair and its questions.
struct Pair<'s> {
    scene: Scene<'s>,
}

impl Pair<'_> {
    /// What the pair spans, with its distance from the origin, if it ends anywhere.
    fn size(&self) -> Option<f32> {
        let Scene { a, at_a, b, at_b } = self.scene;
        let reach = |shape: &Shape, at: Transform| {
            let circle = shape.bounding_circle();
            at.position.length() + 2.0 * (circle.center.length() + circle.radius)
        };
        let (of_a, of_b) = (reach(a, at_a), reach(b, at_b));
        Some(if of_a > of_b { of_a } else { of_b }).filter(|size| size.is_finite())
    }

    /// Exchanging the two exchanges every answer, to the bit.
    fn expect_symmetric(&self) {
        let Scene { a, at_a, b, at_b } = self.scene;
        let touches = overlaps(a, at_a, b, at_b);
        let (found, back) = (distance(a, at_a, b, at_b), distance(b, at_b, a, at_a));
        let (there, again) = (contact(a, at_a, b, at_b), contact(b, at_b, a, at_a));
        let margin = (contact_within(a, at_a, b, at_b, 0.5), contact_within(b, at_b, a, at_a, 0.5));
        // What cannot be told apart gets the same answer both ways; and a number that is none
        // differs from itself.
        let far = |at: Transform| at.position.abs().max_element() > 1.0e18;
        let numbers = [at_a, at_b].iter().all(|&at| at.is_valid() && !far(at));
        let one_place = at_a.position.distance(at_b.position) < 1.0e-18;
        let round = matches!(a, Shape::Circle(_)) && one_place;
        if (a == b && (round || at_a == at_b)) || !numbers {
            return;
        }
        assert_eq!(overlaps(b, at_b, a, at_a), touches, "{:?}", self.scene);
        let bits = |v: Vec2| [v.x.to_bits(), v.y.to_bits()];
        assert_eq!(found.separation.to_bits(), back.separation.to_bits(), "{:?}", self.scene);
        assert!(found.normal == -back.normal, "{found:?} and {back:?}: {:?}", self.scene);
        let points = [found.point_a, found.point_b].map(bits);
        assert_eq!(
            points,
            [back.point_b, back.point_a].map(bits),
            "{found:?} and {back:?}: {:?}",
            self.scene
        );
        for (there, again) in [(there, again), margin] {
            let same = match (&there, &again) {
                (Some(there), Some(again)) => {
                    there.normal == -again.normal && told(there, false) == told(again, true)
                }
                (there, again) => there.is_none() && again.is_none(),
            };
            assert!(same, "{there:?} and {again:?}: {:?}", self.scene);
        }
    }

    /// Casts that may be anything: no panic, and times within the step.
    fn ask_motion(&self, way: Vec2, turn: f32) {
        let Scene { a, at_a, b, at_b } = self.scene;
        let moved = Motion::straight(at_b, way).turning(turn);
        for hit in [
            cast(a, Motion::still(at_a), b, moved),
            cast(b, moved, a, Motion::still(at_a)),
            cast(a, moved, b, moved),
        ]
        .into_iter()
        .flatten()
        {
            assert!((0.0..=1.0).contains(&hit.time), "{hit:?} by {way} and {turn}: {:?}", self.scene);
        }
    }

    fn expect_finite(&self) {
        let Scene { a, at_a, b, at_b } = self.scene;
        let found = distance(a, at_a, b, at_b);
        assert!(found.separation.is_finite() && found.normal.is_normalized(), "{found:?}: {:?}", self.scene);
        assert!(found.point_a.is_finite() && found.point_b.is_finite(), "{found:?}: {:?}", self.scene);
        let touches = contact(a, at_a, b, at_b);
        for manifold in [touches, contact_within(a, at_a, b, at_b, 0.5)].into_iter().flatten() {
            let finite = manifold.points().iter().all(|p| p.point.is_finite() && p.separation.is_finite());
            assert!(finite && !manifold.is_empty(), "{manifold:?}: {:?}", self.scene);
            assert!(manifold.normal.is_normalized(), "{manifold:?}: {:?}", self.scene);
        }
    }

    /// Overlap, contact and distance say the same, up to `share`.
    fn expect_agreement(&self, share: f32) {
        let Scene { a, at_a, b, at_b } = self.scene;
        let (touches, found) = (overlaps(a, at_a, b, at_b), distance(a, at_a, b, at_b));
        let apart = found.separation;
        assert!(!touches || apart < share, "{found:?}: {:?}", self.scene);
        assert!(touches || apart > -share, "{found:?}: {:?}", self.scene);
        let way = found.point_b - found.point_a;
        assert!((way.dot(found.normal) - apart).abs() <= 10.0 * share, "{found:?}: {:?}", self.scene);
        // Along a chain the normal is the one of its surface, and the separation is measured along
        // that.
        let smooth = matches!(a, Shape::Chain(_)) || matches!(b, Shape::Chain(_));
        let margin = 1_000.0 * share;
        for (reach, manifold) in
            [(0.0, contact(a, at_a, b, at_b)), (margin, contact_within(a, at_a, b, at_b, margin))]
        {
            let Some(manifold) = manifold else {
                assert!(apart > reach - share, "nothing within {reach}: {found:?}: {:?}", self.scene);
                continue;
            };
            assert!(apart < reach + share, "{manifold:?} within {reach}: {found:?}: {:?}", self.scene);
            let error = (manifold.separation() - apart).abs();
            assert!(smooth || error <= share, "{manifold:?} and {found:?}: {:?}", self.scene);
        }
    }

    /// Convex pairs, as the brute force of the tests sees them.
    fn expect_truth(&self, size: f32) {
        let Scene { a, b, .. } = self.scene;
        let is_convex = |shape: &Shape| {
            use Shape::{Capsule, Circle, Obb, Polygon, Segment};
            matches!(shape, Circle(_) | Capsule(_) | Segment(_) | Obb(_) | Polygon(_))
        };
        if !(is_convex(a) && is_convex(b)) {
            return;
        }
        let (convex_a, convex_b) = (Convex::of(a), Convex::of(b));
        let truth = Truth { size: f64::from(size), ..Truth::new(&self.scene, &convex_a, &convex_b) };
        if let Err(fault) = check(&self.scene, &truth) {
            // What is exchanged has been looked at already.
            let excused = ABOUT_PLACES.contains(&fault.rule) || fault.rule.starts_with("swapped");
            assert!(excused, "{fault:?} of {}: {:?}", truth.separation, self.scene);
        }
    }

    /// A cast touches when it says so, never too late; and nothing is passed through.
    fn expect_cast(&self, way: Vec2, size: f32) {
        let Scene { a, at_a, b, at_b } = self.scene;
        let share = CAST * size;
        let moved = Motion::straight(at_b, way);
        let hit = cast(a, Motion::still(at_a), b, moved);
        let apart = |time: f32| distance(a, at_a, b, moved.at(time)).separation;
        if let Some(hit) = hit {
            assert!(hit.point.is_finite(), "{hit:?} by {way}: {:?}", self.scene);
            assert!(apart(hit.time) <= share, "{hit:?} by {way}: {:?}", self.scene);
        }
        let end = hit.map_or(1.0, |hit| hit.time);
        for k in 0..=8 {
            let time = end * k as f32 / 8.0;
            let deep = apart(time) < -share && !(hit.is_some() && end == 0.0);
            assert!(!deep, "{hit:?} by {way}, passed at {time}: {:?}", self.scene);
        }
    }
}

/// The points of a manifold as bits, in an order of their own.
fn told(manifold: &Manifold, flip: bool) -> Vec<[u32; 5]> {
    let mut told: Vec<_> = manifold
        .points()
        .iter()
        .map(|p| {
            let (first, second) = if flip { (p.id.b, p.id.a) } else { (p.id.a, p.id.b) };
            let [x, y] = p.point.to_array().map(f32::to_bits);
            [x, y, p.separation.to_bits(), first.into(), second.into()]
        })
        .collect();
    told.sort_unstable();
    told
}

/// A ray ends on the border, and goes through nothing.
fn expect_ray(shape: &Shape, at: Transform, line: Ray, share: f32) {
    let hit = ray(shape, at, line);
    let depth = |point: Vec2| closest_point(shape, at, point).distance;
    assert_eq!(contains(shape, at, line.from), depth(line.from) <= 0.0, "{line:?}, {shape:?} {at:?}");
    if let Some(hit) = hit {
        assert!((0.0..=1.0).contains(&hit.fraction), "{hit:?} of {line:?}, {shape:?} {at:?}");
        let least = if hit.fraction == 0.0 { share } else { share - depth(hit.point).abs() };
        assert!(depth(hit.point) <= share && least >= 0.0, "{hit:?} of {line:?}, {shape:?} {at:?}");
    }
    let end = hit.map_or(1.0, |hit| hit.fraction);
    for k in 0..=8 {
        let point = line.at(end * k as f32 / 8.0);
        let deep = depth(point) < -share && end > 0.0;
        assert!(!deep, "{hit:?} of {line:?} passed {point}, {shape:?} {at:?}");
    }
}
