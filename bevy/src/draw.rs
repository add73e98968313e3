//! Transforms: of what moved, blended between the last two steps; and entities that lost their
//! bodies.
//!
//! In: worlds, and how far the frame lies between two steps. Out: `Transform` of every body that is
//! drawn at another place than in the frame before. A body that neither moved, nor was moved by a
//! call, nor has a parent that moved, costs nothing.
//!
//! ```text
//!   moved in the last step     drawn at alpha on its way, in every frame
//!   moved before, not now      drawn once more, where it came to rest
//!   changed by a call          drawn once, where it stands
//!   below a parent that moved  drawn where it was, by another `Transform`
//! ```

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Mut, Ref, Res, ResMut};
use bevy_ecs::entity::{Entity, EntityHashMap, EntityHashSet};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::Has;
use bevy_ecs::system::{Commands, Local, Query, SystemParam};
use bevy_math::Affine3A;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use carom::{BodyId, Pose};

use crate::body::RigidBody;
use crate::family::{self, Frame};
use crate::message::{BodyAppeared, BodyLost};
use crate::world::{Before, PhysicsWorld, WorldKey, Worlds, pose_of};

/// Entities as the world sees them.
#[derive(SystemParam)]
pub(crate) struct Scene<'w, 's> {
    transforms: Query<'w, 's, (&'static mut Transform, Has<ChildOf>)>,
    parents: Query<'w, 's, &'static ChildOf>,
    children: Query<'w, 's, (Entity, Ref<'static, ChildOf>, &'static RigidBody)>,
    bodies: Query<'w, 's, (Entity, &'static RigidBody)>,
    orphans: RemovedComponents<'w, 's, ChildOf>,
}

/// Tells who lost whom.
#[derive(SystemParam)]
pub(crate) struct News<'w, 's> {
    commands: Commands<'w, 's>,
    lost: MessageWriter<'w, BodyLost>,
    appeared: MessageWriter<'w, BodyAppeared>,
}

/// What is kept between frames.
#[derive(Default)]
pub(crate) struct Memory {
    /// Where parents stood.
    frames: EntityHashMap<Affine3A>,
    /// Bodies below a parent, those nearest to the root first.
    family: Vec<Member>,
    /// By place of a body: the number of the frame in which it was drawn on its way.
    drawn: Vec<u64>,
    frame: u64,
}

/// A body below a parent.
struct Member {
    depth: usize,
    parent: Entity,
    entity: Entity,
    place: (WorldKey, BodyId),
    /// Whether it is to be drawn even if its parent stands where it stood.
    moved: bool,
}

pub(crate) fn draw(
    mut worlds: ResMut<Worlds>,
    time: Option<Res<Time<Fixed>>>,
    mut scene: Scene,
    mut news: News,
    mut memory: Local<Memory>,
) {
    let alpha = time.map_or(1.0, |time| time.overstep_fraction());
    let mut compare = worlds.any_gone;
    let mut below = EntityHashSet::default();
    for (_, world) in worlds.iter_mut() {
        notice_strange_steps(world);
        compare |= !matches!(world.drawing.before, Before::Same);
        draw_moved(world, alpha, &mut scene, &mut memory, &mut below);
    }
    if compare {
        compare_bodies(&mut worlds, &scene, &mut news);
    }
    draw_orphans(&worlds, &mut scene);
    if !scene.children.is_empty() {
        draw_children(&worlds, &mut scene, &mut memory, &below);
    }
}

/// Somebody stepped or loaded the world by a call of `World` itself: anything may be different.
fn notice_strange_steps(world: &mut PhysicsWorld) {
    let step = world.step_count();
    if world.drawing.step != step {
        world.drawing.step = step;
        world.drawing.everything = true;
        world.drawing.before = Before::Unknown;
    }
}

/// Draws what moved by itself or by a call. What has a parent is only noted, in `below`.
fn draw_moved(
    physics: &mut PhysicsWorld,
    alpha: f32,
    scene: &mut Scene,
    memory: &mut Memory,
    below: &mut EntityHashSet,
) {
    let paused = physics.is_paused();
    let PhysicsWorld { world, owners, drawing, origin, .. } = physics;
    let (poses, mut due) = (&mut drawing.poses, core::mem::take(&mut drawing.unsettled));
    let mut show = |id: BodyId, pose: Pose| {
        let Some((_, entity)) = owners.get(id.index()).copied().flatten().filter(|owner| owner.0 == id)
        else {
            return;
        };
        poses[id.index()] = pose;
        match scene.transforms.get_mut(entity) {
            Ok((mut transform, false)) => put(&mut transform, Frame::Alone, pose),
            Ok((_, true)) => drop(below.insert(entity)),
            Err(_) => {}
        }
    };
    memory.frame += 1;
    let frame = memory.frame;
    let drawn = &mut memory.drawn;
    drawn.resize(drawn.len().max(owners.len()), 0);
    let everything = core::mem::take(&mut drawing.everything);
    // A world that stands still is drawn as it was. Alpha goes on, and would move it to and fro.
    if !paused || everything {
        for (id, pose) in world.moved_poses(*origin, if paused { 1.0 } else { alpha }) {
            if let Some(drawn) = drawn.get_mut(id.index()) {
                *drawn = frame;
                drawing.unsettled.push(id);
                show(id, pose);
            }
        }
    }
    if paused {
        drawing.unsettled.append(&mut due);
    }
    if everything {
        due.extend(owners.iter().flatten().map(|&(id, _)| id));
    }
    for id in due.iter().copied().chain(world.edited_bodies()) {
        if drawn.get(id.index()) != Some(&frame)
            && let Some(pose) = pose_of(world, *origin, id)
        {
            show(id, pose);
        }
    }
    drawing.stepped = false;
}

/// Entities whose bodies went when their world became another one, and bodies that came without an
/// entity.
fn compare_bodies(worlds: &mut Worlds, scene: &Scene, news: &mut News) {
    for (entity, body) in &scene.bodies {
        let Some((key, id)) = body.place() else { continue };
        let is_lost = worlds.get(key).is_none_or(|world| {
            !world.belongs(id, entity)
                && match &world.drawing.before {
                    Before::Same => false,
                    Before::Unknown => true,
                    Before::Of(bodies) => bodies.binary_search(&id).is_ok(),
                }
        });
        if is_lost {
            news.commands.entity(entity).try_despawn();
            news.lost.write(BodyLost { entity, world: key, body: id });
        }
    }
    worlds.any_gone = false;
    for (key, world) in worlds.iter_mut() {
        if let Before::Of(bodies) = core::mem::take(&mut world.drawing.before) {
            let is_new = |id| bodies.binary_search(&id).is_err() && world.owner(id).is_none();
            let new = world.bodies().filter(|&(id, _)| is_new(id));
            let told =
                new.map(|(id, body)| BodyAppeared { world: key, body: id, user_data: body.user_data() });
            news.appeared.write_batch(told);
        }
    }
}

/// Bodies whose entities have no parent any more: their `Transform` was below it.
fn draw_orphans(worlds: &Worlds, scene: &mut Scene) {
    for entity in scene.orphans.read() {
        let place = scene.bodies.get(entity).ok().and_then(|(_, body)| body.place());
        let pose = place.and_then(|place| pose_drawn(worlds, place));
        if let (Some(pose), Ok((mut transform, false))) = (pose, scene.transforms.get_mut(entity)) {
            put(&mut transform, Frame::Alone, pose);
        }
    }
}

/// Bodies below parents: those that moved, and those whose parents did. From the root down, for a
/// parent may be a body itself.
fn draw_children(worlds: &Worlds, scene: &mut Scene, memory: &mut Memory, below: &EntityHashSet) {
    let parent_of = |entity| scene.parents.get(entity).ok().map(ChildOf::parent);
    let family = &mut memory.family;
    family.clear();
    for (entity, child_of, body) in &scene.children {
        let (Some(place), parent) = (body.place(), child_of.parent()) else { continue };
        // Children of one parent mostly come one after the other.
        let sibling = family.last().filter(|last: &&Member| last.parent == parent);
        let depth = sibling.map_or_else(|| family::depth(entity, parent_of), |last| last.depth);
        let moved = child_of.is_changed() || (!below.is_empty() && below.contains(&entity));
        family.push(Member { depth, parent, entity, place, moved });
    }
    family.sort_by_key(|member| member.depth);
    let mut frames = EntityHashMap::default();
    let mut at = None;
    for member in family {
        let (frame, went) = match at {
            Some((parent, frame, went)) if parent == member.parent => (frame, went),
            _ => {
                let transform = |entity| scene.transforms.get(entity).ok().map(|(transform, _)| *transform);
                let frame = family::global(member.parent, transform, parent_of);
                (frame, memory.frames.get(&member.parent) != Some(&frame))
            }
        };
        frames.insert(member.parent, frame);
        at = Some((member.parent, frame, went));
        if (went || member.moved)
            && let Some(pose) = pose_drawn(worlds, member.place)
            && let Ok((mut transform, _)) = scene.transforms.get_mut(member.entity)
        {
            put(&mut transform, |local| Frame::Below(frame, local), pose);
        }
    }
    memory.frames = frames;
}

/// Where a body was drawn last.
fn pose_drawn(worlds: &Worlds, (key, id): (WorldKey, BodyId)) -> Option<Pose> {
    let pose = worlds.get(key)?.drawing.poses.get(id.index())?;
    Some(*pose).filter(Pose::is_somewhere)
}

/// Writes a `Transform`, if it says something else: whoever waits for changes is not woken for
/// nothing.
fn put(transform: &mut Mut<Transform>, frame: impl Fn(Transform) -> Frame, pose: Pose) {
    if let Some(followed) = frame(**transform).followed(pose) {
        transform.set_if_neq(followed);
    }
}
