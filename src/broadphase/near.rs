//! The searches that trees help with: active boxes against resting ones, few against all, and the
//! unbounded.
//!
//! In: the order or a few changed ids, and forests. Out: changed pairs, some of them twice.

use core::ops::Range;
use glam::{IVec2, vec2};

use super::WorldAabb;
use super::cell_order::{NO_BOX, Order, union_of};
use super::forest::{Boxes, Forest, Home};
use super::proxy::{ACTIVE, BOUNDED, EPOCH_SHIFT, PRESENT, RESET, UNBOUNDED};
use super::sweep::{self, Changes, Near};
use crate::bounds::Aabb;
use crate::math::{max, min};

/// Boxes that search together; and how many such groups are rejected together when nothing is near.
const GROUP: usize = crate::simd::LANES;
const GROUPS: usize = 4;
const SPANS: usize = GROUP * GROUPS;

/// All that is asked by id.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub(super) boxes: Boxes<'a>,
    pub(super) homes: &'a [Home],
    pub(super) searched: u32,
}

impl World<'_> {
    /// What a box was at the last search.
    fn old(&self, id: u32) -> WorldAabb {
        let proxy = &self.boxes.proxies[id as usize];
        match self.boxes.before {
            _ if proxy.is(RESET) => NO_BOX,
            Some((before, _)) if proxy.state >> EPOCH_SHIFT >= self.searched => before[id as usize],
            _ => proxy.aabb,
        }
    }

    /// Notes a pair of an id and another, if it changed.
    #[inline]
    fn compare(&self, id: u32, [now, old]: &[WorldAabb; 2], other: u32, changes: &mut Changes) {
        let (proxy, other_proxy) = (&self.boxes.proxies[id as usize], &self.boxes.proxies[other as usize]);
        if id != other && proxy.may_pair(other_proxy) {
            let was = old.overlaps(&self.old(other));
            changes.compare(id, other, now.overlaps(&other_proxy.aabb), was);
        }
    }
}

/// Active boxes against resting ones, in small groups of neighbours: the way down the trees is
/// shared, and what is found is compared with the whole group at once. (One by one: 460 ns for a
/// box that has 5 neighbours at rest.)
pub(super) fn ask_resting(order: &Order, resting: &Forest, world: World<'_>, changes: &mut Changes) {
    let boxes = (world.boxes, world.homes);
    let mut near = core::mem::take(&mut changes.near);
    near.clear();
    for first in (0..order.len).step_by(SPANS) {
        let spans = Spans::new(order, first, (first + SPANS).min(order.len));
        let all = spans.around(0..SPANS);
        if !resting.is_near(&all) || resting.visit(boxes, |aabb| all.overlaps(aabb), |_| false) {
            continue;
        }
        for begin in (0..spans.len).step_by(GROUP) {
            let end = (begin + GROUP).min(spans.len);
            let group = spans.around(begin..end);
            let mut note = |id| near.push(Near { begin: (first + begin) as u32, id });
            if spans.is_dense(begin..end, &group) {
                resting.ask(&group, boxes, &mut note);
            } else {
                for index in begin..end {
                    resting.ask(&spans.around(index..index + 1), boxes, &mut note);
                }
            }
        }
    }
    sweep::find_near(order, world.boxes.proxies, &near, changes);
    changes.near = near;
}

/// Neighbours in the order, each as the box around what it is and was, from the centre of the first
/// one's region: a side a column.
struct Spans {
    region: IVec2,
    len: usize,
    /// Beyond the last one, boxes that are nowhere.
    low: [[f32; SPANS]; 2],
    high: [[f32; SPANS]; 2],
}

impl Spans {
    fn new(order: &Order, begin: usize, end: usize) -> Spans {
        let mut spans = Spans {
            region: order.regions_of(begin)[0],
            len: end - begin,
            low: [[f32::INFINITY; SPANS]; 2],
            high: [[f32::NEG_INFINITY; SPANS]; 2],
        };
        if order.is_mixed {
            for index in begin..end {
                let [now, old] = order.boxes_of(index);
                let aabb = union_of(&now, &old).relative_to(spans.region);
                for axis in 0..2 {
                    spans.low[axis][index - begin] = aabb.min[axis];
                    spans.high[axis][index - begin] = aabb.max[axis];
                }
            }
            return spans;
        }
        // What was nowhere is no number: the select takes what is.
        for axis in 0..2 {
            let (now, old) = (&order.now[axis][begin..end], &order.old[axis][begin..end]);
            for ((low, &now), &old) in spans.low[axis].iter_mut().zip(now).zip(old) {
                *low = min(now, old);
            }
            let (now, old) = (&order.now[2 + axis][begin..end], &order.old[2 + axis][begin..end]);
            for ((high, &now), &old) in spans.high[axis].iter_mut().zip(now).zip(old) {
                *high = max(now, old);
            }
        }
        spans
    }

    /// The box around some of them.
    fn around(&self, some: Range<usize>) -> WorldAabb {
        let least =
            |column: &[f32; SPANS]| column[some.clone()].iter().fold(f32::INFINITY, |p, &q| min(p, q));
        let most =
            |column: &[f32; SPANS]| column[some.clone()].iter().fold(f32::NEG_INFINITY, |p, &q| max(p, q));
        let aabb = Aabb {
            min: vec2(least(&self.low[0]), least(&self.low[1])),
            max: vec2(most(&self.high[0]), most(&self.high[1])),
        };
        WorldAabb { region: self.region, aabb }
    }

    /// Whether neighbours in the order are neighbours in space: the box around a few lone movers,
    /// far from each other, would hold most of what rests. (300 among 30,000 took 5 ms together,
    /// 0.1 one by one.)
    fn is_dense(&self, some: Range<usize>, group: &WorldAabb) -> bool {
        let extent = |k: usize| (self.high[0][k] - self.low[0][k]) + (self.high[1][k] - self.low[1][k]);
        group.aabb.size().element_sum() <= 2.0 * some.map(extent).sum::<f32>()
    }
}

/// Everything against the unbounded boxes, and those against each other.
pub(super) fn ask_unbounded(
    order: &Order,
    resting: &Forest,
    unbounded: &[u32],
    world: World<'_>,
    changes: &mut Changes,
) {
    for (k, &id) in unbounded.iter().enumerate() {
        let proxy = &world.boxes.proxies[id as usize];
        let pair = [proxy.aabb, world.old(id)];
        for index in 0..order.len {
            let [now, old] = order.boxes_of(index);
            let other = order.ids[index];
            let (is, was) = (now.overlaps(&pair[0]), old.overlaps(&pair[1]));
            if is != was && proxy.may_pair(&world.boxes.proxies[other as usize]) {
                changes.compare(id, other, is, was);
            }
        }
        if proxy.is(ACTIVE) {
            // What it was is elsewhere only if it is reset.
            resting.ask(&proxy.aabb, (world.boxes, world.homes), |other| {
                world.compare(id, &pair, other, changes);
            });
        }
        for &other in &unbounded[k + 1..] {
            world.compare(id, &pair, other, changes);
        }
    }
}

/// One changed box against everything.
pub(super) fn ask_one(
    id: u32,
    [active, resting]: [&Forest; 2],
    unbounded: &[u32],
    world: World<'_>,
    changes: &mut Changes,
) {
    let proxy = &world.boxes.proxies[id as usize];
    if !proxy.is(PRESENT) || proxy.state & (BOUNDED | UNBOUNDED) == 0 {
        return;
    }
    let pair = [proxy.aabb, world.old(id)];
    let (all, boxes) = (union_of(&pair[0], &pair[1]), (world.boxes, world.homes));
    active.ask(&all, boxes, |other| world.compare(id, &pair, other, changes));
    if proxy.is(ACTIVE) {
        resting.ask(&all, boxes, |other| world.compare(id, &pair, other, changes));
    }
    for &other in unbounded {
        world.compare(id, &pair, other, changes);
    }
}

/// One changed box at rest against the unbounded ones alone.
pub(super) fn ask_unbounded_alone(id: u32, unbounded: &[u32], world: World<'_>, changes: &mut Changes) {
    let proxy = &world.boxes.proxies[id as usize];
    if proxy.is(PRESENT | BOUNDED) && !proxy.is(ACTIVE) {
        let pair = [proxy.aabb, world.old(id)];
        unbounded.iter().for_each(|&other| world.compare(id, &pair, other, changes));
    }
}
