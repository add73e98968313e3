//! Many worlds at once: thousands of small copies of one world.
//!
//! In: a world to begin from, a function that acts on each copy before a step, and a function that
//! observes it after the step. Out: columns of numbers, one number a world, to train agents or
//! sweep parameters. The columns are plain slices, which a matrix library can take as they are:
//!
//! ```text
//!                world 0   world 1   world 2
//!   column 0   [   x0        x1        x2     |
//!   column 1   |   v0        v1        v2     ]     one slice, a column behind the other
//! ```
//!
//! Worlds know nothing of each other. A thread takes some and steps each of them alone. So neither
//! the number of threads nor the other worlds change a bit of any world.

use core::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::threads::{Crew, unwatched};
use crate::world::{Workspace, World};

/// The most worlds of a batch.
const MOST_WORLDS: usize = 1 << 24;

/// Worlds that a thread takes at once: some hundred microseconds of work. So the wait for the last
/// thread is short, and one thread writes neighbours in the columns.
const WORLDS_OF_CHUNK: usize = 16;

type Act = dyn Fn(&mut World, &[f32]) -> Result<(), Error> + Send + Sync;
type Observe = dyn Fn(&World, &mut [f32]) + Send + Sync;
type Vary = dyn Fn(&mut World, u64) -> Result<(), Error> + Send + Sync;

/// Thousands of small worlds that begin as one and step together: to train an agent, to search for
/// parameters, to look at a thousand futures.
///
/// Each world takes numbers before a step (actions) and returns numbers after it (observations).
/// Three functions define their meaning:
///
/// * [`actions`](Batch::actions): applies a world's row of actions to it, before each step;
/// * [`observations`](Batch::observations): reads a world's row, after each step and each reset;
/// * [`variation`](Batch::variation): makes a world differ from the others after a reset, by its
///   seed.
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
/// stepped before.
pub struct Batch {
    start: World,
    rows: Vec<Row>,
    /// Idle workspaces, at most one for each thread that steps worlds.
    workspaces: Workspaces,
    crew: Crew,
    seed: u64,
    repeat: u32,
    act: Arc<Act>,
    observe: Arc<Observe>,
    vary: Arc<Vary>,
    actions: Vec<f32>,
    observations: Vec<f32>,
}

/// Workspaces that no thread uses at the moment.
#[derive(Default)]
struct Workspaces(Mutex<Vec<Workspace>>);

impl Workspaces {
    fn take(&self) -> Workspace {
        self.idle().pop().unwrap_or_default()
    }

    fn give(&self, workspace: Workspace) {
        self.idle().push(workspace);
    }

    /// Ignores a poisoned lock: a function of the game that panics leaves the list intact.
    fn idle(&self) -> MutexGuard<'_, Vec<Workspace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A world of a batch, with its actions and observations.
struct Row {
    world: World,
    /// How often the world was reset.
    resets: u64,
    actions: Vec<f32>,
    observations: Vec<f32>,
    /// The error that one of the functions returned in the last call.
    refused: Option<Error>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (actions, observations) = self.widths();
        f.debug_struct("Batch")
            .field("worlds", &self.rows.len())
            .field("actions", &actions)
            .field("observations", &observations)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl Batch {
    /// Makes `count` copies of a world, without actions and observations, on one thread. They have
    /// the hooks and the clock of `world`, but not its recording.
    ///
    /// # Errors
    /// No world, or more than 2^24.
    pub fn new(world: &World, count: usize) -> Result<Batch, Error> {
        if !(1..=MOST_WORLDS).contains(&count) {
            return Err(Error::BadNumber("a batch has 1 to 2^24 worlds"));
        }
        let mut start = world.clone();
        start.crew = Crew::new(1);
        start.seal();
        let row = || {
            let mut world = start.clone();
            world.share_tables(&start);
            // Takes over the seals.
            world.begin_as(&start);
            let (actions, observations) = (Vec::new(), Vec::new());
            Row { world, resets: 0, actions, observations, refused: None }
        };
        Ok(Batch {
            rows: (0..count).map(|_| row()).collect(),
            start,
            workspaces: Workspaces::default(),
            crew: Crew::new(1),
            seed: 0,
            repeat: 1,
            act: Arc::new(|_, _| Ok(())),
            observe: Arc::new(|_, _| {}),
            vary: Arc::new(|_, _| Ok(())),
            actions: Vec::new(),
            observations: Vec::new(),
        })
    }

    /// Adds `width` columns of actions, all 0 at first. Before each step `act` is called with every
    /// world and its row of actions, one number of each column.
    ///
    /// `act` must not depend on other state that changes: threads call it in any order.
    #[must_use]
    pub fn actions(
        mut self,
        width: usize,
        act: impl Fn(&mut World, &[f32]) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Batch {
        self.act = Arc::new(act);
        self.actions = vec![0.0; width.saturating_mul(self.rows.len())];
        self.rows.iter_mut().for_each(|row| row.actions = vec![0.0; width]);
        self
    }

    /// Adds `width` columns of observations. `observe` writes the row of a world, one number of
    /// each column: now, after each step, and after a reset. A row is all 0 before each call.
    #[must_use]
    pub fn observations(
        mut self,
        width: usize,
        observe: impl Fn(&World, &mut [f32]) + Send + Sync + 'static,
    ) -> Batch {
        self.observe = Arc::new(observe);
        self.observations = vec![0.0; width.saturating_mul(self.rows.len())];
        for row in &mut self.rows {
            row.observations = vec![0.0; width];
            row.observe(&*self.observe);
        }
        self.gather_observations();
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
        self.vary = Arc::new(vary);
        self
    }

    /// Sets the seed: two batches with one seed are equal.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Batch {
        self.seed = seed;
        self
    }

    /// Makes actions last for `count` steps: [`Batch::step`] steps a world so often, with the same
    /// actions before each step, before it continues with the next world. 0 counts as 1, which is
    /// the default.
    ///
    /// Agents seldom have to decide 60 times a second; and while a world stays in the cache, its
    /// later steps are quicker than the first.
    #[must_use]
    pub fn repeat(mut self, count: u32) -> Batch {
        self.repeat = count.max(1);
        self
    }

    /// Works on up to `count` threads, including the caller's; 1 by default. The others are threads
    /// of the rayon pool in which it is called. A world of a batch is stepped by one thread,
    /// whatever [`World::set_threads`] says.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn threads(mut self, count: usize) -> Batch {
        self.crew = Crew::new(count);
        self
    }

    /// Steps every world by `dt` seconds, after its actions, and reads its observations.
    /// [`Batch::repeat`] turns it into several such steps.
    ///
    /// # Errors
    /// A `dt` that [`World::step`] refuses, or an action that is not finite: then nothing changes.
    /// Or the first error, by the order of the worlds, that the function of the actions returned.
    /// In that case every world is stepped all the same, with the changes that the function made
    /// before.
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        World::check_dt(dt)?;
        if !self.actions.iter().all(|action| action.is_finite()) {
            return Err(Error::BadNumber("actions must be finite"));
        }
        let (count, repeat) = (self.rows.len(), self.repeat);
        let workspaces = &self.workspaces;
        let (act, observe, actions) = (&*self.act, &*self.observe, self.actions.as_slice());
        {
            let team = self.crew.begin(count > WORLDS_OF_CHUNK);
            team.for_chunks(&mut self.rows, WORLDS_OF_CHUNK, |first, rows| {
                unwatched();
                let mut workspace = workspaces.take();
                for index in 0..rows.len() {
                    if let Some(next) = rows.get(index + 1) {
                        next.world.prefetch_head();
                    }
                    let (number, row) = (first + index, &mut rows[index]);
                    let column = actions.iter().skip(number).step_by(count);
                    row.actions.iter_mut().zip(column).for_each(|(action, &given)| *action = given);
                    row.world.prefetch();
                    row.world.borrow_workspace(&mut workspace);
                    let refusals = (0..repeat).map(|_| {
                        let acted = act(&mut row.world, &row.actions);
                        row.world.step(dt).err().or(acted.err())
                    });
                    row.refused = refusals.fold(None, Option::or);
                    row.world.return_workspace(&mut workspace);
                    row.observe(observe);
                }
                workspaces.give(workspace);
            });
        }
        self.gather_observations();
        self.first_refusal()
    }

    /// Resets the worlds whose place in `mask` is true to the beginning, varied by their next seed.
    /// Reads their observations; the other worlds continue undisturbed.
    ///
    /// # Errors
    /// A mask of another length than the number of worlds: then nothing changes. Or the first
    /// error, by the order of the worlds, of the function that varies them.
    pub fn reset(&mut self, mask: &[bool]) -> Result<(), Error> {
        if mask.len() != self.rows.len() {
            return Err(Error::BadNumber("a mask has a place for each world of the batch"));
        }
        self.reset_those(|number| mask[number])
    }

    /// Resets all worlds: see [`Batch::reset`].
    ///
    /// # Errors
    /// The first error, by the order of the worlds, of the function that varies them.
    pub fn reset_all(&mut self) -> Result<(), Error> {
        self.reset_those(|_| true)
    }

    fn reset_those(&mut self, wanted: impl Fn(usize) -> bool + Sync) -> Result<(), Error> {
        let (start, seed, vary, observe) = (&self.start, self.seed, &*self.vary, &*self.observe);
        let count = (0..self.rows.len()).filter(|&number| wanted(number)).count();
        {
            let team = self.crew.begin(count > WORLDS_OF_CHUNK);
            team.for_chunks(&mut self.rows, WORLDS_OF_CHUNK, |first, rows| {
                unwatched();
                for (number, row) in (first..).zip(rows) {
                    row.refused = None;
                    if wanted(number) {
                        row.resets += 1;
                        row.world.begin_as(start);
                        row.refused = vary(&mut row.world, seed_of(seed, number, row.resets)).err();
                        row.observe(observe);
                    }
                }
            });
        }
        self.gather_observations();
        self.first_refusal()
    }

    /// Returns all columns of actions, to be written, and all columns of observations: one slice
    /// each, a column behind the other, as in the picture above. A column has a number for each
    /// world.
    pub fn columns(&mut self) -> (&mut [f32], &[f32]) {
        (&mut self.actions, &self.observations)
    }

    /// Returns a column of actions, one number a world; empty if there is no such column.
    pub fn action_mut(&mut self, column: usize) -> &mut [f32] {
        self.actions.chunks_exact_mut(self.rows.len()).nth(column).unwrap_or_default()
    }

    /// Returns a column of observations, one number a world; empty if there is no such column.
    #[must_use]
    pub fn observation(&self, column: usize) -> &[f32] {
        self.observations.chunks_exact(self.rows.len()).nth(column).unwrap_or_default()
    }

    /// Returns one of the worlds, to look at or to draw.
    #[must_use]
    pub fn world(&self, number: usize) -> Option<&World> {
        self.rows.get(number).map(|row| &row.world)
    }

    /// Returns how many worlds there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a batch has a world at least")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the seed by which a world was varied last: 64 bits that depend on the seed of the
    /// batch, the number of the world, and how often it was reset.
    #[must_use]
    pub fn seed_of(&self, number: usize) -> Option<u64> {
        self.rows.get(number).map(|row| seed_of(self.seed, number, row.resets))
    }

    /// Returns how many columns of actions and observations there are.
    fn widths(&self) -> (usize, usize) {
        (self.actions.len() / self.rows.len(), self.observations.len() / self.rows.len())
    }

    /// Copies rows into columns.
    fn gather_observations(&mut self) {
        let count = self.rows.len();
        for (number, row) in self.rows.iter().enumerate() {
            let column = self.observations.iter_mut().skip(number).step_by(count);
            column.zip(&row.observations).for_each(|(place, &seen)| *place = seen);
        }
    }

    fn first_refusal(&self) -> Result<(), Error> {
        self.rows.iter().find_map(|row| row.refused).map_or(Ok(()), Err)
    }
}

impl Row {
    fn observe(&mut self, observe: &Observe) {
        self.observations.fill(0.0);
        observe(&self.world, &mut self.observations);
    }
}

/// Mixes three numbers into 64 bits; each bit depends on all three: SplitMix64 over them.
fn seed_of(seed: u64, number: usize, resets: u64) -> u64 {
    [number as u64, resets].into_iter().fold(mix(seed), |sum, part| mix(sum ^ part))
}

fn mix(bits: u64) -> u64 {
    let mut z = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
