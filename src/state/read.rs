//! Bytes as rows.
//!
//! In: bytes from anywhere. Out: the columns that were written, row by row; or the rule that the
//! bytes break. Nothing is taken at its word: memory grows with what was read, not with what was
//! promised.

use super::write::{HEADER, MAGIC, hash_of};
use super::{LoadError, NO_PAIR, PAIRS, PIECE, rows};

/// An image, from its first column on.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
    /// How many rows and columns may still be read: so that memory grows with the bytes, whatever
    /// they say.
    rows_left: usize,
}

/// A column that is being read.
#[derive(Debug)]
pub(crate) struct ColumnReader {
    count: usize,
    /// How many rows were begun.
    index: usize,
    /// Bits of the rows of this piece that are told, the next one lowest.
    told: u64,
}

impl<'b> Reader<'b> {
    /// Looks at the header, and whether all that follows is as it was written.
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

    /// The same bytes, without a look at the header: of an image that was never out of our hands,
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

    /// Begins the next column.
    pub(crate) fn begin(&mut self) -> Result<ColumnReader, LoadError> {
        Ok(ColumnReader { count: self.count()?, index: 0, told: 0 })
    }

    /// Begins the next row of a column, if there is one; whether it is the first of a piece.
    #[inline]
    pub(crate) fn next(&mut self, rows: &mut ColumnReader) -> Result<Option<bool>, LoadError> {
        if rows.index == rows.count {
            return Ok(None);
        }
        let is_first = rows.index.is_multiple_of(PIECE);
        if is_first {
            let (told, rest) =
                self.bytes.split_first_chunk().ok_or(LoadError::Broken("rows end too early"))?;
            (rows.told, self.bytes) = (u64::from_le_bytes(*told), rest);
            let last = (rows.count - rows.index).min(PIECE);
            if last < PIECE && rows.told >> last != 0 {
                return Err(LoadError::Broken("a piece tells no more rows than it has"));
            }
        } else {
            rows.told >>= 1;
        }
        rows.index += 1;
        Ok(Some(is_first))
    }

    /// The row that was begun; before, it is what is expected.
    #[inline]
    pub(crate) fn row<const N: usize>(
        &mut self,
        rows: &ColumnReader,
        row: &mut [u32; N],
    ) -> Result<(), LoadError> {
        if rows.told & 1 != 0 {
            let taken = rows::read(row, self.bytes)?;
            self.bytes = &self.bytes[taken..];
        }
        Ok(())
    }

    /// The rows of the next column, one by one, each expected to be as the one before.
    pub(crate) fn rows<const N: usize>(
        &mut self,
        mut take: impl FnMut(&[u32; N]) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        self.rows_and_repeats(|row, _| take(row))
    }

    /// The same, with whether a row repeats the one before: not all that do are said to.
    pub(crate) fn rows_and_repeats<const N: usize>(
        &mut self,
        mut take: impl FnMut(&[u32; N], bool) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let (mut rows, mut row) = (self.begin()?, [0; N]);
        while let Some(is_first) = self.next(&mut rows)? {
            if is_first {
                row = [0; N];
            }
            self.row(&rows, &mut row)?;
            take(&row, !is_first && rows.told & 1 == 0)?;
        }
        Ok(())
    }

    /// How many rows follow.
    fn count(&mut self) -> Result<usize, LoadError> {
        let (word, rest) = self.bytes.split_first_chunk().ok_or(LoadError::Broken("rows end too early"))?;
        self.bytes = rest;
        let count = u32::from_le_bytes(*word) as usize;
        self.rows_left = self
            .rows_left
            .checked_sub(count + 1)
            .ok_or(LoadError::Broken("there are no more rows than words"))?;
        Ok(count)
    }

    /// A column of words.
    pub(crate) fn words(&mut self, out: &mut Vec<u32>) -> Result<(), LoadError> {
        out.clear();
        let (mut rows, mut before) = (self.begin()?, 0_u32);
        while let Some(is_first) = self.next(&mut rows)? {
            let mut word = [if is_first { 0 } else { before.wrapping_add(1) }];
            self.row(&rows, &mut word)?;
            before = word[0];
            out.push(before);
        }
        Ok(())
    }

    /// A column of pairs, one by one.
    pub(crate) fn pairs(&mut self, mut take: impl FnMut([u32; 2])) -> Result<(), LoadError> {
        let mut before = NO_PAIR;
        for index in 0..self.count()? {
            if index % PAIRS == 0 {
                before = NO_PAIR;
            }
            let (pair, taken) = rows::read_pair(before, self.bytes)?;
            self.bytes = &self.bytes[taken..];
            take(pair);
            before = pair;
        }
        Ok(())
    }

    /// Says that everything was read.
    pub(crate) fn finish(self) -> Result<(), LoadError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(LoadError::Broken("nothing follows the last column")) }
    }
}
