//! A small platform game on carom, and nothing of a window: `main.rs` shows it.
//!
//! ```text
//!   level.rs    what stands where: ground, ledges, crates, water, a rope, coins, the flag
//!   hero.rs     the character: runs, jumps, swims, hangs on the rope
//!   guards.rs   guards: patrol, chase, and are jumped upon
//!   game.rs     one step of all of it, and the score
//!   tour.rs     one who plays all of it, for pictures and tests
//! ```
//!
//! In: which keys are down. Out: a world to be drawn, and what happened. The same keys give the
//! same game, bit for bit, so a test can play it without a window.

mod game;
mod guards;
mod hero;
mod level;
mod tour;

pub use game::{Game, Keys, News};
pub use guards::{Guard, GuardState};
pub use hero::{HALF_LENGTH, Hero, RADIUS};
pub use level::{FLAG, LEFT, Level, RIGHT, ROPE_TOP, START, SURFACE};
pub use tour::Tour;

/// Length of a step, in seconds.
pub const DT: f32 = 1.0 / 60.0;
