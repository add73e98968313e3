//! Point cores: circle against circle, circle against anything convex, a point against anything
//! convex.
//!
//! In: circles, points and [`Convex`] in one frame. Out: distances and manifolds of one point.

use glam::Vec2;

use super::convex::Convex;
use super::manifold::{ClosestPoint, Distance, FeatureId, Manifold};
use super::sat::{Along, closest_on_edge};
use crate::math::{SHORTEST, Transform, max, unit_or_zero};
use crate::shape::{Circle, Obb};
use crate::simd::{Lane, inlined};
use crate::tuning::SEPARATION_NOISE;

/// One circle, or eight.
#[derive(Clone, Copy)]
pub(crate) struct Circles<L> {
    pub(crate) center: [L; 2],
    pub(crate) radius: L,
}

impl From<&Circle> for Circles<f32> {
    #[inline(always)]
    fn from(circle: &Circle) -> Circles<f32> {
        Circles { center: circle.center.to_array(), radius: circle.radius }
    }
}

/// The contact geometry of two circles.
pub(crate) struct CircleContacts<L> {
    pub(crate) normal: [L; 2],
    /// Midway between the two surfaces.
    pub(crate) point: [L; 2],
    pub(crate) separation: L,
}

/// Whether two circles touch: centre distance against the *sum* of the radii, squared, without a
/// root.
#[inline(always)]
pub(crate) fn touching<L: Lane>(a: &Circles<L>, b: &Circles<L>) -> L::Mask {
    let (_, squared) = between(a, b);
    let reach = a.radius + b.radius;
    squared.le(reach * reach)
}

/// Normal, point and separation of two circles.
///
/// Everything is formed so that exchanging the circles exchanges the answer bit for bit. Concentric
/// circles take the y axis for a normal, from the larger to the smaller. The squares decide which
/// side of zero the separation is on, as in [`touching`]; the root might round to the other side.
#[inline(always)]
pub(crate) fn contacts<L: Lane>(a: &Circles<L>, b: &Circles<L>) -> CircleContacts<L> {
    let (d, squared) = between(a, b);
    let constant = |value: f32| a.radius.splat(value);
    let (zero, one, least) = (constant(0.0), constant(1.0), constant(SHORTEST));
    let length = squared.sqrt();
    let apart = least.lt(length);
    let up = L::select(b.radius.le(a.radius), one, -one);
    let normal = [L::select(apart, d[0] / length, zero), L::select(apart, d[1] / length, up)];
    let reach = a.radius + b.radius;
    let gap = length - reach;
    let separation = L::select(squared.le(reach * reach), gap.smaller(zero), gap.larger(least));
    let half = constant(0.5);
    let middle = inlined(
        #[inline(always)]
        |k: usize| half * ((a.center[k] + normal[k] * a.radius) + (b.center[k] - normal[k] * b.radius)),
    );
    CircleContacts { normal, point: [middle(0), middle(1)], separation }
}

/// From centre to centre, and the squared length.
#[inline(always)]
fn between<L: Lane>(a: &Circles<L>, b: &Circles<L>) -> ([L; 2], L) {
    let d = [b.center[0] - a.center[0], b.center[1] - a.center[1]];
    (d, d[0] * d[0] + d[1] * d[1])
}

/// Whether two circles touch.
#[inline]
pub(crate) fn circles_overlap(a: &Circle, b: &Circle) -> bool {
    touching(&a.into(), &b.into())
}

/// Whether a circle touches a box, unless rounding could change the answer: then none, and the
/// exact distance decides. Only the nearest corner or side of the box counts. It takes a third of
/// the time of the distance.
#[inline]
pub(crate) fn disc_decides(circle: &Circle, xc: &Transform, obb: &Obb, xo: &Transform) -> Option<bool> {
    let (arm, middle) = (xc.rotation * circle.center, xo.rotation * obb.place.position);
    let between = (xc.position - xo.position) + (arm - middle);
    let away = (xo.rotation * obb.place.rotation).inverse_rotate(between).abs();
    let outside = (away - obb.half).max(Vec2::ZERO);
    let reach = circle.radius + obb.radius;
    let size = away.max_element()
        + (arm.abs().max_element() + middle.abs().max_element())
        + (obb.half.max_element() + reach);
    let slack = 32.0 * f32::EPSILON * size;
    let (squared, outer, inner) = (outside.length_squared(), reach + slack, reach - slack);
    if squared > outer * outer {
        Some(false)
    } else if inner > 0.0 && squared < inner * inner {
        Some(true)
    } else {
        None
    }
}

/// The signed distance of two circles.
pub(crate) fn circles(a: &Circle, b: &Circle) -> Distance {
    let contacts = contacts(&Circles::from(a), &Circles::from(b));
    let normal = Vec2::from(contacts.normal);
    Distance {
        separation: contacts.separation,
        normal,
        // Adding zero gives a zero the same sign, in both orders of the circles.
        point_a: a.center + normal * a.radius + Vec2::ZERO,
        point_b: b.center - normal * b.radius + Vec2::ZERO,
    }
}

/// The manifold of two circles, if they are within `margin`: the scalar twin of
/// `wide::contact_circles`.
pub(crate) fn collide_circles(a: &Circle, b: &Circle, margin: f32) -> Option<Manifold> {
    let contacts = contacts(&Circles::from(a), &Circles::from(b));
    (contacts.separation <= margin).then(|| {
        let (normal, point) = (contacts.normal.into(), contacts.point.into());
        Manifold::single(normal, point, contacts.separation, FeatureId::ROUND)
    })
}

/// The manifold of a circle and a core with at least two corners, if they are within `margin`.
pub(crate) fn collide_circle(a: &Circle, b: &Convex, margin: f32) -> Option<Manifold> {
    let (distance, id) = circle_distance(a, b);
    (distance.separation <= margin).then(|| one_point(&distance, id))
}

/// The signed distance of a circle and a core with at least two corners.
pub(crate) fn circle_distance(a: &Circle, b: &Convex) -> (Distance, FeatureId) {
    let (closest, id) = closest_point(b, a.center);
    let distance = Distance {
        separation: closest.distance - a.radius,
        normal: -closest.normal,
        point_a: a.center - closest.normal * a.radius,
        point_b: closest.point,
    };
    (distance, id)
}

fn one_point(distance: &Distance, id: FeatureId) -> Manifold {
    Manifold::single(distance.normal, distance.middle(), distance.separation, id)
}

/// The closest border point of a convex piece with at least two corners, and the feature it lies
/// on.
///
/// The best edge is also the closest one: see the head of `sat.rs`, with a point for the second
/// core. If two edges meet in nearly half a turn, the edge below `p` is taken.
pub(crate) fn closest_point(convex: &Convex, p: Vec2) -> (ClosestPoint, FeatureId) {
    let mut best = (f32::NEG_INFINITY, 0);
    for edge in 0..convex.count() {
        let height = height_over(convex, edge, p);
        if height > best.0 {
            best = (height, edge);
        }
    }
    let noise = SEPARATION_NOISE * (convex.extent() + p.abs().max_element());
    let (height, edge, on_core, along) = stand_over(convex, best, p, noise);
    let face_normal = convex.normal(edge);
    let away = p - on_core;
    let length = away.length();
    let outside = height > 0.0 || (height > -noise && length > 4.0 * noise);
    // Upright over the face, up to rounding, the face knows its normal better than the two points.
    let by_corner = outside && along != Along::Between && away.perp_dot(face_normal).abs() > noise;
    let (distance, normal, on_core) = if by_corner {
        (max(length, height), away / length, on_core)
    } else {
        (height, face_normal, p - face_normal * height)
    };
    let closest =
        ClosestPoint { point: on_core + normal * convex.radius, distance: distance - convex.radius, normal };
    (closest, FeatureId::new(0, edge, FeatureId::POINT))
}

fn height_over(convex: &Convex, edge: usize, p: Vec2) -> f32 {
    (p - convex.vertex(edge)).dot(convex.normal(edge))
}

/// Goes from the best edge to the next one, as long as `p` is beside it and the next one is as high
/// up to `noise`. Returns height, edge, closest point of the edge, and its place on the edge.
fn stand_over(convex: &Convex, best: (f32, usize), p: Vec2, noise: f32) -> (f32, usize, Vec2, Along) {
    let (mut height, mut edge) = best;
    for _ in 0..convex.count() {
        let (v1, v2) = convex.edge(edge);
        let (on_core, along) = closest_on_edge(v1, v2, convex.normal(edge), p);
        let beside = match along {
            Along::Between => return (height, edge, on_core, along),
            Along::Start => convex.previous(edge),
            Along::End => convex.next(edge),
        };
        let next = height_over(convex, beside, p);
        let leads_on = (p - on_core).dot(if along == Along::Start {
            convex.vertex(beside) - v1
        } else {
            convex.edge(beside).1 - v2
        }) > 0.0;
        if convex.count() == 2 || !leads_on || next < height - 4.0 * noise {
            return (height, edge, on_core, along);
        }
        (height, edge) = (next, beside);
    }
    let (v1, v2) = convex.edge(edge);
    let (on_core, along) = closest_on_edge(v1, v2, convex.normal(edge), p);
    (height, edge, on_core, along)
}

/// The closest border point of a box: [`closest_point`] in the frame of the box, where x and y are
/// two slabs. If faces are equally near, it chooses the same face as [`closest_point`].
pub(crate) fn closest_point_of_box(obb: &Obb, p: Vec2) -> ClosestPoint {
    let (here, half) = (if obb.is_plain() { p } else { obb.place.apply_inverse(p) }, obb.half);
    let side = Vec2::new(if here.x >= 0.0 { 1.0 } else { -1.0 }, if here.y > 0.0 { 1.0 } else { -1.0 });
    // How far the point is over the nearer face of each pair.
    let over = here.abs() - half;
    let noise = SEPARATION_NOISE * (half.max_element() + here.abs().max_element());
    let (distance, normal, on_core) = if over.min_element() > noise {
        let distance = over.length();
        (distance, side * over / distance, side * half)
    } else if over.x > over.y || over.x == over.y && side == Vec2::ONE {
        (over.x, Vec2::new(side.x, 0.0), Vec2::new(side.x * half.x, here.y))
    } else {
        (over.y, Vec2::new(0.0, side.y), Vec2::new(here.x, side.y * half.y))
    };
    let (point, distance) = (on_core + normal * obb.radius, distance - obb.radius);
    if obb.is_plain() {
        return ClosestPoint { point, distance, normal };
    }
    ClosestPoint { point: obb.place.apply(point), distance, normal: obb.place.rotation * normal }
}

/// The closest border point of a circle; above the centre when `p` is the centre.
pub(crate) fn closest_point_of_circle(circle: &Circle, p: Vec2) -> ClosestPoint {
    let away = p - circle.center;
    let unit = unit_or_zero(away);
    let normal = if unit == Vec2::ZERO { Vec2::Y } else { unit };
    let distance = away.length() - circle.radius;
    ClosestPoint { point: circle.center + normal * circle.radius, distance, normal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rot;
    use crate::util::Random;

    /// Boxes, turned and rounded ones too, answer as their four corners do: points inside, over
    /// faces, beside corners, and where faces are equally near.
    #[test]
    fn boxes_answer_as_their_corners_do() {
        let mut random = Random(3);
        for round in 0..20_000 {
            let half = Vec2::new(random.between(0.1, 4.0), random.between(0.1, 4.0));
            let mut obb = Obb::new(2.0 * half.x, 2.0 * half.y).expect("a box");
            if round % 3 == 1 {
                obb = obb.rounded(random.between(0.01, 0.5)).expect("a radius");
            }
            if round % 2 == 1 {
                let position = Vec2::new(random.between(-5.0, 5.0), random.between(-5.0, 5.0));
                let rotation = Rot::from_angle(random.between(-4.0, 4.0));
                obb = obb.transformed(Transform { position, rotation });
            }
            // On a lattice of quarters: corners, edges and the centre come often.
            let mut at = |half: f32| match random.below(3) {
                0 => half * (random.below(13) as f32 - 6.0) / 4.0,
                _ => random.between(-3.0 * half, 3.0 * half),
            };
            let p = obb.place.apply(Vec2::new(at(half.x), at(half.y)));
            let (found, (expected, _)) =
                (closest_point_of_box(&obb, p), closest_point(&Convex::from(&obb), p));
            assert!(
                (found.distance - expected.distance).abs() < 1.0e-5,
                "{obb:?} {p}: {found:?} {expected:?}"
            );
            let on_border = found.point + found.normal * found.distance;
            assert!(on_border.distance(p) < 1.0e-5, "{obb:?} {p}: {found:?}");
            // Near a corner, and where two faces are equally near, rounding chooses.
            let here = obb.place.apply_inverse(p).abs();
            let [over_x, over_y] = (here - obb.half).to_array();
            let is_even = (over_x - over_y).abs() < 1.0e-5 || here.min_element() < 1.0e-5;
            let is_exact = obb.is_plain() || round % 2 == 0;
            if found.distance.abs() > 1.0e-2 && (is_exact || !is_even) {
                assert!(
                    found.normal.distance(expected.normal) < 1.0e-3,
                    "{obb:?} {p}: {found:?} {expected:?}"
                );
                assert!(found.point.distance(expected.point) < 1.0e-3, "{obb:?} {p}: {found:?} {expected:?}");
            }
        }
    }
}
