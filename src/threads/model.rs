//! Imagined threads: a model of the time of a step on more threads than the machine has.
//!
//! In: the jobs of a step, as the scheduler would deal them out to so many threads. Out: the time
//! that those threads would save. The caller does each job alone, chunk by chunk and in order, cut
//! as for so many threads, so the bits are the same as of a step on one thread.
//!
//! ```text
//!   chunks   5  3  4  2  6        thread 1   | 5     | 2 | 6      |   the job takes 13, and a post;
//!   20 in sum, on two threads     thread 2   | 3  | 4    |            20 less that is saved
//! ```
//!
//! * Each chunk is timed, and counts for the thread that is free first (greedy list scheduling).
//! * A job that is dealt out costs [`POST_NANOSECONDS`] more for each doubling of threads.
//! * Work outside of jobs counts in full; so does a job of a single chunk.
//!
//! Left out: threads that share the last level of the cache and the memory, rows that go from cache
//! to cache, and helpers that come late. So a modelled time is a bound from below.
//!
//! The model is turned on by `World::imagine_threads`, which is hidden from the documentation and
//! needs the feature `parallel`. It is public because `versus` calls it from outside of the crate.
//! Stage times of `StepStats` are then modelled times, so that no second set of times has to be
//! public. The model is no cargo feature of its own, since it costs nothing unused: only a team
//! without a board asks for it, and such a team has no threads to wait for.

use core::sync::atomic::{AtomicU64, Ordering};

use super::check;
use super::disjoint::Job;
use super::scheduler::MOST_THREADS;

/// Nanoseconds that a post costs for each doubling of threads: measured on two threads, and assumed
/// for more.
const POST_NANOSECONDS: u64 = 400;

/// The number of imagined threads, and the time that they have saved.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) threads: usize,
    /// In nanoseconds.
    pub(super) clock: fn() -> u64,
    /// Modulo 2⁶⁴, since posts may cost more than a job saves.
    saved: AtomicU64,
}

impl Model {
    pub(super) fn new(threads: usize, clock: fn() -> u64) -> Model {
        Model { threads: threads.clamp(1, MOST_THREADS), clock, saved: AtomicU64::new(0) }
    }

    /// Nanoseconds that the threads have saved, modulo 2⁶⁴. The time of the model itself counts as
    /// saved.
    pub(super) fn saved(&self) -> u64 {
        self.saved.load(Ordering::Relaxed)
    }

    /// Does all chunks of a job, in order, and adds the time that the threads would save.
    pub(super) fn run(&self, count: usize, job: &Job) {
        let began = (self.clock)();
        let (number, mut busy) = (check::number(), [0_u64; MOST_THREADS]);
        let busy = &mut busy[..self.threads];
        for chunk in 0..count {
            check::hold(number, chunk);
            let start = (self.clock)();
            job(chunk);
            let took = (self.clock)().wrapping_sub(start);
            check::let_go();
            if let Some(first) = busy.iter_mut().min() {
                *first += took;
            }
        }
        let last = busy.iter().copied().max().unwrap_or(0);
        let post = POST_NANOSECONDS * u64::from(self.threads.next_power_of_two().ilog2());
        let saved = (self.clock)().wrapping_sub(began).wrapping_sub(last + post);
        self.saved.fetch_add(saved, Ordering::Relaxed);
    }
}
