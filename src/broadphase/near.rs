//! The searches that trees help with: active boxes against resting ones, few against all, and the unbounded.
//!
//! In: the order or a few changed ids, and forests. Out: changed pairs, some of them twice.

use glam::{Vec4, Vec4Swizzles};

use super::WorldAabb;
use super::forest::{Boxes, Forest, Home};
use super::order::{NO_BOX, Order, union_of};
use super::proxy::{ACTIVE, BOUNDED, EPOCH_SHIFT, PRESENT, RESET, UNBOUNDED};
use super::sweep::{self, Changes, Near};
use crate::bounds::Aabb;

/// Boxes that ask together, and how many of such groups are turned away together when nothing is near.
const GROUP: usize = crate::simd::LANES;
const GROUPS: usize = 4;

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

/// Active boxes against resting ones, in small groups of neighbours: the way down the trees is shared, and what is found is
/// compared with the whole group at once. (One by one: 460 ns for a box that has 5 neighbours at rest.)
pub(super) fn ask_resting(order: &Order, resting: &Forest, world: World<'_>, changes: &mut Changes) {
    let boxes = (world.boxes, world.homes);
    let mut near = core::mem::take(&mut changes.near);
    near.clear();
    for begin in (0..order.len).step_by(GROUP * GROUPS) {
        let end = (begin + GROUP * GROUPS).min(order.len);
        let all = around(order, begin, end);
        if !resting.is_near(&all) || resting.visit(boxes, |aabb| all.overlaps(aabb), |_| false) {
            continue;
        }
        for begin in (begin..end).step_by(GROUP) {
            let end = (begin + GROUP).min(end);
            let group = around(order, begin, end);
            let mut note = |id| near.push(Near { begin: begin as u32, id });
            if is_dense(order, begin, end, &group) {
                resting.ask(&group, boxes, &mut note);
            } else {
                for index in begin..end {
                    resting.ask(&around(order, index, index + 1), boxes, &mut note);
                }
            }
        }
    }
    sweep::find_near(order, world.boxes.proxies, &near, changes);
    changes.near = near;
}

/// Whether neighbours in the order are neighbours in space: the box around a few lone movers, far from each other, would hold
/// most of what rests. (300 among 30,000 took 5 ms together, 0.1 one by one.)
fn is_dense(order: &Order, begin: usize, end: usize, group: &WorldAabb) -> bool {
    let extent = |aabb: &WorldAabb| aabb.aabb.size().element_sum();
    let members: f32 = (begin..end).map(|index| extent(&around(order, index, index + 1))).sum();
    extent(group) <= 2.0 * members
}

/// The box around some boxes as they are and were. Where all are in one region, which is nearly always, in four lanes.
fn around(order: &Order, begin: usize, end: usize) -> WorldAabb {
    let [first, old] = order.boxes_of(begin);
    let mut all = union_of(&first, &old);
    let mut sides = outward(&all.aabb);
    for index in begin + 1..end {
        let [now, old] = order.boxes_of(index);
        let mut add = |other: &WorldAabb| {
            let aabb = if other.region == all.region { other.aabb } else { other.relative_to(all.region) };
            sides = sides.max(outward(&aabb));
        };
        add(&now);
        if old.aabb.min.x < f32::INFINITY {
            add(&old);
        }
    }
    all.aabb = Aabb { min: -sides.xy(), max: sides.zw() };
    all
}

/// The four sides, each as far out as it is: the greatest of two are those of the box around both.
fn outward(aabb: &Aabb) -> Vec4 {
    Vec4::new(-aabb.min.x, -aabb.min.y, aabb.max.x, aabb.max.y)
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
