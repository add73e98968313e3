//! A game loop: fixed time steps in frames of any length.
//!
//! Physics steps should all have one length: results then do not depend on the frame rate, and a
//! stack that stands on a screen of 60 Hz stands on one of 144 Hz. [`FixedStep`](crate::FixedStep)
//! counts how many steps a frame is worth, and how far the next one has come.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let ball = world.add(BodyDef::dynamic().velocity([3.0, 5.0]).shape(Shape::circle(0.5)))?;
//! let mut clock = FixedStep::hz(60.0);
//!
//! # let frames = [0.004, 0.021, 0.016, 0.5, 0.016];
//! for seconds in frames {
//!     for _ in 0..clock.advance(seconds) {
//!         // Input of the player goes here: forces, impulses, once a step.
//!         world.step(clock.dt())?;
//!     }
//!     let poses = world.poses_at(clock.alpha()); // blended between the last two steps
//!     let drawn = poses[ball.index()];
//!     println!("{} {}", drawn.position, drawn.rotation.angle());
//! }
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! `alpha` is how much of a step lies between the last one and now. Drawn without it, a body stands
//! still in one frame and leaps in another; `--example game_loop` prints by how much.
//!
//! After a hitch, while a level loads, there are more steps to make than time to make them.
//! `max_steps` says how many are made in one frame; the rest is dropped, so that a game slows down
//! rather than freezes, and [`FixedStep::dropped`](crate::FixedStep::dropped) tells.
//!
//! # Poses as plain data
//!
//! [`Pose`](crate::Pose) is a position and a rotation as cosine and sine, 16 bytes, one for each
//! place of a body, at `poses[id.index()]`. The slice can be uploaded as it is
//! (`bytemuck::cast_slice`). Places without a body, or with one that is disabled, hold NaN
//! ([`Pose::is_somewhere`](crate::Pose::is_somewhere)). It allocates nothing once it has been
//! called.
//!
//! # Forces last a step
//!
//! [`apply_force`](crate::World::apply_force) works during the next step and is forgotten then; for
//! a rocket, call it before every step. An impulse changes the velocity at once. Both wake the
//! body.
//!
//! # In debug builds
//!
//! Optimise the dependencies and leave your own crate as it is; then a debug build stays playable:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```
//!
//! 500 bodies in a pile then take 0.2 ms a step, 34 ms without (on one core of an AMD EPYC, with
//! AVX-512). To debug carom itself, `world.set_lanes(carom::Lanes::scalar())` halves the latter,
//! with the same bits. `cargo bench -p carom-benches --profile unoptimised --bench debug` measures
//! both.
//!
//! Next: [materials](super::materials), or [events](super::events).
