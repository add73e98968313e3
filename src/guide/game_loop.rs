//! A game loop: fixed time steps in frames of any length.
//!
//! Physics steps should all have one length: then results do not depend on the frame rate, and a
//! stack that stands on a screen of 60 Hz also stands on a screen of 144 Hz.
//! [`FixedStep`](crate::FixedStep) computes how many steps to make in a frame, and how far the next
//! step has come.
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
//! `alpha` is the share of a step between the last step and now. Drawn without it, a body stands
//! still in one frame and leaps in another; `--example game_loop` prints by how much.
//!
//! After a hitch, while a level loads, there are more steps to make than time to make them.
//! `max_steps` limits the steps of one frame. The rest is dropped, so that a game slows down rather
//! than freezes, and [`FixedStep::dropped`](crate::FixedStep::dropped) returns its number.
//!
//! # Poses as plain data
//!
//! A [`Pose`](crate::Pose) is a position and a rotation as cosine and sine, 16 bytes. There is one
//! for each body slot, at `poses[id.index()]`. The slice can be uploaded as it is
//! (`bytemuck::cast_slice`). Slots without a body, or with a disabled body, hold NaN
//! ([`Pose::is_somewhere`](crate::Pose::is_somewhere)). Only the first call allocates.
//!
//! # Forces last a step
//!
//! [`apply_force`](crate::World::apply_force) acts during the next step only; for a rocket, call it
//! before every step. An impulse changes the velocity at once. Both wake the body.
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
