//! A race detector for debug builds: rows remember the job and chunk that wrote to them, and two
//! chunks at one row end the program.
//!
//! Writers are identified by chunk and not by thread, so a race shows in every run, even if one
//! thread did all chunks.

use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A job, counted over all crews, and a chunk of it.
type Claim = (u64, usize);

/// The chunk that wrote last to each address.
static WRITERS: Mutex<BTreeMap<usize, Claim>> = Mutex::new(BTreeMap::new());
static JOBS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static HELD: Cell<Option<Claim>> = const { Cell::new(None) };
}

/// The number of a job that is about to start.
pub(super) fn number() -> u64 {
    if cfg!(debug_assertions) { JOBS.fetch_add(1, Ordering::Relaxed) } else { 0 }
}

/// Notes that this thread works on a chunk.
pub(super) fn hold(job: u64, chunk: usize) {
    if cfg!(debug_assertions) {
        HELD.set(Some((job, chunk)));
    }
}

/// Notes that this thread works on no chunk. A chunk that touches only its own data may call this,
/// too: it may free and allocate memory that another chunk of the job has written to.
pub(crate) fn let_go() {
    if cfg!(debug_assertions) {
        HELD.set(None);
    }
}

/// Notes that this thread reads a row.
#[inline(always)]
pub(super) fn read<T>(row: &Cell<T>) {
    if cfg!(debug_assertions)
        && let Some(me) = HELD.get()
    {
        let writers = WRITERS.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = writers.get(&core::ptr::from_ref(row).addr());
        assert!(writer.is_none_or(|&writer| !is_other(me, writer)), "a chunk reads what another one wrote");
    }
}

/// Notes that this thread writes rows.
#[inline(always)]
pub(super) fn write<T>(rows: &[Cell<T>]) {
    if cfg!(debug_assertions)
        && let Some(me) = HELD.get()
    {
        let mut writers = WRITERS.lock().unwrap_or_else(PoisonError::into_inner);
        for row in rows {
            let before = writers.insert(core::ptr::from_ref(row).addr(), me);
            assert!(before.is_none_or(|writer| !is_other(me, writer)), "two chunks write to the same row");
        }
    }
}

fn is_other(me: Claim, writer: Claim) -> bool {
    me.0 == writer.0 && me.1 != writer.1
}
