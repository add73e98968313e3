//! Ways, fields and tactics for game loops, with or without carom's physics.
//!
//! Everything here is a function of its input: lengths are integers, ties are settled by order,
//! efforts are counted in expansions and never in milliseconds. The same calls give the same bits
//! on every machine.
//!
//! ```
//! use carom_nav::prelude::*;
//!
//! let mut map = Map::parse("..........\n..####....\n......#...\n")?;
//! let (mut search, mut path) = (Search::default(), Path::default());
//! let found = search.path(&map, Ask::new([0, 0], [9, 2]), &mut path);
//! assert!(found.is_way());
//! assert_eq!(path.cells().last(), Some(Cell::new(9, 2)));
//! assert!(map.set_wall([9, 2], true) && !map.connected([0, 0], [9, 2]));
//! # Ok::<(), carom_nav::MapError>(())
//! ```
//!
//! # The way of the data
//!
//! ```text
//! length -> graph -> grid -> field -> queue -> crowd -> coop -> mind        war stands alone
//! ```
//!
//! A module uses only what stands before it.

#![forbid(unsafe_code)]
#![warn(clippy::expect_used, clippy::panic, clippy::unreachable, clippy::unimplemented)]

pub mod coop;
#[cfg(feature = "world")]
pub mod crowd;
pub mod error;
pub mod field;
pub mod graph;
pub mod grid;
pub mod length;
pub mod mind;
pub mod queue;
pub mod war;

mod open;
mod state;

pub use error::MapError;
pub use glam::{IVec2, Vec2};
pub use state::LoadError;
#[doc(hidden)]
pub use state::restamp;

/// What most programs use.
pub mod prelude {
    pub use crate::grid::{
        Ask, Bad, Cell, Claims, Corners, Found, Heuristic, Known, Map, Method, Path, Rule, Search,
    };
    pub use crate::length::{Length, Scale};
    pub use crate::queue::{Queue, Ticket};
}

/// The README's code, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
