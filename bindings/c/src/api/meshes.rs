//! Navigation meshes and ways.

use carom::Vec2;
use carom_nav::mesh::{Ground, MeshDef};

use super::{World, listed};
use crate::failure::{Failure, Result};
use crate::raw::Fill;
use crate::types as c;
use crate::types::status;

/// A mesh, and its notes about the world that it follows.
#[derive(Debug)]
pub struct Mesh {
    mesh: carom_nav::mesh::Mesh,
    ground: Option<Ground>,
    bytes: Vec<u8>,
}

impl From<carom_nav::mesh::Mesh> for Mesh {
    fn from(mesh: carom_nav::mesh::Mesh) -> Mesh {
        Mesh { mesh, ground: None, bytes: Vec::new() }
    }
}

/// A way, and its points.
#[derive(Debug, Default)]
pub struct Way {
    way: carom_nav::mesh::Way,
    points: Vec<Vec2>,
    listed: Vec<c::Vec2>,
}

fn vectors(points: &[c::Vec2]) -> Vec<Vec2> {
    points.iter().copied().map(Vec2::from).collect()
}

pub(crate) fn mesh_new(def: Option<&c::MeshDef>) -> Result<Mesh> {
    let def = def.map_or_else(MeshDef::default, MeshDef::from);
    Ok(carom_nav::mesh::Mesh::new(def)?.into())
}

pub(crate) fn mesh_read(bytes: &[u8]) -> Result<Mesh> {
    Ok(carom_nav::mesh::Mesh::load(bytes)?.into())
}

pub(crate) fn mesh_save(mesh: &mut Mesh, bytes: &mut Fill<u8>) -> Result<()> {
    mesh.mesh.save_into(&mut mesh.bytes);
    bytes.extend(&mesh.bytes);
    Ok(())
}

pub(crate) fn mesh_hash(mesh: &Mesh) -> Result<u64> {
    Ok(mesh.mesh.hash())
}

pub(crate) fn mesh_add(mesh: &mut Mesh, corners: &[c::Vec2]) -> Result<c::Obstacle> {
    Ok(mesh.mesh.add(&vectors(corners))?.into())
}

pub(crate) fn mesh_add_wall(mesh: &mut Mesh, points: &[c::Vec2]) -> Result<c::Obstacle> {
    Ok(mesh.mesh.add_wall(&vectors(points))?.into())
}

pub(crate) fn mesh_remove(mesh: &mut Mesh, obstacle: c::Obstacle) -> Result<bool> {
    Ok(mesh.mesh.remove(obstacle.into()))
}

pub(crate) fn mesh_add_area(
    mesh: &mut Mesh,
    corners: &[c::Vec2],
    factor: f32,
) -> Result<c::MeshArea> {
    Ok(mesh.mesh.add_area(&vectors(corners), factor)?.into())
}

pub(crate) fn mesh_set_area_factor(
    mesh: &mut Mesh,
    area: c::MeshArea,
    factor: f32,
) -> Result<bool> {
    Ok(mesh.mesh.set_area_factor(area.into(), factor)?)
}

pub(crate) fn mesh_remove_area(mesh: &mut Mesh, area: c::MeshArea) -> Result<bool> {
    Ok(mesh.mesh.remove_area(area.into()))
}

pub(crate) fn mesh_sync(mesh: &mut Mesh, world: &World, origin: c::Point) -> Result<(u32, u32)> {
    let origin = carom::WorldPoint::from(origin);
    if !origin.is_valid() {
        return Err(Failure::Rule(status::BAD_NUMBER, "a mesh lies around a finite point"));
    }
    let ground = mesh.ground.get_or_insert_with(|| Ground::new(origin));
    if ground.origin != origin {
        return Err(Failure::Rule(status::BAD_NUMBER, "a mesh keeps its origin"));
    }
    let synced = mesh.mesh.sync(&world.world, ground);
    Ok((synced.added as u32, synced.removed as u32))
}

pub(crate) fn mesh_way(
    mesh: &mut Mesh,
    from: c::Vec2,
    to: c::Vec2,
    radius: f32,
    way: &mut Way,
) -> Result<()> {
    Ok(mesh.mesh.way(from, to, radius, &mut way.way)?)
}

pub(crate) fn mesh_reachable(
    mesh: &mut Mesh,
    from: c::Vec2,
    to: c::Vec2,
    radius: f32,
) -> Result<bool> {
    Ok(mesh.mesh.reachable(from, to, radius))
}

pub(crate) fn mesh_widest(mesh: &mut Mesh, from: c::Vec2, to: c::Vec2) -> Result<Option<f32>> {
    Ok(mesh.mesh.widest(from, to))
}

pub(crate) fn mesh_is_current(mesh: &Mesh, way: &Way) -> Result<bool> {
    Ok(mesh.mesh.is_current(&way.way))
}

pub(crate) fn way_new() -> Result<Way> {
    Ok(Way::default())
}

pub(crate) fn way_length(way: &Way) -> Result<f64> {
    Ok(way.way.length())
}

pub(crate) fn way_points(way: &mut Way, sag: f32) -> Result<&[c::Vec2]> {
    if sag.is_nan() {
        return Err(Failure::Rule(status::BAD_NUMBER, "a sag must be a number"));
    }
    way.way.points(sag, &mut way.points);
    Ok(listed(&mut way.listed, way.points.iter().copied()))
}
