//! With the allocator that [`carom_fuzz::load`] asks for the largest piece of memory that was wanted at once.
#![no_main]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, with a look at the sizes.
struct Watching;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Relaxed);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static WATCHING: Watching = Watching;

/// The largest piece that `work` asked for.
fn largest_of(work: &mut dyn FnMut()) -> usize {
    LARGEST.store(0, Relaxed);
    work();
    LARGEST.load(Relaxed)
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| carom_fuzz::target::load(data, largest_of));
