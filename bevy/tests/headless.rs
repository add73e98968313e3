//! Starts with less than a game has. Nothing of it may panic.

use core::time::Duration;

use bevy_app::{App, FixedMain, RunMode, ScheduleRunnerPlugin, Startup, TaskPoolPlugin, Update};
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy, Virtual};
use bevy_transform::components::Transform;

use crate::app;

fn build(mut commands: Commands) {
    commands.spawn((RigidBody::fixed(Shape::rect(40.0, 2.0)), app::at(0.0, -1.0)));
    commands.spawn((RigidBody::dynamic(Shape::circle(0.5)), app::at(0.0, 8.0)));
}

fn lowest(mut app: App) -> f32 {
    let mut transforms = app.world_mut().query_filtered::<&Transform, With<RigidBody>>();
    let heights = transforms.iter(app.world()).map(|transform| transform.translation.y);
    heights.filter(|&y| y > -1.0).fold(f32::INFINITY, |a, b| if b < a { b } else { a })
}

/// What `MinimalPlugins` is made of, run for two seconds by its runner: the ball lies on the
/// ground.
#[test]
fn minimal_plugins_are_enough() {
    let mut app = App::new();
    let runner = ScheduleRunnerPlugin { run_mode: RunMode::Once };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, runner, CaromPlugin::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
    app.add_systems(Startup, build);
    (0..130).for_each(|_| app.update());
    let y = lowest(app);
    assert!((y - 0.5).abs() < 0.01, "the ball lies at {y}");
}

/// Without a clock nothing steps by itself, and whoever runs the fixed schedule makes a step of
/// 1/64 s.
#[test]
fn no_clock_is_no_crash() {
    let mut app = App::new();
    app.add_plugins(CaromPlugin::default()).add_systems(Startup, build);
    (0..10).for_each(|_| app.update());
    assert_eq!(app::with(&mut app, |physics| physics.step_count()), 0);
    for _ in 0..128 {
        app.world_mut().run_schedule(FixedMain);
        app.update();
    }
    let y = lowest(app);
    assert!((y - 0.5).abs() < 0.01, "the ball lies at {y}");
}

/// A body without the plugin is an entity without a body: it stays one when the plugin comes.
#[test]
fn no_plugin_is_no_crash() {
    let mut app = App::new();
    let early = app::spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)));
    assert!(app.world().get::<RigidBody>(early).expect("spawned").refused().is_some());
    app.add_plugins(CaromPlugin::default());
    app.update();
    app.world_mut().despawn(early);
    app.update();
}

/// Steps of a second and more are steps of a second; a frame of an hour is cut by Bevy's own clock.
#[test]
fn long_steps_and_frames_are_no_crash() {
    let mut app = app::app(app::space(), 0.25);
    app.world_mut().resource_mut::<Time<Virtual>>().set_max_delta(Duration::from_secs(9));
    let ball = app::spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)).velocity([1.0, 0.0]));
    app::steps(&mut app, 3);
    app::frame(&mut app, Duration::from_secs(3600));
    let id = app::id(&mut app, ball);
    let (steps, x) = app::with(&mut app, |physics| (physics.step_count(), physics[id].position().x));
    assert!(steps == 5 && (x - 5.0).abs() < 1e-3, "{x} m in {steps} steps");
}

/// Systems that only look run beside a world without bodies.
#[test]
fn an_empty_world_can_be_asked() {
    let mut app = app::app(WorldDef::default(), 60.0);
    app.add_systems(Update, |physics: Physics| {
        assert!(physics.ray(WorldRay::new([0.0, 0.0], [0.0, -10.0]), &QueryFilter::default()).is_none());
        assert_eq!(physics.body(Entity::PLACEHOLDER).map(|body| body.mass()), None);
    });
    app::steps(&mut app, 3);
}
