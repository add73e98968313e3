//! Swept box: a lower bound of the time at which it meets boxes of the grid.
//!
//! In: a displacement from a point, and a moving box; a ray is a box without extent. Out: for any
//! box a share of the displacement before which the two do not meet. Used by rays and casts for
//! every visited node.

use glam::{IVec2, Vec2};

use crate::bounds::Aabb;
use crate::broadphase::{Question, WorldAabb};
use crate::math::WorldPoint;
use crate::simd::{Lane, OneLane, Width};

/// Margin for the rounding of the exact tests: a share of their coordinates.
const ROUNDING_SLACK: f32 = 4.0 * f32::EPSILON;

/// Least margin, in metres.
const LEAST_SLACK: f32 = 1.0e-6;

/// Displacements shorter than this along an axis count as this long, so that their reciprocal is
/// finite: this is within the least margin.
const LEAST_DISPLACEMENT: f32 = 1.0e-30;

#[derive(Clone, Copy)]
pub(super) struct Sweep {
    /// Inverse of the displacement.
    inverse: Vec2,
    /// The box at the start, a little larger.
    start: WorldAabb,
}

impl Sweep {
    pub(super) fn of_point(from: WorldPoint, translation: Vec2) -> Sweep {
        Sweep::of_box(Aabb::around_point(Vec2::ZERO), from, translation)
    }

    /// The sweep of the box `extent` around `from`.
    pub(super) fn of_box(extent: Aabb, from: WorldPoint, translation: Vec2) -> Sweep {
        let inverse = |x: f32| 1.0 / if x.abs() > LEAST_DISPLACEMENT { x } else { LEAST_DISPLACEMENT };
        let (region, from) = (from.region, from.local);
        let slack = ROUNDING_SLACK * (from.length() + translation.length()) + LEAST_SLACK;
        let aabb = Aabb { min: from + extent.min, max: from + extent.max }.grown(slack);
        let inverse = Vec2::new(inverse(translation.x), inverse(translation.y));
        Sweep { inverse, start: WorldAabb { region, aabb } }
    }

    /// How far the box reaches from the point that it is around.
    pub(super) fn reach(&self, from: WorldPoint) -> Vec2 {
        let aabb = self.start.relative_to(from.region);
        (aabb.max - from.local).abs().max((aabb.min - from.local).abs())
    }

    /// A share of the displacement before which `aabb`, in the region of the start, is not met;
    /// infinite if it never is.
    pub(super) fn entry(&self, aabb: &Aabb) -> f32 {
        self.promise(OneLane(0), [aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y])
    }
}

impl Question for Sweep {
    #[inline]
    fn seen_from(&self, region: IVec2) -> Sweep {
        Sweep { start: WorldAabb { region, aabb: self.start.relative_to(region) }, ..*self }
    }

    /// A box inside another has no smaller share: every operation here is monotone, rounding
    /// included.
    #[inline(always)]
    fn promise<W: Width>(&self, w: W, [left, below, right, above]: [W::L; 4]) -> W::L {
        let (start, inverse) = (&self.start.aabb, self.inverse);
        let (along_x, along_y) = (w.splat(inverse.x), w.splat(inverse.y));
        let low_x = (left - w.splat(start.max.x)) * along_x;
        let low_y = (below - w.splat(start.max.y)) * along_y;
        let high_x = (right - w.splat(start.min.x)) * along_x;
        let high_y = (above - w.splat(start.min.y)) * along_y;
        let (enter_x, enter_y) = (low_x.smaller_bound(high_x), low_y.smaller_bound(high_y));
        let (leave_x, leave_y) = (low_x.larger_bound(high_x), low_y.larger_bound(high_y));
        let enter = enter_x.larger_bound(enter_y).larger_bound(w.splat(0.0));
        let leave = leave_x.smaller_bound(leave_y).smaller_bound(w.splat(1.0));
        Lane::select(enter.le(leave), enter, w.splat(f32::INFINITY))
    }
}
