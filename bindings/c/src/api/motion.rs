//! Bodies: moved, pushed and changed.

use carom::{Locks, Vec2};

use super::World;
use crate::convert::kind;
use crate::failure::{Failure, Result};
use crate::types as c;
use crate::types::{Body, Point, status};

pub(crate) fn body_teleport(world: &mut World, body: Body, place: Point) -> Result<()> {
    Ok(world.world.teleport(body.id()?, place, None)?)
}

pub(crate) fn body_teleport_turned(
    world: &mut World,
    body: Body,
    place: Point,
    angle: f32,
) -> Result<()> {
    Ok(world.world.teleport(body.id()?, place, angle)?)
}

pub(crate) fn body_move_to(world: &mut World, body: Body, place: Point) -> Result<()> {
    Ok(world.world.move_to(body.id()?, place, None)?)
}

pub(crate) fn body_move_to_turned(
    world: &mut World,
    body: Body,
    place: Point,
    angle: f32,
) -> Result<()> {
    Ok(world.world.move_to(body.id()?, place, angle)?)
}

#[inline]
pub(crate) fn body_set_velocity(world: &mut World, body: Body, velocity: c::Vec2) -> Result<()> {
    Ok(world.world.set_velocity(body.id()?, velocity)?)
}

pub(crate) fn body_set_spin(world: &mut World, body: Body, spin: f32) -> Result<()> {
    Ok(world.world.set_angular_velocity(body.id()?, spin)?)
}

#[inline]
pub(crate) fn body_apply_force(world: &mut World, body: Body, force: c::Vec2) -> Result<()> {
    Ok(world.world.apply_force(body.id()?, force)?)
}

pub(crate) fn body_apply_force_at(
    world: &mut World,
    body: Body,
    force: c::Vec2,
    place: Point,
) -> Result<()> {
    Ok(world.world.apply_force_at(body.id()?, force, place)?)
}

pub(crate) fn body_apply_torque(world: &mut World, body: Body, torque: f32) -> Result<()> {
    Ok(world.world.apply_torque(body.id()?, torque)?)
}

pub(crate) fn body_apply_impulse(world: &mut World, body: Body, impulse: c::Vec2) -> Result<()> {
    Ok(world.world.apply_impulse(body.id()?, impulse)?)
}

pub(crate) fn body_apply_impulse_at(
    world: &mut World,
    body: Body,
    impulse: c::Vec2,
    place: Point,
) -> Result<()> {
    Ok(world.world.apply_impulse_at(body.id()?, impulse, place)?)
}

pub(crate) fn body_apply_spin_impulse(world: &mut World, body: Body, impulse: f32) -> Result<()> {
    Ok(world.world.apply_angular_impulse(body.id()?, impulse)?)
}

pub(crate) fn body_set_lasting_force(
    world: &mut World,
    body: Body,
    force: c::Vec2,
    torque: f32,
) -> Result<()> {
    Ok(world.world.set_lasting_force(body.id()?, force, torque)?)
}

pub(crate) fn body_set_kind(world: &mut World, body: Body, to: c::BodyKind) -> Result<()> {
    Ok(world.world.set_kind(body.id()?, kind(to)?)?)
}

pub(crate) fn body_set_enabled(world: &mut World, body: Body, enabled: bool) -> Result<()> {
    Ok(world.world.set_enabled(body.id()?, enabled)?)
}

pub(crate) fn body_set_locks(
    world: &mut World,
    body: Body,
    x: bool,
    y: bool,
    rotation: bool,
) -> Result<()> {
    Ok(world.world.set_locks(body.id()?, Locks { x, y, rotation })?)
}

pub(crate) fn body_set_mass(world: &mut World, body: Body, mass: Option<&c::Mass>) -> Result<()> {
    Ok(world.world.set_mass(body.id()?, mass.copied().map(carom::Mass::from))?)
}

pub(crate) fn body_set_gravity_scale(world: &mut World, body: Body, scale: f32) -> Result<()> {
    Ok(world.world.set_gravity_scale(body.id()?, scale)?)
}

pub(crate) fn body_set_gravity(
    world: &mut World,
    body: Body,
    gravity: Option<&c::Vec2>,
) -> Result<()> {
    Ok(world.world.set_gravity_of(body.id()?, gravity.copied().map(Vec2::from))?)
}

pub(crate) fn body_set_max_speed(world: &mut World, body: Body, speed: f32) -> Result<()> {
    Ok(world.world.set_max_speed_of(body.id()?, speed)?)
}

pub(crate) fn body_set_damping(
    world: &mut World,
    body: Body,
    linear: f32,
    angular: f32,
) -> Result<()> {
    Ok(world.world.set_damping(body.id()?, linear, angular)?)
}

pub(crate) fn body_set_dominance(world: &mut World, body: Body, dominance: i32) -> Result<()> {
    let dominance = i8::try_from(dominance)
        .map_err(|_| Failure::Rule(status::BAD_NUMBER, "dominance is -128 to 127"))?;
    Ok(world.world.set_dominance(body.id()?, dominance)?)
}

pub(crate) fn body_set_can_sleep(world: &mut World, body: Body, can: bool) -> Result<()> {
    Ok(world.world.set_can_sleep(body.id()?, can)?)
}

pub(crate) fn body_wake_up(world: &mut World, body: Body) -> Result<()> {
    Ok(world.world.wake_up(body.id()?)?)
}

pub(crate) fn body_put_to_sleep(world: &mut World, body: Body) -> Result<()> {
    Ok(world.world.put_to_sleep(body.id()?)?)
}

pub(crate) fn body_break_welds(world: &mut World, body: Body) -> Result<()> {
    Ok(world.world.break_welds(body.id()?)?)
}

pub(crate) fn body_set_user_data(world: &mut World, body: Body, user_data: u64) -> Result<()> {
    Ok(world.world.set_user_data(body.id()?, user_data)?)
}
