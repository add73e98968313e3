//! Levels that come and go: tiles of an endless map, prefabs, bodies that move to another world.
//!
//! # A piece
//!
//! [`World::cut`](crate::World::cut) takes the bodies in an area out of the world, with their
//! shapes, joints, contacts and sleep, as a [`Piece`](crate::Piece).
//! [`World::paste`](crate::World::paste) inserts it again, there or elsewhere, as often as you
//! like. A pile that slept sleeps on, to the bit; nothing is tested or weighed again.
//!
//! ```
//! use carom::prelude::*;
//! use carom::Piece;
//!
//! let mut tower = World::default(); // a prefab is built as any world is; its corner is the origin
//! for row in 0..3 {
//!     tower.add(BodyDef::dynamic().at([0.5, 0.5 + row as f32]).asleep().shape(Shape::rect(1.0, 1.0)))?;
//! }
//! let tower = Piece::from(tower);
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(100.0, 1.0)))?;
//! let left = world.paste(&tower, [-8.0, 0.0])?;
//! let right = world.paste(&tower, [8.0, 0.0])?;
//! assert_eq!((left.bodies.len(), right.bodies.len()), (3, 3));
//! assert_eq!(world[right.bodies[2]].position(), vec2(8.5, 2.5));
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! User data of bodies, shapes and joints is kept; ids are not: [`Pasted`](crate::Pasted) lists the
//! new ids in the piece's order. [`Piece::write`](crate::Piece::write) writes a piece as bytes,
//! [`Piece::read`](crate::Piece::read) checks and reads them, on any thread.
//!
//! Reading a piece sorts its boxes too, and so does making a piece from a world: then a paste only
//! copies rows, and the step after it has nothing to sort. A piece that was cut and not yet read is
//! sorted by that step.
//!
//! # Ties: what stays, what goes along
//!
//! Bodies that touch or are joined across the border are tied. [`Ties`](crate::Ties) chooses
//! whether they stay with all bodies tied to them, come along, or are torn apart.
//!
//! # Tiles around the view
//!
//! [`Window`](crate::Window) computes the four tiles to keep, the tiles to unload, and the tiles
//! that will be needed soon. A tile is larger than the view, so pacing at a border loads nothing. A
//! loop over a map in files:
//!
//! ```no_run
//! use carom::prelude::*;
//! use carom::{Piece, Ties, Window};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (mut world, view) = (World::default(), WorldPoint::from([10.0, 5.0]));
//! let mut window = Window::new(64.0, [40.0, 24.0], 8.0)?;
//! let (mut bytes, name) = (Vec::new(), |[x, y]: carom::Tile| format!("map/{x}_{y}.piece"));
//! let change = window.look(view); // each frame
//! for tile in change.left() {
//!     world.cut(window.area(tile), Ties::Stay)?.write(&mut bytes);
//!     std::fs::write(name(tile), &bytes)?;
//! }
//! for tile in change.entered() {
//!     if let Ok(bytes) = std::fs::read(name(tile)) {
//!         world.paste(&Piece::read(&bytes)?, window.corner(tile))?;
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! `--example endless` does so with a thread that reads and writes, and draws the loaded tiles on
//! the way.
//!
//! # Peers
//!
//! The step of a paste is part of the simulation. Peers in lockstep must paste at the same step:
//! choose it when the tile is requested, and wait there for late peers. `cut`, `extract` and
//! `paste` are recorded like every call.
//!
//! # Between worlds
//!
//! [`World::extract`](crate::World::extract) takes a list of bodies. Pasted into another world at
//! the place of a door, the hero moves on as fast as before. If both worlds have built the same
//! level first, in the same order, contacts with the ground go on too: see
//! [`World::paste`](crate::World::paste).
