//! The same bits as without Bevy; saving, loading and rolling back.

use bevy_app::{App, FixedUpdate, Update};
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;
use carom::{World, vec2};
use testkit::random::Random;

use crate::app::{self, at, drawn, id, spawn, steps, told, with};

const DT: f32 = 1.0 / 64.0;

/// A heap of all kinds: the definitions and places of a seed.
fn heap(count: usize) -> Vec<BodyDef> {
    let mut random = Random::new(5);
    let floor = BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(60.0, 2.0));
    let walls =
        [-15.0, 15.0].map(|x| BodyDef::fixed().at([x, 10.0]).angle(0.1).shape(Shape::rect(1.0, 30.0)));
    let fall = (0..count).map(|index| {
        let shape = match index % 3 {
            0 => Shape::circle(random.range(0.2, 0.5)),
            1 => Shape::rect(random.range(0.3, 1.0), random.range(0.3, 1.0)),
            _ => Shape::capsule([-0.3, 0.0], [0.3, 0.0], 0.2),
        };
        let place = vec2(random.range(-12.0, 12.0), random.range(1.0, 20.0));
        let angle = if index % 2 == 0 { 0.0 } else { random.angle() };
        BodyDef::dynamic().at(place).angle(angle).shape(shape).user_data(index as u64)
    });
    [floor].into_iter().chain(walls).chain(fall).collect()
}

/// A heap of 150 shapes, 300 steps: after each 50 the hash is that of the same scene without Bevy.
#[test]
fn the_bits_are_those_of_carom_alone() {
    let mut alone = World::default();
    let mut app = app::app(WorldDef::default(), 64.0);
    for def in heap(150) {
        let (place, placed_by_transform) = (def.position.local, def.angle == 0.0);
        alone.add(def.clone()).expect("a good definition");
        // Half of it by `Transform`.
        if placed_by_transform {
            let def = BodyDef { position: WorldPoint::ORIGIN, ..def };
            spawn(&mut app, (RigidBody::new(def), at(place.x, place.y)));
        } else {
            spawn(&mut app, RigidBody::new(def));
        }
    }
    for _ in 0..6 {
        steps(&mut app, 50);
        (0..50).for_each(|_| assert!(alone.step(DT).is_ok()));
        let difference = with(&mut app, |physics| physics.first_difference(&alone).map(|it| it.to_string()));
        assert_eq!(difference, None);
        assert_eq!(with(&mut app, |physics| physics.hash()), alone.hash());
    }
}

fn build(app: &mut App, count: usize) -> Vec<Entity> {
    heap(count).into_iter().map(|def| spawn(app, RigidBody::new(def))).collect()
}

/// Saved, played on, loaded, played again: the same hash. Loaded by another run that built the
/// level: the same entities by name.
#[test]
fn saved_games_go_on_to_the_bit() {
    let mut app = app::app(WorldDef::default(), 64.0);
    let bodies = build(&mut app, 60);
    steps(&mut app, 100);
    let bytes = with(&mut app, |physics| physics.save());
    let late = spawn(&mut app, (RigidBody::dynamic(Shape::circle(0.4)), at(0.0, 30.0)));
    let kept = bodies[20];
    app.world_mut().despawn(bodies[30]);
    steps(&mut app, 50);
    with(&mut app, |physics| physics.load(&bytes)).expect("nobody touched the bytes");
    steps(&mut app, 1);
    // What came later is gone, what went is back and told.
    assert!(app.world().get_entity(late).is_err() && app.world().get_entity(kept).is_ok());
    assert_eq!(told::<BodyLost>(&app).iter().map(|lost| lost.entity).collect::<Vec<_>>(), [late]);
    let back = told::<BodyAppeared>(&app);
    assert_eq!(back.iter().map(|body| body.user_data).collect::<Vec<_>>(), [27]);
    let adopted = spawn(&mut app, RigidBody::adopt(back[0].body));
    assert_eq!(with(&mut app, |physics| physics.entity(back[0].body)), Some(adopted));
    steps(&mut app, 99);

    let mut other = app::app(WorldDef::default(), 64.0);
    let same = build(&mut other, 60);
    with(&mut other, |physics| physics.load(&bytes)).expect("nobody touched the bytes");
    steps(&mut other, 1);
    assert!(told::<BodyLost>(&other).is_empty() && told::<BodyAppeared>(&other).is_empty());
    steps(&mut other, 99);
    assert_eq!(with(&mut app, |physics| physics.hash()), with(&mut other, |physics| physics.hash()));
    assert_eq!(drawn(&app, kept), drawn(&other, same[20]));
    assert_eq!(drawn(&app, adopted), drawn(&other, same[30]));
}

/// Loaded by a run that has built nothing: every body is told of, and drawn once it is adopted.
/// Damaged bytes change nothing.
#[test]
fn a_saved_game_can_be_opened_from_nothing() {
    let mut app = app::app(WorldDef::default(), 64.0);
    build(&mut app, 30);
    steps(&mut app, 100);
    let (bytes, hash) = with(&mut app, |physics| (physics.save(), physics.hash()));

    let mut empty = app::app(WorldDef::default(), 64.0);
    empty.add_systems(Update, |mut commands: Commands, mut new: MessageReader<BodyAppeared>| {
        for appeared in new.read() {
            commands.spawn(RigidBody::adopt(appeared.body));
        }
    });
    assert!(with(&mut empty, |physics| physics.load(&bytes[1..])).is_err());
    with(&mut empty, |physics| physics.load(&bytes)).expect("nobody touched the bytes");
    assert_eq!(with(&mut empty, |physics| physics.hash()), hash);
    empty.insert_resource(bevy_time::TimeUpdateStrategy::FixedTimesteps(0));
    empty.update();
    let shown: Vec<(Entity, BodyId)> = {
        let mut bodies = empty.world_mut().query::<(Entity, &RigidBody)>();
        bodies.iter(empty.world()).filter_map(|(entity, body)| Some((entity, body.id()?))).collect()
    };
    assert_eq!(shown.len(), 33);
    for (entity, id) in shown {
        let place = with(&mut empty, |physics| physics[id].position());
        let drawn = drawn(&empty, entity).translation;
        assert_eq!([drawn.x, drawn.y], place.to_array());
    }
}

/// Whoever loads by calls of `World` itself is found out, and what is drawn and who is there
/// follow.
#[test]
fn loading_behind_the_back_is_noticed() {
    let mut app = app::app(WorldDef::default(), 64.0);
    let ball = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)));
    let mut bytes = Vec::new();
    with(&mut app, |physics| physics.save_into(&mut bytes));
    steps(&mut app, 30);
    let late = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)));
    with(&mut app, |physics| World::load(physics, &bytes)).expect("nobody touched the bytes");
    app.insert_resource(bevy_time::TimeUpdateStrategy::FixedTimesteps(0));
    app.update();
    assert_eq!(drawn(&app, ball).translation.y, 0.0);
    assert!(app.world().get_entity(late).is_err());
}

/// What players do in a step: a push for each of two, and who fires.
#[derive(Clone, Copy, Default, PartialEq)]
struct Input {
    push: [f32; 2],
    fires: bool,
}

/// The true inputs.
#[derive(Resource)]
struct Match {
    inputs: Vec<Input>,
    players: [BodyId; 2],
    /// Hashes of states that no guess is part of, by step.
    certain: Vec<(u64, u64)>,
}

const DELAY: u64 = 8;

/// The far player's input of a step is known only [`DELAY`] steps later: until then it is what it
/// was last known to be.
fn guessed(inputs: &[Input], step: u64, now: u64) -> Input {
    let far = inputs[step.min(now.saturating_sub(DELAY)) as usize];
    Input { push: [inputs[step as usize].push[0], far.push[1]], fires: far.fires }
}

fn push(world: &mut World, players: [BodyId; 2], input: Input) {
    for (player, push) in players.into_iter().zip(input.push) {
        world.apply_impulse(player, [push, 0.5 * push]).expect("players stay");
    }
}

fn bullet(world: &World, from: BodyId) -> BodyDef {
    let place = world[from].position() + vec2(0.0, 1.0);
    BodyDef::dynamic().at(place).velocity([3.0, 6.0]).shape(Shape::circle(0.1)).user_data(99)
}

/// The bullet that goes when there are more than five.
fn spent(world: &World) -> Option<BodyId> {
    let bullets: Vec<BodyId> =
        world.bodies().filter(|(_, body)| body.user_data() == 99).map(|(id, _)| id).collect();
    bullets.first().copied().filter(|_| bullets.len() > 5)
}

/// What the rules of the game do in a step, without entities.
fn rules(world: &mut World, players: [BodyId; 2], input: Input) {
    push(world, players, input);
    let new = input.fires.then(|| bullet(world, players[1]));
    spent(world).map(|id| world.remove(id));
    new.map(|def| world.add(def));
}

/// Every frame goes back by [`DELAY`] steps with what is known by now, then plays the present by a
/// guess, with entities.
fn play(mut physics: Physics, mut game: ResMut<Match>, mut commands: Commands) {
    let now = physics.step_count();
    let back = now.saturating_sub(DELAY);
    let Match { inputs, players, certain } = &mut *game;
    let again = |world: &mut World| {
        if world.step_count() == back {
            certain.push((back, world.hash()));
        }
        rules(world, *players, guessed(inputs, world.step_count(), now));
    };
    physics.roll_back(back, again).expect("it is kept");
    assert_eq!(physics.step_count(), now);
    let input = guessed(inputs, now, now);
    push(&mut physics, *players, input);
    if let Some(entity) = spent(&physics).and_then(|id| physics.entity(id)) {
        commands.entity(entity).despawn();
    }
    if input.fires {
        commands.spawn(RigidBody::new(bullet(&physics, players[1])));
    }
}

fn adopt(mut commands: Commands, mut new: MessageReader<BodyAppeared>, physics: Physics) {
    // It may be gone again by the time it is told of.
    for appeared in new.read().filter(|it| physics.get(it.body).is_some()) {
        commands.spawn(RigidBody::adopt(appeared.body));
    }
}

/// 600 frames with a rollback of 8 steps in each; bullets are fired by guess. Every state that no
/// guess is part of is that of a world that knew all inputs, bit for bit, and every bullet has an
/// entity.
#[test]
fn rollback_in_every_frame_does_not_mismatch() {
    let mut random = Random::new(3);
    let mut input = Input::default();
    let inputs: Vec<Input> = (0..600)
        .map(|_| {
            if random.below(5) == 0 {
                let push = [random.range(-1.0, 1.0), random.range(-1.0, 1.0)];
                input = Input { push, fires: random.below(3) == 0 };
            }
            input
        })
        .collect();
    let mut truth = World::default();
    let ids: Vec<BodyId> =
        heap(40).into_iter().map(|def| truth.add(def).expect("a good definition")).collect();
    let players = [ids[5], ids[6]];

    let mut app = app::app(WorldDef::default(), 64.0);
    build(&mut app, 40);
    with(&mut app, |physics| physics.keep_steps(DELAY as usize + 1));
    app.insert_resource(Match { inputs: inputs.clone(), players, certain: Vec::new() });
    app.add_systems(FixedUpdate, play).add_systems(Update, adopt);
    let (mut hashes, mut lost, mut appeared) = (Vec::new(), 0, 0);
    for input in inputs {
        hashes.push(truth.hash());
        rules(&mut truth, players, input);
        truth.step(DT).expect("a good step");
        steps(&mut app, 1);
        lost += told::<BodyLost>(&app).len();
        appeared += told::<BodyAppeared>(&app).len();
        let entities = app.world_mut().query::<&RigidBody>().iter(app.world()).count();
        assert_eq!(entities, with(&mut app, |physics| physics.body_count()));
    }
    let certain = &app.world().resource::<Match>().certain;
    assert_eq!(certain.last().map(|(step, _)| *step), Some(599 - DELAY));
    for &(step, hash) in certain {
        assert_eq!(hash, hashes[step as usize], "step {step}");
    }
    assert!(lost > 10 && appeared > 10, "{lost} and {appeared} guesses were wrong");
}

/// One frame that goes back 600 steps, and nothing is another.
#[test]
fn a_long_way_back_is_no_other_way() {
    let mut app = app::app(WorldDef::default(), 64.0);
    build(&mut app, 30);
    with(&mut app, |physics| physics.keep_steps(601));
    steps(&mut app, 600);
    let hash = with(&mut app, |physics| physics.hash());
    with(&mut app, |physics| physics.roll_back(0, |_| ())).expect("it is kept");
    assert_eq!(with(&mut app, |physics| physics.hash()), hash);
}

/// A rollback to a step that is not kept changes nothing.
#[test]
fn what_is_not_kept_is_refused() {
    let mut app = app::app(WorldDef::default(), 64.0);
    let ball = spawn(&mut app, RigidBody::dynamic(Shape::circle(0.5)));
    steps(&mut app, 5);
    assert!(with(&mut app, |physics| physics.roll_back(3, |_| ())).is_err());
    with(&mut app, |physics| physics.keep_steps(4));
    steps(&mut app, 10);
    let hash = with(&mut app, |physics| physics.hash());
    assert_eq!(with(&mut app, |physics| physics.kept_steps().collect::<Vec<_>>()), [11, 12, 13, 14]);
    assert!(with(&mut app, |physics| physics.roll_back(10, |_| ())).is_err());
    assert_eq!(with(&mut app, |physics| physics.hash()), hash);
    with(&mut app, |physics| physics.roll_back(11, |_| ())).expect("it is kept");
    assert_eq!(with(&mut app, |physics| (physics.hash(), physics.step_count())), (hash, 15));
    let _ = id(&mut app, ball);
}
