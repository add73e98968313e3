//! Open lists.
//!
//! In: cells with the least length of any way through them, f. Out: those again, smallest f first, and of equal ones the
//! last that came in. [`Ring`] takes constant time, and wants that f never falls and grows by less than its width;
//! [`Heap`] takes any order. Both give the same order, so which one serves a search changes nothing but its speed.

const NONE: u32 = u32::MAX;

pub(crate) trait Open {
    fn push(&mut self, f: u32, what: u32);
    fn pop(&mut self) -> Option<u32>;
    fn clear(&mut self);
}

/// A bucket for each f. Wider buckets would need cells to be expanded again, and a later stop, to stay exact.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring {
    /// The last entry of each bucket; a power of two of them.
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty.
    filled: Vec<u64>,
    entries: Vec<Entry>,
    /// Entries that can be used again.
    free: u32,
    /// The bucket that was last taken from.
    now: usize,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    what: u32,
    next: u32,
}

impl Ring {
    /// A ring of so many buckets, a power of two from 64 up, made when first used.
    pub(crate) fn prepare(&mut self, width: usize, least: u32) {
        if self.heads.len() != width {
            self.heads = vec![NONE; width];
            self.filled = vec![0; width / 64];
        }
        self.clear();
        self.now = least as usize & (width - 1);
    }

    /// The next bucket that is not empty, from `now` on and around.
    #[inline]
    fn next(&self) -> usize {
        let start = self.now / 64;
        let word = self.filled[start] & (!0 << (self.now % 64));
        if word != 0 {
            return start * 64 + word.trailing_zeros() as usize;
        }
        let mask = self.filled.len() - 1;
        let mut at = (start + 1) & mask;
        while self.filled[at] == 0 {
            at = (at + 1) & mask;
        }
        at * 64 + self.filled[at].trailing_zeros() as usize
    }
}

impl Open for Ring {
    #[inline]
    fn push(&mut self, f: u32, what: u32) {
        let bucket = f as usize & (self.heads.len() - 1);
        let entry = Entry { what, next: self.heads[bucket] };
        let at = if self.free == NONE {
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        } else {
            let at = self.free;
            self.free = self.entries[at as usize].next;
            self.entries[at as usize] = entry;
            at
        };
        self.heads[bucket] = at;
        self.filled[bucket / 64] |= 1 << (bucket % 64);
        self.count += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        self.count -= 1;
        self.now = self.next();
        let at = self.heads[self.now];
        let Entry { what, next } = self.entries[at as usize];
        self.entries[at as usize].next = self.free;
        self.free = at;
        self.heads[self.now] = next;
        if next == NONE {
            self.filled[self.now / 64] &= !(1 << (self.now % 64));
        }
        Some(what)
    }

    fn clear(&mut self) {
        for (k, word) in self.filled.iter_mut().enumerate() {
            while *word != 0 {
                self.heads[k * 64 + word.trailing_zeros() as usize] = NONE;
                *word &= *word - 1;
            }
        }
        self.entries.clear();
        (self.free, self.count) = (NONE, 0);
    }
}

/// A heap whose nodes have four children each, so that it is half as deep as one of two.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// f, then what came last, and what it is: 32 bits each, f highest.
    entries: Vec<u128>,
    pushed: u32,
}

impl Open for Heap {
    #[inline]
    fn push(&mut self, f: u32, what: u32) {
        self.pushed = self.pushed.wrapping_add(1);
        let entry = u128::from(f) << 64 | u128::from(!self.pushed) << 32 | u128::from(what);
        let mut at = self.entries.len();
        self.entries.push(entry);
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[at] = self.entries[parent];
            at = parent;
        }
        self.entries[at] = entry;
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let last = self.entries.pop()?;
        let Some(&top) = self.entries.first() else { return Some(last as u32) };
        let (mut at, len) = (0, self.entries.len());
        loop {
            let first = 4 * at + 1;
            if first >= len {
                break;
            }
            let mut least = first;
            for child in first + 1..len.min(first + 4) {
                if self.entries[child] < self.entries[least] {
                    least = child;
                }
            }
            if self.entries[least] >= last {
                break;
            }
            self.entries[at] = self.entries[least];
            at = least;
        }
        self.entries[at] = last;
        Some(top as u32)
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.pushed = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both give the order of a list that is sorted by f, and by the time of coming in backwards.
    #[test]
    fn ring_and_heap_agree_with_a_sorted_list() {
        let mut seed = 7_u64;
        let mut draw = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let (mut ring, mut heap) = (Ring::default(), Heap::default());
        for round in 0..50 {
            let mut list: Vec<(u32, u32, u32)> = Vec::new();
            let mut f = 1000 * round;
            ring.prepare(4096, f);
            heap.clear();
            for step in 0..2000_u32 {
                if draw(5) < 3 {
                    let key = f + draw(4096) as u32;
                    ring.push(key, step);
                    heap.push(key, step);
                    list.push((key, !step, step));
                } else {
                    list.sort_unstable();
                    let first = (!list.is_empty()).then(|| list.remove(0));
                    assert_eq!(ring.pop(), first.map(|(.., what)| what));
                    assert_eq!(heap.pop(), first.map(|(.., what)| what));
                    f = first.map_or(f, |(key, ..)| key);
                }
            }
        }
    }
}
