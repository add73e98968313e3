//! Fields over a whole map: directions to a goal, cells in reach of a unit, cells in its sight,
//! influence on the land.
//!
//! | | in | out |
//! |---|---|---|
//! | [`Flow`] | goals | the way from every cell, as far as asked, repaired after edits |
//! | [`Potential`] | goals | the neighbour that is nearer as the crow flies; stays in a U |
//! | [`Reach`] | a unit and its points | cells it can enter, cells it can strike |
//! | [`Influence`] | stamps of units | their sums, exact after any moves |
//! | [`Fov`], [`sees`] | a cell | the cells that it sees, the same both ways |
//!
//! The tests behind the promises of the classic texts about fields: [`texts`](crate::texts).

mod flow;
mod influence;
mod potential;
mod reach;
mod sight;
pub(crate) mod wave;

pub use flow::Flow;
pub use influence::{Influence, Stamp, Threshold, is_worth_changing};
pub use potential::{Charge, Falloff, Potential};
pub use reach::{Occupied, Passing, Reach, Sight, Striker, Zone};
pub use sight::{Fov, sees};

#[cfg(test)]
mod tests;
