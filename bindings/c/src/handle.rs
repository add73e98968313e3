//! Objects behind pointers, which C holds and calls borrow.
//!
//! In: a pointer from a caller. Out: a borrow for the length of one call, or a refusal. An object
//! knows whether a call has it: so a hook that calls back into its world is refused as busy, in
//! place of two borrows that change the same memory. A call that panics leaves it broken.

use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicU32, Ordering};

use crate::failure::{Failure, Result, remember};
use crate::types::status;

/// Nobody uses the object. Greater numbers, up to the two below, count the calls that read it while
/// they call a function of the program: it is lent.
const FREE: u32 = 0;
/// A call may change it.
const TAKEN: u32 = u32::MAX;
/// A call panicked.
const BROKEN: u32 = u32::MAX - 1;

/// An object of the library, as C holds it.
///
/// The state is no lock: a program that uses one object on two threads at once breaks rule 3 of the
/// header. It is atomic so that several threads may read one object, and is loaded and stored
/// without ordering, which costs as much as a plain number.
#[derive(Debug)]
pub struct Handle<T> {
    state: AtomicU32,
    value: UnsafeCell<T>,
}

impl<T> Handle<T> {
    /// A new object, as a pointer that [`Handle::free`] takes back.
    pub(crate) fn new(value: T) -> *mut Handle<T> {
        let handle = Handle { state: AtomicU32::new(FREE), value: UnsafeCell::new(value) };
        Box::into_raw(Box::new(handle))
    }

    fn refusal(state: u32) -> Failure {
        if state == BROKEN {
            let rule = "a call with this object panicked, which is a bug of carom: free it";
            Failure::Rule(status::BROKEN, rule)
        } else {
            let rule = "the object is in use: a hook calls back, or a call names it twice";
            Failure::Rule(status::BUSY, rule)
        }
    }

    /// Borrows the object, to change it.
    ///
    /// # Safety
    /// Rules 1 and 3 in the head of lib.rs.
    #[inline]
    pub(crate) unsafe fn exclusive<'a>(
        handle: *mut Handle<T>,
        name: &'static str,
    ) -> Result<Exclusive<'a, T>> {
        // SAFETY: rule 1: it is NULL or an object.
        let handle = unsafe { handle.as_ref() }.ok_or(Failure::Null(name))?;
        match handle.state.load(Ordering::Relaxed) {
            FREE => handle.state.store(TAKEN, Ordering::Relaxed),
            state => return Err(Handle::<T>::refusal(state)),
        }
        Ok(Exclusive { handle })
    }

    /// Borrows the object, to read it.
    ///
    /// # Safety
    /// Rules 1 and 3 in the head of lib.rs.
    #[inline]
    pub(crate) unsafe fn shared<'a>(
        handle: *const Handle<T>,
        name: &'static str,
    ) -> Result<Shared<'a, T>> {
        // SAFETY: rule 1: it is NULL or an object.
        let handle = unsafe { handle.as_ref() }.ok_or(Failure::Null(name))?;
        let state = handle.state.load(Ordering::Relaxed);
        if state == TAKEN || state == BROKEN {
            return Err(Handle::<T>::refusal(state));
        }
        Ok(Shared { handle, is_lent: Cell::new(false) })
    }

    /// Frees the object, unless a call has it: then that is remembered as a failure.
    ///
    /// # Safety
    /// Rule 1 in the head of lib.rs.
    pub(crate) unsafe fn free(handle: *mut Handle<T>) {
        // SAFETY: rule 1: it is NULL or an object.
        let Some(object) = (unsafe { handle.as_ref() }) else { return };
        let state = object.state.load(Ordering::Relaxed);
        if state != FREE && state != BROKEN {
            remember(Handle::<T>::refusal(state));
            return;
        }
        // SAFETY: it was made by `Handle::new`, no call has it, and the caller gives it up.
        let object = unsafe { Box::from_raw(handle) };
        // A broken object may panic once more while it is dropped: it must not reach the caller.
        let dropped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(object)));
        if dropped.is_err() {
            remember(Failure::Rule(status::BROKEN, "an object panicked while it was freed"));
        }
    }
}

/// A borrow that may change an object.
#[derive(Debug)]
pub(crate) struct Exclusive<'a, T> {
    handle: &'a Handle<T>,
}

impl<'a, T> Exclusive<'a, T> {
    /// The object. It is borrowed for as long as the caller leaves it alone, so that lists in it
    /// can be handed out.
    #[inline]
    pub(crate) fn get(&mut self) -> &'a mut T {
        // SAFETY: the state was free and is taken now; the shims call this once for each borrow.
        unsafe { &mut *self.handle.value.get() }
    }
}

impl<T> Drop for Exclusive<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let state = if std::thread::panicking() { BROKEN } else { FREE };
        self.handle.state.store(state, Ordering::Relaxed);
    }
}

/// A borrow that reads an object.
#[derive(Debug)]
pub(crate) struct Shared<'a, T> {
    handle: &'a Handle<T>,
    /// Whether this borrow is counted among those that lend the object.
    is_lent: Cell<bool>,
}

impl<'a, T> Shared<'a, T> {
    /// The object.
    #[inline]
    pub(crate) fn get(&self) -> &'a T {
        // SAFETY: no call may change it while this one reads, by the state and rule 3.
        unsafe { &*self.handle.value.get() }
    }

    /// Refuses changes while a function of the program is called.
    #[inline]
    pub(crate) fn lend_if(&self, calls_back: bool) {
        if calls_back && !self.is_lent.replace(true) {
            self.handle.state.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl<T> Drop for Shared<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.handle.state.store(BROKEN, Ordering::Relaxed);
        } else if self.is_lent.get() {
            // Another reader may have broken it meanwhile.
            let give_back = |state: u32| (state != BROKEN).then(|| state - 1);
            _ = self.handle.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, give_back);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::border::{border, value};
    use crate::failure::last_text;

    /// Calls with an object that is only a number.
    fn call(handle: *mut Handle<u32>, body: impl FnOnce(&mut u32) -> Result<u32>) -> u32 {
        // SAFETY: each test has its object alone.
        value(border(|| unsafe {
            let mut number = Handle::exclusive(handle, "number")?;
            body(number.get())
        }))
    }

    #[test]
    fn a_panic_is_caught_and_leaves_the_object_broken() {
        let handle = Handle::new(7);
        assert_eq!(call(handle, |number| Ok(*number)), 7);
        assert_eq!(call(handle, |_| panic!("on purpose")), 0);
        assert_eq!(crate::failure::last_status(), status::BROKEN);
        // SAFETY: the text stays until the next failure.
        let text = unsafe { core::ffi::CStr::from_ptr(last_text()) };
        assert!(text.to_string_lossy().contains("on purpose"));
        assert_eq!(call(handle, |number| Ok(*number)), 0);
        assert_eq!(crate::failure::last_status(), status::BROKEN);
        // SAFETY: rule 1 holds.
        let read = unsafe { Handle::shared(handle, "number") };
        assert!(matches!(read, Err(Failure::Rule(status::BROKEN, _))));
        // SAFETY: it was made above.
        unsafe { Handle::free(handle) };
    }

    #[test]
    fn an_object_in_use_is_refused() {
        let handle = Handle::new(7);
        assert_eq!(call(handle, |_| Ok(call(handle, |number| Ok(*number)))), 0);
        assert_eq!(crate::failure::last_status(), status::BUSY);
        // SAFETY: rule 1 holds; it is in use, so it is not freed.
        call(handle, |_| unsafe {
            Handle::free(handle);
            Ok(0)
        });
        // SAFETY: rule 1 holds.
        unsafe {
            let reader = Handle::shared(handle, "number").expect("it is free");
            assert_eq!(call(handle, |number| Ok(*number)), 7, "readers do not count");
            reader.lend_if(true);
            assert_eq!(call(handle, |number| Ok(*number)), 0, "it is lent");
            assert!(Handle::shared(handle, "number").is_ok());
            // A second reader that ends first, as one on another thread may, gives back its own
            // loan.
            let other = Handle::shared(handle, "number").expect("it may be read");
            other.lend_if(true);
            drop(reader);
            assert_eq!(call(handle, |number| Ok(*number)), 0, "it is lent by the other one");
            drop(other);
            assert_eq!(call(handle, |number| Ok(*number)), 7);
            Handle::free(handle);
        }
    }

    #[test]
    fn nothing_is_no_object() {
        assert_eq!(call(core::ptr::null_mut(), |number| Ok(*number)), 0);
        assert_eq!(crate::failure::last_status(), status::NULL);
        // SAFETY: NULL may be freed.
        unsafe { Handle::<u32>::free(core::ptr::null_mut()) };
    }
}
