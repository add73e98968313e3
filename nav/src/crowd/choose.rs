//! The choice of a velocity by one agent, from its surroundings (ORCA).
//!
//! In: rows of all agents before the tick, neighbours, the world's walls. Out: an [`Outcome`].
//! Agents do not see each other's choices, so neither the order of choices nor the thread changes
//! anything.

use carom::{BodyKind, NearestAnswer, QueryFilter, Shape, ShapeCast, ShapeId, Vec2, World, WorldPoint};

use super::CrowdDef;
use super::avoid::{Encounter, wall};
use super::comrades::{Path, Rank, rank};
use super::loose::{backs_out, is_small_body, is_wall_or_loose, width_between};
use super::math::{cross, dot, length, max, min as least, scatter, turned, unit};
use super::near::Near;
use super::program::{HalfPlane, Program};

/// An agent in this tick, as its neighbours see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) place: WorldPoint,
    pub(super) velocity: Vec2,
    /// Preferred velocity: the agent's velocity if it were alone.
    pub(super) wish: Vec2,
    /// Length of the preferred velocity.
    pub(super) wish_size: f32,
    pub(super) radius: f32,
    pub(super) speed: f32,
    pub(super) horizon: f32,
    /// Remaining distance to the goal, in metres.
    pub(super) left: f32,
    /// Half the side of the agent's box of sight.
    pub(super) sight: f32,
    /// Equal for agents with the same goal.
    pub(super) key: u32,
    pub(super) priority: u8,
    pub(super) present: bool,
    /// It is first to its goal or gate, and held up: agents behind make way.
    pub(super) waits: bool,
    /// Urgency with which agents behind make way: see [`makes_way`].
    pub(super) urgency: u8,
    /// It stands, and wants to stand.
    pub(super) idle: bool,
    /// It sleeps: it chooses nothing until another agent comes near.
    pub(super) asleep: bool,
    /// Whether it looks for walls in this tick.
    pub(super) looks: bool,
    /// It has left its path and returns to the current leg.
    pub(super) strayed: bool,
    /// Whether it tests in this tick that walls hide its corner or its leg.
    pub(super) checks: bool,
    /// Vector to the current leg, if it returns to it.
    pub(super) foot: Vec2,
    /// It cannot go on; it backs out of the way of others.
    pub(super) stuck: bool,
    pub(super) backs: bool,
}

impl Row {
    pub(super) const ABSENT: Row = Row {
        place: WorldPoint::ORIGIN,
        velocity: Vec2::ZERO,
        wish: Vec2::ZERO,
        wish_size: 0.0,
        radius: 0.0,
        speed: 0.0,
        horizon: 1.0,
        left: 0.0,
        sight: 0.0,
        key: 0,
        priority: 0,
        present: false,
        waits: false,
        urgency: 0,
        idle: true,
        asleep: true,
        looks: false,
        strayed: false,
        checks: false,
        foot: Vec2::ZERO,
        stuck: false,
        backs: false,
    };
}

/// An agent's decision, and its observations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    pub(super) velocity: Vec2,
    /// Whether it nearly touches an agent with the same goal; whether it touches an arrived one.
    pub(super) beside_comrade: bool,
    pub(super) beside_arrived: bool,
    /// All of its nearest neighbours with the same goal (at least one) are farther from the goal,
    /// or walk on freely.
    pub(super) first: bool,
    /// Urgency with which agents behind make way in the next tick.
    pub(super) urgency: u8,
    /// A walking agent is near.
    pub(super) pressed: bool,
    /// Direction out of the nearest wall, if one is near; else zero.
    pub(super) wall: Vec2,
    /// If it looked for walls: the distance that it may move until the next look.
    pub(super) clear: Option<f32>,
    /// If tested: whether a wall is between it and the next corner of its path, and whether a wall
    /// is between it and the leg.
    pub(super) hidden: Option<(bool, bool)>,
    /// A walking agent beside it gets on.
    pub(super) flows: bool,
    /// It has to back out of the way of others.
    pub(super) backs: bool,
    /// Number of agents in sight.
    pub(super) seen: u32,
}

/// Data shared by all choices of a tick.
pub(super) struct Scene<'s> {
    pub(super) world: &'s World,
    pub(super) def: &'s CrowdDef,
    pub(super) rows: &'s [Row],
    /// Positions of the rows, as one array.
    pub(super) places: &'s [WorldPoint],
    /// Local coordinates of the rows, if all present agents are in one region; else empty.
    pub(super) locals: &'s [Vec2],
    /// Paths of the agents; empty for agents without a path.
    pub(super) paths: &'s [Path],
    pub(super) near: &'s Near,
    pub(super) tick: u64,
}

/// Work space of one thread.
#[derive(Default)]
pub(super) struct Scratch {
    program: Program,
    planes: Vec<HalfPlane>,
    walls: Vec<NearestAnswer>,
    bodies: Vec<HalfPlane>,
    nearest: Nearest,
}

/// Share of the change from current to preferred velocity that a neighbour is assumed to make. (0:
/// crowds that meet stand for ever; 1: they run into each other. 0.3 is quickest in the circle and
/// the crossing.) For neighbours with the same goal see [`trust`].
const TRUST: f32 = 0.3;
const TRUST_COMRADES: f32 = 0.5;

/// Time ahead for which agents that go together avoid each other, in seconds. (0.5: a third fewer
/// get through a door of 1.2 m; 2: pauses of 3 s in which no agent starts.)
const TOGETHER: f32 = 0.15;

/// Two agents go in one direction if the angle between their directions is below 45 degrees.
const ALIKE: f32 = 0.7;

/// Speed at which a walking agent may approach a standing one that does not give way, in m/s.
pub(super) const PRESS: f32 = 0.2;

/// A neighbour is oncoming if it lies within 37° of the agent's direction; the agent passes it on
/// the left if the sine of their miss exceeds `CLEARLY`.
const AHEAD: f32 = 0.8;
const CLEARLY: f32 = 0.1;

/// Multiples of the side bias for an agent without progress: around one neighbour, and around many.
/// (Without the second the circle of 100 takes 1.45 times the straight time at any bias; with it
/// 1.26 at a bias of 0.25. The first at 9: better lanes, and circles of 24 take 1.96 times.)
const AROUND_ONE: f32 = 6.7;
const AROUND_ALL: f32 = 4.7;

/// Greatest angle by which an agent turns aside, in radians: around one neighbour, which it passes,
/// and around many. (An agent that starts turns by all of the second. Beyond a quarter turn it
/// walks away from its goal, makes no progress, and does so for ever: at a bias of 0.5 not even a
/// lone agent arrived.)
const MOST_ONE: f32 = 2.0;
const MOST_ALL: f32 = 1.2;

/// An agent whose preferred velocity points into the wall by this share does not turn farther into
/// it: at a doorpost it would press straight at the wall for ever.
const INTO: f32 = 0.3;

/// An agent that touches a first and held-up agent steps back from it, at this share of its speed.
/// (If it only stops pressing, two agents stay wedged in a door, each between a doorpost and the
/// other.)
const STEP_BACK: f32 = 0.3;

/// A corner counts as reachable in a straight line if a disc of this share of the radius reaches
/// it; the agent slides along walls for the rest.
const SLIM: f32 = 0.5;

/// A neighbour gets on if it makes more than this share of its speed.
const FLOWS: f32 = 0.25;

/// Greatest number of walls that an agent avoids.
const WALLS: usize = 6;

/// Extra search radius for walls, in metres, so that the next search can wait.
const SPARE: f32 = 2.0;

impl Scene<'_> {
    /// Chooses for one agent.
    pub(super) fn choose(&self, index: usize, scratch: &mut Scratch) -> Outcome {
        let me = &self.rows[index];
        let others = self.near.of(index);
        if !me.present || me.asleep && others.iter().all(|other| self.rows[*other as usize].asleep) {
            return Outcome { seen: others.len() as u32, ..Outcome::default() };
        }
        // Half-planes of walls come first: they are hard constraints.
        let Scratch { program, planes, walls, bodies, nearest } = scratch;
        planes.clear();
        bodies.clear();
        let mut around = None;
        let (clear, normal) = match me.looks {
            true => self.see_walls(me, planes, (bodies, &mut around), walls),
            false => (None, Vec2::ZERO),
        };
        let width = width_between(walls, me.looks);
        let hard = planes.len();
        planes.append(bodies);
        // Half-planes of the nearest agents, and observations about each.
        nearest.begin(self.def.neighbours);
        self.offer_all(index, others, nearest);
        let mut side = None;
        let (mut beside_comrade, mut beside_arrived, mut urgency, mut back) = (false, false, 0, None);
        let (mut is_any_ahead, mut is_any_behind, mut is_gate_shared) = (false, false, false);
        let (mut flows, mut backs) = (false, false);
        // In a throng the nearest few stand still, but an agent that walks behind them presses.
        let pressed = me.idle && others.iter().any(|other| !self.rows[*other as usize].idle);
        for (to, other) in nearest.all(others) {
            let row = &self.rows[other as usize];
            let to = if dot(to, to) > 0.0 { to } else { apart(index as u32, other) * 1e-3 };
            let radius = (me.radius + row.radius) * (1.0 + self.def.margin);
            let rank = self.rank(index, other as usize, to);
            side = side.or_else(|| head_on(me, row, to, rank));
            let is_next = dot(to, to) < BESIDE * BESIDE * radius * radius;
            flows |= is_next && !row.idle && !row.backs && length(row.velocity) > FLOWS * row.speed;
            backs |= backs_out((index, me), (other as usize, row), to, width);
            if row.key == me.key {
                let square = dot(to, to) / (radius * radius);
                beside_comrade |= square < BESIDE * BESIDE;
                beside_arrived |= row.idle && square < 1.2;
            }
            let is_comrade = rank.is_comrade() && !me.idle;
            if makes_way(me, row, rank) && dot(to, to) < NEXT * NEXT * radius * radius {
                urgency = urgency.max(row.urgency - 1);
                back = back.or(row.waits.then_some(to));
            }
            if rank == Rank::First && dot(to, to) < OPPOSED_NEXT * OPPOSED_NEXT * radius * radius && !me.idle
            {
                urgency = URGENT;
                back = back.or(Some(to));
            }
            is_any_ahead |= is_comrade && rank != Rank::Behind && is_held(row);
            is_any_behind |= is_comrade && rank == Rank::Behind;
            is_gate_shared |= is_comrade && row.key != me.key;
            planes.push(self.avoid(me, row, to, rank));
        }
        // The order at a door.
        let first = is_any_behind && !is_any_ahead;
        if me.waits && is_gate_shared {
            let more = u8::from(self.tick.is_multiple_of(MORE_URGENT));
            urgency = urgency.max((me.urgency + more).min(MOST_URGENT));
        }
        // The permitted velocity nearest to the preferred one.
        let wish = match back {
            Some(to) => unit(to) * (-STEP_BACK * me.speed),
            None => self.aside(me, side.or(around), normal),
        };
        let velocity = program.solve(planes, hard, wish, me.speed).velocity();
        Outcome {
            velocity,
            beside_comrade,
            beside_arrived,
            first,
            urgency,
            pressed,
            flows,
            backs,
            wall: normal,
            clear,
            hidden: me.checks.then(|| self.hidden(index, normal)),
            seen: others.len() as u32,
        }
    }

    /// Whether a wall is between an agent and the next corner of its path, and between it and the
    /// leg that leads there. `normal` points out of the nearest wall: only an agent that walks into
    /// this wall tests.
    fn hidden(&self, index: usize, normal: Vec2) -> (bool, bool) {
        let me = &self.rows[index];
        let Some(corner) = self.paths[index].next() else { return (false, false) };
        if !me.strayed && dot(normal, corner) >= -INTO * length(corner) {
            return (false, false);
        }
        // A body that is walked around hides nothing: an agent beside it has not left its path.
        let predicate = |shape| is_wall(self.world, self.near, shape) && !is_small_body(self.world, shape);
        let filter = QueryFilter::default().mask(self.def.walls).only(&predicate);
        let disc = Shape::circle(me.radius * SLIM);
        let is_hidden = |to: Vec2| {
            let far = least(1.0, self.def.sight / max(length(to), f32::MIN_POSITIVE));
            self.world.cast(&ShapeCast::new(&disc, me.place, to * far), &filter).is_some()
        };
        let is_corner_hidden = is_hidden(corner);
        (is_corner_hidden, is_corner_hidden && me.strayed && is_hidden(me.foot))
    }

    /// Offers all agents in sight as the nearest few.
    fn offer_all(&self, index: usize, others: &[u32], nearest: &mut Nearest) {
        let me = self.rows[index].place;
        if self.locals.is_empty() {
            for &other in others {
                nearest.offer(me.to(self.places[other as usize]));
            }
            return;
        }
        for &other in others {
            // Equal to `to` bit for bit: twice the digits of `f32` and two more round a difference
            // alike, and the term that it adds for the regions is a zero.
            nearest.offer(Vec2::ZERO + (self.locals[other as usize] - me.local));
        }
    }

    /// Whether a neighbour is ahead or behind on the way to a common goal or gate; see [`Rank`].
    fn rank(&self, me: usize, other: usize, to: Vec2) -> Rank {
        rank_of(self.rows, self.paths, me, other, to, self.tick)
    }

    /// The half-plane of velocities that a neighbour permits.
    fn avoid(&self, me: &Row, other: &Row, to: Vec2, rank: Rank) -> HalfPlane {
        let solid = me.radius + other.radius;
        let radius = solid * (1.0 + self.def.margin);
        let trust = trust(me, other, rank, (length(to) / solid - 1.02) / (0.8 * self.def.margin + 1e-3));
        let encounter = Encounter {
            to,
            mine: me.velocity,
            theirs: other.velocity + (other.wish - other.velocity) * trust,
            radius,
            horizon: if go_together(me, other, rank) { TOGETHER } else { least(me.horizon, other.horizon) },
            share: share(me, other, rank),
        };
        let mut plane = encounter.half_plane();
        if other.idle && !me.idle || makes_way(other, me, rank.flip()) || rank == Rank::Yields {
            // The agent presses on, and its neighbours make way.
            plane.offset -= PRESS;
        }
        plane
    }

    /// The preferred velocity, turned aside if a neighbour is oncoming or others are in the way: by
    /// more, the less progress the agent makes. All agents turn to the right, so they go around
    /// each other and not back and forth; only a neighbour that is clearly on the other side is
    /// passed there.
    fn aside(&self, me: &Row, side: Option<f32>, wall: Vec2) -> Vec2 {
        if me.idle || self.def.bias == 0.0 {
            return me.wish;
        }
        let on = dot(me.velocity, unit(me.wish)) / max(me.wish_size, f32::MIN_POSITIVE);
        let slow = (1.0 - on).clamp(0.0, 1.0);
        let angle = match side {
            Some(side) => side * least(self.def.bias * (1.0 + AROUND_ONE * slow), MOST_ONE),
            None => -least(self.def.bias * AROUND_ALL, MOST_ALL) * slow,
        };
        let (sin, cos) = carom::math::sin_cos(angle);
        let aside = turned(me.wish, (cos, sin));
        let into = dot(me.wish, wall);
        if into < -INTO * me.wish_size && dot(aside, wall) < into { me.wish } else { aside }
    }

    /// Half-planes of the walls within reach; then the distance to the next wall, and the direction
    /// out of the nearest wall.
    fn see_walls(
        &self,
        me: &Row,
        planes: &mut Vec<HalfPlane>,
        (bodies, around): (&mut Vec<HalfPlane>, &mut Option<f32>),
        walls: &mut Vec<NearestAnswer>,
    ) -> (Option<f32>, Vec2) {
        let speed = max(me.speed, length(me.velocity));
        let reach = me.radius + speed * self.def.wall_horizon + 0.1;
        let predicate = |shape| is_wall_or_loose(self.world, self.near, shape);
        let filter = QueryFilter::default().mask(self.def.walls).only(&predicate);
        self.world.nearest_few(me.place, reach + SPARE, WALLS, &filter, walls);
        let mut clear = walls.first().map_or(SPARE, |nearest| max(nearest.distance - reach, 0.0));
        let mut normal = Vec2::ZERO;
        for found in walls.iter() {
            let Some(body) = self.world.get(found.body) else { continue };
            if body.kind() == BodyKind::Dynamic {
                // It may come nearer by itself.
                clear = if body.is_awake() { 0.0 } else { clear };
                if let Some((plane, side)) = self.walk_around(me, found, body.velocity()) {
                    bodies.push(plane);
                    *around = around.or(side);
                }
            }
            let is_wall = body.kind() != BodyKind::Dynamic || !body.is_awake();
            if is_wall && found.distance < reach {
                let drift = body.velocity_at(found.point);
                planes.push(wall(found.normal, found.distance - me.radius, drift, self.def.wall_horizon));
                normal = if planes.len() == 1 { found.normal } else { normal };
            }
        }
        (Some(clear), normal)
    }
}

/// For agents with the same goal: whether the neighbour, seen at `to`, has less far to go than the
/// agent (`Ahead`).
pub(super) fn rank_of(rows: &[Row], paths: &[Path], me: usize, other: usize, to: Vec2, tick: u64) -> Rank {
    let (row, its) = (&rows[me], &rows[other]);
    if row.key == its.key {
        return Rank::of(its.left, row.left);
    }
    rank((me, &paths[me]), (other, &paths[other]), to, row.radius + its.radius, tick)
}

/// Whether a shape counts as a wall: all do, except shapes of agents and of dynamic bodies that are
/// awake.
pub(super) fn is_wall(world: &World, near: &Near, shape: ShapeId) -> bool {
    let Some(id) = world.body_of(shape) else { return false };
    let Some(body) = world.get(id) else { return false };
    body.kind() != BodyKind::Dynamic || !body.is_awake() && near.agent_of(id).is_none()
}

/// Share of the change from its velocity to its preferred velocity that a neighbour is assumed to
/// make; `room` is the distance until they touch.
///
/// Neighbours accelerate towards their preferred velocity: standing agents that assumed present
/// velocities would never start. Near a touch this is not assumed, as a neighbour may not reach its
/// preferred velocity. But of two agents with the same goal the one behind always makes way for the
/// preferred velocity of the one ahead. (Otherwise the first agents at a door hold each other up,
/// each free to stand still: 1.8 agents per metre and second, not 2.0.)
fn trust(me: &Row, other: &Row, rank: Rank, room: f32) -> f32 {
    let room = room.clamp(0.0, 1.0);
    if rank == Rank::First && !me.idle {
        return 1.0;
    }
    if !rank.is_comrade() || me.idle {
        return TRUST * room;
    }
    if other.waits && makes_way(me, other, rank) {
        return 1.0;
    }
    let is_behind = rank == Rank::Ahead && !other.idle;
    TRUST_COMRADES * if is_behind { max(room, 0.5) } else { room }
}

/// Whether both go together: they have one goal, go in one direction, stand, or go home. Then they
/// may follow each other closely; an agent that looks far ahead in a throng finds no permitted
/// velocity, steps back, and takes seconds for the last decimetres home.
fn go_together(me: &Row, other: &Row, rank: Rank) -> bool {
    let is_alike = || dot(me.wish, other.wish) > ALIKE * me.wish_size * other.wish_size;
    if me.idle { other.idle } else { rank.is_comrade() || is_alike() }
}

/// Whether a neighbour makes less than half of the progress it wants. An agent that has passed a
/// door and walks away does not count as ahead: when it did, the next agent at the door was not
/// first, and waited like all others until it was out of sight.
fn is_held(other: &Row) -> bool {
    dot(other.velocity, other.wish) < 0.5 * other.wish_size * other.wish_size
}

/// Whether an agent makes way for a neighbour with the same goal ahead of it: for a first agent
/// that waits, or for an agent that makes way for such an agent.
///
/// The first two at a door wedge each other. The first may go, so the other has to step back; but
/// behind it a third presses on. So urgency is handed back through three rows, one per tick: an
/// agent that makes way has the right of way before the agents behind that touch it. (Without the
/// first row, a pause lasts until one agent is stuck, 2 to 3 s; with it alone, doors of 0.9 m and
/// throngs of 2,000 still have pauses of 2.6 and 3.9 s.) Where the agents behind stand in a column
/// along a wall, all the others press on three rows that step back, and a door of 0.9 m in the
/// corner of a room stays shut for good. So urgency grows while the first waits among agents with
/// other goals, and reaches one row more with each [`MORE_URGENT`] ticks. (With one goal for all
/// this is not needed, and lets 2.57 agents a metre and second through a door of 1.2 m, not 2.46.
/// 16 rows at once: no jam either, but as all step back each time, large and quick agents get
/// through less quickly; 64 rows: pauses of 12 s. One row more in 8 ticks: pauses of 3 s; in 2: 2.8
/// s.)
pub(super) fn makes_way(me: &Row, other: &Row, rank: Rank) -> bool {
    other.urgency > 0 && rank == Rank::Ahead && !me.idle
}

/// Urgency behind a first agent that begins to wait, one less for each row behind; the ticks in
/// which it grows by one; and its maximum.
pub(super) const URGENT: u8 = 4;
const MORE_URGENT: u64 = 4;
pub(super) const MOST_URGENT: u8 = 40;
/// Within this distance, as a share of the sum of their radii, an agent steps back from an agent
/// that comes through a gate from the other side.
const OPPOSED_NEXT: f32 = 1.3;
/// Agents on their way to one place that keep apart without a touch count as beside each other up
/// to this share of the sum of their radii.
const BESIDE: f32 = 1.3;
/// Rows touch within this share of the sum of their radii.
const NEXT: f32 = 1.15;

/// The agent's share of the change of velocity between two agents. The two shares sum to 1 at
/// least, so that the pair is as safe as with halves.
fn share(me: &Row, other: &Row, rank: Rank) -> f32 {
    if me.priority != other.priority {
        return if me.priority < other.priority { 1.0 } else { 0.0 };
    }
    if me.idle != other.idle {
        // A standing agent makes way, and comes back later.
        return if me.idle { 0.75 } else { 0.25 };
    }
    if makes_way(me, other, rank) {
        return 1.0;
    }
    match rank {
        // Of two agents with the same goal, the one behind waits.
        Rank::Ahead => 0.75,
        Rank::Behind => 0.25,
        Rank::First => 1.0,
        Rank::Yields => 0.0,
        _ => 0.5,
    }
}

/// For a neighbour that is oncoming, near the agent's direction: the side to which the agent turns,
/// 1 to the left, -1 to the right. Both agents of a pair get the same side.
fn head_on(me: &Row, other: &Row, to: Vec2, rank: Rank) -> Option<f32> {
    if me.idle || rank.is_comrade() {
        return None;
    }
    // Most neighbours are not oncoming: skip them without a square root.
    if dot(me.wish, other.wish) >= -0.5 * me.wish_size * other.wish_size {
        return None;
    }
    let distance = length(to);
    let relative = me.wish - other.wish;
    let is_ahead = dot(me.wish, to) > AHEAD * me.wish_size * distance;
    let closing = dot(relative, to) / distance;
    let is_near = distance < max(me.horizon * closing, 0.0) + 2.0 * me.radius
        || distance < 1.2 * (me.radius + other.radius);
    let passes_left = cross(relative, to) < -CLEARLY * length(relative) * distance;
    (is_ahead && is_near).then_some(if passes_left { 1.0 } else { -1.0 })
}

/// A direction for two agents at one place, opposite for both.
fn apart(me: u32, other: u32) -> Vec2 {
    let (low, high) = if me < other { (me, other) } else { (other, me) };
    let bits = scatter(u64::from(low) << 32 | u64::from(high));
    let angle = (bits >> 40) as f32 * (core::f32::consts::TAU / (1_u32 << 24) as f32);
    let (sin, cos) = carom::math::sin_cos(angle);
    if me < other { Vec2::new(cos, sin) } else { -Vec2::new(cos, sin) }
}

/// The nearest few neighbours, by distance and then by their order in the list.
#[derive(Default)]
struct Nearest {
    /// Squared distances, as bits (which have the same order), above indices in the list.
    keys: [u64; 32],
    most: usize,
    /// Vector from the agent to each neighbour in the list.
    to: Vec<Vec2>,
}

impl Nearest {
    fn begin(&mut self, most: usize) {
        self.most = most.min(self.keys.len());
        self.keys[..self.most].fill(u64::MAX);
        self.to.clear();
    }

    /// Offers the next agent of the list. Each sorted key is compared and swapped, up to the end,
    /// without a branch: the place to stop cannot be predicted, and a misprediction costs more than
    /// the rest. (With an insertion that stops, the whole choice took 1.5 times as long.)
    #[inline]
    fn offer(&mut self, to: Vec2) {
        let mut key = u64::from(dot(to, to).to_bits()) << 32 | self.to.len() as u64;
        self.to.push(to);
        let keys = &mut self.keys[..self.most];
        if keys.last().is_some_and(|last| key < *last) {
            for slot in keys {
                (*slot, key) = (key.min(*slot), key.max(*slot));
            }
        }
    }

    /// The nearest entries of the list.
    fn all<'a>(&'a self, list: &'a [u32]) -> impl Iterator<Item = (Vec2, u32)> + 'a {
        let keys = self.keys[..self.most].iter().take_while(|key| **key != u64::MAX);
        keys.map(|key| (self.to[*key as u32 as usize], list[*key as u32 as usize]))
    }
}
