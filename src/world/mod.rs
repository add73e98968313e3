//! The world: bodies, and a step that moves them. The only folder that sees everything.
//!
//! In: definitions and changes from the user, a time step from the game loop. Out: bodies to read,
//! events, answers to queries. The stages of a step stand in `step.rs`, in their order; each works
//! on the columns it needs.
//!
//! ```text
//!   step.rs     the table of contents, in whose order these folders work, a stage each:
//!     areas/      forces of gravity, wind and water where sensors say so
//!     begin/      bodies into the rows of the solver; neighbours in neighbouring rows
//!     pairs/      pairs of boxes -> contacts
//!     collide/    contacts -> manifolds
//!     prepare/    manifolds -> blocks of the solver; a first guess of impulses
//!     finish/     bodies back from the rows of the solver, boxes into the grid
//!     ccd/        ways that led through something: continuous collision detection
//!     events/     what began, ended, hit, entered, welded
//!     islands/    islands that rest
//!   joints/     joints -> blocks of the solver, and back
//!   store/      lists and limits that no stage owns       edit/       calls that change a world
//!   query/      rays, casts, overlaps                     read/       contacts now, where to draw bodies, what changed
//!   tiles/      cells of tile maps, as parts where something is near
//!   piece/      bodies out of a world and into it         snapshot/   snapshots, hash, what differs between two worlds
//!   breaking/   bodies cut in pieces, holes               record/     calls, to be made again
//!   prediction/ what some bodies will do while all else stands still
//!   level/      a world as definitions under names
//!   def.rs      settings of a world                       validate.rs every invariant
//!   tests/      whole steps: lanes against the scalar reference; bodies whose numbers ran away
//! ```

mod areas;
mod begin;
mod breaking;
mod ccd;
mod collide;
mod def;
mod edit;
mod events;
mod finish;
mod islands;
mod joints;
#[cfg(feature = "serde")]
mod level;
mod pairs;
mod piece;
mod prediction;
mod prepare;
mod query;
mod read;
mod record;
mod snapshot;
mod step;
mod store;
mod tiles;
mod validate;

pub use areas::{Area, Fluid, Pull};
pub use collide::hooks::{ContactEdit, PairView};
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
pub use read::contacts::Contact;
pub use read::poses::{Moved, Pose};
#[doc(hidden)]
pub use record::restamp_recording;
pub use record::{Divergence, Recorder, Recording, Replay};
pub use snapshot::{Difference, Ring};
pub use step::StepStats;

use core::ops::Index;
use std::collections::BTreeMap;

use crate::body::collider::{Link, Proxy};
use crate::body::core_table::Forms;
use crate::body::id::Slots;
use crate::body::{Body, BodyId, Collider, NONE, ShapeId};
use crate::broadphase::Grid;
use crate::contact::Contacts;
use crate::contact::colour::{Colouring, Cut};
use crate::contact::pair_map::PairMap;
use crate::error::Error;
use crate::event::Events;
use crate::joint::Joint;
use crate::simd::{AlignedRows, Lanes};
use crate::solver::{Columns, Solver};
use crate::threads::Crew;

/// The parts of all shapes, as the grid knows them.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    pub(crate) rows: Vec<Proxy>,
    pub(crate) placed: AlignedRows,
    pub(crate) local: AlignedRows,
    /// Number of the form.
    pub(crate) form: Vec<u32>,
    pub(crate) forms: Forms,
    free: Vec<u32>,
    /// Given up since the grid last looked for pairs: not to be taken before it does.
    retired: Vec<u32>,
}

crate::state::clone_by_field! { Proxies { rows, placed, local, form, forms, free, retired } }

/// Bodies and shapes, how they touch, and the step that moves them.
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
    pub(crate) room: store::capacity::Room,
    pub(crate) body_slots: Slots,
    pub(crate) bodies: Vec<Body>,
    pub(crate) shape_slots: Slots,
    pub(crate) colliders: Vec<Collider>,
    pub(crate) shape_links: Vec<Link>,
    pub(crate) proxies: Proxies,
    /// Slots of the bodies that steps move.
    pub(crate) awake: Vec<u32>,
    /// By slot: the row in the solver's columns; 0, the immovable row, for what steps do not move.
    pub(crate) solver_rows: Vec<u32>,
    /// By slot: how many contacts a body has, asleep or not. Most edits have nothing to look for
    /// where there are none.
    pub(crate) contact_counts: Vec<u32>,
    /// Numbers of filters that forbid themselves: see [`World::group_of`].
    pub(crate) named_filters: BTreeMap<(u64, u64), u32>,
    /// By slot of a body: the only part that it has in the grid; [`NONE`] if there are none or
    /// several.
    pub(crate) sole_parts: Vec<u32>,
    pub(crate) grid: Grid,
    pub(crate) contacts: Contacts,
    pub(crate) colouring: Colouring,
    /// Whether the touching contacts, or the rows of their bodies, are others than those that were
    /// coloured.
    pub(crate) recolour: bool,
    /// How rows are cut into zones.
    pub(crate) row_cut: Cut,
    /// Contacts that touch, as of the last colouring.
    pub(crate) touching: Vec<u32>,
    /// Contacts of which events may have something to say.
    pub(crate) unsure: Vec<u32>,
    /// How many contacts touched in the step before.
    pub(crate) contacts_before: usize,
    /// How many contacts began to touch in this step.
    pub(crate) begun: usize,
    pub(crate) solver: Solver,
    pub(crate) columns: Columns,
    pub(crate) sleep: islands::Sleep,
    /// Lists that are made anew, kept for their memory.
    pub(crate) finds: collide::write::Finds,
    pub(crate) left: Vec<finish::bodies::Left>,
    pub(crate) boxes: Vec<finish::bodies::NewBox>,
    /// Bodies that freeze at the end of the step.
    pub(crate) lost: Vec<finish::quarantine::Lost>,
    pub(crate) collide: collide::Scratch,
    pub(crate) settle: prepare::initial_load::Scratch,
    pub(crate) dealing: begin::partition::Dealing,
    pub(crate) joint_slots: Slots,
    pub(crate) joints: Vec<Joint>,
    /// By slot of a joint: turns of its bodies against each other.
    pub(crate) joint_turns: Vec<joints::revolutions::Turns>,
    /// By slot of a body: its first joint and its last one, or [`NONE`].
    pub(crate) first_joint: Vec<u32>,
    pub(crate) last_joint: Vec<u32>,
    /// How many joints there have been.
    pub(crate) joint_serial: u64,
    /// Whether joints or the rows of their bodies are others than those that were laid out.
    pub(crate) relink: bool,
    /// Bodies whose joints are others, or stand elsewhere: see `joints/relayout.rs`. Rows that only
    /// moved are none of these.
    pub(crate) unlaid: Vec<u32>,
    /// Whether joints are in no lanes though nothing changed about them: the world was restored.
    pub(crate) unseated: bool,
    /// By solver row, whether joints hold the body; as of the last time that joints or awake bodies
    /// changed.
    pub(crate) held: Vec<bool>,
    /// Touches that became welds in this step.
    pub(crate) welded_now: Vec<crate::event::Touch>,
    pub(crate) events: Events,
    /// What happened since the last step ended.
    pub(crate) next_events: Events,
    /// What ended between the last step and this one.
    pub(crate) late: Events,
    pub(crate) sorter: crate::event::Sorter,
    /// How many parts of two shapes touch.
    pub(crate) touch_counts: PairMap,
    /// The same of a sensor, named first, and a visitor.
    pub(crate) visit_counts: PairMap,
    pub(crate) hooks: collide::hooks::Hooks,
    /// What sensors do to the bodies in them.
    pub(crate) areas: areas::Areas,
    /// What single bodies have of their own.
    pub(crate) own_laws: store::own_laws::OwnLaws,
    /// Cells of tile maps that are parts.
    pub(crate) tiles: tiles::Tiles,
    /// Whether there was a filter hook that is gone: it may have forbidden pairs, which are not
    /// asked about again.
    pub(crate) filtered: bool,
    /// Whether a body went farther in this step than it is thick.
    pub(crate) any_far: bool,
    /// Whether a body went over to another region since contacts were last sorted by how they are
    /// tested.
    pub(crate) regions_changed: bool,
    /// Bodies changed from outside since the last step: their boxes may be too small.
    pub(crate) changed: Vec<u32>,
    pub(crate) last_dt: f32,
    /// Length of the sub-steps of this step.
    pub(crate) last_h: f32,
    pub(crate) steps: u64,
    pub(crate) clock: Option<fn() -> u64>,
    /// Who works on a step; no part of the state.
    pub(crate) crew: Crew,
    pub(crate) stats: StepStats,
    /// What `read/poses.rs` keeps for drawing; no part of the state.
    pub(crate) poses: read::poses::Poses,
    /// What is noted of the calls, while they are recorded; no part of the state.
    log: Option<Box<record::Log>>,
    /// What loading a snapshot needs; no part of the state.
    loading: snapshot::Loading,
    /// What happened to fixed shapes; no part of the state.
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
        World {
            def,
            room: store::capacity::Room::default(),
            body_slots: Slots::default(),
            bodies: Vec::new(),
            shape_slots: Slots::default(),
            colliders: Vec::new(),
            shape_links: Vec::new(),
            proxies: Proxies::default(),
            awake: Vec::new(),
            solver_rows: Vec::new(),
            contact_counts: Vec::new(),
            named_filters: BTreeMap::new(),
            sole_parts: Vec::new(),
            grid: Grid::new(),
            contacts: Contacts::default(),
            colouring: Colouring::default(),
            recolour: true,
            row_cut: Cut::default(),
            touching: Vec::new(),
            unsure: Vec::new(),
            contacts_before: 0,
            begun: 0,
            solver: Solver::default(),
            columns: Columns::default(),
            sleep: islands::Sleep::default(),
            finds: collide::write::Finds::default(),
            left: Vec::new(),
            boxes: Vec::new(),
            lost: Vec::new(),
            collide: collide::Scratch::default(),
            settle: prepare::initial_load::Scratch::default(),
            dealing: begin::partition::Dealing::default(),
            joint_slots: Slots::default(),
            joints: Vec::new(),
            joint_turns: Vec::new(),
            first_joint: Vec::new(),
            last_joint: Vec::new(),
            joint_serial: 0,
            relink: false,
            unlaid: Vec::new(),
            unseated: false,
            held: Vec::new(),
            welded_now: Vec::new(),
            events: Events::default(),
            next_events: Events::default(),
            late: Events::default(),
            sorter: crate::event::Sorter::default(),
            touch_counts: PairMap::default(),
            visit_counts: PairMap::default(),
            hooks: collide::hooks::Hooks::default(),
            areas: areas::Areas::default(),
            own_laws: store::own_laws::OwnLaws::default(),
            tiles: tiles::Tiles::default(),
            filtered: false,
            any_far: false,
            regions_changed: false,
            changed: Vec::new(),
            last_dt: 1.0 / 60.0,
            last_h: 0.0,
            steps: 0,
            clock: None,
            crew: Crew::new(1),
            stats: StepStats::default(),
            poses: read::poses::Poses::default(),
            log: None,
            loading: snapshot::Loading::default(),
            journal: read::changes::Journal::default(),
        }
    }

    /// A body, if it is still there.
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
        self.body_slots.holds(id.index(), id.generation()).then(|| &self.bodies[id.index()])
    }

    /// A shape, if it is still there.
    #[must_use]
    pub fn get_shape(&self, id: ShapeId) -> Option<&Collider> {
        self.shape_slots.holds(id.index(), id.generation()).then(|| &self.colliders[id.index()])
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
        self.body_slots.iter().map(|slot| (self.body_id(slot), &self.bodies[slot as usize]))
    }

    /// The shapes of a body, in the order they were added; none if the body is gone.
    pub fn shapes_of(&self, id: BodyId) -> impl Iterator<Item = (ShapeId, &Collider)> {
        let first = self.get(id).map_or(NONE, |body| body.first_shape);
        self.shape_slots_from(first).map(|slot| (self.shape_id(slot), &self.colliders[slot as usize]))
    }

    /// The body that a shape is attached to.
    #[must_use]
    pub fn body_of(&self, id: ShapeId) -> Option<BodyId> {
        self.get_shape(id).map(|collider| self.body_id(collider.body))
    }

    /// What happened in the last step.
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
        &self.events
    }

    /// What the last step took and did.
    #[must_use]
    pub fn stats(&self) -> StepStats {
        self.stats
    }

    /// How many steps there have been.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.steps
    }

    /// How the world behaves as a whole.
    #[must_use]
    pub fn def(&self) -> &WorldDef {
        &self.def
    }

    /// How many bodies there are.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.body_slots.len()
    }

    /// A clock in nanoseconds, or any unit, for the stage times of [`StepStats`]. Without one they
    /// are 0: the engine itself reads no clock.
    pub fn set_clock(&mut self, clock: Option<fn() -> u64>) {
        self.clock = clock;
    }

    /// Steps and searches with other lanes than the widest of the machine. Results are the same
    /// bits.
    pub fn set_lanes(&mut self, lanes: Lanes) {
        self.grid.set_lanes(lanes);
        self.solver.set_lanes(lanes);
    }

    /// The lanes that it steps with.
    #[must_use]
    pub fn lanes(&self) -> Lanes {
        self.grid.lanes()
    }

    /// Steps on up to `count` threads, the caller's among them; 1 at first. The others are those of
    /// the rayon pool in which `step` is called. Steps come to the same bits whatever the count,
    /// and however many of the pool find time.
    ///
    /// Worlds of less than 200 awake bodies are stepped by the caller alone: it is done before
    /// others have come.
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

    pub(crate) fn body_id(&self, slot: u32) -> BodyId {
        let generation = self.body_slots.tenant(slot).unwrap_or(core::num::NonZeroU32::MIN);
        BodyId::new(slot, generation)
    }

    pub(crate) fn shape_id(&self, slot: u32) -> ShapeId {
        let generation = self.shape_slots.tenant(slot).unwrap_or(core::num::NonZeroU32::MIN);
        ShapeId::new(slot, generation)
    }

    /// The slots of shapes that hang together from `first` on.
    pub(crate) fn shape_slots_from(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |slot: &u32| Some(self.shape_links[*slot as usize].next).filter(|&slot| slot != NONE);
        core::iter::successors(Some(first).filter(|&slot| slot != NONE), next)
    }

    /// The proxies of a shape.
    pub(crate) fn proxies_of(&self, shape: u32) -> impl Iterator<Item = u32> + '_ {
        let first = Some(self.shape_links[shape as usize].first_proxy).filter(|&proxy| proxy != NONE);
        let next = |proxy: &u32| Some(self.proxies.rows[*proxy as usize].next).filter(|&proxy| proxy != NONE);
        core::iter::successors(first, next)
    }
}

impl Index<BodyId> for World {
    type Output = Body;

    /// # Panics
    /// When the body is gone; [`World::get`] does not.
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
    /// When the shape is gone; [`World::get_shape`] does not.
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
