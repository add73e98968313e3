//! The searches that use trees: active boxes against resting boxes, few boxes against all, and the
//! unbounded boxes.
//!
//! In: the order or a few changed ids, and forests. Out: changed pairs, some of them twice.

use super::WorldAabb;
use super::cell_order::{NO_BOX_BEFORE, Order, union_of};
use super::forest::{Boxes, Forest, Home};
use super::packet::{PACKET, Packet};
use super::proxy::{ACTIVE, BOUNDED, EPOCH_SHIFT, PRESENT, RESET, UNBOUNDED};
use super::sweep::{self, Changes};

/// The tables that searches look ids up in.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub(super) boxes: Boxes<'a>,
    pub(super) homes: &'a [Home],
    pub(super) searched: u32,
}

impl World<'_> {
    /// Returns the bounds of a box at the last search.
    fn old(&self, id: u32) -> WorldAabb {
        let proxy = &self.boxes.proxies[id as usize];
        match self.boxes.before {
            _ if proxy.is(RESET) => NO_BOX_BEFORE,
            Some((before, _)) if proxy.state >> EPOCH_SHIFT >= self.searched => before[id as usize],
            _ => proxy.aabb,
        }
    }

    /// Notes the pair of an id with another id if it began or ended.
    #[inline]
    fn compare(&self, id: u32, [now, old]: &[WorldAabb; 2], other: u32, changes: &mut Changes) {
        let (proxy, other_proxy) = (&self.boxes.proxies[id as usize], &self.boxes.proxies[other as usize]);
        if id != other && proxy.may_pair(other_proxy) {
            let was = old.overlaps(&self.old(other));
            changes.compare(id, other, now.overlaps(&other_proxy.aabb), was);
        }
    }
}

/// Finds changed pairs of active boxes with resting boxes, whose forest must be fresh. Neighbours
/// share their way down the trees (packet traversal, `packet.rs`). (Tried: each box alone, unless
/// eight neighbours were so near each other that all boxes around them were compared with all
/// eight: 50,000 moving boxes among 50,000 at rest, 3 m apart, took 13 ms more.)
pub(super) fn ask_resting(order: &Order, resting: &Forest, world: World<'_>, changes: &mut Changes) {
    let mut near = core::mem::take(&mut changes.near);
    near.clear();
    for first in (0..order.len).step_by(PACKET) {
        let packet = Packet::new(order, first, (first + PACKET).min(order.len));
        let all = packet.around_all();
        if !resting.is_near(&all) {
            continue;
        }
        for id in resting.loose() {
            let aabb = world.boxes.aabb(id);
            if all.overlaps(&aabb) {
                packet.meet_one(first, id, &aabb, &mut near);
            }
        }
        for fans in resting.fans() {
            packet.meet(order.lanes.level, first, fans, &mut near);
        }
    }
    sweep::find_near(order, world.boxes.proxies, &near, changes);
    changes.near = near;
}

/// Compares all boxes with the unbounded boxes, and these with each other.
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
            // An unbounded box had other bounds at the last search only if it is reset.
            resting.ask(&proxy.aabb, (world.boxes, world.homes), |other| {
                world.compare(id, &pair, other, changes);
            });
        }
        for &other in &unbounded[k + 1..] {
            world.compare(id, &pair, other, changes);
        }
    }
}

/// Compares one changed box with all boxes.
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

/// Compares one changed resting box with the unbounded boxes alone.
pub(super) fn ask_unbounded_alone(id: u32, unbounded: &[u32], world: World<'_>, changes: &mut Changes) {
    let proxy = &world.boxes.proxies[id as usize];
    if proxy.is(PRESENT | BOUNDED) && !proxy.is(ACTIVE) {
        let pair = [proxy.aabb, world.old(id)];
        unbounded.iter().for_each(|&other| world.compare(id, &pair, other, changes));
    }
}
