//! A world as a whole.

use carom::{BodyId, JointId, ShapeId, WorldPoint};

use crate::failure::{Failure, Result};
use crate::types as c;
use crate::types::status;

/// A world, and the lists that it hands out.
#[derive(Debug, Default)]
pub struct World {
    pub(crate) world: carom::World,
    pub(crate) lists: Lists,
}

/// Lists in C's form, each filled by the calls that hand it out.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) bodies: Vec<c::Body>,
    pub(crate) shapes: Vec<c::Shape>,
    pub(crate) joints: Vec<c::Joint>,
    pub(crate) begun: Vec<c::Touch>,
    pub(crate) ended: Vec<c::Touch>,
    pub(crate) hits: Vec<c::Hit>,
    pub(crate) entered: Vec<c::SensorEvent>,
    pub(crate) left: Vec<c::SensorEvent>,
    pub(crate) slept: Vec<c::Body>,
    pub(crate) woken: Vec<c::Body>,
    pub(crate) broken: Vec<c::JointBreak>,
    pub(crate) lost: Vec<c::JointLoss>,
    pub(crate) frozen: Vec<c::Freeze>,
    pub(crate) contacts: Vec<c::Contact>,
    pub(crate) moved: Vec<c::Moved>,
    pub(crate) lines: Vec<c::Line>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) ends: Vec<usize>,
    pub(crate) any: Vec<u8>,
    pub(crate) rays: Vec<c::RayAnswer>,
    pub(crate) casts: Vec<c::CastAnswer>,
    pub(crate) overlaps: Vec<c::OverlapAnswer>,
    pub(crate) nearest: Vec<c::NearestAnswer>,
    pub(crate) asked: crate::api::queries::Asked,
}

impl World {
    pub(crate) fn body(&self, body: c::Body) -> Result<(BodyId, &carom::Body)> {
        let id = body.id()?;
        Ok((id, self.world.get(id).ok_or(carom::Error::NoSuchBody(id))?))
    }

    pub(crate) fn shape(&self, shape: c::Shape) -> Result<(ShapeId, &carom::Collider)> {
        let id = shape.id()?;
        Ok((id, self.world.get_shape(id).ok_or(carom::Error::NoSuchShape(id))?))
    }

    pub(crate) fn joint(&self, joint: c::Joint) -> Result<(JointId, &carom::Joint)> {
        let id = joint.id()?;
        Ok((id, self.world.get_joint(id).ok_or(carom::Error::NoSuchJoint(id))?))
    }
}

pub(crate) fn world_new(def: Option<&c::WorldDef>) -> Result<World> {
    let world = match def {
        None => carom::World::default(),
        Some(def) => carom::World::try_new(def.into())?,
    };
    Ok(World { world, lists: Lists::default() })
}

pub(crate) fn world_clone(world: &World) -> Result<World> {
    Ok(World { world: world.world.clone(), lists: Lists::default() })
}

pub(crate) fn world_copy(world: &mut World, from: &World) -> Result<()> {
    world.world.clone_from(&from.world);
    Ok(())
}

#[inline]
pub(crate) fn world_step(world: &mut World, dt: f32) -> Result<c::StepStats> {
    Ok((&world.world.step(dt)?).into())
}

pub(crate) fn world_get_def(world: &World) -> Result<c::WorldDef> {
    Ok(world.world.def().into())
}

pub(crate) fn world_set_def(world: &mut World, def: &c::WorldDef) -> Result<()> {
    Ok(world.world.set_def(def.into())?)
}

pub(crate) fn world_set_gravity(world: &mut World, gravity: c::Vec2) -> Result<()> {
    Ok(world.world.set_gravity(gravity)?)
}

pub(crate) fn world_step_count(world: &World) -> Result<u64> {
    Ok(world.world.step_count())
}

pub(crate) fn world_body_count(world: &World) -> Result<u64> {
    Ok(world.world.body_count() as u64)
}

pub(crate) fn world_joint_count(world: &World) -> Result<u64> {
    Ok(world.world.joint_count() as u64)
}

pub(crate) fn world_explode(
    world: &mut World,
    center: c::Point,
    radius: f32,
    impulse: f32,
    falloff: f32,
) -> Result<()> {
    Ok(world.world.explode(center, radius, impulse, falloff)?)
}

pub(crate) fn world_validate(world: &World) -> Result<()> {
    world.world.validate().map_err(|rule| Failure::Told(status::INVALID, rule))
}

pub(crate) fn world_nearest_image(world: &World, of: c::Point, to: c::Point) -> Result<c::Point> {
    Ok(world.world.nearest_image(WorldPoint::from(of), WorldPoint::from(to)).into())
}
