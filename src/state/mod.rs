//! State as words: what snapshots, hashes and comparisons of worlds are made of.
//!
//! In: columns of rows, each row some 32-bit words, in the order in which a world tells them. Out:
//! bytes, and the rows again; a number that stands for all of them; or the first word in which two
//! tellings differ. It knows nothing of worlds.
//!
//! ```text
//!   here      columns and what takes them in          hash.rs      64 bits
//!   words.rs  values as words, and back               compare.rs   the first difference of two
//!   write.rs  rows as bytes                           read.rs      bytes as rows
//!   error.rs  why an image was refused                ring.rs      the images of the last steps, by what changed
//! ```
//!
//! ```text
//!   image    header (32 bytes), then a list for each column: how many rows, and the rows
//!   row      a mask, and those words that differ from the row before; every 64 rows from zero again
//! ```
//!
//! What rests has most words in common with its neighbours: a box that sleeps on the ground takes
//! 75 bytes where its rows in the world have
//! 700. A piece of 64 rows depends on no other, so two images share the pieces in which nothing
//!   happened.

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
mod read;
mod ring;
mod words;
mod write;

pub(crate) use compare::{Told, first_difference};
pub use error::LoadError;
pub(crate) use hash::Hash;
pub(crate) use read::Reader;
pub(crate) use ring::Pages;
pub(crate) use words::{Parse, Put};
pub(crate) use write::Writer;
#[doc(hidden)]
pub use write::restamp;

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

/// Rows of a piece: the first of them leaves nothing out.
pub(crate) const PIECE: usize = 64;

/// Words of which a mask speaks; its last bit says that another mask follows.
const MASKED: usize = 31;
const MORE: u32 = 1 << MASKED;

/// What takes in the state of a world, column by column.
pub(crate) trait Sink {
    /// Begins a column of `count` rows, which follow.
    fn begin(&mut self, column: &'static Column, count: usize);

    /// The next row; what it says is of the body in a slot, if of any.
    fn row<const N: usize>(&mut self, of: u32, row: &[u32; N]);

    /// A column of rows that have little in common, of `width` words each.
    fn plain(&mut self, column: &'static Column, width: usize, words: &[u32]);
}
