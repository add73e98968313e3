//! Geometry by value: shapes of carom, and the short ways to describe them.

use carom::{Shape, TileCell, TileKind, Vec2};

use super::one_of;
use crate::failure::{Failure, Result};
use crate::handle::Handle;
use crate::types as c;
use crate::types::{geometry_kind as kind, status};

/// How deep compounds may nest: a list of parts that holds itself would have no end.
const DEEPEST: u32 = 8;

/// Kinds of cells, by number.
const TILE_KINDS: [TileKind; 16] = TileKind::ALL;

/// The shape that a geometry describes.
///
/// # Errors
/// A rule of the shape, or of the description.
pub(crate) fn shape(geometry: &c::Geometry) -> Result<Shape> {
    nested(geometry, DEEPEST)
}

fn nested(geometry: &c::Geometry, depth: u32) -> Result<Shape> {
    let mut shape = formed(geometry, depth)?;
    if geometry.rounding != 0.0 {
        shape = shape.rounded(geometry.rounding);
    }
    if geometry.angle != 0.0 {
        shape = shape.turned(geometry.angle);
    }
    let offset = Vec2::from(geometry.offset);
    if offset != Vec2::ZERO {
        shape = shape.at(offset);
    }
    Ok(shape.checked()?)
}

/// The shape in its own frame, without rounding.
fn formed(geometry: &c::Geometry, depth: u32) -> Result<Shape> {
    let points = || -> Result<Vec<Vec2>> {
        Ok(geometry.points()?.iter().copied().map(Vec2::from).collect())
    };
    Ok(match geometry.kind {
        kind::CIRCLE => Shape::circle(geometry.radius),
        kind::CAPSULE => Shape::capsule(geometry.a, geometry.b, geometry.radius),
        kind::SEGMENT => Shape::segment(geometry.a, geometry.b),
        kind::RECT => Shape::rect(geometry.size.x, geometry.size.y),
        kind::POLYGON => Shape::polygon(&points()?),
        kind::HULL => Shape::hull(&points()?),
        kind::REGULAR => Shape::regular(geometry.width as usize, geometry.radius),
        kind::POLAR => Shape::polar(&points()?),
        kind::OUTLINE => Shape::outline(&points()?),
        kind::COMPOUND => {
            if depth == 0 {
                return Err(Failure::Rule(status::BAD_SHAPE, "compounds nest at most 8 deep"));
            }
            let parts = geometry.parts()?.iter().map(|part| nested(part, depth - 1));
            Shape::compound(parts.collect::<Result<Vec<Shape>>>()?)
        }
        kind::CHAIN => Shape::chain(&points()?),
        kind::CLOSED_CHAIN => Shape::closed_chain(&points()?),
        kind::TILES => {
            let cells = geometry.cells()?.iter().copied().map(TileCell::try_from);
            Shape::tiles(geometry.side, geometry.width, &cells.collect::<Result<Vec<_>>>()?)
        }
        kind::MASK => {
            let solid: Vec<bool> = geometry.pixels()?.iter().map(|pixel| *pixel != 0).collect();
            Shape::from_mask(geometry.side, geometry.width, &solid, geometry.tolerance)
        }
        kind::HALF_PLANE => Shape::half_plane(geometry.a, geometry.b),
        kind::PREPARED => {
            // SAFETY: rule 1 in the head of lib.rs.
            unsafe { Handle::shared(geometry.prepared, "prepared")? }.get().shape.clone()
        }
        kind::NONE => {
            return Err(Failure::Rule(status::BAD_SHAPE, "a shape needs geometry: it has none"));
        }
        other => return Err(Failure::Enum("geometry_kind", other)),
    })
}

impl TryFrom<c::TileCell> for TileCell {
    type Error = Failure;

    fn try_from(cell: c::TileCell) -> Result<TileCell> {
        let kind = one_of(&TILE_KINDS, cell.kind.into(), "tile_kind")?;
        Ok(TileCell::new(kind, cell.material))
    }
}

impl From<TileCell> for c::TileCell {
    fn from(cell: TileCell) -> c::TileCell {
        c::TileCell { kind: cell.kind as u8, material: cell.material }
    }
}
