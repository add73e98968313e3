//! Local gravity, wind, water (force fields, effectors): what sensors do to the bodies in them.
//!
//! # An area is a sensor
//!
//! [`World::set_area`](crate::World::set_area) gives a sensor shape an [`Area`](crate::Area). From
//! the next step on it acts on every dynamic body of which a shape is in the sensor. No hook is
//! called and nothing has to be done each frame; what comes to rest in an area falls asleep, and
//! wakes when the area is changed, moved or taken away. Areas are part of snapshots, hashes and
//! recordings.
//!
//! ```
//! use carom::{Area, prelude::*};
//!
//! let mut world = World::default();
//! let shaft = BodyDef::fixed().at([0.0, 10.0]).shape(ShapeDef::from(Shape::rect(4.0, 20.0)).sensor());
//! let shaft = world.add(shaft)?;
//! let (shaft, _) = world.shapes_of(shaft).next().expect("it has one");
//! // Up, and no faster than 4 m/s: a lift without a lift.
//! world.set_area(shaft, Some(Area { drag: 0.5, ..Area::gravity([0.0, 2.0]) }))?;
//! let hero = world.add(BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(0.5)))?;
//! for _ in 0..240 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!(world[hero].position().y > 8.0);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Which one counts
//!
//! Areas add up, from the highest [`priority`](crate::Area::priority) down. Gravity that
//! [`replaces`](crate::Area::replaces) hides the world's and that of all areas below; drag, wind
//! and water of those still act. Each body counts once for an area, however many of its shapes are
//! in it.
//!
//! # Planets
//!
//! [`Pull::Toward`](crate::Pull::Toward) points to a place of the sensor's body, and falls off with
//! a power of the distance. Forces are taken at the moment of the step that keeps orbits closed:
//! their energy stays within 1 % over 100 turns.
//!
//! ```
//! use carom::{Area, prelude::*};
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! let planet = BodyDef::fixed()
//!     .shape(Shape::circle(1.0))
//!     .shape(ShapeDef::from(Shape::circle(30.0)).sensor());
//! let planet = world.add(planet)?;
//! let (reach, _) = world.shapes_of(planet).find(|(_, it)| it.is_sensor()).expect("it has one");
//! world.set_area(reach, Some(Area::planet(10.0, 1.0)))?;
//! // On a circle 5 m out: v² = 10 · 1² / 5.
//! let moon = BodyDef::dynamic().at([5.0, 0.0]).velocity([0.0, 1.41421]).shape(Shape::circle(0.2));
//! let moon = world.add(moon)?;
//! for _ in 0..1333 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!((world[moon].position().length() - 5.0).abs() < 0.05); // once round, and still on it
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Water
//!
//! [`Area::fluid`](crate::Area::fluid) fills the sensor up to a line. Of each part of a body the
//! area below the line is worked out, and lifted at its centroid by the weight of the water that it
//! displaces: boxes float at their draught, tilted ones right themselves, and what is heavier
//! sinks. Its drag grows with what is wet. The line belongs to the sensor's body, so a tank that is
//! tilted tilts its water. The fluid does not end at the sides of the sensor: a body that overlaps
//! the sensor is in the fluid up to the line.
//!
//! A density is one of an area, as those of shapes are: shapes have 1 kg/m² unless said, so that
//! [`Area::fluid(2.0, 0.0)`](crate::Area::fluid) lets them float half in.
//!
//! # Waves
//!
//! The surface of a fluid is one straight line. Waves are several areas side by side, a column each
//! one to two bodies wide, whose lines the game moves: a column is a body with one sensor, and
//! [`World::set_area`](crate::World::set_area) gives it the line of the moment, `surface` at the
//! height of the wave and `up` at right angles to its slope there, so that a raft slides down the
//! wave. Three pitfalls:
//!
//! - A body that overlaps two columns is in both fluids, each up to its own line *without end*, and
//!   would be lifted twice. Give the body a narrow sensor shape of its own for the areas to find
//!   (and filter its other shapes from them), or make columns wide, with gaps as wide as bodies.
//! - Each call wakes the bodies in the column. Move the lines of columns with bodies in them only,
//!   and leave them still when the sea is calm, so that rafts may sleep.
//! - `flow` is the velocity of the water, and drag is against it: with `flow` left at zero, waves
//!   lift a raft but do not carry it along.
//!
//! # Wind over water
//!
//! An area of wind acts on the whole body, whatever part of it is in the sensor: drag is a share of
//! the velocity, not a pressure on a side. So a body that floats in wind and water is pulled to
//! the wind by `drag` and to the current by the drag of the fluid, the latter by the share of it
//! that is wet. End the sensor of the wind at the surface where what is under water should feel
//! none: a body of which nothing is above is then not in it.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let mut zone = |at: [f32; 2], area: Area| -> Result<(), Error> {
//!     let sensor = ShapeDef::from(Shape::rect(100.0, 10.0)).sensor();
//!     let body = world.add(BodyDef::fixed().at(at).shape(sensor))?;
//!     let (sensor, _) = world.shapes_of(body).next().expect("it has one");
//!     world.set_area(sensor, Some(area))
//! };
//! zone([0.0, -5.0], Area::fluid(2.0, 5.0))?; // water up to y = 0
//! zone([0.0, 5.0], Area::wind([6.0, 0.0], 0.2))?; // wind above it
//! let raft = world.add(BodyDef::dynamic().shape(Shape::rect(2.0, 0.5)))?;
//! let wreck = ShapeDef::from(Shape::rect(1.0, 1.0)).density(2.0);
//! let wreck = world.add(BodyDef::dynamic().at([8.0, -5.0]).shape(wreck))?;
//! for _ in 0..300 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!(world[raft].position().x > 0.5); // it drifts
//! assert!((world[wreck].position().x - 8.0).abs() < 0.01); // nothing blows down there
//! # Ok::<(), carom::Error>(())
//! ```
