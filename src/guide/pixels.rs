//! Pixels as lengths: the effects of a unit.
//!
//! # A world of pixels
//!
//! carom counts in metres, and some of its numbers depend on the length of a metre: how far around
//! a body it looks for others, how slow a body must be to rest, how fast overlaps are pushed out,
//! how fast bodies may move. In a world whose crates are 48 units wide all such numbers would fit
//! crates of 48 metres: they would seem to fall in slow motion, sink in, and never rest.
//!
//! [`WorldDef::unit`](crate::WorldDef::unit) is the number of units in a metre. Take the length
//! that your game draws for a metre: if a man of 110 pixels is 1.7 m tall, a metre is about 64.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::new(WorldDef::default().unit(64.0));
//! world.add(BodyDef::fixed().at([480.0, 20.0]).shape(Shape::rect(960.0, 40.0)))?;
//! let hero = world.add(BodyDef::dynamic().at([480.0, 300.0]).shape(Shape::rect(32.0, 110.0)))?;
//! for _ in 0..120 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!((world[hero].position().y - 95.0).abs() < 0.5);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! The defaults of the definition follow it: gravity is 64 · 9.81 units/s², bodies move at most at
//! 64,000, and rest below 3.2 (units/s). Your own values are not scaled, set before or after.
//!
//! # What is in which unit
//!
//! All numbers with a length in them are in the units of the world, also where the documentation
//! says metres.
//!
//! | | in a world of pixels |
//! |---|---|
//! | places, sizes, anchors, distances of queries | px |
//! | velocities, speeds of motors and surfaces | px/s |
//! | gravity | px/s² |
//! | masses | kg, as ever |
//! | densities | kg/px²; 1.0 makes a crate of 48 × 48 weigh 2,304 kg |
//! | forces, impulses | kg px/s², kg px/s |
//! | torques, inertias, energies | kg px²/s², kg px², kg px²/s² |
//! | angles, friction, restitution, damping, hertz | the same |
//!
//! Only ratios of masses change the motion, so a density of 1.0 is as good as any, as long as
//! forces fit it. [`Weight::Mass`](crate::Weight::Mass) sets kilograms.
//!
//! [`MoverDef::unit`](crate::MoverDef::unit) scales the lengths of a character. Functions without a
//! world, such as [`contact`](crate::contact) and [`cast`](crate::cast), know no unit and need
//! none, except that shapes smaller than 1e-6 are refused.
//!
//! # The same bits
//!
//! If the unit is a power of two, a scene with all lengths multiplied by it has *exactly* the
//! scaled places and speeds, after any number of steps, on every machine: multiplying by a power of
//! two rounds nothing, and carom scales all of its own lengths. A test compares all kinds of
//! shapes, joints, areas, fast bodies and sleep in metres, in units of 1/64 and of 16 metres. So no
//! unit is better than another. Four things to know:
//!
//! - Divide densities by the square of the unit to get the same masses. A body without weight
//!   counts as one kilogram.
//! - Numbers near 1e-38 have fewer digits, in any unit.
//! - Joints that are torn metres apart and pull at each other with 1e8 N were seen to differ, in 5
//!   of 340 random worlds.
//! - A region of the world is 1024 units wide ([`REGION_SIZE`](crate::tuning::REGION_SIZE)), so
//!   that a [`WorldPoint`](crate::WorldPoint) means the same everywhere. If a metre has 64 units,
//!   bodies count 64 regions as one, and places have the resolution of metres. In units longer than
//!   a metre, bits are equal within 512 m of the origin; beyond, a world in metres has regions of
//!   its own and a finer resolution.
//!
//! # When it is set
//!
//! Set it before the first body: [`World::set_def`](crate::World::set_def) refuses another unit
//! later. Snapshots, recordings, pieces and levels contain it, and a world refuses a piece of
//! another unit. Debug builds print a warning when the first dynamic body that a program makes in a
//! world of metres is more than 100 m across: such lengths are mostly pixels. A world with a unit
//! never causes the warning.
//!
//! In a file of a level, omitted numbers of the world's definition are the defaults in metres.
