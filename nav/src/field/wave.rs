//! Open lists of fields: cells in buckets of their lengths (bucket queue).
//!
//! A bucket is at most as wide as the shortest step of a map. A shorter path to a cell in the
//! lowest bucket could only lead through another cell of that bucket and one step further, and such
//! a length would lie in a higher bucket. So all cells in the lowest bucket are final, in any
//! order, and a field needs few buckets where the exact order of a search by estimate needs
//! thousands.

/// A cell's number, and its length when it was put in; if the cell has another length now, the
/// entry is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) length: u32,
    pub(crate) cell: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Wave {
    /// Buckets in a ring: bucket k lies in slot k modulo the number of slots, a power of two.
    slots: Vec<Vec<Entry>>,
    /// The width of a bucket is 2^shift.
    shift: u32,
}

impl Wave {
    /// Empties the list, and prepares it for steps from `shortest` to `longest`.
    pub(crate) fn prepare(&mut self, shortest: u32, longest: u32) {
        self.shift = shortest.max(1).ilog2();
        // A step from anywhere in the lowest bucket must not reach around the ring into it.
        let slots = ((longest >> self.shift) as usize + 2).next_power_of_two();
        self.clear();
        if self.slots.len() != slots {
            self.slots.resize_with(slots, Vec::new);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.iter_mut().for_each(Vec::clear);
    }

    /// The bucket of a length.
    #[inline(always)]
    pub(crate) fn bucket(&self, length: u32) -> u32 {
        length >> self.shift
    }

    /// The first length of a bucket.
    #[inline]
    pub(crate) fn begins(&self, bucket: u32) -> u32 {
        bucket << self.shift
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, entry: Entry) {
        let slot = self.bucket(entry.length) as usize & (self.slots.len() - 1);
        self.slots[slot].push(entry);
    }

    /// The next bucket that is not empty, from this one on; all entries are less than one round
    /// away.
    pub(crate) fn next(&self, bucket: u32) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let is_filled = |ahead: &usize| !self.slots[(bucket as usize + ahead) & mask].is_empty();
        (0..self.slots.len()).find(is_filled).map(|ahead| bucket + ahead as u32)
    }

    /// Takes all entries out of a bucket, in exchange for an empty list.
    #[inline]
    pub(crate) fn take(&mut self, bucket: u32, list: &mut Vec<Entry>) {
        let slot = bucket as usize & (self.slots.len() - 1);
        list.clear();
        core::mem::swap(&mut self.slots[slot], list);
    }
}

/// Splits numbers of cells into columns and rows, by a product instead of a division.
///
/// With m = 2^42 / width, rounded up, number m / 2^42 is too large by less than 2^26 width / 2^42 /
/// width: never a whole row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    width: u32,
    inverse: u64,
}

impl Columns {
    pub(crate) fn of(width: i32) -> Columns {
        Columns { width: width as u32, inverse: (1_u64 << 42).div_ceil(width as u64) }
    }

    #[inline(always)]
    pub(crate) fn split(self, cell: u32) -> (i32, i32) {
        let y = ((u64::from(cell) * self.inverse) >> 42) as u32;
        ((cell - y * self.width) as i32, y as i32)
    }
}
