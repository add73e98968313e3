//! Minds: what a guard does next.
//!
//! [`mind::guide`](crate::mind::guide) says which tool fits: an `enum` and a `match`, a checked
//! table, or a crate for trees. This chapter is a guard from end to end: zones make events of the
//! world, a table turns them into states, and the crowd moves the body.
//!
//! ```
//! use carom::prelude::*;
//! use carom_nav::mind::Zone;
//! use carom_nav::prelude::{Agent, Crowd, Doing, Machine, Wander, ZoneEvent, Zones};
//!
//! #[derive(Clone, Copy, PartialEq, Eq, Debug)]
//! enum Guard { Wander, Chase, Attack }
//! use Guard::{Attack, Chase};
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! let agent = Agent::default();
//! let guard = world.add(agent.body([0.0, 0.0]))?;
//! let thief = BodyDef::kinematic().at([12.0, 0.0]).velocity([-1.0, 0.0]).shape(Shape::circle(0.3));
//! let thief = world.add(thief)?;
//!
//! let mut crowd = Crowd::default();
//! let walker = crowd.add(&world, guard, agent)?;
//! crowd.wander(walker, Wander { leash: Some(([0.0, 0.0].into(), 2.0)), ..Wander::default() })?;
//! let mut zones = Zones::default();
//! zones.attach(&mut world, guard, Zone { notice: 6.0, lose: 8.0, reach: 1.5, ..Zone::default() })?;
//! let table = Machine::new(Guard::Wander)
//!     .on(Guard::Wander, ZoneEvent::Noticed, Chase)
//!     .on(Chase, ZoneEvent::InReach, Attack)
//!     .on(Attack, ZoneEvent::OutOfReach, Chase)
//!     .on(Chase, ZoneEvent::Lost, Guard::Wander)
//!     .others_stay()
//!     .check()?;
//! let mut mind = table.start();
//! for _tick in 0..600 {
//!     crowd.steer(&mut world, 1.0 / 60.0)?;
//!     world.step(1.0 / 60.0)?;
//!     zones.read(&world);
//!     for (_, event, _) in zones.events() {
//!         if table.step(&mut mind, *event)?.entered() == Some(Attack) {
//!             crowd.stand(&world, walker)?;
//!         }
//!     }
//!     if table.state(mind)? == Chase {
//!         crowd.go(walker, world[thief].world_position())?;
//!     }
//!     if table.state(mind)? == Attack {
//!         break;
//!     }
//! }
//! assert_eq!(table.state(mind)?, Attack);
//! assert_eq!(crowd.state(walker).map(|state| state.doing), Some(Doing::Stopped));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! A mind is one byte, a table is shared by all guards, and both belong in snapshots:
//! [`Table::save_into`](crate::mind::Table::save_into) writes all minds at once.
