//! Actions, observations, variations and ends as data.
//!
//! In: bodies and joints of the start world, and plain numbers. Out: a [`Spec`], which a batch
//! checks against its start worlds and then runs, without a function of the program.
//!
//! ```text
//!   action.rs       columns that act on a world         before each step
//!   observation.rs  columns that show a world           after each step and reset
//!   reading.rs      reads them; contacts.rs             touches without a list
//!   variation.rs    ranges to draw from                 after a reset
//!   end.rs          conditions that end an episode      after each step
//!   error.rs        the field that is wrong
//! ```

mod action;
mod contacts;
mod end;
mod error;
mod observation;
mod reading;
mod variation;

use core::fmt::Display;

pub use action::Action;
pub use end::End;
pub use error::SpecError;
pub use observation::Observation;
pub use variation::Variation;

use super::seed::Draws;
use action::ActionRun;
use error::{Fault, Field, Item, Rule, of_item};
use observation::ObservationRun;

use crate::error::Error;
use crate::world::World;

/// Actions, observations, variations and ends of the worlds of a [`Batch`](crate::Batch), as data:
/// it can be read from a file, or be written in another language.
///
/// Ids name bodies and joints of the start world. Each action is one column, each observation one
/// or several; in the order in which they were added.
///
/// ```
/// use carom::prelude::*;
/// use carom::{Action, AutoReset, Batch, End, Observation, Spec, Variation};
///
/// // A cart on a rail, and a pole 1 m long that is hinged to it.
/// let mut world = World::new(WorldDef::default().sleepless());
/// let [cart, pole] = [Shape::rect(0.6, 0.3), Shape::rect(0.06, 1.0)].map(ShapeDef::from);
/// let cart = world.add(BodyDef::dynamic().shape(cart.mass(1.0)))?;
/// let pole = world.add(BodyDef::dynamic().at([0.0, 0.5]).shape(pole.mass(0.1)))?;
/// world.add_joint(JointDef::prismatic(None, cart, [1.0, 0.0]))?;
/// world.add_joint(JointDef::revolute(cart, pole).at([0.0, 0.0]))?;
///
/// let spec = Spec::new()
///     .action(Action::force(cart, [1.0, 0.0]).range(-1.0, 1.0).scale(30.0).name("push"))
///     .observation(Observation::position(cart).only_x().name("x"))
///     .observation(Observation::velocity(cart).only_x().name("v"))
///     .observation(Observation::angle(pole).name("angle"))
///     .observation(Observation::spin(pole).name("spin"))
///     .variation(Variation::angle(pole, -0.05, 0.05).about([0.0, -0.5]))
///     .end(End::outside(cart, [-2.4, -1.0], [2.4, 1.0]))
///     .end(End::angle_beyond(pole, 0.3))
///     .step_limit(500);
/// assert_eq!(spec.observation_names(), ["x", "v", "angle", "spin"]);
///
/// let mut batch = Batch::new(&world, 64)?.seed(7).spec(&spec)?.auto_reset(AutoReset::SameStep);
/// batch.reset_all()?;
/// let mut stood = [0; 64];
/// for _ in 0..500 {
///     let (pushes, seen) = batch.columns();
///     let [x, v, angle, spin] = [0, 1, 2, 3].map(|column| &seen[64 * column..64 * (column + 1)]);
///     for k in 0..64 {
///         pushes[k] = 0.05 * x[k] + 0.1 * v[k] - 1.0 * angle[k] - 0.2 * spin[k];
///     }
///     batch.step(1.0 / 50.0)?;
///     for (steps, &fell) in stood.iter_mut().zip(batch.terminated()) {
///         *steps += i32::from(!fell);
///     }
/// }
/// assert_eq!(stood, [500; 64]); // no pole fell
/// assert!(batch.truncated().iter().all(|&is_over| is_over)); // all came to the limit of steps
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    actions: Vec<Action>,
    observations: Vec<Observation>,
    variations: Vec<Variation>,
    ends: Vec<End>,
    step_limit: Option<u32>,
}

impl Spec {
    /// A spec without columns, variations and ends.
    #[must_use]
    pub fn new() -> Spec {
        Spec::default()
    }

    /// Adds an action: a column of numbers.
    #[must_use]
    pub fn action(mut self, action: Action) -> Spec {
        self.actions.push(action);
        self
    }

    /// Adds an observation: one or several columns of numbers.
    #[must_use]
    pub fn observation(mut self, observation: Observation) -> Spec {
        self.observations.push(observation);
        self
    }

    /// Adds a range to draw from at each reset.
    #[must_use]
    pub fn variation(mut self, variation: Variation) -> Spec {
        self.variations.push(variation);
        self
    }

    /// Adds a condition that ends an episode.
    #[must_use]
    pub fn end(mut self, end: End) -> Spec {
        self.ends.push(end);
        self
    }

    /// Ends an episode after so many calls of [`Batch::step`](crate::Batch::step), if nothing else
    /// does: see [`Batch::truncated`](crate::Batch::truncated).
    #[must_use]
    pub fn step_limit(mut self, steps: u32) -> Spec {
        self.step_limit = Some(steps);
        self
    }

    /// The name of each column of actions: the name given by [`Action::name`], or the id of the
    /// body or joint and the effect, as `body#1v1.force`.
    #[must_use]
    pub fn action_names(&self) -> Vec<String> {
        self.actions.iter().map(Action::title).collect()
    }

    /// The least and the greatest number of each column of actions that make a difference: see
    /// [`Action::range`].
    #[must_use]
    pub fn action_ranges(&self) -> Vec<[f32; 2]> {
        self.actions.iter().map(Action::bounds).collect()
    }

    /// The name of each column of observations: the name given by [`Observation::name`], or the id
    /// of the body or joint and the quantity, as `body#1v1.position.x`.
    #[must_use]
    pub fn observation_names(&self) -> Vec<String> {
        self.observations.iter().flat_map(Observation::titles).collect()
    }

    /// The name of each end: the name given by [`End::name`], or the id of the body and the
    /// condition, as `body#1v1.outside`.
    #[must_use]
    pub fn end_names(&self) -> Vec<String> {
        self.ends.iter().map(End::title).collect()
    }

    /// Whether a world has all bodies and joints that are named, and all numbers are in range.
    ///
    /// # Errors
    /// The first field that is wrong, by actions, observations, variations, ends.
    pub fn check(&self, world: &World) -> Result<(), SpecError> {
        each(Item::Action, &self.actions, |action| action.check(world))?;
        each(Item::Observation, &self.observations, |observation| observation.check(world))?;
        each(Item::Variation, &self.variations, |variation| variation.check(world))?;
        each(Item::End, &self.ends, |end| end.check(world))?;
        match self.step_limit {
            Some(0) => Err(of_item(Item::Spec, 0, (Field::StepLimit, Rule::Zero))),
            _ => Ok(()),
        }
    }
}

fn each<T>(item: Item, list: &[T], check: impl Fn(&T) -> Result<(), Fault>) -> Result<(), SpecError> {
    let mut all = list.iter().enumerate();
    all.try_for_each(|(index, one)| check(one).map_err(|fault| of_item(item, index, fault)))
}

/// The name of a column or end: the given name, or the id and the quantity.
fn title(name: Option<&str>, target: &dyn Display, what: &str) -> String {
    name.map_or_else(|| format!("{target}.{what}"), str::to_owned)
}

/// A checked spec as a batch runs it.
#[derive(Debug)]
pub(super) struct Plan {
    actions: Vec<ActionRun>,
    observations: Vec<ObservationRun>,
    variations: Vec<Variation>,
    ends: Vec<End>,
    pub(super) step_limit: Option<u32>,
    /// Whether there are rays or nearest distances among the observations.
    has_queries: bool,
}

impl Plan {
    /// Compiles a spec that was checked against each start world.
    pub(super) fn of(spec: &Spec) -> Plan {
        Plan {
            actions: spec.actions.iter().map(|action| action.run).collect(),
            observations: spec.observations.iter().map(Observation::run).collect(),
            variations: spec.variations.clone(),
            ends: spec.ends.clone(),
            step_limit: spec.step_limit,
            has_queries: spec.observations.iter().any(Observation::is_query),
        }
    }

    /// Numbers of columns: actions, and observations.
    pub(super) fn widths(&self) -> (usize, usize) {
        (self.actions.len(), self.observations.iter().map(|observation| observation.width).sum())
    }

    /// Whether a world can reach an end.
    pub(super) fn has_ends(&self) -> bool {
        !self.ends.is_empty()
    }

    /// Applies a row of actions; returns the first error, after all actions.
    pub(super) fn act(&self, world: &mut World, row: &[f32]) -> Result<(), Error> {
        let mut done = Ok(());
        for (action, &number) in self.actions.iter().zip(row) {
            done = done.and(action.act(world, number));
        }
        done
    }

    /// Writes a row of observations.
    pub(super) fn observe(&self, world: &World, row: &mut [f32]) {
        reading::read(&self.observations, world, row);
    }

    /// Varies a world by a seed.
    pub(super) fn vary(&self, world: &mut World, seed: u64) -> Result<(), Error> {
        let mut draws = Draws::new(seed);
        let varied = self.variations.iter().try_for_each(|variation| variation.vary(world, &mut draws));
        if self.has_queries {
            // Bodies were moved: queries would copy the trees to new memory after a while.
            world.prepare_queries();
        }
        varied
    }

    /// The first end that a world has reached.
    pub(super) fn end(&self, world: &World) -> Option<u32> {
        self.ends.iter().position(|end| end.is_reached(world)).map(|number| number as u32)
    }
}
