//! Materials, filters and parts: the surface, the contacts and the weight of a shape.
//!
//! In: keyword arguments. Out: frozen classes that wrap carom's definitions, checked when they are
//! made, and the choice of weights, materials and filters that `World.add` takes.

use carom::{Combine, Filter, Material, ShapeDef, Weight};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::convert::{Pair, name_of_type, tuple};
use crate::errors::OrRaise;
use crate::shapes::PyShape;

const RULES: [(&str, Combine); 5] = [
    ("average", Combine::Average),
    ("geometric_mean", Combine::GeometricMean),
    ("max", Combine::Max),
    ("multiply", Combine::Multiply),
    ("min", Combine::Min),
];

fn rule(name: &str) -> PyResult<Combine> {
    let known = RULES.iter().find(|(known, _)| *known == name);
    known.map(|(_, rule)| *rule).ok_or_else(|| {
        let names = RULES.map(|(name, _)| name).join("', '");
        PyValueError::new_err(format!("a rule is '{names}', not '{name}'"))
    })
}

fn rule_name(rule: Combine) -> &'static str {
    RULES.iter().find(|(_, known)| *known == rule).map_or("", |(name, _)| name)
}

/// How a surface answers a touch.
#[pyclass(frozen, name = "Material", module = "carom", from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct PyMaterial(pub(crate) Material);

#[pymethods]
impl PyMaterial {
    #[new]
    #[pyo3(signature = (
        friction = 0.6, restitution = 0.0, *, static_friction = None, rolling_resistance = 0.0,
        surface_speed = 0.0, friction_rule = "geometric_mean", restitution_rule = "max",
        weld_on_touch = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        friction: f64,
        restitution: f64,
        static_friction: Option<f64>,
        rolling_resistance: f64,
        surface_speed: f64,
        friction_rule: &str,
        restitution_rule: &str,
        weld_on_touch: bool,
    ) -> PyResult<PyMaterial> {
        let material = Material {
            restitution: restitution as f32,
            static_friction: static_friction.unwrap_or(friction) as f32,
            kinetic_friction: friction as f32,
            rolling_resistance: rolling_resistance as f32,
            surface_speed: surface_speed as f32,
            friction_rule: rule(friction_rule)?,
            restitution_rule: rule(restitution_rule)?,
            weld_on_touch,
        };
        material.checked().map(PyMaterial).or_raise()
    }

    #[getter]
    fn friction(&self) -> f64 {
        f64::from(self.0.kinetic_friction)
    }

    #[getter]
    fn static_friction(&self) -> f64 {
        f64::from(self.0.static_friction)
    }

    #[getter]
    fn restitution(&self) -> f64 {
        f64::from(self.0.restitution)
    }

    #[getter]
    fn rolling_resistance(&self) -> f64 {
        f64::from(self.0.rolling_resistance)
    }

    #[getter]
    fn surface_speed(&self) -> f64 {
        f64::from(self.0.surface_speed)
    }

    #[getter]
    fn friction_rule(&self) -> &'static str {
        rule_name(self.0.friction_rule)
    }

    #[getter]
    fn restitution_rule(&self) -> &'static str {
        rule_name(self.0.restitution_rule)
    }

    #[getter]
    fn weld_on_touch(&self) -> bool {
        self.0.weld_on_touch
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.extract::<PyMaterial>().is_ok_and(|other| other == *self)
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.0.kinetic_friction.to_bits()) << 32 | u64::from(self.0.restitution.to_bits())
    }

    fn __repr__(&self) -> String {
        format!("Material(friction={}, restitution={})", self.0.kinetic_friction, self.0.restitution)
    }
}

/// Which of two shapes may touch each other.
#[pyclass(frozen, name = "Filter", module = "carom", from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct PyFilter(pub(crate) Filter);

#[pymethods]
impl PyFilter {
    #[new]
    #[pyo3(signature = (category = 1, mask = None, group = 0))]
    fn new(category: u64, mask: Option<u64>, group: i32) -> PyFilter {
        PyFilter(Filter { category, mask: mask.unwrap_or(u64::MAX), group })
    }

    #[getter]
    fn category(&self) -> u64 {
        self.0.category
    }

    #[getter]
    fn mask(&self) -> u64 {
        self.0.mask
    }

    #[getter]
    fn group(&self) -> i32 {
        self.0.group
    }

    /// Whether shapes with these two filters may touch.
    fn allows(&self, other: PyFilter) -> bool {
        self.0.allows(&other.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.extract::<PyFilter>().is_ok_and(|other| other == *self)
    }

    fn __hash__(&self) -> u64 {
        self.0.category.rotate_left(32) ^ self.0.mask ^ self.0.group as u64
    }

    fn __repr__(&self) -> String {
        format!("Filter(category={}, mask={}, group={})", self.0.category, self.0.mask, self.0.group)
    }
}

/// Defaults of the shapes of a body that set nothing of their own.
#[derive(Clone, Default)]
pub(crate) struct Choice {
    pub(crate) density: Option<f64>,
    pub(crate) mass: Option<f64>,
    pub(crate) material: Option<PyMaterial>,
    pub(crate) friction: Option<f64>,
    pub(crate) restitution: Option<f64>,
    pub(crate) filter: Option<PyFilter>,
    pub(crate) sensor: bool,
}

impl Choice {
    /// The definition with the chosen values.
    pub(crate) fn apply(&self, mut def: ShapeDef) -> PyResult<ShapeDef> {
        if let Some(material) = self.material {
            def.material = material.0;
        }
        if let Some(friction) = self.friction {
            def.material = def.material.friction(friction as f32);
        }
        if let Some(restitution) = self.restitution {
            def.material = def.material.restitution(restitution as f32);
        }
        if let Some(filter) = self.filter {
            def.filter = filter.0;
        }
        match (self.density, self.mass) {
            (Some(_), Some(_)) => {
                return Err(PyTypeError::new_err("a shape has a density or a mass, not both"));
            }
            (Some(density), None) => def.weight = Weight::Density(density as f32),
            (None, Some(mass)) => def.weight = Weight::Mass(mass as f32),
            (None, None) => {}
        }
        def.sensor |= self.sensor;
        Ok(def)
    }
}

/// A shape with a weight, a material and a filter of its own, to be added to a body.
#[pyclass(frozen, name = "Part", module = "carom")]
pub(crate) struct PyPart(pub(crate) ShapeDef);

#[pymethods]
impl PyPart {
    #[new]
    #[pyo3(signature = (
        shape, *, density = None, mass = None, material = None, friction = None, restitution = None,
        filter = None, sensor = false, one_way = None, part_materials = None, user_data = 0
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords")]
    fn new(
        shape: &PyShape,
        density: Option<f64>,
        mass: Option<f64>,
        material: Option<PyMaterial>,
        friction: Option<f64>,
        restitution: Option<f64>,
        filter: Option<PyFilter>,
        sensor: bool,
        one_way: Option<Pair>,
        part_materials: Option<Vec<PyMaterial>>,
        user_data: u64,
    ) -> PyResult<PyPart> {
        let choice = Choice { density, mass, material, friction, restitution, filter, sensor };
        let mut def = choice.apply(ShapeDef::from(shape.0.clone()).user_data(user_data))?;
        def.one_way = one_way.map(Pair::vector);
        def.part_materials = part_materials.unwrap_or_default().iter().map(|own| own.0).collect();
        Ok(PyPart(def))
    }

    #[getter]
    fn shape(&self) -> PyShape {
        PyShape(self.0.shape.clone())
    }

    #[getter]
    fn material(&self) -> PyMaterial {
        PyMaterial(self.0.material)
    }

    #[getter]
    fn filter(&self) -> PyFilter {
        PyFilter(self.0.filter)
    }

    #[getter]
    fn sensor(&self) -> bool {
        self.0.sensor
    }

    #[getter]
    fn one_way(&self) -> Option<(f64, f64)> {
        self.0.one_way.map(tuple)
    }

    #[getter]
    fn user_data(&self) -> u64 {
        self.0.user_data
    }

    fn __repr__(&self) -> String {
        format!("Part({})", crate::shapes::describe(&self.0.shape))
    }
}

/// The definition of a shape or a part; a bare shape takes the choice of the body.
pub(crate) fn shape_def(object: &Bound<'_, PyAny>, choice: &Choice) -> PyResult<ShapeDef> {
    if let Ok(part) = object.cast::<PyPart>() {
        return Ok(part.get().0.clone());
    }
    if let Ok(shape) = object.cast::<PyShape>() {
        return choice.apply(ShapeDef::from(shape.get().0.clone()));
    }
    Err(PyTypeError::new_err(format!(
        "expected a shape or a part, got {}: carom.circle(0.5), say",
        name_of_type(object)
    )))
}
