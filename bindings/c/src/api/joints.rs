//! Joints of all kinds.

use carom::{JointDef, Motor};

use super::{World, listed};
use crate::convert::joint_def;
use crate::failure::Result;
use crate::types as c;
use crate::types::Joint;

pub(crate) fn joint_add(world: &mut World, def: &c::JointDef) -> Result<Joint> {
    Ok(world.world.add_joint(def.try_into()?)?.into())
}

pub(crate) fn joint_remove(world: &mut World, joint: Joint) -> Result<()> {
    Ok(world.world.remove_joint(joint.id()?)?)
}

pub(crate) fn joint_exists(world: &World, joint: Joint) -> Result<bool> {
    Ok(joint.id().is_ok_and(|id| world.world.get_joint(id).is_some()))
}

pub(crate) fn joint_get_def(world: &World, joint: Joint) -> Result<c::JointDef> {
    joint_def(world.joint(joint)?.1.def())
}

pub(crate) fn joint_change(world: &mut World, joint: Joint, def: &c::JointDef) -> Result<()> {
    let def = JointDef::try_from(def)?;
    Ok(world.world.change_joint(joint.id()?, |own| *own = def)?)
}

pub(crate) fn joint_read(world: &World, joint: Joint) -> Result<c::JointState> {
    let (id, _) = world.joint(joint)?;
    let state = world.world.joint_state(id).ok_or(carom::Error::NoSuchJoint(id))?;
    Ok(c::JointState::from(&state))
}

pub(crate) fn joint_set_motor(
    world: &mut World,
    joint: Joint,
    motor: Option<&c::Motor>,
) -> Result<()> {
    Ok(world.world.set_motor(joint.id()?, motor.copied().map(Motor::from))?)
}

pub(crate) fn joint_set_target(world: &mut World, joint: Joint, target: f32) -> Result<()> {
    Ok(world.world.set_target(joint.id()?, target)?)
}

pub(crate) fn joint_drag_to(world: &mut World, joint: Joint, place: c::Point) -> Result<()> {
    Ok(world.world.drag_to(joint.id()?, place)?)
}

pub(crate) fn joint_set_enabled(world: &mut World, joint: Joint, enabled: bool) -> Result<()> {
    Ok(world.world.set_joint_enabled(joint.id()?, enabled)?)
}

pub(crate) fn joints(world: &mut World) -> Result<&[Joint]> {
    Ok(listed(&mut world.lists.joints, world.world.joints().map(|(id, _)| id)))
}
