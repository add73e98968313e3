//! The row of an id in the grid: 32 bytes, at most one cache line, with everything that the move of
//! a box needs.
//!
//! In: boxes and flags, from the grid. Out: boxes and flags, for all code that looks boxes up by
//! id.

use bytemuck::{Pod, Zeroable};

use super::WorldAabb;

/// The id has a box.
pub(crate) const PRESENT: u32 = 1;
/// The box searches for pairs.
pub(super) const ACTIVE: u32 = 1 << 1;
/// The box is neither invalid nor unbounded.
pub(super) const BOUNDED: u32 = 1 << 2;
/// The box is valid, but too large for a cell.
pub(super) const UNBOUNDED: u32 = 1 << 3;
/// The sorted boxes or their arrivals contain the id.
pub(super) const ORDERED: u32 = 1 << 4;
/// The next search finds all pairs of the box anew.
pub(super) const RESET: u32 = 1 << 5;
/// The sorted boxes do not contain the bounds that the box had at the last search.
pub(super) const TOUCHED: u32 = 1 << 6;
/// Flags of the boxes that are sorted into cells.
pub(super) const IN_CELL: u32 = PRESENT | ACTIVE | BOUNDED;

/// The bits of `state` above the flags are the epoch in which the box last moved.
pub(super) const EPOCH_SHIFT: u32 = 8;
pub(super) const FLAGS: u32 = (1 << EPOCH_SHIFT) - 1;
/// The last epoch; the next one is the first again.
pub(super) const LAST_EPOCH: u32 = u32::MAX >> EPOCH_SHIFT;

/// The box, group and state of an id.
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

    /// Whether two boxes may be a pair: one of them is active, and they do not share a group.
    #[inline]
    pub(super) fn may_pair(&self, other: &Proxy) -> bool {
        (self.state | other.state) & ACTIVE != 0 && (self.group == 0 || self.group != other.group)
    }
}
