//! Candidate pairs: their boxes overlap, but their parts have not come near each other since. They
//! are no contacts yet.
//!
//! In: pairs that came and went in the grid. Out: the sorted list of pairs that
//! `step/collide/cull.rs` culls in every step.
//!
//! Boxes cover the displacement of a whole step, so bodies that move together at speed have four
//! times as many pairs as touches. Eight bytes in a list are cheaper than the rows of a contact,
//! its entry in a hash table and its contact edges.

use crate::broadphase::Pair;
use crate::util::trim::trim;

/// The list of candidate pairs.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pairs: Vec<Pair>,
    /// Pairs that the next update adds.
    new: Vec<Pair>,
    /// Pairs that the next update removes.
    gone: Vec<Pair>,
    /// Scratch memory for the next list.
    spare: Vec<Pair>,
}

crate::state::clone_by_field! { Candidates { pairs, new, gone, spare } }

impl Candidates {
    /// Sorted, each of them once.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The list, and the pairs that the next update adds and removes.
    pub(crate) fn lists(&self) -> [&[Pair]; 3] {
        [&self.pairs, &self.new, &self.gone]
    }

    /// All three lists, mutable, to be restored.
    pub(crate) fn lists_mut(&mut self) -> [&mut Vec<Pair>; 3] {
        [&mut self.pairs, &mut self.new, &mut self.gone]
    }

    /// Frees memory that is no longer needed.
    pub(crate) fn trim(&mut self) {
        self.spare.truncate(self.pairs.len());
        let Candidates { pairs, new, gone, spare } = self;
        [pairs, new, gone, spare].into_iter().for_each(trim);
    }

    /// Adds a pair with the next update; it may be in the list already.
    pub(crate) fn put(&mut self, pair: Pair) {
        self.new.push(pair);
    }

    /// Removes pairs with the next update. (Removing them at once takes one more walk in every
    /// step: 1 % of it in a stirred heap.)
    pub(crate) fn take_out(&mut self, pairs: &[Pair]) {
        self.gone.extend_from_slice(pairs);
    }

    /// Keeps the sorted `pairs`, which the next update was to remove.
    pub(crate) fn keep(&mut self, pairs: &[Pair]) {
        self.gone.retain(|pair| pairs.binary_search(pair).is_err());
    }

    /// Removes the pairs to remove, and the sorted `removed`; then adds the new ones: a removed
    /// pair may be back with other parts that reuse its indices.
    pub(crate) fn update(&mut self, removed: &[Pair]) {
        if self.new.is_empty() && self.gone.is_empty() && removed.is_empty() {
            return;
        }
        let Candidates { pairs, new, gone, spare } = self;
        for list in [&mut *new, &mut *gone] {
            list.sort_unstable();
            list.dedup();
        }
        spare.resize(pairs.len() + new.len(), Pair::default());
        let (mut count, mut new, mut fronts) = (0, Front::new(new), [Front::new(gone), Front::new(removed)]);
        for &pair in pairs.iter() {
            let key = key(&pair);
            while new.next < key {
                spare[count] = new.take();
                count += 1;
            }
            let mut stays = true;
            for front in &mut fronts {
                while front.next < key {
                    front.take();
                }
                stays &= front.next != key;
            }
            // Written in any case, counted only if kept: as a branch it could not be predicted.
            spare[count] = pair;
            count += usize::from(stays || new.next == key);
            new.skip(new.next == key);
        }
        spare.truncate(count);
        spare.extend_from_slice(&new.list[new.at..]);
        core::mem::swap(&mut self.pairs, &mut self.spare);
        self.new.clear();
        self.gone.clear();
    }
}

/// A sort key of the pair.
#[inline(always)]
fn key(pair: &Pair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

/// The rest of a sorted list, and the key of its first pair; greater than all keys if the list is
/// empty.
struct Front<'a> {
    list: &'a [Pair],
    at: usize,
    next: u64,
}

impl<'a> Front<'a> {
    fn new(list: &'a [Pair]) -> Front<'a> {
        let mut front = Front { list, at: 0, next: 0 };
        front.skip(false);
        front
    }

    /// Skips the first pair, if `goes`.
    #[inline(always)]
    fn skip(&mut self, goes: bool) {
        self.at += usize::from(goes);
        self.next = self.list.get(self.at).map_or(u64::MAX, key);
    }

    /// Takes the first pair; the list must not be empty.
    #[inline(always)]
    fn take(&mut self) -> Pair {
        let first = self.list[self.at];
        self.skip(true);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_agrees_with_an_ordered_set() {
        let (mut apart, mut reference) = (Candidates::default(), BTreeSet::new());
        let mut state = 3_u64;
        for _ in 0..500 {
            let mut some = || {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
                let count = state >> 60;
                let pairs =
                    (0..count).map(|k| Pair::new((state >> (3 * k)) as u32 & 7, (state >> 50) as u32 & 31));
                pairs.collect::<Vec<_>>()
            };
            let (new, gone) = (some(), some());
            new.iter().for_each(|&pair| apart.put(pair));
            apart.take_out(&gone);
            let mut removed = some();
            removed.sort_unstable();
            apart.update(&removed);
            gone.iter().chain(&removed).for_each(|pair| _ = reference.remove(pair));
            reference.extend(new);
            assert!(apart.pairs().iter().eq(reference.iter()));
        }
    }
}
