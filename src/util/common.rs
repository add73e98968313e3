//! A value that clones share until one of them changes it (copy on write).
//!
//! In: a value that is equal in many worlds, such as a table of shapes. Out: the value, by
//! reference; thousands of worlds have one copy in the cache.

use core::ops::Deref;
use std::sync::Arc;

/// A shared value.
#[derive(Debug, Default)]
pub(crate) struct Common<T>(Arc<T>);

impl<T: Clone> Common<T> {
    /// Returns the value for changes, which other clones do not see.
    pub(crate) fn own(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> From<T> for Common<T> {
    fn from(value: T) -> Common<T> {
        Common(Arc::new(value))
    }
}

impl<T> Deref for Common<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> Clone for Common<T> {
    fn clone(&self) -> Common<T> {
        Common(self.0.clone())
    }

    /// Copies into the own memory, if the value is not shared.
    fn clone_from(&mut self, source: &Common<T>) {
        if Arc::ptr_eq(&self.0, &source.0) {
            return;
        }
        match Arc::get_mut(&mut self.0) {
            Some(own) => own.clone_from(&source.0),
            None => self.0 = source.0.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_changed_is_changed_in_one_place_alone() {
        let mut one = Common::from(vec![1, 2]);
        let mut other = one.clone();
        assert!(core::ptr::eq(&*one, &*other));
        one.own().push(3);
        assert_eq!((&**one, &**other), (&[1, 2, 3][..], &[1, 2][..]));
        // Unshared memory is written over; then the two clones do not share.
        let place: *const Vec<i32> = &*one;
        one.clone_from(&other);
        assert!(*one == *other && core::ptr::eq(&*one, place));
        let third = other.clone();
        other.clone_from(&one);
        assert!(core::ptr::eq(&*one, &*other) && *third == [1, 2]);
    }
}
