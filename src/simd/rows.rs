//! Rows of eight numbers, aligned so that no row crosses a cache line.
//!
//! In: rows, pushed one by one. Out: the rows as a slice. Kernels read them in scattered order, so
//! the cost of a row is the number of cache lines that it touches. A plain allocation may begin
//! anywhere, and then every other row would be in two lines.

use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::LANES;

#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Aligned([f32; LANES]);

/// A list of rows; a row is an array or a struct of eight numbers.
#[derive(Debug)]
pub(crate) struct AlignedRows<R = [f32; LANES]>(Vec<Aligned>, PhantomData<R>);

impl<R> Default for AlignedRows<R> {
    fn default() -> AlignedRows<R> {
        AlignedRows(Vec::new(), PhantomData)
    }
}

impl<R> Clone for AlignedRows<R> {
    fn clone(&self) -> AlignedRows<R> {
        AlignedRows(self.0.clone(), PhantomData)
    }

    fn clone_from(&mut self, source: &AlignedRows<R>) {
        self.0.clone_from(&source.0);
    }
}

impl<R: Pod> AlignedRows<R> {
    pub(crate) fn push(&mut self, row: R) {
        self.0.push(Aligned(bytemuck::cast(row)));
    }

    /// Makes room for `count` more rows.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.0.reserve(count);
    }

    /// Sets the number of rows; new ones are zeros.
    pub(crate) fn resize(&mut self, count: usize) {
        self.0.resize(count, Aligned::zeroed());
    }

    /// Fills with `count` rows of zeros, and makes room for no more.
    pub(crate) fn refill(&mut self, count: usize) {
        self.0.clear();
        self.0.reserve_exact(count);
        self.0.resize(count, Aligned::zeroed());
    }

    /// Returns the rows as arrays.
    #[inline]
    pub(crate) fn lanes(&self) -> &[[f32; LANES]] {
        bytemuck::cast_slice(&self.0)
    }

    /// See [`AlignedRows::lanes`].
    #[inline]
    pub(crate) fn lanes_mut(&mut self) -> &mut [[f32; LANES]] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

impl<R: Pod> Deref for AlignedRows<R> {
    type Target = [R];

    #[inline]
    fn deref(&self) -> &[R] {
        bytemuck::cast_slice(&self.0)
    }
}

impl<R: Pod> DerefMut for AlignedRows<R> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [R] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
