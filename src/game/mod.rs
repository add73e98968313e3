//! What a game loop wants on top of a world.
//!
//! In: what the loop measures and the player presses. Out: when to step, and what to draw. Nothing here changes how the
//! world works; all of it could be written outside.

mod fixed_step;

pub use fixed_step::FixedStep;
