//! Geometry: everything that can be asked of shapes without a world.
//!
//! ```text
//!   shapes.rs       mass, hulls, changes of place, bytes; which definitions are refused
//!   bounds.rs       boxes, circles and trees of circles around shapes
//!   three.rs        spheres, boxes and oriented boxes in three dimensions
//!   narrowphase/    pairs of shapes: brute force in f64, parry2d, answers known by hand
//!   properties.rs   what holds for all shapes: symmetries, casts, rays, points (proptest)
//!   chains.rs       smooth surfaces of chains      polar.rs   polar shapes and their tables
//!   outline.rs      concave outlines               math.rs    trigonometry, transforms, points
//!   bsp.rs          walls of a fixed level as a tree of lines
//!   regressions.rs  what once went wrong, a test each
//! ```
//!
//! A new test goes to the file of its shape or question; a fixed bug to `regressions.rs`, with its
//! cause.

mod bounds;
mod bsp;
mod chains;
mod math;
mod narrowphase;
mod outline;
mod polar;
mod properties;
mod regressions;
mod shapes;
mod three;
