//! Rectangles of regions: parts of an unlimited world, for programs that divide it.
//!
//! In: the lowest and the highest region. Out: whether points and boxes are inside.

use glam::{IVec2, Vec2};

use super::WorldAabb;
use crate::math::WorldPoint;
use crate::tuning::REGION_SIZE;

/// A rectangle of whole regions, each [`REGION_SIZE`] wide, from `min` to `max`, both included.
///
/// ```
/// use carom::broadphase::Regions;
/// use carom::{IVec2, WorldPoint};
///
/// let west = Regions::new(IVec2::new(-4, 0), IVec2::new(-1, 3));
/// assert!(west.contains(WorldPoint::from([-513.0, 0.0]))); // a region is 1024 m wide
/// assert!(!west.contains(WorldPoint::from([-512.0, 0.0])));
/// assert_eq!(west.count(), 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Regions {
    /// The lowest region on both axes.
    pub min: IVec2,
    /// The highest region on both axes; below `min` on an axis, there is none.
    pub max: IVec2,
}

impl Regions {
    /// The rectangle from one region to another.
    #[must_use]
    pub fn new(min: IVec2, max: IVec2) -> Regions {
        Regions { min, max }
    }

    /// Whether a point lies in one of the regions. Of two neighbours, the right and the upper one
    /// have the points of their border.
    #[must_use]
    pub fn contains(&self, point: WorldPoint) -> bool {
        point.region.cmpge(self.min).all() && point.region.cmple(self.max).all()
    }

    /// How many regions there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        let side = |low: i32, high: i32| (i64::from(high) - i64::from(low) + 1).max(0) as u64;
        side(self.min.x, self.max.x).saturating_mul(side(self.min.y, self.max.y))
    }

    /// The regions that two rectangles share; none if they are apart.
    #[must_use]
    pub fn common(&self, other: &Regions) -> Option<Regions> {
        let shared = Regions { min: self.min.max(other.min), max: self.max.min(other.max) };
        shared.min.cmple(shared.max).all().then_some(shared)
    }

    /// Whether a box is wholly inside, and at least `margin` metres away from the border.
    #[must_use]
    pub fn holds(&self, aabb: &WorldAabb, margin: f32) -> bool {
        let half = 0.5 * REGION_SIZE - margin;
        let (below, above) = (aabb.relative_to(self.min).min, aabb.relative_to(self.max).max);
        self.count() > 0 && below.cmpge(Vec2::splat(-half)).all() && above.cmplt(Vec2::splat(half)).all()
    }
}
