//! Agents and minds.

use bevy_app::FixedUpdate;
use bevy_carom::nav::{
    Agent, Arrived, Decided, Machine, Map, MindPlugin, Minds, Nav, NavPlugin, NoWay, Tiling,
};
use bevy_carom::prelude::*;
use bevy_ecs::prelude::*;

use crate::app::{self, at, drawn, space, spawn, steps, told, with};

fn walker() -> RigidBody {
    RigidBody::dynamic(Shape::circle(0.3))
}

/// A wall with a gap at the end: the walker goes around it at its speed, never into a wall, and
/// tells that it is there. The gap closes while another is on its way: it is told that there is no
/// way, and stands.
#[test]
fn agents_go_around_walls() {
    let mut app = app::app(space(), 60.0);
    app.add_plugins(NavPlugin);
    let map = Map::parse(".....\n####.\n.....\n").expect("a good map");
    let tiling = Tiling { corner: WorldPoint::ORIGIN, cell: 1.0, size: [5, 3] };
    app.insert_resource(Nav::new(map, tiling));
    let goal = [0.25, 2.6];
    let agent = spawn(&mut app, (walker(), at(0.5, 0.5), Agent::new(3.0).to(goal)));
    let mut frames = 0;
    while told::<Arrived>(&app).is_empty() {
        steps(&mut app, 1);
        frames += 1;
        let place =
            with(&mut app, |physics| physics.body(agent).map(|body| (body.position(), body.velocity())));
        let (place, velocity) = place.expect("it is there");
        assert!(app.world().resource::<Nav>().map.is_free(tiling.cell_at(place)), "{place}");
        assert!(velocity.length() < 3.001);
        assert!(frames < 400, "it is still at {place}");
    }
    // 4 m along, 2 m up, 4.25 m back: with corners not cut, at 3 m/s.
    assert!((190..230).contains(&frames), "{frames}");
    steps(&mut app, 1);
    let place = drawn(&app, agent).translation;
    assert!((place.x - goal[0]).abs() < 0.01 && (place.y - goal[1]).abs() < 0.01, "{place}");

    app.world_mut().get_mut::<Agent>(agent).expect("it is there").go_to([0.5, 0.5]);
    steps(&mut app, 20);
    app.world_mut().resource_mut::<Nav>().map.set_wall([4, 1], true);
    steps(&mut app, 2);
    assert_eq!(told::<NoWay>(&app).iter().map(|no| no.entity).collect::<Vec<_>>(), [agent]);
    assert_eq!(with(&mut app, |physics| physics.body(agent).map(|body| body.velocity().length())), Some(0.0));
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Patrol,
    Chase,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Seen,
    Lost,
}

#[derive(Component)]
struct Prey;

/// What a guard sees by a ray, its mind is told; what its mind decides, its legs do.
#[test]
fn minds_decide_by_what_the_world_shows() {
    let mut app = app::app(space(), 60.0);
    let machine = Machine::new(State::Patrol)
        .on(State::Patrol, Event::Seen, State::Chase)
        .on(State::Chase, Event::Lost, State::Patrol)
        .others_stay();
    app.add_plugins((NavPlugin, MindPlugin(machine.check().expect("a good machine"))));
    let tiling = Tiling { corner: WorldPoint::ORIGIN, cell: 1.0, size: [20, 5] };
    app.insert_resource(Nav::new(Map::new(20, 5).expect("a good size"), tiling));
    spawn(&mut app, (RigidBody::fixed(Shape::rect(0.5, 3.0)), at(8.0, 1.5)));
    let prey = spawn(&mut app, (RigidBody::kinematic(Shape::circle(0.3)), at(15.0, 1.5), Prey));
    let guard = spawn(&mut app, (walker(), at(2.0, 1.5), Agent::new(5.0)));
    app.add_systems(
        FixedUpdate,
        |mut commands: Commands, minds: Minds<State, Event>, new: Query<Entity, Added<Agent>>| {
            for entity in &new {
                commands.entity(entity).insert(minds.start());
            }
        },
    );
    let look = |mut minds: Minds<State, Event>,
                mut agents: Query<(Entity, &mut Agent)>,
                prey: Single<Entity, With<Prey>>,
                physics: Physics|
     -> Result {
        for (entity, mut agent) in &mut agents {
            let (Some(me), Some(it)) = (physics.find(entity), physics.find(*prey)) else { continue };
            let (from, to) = (physics[me.1].world_position(), physics[it.1].world_position());
            let seen = physics.ray(WorldRay::between(from, to), &QueryFilter::default().without(me.1));
            let sees = seen.is_some_and(|answer| physics.body_of(answer.shape) == Some(it.1));
            match minds.tell(entity, if sees { Event::Seen } else { Event::Lost })? {
                Some(State::Chase) => agent.go_to(to),
                Some(State::Patrol) => agent.stop(),
                None => {}
            }
        }
        Ok(())
    };
    app.add_systems(FixedUpdate, look.before(CaromSystems::Walk));
    steps(&mut app, 10);
    assert!(told::<Decided<State>>(&app).is_empty());
    let id = app::id(&mut app, prey);
    with(&mut app, |physics| physics.teleport(id, [2.5, 4.5], 0.0)).expect("a good place");
    steps(&mut app, 1);
    let decided = told::<Decided<State>>(&app);
    assert_eq!(
        (decided[0].entity, decided[0].left, decided[0].entered),
        (guard, State::Patrol, State::Chase)
    );
    steps(&mut app, 20);
    assert!(drawn(&app, guard).translation.y > 2.0);
    with(&mut app, |physics| physics.teleport(id, [15.0, 0.5], 0.0)).expect("a good place");
    steps(&mut app, 2);
    let stands = with(&mut app, |physics| physics.body(guard).map(|body| body.velocity().length()));
    assert_eq!(stands, Some(0.0));
}
