//! Tools for a game loop on top of a world.
//!
//! In: measurements of the loop and input of the player. Out: when to step, where characters move,
//! and which poses to draw; many worlds in place of one; and line of sight in a fixed level.
//! Nothing here is part of a step.

mod batch;
#[cfg(feature = "game")]
mod bsp;
#[cfg(feature = "game")]
mod fixed_step;
#[cfg(feature = "game")]
mod mover;
#[cfg(feature = "game")]
mod window;

pub use batch::{Action, AutoReset, Batch, BatchLayout, End, Observation, Spec, SpecError, Variation};
#[cfg(feature = "game")]
pub use bsp::{Bsp, BspError};
#[cfg(feature = "game")]
pub use fixed_step::FixedStep;
#[cfg(feature = "game")]
pub use mover::{MoveOutcome, Mover, MoverDef, MoverGround, MoverTouch, SteepRule, Stride};
#[cfg(feature = "game")]
pub use window::{Tile, TileChange, Window};
