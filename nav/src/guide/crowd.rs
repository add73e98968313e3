//! A crowd: bodies that walk.
//!
//! Agents are dynamic bodies of a world seen from above, without gravity. A
//! [`Crowd`](crate::crowd::Crowd) applies forces before each step, so whatever pushes, carries or
//! throws a body does so to an agent.
//!
//! ```
//! use carom::prelude::*;
//! use carom_nav::prelude::*;
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(1.0, 6.0)))?;
//! let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
//! let mut ground = Ground::new([0.0, 0.0]);
//! let (mut crowd, mut way) = (Crowd::default(), Way::default());
//! let soldier = Agent { radius: 0.3, speed: 2.0, ..Agent::default() };
//! let mut squad = Vec::new();
//! for k in 0..4 {
//!     let body = world.add(soldier.body([0.0, k as f32]))?;
//!     squad.push(crowd.add(&world, body, soldier)?);
//! }
//! mesh.sync(&world, &mut ground);
//! for (k, id) in squad.iter().enumerate() {
//!     mesh.way([0.0, k as f32], [10.0, k as f32], soldier.radius, &mut way)?;
//!     crowd.follow_way(*id, ground.origin, &way)?;
//! }
//! for _ in 0..900 {
//!     crowd.steer(&mut world, 1.0 / 60.0)?; // forces, and then
//!     world.step(1.0 / 60.0)?;
//! }
//! let doing = |id: &AgentId| crowd.state(*id).map(|state| state.doing);
//! assert!(squad.iter().all(|id| doing(id) == Some(Doing::Arrived)));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Orders
//!
//! | order | call |
//! |---|---|
//! | straight to a place, or along corners | [`go`](crate::crowd::Crowd::go), [`follow`](crate::crowd::Crowd::follow) |
//! | along a way of a mesh, a path over tiles | [`follow_way`](crate::crowd::Crowd::follow_way), [`follow_path`](crate::crowd::Crowd::follow_path) |
//! | along a field | [`stream`](crate::crowd::Crowd::stream), with [`steer_by`](crate::crowd::Crowd::steer_by) |
//! | a group to a place, each to a spot of its own | [`gather`](crate::crowd::Crowd::gather) |
//! | behind a leader | [`flock`](crate::crowd::Crowd::flock) |
//! | about, or nowhere | [`wander`](crate::crowd::Crowd::wander), [`stand`](crate::crowd::Crowd::stand) |
//!
//! Repeating an order changes nothing. An agent with a goal of several is there when it can get no
//! nearer because others are.
//!
//! # Stuck
//!
//! [`CrowdEvent::Stuck`](crate::crowd::CrowdEvent::Stuck) comes once, when a way did not get
//! shorter for two seconds: a good time for another way. [`state`](crate::crowd::Crowd::state) can
//! be asked at any time: what an agent does, what is left, the next corner, the wished velocity.
//! Walls are shapes of bodies that are fixed, kinematic, or asleep; build the mesh with
//! [`Ground::with_sleepers`](crate::mesh::Ground::with_sleepers), and a new way leads around
//! rubble.
//!
//! # A point that follows a field
//!
//! Without bodies and crowds, a field alone moves a point; [`fields`](super::fields) has the loop.
