//! Bounding circles: the cheapest no.
//!
//! In: a centre and points. Out: a circle that contains them, rounded outward. Casts reject parts
//! by it, and a program that keeps bodies may reject pairs by it before an exact test.

use bytemuck::{Pod, Zeroable};
use glam::Vec2;

use crate::math::{Transform, max};

/// A circle that contains a shape. Touching circles overlap.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoundingCircle {
    /// The centre.
    pub center: Vec2,
    /// The radius.
    pub radius: f32,
}

impl BoundingCircle {
    /// The circle around `center` that contains all `points` and everything within `rounding` of
    /// them.
    ///
    /// A few units in the last place wider than the farthest point, so that rounding never loses a
    /// hit.
    #[must_use]
    pub fn around(center: Vec2, points: &[Vec2], rounding: f32) -> BoundingCircle {
        let farthest = points.iter().fold(0.0_f32, |most, p| max(most, p.distance(center)));
        BoundingCircle { center, radius: (farthest + rounding) * (1.0 + 4.0 * f32::EPSILON) }
    }

    /// Whether the two have a point in common: centre distance against the *sum* of the radii, both
    /// squared.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &BoundingCircle) -> bool {
        let reach = self.radius + other.radius;
        reach >= 0.0 && self.center.distance_squared(other.center) <= reach * reach
    }

    /// Whether `point` lies inside, border included.
    #[inline]
    #[must_use]
    pub fn contains_point(&self, point: Vec2) -> bool {
        self.center.distance_squared(point) <= self.radius * self.radius
    }

    /// The same circle, seen from outside the frame that `by` describes.
    #[inline]
    #[must_use]
    pub fn transformed(&self, by: Transform) -> BoundingCircle {
        BoundingCircle { center: by.apply(self.center), radius: self.radius }
    }
}
