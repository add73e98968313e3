//! Agents: their definition, events and errors.

use core::fmt;

use carom::{BodyDef, Locks, Material, Shape, WorldPoint};

use crate::state::id_bits;

/// Definition of an agent. You make its body; [`Agent::body`] makes a fitting one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent {
    /// Radius of the agent's disc, which others avoid, in metres; equal to the radius of the body.
    pub radius: f32,
    /// Speed of the agent when nothing is in its way, in m/s.
    pub speed: f32,
    /// Greatest change of its velocity, in m/s². Not a force: a heavier agent is as agile, and
    /// pushes harder.
    pub acceleration: f32,
    /// Time ahead for which it avoids other agents, in seconds; at least four steps.
    pub horizon: f32,
    /// An agent of lower priority makes all the way for one of higher priority.
    pub priority: u8,
}

impl Default for Agent {
    fn default() -> Agent {
        Agent { radius: 0.4, speed: 1.4, acceleration: 20.0, horizon: 2.0, priority: 0 }
    }
}

impl Agent {
    /// A body that fits the agent: a dynamic disc that does not turn, without friction, as heavy as
    /// its area.
    #[must_use]
    pub fn body(&self, place: impl Into<WorldPoint>) -> BodyDef {
        BodyDef::dynamic()
            .at(place)
            .shape(Shape::circle(self.radius))
            .material(Material { restitution: 0.0, ..Material::default() }.friction(0.0))
            .locks(Locks::ROTATION)
    }

    pub(super) fn check(&self) -> Result<(), CrowdError> {
        let all = [
            (1e-3..=1e3).contains(&self.radius),
            (0.0..=1e3).contains(&self.speed),
            (1e-3..=1e6).contains(&self.acceleration),
            (0.05..=60.0).contains(&self.horizon),
        ];
        let rules = [
            "an agent's radius is 1 mm to 1 km",
            "an agent's speed is 0 to 1,000 m/s",
            "an agent's acceleration is 0.001 to 1e6 m/s²",
            "an agent looks 0.05 to 60 s ahead",
        ];
        all.iter().position(|is_good| !is_good).map_or(Ok(()), |rule| Err(CrowdError::BadNumber(rules[rule])))
    }
}

/// An agent of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

id_bits!(AgentId);

impl AgentId {
    /// Its index among the agents: a small number, used again after removal.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Event of the last call of [`Crowd::steer`](super::Crowd::steer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrowdEvent {
    /// The agent is at its goal, or comes no nearer because comrades are there: it touches an
    /// arrived one, or stands around the goal with others.
    Arrived(AgentId),
    /// The agent wants to go on, but its path became less than half a metre shorter in two seconds;
    /// reported once, until it makes progress. A good time to search for another path. An agent
    /// that was carried off its path makes progress when it is nearer to its goal than before; its
    /// way back does not count as waiting, and waiting beside an agent that gets on counts less.
    /// See [`Crowd::is_stuck`](super::Crowd::is_stuck).
    Stuck(AgentId),
    /// The body is gone from the world, or is no longer dynamic; the agent was removed.
    Gone(AgentId),
}

/// The rule that a call broke; nothing was changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrowdError {
    /// The world has no such body.
    NoSuchBody,
    /// Only dynamic bodies can be driven by forces.
    NotDynamic,
    /// The body is an agent already.
    TakenBody,
    /// The agent was removed.
    NoSuchAgent,
    /// A number is NaN, infinite, or outside its range; the text states the rule.
    BadNumber(&'static str),
}

impl fmt::Display for CrowdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CrowdError::NoSuchBody => write!(f, "the world has no such body"),
            CrowdError::NotDynamic => write!(f, "an agent's body is dynamic"),
            CrowdError::TakenBody => write!(f, "the body is an agent already"),
            CrowdError::NoSuchAgent => write!(f, "the agent was removed"),
            CrowdError::BadNumber(rule) => write!(f, "{rule}"),
        }
    }
}

impl core::error::Error for CrowdError {}
