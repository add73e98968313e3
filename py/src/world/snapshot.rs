//! Snapshots, copies, hashes, levels, rollback and predictions.
//!
//! In: a world between two steps. Out: bytes, another world that goes on to the same bits, a hash,
//! or where bodies will be.

use std::collections::HashMap;
use std::sync::Mutex;

use carom::prelude::Level;
use carom::{BodyId, JointId, Prediction, Ring, Start, World};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::handles::keys;
use super::{Inner, PyWorld};
use crate::arrays::{row, structured};
use crate::convert::{numbers, vectors};
use crate::errors::{Error, OrRaise, broken};

row! {
    /// Two bodies that will begin to touch.
    MeetingRow {
        body: u64 = "u8",
        other: u64 = "u8",
        shape: u64 = "u8",
        step: u32 = "u4",
        _gap: u32 = "u4",
    }
}

/// Names with the numbers of their ids, as pickle keeps them.
type Numbers = HashMap<String, u64>;

/// A world again from the parts of a pickle.
#[pyfunction]
#[pyo3(name = "_restore")]
pub(crate) fn restore(data: &[u8], bodies: Numbers, joints: Numbers, threads: usize) -> PyResult<PyWorld> {
    crate::errors::guarded(|| {
        let mut world = World::default();
        world.load(data).or_raise()?;
        world.set_threads(super::threads_of(threads)?);
        let bodies = bodies.into_iter().filter_map(|(name, bits)| Some((name, BodyId::from_bits(bits)?)));
        let joints = joints.into_iter().filter_map(|(name, bits)| Some((name, JointId::from_bits(bits)?)));
        let (bodies, joints) = (bodies.collect(), joints.collect());
        Ok(PyWorld::of(Inner { world, bodies, joints }))
    })
}

#[pymethods]
impl PyWorld {
    /// The whole state as bytes, with all shapes: for files and other processes.
    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.heavy(py, |inner| {
            let mut bytes = Vec::new();
            inner.world.save_whole_into(&mut bytes);
            Ok(bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The state as bytes in which large shapes of fixed bodies are only named: for the same world,
    /// or one that was built alike.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.heavy(py, |inner| {
            let mut bytes = Vec::new();
            inner.world.save_into(&mut bytes);
            Ok(bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Becomes the world that was saved. Names stay.
    fn load(&self, py: Python<'_>, data: &[u8]) -> PyResult<()> {
        self.heavy(py, |inner| inner.world.load(data).or_raise())
    }

    /// The world of the bytes that `bytes(world)` returned. It has no names.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<PyWorld> {
        let world = PyWorld::default();
        world.load(py, data)?;
        Ok(world)
    }

    /// A copy that goes on to the same bits, with the same ids and names.
    fn copy(&self, py: Python<'_>) -> PyResult<PyWorld> {
        Ok(PyWorld::of(self.heavy(py, |inner| Ok(inner.clone()))?))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<PyWorld> {
        self.copy(py)
    }

    #[pyo3(signature = (memo, /))]
    fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<PyWorld> {
        let _ = memo;
        self.copy(py)
    }

    /// Becomes a copy of another world, in the memory that it has.
    fn copy_from(&self, py: Python<'_>, other: &Bound<'_, PyWorld>) -> PyResult<()> {
        if std::ptr::eq(self, other.get()) {
            return Ok(());
        }
        self.both(other.get(), py, |own, source| {
            own.world.clone_from(&source.world);
            own.bodies.clone_from(&source.bodies);
            own.joints.clone_from(&source.joints);
            Ok(())
        })
    }

    #[expect(clippy::type_complexity, reason = "a function and its arguments, as pickle wants them")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, Numbers, Numbers, usize))> {
        let (bytes, bodies, joints, threads) = self.heavy(py, |inner| {
            let mut bytes = Vec::new();
            inner.world.save_whole_into(&mut bytes);
            let bodies: Numbers =
                inner.bodies.iter().map(|(name, id)| (name.clone(), id.to_bits())).collect();
            let joints: Numbers =
                inner.joints.iter().map(|(name, id)| (name.clone(), id.to_bits())).collect();
            Ok((bytes, bodies, joints, inner.world.threads()))
        })?;
        let make = py.import("carom._carom")?.getattr("_restore")?;
        Ok((make, (PyBytes::new(py, &bytes), bodies, joints, threads)))
    }

    /// A hash of the whole state in 64 bits, the same on every machine.
    fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.heavy(py, |inner| Ok(inner.world.hash()))
    }

    /// The first difference of two worlds as text, or `None`.
    fn first_difference(&self, py: Python<'_>, other: &Bound<'_, PyWorld>) -> PyResult<Option<String>> {
        if std::ptr::eq(self, other.get()) {
            return Ok(None);
        }
        self.both(other.get(), py, |own, other| {
            Ok(own.world.first_difference(&other.world).map(|difference| difference.to_string()))
        })
    }

    /// The world as a level: JSON of settings, bodies and joints under names, to be edited by hand.
    fn to_level(&self, py: Python<'_>) -> PyResult<String> {
        self.heavy(py, |inner| serde_json::to_string_pretty(&inner.world.to_level()).or_raise())
    }

    /// A world from a level, with the level's names of bodies and joints.
    #[staticmethod]
    fn from_level(py: Python<'_>, text: &str) -> PyResult<PyWorld> {
        py.detach(|| {
            crate::errors::guarded(|| {
                let level: Level = serde_json::from_str(text).or_raise()?;
                let (world, ids) = level.to_world().or_raise()?;
                let bodies = ids.bodies().map(|(name, id)| (name.to_owned(), id)).collect();
                let joints = ids.joints().map(|(name, id)| (name.to_owned(), id)).collect();
                Ok(PyWorld::of(Inner { world, bodies, joints }))
            })
        })
    }

    /// Where bodies will be while all else stands still: an array of shape (steps, bodies, 3) of x,
    /// y and angle. `velocities` and `spins` are initial ones in place of the present ones.
    #[pyo3(signature = (bodies, steps, dt = 1.0 / 60.0, *, velocities = None, spins = None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        bodies: &Bound<'py, PyAny>,
        steps: u32,
        dt: f64,
        velocities: Option<&Bound<'py, PyAny>>,
        spins: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let (ids, prediction) = self.predicted(py, bodies, (steps, dt), velocities, spins)?;
        let mut places = Vec::with_capacity(ids.len() * steps as usize * 3);
        let paths: Vec<_> = ids.iter().map(|id| prediction.path(*id)).collect();
        for step in 0..steps as usize {
            for path in &paths {
                let row = path.get(step).map_or([f32::NAN; 3], |at| {
                    let position = at.position.position();
                    [position.x, position.y, at.rotation.angle()]
                });
                places.extend(row);
            }
        }
        let array = Array3::from_shape_vec((steps as usize, ids.len(), 3), places).or_raise()?;
        Ok(array.into_pyarray(py))
    }

    /// The bodies that predicted bodies will meet, and after how many steps.
    #[pyo3(signature = (bodies, steps, dt = 1.0 / 60.0, *, velocities = None, spins = None))]
    fn predict_meetings<'py>(
        &self,
        py: Python<'py>,
        bodies: &Bound<'py, PyAny>,
        steps: u32,
        dt: f64,
        velocities: Option<&Bound<'py, PyAny>>,
        spins: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (_, prediction) = self.predicted(py, bodies, (steps, dt), velocities, spins)?;
        let rows = prediction.meetings().iter().map(|meeting| MeetingRow {
            body: meeting.body.to_bits(),
            other: meeting.other.to_bits(),
            shape: meeting.shape.to_bits(),
            step: meeting.step,
            _gap: 0,
        });
        structured(py, rows.collect())
    }
}

impl PyWorld {
    fn predicted(
        &self,
        py: Python<'_>,
        bodies: &Bound<'_, PyAny>,
        (steps, dt): (u32, f64),
        velocities: Option<&Bound<'_, PyAny>>,
        spins: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Vec<BodyId>, Prediction)> {
        let keys = keys(bodies)?;
        let velocities = velocities.map(|list| vectors(list, "velocities")).transpose()?;
        let spins = spins.map(|list| numbers(list, keys.len(), "spins")).transpose()?;
        if velocities.as_ref().is_some_and(|list| list.len() != keys.len()) {
            return Err(broken("velocities must have a row for each body"));
        }
        self.heavy(py, |inner| {
            let ids = inner.bodies(&keys)?;
            let starts: Vec<Start> = ids
                .iter()
                .enumerate()
                .map(|(k, &id)| Start {
                    body: id,
                    velocity: velocities.as_ref().map(|list| list[k]),
                    angular_velocity: spins.as_ref().map(|list| list[k] as f32),
                })
                .collect();
            let mut prediction = Prediction::new();
            inner.world.predict(&starts, steps, dt as f32, &mut prediction).or_raise()?;
            Ok((ids, prediction))
        })
    }
}

/// The most frames of a ring.
const MOST_FRAMES: usize = 1 << 16;

/// The last steps of a world, to go back to.
#[pyclass(frozen, name = "Ring", module = "carom")]
pub(crate) struct PyRing {
    ring: Mutex<Ring>,
}

#[pymethods]
impl PyRing {
    #[new]
    fn new(frames: usize) -> PyResult<PyRing> {
        if !(1..=MOST_FRAMES).contains(&frames) {
            return Err(broken(format!("a ring keeps 1 to {MOST_FRAMES} frames")));
        }
        Ok(PyRing { ring: Mutex::new(Ring::new(frames)) })
    }

    /// Keeps the present step of a world.
    fn save(&self, py: Python<'_>, world: &Bound<'_, PyWorld>) -> PyResult<()> {
        let ring = &self.ring;
        world.get().heavy(py, |inner| {
            ring.lock().map_err(|_| Error::new_err("this ring failed inside"))?.save(&inner.world);
            Ok(())
        })
    }

    /// Takes a world back to the state after a step.
    fn load(&self, py: Python<'_>, step: u64, world: &Bound<'_, PyWorld>) -> PyResult<()> {
        let ring = &self.ring;
        world.get().heavy(py, |inner| {
            let mut ring = ring.lock().map_err(|_| Error::new_err("this ring failed inside"))?;
            ring.load(step, &mut inner.world).or_raise()
        })
    }

    /// The steps that are kept.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        py.detach(|| {
            let ring = self.ring.lock().map_err(|_| Error::new_err("this ring failed inside"))?;
            Ok(ring.steps().collect())
        })
    }

    /// The memory of all kept steps, in bytes.
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<usize> {
        py.detach(|| {
            let ring = self.ring.lock().map_err(|_| Error::new_err("this ring failed inside"))?;
            Ok(ring.bytes())
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<carom.Ring: {} steps>", self.steps(py)?.len()))
    }
}
