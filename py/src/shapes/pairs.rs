//! Queries between two shapes, without a world.
//!
//! In: two shapes, each at a place `(x, y)` or `(x, y, angle)`. Out: tuples and small dictionaries.

use carom::{Motion, Ray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::PyShape;
use crate::arrays;
use crate::convert::{Pair, Place, tuple};
use crate::errors::guarded;

/// Whether two shapes have a point in common.
#[pyfunction]
#[pyo3(signature = (a, at_a, b, at_b))]
pub(crate) fn overlaps(a: &PyShape, at_a: Place, b: &PyShape, at_b: Place) -> PyResult<bool> {
    guarded(|| Ok(carom::overlaps(&a.0, at_a.transform(), &b.0, at_b.transform())))
}

/// How two shapes touch: normal from `a` to `b`, points and separations; `None` where they are
/// farther apart than `margin`.
#[pyfunction]
#[pyo3(signature = (a, at_a, b, at_b, *, margin = 0.0))]
pub(crate) fn contact<'py>(
    py: Python<'py>,
    a: &PyShape,
    at_a: Place,
    b: &PyShape,
    at_b: Place,
    margin: f64,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let found = guarded(|| {
        Ok(carom::contact_within(&a.0, at_a.transform(), &b.0, at_b.transform(), margin.max(0.0) as f32))
    })?;
    let Some(manifold) = found else { return Ok(None) };
    let answer = PyDict::new(py);
    answer.set_item("normal", tuple(manifold.normal))?;
    answer.set_item("depth", f64::from(manifold.depth()))?;
    let points = manifold.points().iter().map(|at| at.point.to_array()).collect();
    answer.set_item("points", arrays::table(py, points)?)?;
    let separations = manifold.points().iter().map(|at| at.separation).collect();
    answer.set_item("separations", arrays::line(py, separations))?;
    Ok(Some(answer))
}

/// The distance of two shapes, negative where they overlap; the normal from `a` to `b`, and the
/// nearest points of both.
#[pyfunction]
#[pyo3(signature = (a, at_a, b, at_b))]
pub(crate) fn distance<'py>(
    py: Python<'py>,
    a: &PyShape,
    at_a: Place,
    b: &PyShape,
    at_b: Place,
) -> PyResult<Bound<'py, PyDict>> {
    let found = guarded(|| Ok(carom::distance(&a.0, at_a.transform(), &b.0, at_b.transform())))?;
    let answer = PyDict::new(py);
    answer.set_item("separation", f64::from(found.separation))?;
    answer.set_item("normal", tuple(found.normal))?;
    answer.set_item("point_a", tuple(found.point_a))?;
    answer.set_item("point_b", tuple(found.point_b))?;
    Ok(answer)
}

/// When two moving shapes first touch, as a share of their motions: time, point and normal.
#[pyfunction]
#[pyo3(signature = (a, at_a, move_a, b, at_b, move_b = Pair(0.0, 0.0), *, turn_a = 0.0, turn_b = 0.0))]
#[expect(clippy::too_many_arguments, reason = "two shapes, two places, two motions")]
pub(crate) fn cast<'py>(
    py: Python<'py>,
    a: &PyShape,
    at_a: Place,
    move_a: Pair,
    b: &PyShape,
    at_b: Place,
    move_b: Pair,
    turn_a: f64,
    turn_b: f64,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let motion_a = Motion::straight(at_a.transform(), move_a.vector()).turning(turn_a as f32);
    let motion_b = Motion::straight(at_b.transform(), move_b.vector()).turning(turn_b as f32);
    let found = guarded(|| Ok(carom::cast(&a.0, motion_a, &b.0, motion_b)))?;
    let Some(hit) = found else { return Ok(None) };
    let answer = PyDict::new(py);
    answer.set_item("time", f64::from(hit.time))?;
    answer.set_item("point", tuple(hit.point))?;
    answer.set_item("normal", tuple(hit.normal))?;
    Ok(Some(answer))
}

/// Where a ray first meets a shape: fraction of the ray, point and normal.
#[pyfunction]
#[pyo3(signature = (shape, at, origin, translation))]
pub(crate) fn ray<'py>(
    py: Python<'py>,
    shape: &PyShape,
    at: Place,
    origin: Pair,
    translation: Pair,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let ray = Ray::new(origin.vector(), translation.vector());
    let found = guarded(|| Ok(carom::ray(&shape.0, at.transform(), ray)))?;
    let Some(hit) = found else { return Ok(None) };
    let answer = PyDict::new(py);
    answer.set_item("fraction", f64::from(hit.fraction))?;
    answer.set_item("point", tuple(hit.point))?;
    answer.set_item("normal", tuple(hit.normal))?;
    Ok(Some(answer))
}

/// Whether a point is in a shape.
#[pyfunction]
#[pyo3(signature = (shape, at, point))]
pub(crate) fn contains(shape: &PyShape, at: Place, point: Pair) -> PyResult<bool> {
    guarded(|| Ok(carom::contains(&shape.0, at.transform(), point.vector())))
}

/// The point of a shape nearest to `point`, its distance (negative inside) and the normal there.
#[pyfunction]
#[pyo3(signature = (shape, at, point))]
pub(crate) fn closest_point<'py>(
    py: Python<'py>,
    shape: &PyShape,
    at: Place,
    point: Pair,
) -> PyResult<Bound<'py, PyDict>> {
    let found = guarded(|| Ok(carom::closest_point(&shape.0, at.transform(), point.vector())))?;
    let answer = PyDict::new(py);
    answer.set_item("point", tuple(found.point))?;
    answer.set_item("distance", f64::from(found.distance))?;
    answer.set_item("normal", tuple(found.normal))?;
    Ok(answer)
}
