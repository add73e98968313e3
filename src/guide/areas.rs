//! Local gravity, wind, water (force fields, effectors): sensors that act on the bodies in them.
//!
//! # An area is a sensor
//!
//! [`World::set_area`](crate::World::set_area) gives a sensor shape an [`Area`](crate::Area). From
//! the next step on it acts on every dynamic body with a shape in the sensor. No hook is called and
//! you need not do anything each frame. A body that comes to rest in an area falls asleep, and
//! wakes when the area is changed, moved or removed. Areas are part of snapshots, hashes and
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
//! [`replaces`](crate::Area::replaces) hides the world's gravity and that of all areas below; their
//! drag, wind and water still act. Each body counts once for an area, even with several shapes in
//! it.
//!
//! # Planets
//!
//! [`Pull::Toward`](crate::Pull::Toward) points to a place of the sensor's body, and falls off with
//! a power of the distance. Forces are evaluated at the moment of the step that keeps orbits
//! closed: their energy stays within 1 % over 100 turns.
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
//! [`Area::fluid`](crate::Area::fluid) fills the sensor up to a line. carom computes the area of
//! each part of a body below the line, and lifts it at its centroid by the weight of the water that
//! it displaces: boxes float at their draught, tilted boxes right themselves, and heavier bodies
//! sink. The drag grows with the wet area. The line belongs to the sensor's body, so a tilted tank
//! tilts its water. The fluid does not end at the sides of the sensor: a body that overlaps the
//! sensor is in the fluid up to the line.
//!
//! A density is mass per area, as for shapes: shapes have 1 kg/m² by default, so that in
//! [`Area::fluid(2.0, 0.0)`](crate::Area::fluid) they float half in.
//!
//! # Waves
//!
//! The surface of a fluid is one straight line. Make waves of several areas side by side, each a
//! column one to two bodies wide, and move their lines. A column is a body with one sensor.
//! [`World::set_area`](crate::World::set_area) sets its present line: `surface` at the height of
//! the wave and `up` at right angles to its slope there, so that a raft slides down the wave. Three
//! pitfalls:
//!
//! - A body that overlaps two columns is in both fluids, each up to its own line *without end*, and
//!   would be lifted twice. Give the body a narrow sensor shape of its own for the areas to find
//!   (and filter its other shapes from them), or make columns wide, with gaps as wide as bodies.
//! - Each call wakes the bodies in the column. So move only the lines of columns with bodies in
//!   them, and leave them still when the sea is calm, so that rafts may sleep.
//! - `flow` is the velocity of the water, and drag is relative to it: with `flow` left at zero,
//!   waves lift a raft but do not carry it along.
//!
//! # Wind over water
//!
//! An area of wind acts on the whole body, even if only a part of it is in the sensor: drag is a
//! share of the velocity, not a pressure on a side. So a body that floats in wind and water is
//! pulled to the wind by `drag` and to the current by the drag of the fluid, the latter by its wet
//! share. If bodies under water should feel no wind, end the sensor of the wind at the surface:
//! then a body wholly below it is not in the wind.
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
