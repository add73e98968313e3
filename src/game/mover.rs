//! A kinematic character controller: it slides along walls, walks slopes, climbs steps, rides
//! platforms and pushes crates.
//!
//! In: a world, a place in it, a wanted velocity and the length of the step. Out: the new place of
//! the character, its ground, the shapes that it touched, and its remaining velocity. Called by a
//! game before each step of the world, with a body ([`Mover::move_body`]) or without
//! ([`Mover::slide`]).
//!
//! ```text
//!   def.rs      numbers of the program         planes.rs   limits of a displacement
//!   parts.rs    parts near the mover
//!   walk.rs     one move: carried, walking or in the air
//!   field.rs    distances, straight ways       ground.rs   ground under the mover, steps, snapping
//!   push.rs     impulses on dynamic bodies
//! ```

mod def;
mod field;
mod ground;
mod parts;
mod planes;
mod push;
mod walk;

pub use def::{MoverDef, SteepRule, Stride};

use glam::Vec2;

use crate::body::{BodyId, BodyKind, ShapeId};
use crate::error::Error;
use crate::math::{Rot, WorldPoint};
use crate::world::{CastAnswer, OverlapAnswer, World};
use parts::Part;

/// The ground under a mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoverGround {
    /// The shape.
    pub shape: ShapeId,
    /// The body of the shape.
    pub body: BodyId,
    /// The part of the shape, 0 where there is only one.
    pub part: u32,
    /// The point of contact.
    pub point: WorldPoint,
    /// The normal out of the ground. It is straight up if the mover stands on an edge, or between
    /// two slopes.
    pub normal: Vec2,
    /// The velocity of the ground there in this step, in m/s, conveyors included.
    pub velocity: Vec2,
}

/// A part of a shape that a mover ran into, or that it stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoverTouch {
    /// The shape.
    pub shape: ShapeId,
    /// The body of the shape.
    pub body: BodyId,
    /// The part of the shape, 0 where there is only one.
    pub part: u32,
    /// The point of contact.
    pub point: WorldPoint,
    /// The normal out of the touched shape.
    pub normal: Vec2,
    /// The speed at which the mover would have gone into it, in m/s.
    pub speed: f32,
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveOutcome {
    /// The place of the mover at the end of the step.
    pub position: WorldPoint,
    /// The displacement from its last place, including being carried.
    pub motion: Vec2,
    /// The remaining part of the wanted velocity; start the next move from it.
    ///
    /// On the ground it is relative to the ground and has no part along `up`. In the air it is
    /// absolute.
    pub velocity: Vec2,
    /// The ground at the end of the move.
    pub ground: Option<MoverGround>,
    /// The velocity of the ground that the mover left in this move, which `velocity` includes from
    /// now on; else zero.
    pub inherited: Vec2,
    /// Whether a wall, or ground too steep to walk on, was in the way.
    pub hit_wall: bool,
    /// Whether something was in the way upward.
    pub hit_ceiling: bool,
    /// Whether the mover climbed a step.
    pub stepped: bool,
    /// How much of the skin is missing, in metres: above 0 if the mover is crushed.
    pub crushed: f32,
}

impl MoveOutcome {
    /// Whether the mover stands on ground.
    #[must_use]
    pub fn grounded(&self) -> bool {
        self.ground.is_some()
    }
}

/// The ground that a mover remembers between two moves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Footing {
    shape: ShapeId,
    part: u32,
}

/// A kinematic character controller.
///
/// ```
/// use carom::prelude::*;
///
/// let mut world = World::new(WorldDef::default());
/// world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
/// world.add(BodyDef::fixed().at([3.0, 0.1]).shape(Shape::rect(2.0, 0.2)))?; // a step, 20 cm high
///
/// let mut hero = Mover::default(); // a capsule 1.8 m high
/// let (mut place, mut velocity, dt) = (WorldPoint::from([0.0, 0.91]), Vec2::ZERO, 1.0 / 60.0);
/// for _ in 0..60 {
///     velocity = vec2(3.0, velocity.y - 9.81 * dt);
///     let outcome = hero.slide(&world, place, velocity, dt)?;
///     (place, velocity) = (outcome.position, outcome.velocity);
///     world.step(dt)?;
/// }
/// assert!((place.position() - vec2(3.0, 1.11)).length() < 0.05, "on the step, a skin above it: {place}");
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Each step
///
/// The program computes a velocity, gravity included, calls the mover, and then steps the world.
/// Call [`World::move_to`] for platforms before the mover, so that it knows where they will be.
///
/// # Velocity
///
/// On the ground the velocity is relative to the ground: a lift carries a mover that stands still
/// on it. A mover walks along slopes as fast as on level ground, and the part of the velocity that
/// points into the ground has no effect. To jump, give it a velocity upward. Then, as when the
/// ground ends, the velocity of the ground is added to its own.
///
/// # Distance
///
/// A mover keeps a distance of [`MoverDef::skin`] to all bodies that are not dynamic. It does not
/// come closer by its own motion, at any speed. A body that moves into it pushes it out; if there
/// is no room, [`MoveOutcome::crushed`] is above 0. Call [`Mover::forget`] after you put a mover
/// elsewhere.
#[derive(Clone, Debug)]
pub struct Mover {
    def: MoverDef,
    footing: Option<Footing>,
    touches: Vec<MoverTouch>,
    /// Memory for the next move; it is not part of the state.
    parts: Vec<Part>,
    found: Vec<OverlapAnswer>,
    hits: Vec<CastAnswer>,
}

impl Default for Mover {
    fn default() -> Mover {
        Mover::with(MoverDef::default())
    }
}

impl Mover {
    /// Makes a mover that has no ground yet.
    ///
    /// # Errors
    /// A shape that is invalid or not convex, or a number out of its range.
    pub fn new(def: MoverDef) -> Result<Mover, Error> {
        def.check()?;
        Ok(Mover::with(def))
    }

    fn with(def: MoverDef) -> Mover {
        Mover {
            def,
            footing: None,
            touches: Vec::new(),
            parts: Vec::new(),
            found: Vec::new(),
            hits: Vec::new(),
        }
    }

    /// Returns its definition.
    #[must_use]
    pub fn def(&self) -> &MoverDef {
        &self.def
    }

    /// Changes its definition from now on: to crouch, or to fall through a one-way platform.
    ///
    /// # Errors
    /// As [`Mover::new`]; then it keeps its old definition.
    pub fn set_def(&mut self, def: MoverDef) -> Result<(), Error> {
        def.check()?;
        self.def = def;
        Ok(())
    }

    /// Forgets the ground: call it after you put the mover elsewhere.
    pub fn forget(&mut self) {
        self.footing = None;
    }

    /// Returns the parts that the last move ran into, and its ground. Each part appears once, in
    /// the order of the contacts.
    #[must_use]
    pub fn touches(&self) -> &[MoverTouch] {
        &self.touches
    }

    /// Computes how a mover at `place` moves in `dt` seconds. The world does not change.
    ///
    /// # Errors
    /// An invalid position, a velocity or `dt` out of its range, or a displacement that leads out
    /// of the world; the mover then keeps the ground that it knew before.
    pub fn slide(
        &mut self,
        world: &World,
        place: impl Into<WorldPoint>,
        velocity: impl Into<Vec2>,
        dt: f32,
    ) -> Result<MoveOutcome, Error> {
        self.slide_by(world, place, &Stride::new(velocity, dt))
    }

    /// [`Mover::slide`] with a filter.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Filter, Stride};
    ///
    /// const FENCE: u64 = 2;
    /// let mut world = World::default();
    /// let fence = BodyDef::fixed().at([2.0, 0.0]).shape(Shape::rect(0.2, 4.0));
    /// world.add(fence.filter(Filter { category: FENCE, ..Filter::default() }))?;
    /// let mut ghost = Mover::default();
    /// let through = Stride::new([4.0, 0.0], 1.0).among(QueryFilter::default().mask(!FENCE));
    /// let there = ghost.slide_by(&world, [0.0, 0.0], &through)?;
    /// assert!((there.position.position().x - 4.0).abs() < 1e-3);
    /// assert!(ghost.slide(&world, [0.0, 0.0], [4.0, 0.0], 1.0)?.hit_wall); // without the filter
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Mover::slide`].
    pub fn slide_by(
        &mut self,
        world: &World,
        place: impl Into<WorldPoint>,
        stride: &Stride,
    ) -> Result<MoveOutcome, Error> {
        stride.check()?;
        let place = place.into();
        if !place.is_valid() {
            return Err(Error::BadNumber("a position must be finite"));
        }
        walk::run(self, world, (place, Rot::IDENTITY), stride)
    }

    /// Moves a kinematic body in the next step, and pushes dynamic bodies that it runs into.
    ///
    /// The shape of the mover counts, in the frame of the body, turned as the body is. Other bodies
    /// collide with the body's own shapes, which should be equal to it. Call it before every step:
    /// like any kinematic body, it keeps its velocity if it gets no new target.
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::new(WorldDef::default());
    /// world.add(BodyDef::fixed().at([0.0, -0.5]).shape(Shape::rect(40.0, 1.0)))?;
    /// let mut hero = Mover::default();
    /// let body = world.add(BodyDef::kinematic().at([0.0, 2.0]).shape(hero.def().shape.clone()))?;
    /// let (mut velocity, dt) = (Vec2::ZERO, 1.0 / 60.0);
    /// for _ in 0..60 {
    ///     velocity = vec2(2.0, velocity.y - 9.81 * dt);
    ///     velocity = hero.move_body(&mut world, body, velocity, dt)?.velocity;
    ///     world.step(dt)?;
    /// }
    /// assert!((world[body].position() - vec2(2.0, 0.91)).length() < 0.01);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// A body that is gone or not kinematic, or the errors of [`Mover::slide`]; then nothing
    /// changes.
    pub fn move_body(
        &mut self,
        world: &mut World,
        body: BodyId,
        velocity: impl Into<Vec2>,
        dt: f32,
    ) -> Result<MoveOutcome, Error> {
        self.move_body_by(world, body, &Stride::new(velocity, dt))
    }

    /// Does [`Mover::move_body`] with a filter. The body never blocks itself.
    ///
    /// # Errors
    /// As [`Mover::move_body`].
    pub fn move_body_by(
        &mut self,
        world: &mut World,
        body: BodyId,
        stride: &Stride,
    ) -> Result<MoveOutcome, Error> {
        stride.check()?;
        let row = world.get(body).ok_or(Error::NoSuchBody(body))?;
        if row.kind() != BodyKind::Kinematic {
            return Err(Error::BadNumber("a mover drives kinematic bodies only"));
        }
        let (place, rotation, angle) = (row.world_position(), row.rotation(), row.angle());
        let stride = Stride { filter: stride.filter.without(body), ..*stride };
        let outcome = walk::run(self, world, (place, rotation), &stride)?;
        world.move_to(body, outcome.position, angle)?;
        self.push(world, stride.dt)?;
        Ok(outcome)
    }
}
