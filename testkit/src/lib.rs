//! What carom's tests, benches, examples, rivals and demo share, so that each scene is written once.

pub mod draw;
pub mod golden;
pub mod random;
pub mod samples;

#[cfg(feature = "png")]
pub use draw::draw_png;
pub use draw::{camera, draw_svg, svg};
