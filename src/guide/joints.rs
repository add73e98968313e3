//! Hang, hinge, drive and break.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let post = world.add(BodyDef::fixed().at([0.0, 5.0]))?;
//! let bob = world.add(BodyDef::dynamic().at([2.0, 5.0]).shape(Shape::circle(0.3)))?;
//! // A hinge between the two, at a place of the world.
//! let hinge = world.add_joint(JointDef::revolute(post, bob).at([0.0, 5.0]))?;
//! for _ in 0..300 {
//!     world.step(1.0 / 60.0)?;
//! }
//! let state = world.joint_state(hinge).expect("nobody removed it");
//! println!("at {:.2} rad, holds {:.1} N", state.angle, state.force.length());
//! assert!(state.gap < 1e-3);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! The first body may be `None`: then the joint holds the second one to the world. `filter` and
//! `pulley` need two bodies, `gear` two joints.
//!
//! # Kinds
//!
//! | kind | leaves free | for |
//! |---|---|---|
//! | `revolute` | turning | hinges, wheels without springs, limbs |
//! | `prismatic` | one direction | lifts, pistons |
//! | `distance` | all but the length | rods; springs, when it is soft |
//! | `rope` | everything within a length | ropes |
//! | `weld` | nothing | glue; planks that bend, when it is soft |
//! | `wheel` | turning, and a sprung direction | cars |
//! | `motor_to`, `drag` | – | moving a body to a place; a mouse |
//! | `friction` | everything, against friction | top-down games |
//! | `gear` | two joints turn by a ratio | clockwork, racks |
//! | `pulley` | two lengths have one sum | lifts with counterweights |
//! | `filter` | everything | two bodies that pass through each other |
//!
//! # What else can be said of one
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let car = world.add(BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::rect(3.0, 0.6)))?;
//! let tyre = BodyDef::dynamic().at([1.0, 0.5]).shape(Shape::circle(0.4)).material(Material::default().friction(1.2));
//! let tyre = world.add(tyre)?;
//!
//! let axle = JointDef::wheel(car, tyre, [0.0, 1.0], Spring::new(4.0, 0.7)).at([1.0, 0.5]);
//! let axle = world.add_joint(axle.motor(-20.0, 60.0))?; // rad/s, at most 60 N m
//!
//! // Change it at any time: the driver brakes.
//! world.change_joint(axle, |joint| joint.drive.motor = Some(carom::Motor::new(0.0, 200.0)))?;
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! - `.limits(lower, upper)`: of the angle over any number of turns, or of the length; of a wheel `.travel_limits` or `.angle_limits`.
//! - `.motor(speed, max)`: goes at a speed, with so much strength.
//! - `.servo(target, spring)`: goes to a place.
//! - `.soft(spring)`: holds by a spring of so many hertz and so much damping, 1 being critical; whatever the masses.
//! - `.breaks_at(force, torque)`: then it is gone, and [`Events::broken`](crate::Events::broken) tells.
//! - `.collide()`: its two bodies may touch each other; else they pass through.
//!
//! What does not fit the kind is refused, with the reason.
//!
//! # Where, and at what angle
//!
//! `.at(point)` puts both anchors at a place of the world as the bodies stand now, `.between(a, b)`
//! at two places, `.anchors(a, b)` at points in the frames of the bodies. The angle at which the
//! bodies stand when the joint is added counts as 0, or give `.angle(…)`.
//!
//! # What to expect of them
//!
//! Trees of joints (ragdolls, chains, cars) are solved as a whole: a ball 672 times as heavy as its
//! chain's links hangs with gaps below 0.1 mm. Loops are solved by iteration, so a net of many
//! heavy knots stretches. A joint has the last word over a touch: a heap of ragdolls may stay
//! entangled, and a light chain that is shaken by a heavy load may open.
//!
//! `--example car`, `bridge`, `ragdolls` and `clockwork` draw what they do.
