//! Rows as bytes.
//!
//! In: the columns of a world. Out: an image of them, appended to a list of bytes whose memory is
//! used again. Of each row only what differs from the row before is written, which costs no branch:
//! every word is stored, and kept if it counts.

use super::{Column, Hash, LoadError, MASKED, MORE, PIECE, Sink, WIDEST};

/// First in every image.
pub(super) const MAGIC: [u8; 4] = *b"crmW";

/// Bytes before the first column: magic, version, length of all and of its kind, the hash of what
/// follows.
pub(super) const HEADER: usize = 32;

/// Masks of the widest row, and its length with them.
const MASKS: usize = WIDEST.div_ceil(MASKED);
const LONGEST: usize = WIDEST + MASKS + 1;

/// What writes an image.
pub(crate) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Where pieces begin, for those who want to know.
    marks: Option<&'o mut Vec<Mark>>,
    last: [u32; WIDEST],
    /// Columns so far, and rows of the last one.
    columns: u32,
    rows: usize,
}

/// Where a piece begins, and of which column it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(super) column: u32,
    pub(super) at: usize,
}

impl<'o> Writer<'o> {
    /// Begins an image; what `out` holds is dropped, its memory is used.
    pub(crate) fn new(out: &'o mut Vec<u8>, marks: Option<&'o mut Vec<Mark>>) -> Writer<'o> {
        out.clear();
        out.resize(HEADER, 0);
        let mut writer = Writer { out, marks, last: [0; WIDEST], columns: 0, rows: 0 };
        writer.marks.iter_mut().for_each(|marks| marks.clear());
        writer
    }

    /// Writes the header, now that all is known.
    pub(crate) fn finish(self) {
        self.out[..4].copy_from_slice(&MAGIC);
        self.out[4..8].copy_from_slice(&LoadError::VERSION.to_le_bytes());
        restamp(self.out);
    }

    fn mark(&mut self) {
        let mark = Mark { column: self.columns, at: self.out.len() };
        self.marks.iter_mut().for_each(|marks| marks.push(mark));
    }

    /// Begins a column of so many rows.
    fn column(&mut self, count: usize) {
        self.columns += 1;
        self.mark();
        self.number(count);
    }

    fn number(&mut self, number: usize) {
        self.out.extend_from_slice(&(number as u32).to_le_bytes());
    }
}

impl Sink for Writer<'_> {
    fn begin(&mut self, _: &'static Column, count: usize) {
        self.column(count);
        self.rows = 0;
    }

    #[inline]
    fn row<const N: usize>(&mut self, _: u32, row: &[u32; N]) {
        if self.rows.is_multiple_of(PIECE) {
            if self.rows > 0 {
                self.mark();
            }
            self.last = [0; WIDEST];
        }
        self.rows += 1;
        let mut words = [0_u32; LONGEST];
        let (mut len, mut masks, mut ends, mut last) = (0, [0; MASKS], [0; MASKS], 0);
        for (k, (now, before)) in row.chunks(MASKED).zip(self.last[..N].chunks(MASKED)).enumerate() {
            let (at, mut mask) = (len, 0);
            len += 1;
            for (bit, (&word, &old)) in now.iter().zip(before).enumerate() {
                let differs = word != old;
                words[len] = word.to_le();
                mask |= u32::from(differs) << bit;
                len += usize::from(differs);
            }
            words[at] = mask.to_le();
            (masks[k], ends[k]) = (at, len);
            last = if mask != 0 { k } else { last };
        }
        for &at in &masks[..last] {
            words[at] |= MORE.to_le();
        }
        self.out.extend_from_slice(bytemuck::cast_slice(&words[..ends[last]]));
        self.last[..N].copy_from_slice(row);
    }

    fn plain(&mut self, _: &'static Column, width: usize, words: &[u32]) {
        self.column(words.len() / width);
        for (index, piece) in words.chunks(width * 4 * PIECE).enumerate() {
            if index > 0 {
                self.mark();
            }
            if cfg!(target_endian = "little") {
                self.out.extend_from_slice(bytemuck::cast_slice(piece));
            } else {
                piece.iter().for_each(|word| self.out.extend_from_slice(&word.to_le_bytes()));
            }
        }
    }
}

/// The hash of bytes, a multiple of four.
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = Hash::default();
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        hash.words(&core::array::from_fn::<u32, 16, _>(|k| word_at(&block[4 * k..])));
    }
    for word in rest.as_chunks::<4>().0 {
        hash.words(&[u32::from_le_bytes(*word)]);
    }
    hash.finish()
}

fn word_at(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

/// Writes the length and the hash that an image should have into its header, whatever it says: so
/// that tests get past it.
#[doc(hidden)]
pub fn restamp(image: &mut [u8]) {
    let Some((header, body)) = image.split_at_mut_checked(HEADER) else { return };
    header[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
    header[16..24].copy_from_slice(&hash_of(body).to_le_bytes());
}
