//! Packing of eight words, one by one or in SIMD lanes. Both ways write the same bytes.

use super::rows::{GROUP, Ways, bits_of};
use crate::simd::{Vectors, Words};

/// Packs and unpacks eight words.
pub(super) trait Packer: Copy {
    /// Returns a mask with a bit for each word that is not 0.
    fn nonzero_mask(self, words: &[u32; GROUP]) -> u32;
    /// Writes the OR of all ways of each word to `bits`; returns a mask of the words where it is
    /// not 0.
    fn or_of_each(self, ways: &[Ways; 8], bits: &mut [u32; 8]) -> u32;
    /// Packs words of `width` bits (an even number up to 32) one behind the other, four by four.
    fn packed(self, words: &[u32; GROUP], width: u32) -> [[u64; 2]; 2];
    /// Moves the words whose bits are set in `mask` to the front, and fills up with zeros.
    fn compressed(self, words: &[u32; GROUP], mask: u32) -> [u32; GROUP];
    /// Inverse of [`Packer::compressed`].
    fn expanded(self, words: &[u32; GROUP], mask: u32) -> [u32; GROUP];
    /// Inverse of [`Packer::packed`].
    fn unpacked(self, fours: [[u64; 2]; 2], width: u32) -> [u32; GROUP];
}

/// Packs word by word, for rows that come one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct OneByOne;

/// Packs in SIMD lanes, for groups that are computed in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct InLanes<S>(pub(super) S);

impl Packer for OneByOne {
    #[inline(always)]
    fn compressed(self, words: &[u32; GROUP], mask: u32) -> [u32; GROUP] {
        let (mut some, mut count) = ([0; GROUP], 0);
        for (index, &word) in words.iter().enumerate() {
            let is_told = mask >> index & 1;
            some[count % GROUP] |= word & 0_u32.wrapping_sub(is_told);
            count += is_told as usize;
        }
        some
    }

    #[inline(always)]
    fn expanded(self, some: &[u32; GROUP], mask: u32) -> [u32; GROUP] {
        let (mut words, mut count) = ([0; GROUP], 0);
        for (index, word) in words.iter_mut().enumerate() {
            let is_told = mask >> index & 1;
            *word = some[count % GROUP] & 0_u32.wrapping_sub(is_told);
            count += is_told as usize;
        }
        words
    }

    #[inline(always)]
    fn or_of_each(self, ways: &[Ways; 8], bits: &mut [u32; 8]) -> u32 {
        for (bits, ways) in bits.iter_mut().zip(ways) {
            *bits = bits_of(ways);
        }
        self.nonzero_mask(bits)
    }

    #[inline(always)]
    fn nonzero_mask(self, words: &[u32; GROUP]) -> u32 {
        words.iter().rev().fold(0, |mask, &word| mask << 1 | u32::from(word != 0))
    }

    #[inline(always)]
    fn packed(self, words: &[u32; GROUP], width: u32) -> [[u64; 2]; 2] {
        let [first, second] = bytemuck::cast_ref::<[u32; GROUP], [[u32; 4]; 2]>(words);
        [packed_four(first, width), packed_four(second, width)]
    }

    #[inline(always)]
    fn unpacked(self, [first, second]: [[u64; 2]; 2], width: u32) -> [u32; GROUP] {
        let ([a, b, c, d], [e, f, g, h]) = (unpacked_four(first, width), unpacked_four(second, width));
        [a, b, c, d, e, f, g, h]
    }
}

impl<S: Vectors> Packer for InLanes<S> {
    #[inline(always)]
    fn compressed(self, words: &[u32; GROUP], mask: u32) -> [u32; GROUP] {
        Words::load(self.0, words).compressed(mask).to_array()
    }

    #[inline(always)]
    fn expanded(self, words: &[u32; GROUP], mask: u32) -> [u32; GROUP] {
        Words::load(self.0, words).expanded(mask).to_array()
    }

    #[inline(always)]
    fn or_of_each(self, ways: &[Ways; 8], bits: &mut [u32; 8]) -> u32 {
        let all = Words::or_of_each(self.0, ways);
        *bits = all.to_array();
        all.nonzero_mask()
    }

    #[inline(always)]
    fn nonzero_mask(self, words: &[u32; GROUP]) -> u32 {
        Words::load(self.0, words).nonzero_mask()
    }

    // A lane of 64 bits is two of 32, the lower half first; not so on big-endian machines.

    #[inline(always)]
    fn packed(self, words: &[u32; GROUP], width: u32) -> [[u64; 2]; 2] {
        if cfg!(target_endian = "big") {
            return OneByOne.packed(words, width);
        }
        Words::load(self.0, words).packed(width)
    }

    #[inline(always)]
    fn unpacked(self, fours: [[u64; 2]; 2], width: u32) -> [u32; GROUP] {
        if cfg!(target_endian = "big") {
            return OneByOne.unpacked(fours, width);
        }
        Words::unpacked(self.0, fours, width).to_array()
    }
}

/// Packs four words into two, without a branch.
#[inline(always)]
fn packed_four(words: &[u32; 4], width: u32) -> [u64; 2] {
    let [a, b, c, d] = words.map(u64::from);
    let (low, high) = (a | b << width, c | d << width);
    let beyond = 32 - width;
    [low | high << width << width, high >> beyond >> beyond]
}

#[inline(always)]
fn unpacked_four([low, high]: [u64; 2], width: u32) -> [u32; 4] {
    let (mask, beyond) = (u32::MAX >> (32 - width), 32 - width);
    let rest = low >> width >> width | high << beyond << beyond;
    [low, low >> width, rest, rest >> width].map(
        #[inline(always)]
        |word| word as u32 & mask,
    )
}
