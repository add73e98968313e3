//! 2D rigid-body physics and collision detection for games: a deterministic world, whose steps give
//! the same bits on every machine, and every query between two shapes, with or without a world.
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut world = World::new(WorldDef::default()); // gravity (0, -9.81)
//! world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0)))?;
//! let ball = world.add(BodyDef::dynamic().at([0.0, 8.0]).shape(Shape::circle(0.5)))?;
//! for _ in 0..120 {
//!     world.step(1.0 / 60.0)?;
//!     for hit in world.events().hits() {
//!         println!("{} and {} met at {:.1} m/s", hit.body_a, hit.body_b, hit.speed);
//!     }
//! }
//! assert!((world[ball].position().y - 0.5).abs() < 0.01);
//! # Ok::<(), carom::Error>(())
//! ```
//!
#![doc = include_str!("../docs/layers.svg")]
//!
//! [`World::draw`] shows the cells of the grid, boxes, shapes, joints, velocities, and contacts
//! with their impulses; sleeping bodies are pale.
//!
#![cfg_attr(
    any(doc, doctest),
    doc = "**The [`guide`] has a chapter for each question**: start with [shapes](guide::shapes), [a world](guide::world) and [a game loop](guide::game_loop)."
)]
//!
//! Where to go from here: [`World`] steps, answers queries and can be changed between any two
//! steps; [`BodyDef`] and [`ShapeDef`] define bodies and their shapes, [`JointDef`] joints,
//! [`Material`] friction and restitution; [`Events`] list the touches, hits and other events of a
//! step. [`FixedStep`] and [`World::poses_at`] fit steps of one length to frames of any.
//! [`broadphase::Grid`] finds pairs of boxes on its own. [`World::draw`] gives all of it, from
//! shapes to contacts, joints and the grid, as lines to any renderer.
//!
//! # Without a world
//!
//! Overlap, contact, distance, casts and rays of two shapes need no world:
//!
//! ```
//! use carom::prelude::*;
//!
//! let sword = Shape::capsule([0.0, 0.0], [0.0, 1.2], 0.1);
//! let slime = Shape::circle(0.5);
//! let hit = contact(&sword, Transform::IDENTITY, &slime, Transform::at([0.55, 0.6])).expect("they touch");
//! assert!((hit.normal - Vec2::X).length() < 1e-5); // from the first to the second
//! assert!((hit.depth() - 0.05).abs() < 1e-5);
//! assert!(!overlaps(&sword, Transform::IDENTITY, &slime, Transform::at([0.7, 0.6])));
//! ```
//!
//! # Conventions
//!
//! Metres, kilograms, seconds, radians; y up; angles and polygons run counter-clockwise. Boxes are
//! given by their full size. Normals point from the first shape to the second; in answers to a ray,
//! a point or a query of a world, they point out of the shape that was found. A separation below 0
//! is overlap, and touching is overlap. A position in a world is a [`WorldPoint`]; `[x, y]` and
//! [`Vec2`] convert into one.
//!
//! Definitions never fail: a shape that breaks a rule is [`Shape::Invalid`] and touches nothing;
//! [`Shape::checked`] returns its error. A call that breaks a rule returns an [`Error`] and leaves
//! the world unchanged. Values that may be absent are an `Option`. Two things panic: indexing (a
//! world by the id of a body, shape or joint that is gone, [`Answers`] beyond their end), and, with
//! debug assertions, [`World::new`] with a number that breaks a rule, for which there is
//! [`World::try_new`].
//!
//! # The same bits everywhere
//!
//! Nothing here depends on the processor, the optimiser, the number of lanes or of threads: sine
//! and arc tangent are carom's own ([`math::sin_cos`], [`math::atan2`]), and there are no fused
//! operations, no sums across lanes, no order that comes from a hash. Equal worlds that are given
//! equal calls stay equal, in any region of the map. Exchanging two shapes exchanges every answer
//! bit for bit (two shapes with equal bits and places get the same answer both ways).
//!
//! # Snapshots
//!
//! [`World::save_into`] writes the state as bytes, and [`World::load`] brings it back, here or on
//! another machine that has built the same level ([`World::save_whole_into`] writes the level too).
//! [`Ring`] keeps the last steps for rollback, [`World::hash`] is a hash of the state in 64 bits,
//! to compare worlds by, [`World::first_difference`] finds the first difference of two, and
//! [`World::record`] keeps every call so that a [`Replay`] can make it again.
//!
//! # Features
//!
//! On by default, as they take part in no step and a program may leave them out by
//! `default-features = false`:
//!
//! | feature | what it brings |
//! |---|---|
//! | `breaking` | `World::slice`, `World::fragment`, `World::subtract` |
//! | `draw` | `World::draw`, `DebugDraw` |
//! | `game` | `FixedStep`, `Mover`, `Window`, `Bsp` |
//! | `record` | `World::record`, `Replay`; with `breaking`, as a recording has all calls |
//!
//! Off by default: `parallel` (steps on several threads), `serde` (definitions, and worlds as
//! `Level`), `approx` and `mint` (traits of the crates of that name). Results depend on none of
//! them.
//!
//! # The way of the data
//!
//! ```text
//! math -> util -> threads -> simd -> state -> bounds -> shape -> narrowphase -> broadphase
//!     -> body -> contact -> joint -> solver -> world and step -> game -> draw
//! ```
//!
//! A module uses only modules before it, except for [`CircleTree`], which refines a shape, and the
//! comparisons of the feature `approx`. `world` holds the data and the calls that change and read
//! it. `step` holds the stages of a step: a folder each, in their order, and each stage uses only
//! the stages before it. A step follows the same way: the grid finds pairs of boxes, the
//! narrowphase makes manifolds of them, contacts keep the manifolds from step to step, the solver
//! makes impulses of contacts, and the world reports events. `game` fits steps to frames and moves
//! characters; `draw` turns all of it into lines, and nothing depends on it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "parallel"), forbid(unsafe_code))]
// Code that must panic allows the lint where it panics. Tests may panic.
#![warn(clippy::expect_used, clippy::panic, clippy::unreachable, clippy::unimplemented)]

#[doc(hidden)]
pub mod ablate;
pub mod bounds;
pub mod broadphase;
#[cfg(any(doc, doctest))]
pub mod guide;
pub mod math;
pub mod tuning;

mod body;
mod contact;
#[cfg(feature = "draw")]
mod draw;
mod error;
mod event;
mod game;
mod joint;
mod narrowphase;
mod shape;
mod simd;
mod solver;
mod state;
mod step;
mod threads;
mod util;
mod world;

pub use body::{
    Body, BodyDef, BodyId, BodyKind, Collider, Combine, Filter, JointId, Locks, Material, MaterialError,
    ShapeDef, ShapeDefaults, ShapeId, Weight,
};
pub use bounds::{Aabb, BoundingCircle, CircleTree};
#[cfg(feature = "draw")]
pub use draw::{Color, DebugDraw, DrawOptions};
pub use error::Error;
pub use event::{Events, Freeze, Hit, JointBreak, JointLoss, SensorEvent, Touch};
pub use game::{Action, AutoReset, Batch, BatchLayout, End, Observation, Spec, SpecError, Variation};
#[cfg(feature = "game")]
pub use game::{
    Bsp, BspError, FixedStep, MoveOutcome, Mover, MoverDef, MoverGround, MoverTouch, SteepRule, Stride, Tile,
    TileChange, Window,
};
pub use glam::{IVec2, Vec2, vec2};
pub use joint::{Anchor, Drive, Joint, JointDef, JointKind, Limits, Motor, Servo, Spring};
pub use math::{Motion, Rot, Transform, WorldPoint};
pub use narrowphase::{
    CastHit, ClosestPoint, Distance, FeatureId, Manifold, ManifoldPoint, Ray, RayHit, batch, cast,
    closest_point, contact, contact_within, contacts_within, contains, distance, overlaps, polar, ray,
};
pub use shape::{
    Capsule, Chain, ChainSegment, Circle, Compound, HalfPlane, Mass, Obb, PartError, PolarShape, Polygon,
    Segment, Shape, ShapeError, TileCell, TileKind, TileMap,
};
pub use simd::Lanes;
pub use state::LoadError;
#[doc(hidden)]
pub use state::restamp;
pub use step::StepStats;
pub use step::areas::{Area, Fluid, Pull};
pub use step::collide::hooks::{ContactEdit, PairView};
#[cfg(feature = "record")]
#[doc(hidden)]
pub use world::restamp_recording;
pub use world::{
    Answers, CastAnswer, Change, Changes, Contact, ContactPoint, Difference, DriveState, IslandBox,
    IslandBoxes, JointState, Kinds, Mark, Meeting, Moved, NearestAnswer, OverlapAnswer, Pasted, PathPoint,
    Piece, PlacedShape, Pose, Prediction, QueryFilter, RangeEnd, RayAnswer, Ring, ShapeCast, Start, Ties,
    World, WorldDef, WorldRay,
};
#[cfg(feature = "record")]
pub use world::{Divergence, Recorder, Recording, Replay};
#[cfg(feature = "serde")]
pub use world::{Level, LevelBody, LevelError, LevelIds, LevelJoint, LevelShape};

/// The names that most programs use.
pub mod prelude {
    #[cfg(feature = "serde")]
    pub use crate::Level;
    pub use crate::{
        Aabb, Area, Batch, BodyDef, BodyId, BodyKind, Drive, Error, Filter, Fluid, JointDef, JointId, Locks,
        Manifold, Material, Motion, Motor, Piece, PlacedShape, Pose, Prediction, QueryFilter, Ray, Ring, Rot,
        Shape, ShapeCast, ShapeDef, ShapeError, ShapeId, Spring, Start, Ties, TileCell, TileKind, Transform,
        Vec2, World, WorldDef, WorldPoint, WorldRay, cast, closest_point, contact, contains, distance,
        overlaps, ray, vec2,
    };
    #[cfg(feature = "game")]
    pub use crate::{FixedStep, Mover, MoverDef, Window};
}

/// The README's code, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
