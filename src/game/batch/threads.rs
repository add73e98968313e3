//! The threads of a batch, from the pool in which it is called or from a pool of its own.
//!
//! In: a list of worlds, and work on a chunk of it. Out: the work is done, each chunk by one
//! thread.

use crate::threads::Crew;

/// Worlds that a thread takes at once: some hundred microseconds of work. So the wait for the last
/// thread is short, and one thread writes neighbours in the columns.
const WORLDS_OF_CHUNK: usize = 16;

/// The threads that work on the worlds of a batch.
#[derive(Debug)]
pub(super) struct Threads {
    crew: Crew,
    pool: Pool,
}

impl Threads {
    /// The caller alone.
    pub(super) fn one() -> Threads {
        Threads { crew: Crew::new(1), pool: Pool::NONE }
    }

    /// The caller, and threads of the pool in which it is called.
    #[cfg(feature = "parallel")]
    pub(super) fn of_caller(count: usize) -> Threads {
        Threads { crew: Crew::new(count), pool: Pool::NONE }
    }

    /// Threads of a new pool; `None` if the system does not give so many.
    #[cfg(feature = "parallel")]
    pub(super) fn own(count: usize) -> Option<Threads> {
        let crew = Crew::new(count);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(crew.threads()).build().ok()?;
        Some(Threads { crew, pool: Pool(Some(pool)) })
    }

    /// Calls `work` for chunks of `items`, with the number of the first item, where `count` of them
    /// have something to do.
    pub(super) fn for_chunks<T: Send>(
        &mut self,
        items: &mut [T],
        count: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let Threads { crew, pool } = self;
        if count > WORLDS_OF_CHUNK {
            pool.install(|| crew.begin(true).for_chunks(items, WORLDS_OF_CHUNK, &work));
        } else {
            crew.begin(false).for_chunks(items, WORLDS_OF_CHUNK, work);
        }
    }
}

/// A pool of threads, if there is one.
#[cfg(feature = "parallel")]
#[derive(Debug)]
struct Pool(Option<rayon::ThreadPool>);

#[cfg(feature = "parallel")]
impl Pool {
    /// No pool: the caller works.
    const NONE: Pool = Pool(None);

    /// Calls `work` in the pool, or here if there is none.
    fn install(&self, work: impl FnOnce() + Send) {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// No pool: there is one thread.
#[cfg(not(feature = "parallel"))]
#[derive(Debug)]
struct Pool;

#[cfg(not(feature = "parallel"))]
impl Pool {
    const NONE: Pool = Pool;

    fn install(&self, work: impl FnOnce()) {
        work();
    }
}
