//! Kinematic characters.

use carom::{MoverDef, Stride};

use super::{World, listed};
use crate::convert::with_filter;
use crate::failure::Result;
use crate::types as c;

/// A character, and the list of its contacts.
#[derive(Debug)]
pub struct Mover {
    mover: carom::Mover,
    touches: Vec<c::MoverTouch>,
}

pub(crate) fn mover_new(def: Option<&c::MoverDef>) -> Result<Mover> {
    let def = def.map_or_else(|| Ok(MoverDef::default()), MoverDef::try_from)?;
    Ok(Mover { mover: carom::Mover::new(def)?, touches: Vec::new() })
}

pub(crate) fn mover_set_def(mover: &mut Mover, def: &c::MoverDef) -> Result<()> {
    Ok(mover.mover.set_def(def.try_into()?)?)
}

pub(crate) fn mover_forget(mover: &mut Mover) -> Result<()> {
    mover.mover.forget();
    Ok(())
}

pub(crate) fn mover_slide(
    mover: &mut Mover,
    world: &World,
    place: c::Point,
    velocity: c::Vec2,
    dt: f32,
    filter: Option<&c::QueryFilter>,
) -> Result<c::MoveOutcome> {
    with_filter(filter, |filter| {
        let stride = Stride::new(velocity, dt).among(*filter);
        Ok((&mover.mover.slide_by(&world.world, place, &stride)?).into())
    })
}

pub(crate) fn mover_move_body(
    mover: &mut Mover,
    world: &mut World,
    body: c::Body,
    velocity: c::Vec2,
    dt: f32,
    filter: Option<&c::QueryFilter>,
) -> Result<c::MoveOutcome> {
    let id = body.id()?;
    with_filter(filter, |filter| {
        let stride = Stride::new(velocity, dt).among(*filter);
        Ok((&mover.mover.move_body_by(&mut world.world, id, &stride)?).into())
    })
}

pub(crate) fn mover_touches(mover: &mut Mover) -> Result<&[c::MoverTouch]> {
    Ok(listed(&mut mover.touches, mover.mover.touches()))
}
