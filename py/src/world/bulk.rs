//! Values of all bodies as arrays, and changes of many bodies in one call.
//!
//! In: for changes, bodies and an array with a row for each. Out: arrays whose row is the index of
//! a body, so that `world.positions[ball]` is the ball's; rows without a body are NaN, and 0 in
//! `ids`. The arrays are the caller's own: later steps do not change them. `live.rs` has arrays
//! that do.

use carom::{Body, BodyId, Error, World};
use numpy::{Element, PyArray1, PyArray2, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::handles::keys;
use super::{Inner, PyWorld};
use crate::arrays::{line, table};
use crate::convert::{Pair, numbers, points, vectors};
use crate::errors::{OrRaise, broken};

/// How many rows the arrays of a world have: one more than the greatest index.
fn row_count(world: &World) -> usize {
    world.bodies().last().map_or(0, |(id, _)| id.index() + 1)
}

/// A row for each index, `none` where there is no body.
fn by_index<T: Copy>(world: &World, none: T, value: impl Fn(BodyId, &Body) -> T) -> Vec<T> {
    let mut rows = Vec::with_capacity(world.body_count());
    for (id, body) in world.bodies() {
        rows.resize(id.index(), none);
        rows.push(value(id, body));
    }
    rows
}

/// Position of a body's origin as 32-bit numbers.
pub(super) fn position(body: &Body) -> [f32; 2] {
    body.position().to_array()
}

impl PyWorld {
    fn column<'py, T: Copy + Element + Send>(
        &self,
        py: Python<'py>,
        none: T,
        value: impl Fn(BodyId, &Body) -> T + Send,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        Ok(line(py, self.quick(py, |inner| Ok(by_index(&inner.world, none, value)))?))
    }

    /// Changes many bodies, row by row; the error says which row was refused.
    fn each<V: Copy + Send + Sync>(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        values: Vec<V>,
        change: impl Fn(&mut World, BodyId, V) -> Result<(), Error> + Send + Sync,
    ) -> PyResult<()> {
        let keys = keys(bodies)?;
        if values.len() != keys.len() && values.len() != 1 {
            let text = format!("{} rows for {} bodies", values.len(), keys.len());
            return Err(PyValueError::new_err(text));
        }
        self.heavy(py, |inner| {
            for (row, id) in inner.bodies(&keys)?.into_iter().enumerate() {
                let value = values[row.min(values.len() - 1)];
                change(&mut inner.world, id, value).map_err(|error| broken(format!("row {row}: {error}")))?;
            }
            Ok(())
        })
    }
}

/// Arrays of all bodies.
#[pymethods]
impl PyWorld {
    /// Positions of origins, shape (n, 2).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows =
            self.quick(py, |inner| Ok(by_index(&inner.world, [f32::NAN; 2], |_, body| position(body))))?;
        table(py, rows)
    }

    /// Angles in radians, shape (n,).
    #[getter]
    fn angles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.column(py, f32::NAN, |_, body| body.angle())
    }

    /// Cosines and sines of the angles, shape (n, 2): cheaper than angles.
    #[getter]
    fn rotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = self.quick(py, |inner| {
            let value = |_, body: &Body| [body.rotation().cos, body.rotation().sin];
            Ok(by_index(&inner.world, [f32::NAN; 2], value))
        })?;
        table(py, rows)
    }

    /// Positions and angles, shape (n, 3).
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = self.quick(py, |inner| {
            Ok(by_index(&inner.world, [f32::NAN; 3], |_, body| {
                let [x, y] = position(body);
                [x, y, body.angle()]
            }))
        })?;
        table(py, rows)
    }

    /// Writes positions and angles into an array of shape (n, 3): nothing is allocated.
    fn read_poses(&self, py: Python<'_>, mut out: PyReadwriteArray2<'_, f32>) -> PyResult<()> {
        let mut out = out.as_array_mut();
        self.quick(py, |inner| {
            let count = row_count(&inner.world);
            if out.dim() != (count, 3) {
                return Err(PyValueError::new_err(format!(
                    "the array must have shape ({count}, 3), not {:?}",
                    out.dim()
                )));
            }
            out.fill(f32::NAN);
            for (id, body) in inner.world.bodies() {
                let mut row = out.row_mut(id.index());
                let [x, y] = position(body);
                row.iter_mut().zip([x, y, body.angle()]).for_each(|(place, value)| *place = value);
            }
            Ok(())
        })
    }

    /// Positions relative to `origin`, exact however far out that is, shape (n, 2).
    fn positions_from<'py>(&self, py: Python<'py>, origin: Pair) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let origin = origin.point();
        let rows = self.quick(py, |inner| {
            let value = |_, body: &Body| origin.to(body.world_position()).to_array();
            Ok(by_index(&inner.world, [f32::NAN; 2], value))
        })?;
        table(py, rows)
    }

    /// Velocities of centres of mass, shape (n, 2).
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = self.quick(py, |inner| {
            Ok(by_index(&inner.world, [f32::NAN; 2], |_, body| body.velocity().to_array()))
        })?;
        table(py, rows)
    }

    /// Angular velocities, shape (n,).
    #[getter]
    fn spins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.column(py, f32::NAN, |_, body| body.angular_velocity())
    }

    /// Masses in kg, shape (n,).
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.column(py, f32::NAN, |_, body| body.mass())
    }

    /// Which bodies are awake, shape (n,).
    #[getter]
    fn awake<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.column(py, false, |_, body| body.is_awake())
    }

    /// Ids of bodies by index, 0 where there is none, shape (n,).
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.column(py, 0, |id, _| id.to_bits())
    }

    /// User data of bodies by index, shape (n,).
    #[getter]
    fn user_data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.column(py, 0, |_, body| body.user_data())
    }
}

/// Changes of many bodies: `bodies` are handles, names or ids, and there is a row for each, or one
/// for all.
#[pymethods]
impl PyWorld {
    /// Puts bodies elsewhere.
    #[pyo3(signature = (bodies, positions, angles = None))]
    fn set_positions(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
        angles: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let positions = points(positions, "positions")?;
        let count = positions.len();
        let angles = angles.map(|list| numbers(list, count, "angles")).transpose()?;
        let value = |k: usize| angles.as_ref().map(|angles| angles[k] as f32);
        let values = positions.into_iter().enumerate().map(|(k, at)| (at, value(k))).collect();
        self.each(py, bodies, values, |world, id, (at, angle)| world.teleport(id, at, angle))
    }

    /// Sets velocities of centres of mass.
    fn set_velocities(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        velocities: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let values = vectors(velocities, "velocities")?;
        self.each(py, bodies, values, World::set_velocity)
    }

    /// Sets angular velocities.
    fn set_spins(&self, py: Python<'_>, bodies: &Bound<'_, PyAny>, spins: &Bound<'_, PyAny>) -> PyResult<()> {
        self.each_number(py, bodies, spins, "spins", World::set_angular_velocity)
    }

    /// Pushes bodies at their centres during the next step.
    fn apply_forces(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        forces: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.each(py, bodies, vectors(forces, "forces")?, World::apply_force)
    }

    /// Turns bodies during the next step.
    fn apply_torques(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        torques: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.each_number(py, bodies, torques, "torques", World::apply_torque)
    }

    /// Changes momenta at once.
    fn apply_impulses(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        impulses: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.each(py, bodies, vectors(impulses, "impulses")?, World::apply_impulse)
    }
}

impl PyWorld {
    fn each_number(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        what: &str,
        change: impl Fn(&mut World, BodyId, f32) -> Result<(), Error> + Send + Sync,
    ) -> PyResult<()> {
        let count = if values.len().is_ok() { values.len()? } else { 1 };
        let values = numbers(values, count, what)?;
        self.each(py, bodies, values, move |world, id, value| change(world, id, value as f32))
    }
}

/// The bodies of some keys, which must all be there.
pub(super) fn present(inner: &Inner, keys: &[super::Key]) -> PyResult<Vec<BodyId>> {
    let ids = inner.bodies(keys)?;
    for &id in &ids {
        inner.world.get(id).ok_or(Error::NoSuchBody(id)).or_raise()?;
    }
    Ok(ids)
}
