//! A world: bodies that fall, collide and rest.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default(); // gravity (0, -9.81)
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(20.0, 1.0)))?;
//! let block = world.add(BodyDef::dynamic().at([0.0, 4.0]).angle(0.4).shape(Shape::rect(1.0, 1.0)))?;
//!
//! for _ in 0..120 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!((world[block].position().y - 0.5).abs() < 0.01);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! A [`BodyDef`](crate::BodyDef) describes a body, `world.add` creates it and returns its
//! [`BodyId`](crate::BodyId), and `world[id]` reads it. Functions of the world change a body:
//! `set_velocity`, `apply_impulse`, `teleport`, `set_kind`, `remove` and so on. Call them at any
//! time between two steps.
//!
//! # Three kinds of bodies
//!
//! - `fixed` bodies never move: ground, walls. They cost nothing while no moving body is near, so a
//!   level may have a million.
//! - `dynamic` bodies obey forces. Their mass comes from their shapes and densities (1 kg/m² unless
//!   told otherwise).
//! - `kinematic` bodies follow their velocity whatever stands in the way: lifts, doors.
//!   [`World::move_to`](crate::World::move_to) moves such a body to a place by the end of the next
//!   step, and carries along the bodies that stand on it.
//!
//! # Several shapes on a body
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let hammer = BodyDef::dynamic()
//!     .shape(Shape::rect(0.2, 2.0))
//!     .shape(ShapeDef::from(Shape::rect(1.0, 0.5).at([0.0, 1.0])).density(7.8));
//! let hammer = world.add(hammer)?;
//! assert!(world[hammer].local_center().y > 0.8); // the head is heavy
//!
//! // Shapes come and go, and have ids of their own.
//! let spike = world.attach(hammer, Shape::triangle([-0.1, 1.25], [0.1, 1.25], [0.0, 1.6]))?;
//! world.detach(spike)?;
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Collision filters, sensors, one-way shapes
//!
//! A [`Filter`](crate::Filter) has a category, a mask of categories that it touches, and a group
//! that overrules both. A `sensor` shape (a trigger) reports overlapping shapes and does not push
//! them: see [events](super::events). A `one_way` shape is solid from one side.
//!
//! # Errors, and ids of what is gone
//!
//! Every call that changes the world checks its arguments first. A NaN, a removed body or a mass
//! below 0 is an [`Error`](crate::Error), and the world stays as it was. An id is an index and a
//! generation, so an old id never means another body. `world[id]` panics for a removed body, as
//! indexing does; [`World::get`](crate::World::get) returns an `Option`.
//!
//! # Sleep
//!
//! Bodies that have rested for half a second fall asleep, island by island, and cost nothing until
//! something wakes them: a touch, a joint that moves, a change from outside. `.sleepless()` on the
//! definition of a body keeps it awake; on the definition of the world, all bodies.
//!
//! # A large world
//!
//! A position is a [`WorldPoint`](crate::WorldPoint), a region and an offset in it. Near the origin
//! you can ignore this: `[x, y]` converts. A thousand kilometres out, and a million regions out, a
//! stack stands with the same bits as at the origin; draw it with
//! [`World::poses_from`](crate::World::poses_from) the camera. A world may also [wrap
//! round](super::recipes#a-screen-that-wraps-around), along x, y or both.
//!
//! Next: [a game loop](super::game_loop), or the [recipes](super::recipes).
