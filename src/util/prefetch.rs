//! Prefetch: loads the memory of an operation all at once before it runs.
//!
//! In: lists. Out: nothing; they are in the cache. A step reads its lists in an order in which one
//! address follows from another, and waits for memory each time. Here no load waits for another, so
//! that a dozen and more are under way at a time.
//!
//! (There is no safe call of the processor's own instruction for this. It would not wait at all.)

use bytemuck::Pod;

/// Bytes of a cache line.
const LINE_BYTES: usize = 64;

/// Bytes that are read of a longer list: more would evict the other lists.
const MOST_BYTES: usize = 1 << 14;

/// Reads a byte of each cache line of some lists.
#[derive(Debug, Default)]
pub(crate) struct Prefetch(u8);

impl Prefetch {
    /// Reads a byte of each cache line of a list.
    #[inline]
    pub(crate) fn list<T: Pod>(&mut self, list: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(list);
        let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
        let lines = bytes.iter().step_by(LINE_BYTES).chain(bytes.last());
        self.0 = lines.fold(self.0, |sum, byte| sum ^ byte);
    }

    /// Reads the lengths of the lists of a struct, and so loads the struct itself.
    #[inline]
    pub(crate) fn lengths<const N: usize>(&mut self, lengths: [usize; N]) {
        self.0 ^= lengths.into_iter().fold(0, |sum, length| sum ^ length) as u8;
    }

    /// Reads some fields of each row.
    #[inline]
    pub(crate) fn rows<T>(&mut self, rows: &[T], fields: impl Fn(&T) -> u32) {
        let rows = rows.iter().take(MOST_BYTES / LINE_BYTES);
        self.0 ^= rows.fold(0, |sum, row| sum ^ fields(row)) as u8;
    }
}

impl Drop for Prefetch {
    /// Uses the sum of all loads: the compiler would remove loads without a use.
    fn drop(&mut self) {
        core::hint::black_box(self.0);
    }
}
