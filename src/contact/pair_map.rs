//! Hash table from a pair of numbers to a third one, such as a count.
//!
//! In: pairs and numbers. Out: the number of a pair. Open addressing with linear probing;
//! removal moves the following entries up, so there are no tombstones. It is never iterated, so its
//! order has no effect.

use crate::broadphase::Pair;

const NO_SLOT: u32 = u32::MAX;

/// From a pair to a slot.
#[derive(Debug, Default)]
pub(crate) struct PairMap {
    entries: Vec<Entry>,
    count: usize,
}

impl Clone for PairMap {
    fn clone(&self) -> PairMap {
        PairMap { entries: self.entries.clone(), count: self.count }
    }

    /// A larger table keeps its size.
    fn clone_from(&mut self, source: &PairMap) {
        if self.entries.len() <= source.entries.len() {
            self.entries.clone_from(&source.entries);
        } else {
            self.clear();
            for &entry in source.entries.iter().filter(|entry| entry.slot != NO_SLOT) {
                let place = self.place_of(entry.pair);
                self.entries[place] = entry;
            }
        }
        self.count = source.count;
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    pair: Pair,
    slot: u32,
}

impl Entry {
    /// All bytes are the same: many are written at once.
    const NOTHING: Entry = Entry { pair: Pair { a: NO_SLOT, b: NO_SLOT }, slot: NO_SLOT };
}

impl PairMap {
    /// Removes all pairs.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(Entry::NOTHING);
        self.count = 0;
    }

    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Adds a pair that is not there yet.
    pub(crate) fn insert(&mut self, pair: Pair, slot: u32) {
        self.make_room();
        self.count += 1;
        let place = self.place_of(pair);
        debug_assert!(self.entries[place].slot == NO_SLOT, "{pair:?} has one contact");
        self.entries[place] = Entry { pair, slot };
    }

    /// The slot of a pair.
    pub(crate) fn get(&self, pair: Pair) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let entry = self.entries[self.place_of(pair)];
        (entry.slot != NO_SLOT).then_some(entry.slot)
    }

    /// Adds one to the count of a pair, and returns the new count.
    pub(crate) fn count_up(&mut self, pair: Pair) -> u32 {
        self.make_room();
        let place = self.place_of(pair);
        let entry = &mut self.entries[place];
        if entry.slot == NO_SLOT {
            *entry = Entry { pair, slot: 0 };
            self.count += 1;
        }
        entry.slot += 1;
        entry.slot
    }

    /// Takes one off the count of a pair, and returns the new count.
    pub(crate) fn count_down(&mut self, pair: Pair) -> u32 {
        if self.entries.is_empty() {
            return 0;
        }
        let place = self.place_of(pair);
        match &mut self.entries[place].slot {
            &mut NO_SLOT => 0,
            1 => {
                self.empty(place);
                0
            }
            count => {
                *count -= 1;
                *count
            }
        }
    }

    /// Removes a pair.
    pub(crate) fn remove(&mut self, pair: Pair) {
        if self.entries.is_empty() {
            return;
        }
        let place = self.place_of(pair);
        if self.entries[place].slot != NO_SLOT {
            self.empty(place);
        }
    }

    /// Removes the entry at an index.
    fn empty(&mut self, place: usize) {
        let mask = self.entries.len() - 1;
        let (mut hole, mut next) = (place, place);
        loop {
            next = (next + 1) & mask;
            let entry = self.entries[next];
            if entry.slot == NO_SLOT {
                break;
            }
            // It may move into the hole unless its home lies behind the hole.
            let home = self.home(entry.pair);
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(hole) & mask) {
                self.entries[hole] = entry;
                hole = next;
            }
        }
        self.entries[hole].slot = NO_SLOT;
        self.count -= 1;
    }

    /// Makes room for one more.
    #[inline]
    fn make_room(&mut self) {
        if 2 * (self.count + 1) > self.entries.len() {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let size = (2 * self.entries.len()).max(64);
        let old = core::mem::replace(&mut self.entries, vec![Entry::NOTHING; size]);
        for entry in old.into_iter().filter(|entry| entry.slot != NO_SLOT) {
            let place = self.place_of(entry.pair);
            self.entries[place] = entry;
        }
    }

    /// Index of the pair, or of the empty entry where it belongs.
    #[inline]
    fn place_of(&self, pair: Pair) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = self.home(pair);
        while self.entries[place].slot != NO_SLOT && self.entries[place].pair != pair {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    fn home(&self, pair: Pair) -> usize {
        home(pair) & (self.entries.len() - 1)
    }
}

/// The first entry in which a pair is looked for, in the lowest bits. Multiplicative hashing
/// (Knuth, The Art of Computer Programming 3, 6.4): the upper bits are mixed best. A block of 4 by
/// 4 numbers is hashed as one and stands side by side: parts that touch mostly have near numbers,
/// so the line of the cache is mostly there already.
#[inline]
pub(super) fn home(pair: Pair) -> usize {
    let key = (u64::from(pair.a >> 2) << 32) | u64::from(pair.b >> 2);
    let mixed = (key ^ (key >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let place = (pair.a & 3) << 2 | pair.b & 3;
    ((mixed >> 32) as usize).wrapping_add(place as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_agrees_with_an_ordered_map() {
        let (mut map, mut reference) = (PairMap::default(), BTreeMap::new());
        let mut state = 7_u64;
        for slot in 0..20_000 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            let pair = Pair { a: (state >> 60) as u32, b: (state >> 50) as u32 & 63 };
            if reference.remove(&pair).is_some() {
                map.remove(pair);
            } else {
                map.insert(pair, slot);
                reference.insert(pair, slot);
            }
            map.remove(Pair { a: 99, b: 99 });
            if slot % 64 == 0 {
                for a in 0..16 {
                    for b in 0..64 {
                        let pair = Pair { a, b };
                        assert_eq!(map.get(pair), reference.get(&pair).copied());
                    }
                }
            }
        }
    }

    /// Counts up and down, also of pairs that were never counted.
    #[test]
    fn counts_agree_with_an_ordered_map() {
        let (mut map, mut reference) = (PairMap::default(), BTreeMap::new());
        let mut state = 9_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            let pair = Pair { a: (state >> 60) as u32, b: (state >> 50) as u32 & 63 };
            let count = reference.entry(pair).or_insert(0_u32);
            if state >> 40 & 1 == 0 {
                *count += 1;
                assert_eq!(map.count_up(pair), *count);
            } else {
                *count = count.saturating_sub(1);
                assert_eq!(map.count_down(pair), *count);
            }
            assert_eq!(map.get(pair), Some(*count).filter(|&count| count > 0));
        }
        assert_eq!(map.count, reference.values().filter(|&&count| count > 0).count());
    }
}
