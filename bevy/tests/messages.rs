//! What happened, and to whom.

use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;

use crate::app::{self, at, id, space, spawn, steps, told, with};

/// A ball falls on the ground: one touch and one hit, of both entities. It is despawned: the touch
/// ends, and names it still.
#[test]
fn touches_name_entities() {
    let mut app = app::app(WorldDef::default(), 60.0);
    let ground = spawn(&mut app, (RigidBody::fixed(Shape::rect(40.0, 2.0)), at(0.0, -1.0)));
    let ball = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)), at(0.0, 1.5)));
    let (mut begun, mut hits) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        steps(&mut app, 1);
        begun.extend(
            told::<TouchBegan>(&app).into_iter().filter(|touch| !begun.contains(touch)).collect::<Vec<_>>(),
        );
        hits.extend(told::<Hit>(&app).into_iter().filter(|hit| !hits.contains(hit)).collect::<Vec<_>>());
    }
    assert_eq!((begun.len(), hits.len()), (1, 1));
    assert!(begun[0].involves(ball) && begun[0].other(ball) == Some(ground));
    assert_eq!((hits[0].other(ground), hits[0].other(Entity::PLACEHOLDER)), (Some(ball), None));
    assert!((hits[0].speed - 4.4).abs() < 0.3, "{}", hits[0].speed);
    app.world_mut().despawn(ball);
    // Another body takes its place before the step that tells.
    let other = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)), at(9.0, 9.0)));
    steps(&mut app, 1);
    let ended = told::<TouchEnded>(&app);
    assert_eq!(ended.len(), 1);
    assert_eq!((ended[0].other(ground), ended[0].involves(other)), (Some(ball), false));
}

/// Two steps in a frame: a system in `Update` reads what both told.
#[test]
fn no_step_of_a_frame_is_lost() {
    #[derive(Resource, Default)]
    struct Read(Vec<(Option<Entity>, f32)>);
    let mut app = app::app(WorldDef::default(), 60.0);
    app.init_resource::<Read>();
    app.add_systems(bevy_app::Update, |mut hits: MessageReader<Hit>, mut read: ResMut<Read>| {
        read.0.extend(hits.read().map(|hit| (hit.entity_b, hit.speed)));
    });
    spawn(&mut app, (RigidBody::fixed(Shape::rect(400.0, 2.0)), at(0.0, -1.0)));
    let balls: Vec<Entity> = (0..60)
        .map(|index| {
            let height = 2.0 + 0.07 * index as f32;
            spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)), at(2.0 * index as f32, height)))
        })
        .collect();
    for _ in 0..40 {
        app::frame(&mut app, core::time::Duration::from_millis(45));
    }
    let read = &app.world().resource::<Read>().0;
    for ball in balls {
        assert_eq!(read.iter().filter(|(entity, _)| *entity == Some(ball)).count(), 1);
    }
}

/// A sensor tells who came and went, a body when it fell asleep and woke, a joint when it broke or
/// went.
#[test]
fn sensors_sleep_and_joints_tell() {
    let mut app = app::app(space(), 60.0);
    let zone =
        spawn(&mut app, (RigidBody::fixed(ShapeDef::from(Shape::rect(2.0, 2.0)).sensor()), at(5.0, 0.0)));
    let ball = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.1)).velocity([60.0, 0.0]));
    let rest = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.1)), at(0.0, 9.0)));
    let tied = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.1)), at(1.0, 9.0)));
    let (a, b) = (id(&mut app, rest), id(&mut app, tied));
    with(&mut app, |physics| physics.add_joint(JointDef::rope(a, b, 1.5))).expect("both are there");
    steps(&mut app, 5);
    let entered = told::<SensorEntered>(&app);
    assert_eq!(entered.len(), 1);
    assert_eq!((entered[0].sensor_entity, entered[0].visitor_entity), (Some(zone), Some(ball)));
    steps(&mut app, 2);
    assert_eq!(told::<SensorLeft>(&app).len(), 1);
    let mut slept = Vec::new();
    for _ in 0..60 {
        steps(&mut app, 1);
        slept.extend(told::<FellAsleep>(&app).into_iter().filter_map(|message| message.entity));
    }
    assert!(slept.contains(&rest) && slept.contains(&tied));
    app.world_mut().despawn(tied);
    steps(&mut app, 1);
    let lost = told::<JointLost>(&app);
    assert_eq!((lost.len(), lost[0].entity_a, lost[0].entity_b), (1, Some(rest), Some(tied)));
    assert!(told::<Woke>(&app).iter().any(|message| message.entity == Some(rest)));
}

/// Bodies that a call added have no entity, and touch like others.
#[test]
fn scenery_has_no_entity() {
    let mut app = app::app(WorldDef::default(), 60.0);
    let add = |physics: &mut Physics| physics.add(BodyDef::fixed().shape(Shape::rect(9.0, 1.0)));
    let ground = with(&mut app, add).expect("a good definition");
    let ball = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)), at(0.0, 1.0)));
    steps(&mut app, 1);
    let begun = told::<TouchBegan>(&app);
    assert_eq!((begun[0].entity_a, begun[0].body_a, begun[0].entity_b), (None, ground, Some(ball)));
    assert_eq!(begun[0].other(ball), None);
}
