//! Circles that refine a shape: as many as a stated tolerance needs, and a tree over them.
//!
//! In: a shape and a tolerance in metres. Out: [`CircleTree`], whose leaf circles together contain
//! the shape and stand out of it by the tolerance at most; two trees tell quickly whether they
//! touch.
//!
//! ```text
//!   Solid    a convex piece in f64: an outline that contains it; how far a disc stands out of it
//!   Cell     a part of that outline and the disc that covers it; cut in two until the disc is good
//!            enough
//!   build    the discs of all pieces, halved by count: a tree of circles around circles
//! ```

use glam::{DVec2, Vec2};

use super::{Aabb, BoundingCircle};
use crate::math::{Transform, max};
use crate::shape::{Piece, Shape, ShapeError};
use crate::tuning::{MAX_SIZE, MIN_SIZE};
use crate::util::sort;

/// Deepest path from the root to a leaf. Leaves are halved by count, so it limits their number too.
const MAX_CIRCLE_DEPTH: usize = 16;
const MAX_LEAVES: usize = 1 << MAX_CIRCLE_DEPTH;

/// Least tolerance as a share of the greatest coordinate; rounding to `f32` costs up to a fourth of
/// it.
const MIN_TOLERANCE: f32 = 32.0 * f32::EPSILON;

/// Twice the rounding error of a computed distance of two circles, as a share of the lengths that
/// enter it.
const NOISE: f32 = 8.0 * f32::EPSILON;

/// A stored radius is larger than the computed one by this factor, so that rounding loses no point.
const PADDING: f64 = 1.0 + 4.0 * f32::EPSILON as f64;

/// Circles that together contain a shape and stand out of it by a stated tolerance at most, in a
/// tree.
///
/// The tolerance is the one-sided Hausdorff distance of the circles from the shape, in metres: the
/// shape lies inside their union, and no point of any circle is farther than the tolerance from the
/// shape. Their number grows with the inverse root of the tolerance along the edges of polygons and
/// capsules, with the inverse itself along segments, which have no depth: to a circle or two, since
/// the search is greedy.
///
/// ```
/// use carom::{CircleTree, Shape, Transform};
///
/// let hull = Shape::rect(2.0, 1.0);
/// let (coarse, fine) = (CircleTree::new(&hull, 0.1)?, CircleTree::new(&hull, 0.01)?);
/// assert!(coarse.len() <= 10 && fine.len() <= 32);
///
/// let beside = |gap: f32| Transform::at([2.0 + gap, 0.0]);
/// assert!(fine.overlaps(Transform::IDENTITY, &fine, beside(-0.01))); // never a miss
/// assert!(!fine.overlaps(Transform::IDENTITY, &fine, beside(0.021))); // no yes beyond 0.01 + 0.01
/// # Ok::<(), carom::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CircleTree {
    nodes: Vec<Node>,
    tolerance: f32,
}

/// Nodes in depth-first order: the left child of node k is node k + 1, the right one is named. A
/// circle contains all leaf circles below it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    circle: BoundingCircle,
    /// Number of the right child; 0 in a leaf.
    right: u32,
}

#[expect(clippy::len_without_is_empty, reason = "every valid shape needs a circle: a tree is never empty")]
impl CircleTree {
    /// The circles that `shape` needs at `tolerance`, in its own frame.
    ///
    /// Work for loading time: a tenth of a millisecond a circle, more or less.
    ///
    /// # Errors
    /// The error of an invalid shape. [`ShapeError::NotApplicable`] for a half-plane.
    /// [`ShapeError::OutOfRange`] for a tolerance that is not finite. [`ShapeError::TooSmall`] for
    /// one below 1e-6 m, or below 4e-6 of the shape's greatest coordinate (an `f32` radius is not
    /// exact enough to keep it), or so small that more than 65,536 circles would be needed.
    pub fn new(shape: &Shape, tolerance: f32) -> Result<CircleTree, ShapeError> {
        check(shape, tolerance)?;
        let mut leaves = Vec::new();
        for part in 0..shape.piece_count() {
            cover(shape.piece(part), f64::from(tolerance), &mut leaves)?;
        }
        let mut tree = CircleTree { nodes: Vec::with_capacity(2 * leaves.len()), tolerance };
        tree.build(&mut leaves);
        Ok(tree)
    }

    /// Appends the tree over `leaves`, halved by count along the longer side of the box around the
    /// centres.
    fn build(&mut self, leaves: &mut [BoundingCircle]) {
        let here = self.nodes.len();
        self.nodes.push(Node { circle: leaves[0], right: 0 });
        if leaves.len() > 1 {
            self.nodes[here].circle = around(leaves);
            let centers: Vec<Vec2> = leaves.iter().map(|leaf| leaf.center).collect();
            let spread = Aabb::around_points(&centers).size();
            let axis = usize::from(spread.y > spread.x);
            sort::by(leaves, |p, q| p.center[axis].total_cmp(&q.center[axis]));
            let (left, right) = leaves.split_at_mut(leaves.len() / 2);
            self.build(left);
            self.nodes[here].right = self.nodes.len() as u32;
            self.build(right);
        }
    }

    /// The leaf circles: the refined shape.
    pub fn circles(&self) -> impl Iterator<Item = BoundingCircle> + '_ {
        self.nodes.iter().filter(|node| node.is_leaf()).map(|node| node.circle)
    }

    /// How many leaf circles there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len().div_ceil(2)
    }

    /// A circle around all circles.
    #[must_use]
    pub fn bounding_circle(&self) -> BoundingCircle {
        self.nodes[0].circle
    }

    /// By how much the circles may stand out of the shape, in metres.
    #[must_use]
    pub fn tolerance(&self) -> f32 {
        self.tolerance
    }

    /// Whether a circle of this tree, placed at `at`, touches one of `other`, placed at `other_at`.
    ///
    /// Never no for shapes that overlap. Yes only for shapes that are apart by no more than the sum
    /// of the two tolerances; rounding, some 1e-6 of the sizes and the distance, is on the side of
    /// the yes.
    #[must_use]
    pub fn overlaps(&self, at: Transform, other: &CircleTree, other_at: Transform) -> bool {
        any_touch(&self.nodes, at, &other.nodes, other_at)
    }

    /// Whether a circle of this tree, placed at `at`, touches `circle`. Errs like
    /// [`CircleTree::overlaps`].
    #[must_use]
    pub fn overlaps_circle(&self, at: Transform, circle: &BoundingCircle) -> bool {
        any_touch(&self.nodes, at, &[Node { circle: *circle, right: 0 }], Transform::IDENTITY)
    }
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.right == 0
    }
}

fn check(shape: &Shape, tolerance: f32) -> Result<(), ShapeError> {
    let aabb = shape.aabb(Transform::IDENTITY);
    let greatest = aabb.min.abs().max(aabb.max.abs()).max_element();
    match shape {
        Shape::Invalid(error) => Err(*error),
        Shape::HalfPlane(_) | Shape::Tiles(_) => Err(ShapeError::NotApplicable),
        _ if tolerance.is_nan() || tolerance.abs() > MAX_SIZE => Err(ShapeError::OutOfRange),
        _ if tolerance < max(MIN_SIZE, MIN_TOLERANCE * greatest) => Err(ShapeError::TooSmall),
        _ => Ok(()),
    }
}

/// Whether some leaf of `a` touches some leaf of `b`. When two nodes touch, the larger one is
/// replaced by its children.
///
/// Leaves get the noise as slack, so that no touch is lost; inner nodes get it twice, so that they
/// hide no touch of leaves. So the answer is that of testing all pairs of leaves, in either order
/// of the trees.
fn any_touch(a: &[Node], at_a: Transform, b: &[Node], at_b: Transform) -> bool {
    let offset = at_b.position - at_a.position;
    let reach = |node: &Node| node.circle.center.length() + node.circle.radius;
    let noise = NOISE * (offset.length() + (reach(&a[0]) + reach(&b[0])));
    let mut stack = [(0_u32, 0_u32); 2 * MAX_CIRCLE_DEPTH + 1]; // one pair off and two on at each level
    let mut depth = 1;
    while depth > 0 {
        depth -= 1;
        let (i, j) = stack[depth];
        let (p, q) = (&a[i as usize], &b[j as usize]);
        let are_leaves = p.is_leaf() && q.is_leaf();
        let reach = (p.circle.radius + q.circle.radius) + if are_leaves { noise } else { 2.0 * noise };
        let between = offset + (at_b.rotation * q.circle.center - at_a.rotation * p.circle.center);
        let touching = reach >= 0.0 && between.length_squared() <= reach * reach;
        if touching && are_leaves {
            return true;
        }
        if touching {
            let opens_p = q.is_leaf() || (!p.is_leaf() && p.circle.radius >= q.circle.radius);
            let pairs = if opens_p { [(p.right, j), (i + 1, j)] } else { [(i, q.right), (i, j + 1)] };
            stack[depth..depth + 2].copy_from_slice(&pairs);
            depth += 2;
        }
    }
    false
}

/// A circle around circles, one to three percent larger than the smallest: steps towards the
/// farthest point, each shorter than the one before (Bădoiu and Clarkson, Smaller core-sets for
/// balls, 2003).
fn around(circles: &[BoundingCircle]) -> BoundingCircle {
    let reach = |c: DVec2, p: &BoundingCircle| c.distance(p.center.as_dvec2()) + f64::from(p.radius);
    let mut center = circles[0].center.as_dvec2();
    for step in 2..64 {
        let farther = |p, q| if reach(center, q) > reach(center, p) { q } else { p };
        let farthest = circles.iter().fold(&circles[0], farther);
        let outward = (farthest.center.as_dvec2() - center).normalize_or_zero();
        let point = farthest.center.as_dvec2() + outward * f64::from(farthest.radius);
        center += (point - center) / f64::from(step);
    }
    let center = center.as_vec2();
    let radius = circles.iter().fold(0.0_f64, |most, p| most.max(reach(center.as_dvec2(), p)));
    BoundingCircle { center, radius: (radius * PADDING) as f32 }
}

/// Appends the discs that cover `piece`.
fn cover(piece: Piece, tolerance: f64, leaves: &mut Vec<BoundingCircle>) -> Result<(), ShapeError> {
    let solid = Solid::new(piece)?;
    let mut todo = vec![Cell::new(solid.outline(tolerance), &solid, tolerance)];
    while let Some(cell) = todo.pop() {
        if leaves.len() + todo.len() >= MAX_LEAVES {
            return Err(ShapeError::TooSmall);
        }
        if cell.excess <= tolerance {
            leaves.push(cell.circle);
        } else {
            todo.extend(cell.cut(&solid, tolerance).ok_or(ShapeError::Degenerate)?);
        }
    }
    Ok(())
}

/// A convex piece: all points within `radius` of its core, a point, a segment or a polygon.
struct Solid {
    /// Around the core, counter-clockwise; twice along a segment, of length 0 at a point.
    edges: Vec<Edge>,
    radius: f64,
}

struct Edge {
    start: DVec2,
    direction: DVec2,
    length: f64,
}

impl Solid {
    fn new(piece: Piece) -> Result<Solid, ShapeError> {
        let (corners, radius): (&[Vec2], f32) = match piece {
            Piece::Circle(circle) => (&[circle.center], circle.radius),
            Piece::Capsule(capsule) => (&capsule.ends(), capsule.radius),
            Piece::Segment(segment) => (&segment.ends(), 0.0),
            Piece::ChainSegment(segment) => (&segment.segment().ends(), 0.0),
            Piece::Obb(obb) => (&obb.corners(), obb.radius),
            Piece::Polygon(polygon) if !polygon.vertices().is_empty() => (polygon.vertices(), polygon.radius),
            Piece::Polygon(_) | Piece::HalfPlane(_) => return Err(ShapeError::NotApplicable),
        };
        let edges = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(start, end)| {
            let along = end.as_dvec2() - start.as_dvec2();
            Edge { start: start.as_dvec2(), direction: along.normalize_or(DVec2::X), length: along.length() }
        });
        Ok(Solid { edges: edges.collect(), radius: f64::from(radius) })
    }

    /// How far the disc of radius r around c stands out: the greatest distance of its points from
    /// S.
    ///
    /// ```text
    ///   h(u) = max u·x over S     how far S reaches along the unit vector u; a disc reaches to u·c
    ///                             + r
    ///   distance of a point p     max(0, max over u of u·p - h(u)): the line that parts them best
    ///   the same over the disc    max(0, r + s(c)),  s(c) = max over u of u·c - h(u)
    /// ```
    ///
    /// s is the signed distance of c: its distance from the core K outside of K; minus its distance
    /// from the nearest edge inside, where the best u is an edge's normal; and in both cases less
    /// `radius`, by which S reaches farther than K in all directions.
    fn excess(&self, c: DVec2, r: f64) -> f64 {
        let heights = self.edges.iter().map(|edge| (c - edge.start).perp_dot(edge.direction));
        let highest = heights.fold(f64::NEG_INFINITY, f64::max);
        let signed_distance = if highest < 0.0 { highest } else { self.distance_from_edges(c) };
        r + signed_distance - self.radius
    }

    fn distance_from_edges(&self, c: DVec2) -> f64 {
        let distances = self.edges.iter().map(|edge| {
            let along = (c - edge.start).dot(edge.direction).clamp(0.0, edge.length);
            c.distance_squared(edge.start + edge.direction * along)
        });
        distances.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// A convex polygon that contains the solid: its round corners replaced by tangents, which
    /// stand out by a small share of the tolerance and of the radius. A point stays one.
    fn outline(&self, tolerance: f64) -> Vec<DVec2> {
        if self.radius == 0.0 || self.edges.len() == 1 {
            return self.edges.iter().map(|edge| edge.start).collect();
        }
        let room = (tolerance / 16.0).min(self.radius / 64.0);
        let mut outline = Vec::new();
        for (before, after) in self.edges.iter().cycle().skip(self.edges.len() - 1).zip(&self.edges) {
            let normals = [before, after].map(|edge| -edge.direction.perp());
            self.add_arc(after.start, normals, room, &mut outline);
        }
        outline
    }

    /// The corners of tangents around the arc between two normals at `tip`, halved while they stand
    /// out by more than `room`. With 2a the angle between the unit vectors m and n, cos² a = ½ (1 +
    /// m·n), and the tangents at both ends meet in tip + ρ (m + n) / (1 + m·n), at a distance of ρ
    /// / cos a.
    fn add_arc(&self, tip: DVec2, [m, n]: [DVec2; 2], room: f64, outline: &mut Vec<DVec2>) {
        let cos = (0.5 * (1.0 + m.dot(n))).max(0.0).sqrt();
        if self.radius <= (self.radius + room) * cos {
            outline.push(tip + (m + n) * (self.radius / (1.0 + m.dot(n))));
        } else {
            let middle = if m.dot(n) < 0.0 { m.perp() } else { (m + n).normalize() };
            self.add_arc(tip, [m, middle], room, outline);
            self.add_arc(tip, [middle, n], room, outline);
        }
    }
}

/// A convex part of a solid's outline, the disc that covers it, and how far that stands out of the
/// solid.
struct Cell {
    outline: Vec<DVec2>,
    circle: BoundingCircle,
    excess: f64,
}

impl Cell {
    /// The excess is that of the circle as stored, rounding included.
    fn new(outline: Vec<DVec2>, solid: &Solid, tolerance: f64) -> Cell {
        let center = best_center(&outline, solid, tolerance).as_vec2();
        let needed =
            if solid.edges.len() == 1 { solid.radius } else { farthest(&outline, center.as_dvec2()) };
        let radius = (needed * PADDING) as f32;
        let excess = solid.excess(center.as_dvec2(), f64::from(radius));
        Cell { circle: BoundingCircle { center, radius }, outline, excess }
    }

    /// The two cells that leave the least excess to deal with, of cuts in halves and thirds: square
    /// to each edge, along it, diagonally. (Tried: halving upright boxes needs twice as many
    /// circles.)
    fn cut(&self, solid: &Solid, tolerance: f64) -> Option<[Cell; 2]> {
        let left = |cell: &Cell| if cell.excess > tolerance { cell.excess } else { 0.0 };
        let cost = |[low, high]: &[Cell; 2]| left(low) + left(high);
        let directions = solid.edges.iter().flat_map(|edge| {
            let (along, across) = (edge.direction, edge.direction.perp());
            [along, across, along + across, along - across]
        });
        // A cut across a narrower outline gains nothing, and the width of a segment is only noise.
        let wide = directions.filter(|&along| extent(&self.outline, along).1 > 0.5 * tolerance);
        let cuts = wide.flat_map(|along| [0.5, 1.0 / 3.0, 2.0 / 3.0].map(|share| (along, share)));
        let outlines = cuts.map(|(along, share)| self.outlines_of_cut(along, share));
        let pairs = outlines.map(|pair| pair.map(|outline| Cell::new(outline, solid, tolerance)));
        pairs.min_by(|p, q| cost(p).total_cmp(&cost(q)))
    }

    /// The outlines below and above the line square to `direction`, at `share` of the extent along
    /// it.
    fn outlines_of_cut(&self, direction: DVec2, share: f64) -> [Vec<DVec2>; 2] {
        let (low, width) = extent(&self.outline, direction);
        let height = |p: DVec2| p.dot(direction) - (low + width * share);
        let mut parts = [Vec::new(), Vec::new()];
        for (&p, &q) in self.outline.iter().zip(self.outline.iter().cycle().skip(1)) {
            let (height_p, height_q) = (height(p), height(q));
            parts[0].extend((height_p <= 0.0).then_some(p));
            parts[1].extend((height_p >= 0.0).then_some(p));
            if height_p * height_q < 0.0 {
                let crossing = p + (q - p) * (height_p / (height_p - height_q));
                parts.iter_mut().for_each(|part| part.push(crossing));
            }
        }
        parts
    }
}

/// The centre from which a disc around `outline` stands out least, or a centre whose disc stands
/// out less than `tolerance`.
///
/// The radius needed, a maximum of distances, and the signed distance, a maximum of heights, are
/// convex functions of the centre; so is their sum, which has no false minima, and steps to a
/// better neighbour lead down. The least often lies deep in the solid, not in the middle of the
/// cell: the flatter the disc, the longer the stretch of border it covers. (Tried: smallest
/// enclosing circles; twice as many are needed.)
fn best_center(outline: &[DVec2], solid: &Solid, tolerance: f64) -> DVec2 {
    let excess = |c: DVec2| solid.excess(c, farthest(outline, c));
    // In axes of the solid, so that a shape that is turned gets the same circles, turned.
    let (x, y) = (solid.edges[0].direction, solid.edges[0].direction.perp());
    let ((left, width), (low, height)) = (extent(outline, x), extent(outline, y));
    let mut center = x * (left + 0.5 * width) + y * (low + 0.5 * height);
    let mut least = excess(center);
    let mut step = 0.25 * width.max(height);
    while least > 0.9 * tolerance && step > 0.25 * tolerance {
        let neighbours = [x, -x, y, -y, (x + y) * 0.7, (x - y) * 0.7, (y - x) * 0.7, (x + y) * -0.7];
        let better = neighbours.map(|by| (center + by * step, excess(center + by * step)));
        let best = better.into_iter().fold((center, least), |p, q| if q.1 < p.1 { q } else { p });
        step *= if best.0 == center { 0.5 } else { 1.0 };
        (center, least) = best;
    }
    center
}

fn farthest(points: &[DVec2], c: DVec2) -> f64 {
    points.iter().fold(0.0_f64, |most, p| most.max(p.distance_squared(c))).sqrt()
}

/// The least coordinate of the points along `direction`, and their extent along it.
fn extent(points: &[DVec2], direction: DVec2) -> (f64, f64) {
    let heights = || points.iter().map(|p| p.dot(direction));
    let low = heights().fold(f64::INFINITY, f64::min);
    (low, heights().fold(f64::NEG_INFINITY, f64::max) - low)
}
