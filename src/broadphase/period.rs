//! Worlds that wrap round (periodic boundary): chooses the image of a place.
//!
//! In: points, and the number of regions after which the world repeats itself. Out: the one place
//! of each point in the world, and the image of it that is nearest to another point. All code that
//! takes the difference of two places in a world calls this first, and then computes as in a world
//! without end.
//!
//! ```text
//!        images of b          the world          images of b
//!      |----b'------|------a--------b----|--------b'------|       from a the nearest is b
//!      |-------b'---|-a-------------b----|-------b'-------|       here it is the image on the left
//! ```
//!
//! A period is a whole number of regions. So an image differs from its point by the region alone,
//! and the vector to it has the same bits as anywhere else.

use glam::{IVec2, Vec2};

use super::WorldAabb;
use crate::math::WorldPoint;
use crate::tuning::REGION_SIZE;

/// Queries may reach across this many periods.
const MOST_PERIODS: f32 = 4.0;

/// The number of regions after which a world repeats itself along x and y; 0 for never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Period(pub(crate) IVec2);

impl Period {
    /// The period of a world without end.
    pub(crate) const NONE: Period = Period(IVec2::ZERO);

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self.0 == IVec2::ZERO
    }

    /// Returns the point as the world keeps it: in regions 0 up to the period.
    #[inline]
    pub(crate) fn wrapped(self, point: WorldPoint) -> WorldPoint {
        if self.is_none() { point } else { self.wrapped_afar(point) }
    }

    #[inline(never)]
    fn wrapped_afar(self, point: WorldPoint) -> WorldPoint {
        let axis = |region: i32, period: i32| if period > 0 { region.rem_euclid(period) } else { region };
        let region = IVec2::new(axis(point.region.x, self.0.x), axis(point.region.y, self.0.y));
        WorldPoint { region, ..point }
    }

    /// Returns the image of a point that is nearest to another point. If two are at equal distance,
    /// it is the image with the greater coordinate.
    #[inline]
    pub(crate) fn image(self, point: WorldPoint, near: WorldPoint) -> WorldPoint {
        if self.is_none() { point } else { self.image_afar(point, near) }
    }

    #[inline(never)]
    fn image_afar(self, point: WorldPoint, near: WorldPoint) -> WorldPoint {
        let between = near.local.as_dvec2() - point.local.as_dvec2();
        let axis = |k: usize| nearest(self.0[k], (point.region[k], near.region[k]), between[k]);
        let (x, y) = (axis(0), axis(1));
        WorldPoint { region: IVec2::new(x, y), ..point }
    }

    /// Returns the vector from one point to the nearest image of another point.
    #[inline]
    pub(crate) fn between(self, from: WorldPoint, to: WorldPoint) -> Vec2 {
        from.to(self.image(to, from))
    }

    /// Returns the image of a box whose middle is nearest to a point.
    #[inline]
    pub(crate) fn box_image(self, aabb: WorldAabb, near: WorldPoint) -> WorldAabb {
        if self.is_none() { aabb } else { self.box_image_afar(aabb, near) }
    }

    #[inline(never)]
    fn box_image_afar(self, aabb: WorldAabb, near: WorldPoint) -> WorldAabb {
        let between = near.local.as_dvec2() - 0.5 * (aabb.aabb.min.as_dvec2() + aabb.aabb.max.as_dvec2());
        let axis = |k: usize| nearest(self.0[k], (aabb.region[k], near.region[k]), between[k]);
        let (x, y) = (axis(0), axis(1));
        WorldAabb { region: IVec2::new(x, y), ..aabb }
    }

    /// Whether two boxes have a point in common, both no larger than half a period.
    #[inline]
    pub(crate) fn overlap(self, a: &WorldAabb, b: &WorldAabb) -> bool {
        if self.is_none() { a.overlaps(b) } else { a.overlaps(&self.box_image_afar(*b, middle_of(a))) }
    }

    /// Returns the shifts, in regions, under which a thing in regions 0 up to the period and a
    /// little beyond may meet another thing there. The first shift is zero; without a period it is
    /// the only one.
    pub(crate) fn shifts(self) -> impl Iterator<Item = IVec2> {
        self.shifts_up_to([1; 2])
    }

    /// Returns the shifts by up to `times` periods either way along each axis, the shortest first.
    fn shifts_up_to(self, times: [i32; 2]) -> impl Iterator<Item = IVec2> {
        let count = |axis: usize| if self.0[axis] > 0 { 2 * times[axis] + 1 } else { 1 };
        let (x, y) = (count(0), count(1));
        // 0, 1, -1, 2, -2, …
        let by = |k: i32| if k % 2 == 1 { k / 2 + 1 } else { -(k / 2) };
        (0..x * y).map(move |k| IVec2::new(by(k % x) * self.0.x, by(k / x) * self.0.y))
    }

    /// Returns the images of a place that are nearer to the world than `reach` along each axis:
    /// from these images things of the world can be met. No image if `reach` is more than four
    /// periods.
    pub(crate) fn images_within(self, reach: Vec2, of: WorldPoint) -> impl Iterator<Item = WorldPoint> {
        let periods = [self.0.x, self.0.y].map(|period| period as f32 * REGION_SIZE);
        let share = |axis: usize| if self.0[axis] > 0 { reach[axis] / periods[axis] } else { 0.0 };
        let shares = [share(0), share(1)];
        // Shapes stand at most half a period out of the world: where regions are joined, centres
        // are kept up to a quarter before it.
        let times = shares.map(|share| 1 + (crate::math::min(share, MOST_PERIODS) + 0.5) as i32);
        let home = self.wrapped(of);
        let count = if shares.iter().all(|share| *share <= MOST_PERIODS) { usize::MAX } else { 0 };
        let image = move |shift| WorldPoint { region: home.region.wrapping_add(shift), ..home };
        self.shifts_up_to(times).take(count).map(image)
    }

    /// Returns a reach, with 0 along an axis on which it is as long as a period.
    pub(crate) fn less(self, reach: Vec2) -> Vec2 {
        let axis = |k: usize| if reach[k] < self.0[k] as f32 * REGION_SIZE { reach[k] } else { 0.0 };
        Vec2::new(axis(0), axis(1))
    }

    /// Whether a thing of this size does not meet itself.
    pub(crate) fn holds(self, size: Vec2) -> bool {
        let is_within = |axis: usize| self.0[axis] == 0 || size[axis] <= self.0[axis] as f32 * REGION_SIZE;
        is_within(0) && is_within(1)
    }

    /// Returns the shorter of its sides, in metres; infinite for a world without end.
    pub(crate) fn least(self) -> f32 {
        let sides = [self.0.x, self.0.y].map(|period| period as f32 * REGION_SIZE);
        sides.into_iter().filter(|&side| side > 0.0).fold(f32::INFINITY, crate::math::min)
    }
}

fn middle_of(aabb: &WorldAabb) -> WorldPoint {
    WorldPoint::new(aabb.region, 0.5 * (aabb.aabb.min + aabb.aabb.max))
}

/// Returns the region of the image that is nearest to a place. `distance` is the distance to the place
/// in metres if both were in one region. Returns `region` itself if the result is no `i32`.
fn nearest(period: i32, (region, near): (i32, i32), distance: f64) -> i32 {
    if period == 0 {
        return region;
    }
    let regions = i64::from(near) - i64::from(region);
    let distance = regions as f64 + distance / f64::from(REGION_SIZE);
    // The cast turns NaN into 0.
    let times = (distance / f64::from(period) + 0.5).floor() as i64;
    let shift = times.saturating_mul(i64::from(period));
    i32::try_from(shift.saturating_add(i64::from(region))).unwrap_or(region)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    fn at(region: [i32; 2], local: [f32; 2]) -> WorldPoint {
        WorldPoint { region: region.into(), local: local.into() }
    }

    /// Two points 24 m apart, in the middle and across each seam: the same bits. Where nothing
    /// repeats, nothing changes.
    #[test]
    fn a_way_across_the_seam_has_the_bits_of_one_in_the_middle() {
        let period = Period([4, 2].into());
        let ways = [[0, 0], [3, 0], [0, 1], [3, 1], [7, -5]].map(|[x, y]| {
            let (a, b) = (at([x, y], [500.1, 511.7]), at([x + 1, y + 1], [-500.3, -499.9]));
            period.between(period.wrapped(a), period.wrapped(b))
        });
        assert!(ways.iter().all(|way| *way == ways[0]), "{ways:?}");
        assert!((ways[0] - vec2(23.6, 12.4)).length() < 1.0e-3);
        let (a, b) = (at([-3, 9], [1.0, 2.0]), at([70, -9], [3.0, 4.0]));
        assert_eq!(Period::NONE.between(a, b), a.to(b));
        assert_eq!((Period::NONE.wrapped(b), Period::NONE.image(b, a)), (b, b));
    }

    /// Only the axis that repeats has images; either of two at equal distance will do.
    #[test]
    fn each_axis_has_its_own_period() {
        let period = Period([2, 0].into());
        let (a, b) = (at([0, 0], [0.0, 0.0]), at([1, 7], [100.0, 0.0]));
        assert_eq!(period.between(a, b), vec2(-924.0, 7.0 * 1024.0));
        assert_eq!(period.between(b, a), vec2(924.0, -7.0 * 1024.0));
        assert_eq!(period.image(at([1, 0], [0.0, 0.0]), a).region.x.abs(), 1);
        assert_eq!(period.shifts().collect::<Vec<_>>(), [[0, 0], [2, 0], [-2, 0]].map(IVec2::from));
        assert_eq!(Period::NONE.shifts().collect::<Vec<_>>(), [IVec2::ZERO]);
        assert_eq!((period.least(), Period::NONE.least()), (2048.0, f32::INFINITY));
    }

    /// An image is a point for any input.
    #[test]
    fn far_points_have_no_image_beyond_the_last_region() {
        let period = Period([2, 2].into());
        for point in
            [at([i32::MIN, i32::MAX], [1.0, 2.0]), at([0, 0], [f32::NAN, 0.0]), at([0, 0], [1.0e30, -3.0e38])]
        {
            for near in
                [at([i32::MAX, i32::MIN], [3.0, 4.0]), WorldPoint::ORIGIN, at([0, 0], [-3.0e38, 1.0e30])]
            {
                let image = period.image(point, near);
                assert_eq!(image.region.wrapping_sub(point.region).x % 2, 0);
                let _ = (period.wrapped(point), period.between(point, near));
            }
        }
    }

    #[test]
    fn boxes_overlap_across_the_seam() {
        let period = Period([2, 2].into());
        let around = |region: [i32; 2], middle: Vec2| WorldAabb {
            region: region.into(),
            aabb: crate::bounds::Aabb { min: middle - 1.0, max: middle + 1.0 },
        };
        let a = around([1, 1], vec2(511.5, 511.5));
        let b = around([0, 0], vec2(-511.0, -511.0));
        assert!(period.overlap(&a, &b) && period.overlap(&b, &a) && !a.overlaps(&b));
        assert!(!period.overlap(&a, &around([0, 0], vec2(-508.0, -511.0))));
    }
}
