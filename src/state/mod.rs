//! State as words: what snapshots, hashes and comparisons of worlds are made of.
//!
//! In: columns of rows, each row some 32-bit words, in the order in which a world tells them. Out:
//! bytes, and the rows again; a number that stands for all of them; or the first word in which two
//! tellings differ. It knows nothing of worlds.
//!
//! ```text
//!   here      columns and what takes them in          hash.rs      64 bits
//!   words.rs  values as words, and back               compare.rs   the first difference of two
//!   write.rs  columns as bytes                        read.rs      bytes as columns
//!   rows.rs   eight rows as bytes, and back           ring.rs      images of the last steps
//!   packer.rs eight words as bits, and back           error.rs     why an image was refused
//!   pairs.rs  pairs as bytes, and back
//! ```
//!
//! ```text
//!   image    header (32 bytes); a list for each column: how many rows, and the rows; padding
//!   piece    64 rows: a bit for each group of 8, whether it is other than expected; those groups
//!   group    which words are others than expected, and how far they are from it; see rows.rs
//! ```
//!
//! Of most rows it is expected that they are as the one before, of others what can be worked out of
//! columns that were told before: see `world/snapshot/expect.rs`. A piece depends on no other of
//! its column, so two images share the pieces in which nothing happened.

/// `Clone` of a struct, field by field in the memory that is there: what `derive` has not. The
/// fields after `kept` are memory alone, for lists that are made anew: a copy in place leaves them.
macro_rules! clone_by_field {
    ($type:ident { $($field:ident),* $(,)? } $(kept { $($kept:ident),* $(,)? })?) => {
        impl Clone for $type {
            fn clone(&self) -> $type {
                $type { $($field: self.$field.clone(),)* $($($kept: self.$kept.clone(),)*)? }
            }

            fn clone_from(&mut self, source: &$type) {
                $(self.$field.clone_from(&source.$field);)*
            }
        }
    };
}

pub(crate) use clone_by_field;

mod compare;
mod error;
mod hash;
mod packer;
mod pairs;
mod read;
mod ring;
mod rows;
mod words;
mod write;

pub(crate) use compare::{Told, first_difference};
pub use error::LoadError;
pub(crate) use hash::Hash;
pub(crate) use read::{Groups, Reader};
pub(crate) use ring::Pages;
pub(crate) use rows::{GROUP, Ways, end_of_way, way};
pub(crate) use rows::{ways_from, ways_from_before, words_from, words_from_words};
pub(crate) use words::{Parse, Put};
#[doc(hidden)]
pub use write::restamp;
pub(crate) use write::{Writer, append, split_appendix};

use crate::simd::Vectors;

/// Rows of one kind: which stage of a step writes them, and what their words are called.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) stage: &'static str,
    pub(crate) name: &'static str,
    /// Words beyond the last name are called after it.
    pub(crate) fields: &'static [&'static str],
}

/// Most words of a row.
pub(crate) const WIDEST: usize = 80;

/// Rows of a piece: of the first of them, nothing is expected.
pub(crate) const PIECE: usize = 64;

/// Pairs of a piece, and what is before the first of them.
const PAIRS: usize = 4 * PIECE;
const NO_PAIR: [u32; 2] = [0, u32::MAX];

/// What takes in the state of a world, column by column.
pub(crate) trait Sink {
    /// Whether rows become bytes. Then it is worth working out what is expected of them, and
    /// columns come in an order in which what that is worked out of comes first.
    const IS_IMAGE: bool = false;

    /// Begins a column of `count` rows, which follow.
    fn begin(&mut self, column: &'static Column, count: usize);

    /// Begins a column of `count` rows of `N` words, told by [`Sink::group`].
    fn begin_groups<const N: usize>(&mut self, column: &'static Column, count: usize) {
        self.begin(column, count);
    }

    /// The next row; what it says is of the body in a slot, if of any.
    fn row<const N: usize>(&mut self, of: u32, row: &[u32; N]);

    /// The same of a row of which is known what it is likely to be.
    fn row_like<const N: usize>(&mut self, of: u32, row: &[u32; N], _expected: &[u32; N]) {
        self.row(of, row);
    }

    /// The same of a row that is as the one before, if there is one.
    fn same_row<const N: usize>(&mut self, of: u32, row: impl FnOnce() -> [u32; N]) {
        self.row(of, &row());
    }

    /// How many rows, eight or none, may follow by [`Sink::same_rows`].
    fn same_rows_left(&self) -> usize {
        0
    }

    /// Eight rows of an image that are as the one before.
    fn same_rows(&mut self) {}

    /// The next rows of an image, up to eight, as how far each of their words is from what is
    /// expected of it: for what is worked out for eight rows at a time. Only the last group of a
    /// column has fewer rows than eight, and ways of 0 for those that it has not.
    fn group<S: Vectors, const N: usize>(&mut self, _simd: S, _ways: &[Ways; N], _count: usize) {}

    /// A column of rows that have little in common, of `width` words each.
    fn plain(&mut self, column: &'static Column, width: usize, words: &[u32]);
}
