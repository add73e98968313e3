//! Crowds: bodies of a world that walk, make way and arrive.
//!
//! In: bodies, and orders: a place, a path, a field, a leader, or to wander. Out: forces on the
//! bodies, once a tick before the world's step; and events. Velocities are read from the bodies and
//! never written, so anything that pushes, carries or throws a body does so to an agent.
//!
//! ```text
//!   read     places and velocities of bodies                              row
//!   follow   orders -> the preferred velocity of each agent               follow, flock, wander
//!   find     boxes of sight -> pairs -> the nearest few of each           near
//!   avoid    neighbours and walls -> half-planes -> a velocity            avoid, program, choose
//!            the order of any two agents at a door                        comrades
//!   part     velocities of agents that nearly touch                       part
//!   drive    velocity -> force; events: arrived, stuck                    drive
//! ```
//!
//! Dynamic bodies of up to 1.5 m are walked around, awake or asleep, and pressed on a little. In a
//! corridor that is too narrow to pass, one of two sides that meet backs out.
//!
//! Worlds of crowds are seen from above: no gravity. For characters in a world seen from the side
//! use `carom::Mover`.
//!
//! The tests of `tests/crowd` check rows A13, A16, D20 to D24, D30 of the classic texts.

mod agent;
pub mod avoid;
mod choose;
mod comrades;
mod drive;
mod field;
mod flock;
mod follow;
mod image;
mod loose;
mod math;
mod near;
mod orders;
mod part;
pub mod program;
mod state;
mod wander;

pub use agent::{Agent, AgentId, CrowdError, CrowdEvent};
pub use field::{Fields, FlowOn, NoFields};
pub use state::{AgentState, Doing};
pub use wander::Wander;

use carom::{BodyId, BodyKind, Vec2, World, WorldPoint};

use choose::{Outcome, Row};
use comrades::Path;
use flock::Flock;
use near::Near;
use orders::{Task, own_key};
use part::Close;

/// Settings of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdDef {
    /// Number of nearest neighbours that an agent avoids, 1 to 32.
    pub neighbours: usize,
    /// Greatest distance at which agents see each other, in metres.
    pub sight: f32,
    /// Time ahead for which agents avoid walls, in seconds.
    pub wall_horizon: f32,
    /// The categories of shapes that are walls, if their bodies are fixed, kinematic, or asleep.
    pub walls: u64,
    /// Extra distance between agents, as a share of the sum of their radii.
    pub margin: f32,
    /// Angle, in radians, by which an agent keeps to the right of oncoming agents, and more when
    /// held up. 0 favours no side: mirrored scenes stay mirrored, and crowds that meet may get
    /// stuck.
    pub bias: f32,
}

impl Default for CrowdDef {
    fn default() -> CrowdDef {
        CrowdDef { neighbours: 10, sight: 6.0, wall_horizon: 0.4, walls: u64::MAX, margin: 0.05, bias: 0.15 }
    }
}

impl CrowdDef {
    fn check(&self) -> Result<(), CrowdError> {
        let all = [
            (1..=32).contains(&self.neighbours),
            (0.01..=1e4).contains(&self.sight),
            (0.05..=60.0).contains(&self.wall_horizon),
            (0.0..=1.0).contains(&self.margin),
            (0.0..=1.0).contains(&self.bias),
        ];
        let rules = [
            "1 to 32 neighbours count",
            "agents see 1 cm to 10 km far",
            "walls are avoided 0.05 to 60 s ahead",
            "a margin is 0 to 1",
            "a bias is 0 to 1 radian",
        ];
        all.iter().position(|is_good| !is_good).map_or(Ok(()), |rule| Err(CrowdError::BadNumber(rules[rule])))
    }
}

/// State of an agent from tick to tick.
#[derive(Clone, Debug)]
struct Walker {
    agent: Agent,
    body: BodyId,
    generation: u32,
    task: Task,
    /// The corners of its path; the last one is the goal.
    way: Vec<WorldPoint>,
    /// Start of its path: its position at the order.
    start: WorldPoint,
    /// Index of the next corner.
    at: u32,
    /// The place where it stands when it has no task.
    home: WorldPoint,
    /// Equal for agents with the same goal.
    key: u32,
    /// Heading of a wandering agent; and the direction out of a wall beside it.
    heading: Vec2,
    wall: Vec2,
    /// Half the side of its box of sight.
    sight: f32,
    /// Distance that it may move before walls have to be searched, and the ticks until they are
    /// searched anyway.
    clear: f32,
    look: u32,
    /// Remaining length of its path in the last tick, in metres.
    left: f32,
    /// Decrease of that length since its last progress, in metres, below 0 if it was carried back;
    /// and the time since then, in seconds.
    gained: f32,
    waited: f32,
    /// Progress in the wanted direction, in metres; and the time of it, in seconds.
    progress: f32,
    elapsed: f32,
    /// Ticks in which it came no nearer, beside a comrade at the goal.
    slow: u32,
    /// Whether it goes home; whether `Stuck` was reported; whether it turns aside out of courtesy.
    returns: bool,
    stuck: bool,
    courteous: bool,
    /// Whether the next tick sets its home to its position; whether its path begins in the next
    /// tick.
    fresh: bool,
    begins: bool,
    /// Whether it returns to the leg that it was pushed off; whether it returns to the start of its
    /// path, because a wall stands before the first leg too.
    strayed: bool,
    lost: bool,
    /// Whether it was ever sent; and whether it came to the goal of its last task.
    sent: bool,
    arrived: bool,
    /// Ticks for which it still backs out of the way of oncoming agents.
    backs: u32,
    /// Whether all comrades in sight were farther from the goal or gate.
    first: bool,
    /// Urgency with which agents behind make way, handed on from the first and held-up agent, or
    /// from the agent that comes through the gate first; 0 to 40.
    urgency: u8,
}

/// A crowd: agents, and their orders.
///
/// ```
/// use carom::prelude::*;
/// use carom_nav::crowd::{Agent, Crowd, CrowdEvent};
///
/// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
/// world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(1.0, 2.0)))?;
/// let mut crowd = Crowd::default();
/// let walker = Agent { radius: 0.3, ..Agent::default() };
/// let body = world.add(walker.body([0.0, 0.0]))?;
/// let guard = crowd.add(&world, body, walker)?;
/// crowd.follow(guard, &[[4.0, 2.0].into(), [6.0, 2.0].into(), [10.0, 0.0].into()])?;
/// let mut arrived = false;
/// for _ in 0..600 {
///     crowd.steer(&mut world, 1.0 / 60.0)?; // forces, and then
///     world.step(1.0 / 60.0)?;
///     arrived |= crowd.events() == [CrowdEvent::Arrived(guard)];
/// }
/// assert!(arrived && world[body].position().distance(vec2(10.0, 0.0)) < 0.2);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// The same calls give the same bits, on any machine, with any number of threads.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    def: CrowdDef,
    tick: u64,
    /// By index; `None` if the index is free.
    walkers: Vec<Option<Walker>>,
    /// Free indices, and the last generation of each.
    free: Vec<u32>,
    generations: Vec<u32>,
    flocks: Vec<Flock>,
    events: Vec<CrowdEvent>,
    threads: usize,
    /// Work space.
    rows: Vec<Row>,
    places: Vec<WorldPoint>,
    locals: Vec<Vec2>,
    paths: Vec<Path>,
    outcomes: Vec<Outcome>,
    close: Vec<Close>,
    near: Near,
}

impl Crowd {
    /// A crowd without agents.
    ///
    /// # Errors
    ///
    /// A number out of its range.
    pub fn new(def: CrowdDef) -> Result<Crowd, CrowdError> {
        def.check()?;
        Ok(Crowd { def, ..Crowd::default() })
    }

    /// The settings.
    #[must_use]
    pub fn def(&self) -> &CrowdDef {
        &self.def
    }

    /// Makes a body an agent. It stands at its place until it gets an order.
    ///
    /// # Errors
    ///
    /// There is no such body, it is not dynamic or already an agent, or a number is out of its
    /// range.
    pub fn add(&mut self, world: &World, body: BodyId, agent: Agent) -> Result<AgentId, CrowdError> {
        agent.check()?;
        let row = world.get(body).ok_or(CrowdError::NoSuchBody)?;
        if row.kind() != BodyKind::Dynamic {
            return Err(CrowdError::NotDynamic);
        }
        if self.agent_of(body).is_some() {
            return Err(CrowdError::TakenBody);
        }
        let index = self.free.pop().unwrap_or(self.walkers.len() as u32);
        if index as usize == self.walkers.len() {
            self.walkers.push(None);
            self.generations.push(0);
        }
        let generation = self.generations[index as usize] + 1;
        self.generations[index as usize] = generation;
        self.walkers[index as usize] = Some(Walker {
            agent,
            body,
            generation,
            task: Task::Stand,
            way: Vec::new(),
            start: row.world_center(),
            at: 0,
            home: row.world_center(),
            key: own_key(index),
            heading: Vec2::ZERO,
            wall: Vec2::ZERO,
            sight: self.def.sight / 2.0,
            clear: 0.0,
            look: 0,
            left: 0.0,
            gained: 0.0,
            waited: 0.0,
            progress: 0.0,
            elapsed: 0.0,
            slow: 0,
            returns: false,
            stuck: false,
            courteous: false,
            fresh: false,
            begins: false,
            strayed: false,
            lost: false,
            sent: false,
            arrived: false,
            backs: 0,
            first: false,
            urgency: 0,
        });
        if let Some(row) = self.rows.get_mut(index as usize) {
            *row = Row::ABSENT;
        }
        self.near.enter(body, index);
        Ok(AgentId { index, generation })
    }

    /// Removes an agent; its body stays in the world. Returns whether the agent existed.
    pub fn remove(&mut self, id: AgentId) -> bool {
        if self.walker(id).is_none() {
            return false;
        }
        self.drop_walker(id.index);
        true
    }

    fn drop_walker(&mut self, index: u32) {
        if let Some(walker) = self.walkers[index as usize].take() {
            self.near.leave(walker.body, index);
            self.free.push(index);
            self.leave_flocks(index);
        }
    }

    /// Number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.walkers.len() - self.free.len()
    }

    /// Whether there are no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All agents, in the order of their indices.
    pub fn agents(&self) -> impl Iterator<Item = AgentId> {
        (0..).zip(&self.walkers).filter_map(|(index, walker)| {
            walker.as_ref().map(|walker| AgentId { index, generation: walker.generation })
        })
    }

    /// The body of an agent.
    #[must_use]
    pub fn body(&self, id: AgentId) -> Option<BodyId> {
        self.walker(id).map(|walker| walker.body)
    }

    /// The agent of a body.
    #[must_use]
    pub fn agent_of(&self, body: BodyId) -> Option<AgentId> {
        let index = self.near.agent_of(body)?;
        let walker = self.walkers.get(index as usize)?.as_ref()?;
        (walker.body == body).then_some(AgentId { index, generation: walker.generation })
    }

    /// The definition of an agent.
    #[must_use]
    pub fn get(&self, id: AgentId) -> Option<&Agent> {
        self.walker(id).map(|walker| &walker.agent)
    }

    /// Changes the definition of an agent, for example its speed.
    ///
    /// # Errors
    ///
    /// The agent was removed, or a number is out of its range.
    pub fn set(&mut self, id: AgentId, agent: Agent) -> Result<(), CrowdError> {
        agent.check()?;
        self.walker_mut(id)?.agent = agent;
        Ok(())
    }

    /// Events of the last call of [`steer`](Crowd::steer), by agent.
    #[must_use]
    pub fn events(&self) -> &[CrowdEvent] {
        &self.events
    }

    /// Sets the number of threads that choose velocities; 0 and 1 mean the caller's thread alone.
    /// The bits stay the same. It pays off from some thousand agents on.
    #[cfg(feature = "parallel")]
    pub fn set_threads(&mut self, count: usize) {
        self.threads = count.min(64);
    }

    fn walker(&self, id: AgentId) -> Option<&Walker> {
        self.walkers.get(id.index())?.as_ref().filter(|walker| walker.generation == id.generation)
    }

    fn walker_mut(&mut self, id: AgentId) -> Result<&mut Walker, CrowdError> {
        let walker = self.walkers.get_mut(id.index()).and_then(Option::as_mut);
        walker.filter(|walker| walker.generation == id.generation).ok_or(CrowdError::NoSuchAgent)
    }
}
