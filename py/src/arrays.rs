//! Arrays that go back to Python: structured ones from rows, plain ones from numbers.
//!
//! In: a vector of rows, each a plain struct that [`row!`](crate::arrays::row) declared. Out: an
//! array whose memory is that vector, with the fields of the struct as its columns. No Python
//! object is made for a row.

use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A struct that is a row of a structured array.
pub(crate) trait Row: bytemuck::Pod {
    /// The type of the row in NumPy.
    fn dtype(py: Python<'_>) -> PyResult<&Py<PyAny>>;
}

/// Declares a row: its fields, each with NumPy's name of its type. The size must be a multiple of
/// eight bytes; a field that begins with `_` fills a gap and is no column.
macro_rules! row {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty = $format:literal,)* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }

        impl $crate::arrays::Row for $name {
            fn dtype(py: pyo3::Python<'_>) -> pyo3::PyResult<&pyo3::Py<pyo3::PyAny>> {
                static DTYPE: pyo3::sync::PyOnceLock<pyo3::Py<pyo3::PyAny>> =
                    pyo3::sync::PyOnceLock::new();
                DTYPE.get_or_try_init(py, || {
                    let fields = [$((stringify!($field), $format, std::mem::offset_of!($name, $field)),)*];
                    $crate::arrays::dtype(py, &fields, size_of::<$name>())
                })
            }
        }
    };
}

pub(crate) use row;

/// NumPy's type of a row, by the names, types and places of its fields.
pub(crate) fn dtype(py: Python<'_>, fields: &[(&str, &str, usize)], size: usize) -> PyResult<Py<PyAny>> {
    let columns: Vec<_> = fields.iter().filter(|(name, ..)| !name.starts_with('_')).collect();
    let parts = PyDict::new(py);
    parts.set_item("names", PyList::new(py, columns.iter().map(|(name, ..)| name))?)?;
    parts.set_item("formats", PyList::new(py, columns.iter().map(|(_, format, _)| format))?)?;
    parts.set_item("offsets", PyList::new(py, columns.iter().map(|(.., offset)| offset))?)?;
    parts.set_item("itemsize", size)?;
    Ok(py.import("numpy")?.getattr("dtype")?.call1((parts,))?.unbind())
}

/// A structured array that owns `rows`.
pub(crate) fn structured<R: Row>(py: Python<'_>, rows: Vec<R>) -> PyResult<Bound<'_, PyAny>> {
    let words: Vec<u64> = bytemuck::allocation::try_cast_vec(rows)
        .map_err(|(error, _)| PyValueError::new_err(format!("a row of no use: {error}")))?;
    PyArray1::from_vec(py, words).call_method1("view", (R::dtype(py)?,))
}

/// An array of shape (k, N) that owns `rows`.
pub(crate) fn table<'py, T: Element + bytemuck::Pod, const N: usize>(
    py: Python<'py>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let count = rows.len();
    let array = Array2::from_shape_vec((count, N), rows.into_flattened());
    array.map(|array| array.into_pyarray(py)).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An array of one dimension that owns `values`.
pub(crate) fn line<T: Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, values)
}
