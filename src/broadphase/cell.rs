//! Fixed-point coordinates: the place of a box in the world, exact and cheap.
//!
//! In: a region and metres in it. Out: `i64` counts of 2^-21 m, in which region and offset add up
//! exactly everywhere, and cells of any width by one multiplication. The plan computes cells from
//! them; trees sort by centres in these units.

use super::WorldAabb;

/// The longest side of a box that has a cell, in metres; longer ones are called unbounded.
pub(super) const LARGEST: f32 = (1_u64 << 30) as f32;

/// The farthest coordinate from the centre of a region, in metres. Boxes beyond are clamped to it,
/// so neighbours stay neighbours.
const FARTHEST: f64 = (1_u64 << 40) as f64;

/// Whether a box is valid and has a cell.
#[inline(always)]
pub(super) fn is_bounded(aabb: &WorldAabb) -> bool {
    let size = aabb.aabb.max - aabb.aabb.min;
    // NaN, and infinite corners, make a size for which one of the comparisons fails.
    size.x >= 0.0 && size.x <= LARGEST && size.y >= 0.0 && size.y <= LARGEST
}

/// Returns a coordinate in units of 2^-21 m, rounded; the order of coordinates is kept.
#[inline(always)]
pub(super) fn fixed(region: i32, x: f32) -> i64 {
    // Added to this, a number of less than 2^30 has its last mantissa bit at 2^-21.
    const ANCHOR: f64 = (3_u64 << 30) as f64;
    let x = f64::from(x);
    let local = if x.abs() < f64::from(LARGEST) {
        (ANCHOR + x).to_bits().wrapping_sub(ANCHOR.to_bits()) as i64
    } else {
        far(x)
    };
    (i64::from(region) << 31) + local
}

#[cold]
fn far(x: f64) -> i64 {
    (x.clamp(-FARTHEST, FARTHEST) * (1 << 21) as f64) as i64
}

/// Returns the centre of a bounded box in units of 2^-21 m.
#[inline(always)]
pub(super) fn centre(aabb: &WorldAabb) -> [i64; 2] {
    let (min, max) = (aabb.aabb.min, aabb.aabb.max);
    let middle = |region, min, max| (fixed(region, min) >> 1) + (fixed(region, max) >> 1);
    [middle(aabb.region.x, min.x, max.x), middle(aabb.region.y, min.y, max.y)]
}

/// Cells of one width along one axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ruler {
    /// Width of a cell in units of 2^-21 m.
    pub(super) edge: i64,
    /// 2^64 over the width, or a little less.
    factor: u64,
}

impl Ruler {
    /// Makes cells at least as wide as boxes of `size`, with room for all rounding here and in
    /// [`fixed`].
    pub(super) fn new(size: f32) -> Ruler {
        let edge = f64::from(size) * (1 << 21) as f64 * (1.0 + 1.0 / (1 << 20) as f64);
        let edge = edge as i64 + 4;
        Ruler { edge, factor: u64::MAX / edge as u64 }
    }

    /// Returns the cell of a coordinate, counted from the first cell. Coordinates that differ by at
    /// most the width are in the same cell or in neighbouring cells.
    #[inline(always)]
    pub(super) fn cell(&self, x: u64) -> u64 {
        ((u128::from(x) * u128::from(self.factor)) >> 64) as u64
    }
}

/// The part of the world that cells cover; a place outside counts as a place on its border.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) low: [i64; 2],
    pub(super) high: [i64; 2],
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { low: [i64::MAX; 2], high: [i64::MIN; 2] }
    }
}

impl Extent {
    /// Whether it contains a place.
    pub(super) fn is_some(&self) -> bool {
        self.low[0] <= self.high[0]
    }

    /// Returns its width and height.
    pub(super) fn size(&self) -> [u64; 2] {
        self.place(self.high)
    }

    #[inline(always)]
    pub(super) fn include(&mut self, place: [i64; 2]) {
        let [x, y] = place;
        self.low = [self.low[0].min(x), self.low[1].min(y)];
        self.high = [self.high[0].max(x), self.high[1].max(y)];
    }

    /// Returns a place relative to the lower left corner, clamped to the extent.
    #[inline(always)]
    pub(super) fn place(&self, place: [i64; 2]) -> [u64; 2] {
        let along = |axis: usize| {
            place[axis].max(self.low[axis]).min(self.high[axis]).wrapping_sub(self.low[axis]) as u64
        };
        [along(0), along(1)]
    }
}
