//! The separating axis test for convex cores: their separation, and the features that it is
//! measured between.
//!
//! In: two [`Convex`] in one frame. Out: [`Features`], from which every test is answered: overlap
//! and distance here, the two-point manifold in `clip.rs`, the advance of a sweep in `cast.rs`.
//!
//! # Why the edge normals are enough, also for the distance
//!
//! Let P = B - A be the Minkowski difference: a convex polygon with the edges of A and the edges of
//! B, the latter reversed. The two cores overlap exactly when P contains the origin. For a unit
//! vector u let s(u) = min over x in P of x·u, the separation along u. Overlap depth is the
//! distance of the origin to the nearest edge of P, so it is max s over edge normals: the classic
//! test.
//!
//! When the origin lies outside, s(u) = min |x| cos(angle of x - angle of u), and wherever this is
//! positive every term is a concave piece of a cosine. A minimum of concave functions is concave,
//! so s has one hill; its top is the direction of the closest point of P, and the best edge normal
//! is a neighbour of that direction. The closest point therefore lies on the edge of P with the
//! best normal: on the reference edge of the one core against the incident edge of the other. Four
//! point-segment distances, no iteration.
//!
//! # Where rounding would decide
//!
//! Edges that meet in a corner of nearly half a turn separate equally well, and the better one may
//! look worse by a rounding error. So the choice is tested again: [`lean_on_neighbour`] goes over
//! to the edge that the support corner stands on, [`nearest_edges`] to the edges that lead closer.
//!
//! Two segments in one line, or the needle point of a thin triangle, have a P so flat that s along
//! every edge normal is (nearly) 0 although the cores are apart. Below [`SEPARATION_NOISE`] the
//! distance of the two edges has the last word.

use glam::Vec2;

use super::convex::{BLOCK, Convex, Row};
use super::manifold::Distance;
use crate::math::{max, min};
use crate::tuning::{SEPARATION_NOISE, SurfaceTuning};

/// The best edge normal of one core against the other.
#[derive(Clone, Copy)]
struct BestEdge {
    separation: f32,
    edge: usize,
}

/// The edges and corners that decided the test of two cores with at least two corners each.
///
/// ```text
///     incident core      `support`: its corner deepest along the normal
///        \   /           `incident`: its edge at that corner that faces the reference edge most
///   ------\-/----- ^
///          v       |  normal of the reference edge `reference`
/// ```
#[derive(Clone, Copy)]
pub(crate) struct Features {
    /// Whether the reference edge belongs to the second core.
    pub(crate) reference_is_b: bool,
    pub(crate) reference: usize,
    pub(crate) incident: usize,
    /// Along the normal of the reference edge, radii left out.
    pub(crate) separation: f32,
    pub(crate) support: usize,
    /// The closest points of the two edges, when the cores are apart.
    pub(crate) apart: Option<Closest>,
}

/// Closest points of the reference and the incident edge.
#[derive(Clone, Copy)]
pub(crate) struct Closest {
    pub(crate) distance: f32,
    pub(crate) on_reference: Vec2,
    pub(crate) on_incident: Vec2,
    /// The corner of each point, if it is an end of its edge.
    corner_of_reference: Option<usize>,
    corner_of_incident: Option<usize>,
    /// Whether two corners are closest, and no face takes part.
    by_corners: bool,
}

/// Whether two cores with at least two corners each touch, radii included.
pub(crate) fn overlaps(a: &Convex, b: &Convex) -> bool {
    let reach = a.radius + b.radius;
    let along_a = best_separation(a, b);
    if along_a > reach {
        return false;
    }
    let separation = max(along_a, best_separation(b, a));
    if separation > reach {
        return false;
    }
    // Deep inside each other, no closest feature can change the verdict.
    separation < -noise(a, b) || features(a, b, reach).is_some()
}

/// The deciding features of two cores with at least two corners each, if the cores are within
/// `reach`.
pub(crate) fn features(a: &Convex, b: &Convex, reach: f32) -> Option<Features> {
    // The distance is never less than the separation along a normal, and one separation is quickly
    // computed.
    let best_a = best_edge(a, b);
    if best_a.separation > reach {
        return None;
    }
    let best_b = best_edge(b, a);
    if best_b.separation > reach {
        return None;
    }
    let features = choose(a, b, best_a, best_b);
    (features.core_separation() <= reach).then_some(features)
}

/// The signed distance of two cores with at least two corners each, radii included.
pub(crate) fn distance(a: &Convex, b: &Convex) -> Distance {
    choose(a, b, best_edge(a, b), best_edge(b, a)).distance(a, b)
}

fn choose(a: &Convex, b: &Convex, best_a: BestEdge, best_b: BestEdge) -> Features {
    let reference_is_b = best_b.separation > best_a.separation;
    let (best, reference, incident) = if reference_is_b { (best_b, b, a) } else { (best_a, a, b) };
    let mut features = Features::of_face(reference, best.edge, incident, best.separation);
    features.reference_is_b = reference_is_b;
    let noise = noise(a, b);
    if best.separation > 4.0 * noise {
        nearest_edges(reference, incident, &mut features, noise);
        return features;
    }
    lean_on_neighbour(reference, incident, &mut features, noise);
    if features.separation > -noise && features.overhang(reference, incident) > noise {
        // Between corners the direction is known only when they are apart by more than rounding,
        // and more than the normal shows.
        let closest = closest_of_all_edges(reference, incident);
        let clear = closest.distance > 6.0 * noise + 2.0 * features.separation.abs();
        let distance = max(closest.distance, features.separation);
        features.apart = Some(Closest { by_corners: closest.by_corners && clear, distance, ..closest });
    }
    features
}

/// Overlap: the support corner lies within the reference face, as the head says. If it lies beside
/// the face, the next face on that side separates as well, up to `noise`, and takes over. (Or the
/// faces are parallel, and none takes over.)
fn lean_on_neighbour(reference: &Convex, incident: &Convex, features: &mut Features, noise: f32) {
    for _ in 0..reference.count() {
        let (v1, v2) = reference.edge(features.reference);
        let t = reference.normal(features.reference).perp();
        let x = (incident.vertex(features.support) - v1).dot(t);
        let beside = if x < -noise {
            reference.previous(features.reference)
        } else if x > (v2 - v1).dot(t) + noise {
            reference.next(features.reference)
        } else {
            return;
        };
        let separation = incident.lowest(reference.vertex(beside), reference.normal(beside));
        if separation < features.separation - 4.0 * noise {
            return;
        }
        let reference_is_b = features.reference_is_b;
        *features = Features { reference_is_b, ..Features::of_face(reference, beside, incident, separation) };
    }
}

/// No overlap: the closest points of the reference and the incident edge, and of the edges beside
/// them as long as those lead closer. Ends after as many steps as there are edges, because each
/// step is one edge further.
fn nearest_edges(reference: &Convex, incident: &Convex, features: &mut Features, noise: f32) {
    let mut closest = closest_of_edges(reference, features.reference, incident, features.incident);
    for _ in 0..reference.count() + incident.count() {
        let Some((i, j)) = closest.edges_ahead(reference, features.reference, incident, features.incident)
        else {
            break;
        };
        let next = closest_of_edges(reference, i, incident, j);
        if next.distance >= closest.distance {
            break;
        }
        closest = next;
        (features.reference, features.incident) = (i, j);
    }
    let n = reference.normal(features.reference);
    features.apart = Some(closest.seen_from_face(n, features.separation, noise));
    // A corner over the inside of the incident edge: if that edge separates as well, it is the
    // reference.
    if let (Some(corner), None) = (closest.corner_of_reference, closest.corner_of_incident) {
        let j = features.incident;
        if reference.lowest(incident.vertex(j), incident.normal(j)) > features.separation - noise {
            features.turn_round(corner);
        }
    }
}

/// Below this, a separation along an edge normal may be rounding: see the head.
#[inline]
fn noise(a: &Convex, b: &Convex) -> f32 {
    SEPARATION_NOISE * (a.extent() + b.extent())
}

impl Features {
    /// Face `face` of the reference core, taken as given, against the other core.
    pub(super) fn of_face(reference: &Convex, face: usize, incident: &Convex, separation: f32) -> Features {
        let (v, n) = (reference.vertex(face), reference.normal(face));
        let support = incident.support(v, n);
        let incident = incident_edge(incident, support, n);
        Features { reference_is_b: false, reference: face, incident, separation, support, apart: None }
    }

    /// Face `face` of the first core against edge `incident` of the other, both taken as given.
    pub(crate) fn of_edges(face: usize, incident: usize, separation: f32) -> Features {
        let support = incident;
        Features { reference_is_b: false, reference: face, incident, separation, support, apart: None }
    }

    /// The signed distance of the two cores.
    pub(crate) fn core_separation(&self) -> f32 {
        self.apart.map_or(self.separation, |closest| closest.distance)
    }

    /// The reference core and the incident core.
    pub(crate) fn order<'c>(&self, a: &'c Convex, b: &'c Convex) -> (&'c Convex, &'c Convex) {
        if self.reference_is_b { (b, a) } else { (a, b) }
    }

    /// Makes the incident edge the reference: the closest point lies inside it, opposite `corner`
    /// of the other.
    fn turn_round(&mut self, corner: usize) {
        self.reference_is_b = !self.reference_is_b;
        (self.reference, self.incident, self.support) = (self.incident, self.reference, corner);
        self.apart = self.apart.map(|closest| Closest {
            on_reference: closest.on_incident,
            on_incident: closest.on_reference,
            corner_of_reference: closest.corner_of_incident,
            corner_of_incident: closest.corner_of_reference,
            ..closest
        });
    }

    /// By how much the incident edge lies beside the reference face; negative when some of it lies
    /// over it.
    fn overhang(&self, reference: &Convex, incident: &Convex) -> f32 {
        let (v1, v2) = reference.edge(self.reference);
        let (w1, w2) = incident.edge(self.incident);
        let t = reference.normal(self.reference).perp();
        let (x1, x2) = ((w1 - v1).dot(t), (w2 - v1).dot(t));
        max(-max(x1, x2), min(x1, x2) - (v2 - v1).dot(t))
    }

    /// The point of the incident edge that is deepest under the reference face.
    ///
    /// That is the support corner, unless the two edges are parallel up to rounding and it stands
    /// beside the face by more than `noise`.
    fn deepest_over_face(&self, reference: &Convex, incident: &Convex, noise: f32) -> Vec2 {
        let (v1, v2) = reference.edge(self.reference);
        let (w1, w2) = incident.edge(self.incident);
        let support = incident.vertex(self.support);
        let other = if w1 == support { w2 } else { w1 };
        let t = reference.normal(self.reference).perp();
        let (x, beyond) = ((support - v1).dot(t), (other - support).dot(t));
        let aside = max(min(x, (v2 - v1).dot(t)), 0.0) - x;
        let steep = 2.0 * beyond.abs() < other.distance(support);
        if aside.abs() <= noise || steep {
            return support;
        }
        support + (other - support) * max(min(aside / beyond, 1.0), 0.0)
    }

    /// Distance, normal and closest points, radii included.
    pub(crate) fn distance(&self, a: &Convex, b: &Convex) -> Distance {
        let (reference, incident) = self.order(a, b);
        let face_normal = reference.normal(self.reference);
        let (normal, on_reference, on_incident) = match self.apart {
            Some(closest) => (closest.normal(face_normal), closest.on_reference, closest.on_incident),
            None => {
                let deepest = self.deepest_over_face(reference, incident, noise(a, b));
                (face_normal, deepest - face_normal * self.separation, deepest)
            }
        };
        let distance = Distance {
            separation: self.core_separation() - (a.radius + b.radius),
            normal,
            point_a: on_reference + normal * reference.radius,
            point_b: on_incident - normal * incident.radius,
        };
        if self.reference_is_b { distance.flipped() } else { distance }
    }
}

impl Closest {
    /// The two closest corners, if the closest points are corners.
    pub(crate) fn corners(&self) -> Option<(usize, usize)> {
        self.corner_of_reference.zip(self.corner_of_incident).filter(|_| self.by_corners)
    }

    /// Whether the line between the closest points is off the normal of a face by less than
    /// [`SurfaceTuning::UPRIGHT`]. Then corners and face are equally near, up to rounding.
    pub(crate) fn stands_upright(&self, face_normal: Vec2) -> bool {
        let aside = (self.on_incident - self.on_reference).perp_dot(face_normal).abs();
        aside <= SurfaceTuning::UPRIGHT * self.distance
    }

    /// Returns the closest points, with the face in charge if the line between the two corners is
    /// along its normal, up to `noise`: the normal of a face is more exact than the direction
    /// between two corners that nearly coincide, and its contact is wider than a corner.
    fn seen_from_face(self, face_normal: Vec2, separation: f32, noise: f32) -> Closest {
        let aside = (self.on_incident - self.on_reference).perp_dot(face_normal).abs();
        let by_corners = self.by_corners && aside > noise;
        Closest { distance: max(self.distance, separation), by_corners, ..self }
    }

    /// From the reference to the incident core: between corners, or the normal of the face.
    fn normal(&self, face_normal: Vec2) -> Vec2 {
        // Corners are apart by more than the noise, so there is a direction.
        if self.by_corners { (self.on_incident - self.on_reference).normalize() } else { face_normal }
    }

    /// The pair of edges that leads closer, where one of the points is a corner and the other edge
    /// of that corner faces the other point and runs towards it.
    fn edges_ahead(
        &self,
        reference: &Convex,
        i: usize,
        incident: &Convex,
        j: usize,
    ) -> Option<(usize, usize)> {
        let d = self.on_incident - self.on_reference;
        let beyond = |convex: &Convex, edge: usize, corner: Option<usize>, towards: Vec2| {
            let corner = corner.filter(|_| convex.count() > 2)?;
            let (other, far) = if corner == edge {
                (convex.previous(edge), convex.previous(edge))
            } else {
                (corner, convex.next(corner))
            };
            let closer = (convex.vertex(far) - convex.vertex(corner)).dot(towards) > 0.0;
            (closer && convex.normal(other).dot(towards) > 0.0).then_some(other)
        };
        let ahead = beyond(reference, i, self.corner_of_reference, d);
        ahead.map(|other| (other, j)).or_else(|| {
            let ahead = beyond(incident, j, self.corner_of_incident, -d);
            ahead.map(|other| (i, other))
        })
    }
}

/// s(u) of the head for the outward normal of every edge of `a`: the greatest.
#[inline(always)]
fn best_separation(a: &Convex, b: &Convex) -> f32 {
    let [first, second] = a.edge_separations(b);
    let mut four: Row = first;
    for k in 0..BLOCK {
        four[k] = max(first[k], second[k]);
    }
    max(max(four[0], four[2]), max(four[1], four[3]))
}

/// Returns the edge of `a` with the greatest separation, and that separation.
#[inline]
fn best_edge(a: &Convex, b: &Convex) -> BestEdge {
    let separations = a.edge_separations(b);
    let mut best = BestEdge { separation: separations[0][0], edge: 0 };
    for edge in 1..a.count() {
        let separation = separations[edge / BLOCK][edge % BLOCK];
        if separation > best.separation {
            best = BestEdge { separation, edge };
        }
    }
    best
}

/// Returns the edge at corner `support` that faces against `normal` most.
///
/// The sine of the angle decides, since cosines near -1 hardly differ.
fn incident_edge(convex: &Convex, support: usize, normal: Vec2) -> usize {
    let before = convex.previous(support);
    let turn = |edge: usize| {
        let n = convex.normal(edge);
        let sine = n.perp_dot(normal).abs();
        if n.dot(normal) < 0.0 { sine } else { 2.0 - sine }
    };
    if turn(before) < turn(support) { before } else { support }
}

/// The closest points of two edges that do not cross: one of them is an end.
fn closest_of_edges(reference: &Convex, i: usize, incident: &Convex, j: usize) -> Closest {
    let ((r0, r1), (s0, s1)) = (reference.edge(i), incident.edge(j));
    let (i1, j1) = (reference.next(i), incident.next(j));
    let (n, m) = (reference.normal(i), incident.normal(j));
    // Squared distance, the two points, and where along the other edge the point opposite an end
    // lies.
    let onto_reference = |end: Vec2| {
        let (point, along) = closest_on_edge(r0, r1, n, end);
        (point.distance_squared(end), point, end, along)
    };
    let onto_incident = |end: Vec2| {
        let (point, along) = closest_on_edge(s0, s1, m, end);
        (end.distance_squared(point), end, point, along)
    };
    let mut best = (onto_reference(s0), j, true);
    let mut offer = |candidate: (f32, Vec2, Vec2, Along), corner: usize, is_incident: bool| {
        if candidate.0 < best.0.0 {
            best = (candidate, corner, is_incident);
        }
    };
    offer(onto_reference(s1), j1, true);
    offer(onto_incident(r0), i, false);
    offer(onto_incident(r1), i1, false);

    let ((squared, on_reference, on_incident, along), corner, is_incident) = best;
    let (corner_of_reference, corner_of_incident) =
        if is_incident { (along.corner(i, i1), Some(corner)) } else { (Some(corner), along.corner(j, j1)) };
    let by_corners = along != Along::Between;
    let distance = squared.sqrt();
    Closest { distance, on_reference, on_incident, corner_of_reference, corner_of_incident, by_corners }
}

/// The closest of all pairs of edges: for cores so flat that no edge normal tells them apart.
#[cold]
fn closest_of_all_edges(reference: &Convex, incident: &Convex) -> Closest {
    let mut best = closest_of_edges(reference, 0, incident, 0);
    for i in 0..reference.count() {
        for j in 0..incident.count() {
            let closest = closest_of_edges(reference, i, incident, j);
            if closest.distance < best.distance {
                best = closest;
            }
        }
    }
    best
}

/// Where on a segment a closest point lies.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Along {
    Start,
    Between,
    End,
}

impl Along {
    fn corner(self, start: usize, end: usize) -> Option<usize> {
        match self {
            Along::Start => Some(start),
            Along::Between => None,
            Along::End => Some(end),
        }
    }
}

/// The point of the edge from `a` to `b` with normal `n` that is closest to `p`.
///
/// Along the normal's tangent and not from `a` to `b`: the ends of a short edge give its direction
/// less exactly.
#[inline]
pub(crate) fn closest_on_edge(a: Vec2, b: Vec2, n: Vec2, p: Vec2) -> (Vec2, Along) {
    let t = n.perp();
    let (x, length) = ((p - a).dot(t), (b - a).dot(t));
    if x <= 0.0 {
        (a, Along::Start)
    } else if x >= length {
        (b, Along::End)
    } else {
        (a + t * x, Along::Between)
    }
}
