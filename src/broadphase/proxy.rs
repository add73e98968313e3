//! What the grid keeps of each id: 32 bytes, one cache line at most, for everything that is asked
//! when a box moves.
//!
//! In: boxes and flags, from the grid. Out: the same, to all that is asked by id.

use bytemuck::{Pod, Zeroable};

use super::WorldAabb;

/// There is a box.
pub(crate) const PRESENT: u32 = 1;
/// It asks for pairs.
pub(super) const ACTIVE: u32 = 1 << 1;
/// It is neither invalid nor unbounded.
pub(super) const BOUNDED: u32 = 1 << 2;
/// It is valid, but too large for a cell.
pub(super) const UNBOUNDED: u32 = 1 << 3;
/// The sorted boxes or their arrivals hold the id.
pub(super) const ORDERED: u32 = 1 << 4;
/// Its pairs are to be found from nothing.
pub(super) const RESET: u32 = 1 << 5;
/// Its box at the last search is not the one that the sorted boxes hold.
pub(super) const TOUCHED: u32 = 1 << 6;
/// Flags of those that stand in the sorted boxes.
pub(super) const IN_CELL: u32 = PRESENT | ACTIVE | BOUNDED;

/// The bits of `state` above the flags say when the box last moved.
pub(super) const EPOCH_SHIFT: u32 = 8;
pub(super) const FLAGS: u32 = (1 << EPOCH_SHIFT) - 1;
/// Then they begin anew.
pub(super) const LAST_EPOCH: u32 = u32::MAX >> EPOCH_SHIFT;

/// An id's box, group and state.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Proxy {
    pub(super) aabb: WorldAabb,
    pub(super) group: u32,
    /// Flags, and the epoch in which the box last moved.
    pub(super) state: u32,
}

impl Proxy {
    pub(super) const ABSENT: Proxy = Proxy { aabb: WorldAabb::EMPTY, group: 0, state: 0 };

    #[inline]
    pub(super) fn is(&self, flags: u32) -> bool {
        self.state & flags == flags
    }

    /// Whether two boxes may be a pair: one of them is active, and they are not of one group.
    #[inline]
    pub(super) fn may_pair(&self, other: &Proxy) -> bool {
        (self.state | other.state) & ACTIVE != 0 && (self.group == 0 || self.group != other.group)
    }
}
