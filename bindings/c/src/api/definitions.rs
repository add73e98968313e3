//! Definitions with defaults: carom's own, as C has them.

use carom::{BodyId, JointDef, JointId, WorldDef, WorldPoint};

use crate::convert::{kind, mover_def};
use crate::failure::Result;
use crate::types as c;

pub(crate) fn world_def_default() -> Result<c::WorldDef> {
    Ok((&WorldDef::default()).into())
}

pub(crate) fn world_def_in_units(unit: f32) -> Result<c::WorldDef> {
    Ok((&WorldDef::default().unit(unit)).into())
}

pub(crate) fn body_def_default(of: c::BodyKind) -> Result<c::BodyDef> {
    kind(of)?;
    Ok(c::BodyDef { kind: of, ..c::BodyDef::default() })
}

pub(crate) fn shape_def_default(geometry: c::Geometry) -> Result<c::ShapeDef> {
    Ok(c::ShapeDef { geometry, ..c::ShapeDef::default() })
}

pub(crate) fn material_default() -> Result<c::Material> {
    Ok((&carom::Material::default()).into())
}

pub(crate) fn filter_default() -> Result<c::Filter> {
    Ok(carom::Filter::default().into())
}

pub(crate) fn query_filter_default() -> Result<c::QueryFilter> {
    Ok(c::QueryFilter::default())
}

pub(crate) fn area_default() -> Result<c::Area> {
    Ok((&carom::Area::default()).into())
}

pub(crate) fn mover_def_default() -> Result<c::MoverDef> {
    Ok(mover_def())
}

pub(crate) fn draw_options_default() -> Result<c::DrawOptions> {
    Ok(c::DrawOptions::default())
}

pub(crate) fn ask_default(start: c::Cell, goal: c::Cell) -> Result<c::Ask> {
    Ok(c::Ask { start, goal, ..c::Ask::default() })
}

pub(crate) fn mesh_def_default() -> Result<c::MeshDef> {
    Ok(c::MeshDef::default())
}

pub(crate) fn agent_def_default() -> Result<c::AgentDef> {
    Ok(c::AgentDef::default())
}

pub(crate) fn crowd_def_default() -> Result<c::CrowdDef> {
    Ok(c::CrowdDef::default())
}

/// The first body of a joint: zeros are the world.
fn first(a: c::Body) -> Option<BodyId> {
    a.id().ok()
}

/// A joint of two bodies, by a constructor of carom.
fn joined(
    a: c::Body,
    b: c::Body,
    make: impl FnOnce(Option<BodyId>, BodyId) -> JointDef,
) -> Result<c::JointDef> {
    Ok((&make(first(a), b.id()?)).into())
}

pub(crate) fn joint_revolute(a: c::Body, b: c::Body) -> Result<c::JointDef> {
    joined(a, b, JointDef::revolute)
}

pub(crate) fn joint_prismatic(a: c::Body, b: c::Body, axis: c::Vec2) -> Result<c::JointDef> {
    joined(a, b, |a, b| JointDef::prismatic(a, b, axis))
}

pub(crate) fn joint_distance(a: c::Body, b: c::Body) -> Result<c::JointDef> {
    joined(a, b, JointDef::distance)
}

pub(crate) fn joint_rope(a: c::Body, b: c::Body, max: f32) -> Result<c::JointDef> {
    joined(a, b, |a, b| JointDef::rope(a, b, max))
}

pub(crate) fn joint_weld(a: c::Body, b: c::Body) -> Result<c::JointDef> {
    joined(a, b, JointDef::weld)
}

pub(crate) fn joint_wheel(
    a: c::Body,
    b: c::Body,
    axis: c::Vec2,
    spring: c::Spring,
) -> Result<c::JointDef> {
    joined(a, b, |a, b| JointDef::wheel(a, b, axis, spring.into()))
}

pub(crate) fn joint_motor(a: c::Body, b: c::Body, spring: c::Spring) -> Result<c::JointDef> {
    joined(a, b, |a, b| JointDef::motor_to(a, b, spring.into()))
}

pub(crate) fn joint_drag(body: c::Body, point: c::Point, max_force: f32) -> Result<c::JointDef> {
    Ok((&JointDef::drag(body.id()?, WorldPoint::from(point), max_force)).into())
}

pub(crate) fn joint_friction(
    a: c::Body,
    b: c::Body,
    max_force: f32,
    max_torque: f32,
) -> Result<c::JointDef> {
    joined(a, b, |a, b| JointDef::friction(a, b, max_force, max_torque))
}

pub(crate) fn joint_gear(first: c::Joint, second: c::Joint, ratio: f32) -> Result<c::JointDef> {
    let [first, second]: [JointId; 2] = [first.id()?, second.id()?];
    Ok((&JointDef::gear(first, second, ratio)).into())
}

pub(crate) fn joint_pulley(
    a: c::Body,
    b: c::Body,
    ground_a: c::Point,
    ground_b: c::Point,
    ratio: f32,
) -> Result<c::JointDef> {
    let (ground_a, ground_b) = (WorldPoint::from(ground_a), WorldPoint::from(ground_b));
    Ok((&JointDef::pulley(a.id()?, b.id()?, ground_a, ground_b, ratio)).into())
}

pub(crate) fn joint_filter(a: c::Body, b: c::Body) -> Result<c::JointDef> {
    Ok((&JointDef::filter(a.id()?, b.id()?)).into())
}

pub(crate) fn anchor_at(place: c::Point) -> Result<c::Anchor> {
    Ok(carom::Anchor::World(place.into()).into())
}

pub(crate) fn anchor_in(local: c::Vec2) -> Result<c::Anchor> {
    Ok(carom::Anchor::Local(local.into()).into())
}
