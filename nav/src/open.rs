//! Open lists.
//!
//! In: cells with the least length of any way through them, f. Out: those again, smallest f first,
//! and of equal ones the last that came in. [`Ring`] takes constant time, and needs f never to
//! fall, and to grow by less than its width; [`Heap`] takes any order. Both give the same order, so
//! which one serves a search changes nothing but its speed.

const NONE: u32 = u32::MAX;

pub(crate) trait Open {
    fn push(&mut self, f: u32, what: u32);
    fn pop(&mut self) -> Option<u32>;
    fn clear(&mut self);
}

/// A bucket for each f. Wider buckets would need cells to be expanded again, and a later stop, to
/// stay exact.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring {
    /// The last entry of each bucket; a power of two of them.
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty, and one for each word of those that is not 0.
    filled: Vec<u64>,
    words: [u64; 16],
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
    /// A ring of so many buckets, a power of two from 2^12 to 2^16, made when first used.
    pub(crate) fn prepare(&mut self, width: usize, least: u32) {
        debug_assert!(width.is_power_of_two() && (1 << 12..=1 << 16).contains(&width));
        if self.heads.len() != width {
            self.heads = vec![NONE; width];
            self.filled = vec![0; width / 64];
            self.words = [0; 16];
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
        // The words behind it, then all from the first on, and of its own what lies before.
        let behind = self.words[start / 64] & (!1 << (start % 64));
        let (mut at, mut words) = (start / 64, behind);
        while words == 0 {
            at = (at + 1) & (self.filled.len() / 64 - 1);
            words = self.words[at & 15];
        }
        let at = at * 64 + words.trailing_zeros() as usize;
        at * 64 + self.filled[at].trailing_zeros() as usize
    }

    fn is_empty(&self) -> bool {
        self.count == 0
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
        self.words[(bucket / 4096) & 15] |= 1 << (bucket / 64 % 64);
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
            let word = &mut self.filled[self.now / 64];
            *word &= !(1 << (self.now % 64));
            if *word == 0 {
                self.words[(self.now / 4096) & 15] &= !(1 << (self.now / 64 % 64));
            }
        }
        Some(what)
    }

    fn clear(&mut self) {
        for k in 0..16 {
            while self.words[k] != 0 {
                let at = k * 64 + self.words[k].trailing_zeros() as usize;
                self.words[k] &= self.words[k] - 1;
                while self.filled[at] != 0 {
                    self.heads[at * 64 + self.filled[at].trailing_zeros() as usize] = NONE;
                    self.filled[at] &= self.filled[at] - 1;
                }
            }
        }
        self.entries.clear();
        (self.free, self.count) = (NONE, 0);
    }
}

/// A ring for near entries, and a heap for those too far ahead for it: f never falls, but may grow
/// by any amount.
#[derive(Clone, Debug, Default)]
pub(crate) struct Far {
    ring: Ring,
    heap: Heap,
    /// The last f that was taken.
    now: u32,
}

/// Buckets of its ring.
const NEAR: usize = 1 << 16;

impl Far {
    pub(crate) fn prepare(&mut self, least: u32) {
        self.ring.prepare(NEAR, least);
        self.heap.clear();
        self.now = least;
    }
}

impl Open for Far {
    #[inline]
    fn push(&mut self, f: u32, what: u32) {
        // Estimates that were loaded may be anything.
        let f = f.max(self.now);
        if f - self.now < NEAR as u32 { self.ring.push(f, what) } else { self.heap.push(f, what) }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        let ahead = if self.ring.is_empty() {
            u32::MAX
        } else {
            (self.ring.next().wrapping_sub(self.now as usize) & (NEAR - 1)) as u32
        };
        if let Some(f) = self.heap.least().filter(|f| f - self.now < ahead) {
            self.now = f;
            self.ring.now = f as usize & (NEAR - 1);
            return self.heap.pop();
        }
        if ahead == u32::MAX {
            return None;
        }
        self.now += ahead;
        self.ring.pop()
    }

    fn clear(&mut self) {
        self.ring.clear();
        self.heap.clear();
    }
}

/// A heap whose nodes have four children each, so that it is half as deep as one of two.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// f, then the reversed order of insertion, then the entry: 32 bits each, f highest.
    entries: Vec<u128>,
    pushed: u32,
}

impl Heap {
    /// The smallest f.
    #[inline]
    fn least(&self) -> Option<u32> {
        self.entries.first().map(|entry| (entry >> 64) as u32)
    }
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

    /// Both have the order of a list sorted by f, and by reversed time of insertion.
    #[test]
    fn ring_and_heap_agree_with_a_sorted_list() {
        let mut seed = 7_u64;
        let mut draw = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        let (mut ring, mut heap, mut far) = (Ring::default(), Heap::default(), Far::default());
        for round in 0..50 {
            let mut list: Vec<(u32, u32, u32)> = Vec::new();
            let mut f = 1000 * round;
            ring.prepare([1 << 12, 1 << 14, 1 << 16][round as usize % 3], f);
            far.prepare(f);
            heap.clear();
            for step in 0..2000_u32 {
                if draw(5) < 3 {
                    let key = f + draw(4096) as u32;
                    ring.push(key, step);
                    heap.push(key, step);
                    far.push(key, step);
                    list.push((key, !step, step));
                } else {
                    list.sort_unstable();
                    let first = (!list.is_empty()).then(|| list.remove(0));
                    assert_eq!(ring.pop(), first.map(|(.., what)| what));
                    assert_eq!(heap.pop(), first.map(|(.., what)| what));
                    assert_eq!(far.pop(), first.map(|(.., what)| what));
                    f = first.map_or(f, |(key, ..)| key);
                }
            }
        }
    }

    /// Entries at any distance ahead come in order of f.
    #[test]
    fn what_is_far_ahead_comes_in_its_turn() {
        let mut seed = 3_u64;
        let mut far = Far::default();
        far.prepare(5);
        let (mut list, mut now) = (Vec::new(), 5);
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            if list.is_empty() || seed >> 63 == 0 {
                let f = now + (seed >> 33) as u32 % [10, 100_000, 1_000_000][(seed >> 60) as usize % 3];
                far.push(f, f);
                list.push(f);
            } else {
                list.sort_unstable();
                now = list.remove(0);
                assert_eq!(far.pop(), Some(now));
            }
        }
    }
}
