//! Shapes of bodies, sensors, areas and tile maps.

use carom::{Area, Collider, Shape as Geometry, Vec2, Weight};

use super::{World, listed};
use crate::convert::{shape, shape_state};
use crate::failure::Result;
use crate::types as c;
use crate::types::Shape;

pub(crate) fn shape_attach(world: &mut World, body: c::Body, def: &c::ShapeDef) -> Result<Shape> {
    let def = carom::ShapeDef::try_from(def)?;
    Ok(world.world.attach(body.id()?, def)?.into())
}

pub(crate) fn shape_detach(world: &mut World, of: Shape) -> Result<()> {
    Ok(world.world.detach(of.id()?)?)
}

pub(crate) fn shape_exists(world: &World, of: Shape) -> Result<bool> {
    Ok(of.id().is_ok_and(|id| world.world.get_shape(id).is_some()))
}

pub(crate) fn shape_body(world: &World, of: Shape) -> Result<c::Body> {
    let (id, _) = world.shape(of)?;
    Ok(world.world.body_of(id).into())
}

pub(crate) fn shape_read(world: &World, of: Shape) -> Result<c::ShapeState> {
    let (id, collider) = world.shape(of)?;
    let body = world.world.body_of(id).ok_or(carom::Error::NoSuchShape(id))?;
    Ok(shape_state(body, collider))
}

pub(crate) fn shape_set_geometry(
    world: &mut World,
    of: Shape,
    geometry: &c::Geometry,
) -> Result<()> {
    Ok(world.world.set_shape(of.id()?, shape(geometry)?)?)
}

pub(crate) fn shape_set_sensor(world: &mut World, of: Shape, sensor: bool) -> Result<()> {
    Ok(world.world.set_sensor(of.id()?, sensor)?)
}

pub(crate) fn shape_set_one_way(world: &mut World, of: Shape, way: Option<&c::Vec2>) -> Result<()> {
    Ok(world.world.set_one_way(of.id()?, way.copied().map(Vec2::from))?)
}

pub(crate) fn shape_set_weight(
    world: &mut World,
    of: Shape,
    weight: f32,
    by_mass: bool,
) -> Result<()> {
    let weight = if by_mass { Weight::Mass(weight) } else { Weight::Density(weight) };
    Ok(world.world.set_weight(of.id()?, weight)?)
}

pub(crate) fn shape_set_material(
    world: &mut World,
    of: Shape,
    material: &c::Material,
) -> Result<()> {
    Ok(world.world.set_material(of.id()?, material.try_into()?)?)
}

pub(crate) fn shape_set_part_material(
    world: &mut World,
    of: Shape,
    part: u32,
    material: &c::Material,
) -> Result<()> {
    Ok(world.world.set_part_material(of.id()?, part as usize, material.try_into()?)?)
}

pub(crate) fn shape_set_filter(world: &mut World, of: Shape, filter: &c::Filter) -> Result<()> {
    Ok(world.world.set_filter(of.id()?, filter.into())?)
}

pub(crate) fn shape_set_user_data(world: &mut World, of: Shape, user_data: u64) -> Result<()> {
    Ok(world.world.set_shape_user_data(of.id()?, user_data)?)
}

pub(crate) fn shape_touching(world: &mut World, of: Shape) -> Result<&[Shape]> {
    let (id, _) = world.shape(of)?;
    Ok(listed(&mut world.lists.shapes, world.world.touching(id)))
}

pub(crate) fn shape_visitors(world: &mut World, sensor: Shape) -> Result<&[Shape]> {
    let (id, _) = world.shape(sensor)?;
    Ok(listed(&mut world.lists.shapes, world.world.visitors(id)))
}

pub(crate) fn shape_set_area(
    world: &mut World,
    sensor: Shape,
    area: Option<&c::Area>,
) -> Result<()> {
    let area = area.map(Area::try_from).transpose()?;
    Ok(world.world.set_area(sensor.id()?, area)?)
}

pub(crate) fn shape_area(world: &World, sensor: Shape) -> Result<Option<c::Area>> {
    let (id, _) = world.shape(sensor)?;
    Ok(world.world.area(id).map(c::Area::from))
}

pub(crate) fn tile_set(
    world: &mut World,
    of: Shape,
    column: u32,
    row: u32,
    cell: c::TileCell,
) -> Result<()> {
    Ok(world.world.set_tile(of.id()?, [column, row], cell.try_into()?)?)
}

/// The tile map of a shape, if it is one.
fn tile_map(collider: &Collider) -> Option<&carom::TileMap> {
    match collider.shape() {
        Geometry::Tiles(map) => Some(map),
        _ => None,
    }
}

pub(crate) fn tile(world: &World, of: Shape, column: u32, row: u32) -> Result<Option<c::TileCell>> {
    let (_, collider) = world.shape(of)?;
    let cell = tile_map(collider).and_then(|map| map.cell_at([column, row]));
    Ok(cell.map(c::TileCell::from))
}

pub(crate) fn tile_size(world: &World, of: Shape) -> Result<Option<(u32, u32)>> {
    let (_, collider) = world.shape(of)?;
    Ok(tile_map(collider).map(|map| map.size().into()))
}
