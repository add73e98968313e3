//! Many small worlds at once: actions and observations as data, and the batch of worlds.
//!
//! In: a world, a [`Spec`](spec::PySpec) of actions, observations, variations and ends. Out: arrays
//! with a row for each world, which step together without the GIL. `carom.gym` makes a vector
//! environment of Gymnasium of it.

mod spec;
mod worlds;

pub(crate) use spec::PySpec;
pub(crate) use worlds::PyBatch;
