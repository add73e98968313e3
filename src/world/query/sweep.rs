//! A box on its way: when may it meet the boxes of the grid?
//!
//! In: a way from a point, and the box that goes it; a ray is a box without extent. Out: for any box a share of the way
//! before which the two do not meet. Asked by rays and casts about every node that a walk comes to.

use glam::Vec2;

use crate::bounds::Aabb;
use crate::math::{max, min};

/// Room for the rounding of the exact tests behind this one.
const SLACK: f32 = 4.0 * f32::EPSILON;

/// Ways shorter than this along an axis count as none, so that their reciprocal is a number.
const NO_WAY: f32 = 1.0e-30;

pub(super) struct Sweep {
    /// Of the point, from the centre of its region.
    from: Vec2,
    /// One over the way; infinite where there is none.
    inverse: Vec2,
    /// The box around the point.
    extent: Aabb,
}

impl Sweep {
    pub(super) fn of_point(from: Vec2, translation: Vec2) -> Sweep {
        Sweep::of_box(Aabb::around_point(Vec2::ZERO), from, translation)
    }

    /// Of the box `extent` around `from`.
    pub(super) fn of_box(extent: Aabb, from: Vec2, translation: Vec2) -> Sweep {
        let inverse = |x: f32| if x.abs() > NO_WAY { 1.0 / x } else { f32::INFINITY };
        Sweep { from, inverse: Vec2::new(inverse(translation.x), inverse(translation.y)), extent }
    }

    /// A share of the way before which `aabb` is not met; infinite when it never is. A box inside another has no lower
    /// one: every operation here is monotone, rounding included.
    #[inline]
    pub(super) fn entry(&self, aabb: &Aabb) -> f32 {
        let low = aabb.min - self.from - self.extent.max;
        let high = aabb.max - self.from - self.extent.min;
        let (x0, x1) = slab(low.x, high.x, self.inverse.x);
        let (y0, y1) = slab(low.y, high.y, self.inverse.y);
        let enter = max(max(x0, y0), 0.0) * (1.0 - SLACK);
        let leave = min(min(x1, y1), 1.0) * (1.0 + SLACK);
        if enter <= leave { enter } else { f32::INFINITY }
    }
}

/// When a point that starts at 0 is between `low` and `high`.
#[inline]
fn slab(low: f32, high: f32, inverse: f32) -> (f32, f32) {
    let (low, high) = (low - SLACK * low.abs(), high + SLACK * high.abs());
    if inverse.is_infinite() {
        let inside = low <= 0.0 && 0.0 <= high;
        return if inside { (f32::NEG_INFINITY, f32::INFINITY) } else { (f32::INFINITY, f32::NEG_INFINITY) };
    }
    let (t0, t1) = (low * inverse, high * inverse);
    (min(t0, t1), max(t0, t1))
}
