//! Save, go back, and play again.
//!
//! # To bytes and back
//!
//! [`World::save_into`](crate::World::save_into) writes the whole state, and
//! [`World::load`](crate::World::load) restores it: the same ids, and the same bits from then on. A
//! box that rests on the ground takes under 75 bytes, its contact included. Outlines, compounds and
//! chains of fixed bodies are only named, since the loading world has the level already;
//! [`World::save_whole_into`](crate::World::save_whole_into) writes those too, for a file.
//!
//! Bytes from the network may be damaged or forged. `load` checks all of them; for invalid bytes it
//! returns a [`LoadError`](crate::LoadError) and leaves the world as it was.
//!
//! # Rollback
//!
//! A [`Ring`](crate::Ring) keeps snapshots of the last steps; each stores only the changes since
//! the one before.
//!
//! ```
//! use carom::prelude::*;
//! use carom::Ring;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(20.0, 1.0)))?;
//! let player = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::circle(0.5)))?;
//! let mut inputs = vec![Vec2::ZERO; 60];
//! let mut ring = Ring::new(10);
//!
//! let step = |world: &mut World, ring: &mut Ring, inputs: &[Vec2]| -> Result<(), carom::Error> {
//!     ring.save(world);
//!     let input = inputs[world.step_count() as usize];
//!     world.apply_impulse(player, input)?;
//!     world.step(1.0 / 60.0).map(drop)
//! };
//! while world.step_count() < 60 {
//!     step(&mut world, &mut ring, &inputs)?;
//! }
//! // Late news: the other side jumped in step 54. Back to it, and to the present again.
//! inputs[54] = vec2(0.0, 4.0);
//! ring.load(54, &mut world).expect("one of the last ten");
//! while world.step_count() < 60 {
//!     step(&mut world, &mut ring, &inputs)?;
//! }
//! assert!(world[player].position().y > 0.7);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! `--example rollback` plays two peers over a bad line.
//!
//! # A copy
//!
//! `world.clone()` continues as the original would, and `clone_from` uses the memory of the copy
//! again: once warm it does not allocate. Use a copy to look ahead: step it, look, throw it away.
//!
//! # Desync: when two worlds diverge
//!
//! [`World::hash`](crate::World::hash) is 64 bits over the whole state; peers exchange it now and
//! then. If the hashes differ, [`World::first_difference`](crate::World::first_difference) of two
//! worlds names stage, body and field.
//!
//! # Recordings
//!
//! [`World::record`](crate::World::record) notes every call that changes the world, and the
//! decisions of hooks; the [`Recording`](crate::Recording) is bytes for a bug report. A
//! [`Replay`](crate::Replay) repeats the calls, seeks to any step by its key frames, and returns
//! the first step whose hash differs.
//!
//! # Levels
//!
//! A snapshot is for machines: it holds every impulse, and only this version of carom reads it. A
//! `Level` (feature `serde`) is for people and editors: definitions under names, in JSON, RON or
//! any other format of serde, with a version number, so that later versions read it.
//!
//! ```json
//! {
//!     "version": 1,
//!     "bodies": {
//!         "wall": { "shapes": [{ "shape": { "rect": { "size": [0.5, 6] } } }] },
//!         "door": { "kind": "Dynamic", "position": [0.8, 0],
//!                   "shapes": [{ "name": "leaf", "shape": { "rect": { "size": [1, 0.1] } } }] }
//!     },
//!     "joints": {
//!         "hinge": { "kind": "Revolute", "body_a": "wall", "body_b": "door",
//!                    "anchor_a": { "World": [0.3, 0] }, "anchor_b": { "World": [0.3, 0] },
//!                    "drive": { "limits": { "lower": -1.5, "upper": 1.5 } } }
//!     }
//! }
//! ```
//!
//! `serde_json::from_str::<Level>(text)?.to_world()?` returns the world, and the ids of the names:
//! `ids.body("door")`, `ids.shape("door", "leaf")`, `ids.joint("hinge")`. Errors name the
//! definition: `body "door", shape 0: a radius, width or height must be above 0`. The way back is
//! `world.to_level()`: a world that was made from a level, saved and made again has the same hash.
//! A level holds places and velocities, but not contacts, turns of hinges and other results of
//! steps. The example `level` reads, plays, saves and reads a level again.
