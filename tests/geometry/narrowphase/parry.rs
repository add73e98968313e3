//! parry2d as a second opinion on overlap, distance and depth.
//!
//! Both engines get the same numbers. Where their answers differ, the brute force decides which one
//! is wrong. Only carom being wrong fails the test; how often the other was is printed.

use carom::{Polygon, Shape, Transform, Vec2, contact, distance, overlaps};
use parry2d::math::{Pose, Rotation};
use parry2d::query;
use parry2d::shape::{Ball, Capsule, ConvexPolygon, Cuboid, RoundShape, Segment, SharedShape};

use testkit::convex::{Kind, poses};
use testkit::long_rounds;
use testkit::pair_rules::{Fault, Scene, TOLERANCE, Tally, Truth};
use testkit::random::Random;

/// A shape of parry2d and its place in the frame of the carom shape.
struct Peer {
    shape: SharedShape,
    local: Pose,
}

fn pose(at: Transform) -> Pose {
    Pose::from_parts(at.position, Rotation::from_cos_sin_unchecked(at.rotation.cos, at.rotation.sin))
}

impl Peer {
    /// `None` where parry2d refuses the corners.
    fn of(shape: &Shape) -> Option<Peer> {
        let mut local = Pose::identity();
        let shape = match shape {
            Shape::Circle(circle) => {
                local = Pose::from_translation(circle.center());
                SharedShape::new(Ball::new(circle.radius()))
            }
            Shape::Capsule(capsule) => {
                let [a, b] = capsule.ends();
                SharedShape::new(Capsule::new(a, b, capsule.radius()))
            }
            Shape::Segment(segment) => {
                let [a, b] = segment.ends();
                SharedShape::new(Segment::new(a, b))
            }
            Shape::Obb(obb) => {
                local = pose(Transform { position: obb.center(), rotation: obb.rotation() });
                let cuboid = Cuboid::new(obb.half_size());
                match obb.radius() {
                    0.0 => SharedShape::new(cuboid),
                    border_radius => SharedShape::new(RoundShape { inner_shape: cuboid, border_radius }),
                }
            }
            Shape::Polygon(polygon) => convex_polygon(polygon)?,
            other => panic!("not one convex shape: {other:?}"),
        };
        Some(Peer { shape, local })
    }

    fn at(&self, at: Transform) -> Pose {
        pose(at) * self.local
    }
}

fn convex_polygon(polygon: &Polygon) -> Option<SharedShape> {
    let corners: Vec<Vec2> = polygon.vertices().to_vec();
    let inner_shape = ConvexPolygon::from_convex_polyline_unmodified(corners)?;
    Some(match polygon.radius() {
        0.0 => SharedShape::new(inner_shape),
        border_radius => SharedShape::new(RoundShape { inner_shape, border_radius }),
    })
}

/// How often the two differed, and which one was wrong.
#[derive(Default)]
struct Verdicts {
    tally: Tally,
    /// Overlap or not: parry2d wrong by more than the tolerance.
    peer_wrong_overlap: usize,
    /// Distance: parry2d wrong by more than the tolerance.
    peer_wrong_distance: usize,
    /// Depth: parry2d wrong by more than the tolerance, or silent about an overlap.
    peer_wrong_depth: usize,
}

impl Verdicts {
    fn add(&mut self, scene: &Scene, truth: &Truth, peers: [&Peer; 2]) {
        let Scene { a, at_a, b, at_b } = *scene;
        let (size, oracle) = (truth.size, truth.separation);
        let (pose_a, pose_b) = (peers[0].at(at_a), peers[1].at(at_b));
        let (shape_a, shape_b) = (&*peers[0].shape.0, &*peers[1].shape.0);
        let is_off =
            |found: f64, expected: f64| found.is_nan() || (found - expected).abs() > TOLERANCE * size;
        let mut wrong = None;
        let mut blame = |rule: &'static str, found: f64| wrong = Some(Fault { rule, found });

        let ours = overlaps(a, at_a, b, at_b);
        let theirs = query::intersection_test(&pose_a, shape_a, &pose_b, shape_b);
        let theirs = theirs.expect("parry2d tests all of these pairs").intersecting;
        if ours != theirs && oracle.abs() > TOLERANCE * size {
            match ours == (oracle <= 0.0) {
                true => self.peer_wrong_overlap += 1,
                false => blame("overlaps, where parry2d is right", f64::NAN),
            }
        }

        let ours = f64::from(distance(a, at_a, b, at_b).distance());
        let theirs = query::distance(&pose_a, shape_a, &pose_b, shape_b);
        let theirs = f64::from(theirs.expect("parry2d measures all of these pairs").distance);
        if is_off(ours, theirs) {
            self.peer_wrong_distance += usize::from(is_off(theirs, oracle.max(0.0)));
            if is_off(ours, oracle.max(0.0)) {
                blame("distance, where parry2d differs", ours);
            }
        }

        if oracle < -TOLERANCE * size {
            let ours = contact(a, at_a, b, at_b).map_or(0.0, |manifold| f64::from(manifold.separation()));
            let theirs = query::contact(&pose_a, shape_a, &pose_b, shape_b, 0.0);
            let theirs =
                theirs.expect("parry2d collides all of these pairs").map_or(0.0, |c| f64::from(c.dist));
            if is_off(ours, theirs) {
                self.peer_wrong_depth += usize::from(is_off(theirs, oracle));
                if is_off(ours, oracle) {
                    blame("depth, where parry2d differs", ours);
                }
            }
        }
        self.tally.add(scene, oracle, wrong.map_or(Ok(0.0), Err));
    }
}

/// `first` against itself and every kind after it: 500 pairs each in debug builds, 80,000 in
/// release, 200,000 where one takes the time.
fn against_the_rest(first: Kind) {
    let mut report = String::new();
    for &second in Kind::ALL.iter().skip_while(|&&kind| kind != first) {
        let what = format!("{first:?} and {second:?}");
        let mut random = Random::new(10_000 + 100 * first as u64 + second as u64);
        let mut verdicts = Verdicts::default();
        while verdicts.tally.pairs < long_rounds(500, 40_000, 200_000) {
            let [(a, convex_a), (b, convex_b)] = [first, second].map(|kind| kind.sample(&mut random));
            let Some((peer_a, peer_b)) = Peer::of(&a).zip(Peer::of(&b)) else { continue };
            for _ in 0..16 {
                let [at_a, at_b] = poses(&mut random, &convex_a, &convex_b);
                let scene = Scene { a: &a, at_a, b: &b, at_b };
                verdicts.add(&scene, &Truth::new(&scene, &convex_a, &convex_b), [&peer_a, &peer_b]);
            }
        }
        let Verdicts { tally, peer_wrong_overlap, peer_wrong_distance, peer_wrong_depth } = verdicts;
        eprintln!(
            "{what:<34} {} pairs; parry2d off by more than {TOLERANCE:e} of the size: overlap \
             {peer_wrong_overlap}, distance {peer_wrong_distance}, depth {peer_wrong_depth}",
            tally.pairs
        );
        report += &tally.report(&what);
    }
    assert!(report.is_empty(), "{report}");
}

#[test]
fn parry2d_on_circles_capsules_and_segments() {
    [Kind::Circle, Kind::Capsule, Kind::Segment].into_iter().for_each(against_the_rest);
}

#[test]
fn parry2d_on_boxes_polygons_and_needles() {
    let kinds = [Kind::Rect, Kind::RoundedRect, Kind::Polygon, Kind::RoundedPolygon, Kind::Needle];
    kinds.into_iter().for_each(against_the_rest);
}
