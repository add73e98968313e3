//! Shapes: their kinds and the properties of each.
//!
//! In: numbers from the user, checked here and nowhere else. Out: [`Shape`], whose invariants every
//! later stage relies on (finite, within the largest coordinate, convex where it says so).
//!
//! A new kind gets a file here, a variant in [`Shape`] and, if it is convex, in `Piece`; the
//! compiler then names every `match` that has to answer for it.

mod capsule;
mod chain;
mod circle;
mod compound;
#[cfg(feature = "serde")]
mod data;
mod error;
mod half_plane;
mod hull;
mod mass;
mod obb;
mod outline;
mod piece;
mod polar;
mod polygon;
mod resize;
mod segment;
pub(crate) mod state;
pub(crate) mod tiles;

pub use capsule::Capsule;
pub use chain::Chain;
pub use circle::Circle;
pub use compound::Compound;
pub use error::{PartError, ShapeError};
pub use half_plane::HalfPlane;
pub use mass::Mass;
pub use obb::Obb;
pub(crate) use piece::{Discs, Piece, Seen};
pub use polar::PolarShape;
pub use polygon::Polygon;
pub use segment::{ChainSegment, Segment};
pub use tiles::{TileCell, TileKind, TileMap};

use glam::Vec2;
use std::sync::Arc;

use crate::bounds::{Aabb, BoundingCircle};
use crate::math::{Rot, Transform};

/// A shape in its own frame. Any kind can be tested against any other.
///
/// Constructors never fail: a definition that breaks a rule becomes [`Shape::Invalid`], which
/// touches nothing, and which [`Shape::checked`] turns into the error it carries. So definitions
/// chain without `?`, and the error is reported where the shape is used.
///
/// ```
/// use carom::{Shape, ShapeError};
///
/// let pad = Shape::rect(2.0, 0.5).rounded(0.1).at([0.0, 1.0]);
/// assert!(pad.checked().is_ok());
/// assert_eq!(Shape::circle(-1.0).checked(), Err(ShapeError::NotPositive));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "data::ShapeData", into = "data::ShapeData"))]
#[non_exhaustive]
pub enum Shape {
    /// A disc.
    Circle(Circle),
    /// All points within a radius of a segment.
    Capsule(Capsule),
    /// A line segment without thickness.
    Segment(Segment),
    /// A rectangle with its own axes, optionally rounded.
    Obb(Obb),
    /// A convex polygon of up to eight corners, optionally rounded.
    Polygon(Polygon),
    /// A star-shaped outline around a centre: triangles, ships.
    Polar(Arc<PolarShape>),
    /// Several convex shapes as one.
    Compound(Arc<Compound>),
    /// A chain of segments that is smooth on both sides.
    Chain(Arc<Chain>),
    /// A grid of square cells.
    Tiles(Arc<TileMap>),
    /// Everything on one side of a line.
    HalfPlane(HalfPlane),
    /// A definition that broke a rule. It touches nothing.
    Invalid(ShapeError),
}

/// Constructors.
impl Shape {
    /// A disc of `radius` around the origin.
    #[must_use]
    pub fn circle(radius: f32) -> Shape {
        Circle::new(Vec2::ZERO, radius).map_or_else(Shape::Invalid, Shape::Circle)
    }

    /// All points within `radius` of the segment from `a` to `b`.
    #[must_use]
    pub fn capsule(a: impl Into<Vec2>, b: impl Into<Vec2>, radius: f32) -> Shape {
        Capsule::new(a, b, radius).map_or_else(Shape::Invalid, Shape::Capsule)
    }

    /// The segment from `a` to `b`, solid on both sides.
    #[must_use]
    pub fn segment(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Shape {
        Segment::new(a, b).map_or_else(Shape::Invalid, Shape::Segment)
    }

    /// A box of full size `width` × `height` around the origin.
    #[must_use]
    pub fn rect(width: f32, height: f32) -> Shape {
        Obb::new(width, height).map_or_else(Shape::Invalid, Shape::Obb)
    }

    /// The convex polygon with these corners, in order, either way round; at most eight.
    ///
    /// ```
    /// use carom::{Shape, ShapeError};
    ///
    /// let kite = Shape::polygon(&[[0.0, -1.0], [0.6, 0.2], [0.0, 0.6], [-0.6, 0.2]]);
    /// assert!(kite.checked().is_ok());
    /// let arrow = [[0.0, -1.0], [0.6, 0.6], [0.0, 0.2], [-0.6, 0.6]];
    /// assert_eq!(Shape::polygon(&arrow).checked(), Err(ShapeError::NotConvex));
    /// assert!(Shape::polar(&arrow).checked().is_ok()); // the origin sees all of it
    /// ```
    #[must_use]
    pub fn polygon<P: Copy + Into<Vec2>>(points: &[P]) -> Shape {
        Polygon::new(&vectors(points)).map_or_else(Shape::Invalid, Shape::Polygon)
    }

    /// The convex hull of any number of points; at most eight may be left.
    #[must_use]
    pub fn hull<P: Copy + Into<Vec2>>(points: &[P]) -> Shape {
        Polygon::hull(&vectors(points)).map_or_else(Shape::Invalid, Shape::Polygon)
    }

    /// The triangle with these corners, either way round.
    #[must_use]
    pub fn triangle(a: impl Into<Vec2>, b: impl Into<Vec2>, c: impl Into<Vec2>) -> Shape {
        Shape::polygon(&[a.into(), b.into(), c.into()])
    }

    /// A regular polygon of three to eight corners at distance `radius`, the first of them on the x
    /// axis.
    #[must_use]
    pub fn regular(count: usize, radius: f32) -> Shape {
        Polygon::regular(count, radius).map_or_else(Shape::Invalid, Shape::Polygon)
    }

    /// A star-shaped outline around the origin: from there, every border point can be seen.
    #[must_use]
    pub fn polar<P: Copy + Into<Vec2>>(points: &[P]) -> Shape {
        PolarShape::new(&vectors(points)).map_or_else(Shape::Invalid, |polar| Shape::Polar(Arc::new(polar)))
    }

    /// Several shapes as one; give each its place with [`Shape::at`] or [`Shape::transformed`].
    ///
    /// ```
    /// use carom::Shape;
    ///
    /// let hammer = Shape::compound([Shape::rect(0.2, 1.0), Shape::rect(0.8, 0.3).at([0.0, 0.6])]);
    /// assert!(hammer.checked().is_ok());
    /// ```
    #[must_use]
    pub fn compound(parts: impl IntoIterator<Item = Shape>) -> Shape {
        Compound::new(parts).map_or_else(Shape::Invalid, |compound| Shape::Compound(Arc::new(compound)))
    }

    /// An open chain of segments through `points`, smooth on both sides. For fixed and kinematic
    /// bodies, and for sensors. An empty list is refused, and needs its type: `&[] as &[Vec2]`.
    ///
    /// ```
    /// use carom::Shape;
    ///
    /// let hill = Shape::chain(&[[0.0, 0.0], [4.0, 1.0], [8.0, 0.0]]);
    /// assert!(hill.checked().is_ok());
    /// ```
    #[must_use]
    pub fn chain<P: Copy + Into<Vec2>>(points: &[P]) -> Shape {
        Chain::open(&vectors(points)).map_or_else(Shape::Invalid, |chain| Shape::Chain(Arc::new(chain)))
    }

    /// A closed chain of segments through `points`, smooth on both sides. For fixed and kinematic
    /// bodies, and for sensors.
    #[must_use]
    pub fn closed_chain<P: Copy + Into<Vec2>>(points: &[P]) -> Shape {
        Chain::closed(&vectors(points)).map_or_else(Shape::Invalid, |chain| Shape::Chain(Arc::new(chain)))
    }

    /// A tile map: `width` columns of square cells of side `side`, given row by row, the lowest row
    /// first. Its lower left corner is the origin.
    ///
    /// Each cell is a part, solid, a slope, one-way or a sensor, and cells side by side are one
    /// surface. On a fixed body a cell costs two bytes until something comes near it, and
    /// [`World::set_tile`](crate::World::set_tile) changes it; on a body that moves, at most 65,535
    /// cells may be anything but empty.
    ///
    /// ```
    /// use carom::{Shape, TileCell, TileKind};
    ///
    /// let (air, rock) = (TileCell::EMPTY, TileCell::SOLID);
    /// let hill = TileCell::from(TileKind::SlopeUp);
    /// let map = Shape::tiles(1.0, 4, &[rock, rock, rock, rock, air, air, hill, rock]);
    /// assert!(map.checked().is_ok());
    /// ```
    #[must_use]
    pub fn tiles(side: f32, width: u32, cells: &[TileCell]) -> Shape {
        TileMap::new(side, width, cells).map_or_else(Shape::Invalid, |map| Shape::Tiles(Arc::new(map)))
    }

    /// Everything on the far side of the line through `point`; `normal`, of any length, points to
    /// the free side.
    #[must_use]
    pub fn half_plane(point: impl Into<Vec2>, normal: impl Into<Vec2>) -> Shape {
        HalfPlane::new(point, normal).map_or_else(Shape::Invalid, Shape::HalfPlane)
    }
}

/// Returns points of any type as vectors.
fn vectors(points: &[impl Copy + Into<Vec2>]) -> Vec<Vec2> {
    points.iter().map(|&point| point.into()).collect()
}

/// Changes of a definition.
impl Shape {
    /// The shape grown by `radius` all around, so that its corners become round.
    ///
    /// Circles and capsules grow by it; boxes and polygons keep it beside their size, and a second
    /// call replaces the first; a segment becomes a capsule. Polar shapes, chains, tile maps and
    /// half-planes cannot be rounded.
    #[must_use]
    pub fn rounded(self, radius: f32) -> Shape {
        if let Err(error) = error::check_rounding(radius) {
            return Shape::Invalid(error);
        }
        let rounded = match self {
            Shape::Circle(c) => Circle::new(c.center, c.radius + radius).map(Shape::Circle),
            Shape::Capsule(c) => Capsule::new(c.a, c.b, c.radius + radius).map(Shape::Capsule),
            Shape::Segment(_) if radius == 0.0 => Ok(self),
            Shape::Segment(s) => Capsule::new(s.a, s.b, radius).map(Shape::Capsule),
            Shape::Obb(obb) => obb.rounded(radius).map(Shape::Obb),
            Shape::Polygon(polygon) => polygon.rounded(radius).map(Shape::Polygon),
            Shape::Compound(compound) => {
                return Shape::compound(compound.parts().iter().map(|part| part.clone().rounded(radius)));
            }
            Shape::Polar(_) | Shape::Chain(_) | Shape::Tiles(_) | Shape::HalfPlane(_) => {
                Err(ShapeError::NotApplicable)
            }
            Shape::Invalid(error) => Err(error),
        };
        let rounded = rounded.unwrap_or_else(Shape::Invalid);
        match rounded.check_place() {
            Ok(()) => rounded,
            Err(error) => Shape::Invalid(error),
        }
    }

    /// The shape moved by `offset` within its frame.
    #[must_use]
    pub fn at(self, offset: impl Into<Vec2>) -> Shape {
        self.transformed(Transform::at(offset))
    }

    /// The shape turned by `angle` radians about the origin of its frame.
    #[must_use]
    pub fn turned(self, angle: f32) -> Shape {
        self.transformed(Transform::new(Vec2::ZERO, angle))
    }

    /// The shape placed at `by` within its frame.
    ///
    /// Refused where its coordinates would leave the range, or become too coarse for the edges of
    /// an outline, segment or capsule. Circles and boxes keep their sizes anywhere; far out only
    /// their place is coarse.
    #[must_use]
    pub fn transformed(self, by: Transform) -> Shape {
        if !by.is_valid() {
            return Shape::Invalid(ShapeError::OutOfRange);
        }
        // A rotation that is off by more than rounding would scale the shape.
        let Rot { cos, sin } = by.rotation;
        let is_unit = (cos * cos + sin * sin - 1.0).abs() <= 4.0 * f32::EPSILON;
        let rotation = if is_unit { by.rotation } else { by.rotation.normalized() };
        let moved = self.moved(Transform { rotation, ..by });
        match moved.check_place() {
            Ok(()) => moved,
            Err(error) => Shape::Invalid(error),
        }
    }

    /// [`Shape::transformed`] without its checks.
    fn moved(&self, by: Transform) -> Shape {
        match self {
            Shape::Circle(circle) => Shape::Circle(circle.transformed(by)),
            Shape::Capsule(capsule) => Shape::Capsule(capsule.transformed(by)),
            Shape::Segment(segment) => Shape::Segment(segment.transformed(by)),
            Shape::Obb(obb) => Shape::Obb(obb.transformed(by)),
            Shape::Polygon(polygon) => Shape::Polygon(polygon.transformed(by)),
            Shape::Polar(polar) => Shape::Polar(Arc::new(polar.transformed(by))),
            Shape::Compound(compound) => Shape::Compound(Arc::new(compound.transformed(by))),
            Shape::Chain(chain) => Shape::Chain(Arc::new(chain.transformed(by))),
            Shape::Tiles(map) => {
                map.placed(by).map_or_else(Shape::Invalid, |map| Shape::Tiles(Arc::new(map)))
            }
            Shape::HalfPlane(plane) => Shape::HalfPlane(plane.transformed(by)),
            Shape::Invalid(error) => Shape::Invalid(*error),
        }
    }

    /// Whether all coordinates are in range, and fine enough for the edges, after a change of
    /// place.
    fn check_place(&self) -> Result<(), ShapeError> {
        let in_range =
            |aabb: Aabb| error::check_coordinates(&[aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y]);
        match self {
            Shape::HalfPlane(plane) => return error::check_coordinates(&[plane.offset]),
            Shape::Invalid(error) => return Err(*error),
            Shape::Circle(_) | Shape::Obb(_) | Shape::Tiles(_) => {}
            Shape::Capsule(capsule) => error::check_length(capsule.a, capsule.b)?,
            Shape::Segment(segment) => error::check_length(segment.a, segment.b)?,
            Shape::Polygon(polygon) => polygon.check_corners()?,
            Shape::Polar(polar) => polar.check_outline()?,
            Shape::Compound(compound) => compound.parts().iter().try_for_each(Shape::check_place)?,
            Shape::Chain(chain) => chain.segments().iter().try_for_each(|s| error::check_length(s.a, s.b))?,
        }
        in_range(self.aabb(Transform::IDENTITY))
    }

    /// Whether its definition broke a rule, and which.
    ///
    /// ```
    /// use carom::{Shape, ShapeError};
    ///
    /// assert_eq!(Shape::circle(-1.0).check(), Err(ShapeError::NotPositive));
    /// ```
    ///
    /// # Errors
    /// The error that [`Shape::Invalid`] carries.
    pub fn check(&self) -> Result<(), ShapeError> {
        match self {
            Shape::Invalid(error) => Err(*error),
            _ => Ok(()),
        }
    }

    /// The shape itself, or the rule that its definition broke, for chains with `?`: see
    /// [`Shape::check`].
    ///
    /// # Errors
    /// The error that [`Shape::Invalid`] carries.
    pub fn checked(self) -> Result<Shape, ShapeError> {
        match self {
            Shape::Invalid(error) => Err(error),
            valid => Ok(valid),
        }
    }
}

/// Properties of a shape.
impl Shape {
    /// Mass, centre of mass and rotational inertia at `density` kg/m²; segments, chains and
    /// half-planes have none.
    #[must_use]
    pub fn mass(&self, density: f32) -> Mass {
        let unit = match self {
            Shape::Circle(circle) => circle.unit_mass(),
            Shape::Capsule(capsule) => capsule.unit_mass(),
            Shape::Obb(obb) => obb.unit_mass(),
            Shape::Polygon(polygon) => polygon.unit_mass(),
            Shape::Polar(polar) => polar.unit_mass(),
            Shape::Compound(compound) => compound.unit_mass(),
            Shape::Tiles(map) => map.unit_mass(),
            Shape::Segment(_) | Shape::Chain(_) | Shape::HalfPlane(_) | Shape::Invalid(_) => Mass::default(),
        };
        unit.times(density)
    }

    /// The tight box around the shape at `at`; empty for an invalid one.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        match self {
            Shape::Circle(circle) => circle.aabb(at),
            Shape::Capsule(capsule) => capsule.aabb(at),
            Shape::Segment(segment) => segment.aabb(at),
            Shape::Obb(obb) => obb.aabb(at),
            Shape::Polygon(polygon) => polygon.aabb(at),
            Shape::Polar(polar) => polar.aabb(at),
            Shape::Compound(compound) => compound.aabb(at),
            Shape::Chain(chain) => chain.aabb(at),
            Shape::Tiles(map) => map.aabb(at),
            Shape::HalfPlane(plane) => plane.aabb(at),
            Shape::Invalid(_) => Aabb::EMPTY,
        }
    }

    /// A circle around the shape, in its own frame; infinite for a half-plane, negative for an
    /// invalid shape.
    ///
    /// Exact for circles, capsules, segments, boxes; for the rest centred on the centroid or the
    /// box.
    #[must_use]
    pub fn bounding_circle(&self) -> BoundingCircle {
        match self {
            Shape::Circle(c) => BoundingCircle { center: c.center, radius: c.radius },
            Shape::Capsule(c) => BoundingCircle::around((c.a + c.b) * 0.5, &[c.a, c.b], c.radius),
            Shape::Segment(s) => BoundingCircle::around((s.a + s.b) * 0.5, &[s.a, s.b], 0.0),
            Shape::Obb(obb) => BoundingCircle::around(obb.center(), &obb.corners(), obb.radius),
            Shape::Polygon(p) => BoundingCircle::around(p.center, p.vertices(), p.radius),
            Shape::Polar(polar) => BoundingCircle::around(polar.center(), polar.vertices(), 0.0),
            Shape::Tiles(map) => BoundingCircle::around(map.whole().center(), &map.whole().corners(), 0.0),
            Shape::Chain(chain) => {
                let center = chain.tree().aabb().center();
                BoundingCircle::around(center, &chain.points(), 0.0)
            }
            Shape::Compound(compound) => compound.bounding_circle(),
            Shape::HalfPlane(_) => BoundingCircle { center: Vec2::ZERO, radius: f32::INFINITY },
            Shape::Invalid(_) => BoundingCircle { center: Vec2::ZERO, radius: f32::NEG_INFINITY },
        }
    }
}
