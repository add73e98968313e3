//! Actions, observations, variations and ends as data.
//!
//! In: kinds by name, bodies and joints, keywords. Out: carom's spec. Each call adds one entry; the
//! batch checks them all, and says which entry and field is wrong.

use std::sync::Mutex;

use carom::{Action, BodyId, End, JointId, Observation, Spec, Variation};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::convert::{Pair, name_of_type};
use crate::errors::{OrRaise, broken};
use crate::world::{Key, PyJoint, PyWorld};

/// Actions, observations, variations and ends of each world of a batch.
#[pyclass(frozen, name = "Spec", module = "carom")]
pub(crate) struct PySpec {
    world: Py<PyWorld>,
    pub(super) spec: Mutex<Spec>,
}

/// Keywords that are taken one by one; a keyword left over was misspelt.
struct Options<'py> {
    given: Bound<'py, PyDict>,
    what: String,
}

impl<'py> Options<'py> {
    fn new(py: Python<'py>, given: Option<&Bound<'py, PyDict>>, what: String) -> PyResult<Options<'py>> {
        let given = given.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy())?;
        Ok(Options { given, what })
    }

    fn object(&self, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.given.get_item(key)?;
        if value.is_some() {
            self.given.del_item(key)?;
        }
        Ok(value.filter(|value| !value.is_none()))
    }

    fn number(&self, key: &str) -> PyResult<Option<f32>> {
        Ok(self.object(key)?.map(|value| value.extract::<f64>()).transpose()?.map(|value| value as f32))
    }

    fn pair(&self, key: &str) -> PyResult<Option<Pair>> {
        self.object(key)?.map(|value| value.extract()).transpose()
    }

    fn flag(&self, key: &str) -> PyResult<bool> {
        Ok(self.object(key)?.map(|value| value.extract()).transpose()?.unwrap_or(false))
    }

    fn text(&self, key: &str) -> PyResult<Option<String>> {
        self.object(key)?.map(|value| value.extract()).transpose()
    }

    fn needed<T>(&self, key: &str, value: Option<T>) -> PyResult<T> {
        value.ok_or_else(|| PyTypeError::new_err(format!("{} needs '{key}'", self.what)))
    }

    fn finish(self) -> PyResult<()> {
        match self.given.keys().iter().next() {
            None => Ok(()),
            Some(key) => Err(PyTypeError::new_err(format!("{} has no option {}", self.what, key.repr()?))),
        }
    }
}

impl PySpec {
    fn body(&self, target: &Bound<'_, PyAny>) -> PyResult<BodyId> {
        let key: Key = target.extract()?;
        self.world.get().quick(target.py(), |inner| inner.body(&key))
    }

    fn bodies(&self, targets: Option<Bound<'_, PyAny>>) -> PyResult<Vec<BodyId>> {
        let Some(targets) = targets else { return Ok(Vec::new()) };
        if targets.extract::<Key>().is_ok() {
            return Ok(vec![self.body(&targets)?]);
        }
        targets.try_iter()?.map(|target| self.body(&target?)).collect()
    }

    fn joint(&self, target: &Bound<'_, PyAny>) -> PyResult<JointId> {
        if let Ok(joint) = target.cast::<PyJoint>() {
            return Ok(joint.get().id);
        }
        let name = target.cast::<PyString>().map_err(|_| {
            PyTypeError::new_err(format!("expected a joint or its name, got {}", name_of_type(target)))
        })?;
        let name = name.to_str()?;
        self.world.get().quick(target.py(), |inner| {
            inner.joints.get(name).copied().ok_or_else(|| PyKeyError::new_err(name.to_owned()))
        })
    }

    /// Adds to the spec.
    fn change(&self, add: impl FnOnce(Spec) -> Spec) -> PyResult<()> {
        let mut spec = self.spec.lock().map_err(|_| broken("this spec failed inside"))?;
        *spec = add(std::mem::take(&mut *spec));
        Ok(())
    }

    /// A copy of carom's spec.
    pub(super) fn copied(&self) -> PyResult<Spec> {
        Ok(self.spec.lock().map_err(|_| broken("this spec failed inside"))?.clone())
    }

    fn names(&self, names: impl FnOnce(&Spec) -> Vec<String>) -> PyResult<Vec<String>> {
        Ok(names(&self.copied()?))
    }
}

fn unknown(what: &str, kind: &str) -> PyErr {
    PyValueError::new_err(format!("there is no {what} '{kind}'"))
}

#[pymethods]
impl PySpec {
    /// An empty spec for copies of a world.
    #[new]
    #[pyo3(signature = (world, *, step_limit = None))]
    fn new(world: Py<PyWorld>, step_limit: Option<u32>) -> PySpec {
        let spec = match step_limit {
            None => Spec::new(),
            Some(steps) => Spec::new().step_limit(steps),
        };
        PySpec { world, spec: Mutex::new(spec) }
    }

    /// Adds an action: one column. Kinds are 'force', 'impulse', 'torque', 'motor_speed',
    /// 'motor_effort' and 'servo_target'.
    #[pyo3(signature = (kind, target, **options))]
    fn action<'py>(
        slf: Bound<'py, Self>,
        kind: &str,
        target: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let spec = slf.get();
        let options = Options::new(slf.py(), options, format!("action '{kind}'"))?;
        let mut action = match kind {
            "force" | "impulse" => {
                let axis = options.needed("axis", options.pair("axis")?)?.vector();
                let body = spec.body(target)?;
                if kind == "force" { Action::force(body, axis) } else { Action::impulse(body, axis) }
            }
            "torque" => Action::torque(spec.body(target)?),
            "motor_speed" => Action::motor_speed(spec.joint(target)?),
            "motor_effort" => {
                let speed = options.needed("speed", options.number("speed")?)?;
                Action::motor_effort(spec.joint(target)?, speed)
            }
            "servo_target" => Action::servo_target(spec.joint(target)?),
            _ => return Err(unknown("action", kind)),
        };
        if options.flag("body_frame")? {
            action = action.in_body_frame();
        }
        if let Some(at) = options.pair("at")? {
            action = action.at(at.vector());
        }
        if let Some(Pair(low, high)) = options.pair("range")? {
            action = action.range(low as f32, high as f32);
        }
        if let Some(scale) = options.number("scale")? {
            action = action.scale(scale);
        }
        if let Some(offset) = options.number("offset")? {
            action = action.offset(offset);
        }
        if let Some(name) = options.text("name")? {
            action = action.name(name);
        }
        options.finish()?;
        spec.change(|spec| spec.action(action))?;
        Ok(slf)
    }

    /// Adds an observation: one column, or two of a vector, or one of each ray.
    #[pyo3(signature = (kind, target, **options))]
    fn observe<'py>(
        slf: Bound<'py, Self>,
        kind: &str,
        target: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let spec = slf.get();
        let options = Options::new(slf.py(), options, format!("observation '{kind}'"))?;
        let mut seen = match kind {
            "position" => Observation::position(spec.body(target)?),
            "angle" => Observation::angle(spec.body(target)?),
            "sine_and_cosine" => Observation::sine_and_cosine(spec.body(target)?),
            "velocity" => Observation::velocity(spec.body(target)?),
            "spin" => Observation::spin(spec.body(target)?),
            "joint_angle" => Observation::joint_angle(spec.joint(target)?),
            "joint_spin" => Observation::joint_spin(spec.joint(target)?),
            "joint_length" => Observation::joint_length(spec.joint(target)?),
            "joint_speed" => Observation::joint_speed(spec.joint(target)?),
            "joint_force" => Observation::joint_force(spec.joint(target)?),
            "joint_torque" => Observation::joint_torque(spec.joint(target)?),
            "touches" => Observation::touches(spec.body(target)?),
            "contact_impulse" => Observation::contact_impulse(spec.body(target)?),
            "contact_count" => Observation::contact_count(spec.body(target)?),
            "rays" => {
                let count = options.object("count")?.map(|count| count.extract::<usize>()).transpose()?;
                let (count, reach) = (options.needed("count", count)?, options.number("reach")?);
                Observation::rays(spec.body(target)?, count, options.needed("reach", reach)?)
            }
            "nearest_distance" => {
                let reach = options.needed("reach", options.number("reach")?)?;
                Observation::nearest_distance(spec.body(target)?, reach)
            }
            _ => return Err(unknown("observation", kind)),
        };
        if let Some(other) = options.object("relative_to")? {
            seen = seen.relative_to(spec.body(&other)?);
        }
        if let Some(other) = options.object("with_body")? {
            seen = seen.with_body(spec.body(&other)?);
        }
        if let Some(at) = options.pair("at")? {
            seen = seen.at(at.vector());
        }
        if let Some(Pair(first, last)) = options.pair("fan")? {
            seen = seen.fan(first as f32, last as f32);
        }
        if options.flag("world_frame")? {
            seen = seen.in_world_frame();
        }
        if let Some(mask) = options.object("mask")? {
            seen = seen.mask(mask.extract()?);
        }
        seen = match options.text("only")?.as_deref() {
            None => seen,
            Some("x") => seen.only_x(),
            Some("y") => seen.only_y(),
            Some(_) => return Err(PyValueError::new_err("only 'x' or 'y' of a vector")),
        };
        if let Some(scale) = options.number("scale")? {
            seen = seen.scale(scale);
        }
        if let Some(offset) = options.number("offset")? {
            seen = seen.offset(offset);
        }
        if let Some(name) = options.text("name")? {
            seen = seen.name(name);
        }
        options.finish()?;
        spec.change(|spec| spec.observation(seen))?;
        Ok(slf)
    }

    /// Adds a variation: each world draws a number between `low` and `high` when it is reset. The
    /// target of 'gravity' is `None`.
    #[pyo3(signature = (kind, target, low, high, **options))]
    fn vary<'py>(
        slf: Bound<'py, Self>,
        kind: &str,
        target: Option<&Bound<'py, PyAny>>,
        low: &Bound<'py, PyAny>,
        high: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let spec = slf.get();
        let options = Options::new(slf.py(), options, format!("variation '{kind}'"))?;
        let named =
            || target.ok_or_else(|| PyTypeError::new_err(format!("variation '{kind}' needs a target")));
        let body = || spec.body(named()?);
        let ends = || PyResult::Ok((low.extract::<f64>()? as f32, high.extract::<f64>()? as f32));
        let corners = || PyResult::Ok((low.extract::<Pair>()?.vector(), high.extract::<Pair>()?.vector()));
        type Make = fn(BodyId, f32, f32) -> Variation;
        let simple: Option<Make> = match kind {
            "angle" => Some(Variation::angle),
            "spin" => Some(Variation::spin),
            "density" => Some(Variation::density),
            "mass" => Some(Variation::mass),
            "friction" => Some(Variation::friction),
            "restitution" => Some(Variation::restitution),
            "gravity_scale" => Some(Variation::gravity_scale),
            _ => None,
        };
        let mut variation = match (kind, simple) {
            (_, Some(make)) => {
                let (low, high) = ends()?;
                make(body()?, low, high)
            }
            ("position" | "velocity", _) => {
                let (low, high) = corners()?;
                let body = body()?;
                match kind {
                    "position" => Variation::position(body, low, high),
                    _ => Variation::velocity(body, low, high),
                }
            }
            ("gravity", _) => {
                let (low, high) = corners()?;
                Variation::gravity(low, high)
            }
            ("motor_speed" | "servo_target", _) => {
                let (low, high) = ends()?;
                let joint = spec.joint(named()?)?;
                match kind {
                    "motor_speed" => Variation::motor_speed(joint, low, high),
                    _ => Variation::servo_target(joint, low, high),
                }
            }
            _ => return Err(unknown("variation", kind)),
        };
        if options.flag("added")? {
            variation = variation.added();
        }
        if options.flag("multiplied")? {
            variation = variation.multiplied();
        }
        if let Some(about) = options.pair("about")? {
            variation = variation.about(about.vector());
        }
        for also in spec.bodies(options.object("also")?)? {
            variation = variation.also(also);
        }
        options.finish()?;
        spec.change(|spec| spec.variation(variation))?;
        Ok(slf)
    }

    /// Adds an end of episodes. Kinds are 'outside', 'angle_beyond', 'touches' and 'asleep'.
    #[pyo3(signature = (kind, target, **options))]
    fn end<'py>(
        slf: Bound<'py, Self>,
        kind: &str,
        target: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Self>> {
        let spec = slf.get();
        let options = Options::new(slf.py(), options, format!("end '{kind}'"))?;
        let body = spec.body(target)?;
        let mut end = match kind {
            "outside" => {
                let min = options.needed("min", options.pair("min")?)?.vector();
                End::outside(body, min, options.needed("max", options.pair("max")?)?.vector())
            }
            "angle_beyond" => End::angle_beyond(body, options.needed("limit", options.number("limit")?)?),
            "touches" => End::touches(body),
            "asleep" => End::asleep(body),
            _ => return Err(unknown("end", kind)),
        };
        if let Some(other) = options.object("relative_to")? {
            end = end.relative_to(spec.body(&other)?);
        }
        if let Some(other) = options.object("with_body")? {
            end = end.with_body(spec.body(&other)?);
        }
        for other in spec.bodies(options.object("ignore")?)? {
            end = end.except(other);
        }
        if let Some(name) = options.text("name")? {
            end = end.name(name);
        }
        options.finish()?;
        spec.change(|spec| spec.end(end))?;
        Ok(slf)
    }

    /// Checks every entry against the world, and raises `carom.Error` with the entry and the field
    /// that is wrong.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let spec = self.copied()?;
        self.world.get().quick(py, |inner| spec.check(&inner.world).or_raise())
    }

    /// The names of the columns of actions.
    #[getter]
    fn action_names(&self) -> PyResult<Vec<String>> {
        self.names(Spec::action_names)
    }

    /// The least and the greatest number of each action that makes a difference.
    #[getter]
    fn action_ranges(&self) -> PyResult<Vec<(f64, f64)>> {
        let ranges = self.copied()?.action_ranges();
        Ok(ranges.into_iter().map(|[low, high]| (low.into(), high.into())).collect())
    }

    /// The names of the columns of observations.
    #[getter]
    fn observation_names(&self) -> PyResult<Vec<String>> {
        self.names(Spec::observation_names)
    }

    /// The names of the ends, by their numbers in `Batch.ended`.
    #[getter]
    fn end_names(&self) -> PyResult<Vec<String>> {
        self.names(Spec::end_names)
    }

    /// The world that it is for.
    #[getter]
    fn world(&self, py: Python<'_>) -> Py<PyWorld> {
        self.world.clone_ref(py)
    }

    fn __repr__(&self) -> PyResult<String> {
        let spec = self.copied()?;
        let (actions, seen) = (spec.action_names().len(), spec.observation_names().len());
        Ok(format!("<carom.Spec: {actions} actions, {seen} observations, {} ends>", spec.end_names().len()))
    }
}
