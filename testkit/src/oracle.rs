//! The brute force: carom's questions answered in `f64` by trying everything.
//!
//! In: the numbers that carom's shapes and transforms hold, taken as they are stored. Out:
//! separations, first touches of moving shapes, and signed distances of points. Nothing here is
//! shared with carom's own narrowphase, nothing in a separation allocates, and no loop ends early
//! for anything but a proof.
//!
//! ```text
//!        corners: the core                    rounding: everything within `radius` of the core
//!     2---------1                               .-----------.
//!     |         |      one corner: a point     (  +-------+  )
//!     |         |      two: a segment          |  |       |  |
//!     3---------0                               '-----------'
//! ```

use carom::{Motion, Shape, Transform, Vec2};
use glam::DVec2;

/// A convex shape: up to eight corners, counter-clockwise, and a rounding radius. One corner: a
/// disc; two: a segment or capsule.
#[derive(Clone, Copy, Debug)]
pub struct Convex {
    corners: [DVec2; 8],
    count: usize,
    /// Rounding radius.
    pub radius: f64,
}

/// How far two shapes are apart: negative by the least translation that parts them. `normal` points
/// from the first to the second.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// Signed distance; negative is overlap.
    pub value: f64,
    /// Unit vector from the first shape to the second.
    pub normal: DVec2,
}

/// A place in `f64`. The rotation is used as it is, also where its length is not quite one.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    position: DVec2,
    cos: f64,
    sin: f64,
}

/// A vector in `f64`.
pub fn wide(v: Vec2) -> DVec2 {
    DVec2::new(f64::from(v.x), f64::from(v.y))
}

impl Pose {
    /// Where a point of the own frame is.
    pub fn apply(self, p: DVec2) -> DVec2 {
        self.position + DVec2::new(self.cos * p.x - self.sin * p.y, self.sin * p.x + self.cos * p.y)
    }

    /// Where a motion stands at `time`, computed in `f64` from its start.
    pub fn along(motion: Motion, time: f64) -> Pose {
        let start = Pose::from(motion.start);
        let (sin, cos) = (f64::from(motion.turn) * time).sin_cos();
        Pose {
            position: start.position + wide(motion.translation) * time,
            cos: start.cos * cos - start.sin * sin,
            sin: start.sin * cos + start.cos * sin,
        }
    }
}

impl From<Transform> for Pose {
    fn from(at: Transform) -> Pose {
        Pose { position: wide(at.position), cos: f64::from(at.rotation.cos), sin: f64::from(at.rotation.sin) }
    }
}

impl Convex {
    /// From corners in counter-clockwise order.
    pub fn new(corners: &[DVec2], radius: f64) -> Convex {
        assert!((1..=8).contains(&corners.len()), "a convex shape has one to eight corners");
        let mut all = [corners[0]; 8];
        all[..corners.len()].copy_from_slice(corners);
        Convex { corners: all, count: corners.len(), radius }
    }

    /// A single point.
    pub fn point(at: DVec2) -> Convex {
        Convex { corners: [at; 8], count: 1, radius: 0.0 }
    }

    /// The numbers of a carom shape of a convex kind, in its own frame.
    pub fn of(shape: &Shape) -> Convex {
        match shape {
            Shape::Circle(circle) => Convex::new(&[wide(circle.center())], f64::from(circle.radius())),
            Shape::Capsule(capsule) => Convex::new(&capsule.ends().map(wide), f64::from(capsule.radius())),
            Shape::Segment(segment) => Convex::new(&segment.ends().map(wide), 0.0),
            Shape::Obb(obb) => {
                let turned = Pose::from(Transform { position: obb.center(), rotation: obb.rotation() });
                let (x, y) = (f64::from(obb.half_size().x), f64::from(obb.half_size().y));
                let corners = [(-x, -y), (x, -y), (x, y), (-x, y)];
                Convex::new(&corners.map(|(x, y)| turned.apply(DVec2::new(x, y))), f64::from(obb.radius()))
            }
            Shape::Polygon(polygon) => {
                let mut convex = Convex::point(DVec2::ZERO);
                convex.count = polygon.vertices().len();
                for (corner, &v) in convex.corners.iter_mut().zip(polygon.vertices()) {
                    *corner = wide(v);
                }
                convex.radius = f64::from(polygon.radius());
                convex
            }
            other => panic!("not one convex shape: {other:?}"),
        }
    }

    /// The convex parts of any bounded shape. Those of a polar outline are the ones it falls into
    /// as part of a compound.
    pub fn parts_of(shape: &Shape) -> Vec<Convex> {
        match shape {
            Shape::Compound(compound) => compound.parts().iter().map(Convex::of).collect(),
            Shape::Chain(chain) => {
                let ends = chain.segments().iter().map(|segment| segment.segment().ends());
                ends.map(|ends| Convex::new(&ends.map(wide), 0.0)).collect()
            }
            Shape::Polar(_) => Convex::parts_of(&Shape::compound([shape.clone()])),
            convex => vec![Convex::of(convex)],
        }
    }

    /// The corners of the core.
    pub fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// The shape at a pose.
    pub fn placed(&self, at: impl Into<Pose>) -> Convex {
        let at = at.into();
        let mut placed = *self;
        for corner in &mut placed.corners[..self.count] {
            *corner = at.apply(*corner);
        }
        placed
    }

    /// The shape, translated.
    pub fn moved(&self, by: DVec2) -> Convex {
        let mut moved = *self;
        for corner in &mut moved.corners[..self.count] {
            *corner += by;
        }
        moved
    }

    /// Whether it is a segment without rounding: it has a border, but nothing inside.
    pub fn is_flat(&self) -> bool {
        self.count == 2 && self.radius == 0.0
    }

    /// How safely the way between two points crosses a flat shape: minus the least distance of any
    /// of the four ends from the line through the other two, when each pair lies on both sides of
    /// it; else infinity.
    pub fn crossing(&self, from: DVec2, to: DVec2) -> f64 {
        let (a, b) = (self.corners[0], self.corners[1]);
        let over = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p) / (q - p).length();
        let (of_from, of_to) = (over(a, b, from), over(a, b, to));
        let (of_a, of_b) = (over(from, to, a), over(from, to, b));
        if of_from * of_to < 0.0 && of_a * of_b < 0.0 {
            -[of_from, of_to, of_a, of_b].into_iter().fold(f64::INFINITY, |least, h| least.min(h.abs()))
        } else {
            f64::INFINITY
        }
    }

    /// Its greatest diameter: corner to corner, and the rounding at both ends.
    pub fn extent(&self) -> f64 {
        let corners = self.corners();
        let pairs = corners.iter().flat_map(|p| corners.iter().map(|q| p.distance_squared(*q)));
        pairs.fold(0.0, f64::max).sqrt() + 2.0 * self.radius
    }

    /// The farthest that any of its points is from the origin of its frame.
    pub fn reach(&self) -> f64 {
        self.corners().iter().fold(0.0, |most: f64, p| most.max(p.length())) + self.radius
    }

    /// The gap between the projections of two shapes on the direction `u`: never more than their
    /// separation.
    pub fn gap(&self, other: &Convex, u: DVec2) -> f64 {
        let top = self.corners().iter().fold(f64::NEG_INFINITY, |most, p| most.max(p.dot(u)));
        let bottom = other.corners().iter().fold(f64::INFINITY, |least, p| least.min(p.dot(u)));
        bottom - top - self.radius - other.radius
    }

    /// From every corner to the next; a segment once each way, a point not at all.
    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        let corners = self.corners();
        let count = if self.count == 1 { 0 } else { self.count };
        (0..count).map(move |i| (corners[i], corners[if i + 1 == count { 0 } else { i + 1 }]))
    }

    /// The greatest gap along an outward edge normal between this core and the corners of `other`,
    /// with that normal; minus infinity for a point, which has no edges.
    fn edge_gap(&self, other: &Convex) -> Separation {
        let mut best = Separation { value: f64::NEG_INFINITY, normal: DVec2::X };
        for (p, q) in self.edges() {
            let along = (q - p).normalize();
            let normal = DVec2::new(along.y, -along.x);
            let gap = other.corners().iter().fold(f64::INFINITY, |least, &r| least.min(normal.dot(r - p)));
            if gap > best.value {
                best = Separation { value: gap, normal };
            }
        }
        best
    }

    /// The shortest way from this border to a corner of `other`: its square and the way itself.
    fn shortest_to_corners(&self, other: &Convex) -> (f64, DVec2) {
        let mut best = (f64::INFINITY, DVec2::ZERO);
        let mut consider = |way: DVec2| {
            if way.length_squared() < best.0 {
                best = (way.length_squared(), way);
            }
        };
        if let [point] = *self.corners() {
            other.corners().iter().for_each(|&r| consider(r - point));
        }
        for (p, q) in self.edges() {
            let along = (q - p) / (q - p).length_squared();
            for &r in other.corners() {
                let t = along.dot(r - p).clamp(0.0, 1.0);
                consider(r - (p + (q - p) * t));
            }
        }
        best
    }
}

/// The exact separation of two convex shapes.
///
/// S, the greatest gap along an edge normal of either core, is minus the least translation that
/// parts two overlapping cores. D, the least distance of a corner of one to the border of the
/// other, is the distance of two disjoint ones. Which of the two holds: S > 0 proves them disjoint.
/// Where S <= 0 and the cores overlap, moving one by -S makes a corner touch an edge, so D <= -S.
/// The reverse, S <= 0 and D > -S, happens where edge normals are not enough: segments on one line,
/// a point beyond the end of a segment, two points. There D counts.
pub fn separation(a: &Convex, b: &Convex) -> Separation {
    let mut core = a.edge_gap(b);
    let reverse = b.edge_gap(a);
    if reverse.value > core.value {
        core = Separation { value: reverse.value, normal: -reverse.normal };
    }
    let span = a.corners[0].distance(b.corners[0]) + a.corners[0].distance(a.corners[a.count - 1]);
    let noise = 1.0e-12 * span;
    let no_edges = core.value == f64::NEG_INFINITY;
    if no_edges || core.value > -1.0e3 * noise {
        let (forward, backward) = (a.shortest_to_corners(b), b.shortest_to_corners(a));
        let (squared, way) = if forward.0 <= backward.0 { forward } else { (backward.0, -backward.1) };
        let distance = squared.sqrt();
        if no_edges || core.value > 0.0 || distance > noise - core.value {
            core.value = distance;
            core.normal = if distance > noise { way / distance } else { core.normal };
        }
    }
    Separation { value: core.value - a.radius - b.radius, ..core }
}

/// The separation of two shapes made of convex parts: the least of all pairs.
pub fn least_separation(a: &[Convex], b: &[Convex]) -> Separation {
    let mut least = Separation { value: f64::INFINITY, normal: DVec2::X };
    for part_a in a {
        for part_b in b {
            let here = separation(part_a, part_b);
            if here.value < least.value {
                least = here;
            }
        }
    }
    least
}

/// How far `point` is from the border of a convex shape, negative inside.
pub fn point_distance(shape: &Convex, point: DVec2) -> f64 {
    separation(shape, &Convex::point(point)).value
}

/// Everything on one side of a line.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    point: DVec2,
    normal: DVec2,
}

impl Half {
    /// The numbers of a carom half-plane, placed.
    pub fn of(shape: &Shape, at: Transform) -> Half {
        let Shape::HalfPlane(plane) = shape else { panic!("not a half-plane: {shape:?}") };
        let pose = Pose::from(at);
        let point = pose.apply(wide(plane.normal()) * f64::from(plane.offset()));
        let normal = pose.apply(wide(plane.normal())) - pose.position;
        Half { point, normal: normal.normalize() }
    }

    /// Unit vector out of the half-plane.
    pub fn normal(&self) -> DVec2 {
        self.normal
    }

    /// How far the lowest point of `shape` is above the line.
    pub fn separation(&self, shape: &Convex) -> f64 {
        let heights = shape.corners().iter().map(|&p| self.normal.dot(p - self.point));
        heights.fold(f64::INFINITY, f64::min) - shape.radius
    }
}

/// Two moving shapes, given by their convex parts in their own frames.
#[derive(Clone, Copy)]
pub struct Moving<'a> {
    /// Parts of the first shape.
    pub a: &'a [Convex],
    /// How the first shape moves.
    pub motion_a: Motion,
    /// Parts of the second shape.
    pub b: &'a [Convex],
    /// How the second shape moves.
    pub motion_b: Motion,
}

impl Moving<'_> {
    /// The separation at `time`.
    pub fn separation(&self, time: f64) -> f64 {
        let (at_a, at_b) = (Pose::along(self.motion_a, time), Pose::along(self.motion_b, time));
        let mut least = f64::INFINITY;
        for part_a in self.a {
            let placed = part_a.placed(at_a);
            for part_b in self.b {
                least = least.min(separation(&placed, &part_b.placed(at_b)).value);
            }
        }
        least
    }

    /// No two points of the pair approach faster than this.
    pub fn top_speed(&self) -> f64 {
        let turning = |parts: &[Convex], motion: Motion| {
            let reach = parts.iter().fold(0.0, |most: f64, part| most.max(part.reach()));
            reach * f64::from(motion.turn).abs()
        };
        let straight = wide(self.motion_b.translation) - wide(self.motion_a.translation);
        straight.length() + turning(self.a, self.motion_a) + turning(self.b, self.motion_b)
    }

    /// The first time from `start` on at which the separation is at most `level`.
    ///
    /// Walks in steps that are too short to pass it: what is left of the separation, divided by the
    /// top speed, but never less than what moves the shapes by `grain`. Then halves the last step.
    pub fn first_below(&self, level: f64, start: f64, grain: f64) -> Option<f64> {
        let speed = self.top_speed();
        let mut time = start;
        let mut left = self.separation(time) - level;
        if left <= 0.0 {
            return Some(time);
        }
        while time < 1.0 && speed > 0.0 {
            let before = time;
            time = (time + left.max(grain) / speed).min(1.0);
            left = self.separation(time) - level;
            if left <= 0.0 {
                return Some(self.halve(level, before, time));
            }
        }
        None
    }

    /// The border between a separation above (at `before`) and below (at `after`) the level.
    fn halve(&self, level: f64, mut before: f64, mut after: f64) -> f64 {
        while after - before > 1.0e-9 {
            let middle = 0.5 * (before + after);
            if self.separation(middle) <= level {
                after = middle;
            } else {
                before = middle;
            }
        }
        after
    }
}

/// The signed distance along a ray from a convex shape: a convex function of the fraction, so its
/// least value and the two places where it passes any level can be found by halving.
#[derive(Clone, Copy)]
pub struct Profile<'a> {
    shape: &'a Convex,
    from: DVec2,
    to: DVec2,
}

impl<'a> Profile<'a> {
    /// Of the way `from` → `to` past a placed shape.
    pub fn new(shape: &'a Convex, from: DVec2, to: DVec2) -> Profile<'a> {
        Profile { shape, from, to }
    }

    /// The point at a fraction of the way.
    pub fn point(&self, fraction: f64) -> DVec2 {
        self.from + (self.to - self.from) * fraction
    }

    /// The signed distance at a fraction of the way.
    pub fn at(&self, fraction: f64) -> f64 {
        point_distance(self.shape, self.point(fraction))
    }

    /// The fraction at which the ray is nearest to the shape, or deepest in it (golden section
    /// search).
    pub fn nearest(&self) -> f64 {
        let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
        let (mut low, mut high) = (0.0, 1.0);
        let (mut left, mut right) = (1.0 - golden, golden);
        let (mut at_left, mut at_right) = (self.at(left), self.at(right));
        for _ in 0..80 {
            if at_left <= at_right {
                (high, right, at_right) = (right, left, at_left);
                left = high - golden * (high - low);
                at_left = self.at(left);
            } else {
                (low, left, at_left) = (left, right, at_right);
                right = low + golden * (high - low);
                at_right = self.at(right);
            }
        }
        [0.0, 1.0, low, high]
            .into_iter()
            .fold(left, |best, f| if self.at(f) < self.at(best) { f } else { best })
    }

    /// The first fraction at which the signed distance is at most `level`, given the nearest
    /// fraction.
    pub fn first_below(&self, level: f64, nearest: f64) -> Option<f64> {
        if self.at(nearest) > level {
            return None;
        }
        if self.at(0.0) <= level {
            return Some(0.0);
        }
        let (mut above, mut below) = (0.0, nearest);
        for _ in 0..60 {
            let middle = 0.5 * (above + below);
            if self.at(middle) <= level {
                below = middle;
            } else {
                above = middle;
            }
        }
        Some(below)
    }
}
