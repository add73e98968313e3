//! Coming from rapier2d.
//!
//! There is one object, the [`World`](crate::World), where rapier2d has sets, a pipeline and an
//! island manager. Bodies own their shapes; there is no builder to finish.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();                                      // RigidBodySet, ColliderSet, PhysicsPipeline, …
//! let ground = BodyDef::fixed().shape(Shape::rect(200.0, 0.2));          // ColliderBuilder::cuboid(100.0, 0.1)
//! world.add(ground)?;
//! let ball = BodyDef::dynamic().at([0.0, 10.0])                          // RigidBodyBuilder::dynamic().translation(…)
//!     .shape(Shape::circle(0.5))                                         // ColliderBuilder::ball(0.5)
//!     .material(Material::default().restitution(0.7));                   // .restitution(0.7)
//! let ball = world.add(ball)?;                                           // bodies.insert(…), colliders.insert_with_parent(…)
//! for _ in 0..200 {
//!     world.step(1.0 / 60.0)?;                                           // pipeline.step(&gravity, &params, &mut islands, …)
//! }
//! println!("{}", world[ball].position().y);                              // bodies[handle].translation().y
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! | rapier2d | carom |
//! |---|---|
//! | `RigidBodyHandle`, `ColliderHandle`, `ImpulseJointHandle` | [`BodyId`](crate::BodyId), [`ShapeId`](crate::ShapeId), [`JointId`](crate::JointId) |
//! | `RigidBodyType::Fixed`, `KinematicPositionBased`, `KinematicVelocityBased`, `Dynamic` | [`BodyKind`](crate::BodyKind); both kinematic ones are one: `set_velocity`, or `move_to` |
//! | `set_next_kinematic_position` | [`World::move_to`](crate::World::move_to) |
//! | `cuboid(hx, hy)`: half sizes | `Shape::rect(width, height)`: full sizes |
//! | `ball`, `capsule_y`, `convex_hull`, `round_cuboid`, `polyline`, `compound`, `halfspace` | `circle`, `capsule(a, b, r)`, `hull`, `rect(…).rounded(r)`, `chain`, `compound`, `half_plane` |
//! | `convex_decomposition` | `Shape::outline` |
//! | `trimesh`, `heightfield`, `voxels` | `outline`, `chain`, [`Shape::tiles`](crate::Shape::tiles) |
//! | `InteractionGroups` | [`Filter`](crate::Filter), 64 bits and a group |
//! | `CoefficientCombineRule` | [`Combine`](crate::Combine) |
//! | one `friction` | `static_friction` and `kinetic_friction`; `.friction(x)` sets both |
//! | `ActiveEvents`, `EventHandler`, channels | [`World::events`](crate::World::events), always there |
//! | `ActiveHooks`, `PhysicsHooks` | [`set_filter_hook`](crate::World::set_filter_hook), [`set_contact_hook`](crate::World::set_contact_hook) with `ShapeDef::contact_hook` |
//! | `update_as_oneway_platform` in a hook | `ShapeDef::one_way(direction)` |
//! | `sensor(true)` | `ShapeDef::sensor()` |
//! | `QueryPipeline::cast_ray`, `cast_shape`, `intersect_*`, `project_point` | [`ray`](crate::World::ray), [`cast`](crate::World::cast), `overlap_*`, [`nearest`](crate::World::nearest) on the world |
//! | `RevoluteJointBuilder`, `PrismaticJointBuilder`, `FixedJointBuilder`, `SpringJointBuilder`, `RopeJointBuilder` | `JointDef::revolute`, `prismatic`, `weld`, `distance(…).soft(…)`, `rope` |
//! | `MultibodyJointSet` | ordinary joints: trees are solved as a whole |
//! | `KinematicCharacterController` | [`Mover`](crate::Mover) |
//! | `ccd_enabled(true)`, `soft_ccd_prediction` | on for all, against all; `WorldDef::continuous` |
//! | `additional_mass_properties` | [`World::set_mass`](crate::World::set_mass), `ShapeDef::weight` |
//! | `lock_rotations`, `enabled_translations` | [`Locks`](crate::Locks) |
//! | `add_force` lasts until `reset_forces` | `apply_force` lasts one step |
//! | `IntegrationParameters::dt`, `num_solver_iterations` | the argument of `step`, `WorldDef::sub_steps` |
//! | `length_unit` | [`WorldDef::unit`](crate::WorldDef::unit): [pixels](super::pixels) |
//! | `enhanced-determinism` | always |
//! | `serde-serialize` of the sets | [`World::save_into`](crate::World::save_into), [`Ring`](crate::Ring) |
//! | `parry2d::query::contact`, `distance`, … | [`contact`](crate::contact()), [`distance`](crate::distance()), …: [shapes](super::shapes) |
//! | `DebugRenderPipeline` | [`World::draw`](crate::World::draw) |
//!
//! Different by default: friction is 0.6 and not 0.5. carom mixes two frictions by their geometric
//! mean and two restitutions by the larger one, where rapier2d takes the mean of both. Bodies of a
//! joint do not touch each other.
