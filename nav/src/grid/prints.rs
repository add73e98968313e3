//! Prints: a hash of the land of each chunk.
//!
//! In: walls and costs, and each change of one. Out: for each chunk a hash, equal for equal land
//! and (except for 1 in 2^64) different for different land; and a hash of the whole map. So kept
//! results can be checked against any map: also one that was changed, changed back, cloned or
//! loaded.
//!
//! A chunk's hash is a sum of terms: a mix of each row of 16 walls with its position, and of each
//! cost other than 1 with its position. So one change removes one term and adds another.

use super::Cell;
use super::bits::Bits;
use super::map::CHUNK;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prints {
    /// Chunks along x.
    across: usize,
    chunks: Vec<u64>,
    whole: u64,
}

impl Prints {
    /// Prints of walls, with all costs 1.
    pub(super) fn new(width: usize, height: usize, rows: &Bits) -> Prints {
        let side = CHUNK as usize;
        let (across, up) = (width.div_ceil(side), height.div_ceil(side));
        let mut chunks = vec![0_u64; across * up];
        for y in 0..height {
            let (row, place) = (rows.row(y as i32), (y % side) as u64);
            for (k, chunk) in chunks[y / side * across..][..across].iter_mut().enumerate() {
                *chunk = chunk.wrapping_add(mix(place, sixteen(row, k)));
            }
        }
        let whole = (0..chunks.len()).fold(0, |sum: u64, k| sum.wrapping_add(mix(k as u64 + 1, chunks[k])));
        Prints { across, chunks, whole }
    }

    pub(super) fn across(&self) -> usize {
        self.across
    }

    pub(super) fn chunks(&self) -> &[u64] {
        &self.chunks
    }

    pub(super) fn whole(&self) -> u64 {
        self.whole
    }

    /// The chunk of a cell on the map.
    #[inline]
    pub(super) fn chunk_of(&self, cell: Cell) -> usize {
        (cell.y / CHUNK) as usize * self.across + (cell.x / CHUNK) as usize
    }

    /// Updates the hashes after a wall was added or removed at a cell; `rows` holds the new wall.
    pub(super) fn toggled(&mut self, rows: &Bits, cell: Cell) {
        let now = sixteen(rows.row(cell.y), (cell.x / CHUNK) as usize);
        let before = now ^ 1 << (cell.x % CHUNK);
        let place = (cell.y % CHUNK) as u64;
        self.change(cell, mix(place, before), mix(place, now));
    }

    /// Updates the hashes after a change of a cost.
    pub(super) fn repriced(&mut self, cell: Cell, before: u8, now: u8) {
        let place = (CHUNK + (cell.y % CHUNK) * CHUNK + cell.x % CHUNK) as u64;
        self.change(cell, mix(place, u64::from(before - 1)), mix(place, u64::from(now - 1)));
    }

    fn change(&mut self, cell: Cell, before: u64, now: u64) {
        let at = self.chunk_of(cell);
        let chunk = &mut self.chunks[at];
        let old = mix(at as u64 + 1, *chunk);
        *chunk = chunk.wrapping_sub(before).wrapping_add(now);
        self.whole = self.whole.wrapping_sub(old).wrapping_add(mix(at as u64 + 1, *chunk));
    }
}

/// The 16 walls of the chunk in column `k` of chunks, in a row.
#[inline]
fn sixteen(row: &[u64], k: usize) -> u64 {
    row[k / 4] >> (k % 4 * 16) & 0xFFFF
}

/// Hash of the content at a place; 0 if the content is 0.
#[inline]
fn mix(place: u64, content: u64) -> u64 {
    if content == 0 {
        return 0;
    }
    let mut z = content ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
