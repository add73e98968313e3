//! carom's 2D physics in Bevy: one component in, smooth transforms out.
//!
//! ```
//! use bevy_app::{App, FixedUpdate, ScheduleRunnerPlugin, Startup, TaskPoolPlugin};
//! use bevy_carom::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_time::TimePlugin;
//! use bevy_transform::components::Transform;
//!
//! #[derive(Component)]
//! struct Player;
//!
//! fn build(mut commands: Commands) {
//!     commands.spawn((RigidBody::fixed(Shape::rect(40.0, 2.0)), Transform::from_xyz(0.0, -1.0, 0.0)));
//!     commands.spawn((RigidBody::dynamic(Shape::circle(0.5)), Transform::from_xyz(0.0, 8.0, 0.0), Player));
//! }
//!
//! fn jump(mut physics: Physics, player: Single<Entity, With<Player>>, mut hits: MessageReader<Hit>) -> Result {
//!     for hit in hits.read().filter(|hit| hit.involves(*player)) {
//!         println!("landed at {:.1} m/s", hit.speed);
//!         let id = physics.id(*player).ok_or("the player has no body")?;
//!         physics.apply_impulse(id, [0.0, 3.0])?;
//!     }
//!     Ok(())
//! }
//!
//! let mut app = App::new();
//! app.add_plugins((TaskPoolPlugin::default(), TimePlugin, ScheduleRunnerPlugin::default(), CaromPlugin::default()));
//! app.add_systems(Startup, build).add_systems(FixedUpdate, jump);
//! for _ in 0..10 {
//!     app.update();
//! }
//! ```
//!
//! # What is where
//!
//! The [`World`](carom::World) of carom is the truth, and [`Physics`] the way to it: a system
//! parameter that can do what a `World` can (it dereferences to one), finds the body of an entity
//! and the entity of a body, saves, loads and rolls back. [`RigidBody`] is the one component:
//! spawned, it adds a body where `Transform` says; despawned, it takes it out again, at once.
//! Nothing else is kept twice: velocities, masses and materials are asked of the world.
//!
//! | when | what |
//! |---|---|
//! | `FixedFirst` | the state is kept for rollback, if [`PhysicsWorld::keep_steps`] asked for it |
//! | `FixedUpdate` | your systems push bodies around |
//! | `FixedPostUpdate` | the world steps by the length of `Time<Fixed>`, and [messages](crate::message) are written |
//! | `RunFixedMainLoop`, after the fixed steps | `Transform` of all that moved, blended between the last two steps |
//! | `Update` | cameras and other things that follow see what will be drawn |
//!
//! Set the rate by `Time::<Fixed>::from_hz(60.0)`; it is 64 Hz unless told otherwise, and steps of
//! more than a second are steps of a second. What is drawn is up to a step old and moves evenly, at
//! any frame rate, also when two steps fall into a frame.
//!
//! # `Transform`
//!
//! It goes one way. Where a body is spawned its `Transform` says (that of its parents too); from
//! then on the world says, and `x`, `y` and the rotation are written when the body moves. `z` and
//! the scale stay yours: the scale is for drawing, no shape grows by it. To put a body elsewhere
//! call [`World::teleport`](carom::World::teleport); a `Transform` that is written by hand is
//! written over. A body below a parent moves as the world says, whatever the parent does, and its
//! `Transform` is what that means below the parent.
//!
//! An angle that comes out of a quaternion depends on who computed the quaternion. Where two
//! machines must agree to the bit, give it to the body: [`RigidBody::angle`].
//!
//! # Several worlds
//!
//! [`Physics::add_world`] makes one more and [`InWorld`] puts an entity there. A world can be
//! paused alone, and none sees another.

#![cfg_attr(docsrs, feature(doc_cfg))]

/// The package's page, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod body;
mod draw;
mod family;
#[cfg(feature = "gizmos")]
mod gizmos;
pub mod message;
#[cfg(feature = "nav")]
pub mod nav;
mod physics;
mod step;
mod world;

pub use body::{InWorld, RigidBody};
#[cfg(feature = "gizmos")]
pub use gizmos::{CaromGizmos, CaromGizmosPlugin};
pub use physics::Physics;
pub use world::{PhysicsWorld, WorldKey};

/// The physics engine itself.
pub use carom;

/// What most programs use.
pub mod prelude {
    pub use crate::message::{
        BodyAppeared, BodyLost, BodyRefused, FellAsleep, Froze, Hit, JointBroke, JointLost, SensorEntered,
        SensorLeft, TouchBegan, TouchEnded, Woke,
    };
    pub use crate::{CaromPlugin, CaromSystems, InWorld, Physics, PhysicsWorld, RigidBody, WorldKey};
    pub use carom::{
        BodyDef, BodyId, BodyKind, JointDef, JointId, Locks, Material, QueryFilter, Shape, ShapeCast,
        ShapeDef, ShapeId, WorldDef, WorldPoint, WorldRay,
    };
}

use bevy_app::{App, FixedFirst, FixedPostUpdate, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::schedule::{IntoScheduleConfigs, SystemSet};
use carom::WorldDef;

/// Physics for an [`App`]: the main world, its steps, and what is drawn.
///
/// Needs nothing but `TimePlugin`, which is among `MinimalPlugins` and `DefaultPlugins`. Without it
/// no step is made unless something runs the schedule `FixedMain`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaromPlugin {
    def: WorldDef,
}

impl CaromPlugin {
    /// With a main world of this definition. One that breaks a rule is replaced by the default, as
    /// [`World::new`](carom::World::new) does.
    #[must_use]
    pub fn new(def: WorldDef) -> CaromPlugin {
        CaromPlugin { def }
    }
}

/// When the plugin does what, for `before` and `after`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaromSystems {
    /// In `FixedFirst`: the state is kept for rollback.
    Keep,
    /// In `FixedUpdate`, with feature `nav`: agents walk.
    Walk,
    /// In `FixedPostUpdate`: a step, and its messages.
    Step,
    /// In `RunFixedMainLoop`, among `AfterFixedMainLoop`: transforms are written.
    Draw,
}

impl Plugin for CaromPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(world::Worlds::new(self.def));
        message::register(app);
        app.add_systems(FixedFirst, step::keep.in_set(CaromSystems::Keep))
            .add_systems(FixedPostUpdate, step::step.in_set(CaromSystems::Step))
            .add_systems(
                RunFixedMainLoop,
                draw::draw.in_set(CaromSystems::Draw).in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            );
    }
}
