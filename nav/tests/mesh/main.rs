//! The mesh against oracles.

mod answers;
mod common;
mod tangents;
mod ways;
