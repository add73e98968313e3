//! Geometry by value, and questions to two shapes without a world.

use carom::{Ray, Shape};

use crate::convert::shape;
use crate::failure::Result;
use crate::types as c;
use crate::types::{Geometry, geometry_kind as kind};

/// Geometry that was checked.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) shape: Shape,
}

fn of(kind: c::GeometryKind) -> Geometry {
    Geometry { kind, ..Geometry::default() }
}

fn of_points(kind: c::GeometryKind, points: &[c::Vec2]) -> Result<Geometry> {
    Ok(Geometry { points: points.as_ptr(), point_count: points.len(), ..of(kind) })
}

pub(crate) fn circle(radius: f32) -> Result<Geometry> {
    Ok(Geometry { radius, ..of(kind::CIRCLE) })
}

pub(crate) fn capsule(a: c::Vec2, b: c::Vec2, radius: f32) -> Result<Geometry> {
    Ok(Geometry { a, b, radius, ..of(kind::CAPSULE) })
}

pub(crate) fn segment(a: c::Vec2, b: c::Vec2) -> Result<Geometry> {
    Ok(Geometry { a, b, ..of(kind::SEGMENT) })
}

pub(crate) fn rect(width: f32, height: f32) -> Result<Geometry> {
    Ok(Geometry { size: c::Vec2 { x: width, y: height }, ..of(kind::RECT) })
}

pub(crate) fn polygon(points: &[c::Vec2]) -> Result<Geometry> {
    of_points(kind::POLYGON, points)
}

pub(crate) fn hull(points: &[c::Vec2]) -> Result<Geometry> {
    of_points(kind::HULL, points)
}

pub(crate) fn regular(corners: u32, radius: f32) -> Result<Geometry> {
    Ok(Geometry { width: corners, radius, ..of(kind::REGULAR) })
}

pub(crate) fn polar(points: &[c::Vec2]) -> Result<Geometry> {
    of_points(kind::POLAR, points)
}

pub(crate) fn outline(points: &[c::Vec2]) -> Result<Geometry> {
    of_points(kind::OUTLINE, points)
}

pub(crate) fn compound(parts: &[Geometry]) -> Result<Geometry> {
    Ok(Geometry { parts: parts.as_ptr(), part_count: parts.len(), ..of(kind::COMPOUND) })
}

pub(crate) fn chain(points: &[c::Vec2]) -> Result<Geometry> {
    of_points(kind::CHAIN, points)
}

pub(crate) fn closed_chain(points: &[c::Vec2]) -> Result<Geometry> {
    of_points(kind::CLOSED_CHAIN, points)
}

pub(crate) fn tiles(side: f32, width: u32, cells: &[c::TileCell]) -> Result<Geometry> {
    let list = Geometry { cells: cells.as_ptr(), cell_count: cells.len(), ..of(kind::TILES) };
    Ok(Geometry { side, width, ..list })
}

pub(crate) fn mask(side: f32, width: u32, pixels: &[u8], tolerance: f32) -> Result<Geometry> {
    let list = Geometry { pixels: pixels.as_ptr(), pixel_count: pixels.len(), ..of(kind::MASK) };
    Ok(Geometry { side, width, tolerance, ..list })
}

pub(crate) fn half_plane(point: c::Vec2, normal: c::Vec2) -> Result<Geometry> {
    Ok(Geometry { a: point, b: normal, ..of(kind::HALF_PLANE) })
}

pub(crate) fn prepare(geometry: &Geometry) -> Result<Prepared> {
    Ok(Prepared { shape: shape(geometry)? })
}

pub(crate) fn geometry_check(geometry: &Geometry) -> Result<()> {
    shape(geometry).map(drop)
}

pub(crate) fn geometry_mass(geometry: &Geometry, density: f32) -> Result<c::Mass> {
    Ok(shape(geometry)?.mass(density).into())
}

pub(crate) fn geometry_aabb(geometry: &Geometry, place: c::Transform) -> Result<c::Aabb> {
    Ok(shape(geometry)?.aabb(place.into()).into())
}

pub(crate) fn overlap(
    a: &Geometry,
    place_a: c::Transform,
    b: &Geometry,
    place_b: c::Transform,
) -> Result<bool> {
    Ok(carom::overlaps(&shape(a)?, place_a.into(), &shape(b)?, place_b.into()))
}

pub(crate) fn contact_of(
    a: &Geometry,
    place_a: c::Transform,
    b: &Geometry,
    place_b: c::Transform,
) -> Result<Option<c::Manifold>> {
    let manifold = carom::contact(&shape(a)?, place_a.into(), &shape(b)?, place_b.into());
    Ok(manifold.as_ref().map(c::Manifold::from))
}

pub(crate) fn separation_of(
    a: &Geometry,
    place_a: c::Transform,
    b: &Geometry,
    place_b: c::Transform,
) -> Result<c::Separation> {
    let apart = carom::distance(&shape(a)?, place_a.into(), &shape(b)?, place_b.into());
    Ok(c::Separation::from(&apart))
}

pub(crate) fn ray_on(
    geometry: &Geometry,
    place: c::Transform,
    from: c::Vec2,
    translation: c::Vec2,
) -> Result<Option<c::RayHit>> {
    let hit = carom::ray(&shape(geometry)?, place.into(), Ray::new(from, translation));
    Ok(hit.as_ref().map(c::RayHit::from))
}

pub(crate) fn closest_point_on(
    geometry: &Geometry,
    place: c::Transform,
    point: c::Vec2,
) -> Result<c::ClosestPoint> {
    let closest = carom::closest_point(&shape(geometry)?, place.into(), point.into());
    Ok(c::ClosestPoint::from(&closest))
}

pub(crate) fn prepared_geometry(prepared: *const c::Prepared) -> Result<Geometry> {
    Ok(Geometry { prepared, ..of(kind::PREPARED) })
}
