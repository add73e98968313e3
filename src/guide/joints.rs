//! Joints: hang, hinge, drive and break.
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
//! The first body may be `None`: then the joint fixes the second body to the world. `filter` and
//! `pulley` need two bodies, `gear` two joints.
//!
//! # Kinds
//!
//! | `JointDef::…` | leaves free | for |
//! |---|---|---|
//! | `revolute(a, b)` | turning | hinges, wheels without springs, limbs |
//! | `prismatic(a, b, axis)` | one direction | lifts, pistons |
//! | `distance(a, b)` | all but the length | rods; springs, when it is soft |
//! | `rope(a, b, max)` | everything within a length | ropes |
//! | `weld(a, b)` | nothing | glue; planks that bend, when it is soft |
//! | `wheel(car, tyre, axis, spring)` | turning, and a sprung direction | cars |
//! | `motor_to(a, b, spring)` | – | moving a body to a place |
//! | `drag(body, point, max_force)` | – | a mouse |
//! | `friction(a, b, max_force, max_torque)` | everything, against friction | top-down games |
//! | `gear(joint, joint, ratio)` | two joints turn by a ratio | clockwork, racks |
//! | `pulley(a, b, ground_a, ground_b, ratio)` | two lengths have one sum | lifts with counterweights |
//! | `filter(a, b)` | everything | two bodies that pass through each other |
//!
//! `a` is a `BodyId` or `None`, `b` a `BodyId`, `joint` a `JointId`; `axis` is in the frame of
//! `a`, `spring` is `Spring::new(hertz, damping)`.
//!
//! Each may be followed by these builder functions. The last column lists the kinds.
//!
//! | builder | what it says | for |
//! |---|---|---|
//! | `.at(point)`, `.between(a, b)`, `.anchors(a, b)` | the anchors: at a place, at two places, at points of the bodies | all but gears |
//! | `.angle(radians)` | the angle that counts as 0 | all but gears |
//! | `.limits(lower, upper)` | range of the angle, the displacement or the length; wheels have `.travel_limits`, `.angle_limits` | `revolute`, `prismatic`, `rope`, `distance` |
//! | `.motor(speed, max)` | drives at a speed, with this force or torque at most | the same, and `wheel` |
//! | `.servo(target, spring)` | drives to a target | the same, and `wheel` |
//! | `.soft(spring)` | holds by a spring | `revolute`, `prismatic`, `distance`, `rope`, `weld`, `wheel` |
//! | `.axis(axis)`, `.length(metres)`, `.bend(spring)` | parameters of the kind | sliders and wheels; rods and pulleys; welds |
//! | `.suspension(drive)` | travel, motor and spring along the axis | `wheel` |
//! | `.to(place, angle)`, `.drag_to(point)`, `.strength(force, torque)` | the target, the strength | `motor_to`, `drag`; `friction` |
//! | `.force_range(least, most)`, `.ratio(ratio)` | range of forces; ratio | servos and soft rods; `gear`, `pulley` |
//! | `.breaks_at(force, torque)`, `.collide()`, `.user_data(number)` | breaks at a load; its bodies touch each other; a number of the program | all |
//!
//! [`World::add_joint`](crate::World::add_joint) returns a [`JointId`](crate::JointId). Use it with
//! [`change_joint(id, |joint| …)`](crate::World::change_joint),
//! [`remove_joint(id)`](crate::World::remove_joint) and
//! [`joint_state(id)`](crate::World::joint_state); [`joints_of(body)`](crate::World::joints_of)
//! lists the joints of a body.
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
//! - `.limits(lower, upper)`: limits the angle over any number of turns, or the length; wheels have
//!   `.travel_limits` and `.angle_limits`.
//! - `.motor(speed, max)`: drives at a speed, with this force or torque at most.
//! - `.servo(target, spring)`: drives to a target.
//! - `.soft(spring)`: holds by a spring of a frequency in hertz and a damping, 1 being critical;
//!   whatever the masses.
//! - `.breaks_at(force, torque)`: removes the joint at this load, and
//!   [`Events::broken`](crate::Events::broken) reports it.
//! - `.disabled()`: off, until a call of
//!   [`World::set_joint_enabled`](crate::World::set_joint_enabled). A disabled joint does nothing,
//!   keeps its id, and lets its bodies touch. Disable and enable it as often as you like.
//! - `.collide()`: its two bodies may touch each other; else they pass through.
//!
//! A setting that does not fit the kind is refused, with the reason.
//!
//! # Where, and at what angle
//!
//! `.at(point)` puts both anchors at a place of the world, for the present places of the bodies;
//! `.between(a, b)` at two places, `.anchors(a, b)` at points in the frames of the bodies. The
//! angle between the bodies when the joint is added counts as 0, or set it by `.angle(…)`.
//!
//! # What to expect of them
//!
//! Trees of joints (ragdolls, chains, cars), loops and ropes are solved directly, as a whole: a
//! ball 672 times as heavy as its chain's links hangs with gaps below 0.1 mm. Only large nets are
//! iterated, and stretch if their knots are heavy. Joints win over contacts: a heap of ragdolls may
//! stay entangled, and a light chain that a heavy load shakes may open.
//!
//! The examples `car`, `bridge`, `ragdolls` and `clockwork` draw them.
