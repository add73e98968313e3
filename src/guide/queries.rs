//! Queries of a world.
//!
//! | question | one | many at once |
//! |---|---|---|
//! | what does a ray hit first? | [`ray`](crate::World::ray) | [`rays`](crate::World::rays) |
//! | is anything in between? | [`ray_any`](crate::World::ray_any) | [`rays_any`](crate::World::rays_any) |
//! | all that it hits, in order | [`ray_all`](crate::World::ray_all) | [`rays_all`](crate::World::rays_all) |
//! | a shape that moves, or turns: what does it touch first? | [`cast`](crate::World::cast) | [`casts`](crate::World::casts) |
//! | all that it touches, in order | [`cast_all`](crate::World::cast_all) | [`casts_all`](crate::World::casts_all) |
//! | what overlaps a shape? | [`overlap_shape`](crate::World::overlap_shape) | [`overlap_shapes`](crate::World::overlap_shapes) |
//! | what overlaps a box? | [`overlap_aabb`](crate::World::overlap_aabb) | [`overlap_aabbs`](crate::World::overlap_aabbs) |
//! | what is at a point? | [`overlap_point`](crate::World::overlap_point) | [`overlap_points`](crate::World::overlap_points) |
//! | what is nearest? | [`nearest`](crate::World::nearest) | [`nearest_to_points`](crate::World::nearest_to_points) |
//! | the nearest few | [`nearest_few`](crate::World::nearest_few) | [`nearest_few_to_points`](crate::World::nearest_few_to_points) |
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let wall = world.add(BodyDef::fixed().at([5.0, 0.0]).shape(Shape::rect(1.0, 4.0)))?;
//! let guard = world.add(BodyDef::dynamic().at([8.0, 0.0]).shape(Shape::capsule([0.0, -0.5], [0.0, 0.5], 0.3)))?;
//!
//! // Can the turret see the guard?
//! let sight = WorldRay::between([0.0, 0.0], world[guard].world_position());
//! let seen = world.ray(sight, &QueryFilter::default()).expect("something stands there");
//! assert_eq!(seen.body, wall);
//!
//! // What would a rocket's blast reach?
//! let blast = Shape::circle(4.0);
//! let mut reached = Vec::new();
//! world.overlap_shape(&carom::PlacedShape::at(&blast, [6.5, 0.0]), &QueryFilter::default(), &mut reached);
//! assert_eq!(reached.len(), 2);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Filters
//!
//! A [`QueryFilter`](crate::QueryFilter) has a category and a mask like shapes. It leaves sensors
//! out by default, can leave out one body (often the body that looks), and may call a closure.
//! Answers are sorted by fraction or distance, ties by id: in the same order on every machine.
//!
//! # Between steps
//!
//! After a step the boxes of moved bodies are new, and each query tests them one by one. If many
//! queries follow each step, the world notices, and steps refresh the trees at their end. After
//! many changes of your own, call [`World::prepare_queries`](crate::World::prepare_queries); the
//! functions for many queries do so themselves. These write into your lists, and do not allocate
//! once the lists have been as long.
//!
//! # Without bodies
//!
//! To test two shapes, you need no world: [shapes](super::shapes). For a list of pairs of boxes,
//! there is [`broadphase::Grid`](crate::broadphase::Grid), which the world itself uses.
