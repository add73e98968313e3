//! A chain of segments, open or closed: terrain that is smooth on both sides.
//!
//! In: points from the user. Out: segments that know their neighbours, and a tree of boxes over
//! them. The narrowphase tests the segments that are near, one by one.

use glam::Vec2;

use super::error::{ShapeError, check_length};
use super::segment::ChainSegment;
use super::state::stamp_of_chain;
use crate::bounds::{Aabb, BoxTree};
use crate::math::Transform;

/// A chain of segments, open or closed, solid on both sides.
///
/// Every segment knows its neighbours, so that bodies that slide along the chain do not catch at
/// its inner corners, on either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    segments: Vec<ChainSegment>,
    tree: BoxTree,
    closed: bool,
    /// Hash that identifies segments and closure in snapshots.
    pub(super) stamp: u64,
}

impl Chain {
    /// An open chain through `points`.
    ///
    /// # Errors
    /// Fewer than two points, numbers out of range, or consecutive points that coincide.
    pub fn open(points: &[Vec2]) -> Result<Chain, ShapeError> {
        Chain::new(points, false)
    }

    /// A closed chain through `points`: the last one is joined to the first.
    ///
    /// # Errors
    /// Fewer than three points, numbers out of range, or consecutive points that coincide, the last
    /// and the first one too.
    pub fn closed(points: &[Vec2]) -> Result<Chain, ShapeError> {
        Chain::new(points, true)
    }

    fn new(points: &[Vec2], closed: bool) -> Result<Chain, ShapeError> {
        let count = points.len();
        if count < if closed { 3 } else { 2 } {
            return Err(ShapeError::Empty);
        }
        let point = |i: usize| points[i % count];
        let segment_count = if closed { count } else { count - 1 };
        let mut segments = Vec::with_capacity(segment_count);
        for i in 0..segment_count {
            let (a, b) = (point(i), point(i + 1));
            check_length(a, b).map_err(|error| match error {
                ShapeError::ZeroLength if closed && i + 1 == count => ShapeError::RepeatsFirstPoint,
                _ => error,
            })?;
            let before = if closed || i > 0 { point(i + count - 1) } else { a };
            let after = if closed || i + 1 < segment_count { point(i + 2) } else { b };
            segments.push(ChainSegment { before, a, b, after });
        }
        Ok(Chain::of_segments(segments, closed))
    }

    /// From segments that know their neighbours.
    pub(super) fn of_segments(segments: Vec<ChainSegment>, closed: bool) -> Chain {
        Chain { tree: tree_over(&segments), stamp: stamp_of_chain(&segments, closed), segments, closed }
    }

    /// The segments, in order.
    #[must_use]
    pub fn segments(&self) -> &[ChainSegment] {
        &self.segments
    }

    /// Whether the last point is joined to the first.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The points that the chain was made from.
    #[must_use]
    pub fn points(&self) -> Vec<Vec2> {
        let starts = self.segments.iter().map(|segment| segment.a);
        let end = self.segments.last().filter(|_| !self.closed).map(|segment| segment.b);
        starts.chain(end).collect()
    }

    /// The chain, transformed by `by`.
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Chain {
        let segments = self.segments.iter().map(|segment| segment.transformed(by)).collect();
        Chain::of_segments(segments, self.closed)
    }

    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        self.segments.iter().fold(Aabb::EMPTY, |all, segment| all.union(segment.segment().aabb(at)))
    }
}

fn tree_over(segments: &[ChainSegment]) -> BoxTree {
    let boxes: Vec<Aabb> = segments.iter().map(|s| s.segment().aabb(Transform::IDENTITY)).collect();
    BoxTree::new(&boxes)
}
