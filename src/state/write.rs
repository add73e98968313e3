//! Rows as bytes.
//!
//! In: the columns of a world. Out: an image of them, written to a list of bytes whose memory is
//! used again. Only words that differ from their predictions are written, eight rows at a time.

use super::hash::FACTORS;
use super::packer::InLanes;
use super::rows::{self, GROUP, Group, Ways, room};
use super::{Column, Hash, LoadError, PAIRS, PIECE, Sink, WIDEST, pairs};
use crate::simd::{Level, Vectors, dispatch_wide};

/// The first bytes of every image.
pub(super) const MAGIC: [u8; 4] = *b"crmW";

/// Bytes before the first column: magic, version, length and hash of the bytes behind the header,
/// and how many of the last bytes are padding.
pub(super) const HEADER: usize = 32;

/// A writer of an image.
pub(crate) struct Writer<'o> {
    /// The image so far ends at `at`; the rest of the list is room.
    out: &'o mut Vec<u8>,
    at: usize,
    /// Receives the places where pieces begin, if the caller wants them.
    marks: Option<&'o mut Vec<Mark>>,
    last: [u32; WIDEST],
    /// Columns so far; rows of the last column; weighted rows of all, and one for each column.
    columns: u32,
    rows: usize,
    all_rows: usize,
    /// Rows that are not written yet.
    group: Group,
    /// Place of the byte that says which groups of a piece are written, and its bits so far.
    told: usize,
    bits: u8,
}

/// Where a piece begins, and the column that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(super) column: u32,
    pub(super) at: usize,
}

impl<'o> Writer<'o> {
    /// Begins an image in the memory of `out`, whose content is dropped.
    ///
    /// A list that never had any memory gets `room` bytes at once, which a system hands out as
    /// zeros without touching them.
    pub(crate) fn new(out: &'o mut Vec<u8>, marks: Option<&'o mut Vec<Mark>>, room: usize) -> Writer<'o> {
        if out.capacity() == 0 {
            *out = vec![0; HEADER + room];
        }
        out.resize(HEADER.max(out.capacity()), 0);
        out[..HEADER].fill(0);
        let (last, columns, rows, all_rows) = ([0; WIDEST], 0, 0, 0);
        let (group, told, bits) = (Group::new(), 0, 0);
        let mut writer = Writer { out, at: HEADER, marks, last, columns, rows, all_rows, group, told, bits };
        writer.marks.iter_mut().for_each(|marks| marks.clear());
        writer
    }

    /// Ends an image that stays in this process: its header is never read.
    pub(crate) fn close(mut self) {
        self.end_piece();
        self.out.truncate(self.at);
    }

    /// Ends an image: writes padding and the header.
    ///
    /// A reader accepts as many rows and columns as the image has words of four bytes, so that its
    /// memory grows with the bytes. Rows that equal their predictions take less, so padding fills
    /// up.
    pub(crate) fn finish(mut self) {
        self.end_piece();
        let len = (self.at - HEADER).max(4 * self.all_rows).next_multiple_of(4);
        let padding = (HEADER + len - self.at) as u64;
        self.out.truncate(self.at);
        self.out.resize(HEADER + len, 0);
        self.out[..4].copy_from_slice(&MAGIC);
        self.out[4..8].copy_from_slice(&LoadError::VERSION.to_le_bytes());
        self.out[24..HEADER].copy_from_slice(&padding.to_le_bytes());
        restamp(self.out);
    }

    fn mark(&mut self) {
        let mark = Mark { column: self.columns, at: self.at };
        self.marks.iter_mut().for_each(|marks| marks.push(mark));
    }

    /// Begins a column of `count` rows; each counts as `weight` rows for a reader's memory.
    fn column(&mut self, count: usize, weight: usize) {
        self.end_piece();
        self.columns += 1;
        self.mark();
        self.put(&(count as u32).to_le_bytes());
        self.all_rows += weight * count + 1;
        self.rows = 0;
    }

    /// Makes sure that there is room for `len` bytes.
    #[inline(always)]
    fn make_room(&mut self, len: usize) {
        if self.out.len() - self.at < len {
            self.grow(len);
        }
    }

    #[cold]
    fn grow(&mut self, len: usize) {
        self.out.reserve(len);
        self.out.resize(self.out.capacity(), 0);
    }

    fn put(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.out[self.at..][..bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    /// Begins the next row and returns its index in its group. The first row of a piece is expected
    /// to be zeros.
    #[inline(always)]
    fn begin_row(&mut self) -> usize {
        if self.rows.is_multiple_of(GROUP) {
            self.begin_group();
        }
        self.rows += 1;
        (self.rows - 1) % GROUP
    }

    #[inline(always)]
    fn begin_group(&mut self) {
        if self.rows.is_multiple_of(PIECE) {
            self.begin_piece();
        } else if !self.group.is_as_expected() {
            self.end_group();
        }
    }

    #[inline(never)]
    fn begin_piece(&mut self) {
        self.end_piece();
        if self.rows > 0 {
            self.mark();
        }
        self.told = self.at;
        self.put(&[0]);
        self.last = [0; WIDEST];
    }

    /// Writes the rows of the last group.
    #[inline(never)]
    fn end_group(&mut self) {
        self.make_room(room(WIDEST));
        self.at += self.group.write(&mut self.out[self.at..]);
        self.bits |= 1 << ((self.rows - 1) % PIECE / GROUP);
    }

    /// Writes which groups the piece contains, once all of them are known.
    fn end_piece(&mut self) {
        if !self.group.is_as_expected() {
            self.end_group();
        }
        if self.bits != 0 {
            self.out[self.told] = self.bits;
            self.bits = 0;
        }
    }
}

impl Sink for Writer<'_> {
    const IS_IMAGE: bool = true;

    fn begin(&mut self, _: &'static Column, count: usize) {
        self.column(count, 1);
    }

    fn begin_groups<const N: usize>(&mut self, _: &'static Column, count: usize) {
        self.column(count, rows::weight(N));
    }

    #[inline]
    fn row<const N: usize>(&mut self, _: u32, row: &[u32; N]) {
        let index = self.begin_row();
        let Some(last) = self.last.first_chunk_mut() else { return };
        if self.group.put(index, row, last) {
            *last = *row;
        }
    }

    #[inline]
    fn row_like<const N: usize>(&mut self, _: u32, row: &[u32; N], expected: &[u32; N]) {
        let index = self.begin_row();
        self.group.put(index, row, expected);
    }

    #[inline]
    fn same_row<const N: usize>(&mut self, of: u32, row: impl FnOnce() -> [u32; N]) {
        // The first row of a piece is written whole.
        if self.rows.is_multiple_of(PIECE) {
            self.row(of, &row());
        } else {
            self.begin_row();
        }
    }

    #[inline(always)]
    fn same_rows_left(&self) -> usize {
        // Whole groups, except the first group of a piece: its first row is written whole.
        if self.rows.is_multiple_of(GROUP) && !self.rows.is_multiple_of(PIECE) { GROUP } else { 0 }
    }

    #[inline(always)]
    fn same_rows(&mut self) {
        self.begin_row();
        self.rows += GROUP - 1;
    }

    #[inline(always)]
    fn group<S: Vectors, const N: usize>(&mut self, simd: S, ways: &[Ways; N], count: usize) {
        self.begin_row();
        self.make_room(room(N));
        let size = rows::write(InLanes(simd), ways, &mut self.out[self.at..]);
        self.at += size;
        self.bits |= u8::from(size > 0) << ((self.rows - 1) % PIECE / GROUP);
        self.rows += count - 1;
    }

    fn plain(&mut self, _: &'static Column, width: usize, words: &[u32]) {
        self.column(words.len() / width, 1);
        if width == 2 {
            return self.pairs(words.as_chunks().0);
        }
        let mut before = u32::MAX;
        for &word in words {
            // Words of lists often count up by one.
            let expected = if self.rows.is_multiple_of(PIECE) { 0 } else { before.wrapping_add(1) };
            self.row_like(u32::MAX, &[word], &[expected]);
            before = word;
        }
    }
}

impl Writer<'_> {
    fn pairs(&mut self, list: &[[u32; 2]]) {
        for (index, piece) in list.chunks(PAIRS).enumerate() {
            if index > 0 {
                self.mark();
            }
            self.make_room(pairs::PAIR_ROOM * piece.len());
            self.at += pairs::write_pairs(piece, &mut self.out[self.at..]);
        }
    }
}

/// Returns the hash of bytes whose number is a multiple of four.
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut hash = Hash::default();
    if !blocks.is_empty() {
        let lanes = dispatch_wide!(Level::widest(), simd => hash_of_blocks(simd, blocks));
        lanes.iter().for_each(|lane| hash.words(&[*lane as u32, (lane >> 32) as u32]));
    }
    for word in rest.as_chunks::<4>().0 {
        hash.words(&[u32::from_le_bytes(*word)]);
    }
    hash.finish()
}

/// Hashes blocks of eight words into eight sums. Each word is mixed with a key of its block; one
/// half of the result times the other half goes to the sum of the word. The word itself goes to the
/// neighbouring sum, so that no word is lost where a half is 0. This is how XXH3 works. (Tried:
/// products that wait for each other took twice the time.)
#[inline(always)]
fn hash_of_blocks<S: Vectors>(_simd: S, blocks: &[[u8; 64]]) -> [u64; 8] {
    let mut keys: [u64; 8] = core::array::from_fn(|k| FACTORS[0].rotate_left(8 * k as u32));
    let mut lanes = [FACTORS[1]; 8];
    for block in blocks {
        let words: &[[u8; 8]; 8] = bytemuck::cast_ref(block);
        for k in 0..8 {
            let word = u64::from_le_bytes(words[k]);
            let other = u64::from_le_bytes(words[k ^ 1]);
            let mixed = word ^ keys[k];
            let product = (mixed & 0xFFFF_FFFF) * (mixed >> 32);
            lanes[k] = lanes[k].wrapping_add(product).wrapping_add(other);
            keys[k] = keys[k].wrapping_add(FACTORS[1]);
        }
    }
    lanes
}

/// The last bytes of an appendix. Before them stand words that follow an image, their hash, and
/// their count.
const APPENDIX: [u8; 4] = *b"crmE";

/// Appends words to an image.
pub(crate) fn append(words: &[u32], bytes: &mut Vec<u8>) {
    let begin = bytes.len();
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let hash = hash_of(&bytes[begin..]);
    bytes.extend(hash.to_le_bytes());
    bytes.extend((words.len() as u32).to_le_bytes());
    bytes.extend(APPENDIX);
}

/// Splits bytes into an image and the bytes of the words that are appended to it.
pub(crate) fn split_appendix(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (rest, count) = bytes.strip_suffix(&APPENDIX)?.split_last_chunk()?;
    let (rest, hash) = rest.split_last_chunk()?;
    let size = (u32::from_le_bytes(*count) as usize).checked_mul(4)?;
    let (image, words) = rest.split_at_checked(rest.len().checked_sub(size)?)?;
    (hash_of(words) == u64::from_le_bytes(*hash)).then_some((image, words))
}

/// Writes the right length and hash into the header of an image, so that tests pass that check with
/// changed bytes. Appendices are not part of the image.
#[doc(hidden)]
pub fn restamp(image: &mut [u8]) {
    let Some((header, body)) = image.split_at_mut_checked(HEADER) else { return };
    let mut body = &*body;
    while let Some((image, _)) = split_appendix(body) {
        body = image;
    }
    header[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
    header[16..24].copy_from_slice(&hash_of(body).to_le_bytes());
}
