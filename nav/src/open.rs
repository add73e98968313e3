//! Open lists.
//!
//! In: nodes with the least length of any path through them, f. Out: the nodes again, smallest f
//! first, and among nodes of equal f the last pushed first. [`Ring`] takes constant time, and needs
//! f never to fall, and to grow by less than its width; [`Heap`] takes any order. Both pop in the
//! same order, so the choice of one changes only the speed of a search.

const NONE: u32 = u32::MAX;

pub(crate) trait Open {
    fn push(&mut self, f: u32, item: u32);
    fn pop(&mut self) -> Option<u32>;
    fn clear(&mut self);
}

/// A queue with one bucket for each f. Wider buckets would need nodes to be expanded again, and a
/// later stop, to stay exact.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring {
    /// The last entry of each bucket. The number of buckets is a power of two.
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty, and in `words` a bit for each word of `filled` that
    /// is not 0.
    filled: Vec<u64>,
    words: [u64; 16],
    entries: Vec<Entry>,
    /// Head of the list of entries that can be used again.
    free: u32,
    /// The bucket of the last pop.
    now: usize,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    item: u32,
    next: u32,
}

impl Ring {
    /// Makes the ring, when first used, with `width` buckets: a power of two from 2^12 to 2^16.
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
        // The words after `start`, then all words from the first on; last, the bits of word `start`
        // that lie before `now`.
        let behind = self.words[start / 64] & (!1 << (start % 64));
        let (mut at, mut words) = (start / 64, behind);
        while words == 0 {
            at = (at + 1) & (self.filled.len() / 64 - 1);
            words = self.words[at & 15];
        }
        let at = at * 64 + words.trailing_zeros() as usize;
        at * 64 + self.filled[at].trailing_zeros() as usize
    }
}

impl Open for Ring {
    #[inline]
    fn push(&mut self, f: u32, item: u32) {
        let bucket = f as usize & (self.heads.len() - 1);
        let entry = Entry { item, next: self.heads[bucket] };
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
        let Entry { item, next } = self.entries[at as usize];
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
        Some(item)
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

/// Blocks of 64 values of f for near entries, and a heap for entries further ahead than all blocks:
/// f never falls, but may grow by any amount.
///
/// The entries of a block move into buckets of width 1 when `now` reaches the block. So each entry
/// moves once at most, and the memory of pushing and popping stays in the L1 cache. One ring with
/// as many buckets as there are values of f is 256 kB: jump point search took up to 1.08 times as
/// long with it. A* has so many open cells, all so near ahead, that [`Ring`] is quicker: with
/// blocks it took 1.07 times as long.
#[derive(Clone, Debug, Default)]
pub(crate) struct Far {
    /// The last entry of each block, [`BLOCKS`] of them.
    blocks: Vec<u32>,
    /// A bit for each block that is not empty, and in `words` a bit for each word of `filled` that
    /// is not 0.
    filled: [u64; BLOCKS / 64],
    words: u64,
    /// The last entry for each f in the block that contains `now`, and in `open` a bit for each
    /// bucket that is not empty.
    buckets: Vec<u32>,
    open: u64,
    entries: Vec<Near>,
    /// Head of the list of entries that can be used again.
    free: u32,
    heap: Heap,
    /// The f of the last pop.
    now: u32,
}

#[derive(Clone, Copy, Debug)]
struct Near {
    f: u32,
    item: u32,
    next: u32,
}

/// Number of blocks: they reach 65,536 values of f ahead.
const BLOCKS: usize = 1 << 10;

impl Far {
    pub(crate) fn prepare(&mut self, least: u32) {
        if self.blocks.is_empty() {
            (self.blocks, self.buckets) = (vec![NONE; BLOCKS], vec![NONE; 64]);
        }
        self.clear();
        self.now = least;
    }

    /// The number of the next block that is not empty.
    #[inline]
    fn next_block(&self) -> Option<u32> {
        if self.words == 0 {
            return None;
        }
        let now = (self.now / 64) as usize % BLOCKS;
        let first = self.filled[now / 64] & !0 << (now % 64);
        let at = if first != 0 {
            now / 64 * 64 + first.trailing_zeros() as usize
        } else {
            // The words after the current one, then the words from the first on; last, the bits of
            // the current word before `now`.
            let behind = self.words & !1 << (now / 64);
            let word = if behind != 0 { behind } else { self.words }.trailing_zeros() as usize;
            word * 64 + self.filled[word % 16].trailing_zeros() as usize
        };
        Some(self.now / 64 + (at.wrapping_sub(now) % BLOCKS) as u32)
    }

    /// Moves the entries of a block into buckets, in the order in which they were pushed.
    fn open_block(&mut self, block: u32) {
        let at = block as usize % BLOCKS;
        self.filled[at / 64] &= !(1 << (at % 64));
        if self.filled[at / 64] == 0 {
            self.words &= !(1 << (at / 64));
        }
        let (mut entry, mut first) = (core::mem::replace(&mut self.blocks[at], NONE), NONE);
        while entry != NONE {
            let next = core::mem::replace(&mut self.entries[entry as usize].next, first);
            (first, entry) = (entry, next);
        }
        while first != NONE {
            let Near { f, next, .. } = self.entries[first as usize];
            let bucket = &mut self.buckets[f as usize % 64];
            self.entries[first as usize].next = *bucket;
            *bucket = first;
            self.open |= 1 << (f % 64);
            first = next;
        }
    }
}

impl Open for Far {
    #[inline]
    fn push(&mut self, f: u32, item: u32) {
        // A loaded image may hold any estimate, even one that makes f smaller than `now`.
        let f = f.max(self.now);
        let ahead = f / 64 - self.now / 64;
        if ahead >= BLOCKS as u32 {
            self.heap.push(f, item);
            return;
        }
        let at = if self.free == NONE { self.entries.len() as u32 } else { self.free };
        let head = if ahead == 0 {
            self.open |= 1 << (f % 64);
            &mut self.buckets[f as usize % 64]
        } else {
            let block = (f / 64) as usize % BLOCKS;
            self.filled[block / 64] |= 1 << (block % 64);
            self.words |= 1 << (block / 64);
            &mut self.blocks[block]
        };
        let entry = Near { f, item, next: core::mem::replace(head, at) };
        if self.free == NONE {
            self.entries.push(entry);
        } else {
            self.free = core::mem::replace(&mut self.entries[at as usize], entry).next;
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u32> {
        if self.open == 0 {
            let block = self.next_block();
            let least = self.heap.least();
            match (block, least) {
                (None, None) => return None,
                // An entry of the heap that is by now nearer than the next block comes first.
                (block, Some(f)) if block.is_none_or(|block| f / 64 < block) => {
                    self.now = f;
                    return self.heap.pop();
                }
                (Some(block), _) => {
                    self.now = block * 64;
                    self.open_block(block);
                }
                _ => return None,
            }
        }
        let bucket = self.open.trailing_zeros();
        let f = self.now / 64 * 64 + bucket;
        if self.heap.least().is_some_and(|least| least < f) {
            self.now = self.heap.least()?;
            return self.heap.pop();
        }
        self.now = f;
        let at = self.buckets[bucket as usize % 64];
        let Near { item, next, .. } = self.entries[at as usize];
        self.entries[at as usize].next = self.free;
        self.free = at;
        self.buckets[bucket as usize % 64] = next;
        if next == NONE {
            self.open &= self.open - 1;
        }
        Some(item)
    }

    fn clear(&mut self) {
        while self.open != 0 {
            self.buckets[self.open.trailing_zeros() as usize % 64] = NONE;
            self.open &= self.open - 1;
        }
        while self.words != 0 {
            let word = self.words.trailing_zeros() as usize % 16;
            while self.filled[word] != 0 {
                self.blocks[word * 64 + self.filled[word].trailing_zeros() as usize] = NONE;
                self.filled[word] &= self.filled[word] - 1;
            }
            self.words &= self.words - 1;
        }
        self.entries.clear();
        self.heap.clear();
        self.free = NONE;
    }
}

/// A heap whose nodes have four children each, so that it is half as deep as a binary heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    /// f, then the reversed order of insertion, then the entry: 32 bits each, f highest.
    entries: Vec<u128>,
    pushed: u32,
}

impl Heap {
    /// The smallest f in the heap.
    #[inline]
    fn least(&self) -> Option<u32> {
        self.entries.first().map(|entry| (entry >> 64) as u32)
    }
}

impl Open for Heap {
    #[inline]
    fn push(&mut self, f: u32, item: u32) {
        self.pushed = self.pushed.wrapping_add(1);
        let entry = u128::from(f) << 64 | u128::from(!self.pushed) << 32 | u128::from(item);
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
    use crate::random::Random;

    /// All three open lists pop in the order of a list sorted by f, then by reversed time of
    /// insertion.
    #[test]
    fn ring_and_heap_agree_with_a_sorted_list() {
        let mut random = Random(7);
        let mut draw = move |below: u64| random.bits() % below;
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
                    assert_eq!(ring.pop(), first.map(|(.., item)| item));
                    assert_eq!(heap.pop(), first.map(|(.., item)| item));
                    assert_eq!(far.pop(), first.map(|(.., item)| item));
                    f = first.map_or(f, |(key, ..)| key);
                }
            }
        }
    }

    /// Entries at any distance ahead come in order of f.
    #[test]
    fn what_is_far_ahead_comes_in_its_turn() {
        let mut random = Random(3);
        let mut far = Far::default();
        far.prepare(5);
        let (mut list, mut now) = (Vec::new(), 5);
        for _ in 0..20_000 {
            let seed = random.bits();
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
