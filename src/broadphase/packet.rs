//! Many moving boxes against a tree at once (packet traversal).
//!
//! In: neighbours among the moving boxes, in groups of eight, and the trees of resting boxes in
//! lanes. Out: each group with each resting box that may overlap a box of it. Called by `near.rs`
//! where many boxes have moved.
//!
//! ```text
//!   packet   m m m m m m m m | m m m m m m m m | …     four groups of eight, sides in columns
//!   fan      its eight boxes against the box around a group; each box that meets it against the
//!            eight of the group. A box that meets none of the eight is left out, so boxes between
//!            moving boxes that are far apart cost nothing.
//! ```
//!
//! All boxes of a packet go down together: each fan is opened once for all groups that reach it.

use glam::{IVec2, vec2};

use super::WorldAabb;
use super::cell_order::{Order, union_of};
use super::fan::{Fan, Fans, TREE_ROWS};
use super::sweep::Near;
use crate::bounds::Aabb;
use crate::math::{max, min};
use crate::simd::{AllLanes, LANES, Lane, Level, Width, dispatch_wide};

/// Boxes of a group, and groups of a packet.
pub(super) const BOXES_OF_GROUP: usize = LANES;
const GROUPS: usize = 4;
pub(super) const PACKET: usize = BOXES_OF_GROUP * GROUPS;

/// A set of groups, a bit each.
type Groups = u8;

/// Neighbours in the order, each as the box around its present and its last bounds.
#[derive(Clone, Copy)]
pub(super) struct Packet {
    /// Sides are measured from the centre of this region.
    region: IVec2,
    /// Left, lower, right and upper sides. Unused places have the sides of an empty box.
    sides: [[[f32; BOXES_OF_GROUP]; GROUPS]; 4],
    /// The box around each group.
    around: [Aabb; GROUPS],
}

impl Packet {
    /// Makes a packet of the boxes from `begin` to `end` in the order, at most [`PACKET`].
    pub(super) fn new(order: &Order, begin: usize, end: usize) -> Packet {
        let (nowhere, region) = ([[f32::INFINITY; BOXES_OF_GROUP]; GROUPS], order.regions_of(begin)[0]);
        let below = [[f32::NEG_INFINITY; BOXES_OF_GROUP]; GROUPS];
        let mut packet =
            Packet { region, sides: [nowhere, nowhere, below, below], around: [Aabb::EMPTY; GROUPS] };
        if order.is_mixed {
            for index in begin..end {
                let [now, old] = order.boxes_of(index);
                packet.set(index - begin, union_of(&now, &old).relative_to(region));
            }
        } else {
            // A box without bounds at the last search has NaN there: `min` and `max` take the other
            // number.
            let columns =
                order.now.iter().zip(&order.old).map(|(now, old)| [&now[begin..end], &old[begin..end]]);
            for (side, ([now, old], to)) in columns.zip(&mut packet.sides).enumerate() {
                let all = to.as_flattened_mut().iter_mut().zip(now).zip(old);
                if side < 2 {
                    all.for_each(|((to, &now), &old)| *to = min(now, old));
                } else {
                    all.for_each(|((to, &now), &old)| *to = max(now, old));
                }
            }
        }
        packet.enclose();
        packet
    }

    fn set(&mut self, k: usize, aabb: Aabb) {
        let sides = [aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y];
        self.sides.iter_mut().zip(sides).for_each(|(column, side)| column.as_flattened_mut()[k] = side);
    }

    fn enclose(&mut self) {
        let least = |column: &[f32; BOXES_OF_GROUP]| column.iter().fold(f32::INFINITY, |p, &q| min(p, q));
        let most = |column: &[f32; BOXES_OF_GROUP]| column.iter().fold(f32::NEG_INFINITY, |p, &q| max(p, q));
        let [left, below, right, above] = &self.sides;
        self.around = core::array::from_fn(|group| Aabb {
            min: vec2(least(&left[group]), least(&below[group])),
            max: vec2(most(&right[group]), most(&above[group])),
        });
    }

    /// Returns the box around all boxes.
    pub(super) fn around_all(&self) -> WorldAabb {
        let aabb = self.around.iter().fold(Aabb::EMPTY, |all, aabb| all.union(*aabb));
        WorldAabb { region: self.region, aabb }
    }

    /// Returns the packet relative to the centre of another region, rounded outward.
    #[cold]
    fn seen_from(&self, region: IVec2) -> Packet {
        let mut packet = *self;
        for k in 0..PACKET {
            let [left, below, right, above] = self.sides.each_ref().map(|column| column.as_flattened()[k]);
            let aabb = Aabb { min: vec2(left, below), max: vec2(right, above) };
            packet.set(k, WorldAabb { region: self.region, aabb }.relative_to(region));
        }
        packet.region = region;
        packet.enclose();
        packet
    }

    /// Notes a box for the groups near it. The first group begins at `first` in the order.
    pub(super) fn meet_one(&self, first: usize, id: u32, aabb: &WorldAabb, near: &mut Vec<Near>) {
        for (group, around) in self.around.iter().enumerate() {
            if aabb.overlaps(&WorldAabb { region: self.region, aabb: *around }) {
                near.push(Near { begin: (first + group * BOXES_OF_GROUP) as u32, id });
            }
        }
    }

    /// Notes the boxes of a tree for the groups that they may meet.
    pub(super) fn meet(&self, level: Level, first: usize, fans: &Fans, near: &mut Vec<Near>) {
        dispatch_wide!(level, simd => self.descend(AllLanes(simd), first, fans, near));
    }

    #[inline(always)]
    fn descend<W: Width>(&self, w: W, first: usize, fans: &Fans, near: &mut Vec<Near>) {
        let Some(root) = fans.root() else { return };
        let mut waiting = [(0_u32, 0 as Groups); TREE_ROWS * LANES];
        waiting[0] = (root as u32, (1 << GROUPS) - 1);
        let mut depth = 1;
        let mut here = *self;
        while depth > 0 {
            depth -= 1;
            let (index, groups) = (waiting[depth].0 as usize, waiting[depth].1);
            let region = fans.region_of(index);
            if here.region != region {
                here = self.seen_from(region);
            }
            let (fan, below, has_entries) = fans.at(index);
            let (mut lanes, met) = here.ask(w, fan, groups);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                lanes &= lanes - 1;
                if !has_entries {
                    waiting[depth] = (below + lane as u32, met[lane]);
                    depth += 1;
                    continue;
                }
                let (id, mut rest) = (fans.id_at(index, lane), met[lane]);
                while rest != 0 {
                    let begin = first + rest.trailing_zeros() as usize * BOXES_OF_GROUP;
                    rest &= rest - 1;
                    near.push(Near { begin: begin as u32, id });
                }
            }
        }
    }

    /// Returns the boxes of a fan that some of the groups meet, a bit each; and these groups for
    /// each.
    #[inline(always)]
    fn ask<W: Width>(&self, w: W, fan: &Fan, groups: Groups) -> (u8, [Groups; LANES]) {
        let [lefts, belows, rights, aboves] = fan.sides();
        let (left, below, right, above) = (w.read(lefts), w.read(belows), w.read(rights), w.read(aboves));
        let [own_lefts, own_belows, own_rights, own_aboves] = &self.sides;
        let (mut lanes, mut met) = (0_u8, [0; LANES]);
        let mut rest = groups;
        while rest != 0 {
            let group = rest.trailing_zeros() as usize % GROUPS;
            rest &= rest - 1;
            let Aabb { min, max } = self.around[group];
            let along_x = left.le(w.splat(max.x)) & w.splat(min.x).le(right);
            let along_y = below.le(w.splat(max.y)) & w.splat(min.y).le(above);
            let mut close = w.bits(along_x & along_y);
            let (own_left, own_below) = (w.read(&own_lefts[group]), w.read(&own_belows[group]));
            let (own_right, own_above) = (w.read(&own_rights[group]), w.read(&own_aboves[group]));
            while close != 0 {
                let lane = close.trailing_zeros() as usize % LANES;
                close &= close - 1;
                let along_x = own_left.le(w.splat(rights[lane])) & w.splat(lefts[lane]).le(own_right);
                let along_y = own_below.le(w.splat(aboves[lane])) & w.splat(belows[lane]).le(own_above);
                let meets = u8::from(w.bits(along_x & along_y) != 0);
                met[lane] |= meets << group;
                lanes |= meets << lane;
            }
        }
        (lanes, met)
    }
}
