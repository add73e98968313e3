//! How much memory reading an image may ask for.
//!
//! In: what a load asked for, and how long its image was. Out: nothing, or a panic.
//!
//! A column has a row a place, of a fixed size, and lies in one piece. In the image a place may be a single word: one that is free, or a
//! tenant whose row is that of the one before. So what is asked for is no more than words times the size of the longest row, and that bound
//! is met: a world that had ten thousand joints and has none any more is an image of 42 kB and a column of 3.8 MB. Of most worlds no
//! piece is longer than four images, and all of them together no longer than ten.
//!
//! ```text
//!   bytes a place, in its longest column and in all of them, for a word of the image
//!     joint 376  388      shape 280  288      body 128  152      part 32  120 and the grid      contact 32  130
//! ```

use watching::Asked;

/// Of the largest piece: the row of a joint is 94 words long.
const LARGEST: usize = 94;
/// Of all that is held at once.
const MOST: usize = 100;

/// What reading asks for whatever the image says, a new world to read into among it.
const LEAST: Asked = Asked { largest: 8 << 10, most: 24 << 10 };

/// Fails if a load asked for more than an image of `length` bytes may.
pub(crate) fn check(asked: Asked, length: usize) {
    let within =
        asked.largest <= LEAST.largest + LARGEST * length && asked.most <= LEAST.most + MOST * length;
    assert!(within, "{asked:?} for {length} bytes");
}
