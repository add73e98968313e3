//! Several worlds, and pauses.

use core::time::Duration;

use bevy_carom::prelude::*;
use bevy_time::{Time, Virtual};

use crate::app::{self, at, drawn, frame, space, spawn, steps, told, with};

/// Two worlds, one without gravity: bodies at one place fall apart and do not touch; the second
/// goes, and its entity with it.
#[test]
fn worlds_do_not_see_each_other() {
    let mut app = app::app(WorldDef::default(), 60.0);
    let key = with(&mut app, |physics| physics.add_world(space())).expect("a good definition");
    let here = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)));
    let there = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)).velocity([1.0, 0.0]), InWorld(key)));
    steps(&mut app, 60);
    assert!(told::<TouchBegan>(&app).is_empty());
    assert!(drawn(&app, here).translation.y < -4.0);
    let shown = drawn(&app, there).translation;
    assert!(shown.y == 0.0 && shown.x > 0.9);
    with(&mut app, |physics| {
        assert_eq!(physics.worlds().collect::<Vec<_>>(), [WorldKey::MAIN, key]);
        assert!(physics.id(there).is_none());
        let (found, id) = physics.find(there).expect("it is there");
        let world = physics.world(key).expect("it is there");
        assert_eq!((found, world.entity(id)), (key, Some(there)));
        assert!(physics.body(there).is_some_and(|body| body.velocity().x == 1.0));
        assert!(physics.remove_world(WorldKey::MAIN).is_none());
        assert_eq!(physics.remove_world(key).map(|world| world.body_count()), Some(1));
        assert!(physics.remove_world(key).is_none());
        assert!(physics.find(there).is_none() && physics.world_mut(key).is_none());
    });
    steps(&mut app, 1);
    assert!(app.world().get_entity(there).is_err() && app.world().get_entity(here).is_ok());
    assert_eq!(told::<BodyLost>(&app).iter().map(|lost| lost.entity).collect::<Vec<_>>(), [there]);
}

/// A paused world is drawn as it was, whatever frames do, and edits of it are seen.
#[test]
fn a_paused_world_stands_still() {
    let mut app = app::app(space(), 60.0);
    let ball = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)).velocity([10.0, 0.0]));
    (0..10).for_each(|_| frame(&mut app, Duration::from_millis(7)));
    with(&mut app, |physics| physics.set_paused(true));
    let stood = drawn(&app, ball).translation.x;
    for _ in 0..20 {
        frame(&mut app, Duration::from_millis(7));
        assert_eq!(drawn(&app, ball).translation.x, stood);
    }
    let id = app::id(&mut app, ball);
    with(&mut app, |physics| physics.teleport(id, [50.0, 0.0], 0.0)).expect("a good place");
    frame(&mut app, Duration::from_millis(7));
    assert_eq!(drawn(&app, ball).translation.x, 50.0);
    with(&mut app, |physics| physics.set_paused(false));
    (0..10).for_each(|_| frame(&mut app, Duration::from_millis(7)));
    let x = drawn(&app, ball).translation.x;
    assert!(x > 50.3 && x < 50.8, "{x}");
}

/// Bevy's own pause and slow motion: still, and evenly slow.
#[test]
fn the_clock_pauses_and_slows_all() {
    let mut app = app::app(space(), 60.0);
    let ball = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)).velocity([10.0, 0.0]), at(0.0, 0.0)));
    (0..20).for_each(|_| frame(&mut app, Duration::from_millis(7)));
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    frame(&mut app, Duration::from_millis(7));
    let stood = drawn(&app, ball).translation.x;
    frame(&mut app, Duration::from_millis(7));
    assert_eq!(drawn(&app, ball).translation.x, stood);
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(0.1);
    let mut before = stood;
    for _ in 0..100 {
        frame(&mut app, Duration::from_millis(7));
        let now = drawn(&app, ball).translation.x;
        assert!(((now - before) / 0.007 - 1.0).abs() < 0.01, "{}", (now - before) / 0.007);
        before = now;
    }
}
