//! Joints of all kinds, and the members of the handle `Joint`.

use carom::{Error, JointDef, JointId, JointKind, Motor, World};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::handles::{PyBody, PyJoint};
use super::joint_options::{apply, spring};
use super::{Inner, Key, PyWorld};
use crate::arrays::{row, structured};
use crate::convert::{Pair, tuple, xy};
use crate::errors::OrRaise;

row! {
    /// The state of a joint, as an array has it.
    JointRow {
        joint: u64 = "u8",
        angle: f32 = "f4",
        angular_speed: f32 = "f4",
        length: f32 = "f4",
        speed: f32 = "f4",
        force: [f32; 2] = "2f4",
        torque: f32 = "f4",
        gap: f32 = "f4",
    }
}

/// The state of a joint at the end of the last step.
#[pyclass(frozen, get_all, name = "JointState", module = "carom")]
pub(crate) struct PyJointState {
    anchor_a: (f64, f64),
    anchor_b: (f64, f64),
    gap: f64,
    twist: f64,
    angle: f64,
    angular_speed: f64,
    length: f64,
    speed: f64,
    force: (f64, f64),
    torque: f64,
    stored: f64,
}

#[pymethods]
impl PyJointState {
    fn __repr__(&self) -> String {
        format!("JointState(angle={}, length={}, force={:?})", self.angle, self.length, self.force)
    }
}

/// The name of a joint's kind.
fn kind_of(kind: &JointKind) -> &'static str {
    match kind {
        JointKind::Revolute => "revolute",
        JointKind::Prismatic { .. } => "prismatic",
        JointKind::Distance { .. } => "distance",
        JointKind::Rope => "rope",
        JointKind::Weld { .. } => "weld",
        JointKind::Wheel { .. } => "wheel",
        JointKind::Motor { .. } => "motor_to",
        JointKind::Friction { .. } => "friction",
        JointKind::Gear { .. } => "gear",
        JointKind::Pulley { .. } => "pulley",
        JointKind::Filter => "filter",
        _ => "other",
    }
}

impl PyWorld {
    /// Adds a joint between two bodies; `make` is given their ids.
    fn joint(
        slf: &Bound<'_, Self>,
        bodies: (Option<Key>, Option<Key>),
        given: Option<&Bound<'_, PyDict>>,
        make: impl FnOnce(Option<carom::BodyId>, carom::BodyId) -> JointDef,
    ) -> PyResult<PyJoint> {
        // Keywords are read before the lock is taken: they are Python's.
        let none = JointDef::rope(None, nobody()?, 1.0).body_b;
        let ids = |inner: &Inner| -> PyResult<_> {
            let a = bodies.0.as_ref().map(|key| inner.body(key)).transpose()?;
            let b = bodies.1.as_ref().map(|key| inner.body(key)).transpose()?;
            Ok((a, b.unwrap_or(none)))
        };
        let (a, b) = slf.get().quick(slf.py(), |inner| ids(inner))?;
        let (def, name) = apply(make(a, b), given)?;
        let id = slf.get().quick(slf.py(), |inner| {
            name.as_deref().map_or(Ok(()), |name| inner.check_name(name))?;
            let id = inner.world.add_joint(def).or_raise()?;
            if let Some(name) = name {
                inner.joints.insert(name, id);
            }
            Ok(id)
        })?;
        Ok(PyJoint { world: slf.clone().unbind(), id })
    }
}

/// The id of a body that was never given out: for gears, whose joints say which bodies they join.
fn nobody() -> PyResult<carom::BodyId> {
    let bits = u64::MAX;
    carom::BodyId::from_bits(bits).ok_or_else(|| crate::errors::broken("no such id"))
}

/// Joints, each kind by its name. `None` for the first body is the world.
#[pymethods]
impl PyWorld {
    /// A hinge: a point of each body stays with that of the other, and `b` turns about it.
    #[pyo3(signature = (a, b, **options))]
    fn revolute(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (a, Some(b)), options, JointDef::revolute)
    }

    /// A slider: `b` moves along `axis`, given in the frame of `a`.
    #[pyo3(signature = (a, b, axis = Pair(1.0, 0.0), **options))]
    fn prismatic(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        axis: Pair,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (a, Some(b)), options, |a, b| JointDef::prismatic(a, b, axis.vector()))
    }

    /// A rod: it keeps the distance of its anchors, or `length`; a spring with `soft`.
    #[pyo3(signature = (a, b, **options))]
    fn distance(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (a, Some(b)), options, JointDef::distance)
    }

    /// A rope: the anchors are at most `length` metres apart.
    #[pyo3(signature = (a, b, length, **options))]
    fn rope(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        length: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (a, Some(b)), options, |a, b| JointDef::rope(a, b, length as f32))
    }

    /// A weld: `b` keeps its place and angle against `a`.
    #[pyo3(signature = (a, b, **options))]
    fn weld(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (a, Some(b)), options, JointDef::weld)
    }

    /// A wheel `b` under a car `a`, sprung along `axis`; a spring is (hertz, damping).
    #[pyo3(signature = (a, b, axis = Pair(0.0, 1.0), spring = (4.0, 0.7), **options))]
    fn wheel(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        axis: Pair,
        spring: (f64, f64),
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        let spring = self::spring(spring);
        PyWorld::joint(slf, (a, Some(b)), options, |a, b| JointDef::wheel(a, b, axis.vector(), spring))
    }

    /// Moves `b` to the place and turn of `a` by a spring.
    #[pyo3(signature = (a, b, spring = (5.0, 1.0), **options))]
    fn motor_to(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        spring: (f64, f64),
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        let spring = self::spring(spring);
        PyWorld::joint(slf, (a, Some(b)), options, |a, b| JointDef::motor_to(a, b, spring))
    }

    /// Drags a body by the point of it that is at `point` now, as a mouse does.
    #[pyo3(signature = (body, point, max_force, **options))]
    fn drag(
        slf: &Bound<'_, Self>,
        body: Key,
        point: Pair,
        max_force: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (None, Some(body)), options, |_, body| {
            JointDef::drag(body, point.point(), max_force as f32)
        })
    }

    /// Friction between two bodies wherever they are: for things seen from above.
    #[pyo3(signature = (a, b, max_force, max_torque = 0.0, **options))]
    fn friction(
        slf: &Bound<'_, Self>,
        a: Option<Key>,
        b: Key,
        max_force: f64,
        max_torque: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (a, Some(b)), options, |a, b| {
            JointDef::friction(a, b, max_force as f32, max_torque as f32)
        })
    }

    /// Couples two hinges or sliders: q of the first + ratio × q of the second stays constant.
    #[pyo3(signature = (first, second, ratio = 1.0, **options))]
    fn gear(
        slf: &Bound<'_, Self>,
        first: &PyJoint,
        second: &PyJoint,
        ratio: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        let (first, second) = (first.id, second.id);
        PyWorld::joint(slf, (None, None), options, |_, _| JointDef::gear(first, second, ratio as f32))
    }

    /// A rope from `a` over two points of the world to `b`.
    #[pyo3(signature = (a, b, ground_a, ground_b, ratio = 1.0, **options))]
    fn pulley(
        slf: &Bound<'_, Self>,
        a: Key,
        b: Key,
        ground_a: Pair,
        ground_b: Pair,
        ratio: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (Some(a), Some(b)), options, |a, b| {
            let (ground_a, ground_b) = (ground_a.point(), ground_b.point());
            let a = a.unwrap_or(b);
            JointDef::pulley(a, b, ground_a, ground_b, ratio as f32)
        })
    }

    /// Keeps two bodies from touching each other.
    #[pyo3(signature = (a, b, **options))]
    fn no_contact(
        slf: &Bound<'_, Self>,
        a: Key,
        b: Key,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyJoint> {
        PyWorld::joint(slf, (Some(a), Some(b)), options, |a, b| JointDef::filter(a.unwrap_or(b), b))
    }

    /// All joints.
    #[getter]
    fn joints(slf: &Bound<'_, Self>) -> PyResult<Vec<PyJoint>> {
        let ids: Vec<JointId> =
            slf.get().quick(slf.py(), |inner| Ok(inner.world.joints().map(|(id, _)| id).collect()))?;
        Ok(ids.into_iter().map(|id| PyJoint { world: slf.clone().unbind(), id }).collect())
    }

    /// The joint of a name.
    fn joint_named(slf: &Bound<'_, Self>, name: &str) -> PyResult<PyJoint> {
        let id = slf.get().quick(slf.py(), |inner| {
            let id = inner.joints.get(name).filter(|id| inner.world.get_joint(**id).is_some());
            id.copied().ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(name.to_owned()))
        })?;
        Ok(PyJoint { world: slf.clone().unbind(), id })
    }

    /// The states of all joints: a structured array.
    #[getter]
    fn joint_states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.quick(py, |inner| {
            let ids: Vec<JointId> = inner.world.joints().map(|(id, _)| id).collect();
            Ok(ids.into_iter().filter_map(|id| Some(row_of(id, inner.world.joint_state(id)?))).collect())
        })?;
        structured(py, rows)
    }
}

fn row_of(id: JointId, state: carom::JointState) -> JointRow {
    JointRow {
        joint: id.to_bits(),
        angle: state.angle,
        angular_speed: state.angular_speed,
        length: state.length,
        speed: state.speed,
        force: state.force.to_array(),
        torque: state.torque,
        gap: state.gap,
    }
}

impl PyJoint {
    fn read<R>(&self, py: Python<'_>, job: impl FnOnce(&carom::Joint) -> R) -> PyResult<R> {
        let id = self.id;
        self.world
            .get()
            .quick(py, |inner| inner.world.get_joint(id).map(job).ok_or(Error::NoSuchJoint(id)).or_raise())
    }

    fn set<R>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut World, JointId) -> Result<R, Error>,
    ) -> PyResult<R> {
        self.world.get().change(py, |world| job(world, self.id))
    }
}

#[pymethods]
impl PyJoint {
    /// The kind, as the function of the world that makes it.
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py, |joint| kind_of(&joint.def().kind))
    }

    /// Its first body; `None` for the world.
    #[getter]
    fn body_a(&self, py: Python<'_>) -> PyResult<Option<PyBody>> {
        let id = self.read(py, |joint| joint.def().body_a)?;
        Ok(id.map(|id| PyBody { world: self.world.clone_ref(py), id }))
    }

    /// Its second body.
    #[getter]
    fn body_b(&self, py: Python<'_>) -> PyResult<PyBody> {
        let id = self.read(py, |joint| joint.def().body_b)?;
        Ok(PyBody { world: self.world.clone_ref(py), id })
    }

    /// Its name, if it has one.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.world.get().quick(py, |inner| {
            Ok(inner.joints.iter().find(|(_, id)| **id == self.id).map(|(name, _)| name.clone()))
        })
    }

    /// Whether it is still in its world.
    #[getter]
    fn exists(&self, py: Python<'_>) -> PyResult<bool> {
        self.world.get().quick(py, |inner| Ok(inner.world.get_joint(self.id).is_some()))
    }

    /// Angle, length, speeds, force and torque at the end of the last step.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<PyJointState> {
        let state = self.set(py, |world, id| world.joint_state(id).ok_or(Error::NoSuchJoint(id)))?;
        Ok(PyJointState {
            anchor_a: xy(state.anchor_a),
            anchor_b: xy(state.anchor_b),
            gap: state.gap.into(),
            twist: state.twist.into(),
            angle: state.angle.into(),
            angular_speed: state.angular_speed.into(),
            length: state.length.into(),
            speed: state.speed.into(),
            force: tuple(state.force),
            torque: state.torque.into(),
            stored: state.stored.into(),
        })
    }

    /// Whether it acts.
    #[getter]
    fn enabled(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, carom::Joint::is_enabled)
    }

    #[setter]
    fn set_enabled(&self, py: Python<'_>, enabled: bool) -> PyResult<()> {
        self.set(py, |world, id| world.set_joint_enabled(id, enabled))
    }

    /// The motor of its free axis: (speed, greatest force or torque), or `None`.
    #[getter]
    fn motor(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        let motor = self.read(py, |joint| joint.def().drive.motor)?;
        Ok(motor.map(|motor| (motor.speed.into(), motor.max.into())))
    }

    #[setter]
    fn set_motor(&self, py: Python<'_>, motor: Option<(f64, f64)>) -> PyResult<()> {
        let motor = motor.map(|(speed, max)| Motor::new(speed as f32, max as f32));
        self.set(py, |world, id| world.set_motor(id, motor))
    }

    /// The target of its servo, or `None` where it has none.
    #[getter]
    fn target(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        self.read(py, |joint| joint.def().drive.servo.map(|servo| servo.target.into()))
    }

    #[setter]
    fn set_target(&self, py: Python<'_>, target: f64) -> PyResult<()> {
        self.set(py, |world, id| world.set_target(id, target as f32))
    }

    /// Drags to another point.
    fn drag_to(&self, py: Python<'_>, point: Pair) -> PyResult<()> {
        self.set(py, |world, id| world.drag_to(id, point.point()))
    }

    /// Changes options, given as keywords of the function that made it; all else stays.
    #[pyo3(signature = (**options))]
    fn configure(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let old = self.read(py, |joint| *joint.def())?;
        let (new, name) = apply(old, options)?;
        if name.is_some() {
            return Err(crate::errors::broken("a joint is named when it is added"));
        }
        self.set(py, |world, id| world.change_joint(id, |def| *def = new))
    }

    /// A number of the program's own.
    #[getter]
    fn user_data(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, carom::Joint::user_data)
    }

    /// Removes it from its world.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        self.set(py, World::remove_joint)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let kind = self.read(py, |joint| kind_of(&joint.def().kind)).unwrap_or("removed");
        Ok(format!("<carom.Joint {}: {kind}>", self.id))
    }
}
