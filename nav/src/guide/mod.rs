//! A guide: from a map of letters to a crowd that walks through doors.
//!
//! Each chapter stands alone, and its code is compiled and run as a test.
//!
//! | chapter | the question it answers |
//! |---|---|
//! | [`tiles`] | how does a unit find its way over cells, and thousands of units within a tick? |
//! | `mesh` | how does a disc find its way between walls, of any radius? (feature `world`) |
//! | `crowd` | how do bodies walk along ways without running into each other? (feature `world`) |
//! | [`fields`] | how do a thousand units go to one place, and where is it dangerous? |
//! | `minds` | how does a guard notice, chase and give up? (feature `world`) |
//! | [`coming_from`] | what is it called here, for users of Recast, Unity, Godot, polyanya, and the A* Pathfinding Project? |
//!
//! # Tiles, a mesh, or a field?
//!
//! | your game | use |
//! |---|---|
//! | has cells anyway: tactics, dungeons, builders | [`tiles`]; units that must not share a cell: [`coop`](crate::coop) |
//! | moves bodies of several sizes freely between walls | `mesh`, and `crowd` for the bodies |
//! | sends hundreds to few goals | [`fields`] |
//! | has bridges, storeys, doors | a mesh for each level, joined by `mesh::Links`: chapter `mesh` |

pub mod coming_from;
#[cfg(feature = "world")]
pub mod crowd;
pub mod fields;
#[cfg(feature = "world")]
pub mod mesh;
#[cfg(feature = "world")]
pub mod minds;
pub mod tiles;
