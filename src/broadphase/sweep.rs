//! The sweep over sorted cells: finds which pairs of active boxes began and which ended.
//!
//! In: the boxes in the order of their cells, as they are and as they were. Out: pairs that overlap
//! now and did not before, and pairs that overlapped before and do not now. Other pairs are never
//! written: a pair list hardly changes from frame to frame. (Tried: writing and sorting all pairs,
//! and comparing them with the last list: 102 ns a box instead of 32, 100,000 packed boxes.)
//!
//! ```text
//!   row y+1   x-1   x   x+1     cells of a row stand side by side in the order: two short runs of boxes, the
//!   row y           x   x+1     first begins behind the box itself
//! ```
//!
//! Between levels, a box searches the cells that can hold a box that reaches it. Either the small
//! boxes search the coarse cells, or the large boxes the fine cells; the sweep takes the cheaper
//! way. Some pairs may be found twice.

use core::ops::Range;

use super::cell_order::Order;
use super::plan::{LEVELS, Level};
use super::proxy::{Proxy, RESET};
use crate::simd::{AllLanes, Eight, LANES, Lane, Vectors, Width, bits, dispatch_wide};
use crate::threads::Team;
use crate::util::trim::release;

/// The changes that a search found.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Pairs as numbers (see [`key`]), some of them twice.
    pub(super) added: Vec<u64>,
    pub(super) removed: Vec<u64>,
    /// Ids all of whose pairs are among the added pairs.
    pub(super) resets: Vec<u32>,
    spans: Vec<Span>,
    /// The events of each span, and memory for more.
    events: Vec<Events>,
    pub(super) near: Vec<Near>,
}

/// Memory of a search.
#[derive(Debug, Default)]
pub(super) struct SweepMemory(Vec<Span>, Vec<Events>, Vec<Near>);

crate::state::clone_by_field! { Changes { added, removed, resets } kept { spans, events, near } }

/// A resting box near some of the eight boxes from `begin`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) begin: u32,
    pub(super) id: u32,
}

/// A pair as a number that sorts as the pair does.
#[inline(always)]
pub(super) fn key(p: u32, q: u32) -> u64 {
    let (a, b) = if p < q { (p, q) } else { (q, p) };
    u64::from(a) << 32 | u64::from(b)
}

impl Changes {
    /// Exchanges the memory that a search needs.
    pub(super) fn swap_memory(&mut self, memory: &mut SweepMemory) {
        core::mem::swap(&mut self.spans, &mut memory.0);
        core::mem::swap(&mut self.events, &mut memory.1);
        core::mem::swap(&mut self.near, &mut memory.2);
    }

    pub(super) fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }

    /// Gives back memory of searches that are over.
    pub(super) fn release(&mut self) {
        [&mut self.added, &mut self.removed].into_iter().for_each(release);
        release(&mut self.events);
        release(&mut self.near);
        self.events.iter_mut().for_each(|events| release(&mut events.list));
        if self.resets.is_empty() {
            release(&mut self.resets);
        }
    }

    /// Notes that the next search must find all pairs of an id anew.
    #[inline]
    pub(super) fn reset(&mut self, id: u32, proxy: &mut Proxy) {
        if !proxy.is(RESET) {
            proxy.state |= RESET;
            self.resets.push(id);
        }
    }

    /// Notes a pair if it began or ended.
    #[inline]
    pub(super) fn compare(&mut self, p: u32, q: u32, now: bool, before: bool) {
        if now && !before {
            self.added.push(key(p, q));
        } else if before && !now {
            self.removed.push(key(p, q));
        }
    }
}

/// Eight boxes `at..at + 8`, some of them with a change: they began or ceased to overlap the box
/// `index`.
#[derive(Clone, Copy, Debug, Default)]
struct Event {
    index: u32,
    at: u32,
    /// A bit for each changed box; from bit 8 on, a bit for each box that overlaps now. Bit 16: the
    /// regions differ, and the low bits are the boxes that still need a comparison.
    lanes: u32,
}

const OPENED: u32 = 1 << 16;

/// A list of events; only the first `count` entries are valid.
#[derive(Clone, Debug, Default)]
struct Events {
    list: Vec<Event>,
    count: usize,
}

/// A range of boxes that search one after the other.
#[derive(Clone, Debug)]
struct Span {
    level: usize,
    boxes: Range<u32>,
    /// The other levels that they search, one bit each; their own level if no bit is set.
    asked: u64,
}

/// The least number of boxes of a span: some microseconds of work.
const SPAN_GRAIN: usize = 512;

/// Finds the changed pairs of `order`.
pub(super) fn find(order: &Order, (proxies, grouped): (&[Proxy], bool), team: &Team, changes: &mut Changes) {
    let (mut spans, mut found) = (core::mem::take(&mut changes.spans), core::mem::take(&mut changes.events));
    cut(order, team.part(order.len, SPAN_GRAIN) as u32, &mut spans);
    team.for_list(&spans, 1, &mut found, |spans, events| {
        events.count = 0;
        for span in spans {
            dispatch_wide!(order.lanes.level, simd => {
                events.count = if order.is_mixed {
                    Search::<_, true> { simd, order }.run(span, events.count, &mut events.list)
                } else {
                    Search::<_, false> { simd, order }.run(span, events.count, &mut events.list)
                }
            });
        }
    });
    for Events { list, count } in &found[..spans.len()] {
        for event in &list[..*count] {
            settle(order, proxies, grouped, event, changes);
        }
    }
    (changes.spans, changes.events) = (spans, found);
}

/// Cuts the search into spans of at most `size` boxes. The cuts do not change the result: each box
/// searches by itself, and events stay in the order of the boxes.
fn cut(order: &Order, size: u32, spans: &mut Vec<Span>) {
    spans.clear();
    let levels = &order.plan.levels;
    let mut add = |level: usize, asked: u64| {
        let Level { base, buckets, .. } = levels[level];
        let (first, end) = (order.starts[base], order.starts[base + buckets]);
        let begins = (first..end).step_by(size as usize);
        spans.extend(begins.map(|begin| Span { level, boxes: begin..end.min(begin + size), asked }));
    };
    (0..levels.len()).for_each(|level| add(level, 0));
    let asks = who_asks(levels);
    (0..levels.len()).filter(|&level| asks[level] != 0).for_each(|level| add(level, asks[level]));
}

/// Finds the changed pairs of resting boxes with the active boxes near them.
pub(super) fn find_near(order: &Order, proxies: &[Proxy], near: &[Near], changes: &mut Changes) {
    changes.events.resize_with(changes.events.len().max(1), Events::default);
    let mut events = core::mem::take(&mut changes.events[0].list);
    let count = dispatch_wide!(order.lanes.level, simd => {
        if order.is_mixed {
            Search::<_, true> { simd, order }.run_near(proxies, near, &mut events)
        } else {
            Search::<_, false> { simd, order }.run_near(proxies, near, &mut events)
        }
    });
    for event in &events[..count] {
        let resting = &proxies[event.index as usize];
        let mut rest = event.lanes & 0xFF;
        while rest != 0 {
            let lane = rest.trailing_zeros();
            rest &= rest - 1;
            let index = (event.at + lane) as usize;
            let id = order.ids[index];
            if !resting.may_pair(&proxies[id as usize]) {
                continue;
            }
            let (mut now, mut before) = (event.lanes >> (lane + 8) & 1 != 0, false);
            if event.lanes & OPENED != 0 {
                let [box_now, box_old] = order.boxes_of(index);
                now = box_now.overlaps(&resting.aabb);
                before = !resting.is(RESET) && box_old.overlaps(&resting.aabb);
            } else {
                before |= !now;
            }
            changes.compare(event.index, id, now, before);
        }
    }
    changes.events[0].list = events;
}

/// Adds the pairs of an event to the changes.
#[inline(always)]
fn settle(order: &Order, proxies: &[Proxy], grouped: bool, event: &Event, changes: &mut Changes) {
    let id = order.ids[event.index as usize];
    let mut rest = event.lanes & 0xFF;
    while rest != 0 {
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        let index = (event.at + lane) as usize;
        let other = order.ids[index];
        if grouped && !proxies[id as usize].may_pair(&proxies[other as usize]) {
            continue;
        }
        if event.lanes & OPENED != 0 {
            let ([now, old], [other_now, other_old]) =
                (order.boxes_of(event.index as usize), order.boxes_of(index));
            changes.compare(id, other, now.overlaps(&other_now), old.overlaps(&other_old));
        } else {
            let now = event.lanes >> (lane + 8) & 1 != 0;
            changes.compare(id, other, now, !now);
        }
    }
}

/// Returns, for each level, the other levels that its boxes search, one bit each.
fn who_asks(levels: &[Level]) -> [u64; LEVELS] {
    let mut asks = [0; LEVELS];
    for coarse in 0..levels.len() {
        for fine in 0..coarse {
            let (few, many) = (levels[coarse].count, levels[fine].count);
            if few == 0 || many == 0 {
                continue;
            }
            // A box searches one more row than its size covers, and at most all rows.
            let rows = levels[coarse].limit / levels[fine].limit + 2.0;
            let rows = crate::math::min(rows, many as f32 / 8.0 + 1.0);
            if few as f32 * rows < many as f32 * 2.2 {
                asks[coarse] |= 1 << fine;
            } else {
                asks[fine] |= 1 << coarse;
            }
        }
    }
    asks
}

/// The sides of all boxes, now and before, followed by a block of padding, which is read but not
/// used.
#[derive(Clone, Copy)]
struct SortedSides<'a> {
    now: [&'a [f32]; 4],
    old: [&'a [f32]; 4],
    codes: &'a [f32],
}

impl<'a> SortedSides<'a> {
    /// Cuts all columns to one length, so that one bounds check is enough.
    #[inline(always)]
    fn new(order: &'a Order) -> SortedSides<'a> {
        let len = order.len + LANES;
        let ([a, b, c, d], [e, f, g, h]) = (&order.now, &order.old);
        SortedSides {
            now: [&a[..len], &b[..len], &c[..len], &d[..len]],
            old: [&e[..len], &f[..len], &g[..len], &h[..len]],
            codes: if order.is_mixed { &order.codes[..len] } else { &a[..len] },
        }
    }
}

/// The search of all neighbours. Everything here is inlined into one function for each instruction
/// set.
///
/// It is passed by value, never by reference. (Tried: with the events in it and a call that takes
/// them by reference, the compiler keeps all of it in memory, lanes too, and the sweep takes 22 ns
/// a box instead of 11.)
#[derive(Clone, Copy)]
struct Search<'a, S, const MIXED: bool> {
    simd: S,
    order: &'a Order,
}

/// The sides of the searching box, in all lanes.
#[derive(Clone, Copy)]
struct Asking<S: Vectors> {
    now: [Eight<S>; 4],
    old: [Eight<S>; 4],
    code: Eight<S>,
    index: u32,
}

/// [`Events`] that a search appends to.
struct Out<'a> {
    events: &'a mut Vec<Event>,
    count: usize,
}

impl Out<'_> {
    /// Writes an event behind the others; it counts only if `is_one`. There is no branch, since
    /// about one in ten counts, which cannot be predicted.
    #[inline(always)]
    fn note(&mut self, event: Event, is_one: bool) {
        if self.count >= self.events.len() {
            grow(self.events);
        }
        self.events[self.count] = event;
        self.count += usize::from(is_one);
    }
}

#[cold]
#[inline(never)]
fn grow(events: &mut Vec<Event>) {
    events.resize(2 * events.len() + 64, Event::default());
}

impl<S: Vectors, const MIXED: bool> Search<'_, S, MIXED> {
    /// Writes events behind the first `count`. Returns the new count.
    #[inline(always)]
    fn run(self, span: &Span, count: usize, events: &mut Vec<Event>) -> usize {
        let mut out = Out { events, count };
        let columns = SortedSides::new(self.order);
        let boxes = span.boxes.clone();
        if span.asked == 0 {
            self.compare_level(columns, &self.order.plan.levels[span.level], boxes, &mut out);
        } else {
            self.compare_levels(columns, span.asked, boxes, &mut out);
        }
        out.count
    }

    /// Writes the events of resting boxes; their `index` is the id of the resting box. Returns the
    /// count.
    #[inline(always)]
    fn run_near(self, proxies: &[Proxy], near: &[Near], events: &mut Vec<Event>) -> usize {
        let mut out = Out { events, count: 0 };
        let (columns, splat) = (SortedSides::new(self.order), Splat(self.simd));
        for &Near { begin, id } in near {
            let proxy = &proxies[id as usize];
            let (min, max) = (proxy.aabb.aabb.min, proxy.aabb.aabb.max);
            let now = [splat.of(min.x), splat.of(min.y), splat.of(max.x), splat.of(max.y)];
            let old = if proxy.is(RESET) { [splat.of(f32::NAN); 4] } else { now };
            let end = (begin + LANES as u32).min(self.order.len as u32);
            if !MIXED && proxy.aabb.region != self.order.region {
                let lanes = OPENED | ((1_u32 << (end - begin)) - 1);
                out.note(Event { index: id, at: begin, lanes }, true);
                continue;
            }
            let code = splat.of(if MIXED { self.order.code_of(proxy.aabb.region) } else { 0.0 });
            self.compare(columns, Asking { now, old, code, index: id }, (begin, end), &mut out);
        }
        out.count
    }

    #[inline(always)]
    fn ask(self, columns: SortedSides<'_>, index: u32) -> Asking<S> {
        let at = index as usize;
        let splat = Splat(self.simd);
        let ([a, b, c, d], [e, f, g, h]) = (columns.now, columns.old);
        Asking {
            now: [splat.of(a[at]), splat.of(b[at]), splat.of(c[at]), splat.of(d[at])],
            old: [splat.of(e[at]), splat.of(f[at]), splat.of(g[at]), splat.of(h[at])],
            code: splat.of(columns.codes[at]),
            index,
        }
    }

    /// Compares each box of a level with half of its neighbours there.
    #[inline(always)]
    fn compare_level(self, columns: SortedSides<'_>, level: &Level, boxes: Range<u32>, out: &mut Out<'_>) {
        let table = &self.order.starts[level.base..=level.base + level.buckets];
        for index in boxes {
            let asking = self.ask(columns, index);
            let bucket = self.order.buckets[index as usize] as usize - level.base;
            let above = level.above(bucket);
            if bucket + 2 <= level.buckets && above + 3 <= level.buckets {
                self.compare(columns, asking, (index + 1, table[bucket + 2]), out);
                self.compare(columns, asking, (table[above], table[above + 3]), out);
                continue;
            }
            let mut runs = [(index + 1, table[bucket + 1]), (0, 0), (0, 0), (0, 0)];
            runs[1] = if bucket + 2 <= level.buckets {
                (table[bucket + 1], table[bucket + 2])
            } else {
                (table[0], table[1])
            };
            [runs[2], runs[3]] = level.runs(table, above, 3);
            for run in runs {
                self.compare(columns, asking, run, out);
            }
        }
    }

    /// Compares each box of a level with the cells of other levels that can hold a box that reaches
    /// it.
    #[inline(always)]
    fn compare_levels(self, columns: SortedSides<'_>, asked: u64, boxes: Range<u32>, out: &mut Out<'_>) {
        let order = self.order;
        for index in boxes {
            let asking = self.ask(columns, index);
            let [low, high] = order.corners_of(index as usize);
            let mut rest = asked;
            while rest != 0 {
                let level = &order.plan.levels[rest.trailing_zeros() as usize];
                rest &= rest - 1;
                let table = &order.starts[level.base..=level.base + level.buckets];
                let extent = &order.plan.extent;
                let low = level.cell(extent.place(low.map(|x| x.saturating_sub(level.ruler.edge))));
                let high = level.cell(extent.place(high));
                let (width, rows) = (high[0] - low[0] + 1, high[1] - low[1] + 1);
                if width >= level.buckets as u64 || rows * 4 > level.count as u64 + 16 {
                    self.compare(columns, asking, (table[0], table[level.buckets]), out);
                    continue;
                }
                for row in 0..rows {
                    let first = level.bucket([low[0], low[1] + row]);
                    for run in level.runs(table, first, width as usize) {
                        self.compare(columns, asking, run, out);
                    }
                }
            }
        }
    }

    /// Compares a box with a run of boxes, eight at a time.
    #[inline(always)]
    fn compare(
        self,
        columns: SortedSides<'_>,
        asking: Asking<S>,
        (begin, end): (u32, u32),
        out: &mut Out<'_>,
    ) {
        let mut at = begin;
        while at < end {
            let now = self.overlaps(columns.now, asking.now, at as usize);
            let old = self.overlaps(columns.old, asking.old, at as usize);
            let mut valid = (1_u32 << (end - at).min(LANES as u32)) - 1;
            let index = asking.index;
            if MIXED {
                let codes = load(self.simd, columns.codes, at as usize);
                let open = valid & !bits(codes.eq(asking.code));
                valid &= !open;
                out.note(Event { index, at, lanes: open | OPENED }, open != 0);
            }
            let (now, old) = (bits(now), bits(old));
            let changed = (now ^ old) & valid;
            out.note(Event { index, at, lanes: now << 8 | changed }, changed != 0);
            at += LANES as u32;
        }
    }

    /// Returns which of the eight boxes from `at` overlap the searching box, by the given columns.
    #[inline(always)]
    fn overlaps(self, columns: [&[f32]; 4], asking: [Eight<S>; 4], at: usize) -> <Eight<S> as Lane>::Mask {
        let [min_x, min_y, max_x, max_y] = columns;
        asking[0].le(load(self.simd, max_x, at))
            & load(self.simd, min_x, at).le(asking[2])
            & asking[1].le(load(self.simd, max_y, at))
            & load(self.simd, min_y, at).le(asking[3])
    }
}

/// One number in all lanes.
#[derive(Clone, Copy)]
struct Splat<S>(S);

impl<S: Vectors> Splat<S> {
    #[inline(always)]
    fn of(self, x: f32) -> Eight<S> {
        AllLanes(self.0).splat(x)
    }
}

/// Loads eight numbers of a column that ends with a block of padding.
#[inline(always)]
#[expect(clippy::expect_used, reason = "a slice of that length is a block")]
fn load<S: Vectors>(simd: S, column: &[f32], at: usize) -> Eight<S> {
    let block = column[at..at + LANES].first_chunk().expect("that many");
    AllLanes(simd).read(block)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Aabb;
    use crate::broadphase::WorldAabb;
    use crate::broadphase::proxy::IN_CELL;
    use crate::simd::Lanes;
    use glam::vec2;

    /// A crowd in one region or around a border of two, moved once.
    #[test]
    fn all_simd_levels_find_the_same() {
        for regions in [1, 2] {
            for count in (0..18).chain([300]) {
                let mut proxies: Vec<Proxy> = (0..count).map(|k| proxy(k, 0.0, regions)).collect();
                let (mut order, mut changes) = (Order::default(), Changes::default());
                for (id, proxy) in proxies.iter_mut().enumerate() {
                    order.arrive(id as u32, proxy);
                }
                order.sort(&mut proxies, &mut changes);
                for (id, old) in proxies.iter_mut().enumerate() {
                    old.aabb = proxy(id as u32, 0.3, regions).aabb;
                }
                order.sort(&mut proxies, &mut changes);
                let found = Lanes::all().into_iter().map(|lanes| {
                    changes.clear();
                    order.lanes = lanes;
                    find(&order, (&proxies, false), &Team::ALONE, &mut changes);
                    (changes.added.clone(), changes.removed.clone())
                });
                let found: Vec<_> = found.collect();
                assert!(found.iter().all(|other| *other == found[0]), "{count} boxes, {regions} regions");
                assert!(count < 300 || !found[0].0.is_empty() && !found[0].1.is_empty());
            }
        }
    }

    fn proxy(id: u32, time: f32, regions: i32) -> Proxy {
        let spread = |by: u32| (id.wrapping_mul(by) >> 8) as f32 / (1 << 24) as f32;
        let speed = vec2(spread(0x9E37_79B1) - 0.5, spread(0x85EB_CA77) - 0.5);
        let at = vec2(spread(0xC2B2_AE3D), spread(0x27D4_EB2F)) * 12.0 + speed * time;
        let region = glam::IVec2::new(id as i32 % regions, 0);
        let at = at - vec2(1024.0 * region.x as f32, 0.0);
        let aabb = WorldAabb { region, aabb: Aabb { min: at, max: at + 1.0 } };
        Proxy { aabb, group: 0, state: IN_CELL }
    }
}
