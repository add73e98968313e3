//! Crowds of bodies: scenes with numbers to reach, the linear program against brute force, images.
//!
//! Long scenes run in release builds alone.

#![allow(clippy::needless_range_loop, reason = "agents are named by number")]
#![allow(clippy::disallowed_methods, reason = "what is measured is no state")]

mod arrive;
mod common;
mod doors;
mod hard;
mod orders;
mod program;
mod scenes;
mod state;
mod ways;
mod zones;
