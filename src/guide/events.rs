//! Events of the last step.
//!
//! [`World::events`](crate::World::events) is valid until the next step. You need not turn anything
//! on: each list is a sorted slice, and equal on every machine.
//!
//! | list | when |
//! |---|---|
//! | [`begun`](crate::Events::begun), [`ended`](crate::Events::ended) | two shapes began or ceased to touch, once for any number of points or parts |
//! | [`hits`](crate::Events::hits) | two shapes met: the place, the speed, the impulse, and the time within the step |
//! | [`entered`](crate::Events::entered), [`left`](crate::Events::left) | a shape entered or left a sensor |
//! | [`slept`](crate::Events::slept), [`woken`](crate::Events::woken) | a body fell asleep or woke |
//! | [`broken`](crate::Events::broken), [`lost`](crate::Events::lost) | a joint broke, or its body was removed |
//! | [`frozen`](crate::Events::frozen) | a body left the world, 2.19e12 m out, or its numbers overflowed (report that: it should not happen). It becomes fixed, and the rest goes on |
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(20.0, 1.0)))?;
//! let goal = ShapeDef::from(Shape::rect(2.0, 2.0)).sensor();
//! world.add(BodyDef::fixed().at([0.0, 3.0]).shape(goal))?;
//! let ball = world.add(BodyDef::dynamic().at([0.0, 8.0]).shape(Shape::circle(0.3)))?;
//!
//! let (mut scored, mut loudest) = (0, 0.0);
//! for _ in 0..180 {
//!     world.step(1.0 / 60.0)?;
//!     scored += world.events().entered().iter().filter(|visit| visit.visitor_body == ball).count();
//!     for hit in world.events().hits() {
//!         loudest = hit.speed.max(loudest); // play a sound at hit.point
//!     }
//! }
//! assert_eq!(scored, 1);
//! assert!(loudest > 10.0);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! A ball at 100 m/s that flies through a sensor within one step enters and leaves it in that step.
//! `time` is the share of the step at which it happened, 0 to 1.
//!
//! A [coin](super::recipes#a-coin) and a [crate that breaks](super::recipes#a-crate-that-breaks)
//! are recipes.
//!
//! # Contacts that last
//!
//! Events report changes. Contacts that last are in [`World::contacts`](crate::World::contacts) and
//! [`World::contacts_of_body`](crate::World::contacts_of_body): normal, points, and the impulse of
//! the last step, from which you can compute the load on a body.
//!
//! # User data: whose body is it?
//!
//! Bodies, shapes and joints have a `user_data: u64` for an entity's number. Ids are `Copy`, have a
//! hash and an order, and `id.index()` is a small number for a table of your own.
