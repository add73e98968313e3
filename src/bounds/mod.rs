//! Conservative bounds: boxes, circles, a tree of boxes for the parts of one shape, and circles
//! that refine a shape to a stated tolerance. [`three`] has boxes and spheres in space.
//!
//! In: shapes. Out: something cheap that contains them. A bound never loses an exact hit.

mod aabb;
mod box_tree;
mod circle;
mod circle_tree;
pub mod three;

pub use aabb::Aabb;
pub(crate) use box_tree::BoxTree;
pub use circle::BoundingCircle;
pub use circle_tree::CircleTree;
