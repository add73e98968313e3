//! Many worlds at once: thousands of small ones, made of one.
//!
//! In: a world to begin from, what is done to each copy before a step, and what is read of it
//! after. Out: columns of numbers, one a world, for what trains agents or sweeps parameters. The
//! columns are plain slices, so that a matrix library takes them as they are:
//!
//! ```text
//!                world 0   world 1   world 2
//!   column 0   [   x0        x1        x2     |
//!   column 1   |   v0        v1        v2     ]     one slice, a column behind the other
//! ```
//!
//! Worlds know nothing of each other. A thread takes some and steps each of them alone, so neither
//! the number of threads nor the other worlds change a bit of any.

use core::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::threads::{Crew, unwatched};
use crate::world::{Workspace, World};

/// Most worlds of a batch.
const MOST_WORLDS: usize = 1 << 24;

/// Worlds that a thread takes at once: some hundred microseconds of work, so that the last one to
/// end is not waited for long, and neighbours in the columns are written by one thread.
const WORLDS_OF_CHUNK: usize = 16;

type Act = dyn Fn(&mut World, &[f32]) -> Result<(), Error> + Send + Sync;
type Observe = dyn Fn(&World, &mut [f32]) + Send + Sync;
type Vary = dyn Fn(&mut World, u64) -> Result<(), Error> + Send + Sync;

/// Thousands of small worlds that begin as one and step together: to train an agent, to search for
/// parameters, to look at a thousand futures.
///
/// Each world is given numbers before a step (actions) and tells numbers after it (observations).
/// What they mean is up to three functions:
///
/// * [`actions`](Batch::actions): what a world's row of actions does to it, before each step;
/// * [`observations`](Batch::observations): what is read of it, after each step and each reset;
/// * [`variation`](Batch::variation): how a world differs from the others after a reset, by its
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
/// # The same bits
///
/// A world of a batch goes on as a clone of it would alone: by the same calls it comes to the same
/// bits, for any number of threads, whatever the other worlds do.
///
/// # What it costs
///
/// A batch is as many worlds, but for what a step works in (the solver, its blocks and columns):
/// of that each thread has one, in which it steps its worlds one after the other. Only worlds whose
/// joints form loops have their own. Columns are gathered and written for a few nanoseconds a
/// number. Resets allocate nothing once every world has reached its sizes, and steps neither, but
/// for the note by which each thread is called, and for joints: the first step after a reset lists
/// them, and lays them out anew if they are others than those of the world before.
pub struct Batch {
    start: World,
    rows: Vec<Row>,
    /// One for each thread that steps worlds.
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

/// Workspaces that no thread steps worlds in at the moment.
#[derive(Default)]
struct Workspaces(Mutex<Vec<Workspace>>);

impl Workspaces {
    fn take(&self) -> Workspace {
        self.idle().pop().unwrap_or_default()
    }

    fn give(&self, workspace: Workspace) {
        self.idle().push(workspace);
    }

    /// A function of the game that panics leaves the list as it is.
    fn idle(&self) -> MutexGuard<'_, Vec<Workspace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A world of a batch, with what it is given and tells.
struct Row {
    world: World,
    /// How often it was reset.
    resets: u64,
    actions: Vec<f32>,
    observations: Vec<f32>,
    /// What one of the functions was refused in the last call.
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
    /// `count` worlds that go on as this one; without actions and observations, on one thread.
    /// Hooks and clock are those of `world`; what it records is not theirs.
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
            // It takes over the seals.
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

    /// With `width` columns of actions, all 0 at first. Before each step `act` is called with every
    /// world and its row of them, one number of each column.
    ///
    /// It must not depend on anything else that changes: threads call it in any order.
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

    /// With `width` columns of observations. `observe` writes the row of a world, one number of
    /// each column: now, after each step, and after a reset. A row is all 0 when it begins to
    /// write.
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

    /// With worlds that differ: after a reset `vary` is called with the world and its
    /// [seed](Batch::seed_of), to move, turn, weigh or paint what is in it. Worlds are varied for
    /// the first time by the first reset.
    #[must_use]
    pub fn variation(
        mut self,
        vary: impl Fn(&mut World, u64) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Batch {
        self.vary = Arc::new(vary);
        self
    }

    /// With other seeds: two batches of one seed are the same.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Batch {
        self.seed = seed;
        self
    }

    /// With actions that last for `count` steps: [`Batch::step`] makes so many of a world, with the
    /// same actions before each, and then goes on to the next world. 0 counts as 1, as it is at
    /// first.
    ///
    /// Agents seldom have to decide 60 times a second; and while a world stays in the cache, the
    /// next steps of it are quicker than the first.
    #[must_use]
    pub fn repeat(mut self, count: u32) -> Batch {
        self.repeat = count.max(1);
        self
    }

    /// Works on up to `count` threads, the caller's among them; 1 at first. The others are those of
    /// the rayon pool in which it is called. A world of a batch is stepped by one thread, whatever
    /// [`World::set_threads`] says.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn threads(mut self, count: usize) -> Batch {
        self.crew = Crew::new(count);
        self
    }

    /// Moves every world by `dt` seconds, after its actions, and reads its observations.
    /// [`Batch::repeat`] makes it several such steps.
    ///
    /// # Errors
    /// A `dt` that [`World::step`] refuses, or an action that is not finite: nothing is changed
    /// then. Or the first error, by the order of the worlds, that the function of the actions gave;
    /// every world is stepped all the same, with what the function did before.
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

    /// Brings back the worlds whose place in `mask` is true: as they began, varied by their next
    /// seed. Reads their observations; the others go on undisturbed.
    ///
    /// # Errors
    /// A mask that is not as long as there are worlds: nothing is changed then. Or the first error,
    /// by the order of the worlds, of the function that varies them.
    pub fn reset(&mut self, mask: &[bool]) -> Result<(), Error> {
        if mask.len() != self.rows.len() {
            return Err(Error::BadNumber("a mask has a place for each world of the batch"));
        }
        self.reset_those(|number| mask[number])
    }

    /// Brings back all worlds: see [`Batch::reset`].
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

    /// All columns of actions, to be written, and all of observations: one slice each, a column
    /// behind the other, as in the picture above. A column is as long as there are worlds.
    pub fn columns(&mut self) -> (&mut [f32], &[f32]) {
        (&mut self.actions, &self.observations)
    }

    /// A column of actions, one number a world; empty if there is no such column.
    pub fn action_mut(&mut self, column: usize) -> &mut [f32] {
        self.actions.chunks_exact_mut(self.rows.len()).nth(column).unwrap_or_default()
    }

    /// A column of observations, one number a world; empty if there is no such column.
    #[must_use]
    pub fn observation(&self, column: usize) -> &[f32] {
        self.observations.chunks_exact(self.rows.len()).nth(column).unwrap_or_default()
    }

    /// One of the worlds, to look at or to draw.
    #[must_use]
    pub fn world(&self, number: usize) -> Option<&World> {
        self.rows.get(number).map(|row| &row.world)
    }

    /// How many worlds there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a batch has a world at least")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The seed by which a world was varied last: 64 bits that depend on the seed of the batch, the
    /// number of the world, and how often it was reset.
    #[must_use]
    pub fn seed_of(&self, number: usize) -> Option<u64> {
        self.rows.get(number).map(|row| seed_of(self.seed, number, row.resets))
    }

    /// How many columns of actions and observations there are.
    fn widths(&self) -> (usize, usize) {
        (self.actions.len() / self.rows.len(), self.observations.len() / self.rows.len())
    }

    /// Rows into columns.
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

/// Three numbers in 64 bits, each bit of which depends on all of theirs: SplitMix64 over the three.
fn seed_of(seed: u64, number: usize, resets: u64) -> u64 {
    [number as u64, resets].into_iter().fold(mix(seed), |sum, part| mix(sum ^ part))
}

fn mix(bits: u64) -> u64 {
    let mut z = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
