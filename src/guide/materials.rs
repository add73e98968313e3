//! How surfaces answer a touch.
//!
//! A [`Material`](crate::Material) is plain data on a shape, or on each part of a chain or
//! compound:
//!
//! | field | 0 | 1 |
//! |---|---|---|
//! | `restitution` | stays where it lands | bounces for ever: the energy is kept |
//! | `static_friction` | ice | holds on slopes up to 45° |
//! | `kinetic_friction` | slides on | 9.81 m/s² of braking |
//! | `rolling_resistance` | rolls on | an arm in metres: stops on slopes up to it over the radius |
//! | `surface_speed` | still | a conveyor belt, in m/s |
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let slope = BodyDef::fixed().angle(0.4).shape(Shape::rect(40.0, 1.0));
//! world.add(slope.material(Material::default().friction(1.0)))?;
//! let up = Rot::from_angle(0.4);
//!
//! let place = |along: f32| up * vec2(along, 1.0);
//! let rough = BodyDef::dynamic().at(place(-5.0)).angle(0.4).shape(Shape::rect(1.0, 1.0));
//! let rough = world.add(rough.material(Material::default().friction(1.0)))?;
//! let icy = BodyDef::dynamic().at(place(5.0)).angle(0.4).shape(Shape::rect(1.0, 1.0));
//! let icy = world.add(icy.material(Material::default().friction(0.04)))?;
//! let before = [rough, icy].map(|id| world[id].position());
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! let slid = |k: usize, id: BodyId| (world[id].position() - before[k]).length();
//! assert!(slid(0, rough) < 0.01); // tan 0.4 = 0.42 is less than its friction
//! assert!(slid(1, icy) > 0.9);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Two surfaces, one answer
//!
//! Two frictions are mixed by the geometric mean, so that ice is slippery under everything, and two
//! restitutions by the larger one, so that a rubber ball bounces on concrete. A material can choose
//! another rule ([`Combine`](crate::Combine)); if two rules differ, the later one in its list wins.
//! The larger rolling resistance counts, and surface speeds add up.
//!
//! [`Material::elastic`](crate::Material::elastic) has no friction and restitution 1,
//! [`Material::sticky`](crate::Material::sticky) ends all sliding, and `.welding()` holds touched
//! bodies for good, until [`World::break_welds`](crate::World::break_welds).
//!
//! # A bounce is exact
//!
//! Restitution is applied at the time of the impact within the step. A ball of restitution 1 comes
//! back to the height it was dropped from, for ten minutes; discs in a closed box keep their
//! energy. Billiards needs that. A body that would leave no faster than gravity takes back in one
//! step stays: so a ball comes to rest.
//!
//! For a restitution above 1, as of a pinball's bumper, see a [recipe](super::recipes#a-bumper).
//!
//! # A contact hook, where data is not enough
//!
//! [`World::set_contact_hook`](crate::World::set_contact_hook) sets a function that sees every
//! contact of a shape with `contact_hook`. It may change friction, restitution and surface speed,
//! or make the contact not solid. It runs on any thread, so it must depend on its arguments alone.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! world.set_contact_hook(|_pair, edit| edit.solid = edit.normal.y.abs() > 0.5); // walls can be walked through
//! world.add(BodyDef::fixed().shape(ShapeDef::from(Shape::rect(9.0, 1.0)).contact_hook()))?;
//! # Ok::<(), carom::Error>(())
//! ```
