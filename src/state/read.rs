//! Bytes as rows.
//!
//! In: bytes from anywhere. Out: the columns that were written, row by row; or the rule that the
//! bytes break. Nothing is taken at its word: memory grows with what was read, not with what was
//! promised.

use super::write::{HEADER, MAGIC, hash_of};
use super::{LoadError, MASKED, MORE, PIECE, WIDEST};

/// An image, from its first column on.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
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
        if long(16) != hash_of(body) || long(24) != 0 {
            return Err(LoadError::Damaged);
        }
        Ok(Reader { bytes: body })
    }

    /// The same bytes, without a look at the header: of an image that was never out of our hands.
    pub(crate) fn trusted(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes: bytes.get(HEADER..).unwrap_or(&[]) }
    }

    /// How many bytes are still to be read.
    pub(crate) fn bytes_left(&self) -> usize {
        self.bytes.len()
    }

    fn word(&mut self) -> Result<u32, LoadError> {
        let (word, rest) = self.bytes.split_first_chunk().ok_or(LoadError::Broken("rows end too early"))?;
        self.bytes = rest;
        Ok(u32::from_le_bytes(*word))
    }

    /// The rows of the next column, one by one. Before the first, how many there are; each takes
    /// four bytes at least.
    pub(crate) fn rows<const N: usize>(
        &mut self,
        mut take: impl FnMut(&[u32; N]) -> Result<(), LoadError>,
    ) -> Result<(), LoadError> {
        let mut row = [0; N];
        for index in 0..self.count(1)? {
            if index % PIECE == 0 {
                row = [0; N];
            }
            self.row(&mut row)?;
            take(&row)?;
        }
        Ok(())
    }

    /// The next row, from the one before.
    #[inline]
    fn row<const N: usize>(&mut self, row: &mut [u32; N]) -> Result<(), LoadError> {
        const { assert!(N <= WIDEST) };
        for chunk in row.chunks_mut(MASKED) {
            let masked = self.word()?;
            let mut mask = masked & !MORE;
            let changed = mask.count_ones() as usize;
            if chunk.len() < MASKED && mask >> chunk.len() != 0 {
                return Err(LoadError::Broken("a row has no more words than its column"));
            }
            let (words, rest) =
                self.bytes.split_at_checked(4 * changed).ok_or(LoadError::Broken("rows end too early"))?;
            self.bytes = rest;
            for word in words.as_chunks::<4>().0 {
                chunk[mask.trailing_zeros() as usize] = u32::from_le_bytes(*word);
                mask &= mask - 1;
            }
            if masked & MORE == 0 {
                return Ok(());
            }
        }
        // The last mask of a row says that none follows.
        Err(LoadError::Broken("a row has no more words than its column"))
    }

    /// How many rows follow, each of `least` words or more.
    fn count(&mut self, least: usize) -> Result<usize, LoadError> {
        let count = self.word()? as usize;
        if count.checked_mul(4 * least).is_none_or(|bytes| bytes > self.bytes.len()) {
            return Err(LoadError::Broken("a column has no more rows than bytes"));
        }
        Ok(count)
    }

    /// A column of words, `width` a row.
    pub(crate) fn plain(&mut self, width: usize, out: &mut Vec<u32>) -> Result<(), LoadError> {
        let count = self.count(width)?;
        let (words, rest) = self.bytes.split_at(4 * width * count);
        self.bytes = rest;
        out.clear();
        out.extend(words.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
        Ok(())
    }

    /// Says that everything was read.
    pub(crate) fn finish(self) -> Result<(), LoadError> {
        if self.bytes.is_empty() { Ok(()) } else { Err(LoadError::Broken("nothing follows the last column")) }
    }
}
