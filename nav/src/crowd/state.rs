//! The state of an agent, for games that ask instead of listening to events.
//!
//! In: an agent, as its last tick left it. Out: its task, what is left of it, and its wish.

use carom::{Vec2, WorldPoint};

use super::orders::Task;
use super::{AgentId, Crowd};

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Doing {
    /// It was never sent, and stands.
    Unsent,
    /// It stands because it was told to, or because its leader is gone.
    Stopped,
    /// It came to the goal of its last order, and stands.
    Arrived,
    /// It walks along a path.
    Walking,
    /// It follows a field.
    Streaming,
    /// It follows the leader of a flock.
    Following,
    /// It wanders.
    Wandering,
}

/// State of an agent: see [`Crowd::state`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentState {
    /// What it does.
    pub doing: Doing,
    /// What is left of its path, in metres: along the corners for an agent that walks, by the field
    /// for one that streams. `None` before the first tick, where a field does not know, and for
    /// other agents.
    pub left: Option<f32>,
    /// The next corner of the path of an agent that walks.
    pub next: Option<WorldPoint>,
    /// The velocity that it would have if it were alone, in m/s; zero before the first tick.
    pub wish: Vec2,
    /// Whether it wants to go on and cannot: see [`CrowdEvent::Stuck`](super::CrowdEvent::Stuck).
    pub is_stuck: bool,
}

impl Crowd {
    /// The state of an agent after the last tick; `None` if it was removed.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom_nav::crowd::{Agent, Crowd, Doing};
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// let (mut crowd, agent) = (Crowd::default(), Agent::default());
    /// let body = world.add(agent.body([0.0, 0.0]))?;
    /// let guard = crowd.add(&world, body, agent)?;
    /// assert_eq!(crowd.state(guard).unwrap().doing, Doing::Unsent);
    /// crowd.go(guard, [10.0, 0.0])?;
    /// crowd.steer(&mut world, 1.0 / 60.0)?;
    /// let state = crowd.state(guard).unwrap();
    /// assert!(state.doing == Doing::Walking && state.left == Some(10.0) && !state.is_stuck);
    /// assert_eq!((state.next, state.wish), (Some([10.0, 0.0].into()), vec2(1.4, 0.0)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// After [`load`](Crowd::load) the wish, and what is left by a field, are known again from the
    /// next tick on.
    #[must_use]
    pub fn state(&self, id: AgentId) -> Option<AgentState> {
        let walker = self.walker(id)?;
        let row = self.rows.get(id.index()).filter(|row| row.present);
        let (doing, left, next) = match walker.task {
            Task::Stand if walker.arrived => (Doing::Arrived, None, None),
            Task::Stand if walker.sent => (Doing::Stopped, None, None),
            Task::Stand => (Doing::Unsent, None, None),
            Task::Way { .. } => {
                let left = (!walker.begins).then_some(walker.left);
                (Doing::Walking, left, walker.way.get(walker.at as usize).copied())
            }
            Task::Stream { .. } => {
                // Before its first tick the row is of another order.
                let row = row.filter(|row| row.key == walker.key && row.left.is_finite());
                (Doing::Streaming, row.map(|row| row.left), None)
            }
            Task::Flock { .. } => (Doing::Following, None, None),
            Task::Wander(_) => (Doing::Wandering, None, None),
        };
        let wish = row.map_or(Vec2::ZERO, |row| row.wish);
        Some(AgentState { doing, left, next, wish, is_stuck: self.is_stuck(id) })
    }

    /// Whether it has no task: it arrived, was told to stand, or was never sent.
    #[must_use]
    pub fn is_idle(&self, id: AgentId) -> bool {
        self.walker(id).is_none_or(super::Walker::is_idle)
    }

    /// Whether it wants to go on and cannot: from [`CrowdEvent::Stuck`](super::CrowdEvent::Stuck)
    /// until it makes progress.
    #[must_use]
    pub fn is_stuck(&self, id: AgentId) -> bool {
        self.walker(id).is_some_and(|walker| walker.stuck && !walker.is_idle())
    }
}
