//! Nodes: data of a search per cell.
//!
//! Nodes are not cleared between searches: a node counts only if it carries the stamp of the
//! running search.

/// Bits of a node's mark: the directions by which it was reached, whether it is closed, and whether
/// it is a goal; the stamp lies above them.
pub(crate) const CAME: u32 = 0xFF;
pub(crate) const CLOSED: u32 = 1 << 8;
pub(crate) const GOAL: u32 = 1 << 9;
const STAMP_SHIFT: u32 = 10;
/// The first stamp that does not fit.
const STAMPS: u32 = 1 << (32 - STAMP_SHIFT);

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) mark: u32,
    pub(crate) g: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) list: Vec<Node>,
    stamp: u32,
}

impl Nodes {
    /// Invalidates all nodes. Takes time only when the map has grown, and once in 2^22 searches.
    pub(crate) fn begin(&mut self, count: usize) {
        if self.list.len() < count {
            self.list.resize(count, Node::default());
        }
        self.stamp += 1;
        if self.stamp == STAMPS {
            self.list.fill(Node::default());
            self.stamp = 1;
        }
    }

    /// The stamp, shifted to its bits of a mark.
    #[inline]
    pub(crate) fn stamp(&self) -> u32 {
        self.stamp << STAMP_SHIFT
    }

    #[inline]
    pub(crate) fn is_of(mark: u32, stamp: u32) -> bool {
        mark >> STAMP_SHIFT == stamp >> STAMP_SHIFT
    }

    /// Skips to the last stamps, for tests.
    #[cfg(test)]
    pub(crate) fn skip_to_last_stamps(&mut self) {
        self.stamp = STAMPS - 3;
    }
}
