//! Many worlds at once: thousands of small copies of one world, or of several.
//!
//! In: a world to begin from; actions on each copy before a step, and observations of it after the
//! step, as data or as functions. Out: columns of numbers, one number a world, to train agents or
//! sweep parameters. The columns are plain slices, which a matrix library can take as they are:
//!
//! ```text
//!                world 0   world 1   world 2
//!   column 0      x0        x1        x2
//!   column 1      v0        v1        v2            one slice: x0 x1 x2 v0 v1 v2
//! ```
//!
//! Worlds know nothing of each other. A thread takes some and steps each of them alone. So neither
//! the number of threads nor the other worlds change a bit of any world.
//!
//! ```text
//!   here        a batch, and its options   spec/       actions, observations, … as data
//!   row.rs      one world: step, end, begin    columns.rs  the numbers of all worlds
//!   step.rs     steps of all, or of some       reset.rs    resets, and their seeds
//!   state.rs    a world as bytes, and back     seed.rs     numbers drawn from a seed
//!   threads.rs  the threads that step the worlds
//! ```

mod columns;
mod reset;
mod row;
mod seed;
mod spec;
mod state;
mod step;
mod threads;

use core::fmt;
use std::sync::Arc;

pub use columns::BatchLayout;
pub use spec::{Action, End, Observation, Spec, SpecError, Variation};

use crate::error::Error;
use crate::threads::Crew;
use crate::world::World;
use columns::Memory;
use row::{Row, Rules, Workspaces};
use spec::Plan;
use threads::Threads;

/// The most worlds of a batch.
const MOST_WORLDS: usize = 1 << 24;

/// Thousands of small worlds that begin as one and step together: to train an agent, to search for
/// parameters, to look at a thousand futures.
///
/// Each world takes numbers before a step (actions) and returns numbers after it (observations).
/// A [`Spec`] defines their meaning as data, see [`Batch::spec`]; or four functions do:
///
/// * [`actions`](Batch::actions): applies a world's row of actions to it, before each step;
/// * [`observations`](Batch::observations): reads a world's row, after each step and each reset;
/// * [`variation`](Batch::variation): makes a world differ from the others after a reset, by its
///   seed;
/// * [`ends`](Batch::ends): tells whether the episode of a world is over, after each step.
///
/// ```
/// use carom::Batch;
/// use carom::prelude::*;
///
/// // A puck on ice, to be pushed to x = 0 from wherever it begins.
/// let mut world = World::new(WorldDef::default().gravity([0.0, 0.0]).sleepless());
/// let puck = world.add(BodyDef::dynamic().shape(ShapeDef::from(Shape::circle(0.1)).mass(1.0)))?;
///
/// let mut batch = Batch::new(&world, 100)?
///     .seed(7)
///     .variation(move |world, seed| world.teleport(puck, [(seed % 5) as f32 - 2.0, 0.0], None))
///     .actions(1, move |world, push| world.apply_force(puck, [push[0], 0.0]))
///     .observations(2, move |world, seen| {
///         seen[0] = world[puck].position().x;
///         seen[1] = world[puck].velocity().x;
///     });
/// batch.reset_all()?;
/// for _ in 0..600 {
///     let worlds = batch.len();
///     let (actions, seen) = batch.columns();
///     let (x, v) = seen.split_at(worlds);
///     for (push, (x, v)) in actions.iter_mut().zip(x.iter().zip(v)) {
///         *push = -4.0 * x - 4.0 * v; // one policy for all
///     }
///     batch.step(1.0 / 60.0)?;
/// }
/// assert!(batch.observation(0).iter().all(|x| x.abs() < 1e-3));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// # Equal bits
///
/// A world of a batch continues as a clone of it would alone: the same calls give the same bits,
/// for any number of threads, whatever the other worlds do.
///
/// # Cost
///
/// A batch takes the memory of as many worlds, except the workspace of a step (the solver, its
/// blocks and columns). Each thread has one workspace, in which it steps its worlds one after the
/// other. Only worlds whose joints form loops have their own. Gathering and writing columns takes a
/// few nanoseconds a number. Once every world has reached its sizes, resets do not allocate. Steps
/// allocate only the message that starts each thread, and memory for joints: the first step after a
/// reset lists the joints, and lays them out anew if they differ from the joints of the world
/// stepped before. A variation of density, friction or restitution allocates a piece of memory for
/// each shape.
pub struct Batch {
    core: Core,
    memory: Memory,
}

/// All of a batch but its matrices.
struct Core {
    starts: Vec<World>,
    rows: Vec<Row>,
    workspaces: Workspaces,
    threads: Threads,
    rules: Rules,
    /// The worlds of a list.
    marks: Vec<bool>,
}

/// The reset of worlds whose episode has ended, in the words of Gymnasium.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutoReset {
    /// Nothing: the next step continues it, until [`Batch::reset`].
    #[default]
    Never,
    /// The step that ends it resets it: observations show the next episode, and
    /// [`Batch::final_observations`] the end of the last one.
    SameStep,
    /// The next step resets it in place of a step, without regard to its actions. Until then
    /// observations show the end.
    NextStep,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (actions, observations) = self.core.widths();
        f.debug_struct("Batch")
            .field("worlds", &self.core.rows.len())
            .field("actions", &actions)
            .field("observations", &observations)
            .field("seed", &self.core.rules.seed)
            .finish_non_exhaustive()
    }
}

impl Batch {
    /// In [`Batch::ended`]: the episode of the world goes on.
    pub const RUNS: i32 = -1;

    /// In [`Batch::ended`]: the episode came to its limit of steps.
    pub const STEP_LIMIT: i32 = i32::MAX;

    /// Makes `count` copies of a world, without actions and observations, on one thread. They have
    /// the hooks and the clock of `world`, but not its recording.
    ///
    /// # Errors
    /// No world, or more than 2^24.
    pub fn new(world: &World, count: usize) -> Result<Batch, Error> {
        Batch::from_starts(core::slice::from_ref(world), count)
    }

    /// Makes `count` worlds that begin as several start worlds: world k as start k, the first start
    /// following the last one. [`Batch::set_start`] chooses another one.
    ///
    /// Ids of a [`Spec`] must name the same things in all starts: add the bodies and joints that
    /// all of them have first, and in the same order.
    ///
    /// ```
    /// use carom::prelude::*;
    /// use carom::{Batch, Observation, Spec};
    ///
    /// let level = |slope: f32| -> Result<(World, BodyId), carom::Error> {
    ///     let mut world = World::default();
    ///     let ball = world.add(BodyDef::dynamic().at([0.0, 2.0]).shape(Shape::circle(0.5)))?;
    ///     world.add(BodyDef::fixed().angle(slope).shape(Shape::rect(40.0, 1.0)))?;
    ///     Ok((world, ball))
    /// };
    /// let (flat, ball) = level(0.0)?;
    /// let (steep, _) = level(-0.5)?;
    /// let spec = Spec::new().observation(Observation::position(ball).only_x());
    /// let mut batch = Batch::from_starts(&[flat, steep], 6)?.spec(&spec)?;
    /// (0..60).try_for_each(|_| batch.step(1.0 / 60.0))?;
    /// assert!(batch.observation(0)[4].abs() < 0.01 && batch.observation(0)[5] > 0.1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// No start; or no world, or more than 2^24.
    pub fn from_starts(starts: &[World], count: usize) -> Result<Batch, Error> {
        if starts.is_empty() {
            return Err(Error::BadNumber("a batch has a start world at least"));
        }
        if !(1..=MOST_WORLDS).contains(&count) {
            return Err(Error::BadNumber("a batch has 1 to 2^24 worlds"));
        }
        let mut starts = starts.to_vec();
        for start in &mut starts {
            start.crew = Crew::new(1);
            // Copies then need not do it: the first rays of each episode allocated.
            start.prepare_queries();
            start.seal();
        }
        let core = Core {
            rows: (0..count).map(|number| Row::new(&starts, number % starts.len())).collect(),
            starts,
            workspaces: Workspaces::default(),
            threads: Threads::one(),
            rules: Rules::default(),
            marks: Vec::new(),
        };
        let mut batch = Batch { core, memory: Memory::default() };
        batch.fit();
        Ok(batch)
    }

    /// Defines actions, observations, variations and ends as data, in place of earlier definitions.
    ///
    /// # Errors
    /// [`Error::Spec`] with the first field that is wrong for one of the start worlds.
    pub fn spec(mut self, spec: &Spec) -> Result<Batch, Error> {
        self.core.starts.iter().try_for_each(|start| spec.check(start))?;
        let plan = Arc::new(Plan::of(spec));
        self.core.rules.step_limit = plan.step_limit.or(self.core.rules.step_limit);
        let (actions, observations) = plan.widths();
        let [act, observe, vary, end] = core::array::from_fn(|_| Arc::clone(&plan));
        let batch = self
            .actions(actions, move |world, row| act.act(world, row))
            .observations(observations, move |world, row| observe.observe(world, row))
            .variation(move |world, seed| vary.vary(world, seed));
        Ok(if plan.has_ends() { batch.ends(move |world| end.end(world)) } else { batch.without_ends() })
    }

    fn without_ends(mut self) -> Batch {
        self.core.rules.ends = None;
        self
    }

    /// Defines `width` columns of actions, all 0 at first. Before each step `act` is called with
    /// every world and its row of actions, one number of each column.
    ///
    /// `act` must not depend on other state that changes: threads call it in any order.
    #[must_use]
    pub fn actions(
        mut self,
        width: usize,
        act: impl Fn(&mut World, &[f32]) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Batch {
        self.core.rules.act = Arc::new(act);
        self.core.rows.iter_mut().for_each(|row| row.actions = vec![0.0; width]);
        self.fit();
        self
    }

    /// Defines `width` columns of observations. `observe` writes the row of a world, one number of
    /// each column: now, after each step, and after a reset. A row is all 0 before each call.
    #[must_use]
    pub fn observations(
        mut self,
        width: usize,
        observe: impl Fn(&World, &mut [f32]) + Send + Sync + 'static,
    ) -> Batch {
        self.core.rules.observe = Arc::new(observe);
        let Core { rows, rules, .. } = &mut self.core;
        for row in rows {
            row.observations = vec![0.0; width];
            row.observe(rules);
        }
        self.fit();
        self
    }

    /// Makes worlds differ: after a reset `vary` is called with the world and its
    /// [seed](Batch::seed_of), and may move, turn, weigh or paint its bodies. The first reset
    /// varies worlds for the first time.
    #[must_use]
    pub fn variation(
        mut self,
        vary: impl Fn(&mut World, u64) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Batch {
        self.core.rules.vary = Arc::new(vary);
        self
    }

    /// Makes episodes end: after each step `ends` returns the number of the end that a world has
    /// reached, or `None`. See [`Batch::ended`].
    #[must_use]
    pub fn ends(mut self, ends: impl Fn(&World) -> Option<u32> + Send + Sync + 'static) -> Batch {
        self.core.rules.ends = Some(Arc::new(ends));
        self
    }

    /// Ends episodes after so many calls of [`Batch::step`] since the last reset, if nothing else
    /// does; 0 counts as 1. See [`Batch::truncated`].
    #[must_use]
    pub fn step_limit(mut self, steps: u32) -> Batch {
        self.core.rules.step_limit = Some(steps.max(1));
        self
    }

    /// Chooses whether worlds whose episode has ended are reset by a step.
    #[must_use]
    pub fn auto_reset(mut self, auto_reset: AutoReset) -> Batch {
        self.core.rules.auto_reset = auto_reset;
        self.fit();
        self
    }

    /// Chooses how actions and observations lie in memory; the actions are 0 afterwards.
    #[must_use]
    pub fn layout(mut self, layout: BatchLayout) -> Batch {
        self.memory.layout = layout;
        self.fit();
        self
    }

    /// Sets the seed: equal batches with equal seeds draw equal numbers.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Batch {
        self.core.rules.seed = seed;
        self
    }

    /// Makes actions last for `count` steps: [`Batch::step`] steps a world so often, with the same
    /// actions before each step, before it continues with the next world. 0 counts as 1, which is
    /// the default. A world whose episode ends is not stepped further.
    ///
    /// Agents seldom have to decide 60 times a second; and while a world stays in the cache, its
    /// later steps are quicker than the first.
    #[must_use]
    pub fn repeat(mut self, count: u32) -> Batch {
        self.core.rules.repeat = count.max(1);
        self
    }

    /// Works on up to `count` threads, including the caller's; 1 by default. The others are threads
    /// of the rayon pool in which it is called. A world of a batch is stepped by one thread,
    /// whatever [`World::set_threads`] says.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn threads(mut self, count: usize) -> Batch {
        self.core.threads = Threads::of_caller(count);
        self
    }

    /// Works on `count` threads of a new pool of its own, up to 64, while the caller waits.
    ///
    /// # Errors
    /// A system that does not start so many threads.
    #[cfg(feature = "parallel")]
    pub fn own_threads(mut self, count: usize) -> Result<Batch, Error> {
        let threads = Threads::own(count);
        self.core.threads = threads.ok_or(Error::BadNumber("the system must start so many threads"))?;
        Ok(self)
    }

    /// Returns how many worlds there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a batch has a world at least")]
    pub fn len(&self) -> usize {
        self.core.rows.len()
    }
}
