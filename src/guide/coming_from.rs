//! Coming from another engine: its names and carom's.
//!
//! Full tables for Box2D and rapier2d are in [from Box2D](super::from_box2d) and [from
//! rapier2d](super::from_rapier2d). This chapter has the most common names, engine by engine, and
//! the missing features. `docs/comparison.md` has the features side by side.
//!
//! Three things hold for all of them. Units are metres, kilograms, seconds and radians, with y up.
//! Sizes are full sizes. Calls of the [`World`](crate::World) with the id of a body change that
//! body.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let ground = BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(20.0, 1.0));
//! world.add(ground)?;
//! let ball = BodyDef::dynamic().at([0.0, 5.0]).shape(Shape::circle(0.5)).material(Material::default().restitution(0.8));
//! let ball = world.add(ball)?;
//! let mut clock = FixedStep::hz(60.0);
//! let mut highest = 0.0;
//! for frame in 0..300 {
//!     for _ in 0..clock.advance(1.0 / 144.0) {
//!         world.step(clock.dt())?;
//!     }
//!     let drawn = world.poses_at(clock.alpha())[ball.index()].position;
//!     highest = if frame > 180 { drawn.y.max(highest) } else { highest };
//! }
//! assert!(highest > 2.0); // it came up again
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # matter.js
//!
//! | matter.js | carom |
//! |---|---|
//! | `Engine.create`, `World` | [`World::new`](crate::World::new) |
//! | `Engine.update(engine, 16.7)`, `Runner` | `world.step(1.0 / 60.0)` in seconds, [`FixedStep`](crate::FixedStep) |
//! | `Bodies.rectangle(x, y, w, h)` in pixels, y down | `BodyDef::dynamic().at([x, y]).shape(Shape::rect(w, h))` in metres, y up |
//! | `Bodies.circle`, `polygon`, `fromVertices` | `Shape::circle`, `polygon`, `hull`, `outline` |
//! | `isStatic: true` | `BodyDef::fixed()` |
//! | `isSensor: true` | `ShapeDef::sensor()` |
//! | `friction`, `frictionStatic`, `restitution` | [`Material`](crate::Material): `kinetic_friction`, `static_friction`, `restitution` |
//! | `frictionAir` | `linear_damping`, a share per second |
//! | `chamfer` | `.rounded(r)` |
//! | `collisionFilter { group, category, mask }` | [`Filter`](crate::Filter), the same rule |
//! | `Composite.add`, `remove` | `world.add`, `world.remove` |
//! | `Body.setPosition`, `setVelocity` (per step), `applyForce` | `teleport`, `set_velocity` (per second), `apply_force_at` |
//! | `Constraint.create` with `stiffness` | `JointDef::distance(…)`, `.soft(Spring::new(hertz, damping))`; with `length: 0` `revolute` |
//! | `MouseConstraint` | `JointDef::drag` |
//! | `Events.on(engine, 'collisionStart')` | `world.events().begun()` after the step; `ended`, `hits` |
//! | `Query.ray`, `Query.point`, `Query.region` | `world.ray` (with point and normal), `overlap_point`, `overlap_aabb` |
//! | `Sleeping`, `enableSleeping` | on by default |
//! | `timing.timeScale` | less time for `FixedStep`: [slow motion](super::recipes#slow-motion-and-pause) |
//! | `Render` | [`World::draw`](crate::World::draw) to lines of your own |
//! | `Composites.softBody`, `car`, plugins (wrap, attractors) | bodies and joints, `Area::planet`; [`WorldDef::periodic`](crate::WorldDef::periodic) wraps |
//!
//! Missing: an npm package with a JavaScript interface, and a renderer.
//!
//! # planck.js, Box2D
//!
//! | planck, Box2D 2.4 | carom |
//! |---|---|
//! | `world.createBody({type, position})`, `createFixture(shape, def)` | `world.add(BodyDef::dynamic().at(…).shape(…))`; shapes later: `attach`, `detach` |
//! | `planck.Box(hx, hy)`: half sizes | `Shape::rect(width, height)` |
//! | `Circle`, `Polygon`, `Edge`, `Chain` | `circle`, `polygon` or `hull`, `segment`, `chain` |
//! | `world.step(dt, velocityIterations, positionIterations)` | `world.step(dt)`; `WorldDef::sub_steps` |
//! | `begin-contact`, `end-contact`, `post-solve` | `events().begun()`, `ended()`, `hits()`; forces: `contacts()` |
//! | `pre-solve`, `contact.setEnabled(false)` | `set_contact_hook`; one-way platforms are data |
//! | `world.rayCast(p, q, callback)` | `ray`, `ray_all` with a [`QueryFilter`](crate::QueryFilter) |
//! | `world.queryAABB` | `overlap_aabb`: shapes, not boxes |
//! | `setBullet(true)` | nothing to set |
//! | `RevoluteJoint`, `PrismaticJoint`, `DistanceJoint`, `WeldJoint`, `WheelJoint` | `revolute`, `prismatic`, `distance`, `weld`, `wheel` |
//! | `RopeJoint`, `PulleyJoint`, `GearJoint`, `FrictionJoint`, `MotorJoint`, `MouseJoint` | `rope`, `pulley`, `gear`, `friction`, `motor_to`, `drag` |
//! | `setUserData(object)` | `user_data: u64`, or a table by `id.index()` |
//! | `world.shiftOrigin` | not needed: [`WorldPoint`](crate::WorldPoint) |
//!
//! Missing: nothing that these have in their core.
//!
//! # Unity (2D physics)
//!
//! | Unity | carom |
//! |---|---|
//! | `Rigidbody2D` Dynamic, Kinematic, Static | `BodyDef::dynamic()`, `kinematic()`, `fixed()` |
//! | `BoxCollider2D`, `CircleCollider2D`, `CapsuleCollider2D`, `EdgeCollider2D` | `Shape::rect`, `circle`, `capsule`, `chain` |
//! | `PolygonCollider2D`, `CompositeCollider2D` | `Shape::outline`, `outline_with_holes`, `compound` |
//! | `TilemapCollider2D` | [`Shape::tiles`](crate::Shape::tiles): [tiles](super::tiles) |
//! | `PhysicsMaterial2D` | [`Material`](crate::Material) |
//! | Layer collision matrix | [`Filter`](crate::Filter) with 64 categories |
//! | `FixedUpdate`, Interpolate | [`FixedStep`](crate::FixedStep), [`World::poses_at`](crate::World::poses_at) |
//! | `OnCollisionEnter2D`, `Exit2D`, `Stay2D` | `events().begun()`, `ended()`; `contacts()` for what lasts |
//! | `OnTriggerEnter2D`, `Exit2D` | `events().entered()`, `left()` |
//! | `AddForce(f)`, `AddForce(f, ForceMode2D.Impulse)`, `AddTorque` | `apply_force`, `apply_impulse`, `apply_torque` |
//! | `MovePosition`, `position = …` | `move_to` (kinematic), `teleport` |
//! | `drag`, `angularDrag`, `gravityScale`, `freezeRotation` | `linear_damping`, `angular_damping`, `gravity_scale`, `locks(Locks::ROTATION)` |
//! | `collisionDetectionMode = Continuous` | always |
//! | `Physics2D.Raycast`, `CircleCast`, `OverlapCircleAll` | `ray`, `cast`, `overlap_shape` |
//! | `HingeJoint2D`, `SliderJoint2D`, `SpringJoint2D`, `DistanceJoint2D`, `WheelJoint2D`, `FixedJoint2D` | `revolute`, `prismatic`, `distance(…).soft(…)`, `rope`, `wheel`, `weld` |
//! | `TargetJoint2D`, `RelativeJoint2D`, `FrictionJoint2D` | `drag`, `motor_to`, `friction` |
//! | `breakForce`, `OnJointBreak2D` | `.breaks_at(force, torque)`, `events().broken()` |
//! | `PlatformEffector2D` one way | `ShapeDef::one_way` |
//! | `SurfaceEffector2D` | `Material::surface_speed` |
//! | `AreaEffector2D`, `PointEffector2D`, `BuoyancyEffector2D` | `Area::gravity` or `wind`, `Area::planet`, `Area::fluid`: [areas](super::areas) |
//! | `Time.timeScale` | [slow motion](super::recipes#slow-motion-and-pause) |
//!
//! Missing: an editor. Shapes from sprites: [`Shape::from_mask`](crate::Shape::from_mask).
//!
//! # Godot
//!
//! | Godot | carom |
//! |---|---|
//! | `RigidBody2D`, `AnimatableBody2D`, `StaticBody2D` | `BodyDef::dynamic()`, `kinematic()` with `move_to`, `fixed()` |
//! | `CharacterBody2D.move_and_slide()` | [`Mover::move_body`](crate::Mover::move_body) |
//! | `floor_max_angle`, `floor_snap_length`, `is_on_floor()` | `MoverDef::max_slope`, `snap`, [`MoveOutcome::grounded`](crate::MoveOutcome::grounded) |
//! | `Area2D`, `body_entered` | `ShapeDef::sensor()`, `events().entered()` |
//! | `Area2D` gravity and damp | `Area::gravity`, `Area::planet`, `drag`: [areas](super::areas) |
//! | `RectangleShape2D.size`, `CapsuleShape2D`, `ConvexPolygonShape2D`, `SegmentShape2D`, `WorldBoundaryShape2D` | `rect`, `capsule`, `polygon`, `segment`, `half_plane` |
//! | `ConcavePolygonShape2D`, `CollisionPolygon2D` | `chain`, `Shape::outline` |
//! | `one_way_collision` | `ShapeDef::one_way` |
//! | `constant_linear_velocity` of a static body | `Material::surface_speed` |
//! | `collision_layer`, `collision_mask` | [`Filter`](crate::Filter); in carom both sides must agree |
//! | `_physics_process`, physics interpolation | [`FixedStep`](crate::FixedStep), [`World::poses_at`](crate::World::poses_at) |
//! | `apply_central_impulse`, `apply_force`, `constant_force` | `apply_impulse`, `apply_force_at` for one step; `set_lasting_force` |
//! | `PinJoint2D`, `GrooveJoint2D`, `DampedSpringJoint2D` | `revolute`; `wheel(…)` with `.suspension(Drive::default().limits(a, b))`; `distance(…).soft(…)` |
//! | `RayCast2D`, `ShapeCast2D`, `PhysicsDirectSpaceState2D` | `ray`, `cast`, `overlap_*` |
//! | `contact_monitor`, `body_entered` of a body | always there: `events().begun()` |
//! | `continuous_cd` | always |
//! | `TileMapLayer` physics | [`Shape::tiles`](crate::Shape::tiles): [tiles](super::tiles) |
//!
//! Missing: soft bodies, an editor. Pixels and y down become metres and y up.
//!
//! # Chipmunk
//!
//! | Chipmunk | carom |
//! |---|---|
//! | `cpSpaceNew`, `cpSpaceStep` | [`World`](crate::World), `step` |
//! | `cpBodyNew(mass, moment)` | `BodyDef::dynamic()`; mass follows from shapes, or [`World::set_mass`](crate::World::set_mass) |
//! | `cpSpaceGetStaticBody` | `BodyDef::fixed()`; for joints `None` |
//! | `cpCircleShapeNew`, `cpSegmentShapeNew` with radius, `cpPolyShapeNew`, `cpBoxShapeNew` | `circle`, `capsule`, `polygon` or `hull`, `rect` |
//! | `cpShapeSetElasticity`, `Friction`, `SurfaceVelocity` | [`Material`](crate::Material); elasticities are not multiplied, the larger counts: `Combine::Multiply` for the product |
//! | `cpShapeFilter` | [`Filter`](crate::Filter) |
//! | `cpCollisionHandler` begin, separate, preSolve, postSolve | `events().begun()`, `ended()`; `set_contact_hook`; `hits()` |
//! | `cpPivotJoint`, `cpPinJoint`, `cpSlideJoint`, `cpGrooveJoint` | `revolute`, `distance`, `distance(…).limits(…)`, `wheel` with `.suspension(…)` |
//! | `cpDampedSpring`, `cpDampedRotarySpring` | `distance(…).soft(…)`, `revolute(…).servo(…)`: carom's holds the point too |
//! | `cpRotaryLimitJoint`, `cpSimpleMotor` | `.limits(…)`, `.motor(…)` of a `revolute` |
//! | `cpGearJoint` | `gear` of two hinges |
//! | `cpRatchetJoint` | none |
//! | `cpSpaceSegmentQuery`, `PointQuery`, `BBQuery`, `ShapeQuery` | `ray`, `nearest`, `overlap_aabb`, `overlap_shape` |
//! | `cpSpaceAddPostStepCallback` | not needed: events are read after the step |
//! | `cpBodySetVelocityUpdateFunc` | forces before each step, damping, `gravity_scale` |
//!
//! Missing: the ratchet.
//!
//! # avian2d
//!
//! | avian2d | carom, with the package `bevy_carom` in `bevy/` |
//! |---|---|
//! | `PhysicsPlugins` | `CaromPlugin` |
//! | `RigidBody::Dynamic`, `Kinematic`, `Static` + `Collider` | one component: `RigidBody::dynamic(shape)` |
//! | `Collider::rectangle(w, h)`, `circle`, `capsule(r, length)` | `Shape::rect(w, h)`, `circle`, `capsule(a, b, r)` |
//! | `LinearVelocity`, `ExternalImpulse`, `Forces` | calls of the system parameter `Physics`: `set_velocity`, `apply_impulse`, `apply_force` |
//! | `Position`, `Rotation` | the world; `Transform` is mirrored and smooth |
//! | `CollisionStart`, `CollisionEnd`, `Sensor` | messages `TouchBegan`, `TouchEnded`, `SensorEntered`; `ShapeDef::sensor()` |
//! | `CollisionLayers` | [`Filter`](crate::Filter) |
//! | `TransformInterpolation` | always on |
//! | `SweptCcd`, `SpeculativeMargin` | always on |
//! | `RevoluteJoint`, `PrismaticJoint`, `DistanceJoint`, `FixedJoint` | `revolute`, `prismatic`, `distance`, `weld` |
//! | `SpatialQuery` | `ray`, `cast`, `overlap_*`, `nearest` of `Physics` |
//! | `MoveAndSlide` | [`Mover`](crate::Mover) |
//! | `LockedAxes`, `GravityScale`, `LinearDamping`, `Mass` | `locks`, `gravity_scale`, `linear_damping`, `set_mass` |
//! | `Collider::trimesh`, `voxels`, `heightfield` | `outline`, `tiles`, `chain` |
//!
//! Missing: joints as components, colliders as child entities, three dimensions.
//!
//! # rapier2d
//!
//! The full table is in [from rapier2d](super::from_rapier2d). First: `RigidBodySet`,
//! `ColliderSet`, joint sets, the pipeline and the island manager are one [`World`](crate::World);
//! `cuboid(hx, hy)` is `Shape::rect(width, height)`; nothing has to be switched on for events or
//! for fast bodies.
//!
//! Missing: height fields, soft bodies, three dimensions.
