//! What a game loop wants on top of a world.
//!
//! In: what the loop measures and the player presses. Out: when to step, where characters get to,
//! and what to draw; many worlds in place of one; and line of sight in a fixed level. Nothing here
//! is part of a step.

mod batch;
mod bsp;
mod fixed_step;
mod mover;
mod window;

pub use batch::Batch;
pub use bsp::{Bsp, BspError};
pub use fixed_step::FixedStep;
pub use mover::{MoveOutcome, Mover, MoverDef, MoverGround, MoverTouch, SteepRule, Stride};
pub use window::{Tile, TileChange, Window};
