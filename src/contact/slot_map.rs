//! Hash table from a pair of parts to its contact slot.
//!
//! In: pairs, contact slots, and the column that has the pair of each slot. Out: the slot of a
//! pair. Open addressing with linear probing, as in `pair_map.rs`; an entry is the slot alone, four
//! bytes in place of twelve, and the column says which pair it is of. It is never iterated, so its
//! order has no effect.

use super::pair_map::home;
use crate::broadphase::Pair;
use crate::util::{Lazy, Prefetch};

const EMPTY: u32 = u32::MAX;

/// Least number of entries.
const LEAST_ENTRIES: usize = 64;

/// From a pair to a slot. All calls take the column of pairs by slot; slots without a contact have
/// [`Pair::default`].
#[derive(Debug, Default)]
pub(crate) struct SlotMap {
    /// Made from the column of pairs where that was read from an image: a step in which no contact
    /// begins or ends does not ask for it.
    table: Lazy<Table>,
}

crate::state::clone_by_field! { SlotMap { table } }

#[derive(Debug, Default)]
struct Table {
    entries: Vec<u32>,
    count: usize,
}

crate::state::clone_by_field! { Table { entries, count } }

impl SlotMap {
    /// Asks for the entries.
    pub(super) fn prefetch(&self, fetch: &mut Prefetch) {
        if let Some(table) = self.table.made() {
            fetch.list(&table.entries);
        }
    }

    /// Drops all entries; the entries of the column are put in at the first look-up.
    pub(super) fn put_off(&mut self) {
        self.table.put_off();
    }

    /// Puts in the entries of a column now; false if two of them are of one pair.
    pub(super) fn fill(&mut self, pairs: &[Pair]) -> bool {
        let mut are_distinct = true;
        self.table.put_off();
        self.table.get(|table| are_distinct = table.fill(pairs));
        are_distinct
    }

    /// Adds the slot of a pair, unless the pair has one. The column is to name it after that.
    /// Returns whether it was added.
    #[inline]
    pub(super) fn insert_new(&mut self, pair: Pair, slot: u32, pairs: &[Pair]) -> bool {
        debug_assert!(pairs[slot as usize] == Pair::default(), "it is in the column later");
        self.table_mut(pairs).insert_new(pair, slot, pairs)
    }

    /// The slot of a pair.
    #[inline]
    pub(super) fn get(&self, pair: Pair, pairs: &[Pair]) -> Option<u32> {
        self.table.get(|table| _ = table.fill(pairs)).get(pair, pairs)
    }

    /// Removes the slot of a pair, which the column still names.
    pub(super) fn remove(&mut self, pair: Pair, pairs: &[Pair]) {
        self.table_mut(pairs).remove(pair, pairs);
    }

    #[inline]
    fn table_mut(&mut self, pairs: &[Pair]) -> &mut Table {
        self.table.get_mut(|table| _ = table.fill(pairs))
    }
}

impl Table {
    /// Puts in all slots of a column, in place of the old entries; false if two slots have the same
    /// pair.
    fn fill(&mut self, pairs: &[Pair]) -> bool {
        let slots = || (0_u32..).zip(pairs).filter(|(_, pair)| **pair != Pair::default());
        self.count = slots().count();
        if self.count == 0 {
            self.entries.fill(EMPTY);
            return true;
        }
        self.make_room(self.count);
        slots().all(|(slot, &pair)| {
            let place = self.place_of(pair, pairs);
            core::mem::replace(&mut self.entries[place], slot) == EMPTY
        })
    }

    /// Makes the table empty, with room for `count` slots: in the memory that is there if it is
    /// enough.
    fn make_room(&mut self, count: usize) {
        if 2 * count > self.entries.len() || self.entries.is_empty() {
            let size = (2 * count).next_power_of_two().max(LEAST_ENTRIES);
            self.entries.clear();
            self.entries.reserve_exact(size);
            self.entries.resize(size, EMPTY);
        } else {
            self.entries.fill(EMPTY);
        }
    }

    #[inline]
    fn insert_new(&mut self, pair: Pair, slot: u32, pairs: &[Pair]) -> bool {
        if 2 * (self.count + 1) > self.entries.len() {
            self.grow(2 * (self.count + 1), pairs);
        }
        let place = self.place_of(pair, pairs);
        let is_new = self.entries[place] == EMPTY;
        if is_new {
            self.entries[place] = slot;
            self.count += 1;
        }
        is_new
    }

    #[inline]
    fn get(&self, pair: Pair, pairs: &[Pair]) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let slot = self.entries[self.place_of(pair, pairs)];
        (slot != EMPTY).then_some(slot)
    }

    fn remove(&mut self, pair: Pair, pairs: &[Pair]) {
        if self.entries.is_empty() {
            return;
        }
        let mask = self.entries.len() - 1;
        let mut hole = self.place_of(pair, pairs);
        if self.entries[hole] == EMPTY {
            return;
        }
        let mut next = hole;
        loop {
            next = (next + 1) & mask;
            let slot = self.entries[next];
            if slot == EMPTY {
                break;
            }
            // It may move into the hole unless its home lies behind the hole.
            let home = home(pairs[slot as usize]) & mask;
            if (next.wrapping_sub(home) & mask) >= (next.wrapping_sub(hole) & mask) {
                self.entries[hole] = slot;
                hole = next;
            }
        }
        self.entries[hole] = EMPTY;
        self.count -= 1;
    }

    /// Makes the table anew, of `size` entries or a few more: in the memory that is there if it is
    /// enough.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, size: usize, pairs: &[Pair]) {
        let size = size.next_power_of_two().max(LEAST_ENTRIES);
        self.entries.clear();
        self.entries.reserve_exact(size);
        self.entries.resize(size, EMPTY);
        for (slot, &pair) in (0..).zip(pairs) {
            if pair != Pair::default() {
                let place = self.place_of(pair, pairs);
                self.entries[place] = slot;
            }
        }
    }

    /// Index of the pair's slot, or of the empty entry where it belongs.
    #[inline]
    fn place_of(&self, pair: Pair, pairs: &[Pair]) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = home(pair) & mask;
        while self.entries[place] != EMPTY && pairs[self.entries[place] as usize] != pair {
            place = (place + 1) & mask;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn it_agrees_with_an_ordered_map() {
        let (mut map, mut reference) = (SlotMap::default(), BTreeMap::new());
        let (mut pairs, mut free) = (vec![Pair::default()], Vec::new());
        let mut state = 7_u64;
        for round in 0..20_000 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            let pair = Pair { a: (state >> 60) as u32, b: 16 + ((state >> 50) as u32 & 63) };
            if let Some(slot) = reference.remove(&pair) {
                map.remove(pair, &pairs);
                pairs[slot as usize] = Pair::default();
                free.push(slot);
            } else {
                let slot = free.pop().unwrap_or_else(|| {
                    pairs.push(Pair::default());
                    pairs.len() as u32 - 1
                });
                assert!(map.insert_new(pair, slot, &pairs));
                pairs[slot as usize] = pair;
                reference.insert(pair, slot);
            }
            map.remove(Pair { a: 99, b: 100 }, &pairs);
            if round % 64 == 0 {
                for (a, b) in (0..16).flat_map(|a| (16..80).map(move |b| (a, b))) {
                    let pair = Pair { a, b };
                    assert_eq!(map.get(pair, &pairs), reference.get(&pair).copied());
                }
                assert_eq!(map.table.made().map(|table| table.count), Some(reference.len()));
            }
        }
    }

    #[test]
    fn a_pair_has_one_slot_and_room_is_kept() {
        let mut map = SlotMap::default();
        let mut pairs = vec![Pair::default(); 300];
        for slot in 1..200 {
            assert!(map.insert_new(Pair { a: 0, b: slot }, slot, &pairs));
            pairs[slot as usize] = Pair { a: 0, b: slot };
        }
        assert!(!map.insert_new(Pair { a: 0, b: 7 }, 299, &pairs));
        let room = |map: &SlotMap| map.table.made().map(|table| table.entries.capacity());
        let before = room(&map);
        // A copy in place of a small table keeps the memory, and grows in it again.
        map.clone_from(&SlotMap::default());
        pairs.fill(Pair::default());
        for slot in 1..200 {
            assert!(map.insert_new(Pair { a: 1, b: 2 * slot }, slot, &pairs));
            pairs[slot as usize] = Pair { a: 1, b: 2 * slot };
        }
        assert_eq!((room(&map), map.get(Pair { a: 1, b: 44 }, &pairs)), (before, Some(22)));
    }
}
