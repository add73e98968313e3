//! A value that seldom changes, and that knows whether another value is still equal to it.
//!
//! In: a value. Out: the value, by reference. A seal is a number that is unique in the program.
//! Clones have the seal of their source, and taking a mutable reference breaks it. So two values
//! with one seal are equal, and copying one over the other costs a comparison of two numbers. Seals
//! are not part of the state, and nothing depends on their numbers.

use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicUsize, Ordering};

/// A broken seal.
const BROKEN: usize = 0;

/// The last seal of this program.
static LAST: AtomicUsize = AtomicUsize::new(BROKEN);

/// A seal of values that are kept elsewhere. Code that changes the values breaks it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seal(usize);

impl Seal {
    /// Makes a new, unique seal.
    pub(crate) fn new() -> Seal {
        Seal(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Breaks the seal.
    #[inline(always)]
    pub(crate) fn break_open(&mut self) {
        self.0 = BROKEN;
    }

    /// Whether both seals are equal and unbroken: then their values are equal.
    #[inline(always)]
    pub(crate) fn is_that_of(self, other: Seal) -> bool {
        self.0 != BROKEN && self.0 == other.0
    }
}

/// A value with a seal.
#[derive(Debug, Default)]
pub(crate) struct Sealed<T> {
    value: T,
    seal: Seal,
}

impl<T> Sealed<T> {
    /// Sets a new seal: clones made from now on are known to be equal until they change.
    pub(crate) fn seal(&mut self) {
        self.seal = Seal::new();
    }
}

impl<T> Deref for Sealed<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Sealed<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.seal.break_open();
        &mut self.value
    }
}

impl<T: Clone> Clone for Sealed<T> {
    fn clone(&self) -> Sealed<T> {
        Sealed { value: self.value.clone(), seal: self.seal }
    }

    fn clone_from(&mut self, source: &Sealed<T>) {
        if !self.seal.is_that_of(source.seal) {
            self.value.clone_from(&source.value);
            self.seal = source.seal;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_skipped_only_where_both_are_equal() {
        let mut start = Sealed::<Vec<u32>>::default();
        start.extend([1, 2, 3]);
        let mut copy = Sealed::<Vec<u32>>::default();
        copy.clone_from(&start);
        assert_eq!((*copy == *start, copy.seal.0), (true, BROKEN));
        start.seal();
        copy.clone_from(&start);
        assert_eq!((*copy == *start, copy.seal.0), (true, start.seal.0));
        // The seals are equal: the list is not even read.
        copy.value[0] = 9;
        copy.clone_from(&start);
        assert_eq!(copy.value[0], 9);
        // A mutable reference breaks the seal, on either side.
        copy[1] = 7;
        copy.clone_from(&start);
        assert_eq!(*copy, [1, 2, 3]);
        let old = start.clone();
        start[2] = 5;
        copy.clone_from(&start);
        assert_eq!((*copy == [1, 2, 3], *copy == [1, 2, 5]), (false, true));
        start.seal();
        copy.clone_from(&start);
        copy.clone_from(&old);
        assert_eq!((&*copy, copy.seal.0 != start.seal.0), (&vec![1, 2, 3], true));
    }
}
