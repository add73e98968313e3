//! A box on its way: when may it meet the boxes of the grid?
//!
//! In: a way from a point, and the box that goes it; a ray is a box without extent. Out: for any
//! box a share of the way before which the two do not meet. Asked by rays and casts about every
//! node that a walk comes to.

use glam::Vec2;

use crate::bounds::Aabb;
use crate::math::{max, min};

/// Room for the rounding of the exact tests behind this one: a share of the coordinates that they
/// work with.
const SLACK: f32 = 4.0 * f32::EPSILON;

/// Room in any case, in metres.
const LEAST_SLACK: f32 = 1.0e-6;

/// Ways shorter than this along an axis count as this long, so that their reciprocal is a number:
/// within the least slack, whatever is not met at once is not met.
const LEAST_WAY: f32 = 1.0e-30;

pub(super) struct Sweep {
    /// One over the way.
    inverse: Vec2,
    /// The box at the start, a little larger, from the centre of its region.
    start: Aabb,
}

impl Sweep {
    pub(super) fn of_point(from: Vec2, translation: Vec2) -> Sweep {
        Sweep::of_box(Aabb::around_point(Vec2::ZERO), from, translation)
    }

    /// Of the box `extent` around `from`.
    pub(super) fn of_box(extent: Aabb, from: Vec2, translation: Vec2) -> Sweep {
        let inverse = |x: f32| 1.0 / if x.abs() > LEAST_WAY { x } else { LEAST_WAY };
        let slack = SLACK * (from.length() + translation.length()) + LEAST_SLACK;
        let start = Aabb { min: from + extent.min, max: from + extent.max }.grown(slack);
        Sweep { inverse: Vec2::new(inverse(translation.x), inverse(translation.y)), start }
    }

    /// A share of the way before which `aabb` is not met; infinite when it never is. A box inside
    /// another has no lower one: every operation here is monotone, rounding included.
    #[inline(always)]
    pub(super) fn entry(&self, aabb: &Aabb) -> f32 {
        let low = (aabb.min - self.start.max) * self.inverse;
        let high = (aabb.max - self.start.min) * self.inverse;
        let enter = max(max(min(low.x, high.x), min(low.y, high.y)), 0.0);
        let leave = min(min(max(low.x, high.x), max(low.y, high.y)), 1.0);
        if enter <= leave { enter } else { f32::INFINITY }
    }
}
