//! Boxes, circles and trees of circles around shapes.
//!
//! The oracle is `f64`: corners and radii as the shapes hold them, and every point, side and pair
//! tried.

use carom::{Aabb, BoundingCircle, CircleTree, Shape, ShapeError, Transform, Vec2, vec2};
use carom::{closest_point, distance, overlaps};
use glam::DVec2;

use testkit::convex::{Kind, poses};
use testkit::oracle::{Convex, Pose, point_distance, wide};
use testkit::random::Random;
use testkit::rounds;

/// Allowed rounding error, as a share of the size.
const ROUNDING: f64 = 1.0e-5;

/// A shape with its convex parts in `f64`.
struct Sample {
    shape: Shape,
    parts: Vec<Convex>,
}

impl Sample {
    fn new(shape: Shape) -> Sample {
        Sample { parts: Convex::parts_of(&shape), shape }
    }

    /// Greatest distance of its points from the origin of its frame.
    fn reach(&self) -> f64 {
        self.parts.iter().fold(0.0, |most, part| most.max(part.reach()))
    }

    /// Greatest distance of two of its corners, and the rounding at both ends.
    fn extent(&self) -> f64 {
        let corners: Vec<_> =
            self.parts.iter().flat_map(|p| p.corners().iter().map(|&c| (c, p.radius))).collect();
        let pairs = corners.iter().flat_map(|p| corners.iter().map(move |q| p.0.distance(q.0) + p.1 + q.1));
        pairs.fold(0.0, f64::max)
    }

    /// How far `point` is from the nearest part; negative inside one.
    fn distance(&self, point: DVec2) -> f64 {
        self.parts.iter().map(|part| point_distance(part, point)).fold(f64::INFINITY, f64::min)
    }

    /// A point of the shape: half of the time on the border of a part, else inside one.
    fn point(&self, random: &mut Random) -> DVec2 {
        let part = &self.parts[random.below(self.parts.len())];
        let corners = part.corners();
        let weights: Vec<f64> = corners.iter().map(|_| random.unit().powi(3)).collect();
        let sum: f64 = weights.iter().sum();
        let inside = corners.iter().zip(&weights).map(|(&c, w)| c * (w / sum)).sum::<DVec2>();
        let k = random.below(corners.len());
        let (p, q) = (corners[k], corners[(k + 1) % corners.len()]);
        let outward = -(q - p).perp().normalize_or_zero();
        match random.below(4) {
            0 => p.lerp(q, random.unit()) + outward * part.radius,
            1 => p + random.direction() * part.radius,
            _ => inside + random.direction() * (part.radius * random.unit()),
        }
    }
}

/// All kinds that have a bounded extent, the composite ones included.
fn sample(random: &mut Random, kind: usize) -> Sample {
    if let Some(kind) = Kind::ALL.get(kind) {
        return Sample::new(kind.sample(random).0);
    }
    let size = random.log_range(0.1, 10.0);
    loop {
        let shape = match kind - Kind::ALL.len() {
            0 => star(random, size),
            1 => compound(random, size),
            2 => Shape::chain(&walk(random, size)),
            _ => Shape::closed_chain(&walk(random, size)),
        };
        if let Ok(shape) = shape.checked() {
            return Sample::new(shape);
        }
    }
}

const KINDS: usize = Kind::ALL.len() + 4;

fn star(random: &mut Random, size: f64) -> Shape {
    let count = 3 + random.below(10);
    let corners: Vec<Vec2> = (0..count)
        .map(|k| {
            let (sin, cos) = (core::f64::consts::TAU * k as f64 / count as f64).sin_cos();
            (DVec2::new(cos, sin) * (size * random.range(0.2, 0.5))).as_vec2()
        })
        .collect();
    Shape::polar(&corners).transformed(random.transform(size))
}

fn compound(random: &mut Random, size: f64) -> Shape {
    let count = 1 + random.below(5);
    let parts: Vec<Shape> = (0..count)
        .map(|_| {
            let kind = Kind::ALL[random.below(Kind::ALL.len())];
            kind.sample(random).0.transformed(random.transform(0.5 * size))
        })
        .collect();
    Shape::compound(parts)
}

fn walk(random: &mut Random, size: f64) -> Vec<Vec2> {
    (0..3 + random.below(6)).map(|_| random.vec2(0.5 * size)).collect()
}

// Boxes.

#[test]
fn the_box_of_a_turned_shape_is_tight_for_every_kind() {
    let mut random = Random::new(1);
    for round in 0..rounds(5_000, 100_000) {
        let sample = sample(&mut random, round % KINDS);
        let at = random.transform(2.0 * sample.reach());
        let aabb = sample.shape.aabb(at);
        let size = sample.reach() + wide(at.position).length();
        for axis in [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y] {
            let placed = sample.parts.iter().map(|part| part.placed(at));
            let tops = placed.flat_map(|part| {
                part.corners().iter().map(|c| c.dot(axis) + part.radius).collect::<Vec<_>>()
            });
            let top = tops.fold(f64::NEG_INFINITY, f64::max);
            let side = wide(aabb.min).dot(axis).max(wide(aabb.max).dot(axis));
            assert!((side - top).abs() <= ROUNDING * size, "{:?} at {at:?}: {side} for {top}", sample.shape);
        }
    }
}

#[test]
fn boxes_of_half_planes_end_only_where_an_axis_is_cut() {
    let quarter = core::f32::consts::FRAC_PI_2;
    let ground = Shape::half_plane([0.0, 2.0], [0.0, 3.0]);
    assert_eq!(ground.aabb(Transform::IDENTITY).max, vec2(f32::INFINITY, 2.0));
    assert_eq!(ground.aabb(Transform::IDENTITY).min, Vec2::NEG_INFINITY);
    assert_eq!(Shape::half_plane([1.0, 0.0], [-2.0, 0.0]).aabb(Transform::at([3.0, 0.0])).min.x, 4.0);
    assert_eq!(Shape::half_plane([0.0, 1.0], [0.0, -2.0]).aabb(Transform::at([0.0, 3.0])).min.y, 4.0);
    assert_eq!(Shape::half_plane([1.0, 0.0], [2.0, 0.0]).aabb(Transform::at([3.0, 0.0])).max.x, 4.0);
    let slope = ground.aabb(Transform::new([0.0, 0.0], 0.5 * quarter));
    assert_eq!((slope.min, slope.max), (Vec2::NEG_INFINITY, Vec2::INFINITY));
    assert_eq!(Shape::circle(-1.0).aabb(Transform::IDENTITY), Aabb::EMPTY);
}

#[test]
fn boxes_that_share_a_border_or_a_corner_overlap() {
    let unit = Aabb::new([0.0, 0.0], [1.0, 1.0]);
    let beyond = 1.0_f32.next_up();
    for (near, far) in [([1.0, 0.5], [beyond, 0.5]), ([0.5, 1.0], [0.5, beyond]), ([1.0, 1.0], [1.0, beyond])]
    {
        let touching = Aabb::new(near, [2.0, 2.0]);
        assert!(unit.overlaps(&touching) && touching.overlaps(&unit));
        let apart = Aabb::new(far, [2.0, 2.0]);
        assert!(!unit.overlaps(&apart) && !apart.overlaps(&unit));
        assert!(unit.contains_point(near.into()) && !unit.contains_point(far.into()));
    }
    assert!(unit.contains(&unit) && unit.overlaps(&unit));
    assert!(!unit.overlaps(&Aabb::EMPTY) && !Aabb::EMPTY.overlaps(&Aabb::EMPTY));
    assert!(unit.contains(&Aabb::EMPTY) && !Aabb::EMPTY.is_valid() && unit.is_valid());
    let nowhere = Aabb { min: Vec2::NAN, max: Vec2::NAN };
    assert!(!nowhere.is_valid() && !nowhere.overlaps(&unit) && !unit.overlaps(&nowhere));
}

/// Small whole numbers: many borders coincide.
fn grid_box(random: &mut Random) -> Aabb {
    let mut corner = || vec2(random.below(9) as f32, random.below(9) as f32);
    Aabb::new(corner(), corner())
}

#[test]
fn boxes_agree_with_their_points_on_a_grid() {
    let mut random = Random::new(2);
    for _ in 0..rounds(2_000, 50_000) {
        let (a, b) = (grid_box(&mut random), grid_box(&mut random));
        let points = |aabb: Aabb| {
            let inside = move |i: usize| aabb.contains_point(vec2((i % 9) as f32, (i / 9) as f32));
            (0..81).filter(|&i| inside(i)).collect::<Vec<_>>()
        };
        let (in_a, in_b, in_both) = (points(a), points(b), points(a.union(b)));
        assert_eq!(a.overlaps(&b), in_a.iter().any(|i| in_b.contains(i)));
        assert_eq!(a.contains(&b), in_b.iter().all(|i| in_a.contains(i)));
        assert!(in_a.iter().chain(&in_b).all(|i| in_both.contains(i)));
        let gap = |p: usize, q: usize| {
            let (dx, dy) = ((p % 9).abs_diff(q % 9), (p / 9).abs_diff(q / 9));
            dx * dx + dy * dy
        };
        let least = in_a.iter().flat_map(|&p| in_b.iter().map(move |&q| gap(p, q))).min();
        assert_eq!(a.distance_squared(&b), least.expect("no box is empty") as f32);
        assert_eq!(a.distance_squared(&b), b.distance_squared(&a));
        assert_eq!(a.distance_squared(&b) == 0.0, a.overlaps(&b));
    }
}

#[test]
fn a_union_is_the_smallest_box_around_both() {
    let mut random = Random::new(3);
    for _ in 0..rounds(2_000, 100_000) {
        let a = Aabb::new(random.vec2(10.0), random.vec2(10.0));
        let b = Aabb::new(random.vec2(10.0), random.vec2(10.0));
        let both = a.union(b);
        assert!(both.contains(&a) && both.contains(&b));
        assert_eq!(both, b.union(a));
        assert_eq!(a.union(Aabb::EMPTY), a);
        for (side, low) in [(both.min, true), (both.max, false)] {
            for axis in 0..2 {
                let corners = if low { [a.min, b.min] } else { [a.max, b.max] };
                assert!(side[axis] == corners[0][axis] || side[axis] == corners[1][axis]);
            }
        }
        assert_eq!(Aabb::around_points(&[a.min, b.max, a.max, b.min]), both);
    }
}

#[test]
fn a_grown_or_turned_box_contains_what_it_contained() {
    let mut random = Random::new(4);
    for _ in 0..rounds(2_000, 50_000) {
        let aabb = Aabb::new(random.vec2(10.0), random.vec2(10.0));
        let inside = Vec2::new(
            random.range(f64::from(aabb.min.x), f64::from(aabb.max.x)) as f32,
            random.range(f64::from(aabb.min.y), f64::from(aabb.max.y)) as f32,
        );
        let at = random.transform(10.0);
        assert!(aabb.transformed(at).grown(1.0e-5).contains_point(at.apply(inside)));
        assert!(aabb.grown(0.5).contains(&aabb));
        assert!((aabb.grown(0.5).size() - aabb.size() - Vec2::ONE).length() < 1.0e-5);
        assert!((aabb.grown(0.5).center() - aabb.center()).length() < 1.0e-5);
    }
}

// Circles.

/// No circle is smaller than half of the greatest extent. One around the centroid of a polygon may
/// be 4/3 of that, one around the middle of a box around points √2 of it, one around any point
/// inside twice. Compounds add the circles of their parts to the distance of these: √2 + 4/3 at
/// most.
#[test]
fn bounding_circles_contain_the_shape_and_are_not_much_too_large() {
    let mut random = Random::new(5);
    for round in 0..rounds(3_000, 100_000) {
        let sample = sample(&mut random, round % KINDS);
        let circle = sample.shape.bounding_circle();
        let (center, radius) = (wide(circle.center), f64::from(circle.radius));
        for _ in 0..16 {
            let outside = center.distance(sample.point(&mut random)) - radius;
            assert!(outside <= 1.0e-6 * sample.reach(), "{outside} outside {:?}", sample.shape);
        }
        let factor = match sample.shape {
            Shape::Circle(_) | Shape::Capsule(_) | Shape::Segment(_) | Shape::Obb(_) => 1.0,
            Shape::Polygon(_) => 4.0 / 3.0,
            Shape::Chain(_) => core::f64::consts::SQRT_2,
            Shape::Compound(_) => core::f64::consts::SQRT_2 + 4.0 / 3.0,
            _ => 2.0,
        };
        let least = 0.5 * sample.extent();
        assert!(radius <= least * (factor + ROUNDING), "{} times {:?}", radius / least, sample.shape);
    }
}

#[test]
fn circles_overlap_when_the_sum_of_their_radii_reaches() {
    let circle = |x: f32, y: f32, radius: f32| BoundingCircle { center: vec2(x, y), radius };
    let (a, b) = (circle(0.0, 0.0, 2.0), circle(3.0, 4.0, 3.0));
    assert!(a.overlaps(&b) && b.overlaps(&a), "touching counts");
    assert!(!a.overlaps(&circle(3.0, 4.0, 2.999_999)));
    assert!(a.contains_point(vec2(2.0, 0.0)) && !a.contains_point(vec2(2.0_f32.next_up(), 0.0)));
    let everything = Shape::half_plane([0.0, 0.0], [0.0, 1.0]).bounding_circle();
    let nothing = Shape::circle(0.0).bounding_circle();
    assert!(everything.overlaps(&a) && !nothing.overlaps(&a) && !nothing.overlaps(&everything));

    let mut random = Random::new(6);
    for _ in 0..rounds(10_000, 1_000_000) {
        let (p, q) = (random.vec2(3.0), random.vec2(3.0));
        let (r, s) = (random.range(0.0, 2.0) as f32, random.range(0.0, 2.0) as f32);
        let gap = wide(p).distance(wide(q)) - f64::from(r) - f64::from(s);
        let hit = circle(p.x, p.y, r).overlaps(&circle(q.x, q.y, s));
        assert!(hit == (gap <= 0.0) || gap.abs() < 1.0e-6, "{gap}");
    }
}

/// ```text
///     .---.
///    /     \  o      the shot o hits: its border, not its centre, comes within the ship's radius
///   (  ship  )
///    \     /         centres of hits fill a disc of radius 1 + 0.3, of which the ship's own radius
///     '---'          covers 1 / 1.3² = 59 %
/// ```
#[test]
fn one_radius_instead_of_the_sum_loses_four_hits_in_ten() {
    let (ship, shot) = (Shape::circle(1.0), Shape::circle(0.3));
    let mut random = Random::new(7);
    let (mut hits, mut lost_by_one, mut lost_by_sum) = (0_u32, 0_u32, 0_u32);
    for _ in 0..rounds(20_000, 200_000) {
        let at = Transform::at(random.vec2(1.5));
        if overlaps(&ship, Transform::IDENTITY, &shot, at) {
            hits += 1;
            lost_by_one += u32::from(!ship.bounding_circle().contains_point(at.position));
            let around_shot = shot.bounding_circle().transformed(at);
            lost_by_sum += u32::from(!ship.bounding_circle().overlaps(&around_shot));
        }
    }
    let share = f64::from(lost_by_one) / f64::from(hits);
    assert!((share - (1.0 - 1.0 / 1.69)).abs() < 0.01, "{share}");
    assert_eq!(lost_by_sum, 0);
}

// Trees of circles.

/// A tree with a tolerance of 1/3 to 1/300 of the size; fine ones are costly without optimisation.
fn tree_of(random: &mut Random, sample: &Sample) -> CircleTree {
    let finest = if cfg!(debug_assertions) { 0.03 } else { 0.003 };
    let tolerance = sample.extent() * random.log_range(finest, 0.3);
    CircleTree::new(&sample.shape, tolerance as f32)
        .unwrap_or_else(|e| panic!("{e:?} {tolerance} {:?}", sample.shape))
}

#[test]
fn leaf_circles_contain_the_shape() {
    let mut random = Random::new(8);
    for round in 0..rounds(2 * KINDS, 300) {
        let sample = sample(&mut random, round % KINDS);
        let tree = tree_of(&mut random, &sample);
        let leaves: Vec<(DVec2, f64)> =
            tree.circles().map(|c| (wide(c.center), f64::from(c.radius))).collect();
        for _ in 0..100 {
            let point = sample.point(&mut random);
            let outside = leaves.iter().map(|(c, r)| c.distance(point) - r).fold(f64::INFINITY, f64::min);
            assert!(outside <= 1.0e-6 * sample.reach(), "{outside} outside: {:?}", sample.shape);
        }
    }
}

#[test]
fn no_leaf_circle_stands_out_by_more_than_the_tolerance() {
    let mut random = Random::new(9);
    for round in 0..rounds(2 * KINDS, 300) {
        let sample = sample(&mut random, round % KINDS);
        let tree = tree_of(&mut random, &sample);
        let slack = 1.0e-6 * sample.reach();
        let tolerance = f64::from(tree.tolerance());
        for circle in tree.circles() {
            for k in 0..24 {
                let (sin, cos) = (core::f64::consts::TAU * f64::from(k) / 24.0).sin_cos();
                let point = wide(circle.center) + DVec2::new(cos, sin) * f64::from(circle.radius);
                let by_oracle = sample.distance(point);
                assert!(by_oracle <= tolerance + slack, "{by_oracle} for {tolerance}: {:?}", sample.shape);
                let by_carom = closest_point(&sample.shape, Transform::IDENTITY, point.as_vec2()).distance;
                assert!(f64::from(by_carom) <= tolerance + 3.0 * slack, "{by_carom}: {:?}", sample.shape);
            }
        }
    }
}

#[test]
fn a_looser_tolerance_needs_fewer_circles() {
    let mut random = Random::new(10);
    let steps = if cfg!(debug_assertions) { 3 } else { 5 };
    for round in 0..rounds(KINDS, 200) {
        let sample = sample(&mut random, round % KINDS);
        let count = |step: i32| {
            let tolerance = sample.extent() * 0.25_f64.powi(step);
            CircleTree::new(&sample.shape, tolerance as f32).expect("a tolerance within reason").len()
        };
        let counts: Vec<usize> = (0..steps).map(count).collect();
        assert!(counts.is_sorted(), "{counts:?}: {:?}", sample.shape);
    }
}

/// What the search for cuts and centres is for: smallest circles around halves of upright boxes
/// would be, at a tolerance of 0.01, 212 for the box, 580 for the same box turned by 30 degrees,
/// 293 for the capsule.
#[test]
fn circle_trees_need_few_circles() {
    let rect = Shape::rect(2.0, 1.0);
    let shapes = [
        (Shape::circle(1.0), [1, 1, 1]),
        (rect.clone(), [10, 32, 114]),
        (rect.turned(0.5), [10, 32, 114]),
        (Shape::rect(1.5, 0.5).rounded(0.25), [6, 20, 62]),
        (Shape::capsule([0.0, 0.0], [0.0, 1.2], 0.4), [4, 10, 32]),
        (Shape::triangle([0.0, 0.0], [1.0, 0.0], [0.5, 0.866]), [8, 24, 114]),
        (Shape::segment([0.0, 0.0], [0.6, 0.8]), [6, 61, 673]),
    ];
    for (shape, most) in shapes {
        let count = |tolerance: f32| CircleTree::new(&shape, tolerance).map(|tree| tree.len());
        let counts = [count(0.1), count(0.01), count(0.001)];
        assert!(
            counts.iter().zip(most).all(|(count, most)| count.is_ok_and(|c| c <= most)),
            "{counts:?}: {shape:?}"
        );
    }
}

/// Two shapes, their trees, and where they stand: half of the pairs overlap or nearly touch.
struct Pair {
    shapes: [Sample; 2],
    trees: [CircleTree; 2],
}

impl Pair {
    fn new(random: &mut Random) -> Pair {
        let kinds = [random.below(KINDS), random.below(KINDS)];
        let shapes = kinds.map(|kind| sample(random, kind));
        let trees = [tree_of(random, &shapes[0]), tree_of(random, &shapes[1])];
        Pair { shapes, trees }
    }

    fn poses(&self, random: &mut Random) -> [Transform; 2] {
        let part = |sample: &Sample, k: usize| sample.parts[k % sample.parts.len()];
        let (j, k) = (random.below(8), random.below(8));
        poses(random, &part(&self.shapes[0], j), &part(&self.shapes[1], k))
    }

    /// The lengths that rounding errors go by.
    fn scale(&self, at: [Transform; 2]) -> f64 {
        let reach = self.shapes[0].reach() + self.shapes[1].reach();
        reach + wide(at[0].position).distance(wide(at[1].position))
    }

    fn trees_overlap(&self, at: [Transform; 2]) -> bool {
        let hit = self.trees[0].overlaps(at[0], &self.trees[1], at[1]);
        assert_eq!(hit, self.trees[1].overlaps(at[1], &self.trees[0], at[0]), "exchanged");
        hit
    }

    /// The least distance of two leaf circles.
    fn least_gap(&self, at: [Transform; 2]) -> f64 {
        let place = |k: usize| {
            let pose = Pose::from(at[k]);
            let leaves = self.trees[k].circles();
            leaves.map(|c| (pose.apply(wide(c.center)), f64::from(c.radius))).collect::<Vec<_>>()
        };
        let (a, b) = (place(0), place(1));
        let gaps = a.iter().flat_map(|p| b.iter().map(move |q| p.0.distance(q.0) - p.1 - q.1));
        gaps.fold(f64::INFINITY, f64::min)
    }
}

#[test]
fn trees_overlap_exactly_when_two_leaves_do() {
    let mut random = Random::new(11);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..rounds(30, 400) {
        let pair = Pair::new(&mut random);
        for _ in 0..10 {
            let at = pair.poses(&mut random);
            let (hit, gap) = (pair.trees_overlap(at), pair.least_gap(at));
            let noise = 2.0e-6 * pair.scale(at);
            assert!(hit || gap > 0.0, "missed leaves {gap} apart");
            assert!(!hit || gap < noise, "found leaves {gap} apart");
            (hits, misses) = (hits + u32::from(hit), misses + u32::from(!hit));
        }
    }
    assert!(hits.min(misses) * 5 > hits.max(misses), "{hits} hits, {misses} misses");
}

#[test]
fn trees_err_on_the_side_of_yes_and_by_no_more_than_the_tolerances() {
    let mut random = Random::new(12);
    let (mut true_hits, mut false_hits) = (0, 0);
    for _ in 0..rounds(50, 500) {
        let pair = Pair::new(&mut random);
        let [a, b] = &pair.shapes;
        let tolerances = f64::from(pair.trees[0].tolerance()) + f64::from(pair.trees[1].tolerance());
        for _ in 0..50 {
            let at = pair.poses(&mut random);
            let hit = pair.trees_overlap(at);
            let apart = f64::from(distance(&a.shape, at[0], &b.shape, at[1]).separation);
            let truth = overlaps(&a.shape, at[0], &b.shape, at[1]);
            assert!(hit || !truth, "missed: {:?} {:?} {at:?}", a.shape, b.shape);
            let limit = tolerances + ROUNDING * pair.scale(at);
            assert!(!hit || apart <= limit, "{apart} apart: {:?} {:?} {at:?}", a.shape, b.shape);
            true_hits += u32::from(truth);
            false_hits += u32::from(hit && !truth);
        }
    }
    assert!(true_hits > 100 && false_hits > 10, "{true_hits} {false_hits}");
}

#[test]
fn a_tree_against_one_circle_agrees_with_its_leaves() {
    let mut random = Random::new(13);
    for round in 0..rounds(2 * KINDS, 250) {
        let sample = sample(&mut random, round % KINDS);
        let tree = tree_of(&mut random, &sample);
        for _ in 0..20 {
            let at = random.transform(sample.extent());
            let circle = BoundingCircle {
                center: random.vec2(3.0 * sample.extent()),
                radius: (sample.extent() * random.range(0.0, 1.0)) as f32,
            };
            let (pose, center) = (Pose::from(at), wide(circle.center));
            let gap = |leaf: BoundingCircle| {
                pose.apply(wide(leaf.center)).distance(center)
                    - f64::from(leaf.radius)
                    - f64::from(circle.radius)
            };
            let least = tree.circles().map(gap).fold(f64::INFINITY, f64::min);
            let hit = tree.overlaps_circle(at, &circle);
            assert!(hit == (least <= 0.0) || (hit && least < 1.0e-5 * sample.extent()), "{hit} {least}");
        }
        let nothing = Shape::circle(-1.0).bounding_circle();
        let everything = Shape::half_plane([0.0, 0.0], [0.0, 1.0]).bounding_circle();
        assert!(!tree.overlaps_circle(Transform::IDENTITY, &nothing));
        assert!(tree.overlaps_circle(Transform::IDENTITY, &everything));
    }
}

#[test]
fn the_circle_around_a_tree_contains_its_leaves_and_is_tight() {
    let mut random = Random::new(14);
    for round in 0..rounds(2 * KINDS, 250) {
        let sample = sample(&mut random, round % KINDS);
        let tree = tree_of(&mut random, &sample);
        let around = tree.bounding_circle();
        for leaf in tree.circles() {
            let reach = wide(leaf.center).distance(wide(around.center)) + f64::from(leaf.radius);
            assert!(reach <= f64::from(around.radius));
        }
        // No circle around a set of diameter d needs a radius of more than d / √3 (Jung 1901).
        let widest = sample.extent() + 2.0 * f64::from(tree.tolerance());
        assert!(f64::from(around.radius) <= 1.05 * widest / 3.0_f64.sqrt(), "{:?}", sample.shape);
    }
}

#[test]
fn touching_trees_overlap() {
    let tree = CircleTree::new(&Shape::circle(1.0), 0.1).expect("a valid tolerance");
    assert_eq!((tree.len(), tree.tolerance()), (1, 0.1));
    assert!(tree.overlaps(Transform::IDENTITY, &tree, Transform::at([1.2, 1.6])));
    assert!(!tree.overlaps(Transform::IDENTITY, &tree, Transform::at([1.2001, 1.6])));
    // The same far from the origin: only the difference of the positions counts.
    let far = Transform::at([1.0e6, -1.0e6]);
    assert!(tree.overlaps(far, &tree, Transform::at([1.0e6 + 1.5, -1.0e6 + 1.25])));
    assert!(!tree.overlaps(far, &tree, Transform::at([1.0e6 + 1.5, -1.0e6 + 1.375])));
}

#[test]
fn tolerances_that_mean_nothing_are_refused() {
    let refused = |shape: &Shape, tolerance: f32| CircleTree::new(shape, tolerance).err();
    let rect = Shape::rect(2.0, 1.0);
    for tolerance in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2.0e9] {
        assert_eq!(refused(&rect, tolerance), Some(ShapeError::OutOfRange));
    }
    for tolerance in [0.0, -0.0, -1.0, 1.0e-7, 3.0e-6, f32::MIN_POSITIVE] {
        assert_eq!(refused(&rect, tolerance), Some(ShapeError::TooSmall), "{tolerance}");
    }
    assert_eq!(refused(&rect.clone().at([1.0e6, 0.0]), 1.0), Some(ShapeError::TooSmall));
    assert_eq!(refused(&rect.at([1.0e6, 0.0]), 10.0), None);
    assert_eq!(refused(&Shape::half_plane([0.0, 0.0], [0.0, 1.0]), 0.1), Some(ShapeError::NotApplicable));
    assert_eq!(refused(&Shape::circle(-1.0), 0.1), Some(ShapeError::NotPositive));
    assert_eq!(refused(&Shape::chain::<Vec2>(&[]), 0.1), Some(ShapeError::Empty));
    // Each of these segments needs a circle, and there are too many of them.
    let points: Vec<Vec2> = (0..65_538).map(|k| vec2(k as f32, 0.0)).collect();
    assert_eq!(refused(&Shape::chain(&points), 1.0), Some(ShapeError::TooSmall));
}

/// The deepest tree there is, against itself: every level of both is opened.
#[test]
fn the_largest_tree_is_searched_to_its_leaves() {
    let count = rounds(2_048, 65_536);
    let points: Vec<Vec2> = (0..=count).map(|k| vec2(k as f32, 0.0)).collect();
    let chain = Shape::chain(&points);
    let tree = CircleTree::new(&chain, 0.6).expect("one circle for each segment");
    assert_eq!((tree.len(), tree.circles().count()), (count, count));
    let beside = |y: f32| Transform::at([0.25, y]);
    assert!(tree.overlaps(Transform::IDENTITY, &tree, beside(0.9)));
    assert!(!tree.overlaps(Transform::IDENTITY, &tree, beside(1.25)));
    let end = BoundingCircle { center: vec2(count as f32 + 1.0, 0.0), radius: 1.0 };
    assert!(tree.overlaps_circle(Transform::IDENTITY, &end));
}

#[test]
fn the_same_shape_gives_the_same_tree() {
    let mut random = Random::new(15);
    for kind in 0..KINDS {
        let sample = sample(&mut random, kind);
        let tolerance = (0.05 * sample.extent()) as f32;
        let build = || CircleTree::new(&sample.shape, tolerance).expect("a valid tolerance");
        let (tree, again) = (build(), build().clone());
        assert_eq!(tree, again);
        assert_eq!(format!("{tree:?}"), format!("{again:?}"));
        assert_eq!(tree.len(), tree.circles().count());
    }
}
