//! Apps without a window, and what tests ask of them.

use core::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_carom::prelude::*;
use bevy_ecs::bundle::Bundle;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, Messages};
use bevy_ecs::system::SystemState;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// A world without gravity.
pub(crate) fn space() -> WorldDef {
    WorldDef::default().gravity([0.0, 0.0])
}

/// An app of `hz` steps a second that has had its first frame, which takes no time.
pub(crate) fn app(def: WorldDef, hz: f64) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, CaromPlugin::new(def)));
    app.insert_resource(Time::<Fixed>::from_hz(hz));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    app
}

/// A frame that takes so long.
pub(crate) fn frame(app: &mut App, time: Duration) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(time));
    app.update();
}

/// Frames of one step each.
pub(crate) fn steps(app: &mut App, count: usize) {
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    (0..count).for_each(|_| app.update());
}

/// Whatever a system could do with the physics.
pub(crate) fn with<T>(app: &mut App, ask: impl FnOnce(&mut Physics) -> T) -> T {
    let mut state = SystemState::<Physics>::new(app.world_mut());
    let mut physics = state.get_mut(app.world_mut()).expect("the plugin is there");
    ask(&mut physics)
}

pub(crate) fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    let entity = app.world_mut().spawn(bundle).id();
    app.world_mut().flush();
    entity
}

/// The body of an entity in the main world.
pub(crate) fn id(app: &mut App, entity: Entity) -> BodyId {
    with(app, |physics| physics.id(entity)).expect("it has a body")
}

/// What is drawn.
pub(crate) fn drawn(app: &App, entity: Entity) -> Transform {
    *app.world().get::<Transform>(entity).expect("it is drawn")
}

/// The angle of a turn about z.
pub(crate) fn angle(transform: &Transform) -> f32 {
    2.0 * carom::math::atan2(transform.rotation.z, transform.rotation.w)
}

/// Messages of the last two frames.
pub(crate) fn told<M: Message + Clone>(app: &App) -> Vec<M> {
    let messages = app.world().resource::<Messages<M>>();
    messages.get_cursor().read(messages).cloned().collect()
}

pub(crate) fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}
