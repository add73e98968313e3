//! Tiles: maps, and searches on them.
//!
//! [`Map`] holds walls as bits and what it costs to enter a cell; a [`Rule`] says which neighbours a cell has.

mod bits;
mod map;
mod rule;

pub use map::{CHUNK, Map};
pub use rule::{Corners, DIRECTIONS, Rule};

/// A cell of a map: `[x, y]`, y up, the first is `[0, 0]`. On hexes these are axial coordinates.
pub type Cell = glam::IVec2;
