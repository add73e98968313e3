//! The broadphase: finds which boxes overlap.
//!
//! In: axis-aligned boxes in the unlimited world under small ids of the caller's, some moving, most
//! at rest. Out: the sorted list of overlapping pairs, with the pairs that began and ended since
//! the last search; and walks over the boxes for queries. It knows nothing of shapes or bodies. A
//! world uses it, and it can be used on its own.
//!
//! [`Grid`] is the fast broadphase. [`BruteForce`] compares every box with every other by the same
//! methods: tests compare the grid with it.
//!
//! ```text
//!   proxy       box, group and flags of an id         written by updates
//!   cell        fixed-point places                    exact at any distance
//!   plan        levels by size, cells, their table    made from the sizes that there are
//!   order       active boxes cell by cell             a counting sort from last time's order
//!   sweep       which pairs came and went             neighbours in that order, eight at a time
//!   tree        neighbouring boxes, eight to a node      static places, boxes may move
//!   fan         the same boxes in lanes                 questions of queries
//!   forest      a few trees and a short list          resting boxes; walked by queries
//!   packet      many moving boxes down a tree         active against resting ones
//!   near        searches in forests                   few against all
//!   pair_list   sorting and merging of changes        the list that the caller reads
//!   grid        the table of proxies, and its pairs   chooses between all and a few
//!   arrivals    many boxes at once                    trees of another grid are taken over
//!   walk        the grid's queries
//!   upkeep      whether a step refreshes trees for the queries after it
//!   period      which image of a place is meant, in worlds that wrap round
//!   periodic    boxes that reach over the seam, once more on the other side
//!   small       grids of few boxes, which search one after the other
//!   cells       the cells of the grid, to draw them
//! ```

mod arrivals;
mod best_first;
mod brute_force;
mod cell;
mod cell_order;
#[cfg(feature = "draw")]
mod cells;
mod fan;
mod flight;
mod forest;
mod grid;
mod near;
mod packet;
mod pair_list;
mod period;
mod periodic;
mod plan;
mod proxy;
mod regions;
mod small;
mod sweep;
mod tree;
mod upkeep;
mod walk;
mod world_aabb;

pub use brute_force::BruteForce;
pub(crate) use cell_order::union_of;
pub(crate) use fan::Question;
pub(crate) use flight::FLIGHT;
pub use grid::Grid;
pub(crate) use period::Period;
pub(crate) use periodic::{PeriodicGrid, SearchMemory};
pub(crate) use proxy::PRESENT;
pub use regions::Regions;
pub(crate) use walk::Found;
pub use world_aabb::WorldAabb;

use bytemuck::{Pod, Zeroable};

/// Whether a box is expected to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Activity {
    /// Searches for its pairs.
    #[default]
    Active,
    /// Is found by active boxes only: two resting boxes are no pair, and resting boxes cost nothing
    /// while nothing near them changes. They may be moved nevertheless.
    Resting,
}

/// Two boxes that overlap, the smaller id first.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
pub struct Pair {
    /// The smaller id.
    pub a: u32,
    /// The larger id.
    pub b: u32,
}

impl Pair {
    /// The pair of two ids, given in any order.
    #[inline]
    #[must_use]
    pub fn new(p: u32, q: u32) -> Pair {
        if p < q { Pair { a: p, b: q } } else { Pair { a: q, b: p } }
    }
}
