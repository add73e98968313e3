//! Bodies: added, removed and read.

use carom::BodyDef;

use super::{World, listed};
use crate::convert::body_state;
use crate::failure::Result;
use crate::types as c;

pub(crate) fn body_add(world: &mut World, def: &c::BodyDef) -> Result<c::Body> {
    Ok(world.world.add(def.try_into()?)?.into())
}

pub(crate) fn body_add_all<'w>(world: &'w mut World, defs: &[c::BodyDef]) -> Result<&'w [c::Body]> {
    let defs = defs.iter().map(BodyDef::try_from).collect::<Result<Vec<BodyDef>>>()?;
    let ids = world.world.add_all(defs)?;
    Ok(listed(&mut world.lists.bodies, ids))
}

pub(crate) fn body_remove(world: &mut World, body: c::Body) -> Result<()> {
    Ok(world.world.remove(body.id()?)?)
}

pub(crate) fn body_exists(world: &World, body: c::Body) -> Result<bool> {
    Ok(body.id().is_ok_and(|id| world.world.get(id).is_some()))
}

pub(crate) fn body_read(world: &World, body: c::Body) -> Result<c::BodyState> {
    let (id, row) = world.body(body)?;
    Ok(body_state(&world.world, id, row))
}

#[inline]
pub(crate) fn body_position(world: &World, body: c::Body) -> Result<c::Vec2> {
    Ok(world.body(body)?.1.position().into())
}

#[inline]
pub(crate) fn body_place(world: &World, body: c::Body) -> Result<c::Point> {
    Ok(world.body(body)?.1.world_position().into())
}

#[inline]
pub(crate) fn body_rotation(world: &World, body: c::Body) -> Result<c::Rot> {
    Ok(world.body(body)?.1.rotation().into())
}

#[inline]
pub(crate) fn body_angle(world: &World, body: c::Body) -> Result<f32> {
    Ok(world.body(body)?.1.angle())
}

#[inline]
pub(crate) fn body_velocity(world: &World, body: c::Body) -> Result<c::Vec2> {
    Ok(world.body(body)?.1.velocity().into())
}

#[inline]
pub(crate) fn body_spin(world: &World, body: c::Body) -> Result<f32> {
    Ok(world.body(body)?.1.angular_velocity())
}

#[inline]
pub(crate) fn body_user_data(world: &World, body: c::Body) -> Result<u64> {
    Ok(world.body(body)?.1.user_data())
}

pub(crate) fn body_velocity_at(world: &World, body: c::Body, place: c::Point) -> Result<c::Vec2> {
    Ok(world.body(body)?.1.velocity_at(place).into())
}

pub(crate) fn body_to_world(world: &World, body: c::Body, local: c::Vec2) -> Result<c::Point> {
    Ok(world.body(body)?.1.to_world(local).into())
}

pub(crate) fn body_to_local(world: &World, body: c::Body, place: c::Point) -> Result<c::Vec2> {
    Ok(world.body(body)?.1.to_local(place).into())
}

pub(crate) fn bodies(world: &mut World) -> Result<&[c::Body]> {
    Ok(listed(&mut world.lists.bodies, world.world.bodies().map(|(id, _)| id)))
}

pub(crate) fn body_shapes(world: &mut World, body: c::Body) -> Result<&[c::Shape]> {
    let (id, _) = world.body(body)?;
    Ok(listed(&mut world.lists.shapes, world.world.shapes_of(id).map(|(id, _)| id)))
}

pub(crate) fn body_joints(world: &mut World, body: c::Body) -> Result<&[c::Joint]> {
    let (id, _) = world.body(body)?;
    Ok(listed(&mut world.lists.joints, world.world.joints_of(id).map(|(id, _)| id)))
}

pub(crate) fn body_is_welded(world: &World, a: c::Body, b: c::Body) -> Result<bool> {
    Ok(world.world.are_welded(world.body(a)?.0, world.body(b)?.0))
}
