//! Tiles: maps, and searches on them.
//!
//! [`Map`] holds walls as bits and costs of entering cells; a [`Rule`] defines the neighbours of a
//! cell. [`Search`] answers an [`Ask`] with a [`Path`]. [`Known`] is the land that a player has
//! seen, [`Adaptive`] searches it repeatedly, [`Claims`] keep units out of each other's way,
//! [`DeadEnds`] keep searches out of dead ends. [`Tier`] is for long paths.
//!
//! The tests behind the promises of the classic texts about tiles and graphs:
//! [`texts`](crate::texts).

mod adapt;
mod ask;
mod bits;
mod claims;
mod dead_ends;
mod islands;
mod jump;
mod known;
mod layer;
mod map;
mod near;
mod nodes;
pub(crate) mod order;
mod parse;
mod path;
mod prints;
#[cfg(feature = "world")]
mod raster;
mod rule;
mod save;
pub(crate) mod search;
mod sizes;
mod taut;
mod tier;
mod turning;

pub use adapt::Adaptive;
pub use ask::{Ask, Bad, Found, Heuristic, Method, Unfit};
pub use claims::{Claims, Near};
pub use dead_ends::DeadEnds;
pub use known::Known;
pub use layer::{BLOCKED, By, Layer};
pub use map::{CHUNK, Map};
pub use parse::Scenario;
pub use path::Path;
#[cfg(feature = "world")]
pub use raster::Tiling;
pub use rule::{Corners, DIRECTIONS, Rule};
pub use search::Search;
pub use tier::Tier;

/// A cell of a map: `[x, y]`, y up, the first is `[0, 0]`. On hexes these are axial coordinates.
pub type Cell = glam::IVec2;
