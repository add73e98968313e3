//! Errors: a broken rule becomes `carom.Error`, and so does a panic.
//!
//! In: errors of carom and carom-nav, and closures that may panic. Out: `carom.Error`, a
//! `ValueError` whose text is the rule that was broken. Called by every function that Python sees.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::world::PyWorld;

pyo3::create_exception!(carom, Error, PyValueError, "A rule was broken; the text says which.");

/// Conversion into `carom.Error`.
pub(crate) trait OrRaise<T> {
    /// The value, or `carom.Error` with the text of the error.
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: std::fmt::Display> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| Error::new_err(error.to_string()))
    }
}

/// `carom.Error` with a rule.
pub(crate) fn broken(rule: impl Into<String>) -> PyErr {
    Error::new_err(rule.into())
}

/// Runs `job`, and makes `carom.Error` of a panic: an error in the library itself. Python then sees
/// an exception that it can catch as any other.
pub(crate) fn guarded<R>(job: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    match catch_unwind(AssertUnwindSafe(job)) {
        Ok(result) => result,
        Err(cause) => {
            let text = cause
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| cause.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            Err(broken(format!("carom failed inside, which is an error in carom: {text}")))
        }
    }
}

/// Panics, for the tests: in the call itself, or while it holds a world.
#[pyfunction]
#[pyo3(name = "_fail_inside", signature = (world = None))]
#[expect(clippy::panic, reason = "what the test is about")]
pub(crate) fn fail_inside(py: Python<'_>, world: Option<&Bound<'_, PyWorld>>) -> PyResult<()> {
    match world {
        None => guarded(|| panic!("on purpose")),
        Some(world) => world.get().heavy(py, |_| panic!("on purpose")),
    }
}
