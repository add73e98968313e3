//! The levels of the grid: which sizes share cells of one width, and where the boxes of a cell
//! stand in the table.
//!
//! In: the sizes of the boxes, and the box around them. Out: levels; for a box its level, for a
//! level and a place the bucket. Levels are made anew when boxes no longer fit them; in between
//! only the size of the table follows the number of boxes.
//!
//! ```text
//!   level 0   boxes up to size s0, cells as wide           a box stands in the one cell that holds its lower left
//!   level 1   boxes up to size s1, cells as wide           corner. So boxes of one level that overlap stand in the
//!   last      the few that are larger, or fast             same cell or in neighbours.
//! ```
//!
//! The buckets of a row of cells follow each other. So do the rows, if the rectangle of all cells
//! is not much larger than the number of boxes; else rows are laid over each other in a table, far
//! apart.

use super::cell::{Extent, Ruler};

/// The number of powers of two that sizes are counted by: 2^-21 m and less, to 2^30 m and more.
const BINS: usize = 52;

/// The greatest number of levels.
pub(super) const LEVELS: usize = BINS + 1;

/// The room for boxes that grow or become faster before the plan has to be made again.
const GROWTH_SLACK: f32 = 1.02;

/// Cells for each box up to which the rectangle of all cells is a table.
const CELLS_PER_BOX: u64 = 4;

/// The factor by which a search may become more expensive before the plan is made anew.
const DEARER: f64 = 1.5;

/// The distance of rows in a table without rectangle, as a share of 2^32: multiples of the golden
/// section spread evenly.
const ROW_STEP: u32 = 0x9E37_79B9;

/// Boxes of similar size, and their part of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Level {
    /// The size of the largest box.
    pub(super) limit: f32,
    pub(super) ruler: Ruler,
    /// Buckets from a row to the next.
    pub(super) pitch: u32,
    mask: u32,
    /// The first bucket of the level, and how many it has.
    pub(super) base: usize,
    pub(super) buckets: usize,
    pub(super) count: usize,
}

impl Level {
    /// Returns the cell of a place in the extent.
    #[inline(always)]
    pub(super) fn cell(&self, place: [u64; 2]) -> [u64; 2] {
        [self.ruler.cell(place[0]), self.ruler.cell(place[1])]
    }

    /// Returns the bucket of a cell, counted from the first bucket of the level. A border of empty
    /// cells keeps neighbours within the table.
    #[inline(always)]
    pub(super) fn bucket(&self, [x, y]: [u64; 2]) -> usize {
        let row = (y as u32).wrapping_add(1).wrapping_mul(self.pitch);
        (row.wrapping_add(x as u32).wrapping_add(1) & self.mask) as usize
    }

    /// Returns the bucket of the cell above and to the left.
    #[inline(always)]
    pub(super) fn above(&self, bucket: usize) -> usize {
        ((bucket as u32).wrapping_add(self.pitch).wrapping_sub(1) & self.mask) as usize
    }

    /// Returns the boxes of some buckets, in two runs if they cross the end of the table.
    #[inline(always)]
    pub(super) fn runs(&self, table: &[u32], first: usize, width: usize) -> [(u32, u32); 2] {
        let end = first + width;
        if end <= self.buckets {
            [(table[first], table[end]), (0, 0)]
        } else {
            [(table[first], table[self.buckets]), (table[0], table[end - self.buckets])]
        }
    }

    /// Lays out the table for an extent of that size.
    fn lay(&mut self, size: [u64; 2]) {
        let [width, height] = self.cell(size).map(|last| last.saturating_add(3));
        let area = width.saturating_mul(height);
        let room = CELLS_PER_BOX * self.count as u64 + 64;
        if area <= room {
            self.pitch = width as u32;
            self.buckets = area as usize;
            self.mask = u32::MAX;
        } else {
            self.buckets = (2 * self.count).next_power_of_two().max(64);
            self.mask = self.buckets as u32 - 1;
            self.pitch = (ROW_STEP >> (32 - self.buckets.trailing_zeros().min(32))) | 1;
        }
    }
}

/// Counts of boxes by size, from which a plan is made.
#[derive(Clone, Debug)]
pub(super) struct Census {
    counts: [usize; BINS],
    largest: [f32; BINS],
    /// Sum of the squares of sizes.
    squares: f64,
}

impl Default for Census {
    fn default() -> Census {
        Census { counts: [0; BINS], largest: [0.0; BINS], squares: 0.0 }
    }
}

impl Census {
    #[inline]
    pub(super) fn count(&mut self, size: f32) {
        let bin = ((size.to_bits() >> 23).saturating_sub(127 - 21) as usize).min(BINS - 1);
        self.counts[bin] += 1;
        self.largest[bin] = crate::math::max(self.largest[bin], size);
        self.squares += f64::from(size) * f64::from(size);
    }
}

#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The levels from small to large sizes; the last level takes boxes larger than all limits.
    pub(super) levels: Vec<Level>,
    pub(super) extent: Extent,
    /// The largest size that has a level of its own.
    pub(super) largest: f32,
    /// Buckets of all levels.
    pub(super) buckets: usize,
    /// Boxes that the plan was made for.
    made_for: usize,
    /// The area that the boxes share, and the estimated cost of a search at that time.
    area: f64,
    cost: f64,
    /// How many frames ago the plan was made.
    age: usize,
}

crate::state::clone_by_field! { Plan { levels, extent, largest, buckets, made_for, area, cost, age } }

impl Plan {
    /// Returns the level of a box of this size.
    #[inline(always)]
    pub(super) fn level(&self, size: f32) -> usize {
        let mut level = 0;
        while level + 1 < self.levels.len() && size > self.levels[level].limit {
            level += 1;
        }
        level
    }

    /// Returns the bucket of a box by its lower left corner and its size.
    #[inline(always)]
    pub(super) fn bucket(&self, corner: [i64; 2], size: f32) -> u32 {
        let level = &self.levels[self.level(size)];
        (level.base + level.bucket(level.cell(self.extent.place(corner)))) as u32
    }

    /// Sets the number of boxes of each level from the counts of its buckets, one place further on.
    pub(super) fn recount(&mut self, counts: &[u32]) {
        for level in &mut self.levels {
            let buckets = level.base + 1..=level.base + level.buckets;
            level.count = counts[buckets].iter().sum::<u32>() as usize;
        }
    }

    /// Whether the levels no longer suit the boxes.
    ///
    /// In the last level all boxes are compared with all others, and in coarse cells nearly so.
    /// Where all boxes grow at once, one search with the old plan would take a time that grows with
    /// the square of their number.
    pub(super) fn is_outgrown(&self, count: usize) -> bool {
        let misfits = self.levels.last().map_or(usize::MAX, |level| level.count);
        misfits > 8 + count / 1024
            || self.age > 64
            || count > 2 * self.made_for + 64
            || 2 * count + 64 < self.made_for
            || self.cost_now() > DEARER * self.cost + 5.0 * count as f64
    }

    /// Estimates the nanoseconds of a search with the present number of boxes in each level.
    fn cost_now(&self) -> f64 {
        let (mut below, mut smaller, mut cost) = (0.0, 0.0, 0.0);
        for level in self.levels.iter().filter(|level| level.count > 0 && level.limit.is_finite()) {
            let (count, edge) = (level.count as f64, f64::from(level.limit));
            cost += own_cost(count, edge, self.area);
            cost += if below > 0.0 { cross_cost(below, count, smaller, edge, self.area) } else { 0.0 };
            (below, smaller) = (below + count, edge);
        }
        cost
    }

    /// Chooses the levels: the partition of the powers of two with the least estimated cost
    /// (dynamic programming).
    pub(super) fn make(&mut self, census: &Census, extent: &Extent, count: usize) {
        let side = extent.size().map(|size| size as f64 / (1 << 21) as f64 + 1.0e-6);
        let area = (side[0] * side[1]).min(4.0 * census.squares + 1.0e-12);
        let (mut bins, mut len) = ([0; BINS], 0);
        for bin in (0..BINS).filter(|&bin| census.counts[bin] > 0) {
            bins[len] = bin;
            len += 1;
        }
        let bins = &bins[..len];
        // best[k]: the least cost of the first k bins, and the bin at which its last level begins.
        let mut best = [(0.0_f64, 0); BINS + 1];
        for end in 1..=bins.len() {
            best[end] = (f64::INFINITY, 0);
            let edge = f64::from(census.largest[bins[end - 1]]);
            let mut inside = 0.0;
            for first in (0..end).rev() {
                inside += census.counts[bins[first]] as f64;
                let below: usize = bins[..first].iter().map(|&bin| census.counts[bin]).sum();
                let smaller = first.checked_sub(1).map_or(0.0, |bin| f64::from(census.largest[bins[bin]]));
                let cost = best[first].0
                    + own_cost(inside, edge, area)
                    + cross_cost(below as f64, inside, smaller, edge, area);
                if cost < best[end].0 {
                    best[end] = (cost, first);
                }
            }
        }
        self.levels.clear();
        let mut end = bins.len();
        while end > 0 {
            let limit = census.largest[bins[end - 1]] * GROWTH_SLACK;
            self.levels.push(Level { limit, ruler: Ruler::new(limit), ..Level::default() });
            end = best[end].1;
        }
        self.levels.reverse();
        self.largest = self.levels.last().map_or(0.0, |level| level.limit);
        let beyond = (1_u64 << 35) as f32;
        self.levels.push(Level { limit: f32::INFINITY, ruler: Ruler::new(beyond), ..Level::default() });
        // Each level has as many boxes as there are in all, until they are counted.
        self.levels.iter_mut().for_each(|level| level.count = count);
        (self.made_for, self.age) = (count, 0);
        (self.area, self.cost) = (area, best[bins.len()].0);
    }

    /// Lays out the table for boxes in an extent, by the last count of each level.
    pub(super) fn lay(&mut self, extent: &Extent) {
        self.age += 1;
        self.buckets = 0;
        self.extent = if extent.is_some() { *extent } else { Extent { low: [0; 2], high: [0; 2] } };
        let size = self.extent.size();
        for level in &mut self.levels {
            level.lay(size);
            level.base = self.buckets;
            self.buckets += level.buckets;
        }
    }
}

/// Estimates the nanoseconds of comparing `count` boxes with each other in cells of width `edge`.
fn own_cost(count: f64, edge: f64, area: f64) -> f64 {
    count * (5.0 + 1.0 * count * edge * edge / area)
}

/// Estimates the nanoseconds of comparing boxes with boxes of coarser cells; the cheaper of both
/// directions counts.
fn cross_cost(below: f64, count: f64, smaller: f64, edge: f64, area: f64) -> f64 {
    let fine = below * (10.0 + count * edge * edge / area);
    let coarse =
        count * (5.0 * (edge / smaller + 2.0) + 0.3 * below * (edge + smaller) * (edge + smaller) / area);
    if fine < coarse { fine } else { coarse }
}
