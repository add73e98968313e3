//! A value that is computed when it is first needed (lazy initialization).
//!
//! In: a value that is computed from other values, which the caller passes with each call. Out: the
//! value, by reference. A loaded world begins without some tables that many steps never read. The
//! memory of a dropped value stays, and the next value is computed in it.

use core::mem::take;
use std::sync::{Mutex, OnceLock, PoisonError};

/// A value that exists, or will be computed.
#[derive(Debug)]
pub(crate) struct Lazy<T> {
    made: OnceLock<T>,
    /// Memory of the last value, while there is none.
    spare: Mutex<T>,
}

impl<T: Default> Default for Lazy<T> {
    fn default() -> Lazy<T> {
        Lazy { made: OnceLock::from(T::default()), spare: Mutex::default() }
    }
}

impl<T: Default> Lazy<T> {
    /// Drops the value; the next call of [`Lazy::get`] computes it anew.
    pub(crate) fn put_off(&mut self) {
        if let Some(made) = self.made.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }

    /// Returns the value, if it exists.
    pub(crate) fn made(&self) -> Option<&T> {
        self.made.get()
    }

    /// Returns the value. If there is none, `make` computes it in the memory of an old one.
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce(&mut T)) -> &T {
        self.made.get_or_init(|| self.make(make))
    }

    /// Returns the value for changes, as [`Lazy::get`] does.
    #[inline]
    pub(crate) fn get_mut(&mut self, make: impl FnOnce(&mut T)) -> &mut T {
        self.get(make);
        // It exists now, so this is never the spare one.
        self.made.get_mut().unwrap_or(self.spare.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    #[cold]
    fn make(&self, make: impl FnOnce(&mut T)) -> T {
        let mut value = take(&mut *self.spare.lock().unwrap_or_else(PoisonError::into_inner));
        make(&mut value);
        value
    }
}

impl<T: Clone + Default> Clone for Lazy<T> {
    fn clone(&self) -> Lazy<T> {
        let mut clone = Lazy::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Lazy<T>) {
        match source.made() {
            Some(made) => self.get_mut(|_| ()).clone_from(made),
            None => self.put_off(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_in_the_memory_of_the_last() {
        let mut list = Lazy::<Vec<u32>>::default();
        let fill = |list: &mut Vec<u32>| {
            list.clear();
            list.extend(0..100);
        };
        assert!(list.get(fill).is_empty(), "at first it is there");
        list.get_mut(fill).reserve(1_000);
        list.put_off();
        assert_eq!((list.made(), list.clone().made()), (None, None));
        list.put_off();
        assert_eq!(list.get(fill).len(), 100);
        // If it were computed again, it would be empty.
        assert!(list.get(Vec::clear).len() == 100 && list.get(Vec::clear).capacity() >= 1_000);
        list.get_mut(Vec::clear).push(7);
        let mut copy = Lazy::default();
        copy.put_off();
        copy.clone_from(&list);
        assert_eq!((copy.get(Vec::clear).len(), copy.get(Vec::clear)), (101, list.get(Vec::clear)));
    }
}
