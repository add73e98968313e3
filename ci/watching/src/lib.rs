//! The system's allocator, with a look at the sizes: how large the largest piece is that some work asks for, and how much it holds at once.
//!
//! In: some work. Out: [`Asked`]. What other threads ask for meanwhile does not count. A crate of its own, because an allocator needs
//! `unsafe`, which carom forbids in its tests too. The crate `allocation-counter` counts pieces, but does not tell their sizes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// What some work asked of the allocator, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
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
    static SEEN: Cell<Seen> = const { Cell::new(Seen { asked: Asked { largest: 0, most: 0 }, held: 0 }) };
}

struct Watching;

#[global_allocator]
static WATCHING: Watching = Watching;

/// Notes a piece of `size` bytes in place of one of `before`; 0 stands for none.
fn note(size: usize, before: usize) {
    // A thread that ends has nothing to note in any more.
    let _ = SEEN.try_with(|seen| {
        let Seen { mut asked, held } = seen.get();
        let held = held + size as isize - before as isize;
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

/// What `work` asks for.
pub fn asked_by(work: impl FnOnce()) -> Asked {
    let nothing = Seen { asked: Asked::default(), held: 0 };
    let before = SEEN.replace(nothing);
    work();
    let Seen { asked, held } = SEEN.replace(nothing);
    // Who looks around this look has seen it too.
    let (outer, most) = (before.asked, (before.held + asked.most as isize).max(0) as usize);
    let outer = Asked { largest: outer.largest.max(asked.largest), most: outer.most.max(most) };
    SEEN.set(Seen { asked: outer, held: before.held + held });
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_seen_while_they_are_held() {
        let outer = asked_by(|| {
            let _held: Vec<u8> = Vec::with_capacity(100);
            let inner = asked_by(|| {
                drop(Vec::<u8>::with_capacity(5_000));
                drop(Vec::<u8>::with_capacity(3_000));
            });
            assert_eq!(inner, Asked { largest: 5_000, most: 5_000 });
        });
        assert_eq!(outer, Asked { largest: 5_000, most: 5_100 });
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
