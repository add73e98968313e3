//! Disjoint writes of several threads: the only unsafe code of the crate.
//!
//! Its contract, kept by `scheduler.rs` and by the code that names rows:
//!
//! * [`Post`]: a job is posted to a share while no chunk of that share is held; only a thread that
//!   holds a chunk calls it; and it outlives its chunks. Posting a chunk releases the memory
//!   written before it, and taking the chunk acquires that memory.
//! * [`Shared::cut`]: the ranges of a job do not overlap, and each is given out once.
//! * [`Shared`] and [`Places`]: within a job no chunk touches a row that another one writes. This
//!   holds for zones of rows (`contact/colour.rs`), colours of joints (`solver/joints/layout.rs`),
//!   lists that name a row once, and trees, since no two trees share a body. Several chunks may
//!   name an immovable body; masks keep it from being written (`Block::gives`, `Tree::used`). A
//!   closure that changes a row does not access the rows again.
//!
//! Debug builds check the last two rules: see `check.rs`.

use core::cell::{Cell, UnsafeCell};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};

use super::check;

/// The work of a chunk, by its number.
pub(super) type Job<'j> = dyn Fn(usize) + Sync + 'j;

/// The current job.
#[derive(Debug, Default)]
pub(super) struct Post {
    job: UnsafeCell<Option<*const Job<'static>>>,
    number: AtomicU64,
}

// SAFETY: written while no other thread reads, see the head.
unsafe impl Sync for Post {}
// SAFETY: the pointer is followed only while the job is on.
unsafe impl Send for Post {}

impl Post {
    pub(super) fn put(&self, job: &Job, number: u64) {
        let job: *const Job<'_> = job;
        self.number.store(number, Ordering::Relaxed);
        // SAFETY: no thread holds a chunk, so no thread reads; and the job lives longer than its
        // chunks.
        unsafe { *self.job.get() = Some(core::mem::transmute::<*const Job<'_>, *const Job<'static>>(job)) };
    }

    pub(super) fn call(&self, chunk: usize) {
        // SAFETY: a chunk is held, so the job stays where it is.
        if let Some(job) = unsafe { (*self.job.get()).map(|job| &*job) } {
            check::hold(self.number.load(Ordering::Relaxed), chunk);
            job(chunk);
            check::let_go();
        }
    }
}

/// Rows that several chunks write to, each chunk to rows of its own.
pub(crate) struct Shared<'a, T>(&'a [Cell<T>]);

impl<T> Clone for Shared<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<'_, T> {}

// SAFETY: the contract in the head.
unsafe impl<T: Send> Sync for Shared<'_, T> {}
// SAFETY: the contract in the head.
unsafe impl<T: Send> Send for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    #[inline(always)]
    pub(crate) fn new(rows: &'a mut [T]) -> Self {
        Shared(Cell::from_mut(rows).as_slice_of_cells())
    }

    /// The first `count` rows.
    #[inline(always)]
    pub(crate) fn first(self, count: usize) -> Self {
        Shared(&self.0[..count])
    }

    /// How many rows there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// A range of rows that no other chunk has.
    #[allow(clippy::mut_from_ref, reason = "the contract in the head")]
    pub(super) fn cut(&self, range: Range<usize>) -> &'a mut [T] {
        let cells = &self.0[range];
        check::write(cells);
        // SAFETY: the slice is over the same cells. No cell is in another range, and nothing else
        // has the slice that they came from.
        unsafe { core::slice::from_raw_parts_mut(cells.as_ptr().cast_mut().cast(), cells.len()) }
    }
}

impl<T: Copy> Shared<'_, T> {
    /// Row `at`.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> T {
        check::read(&self.0[at]);
        self.0[at].get()
    }

    /// Writes row `at`.
    #[inline(always)]
    pub(crate) fn set(&self, at: usize, row: T) {
        check::write(&self.0[at..=at]);
        self.0[at].set(row);
    }

    /// Changes row `at`.
    #[inline(always)]
    pub(crate) fn change(&self, at: usize, change: impl FnOnce(T) -> T) {
        check::write(&self.0[at..=at]);
        let row = &self.0[at];
        row.set(change(row.get()));
    }
}

impl<T: Copy, const N: usize> Shared<'_, [T; N]> {
    /// Part `part` of row `at`.
    #[inline(always)]
    pub(crate) fn part(&self, at: usize, part: usize) -> T {
        check::read(&self.0[at]);
        let row: &Cell<[T]> = &self.0[at];
        row.as_slice_of_cells()[part].get()
    }

    /// Writes part `part` of row `at`.
    #[inline(always)]
    pub(crate) fn set_part(&self, at: usize, part: usize, value: T) {
        check::write(&self.0[at..=at]);
        let row: &Cell<[T]> = &self.0[at];
        row.as_slice_of_cells()[part].set(value);
    }
}

/// Rows that several chunks change in place, each chunk its own rows: for rows too long to copy.
pub(crate) struct Places<'a, T>(Shared<'a, T>);

impl<'a, T> Places<'a, T> {
    pub(crate) fn new(rows: &'a mut [T]) -> Self {
        Places(Shared::new(rows))
    }

    /// Changes row `at`.
    #[inline(always)]
    pub(crate) fn change<R>(&self, at: usize, change: impl FnOnce(&mut T) -> R) -> R {
        let cell = &self.0.0[at..=at];
        check::write(cell);
        // SAFETY: no other chunk touches the row, and `change` cannot reach it by another way.
        change(unsafe { &mut *cell[0].as_ptr() })
    }
}
