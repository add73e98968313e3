//! Convex cores in lanes: polygons, capsules and segments against each other, without a branch a
//! pair.
//!
//! In: eight pairs of cores, each core in its own frame, and the place of the second in the frame
//! of the first. Out: the manifold of each, as `clip.rs` would find it; or a flag that the pair is
//! doubtful and has to be tested alone. The one-by-one tests (`sat.rs`, `clip.rs`) have the
//! derivations; this file gives the same answers for all but one pair in thousands.
//!
//! ```text
//!   1  best_edge      of A against B, of B against A: the greater separation is the reference
//!                     edge; A's on a tie
//!   2  incident_edge  of the other core: the one that faces against the reference most
//!   3  Clipped        its ends along the reference edge, x, and over it, y; cut at both ends of
//!                     the reference
//!   4  Corners        apart, with the nearer end beside the reference: two corners decide
//! ```
//!
//! If separations are equal, or edges face the reference equally, the first edge wins. Corners
//! beyond the last repeat the first ones, so they never win, and every loop may go on to the
//! greatest number of corners in the eight cores.
//!
//! Doubtful are: overlap whose deepest point is not found over the reference edge (flat cores in
//! one line, edges that meet in nearly half a turn), and two corners whose direction does not
//! separate the cores by their distance.

mod circle;
mod form;
#[cfg(test)]
mod tests;

pub(crate) use circle::collide_circles;
pub(crate) use form::{Cores, Form, Forms};

use super::obb::KernelPoint;
use crate::simd::{Lane, Width, inlined};
use crate::tuning::{MAX_POLYGON_VERTICES, SurfaceTuning};

/// A number modulo this is a corner.
const WRAP: usize = MAX_POLYGON_VERTICES - 1;

impl<L: Lane> Cores<L> {
    /// Returns the cores turned by `cos` and `sin` and moved by `at`.
    #[inline(always)]
    fn moved(&self, cos: L, sin: L, at: [L; 2]) -> Cores<L> {
        let mut moved = *self;
        for k in 0..self.most {
            let k = k & WRAP;
            moved.x[k] = (cos * self.x[k] - sin * self.y[k]) + at[0];
            moved.y[k] = (sin * self.x[k] + cos * self.y[k]) + at[1];
            moved.nx[k] = cos * self.nx[k] - sin * self.ny[k];
            moved.ny[k] = sin * self.nx[k] + cos * self.ny[k];
        }
        // The repeated corners are moved as well: the other core may have more corners.
        for k in self.most..MAX_POLYGON_VERTICES {
            let k = k & WRAP;
            (moved.x[k], moved.y[k]) = (moved.x[0], moved.y[0]);
            (moved.nx[k], moved.ny[k]) = (moved.nx[0], moved.ny[0]);
        }
        moved
    }

    /// Returns edge `k`, with the number by which edges are compared.
    #[inline(always)]
    fn edge(&self, k: usize, measure: L) -> Edge<L> {
        let (k, next) = (k & WRAP, (k + 1) & WRAP);
        let number = self.radius.splat(k as f32);
        let (from, to) = ([self.x[k], self.y[k]], [self.x[next], self.y[next]]);
        Edge { measure, number, normal: [self.nx[k], self.ny[k]], from, to }
    }

    /// The least coordinate of any corner along `u`.
    #[inline(always)]
    pub(crate) fn lowest(&self, u: [L; 2]) -> L {
        let mut lowest = u[0] * self.x[0] + u[1] * self.y[0];
        for k in 1..self.most {
            let k = k & WRAP;
            lowest = lowest.smaller(u[0] * self.x[k] + u[1] * self.y[k]);
        }
        lowest
    }
}

/// An edge of a core, from one corner to the next, with its outward normal.
#[derive(Clone, Copy)]
struct Edge<L> {
    measure: L,
    number: L,
    normal: [L; 2],
    from: [L; 2],
    to: [L; 2],
}

/// `a` where the mask holds, else `b`.
#[inline(always)]
fn pick<L: Lane>(mask: L::Mask, a: [L; 2], b: [L; 2]) -> [L; 2] {
    [L::select(mask, a[0], b[0]), L::select(mask, a[1], b[1])]
}

#[inline(always)]
fn dot<L: Lane>(a: [L; 2], b: [L; 2]) -> L {
    a[0] * b[0] + a[1] * b[1]
}

#[inline(always)]
fn minus<L: Lane>(a: [L; 2], b: [L; 2]) -> [L; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// Turned left by a quarter.
#[inline(always)]
fn perp<L: Lane>(v: [L; 2]) -> [L; 2] {
    [-v[1], v[0]]
}

impl<L: Lane> Edge<L> {
    #[inline(always)]
    fn select(mask: L::Mask, a: Edge<L>, b: Edge<L>) -> Edge<L> {
        Edge {
            measure: L::select(mask, a.measure, b.measure),
            number: L::select(mask, a.number, b.number),
            normal: pick(mask, a.normal, b.normal),
            from: pick(mask, a.from, b.from),
            to: pick(mask, a.to, b.to),
        }
    }
}

/// The manifold of a pair, or of eight, unused places zero, in the frame of A.
pub(crate) struct Touch<L: Lane> {
    pub(crate) normal: [L; 2],
    pub(crate) points: [KernelPoint<L>; 2],
    /// a + 256 b + 65,536 end, as [`super::FeatureId::from_number`] reads it.
    pub(crate) ids: [L; 2],
    pub(crate) count: L,
    /// Whether a pair is doubtful and must be tested alone.
    pub(crate) doubtful: L::Mask,
}

impl<L: Lane> Touch<L> {
    /// The separation of the nearest point, below 0 if the cores overlap; 0 if there is no point.
    #[inline(always)]
    pub(crate) fn gap(&self) -> L {
        let [first, second] = &self.points;
        let nearer = first.separation.smaller(second.separation);
        L::select(self.count.lt(nearer.splat(2.0)), first.separation, nearer)
    }

    /// The manifold turned by `cos` and `sin`.
    #[inline(always)]
    pub(crate) fn turned(self, cos: L, sin: L) -> Touch<L> {
        let turn = inlined(
            #[inline(always)]
            |v: [L; 2]| [cos * v[0] - sin * v[1], sin * v[0] + cos * v[1]],
        );
        let [first, second] = self.points;
        let points = [
            KernelPoint { point: turn(first.point), ..first },
            KernelPoint { point: turn(second.point), ..second },
        ];
        Touch { normal: turn(self.normal), points, ..self }
    }

    /// The manifold of one point with the two shapes exchanged: moved by `at`, with the normal
    /// reversed.
    #[inline(always)]
    pub(crate) fn flipped(self, at: [L; 2]) -> Touch<L> {
        let [first, second] = self.points;
        let [x, y] = first.point;
        let first = KernelPoint { point: [x + at[0], y + at[1]], ..first };
        Touch { normal: [-self.normal[0], -self.normal[1]], points: [first, second], ..self }
    }
}

/// How two cores are to be tested.
#[derive(Clone, Copy)]
pub(crate) struct Terms<L: Lane> {
    /// How far apart they may be.
    pub(crate) margin: L,
    /// Below this, a separation may be rounding: see the head of `sat.rs`.
    pub(crate) noise: L,
    /// Lanes in which A, and lanes in which B, is immovable: a normal that is off its face by less
    /// than [`SurfaceTuning::OWN_NORMAL`] becomes the normal of the face.
    pub(crate) stands: [L::Mask; 2],
}

/// The manifolds of A and B; B stands at `at` in the frame of A, turned by `turn`, a cosine and a
/// sine.
#[inline(always)]
pub(crate) fn collide<W: Width>(
    w: W,
    a: &Cores<W::L>,
    b: &Cores<W::L>,
    (turn, at): ([W::L; 2], [W::L; 2]),
    terms: &Terms<W::L>,
) -> Touch<W::L> {
    w.apart(
        #[inline(always)]
        || {
            let b = &b.moved(turn[0], turn[1], at);
            let (best_a, best_b) = (best_edge(a, b), best_edge(b, a));
            let b_leads = best_a.measure.lt(best_b.measure);
            let reference = Edge::select(b_leads, best_b, best_a);
            let incident = incident_edge(a, b, b_leads, reference.normal);
            let pair = Pair {
                b_leads,
                reference,
                incident,
                radii: pick(b_leads, [b.radius, a.radius], [a.radius, b.radius]),
                count: pick(b_leads, [b.count, a.count], [a.count, b.count]),
            };
            let span = Span::new(&pair);
            let slack = terms.noise * w.splat(4.0);
            let near = reference.measure.le((a.radius + b.radius) + terms.margin);
            let (mut points, covered) = pair.over_face(&span, slack, terms);
            points.keep = [points.keep[0] & near & covered, points.keep[1] & near & covered];
            let mut normal = reference.normal;
            let mut doubtful = near & !covered;
            if w.any(doubtful) {
                let corners = span.nearest();
                let u = corners.direction(reference.normal);
                let outward = pick(b_leads, [-u[0], -u[1]], u);
                let clear = b.lowest(outward) + a.lowest([-outward[0], -outward[1]]);
                let proven = doubtful & slack.lt(corners.distance) & corners.distance.le(clear + slack);
                doubtful = doubtful & !proven;
                let point = pair.between(&span, &corners, u, terms.margin);
                points =
                    points.or(proven & corners.distance.le((a.radius + b.radius) + terms.margin), &point);
                normal = pick(proven, u, normal);
            }
            let normal = pair.straightened(normal, terms);
            points.packed(pick(b_leads, [-normal[0], -normal[1]], normal), doubtful)
        },
    )
}

/// Stage 1: the edge of `own` over which `other` lies highest, measured by its lowest corner.
#[inline(always)]
fn best_edge<L: Lane>(own: &Cores<L>, other: &Cores<L>) -> Edge<L> {
    let height = inlined(
        #[inline(always)]
        |k: usize| {
            let n = [own.nx[k & WRAP], own.ny[k & WRAP]];
            other.lowest(n) - dot(n, [own.x[k & WRAP], own.y[k & WRAP]])
        },
    );
    let mut best = own.edge(0, height(0));
    for k in 1..own.most {
        let height = height(k);
        best = Edge::select(best.measure.lt(height), own.edge(k, height), best);
    }
    best
}

/// Stage 2: the edge of the incident core that faces against `n` most. The sine of the angle
/// decides, since cosines near -1 hardly differ. It meets the corner that is deepest along n, whose
/// two edges have -n between their normals.
#[inline(always)]
fn incident_edge<L: Lane>(a: &Cores<L>, b: &Cores<L>, b_leads: L::Mask, n: [L; 2]) -> Edge<L> {
    let zero = n[0].splat(0.0);
    let edge = inlined(
        #[inline(always)]
        |k: usize| {
            let edge = Edge::select(b_leads, a.edge(k, zero), b.edge(k, zero));
            let m = edge.normal;
            let sine = (m[0] * n[1] - m[1] * n[0]).abs();
            Edge { measure: L::select(dot(m, n).lt(zero), sine, zero.splat(2.0) - sine), ..edge }
        },
    );
    let mut best = edge(0);
    for k in 1..a.most.max(b.most) {
        let edge = edge(k);
        best = Edge::select(edge.measure.lt(best.measure), edge, best);
    }
    best
}

/// The features of a pair: the two edges, and radius and number of corners of the reference core
/// and of the other.
struct Pair<L: Lane> {
    b_leads: L::Mask,
    reference: Edge<L>,
    incident: Edge<L>,
    radii: [L; 2],
    count: [L; 2],
}

/// The incident edge in the frame of the reference edge: x along it from its first corner, y over
/// it.
struct Span<L: Lane> {
    /// Length of the reference edge.
    length: L,
    low: [L; 2],
    high: [L; 2],
    /// Whether `low` is the first corner of the incident edge. Edges that face each other run
    /// against each other.
    swapped: L::Mask,
}

/// The two corners that are nearest, one of the incident edge and one of the reference.
struct Corners<L: Lane> {
    distance: L,
    /// From the corner of the reference core to the other corner.
    way: [L; 2],
    /// The position of the reference's corner.
    x: L,
    /// Whether the other one is `high`, and whether the reference's is its second.
    high: L::Mask,
    second: L::Mask,
}

impl<L: Lane> Span<L> {
    /// Stage 3.
    #[inline(always)]
    fn new(pair: &Pair<L>) -> Span<L> {
        let (n, from) = (pair.reference.normal, pair.reference.from);
        let t = perp(n);
        let local = inlined(
            #[inline(always)]
            |corner: [L; 2]| [dot(minus(corner, from), t), dot(minus(corner, from), n)],
        );
        let (low, high) = (local(pair.incident.to), local(pair.incident.from));
        let swapped = high[0].lt(low[0]);
        Span {
            length: dot(minus(pair.reference.to, from), t),
            low: pick(swapped, high, low),
            high: pick(swapped, low, high),
            swapped,
        }
    }

    /// Returns the part of the incident edge over the reference edge, up to `noise`; the ends are
    /// in the wrong order if there is none.
    #[inline(always)]
    fn cut(&self, noise: L) -> ([L; 2], [L; 2]) {
        let zero = noise.splat(0.0);
        let (low, high) = (self.low, self.high);
        let (x0, x1) = (low[0].larger(-noise), high[0].smaller(self.length + noise));
        let width = high[0] - low[0];
        let slope = L::select(zero.lt(width), (high[1] - low[1]) / width, zero);
        let y0 = L::select(low[0].lt(x0), low[1] + (x0 - low[0]) * slope, low[1]);
        let y1 = L::select(x1.lt(high[0]), high[1] + (x1 - high[0]) * slope, high[1]);
        ([x0, y0], [x1, y1])
    }

    /// Stage 4: the end of the incident edge that is nearer to the reference edge, and the corner
    /// of that beside it.
    #[inline(always)]
    fn nearest(&self) -> Corners<L> {
        let zero = self.length.splat(0.0);
        let onto = inlined(
            #[inline(always)]
            |end: [L; 2]| {
                let x = end[0].larger(zero).smaller(self.length);
                (x, [end[0] - x, end[1]])
            },
        );
        let ((x_low, low), (x_high, high)) = (onto(self.low), onto(self.high));
        let (d_low, d_high) = (dot(low, low), dot(high, high));
        let nearer = d_high.lt(d_low);
        let way = pick(nearer, high, low);
        Corners {
            distance: L::select(nearer, d_high, d_low).sqrt(),
            way,
            x: L::select(nearer, x_high, x_low),
            high: nearer,
            second: zero.lt(way[0]),
        }
    }
}

impl<L: Lane> Corners<L> {
    /// The direction from the reference's corner to the other one; `n` is the reference's normal.
    #[inline(always)]
    fn direction(&self, n: [L; 2]) -> [L; 2] {
        let t = perp(n);
        let (x, y) = (self.way[0] / self.distance, self.way[1] / self.distance);
        [t[0] * x + n[0] * y, t[1] * x + n[1] * y]
    }
}

/// Two points, and which of them are kept.
struct Points<L: Lane> {
    points: [KernelPoint<L>; 2],
    ids: [L; 2],
    keep: [L::Mask; 2],
}

impl<L: Lane> Pair<L> {
    /// In the frame of A: x along the reference edge, and `over` it along `up`.
    #[inline(always)]
    fn place(&self, x: L, up: [L; 2], over: L) -> [L; 2] {
        let (from, t) = (self.reference.from, perp(self.reference.normal));
        [(from[0] + t[0] * x) + up[0] * over, (from[1] + t[1] * x) + up[1] * over]
    }

    /// The two ends of the incident edge over the reference, and whether the deepest point is among
    /// them.
    ///
    /// The lower end comes first, along the tangent of A's edge, which runs against that of B's.
    #[inline(always)]
    fn over_face(&self, span: &Span<L>, slack: L, terms: &Terms<L>) -> (Points<L>, L::Mask) {
        let (low, high) = span.cut(terms.noise);
        let covered = low[0].le(high[0]) & low[1].smaller(high[1]).le(self.reference.measure + slack);
        let several = !(low[0].eq(high[0]) & low[1].eq(high[1]));
        let (n, [r, i]) = (self.reference.normal, self.radii);
        let half = slack.splat(0.5);
        // Halfway between the surface of the reference and that of the incident edge.
        let point = inlined(
            #[inline(always)]
            |end: [L; 2]| KernelPoint {
                point: self.place(end[0], n, half * ((end[1] + r) - i)),
                separation: end[1] - (r + i),
            },
        );
        let (first, second) = (pick(self.b_leads, high, low), pick(self.b_leads, low, high));
        let points = [point(first), point(second)];
        let of_a = L::select(self.b_leads, self.incident.number, self.reference.number);
        let of_b = L::select(self.b_leads, self.reference.number, self.incident.number);
        let id = of_a + of_b * slack.splat(256.0);
        let keep = [points[0].separation.le(terms.margin), points[1].separation.le(terms.margin) & several];
        (Points { points, ids: [id, id + slack.splat(65_536.0)], keep }, covered)
    }

    /// The point between two corners; `u` is the direction from the reference's to the other.
    #[inline(always)]
    fn between(&self, span: &Span<L>, corners: &Corners<L>, u: [L; 2], margin: L) -> (KernelPoint<L>, L) {
        let [r, i] = self.radii;
        let over = margin.splat(0.5) * ((corners.distance + r) - i);
        let point = self.place(corners.x, u, over);
        let separation = (corners.distance - (r + i)).smaller(margin);
        let next = inlined(
            #[inline(always)]
            |number: L, count: L| {
                let next = number + number.splat(1.0);
                L::select(next.lt(count), next, number.splat(0.0))
            },
        );
        let (edge, other) = (self.reference.number, self.incident.number);
        let reference = L::select(corners.second, next(edge, self.count[0]), edge);
        // `high` is the first corner of its edge, unless swapped.
        let is_first = (corners.high & !span.swapped) | (!corners.high & span.swapped);
        let incident = L::select(is_first, other, next(other, self.count[1]));
        let of_a = L::select(self.b_leads, incident, reference);
        let of_b = L::select(self.b_leads, reference, incident);
        let id = of_a + (of_b + margin.splat(512.0)) * margin.splat(256.0);
        (KernelPoint { point, separation }, id)
    }

    /// Brings a normal that is off by a hair to the face of the part that is immovable.
    #[inline(always)]
    fn straightened(&self, normal: [L; 2], terms: &Terms<L>) -> [L; 2] {
        let [a, b] = terms.stands;
        let of_reference = (self.b_leads & b) | (!self.b_leads & a);
        let (n, m) = (self.reference.normal, self.incident.normal);
        let face = pick(of_reference, n, [-m[0], -m[1]]);
        straightened(normal, face, a | b)
    }
}

/// `face` where `normal` is off it by less than [`SurfaceTuning::OWN_NORMAL`], and the mask holds.
#[inline(always)]
pub(crate) fn straightened<L: Lane>(normal: [L; 2], face: [L; 2], mask: L::Mask) -> [L; 2] {
    let sine = (normal[0] * face[1] - normal[1] * face[0]).abs();
    let zero = sine.splat(0.0);
    pick(mask & sine.lt(zero.splat(SurfaceTuning::OWN_NORMAL)) & zero.lt(dot(normal, face)), face, normal)
}

impl<L: Lane> Points<L> {
    /// Replaces a point where the mask holds.
    #[inline(always)]
    fn or(self, mask: L::Mask, (other, id): &(KernelPoint<L>, L)) -> Points<L> {
        let [first, second] = self.points;
        let first = KernelPoint {
            point: pick(mask, other.point, first.point),
            separation: L::select(mask, other.separation, first.separation),
        };
        let ids = [L::select(mask, *id, self.ids[0]), self.ids[1]];
        Points { points: [first, second], ids, keep: [self.keep[0] | mask, self.keep[1] & !mask] }
    }

    /// The points that are kept, in the first places.
    #[inline(always)]
    fn packed(&self, normal: [L; 2], doubtful: L::Mask) -> Touch<L> {
        let [low, high] = self.points;
        let [keep_low, keep_high] = self.keep;
        let (any, both) = (keep_low | keep_high, keep_low & keep_high);
        let zero = low.separation.splat(0.0);
        let one = low.separation.splat(1.0);
        let first = inlined(
            #[inline(always)]
            |of_low: L, of_high: L| L::select(keep_low, of_low, L::select(keep_high, of_high, zero)),
        );
        let second = inlined(
            #[inline(always)]
            |of_high: L| L::select(both, of_high, zero),
        );
        Touch {
            normal: [L::select(any, normal[0], zero), L::select(any, normal[1], zero)],
            points: [
                KernelPoint {
                    point: [first(low.point[0], high.point[0]), first(low.point[1], high.point[1])],
                    separation: first(low.separation, high.separation),
                },
                KernelPoint {
                    point: [second(high.point[0]), second(high.point[1])],
                    separation: second(high.separation),
                },
            ],
            ids: [first(self.ids[0], self.ids[1]), second(self.ids[1])],
            count: L::select(keep_low, one, zero) + L::select(keep_high, one, zero),
            doubtful,
        }
    }
}
