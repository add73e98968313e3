//! Pixels as lengths: what changes, and what does not.
//!
//! # A world of pixels
//!
//! carom counts in metres, and some of what it does depends on how long a metre is: how far around
//! a body others are looked for, how slow something must be to rest, how fast overlaps are pushed
//! out, how fast anything may go. In a world whose crates are 48 units wide all of that would be
//! fitted to crates of 48 metres: they would seem to fall in slow motion, sink in, and never rest.
//!
//! [`WorldDef::unit`](crate::WorldDef::unit) says how many units a metre has. Take what your game
//! draws for a metre: a man of 110 pixels stands for 1.7 m, which makes about 64.
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
//! The defaults of the definition go with it: gravity is 64 · 9.81 units/s², bodies go at most
//! 64,000, and rest below 3.2 (units/s). What you set yourself is taken as it is, before or after.
//!
//! # What is in which unit
//!
//! Everything that has a length in it is in the units of the world, also where the documentation
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
//! Only ratios of masses matter to what happens, so the density of 1.0 is as good as any, as long
//! as forces go with it. [`Weight::Mass`](crate::Weight::Mass) gives kilograms.
//!
//! [`MoverDef::unit`](crate::MoverDef::unit) does the same for the lengths of a character. What is
//! asked without a world, as [`contact`](crate::contact) and [`cast`](crate::cast), knows no unit
//! and needs none, but that shapes smaller than 1e-6 are refused.
//!
//! # The same bits
//!
//! With a unit that is a power of two a scene whose lengths are all multiplied by it has *exactly*
//! the scaled places and speeds, after any number of steps, on every machine: multiplying by a
//! power of two rounds nothing, and no length of carom's own stays behind. A test compares all
//! kinds of shapes, joints, areas, fast bodies and sleep in metres, in units of 1/64 and of 16
//! metres. So nothing is lost or gained by choosing one. Four things to know:
//!
//! - Densities have to be divided by the square of it, for masses to be the same. What has no
//!   weight counts as one kilogram.
//! - Numbers near 1e-38 have fewer digits, in any unit.
//! - Joints that are torn metres apart and pull at each other with 1e8 N were seen to differ, in 5
//!   of 340 random worlds.
//! - A region of the world is 1024 units wide ([`REGION_SIZE`](crate::tuning::REGION_SIZE)), so
//!   that a [`WorldPoint`](crate::WorldPoint) means the same everywhere. Where a metre has 64
//!   units, bodies count 64 regions as one, and places are known as finely as those in metres. In
//!   units longer than a metre bits are the same within 512 m of the origin, beyond which metres
//!   have regions of their own and are known more finely.
//!
//! # When it is set
//!
//! Before the first body: [`World::set_def`](crate::World::set_def) refuses another unit later.
//! Snapshots, recordings, pieces and levels have it with them, and a piece is refused by a world of
//! another unit. Debug builds print a warning when the first dynamic body that a program makes in a
//! world of metres is more than 100 m across: those are mostly pixels. A world with a unit is never
//! warned of.
//!
//! In a file of a level, what is left out of the definition of a world is the default in metres.
