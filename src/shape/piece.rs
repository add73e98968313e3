//! Convex pieces of shapes (child shapes), on which pair tests work, and the bounding circles that
//! decide most pairs without a test.
//!
//! In: a [`Shape`]. Out: its pieces by number, the tree over them where there are several, and for
//! a convex shape a circle around it and one inside it. Called by the narrowphase.

use glam::Vec2;

use super::tiles::PartTree;
use super::{Capsule, ChainSegment, Circle, HalfPlane, Obb, Polygon, Segment, Shape};
use crate::bounds::Aabb;
use crate::math::{Transform, unit_or_zero};

/// A convex part of a shape, the input of pair tests.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'a> {
    Circle(&'a Circle),
    Capsule(&'a Capsule),
    Segment(&'a Segment),
    Obb(&'a Obb),
    Polygon(&'a Polygon),
    ChainSegment(&'a ChainSegment),
    HalfPlane(&'a HalfPlane),
}

/// A piece that belongs to no shape.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OwnPiece {
    Circle(Circle),
    Capsule(Capsule),
    Segment(Segment),
    Obb(Obb),
    Polygon(Polygon),
    ChainSegment(ChainSegment),
    HalfPlane(HalfPlane),
}

/// A piece of a shape as it is, or moved to another place.
pub(crate) enum Seen<'a> {
    AsItIs(Piece<'a>),
    Shifted(OwnPiece),
}

impl Seen<'_> {
    /// As pair tests see it.
    pub(crate) fn piece(&self) -> Piece<'_> {
        match self {
            Seen::AsItIs(piece) => *piece,
            Seen::Shifted(own) => own.piece(),
        }
    }
}

impl OwnPiece {
    /// As pair tests see it.
    pub(crate) fn piece(&self) -> Piece<'_> {
        match self {
            OwnPiece::Circle(it) => Piece::Circle(it),
            OwnPiece::Capsule(it) => Piece::Capsule(it),
            OwnPiece::Segment(it) => Piece::Segment(it),
            OwnPiece::Obb(it) => Piece::Obb(it),
            OwnPiece::Polygon(it) => Piece::Polygon(it),
            OwnPiece::ChainSegment(it) => Piece::ChainSegment(it),
            OwnPiece::HalfPlane(it) => Piece::HalfPlane(it),
        }
    }
}

impl<'a> Piece<'a> {
    /// The tight box around the piece at `at`.
    pub(crate) fn aabb(&self, at: Transform) -> Aabb {
        match self {
            Piece::Circle(circle) => circle.aabb(at),
            Piece::Capsule(capsule) => capsule.aabb(at),
            Piece::Segment(segment) => segment.aabb(at),
            Piece::Obb(obb) => obb.aabb(at),
            Piece::Polygon(polygon) => polygon.aabb(at),
            Piece::ChainSegment(segment) => segment.segment().aabb(at),
            Piece::HalfPlane(plane) => plane.aabb(at),
        }
    }

    /// The normals of its straight faces; for opposite faces of segments, capsules and boxes only
    /// one of the two.
    pub(crate) fn face_normals(&self) -> impl Iterator<Item = Vec2> + use<'_> {
        let along = |a: Vec2, b: Vec2| [unit_or_zero(b - a).perp(), Vec2::ZERO];
        let (two, many): ([Vec2; 2], &[Vec2]) = match self {
            Piece::Circle(_) => ([Vec2::ZERO; 2], &[]),
            Piece::Capsule(capsule) => (along(capsule.a, capsule.b), &[]),
            Piece::Segment(segment) => (along(segment.a, segment.b), &[]),
            Piece::ChainSegment(segment) => (along(segment.a, segment.b), &[]),
            Piece::Obb(obb) => ([obb.rotation().x_axis(), obb.rotation().y_axis()], &[]),
            Piece::HalfPlane(plane) => ([plane.normal, Vec2::ZERO], &[]),
            Piece::Polygon(polygon) => ([Vec2::ZERO; 2], polygon.normals()),
        };
        two.into_iter().filter(|normal| *normal != Vec2::ZERO).chain(many.iter().copied())
    }

    /// Whether its border, or some of it, is round.
    pub(crate) fn is_round(&self) -> bool {
        match self {
            Piece::Circle(_) | Piece::Capsule(_) => true,
            Piece::Obb(obb) => obb.radius > 0.0,
            Piece::Polygon(polygon) => polygon.radius > 0.0,
            Piece::Segment(_) | Piece::ChainSegment(_) | Piece::HalfPlane(_) => false,
        }
    }

    /// Both ends, if it is a line without thickness.
    pub(crate) fn line(&self) -> Option<[Vec2; 2]> {
        match self {
            Piece::Segment(segment) => Some([segment.a, segment.b]),
            Piece::ChainSegment(segment) => Some([segment.a, segment.b]),
            Piece::Circle(_)
            | Piece::Capsule(_)
            | Piece::Obb(_)
            | Piece::Polygon(_)
            | Piece::HalfPlane(_) => None,
        }
    }

    /// Calls `see` with the corners of the piece and the radius around them; none for a half-plane,
    /// which has no corners.
    pub(crate) fn corners<R>(&self, see: impl FnOnce(&[Vec2], f32) -> R) -> Option<R> {
        match self {
            Piece::Circle(circle) => Some(see(&[circle.center], circle.radius)),
            Piece::Capsule(capsule) => Some(see(&[capsule.a, capsule.b], capsule.radius)),
            Piece::Segment(segment) => Some(see(&[segment.a, segment.b], 0.0)),
            Piece::ChainSegment(segment) => Some(see(&[segment.a, segment.b], 0.0)),
            Piece::Obb(obb) => Some(see(&obb.corners(), obb.radius)),
            Piece::Polygon(polygon) => Some(see(polygon.vertices(), polygon.radius)),
            Piece::HalfPlane(_) => None,
        }
    }

    /// A point well inside the piece; for a half-plane, a point on its border.
    pub(crate) fn middle(&self) -> Vec2 {
        match self {
            Piece::Circle(circle) => circle.center,
            Piece::Capsule(capsule) => (capsule.a + capsule.b) * 0.5,
            Piece::Segment(segment) => (segment.a + segment.b) * 0.5,
            Piece::ChainSegment(segment) => (segment.a + segment.b) * 0.5,
            Piece::Obb(obb) => obb.center(),
            Piece::Polygon(polygon) => polygon.center,
            Piece::HalfPlane(plane) => plane.normal * plane.offset,
        }
    }

    /// The middle and radius of a circle around it, rounded outward.
    pub(crate) fn circle_around(&self) -> (Vec2, f32) {
        let around = |discs: Discs| (discs.center, discs.outer);
        let round = |a: Vec2, b: Vec2, radius: f32| {
            around(Discs::new((a + b) * 0.5, 0.5 * a.distance(b), 0.0, radius))
        };
        match self {
            Piece::Circle(circle) => (circle.center, circle.radius),
            Piece::Capsule(capsule) => round(capsule.a, capsule.b, capsule.radius),
            Piece::Segment(segment) => round(segment.a, segment.b, 0.0),
            Piece::ChainSegment(segment) => round(segment.a, segment.b, 0.0),
            Piece::Obb(obb) => around(Discs::new(obb.center(), obb.half.length(), 0.0, obb.radius)),
            Piece::Polygon(polygon) => around(polygon.discs()),
            Piece::HalfPlane(plane) => (plane.normal * plane.offset, f32::INFINITY),
        }
    }

    /// The piece shifted by `by`; borrowed as it is, without any rounding, if there is no shift.
    pub(crate) fn shifted(self, by: Vec2) -> Seen<'a> {
        if by == Vec2::ZERO {
            return Seen::AsItIs(self);
        }
        let at = Transform::at(by);
        Seen::Shifted(match self {
            Piece::Circle(it) => OwnPiece::Circle(it.transformed(at)),
            Piece::Capsule(it) => OwnPiece::Capsule(it.transformed(at)),
            Piece::Segment(it) => OwnPiece::Segment(it.transformed(at)),
            Piece::Obb(it) => OwnPiece::Obb(it.shifted(by)),
            Piece::Polygon(it) => OwnPiece::Polygon(it.shifted(by)),
            Piece::ChainSegment(it) => OwnPiece::ChainSegment(it.transformed(at)),
            Piece::HalfPlane(it) => OwnPiece::HalfPlane(it.transformed(at)),
        })
    }

    /// The piece with this share of its half-thickness: as long as it was, but thinner; a polygon
    /// is smaller on all sides. None for segments, which have no thickness, and half-planes, which
    /// have no end.
    pub(crate) fn thinned(&self, share: f32) -> Option<OwnPiece> {
        match *self {
            Piece::Circle(it) => Some(OwnPiece::Circle(Circle { radius: share * it.radius, ..*it })),
            Piece::Capsule(it) => Some(OwnPiece::Capsule(Capsule { radius: share * it.radius, ..*it })),
            Piece::Obb(it) => Some(OwnPiece::Obb(it.thinned(share))),
            Piece::Polygon(it) => Some(OwnPiece::Polygon(it.scaled(share))),
            Piece::Segment(_) | Piece::ChainSegment(_) | Piece::HalfPlane(_) => None,
        }
    }

    /// Its least half-thickness; 0 for a line.
    pub(crate) fn half_thickness(&self) -> f32 {
        match self {
            Piece::Circle(circle) => circle.radius,
            Piece::Capsule(capsule) => capsule.radius,
            Piece::Segment(_) | Piece::ChainSegment(_) => 0.0,
            Piece::Obb(obb) => obb.half.min_element() + obb.radius,
            Piece::Polygon(polygon) => crate::math::max(polygon.discs().inner, 0.0),
            Piece::HalfPlane(_) => f32::INFINITY,
        }
    }

    /// The stored bytes: a total order of pieces of one kind.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Piece::Circle(circle) => bytemuck::bytes_of(*circle),
            Piece::Capsule(capsule) => bytemuck::bytes_of(*capsule),
            Piece::Segment(segment) => bytemuck::bytes_of(*segment),
            Piece::Obb(obb) => bytemuck::bytes_of(*obb),
            Piece::Polygon(polygon) => bytemuck::bytes_of(*polygon),
            Piece::ChainSegment(segment) => bytemuck::bytes_of(*segment),
            Piece::HalfPlane(plane) => bytemuck::bytes_of(*plane),
        }
    }
}

/// A circle around a convex shape and one inside it, about one centre, so that rounding errs on the
/// safe side.
pub(crate) struct Discs {
    pub(crate) center: Vec2,
    pub(crate) outer: f32,
    pub(crate) inner: f32,
}

impl Discs {
    /// Makes the circles from the circles of the sharp shape and its rounding.
    #[inline(always)]
    pub(crate) fn new(center: Vec2, outer: f32, inner: f32, radius: f32) -> Discs {
        let slack = 4.0 * f32::EPSILON * (outer + radius + center.abs().element_sum());
        Discs { center, outer: outer + radius + slack, inner: inner + radius - slack }
    }
}

impl Shape {
    /// The circles around and inside a convex shape.
    #[inline]
    pub(crate) fn discs(&self) -> Option<Discs> {
        match self {
            Shape::Circle(c) => Some(Discs::new(c.center, 0.0, 0.0, c.radius)),
            Shape::Capsule(c) => Some(Discs::new((c.a + c.b) * 0.5, 0.5 * c.a.distance(c.b), 0.0, c.radius)),
            Shape::Segment(s) => Some(Discs::new((s.a + s.b) * 0.5, 0.5 * s.a.distance(s.b), 0.0, 0.0)),
            Shape::Obb(obb) => {
                let half = obb.half_size();
                Some(Discs::new(obb.center(), half.length(), half.min_element(), obb.radius()))
            }
            Shape::Polygon(polygon) => Some(polygon.discs()),
            Shape::Polar(_)
            | Shape::Compound(_)
            | Shape::Chain(_)
            | Shape::Tiles(_)
            | Shape::HalfPlane(_)
            | Shape::Invalid(_) => None,
        }
    }
}

/// The convex pieces that pair tests work on.
impl Shape {
    /// How many convex pieces there are; none in an invalid shape. A tile map has a piece for each
    /// cell and one for the whole map; callers must not ask for the pieces of empty cells.
    pub(crate) fn piece_count(&self) -> usize {
        match self {
            Shape::Polar(polar) => polar.pieces().len(),
            Shape::Compound(compound) => compound.parts().len(),
            Shape::Chain(chain) => chain.segments().len(),
            Shape::Tiles(map) => map.len() + 1,
            Shape::Circle(_)
            | Shape::Capsule(_)
            | Shape::Segment(_)
            | Shape::Obb(_)
            | Shape::Polygon(_)
            | Shape::HalfPlane(_) => 1,
            Shape::Invalid(_) => 0,
        }
    }

    /// Returns the piece of a shape that is a single piece.
    #[inline]
    pub(crate) fn only_piece(&self) -> Option<Piece<'_>> {
        match self {
            Shape::Circle(circle) => Some(Piece::Circle(circle)),
            Shape::Capsule(capsule) => Some(Piece::Capsule(capsule)),
            Shape::Segment(segment) => Some(Piece::Segment(segment)),
            Shape::Obb(obb) => Some(Piece::Obb(obb)),
            Shape::Polygon(polygon) => Some(Piece::Polygon(polygon)),
            Shape::HalfPlane(plane) => Some(Piece::HalfPlane(plane)),
            Shape::Polar(_) | Shape::Compound(_) | Shape::Chain(_) | Shape::Tiles(_) | Shape::Invalid(_) => {
                None
            }
        }
    }

    /// Piece `part` of `piece_count`. An invalid shape has none to ask for.
    #[expect(
        clippy::unreachable,
        reason = "parts are counted by `piece_count`, and an invalid shape has none"
    )]
    pub(crate) fn piece(&self, part: usize) -> Piece<'_> {
        match (self.only_piece(), self) {
            (Some(piece), _) => piece,
            (None, Shape::Polar(polar)) => Piece::Polygon(&polar.pieces()[part]),
            (None, Shape::Compound(compound)) => compound.piece(part),
            (None, Shape::Chain(chain)) => Piece::ChainSegment(&chain.segments()[part]),
            (None, Shape::Tiles(map)) => map.piece(part),
            (None, _) => unreachable!("an invalid shape has no pieces"),
        }
    }

    /// Its least half-thickness; infinite for an invalid shape.
    pub(crate) fn half_thickness(&self) -> f32 {
        match self {
            Shape::Tiles(map) => map.half_thickness(),
            Shape::Compound(compound) => compound.half_thickness(),
            _ => (0..self.piece_count())
                .map(|part| self.piece(part).half_thickness())
                .fold(f32::INFINITY, crate::math::min),
        }
    }

    /// The tree over the pieces, where there are several.
    pub(crate) fn tree(&self) -> Option<PartTree<'_>> {
        match self {
            Shape::Polar(polar) => Some(PartTree::Boxes(polar.tree())),
            Shape::Compound(compound) => Some(PartTree::Boxes(compound.tree())),
            Shape::Chain(chain) => Some(PartTree::Boxes(chain.tree())),
            Shape::Tiles(map) => Some(PartTree::Cells(map)),
            Shape::Circle(_)
            | Shape::Capsule(_)
            | Shape::Segment(_)
            | Shape::Obb(_)
            | Shape::Polygon(_)
            | Shape::HalfPlane(_)
            | Shape::Invalid(_) => None,
        }
    }
}
