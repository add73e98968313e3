//! The active boxes in the order of their cells, with their bounds now and at the last search.
//!
//! In: the boxes by id. Out: columns that hold them cell by cell, row by row, and the index at
//! which each cell begins. The sweep runs over these columns.
//!
//! A counting sort each time, from the last order: since most boxes stay in their cells, it reads
//! and writes almost in sequence, and only the boxes by id are fetched from scattered memory, once
//! each. A box stands in the cell of the lower left corner of the box around its old and its new
//! bounds, so that two boxes that move apart are still neighbours.

use glam::IVec2;

use super::cell::{self, Extent};
use super::plan::{Census, Plan};
use super::proxy::{IN_CELL, ORDERED, Proxy, RESET, TOUCHED};
use super::{WorldAabb, sweep::Changes};
use crate::bounds::Aabb;
use crate::math::{max, min};
use crate::simd::{LANES, Lanes, dispatch_wide};
use crate::util::Prefetch;
use crate::util::trim::release;

/// The sides of a box: least x, least y, greatest x, greatest y.
pub(super) type Sides = [f32; 4];

/// Sides of a box that overlaps nothing. (An empty box overlaps the infinite one.)
const OVERLAPS_NOTHING: Sides = [f32::NAN; 4];
pub(super) const NO_BOX_BEFORE: WorldAabb =
    WorldAabb { region: IVec2::ZERO, aabb: Aabb { min: glam::Vec2::NAN, max: glam::Vec2::NAN } };

/// Boxes that are fetched together (prefetch). A short loop of their own keeps more loads in
/// flight. (Tried: fetched one by one as they are needed, the sort takes three times as long at
/// 100,000 boxes.)
const FETCHED_AHEAD: usize = 64;

/// A box on its way from the old order to the new.
#[derive(Clone, Copy, Debug, Default)]
struct Fresh {
    now: Sides,
    old: Sides,
    id: u32,
    bucket: u32,
}

#[derive(Debug, Default)]
pub(super) struct Order {
    pub(super) plan: Plan,
    pub(super) lanes: Lanes,
    /// How many boxes there are. The columns are longer by a block of padding.
    pub(super) len: usize,
    pub(super) ids: Vec<u32>,
    pub(super) now: [Vec<f32>; 4],
    pub(super) old: [Vec<f32>; 4],
    pub(super) buckets: Vec<u32>,
    /// Index of the first box of each bucket, and the end of the last bucket.
    pub(super) starts: Vec<u32>,
    /// Whether the boxes are in more than one region. If not, it is `region`, and the next two
    /// columns are empty.
    pub(super) is_mixed: bool,
    pub(super) region: IVec2,
    /// The regions of each box now and at the last search.
    pub(super) regions: Vec<[IVec2; 2]>,
    /// A number for each region that a box is and was in; NaN where the two differ, or the region
    /// is too far from the others.
    pub(super) codes: Vec<f32>,
    /// Ids that the next sort adds.
    arrivals: Vec<u32>,
    /// Ids whose bounds at the last search are not in the columns; and these bounds by id.
    touched: Vec<u32>,
    pub(super) before: Vec<WorldAabb>,
    fresh: Vec<Fresh>,
    fresh_regions: Vec<[IVec2; 2]>,
    /// The box around the lower left corners at the last sort.
    extent: Extent,
    /// Whether the columns were given back: the next sort starts from the boxes alone.
    is_forgotten: bool,
}

crate::state::clone_by_field! { Order { plan, lanes, len, ids, now, old, buckets, starts, is_mixed, region, regions, codes, arrivals, touched, before, extent, is_forgotten } kept { fresh, fresh_regions } }

/// Memory of a sort: boxes on their way, and their regions.
#[derive(Debug, Default)]
pub(super) struct SortMemory(Vec<Fresh>, Vec<[IVec2; 2]>);

/// The number of boxes from which on their order is given back when all rest: 76 bytes each.
const MANY: usize = 1 << 15;

impl Order {
    /// Exchanges the memory that a sort needs.
    pub(super) fn swap_memory(&mut self, memory: &mut SortMemory) {
        core::mem::swap(&mut self.fresh, &mut memory.0);
        core::mem::swap(&mut self.fresh_regions, &mut memory.1);
    }

    /// Prefetches the struct itself.
    pub(super) fn prefetch_head(&self, fetch: &mut Prefetch) {
        let Order { plan, ids, now, old, buckets, starts, arrivals, touched, regions, before, fresh, .. } =
            self;
        fetch.lengths([plan.buckets, plan.levels.len(), ids.len(), buckets.len(), starts.len()]);
        fetch.lengths([now[0].len(), now[1].len(), now[2].len(), now[3].len()]);
        fetch.lengths([old[0].len(), old[1].len(), old[2].len(), old[3].len()]);
        fetch.lengths([arrivals.len(), touched.len(), regions.len(), before.len(), fresh.len()]);
    }

    /// Prefetches the columns.
    pub(super) fn prefetch(&self, fetch: &mut Prefetch) {
        let lists = [&self.ids, &self.buckets, &self.starts];
        lists.into_iter().for_each(|list| fetch.list(list));
        self.now.iter().chain(&self.old).for_each(|side| fetch.list(side));
    }

    /// Adds an id that has become active and bounded. It is already marked as a box without bounds
    /// at the last search.
    pub(super) fn arrive(&mut self, id: u32, proxy: &mut Proxy) {
        if !proxy.is(ORDERED) {
            proxy.state |= ORDERED;
            self.arrivals.push(id);
        }
    }

    /// Notes the bounds of an id at the last search, for a search that does not use the order.
    pub(super) fn touch(&mut self, id: u32, proxy: &mut Proxy, before: WorldAabb) {
        if !proxy.is(TOUCHED) {
            proxy.state |= TOUCHED;
            self.touched.push(id);
        }
        if self.before.len() <= id as usize {
            self.before.resize(id as usize + 1, NO_BOX_BEFORE);
        }
        self.before[id as usize] = before;
    }

    /// Gives back memory of searches that are over.
    pub(super) fn release(&mut self) {
        release(&mut self.fresh);
        release(&mut self.fresh_regions);
        if self.arrivals.is_empty() {
            release(&mut self.arrivals);
        }
        if self.len >= MANY {
            [&mut self.now, &mut self.old].into_iter().flatten().for_each(|side| *side = Vec::new());
            [&mut self.ids, &mut self.buckets, &mut self.starts].into_iter().for_each(|it| *it = Vec::new());
            (self.regions, self.codes) = (Vec::new(), Vec::new());
            (self.len, self.is_forgotten) = (0, true);
        }
    }

    /// Adds all boxes as in a new grid: the next search compares their pairs with the list.
    #[cold]
    fn recall_all(&mut self, proxies: &mut [Proxy], changes: &mut Changes) {
        self.is_forgotten = false;
        self.arrivals.clear();
        for (id, proxy) in (0..).zip(proxies) {
            if proxy.is(IN_CELL) {
                proxy.state |= ORDERED;
                self.arrivals.push(id);
                changes.reset(id, proxy);
            } else {
                proxy.state &= !ORDERED;
            }
        }
    }

    /// Sorts all active boxes. Marks boxes that have jumped as reset.
    pub(super) fn sort(&mut self, proxies: &mut [Proxy], changes: &mut Changes) {
        if self.is_forgotten {
            self.recall_all(proxies, changes);
        }
        if self.plan.levels.is_empty() {
            self.plan.make(&Census::default(), &Extent::default(), 0);
        }
        if self.is_mixed || !dispatch_wide!(self.lanes.level, _simd => self.gather::<false>(proxies, changes))
        {
            if !self.is_mixed {
                self.regions.clear();
                self.regions.resize(self.len, [self.region; 2]);
            }
            self.is_mixed = true;
            self.gather::<true>(proxies, changes);
        }
        self.arrivals.clear();
        for id in self.touched.drain(..) {
            proxies[id as usize].state &= !TOUCHED;
        }
        self.plan.recount(&self.starts);
        if !self.fresh.is_empty() && self.plan.is_outgrown(self.fresh.len()) {
            self.plan_anew();
        }
        dispatch_wide!(self.lanes.level, _simd => self.scatter());
    }

    /// Fills `fresh` and counts the boxes of each bucket, one place further on. Returns false when
    /// regions differ; then nothing has changed.
    ///
    /// Without `MIXED` all boxes are in one region, as in nearly all searches. That version is
    /// compiled for the SIMD level: 2.5 % fewer instructions a box on AVX2.
    #[inline(always)]
    fn gather<const MIXED: bool>(&mut self, proxies: &mut [Proxy], changes: &mut Changes) -> bool {
        self.make_room();
        if let (false, 0, Some(&first)) = (MIXED, self.len, self.arrivals.first()) {
            self.region = proxies[first as usize].aabb.region;
        }
        let Order { plan, ids, now: [min_x, min_y, max_x, max_y], starts, regions, arrivals, .. } = self;
        let one = self.region;
        let (mut count, mut extent) = (0, Extent::default());
        let fresh = self.fresh.as_mut_slice();
        let starts = starts.as_mut_slice();
        let mut block = [Proxy::ABSENT; FETCHED_AHEAD];
        let mut taker = Taker { before: &self.before, changes };
        // The boxes in the last order, fetched a block at a time.
        for begin in (0..self.len).step_by(FETCHED_AHEAD) {
            let end = (begin + FETCHED_AHEAD).min(self.len);
            let ids = &ids[begin..end];
            let (min_x, min_y) = (&min_x[begin..end], &min_y[begin..end]);
            let (max_x, max_y) = (&max_x[begin..end], &max_y[begin..end]);
            for (proxy, &id) in block.iter_mut().zip(ids) {
                *proxy = proxies[id as usize];
            }
            for index in 0..ids.len() {
                let old = [min_x[index], min_y[index], max_x[index], max_y[index]];
                let old_region = if MIXED { regions[begin + index][0] } else { self.region };
                let id = ids[index];
                let Some((next, region)) =
                    taker.take::<MIXED>(id, &block[index], (old, old_region), (plan, one), proxies)
                else {
                    if !MIXED && block[index].aabb.region != self.region {
                        return false;
                    }
                    continue;
                };
                extent.include(next.corner);
                starts[next.bucket as usize + 1] += 1;
                fresh[count] =
                    Fresh { now: sides_of(&block[index].aabb.aabb), old: next.old, id, bucket: next.bucket };
                count += 1;
                if MIXED {
                    self.fresh_regions.push([block[index].aabb.region, region]);
                }
            }
        }
        // New boxes.
        for &id in arrivals.iter() {
            let proxy = proxies[id as usize];
            let old = (OVERLAPS_NOTHING, if MIXED { proxy.aabb.region } else { self.region });
            let Some((next, region)) = taker.take::<MIXED>(id, &proxy, old, (plan, one), proxies) else {
                if !MIXED && proxy.aabb.region != self.region {
                    return false;
                }
                continue;
            };
            extent.include(next.corner);
            starts[next.bucket as usize + 1] += 1;
            fresh[count] = Fresh { now: sides_of(&proxy.aabb.aabb), old: next.old, id, bucket: next.bucket };
            count += 1;
            if MIXED {
                self.fresh_regions.push([proxy.aabb.region, region]);
            }
        }
        self.fresh.truncate(count);
        self.extent = extent;
        true
    }

    /// Makes room for all boxes. Every place in use will be written; old contents need not be
    /// cleared.
    fn make_room(&mut self) {
        self.plan.lay(&self.extent);
        self.starts.clear();
        self.starts.resize(self.plan.buckets + 1, 0);
        self.fresh.resize(self.len + self.arrivals.len(), Fresh::default());
        self.fresh_regions.clear();
    }

    /// Returns the bucket of a box, and counts the box there.
    fn bucket(&mut self, corner: [i64; 2], size: f32) -> u32 {
        let bucket = self.plan.bucket(corner, size);
        self.starts[bucket as usize + 1] += 1;
        bucket
    }

    /// Makes a plan for the fresh boxes, and gives them their buckets by it.
    fn plan_anew(&mut self) {
        let mut census = Census::default();
        for index in 0..self.fresh.len() {
            census.count(self.fresh_union(index).1);
        }
        self.plan.make(&census, &self.extent, self.fresh.len());
        self.plan.lay(&self.extent);
        self.starts.clear();
        self.starts.resize(self.plan.buckets + 1, 0);
        for index in 0..self.fresh.len() {
            let (corner, size) = self.fresh_union(index);
            self.fresh[index].bucket = self.bucket(corner, size);
        }
    }

    fn fresh_union(&self, index: usize) -> ([i64; 2], f32) {
        let fresh = &self.fresh[index];
        let [region, old_region] = if self.is_mixed { self.fresh_regions[index] } else { [self.region; 2] };
        union::<true>(&fresh.now, region, &fresh.old, old_region)
    }

    /// Moves the fresh boxes into their buckets.
    ///
    /// While it runs, `starts[k + 1]` is where the next box of bucket k goes.
    #[inline(always)]
    fn scatter(&mut self) {
        let Order { fresh, ids, now, old, buckets, starts, .. } = self;
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += core::mem::replace(start, sum);
        }
        let padded = fresh.len() + LANES;
        // Every place is written below, or is padding; old contents need not be cleared.
        now.iter_mut().chain(old.iter_mut()).for_each(|column| column.resize(padded, 0.0));
        ids.resize(padded, 0);
        buckets.resize(padded, 0);
        let ([a, b, c, d], [e, f, g, h]) = (now, old);
        let (a, b, c, d) = (&mut a[..padded], &mut b[..padded], &mut c[..padded], &mut d[..padded]);
        let (e, f, g, h) = (&mut e[..padded], &mut f[..padded], &mut g[..padded], &mut h[..padded]);
        let (ids, buckets) = (&mut ids[..padded], &mut buckets[..padded]);
        let starts = starts.as_mut_slice();
        let mixed = self.is_mixed;
        if mixed {
            self.regions.resize(padded, [IVec2::ZERO; 2]);
            self.codes.resize(padded, 0.0);
            self.region = self.fresh_regions.first().map_or(self.region, |regions| regions[0]);
        }
        let mut is_one = true;
        for (index, fresh) in fresh.iter().enumerate() {
            let next = &mut starts[fresh.bucket as usize + 1];
            let slot = *next as usize;
            *next += 1;
            [a[slot], b[slot], c[slot], d[slot]] = fresh.now;
            [e[slot], f[slot], g[slot], h[slot]] = fresh.old;
            ids[slot] = fresh.id;
            buckets[slot] = fresh.bucket;
            if mixed {
                let regions = self.fresh_regions[index];
                is_one &= regions == [self.region; 2];
                self.regions[slot] = regions;
                self.codes[slot] = code(regions, self.region);
            }
        }
        self.is_mixed &= !is_one;
        self.len = fresh.len();
        let starts = &self.starts;
        for level in &mut self.plan.levels {
            level.count = (starts[level.base + level.buckets] - starts[level.base]) as usize;
        }
    }

    /// Returns the code of a region.
    #[inline]
    pub(super) fn code_of(&self, region: IVec2) -> f32 {
        code([region; 2], self.region)
    }

    /// Returns the regions of a box now and at the last search.
    #[inline]
    pub(super) fn regions_of(&self, index: usize) -> [IVec2; 2] {
        if self.is_mixed { self.regions[index] } else { [self.region; 2] }
    }

    /// Returns the bounds of a box now and at the last search.
    #[inline]
    pub(super) fn boxes_of(&self, index: usize) -> [WorldAabb; 2] {
        let [region, old_region] = self.regions_of(index);
        let of = |region, columns: &[Vec<f32>; 4]| {
            let [min_x, min_y, max_x, max_y] = core::array::from_fn(|side| columns[side][index]);
            WorldAabb { region, aabb: Aabb { min: glam::vec2(min_x, min_y), max: glam::vec2(max_x, max_y) } }
        };
        [of(region, &self.now), of(old_region, &self.old)]
    }

    /// Returns the lower left and the upper right corner of the box around the present and the last
    /// bounds.
    #[inline]
    pub(super) fn corners_of(&self, index: usize) -> [[i64; 2]; 2] {
        let [now, old] = self.boxes_of(index);
        let WorldAabb { region, aabb } = union_of(&now, &old);
        [aabb.min, aabb.max].map(|corner| [cell::fixed(region.x, corner.x), cell::fixed(region.y, corner.y)])
    }
}

/// The place of a box in the new order, and its bounds at the last search.
#[derive(Clone, Copy)]
struct Next {
    corner: [i64; 2],
    bucket: u32,
    old: Sides,
}

/// The state that [`Taker::take`] needs beside the box.
struct Taker<'a> {
    before: &'a [WorldAabb],
    changes: &'a mut Changes,
}

impl Taker<'_> {
    /// Returns the new place of a box, with its region at the last search. `None` if the box leaves
    /// the order, or if it is outside of the one region and `MIXED` is false.
    #[inline(always)]
    fn take<const MIXED: bool>(
        &mut self,
        id: u32,
        proxy: &Proxy,
        (mut old, mut old_region): (Sides, IVec2),
        (plan, one): (&Plan, IVec2),
        proxies: &mut [Proxy],
    ) -> Option<(Next, IVec2)> {
        if proxy.state & (IN_CELL | RESET | TOUCHED) != IN_CELL {
            (old, old_region) = self.old_of(id, proxy, proxies)?;
        }
        let now = sides_of(&proxy.aabb.aabb);
        let region = proxy.aabb.region;
        if !MIXED && (region != one || (old_region != one && old[0] < f32::INFINITY)) {
            return None;
        }
        let (mut corner, mut size) = union::<MIXED>(&now, region, &old, old_region);
        if size > plan.largest && has_jumped(&now, size) {
            self.changes.reset(id, &mut proxies[id as usize]);
            old = OVERLAPS_NOTHING;
            (corner, size) = union::<MIXED>(&now, region, &old, region);
        }
        if MIXED && old[0].is_nan() {
            old_region = region;
        }
        Some((Next { corner, bucket: plan.bucket(corner, size), old }, old_region))
    }

    /// Returns the bounds at the last search of a box for which the order lacks them or has wrong
    /// ones.
    #[cold]
    fn old_of(&self, id: u32, proxy: &Proxy, proxies: &mut [Proxy]) -> Option<(Sides, IVec2)> {
        if !proxy.is(IN_CELL) {
            proxies[id as usize].state &= !ORDERED;
            return None;
        }
        let before = if proxy.is(RESET) { &NO_BOX_BEFORE } else { &self.before[id as usize] };
        Some((sides_of(&before.aabb), before.region))
    }
}

/// Returns the box around two boxes, relative to the region of the first. The second may be empty.
#[inline]
pub(crate) fn union_of(one: &WorldAabb, other: &WorldAabb) -> WorldAabb {
    if other.aabb.min.x < f32::INFINITY {
        WorldAabb { region: one.region, aabb: one.aabb.union(other.relative_to(one.region)) }
    } else {
        *one
    }
}

#[inline(always)]
fn sides_of(aabb: &Aabb) -> Sides {
    [aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y]
}

/// Returns the lower left corner and the longer side of the box around both. `now` must be valid.
#[inline(always)]
fn union<const MIXED: bool>(now: &Sides, region: IVec2, old: &Sides, old_region: IVec2) -> ([i64; 2], f32) {
    let moved;
    let mut old = old;
    if MIXED && region != old_region && old[0] < f32::INFINITY {
        let [min_x, min_y, max_x, max_y] = *old;
        let aabb = Aabb { min: glam::vec2(min_x, min_y), max: glam::vec2(max_x, max_y) };
        moved = sides_of(&WorldAabb { region: old_region, aabb }.relative_to(region));
        old = &moved;
    }
    let low = [min(now[0], old[0]), min(now[1], old[1])];
    let high = [max(now[2], old[2]), max(now[3], old[3])];
    let size = max(high[0] - low[0], high[1] - low[1]);
    ([cell::fixed(region.x, low[0]), cell::fixed(region.y, low[1])], size)
}

/// Whether a box jumped so far that it is better treated as a new one.
#[cold]
fn has_jumped(now: &Sides, union_size: f32) -> bool {
    union_size > 4.0 * max(now[2] - now[0], now[3] - now[1])
}

/// Returns a number for a region relative to another: equal only for equal regions, and never NaN
/// unless the box changed its region or is far away.
#[inline]
fn code([region, old_region]: [IVec2; 2], from: IVec2) -> f32 {
    const REACH: i32 = 1 << 13;
    let (x, y) = (region.x.wrapping_sub(from.x), region.y.wrapping_sub(from.y));
    let is_near = (-REACH..REACH).contains(&x) && (-REACH..REACH).contains(&y);
    if region != old_region || !is_near {
        return f32::NAN;
    }
    f32::from_bits(1 << 30 | ((x + REACH) as u32) << 14 | (y + REACH) as u32)
}

#[cfg(test)]
impl Order {
    pub(super) fn capacity(&self) -> usize {
        let columns: usize = self.now.iter().chain(&self.old).map(Vec::capacity).sum();
        columns
            + self.ids.capacity()
            + self.starts.capacity()
            + self.fresh.capacity()
            + self.touched.capacity()
    }
}
