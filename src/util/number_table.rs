//! A table from numbers to numbers that is emptied entry by entry.
//!
//! In: numbers below some count, most of them without an entry. Out: the value of each number. The
//! table is as long as the largest count, but using it costs only its entries: it is kept, and
//! emptied by the list of its keys. (Tried: a new table for each call took 2 ns for each number of
//! the world, and a hash table takes three times as long as this one where a piece is large.)

/// The value that means no entry.
pub(crate) const NO_ENTRY: u32 = u32::MAX;

/// A table from numbers to numbers; see the head of this file.
#[derive(Debug, Default)]
pub(crate) struct NumberTable {
    values: Vec<u32>,
    keys: Vec<u32>,
}

impl NumberTable {
    /// Makes room for keys below `count`. It costs nothing if there is room already.
    pub(crate) fn reach(&mut self, count: usize) {
        if self.values.len() < count {
            self.values.resize(count, NO_ENTRY);
        }
    }

    /// Returns the value of a number, or [`NO_ENTRY`].
    #[inline]
    pub(crate) fn of(&self, key: u32) -> u32 {
        self.values.get(key as usize).copied().unwrap_or(NO_ENTRY)
    }

    /// Sets the value of a number.
    #[inline]
    pub(crate) fn set(&mut self, key: u32, value: u32) {
        debug_assert_ne!(value, NO_ENTRY, "it is no value");
        let place = &mut self.values[key as usize];
        if *place == NO_ENTRY {
            self.keys.push(key);
        }
        *place = value;
    }

    /// Returns the numbers with a value, in the order in which they were first set.
    pub(crate) fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for key in self.keys.drain(..) {
            self.values[key as usize] = NO_ENTRY;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_is_there_until_all_is_cleared() {
        let mut table = NumberTable::default();
        for round in 0..3 {
            table.reach(10 + round);
            assert!((0..20).all(|key| table.of(key) == NO_ENTRY), "round {round}");
            [(7, 1), (2, 5), (7, 3), (9, 0)].into_iter().for_each(|(key, value)| table.set(key, value));
            assert_eq!(table.keys(), [7, 2, 9]);
            assert_eq!([7, 2, 9, 3].map(|key| table.of(key)), [3, 5, 0, NO_ENTRY]);
            table.clear();
            assert!(table.keys().is_empty());
        }
    }
}
