//! The choice of a velocity: one agent's, from what is around it.
//!
//! In: rows of all agents as they are before the tick, neighbours, the world's walls. Out: an
//! [`Outcome`]. Agents do not see each other's choices, so the order in which they choose, and on
//! which thread, changes nothing.

use carom::{BodyKind, NearestAnswer, QueryFilter, Shape, ShapeCast, ShapeId, Vec2, World, WorldPoint};

use super::CrowdDef;
use super::avoid::{Encounter, wall};
use super::comrades::{Path, Rank, rank};
use super::math::{cross, dot, length, max, min as least, scatter, turned, unit};
use super::near::Near;
use super::program::{HalfPlane, Program};

/// An agent as others see it in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) place: WorldPoint,
    pub(super) velocity: Vec2,
    /// The velocity that it would have alone.
    pub(super) wish: Vec2,
    /// Its length.
    pub(super) wish_size: f32,
    pub(super) radius: f32,
    pub(super) speed: f32,
    pub(super) horizon: f32,
    /// How far it still has to go, in metres.
    pub(super) left: f32,
    /// Half the side of its box of sight.
    pub(super) sight: f32,
    /// Equal for those who have the same goal.
    pub(super) key: u32,
    pub(super) priority: u8,
    pub(super) present: bool,
    /// It is first of its comrades, and held up: those behind make way.
    pub(super) waits: bool,
    /// How urgently those behind make way: see [`makes_way`].
    pub(super) urgency: u8,
    /// It stands, and wants to.
    pub(super) idle: bool,
    /// It sleeps, and nothing is to be done unless somebody comes.
    pub(super) asleep: bool,
    /// Whether walls have to be looked for.
    pub(super) looks: bool,
    /// It goes back to the leg of its way; whether it is looked for whether it still has to.
    pub(super) strayed: bool,
    pub(super) checks: bool,
    /// To that leg, if it goes there.
    pub(super) foot: Vec2,
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
    };
}

/// What an agent decided, and what it saw.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    pub(super) velocity: Vec2,
    /// It touches a comrade that has arrived.
    pub(super) beside_arrived: bool,
    /// All of its nearest comrades, one at least, are farther from the goal, or walk on freely.
    pub(super) first: bool,
    /// How urgently those behind have to make way in the next tick.
    pub(super) urgency: u8,
    /// Somebody who walks is near.
    pub(super) pressed: bool,
    /// Out of the nearest wall, where one is near; else zero.
    pub(super) wall: Vec2,
    /// If walls were looked for: how far it may go until the next look.
    pub(super) clear: Option<f32>,
    /// If it was looked for: whether a wall stands between it and the next corner of its way, and
    /// whether between it and the leg too.
    pub(super) hidden: Option<(bool, bool)>,
    /// How many others were in sight.
    pub(super) seen: u32,
}

/// What is the same for all who choose in a tick.
pub(super) struct Scene<'s> {
    pub(super) world: &'s World,
    pub(super) def: &'s CrowdDef,
    pub(super) rows: &'s [Row],
    /// Those of the rows, close together.
    pub(super) places: &'s [WorldPoint],
    /// The local parts of these, if all who are present are in one region; else none.
    pub(super) locals: &'s [Vec2],
    /// The ways of those who have one.
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
    nearest: Nearest,
}

/// How far others are believed to come from their velocity to their wish. (0: crowds that met stand
/// for ever; 1: they run into each other. 0.3 is quickest in the circle and the crossing.) And
/// those with the same goal: see [`trust`].
const TRUST: f32 = 0.3;
const TRUST_COMRADES: f32 = 0.5;

/// How far ahead those who go together avoid each other, in seconds. (0.5: through a door of 1.2 m
/// a third less; 2: pauses of 3 s in which nobody dares.)
const TOGETHER: f32 = 0.15;

/// Two go in one direction within 45 degrees.
const ALIKE: f32 = 0.7;

/// How fast one who walks may come nearer to one who stands and does not give way, in m/s.
const PRESS: f32 = 0.2;

/// Who comes towards me is within 37 degrees of where I go, and passed on the left if the lines of
/// both miss each other by this sine at least.
const AHEAD: f32 = 0.8;
const CLEARLY: f32 = 0.1;

/// How many times the bias one turns who does not come on at all: around one other, and around
/// many. (Without the second the circle of 100 takes 1.45 times the straight time at any bias; with
/// it 1.26 at a bias of 0.25. The first at 9: better lanes, and circles of 24 take 1.96 times.)
const AROUND_ONE: f32 = 6.7;
const AROUND_ALL: f32 = 4.7;

/// Who goes into the wall beside it by this share of its wish does not turn farther into it: at a
/// doorpost it would press straight at the wall, and stand there for ever.
const INTO: f32 = 0.3;

/// Who touches one who is first and held up steps back from it, at this share of its speed. (Only
/// not to press on leaves two at a door wedged, each between a doorpost and the other.)
const STEP_BACK: f32 = 0.3;

/// A corner can be walked to straight if a disc of this share of the radius can; the rest is slid
/// along walls.
const SLIM: f32 = 0.5;

/// Most walls that count.
const WALLS: usize = 6;

/// How much farther than it has to an agent looks for walls, in metres, so that it need not look
/// again for a while.
const SPARE: f32 = 2.0;

impl Scene<'_> {
    /// Chooses for one agent.
    pub(super) fn choose(&self, index: usize, scratch: &mut Scratch) -> Outcome {
        let me = &self.rows[index];
        let others = self.near.of(index);
        if !me.present || me.asleep && others.iter().all(|other| self.rows[*other as usize].asleep) {
            return Outcome { seen: others.len() as u32, ..Outcome::default() };
        }
        let Scratch { program, planes, walls, nearest } = scratch;
        planes.clear();
        let (clear, normal) = if me.looks { self.see_walls(me, planes, walls) } else { (None, Vec2::ZERO) };
        let hard = planes.len();
        nearest.begin(self.def.neighbours);
        self.offer_all(index, others, nearest);
        let mut side = None;
        let (mut beside_arrived, mut urgency, mut back) = (false, 0, None);
        let (mut is_any_ahead, mut is_any_behind) = (false, false);
        // In a throng not the nearest few press, but who walks behind them.
        let pressed = me.idle && others.iter().any(|other| !self.rows[*other as usize].idle);
        for (to, other) in nearest.all(others) {
            let row = &self.rows[other as usize];
            let to = if dot(to, to) > 0.0 { to } else { apart(index as u32, other) * 1e-3 };
            let radius = (me.radius + row.radius) * (1.0 + self.def.margin);
            let rank = self.rank(index, other as usize, to);
            side = side.or_else(|| head_on(me, row, to, rank));
            beside_arrived |= row.idle && row.key == me.key && dot(to, to) < 1.2 * radius * radius;
            let is_comrade = rank.is_comrade() && !me.idle;
            if makes_way(me, row, rank) && dot(to, to) < NEXT * NEXT * radius * radius {
                urgency = urgency.max(row.urgency - 1);
                back = back.or(row.waits.then_some(to));
            }
            if rank == Rank::First && dot(to, to) < OPPOSED_NEXT * OPPOSED_NEXT * radius * radius && !me.idle
            {
                urgency = MOST_URGENT;
                back = back.or(Some(to));
            }
            is_any_ahead |= is_comrade && rank != Rank::Behind && is_held(row);
            is_any_behind |= is_comrade && rank == Rank::Behind;
            planes.push(self.avoid(me, row, to, rank));
        }
        let first = is_any_behind && !is_any_ahead;
        let wish = match back {
            Some(to) => unit(to) * (-STEP_BACK * me.speed),
            None => self.aside(me, side, normal),
        };
        let velocity = program.solve(planes, hard, wish, me.speed).velocity();
        Outcome {
            velocity,
            beside_arrived,
            first,
            urgency,
            pressed,
            wall: normal,
            clear,
            hidden: me.checks.then(|| self.hidden(index, normal)),
            seen: others.len() as u32,
        }
    }

    /// Whether a wall stands between an agent and the next corner of its way, and the leg that
    /// leads there. `normal` is out of the nearest wall: only who walks into it has to look.
    fn hidden(&self, index: usize, normal: Vec2) -> (bool, bool) {
        let me = &self.rows[index];
        let Some(corner) = self.paths[index].next() else { return (false, false) };
        if !me.strayed && dot(normal, corner) >= -INTO * length(corner) {
            return (false, false);
        }
        let predicate = |shape| is_wall(self.world, self.near, shape);
        let filter = QueryFilter::default().mask(self.def.walls).only(&predicate);
        let disc = Shape::circle(me.radius * SLIM);
        let is_hidden = |to: Vec2| {
            let far = least(1.0, self.def.sight / max(length(to), f32::MIN_POSITIVE));
            self.world.cast(&ShapeCast::new(&disc, me.place, to * far), &filter).is_some()
        };
        let is_corner_hidden = is_hidden(corner);
        (is_corner_hidden, is_corner_hidden && me.strayed && is_hidden(me.foot))
    }

    /// Offers all in sight as the nearest few.
    fn offer_all(&self, index: usize, others: &[u32], nearest: &mut Nearest) {
        let me = self.rows[index].place;
        if self.locals.is_empty() {
            for &other in others {
                nearest.offer(me.to(self.places[other as usize]));
            }
            return;
        }
        for &other in others {
            // The bits of `to`: twice the digits of `f32` and two more round a difference alike,
            // and what it adds for the regions is a zero.
            nearest.offer(Vec2::ZERO + (self.locals[other as usize] - me.local));
        }
    }

    /// How far another has to go to where both want to, beside me; `None` for who goes elsewhere.
    fn rank(&self, me: usize, other: usize, to: Vec2) -> Rank {
        rank_of(self.rows, self.paths, me, other, to, self.tick)
    }

    /// What another permits.
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
            // It presses on, and they make way.
            plane.offset -= PRESS;
        }
        plane
    }

    /// The wish, turned aside if somebody comes towards or others are in the way: the more, the
    /// less it comes on. All turn to the right alike, so they go around each other and not back and
    /// forth; only who is clearly passed on the other side is.
    fn aside(&self, me: &Row, side: Option<f32>, wall: Vec2) -> Vec2 {
        if me.idle || self.def.bias == 0.0 {
            return me.wish;
        }
        let on = dot(me.velocity, unit(me.wish)) / max(me.wish_size, f32::MIN_POSITIVE);
        let slow = (1.0 - on).clamp(0.0, 1.0);
        let angle = match side {
            Some(side) => side * self.def.bias * (1.0 + AROUND_ONE * slow),
            None => -self.def.bias * AROUND_ALL * slow,
        };
        let (sin, cos) = carom::math::sin_cos(angle);
        let aside = turned(me.wish, (cos, sin));
        let into = dot(me.wish, wall);
        if into < -INTO * me.wish_size && dot(aside, wall) < into { me.wish } else { aside }
    }

    /// Half-planes of the walls within reach; how far it is to the next, and which way is out of
    /// the nearest.
    fn see_walls(
        &self,
        me: &Row,
        planes: &mut Vec<HalfPlane>,
        walls: &mut Vec<NearestAnswer>,
    ) -> (Option<f32>, Vec2) {
        let speed = max(me.speed, length(me.velocity));
        let reach = me.radius + speed * self.def.wall_horizon + 0.1;
        let predicate = |shape| is_wall(self.world, self.near, shape);
        let filter = QueryFilter::default().mask(self.def.walls).only(&predicate);
        self.world.nearest_few(me.place, reach + SPARE, WALLS, &filter, walls);
        let clear = walls.first().map_or(SPARE, |nearest| max(nearest.distance - reach, 0.0));
        for found in walls.iter().filter(|found| found.distance < reach) {
            let drift = self.world.get(found.body).map_or(Vec2::ZERO, |body| body.velocity_at(found.point));
            planes.push(wall(found.normal, found.distance - me.radius, drift, self.def.wall_horizon));
        }
        let normal = walls.first().filter(|_| !planes.is_empty()).map_or(Vec2::ZERO, |found| found.normal);
        (Some(clear), normal)
    }
}

/// Of comrades: whether the other has less far to go than I (`Less`), who see it at `to`.
pub(super) fn rank_of(rows: &[Row], paths: &[Path], me: usize, other: usize, to: Vec2, tick: u64) -> Rank {
    let (row, its) = (&rows[me], &rows[other]);
    if row.key == its.key {
        return Rank::of(its.left, row.left);
    }
    rank((me, &paths[me]), (other, &paths[other]), to, row.radius + its.radius, tick)
}

/// What counts as a wall: all but dynamic bodies that are awake, and agents.
pub(super) fn is_wall(world: &World, near: &Near, shape: ShapeId) -> bool {
    let Some(id) = world.body_of(shape) else { return false };
    let Some(body) = world.get(id) else { return false };
    body.kind() != BodyKind::Dynamic || !body.is_awake() && near.agent_of(id).is_none()
}

/// How far another is believed to come from its velocity to its wish, `room` being how far it is
/// from being touched.
///
/// Others are on their way to their wish: between all who stand, who only believed what they see,
/// nobody would ever start. Not where they nearly touch: a wish need not come true. But of comrades
/// the one behind always makes way for what the one ahead wishes. (Else the first at a door hold
/// each other up, each free to stand still: 1.8 people a metre and second, not 2.0.)
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

/// Whether both want the same: they have one goal, go in one direction, or stand, or go home. Then
/// they may follow each other closely; who looks far ahead in a throng finds nothing permitted and
/// steps back, and takes seconds for the last decimetres home.
fn go_together(me: &Row, other: &Row, rank: Rank) -> bool {
    let is_alike = || dot(me.wish, other.wish) > ALIKE * me.wish_size * other.wish_size;
    if me.idle { other.idle } else { rank.is_comrade() || is_alike() }
}

/// Whether another comes on by less than half of what it wants. Who has passed a door and walks
/// away is nobody's predecessor any more: while it was, the next at the door was not first, and
/// waited like all others until it was out of sight.
fn is_held(other: &Row) -> bool {
    dot(other.velocity, other.wish) < 0.5 * other.wish_size * other.wish_size
}

/// Whether I make way for a comrade ahead: one who is first and waits, or who makes way for such a
/// one.
///
/// The first two at a door wedge each other. Who is first may go, so the other has to step back;
/// but behind it stands a third, who presses on. So it is handed back through three rows, one a
/// tick: each who makes way and is touched by those behind has the right of way before them.
/// (Without the first, a pause lasts until one is stuck, 2 to 3 s; with it alone, doors of 0.9 m
/// and throngs of 2,000 still have pauses of 2.6 and 3.9 s.)
pub(super) fn makes_way(me: &Row, other: &Row, rank: Rank) -> bool {
    other.urgency > 0 && rank == Rank::Ahead && !me.idle
}

/// How urgent it is for who is first and waits; one less for each row behind.
pub(super) const MOST_URGENT: u8 = 4;
/// So near, in shares of both widths, one steps back from who comes through a gate.
const OPPOSED_NEXT: f32 = 1.3;
/// Rows touch within this share of their width.
const NEXT: f32 = 1.15;

/// My part of what has to change between two. Both parts sum to 1 at least, so that the pair is as
/// safe as with halves.
fn share(me: &Row, other: &Row, rank: Rank) -> f32 {
    if me.priority != other.priority {
        return if me.priority < other.priority { 1.0 } else { 0.0 };
    }
    if me.idle != other.idle {
        // Who stands makes way, and comes back later.
        return if me.idle { 0.75 } else { 0.25 };
    }
    if makes_way(me, other, rank) {
        return 1.0;
    }
    match rank {
        // Of comrades, the one behind waits.
        Rank::Ahead => 0.75,
        Rank::Behind => 0.25,
        Rank::First => 1.0,
        Rank::Yields => 0.0,
        _ => 0.5,
    }
}

/// If another comes towards me, about where I go: to which side I turn, 1 to the left, -1 to the
/// right. Both of a pair answer the same.
fn head_on(me: &Row, other: &Row, to: Vec2, rank: Rank) -> Option<f32> {
    if me.idle || rank.is_comrade() {
        return None;
    }
    // Most are not: no root is taken for them.
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

/// A direction for two in one place, opposite for both.
fn apart(me: u32, other: u32) -> Vec2 {
    let (low, high) = if me < other { (me, other) } else { (other, me) };
    let bits = scatter(u64::from(low) << 32 | u64::from(high));
    let angle = (bits >> 40) as f32 * (core::f32::consts::TAU / (1_u32 << 24) as f32);
    let (sin, cos) = carom::math::sin_cos(angle);
    if me < other { Vec2::new(cos, sin) } else { -Vec2::new(cos, sin) }
}

/// The nearest few, by distance and then by their order in the list.
#[derive(Default)]
struct Nearest {
    /// Distances squared, as bits (which are ordered as they are), over places in the list.
    keys: [u64; 32],
    most: usize,
    /// From me to each in the list.
    to: Vec<Vec2>,
}

impl Nearest {
    fn begin(&mut self, most: usize) {
        self.most = most.min(self.keys.len());
        self.keys[..self.most].fill(u64::MAX);
        self.to.clear();
    }

    /// The next of the list. What is in order is compared and swapped to its end, without a branch:
    /// where to stop cannot be predicted, and a wrong guess costs more than the rest of the way.
    /// (An insertion that stops: 1.5 times as long for all of the choice.)
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

    /// What is in the list at the places of the nearest.
    fn all<'a>(&'a self, list: &'a [u32]) -> impl Iterator<Item = (Vec2, u32)> + 'a {
        let keys = self.keys[..self.most].iter().take_while(|key| **key != u64::MAX);
        keys.map(|key| (self.to[*key as u32 as usize], list[*key as u32 as usize]))
    }
}
