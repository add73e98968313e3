//! Events of the last step, and the contacts of now, as structured arrays.

use carom::{Hit, SensorEvent, Touch};
use numpy::PyArray1;
use pyo3::prelude::*;

use super::PyWorld;
use crate::arrays::{line, row, structured};
use crate::convert::coordinates;

row! {
    /// Two shapes that began or ceased to touch.
    TouchRow {
        body_a: u64 = "u8",
        body_b: u64 = "u8",
        shape_a: u64 = "u8",
        shape_b: u64 = "u8",
    }
}

row! {
    /// Two shapes that struck each other.
    HitRow {
        body_a: u64 = "u8",
        body_b: u64 = "u8",
        shape_a: u64 = "u8",
        shape_b: u64 = "u8",
        point: [f64; 2] = "2f8",
        normal: [f32; 2] = "2f4",
        speed: f32 = "f4",
        impulse: f32 = "f4",
        time: f32 = "f4",
        _gap: u32 = "u4",
    }
}

row! {
    /// A shape that entered or left a sensor.
    VisitRow {
        sensor_body: u64 = "u8",
        visitor_body: u64 = "u8",
        sensor: u64 = "u8",
        visitor: u64 = "u8",
        time: f32 = "f4",
        _gap: u32 = "u4",
    }
}

row! {
    /// A joint that broke, or was removed with a body.
    JointEventRow {
        joint: u64 = "u8",
        body_a: u64 = "u8",
        body_b: u64 = "u8",
        user_data: u64 = "u8",
        force: f32 = "f4",
        torque: f32 = "f4",
    }
}

row! {
    /// A touch that lasts.
    ContactRow {
        body_a: u64 = "u8",
        body_b: u64 = "u8",
        shape_a: u64 = "u8",
        shape_b: u64 = "u8",
        point: [f64; 2] = "2f8",
        normal: [f32; 2] = "2f4",
        impulse: f32 = "f4",
        separation: f32 = "f4",
        parts: [u32; 2] = "2u4",
        points: u32 = "u4",
        sensor: u8 = "?",
        _gap: [u8; 3] = "3u1",
    }
}

fn touch_row(touch: &Touch) -> TouchRow {
    TouchRow {
        body_a: touch.body_a.to_bits(),
        body_b: touch.body_b.to_bits(),
        shape_a: touch.a.to_bits(),
        shape_b: touch.b.to_bits(),
    }
}

fn hit_row(hit: &Hit) -> HitRow {
    HitRow {
        body_a: hit.body_a.to_bits(),
        body_b: hit.body_b.to_bits(),
        shape_a: hit.a.to_bits(),
        shape_b: hit.b.to_bits(),
        point: coordinates(hit.point),
        normal: hit.normal.to_array(),
        speed: hit.speed,
        impulse: hit.impulse,
        time: hit.time,
        _gap: 0,
    }
}

fn visit_row(event: &SensorEvent) -> VisitRow {
    VisitRow {
        sensor_body: event.sensor_body.to_bits(),
        visitor_body: event.visitor_body.to_bits(),
        sensor: event.sensor.to_bits(),
        visitor: event.visitor.to_bits(),
        time: event.time,
        _gap: 0,
    }
}

fn contact_row(contact: &carom::Contact) -> ContactRow {
    let touch = touch_row(&contact.touch);
    let first = contact.points().first();
    ContactRow {
        body_a: touch.body_a,
        body_b: touch.body_b,
        shape_a: touch.shape_a,
        shape_b: touch.shape_b,
        point: first.map_or([f64::NAN; 2], |at| coordinates(at.point)),
        normal: contact.normal.to_array(),
        impulse: contact.impulse,
        separation: first.map_or(f32::NAN, |at| at.separation),
        parts: contact.parts,
        points: contact.points().len() as u32,
        sensor: u8::from(contact.sensor),
        _gap: [0; 3],
    }
}

/// The events of the last step of a world. Each list is an array of its own, made when it is asked
/// for.
#[pyclass(frozen, name = "Events", module = "carom")]
pub(crate) struct PyEvents {
    world: Py<PyWorld>,
}

impl PyEvents {
    fn rows<'py, R: crate::arrays::Row>(
        &self,
        py: Python<'py>,
        rows: impl FnOnce(&carom::Events) -> Vec<R>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.world.get().quick(py, |inner| Ok(rows(inner.world.events())))?;
        structured(py, rows)
    }

    fn ids<'py>(
        &self,
        py: Python<'py>,
        ids: impl FnOnce(&carom::Events) -> Vec<u64>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let ids = self.world.get().quick(py, |inner| Ok(ids(inner.world.events())))?;
        Ok(line(py, ids))
    }
}

#[pymethods]
impl PyEvents {
    /// Shapes that began to touch.
    #[getter]
    fn begun<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |events| events.begun().iter().map(touch_row).collect())
    }

    /// Shapes that ceased to touch; read them before `begun`.
    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |events| events.ended().iter().map(touch_row).collect())
    }

    /// Shapes that struck each other faster than the world's `hit_speed`.
    #[getter]
    fn hits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |events| events.hits().iter().map(hit_row).collect())
    }

    /// Shapes that entered a sensor.
    #[getter]
    fn entered<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |events| events.entered().iter().map(visit_row).collect())
    }

    /// Shapes that left a sensor.
    #[getter]
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |events| events.left().iter().map(visit_row).collect())
    }

    /// Bodies that fell asleep: their ids.
    #[getter]
    fn slept<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.ids(py, |events| events.slept().iter().map(|id| id.to_bits()).collect())
    }

    /// Bodies that woke: their ids.
    #[getter]
    fn woken<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.ids(py, |events| events.woken().iter().map(|id| id.to_bits()).collect())
    }

    /// Joints that broke.
    #[getter]
    fn broken<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |events| {
            let rows = events.broken().iter().map(|event| JointEventRow {
                joint: event.joint.to_bits(),
                body_a: event.body_a.map_or(0, carom::BodyId::to_bits),
                body_b: event.body_b.to_bits(),
                user_data: event.user_data,
                force: event.force,
                torque: event.torque,
            });
            rows.collect()
        })
    }

    /// Joints that were removed with a body or another joint.
    #[getter]
    fn lost<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |events| {
            let rows = events.lost().iter().map(|event| JointEventRow {
                joint: event.joint.to_bits(),
                body_a: event.body_a.map_or(0, carom::BodyId::to_bits),
                body_b: event.body_b.to_bits(),
                user_data: event.user_data,
                force: 0.0,
                torque: 0.0,
            });
            rows.collect()
        })
    }

    /// Bodies that became fixed because a step found no valid place for them: their ids.
    #[getter]
    fn frozen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.ids(py, |events| events.frozen().iter().map(|event| event.body.to_bits()).collect())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.world.get().quick(py, |inner| {
            let events = inner.world.events();
            Ok(format!(
                "<carom.Events: {} begun, {} ended, {} hits, {} entered, {} left>",
                events.begun().len(),
                events.ended().len(),
                events.hits().len(),
                events.entered().len(),
                events.left().len(),
            ))
        })
    }
}

#[pymethods]
impl PyWorld {
    /// The events of the last step.
    #[getter]
    fn events(slf: &Bound<'_, Self>) -> PyEvents {
        PyEvents { world: slf.clone().unbind() }
    }

    /// All touches of now, one per pair of parts.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self
            .quick(py, |inner| Ok(inner.world.contacts().map(|contact| contact_row(&contact)).collect()))?;
        structured(py, rows)
    }
}
