//! Bytes as rows.
//!
//! In: bytes from anywhere. Out: the columns that were written, row by row; or the rule that the
//! bytes break. No count in the bytes is trusted: memory grows with the bytes that were read.

use super::packer::{InLanes, OneByOne};
use super::rows::{GROUP, Ways, end_of_way, weight, words_from_before};
use super::write::{HEADER, MAGIC, hash_of};
use super::{LoadError, PAIRS, PIECE, pairs, rows};
use crate::simd::Vectors;

const MORE_ROWS: LoadError = LoadError::Broken("a piece tells no more rows than it has");

/// A reader of an image, behind its header.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
    /// How many rows and columns may still be read. It bounds memory by the length of the bytes,
    /// whatever counts they contain.
    rows_left: usize,
}

/// The place in a column at which it is read.
#[derive(Debug)]
struct Place {
    count: usize,
    /// How many rows were begun.
    index: usize,
    /// A bit for each remaining group of this piece, set if the bytes contain it; the next group is
    /// the lowest bit.
    told: u8,
}

/// A column of rows of `N` words that is read row by row.
#[derive(Debug)]
pub(crate) struct ColumnReader<const N: usize> {
    place: Place,
    /// The differences of each row of this group from its prediction, valid if `is_told`.
    ways: [[u32; N]; GROUP],
    is_told: bool,
}

/// A column of rows of `N` words that is read group by group.
#[derive(Debug)]
pub(crate) struct Groups<const N: usize> {
    place: Place,
    /// For each word, the differences of all rows of this group from their predictions; and a bit
    /// for each word, set if a row differs in it.
    pub(crate) ways: [Ways; N],
    pub(crate) told: u64,
    /// How many rows this group has, and whether it is the first group of a piece.
    pub(crate) count: usize,
    pub(crate) is_first: bool,
}

impl<const N: usize> ColumnReader<N> {
    fn ways(&self) -> &[u32; N] {
        &self.ways[(self.place.index + GROUP - 1) % GROUP]
    }

    /// Turns `row` from the prediction of the current row into the row itself.
    #[inline(always)]
    pub(crate) fn row(&self, row: &mut [u32; N]) {
        if self.is_told {
            let ways = self.ways();
            for k in 0..N {
                row[k] = end_of_way(row[k], ways[k]);
            }
        }
    }

    /// Whether the current row is the first of eight rows that equal their predictions.
    #[inline(always)]
    fn begins_same(&self, is_first: bool) -> bool {
        let Place { index, count, .. } = self.place;
        !self.is_told && !is_first && index % GROUP == 1 && count + 1 - index >= GROUP
    }

    /// Whether the current row equals its prediction.
    #[inline(always)]
    fn is_as_expected(&self) -> bool {
        !self.is_told || self.ways().iter().fold(0, |all, way| all | way) == 0
    }
}

impl<const N: usize> Groups<N> {
    /// Returns a word of all rows of this group, where each row is predicted by the row before. The
    /// first one is predicted by `last`, which becomes the last row.
    #[inline(always)]
    pub(crate) fn words_of<S: Vectors>(&self, simd: S, word: usize, last: &mut [u32; N]) -> [u32; GROUP] {
        if self.told >> word & 1 == 0 {
            return [last[word]; GROUP];
        }
        words_from_before(simd, &mut last[word], &self.ways[word])
    }
}

/// Clears the words that the last group contained and this group does not: mostly few.
#[inline(always)]
fn forget<const N: usize>(ways: &mut [Ways; N], mut words: u64) {
    while words != 0 {
        ways[words.trailing_zeros() as usize % N] = [0; GROUP];
        words &= words - 1;
    }
}

impl<'b> Reader<'b> {
    /// Checks the header, and the hash of the bytes behind it.
    pub(crate) fn new(bytes: &'b [u8]) -> Result<Reader<'b>, LoadError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(if bytes.starts_with(&MAGIC) {
            LoadError::WrongLength
        } else {
            LoadError::NotASnapshot
        })?;
        if header[..4] != MAGIC {
            return Err(LoadError::NotASnapshot);
        }
        let word = |at: usize| header[at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let long = |at: usize| header[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        match word(4) {
            LoadError::VERSION => {}
            other => return Err(LoadError::OtherVersion(other)),
        }
        if long(8) != body.len() as u64 || !body.len().is_multiple_of(4) {
            return Err(LoadError::WrongLength);
        }
        if long(16) != hash_of(body) {
            return Err(LoadError::Damaged);
        }
        let end = usize::try_from(long(24)).ok().and_then(|padding| body.len().checked_sub(padding));
        let (bytes, padding) = body.split_at(end.ok_or(LoadError::WrongLength)?);
        if padding.iter().any(|&byte| byte != 0) {
            return Err(LoadError::Broken("padding is zeros"));
        }
        Ok(Reader { bytes, rows_left: body.len() / 4 })
    }

    /// Reads an image without a check of its header: an image in memory that was never given away
    /// and has no padding.
    pub(crate) fn trusted(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes: bytes.get(HEADER..).unwrap_or(&[]), rows_left: usize::MAX }
    }

    /// How many bytes are still to be read.
    pub(crate) fn bytes_left(&self) -> usize {
        self.bytes.len()
    }

    /// How many rows may still be read.
    pub(crate) fn rows_left(&self) -> usize {
        self.rows_left
    }

    /// Begins the next column, to be read row by row.
    pub(crate) fn begin<const N: usize>(&mut self) -> Result<ColumnReader<N>, LoadError> {
        Ok(ColumnReader { place: self.place(1)?, is_told: false, ways: [[0; N]; GROUP] })
    }

    /// Begins the next column, to be read group by group.
    pub(crate) fn groups<const N: usize>(&mut self) -> Result<Groups<N>, LoadError> {
        const { assert!(N <= u64::BITS as usize) };
        let place = self.place(weight(N))?;
        Ok(Groups { place, ways: [[0; GROUP]; N], told: 0, count: 0, is_first: false })
    }

    fn place(&mut self, weight: usize) -> Result<Place, LoadError> {
        Ok(Place { count: self.count(weight)?, index: 0, told: 0 })
    }

    /// Begins the next row of a column, if there is one; returns whether it is the first of a
    /// piece.
    #[inline(always)]
    pub(crate) fn next<const N: usize>(
        &mut self,
        rows: &mut ColumnReader<N>,
    ) -> Result<Option<bool>, LoadError> {
        let Place { count, index, .. } = rows.place;
        if index == count {
            return Ok(None);
        }
        if index.is_multiple_of(GROUP) {
            self.next_rows(rows)?;
        }
        rows.place.index += 1;
        Ok(Some(index.is_multiple_of(PIECE)))
    }

    #[inline(never)]
    fn next_rows<const N: usize>(&mut self, rows: &mut ColumnReader<N>) -> Result<(), LoadError> {
        rows.is_told = self.begin_group(&mut rows.place)?;
        if !rows.is_told {
            return Ok(());
        }
        let ways = &mut rows.ways;
        *ways = [[0; N]; GROUP];
        let taken = rows::read::<N>(
            OneByOne,
            self.bytes,
            #[inline(always)]
            |k, column| {
                for index in 0..GROUP {
                    ways[index][k] = column[index];
                }
            },
        )?;
        self.bytes = &self.bytes[taken..];
        let beyond = ways.iter().skip(rows.place.count - rows.place.index);
        if { beyond }.flatten().all(|&way| way == 0) { Ok(()) } else { Err(MORE_ROWS) }
    }

    /// Reads the next group of a column, if there is one.
    #[inline(always)]
    pub(crate) fn next_group<S: Vectors, const N: usize>(
        &mut self,
        simd: S,
        groups: &mut Groups<N>,
    ) -> Result<bool, LoadError> {
        let Place { count, index, .. } = groups.place;
        if index == count {
            return Ok(false);
        }
        (groups.count, groups.is_first) = ((count - index).min(GROUP), index.is_multiple_of(PIECE));
        let (ways, told) = (&mut groups.ways, &mut groups.told);
        let before = core::mem::take(told);
        if self.begin_group(&mut groups.place)? {
            let taken = rows::read::<N>(
                InLanes(simd),
                self.bytes,
                #[inline(always)]
                |k, column| {
                    ways[k] = *column;
                    *told |= 1 << k;
                },
            )?;
            self.bytes = &self.bytes[taken..];
            forget(ways, before & !*told);
            if groups.count < GROUP
                && ways.iter().any(|ways| ways[groups.count..].iter().any(|&way| way != 0))
            {
                return Err(MORE_ROWS);
            }
        } else {
            forget(ways, before);
        }
        groups.place.index += groups.count;
        Ok(true)
    }

    /// Begins a group; returns whether the bytes contain it.
    #[inline(always)]
    fn begin_group(&mut self, place: &mut Place) -> Result<bool, LoadError> {
        if place.index.is_multiple_of(PIECE) {
            let (told, rest) = self.bytes.split_first().ok_or(LoadError::Broken("rows end too early"))?;
            (place.told, self.bytes) = (*told, rest);
            let groups = (place.count - place.index).div_ceil(GROUP);
            if groups < PIECE / GROUP && place.told >> groups != 0 {
                return Err(MORE_ROWS);
            }
        }
        let is_told = place.told & 1 != 0;
        place.told >>= 1;
        Ok(is_told)
    }

    /// Reads the next column row by row; each row is predicted by the row before.
    pub(crate) fn rows<const N: usize>(
        &mut self,
        mut take: impl FnMut(&[u32; N]) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let (mut rows, mut row) = (self.begin()?, [0; N]);
        while let Some(is_first) = self.next(&mut rows)? {
            if is_first {
                row = [0; N];
            }
            rows.row(&mut row);
            take(&row)?;
        }
        Ok(())
    }

    /// Reads the next column as [`Reader::rows`] does. `take` also gets how many rows equal the row
    /// before: 0 for a row that differs, 8 for a whole group.
    pub(crate) fn rows_and_repeats<const N: usize>(
        &mut self,
        mut take: impl FnMut(&[u32; N], usize) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let (mut rows, mut row) = (self.begin()?, [0; N]);
        while let Some(is_first) = self.next(&mut rows)? {
            if rows.begins_same(is_first) {
                rows.place.index += GROUP - 1;
                take(&row, GROUP)?;
                continue;
            }
            if is_first {
                row = [0; N];
            }
            let repeats = rows.is_as_expected();
            if !repeats {
                rows.row(&mut row);
            }
            take(&row, usize::from(repeats && !is_first))?;
        }
        Ok(())
    }

    /// How many rows follow.
    fn count(&mut self, weight: usize) -> Result<usize, LoadError> {
        let (word, rest) = self.bytes.split_first_chunk().ok_or(LoadError::Broken("rows end too early"))?;
        self.bytes = rest;
        let count = u32::from_le_bytes(*word) as usize;
        self.rows_left = self
            .rows_left
            .checked_sub(weight.saturating_mul(count).saturating_add(1))
            .ok_or(LoadError::Broken("there are no more rows than words"))?;
        Ok(count)
    }

    /// Reads a column of words.
    pub(crate) fn words(&mut self, out: &mut Vec<u32>) -> Result<(), LoadError> {
        out.clear();
        let (mut rows, mut before) = (self.begin()?, 0_u32);
        while let Some(is_first) = self.next(&mut rows)? {
            if rows.begins_same(is_first) {
                out.extend((1..=GROUP as u32).map(|step| before.wrapping_add(step)));
                before = before.wrapping_add(GROUP as u32);
                rows.place.index += GROUP - 1;
                continue;
            }
            let mut word = [if is_first { 0 } else { before.wrapping_add(1) }];
            rows.row(&mut word);
            before = word[0];
            out.push(before);
        }
        Ok(())
    }

    /// Reads a column of pairs, one by one.
    pub(crate) fn pairs(&mut self, mut take: impl FnMut([u32; 2])) -> Result<(), LoadError> {
        let mut left = self.count(1)?;
        while left > 0 {
            let count = left.min(PAIRS);
            let taken = pairs::read_pairs(count, self.bytes, &mut take)?;
            self.bytes = &self.bytes[taken..];
            left -= count;
        }
        Ok(())
    }

    /// Checks that all bytes were read.
    pub(crate) fn finish(self) -> Result<(), LoadError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(LoadError::Broken("nothing follows the last column")) }
    }
}
