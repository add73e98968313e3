//! A character controller: a player that walks.
//!
//! Characters of platform games do not move like crates: they climb steps, stop at once, and never
//! tip over. A [`Mover`](crate::Mover) computes such a move: it slides along walls, walks slopes up
//! to a limit, steps over edges, follows ground that falls away, rides on platforms, and pushes
//! crates.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
//! world.add(BodyDef::dynamic().at([3.0, 0.5]).shape(Shape::rect(1.0, 1.0)))?; // a crate in the way
//!
//! let mut hero = Mover::default();
//! let body = world.add(BodyDef::kinematic().at([0.0, 0.91]).shape(hero.def().shape.clone()))?;
//! let (mut velocity, dt) = (Vec2::ZERO, 1.0 / 60.0);
//! for frame in 0..120 {
//!     let jump = frame == 100;
//!     velocity = vec2(2.0, if jump { 5.0 } else { velocity.y - 9.81 * dt });
//!     let moved = hero.move_body(&mut world, body, velocity, dt)?;
//!     velocity = moved.velocity; // what walls and ground left of it
//!     world.step(dt)?;
//! }
//! assert!(world[body].position().y > 1.0); // in the air
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! The body is kinematic: other bodies collide with its shapes, forces do not move it.
//! [`Mover::slide`](crate::Mover::slide) computes the move without any body, and does not change
//! the world: for prediction, and for programs that keep positions themselves.
//!
//! [`MoverDef`](crate::MoverDef) has the steepest slope, the height of steps, the distance to which
//! it follows the ground down, and the strength of its pushes. [`MoveOutcome`](crate::MoveOutcome)
//! has the ground, whether the mover ran into a wall or a ceiling, and whether it was crushed.
//!
//! To choose between the two: [a body or a mover?](super::faq#a-character-a-body-or-a-mover) To
//! drop through a ledge, set [`MoverDef::one_way`](crate::MoverDef::one_way) to false for a moment.
//!
//! `cargo run --release -p carom-examples --example mover` walks through a small level and draws
//! the path; the browser demo has a mover to play. `--example platformer` shows the other way: a
//! dynamic capsule that cannot turn, whose velocity the program sets.
