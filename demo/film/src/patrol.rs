//! Guards who notice, chase, strike and go back; and time that goes back too, by snapshots of
//! world, crowd and minds.

use std::collections::VecDeque;

use carom::prelude::*;
use carom::{Error, Filter};
use carom_nav::crowd::{Agent, AgentId, Crowd, Wander};
use carom_nav::mind::{Machine, Mind, Table, WatcherId, Zone, ZoneEvent, Zones};
use core::fmt::Write as _;
use demo_shell::keys::Keys;
use demo_shell::{Commands, DT, Info, Ink, Input, PLAIN, Place, Play, Scene, Timeline, hue};

use demo_shell::people::{from_above, refused};

pub(crate) static SCENE: Info = Info {
    name: "patrol",
    title: "Patrol",
    hint: "Arrow keys walk the thief; left alone he walks along the borders of what guards notice. Rewind by the \
           slider of time: world, crowd and minds are brought back, and it goes on from there. The naive way has \
           one border for noticing and losing: guards flicker.",
    counted: "guards",
    count: [1, 3, 5],
    view: [vec2(-16.0, -8.5), vec2(16.0, 8.5)],
    keys: "walk",
    naive: "one border instead of two",
    build,
    ..PLAIN
};

const WALLS: u64 = 2;
const THIEF: u64 = 4;
const POSTS: [[f32; 2]; 5] = [[-8.0, 4.2], [1.0, -4.0], [10.0, 4.0], [-9.0, -5.5], [3.0, 5.5]];
const SHEDS: [([f32; 2], [f32; 2]); 8] = [
    ([0.0, 8.2], [32.0, 0.4]),
    ([0.0, -8.2], [32.0, 0.4]),
    ([-15.8, 0.0], [0.4, 16.8]),
    ([15.8, 0.0], [0.4, 16.8]),
    ([-3.0, 3.5], [1.0, 5.0]),
    ([4.5, 1.5], [4.0, 1.0]),
    ([-5.0, -4.0], [3.0, 1.5]),
    ([10.5, -3.5], [1.2, 3.4]),
];
/// Where the thief walks by himself, to and fro.
const ROUND: [[f32; 2]; 6] =
    [[-13.0, 0.2], [-7.5, 0.2], [-1.0, -0.4], [6.0, -0.6], [13.5, -0.4], [14.0, 2.0]];
const GUARD: Agent = Agent { radius: 0.35, speed: 1.2, acceleration: 20.0, horizon: 2.0, priority: 0 };
const ROGUE: Agent = Agent { radius: 0.35, speed: 1.5, acceleration: 20.0, horizon: 2.0, priority: 1 };
const ZONE: Zone =
    Zone { notice: 4.0, lose: 5.5, reach: 1.2, slack: 0.3, hides: WALLS, patience: 60, targets: THIEF };
/// One border, and no patience.
const NAIVE: Zone = Zone { lose: 4.01, slack: 0.0, patience: 0, ..ZONE };
/// Steps between two snapshots, and how many are kept: half a minute.
const EVERY: u64 = 6;
const MOST: usize = 300;
/// Steps after the last key until the thief walks by himself.
const ALONE: u32 = 120;

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Patrol,
    Chase,
    Attack,
}

use State::{Attack, Chase, Patrol as OnPatrol};

#[derive(Clone)]
struct Guard {
    agent: AgentId,
    body: BodyId,
    watch: WatcherId,
    post: [f32; 2],
}

/// What the rules of the scene are from step to step, beside world, crowd and minds.
#[derive(Clone, Debug, Default)]
struct Score {
    changes: usize,
    strikes: usize,
    /// The next corner of the thief's round, and its direction.
    corner: usize,
    back: bool,
    /// Steps since a key was down.
    alone: u32,
}

/// A moment: images of world, crowd and minds, and what was noticed.
struct Moment {
    step: u64,
    world: Vec<u8>,
    crowd: Vec<u8>,
    minds: Vec<u8>,
    zones: Zones,
    score: Score,
}

struct Watch {
    table: Table<State, ZoneEvent>,
    minds: Vec<Mind>,
    crowd: Crowd,
    zones: Zones,
    guards: Vec<Guard>,
    thief: (AgentId, BodyId),
    score: Score,
    moments: VecDeque<Moment>,
    now: u64,
    rewinds: usize,
}

fn build(count: u32) -> Result<Scene, Error> {
    let table = Machine::new(OnPatrol)
        .on(OnPatrol, ZoneEvent::Noticed, Chase)
        .on(Chase, ZoneEvent::InReach, Attack)
        .on(Attack, ZoneEvent::OutOfReach, Chase)
        .on(Chase, ZoneEvent::Lost, OnPatrol)
        .others_stay()
        .check()
        .map_err(|_| Error::BadNumber("a table of states has no gaps"))?;
    let mut world = from_above();
    for (at, size) in SHEDS {
        let filter = Filter { category: WALLS, ..Filter::default() };
        world.add(BodyDef::fixed().at(at).shape(Shape::rect(size[0], size[1])).filter(filter))?;
    }
    let (mut crowd, mut zones, mut guards) = (Crowd::default(), Zones::default(), Vec::new());
    for post in POSTS.into_iter().take(count as usize) {
        let body = world.add(hue(GUARD.body(post), 2))?;
        let watch = watch(&mut zones, &mut world, body, ZONE)?;
        let agent = crowd.add(&world, body, GUARD).map_err(refused)?;
        crowd.wander(agent, round(guards.len(), post)).map_err(refused)?;
        guards.push(Guard { agent, body, watch, post });
    }
    let filter = Filter { category: THIEF, ..Filter::default() };
    let body = world.add(hue(ROGUE.body(ROUND[0]).filter(filter), 6))?;
    let thief = (crowd.add(&world, body, ROGUE).map_err(refused)?, body);
    let minds = vec![table.start(); guards.len()];
    let score = Score { alone: ALONE, ..Score::default() };
    let moments = VecDeque::new();
    let mut play = Watch { table, minds, crowd, zones, guards, thief, score, moments, now: 0, rewinds: 0 };
    play.keep_moment(&world);
    Ok(Scene::new(world, play))
}

fn watch(zones: &mut Zones, world: &mut World, body: BodyId, zone: Zone) -> Result<WatcherId, Error> {
    zones.attach(world, body, zone).map_err(|_| Error::BadNumber("a zone has two borders"))
}

fn round(guard: usize, post: [f32; 2]) -> Wander {
    Wander { seed: guard as u64, turn: 2.5, leash: Some((post.into(), 2.5)) }
}

impl Watch {
    fn keep_moment(&mut self, world: &World) {
        let (mut image, mut crowd, mut minds) = (Vec::new(), Vec::new(), Vec::new());
        world.save_into(&mut image);
        self.crowd.save_into(&mut crowd);
        self.table.save_into(&self.minds, &mut minds);
        let (zones, score) = (self.zones.clone(), self.score.clone());
        self.moments.push_back(Moment { step: self.now, world: image, crowd, minds, zones, score });
        if self.moments.len() > MOST {
            self.moments.pop_front();
        }
    }

    /// What guards make of what they learnt in the last step.
    fn think(&mut self, world: &World) -> Result<(), Error> {
        for (number, guard) in self.guards.iter().enumerate() {
            let mind = &mut self.minds[number];
            for (_, event, _) in self.zones.events().iter().filter(|(who, ..)| *who == guard.watch) {
                let Ok(step) = self.table.step(mind, *event) else { continue };
                self.score.changes += usize::from(step.entered().is_some());
                match step.entered() {
                    Some(OnPatrol) => {
                        self.crowd.wander(guard.agent, round(number, guard.post)).map_err(refused)?;
                    }
                    Some(Attack) => {
                        self.score.strikes += 1;
                        self.crowd.stand(world, guard.agent).map_err(refused)?;
                    }
                    _ => {}
                }
            }
            // The one chased moves, so where to go is said again and again.
            let whom = self.zones.nearest(world, guard.watch).and_then(|whom| world.get(whom));
            if let (Ok(Chase), Some(whom), 0) = (self.table.state(*mind), whom, self.now % 15) {
                self.crowd.go(guard.agent, whom.world_position()).map_err(refused)?;
            }
        }
        Ok(())
    }

    /// The thief goes where keys say, or his round.
    fn sneak(&mut self, world: &World, keys: Keys) -> Result<(), Error> {
        let (agent, body) = self.thief;
        let Some(at) = world.get(body).map(|body| body.position()) else { return Ok(()) };
        let way = vec2(keys.across(), f32::from(keys.up()) - f32::from(keys.down()));
        self.score.alone = if way == Vec2::ZERO { self.score.alone.saturating_add(1) } else { 0 };
        if way != Vec2::ZERO {
            return self.crowd.go(agent, at + way.normalize_or_zero() * 1.5).map_err(refused);
        }
        if self.score.alone < ALONE {
            return self.crowd.stand(world, agent).map_err(refused);
        }
        let corner = Vec2::from(ROUND[self.score.corner]);
        if at.distance(corner) < 0.6 {
            let last = if self.score.back { 0 } else { ROUND.len() - 1 };
            self.score.back ^= self.score.corner == last;
            self.score.corner = if self.score.back { self.score.corner - 1 } else { self.score.corner + 1 };
        }
        self.crowd.go(agent, Vec2::from(ROUND[self.score.corner])).map_err(refused)
    }

    fn state(&self, guard: usize) -> State {
        self.table.state(self.minds[guard]).unwrap_or(OnPatrol)
    }
}

impl Play for Watch {
    fn step(&mut self, places: &mut [Place], input: Input) -> Result<(), Error> {
        let world = &mut places[0].world;
        self.think(world)?;
        self.sneak(world, input.keys)?;
        self.crowd.steer(world, DT).map_err(refused)?;
        world.step(DT)?;
        self.zones.read(world);
        self.now += 1;
        if self.now.is_multiple_of(EVERY) {
            self.keep_moment(world);
        }
        Ok(())
    }

    fn set_naive(&mut self, places: &mut [Place], on: bool) {
        let world = &mut places[0].world;
        for guard in &mut self.guards {
            self.zones.detach(world, guard.watch);
            let zone = if on { NAIVE } else { ZONE };
            // The body is there, so is the sensor.
            guard.watch = watch(&mut self.zones, world, guard.body, zone).unwrap_or(guard.watch);
        }
        // Sensors are others: what was kept does not fit any more.
        self.moments.clear();
        self.keep_moment(world);
    }

    fn timeline(&self) -> Option<Timeline> {
        let first = self.moments.front()?.step;
        Some(Timeline { first, last: self.now, now: self.now, mark: None })
    }

    /// Brings back the moment at or before a step, and forgets what came after.
    fn seek(&mut self, places: &mut [Place], step: u64) -> bool {
        let later = self.moments.partition_point(|moment| moment.step <= step);
        self.moments.truncate(later.max(1));
        let Some(moment) = self.moments.back() else { return false };
        let world = &mut places[0].world;
        let loaded = world.load(&moment.world).is_ok() && self.crowd.load(world, &moment.crowd).is_ok();
        if !loaded || self.table.load(&moment.minds, &mut self.minds).is_err() {
            return false;
        }
        self.zones = moment.zones.clone();
        self.score = moment.score.clone();
        self.now = moment.step;
        self.rewinds += 1;
        true
    }

    fn overlay(&self, places: &[Place], out: &mut Commands) {
        let world = &places[0].world;
        for (number, guard) in self.guards.iter().enumerate() {
            let Some(at) = world.get(guard.body).map(|body| body.position()) else { continue };
            let (ink, word) = match self.state(number) {
                OnPatrol => (Ink::Soft, ""),
                Chase => (Ink::Orange, "chases"),
                Attack => (Ink::Red, "strikes"),
            };
            out.put_circle(ink, false, (at, ZONE.notice), Vec2::ZERO);
            out.put_circle(ink, true, (at, 0.5), Vec2::ZERO);
            out.put_words(ink, at + vec2(0.0, 0.75), word);
            if self.state(number) != OnPatrol
                && let Some(thief) = world.get(self.thief.1)
            {
                out.put_line(ink.faint(0.6), at, thief.position());
            }
        }
    }

    fn report(&self, _places: &[Place], out: &mut String) {
        let awake = (0..self.guards.len()).filter(|guard| self.state(*guard) != OnPatrol).count();
        let _ = writeln!(out, "guards who know of the thief\t{awake}");
        let _ = writeln!(out, "changes of mind\t{}", self.score.changes);
        let _ = writeln!(out, "strikes\t{}", self.score.strikes);
        let kept: usize =
            self.moments.iter().map(|it| it.world.len() + it.crowd.len() + it.minds.len()).sum();
        let _ = writeln!(out, "moments kept\t{}, {} kB", self.moments.len(), kept / 1024);
        let _ = writeln!(out, "rewound\t{} times", self.rewinds);
    }

    fn focus(&self, places: &[Place]) -> Option<Vec2> {
        places[0].world.get(self.thief.1).map(|body| body.position())
    }

    fn reshapes(&self) -> bool {
        true
    }

    fn hash(&self, places: &[Place]) -> u64 {
        places[0].world.hash() ^ self.crowd.hash() ^ self.zones.hash()
    }
}
