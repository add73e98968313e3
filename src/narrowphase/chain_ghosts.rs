//! Ghost collisions of chains (internal edges): contacts with a segment get only normals that
//! belong to the surface as a whole. Separate parts that lie flush, such as tiles, have another
//! rule: `step/collide/tile_ghosts.rs`.
//!
//! In: a chain segment as the first shape, and anything convex, in the segment's frame. Out: a
//! manifold whose normal the whole chain could have produced.
//!
//! Taken alone, the end of a segment may push sideways on a box that slides over it: the bump at
//! inner corners that players feel. The neighbours tell which normals are real:
//!
//! ```text
//!         n      m             n: normal of this segment on the outer side of corner b
//!         ^     /              m: the same for the neighbour
//!      ---+---b
//!              \      real: normals over b that lean away from the neighbour, from n round to m;
//!               \           no other normal has b for the farthest point of both segments
//!             not real: normals over b that lean towards the neighbour, which is deeper there.
//!                       This segment answers with n, on the side where it is less deep.
//! ```
//!
//! The middle of the other shape does not decide the side. The middle of a plank that hangs over a
//! ledge is above the ledge, on the inner side of the wall below. If the neighbour's own contact is
//! along its face, that contact gives the side. Otherwise only the stretch of the shape beside the
//! segment counts:
//!
//! ```text
//!        :   ____/       :
//!        :  /   /        :      up: how far the other shape reaches over the line between the ends
//!      --a-/---/---------b--    of the segment; down: the same under it. The lesser of the two is
//!        :/___/          :      the depth, and gives the side.
//! ```
//!
//! At a convex corner, the face along which the shapes have the shorter way out gets the contact:
//!
//! ```text
//!         +------+           The box lies on the neighbour, some µm deep in it. Its side is in
//!         |      |           line with the segment, and touches that at the corner, from inside:
//!     ----+------b           there it would stand as at a wall. Out over the face of the segment
//!      neighbour | segment   it is as far as it is wide, so the neighbour has it.
//! ```
//!
//! A depth found this way may still be more than the true depth, which is along another direction.
//! So no point is deeper than the overlap of the other shape with the segment alone.

use glam::Vec2;

use super::clip;
use super::convex::Convex;
use super::manifold::Manifold;
use super::round;
use super::sat::Features;
use crate::ablate::Rule;
use crate::math::{max, min, right_of, unit_or_zero};
use crate::shape::{ChainSegment, Segment};
use crate::tuning::{SEPARATION_NOISE, SurfaceTuning};

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
    let lean = plain.normal.dot(along);
    let is_own = lean.abs() <= SurfaceTuning::OWN_NORMAL;
    // A segment whose ends rounding makes equal, far from the origin of the frame, has no sides.
    let at_end = if along == Vec2::ZERO {
        None
    } else if is_own {
        end_near(segment, along, &plain, margin)
    } else {
        Some(lean > 0.0)
    };
    let corner = at_end.and_then(|at_end| Corner::new(segment, along, at_end));
    let Some(corner) = corner.filter(|_| Rule::ChainCorners.acts(true)) else {
        return Some(plain);
    };
    if plain.normal.dot(corner.onward) > SurfaceTuning::OWN_NORMAL {
        // The segment's own normal is real, unless the neighbour has the other shape on its other
        // side.
        let seen = corner.side_of_neighbour(other, margin);
        let is_right = plain.normal.dot(right_of(along)) > 0.0;
        if is_own && seen.as_ref().is_none_or(|seen| seen.is_right == is_right || !seen.is_face) {
            return Some(plain);
        }
        return on_face(segment, (along, &corner, seen), other, plain.separation(), margin);
    }
    if is_own {
        return Some(plain);
    }
    // Both segments find a contact at the corner: the segment whose own normal is nearer keeps it.
    let is_left_to_neighbour = !corner.is_mine(plain.normal)
        && corner.contact_of_neighbour(other, margin).is_some_and(|(found, _)| {
            let leans = found.dot(corner.onward) < -SurfaceTuning::OWN_NORMAL;
            found.dot(plain.normal) > SurfaceTuning::SAME_WORK && !(leans && corner.is_mine(found))
        });
    (!is_left_to_neighbour).then_some(plain)
}

/// A contact of the neighbour taken alone.
struct NeighbourContact {
    /// Whether the other shape is on the right of the chain.
    is_right: bool,
    /// Whether it has the neighbour's own normal, so that the neighbour keeps it.
    is_face: bool,
    gap: f32,
}

/// The corner over which a normal leans, seen from a segment that ends there.
struct Corner {
    /// The neighbour, from the corner on.
    neighbour: Segment,
    /// The direction in which it goes.
    onward: Vec2,
    /// The direction in which the segment comes.
    coming: Vec2,
    /// Whether it is the first point of the segment.
    is_first: bool,
}

impl Corner {
    /// The corner at the end or at the start of a segment; a free end has none, and any normal that
    /// leans over it is real.
    fn new(segment: &ChainSegment, along: Vec2, at_end: bool) -> Option<Corner> {
        let (here, next, coming) = if at_end {
            (segment.b, segment.after()?, along)
        } else {
            (segment.a, segment.before()?, -along)
        };
        let neighbour = Segment { a: here, b: next };
        Some(Corner { neighbour, onward: unit_or_zero(next - here), coming, is_first: !at_end })
    }

    /// Whether a real normal is nearer to this segment's than to the neighbour's.
    fn is_mine(&self, normal: Vec2) -> bool {
        let right = right_of(self.coming);
        // The neighbour turns away from the outer side. At a fold, the outer side is the side of
        // the normal.
        let turn = self.onward.dot(right);
        let is_right =
            if turn.abs() > SurfaceTuning::OWN_NORMAL { turn < 0.0 } else { normal.dot(right) > 0.0 };
        let side = |direction: Vec2| if is_right { right_of(direction) } else { -right_of(direction) };
        let (mine, theirs) = (normal.dot(side(self.coming)), normal.dot(side(self.onward)));
        // If both are equally near, the segment that starts at the corner wins.
        if self.is_first {
            mine >= theirs - SurfaceTuning::RIDGE_TIE
        } else {
            mine > theirs + SurfaceTuning::RIDGE_TIE
        }
    }

    /// Returns the contact of the neighbour, if its normal gives the side.
    fn side_of_neighbour(&self, other: &Convex, margin: f32) -> Option<NeighbourContact> {
        let (normal, gap) = self.contact_of_neighbour(other, margin)?;
        // The right of the chain, which runs from the segment to the neighbour or the other way.
        let right = if self.is_first { right_of(-self.onward) } else { right_of(self.onward) };
        let faces = normal.dot(right);
        let is_face = normal.dot(self.onward).abs() <= SurfaceTuning::OWN_NORMAL;
        (faces.abs() > SurfaceTuning::TELLS_SIDE).then_some(NeighbourContact {
            is_right: faces > 0.0,
            is_face,
            gap,
        })
    }

    /// Whether the corner sticks out on a side of the chain: the neighbour turns away from it.
    fn is_convex(&self, is_right: bool) -> bool {
        let right = if self.is_first { right_of(-self.coming) } else { right_of(self.coming) };
        self.onward.dot(if is_right { right } else { -right }) < -SurfaceTuning::OWN_NORMAL
    }

    /// The normal and the gap of the neighbour taken alone, if that is within `margin`.
    fn contact_of_neighbour(&self, other: &Convex, margin: f32) -> Option<(Vec2, f32)> {
        let neighbour = Convex::from(&self.neighbour);
        if other.count() > 1 {
            return clip::collide(&neighbour, other, margin).map(|found| (found.normal, found.separation()));
        }
        let (closest, _) = round::closest_point(&neighbour, other.vertex(0));
        let gap = closest.distance - other.radius;
        (gap <= margin).then_some((closest.normal, gap))
    }
}

/// The end of the segment to which all points of a manifold are near: whether it is the last one.
fn end_near(segment: &ChainSegment, along: Vec2, plain: &Manifold, margin: f32) -> Option<bool> {
    [false, true].into_iter().find(|&at_end| {
        let end = if at_end { segment.b } else { segment.a };
        plain.points().iter().all(|point| (point.point - end).dot(along).abs() <= margin)
    })
}

/// The manifold with the segment's own normal, not deeper than `deepest`, if the other shape stands
/// over the segment at all, and the neighbour does not have it: see the head.
fn on_face(
    segment: &ChainSegment,
    (along, corner, seen): (Vec2, &Corner, Option<NeighbourContact>),
    other: &Convex,
    deepest: f32,
    margin: f32,
) -> Option<Manifold> {
    let face = Convex::from(segment);
    let noise = SEPARATION_NOISE * (face.extent() + other.extent());
    let sides = (-noise, (segment.b - segment.a).dot(along) + noise);
    let right = right_of(along);
    let local = |w: Vec2| Vec2::new((w - segment.a).dot(along), (w - segment.a).dot(right));
    // The least and greatest height, to the right of the line, of the part of an edge beside the
    // segment.
    let heights = |edge: usize| {
        let (w1, w2) = other.edge(edge);
        let [p, q] = clip::clip(local(w1), local(w2), sides)?;
        Some((min(p.y, q.y), max(p.y, q.y)))
    };
    let all = (0..other.count()).filter_map(heights);
    let (low, high) = all.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (least, most)| {
        (min(low, least), max(high, most))
    });
    if low > high {
        return None;
    }
    let is_right = seen.as_ref().map_or(low + high >= 0.0, |seen| seen.is_right);
    let (reference, lowest) = if is_right { (0, low) } else { (1, -high) };
    let is_of_neighbour = |seen: NeighbourContact| seen.is_face && seen.gap >= lowest - other.radius;
    if corner.is_convex(is_right) && seen.is_some_and(is_of_neighbour) {
        return None;
    }
    if lowest - other.radius > margin {
        return None;
    }
    // The incident edge is the edge that faces the segment most among the lowest.
    let n = face.normal(reference);
    let reaches = |edge: usize| {
        heights(edge).is_some_and(|(least, most)| if is_right { least } else { -most } <= lowest + noise)
    };
    let facing = |edge: usize| other.normal(edge).dot(n);
    let edges = (0..other.count()).filter(|&edge| reaches(edge));
    let incident = edges.min_by(|&p, &q| facing(p).total_cmp(&facing(q)))?;
    let features = Features::of_edges(reference, incident, lowest);
    // Where the core is at the greatest depth, beside the segment: least and greatest x there.
    let level = if is_right { deepest + other.radius } else { -(deepest + other.radius) };
    let cuts = (0..other.count()).filter_map(|edge| {
        let (w1, w2) = other.edge(edge);
        let (p, q) = (local(w1), local(w2));
        let crosses = min(p.y, q.y) <= level && level <= max(p.y, q.y) && p.y != q.y;
        crosses.then(|| p.x + (q.x - p.x) * ((level - p.y) / (q.y - p.y)))
    });
    let (first, last) =
        cuts.fold((f32::INFINITY, f32::NEG_INFINITY), |(first, last), x| (min(first, x), max(last, x)));
    let (first, last) = (max(first, sides.0), min(last, sides.1));
    let slide = |point: Vec2| {
        let x = local(point).x;
        if first <= last { along * (max(first, min(last, x)) - x) } else { Vec2::ZERO }
    };
    let manifold = clip::face_manifold(&face, other, &features, f32::INFINITY);
    let manifold = manifold.bounded(deepest, margin, slide);
    (!manifold.is_empty()).then_some(manifold)
}

/// Whether a convex piece is on the side of the chain to which a normal of one of its segments
/// points. The contact of a neighbour tells, if it is within `margin`, else the `middle` of the
/// piece.
pub(crate) fn comes_over_side(
    segment: &ChainSegment,
    normal: Vec2,
    (other, middle): (&Convex, Vec2),
    margin: f32,
) -> bool {
    let along = unit_or_zero(segment.b - segment.a);
    let is_right = normal.dot(right_of(along)) > 0.0;
    let is_behind = [false, true].into_iter().any(|at_end| {
        let corner = Corner::new(segment, along, at_end);
        corner.is_some_and(|corner| {
            let seen = corner.side_of_neighbour(other, margin);
            seen.is_some_and(|seen| seen.is_right != is_right && corner.is_convex(seen.is_right))
        })
    });
    !is_behind && is_on_side(segment, normal, middle)
}

/// Whether a point is on the side of the chain to which a normal of one of its segments points, as
/// far as the segment and its neighbours can tell. Beyond a free end, every point is.
///
/// ```text
///         p              p lies over the segment and behind the neighbour: it is not inside of the
///     ----------b        two. Where a corner sticks out, over one of them is enough.
///   neighbour  /  segment
/// ```
pub(crate) fn is_on_side(segment: &ChainSegment, normal: Vec2, p: Vec2) -> bool {
    let along = unit_or_zero(segment.b - segment.a);
    let is_right = normal.dot(right_of(along)) >= 0.0;
    let is_over = |from: Vec2, direction: Vec2| {
        let right = right_of(direction);
        (p - from).dot(if is_right { right } else { -right }) >= 0.0
    };
    let over_segment = is_over(segment.a, along);
    let at_end = (p - 0.5 * (segment.a + segment.b)).dot(along) > 0.0;
    let (corner, outward, next) =
        if at_end { (segment.b, along, segment.after()) } else { (segment.a, -along, segment.before()) };
    let is_beyond = (p - corner).dot(outward) > 0.0;
    let Some(next) = next else { return is_beyond || over_segment };
    // Beside the segment, its own line decides; and the line of a neighbour, if the point is beside
    // that neighbour, too.
    let onward = next - corner;
    let x = (p - corner).dot(onward);
    let is_beside = 0.0 < x && x < onward.length_squared();
    if !is_beyond && !is_beside {
        return over_segment;
    }
    let over_neighbour = is_over(corner, if at_end { onward } else { -onward });
    let right = right_of(along);
    let is_outer = onward.dot(if is_right { right } else { -right }) < 0.0;
    if is_outer { over_segment || over_neighbour } else { over_segment && over_neighbour }
}
