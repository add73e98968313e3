//! The scheduler: a step on several threads (job system, work stealing).
//!
//! The caller posts a job, a function of the number of a chunk, and takes chunks like the other
//! threads. Each thread gets one share of the chunks, so that it finds the rows that it wrote in
//! the pass before in its cache. A thread that is done with its share steals chunks from the
//! others. A post costs a few exchanges of cache lines between the threads, and there are hundreds
//! of them in a step. So all data of a job that a thread needs is on the cache line of its share:
//! the function, the chunks left, and the number done. A helper waits on the line of its own share.
//! (With the job, the number of jobs and the count of chunks on lines of their own, a post took
//! twice as long.)
//!
//! The caller waits only for threads that hold a chunk: a pool that is busy with other work delays
//! nothing.

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use super::check;
use super::disjoint::{Job, Post, Shared};
use super::model::Model;

/// Most threads of a step.
pub(super) const MOST_THREADS: usize = 64;

/// How often a thread spins for a job before it yields.
const PATIENCE: u32 = 2000;

/// A share (work queue): the chunks that one thread takes first.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Share {
    /// The next chunk in the low half, the end in the high half.
    left: AtomicU64,
    /// Number of its chunks that are done.
    done: AtomicU64,
    post: Post,
}

impl Share {
    /// Posts chunks of a job; no chunk of the last job may be held any more.
    fn deal(&self, chunks: Range<usize>, job: &Job, number: u64) {
        self.post.put(job, number);
        self.done.store(0, Ordering::Relaxed);
        self.left.store((chunks.end as u64) << 32 | chunks.start as u64, Ordering::Release);
    }

    fn has_left(left: u64) -> bool {
        (left as u32) < (left >> 32) as u32
    }

    fn take(&self) -> Option<usize> {
        let next = |left: u64| Share::has_left(left).then_some(left + 1);
        self.left
            .fetch_update(Ordering::AcqRel, Ordering::Relaxed, next)
            .ok()
            .map(|left| left as u32 as usize)
    }
}

/// Data shared by the threads of a world.
#[derive(Debug)]
struct Board {
    /// The current step, or 0: workers of another step leave.
    step: AtomicUsize,
    /// Helpers that were called and have not come yet.
    called: AtomicUsize,
    joined: AtomicUsize,
    threads: AtomicUsize,
    failed: AtomicBool,
    shares: [Share; MOST_THREADS],
}

/// Chunks of a share that a thread holds or has done: counted when it lets go of them, also by a
/// panic.
struct Held<'b>(&'b Board, &'b Share, u64);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let Held(board, share, count) = *self;
        if std::thread::panicking() {
            board.failed.store(true, Ordering::Relaxed);
        }
        if count > 0 {
            share.done.fetch_add(count, Ordering::Release);
        }
    }
}

impl Board {
    /// Takes chunks until none is left.
    fn work(&self, me: usize) {
        let threads = self.threads.load(Ordering::Relaxed);
        for share in (me..threads).chain(0..me).map(|share| &self.shares[share]) {
            let mut held = Held(self, share, 0);
            while let Some(chunk) = share.take() {
                held.2 += 1;
                share.post.call(chunk);
            }
        }
    }

    /// Main loop of a helper, during the step that it joins.
    fn help(&self) {
        self.called.fetch_sub(1, Ordering::Relaxed);
        let step = self.step.load(Ordering::Acquire);
        let me = 1 + self.joined.fetch_add(1, Ordering::Relaxed);
        let mut idle = 0;
        while step != 0
            && self.step.load(Ordering::Acquire) == step
            && me < self.threads.load(Ordering::Relaxed)
        {
            if Share::has_left(self.shares[me].left.load(Ordering::Relaxed)) {
                // Notes a panic on the board; the thread goes on.
                let _ = catch_unwind(AssertUnwindSafe(|| self.work(me)));
                idle = 0;
            } else if idle < PATIENCE {
                idle += 1;
                core::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}

/// Waits for all chunks of a job, even when the caller's own one panics.
struct Finish<'b>(&'b Board, usize);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        let Finish(board, count) = *self;
        let threads = board.threads.load(Ordering::Relaxed);
        for share in &board.shares[..threads] {
            let mut rest = Held(board, share, 0);
            while share.take().is_some() {
                rest.2 += 1;
            }
        }
        let mut looks = 0_u32;
        for (k, share) in board.shares[..threads].iter().enumerate() {
            while share.done.load(Ordering::Acquire) < dealt(count, threads, k).len() as u64 {
                looks = looks.saturating_add(1);
                if looks < PATIENCE { core::hint::spin_loop() } else { std::thread::yield_now() }
            }
        }
    }
}

/// The chunks of share `k` of a job.
fn dealt(count: usize, threads: usize, k: usize) -> Range<usize> {
    count * k / threads..count * (k + 1) / threads
}

/// The workers of a world: the threads that its steps may use.
#[derive(Debug)]
pub(crate) struct Crew {
    threads: usize,
    steps: usize,
    /// `None` for one thread: a board is 17 kB, and there are thousands of small worlds in a batch.
    board: Option<Arc<Board>>,
    /// Threads that are imagined, in place of a board.
    model: Option<Arc<Model>>,
}

impl Clone for Crew {
    /// A clone has as many threads, on a board of its own; imagined ones stay imagined.
    fn clone(&self) -> Crew {
        match &self.model {
            Some(model) => Crew::imagined(model.threads, model.clock),
            None => Crew::new(self.threads),
        }
    }

    /// Keeps its own board if that has as many threads.
    fn clone_from(&mut self, source: &Crew) {
        if self.threads != source.threads || source.model.is_some() || self.model.is_some() {
            *self = source.clone();
        }
    }
}

impl Crew {
    /// Steps on up to `threads` threads, the caller's included.
    pub(crate) fn new(threads: usize) -> Crew {
        let threads = threads.clamp(1, MOST_THREADS);
        if threads == 1 {
            return Crew { threads, steps: 0, board: None, model: None };
        }
        let board = Board {
            step: AtomicUsize::new(0),
            called: AtomicUsize::new(0),
            joined: AtomicUsize::new(0),
            threads: AtomicUsize::new(threads),
            failed: AtomicBool::new(false),
            shares: core::array::from_fn(|_| Share::default()),
        };
        Crew { threads, steps: 0, board: Some(Arc::new(board)), model: None }
    }

    /// Steps by the caller alone, timed as if on `threads` threads, by a clock in nanoseconds: see
    /// `model.rs`.
    pub(crate) fn imagined(threads: usize, clock: fn() -> u64) -> Crew {
        let model = Model::new(threads, clock);
        Crew { threads: model.threads, steps: 0, board: None, model: Some(Arc::new(model)) }
    }

    /// Nanoseconds that imagined threads have saved, modulo 2⁶⁴; 0 without them.
    pub(crate) fn saved(&self) -> u64 {
        self.model.as_ref().map_or(0, |model| model.saved())
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Begins a step, and calls for helpers if there is enough to do.
    pub(crate) fn begin(&mut self, is_large: bool) -> Team {
        let model = self.model.as_ref().filter(|_| is_large);
        let Some(board) = self.board.as_ref().filter(|_| is_large) else {
            return model.map_or(Team::ALONE, |model| Team::imagined(Arc::clone(model)));
        };
        self.steps += 1;
        board.joined.store(0, Ordering::Relaxed);
        board.step.store(self.steps, Ordering::Release);
        // Threads are woken one by one: a broadcast wakes all threads, and unneeded threads slow
        // down the others. (On two cores, half of the runs gained nothing.)
        for _ in board.called.load(Ordering::Relaxed)..self.threads - 1 {
            let board = Arc::clone(board);
            board.called.fetch_add(1, Ordering::Relaxed);
            rayon::spawn(move || board.help());
        }
        Team { threads: self.threads, board: Some(Arc::clone(board)), model: None, alone: PhantomData }
    }
}

/// Calls a function if it was not called before.
fn call(function: &Mutex<Option<impl FnOnce()>>) {
    let function = function.lock().unwrap_or_else(PoisonError::into_inner).take();
    function.into_iter().for_each(|function| function());
}

/// Two lists, the second as long as the first.
type Pair<'l, A, B> = (&'l mut [A], &'l mut [B]);

/// The threads of one step, until it is dropped.
pub(crate) struct Team {
    threads: usize,
    /// `None` for one thread.
    board: Option<Arc<Board>>,
    /// Without a board: threads that are imagined.
    model: Option<Arc<Model>>,
    /// Not `Sync`.
    alone: PhantomData<Cell<()>>,
}

impl Drop for Team {
    fn drop(&mut self) {
        if let Some(board) = &self.board {
            board.step.store(0, Ordering::Release);
        }
    }
}

impl Team {
    /// One thread.
    pub(crate) const ALONE: Team = Team { threads: 1, board: None, model: None, alone: PhantomData };

    fn imagined(model: Arc<Model>) -> Team {
        Team { threads: model.threads, board: None, model: Some(model), alone: PhantomData }
    }

    /// How many threads there are, or are imagined.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `job` for each of `count` chunks.
    fn run(&self, count: usize, job: &Job) {
        let Some(board) = self.board.as_deref() else {
            return match &self.model {
                Some(model) => model.run(count, job),
                None => (0..count).for_each(job),
            };
        };
        if board.failed.load(Ordering::Relaxed) {
            board.failed.store(false, Ordering::Relaxed);
        }
        // One for all shares: chunks of two shares are chunks of one job.
        let number = check::number();
        for (k, share) in board.shares[..self.threads].iter().enumerate().rev() {
            share.deal(dealt(count, self.threads, k), job, number);
        }
        let finish = Finish(board, count);
        board.work(0);
        drop(finish);
        check::let_go();
        assert!(!board.failed.load(Ordering::Relaxed), "a chunk of a stage panicked, see above");
    }

    /// Calls two functions that do not depend on each other, side by side if there is a thread.
    pub(crate) fn both(&self, one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
        if self.threads == 1 {
            one();
            return other();
        }
        let (one, other) = (Mutex::new(Some(one)), Mutex::new(Some(other)));
        self.run(2, &|chunk| if chunk == 0 { call(&one) } else { call(&other) });
    }

    /// Size of the chunks of a list if the result does not depend on the cuts: one chunk per
    /// thread, but no smaller than `least`. For passes without outputs, or whose outputs belong to
    /// single items and are joined in order.
    pub(crate) fn part(&self, count: usize, least: usize) -> usize {
        count.div_ceil(self.threads).max(least)
    }

    /// Calls `job` for ranges of at most `size` that together are `0..count`.
    #[inline]
    pub(crate) fn for_ranges(&self, count: usize, size: usize, job: impl Fn(Range<usize>) + Sync) {
        match count.div_ceil(size) {
            0 => {}
            chunks if chunks == 1 || self.threads == 1 => job(0..count),
            chunks => self.run(chunks, &|k| job(k * size..count.min((k + 1) * size))),
        }
    }

    /// Calls `job` for chunks of at most `size` that together are `items`, each with the number of
    /// its first one.
    #[inline]
    pub(crate) fn for_chunks<T: Send>(
        &self,
        items: &mut [T],
        size: usize,
        job: impl Fn(usize, &mut [T]) + Sync,
    ) {
        self.for_columns([items], size, |start, [items]| job(start, items));
    }

    /// Calls `job` for chunks of several columns, all as long as the first.
    #[inline]
    pub(crate) fn for_columns<T: Send, const N: usize>(
        &self,
        columns: [&mut [T]; N],
        size: usize,
        job: impl Fn(usize, [&mut [T]; N]) + Sync,
    ) {
        let all = columns.map(Shared::new);
        let count = all.first().map_or(0, Shared::len);
        self.for_ranges(count, size, |range| {
            job(range.start, core::array::from_fn(|k| all[k].cut(range.clone())));
        });
    }

    /// Calls `job` for chunks of two lists of different types, the second as long as the first.
    #[inline]
    pub(crate) fn for_pairs<A: Send, B: Send>(
        &self,
        (items, others): (&mut [A], &mut [B]),
        size: usize,
        job: impl Fn(usize, (&mut [A], &mut [B])) + Sync,
    ) {
        let (items, others) = (Shared::new(items), Shared::new(others));
        self.for_ranges(items.len(), size, |range| {
            job(range.start, (items.cut(range.clone()), others.cut(range)));
        });
    }

    /// Calls `job` for each part, with its ranges of two pairs of lists, in the order of the parts.
    #[inline]
    pub(crate) fn for_parts<P: Sync, A: Send, B: Send, C: Send, D: Send>(
        &self,
        parts: &[P],
        has: impl Fn(&P) -> [Range<usize>; 2] + Sync,
        (one, other): (Pair<A, B>, Pair<C, D>),
        job: impl Fn(&P, Pair<A, B>, Pair<C, D>) + Sync,
    ) {
        let mut ends = [0; 2];
        for part in parts {
            for (end, range) in ends.iter_mut().zip(has(part)) {
                assert!(*end <= range.start && range.start <= range.end, "parts have ranges of their own");
                *end = range.end;
            }
        }
        let (items, others) =
            ((Shared::new(one.0), Shared::new(one.1)), (Shared::new(other.0), Shared::new(other.1)));
        self.for_ranges(parts.len(), 1, |range| {
            for part in &parts[range] {
                let [first, second] = has(part);
                let one = (items.0.cut(first.clone()), items.1.cut(first));
                job(part, one, (others.0.cut(second.clone()), others.1.cut(second)));
            }
        });
    }

    /// Calls `job` for chunks of `size` of a list, each with an output of its own; more outputs are
    /// made if need be.
    #[inline]
    pub(crate) fn for_list<T: Sync, F: Default + Send>(
        &self,
        list: &[T],
        size: usize,
        finds: &mut Vec<F>,
        job: impl Fn(&[T], &mut F) + Sync,
    ) {
        let count = list.len().div_ceil(size);
        finds.resize_with(finds.len().max(count), F::default);
        self.for_chunks(&mut finds[..count], 1, |first, finds| {
            list.chunks(size).skip(first).zip(finds).for_each(|(some, finds)| job(some, finds));
        });
    }

    /// Calls `job` for chunks of `size` groups, with their ranges of two lists, and an output.
    /// Group `k` has `starts[k]..starts[k + 1]` of each list; the start of the first group is
    /// passed too.
    #[inline]
    pub(crate) fn for_groups<G: Send, A: Send, B: Send, F: Default + Send>(
        &self,
        (groups, starts, size): (&mut [G], &[[u32; 2]], usize),
        (items, others): (&mut [A], &mut [B]),
        finds: &mut Vec<F>,
        job: impl Fn(&mut [G], (&mut [A], &mut [B]), [usize; 2], &mut F) + Sync,
    ) {
        let count = groups.len();
        let size = if self.threads == 1 { count.max(1) } else { size };
        let chunks = count.div_ceil(size);
        finds.resize_with(finds.len().max(chunks), F::default);
        let start = |chunk: usize| starts[count.min(chunk * size)].map(|start| start as usize);
        let in_order =
            |(before, after): ([usize; 2], [usize; 2])| before[0] <= after[0] && before[1] <= after[1];
        assert!(
            (0..chunks).all(|k| in_order((start(k), start(k + 1)))),
            "what groups have is in their order"
        );
        let (groups, finds) = (Shared::new(groups), Shared::new(finds));
        let (items, others) = (Shared::new(items), Shared::new(others));
        self.for_ranges(chunks, 1, |range| {
            for k in range {
                let (from, to) = (start(k), start(k + 1));
                let some = groups.cut(k * size..count.min((k + 1) * size));
                let lists = (items.cut(from[0]..to[0]), others.cut(from[1]..to[1]));
                finds
                    .cut(k..k + 1)
                    .iter_mut()
                    .for_each(|finds| job(&mut *some, (&mut *lists.0, &mut *lists.1), from, finds));
            }
        });
    }
}
