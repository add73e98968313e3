//! Pictures: what a world draws.
//!
//! ```text
//!   draw_calls.rs   the calls of `World::draw`: layers, shapes, joints, what is in view
//!   images.rs       golden SVG files in tests/golden/, and PNG files
//! ```
//!
//! A new layer or shape gets a test in `draw_calls.rs` and a place in `testkit::samples`.

mod draw_calls;
mod images;
