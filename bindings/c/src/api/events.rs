//! Events of the last step, contacts, poses and lines.

use carom::{Color, DebugDraw, DrawOptions, Vec2};

use super::{World, listed};
use crate::convert::line_color;
use crate::failure::Result;
use crate::types as c;

pub(crate) fn world_begun(world: &mut World) -> Result<&[c::Touch]> {
    Ok(listed(&mut world.lists.begun, world.world.events().begun()))
}

pub(crate) fn world_ended(world: &mut World) -> Result<&[c::Touch]> {
    Ok(listed(&mut world.lists.ended, world.world.events().ended()))
}

pub(crate) fn world_hits(world: &mut World) -> Result<&[c::Hit]> {
    Ok(listed(&mut world.lists.hits, world.world.events().hits()))
}

pub(crate) fn world_entered(world: &mut World) -> Result<&[c::SensorEvent]> {
    Ok(listed(&mut world.lists.entered, world.world.events().entered()))
}

pub(crate) fn world_left(world: &mut World) -> Result<&[c::SensorEvent]> {
    Ok(listed(&mut world.lists.left, world.world.events().left()))
}

pub(crate) fn world_slept(world: &mut World) -> Result<&[c::Body]> {
    Ok(listed(&mut world.lists.slept, world.world.events().slept().iter().copied()))
}

pub(crate) fn world_woken(world: &mut World) -> Result<&[c::Body]> {
    Ok(listed(&mut world.lists.woken, world.world.events().woken().iter().copied()))
}

pub(crate) fn world_broken(world: &mut World) -> Result<&[c::JointBreak]> {
    Ok(listed(&mut world.lists.broken, world.world.events().broken()))
}

pub(crate) fn world_lost(world: &mut World) -> Result<&[c::JointLoss]> {
    Ok(listed(&mut world.lists.lost, world.world.events().lost()))
}

pub(crate) fn world_frozen(world: &mut World) -> Result<&[c::Freeze]> {
    Ok(listed(&mut world.lists.frozen, world.world.events().frozen()))
}

pub(crate) fn world_contacts(world: &mut World) -> Result<&[c::Contact]> {
    let contacts = world.world.contacts().map(|contact| c::Contact::from(&contact));
    Ok(listed(&mut world.lists.contacts, contacts))
}

pub(crate) fn body_contacts(world: &mut World, body: c::Body) -> Result<&[c::Contact]> {
    let (id, _) = world.body(body)?;
    let contacts = world.world.contacts_of_body(id).map(|contact| c::Contact::from(&contact));
    Ok(listed(&mut world.lists.contacts, contacts))
}

pub(crate) fn world_poses(world: &mut World, alpha: f32) -> Result<&[c::Pose]> {
    Ok(bytemuck::cast_slice(world.world.poses_at(alpha)))
}

pub(crate) fn world_poses_from(
    world: &mut World,
    origin: c::Point,
    alpha: f32,
) -> Result<&[c::Pose]> {
    Ok(bytemuck::cast_slice(world.world.poses_from(origin, alpha)))
}

pub(crate) fn world_moved(world: &mut World) -> Result<&[c::Moved]> {
    let moved = world.world.moved();
    Ok(listed(&mut world.lists.moved, moved.iter()))
}

/// Lines that a world draws.
struct Lines<'l>(&'l mut Vec<c::Line>);

impl DebugDraw for Lines<'_> {
    fn line(&mut self, a: Vec2, b: Vec2, color: Color) {
        self.0.push(c::Line { a: a.into(), b: b.into(), color: line_color(color) });
    }
}

pub(crate) fn world_lines<'w>(
    world: &'w mut World,
    options: Option<&c::DrawOptions>,
) -> Result<&'w [c::Line]> {
    let own = options.copied().unwrap_or_default();
    let options = DrawOptions {
        origin: own.origin.into(),
        shapes: own.shapes != 0,
        boxes: own.boxes != 0,
        grid: own.grid != 0,
        contacts: own.contacts != 0,
        impulses: own.impulses != 0,
        joints: own.joints != 0,
        velocities: own.velocities != 0,
        centers: own.centers != 0,
        ..DrawOptions::none()
    };
    let World { world, lists } = world;
    lists.lines.clear();
    world.draw(&mut Lines(&mut lists.lines), &options);
    Ok(&lists.lines)
}
