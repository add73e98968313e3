//! Destruction: bodies cut by a line, broken into shards (fracture), or with holes dug into them.
//!
//! # A cut
//!
//! [`World::slice`](crate::World::slice) cuts a body along the line through two points, for example
//! the ends of a finger's swipe. Each connected piece becomes a new body, and the old body is
//! removed.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let log = BodyDef::dynamic().at([0.0, 5.0]).velocity([2.0, 0.0]).shape(Shape::rect(4.0, 0.6));
//! let log = world.add(log)?;
//! let pieces = world.slice(log, [0.5, 6.0], [0.5, 4.0])?;
//! assert_eq!(pieces.len(), 2);
//! assert!(pieces.iter().all(|&id| world[id].velocity() == vec2(2.0, 0.0)));
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! Pieces move as the body did at their place. Their mass, momentum and angular momentum add up to
//! the values of the body. They have its user data, its shapes' surfaces, filters and user data,
//! and its frame: position and angle are the old ones, so that a texture stays where it was. Joints
//! end with the body: call [`World::joints_of`](crate::World::joints_of) before, and join the
//! pieces anew. If the line misses a body, it is not changed, and its id is the only one returned;
//! so you may try a swipe on every body that [`World::ray_all`](crate::World::ray_all) finds.
//!
//! Polygons have straight borders, so a circle that is cut becomes a polygon of 32 corners and the
//! same area, off by half a percent of the radius; a circle that is not cut stays a circle.
//! Segments, chains, half-planes and tile maps have no inside and are refused.
//!
//! # Shards
//!
//! [`World::fragment`](crate::World::fragment) breaks a body into the cells of points (Voronoi
//! cells). Many points near the blow and few elsewhere look like glass.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let pane = world.add(BodyDef::dynamic().at([0.0, 3.0]).shape(Shape::rect(3.0, 2.0)))?;
//! let hit = vec2(0.4, 3.1);
//! let points: Vec<Vec2> = (0..12)
//!     .map(|k| hit + vec2(0.1 * k as f32, 0.0).rotate(Vec2::from(carom::math::sin_cos(2.4 * k as f32))))
//!     .collect();
//! let shards = world.fragment(pane, &points)?;
//! assert!(shards.len() > 8);
//! let mass: f32 = shards.iter().map(|&id| world[id].mass()).sum();
//! assert!((mass - 6.0).abs() < 1e-4);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! Without points it separates disconnected parts: for example after a hole.
//!
//! To break bodies that are hit hard, look in [`Events::hits`](crate::Events::hits) after a step
//! for an impulse above the strength of the body, and break it at the point of the hit.
//!
//! # Holes
//!
//! [`World::subtract`](crate::World::subtract) cuts a shape out of a body: craters, tunnels, bites.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let hill = Shape::outline(&[[-20.0, -5.0], [20.0, -5.0], [20.0, 0.0], [0.0, 4.0], [-20.0, 0.0]]);
//! let hill = world.add(BodyDef::fixed().shape(hill))?;
//! let crater = Shape::circle(1.5);
//! world.subtract(hill, &PlacedShape::at(&crater, [0.0, 4.0]))?;
//! let down = WorldRay::new([0.0, 9.0], [0.0, -20.0]);
//! let ground = world.ray(down, &QueryFilter::default()).expect("there is some left");
//! assert!((ground.point.position().y - 2.5).abs() < 0.05);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! The body keeps its id. Only convex parts that meet the hole are cut, and only shapes with such
//! parts change. Bodies that touch these parts wake, bodies elsewhere sleep on, and a bullet's hole
//! in an outline of 10,000 corners costs about as much as in an outline of a hundred. To make this
//! possible, the first hole splits a shape of more than 32 parts into several shapes. That call is
//! slow; make it while the level loads.
//!
//! For a landscape of squares that are dug one by one, use a tile map: see
//! [`tiles`](crate::guide::tiles).
//!
//! # Outlines
//!
//! A breakable body may have any outline: [`Shape::outline`](crate::Shape::outline) takes any
//! simple polygon, [`Shape::outline_with_holes`](crate::Shape::outline_with_holes) one with holes,
//! and [`Shape::from_mask`](crate::Shape::from_mask) the solid pixels of a picture.
//!
//! `--example breaking` slices a gate, shoots a pane to shards and bombs the ground around it.
