//! One thread: the functions of `scheduler.rs`, with chunks done in order.

use core::cell::{Cell, RefCell};
use core::ops::Range;

/// The workers of a world: the caller alone.
#[derive(Clone, Debug)]
pub(crate) struct Crew;

impl Crew {
    /// On one thread.
    pub(crate) fn new(_threads: usize) -> Crew {
        Crew
    }

    /// Begins a step.
    pub(crate) fn begin(&mut self, _is_large: bool) -> Team {
        Team
    }

    /// No threads are imagined.
    pub(crate) fn saved(&self) -> u64 {
        0
    }
}

/// Marks a chunk that touches only its own data: nothing to check on one thread.
pub(crate) fn unwatched() {}

/// Two lists, the second as long as the first.
type Pair<'l, A, B> = (&'l mut [A], &'l mut [B]);

/// The threads of one step: the caller alone.
pub(crate) struct Team;

impl Team {
    /// One thread.
    pub(crate) const ALONE: Team = Team;

    /// One.
    pub(crate) fn threads(&self) -> usize {
        1
    }

    /// Calls two functions that do not depend on each other.
    pub(crate) fn both(&self, one: impl FnOnce(), other: impl FnOnce()) {
        one();
        other();
    }

    /// Size of the chunks of a list if the result does not depend on the cuts.
    pub(crate) fn part(&self, count: usize, _least: usize) -> usize {
        count.max(1)
    }

    /// Calls `job` for ranges of at most `_size` that together are `0..count`.
    #[inline]
    pub(crate) fn for_ranges(&self, count: usize, _size: usize, job: impl Fn(Range<usize>)) {
        job(0..count);
    }

    /// Calls `job` for chunks of at most `_size` that together are `items`, each with the number of
    /// its first one.
    #[inline]
    pub(crate) fn for_chunks<T>(&self, items: &mut [T], _size: usize, job: impl Fn(usize, &mut [T])) {
        if !items.is_empty() {
            job(0, items);
        }
    }

    /// Calls `job` for chunks of several columns, all as long as the first.
    #[inline]
    pub(crate) fn for_columns<T, const N: usize>(
        &self,
        columns: [&mut [T]; N],
        _size: usize,
        job: impl Fn(usize, [&mut [T]; N]),
    ) {
        job(0, columns);
    }

    /// Calls `job` for chunks of two lists of different types, the second as long as the first.
    #[inline]
    pub(crate) fn for_pairs<A, B>(
        &self,
        (items, others): (&mut [A], &mut [B]),
        _size: usize,
        job: impl Fn(usize, (&mut [A], &mut [B])),
    ) {
        if !items.is_empty() {
            job(0, (items, others));
        }
    }

    /// Calls `job` for each part, with its ranges of two pairs of lists.
    #[inline]
    pub(crate) fn for_parts<P, A, B, C, D>(
        &self,
        parts: &[P],
        has: impl Fn(&P) -> [Range<usize>; 2],
        (one, other): (Pair<A, B>, Pair<C, D>),
        job: impl Fn(&P, Pair<A, B>, Pair<C, D>),
    ) {
        for part in parts {
            let [first, second] = has(part);
            let one = (&mut one.0[first.clone()], &mut one.1[first]);
            job(part, one, (&mut other.0[second.clone()], &mut other.1[second]));
        }
    }

    /// Calls `job` for chunks of `size` of a list, each with an output of its own; more outputs are
    /// made if need be.
    #[inline]
    pub(crate) fn for_list<T, F: Default>(
        &self,
        list: &[T],
        size: usize,
        finds: &mut Vec<F>,
        job: impl Fn(&[T], &mut F),
    ) {
        finds.resize_with(finds.len().max(list.len().div_ceil(size)), F::default);
        list.chunks(size).zip(finds).for_each(|(some, finds)| job(some, finds));
    }

    /// Calls `job` for chunks of groups, with their ranges of two lists, and an output. Group `k`
    /// has `starts[k]..starts[k + 1]` of each list; the start of the first group is passed too.
    #[inline]
    pub(crate) fn for_groups<G, A, B, F: Default>(
        &self,
        (groups, starts, _size): (&mut [G], &[[u32; 2]], usize),
        (items, others): (&mut [A], &mut [B]),
        finds: &mut Vec<F>,
        job: impl Fn(&mut [G], (&mut [A], &mut [B]), [usize; 2], &mut F),
    ) {
        finds.resize_with(finds.len().max(1), F::default);
        if let (false, Some(&start), Some(finds)) = (groups.is_empty(), starts.first(), finds.first_mut()) {
            let start = start.map(|start| start as usize);
            job(groups, (&mut items[start[0]..], &mut others[start[1]..]), start, finds);
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

impl<'a, T: Copy> Shared<'a, T> {
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

    /// Row `at`.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> T {
        self.0[at].get()
    }

    /// Writes row `at`.
    #[inline(always)]
    pub(crate) fn set(&self, at: usize, row: T) {
        self.0[at].set(row);
    }

    /// Changes row `at`.
    #[inline(always)]
    pub(crate) fn change(&self, at: usize, change: impl FnOnce(T) -> T) {
        let row = &self.0[at];
        row.set(change(row.get()));
    }
}

impl<T: Copy, const N: usize> Shared<'_, [T; N]> {
    /// Part `part` of row `at`.
    #[inline(always)]
    pub(crate) fn part(&self, at: usize, part: usize) -> T {
        let row: &Cell<[T]> = &self.0[at];
        row.as_slice_of_cells()[part].get()
    }

    /// Writes part `part` of row `at`.
    #[inline(always)]
    pub(crate) fn set_part(&self, at: usize, part: usize, value: T) {
        let row: &Cell<[T]> = &self.0[at];
        row.as_slice_of_cells()[part].set(value);
    }
}

/// Rows that several chunks change in place, each chunk its own rows: for rows too long to copy.
pub(crate) struct Places<'a, T>(RefCell<&'a mut [T]>);

impl<'a, T> Places<'a, T> {
    pub(crate) fn new(rows: &'a mut [T]) -> Self {
        Places(RefCell::new(rows))
    }

    /// Changes row `at`.
    #[inline(always)]
    pub(crate) fn change<R>(&self, at: usize, change: impl FnOnce(&mut T) -> R) -> R {
        change(&mut self.0.borrow_mut()[at])
    }
}
