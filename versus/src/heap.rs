//! How many bytes of the heap are in use: an allocator that passes everything on and keeps count.
//!
//! In: what Rust code allocates. Out: [`used_bytes`]. The count costs an addition to a number in
//! memory each time, for all Rust engines alike; Box2D, which allocates through C, keeps a count of
//! its own.

#![expect(unsafe_code, reason = "an allocator is an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Passes on to the system's allocator.
struct Counting;

static USED: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static HEAP: Counting = Counting;

/// Bytes that are allocated now.
pub(crate) fn used_bytes() -> usize {
    USED.load(Ordering::Relaxed)
}

fn count<T>(pointer: *mut T, size: usize) -> *mut T {
    if !pointer.is_null() {
        USED.fetch_add(size, Ordering::Relaxed);
    }
    pointer
}

// SAFETY: every call goes on to the system's allocator as it came; counting touches no memory but
// the count.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        count(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        count(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        if !moved.is_null() {
            USED.fetch_add(size, Ordering::Relaxed);
            USED.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        moved
    }
}
