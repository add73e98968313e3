//! Guards: each goes to and fro, chases a hero that it sees, and sends back one that it reaches.
//!
//! What a guard is up to is a table of states and events ([`Machine`]); events come from zones
//! around its body ([`Zones`]).

use carom::prelude::*;
use carom::{Error, Filter, Locks, MoverDef, Stride};
use carom_nav::mind::{Machine, Mind, Table, WatcherId, Zone, ZoneEvent, Zones};

use crate::DT;
use crate::level::{GUARD, HERO, LAND, ROPE};

/// Where guards go to and fro, from left to right.
const BEATS: [[f32; 2]; 2] = [[24.5, 29.5], [32.0, 37.0]];
const WALK: f32 = 1.3;
const CHASE: f32 = 3.2;
const GRAVITY: f32 = 18.0;
const RADIUS: f32 = 0.35;

/// What a guard is up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardState {
    /// Goes to and fro.
    Patrol,
    /// Runs after the hero.
    Chase,
    /// Has the hero.
    Catch,
}

/// One guard.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its body.
    pub body: BodyId,
    /// Where it looks: -1 or 1.
    pub facing: f32,
    watch: WatcherId,
    mind: Mind,
    mover: Mover,
    beat: [f32; 2],
    velocity: Vec2,
}

/// All guards, and what they notice.
#[derive(Clone, Debug)]
pub(crate) struct Guards {
    pub(crate) all: Vec<Guard>,
    zones: Zones,
    table: Table<GuardState, ZoneEvent>,
}

impl Guards {
    pub(crate) fn new(world: &mut World) -> Result<Guards, Error> {
        use GuardState::{Catch, Chase, Patrol};
        let table = Machine::new(Patrol)
            .on(Patrol, ZoneEvent::Noticed, Chase)
            .on(Chase, ZoneEvent::InReach, Catch)
            .on(Chase, ZoneEvent::Lost, Patrol)
            .on(Catch, ZoneEvent::OutOfReach, Chase)
            .on(Catch, ZoneEvent::Lost, Patrol)
            .others_stay()
            .check()
            .expect("every state is reached and left");
        let (mut zones, mut all) = (Zones::default(), Vec::new());
        for beat in BEATS {
            let shape = Shape::capsule([0.0, -0.3], [0.0, 0.3], RADIUS);
            let mover = Mover::new(MoverDef::new(shape.clone()))?;
            let filter = Filter { category: GUARD, mask: LAND, group: 0 };
            let def = BodyDef::kinematic().at([beat[0] + 1.0, 1.5]).shape(shape).filter(filter);
            let body = world.add(def.locks(Locks::ROTATION))?;
            let zone = Zone {
                notice: 5.0,
                lose: 7.0,
                reach: 0.85,
                slack: 0.2,
                hides: LAND,
                targets: HERO,
                ..Zone::default()
            };
            let watch = zones.attach(world, body, zone).map_err(|error| match error {
                carom_nav::mind::ZoneError::World(error) => error,
                _ => Error::BadNumber("a guard's zone"),
            })?;
            all.push(Guard {
                body,
                facing: 1.0,
                watch,
                mind: table.start(),
                mover,
                beat,
                velocity: Vec2::ZERO,
            });
        }
        Ok(Guards { all, zones, table })
    }

    pub(crate) fn state(&self, guard: &Guard) -> GuardState {
        self.table.state(guard.mind).unwrap_or(GuardState::Patrol)
    }

    /// Before a step of the world: where each one goes.
    pub(crate) fn drive(&mut self, world: &mut World) -> Result<(), Error> {
        for guard in &mut self.all {
            let state = self.table.state(guard.mind).unwrap_or(GuardState::Patrol);
            let at = world[guard.body].position();
            let target = self.zones.nearest(world, guard.watch).map(|body| world[body].position());
            let speed = match (state, target) {
                (GuardState::Patrol, _) | (_, None) => {
                    if at.x < guard.beat[0] || at.x > guard.beat[1] {
                        guard.facing = (guard.beat[0] + guard.beat[1] - 2.0 * at.x).signum();
                    }
                    WALK
                }
                (GuardState::Chase, Some(target)) => {
                    let across = target.x - at.x;
                    guard.facing = if across.abs() > 0.1 { across.signum() } else { guard.facing };
                    if across.abs() > 0.1 { CHASE } else { 0.0 }
                }
                (GuardState::Catch, Some(_)) => 0.0,
            };
            // It does not run off an edge.
            let toe = WorldRay::new(at + vec2(guard.facing * 0.6, 0.0), [0.0, -1.6]);
            let is_edge = world.ray(toe, &QueryFilter::default().mask(LAND)).is_none();
            let wanted = if is_edge { 0.0 } else { speed * guard.facing };
            guard.velocity.x += (wanted - guard.velocity.x).clamp(-0.3, 0.3);
            guard.velocity.y -= GRAVITY * DT;
            let filter = QueryFilter::default().mask(!(HERO | GUARD | ROPE));
            let stride = Stride::new(guard.velocity, DT).among(filter);
            let outcome = guard.mover.move_body_by(world, guard.body, &stride)?;
            guard.velocity = outcome.velocity;
            if outcome.hit_wall && state == GuardState::Patrol {
                guard.facing = -guard.facing;
            }
        }
        Ok(())
    }

    /// After a step: what they noticed. Answers whether one has the hero.
    pub(crate) fn notice(&mut self, world: &World) -> bool {
        self.zones.read(world);
        for guard in &mut self.all {
            let events = self.zones.events().iter().filter(|(watch, ..)| *watch == guard.watch);
            for (_, event, _) in events {
                // An event that the table does not have cannot come: it takes all of them.
                let _ = self.table.step(&mut guard.mind, *event);
            }
        }
        self.all.iter().any(|guard| self.state(guard) == GuardState::Catch)
    }

    /// The guard whose head is under these feet.
    pub(crate) fn under(&self, world: &World, feet: Vec2) -> Option<usize> {
        self.all.iter().position(|guard| {
            let head = world[guard.body].position() + vec2(0.0, 0.3);
            (feet.x - head.x).abs() < 0.6 && (-0.1..0.5).contains(&(feet.y - head.y))
        })
    }

    pub(crate) fn remove(&mut self, world: &mut World, index: usize) -> Result<(), Error> {
        let guard = self.all.swap_remove(index);
        self.zones.detach(world, guard.watch);
        world.remove(guard.body)
    }
}
