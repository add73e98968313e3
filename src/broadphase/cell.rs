//! Levels and cells: where a box stands in the hierarchical grid.
//!
//! In: a box. Out: its level by size, its centre in fixed-point numbers, and the bucket of a cell in a table. The
//! full search for pairs calls it for every moving box; trees take the centres for their order.
//!
//! ```text
//!   level 0   cells of 2^-19 m         a box stands in the one cell that holds its centre, on the level whose
//!   level k   cells of 2^(k-19) m      cells are 1 to 2 times its longer side. So boxes of one level that
//!   level 50  cells of 2^31 m          overlap stand in the same cell or in neighbours.
//! ```
//!
//! Centres are `i64` counts of 2^-21 m: region and offset add up exactly everywhere, and a cell is a shift.

use super::WorldAabb;
use crate::math::max;

/// Levels that have cells; a box beyond the last is called unbounded.
pub(super) const LEVELS: u32 = 51;

/// Cells of a row that lie side by side in the table. Rows are cut so that boxes a power of two apart do not
/// all fall on the same few buckets.
const SEGMENT_BITS: u32 = 6;
const SEGMENT: u32 = 1 << SEGMENT_BITS;

/// Buckets that a table has beyond a power of two, so that a segment never wraps.
pub(super) const TABLE_MARGIN: usize = SEGMENT as usize;

/// Steps in the table from one row, segment or level to the next, as shares of 2^32: powers of the root
/// of x^4 = x + 1 spread consecutive multiples evenly in three dimensions (M. Roberts, the R sequences). Odd, so
/// that no two rows of 2^32 share a bucket for good.
const ROW_STEP: u32 = 0xD1B5_4A33;
const SEGMENT_STEP: u32 = 0xABC9_8389;
const LEVEL_STEP: u32 = 0x8CB9_2BA7;

/// The level of a box by its longer side; [`LEVELS`] or more when it has no cell.
///
/// The side is taken 2^-20 m and a millionth longer, which makes good every rounding here and in [`centre`].
#[inline]
pub(super) fn level(aabb: &WorldAabb) -> u32 {
    let size = aabb.aabb.max - aabb.aabb.min;
    let size = max(size.x, size.y) * (1.0 + 1.0 / (1 << 20) as f32) + 1.0 / (1 << 20) as f32;
    (size.to_bits() >> 23) - (127 - 20)
}

/// Bits of a centre within a cell of `level`.
#[inline]
pub(super) fn shift(level: u32) -> u32 {
    level + 2
}

/// The centre of a bounded box in units of 2^-21 m, truncated towards the centre of its region.
///
/// Beyond 2^40 m from its region a box stands at 2^40 m: a contraction, so neighbours stay neighbours.
#[inline]
pub(super) fn centre(aabb: &WorldAabb) -> [i64; 2] {
    let (min, max) = (aabb.aabb.min, aabb.aabb.max);
    [fixed(aabb.region.x, min.x, max.x), fixed(aabb.region.y, min.y, max.y)]
}

#[inline]
fn fixed(region: i32, min: f32, max: f32) -> i64 {
    const HALF_UNITS: f64 = (1 << 20) as f64;
    const FARTHEST: f64 = (1_u64 << 61) as f64;
    let local = ((f64::from(min) + f64::from(max)) * HALF_UNITS).clamp(-FARTHEST, FARTHEST);
    (i64::from(region) << 31) + local as i64
}

/// Where a row of cells stands in a table: everything of a cell but its place in its segment.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Segment(pub(super) u32);

impl Segment {
    /// The segment of the cell at column `x`, row `y`.
    #[inline]
    pub(super) fn of(level: u32, x: i64, y: i64) -> Segment {
        let row = (y as u32).wrapping_mul(ROW_STEP);
        let segment = ((x >> SEGMENT_BITS) as u32).wrapping_mul(SEGMENT_STEP);
        Segment(row.wrapping_add(segment).wrapping_add(level.wrapping_mul(LEVEL_STEP)))
    }

    /// The same columns one row further up.
    #[inline]
    pub(super) fn up(self) -> Segment {
        Segment(self.0.wrapping_add(ROW_STEP))
    }

    /// The next columns of the same row.
    #[inline]
    pub(super) fn right(self) -> Segment {
        Segment(self.0.wrapping_add(SEGMENT_STEP))
    }

    /// The columns before in the same row.
    #[inline]
    pub(super) fn left(self) -> Segment {
        Segment(self.0.wrapping_sub(SEGMENT_STEP))
    }

    /// The bucket of the first cell in a table of 2^`bits` buckets; the others follow it.
    #[inline]
    pub(super) fn bucket(self, bits: u32) -> usize {
        (self.0 >> (32 - bits)) as usize
    }
}

/// Place of a column in its segment.
#[inline]
pub(super) fn place(x: i64) -> u32 {
    (x as u32) & (SEGMENT - 1)
}

/// The last place of a segment.
pub(super) const LAST_PLACE: u32 = SEGMENT - 1;
