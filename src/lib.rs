//! 2D collision detection for game loops: shapes, and every question two of them can be asked.
//!
//! Two shapes can be asked everything without a world:
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
//! Metres, kilograms, seconds, radians; y up; angles and polygons run counter-clockwise. Boxes are given by
//! their full size. Normals point from the first shape to the second. A separation below 0 is overlap, and
//! touching is overlap. Definitions never fail to be written down: one that breaks a rule is
//! [`Shape::Invalid`], touches nothing, and says why ([`Shape::checked`]).
//!
//! # The same bits everywhere
//!
//! Nothing here depends on the processor, the optimiser or the number of lanes: own [`math::sin_cos`] and
//! [`math::atan2`], no fused operations, no sums across lanes. Exchanging two shapes exchanges every answer
//! bit for bit (two that cannot be told apart get the same answer both ways).
//!
//! # The way of the data
//!
//! [`math`] → [`bounds`] → `shape` ([`Shape`] and its kinds) → `narrowphase` (the questions).
//! A module uses only what stands before it; [`CircleTree`] alone, which refines a shape, looks ahead.

pub mod bounds;
pub mod broadphase;
pub mod math;
pub mod tuning;

mod body;
mod contact;
mod error;
mod event;
mod game;
mod joint;
mod narrowphase;
mod shape;
mod simd;
mod solver;
mod world;

pub use body::{
    Body, BodyDef, BodyId, BodyKind, Collider, Combine, Filter, Locks, Material, MaterialError, ShapeDef,
    ShapeId, Weight,
};
pub use bounds::{Aabb, BoundingCircle, CircleTree};
pub use error::Error;
pub use event::{Events, Hit, SensorEvent, Touch};
pub use game::FixedStep;
pub use glam::{IVec2, Vec2, vec2};
pub use math::{Motion, Rot, Transform, WorldPoint};
pub use narrowphase::{
    CastHit, ClosestPoint, Distance, FeatureId, Manifold, ManifoldPoint, Ray, RayHit, batch, cast,
    closest_point, contact, contact_within, contacts_within, contains, distance, overlaps, polar, ray,
};
pub use shape::{
    Capsule, Chain, ChainSegment, Circle, Compound, HalfPlane, Mass, Obb, PolarShape, Polygon, Segment,
    Shape, ShapeError,
};
pub use world::{
    Answers, CastAnswer, ContactEdit, NearestAnswer, OverlapAnswer, PairView, PlacedShape, Pose, QueryFilter,
    RayAnswer, ShapeCast, StepStats, World, WorldDef, WorldRay,
};

/// What most programs use.
pub mod prelude {
    pub use crate::{
        Aabb, BodyDef, BodyId, BodyKind, FixedStep, Manifold, Material, Motion, Pose, QueryFilter, Ray, Rot,
        Shape, ShapeCast, ShapeDef, ShapeError, ShapeId, Transform, Vec2, World, WorldDef, WorldPoint,
        WorldRay, cast, closest_point, contact, contains, distance, overlaps, ray, vec2,
    };
}

/// The README's code, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
