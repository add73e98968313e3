//! The world: bodies, shapes, joints and contacts, and the calls that change and read them.
//!
//! In: definitions and changes from the user. Out: bodies to read, events, answers to queries. The
//! stages that move a world are in `../step/`.
//!
//! ```text
//!   joints/     joints -> blocks of the solver, and back
//!   store/      lists and limits that no stage owns       edit/       calls that change a world
//!   query/      rays, casts, overlaps
//!   read/       contacts now, poses to draw bodies, changes of bodies
//!   tiles/      cells of tile maps, as parts where something is near
//!   piece/      bodies out of a world and into it
//!   snapshot/   snapshots, hash, first difference of two worlds
//!   breaking/   bodies cut in pieces, holes               record/     calls, to be made again
//!   prediction/ future motion of some bodies while all others stand still
//!   level/      a world as definitions under names
//!   def.rs      settings of a world                       validate.rs every invariant
//!   tests/      whole steps: lanes against the scalar reference; bodies whose numbers ran away
//! ```

#[cfg(feature = "breaking")]
mod breaking;
mod def;
pub(crate) mod edit;
pub(crate) mod joints;
#[cfg(feature = "serde")]
mod level;
mod piece;
mod prediction;
mod query;
mod read;
#[cfg(feature = "record")]
pub(crate) mod record;
#[cfg(not(feature = "record"))]
#[path = "record/off.rs"]
pub(crate) mod record;
mod snapshot;
pub(crate) mod store;
mod tiles;
mod validate;

pub use def::WorldDef;
pub use joints::state::{DriveState, JointState, RangeEnd};
#[cfg(feature = "serde")]
pub use level::{Level, LevelBody, LevelError, LevelIds, LevelJoint, LevelShape};
pub use piece::{Pasted, Piece, Ties};
pub use prediction::{Meeting, PathPoint, Prediction, Start};
pub use query::{
    Answers, CastAnswer, Kinds, NearestAnswer, OverlapAnswer, PlacedShape, QueryFilter, RayAnswer, ShapeCast,
    WorldRay,
};
pub use read::changes::{Change, Changes, Mark};
pub use read::contacts::{Contact, ContactPoint};
pub use read::island_boxes::{IslandBox, IslandBoxes};
pub use read::poses::{Moved, Pose};
#[cfg(feature = "record")]
#[doc(hidden)]
pub use record::restamp_recording;
#[cfg(feature = "record")]
pub use record::{Divergence, Recorder, Recording, Replay};
pub use snapshot::{Difference, Ring};

pub(crate) use store::shapes::Proxies;
pub(crate) use store::workspace::Workspace;

use core::ops::Index;

use crate::body::{Body, BodyId, Collider, NONE, ShapeId};
use crate::broadphase::PeriodicGrid;
use crate::contact::Contacts;
use crate::error::Error;
use crate::event::Events;
use crate::simd::Lanes;
use crate::solver::{Columns, Solver};
use crate::threads::Crew;
use crate::tuning::Tuning;
use store::bodies::BodyStore;
use store::dirty::Dirty;
use store::events::EventStore;
use store::graph::ConstraintGraph;
use store::joints::JointStore;
use store::scratch::StageMemory;
use store::shapes::ShapeStore;
use store::step_state::StepState;

/// A world of bodies, shapes, joints and contacts, and the step that moves it.
///
/// ```
/// use carom::prelude::*;
///
/// let mut world = World::new(WorldDef::default());
/// world.add(BodyDef::fixed().at([0.0, -1.0]).shape(Shape::rect(40.0, 2.0)))?;
/// let ball = world.add(BodyDef::dynamic().at([0.0, 8.0]).shape(Shape::circle(0.5)))?;
/// for _ in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world[ball].position().y - 0.5).abs() < 0.01);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Debug)]
pub struct World {
    pub(crate) def: WorldDef,
    /// Thresholds of the step in the unit of `def`. No part of the state.
    pub(crate) tuning: Tuning,
    /// Capacity limits.
    pub(crate) room: store::capacity::Room,
    // Bodies and their lists.
    pub(crate) bodies: BodyStore,
    pub(crate) shapes: ShapeStore,
    /// Cells of tile maps that are parts.
    pub(crate) tiles: tiles::Tiles,
    pub(crate) joints: JointStore,
    /// Areas: effects of sensors on the bodies in them.
    pub(crate) areas: crate::step::areas::Areas,
    pub(crate) hooks: crate::step::collide::hooks::Hooks,
    /// Whether a filter hook was removed: it may have refused pairs, which are not tested again.
    pub(crate) filtered: bool,
    // Derived data, kept from step to step.
    pub(crate) grid: PeriodicGrid,
    pub(crate) contacts: Contacts,
    pub(crate) graph: ConstraintGraph,
    pub(crate) islands: crate::step::islands::Islands,
    pub(crate) solver: Box<Solver>,
    pub(crate) columns: Box<Columns>,
    pub(crate) events: EventStore,
    pub(crate) dirty: Dirty,
    pub(crate) step: StepState,
    pub(crate) scratch: Box<StageMemory>,
    // Services, which are no part of the state.
    pub(crate) clock: Option<fn() -> u64>,
    /// Threads that work on a step.
    pub(crate) crew: Crew,
    /// Displacements for drawing, see `read/poses.rs`.
    pub(crate) poses: read::poses::Poses,
    /// The recording of calls, if one is on.
    log: Option<Box<record::Log>>,
    /// Scratch memory for loading snapshots.
    loading: snapshot::Loading,
    /// Journal of changes of fixed shapes.
    pub(crate) journal: read::changes::Journal,
}

impl Default for World {
    fn default() -> World {
        World::new(WorldDef::default())
    }
}

impl World {
    /// An empty world, of a definition that the program itself wrote. Numbers from elsewhere, as
    /// from a file, are for [`World::try_new`].
    ///
    /// # Panics
    /// With debug assertions, when a number breaks a rule, with the rule. Without them, each such
    /// number is replaced by its default.
    #[must_use]
    #[track_caller]
    #[expect(clippy::panic, reason = "a slip of the programmer; there is a function that does not")]
    pub fn new(def: WorldDef) -> World {
        match def.check() {
            Err(error) if cfg!(debug_assertions) => panic!("{error}"),
            Err(_) => World::with(def.mended()),
            Ok(()) => World::with(def),
        }
    }

    /// An empty world, if its definition breaks no rule.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let def = WorldDef { sub_steps: 0, ..WorldDef::default() };
    /// assert_eq!(World::try_new(def).unwrap_err().to_string(), "a step has 1 to 64 sub-steps");
    /// ```
    ///
    /// # Errors
    /// A number out of its range.
    pub fn try_new(def: WorldDef) -> Result<World, Error> {
        def.check()?;
        Ok(World::with(def))
    }

    fn with(def: WorldDef) -> World {
        let mut grid = PeriodicGrid::default();
        grid.set_period(def.period());
        World {
            def,
            tuning: Tuning::scaled(def.unit),
            room: store::capacity::Room::default(),
            bodies: BodyStore::default(),
            shapes: ShapeStore::default(),
            tiles: tiles::Tiles::default(),
            joints: JointStore::default(),
            areas: crate::step::areas::Areas::default(),
            hooks: crate::step::collide::hooks::Hooks::default(),
            filtered: false,
            grid,
            contacts: Contacts::default(),
            graph: ConstraintGraph::default(),
            islands: crate::step::islands::Islands::default(),
            solver: Box::default(),
            columns: Box::default(),
            events: EventStore::default(),
            dirty: Dirty::default(),
            step: StepState::default(),
            scratch: Box::default(),
            clock: None,
            crew: Crew::new(1),
            poses: read::poses::Poses::default(),
            log: None,
            loading: snapshot::Loading::default(),
            journal: read::changes::Journal::default(),
        }
    }

    /// Returns a body, if it still exists.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// assert!(world.get(ball).is_some());
    /// world.remove(ball)?;
    /// assert!(world.get(ball).is_none()); // world[ball] would panic
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, id: BodyId) -> Option<&Body> {
        self.bodies.slots.holds(id.index(), id.generation()).then(|| &self.bodies.rows[id.index()])
    }

    /// Returns a shape, if it still exists.
    #[must_use]
    pub fn get_shape(&self, id: ShapeId) -> Option<&Collider> {
        self.shapes.slots.holds(id.index(), id.generation()).then(|| &self.shapes.colliders[id.index()])
    }

    /// All bodies, in the order of their places.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// let ball = world.add(BodyDef::dynamic().shape(Shape::circle(0.5)))?;
    /// for (id, body) in world.bodies() {
    ///     println!("{id} at {}", body.position());
    /// }
    /// assert_eq!(world.bodies().next().map(|(id, _)| id), Some(ball));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.bodies.slots.iter().map(|slot| (self.body_id(slot), &self.bodies.rows[slot as usize]))
    }

    /// The shapes of a body, in the order they were added; none if the body is gone.
    pub fn shapes_of(&self, id: BodyId) -> impl Iterator<Item = (ShapeId, &Collider)> {
        let first = self.get(id).map_or(NONE, |body| body.first_shape);
        self.shape_slots_from(first).map(|slot| (self.shape_id(slot), &self.shapes.colliders[slot as usize]))
    }

    /// The body that a shape is attached to.
    #[must_use]
    pub fn body_of(&self, id: ShapeId) -> Option<BodyId> {
        self.get_shape(id).map(|collider| self.body_id(collider.body))
    }

    /// The events of the last step.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut world = World::default();
    /// world.add(BodyDef::fixed().shape(Shape::rect(2.0, 2.0)))?;
    /// let ball = world.add(BodyDef::dynamic().at([0.0, 1.49]).shape(Shape::circle(0.5)))?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.events().begun()[0].body_b, ball);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &Events {
        &self.events.now
    }

    /// Times and counts of the last step.
    #[must_use]
    pub fn stats(&self) -> crate::step::StepStats {
        self.step.stats
    }

    /// How many steps there have been.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.step.number
    }

    /// The settings of the world.
    #[must_use]
    pub fn def(&self) -> &WorldDef {
        &self.def
    }

    /// How many bodies there are.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.bodies.slots.len()
    }

    /// A clock in nanoseconds, or any unit, for the stage times of
    /// [`StepStats`](crate::StepStats). Without one they are 0: the engine itself reads no clock.
    pub fn set_clock(&mut self, clock: Option<fn() -> u64>) {
        self.clock = clock;
    }

    /// Sets the SIMD lanes, in place of the widest of the machine. Results have the same bits.
    pub fn set_lanes(&mut self, lanes: Lanes) {
        self.grid.set_lanes(lanes);
        self.solver.set_lanes(lanes);
    }

    /// The SIMD lanes in use.
    #[must_use]
    pub fn lanes(&self) -> Lanes {
        self.grid.lanes()
    }

    /// Steps on up to `count` threads, the caller's among them; 1 at first. The other threads
    /// belong to the rayon pool in which `step` is called. Steps have the same bits with any count,
    /// and with any number of idle threads in the pool.
    ///
    /// Worlds of less than 200 awake bodies are stepped by the caller alone, which is faster than
    /// waking threads.
    #[cfg(feature = "parallel")]
    pub fn set_threads(&mut self, count: usize) {
        self.crew = Crew::new(count);
    }

    /// How many threads a step may use.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn threads(&self) -> usize {
        self.crew.threads()
    }

    /// Steps by the caller alone, with the times of [`StepStats`] as they would be on `count`
    /// threads; `clock` is in nanoseconds. For `versus`: see `threads/model.rs`.
    #[cfg(feature = "parallel")]
    #[doc(hidden)]
    pub fn imagine_threads(&mut self, count: usize, clock: fn() -> u64) {
        self.crew = Crew::imagined(count, clock);
        self.clock = Some(clock);
    }

    /// Takes over a definition that was checked.
    pub(crate) fn put_def(&mut self, def: WorldDef) {
        self.def = def;
        self.tuning = Tuning::scaled(def.unit);
        self.grid.set_period(def.period());
    }

    pub(crate) fn body_id(&self, slot: u32) -> BodyId {
        let generation = self.bodies.slots.tenant(slot).unwrap_or(core::num::NonZeroU32::MIN);
        BodyId::new(slot, generation)
    }

    pub(crate) fn shape_id(&self, slot: u32) -> ShapeId {
        let generation = self.shapes.slots.tenant(slot).unwrap_or(core::num::NonZeroU32::MIN);
        ShapeId::new(slot, generation)
    }

    /// The slots of the shapes in a list, from `first` on.
    pub(crate) fn shape_slots_from(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |slot: &u32| Some(self.shapes.links[*slot as usize].next).filter(|&slot| slot != NONE);
        core::iter::successors(Some(first).filter(|&slot| slot != NONE), next)
    }

    /// The proxies of a shape.
    pub(crate) fn proxies_of(&self, shape: u32) -> impl Iterator<Item = u32> + '_ {
        let first = Some(self.shapes.links[shape as usize].first_proxy).filter(|&proxy| proxy != NONE);
        let next =
            |proxy: &u32| Some(self.shapes.proxies.rows[*proxy as usize].next).filter(|&proxy| proxy != NONE);
        core::iter::successors(first, next)
    }
}

impl Index<BodyId> for World {
    type Output = Body;

    /// # Panics
    /// When the body is gone; [`World::get`] returns `None` instead.
    #[track_caller]
    #[expect(clippy::panic, reason = "what indexing does; there is a function that does not")]
    fn index(&self, id: BodyId) -> &Body {
        match self.get(id) {
            Some(body) => body,
            None => panic!("{}", Error::NoSuchBody(id)),
        }
    }
}

impl Index<ShapeId> for World {
    type Output = Collider;

    /// # Panics
    /// When the shape is gone; [`World::get_shape`] returns `None` instead.
    #[track_caller]
    #[expect(clippy::panic, reason = "what indexing does; there is a function that does not")]
    fn index(&self, id: ShapeId) -> &Collider {
        match self.get_shape(id) {
            Some(collider) => collider,
            None => panic!("{}", Error::NoSuchShape(id)),
        }
    }
}

#[cfg(test)]
mod tests;
