//! A function for each kind of shape.

use carom::{Shape, TileCell, TileKind};
use numpy::{AllowTypeChange, PyArrayLike2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::{PyShape, checked};
use crate::convert::{Pair, vectors};

/// A disc around the origin, or around `at`.
#[pyfunction]
#[pyo3(signature = (radius, *, at = None))]
pub(crate) fn circle(radius: f64, at: Option<Pair>) -> PyResult<PyShape> {
    placed(Shape::circle(radius as f32), at, 0.0)
}

/// A rectangle by its full size, optionally turned and with round corners.
#[pyfunction]
#[pyo3(signature = (width, height, *, at = None, angle = 0.0, radius = 0.0))]
pub(crate) fn rect(width: f64, height: f64, at: Option<Pair>, angle: f64, radius: f64) -> PyResult<PyShape> {
    placed(rounded(Shape::rect(width as f32, height as f32), radius), at, angle)
}

/// All points within `radius` of the segment from `a` to `b`.
#[pyfunction]
pub(crate) fn capsule(a: Pair, b: Pair, radius: f64) -> PyResult<PyShape> {
    checked(|| Shape::capsule(a.vector(), b.vector(), radius as f32))
}

/// The segment from `a` to `b`, solid on both sides.
#[pyfunction]
pub(crate) fn segment(a: Pair, b: Pair) -> PyResult<PyShape> {
    checked(|| Shape::segment(a.vector(), b.vector()))
}

/// A convex polygon of three to eight corners, counter-clockwise.
#[pyfunction]
#[pyo3(signature = (points, *, radius = 0.0))]
pub(crate) fn polygon(points: &Bound<'_, PyAny>, radius: f64) -> PyResult<PyShape> {
    let points = vectors(points, "points")?;
    checked(|| rounded(Shape::polygon(&points), radius))
}

/// The convex hull of points, of at most eight corners.
#[pyfunction]
#[pyo3(signature = (points, *, radius = 0.0))]
pub(crate) fn hull(points: &Bound<'_, PyAny>, radius: f64) -> PyResult<PyShape> {
    let points = vectors(points, "points")?;
    checked(|| rounded(Shape::hull(&points), radius))
}

/// A regular polygon of three to eight corners.
#[pyfunction]
pub(crate) fn regular(count: usize, radius: f64) -> PyResult<PyShape> {
    checked(|| Shape::regular(count, radius as f32))
}

/// A star-shaped outline of any number of corners.
#[pyfunction]
pub(crate) fn polar(points: &Bound<'_, PyAny>) -> PyResult<PyShape> {
    let points = vectors(points, "points")?;
    checked(|| Shape::polar(&points))
}

/// Several convex shapes as one.
#[pyfunction]
pub(crate) fn compound(parts: Vec<Bound<'_, PyShape>>) -> PyResult<PyShape> {
    checked(|| Shape::compound(parts.iter().map(|part| part.get().0.clone())))
}

/// Any outline that does not cross itself, with holes, cut into convex parts.
#[pyfunction]
#[pyo3(signature = (points, holes = None))]
pub(crate) fn outline(points: &Bound<'_, PyAny>, holes: Option<Vec<Bound<'_, PyAny>>>) -> PyResult<PyShape> {
    let holes = holes.unwrap_or_default();
    let holes: Vec<_> = holes.iter().map(|hole| vectors(hole, "a hole")).collect::<PyResult<_>>()?;
    let points = vectors(points, "points")?;
    checked(|| Shape::outline_with_holes(&points, &holes))
}

/// A chain of segments, smooth on both sides; for fixed and kinematic bodies.
#[pyfunction]
#[pyo3(signature = (points, *, closed = false))]
pub(crate) fn chain(points: &Bound<'_, PyAny>, closed: bool) -> PyResult<PyShape> {
    let points = vectors(points, "points")?;
    checked(|| if closed { Shape::closed_chain(&points) } else { Shape::chain(&points) })
}

/// Everything on one side of a line: the side that `normal` points away from.
#[pyfunction]
#[pyo3(signature = (point = Pair(0.0, 0.0), normal = Pair(0.0, 1.0)))]
pub(crate) fn half_plane(point: Pair, normal: Pair) -> PyResult<PyShape> {
    checked(|| Shape::half_plane(point.vector(), normal.vector()))
}

/// A tile map: rows of kinds of cells, the lowest row first, or the topmost with `top_first`. A
/// kind is its place in `carom.TILES`: 0 is empty, 1 solid.
#[pyfunction]
#[pyo3(signature = (cells, side = 1.0, *, materials = None, top_first = false))]
pub(crate) fn tiles(
    cells: &Bound<'_, PyAny>,
    side: f64,
    materials: Option<&Bound<'_, PyAny>>,
    top_first: bool,
) -> PyResult<PyShape> {
    let (kinds, [height, width]) = grid(cells, "cells")?;
    let materials = match materials {
        None => vec![0; kinds.len()],
        Some(materials) => {
            let (numbers, size) = grid(materials, "materials")?;
            if size != [height, width] {
                return Err(PyValueError::new_err("materials must have the shape of cells"));
            }
            numbers
        }
    };
    let mut rows: Vec<Vec<TileCell>> = Vec::with_capacity(height);
    for (kinds, materials) in kinds.chunks(width.max(1)).zip(materials.chunks(width.max(1))) {
        let row = kinds.iter().zip(materials).map(|(&kind, &material)| cell(kind, material));
        rows.push(row.collect::<PyResult<_>>()?);
    }
    if top_first {
        rows.reverse();
    }
    let width = u32::try_from(width).map_err(|_| PyValueError::new_err("too many columns"))?;
    checked(|| Shape::tiles(side as f32, width, &rows.concat()))
}

/// The solid pixels of an image as one shape, the topmost row first.
#[pyfunction]
#[pyo3(signature = (solid, side = 1.0, *, tolerance = 0.0))]
pub(crate) fn from_mask(solid: &Bound<'_, PyAny>, side: f64, tolerance: f64) -> PyResult<PyShape> {
    let (pixels, [_, width]) = grid(solid, "solid")?;
    let solid: Vec<bool> = pixels.iter().map(|&pixel| pixel != 0).collect();
    let width = u32::try_from(width).map_err(|_| PyValueError::new_err("too many columns"))?;
    checked(|| Shape::from_mask(side as f32, width, &solid, tolerance as f32))
}

/// The cell of a kind's number and a material's.
pub(crate) fn cell(kind: u8, material: u8) -> PyResult<TileCell> {
    let kind = TileKind::ALL.get(usize::from(kind)).ok_or_else(|| {
        PyValueError::new_err(format!("there are {} kinds of tiles, not {kind}", TileKind::ALL.len()))
    })?;
    Ok(TileCell::new(*kind, material))
}

/// The names of all kinds of tiles, in the order of their numbers.
pub(crate) fn tile_names() -> Vec<String> {
    TileKind::ALL.iter().map(|kind| format!("{kind:?}")).collect()
}

/// An array of two dimensions as bytes, row by row: of truths, or of whole numbers 0 to 255.
pub(crate) fn grid(object: &Bound<'_, PyAny>, what: &str) -> PyResult<(Vec<u8>, [usize; 2])> {
    if let Ok(array) = object.extract::<PyReadonlyArray2<'_, bool>>() {
        return Ok((array.as_array().iter().map(|&solid| u8::from(solid)).collect(), size_of(array.shape())));
    }
    if let Ok(array) = object.extract::<PyReadonlyArray2<'_, u8>>() {
        return Ok((array.as_array().iter().copied().collect(), size_of(array.shape())));
    }
    let array: PyArrayLike2<'_, f64, AllowTypeChange> = object
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{what} must be an array of two dimensions")))?;
    let byte = |&value: &f64| {
        let whole = value.fract() == 0.0 && (0.0..=255.0).contains(&value);
        whole.then_some(value as u8).ok_or_else(|| {
            PyValueError::new_err(format!("{what} must be truths or whole numbers 0 to 255, not {value}"))
        })
    };
    let bytes = array.as_array().iter().map(byte).collect::<PyResult<Vec<u8>>>()?;
    Ok((bytes, size_of(array.shape())))
}

/// Height and width.
fn size_of(shape: &[usize]) -> [usize; 2] {
    [shape.first().copied().unwrap_or(0), shape.get(1).copied().unwrap_or(0)]
}

fn rounded(shape: Shape, radius: f64) -> Shape {
    if radius == 0.0 { shape } else { shape.rounded(radius as f32) }
}

fn placed(shape: Shape, at: Option<Pair>, angle: f64) -> PyResult<PyShape> {
    checked(|| {
        let shape = if angle == 0.0 { shape } else { shape.turned(angle as f32) };
        match at {
            None => shape,
            Some(at) => shape.at(at.vector()),
        }
    })
}
