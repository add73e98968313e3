//! Orders for agents. Repeating an order changes nothing.

use carom::{QueryFilter, Vec2, World, WorldPoint, WorldRay};

use super::choose::is_wall;
use super::flock::Flock;
use super::math::{length, scatter};
use super::{AgentId, Crowd, CrowdError, Walker, Wander};
use crate::grid::{Path, Tiling};
use crate::mesh::Way;

/// Task of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Task {
    /// Stands at home, and comes back when it was pushed away.
    Stand,
    /// Walks along its path, and then stands. Comrades have the same key; an agent within `disc` of
    /// the goal (0: anywhere) that touches an arrived one has arrived too.
    Way { key: u32, disc: f32 },
    /// Follows a field to its goal.
    Stream { field: u32 },
    /// Follows the leader of a flock.
    Flock { flock: u32 },
    /// Wanders.
    Wander(Wander),
}

/// Greatest distance of lines from the arcs of a way that they stand for, in radii of the way, and in
/// metres for a way of a point.
const SAG: f32 = 0.05;
const LEAST_SAG: f32 = 0.001;

const NOT_A_PLACE: CrowdError = CrowdError::BadNumber("a place is a valid point");

impl Walker {
    /// Begins another task.
    pub(super) fn begin(&mut self, task: Task) {
        if task != Task::Stand {
            (self.sent, self.arrived) = (true, false);
        }
        self.task = task;
        self.at = 0;
        (self.left, self.gained, self.waited) = (0.0, 0.0, 0.0);
        (self.progress, self.elapsed, self.slow) = (0.0, 0.0, 0);
        (self.returns, self.stuck, self.courteous) = (false, false, false);
        (self.begins, self.strayed, self.lost) = (false, false, false);
        self.backs = 0;
    }

    /// Ends the task; the agent stands at `home`.
    pub(super) fn rest(&mut self, home: WorldPoint) {
        self.begin(Task::Stand);
        self.home = home;
        self.returns = true;
    }

    /// Ends the task at its goal; the agent stands at `home`.
    pub(super) fn arrive(&mut self, home: WorldPoint) {
        self.arrived |= !self.is_idle();
        self.rest(home);
    }

    fn walk(&mut self, way: &[WorldPoint], key: u32, disc: f32) {
        let is_new = self.way != way || !matches!(self.task, Task::Stand | Task::Way { .. });
        if is_new {
            self.way.clear();
            self.way.extend_from_slice(way);
            self.begin(Task::Way { key, disc });
            self.begins = true;
            self.key = key;
        }
    }
}

/// Orders.
impl Crowd {
    /// Sends an agent straight to a place.
    ///
    /// # Errors
    ///
    /// The agent was removed, or the place is not a valid point (not finite, or too far out).
    pub fn go(&mut self, id: AgentId, place: impl Into<WorldPoint>) -> Result<(), CrowdError> {
        self.follow(id, &[place.into()])
    }

    /// Sends an agent along a path, from corner to corner; the last corner is its goal.
    ///
    /// Agents whose paths end in one place are comrades: the nearer one goes first, and an agent
    /// that comes no nearer, beside an arrived one or with others around the goal, has arrived too.
    /// Agents whose paths turn near one place and lead on in one direction, as at a door, are
    /// comrades there. Two streams that come through one place against each other take turns; a
    /// path that goes straight through a door has no corner there and takes part only beside paths
    /// with one.
    ///
    /// # Errors
    ///
    /// The agent was removed, or there is no corner, or a corner is no valid place.
    pub fn follow(&mut self, id: AgentId, way: &[WorldPoint]) -> Result<(), CrowdError> {
        let goal = *way.last().ok_or(CrowdError::BadNumber("a way has a corner at least"))?;
        if !way.iter().all(|corner| corner.is_valid()) {
            return Err(NOT_A_PLACE);
        }
        self.walker_mut(id)?.walk(way, key_of(goal), 0.0);
        Ok(())
    }

    /// Sends an agent along a way of a mesh, given the position of the mesh's middle:
    /// [`Ground::origin`](crate::mesh::Ground::origin).
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom_nav::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
    /// world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(1.0, 4.0)))?;
    /// let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
    /// let mut ground = Ground::new([0.0, 0.0]);
    /// mesh.sync(&world, &mut ground);
    /// let (mut crowd, agent, mut way) = (Crowd::default(), Agent::default(), Way::default());
    /// let body = world.add(agent.body([0.0, 0.0]))?;
    /// let guard = crowd.add(&world, body, agent)?;
    /// mesh.way([0.0, 0.0], [10.0, 0.0], agent.radius, &mut way)?;
    /// crowd.follow_way(guard, ground.origin, &way)?;
    /// for _ in 0..600 {
    ///     crowd.steer(&mut world, 1.0 / 60.0)?;
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert_eq!(crowd.state(guard).map(|state| state.doing), Some(Doing::Arrived));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// Arcs about corners become corners at most a twentieth of the way's radius beside them.
    ///
    /// # Errors
    ///
    /// The agent was removed, the way is empty, or a corner is no valid place.
    pub fn follow_way(
        &mut self,
        id: AgentId,
        origin: impl Into<WorldPoint>,
        way: &Way,
    ) -> Result<(), CrowdError> {
        if way.is_empty() {
            return Err(CrowdError::BadNumber("a way has a corner at least"));
        }
        let mut points = core::mem::take(&mut self.places);
        way.world_points(origin, super::math::max(way.radius() * SAG, LEAST_SAG), &mut points);
        // The agent stands at the first point.
        let followed = self.follow(id, &points[1..]);
        self.places = points;
        followed
    }

    /// Sends an agent along a path over tiles, from turn to turn.
    ///
    /// # Errors
    ///
    /// The agent was removed, the path is empty, or a turn is no valid place.
    pub fn follow_path(&mut self, id: AgentId, tiling: &Tiling, path: &Path) -> Result<(), CrowdError> {
        let mut points = core::mem::take(&mut self.places);
        tiling.points(path, &mut points);
        let followed = self.follow(id, if points.len() > 1 { &points[1..] } else { &points });
        self.places = points;
        followed
    }

    /// Makes an agent follow a field, by its number in [`steer_by`](Crowd::steer_by).
    ///
    /// # Errors
    ///
    /// The agent was removed.
    pub fn stream(&mut self, id: AgentId, field: u32) -> Result<(), CrowdError> {
        let walker = self.walker_mut(id)?;
        if walker.task != (Task::Stream { field }) {
            walker.way.clear();
            walker.key = scatter(u64::from(field)) as u32;
            walker.begin(Task::Stream { field });
        }
        Ok(())
    }

    /// Makes an agent stop at its place.
    ///
    /// # Errors
    ///
    /// The agent or its body was removed.
    pub fn stand(&mut self, world: &World, id: AgentId) -> Result<(), CrowdError> {
        let walker = self.walker_mut(id)?;
        let home = world.get(walker.body).ok_or(CrowdError::NoSuchBody)?.world_center();
        if walker.task != Task::Stand {
            walker.way.clear();
            walker.rest(home);
        }
        walker.arrived = false;
        // It is no comrade any more: beside one who stops half way nobody has arrived.
        walker.key = own_key(id.index);
        Ok(())
    }

    /// Makes an agent wander.
    ///
    /// # Errors
    ///
    /// The agent was removed, or a number is out of its range.
    pub fn wander(&mut self, id: AgentId, wander: Wander) -> Result<(), CrowdError> {
        if !(0.0..=100.0).contains(&wander.turn) {
            return Err(CrowdError::BadNumber("an agent turns by 0 to 100 radians a second"));
        }
        if let Some((middle, radius)) = wander.leash
            && !(middle.is_valid() && (0.0..=1e6).contains(&radius))
        {
            return Err(CrowdError::BadNumber("a leash is a place, and 0 to 1,000 km"));
        }
        let walker = self.walker_mut(id)?;
        if walker.task != Task::Wander(wander) {
            walker.way.clear();
            walker.begin(Task::Wander(wander));
            walker.heading = Vec2::ZERO;
        }
        Ok(())
    }

    /// Sends a group to a place: each agent to a spot of its own, in rings around the place,
    /// without a wall on it or between it and the place. The nearest agents get the innermost
    /// spots.
    ///
    /// If there are fewer spots than agents, the others go to the place itself, and arrive when
    /// they touch an arrived one.
    ///
    /// # Errors
    ///
    /// An agent was removed, or the place is invalid; no agent is sent then.
    pub fn gather(
        &mut self,
        world: &World,
        ids: &[AgentId],
        place: impl Into<WorldPoint>,
    ) -> Result<(), CrowdError> {
        let place = place.into();
        if !place.is_valid() {
            return Err(NOT_A_PLACE);
        }
        let (mut order, mut radius) = (Vec::new(), 0.0_f32);
        for &id in ids {
            let walker = self.walker(id).ok_or(CrowdError::NoSuchAgent)?;
            let body = world.get(walker.body).ok_or(CrowdError::NoSuchBody)?;
            order.push((length(body.world_center().to(place)), id));
            radius = super::math::max(radius, walker.agent.radius);
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let spots = self.spots(world, place, order.len(), radius);
        let key = key_of(place);
        let disc = radius * 2.4 * ((order.len() as f32).sqrt() + 1.0);
        for (k, (_, id)) in order.into_iter().enumerate() {
            let spot = spots.get(k).copied().unwrap_or(place);
            self.walker_mut(id)?.walk(&[spot], key, disc);
        }
        Ok(())
    }

    /// Spots in hexagonal rings about a place.
    fn spots(&self, world: &World, place: WorldPoint, count: usize, radius: f32) -> Vec<WorldPoint> {
        let is_wall = |shape| is_wall(world, &self.near, shape);
        let filter = QueryFilter::default().mask(self.def.walls).only(&is_wall);
        let spacing = radius * 2.0 * (1.0 + 2.0 * self.def.margin);
        let mut spots = Vec::new();
        let mut ring = 0;
        // Land may be narrow, so the number of rings is bounded.
        while spots.len() < count && ring * ring < 4 * count + 64 {
            for offset in hexagon(ring) {
                let spot = place.offset(offset * spacing);
                let is_free = spot.is_valid()
                    && world.nearest(spot, radius, &filter).is_none()
                    && !world.ray_any(WorldRay::between(place, spot), &filter);
                if is_free && spots.len() < count {
                    spots.push(spot);
                }
            }
            ring += 1;
        }
        spots
    }

    /// Makes a flock: members follow the leader's trail, and stay together when it stands. If the
    /// leader is removed, the first member leads, and stands at its place.
    ///
    /// Members follow the leader's own trail, so no wall comes between. A member that cannot get to
    /// the trail is [`Stuck`](super::CrowdEvent::Stuck), and needs a path of its own.
    ///
    /// # Errors
    ///
    /// An agent was removed; no flock is made then.
    pub fn flock(&mut self, leader: AgentId, members: &[AgentId]) -> Result<(), CrowdError> {
        self.walker(leader).ok_or(CrowdError::NoSuchAgent)?;
        for &id in members {
            self.walker(id).ok_or(CrowdError::NoSuchAgent)?;
        }
        let mut indices: Vec<u32> = members.iter().map(|id| id.index).collect();
        indices.retain(|index| *index != leader.index);
        indices.sort_unstable();
        indices.dedup();
        if self.flocks.iter().any(|flock| flock.leader == leader.index && flock.members == indices) {
            return Ok(());
        }
        for &index in &indices {
            self.leave_flocks(index);
        }
        let flock = self.flocks.iter().position(Flock::is_over).unwrap_or(self.flocks.len());
        if flock == self.flocks.len() {
            self.flocks.push(Flock::default());
        }
        for &index in &indices {
            if let Some(walker) = &mut self.walkers[index as usize] {
                walker.way.clear();
                walker.begin(Task::Flock { flock: flock as u32 });
                walker.key = scatter(u64::from(leader.index) | 1 << 40) as u32;
                walker.at = u32::MAX;
            }
        }
        self.flocks[flock] = Flock::new(leader.index, indices);
        Ok(())
    }
}

/// A number for an agent without comrades.
pub(super) fn own_key(index: u32) -> u32 {
    scatter(u64::from(index) | 1 << 41) as u32
}

/// A number for a goal, equal for equal goals.
fn key_of(goal: WorldPoint) -> u32 {
    let half = |region: i32, local: f32| scatter(u64::from(region as u32) << 32 | u64::from(local.to_bits()));
    let x = half(goal.region.x, goal.local.x);
    scatter(x ^ half(goal.region.y, goal.local.y).rotate_left(17)) as u32
}

/// The spots of one hexagonal ring about the origin; neighbouring spots are 1 apart.
fn hexagon(ring: usize) -> impl Iterator<Item = Vec2> {
    // 0.866...: half the square root of 3.
    const H: f32 = 0.866_025_4;
    const SIDES: [Vec2; 6] = [
        Vec2::new(-0.5, H),
        Vec2::new(-1.0, 0.0),
        Vec2::new(-0.5, -H),
        Vec2::new(0.5, -H),
        Vec2::new(1.0, 0.0),
        Vec2::new(0.5, H),
    ];
    let mut at = Vec2::new(ring as f32, 0.0);
    let steps = if ring == 0 { 1 } else { 6 * ring };
    (0..steps).map(move |step| {
        let spot = at;
        at += SIDES[step * 6 / steps.max(6)];
        spot
    })
}
