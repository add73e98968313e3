//! A group of eight rows as bytes: the difference of each word from its prediction.
//!
//! In: words, and a prediction of each: the word of the row before, or a word computed from other
//! columns. Out: bytes, and the words again. A difference is called a way, a differing word told.
//!
//! ```text
//!   a group of up to 8 rows of N words
//!     mask     a bit a word: set if a row differs in it                     N / 8 bytes
//!     for each of those words, of all rows:
//!       width  how many bits the longest way takes, an even number            1 byte
//!       rows   if few rows differ, a bit for each that does                   0 or 1 byte
//!       ways   from the expected word to the word, so many bits each          up to 32 bytes
//! ```
//!
//! Words are mostly `f32`. A rotation moves their sign to the lowest bit first, so that numbers of
//! similar size are near each other whatever their signs are.
//!
//! The rows of a group differ in one word by about as many bits. So one width for all rows costs
//! less than a length for each row, and neither writer nor reader branches for each row. (Tried: a
//! mask and lengths in bytes row by row: a twelfth more bytes of a heap at rest, and three times
//! the instructions. Groups of 16: as many bytes.)

use super::packer::{OneByOne, Packer};
use super::{LoadError, WIDEST};
use crate::simd::{Vectors, Words};

/// Rows of a group.
pub(crate) const GROUP: usize = 8;

/// The bytes of the ways of one word. The length is a constant, so that the compiler needs no
/// bounds checks.
type Window = [u8; WINDOW + 16];

/// Most bytes of the ways of one word.
const WINDOW: usize = 4 * GROUP;

/// Bytes that writing the ways of one word may touch: width, rows, and ways.
const WORD_ROOM: usize = 2 + WINDOW + 16;

/// A bit of the width byte: a byte that names the differing rows follows.
const ROWS_NAMED: u8 = 0x80;

/// Bytes that writing a group of rows may touch, and that reading it may look at.
pub(super) const fn room(words: usize) -> usize {
    words.div_ceil(8) + words * (2 + WINDOW) + 16
}

/// How many rows one row of a column counts for that is read group by group: its reader takes more
/// memory for each row.
pub(super) const fn weight(words: usize) -> usize {
    if words < 10 { 1 } else { words / 10 }
}

/// Room for a group of the widest rows.
pub(super) const WIDEST_ROOM: usize = room(WIDEST);

/// Returns the way between two words; it is a small number for near words in both directions.
#[inline(always)]
pub(crate) fn way(from: u32, to: u32) -> u32 {
    zigzag(to.rotate_left(1).wrapping_sub(from.rotate_left(1)))
}

/// Returns the word at the end of a way from `from`.
#[inline(always)]
pub(crate) fn end_of_way(from: u32, way: u32) -> u32 {
    from.rotate_left(1).wrapping_add(unzigzag(way)).rotate_right(1)
}

#[inline(always)]
pub(super) fn zigzag(number: u32) -> u32 {
    number << 1 ^ ((number as i32) >> 31) as u32
}

#[inline(always)]
pub(super) fn unzigzag(number: u32) -> u32 {
    number >> 1 ^ 0_u32.wrapping_sub(number & 1)
}

/// The ways of one word in each row of a group.
pub(crate) type Ways = [u32; GROUP];

/// Turns steps between words whose sign is the lowest bit into ways (zigzag coding).
#[inline(always)]
fn ways_of<S: Vectors>(steps: Words<S>) -> Words<S> {
    steps.shift_left(1) ^ steps.sign_masks()
}

/// Inverse of [`ways_of`].
#[inline(always)]
fn steps_of<S: Vectors>(simd: S, ways: Words<S>) -> Words<S> {
    ways.shift_right(1) ^ (Words::splat(simd, 0) - (ways & Words::splat(simd, 1)))
}

/// Moves the sign of each word to its lowest bit.
#[inline(always)]
fn signs_last<S: Vectors>(words: Words<S>) -> Words<S> {
    words.shift_left(1) | words.shift_right(31)
}

/// Inverse of [`signs_last`].
#[inline(always)]
fn signs_first<S: Vectors>(words: Words<S>) -> Words<S> {
    words.shift_right(1) | words.shift_left(31)
}

/// Returns the way to each word from the word before it. The first way begins at `before`, which
/// becomes the last word.
#[inline(always)]
pub(crate) fn ways_from_before<S: Vectors>(simd: S, before: &mut u32, words: &[u32; GROUP]) -> Ways {
    let to = signs_last(Words::load(simd, words));
    let from = to.slide_up(before.rotate_left(1));
    *before = words[GROUP - 1];
    ways_of(to - from).to_array()
}

/// Returns the way to each word from its prediction.
#[inline(always)]
pub(crate) fn ways_from<S: Vectors>(simd: S, expected: &[u32; GROUP], words: &[u32; GROUP]) -> Ways {
    let [from, to] = [signs_last(Words::load(simd, expected)), signs_last(Words::load(simd, words))];
    ways_of(to - from).to_array()
}

/// Inverse of [`ways_from_before`].
#[inline(always)]
pub(crate) fn words_from_before<S: Vectors>(simd: S, before: &mut u32, ways: &Ways) -> [u32; GROUP] {
    let sums = steps_of(simd, Words::load(simd, ways)).prefix_sums();
    let words = signs_first(sums + Words::splat(simd, before.rotate_left(1))).to_array();
    *before = words[GROUP - 1];
    words
}

/// Inverse of [`ways_from`].
#[inline(always)]
pub(crate) fn words_from<S: Vectors>(simd: S, expected: &[u32; GROUP], ways: &Ways) -> [u32; GROUP] {
    words_from_words(simd, Words::load(simd, expected), ways).to_array()
}

/// Computes [`words_from`] for words in SIMD lanes.
#[inline(always)]
pub(crate) fn words_from_words<S: Vectors>(simd: S, expected: Words<S>, ways: &Ways) -> Words<S> {
    signs_first(signs_last(expected) + steps_of(simd, Words::load(simd, ways)))
}

/// A group of rows that is being written.
pub(super) struct Group {
    /// For each word the ways of all rows; zeros for words that equal their predictions.
    ways: [Ways; WIDEST],
    /// Whether a row differs from its prediction, and how many words a row has.
    is_told: bool,
    width: usize,
}

impl Group {
    pub(super) const fn new() -> Group {
        Group { ways: [[0; GROUP]; WIDEST], is_told: false, width: 0 }
    }

    /// Whether all rows equal their predictions.
    #[inline(always)]
    pub(super) fn is_as_expected(&self) -> bool {
        !self.is_told
    }

    /// Adds a row; returns whether it differs from its prediction.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, index: usize, row: &[u32; N], expected: &[u32; N]) -> bool {
        const { assert!(N <= WIDEST) };
        let bits = row.iter().zip(expected).fold(0, |all, (word, other)| all | word ^ other);
        if bits != 0 {
            self.put_told(index, row, expected);
        }
        bits != 0
    }

    #[inline(never)]
    fn put_told<const N: usize>(&mut self, index: usize, row: &[u32; N], expected: &[u32; N]) {
        for ((column, from), to) in self.ways.iter_mut().zip(expected).zip(row) {
            column[index % GROUP] = way(*from, *to);
        }
        (self.is_told, self.width) = (true, N);
    }

    /// Writes the group to the front of `out`, which has [`room`] for it, and begins the next
    /// group. Returns how many bytes it takes. Bytes behind it may be overwritten.
    #[inline(never)]
    pub(super) fn write(&mut self, out: &mut [u8]) -> usize {
        let ways = &mut self.ways[..self.width];
        let size = write(OneByOne, ways, out);
        ways.fill([0; GROUP]);
        self.is_told = false;
        size
    }
}

/// Writes a group as [`Group::write`] does; returns 0 if all rows equal their predictions.
#[inline(always)]
pub(super) fn write(packer: impl Packer, ways: &[Ways], out: &mut [u8]) -> usize {
    let masks = ways.len().div_ceil(8);
    let mut at = masks;
    for (ways, masks) in ways.chunks(64).zip((0..).step_by(8)) {
        // Find the differing words first: a branch for each word would be mispredicted half of the
        // time.
        let (mut mask, mut all_bits) = (0_u64, [0; 64]);
        let (eights, rest) = ways.as_chunks();
        for (k, (eight, bits)) in eights.iter().zip(all_bits.as_chunks_mut().0).enumerate() {
            let told = packer.or_of_each(eight, bits);
            mask |= u64::from(told) << (8 * k);
        }
        for (k, ways) in rest.iter().enumerate() {
            let k = 8 * eights.len() + k;
            all_bits[k % 64] = bits_of(ways);
            mask |= u64::from(all_bits[k % 64] != 0) << k;
        }
        let bytes = ways.len().div_ceil(8);
        out[masks..][..bytes].copy_from_slice(&mask.to_le_bytes()[..bytes]);
        while mask != 0 {
            let k = mask.trailing_zeros() as usize % 64;
            mask &= mask - 1;
            let room = out.get_mut(at..).and_then(|out| out.first_chunk_mut());
            let (Some(room), Some(ways)) = (room, ways.get(k)) else { return at };
            at += write_word(packer, ways, all_bits[k], room);
        }
    }
    if at == masks { 0 } else { at }
}

/// Returns the OR of all ways.
#[inline(always)]
pub(super) fn bits_of(ways: &Ways) -> u32 {
    let [a, b, c, d] = *bytemuck::cast_ref::<Ways, [[u32; 2]; 4]>(ways);
    (a[0] | b[0] | c[0] | d[0]) | (a[1] | b[1] | c[1] | d[1])
}

/// Writes the ways of one word in all rows; `bits` is the OR of them.
#[inline(always)]
fn write_word(packer: impl Packer, ways: &Ways, bits: u32, out: &mut [u8; WORD_ROOM]) -> usize {
    // An even number, so that four ways fill whole bytes.
    let width = (33 - bits.leading_zeros()) & !1;
    if width > NAMING_WORTH {
        let told = packer.nonzero_mask(ways);
        let bytes = (told.count_ones() * width).div_ceil(8);
        if bytes + NAMING_WORTH <= width {
            // Write only the rows that differ: mostly for the first group of a piece.
            let [head, rows, window @ ..] = out;
            (*head, *rows) = (ROWS_NAMED | width as u8, told as u8);
            put_fours(packer.packed(&packer.compressed(ways, told), width), width, window);
            return 2 + bytes as usize;
        }
    }
    let [head, window @ .., _] = out;
    *head = width as u8;
    put_fours(packer.packed(ways, width), width, window);
    1 + width as usize
}

/// Bytes that naming the differing rows must save. It takes three times the instructions, so one
/// byte is not worth it.
const NAMING_WORTH: u32 = 12;

/// Writes packed words: the second four begin where the first end.
#[inline(always)]
fn put_fours(fours: [[u64; 2]; 2], width: u32, out: &mut Window) {
    let [[a, b], [c, d]] = fours;
    let (first, second) = ([a.to_le(), b.to_le()], [c.to_le(), d.to_le()]);
    out[..16].copy_from_slice(bytemuck::bytes_of(&first));
    out[width as usize / 2 % WINDOW..][..16].copy_from_slice(bytemuck::bytes_of(&second));
}

/// Inverse of [`put_fours`].
#[inline(always)]
fn fours_of(bytes: &Window, width: u32) -> [[u64; 2]; 2] {
    let second = &bytes[width as usize / 2 % WINDOW..];
    [[word_at(bytes, 0), word_at(bytes, 8)], [word_at(second, 0), word_at(second, 8)]]
}

#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

/// Reads a group of rows of `N` words from the front of `bytes`. Gives the index and the ways of
/// each word that differs to `put`; returns how many bytes the group took.
#[inline(always)]
pub(super) fn read<const N: usize>(
    packer: impl Packer,
    bytes: &[u8],
    put: impl FnMut(usize, &Ways),
) -> Result<usize, LoadError> {
    if bytes.len() >= room(N) {
        return read_from::<N>(packer, bytes, put);
    }
    // Near the end of an image, append zeros.
    let mut padded = [0; WIDEST_ROOM];
    padded[..bytes.len()].copy_from_slice(bytes);
    let taken = read_from::<N>(packer, &padded[..room(N)], put)?;
    if taken <= bytes.len() { Ok(taken) } else { Err(LoadError::Broken("rows end too early")) }
}

#[inline(always)]
fn read_from<const N: usize>(
    packer: impl Packer,
    bytes: &[u8],
    mut put: impl FnMut(usize, &Ways),
) -> Result<usize, LoadError> {
    const { assert!(N <= WIDEST) };
    let masks = N.div_ceil(8);
    let mut at = masks;
    for (chunk, bits) in bytes[..masks].chunks(8).enumerate() {
        let mut mask = bits.iter().rev().fold(0, |mask, &byte| mask << 8 | u64::from(byte));
        while mask != 0 {
            let k = 64 * chunk + mask.trailing_zeros() as usize;
            if k >= N {
                return Err(LoadError::Broken("a row has no more words than its column"));
            }
            mask &= mask - 1;
            let word = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
            at += read_word(
                packer,
                word.ok_or(LoadError::Broken("rows end too early"))?,
                #[inline(always)]
                |ways| put(k, ways),
            )?;
        }
    }
    Ok(at)
}

/// Reads the ways of one word, of all rows or of the named rows.
#[inline(always)]
fn read_word(
    packer: impl Packer,
    bytes: &[u8; WORD_ROOM],
    put: impl FnOnce(&Ways),
) -> Result<usize, LoadError> {
    let [width, window @ .., _] = bytes;
    let width = u32::from(*width);
    if width.wrapping_sub(2) <= 30 && width.is_multiple_of(2) {
        put(&packer.unpacked(fours_of(window, width), width));
        return Ok(1 + width as usize);
    }
    let [_, rows, window @ ..] = bytes;
    let width = width ^ u32::from(ROWS_NAMED);
    if width.wrapping_sub(2) > 30 || !width.is_multiple_of(2) {
        return Err(LoadError::Broken("a way has 2 to 32 bits, an even number"));
    }
    put(&packer.expanded(&packer.unpacked(fours_of(window, width), width), u32::from(*rows)));
    let bits = (rows.count_ones() * width) as usize;
    let last = window[bits / 8 % WINDOW];
    if !bits.is_multiple_of(8) && last >> (bits % 8) != 0 {
        return Err(LoadError::Broken("a row has no more bits than its ways"));
    }
    Ok(2 + bits.div_ceil(8))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::packer::InLanes;
    use super::*;
    use crate::simd::{Level, dispatch_wide};

    /// Returns a number without a pattern, of any length; every other one is 0.
    pub(in crate::state) fn words(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
        let word = (*seed >> 32) as u32;
        word >> (*seed >> 20 & 31) as u32 & 0_u32.wrapping_sub((*seed >> 12 & 1) as u32)
    }

    /// Writes and reads up to eight rows, some of whose words equal their predictions.
    fn there_and_back<const N: usize>(seed: &mut u64) {
        let mut group = Group::new();
        let [mut rows, mut expected] = [[[0; N]; GROUP]; 2];
        let rare = words(seed) % 3;
        for index in 0..1 + words(seed) as usize % GROUP {
            expected[index] = core::array::from_fn(|_| words(seed));
            rows[index] = expected[index];
            for word in &mut rows[index] {
                if rare == 0 || words(seed) % 16 < rare {
                    *word = words(seed);
                }
            }
            let is_told = group.put(index, &rows[index], &expected[index]);
            assert_eq!(is_told, rows[index] != expected[index]);
        }
        if group.is_as_expected() {
            return;
        }
        let mut out = vec![0xA5; room(N)];
        let len = group.write(&mut out);
        assert!(len <= room(N) - 16 && group.is_as_expected());
        // Once with other bytes behind the group, and once with none.
        for end in [out.len(), len] {
            let mut ways = [[0; N]; GROUP];
            assert_eq!(
                read::<N>(OneByOne, &out[..end], |k, column| (0..GROUP)
                    .for_each(|index| ways[index][k] = column[index])),
                Ok(len)
            );
            for index in 0..GROUP {
                let ends = core::array::from_fn(|k| end_of_way(expected[index][k], ways[index][k]));
                assert_eq!(rows[index], ends, "row {index}");
            }
        }
        for end in 0..len {
            assert_ne!(read::<N>(OneByOne, &out[..end], |_, _| {}), Ok(len), "{end} of {len} bytes");
        }
    }

    #[test]
    fn rows_come_back() {
        let mut seed = 7;
        for _ in 0..1_000 {
            there_and_back::<1>(&mut seed);
            there_and_back::<8>(&mut seed);
            there_and_back::<12>(&mut seed);
            there_and_back::<33>(&mut seed);
        }
        (0..100).for_each(|_| there_and_back::<WIDEST>(&mut seed));
    }

    /// Columns come back as rows do, and SIMD lanes compute the same words as scalar code.
    #[test]
    fn columns_come_back() {
        for level in Level::all() {
            dispatch_wide!(level, simd => columns_come_back_in(simd));
        }
    }

    #[inline(always)]
    fn columns_come_back_in<S: Vectors>(simd: S) {
        let mut seed = 3;
        for _ in 0..1_000 {
            let [expected, column]: [[u32; GROUP]; 2] =
                core::array::from_fn(|_| core::array::from_fn(|_| words(&mut seed)));
            let ways = ways_from(simd, &expected, &column);
            assert_eq!(ways, core::array::from_fn(|k| way(expected[k], column[k])));
            assert_eq!(words_from(simd, &expected, &ways), column);
            let mut last = [expected[0]; 2];
            let ways = ways_from_before(simd, &mut last[0], &column);
            let before = |k: usize| if k == 0 { expected[0] } else { column[k - 1] };
            assert_eq!(ways, core::array::from_fn(|k| way(before(k), column[k])));
            assert_eq!(words_from_before(simd, &mut last[1], &ways), column);
            assert_eq!(last, [column[GROUP - 1]; 2]);
        }
    }

    /// Numbers of every width, in every number of rows, one by one and in lanes.
    #[test]
    fn every_width_comes_back() {
        every_width_comes_back_from(OneByOne);
        for level in Level::all() {
            dispatch_wide!(level, simd => every_width_comes_back_from(InLanes(simd)));
        }
    }

    #[inline(always)]
    fn every_width_comes_back_from(packer: impl Packer) {
        for width in 1..=32 {
            for rows in 1..=u8::MAX {
                let way = |index: usize| {
                    if rows >> index & 1 == 1 {
                        u32::MAX >> (32 - width) ^ (index as u32 & 1) << (width / 2)
                    } else {
                        0
                    }
                };
                let ways: [u32; GROUP] = core::array::from_fn(way);
                let bits = bits_of(&ways);
                if bits == 0 {
                    continue;
                }
                let mut out = [0xA5; WORD_ROOM];
                let len = write_word(packer, &ways, bits, &mut out);
                let (mut again, mut one_by_one) = ([0; GROUP], [0; WORD_ROOM]);
                assert_eq!(read_word(packer, &out, |ways| again = *ways), Ok(len));
                assert_eq!(again, ways, "{width} bits, rows {rows:#b}");
                assert_eq!(write_word(OneByOne, &ways, bits, &mut one_by_one), len);
                assert_eq!(out[..len], one_by_one[..len]);
            }
        }
    }

    #[test]
    fn a_group_that_none_wrote_is_refused() {
        let refused = |bytes: &[u8]| read::<3>(OneByOne, bytes, |_, _| {}).is_err();
        assert!(refused(&[0b1000, 1, 0]), "a word that rows do not have");
        assert!(
            [0, 1, 3, 33, 34, ROWS_NAMED, ROWS_NAMED | 5, ROWS_NAMED | 34]
                .iter()
                .all(|&width| refused(&[1, width, 1]))
        );
        assert!(refused(&[1, ROWS_NAMED | 6, 1, 0x7F]), "bits behind the last way");
        assert!(!refused(&[1, ROWS_NAMED | 6, 1, 0x3F]));
    }

    /// Numbers of similar size are near each other, whatever their signs.
    #[test]
    fn near_numbers_take_few_bits() {
        let size = |a: f32, b: f32| 32 - way(a.to_bits(), b.to_bits()).leading_zeros();
        assert_eq!([size(1.0, 1.0), size(0.5, -0.5), size(1.0, 1.000_001)], [0, 2, 6]);
        assert_eq!([size(0.5, 0.500_1), size(1.0, 2.0)], [13, 26]);
    }
}
