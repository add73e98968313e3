//! A capsule: all points within a radius of a segment.
//!
//! In: numbers from the user. Out: a shape whose ends are apart, so that it has a direction, and
//! whose radius is positive. The narrowphase tests it as a core of two corners with a radius.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use super::error::{ShapeError, check_length, check_size};
use super::mass::Mass;
use crate::bounds::Aabb;
use crate::math::Transform;

/// A capsule: all points within `radius` of the segment from `a` to `b`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Capsule {
    pub(crate) a: Vec2,
    pub(crate) b: Vec2,
    pub(crate) radius: f32,
}

impl Capsule {
    /// All points within `radius` of the segment from `a` to `b`.
    ///
    /// # Errors
    /// Numbers out of range, ends that coincide (that would be a circle), or a radius too small.
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>, radius: f32) -> Result<Capsule, ShapeError> {
        let (a, b) = (a.into(), b.into());
        check_size(radius)?;
        check_length(a, b)?;
        Ok(Capsule { a, b, radius })
    }

    /// The centres of its two round ends.
    #[must_use]
    pub fn ends(&self) -> [Vec2; 2] {
        [self.a, self.b]
    }

    /// The radius.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The capsule, transformed by `by`.
    #[inline]
    #[must_use]
    pub fn transformed(&self, by: Transform) -> Capsule {
        Capsule { a: by.apply(self.a), b: by.apply(self.b), radius: self.radius }
    }

    /// The tight bounding box at `at`.
    #[must_use]
    pub fn aabb(&self, at: Transform) -> Aabb {
        Aabb::around_points(&[at.apply(self.a), at.apply(self.b)]).grown(self.radius)
    }

    pub(crate) fn unit_mass(&self) -> Mass {
        Mass::rounded_hull(&[self.a, self.b], self.radius)
    }
}
