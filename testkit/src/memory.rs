//! How much memory some work asks for: how many pieces, how large the largest, how much at once.
//!
//! In: some work. Out: [`Asked`]. Only what the own thread asks for counts. A program that measures
//! names the allocator, which passes everything on to the system's:
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: testkit::memory::Watching = testkit::memory::Watching;
//!
//! let asked = testkit::memory::asked_by(|| drop(vec![0_u8; 100]));
//! assert_eq!((asked.pieces, asked.largest), (1, 100));
//! ```

#![allow(unsafe_code, reason = "an allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

/// What some work asked of the allocator; sizes in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// How many pieces; one that grows or shrinks is another.
    pub pieces: u64,
    /// The largest piece.
    pub largest: usize,
    /// The most that was held at once, beyond what was held before.
    pub most: usize,
}

/// What this thread asked for since it last began to look.
#[derive(Clone, Copy)]
struct Seen {
    asked: Asked,
    held: isize,
}

thread_local! {
    static SEEN: Cell<Seen> = const { Cell::new(Seen { asked: Asked { pieces: 0, largest: 0, most: 0 }, held: 0 }) };
}

/// The system's allocator, with a note of every piece: a program's `#[global_allocator]`.
#[derive(Debug)]
pub struct Watching;

/// Notes a piece of `size` bytes in place of one of `before`; 0 stands for none.
fn note(size: usize, before: usize) {
    // A thread that ends has nothing to note in any more.
    let _ = SEEN.try_with(|seen| {
        let Seen { mut asked, held } = seen.get();
        let held = held + size as isize - before as isize;
        asked.pieces += u64::from(size > 0);
        asked.largest = asked.largest.max(size);
        asked.most = asked.most.max(held.max(0) as usize);
        seen.set(Seen { asked, held });
    });
}

// SAFETY: all is passed on to the system's allocator as it came, and noting it allocates nothing.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size(), 0);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        note(0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// What `work` asks for. Panics in a program whose allocator is not [`Watching`].
pub fn asked_by(work: impl FnOnce()) -> Asked {
    assert!(look_at(|| drop(black_box(Box::new(1_u8)))).pieces > 0, "the global allocator is not `Watching`");
    look_at(work)
}

fn look_at(work: impl FnOnce()) -> Asked {
    let nothing = Seen { asked: Asked::default(), held: 0 };
    let before = SEEN.replace(nothing);
    work();
    let Seen { asked, held } = SEEN.replace(nothing);
    // Who looks around this look has seen it too.
    let (outer, most) = (before.asked, (before.held + asked.most as isize).max(0) as usize);
    let outer = Asked {
        pieces: outer.pieces + asked.pieces,
        largest: outer.largest.max(asked.largest),
        most: outer.most.max(most),
    };
    SEEN.set(Seen { asked: outer, held: before.held + held });
    asked
}

/// In the largest piece, per byte of an image: the row of a joint is 94 words long.
const LARGEST: usize = 94;
/// In all that is held at once, per byte of an image.
const MOST: usize = 100;

/// What reading asks for whatever the image says, including a new world to read into.
const LEAST: Asked = Asked { pieces: 0, largest: 8 << 10, most: 24 << 10 };

/// Fails if a load asked for more memory than an image of `length` bytes may.
///
/// A column has one row of a fixed size per slot and is one piece of memory. In the image a row may
/// be a single bit, if it is as expected, but an image has padding until it has a word for each of
/// its rows. So a load asks for at most the words of the image times the size of the longest row.
/// That bound is reached: a world that once had ten thousand joints is an image of 42 kB and a
/// column of 3.8 MB. For most worlds no piece is longer than five images, and all of them together
/// are no longer than twenty.
///
/// ```text
///   bytes per slot, in the longest column and in all of them, for one word of the image
///     joint 376  388      shape 280  288      body 128  152      part 32  120 and the grid
///     contact 32  130
/// ```
pub fn check_load(asked: Asked, length: usize) {
    let within =
        asked.largest <= LEAST.largest + LARGEST * length && asked.most <= LEAST.most + MOST * length;
    assert!(within, "{asked:?} for {length} bytes");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static ALLOCATOR: Watching = Watching;

    #[test]
    fn pieces_are_seen_while_they_are_held() {
        let outer = asked_by(|| {
            let _held: Vec<u8> = Vec::with_capacity(100);
            let inner = asked_by(|| {
                drop(Vec::<u8>::with_capacity(5_000));
                drop(Vec::<u8>::with_capacity(3_000));
            });
            assert_eq!(inner, Asked { pieces: 2, largest: 5_000, most: 5_000 });
        });
        assert_eq!(outer, Asked { pieces: 4, largest: 5_000, most: 5_100 });
    }

    #[test]
    fn a_piece_that_grows_is_one() {
        let asked = asked_by(|| {
            let mut list: Vec<u8> = Vec::with_capacity(10);
            list.reserve_exact(1_000);
        });
        assert_eq!(asked.largest, 1_000);
    }
}
