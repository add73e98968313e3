//! What the fuzz targets do with their bytes, as plain functions.
//!
//! In: the bytes of an input. Out: nothing, or a panic when a promise is broken. The targets in
//! `fuzz/targets/` call these functions on bytes that libFuzzer makes, and the test program
//! `misuse` calls them on every input that is kept in `fuzz/`.
//!
//! ```text
//!   api.rs        bytes -> calls on a world           input.rs    bytes -> numbers, good and bad
//!   polygon.rs    bytes -> shapes                     shapes.rs   bytes -> shapes of every kind
//!   manifold.rs   bytes -> two shapes and poses
//!   load.rs       bytes -> an image of a world
//!   nav.rs        bytes -> maps of carom-nav, and images
//!                                            nav_bodies.rs   bytes -> its meshes and crowds
//! ```

mod api;
mod input;
mod load;
mod manifold;
#[cfg(feature = "nav")]
pub mod nav;
#[cfg(feature = "nav")]
pub mod nav_bodies;
mod polygon;
mod shapes;

pub use api::run as api;
pub use load::run as load;
pub use manifold::run as manifold;
pub use polygon::run as polygon;
