//! Contact along a given face, for shapes that touch several fixed pieces of one surface.
//!
//! In: a piece that has straight faces, and anything convex, in the frame of the first. Out: for
//! each face, its normal, the stretch over which the other stands, and the manifold along the face,
//! even if the separating axis test would choose another face. Called by
//! `step/collide/tile_ghosts.rs`, which knows the pieces beside this one, and so which faces are
//! covered.
//!
//! ```text
//!            \   other  /
//!             \        /             face    from v1 to v2, moved out by the radius
//!      v2 -----\------/---- v1       stretch of the face over which the other stands: its shadow
//!         piece \    /
//! ```

use glam::Vec2;

use super::chain_ghosts::comes_over_side;
use super::clip;
use super::convex::Convex;
use super::half_plane;
use super::manifold::{FeatureId, Manifold, ManifoldPoint};
use super::sat::Features;
use crate::math::{Transform, cross, max, min, unit_or_zero};
use crate::shape::{ChainSegment, HalfPlane, Piece};
use crate::tuning::{MarginTuning, SEPARATION_NOISE, SurfaceTuning};

/// A piece and the other piece of its contact, in the frame of the first.
pub(crate) struct Faces {
    reference: Convex,
    other: Convex,
    plane: Option<HalfPlane>,
}

impl Faces {
    /// None of two half-planes, which have no corners.
    pub(crate) fn new(piece: Piece, other: Piece, other_in_piece: Transform) -> Option<Faces> {
        if matches!(other, Piece::HalfPlane(_)) {
            return None;
        }
        let other = super::convex(other).transformed(other_in_piece);
        let (reference, plane) = match piece {
            Piece::HalfPlane(plane) => {
                let extent = 2.0 * (other.reach() + other.radius) + plane.offset.abs();
                (Convex::from_half_plane(plane, extent), Some(*plane))
            }
            _ => (super::convex(piece), None),
        };
        Some(Faces { reference, other, plane })
    }

    /// The numbers of the faces; none of a circle.
    pub(crate) fn numbers(&self) -> core::ops::Range<usize> {
        match (self.plane, self.reference.count()) {
            // The border is the last face of the square that stands in for the half-plane.
            (Some(_), _) => 3..4,
            (None, 1) => 0..0,
            (None, count) => 0..count,
        }
    }

    /// Whether the middle of the other is on the outer side of a face.
    pub(crate) fn is_seen(&self, face: usize) -> bool {
        let middle = self.other.vertices().sum::<Vec2>() / self.other.count() as f32;
        (middle - self.reference.vertex(face)).dot(self.normal(face)) > 0.0
    }

    pub(crate) fn normal(&self, face: usize) -> Vec2 {
        self.reference.normal(face)
    }

    /// How far the lowest point of the other is above a face.
    pub(crate) fn separation(&self, face: usize) -> f32 {
        let lowest = self.other.lowest(self.reference.vertex(face), self.reference.normal(face));
        lowest - self.reference.radius - self.other.radius
    }

    /// The ends of the stretch of a face over which the other stands at some time while it moves by
    /// `way`.
    pub(crate) fn stretch(&self, face: usize, way: Vec2) -> Option<[Vec2; 2]> {
        let (v1, v2) = self.reference.edge(face);
        let n = self.reference.normal(face);
        let along = n.perp();
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for w in self.other.vertices() {
            let x = (w - v1).dot(along);
            (low, high) = (min(low, x), max(high, x));
        }
        let goes = way.dot(along);
        low = max(low + min(goes, 0.0) - self.other.radius, 0.0);
        high = min(high + max(goes, 0.0) + self.other.radius, (v2 - v1).dot(along));
        let surface = v1 + n * self.reference.radius;
        (low <= high).then(|| [surface + along * low, surface + along * high])
    }

    /// Returns the contact with a face if the other piece is beside the face now, and gets over it
    /// while it moves by `way`; gaps are the present ones.
    ///
    /// Where pieces meet at an angle, a body that moves along one piece touches the next at a
    /// corner that is no corner of the surface. Without a contact to replace that touch, a ball at
    /// 50 m/s was 25 mm deep in a slope of 2 degrees at the end of a step.
    pub(crate) fn ahead(&self, face: usize, way: Vec2, margins: &MarginTuning) -> Option<Manifold> {
        let height = self.separation(face);
        let sinks = -way.dot(self.normal(face));
        if self.plane.is_some() || sinks <= 0.0 || height > sinks || height < -margins.flush {
            return None;
        }
        let found = self.swept(face, way, margins.speculative + sinks);
        (!found.is_empty()).then_some(found)
    }

    /// Returns the manifold along a face for the part of the other piece that is over the face now,
    /// or gets over it while the piece moves by `way`: the points within `margin`, on the other's
    /// surface, with their present gaps.
    ///
    /// ```text
    ///      q------------p            The edge p q moves to the right. From x to p it is over the
    ///                                face, a slope; in this step all of it gets there. Both ends
    ///          ______x/  <- face     need a contact now, or q passes the bend without one.
    /// ```
    pub(crate) fn swept(&self, face: usize, way: Vec2, margin: f32) -> Manifold {
        let n = self.normal(face);
        let goes = way.dot(n.perp());
        let features = Features::of_face(&self.reference, face, &self.other, self.separation(face));
        let wider = [max(goes, 0.0), max(-goes, 0.0)];
        let found = clip::wider_manifold(&self.reference, &self.other, &features, margin, wider);
        let is_round = self.other.count() == 1;
        let mut swept = Manifold::new(n);
        for point in found.points() {
            let id = if is_round { FeatureId::new(face, 0, FeatureId::POINT) } else { point.id };
            swept.push(ManifoldPoint { point: point.point + n * (0.5 * point.separation), id, ..*point });
        }
        swept
    }

    /// Whether a point of a manifold lies beside a face, and not over it.
    pub(crate) fn is_beside(&self, face: usize, point: Vec2) -> bool {
        let (v1, v2) = self.reference.edge(face);
        let along = self.normal(face).perp();
        let x = (point - v1).dot(along);
        let slack = SEPARATION_NOISE * (self.reference.extent() + self.other.extent());
        x < -2.0 * slack || x > (v2 - v1).dot(along) + 2.0 * slack
    }

    /// The manifold along a face, of the points within `margin`; empty if the other stands beside
    /// it.
    pub(crate) fn manifold(&self, face: usize, margin: f32) -> Manifold {
        if let Some(plane) = &self.plane {
            return half_plane::collide(plane, &self.other, margin).unwrap_or(Manifold::NONE);
        }
        let (n, separation) = (self.normal(face), self.separation(face));
        let features = Features::of_face(&self.reference, face, &self.other, separation);
        let found = clip::face_manifold(&self.reference, &self.other, &features, margin);
        match found.points() {
            // The same feature id as in `round.rs`.
            [point] if self.other.count() == 1 => {
                Manifold::single(n, point.point, point.separation, FeatureId::new(face, 0, FeatureId::POINT))
            }
            _ => found,
        }
    }
}

/// Returns the contact with a segment of a chain, on the side of the other piece, if that piece is
/// beside the segment now, and gets over it while it moves by `way`: see [`Faces::ahead`].
pub(crate) fn segment_ahead(
    segment: &ChainSegment,
    other: Piece,
    other_in_segment: Transform,
    way: Vec2,
    margins: &MarginTuning,
) -> Option<Manifold> {
    let faces = Faces::new(Piece::ChainSegment(segment), other, other_in_segment)?;
    let middle = other_in_segment.apply(other.middle());
    let along = segment.b - segment.a;
    let beside = if (middle - segment.b).dot(along) > 0.0 {
        segment.after()? - segment.b
    } else {
        segment.a - segment.before()?
    };
    if cross(unit_or_zero(along), unit_or_zero(beside)).abs() <= SurfaceTuning::SAME_FACE {
        // Segment and neighbour are in line: a body on the neighbour comes no nearer to the
        // segment.
        return None;
    }
    let margin = margins.speculative + way.length();
    faces
        .numbers()
        .filter(|&face| faces.is_seen(face))
        .find_map(|face| faces.ahead(face, way, margins))
        .filter(|found| comes_over_side(segment, found.normal, (&faces.other, middle), margin))
}
