//! What happened, as Bevy messages with entities:
//! [`MessageReader<Hit>`](bevy_ecs::message::MessageReader) and the like.
//!
//! In: the events of a step. Out: one message each, written after the step, in carom's order.
//! Nothing has to be switched on. An entity is `None` where a body belongs to none, because it was
//! added to the world by a call. Each message can be used as the event of carom that it carries.

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter};
use bevy_ecs::system::SystemParam;
use carom::{BodyId, Error, Events, Freeze, JointBreak, JointLoss, SensorEvent, Touch};

use crate::world::{PhysicsWorld, WorldKey};

/// A message about two bodies.
macro_rules! of_two {
    ($(#[$doc:meta])* $name:ident: $event:ty, $first:ident $second:ident) => {
        $(#[$doc])*
        #[derive(Message, Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            /// Where it happened.
            pub world: WorldKey,
            /// The entity of the body that is named first.
            pub $first: Option<Entity>,
            /// The entity of the body that is named second.
            pub $second: Option<Entity>,
            /// What happened.
            pub event: $event,
        }

        impl $name {
            /// Whether it is about this entity.
            #[must_use]
            pub fn involves(&self, entity: Entity) -> bool {
                [self.$first, self.$second].contains(&Some(entity))
            }

            /// The other entity, if it is about this one and the other body belongs to one.
            #[must_use]
            pub fn other(&self, entity: Entity) -> Option<Entity> {
                match (self.$first, self.$second) {
                    (Some(first), second) if first == entity => second,
                    (first, Some(second)) if second == entity => first,
                    _ => None,
                }
            }
        }

        impl core::ops::Deref for $name {
            type Target = $event;

            fn deref(&self) -> &$event {
                &self.event
            }
        }
    };
}

of_two! {
    /// Two shapes began to touch.
    TouchBegan: Touch, entity_a entity_b
}
of_two! {
    /// Two shapes ceased to touch; also because one of them went.
    TouchEnded: Touch, entity_a entity_b
}
of_two! {
    /// Two shapes struck each other at 1 m/s or more.
    Hit: carom::Hit, entity_a entity_b
}
of_two! {
    /// A shape entered a sensor.
    SensorEntered: SensorEvent, sensor_entity visitor_entity
}
of_two! {
    /// A shape left a sensor; also because one of them went.
    SensorLeft: SensorEvent, sensor_entity visitor_entity
}
of_two! {
    /// A joint had to hold more than it could.
    JointBroke: JointBreak, entity_a entity_b
}
of_two! {
    /// A joint went with a body that was removed.
    JointLost: JointLoss, entity_a entity_b
}

/// A body fell asleep.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct FellAsleep {
    /// Where it happened.
    pub world: WorldKey,
    /// Whose body.
    pub entity: Option<Entity>,
    /// The body.
    pub body: BodyId,
}

/// A body woke.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Woke {
    /// Where it happened.
    pub world: WorldKey,
    /// Whose body.
    pub entity: Option<Entity>,
    /// The body.
    pub body: BodyId,
}

/// A body was made fixed because its numbers ran away.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Froze {
    /// Where it happened.
    pub world: WorldKey,
    /// Whose body.
    pub entity: Option<Entity>,
    /// The body, and what it was before.
    pub event: Freeze,
}

/// A world did not take the body of an entity.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyRefused {
    /// The entity, which is there without a body.
    pub entity: Entity,
    /// The rule that the definition broke.
    pub error: Error,
}

/// An entity was despawned because its body is not in the world that was loaded or rolled back to.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLost {
    /// The entity, which is gone.
    pub entity: Entity,
    /// The world its body was in.
    pub world: WorldKey,
    /// The body.
    pub body: BodyId,
}

/// Loading or rolling back brought a body that belongs to no entity:
/// [`RigidBody::adopt`](crate::RigidBody::adopt) gives it one.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyAppeared {
    /// The world it is in.
    pub world: WorldKey,
    /// The body.
    pub body: BodyId,
    /// The number that its definition carried.
    pub user_data: u64,
}

pub(crate) fn register(app: &mut App) {
    app.add_message::<TouchBegan>()
        .add_message::<TouchEnded>()
        .add_message::<Hit>()
        .add_message::<SensorEntered>()
        .add_message::<SensorLeft>()
        .add_message::<JointBroke>()
        .add_message::<JointLost>()
        .add_message::<FellAsleep>()
        .add_message::<Woke>()
        .add_message::<Froze>()
        .add_message::<BodyRefused>()
        .add_message::<BodyLost>()
        .add_message::<BodyAppeared>();
}

/// Writes what a step tells.
#[derive(SystemParam)]
pub(crate) struct Mail<'w> {
    begun: MessageWriter<'w, TouchBegan>,
    ended: MessageWriter<'w, TouchEnded>,
    hits: MessageWriter<'w, Hit>,
    entered: MessageWriter<'w, SensorEntered>,
    left: MessageWriter<'w, SensorLeft>,
    broken: MessageWriter<'w, JointBroke>,
    lost: MessageWriter<'w, JointLost>,
    slept: MessageWriter<'w, FellAsleep>,
    woken: MessageWriter<'w, Woke>,
    frozen: MessageWriter<'w, Froze>,
}

impl Mail<'_> {
    pub(crate) fn write(&mut self, world: WorldKey, physics: &PhysicsWorld) {
        let events: &Events = physics.events();
        let of = |body| physics.entity(body);
        let touch = |event: Touch| (of(event.body_a), of(event.body_b), event);
        let visit = |event: SensorEvent| (of(event.sensor_body), of(event.visitor_body), event);
        self.begun.write_batch(events.begun().iter().map(|&event| {
            let (entity_a, entity_b, event) = touch(event);
            TouchBegan { world, entity_a, entity_b, event }
        }));
        self.ended.write_batch(events.ended().iter().map(|&event| {
            let (entity_a, entity_b, event) = touch(event);
            TouchEnded { world, entity_a, entity_b, event }
        }));
        self.hits.write_batch(events.hits().iter().map(|&event| Hit {
            world,
            entity_a: of(event.body_a),
            entity_b: of(event.body_b),
            event,
        }));
        self.entered.write_batch(events.entered().iter().map(|&event| {
            let (sensor_entity, visitor_entity, event) = visit(event);
            SensorEntered { world, sensor_entity, visitor_entity, event }
        }));
        self.left.write_batch(events.left().iter().map(|&event| {
            let (sensor_entity, visitor_entity, event) = visit(event);
            SensorLeft { world, sensor_entity, visitor_entity, event }
        }));
        self.write_of_joints_and_sleep(world, physics);
    }

    fn write_of_joints_and_sleep(&mut self, world: WorldKey, physics: &PhysicsWorld) {
        let events: &Events = physics.events();
        let of = |body| physics.entity(body);
        self.broken.write_batch(events.broken().iter().map(|&event| JointBroke {
            world,
            entity_a: event.body_a.and_then(of),
            entity_b: of(event.body_b),
            event,
        }));
        self.lost.write_batch(events.lost().iter().map(|&event| JointLost {
            world,
            entity_a: event.body_a.and_then(of),
            entity_b: of(event.body_b),
            event,
        }));
        let slept = events.slept().iter().map(|&body| FellAsleep { world, entity: of(body), body });
        self.slept.write_batch(slept);
        self.woken.write_batch(events.woken().iter().map(|&body| Woke { world, entity: of(body), body }));
        let frozen = events.frozen().iter().map(|&event| Froze { world, entity: of(event.body), event });
        self.frozen.write_batch(frozen);
    }
}
