//! What the fuzz targets do with their bytes, as plain functions. `tests/fuzz_corpus.rs` of carom includes the same files and runs them
//! on all inputs that are kept.
//!
//! ```text
//!   api.rs        bytes -> calls on a world           input.rs    bytes -> numbers, good and bad
//!   polygon.rs    bytes -> shapes                     shapes.rs   bytes -> shapes of every kind
//!   manifold.rs   bytes -> two shapes and poses
//!   load.rs       bytes -> an image of a world
//! ```

pub mod api;
pub mod load;
pub mod manifold;
pub mod polygon;

mod input;
mod shapes;

#[path = "../../tests/support/chaos.rs"]
mod chaos;
#[path = "../../tests/narrowphase/check.rs"]
mod check;
#[path = "../../tests/support/joints.rs"]
mod joints;
#[path = "../../tests/support/mod.rs"]
mod support;

use support::random;
