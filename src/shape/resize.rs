//! Scaled and mirrored shapes.
//!
//! In: a shape and a factor. Out: a shape whose numbers were all checked anew, as for a new shape:
//! results that are too small or too large for their kind are refused.

use glam::Vec2;

use super::{Capsule, Circle, HalfPlane, Obb, PolarShape, Polygon, Segment, Shape, ShapeError};
use crate::math::{Rot, Transform};

/// Scaling and mirroring.
impl Shape {
    /// The shape `factor` times as large, about the origin of its frame: positions, sizes and
    /// rounding radii alike. A factor that is not above 0, or a result beyond the limits of its
    /// kind, makes it [`Shape::Invalid`]. A power of two rounds nothing.
    ///
    /// ```
    /// use carom::Shape;
    ///
    /// let tower = Shape::rect(1.0, 3.0).at([0.0, 1.5]);
    /// assert_eq!(tower.clone().scaled(2.0), Shape::rect(2.0, 6.0).at([0.0, 3.0]));
    /// assert!(tower.scaled(0.0).checked().is_err());
    /// ```
    #[must_use]
    pub fn scaled(self, factor: f32) -> Shape {
        if !(factor > 0.0 && factor.is_finite()) {
            return Shape::Invalid(ShapeError::OutOfRange);
        }
        self.mapped(factor, false)
    }

    /// The mirror image: left and right of its frame's y axis change places. Mirrored twice it is
    /// as it was, except for rounding.
    ///
    /// ```
    /// use carom::{Shape, vec2};
    ///
    /// let boot = Shape::triangle([0.0, 0.0], [2.0, 0.0], [0.0, 1.0]);
    /// assert_eq!(boot.mirrored(), Shape::triangle([0.0, 0.0], [0.0, 1.0], [-2.0, 0.0]));
    /// ```
    #[must_use]
    pub fn mirrored(self) -> Shape {
        self.mapped(1.0, true)
    }

    fn mapped(&self, factor: f32, mirrors: bool) -> Shape {
        let side = if mirrors { -1.0 } else { 1.0 };
        let map = |p: Vec2| Vec2::new(side * p.x, p.y) * factor;
        let all = |points: &[Vec2]| points.iter().map(|&p| map(p)).collect::<Vec<Vec2>>();
        let mapped = match self {
            Shape::Circle(c) => Circle::new(map(c.center), c.radius * factor).map(Shape::Circle),
            Shape::Capsule(c) => Capsule::new(map(c.a), map(c.b), c.radius * factor).map(Shape::Capsule),
            Shape::Segment(s) => Segment::new(map(s.a), map(s.b)).map(Shape::Segment),
            Shape::Obb(obb) => {
                let Rot { cos, sin } = obb.rotation();
                // A box is its own mirror image, turned the other way.
                let at = Transform { position: map(obb.center()), rotation: Rot { cos, sin: side * sin } };
                let size = obb.half_size() * (2.0 * factor);
                let sharp = Obb::new(size.x, size.y).and_then(|sharp| sharp.rounded(obb.radius * factor));
                return sharp.map_or_else(Shape::Invalid, |obb| Shape::Obb(obb).placed(at));
            }
            Shape::Polygon(polygon) => {
                // Corners in the opposite order, so that they stay counter-clockwise; the first
                // stays the first.
                let mut corners = all(polygon.vertices());
                if mirrors {
                    corners[1..].reverse();
                }
                let sharp = Polygon::new(&corners);
                sharp.and_then(|it| it.rounded(polygon.radius * factor)).map(Shape::Polygon)
            }
            Shape::Polar(polar) => PolarShape::around(map(polar.center()), &all(polar.vertices()))
                .map(|polar| Shape::Polar(polar.into())),
            Shape::Compound(compound) => {
                return Shape::compound(compound.parts().iter().map(|part| part.mapped(factor, mirrors)));
            }
            Shape::Chain(chain) => {
                let points = all(&chain.points());
                return if chain.is_closed() { Shape::closed_chain(&points) } else { Shape::chain(&points) };
            }
            Shape::Tiles(map) => map.resized(factor, mirrors).map(|map| Shape::Tiles(map.into())),
            Shape::HalfPlane(plane) => {
                let normal = Vec2::new(side * plane.normal.x, plane.normal.y);
                HalfPlane::new(map(plane.normal * plane.offset), normal).map(Shape::HalfPlane)
            }
            Shape::Invalid(error) => Err(*error),
        };
        let mapped = mapped.unwrap_or_else(Shape::Invalid);
        match mapped.check_place() {
            Ok(()) => mapped,
            Err(error) => Shape::Invalid(error),
        }
    }

    /// Places the shape at a transform; at the identity it stays as it is.
    fn placed(self, at: Transform) -> Shape {
        if at == Transform::IDENTITY { self } else { self.transformed(at) }
    }
}
