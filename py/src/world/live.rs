//! Arrays that follow the steps of a world.
//!
//! In: bodies. Out: four arrays with a row for each of them, filled anew at the end of each call of
//! `step`, in place: nothing is allocated, and nobody has to ask. Python sees them read-only. They
//! are NumPy's own memory, so they stay valid for as long as anyone holds them, whatever becomes of
//! the world; after it is gone they keep the last values.
//!
//! A world keeps positions as a region and a place in it, bodies row by row: no array of positions
//! exists in it that could be lent out. So the values are copied, 24 bytes a body and step.

use carom::BodyId;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;

use super::bulk::{position, present};
use super::handles::keys;
use super::{Inner, Key, PyWorld};

/// Arrays of some bodies that follow the steps of their world.
#[pyclass(frozen, name = "Live", module = "carom", weakref)]
pub(crate) struct PyLive {
    bodies: Vec<BodyId>,
    positions: Py<PyArray2<f32>>,
    angles: Py<PyArray1<f32>>,
    velocities: Py<PyArray2<f32>>,
    spins: Py<PyArray1<f32>>,
}

/// The values of a body: position, angle, velocity, spin.
type Values = ([f32; 2], f32, [f32; 2], f32);

impl PyLive {
    fn new(py: Python<'_>, bodies: Vec<BodyId>) -> PyLive {
        let count = bodies.len();
        PyLive {
            bodies,
            positions: PyArray2::zeros(py, [count, 2], false).unbind(),
            angles: PyArray1::zeros(py, [count], false).unbind(),
            velocities: PyArray2::zeros(py, [count, 2], false).unbind(),
            spins: PyArray1::zeros(py, [count], false).unbind(),
        }
    }

    /// Fills the arrays; bodies that are gone have NaN.
    fn fill(&self, py: Python<'_>, inner: &Inner) -> PyResult<()> {
        let mut positions = self.positions.bind(py).try_readwrite()?;
        let mut angles = self.angles.bind(py).try_readwrite()?;
        let mut velocities = self.velocities.bind(py).try_readwrite()?;
        let mut spins = self.spins.bind(py).try_readwrite()?;
        let rows = positions.as_slice_mut()?.chunks_exact_mut(2).zip(angles.as_slice_mut()?);
        let rates = velocities.as_slice_mut()?.chunks_exact_mut(2).zip(spins.as_slice_mut()?);
        for ((&id, (place, angle)), (velocity, spin)) in self.bodies.iter().zip(rows).zip(rates) {
            let (at, turned, speed, turning): Values = match inner.world.get(id) {
                None => ([f32::NAN; 2], f32::NAN, [f32::NAN; 2], f32::NAN),
                Some(body) => {
                    let velocity = body.velocity().to_array();
                    (position(body), body.angle(), velocity, body.angular_velocity())
                }
            };
            place.copy_from_slice(&at);
            velocity.copy_from_slice(&speed);
            (*angle, *spin) = (turned, turning);
        }
        Ok(())
    }
}

/// A view of an array through which nothing can be written.
fn read_only<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = array.call_method0("view")?;
    view.getattr("flags")?.setattr("writeable", false)?;
    Ok(view)
}

#[pymethods]
impl PyLive {
    /// Positions of origins, shape (n, 2).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.positions.bind(py))
    }

    /// Angles in radians, shape (n,).
    #[getter]
    fn angles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.angles.bind(py))
    }

    /// Velocities of centres of mass, shape (n, 2).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.velocities.bind(py))
    }

    /// Angular velocities, shape (n,).
    #[getter]
    fn spins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        read_only(self.spins.bind(py))
    }

    fn __len__(&self) -> usize {
        self.bodies.len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<carom.Live: {} bodies>", self.angles.bind(py).len())
    }
}

impl PyWorld {
    /// Fills the live arrays that somebody still holds, and forgets the others.
    pub(super) fn refresh_live(&self, py: Python<'_>) -> PyResult<()> {
        let held: Vec<Py<PyAny>> = {
            let Ok(mut live) = self.live.lock() else { return Ok(()) };
            if live.is_empty() {
                return Ok(());
            }
            live.retain(|weak| {
                weak.bind(py).cast::<PyWeakrefReference>().is_ok_and(|weak| weak.upgrade().is_some())
            });
            live.iter().map(|weak| weak.clone_ref(py)).collect()
        };
        for weak in held {
            let weak = weak.bind(py).cast::<PyWeakrefReference>()?;
            if let Some(live) = weak.upgrade() {
                let live = live.cast_into::<PyLive>()?;
                self.quick(py, |inner| live.get().fill(py, inner))?;
            }
        }
        Ok(())
    }
}

#[pymethods]
impl PyWorld {
    /// Arrays of bodies that follow the steps; of all bodies that there are now, if none are named.
    #[pyo3(signature = (bodies = None))]
    fn live(&self, py: Python<'_>, bodies: Option<&Bound<'_, PyAny>>) -> PyResult<Py<PyLive>> {
        let keys: Option<Vec<Key>> = bodies.map(keys).transpose()?;
        let ids = self.quick(py, |inner| match &keys {
            Some(keys) => present(inner, keys),
            None => Ok(inner.world.bodies().map(|(id, _)| id).collect()),
        })?;
        let live = Bound::new(py, PyLive::new(py, ids))?;
        self.quick(py, |inner| live.get().fill(py, inner))?;
        let weak = PyWeakrefReference::new(&live)?.into_any().unbind();
        if let Ok(mut list) = self.live.lock() {
            list.push(weak);
        }
        Ok(live.unbind())
    }

    /// Fills the live arrays now: after bodies were moved without a step.
    fn refresh(&self, py: Python<'_>) -> PyResult<()> {
        self.refresh_live(py)
    }
}
