//! A batch of worlds: steps, resets, and the arrays of all worlds.
//!
//! In: actions, an array with a row for each world. Out: observations and ends, arrays that the
//! batch fills in place. They are NumPy's own memory: actions are copied before a step and
//! observations after it, with the GIL, so that no thread of Python sees half of a row, and no step
//! reads a number that a thread of Python is about to change.

use std::sync::{Mutex, MutexGuard};

use carom::{AutoReset, Batch, BatchLayout};
use numpy::{AllowTypeChange, Element, PyArray1, PyArray2, PyArrayLike1, PyArrayLike2, PyArrayMethods};
use numpy::{PyUntypedArrayMethods, ndarray};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::spec::PySpec;
use crate::errors::{OrRaise, broken, guarded};
use crate::world::{Inner, PyWorld};

/// Many small worlds that begin as copies and step together.
#[pyclass(frozen, name = "Batch", module = "carom")]
pub(crate) struct PyBatch {
    batch: Mutex<Batch>,
    actions: Py<PyArray2<f32>>,
    observations: Py<PyArray2<f32>>,
    last: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    ended: Py<PyArray1<i32>>,
}

impl PyBatch {
    fn locked(&self) -> PyResult<MutexGuard<'_, Batch>> {
        self.batch.lock().map_err(|_| broken("this batch failed inside in an earlier call"))
    }

    /// Computes without the GIL.
    fn heavy<R: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Batch) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        py.detach(|| guarded(|| job(&mut *self.locked()?)))
    }

    /// The actions as the batch takes them.
    fn taken_actions(&self, py: Python<'_>) -> PyResult<Vec<f32>> {
        Ok(self.actions.bind(py).try_readonly()?.as_array().iter().copied().collect())
    }

    /// Computes, and fills the arrays with the results, even where a world refused its action.
    fn computed(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Batch) -> Result<(), carom::Error> + Send,
    ) -> PyResult<()> {
        let done = self.heavy(py, |batch| {
            let done = job(batch);
            let observations = batch.columns().1.to_vec();
            let ends = (batch.terminated().to_vec(), batch.truncated().to_vec(), batch.ended().to_vec());
            Ok((done, observations, batch.final_observations().to_vec(), ends))
        })?;
        let (done, observations, last, (terminated, truncated, ended)) = done;
        fill(self.observations.bind(py), &observations)?;
        fill(self.last.bind(py), &last)?;
        fill(self.terminated.bind(py), &terminated)?;
        fill(self.truncated.bind(py), &truncated)?;
        fill(self.ended.bind(py), &ended)?;
        done.or_raise()
    }
}

/// Copies values into an array of as many.
fn fill<T: Element + Copy, D: ndarray::Dimension>(
    array: &Bound<'_, numpy::PyArray<T, D>>,
    values: &[T],
) -> PyResult<()> {
    let mut array = array.try_readwrite()?;
    let places = array.as_slice_mut()?;
    if places.len() == values.len() {
        places.copy_from_slice(values);
    }
    Ok(())
}

/// Which worlds: a mask of truths, or numbers.
enum Chosen {
    All,
    Mask(Vec<bool>),
    List(Vec<usize>),
}

fn chosen(worlds: Option<&Bound<'_, PyAny>>) -> PyResult<Chosen> {
    let Some(worlds) = worlds else { return Ok(Chosen::All) };
    if let Ok(mask) = worlds.extract::<numpy::PyReadonlyArray1<'_, bool>>() {
        return Ok(Chosen::Mask(mask.as_array().to_vec()));
    }
    // Before the numbers: Python's truths are numbers, too.
    if let Ok(mask) = worlds.extract::<Vec<bool>>()
        && !mask.is_empty()
    {
        return Ok(Chosen::Mask(mask));
    }
    let numbers = worlds.try_iter().and_then(|items| items.map(|item| item?.extract()).collect());
    numbers
        .map(Chosen::List)
        .map_err(|_| PyTypeError::new_err("worlds are chosen by an array of truths, or by their numbers"))
}

#[pymethods]
impl PyBatch {
    /// `count` copies of a world, or of several in turn.
    #[new]
    #[pyo3(signature = (
        world, count, spec = None, *, seed = 0, repeat = 1, threads = 1, auto_reset = "never"
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        py: Python<'_>,
        world: &Bound<'_, PyAny>,
        count: usize,
        spec: Option<&Bound<'_, PySpec>>,
        seed: u64,
        repeat: u32,
        threads: usize,
        auto_reset: &str,
    ) -> PyResult<PyBatch> {
        let starts: Vec<Bound<'_, PyWorld>> = match world.cast::<PyWorld>() {
            Ok(world) => vec![world.clone()],
            Err(_) => world
                .try_iter()
                .and_then(|items| items.map(|item| Ok(item?.cast_into::<PyWorld>()?)).collect())
                .map_err(|_| PyTypeError::new_err("expected a world, or a list of worlds"))?,
        };
        let auto_reset = match auto_reset {
            "never" => AutoReset::Never,
            "same_step" => AutoReset::SameStep,
            "next_step" => AutoReset::NextStep,
            _ => {
                let text = format!("auto_reset is 'never', 'same_step' or 'next_step', not '{auto_reset}'");
                return Err(PyValueError::new_err(text));
            }
        };
        if !(1..=1024).contains(&threads) {
            return Err(broken("a batch steps on 1 to 1024 threads"));
        }
        let spec = spec.map(|spec| spec.get().copied()).transpose()?;
        let copies = starts.iter().map(|start| start.get().heavy(py, |inner| Ok(inner.world.clone())));
        let starts: Vec<carom::World> = copies.collect::<PyResult<_>>()?;
        let batch = py.detach(|| {
            guarded(|| {
                let mut batch = Batch::from_starts(&starts, count).or_raise()?;
                if let Some(spec) = &spec {
                    batch = batch.spec(spec).or_raise()?;
                }
                batch = batch.layout(BatchLayout::Rows).seed(seed).repeat(repeat).auto_reset(auto_reset);
                // A pool of its own: the program asked for so many threads, whatever else runs.
                let mut batch = if threads > 1 { batch.own_threads(threads).or_raise()? } else { batch };
                batch.reset_all().or_raise()?;
                Ok(batch)
            })
        })?;
        PyBatch::of(py, batch, count)
    }

    /// How many worlds there are.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.heavy(py, |batch| Ok(batch.len()))
    }

    /// Actions of the next step, shape (worlds, actions): written by the program.
    #[getter]
    fn actions(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.actions.clone_ref(py)
    }

    /// Observations, shape (worlds, observations): filled anew by each step and reset.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.observations.clone_ref(py)
    }

    /// With automatic resets: the last observations of episodes that ended in the last step.
    #[getter]
    fn final_observations(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.last.clone_ref(py)
    }

    /// Which worlds reached an end in the last step, but not the limit of steps.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.terminated.clone_ref(py)
    }

    /// Which worlds reached the limit of steps.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    /// The number of the end that each world reached: -1 for none, 2147483647 for the limit of
    /// steps.
    #[getter]
    fn ended(&self, py: Python<'_>) -> Py<PyArray1<i32>> {
        self.ended.clone_ref(py)
    }

    /// Steps all worlds, or some by a mask or a list of numbers. `actions` are written first, if
    /// they are given.
    #[pyo3(signature = (dt = 1.0 / 60.0, actions = None, *, worlds = None))]
    fn step(
        &self,
        py: Python<'_>,
        dt: f64,
        actions: Option<PyArrayLike2<'_, f32, AllowTypeChange>>,
        worlds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let chosen = chosen(worlds)?;
        if let Some(given) = actions {
            let own = self.actions.bind(py);
            if given.shape() != own.shape() {
                return Err(PyValueError::new_err(format!(
                    "actions must have shape {:?}, not {:?}",
                    own.shape(),
                    given.shape()
                )));
            }
            let values: Vec<f32> = given.as_array().iter().copied().collect();
            drop(given);
            fill(own, &values)?;
        }
        let actions = self.taken_actions(py)?;
        self.computed(py, move |batch| {
            batch.columns().0.copy_from_slice(&actions);
            match &chosen {
                Chosen::All => batch.step(dt as f32),
                Chosen::Mask(mask) => batch.step_mask(mask, dt as f32),
                Chosen::List(list) => batch.step_list(list, dt as f32),
            }
        })
    }

    /// Resets all worlds, or some by a mask or a list of numbers, each varied by its next seed. A
    /// new `seed` starts the count of resets anew.
    #[pyo3(signature = (worlds = None, *, seed = None))]
    fn reset(&self, py: Python<'_>, worlds: Option<&Bound<'_, PyAny>>, seed: Option<u64>) -> PyResult<()> {
        let chosen = chosen(worlds)?;
        self.computed(py, |batch| {
            if let Some(seed) = seed {
                batch.set_seed(seed);
            }
            match &chosen {
                Chosen::All => batch.reset_all(),
                Chosen::Mask(mask) => batch.reset(mask),
                Chosen::List(list) => batch.reset_list(list),
            }
        })
    }

    /// The number of the start world that each world began as, shape (worlds,).
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let starts: Vec<u64> = self.heavy(py, |batch| {
            Ok((0..batch.len())
                .filter_map(|number| batch.start_of(number))
                .map(|start| start as u64)
                .collect())
        })?;
        Ok(PyArray1::from_vec(py, starts))
    }

    /// Chooses the start world that each world begins as from its next reset on, by its number in
    /// the list that the batch was made of.
    fn set_starts(&self, py: Python<'_>, starts: PyArrayLike1<'_, i64, AllowTypeChange>) -> PyResult<()> {
        let starts: Vec<i64> = starts.as_array().iter().copied().collect();
        self.heavy(py, |batch| {
            if starts.len() != batch.len() {
                let text = format!("starts must have shape [{}], not [{}]", batch.len(), starts.len());
                return Err(PyValueError::new_err(text));
            }
            // No number below 0 is that of a start world, nor is the greatest there is.
            let starts = starts.iter().map(|&start| usize::try_from(start).unwrap_or(usize::MAX));
            starts.enumerate().try_for_each(|(number, start)| batch.set_start(number, start).or_raise())
        })
    }

    /// A copy of one world.
    fn __getitem__(&self, py: Python<'_>, number: usize) -> PyResult<PyWorld> {
        let world = self.heavy(py, |batch| Ok(batch.world(number).cloned()))?;
        let world = world.ok_or_else(|| PyIndexError::new_err("there is no such world in this batch"))?;
        Ok(PyWorld::of(Inner { world, ..Inner::default() }))
    }

    /// The state of one world as bytes, with its place in its episode.
    fn save<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.heavy(py, |batch| {
            let mut bytes = Vec::new();
            Ok(batch.save(number, &mut bytes).then_some(bytes))
        })?;
        let bytes = bytes.ok_or_else(|| PyIndexError::new_err("there is no such world in this batch"))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Brings a saved state into one world, from the same or another world of such a batch.
    fn load(&self, py: Python<'_>, number: usize, data: &[u8]) -> PyResult<()> {
        self.heavy(py, |batch| batch.load(number, data).or_raise())?;
        self.computed(py, |_| Ok(()))
    }

    /// Hashes of all worlds, shape (worlds,).
    fn hashes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let hashes: Vec<u64> = self.heavy(py, |batch| {
            Ok((0..batch.len()).filter_map(|number| batch.world(number)).map(carom::World::hash).collect())
        })?;
        Ok(PyArray1::from_vec(py, hashes))
    }

    /// The seed by which a world was varied last.
    fn seed_of(&self, py: Python<'_>, number: usize) -> PyResult<u64> {
        let seed = self.heavy(py, |batch| Ok(batch.seed_of(number)))?;
        seed.ok_or_else(|| PyIndexError::new_err("there is no such world in this batch"))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let widths = (self.actions.bind(py).shape()[1], self.observations.bind(py).shape()[1]);
        let count = self.actions.bind(py).shape()[0];
        Ok(format!("<carom.Batch: {count} worlds, {} actions, {} observations>", widths.0, widths.1))
    }
}

impl PyBatch {
    /// The batch with its arrays.
    fn of(py: Python<'_>, mut batch: Batch, count: usize) -> PyResult<PyBatch> {
        let (actions, seen) = {
            let (actions, seen) = batch.columns();
            (actions.len() / count, seen.len() / count)
        };
        let last = batch.final_observations().len() / count;
        let own = PyBatch {
            batch: Mutex::new(batch),
            actions: PyArray2::zeros(py, [count, actions], false).unbind(),
            observations: PyArray2::zeros(py, [count, seen], false).unbind(),
            last: PyArray2::zeros(py, [count, last], false).unbind(),
            terminated: PyArray1::zeros(py, [count], false).unbind(),
            truncated: PyArray1::zeros(py, [count], false).unbind(),
            ended: PyArray1::zeros(py, [count], false).unbind(),
        };
        own.computed(py, |_| Ok(()))?;
        Ok(own)
    }
}
