//! Eight words side by side, from which snapshots are packed.
//!
//! In: arrays of eight words. Out: words of few bits each, one behind the other, and the way back;
//! sums and shifts across lanes. Integers only: the bits are the same at every instruction set.

use core::ops::{Add, BitAnd, BitOr, BitXor, Sub};
use fearless_simd::prelude::*;
use fearless_simd::{Simd, i32x8, mask32x8, mask64x4, u32x8, u64x4};

use super::eight::Vector;
use super::{LANES, inlined};

/// Eight words.
#[derive(Clone, Copy)]
pub(crate) struct Words<S: Simd>(u32x8<S>);

macro_rules! words {
    ($($trait:ident $name:ident;)*) => {$(
        impl<S: Simd> $trait for Words<S> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Words($trait::$name(self.0, other.0))
            }
        }
    )*};
}

words! {
    Add add;
    Sub sub;
    BitAnd bitand;
    BitOr bitor;
    BitXor bitxor;
}

impl<S: Simd> Words<S> {
    /// Returns `word` in every lane.
    #[inline(always)]
    pub(crate) fn splat(simd: S, word: u32) -> Self {
        Words(SimdBase::splat(simd, word))
    }

    #[inline(always)]
    pub(crate) fn load(simd: S, words: &[u32; LANES]) -> Self {
        Words(SimdBase::load_array_ref(simd, words))
    }

    /// Returns the bits of floats.
    #[inline(always)]
    pub(crate) fn of<V: Vector<Set = S>>(simd: S, numbers: V) -> Self {
        let mut array = [0.0; LANES];
        numbers.store(&mut array);
        Words::load(simd, bytemuck::cast_ref(&array))
    }

    /// Returns the bits of floats in an array.
    #[inline(always)]
    pub(crate) fn of_array(simd: S, numbers: &[f32; LANES]) -> Self {
        Words::load(simd, bytemuck::cast_ref(numbers))
    }

    /// Returns the larger word in each lane.
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "integers have one zero")]
    pub(crate) fn larger(self, other: Self) -> Self {
        Words(self.0.max(other.0))
    }

    /// Returns the largest word (a horizontal reduction).
    #[inline(always)]
    #[allow(clippy::disallowed_methods, reason = "integers have one zero")]
    pub(crate) fn reduce_max(self) -> u32 {
        let (low, high) = self.0.split();
        let four = low.max(high);
        let two = four.max(four.slide::<2>(four));
        two.max(two.slide::<1>(two)).to_array()[0]
    }

    /// Returns a bit for each word that is less than `limit`, lane 0 lowest.
    #[inline(always)]
    pub(crate) fn less_than(self, limit: u32) -> u32 {
        self.0.simd_lt(limit).to_bitmask() as u32 & 0xFF
    }

    /// Returns 0 in the lanes that equal `other`, else the word.
    #[inline(always)]
    pub(crate) fn zero_where_equal(self, other: Self) -> Self {
        let none: u32x8<S> = SimdBase::splat(self.0.simd, 0);
        Words(self.0.simd_eq(other.0).select(none, self.0))
    }

    #[inline(always)]
    pub(crate) fn to_array(self) -> [u32; LANES] {
        self.0.to_array()
    }

    /// Multiplies each word by 2 to the power of `by`, which is less than 32.
    #[inline(always)]
    pub(crate) fn shift_left(self, by: u32) -> Self {
        Words(self.0 << by)
    }

    /// Divides each word by 2 to the power of `by`, which is less than 32.
    #[inline(always)]
    pub(crate) fn shift_right(self, by: u32) -> Self {
        Words(self.0 >> by)
    }

    /// Returns all bits set for a word whose highest bit is set, else 0.
    #[inline(always)]
    pub(crate) fn sign_masks(self) -> Self {
        Words((self.0.bitcast::<i32x8<S>>() >> 31).bitcast())
    }

    /// Moves the lanes up by one, and `first` into the lowest (slide).
    #[inline(always)]
    pub(crate) fn slide_up(self, first: u32) -> Self {
        let first: u32x8<S> = SimdBase::splat(self.0.simd, first);
        Words(first.slide::<7>(self.0))
    }

    /// Returns the sum of each word and all words in the lanes below (inclusive scan).
    #[inline(always)]
    pub(crate) fn prefix_sums(self) -> Self {
        let none: u32x8<S> = SimdBase::splat(self.0.simd, 0);
        let sums = self.0 + none.slide::<7>(self.0);
        let sums = sums + none.slide::<6>(sums);
        Words(sums + none.slide::<4>(sums))
    }

    /// Returns a bit for each word that is not 0, lane 0 lowest.
    #[inline(always)]
    pub(crate) fn nonzero_mask(self) -> u32 {
        !(self.0.simd_eq(0).to_bitmask() as u32) & 0xFF
    }

    /// Returns the horizontal OR of each of eight times eight words, as eight words. Each round
    /// merges two registers into one, until one is left.
    #[inline(always)]
    pub(crate) fn or_of_each(simd: S, [a, b, c, d, e, f, g, h]: &[[u32; LANES]; LANES]) -> Self {
        let ones = inlined(
            #[inline(always)]
            |p: &[u32; LANES], q: &[u32; LANES]| {
                let (p, q): (u32x8<S>, u32x8<S>) =
                    (SimdBase::load_array_ref(simd, p), SimdBase::load_array_ref(simd, q));
                let even = mask32x8::from_bitmask(simd, 0b0101_0101);
                even.select(p, q.slide_within_blocks::<3>(q)) | even.select(p.slide_within_blocks::<1>(p), q)
            },
        );
        let fours = inlined(
            #[inline(always)]
            |p: u32x8<S>, q: u32x8<S>| {
                let first = mask32x8::from_bitmask(simd, 0b0011_0011);
                let middle = p.slide_within_blocks::<2>(q);
                let (low, high) = (first.select(p, middle) | first.select(middle, q)).split();
                low | high
            },
        );
        let (ab, cd, ef, gh) = (ones(a, b), ones(c, d), ones(e, f), ones(g, h));
        Words(fours(ab, cd).combine(fours(ef, gh)))
    }

    /// Moves the words whose bits are set in `mask` to the front, and fills up with zeros
    /// (compress).
    #[inline(always)]
    pub(crate) fn compressed(self, mask: u32) -> Self {
        Words(self.0.compress(mask32x8::from_bitmask(self.0.simd, u64::from(mask))))
    }

    /// Inverse of [`Words::compressed`] (expand).
    #[inline(always)]
    pub(crate) fn expanded(self, mask: u32) -> Self {
        Words(self.0.expand(mask32x8::from_bitmask(self.0.simd, u64::from(mask))))
    }

    /// Returns `other` in the lanes whose word in `mask` has all bits set, and `self` where it is
    /// 0.
    #[inline(always)]
    pub(crate) fn blend(self, mask: &[u32; LANES], other: Self) -> Self {
        let mask = Self::load(self.0.simd, mask);
        self ^ ((self ^ other) & mask)
    }

    /// Packs words of `width` bits each, an even number up to 32, one behind the other: first the
    /// lower four lanes, then the upper four, which begin at byte `width / 2`. Two words become one
    /// of 64 bits, and two of 64 bits one of 128, without a branch.
    #[inline(always)]
    pub(crate) fn packed(self, width: u32) -> [[u64; 2]; 2] {
        let simd = self.0.simd;
        let fours = self.0.bitcast::<u64x4<S>>();
        let low: u64x4<S> = SimdBase::splat(simd, u64::from(u32::MAX));
        let twos = (fours & low) | ((fours >> 32) << width);
        let odd = twos.slide_within_blocks::<1>(twos);
        let beyond = 32 - width;
        let first = twos | ((odd << width) << width);
        let second = (odd >> beyond) >> beyond;
        let even_lanes = mask64x4::from_bitmask(simd, 0b0101);
        let second = second.slide_within_blocks::<1>(second);
        let [a, b, c, d] = even_lanes.select(first, second).to_array();
        [[a, b], [c, d]]
    }

    /// Inverse of [`Words::packed`]. (Tried: a shuffle of the bytes of each word into a lane of 64
    /// bits, shifted there, from tables by width: a fiftieth more instructions of a load.)
    #[inline(always)]
    pub(crate) fn unpacked(simd: S, [[a, b], [c, d]]: [[u64; 2]; 2], width: u32) -> Self {
        let both: u64x4<S> = SimdBase::load_array(simd, [a, b, c, d]);
        let beyond = 32 - width;
        let above = both.slide_within_blocks::<1>(both);
        let rest = ((both >> width) >> width) | ((above << beyond) << beyond);
        let even_lanes = mask64x4::from_bitmask(simd, 0b0101);
        let twos = even_lanes.select(both, rest.slide_within_blocks::<1>(rest));
        let (even, odd) = (twos.bitcast::<u32x8<S>>(), (twos << beyond).bitcast::<u32x8<S>>());
        let mask: u32x8<S> = SimdBase::splat(simd, u32::MAX >> beyond);
        let even_words = mask32x8::from_bitmask(simd, 0b0101_0101);
        Words(even_words.select(even, odd) & mask)
    }
}
