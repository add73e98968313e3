//! A world of a batch: how it begins, steps and ends.
//!
//! In: the rules of the batch, the start worlds, and a row of actions. Out: a row of observations,
//! and how the episode ended, if it did.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::seed::seed_of;
use super::{AutoReset, Batch};
use crate::error::Error;
use crate::threads::Crew;
use crate::world::{Workspace, World};

pub(super) type Act = dyn Fn(&mut World, &[f32]) -> Result<(), Error> + Send + Sync;
pub(super) type Observe = dyn Fn(&World, &mut [f32]) + Send + Sync;
pub(super) type Vary = dyn Fn(&mut World, u64) -> Result<(), Error> + Send + Sync;
pub(super) type Ends = dyn Fn(&World) -> Option<u32> + Send + Sync;

/// The functions and options that all worlds of a batch share.
pub(super) struct Rules {
    pub(super) seed: u64,
    pub(super) repeat: u32,
    pub(super) act: Arc<Act>,
    pub(super) observe: Arc<Observe>,
    pub(super) vary: Arc<Vary>,
    /// `None` for worlds that never end: then no step asks.
    pub(super) ends: Option<Arc<Ends>>,
    pub(super) step_limit: Option<u32>,
    pub(super) auto_reset: AutoReset,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            seed: 0,
            repeat: 1,
            act: Arc::new(|_, _| Ok(())),
            observe: Arc::new(|_, _| {}),
            vary: Arc::new(|_, _| Ok(())),
            ends: None,
            step_limit: None,
            auto_reset: AutoReset::Never,
        }
    }
}

/// Workspaces that no thread uses at the moment; at most one for each thread that steps worlds.
#[derive(Default)]
pub(super) struct Workspaces(Mutex<Vec<Workspace>>);

impl Workspaces {
    pub(super) fn take(&self) -> Workspace {
        self.idle().pop().unwrap_or_default()
    }

    pub(super) fn give(&self, workspace: Workspace) {
        self.idle().push(workspace);
    }

    /// Ignores a poisoned lock: a function of the game that panics leaves the list intact.
    fn idle(&self) -> MutexGuard<'_, Vec<Workspace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A world of a batch, with its actions and observations.
pub(super) struct Row {
    pub(super) world: World,
    /// The start world that it began as, and its next start world.
    pub(super) start: u32,
    pub(super) next_start: u32,
    /// How often the world was reset.
    pub(super) resets: u64,
    /// Calls of `step` since.
    pub(super) steps: u32,
    /// The end that the last step reached, or [`Batch::RUNS`], or [`Batch::STEP_LIMIT`].
    pub(super) ended: i32,
    /// Whether the next step resets it.
    pub(super) waits: bool,
    /// Whether the program had the world in its hands.
    pub(super) is_lent: bool,
    pub(super) actions: Vec<f32>,
    pub(super) observations: Vec<f32>,
    /// The observations at the last end, where worlds are reset automatically.
    pub(super) last: Vec<f32>,
    /// The error that one of the functions returned in the last call.
    pub(super) refused: Option<Error>,
}

impl Row {
    /// A copy of a start world.
    pub(super) fn new(starts: &[World], start: usize) -> Row {
        let mut world = starts[start].clone();
        world.share_tables(&starts[start]);
        // Takes over the seals.
        world.begin_as(&starts[start]);
        Row {
            world,
            start: start as u32,
            next_start: start as u32,
            resets: 0,
            steps: 0,
            ended: Batch::RUNS,
            waits: false,
            is_lent: false,
            actions: Vec::new(),
            observations: Vec::new(),
            last: Vec::new(),
            refused: None,
        }
    }

    /// Resets the world, varies it by its next seed, and reads its observations.
    pub(super) fn begin(&mut self, number: usize, rules: &Rules, starts: &[World]) {
        let start = &starts[self.next_start as usize];
        self.start = self.next_start;
        (self.steps, self.ended, self.waits) = (0, Batch::RUNS, false);
        self.resets += 1;
        let (new, old) = (start.def(), self.world.def());
        if (new.unit, new.period) != (old.unit, old.period) {
            self.world.put_def(*start.def());
        }
        self.world.begin_as(start);
        let varied = (rules.vary)(&mut self.world, seed_of(rules.seed, number, self.resets));
        self.refused = self.refused.or(varied.err());
        self.observe(rules);
    }

    /// Steps the world, or resets it if it waits for that.
    pub(super) fn step(
        &mut self,
        dt: f32,
        number: usize,
        (rules, starts): (&Rules, &[World]),
        workspace: &mut Workspace,
    ) {
        if self.waits {
            return self.begin(number, rules, starts);
        }
        if self.is_lent {
            // One thread steps it, whatever the program has set.
            self.world.crew = Crew::new(1);
            self.is_lent = false;
        }
        self.world.prefetch();
        self.world.borrow_workspace(workspace);
        let mut end = None;
        for _ in 0..rules.repeat {
            let acted = (rules.act)(&mut self.world, &self.actions);
            let stepped = self.world.step(dt);
            self.refused = self.refused.or(acted.err()).or(stepped.err());
            end = rules.ends.as_ref().and_then(|ends| ends(&self.world));
            if end.is_some() {
                break;
            }
        }
        self.world.return_workspace(workspace);
        self.steps = self.steps.saturating_add(1);
        self.ended = match end {
            Some(end) => end.min(Batch::STEP_LIMIT as u32 - 1) as i32,
            None if rules.step_limit.is_some_and(|limit| self.steps >= limit) => Batch::STEP_LIMIT,
            None => Batch::RUNS,
        };
        self.observe(rules);
        if self.ended != Batch::RUNS {
            self.finish(number, rules, starts);
        }
    }

    /// Keeps the final observations of an episode, and begins the next one.
    fn finish(&mut self, number: usize, rules: &Rules, starts: &[World]) {
        if rules.auto_reset == AutoReset::Never {
            return;
        }
        self.last.copy_from_slice(&self.observations);
        if rules.auto_reset == AutoReset::NextStep {
            self.waits = true;
        } else {
            let ended = self.ended;
            self.begin(number, rules, starts);
            self.ended = ended;
        }
    }

    /// Reads its observations.
    pub(super) fn observe(&mut self, rules: &Rules) {
        self.observations.fill(0.0);
        (rules.observe)(&self.world, &mut self.observations);
    }
}
