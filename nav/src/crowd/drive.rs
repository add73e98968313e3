//! The tick: its stages in order; and forces from velocities.
//!
//! In: the world. Out: forces on the bodies of agents, for the step that follows; events.

use carom::{BodyKind, Vec2, World};

use super::choose::{Outcome, Row, Scene, Scratch};
use super::field::{Fields, NoFields};
use super::math::{dot, length, max, min, unit};
use super::orders::Task;
use super::{AgentId, Crowd, CrowdError, CrowdEvent, Walker};

/// Below this speed, in m/s, chosen and present, no force is applied, so that bodies fall asleep;
/// except for agents that wait for a comrade.
const STILL: f32 = 0.01;

/// Walls may move or be built: they are searched again after this many ticks.
const LOOK: u32 = 8;

/// An agent that wants to go on is stuck if it makes less than `ON` metres in `PATIENCE` seconds;
/// slow agents need only a quarter of the distance that they would walk.
const ON: f32 = 0.5;
const PATIENCE: f32 = 2.0;

/// Time counts as this share towards `PATIENCE` while agents in sight get on.
const IN_A_QUEUE: f32 = 0.2;

/// An agent backs out for this many ticks after the last one that comes towards it.
const BACKS: u32 = 120;

/// An agent that comes no nearer for this many ticks, beside an arrived comrade, has arrived too.
const BESIDE_TICKS: u32 = 20;

/// Six agents of one size around a goal are two radii from it: a goal so near is full if other
/// agents with this goal are beside.
const AROUND: f32 = 2.0;

/// An agent held up for this many ticks on its way home, with no walking agent near, stays at its
/// place.
const GIVE_UP: u32 = 60;

impl Crowd {
    /// Steers all agents for a tick: applies forces to their bodies, for the next step, which must
    /// have the same length. Agents that stream stand still; see [`steer_by`](Crowd::steer_by).
    ///
    /// # Errors
    ///
    /// A `dt` that is not above 0 and at most a second; nothing is changed then.
    pub fn steer(&mut self, world: &mut World, dt: f32) -> Result<(), CrowdError> {
        self.steer_by(world, &NoFields, dt)
    }

    /// Steers all agents for a tick, with the fields for agents that stream.
    ///
    /// # Errors
    ///
    /// A `dt` that is not above 0 and at most a second; nothing is changed then.
    pub fn steer_by(
        &mut self,
        world: &mut World,
        fields: &(impl Fields + ?Sized),
        dt: f32,
    ) -> Result<(), CrowdError> {
        if !(dt > 0.0 && dt <= 1.0) {
            return Err(CrowdError::BadNumber("a tick takes more than 0 and at most 1 s"));
        }
        self.events.clear();
        self.read(world, dt);
        self.follow_orders(fields, dt);
        self.near.find_neighbours(&self.rows);
        if self.rows.iter().any(|row| row.present && row.looks) {
            // Otherwise each search for walls would test all boxes that moved since the last step.
            world.prepare_queries();
        }
        self.choose(world);
        self.limit(dt);
        self.part(dt);
        self.drive(world, dt);
        self.events.sort_unstable_by_key(|event| match *event {
            CrowdEvent::Arrived(id) | CrowdEvent::Stuck(id) | CrowdEvent::Gone(id) => id,
        });
        self.tick += 1;
        Ok(())
    }

    /// Reads bodies into rows. Removes agents whose bodies are gone.
    fn read(&mut self, world: &World, dt: f32) {
        self.rows.clear();
        for index in 0..self.walkers.len() {
            let Some(walker) = &mut self.walkers[index] else {
                self.rows.push(Row::ABSENT);
                continue;
            };
            let body = world.get(walker.body).filter(|body| body.kind() == BodyKind::Dynamic);
            let Some(body) = body else {
                let id = AgentId { index: index as u32, generation: walker.generation };
                self.drop_walker(index as u32);
                self.events.push(CrowdEvent::Gone(id));
                self.rows.push(Row::ABSENT);
                continue;
            };
            let velocity = body.velocity();
            walker.clear -= length(velocity) * dt;
            walker.look = walker.look.saturating_sub(1);
            let agent = &walker.agent;
            let checks = matches!(walker.task, Task::Way { .. })
                && (self.tick + index as u64).is_multiple_of(u64::from(LOOK))
                && (walker.strayed || walker.wall != Vec2::ZERO);
            self.rows.push(Row {
                place: body.world_center(),
                velocity,
                radius: agent.radius,
                speed: agent.speed,
                horizon: max(agent.horizon, 4.0 * dt),
                sight: walker.sight,
                priority: agent.priority,
                present: body.is_enabled(),
                idle: true,
                asleep: !body.is_awake(),
                stuck: walker.stuck,
                backs: walker.backs > 0,
                looks: walker.clear <= 0.0 || walker.look == 0 || checks,
                strayed: walker.strayed,
                checks,
                ..Row::ABSENT
            });
        }
    }

    /// Lets all agents choose a velocity.
    fn choose(&mut self, world: &World) {
        self.outcomes.clear();
        self.outcomes.resize(self.rows.len(), Outcome::default());
        self.places.clear();
        self.places.extend(self.rows.iter().map(|row| row.place));
        self.locals.clear();
        let mut regions = self.rows.iter().filter(|row| row.present).map(|row| row.place.region);
        let region = regions.next();
        if regions.all(|other| Some(other) == region) {
            self.locals.extend(self.rows.iter().map(|row| row.place.local));
        }
        let scene = Scene {
            world,
            def: &self.def,
            rows: &self.rows,
            places: &self.places,
            locals: &self.locals,
            paths: &self.paths,
            near: &self.near,
            tick: self.tick,
        };
        let count = self.threads.max(1);
        let share = self.rows.len().div_ceil(count).max(1);
        let work = |first: usize, outcomes: &mut [Outcome]| {
            let mut scratch = Scratch::default();
            for (index, outcome) in (first..).zip(outcomes) {
                *outcome = scene.choose(index, &mut scratch);
            }
        };
        let mut parts = self.outcomes.chunks_mut(share).enumerate();
        let Some((_, own)) = parts.next() else { return };
        std::thread::scope(|scope| {
            for (part, outcomes) in parts {
                let work = &work;
                scope.spawn(move || work(part * share, outcomes));
            }
            work(0, own);
        });
    }

    /// Limits changes of velocity to each agent's acceleration.
    fn limit(&mut self, dt: f32) {
        for ((walker, row), outcome) in self.walkers.iter().zip(&self.rows).zip(&mut self.outcomes) {
            let Some(walker) = walker.as_ref().filter(|_| row.present) else { continue };
            let change = outcome.velocity - row.velocity;
            let most = walker.agent.acceleration * dt;
            outcome.velocity =
                row.velocity + change * min(1.0, most / max(length(change), f32::MIN_POSITIVE));
        }
    }

    /// Turns velocities into forces, and makes events.
    fn drive(&mut self, world: &mut World, dt: f32) {
        for index in 0..self.rows.len() {
            let (row, outcome) = (&self.rows[index], &self.outcomes[index]);
            let Some(walker) = self.walkers[index].as_mut().filter(|_| row.present) else { continue };
            let id = AgentId { index: index as u32, generation: walker.generation };
            // Keeps the observations of the choice.
            if let Some(clear) = outcome.clear {
                (walker.clear, walker.look, walker.wall) = (clear, LOOK, outcome.wall);
            }
            if let Some((hidden, is_lost)) = outcome.hidden {
                // An agent that was pushed back around a corner goes around it again.
                walker.strayed = hidden;
                walker.lost = is_lost && walker.at == 0;
                walker.at = walker.at.saturating_sub(u32::from(is_lost));
            }
            walker.first = outcome.first;
            let is_way = matches!(walker.task, Task::Way { .. });
            walker.backs = if outcome.backs && is_way { BACKS } else { walker.backs.saturating_sub(1) };
            walker.urgency = outcome.urgency;
            walker.sight = sight(walker.sight, outcome.seen, &self.def);
            if row.asleep && outcome.velocity == Vec2::ZERO {
                continue;
            }
            // The force that brings the body to the chosen velocity in this step.
            let change = outcome.velocity - row.velocity;
            let waits = outcome.beside_comrade && !row.idle;
            if dot(row.velocity, row.velocity) > STILL * STILL
                || dot(outcome.velocity, outcome.velocity) > STILL * STILL
                || waits
            {
                let mass = world.get(walker.body).map_or(0.0, |body| body.mass());
                let force = change * (mass / max(dt, SHORTEST));
                // The body existed when rows were read, and the force is within range, so it is
                // accepted.
                let driven = world.apply_force(walker.body, Vec2::new(within(force.x), within(force.y)));
                debug_assert!(driven.is_ok(), "a force of an agent is one that a body takes");
            }
            if walker.arrives_or_gives_up(row, outcome, dt) {
                if !walker.is_idle() {
                    self.events.push(CrowdEvent::Arrived(id));
                }
                walker.arrive(row.place);
            } else if walker.becomes_stuck(row, outcome.flows, dt) {
                self.events.push(CrowdEvent::Stuck(id));
            }
        }
    }
}

impl Walker {
    /// Whether the agent has arrived beside comrades, or gives up its way home.
    ///
    /// An agent arrives without being at its goal when it comes no nearer because comrades are
    /// there: beside an arrived one, or beside any comrade while the goal is so near that they
    /// stand around it. The next ring arrives beside this one, and so on.
    fn arrives_or_gives_up(&mut self, row: &Row, outcome: &Outcome, dt: f32) -> bool {
        let moved = match self.task {
            // Agents that circle around their goal are as fast as others, but come no nearer.
            Task::Way { disc: 0.0, .. } => (self.left - row.left) / dt,
            _ => length(row.velocity),
        };
        let is_held = match self.task {
            Task::Way { disc: 0.0, .. } => {
                outcome.beside_arrived || outcome.beside_comrade && row.left < AROUND * row.radius
            }
            Task::Way { .. } => outcome.beside_arrived,
            Task::Stand => !outcome.pressed && wants(row),
            _ => false,
        };
        let is_slow = is_held && moved < 0.4 * length(row.wish);
        self.slow = if is_slow { self.slow.saturating_add(1) } else { self.slow.saturating_sub(1) };
        match self.task {
            Task::Way { disc, .. } => self.slow >= BESIDE_TICKS && (disc == 0.0 || row.left < disc),
            Task::Stand => self.slow >= GIVE_UP,
            _ => false,
        }
    }

    /// Measures the agent's progress. Returns whether it has just become stuck.
    fn becomes_stuck(&mut self, row: &Row, flows: bool, dt: f32) -> bool {
        let was_stuck = self.stuck;
        self.update_courtesy(row, dt);
        if matches!(self.task, Task::Way { .. }) && row.speed > 0.0 {
            self.measure_progress(row, flows, dt);
        } else {
            self.stuck = self.courteous;
        }
        self.stuck && !was_stuck && !self.is_idle()
    }

    /// Courtesy begins when the agent is held up, and ends when it makes progress in any direction
    /// that it wants: also aside, where courtesy leads it. (Until it comes nearer to its goal: 24
    /// on a circle of 12 m take 1.62 times the straight time, not 1.5, and doors have pauses of 6
    /// s.)
    fn update_courtesy(&mut self, row: &Row, dt: f32) {
        if !wants(row) {
            (self.progress, self.elapsed, self.courteous) = (0.0, 0.0, false);
            return;
        }
        // The way back to the leg is no progress.
        self.progress += if self.strayed { 0.0 } else { dot(row.velocity, unit(row.wish)) * dt };
        self.elapsed += dt;
        if self.progress >= least_progress(row) {
            (self.progress, self.elapsed, self.courteous) = (0.0, 0.0, false);
        } else if self.elapsed >= PATIENCE {
            (self.progress, self.elapsed, self.courteous) = (0.0, 0.0, true);
        }
    }

    /// An agent makes progress when less is left of its path than ever before. (Any motion in the
    /// wanted direction is not enough: it may swing to and fro beside a wall for ever.)
    fn measure_progress(&mut self, row: &Row, flows: bool, dt: f32) {
        let moved = self.left - row.left;
        self.left = row.left;
        // An agent that was carried back gets the time to return.
        let comes_back = self.gained < 0.0 && moved > 0.5 * row.speed * dt;
        self.gained += moved;
        // Where others get on, its turn comes.
        let waits = if flows { IN_A_QUEUE } else { 1.0 };
        self.waited += if comes_back || row.backs { 0.0 } else { waits * dt };
        if self.gained >= least_progress(row) {
            (self.gained, self.waited, self.stuck) = (0.0, 0.0, false);
        } else if self.waited >= PATIENCE {
            (self.gained, self.waited, self.stuck) = (min(self.gained, 0.0), 0.0, true);
        }
    }
}

/// Least distance in `PATIENCE` of an agent that is not stuck, in metres.
fn least_progress(row: &Row) -> f32 {
    min(ON, row.speed * PATIENCE * 0.25)
}

/// Whether it wants to go on at a noticeable speed.
fn wants(row: &Row) -> bool {
    length(row.wish) > 0.1 * row.speed
}

/// Steps that are shorter than this, in seconds, move nothing.
const SHORTEST: f32 = 1.0e-9;

/// Greatest force along an axis that a body accepts, in N.
const MOST_FORCE: f32 = 1.0e9;

/// A force along an axis, clamped to the greatest one.
fn within(force: f32) -> f32 {
    max(min(force, MOST_FORCE), -MOST_FORCE)
}

/// Half the side of a box of sight, adapted so that slightly more agents are in sight than count.
fn sight(before: f32, seen: u32, def: &super::CrowdDef) -> f32 {
    let most = def.sight / 2.0;
    let count = def.neighbours as u32;
    if seen > 2 * count {
        before * 0.9
    } else if seen < count + count / 2 {
        min(before * 1.05, most)
    } else {
        before
    }
}
