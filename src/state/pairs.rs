//! Pairs of a sorted list as bytes: mostly one byte each.
//!
//! In: a pair, and the one before it in the list. Out: bytes, and the pair again.

use super::rows::{unzigzag, zigzag};
use super::{LoadError, NO_PAIR};

/// Most bytes of a pair.
pub(super) const PAIR_ROOM: usize = 2 * VARIABLE;

/// Most bytes of a number of 34 bits, seven bits each.
const VARIABLE: usize = 5;

/// Writes a pair and returns how many bytes it takes. The pair mostly follows `before` in a sorted
/// list. The lowest two bits of the first number say how it is written. 0: the first element is
/// equal, and the number is the growth of the second. 1: the first element is greater by one, and
/// the number is the distance from it to the second. 2: both elements are written in full.
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

/// Reads a pair that was written after `before`; returns it and its size in bytes.
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

/// Writes the pairs of a piece and returns how many bytes they take.
pub(super) fn write_pairs(pairs: &[[u32; 2]], out: &mut [u8]) -> usize {
    let (mut at, mut before) = (0, NO_PAIR);
    for &pair in pairs {
        // Mostly the first element is equal, and the pair takes one byte.
        let more = pair[1].wrapping_sub(before[1]).wrapping_sub(1);
        if pair[0] == before[0] && more < 0x20 {
            out[at] = (more << 2) as u8;
            at += 1;
        } else {
            at += write_pair(pair, before, &mut out[at..]);
        }
        before = pair;
    }
    at
}

/// Reads the pairs of a piece and gives each to `take`; returns how many bytes they took.
pub(super) fn read_pairs(
    count: usize,
    bytes: &[u8],
    take: &mut impl FnMut([u32; 2]),
) -> Result<usize, LoadError> {
    let (mut at, mut before) = (0, NO_PAIR);
    for _ in 0..count {
        match bytes.get(at) {
            Some(&byte) if byte & 0x83 == 0 => {
                before[1] = before[1].wrapping_add(1 + u32::from(byte >> 2));
                at += 1;
            }
            Some(&byte) if byte & 0x83 == 1 => {
                before[0] = before[0].wrapping_add(1);
                before[1] = before[0].wrapping_add(unzigzag(u32::from(byte >> 2)));
                at += 1;
            }
            _ => {
                let (pair, taken) = read_pair(before, &bytes[at..])?;
                (before, at) = (pair, at + taken);
            }
        }
        take(before);
    }
    Ok(at)
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
    use super::super::rows::tests::words;
    use super::*;

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
