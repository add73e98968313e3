//! The sorted list of pairs that the caller reads, and the pairs that began and ended.
//!
//! In: the changes that a search found. Out: the sorted list and its difference to the list before.
//! Called by the grid once after each search.

use super::Pair;
use super::sweep::Changes;
use crate::util::trim::{release, trim};

#[derive(Debug, Default)]
pub(super) struct PairList {
    pub(super) pairs: Vec<Pair>,
    pub(super) added: Vec<Pair>,
    pub(super) removed: Vec<Pair>,
    /// The list before, and memory for the next one.
    previous: Vec<Pair>,
    /// Old pairs of ids whose pairs were all found anew.
    purged: Vec<u64>,
    /// One bit for each id, all zero between calls.
    reset_bits: Vec<u64>,
    scratch: Vec<u64>,
    starts: Vec<u32>,
}

crate::state::clone_by_field! { PairList { pairs, added, removed, previous, purged, reset_bits, scratch, starts } }

impl PairList {
    /// Notes that nothing changed.
    pub(super) fn keep(&mut self) {
        self.added.clear();
        self.removed.clear();
    }

    /// Takes over a list.
    pub(super) fn restore(&mut self, pairs: &[Pair]) {
        self.keep();
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
    }

    /// Gives back memory of searches that are over.
    pub(super) fn release(&mut self) {
        [&mut self.added, &mut self.removed, &mut self.previous].into_iter().for_each(release);
        [&mut self.purged, &mut self.scratch].into_iter().for_each(release);
        release(&mut self.starts);
        trim(&mut self.pairs);
    }

    /// Finds out which pairs began and ended; [`PairList::merging`] brings the list up to date. All
    /// ids are below `ids`.
    pub(super) fn compare(&mut self, changes: &mut Changes, ids: usize) {
        self.sort(&mut changes.added, ids);
        self.sort(&mut changes.removed, ids);
        if !changes.resets.is_empty() {
            self.purge(changes, ids);
        }
        self.added.clear();
        self.added.extend(changes.added.iter().map(|&key| pair(key)));
        self.removed.clear();
        self.removed.extend(changes.removed.iter().map(|&key| pair(key)));
    }

    /// Returns the work that is left after a comparison, to be done once.
    pub(super) fn merging(&mut self) -> Merging<'_> {
        let PairList { pairs, previous, added, removed, .. } = self;
        Merging { pairs, previous, added, removed }
    }

    /// Compares the old pairs of reset ids with the added pairs. Pairs in both have not changed;
    /// pairs that are only among the old ones have ended.
    fn purge(&mut self, changes: &mut Changes, ids: usize) {
        self.reset_bits.resize(ids.div_ceil(64), 0);
        for &id in &changes.resets {
            self.reset_bits[id as usize / 64] |= 1 << (id % 64);
        }
        let is_reset = |id: u32| self.reset_bits[id as usize / 64] >> (id % 64) & 1 != 0;
        self.purged.clear();
        let reset = self.pairs.iter().filter(|pair| is_reset(pair.a) || is_reset(pair.b));
        self.purged.extend(reset.map(key_of));
        for &id in &changes.resets {
            self.reset_bits[id as usize / 64] = 0;
        }
        if self.purged.is_empty() {
            return;
        }
        // Both lists are walked together; the first `kept` added pairs are new.
        let (mut old, mut kept) = (self.purged.iter().copied().peekable(), 0);
        let removed = changes.removed.len();
        for index in 0..changes.added.len() {
            let new = changes.added[index];
            while let Some(gone) = old.next_if(|&old| old < new) {
                changes.removed.push(gone);
            }
            changes.added[kept] = new;
            kept += usize::from(old.next_if_eq(&new).is_none());
        }
        changes.added.truncate(kept);
        changes.removed.extend(old);
        if removed > 0 {
            self.sort(&mut changes.removed, ids);
        }
    }

    /// Sorts keys and drops repetitions.
    ///
    /// A counting sort by the first id, with about as many buckets as keys at most; then a sort of
    /// each bucket.
    fn sort(&mut self, keys: &mut Vec<u64>, ids: usize) {
        if keys.len() < 64 {
            keys.sort_unstable();
            keys.dedup();
            return;
        }
        let PairList { scratch, starts, .. } = self;
        let bits = usize::BITS - ids.leading_zeros();
        let wanted = usize::BITS - keys.len().leading_zeros();
        let shift = 32 + bits.saturating_sub(wanted);
        starts.clear();
        starts.resize((ids >> (shift - 32)) + 2, 0);
        for key in keys.iter() {
            starts[(key >> shift) as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += core::mem::replace(start, sum);
        }
        scratch.resize(keys.len(), 0);
        for &key in keys.iter() {
            let next = &mut starts[(key >> shift) as usize + 1];
            scratch[*next as usize] = key;
            *next += 1;
        }
        core::mem::swap(keys, scratch);
        for bounds in starts.windows(2) {
            let bucket = &mut keys[bounds[0] as usize..bounds[1] as usize];
            if bucket.len() > 1 {
                sort_bucket(bucket);
            }
        }
        keys.dedup();
    }
}

/// A list of pairs that is not up to date yet, and the pairs that began and ended since it was.
pub(crate) struct Merging<'l> {
    pairs: &'l mut Vec<Pair>,
    previous: &'l mut Vec<Pair>,
    added: &'l [Pair],
    pub(super) removed: &'l [Pair],
}

impl Merging<'_> {
    /// Whether any pair began or ended.
    pub(super) fn is_due(&self) -> bool {
        !self.added.is_empty() || !self.removed.is_empty()
    }

    /// Inserts the added pairs into the list and removes the ended ones. The pairs between are
    /// copied.
    pub(crate) fn finish(self) {
        if !self.is_due() {
            return;
        }
        let Merging { pairs, previous, mut added, mut removed } = self;
        core::mem::swap(pairs, previous);
        pairs.clear();
        pairs.reserve(previous.len() + added.len());
        let mut rest = previous.as_slice();
        loop {
            let first = |pairs: &[Pair]| pairs.first().map_or(u64::MAX, key_of);
            let (next_added, next_removed) = (first(added), first(removed));
            let next = next_added.min(next_removed);
            if next == u64::MAX {
                break;
            }
            let (before, from) = rest.split_at(place(rest, next));
            pairs.extend_from_slice(before);
            if next == next_added {
                debug_assert!(from.first().is_none_or(|p| key_of(p) != next), "{next:x} was there");
                pairs.push(pair(next));
                added = &added[1..];
                rest = from;
            } else {
                debug_assert!(from.first().is_some_and(|p| key_of(p) == next), "{next:x} was not there");
                removed = &removed[1..];
                rest = &from[1..];
            }
        }
        pairs.extend_from_slice(rest);
    }
}

/// Sorts a few keys.
#[inline]
fn sort_bucket(keys: &mut [u64]) {
    if keys.len() > 20 {
        keys.sort_unstable();
        return;
    }
    for end in 1..keys.len() {
        let key = keys[end];
        let mut hole = end;
        while hole > 0 && keys[hole - 1] > key {
            keys[hole] = keys[hole - 1];
            hole -= 1;
        }
        keys[hole] = key;
    }
}

/// Returns how many pairs stand before `next`: counted in blocks without branches, then in doubling
/// steps.
#[inline]
fn place(pairs: &[Pair], next: u64) -> usize {
    const BLOCK: usize = 8;
    const BLOCKS: usize = 6;
    for index in 0..BLOCKS {
        let begin = index * BLOCK;
        let Some(block) = pairs.get(begin..begin + BLOCK) else {
            return begin + pairs[begin..].partition_point(|pair| key_of(pair) < next);
        };
        let count = block.iter().map(|pair| usize::from(key_of(pair) < next)).sum::<usize>();
        if count < BLOCK {
            return begin + count;
        }
    }
    let mut end = BLOCK * BLOCKS;
    while end < pairs.len() && key_of(&pairs[end]) < next {
        end *= 2;
    }
    let begin = end / 2;
    begin + pairs[begin..end.min(pairs.len())].partition_point(|pair| key_of(pair) < next)
}

/// Returns the key of a pair.
#[inline(always)]
fn key_of(pair: &Pair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

#[inline(always)]
fn pair(key: u64) -> Pair {
    Pair { a: (key >> 32) as u32, b: key as u32 }
}

#[cfg(test)]
impl PairList {
    pub(super) fn capacity(&self) -> usize {
        let lists = [&self.pairs, &self.previous, &self.added, &self.removed];
        lists.map(Vec::capacity).iter().sum::<usize>() + self.purged.capacity() + self.scratch.capacity()
    }
}
