//! Bodies into a world, and out of it.
//!
//! In: shapes and parts, and keywords for the body. Out: handles, or an array of ids where many
//! bodies are made in one call.

use carom::{BodyDef, BodyId, BodyKind, Locks, Mass, ShapeDef};
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::{Key, PyBody, PyWorld, handles};
use crate::arrays;
use crate::convert::{Pair, body_kind, numbers, points, vectors};
use crate::errors::{OrRaise, broken};
use crate::materials::{Choice, PyFilter, PyMaterial, shape_def};

/// Keywords of a body that has just one value of each.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) def: Option<BodyDef>,
    pub(crate) choice: Choice,
    pub(crate) name: Option<String>,
}

/// A body's locked axes by name: any of "x", "y" and "rotation".
pub(crate) fn locks(object: &Bound<'_, PyAny>) -> PyResult<Locks> {
    let mut locks = Locks::default();
    let names: Vec<String> = match object.extract::<String>() {
        Ok(name) => vec![name],
        Err(_) => object.try_iter()?.map(|item| item?.extract()).collect::<PyResult<_>>()?,
    };
    for name in names {
        match name.as_str() {
            "x" => locks.x = true,
            "y" => locks.y = true,
            "rotation" => locks.rotation = true,
            _ => {
                let text = format!("a lock is 'x', 'y' or 'rotation', not '{name}'");
                return Err(PyValueError::new_err(text));
            }
        }
    }
    Ok(locks)
}

/// Reads the keywords of `add` and its kin.
pub(crate) fn options(kind: BodyKind, given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut def = match kind {
        BodyKind::Fixed => BodyDef::fixed(),
        BodyKind::Kinematic => BodyDef::kinematic(),
        BodyKind::Dynamic => BodyDef::dynamic(),
    };
    let mut choice = Choice::default();
    let mut name = None;
    for (key, value) in given.into_iter().flatten() {
        let key: String = key.extract()?;
        match key.as_str() {
            "at" => def.position = value.extract::<Pair>()?.point(),
            "angle" => def.angle = value.extract::<f64>()? as f32,
            "velocity" => def.linear_velocity = value.extract::<Pair>()?.vector(),
            "spin" => def.angular_velocity = value.extract::<f64>()? as f32,
            "density" => choice.density = value.extract()?,
            "mass" => choice.mass = value.extract()?,
            "inertia" => {
                let (mass, center, inertia) = value.extract::<(f64, Pair, f64)>()?;
                let (mass, inertia) = (mass as f32, inertia as f32);
                def.mass = Some(Mass { mass, center: center.vector(), inertia });
            }
            "material" => choice.material = value.extract::<Option<PyMaterial>>()?,
            "friction" => choice.friction = value.extract()?,
            "restitution" => choice.restitution = value.extract()?,
            "filter" => choice.filter = value.extract::<Option<PyFilter>>()?,
            "sensor" => choice.sensor = value.extract()?,
            "linear_damping" => def.linear_damping = value.extract::<f64>()? as f32,
            "angular_damping" => def.angular_damping = value.extract::<f64>()? as f32,
            "gravity_scale" => def.gravity_scale = value.extract::<f64>()? as f32,
            "gravity" => def.gravity = value.extract::<Option<Pair>>()?.map(Pair::vector),
            "max_speed" => def.max_speed = value.extract::<f64>()? as f32,
            "dominance" => def.dominance = value.extract()?,
            "locks" => def.locks = locks(&value)?,
            "can_sleep" => def.can_sleep = value.extract()?,
            "awake" => def.awake = value.extract()?,
            "enabled" => def.enabled = value.extract()?,
            "user_data" => def.user_data = value.extract()?,
            "name" => name = value.extract()?,
            _ => {
                let text = format!("a body has no option '{key}'");
                return Err(PyTypeError::new_err(text));
            }
        }
    }
    Ok(Options { def: Some(def), choice, name })
}

impl PyWorld {
    fn add_kind(
        slf: &Bound<'_, Self>,
        kind: BodyKind,
        shapes: &Bound<'_, PyTuple>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyBody> {
        let Options { def, choice, name } = options(kind, given)?;
        let mut def = def.unwrap_or_else(BodyDef::dynamic);
        def.shapes = shapes.iter().map(|shape| shape_def(&shape, &choice)).collect::<PyResult<_>>()?;
        let id = slf.get().quick(slf.py(), |inner| {
            name.as_deref().map_or(Ok(()), |name| inner.check_name(name))?;
            let id = inner.world.add(def).or_raise()?;
            if let Some(name) = name {
                inner.bodies.insert(name, id);
            }
            Ok(id)
        })?;
        Ok(PyBody { world: slf.clone().unbind(), id })
    }
}

#[pymethods]
impl PyWorld {
    /// Adds a dynamic body made of shapes and parts.
    #[pyo3(signature = (*shapes, **options))]
    fn add(
        slf: &Bound<'_, Self>,
        shapes: &Bound<'_, PyTuple>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyBody> {
        PyWorld::add_kind(slf, BodyKind::Dynamic, shapes, options)
    }

    /// Adds a fixed body: nothing moves it.
    #[pyo3(signature = (*shapes, **options))]
    fn add_fixed(
        slf: &Bound<'_, Self>,
        shapes: &Bound<'_, PyTuple>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyBody> {
        PyWorld::add_kind(slf, BodyKind::Fixed, shapes, options)
    }

    /// Adds a kinematic body: its velocity alone moves it.
    #[pyo3(signature = (*shapes, **options))]
    fn add_kinematic(
        slf: &Bound<'_, Self>,
        shapes: &Bound<'_, PyTuple>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyBody> {
        PyWorld::add_kind(slf, BodyKind::Kinematic, shapes, options)
    }

    /// Adds a body of one shape or part at each of many places, and returns their ids. Where one is
    /// refused none is added.
    #[pyo3(signature = (
        shape, positions, *, angles = None, velocities = None, spins = None, kind = "dynamic", **options
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn add_many<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        positions: &Bound<'py, PyAny>,
        angles: Option<&Bound<'py, PyAny>>,
        velocities: Option<&Bound<'py, PyAny>>,
        spins: Option<&Bound<'py, PyAny>>,
        kind: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let Options { def, choice, name } = self::options(body_kind(kind)?, options)?;
        if name.is_some() {
            return Err(broken("many bodies cannot have one name"));
        }
        let base = def.unwrap_or_else(BodyDef::dynamic).shape(ShapeDef::clone(&shape_def(shape, &choice)?));
        let positions = points(positions, "positions")?;
        let count = positions.len();
        let angles = angles.map(|list| numbers(list, count, "angles")).transpose()?;
        let spins = spins.map(|list| numbers(list, count, "spins")).transpose()?;
        let velocities = velocities.map(|list| vectors(list, "velocities")).transpose()?;
        if velocities.as_ref().is_some_and(|list| list.len() != count && list.len() != 1) {
            return Err(PyValueError::new_err("velocities must have a row for each position"));
        }
        let ids = self.heavy(py, move |inner| {
            let defs = positions.iter().enumerate().map(|(k, &position)| {
                let mut def = BodyDef { position, ..base.clone() };
                if let Some(angles) = &angles {
                    def.angle = angles[k] as f32;
                }
                if let Some(spins) = &spins {
                    def.angular_velocity = spins[k] as f32;
                }
                if let Some(velocities) = &velocities {
                    def.linear_velocity = velocities[k.min(velocities.len() - 1)];
                }
                def
            });
            let ids = inner.world.add_all(defs).or_raise()?;
            Ok(ids.into_iter().map(BodyId::to_bits).collect())
        })?;
        Ok(arrays::line(py, ids))
    }

    /// Removes bodies, with their shapes and joints.
    fn remove(&self, py: Python<'_>, bodies: &Bound<'_, PyAny>) -> PyResult<()> {
        let keys = match bodies.extract::<Key>() {
            Ok(key) => vec![key],
            Err(_) => handles::keys(bodies)?,
        };
        self.quick(py, |inner| {
            for id in inner.bodies(&keys)? {
                inner.world.remove(id).or_raise()?;
                inner.bodies.retain(|_, known| *known != id);
            }
            Ok(())
        })
    }

    /// Throws everything in a circle outward: an impulse at the centre, less of it farther out.
    #[pyo3(signature = (center, radius, impulse, falloff = 1.0))]
    fn explode(&self, py: Python<'_>, center: Pair, radius: f64, impulse: f64, falloff: f64) -> PyResult<()> {
        self.change(py, |world| world.explode(center.point(), radius as f32, impulse as f32, falloff as f32))
    }

    /// The body of a handle, a name, or an id.
    fn __getitem__(slf: &Bound<'_, Self>, key: Key) -> PyResult<PyBody> {
        let id = slf.get().quick(slf.py(), |inner| {
            let id = inner.body(&key)?;
            let missing = || PyKeyError::new_err(format!("{id} is not in this world"));
            inner.world.get(id).map(|_| id).ok_or_else(missing)
        })?;
        Ok(PyBody { world: slf.clone().unbind(), id })
    }

    fn __contains__(&self, py: Python<'_>, key: Key) -> PyResult<bool> {
        self.quick(py, |inner| Ok(inner.body(&key).is_ok_and(|id| inner.world.get(id).is_some())))
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let bodies = PyWorld::bodies(slf)?;
        Ok(bodies.into_pyobject(slf.py())?.try_iter()?.into_any().unbind())
    }

    /// All bodies, in the order of their indices.
    #[getter]
    fn bodies(slf: &Bound<'_, Self>) -> PyResult<Vec<PyBody>> {
        let ids: Vec<BodyId> =
            slf.get().quick(slf.py(), |inner| Ok(inner.world.bodies().map(|(id, _)| id).collect()))?;
        Ok(ids.into_iter().map(|id| PyBody { world: slf.clone().unbind(), id }).collect())
    }

    /// The names of bodies, with their bodies.
    #[getter]
    fn names<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let mut names: Vec<(String, BodyId)> = slf.get().quick(slf.py(), |inner| {
            let there = inner.bodies.iter().filter(|(_, id)| inner.world.get(**id).is_some());
            Ok(there.map(|(name, id)| (name.clone(), *id)).collect())
        })?;
        names.sort();
        let answer = PyDict::new(slf.py());
        for (name, id) in names {
            answer.set_item(name, PyBody { world: slf.clone().unbind(), id })?;
        }
        Ok(answer)
    }
}
