//! The form in which pair tests see a convex piece: a core of one to eight corners, and a radius around it.
//!
//! In: a piece and where it stands. Out: corners and normals in the frame of the test.
//!
//! ```text
//!   count 1: a point    (circle)            count 3 to 8: a polygon (box, polygon)
//!   count 2: a segment  (segment, capsule)  radius: all points within it of the core belong to the shape
//! ```
//!
//! A segment has two edges, one a side, with opposite normals, so that the loops over edges need no case
//! for it.

use glam::Vec2;

use crate::math::{Transform, right_of, unit_or_zero};
use crate::shape::{Capsule, ChainSegment, Circle, HalfPlane, Obb, Polygon, Segment};
use crate::tuning::MAX_POLYGON_VERTICES;

/// A convex core and a radius.
#[derive(Clone, Copy)]
pub(crate) struct Convex {
    vertices: [Vec2; MAX_POLYGON_VERTICES],
    normals: [Vec2; MAX_POLYGON_VERTICES],
    count: usize,
    pub(crate) radius: f32,
}

impl Convex {
    fn from_parts(vertices: &[Vec2], normals: &[Vec2], radius: f32) -> Convex {
        debug_assert!(vertices.len() <= MAX_POLYGON_VERTICES && normals.len() <= vertices.len());
        let mut convex = Convex {
            vertices: [Vec2::ZERO; MAX_POLYGON_VERTICES],
            normals: [Vec2::ZERO; MAX_POLYGON_VERTICES],
            count: vertices.len(),
            radius,
        };
        convex.vertices[..vertices.len()].copy_from_slice(vertices);
        convex.normals[..normals.len()].copy_from_slice(normals);
        convex
    }

    fn from_segment(a: Vec2, b: Vec2, radius: f32) -> Convex {
        let normal = right_of(unit_or_zero(b - a));
        Convex::from_parts(&[a, b], &[normal, -normal], radius)
    }

    /// The same piece, seen from outside the frame that `by` describes.
    #[inline]
    pub(crate) fn transformed(&self, by: Transform) -> Convex {
        let mut moved = *self;
        for i in 0..self.count {
            moved.vertices[i] = by.apply(self.vertices[i]);
            moved.normals[i] = by.rotation * self.normals[i];
        }
        moved
    }

    #[inline]
    pub(crate) fn vertices(&self) -> &[Vec2] {
        &self.vertices[..self.count]
    }

    #[inline]
    pub(crate) fn normals(&self) -> &[Vec2] {
        &self.normals[..self.count]
    }

    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The number of the corner after corner `i`.
    #[inline]
    pub(crate) fn next(&self, i: usize) -> usize {
        if i + 1 < self.count { i + 1 } else { 0 }
    }

    /// The number of the corner before corner `i`.
    #[inline]
    pub(crate) fn previous(&self, i: usize) -> usize {
        if i > 0 { i - 1 } else { self.count - 1 }
    }

    /// Both ends of edge `i`.
    #[inline]
    pub(crate) fn edge(&self, i: usize) -> (Vec2, Vec2) {
        (self.vertices[i], self.vertices[self.next(i)])
    }

    /// Distance of the farthest corner from the origin of the frame.
    pub(crate) fn reach(&self) -> f32 {
        let squared = self.vertices().iter().fold(0.0, |most, v| crate::math::max(most, v.length_squared()));
        squared.sqrt()
    }
}

impl Convex {
    /// The square of side 2 `extent` below the middle of a half-plane's border: what stands in for it in a
    /// test that needs corners, when nothing it can meet is farther away than `extent`.
    pub(crate) fn from_half_plane(plane: &HalfPlane, extent: f32) -> Convex {
        let (middle, side) = (plane.normal * plane.offset, plane.normal.perp() * extent);
        let deep = plane.normal * (2.0 * extent);
        let corners = [middle + side, middle + side - deep, middle - side - deep, middle - side];
        let along = plane.normal.perp();
        Convex::from_parts(&corners, &[along, -plane.normal, -along, plane.normal], 0.0)
    }
}

impl From<&Circle> for Convex {
    fn from(circle: &Circle) -> Convex {
        Convex::from_parts(&[circle.center], &[], circle.radius)
    }
}

impl From<&Capsule> for Convex {
    fn from(capsule: &Capsule) -> Convex {
        Convex::from_segment(capsule.a, capsule.b, capsule.radius)
    }
}

impl From<&Segment> for Convex {
    fn from(segment: &Segment) -> Convex {
        Convex::from_segment(segment.a, segment.b, 0.0)
    }
}

impl From<&ChainSegment> for Convex {
    fn from(segment: &ChainSegment) -> Convex {
        Convex::from_segment(segment.a, segment.b, 0.0)
    }
}

impl From<&Obb> for Convex {
    fn from(obb: &Obb) -> Convex {
        Convex::from_parts(&obb.corners(), &obb.normals(), obb.radius)
    }
}

impl From<&Polygon> for Convex {
    fn from(polygon: &Polygon) -> Convex {
        Convex::from_parts(polygon.vertices(), polygon.normals(), polygon.radius)
    }
}
