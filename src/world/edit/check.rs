//! Rules of definitions and numbers from the game, which calls check before they change anything.
//!
//! In: a definition, a number. Out: nothing, or the error that names the rule.

use glam::Vec2;

use crate::body::def::Weight;
use crate::body::{BodyDef, BodyKind, ShapeDef};
use crate::error::Error;
use crate::math::WorldPoint;
use crate::shape::{Mass, Shape, ShapeError};
use crate::step::finish::quarantine::is_home;
use crate::tuning::{MAX_SIZE, MIN_DYNAMIC_SIZE};
use crate::world::WorldDef;
use crate::world::store::own_laws::OwnLaw;
use crate::world::tiles::MOST_MOVING;

/// Refuses a number that is not finite or too large.
pub(crate) fn check(values: &[f32], rule: &'static str) -> Result<(), Error> {
    let ok = values.iter().all(|x| x.abs() <= MAX_SIZE);
    if ok { Ok(()) } else { Err(Error::BadNumber(rule)) }
}

/// Refuses a number below 0 as well.
pub(crate) fn check_size(value: f32, rule: &'static str) -> Result<(), Error> {
    check(&[value], rule)?;
    if value >= 0.0 { Ok(()) } else { Err(Error::BadNumber(rule)) }
}

pub(crate) fn check_shape(def: &ShapeDef) -> Result<(), Error> {
    if let Shape::Invalid(error) = def.shape {
        return Err(error.into());
    }
    def.material.checked()?;
    for material in &def.part_materials {
        material.checked()?;
    }
    match def.weight {
        Weight::Density(x) => check_size(x, "a density must be 0 or more, and at most 1e9")?,
        Weight::Mass(x) => check_size(x, "a mass must be 0 or more, and at most 1e9")?,
    }
    let direction = def.one_way.unwrap_or(Vec2::Y);
    check(&direction.to_array(), "a one-way direction must be finite")?;
    if direction.length() < 1.0e-6 {
        return Err(Error::BadNumber("a one-way direction must have a length"));
    }
    Ok(())
}

/// Refuses solid shapes that a dynamic body cannot have: a chain, as it has no thickness, mass or
/// inside; and a shape so small that it falls many times its size in a step.
pub(super) fn check_dynamic(
    (is_dynamic, unit): (bool, f32),
    shape: &Shape,
    sensor: bool,
) -> Result<(), Error> {
    if !is_dynamic || sensor {
        return Ok(());
    }
    if matches!(shape, Shape::Chain(_)) {
        return Err(Error::DynamicChain);
    }
    if 2.0 * shape.bounding_circle().radius < MIN_DYNAMIC_SIZE * unit {
        return Err(Error::BadNumber(
            "a solid shape of a dynamic body must be at least 1 mm across: scale the world up",
        ));
    }
    Ok(())
}

/// Refuses a tile map of more cells than a body that moves can have.
pub(super) fn check_cells(moves: bool, shape: &Shape) -> Result<(), Error> {
    let is_too_large = moves && shape.tile_map().is_some_and(|map| map.solid_count() > MOST_MOVING);
    if is_too_large { Err(ShapeError::TooManyParts.into()) } else { Ok(()) }
}

pub(super) fn check_mass(mass: &Mass, world: &WorldDef) -> Result<(), Error> {
    check_reach(mass.center.length(), world)?;
    check_size(mass.mass, "a mass must be 0 or more, and at most 1e9")?;
    check_size(mass.inertia, "a rotational inertia must be 0 or more, and at most 1e9")?;
    check(&mass.center.to_array(), "a centre of mass must be finite, and within 1e9")
}

/// Refuses a position outside the world.
pub(crate) fn check_place(point: WorldPoint) -> Result<(), Error> {
    let rule = "a position must be finite, and within 2.19e12 m of the origin";
    if is_home(point) { Ok(()) } else { Err(Error::BadNumber(rule)) }
}

/// Refuses a shape that reaches too far from the origin of its body in a world that wraps round: it
/// might meet two images of one body.
pub(crate) fn check_extent(shape: &Shape, world: &WorldDef) -> Result<(), Error> {
    if world.period().is_none() {
        return Ok(());
    }
    let circle = shape.bounding_circle();
    check_reach(circle.center.length() + circle.radius, world)
}

/// Refuses a shape or centre of mass too far from the origin of its body in a world that wraps
/// round.
pub(crate) fn check_reach(reach: f32, world: &WorldDef) -> Result<(), Error> {
    if world.period().is_none() || reach <= world.period().least() / 16.0 {
        return Ok(());
    }
    Err(Error::BadNumber(
        "where a world wraps round, nothing of a body may be farther than a sixteenth of the period from its origin",
    ))
}

pub(super) fn check_body(def: &BodyDef, world: &WorldDef) -> Result<(), Error> {
    check_place(def.position)?;
    check(&[def.angle], "an angle must be finite, and at most 1e9")?;
    check(&def.linear_velocity.to_array(), "a velocity must be finite, and at most 1e9")?;
    check(&[def.angular_velocity], "a velocity must be finite, and at most 1e9")?;
    check_size(def.linear_damping, "damping must be 0 or more, and at most 1e9")?;
    check_size(def.angular_damping, "damping must be 0 or more, and at most 1e9")?;
    check(&[def.gravity_scale], "a gravity scale must be finite, and at most 1e9")?;
    OwnLaw::of(def).check()?;
    def.mass.iter().try_for_each(|mass| check_mass(mass, world))?;
    let is_dynamic = def.kind == BodyKind::Dynamic;
    def.shapes.iter().try_for_each(|shape| {
        check_shape(shape)?;
        check_cells(def.kind != BodyKind::Fixed, &shape.shape)?;
        check_extent(&shape.shape, world)?;
        check_dynamic((is_dynamic, world.unit), &shape.shape, shape.sensor)
    })
}
