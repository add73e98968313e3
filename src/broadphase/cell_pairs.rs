//! All overlapping pairs among moving boxes, from nothing.
//!
//! In: ids and boxes. Out: every overlapping pair once, in no order. The grid calls it when many boxes changed.
//!
//! A counting sort brings the boxes into buckets of one cell each (or of several cells with the same hash, which
//! costs compares and no wrong answers). Then each box looks at what comes after it in its own cell and
//! at four of the eight neighbours, the others being looked at from there; and on each coarser level at the two or
//! three columns and rows that can hold a box that reaches here. Fine asks coarse, never the other way round, so no
//! loop depends on how many small cells lie under a large box.
//!
//! ```text
//!   row y+1   x-1   x   x+1     cells of a row stand side by side in the table: one run of entries
//!   row y           x   x+1     begins behind the box itself
//! ```

use glam::IVec2;

use super::cell::{self, LAST_PLACE, Segment, TABLE_MARGIN};
use super::{Pair, WorldAabb};
use crate::simd::{Eight, LANES, Lane, Level, Simd, bits, dispatch, gather};

/// Buckets for each box. Fewer: more boxes of other rows in the same bucket. More: more memory to count over.
const BUCKETS_PER_BOX: usize = 2;

#[derive(Clone, Debug, Default)]
pub(super) struct CellPairs {
    /// Segment and tag of each id as it was given.
    keys: Vec<(u32, u32)>,
    /// Where each bucket begins, and the end of the last.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    segments: Vec<u32>,
    columns: Columns,
    bits: u32,
    levels: u64,
}

/// The entries once more, a column each of their sides as seen from one region and of their rows, followed by
/// a block that is there to be read and not looked at.
#[derive(Clone, Debug, Default)]
struct Columns {
    min_x: Vec<f32>,
    min_y: Vec<f32>,
    max_x: Vec<f32>,
    max_y: Vec<f32>,
    rows: Vec<f32>,
    ids: Vec<u32>,
}

/// A box in its bucket.
#[derive(Clone, Copy, Debug)]
struct Entry {
    aabb: WorldAabb,
    id: u32,
    tag: Tag,
}

/// Level, place of the column in its segment, and the last two bits of the row.
///
/// An overlapping box with the right level and row bits is in the cell that was meant: it cannot be further than
/// a cell away. So each pair is found once, whatever else stands in the bucket.
#[derive(Clone, Copy, Debug)]
struct Tag(u32);

impl Tag {
    #[inline]
    fn new(level: u32, place: u32, row: i64) -> Tag {
        Tag(level << 8 | place << 2 | (row as u32 & 3))
    }

    #[inline]
    fn level(self) -> u32 {
        self.0 >> 8
    }

    #[inline]
    fn place(self) -> u32 {
        self.0 >> 2 & LAST_PLACE
    }

    /// Level and row as a number that a lane can hold.
    #[inline]
    fn row(self) -> f32 {
        ((self.0 >> 8 << 2) | (self.0 & 3)) as f32
    }

    /// The tag of the row above.
    #[inline]
    fn up(self) -> Tag {
        Tag(self.0 & !3 | (self.0 + 1) & 3)
    }
}

impl CellPairs {
    /// Makes `found` all overlapping pairs of `ids`, which must be bounded boxes.
    pub(super) fn find(&mut self, ids: &[u32], boxes: &[WorldAabb], found: &mut Vec<Pair>) {
        found.clear();
        let Some(&first) = ids.first() else { return };
        let region = boxes[first as usize].region;
        let mut same_region = true;
        self.size_table(ids.len());
        self.count(ids, boxes, |aabb| same_region &= aabb.region == region);
        self.sort(ids, boxes);
        self.split(region);
        dispatch!(Level::new(), simd => Search { simd, table: self, same_region, found, count: 0 }.run());
    }

    fn size_table(&mut self, count: usize) {
        let buckets = (count * BUCKETS_PER_BOX).next_power_of_two().max(TABLE_MARGIN);
        self.bits = buckets.trailing_zeros();
        self.starts.clear();
        self.starts.resize(buckets + TABLE_MARGIN + 1, 0);
    }

    /// Finds the cell of each box and counts the boxes of each bucket, one place further on.
    fn count(&mut self, ids: &[u32], boxes: &[WorldAabb], mut see: impl FnMut(&WorldAabb)) {
        self.keys.clear();
        self.levels = 0;
        let (bits, mut levels) = (self.bits, 0);
        let starts = &mut self.starts;
        self.keys.extend(ids.iter().map(|&id| {
            let aabb = &boxes[id as usize];
            see(aabb);
            let level = cell::level(aabb);
            levels |= 1_u64 << level;
            let [x, y] = cell::centre(aabb).map(|c| c >> cell::shift(level));
            let segment = Segment::of(level, x, y);
            let tag = Tag::new(level, cell::place(x), y);
            starts[segment.bucket(bits) + tag.place() as usize + 1] += 1;
            (segment.0, tag.0)
        }));
        self.levels = levels;
    }

    /// Brings entries into their buckets. (Going through the ids in the order of the last time's cells instead: the
    /// writes stay together, but the reads no longer do; 200 ns a box instead of 140 at a million.)
    ///
    /// While it runs, `starts[k + 1]` is where the next entry of bucket k goes.
    fn sort(&mut self, ids: &[u32], boxes: &[WorldAabb]) {
        let mut sum = 0;
        for start in &mut self.starts {
            sum += core::mem::replace(start, sum);
        }
        // Every place is written below; old contents need not be cleared.
        let blank = Entry { aabb: WorldAabb::EMPTY, id: 0, tag: Tag(0) };
        self.entries.resize(ids.len(), blank);
        self.segments.resize(ids.len(), 0);
        for (&id, &(segment, tag)) in ids.iter().zip(&self.keys) {
            let tag = Tag(tag);
            let next = &mut self.starts[Segment(segment).bucket(self.bits) + tag.place() as usize + 1];
            let slot = *next as usize;
            *next += 1;
            self.entries[slot] = Entry { aabb: boxes[id as usize], id, tag };
            self.segments[slot] = segment;
        }
    }

    /// Fills the columns. A box of another region is rounded outward; whoever reads them must ask again.
    fn split(&mut self, region: IVec2) {
        let CellPairs { entries, columns: Columns { min_x, min_y, max_x, max_y, rows, ids }, .. } = self;
        let len = entries.len();
        for column in [&mut *min_x, &mut *min_y, &mut *max_x, &mut *max_y, &mut *rows] {
            column.resize(len + LANES, 0.0);
        }
        ids.resize(len + LANES, 0);
        for (index, entry) in entries.iter().enumerate() {
            let aabb = entry.aabb.relative_to(region);
            (min_x[index], min_y[index]) = (aabb.min.x, aabb.min.y);
            (max_x[index], max_y[index]) = (aabb.max.x, aabb.max.y);
            rows[index] = entry.tag.row();
            ids[index] = entry.id;
        }
    }

    /// The entries of some buckets, the last included.
    #[inline(always)]
    fn run(&self, first: usize, last: usize) -> Run {
        (self.starts[first], self.starts[last + 1])
    }
}

/// Where some entries begin and end.
type Run = (u32, u32);

/// The search of all entries' neighbours. Everything here is inlined into one function for each
/// instruction set.
struct Search<'a, S> {
    simd: S,
    table: &'a CellPairs,
    /// Whether all boxes are of the region that the columns are seen from.
    same_region: bool,
    /// Long enough for what comes; the first `count` are true.
    found: &'a mut Vec<Pair>,
    count: usize,
}

/// The sides of the box that asks, in all lanes.
struct Asking<S: Simd> {
    min_x: Eight<S>,
    min_y: Eight<S>,
    max_x: Eight<S>,
    max_y: Eight<S>,
    entry: Entry,
}

impl<S: Simd> Search<'_, S> {
    #[inline(always)]
    fn run(mut self) {
        self.found.resize(self.found.capacity(), Pair::default());
        for index in 0..self.table.entries.len() {
            let asking = self.ask(index);
            self.compare_level(index, &asking);
            let coarser = self.table.levels >> asking.entry.tag.level() >> 1;
            if coarser != 0 {
                self.compare_coarser(&asking, coarser);
            }
        }
        self.found.truncate(self.count);
    }

    #[inline(always)]
    fn ask(&self, index: usize) -> Asking<S> {
        let columns = &self.table.columns;
        Asking {
            min_x: gather(self.simd, [columns.min_x[index]; LANES]),
            min_y: gather(self.simd, [columns.min_y[index]; LANES]),
            max_x: gather(self.simd, [columns.max_x[index]; LANES]),
            max_y: gather(self.simd, [columns.max_y[index]; LANES]),
            entry: self.table.entries[index],
        }
    }

    /// Half of the neighbours on the entry's own level: two runs, or up to four at the end of a segment.
    #[inline(always)]
    fn compare_level(&mut self, index: usize, asking: &Asking<S>) {
        let (table, tag) = (self.table, asking.entry.tag);
        let (segment, place) = (Segment(table.segments[index]), tag.place() as usize);
        let bucket = segment.bucket(table.bits) + place;
        let above = segment.up().bucket(table.bits) + place;
        let (is_first, is_last) = (place == 0, place == LAST_PLACE as usize);
        let own_end = table.starts[bucket + 2 - usize::from(is_last)];
        let mut runs = [((0, 0), tag); 4];
        runs[0].0 = (index as u32 + 1, own_end);
        runs[1] = (table.run(above - usize::from(!is_first), above + usize::from(!is_last)), tag.up());
        let mut count = 2;
        if is_last {
            let right = segment.right();
            let (own, above) = (right.bucket(table.bits), right.up().bucket(table.bits));
            runs[2] = (table.run(own, own), tag);
            runs[3] = (table.run(above, above), tag.up());
            count = 4;
        } else if is_first {
            let above = segment.left().up().bucket(table.bits) + LAST_PLACE as usize;
            runs[2] = (table.run(above, above), tag.up());
            count = 3;
        }
        for &(run, tag) in &runs[..count] {
            self.compare(asking, run, tag);
        }
    }

    /// The cells of each coarser level that can hold a box which reaches here: two or three a side.
    #[inline(always)]
    fn compare_coarser(&mut self, asking: &Asking<S>, mut coarser: u64) {
        let centre = cell::centre(&asking.entry.aabb);
        let own = 1_i64 << cell::shift(asking.entry.tag.level());
        let mut level = asking.entry.tag.level() + 1;
        while coarser != 0 {
            let step = coarser.trailing_zeros();
            level += step;
            coarser = coarser >> step >> 1;
            let shift = cell::shift(level);
            // Centres of overlapping boxes differ by at most half of both sides; cells are longer than sides.
            let reach = (own + (1 << shift)) >> 1;
            let [low, high] = [centre.map(|c| (c - reach) >> shift), centre.map(|c| (c + reach) >> shift)];
            for y in low[1]..=high[1] {
                let (runs, count) = self.row_runs(level, [low[0], high[0]], y);
                for &run in &runs[..count] {
                    self.compare(asking, run, Tag::new(level, 0, y));
                }
            }
            level += 1;
        }
    }

    /// The cells of row `y` from column `low` to `high`: one run, or two across a border of segments.
    #[inline(always)]
    fn row_runs(&self, level: u32, [low, high]: [i64; 2], y: i64) -> ([Run; 2], usize) {
        let table = self.table;
        let (first, last) = (cell::place(low) as usize, cell::place(high) as usize);
        let begin = Segment::of(level, low, y).bucket(table.bits);
        if first <= last {
            return ([table.run(begin + first, begin + last), (0, 0)], 1);
        }
        let end = Segment::of(level, high, y).bucket(table.bits);
        ([table.run(begin + first, begin + LAST_PLACE as usize), table.run(end, end + last)], 2)
    }

    /// Compares with a run, eight at a time. Only entries with the row of `tag` are meant.
    ///
    /// The first three pairs of a block are written and the true ones counted: one in six neighbours is, so a branch would
    /// often be wrong. (With 100,000 boxes of 3 pairs in random order, all of finding pairs: 77 ns a box; one neighbour
    /// at a time without branches 86, with branches 180; all eight lanes written 86.)
    #[inline(always)]
    fn compare(&mut self, asking: &Asking<S>, (begin, end): Run, tag: Tag) {
        let (begin, end) = (begin as usize, end as usize);
        let row = gather(self.simd, [tag.row(); LANES]);
        let mut at = begin;
        while at < end {
            let mut hits = self.block_hits(asking, at, row);
            hits &= (1_u32 << (end - at).min(LANES)) - 1;
            if self.same_region || hits != 0 {
                self.take(asking, at, hits);
            }
            at += LANES;
        }
    }

    /// One bit for each of the eight entries from `at` that is in the row and overlaps, as far as the columns know.
    #[inline(always)]
    fn block_hits(&self, asking: &Asking<S>, at: usize, row: Eight<S>) -> u32 {
        let columns = &self.table.columns;
        let min_x = load(self.simd, &columns.min_x, at);
        let min_y = load(self.simd, &columns.min_y, at);
        let max_x = load(self.simd, &columns.max_x, at);
        let max_y = load(self.simd, &columns.max_y, at);
        let rows = load(self.simd, &columns.rows, at);
        bits(
            asking.min_x.le(max_x)
                & min_x.le(asking.max_x)
                & asking.min_y.le(max_y)
                & min_y.le(asking.max_y)
                & rows.eq(row),
        )
    }

    #[inline(always)]
    fn take(&mut self, asking: &Asking<S>, at: usize, mut hits: u32) {
        if self.found.len() < self.count + LANES {
            self.found.resize(2 * self.count + 64, Pair::default());
        }
        let id = asking.entry.id;
        if self.same_region {
            // Three places are written without asking whether there are three hits: there rarely are more.
            let mut rest = hits;
            let window: &mut [Pair; 3] =
                self.found[self.count..].first_chunk_mut().expect("made long enough");
            let others: &[u32; LANES] =
                self.table.columns.ids[at..].first_chunk().expect("columns end with a block of padding");
            for place in window {
                let other = others[rest.trailing_zeros() as usize & (LANES - 1)];
                *place = Pair { a: id.min(other), b: id.max(other) };
                rest &= rest.wrapping_sub(1);
            }
            self.count += (hits.count_ones() as usize).min(3);
            hits = rest;
        }
        while hits != 0 {
            let other = &self.table.entries[at + hits.trailing_zeros() as usize];
            hits &= hits - 1;
            if self.same_region || asking.entry.aabb.overlaps(&other.aabb) {
                self.found[self.count] = Pair { a: id.min(other.id), b: id.max(other.id) };
                self.count += 1;
            }
        }
    }
}

/// Eight numbers of a column that ends with a block of padding.
#[inline(always)]
fn load<S: Simd>(simd: S, column: &[f32], at: usize) -> Eight<S> {
    let mut block = [0.0; LANES];
    block.copy_from_slice(&column[at..at + LANES]);
    gather(simd, block)
}
