//! AlignedRows of eight numbers, none of which lies across two lines of the cache.
//!
//! In: rows, pushed one by one. Out: the same as a slice. They are read in an order that has
//! nothing to do with where they lie, so what a row costs is the lines that it touches: an
//! allocation begins where it likes, and every other row would be in two.

use bytemuck::{Pod, Zeroable};
use core::ops::{Deref, DerefMut};

use super::LANES;

#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Aligned([f32; LANES]);

/// A list of rows.
#[derive(Debug, Default)]
pub(crate) struct AlignedRows(Vec<Aligned>);

impl Clone for AlignedRows {
    fn clone(&self) -> AlignedRows {
        AlignedRows(self.0.clone())
    }

    fn clone_from(&mut self, source: &AlignedRows) {
        self.0.clone_from(&source.0);
    }
}

impl AlignedRows {
    pub(crate) fn push(&mut self, row: [f32; LANES]) {
        self.0.push(Aligned(row));
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// As many rows; new ones are zeros.
    pub(crate) fn resize(&mut self, count: usize) {
        self.0.resize(count, Aligned::zeroed());
    }

    /// `count` rows of zeros, and room for no more.
    pub(crate) fn refill(&mut self, count: usize) {
        self.0.clear();
        self.0.reserve_exact(count);
        self.0.resize(count, Aligned::zeroed());
    }
}

impl Deref for AlignedRows {
    type Target = [[f32; LANES]];

    #[inline]
    fn deref(&self) -> &[[f32; LANES]] {
        bytemuck::cast_slice(&self.0)
    }
}

impl DerefMut for AlignedRows {
    #[inline]
    fn deref_mut(&mut self) -> &mut [[f32; LANES]] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
