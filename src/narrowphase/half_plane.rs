//! A half-plane against everything: heights over its border.
//!
//! In: a half-plane as the first shape, in its own frame. Out: distances, and manifolds of its one
//! or two lowest points.

use glam::Vec2;

use super::convex::Convex;
use super::manifold::{Distance, FeatureId, Manifold, ManifoldPoint};
use crate::math::{cross, max};
use crate::shape::HalfPlane;
use crate::tuning::MAX_SIZE;

/// The signed distance of a half-plane and a convex piece.
pub(crate) fn distance(plane: &HalfPlane, convex: &Convex) -> Distance {
    let lowest = convex.vertex(convex.support(Vec2::ZERO, plane.normal));
    let height = plane.height(lowest);
    Distance {
        separation: height - convex.radius,
        normal: plane.normal,
        point_a: lowest - plane.normal * height,
        point_b: lowest - plane.normal * convex.radius,
    }
}

/// The manifold of a half-plane and a convex piece: the lowest corner and, if it is also within
/// `margin`, that of its neighbours to which the edge rises less. Each point is named after its
/// corner.
///
/// Tried: the lower of the two neighbours. For a thin stick that leans by more than its thickness,
/// that is the other corner of its short end; with both points there, a stick that was deep flipped
/// over in each step.
pub(crate) fn collide(plane: &HalfPlane, convex: &Convex, margin: f32) -> Option<Manifold> {
    let heights = |i: usize| plane.height(convex.vertex(i));
    let lowest = convex.support(Vec2::ZERO, plane.normal);
    let (before, after) = (convex.previous(lowest), convex.next(lowest));
    let edge = |to: usize| {
        let way = convex.vertex(to) - convex.vertex(lowest);
        (heights(to) - heights(lowest), way.length())
    };
    let ((rise, length), (other_rise, other_length)) = (edge(before), edge(after));
    let neighbour = if rise * other_length < other_rise * length { before } else { after };

    let mut manifold = Manifold::new(plane.normal);
    let pair = [lowest, neighbour];
    let corners = if neighbour == lowest { &pair[..1] } else { &pair[..] };
    for &corner in corners {
        let (v, separation) = (convex.vertex(corner), heights(corner) - convex.radius);
        if separation <= margin {
            let point = v - plane.normal * (convex.radius + 0.5 * separation);
            manifold.push(ManifoldPoint {
                point,
                separation,
                id: FeatureId::new(0, corner, FeatureId::POINT),
            });
        }
    }
    (!manifold.is_empty()).then_some(manifold)
}

/// The greatest distance at which borders may cross: no two points of a world are farther apart,
/// and the lever of a contact would be as long.
const FARTHEST_CROSSING: f32 = 1.0e13;

/// The signed distance of two half-planes: finite only when they face each other exactly.
///
/// All other pairs overlap, and no translation along the normals parts them: separation is minus
/// infinity, at the crossing of their borders.
pub(crate) fn distance_of_planes(a: &HalfPlane, b: &HalfPlane) -> Distance {
    if a.normal == -b.normal {
        let separation = -b.offset - a.offset;
        return Distance {
            separation,
            normal: a.normal,
            point_a: a.normal * a.offset,
            point_b: b.normal * b.offset,
        };
    }
    // p with n_a·p = o_a and n_b·p = o_b (Cramer); borders that are parallel, or nearly, share no
    // point: the border of `a` serves.
    let determinant = cross(a.normal, b.normal);
    let crossing = (b.normal * a.offset - a.normal * b.offset).perp() * (-1.0 / determinant);
    let point = if crossing.abs().max_element() < FARTHEST_CROSSING { crossing } else { a.normal * a.offset };
    Distance { separation: f32::NEG_INFINITY, normal: a.normal, point_a: point, point_b: point }
}

/// The contact of two half-planes, if they are within `margin`. If they are infinitely deep in each
/// other, the depth is the greatest size, since a world computes with it.
pub(crate) fn collide_planes(a: &HalfPlane, b: &HalfPlane, margin: f32) -> Option<Manifold> {
    let found = distance_of_planes(a, b);
    let within = found.separation <= margin;
    let separation = max(found.separation, -MAX_SIZE);
    within.then(|| Manifold::single(found.normal, found.middle(), separation, FeatureId::ROUND))
}
