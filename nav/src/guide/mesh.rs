//! A mesh: ways of discs between walls.
//!
//! A [`Mesh`](crate::mesh::Mesh) is not baked for a radius: a hen and a cow ask the same mesh. It
//! follows a physics world by [`sync`](crate::mesh::Mesh::sync), which reads only what changed.
//!
//! ```
//! use carom::prelude::*;
//! use carom_nav::prelude::*;
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! let gate = world.add(BodyDef::fixed().at([0.0, 0.0]).shape(Shape::rect(1.0, 1.5)))?;
//! for side in [-1.0, 1.0] {
//!     world.add(BodyDef::fixed().at([0.0, side * 11.0]).shape(Shape::rect(1.0, 20.0)))?;
//! }
//! let mut mesh = Mesh::new(MeshDef { half: 15.0, max_radius: 2.0 })?;
//! let mut ground = Ground::new([0.0, 0.0]);
//! mesh.sync(&world, &mut ground); // after each step of the world
//! let (mut way, cow, meadow) = (Way::default(), [-8.0, 0.0], [8.0, 0.0]);
//! assert_eq!(mesh.way(cow, meadow, 0.9, &mut way), Err(NoWay::Apart));
//! world.remove(gate);
//! mesh.sync(&world, &mut ground);
//! mesh.way(cow, meadow, 0.9, &mut way)?;
//! assert_eq!(mesh.widest(cow, meadow), Some(1.0));
//! assert!(mesh.is_current(&way)); // until something near it changes
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # As far as it leads
//!
//! [`way_towards`](crate::mesh::Mesh::way_towards) ends at the nearest place that can be reached,
//! if the goal cannot. Its answer says which of the two it is.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
//! mesh.add(&[[-1.0, -20.0], [1.0, -20.0], [1.0, 20.0], [-1.0, 20.0]].map(Vec2::from))?; // a river
//! let mut way = Way::default();
//! match mesh.way_towards([-9.0, 0.0], [9.0, 0.0], 0.5, &mut way)? {
//!     Reached::Goal => unreachable!("there is no bridge"),
//!     Reached::Nearest { gap } => assert!((gap - 10.5).abs() < 1e-3),
//! }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Places and rays
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let mut mesh = Mesh::new(MeshDef { half: 20.0, max_radius: 1.0 })?;
//! let wall = mesh.add(&[[-1.0, -3.0], [1.0, -3.0], [1.0, 3.0], [-1.0, 3.0]].map(Vec2::from))?;
//! // How far does a charge get, and what stops it?
//! let ray = mesh.ray([-8.0, 0.0], [8.0, 0.0], 0.5)?;
//! assert_eq!(ray.hit.and_then(|hit| hit.obstacle), Some(wall));
//! // Where does a unit of half a metre stand that is dropped into a wall?
//! let place = mesh.nearest_place([0.8, 0.0], 0.5, 5.0);
//! assert!(place.is_some_and(|place| place.distance(Vec2::new(1.5, 0.0)) < 1e-3));
//! // Where does a patrol go next? A seed of your own: the same place on every machine.
//! let next = mesh.random_place_near([-8.0, 0.0], 6.0, 0.5, 42);
//! assert!(next.is_some_and(|next| next.distance(Vec2::new(-8.0, 0.0)) <= 6.0));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Several threads
//!
//! A mesh keeps what its searches find, so its queries take `&mut self`. A
//! [`MeshQuery`](crate::mesh::MeshQuery) keeps it apart: one for each thread, and the mesh is only
//! read. The answers are the same.
//!
//! # Doors, bridges, storeys
//!
//! A [`Link`](crate::mesh::Link) joins two places at a cost; a shut door has no kinds. Levels that
//! lie over each other are parts of one mesh, side by side, joined by links: the mesh knows no
//! heights, and a level is moved aside by an offset of your own.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! // Two storeys of 20 x 20 m: the upper one is moved 100 m to the right.
//! let mut mesh = Mesh::new(MeshDef { half: 120.0, max_radius: 1.0 })?;
//! let upper = Vec2::new(100.0, 0.0);
//! for storey in [Vec2::ZERO, upper] {
//!     let room = [[-10.0, -10.0], [10.0, -10.0], [10.0, 10.0], [-10.0, 10.0], [-10.0, -10.0]];
//!     mesh.add_wall(&room.map(|corner| storey + Vec2::from(corner)))?;
//! }
//! let mut links = Links::default();
//! let stairs = Vec2::new(8.0, 8.0);
//! links.add(Link { cost: 6.0, ..Link::between(stairs, stairs + upper) })?;
//! let mut route = Route::default();
//! mesh.route(&links, [0.0, 0.0], upper, 0.4, u64::MAX, &mut route)?;
//! assert!(route.ways().len() == 2 && (route.length() - (2.0 * 128.0_f64.sqrt() + 6.0)).abs() < 1e-3);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
