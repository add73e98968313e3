//! What the fuzz targets do with their bytes, as plain functions. `tests/fuzz_corpus.rs` of carom includes the same files and runs them
//! on all inputs that are kept.
//!
//! ```text
//!   api.rs        bytes -> calls on a world           input.rs    bytes -> numbers, good and bad
//!   polygon.rs    bytes -> shapes                     shapes.rs   bytes -> shapes of every kind
//!   manifold.rs   bytes -> two shapes and poses
//!   load.rs       bytes -> an image of a world
//! ```

mod api;
mod input;
mod load;
mod manifold;
mod polygon;
mod shapes;

#[path = "../../tests/support/asking.rs"]
mod asking;
#[path = "../../tests/support/chaos.rs"]
mod chaos;
#[allow(dead_code, reason = "the tally is for random pairs")]
#[path = "../../tests/narrowphase/check.rs"]
mod check;
#[path = "../../tests/support/joints.rs"]
mod joints;
#[path = "../../tests/support/mod.rs"]
mod support;

use support::random;

/// What each target does.
pub mod target {
    /// See `api.rs`.
    pub fn api(data: &[u8]) {
        crate::api::run(data);
    }

    /// See `polygon.rs`.
    pub fn polygon(data: &[u8]) {
        crate::polygon::run(data);
    }

    /// See `manifold.rs`.
    pub fn manifold(data: &[u8]) {
        crate::manifold::run(data);
    }

    /// See `load.rs`.
    pub fn load(data: &[u8]) {
        crate::load::run(data);
    }
}
