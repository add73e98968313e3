//! Whether trees should be refreshed for questions: at the end of a step, or in between.
//!
//! In: that questions were asked, and how many boxes they tested one by one because trees did not
//! know them any more. Out: whether trees are to be refreshed at the end of a step; and copies of
//! them that questions have refreshed, until a box changes. One question after each step is cheaper
//! without; many are not, and who asks them should not have to know. Answers are the same either
//! way.
//!
//! A world in which boxes were put and no step came since is asked by way of copies, as questions
//! do not change it. (Without them, a ray among 100,000 new boxes took 260 µs, each time.) Where
//! many of the boxes are to be sorted for that, or many questions come between two steps, the copy
//! is one tree of all boxes, active and resting.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::OnceLock;

use super::forest::{Forest, Home};

/// Trees are refreshed once questions have tested so many times as many boxes as there are: about
/// what a refresh costs.
const REFRESH_WORTH: usize = 8;

/// Copies are made once they have tested so many times as many: a copy costs about as much again.
const WORTH_COPIES: usize = 2 * REFRESH_WORTH;

/// One tree of all is made once so many times as many questions have been asked as there are boxes
/// since the last step: about what it costs, 960 instructions a box, where a question saves 350.
/// (With 1 in place of 4, 2,000 questions a step among 1,000 boxes, of which half move, took more
/// instructions than without this tree.)
const WORTH_ONE_TREE: usize = 4;

/// Copies of the trees of a grid, refreshed; or one tree of all.
#[derive(Debug)]
pub(super) struct FreshTrees {
    /// Of what is active, and of what rests; or of all, and of nothing.
    pub(super) forests: [Forest; 2],
    pub(super) homes: Vec<Home>,
}

/// Questions since the last step. Those of several threads may count at once, so the numbers are
/// atomic; nothing waits for them.
#[derive(Debug, Default)]
pub(super) struct Upkeep {
    were_asked: AtomicBool,
    tested: AtomicUsize,
    is_on: bool,
    copies: OnceLock<Box<FreshTrees>>,
    /// How many boxes were tested one by one since copies were dropped.
    tested_without: AtomicUsize,
    /// How many questions went down two trees since then, and since the last step.
    asked: AtomicUsize,
}

impl Upkeep {
    /// A question, for which `count` boxes are tested one by one.
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

    /// Copies of the trees, if some were made since a box changed.
    #[inline]
    pub(super) fn copies(&self) -> Option<&FreshTrees> {
        self.copies.get().map(|copies| &**copies)
    }

    /// The same; made by `make` if it is worth it among `count` boxes. Other threads wait for it.
    pub(super) fn copies_if_worth(
        &self,
        count: usize,
        make: impl FnOnce() -> FreshTrees,
    ) -> Option<&FreshTrees> {
        let is_worth = || self.tested_without.load(Ordering::Relaxed) > WORTH_COPIES * count;
        self.copies().or_else(|| is_worth().then(|| &**self.copies.get_or_init(|| Box::new(make()))))
    }

    /// The same for so many questions, where trees are up to date but are two: one tree of all,
    /// made by `make` if it is worth it among `count` boxes.
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

    /// A box changes: copies are of no use any more.
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

    /// After a step: whether trees of `count` moving boxes are worth a refresh. Once they were,
    /// they are until a step comes after which nothing is asked.
    pub(super) fn is_due(&mut self, count: usize) -> bool {
        let tested = core::mem::take(self.tested.get_mut());
        let were_asked = core::mem::take(self.were_asked.get_mut());
        *self.asked.get_mut() = 0;
        self.is_on = tested > REFRESH_WORTH * count || (self.is_on && were_asked);
        self.is_on
    }
}

/// A copy of a grid has not been asked anything.
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
