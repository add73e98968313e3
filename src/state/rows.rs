//! A row as bytes: how far each of its words is from what was expected of it.
//!
//! In: words, and as many that they are likely near to: those of the row before, or what can be
//! worked out of other columns. Out: bytes, and the words again.
//!
//! ```text
//!   a chunk of up to 32 words
//!     mask      a bit a word: it is another one than expected         1 to 4 bytes
//!     lengths   two bits for each of those words: 1 to 4 bytes        0 to 8 bytes
//!     ways      from the expected word to the word, low byte first    1 to 4 bytes each
//! ```
//!
//! Words are mostly `f32`. Their sign is turned into the lowest bit first, so that two numbers of
//! about one size are near each other whatever their signs are.

use super::{LoadError, WIDEST};

/// Words of which a mask speaks.
const MASKED: usize = 32;

/// Room that writing a row takes, and reading one looks at.
pub(super) const fn room(words: usize) -> usize {
    (words.div_ceil(MASKED) - 1) * (4 + 8 + 4 * MASKED) + WINDOW + 4
}

/// Room for the widest row.
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
fn zigzag(number: u32) -> u32 {
    number << 1 ^ ((number as i32) >> 31) as u32
}

#[inline(always)]
fn unzigzag(number: u32) -> u32 {
    number >> 1 ^ 0_u32.wrapping_sub(number & 1)
}

/// The bit of each word of a chunk: as a table, so that words are compared several at a time.
const BITS: [u32; MASKED] = {
    let (mut bits, mut k) = ([0; MASKED], 0);
    while k < MASKED {
        bits[k] = 1 << k;
        k += 1;
    }
    bits
};

/// A bit for each word of a chunk that is another one than expected.
#[inline(always)]
fn differences(row: &[u32], expected: &[u32]) -> u32 {
    let words = row.iter().zip(expected).zip(&BITS);
    words.fold(0, |mask, ((word, other), bit)| mask | if word == other { 0 } else { *bit })
}

/// Writes a row to the front of `out`, which has [`room`] for it; how many bytes it takes, 0 if it
/// is as expected. What is behind them may be overwritten.
#[inline(always)]
pub(super) fn write<const N: usize>(row: &[u32; N], expected: &[u32; N], out: &mut [u8]) -> usize {
    if N <= MASKED {
        let mask = differences(row, expected);
        return if mask == 0 { 0 } else { write_chunk(row, expected, mask, out) };
    }
    if row == expected { 0 } else { write_chunks(row, expected, out) }
}

#[inline(never)]
fn write_chunks<const N: usize>(row: &[u32; N], expected: &[u32; N], out: &mut [u8]) -> usize {
    let mut at = 0;
    for start in (0..N).step_by(MASKED) {
        let count = (N - start).min(MASKED);
        let (row, expected) = (&row[start..start + count], &expected[start..start + count]);
        at += write_chunk(row, expected, differences(row, expected), &mut out[at..]);
    }
    at
}

/// Bytes of a chunk, and some: a piece of memory of a length that is known, in which no place needs
/// to be looked at twice.
const WINDOW: usize = 256;

/// Where a chunk is written to, and read from.
type Window = [u8; WINDOW + 4];

/// Writes what differs as `mask` says.
#[inline(always)]
fn write_chunk(row: &[u32], expected: &[u32], mask: u32, out: &mut [u8]) -> usize {
    let Some(out) = out.first_chunk_mut::<{ WINDOW + 4 }>() else { return 0 };
    let mut ways = [0; MASKED];
    for ((way_to, from), to) in ways.iter_mut().zip(expected).zip(row) {
        *way_to = way(*from, *to);
    }
    put(out, 0, mask);
    let masks = row.len().div_ceil(8);
    let count = mask.count_ones();
    let size = (count as usize).div_ceil(4);
    let (mut at, mut lengths, mut left) = (masks + size, 0_u64, mask);
    while left != 0 {
        let way = ways[left.trailing_zeros() as usize % MASKED];
        // One less than the bytes that it takes: words that differ are never on no way.
        let more = (way | 1).ilog2() / 8;
        put(out, at, way);
        lengths = (lengths | u64::from(more)).rotate_right(2);
        (at, left) = (at + more as usize + 1, left & (left - 1));
    }
    lengths = lengths.rotate_left(2 * count);
    // Lengths are known last; the ways behind them are there already.
    let behind = if size == 8 { 0 } else { u64::MAX << (8 * size) };
    let both = lengths & !behind
        | (u64::from(word_in(out, masks)) | u64::from(word_in(out, masks + 4)) << 32) & behind;
    put(out, masks, both as u32);
    put(out, masks + 4, (both >> 32) as u32);
    at
}

#[inline(always)]
fn put(out: &mut Window, at: usize, word: u32) {
    out[at % WINDOW..][..4].copy_from_slice(&word.to_le_bytes());
}

/// Reads a row from the front of `bytes`; before, it is what is expected. How many bytes it took.
#[inline(always)]
pub(super) fn read<const N: usize>(row: &mut [u32; N], bytes: &[u8]) -> Result<usize, LoadError> {
    if bytes.len() >= room(N) { read_from(row, bytes) } else { read_last(row, bytes) }
}

/// The same near the end of an image: with zeros behind it.
#[cold]
#[inline(never)]
fn read_last<const N: usize>(row: &mut [u32; N], bytes: &[u8]) -> Result<usize, LoadError> {
    let mut padded = [0; WIDEST_ROOM];
    padded[..bytes.len()].copy_from_slice(bytes);
    let taken = read_from(row, &padded[..room(N)])?;
    if taken <= bytes.len() { Ok(taken) } else { Err(LoadError::Broken("rows end too early")) }
}

#[inline(always)]
fn read_from<const N: usize>(row: &mut [u32; N], bytes: &[u8]) -> Result<usize, LoadError> {
    const { assert!(N <= WIDEST) };
    let mut at = 0;
    for chunk in row.chunks_mut(MASKED) {
        let window = bytes[at..].first_chunk().ok_or(LoadError::Broken("rows end too early"))?;
        at += read_chunk(chunk, window)?;
    }
    Ok(at)
}

#[inline(always)]
fn read_chunk(chunk: &mut [u32], bytes: &Window) -> Result<usize, LoadError> {
    let masks = chunk.len().div_ceil(8);
    let mut mask = word_in(bytes, 0) & (u32::MAX >> (32 - 8 * masks));
    if chunk.len() < MASKED && mask >> chunk.len() != 0 {
        return Err(LoadError::Broken("a row has no more words than its column"));
    }
    let size = (mask.count_ones() as usize).div_ceil(4);
    let all = u64::from(word_in(bytes, masks)) | u64::from(word_in(bytes, masks + 4)) << 32;
    let mut lengths = if size == 8 { all } else { all & ((1 << (8 * size)) - 1) };
    let mut at = masks + size;
    while mask != 0 {
        let more = (lengths & 3) as u32;
        lengths >>= 2;
        // The mask has no bit beyond the chunk.
        if let Some(word) = chunk.get_mut(mask.trailing_zeros() as usize) {
            *word = end_of_way(*word, word_in(bytes, at) & (u32::MAX >> (24 - 8 * more)));
        }
        at += more as usize + 1;
        mask &= mask - 1;
    }
    if lengths == 0 { Ok(at) } else { Err(LoadError::Broken("a row has no more lengths than words")) }
}

/// The word that begins at a byte.
#[inline(always)]
fn word_in(bytes: &Window, at: usize) -> u32 {
    bytes[at % WINDOW..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

/// Most bytes of a pair.
pub(super) const PAIR_ROOM: usize = 2 * VARIABLE;

/// Most bytes of a number of 34 bits, seven bits each.
const VARIABLE: usize = 5;

/// Writes a pair that mostly comes after another one in a sorted list; how many bytes it takes. The
/// lowest two bits of the first number say how it goes on: 0 with the same first one, and how much
/// greater the second is; 1 with the next first one, and how far the second is from it; 2 with
/// anything, told by two numbers.
#[inline]
pub(super) fn write_pair([a, b]: [u32; 2], before: [u32; 2], out: &mut [u8]) -> usize {
    let number = |low: u32, kind: u64| u64::from(low) << 2 | kind;
    if a == before[0] {
        write_number(number(b.wrapping_sub(before[1]).wrapping_sub(1), 0), out)
    } else if a == before[0].wrapping_add(1) {
        write_number(number(zigzag(b.wrapping_sub(a)), 1), out)
    } else {
        let first = write_number(number(a, 2), out);
        first + write_number(u64::from(b), &mut out[first..])
    }
}

/// Reads a pair that comes after another one, and how many bytes it took.
#[inline]
pub(super) fn read_pair(before: [u32; 2], bytes: &[u8]) -> Result<([u32; 2], usize), LoadError> {
    let (number, size) = read_number(bytes)?;
    let (low, kind) = ((number >> 2) as u32, number & 3);
    match kind {
        0 => Ok(([before[0], before[1].wrapping_add(1).wrapping_add(low)], size)),
        1 => {
            let a = before[0].wrapping_add(1);
            Ok(([a, a.wrapping_add(unzigzag(low))], size))
        }
        2 => {
            let (b, more) = read_number(&bytes[size..])?;
            let b = u32::try_from(b).map_err(|_| LoadError::Broken("a number has 32 bits"))?;
            Ok(([low, b], size + more))
        }
        _ => Err(LoadError::Broken("a pair is told in one of three ways")),
    }
}

fn write_number(mut number: u64, out: &mut [u8]) -> usize {
    let mut at = 0;
    while number >= 0x80 {
        out[at] = number as u8 | 0x80;
        number >>= 7;
        at += 1;
    }
    out[at] = number as u8;
    at + 1
}

#[inline]
fn read_number(bytes: &[u8]) -> Result<(u64, usize), LoadError> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().take(VARIABLE).enumerate() {
        number |= u64::from(byte & 0x7F) << (7 * at);
        if byte < 0x80 {
            let fits = number >> 34 == 0;
            return if fits { Ok((number, at + 1)) } else { Err(LoadError::Broken("a number has 32 bits")) };
        }
    }
    Err(LoadError::Broken("rows end too early"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all lengths, and none, without a pattern.
    fn words(seed: &mut u64) -> u32 {
        *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(11);
        let word = (*seed >> 32) as u32;
        word >> (*seed >> 20 & 31) as u32 & 0_u32.wrapping_sub((*seed >> 12 & 1) as u32)
    }

    fn there_and_back<const N: usize>(seed: &mut u64) {
        let (row, expected): ([u32; N], [u32; N]) =
            (core::array::from_fn(|_| words(seed)), core::array::from_fn(|_| words(seed)));
        let mut out = vec![0xA5; room(N)];
        let len = write(&row, &expected, &mut out);
        assert!(len <= room(N));
        assert_eq!(len == 0, row == expected, "a row that is as expected takes no bytes, and is not read");
        if len == 0 {
            return;
        }
        let mut read_row = expected;
        // With other bytes behind it, and with none.
        assert_eq!(read(&mut read_row, &out), Ok(len));
        assert_eq!(read_row, row);
        let mut read_row = expected;
        assert_eq!(read(&mut read_row, &out[..len]), Ok(len));
        assert_eq!(read_row, row);
        for end in 0..len {
            assert_ne!(read(&mut expected.clone(), &out[..end]), Ok(len), "{end} of {len} bytes");
        }
    }

    #[test]
    fn rows_come_back() {
        let mut seed = 7;
        for _ in 0..2_000 {
            there_and_back::<1>(&mut seed);
            there_and_back::<8>(&mut seed);
            there_and_back::<12>(&mut seed);
            there_and_back::<31>(&mut seed);
            there_and_back::<32>(&mut seed);
            there_and_back::<33>(&mut seed);
            there_and_back::<WIDEST>(&mut seed);
        }
    }

    /// Numbers of about one size are near each other, whatever their signs.
    #[test]
    fn near_numbers_take_few_bytes() {
        let size =
            |a: f32, b: f32| way(a.to_bits(), b.to_bits()).checked_ilog2().map_or(0, |log| log / 8 + 1);
        assert_eq!([size(1.0, 1.0), size(0.5, -0.5), size(1.0, 1.000_001)], [0, 1, 1]);
        assert_eq!([size(0.5, 0.500_1), size(1.0, 2.0)], [2, 4]);
    }

    #[test]
    fn pairs_come_back() {
        let mut seed = 9;
        let mut before = [0, u32::MAX];
        for k in 0..20_000_u32 {
            let pair = match k % 4 {
                0 => [before[0], before[1].wrapping_add(1 + k % 7)],
                1 => [before[0].wrapping_add(1), before[0].wrapping_add(k % 100)],
                _ => [words(&mut seed), words(&mut seed)],
            };
            let mut out = [0; PAIR_ROOM];
            let len = write_pair(pair, before, &mut out);
            assert_eq!(read_pair(before, &out[..len]), Ok((pair, len)));
            assert!(read_pair(before, &out[..len - 1]).is_err());
            before = pair;
        }
        assert!(read_pair([0; 2], &[3]).is_err() && read_pair([0; 2], &[0xFF; 9]).is_err());
    }
}
