//! Circles.
/// Tree.
pub struct CircleTree;
