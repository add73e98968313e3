//! Grids of few boxes that search one after the other, as in a batch of worlds.
//!
//! In: a grid that is about to search. Out: search memory that it shares with other grids; or
//! prefetches of the memory that the search reads. See `util/prefetch.rs`.

use super::cell_order::SortMemory;
use super::grid::Grid;
use super::pair_list::PairList;
use super::sweep::{Changes, SweepMemory};
use crate::util::Prefetch;

impl Grid {
    /// Exchanges the memory that a search needs: grids that search in turn may share it.
    pub(super) fn swap_memory(&mut self, (sort, sweep): &mut (SortMemory, SweepMemory)) {
        self.order.swap_memory(sort);
        self.changes.swap_memory(sweep);
    }

    /// Prefetches the struct itself, without the contents of its lists.
    pub(super) fn prefetch_head(&self, fetch: &mut Prefetch) {
        fetch.lengths([self.proxies.len(), self.moved.len(), self.moved_count, self.unbounded.len()]);
        self.order.prefetch_head(fetch);
        let Changes { added, removed, resets, near, .. } = &self.changes;
        fetch.lengths([added.len(), removed.len(), resets.len(), near.len()]);
        let PairList { pairs, added, removed, .. } = &self.list;
        fetch.lengths([pairs.len(), added.len(), removed.len()]);
        [&self.active_forest, &self.resting_forest]
            .into_iter()
            .for_each(|forest| forest.prefetch_head(fetch));
    }

    /// Prefetches the lists that a search of few boxes reads.
    pub(super) fn prefetch(&self, fetch: &mut Prefetch) {
        fetch.list(&self.proxies);
        self.order.prefetch(fetch);
        fetch.list(&self.list.pairs);
    }
}
