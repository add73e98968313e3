//! Units that move by tiles together: no two units on one tile, and no unit through another.

mod pibt;

pub use pibt::{GoalId, Squad, SquadError, UnitId};

#[cfg(test)]
mod tests;
