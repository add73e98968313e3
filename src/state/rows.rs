//! A group of eight rows as bytes: how far each of their words is from what was expected of it.
//!
//! In: words, and as many that they are likely near to: those of the row before, or what can be
//! worked out of other columns. Out: bytes, and the words again.
//!
//! ```text
//!   a group of up to 8 rows of N words
//!     mask     a bit a word: not all rows have the one that was expected      N / 8 bytes
//!     for each of those words, of all rows:
//!       width  how many bits the longest way takes, an even number            1 byte
//!       rows   if few rows differ, a bit for each that does                   0 or 1 byte
//!       ways   from the expected word to the word, so many bits each          up to 32 bytes
//! ```
//!
//! Words are mostly `f32`. Their sign is turned into the lowest bit first, so that two numbers of
//! about one size are near each other whatever their signs are.
//!
//! Of one word the rows of a group differ in about as many bits, so that one width for all costs
//! less than a length for each, and neither writing nor reading asks row by row what comes next.
//! (A mask and lengths in bytes row by row: a twelfth more bytes of a heap at rest, and three times
//! the instructions. Groups of 16: as many bytes.)

use super::{LoadError, WIDEST};

/// Rows of a group.
pub(crate) const GROUP: usize = 8;

/// Where the ways of one word are written to, and read from: a piece of memory of a length that is
/// known, in which no place needs to be looked at twice.
type Window = [u8; WINDOW + 16];

/// Most bytes of the ways of one word.
const WINDOW: usize = 4 * GROUP;

/// Room that the ways of one word are written into: width, rows, and ways.
const WORD_ROOM: usize = 2 + WINDOW + 16;

/// Of the byte of a width: the rows that differ are named behind it.
const FEW: u8 = 0x80;

/// Room that writing a group of rows takes, and reading one looks at.
pub(super) const fn room(words: usize) -> usize {
    words.div_ceil(8) + words * (2 + WINDOW) + 16
}

/// As how many rows one counts that is told group by group, of so many words: what it is read into
/// takes more memory than that of others.
pub(super) const fn weight(words: usize) -> usize {
    if words < 10 { 1 } else { words / 10 }
}

/// Room for a group of the widest rows.
pub(super) const WIDEST_ROOM: usize = room(WIDEST);

/// The way from one word to another, short both ways.
#[inline(always)]
pub(crate) fn way(from: u32, to: u32) -> u32 {
    zigzag(to.rotate_left(1).wrapping_sub(from.rotate_left(1)))
}

/// Where the way from a word ends.
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

/// The ways of one word, of each row of a group.
pub(crate) type Ways = [u32; GROUP];

/// How far each word is from the one before it, the first from `before`.
#[inline(always)]
pub(crate) fn ways_from_before(before: u32, words: &[u32; GROUP]) -> Ways {
    let [a, b, c, d, e, f, g, _] = *words;
    ways_from(&[before, a, b, c, d, e, f, g], words)
}

/// How far each word is from what is expected of it.
#[inline(always)]
pub(crate) fn ways_from(expected: &[u32; GROUP], words: &[u32; GROUP]) -> Ways {
    core::array::from_fn(
        #[inline(always)]
        |index| way(expected[index], words[index]),
    )
}

/// Inverse of [`ways_from_before`]; `before` is the last word afterwards.
#[inline(always)]
pub(crate) fn words_from_before(before: &mut u32, ways: &Ways) -> [u32; GROUP] {
    let steps = ways.map(unzigzag);
    let mut word = before.rotate_left(1);
    let words: [u32; GROUP] = core::array::from_fn(
        #[inline(always)]
        |index| {
            word = word.wrapping_add(steps[index]);
            word
        },
    );
    *before = word.rotate_right(1);
    words.map(|word| word.rotate_right(1))
}

/// Inverse of [`ways_from`].
#[inline(always)]
pub(crate) fn words_from(expected: &[u32; GROUP], ways: &Ways) -> [u32; GROUP] {
    core::array::from_fn(
        #[inline(always)]
        |index| end_of_way(expected[index], ways[index]),
    )
}

/// A group of rows that is being written.
pub(super) struct Group {
    /// Of each word the ways of all rows: zeros for those that are not told.
    ways: [Ways; WIDEST],
    /// Whether a row is not as expected, and how many words it has.
    is_told: bool,
    width: usize,
}

impl Group {
    pub(super) const fn new() -> Group {
        Group { ways: [[0; GROUP]; WIDEST], is_told: false, width: 0 }
    }

    /// Whether all its rows are as expected.
    #[inline(always)]
    pub(super) fn is_as_expected(&self) -> bool {
        !self.is_told
    }

    /// Puts in a row; whether it is another one than expected.
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

    /// Writes the group to the front of `out`, which has [`room`] for it, and begins the next one;
    /// how many bytes it takes. What is behind them may be overwritten.
    #[inline(never)]
    pub(super) fn write(&mut self, out: &mut [u8]) -> usize {
        let ways = &mut self.ways[..self.width];
        let size = write(ways, out);
        ways.fill([0; GROUP]);
        self.is_told = false;
        size
    }
}

/// Writes a group, as [`Group::write`] does; 0 bytes if all rows are as expected.
#[inline(always)]
pub(super) fn write(ways: &[Ways], out: &mut [u8]) -> usize {
    let masks = ways.len().div_ceil(8);
    let mut at = masks;
    for (ways, masks) in ways.chunks(64).zip((0..).step_by(8)) {
        let mut mask = 0_u64;
        for (k, ways) in ways.iter().enumerate() {
            let bits = ways.iter().fold(0, |all, way| all | way);
            if bits != 0 {
                mask |= 1 << k;
                let Some(room) = out[at..].first_chunk_mut() else { return at };
                at += write_word(ways, bits, room);
            }
        }
        let bytes = ways.len().div_ceil(8);
        out[masks..][..bytes].copy_from_slice(&mask.to_le_bytes()[..bytes]);
    }
    if at == masks { 0 } else { at }
}

/// Writes the ways of one word of all rows, whose bits together are `bits`.
#[inline(always)]
fn write_word(ways: &Ways, bits: u32, out: &mut [u8; WORD_ROOM]) -> usize {
    // An even number, so that four ways fill whole bytes.
    let width = (33 - bits.leading_zeros() as usize) & !1;
    if width > WORTH {
        let rows = ways.iter().fold(0, |rows, &way| rows + u32::from(way != 0));
        if (rows as usize * width).div_ceil(8) + WORTH <= width {
            return write_few(ways, width, out);
        }
    }
    let [head, window @ .., _] = out;
    *head = width as u8;
    pack(ways, width, window);
    1 + width
}

/// Rows that differ are named, and the others left out, if that saves so many bytes. It takes three
/// times the instructions, so it is not worth it for one byte.
const WORTH: usize = 12;

/// The same of the rows that differ alone: mostly of the first of a piece.
#[inline(never)]
fn write_few(ways: &Ways, width: usize, out: &mut [u8; WORD_ROOM]) -> usize {
    let (mut some, mut rows, mut count) = ([0; GROUP], 0, 0);
    for (index, &way) in ways.iter().enumerate() {
        some[count % GROUP] = way;
        rows |= u8::from(way != 0) << index;
        count += usize::from(way != 0);
    }
    let [head, told, window @ ..] = out;
    (*head, *told) = (FEW | width as u8, rows);
    pack(&some, width, window);
    2 + (count * width).div_ceil(8)
}

/// Writes numbers of so many bits, an even number up to 32, one behind the other: each four of them
/// as two words, which no branch parts.
#[inline(always)]
fn pack(numbers: &[u32; GROUP], width: usize, out: &mut Window) {
    let [first, second] = bytemuck::cast_ref::<[u32; GROUP], [[u32; 4]; 2]>(numbers);
    put_four(first, width, out, 0);
    put_four(second, width, out, width / 2);
}

#[inline(always)]
fn put_four(numbers: &[u32; 4], width: usize, out: &mut Window, at: usize) {
    let [a, b, c, d] = numbers.map(u64::from);
    let (low, high) = (a | b << width, c | d << width);
    let beyond = 32 - width;
    let words = [low | high << width << width, high >> beyond >> beyond];
    out[at % WINDOW..][..16].copy_from_slice(bytemuck::bytes_of(&words.map(u64::to_le)));
}

/// Reads eight numbers of so many bits, an even number of 2 to 32.
#[inline(always)]
fn unpack(bytes: &Window, width: usize) -> [u32; GROUP] {
    let [a, b, c, d] = four(bytes, width, 0);
    let [e, f, g, h] = four(bytes, width, width / 2);
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn four(bytes: &Window, width: usize, at: usize) -> [u32; 4] {
    let window = &bytes[at % WINDOW..];
    let [low, high] = [0, 8].map(
        #[inline(always)]
        |k| window[k..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word)),
    );
    let (mask, beyond) = (u32::MAX >> (32 - width as u32), 32 - width);
    let rest = low >> width >> width | high << beyond << beyond;
    [low, low >> width, rest, rest >> width].map(
        #[inline(always)]
        |word| word as u32 & mask,
    )
}

/// Ways of a group of rows of `N` words, read from the front of `bytes`, each given to `put` as
/// word, row and way, but for some that are none; how many bytes it took.
#[inline(always)]
pub(super) fn read<const N: usize>(bytes: &[u8], put: impl FnMut(usize, &Ways)) -> Result<usize, LoadError> {
    if bytes.len() >= room(N) {
        return read_from::<N>(bytes, put);
    }
    // Near the end of an image: with zeros behind it.
    let mut padded = [0; WIDEST_ROOM];
    padded[..bytes.len()].copy_from_slice(bytes);
    let taken = read_from::<N>(&padded[..room(N)], put)?;
    if taken <= bytes.len() { Ok(taken) } else { Err(LoadError::Broken("rows end too early")) }
}

#[inline(always)]
fn read_from<const N: usize>(bytes: &[u8], mut put: impl FnMut(usize, &Ways)) -> Result<usize, LoadError> {
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
            let word = bytes[at..].first_chunk().ok_or(LoadError::Broken("rows end too early"))?;
            at += read_word(
                word,
                #[inline(always)]
                |ways| put(k, ways),
            )?;
        }
    }
    Ok(at)
}

/// Reads the ways of one word, of all rows or of those that are named.
#[inline(always)]
fn read_word(bytes: &[u8; WORD_ROOM], put: impl FnOnce(&Ways)) -> Result<usize, LoadError> {
    let [width, window @ .., _] = bytes;
    let width = usize::from(*width);
    if width.wrapping_sub(2) <= 30 && width.is_multiple_of(2) {
        put(&unpack(window, width));
        return Ok(1 + width);
    }
    let (ways, taken) = read_few(bytes)?;
    put(&ways);
    Ok(taken)
}

#[inline(never)]
fn read_few(bytes: &[u8; WORD_ROOM]) -> Result<(Ways, usize), LoadError> {
    let [width, rows, window @ ..] = bytes;
    let width = usize::from(width ^ FEW);
    if !(2..=32).contains(&width) || !width.is_multiple_of(2) {
        return Err(LoadError::Broken("a way has 2 to 32 bits, an even number"));
    }
    let some = unpack(window, width);
    let (mut ways, mut rows, mut count) = ([0; GROUP], *rows, 0);
    while rows != 0 {
        ways[rows.trailing_zeros() as usize % GROUP] = some[count % GROUP];
        (count, rows) = (count + 1, rows & (rows - 1));
    }
    let bits = count * width;
    let last = window[bits / 8 % WINDOW];
    if bits % 8 != 0 && last >> (bits % 8) != 0 {
        return Err(LoadError::Broken("a row has no more bits than its ways"));
    }
    Ok((ways, 2 + bits.div_ceil(8)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Numbers of all lengths, and none, without a pattern.
    pub(in crate::state) fn words(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
        let word = (*seed >> 32) as u32;
        word >> (*seed >> 20 & 31) as u32 & 0_u32.wrapping_sub((*seed >> 12 & 1) as u32)
    }

    /// Up to eight rows, each word of which may be as expected.
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
        // With other bytes behind it, and with none.
        for end in [out.len(), len] {
            let mut ways = [[0; N]; GROUP];
            assert_eq!(
                read::<N>(&out[..end], |k, column| (0..GROUP)
                    .for_each(|index| ways[index][k] = column[index])),
                Ok(len)
            );
            for index in 0..GROUP {
                let ends = core::array::from_fn(|k| end_of_way(expected[index][k], ways[index][k]));
                assert_eq!(rows[index], ends, "row {index}");
            }
        }
        for end in 0..len {
            assert_ne!(read::<N>(&out[..end], |_, _| {}), Ok(len), "{end} of {len} bytes");
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

    /// Columns come back as rows do.
    #[test]
    fn columns_come_back() {
        let mut seed = 3;
        for _ in 0..1_000 {
            let [expected, column]: [[u32; GROUP]; 2] =
                core::array::from_fn(|_| core::array::from_fn(|_| words(&mut seed)));
            assert_eq!(words_from(&expected, &ways_from(&expected, &column)), column);
            let (before, mut last) = (expected[0], expected[0]);
            assert_eq!(words_from_before(&mut last, &ways_from_before(before, &column)), column);
            assert_eq!(last, column[GROUP - 1]);
        }
    }

    /// Numbers of every width, in every number of rows.
    #[test]
    fn every_width_comes_back() {
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
                let bits = ways.iter().fold(0, |all, way| all | way);
                if bits == 0 {
                    continue;
                }
                let mut out = [0xA5; WORD_ROOM];
                let len = write_word(&ways, bits, &mut out);
                let mut again = [0; GROUP];
                assert_eq!(read_word(&out, |ways| again = *ways), Ok(len));
                assert_eq!(again, ways, "{width} bits, rows {rows:#b}");
            }
        }
    }

    #[test]
    fn a_group_that_none_wrote_is_refused() {
        let refused = |bytes: &[u8]| read::<3>(bytes, |_, _| {}).is_err();
        assert!(refused(&[0b1000, 1, 0]), "a word that rows do not have");
        assert!([0, 1, 3, 33, 34, FEW, FEW | 5, FEW | 34].iter().all(|&width| refused(&[1, width, 1])));
        assert!(refused(&[1, FEW | 6, 1, 0x7F]), "bits behind the last way");
        assert!(!refused(&[1, FEW | 6, 1, 0x3F]));
    }

    /// Numbers of about one size are near each other, whatever their signs.
    #[test]
    fn near_numbers_take_few_bits() {
        let size = |a: f32, b: f32| 32 - way(a.to_bits(), b.to_bits()).leading_zeros();
        assert_eq!([size(1.0, 1.0), size(0.5, -0.5), size(1.0, 1.000_001)], [0, 2, 6]);
        assert_eq!([size(0.5, 0.500_1), size(1.0, 2.0)], [13, 26]);
    }
}
