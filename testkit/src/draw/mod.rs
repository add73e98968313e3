//! Pictures: a page of SVG text, worlds drawn on it or as pixels, and drawings that examples share.

pub mod camera;
#[cfg(feature = "png")]
pub mod draw_png;
pub mod draw_svg;
pub mod gearing;
pub mod moment;
pub mod svg;
