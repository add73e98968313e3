//! The state of a world as rows of 32-bit words: the base of snapshots, hashes and comparisons.
//!
//! In: columns of rows, each row some 32-bit words, in the order in which a world tells them. Out:
//! bytes, and the rows again; one hash of all rows; or the first word in which two worlds differ.
//! The module knows nothing of worlds.
//!
//! ```text
//!   here      columns, and the trait of their receivers   hash.rs      64 bits
//!   words.rs  values as words, and back                   compare.rs   the first difference of two
//!   write.rs  columns as bytes                            read.rs      bytes as columns
//!   rows.rs   eight rows as bytes, and back               ring.rs      images of the last steps
//!   packer.rs eight words as bits, and back               error.rs     why an image was refused
//!   pairs.rs  pairs as bytes, and back
//! ```
//!
//! ```text
//!   image    header (32 bytes); a list for each column: how many rows, and the rows; padding
//!   piece    64 rows: a bit for each group of 8, set if a row differs from its prediction; groups
//!   group    which words differ from their predictions, and by how much; see rows.rs
//! ```
//!
//! Each row is compared with a prediction, the expected row: mostly the row before, in some columns
//! a row computed from columns that came earlier (`world/snapshot/expect.rs`). A piece depends on
//! no other piece of its column, so two images share the pieces in which nothing happened.

/// Implements `Clone` field by field, so that `clone_from` uses the memory of the target again;
/// `derive` does not. Fields after `kept` are lists that are always filled anew: `clone_from`
/// leaves them as they are.
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

/// A column: the stage of a step that writes its rows, and the names of their words.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) stage: &'static str,
    pub(crate) name: &'static str,
    /// Names of the words of a row. Further words are called after the last name.
    pub(crate) fields: &'static [&'static str],
}

/// Most words of a row.
pub(crate) const WIDEST: usize = 80;

/// Rows of a piece. Its first row is expected to be zeros.
pub(crate) const PIECE: usize = 64;

/// Pairs of a piece, and the pair that stands before the first one.
const PAIRS: usize = 4 * PIECE;
const NO_PAIR: [u32; 2] = [0, u32::MAX];

/// A receiver of the state of a world, column by column.
pub(crate) trait Sink {
    /// Whether rows become bytes. If so, callers predict rows, and a column comes after the columns
    /// that its prediction is computed from.
    const IS_IMAGE: bool = false;

    /// Begins a column of `count` rows, which follow.
    fn begin(&mut self, column: &'static Column, count: usize);

    /// Begins a column of `count` rows of `N` words, told by [`Sink::group`].
    fn begin_groups<const N: usize>(&mut self, column: &'static Column, count: usize) {
        self.begin(column, count);
    }

    /// Takes the next row, which describes the body in slot `of`, or no body (`u32::MAX`).
    fn row<const N: usize>(&mut self, of: u32, row: &[u32; N]);

    /// Takes the next row, as [`Sink::row`] does, with a prediction of it.
    fn row_like<const N: usize>(&mut self, of: u32, row: &[u32; N], _expected: &[u32; N]) {
        self.row(of, row);
    }

    /// Takes the next row, which equals the row before if there is one.
    fn same_row<const N: usize>(&mut self, of: u32, row: impl FnOnce() -> [u32; N]) {
        self.row(of, &row());
    }

    /// Returns 8 if [`Sink::same_rows`] may take the next eight rows, else 0.
    fn same_rows_left(&self) -> usize {
        0
    }

    /// Takes eight rows of an image that equal the row before them.
    fn same_rows(&mut self) {}

    /// Takes up to eight rows of an image as differences from their predictions, for callers that
    /// compute eight rows at a time. Only the last group of a column has fewer than eight rows; the
    /// ways of the missing rows are 0.
    fn group<S: Vectors, const N: usize>(&mut self, _simd: S, _ways: &[Ways; N], _count: usize) {}

    /// Takes a whole column whose rows have little in common, of `width` words each.
    fn plain(&mut self, column: &'static Column, width: usize, words: &[u32]);
}
