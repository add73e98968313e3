//! Bodies cut out of a world and pasted, and bodies that break.

use carom::{BodyId, PlacedShape, Rot, WorldPoint};

use super::{World, listed};
use crate::convert::{shape, ties};
use crate::failure::Result;
use crate::raw::Fill;
use crate::types as c;

/// Bodies out of a world, and the lists of their ids and bytes.
#[derive(Debug)]
pub struct Piece {
    piece: carom::Piece,
    bodies: Vec<c::Body>,
    bytes: Vec<u8>,
}

impl From<carom::Piece> for Piece {
    fn from(piece: carom::Piece) -> Piece {
        Piece { piece, bodies: Vec::new(), bytes: Vec::new() }
    }
}

pub(crate) fn world_cut(world: &mut World, area: c::WorldAabb, of: c::Ties) -> Result<Piece> {
    Ok(world.world.cut(area, ties(of)?)?.into())
}

pub(crate) fn world_extract(world: &mut World, bodies: &[c::Body]) -> Result<Piece> {
    let ids = bodies.iter().map(|body| body.id()).collect::<Result<Vec<BodyId>>>()?;
    Ok(world.world.extract(&ids)?.into())
}

pub(crate) fn piece_of(world: &World) -> Result<Piece> {
    Ok(carom::Piece::from(world.world.clone()).into())
}

pub(crate) fn piece_read(bytes: &[u8]) -> Result<Piece> {
    Ok(carom::Piece::read(bytes)?.into())
}

pub(crate) fn piece_save(piece: &mut Piece, bytes: &mut Fill<u8>) -> Result<()> {
    piece.piece.write(&mut piece.bytes);
    bytes.extend(&piece.bytes);
    Ok(())
}

pub(crate) fn piece_taken(piece: &mut Piece) -> Result<&[c::Body]> {
    Ok(listed(&mut piece.bodies, piece.piece.taken().iter().copied()))
}

pub(crate) fn piece_stayed(piece: &mut Piece) -> Result<&[c::Body]> {
    Ok(listed(&mut piece.bodies, piece.piece.stayed().iter().copied()))
}

pub(crate) fn piece_body_count(piece: &Piece) -> Result<u64> {
    Ok(piece.piece.world().body_count() as u64)
}

pub(crate) fn world_paste<'w>(
    world: &'w mut World,
    piece: &Piece,
    corner: c::Point,
) -> Result<(&'w [c::Body], &'w [c::Joint])> {
    let pasted = world.world.paste(&piece.piece, corner)?;
    let bodies = listed(&mut world.lists.bodies, pasted.bodies);
    Ok((bodies, listed(&mut world.lists.joints, pasted.joints)))
}

pub(crate) fn body_slice(
    world: &mut World,
    body: c::Body,
    a: c::Point,
    b: c::Point,
) -> Result<&[c::Body]> {
    let parts = world.world.slice(body.id()?, a, b)?;
    Ok(listed(&mut world.lists.bodies, parts))
}

pub(crate) fn body_fragment<'w>(
    world: &'w mut World,
    body: c::Body,
    points: &[c::Point],
) -> Result<&'w [c::Body]> {
    let points: Vec<WorldPoint> = points.iter().copied().map(WorldPoint::from).collect();
    let parts = world.world.fragment(body.id()?, &points)?;
    Ok(listed(&mut world.lists.bodies, parts))
}

pub(crate) fn body_subtract(
    world: &mut World,
    body: c::Body,
    hole: &c::Geometry,
    place: c::Point,
    angle: f32,
) -> Result<bool> {
    let shape = shape(hole)?;
    let (position, rotation) = (place.into(), Rot::from_angle(angle));
    let hole = PlacedShape { shape: &shape, position, rotation };
    Ok(world.world.subtract(body.id()?, &hole)?)
}
