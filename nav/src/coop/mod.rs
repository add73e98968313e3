//! Units that move by tiles, together: no two on one tile, none through one another.

mod pibt;

pub use pibt::{GoalId, Squad, SquadError, UnitId};

#[cfg(test)]
mod tests;
