//! Decides whether trees are refreshed for queries: at the end of a step, or in between.
//!
//! In: notes of queries, and of how many boxes they tested one by one because the trees were out of
//! date. Out: whether trees are refreshed at the end of a step; and refreshed copies of the trees,
//! valid until a box changes. One query after each step is cheaper without a refresh; many queries
//! are not, and the caller should not have to know. Answers are equal either way.
//!
//! Queries do not change a world. So a world that got new boxes and made no step since answers from
//! copies. (Without them, a ray among 100,000 new boxes took 260 µs, each time.) If many of its
//! boxes must be sorted for that, or many queries come between two steps, the copy is one tree of
//! all boxes, active and resting.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::OnceLock;

use super::forest::{Forest, Home};

/// Trees are refreshed once queries have tested this many times as many boxes as there are: about
/// the cost of a refresh.
const REFRESH_WORTH: usize = 8;

/// Copies are made once queries have tested this many times as many boxes: a copy costs about twice
/// a refresh.
const WORTH_COPIES: usize = 2 * REFRESH_WORTH;

/// One tree of all boxes is made once there were this many times as many queries since the last
/// step as there are boxes. That is about its cost: it takes 960 instructions a box, and saves 350
/// in each query. (With 1 in place of 4, 2,000 queries a step among 1,000 boxes, half of them
/// moving, took more instructions than without this tree.)
const WORTH_ONE_TREE: usize = 4;

/// Refreshed copies of the trees of a grid; or one tree of all boxes.
#[derive(Debug)]
pub(super) struct FreshTrees {
    /// The forests of active and of resting boxes; or one of all boxes, and an empty one.
    pub(super) forests: [Forest; 2],
    pub(super) homes: Vec<Home>,
}

/// Counts of queries since the last step. Several threads may count at once, so the numbers are
/// atomic; no thread waits for them.
#[derive(Debug, Default)]
pub(super) struct Upkeep {
    were_asked: AtomicBool,
    tested: AtomicUsize,
    is_on: bool,
    copies: OnceLock<Box<FreshTrees>>,
    /// How many boxes were tested one by one since copies were dropped.
    tested_without: AtomicUsize,
    /// How many queries went down two trees since copies were dropped, and since the last step.
    asked: AtomicUsize,
}

impl Upkeep {
    /// Notes a query that tests `count` boxes one by one.
    #[inline]
    pub(super) fn note(&self, count: usize) {
        if !self.were_asked.load(Ordering::Relaxed) {
            self.were_asked.store(true, Ordering::Relaxed);
        }
        if count > 0 {
            self.tested.fetch_add(count, Ordering::Relaxed);
            self.tested_without.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Returns the copies of the trees, if there are some and no box changed since.
    #[inline]
    pub(super) fn copies(&self) -> Option<&FreshTrees> {
        self.copies.get().map(|copies| &**copies)
    }

    /// Returns the copies; `make` makes them if that is worth it for `count` boxes. Other threads
    /// wait.
    pub(super) fn copies_if_worth(
        &self,
        count: usize,
        make: impl FnOnce() -> FreshTrees,
    ) -> Option<&FreshTrees> {
        let is_worth = || self.tested_without.load(Ordering::Relaxed) > WORTH_COPIES * count;
        self.copies().or_else(|| is_worth().then(|| &**self.copies.get_or_init(|| Box::new(make()))))
    }

    /// Notes `questions` queries of a grid whose two trees are up to date. Returns one tree of all
    /// boxes; `make` makes it if that is worth it for `count` boxes.
    pub(super) fn one_tree_if_worth(
        &self,
        questions: usize,
        count: usize,
        make: impl FnOnce() -> FreshTrees,
    ) -> Option<&FreshTrees> {
        if let Some(copies) = self.copies() {
            return Some(copies);
        }
        // Several threads may lose some of each other's counts.
        let asked = self.asked.load(Ordering::Relaxed) + questions;
        self.asked.store(asked, Ordering::Relaxed);
        let is_worth = asked > WORTH_ONE_TREE * count;
        is_worth.then(|| &**self.copies.get_or_init(|| Box::new(make())))
    }

    /// Drops the copies, since a box changes.
    #[inline(always)]
    pub(super) fn forget_copies(&mut self) {
        if self.copies.get().is_some() {
            self.drop_copies();
        }
    }

    #[cold]
    fn drop_copies(&mut self) {
        self.copies = OnceLock::new();
        (*self.tested_without.get_mut(), *self.asked.get_mut()) = (0, 0);
    }

    /// Decides after a step whether trees of `count` moving boxes are worth a refresh. Once they
    /// are, they stay so until no query comes between two steps.
    pub(super) fn is_due(&mut self, count: usize) -> bool {
        let tested = core::mem::take(self.tested.get_mut());
        let were_asked = core::mem::take(self.were_asked.get_mut());
        *self.asked.get_mut() = 0;
        self.is_on = tested > REFRESH_WORTH * count || (self.is_on && were_asked);
        self.is_on
    }
}

/// A clone starts without counts and copies.
impl Clone for Upkeep {
    fn clone(&self) -> Upkeep {
        Upkeep::default()
    }

    fn clone_from(&mut self, _source: &Upkeep) {
        self.forget_copies();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_questions_are_worth_a_refresh_until_none_are_asked() {
        let mut upkeep = Upkeep::default();
        let mut after = |questions: usize, each: usize| {
            (0..questions).for_each(|_| upkeep.note(each));
            upkeep.is_due(100)
        };
        assert!(!after(0, 0));
        assert!(!after(5, 100), "a few questions are cheaper one by one");
        assert!(after(9, 100));
        assert!(after(1, 0), "it goes on while something is asked");
        assert!(!after(0, 0));
        assert!(!after(1_000, 0), "who refreshes it himself needs no help");
    }
}
