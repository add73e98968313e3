//! The two-point manifold: the incident edge clipped to the sides of the reference edge.
//!
//! In: two cores and the features that decided. Out: a [`Manifold`] with one or two points.
//!
//! ```text
//!            w1 \                    x runs along the reference edge from v1, y along its normal
//!                \        y
//!                 \       ^          the incident edge w is cut at x = 0 and x = length;
//!        v1 -------\------+--- v2    the ends of the rest are the two contact points
//!                   w2
//! ```

use glam::Vec2;

use super::convex::Convex;
use super::manifold::{FeatureId, Manifold, ManifoldPoint};
use super::sat::{self, Features};
use crate::math::{max, min};
use crate::tuning::SEPARATION_NOISE;

/// The manifold of two cores with at least two corners each, if they are within `margin`.
pub(crate) fn collide(a: &Convex, b: &Convex, margin: f32) -> Option<Manifold> {
    let features = sat::features(a, b, a.radius + b.radius + margin)?;
    Some(manifold(a, b, &features, margin))
}

/// The manifold for features that are already known to be within `margin`.
fn manifold(a: &Convex, b: &Convex, features: &Features, margin: f32) -> Manifold {
    let (reference, _) = features.order(a, b);
    let n = reference.normal(features.reference);
    if features.apart.is_none_or(|closest| closest.corners().is_none() || closest.stands_upright(n)) {
        let manifold = face_manifold(a, b, features, margin);
        // A steep edge that hangs over the end of the face by little more than rounding loses its
        // lowest point.
        let slack = 4.0 * SEPARATION_NOISE * (a.extent() + b.extent());
        let deepest = features.core_separation() - (a.radius + b.radius);
        if !manifold.is_empty() && manifold.separation() <= deepest + slack {
            return manifold;
        }
    }
    corner_manifold(a, b, features, margin)
}

/// One point between the closest (or deepest) points of the two.
///
/// The cores are within the sum of radii and margin, but the separation less the radii may round to
/// more than the margin.
fn corner_manifold(a: &Convex, b: &Convex, features: &Features, margin: f32) -> Manifold {
    let distance = features.distance(a, b);
    let corners = features.apart.and_then(|closest| closest.corners());
    let (r, i) = corners.unwrap_or((features.reference, features.support));
    let (corner_a, corner_b) = if features.reference_is_b { (i, r) } else { (r, i) };
    let id = FeatureId::new(corner_a, corner_b, FeatureId::POINT);
    Manifold::single(distance.normal, distance.middle(), min(distance.separation, margin), id)
}

/// The ends of the clipped incident edge that are within `margin`.
pub(super) fn face_manifold(a: &Convex, b: &Convex, features: &Features, margin: f32) -> Manifold {
    wider_manifold(a, b, features, margin, [0.0; 2])
}

/// [`face_manifold`] with a reference edge that is longer by `wider` at its start and at its end.
pub(super) fn wider_manifold(
    a: &Convex,
    b: &Convex,
    features: &Features,
    margin: f32,
    wider: [f32; 2],
) -> Manifold {
    let (reference, incident) = features.order(a, b);
    let n = reference.normal(features.reference);
    let t = n.perp();
    let (v1, v2) = reference.edge(features.reference);
    let (w1, w2) = incident.edge(features.incident);
    let local = |w: Vec2| Vec2::new((w - v1).dot(t), (w - v1).dot(n));
    // An end that overhangs by rounding alone is not cut: the cut would change the height of a
    // steep edge by far more than the rounding.
    let slack = SEPARATION_NOISE * (a.extent() + b.extent());
    let sides = (-slack - wider[0], (v2 - v1).dot(t) + slack + wider[1]);
    // Edges run counter-clockwise, so the incident edge runs against the reference edge.
    let Some(clipped) = clip(local(w2), local(w1), sides) else { return Manifold::NONE };

    let reach = reference.radius + incident.radius;
    let normal = if features.reference_is_b { -n } else { n };
    let mut manifold = Manifold::new(normal);
    let same = clipped[0] == clipped[1];
    // Lower end first, along the tangent of the first shape's edge.
    let ends = if features.reference_is_b { [1, 0] } else { [0, 1] };
    for end in if same { &ends[..1] } else { &ends[..] } {
        let p = clipped[*end];
        let separation = p.y - reach;
        if separation <= margin {
            // Halfway between the surface of the reference, at its radius, and that of the incident
            // edge.
            let middle = 0.5 * (p.y + reference.radius - incident.radius);
            let point = v1 + t * p.x + n * middle;
            manifold.push(ManifoldPoint { point, separation, id: face_id(features, *end as u8) });
        }
    }
    manifold
}

/// Returns the id of a contact point of two edges. It does not depend on which of them is the
/// reference; ends count along the tangent of the edge of the first shape.
fn face_id(features: &Features, end: u8) -> FeatureId {
    if features.reference_is_b {
        FeatureId::new(features.incident, features.reference, 1 - end)
    } else {
        FeatureId::new(features.reference, features.incident, end)
    }
}

/// Returns the part of the segment from `low` to `high` between two values of x, if there is any.
pub(super) fn clip(low: Vec2, high: Vec2, sides: (f32, f32)) -> Option<[Vec2; 2]> {
    let (low, high) = if low.x <= high.x { (low, high) } else { (high, low) };
    let (x0, x1) = (max(low.x, sides.0), min(high.x, sides.1));
    if x0 > x1 || x0.is_nan() || x1.is_nan() {
        return None;
    }
    let width = high.x - low.x;
    let slope = if width > 0.0 { (high.y - low.y) / width } else { 0.0 };
    let y0 = if x0 > low.x { low.y + (x0 - low.x) * slope } else { low.y };
    let y1 = if x1 < high.x { high.y + (x1 - high.x) * slope } else { high.y };
    Some([Vec2::new(x0, y0), Vec2::new(x1, y1)])
}
