//! Which neighbours of a cell a field still has to look at, by where it came from: the table of searches on tiles.

pub(super) use crate::grid::order::{NOWHERE, order};
