//! The mesh against oracles.

mod answers;
mod areas;
mod common;
mod corners;
mod links;
#[cfg(feature = "world")]
mod sync;
mod tangents;
mod ways;
