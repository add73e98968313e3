//! The system parameter: the way from a system to the worlds.

use core::ops::{Deref, DerefMut};

use bevy_ecs::change_detection::ResMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::{Query, SystemParam};
use carom::{Body, BodyId, Error, World, WorldDef};

use crate::body::RigidBody;
use crate::world::{PhysicsWorld, WorldKey, Worlds};

/// The physics, for a system: the main [`PhysicsWorld`], and with it everything that a
/// [`carom::World`] can do; and the way to other worlds.
///
/// ```
/// use bevy_carom::prelude::*;
/// use bevy_ecs::prelude::*;
///
/// #[derive(Component)]
/// struct Player;
///
/// fn fly(mut physics: Physics, players: Query<Entity, With<Player>>) -> Result {
///     for player in &players {
///         let Some(id) = physics.id(player) else { continue };
///         let ground = physics.ray(WorldRay::new(physics[id].position(), [0.0, -2.0]), &QueryFilter::default());
///         if ground.is_some() {
///             physics.apply_force(id, [0.0, 20.0])?;
///         }
///     }
///     Ok(())
/// }
/// # let mut app = bevy_app::App::new();
/// # app.add_plugins(CaromPlugin::default()).add_systems(bevy_app::Update, fly).update();
/// ```
///
/// Forces and impulses belong into `FixedUpdate`, which comes before every step.
#[derive(SystemParam)]
pub struct Physics<'w, 's> {
    worlds: ResMut<'w, Worlds>,
    bodies: Query<'w, 's, &'static RigidBody>,
}

impl Deref for Physics<'_, '_> {
    type Target = PhysicsWorld;

    fn deref(&self) -> &PhysicsWorld {
        self.worlds.main()
    }
}

impl DerefMut for Physics<'_, '_> {
    fn deref_mut(&mut self) -> &mut PhysicsWorld {
        self.worlds.main_mut()
    }
}

impl Physics<'_, '_> {
    /// The body of an entity in the main world, while it is there.
    #[must_use]
    pub fn id(&self, entity: Entity) -> Option<BodyId> {
        self.find(entity).filter(|&(key, _)| key == WorldKey::MAIN).map(|(_, id)| id)
    }

    /// The body of an entity and the world it is in, while it is there.
    #[must_use]
    pub fn find(&self, entity: Entity) -> Option<(WorldKey, BodyId)> {
        let (key, id) = self.bodies.get(entity).ok()?.place()?;
        self.worlds.get(key)?.belongs(id, entity).then_some((key, id))
    }

    /// The body of an entity in whichever world, to read: where it is, how fast it goes, what it
    /// weighs.
    #[must_use]
    pub fn body(&self, entity: Entity) -> Option<&Body> {
        let (key, id) = self.find(entity)?;
        self.worlds.get(key)?.get(id)
    }

    /// One more world, for bodies with [`InWorld`](crate::InWorld).
    ///
    /// # Errors
    /// A number out of its range.
    pub fn add_world(&mut self, def: WorldDef) -> Result<WorldKey, Error> {
        World::try_new(def).map(|world| self.worlds.add(world))
    }

    /// Takes a world out. Entities whose bodies are in it are despawned before the next `Update`,
    /// with messages [`BodyLost`](crate::message::BodyLost). The main world stays: `None`, as for
    /// one that is gone.
    pub fn remove_world(&mut self, key: WorldKey) -> Option<World> {
        self.worlds.remove(key)
    }

    /// A world, while it is there.
    #[must_use]
    pub fn world(&self, key: WorldKey) -> Option<&PhysicsWorld> {
        self.worlds.get(key)
    }

    /// A world, to change it.
    #[must_use]
    pub fn world_mut(&mut self, key: WorldKey) -> Option<&mut PhysicsWorld> {
        self.worlds.get_mut(key)
    }

    /// The keys of all worlds, the main one first.
    pub fn worlds(&self) -> impl Iterator<Item = WorldKey> {
        self.worlds.keys()
    }
}
