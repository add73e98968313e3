//! Pairs whose boxes overlap, and whose parts have not come near each other since: no contacts yet.
//!
//! In: pairs that came and went in the grid. Out: the sorted list that is sieved in every step.
//!
//! Boxes reach over the whole way of a step, so what moves together at speed has four times as many
//! pairs as touch. Eight bytes in a list are less than the rows of a contact, and its places in a
//! hash table and in the lists of two bodies.

use crate::broadphase::Pair;
use crate::util::trim::trim;

/// The list.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    pairs: Vec<Pair>,
    /// Those that join it with the next update.
    new: Vec<Pair>,
    /// Those that leave it then.
    gone: Vec<Pair>,
    /// Memory for the next list.
    spare: Vec<Pair>,
}

crate::state::clone_by_field! { Candidates { pairs, new, gone, spare } }

impl Candidates {
    /// Sorted, each of them once.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The list, and what joins and leaves it with the next update.
    pub(crate) fn lists(&self) -> [&[Pair]; 3] {
        [&self.pairs, &self.new, &self.gone]
    }

    /// The same, to be filled anew.
    pub(crate) fn lists_mut(&mut self) -> [&mut Vec<Pair>; 3] {
        [&mut self.pairs, &mut self.new, &mut self.gone]
    }

    /// Gives back room that is no longer needed.
    pub(crate) fn trim(&mut self) {
        self.spare.truncate(self.pairs.len());
        let Candidates { pairs, new, gone, spare } = self;
        [pairs, new, gone, spare].into_iter().for_each(trim);
    }

    /// Puts a pair in with the next update, which may find it there.
    pub(crate) fn put(&mut self, pair: Pair) {
        self.new.push(pair);
    }

    /// Takes pairs out with the next update. (At once, which is one more walk in every step: 1 % of
    /// it in a stirred heap.)
    pub(crate) fn take_out(&mut self, pairs: &[Pair]) {
        self.gone.extend_from_slice(pairs);
    }

    /// Takes out what is to go, and `removed`, which are in order; and then puts in what is new: a
    /// pair that left may be back with other parts, whose places were free.
    pub(crate) fn update(&mut self, removed: &[Pair]) {
        if self.new.is_empty() && self.gone.is_empty() && removed.is_empty() {
            return;
        }
        let Candidates { pairs, new, gone, spare } = self;
        for list in [&mut *new, &mut *gone] {
            list.sort_unstable_by_key(key);
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
            // It is written in any case, and counts if it stays: nobody could foresee which branch
            // it takes.
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

/// A number that sorts as the pair does.
#[inline(always)]
fn key(pair: &Pair) -> u64 {
    u64::from(pair.a) << 32 | u64::from(pair.b)
}

/// What is left of a list in order, and the key of its first; a key beyond all others where nothing
/// is left.
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

    /// Goes over the first, if `goes`.
    #[inline(always)]
    fn skip(&mut self, goes: bool) {
        self.at += usize::from(goes);
        self.next = self.list.get(self.at).map_or(u64::MAX, key);
    }

    /// Takes the first, which is there.
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
