//! Tests of searches on tiles against published lengths, each other, and checkers that share no
//! code with them.

mod classic;
mod common;
mod edits;
mod images;
mod moving_ai;
mod other_maps;
mod queue;
mod random_maps;
#[cfg(feature = "world")]
mod raster;
mod tiers;
mod unknown;
