//! Frequently asked questions.
//!
//! # Nothing happens
//!
//! - **Is it stepped?** `world.step(1.0 / 60.0)?`: seconds, not milliseconds. A step longer than a
//!   second is an [`Error`](crate::Error).
//! - **Is it dynamic?** `BodyDef::fixed()` never moves, and `kinematic()` moves by its velocity
//!   alone.
//! - **Was the definition refused?** `add` returns a `Result`; its error names the rule that the
//!   definition breaks. [`World::try_new`](crate::World::try_new) returns the error in the
//!   definition of a world.
//! - **Does it sleep?** A body that rests for half a second sleeps until something wakes it. Calls
//!   of the world that change a body wake it. `world[id].is_awake()` tells, `.sleepless()` keeps a
//!   body awake.
//! - **Is the force set once?** A force lasts one step: apply it before every step, or call
//!   [`World::set_lasting_force`](crate::World::set_lasting_force). An impulse acts at once.
//! - **No hits?** [`Events::hits`](crate::Events::hits) leaves out touches slower than
//!   [`WorldDef::hit_speed`](crate::WorldDef::hit_speed), 1 m/s by default. All touches are in
//!   [`Events::begun`](crate::Events::begun), and lasting ones in
//!   [`World::contacts`](crate::World::contacts).
//! - **Do the filters agree?** Both masks must have the other's category; a group of 0 does not
//!   count. Bodies of a joint do not touch each other unless the joint says `.collide()`.
//! - **Does the surface or the weight have no effect?** `material`, `filter` and `density` of a
//!   [`BodyDef`](crate::BodyDef) apply to all shapes added before, and replace their values; a
//!   shape added later takes them where its own value is the default.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
//! assert!(world.step(16.7).is_err()); // milliseconds
//! assert!(world.add(BodyDef::dynamic().shape(Shape::circle(-1.0))).is_err());
//! world.step(1.0 / 60.0)?;
//! assert!(world[ball].velocity().y < 0.0 && world[ball].is_awake());
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # It falls slowly, as if under water; it is large and floaty
//!
//! Your lengths are pixels. A body of 64 m falls as a house does. Use metres, and multiply by the
//! pixels of a metre where you draw; or keep pixels, and set
//! [`WorldDef::unit`](crate::WorldDef::unit), see [pixels](super::pixels). Contacts reach 2 cm
//! ahead, sleep begins below 5 cm/s, and hits count from 1 m/s: these numbers suit bodies of
//! centimetres to tens of metres.
//!
//! ```
//! use carom::prelude::*;
//! const PIXELS: f32 = 64.0; // a metre
//!
//! let to_world = |pixel: Vec2, height: f32| vec2(pixel.x, height - pixel.y) / PIXELS; // y up
//! let to_screen = |at: Vec2, height: f32| vec2(at.x * PIXELS, height - at.y * PIXELS);
//! let click = vec2(320.0, 160.0);
//! assert_eq!(to_screen(to_world(click, 720.0), 720.0), click);
//! ```
//!
//! # It stutters
//!
//! Steps of one length do not fit the frames of a screen. Draw poses that are blended between the
//! last two steps: [`FixedStep`](crate::FixedStep) and [`World::poses_at`](crate::World::poses_at),
//! see [a game loop](super::game_loop). Do not step with the time of the frame: results then depend
//! on the frame rate. If a jump of a body smears, the program did not teleport it: set places by
//! [`World::teleport`](crate::World::teleport).
//!
//! # It is too slow
//!
//! - In a debug build, see the next question.
//! - Give the world a clock and look at the stages ([performance](super::performance)).
//! - Does anything sleep? `stats.awake` is the number of awake bodies. A running motor and a call
//!   per step keep an island awake.
//! - Bodies that start inside each other, or in one place, have contacts with all others there.
//! - Run many queries in one call: [`World::rays`](crate::World::rays) and its like.
//!
//! # Debug builds are slow
//!
//! Optimise the dependencies; your own crate still builds quickly:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```
//!
//! 500 bodies in a pile take 34 ms a step without it, and 0.2 ms with it.
//!
//! # Something goes through the wall
//!
//! Fast bodies do not pass through fixed, kinematic or dynamic ones, at any speed up to
//! `WorldDef::max_speed`. If one does, look for these:
//!
//! - It was **teleported**, or its shape was changed: then it had no path between the two places.
//! - `WorldDef::continuous` is off.
//! - The wall is a **sensor**, a **one-way** shape from its open side, or filters keep the two
//!   apart.
//! - A **kinematic** body pressed it there: kinematic bodies go where they are sent, whatever
//!   stands in the way. A body between two of them must pass through one.
//! - The wall is a **joint's** other body: give the joint `.collide()`.
//!
//! # Things sink into each other, or jitter
//!
//! - **Mass ratios**: a body a thousand times as heavy as the body under it presses it deep. Use
//!   more sub-steps (`WorldDef::sub_steps`), or a smaller ratio.
//! - **Velocities set each step** overrule the solver: a body whose velocity points into a wall in
//!   every step presses into it. Apply forces, or use a [`Mover`](crate::Mover).
//! - **Joints against contacts**: joints win. See [joints](super::joints).
//!
//! # A character: a body or a mover?
//!
//! | | dynamic body with locked rotation | [`Mover`](crate::Mover) |
//! |---|---|---|
//! | moves by | velocity or forces | a call per step that returns its contacts |
//! | steps, slopes, ledges | by hand | climbs, walks up to a limit, snaps to the ground |
//! | is pushed by crates and explosions | yes | no, it is kinematic |
//! | pushes crates | by the solver | with a mass and a force that you give |
//! | rides platforms and conveyors | by friction | exactly |
//! | for | balls, vehicles, ragdolls, simple platformers | heroes and enemies that walk |
//!
//! `cargo run --release -p carom-examples --example platformer` is the first,
//! `--example mover` the second.
//!
//! # Two runs differ
//!
//! Equal calls give equal bits. So some call differs: the length of a step, the order of calls, the
//! iteration of a hash map, a clock. [`World::hash`](crate::World::hash) after each step finds the
//! step, [`World::first_difference`](crate::World::first_difference) the body and the number, and a
//! recording the call. See [determinism](super::determinism).
//!
//! # `world[id]` panics
//!
//! The body is gone. [`World::get`](crate::World::get) is an `Option`. Ids are never used twice, so
//! an old id never means another body.
