//! Spawning, refusing and despawning.

use bevy_app::App;
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use carom::Error;
use testkit::random::Random;
use testkit::rounds;

use crate::app::{self, at, drawn, id, space, spawn, steps, told, with};

/// The body is there in the same command, at the place of the `Transform`, and can be pushed.
#[test]
fn a_body_is_there_at_once() {
    let mut app = app::app(space(), 60.0);
    let placed = at(2.0, 3.0).with_rotation(bevy_math::Quat::from_rotation_z(0.5));
    let ball = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)).user_data(7), placed));
    let id = id(&mut app, ball);
    with(&mut app, |physics| {
        assert_eq!(physics[id].position().to_array(), [2.0, 3.0]);
        assert!((physics[id].angle() - 0.5).abs() < 1e-6);
        assert_eq!(physics.body(ball).map(|body| body.user_data()), Some(7));
        assert_eq!(physics.entity(id), Some(ball));
        physics.set_velocity(id, [60.0, 0.0]).expect("it is there");
    });
    steps(&mut app, 2);
    assert!((drawn(&app, ball).translation.x - 3.0).abs() < 1e-3);
}

/// A definition with a place of its own, and one with all that a definition can say.
#[test]
fn a_definition_may_say_where() {
    let mut app = app::app(space(), 60.0);
    let def = BodyDef::kinematic().at([4.0, 5.0]).angle(0.25).shape(Shape::rect(1.0, 1.0));
    let block = spawn(&mut app, (RigidBody::new(def), Transform::from_xyz(0.0, 0.0, 9.0)));
    let shown = drawn(&app, block);
    assert_eq!(shown.translation.to_array(), [4.0, 5.0, 9.0]);
    let id = id(&mut app, block);
    with(&mut app, |physics| {
        assert_eq!((physics[id].position().to_array(), physics[id].angle()), ([4.0, 5.0], 0.25));
    });
}

/// What breaks a rule makes no body and no panic: message and component say which rule, and the
/// entity lives.
#[test]
fn bad_definitions_are_refused_and_told() {
    let mut app = app::app(space(), 60.0);
    let bad = [
        (RigidBody::dynamic(Shape::circle(-1.0)), at(0.0, 0.0)),
        (RigidBody::dynamic(Shape::circle(0.5)).velocity([f32::NAN, 0.0]), at(0.0, 0.0)),
        (RigidBody::dynamic(Shape::circle(0.5)), at(f32::NAN, 0.0)),
        (RigidBody::dynamic(Shape::circle(0.5)), at(0.0, 0.0).with_rotation(bevy_math::Quat::NAN)),
        (RigidBody::adopt(gone_body(&mut app)), at(0.0, 0.0)),
    ];
    let entities: Vec<Entity> = bad.map(|bundle| spawn(&mut app, bundle)).to_vec();
    let refused = told::<BodyRefused>(&app);
    assert_eq!(refused.iter().map(|message| message.entity).collect::<Vec<_>>(), entities);
    for (&entity, message) in entities.iter().zip(&refused) {
        let body = app.world().get::<RigidBody>(entity).expect("the entity is there");
        assert_eq!((body.refused(), body.id()), (Some(message.error), None));
    }
    assert!(matches!(refused[0].error, Error::Shape(_)));
    let elsewhere = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)), InWorld(gone_world())));
    assert!(app.world().get::<RigidBody>(elsewhere).expect("the entity is there").refused().is_some());
    steps(&mut app, 2);
    assert_eq!(with(&mut app, |physics| physics.body_count()), 0);
}

/// A key that another app gave out.
fn gone_world() -> WorldKey {
    let mut other = app::app(space(), 60.0);
    with(&mut other, |physics| physics.add_world(WorldDef::default())).expect("a good definition")
}

/// The id of a body that was removed.
fn gone_body(app: &mut App) -> BodyId {
    with(app, |physics| {
        let id = physics.add(BodyDef::dynamic()).expect("a good definition");
        physics.remove(id).expect("it is there");
        id
    })
}

/// A second component takes the place of the first; one that was taken off leaves no body.
#[test]
fn components_can_be_replaced_and_taken_off() {
    let mut app = app::app(space(), 60.0);
    let entity = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.5)), at(1.0, 0.0)));
    let first = id(&mut app, entity);
    app.world_mut().entity_mut(entity).insert(RigidBody::fixed(Shape::rect(1.0, 1.0)));
    let second = id(&mut app, entity);
    assert_ne!(first, second);
    with(&mut app, |physics| {
        assert!(physics.get(first).is_none());
        assert_eq!((physics[second].kind(), physics.body_count()), (BodyKind::Fixed, 1));
        assert_eq!((physics.entity(first), physics.entity(second)), (Some(entity), Some(entity)));
    });
    let body = app.world_mut().entity_mut(entity).take::<RigidBody>().expect("it is there");
    assert_eq!(with(&mut app, |physics| physics.body_count()), 0);
    app.world_mut().entity_mut(entity).insert(body);
    assert_eq!(with(&mut app, |physics| physics.id(entity)), None);
    steps(&mut app, 2);
}

/// A body that a call removed is gone for its entity too, and another body in its place is not the
/// entity's.
#[test]
fn removed_bodies_are_nobodys() {
    let mut app = app::app(space(), 60.0);
    let entity = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)));
    let first = id(&mut app, entity);
    with(&mut app, |physics| physics.remove(first)).expect("it is there");
    let other = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)));
    let second = id(&mut app, other);
    assert_eq!((with(&mut app, |physics| physics.id(entity)), first.index()), (None, second.index()));
    app.world_mut().despawn(entity);
    steps(&mut app, 1);
    assert_eq!(with(&mut app, |physics| physics.id(other)), Some(second));
}

/// What a sequence has to deal with.
struct Crowd {
    entities: Vec<Entity>,
    random: Random,
}

impl Crowd {
    fn any(&mut self) -> Option<Entity> {
        (!self.entities.is_empty()).then(|| self.entities[self.random.below(self.entities.len())])
    }

    fn spawn(&mut self, app: &mut App) {
        let shape = self.random.one(&[0, 1, 2]);
        let shape = [Shape::circle(0.5), Shape::rect(1.0, 0.6), Shape::capsule([-0.5, 0.0], [0.5, 0.0], 0.2)]
            [shape]
            .clone();
        let body = match self.random.below(6) {
            0 => RigidBody::fixed(shape),
            1 => RigidBody::kinematic(shape).velocity([1.0, 0.0]),
            2 => RigidBody::dynamic(shape).asleep(),
            3 => RigidBody::dynamic(ShapeDef::from(shape).sensor()),
            _ => RigidBody::dynamic(shape).velocity([0.0, 2.0]),
        };
        let place = self.random.square(2.0);
        let place = at(place.x, place.y);
        let parent = self.any().filter(|_| self.random.below(3) == 0);
        let entity = match parent {
            Some(parent) => spawn(app, (body, place, ChildOf(parent))),
            None => spawn(app, (body, place)),
        };
        self.entities.push(entity);
    }

    fn act(&mut self, app: &mut App) {
        let action = self.random.below(12);
        let (Some(one), Some(other)) = (self.any(), self.any()) else { return self.spawn(app) };
        match action {
            0..=2 => self.spawn(app),
            3..=5 => assert!(app.world_mut().despawn(one)),
            6 => {
                app.world_mut().entity_mut(one).remove::<RigidBody>();
            }
            7 => {
                app.world_mut().entity_mut(one).insert(RigidBody::dynamic(Shape::circle(0.3)));
            }
            8 => with(app, |physics| {
                let removed = physics.id(one).map(|id| physics.remove(id));
                assert!(removed.is_none_or(|removed| removed.is_ok()));
            }),
            9 => with(app, |physics| {
                let (Some(a), Some(b)) = (physics.id(one), physics.id(other)) else { return };
                // A body and itself are refused.
                let _ = physics.add_joint(JointDef::rope(a, b, 3.0));
            }),
            10 => {
                app.world_mut().entity_mut(one).remove::<ChildOf>();
            }
            _ => steps(app, 1),
        }
        // With a parent go its children.
        self.entities.retain(|&entity| app.world().get_entity(entity).is_ok());
    }
}

/// Every body has an entity that has it, and no entity has one that is not there.
fn agree(app: &mut App) {
    let held: Vec<(Entity, Option<BodyId>)> = {
        let mut bodies = app.world_mut().query::<(Entity, &RigidBody)>();
        bodies.iter(app.world()).map(|(entity, body)| (entity, body.id())).collect()
    };
    with(app, |physics| {
        let there = held.iter().filter(|&&(entity, id)| id.is_some() && physics.id(entity) == id).count();
        assert_eq!(there, physics.body_count());
        for (entity, id) in held {
            match id {
                Some(id) if physics.get(id).is_some() => assert_eq!(physics.entity(id), Some(entity)),
                _ => assert_eq!(physics.id(entity), None),
            }
        }
        physics.validate().expect("the world is sound");
    });
}

/// 10,000 random sequences of spawning, despawning, replacing, reparenting, joining and stepping,
/// in any order: entities and bodies agree, and after all are despawned the world is empty.
#[test]
fn despawning_in_any_order() {
    let mut app = app::app(WorldDef::default(), 60.0);
    for seed in 0..rounds(1_000, 10_000) {
        let mut crowd = Crowd { entities: Vec::new(), random: Random::new(seed as u64) };
        (0..4).for_each(|_| crowd.spawn(&mut app));
        for _ in 0..crowd.random.below(20) {
            crowd.act(&mut app);
        }
        agree(&mut app);
        while let Some(entity) = crowd.any() {
            app.world_mut().despawn(entity);
            crowd.entities.retain(|&entity| app.world().get_entity(entity).is_ok());
            if crowd.random.below(4) == 0 {
                steps(&mut app, 1);
            }
        }
        assert_eq!(with(&mut app, |physics| physics.body_count()), 0, "sequence {seed}");
    }
}
