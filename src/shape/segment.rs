//! A line segment without thickness, and the segment of a chain, which knows its neighbours.
//!
//! In: numbers from the user, or a chain's points. Out: a shape whose ends are apart. It has no
//! mass; the narrowphase tests it as a core of two corners, and `chain_ghosts.rs` reads the
//! neighbours.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::error::{ShapeError, check_length};
use crate::bounds::Aabb;
use crate::math::Transform;

/// A line segment without thickness, solid on both sides.
///
/// It has no weight: a dynamic body of segments alone counts as 1 kg and does not turn, unless it
/// is given a mass ([`BodyDef::mass`](crate::BodyDef)). Segments, chains among them, rest on each
/// other at a distance of a millimetre, or less if they are short.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Segment {
    pub(crate) a: Vec2,
    pub(crate) b: Vec2,
}

impl Segment {
    /// The segment from `a` to `b`.
    ///
    /// # Errors
    /// Numbers out of range, or ends that coincide.
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Result<Segment, ShapeError> {
        let (a, b) = (a.into(), b.into());
        check_length(a, b)?;
        Ok(Segment { a, b })
    }

    /// Its two ends.
    #[must_use]
    pub fn ends(&self) -> [Vec2; 2] {
        [self.a, self.b]
    }

    /// The segment, transformed by `by`.
    #[inline]
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Segment {
        Segment { a: by.apply(self.a), b: by.apply(self.b) }
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        Aabb::around_points(&[at.apply(self.a), at.apply(self.b)])
    }
}

/// A segment of a chain together with the points before and after it.
///
/// ```text
///   before                     after
///       \                       /
///        a --------------------b        before == a: the chain starts here; after == b: it ends
///                                       here
/// ```
///
/// The neighbours take no part in the shape. They tell which contact normals at `a` and `b` belong
/// to the surface as a whole: see `narrowphase/chain_ghosts.rs`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct ChainSegment {
    pub(crate) before: Vec2,
    pub(crate) a: Vec2,
    pub(crate) b: Vec2,
    pub(crate) after: Vec2,
}

impl ChainSegment {
    /// The segment alone.
    #[must_use]
    pub fn segment(&self) -> Segment {
        Segment { a: self.a, b: self.b }
    }

    /// The point before, if the chain goes on to that side.
    #[must_use]
    pub fn before(&self) -> Option<Vec2> {
        (self.before != self.a).then_some(self.before)
    }

    /// The point after, if the chain goes on to that side.
    #[must_use]
    pub fn after(&self) -> Option<Vec2> {
        (self.after != self.b).then_some(self.after)
    }

    /// The segment, transformed by `by`.
    ///
    /// An end of the chain stays an end: equal points stay equal.
    #[must_use]
    pub fn transformed(&self, by: Transform) -> ChainSegment {
        ChainSegment {
            before: by.apply(self.before),
            a: by.apply(self.a),
            b: by.apply(self.b),
            after: by.apply(self.after),
        }
    }
}
