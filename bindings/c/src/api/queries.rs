//! Rays, casts, overlaps and nearest shapes.

use carom::broadphase::WorldAabb;
use carom::{
    Answers, CastAnswer, NearestAnswer, OverlapAnswer, PlacedShape, RayAnswer, Rot, Shape,
    ShapeCast, WorldPoint, WorldRay,
};

use super::{World, listed};
use crate::convert::{shape, with_filter};
use crate::failure::Result;
use crate::types as c;
use crate::types::QueryFilter;

/// Answers as carom gives them, before they are C's.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    rays: Vec<RayAnswer>,
    casts: Vec<CastAnswer>,
    overlaps: Vec<OverlapAnswer>,
    nearest: Vec<NearestAnswer>,
    first_rays: Vec<Option<RayAnswer>>,
    first_casts: Vec<Option<CastAnswer>>,
    first_nearest: Vec<Option<NearestAnswer>>,
    any: Vec<bool>,
    many_rays: Answers<RayAnswer>,
    many_casts: Answers<CastAnswer>,
    many_overlaps: Answers<OverlapAnswer>,
    many_nearest: Answers<NearestAnswer>,
    asked_rays: Vec<WorldRay>,
    asked_boxes: Vec<WorldAabb>,
    asked_points: Vec<WorldPoint>,
}

/// A cast of a shape that lives elsewhere.
fn cast_of<'s>(cast: &c::Cast, shape: &'s Shape) -> ShapeCast<'s> {
    let start = PlacedShape::at(shape, cast.from).angle(cast.angle);
    let translation = cast.translation.into();
    ShapeCast { start, translation, turn: cast.turn, distance: cast.distance }
}

/// Where the answers to each question end in the list of all.
fn ends_of<'l, T>(answers: &Answers<T>, ends: &'l mut Vec<usize>) -> &'l [usize] {
    ends.clear();
    let mut end = 0;
    for list in answers.iter() {
        end += list.len();
        ends.push(end);
    }
    ends
}

#[inline]
pub(crate) fn world_ray(
    world: &World,
    ray: c::Ray,
    filter: Option<&QueryFilter>,
) -> Result<Option<c::RayAnswer>> {
    with_filter(filter, |filter| {
        Ok(world.world.ray(ray.into(), filter).as_ref().map(c::RayAnswer::from))
    })
}

pub(crate) fn world_ray_any(
    world: &World,
    ray: c::Ray,
    filter: Option<&QueryFilter>,
) -> Result<bool> {
    with_filter(filter, |filter| Ok(world.world.ray_any(ray.into(), filter)))
}

pub(crate) fn world_ray_all<'w>(
    world: &'w mut World,
    ray: c::Ray,
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::RayAnswer]> {
    let World { world, lists } = world;
    let asked = &mut lists.asked.rays;
    with_filter(filter, |filter| {
        world.ray_all(ray.into(), filter, asked);
        Ok(())
    })?;
    Ok(listed(&mut lists.rays, asked.iter()))
}

pub(crate) fn world_cast(
    world: &World,
    cast: &c::Cast,
    filter: Option<&QueryFilter>,
) -> Result<Option<c::CastAnswer>> {
    let shape = shape(&cast.geometry)?;
    with_filter(filter, |filter| {
        let answer = world.world.cast(&cast_of(cast, &shape), filter);
        Ok(answer.as_ref().map(c::CastAnswer::from))
    })
}

pub(crate) fn world_cast_all<'w>(
    world: &'w mut World,
    cast: &c::Cast,
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::CastAnswer]> {
    let shape = shape(&cast.geometry)?;
    let World { world, lists } = world;
    let asked = &mut lists.asked.casts;
    with_filter(filter, |filter| {
        world.cast_all(&cast_of(cast, &shape), filter, asked);
        Ok(())
    })?;
    Ok(listed(&mut lists.casts, asked.iter()))
}

pub(crate) fn world_overlap_box<'w>(
    world: &'w mut World,
    region: c::WorldAabb,
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::OverlapAnswer]> {
    let World { world, lists } = world;
    let asked = &mut lists.asked.overlaps;
    with_filter(filter, |filter| {
        world.overlap_aabb(region, filter, asked);
        Ok(())
    })?;
    Ok(listed(&mut lists.overlaps, asked.iter()))
}

pub(crate) fn world_overlap<'w>(
    world: &'w mut World,
    geometry: &c::Geometry,
    place: c::Point,
    angle: f32,
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::OverlapAnswer]> {
    let shape = shape(geometry)?;
    let position = place.into();
    let placed = PlacedShape { shape: &shape, position, rotation: Rot::from_angle(angle) };
    let World { world, lists } = world;
    let asked = &mut lists.asked.overlaps;
    with_filter(filter, |filter| {
        world.overlap_shape(&placed, filter, asked);
        Ok(())
    })?;
    Ok(listed(&mut lists.overlaps, asked.iter()))
}

pub(crate) fn world_overlap_point<'w>(
    world: &'w mut World,
    place: c::Point,
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::OverlapAnswer]> {
    let World { world, lists } = world;
    let asked = &mut lists.asked.overlaps;
    with_filter(filter, |filter| {
        world.overlap_point(place, filter, asked);
        Ok(())
    })?;
    Ok(listed(&mut lists.overlaps, asked.iter()))
}

pub(crate) fn world_nearest(
    world: &World,
    place: c::Point,
    max_distance: f32,
    filter: Option<&QueryFilter>,
) -> Result<Option<c::NearestAnswer>> {
    with_filter(filter, |filter| {
        let answer = world.world.nearest(place, max_distance, filter);
        Ok(answer.as_ref().map(c::NearestAnswer::from))
    })
}

pub(crate) fn world_nearest_few<'w>(
    world: &'w mut World,
    place: c::Point,
    max_distance: f32,
    count: usize,
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::NearestAnswer]> {
    let World { world, lists } = world;
    let asked = &mut lists.asked.nearest;
    with_filter(filter, |filter| {
        world.nearest_few(place, max_distance, count, filter, asked);
        Ok(())
    })?;
    Ok(listed(&mut lists.nearest, asked.iter()))
}

pub(crate) fn world_prepare_queries(world: &mut World) -> Result<()> {
    world.world.prepare_queries();
    Ok(())
}

pub(crate) fn world_rays<'w>(
    world: &'w mut World,
    rays: &[c::Ray],
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::RayAnswer]> {
    let World { world, lists } = world;
    let Asked { asked_rays, first_rays, .. } = &mut lists.asked;
    listed(asked_rays, rays.iter().copied());
    with_filter(filter, |filter| {
        world.rays(asked_rays, filter, first_rays);
        Ok(())
    })?;
    let none = c::RayAnswer::default();
    let answers = first_rays.iter().map(|it| it.as_ref().map_or(none, c::RayAnswer::from));
    Ok(listed(&mut lists.rays, answers))
}

pub(crate) fn world_casts<'w>(
    world: &'w mut World,
    casts: &[c::Cast],
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::CastAnswer]> {
    let shapes = casts.iter().map(|cast| shape(&cast.geometry)).collect::<Result<Vec<Shape>>>()?;
    let asked: Vec<ShapeCast> =
        casts.iter().zip(&shapes).map(|(cast, shape)| cast_of(cast, shape)).collect();
    let World { world, lists } = world;
    let first = &mut lists.asked.first_casts;
    with_filter(filter, |filter| {
        world.casts(&asked, filter, first);
        Ok(())
    })?;
    let none = c::CastAnswer::default();
    let answers = first.iter().map(|it| it.as_ref().map_or(none, c::CastAnswer::from));
    Ok(listed(&mut lists.casts, answers))
}

pub(crate) fn world_overlap_boxes<'w>(
    world: &'w mut World,
    regions: &[c::WorldAabb],
    filter: Option<&QueryFilter>,
) -> Result<(&'w [usize], &'w [c::OverlapAnswer])> {
    let World { world, lists } = world;
    let Asked { asked_boxes, many_overlaps, .. } = &mut lists.asked;
    listed(asked_boxes, regions.iter().copied());
    with_filter(filter, |filter| {
        world.overlap_aabbs(asked_boxes, filter, many_overlaps);
        Ok(())
    })?;
    Ok((ends_of(many_overlaps, &mut lists.ends), listed(&mut lists.overlaps, many_overlaps.all())))
}

pub(crate) fn world_nearest_to_points<'w>(
    world: &'w mut World,
    points: &[c::Point],
    max_distance: f32,
    filter: Option<&QueryFilter>,
) -> Result<&'w [c::NearestAnswer]> {
    let World { world, lists } = world;
    let Asked { asked_points, first_nearest, .. } = &mut lists.asked;
    listed(asked_points, points.iter().copied());
    with_filter(filter, |filter| {
        world.nearest_to_points(asked_points, max_distance, filter, first_nearest);
        Ok(())
    })?;
    let none = c::NearestAnswer::default();
    let answers = first_nearest.iter().map(|it| it.as_ref().map_or(none, c::NearestAnswer::from));
    Ok(listed(&mut lists.nearest, answers))
}

pub(crate) fn world_rays_any<'w>(
    world: &'w mut World,
    rays: &[c::Ray],
    filter: Option<&QueryFilter>,
) -> Result<&'w [u8]> {
    let World { world, lists } = world;
    let Asked { asked_rays, any, .. } = &mut lists.asked;
    listed(asked_rays, rays.iter().copied());
    with_filter(filter, |filter| {
        world.rays_any(asked_rays, filter, any);
        Ok(())
    })?;
    Ok(listed(&mut lists.any, any.iter().copied()))
}

pub(crate) fn world_rays_all<'w>(
    world: &'w mut World,
    rays: &[c::Ray],
    filter: Option<&QueryFilter>,
) -> Result<(&'w [usize], &'w [c::RayAnswer])> {
    let World { world, lists } = world;
    let Asked { asked_rays, many_rays, .. } = &mut lists.asked;
    listed(asked_rays, rays.iter().copied());
    with_filter(filter, |filter| {
        world.rays_all(asked_rays, filter, many_rays);
        Ok(())
    })?;
    Ok((ends_of(many_rays, &mut lists.ends), listed(&mut lists.rays, many_rays.all())))
}

pub(crate) fn world_casts_all<'w>(
    world: &'w mut World,
    casts: &[c::Cast],
    filter: Option<&QueryFilter>,
) -> Result<(&'w [usize], &'w [c::CastAnswer])> {
    let shapes = casts.iter().map(|cast| shape(&cast.geometry)).collect::<Result<Vec<Shape>>>()?;
    let asked: Vec<ShapeCast> =
        casts.iter().zip(&shapes).map(|(cast, shape)| cast_of(cast, shape)).collect();
    let World { world, lists } = world;
    let many_casts = &mut lists.asked.many_casts;
    with_filter(filter, |filter| {
        world.casts_all(&asked, filter, many_casts);
        Ok(())
    })?;
    Ok((ends_of(many_casts, &mut lists.ends), listed(&mut lists.casts, many_casts.all())))
}

pub(crate) fn world_overlap_shapes<'w>(
    world: &'w mut World,
    places: &[c::Placed],
    filter: Option<&QueryFilter>,
) -> Result<(&'w [usize], &'w [c::OverlapAnswer])> {
    let shapes = places.iter().map(|it| shape(&it.geometry)).collect::<Result<Vec<Shape>>>()?;
    let placed = |(it, shape)| {
        let it: &c::Placed = it;
        PlacedShape { shape, position: it.place.into(), rotation: Rot::from_angle(it.angle) }
    };
    let asked: Vec<PlacedShape> = places.iter().zip(&shapes).map(placed).collect();
    let World { world, lists } = world;
    let many_overlaps = &mut lists.asked.many_overlaps;
    with_filter(filter, |filter| {
        world.overlap_shapes(&asked, filter, many_overlaps);
        Ok(())
    })?;
    Ok((ends_of(many_overlaps, &mut lists.ends), listed(&mut lists.overlaps, many_overlaps.all())))
}

pub(crate) fn world_overlap_points<'w>(
    world: &'w mut World,
    points: &[c::Point],
    filter: Option<&QueryFilter>,
) -> Result<(&'w [usize], &'w [c::OverlapAnswer])> {
    let World { world, lists } = world;
    let Asked { asked_points, many_overlaps, .. } = &mut lists.asked;
    listed(asked_points, points.iter().copied());
    with_filter(filter, |filter| {
        world.overlap_points(asked_points, filter, many_overlaps);
        Ok(())
    })?;
    Ok((ends_of(many_overlaps, &mut lists.ends), listed(&mut lists.overlaps, many_overlaps.all())))
}

pub(crate) fn world_nearest_few_to_points<'w>(
    world: &'w mut World,
    points: &[c::Point],
    max_distance: f32,
    count: usize,
    filter: Option<&QueryFilter>,
) -> Result<(&'w [usize], &'w [c::NearestAnswer])> {
    let World { world, lists } = world;
    let Asked { asked_points, many_nearest, .. } = &mut lists.asked;
    listed(asked_points, points.iter().copied());
    with_filter(filter, |filter| {
        world.nearest_few_to_points(asked_points, max_distance, count, filter, many_nearest);
        Ok(())
    })?;
    Ok((ends_of(many_nearest, &mut lists.ends), listed(&mut lists.nearest, many_nearest.all())))
}
