//! Whether a step should refresh the trees for the questions that follow it.
//!
//! In: that questions were asked, and how many boxes they tested one by one because trees did not
//! know them any more. Out: whether trees are to be refreshed at the end of a step. One question
//! after each step is cheaper without; many are not, and who asks them should not have to know.
//! Answers are the same either way.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Trees are refreshed once questions have tested so many times as many boxes as there are: about
/// what a refresh costs.
const WORTH: usize = 8;

/// Questions since the last step. Those of several threads may count at once, so the numbers are
/// atomic; nothing waits for them.
#[derive(Debug, Default)]
pub(super) struct Upkeep {
    were_asked: AtomicBool,
    tested: AtomicUsize,
    is_on: bool,
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
        }
    }

    /// After a step: whether trees of `count` moving boxes are worth a refresh. Once they were,
    /// they are until a step comes after which nothing is asked.
    pub(super) fn is_due(&mut self, count: usize) -> bool {
        let tested = core::mem::take(self.tested.get_mut());
        let were_asked = core::mem::take(self.were_asked.get_mut());
        self.is_on = tested > WORTH * count || (self.is_on && were_asked);
        self.is_on
    }
}

/// A copy of a grid has not been asked anything.
impl Clone for Upkeep {
    fn clone(&self) -> Upkeep {
        Upkeep::default()
    }

    fn clone_from(&mut self, _source: &Upkeep) {}
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
