//! Handles: a body, a collider (a shape on a body) and a joint, each with its world.
//!
//! A handle keeps its world alive, but not the object: an object that was removed is refused by
//! every call. Where a function of a world takes a body, a handle of another world counts by its
//! id, so that handles name the same bodies in copies of a world.

use carom::{BodyId, JointId, ShapeId};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::PyWorld;
use crate::convert::name_of_type;
use crate::errors::broken;

/// A body of a world.
#[pyclass(frozen, name = "Body", module = "carom")]
pub(crate) struct PyBody {
    pub(crate) world: Py<PyWorld>,
    pub(crate) id: BodyId,
}

/// A shape on a body of a world.
#[pyclass(frozen, name = "Collider", module = "carom")]
pub(crate) struct PyCollider {
    pub(crate) world: Py<PyWorld>,
    pub(crate) id: ShapeId,
}

/// A joint of a world.
#[pyclass(frozen, name = "Joint", module = "carom")]
pub(crate) struct PyJoint {
    pub(crate) world: Py<PyWorld>,
    pub(crate) id: JointId,
}

/// A reference to a body: a handle, a name, or the number of its id.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Key {
    Body(BodyId),
    Name(String),
    Bits(u64),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Key {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Key> {
        if let Ok(body) = object.cast::<PyBody>() {
            return Ok(Key::Body(body.get().id));
        }
        if let Ok(name) = object.cast::<PyString>() {
            return Ok(Key::Name(name.to_str()?.to_owned()));
        }
        object.extract::<u64>().map(Key::Bits).map_err(|_| {
            PyTypeError::new_err(format!("expected a body, a name or an id, got {}", name_of_type(&object)))
        })
    }
}

/// Several keys: an array of ids, or any sequence of handles, names and ids.
pub(crate) fn keys(object: &Bound<'_, PyAny>) -> PyResult<Vec<Key>> {
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBody>() {
        return Ok(vec![object.extract()?]);
    }
    let items = object.try_iter().map_err(|_| {
        PyTypeError::new_err(format!("expected bodies, names or ids, got {}", name_of_type(object)))
    })?;
    items.map(|item| item?.extract()).collect()
}

/// A handle's members that all three kinds have.
macro_rules! handle {
    ($handle:ident, $id:ident) => {
        #[pymethods]
        impl $handle {
            /// The world that it is in.
            #[getter]
            fn world(&self, py: Python<'_>) -> Py<PyWorld> {
                self.world.clone_ref(py)
            }

            /// The id as a number above 0, as in arrays of events and answers.
            #[getter]
            fn id(&self) -> u64 {
                self.id.to_bits()
            }

            /// Its row in the arrays of a world; used again after it is removed.
            #[getter]
            fn index(&self) -> usize {
                self.id.index()
            }

            fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
                if let Ok(other) = other.cast::<$handle>() {
                    let other = other.get();
                    return other.id == self.id && other.world.is(&self.world.clone_ref(py));
                }
                other.extract::<u64>().is_ok_and(|bits| bits == self.id.to_bits())
            }

            fn __hash__(&self) -> u64 {
                self.id.to_bits()
            }

            fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (Py<PyWorld>, u64))> {
                let make = py.get_type::<$handle>().getattr("of")?.unbind();
                Ok((make, (self.world.clone_ref(py), self.id.to_bits())))
            }

            /// The handle of an id, whether or not it is still there.
            #[staticmethod]
            fn of(world: Py<PyWorld>, id: u64) -> PyResult<$handle> {
                let id = $id::from_bits(id).ok_or_else(|| broken(format!("{id} is no id")))?;
                Ok($handle { world, id })
            }
        }
    };
}

handle!(PyBody, BodyId);
handle!(PyCollider, ShapeId);
handle!(PyJoint, JointId);
