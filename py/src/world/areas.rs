//! Areas: effects of sensors on the bodies in them.

use carom::{Area, Fluid, Pull};
use pyo3::prelude::*;

use crate::convert::Pair;

/// The effect of a sensor on the dynamic bodies in it: gravity, wind, drag, a fluid.
#[pyclass(frozen, name = "Area", module = "carom", from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct PyArea(pub(crate) Area);

#[pymethods]
impl PyArea {
    #[new]
    #[pyo3(signature = (*, drag = 0.0, angular_drag = 0.0, wind = Pair(0.0, 0.0), priority = 0))]
    fn new(drag: f64, angular_drag: f64, wind: Pair, priority: i32) -> PyArea {
        PyArea(Area {
            drag: drag as f32,
            angular_drag: angular_drag as f32,
            wind: wind.vector(),
            priority,
            ..Area::default()
        })
    }

    /// Gravity in place of the world's, or added to it.
    #[staticmethod]
    #[pyo3(signature = (gravity, *, replaces = true, priority = 0))]
    fn gravity(gravity: Pair, replaces: bool, priority: i32) -> PyArea {
        PyArea(Area { replaces, priority, ..Area::gravity(gravity.vector()) })
    }

    /// Gravity to the origin of the sensor's body: `strength` m/s² at `radius`, less beyond it.
    #[staticmethod]
    #[pyo3(signature = (strength, radius, *, falloff = 2, replaces = true, priority = 0))]
    fn planet(strength: f64, radius: f64, falloff: u32, replaces: bool, priority: i32) -> PyArea {
        let (strength, radius) = (strength as f32, radius as f32);
        let pull = Pull::Toward { point: carom::Vec2::ZERO, strength, radius, falloff };
        PyArea(Area { gravity: Some(pull), replaces, priority, ..Area::default() })
    }

    /// A fluid up to a level above the origin of the sensor's body.
    #[staticmethod]
    #[pyo3(signature = (
        density, level, *, drag = None, angular_drag = None, flow = Pair(0.0, 0.0), priority = 0
    ))]
    fn fluid(
        density: f64,
        level: f64,
        drag: Option<f64>,
        angular_drag: Option<f64>,
        flow: Pair,
        priority: i32,
    ) -> PyArea {
        let mut area = Area { priority, ..Area::fluid(density as f32, level as f32) };
        area.fluid = area.fluid.map(|fluid| Fluid {
            drag: drag.map_or(fluid.drag, |drag| drag as f32),
            angular_drag: angular_drag.map_or(fluid.angular_drag, |drag| drag as f32),
            flow: flow.vector(),
            ..fluid
        });
        PyArea(area)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.extract::<PyArea>().is_ok_and(|other| other == *self)
    }

    fn __repr__(&self) -> String {
        let kind = match (self.0.fluid, self.0.gravity) {
            (Some(_), _) => "fluid",
            (None, Some(_)) => "gravity",
            (None, None) => "drag",
        };
        format!("<carom.Area: {kind}, priority {}>", self.0.priority)
    }
}
