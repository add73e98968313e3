//! The component that is a body.
//!
//! In: a definition, written in one line. Out: a body in the world of the entity, from the moment
//! the component is there until it is taken away, both by hooks, so that no system has to run in
//! between.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::error::{BevyError, warn};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::world::{DeferredWorld, World as Entities};
use bevy_transform::components::Transform;
use carom::{BodyDef, BodyId, Error, Filter, Locks, Mass, Material, Pose, Shape, ShapeDef, Vec2, WorldPoint};

use crate::family::{self, Frame};
use crate::message::BodyRefused;
use crate::world::{WorldKey, Worlds};

/// A body of the physics world.
///
/// ```
/// # use bevy_carom::prelude::*;
/// # use bevy_ecs::prelude::*;
/// # use bevy_transform::components::Transform;
/// fn build(mut commands: Commands) {
///     commands.spawn((RigidBody::dynamic(Shape::rect(1.0, 1.0)).velocity([3.0, 0.0]), Transform::from_xyz(2.0, 5.0, 0.0)));
/// }
/// ```
///
/// The body is there as soon as the component is, at the place of `Transform`, which therefore is
/// to be spawned with it. It goes with the component or the entity. A second `RigidBody` for the
/// same entity takes the place of the first.
///
/// Everything about it is asked of the world, by its id: [`Physics::id`](crate::Physics::id), or
/// [`RigidBody::id`]. A definition that breaks a rule makes no body: it is logged as a warning,
/// [`RigidBody::refused`] tells which rule, and so does the message [`BodyRefused`].
#[derive(Component, Debug)]
#[require(Transform)]
#[component(on_insert = enter, on_discard = leave)]
pub struct RigidBody {
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not spawned yet. `placed`: the definition says where, and not `Transform`.
    New {
        def: Box<BodyDef>,
        placed: bool,
    },
    /// Not spawned yet; the body is there already.
    Adopted(BodyId),
    There(WorldKey, BodyId),
    Refused(Error),
}

/// Which world the body of an entity is in; without it, the main one. To be spawned with
/// [`RigidBody`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct InWorld(pub WorldKey);

impl RigidBody {
    /// What stands still, whatever hits it.
    #[must_use]
    pub fn fixed(shape: impl Into<ShapeDef>) -> RigidBody {
        RigidBody::new(BodyDef::fixed().shape(shape))
    }

    /// What goes its way, whatever hits it.
    #[must_use]
    pub fn kinematic(shape: impl Into<ShapeDef>) -> RigidBody {
        RigidBody::new(BodyDef::kinematic().shape(shape))
    }

    /// What falls and can be pushed.
    #[must_use]
    pub fn dynamic(shape: impl Into<ShapeDef>) -> RigidBody {
        RigidBody::new(BodyDef::dynamic().shape(shape))
    }

    /// Any body. If its definition has a place or an angle, it stands there, and `Transform`
    /// follows.
    #[must_use]
    pub fn new(def: BodyDef) -> RigidBody {
        let placed = def.position != WorldPoint::ORIGIN || def.angle != 0.0;
        RigidBody { state: State::New { def: Box::new(def), placed } }
    }

    /// A body that is in the world already and belongs to no entity: one that
    /// [`BodyAppeared`](crate::message::BodyAppeared) tells of, or that was added to the world by a
    /// call.
    #[must_use]
    pub fn adopt(id: BodyId) -> RigidBody {
        RigidBody { state: State::Adopted(id) }
    }

    /// The body's id, while it has a place in a world. It may have been removed by a call or by
    /// loading since: [`Physics::id`](crate::Physics::id) knows.
    #[must_use]
    pub fn id(&self) -> Option<BodyId> {
        self.place().map(|(_, id)| id)
    }

    /// The world and the id.
    #[must_use]
    pub fn place(&self) -> Option<(WorldKey, BodyId)> {
        match self.state {
            State::There(key, id) => Some((key, id)),
            _ => None,
        }
    }

    /// The rule that the definition broke, if the world refused it.
    #[must_use]
    pub fn refused(&self) -> Option<Error> {
        match self.state {
            State::Refused(error) => Some(error),
            _ => None,
        }
    }

    /// Changes the definition; does nothing to a body that is there.
    fn with(mut self, change: impl FnOnce(BodyDef) -> BodyDef) -> RigidBody {
        if let State::New { def, .. } = &mut self.state {
            **def = change(core::mem::replace(&mut **def, BodyDef::fixed()));
        }
        self
    }

    /// At a place of the world, in place of `Transform`: for what is farther out than a `Transform`
    /// can say.
    #[must_use]
    pub fn at(mut self, position: impl Into<WorldPoint>) -> RigidBody {
        if let State::New { def, placed } = &mut self.state {
            (def.position, *placed) = (position.into(), true);
        }
        self
    }

    /// Turned by this angle, in radians, and standing where [`RigidBody::at`] says: the same bits
    /// on every machine.
    #[must_use]
    pub fn angle(mut self, angle: f32) -> RigidBody {
        if let State::New { def, placed } = &mut self.state {
            (def.angle, *placed) = (angle, true);
        }
        self
    }

    /// With one more shape.
    #[must_use]
    pub fn shape(self, shape: impl Into<ShapeDef>) -> RigidBody {
        self.with(|def| def.shape(shape))
    }

    /// Moving at `velocity`, in m/s.
    #[must_use]
    pub fn velocity(self, velocity: impl Into<Vec2>) -> RigidBody {
        self.with(|def| def.velocity(velocity))
    }

    /// Turning at `speed`, in radians a second.
    #[must_use]
    pub fn spin(self, speed: f32) -> RigidBody {
        self.with(|def| def.spin(speed))
    }

    /// With this surface on every shape given so far.
    #[must_use]
    pub fn material(self, material: Material) -> RigidBody {
        self.with(|def| def.material(material))
    }

    /// With this filter on every shape given so far.
    #[must_use]
    pub fn filter(self, filter: Filter) -> RigidBody {
        self.with(|def| def.filter(filter))
    }

    /// With this density, in kg/m², of every shape given so far.
    #[must_use]
    pub fn density(self, density: f32) -> RigidBody {
        self.with(|def| def.density(density))
    }

    /// With this mass instead of what its shapes weigh.
    #[must_use]
    pub fn mass(self, mass: Mass) -> RigidBody {
        self.with(|def| BodyDef { mass: Some(mass), ..def })
    }

    /// Not moving or turning by itself where `locks` says so.
    #[must_use]
    pub fn locks(self, locks: Locks) -> RigidBody {
        self.with(|def| def.locks(locks))
    }

    /// Feeling `scale` times the world's gravity.
    #[must_use]
    pub fn gravity_scale(self, scale: f32) -> RigidBody {
        self.with(|def| def.gravity_scale(scale))
    }

    /// Losing these shares of its linear and angular velocity a second.
    #[must_use]
    pub fn damping(self, linear: f32, angular: f32) -> RigidBody {
        self.with(|def| BodyDef { linear_damping: linear, angular_damping: angular, ..def })
    }

    /// Never falling asleep.
    #[must_use]
    pub fn sleepless(self) -> RigidBody {
        self.with(BodyDef::sleepless)
    }

    /// Starting asleep.
    #[must_use]
    pub fn asleep(self) -> RigidBody {
        self.with(BodyDef::asleep)
    }

    /// With a number of yours, which is saved with the body: what it is, say.
    #[must_use]
    pub fn user_data(self, user_data: u64) -> RigidBody {
        self.with(|def| def.user_data(user_data))
    }
}

impl From<BodyDef> for RigidBody {
    fn from(def: BodyDef) -> RigidBody {
        RigidBody::new(def)
    }
}

impl From<Shape> for RigidBody {
    fn from(shape: Shape) -> RigidBody {
        RigidBody::dynamic(shape)
    }
}

/// The component is there: makes the body.
fn enter(mut entities: DeferredWorld<'_>, context: HookContext) {
    let entity = context.entity;
    let key = entities.get::<InWorld>(entity).map_or(WorldKey::MAIN, |world| world.0);
    let frame = frame_of(&entities, entity);
    let Some(mut body) = entities.get_mut::<RigidBody>(entity) else { return };
    let gone = Error::BadNumber("a component that was taken off cannot be put on again: make a new one");
    let state = core::mem::replace(&mut body.state, State::Refused(gone));
    let (def, placed) = match state {
        State::New { def, placed } => (Ok(def), placed),
        State::Adopted(id) => (Err(id), true),
        State::There(..) | State::Refused(_) => return refuse(entities, entity),
    };
    let Some(mut worlds) = entities.get_resource_mut::<Worlds>() else {
        return refuse_for(entities, entity, "bodies need the CaromPlugin, which is to be added before");
    };
    let Some(world) = worlds.get_mut(key) else {
        return refuse_for(entities, entity, "there is no such world");
    };
    let added = match def {
        Ok(mut def) => {
            if !placed {
                let spot = frame.spot();
                (def.position, def.angle) = (world.point_of(spot.position), spot.angle);
            }
            world.add_for(entity, *def)
        }
        Err(id) => world.adopt_for(entity, id),
    };
    let pose = added.ok().and_then(|id| world.pose_of(id));
    if let Some(mut body) = entities.get_mut::<RigidBody>(entity) {
        body.state = added.map_or_else(State::Refused, |id| State::There(key, id));
    }
    if added.is_err() {
        refuse(entities, entity);
    } else if let Some(pose) = pose.filter(|_| placed) {
        follow(&mut entities, entity, pose);
    }
}

/// The component goes, or another takes its place: removes the body.
fn leave(mut entities: DeferredWorld<'_>, context: HookContext) {
    let place = entities.get::<RigidBody>(context.entity).and_then(RigidBody::place);
    let Some((key, id)) = place else { return };
    let Some(mut worlds) = entities.get_resource_mut::<Worlds>() else { return };
    if let Some(world) = worlds.get_mut(key) {
        world.remove_for(context.entity, id);
    }
}

/// Where `Transform` and those of its parents put an entity.
fn frame_of(entities: &DeferredWorld<'_>, entity: Entity) -> Frame {
    let local = entities.get::<Transform>(entity).copied().unwrap_or_default();
    let Some(parent) = parent_of(entities, entity) else { return Frame::Alone(local) };
    let transform = |entity| entities.get::<Transform>(entity).copied();
    Frame::Below(family::global(parent, transform, |entity| parent_of(entities, entity)), local)
}

fn parent_of(entities: &DeferredWorld<'_>, entity: Entity) -> Option<Entity> {
    entities.get::<ChildOf>(entity).map(ChildOf::parent)
}

/// Writes `Transform` at once, so that a body that says itself where it is does not flash up
/// elsewhere.
fn follow(entities: &mut DeferredWorld<'_>, entity: Entity, pose: Pose) {
    let frame = frame_of(entities, entity);
    if let Some(mut transform) = entities.get_mut::<Transform>(entity)
        && let Some(followed) = frame.followed(pose)
    {
        *transform = followed;
    }
}

fn refuse_for(mut entities: DeferredWorld<'_>, entity: Entity, rule: &'static str) {
    if let Some(mut body) = entities.get_mut::<RigidBody>(entity) {
        body.state = State::Refused(Error::BadNumber(rule));
    }
    refuse(entities, entity);
}

/// Tells that the world did not take a body: in the log, for who does not ask, and as a message.
fn refuse(mut entities: DeferredWorld<'_>, entity: Entity) {
    let Some(error) = entities.get::<RigidBody>(entity).and_then(RigidBody::refused) else { return };
    if entities.contains_resource::<Worlds>() {
        entities.write_message(BodyRefused { entity, error });
    }
    let tell = move |_: &mut Entities| -> Result<(), BevyError> {
        Err(format!("{entity} gets no body: {error}").into())
    };
    entities.commands().queue_handled(tell, warn);
}
