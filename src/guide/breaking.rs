//! Destruction: bodies cut by a line, broken into shards (fracture), or with holes dug into them.
//!
//! # A cut
//!
//! [`World::slice`](crate::World::slice) cuts a body along the line through two points, those of a
//! swipe of a finger for one. There is a new body for each piece that hangs together, and the old
//! one is gone.
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
//! Pieces move as the body did at their place, and their mass, momentum and angular momentum add up
//! to what the body had. They have its user data, its shapes' surfaces, filters and user data, and
//! its frame: position and angle are the old ones, so that a texture stays where it was. Joints end
//! with the body: note [`World::joints_of`](crate::World::joints_of) before, and join the pieces
//! anew. A body that the line misses is left alone, and is all that is returned; so a swipe may be
//! tried on everything that [`World::ray_all`](crate::World::ray_all) finds.
//!
//! Polygons have straight borders, so a circle that is cut becomes a polygon of 32 corners and the
//! same area, off by half a percent of the radius; a circle that is not cut stays one. Segments,
//! chains, half-planes and tile maps have no inside and are refused.
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
//! Without points it parts what does not hang together: after a hole, for one.
//!
//! To break what is hit hard, ask [`Events::hits`](crate::Events::hits) after a step for an impulse
//! above what the thing bears, and break it at the point of the hit.
//!
//! # Holes
//!
//! [`World::subtract`](crate::World::subtract) takes a shape off a body: craters, tunnels, bites.
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
//! The body stays the same one. Only the convex parts that the hole meets are cut, and only shapes
//! that have such parts change: what touches these parts wakes, what rests elsewhere sleeps on, and
//! a bullet's hole in an outline of 10,000 corners costs about as much as one in a hundred. For
//! that a shape of more than 32 parts is taken apart into several by the first hole that meets it,
//! which is the one that takes its time; do it while the level loads.
//!
//! A landscape of squares that are dug one by one is better a tile map: see
//! [`tiles`](crate::guide::tiles).
//!
//! # Outlines
//!
//! What is to break may look like anything: [`Shape::outline`](crate::Shape::outline) takes any
//! simple polygon, [`Shape::outline_with_holes`](crate::Shape::outline_with_holes) one with holes,
//! and [`Shape::from_mask`](crate::Shape::from_mask) the solid pixels of a picture.
//!
//! `--example breaking` slices a gate, shoots a pane to shards and bombs the ground around it.
