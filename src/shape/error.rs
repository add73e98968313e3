//! Errors of shapes: one variant for each rule that input can break.

use core::fmt;

use crate::math::max;
use crate::tuning::{MAX_POLYGON_VERTICES, MAX_SIZE, MIN_POLYGON_THINNESS, MIN_SIZE};

/// The rule that a shape's definition broke.
///
/// Shape constructors do not fail: a definition that breaks a rule becomes
/// [`Shape::Invalid`](crate::Shape), which carries this error. Such a shape touches nothing, and
/// worlds refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ShapeError {
    /// A number is NaN, infinite, or beyond the largest coordinate.
    OutOfRange,
    /// A radius, width or height is zero or negative.
    NotPositive,
    /// A radius, width, height or tolerance is above zero, and too small to compute with.
    TooSmall,
    /// A rounding radius is neither zero nor a valid size.
    BadRounding,
    /// The two ends of a capsule or segment coincide.
    ZeroLength,
    /// Fewer than three points, or points on one line: there is no area.
    Degenerate,
    /// Three consecutive points of a convex polygon turn the wrong way.
    NotConvex,
    /// Three consecutive points of a convex polygon lie on one line, or two coincide.
    FlatCorner,
    /// A convex polygon or a polar outline has more corners than it may have.
    TooManyVertices,
    /// An outline crosses or touches itself, or runs through a point twice.
    SelfCrossing,
    /// A hole of an outline, of this number from 0, lies outside of it or in another hole.
    BadHole(u32),
    /// A polar outline does not turn around its centre once, always the same way.
    NotStarShaped,
    /// A compound or chain has no parts, a tile map no cells, a mask no solid pixels, or the last
    /// row is not full.
    Empty,
    /// The last point of a closed chain is the first one again.
    RepeatsFirstPoint,
    /// A compound holds a chain, a tile map or a half-plane: the part of this number, from 0.
    BadPart(u32),
    /// A part of a compound, of this number from 0, broke a rule of its own.
    InPart(u32, PartError),
    /// A compound has more than 65,535 parts; a mask more than 2^24 pixels or 2^16 in a row or
    /// column; a tile map more than 2^24 cells, or on a body that moves more than 65,535 that are
    /// not empty.
    TooManyParts,
    /// A direction has no length.
    NoDirection,
    /// The operation is not defined for this kind of shape.
    NotApplicable,
}

/// The rule that a part of a compound broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartError(u8);

impl PartError {
    /// The rules that name no part, by number.
    const RULES: [ShapeError; 14] = [
        ShapeError::OutOfRange,
        ShapeError::NotPositive,
        ShapeError::TooSmall,
        ShapeError::BadRounding,
        ShapeError::ZeroLength,
        ShapeError::Degenerate,
        ShapeError::NotConvex,
        ShapeError::FlatCorner,
        ShapeError::TooManyVertices,
        ShapeError::SelfCrossing,
        ShapeError::NotStarShaped,
        ShapeError::Empty,
        ShapeError::NoDirection,
        ShapeError::NotApplicable,
    ];

    /// The rule itself.
    #[must_use]
    pub fn rule(self) -> ShapeError {
        PartError::RULES.get(usize::from(self.0)).copied().unwrap_or(ShapeError::NotApplicable)
    }
}

impl ShapeError {
    /// Returns the error with the part `number` of a compound. An error that already names a part,
    /// or is about parts, stays as it is.
    pub(super) fn in_part(self, number: usize) -> ShapeError {
        match PartError::RULES.iter().position(|&rule| rule == self) {
            Some(rule) => ShapeError::InPart(number as u32, PartError(rule as u8)),
            None => self,
        }
    }
}

// Rules without numbers of their own. Rules of polygons:
const NOT_CONVEX: &str = "the points of a polygon must run around a strictly convex outline; \
    a concave one is an `outline`, a `polar` or a `compound`";
const FLAT_CORNER: &str = "three points of a polygon lie on one line, or two coincide: \
    leave one out, or take `hull`, which does";
// Rules of outlines and chains:
const BAD_HOLE: &str = "a hole of an outline must lie inside of it and in no other hole";
const NOT_STAR_SHAPED: &str =
    "a polar outline must run once around its centre, counter-clockwise, seen whole from there";
const REPEATS_FIRST_POINT: &str =
    "a closed chain closes itself: leave out the last point, which is the first again";
// Rules of compounds, chains, tile maps and masks:
const NO_PARTS: &str = "a compound needs at least one part, an open chain two points, \
    a closed chain three, a tile map whole rows of cells, a mask whole rows of pixels, \
    one of them solid";
const TOO_MANY_PARTS: &str = "a compound holds at most 65,535 convex parts; \
    a mask 2^24 pixels, 2^16 of them in a row or column; \
    a tile map 2^24 cells, on a body that moves 65,535 that are not empty";
const NOT_APPLICABLE: &str = "this kind of shape cannot be rounded, \
    nor covered by circles if it has no end or is a tile map, and only a tile map has cells";

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::OutOfRange => {
                write!(f, "every number of a shape must be finite and within ±{MAX_SIZE:e} m")
            }
            ShapeError::NotPositive => f.write_str("a radius, width or height must be above 0"),
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
            ShapeError::NotConvex => f.write_str(NOT_CONVEX),
            ShapeError::FlatCorner => f.write_str(FLAT_CORNER),
            ShapeError::TooManyVertices => write!(
                f,
                "a convex polygon has at most {MAX_POLYGON_VERTICES} corners, and a polar outline at most 65,535"
            ),
            ShapeError::SelfCrossing => f.write_str("an outline must not cross or touch itself"),
            ShapeError::BadHole(hole) => write!(f, "{BAD_HOLE}, which hole {hole} does not"),
            ShapeError::NotStarShaped => f.write_str(NOT_STAR_SHAPED),
            ShapeError::Empty => f.write_str(NO_PARTS),
            ShapeError::RepeatsFirstPoint => f.write_str(REPEATS_FIRST_POINT),
            ShapeError::BadPart(part) => {
                write!(f, "a compound holds no chains, tile maps or half-planes, as its part {part} is")
            }
            ShapeError::InPart(part, error) => write!(f, "part {part} of a compound: {}", error.rule()),
            ShapeError::TooManyParts => f.write_str(TOO_MANY_PARTS),
            ShapeError::NoDirection => f.write_str("a direction must have a length"),
            ShapeError::NotApplicable => f.write_str(NOT_APPLICABLE),
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
    match value {
        MIN_SIZE.. => Ok(()),
        _ if value > 0.0 => Err(ShapeError::TooSmall),
        _ => Err(ShapeError::NotPositive),
    }
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
