//! Searches on tiles, held against published lengths, each other, and checkers that share no code
//! with them.

mod classic;
mod common;
mod edits;
mod moving_ai;
mod queue;
mod random_maps;
#[cfg(feature = "world")]
mod raster;
mod unknown;
