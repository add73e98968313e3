//! A hash of the state.
//!
//! In: words. Out: 64 bits; they differ, except in one case of 2^64, if any word differs. Two lanes
//! take turns, so that a product need not wait for the product before it.

use super::{Column, Sink};

/// Odd numbers without a pattern: digits of e and of the square root of 2.
pub(super) const FACTORS: [u64; 2] = [0xB7E1_5162_8AED_2A6B, 0x6A09_E667_F3BC_C909];

/// Mixes the bits of a number. The result combines both halves of the product: the high half
/// depends on all bits of the number but loses some, which the low half keeps.
#[inline(always)]
pub(super) fn mixed(number: u64, factor: u64) -> u64 {
    let product = u128::from(number) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

/// A hash that words are added to.
#[derive(Clone, Debug)]
pub(crate) struct Hash {
    lanes: [u64; 2],
    count: u64,
}

impl Default for Hash {
    fn default() -> Hash {
        Hash { lanes: FACTORS, count: 0 }
    }
}

impl Hash {
    #[inline(always)]
    fn pair(&mut self, a: u32, b: u32) {
        let lane = (self.count & 1) as usize;
        self.count += 1;
        let word = u64::from(a) | u64::from(b) << 32;
        self.lanes[lane] = mixed(self.lanes[lane] ^ word, FACTORS[lane]).wrapping_add(FACTORS[1 - lane]);
    }

    #[inline(always)]
    pub(crate) fn words(&mut self, words: &[u32]) {
        let (pairs, rest) = words.as_chunks::<2>();
        for &[a, b] in pairs {
            self.pair(a, b);
        }
        if let [last] = rest {
            self.pair(*last, 1);
        }
    }

    /// The number.
    pub(crate) fn finish(&self) -> u64 {
        let [a, b] = self.lanes;
        let mixed = (a ^ b.rotate_left(29) ^ self.count).wrapping_mul(FACTORS[0]);
        (mixed ^ mixed >> 29).wrapping_mul(FACTORS[1]).rotate_left(32)
    }
}

impl Sink for Hash {
    fn begin(&mut self, _: &'static Column, count: usize) {
        self.pair(count as u32, 0);
    }

    #[inline]
    fn row<const N: usize>(&mut self, _: u32, row: &[u32; N]) {
        self.words(row);
    }

    fn plain(&mut self, _: &'static Column, _: usize, words: &[u32]) {
        self.pair(words.len() as u32, 1);
        self.words(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[u32]) -> u64 {
        let mut hash = Hash::default();
        hash.words(words);
        hash.finish()
    }

    /// Each of the bits of some words, and each two of them, make another hash, in which half of
    /// the bits differ.
    #[test]
    fn every_bit_counts() {
        let words: [u32; 7] = core::array::from_fn(|k| (k as u32 + 1).wrapping_mul(0x9E37_79B9));
        let whole = of(&words);
        let flipped = |bit: usize, words: &[u32; 7]| {
            let mut words = *words;
            words[bit / 32] ^= 1 << (bit % 32);
            words
        };
        let mut seen = std::collections::BTreeSet::from([whole]);
        let (mut differing, mut count) = (0, 0);
        for first in 0..224 {
            let one = flipped(first, &words);
            differing += (of(&one) ^ whole).count_ones();
            count += 1;
            assert!(seen.insert(of(&one)), "bit {first}");
            for second in 0..first {
                assert!(seen.insert(of(&flipped(second, &one))), "bits {first} and {second}");
            }
        }
        let mean = f64::from(differing) / f64::from(count);
        assert!((28.0..36.0).contains(&mean), "{mean} bits differ");
        assert_ne!(of(&[0]), of(&[0, 0]));
        assert_ne!(of(&[1, 2, 3, 4]), of(&[3, 4, 1, 2]));
    }
}
