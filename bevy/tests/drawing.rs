//! Transforms: even motion whatever frames take, parents, origins, and nothing written that did not
//! move.

use core::time::Duration;

use bevy_app::{App, Update};
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use carom::vec2;
use testkit::random::Random;

use crate::app::{self, angle, at, drawn, frame, id, space, spawn, steps, with};

const HZ_144: Duration = Duration::from_nanos(6_944_444);

/// A ball at 10 m/s that turns at 3 rad/s: every frame it goes 10 m/s times the frame, within 1 %
/// of that, and turns as evenly.
fn goes_evenly(hz: f64, mut frame_time: impl FnMut() -> Duration) {
    let mut app = app::app(space(), hz);
    let ball = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)).velocity([10.0, 0.0]).spin(3.0));
    // Until the first step is over it stands.
    while with(&mut app, |physics| physics.step_count()) < 2 {
        frame(&mut app, frame_time());
    }
    let mut before = drawn(&app, ball);
    let mut seconds = 0.0;
    while seconds < 4.0 {
        let time = frame_time();
        frame(&mut app, time);
        seconds += time.as_secs_f64();
        let now = drawn(&app, ball);
        let way = f64::from(now.translation.x - before.translation.x);
        let due = 10.0 * time.as_secs_f64();
        assert!((way - due).abs() < 0.01 * due, "{hz} Hz, after {seconds} s: {way} m in place of {due}");
        let turned = f64::from(angle(&now) - angle(&before)).rem_euclid(core::f64::consts::TAU);
        let due = 3.0 * time.as_secs_f64();
        assert!(
            (turned - due).abs() < 0.01 * due,
            "{hz} Hz, after {seconds} s: {turned} rad in place of {due}"
        );
        before = now;
    }
}

/// 144 frames a second: steps slower than frames, as fast, and two or three of them in a frame.
#[test]
fn a_ball_drawn_at_144_hz_moves_evenly() {
    for hz in [20.0, 60.0, 64.0, 144.0, 200.0, 288.0, 400.0] {
        goes_evenly(hz, || HZ_144);
    }
}

/// Frames of 3 to 45 ms: none, one, two or three steps in each.
#[test]
fn a_ball_moves_evenly_in_uneven_frames() {
    let mut random = Random::new(1);
    for hz in [60.0, 64.0] {
        goes_evenly(hz, || Duration::from_micros(3_000 + random.below(42_000) as u64));
    }
}

/// A ball that comes to rest in the first of two steps of a frame is drawn where it rests.
#[test]
fn what_stops_is_drawn_where_it_stops() {
    let mut app = app::app(WorldDef::default(), 60.0);
    spawn(&mut app, (RigidBody::fixed(Shape::rect(40.0, 2.0)), at(0.0, -1.0)));
    let mut random = Random::new(2);
    let crates: Vec<Entity> = (0..20)
        .map(|index| {
            let body = RigidBody::dynamic(Shape::rect(1.0, 1.0));
            spawn(&mut app, (body, at(index as f32 * 1.5 - 15.0, random.range(0.5, 3.0))))
        })
        .collect();
    for _ in 0..200 {
        frame(&mut app, Duration::from_micros(15_000 + random.below(40_000) as u64));
    }
    for entity in crates {
        let id = id(&mut app, entity);
        let (place, awake) = with(&mut app, |physics| (physics[id].position(), physics[id].is_awake()));
        let shown = drawn(&app, entity).translation;
        assert!(!awake, "it sleeps by now");
        assert_eq!([shown.x, shown.y], place.to_array());
    }
}

/// Height and scale are the program's.
#[test]
fn height_and_scale_stay() {
    let mut app = app::app(space(), 60.0);
    let placed = Transform::from_xyz(1.0, 2.0, 7.0).with_scale(Vec3::new(2.0, 3.0, 4.0));
    let ball = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)).velocity([60.0, 0.0]), placed));
    steps(&mut app, 3);
    let shown = drawn(&app, ball);
    assert_eq!((shown.scale, shown.translation.z, shown.translation.y), (placed.scale, 7.0, 2.0));
    assert!(shown.translation.x > 1.5);
}

#[derive(Resource, Default)]
struct Written(usize);

fn count_writes(app: &mut App) {
    app.init_resource::<Written>();
    app.add_systems(Update, |changed: Query<(), Changed<Transform>>, mut written: ResMut<Written>| {
        written.0 = changed.iter().count();
    });
}

/// 100 sleeping boxes and a ball that flies: one `Transform` is written a frame. One box is
/// teleported: two are.
#[test]
fn only_what_moved_is_written() {
    let mut app = app::app(space(), 60.0);
    let boxes: Vec<Entity> = (0..100)
        .map(|index| {
            spawn(&mut app, (RigidBody::dynamic(Shape::rect(1.0, 1.0)).asleep(), at(2.0 * index as f32, 5.0)))
        })
        .collect();
    spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)).velocity([1.0, 0.0]).sleepless());
    count_writes(&mut app);
    steps(&mut app, 5);
    for _ in 0..20 {
        frame(&mut app, Duration::from_millis(5));
        assert!(app.world().resource::<Written>().0 <= 1);
    }
    let moved = id(&mut app, boxes[7]);
    with(&mut app, |physics| physics.teleport(moved, [0.0, -20.0], 1.0)).expect("a good place");
    frame(&mut app, Duration::from_millis(17));
    assert_eq!(app.world().resource::<Written>().0, 2);
    let shown = drawn(&app, boxes[7]);
    assert_eq!((shown.translation.y, (angle(&shown) - 1.0).abs() < 1e-6), (-20.0, true));
    // In a frame without a step too, and of a body that nothing moves.
    let wall = spawn(&mut app, RigidBody::fixed(Shape::rect(1.0, 1.0)));
    let id = id(&mut app, wall);
    frame(&mut app, Duration::from_micros(10));
    with(&mut app, |physics| physics.teleport(id, [3.0, -30.0], 0.0)).expect("a good place");
    frame(&mut app, Duration::from_micros(10));
    assert_eq!(drawn(&app, wall).translation.y, -30.0);
}

/// Where an entity is drawn in the world.
fn global(app: &App, entity: Entity) -> Transform {
    app.world().get::<GlobalTransform>(entity).expect("transforms are propagated").compute_transform()
}

fn is_where_the_world_says(app: &mut App, entity: Entity) {
    let id = id(app, entity);
    let (place, turned) = with(app, |physics| (physics[id].position(), physics[id].angle()));
    let shown = global(app, entity);
    assert!((shown.translation.truncate().to_array()[0] - place.x).abs() < 1e-4, "{shown:?} for {place}");
    assert!((shown.translation.y - place.y).abs() < 1e-4, "{shown:?} for {place}");
    let off = (angle(&shown) - turned).rem_euclid(core::f32::consts::TAU);
    assert!(!(1e-4..core::f32::consts::TAU - 1e-4).contains(&off), "{shown:?} for {turned}");
}

/// Bodies below parents that are moved, turned and scaled, and below a body: drawn where the world
/// says, though parents move and change.
#[test]
fn below_a_parent_bodies_are_where_the_world_says() {
    let mut app = app::app(space(), 60.0);
    let placed = at(3.0, -4.0).with_rotation(Quat::from_rotation_z(0.5)).with_scale(Vec3::splat(2.0));
    let level = spawn(&mut app, placed);
    let still = spawn(&mut app, (RigidBody::fixed(Shape::circle(0.5)), at(1.0, 1.0), ChildOf(level)));
    let going = RigidBody::dynamic(Shape::circle(0.5)).velocity([2.0, 1.0]).spin(1.0).sleepless();
    let going = spawn(&mut app, (going, at(5.0, 1.0), ChildOf(level)));
    let rider = RigidBody::dynamic(Shape::circle(0.2)).velocity([-1.0, 0.0]).spin(-2.0).sleepless();
    let rider = spawn(&mut app, (rider, at(3.0, 0.0), ChildOf(going)));
    // Spawned where the parents say.
    let start = placed.transform_point(Vec3::new(1.0, 1.0, 0.0));
    let body = id(&mut app, still);
    let place = with(&mut app, |physics| physics[body].position());
    assert!((place - vec2(start.x, start.y)).length() < 1e-5, "{place} for {start}");
    for round in 0..60 {
        if round % 7 == 0 {
            let mut transform = app.world_mut().get_mut::<Transform>(level).expect("it has one");
            transform.translation.x += 0.5;
            transform.rotate_z(0.1);
        }
        if round == 30 {
            app.world_mut().entity_mut(still).insert(ChildOf(going));
            app.world_mut().entity_mut(rider).remove::<ChildOf>();
        }
        steps(&mut app, 1);
        // With a step a frame, alpha is 0: what is drawn is the step before. Bring both to one
        // place.
        with(&mut app, |physics| physics.set_paused(true));
        with(&mut app, |physics| physics.set_origin([0.0, 0.0]));
        steps(&mut app, 1);
        for entity in [still, going, rider] {
            is_where_the_world_says(&mut app, entity);
        }
        with(&mut app, |physics| physics.set_paused(false));
    }
}

/// Scenes a million kilometres out are drawn about the origin that was chosen, and spawned there.
#[test]
fn far_worlds_are_drawn_about_their_origin() {
    let mut app = app::app(WorldDef::default(), 60.0);
    let far = WorldPoint::ORIGIN.offset(vec2(1.0e9, 0.0));
    with(&mut app, |physics| physics.set_origin(far));
    spawn(&mut app, (RigidBody::fixed(Shape::rect(40.0, 2.0)), at(0.0, -1.0)));
    let ball = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)), at(0.25, 2.0)));
    let told = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)).at(far.offset(vec2(5.0, 3.0))));
    assert!((drawn(&app, told).translation - Vec3::new(5.0, 3.0, 0.0)).length() < 1e-3);
    steps(&mut app, 120);
    for (entity, x) in [(ball, 0.25), (told, 5.0)] {
        let shown = drawn(&app, entity).translation;
        assert!((shown.x - x).abs() < 1e-3 && (shown.y - 0.5).abs() < 0.01, "{shown}");
    }
    with(&mut app, |physics| physics.set_origin(far.offset(vec2(100.0, 0.0))));
    steps(&mut app, 1);
    assert!((drawn(&app, ball).translation.x + 99.75).abs() < 1e-3);
}

/// Systems in `Update` see what will be drawn in this frame.
#[test]
fn cameras_see_what_is_drawn() {
    #[derive(Resource, Default)]
    struct Seen(f32);
    let mut app = app::app(space(), 60.0);
    app.init_resource::<Seen>();
    let ball = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)).velocity([10.0, 0.0]));
    app.add_systems(Update, |ball: Single<&Transform, With<RigidBody>>, mut seen: ResMut<Seen>| {
        seen.0 = ball.translation.x;
    });
    for _ in 0..50 {
        frame(&mut app, HZ_144);
        assert_eq!(app.world().resource::<Seen>().0, drawn(&app, ball).translation.x);
    }
}
