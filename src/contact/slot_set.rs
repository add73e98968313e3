//! Bit set of slots, such as the slots of active contacts: one bit per slot.
//!
//! In: slots that are added and removed. Out: the slots in ascending order, so that a walk reads
//! the rows of contacts from front to back. (With a list in order of insertion, every walk waited
//! for memory in a stirred heap of 15,000.)

/// A set of slots, as bits.
#[derive(Debug, Default)]
pub(crate) struct SlotSet {
    words: Vec<u64>,
    count: usize,
}

crate::state::clone_by_field! { SlotSet { words, count } }

impl SlotSet {
    #[inline]
    pub(crate) fn insert(&mut self, slot: u32) {
        let place = slot as usize / 64;
        if place >= self.words.len() {
            self.make_room(slot + 1);
        }
        let (word, bit) = (&mut self.words[place], 1 << (slot % 64));
        self.count += usize::from(*word & bit == 0);
        *word |= bit;
    }

    /// Makes room for slots below `count`.
    #[inline(never)]
    pub(crate) fn make_room(&mut self, count: u32) {
        self.words.resize((count as usize).div_ceil(64).max(self.words.len()), 0);
    }

    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.count = 0;
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        if self.contains(slot) {
            self.count -= 1;
            self.words[slot as usize / 64] &= !(1 << (slot % 64));
        }
    }

    #[inline]
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.words.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// A bit for each of eight slots that is in the set, that of the first lowest.
    #[inline]
    pub(crate) fn eight_from(&self, slot: u32) -> u32 {
        let word = |place: usize| u128::from(self.words.get(place).copied().unwrap_or(0));
        let place = slot as usize / 64;
        ((word(place) | word(place + 1) << 64) >> (slot % 64)) as u32 & 0xFF
    }

    /// Number of slots in the set.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The first one at `slot` or behind it: for walks during which slots are added and removed.
    #[inline]
    pub(crate) fn next_from(&self, slot: u32) -> Option<u32> {
        let mut place = slot as usize / 64;
        let mut word = self.words.get(place)? & (u64::MAX << (slot % 64));
        while word == 0 {
            place += 1;
            word = *self.words.get(place)?;
        }
        Some(place as u32 * 64 + word.trailing_zeros())
    }

    /// All of them, lowest first.
    #[inline]
    pub(crate) fn iter(&self) -> SlotIter<'_> {
        SlotIter { words: &self.words, word: 0, base: 0 }
    }
}

/// The slots of a [`SlotSet`].
pub(crate) struct SlotIter<'a> {
    /// Words to come, and the remaining bits of the last one.
    words: &'a [u64],
    word: u64,
    /// The first slot of the words to come.
    base: u32,
}

impl Iterator for SlotIter<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            let (&first, rest) = self.words.split_first()?;
            (self.word, self.words) = (first, rest);
            self.base += 64;
        }
        let slot = self.base - 64 + self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_agrees_with_an_ordered_set() {
        let (mut active, mut reference) = (SlotSet::default(), BTreeSet::new());
        let mut state = 5_u64;
        for round in 0..4000 {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
            let slot = (state >> 33) as u32 % 300;
            if state >> 63 == 0 {
                active.insert(slot);
                reference.insert(slot);
            } else {
                active.remove(slot);
                reference.remove(&slot);
            }
            assert_eq!((active.len(), active.contains(slot)), (reference.len(), reference.contains(&slot)));
            let eight = (0..8).filter(|k| reference.contains(&(slot + k))).fold(0, |bits, k| bits | 1 << k);
            assert_eq!(active.eight_from(slot), eight);
            assert_eq!(active.next_from(slot), reference.range(slot..).next().copied());
            if round % 50 == 0 {
                assert!(active.iter().eq(reference.iter().copied()), "round {round}");
            }
        }
    }
}
