//! What carom's tests, benches, examples, rivals and demo share, so that each scene is written once.

pub mod build;
pub mod cloth;
pub mod doll;
pub mod draw;
pub mod golden;
pub mod joint_scenes;
pub mod level;
pub mod pile;
pub mod played;
pub mod pyramid;
pub mod random;
pub mod samples;
pub mod scenes;

#[cfg(feature = "png")]
pub use draw::draw_png;
pub use draw::{camera, draw_svg, svg};
