//! Following: from orders to preferred velocities.
//!
//! In: orders and positions. Out: the velocity that each agent would have if it were alone, and its
//! remaining distance.

use carom::{Vec2, WorldPoint};

use super::choose::{Row, URGENT};
use super::comrades::{GATE_DEPTH, Path};
use super::field::Fields;
use super::math::{cross, dot, length, max, min, noise, turned, unit};
use super::orders::Task;
use super::{AgentId, Crowd, CrowdEvent, Walker};

/// Agents steer to a point this time ahead on their path, in seconds, so that they round corners.
const LEAD: f32 = 0.3;

/// Near its goal an agent slows down to the speed that would take this time, in seconds.
const SETTLE: f32 = 0.25;

/// A standing agent that was pushed away by the first share of its radius comes back, until it is
/// within the second share.
const PUSHED: f32 = 0.2;
const BACK: f32 = 0.05;

/// An agent farther from its leg than this many radii, with a wall before it, returns to the leg.
const STRAYED: f32 = 0.5;

/// A first agent waits if it makes less than this share of its speed.
const WAITS: f32 = 0.3;

/// A goal is reached within this share of the radius.
const REACHED: f32 = 0.25;

impl Crowd {
    /// Writes the preferred velocities of all agents into their rows.
    pub(super) fn follow_orders(&mut self, fields: &(impl Fields + ?Sized), dt: f32) {
        // Leaders extend the trails that their flocks follow.
        for flock in self.flocks.iter_mut().filter(|flock| !flock.is_over()) {
            if let Some(leader) = self.rows.get(flock.leader as usize).filter(|leader| leader.present) {
                flock.trace(leader);
                let walker = self.walkers[flock.leader as usize].as_ref();
                flock.stands = walker.is_some_and(Walker::is_idle);
            }
        }
        self.paths.clear();
        self.paths.resize(self.rows.len(), Path::default());
        for index in 0..self.rows.len() {
            let row = self.rows[index];
            let Some(walker) = self.walkers[index].as_mut().filter(|_| row.present) else { continue };
            // The preferred velocity by the task, and the remaining distance.
            let (mut wish, mut left) = match walker.task {
                Task::Stand => (walker.stay(&row), 0.0),
                Task::Way { .. } => {
                    let begins = walker.begins;
                    let (wish, left) = walker.walk_on(&mut self.rows[index]);
                    walker.left = if begins { left } else { walker.left };
                    (wish, left)
                }
                Task::Stream { field } => {
                    let left = fields.left(field, row.place);
                    if left == Some(0.0) {
                        walker.arrive(row.place);
                        let id = AgentId { index: index as u32, generation: walker.generation };
                        self.events.push(CrowdEvent::Arrived(id));
                        (Vec2::ZERO, 0.0)
                    } else {
                        (fields.heading(field, row.place) * row.speed, left.unwrap_or(f32::INFINITY))
                    }
                }
                Task::Flock { flock } => {
                    let leader = &self.flocks[flock as usize];
                    leader.lead(index as u32, walker, &row, &self.rows[leader.leader as usize])
                }
                Task::Wander(wander) => {
                    walker.heading =
                        wander.heading(index as u32, self.tick, row.place, walker.heading, walker.wall, dt);
                    (walker.heading * row.speed, 0.0)
                }
            };
            if walker.arrives(&row, left) {
                walker.arrive(walker.way.last().copied().unwrap_or(row.place));
                let id = AgentId { index: index as u32, generation: walker.generation };
                self.events.push(CrowdEvent::Arrived(id));
                left = 0.0;
            }
            let is_free_to_turn = !walker.is_idle()
                && !walker.strayed
                && !walker.first
                && walker.backs == 0
                && self.def.bias > 0.0;
            if walker.courteous && is_free_to_turn {
                // Courtesy when nothing else helps: to a random side for half a second, then to
                // another.
                let seed = u64::from(walker.generation) << 32 | index as u64;
                let (sin, cos) = carom::math::sin_cos(1.2 * noise(seed ^ (self.tick / 32) << 16));
                wish = turned(wish, (cos, sin));
            }
            // The values that neighbours see.
            self.paths[index] = walker.path(&row);
            let row = &mut self.rows[index];
            (row.wish, row.wish_size, row.left, row.key) = (wish, length(wish), left, walker.key);
            row.idle = wish == Vec2::ZERO || walker.is_idle();
            row.waits = walker.waits(row);
            row.urgency = if row.waits { walker.urgency.max(URGENT) } else { walker.urgency };
            row.asleep &= wish == Vec2::ZERO;
        }
    }
}

impl Walker {
    pub(super) fn is_idle(&self) -> bool {
        matches!(self.task, Task::Stand)
    }

    /// Whether the agent is first of its comrades, wants to go on at full speed, and hardly moves.
    fn waits(&self, row: &Row) -> bool {
        let goes = matches!(self.task, Task::Way { .. } | Task::Stream { .. });
        let on = dot(row.velocity, unit(row.wish));
        goes && self.first && length(row.wish) > 0.9 * row.speed && on < WAITS * row.speed
    }

    fn arrives(&self, row: &Row, left: f32) -> bool {
        matches!(self.task, Task::Way { .. }) && left < REACHED * row.radius
    }

    /// For a standing agent: the velocity back to its home, if it was pushed away.
    fn stay(&mut self, row: &Row) -> Vec2 {
        if core::mem::take(&mut self.fresh) {
            self.home = row.place;
        }
        let home = row.place.to(self.home);
        let distance = length(home);
        self.returns = distance > row.radius * if self.returns { BACK } else { PUSHED };
        if self.returns { towards(home, distance, row.speed) } else { Vec2::ZERO }
    }

    /// For a walking agent: the velocity to a point slightly ahead on the path; and the length of
    /// the rest of the path.
    fn walk_on(&mut self, row: &mut Row) -> (Vec2, f32) {
        let last = self.way.len() - 1;
        if self.backs > 0 {
            return self.walk_back(row);
        }
        while (self.at as usize) < last && self.has_passed(self.at as usize, row) {
            self.at += 1;
        }
        let at = self.at as usize;
        let corner = row.place.to(self.way[at]);
        let distance = length(corner);
        let rest = self.rest_from(at);
        if core::mem::take(&mut self.begins) {
            self.start = row.place;
        }
        // An agent pushed off its leg, with a wall between it and the corner, goes back to the leg.
        row.foot = if self.strayed { self.foot(row) } else { Vec2::ZERO };
        let back = if self.lost { row.place.to(self.start) } else { row.foot };
        let aside = length(back);
        if aside > STRAYED * row.radius {
            return (back * (row.speed / aside), aside + length(corner - back) + rest);
        }
        let left = distance + rest;
        if at == last {
            return (towards(corner, distance, row.speed), left);
        }
        let beyond = max(row.speed * LEAD - distance, 0.0);
        let next = self.way[at].to(self.way[at + 1]);
        let target = corner + unit(next) * min(beyond, length(next));
        (unit(target) * row.speed, left)
    }

    /// For an agent that backs out: the velocity back along the path, as far as its start; and the
    /// length of the rest of the path.
    fn walk_back(&mut self, row: &Row) -> (Vec2, f32) {
        let before = |walker: &Walker| match walker.at {
            0 => walker.start,
            at => walker.way[at as usize - 1],
        };
        while self.at > 0 && length(row.place.to(before(self))) < row.radius * 1.5 {
            self.at -= 1;
        }
        let to = row.place.to(before(self));
        let left = length(row.place.to(self.way[self.at as usize])) + self.rest_from(self.at as usize);
        (towards(to, length(to), row.speed), left)
    }

    /// Its path about the next corner, for ranking comrades.
    fn path(&self, row: &Row) -> Path {
        if !matches!(self.task, Task::Way { .. }) {
            return Path::default();
        }
        let at = self.at as usize;
        let before = at.checked_sub(1).map(|before| row.place.to(self.way[before]));
        let before = before.filter(|corner| dot(*corner, *corner) < GATE_DEPTH * GATE_DEPTH);
        let before = before.map(|corner| (corner, corner - row.place.to(self.before_gate(at - 1))));
        Path::new(before, self.way[at..].iter().map(|corner| row.place.to(*corner)))
    }

    /// The last corner of the path before the gate that ends at `end`.
    fn before_gate(&self, end: usize) -> WorldPoint {
        let is_before = |corner: &&WorldPoint| {
            let to = self.way[end].to(**corner);
            dot(to, to) > GATE_DEPTH * GATE_DEPTH
        };
        self.way[..end].iter().rev().find(is_before).copied().unwrap_or(self.start)
    }

    /// Vector to the current leg of its path.
    fn foot(&mut self, row: &Row) -> Vec2 {
        let from = if self.at == 0 { self.start } else { self.way[self.at as usize - 1] };
        let leg = from.to(self.way[self.at as usize]);
        let along = unit(leg);
        let to = from.to(row.place);
        along * dot(to, along).clamp(0.0, length(leg)) - to
    }

    /// Whether a corner is passed: it is near, or lies behind in the direction of the path, and not
    /// far aside.
    fn has_passed(&self, at: usize, row: &Row) -> bool {
        let to = row.place.to(self.way[at]);
        let distance = length(to);
        if distance < row.radius * 1.5 {
            return true;
        }
        let onward = self.way[at].to(self.way[at + 1]);
        let inward = if at > 0 { self.way[at - 1].to(self.way[at]) } else { onward };
        distance < row.radius * 8.0
            && dot(to, inward) < 0.0
            && dot(to, unit(inward) + unit(onward)) < 0.0
            && !is_inside(inward, onward, to, row.radius)
    }

    /// The length of the path from a corner on.
    fn rest_from(&self, at: usize) -> f32 {
        self.way[at..].windows(2).map(|ends: &[WorldPoint]| length(ends[0].to(ends[1]))).sum()
    }
}

/// Whether an agent with a corner at `to` is on the inner side of the turn: beyond the wall that
/// the path turns about, unless it has already passed the corner.
fn is_inside(inward: Vec2, onward: Vec2, to: Vec2, radius: f32) -> bool {
    let side = if cross(inward, onward) > 0.0 { -1.0 } else { 1.0 };
    side * cross(unit(onward), to) > radius
}

/// The velocity towards a goal, slower near the goal.
fn towards(to: Vec2, distance: f32, speed: f32) -> Vec2 {
    if distance > 0.0 { to * (min(speed, distance / SETTLE) / distance) } else { Vec2::ZERO }
}
