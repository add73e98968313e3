//! A box of the unlimited world: a region, and the box relative to its centre.
//!
//! In: plain boxes, or boxes with a region. Out: exact comparisons, and boxes relative to another
//! region, rounded outward so that they still contain every point.

use bytemuck::{Pod, Zeroable};
use glam::{IVec2, Vec2};

use crate::bounds::Aabb;
use crate::math::WorldPoint;
use crate::tuning::REGION_SIZE;

/// An axis-aligned box in the unlimited world: metres from the centre of `region`, which is
/// [`REGION_SIZE`] wide (see [`WorldPoint`](crate::WorldPoint)).
///
/// The box may reach out of its region, lie wholly outside, or be infinite: any region works, but a
/// near region is more exact. Only differences between regions matter.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldAabb {
    /// The region from whose centre `aabb` is measured.
    pub region: IVec2,
    /// The box.
    pub aabb: Aabb,
}

impl From<Aabb> for WorldAabb {
    /// The box measured from the origin.
    #[inline]
    fn from(aabb: Aabb) -> WorldAabb {
        WorldAabb { region: IVec2::ZERO, aabb }
    }
}

impl WorldAabb {
    /// The box that contains nothing.
    pub(super) const EMPTY: WorldAabb = WorldAabb { region: IVec2::ZERO, aabb: Aabb::EMPTY };

    /// Whether the box contains a point: no corner is NaN, `min` is not beyond `max`, and it is not
    /// infinitely far.
    #[inline]
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let Aabb { min, max } = self.aabb;
        self.aabb.is_valid()
            && min.x < f32::INFINITY
            && min.y < f32::INFINITY
            && max.x > f32::NEG_INFINITY
            && max.y > f32::NEG_INFINITY
    }

    /// Returns the box that lies relative to `image` as this box lies relative to `place`.
    #[inline]
    pub(crate) fn beside(&self, place: WorldPoint, image: WorldPoint) -> WorldAabb {
        let region = self.region.wrapping_add(image.region.wrapping_sub(place.region));
        WorldAabb { region, ..*self }
    }

    /// Whether two valid boxes have a point in common, exactly. Touching counts.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &WorldAabb) -> bool {
        if self.region == other.region { self.aabb.overlaps(&other.aabb) } else { self.overlaps_afar(other) }
    }

    /// [`WorldAabb::overlaps`] for different regions.
    #[inline(never)]
    fn overlaps_afar(&self, other: &WorldAabb) -> bool {
        let (a, b) = (&self.aabb, &other.aabb);
        let x = metres_between(self.region.x, other.region.x);
        let y = metres_between(self.region.y, other.region.y);
        at_most(a.min.x, b.max.x, x)
            && at_most(b.min.x, a.max.x, -x)
            && at_most(a.min.y, b.max.y, y)
            && at_most(b.min.y, a.max.y, -y)
    }

    /// Returns the box relative to the centre of `origin`, rounded outward: it contains every point
    /// of this box.
    #[inline]
    #[must_use]
    pub fn relative_to(&self, origin: IVec2) -> Aabb {
        if self.region == origin { self.aabb } else { self.moved_to(origin) }
    }

    #[inline(never)]
    fn moved_to(&self, origin: IVec2) -> Aabb {
        let x = metres_between(origin.x, self.region.x);
        let y = metres_between(origin.y, self.region.y);
        let Aabb { min, max } = self.aabb;
        Aabb {
            min: Vec2::new(sum_below(x, min.x), sum_below(y, min.y)),
            max: Vec2::new(-sum_below(-x, -max.x), -sum_below(-y, -max.y)),
        }
    }
}

/// Returns the distance from the centre of region `a` to the centre of region `b`: exact.
#[inline]
fn metres_between(a: i32, b: i32) -> f64 {
    (i64::from(b) - i64::from(a)) as f64 * f64::from(REGION_SIZE)
}

/// Whether `x - y <= d` in real numbers.
///
/// Rounding is monotone and keeps `d`, so the rounded difference decides unless it equals `d`; then
/// the rounding error does (Knuth's two-sum).
#[inline]
fn at_most(x: f32, y: f32, d: f64) -> bool {
    let (x, y) = (f64::from(x), f64::from(y));
    let rounded = x - y;
    rounded < d || (rounded == d && sum_error(x, -y, rounded) <= 0.0)
}

/// Returns the largest `f32` that is not above `d + x`, or the next one below it.
#[inline]
fn sum_below(d: f64, x: f32) -> f32 {
    if x.is_infinite() {
        return x;
    }
    let sum = d + f64::from(x);
    let rounded = sum as f32;
    let back = f64::from(rounded);
    let is_below = back < sum || (back == sum && sum_error(d, f64::from(x), sum) >= 0.0);
    if is_below { rounded } else { rounded.next_down() }
}

/// Returns `x + y - sum` exactly, where `sum` is their rounded sum.
#[inline]
fn sum_error(x: f64, y: f64, sum: f64) -> f64 {
    let y_part = sum - x;
    (x - (sum - y_part)) + (y - y_part)
}
