//! Performance: how many bodies fit in a step, and where the time goes.
//!
//! # Some scale
//!
//! On one core of a server of 2023, a step of 5,050 boxes in a pyramid takes about 1.5 ms, and of a
//! stirred drum of 2,000 boxes about 1.3 ms; 5,000 sleeping bodies take nothing. `docs/results.md`
//! has the table against Box2D and rapier2d, `docs/performance.md` the time of each stage.
//!
//! # Where your time goes
//!
//! Give the world a clock, and [`World::step`](crate::World::step) returns the time of each stage:
//!
//! ```
//! use carom::prelude::*;
//! use std::sync::OnceLock;
//! use std::time::Instant;
//!
//! fn nanoseconds() -> u64 {
//!     static START: OnceLock<Instant> = OnceLock::new();
//!     START.get_or_init(Instant::now).elapsed().as_nanos() as u64
//! }
//!
//! let mut world = World::default();
//! world.set_clock(Some(nanoseconds));
//! let stats = world.step(1.0 / 60.0)?;
//! println!("{} awake, {} contacts: solve {} ns, collide {} ns", stats.awake, stats.contacts, stats.solve, stats.collide);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # What helps
//!
//! - **Build with `--release`**, or optimise dependencies in debug builds ([a game
//!   loop](super::game_loop)). Nothing else is needed: carom chooses the widest SIMD of the machine
//!   when the program starts.
//! - **Let things sleep.** Only awake bodies take time. A running motor, a push in each step, and
//!   `.sleepless()` keep islands awake.
//! - **Use fixed bodies for things that never move.** A level of a million fixed shapes costs a
//!   step nothing. A chain is better ground than many boxes.
//! - **Use simple shapes.** Circles, boxes and capsules have their own tests. A compound costs as
//!   much as its parts that are near something.
//! - **Use fewer sub-steps** if stacks may be soft: the solver's time is in proportion to
//!   [`WorldDef::sub_steps`](crate::WorldDef).
//! - **Use threads.** With the feature `parallel`, call `World::set_threads`; results stay the
//!   same. It pays from a few hundred awake bodies on.
//! - **Run many queries at once**: [`World::rays`](crate::World::rays) and its like
//!   ([queries](super::queries)).
//!
//! # What does not matter
//!
//! The place of bodies in the world, removals before, and the way the level was built do not
//! matter. Once lists have found their sizes, a steady step does not allocate.
//!
//! # How many on your machine?
//!
//! `cargo run --release -p carom-examples --features full --example profile` plots time against
//! bodies, as CSV and SVG.
