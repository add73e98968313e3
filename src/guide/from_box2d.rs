//! Coming from Box2D.
//!
//! Ids, sub-steps, soft contacts and events will look familiar. Definitions are values with
//! functions instead of structures to fill in, and `world[id]` reads a body.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, -10.0])); // b2CreateWorld
//! let ground = BodyDef::fixed().at([0.0, -10.0]).shape(Shape::rect(100.0, 20.0)); // b2MakeBox(50.0f, 10.0f)
//! world.add(ground)?;                                                    // b2CreateBody, b2CreatePolygonShape
//! let block = BodyDef::dynamic().at([0.0, 4.0]).shape(Shape::rect(2.0, 2.0)).material(Material::default().friction(0.3));
//! let block = world.add(block)?;
//! for _ in 0..90 {
//!     world.step(1.0 / 60.0)?;                                           // b2World_Step(worldId, 1.0f / 60.0f, 4)
//! }
//! println!("{}", world[block].position());                              // b2Body_GetPosition(bodyId)
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! | Box2D | carom |
//! |---|---|
//! | `b2BodyId`, `b2ShapeId`, `b2JointId`, `b2Body_IsValid` | [`BodyId`](crate::BodyId), [`ShapeId`](crate::ShapeId), [`JointId`](crate::JointId), [`World::get`](crate::World::get) |
//! | `b2_staticBody`, `b2_kinematicBody`, `b2_dynamicBody` | `BodyDef::fixed()`, `kinematic()`, `dynamic()` |
//! | `b2MakeBox(hx, hy)`: half sizes | `Shape::rect(width, height)`: full sizes |
//! | `b2Circle`, `b2Capsule`, `b2Segment`, `b2Polygon`, `b2Hull`, `b2ChainDef` | `circle`, `capsule`, `segment`, `polygon`, `hull`, `chain` (two-sided) |
//! | `b2MakeRoundedBox` | `Shape::rect(…).rounded(r)` |
//! | `b2Filter` | [`Filter`](crate::Filter), the same rule |
//! | `b2SurfaceMaterial` | [`Material`](crate::Material): `friction` is static and kinetic, `tangentSpeed` is `surface_speed` |
//! | `b2FrictionCallback`, `b2RestitutionCallback` | [`Combine`](crate::Combine) as data, or a contact hook |
//! | `b2PreSolveFcn`, `b2CustomFilterFcn` | [`set_contact_hook`](crate::World::set_contact_hook), [`set_filter_hook`](crate::World::set_filter_hook) |
//! | `b2World_GetContactEvents`, `GetSensorEvents`, `GetBodyEvents` | [`World::events`](crate::World::events); poses for drawing: [`World::poses_at`](crate::World::poses_at) |
//! | `enableContactEvents`, `enableHitEvents`, `enableSensorEvents` | always there |
//! | `b2Body_SetTargetTransform` | [`World::move_to`](crate::World::move_to) |
//! | `b2Body_ApplyForceToCenter`, `ApplyLinearImpulse`, … | [`apply_force`](crate::World::apply_force), [`apply_impulse_at`](crate::World::apply_impulse_at), … |
//! | `b2Body_SetMassData` | [`World::set_mass`](crate::World::set_mass) |
//! | `isBullet`, `enableContinuous` | every fast pair is safe; `WorldDef::continuous` |
//! | `b2World_CastRayClosest`, `CastShape`, `OverlapShape`, `OverlapAABB` | [`ray`](crate::World::ray), [`cast`](crate::World::cast), [`overlap_shape`](crate::World::overlap_shape), [`overlap_aabb`](crate::World::overlap_aabb) |
//! | `b2ShapeDistance`, `b2TimeOfImpact`, `b2Collide…` | [`distance`](crate::distance()), [`cast`](crate::cast()), [`contact`](crate::contact()) |
//! | `b2CreateRevoluteJoint`, `b2CreatePrismaticJoint`, `b2CreateWheelJoint`, `b2CreateWeldJoint` | `JointDef::revolute`, `prismatic`, `wheel`, `weld` |
//! | `b2CreateDistanceJoint` with `enableSpring`, with limits | `JointDef::distance(…).soft(…)`, `rope` |
//! | `b2CreateMotorJoint`, `b2CreateMouseJoint` (older), `b2CreateFilterJoint` | `JointDef::motor_to`, `drag`, `filter` |
//! | `b2GearJoint`, `b2PulleyJoint`, `b2FrictionJoint` of version 2 | `gear`, `pulley`, `friction` |
//! | `b2Joint_SetForceThreshold` and its event | `.breaks_at(force, torque)`, and [`Events::broken`](crate::Events::broken) |
//! | `b2World_CastMover`, `b2SolvePlanes` | [`Mover`](crate::Mover) |
//! | `b2World_Explode` | [`World::explode`](crate::World::explode) |
//! | `b2DynamicTree` | [`broadphase::Grid`](crate::broadphase::Grid) |
//! | `b2World_GetProfile`, `b2World_GetCounters` | [`StepStats`](crate::StepStats), with [`World::set_clock`](crate::World::set_clock) |
//! | `b2World_Draw`, `b2DebugDraw` | [`World::draw`](crate::World::draw), [`DebugDraw`](crate::DebugDraw) |
//! | `b2SetLengthUnitsPerMeter` | [`WorldDef::unit`](crate::WorldDef::unit): [pixels](super::pixels) |
//! | task callbacks, `workerCount` | feature `parallel`, `World::set_threads` |
//! | `BOX2D_DOUBLE_PRECISION` | [`WorldPoint`](crate::WorldPoint): always, and at any distance |
//!
//! Different by default: a bounce is exact, so restitution 1 keeps its energy; contacts do not sink
//! by a slop of 5 mm; chains are solid from both sides; and a body's density is 1 kg/m² for its
//! shapes unless told otherwise, as in Box2D.
