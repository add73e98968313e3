//! Worlds, and which entity each of their bodies belongs to.
//!
//! In: bodies of entities, steps, and calls of systems. Out: a `World` that can be used as such,
//! with what Bevy needs to know on top: owners, what is yet to be drawn, the last steps for
//! rollback.

use core::ops::{Deref, DerefMut};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use carom::{BodyDef, BodyId, Error, LoadError, Pose, Ring, Vec2, World, WorldDef, WorldPoint};

/// Names one of several worlds. Never used again for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorldKey(u32);

impl WorldKey {
    /// The world that is always there, and in which bodies are unless [`InWorld`](crate::InWorld)
    /// says otherwise.
    pub const MAIN: WorldKey = WorldKey(0);
}

/// All worlds, by their keys.
#[derive(Resource, Debug)]
pub(crate) struct Worlds {
    worlds: Vec<Option<PhysicsWorld>>,
    /// Whether a world went since entities were last compared with worlds.
    pub(crate) any_gone: bool,
}

impl Worlds {
    pub(crate) fn new(def: WorldDef) -> Worlds {
        Worlds { worlds: vec![Some(PhysicsWorld::new(World::new(def)))], any_gone: false }
    }

    pub(crate) fn add(&mut self, world: World) -> WorldKey {
        self.worlds.push(Some(PhysicsWorld::new(world)));
        WorldKey(self.worlds.len() as u32 - 1)
    }

    pub(crate) fn remove(&mut self, key: WorldKey) -> Option<World> {
        if key == WorldKey::MAIN {
            return None;
        }
        let gone = self.worlds.get_mut(key.0 as usize)?.take()?;
        self.any_gone = true;
        Some(gone.world)
    }

    pub(crate) fn get(&self, key: WorldKey) -> Option<&PhysicsWorld> {
        self.worlds.get(key.0 as usize)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, key: WorldKey) -> Option<&mut PhysicsWorld> {
        self.worlds.get_mut(key.0 as usize)?.as_mut()
    }

    #[expect(clippy::expect_used, reason = "the main world is made first and never removed")]
    pub(crate) fn main(&self) -> &PhysicsWorld {
        self.get(WorldKey::MAIN).expect("the main world stays")
    }

    #[expect(clippy::expect_used, reason = "the main world is made first and never removed")]
    pub(crate) fn main_mut(&mut self) -> &mut PhysicsWorld {
        self.get_mut(WorldKey::MAIN).expect("the main world stays")
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (WorldKey, &mut PhysicsWorld)> {
        (0..).map(WorldKey).zip(&mut self.worlds).filter_map(|(key, world)| Some((key, world.as_mut()?)))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = WorldKey> {
        (0..).map(WorldKey).zip(&self.worlds).filter(|(_, world)| world.is_some()).map(|(key, _)| key)
    }
}

/// A world of the physics, and which entities its bodies belong to. Can be used as a
/// [`carom::World`].
///
/// Everything that a `World` can do may be done to it at any time. The plugin makes its steps, so
/// there is no need to; and [`save`](PhysicsWorld::save), [`load`](PhysicsWorld::load) and
/// [`roll_back`](PhysicsWorld::roll_back) are to be used in place of `World`'s own, for they bring
/// entities along.
#[derive(Debug)]
pub struct PhysicsWorld {
    pub(crate) world: World,
    /// By place of a body: whose it is. A body that is gone stays until another takes its place.
    pub(crate) owners: Vec<Option<(BodyId, Entity)>>,
    /// Owners whose places were taken since the last step: events may still name their bodies.
    former: Vec<(BodyId, Entity)>,
    pub(crate) drawing: Drawing,
    pub(crate) origin: WorldPoint,
    paused: bool,
    ring: Option<(Ring, usize)>,
    /// Length of the last step, in seconds.
    pub(crate) dt: f32,
}

/// What is yet to be drawn.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    /// By place of a body: where it was drawn last.
    pub(crate) poses: Vec<Pose>,
    /// Bodies that were in motion when they were drawn last, or are to be drawn for another reason.
    pub(crate) unsettled: Vec<BodyId>,
    /// Whether the last step has not been drawn.
    pub(crate) stepped: bool,
    /// Whether any body may be somewhere else.
    pub(crate) everything: bool,
    pub(crate) before: Before,
    /// The number of the step that the world should be at.
    pub(crate) step: u64,
}

/// Which bodies there were before the world became another one, if it did since entities were
/// compared with it.
#[derive(Debug, Default)]
pub(crate) enum Before {
    /// It is the same world.
    #[default]
    Same,
    /// These, sorted.
    Of(Vec<BodyId>),
    /// Nobody told that it became another one.
    Unknown,
}

impl Deref for PhysicsWorld {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl DerefMut for PhysicsWorld {
    fn deref_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

impl PhysicsWorld {
    fn new(world: World) -> PhysicsWorld {
        PhysicsWorld {
            world,
            owners: Vec::new(),
            former: Vec::new(),
            drawing: Drawing::default(),
            origin: WorldPoint::ORIGIN,
            paused: false,
            ring: None,
            dt: 1.0 / 64.0,
        }
    }

    /// The entity a body belongs to. Events of the last step may name bodies that are gone: theirs
    /// is found too.
    #[must_use]
    pub fn entity(&self, id: BodyId) -> Option<Entity> {
        let former = || self.former.iter().rev().find(|(body, _)| *body == id);
        self.owner(id).or_else(|| former().map(|&(_, entity)| entity))
    }

    /// The entity that owns a body, or did when it was there.
    pub(crate) fn owner(&self, id: BodyId) -> Option<Entity> {
        let owner = self.owners.get(id.index()).copied().flatten();
        owner.filter(|&(body, _)| body == id).map(|(_, entity)| entity)
    }

    /// Whether the body is there and the entity's.
    pub(crate) fn belongs(&self, id: BodyId, entity: Entity) -> bool {
        self.owner(id) == Some(entity) && self.world.get(id).is_some()
    }

    /// Stops the steps of this world alone, or lets them go on. To stop all, pause `Time<Virtual>`.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Whether the plugin steps it.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The point of the world that is drawn at 0, 0, and from which `Transform` counts where a body
    /// is spawned. Far from the origin of the world, take one that is near what is seen.
    pub fn set_origin(&mut self, origin: impl Into<WorldPoint>) {
        self.origin = origin.into();
        self.drawing.everything = true;
    }

    /// The point that is drawn at 0, 0.
    #[must_use]
    pub fn origin(&self) -> WorldPoint {
        self.origin
    }

    /// Keeps the last `steps` steps from now on, so that [`roll_back`](PhysicsWorld::roll_back) can
    /// go there; 0 for none.
    pub fn keep_steps(&mut self, steps: usize) {
        self.ring = (steps > 0).then(|| (Ring::new(steps), steps));
    }

    /// The steps that can be rolled back to, the oldest first.
    pub fn kept_steps(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.ring.iter().flat_map(|(ring, _)| ring.steps())
    }

    /// Goes back to the state before step `step` and makes all steps up to the present again,
    /// calling `inputs` before each of them: it does to the world what systems in `FixedUpdate` did
    /// at [`step_count`](carom::World::step_count), or should have done.
    ///
    /// That is all: contacts, islands, sleep, joints and ids come back with the state. Bodies that
    /// the new past does not have take their entities along
    /// ([`BodyLost`](crate::message::BodyLost)); of bodies that belong to no entity
    /// [`BodyAppeared`](crate::message::BodyAppeared) tells. Messages of steps that are made again
    /// are not sent again.
    ///
    /// ```
    /// # use bevy_carom::prelude::*;
    /// # use bevy_ecs::prelude::*;
    /// # #[derive(Resource)] struct Late { step: u64, player: BodyId }
    /// // Once, in `Startup`: physics.keep_steps(16);
    /// fn late_input(mut physics: Physics, late: Res<Late>) -> Result {
    ///     physics.roll_back(late.step, |world| {
    ///         if world.step_count() == late.step {
    ///             let _ = world.apply_impulse(late.player, [0.0, 4.0]);
    ///         }
    ///     })?;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// A step that is not kept; nothing is changed then.
    pub fn roll_back(&mut self, step: u64, mut inputs: impl FnMut(&mut World)) -> Result<(), LoadError> {
        let (mut ring, steps) = self.ring.take().ok_or(LoadError::NoSuchStep)?;
        let now = self.world.step_count();
        let before = self.ids();
        let loaded = ring.load(step, &mut self.world);
        if loaded.is_ok() {
            while self.world.step_count() < now {
                ring.save(&self.world);
                inputs(&mut self.world);
                // The length was good before, and the only other reason to refuse a step.
                if self.world.step(self.dt).is_err() {
                    break;
                }
            }
            ring.save(&self.world);
            self.became_another(before);
        }
        self.ring = Some((ring, steps));
        loaded
    }

    /// The state as bytes, with all shapes: for a file.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.world.save_whole_into(&mut bytes);
        bytes
    }

    /// Becomes the world that was saved: here, or by another run of the program.
    ///
    /// Entities keep their bodies by the bodies' ids, which are the same if the level is built in
    /// the same order. Those whose bodies are not in the bytes are despawned, with a message
    /// [`BodyLost`](crate::message::BodyLost); bodies that belong to no entity and were not there
    /// before are told by [`BodyAppeared`](crate::message::BodyAppeared), for
    /// [`RigidBody::adopt`](crate::RigidBody::adopt). Both happen before the next `Update`.
    ///
    /// # Errors
    /// Bytes that are no snapshot, or damaged; the world is unchanged then.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let before = self.ids();
        self.world.load(bytes)?;
        if let Some((ring, steps)) = &mut self.ring {
            *ring = Ring::new(*steps);
        }
        self.became_another(before);
        Ok(())
    }

    fn ids(&self) -> Vec<BodyId> {
        self.world.bodies().map(|(id, _)| id).collect()
    }

    fn became_another(&mut self, before: Vec<BodyId>) {
        let drawing = &mut self.drawing;
        drawing.everything = true;
        if matches!(drawing.before, Before::Same) {
            drawing.before = Before::Of(before);
        }
        drawing.unsettled.clear();
        drawing.step = self.world.step_count();
    }

    /// A place that a `Transform` says.
    pub(crate) fn point_of(&self, position: Vec2) -> WorldPoint {
        // Not by way of the offset where there is none: -0 stays -0.
        if self.origin == WorldPoint::ORIGIN { position.into() } else { self.origin.offset(position) }
    }

    /// Where a body is, as a `Transform` would say.
    pub(crate) fn pose_of(&self, id: BodyId) -> Option<Pose> {
        pose_of(&self.world, self.origin, id)
    }

    pub(crate) fn add_for(&mut self, entity: Entity, def: BodyDef) -> Result<BodyId, Error> {
        let id = self.world.add(def)?;
        self.own(entity, id);
        Ok(id)
    }

    pub(crate) fn adopt_for(&mut self, entity: Entity, id: BodyId) -> Result<BodyId, Error> {
        if self.world.get(id).is_none() || self.owner(id).is_some() {
            return Err(Error::NoSuchBody(id));
        }
        self.own(entity, id);
        Ok(id)
    }

    fn own(&mut self, entity: Entity, id: BodyId) {
        let index = id.index();
        if self.owners.len() <= index {
            self.owners.resize(index + 1, None);
            self.drawing.poses.resize(index + 1, Pose::NOWHERE);
        }
        self.former.extend(self.owners[index].replace((id, entity)));
        self.drawing.poses[index] = self.pose_of(id).unwrap_or(Pose::NOWHERE);
    }

    pub(crate) fn remove_for(&mut self, entity: Entity, id: BodyId) {
        if self.owner(id) == Some(entity) {
            self.former.extend(self.owners[id.index()].take());
            // It may be gone already, by a call or by loading.
            let _ = self.world.remove(id);
        }
    }

    /// Keeps the state, if that is asked for.
    pub(crate) fn keep(&mut self) {
        if let Some((ring, _)) = self.ring.as_mut().filter(|_| !self.paused) {
            ring.save(&self.world);
        }
    }

    /// Makes a step. Whether one was made.
    pub(crate) fn step(&mut self, dt: f32) -> bool {
        if self.paused {
            return false;
        }
        let drawing = &mut self.drawing;
        drawing.unsettled.extend(self.world.edited_bodies());
        if drawing.stepped {
            // A second step before the first one was drawn: what it stops was moving.
            drawing.unsettled.extend(self.world.moved_poses(WorldPoint::ORIGIN, 1.0).map(|(id, _)| id));
        }
        self.dt = dt;
        let alone = drawing.step == self.world.step_count();
        let made = self.world.step(dt).is_ok();
        drawing.stepped |= made;
        // Whoever loads or steps by calls of `World` itself is found out: all is drawn, and
        // compared.
        if alone {
            drawing.step = self.world.step_count();
        }
        made
    }

    /// Forgets owners that only events of the last step could name.
    pub(crate) fn forget_former(&mut self) {
        self.former.clear();
    }
}

/// Where a body is, as seen from `origin`.
pub(crate) fn pose_of(world: &World, origin: WorldPoint, id: BodyId) -> Option<Pose> {
    let body = world.get(id)?;
    Some(Pose { position: origin.to(body.world_position()), rotation: body.rotation() })
}
