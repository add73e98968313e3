//! Contact with a segment of a chain: normals that belong to the surface as a whole.
//!
//! In: a chain segment as the first shape, and anything convex, in the segment's frame. Out: a manifold
//! whose normal the whole chain could have produced.
//!
//! Taken alone, the end of a segment may push sideways on a box that slides over it: the bump at inner corners
//! that players feel. The neighbours tell which normals are real:
//!
//! ```text
//!         n      m                      n: normal of this segment on the side where the other shape is
//!         ^     /                       m: the same for the neighbour
//!      ---+---b                 outer corner: every normal from n round to m belongs to the corner b
//!              \                inner or flat corner: nothing but n and m do; what leans over is
//!               \               replaced by n itself, and the neighbour answers for m
//! ```
//!
//! The side is where the middle of the other shape lies, so both sides of a chain are smooth.

use glam::Vec2;

use super::clip;
use super::convex::Convex;
use super::manifold::Manifold;
use super::sat::Features;
use crate::math::{right_of, unit_or_zero};
use crate::shape::ChainSegment;

/// How far a normal may lean over, in units of its sine, before it counts as another normal: 0.06 degrees.
const LEAN: f32 = 1.0e-3;

/// The smooth manifold of a chain segment and a convex piece, if they are within `margin`.
///
/// `plain` is the manifold of the segment taken alone.
pub(crate) fn collide(
    segment: &ChainSegment,
    other: &Convex,
    plain: Manifold,
    margin: f32,
) -> Option<Manifold> {
    let along = unit_or_zero(segment.b - segment.a);
    if along == Vec2::ZERO {
        // Rounded to a point, far from the origin of what it is seen from: it has no sides.
        return Some(plain);
    }
    let middle = other.vertices().sum::<Vec2>() / other.count() as f32;
    let is_right = (middle - segment.a).dot(right_of(along)) >= 0.0;
    let side = |direction: Vec2| if is_right { right_of(direction) } else { -right_of(direction) };

    let n = side(along);
    let lean = plain.normal.dot(along);
    let faces_this_side = plain.normal.dot(n) > 0.0;
    if faces_this_side && lean.abs() <= LEAN {
        return Some(plain);
    }
    // The neighbour on the end to which the normal leans, running away from this segment.
    let (neighbour, own) = if lean > 0.0 {
        (segment.after().map(|after| unit_or_zero(after - segment.b)), false)
    } else {
        (segment.before().map(|before| unit_or_zero(before - segment.a)), true)
    };
    let Some(onward) = neighbour else { return Some(plain) };
    let m = if lean > 0.0 { side(onward) } else { side(-onward) };
    let is_outer_corner = onward.dot(n) < -LEAN;
    if is_outer_corner && plain.normal.dot(onward) <= LEAN && (faces_this_side || plain.normal.dot(m) > 0.0) {
        // Both segments see the same corner: the one whose normal is nearer keeps it.
        let (mine, theirs) = (plain.normal.dot(n), plain.normal.dot(m));
        return (mine > theirs || (mine == theirs && own)).then_some(plain);
    }
    on_face(segment, other, is_right, margin)
}

/// The manifold with the segment's own normal, if the other shape stands over the segment at all.
fn on_face(segment: &ChainSegment, other: &Convex, is_right: bool, margin: f32) -> Option<Manifold> {
    let face = Convex::from(segment);
    let reference = if is_right { 0 } else { 1 };
    let height = other.lowest(segment.a, face.normal(reference));
    if height - other.radius > margin {
        return None;
    }
    let features = Features::of_face(&face, reference, other, height);
    let manifold = clip::face_manifold(&face, other, &features, margin);
    (!manifold.is_empty()).then_some(manifold)
}
