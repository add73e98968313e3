//! Seventeen recipes.
//!
//! Each is a whole program that is run as a test: copy it, and change the numbers. `DT` is the
//! length of a step everywhere, 1/60 s.
//!
//! # A moving platform
//!
//! Use a kinematic body, and set its place at the end of the next step
//! ([`World::move_to`](crate::World::move_to)). Bodies that stand on it are carried along. A
//! `teleport` would leave the rider behind.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! let platform = world.add(BodyDef::kinematic().shape(Shape::rect(3.0, 0.4)))?;
//! let crate_ = world.add(BodyDef::dynamic().at([0.0, 0.7]).shape(Shape::rect(1.0, 1.0)))?;
//! for step in 1..=240 {
//!     let (_, cosine) = carom::math::sin_cos(step as f32 * DT);
//!     world.move_to(platform, [2.0 - 2.0 * cosine, 0.0], 0.0)?; // begins slowly: friction has to keep up
//!     world.step(DT)?;
//! }
//! let apart = world[crate_].position() - world[platform].position();
//! assert!(apart.x.abs() < 0.02); // it did not slip
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Drop through a ledge
//!
//! A `one_way` shape is solid from the side that its direction points to. To fall through it on
//! purpose, the player stops touching ledges for a moment: leave their category out of its filter.
//!
//! ```
//! use carom::prelude::*;
//! use carom::Filter;
//! const DT: f32 = 1.0 / 60.0;
//! const LEDGE: u64 = 1 << 1;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(20.0, 1.0)))?;
//! let board = ShapeDef::from(Shape::rect(4.0, 0.2)).one_way([0.0, 1.0]);
//! let board = board.filter(Filter { category: LEDGE, ..Filter::default() });
//! world.add(BodyDef::fixed().at([0.0, 2.0]).shape(board))?;
//!
//! let hero = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::circle(0.4)))?;
//! let feet = world.shapes_of(hero).map(|(id, _)| id).next().expect("it has a shape");
//! world.set_velocity(hero, [0.0, 8.0])?; // a jump from below: the ledge lets it through
//! for _ in 0..120 {
//!     world.step(DT)?;
//! }
//! assert!((world[hero].position().y - 2.5).abs() < 0.02); // it stands on the ledge
//!
//! // Down: no ledges until the head is below the board.
//! world.set_filter(feet, Filter { mask: !LEDGE, ..Filter::default() })?;
//! while world[hero].position().y > 1.5 {
//!     world.step(DT)?;
//! }
//! world.set_filter(feet, Filter::default())?;
//! for _ in 0..60 {
//!     world.step(DT)?;
//! }
//! assert!((world[hero].position().y - 0.4).abs() < 0.02); // it stands on the ground
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # A conveyor
//!
//! The speed of a belt is a number of its material. It moves bodies on the belt to the right, seen
//! along the outward normal; a negative speed moves them to the left.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! let belt = Material { surface_speed: 2.0, ..Material::default() };
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)).material(belt))?;
//! let parcel = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)))?;
//! for _ in 0..120 {
//!     world.step(DT)?;
//! }
//! assert!((world[parcel].velocity().x - 2.0).abs() < 0.01);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # A coin
//!
//! A sensor reports overlapping shapes, and does not push them. The list of visitors that entered
//! has the body that took the coin.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! let coin = ShapeDef::from(Shape::circle(0.3)).sensor();
//! let coin = world.add(BodyDef::fixed().at([3.0, 0.0]).shape(coin).user_data(10))?; // 10 points
//! let hero = BodyDef::dynamic().gravity_scale(0.0).velocity([4.0, 0.0]).shape(Shape::circle(0.5));
//! let hero = world.add(hero)?;
//!
//! let mut score = 0;
//! for _ in 0..60 {
//!     world.step(DT)?;
//!     // Removing needs the world, which the events borrow: make a list first.
//!     let visits = world.events().entered().iter().filter(|visit| visit.visitor_body == hero);
//!     let taken: Vec<BodyId> = visits.map(|visit| visit.sensor_body).collect();
//!     for coin in taken {
//!         score += world[coin].user_data();
//!         world.remove(coin)?;
//!     }
//! }
//! assert_eq!(score, 10);
//! assert!(world.get(coin).is_none());
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # A crate that breaks
//!
//! [`Events::hits`](crate::Events::hits) has the speed and the impulse of every impact of 1 m/s or
//! more. If the impulse is above the strength of a crate, replace it by its pieces with its
//! velocity.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//! const BEARS: f32 = 5.0; // N s
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
//! let crate_ = world.add(BodyDef::dynamic().at([0.0, 8.0]).shape(Shape::rect(1.0, 1.0)))?;
//! let mut pieces = Vec::new();
//! for _ in 0..120 {
//!     world.step(DT)?;
//!     let hits = world.events().hits().iter();
//!     let broke = hits.filter(|hit| hit.body_a == crate_ || hit.body_b == crate_).any(|hit| hit.impulse > BEARS);
//!     if !broke {
//!         continue;
//!     }
//!     let (frame, velocity) = (world[crate_].transform(), world[crate_].velocity());
//!     let angle = world[crate_].angle();
//!     world.remove(crate_)?;
//!     for corner in [[-0.25, -0.25], [0.25, -0.25], [0.25, 0.25], [-0.25, 0.25]] {
//!         let corner = Vec2::from(corner);
//!         let piece = BodyDef::dynamic().at(frame.apply(corner)).angle(angle);
//!         let piece = piece.velocity(velocity + 4.0 * corner).shape(Shape::rect(0.5, 0.5));
//!         pieces.push(world.add(piece)?);
//!     }
//! }
//! assert!(world.get(crate_).is_none());
//! assert_eq!(pieces.len(), 4);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # An explosion
//!
//! [`World::explode`](crate::World::explode) pushes all dynamic bodies that lie open towards the
//! centre. A wall shelters the bodies behind it, and so does another body.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! world.add(BodyDef::fixed().at([-2.0, 0.0]).shape(Shape::rect(0.2, 4.0)))?;
//! let near = world.add(BodyDef::dynamic().at([1.5, 0.0]).shape(Shape::circle(0.3)))?;
//! let behind = world.add(BodyDef::dynamic().at([3.5, 0.0]).shape(Shape::circle(0.2)))?;
//! let hidden = world.add(BodyDef::dynamic().at([-3.0, 0.0]).shape(Shape::circle(0.3)))?;
//! // Whole within 2 m, 5 N s for each metre of what faces it; gone 3 m farther out.
//! world.explode([0.0, 0.0], 2.0, 5.0, 3.0)?;
//! assert!(world[near].velocity().x > 1.0);
//! assert_eq!(world[behind].velocity(), Vec2::ZERO);
//! assert_eq!(world[hidden].velocity(), Vec2::ZERO);
//! world.step(DT)?;
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # An aiming line
//!
//! [`World::predict`](crate::World::predict) steps some bodies while all others stand still, and
//! does not change the world. If nothing interferes, the ball will fly along the line, to the last
//! bit, with every bounce. Keep the [`Prediction`](crate::Prediction): once warm it does not
//! allocate. It ignores the motion of other bodies: lifts stand still, and a body that is hit does
//! not yield.
//!
//! It costs as much as steps of those bodies alone. A ball takes about 1 µs a step, and next to
//! nothing in the air; ten bodies on hinges take 20 µs a step or more, as their joints are solved
//! in each. For an aiming line of a ragdoll, predict one second in place of three, or throw a ball
//! of its mass from its centre, and predict the ragdoll when the button is released.
//!
//! ```
//! use carom::prelude::*;
//! use carom::{Prediction, Start};
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! let wall = world.add(BodyDef::fixed().at([5.0, 2.0]).shape(Shape::rect(1.0, 6.0)))?;
//! let ball = BodyDef::dynamic().at([0.0, 1.0]).shape(Shape::circle(0.2));
//! let ball = world.add(ball.material(Material::elastic()))?;
//!
//! let mut aim = Prediction::new();
//! world.predict(&[Start::from(ball).velocity([8.0, 4.0])], 60, DT, &mut aim)?;
//! let line: Vec<Vec2> = aim.path(ball).iter().map(|place| place.position.position()).collect();
//! assert_eq!(aim.meetings()[0].other, wall);
//! assert!(line[59].x < 4.0); // back from the wall
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Dominance: a body that takes no push
//!
//! A boss that walks through crates, a raft that a hundred coins do not press down:
//! [`BodyDef::dominance`](crate::BodyDef::dominance). If two dynamic bodies touch, the one with the
//! greater number takes no impulse, as if it were infinitely heavy; joints ignore dominance. The
//! contact of the two then breaks the laws of momentum and energy: the pushed body gets any impulse
//! that the motion of the dominant body needs.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
//! let boss = BodyDef::dynamic().at([-3.0, 0.5]).locks(Locks::ROTATION).dominance(1);
//! let boss = world.add(boss.shape(Shape::rect(1.0, 1.0)))?;
//! world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(Shape::rect(1.0, 1.0)).density(50.0))?;
//! for _ in 0..120 {
//!     world.set_velocity(boss, [3.0, world[boss].velocity().y])?;
//!     world.step(DT)?;
//! }
//! assert!(world[boss].position().x > 2.0);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Gravity, speed and thrust of one body
//!
//! [`BodyDef::gravity`](crate::BodyDef::gravity) replaces the world's gravity for a hero who walks
//! on walls; [`BodyDef::max_speed`](crate::BodyDef::max_speed) keeps a leaf slow; and
//! [`World::set_lasting_force`](crate::World::set_lasting_force) acts until the next call. For all
//! bodies in a place, use an [area](crate::guide::areas).
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let leaf = BodyDef::dynamic().at([0.0, 9.0]).max_speed(1.0).shape(Shape::circle(0.1));
//! let rocket = BodyDef::dynamic().shape(ShapeDef::from(Shape::circle(0.3)).mass(2.0));
//! let (leaf, rocket) = (world.add(leaf)?, world.add(rocket)?);
//! world.set_lasting_force(rocket, [0.0, 2.0 * 15.0], 0.0)?;
//! for _ in 0..60 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!(world[leaf].velocity().y >= -1.0001);
//! assert!((world[rocket].velocity().y - 5.19).abs() < 0.01); // 15 m/s² up, 9.81 down
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # A grappling rope
//!
//! A ray finds the place of the hook, a rope joint hangs the player there, and a shorter limit
//! reels the player in.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, 10.0]).shape(Shape::rect(40.0, 1.0)))?; // the ceiling
//! let hero = world.add(BodyDef::dynamic().at([0.0, 4.0]).shape(Shape::circle(0.4)))?;
//!
//! let shot = WorldRay::new(world[hero].world_position(), [6.0, 8.0]);
//! let hook = world.ray(shot, &QueryFilter::default().without(hero)).expect("it hits the ceiling");
//! let mut length = hook.fraction * 10.0; // the shot is 10 m long
//! let rope = JointDef::rope(hook.body, hero, length).between(hook.point, world[hero].world_position());
//! let rope = world.add_joint(rope.collide())?;
//!
//! for _ in 0..120 {
//!     length -= 2.0 * DT; // reels in at 2 m/s
//!     world.change_joint(rope, |joint| *joint = joint.limits(0.0, length))?;
//!     world.step(DT)?;
//!     let now = (world[hero].position() - hook.point.position()).length();
//!     assert!(now < length + 0.02);
//! }
//! let speed = world[hero].velocity().length();
//! world.remove_joint(rope)?; // lets go, and flies on
//! world.step(DT)?;
//! assert!((world[hero].velocity().length() - speed).abs() < 0.2);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # A top-down car
//!
//! Seen from above there is no gravity. Tyres grip across the car: in every step an impulse removes
//! the sideways speed, up to the limit of the grip; beyond that the car drifts.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//! const GRIP: f32 = 12.0; // m/s² across
//!
//! /// `gas` and `wheel` go from -1 to 1.
//! fn drive(world: &mut World, car: BodyId, gas: f32, wheel: f32) -> Result<(), carom::Error> {
//!     let body = &world[car];
//!     let ahead = body.transform().rotation * Vec2::X;
//!     let side = ahead.perp();
//!     let (mass, velocity) = (body.mass(), body.velocity());
//!     let slip = velocity.dot(side);
//!     let grip = -slip.clamp(-GRIP * DT, GRIP * DT) * mass;
//!     world.apply_impulse(car, side * grip)?;
//!     world.apply_force(car, ahead * (8.0 * gas * mass))?;
//!     world.set_angular_velocity(car, wheel * 0.3 * velocity.dot(ahead).clamp(-8.0, 8.0))
//! }
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! let car = BodyDef { linear_damping: 0.5, ..BodyDef::dynamic() }.shape(Shape::rect(2.0, 1.0));
//! let car = world.add(car)?;
//! for step in 0..240 {
//!     drive(&mut world, car, 1.0, if step < 120 { 0.0 } else { 0.3 })?;
//!     world.step(DT)?;
//! }
//! let body = &world[car];
//! assert!(body.angle().abs() > 0.5); // it turned,
//! let side = (body.transform().rotation * Vec2::X).perp();
//! assert!(body.velocity().dot(side).abs() < 0.3 * body.velocity().length()); // and went where it points
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # A bullet
//!
//! There is no flag: every fast pair is safe. The hit has the place and the impulse; then remove
//! the bullet.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! let plate = world.add(BodyDef::dynamic().at([20.0, 0.0]).shape(Shape::rect(0.01, 2.0)).density(200.0))?;
//! let bullet = BodyDef::dynamic().velocity([800.0, 0.0]).shape(Shape::circle(0.01));
//! let bullet = world.add(bullet)?;
//! let mut struck = None;
//! for _ in 0..10 {
//!     world.step(DT)?;
//!     struck = struck.or(world.events().hits().first().copied());
//!     if struck.is_some() && world.get(bullet).is_some() {
//!         world.remove(bullet)?;
//!     }
//! }
//! let hit = struck.expect("800 m/s is 13 m a step, and the plate is 1 cm thick");
//! assert!(hit.body_a == plate || hit.body_b == plate);
//! assert!((hit.point.position().x - 19.995).abs() < 0.01);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! If the flight need not be visible, a ray is cheaper: [queries](super::queries).
//!
//! # Slow motion and pause
//!
//! Give [`FixedStep`](crate::FixedStep) less time, never the step: steps of one length keep the
//! results the same at any speed of the game. The blended poses keep slow motion smooth.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::default();
//! let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
//! let mut clock = FixedStep::hz(60.0);
//! let mut steps = 0;
//! for frame in 0..180 {
//!     // A second at full speed, a second at a quarter, a second of pause.
//!     let speed = if frame < 60 { 1.0 } else if frame < 120 { 0.25 } else { 0.0 };
//!     for _ in 0..clock.advance(speed / 60.0) {
//!         world.step(clock.dt())?;
//!         steps += 1;
//!     }
//!     let drawn = world.poses_at(clock.alpha())[ball.index()];
//!     assert!(drawn.is_somewhere());
//! }
//! assert!((74..=76).contains(&steps)); // 60 + 15 + 0
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Save a game
//!
//! [`World::save_whole_into`](crate::World::save_whole_into) writes everything, the level too. Ids
//! stay the same, so a table of the game's own things, by `id.index()` or by `user_data`, stays
//! valid. Save it beside the bytes.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::default();
//! world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(20.0, 1.0)))?;
//! let hero = world.add(BodyDef::dynamic().at([0.0, 3.0]).shape(Shape::circle(0.5)).user_data(7))?;
//! for _ in 0..30 {
//!     world.step(DT)?;
//! }
//! let mut bytes = Vec::new();
//! world.save_whole_into(&mut bytes);
//! let file = std::env::temp_dir().join(format!("carom-recipe-{}.save", std::process::id()));
//! std::fs::write(&file, &bytes).expect("the folder for temporary files can be written");
//!
//! // Another day. Every byte is checked: a damaged file is an error, and no panic.
//! let bytes = std::fs::read(&file).expect("it was written");
//! let mut loaded = World::default();
//! loaded.load(&bytes).expect("nobody touched the bytes");
//! assert_eq!(loaded.hash(), world.hash());
//! assert_eq!(loaded[hero].user_data(), 7);
//! # std::fs::remove_file(&file).expect("it is there");
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # A screen that wraps around
//!
//! In a [`periodic`](crate::WorldDef::periodic) world, a body that leaves at one side comes in at
//! the other. Contacts, joints and queries work across the seam. Such a world is a multiple of 1024
//! units wide, 2048 at least, so choose the [unit](crate::WorldDef::unit) for a smaller field: 32
//! units a metre make a field of 64 m.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! // From -512 to 1536 along x and y.
//! let field = WorldDef::default().unit(32.0).gravity([0.0, 0.0]).periodic(2, 2);
//! let mut world = World::new(field);
//! let rock = |x: f32, speed: f32| {
//!     let rock = BodyDef::dynamic().at([x, 500.0]).velocity([speed, 0.0]);
//!     rock.shape(Shape::circle(40.0)).material(Material::elastic())
//! };
//! let [right, left] = [world.add(rock(1400.0, 60.0))?, world.add(rock(-400.0, -60.0))?];
//! let mut bounced = false;
//! for _ in 0..120 {
//!     world.step(DT)?;
//!     bounced |= !world.events().begun().is_empty();
//! }
//! assert!(bounced && world[right].velocity().x < -59.0); // they met at the seam, at 1536
//!
//! // The shortest way from one to the other, and each as it is nearest to a camera.
//! let [a, b] = [right, left].map(|id| world[id].world_position());
//! assert!(a.to(world.nearest_image(b, a)).x < 200.0);
//! let camera = [1500.0, 500.0];
//! let poses = world.poses_from(camera, 1.0);
//! assert!(poses.iter().all(|pose| pose.position.x.abs() < 200.0));
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! A body at the edge of the screen must be drawn again at its image, a period away;
//! [`Pose`](crate::Pose) has the image nearest to the camera. Make a long ground that closes to a
//! ring of pieces, as a shape reaches at most a sixteenth of the period.
//!
//! # A bumper
//!
//! Restitution goes up to 1, which returns the incoming speed. A pinball's bumper adds to it: apply
//! an impulse along the normal of the hit, after the step in which it happened.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! let round = BodyDef::fixed().at([3.0, 0.0]).shape(Shape::circle(0.5)).material(Material::elastic());
//! let bumper = world.add(round)?;
//! let ball = world.add(BodyDef::dynamic().velocity([3.0, 0.0]).shape(Shape::circle(0.2)))?;
//! for _ in 0..90 {
//!     world.step(DT)?;
//!     let hits = world.events().hits().iter();
//!     let mut kick = Vec2::ZERO;
//!     for hit in hits {
//!         // Normals point from a to b: away from the bumper.
//!         kick += if hit.body_a == bumper { hit.normal } else { -hit.normal };
//!     }
//!     if kick != Vec2::ZERO {
//!         world.apply_impulse(ball, kick * (5.0 * world[ball].mass()))?; // 5 m/s more
//!     }
//! }
//! assert!((world[ball].velocity().x + 8.0).abs() < 0.01);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! # Damping
//!
//! A damping of d removes the share d of the velocity a second, for slow losses: air for a feather,
//! water for a diver, a floor seen from above. It is a number of the body; change it when the body
//! comes into the water.
//!
//! ```
//! use carom::prelude::*;
//! const DT: f32 = 1.0 / 60.0;
//!
//! let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]));
//! let puck = BodyDef { linear_damping: 0.5, angular_damping: 2.0, ..BodyDef::dynamic() };
//! let puck = world.add(puck.velocity([10.0, 0.0]).shape(Shape::circle(0.5)))?;
//! for _ in 0..60 {
//!     world.step(DT)?;
//! }
//! let expected = 10.0 * (-0.5_f32).exp(); // 6.1 m/s after a second
//! assert!((world[puck].velocity().x - expected).abs() < 0.05);
//! world.set_damping(puck, 4.0, 4.0)?; // into the mud
//! for _ in 0..60 {
//!     world.step(DT)?;
//! }
//! assert!(world[puck].velocity().x < 0.2);
//! # Ok::<(), carom::Error>(())
//! ```
