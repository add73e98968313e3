//! The tick: a table of contents; and from velocities to forces.
//!
//! In: the world. Out: forces on the bodies of agents, for the step that follows; events.

use carom::{BodyKind, Vec2, World};

use super::choose::{Outcome, Row, Scene, Scratch};
use super::field::{Fields, NoFields};
use super::math::{dot, length, max, min, unit};
use super::orders::Task;
use super::{AgentId, Crowd, CrowdError, CrowdEvent};

/// Below this speed, in m/s, wished for and had, no force is applied: so bodies fall asleep.
const STILL: f32 = 0.01;

/// Walls may move or be built: after so many ticks they are searched again.
const LOOK: u32 = 8;

/// An agent that wants to go on and makes less than so many metres in so many seconds is stuck; for
/// slow agents a quarter of what they would walk.
const ON: f32 = 0.5;
const PATIENCE: f32 = 2.0;

/// An agent held up for so many ticks beside a comrade that arrived has arrived, too.
const BESIDE: u32 = 20;

/// An agent held up for so many ticks on its way home, with no walking agent near, stays where it
/// is.
const GIVE_UP: u32 = 60;

impl Crowd {
    /// Steers all agents for a tick: applies forces to their bodies, for a step of the same length
    /// that follows. Agents that stream stand still; see [`steer_by`](Crowd::steer_by).
    ///
    /// # Errors
    ///
    /// A `dt` that is not above 0 and at most a second; nothing is changed then.
    pub fn steer(&mut self, world: &mut World, dt: f32) -> Result<(), CrowdError> {
        self.steer_by(world, &NoFields, dt)
    }

    /// Steers all agents for a tick, with the fields that agents stream by.
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
        self.near.meet(&self.rows);
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

    /// Reads bodies into rows. Agents whose bodies are gone go too.
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

    /// Turns velocities into forces, and notes events.
    fn drive(&mut self, world: &mut World, dt: f32) {
        for index in 0..self.rows.len() {
            let (row, outcome) = (&self.rows[index], &self.outcomes[index]);
            let Some(walker) = self.walkers[index].as_mut().filter(|_| row.present) else { continue };
            let id = AgentId { index: index as u32, generation: walker.generation };
            // What the choice of the velocity found out.
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
            walker.urgency = outcome.urgency;
            walker.sight = sight(walker.sight, outcome.seen, &self.def);
            if row.asleep && outcome.velocity == Vec2::ZERO {
                continue;
            }
            // The force that brings the body to the chosen velocity in this step.
            let change = outcome.velocity - row.velocity;
            if dot(row.velocity, row.velocity) > STILL * STILL
                || dot(outcome.velocity, outcome.velocity) > STILL * STILL
            {
                let mass = world.get(walker.body).map_or(0.0, |body| body.mass());
                let force = change * (mass / max(dt, SHORTEST));
                // The body was there when rows were read, and nothing else is refused.
                let driven = world.apply_force(walker.body, Vec2::new(within(force.x), within(force.y)));
                debug_assert!(driven.is_ok(), "a force of an agent is one that a body takes");
            }
            // Progress, relative to the wanted speed.
            let wants = length(row.wish) > 0.1 * row.speed;
            if !wants {
                (walker.progress, walker.elapsed, walker.stuck) = (0.0, 0.0, false);
                continue;
            }
            // The way back to the leg is no progress.
            walker.progress += if walker.strayed { 0.0 } else { dot(row.velocity, unit(row.wish)) * dt };
            walker.elapsed += dt;
            // Arrived, or given up, beside agents that have arrived.
            let is_slow = length(row.velocity) < 0.4 * length(row.wish);
            let is_held = if walker.is_idle() { !outcome.pressed } else { outcome.beside_arrived };
            walker.slow = if is_slow && is_held { walker.slow + 1 } else { 0 };
            let is_home = match walker.task {
                Task::Way { disc, .. } => walker.slow >= BESIDE && (disc == 0.0 || row.left < disc),
                Task::Stand => walker.slow >= GIVE_UP,
                _ => false,
            };
            if is_home {
                if !walker.is_idle() {
                    self.events.push(CrowdEvent::Arrived(id));
                }
                walker.rest(row.place);
                continue;
            }
            // Stuck: too little progress for too long.
            let goal = min(ON, row.speed * PATIENCE * 0.25);
            if walker.progress >= goal {
                (walker.progress, walker.elapsed, walker.stuck) = (0.0, 0.0, false);
            } else if walker.elapsed >= PATIENCE {
                if !walker.stuck && !walker.is_idle() {
                    self.events.push(CrowdEvent::Stuck(id));
                }
                (walker.progress, walker.elapsed, walker.stuck) = (0.0, 0.0, true);
            }
        }
    }
}

/// Steps that are shorter than this, in seconds, move nothing.
const SHORTEST: f32 = 1.0e-9;

/// Greatest force along an axis that a body takes, in N.
const MOST_FORCE: f32 = 1.0e9;

/// A force along an axis, or the greatest one.
fn within(force: f32) -> f32 {
    max(min(force, MOST_FORCE), -MOST_FORCE)
}

/// Half the side of a box of sight, adapted so that slightly more agents are seen than count.
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
