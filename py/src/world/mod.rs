//! The class `World`: a world behind a lock, with its settings and its step.
//!
//! In: calls from any thread of Python. Out: changes of the world, arrays, handles. A frozen class,
//! whose lock is inside:
//!
//! * [`PyWorld::heavy`] releases the GIL, takes the lock and computes: steps, queries in bulk,
//!   snapshots, predictions;
//! * [`PyWorld::quick`] takes the lock while it holds the GIL, if it is free, and for no longer
//!   than a few microseconds. If another thread computes in the world, it waits without the GIL.
//!
//! Nothing calls back into Python while the lock is held, so that no two threads wait for each
//! other. A panic becomes `carom.Error`, and the world refuses every later call.
//!
//! ```text
//!   add.rs      bodies into a world, and out of it    handles.rs  Body, Collider, Joint
//!   body.rs     a body's values and forces            bulk.rs     values of all bodies as arrays
//!   collider.rs a shape on a body                     joints.rs   joints of all kinds
//!   queries.rs  rays, casts, overlaps, nearest        events.rs   events and contacts
//!   snapshot.rs bytes, copies, hashes, predictions    live.rs     arrays that follow the steps
//! ```

mod add;
mod areas;
mod body;
mod bulk;
mod collider;
mod events;
mod handles;
mod joint_options;
mod joints;
mod live;
mod mover;
mod queries;
mod snapshot;

pub(crate) use areas::PyArea;
pub(crate) use events::PyEvents;
pub(crate) use handles::{Key, PyBody, PyCollider, PyJoint};
pub(crate) use joints::PyJointState;
pub(crate) use live::PyLive;
pub(crate) use mover::{PyMove, PyMover};
pub(crate) use snapshot::{PyRing, restore};

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, TryLockError};

use carom::{BodyId, Error, IVec2, JointId, World, WorldDef};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{Pair, tuple};
use crate::errors::{OrRaise, broken, guarded};

/// A world, and the names of its bodies and joints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inner {
    pub(crate) world: World,
    pub(crate) bodies: HashMap<String, BodyId>,
    pub(crate) joints: HashMap<String, JointId>,
}

impl Inner {
    /// The body that a key names. Whether it is still there is for the world to say.
    pub(crate) fn body(&self, key: &Key) -> PyResult<BodyId> {
        match key {
            Key::Body(id) => Ok(*id),
            Key::Bits(bits) => {
                BodyId::from_bits(*bits).ok_or_else(|| broken(format!("{bits} is the id of no body")))
            }
            Key::Name(name) => {
                self.bodies.get(name).copied().ok_or_else(|| PyKeyError::new_err(name.clone()))
            }
        }
    }

    pub(crate) fn bodies(&self, keys: &[Key]) -> PyResult<Vec<BodyId>> {
        keys.iter().map(|key| self.body(key)).collect()
    }

    /// The name of a body, if it has one.
    pub(crate) fn name_of(&self, id: BodyId) -> Option<String> {
        self.bodies.iter().find(|(_, known)| **known == id).map(|(name, _)| name.clone())
    }

    /// Refuses a name that another body or joint has, whose owner is still there.
    fn check_name(&self, name: &str) -> PyResult<()> {
        let taken = self.bodies.get(name).is_some_and(|id| self.world.get(*id).is_some())
            || self.joints.get(name).is_some_and(|id| self.world.get_joint(*id).is_some());
        if taken { Err(broken(format!("there is a '{name}' in this world"))) } else { Ok(()) }
    }
}

/// A world of rigid bodies.
#[pyclass(frozen, name = "World", module = "carom", weakref)]
#[derive(Default)]
pub(crate) struct PyWorld {
    inner: Mutex<Inner>,
    /// Arrays to be refreshed after each step.
    live: Mutex<Vec<Py<PyAny>>>,
}

const FAILED: &str = "this world failed inside in an earlier call, and takes no more";

impl PyWorld {
    pub(crate) fn of(inner: Inner) -> PyWorld {
        PyWorld { inner: Mutex::new(inner), live: Mutex::default() }
    }

    fn locked(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.inner.lock().map_err(|_| broken(FAILED))
    }

    /// Computes without the GIL.
    pub(crate) fn heavy<R: Send>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Inner) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        let (mut job, mut out) = (Some(job), None);
        self.heavily(py, &mut |inner| {
            out = job.take().map(|job| job(inner)).transpose()?;
            Ok(())
        })?;
        out.ok_or_else(|| broken(FAILED))
    }

    /// [`PyWorld::heavy`] without types of its own: one piece of machine code for all calls.
    fn heavily(
        &self,
        py: Python<'_>,
        job: &mut (dyn FnMut(&mut Inner) -> PyResult<()> + Send),
    ) -> PyResult<()> {
        py.detach(|| guarded(|| job(&mut *self.locked()?)))
    }

    /// Computes with two different worlds, without the GIL. Locks are taken in the order of
    /// addresses, so that no two threads wait for each other.
    pub(crate) fn both<R: Send>(
        &self,
        other: &PyWorld,
        py: Python<'_>,
        job: impl FnOnce(&mut Inner, &mut Inner) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            guarded(|| {
                if std::ptr::from_ref(self) < std::ptr::from_ref(other) {
                    let (mut own, mut others) = (self.locked()?, other.locked()?);
                    job(&mut own, &mut others)
                } else {
                    let (mut others, mut own) = (other.locked()?, self.locked()?);
                    job(&mut own, &mut others)
                }
            })
        })
    }

    /// Reads or changes a little, with the GIL.
    pub(crate) fn quick<R>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut Inner) -> PyResult<R>,
    ) -> PyResult<R> {
        let (mut job, mut out) = (Some(job), None);
        self.quickly(py, &mut |inner| {
            out = job.take().map(|job| job(inner)).transpose()?;
            Ok(())
        })?;
        out.ok_or_else(|| broken(FAILED))
    }

    fn quickly(&self, py: Python<'_>, job: &mut dyn FnMut(&mut Inner) -> PyResult<()>) -> PyResult<()> {
        guarded(|| {
            loop {
                match self.inner.try_lock() {
                    Ok(mut inner) => return job(&mut inner),
                    Err(TryLockError::Poisoned(_)) => return Err(broken(FAILED)),
                    // Waits until the other thread is done, and tries again with the GIL.
                    Err(TryLockError::WouldBlock) => py.detach(|| drop(self.inner.lock())),
                }
            }
        })
    }

    /// [`PyWorld::quick`] for a call that changes the world.
    pub(crate) fn change<R>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut World) -> Result<R, Error>,
    ) -> PyResult<R> {
        self.quick(py, |inner| job(&mut inner.world).or_raise())
    }
}

/// The definition of a world by the keywords that were given.
#[derive(Default)]
struct Settings {
    gravity: Option<Pair>,
    sub_steps: Option<u32>,
    max_speed: Option<f64>,
    sleep: Option<bool>,
    continuous: Option<bool>,
    sleep_speed: Option<f64>,
    sleep_time: Option<f64>,
    hit_speed: Option<f64>,
    unit: Option<f64>,
    period: Option<(i32, i32)>,
}

impl Settings {
    /// `base` with the given settings; lengths that are still the defaults follow the unit.
    fn over(&self, base: WorldDef) -> WorldDef {
        let base = match self.unit {
            Some(unit) => base.unit(unit as f32),
            None => base,
        };
        let own = |given: Option<f64>, old: f32| given.map_or(old, |given| given as f32);
        WorldDef {
            gravity: self.gravity.map_or(base.gravity, Pair::vector),
            sub_steps: self.sub_steps.unwrap_or(base.sub_steps),
            max_speed: own(self.max_speed, base.max_speed),
            sleep: self.sleep.unwrap_or(base.sleep),
            continuous: self.continuous.unwrap_or(base.continuous),
            sleep_speed: own(self.sleep_speed, base.sleep_speed),
            sleep_time: own(self.sleep_time, base.sleep_time),
            hit_speed: own(self.hit_speed, base.hit_speed),
            unit: base.unit,
            period: self.period.map_or(base.period, |(x, y)| IVec2::new(x, y)),
        }
    }
}

#[pymethods]
impl PyWorld {
    #[new]
    #[pyo3(signature = (
        gravity = None, *, sub_steps = None, max_speed = None, sleep = None, continuous = None,
        sleep_speed = None, sleep_time = None, hit_speed = None, unit = None, period = None, threads = 1
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        gravity: Option<Pair>,
        sub_steps: Option<u32>,
        max_speed: Option<f64>,
        sleep: Option<bool>,
        continuous: Option<bool>,
        sleep_speed: Option<f64>,
        sleep_time: Option<f64>,
        hit_speed: Option<f64>,
        unit: Option<f64>,
        period: Option<(i32, i32)>,
        threads: usize,
    ) -> PyResult<PyWorld> {
        let settings = Settings {
            gravity,
            sub_steps,
            max_speed,
            sleep,
            continuous,
            sleep_speed,
            sleep_time,
            hit_speed,
            unit,
            period,
        };
        guarded(|| {
            // The unit by itself first: it changes the defaults of others, which would be blamed.
            let alone = WorldDef { unit: unit.unwrap_or(1.0) as f32, ..WorldDef::default() };
            World::try_new(alone).or_raise()?;
            let mut world = World::try_new(settings.over(WorldDef::default())).or_raise()?;
            world.set_threads(threads_of(threads)?);
            Ok(PyWorld::of(Inner { world, ..Inner::default() }))
        })
    }

    /// Steps `count` times by `dt` seconds. Events are from the last step.
    #[pyo3(signature = (dt = 1.0 / 60.0, count = 1))]
    fn step(&self, py: Python<'_>, dt: f64, count: u32) -> PyResult<()> {
        self.heavy(py, |inner| {
            (0..count).try_for_each(|_| inner.world.step(dt as f32).map(drop)).or_raise()
        })?;
        self.refresh_live(py)
    }

    /// The settings as a dictionary of the keywords of `World`.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (def, threads) = self.quick(py, |inner| Ok((*inner.world.def(), inner.world.threads())))?;
        let settings = PyDict::new(py);
        settings.set_item("gravity", tuple(def.gravity))?;
        settings.set_item("sub_steps", def.sub_steps)?;
        settings.set_item("max_speed", f64::from(def.max_speed))?;
        settings.set_item("sleep", def.sleep)?;
        settings.set_item("continuous", def.continuous)?;
        settings.set_item("sleep_speed", f64::from(def.sleep_speed))?;
        settings.set_item("sleep_time", f64::from(def.sleep_time))?;
        settings.set_item("hit_speed", f64::from(def.hit_speed))?;
        settings.set_item("unit", f64::from(def.unit))?;
        settings.set_item("period", (def.period.x, def.period.y))?;
        settings.set_item("threads", threads)?;
        Ok(settings)
    }

    /// Changes settings; all others stay.
    #[pyo3(signature = (
        *, gravity = None, sub_steps = None, max_speed = None, sleep = None, continuous = None,
        sleep_speed = None, sleep_time = None, hit_speed = None, threads = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn configure(
        &self,
        py: Python<'_>,
        gravity: Option<Pair>,
        sub_steps: Option<u32>,
        max_speed: Option<f64>,
        sleep: Option<bool>,
        continuous: Option<bool>,
        sleep_speed: Option<f64>,
        sleep_time: Option<f64>,
        hit_speed: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let (unit, period) = (None, None);
        let settings = Settings {
            gravity,
            sub_steps,
            max_speed,
            sleep,
            continuous,
            sleep_speed,
            sleep_time,
            hit_speed,
            unit,
            period,
        };
        let threads = threads.map(threads_of).transpose()?;
        self.change(py, |world| {
            world.set_def(settings.over(*world.def()))?;
            threads.into_iter().for_each(|threads| world.set_threads(threads));
            Ok(())
        })
    }

    /// Acceleration of every dynamic body.
    #[getter]
    fn gravity(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        self.quick(py, |inner| Ok(tuple(inner.world.def().gravity)))
    }

    #[setter]
    fn set_gravity(&self, py: Python<'_>, gravity: Pair) -> PyResult<()> {
        self.change(py, |world| world.set_gravity(gravity.vector()))
    }

    /// How many steps were taken.
    #[getter]
    fn step_count(&self, py: Python<'_>) -> PyResult<u64> {
        self.quick(py, |inner| Ok(inner.world.step_count()))
    }

    /// Counts of the last step: awake bodies, pairs, contacts, islands.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = self.quick(py, |inner| Ok(inner.world.stats()))?;
        let counts = PyDict::new(py);
        counts.set_item("awake", stats.awake)?;
        counts.set_item("pairs", stats.pairs)?;
        counts.set_item("contacts", stats.contacts)?;
        counts.set_item("islands", stats.islands)?;
        Ok(counts)
    }

    /// Checks every invariant of the world; raises `carom.Error` where one does not hold.
    fn validate(&self, py: Python<'_>) -> PyResult<()> {
        self.heavy(py, |inner| inner.world.validate().or_raise())
    }

    /// How many bodies there are.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.quick(py, |inner| Ok(inner.world.body_count()))
    }

    /// A world is true, however many bodies it has.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let counts = |inner: &mut Inner| {
            let world = &inner.world;
            Ok((world.body_count(), world.joint_count(), world.step_count()))
        };
        let (bodies, joints, steps) = self.quick(py, counts)?;
        Ok(format!("<carom.World: {bodies} bodies, {joints} joints, {steps} steps>"))
    }
}

/// A number of threads that a step may use.
fn threads_of(count: usize) -> PyResult<usize> {
    match count {
        1..=1024 => Ok(count),
        _ => Err(broken("a world steps on 1 to 1024 threads")),
    }
}
