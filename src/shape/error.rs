//! Why a shape was refused: one variant for each rule that input can break.

use core::fmt;

use crate::math::max;
use crate::tuning::{MAX_POLYGON_VERTICES, MAX_SIZE, MIN_POLYGON_THINNESS, MIN_SIZE};

/// The rule that a shape's definition broke.
///
/// Shape constructors do not fail: a definition that breaks a rule becomes
/// [`Shape::Invalid`](crate::Shape) and carries this error to the place where it matters. Such a
/// shape touches nothing, and no world takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is NaN, infinite, or beyond the largest coordinate.
    OutOfRange,
    /// A radius, width or height is negative, zero or too small.
    TooSmall,
    /// A rounding radius is neither zero nor a valid size.
    BadRounding,
    /// The two ends of a capsule or segment coincide.
    ZeroLength,
    /// Fewer than three points, or points on one line: there is no area.
    Degenerate,
    /// Three consecutive points of a convex polygon turn the wrong way or not at all.
    NotConvex,
    /// A convex polygon or a polar outline has more corners than it may have.
    TooManyVertices,
    /// An outline crosses or touches itself, or runs through a point twice.
    SelfCrossing,
    /// A polar outline does not turn around its centre once, always the same way.
    NotStarShaped,
    /// A compound or chain has no parts.
    Empty,
    /// A compound holds a chain or a half-plane, or more than 65,535 parts.
    BadPart,
    /// A direction has no length.
    NoDirection,
    /// The operation is not defined for this kind of shape.
    NotApplicable,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::OutOfRange => {
                write!(f, "every number of a shape must be finite and within ±{MAX_SIZE:e} m")
            }
            ShapeError::TooSmall => write!(
                f,
                "a radius, width, height or tolerance must be at least {MIN_SIZE:e} m, and not below what its shape can resolve"
            ),
            ShapeError::BadRounding => write!(f, "a rounding radius must be 0 or at least {MIN_SIZE:e} m"),
            ShapeError::ZeroLength => write!(
                f,
                "two ends must be apart by at least {MIN_SIZE:e} m and {MIN_POLYGON_THINNESS:e} of their coordinates"
            ),
            ShapeError::Degenerate => {
                write!(
                    f,
                    "the points must span an area and not lie on one line: thicker than {MIN_SIZE:e} m and {MIN_POLYGON_THINNESS:e} of their coordinates"
                )
            }
            ShapeError::NotConvex => {
                write!(
                    f,
                    "the points of a polygon must run around a strictly convex outline; a concave one is a `polar`, a `compound`, \
                     or with the feature `parry` an `outline`"
                )
            }
            ShapeError::TooManyVertices => write!(
                f,
                "a convex polygon has at most {MAX_POLYGON_VERTICES} corners, and a polar outline at most 65,535"
            ),
            ShapeError::SelfCrossing => write!(f, "an outline must not cross or touch itself"),
            ShapeError::NotStarShaped => {
                write!(
                    f,
                    "a polar outline must run once around its centre, counter-clockwise, seen whole from there"
                )
            }
            ShapeError::Empty => {
                write!(
                    f,
                    "a compound needs at least one part, an open chain two points, a closed chain three"
                )
            }
            ShapeError::BadPart => {
                write!(
                    f,
                    "a compound holds at most 65,535 bounded shapes, and neither chains nor half-planes"
                )
            }
            ShapeError::NoDirection => write!(f, "a direction must have a length"),
            ShapeError::NotApplicable => {
                write!(f, "this kind of shape cannot be rounded, nor covered by circles if it has no end")
            }
        }
    }
}

impl core::error::Error for ShapeError {}

/// A coordinate that every later stage can compute with.
pub(crate) fn check_coordinates(values: &[f32]) -> Result<(), ShapeError> {
    let ok = values.iter().all(|v| v.is_finite() && v.abs() <= MAX_SIZE);
    if ok { Ok(()) } else { Err(ShapeError::OutOfRange) }
}

/// A size: finite, not too large, not too small.
pub(crate) fn check_size(value: f32) -> Result<(), ShapeError> {
    check_coordinates(&[value])?;
    if value >= MIN_SIZE { Ok(()) } else { Err(ShapeError::TooSmall) }
}

/// A rounding radius: nothing, or a size.
pub(crate) fn check_rounding(radius: f32) -> Result<(), ShapeError> {
    check_coordinates(&[radius])?;
    if radius == 0.0 || radius >= MIN_SIZE { Ok(()) } else { Err(ShapeError::BadRounding) }
}

/// Two ends that are apart: the direction between them is known.
pub(crate) fn check_length(a: glam::Vec2, b: glam::Vec2) -> Result<(), ShapeError> {
    check_coordinates(&[a.x, a.y, b.x, b.y])?;
    let reach = max(a.abs().max_element(), b.abs().max_element());
    let least = max(MIN_SIZE, reach * MIN_POLYGON_THINNESS);
    if a.distance(b) >= least { Ok(()) } else { Err(ShapeError::ZeroLength) }
}
