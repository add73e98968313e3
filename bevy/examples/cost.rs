//! What the plugin costs a frame, beside the steps of the world: bodies that sleep, and bodies that
//! all move.
//!
//! `cargo run --release -p bevy_carom --example cost` prints the median of many frames, each of one
//! step. Of the frames with moving bodies the step itself is taken off, which a clone of the world
//! makes right after.

use std::time::Instant;

use bevy_app::{App, TaskPoolPlugin};
use bevy_carom::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;

const FRAMES: usize = 400;

fn app(bodies: usize, body: impl Fn() -> RigidBody) -> App {
    let mut app = App::new();
    let def = WorldDef::default().gravity([0.0, 0.0]);
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, CaromPlugin::new(def)));
    app.insert_resource(Time::<Fixed>::from_hz(64.0));
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    for index in 0..bodies {
        let (column, row) = (index % 100, index / 100);
        let place = Transform::from_xyz(2.0 * column as f32, 2.0 * row as f32, 0.0);
        app.world_mut().spawn((body(), place));
    }
    (0..50).for_each(|_| app.update());
    app
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Whole frames, and the same steps alone.
fn measure(mut app: App) -> (f64, f64) {
    let mut state = SystemState::<Physics>::new(app.world_mut());
    let (mut frames, mut steps) = (Vec::new(), Vec::new());
    let mut alone = match state.get_mut(app.world_mut()) {
        Ok(physics) => carom::World::clone(&physics),
        Err(_) => return (f64::NAN, f64::NAN),
    };
    for _ in 0..FRAMES {
        let start = Instant::now();
        app.update();
        frames.push(milliseconds(start));
        let start = Instant::now();
        let made = alone.step(1.0 / 64.0);
        steps.push(milliseconds(start));
        assert!(made.is_ok());
    }
    let same = state.get_mut(app.world_mut()).is_ok_and(|physics| physics.hash() == alone.hash());
    assert!(same, "both made the same steps");
    (median(frames), median(steps))
}

fn main() {
    let row = |what: &str, (frame, step): (f64, f64)| {
        println!(
            "{what}: {frame:.4} ms a frame, {step:.4} ms of it the step, {:.4} ms the plugin and Bevy",
            frame - step
        );
    };
    row("nothing at all      ", measure(app(0, || RigidBody::dynamic(Shape::circle(0.5)))));
    row("10,000 that sleep   ", measure(app(10_000, || RigidBody::dynamic(Shape::circle(0.5)).asleep())));
    let moving = || RigidBody::dynamic(Shape::circle(0.5)).velocity([0.0, 3.0]).spin(1.0).sleepless();
    row("5,000 that all move ", measure(app(5_000, moving)));
}
