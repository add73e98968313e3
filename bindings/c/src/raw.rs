//! Pointers and lists of the caller, as references and back.
//!
//! All functions here trust the caller as the head of lib.rs says, rule 2.

use core::ffi::{CStr, c_char};

use crate::failure::{Failure, Result};
use crate::types::status;

/// A pointer that must not be NULL.
///
/// # Safety
/// Rule 2 in the head of lib.rs.
#[inline]
pub(crate) unsafe fn required<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T> {
    // SAFETY: rule 2: it is NULL or points to a value.
    unsafe { pointer.as_ref() }.ok_or(Failure::Null(name))
}

/// A list; NULL where it is empty.
///
/// # Safety
/// Rule 2 in the head of lib.rs.
#[inline]
pub(crate) unsafe fn list<'a, T>(
    pointer: *const T,
    count: usize,
    name: &'static str,
) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::Rule(status::BAD_NUMBER, "a list is longer than memory"));
    }
    // SAFETY: rule 2: it points to so many values.
    Ok(unsafe { core::slice::from_raw_parts(pointer, count) })
}

/// A text that ends with a zero.
///
/// # Safety
/// Rule 2 in the head of lib.rs.
pub(crate) unsafe fn utf8<'a>(pointer: *const c_char, name: &'static str) -> Result<&'a str> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: rule 2: it points to a text that ends with a zero.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::Rule(status::BAD_TEXT, "a text must be UTF-8"))
}

/// Where answers are written.
pub(crate) trait Put: Sized {
    /// The answer.
    type Value;

    /// Writes the answer, where the caller wants it.
    ///
    /// # Safety
    /// Rule 2 in the head of lib.rs.
    unsafe fn put(self, value: Self::Value);

    /// Writes zeros in its place.
    ///
    /// # Safety
    /// Rule 2 in the head of lib.rs.
    unsafe fn clear(self);
}

impl Put for () {
    type Value = ();

    unsafe fn put(self, (): ()) {}

    unsafe fn clear(self) {}
}

impl<T> Put for *mut T {
    type Value = T;

    #[inline]
    unsafe fn put(self, value: T) {
        if !self.is_null() {
            // SAFETY: rule 2: it points to room for a value.
            unsafe { self.write(value) };
        }
    }

    unsafe fn clear(self) {
        if !self.is_null() {
            // SAFETY: rule 2. The structs of the header have no invalid bits.
            unsafe { self.write_bytes(0, 1) };
        }
    }
}

impl<A: Put, B: Put> Put for (A, B) {
    type Value = (A::Value, B::Value);

    #[inline]
    unsafe fn put(self, value: (A::Value, B::Value)) {
        // SAFETY: rule 2 for both.
        unsafe {
            self.0.put(value.0);
            self.1.put(value.1);
        }
    }

    unsafe fn clear(self) {
        // SAFETY: rule 2 for both.
        unsafe {
            self.0.clear();
            self.1.clear();
        }
    }
}

/// Where a bool is written.
#[derive(Clone, Copy)]
pub(crate) struct Flag(pub(crate) *mut u8);

impl Put for Flag {
    type Value = bool;

    #[inline]
    unsafe fn put(self, value: bool) {
        // SAFETY: rule 2.
        unsafe { self.0.put(u8::from(value)) };
    }

    unsafe fn clear(self) {
        // SAFETY: rule 2.
        unsafe { self.0.clear() };
    }
}

/// A list of an object, as C sees it.
pub(crate) struct View<T>(*const T, usize);

impl<T> View<T> {
    /// NULL for an empty list.
    #[inline]
    pub(crate) fn of(list: &[T]) -> View<T> {
        let start = if list.is_empty() { core::ptr::null() } else { list.as_ptr() };
        View(start, list.len())
    }
}

/// Where a list is told.
pub(crate) struct ViewOut<T>(pub(crate) *mut *const T, pub(crate) *mut usize);

impl<T> Clone for ViewOut<T> {
    fn clone(&self) -> ViewOut<T> {
        *self
    }
}

impl<T> Copy for ViewOut<T> {}

impl<T> Put for ViewOut<T> {
    type Value = View<T>;

    #[inline]
    unsafe fn put(self, value: View<T>) {
        // SAFETY: rule 2.
        unsafe {
            self.0.put(value.0);
            self.1.put(value.1);
        }
    }

    unsafe fn clear(self) {
        // SAFETY: rule 2.
        unsafe {
            self.0.put(core::ptr::null());
            self.1.put(0);
        }
    }
}

/// Memory of the caller that is filled; values without room are counted.
pub(crate) struct Fill<T> {
    start: *mut T,
    capacity: usize,
    count: *mut usize,
    needed: usize,
}

impl<T: Copy> Fill<T> {
    /// Room for `capacity` values.
    ///
    /// # Safety
    /// Rule 2 in the head of lib.rs; the memory stays as long as this.
    pub(crate) unsafe fn new(
        start: *mut T,
        capacity: usize,
        count: *mut usize,
        name: &'static str,
    ) -> Result<Fill<T>> {
        // SAFETY: rule 2.
        unsafe { count.put(0) };
        if start.is_null() && capacity > 0 {
            return Err(Failure::Null(name));
        }
        Ok(Fill { start, capacity, count, needed: 0 })
    }

    /// Writes values, if there is room for all of them.
    pub(crate) fn extend(&mut self, values: &[T]) {
        let room = self.capacity.saturating_sub(self.needed);
        if values.len() <= room && !values.is_empty() {
            // SAFETY: rule 2: there is room for `capacity` values, and `needed` are taken; the
            // values are the library's, so the two do not overlap.
            unsafe {
                let end = self.start.add(self.needed);
                core::ptr::copy_nonoverlapping(values.as_ptr(), end, values.len());
            }
        }
        self.needed = self.needed.saturating_add(values.len());
    }

    /// Tells the count.
    pub(crate) fn finish(&mut self) -> Result<()> {
        // SAFETY: rule 2.
        unsafe { self.count.put(self.needed) };
        if self.needed > self.capacity { Err(Failure::Small(self.needed)) } else { Ok(()) }
    }
}
