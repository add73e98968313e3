//! Points and rotations.

use carom::{Rot, WorldPoint};

use crate::failure::Result;
use crate::types as c;

pub(crate) fn vec(x: f32, y: f32) -> Result<c::Vec2> {
    Ok(c::Vec2 { x, y })
}

pub(crate) fn at(x: f32, y: f32) -> Result<c::Point> {
    Ok(WorldPoint::from([x, y]).into())
}

pub(crate) fn point_position(place: c::Point) -> Result<c::Vec2> {
    Ok(WorldPoint::from(place).position().into())
}

pub(crate) fn point_offset(place: c::Point, by: c::Vec2) -> Result<c::Point> {
    Ok(WorldPoint::from(place).offset(by.into()).into())
}

pub(crate) fn point_to(from: c::Point, to: c::Point) -> Result<c::Vec2> {
    Ok(WorldPoint::from(from).to(to.into()).into())
}

pub(crate) fn rot_of(angle: f32) -> Result<c::Rot> {
    Ok(Rot::from_angle(angle).into())
}

pub(crate) fn rot_angle(rotation: c::Rot) -> Result<f32> {
    Ok(Rot::from(rotation).angle())
}

pub(crate) fn transform_at(position: c::Vec2, angle: f32) -> Result<c::Transform> {
    Ok(c::Transform { position, rotation: Rot::from_angle(angle).into() })
}

pub(crate) fn box_at(min: c::Vec2, max: c::Vec2) -> Result<c::WorldAabb> {
    Ok(c::WorldAabb { region_x: 0, region_y: 0, aabb: c::Aabb { min, max } })
}
