//! Thousands of small worlds at once (vectorized environments): reinforcement learning, parameter
//! sweeps, looking ahead.
//!
//! A [`Batch`](crate::Batch) is made of one world. Its copies begin alike, take numbers before each
//! step and return numbers after it. Nothing else passes between them and the program, so it does
//! not matter which thread steps which world.
//!
//! # Columns
//!
//! A column has one number of every world, and lies in memory as a plain slice. The columns of
//! actions lie behind each other, and so do the columns of observations. A matrix library takes
//! them as they are: `columns()` returns matrices of columns × worlds.
//!
//! ```
//! use carom::Batch;
//! use carom::prelude::*;
//!
//! // A ball to be thrown into a bin, at many speeds, to find the right one.
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
//! let ball = world.add(BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(0.1)))?;
//!
//! let mut batch = Batch::new(&world, 200)?
//!     .actions(1, move |world, speed| {
//!         // Called before each step: the throw is in the first one.
//!         if world.step_count() == 0 { world.set_velocity(ball, [speed[0], speed[0]]) } else { Ok(()) }
//!     })
//!     .observations(2, move |world, seen| seen.copy_from_slice(&world[ball].position().to_array()));
//! for (k, speed) in batch.action_mut(0).iter_mut().enumerate() {
//!     *speed = 0.05 * k as f32;
//! }
//! let mut nearest = vec![f32::INFINITY; 200];
//! for _ in 0..120 {
//!     batch.step(1.0 / 60.0)?;
//!     let (_, seen) = batch.columns();
//!     let (x, y) = seen.split_at(200);
//!     for (near, (x, y)) in nearest.iter_mut().zip(x.iter().zip(y)) {
//!         let off = vec2(x - 5.0, y - 1.0).length(); // to the bin
//!         *near = if off < *near { off } else { *near };
//!     }
//! }
//! let best = (0..200).min_by(|&a, &b| nearest[a].total_cmp(&nearest[b])).expect("two hundred");
//! assert!((0.05 * best as f32 - 5.0).abs() < 0.2); // 5 m in 1.02 s, up and down again
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Episodes
//!
//! [`Batch::reset`](crate::Batch::reset) takes a mask, a place for each world, and resets the
//! marked worlds: to the snapshot from which the batch was made, and then
//! [`variation`](crate::Batch::variation) changes them by the world's seed. The seed is another one
//! after each reset, and the same in every run:
//!
//! ```
//! use carom::Batch;
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
//! let mut batch = Batch::new(&world, 50)?
//!     .seed(3)
//!     .variation(move |world, seed| world.set_velocity(ball, [(seed % 7) as f32, 0.0]))
//!     .observations(1, move |world, seen| seen[0] = world[ball].position().y);
//! batch.reset_all()?;
//! for _ in 0..100 {
//!     batch.step(1.0 / 60.0)?;
//!     let done: Vec<bool> = batch.observation(0).iter().map(|&y| y < -5.0).collect();
//!     batch.reset(&done)?;
//! }
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # By data
//!
//! A [`Spec`](crate::Spec) takes the place of the functions above, as data: columns of actions and
//! observations, ranges to draw from at a reset, and the ends of an episode. It can be written by
//! another program or in another language, and is checked when the batch is made: an error names
//! the field that is wrong.
//!
//! | | what there is |
//! |---|---|
//! | [`Action`](crate::Action) | force and impulse (along an axis of the world or the body, at a point), torque, speed of a motor, target of a servo |
//! | [`Observation`](crate::Observation) | position, angle, sine and cosine, velocity, spin, also seen from another body; angle, length, speeds, force and torque of a joint; touches, impulse and number of contacts; fans of rays, nearest distance |
//! | [`Variation`](crate::Variation) | position, angle, velocity, spin, density, mass, friction, restitution, gravity, motor, servo: set, added or multiplied |
//! | [`End`](crate::End) | outside of a box, beyond an angle, a touch, sleep; and a limit of steps |
//!
//! ```
//! use carom::prelude::*;
//! use carom::{Action, AutoReset, Batch, BatchLayout, End, Observation, Spec, Variation};
//!
//! // A hovercraft that must not touch the walls of its room.
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless());
//! let room = [vec2(-5.0, -5.0), vec2(-5.0, 5.0), vec2(5.0, 5.0), vec2(5.0, -5.0)];
//! world.add(BodyDef::fixed().shape(Shape::closed_chain(&room)))?;
//! let craft = world.add(BodyDef::dynamic().shape(ShapeDef::from(Shape::circle(0.3)).mass(1.0)))?;
//!
//! let spec = Spec::new()
//!     .action(Action::force(craft, [1.0, 0.0]).in_body_frame().range(0.0, 1.0).scale(4.0).name("thrust"))
//!     .action(Action::torque(craft).range(-1.0, 1.0).scale(0.1).name("rudder"))
//!     .observation(Observation::rays(craft, 8, 5.0).name("sonar"))
//!     .observation(Observation::velocity(craft).name("velocity"))
//!     .variation(Variation::angle(craft, -3.0, 3.0))
//!     .end(End::touches(craft).name("wall"))
//!     .step_limit(200);
//! let mut batch = Batch::new(&world, 32)?
//!     .seed(1)
//!     .spec(&spec)?
//!     .layout(BatchLayout::Rows) // worlds × columns, as learners read them
//!     .auto_reset(AutoReset::SameStep);
//! batch.reset_all()?;
//! let mut touched = 0;
//! for _ in 0..300 {
//!     let (actions, seen) = batch.columns();
//!     for (action, seen) in actions.chunks_exact_mut(2).zip(seen.chunks_exact(10)) {
//!         action[0] = seen[0]; // as fast as there is room ahead
//!     }
//!     batch.step(1.0 / 50.0)?;
//!     touched += batch.terminated().iter().filter(|&&is_over| is_over).count();
//! }
//! assert!(touched > 0); // nobody steers
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! Where a world is reset by itself,
//! [`Batch::final_observations`](crate::Batch::final_observations) keeps its last observations.
//! [`Batch::from_starts`](crate::Batch::from_starts) takes several start worlds,
//! [`Batch::step_into`](crate::Batch::step_into) memory of the program,
//! [`Batch::step_list`](crate::Batch::step_list) some of the worlds; and
//! [`Batch::save`](crate::Batch::save) and [`Batch::load`](crate::Batch::load) the state of one.
//!
//! # Threads and bits
//!
//! With the feature `parallel`, [`Batch::threads`](crate::Batch::threads) distributes the worlds
//! among the threads of the rayon pool in which it is called, and
//! [`Batch::own_threads`](crate::Batch::own_threads) among threads of its own. A world has the bits
//! that a clone of it would have alone, for any number of threads. So you can repeat a run from its
//! seed, and look at one world of thousands alone: clone `batch.world(17)` to draw, save or record
//! it.
//!
//! # What costs time
//!
//! A thousand worlds do not fit into a cache: each step of a world begins by fetching it from
//! memory. [`Batch::repeat`](crate::Batch::repeat) makes several steps while it is there. Keep
//! worlds small: fixed bodies that are equal in all worlds cost memory in each.
//! [`WorldDef::sleepless`](crate::WorldDef::sleepless) saves the search for islands.
//!
//! `--example cart_pole` learns to balance a pole in 512 worlds; `--example lander` is made of data
//! alone.
