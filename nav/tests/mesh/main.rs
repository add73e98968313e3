//! The mesh against oracles.

mod common;
mod tangents;
mod ways;
