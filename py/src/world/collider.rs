//! A shape on a body: the members of the handle `Collider`.

use carom::{Collider, Error, ShapeId, Weight, World};
use pyo3::prelude::*;

use super::areas::PyArea;
use super::handles::{PyBody, PyCollider};
use crate::convert::{Pair, tuple};
use crate::errors::OrRaise;
use crate::materials::{PyFilter, PyMaterial};
use crate::shapes::make::cell;
use crate::shapes::{PyShape, describe};

impl PyCollider {
    fn read<R>(&self, py: Python<'_>, job: impl FnOnce(&Collider) -> R) -> PyResult<R> {
        let id = self.id;
        self.world
            .get()
            .quick(py, |inner| inner.world.get_shape(id).map(job).ok_or(Error::NoSuchShape(id)).or_raise())
    }

    fn set<R>(
        &self,
        py: Python<'_>,
        job: impl FnOnce(&mut World, ShapeId) -> Result<R, Error>,
    ) -> PyResult<R> {
        self.world.get().change(py, |world| job(world, self.id))
    }

    fn handles(&self, py: Python<'_>, ids: Vec<ShapeId>) -> Vec<PyCollider> {
        ids.into_iter().map(|id| PyCollider { world: self.world.clone_ref(py), id }).collect()
    }
}

#[pymethods]
impl PyCollider {
    /// Its geometry, in the frame of its body.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<PyShape> {
        self.read(py, |collider| PyShape(collider.shape().clone()))
    }

    #[setter]
    fn set_shape(&self, py: Python<'_>, shape: &PyShape) -> PyResult<()> {
        self.set(py, |world, id| world.set_shape(id, shape.0.clone()))
    }

    /// Its body.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<PyBody> {
        let id = self.set(py, |world, id| world.body_of(id).ok_or(Error::NoSuchShape(id)))?;
        Ok(PyBody { world: self.world.clone_ref(py), id })
    }

    /// Friction, restitution and the like.
    #[getter]
    fn material(&self, py: Python<'_>) -> PyResult<PyMaterial> {
        self.read(py, |collider| PyMaterial(*collider.material()))
    }

    #[setter]
    fn set_material(&self, py: Python<'_>, material: PyMaterial) -> PyResult<()> {
        self.set(py, |world, id| world.set_material(id, material.0))
    }

    /// The material of one edge of a chain, part of a compound, or number of a tile map.
    fn set_part_material(&self, py: Python<'_>, part: usize, material: PyMaterial) -> PyResult<()> {
        self.set(py, |world, id| world.set_part_material(id, part, material.0))
    }

    /// Its collision filter.
    #[getter]
    fn filter(&self, py: Python<'_>) -> PyResult<PyFilter> {
        self.read(py, |collider| PyFilter(collider.filter()))
    }

    #[setter]
    fn set_filter(&self, py: Python<'_>, filter: PyFilter) -> PyResult<()> {
        self.set(py, |world, id| world.set_filter(id, filter.0))
    }

    /// Whether it is a sensor: it reports visitors, and pushes nothing.
    #[getter]
    fn sensor(&self, py: Python<'_>) -> PyResult<bool> {
        self.read(py, Collider::is_sensor)
    }

    #[setter]
    fn set_sensor(&self, py: Python<'_>, sensor: bool) -> PyResult<()> {
        self.set(py, |world, id| world.set_sensor(id, sensor))
    }

    /// Solid only for bodies that come against this direction.
    #[getter]
    fn one_way(&self, py: Python<'_>) -> PyResult<Option<(f64, f64)>> {
        self.read(py, |collider| collider.one_way().map(tuple))
    }

    #[setter]
    fn set_one_way(&self, py: Python<'_>, direction: Option<Pair>) -> PyResult<()> {
        self.set(py, |world, id| world.set_one_way(id, direction.map(Pair::vector)))
    }

    /// Its mass in kg.
    #[getter]
    fn mass(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |collider| f64::from(collider.mass().mass))
    }

    /// Sets its mass in kg, spread evenly.
    fn set_mass(&self, py: Python<'_>, mass: f64) -> PyResult<()> {
        self.set(py, |world, id| world.set_weight(id, Weight::Mass(mass as f32)))
    }

    /// Sets its density in kg/m².
    fn set_density(&self, py: Python<'_>, density: f64) -> PyResult<()> {
        self.set(py, |world, id| world.set_weight(id, Weight::Density(density as f32)))
    }

    /// A number of the program's own.
    #[getter]
    fn user_data(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, Collider::user_data)
    }

    #[setter]
    fn set_user_data(&self, py: Python<'_>, number: u64) -> PyResult<()> {
        self.set(py, |world, id| world.set_shape_user_data(id, number))
    }

    /// The effect of a sensor on the bodies in it.
    #[getter]
    fn area(&self, py: Python<'_>) -> PyResult<Option<PyArea>> {
        self.set(py, |world, id| Ok(world.area(id).copied().map(PyArea)))
    }

    #[setter]
    fn set_area(&self, py: Python<'_>, area: Option<PyArea>) -> PyResult<()> {
        self.set(py, |world, id| world.set_area(id, area.map(|area| area.0)))
    }

    /// Changes one cell of a tile map: column and row from the lower left, and the kind's number.
    #[pyo3(signature = (column, row, kind, material = 0))]
    fn set_tile(&self, py: Python<'_>, column: u32, row: u32, kind: u8, material: u8) -> PyResult<()> {
        let cell = cell(kind, material)?;
        self.set(py, |world, id| world.set_tile(id, [column, row], cell))
    }

    /// The kind of a cell of a tile map; `None` outside of it, or where there is no map.
    fn tile(&self, py: Python<'_>, column: u32, row: u32) -> PyResult<Option<u8>> {
        self.read(py, |collider| match collider.shape() {
            carom::Shape::Tiles(map) => map.cell_at([column, row]).and_then(|cell| {
                let place = carom::TileKind::ALL.iter().position(|kind| *kind == cell.kind);
                place.and_then(|place| u8::try_from(place).ok())
            }),
            _ => None,
        })
    }

    /// The shapes that it touches now.
    fn touching(&self, py: Python<'_>) -> PyResult<Vec<PyCollider>> {
        let ids = self.set(py, |world, id| Ok(world.touching(id)))?;
        Ok(self.handles(py, ids))
    }

    /// The shapes that are in the sensor now.
    fn visitors(&self, py: Python<'_>) -> PyResult<Vec<PyCollider>> {
        let ids = self.set(py, |world, id| Ok(world.visitors(id)))?;
        Ok(self.handles(py, ids))
    }

    /// Removes it from its body.
    fn remove(&self, py: Python<'_>) -> PyResult<()> {
        self.set(py, World::detach)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let kind = self.read(py, |collider| describe(collider.shape()));
        Ok(format!("<carom.Collider {}: {}>", self.id, kind.unwrap_or_else(|_| "removed".to_owned())))
    }
}
