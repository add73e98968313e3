//! carom-nav with it: agents that find their way, and minds, as components.
//!
//! In: a map that lies in the main world, goals, events. Out: velocities of agents' bodies before
//! every step, and messages of who arrived, who has no way, and whose mind changed.
//!
//! ```
//! use bevy_carom::nav::{Agent, Nav, NavPlugin, Map, Tiling};
//! use bevy_carom::prelude::*;
//! use bevy_ecs::prelude::*;
//!
//! fn build(mut commands: Commands) -> Result {
//!     let map = Map::parse("....\n.##.\n....\n")?;
//!     let tiling = Tiling { corner: WorldPoint::ORIGIN, cell: 1.0, size: [4, 3] };
//!     commands.insert_resource(Nav::new(map, tiling));
//!     let walker = RigidBody::dynamic(Shape::circle(0.3)).gravity_scale(0.0).at([0.5, 0.5]);
//!     commands.spawn((walker, Agent::new(3.0).to([2.5, 2.5])));
//!     Ok(())
//! }
//! # let mut app = bevy_app::App::new();
//! # app.add_plugins((CaromPlugin::default(), NavPlugin)).add_systems(bevy_app::Startup, build).update();
//! ```

use core::marker::PhantomData;

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::change_detection::{Res, ResMut};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Query, SystemParam};
use bevy_time::{Fixed, Time};
use carom::{Vec2, WorldPoint};
pub use carom_nav;
use carom_nav::grid::Path;
pub use carom_nav::grid::{Ask, Found, Map, Tiling};
pub use carom_nav::mind::{Machine, Table};
use carom_nav::mind::{Mind, MindError};
use carom_nav::queue::{Queue, Ticket};

use crate::CaromSystems;
use crate::physics::Physics;

/// Expansions of searches that a step may make, unless told otherwise.
const BUDGET: u64 = 20_000;

/// How near, in metres, is there.
const NEAR: f32 = 1.0e-3;

/// Agents walk: a system in `FixedUpdate`, as [`CaromSystems::Walk`]. Give goals before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NavPlugin;

impl Plugin for NavPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Arrived>().add_message::<NoWay>();
        app.add_systems(FixedUpdate, walk.in_set(CaromSystems::Walk));
    }
}

/// Where agents may go: a map, and where it lies in the main world. Walls may come and go at any
/// time.
#[derive(Resource, Clone, Debug)]
pub struct Nav {
    /// The map. Ways that lead through what has changed are looked for anew.
    pub map: Map,
    /// Where it lies.
    pub tiling: Tiling,
    queue: Queue,
}

impl Nav {
    /// A map and where it lies; searches make at most 20,000 expansions a step.
    #[must_use]
    pub fn new(map: Map, tiling: Tiling) -> Nav {
        Nav { map, tiling, queue: Queue::new(BUDGET) }
    }

    /// With so many expansions a step. Agents wait for their turn.
    #[must_use]
    pub fn budget(mut self, expansions: u64) -> Nav {
        self.queue.set_budget(expansions);
        self
    }
}

/// Walks where it is told, along the shortest way over the map of [`Nav`], by setting the velocity
/// of its body in the main world: one that gravity does not pull, dynamic or kinematic.
#[derive(Component, Clone, Debug)]
pub struct Agent {
    /// How fast, in m/s.
    pub speed: f32,
    goal: Option<WorldPoint>,
    walk: Walk,
}

#[derive(Clone, Debug)]
enum Walk {
    Stands,
    /// Is to ask for a way.
    Asks,
    Waits(Ticket),
    /// Goes to that turn of the way.
    Goes(Path, usize),
}

impl Agent {
    /// One that stands.
    #[must_use]
    pub fn new(speed: f32) -> Agent {
        Agent { speed, goal: None, walk: Walk::Stands }
    }

    /// On its way to a place.
    #[must_use]
    pub fn to(mut self, goal: impl Into<WorldPoint>) -> Agent {
        self.go_to(goal);
        self
    }

    /// Sends it to a place.
    pub fn go_to(&mut self, goal: impl Into<WorldPoint>) {
        self.goal = Some(goal.into());
        self.walk = Walk::Asks;
    }

    /// Lets it stop where it is.
    pub fn stop(&mut self) {
        self.goal = None;
        self.walk = Walk::Asks;
    }

    /// Where it is to go; `None` once it is there, or knows that there is no way.
    #[must_use]
    pub fn goal(&self) -> Option<WorldPoint> {
        self.goal
    }
}

/// An agent is where it was to go.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Who.
    pub entity: Entity,
}

/// There is no way for an agent, which stands.
#[derive(Message, Clone, Copy, Debug, PartialEq)]
pub struct NoWay {
    /// Who.
    pub entity: Entity,
    /// What its question was answered.
    pub found: Found,
}

fn walk(
    nav: Option<ResMut<Nav>>,
    time: Option<Res<Time<Fixed>>>,
    mut physics: Physics,
    mut agents: Query<(Entity, &mut Agent)>,
    mut arrived: MessageWriter<Arrived>,
    mut no_way: MessageWriter<NoWay>,
) {
    let Some(mut nav) = nav else { return };
    let Nav { map, tiling, queue } = &mut *nav;
    let dt = time.map_or_else(Time::<Fixed>::default, |time| *time).timestep().as_secs_f32();
    let place = |physics: &Physics, entity| physics.body(entity).map(|body| body.world_position());
    for (entity, mut agent) in &mut agents {
        let is_stale = matches!(&agent.walk, Walk::Goes(path, _) if path.is_stale(map));
        if !is_stale && !matches!(agent.walk, Walk::Asks) {
            continue;
        }
        let Some(here) = place(&physics, entity) else { continue };
        agent.walk = match agent.goal {
            Some(goal) => Walk::Waits(queue.ask(Ask::new(tiling.cell_at(here), tiling.cell_at(goal)))),
            None => Walk::Stands,
        };
        halt(&mut physics, entity);
    }
    queue.work(map);
    for (entity, mut agent) in &mut agents {
        let Agent { speed, goal: to, walk } = &mut *agent;
        if let Walk::Waits(ticket) = walk
            && let Some((found, path)) = queue.take(*ticket)
        {
            *walk = Walk::Goes(path, 1);
            if !found.is_way() {
                (*to, *walk) = (None, Walk::Stands);
                no_way.write(NoWay { entity, found });
            }
        }
        let (Walk::Goes(path, turn), Some(goal), Some(here)) = (&mut *walk, *to, place(&physics, entity))
        else {
            continue;
        };
        match leg(here, goal, tiling, path, turn) {
            Some(way) => steer(&mut physics, entity, way, (*speed, dt)),
            None => {
                (*to, *walk) = (None, Walk::Stands);
                halt(&mut physics, entity);
                arrived.write(Arrived { entity });
            }
        }
    }
    // Answers that nobody took: who asked is gone, or wants something else by now.
    while let Some((_, _, path)) = queue.take_next() {
        queue.recycle(path);
    }
}

/// What is left to the next turn of a way, or to the goal after the last of them; `None`: there.
fn leg(here: WorldPoint, goal: WorldPoint, tiling: &Tiling, path: &Path, turn: &mut usize) -> Option<Vec2> {
    loop {
        // The last turn is the cell of the goal: straight to the goal in place of its middle.
        let next = path.turns().get(*turn).filter(|_| *turn + 1 < path.turns().len());
        let way = here.to(next.map_or(goal, |&cell| tiling.center(cell)));
        if way.length() > NEAR {
            return Some(way);
        }
        next?;
        *turn += 1;
    }
}

/// At full speed, but not beyond the end of the leg.
fn steer(physics: &mut Physics, entity: Entity, way: Vec2, (speed, dt): (f32, f32)) {
    let length = way.length();
    let speed = if speed * dt > length { length / dt } else { speed };
    // A speed that is no number is refused, and the body keeps what it had.
    let _ = physics.id(entity).map(|id| physics.set_velocity(id, way * (speed / length)));
}

fn halt(physics: &mut Physics, entity: Entity) {
    let _ = physics.id(entity).map(|id| physics.set_velocity(id, Vec2::ZERO));
}

/// Minds of one machine: its table, which all of them share. Insert it as a resource, with the
/// plugin's [`MindPlugin`].
#[derive(Resource, Clone, Debug)]
pub struct MindTable<S: 'static, E: 'static>(pub Table<S, E>);

/// The mind of an entity: the state that it is in.
#[derive(Component, Clone, Copy, Debug)]
pub struct MindState<S: 'static, E: 'static> {
    mind: Mind,
    of: PhantomData<fn() -> (S, E)>,
}

/// A mind went from one state to another, or into the same anew.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided<S: Send + Sync + 'static> {
    /// Whose.
    pub entity: Entity,
    /// The state that was left.
    pub left: S,
    /// The state that was entered.
    pub entered: S,
}

/// What states and events may be.
pub trait Name: Copy + PartialEq + Send + Sync + 'static {}

impl<T: Copy + PartialEq + Send + Sync + 'static> Name for T {}

/// Minds of one table as components, and the messages [`Decided`].
#[derive(Clone, Debug)]
pub struct MindPlugin<S: 'static, E: 'static>(pub Table<S, E>);

impl<S: Name, E: Name> Plugin for MindPlugin<S, E> {
    fn build(&self, app: &mut App) {
        app.insert_resource(MindTable(self.0.clone())).add_message::<Decided<S>>();
    }
}

/// Tells minds of events.
#[derive(SystemParam)]
pub struct Minds<'w, 's, S: Name, E: Name> {
    table: Res<'w, MindTable<S, E>>,
    minds: Query<'w, 's, &'static mut MindState<S, E>>,
    decided: MessageWriter<'w, Decided<S>>,
}

impl<S: Name, E: Name> Minds<'_, '_, S, E> {
    /// A mind in the first state, to be spawned.
    #[must_use]
    pub fn start(&self) -> MindState<S, E> {
        MindState { mind: self.table.0.start(), of: PhantomData }
    }

    /// The state of an entity's mind; `None` if it has none.
    #[must_use]
    pub fn state(&self, entity: Entity) -> Option<S> {
        self.minds.get(entity).ok().and_then(|mind| self.table.0.state(mind.mind).ok())
    }

    /// Tells an entity's mind of an event. The state that it entered by that; an entity without a
    /// mind enters none.
    ///
    /// # Errors
    /// The table knows no such event.
    pub fn tell(&mut self, entity: Entity, event: E) -> Result<Option<S>, MindError<E>> {
        let Ok(mut mind) = self.minds.get_mut(entity) else { return Ok(None) };
        let step = self.table.0.step(&mut mind.mind, event)?;
        if let (Some(left), Some(entered)) = (step.left(), step.entered()) {
            self.decided.write(Decided { entity, left, entered });
        }
        Ok(step.entered())
    }
}
