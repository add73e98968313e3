//! Tests of the mesh against oracles.

mod answers;
mod areas;
mod both_ways;
mod common;
mod corners;
mod links;
mod queries;
mod rings;
#[cfg(feature = "world")]
mod sync;
mod tangents;
mod touching;
mod ways;
